/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Derivatives of payoff code by adjoints, on the host: the code that is made is read by the front end and
 * interpreted, and compared with forward mode of the same lists, which knows no adjoints, with differences of
 * the payoff itself, and with itself where nothing may depend on what else was asked for.
 */
#include <host/payoff/interpret.h>
#include <host/payoff/payoff.h>

#include "random_payoff.h"
#include "tangents.h"

#include <base/alloc.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#define MOST_PARAMS 64u
#define MOST_DIMS 4u
#define MOST_STEPS 64u
#define MOST_OUT 128u

/* ---- A payoff and a path ------------------------------------------------------------------------- */

struct subject {
    const char *code;
    uint32_t dims, steps;
    bailey_precision precision;
    double params[MOST_PARAMS];
    double width; /* of all jumps; 0: none may be */
    uint32_t every;
    uint64_t memory;
    uint8_t asked[MOST_PARAMS];
    int all; /* all reals are asked for */
    int cross;
    int forward;     /* in forward mode, with all loops as loops and without jumps */
    uint32_t second; /* 1 more than the parameter that the first derivative is by; 0: first derivatives */
    struct bly_unit unit, derived; /* of the code, and of its derivative */
    struct bly_derivative d;
    struct bly_text text;
};

static double rounded(const struct subject *s, double x)
{
    return s->precision == BAILEY_PRECISION_F32 ? (double)(float)x : x;
}

struct points {
    double x[MOST_STEPS][MOST_DIMS], times[MOST_STEPS];
};

static double normal_like(uint64_t *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) sum += (double)random_payoff_below(random, 1u << 24) * 0x1p-24;
    return sum;
}

/* A Brownian motion; increments of one will do as well. */
static void draw_points(const struct subject *s, uint64_t seed, struct points *p)
{
    uint64_t random = seed * 77 + 1;
    for (uint32_t i = 0; i < s->steps; i++) {
        p->times[i] = rounded(s, (double)(i + 1) / s->steps);
        for (uint32_t d = 0; d < s->dims; d++) {
            const double step = normal_like(&random) / sqrt((double)s->steps);
            p->x[i][d] = rounded(s, (i ? p->x[i - 1][d] : 0) + step);
        }
    }
}

static double at(void *user, uint64_t step, uint32_t dimension)
{
    return ((const struct points *)user)->x[step][dimension];
}
static double time_of(void *user, uint64_t step) { return ((const struct points *)user)->times[step]; }

/* C, its inverse, the origin, widths. C C' is {1, 0.5, 0.5, 1.25}, or 1. */
static double own_member(const struct subject *s, uint32_t k)
{
    static const double factor[] = {1, 0, 0.5, 1, 1, 0, -0.5, 1};
    const uint32_t square = s->dims * s->dims;
    if (!s->cross || k >= 2 * square + s->dims) return s->width;
    return k >= 2 * square ? 0.125 : s->dims == 1 ? 1 : factor[k];
}

/* The change of the matrix of x, for a change of entry (i, j) of the covariance with (j, i): C L(inverse(C)
 * dS inverse(C')) inverse(C). */
static void move_covariance(uint32_t dims, uint32_t i, uint32_t j, double matrix[2][2])
{
    const double c[2][2] = {{1, 0}, {0.5, 1}}, b[2][2] = {{1, 0}, {-0.5, 1}};
    double change[2][2] = {{0}}, inner[2][2];
    memset(matrix, 0, 4 * sizeof(double));
    matrix[0][0] = 0.5;
    if (dims == 1) return;
    change[i][j] = change[j][i] = 1;
    for (int p = 0; p < 2; p++)
        for (int q = 0; q < 2; q++) {
            double sum = 0;
            for (int k = 0; k < 2; k++)
                for (int l = 0; l < 2; l++) sum += b[p][k] * change[k][l] * b[q][l];
            inner[p][q] = p > q ? sum : p == q ? sum / 2 : 0;
        }
    for (int p = 0; p < 2; p++)
        for (int q = 0; q < 2; q++) {
            matrix[p][q] = 0;
            for (int k = 0; k < 2; k++)
                for (int l = 0; l < 2; l++) matrix[p][q] += c[p][k] * inner[k][l] * b[l][q];
        }
}

static void interpret(struct subject *s, struct bly_unit *unit, const double *params, struct points *points,
                      double *out)
{
    struct bly_interpreter *m;
    const struct bly_path_reader reader = {points, at, time_of};
    struct bly_given given = {.path = &reader, .out = out};
    if (bly_interpreter_create(unit, &m) != BAILEY_OK) fail_msg("%s", bailey_error_message());
    for (uint32_t k = 0; k < bly_interpreter_parameters(m); k++)
        bly_interpreter_set(m, k, k < s->d.params ? rounded(s, params[k]) : own_member(s, k - s->d.params));
    bly_interpreter_begin(m);
    bly_interpreter_call(m, unit->start, &given);
    for (uint32_t i = 0; i < s->steps && unit->step; i++) {
        given.number = (int32_t)i;
        given.t = points->times[i];
        given.x = points->x[i];
        bly_interpreter_call(m, unit->step, &given);
    }
    bly_interpreter_call(m, unit->finish, &given);
    bly_interpreter_call(m, unit->whole, &given);
    if (bly_interpreter_status(m) != BAILEY_OK) fail_msg("%s\n%s", bailey_error_message(), unit->code);
    bly_interpreter_destroy(m);
}

