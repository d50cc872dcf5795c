/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey_simulation_gradient: a simulation of the same paths, of the code that the derivatives of a payoff
 * are (host/derive/derivative.h). It is made when it is first asked for, and kept with those of other
 * questions; second derivatives have one for each direction.
 */
#include "simulation_gradient.h"

#include <base/alloc.h>
#include <host/derive/derivative.h>
#include <host/describe/records.h>
#include <host/payoff/descriptions.h>
#include <host/payoff/interpret.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_KEPT 32u /* simulations of gradients, the last ones */

/* ---- Descriptions -------------------------------------------------------------------------------- */

#define STRUCT bailey_gradient_params
static const bailey_field gradient_params[] = {
    TEXTS(names, "[count]", "names of the parameters of the derivatives",
          .default_how = "all real parameters except choices"),
    UINT32(count, "number of names", .range = FROM(0, 65536)),
    FLAG(covariance, "also estimates the derivatives with respect to the path's covariance"),
    UINT32(output, "index of the output whose derivatives are estimated",
           .range = FROM(0, BAILEY_SIMULATION_MAX_OUTPUTS - 1)),
    UINT32(width_count, "number of widths", .range = FROM(0, BLY_MOST_JUMPS)),
    REAL(width, "half of the interval over which a jump is spread", .range = NOT_NEGATIVE,
         .default_how = "by pilot paths"),
    REALS(weights, "[outputs]", "weights of the outputs in the sum that is differentiated",
          .default_how = "output alone"),
    FLAG(time, "also estimates the derivative with respect to the time at which paths begin"),
    TEXTS(directions, "[direction_count]", "parameters that first derivatives are differentiated with again",
          .default_how = "no second derivatives"),
    UINT32(direction_count, "number of directions", .range = FROM(0, 1024)),
    UINT64(memory, "bytes of states that a path may keep", .range = FROM(0, 4194304),
           .default_value = 1048576),
    REALS(widths, "[width_count]", "the same for each comparison that makes the payoff jump, or for all",
          .range = NOT_NEGATIVE, .default_how = "width"),
    UINT64(width_paths, "number of paths that default widths are for", .default_how = "those of the run"),
};
RECORD(gradient_params, "Which derivatives are estimated.", gradient_params);
#undef STRUCT

#define STRUCT bailey_derivative
static const bailey_field derivative[] = {
    TEXT(name, "parameter, covariance or time"),
    UINT32(first, "element of the parameter, or row of the covariance"),
    UINT32(second, "column of the covariance"),
    NESTED(estimate, estimate, "estimate of the derivative"),
    TEXT(by, "parameter of the first derivative, of a second one", .default_how = "a first derivative"),
    UINT32(by_first, "element of that parameter"),
    FLAG(forward, "whether it was found in forward mode"),
    FLAG(independent, "whether the output does not depend on it, so that the derivative is 0"),
    REAL(largest_share, "largest share of a single path in the sum over all paths", .nan = 1),
    NESTED(by_jumps, estimate, "the part of it that came through jumps"),
};
RESULT(derivative, "A derivative of the price.", derivative);
#undef STRUCT

#define STRUCT bailey_gradient_jump
static const bailey_field gradient_jump[] = {
    UINT32(line, "line of the comparison in the payoff code"),
    UINT32(column, "its column"),
    FLAG(reruns, "whether paths were run again on its other side"),
    FLAG(counts, "whether a derivative came through it"),
    REAL(width, "half of the interval over which it was spread"),
    REAL(spread, "standard deviation of the difference of its sides on pilot paths"),
    REAL(side, "sign of that difference where it was spread, as few paths come to the other one; 0: both"),
};
RESULT(gradient_jump, "A comparison that makes the payoff jump.", gradient_jump);
#undef STRUCT

/* ---- The question ------------------------------------------------------------------------------- */

void bly_gradient_free(struct bly_gradient *g)
{
    while (g) {
        struct bly_gradient *next = g->next;
        bailey_simulation_destroy(g->of);
        bly_gradient_jumps_destroy(g->jumps);
        bly_free(g->asked);
        bly_free(g->independent);
        bly_free(g);
        g = next;
    }
}

