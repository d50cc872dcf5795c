/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Models and products: prices of compositions against known ones, their bits against whole payoffs, their
 * Greeks and gradients, and what is refused.
 */
#include <bailey/exercise.h>
#include <bailey/gradient.h>
#include <bailey/greeks.h>

#include "simulations.h"

#include <math.h>

#define MOST_DATES 64

/* A composition, its parameters as NAME=VALUE[,VALUE...], its path, and what it is worth. */
struct composed {
    const char *product, *model, *values;
    double years;
    uint32_t dates;
    double correlation; /* of two assets */
    double wanted;
    int quick;        /* 1: priced where long tests are not run */
    double tolerated; /* of what `wanted` approximates; or of a scheme */
};
#define MANY (1u << 14)

#define RATES "rate=0.05 dividend=0.02 spot=100 "
#define BS "black-scholes", RATES "volatility=0.2 "
#define TWO "black-scholes", "rate=0.05 dividend=0.02,0.02 spot=100,95 volatility=0.2,0.3 "
#define VARIANCE "variance=0.04 reversion=1.5 mean_variance=0.05 sigma=0.3 correlation=-0.7 "
#define JUMPS "intensity=0.8 jump_mean=-0.1 jump_sigma=0.15 "
#define HESTON "heston", RATES VARIANCE
#define MERTON "merton", RATES "volatility=0.2 " JUMPS
#define BATES "bates", RATES VARIANCE JUMPS
#define KOU "kou", RATES "volatility=0.2 intensity=1.5 share_up=0.4 mean_up=0.1 mean_down=0.15 "
#define CURVES                                                                                               \
    "black-scholes-curves", "spot=100 rate=0.02,0.03,0.04,0.05 dividend=0,0.01,0.02,0.03 "                   \
                            "volatility=0.15,0.2,0.25,0.3 "
#define VASICEK "vasicek", "short_rate=0.03 reversion=0.5 mean_rate=0.04 sigma=0.012 "
#define HULL_WHITE "hull-white", "forward=0.02,0.025,0.03,0.035 reversion=0.1 sigma=0.015 "
#define EQUITY_RATE                                                                                          \
    "black-scholes-hull-white", "spot=100 volatility=0.2 dividend=0.02 forward=0.02,0.025,0.03,0.035 "       \
                                "reversion=0.1 sigma=0.015 "
#define HESTON_RATE                                                                                          \
    "heston-hull-white", "spot=100 dividend=0.02 forward=0.02,0.025,0.03,0.035 rate_reversion=0.1 rate_sigma=0.015 "       \
                         "variance=0.04 reversion=1.5 "
#define NODES "nodes=3 node=0.5,2,5,0,0,0,0,0,0,0,0,0,0,0,0,0 zero_rate=0.02,0.03,0.04,0,0,0,0,0,0,0,0,0,0,0,0,0 "
#define CIR "cir", "short_rate=0.03 reversion=0.6 mean_rate=0.04 sigma=0.15 "
#define CURVE "spot=100 rate=0.02,0.03,0.04,0.05 dividend=0,0.01,0.02,0.03 "
#define STOCHASTIC_RATE "spot=100 short_rate=0.03 mean_rate=0.04 dividend=0.02 "
/* Two assets; with sigma 0 their variances stay the same, so that the correlation is known to be the prices'. */
#define FIXED_VARIANCES                                                                                      \
    "spot=100,95 rate=0.05 dividend=0.02,0.02 variance=0.04,0.09 mean_variance=0.04,0.09 reversion=1,1 "     \
    "sigma=0,0 correlation=-0.7,0.4 "
#define TWO_HESTON                                                                                           \
    "spot=100,95 rate=0.05 dividend=0.02,0.02 variance=0.04,0.09 mean_variance=0.05,0.08 reversion=1.5,1 "   \
    "sigma=0.3,0.5 correlation=-0.7,-0.3 "
#define DIVIDENDS "spot=100 rate=0.05 volatility=0.2 strike=100 "
#define SABR "sabr", RATES "volatility=0.25 "
/* Closed forms; of payoffs at dates (the last of tarn by quadrature), densities of the logarithm moved by FFT
 * on 24,001 points; of two assets, quadrature; of Heston, Bates, Merton and Kou, Lewis's integral of the
 * characteristic function, which QuantLib 1.44 agrees with; barriers, best-of and worst-of by QuantLib's
 * AnalyticBarrierEngine, AnalyticDoubleBarrierEngine and StulzEngine; Heston's barrier by its
 * FdHestonBarrierEngine; SABR by its FdSabrVanillaEngine on 200 x 600 x 150 points; CIR by its CoxIngersollRoss;
 * lognormal dividends by quadrature; Heston with Vasicek's rate, Lewis's integral over the normal law of the rate's integral; two assets under
 * Heston, 2,400,000 paths of 200 steps in NumPy, whose errors are 0.008 and 0.011. */
