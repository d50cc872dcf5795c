/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The listed products that may be exercised early, under several models: known prices between both bounds, one
 * date, and Greeks under the policy. BAILEY_TEST_LARGE measures how often intervals hold the price.
 */
#include "simulations.h"

#include <bailey/exercise.h>
#include <bailey/gradient.h>
#include <bailey/greeks.h>

#include <math.h>

#define MOST_DATES 64
static double times[MOST_DATES], dates[100];

struct deal {
    const char *product, *model, *values; /* NAME=VALUE[,VALUE...] */
    double years;
    uint32_t dates, substeps, assets;
    double correlation, wanted;
    double gap; /* between the bounds, at most */
};

#define PUT "spot=36 rate=0.06 dividend=0 volatility=0.2 strike=40 sign=-1"
#define HESTON_PUT                                                                                           \
    "spot=100 rate=0.05,0.05,0.05,0.05,0.05 dividend=0.02,0.02,0.02,0.02,0.02 variance=0.04 reversion=1.5 "  \
    "mean_variance=0.05 sigma=0.3 correlation=-0.7 strike=100 sign=-1"
#define RATES "reversion=0.1 sigma=0.015 tenor=1 "
#define FLAT RATES "forward=0.03,0.03,0.03,0.03 "
#define BEST "spot=100,100 rate=0.05 dividend=0.1,0.1 volatility=0.2,0.2 strike=100"
#define TWO "spot=100,95 rate=0.05 dividend=0.1,0.08 volatility=0.2,0.25 strike=100"
#define NOTE "spot=100 rate=0.03 dividend=0 volatility=0.2 lower=85 upper=115 "

/* By quadrature of the logarithm on 6,001 to 16,001 points, of two assets on 1,001 squared, all within 2e-4. Heston's
 * put by QuantLib 1.44, FdHestonVanillaEngine of 800 x 600 x 150 points: 6.81325 (400 x 400 x 100: 6.81306). Swaptions
 * by quadrature of the short rate; QuantLib's FdHullWhiteSwaptionEngine of 1,000 x 1,000 points: 0.0348989, 0.0252285,
 * 0.0177198, 0.0234331. The call on the better of two: 13.902 in Andersen and Broadie 2004, table 2. */
static const struct deal deals[] = {
    {"bermudan-swaption", "hull-white", RATES "forward=0.02,0.025,0.03,0.035 strike=0.03", 4, 4, 0, 0, 0, 0.0300312,
     0.003},
    {"bermudan-swaption", "hull-white", FLAT "strike=0.025", 4, 4, 0, 0, 0, 0.0348990, 0.003},
    {"bermudan-swaption", "hull-white", FLAT "strike=0.03", 4, 4, 0, 0, 0, 0.0252286, 0.003},
    {"bermudan-swaption", "hull-white", FLAT "strike=0.035", 4, 4, 0, 0, 0, 0.0177200, 0.003},
    {"bermudan-swaption", "hull-white", FLAT "strike=0.03 sign=-1", 4, 4, 0, 0, 0, 0.0234332, 0.003},
    {"bermudan", "heston+curve", HESTON_PUT, 1, 5, 4, 0, 0, 6.8133, 0.7},
    {"bermudan-rainbow", "black-scholes", BEST, 3, 9, 0, 2, 0, 13.9018, 1.3},
    {"bermudan-rainbow", "black-scholes",
     "spot=100,95 rate=0.05 dividend=0.02,0.02 volatility=0.2,0.3 strike=100 which=-1 sign=-1", 1, 4, 0, 2, 0.5,
     14.45056, 0.9},
    {"callable-range-accrual", "black-scholes", NOTE "coupon=0.01", 3, 12, 0, 0, 0, -97.10438, 0.5},
    {"callable-range-accrual", "black-scholes", NOTE "coupon=0.005 first=4 redemption=0.98 right=1", 3, 12, 0, 0, 0,
     96.44975, 0.5},
};
#define DEALS (sizeof deals / sizeof *deals)
#define SHORT 5 /* swaptions, which come first */

