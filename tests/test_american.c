/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * American and Bermudan options on a device: published values and a plain program's between the bounds, and
 * the bits of the cpu backend. BAILEY_TEST_LARGE takes all of both published tables, with bounds that are
 * tight enough for their digits.
 */
#include <host/run/regression.h>
#include <host/simulate/simulation_internal.h>

#include "simulations.h"

#include <bailey/american.h>

#include <math.h>
#include <time.h>

static int is_large(void) { return getenv("BAILEY_TEST_LARGE") != NULL; }

/* Options are texts that are compiled. */
static int prices_options(void)
{
    static int known, answer;
    if (!known) answer = simulates();
    known = 1;
    return answer;
}

/* Drivers take seconds to compile an option of another kind. */
static int compiles_slowly(void)
{
    return !is_large() && (getenv("BAILEY_TEST_QUICK") || strncmp(device.address, "opencl", 6) == 0);
}

/* ---- Published values ---------------------------------------------------------------------------- */

/* F. Longstaff, E. Schwartz, "Valuing American options by simulation", Review of Financial Studies 14 (2001),
 * table 1: puts with strike 40, rate 0.06 and 50 times of exercise per year, by finite differences. */
#define PUTS 20
static const struct {
    double spot, volatility;
    int years;
    double value;
} put_table[PUTS] = {{36, 0.2, 1, 4.478}, {36, 0.2, 2, 4.840}, {36, 0.4, 1, 7.101}, {36, 0.4, 2, 8.508},
                     {38, 0.2, 1, 3.250}, {38, 0.2, 2, 3.745}, {38, 0.4, 1, 6.148}, {38, 0.4, 2, 7.670},
                     {40, 0.2, 1, 2.314}, {40, 0.2, 2, 2.885}, {40, 0.4, 1, 5.312}, {40, 0.4, 2, 6.920},
                     {42, 0.2, 1, 1.617}, {42, 0.2, 2, 2.212}, {42, 0.4, 1, 4.582}, {42, 0.4, 2, 6.248},
                     {44, 0.2, 1, 1.110}, {44, 0.2, 2, 1.690}, {44, 0.4, 1, 3.948}, {44, 0.4, 2, 5.647}};

/* L. Andersen, M. Broadie, "Primal-dual simulation algorithm for pricing multidimensional American options",
 * Management Science 50 (2004), table 2: calls on the largest of independent assets with strike 100, rate
 * 0.05, dividend 0.1, volatility 0.2 and 9 times in 3 years; of two and three assets the value of a lattice,
 * of five the ends of their interval of 95 % confidence. */
#define CALLS 9
static const struct {
    uint32_t assets;
    double spot, low, high;
} call_table[CALLS] = {{2, 90, 8.075, 8.075},   {2, 100, 13.902, 13.902}, {2, 110, 21.345, 21.345},
                       {3, 90, 11.29, 11.29},   {3, 100, 18.69, 18.69},   {3, 110, 27.58, 27.58},
                       {5, 90, 16.602, 16.655}, {5, 100, 26.109, 26.292}, {5, 110, 36.704, 36.832}};

/* ---- The same by quadrature ---------------------------------------------------------------------- */

/* Value functions on a grid of the logarithm of the price (of both prices), which moves with the drift. From
 * one time to the next they are weighed with the normal density, by the trapezoidal rule. */
#define HALF 350 /* points on either side, in one dimension */
#define HALF_2 110
#define FAR 6.0 /* standard deviations that count */

/* Makes *to the expected value of `from`, which has `count` points `stride` apart and keeps its last values
 * beyond both ends. */
static void weigh(const double *from, double *to, int count, int stride, const double *weight, int reach)
{
    for (int i = 0; i < count; i++) {
        double sum = 0;
        for (int j = -reach; j <= reach; j++) {
            const int at = i + j < 0 ? 0 : i + j >= count ? count - 1 : i + j;
            sum += weight[j + reach] * from[at * stride];
        }
        to[i * stride] = sum;
    }
}

/* Weights of a normal number with this standard deviation on a grid of `h`. Returns how far they reach.
 */
static int find_weights(double deviation, double h, double *weight)
{
    const int reach = (int)(FAR * deviation / h);
    double sum = 0;
    for (int j = -reach; j <= reach; j++) sum += weight[j + reach] = exp(-0.5 * pow(j * h / deviation, 2));
    for (int j = 0; j <= 2 * reach; j++) weight[j] /= sum;
    return reach;
}

