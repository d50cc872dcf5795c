/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey_simulation_gradient: a simulation of the same paths, of the code that the derivatives of a payoff
 * are (host/derive/derivative.h). It is made when it is first asked for, and again for other questions.
 */
#include "simulation_internal.h"

#include <bailey/gradient.h>
#include <base/alloc.h>
#include <host/derive/derivative.h>
#include <host/describe/records.h>
#include <host/payoff/descriptions.h>
#include <host/payoff/interpret.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_OUTPUTS 1024u

/* ---- Descriptions -------------------------------------------------------------------------------- */

#define STRUCT bailey_gradient_params
static const bailey_field gradient_params[] = {
    TEXTS(names, "[count]", "names of the parameters of the derivatives", .default_how = "all that are real"),
    UINT32(count, "number of names", .range = FROM(0, 65536)),
    FLAG(covariance, "also estimates the derivatives with respect to the path's covariance"),
    UINT32(output, "index of the output whose derivatives are estimated",
           .range = FROM(0, BAILEY_SIMULATION_MAX_OUTPUTS - 1)),
    REAL(width, "half of the interval over which a jump is spread", .range = NOT_NEGATIVE,
         .default_how = "no jumps"),
};
RECORD(gradient_params, "Which derivatives are estimated.", gradient_params);
#undef STRUCT

#define STRUCT bailey_derivative
static const bailey_field derivative[] = {
    TEXT(name, "parameter, or covariance"),
    UINT32(first, "element of the parameter, or row of the covariance"),
    UINT32(second, "column of the covariance"),
    NESTED(estimate, estimate, "estimate of the derivative"),
};
RESULT(derivative, "A derivative of the price.", derivative);
#undef STRUCT

/* ---- The question ------------------------------------------------------------------------------- */

struct bly_gradient {
    uint8_t *asked; /* [numbers] of params */
    uint32_t numbers, outputs, covariance, output, jumps;
    int has_widths;
    struct bly_derivative_names names;
    bailey_simulation *of; /* the derivatives */
};

static void free_gradient(struct bly_gradient *g)
{
    if (!g) return;
    bailey_simulation_destroy(g->of);
    bly_free(g->asked);
    bly_free(g);
}

static int is_real(const struct bly_field *field) { return field->type == BLY_FIELD_REAL; }

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
        if (!is_real(field))
            return bly_fail_argument("names", "%s is an integer; only real parameters have derivatives",
                                     name);
        memset(asked + number, 1, field->count);
        return BAILEY_OK;
    }
    return bly_fail_argument("names", "%s is not a parameter of %s; name an array without an index", name,
                             s->payoff.name);
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
            asked[number++] = is_real(&s->payoff.params[k]) != 0;
    return BAILEY_OK;
}

static uint32_t numbers_of(const bailey_simulation *s)
{
    return bly_fields_numbers(s->payoff.params, s->payoff.param_count);
}

uint64_t bailey_simulation_gradient_count(const bailey_simulation *s, const bailey_gradient_params *p)
{
    if (!s || !p) return 0;
    const uint32_t numbers = numbers_of(s);
    uint8_t *asked = bly_alloc(numbers + 1u, 1);
    uint64_t count = p->covariance ? (uint64_t)s->dims * (s->dims + 1) / 2 : 0;
    if (!asked) return 0;
    const bailey_status status = ask(s, p, asked);
    for (uint32_t k = 0; k < numbers; k++) count += asked[k];
    bly_free(asked);
    return status == BAILEY_OK ? count : 0;
}

/* ---- The code ------------------------------------------------------------------------------------ */

static bailey_status make_simulation(const bailey_simulation *s, struct bly_gradient *g, const char *code)
{
    char name[300];
    snprintf(name, sizeof name, "derivatives of %.255s", s->payoff.name);
    const bailey_simulation_params params = {
        .path = s->path.params, .payoff = {.code = code, .name = name, .loop_budget = s->payoff.loop_budget}};
    return bly_simulation_create_derivative(s->context, &params, MOST_OUTPUTS, &g->of);
}