static int is_quick(void) { return getenv("BAILEY_TEST_QUICK") || strncmp(device.address, "opencl", 6) == 0; }

static bailey_simulation *make(const struct deal *d)
{
    const double covariance[] = {1, d->correlation, d->correlation, 1};
    for (uint32_t i = 0; i < d->dates; i++) times[i] = d->years * (i + 1) / d->dates;
    const bailey_simulation_params params = {
        .path = {.times = times,
                 .steps = d->dates,
                 .dims = d->assets,
                 .covariance = d->assets > 1 ? covariance : NULL,
                 .precision = BAILEY_PRECISION_F64},
        .payoff = {.name = d->product, .model_name = d->model, .substeps = d->substeps}};
    bailey_simulation *s = NULL;
    OK(bailey_simulation_create(context, &params, &s));
    set_list(s, d->values);
    return s;
}

static bailey_simulation *policy_of(const struct deal *d, uint64_t paths, uint64_t seed)
{
    bailey_simulation *s = make(d), *policy = NULL;
    const bailey_exercise_params params = {
        .paths = paths, .source = {.seed = seed, .stream = 1}, .normal.precision = BAILEY_PRECISION_F64, .outside = 1};
    bailey_exercise_result found;
    OK(bailey_exercise_find(s, &params, &found, &policy));
    assert_int_equal(found.dates, d->dates);
    bailey_simulation_destroy(s);
    return policy;
}

/* ---- Known prices -------------------------------------------------------------------------------- */

static bailey_exercise_bounds bounds_of(const struct deal *d, uint64_t paths, uint64_t outer, uint64_t seed)
{
    bailey_simulation *policy = policy_of(d, paths, seed);
    const bailey_exercise_bounds_params params = {.paths = paths,
                                                  .outer_paths = outer,
                                                  .inner_paths = 64,
                                                  .antithetic = 1,
                                                  .source = {.seed = seed, .stream = 2},
                                                  .normal.precision = BAILEY_PRECISION_F64};
    bailey_exercise_bounds b;
    OK(bailey_exercise_bound(policy, &params, &b));
    bailey_simulation_destroy(policy);
    return b;
}

static void check(const struct deal *d)
{
    const bailey_exercise_bounds b = bounds_of(d, 4000, 60, 7);
    print_message("# %s under %s: %.5f +- %.5f .. %.5f +- %.5f, known %.5f\n", d->product, d->model, b.lower,
                  b.lower_standard_error, b.upper, b.upper_standard_error, d->wanted);
    if (!(b.lower - 3 * b.lower_standard_error <= d->wanted && d->wanted <= b.upper + 3 * b.upper_standard_error))
        fail_msg("%s is not between the bounds", d->product);
    if (!(b.interval_high - b.interval_low < d->gap)) fail_msg("%s: the bounds are too far apart", d->product);
}

