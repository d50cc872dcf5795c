/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "american_deal.h"

#include <bailey/correlation.h>
#include <bailey/device/math.h>

#include <base/alloc.h>
#include <host/internal.h>
#include <host/source/factor.h>

#include <float.h>
#include <math.h>
#include <string.h>

#define INNER_PATHS 1000u

/* Prices and discount factors in strikes: what is far from them is not worth simulating in floats. */
#define FAR 1e30

extern const unsigned char bly_data_american_policy[];

/* ---- Checks -------------------------------------------------------------------------------------- */

static bailey_status check_times(const bailey_american_params *p)
{
    if (!p->exercise_times) return bly_fail_argument("exercise_times", "exercise_times is NULL");
    if (p->exercise_count < 1 || p->exercise_count > BAILEY_AMERICAN_MAX_EXERCISES)
        return bly_fail_argument("exercise_count", "exercise_count is %llu, from 1 to %u",
                                 (unsigned long long)p->exercise_count, BAILEY_AMERICAN_MAX_EXERCISES);
    for (uint64_t i = 0; i < p->exercise_count; i++) {
        const double before = i ? p->exercise_times[i - 1] : 0, time = p->exercise_times[i];
        if (!isfinite(time))
            return bly_fail_argument("exercise_times", "exercise_times[%llu] = %g is not finite",
                                     (unsigned long long)i, time);
        if (time > before) continue;
        if (i == 0)
            return bly_fail_argument("exercise_times", "exercise_times[0] = %.17g is not positive", time);
        return bly_fail_argument("exercise_times",
                                 "exercise_times[%llu] = %.17g does not exceed exercise_times[%llu] = %.17g",
                                 (unsigned long long)i, time, (unsigned long long)(i - 1), before);
    }
    return BAILEY_OK;
}

static bailey_status check_assets(const bailey_american_params *p, uint32_t assets)
{
    const uint32_t most = p->type == BAILEY_AMERICAN_PUT ? 1 : BAILEY_AMERICAN_MAX_ASSETS;
    if (assets > most)
        return bly_fail_argument("assets", "assets is %u, %s", assets,
                                 most == 1 ? "of a put 1" : "from 1 to 16");
    if (!p->spot) return bly_fail_argument("spot", "spot is NULL");
    if (!p->volatility) return bly_fail_argument("volatility", "volatility is NULL");
    for (uint32_t k = 0; k < assets; k++) {
        if (!(p->spot[k] > 0 && p->spot[k] / p->strike >= 1 / FAR && p->spot[k] / p->strike <= FAR))
            return bly_fail_argument(
                "spot", "spot[%u] is %g, must be positive, and from 1e-30 to 1e30 times the strike, %g", k,
                p->spot[k], p->strike);
        if (!(p->volatility[k] >= 0 && p->volatility[k] <= 100))
            return bly_fail_argument("volatility", "volatility[%u] is %g, from 0 to 100", k,
                                     p->volatility[k]);
        if (p->dividend && !(fabs(p->dividend[k]) <= 100))
            return bly_fail_argument("dividend", "dividend[%u] is %g, from -100 to 100", k, p->dividend[k]);
    }
    return p->correlation ? bailey_correlation_check(p->correlation, assets, NULL) : BAILEY_OK;
}

static bailey_status check_count(const char *name, uint64_t count, uint64_t least)
{
    if (count >= least && count <= BAILEY_BRIDGE_MAX_PATHS) return BAILEY_OK;
    return bly_fail_argument(name, "%s is %llu, from %llu to 2^38", name, (unsigned long long)count,
                             (unsigned long long)least);
}

static bailey_status check_paths(const struct bly_american *deal)
{
    const bailey_american_params *p = deal->params;
    bailey_status status = check_count("paths", p->paths, 2);
    if (status == BAILEY_OK) status = check_count("policy_paths", deal->policy_paths, 2);
    if (status == BAILEY_OK && p->outer_paths) status = check_count("outer_paths", p->outer_paths, 2);
    if (status == BAILEY_OK) status = check_count("inner_paths", deal->inner_paths, 2);
    if (status == BAILEY_OK && p->antithetic > 1)
        return bly_fail_argument("antithetic", "antithetic is %u, 0 or 1", p->antithetic);
    return status;
}

