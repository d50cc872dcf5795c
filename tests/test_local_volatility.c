/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Local volatility from quotes: against closed forms and QuantLib, what is refused and where, and prices under dupire.
 */
#include <bailey/local_volatility.h>

#include "simulations.h"

#include <math.h>

/* Quotes of Heston's model, variance 0.04, reversion 1.5, mean variance 0.05, sigma 0.3, correlation -0.7, rate 0.03,
 * by its characteristic function in Python. */
enum { EXPIRIES = 6, STRIKES = 14 };
static const double expiries[EXPIRIES] = {1.0 / 12, 1.0 / 6, 0.25, 0.5, 0.75, 1};
static const double forwards[EXPIRIES] = {100.25031276, 100.50125209, 100.75281954,
                                          101.51130646, 102.27550342, 103.0454534};
static const double strikes[STRIKES] = {60, 70, 80, 85, 90, 95, 100, 105, 110, 115, 120, 130, 140, 150};
/* clang-format off */
static const double of_heston[EXPIRIES * STRIKES] = {
    NAN, NAN, 0.25011504, 0.23786772, 0.22551554, 0.21302223, 0.20043371, 0.18800961, 0.17647468, 0.16708382, 0.16075793, NAN, NAN, NAN,
    NAN, NAN, 0.24876352, 0.23689980, 0.22497500, 0.21296138, 0.20090386, 0.18902323, 0.17790509, 0.16856972, 0.16188994, 0.15586744, NAN, NAN,
    NAN, 0.27062286, 0.24748792, 0.23599672, 0.22448650, 0.21293841, 0.20139951, 0.19006318, 0.17940302, 0.17022243, 0.16328909, 0.15623991, 0.15497657, NAN,
    0.28754228, 0.26537508, 0.24410078, 0.23366386, 0.22332064, 0.21307446, 0.20297726, 0.19316126, 0.18387461, 0.17548672, 0.16840676, 0.15902168, 0.15510558, 0.15443670,
    0.28151332, 0.26088576, 0.24133260, 0.23185768, 0.22256246, 0.21345811, 0.20458649, 0.19602951, 0.18791636, 0.18042129, 0.17374218, 0.16346332, 0.15744457, 0.15474179,
    0.27626886, 0.25707900, 0.23910721, 0.23049633, 0.22212028, 0.21398723, 0.20612340, 0.19857511, 0.19140953, 0.18471245, 0.17858112, 0.16837629, 0.16122016, 0.15688970,
};
/* clang-format on */

static double volatilities[EXPIRIES * STRIKES];
static bailey_local_volatility grid;
static unsigned warnings;
static char warned[400];

static bailey_volatility_quotes quotes(void)
{
    return (bailey_volatility_quotes){.expiries = expiries,
                                      .forwards = forwards,
                                      .strikes = strikes,
                                      .volatilities = volatilities,
                                      .expiry_count = EXPIRIES,
                                      .strike_count = STRIKES};
}

static void take_warning(void *user, const char *message)
{
    (void)user;
    warnings++;
    snprintf(warned, sizeof warned, "%s", message);
}

static void find(const bailey_volatility_quotes *q)
{
    warnings = 0;
    bailey_warning_set(take_warning, NULL);
    OK(bailey_local_volatility_find(q, &grid));
    bailey_warning_set(NULL, NULL);
}

static double node(int row, int column) { return grid.volatility[row * BAILEY_LOCAL_VOLATILITY_COLUMNS + column]; }

/* A surface whose volatility does not depend on the strike has the root of the growth of its total variance. */
TEST(flat, HOST)
{
    for (int i = 0; i < EXPIRIES * STRIKES; i++) volatilities[i] = 0.2;
    bailey_volatility_quotes q = quotes();
    q.horizon = 2;
    find(&q);
    for (unsigned i = 0; i < BAILEY_LOCAL_VOLATILITY_NODES; i++)
        assert_true(fabs(grid.volatility[i] - 0.2) < 1e-14);
    assert_true(grid.horizon == 2 && fabs(grid.high - 0.8 * sqrt(2)) < 1e-12 && grid.low == -grid.high);
    assert_int_equal(warnings, 1);
    assert_non_null(strstr(warned, "the grid goes on to 2 years, and quotes end at 1"));
    for (int i = 0; i < EXPIRIES * STRIKES; i++) {
        const double t = expiries[i / STRIKES];
        volatilities[i] = sqrt(0.04 + 0.03 * t); /* w = 0.04 t + 0.03 t^2 */
    }
    q.horizon = 1;
    find(&q);
    for (int row = 0; row < 16; row++)
        assert_true(fabs(node(row, 20) - sqrt(0.04 + 0.06 * row / 15)) < 1e-7);
}

/* The local volatility of Heston's model is the root of the variance that is expected at a price: its values at nodes
 * are those of QuantLib 1.44, HestonBlackVolSurface and LocalVolSurface. */