static double bermudan_put(double spot, double strike, double rate, double dividend, double volatility,
                           double years, int times)
{
    enum { COUNT = 2 * HALF + 1 };
    static double value[COUNT], held[COUNT], weight[COUNT];
    const double dt = years / times, h = FAR * volatility * sqrt(years) / HALF;
    const double drift = rate - dividend - volatility * volatility / 2;
    const int reach = find_weights(volatility * sqrt(dt), h, weight);
    for (int k = times; k >= 0; k--) {
        for (int i = 0; i < COUNT; i++) {
            const double gain = strike - spot * exp(drift * k * dt + (i - HALF) * h);
            const double on = k == times ? 0 : exp(-rate * dt) * held[i];
            value[i] = fmax(gain, on);
        }
        if (k) weigh(value, held, COUNT, 1, weight, reach);
    }
    return value[HALF];
}

/* A call on the larger of two independent assets that are alike. */
static double bermudan_max_call(double spot, double strike, double rate, double dividend, double volatility,
                                double years, int times)
{
    enum { COUNT = 2 * HALF_2 + 1 };
    static double value[COUNT][COUNT], held[COUNT][COUNT], between[COUNT][COUNT], weight[COUNT];
    const double dt = years / times, h = 4.5 * volatility * sqrt(years) / HALF_2;
    const double drift = rate - dividend - volatility * volatility / 2;
    const int reach = find_weights(volatility * sqrt(dt), h, weight);
    for (int k = times; k >= 0; k--) {
        for (int i = 0; i < COUNT; i++)
            for (int j = 0; j < COUNT; j++) {
                const int larger = i > j ? i : j;
                const double gain = spot * exp(drift * k * dt + (larger - HALF_2) * h) - strike;
                value[i][j] = fmax(gain, k == times ? 0 : exp(-rate * dt) * held[i][j]);
            }
        if (k == 0) break;
        for (int i = 0; i < COUNT; i++) weigh(value[i], between[i], COUNT, 1, weight, reach);
        for (int j = 0; j < COUNT; j++) weigh(&between[0][j], &held[0][j], COUNT, COUNT, weight, reach);
    }
    return value[HALF_2][HALF_2];
}

/* Where the published differences are seen to be coarse: a binomial tree agrees with the quadrature. */
static int is_coarse(int i) { return put_table[i].volatility == 0.4 && put_table[i].years == 2; }

static double value_of_put(int i)
{
    const int years = put_table[i].years;
    return bermudan_put(put_table[i].spot, 40, 0.06, 0, put_table[i].volatility, years, 50 * years);
}

TEST(references, DEVICE | LONG_ON_OPENCL)
{
    for (int i = 0; i < PUTS; i++) {
        const double value = value_of_put(i);
        if (!(fabs(value - put_table[i].value) < (is_coarse(i) ? 0.0065 : 0.0015)))
            fail_msg("put %d: %.5f by quadrature, %.3f published", i, value, put_table[i].value);
    }
    for (int i = 0; i < CALLS; i++) {
        if (call_table[i].assets != 2 || (i && !is_large())) continue;
        const double value = bermudan_max_call(call_table[i].spot, 100, 0.05, 0.1, 0.2, 3, 9);
        if (!(fabs(value - call_table[i].low) < 0.003))
            fail_msg("call %d: %.5f by quadrature, %.3f published", i, value, call_table[i].low);
    }
}

/* ---- Deals --------------------------------------------------------------------------------------- */

#define MOST_TIMES 100
static double times[MOST_TIMES], spots[5], volatilities[5], dividends[5];

static bailey_american_params option_of(bailey_option_type type, uint32_t assets, double spot,
                                        double volatility, int years, int count)
{
    for (int i = 0; i < count; i++) times[i] = (double)years * (i + 1) / count;
    for (uint32_t k = 0; k < assets; k++) {
        spots[k] = spot;
        volatilities[k] = volatility;
        dividends[k] = type == BAILEY_OPTION_TYPE_PUT ? 0 : 0.1;
    }
    return (bailey_american_params){.type = type,
                                    .assets = assets,
                                    .spot = spots,
                                    .volatility = volatilities,
                                    .dividend = dividends,
                                    .strike = type == BAILEY_OPTION_TYPE_PUT ? 40 : 100,
                                    .rate = type == BAILEY_OPTION_TYPE_PUT ? 0.06 : 0.05,
                                    .exercise_times = times,
                                    .exercise_count = (uint64_t)count,
                                    .source = {.seed = 2001},
                                    .policy_paths = 10000,
                                    .paths = 40000,
                                    .outer_paths = 20,
                                    .inner_paths = 100};
}

