/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Pricing Asian options: simulations of the built-in "asian", in a unit of money and with an interest that
 * suit every precision, and its closed form.
 */
#include "asian_deal.h"
#include "simulation_internal.h"

#include <bailey/correlation.h>
#include <base/alloc.h>
#include <host/source/factor.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* Names what the simulation refused as the option's caller knows it. */
static bailey_status name_argument(const bailey_asian_params *p, bailey_status status)
{
    if (status == BAILEY_OK) return status;
    if (!strcmp(bailey_error_argument(), "times")) return bly_name_argument(status, "fixings");
    if (!strcmp(bailey_error_argument(), "payoff"))
        return bly_fail_argument(
            "spot", "spot, rate, volatility and the last fixing lead to payoffs beyond %s precision",
            p->normal.precision == BAILEY_PRECISION_F64 ? "double" : "single");
    return status;
}

/* The factor of the correlation; none of assets that are independent. */
static bailey_status find_factor(const bailey_asian_params *p, double **factor)
{
    const size_t size = (size_t)p->assets * p->assets;
    if (!p->correlation) return BAILEY_OK;
    *factor = bly_alloc(size, sizeof **factor);
    if (!*factor) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an option");
    return bly_factor_covariance("correlation", p->correlation, p->assets, *factor);
}

static bailey_status create(bailey_context *context, const bailey_asian_params *p, bailey_simulation **s)
{
    double *factor = NULL;
    bailey_status status = find_factor(p, &factor);
    const bailey_simulation_params params = {.path = {.times = p->fixings,
                                                      .steps = p->fixing_count,
                                                      .order = p->order,
                                                      .dims = p->assets,
                                                      .factor = factor,
                                                      .precision = p->normal.precision},
                                             .payoff = {.name = "asian"}};
    const uint64_t normals =
        bly_multiply(bly_multiply(p->fixing_count * p->assets, p->paths), bly_asian_replicates(p));
    if (status == BAILEY_OK)
        status = name_argument(p, bly_simulation_create(context, &params, normals ? normals : UINT64_MAX, s));
    bly_free(factor);
    return status;
}

/* The least normal number of the precision. */
static double least(const bailey_asian_params *p)
{
    return p->normal.precision == BAILEY_PRECISION_F64 ? DBL_MIN : FLT_MIN;
}

/* What is below that is nothing beside the rest. */
static bailey_status set(bailey_simulation *s, const bailey_asian_params *p, const char *name, double *values,
                         uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        if (fabs(values[k]) < least(p)) values[k] = 0;
    return bailey_simulation_set(s, name, values, count);
}

static bailey_status set_money(bailey_simulation *s, const bailey_asian_params *p,
                               const struct bly_asian_terms *terms, double *values)
{
    double strike = ldexp(terms->strike, -terms->unit), sign = terms->sign;
    for (uint32_t k = 0; k < p->assets; k++) values[k] = ldexp(fabs(bly_asian_money(p, k)), -terms->unit);
    bailey_status status = set(s, p, "spot", values, p->assets);
    for (uint32_t k = 0; k < p->assets; k++) values[k] = bly_asian_money(p, k) < 0 ? -1 : 1;
    if (status == BAILEY_OK) status = set(s, p, "weight", values, p->assets);
    if (status == BAILEY_OK) status = set(s, p, "strike", &strike, 1);
    return status == BAILEY_OK ? set(s, p, "sign", &sign, 1) : status;
}

/* The rate is a dividend less, so that nothing is discounted: that is done in double. Nor is there a past,
 * which is in the strike. */
static bailey_status set_values(bailey_simulation *s, const bailey_asian_params *p,
                                const struct bly_asian_terms *terms)
{
    double *values = bly_alloc(p->assets, sizeof *values);
    if (!values) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an option");
    bailey_status status = set_money(s, p, terms, values);
    for (uint32_t k = 0; k < p->assets && status == BAILEY_OK; k++) {
        values[k] = p->volatility[k];
        if (values[k] != 0 && values[k] < least(p))
            status = bly_fail_argument(
                "volatility", "volatility[%u] is %g, below %s precision's %g", k, values[k],
                p->normal.precision == BAILEY_PRECISION_F64 ? "double" : "single", least(p));
    }
    if (status == BAILEY_OK) status = set(s, p, "volatility", values, p->assets);
    for (uint32_t k = 0; k < p->assets; k++) values[k] = (p->dividend ? p->dividend[k] : 0) - p->rate;
    if (status == BAILEY_OK) status = set(s, p, "dividend", values, p->assets);
    double rate = 0;
    if (status == BAILEY_OK) status = set(s, p, "rate", &rate, 1);
    bly_free(values);
    return status;
}

