/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What may be asked of Greeks: the structs as data, how many there are of each kind, and the checks that come
 * before a scenario is made.
 */
#include "products.h"

#include <host/describe/choices.h>
#include <host/describe/records.h>

#include <string.h>

/* ---- Descriptions -------------------------------------------------------------------------------- */

#define STRUCT bailey_greeks_params
static const bailey_field greeks_params[] = {
    TEXTS(spots, "[spot_count]", "names of the spot price parameters"),
    UINT32(spot_count, "number of spots", .range = FROM(0, BLY_GREEKS_MOST_NAMES)),
    TEXTS(volatilities, "[volatility_count]", "names of the volatility or variance parameters"),
    UINT32(volatility_count, "number of volatilities", .range = FROM(0, BLY_GREEKS_MOST_NAMES)),
    TEXT(rate, "name of the rate parameter", .default_how = "no rho"),
    FLAG(theta, "estimate theta, the derivative with respect to today's date"),
    FLAG(correlation, "estimate the derivatives with respect to correlations"),
    FLAG(cross, "estimate cross gammas"),
    UINT32(output, "index of the output whose derivatives are estimated",
           .range = FROM(0, BAILEY_SIMULATION_MAX_OUTPUTS - 1)),
    CHOICE(method, "method of estimation", GREEK_METHODS),
    REAL(spot_bump, "bump of spots, relative", .range = FROM_BELOW(0, 1),
         .default_how = "chosen by volatility and time"),
    REAL(volatility_bump, "bump of volatilities, relative", .range = FROM_BELOW(0, 1),
         .default_value = BLY_GREEKS_VOLATILITY_BUMP),
    REAL(rate_bump, "bump of the rate", .range = FROM_BELOW(0, 1), .default_value = BLY_GREEKS_RATE_BUMP),
    REAL(time_bump, "bump of the times", .unit = "years", .range = NOT_NEGATIVE,
         .default_how = "1 / 365, or half the time to the first one"),
    REAL(correlation_bump, "bump of correlations", .range = FROM_BELOW(0, 2),
         .default_value = BLY_GREEKS_CORRELATION_BUMP),
    REAL(width, "half of the interval over which a jump is spread, for gradients", .range = NOT_NEGATIVE,
         .default_how = "no jumps"),
};
RECORD(greeks_params, "Which Greeks are estimated, and how.", greeks_params);
#undef STRUCT

#define STRUCT bailey_greek_estimate
static const bailey_field greek_estimate[] = {
    CHOICE(kind, "which derivative", GREEK_KINDS),
    UINT32(first, "index of the spot, volatility or dimension"),
    UINT32(second, "index of the second one, for a mixed derivative"),
    REAL(mean, "estimate of the derivative"),
    REAL(standard_error, "standard error of the estimate", .nan = 1),
    REAL(bump, "bump that was used; 0 if there was none"),
    CHOICE(method, "how it was estimated", GREEK_METHODS),
};
RESULT(greek_estimate, "A derivative of the price.", greek_estimate);
#undef STRUCT

/* ---- Counts -------------------------------------------------------------------------------------- */

static uint32_t vannas_of(const bailey_greeks_params *p)
{
    return p->spot_count < p->volatility_count ? p->spot_count : p->volatility_count;
}

void bly_greeks_count(const bailey_simulation *s, const bailey_greeks_params *p,
                      uint64_t counts[BLY_GREEK_KINDS])
{
    const uint64_t all[BLY_GREEK_KINDS] = {1,
                                           p->spot_count,
                                           p->spot_count,
                                           p->cross ? bly_greek_pairs(p->spot_count) : 0,
                                           p->volatility_count,
                                           p->volatility_count,
                                           vannas_of(p),
                                           p->rate != NULL,
                                           p->theta != 0,
                                           p->correlation ? bly_greek_pairs(s->assets) : 0};
    memcpy(counts, all, sizeof all);
}

uint64_t bly_greek_place(const bailey_simulation *s, const bailey_greeks_params *p, bailey_greek_kind kind,
                         uint64_t number)
{
    uint64_t counts[BLY_GREEK_KINDS];
    bly_greeks_count(s, p, counts);
    for (int k = 0; k < (int)kind; k++) number += counts[k];
    return number;
}

uint64_t bailey_simulation_greeks_count(const bailey_simulation *s, const bailey_greeks_params *p)
{
    uint64_t counts[BLY_GREEK_KINDS], sum = 0;
    if (!s || !p) return 0;
    bly_greeks_count(s, p, counts);
    for (int i = 0; i < BLY_GREEK_KINDS; i++) sum += counts[i];
    return sum;
}