static const struct composed cases[] = {
    {"european", BS "strike=110", 1, 1, 0, 5.188582, 1, 0},
    {"digital", BS "strike=110 cash=10 sign=-1", 1, 1, 0, 6.327072, 0, 0},
    {"asian-geometric", BS "strike=100", 1, 12, 0, 5.327706, 0, 0},
    {"barrier", BS "strike=105 barrier=85 side=-1", 1, 3, 0, 6.717296, 0, 0},
    {"barrier", BS "strike=105 barrier=85 side=-1 sign=-1", 1, 3, 0, 1.503442, 0, 0},
    {"barrier", BS "strike=105 barrier=85 side=-1 knock_in=1", 1, 3, 0, 0.269624, 0, 0},
    {"barrier", BS "strike=105 barrier=85 side=-1 knock_in=1 sign=-1", 1, 3, 0, 7.342700, 0, 0},
    {"barrier", BS "strike=105 barrier=125 side=1", 1, 3, 0, 1.067070, 0, 0},
    {"barrier", BS "strike=105 barrier=125 side=1 sign=-1", 1, 3, 0, 8.685585, 0, 0},
    {"barrier", BS "strike=105 barrier=125 side=1 knock_in=1", 1, 3, 0, 5.919849, 0, 0},
    {"barrier", BS "strike=105 barrier=125 side=1 knock_in=1 sign=-1", 1, 3, 0, 0.160557, 0, 0},
    {"barrier-dates", BS "strike=100 barrier=85 side=-1", 1, 12, 0, 9.026634, 0, 0.001},
    {"double-barrier-dates", BS "strike=100 lower=85 upper=125", 1, 12, 0, 2.689435, 0, 0.001},
    {"lookback", BS "strike=100 strike_kind=1", 1, 12, 0, 14.524645, 0, 0.001},
    {"forward-start", BS "moneyness=1.05", 1, 2, 0, 4.095564, 0, 0},
    {"cliquet", BS "local_floor=-0.02 local_cap=0.03", 1, 12, 0, 4.158079, 0, 0},
    {"basket", TWO "strike=100", 1, 1, 0.5, 8.445661, 0, 0},
    {"exchange", TWO, 1, 1, 0.5, 12.695800, 0, 0},
    {"exchange", TWO "strike=5", 1, 1, 0.5, 9.958695, 0, 0},
    {"rainbow", TWO "strike=100", 1, 1, 0.5, 15.082925, 1, 0},
    {"rainbow", TWO "strike=100 which=-1", 1, 1, 0.5, 4.392634, 0, 0},
    {"autocall", "black-scholes", RATES "volatility=0.25", 3, 6, 0, 99.250063, 1, 0.001},
    {"autocall", "black-scholes", RATES "volatility=0.25 memory=0", 3, 6, 0, 97.911693, 0, 0.001},
    {"variance-swap", BS "strike=0.04", 1, 12, 0, 0.000793, 0, 0},
    {"range-accrual", BS "lower=90 upper=110", 1, 52, 0, 0.546930, 0, 0},
    {"european", HESTON "strike=100", 1, 1, 0, 9.459131, 1, 0},
    {"digital", HESTON "strike=100", 1, 1, 0, 0.550237, 0, 0},
    {"barrier", HESTON "strike=100 barrier=85 side=-1", 1, 52, 0, 8.667584, 0, 0.01},
    {"european", MERTON "strike=100", 1, 1, 0, 11.080486, 0, 0},
    {"european", MERTON "strike=100", 1, 12, 0, 11.080486, 1, 0},
    {"digital", MERTON "strike=100", 1, 4, 0, 0.494273, 0, 0},
    {"european", BATES "strike=100", 1, 1, 0, 11.368955, 1, 0},
    {"digital", BATES "strike=100", 1, 1, 0, 0.524075, 0, 0},
    {"european", KOU "strike=100", 1, 1, 0, 12.435528, 1, 0},
    {"digital", KOU "strike=100", 1, 6, 0, 0.483426, 0, 0},
    {"european", CURVES "strike=100", 1, 4, 0, 10.009670, 1, 0},
    {"zero-bond", VASICEK, 5, 5, 0, 0.834458, 0, 0},
    {"caplet", VASICEK "strike=0.035", 2, 1, 0, 0.002323, 1, 1e-6},
    {"swaption", VASICEK "strike=0.035", 1, 1, 0, 0.005928, 0, 1e-6},
    {"european", EQUITY_RATE "rate_correlation=0.6 strike=100", 4, 4, 0, 17.047397, 1, 0},
    {"european", EQUITY_RATE "rate_correlation=-0.8 strike=100", 4, 4, 0, 14.412221, 0, 0},
    {"zero-bond", EQUITY_RATE "rate_correlation=-1", 4, 4, 0, 0.895834, 0, 1e-6},
    {"european", HESTON_RATE "sigma=0 mean_variance=0.04 correlation=-0.8 rate_correlation=0.6 strike=100", 4, 4, 0, 17.047397, 0, 0},
    {"european", HESTON_RATE "sigma=0.3 mean_variance=0.05 correlation=-0.7 rate_correlation=0.4 strike=100", 4, 4, 0, 17.383267, 1, 0.01},
    {"european", HESTON_RATE "sigma=0.3 mean_variance=0.05 correlation=-0.7 rate_correlation=-0.6 strike=100", 4, 4, 0, 15.648523, 0, 0.01},
    {"european", "black-scholes+node-curve", "spot=100 volatility=0.2 dividend=0.02 strike=100 payment_lag=0.5 " NODES,
     3, 1, 0, 14.571412, 0, 0},
    {"zero-bond", CIR, 5, 5, 0, 0.834200, 0, 1e-6},
    {"caplet", CIR "strike=0.035", 2, 1, 0, 0.004193, 1, 1e-6},
    {"european", "bates+curve", CURVE VARIANCE JUMPS "strike=100", 1, 4, 0, 10.903729, 1, 0},
    {"european", "curve+heston", CURVE VARIANCE "strike=100", 1, 4, 0, 8.959686, 0, 0},
    {"european", "heston+vasicek+dividend-yield",
     STOCHASTIC_RATE "variance=0.04 heston_reversion=1.5 mean_variance=0.05 heston_sigma=0.3 correlation=-0.7 "
                     "vasicek_reversion=0.5 vasicek_sigma=0.012 strike=100",
     1, 1, 0, 8.497927, 1, 0},
    {"european", "black-scholes+vasicek+dividend-yield",
     STOCHASTIC_RATE "volatility=0.2 reversion=0.5 sigma=0.05 strike=100", 2, 2, 0, 12.149213, 0, 0},
    {"european", "escrowed-dividends", DIVIDENDS "ex_time=0.5,0,0,0,0,0,0,0 cash=5,0,0,0,0,0,0,0", 1, 1, 0,
     7.577356, 1, 0},
    {"european", "escrowed-dividends+black-scholes+vasicek",
     "spot=100 short_rate=0.05 mean_rate=0.05 reversion=1 sigma=0 volatility=0.2 strike=100 "
     "ex_time=0.5,0,0,0,0,0,0,0 cash=5,0,0,0,0,0,0,0", 1, 1, 0, 7.577356, 0, 0},
    {"european", "lognormal-dividends", DIVIDENDS "cash=0,5", 1, 2, 0, 7.774040, 1, 0},
    {"european", "lognormal-dividends+black-scholes", DIVIDENDS "proportional=0,0.03", 1, 2, 0, 8.626741, 0, 0},
    {"european", "schwartz", "spot=100 rate=0.05 reversion=1.2 mean_log=4.499810 volatility=0.35 strike=95", 1, 2,
     0, 7.794483, 1, 0},
    {"european", "quanto-drift",
     "spot=100 rate=0.02 dividend=0.01 volatility=0.25 domestic_rate=0.05 fx_volatility=0.1 fx_correlation=0.4 "
     "strike=100", 1, 1, 0, 9.462493, 1, 0},
    {"exchange", "heston", FIXED_VARIANCES, 1, 1, 0.5, 12.695800, 1, 0},
    {"basket", "heston", TWO_HESTON "strike=100", 1, 1, 0.5, 7.947536, 0, 0.04},
    {"rainbow", "heston", TWO_HESTON "strike=100", 1, 1, 0.5, 14.462735, 1, 0.05},
    {"exchange", "normal-jumps+heston", FIXED_VARIANCES "intensity=0,0 jump_mean=0,0 jump_sigma=0,0 ", 1, 1, 0.5,
     12.695800, 0, 0},
    {"european", SABR "beta=0.5 sigma=0.4 correlation=-0.3 strike=100", 1, 1, 0, 11.338178, 1, 0.002},
    {"european", SABR "beta=0.5 sigma=0.4 correlation=-0.3 strike=80", 1, 1, 0, 24.491738, 0, 0.002},
    {"european", SABR "beta=0.9 sigma=0.5 correlation=-0.5 strike=100", 1, 1, 0, 11.250221, 0, 0.002},
    {"zero-bond", HULL_WHITE, 4, 4, 0, 0.895834, 0, 1e-6},
    {"caplet", HULL_WHITE "strike=0.04", 4, 4, 0, 0.003389, 0, 1e-6},
    {"swaption", HULL_WHITE "strike=0.035", 4, 4, 0, 0.015990, 1, 1e-6},
    {"barrier", BS "strike=105 barrier=85 side=-1 rebate=3 at_hit=1", 1, 12, 0, 7.889121, 1, 0.002},
    {"barrier", BS "strike=105 barrier=125 side=1 rebate=3 at_hit=1 sign=-1", 1, 12, 0, 9.501018, 0, 0.002},
    {"barrier", BS "strike=105 barrier=85 side=-1 rebate=3 at_hit=1 knock_in=1 sign=-1", 1, 3, 0, 9.055940, 0,
     0},
    {"barrier", BS "strike=105 barrier=125 side=1 rebate=3 knock_in=1", 1, 3, 0, 7.975863, 0, 0},
    {"double-barrier", BS "strike=100 lower=85 upper=125", 1, 3, 0, 1.751751, 1, 0},
    {"double-barrier", BS "strike=100 lower=85 upper=125 knock_in=1 sign=-1", 1, 1, 0, 5.685581, 0, 0},
    {"lookback", BS "", 1, 12, 0, 13.458884, 0, 0.001},
    {"lookback", BS "share=1.1 first=3 last=8", 1, 12, 0, 5.336717, 1, 0.001},
    {"chooser", BS "strike=100", 1, 2, 0, 13.344280, 1, 0},
    {"chooser", CURVES "strike=100 first=2 payment_lag=0.5", 1, 4, 0, 13.612477, 0, 0},
    {"parisian", BS "strike=100 barrier=95 side=-1 window=2", 1, 12, 0, 7.969141, 1, 0.001},
    {"parisian", BS "strike=100 barrier=95 side=-1 window=3 cumulative=1", 1, 12, 0, 8.339401, 0, 0.001},
    {"tarn", BS "strike=95 target=12 leverage=2", 1, 3, 0, -10.301763, 1, 0},
    {"tarn", BS "strike=95 target=12 leverage=2 last_gain=0", 1, 3, 0, -15.347183, 0, 0},
    {"quanto", "black-scholes", "rate=0.05 dividend=0,0.02 spot=90,0.9 volatility=0.2,0.1 strike=100", 1, 1,
     0.3, 8.687229, 1, 0},
    {"rainbow", TWO "strike=100 which=0 rank_weight=0.7,0.3", 1, 1, 0.5, 10.805698, 0, 0},
    {"asian-geometric", BS "strike=100 past_count=4 past_average=98", 1, 12, 0, 3.652303, 0, 0},
    {"cliquet", BS "local_floor=-0.02 local_cap=0.03 global_floor=0 global_cap=0.1", 1, 12, 0, 4.452211, 0,
     0},
    {"zero-bond", VASICEK "payment_lag=1", 5, 5, 0, 0.802459, 0, 0},
    {"zero-bond", CIR "payment_lag=1", 5, 5, 0, 0.802637, 0, 1e-6},
    {"zero-bond", HULL_WHITE "payment_lag=1", 4, 4, 0, 0.865022, 0, 1e-6},
};
#define CASES (sizeof cases / sizeof *cases)

