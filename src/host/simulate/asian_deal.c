/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "asian_deal.h"

#include <bailey/correlation.h>
#include <bailey/device/math.h>

#include <float.h>
#include <math.h>

/* The least weight x spot: prices and their errors are then normal doubles. */
#define LEAST_MONEY 1e-300

static double weight(const bailey_asian_params *p, uint32_t k)
{
    return p->weight ? p->weight[k] : 1.0 / p->assets;
}

static int has_negative_weight(const bailey_asian_params *p)
{
    for (uint32_t k = 0; k < p->assets; k++)
        if (weight(p, k) < 0) return 1;
    return 0;
}

static bailey_status check_asset(const bailey_asian_params *p, uint32_t k)
{
    if (!(p->spot[k] > 0 && p->spot[k] <= FLT_MAX))
        return bly_fail_argument("spot", "spot[%u] is %g, must be positive and at most 3.4e38", k,
                                 p->spot[k]);
    if (!(p->volatility[k] >= 0 && p->volatility[k] <= 100))
        return bly_fail_argument("volatility", "volatility[%u] is %g, from 0 to 100", k, p->volatility[k]);
    if (p->dividend && !(fabs(p->dividend[k]) <= 100))
        return bly_fail_argument("dividend", "dividend[%u] is %g, from -100 to 100", k, p->dividend[k]);
    if (p->weight && !(p->weight[k] != 0 && fabs(p->weight[k]) <= FLT_MAX))
        return bly_fail_argument("weight", "weight[%u] is %g, must not be 0, from -3.4e38 to 3.4e38", k,
                                 p->weight[k]);
    if (!(fabs(weight(p, k)) * p->spot[k] >= LEAST_MONEY))
        return bly_fail_argument("weight", "weight[%u] = %g times spot[%u] = %g is below %g", k, weight(p, k),
                                 k, p->spot[k], LEAST_MONEY);
    return BAILEY_OK;
}

/* The strike, and the fixings that are past. Weights have been checked. */
static bailey_status check_payoff(const bailey_asian_params *p)
{
    const int spread = has_negative_weight(p);
    if (p->type != BAILEY_OPTION_TYPE_CALL && p->type != BAILEY_OPTION_TYPE_PUT)
        return bly_fail_argument("type", "type is %d, not a bailey_option_type", (int)p->type);
    if (!(p->strike >= (spread ? -FLT_MAX : 0) && p->strike <= FLT_MAX))
        return bly_fail_argument("strike", "strike is %g, from %s to 3.4e38%s", p->strike,
                                 spread ? "-3.4e38" : "0", spread ? "" : ", as no weight is negative");
    if (p->past_count > BAILEY_BRIDGE_MAX_STEPS)
        return bly_fail_argument("past_count", "past_count is %llu, from 0 to %u",
                                 (unsigned long long)p->past_count, BAILEY_BRIDGE_MAX_STEPS);
    if (p->past_count == 0 && p->past_average != 0)
        return bly_fail_argument("past_average", "past_average is %g, must be 0 as past_count is 0",
                                 p->past_average);
    if (p->past_count > 0 && !(fabs(p->past_average) <= FLT_MAX && (spread || p->past_average > 0)))
        return bly_fail_argument("past_average", "past_average is %g, %s 3.4e38", p->past_average,
                                 spread ? "from -3.4e38 to"
                                        : "must be positive, as weights are, and at most");
    return BAILEY_OK;
}

uint64_t bly_asian_replicates(const bailey_asian_params *p) { return p->replicates ? p->replicates : 1; }

/* The source of the first replicate and of the last. */
static bailey_status check_source(const bailey_asian_params *p)
{
    const uint64_t count = bly_asian_replicates(p);
    bailey_source_kind kind;
    const bailey_status status = bailey_source_check(&p->source, &kind);
    if (status != BAILEY_OK || count == 1) return status;
    if (count > BAILEY_ASIAN_MAX_REPLICATES)
        return bly_fail_argument("replicates", "replicates is %llu, from 1 to %u", (unsigned long long)count,
                                 BAILEY_ASIAN_MAX_REPLICATES);
    if (p->source.stream > UINT64_MAX - (count - 1))
        return bly_fail_argument("replicates", "replicates %llu from stream %llu on exceed 2^64 streams",
                                 (unsigned long long)count, (unsigned long long)p->source.stream);
    if (kind == BAILEY_SOURCE_KIND_POINT && p->source.scramble == BAILEY_SCRAMBLE_NONE)
        return bly_fail_argument(
            "replicates", "replicates is %llu, must be 1: points without scramble are the same in each",
            (unsigned long long)count);
    bailey_source last = p->source;
    last.stream += count - 1;
    return bailey_source_check(&last, NULL);
}