/* ---- Reading ------------------------------------------------------------------------------------- */

static bailey_status read_unit(const struct subject *s, const char *code, uint32_t outputs,
                               struct bly_unit *unit)
{
    *unit = (struct bly_unit){.kind = BLY_UNIT_PAYOFF,
                              .precision = s->precision,
                              .dims = s->dims,
                              .steps = s->steps,
                              .code = code,
                              .length = strlen(code),
                              .argument = "payoff",
                              .most_outputs = outputs};
    bly_unit_name(unit, outputs ? "derivative.c" : "payoff.c");
    return bly_unit_read(unit);
}

static int may_be_singular; /* random code */

/* All reals. */
static void ask_for_all(const struct bly_unit *unit, uint8_t *asked)
{
    uint32_t cell = 0;
    memset(asked, 0, MOST_PARAMS);
    for (const struct bly_field_node *f = unit->params ? unit->params->fields : NULL; f; f = f->next) {
        const int is_array = f->type->kind == BLY_TYPE_ARRAY;
        const uint32_t count = is_array ? f->type->count : 1;
        for (uint32_t k = 0; k < count; k++)
            asked[cell++] = (is_array ? f->type->of : f->type)->kind == BLY_TYPE_REAL;
    }
}

static void ask_all(struct subject *s)
{
    struct bly_unit unit;
    if (read_unit(s, s->code, 0, &unit) != BAILEY_OK) fail_msg("%s", bailey_error_message());
    ask_for_all(&unit, s->asked);
    bly_unit_free(&unit);
}

/* ERROR_UNSUPPORTED: it cannot be differentiated. */
static bailey_status derive(struct subject *s)
{
    static const uint8_t first[16] = {1};
    struct bly_derivative_names names;
    if (read_unit(s, s->code, 0, &s->unit) != BAILEY_OK) fail_msg("%s", bailey_error_message());
    if (s->all) ask_for_all(&s->unit, s->asked);
    s->d = (struct bly_derivative){.unit = &s->unit,
                                   .asked = s->asked,
                                   .chosen = first,
                                   .cross = s->cross,
                                   .has_origin = 1,
                                   .is_second = s->second > 0,
                                   .direction = s->second ? s->second - 1 : 0,
                                   .forward = s->forward != 0,
                                   .rolls = s->forward != 0,
                                   .without_jumps = s->forward != 0,
                                   .memory = s->memory,
                                   .every = s->every};
    const bailey_status status = bly_derivative_find(&s->d);
    if (status != BAILEY_OK) return status;
    (s->d.forward ? bly_derivative_forward : bly_derivative_write)(&s->d, &s->text, &names);
    if (s->text.failed) fail_msg("out of memory");
    if (read_unit(s, s->text.data, MOST_OUT, &s->derived) == BAILEY_OK) return BAILEY_OK;
    const int is_random = s->second || may_be_singular;
    if (!is_random || (!strstr(bailey_error_message(), "the code is too large") &&
                       !strstr(bailey_error_message(), "at most 1048576") &&
                       !strstr(bailey_error_message(), "more than 262144 tokens")))
        fail_msg("%s\n%s\n%s", bailey_error_message(), s->code, s->text.data);
    return BAILEY_ERROR_UNSUPPORTED;
}

static void release(struct subject *s)
{
    bly_derivative_free(&s->d);
    bly_unit_free(&s->unit);
    bly_unit_free(&s->derived);
    bly_free(s->text.data);
    s->text = (struct bly_text){0};
}

/* ---- Forward mode -------------------------------------------------------------------------------- */

#define MOST_STATES 256u
static union bly_scalar values[BLY_MOST_ATOMS];
static double tangents[BLY_MOST_ATOMS];
static int is_wild;  /* a number of the payoff was not finite: then a derivative need not be */
static int singular; /* derivatives that are not numbers, of numbers that are: a root of 0 */

static void note_wild(const struct bly_reversed *r)
{
    for (uint32_t i = 1; i < r->primal; i++)
        is_wild |= r->list.values[i].type->kind == BLY_TYPE_REAL && !isfinite(values[i].real);
}

static void read_params(const struct subject *s, union bly_scalar *params)
{
    for (uint32_t k = 0; k < s->d.params; k++) {
        const struct bly_field_node *f = s->unit.params->fields;
        while (f->next && f->next->cell <= k) f = f->next;
        const struct bly_type *type = f->type->kind == BLY_TYPE_ARRAY ? f->type->of : f->type;
        if (type->kind == BLY_TYPE_REAL)
            params[k].real = rounded(s, s->params[k]);
        else
            params[k].integer = (int64_t)s->params[k];
    }
}