static double times[MOST_DATES];

static bailey_simulation *make_with(const struct composed *c, bailey_precision precision, uint32_t substeps,
                                    uint32_t controls)
{
    const double covariance[] = {1, c->correlation, c->correlation, 1};
    for (uint32_t i = 0; i < c->dates; i++) times[i] = c->years * (i + 1) / c->dates;
    const int two = c->correlation != 0;
    const bailey_simulation_params params = {
        .path = {.times = times,
                 .steps = c->dates,
                 .dims = two ? 2 : 0,
                 .covariance = two ? covariance : NULL,
                 .precision = precision},
        .payoff = {.name = c->product, .model_name = c->model, .substeps = substeps, .controls = controls}};
    bailey_simulation *s = NULL;
    OK(bailey_simulation_create(context, &params, &s));
    return s;
}

static bailey_simulation *make(const struct composed *c, bailey_precision precision, uint32_t substeps)
{
    return make_with(c, precision, substeps, 0);
}

static void check_price(const struct composed *c, size_t number)
{
    bailey_simulation *s = make(c, BAILEY_PRECISION_F64, 0);
    bailey_estimate found[2];
    const bailey_simulation_run_params run = {.paths = 1 << 14, .source = {.seed = 5 + number}};
    set_list(s, c->values);
    OK(bailey_simulation_run(s, &run, found));
    const double error = hypot(found[0].standard_error, c->tolerated / 4);
    print_message("# %s under %s: %.6f +- %.6f, known %.6f: %.2f\n", c->product, c->model, found[0].mean,
                  found[0].standard_error, c->wanted, (found[0].mean - c->wanted) / error);
    assert_true(fabs(found[0].mean - c->wanted) < 4 * error + 1e-6);
    bailey_simulation_destroy(s);
}

static int is_quick(void) { return getenv("BAILEY_TEST_QUICK") || strncmp(device.address, "opencl", 6) == 0; }

static void check_prices(int quick)
{
    if (!simulates() || is_quick()) skip();
    for (size_t i = 0; i < CASES; i++)
        if (cases[i].quick == quick) check_price(&cases[i], i);
}

/* The decision is an early exercise, so the price is a lower bound, here by a policy of as many paths. Known
 * by quadrature of Geske's integral; the put on the call too. */
TEST(compound, DEVICE | LONG)
{
    if (!simulates() || is_quick()) skip();
    static const struct composed calls[] = {
        {"compound", BS "strike=100 premium=6", 1, 2, 0, 4.969014, 1, 0},
        {"compound", BS "strike=100 premium=6 buys=-1", 1, 2, 0, 1.593868, 1, 0}};
    for (int i = 0; i < 2; i++) {
        bailey_simulation *s = make(&calls[i], BAILEY_PRECISION_F64, 0), *policy = NULL;
        const bailey_exercise_params params = {.paths = MANY, .source = {.seed = 1, .stream = 1}};
        const bailey_simulation_run_params run = {.paths = MANY, .source = {.seed = 5}};
        bailey_exercise_result found;
        bailey_estimate lower;
        set_list(s, calls[i].values);
        OK(bailey_exercise_find(s, &params, &found, &policy));
        OK(bailey_simulation_run(policy, &run, &lower));
        print_message("# compound: %.6f +- %.6f, known %.6f\n", lower.mean, lower.standard_error,
                      calls[i].wanted);
        assert_true(fabs(lower.mean - calls[i].wanted) < 4 * lower.standard_error);
        bailey_simulation_destroy(policy);
        bailey_simulation_destroy(s);
    }
}

TEST(prices, DEVICE | LONG) { check_prices(1); }
TEST(more_prices, DEVICE | LONG) { check_prices(0); }

/* Any product that does not say what it needs runs under its usual model. */
TEST(all_products, HOST)
{
    const char *name;
    size_t products = 0, models = 0;
    for (; (name = bailey_product_name(products)); products++) {
        bailey_description *d = NULL, *part = NULL;
        const bailey_payoff payoff = {.name = name};
        const bailey_payoff alone = {.code = bailey_product_code(products), .name = name, .model_name = ""};
        OK(bailey_payoff_describe(&payoff, NULL, &d));
        OK(bailey_payoff_describe(&alone, NULL, &part));
        assert_int_equal(part->kind, BAILEY_PAYOFF_KIND_PRODUCT);
        assert_true(*part->model && *part->summary);
        assert_true(d->kind == BAILEY_PAYOFF_KIND_PAYOFF && d->parameter_count > part->parameter_count);
        bailey_description_destroy(d);
        bailey_description_destroy(part);
    }
    for (; bailey_model_name(models); models++) {
        bailey_description *d = NULL;
        const bailey_payoff payoff = {.code = bailey_model_code(models)};
        OK(bailey_payoff_describe(&payoff, NULL, &d));
        assert_int_equal(d->kind, BAILEY_PAYOFF_KIND_MODEL);
        assert_string_equal(d->name, bailey_model_name(models));
        bailey_description_destroy(d);
    }
    assert_true(products > 20 && models > 5);
    assert_null(bailey_product_code(products));
    assert_null(bailey_model_code(models));
}

