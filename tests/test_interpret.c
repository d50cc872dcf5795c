/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The interpreter of payoff code: what the language defines, in numbers that are written down here; and the
 * built-in level functions, against the same code compiled as C.
 */
#include <host/payoff/interpret.h>

#include "mlmc_texts.h"

#include <bailey/mlmc.h>
#include <host/mlmc/driver.h>

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "test.h"

/* ---- Running code -------------------------------------------------------------------------------- */

struct run {
    struct bly_unit unit;
    struct bly_interpreter *interpreter;
};

static void begin(struct run *r, enum bly_unit_kind kind, bailey_precision precision, const char *code,
                  uint64_t loop_budget)
{
    r->unit = (struct bly_unit){.kind = kind,
                                .precision = precision,
                                .dims = kind == BLY_UNIT_LEVELS ? 1 : 2,
                                .steps = 3,
                                .levels = kind == BLY_UNIT_MOTION ? 4 : 0,
                                .code = code,
                                .length = strlen(code),
                                .argument = kind == BLY_UNIT_LEVELS ? "estimator" : "payoff",
                                .loop_budget = loop_budget};
    bly_unit_name(&r->unit, NULL);
    if (bly_unit_read(&r->unit) != BAILEY_OK) fail_msg("%s", bailey_error_message());
    if (bly_interpreter_create(&r->unit, &r->interpreter) != BAILEY_OK)
        fail_msg("%s", bailey_error_message());
    bly_interpreter_begin(r->interpreter);
}

static void end(struct run *r)
{
    if (bly_interpreter_status(r->interpreter) != BAILEY_OK) fail_msg("%s", bailey_error_message());
    bly_interpreter_destroy(r->interpreter);
    bly_unit_free(&r->unit);
}

/* x and times of a path of 3 steps. */
static const double points[3][2] = {{0.5, -1}, {1.5, -2}, {2.5, -4}};

static double at(void *user, uint64_t step, uint32_t dimension)
{
    (void)user;
    return step < 3 ? points[step][dimension] : (double)step + dimension;
}

static double time_of(void *user, uint64_t step)
{
    (void)user;
    return 0.25 * (double)(step + 1);
}

/* All of a payoff on that path. */
static void pay(struct run *r, double *out)
{
    const struct bly_path_reader path = {NULL, at, time_of};
    struct bly_given given = {.path = &path, .out = out};
    bly_interpreter_call(r->interpreter, r->unit.start, &given);
    for (int i = 0; i < 3 && r->unit.step; i++) {
        given.number = i;
        given.t = time_of(NULL, (uint64_t)i);
        given.x = points[i];
        bly_interpreter_call(r->interpreter, r->unit.step, &given);
    }
    bly_interpreter_call(r->interpreter, r->unit.finish, &given);
    bly_interpreter_call(r->interpreter, r->unit.whole, &given);
}

#define HEAD                                                                                                 \
    "typedef struct { real a; int n; uint32 u; int64 l; uint64 w; real v[3]; } params;\n"                    \
    "typedef struct { real r; int c[3]; } state;\n"                                                          \
    "typedef struct { real a; int n[2]; } pair_of;\n"                                                        \
    "static const real table[4] = {1, 0.5, 0.25};\n"                                                         \
    "enum { FIRST = 3, SECOND };\n"                                                                          \
    "real twice(real v) { return 2 * v; }\n"                                                                 \
    "void fill(real v[3], real with) { for (int i = 0; i < 3; i++) v[i] = with + i; }\n"                     \
    "void change(pair_of *o, int by) { o->a += by; o->n[1] = by; }\n"                                        \
    "pair_of made(real a, int n) { pair_of o = {a, {n}}; return o; }\n"                                      \
    "int first_above(const real v[3], real limit)\n"                                                         \
    "{ for (int i = 0; i < 3; i++) if (v[i] > limit) return i; return -1; }\n"                               \
    "void start(state *s, const params *p) { s->r = 0; for (int i = 0; i < 3; i++) s->c[i] = i; }\n"         \
    "void step(state *s, const params *p, int i, real t, const real x[])\n"                                  \
    "{ s->r += x[0] * t; s->c[i] += i - (int)x[1]; }\n"