/* Of start, n = 0, of the steps, and of finish. */
static struct bly_leaves leaves_at(const struct subject *s, const struct points *points, uint32_t n,
                                   const union bly_scalar *state, const union bly_scalar *params)
{
    struct bly_leaves leaves = {.state = state, .params = params};
    if (n == 0 || n > s->steps) return leaves;
    leaves.x = points->x[n - 1];
    leaves.t = points->times[n - 1];
    leaves.i = (int32_t)n - 1;
    return leaves;
}

/* ---- Paths with a comparison turned -------------------------------------------------------------- */

#define MOST_TURNED 1024

/* Comparisons that were near on the way: the slope of l - r times the density, and the result if it were what
 * it is not. */
struct turned {
    const struct subject *s;
    const struct points *points;
    const union bly_scalar *params;
    const double *widths;
    double slopes[MOST_TURNED], others[MOST_TURNED];
    int held[MOST_TURNED], count;
};

static enum bly_expression_kind opposite(enum bly_expression_kind kind)
{
    return kind == BLY_LESS            ? BLY_GREATER_EQUAL
           : kind == BLY_LESS_EQUAL    ? BLY_GREATER
           : kind == BLY_GREATER       ? BLY_LESS_EQUAL
           : kind == BLY_GREATER_EQUAL ? BLY_LESS
                                       : kind;
}

static uint32_t result_of(const struct subject *s)
{
    return s->d.finish.results[s->second ? s->d.outputs - 1 : 0];
}

/* The result of function n and those behind it, with the comparisons of a turn opposite in that one. */
static double run_turned(const struct turned *t, uint32_t n, uint32_t turn, const union bly_scalar *from)
{
    static union bly_scalar own[65536];
    const struct subject *s = t->s;
    union bly_scalar state[MOST_STATES];
    memcpy(state, from, sizeof state);
    for (uint32_t m = n;; m++) {
        const struct bly_reversed *r = m <= s->steps ? &s->d.step : &s->d.finish;
        struct bly_atoms list = {.unit = r->list.unit, .count = r->primal};
        list.values = malloc(r->primal * sizeof *list.values);
        memcpy(list.values, r->list.values, r->primal * sizeof *list.values);
        for (uint32_t i = 1; i < r->primal && m == n; i++)
            if (r->turn_of[i] == turn + 1) list.values[i].operation = opposite(list.values[i].operation);
        struct bly_leaves leaves = leaves_at(s, t->points, m, state, t->params);
        leaves.widths = t->widths;
        bly_list_evaluate(&list, &leaves, own);
        free(list.values);
        if (m > s->steps) return own[result_of(s)].real;
        for (uint32_t k = 0; k < s->d.states; k++)
            if (r->results[k]) state[k] = own[r->results[k]];
    }
}

static void note_turns(struct turned *t, const struct bly_reversed *r, uint32_t n,
                       const union bly_scalar *state)
{
    for (uint32_t k = 0; k < r->turn_count; k++) {
        const struct bly_atom *c = &r->list.values[r->turns[k].atom];
        const double width = t->widths[r->turns[k].jump];
        const double distance = fabs(values[c->a].real - values[c->b].real);
        const double slope = tangents[c->a] - tangents[c->b];
        if (!(distance < width) || slope == 0) continue;
        if (t->count == MOST_TURNED) fail_msg("too many comparisons are near");
        const int rises = c->operation == BLY_GREATER || c->operation == BLY_GREATER_EQUAL;
        const double u = distance / width;
        t->slopes[t->count] = (rises ? slope : -slope) * (1 - u * u) * (3 - 7 * u * u) * 15 / 32 / width;
        t->held[t->count] = values[r->turns[k].atom].integer != 0;
        t->others[t->count++] = run_turned(t, n, k, state);
    }
}

static double slope_of_turns(const struct turned *t, double result)
{
    double sum = 0;
    for (int k = 0; k < t->count; k++) {
        const double change = t->held[k] ? result - t->others[k] : t->others[k] - result;
        if (change != 0) sum += t->slopes[k] * change; /* else nothing comes of it, whatever the slope */
    }
    return sum;
}

/* ---- Forward mode -------------------------------------------------------------------------------- */