/* The first stream and the last. */
static bailey_status check_source(const bailey_american_params *p)
{
    const uint64_t others = 2 + p->outer_paths;
    bailey_source_kind kind = BAILEY_SOURCE_COUNTER;
    const bailey_status status = bailey_source_check(&p->source, &kind);
    if (status != BAILEY_OK) return status;
    if (kind == BAILEY_SOURCE_POINT)
        return bly_fail_argument("generator", "generator is one of points, whose errors bounds cannot have");
    if (p->source.stream > UINT64_MAX - others)
        return bly_fail_argument("stream", "stream %llu and the %llu after it exceed 2^64",
                                 (unsigned long long)p->source.stream, (unsigned long long)others);
    bailey_source last = p->source;
    last.stream += others;
    return bailey_source_check(&last, NULL);
}

static bailey_status check(const struct bly_american *deal)
{
    const bailey_american_params *p = deal->params;
    if (p->type != BAILEY_AMERICAN_PUT && p->type != BAILEY_AMERICAN_MAX_CALL)
        return bly_fail_argument("type", "type is %d, not a bailey_american_type", (int)p->type);
    if (!(p->strike > 0 && p->strike <= FLT_MAX))
        return bly_fail_argument("strike", "strike is %g, must be positive and at most 3.4e38", p->strike);
    if (!(fabs(p->rate) <= 100)) return bly_fail_argument("rate", "rate is %g, from -100 to 100", p->rate);
    if (p->functions > BAILEY_AMERICAN_MAX_FUNCTIONS)
        return bly_fail_argument("functions", "functions is %u, from 1 to %u, or 0 for the default",
                                 p->functions, BAILEY_AMERICAN_MAX_FUNCTIONS);
    bailey_status status = check_times(p);
    if (status == BAILEY_OK) status = check_assets(p, deal->assets);
    if (status == BAILEY_OK) status = check_paths(deal);
    if (status == BAILEY_OK) status = check_source(p);
    if (status == BAILEY_OK) status = bly_check_normal(deal->context, &p->normal, p->normal.precision);
    if (status == BAILEY_OK && !deal->context->device->info.has_f64)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "%s has no double precision, which sums of payoffs need",
                        deal->context->device->info.address);
    return status;
}

/* ---- Numbers ------------------------------------------------------------------------------------- */

static uint32_t default_functions(const struct bly_american *deal)
{
    return deal->assets == 1 ? 4 : deal->assets == 2 ? 10 : deal->assets == 3 ? 14 : 15;
}

/* The most that there are: with three assets the last one looks at a fourth. */
static uint32_t most_functions(const struct bly_american *deal)
{
    return deal->assets == 3 ? 14 : BAILEY_AMERICAN_MAX_FUNCTIONS;
}

static bailey_status find_factor(struct bly_american *deal)
{
    const bailey_american_params *p = deal->params;
    const uint32_t d = deal->assets;
    double matrix[BAILEY_AMERICAN_MAX_ASSETS * BAILEY_AMERICAN_MAX_ASSETS] = {0};
    for (uint32_t i = 0; i < d; i++) matrix[i * d + i] = 1;
    bailey_status status = p->correlation ? bailey_correlation_check(p->correlation, d, matrix) : BAILEY_OK;
    if (status == BAILEY_OK) status = bly_factor_covariance("correlation", matrix, d, deal->factor);
    for (uint32_t i = 0; i < d; i++)
        for (uint32_t j = 0; j <= i; j++) deal->factor[i * d + j] *= p->volatility[i];
    return status;
}

