/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The parameters of an American option: described, checked and brought into strikes and logarithms, so that
 * options with other prices, rates and volatilities are one program. The policy's coefficients are parameters
 * of the payoff too, and change from one run to the next without a compiler.
 */
#include "products.h"

#include <bailey/correlation.h>
#include <bailey/device/math.h>

#include <base/alloc.h>
#include <host/describe/choices.h>
#include <host/describe/records.h>
#include <host/internal.h>
#include <host/source/source.h>

#include <float.h>
#include <math.h>
#include <string.h>

#define POLICY_PATHS 65536u

/* Limits of prices in strikes and of discount factors: beyond them single precision runs out of range. */
#define FAR 1e30

extern const unsigned char bly_data_american_payoff[];

/* ---- Descriptions --------------------------------------------------------------------------------- */

#define MOST_RATE                                                                                            \
    {                                                                                                        \
        .low = -100, .high = 100                                                                             \
    }

#define STRUCT bailey_american_params
static const bailey_field american_params[] = {
    CHOICE(type, "call or put", OPTION_TYPES),
    UINT32(assets, "number of assets", .range = FROM(1, BAILEY_AMERICAN_MAX_ASSETS), .default_value = 1),
    REALS(spot, "[assets]", "spot prices", .needed = 1, .range = POSITIVE, .role = BAILEY_ROLE_SPOT),
    REALS(volatility, "[assets]", "volatilities", .unit = "per square root of a year", .needed = 1,
          .range = FROM(0, 100), .role = BAILEY_ROLE_VOLATILITY),
    REALS(dividend, "[assets]", "dividend yields, continuously compounded", .unit = "per year",
          .range = MOST_RATE, .default_how = "0 each", .role = BAILEY_ROLE_DIVIDEND),
    REALS(correlation, "[assets][assets]", "correlation of the assets' logarithms",
          .default_how = "independent", .role = BAILEY_ROLE_CORRELATION),
    REAL(strike, "strike", .needed = 1, .range = ABOVE_0_TO(FLT_MAX), .role = BAILEY_ROLE_STRIKE),
    REAL(rate, "risk-free rate, continuously compounded", .unit = "per year", .range = MOST_RATE,
         .role = BAILEY_ROLE_RATE),
    REALS(exercise_times, "[exercise_count]",
          "times of exercise besides today, increasing; the last is the maturity", .unit = "years",
          .needed = 1, .range = POSITIVE),
    UINT64(exercise_count, "number of times of exercise", .needed = 1,
           .range = FROM(1, BAILEY_AMERICAN_MAX_EXERCISES)),
    UINT32(basis_functions, "number of basis functions of the regression, the constant included",
           .range = FROM(1, BAILEY_AMERICAN_MAX_BASIS_FUNCTIONS),
           .default_how = "4; 10, 14, 15 on 2, 3, more assets"),
    UINT64(paths, "number of paths of the lower bound", .range = FROM(2, BAILEY_BRIDGE_MAX_PATHS),
           .default_value = BAILEY_SIMULATION_PATHS),
    UINT64(policy_paths, "number of other paths, from which the exercise policy is estimated",
           .range = FROM(2, BAILEY_BRIDGE_MAX_PATHS), .default_value = POLICY_PATHS),
    UINT64(outer_paths, "number of outer paths of the upper bound", .range = FROM(2, BAILEY_BRIDGE_MAX_PATHS),
           .default_value = BLY_BOUNDS_OUTER_PATHS),
    UINT64(inner_paths, "number of antithetic pairs of inner paths from each time of an outer path",
           .range = FROM(2, BLY_BOUNDS_MOST_INNER), .default_value = BLY_BOUNDS_INNER_PATHS),
    UINT64(memory, "bytes on the device for the prices of the policy's paths at exercise times",
           .default_how = "1073741824, or a quarter of the device's memory if that is less"),
    FLAG(antithetic, "follows paths of the lower bound by their antithetic paths"),
    FLAG(lower_only, "omit the upper bound, and its outer and inner paths"),
    NESTED(source, source, "source of random numbers, not of points"),
    NESTED(normal, normal_params, "how normals are generated; the precision is that of paths and payoffs"),
    FUNCTION(progress, "called now and then with the number of paths done"),
    USER(progress_user, "passed to progress"),
};
RECORD(american_params, "An option that may be exercised early.", american_params);
#undef STRUCT