/* ---- Control variates and closed forms ----------------------------------------------------------- */

/* A case of above: how many controls it has, and by which factor they reduce its error at least. */
static void check_controls(const struct composed *c, uint32_t controls, double factor)
{
    bailey_simulation *s = make_with(c, BAILEY_PRECISION_F64, 0, 1);
    bailey_estimate found[4];
    double expected[4];
    const uint32_t outputs = bailey_simulation_outputs(s), own = outputs - controls;
    assert_true(own >= 1 && outputs <= 4);
    set_list(s, c->values);
    OK(bailey_simulation_expected(s, expected));
    for (uint32_t o = 0; o < outputs; o++) assert_true(o < own ? isnan(expected[o]) : expected[o] == 0);
    const bailey_simulation_run_params run = {.paths = MANY, .source = {.seed = 6}, .expected = expected};
    OK(bailey_simulation_run(s, &run, found));
    const double error = hypot(found[0].controlled_standard_error, c->tolerated / 4);
    print_message("# %s under %s: %.6f +- %.6f, known %.6f; error divided by %.2f\n", c->product, c->model,
                  found[0].controlled, found[0].controlled_standard_error, c->wanted,
                  found[0].standard_error / found[0].controlled_standard_error);
    for (uint32_t o = own; o < outputs; o++) assert_true(fabs(found[o].mean) < 4 * found[o].standard_error);
    assert_true(fabs(found[0].controlled - c->wanted) < 4 * error);
    assert_true(found[0].standard_error > factor * found[0].controlled_standard_error);
    bailey_simulation_destroy(s);
}

/* The Asian's price is that of 2^24 paths with the control variate of the built-in payoff, whose error is 0.0001. */
TEST(controls, DEVICE)
{
    if (!simulates() || is_quick()) skip();
    check_controls(&(struct composed){"european", HESTON "strike=100", 1, 1, 0, 9.459131, 0, 0}, 2, 2.5);
    check_controls(&(struct composed){"asian", BS "strike=100", 1, 12, 0, 5.520200, 0, 0.0002}, 2, 20);
}

TEST(more_controls, DEVICE | LONG)
{
    if (!simulates() || is_quick()) skip();
    static const struct {
        struct composed c;
        uint32_t controls;
        double factor;
    } of[] = {{{"digital", HESTON "strike=100", 1, 1, 0, 0.550237, 0, 0}, 2, 1.8},
              {{"barrier", BS "strike=105 barrier=85 side=-1", 1, 3, 0, 6.717296, 0, 0}, 2, 5},
              {{"european", "black-scholes+vasicek+dividend-yield",
                STOCHASTIC_RATE "volatility=0.2 reversion=0.5 sigma=0.05 strike=100", 2, 2, 0, 12.149213, 0, 0},
               1,
               1.8},
              {{"european", SABR "beta=0.9 sigma=0.5 correlation=-0.5 strike=100", 1, 1, 0, 11.250221, 0, 0.002}, 1, 1.8},
              {{"rainbow", TWO "strike=100", 1, 1, 0.5, 15.082925, 0, 0}, 1, 1.5},
              {{"caplet", CIR "strike=0.035", 2, 1, 0, 0.004193, 0, 1e-6}, 1, 1.4},
              {{"swaption", VASICEK "strike=0.035", 1, 1, 0, 0.005928, 0, 1e-6}, 1, 1.2},
              {{"cliquet", BS "local_floor=-0.02 local_cap=0.03 global_floor=0 global_cap=0.1", 1, 12, 0, 4.452211, 0, 0}, 1, 2}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) check_controls(&of[i].c, of[i].controls, of[i].factor);
}

/* Prices that the formulas of Black, Scholes and Merton give; none where prices are not lognormal. */
TEST(closed_forms, DEVICE)
{
    if (!simulates() || is_quick()) skip();
    static const struct composed of[] = {{"european", BS "strike=110", 1, 1, 0, 5.188582, 0, 0},
                                         {"european", CURVES "strike=100", 1, 4, 0, 10.009670, 0, 0},
                                         {"digital", BS "strike=110 cash=10 sign=-1", 1, 1, 0, 6.327072, 0, 0},
                                         {"forward-start", BS "moneyness=1.05", 1, 2, 0, 4.095564, 0, 0},
                                         {"variance-swap", BS "strike=0.04", 1, 12, 0, 0.000793, 0, 0},
                                         {"european", HESTON "strike=100", 1, 1, 0, 9.459131, 0, 0},
                                         {"european", BATES "strike=100", 1, 1, 0, 0, 0, 0},
                                         {"european", KOU "strike=100", 1, 1, 0, 0, 0, 0},
                                         {"european", MERTON "strike=100", 1, 1, 0, 11.080486, 0, 0},
                                         {"european", "lognormal-dividends", DIVIDENDS "cash=0,5", 1, 2, 0, 0, 0, 0},
                                         {"european", "lognormal-dividends", DIVIDENDS "proportional=0,0.03", 1, 2, 0, 8.626741, 0, 0},
                                         {"european", "escrowed-dividends", DIVIDENDS "ex_time=0.5,0,0,0,0,0,0,0 cash=5,0,0,0,0,0,0,0",
                                          1, 1, 0, 7.577356, 0, 0},
                                         {"european", "schwartz",
                                          "spot=100 rate=0.05 reversion=1.2 mean_log=4.499810 volatility=0.35 strike=95", 1, 2, 0, 7.794495,
                                          0, 0},
                                         {"european", "quanto-drift",
                                          "spot=100 rate=0.02 dividend=0.01 volatility=0.25 domestic_rate=0.05 fx_volatility=0.1 "
                                          "fx_correlation=0.4 strike=100", 1, 1, 0, 9.462493, 0, 0},
                                         {"european", EQUITY_RATE "rate_correlation=0.6 strike=100", 4, 4, 0, 17.047397, 0, 0},
                                         {"european", EQUITY_RATE "rate_correlation=0.6 strike=100 payment_lag=1", 4, 4, 0, 0, 0, 0},
                                         {"barrier", BS "strike=105 barrier=85 side=-1 rebate=3 at_hit=1", 1, 3, 0, 7.889121, 0, 0},
                                         {"barrier", BS "strike=105 barrier=125 side=1 rebate=3 at_hit=1 sign=-1", 1, 3, 0, 9.501018, 0, 0},
                                         {"barrier", BS "strike=105 barrier=125 side=1 rebate=3 knock_in=1", 1, 3, 0, 7.975863, 0, 0},
                                         {"barrier", "black-scholes+curve", CURVE "volatility=0.2 strike=105 barrier=85 side=-1", 1, 4, 0, 0, 0, 0},
                                         {"double-barrier", BS "strike=100 lower=85 upper=125", 1, 3, 0, 1.751751, 0, 0},
                                         {"double-barrier", BS "strike=100 lower=85 upper=125 knock_in=1 sign=-1", 1, 1, 0, 5.685581, 0, 0},
                                         {"chooser", BS "strike=100", 1, 2, 0, 13.344280, 0, 0},
                                         {"asian-geometric", BS "strike=100 past_count=4 past_average=98", 1, 12, 0, 3.652303, 0, 0},
                                         {"range-accrual", BS "lower=90 upper=110", 1, 52, 0, 0.546930, 0, 0},
                                         {"zero-bond", VASICEK "payment_lag=1", 5, 5, 0, 0.802459, 0, 0},
                                         {"zero-bond", CIR, 5, 5, 0, 0.834200, 0, 0},
                                         {"caplet", VASICEK "strike=0.035", 2, 1, 0, 0.002323, 0, 0},
                                         {"caplet", HULL_WHITE "strike=0.04", 4, 4, 0, 0.003389, 0, 0},
                                         {"caplet", CIR "strike=0.035", 2, 1, 0, 0, 0, 0},
                                         {"swaption", VASICEK "strike=0.035", 1, 1, 0, 0.005928, 0, 0},
                                         {"swaption", HULL_WHITE "strike=0.035", 4, 4, 0, 0.015990, 0, 0}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        bailey_simulation *s = make(&of[i], BAILEY_PRECISION_F64, 0);
        double price = 0;
        set_list(s, of[i].values);
        OK(bailey_simulation_closed_form(s, &price));
        print_message("# %s under %s: %.8f\n", of[i].product, of[i].model, price);
        if (of[i].wanted != 0)
            assert_true(fabs(price - of[i].wanted) < 1e-6);
        else
            assert_true(isnan(price));
        assert_int_equal(bailey_simulation_closed_form(s, NULL), BAILEY_ERROR_INVALID);
        bailey_simulation_destroy(s);
    }
}