/* Why there is no derivative by the parameter; NULL: there is one. */
static const char *refusal(const bailey_simulation *s, const struct bly_field *field)
{
    if (field->type != BLY_FIELD_REAL) return "an integer";
    if (s->around && strncmp(field->name, "bailey_", 7) == 0) return "the exercise policy's, which is fixed";
    return bly_parameter_described(&s->payoff, field)->choice_count ? "a choice" : NULL;
}

static bailey_status ask_name(const bailey_simulation *s, const char *name, uint8_t *asked)
{
    uint32_t number = 0;
    if (!name) return bly_fail_argument("names", "names holds a NULL");
    for (uint32_t k = 0; k < s->payoff.param_count; k++) {
        const struct bly_field *field = &s->payoff.params[k];
        if (strcmp(field->name, name) != 0) {
            number += field->count;
            continue;
        }
        if (refusal(s, field))
            return bly_fail_argument("names", "%s is %s; only real parameters have derivatives", name,
                                     refusal(s, field));
        memset(asked + number, 1, field->count);
        return BAILEY_OK;
    }
    return bly_fail_argument("names", "%s is not a parameter of %s; name an array without an index", name,
                             s->payoff.name);
}

/* Where a parameter has no derivative along the paths, or on so few that it may be missed: jumps of small
 * intensity. */
static bailey_status check_values(const bailey_simulation *s, const uint8_t *asked)
{
    uint32_t number = 0;
    for (uint32_t k = 0; k < s->payoff.param_count; k++) {
        const struct bly_field *field = &s->payoff.params[k];
        const bailey_interval *in = &s->payoff.description->differentiable[k];
        for (uint32_t i = 0; i < field->count; i++, number++) {
            const double value = bly_parameter_read(s->precision, field, i, s->values);
            if (!asked[number] || bly_interval_has(in, value)) continue;
            return bly_fail_argument(
                "names",
                "%s[%u] is %g, where too few paths of %s show what it changes; leave %s out of the "
                "names, or change it",
                field->name, i, value, s->payoff.name, field->name);
        }
    }
    return BAILEY_OK;
}

/* A byte for each number of the parameters. */
static bailey_status ask(const bailey_simulation *s, const bailey_gradient_params *p, uint8_t *asked)
{
    uint32_t number = 0;
    bailey_status status = BAILEY_OK;
    for (uint32_t k = 0; k < p->count && p->names && status == BAILEY_OK; k++)
        status = ask_name(s, p->names[k], asked);
    if (p->names) return status;
    for (uint32_t k = 0; k < s->payoff.param_count; k++)
        for (uint32_t i = 0; i < s->payoff.params[k].count; i++)
            asked[number++] = !refusal(s, &s->payoff.params[k]);
    return BAILEY_OK;
}

static uint32_t numbers_of(const bailey_simulation *s)
{
    return bly_fields_numbers(s->payoff.params, s->payoff.param_count);
}

static uint32_t first_number(const bailey_simulation *s, const struct bly_field *field)
{
    uint32_t number = 0;
    for (const struct bly_field *f = s->payoff.params; f != field; f++) number += f->count;
    return number;
}

/* An element, or all of them. */
static bailey_status find_direction(const bailey_simulation *s, const char *name, struct bly_directions *d)
{
    struct bly_parameter one = {0};
    const struct bly_field *field = name ? bly_parameter_find(&s->payoff, name, strlen(name)) : NULL;
    uint32_t count = field ? field->count : 1;
    if (!field) {
        const bailey_status status = bly_simulation_parameter_named(s, "directions", name, &one);
        if (status != BAILEY_OK) return status;
        field = one.field;
    }
    if (refusal(s, field))
        return bly_fail_argument("directions", "%s is %s, which has no derivative", field->name,
                                 refusal(s, field));
    if (count > BLY_GRADIENT_MOST - d->count)
        return bly_fail_argument("directions", "there are more than %u directions", BLY_GRADIENT_MOST);
    for (uint32_t i = 0; i < count; i++) d->number[d->count++] = first_number(s, field) + one.element + i;
    return BAILEY_OK;
}

bailey_status bly_gradient_directions(const bailey_simulation *s, const bailey_gradient_params *p,
                                      struct bly_directions *d)
{
    bailey_status status = BAILEY_OK;
    d->count = 0;
    if (p->direction_count && !p->directions)
        return bly_fail_argument("directions", "directions is NULL but direction_count is %u",
                                 p->direction_count);
    for (uint32_t k = 0; k < p->direction_count && status == BAILEY_OK; k++)
        status = find_direction(s, p->directions[k], d);
    return status;
}