static bailey_status find_discounts(struct bly_american *deal)
{
    const bailey_american_params *p = deal->params;
    for (uint32_t i = 0; i < deal->steps; i++) {
        const double discount = bailey_exp_f64(-(p->rate * p->exercise_times[i]));
        if (!(discount >= 1 / FAR && discount <= FAR))
            return bly_fail_argument("rate", "rate %g makes a discount factor of %g at exercise_times[%u]",
                                     p->rate, discount, i);
        deal->discount[i] = discount;
    }
    return BAILEY_OK;
}

bailey_status bly_american_read(bailey_context *context, const bailey_american_params *p,
                                struct bly_american *deal)
{
    memset(deal, 0, sizeof *deal);
    deal->context = context;
    deal->params = p;
    deal->assets = p->assets ? p->assets : 1;
    deal->policy_paths = p->policy_paths ? p->policy_paths : p->paths;
    deal->inner_paths = p->inner_paths ? p->inner_paths : INNER_PATHS;
    bailey_status status = check(deal);
    if (status != BAILEY_OK) return status;
    deal->steps = (uint32_t)p->exercise_count;
    deal->functions = p->functions ? p->functions : default_functions(deal);
    if (deal->functions > most_functions(deal))
        return bly_fail_argument("functions", "functions is %u, with three assets from 1 to %u",
                                 deal->functions, most_functions(deal));
    deal->largest = deal->assets < 4 ? deal->assets : 4;
    for (uint32_t k = 0; k < deal->assets; k++) {
        const double spot = p->spot[k] / p->strike, carry = p->rate - (p->dividend ? p->dividend[k] : 0);
        const double gain = p->type == BAILEY_AMERICAN_PUT ? 1 - spot : spot - 1;
        deal->spot[k] = spot;
        deal->drift[k] = fma(-0.5 * p->volatility[k], p->volatility[k], carry);
        deal->now = k == 0 || gain > deal->now ? gain : deal->now;
    }
    status = find_factor(deal);
    return status == BAILEY_OK ? find_discounts(deal) : status;
}

/* ---- Simulations --------------------------------------------------------------------------------- */

bailey_bridge_params bly_american_path(const struct bly_american *deal)
{
    return (bailey_bridge_params){.times = deal->params->exercise_times,
                                  .steps = deal->steps,
                                  .dims = deal->assets,
                                  .factor = deal->factor,
                                  .construction = BAILEY_CONSTRUCTION_WALK,
                                  .precision = deal->params->normal.precision};
}

bailey_status bly_american_simulation(const struct bly_american *deal, const unsigned char *text,
                                      const char *name, bailey_simulation **out)
{
    struct bly_text all = {0};
    bly_text_add(&all, "#define PUT %d\n#define FUNCTIONS %u\n#define LARGEST %u\n%s%s",
                 deal->params->type == BAILEY_AMERICAN_PUT, deal->functions, deal->largest,
                 (const char *)bly_data_american_policy, (const char *)text);
    if (all.failed) {
        bly_free(all.data);
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an option");
    }
    const bailey_simulation_params params = {.path = bly_american_path(deal),
                                             .payoff = {.text = all.data, .name = name}};
    bailey_status status = bailey_simulation_create(deal->context, &params, out);
    bly_free(all.data);
    if (status == BAILEY_OK) status = bailey_simulation_set(*out, "spot", deal->spot, deal->assets);
    if (status == BAILEY_OK) status = bailey_simulation_set(*out, "drift", deal->drift, deal->assets);
    if (status == BAILEY_OK) status = bailey_simulation_set(*out, "discount", deal->discount, deal->steps);
    if (status == BAILEY_OK) return status;
    const char *argument = bailey_error_argument();
    return bly_name_argument(status, !strcmp(argument, "times")    ? "exercise_times"
                                     : !strcmp(argument, "factor") ? "volatility"
                                                                   : argument);
}

bailey_status bly_american_set_policy(const struct bly_american *deal, bailey_simulation *simulation)
{
    return bailey_simulation_set(simulation, "coefficient", deal->coefficient,
                                 (uint64_t)deal->steps * deal->functions);
}