/* The swaptions in the same launches, each under its own policy. */
TEST(prices, DEVICE)
{
    if (!simulates() || is_quick()) skip();
    static const char *const names[] = {"forward[0]", "forward[1]", "forward[2]", "forward[3]", "strike", "sign"};
    static const double values[SHORT][6] = {{0.02, 0.025, 0.03, 0.035, 0.03, 1},
                                            {0.03, 0.03, 0.03, 0.03, 0.025, 1},
                                            {0.03, 0.03, 0.03, 0.03, 0.03, 1},
                                            {0.03, 0.03, 0.03, 0.03, 0.035, 1},
                                            {0.03, 0.03, 0.03, 0.03, 0.03, -1}};
    bailey_simulation *s = make(&deals[0]);
    const bailey_exercise_params params = {
        .paths = 4000, .source = {.seed = 7, .stream = 1}, .normal.precision = BAILEY_PRECISION_F64};
    const bailey_simulation_run_params run = {
        .paths = 8000,
        .source = {.seed = 7},
        .antithetic = 1,
        .normal.precision = BAILEY_PRECISION_F64,
        .scenarios = {.count = SHORT, .columns = 6, .names = names, .values = values[0]}};
    bailey_exercise_result found[SHORT];
    bailey_estimate e[SHORT];
    OK(bailey_exercise_price(s, &params, &run, found, e));
    for (int i = 0; i < SHORT; i++) {
        const double wanted = deals[i].wanted, error = e[i].standard_error;
        print_message("# swaption %d: %.6f +- %.6f, in sample %.6f, known %.6f\n", i, e[i].mean, error,
                      found[i].in_sample, wanted);
        if (!(e[i].mean <= wanted + 3 * error)) fail_msg("swaption %d is above its value", i);
        if (!(e[i].mean >= wanted - 0.0002 - 3 * error)) fail_msg("swaption %d is far below its value", i);
        if (!(fabs(found[i].in_sample - wanted) <= 0.0002 + 4 * found[i].in_sample_standard_error))
            fail_msg("swaption %d in sample", i);
    }
    bailey_simulation_destroy(s);
}

TEST(more_prices, DEVICE | LONG)
{
    if (!simulates() || is_quick()) skip();
    for (size_t i = SHORT - 1; i < DEALS; i++) check(&deals[i]);
}

/* Published tables through the products, the deals of a row in shared launches. Longstaff and Schwartz 2001, table 1:
 * puts, by finite differences. Andersen and Broadie 2004, table 2: calls on the largest, by lattices, of five assets
 * the middle of their interval. Broadie and Glasserman, "Pricing American-style securities using simulation", Journal
 * of Economic Dynamics and Control 21 (1997): calls on the larger of two, correlation 0.3, by a lattice. Quadrature on
 * grids gives those of two assets within 0.0025, of three 11.279, 18.690 and 27.565. */
static const struct {
    const char *what, *product, *values;
    double years;
    uint32_t dates, assets, count;
    double correlation, by[10][3]; /* spot, volatility, value */
    int is_large;
} tables[] = {
    {"puts, one year", "bermudan", PUT, 1, 50, 1, 10, 0,
     {{36, 0.2, 4.478}, {36, 0.4, 7.101}, {38, 0.2, 3.250}, {38, 0.4, 6.148}, {40, 0.2, 2.314},
      {40, 0.4, 5.312}, {42, 0.2, 1.617}, {42, 0.4, 4.582}, {44, 0.2, 1.110}, {44, 0.4, 3.948}}, 0},
    {"calls on three", "bermudan-rainbow", "rate=0.05 dividend=0.1,0.1,0.1 strike=100", 3, 9, 3, 3, 0,
     {{90, 0.2, 11.29}, {100, 0.2, 18.69}, {110, 0.2, 27.58}}, 0},
    {"puts, two years", "bermudan", PUT, 2, 100, 1, 10, 0,
     {{36, 0.2, 4.840}, {36, 0.4, 8.508}, {38, 0.2, 3.745}, {38, 0.4, 7.670}, {40, 0.2, 2.885},
      {40, 0.4, 6.920}, {42, 0.2, 2.212}, {42, 0.4, 6.248}, {44, 0.2, 1.690}, {44, 0.4, 5.647}}, 1},
    {"calls on two", "bermudan-rainbow", "rate=0.05 dividend=0.1,0.1 strike=100", 3, 9, 2, 3, 0,
     {{90, 0.2, 8.075}, {100, 0.2, 13.902}, {110, 0.2, 21.345}}, 1},
    {"calls on five", "bermudan-rainbow", "rate=0.05 dividend=0.1,0.1,0.1,0.1,0.1 strike=100", 3, 9, 5, 3, 0,
     {{90, 0.2, 16.629}, {100, 0.2, 26.2}, {110, 0.2, 36.768}}, 1},
    {"correlated calls on two", "bermudan-rainbow", "rate=0.05 dividend=0.1,0.1 strike=100", 1, 3, 2, 7, 0.3,
     {{70, 0.2, 0.237}, {80, 0.2, 1.259}, {90, 0.2, 4.077}, {100, 0.2, 9.361}, {110, 0.2, 16.924}, {120, 0.2, 25.980},
      {130, 0.2, 35.763}}, 1},
};