static bailey_american_params put_of(double spot, double volatility, int years)
{
    return option_of(BAILEY_OPTION_TYPE_PUT, 1, spot, volatility, years, 50 * years);
}

static bailey_american_params call_of(uint32_t assets, double spot)
{
    bailey_american_params params = option_of(BAILEY_OPTION_TYPE_CALL, assets, spot, 0.2, 3, 9);
    params.normal.precision = BAILEY_PRECISION_F64;
    return params;
}

static double seconds; /* that the last price took */

static bailey_american_result price(const bailey_american_params *params)
{
    struct timespec begin, end;
    bailey_american_result result;
    memset(&result, POISON, sizeof result);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    OK(bailey_american_price(context, params, &result));
    clock_gettime(CLOCK_MONOTONIC, &end);
    seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    return result;
}

/* low .. high is where the value is known to be; the policy may give away `given` of it, and the upper bound
 * be too high by `taken`. */
static void check_bounds(const char *what, const bailey_american_result *r, double low, double high,
                         double given, double taken)
{
    const double below = 3 * r->lower_standard_error, above = 3 * r->upper_standard_error;
    print_message("# %s: %.4f +- %.4f .. %.4f +- %.4f, in sample %.4f +- %.4f, known %.4f .. %.4f, %.3f s\n",
                  what, r->lower, r->lower_standard_error, r->upper, r->upper_standard_error, r->in_sample,
                  r->in_sample_standard_error, low, high, seconds);
    if (!(r->lower <= high + below)) fail_msg("%s: the lower bound is above the value", what);
    if (!(r->lower >= low - given - below)) fail_msg("%s: the lower bound is too low", what);
    if (!(r->upper >= low - above)) fail_msg("%s: the upper bound is below the value", what);
    if (!(r->upper <= high + taken + above)) fail_msg("%s: the upper bound is too high", what);
    if (!(r->price == 0.5 * (r->lower + r->upper))) fail_msg("%s: not the middle", what);
}

TEST(put_options, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!prices_options()) skip();
    static const int some[] = {0, 10};
    for (int i = 0; i < (is_large() ? PUTS : 2); i++) {
        const int n = is_large() ? i : some[i];
        char what[40];
        bailey_american_params params =
            put_of(put_table[n].spot, put_table[n].volatility, put_table[n].years);
        if (is_large()) params.policy_paths = 50000, params.paths = 1000000;
        if (is_large()) params.outer_paths = 200, params.inner_paths = 2000, params.antithetic = 1;
        const bailey_american_result r = price(&params);
        snprintf(what, sizeof what, "put %g %g %d", put_table[n].spot, put_table[n].volatility,
                 put_table[n].years);
        const double value = value_of_put(n);
        check_bounds(what, &r, value - 0.001, value + 0.001, is_large() ? 0.015 : 0.04,
                     is_large() ? 0.03 : 0.15);
        assert_int_equal(r.basis_functions, 4);
        assert_int_equal(r.exercise_now, 0);
        if (!(fabs(r.in_sample - value) <= 4 * r.in_sample_standard_error + 0.02))
            fail_msg("%s in sample", what);
    }
}

TEST(test_calls, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!prices_options()) skip();
    for (int i = 0; i < (is_large() ? CALLS : 3); i++) {
        char what[40];
        bailey_american_params params = call_of(call_table[i].assets, call_table[i].spot);
        if (is_large()) params.policy_paths = 100000, params.paths = 1000000;
        if (is_large()) params.outer_paths = 200, params.inner_paths = 2000, params.antithetic = 1;
        const bailey_american_result r = price(&params);
        snprintf(what, sizeof what, "call %u %g", call_table[i].assets, call_table[i].spot);
        check_bounds(what, &r, call_table[i].low - 0.005, call_table[i].high + 0.005, is_large() ? 0.06 : 0.1,
                     is_large() ? 0.1 : 0.4);
    }
}

/* ---- Properties ---------------------------------------------------------------------------------- */