/* Derivatives of one order. */
static uint64_t count_each(const bailey_simulation *s, const bailey_gradient_params *p, const uint8_t *asked)
{
    uint64_t count = (p->covariance ? (uint64_t)s->assets * (s->assets + 1) / 2 : 0) + (p->time != 0);
    for (uint32_t k = 0; k < numbers_of(s); k++) count += asked[k];
    return count;
}

uint64_t bailey_simulation_gradient_count(const bailey_simulation *s, const bailey_gradient_params *p)
{
    if (!s || !p) return 0;
    struct bly_directions directions;
    uint8_t *asked = bly_alloc(numbers_of(s) + 1u, 1);
    if (!asked) return 0;
    bailey_status status = ask(s, p, asked);
    if (status == BAILEY_OK) status = bly_gradient_directions(s, p, &directions);
    const uint64_t count = count_each(s, p, asked);
    bly_free(asked);
    return status == BAILEY_OK ? count * (1 + directions.count) : 0;
}

/* ---- The code ------------------------------------------------------------------------------------ */

static bailey_status make_simulation(const bailey_simulation *s, struct bly_gradient *g, const char *code)
{
    char name[300];
    snprintf(name, sizeof name, "derivatives of %.255s", s->payoff.name);
    const bailey_simulation_params params = {
        .path = s->path.params,
        .motion_depth = s->motion_depth,
        .payoff = {.code = code, .name = name, .loop_budget = s->payoff.loop_budget}};
    return bly_simulation_create_derivative(s->context, &params, BLY_GRADIENT_MOST, &g->of);
}

/* Code of derivatives that is refused is too large: the payoff is valid all the same. */
static bailey_status not_too_large(const bailey_simulation *s, bailey_status status)
{
    char text[BLY_ERROR_TEXT];
    if (status != BAILEY_ERROR_INVALID) return status;
    snprintf(text, sizeof text, "%s", bailey_error_message());
    return bly_fail(BAILEY_ERROR_UNSUPPORTED, "%s cannot be differentiated: %s", s->payoff.name, text);
}

/* What derivatives say of themselves apart from their estimates. */
static bailey_status keep_mode(struct bly_gradient *g, const struct bly_derivative *d)
{
    g->forward = d->forward;
    g->independent = bly_alloc(g->numbers + 2u, 1);
    if (!g->independent) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a gradient");
    memcpy(g->independent, d->independent, g->numbers + 2u);
    return BAILEY_OK;
}

static bailey_status write_code(const bailey_simulation *s, struct bly_unit *unit, struct bly_gradient *g)
{
    struct bly_derivative d = {.unit = unit,
                               .asked = g->asked,
                               .cross = g->covariance != 0,
                               .by_time = g->time != 0,
                               .has_origin = s->walk != BLY_WALK_INCREMENTS,
                               .chosen = g->chosen,
                               .has_weights = g->has_weights != 0,
                               .is_second = g->is_second != 0,
                               .direction = g->direction,
                               .parts = g->parts != 0,
                               .repeats = g->repeats != 0,
                               .one_sided = g->one_sided != 0,
                               .memory = g->memory,
                               .segment = bly_simulation_segment(s, g->covariance != 0),
                               .counts_time = s->counts_time != 0};
    struct bly_text text = {0}, lanes = {0};
    bailey_status status = bly_derivative_find(&d);
    g->outputs = status == BAILEY_OK ? bly_derivative_outputs(&d) : 0;
    if (status == BAILEY_OK && g->outputs > BLY_GRADIENT_MOST)
        status = bly_fail_argument("names", "the outputs and derivatives are %u, at most %u are possible",
                                   g->outputs, BLY_GRADIENT_MOST);
    if (status == BAILEY_OK) status = keep_mode(g, &d);
    if (status == BAILEY_OK)
        (d.forward ? bly_derivative_forward : bly_derivative_write)(&d, &text, &g->names);
    if (status == BAILEY_OK && text.failed)
        status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory while differentiating a payoff");
    if (status == BAILEY_OK) status = not_too_large(s, make_simulation(s, g, text.data));
    if (status == BAILEY_OK) status = not_too_large(s, bly_gradient_jumps_create(s, &d, &g->jumps));
    /* Paths side by side have their states on a thread's stack. */
    const int lanes_fit =
        status == BAILEY_OK && d.kept_bytes <= BLY_GOOD_BYTES && !(d.runs && g->jumps) && !d.forward;
    if (lanes_fit) bly_derivative_lanes(&d, &lanes, &g->names);
    if (lanes_fit && !lanes.failed) {
        g->of->lanes = lanes.data;
        g->of->segment = d.segment;
        lanes.data = NULL;
    }
    bly_derivative_free(&d);
    bly_free(text.data);
    bly_free(lanes.data);
    return status;
}