static bailey_status write_code(const bailey_simulation *s, struct bly_unit *unit, struct bly_gradient *g)
{
    uint8_t chosen[BAILEY_SIMULATION_MAX_OUTPUTS] = {0};
    struct bly_derivative d = {.unit = unit,
                               .asked = g->asked,
                               .cross = g->covariance != 0,
                               .has_origin = s->walk != BLY_WALK_INCREMENTS,
                               .chosen = chosen,
                               .has_widths = g->has_widths != 0,
                               .counts_time = s->counts_time != 0};
    struct bly_text text = {0}, lanes = {0};
    chosen[g->output] = 1;
    bailey_status status = bly_derivative_find(&d);
    g->outputs = status == BAILEY_OK ? bly_derivative_outputs(&d) : 0;
    g->jumps = d.jump_count;
    if (status == BAILEY_OK && g->outputs > MOST_OUTPUTS)
        status = bly_fail_argument("names", "the outputs and derivatives are %u, at most %u are possible",
                                   g->outputs, MOST_OUTPUTS);
    if (status == BAILEY_OK) bly_derivative_write(&d, &text, &g->names);
    if (status == BAILEY_OK && text.failed)
        status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory while differentiating a payoff");
    if (status == BAILEY_OK) status = make_simulation(s, g, text.data);
    if (status == BAILEY_OK) bly_derivative_lanes(&d, &lanes);
    if (status == BAILEY_OK && !lanes.failed) {
        g->of->lanes = lanes.data;
        lanes.data = NULL;
    }
    bly_derivative_free(&d);
    bly_free(text.data);
    bly_free(lanes.data);
    return status;
}

static bailey_status make(const bailey_simulation *s, struct bly_gradient *g)
{
    struct bly_unit unit = {.kind = s->motion_depth ? BLY_UNIT_MOTION : BLY_UNIT_PAYOFF,
                            .precision = s->precision,
                            .dims = s->dims,
                            .steps = s->steps,
                            .levels = s->motion_depth,
                            .code = s->code,
                            .length = strlen(s->code),
                            .argument = "payoff",
                            .loop_budget = s->payoff.loop_budget};
    bly_unit_name(&unit, s->payoff.name);
    bailey_status status = bly_unit_read(&unit);
    if (status == BAILEY_OK) status = write_code(s, &unit, g);
    bly_unit_free(&unit);
    return status;
}

/* Whether the last gradient answers this question too. */
static int is_same(const struct bly_gradient *a, const struct bly_gradient *b)
{
    return a && a->covariance == b->covariance && a->output == b->output && a->has_widths == b->has_widths &&
           memcmp(a->asked, b->asked, a->numbers) == 0;
}

static bailey_status find(bailey_simulation *s, const bailey_gradient_params *p)
{
    struct bly_gradient *g = bly_alloc(1, sizeof *g);
    if (!g) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a gradient");
    g->numbers = numbers_of(s);
    g->covariance = p->covariance;
    g->output = p->output;
    g->has_widths = p->width > 0;
    g->asked = bly_alloc(g->numbers + 1u, 1);
    bailey_status status =
        g->asked ? ask(s, p, g->asked) : bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a gradient");
    if (status == BAILEY_OK && is_same(s->gradient, g)) {
        free_gradient(g);
        return BAILEY_OK;
    }
    if (status == BAILEY_OK) status = make(s, g);
    if (status != BAILEY_OK) {
        free_gradient(g);
        return status;
    }
    free_gradient(s->gradient);
    s->gradient = g;
    s->gradient_free = free_gradient;
    return BAILEY_OK;
}

/* ---- Its parameters ------------------------------------------------------------------------------ */

static void write_member(bailey_simulation *d, const char *name, const double *values, uint32_t stride)
{
    const struct bly_field *field = *name ? bly_parameter_find(&d->payoff, name, strlen(name)) : NULL;
    for (uint32_t i = 0; field && i < field->count; i++)
        bly_parameter_write(d->precision, field, i, values ? values[i * stride] : 0, d->values);
}

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
        write_member(g->of, g->names.factor, s->factor, 1);
        write_member(g->of, g->names.inverse, inverse, 1);
        write_member(g->of, g->names.origin, s->path.start, 1);
    }
    bly_free(inverse);
    return status;
}

static bailey_status write_parameters(const bailey_simulation *s, const struct bly_gradient *g, double width)
{
    bailey_simulation *d = g->of;
    for (uint32_t k = 0; k < s->payoff.param_count; k++) {
        const struct bly_field *from = &s->payoff.params[k], *to = &d->payoff.params[k];
        for (uint32_t i = 0; i < from->count; i++)
            bly_parameter_write(s->precision, to, i, bly_parameter_read(s->precision, from, i, s->values),
                                d->values);
    }
    memset(d->given, 1, d->payoff.param_count);
    write_member(d, g->names.width, &width, 0);
    d->changed = 1;
    return g->covariance ? write_covariance(s, g) : BAILEY_OK;
}

/* ---- The run ------------------------------------------------------------------------------------- */

static bailey_status check_question(const bailey_simulation *s, const bailey_gradient_params *p)
{
    const bailey_status status = bailey_record_check(&bly_record_gradient_params, p);
    if (status != BAILEY_OK) return status;
    if (p->output >= s->payoff.outputs)
        return bly_fail_argument("output", "output is %u, but the payoff has %u", p->output,
                                 s->payoff.outputs);
    if (p->covariance && s->fixed_end)
        return bly_fail_argument("covariance",
                                 "covariance is set, but a path with a fixed end has no such derivatives");
    return p->count && !p->names ? bly_fail_argument("names", "names is NULL") : BAILEY_OK;
}