/* ---- The same bits as whole payoffs -------------------------------------------------------------- */

static bailey_estimate estimate_of(bailey_simulation *s, const char *values)
{
    const bailey_simulation_run_params run = {.paths = 4096, .source = {.seed = 3}};
    bailey_estimate found;
    set_list(s, values);
    OK(bailey_simulation_run(s, &run, &found));
    bailey_simulation_destroy(s);
    return found;
}

/* A path of n dates and one of the same n steps. */
TEST(whole, DEVICE)
{
    if (!simulates() || is_quick()) skip();
    static const struct {
        struct composed composed;
        const char *whole;
    } pairs[] = {{{"european", BS "strike=110", 1, 1, 0, 0, 0, 0}, "european"},
                 {{"european", HESTON "strike=110", 1, 16, 0, 0, 0, 0}, "heston"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int p = 0; p < 2; p++) {
            const struct composed *c = &pairs[i].composed;
            const bailey_precision precision = p ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
            struct composed whole = *c;
            whole.product = pairs[i].whole;
            whole.model = NULL;
            const bailey_estimate a = estimate_of(make(c, precision, i ? 1 : 0), c->values);
            const bailey_estimate b = estimate_of(make(&whole, precision, 0), c->values);
            assert_memory_equal(&a.mean, &b.mean, sizeof a.mean);
            assert_memory_equal(&a.standard_error, &b.standard_error, sizeof a.standard_error);
        }
}

/* Golden values, of this library: layers are put together in a way that decides them. */
TEST(bits, DEVICE)
{
    if (!simulates() || is_quick()) skip();
    static const struct composed of[] = {{"european", "bates+curve", CURVE VARIANCE JUMPS "strike=100", 1, 4, 0, 0, 0, 0},
                                         {"european", KOU "strike=100", 1, 1, 0, 0, 0, 0},
                                         {"european", CURVES "strike=100", 1, 4, 0, 0, 0, 0}};
    static const double golden[] = {0x1.5518d1e8d6cd2p+3, 0x1.8ebcc0004102fp+3, 0x1.43a009101abc4p+3};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const bailey_estimate found = estimate_of(make(&of[i], BAILEY_PRECISION_F64, 0), of[i].values);
        if (found.mean != golden[i]) fail_msg("%s: %a instead of %a", of[i].model, found.mean, golden[i]);
    }
}

/* ---- Derivatives --------------------------------------------------------------------------------- */

static const bailey_derivative *derivative_of(const bailey_derivative *all, uint64_t count, const char *name)
{
    for (uint64_t i = 0; i < count; i++)
        if (strcmp(all[i].name, name) == 0) return &all[i];
    fail_msg("no derivative with respect to %s", name);
    return NULL;
}

/* A note that depends on prices by their ratio to the initial fixing alone: what its spot gains, the fixing
 * loses, although it is the fixing's default. */
TEST(gradient, DEVICE | LONG)
{
    if (!simulates() || is_quick()) skip();
    static const struct composed note = {"autocall", HESTON "initial=90", 1, 2, 0, 0, 0, 0};
    bailey_simulation *s = make(&note, BAILEY_PRECISION_F64, 1);
    const bailey_simulation_run_params run = {.paths = 1 << 14, .source = {.seed = 2}};
    const bailey_gradient_params params = {0};
    bailey_derivative g[32];
    bailey_estimate price[2];
    set_list(s, note.values);
    const uint64_t count = bailey_simulation_gradient_count(s, &params);
    assert_true(count > 10 && count <= 32);
    OK(bailey_simulation_gradient(s, &run, &params, price, g));
    const bailey_derivative *spot = derivative_of(g, count, "spot"),
                            *initial = derivative_of(g, count, "initial");
    assert_true(fabs(spot->estimate.mean) > 5 * spot->estimate.standard_error);
    assert_true(fabs(100 * spot->estimate.mean + 90 * initial->estimate.mean) < 1e-6);
    assert_true(fabs(derivative_of(g, count, "notional")->estimate.mean - price[0].mean / 100) < 1e-10);
    bailey_simulation_destroy(s);
}

/* Few jumps, whose first one is most of the derivative by their intensity, down to none: known by differences
 * of Merton's formula. Under kou it comes from paths with jumps, and too few of them are refused. */
TEST(first_jump, ON_CPU)
{
    if (!simulates()) skip();
    static const struct composed
        call = {"european",
                "merton",
                RATES "volatility=0.1 intensity=0.1 jump_mean=-0.3 jump_sigma=0.1 strike=100",
                0.25,
                1,
                0,
                0,
                0,
                0},
        of_kou = {"european", KOU "strike=100", 1, 1, 0, 0, 0, 0};
    static const double by[][3] = {
        {0.1, 3.195481321993654, 0.04}, {0.001, 3.031665933, 0.04}, {0, 3.029895844, 0.04}};
    static const char *const names[] = {"intensity"};
    const bailey_simulation_run_params run = {.paths = 100000, .source = {.seed = 2}};
    const bailey_gradient_params params = {.names = names, .count = 1};
    const double few = 0.009;
    bailey_simulation *s = make(&call, BAILEY_PRECISION_F64, 0);
    bailey_derivative g;
    set_list(s, call.values);
    for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
        OK(bailey_simulation_set(s, "intensity", &by[i][0], 1));
        OK(bailey_simulation_gradient(s, &run, &params, NULL, &g));
        if (!(fabs(g.estimate.mean - by[i][1]) < 4 * g.estimate.standard_error))
            fail_msg("%g: %.6f +- %.6f instead of %.6f", by[i][0], g.estimate.mean, g.estimate.standard_error,
                     by[i][1]);
        assert_true(g.estimate.standard_error < by[i][2]);
    }
    bailey_simulation_destroy(s);
    s = make(&of_kou, BAILEY_PRECISION_F64, 0);
    set_list(s, of_kou.values);
    OK(bailey_simulation_set(s, "intensity", &few, 1));
    assert_int_equal(bailey_simulation_gradient(s, &run, &params, NULL, &g), BAILEY_ERROR_INVALID);
    assert_non_null(strstr(bailey_error_message(), "too few paths"));
    bailey_simulation_destroy(s);
}