const char *bailey_greek_name(bailey_greek_kind kind)
{
    static const char *const names[] = {"price", "delta", "gamma", "cross gamma", "vega",
                                        "volga", "vanna", "rho",   "theta",       "correlation"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

/* ---- Checks -------------------------------------------------------------------------------------- */

static bailey_status check_run(const bailey_simulation_run_params *run)
{
    const char *what = run->scenarios.count  ? "scenarios"
                       : run->expected       ? "expected"
                       : run->samples        ? "samples"
                       : run->covariance     ? "covariance"
                       : run->histogram.bins ? "histogram"
                                             : NULL;
    if (run->sum != BAILEY_SUM_DOUBLE)
        return bly_fail_argument(
            "sum",
            "sum of a run for Greeks must be BAILEY_SUM_DOUBLE: they are weighted rows, computed in double");
    return what ? bly_fail_argument(what, "%s of a run for Greeks must be empty", what) : BAILEY_OK;
}

/* A payoff may know the spot in other ways than by its first point: a barrier watches the way from it to
 * there, and the control variate of asian has today's basket in it. So its code has to say that this is not
 * so. */
bailey_status bly_greeks_check_scored(const bailey_simulation *s, const bailey_greeks_params *p)
{
    const bailey_description *d = &s->payoff.description->d;
    if (!d->outputs[p->output].likelihood)
        return bly_fail_argument("method",
                                 "likelihood ratios of output %u of %s are not declared valid by its code: "
                                 "if they are, end the line out[%u] of its head comment with [likelihood]",
                                 p->output, s->payoff.name, p->output);
    if (p->volatility_count != p->spot_count || p->spot_count > s->assets)
        return bly_fail_argument("method",
                                 "likelihood ratios of %u spots with %u volatilities in %u dimensions: each "
                                 "spot needs both",
                                 p->spot_count, p->volatility_count, s->assets);
    if (s->assets < s->dims)
        return bly_fail_argument("method", "likelihood ratios, but %s has dimensions of its own",
                                 s->payoff.name);
    if (s->fixed_end) return bly_fail_argument("method", "likelihood ratios need paths with a free end");
    const struct bly_field *dividend = bly_parameter_of_role(&s->payoff, BAILEY_ROLE_DIVIDEND);
    if (p->theta &&
        (!bly_parameter_of_role(&s->payoff, BAILEY_ROLE_RATE) || !dividend || dividend->count != s->assets))
        return bly_fail_argument("theta",
                                 "theta by likelihood ratios needs rate and dividends, but no parameters of "
                                 "%s have these roles: omit theta, or use differences",
                                 s->payoff.name);
    if (p->theta && p->spot_count != s->assets)
        return bly_fail_argument(
            "theta", "theta by likelihood ratios needs one spot per dimension, not %u spots in %u dimensions",
            p->spot_count, s->assets);
    return BAILEY_OK;
}

static bailey_status check_params(const bailey_simulation *s, const bailey_greeks_params *p)
{
    bailey_status status = bailey_record_check(&bly_record_greeks_params, p);
    if (status != BAILEY_OK) return status;
    if (p->spot_count && !p->spots) return bly_fail_argument("spots", "spots is NULL");
    if (p->volatility_count && !p->volatilities)
        return bly_fail_argument("volatilities", "volatilities is NULL");
    if (p->output >= s->payoff.outputs)
        return bly_fail_argument("output", "output is %u, but %s has %u", p->output, s->payoff.name,
                                 s->payoff.outputs);
    if (p->correlation && s->assets < 2)
        return bly_fail_argument("correlation", "correlation needs more than one dimension");
    status = p->method == BAILEY_GREEK_METHOD_LIKELIHOOD ? bly_greeks_check_scored(s, p) : BAILEY_OK;
    if (status == BAILEY_OK && !(p->time_bump < s->first_time - s->start_time))
        return bly_fail_argument("time_bump", "time_bump is %g, not below the first time, %g", p->time_bump,
                                 s->first_time - s->start_time);
    return status;
}

bailey_status bly_greeks_check(const bailey_simulation *s, const bailey_simulation_run_params *run,
                               const bailey_greeks_params *p)
{
    bailey_status status = check_run(run);
    if (status == BAILEY_OK) status = check_params(s, p);
    return status == BAILEY_OK ? bly_parameters_missing(&s->payoff, s->given, NULL) : status;
}