/* params.n is 7, u 4294967295, l -5, w 2^63, a 0.1, v 1, 2, 3. */
static void set_parameters(struct bly_interpreter *m)
{
    static const double values[] = {0.1, 7, 4294967295., -5, 0x1p63, 1, 2, 3};
    assert_int_equal(bly_interpreter_parameters(m), 8);
    for (uint32_t i = 0; i < 8; i++) bly_interpreter_set(m, i, values[i]);
}

static double value_of(bailey_precision precision, const char *body)
{
    char code[8192];
    double out[1] = {NAN};
    struct run r;
    snprintf(code, sizeof code, HEAD "void finish(const state *s, const params *p, real out[])\n{\n%s\n}\n",
             body);
    begin(&r, BLY_UNIT_PAYOFF, precision, code, 0);
    set_parameters(r.interpreter);
    pay(&r, out);
    end(&r);
    return out[0];
}

/* ---- Definitions of the language ----------------------------------------------------------------- */

static const struct known {
    const char *body;
    double f64, f32;
} known[] = {
    /* Integers wrap around. */
    {"out[0] = p->n * 1000000000;", -1589934592., -1589934592.},
    {"int i = 2147483647; i++; out[0] = i;", -2147483648., -2147483648.},
    {"int64 k = ((int64)1 << 62) - 1 + ((int64)1 << 62); k += 1; out[0] = k < 0;", 1, 1},
    {"out[0] = p->u + 2;", 1, 1},
    {"out[0] = -p->u;", 1, 1},
    {"out[0] = p->w * 2;", 0, 0},
    {"out[0] = ~p->n;", -8, -8},
    /* Signed with unsigned, as C has it. */
    {"out[0] = -1 < p->u;", 0, 0},
    {"out[0] = p->l < p->u;", 1, 1},
    {"out[0] = p->l + p->u > 0;", 1, 1},
    {"out[0] = p->l > p->w;", 1, 1},
    /* Quotients towards 0, the least number by -1. */
    {"out[0] = p->l / 2 * 10 + p->l % 2;", -21, -21},
    {"int i = -2147483647 - 1; int j = p->n - 8; out[0] = i / j;", -2147483648., -2147483648.},
    {"int i = -2147483647 - 1; int j = p->n - 8; out[0] = i % j + 1;", 1, 1},
    /* Counts modulo the width. */
    {"out[0] = 1 << (p->n + 32);", 128, 128},
    {"out[0] = p->n << -31;", 14, 14},
    {"out[0] = (int64)1 << (p->n + 26);", 8589934592., 8589934592.},
    {"out[0] = -16 >> 2;", -4, -4},
    {"out[0] = p->u >> 31;", 1, 1},
    {"out[0] = p->l >> 65;", -3, -3},
    /* Conversions: towards 0, the nearest there is, 0 of what is not a number. */
    {"out[0] = (int)-1.9 + (int)1.9;", 0, 0},
    {"out[0] = (int)(p->a * 1e20);", 2147483647., 2147483648.},
    {"real r = p->n - 6; for (int i = 0; i < 31; i++) r *= 2; out[0] = (int)r;", 2147483647., 2147483648.},
    {"real r = p->n - 6; for (int i = 0; i < 32; i++) r *= 2; out[0] = (uint32)r;", 4294967295., 4294967296.},
    {"out[0] = (uint32)(-p->a * 1e20);", 0, 0},
    {"out[0] = (uint64)(p->a * 1e30) == ~(uint64)0;", 1, 1},
    {"out[0] = (int64)(-p->a * 1e30) == (int64)1 << 63;", 1, 1},
    {"real z = p->a - p->a; out[0] = (int)(z / z) + 5;", 5, 5},
    {"out[0] = (uint32)p->l;", 4294967291., 4294967296.},
    {"out[0] = (int)p->w;", 0, 0},
    {"out[0] = (uint64)p->l >> 32;", 4294967295., 4294967296.},
    {"out[0] = p->w;", 0x1p63, 0x1p63},
    {"out[0] = 16777217;", 16777217, 16777216},
    /* Reals have the precision after each operation. */
    {"out[0] = p->a;", 0.1, 0.1f},
    {"out[0] = p->a * 3;", 0.1 * 3, 0.1f * 3},
    {"out[0] = (1 + p->a) - 1;", (1 + 0.1) - 1, (1 + 0.1f) - 1},
    {"out[0] = 1 / 3.0 + 1 / 3;", 1 / 3., 1 / 3.f},
    {"out[0] = fma(p->a, p->a, -p->a * p->a) == 0;", 0, 0},
    {"out[0] = sqrt(2);", 1.4142135623730951, 1.41421354f},
    {"out[0] = floor(-0.5) + ceil(0.5) + fabs(-3) + fmin(1, 2) + fmax(1, 2);", 6, 6},
    {"out[0] = exp(0) + log(1) + pow(2, 10) + normal_cdf(0);", 1025.5, 1025.5},
    {"out[0] = uniform(0) + (uniform(50) < 1) + normal_icdf(0.5) + poisson_icdf(0.5, 3.5);", 4.5, 4.5},
    {"out[0] = floor(gamma_icdf(0.5, 1000)) + gamma_density(0, 1) + ceil(gamma_icdf_by_shape(0.4, 2));", 1001,
     1001},
    {"out[0] = -(p->a - p->a); out[0] = 1 / out[0] < 0;", 1, 1},
    /* Choices. */
    {"out[0] = p->n > 3 && p->l < 0 || p->n / 0.0 > 1;", 1, 1},
    {"out[0] = !p->n + !!p->a;", 1, 1},
    {"out[0] = p->a ? p->n ? 2 : 3 : 4;", 2, 2},
    {"out[0] = 1; switch (p->n) { case 6: out[0] = 5; case 7: out[0] += 1; case 8: out[0] *= 10; break; "
     "default: out[0] = 0; }",
     20, 20},
    {"out[0] = 1; switch (p->n) { case 1: out[0] = 5; break; default: out[0] += 2; case 2: out[0] *= 4; }",
     12, 12},
    {"out[0] = 1; switch (p->l) { case SECOND: out[0] = 5; }", 1, 1},
    /* Loops. */
    {"int k = 0; for (int i = 0; i < 10; i++) { if (i == 3) continue; if (i == 6) break; k = 10 * k + i; } "
     "out[0] = k;",
     1245, 1245},
    {"int k = 0, i = 5; while (i > 0) { i -= 2; k += i; } out[0] = k;", 3, 3},
    {"int k = 0; do { k++; if (k == 2) continue; } while (k < 4); out[0] = k;", 4, 4},
    {"int k = 0; for (int i = 0, j = 5; i < j; i++, j--) k += j - i; out[0] = k;", 9, 9},
    {"for (int i = 0; ; i++) if (i * i > 50) { out[0] = i; return; }", 8, 8},
    /* Assignments: the target is found once. */
    {"int k[3] = {5, 6, 7}; int i = 0; k[i] += 10; i++; k[i] <<= 2; k[2]--; out[0] = k[0] * 10000 + k[1] * "
     "100 + k[2];",
     152406, 152406},
    {"int i = 7; i *= 1.5; out[0] = i;", 10, 10},
    {"uint32 i = 3; i -= 4; out[0] = i > 0;", 1, 1},
    {"real r = 1; r /= 4; r -= 1; out[0] = r;", -0.75, -0.75},
    /* Arrays, records and functions. */
    {"real h[2][3] = {{1, 2}, {4}}; h[1][2] = 9; out[0] = h[0][0] + 10 * h[0][1] + 100 * h[0][2] + 1000 * "
     "h[1][0] + "
     "h[1][2];",
     4030, 4030},
    {"real v[3]; fill(v, 0.5); out[0] = v[2] + first_above(v, 1);", 3.5, 3.5},
    {"pair_of o = made(2, 3), q; q = o; change(&q, 4); out[0] = o.a + o.n[0] * 10 + q.a * 100 + q.n[1] * "
     "1000;",
     4632, 4632},
    {"pair_of o[2] = {{1, {2, 3}}}; change(&o[1], 5); o[0] = o[1]; out[0] = o[0].a + o[0].n[1] + o[0].n[0];",
     10, 10},
    {"out[0] = made(twice(3), 4).a + made(1, 5).a;", 7, 7},
    {"out[0] = table[1] + table[3] + p->v[2] + FIRST + SECOND;", 10.5, 10.5},
    {"const int i = 2; { const int i = 5; out[0] = i; } out[0] += i;", 7, 7},
    /* The path. */
    {"out[0] = s->r;", 0.5 * 0.25 + 1.5 * 0.5 + 2.5 * 0.75, 0.5 * 0.25 + 1.5 * 0.5 + 2.5 * 0.75},
    {"out[0] = s->c[0] * 100 + s->c[1] * 10 + s->c[2];", 148, 148},
    {"out[0] = DIMS * 10 + STEPS;", 23, 23},
};