/* The change of the chosen outputs, for a change of one parameter, or of an entry of the covariance. */
static double forward(struct subject *s, const struct points *points, int param, int row, int column)
{
    union bly_scalar state[MOST_STATES] = {{0}}, params[MOST_PARAMS];
    double change[MOST_STATES] = {0}, by[MOST_PARAMS] = {0}, widths[BLY_MOST_JUMPS], dx[MOST_DIMS] = {0};
    struct turned turned = {.s = s, .points = points, .params = params, .widths = widths};
    const struct bly_derivative *d = &s->d;
    const struct bly_reversed *const all[] = {&d->start, &d->step, &d->finish};
    for (uint32_t k = 0; k < BLY_MOST_JUMPS; k++) widths[k] = s->width;
    read_params(s, params);
    if (param >= 0) by[param] = 1;
    for (uint32_t n = 0; n < s->steps + 2; n++) {
        const struct bly_reversed *r = all[n == 0 ? 0 : n <= s->steps ? 1 : 2];
        const uint32_t i = n ? n - 1 : 0;
        if (n == 0 && !d->has_start) continue;
        struct bly_leaves leaves = leaves_at(s, points, n, state, params);
        leaves.widths = widths;
        if (n > 0 && n <= s->steps) {
            double matrix[2][2];
            if (row >= 0) move_covariance(s->dims, (uint32_t)row, (uint32_t)column, matrix);
            for (uint32_t a = 0; a < s->dims && row >= 0; a++) {
                dx[a] = 0;
                for (uint32_t b = 0; b < s->dims; b++) dx[a] += matrix[a][b] * (points->x[i][b] - 0.125);
            }
        }
        const struct changes changes = {.state = change, .params = by, .x = dx};
        find_tangents(d, r, &leaves, &changes, values, tangents);
        note_wild(r);
        if (d->runs) note_turns(&turned, r, n, state);
        if (n > s->steps) break;
        for (uint32_t k = 0; k < d->states; k++) {
            if (!r->results[k]) continue;
            state[k] = values[r->results[k]];
            change[k] = tangents[r->results[k]];
        }
    }
    const uint32_t result = result_of(s);
    return tangents[result] + slope_of_turns(&turned, values[result].real);
}

static void expect_close(const struct subject *s, double x, double y, double tolerance, const char *what,
                         uint32_t k)
{
    if (isnan(x) && (isnan(y) || is_wild)) return;
    if (!isfinite(x) && may_be_singular) {
        singular++;
        return;
    }
    if (x == y || fabs(x - y) <= tolerance * (1 + fabs(x) + fabs(y))) return;
    fail_msg("%s %u: %.17g, not %.17g\n%s\n%s", what, (unsigned)k, x, y, s->code, s->text.data);
}

/* The payoff's own outputs to the bit, and derivatives against forward mode. */
static void compare_forward(struct subject *s, uint64_t seed, double tolerance)
{
    struct points points;
    double own[16] = {0}, out[MOST_OUT] = {0};
    is_wild = 0;
    draw_points(s, seed, &points);
    interpret(s, &s->unit, s->params, &points, own);
    interpret(s, &s->derived, s->params, &points, out);
    for (uint32_t o = 0; o < s->unit.outputs; o++)
        if (memcmp(&own[o], &out[o], sizeof *own) && !(isnan(own[o]) && isnan(out[o])))
            expect_close(s, out[o], own[o], 0, "output", o);
    uint32_t at_output = s->d.outputs;
    for (uint32_t k = 0; k < s->d.params; k++)
        if (s->asked[k]) {
            const double slope = forward(s, &points, (int)k, -1, -1);
            expect_close(s, out[at_output++], slope, tolerance, "parameter", k);
        }
    for (uint32_t i = 0; i < s->dims && s->cross; i++)
        for (uint32_t j = 0; j <= i; j++) {
            const double slope = forward(s, &points, -1, (int)i, (int)j);
            expect_close(s, out[at_output++], slope, tolerance, "covariance", i * s->dims + j);
        }
}

/* ---- Built-ins ----------------------------------------------------------------------------------- */

static const struct subject builtins[] = {
    {.code = "european", .dims = 1, .steps = 3, .params = {100, 0.2, 0.03, 0.01, 105, 1, 0.1}},
    {.code = "asian",
     .dims = 2,
     .steps = 12,
     .params = {100, 90, 0.2, 0.3, 0.01, 0.02, 0.5, 0.5, 0.03, 95, 0, 0, 1}},
    {.code = "barrier", .dims = 1, .steps = 30, .params = {100, 0.2, 0.05, 0, 100, 80, 1, 0, -1, 0, 1, 0}},
};
#define BUILTINS (sizeof builtins / sizeof *builtins)

static void begin_builtin(size_t b, bailey_precision precision, struct subject *s)
{
    *s = builtins[b];
    const struct bly_payoff_row *row = bly_payoff_row_find(builtins[b].code);
    if (!row) fail_msg("%s is not a built-in", builtins[b].code);
    s->code = (const char *)row->text;
    s->precision = precision;
    s->cross = 1;
    ask_all(s);
}

TEST(derivative_forward, HOST)
{
    for (size_t b = 0; b < BUILTINS; b++)
        for (int f64 = 0; f64 < 2; f64++) {
            struct subject s;
            begin_builtin(b, f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32, &s);
            if (derive(&s) != BAILEY_OK) fail_msg("%s", bailey_error_message());
            for (uint64_t seed = 1; seed <= 20; seed++) compare_forward(&s, seed, f64 ? 1e-11 : 3e-3);
            release(&s);
        }
}