TEST(heston, HOST)
{
    static const struct {
        int row, column;
        double wanted;
    } nodes[] = {{3, 28, 0.24555810}, {5, 32, 0.20076867}, {5, 36, 0.16100743}, {8, 24, 0.27168504}, {8, 32, 0.20190052},
                 {8, 40, 0.14606357}, {15, 20, 0.28122380}, {15, 32, 0.20505188}, {15, 38, 0.16891596}};
    memcpy(volatilities, of_heston, sizeof of_heston);
    bailey_volatility_quotes q = quotes();
    q.high = 0.80593741998757;
    q.low = -q.high;
    find(&q);
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        if (fabs(node(nodes[i].row, nodes[i].column) - nodes[i].wanted) > 1e-3)
            fail_msg("node %d %d: %.8f instead of %.8f", nodes[i].row, nodes[i].column,
                     node(nodes[i].row, nodes[i].column), nodes[i].wanted);
    assert_int_equal(warnings, 1);
    assert_true(grid.extrapolated > 10 && grid.extrapolated_strike > grid.last_strike);
    assert_non_null(strstr(warned, "nodes that prices are likely to reach are beyond the quotes"));
    q.low = -0.1; /* all quoted, and volatilities beyond are those of the edge of the grid: the user's choice */
    q.high = 0.1;
    q.horizon = 0.5;
    find(&q);
    assert_int_equal(warnings, 0);
    assert_int_equal(grid.extrapolated, 0);
}

/* Prices of the model that the quotes are from, by QuantLib's AnalyticHestonEngine. */
TEST(prices, DEVICE)
{
    if (!simulates()) skip();
    static const double wanted[] = {16.0965837, 9.6502184, 4.9600982}, one[] = {1};
    memcpy(volatilities, of_heston, sizeof of_heston);
    const bailey_volatility_quotes q = quotes();
    find(&q);
    for (int i = 0; i < 3; i++) {
        const bailey_simulation_params params = {.path = {.times = one, .steps = 1, .precision = BAILEY_PRECISION_F64},
                                                 .payoff = {.name = "european", .model_name = "dupire"}};
        const bailey_simulation_run_params run = {.paths = 1 << 14, .source = {.seed = 7}, .antithetic = 1};
        const double spot = 100, rate = 0.03, strike = 90 + 10 * i;
        bailey_simulation *s = NULL;
        bailey_estimate found;
        OK(bailey_simulation_create(context, &params, &s));
        OK(bailey_simulation_set(s, "spot", &spot, 1));
        OK(bailey_simulation_set(s, "rate", &rate, 1));
        OK(bailey_simulation_set(s, "strike", &strike, 1));
        OK(bailey_simulation_set(s, "horizon", &grid.horizon, 1));
        OK(bailey_simulation_set(s, "low", &grid.low, 1));
        OK(bailey_simulation_set(s, "high", &grid.high, 1));
        OK(bailey_simulation_set(s, "volatility", grid.volatility, BAILEY_LOCAL_VOLATILITY_NODES));
        OK(bailey_simulation_run(s, &run, &found));
        bailey_simulation_destroy(s);
        if (fabs(found.mean - wanted[i]) > 3.5 * found.standard_error)
            fail_msg("strike %g: %.6f +- %.6f instead of %.6f", strike, found.mean, found.standard_error, wanted[i]);
    }
}

static void refuses(const bailey_volatility_quotes *q, const char *argument, const char *words)
{
    grid.horizon = 77;
    assert_int_equal(bailey_local_volatility_find(q, &grid), BAILEY_ERROR_INVALID);
    if (!strstr(bailey_error_message(), words)) fail_msg("%s", bailey_error_message());
    assert_string_equal(bailey_error_argument(), argument);
    assert_true(grid.horizon == 77);
}

/* A quote of Heston's surface that is `by` higher. */
static void refuses_quote(int row, int column, double by, const char *words)
{
    const bailey_volatility_quotes q = quotes();
    memcpy(volatilities, of_heston, sizeof of_heston);
    volatilities[row * STRIKES + column] += by;
    refuses(&q, "volatilities", words);
}

TEST(refused, HOST)
{
    refuses_quote(5, 6, 0.02, "butterfly arbitrage at expiry 1 (row 6) and strike 100 (column 7)");
    refuses_quote(2, 8, -0.02, "butterfly arbitrage at expiry 0.25 (row 3) between strikes 110 and 115");
    refuses_quote(3, 1, -10, "the volatility at expiry 0.5 (row 4) and strike 70 (column 2) is -9.7");
    refuses_quote(3, 1, 20, "0.2 is 20 %");
    refuses_quote(3, 1, INFINITY, "volatilities[3][1]");
    bailey_volatility_quotes q = quotes();
    memcpy(volatilities, of_heston, sizeof of_heston);
    for (int i = 0; i < STRIKES; i++) volatilities[3 * STRIKES + i] = 0.7 * of_heston[2 * STRIKES + i];
    refuses(&q, "volatilities", "calendar arbitrage at expiry 0.5 (row 4) and strike 80: the total variance is 0.0150063, and at expiry 0.25, at the same");
    for (int i = 0; i < STRIKES; i++) volatilities[i] = NAN;
    refuses(&q, "volatilities", "expiry 0.0833333 (row 1) has no quote");
    double falling[EXPIRIES];
    memcpy(falling, expiries, sizeof falling);
    falling[2] = falling[1];
    q.expiries = falling;
    refuses(&q, "expiries", "expiries[1] is 0.166667 and expiries[2] is 0.166667: they must increase");
    q.expiries = expiries;
    q.low = 1;
    q.high = 0.5;
    memcpy(volatilities, of_heston, sizeof of_heston);
    refuses(&q, "low", "low is 1 and high is 0.5");
    q.strikes = NULL;
    refuses(&q, "strikes", "strikes");
    refuses(NULL, "quotes", "quotes is NULL");
    q = quotes();
    assert_int_equal(bailey_local_volatility_find(&q, NULL), BAILEY_ERROR_INVALID);
}
