/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Greeks by adjoints. A gradient takes arrays as a whole, and is by the entries of the covariance: the
 * correlation of two dimensions moves one entry and its mirror, by the root of the product of their
 * variances. Second derivatives with respect to volatilities stay differences: where a variance has a root,
 * those of paths near 0 are so large that their variance is not finite.
 *
 * Under an exercise policy all second derivatives are differences of first ones. The policy decides by prices, so
 * where a spot moves a path may end at another date, which does not change the value where the policy is the best
 * (so first derivatives leave it out), but does change the slope: most of the gamma of a put on a few dates is
 * there, and no derivative along a path of one decision sees it.
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

/* ---- Second derivatives under an exercise policy ------------------------------------------------- */

/* Rows of weighted scenarios of the simulation of first derivatives: two scenarios for each parameter. */
struct differences {
    struct slopes w;
    const struct bly_greek_bump *bump; /* [columns] spots, then volatilities */
    uint32_t columns;
    const char *names[2 * BLY_GREEKS_MOST_NAMES];
    bailey_simulation *slopes;
    uint64_t outputs, first; /* of the simulation; the first derivative among them */
    uint64_t rows;
    double *values, *weights;
    uint64_t *places; /* [rows] among the Greeks */
};

static const char *name_of(const struct differences *d, uint32_t column, const char **argument)
{
    const bailey_greeks_params *p = d->w.p;
    const int is_spot = column < p->spot_count;
    *argument = is_spot ? "spots" : "volatilities";
    return is_spot ? p->spots[column] : p->volatilities[column - p->spot_count];
}

/* Adds to the last row `part` of how the slope by parameter `of` changes with parameter `by`. */
static void add_change(struct differences *d, uint32_t of, uint32_t by, double part)
{
    const char *argument;
    const char *name = name_of(d, of, &argument);
    const bailey_derivative *slope = find_among(&d->w, d->w.derivative, d->w.count, argument, name);
    const double width = d->bump[by].high - d->bump[by].low;
    const uint64_t at = d->first + (uint64_t)(slope - d->w.derivative);
    double *row = d->weights + (d->rows - 1) * 2 * d->columns * d->outputs;
    row[2 * by * d->outputs + at] += part / width;
    row[(2 * by + 1) * d->outputs + at] -= part / width;
}

static void add_greek(struct differences *d, bailey_greek_kind kind, uint64_t number, uint32_t first,
                      uint32_t second, uint32_t of, uint32_t by)
{
    const uint64_t place = bly_greek_place(d->w.s, d->w.p, kind, number);
    d->w.out[place] = (bailey_greek_estimate){.kind = kind,
                                              .first = first,
                                              .second = second,
                                              .bump = (d->bump[by].high - d->bump[by].low) / 2,
                                              .method = BAILEY_GREEK_METHOD_GRADIENT};
    d->places[d->rows++] = place;
    add_change(d, of, by, kind == BAILEY_GREEK_KIND_CROSS_GAMMA ? 0.5 : 1);
    if (kind == BAILEY_GREEK_KIND_CROSS_GAMMA) add_change(d, by, of, 0.5);
}

static void add_greeks(struct differences *d)
{
    const bailey_greeks_params *p = d->w.p;
    for (uint32_t i = 0; i < p->spot_count; i++) {
        add_greek(d, BAILEY_GREEK_KIND_GAMMA, i, i, i, i, i);
        for (uint32_t j = 0; j < i && p->cross; j++)
            add_greek(d, BAILEY_GREEK_KIND_CROSS_GAMMA, bly_greek_pairs(i) + j, j, i, j, i);
    }
    for (uint32_t i = 0; i < p->volatility_count; i++) {
        const uint32_t v = p->spot_count + i;
        add_greek(d, BAILEY_GREEK_KIND_VOLGA, i, i, i, v, v);
        if (i < p->spot_count) add_greek(d, BAILEY_GREEK_KIND_VANNA, i, i, i, v, i);
    }
}

static bailey_status take_memory(struct differences *d)
{
    const bailey_greeks_params *p = d->w.p;
    const uint64_t most = p->spot_count + bly_greek_pairs(p->spot_count) + 2 * p->volatility_count + 1;
    d->outputs = bailey_simulation_outputs(d->slopes);
    d->first = d->w.s->payoff.outputs;
    d->values = bly_alloc((size_t)(2 * d->columns * d->columns), sizeof *d->values);
    d->weights = bly_alloc((size_t)(most * 2 * d->columns * d->outputs), sizeof *d->weights);
    d->places = bly_alloc((size_t)most, sizeof *d->places);
    d->w.derivative = bly_alloc((size_t)d->w.count + 1, sizeof *d->w.derivative);
    if (d->values && d->weights && d->places && d->w.derivative) return BAILEY_OK;
    return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for Greeks");
}

/* Their names, in the order of the outputs. */
static bailey_status name_slopes(struct differences *d)
{
    bailey_estimate *none = bly_alloc((size_t)d->outputs, sizeof *none);
    if (!none) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for Greeks");
    const bailey_status status = bailey_simulation_gradient_read(d->w.s, &d->w.params, none, d->w.derivative);
    bly_free(none);
    return status;
}

static bailey_status run_differences(struct differences *d, const bailey_simulation_run_params *run)
{
    bailey_simulation_run_params all = *run;
    bailey_estimate *e = bly_alloc((size_t)d->rows + 1, sizeof *e);
    if (!e) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for Greeks");
    for (uint32_t c = 0; c < d->columns; c++)
        for (uint32_t k = 0; k < 2 * d->columns; k++) {
            const struct bly_greek_bump *b = &d->bump[c];
            d->values[k * d->columns + c] = k == 2 * c ? b->high : k == 2 * c + 1 ? b->low : b->value;
        }
    all.scenarios = (bailey_scenarios){.count = 2 * d->columns,
                                       .columns = d->columns,
                                       .names = d->names,
                                       .values = d->values,
                                       .rows = (uint32_t)d->rows,
                                       .weights = d->weights};
    const bailey_status status = bailey_simulation_run(d->slopes, &all, e);
    for (uint64_t r = 0; r < d->rows && status == BAILEY_OK; r++) {
        d->w.out[d->places[r]].mean = e[r].mean;
        d->w.out[d->places[r]].standard_error = e[r].standard_error;
    }
    bly_free(e);
    return status;
}

bailey_status bly_greeks_gradient_differences(bailey_simulation *s, const bailey_simulation_run_params *run,
                                              const bailey_greeks_params *p, const struct bly_greek_bump *bump,
                                              bailey_greek_estimate *greeks)
{
    struct differences d = {.w = {.s = s, .p = p, .out = greeks}, .bump = bump};
    bailey_status status = ask_assets(&d.w);
    d.columns = p->spot_count + p->volatility_count;
    if (status != BAILEY_OK || !d.columns) return status;
    for (uint32_t c = 0; c < d.columns; c++) {
        const char *argument;
        d.names[c] = name_of(&d, c, &argument);
    }
    d.w.params.names = d.w.names;
    d.w.count = bailey_simulation_gradient_count(s, &d.w.params);
    status = bailey_simulation_gradient_create(s, &d.w.params, &d.slopes);
    if (status == BAILEY_OK) status = take_memory(&d);
    if (status == BAILEY_OK) status = name_slopes(&d);
    if (status == BAILEY_OK) add_greeks(&d);
    if (status == BAILEY_OK) status = run_differences(&d, run);
    bailey_simulation_destroy(d.slopes);
    bly_free(d.w.derivative);
    bly_free(d.values);
    bly_free(d.weights);
    bly_free(d.places);
    return status;
}
