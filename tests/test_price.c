/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Prices on a device: against closed forms, and against the cpu backend bit for bit.
 */
#include "harness.h"

#include <math.h>

#define FIXINGS 24
#define ASSETS 3

static double fixings[FIXINGS];
static const double spot[ASSETS] = {100, 50, 200}, volatility[ASSETS] = {0.2, 0.35, 0.15};
static const double dividend[ASSETS] = {0.01, 0, 0.03}, weight[ASSETS] = {0.5, 0.8, 0.1};
static const double correlation[ASSETS * ASSETS] = {1, 0.5, 0.2, 0.5, 1, -0.3, 0.2, -0.3, 1};

static bailey_asian_params basket(void)
{
    for (int i = 0; i < FIXINGS; i++) fixings[i] = (i + 1) / 12.0 + (i % 3) / 365.0;
    return (bailey_asian_params){.fixings = fixings,
                                 .fixing_count = FIXINGS,
                                 .assets = ASSETS,
                                 .spot = spot,
                                 .volatility = volatility,
                                 .dividend = dividend,
                                 .weight = weight,
                                 .correlation = correlation,
                                 .rate = 0.03,
                                 .strike = 110,
                                 .paths = getenv("BAILEY_TEST_QUICK") ? 30011 : 300007,
                                 .seed = 2026};
}

static bailey_asian_result price(const bailey_asian_params *params)
{
    bailey_asian_result result;
    memset(&result, POISON, sizeof result);
    OK(bailey_asian_price(context, params, &result));
    return result;
}

static void check_geometric(const bailey_asian_result *r)
{
    const double error = r->geometric_price - r->geometric_closed_form;
    if (!(fabs(error) <= 3 * r->geometric_standard_error))
        fail_msg("geometric price %.9g, closed form %.9g, standard error %.3g", r->geometric_price,
                 r->geometric_closed_form, r->geometric_standard_error);
}

static void test_geometric(void **state)
{
    (void)state;
    if (!device.has_f64) skip();
    for (int variant = 0; variant < 8; variant++) {
        bailey_asian_params params = basket();
        params.method = (bailey_normal_method)(variant & 1);
        params.precision = (bailey_precision)(variant >> 1 & 1);
        params.numerics = (bailey_numerics)(variant >> 2 & 1);
        const bailey_asian_result r = price(&params);
        check_geometric(&r);
        assert_true(r.price > r.geometric_price); /* a mean is at least the geometric mean */
        assert_true(r.controlled_standard_error < r.standard_error / 5);
        assert_true(fabs(r.controlled_price - r.price) < 3 * r.standard_error);
        assert_true(r.paths == params.paths);
    }
}

/* Black and Scholes: one asset, one fixing. */
static void test_european(void **state)
{
    (void)state;
    if (!device.has_f64) skip();
    static const double maturity = 1, one_spot = 100, vol = 0.2;
    for (int precision = 0; precision < 2; precision++) {
        const bailey_asian_params params = {.fixings = &maturity,
                                            .fixing_count = 1,
                                            .assets = 1,
                                            .spot = &one_spot,
                                            .volatility = &vol,
                                            .rate = 0.05,
                                            .strike = 100,
                                            .paths = 1000000,
                                            .seed = 1,
                                            .precision = (bailey_precision)precision};
        const bailey_asian_result r = price(&params);
        const double expected = 10.4505835721856;
        assert_true(fabs(r.geometric_closed_form - expected) < 1e-10);
        assert_true(fabs(r.price - expected) < 3 * r.standard_error);
        assert_true(r.standard_error > 0.01 && r.standard_error < 0.02);
    }
}

/* The discounted mean of the basket with strike zero is a sum of forwards. */
static void test_forward(void **state)
{
    (void)state;
    if (!device.has_f64) skip();
    bailey_asian_params params = basket();
    params.strike = 0;
    const bailey_asian_result r = price(&params);
    double forward = 0;
    for (int i = 0; i < FIXINGS; i++)
        for (int k = 0; k < ASSETS; k++)
            forward += weight[k] * spot[k] * exp((0.03 - dividend[k]) * fixings[i]) / FIXINGS;
    forward *= exp(-0.03 * fixings[FIXINGS - 1]);
    assert_true(fabs(r.price - forward) < 3 * r.standard_error);
    check_geometric(&r);
}

/* No volatility: the payoff is certain and the errors are zero. */
static void test_certain(void **state)
{
    (void)state;
    if (!device.has_f64) skip();
    static const double none[ASSETS] = {0, 0, 0};
    bailey_asian_params params = basket();
    params.volatility = none;
    params.precision = BAILEY_PRECISION_F64;
    params.paths = 1000;
    params.strike = 50;
    const bailey_asian_result r = price(&params);
    assert_true(fabs(r.geometric_price - r.geometric_closed_form) < 1e-10);
    assert_true(r.standard_error < 1e-6);
}

/* Single precision lasts over many fixings, and rounding noise is not taken for a control variate. */
static void test_many_fixings(void **state)
{
    enum { MANY = 20000 };
    static const double one_spot = 100, none = 0;
    double *times = allocate(MANY * sizeof *times), sum = 0;
    (void)state;
    if (!device.has_f64) skip();
    for (int i = 0; i < MANY; i++) sum += exp(0.03 * (times[i] = (i + 1) / (double)MANY));
    const bailey_asian_params params = {.fixings = times,
                                        .fixing_count = MANY,
                                        .assets = 1,
                                        .spot = &one_spot,
                                        .volatility = &none,
                                        .rate = 0.03,
                                        .strike = 100,
                                        .paths = 1000};
    const bailey_asian_result r = price(&params);
    const double expected = exp(-0.03) * (100 * sum / MANY - 100);
    free(times);
    if (!(fabs(r.price - expected) < 1e-3 * expected))
        fail_msg("price %.9g, expected %.9g", r.price, expected);
    assert_true(fabs(r.controlled_price - expected) < 1e-3 * expected);
    assert_true(r.standard_error < 1e-6);
}

static int never(void *user, uint64_t done, uint64_t total)
{
    *(uint64_t *)user += done > total;
    return 0;
}

/* The same bits as the cpu backend, whatever the number of paths and with many blocks. */
static void test_bits(void **state)
{
    (void)state;
    if (!device.has_f64) skip();
    static const uint64_t paths[] = {2, 3, 33, 1023, 1024, 1025, 40000, 1048577, 1048576, 2500001};
    const size_t sizes = getenv("BAILEY_TEST_QUICK") ? 8 : sizeof paths / sizeof paths[0];
    for (size_t i = 0; i < 2 * sizes; i++) {
        uint64_t wrong = 0;
        bailey_asian_params params = basket();
        params.fixing_count = 5;
        params.paths = paths[i / 2];
        params.precision = (bailey_precision)(i % 2);
        params.progress = never;
        params.progress_user = &wrong;
        const bailey_asian_result found = price(&params);
        bailey_context *tested = context;
        OK(bailey_context_create("cpu", &(bailey_context_params){.threads = 1}, &context));
        const bailey_asian_result expected = price(&params);
        bailey_context_destroy(context);
        context = tested;
        assert_memory_equal(&found, &expected, sizeof found);
        assert_int_equal(wrong, 0);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_geometric),    cmocka_unit_test(test_european),
                                       cmocka_unit_test(test_forward),      cmocka_unit_test(test_certain),
                                       cmocka_unit_test(test_many_fixings), cmocka_unit_test(test_bits)};
    return harness_main(argc, argv, tests, sizeof tests / sizeof tests[0]);
}