TEST(known_answers, HOST)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (int f64 = 0; f64 < 2; f64++) {
            const double expected = f64 ? known[i].f64 : known[i].f32;
            const double value = value_of(f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32, known[i].body);
            if (memcmp(&value, &expected, sizeof value))
                fail_msg("%s: %.17g in %s, not %.17g", known[i].body, value, f64 ? "f64" : "f32", expected);
        }
}

/* ---- The whole path, and motions ----------------------------------------------------------------- */

TEST(whole_paths, HOST)
{
    static const char code[] =
        "void whole(const params *p, path x, real out[2])\n"
        "{ out[0] = 0; for (int i = 0; i < STEPS; i++) out[0] += at(x, i, 1) * (i + 1);\n"
        "  out[1] = time(x, STEPS - 1); }\n";
    double out[2];
    struct run r;
    begin(&r, BLY_UNIT_PAYOFF, BAILEY_PRECISION_F64, code, 0);
    pay(&r, out);
    assert_true(out[0] == -17 && out[1] == 0.75);
    end(&r);
}

TEST(motions, HOST)
{
    static const char code[] =
        "void whole(const params *p, path x, real out[])\n"
        "{ uint64 tick = 1; out[0] = 0;\n"
        "  while (tick <= (uint64)1 << LEVELS) { out[0] += at(x, tick, 0) + time(x, tick); tick *= 2; } }\n";
    double out[1], expected = 0;
    struct run r;
    begin(&r, BLY_UNIT_MOTION, BAILEY_PRECISION_F64, code, 0);
    pay(&r, out);
    for (uint64_t tick = 1; tick <= 16; tick *= 2) expected += at(NULL, tick, 0) + time_of(NULL, tick);
    assert_true(out[0] == expected);
    end(&r);
}