/* Central differences, extrapolated once, wherever the payoff has no kink nearby. */
TEST(derivative_bumps, HOST)
{
    for (size_t b = 0; b < BUILTINS; b++) {
        struct subject s;
        uint32_t compared = 0;
        begin_builtin(b, BAILEY_PRECISION_F64, &s);
        if (derive(&s) != BAILEY_OK) fail_msg("%s", bailey_error_message());
        for (uint64_t seed = 1; seed <= 20; seed++) {
            struct points points;
            double out[MOST_OUT], moved[16], params[MOST_PARAMS], slope[2];
            draw_points(&s, seed, &points);
            interpret(&s, &s.derived, s.params, &points, out);
            uint32_t o = s.unit.outputs;
            for (uint32_t k = 0; k < s.d.params; k++) {
                if (!s.asked[k]) continue;
                for (int half = 0; half < 2; half++) {
                    const double h = 1e-3 * fmax(fabs(s.params[k]), 0.01) / (half + 1);
                    memcpy(params, s.params, sizeof params);
                    params[k] = s.params[k] + h;
                    interpret(&s, &s.unit, params, &points, moved);
                    slope[half] = moved[0];
                    params[k] = s.params[k] - h;
                    interpret(&s, &s.unit, params, &points, moved);
                    slope[half] = (slope[half] - moved[0]) / (2 * h);
                }
                const double best = (4 * slope[1] - slope[0]) / 3, spread = fabs(slope[1] - slope[0]);
                compared++;
                if (spread > 1e-3 * (1e-3 + fabs(best)))
                    o++; /* a kink */
                else
                    expect_close(&s, out[o++], best, 1e-5, "parameter", k);
            }
        }
        assert_true(compared > 50);
        release(&s);
    }
}

/* ---- Independence -------------------------------------------------------------------------------- */

static uint32_t most_levels; /* that states were kept on */

/* With as little memory as it needs, which is what the refusal says; whether states are kept at all. */
static int derive_least(struct subject *s)
{
    s->every = 0;
    s->memory = 1;
    if (derive(s) == BAILEY_OK) return 0;
    const char *least = strstr(bailey_error_message(), "need at least ");
    if (!least) fail_msg("%s", bailey_error_message());
    s->memory = strtoull(least + 14, NULL, 10);
    release(s);
    if (derive(s) != BAILEY_OK) fail_msg("%s", bailey_error_message());
    assert_int_equal(s->d.kept_bytes, s->memory);
    assert_true(s->d.levels > 1);
    return 1;
}

static void compare_alone(struct subject *all, uint32_t param, uint32_t output, uint32_t every)
{
    struct subject s = *all;
    struct points points;
    double out[MOST_OUT], own[MOST_OUT];
    memset(s.asked, 0, sizeof s.asked);
    s.asked[param] = 1;
    s.cross = 0;
    s.every = every;
    s.text = (struct bly_text){0};
    s.derived = (struct bly_unit){0};
    const int keeps = every ? 0 : derive_least(&s);
    if (every && derive(&s) != BAILEY_OK) fail_msg("%s", bailey_error_message());
    most_levels = keeps && s.d.levels > most_levels ? s.d.levels : most_levels;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        draw_points(&s, seed, &points);
        interpret(all, &all->derived, all->params, &points, out);
        interpret(&s, &s.derived, s.params, &points, own);
        if (memcmp(&out[output], &own[s.unit.outputs], sizeof *out))
            fail_msg("%a alone, %a with others\n%s", own[s.unit.outputs], out[output], s.text.data);
    }
    release(&s);
}

TEST(derivative_alone, HOST)
{
    static const uint32_t every[] = {1, 2, 5, 0};
    for (size_t b = 0; b < BUILTINS; b++) {
        struct subject s;
        begin_builtin(b, BAILEY_PRECISION_F32, &s);
        if (derive(&s) != BAILEY_OK) fail_msg("%s", bailey_error_message());
        uint32_t output = s.unit.outputs;
        for (uint32_t k = 0; k < s.d.params; k++)
            if (s.asked[k]) compare_alone(&s, k, output++, every[k % 4]);
        release(&s);
    }
    assert_true(most_levels >= 3);
}

/* ---- Jumps --------------------------------------------------------------------------------------- */

#define HEAD                                                                                                 \
    "typedef struct { real spot, strike, volatility; real curve[3]; int n; } params;\n"                      \
    "typedef struct { real price, sum; int hit, count; } state;\n"                                           \
    "void start(state *s, const params *p) { s->price = p->spot; s->sum = 0; s->hit = 0; s->count = 0; }\n"
#define STEP(body)                                                                                           \
    "void step(state *s, const params *p, int i, real t, const real x[])\n{\n"                               \
    "    s->price = p->spot * exp(p->volatility * x[0] - p->volatility * p->volatility * t / 2);\n" body     \
    "\n}\n"