TEST(published, DEVICE | LONG)
{
    if (!simulates() || is_quick()) skip();
    enum { MOST_ASSETS = 5 };
    const uint64_t paths = getenv("BAILEY_TEST_LARGE") ? 100000 : 10000;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        const uint32_t assets = tables[t].assets, count = tables[t].count, columns = 2 * assets;
        if (tables[t].is_large && !getenv("BAILEY_TEST_LARGE")) continue;
        double covariance[MOST_ASSETS * MOST_ASSETS], values[10 * 2 * MOST_ASSETS];
        char name[2 * MOST_ASSETS][20];
        const char *names[2 * MOST_ASSETS];
        for (uint32_t i = 0; i < assets * assets; i++)
            covariance[i] = i % (assets + 1) ? tables[t].correlation : 1;
        for (uint32_t c = 0; c < columns; c++) {
            const char *of = c < assets ? "spot" : "volatility";
            snprintf(name[c], sizeof name[c], assets > 1 ? "%s[%u]" : "%s", of, c % assets);
            names[c] = name[c];
            for (uint32_t i = 0; i < count; i++) values[i * columns + c] = tables[t].by[i][c >= assets];
        }
        for (uint32_t i = 0; i < tables[t].dates; i++)
            dates[i] = tables[t].years * (i + 1) / tables[t].dates;
        const bailey_simulation_params params = {
            .path = {.times = dates,
                     .steps = tables[t].dates,
                     .dims = assets > 1 ? assets : 0,
                     .covariance = assets > 1 ? covariance : NULL,
                     .precision = BAILEY_PRECISION_F64},
            .payoff = {.name = tables[t].product, .model_name = "black-scholes"}};
        const bailey_exercise_params find = {
            .paths = paths, .source = {.seed = 41, .stream = 1}, .normal.precision = BAILEY_PRECISION_F64};
        const bailey_simulation_run_params run = {
            .paths = 2 * paths,
            .source = {.seed = 41},
            .antithetic = 1,
            .normal.precision = BAILEY_PRECISION_F64,
            .scenarios = {.count = count, .columns = columns, .names = names, .values = values}};
        bailey_exercise_result found[10];
        bailey_estimate e[10];
        bailey_simulation *s = NULL;
        OK(bailey_simulation_create(context, &params, &s));
        set_list(s, tables[t].values);
        OK(bailey_exercise_price(s, &find, &run, found, e));
        for (uint32_t i = 0; i < count; i++) {
            const double wanted = tables[t].by[i][2], error = e[i].standard_error, given = 0.01 * wanted + 0.01;
            print_message("# %s: %.4f +- %.4f, in sample %.4f, published %.3f\n", tables[t].what, e[i].mean, error,
                          found[i].in_sample, wanted);
            if (!(e[i].mean <= wanted + 0.015 + 3 * error)) fail_msg("%s: %u is above", tables[t].what, i);
            if (!(e[i].mean >= wanted - given - 3 * error)) fail_msg("%s: %u is far below", tables[t].what, i);
        }
        bailey_simulation_destroy(s);
    }
}