/* ---- What fails ---------------------------------------------------------------------------------- */

static const struct failing {
    const char *body;
    enum bly_fault_kind kind;
    int64_t value;
    double out; /* as what failed is defined */
} failing[] = {
    {"int i = p->n; real h[3] = {4, 5, 6}; out[0] = h[i];", BLY_FAULT_INDEX, 7, 4},
    {"int i = p->l; real h[3] = {4, 5, 6}; h[i] = 9; out[0] = h[0];", BLY_FAULT_INDEX, -5, 9},
    {"uint32 i = p->u; out[0] = table[i];", BLY_FAULT_INDEX, 4294967295, 1},
    {"out[0] = 5 + p->n / (p->n - 7);", BLY_FAULT_DIVIDE, 0, 5},
    {"out[0] = 5 + p->w % (p->w << 1);", BLY_FAULT_DIVIDE, 0, 5},
    {"int i = p->n; i /= i - 7; out[0] = i;", BLY_FAULT_DIVIDE, 0, 0},
    {"int i = 0; while (i < p->n) i = (i + 1) % 3; out[0] = i;", BLY_FAULT_LOOP, 0, 1000 % 3},
    {"int i = 0; do { i = (i + 1) % 3; } while (i < p->n); out[0] = i;", BLY_FAULT_LOOP, 0, 1000 % 3},
    /* The first that fails, from left to right; && and ?: leave the rest out. */
    {"int i = p->n; real h[3] = {4, 5, 6}; out[0] = h[i + 1] + h[i] + i / (i - 7);", BLY_FAULT_INDEX, 8, 8},
    {"int i = p->n; real h[3] = {4, 5, 6}; h[i] = 7 / (i - 7); out[0] = h[0];", BLY_FAULT_DIVIDE, 0, 0},
    {"int i = p->n; out[0] = i < 7 && 1 / (i - 7) > 0 ? 1 : 2;", BLY_FAULT_NONE, 0, 2},
    {"int i = p->n; real h[3] = {4, 5, 6}; out[0] = i < 3 ? h[i] : 3;", BLY_FAULT_NONE, 0, 3},
};