/* Without volatility there is one path, and the best of its times is the value. */
TEST(without_volatility, DEVICE | REPEATED_ON_OPENCL)
{
    if (!prices_options()) skip();
    bailey_american_params params = put_of(39, 0, 1);
    params.policy_paths = params.paths = 100, params.outer_paths = 2, params.inner_paths = 2;
    params.rate = -0.06; /* it is better to wait */
    const double best = 40 * exp(0.06) - 39;
    bailey_american_result r = price(&params);
    assert_true(fabs(r.lower - best) < 1e-5 * best && fabs(r.upper - best) < 1e-5 * best);
    assert_true(r.lower_standard_error < 1e-6 && r.upper_standard_error < 1e-6);
    params.rate = 0.06;
    r = price(&params);
    assert_int_equal(r.exercise_now, 1);
    assert_true(r.lower == 40 * (1 - 39. / 40) && r.upper == r.lower && r.lower_standard_error == 0);
}

/* Far in the money it is best to exercise today, and no policy gains more. */
TEST(exercise_now, DEVICE | REPEATED_ON_OPENCL)
{
    if (!prices_options()) skip();
    bailey_american_params params = put_of(30, 0.2, 1);
    params.outer_paths = 4, params.inner_paths = 1000;
    const bailey_american_result r = price(&params);
    assert_int_equal(r.exercise_now, 1);
    assert_true(r.lower == 10 && r.lower_standard_error == 0);
    print_message("# exercise now: %.4f\n", r.upper);
    assert_true(r.upper >= 10 && r.upper < 10.05);
    assert_true(r.upper_standard_error > 0); /* of the continuation value */
}

/* The interval holds the value at least as often as it says: Bermudan puts by quadrature, two of them deep in
 * the money, where the best exercise is today's. The estimate and its error hold all of the interval. */
TEST(interval, DEVICE | LONG)
{
    if (!prices_options() || compiles_slowly()) skip();
    enum { SEEDS = 20, TIMES = 10, DEALS = 5 };
    static const struct {
        double spot, strike, rate, volatility, years;
    } deals[DEALS] = {{0.28, 0.5, 0.05, 1.7, 8. / 365}, /* 0.220136 with any time of exercise */
                      {80, 100, 0.05, 0.2, 1},
                      {95, 100, 0.05, 0.2, 1},
                      {100, 100, 0.02, 0.4, 0.5},
                      {110, 100, 0.08, 0.3, 2}};
    for (int d = 0; d < DEALS; d++) {
        const double value = bermudan_put(deals[d].spot, deals[d].strike, deals[d].rate, 0,
                                          deals[d].volatility, deals[d].years, TIMES);
        int held = 0, near = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            bailey_american_params params =
                option_of(BAILEY_OPTION_TYPE_PUT, 1, deals[d].spot, deals[d].volatility, 1, TIMES);
            for (int i = 0; i < TIMES; i++) times[i] *= deals[d].years;
            params.strike = deals[d].strike, params.rate = deals[d].rate, params.source.seed = 1 + seed;
            params.policy_paths = 2000, params.paths = 2000, params.outer_paths = 40;
            params.inner_paths = 500, params.antithetic = 1;
            const bailey_american_result r = price(&params);
            const double reach = 1.96 * r.standard_error;
            held += r.interval_low <= value * (1 + 1e-12) && value <= r.interval_high;
            near += fabs(r.price - value) <= reach;
            assert_true(r.price - reach <= r.interval_low && r.interval_high <= r.price + reach);
            assert_true(r.interval_low >= deals[d].strike - deals[d].spot - 1e-12 * deals[d].strike);
        }
        print_message("# put at %g: value %.6f, in %d intervals of %d\n", deals[d].spot, value, held, SEEDS);
        if (held < 19 || near < 19) fail_msg("put at %g: in %d and %d", deals[d].spot, held, near);
    }
}

/* The paths of the lower bound do not decide whether to exercise today, which would make it too high: where
 * the policy holds, it is found on either side of what exercise pays. */
TEST(decision, DEVICE | REPEATED_ON_OPENCL)
{
    if (!prices_options()) skip();
    int above = 0, below = 0;
    for (uint64_t paths = 20; paths < 60; paths++) {
        bailey_american_params params = option_of(BAILEY_OPTION_TYPE_PUT, 1, 35, 0.2, 1, 10);
        params.policy_paths = 1000, params.paths = paths, params.outer_paths = 0, params.lower_only = 1;
        const bailey_american_result r = price(&params);
        assert_int_equal(r.exercise_now, r.in_sample <= 5);
        above += !r.exercise_now && r.lower > 5;
        below += !r.exercise_now && r.lower < 5;
        assert_true(r.interval_low >= 5 * (1 - 1e-12));
    }
    print_message("# held with more than exercise pays %d times, with less %d times\n", above, below);
    assert_true(above && below);
}