static bailey_status check(const bailey_simulation *s, const bailey_simulation_run_params *run,
                           const bailey_gradient_params *p)
{
    const char *const wrong = run->scenarios.count  ? "scenarios"
                              : run->samples        ? "samples"
                              : run->histogram.bins ? "histogram"
                              : run->covariance     ? "covariance"
                                                    : NULL;
    if (wrong) return bly_fail_argument(wrong, "%s is set, which a gradient does not support", wrong);
    bailey_status status = check_question(s, p);
    if (status == BAILEY_OK) status = bly_parameters_missing(&s->payoff, s->given, NULL);
    return status == BAILEY_OK ? bly_parameters_check(&s->payoff, s->precision, s->values) : status;
}
static void name_derivatives(const bailey_simulation *s, const struct bly_gradient *g,
                             const bailey_estimate *all, bailey_derivative *gradient)
{
    uint32_t number = 0, at = 0;
    for (uint32_t k = 0; k < s->payoff.param_count; k++)
        for (uint32_t i = 0; i < s->payoff.params[k].count; i++)
            if (g->asked[number++])
                gradient[at++] = (bailey_derivative){.name = s->payoff.params[k].name, .first = i};
    for (uint32_t i = 0; i < s->dims && g->covariance; i++)
        for (uint32_t j = 0; j <= i; j++)
            gradient[at++] = (bailey_derivative){.name = "covariance", .first = i, .second = j};
    for (uint32_t k = 0; k < at; k++) gradient[k].estimate = all[s->payoff.outputs + k];
}

static bailey_status run_gradient(const bailey_simulation *s, const bailey_simulation_run_params *run,
                                  bailey_estimate *estimates, bailey_derivative *gradient)
{
    const struct bly_gradient *g = s->gradient;
    bailey_simulation_run_params own = *run;
    bailey_estimate *all = bly_alloc(g->outputs, sizeof *all);
    double *expected = bly_alloc(g->outputs, sizeof *expected);
    bailey_status status =
        all && expected ? BAILEY_OK : bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a gradient");
    for (uint32_t k = 0; k < g->outputs && status == BAILEY_OK; k++)
        expected[k] = run->expected && k < s->payoff.outputs ? run->expected[k] : NAN;
    if (run->expected) own.expected = expected;
    if (status == BAILEY_OK) status = bly_simulation_run(g->of, &own, all);
    if (status == BAILEY_OK) {
        if (estimates) memcpy(estimates, all, s->payoff.outputs * sizeof *all);
        name_derivatives(s, g, all, gradient);
    }
    bly_free(all);
    bly_free(expected);
    return status;
}

static bailey_status make_gradient(bailey_simulation *s, const bailey_simulation_run_params *run,
                                   const bailey_gradient_params *p, bailey_estimate *estimates,
                                   bailey_derivative *gradient)
{
    bailey_status status = check(s, run, p);
    if (status == BAILEY_OK) status = find(s, p);
    if (status == BAILEY_OK) status = write_parameters(s, s->gradient, p->width);
    return status == BAILEY_OK ? run_gradient(s, run, estimates, gradient) : status;
}

bailey_status bailey_simulation_gradient_code(bailey_simulation *s, const bailey_gradient_params *params,
                                              const char **code)
{
    if (!s) return bly_fail_argument("simulation", "simulation is NULL");
    BLY_ENTER(s->context);
    if (BLY_REFUSES(params)) return bly_finish(s->context, BAILEY_ERROR_INVALID);
    if (!code) return bly_finish(s->context, bly_fail_argument("code", "code is NULL"));
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    bailey_status status = check_question(s, params);
    if (status == BAILEY_OK) status = find(s, params);
    if (status == BAILEY_OK) *code = s->gradient->of->code;
    fesetenv(&callers);
    return bly_finish(s->context, status);
}

bailey_status bailey_simulation_gradient(bailey_simulation *s, const bailey_simulation_run_params *run,
                                         const bailey_gradient_params *params, bailey_estimate *estimates,
                                         bailey_derivative *gradient)
{
    if (!s) return bly_fail_argument("simulation", "simulation is NULL");
    BLY_ENTER(s->context);
    if (BLY_REFUSES(run)) return bly_finish(s->context, BAILEY_ERROR_INVALID);
    if (BLY_REFUSES(params)) return bly_finish(s->context, BAILEY_ERROR_INVALID);
    if (!gradient) return bly_finish(s->context, bly_fail_argument("gradient", "gradient is NULL"));
    const bailey_simulation_run_params sized = bly_simulation_sized(run);
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status = make_gradient(s, &sized, params, estimates, gradient);
    fesetenv(&callers);
    return bly_finish(s->context, status);
}