/* A bond of 3 years between nodes at 2 and 5: the logarithm of its price is linear in both zero rates. */
TEST(nodes, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    static const struct composed bond = {"zero-bond", "node-curve", NODES, 3, 1, 0, 0, 0, 0};
    static const char *const names[] = {"zero_rate"};
    static const double falling[16] = {0.5, 2, 2};
    bailey_simulation *s = make(&bond, BAILEY_PRECISION_F64, 0);
    const bailey_simulation_run_params run = {.paths = 2, .source = {.seed = 2}};
    const bailey_gradient_params params = {.names = names, .count = 1};
    bailey_derivative g[16];
    bailey_estimate price;
    set_list(s, bond.values);
    OK(bailey_simulation_gradient(s, &run, &params, &price, g));
    assert_true(fabs(price.mean - exp(-0.32 / 3)) < 1e-12);
    assert_true(fabs(g[1].estimate.mean + price.mean * 4 / 3) < 1e-12);
    assert_true(fabs(g[2].estimate.mean + price.mean * 5 / 3) < 1e-12);
    OK(bailey_simulation_set(s, "node", falling, 16));
    assert_int_equal(bailey_simulation_run(s, &run, &price), BAILEY_ERROR_INVALID);
    if (!strstr(bailey_error_message(), "node[1] is 2, node[2] is 2, where node increases: the times of nodes"))
        fail_msg("%s", bailey_error_message());
    bailey_simulation_destroy(s);
}

/* Delta by the characteristic function (Lewis 2000), in Python. */
TEST(greeks, DEVICE)
{
    if (!simulates() || is_quick()) skip();
    static const struct composed call = {"european", MERTON "strike=100", 1, 1, 0, 11.080486, 0, 0};
    static const char *const spots[] = {"spot"};
    bailey_simulation *s = make(&call, BAILEY_PRECISION_F64, 0);
    const bailey_simulation_run_params run = {.paths = 1 << 14, .source = {.seed = 2}};
    const bailey_greeks_params params = {
        .spots = spots, .spot_count = 1, .method = BAILEY_GREEK_METHOD_DIFFERENCES};
    bailey_greek_estimate greeks[8];
    set_list(s, call.values);
    assert_true(bailey_simulation_greeks_count(s, &params) <= 8);
    OK(bailey_simulation_greeks(s, &run, &params, greeks));
    assert_true(fabs(greeks[1].mean - 0.605078) < 4 * greeks[1].standard_error);
    bailey_simulation_destroy(s);
}

/* Likelihood ratios of a composition against Black's formulas for a digital; and who has none. */
TEST(likelihood, DEVICE)
{
    if (!simulates() || is_quick()) skip();
    static const struct composed of[] = {{"digital", BS "strike=90 cash=1", 1, 1, 0, 0, 0, 0},
                                         {"digital", HESTON "strike=90 cash=1", 1, 1, 0, 0, 0, 0}};
    static const char *const spots[] = {"spot"}, *const volatilities[][1] = {{"volatility"}, {"variance"}};
    const bailey_simulation_run_params run = {.paths = 1 << 16, .source = {.seed = 2}, .antithetic = 1};
    const double density = 0.39894228040143268, root = 0.2, d2 = (log(100 / 90.0) + 0.01) / root,
                 delta = exp(-0.05 - d2 * d2 / 2) * density / (100 * root),
                 gamma = -delta * (d2 + root) / (100 * root);
    for (int i = 0; i < 2; i++) {
        const bailey_greeks_params params = {.spots = spots,
                                             .spot_count = 1,
                                             .volatilities = volatilities[i],
                                             .volatility_count = 1,
                                             .method = BAILEY_GREEK_METHOD_LIKELIHOOD};
        bailey_simulation *s = make(&of[i], BAILEY_PRECISION_F64, 0);
        bailey_greek_estimate g[8];
        set_list(s, of[i].values);
        if (i == 0) {
            OK(bailey_simulation_greeks(s, &run, &params, g));
            assert_true(g[1].method == BAILEY_GREEK_METHOD_LIKELIHOOD && g[2].method == BAILEY_GREEK_METHOD_LIKELIHOOD);
            assert_true(fabs(g[1].mean - delta) < 4 * g[1].standard_error && g[1].standard_error < 0.02 * delta);
            assert_true(fabs(g[2].mean - gamma) < 4 * g[2].standard_error && g[2].standard_error < -0.2 * gamma);
        } else {
            assert_int_equal(bailey_simulation_greeks(s, &run, &params, g), BAILEY_ERROR_INVALID);
            assert_non_null(strstr(bailey_error_message(), "likelihood ratios"));
        }
        bailey_simulation_destroy(s);
    }
}

/* The correlation of two assets, whose variances have their own noise, by gradient and by differences. */
TEST(correlation, DEVICE | LONG)
{
    if (!simulates() || is_quick()) skip();
    static const struct composed of = {"exchange", "heston", FIXED_VARIANCES, 1, 1, 0.5, 0, 0, 0};
    static const char *const spots[] = {"spot[0]", "spot[1]"};
    bailey_simulation *s = make(&of, BAILEY_PRECISION_F64, 1);
    const bailey_simulation_run_params run = {.paths = 1 << 14, .source = {.seed = 2}};
    bailey_greek_estimate greeks[2][8];
    set_list(s, of.values);
    for (int i = 0; i < 2; i++) {
        const bailey_greeks_params params = {
            .spots = spots,
            .spot_count = 2,
            .correlation = 1,
            .method = i ? BAILEY_GREEK_METHOD_DIFFERENCES : BAILEY_GREEK_METHOD_GRADIENT};
        assert_int_equal(bailey_simulation_greeks_count(s, &params), 6);
        OK(bailey_simulation_greeks(s, &run, &params, greeks[i]));
    }
    /* Margrabe's formula, of a volatility of sqrt(0.13 - 0.12 correlation). */
    assert_true(fabs(greeks[0][5].mean + 8.408654) < 4 * greeks[0][5].standard_error);
    assert_true(fabs(greeks[0][5].mean - greeks[1][5].mean) < 0.01);
    bailey_simulation_destroy(s);
}

/* Jumps change by little with the parameters of their times: derivatives against those of the price by the
 * characteristic function (Lewis 2000, in mpmath), and against differences on the same paths. */