/* Two assets that always have the same price are one, and a call on it. One time makes a European option. */
TEST(one_asset, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!prices_options() || compiles_slowly()) skip();
    const double same[] = {1, 1, 1, 1};
    bailey_american_params params = call_of(2, 100);
    params.correlation = same;
    const bailey_american_result two = price(&params);
    params = call_of(1, 100);
    const bailey_american_result one = price(&params);
    /* The call is the put with rate and dividend, and spot and strike, exchanged (R. McDonald, M. Schroder,
     * "A parity result for American options", Journal of Computational Finance 1, 1998). */
    const double value = bermudan_put(100, 100, 0.1, 0.05, 0.2, 3, 9);
    check_bounds("call on one asset", &one, value, value, 0.1, 0.4);
    check_bounds("and as two", &two, value, value, 0.1, 0.4);
}

static double normal_cdf(double x) { return 0.5 * erfc(-x / sqrt(2)); }

TEST(european, DEVICE | LONG_ON_OPENCL)
{
    if (!prices_options() || compiles_slowly()) skip();
    bailey_american_params params = option_of(BAILEY_OPTION_TYPE_PUT, 1, 40, 0.2, 1, 1);
    params.rate = 0.0; /* so that exercise today is worth no more */
    params.basis_functions = 1;
    const bailey_american_result r = price(&params);
    const double value = 40 * erf(0.1 / sqrt(2)); /* at the money, without rate: 40 (2 N(0.1) - 1) */
    assert_true(fabs(r.lower - value) < 3 * r.lower_standard_error);
    assert_true(r.upper == r.lower); /* no choice, nothing to gain */
    assert_int_equal(r.basis_functions, 1);
}

/* A regression with fewer than two paths in the money for each function is none: the policy holds on, so that
 * it is a European option's, whatever those paths are. */
TEST(few_policy_paths, DEVICE | LONG_ON_OPENCL)
{
    if (!prices_options() || compiles_slowly()) skip();
    bailey_american_params params = option_of(BAILEY_OPTION_TYPE_PUT, 1, 40, 0.2, 1, 50);
    params.basis_functions = 5, params.lower_only = 1, params.outer_paths = 0;
    params.policy_paths = 9;
    const bailey_american_result nine = price(&params);
    params.policy_paths = 2;
    const bailey_american_result two = price(&params);
    same_bits("lower bound", &nine.lower, &two.lower, 1, 8);
    const double european = 40 * (exp(-0.06) * normal_cdf(-0.2) - normal_cdf(-0.4));
    assert_true(fabs(nine.lower - european) < 3 * nine.lower_standard_error);
}

/* ---- Bits ---------------------------------------------------------------------------------------- */

enum { PUT_PHILOX, PUT_WARP, CALL_PHILOX, GOLDEN };

/* From the cpu backend when this was written; PoCL gave the same. Lower bound, its error, upper bound, its
 * error, in sample. */
static const double golden[GOLDEN][5] = {
    {0x1.1c48b5b54a80ap+2, 0x1.51a28c2a80e83p-5, 0x1.27ace68e9937cp+2,
     0x1.57cbd6eaae79ap-5, 0x1.1c53d5e96fe82p+2},
    {0x1.1dfb6d13dbcc4p+2, 0x1.70186b6691c48p-5, 0x1.221c0dcbf6e14p+2,
     0x1.29b3127511d28p-5, 0x1.21c91a0c98036p+2},
    {0x1.bb237e78abe7cp+3, 0x1.af8a3fde1a03ep-3, 0x1.c91689c251bd3p+3,
     0x1.ac3d88fcc49e5p-3, 0x1.cae0ec87d0702p+3}};

TEST(bits, DEVICE | REPEATED_ON_OPENCL)
{
    if (!prices_options()) skip();
    for (int i = 0; i < GOLDEN; i++) {
        bailey_american_params params = i == CALL_PHILOX ? call_of(2, 100) : put_of(36, 0.2, 1);
        params.policy_paths = 3001, params.paths = 5003, params.outer_paths = 30, params.inner_paths = 33;
        if (i == PUT_WARP) params.source.generator = BAILEY_GENERATOR_WARP;
        const bailey_american_result r = price(&params);
        const double found[5] = {r.lower, r.lower_standard_error, r.upper, r.upper_standard_error,
                                 r.in_sample};
        for (int k = 0; k < 5; k++)
            if (found[k] != golden[i][k])
                fail_msg("case %d: {%a, %a, %a, %a, %a}", i, found[0], found[1], found[2], found[3],
                         found[4]);
    }
}