/* The payoff's code, to be differentiated. The caller frees *unit whatever is returned. */
static bailey_status read_unit(const bailey_simulation *s, struct bly_unit *unit)
{
    *unit = (struct bly_unit){.kind = s->motion_depth ? BLY_UNIT_MOTION : BLY_UNIT_PAYOFF,
                              .precision = s->precision,
                              .dims = s->assets,
                              .own = s->dims - s->assets,
                              .steps = s->steps,
                              .levels = s->motion_depth,
                              .code = s->code,
                              .length = strlen(s->code),
                              .argument = "payoff",
                              .around = s->around,
                              .loop_budget = s->payoff.loop_budget};
    bly_unit_name(unit, s->payoff.name);
    return bly_unit_read(unit);
}

static bailey_status make(const bailey_simulation *s, struct bly_gradient *g)
{
    struct bly_unit unit;
    bailey_status status = read_unit(s, &unit);
    if (status == BAILEY_OK) status = write_code(s, &unit, g);
    bly_unit_free(&unit);
    return status;
}

bailey_status bly_gradient_find_mode(const bailey_simulation *s, struct bly_gradient *g)
{
    struct bly_unit unit;
    struct bly_derivative d = {.unit = &unit,
                               .asked = g->asked,
                               .chosen = g->chosen,
                               .cross = g->covariance != 0,
                               .by_time = g->time != 0};
    bailey_status status = read_unit(s, &unit);
    if (status == BAILEY_OK) status = bly_derivative_find_mode(&d);
    if (status == BAILEY_OK) status = keep_mode(g, &d);
    bly_derivative_free(&d);
    bly_unit_free(&unit);
    return status;
}

/* Whether a gradient answers this question too. */
static int is_same(const struct bly_gradient *a, const struct bly_gradient *b)
{
    return a->covariance == b->covariance && a->time == b->time && a->has_weights == b->has_weights &&
           a->parts == b->parts && a->repeats == b->repeats && a->one_sided == b->one_sided &&
           a->memory == b->memory && a->is_second == b->is_second && a->direction == b->direction &&
           memcmp(a->chosen, b->chosen, sizeof a->chosen) == 0 && memcmp(a->asked, b->asked, a->numbers) == 0;
}

/* The one that answers it, taken out of those that were made; else NULL. */
static struct bly_gradient *take_made(bailey_simulation *s, const struct bly_gradient *question)
{
    struct bly_gradient **at = &s->gradient;
    for (uint32_t k = 1; *at && !is_same(*at, question); k++) {
        if (k == MOST_KEPT) {
            bly_gradient_free((*at)->next);
            (*at)->next = NULL;
        }
        at = &(*at)->next;
    }
    struct bly_gradient *made = *at;
    if (made) *at = made->next;
    if (made) made->next = NULL;
    return made;
}

bailey_status bly_gradient_question(const bailey_simulation *s, const bailey_gradient_params *p,
                                    struct bly_gradient_order order, struct bly_gradient **made)
{
    struct bly_gradient *g = *made = bly_alloc(1, sizeof *g);
    if (g) g->asked = bly_alloc(numbers_of(s) + 1u, 1);
    if (!g || !g->asked) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a gradient");
    g->numbers = numbers_of(s);
    g->covariance = p->covariance;
    g->time = p->time;
    g->memory = p->memory;
    g->has_weights = p->weights != NULL;
    for (uint32_t o = 0; o < s->payoff.outputs; o++)
        g->chosen[o] = p->weights ? p->weights[o] != 0 : o == p->output;
    g->is_second = order.is_second;
    g->direction = order.direction;
    g->parts = order.parts;
    g->repeats = order.repeats;
    g->one_sided = order.one_sided;
    const bailey_status status = ask(s, p, g->asked);
    g->derivatives = (uint32_t)count_each(s, p, g->asked);
    g->outputs = s->payoff.outputs + (order.is_second != 0) + g->derivatives;
    return status;
}