TEST(faults, HOST)
{
    for (size_t i = 0; i < sizeof failing / sizeof *failing; i++) {
        char code[8192];
        double out[1] = {NAN};
        struct run r;
        snprintf(code, sizeof code,
                 HEAD "void finish(const state *s, const params *p, real out[])\n{\n%s\n}\n",
                 failing[i].body);
        begin(&r, BLY_UNIT_PAYOFF, BAILEY_PRECISION_F64, code, 1000);
        set_parameters(r.interpreter);
        pay(&r, out);
        const struct bly_failure failure = bly_interpreter_failure(r.interpreter);
        const enum bly_fault_kind kind = failure.site ? r.unit.sites[failure.site - 1].kind : BLY_FAULT_NONE;
        if (kind != failing[i].kind || failure.value != failing[i].value || out[0] != failing[i].out)
            fail_msg("%s: fault %d of value %lld, and %g", failing[i].body, (int)kind,
                     (long long)failure.value, out[0]);
        bly_interpreter_begin(r.interpreter);
        assert_int_equal(bly_interpreter_failure(r.interpreter).site, 0);
        end(&r);
    }
}

TEST(fault_of_a_path, HOST)
{
    static const char *const codes[] = {"void whole(const params *p, path x, real out[]) { int i = "
                                        "(int)at(x, 2, 0) + 1; out[0] = at(x, i, 1); }",
                                        "void whole(const params *p, path x, real out[]) { int i = "
                                        "(int)at(x, 2, 0) + 1; out[0] = time(x, i); }",
                                        "void whole(const params *p, path x, real out[]) { int i = "
                                        "(int)at(x, 2, 0) + 1; out[0] = at(x, 1, i); }"};
    static const double expected[] = {-1, 0.25, 1.5};
    for (int i = 0; i < 3; i++) {
        double out[1];
        struct run r;
        begin(&r, BLY_UNIT_PAYOFF, BAILEY_PRECISION_F64, codes[i], 0);
        pay(&r, out);
        const struct bly_failure failure = bly_interpreter_failure(r.interpreter);
        assert_int_not_equal(failure.site, 0);
        assert_int_equal(r.unit.sites[failure.site - 1].kind, BLY_FAULT_TICK);
        assert_int_equal(failure.value, 3);
        assert_true(out[0] == expected[i]);
        end(&r);
    }
}

