/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Greeks by adjoints. A gradient takes arrays as a whole, and is by the entries of the covariance: the
 * correlation of two dimensions moves one entry and its mirror, by the root of the product of their
 * variances. Second derivatives with respect to volatilities stay differences: where a variance has a root,
 * those of paths near 0 are so large that their variance is not finite.
 */
#include "products.h"

#include <bailey/gradient.h>
#include <base/alloc.h>
#include <host/simulate/simulation_gradient.h>

#include <math.h>
#include <string.h>

#define MOST_PARAMETERS (2 * BLY_GREEKS_MOST_NAMES + 1)

struct slopes {
    bailey_simulation *s;
    const bailey_greeks_params *p;
    bailey_greek_estimate *out;
    const char *names[MOST_PARAMETERS]; /* of parameters, each once */
    bailey_gradient_params params;
    uint64_t count;
    bailey_derivative *derivative;
};

/* ---- The question -------------------------------------------------------------------------------- */

static bailey_status ask(struct slopes *w, const char *argument, const char *name)
{
    struct bly_parameter at;
    const bailey_status status = bly_simulation_parameter_named(w->s, argument, name, &at);
    if (status != BAILEY_OK) return status;
    for (uint32_t i = 0; i < w->params.count; i++)
        if (!strcmp(w->names[i], at.field->name)) return BAILEY_OK;
    w->names[w->params.count++] = at.field->name;
    return BAILEY_OK;
}

static bailey_status ask_assets(struct slopes *w)
{
    const bailey_greeks_params *p = w->p;
    bailey_status status = BAILEY_OK;
    for (uint32_t i = 0; i < p->spot_count && status == BAILEY_OK; i++) status = ask(w, "spots", p->spots[i]);
    for (uint32_t i = 0; i < p->volatility_count && status == BAILEY_OK; i++)
        status = ask(w, "volatilities", p->volatilities[i]);
    w->params.names = w->names;
    w->params.output = p->output;
    w->params.width = p->width;
    return status;
}

static bailey_status ask_all(struct slopes *w)
{
    const bailey_greeks_params *p = w->p;
    bailey_status status = ask_assets(w);
    if (status == BAILEY_OK && p->rate) status = ask(w, "rate", p->rate);
    w->params.covariance = p->correlation;
    w->params.time = p->theta;
    return status;
}

/* ---- The answer ---------------------------------------------------------------------------------- */

/* `factor` times a derivative. */
static void put(const struct slopes *w, bailey_greek_kind kind, uint64_t number, uint32_t first,
                uint32_t second, const bailey_derivative *d, double factor)
{
    w->out[bly_greek_place(w->s, w->p, kind, number)] =
        (bailey_greek_estimate){.kind = kind,
                                .first = first,
                                .second = second,
                                .mean = d->estimate.mean * factor,
                                .standard_error = d->estimate.standard_error * factor,
                                .method = BAILEY_GREEK_METHOD_GRADIENT};
}

/* The derivatives that are not by parameters stand at the end: the covariance's lower triangle, row by row,
 * and that by time. */
static uint64_t others_of(const struct slopes *w)
{
    const uint64_t n = w->s->assets;
    return (w->p->correlation ? n * (n + 1) / 2 : 0) + (w->p->theta != 0);
}

/* The derivative by the parameter called `name`, of `count` by parameters. */
static const bailey_derivative *find_among(const struct slopes *w, const bailey_derivative *d, uint64_t count,
                                           const char *argument, const char *name)
{
    struct bly_parameter at;
    if (bly_simulation_parameter_named(w->s, argument, name, &at) != BAILEY_OK) return NULL;
    for (uint64_t k = 0; k < count; k++)
        if (!strcmp(d[k].name, at.field->name) && d[k].first == at.element) return &d[k];
    return NULL;
}

static const bailey_derivative *find_slope(const struct slopes *w, const char *argument, const char *name)
{
    return find_among(w, w->derivative, w->count - others_of(w), argument, name);
}

static double variance_of(const bailey_simulation *s, uint32_t i)
{
    double sum = 0;
    for (uint32_t k = 0; k <= i; k++) sum = fma(s->factor[i * s->dims + k], s->factor[i * s->dims + k], sum);
    return sum;
}