TEST(jumps, ON_CPU | ON_CUDA | LONG)
{
    if (!simulates() || is_quick()) skip();
    static const struct {
        const char *name;
        double value, step, derivative;
    } by[] = {{"intensity", 1.5, 0.004, 1.922907543},
              {"share_up", 0.4, 0.001, -1.453499689},
              {"mean_up", 0.1, 0, 15.363384081},
              {"mean_down", 0.15, 0, 21.939856743}};
    static const struct composed call = {"european", KOU "strike=100", 1, 1, 0, 0, 0, 0};
    static const char *const names[] = {"intensity", "share_up", "mean_up", "mean_down"};
    bailey_simulation *s = make(&call, BAILEY_PRECISION_F32, 0);
    const bailey_simulation_run_params run = {.paths = 1 << 16, .source = {.seed = 2}};
    const bailey_gradient_params params = {.names = names, .count = 4};
    bailey_derivative g[4];
    bailey_estimate price;
    set_list(s, call.values);
    OK(bailey_simulation_gradient(s, &run, &params, &price, g));
    for (size_t i = 0; i < 4; i++) {
        const bailey_derivative *found = derivative_of(g, 4, by[i].name);
        const double error = found->estimate.standard_error;
        bailey_estimate moved[2];
        if (!(fabs(found->estimate.mean - by[i].derivative) < 4 * error))
            fail_msg("%s: %.6f +- %.6f instead of %.6f", by[i].name, found->estimate.mean, error, by[i].derivative);
        assert_true(found->by_jumps.mean == 0 && !found->forward);
        for (int up = 0; up < 2 && by[i].step > 0; up++) {
            const double value = by[i].value + (up ? by[i].step : -by[i].step);
            OK(bailey_simulation_set(s, by[i].name, &value, 1));
            OK(bailey_simulation_run(s, &run, &moved[up]));
        }
        if (!(by[i].step > 0)) continue;
        OK(bailey_simulation_set(s, by[i].name, &by[i].value, 1));
        const double slope = (moved[1].mean - moved[0].mean) / (2 * by[i].step);
        if (!(fabs(found->estimate.mean - slope) < 0.05 * error))
            fail_msg("%s: %.6f +- %.6f, by differences %.6f", by[i].name, found->estimate.mean, error, slope);
    }
    bailey_simulation_destroy(s);
}

/* ---- User-defined parts -------------------------------------------------------------------------- */

/* Both have a parameter level, a member sum, a function twice, and a type; the product's macro and the
 * model's local variable have the same name too. */
static const char own_model[] =
    "/** A price that grows by x.\n *\n * kind: model\n * name: mine\n * path: paths\n * dims: 1\n */\n"
    "typedef struct { real by; } pair_of;\n"
    "enum { FACTOR = 3 };\n"
    "typedef struct {\n"
    "    real spot; /* today [> 0; role spot] */\n"
    "    real level; /* added to it [default 1] */\n"
    "    real cap; /* [> 0; default level] */\n"
    "} params;\n"
    "typedef struct { real sum, now; } state;\n"
    "real twice(real a) { const real half = a; return FACTOR * half - half; }\n"
    "void start(state *s, const params *p) { s->sum = 0; s->now = 0; }\n"
    "void step(state *s, const params *p, int i, real t, const real x[])\n"
    "{\n    pair_of one;\n    one.by = x[0];\n    s->sum += 1;\n    s->now = one.by;\n}\n"
    "real price(const state *s, const params *p, int a) { return p->spot + twice(p->level) + 0 * s->now + "
    "p->cap; }\n"
    "real discount(const state *s, const params *p) { return 1; }\n";
static const char own_product[] =
    "/** A sum of prices.\n *\n * kind: product\n * model: black-scholes\n * dims: 1\n * steps: 2\n"
    " * check: level > 0: level is not positive\n */\n"
    "#define half(a) ((a) / 2)\n"
    "typedef struct { int pair_of; } twice_of;\n"
    "typedef struct {\n"
    "    real spot; /* the model's [> 0; role spot] */\n"
    "    real level; /* added to the sum [default 5] */\n"
    "} params;\n"
    "typedef struct { real sum; } state;\n"
    "real twice(const state *s, const params *p) { return 2 * price(0); }\n"
    "void start(state *s, const params *p) { s->sum = 0; }\n"
    "void date(state *s, const params *p, int k, real t) { s->sum += twice(s, p) + price(half(0)) * (k + 1); "
    "}\n"
    "void finish(const state *s, const params *p, real out[])\n"
    "{\n    twice_of one;\n    one.pair_of = STEPS;\n"
    "    out[0] = discount() * (s->sum - -p->level) + one.pair_of + p->spot;\n}\n";

TEST(own, DEVICE)
{
    if (!simulates() || is_quick()) skip();
    static const double at[] = {0.5, 1, 2};
    const bailey_simulation_params params = {
        .path = {.times = at, .steps = 3, .precision = BAILEY_PRECISION_F64},
        .payoff = {
            .code = own_product, .name = "product.c", .model_code = own_model, .model_name = "model.c"}};
    const bailey_simulation_run_params run = {.paths = 2, .source = {.seed = 2}};
    bailey_simulation *s = NULL;
    bailey_estimate found;
    uint64_t count;
    OK(bailey_simulation_create(context, &params, &s));
    set_list(s, "spot=100 level=7 mine_level=2");
    assert_string_equal(bailey_simulation_parameter(s, 0, &count), "spot");
    assert_string_equal(bailey_simulation_parameter(s, 1, &count), "mine_level");
    assert_string_equal(bailey_simulation_parameter(s, 2, &count), "cap");
    assert_string_equal(bailey_simulation_parameter(s, 3, &count), "level");
    assert_null(bailey_simulation_parameter(s, 4, &count));
    OK(bailey_simulation_run(s, &run, &found));
    const double price = 100 + 2 * 2 + 2, sum = 6 * price + 6 * price;
    assert_true(found.mean == sum + 7 + 3 + 100);
    assert_int_equal(bailey_simulation_set(s, "level", (const double[]){-1}, 1), BAILEY_OK);
    assert_int_equal(bailey_simulation_run(s, &run, &found), BAILEY_ERROR_INVALID);
    assert_non_null(strstr(bailey_error_message(), "level is not positive"));
    bailey_simulation_destroy(s);
}

/* ---- Values that do not go together -------------------------------------------------------------- */

static void refuses_values(const struct composed *c, const char *words)
{
    bailey_simulation *s = make(c, BAILEY_PRECISION_F32, 0);
    double grid[2 * 1040];
    uint64_t count = 0;
    for (int k = 0; k < 2 * 1040; k++) grid[k] = 0.2;
    bailey_estimate found;
    const bailey_simulation_run_params run = {.paths = 2, .source = {.seed = 2}};
    for (uint32_t i = 0; bailey_simulation_parameter(s, i, &count); i++)
        if (count >= 1040) OK(bailey_simulation_set(s, bailey_simulation_parameter(s, i, &count), grid, count));
    set_list(s, c->values);
    assert_int_equal(bailey_simulation_run(s, &run, &found), words ? BAILEY_ERROR_INVALID : BAILEY_OK);
    if (words && !strstr(bailey_error_message(), words)) fail_msg("%s", bailey_error_message());
    bailey_simulation_destroy(s);
}