/* ---- States -------------------------------------------------------------------------------------- */

TEST(states, HOST)
{
    static const char code[] =
        "typedef struct { real a[2]; int n; } params;\n"
        "typedef struct { real r, h[2]; uint64 w; } state;\n"
        "void start(state *s, const params *p)\n"
        "{ s->r = p->a[1]; for (int i = 0; i < 2; i++) s->h[i] = i; s->w = p->n; }\n"
        "void step(state *s, const params *p, int i, real t, const real x[]) { s->h[1] = x[1]; }\n"
        "void finish(const state *s, const params *p, real out[]) { out[0] = s->h[1]; }\n";
    static const double expected[] = {0.5, 0, 1, 9};
    struct run r;
    char name[40];
    bool written;
    begin(&r, BLY_UNIT_PAYOFF, BAILEY_PRECISION_F64, code, 0);
    bly_interpreter_set(r.interpreter, 1, 0.5);
    bly_interpreter_set(r.interpreter, 2, 9);
    assert_int_equal(bly_interpreter_states(r.interpreter), 4);
    bly_interpreter_state(r.interpreter, 0, &written);
    assert_false(written);
    bly_interpreter_call(r.interpreter, r.unit.start, &(struct bly_given){0});
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(bly_interpreter_state(r.interpreter, i, &written) == expected[i]);
        assert_true(written);
    }
    bly_record_name(r.unit.state, 2, name, sizeof name);
    assert_string_equal(name, "h[1]");
    bly_record_name(r.unit.params, 2, name, sizeof name);
    assert_string_equal(name, "n");
    end(&r);
}

/* Calls and expressions in each other, deeper than a stack has space for, end with an error. */
TEST(deep_code, HOST)
{
    static char code[1 << 20];
    size_t used = (size_t)sprintf(code, "real f0(real v) { return v; }\n");
    struct run r;
    double out[1];
    for (int i = 1; i <= 100; i++) {
        used += (size_t)sprintf(code + used, "real f%d(real v) { return ", i);
        for (int k = 0; k < 60; k++) used += (size_t)sprintf(code + used, "(1 + ");
        used += (size_t)sprintf(code + used, "f%d(v)", i - 1);
        for (int k = 0; k < 60; k++) code[used++] = ')';
        used += (size_t)sprintf(code + used, "; }\n");
    }
    sprintf(code + used, "void whole(const params *p, path x, real out[]) { out[0] = f100(at(x, 0, 0)); }\n");
    begin(&r, BLY_UNIT_PAYOFF, BAILEY_PRECISION_F64, code, 0);
    pay(&r, out);
    assert_int_equal(bly_interpreter_status(r.interpreter), BAILEY_ERROR_UNSUPPORTED);
    bly_interpreter_destroy(r.interpreter);
    bly_unit_free(&r.unit);
}

/* ---- Level functions ----------------------------------------------------------------------------- */

#define STEPS 8u
#define MOST_RANDOM 2u

/* A sample's random numbers, reals of the precision. */
struct drawn {
    double dw[STEPS], z[STEPS][MOST_RANDOM], u[STEPS][MOST_RANDOM];
};

static double uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(*state >> 40) + 0.5) * 0x1p-24;
}

static struct drawn draw(uint64_t *state)
{
    struct drawn d;
    for (uint32_t i = 0; i < STEPS; i++) {
        d.dw[i] = 2 * uniform(state) - 1;
        for (uint32_t k = 0; k < MOST_RANDOM; k++)
            d.z[i][k] = 4 * uniform(state) - 2, d.u[i][k] = uniform(state);
    }
    return d;
}