#define FINISH(body) "void finish(const state *s, const params *p, real out[])\n{\n" body "\n}\n"

static void refuse(const char *code, const char *words)
{
    struct subject s = {.code = code, .dims = 1, .steps = 3, .precision = BAILEY_PRECISION_F64};
    ask_all(&s);
    const bailey_status status = derive(&s);
    if (status != BAILEY_ERROR_UNSUPPORTED || !strstr(bailey_error_message(), words))
        fail_msg("%d: %s, not %s", status, status ? bailey_error_message() : "taken", words);
    release(&s);
}

/* At this line of the code alone. */
static void jumps(const char *code, uint32_t line)
{
    struct subject s = {.code = code, .dims = 1, .steps = 3, .precision = BAILEY_PRECISION_F64};
    ask_all(&s);
    assert_int_equal(derive(&s), BAILEY_OK);
    assert_true(bly_derivative_has_jumps(&s.d) && s.d.jump_count == 1);
    assert_int_equal(s.d.jumps[0].place.line, line);
    release(&s);
}

/* With a width of 0, what does not jump. */
static void take(const char *code, double width)
{
    for (int f64 = 0; f64 < 2; f64++) {
        struct subject s = {.code = code,
                            .dims = 1,
                            .steps = 3,
                            .precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32,
                            .width = width,
                            .cross = 1,
                            .params = {100, 101, 0.2, 0.5, 0.25, 0.125, 2}};
        ask_all(&s);
        if (derive(&s) != BAILEY_OK) fail_msg("%s", bailey_error_message());
        if (!width && bly_derivative_has_jumps(&s.d)) fail_msg("this does not jump: %s", code);
        for (uint64_t seed = 1; seed <= 30; seed++) compare_forward(&s, seed, f64 ? 1e-11 : 1e-3);
        release(&s);
    }
}

TEST(derivative_jumps, HOST)
{
    static const char *const digital = HEAD STEP("") FINISH("    out[0] = s->price > p->strike ? 1 : 0;");
    static const char *const out = HEAD STEP("    if (s->price > p->strike) s->hit = 1;")
        FINISH("    out[0] = s->hit ? 0 : fmax(s->price - 90, 0);");
    jumps(digital, 11);
    jumps(out, 7);
    refuse(HEAD STEP("    s->sum += floor(s->price);") FINISH("    out[0] = s->sum;"), "floor and ceil");
    refuse(HEAD STEP("    s->sum += (int)s->price;") FINISH("    out[0] = s->sum;"),
           "converts a real that depends on the path to an integer");
    refuse(HEAD STEP("    for (real y = s->price; y > 1; y /= 2) s->sum += y;")
               FINISH("    out[0] = s->sum;"),
           "jumps at this comparison");
    take(digital, 30);
    take(out, 30);
    take(HEAD STEP("    s->hit = s->hit || s->price < p->strike && s->price > 95;")
             FINISH("    out[0] = s->hit == 0 ? s->price : 3;"),
         30);
    take(HEAD STEP("    s->count += s->price > p->strike;") FINISH("    out[0] = s->count * s->price;"), 30);
    take(HEAD STEP("    if (s->price > p->strike) { s->count++; return; }\n    s->sum += s->price;")
             FINISH("    out[0] = s->sum + s->count;"),
         30);
}

/* Where a step has returned early, what it would compute otherwise is not finite, and does not count. */
TEST(derivative_left, HOST)
{
    struct subject s = {.code = HEAD STEP("    if (s->hit) return;\n    s->hit = 1;\n"
                                          "    s->sum = 1000 * p->volatility * log(s->price - s->sum);")
                            FINISH("    out[0] = s->sum;"),
                        .dims = 1,
                        .steps = 3,
                        .precision = BAILEY_PRECISION_F64,
                        .params = {100, 101, 0.2, 0.5, 0.25, 0.125, 2}};
    struct points points;
    double out[MOST_OUT] = {0};
    ask_all(&s);
    assert_int_equal(derive(&s), BAILEY_OK);
    draw_points(&s, 1, &points);
    interpret(&s, &s.derived, s.params, &points, out);
    expect_close(&s, out[1], 1000 * 0.2 / 100, 1e-14, "by spot", 0);
    assert_true(s.d.independent[1] && !s.d.independent[0] && isfinite(out[3]));
    release(&s);
}