TEST(values, ON_CPU)
{
    if (!simulates() || is_quick()) skip();
    static const char grid[] = "spot=100,100 rate=0.05 strike=100 horizon=1.2,1 low=-1,-1 high=1,1",
                      empty[] = "spot=100,100 rate=0.05 strike=100 horizon=1.2,1.2 low=-1,1 high=1,1";
    refuses_values(&(struct composed){"basket", "dupire", grid, 1, 1, 0.5, 0, 0, 0}, NULL);
    refuses_values(&(struct composed){"basket", "dupire", grid, 1.1, 1, 0.5, 0, 0, 0},
                   "LAST, the time of the last date, is 1.1, where horizon >= LAST: the grid has to reach");
    refuses_values(&(struct composed){"basket", "dupire", empty, 1, 1, 0.5, 0, 0, 0}, "the grid of logarithms is empty");
    refuses_values(&(struct composed){"european", HESTON_RATE "sigma=0.3 mean_variance=0.05 correlation=-0.8 "
                                      "rate_correlation=0.6 strike=100", 1, 4, 0, 0, 0, 0}, NULL);
    refuses_values(&(struct composed){"european", "escrowed-dividends",
                                      DIVIDENDS "ex_time=0.5,1,0,0,0,0,0,0 cash=5,5,0,0,0,0,0,0", 1, 1, 0, 0, 0, 0}, NULL);
    refuses_values(&(struct composed){"european", "escrowed-dividends",
                                      DIVIDENDS "ex_time=0.5,1.01,0,0,0,0,0,0 cash=5,5,0,0,0,0,0,0", 1, 1, 0, 0, 0, 0},
                   "ex_time[1] is 1.01, LAST, the time of the last date, is 1, where ex_time <= LAST");
    refuses_values(&(struct composed){"european", HESTON_RATE "sigma=0.3 mean_variance=0.05 correlation=-0.8 "
                                      "rate_correlation=0.61 strike=100", 1, 4, 0, 0, 0, 0},
                   "are not those of three variables");
}

/* ---- Refusals ------------------------------------------------------------------------------------ */

static void refuses(bailey_payoff payoff, const char *argument, const char *words)
{
    const double at[] = {1, 2};
    const bailey_simulation_params params = {.path = {.times = at, .steps = 2}, .payoff = payoff};
    bailey_simulation *s = NULL;
    bailey_description *d = NULL;
    assert_int_equal(bailey_simulation_create(context, &params, &s), BAILEY_ERROR_INVALID);
    assert_null(s);
    if (!strstr(bailey_error_message(), words)) fail_msg("%s", bailey_error_message());
    assert_string_equal(bailey_error_argument(), argument);
    if (payoff.substeps) return; /* which a description does not need */
    assert_int_equal(bailey_payoff_describe(&payoff, NULL, &d), BAILEY_ERROR_INVALID);
    assert_null(d);
}

TEST(refused, DEVICE)
{
    if (!simulates() || is_quick()) skip();
    static const char unanswered[] =
        "/** kind: model\n */\n"
        "void step(state *s, const params *p, int i, real t, const real x[]) {}\n";
    static const char one_asset[] = "/** kind: model\n */\n"
                                    "real price(const state *s, const params *p, int a) { return 1; }\n"
                                    "real discount_in(const state *s, const params *p, real tau) { return 1; }\n";
    static const char wrong[] = "/** kind: model\n */\n"
                                "void step(state *s, const params *p, int i, real t, const real x[]) {}\n"
                                "real price(const state *s, int a) { return 1; }\n";
    static const char together[] =
        "/** kind: product\n */\ntypedef struct { real a, b; } params;\n"
        "void finish(const state *s, const params *p, real out[]) { out[0] = price(0); }\n";
    static const char asks[] =
        "/** kind: product\n */\nreal f(real a) { return a * price(0); }\n"
        "void finish(const state *s, const params *p, real out[]) { out[0] = f(1); }\n";
    static const char shared[] =
        "/** kind: product\n */\ntypedef struct {\n    real spot[3]; /* [role spot] */\n} params;\n"
        "void finish(const state *s, const params *p, real out[]) { out[0] = p->spot[0]; }\n";
    refuses((bailey_payoff){.name = "caplet", .model_name = "heston"}, "model",
            "caplet asks for bond(tau), the price now of 1 paid in tau years, which the model heston does "
            "not have");
    refuses((bailey_payoff){.name = "barrier", .model_name = "merton"}, "model",
            "barrier asks for variance(a)");
    refuses((bailey_payoff){.name = "european", .model_name = "vasicek"}, "model",
            "european asks for price(a)");
    refuses((bailey_payoff){.name = "rainbow", .model_code = one_asset, .model_name = "model.c"}, "model",
            "rainbow is on 2 assets or more, and the model model.c has one");
    refuses((bailey_payoff){.name = "chooser", .model_name = "lognormal-dividends"}, "model",
            "chooser asks for price_growth(a)");
    refuses((bailey_payoff){.name = "european", .model_name = "curve+hesston"}, "model_name",
            "model \"hesston\" is not a built-in; models are bates, ");
    refuses((bailey_payoff){.name = "european", .model_name = "heston+curve+flat"}, "model",
            "curve and flat both have discount()");
    refuses((bailey_payoff){.name = "european", .model_name = "heston+sabr"}, "model", "both have price(a)");
    refuses((bailey_payoff){.name = "barrier", .model_name = "heston+normal-jumps"}, "model",
            "barrier asks for variance(a)");
    refuses((bailey_payoff){.name = "european", .model_name = "heston+curve", .model_code = one_asset},
            "model_name", "all of heston+curve are built-ins");
    refuses((bailey_payoff){.name = "asian-max", .model_name = "heston"}, "model_name",
            "asian-max is a whole payoff");
    refuses((bailey_payoff){.name = "nothing", .model_name = "heston"}, "payoff", "products are asian, ");
    refuses((bailey_payoff){.name = "european", .model_name = "black-scholes", .substeps = 2}, "substeps",
            "the steps of the model black-scholes are exact");
    refuses((bailey_payoff){.name = "european", .substeps = 2}, "substeps", "not a product with a model");
    refuses((bailey_payoff){.name = "european", .model_code = unanswered}, "model",
            "a model answers what products ask");
    refuses((bailey_payoff){.name = "european", .model_code = wrong}, "model",
            "model.c:4:6: write real price(const state *s, const params *p, int a)");
    refuses((bailey_payoff){.code = together, .model_name = "heston"}, "payoff",
            "each parameter of a model or product has a separate declaration");
    refuses((bailey_payoff){.code = asks, .model_name = "heston"}, "payoff",
            "give this function const state *s and const params *p");
    refuses((bailey_payoff){.code = shared, .model_name = "heston"}, "payoff", "is not declared alike there");
    static const char no_function[] =
        "/** kind: product\n * control: asset: the price\n */\n"
        "void finish(const state *s, const params *p, real out[]) { out[0] = price(0); }\n";
    static const char no_mean[] =
        "/** kind: product\n * control: asset: the price\n */\n"
        "void finish(const state *s, const params *p, real out[]) { out[0] = price(0); }\n"
        "real control_asset(const state *s) { return 0; }\n";
    static const char no_price[] =
        "/** kind: product\n */\n"
        "void finish(const state *s, const params *p, real out[]) { out[0] = price(0); }\n"
        "int closed_form(const state *s, const params *p) { return 0; }\n";
    refuses((bailey_payoff){.code = no_function, .model_name = "heston"}, "payoff",
            "product.c:2:13: the control asset has no function: write real control_asset(");
    refuses((bailey_payoff){.code = no_mean, .model_name = "heston"}, "payoff", "write real control_asset(");
    refuses((bailey_payoff){.code = no_price, .model_name = "heston"}, "payoff", "write real closed_form(");
}