bailey_status bly_gradient_find(bailey_simulation *s, const bailey_gradient_params *p,
                                struct bly_gradient_order order)
{
    struct bly_gradient *g, *made = NULL;
    bailey_status status = bly_gradient_question(s, p, order, &g);
    if (status == BAILEY_OK) made = take_made(s, g);
    if (status == BAILEY_OK && !made) status = make(s, g);
    if (made || status != BAILEY_OK) bly_gradient_free(g);
    if (status != BAILEY_OK) return status;
    if (!made) made = g;
    made->next = s->gradient;
    s->gradient = made;
    s->gradient_free = bly_gradient_free;
    return BAILEY_OK;
}

/* ---- Its parameters ------------------------------------------------------------------------------ */

/* Inverts a lower triangular matrix by forward substitution. */
static bailey_status invert(const double *c, uint32_t n, double *inverse)
{
    for (uint32_t j = 0; j < n; j++) {
        if (!(c[j * n + j] > 0))
            return bly_fail_argument(
                "covariance", "the covariance is singular; only a positive definite one has derivatives");
        for (uint32_t i = j; i < n; i++) {
            double sum = i == j;
            for (uint32_t k = j; k < i; k++) sum = fma(-c[i * n + k], inverse[k * n + j], sum);
            inverse[i * n + j] = sum / c[i * n + i];
        }
    }
    return BAILEY_OK;
}

static bailey_status write_covariance(const bailey_simulation *s, const struct bly_gradient *g)
{
    const uint32_t n = s->dims;
    double *inverse = bly_alloc((size_t)n * n, sizeof *inverse);
    if (!inverse) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a gradient");
    const bailey_status status = invert(s->factor, n, inverse);
    if (status == BAILEY_OK) {
        bly_gradient_member(g->of, g->names.factor, s->factor, 1);
        bly_gradient_member(g->of, g->names.inverse, inverse, 1);
    }
    bly_free(inverse);
    return status;
}

static bailey_status write_parameters(const bailey_simulation *s, const struct bly_gradient *g,
                                      const bailey_gradient_params *p, uint64_t paths)
{
    bailey_simulation *d = g->of;
    if (g->jumps) {
        const bailey_status status =
            bly_gradient_jumps_set(s, g->jumps, p, p->width_paths ? p->width_paths : paths);
        if (status != BAILEY_OK) return status;
        bly_gradient_member(d, g->names.width, g->jumps->widths, 1);
        bly_gradient_member(d, g->names.side, g->jumps->sides, 1);
    }
    bly_gradient_parameters(s, d);
    /* Increments are divided by the length of their step, so that the first one falls with its root. */
    const double half = s->walk == BLY_WALK_INCREMENTS ? -0.5 : 0.5,
                 stretch = half / (s->first_time - s->start_time);
    bly_gradient_member(d, g->names.weight, p->weights, 1);
    bly_gradient_member(d, g->names.origin, s->path.start, 1);
    bly_gradient_member(d, g->names.stretch, &stretch, 0);
    return g->covariance ? write_covariance(s, g) : BAILEY_OK;
}

bailey_status bly_gradient_ready(bailey_simulation *s, const bailey_gradient_params *p,
                                 struct bly_gradient_order order, uint64_t paths)
{
    bailey_status status = bly_gradient_find(s, p, order);
    if (status == BAILEY_OK) status = check_values(s, s->gradient->asked);
    if (status == BAILEY_OK) status = write_parameters(s, s->gradient, p, paths);
    const struct bly_gradient_jumps *jumps = status == BAILEY_OK ? s->gradient->jumps : NULL;
    if (!jumps || ((!jumps->repeated || jumps->repeats) && (!jumps->ended || jumps->one_sided)))
        return status;
    order.repeats = jumps->repeated;
    order.one_sided = jumps->ended;
    status = bly_gradient_find(s, p, order);
    return status == BAILEY_OK ? write_parameters(s, s->gradient, p, paths) : status;
}