/* All of a price has the same bits however little memory the policy's paths have, and whatever was in it:
 * from one segment to the least, on paths that are drawn and on others, from as many as chunks. */
TEST(memory, DEVICE | LONG)
{
    if (!prices_options()) skip();
    for (int i = 0; i < GOLDEN; i++) {
        bailey_american_params params = i == CALL_PHILOX ? call_of(2, 100) : put_of(36, 0.2, 1);
        const uint64_t number = i == CALL_PHILOX ? 8 : 4, rows = i == CALL_PHILOX ? 18 : 50;
        params.policy_paths = i == CALL_PHILOX ? 3001 : 30001, params.paths = 1000;
        params.outer_paths = 0, params.lower_only = 1;
        if (i == PUT_WARP) params.source.generator = BAILEY_GENERATOR_WARP;
        const bailey_american_result all = price(&params);
        for (uint64_t some = rows + 1; some > 2; some = some / 2 + 1) {
            params.memory = some * params.policy_paths * number;
            const bailey_american_result r = price(&params);
            same_bits("price", &r, &all, sizeof r / 8, 8);
        }
        params.memory = 1;
        const bailey_american_result least = price(&params);
        same_bits("price with the least memory", &least, &all, sizeof least / 8, 8);
    }
}

/* ---- States in memory ---------------------------------------------------------------------------- */

enum { KEPT_PATHS = 1003, KEPT_STEPS = 7, KEPT_DIMS = 2, KEPT_ROWS = 3, KEPT_LENGTH = 3 };

static const char kept_code[] = "typedef struct { real sum, x[DIMS], last; } state;\n"
                                "typedef struct { real scale; } params;\n"
                                "void start(state *s, const params *p)\n"
                                "{\n"
                                "    s->sum = 0;\n"
                                "    for (int d = 0; d < DIMS; d++) s->x[d] = 0;\n"
                                "    s->last = -7;\n"
                                "}\n"
                                "void step(state *s, const params *p, int i, real t, const real x[])\n"
                                "{\n"
                                "    s->sum = fma(p->scale, x[0] * x[1], s->sum);\n"
                                "    for (int d = 0; d < DIMS; d++) s->x[d] = x[d];\n"
                                "}\n"
                                "void finish(const state *s, const params *p, real out[2])\n"
                                "{\n"
                                "    out[0] = s->last + s->x[0];\n"
                                "    out[1] = s->sum;\n"
                                "}\n";