#define STRUCT bailey_american_result
static const bailey_field american_result[] = {
    REAL(lower, "lower bound of the price: the value of the exercise policy"),
    REAL(lower_standard_error, "its standard error"),
    REAL(upper, "upper bound of the price; NaN with lower_only", .nan = 1),
    REAL(upper_standard_error, "its standard error", .nan = 1),
    REAL(interval_low, "lower end of the 95 % confidence interval"),
    REAL(interval_high, "upper end of it; infinite with lower_only"),
    REAL(price, "middle of both bounds"),
    REAL(standard_error, "standard error of the price, which covers the distance between the bounds",
         .nan = 1),
    REAL(in_sample, "value of the policy on the paths from which it was estimated"),
    REAL(in_sample_standard_error, "its standard error"),
    FLAG(exercise_now, "1 if exercise today pays at least in_sample"),
    UINT32(basis_functions, "number of basis functions of the regression"),
    UINT64(paths, "number of paths of all kinds that were simulated"),
};
RESULT(american_result, "Bounds of the price of an option that may be exercised early.", american_result);
#undef STRUCT

/* ---- Checks -------------------------------------------------------------------------------------- */

static bailey_status check_times(const bailey_american_params *p)
{
    for (uint64_t i = 1; i < p->exercise_count; i++)
        if (!(p->exercise_times[i] > p->exercise_times[i - 1]))
            return bly_fail_argument(
                "exercise_times", "exercise_times[%llu] = %.17g does not exceed exercise_times[%llu] = %.17g",
                (unsigned long long)i, p->exercise_times[i], (unsigned long long)(i - 1),
                p->exercise_times[i - 1]);
    return BAILEY_OK;
}

static bailey_status check_assets(const bailey_american_params *p, uint32_t assets)
{
    if (assets > 1 && p->type == BAILEY_OPTION_TYPE_PUT)
        return bly_fail_argument("assets", "assets is %u, but a put has 1", assets);
    for (uint32_t k = 0; k < assets; k++)
        if (!(p->spot[k] / p->strike >= 1 / FAR && p->spot[k] / p->strike <= FAR))
            return bly_fail_argument("spot", "spot[%u] is %g, not from 1e-30 to 1e30 times the strike, %g", k,
                                     p->spot[k], p->strike);
    return p->correlation ? bailey_correlation_check(p->correlation, assets, NULL) : BAILEY_OK;
}

static uint64_t outer_paths(const bailey_american_params *p)
{
    return p->lower_only ? 0 : p->outer_paths ? p->outer_paths : BLY_BOUNDS_OUTER_PATHS;
}

/* The first stream and the last. */
static bailey_status check_source(const bailey_american_params *p)
{
    const uint64_t others = 1 + 2 * outer_paths(p);
    bailey_source_kind kind = BAILEY_SOURCE_KIND_COUNTER;
    const bailey_status status = bailey_source_check(&p->source, &kind);
    if (status != BAILEY_OK) return status;
    if (kind == BAILEY_SOURCE_KIND_POINT)
        return bly_fail_argument("generator",
                                 "generator is one of points, which give no error for the bounds");
    if (p->source.stream > UINT64_MAX - others)
        return bly_fail_argument("stream", "stream %llu and the %llu after it exceed 2^64",
                                 (unsigned long long)p->source.stream, (unsigned long long)others);
    bailey_source last = p->source;
    last.stream += others;
    return bailey_source_check(&last, NULL);
}

static bailey_status check(const struct bly_american_option *option)
{
    const bailey_american_params *p = option->params;
    bailey_status status = bailey_record_check(&bly_record_american_params, p);
    if (status == BAILEY_OK && p->lower_only && p->outer_paths)
        return bly_fail_argument("outer_paths", "outer_paths is %llu, but lower_only is 1",
                                 (unsigned long long)p->outer_paths);
    if (status == BAILEY_OK) status = check_times(p);
    if (status == BAILEY_OK) status = check_assets(p, option->assets);
    if (status == BAILEY_OK) status = check_source(p);
    if (status == BAILEY_OK) status = bly_check_normal(option->context, &p->normal, p->normal.precision);
    if (status == BAILEY_OK && !option->context->device->info.has_f64)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "%s has no double precision, which sums of payoffs need",
                        option->context->device->info.address);
    return status;
}

/* ---- Numbers ------------------------------------------------------------------------------------- */

static uint32_t default_functions(const struct bly_american_option *option)
{
    return option->assets == 1 ? 4 : option->assets == 2 ? 10 : option->assets == 3 ? 14 : 15;
}

/* The most that there are: with three assets the last one looks at a fourth. */
static uint32_t most_functions(const struct bly_american_option *option)
{
    return option->assets == 3 ? 14 : BAILEY_AMERICAN_MAX_BASIS_FUNCTIONS;
}