/* Kinks are not jumps: both sides meet where the comparison turns. */
TEST(derivative_kinks, HOST)
{
    take(HEAD STEP("") FINISH("    out[0] = s->price > p->strike ? s->price - p->strike : 0;"), 0);
    take(HEAD STEP("")
             FINISH("    real gain = s->price - p->strike;\n    if (gain < 0) gain = 0;\n    out[0] = gain;"),
         0);
    take(HEAD STEP("    if (s->price > s->sum) s->sum = s->price;") FINISH("    out[0] = s->sum - s->price;"),
         0);
    take(HEAD STEP("")
             FINISH("    const real y = s->price / 50;\n    out[0] = y > 2 ? y * y : 4 * (y - 2) + 4;"),
         0);
    take(HEAD STEP("    s->sum += p->curve[i] * s->price;") FINISH("    out[0] = s->sum;"), 0);
    take(HEAD STEP(
             "    for (int k = 0; k < 3; k++) { if (k == p->n) break; s->sum += p->curve[k] * s->price; }")
             FINISH("    out[0] = s->sum;"),
         0);
    take(HEAD STEP("    switch (i) { case 0: s->sum += s->price; case 1: s->sum *= 2; break; default: s->sum "
                   "-= t; }") FINISH("    out[0] = s->sum;"),
         0);
    take(HEAD STEP("    real a[4] = {0};\n    a[i] = s->price;\n    s->sum += a[1] * a[p->n];")
             FINISH("    out[0] = s->sum;"),
         0);
    take(HEAD STEP(
             "    real root = sqrt(s->price - 100);\n    s->sum += s->price > 100 ? root * s->price : 0;")
             FINISH("    out[0] = s->sum;"),
         0.5);
    take(HEAD STEP("    if (s->price > 100) s->sum += log(s->price - 100) / (s->price - 100) * p->curve[i];")
             FINISH("    out[0] = s->sum;"),
         0.5);
    take(HEAD STEP(
             "    s->sum += sqrt(s->price) * pow(s->price, p->volatility) / log(p->spot) + normal_cdf(x[0] * "
             "p->volatility) * fabs(x[0] - p->volatility) + fmin(x[0], p->volatility);")
             FINISH("    out[0] = s->sum;"),
         0);
    take(HEAD STEP("    s->sum += normal_icdf(0.5 * uniform(x[0] * p->volatility) + 0.2) * s->price + "
                   "poisson_icdf(0.7, 3) * p->volatility;") FINISH("    out[0] = s->sum;"),
         0);
    take(HEAD STEP("    s->sum += gamma_icdf(uniform(x[0]), p->volatility * (i + 1)) * s->price + "
                   "gamma_icdf(0.01 + 0.9 * uniform(s->price - 100), 20 + p->curve[i]);")
             FINISH("    out[0] = s->sum;"),
         0);
}

/* ---- Random code --------------------------------------------------------------------------------- */

/* BAILEY_TEST_RANDOM programs (default 1140, a tenth with BAILEY_TEST_QUICK), starting at BAILEY_TEST_SEED.
 * One of LARGE has functions and more statements, and its code of forward mode is compared too. */
#define LARGE 5