/* States that are made in segments are those of one walk, and nothing else is written. */
static void keep_states(bailey_precision precision, bailey_generator generator, int segments)
{
    static const double at[KEPT_STEPS] = {0.5, 0.75, 1, 1.25, 2, 2.5, 3}, factor[] = {0.3, 0, 0.1, 0.2};
    static const double scale = 1.5;
    const size_t element = precision == BAILEY_PRECISION_F64 ? 8 : 4;
    const uint64_t rows =
        segments ? KEPT_LENGTH * KEPT_ROWS + 2 * (KEPT_ROWS + KEPT_DIMS) : (uint64_t)KEPT_STEPS * KEPT_ROWS;
    const uint64_t bytes = (rows + 1) * KEPT_PATHS * element;
    const bailey_simulation_params params = {.path = {.times = at,
                                                      .steps = KEPT_STEPS,
                                                      .dims = KEPT_DIMS,
                                                      .factor = factor,
                                                      .construction = BAILEY_CONSTRUCTION_WALK,
                                                      .precision = precision},
                                             .payoff = {.code = kept_code}};
    const bailey_simulation_run_params run = {
        .source = {.generator = generator, .seed = 4}, .paths = KEPT_PATHS, .normal.precision = precision};
    bailey_simulation *s = NULL;
    bailey_estimate estimates[2];
    OK(bailey_simulation_create(context, &params, &s));
    OK(bailey_simulation_set(s, "scale", &scale, 1));

    /* x and sum by the bridge and by hand */
    bailey_bridge *bridge = NULL;
    bailey_buffer *x = NULL;
    const uint64_t all = (uint64_t)KEPT_STEPS * KEPT_DIMS * KEPT_PATHS;
    char *points = allocate(all * element);
    OK(bailey_bridge_create(context, &params.path, &bridge));
    OK(bailey_buffer_create(context, all * element, &x));
    OK(bailey_bridge_paths(bridge, &run.source, &run.normal, 0, KEPT_PATHS, x));
    OK(bailey_buffer_read(x, 0, points, all * element));
    bailey_buffer_destroy(x);
    bailey_bridge_destroy(bridge);

    struct bly_kept kept = {.memory = poisoned(bytes)};
    const uint64_t row = KEPT_PATHS, marks = KEPT_LENGTH * KEPT_ROWS * row;
    const uint32_t length = segments ? KEPT_LENGTH : KEPT_STEPS;
    kept.at.row = row, kept.at.last = rows * row, kept.at.every = 1;
    s->kept = &kept;
    for (uint32_t begin = 0; begin < KEPT_STEPS; begin += length) {
        const uint32_t end = begin + length < KEPT_STEPS ? begin + length : KEPT_STEPS;
        const uint64_t mark = marks + begin / length * (KEPT_ROWS + KEPT_DIMS) * row;
        kept.at.begin = begin, kept.at.end = end;
        kept.at.from = begin ? mark - (KEPT_ROWS + KEPT_DIMS) * row : 0;
        kept.at.mark = end < KEPT_STEPS ? mark : 0;
        OK(bailey_simulation_run(s, &run, estimates));
    }

    /* The last step's states are read; last + x[0] becomes the last number. */
    char *zeros = allocate(KEPT_PATHS * element);
    memset(zeros, 0, KEPT_PATHS * element);
    OK(bailey_buffer_write(kept.memory, rows * row * element, zeros, KEPT_PATHS * element));
    kept.reads = kept.at.replaces = 1;
    kept.at.before = kept.at.from = (KEPT_STEPS - 1) % length * KEPT_ROWS * row;
    OK(bailey_simulation_run(s, &run, estimates));
    s->kept = NULL;
    bailey_estimate plain[2];
    OK(bailey_simulation_run(s, &run, plain));
    same_bits("the sum of all steps", &estimates[1], &plain[1], sizeof plain[1] / 8, 8);
    char *found = harvest(kept.memory, bytes);
    const char *end_points = points + (KEPT_STEPS - 1) * KEPT_DIMS * row * element;
    for (uint64_t i = 0; i < (segments ? 1u : KEPT_STEPS); i++) { /* by segments, the first there is step 6 */
        const uint64_t step = segments ? KEPT_STEPS - 1 : i;
        same_bits("x", found + (i * KEPT_ROWS + 1) * row * element, points + step * KEPT_DIMS * row * element,
                  KEPT_DIMS * row, element);
    }
    same_bits("the last number", found + rows * row * element, end_points, row, element);
    free(found);
    free(zeros);
    free(points);
    bailey_simulation_destroy(s);
}

TEST(states, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!prices_options()) skip();
    for (int i = 0; i < 8; i++)
        keep_states(i & 1 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32,
                    i & 2 ? BAILEY_GENERATOR_WARP : BAILEY_GENERATOR_PHILOX, i & 4);
}

/* Other streams are other paths; the seed and nothing else decides. */
TEST(streams, DEVICE | LONG_ON_OPENCL)
{
    if (!prices_options()) skip();
    bailey_american_params params = put_of(36, 0.2, 1);
    params.policy_paths = 500, params.paths = 2000, params.outer_paths = 0, params.lower_only = 1;
    const bailey_american_result a = price(&params), b = price(&params);
    assert_true(a.lower == b.lower && a.in_sample == b.in_sample && a.lower != a.in_sample);
    assert_true(isnan(a.upper) && isnan(a.upper_standard_error) && a.price == a.lower);
    assert_true(isnan(a.standard_error) && isinf(a.interval_high) && a.interval_low < a.lower);
    params.source.stream = 1;
    const bailey_american_result c = price(&params);
    assert_true(c.lower != a.lower && c.in_sample != a.in_sample);
}

/* ---- Refusals ------------------------------------------------------------------------------------ */

static void refuse(const bailey_american_params *params, const char *argument, const char *words)
{
    bailey_american_result result, before;
    memset(&result, POISON, sizeof result);
    before = result;
    const bailey_status status = bailey_american_price(context, params, &result);
    if (status != BAILEY_ERROR_INVALID) fail_msg("%s: %s", argument, bailey_status_name(status));
    assert_string_equal(bailey_error_argument(), argument);
    if (!strstr(bailey_error_message(), words)) fail_msg("'%s' has no '%s'", bailey_error_message(), words);
    assert_memory_equal(&result, &before, sizeof result);
}