/* 400 runs of six deals: how many of the intervals of 95 % hold the price, and how wide they are. */
TEST(coverage, DEVICE | LONG)
{
    if (!simulates() || !getenv("BAILEY_TEST_LARGE")) skip();
    enum { RUNS = 400 };
    for (size_t i = SHORT - 1; i < DEALS; i++) {
        int held = 0, below = 0, above = 0;
        double width = 0;
        for (uint64_t seed = 0; seed < RUNS; seed++) {
            const bailey_exercise_bounds b = bounds_of(&deals[i], 4000, 50, 100 + seed);
            below += deals[i].wanted < b.interval_low;
            above += deals[i].wanted > b.interval_high;
            held += b.interval_low <= deals[i].wanted && deals[i].wanted <= b.interval_high;
            width += (b.interval_high - b.interval_low) / RUNS;
        }
        printf("%s under %s: %d of %d intervals hold %g, %d are above and %d below; mean width %.5f\n",
               deals[i].product, deals[i].model, held, RUNS, deals[i].wanted, below, above, width);
        fflush(stdout);
        if (held < 0.95 * RUNS - 13) fail_msg("%s: %d of %d", deals[i].product, held, RUNS); /* three errors */
    }
}

/* ---- One date ------------------------------------------------------------------------------------ */

/* With one date a put is European: Black and Scholes's formula. */
TEST(one_date, DEVICE | LONG)
{
    if (!simulates() || is_quick()) skip();
    static const struct deal put = {"bermudan", "black-scholes", PUT, 1, 1, 0, 0, 0, 0, 0},
                             plain = {"european", "black-scholes", PUT, 1, 1, 0, 0, 0, 0, 0};
    bailey_simulation *european = make(&plain), *policy = policy_of(&put, 1000, 1);
    const bailey_simulation_run_params run = {.paths = 5000, .normal.precision = BAILEY_PRECISION_F64};
    bailey_estimate once, never;
    OK(bailey_simulation_run(policy, &run, &once));
    OK(bailey_simulation_run(european, &run, &never));
    same_bits("price", &once.mean, &never.mean, 1, 8);
    if (!(fabs(once.mean - 3.844308) < 4 * once.standard_error)) fail_msg("%g", once.mean);
    bailey_simulation_destroy(policy);
    bailey_simulation_destroy(european);
}

/* ---- Greeks -------------------------------------------------------------------------------------- */

static void is_near(const char *what, const bailey_greek_estimate *g, double wanted, double bias)
{
    print_message("# %s: %.5f +- %.5f, known %.5f\n", what, g->mean, g->standard_error, wanted);
    assert_true(g->standard_error > 0);
    if (!(fabs(g->mean - wanted) < 4 * g->standard_error + bias)) fail_msg("%s is %g", what, g->mean);
}

/* Known by differences of the quadrature. Those of the policy have a bias, which falls with what it gives away;
 * gamma and vanna are differences of slopes, as paths change their date where the spot moves. Volga is below that of
 * the price, whose best policy depends on the volatility. */
TEST(greeks, DEVICE | LONG)
{
    if (!simulates() || is_quick()) skip();
    static const struct deal put = {"bermudan", "black-scholes", PUT, 1, 10, 0, 0, 0, 0, 0};
    static const char *const spots[] = {"spot"}, *const volatilities[] = {"volatility"};
    static const double wanted[] = {4.442526, -0.689938, 0.0823953, 11.10063, 48.904, 1.99530, -11.22299, -0.379203};
    static const double bias[] = {0.02, 0.01, 0.001, 0.15, 0, 0.05, 0.15, 0.02};
    bailey_simulation *policy = policy_of(&put, 30000, 3);
    const bailey_simulation_run_params run = {
        .paths = 20000, .antithetic = 1, .normal.precision = BAILEY_PRECISION_F64};
    const bailey_greeks_params params = {.spots = spots,
                                         .spot_count = 1,
                                         .volatilities = volatilities,
                                         .volatility_count = 1,
                                         .rate = "rate",
                                         .theta = 1};
    bailey_greek_estimate g[8];
    assert_int_equal(bailey_simulation_greeks_count(policy, &params), 8);
    OK(bailey_simulation_greeks(policy, &run, &params, g));
    for (int i = 0; i < 8; i++)
        if (g[i].kind != BAILEY_GREEK_KIND_VOLGA) is_near(bailey_greek_name(g[i].kind), &g[i], wanted[i], bias[i]);
    assert_true(g[4].kind == BAILEY_GREEK_KIND_VOLGA && g[4].mean < wanted[4] && g[4].standard_error > 0);
    for (int i = 1; i < 8; i++) assert_int_equal(g[i].method, BAILEY_GREEK_METHOD_GRADIENT);
    assert_true(g[2].bump > 0 && g[1].bump == 0);
    bailey_simulation_destroy(policy);
}