static uint64_t number_of(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

/* Free its code. */
static struct subject random_subject(uint64_t seed, uint32_t steps, int small)
{
    const struct random_payoff_options options = {.programs = 1, .dims = 2, .steps = steps, .small = small};
    struct subject s = {.code = random_payoff(seed, &options),
                        .dims = 2,
                        .steps = steps,
                        .precision = BAILEY_PRECISION_F64,
                        .width = 0.5,
                        .all = 1,
                        .cross = 1};
    uint64_t random = seed ^ 0x5eed;
    for (uint32_t k = 0; k < MOST_PARAMS; k++) {
        const double u = (double)random_payoff_below(&random, 1u << 24) * 0x1p-23 - 1;
        s.params[k] = k % 4 == 1 ? floor(12 * u) : 3 * u;
    }
    return s;
}

/* Second derivatives: the first derivative that they are of is that of forward mode, and they are what
 * forward mode of its code has. */
static void compare_second(struct subject *first, uint64_t seed, uint32_t direction)
{
    struct subject second = *first;
    struct points points;
    double out[MOST_OUT] = {0};
    second.text = (struct bly_text){0};
    second.derived = (struct bly_unit){0};
    second.second = direction + 1;
    const bailey_status status = derive(&second);
    if (status != BAILEY_OK && status != BAILEY_ERROR_UNSUPPORTED)
        fail_msg("%s\n%s", bailey_error_message(), second.code);
    for (uint64_t path = 1; path <= 3 && status == BAILEY_OK; path++) {
        compare_forward(&second, seed + path, 1e-6);
        draw_points(&second, seed + path, &points);
        interpret(&second, &second.derived, second.params, &points, out);
        const double slope = forward(first, &points, (int)direction, -1, -1);
        expect_close(&second, out[second.unit.outputs], slope, 1e-7, "the first derivative", direction);
    }
    release(&second);
}

TEST(second_random, HOST)
{
    const uint64_t count = number_of("BAILEY_TEST_RANDOM", getenv("BAILEY_TEST_QUICK") ? 6 : 60),
                   first = number_of("BAILEY_TEST_SEED", 1);
    uint64_t taken = 0;
    may_be_singular = 1;
    for (uint64_t seed = first; seed < first + count; seed++) {
        struct subject s = random_subject(seed, 4, 0);
        const bailey_status status = derive(&s);
        for (uint32_t k = 0, left = 2; k < s.d.params && status == BAILEY_OK && left; k++)
            if (s.asked[k]) left--, compare_second(&s, seed, k);
        taken += status == BAILEY_OK;
        release(&s);
        free((char *)s.code);
    }
    printf("%llu of %llu random payoffs differentiated twice, %d derivatives not finite\n",
           (unsigned long long)taken, (unsigned long long)count, singular);
    assert_true(taken * 5 >= count);
}

/* Adjoints against the code of forward mode, whose loops are not unrolled, both without what comes through
 * jumps. Whether there is such code. */
static int compare_modes(struct subject *adjoints, uint64_t seed, int *has_loops)
{
    struct subject s = *adjoints;
    struct points points;
    double own[MOST_OUT] = {0}, out[MOST_OUT] = {0};
    s.text = (struct bly_text){0};
    s.unit = s.derived = (struct bly_unit){0};
    s.forward = 1;
    const bailey_status status = derive(&s);
    if (status != BAILEY_OK && status != BAILEY_ERROR_UNSUPPORTED)
        fail_msg("%s\n%s", bailey_error_message(), s.code);
    if (status != BAILEY_OK && getenv("BAILEY_TEST_SHOW"))
        fprintf(stderr, "in forward mode: %s\n", bailey_error_message());
    *has_loops |= status == BAILEY_OK && s.d.step.list.loop_count > 1;
    adjoints->width = -INFINITY; /* nothing is within it, and its density is 0 */
    for (uint64_t path = 1; path <= 2 && status == BAILEY_OK; path++) {
        is_wild = 0;
        draw_points(&s, seed + path, &points);
        forward(adjoints, &points, 0, -1, -1); /* notes what is wild */
        interpret(adjoints, &adjoints->derived, s.params, &points, own);
        interpret(&s, &s.derived, s.params, &points, out);
        for (uint32_t o = 0; o < s.d.outputs + bly_derivative_count(&s.d); o++)
            expect_close(adjoints, own[o], out[o], o < s.d.outputs ? 0 : 1e-7, "output", o);
    }
    release(&s);
    return status == BAILEY_OK;
}

struct random_counts {
    uint64_t taken, both, looping,
        forward; /* differentiated; in both modes; with loops; in forward mode alone */
};

static void compare_random(uint64_t seed, int small, struct random_counts *counts)
{
    struct subject s = random_subject(seed, small ? 3 : 5, small);
    int has_loops = 0;
    s.every = (uint32_t)(seed % 6);
    const bailey_status status = derive(&s);
    if (status != BAILEY_OK && status != BAILEY_ERROR_UNSUPPORTED)
        fail_msg("%s\n%s", bailey_error_message(), s.code);
    if (status != BAILEY_OK && getenv("BAILEY_TEST_SHOW")) fprintf(stderr, "%s\n", bailey_error_message());
    for (uint64_t path = 1; path <= 4 && status == BAILEY_OK && !s.d.forward; path++)
        compare_forward(&s, seed + path, 1e-7);
    if (status == BAILEY_OK && !s.d.forward && !small) counts->both += compare_modes(&s, seed, &has_loops);
    counts->looping += has_loops;
    counts->forward += status == BAILEY_OK && s.d.forward;
    counts->taken += status == BAILEY_OK;
    release(&s);
    free((char *)s.code);
}

TEST(derivative_random, HOST | LONG)
{
    const uint64_t count = number_of("BAILEY_TEST_RANDOM", getenv("BAILEY_TEST_QUICK") ? 114 : 1140),
                   first = number_of("BAILEY_TEST_SEED", 1);
    struct random_counts all = {0};
    may_be_singular = 1;
    for (uint64_t seed = first; seed < first + count; seed++) compare_random(seed, seed % LARGE != 0, &all);
    printf("%llu of %llu random payoffs differentiated, %llu in both modes, %llu of these with loops, %llu "
           "in forward "
           "mode alone; %d derivatives not finite\n",
           (unsigned long long)all.taken, (unsigned long long)count, (unsigned long long)all.both,
           (unsigned long long)all.looping, (unsigned long long)all.forward, singular);
    assert_true((uint64_t)singular * 50 < count * 4 * 6);
    assert_true(all.both * 5 * LARGE >= count && all.looping * 20 * LARGE >= count);
    assert_true(all.taken * 5 >= count);
}

/* Programs that found mistakes: 1014116 turns a comparison of a root of 0, which changes nothing. 3000025
 * needs more memory than a derivative may have. 8011100 and 9003988 have the root of a number that is 0 on
 * all paths and does not change, which forward mode divided by. */
TEST(derivative_found, HOST)
{
    static const uint64_t seeds[] = {1014116, 3000025, 8011100, 9003988};
    struct random_counts all = {0};
    may_be_singular = 1;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) compare_random(seeds[i], 0, &all);
    assert_int_equal(all.taken, 3);
}