static bailey_status find_factor(struct bly_american_option *option)
{
    const bailey_american_params *p = option->params;
    const uint32_t d = option->assets;
    double matrix[BAILEY_AMERICAN_MAX_ASSETS * BAILEY_AMERICAN_MAX_ASSETS] = {0};
    for (uint32_t i = 0; i < d; i++) matrix[i * d + i] = 1;
    bailey_status status = p->correlation ? bailey_correlation_check(p->correlation, d, matrix) : BAILEY_OK;
    if (status == BAILEY_OK) status = bly_factor_covariance("correlation", matrix, d, option->factor);
    for (uint32_t i = 0; i < d; i++)
        for (uint32_t j = 0; j <= i; j++) option->factor[i * d + j] *= p->volatility[i];
    return status;
}

static bailey_status check_discounts(const struct bly_american_option *option)
{
    const bailey_american_params *p = option->params;
    for (uint32_t i = 0; i < option->steps; i++) {
        const double discount = bailey_exp_f64(-(p->rate * p->exercise_times[i]));
        if (!(discount >= 1 / FAR && discount <= FAR))
            return bly_fail_argument("rate", "rate %g gives a discount factor of %g at exercise_times[%u]",
                                     p->rate, discount, i);
    }
    return BAILEY_OK;
}

bailey_status bly_american_read(bailey_context *context, const bailey_american_params *p,
                                struct bly_american_option *option)
{
    memset(option, 0, sizeof *option);
    option->context = context;
    option->params = p;
    option->assets = p->assets ? p->assets : 1;
    option->paths = p->paths ? p->paths : BAILEY_SIMULATION_PATHS;
    option->policy_paths = p->policy_paths ? p->policy_paths : POLICY_PATHS;
    option->outer_paths = outer_paths(p);
    option->inner_paths = p->inner_paths ? p->inner_paths : BLY_BOUNDS_INNER_PATHS;
    bailey_status status = check(option);
    if (status != BAILEY_OK) return status;
    option->steps = (uint32_t)p->exercise_count;
    option->functions = p->basis_functions ? p->basis_functions : default_functions(option);
    if (option->functions > most_functions(option))
        return bly_fail_argument("basis_functions",
                                 "basis_functions is %u, not from 1 to %u as three assets require",
                                 option->functions, most_functions(option));
    option->largest = option->assets < 4 ? option->assets : 4;
    for (uint32_t k = 0; k < option->assets; k++) {
        const double spot = p->spot[k] / p->strike, carry = p->rate - (p->dividend ? p->dividend[k] : 0);
        const double gain = p->type == BAILEY_OPTION_TYPE_PUT ? 1 - spot : spot - 1;
        option->spot[k] = spot;
        option->drift[k] = fma(-0.5 * p->volatility[k], p->volatility[k], carry);
        option->now = k == 0 || gain > option->now ? gain : option->now;
    }
    status = find_factor(option);
    return status == BAILEY_OK ? check_discounts(option) : status;
}

/* ---- The simulation ------------------------------------------------------------------------------ */

/* Names as options call them. */
static bailey_status rename_argument(bailey_status status)
{
    if (status == BAILEY_OK) return status;
    const char *argument = bailey_error_argument();
    return bly_name_argument(status, !strcmp(argument, "times")    ? "exercise_times"
                                     : !strcmp(argument, "factor") ? "volatility"
                                                                   : argument);
}

static bailey_status set_parameters(const struct bly_american_option *option, bailey_simulation *s)
{
    const double constant = option->functions == 1;
    bailey_status status = bailey_simulation_set(s, "spot", option->spot, option->assets);
    if (status == BAILEY_OK) status = bailey_simulation_set(s, "drift", option->drift, option->assets);
    if (status == BAILEY_OK) status = bailey_simulation_set(s, "rate", &option->params->rate, 1);
    return status == BAILEY_OK ? bailey_simulation_set(s, "constant", &constant, 1) : status;
}

bailey_status bly_american_simulation(const struct bly_american_option *option, bailey_simulation **out)
{
    const unsigned functions = option->functions > 1 ? option->functions - 1 : 1;
    struct bly_text all = {0};
    bly_text_add(&all, "#define PUT %d\n#define FUNCTIONS %u\n#define LARGEST %u\n%s",
                 option->params->type == BAILEY_OPTION_TYPE_PUT, functions, option->largest,
                 (const char *)bly_data_american_payoff);
    const bailey_simulation_params params = {.path = {.times = option->params->exercise_times,
                                                      .steps = option->steps,
                                                      .dims = option->assets,
                                                      .factor = option->factor,
                                                      .construction = BAILEY_CONSTRUCTION_WALK,
                                                      .precision = option->params->normal.precision},
                                             .payoff = {.code = all.data, .name = "american"}};
    bailey_status status = all.failed ? bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an option")
                                      : bailey_simulation_create(option->context, &params, out);
    bly_free(all.data);
    if (status == BAILEY_OK) status = set_parameters(option, *out);
    return rename_argument(status);
}