/* The slope of the price by differences of the fourth order, of scenarios at 2, 1, -1 and -2 times h. */
static double slope(bailey_simulation *s, bailey_simulation_run_params run, bailey_scenarios scenarios, double h)
{
    const double weights[] = {-1 / (12 * h), 8 / (12 * h), -8 / (12 * h), 1 / (12 * h)};
    bailey_estimate found;
    scenarios.count = 4;
    scenarios.rows = 1;
    scenarios.weights = weights;
    run.scenarios = scenarios;
    OK(bailey_simulation_run(s, &run, &found));
    return found.mean;
}

static void agrees(const char *what, double gradient, double difference)
{
    print_message("# %s: %.12f by adjoints, %.12f by differences\n", what, gradient, difference);
    assert_true(fabs(gradient) > 1e-3);
    if (!(fabs(gradient - difference) < 1e-10 * fmax(fabs(gradient), 1))) fail_msg("%s differs", what);
}

/* On so few paths that none decides otherwise, all first derivatives of a call on the better of two are what
 * differences under the same policy are. */
TEST(frozen, DEVICE)
{
    if (!simulates() || is_quick()) skip();
    static const struct deal call = {"bermudan-rainbow", "black-scholes", TWO, 3, 3, 0, 2, 0.3, 0, 0};
    static const struct {
        const char *name;
        double value, h;
    } by[] = {{"spot[0]", 100, 1e-3}, {"volatility[1]", 0.25, 1e-5}, {"rate", 0.05, 1e-5}};
    static const double steps[] = {2, 1, -1, -2};
    bailey_simulation *policy = policy_of(&call, 4000, 5);
    const bailey_simulation_run_params run = {.paths = 64, .normal.precision = BAILEY_PRECISION_F64};
    const bailey_gradient_params params = {.covariance = 1, .time = 1};
    bailey_derivative g[32];
    bailey_estimate price;
    const uint64_t count = bailey_simulation_gradient_count(policy, &params);
    assert_true(count <= 32);
    OK(bailey_simulation_gradient(policy, &run, &params, &price, g));
    double moved[4], covariance[4][4];
    for (int k = 0; k < 3; k++) {
        uint64_t i = 0;
        const size_t length = strcspn(by[k].name, "[");
        while (i < count && (strncmp(g[i].name, by[k].name, length) || g[i].first != (k == 1))) i++;
        for (int j = 0; j < 4; j++) moved[j] = by[k].value + steps[j] * by[k].h;
        assert_true(i < count);
        agrees(by[k].name, g[i].estimate.mean,
               slope(policy, run, (bailey_scenarios){.columns = 1, .names = &by[k].name, .values = moved}, by[k].h));
    }
    const double h = 1e-4;
    for (int j = 0; j < 4; j++) {
        const double c[4] = {1, 0.3 + steps[j] * h, 0.3 + steps[j] * h, 1};
        memcpy(covariance[j], c, sizeof c);
        moved[j] = -steps[j] * h;
    }
    agrees("covariance", g[count - 3].estimate.mean,
           slope(policy, run, (bailey_scenarios){.covariance = covariance[0]}, h));
    agrees("theta", g[count - 1].estimate.mean, slope(policy, run, (bailey_scenarios){.time_shift = moved}, h));
    bailey_simulation_destroy(policy);
}