static void find_interval(const bailey_asian_params *p, bailey_asian_result *result)
{
    const int control = result->has_control != 0;
    const double price = control ? result->controlled_price : result->price;
    const double error = control ? result->controlled_standard_error : result->standard_error;
    const uint64_t of = result->replicates > 1 ? result->replicates : p->paths;
    const double errors = bailey_student_95(of - 1);
    result->interval_low = fma(-errors, error, price);
    result->interval_high = fma(errors, error, price);
}

/* From the built-in's two outputs, in units of money and per `part`, undiscounted. */
static void summarise(const bailey_asian_params *p, const struct bly_asian_terms *terms, double closed,
                      const bailey_estimate e[2], bailey_asian_result *result)
{
    const double factor = bly_asian_discount(p) * terms->part;
    memset(result, 0, sizeof *result);
    result->price = ldexp(factor * e[0].mean, terms->unit);
    result->standard_error = ldexp(factor * e[0].standard_error, terms->unit);
    result->paths = e[0].paths;
    result->replicates = bly_asian_replicates(p);
    result->has_control = (uint64_t)terms->control;
    if (!terms->control) return;
    result->geometric_closed_form = factor * closed;
    result->geometric_price = ldexp(factor * e[1].mean, terms->unit);
    result->geometric_standard_error = ldexp(factor * e[1].standard_error, terms->unit);
    result->controlled_price = ldexp(factor * e[0].controlled, terms->unit);
    /* Two paths have no degree of freedom to spare. */
    result->controlled_standard_error = isnan(e[0].controlled_standard_error) && !isnan(e[0].standard_error)
                                            ? result->standard_error
                                            : ldexp(factor * e[0].controlled_standard_error, terms->unit);
}

static bailey_status run(bailey_simulation *s, const bailey_asian_params *p,
                         const struct bly_asian_terms *terms, bailey_asian_result *result)
{
    const double closed = terms->control ? bly_asian_closed_form(p, terms) : 0;
    const double expected[] = {NAN, ldexp(closed, -terms->unit)};
    const bailey_simulation_run_params params = {
        .source = p->source,
        .normal = p->normal,
        .paths = p->paths,
        .replicates = p->replicates,
        .expected = terms->control && isfinite(expected[1]) ? expected : NULL,
        .progress = p->progress,
        .progress_user = p->progress_user};
    bailey_estimate e[2];
    const bailey_status status = name_argument(p, bailey_simulation_run(s, &params, e));
    if (status != BAILEY_OK) return status;
    bailey_asian_result found;
    summarise(p, terms, closed, e, &found);
    find_interval(p, &found);
    if (!isfinite(found.price) || !isfinite(found.controlled_price) || !isfinite(closed))
        return bly_fail_argument(
            "rate", "rate %g and the last fixing lead to a price beyond double precision", p->rate);
    *result = found;
    return BAILEY_OK;
}

static bailey_status price_checked(bailey_context *context, const bailey_asian_params *p,
                                   bailey_asian_result *result)
{
    bailey_simulation *s = NULL;
    const struct bly_asian_terms terms = bly_asian_terms(p);
    bailey_status status = create(context, p, &s);
    if (status == BAILEY_OK) status = set_values(s, p, &terms);
    if (status == BAILEY_OK) status = run(s, p, &terms, result);
    bailey_simulation_destroy(s);
    return status;
}

static bailey_status price(bailey_context *context, const bailey_asian_params *p, bailey_asian_result *result)
{
    bailey_asian_params exact = *p;
    bailey_status status = bly_asian_check(context, p);
    if (status != BAILEY_OK || !p->correlation) return status ? status : price_checked(context, p, result);
    double *correlation = bly_alloc((size_t)p->assets * p->assets, sizeof *correlation);
    if (!correlation) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an option");
    status = bailey_correlation_check(p->correlation, p->assets, correlation);
    exact.correlation = correlation;
    if (status == BAILEY_OK) status = price_checked(context, &exact, result);
    bly_free(correlation);
    return status;
}

bailey_status bailey_asian_price(bailey_context *context, const bailey_asian_params *params,
                                 bailey_asian_result *result)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    if (BLY_REFUSES(params)) return bly_finish(context, BAILEY_ERROR_INVALID);
    if (!result) return bly_finish(context, bly_fail_argument("result", "result is NULL"));
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status = price(context, params, result);
    fesetenv(&callers);
    return bly_finish(context, status);
}
