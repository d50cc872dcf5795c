/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Models and products: prices of compositions against known ones, their bits against whole payoffs, their
 * Greeks and gradients, and what is refused.
 */
#include <bailey/gradient.h>
#include <bailey/greeks.h>

#include "simulations.h"

#include <math.h>

#define MOST_DATES 64
#define MOST_VALUES 16

/* A composition, its parameters as NAME=VALUE[,VALUE...], its path, and what it is worth. */
struct composed {
    const char *product, *model, *values;
    double years;
    uint32_t dates;
    double correlation; /* of two assets */
    double wanted;
    uint64_t paths; /* 0: MANY */
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
    "black-scholes-curves", "spot=100 rate=0.02,0.03,0.04,0.05 dividend=0,0.01,0.02,0.03 "                  \
                            "volatility=0.15,0.2,0.25,0.3 "
#define VASICEK "vasicek", "short_rate=0.03 reversion=0.5 mean_rate=0.04 sigma=0.012 "
#define HULL_WHITE "hull-white", "forward=0.02,0.025,0.03,0.035 reversion=0.1 sigma=0.015 "

/* Closed forms; of payoffs at dates, densities of the logarithm moved by FFT on 24,001 points; of two assets,
 * quadrature; of Heston, Bates, Merton and Kou, Lewis's integral of the characteristic function, which
 * QuantLib 1.44 agrees with; barriers, best-of and worst-of by QuantLib's AnalyticBarrierEngine and
 * StulzEngine; Heston's barrier by its FdHestonBarrierEngine. */
static const struct composed cases[] = {
    {"european", BS "strike=110", 1, 1, 0, 5.188582, 0, 0},
    {"digital", BS "strike=110 cash=10 sign=-1", 1, 1, 0, 6.327072, 0, 0},
    {"asian", BS "strike=100 geometric=1", 1, 12, 0, 5.327706, 0, 0},
    {"barrier", BS "strike=105 barrier=85 side=-1", 1, 3, 0, 6.717296, 0, 0},
    {"barrier", BS "strike=105 barrier=85 side=-1 sign=-1", 1, 3, 0, 1.503442, 0, 0},
    {"barrier", BS "strike=105 barrier=85 side=-1 knock_in=1", 1, 3, 0, 0.269624, 0, 0},
    {"barrier", BS "strike=105 barrier=85 side=-1 knock_in=1 sign=-1", 1, 3, 0, 7.342700, 0, 0},
    {"barrier", BS "strike=105 barrier=125 side=1", 1, 3, 0, 1.067070, 0, 0},
    {"barrier", BS "strike=105 barrier=125 side=1 sign=-1", 1, 3, 0, 8.685585, 0, 0},
    {"barrier", BS "strike=105 barrier=125 side=1 knock_in=1", 1, 3, 0, 5.919849, 0, 0},
    {"barrier", BS "strike=105 barrier=125 side=1 knock_in=1 sign=-1", 1, 3, 0, 0.160557, 0, 0},
    {"barrier-dates", BS "strike=100 barrier=85 side=-1", 1, 12, 0, 9.026634, 0, 0.001},
    {"double-barrier", BS "strike=100 lower=85 upper=125", 1, 12, 0, 2.689435, 0, 0.001},
    {"lookback", BS "strike=100 strike_kind=1", 1, 12, 0, 14.524645, 0, 0.001},
    {"forward-start", BS "moneyness=1.05", 1, 2, 0, 4.095564, 0, 0},
    {"cliquet", BS "local_floor=-0.02 local_cap=0.03", 1, 12, 0, 4.158079, 0, 0},
    {"basket", TWO "strike=100", 1, 1, 0.5, 8.445661, 0, 0},
    {"exchange", TWO, 1, 1, 0.5, 12.695800, 0, 0},
    {"exchange", TWO "strike=5", 1, 1, 0.5, 9.958695, 0, 0},
    {"best-of", TWO "strike=100", 1, 1, 0.5, 15.082925, 0, 0},
    {"worst-of", TWO "strike=100", 1, 1, 0.5, 4.392634, 0, 0},
    {"autocall", "black-scholes", RATES "volatility=0.25", 3, 6, 0, 99.250063, 0, 0.001},
    {"autocall", "black-scholes", RATES "volatility=0.25 memory=0", 3, 6, 0, 97.911693, 0, 0.001},
    {"variance-swap", BS "strike=0.04", 1, 12, 0, 0.000793, 0, 0},
    {"range-accrual", BS "lower=90 upper=110", 1, 52, 0, 0.546930, 0, 0},
    {"european", HESTON "strike=100", 1, 1, 0, 9.459131, 0, 0},
    {"digital", HESTON "strike=100", 1, 1, 0, 0.550237, 0, 0},
    {"barrier", HESTON "strike=100 barrier=85 side=-1", 1, 52, 0, 8.667584, 0, 0.01},
    {"european", MERTON "strike=100", 1, 1, 0, 11.080486, 0, 0},
    {"european", MERTON "strike=100", 1, 12, 0, 11.080486, 0, 0},
    {"digital", MERTON "strike=100", 1, 4, 0, 0.494273, 0, 0},
    {"european", BATES "strike=100", 1, 1, 0, 11.368955, 0, 0},
    {"digital", BATES "strike=100", 1, 1, 0, 0.524075, 0, 0},
    {"european", KOU "strike=100", 1, 1, 0, 12.435528, 0, 0},
    {"digital", KOU "strike=100", 1, 6, 0, 0.483426, 0, 0},
    {"european", CURVES "strike=100", 1, 4, 0, 10.009670, 0, 0},
    {"zero-bond", VASICEK, 5, 5, 0, 0.834458, 0, 0},
    {"caplet", VASICEK "strike=0.035", 2, 1, 0, 0.002323, 0, 1e-6},
    {"swaption", VASICEK "strike=0.035", 1, 1, 0, 0.005928, 0, 1e-6},
    {"zero-bond", HULL_WHITE, 4, 4, 0, 0.895834, 0, 1e-6},
    {"caplet", HULL_WHITE "strike=0.04", 4, 4, 0, 0.003389, 0, 1e-6},
    {"swaption", HULL_WHITE "strike=0.035", 4, 4, 0, 0.015990, 0, 1e-6},
};
#define CASES (sizeof cases / sizeof *cases)

static double times[MOST_DATES];

static void set_values(bailey_simulation *s, const char *list)
{
    while (*list) {
        char name[64];
        double values[MOST_VALUES];
        uint64_t count = 0;
        const size_t length = strcspn(list, "=");
        snprintf(name, sizeof name, "%.*s", (int)length, list);
        list += length;
        do {
            char *end;
            assert_true(count < MOST_VALUES);
            values[count++] = strtod(list + 1, &end);
            list = end;
        } while (*list == ',');
        OK(bailey_simulation_set(s, name, values, count));
        while (*list == ' ') list++;
    }
}

static bailey_simulation *make(const struct composed *c, bailey_precision precision, uint32_t substeps)
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
        .payoff = {.name = c->product, .model_name = c->model, .substeps = substeps}};
    bailey_simulation *s = NULL;
    OK(bailey_simulation_create(context, &params, &s));
    return s;
}

static void check_price(const struct composed *c, size_t number)
{
    bailey_simulation *s = make(c, BAILEY_PRECISION_F64, 0);
    bailey_estimate found[2];
    set_values(s, c->values);
    const bailey_simulation_run_params run = {.paths = c->paths ? c->paths : MANY, .source = {.seed = 5 + number}};
    OK(bailey_simulation_run(s, &run, found));
    const double error = hypot(found[0].standard_error, c->tolerated / 4);
    print_message("# %s under %s: %.6f +- %.6f, known %.6f: %.2f\n", c->product, c->model, found[0].mean,
                  found[0].standard_error, c->wanted, (found[0].mean - c->wanted) / error);
    assert_true(fabs(found[0].mean - c->wanted) < 4 * error + 1e-6);
    bailey_simulation_destroy(s);
}

static int is_quick(void) { return getenv("BAILEY_TEST_QUICK") || strncmp(device.address, "opencl", 6) == 0; }

TEST(prices, DEVICE)
{
    if (!simulates() || is_quick()) skip();
    for (size_t i = 0; i < CASES; i++) check_price(&cases[i], i);
}