/* The arrays that compiled code reads. */
static void lay_out(const struct mlmc_text *text, const struct drawn *d, int f64, void *dw, void *z, void *u)
{
    double *wide[] = {dw, z, u};
    float *narrow[] = {dw, z, u};
    for (uint32_t i = 0; i < STEPS; i++) {
        if (f64) wide[0][i] = d->dw[i];
        if (!f64) narrow[0][i] = (float)d->dw[i];
        for (uint32_t k = 0; k < text->normals; k++) {
            if (f64) wide[1][i * text->normals + k] = d->z[i][k];
            if (!f64) narrow[1][i * text->normals + k] = (float)d->z[i][k];
        }
        for (uint32_t k = 0; k < text->uniforms; k++) {
            if (f64) wide[2][i * text->uniforms + k] = d->u[i][k];
            if (!f64) narrow[2][i * text->uniforms + k] = (float)d->u[i][k];
        }
    }
}

static void noise_of(const struct mlmc_text *text, const struct drawn *d, uint32_t i, double *noise)
{
    *noise++ = d->dw[i];
    for (uint32_t k = 0; k < text->normals; k++) *noise++ = d->z[i][k];
    for (uint32_t k = 0; k < text->uniforms; k++) *noise++ = d->u[i][k];
}

static double rounded(int f64, double value) { return f64 ? value : (double)(float)value; }

static void interpret_sample(struct run *r, const struct mlmc_text *text, const struct drawn *d, int level,
                             int f64, double out[2])
{
    double first[5], second[5];
    struct bly_given given = {.number = level, .noise = {first, second}, .out = out};
    given.h = rounded(f64, 1.5 / STEPS);
    bly_interpreter_begin(r->interpreter);
    bly_interpreter_call(r->interpreter, r->unit.start, &given);
    for (uint32_t i = 0; i < STEPS; i += level ? 2 : 1) {
        given.t = rounded(f64, (double)i * given.h);
        noise_of(text, d, i, first);
        if (level) noise_of(text, d, i + 1, second);
        bly_interpreter_call(r->interpreter, level ? r->unit.pair : r->unit.step, &given);
    }
    given.t = 1.5;
    bly_interpreter_call(r->interpreter, r->unit.finish, &given);
    if (!level) out[1] = 0;
}

static void compare_samples(const char *code, const char *name, const struct mlmc_text *text, int f64)
{
    static const double usual[] = {100, 95, 0.05, 0.01, 0.2, -1},
                        barrier[] = {100, 95, 90, 0.05, 0.01, 0.2, -1}, lookback[] = {100, 0.05, 0.01, 0.2};
    const double *params = text->params == 7 ? barrier : text->params == 4 ? lookback : usual;
    uint64_t random = (unsigned char)*name;
    struct run r;
    begin(&r, BLY_UNIT_LEVELS, f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32, code, 0);
    assert_int_equal(bly_interpreter_parameters(r.interpreter), text->params);
    for (uint32_t i = 0; i < text->params; i++) bly_interpreter_set(r.interpreter, i, params[i]);
    for (int s = 0; s < 200; s++) {
        const struct drawn d = draw(&random);
        double dw[STEPS], z[STEPS * MOST_RANDOM], u[STEPS * MOST_RANDOM], expected[2], out[2];
        lay_out(text, &d, f64, dw, z, u);
        text->sample(params, s & 1, STEPS, 1.5, dw, z, u, expected);
        interpret_sample(&r, text, &d, s & 1, f64, out);
        if (memcmp(out, expected, sizeof out))
            fail_msg("%s, sample %d: %.17g and %.17g, not %.17g and %.17g", name, s, out[0], out[1],
                     expected[0], expected[1]);
    }
    end(&r);
}

TEST(level_functions, HOST)
{
    const char *name;
    int compared = 0;
    for (size_t i = 0; (name = bailey_mlmc_name(i)); i++)
        for (int f64 = 0; f64 < 2 && mlmc_text_of(name, f64); f64++, compared++)
            compare_samples(bly_mlmc_builtin_code(name), name, mlmc_text_of(name, f64), f64);
    assert_int_equal(compared, 10);
}