bailey_status bly_asian_check(const bailey_context *context, const bailey_asian_params *p)
{
    if (!p->fixings) return bly_fail_argument("fixings", "fixings is NULL");
    if (p->fixing_count < 1 || p->fixing_count > BAILEY_BRIDGE_MAX_STEPS)
        return bly_fail_argument("fixing_count", "fixing_count is %llu, from 1 to %u",
                                 (unsigned long long)p->fixing_count, BAILEY_BRIDGE_MAX_STEPS);
    for (uint64_t i = 0; i < p->fixing_count; i++) {
        const double before = i ? p->fixings[i - 1] : 0;
        if (!isfinite(p->fixings[i]))
            return bly_fail_argument("fixings", "fixings[%llu] = %.17g is not finite", (unsigned long long)i,
                                     p->fixings[i]);
        if (p->fixings[i] > before) continue;
        if (i == 0) return bly_fail_argument("fixings", "fixings[0] = %.17g is not positive", p->fixings[0]);
        return bly_fail_argument("fixings", "fixings[%llu] = %.17g does not exceed fixings[%llu] = %.17g",
                                 (unsigned long long)i, p->fixings[i], (unsigned long long)(i - 1), before);
    }
    if (p->assets < 1 || p->assets > BAILEY_BRIDGE_MAX_DIMS)
        return bly_fail_argument("assets", "assets is %u, from 1 to %u", p->assets, BAILEY_BRIDGE_MAX_DIMS);
    if (!p->spot) return bly_fail_argument("spot", "spot is NULL");
    if (!p->volatility) return bly_fail_argument("volatility", "volatility is NULL");
    if (!(fabs(p->rate) <= 100)) return bly_fail_argument("rate", "rate is %g, from -100 to 100", p->rate);
    if (p->paths < 2 || p->paths > BAILEY_BRIDGE_MAX_PATHS)
        return bly_fail_argument("paths", "paths is %llu, from 2 to 2^38", (unsigned long long)p->paths);
    for (uint32_t k = 0; k < p->assets; k++) {
        const bailey_status status = check_asset(p, k);
        if (status != BAILEY_OK) return status;
    }
    bailey_status status =
        p->correlation ? bailey_correlation_check(p->correlation, p->assets, NULL) : BAILEY_OK;
    if (status == BAILEY_OK) status = check_payoff(p);
    if (status == BAILEY_OK) status = check_source(p);
    if (status == BAILEY_OK) status = bly_check_normal(context, &p->normal, p->normal.precision);
    if (status == BAILEY_OK && !context->device->info.has_f64)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "%s has no double precision, which sums of payoffs need",
                        context->device->info.address);
    return status;
}

static double correlation(const bailey_asian_params *p, uint32_t i, uint32_t j)
{
    if (!p->correlation) return i == j;
    return p->correlation[i >= j ? i * p->assets + j : j * p->assets + i];
}

static double drift(const bailey_asian_params *p, uint32_t k)
{
    const double carry = p->rate - (p->dividend ? p->dividend[k] : 0);
    return fma(-0.5 * p->volatility[k], p->volatility[k], carry);
}

/* The basket today. */
static double basket_spot(const bailey_asian_params *p)
{
    double sum = 0;
    for (uint32_t k = 0; k < p->assets; k++) sum = fma(weight(p, k), p->spot[k], sum);
    return sum;
}

/* The asset's share of the basket today: its power in the geometric basket, basket_spot times the product
 * of (S_k / spot_k)^share. */
static double share(const bailey_asian_params *p, uint32_t k)
{
    return weight(p, k) * p->spot[k] / basket_spot(p);
}

double bly_asian_money(const bailey_asian_params *p, uint32_t k) { return weight(p, k) * p->spot[k]; }

double bly_asian_discount(const bailey_asian_params *p)
{
    return bailey_exp_f64(-(p->rate * p->fixings[p->fixing_count - 1]));
}

struct bly_asian_terms bly_asian_terms(const bailey_asian_params *p)
{
    const double n = (double)p->fixing_count, m = (double)p->past_count;
    struct bly_asian_terms terms = {.sign = p->type == BAILEY_OPTION_TYPE_PUT ? -1 : 1,
                                    .strike = fma(p->strike - p->past_average, m / n, p->strike),
                                    .part = n / (m + n),
                                    .control = !has_negative_weight(p)};
    double money = fabs(terms.strike);
    for (uint32_t k = 0; k < p->assets; k++) money = fmax(money, fabs(weight(p, k)) * p->spot[k]);
    terms.unit = ilogb(money);
    return terms;
}

double bly_asian_closed_form(const bailey_asian_params *p, const struct bly_asian_terms *terms)
{
    const double n = (double)p->fixing_count, sign = terms->sign, strike = terms->strike;
    double basket_drift = 0, basket_variance = 0, mean_time = 0, mean_minimum = 0;
    for (uint32_t i = 0; i < p->assets; i++) {
        basket_drift += share(p, i) * drift(p, i);
        for (uint32_t j = 0; j < p->assets; j++)
            basket_variance +=
                share(p, i) * p->volatility[i] * correlation(p, i, j) * share(p, j) * p->volatility[j];
    }
    /* The mean over pairs of min(t_i, t_j): t_i is the smaller of 2 (n - i) - 1 ordered pairs. */
    for (uint64_t i = 0; i < p->fixing_count; i++) {
        mean_time += p->fixings[i] / n;
        mean_minimum += p->fixings[i] * (2 * (n - (double)i) - 1) / (n * n);
    }
    const double variance = basket_variance * mean_minimum, deviation = sqrt(variance);
    const double forward = basket_spot(p) * exp(basket_drift * mean_time + variance / 2);
    if (!(deviation > 0) || strike <= 0) return fmax(sign * (forward - strike), 0);
    const double d1 = (log(forward / strike) + variance / 2) / deviation;
    return sign * (forward * 0.5 * erfc(-sign * d1 * sqrt(0.5)) -
                   strike * 0.5 * erfc(-sign * (d1 - deviation) * sqrt(0.5)));
}