static void put_correlations(const struct slopes *w)
{
    const uint32_t n = w->s->assets;
    const bailey_derivative *d = w->derivative + w->count - others_of(w);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j <= i; j++, d++)
            if (j < i)
                put(w, BAILEY_GREEK_KIND_CORRELATION, bly_greek_pairs(i) + j, j, i, d,
                    sqrt(variance_of(w->s, i) * variance_of(w->s, j)));
}

static void put_all(const struct slopes *w)
{
    const bailey_greeks_params *p = w->p;
    for (uint32_t i = 0; i < p->spot_count; i++)
        put(w, BAILEY_GREEK_KIND_DELTA, i, i, 0, find_slope(w, "spots", p->spots[i]), 1);
    for (uint32_t i = 0; i < p->volatility_count; i++)
        put(w, BAILEY_GREEK_KIND_VEGA, i, i, 0, find_slope(w, "volatilities", p->volatilities[i]), 1);
    if (p->rate) put(w, BAILEY_GREEK_KIND_RHO, 0, 0, 0, find_slope(w, "rate", p->rate), 1);
    if (p->theta) put(w, BAILEY_GREEK_KIND_THETA, 0, 0, 0, &w->derivative[w->count - 1], 1);
    if (p->correlation) put_correlations(w);
}

bailey_status bly_greeks_gradient(bailey_simulation *s, const bailey_simulation_run_params *run,
                                  const bailey_greeks_params *p, bailey_greek_estimate *greeks)
{
    struct slopes w = {.s = s, .p = p, .out = greeks};
    bailey_status status = ask_all(&w);
    if (status != BAILEY_OK || (!w.params.count && !p->correlation && !p->theta)) return status;
    w.count = bailey_simulation_gradient_count(s, &w.params);
    w.derivative = bly_alloc((size_t)w.count + 1, sizeof *w.derivative);
    bailey_estimate *estimates = bly_alloc(s->payoff.outputs, sizeof *estimates);
    if (!w.derivative || !estimates) status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for Greeks");
    if (status == BAILEY_OK) status = bailey_simulation_gradient(s, run, &w.params, estimates, w.derivative);
    if (status == BAILEY_OK) put_all(&w);
    bly_free(w.derivative);
    bly_free(estimates);
    return status;
}

/* ---- Second derivatives -------------------------------------------------------------------------- */

/* Those with respect to spot i and another parameter. */
static const bailey_derivative *find_second(const struct slopes *w, uint32_t i, const char *argument,
                                            const char *name)
{
    const uint64_t each = w->count / w->p->spot_count;
    return find_among(w, w->derivative + i * each, each, argument, name);
}

static void put_second(const struct slopes *w)
{
    const bailey_greeks_params *p = w->p;
    for (uint32_t i = 0; i < p->spot_count; i++) {
        put(w, BAILEY_GREEK_KIND_GAMMA, i, i, i, find_second(w, i, "spots", p->spots[i]), 1);
        for (uint32_t j = 0; j < i && p->cross; j++)
            put(w, BAILEY_GREEK_KIND_CROSS_GAMMA, bly_greek_pairs(i) + j, j, i,
                find_second(w, j, "spots", p->spots[i]), 1);
        if (i < p->volatility_count)
            put(w, BAILEY_GREEK_KIND_VANNA, i, i, i, find_second(w, i, "volatilities", p->volatilities[i]),
                1);
    }
}

bailey_status bly_greeks_gradient_second(bailey_simulation *s, const bailey_simulation_run_params *run,
                                         const bailey_greeks_params *p, bailey_greek_estimate *greeks)
{
    struct slopes w = {.s = s, .p = p, .out = greeks};
    bailey_status status = ask_assets(&w);
    if (status != BAILEY_OK || !p->spot_count) return status;
    const uint64_t each = bailey_simulation_gradient_count(s, &w.params);
    w.params.directions = p->spots;
    w.params.direction_count = p->spot_count;
    w.count = each * p->spot_count;
    w.derivative = bly_alloc((size_t)w.count + 1, sizeof *w.derivative);
    if (!w.derivative) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for Greeks");
    status = bly_gradient_second(s, run, &w.params, w.derivative);
    if (status == BAILEY_OK) put_second(&w);
    bly_free(w.derivative);
    return status;
}