#define REFUSE(field, value, argument, words)                                                                \
    do {                                                                                                     \
        bailey_american_params params_ = call_of(2, 100);                                                    \
        params_.field = value;                                                                               \
        refuse(&params_, argument, words);                                                                   \
    } while (0)

TEST(refusals, DEVICE)
{
    if (!prices_options()) skip();
    static const double bad_times[] = {0.5, 0.25}, zero[] = {0, 1}, negative[] = {100, -1};
    static const double indefinite[] = {1, 2, 2, 1}, far[] = {1e35, 100};
    bailey_american_result result;
    REFUSE(type, BAILEY_OPTION_TYPE_PUT, "assets", "a put has 1");
    REFUSE(spot, negative, "spot", "spot[1] is -1");
    REFUSE(spot, far, "spot", "1e+35");
    REFUSE(volatility, negative, "volatility", "volatility[1] is -1");
    REFUSE(correlation, indefinite, "correlation", "correlation[1][0] is 2");
    REFUSE(rate, 90, "rate", "discount factor");
    REFUSE(exercise_times, zero, "exercise_times", "not positive");
    REFUSE(source.generator, BAILEY_GENERATOR_SOBOL, "generator", "points");
    REFUSE(source.stream, UINT64_MAX - 21, "stream", "exceed 2^64");
    bailey_american_params params = call_of(2, 100);
    params.exercise_times = bad_times;
    params.exercise_count = 2;
    refuse(&params, "exercise_times", "does not exceed");
    params = call_of(3, 100);
    params.basis_functions = 15;
    refuse(&params, "basis_functions", "from 1 to 14");
    assert_int_equal(bailey_american_price(NULL, &params, &result), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_american_price(context, NULL, &result), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_american_price(context, &params, NULL), BAILEY_ERROR_INVALID);
}

struct watch {
    uint64_t calls, last, total, stop;
};

static int watch(void *user, uint64_t done, uint64_t total)
{
    struct watch *w = user;
    w->calls++;
    if (done < w->last || done > total || (w->total && total != w->total)) fail_msg("progress goes astray");
    w->last = done;
    w->total = total;
    return done >= w->stop;
}

TEST(progress, DEVICE | LONG_ON_OPENCL)
{
    if (!prices_options()) skip();
    struct watch w = {.stop = UINT64_MAX};
    bailey_american_result result = {.paths = 7};
    bailey_american_params params = put_of(36, 0.2, 1);
    params.policy_paths = params.paths = 1000, params.outer_paths = 3, params.inner_paths = 10;
    params.progress = watch;
    params.progress_user = &w;
    OK(bailey_american_price(context, &params, &result));
    /* 50 times of the policy, the lower bound and outer paths; inner paths from 49, to the second time from there */
    assert_true(w.calls > 50 && w.last == w.total && w.total == 100000 + 3 * (50 + 10 * 97));
    assert_int_equal(result.paths, 2000 + 3 * 50 + 3 * 10 * 49);
    for (int part = 1; part <= 3; part++) { /* in the regressions, the lower bound, the upper one */
        w = (struct watch){.stop = part == 1 ? 20000 : part == 2 ? 60000 : 100010};
        result.paths = 7;
        assert_int_equal(bailey_american_price(context, &params, &result), BAILEY_ERROR_CANCELLED);
        assert_true(result.paths == 7);
    }
}

/* ---- The regression ------------------------------------------------------------------------------ */

/* Functions 1, x, x^2 and, as a combination, 1 + x explain 3 - x + 2 x^2 exactly. */
TEST(test_regression, DEVICE)
{
    double a[4][5] = {{0}}, x[4] = {0};
    int used[4];
    for (int p = 0; p < 100; p++) {
        const double u = p / 100.0, f[] = {1, u, 1 + u, u * u}, y = 3 - u + 2 * u * u;
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) a[i][j] += f[i] * f[j];
            x[i] += f[i] * y;
        }
    }
    bly_regression_factor(4, 5, a[0], used);
    bly_regression_solve(4, 5, a[0], used, x);
    assert_true(used[0] && used[1] && !used[2] && used[3]);
    assert_true(fabs(x[0] - 3) < 1e-9 && fabs(x[1] + 1) < 1e-9 && x[2] == 0 && fabs(x[3] - 2) < 1e-9);
}
