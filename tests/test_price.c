/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Prices on a device: against closed forms, against payoffs of the same paths in plain C, and against the cpu
 * backend bit for bit.
 */
#include "asian.h"
#include "harness.h"

#include <math.h>

#define FIXINGS 24
#define ASSETS 3

static double fixings[FIXINGS];
static const double spot[ASSETS] = {100, 50, 200}, volatility[ASSETS] = {0.2, 0.35, 0.15};
static const double dividend[ASSETS] = {0.01, 0, 0.03}, weight[ASSETS] = {0.5, 0.8, 0.1};
static const double correlation[ASSETS * ASSETS] = {1, 0.5, 0.2, 0.5, 1, -0.3, 0.2, -0.3, 1};

static struct asian_params basket(void)
{
    for (int i = 0; i < FIXINGS; i++) fixings[i] = (i + 1) / 12.0 + (i % 3) / 365.0;
    return (struct asian_params){.fixings = fixings,
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
                                 .source = {.seed = 2026}};
}

static struct asian_result price(const struct asian_params *params)
{
    struct asian_result result;
    memset(&result, POISON, sizeof result);
    OK(asian_price(context, params, &result));
    return result;
}

static void check_geometric(const struct asian_result *r)
{
    const double error = r->geometric_price - r->geometric_closed_form;
    if (!(fabs(error) <= 3 * r->geometric_standard_error))
        fail_msg("geometric price %.9g, closed form %.9g, standard error %.3g", r->geometric_price,
                 r->geometric_closed_form, r->geometric_standard_error);
}

TEST(geometric, DEVICE | LONG_ON_OPENCL)
{
    if (!device.has_f64) skip();
    for (int variant = 0; variant < 8; variant++) {
        struct asian_params params = basket();
        params.put = (int)((variant ^ variant >> 1 ^ variant >> 2) & 1);
        params.normal.method = (bailey_normal_method)(variant & 1);
        params.normal.precision = (bailey_precision)(variant >> 1 & 1);
        params.normal.numerics = (bailey_numerics)(variant >> 2 & 1);
        const struct asian_result r = price(&params);
        check_geometric(&r);
        /* a mean is at least the geometric mean */
        assert_true(!params.put ? r.price > r.geometric_price : r.price < r.geometric_price);
        assert_int_equal(r.has_control, 1);
        assert_true(r.controlled_standard_error < r.standard_error / 5);
        assert_true(fabs(r.controlled_price - r.price) < 3 * r.standard_error);
        assert_true(r.paths == params.paths);
    }
}

/* Black and Scholes: one asset, one fixing. */
TEST(european, DEVICE)
{
    if (!device.has_f64) skip();
    static const double maturity = 1, one_spot = 100, vol = 0.2;
    for (int variant = 0; variant < 4; variant++) {
        const struct asian_params params = {.fixings = &maturity,
                                            .fixing_count = 1,
                                            .assets = 1,
                                            .spot = &one_spot,
                                            .volatility = &vol,
                                            .rate = 0.05,
                                            .strike = 100,
                                            .paths = variant & 2 ? 250000 : 1000000,
                                            .source = {.seed = 1},
                                            .normal = {.precision = (bailey_precision)(variant & 1)},
                                            .put = (int)(variant >> 1)};
        const struct asian_result r = price(&params);
        const double expected = params.put ? 10.4505835721856 - 100 + 100 * exp(-0.05) : 10.4505835721856;
        /* of the parameters as single precision has them */
        assert_true(fabs(r.geometric_closed_form - expected) < (variant & 1 ? 1e-10 : 1e-6));
        assert_true(fabs(r.price - expected) < 3 * r.standard_error);
        assert_true(r.standard_error > 0.005 && r.standard_error < 0.02);
    }
}

/* The expected mean of the basket over the fixings of basket(), those that are past included. */
static double forward(const struct asian_params *p)
{
    double sum = (double)p->past_count * p->past_average;
    for (uint64_t i = 0; i < p->fixing_count; i++)
        for (uint32_t k = 0; k < p->assets; k++)
            sum += p->weight[k] * p->spot[k] * exp((p->rate - p->dividend[k]) * p->fixings[i]);
    return sum / (double)(p->fixing_count + p->past_count);
}

static double discount(const struct asian_params *p)
{
    return exp(-p->rate * p->fixings[p->fixing_count - 1]);
}

/* The discounted mean of the basket with strike zero is a sum of forwards. */
TEST(test_forward, DEVICE)
{
    if (!device.has_f64) skip();
    struct asian_params params = basket();
    params.strike = 0;
    const struct asian_result r = price(&params);
    assert_true(fabs(r.price - discount(&params) * forward(&params)) < 3 * r.standard_error);
    check_geometric(&r);
}

static const double spread[ASSETS] = {0.5, 0.8, -0.3};

/* The fixings that are past: none, three, or so many of so high a mean that a call cannot end below its
 * strike. */
static void set_past(struct asian_params *params, int past)
{
    params->past_count = past == 0 ? 0 : past == 1 ? 3 : 40;
    params->past_average = past == 0 ? 0 : past == 1 ? 104 : 250;
}

/* A call less a put is the forward on the mean, whatever the weights and the past. */
TEST(parity, DEVICE)
{
    if (!device.has_f64) skip();
    for (int variant = 0; variant < 12; variant++) {
        struct asian_params params = basket();
        params.normal.precision = (bailey_precision)(variant & 1);
        params.paths = 5003;
        if (variant & 2) params.weight = spread;
        if (variant & 2) params.strike = 30;
        set_past(&params, variant / 4);
        const struct asian_result call = price(&params);
        params.put = 1;
        const struct asian_result put = price(&params);
        const double expected = discount(&params) * (forward(&params) - params.strike);
        const double error = call.standard_error + put.standard_error;
        if (!(fabs(call.price - put.price - expected) <= 3 * error))
            fail_msg("variant %d: %.9g - %.9g, expected %.9g", variant, call.price, put.price, expected);
        assert_int_equal(call.has_control, !(variant & 2));
        if (!call.has_control) continue;
        check_geometric(&call);
        check_geometric(&put);
        assert_true(fabs(call.controlled_price - put.controlled_price - expected) <=
                    3 * (call.controlled_standard_error + put.controlled_standard_error) + 1e-5 * expected);
    }
}

/* A call that the past has decided is a forward, and the put is worth nothing. */
TEST(decided, DEVICE)
{
    if (!device.has_f64) skip();
    struct asian_params params = basket();
    params.normal.precision = BAILEY_PRECISION_F64;
    params.paths = 5003;
    set_past(&params, 2);
    const struct asian_result call = price(&params);
    params.put = 1;
    const struct asian_result put = price(&params);
    const double expected = discount(&params) * (forward(&params) - params.strike);
    assert_true(fabs(call.price - expected) < 3 * call.standard_error);
    assert_true(fabs(call.controlled_price - expected) < 3 * call.controlled_standard_error);
    assert_true(call.controlled_standard_error < call.standard_error / 5);
    check_geometric(&call);
    assert_true(put.price == 0 && put.standard_error == 0 && put.controlled_price == 0 &&
                put.geometric_price == 0 && put.geometric_closed_form == 0);
}

/* Margrabe (1978): the option to exchange one asset for another, as a spread with strike 0 and one fixing. */
TEST(exchange, DEVICE)
{
    static const double maturity = 1.5, spots[2] = {100, 96}, vols[2] = {0.3, 0.2}, yields[2] = {0.02, 0.05};
    static const double one_less_other[2] = {1, -1}, matrix[4] = {1, 0.4, 0.4, 1};
    if (!device.has_f64) skip();
    const double vol = sqrt(0.3 * 0.3 - 2 * 0.4 * 0.3 * 0.2 + 0.2 * 0.2) * sqrt(maturity);
    const double first = 100 * exp(-0.02 * maturity), second = 96 * exp(-0.05 * maturity);
    const double d1 = log(first / second) / vol + vol / 2;
    const double call = first * erfc(-d1 * sqrt(0.5)) / 2 - second * erfc(-(d1 - vol) * sqrt(0.5)) / 2;
    for (int variant = 0; variant < 4; variant++) {
        const struct asian_params params = {.fixings = &maturity,
                                            .fixing_count = 1,
                                            .assets = 2,
                                            .spot = spots,
                                            .volatility = vols,
                                            .dividend = yields,
                                            .weight = one_less_other,
                                            .correlation = matrix,
                                            .rate = 0.03,
                                            .paths = 200000,
                                            .source = {.seed = 4},
                                            .normal = {.precision = (bailey_precision)(variant & 1)},
                                            .put = (int)(variant >> 1)};
        const struct asian_result r = price(&params);
        const double expected = params.put ? call - first + second : call;
        if (!(fabs(r.price - expected) < 3 * r.standard_error))
            fail_msg("price %.9g +- %.3g, expected %.9g", r.price, r.standard_error, expected);
        assert_true(r.standard_error > 0.02 && r.standard_error < 0.08);
        assert_true(r.has_control == 0 && r.geometric_closed_form == 0 && r.geometric_price == 0 &&
                    r.geometric_standard_error == 0 && r.controlled_price == 0 &&
                    r.controlled_standard_error == 0);
    }
}

enum { DIRECT_FIXINGS = 5, DIRECT_PATHS = 2000 };
static const double direct_times[DIRECT_FIXINGS] = {0.1, 0.4, 0.5, 0.9, 1.3};

/* The paths of the price, of the first two assets: [fixing][asset][path]. */
static double *direct_paths(const bailey_source *source, double rho)
{
    const double factor[4] = {volatility[0], 0, volatility[1] * rho, volatility[1] * sqrt(1 - rho * rho)};
    const bailey_bridge_params bridge_params = {.times = direct_times,
                                                .steps = DIRECT_FIXINGS,
                                                .dims = 2,
                                                .factor = factor,
                                                .precision = BAILEY_PRECISION_F64};
    const uint64_t bytes = sizeof(double) * DIRECT_FIXINGS * 2 * DIRECT_PATHS;
    bailey_bridge *bridge = NULL;
    OK(bailey_bridge_create(context, &bridge_params, &bridge));
    bailey_buffer *buffer = poisoned(bytes);
    OK(bailey_bridge_paths(bridge, source, NULL, 0, DIRECT_PATHS, buffer));
    double *x = harvest(buffer, bytes);
    bailey_bridge_destroy(bridge);
    return x;
}

/* The mean over all fixings of a path. */
static double direct_mean(const struct asian_params *p, const double *x, uint64_t path)
{
    double sum = (double)p->past_count * p->past_average;
    for (int i = 0; i < DIRECT_FIXINGS; i++)
        for (int k = 0; k < 2; k++)
            sum += p->weight[k] * spot[k] *
                   exp((p->rate - dividend[k] - volatility[k] * volatility[k] / 2) * direct_times[i] +
                       x[(i * 2 + k) * DIRECT_PATHS + path]);
    return sum / (double)(DIRECT_FIXINGS + p->past_count);
}

/* The payoff as its definition says, with the C library, on the same paths. */
static void check_direct(const bailey_source *source)
{
    static const double matrix[4] = {1, -0.4, -0.4, 1};
    double *x = direct_paths(source, matrix[1]);
    bailey_source_kind kind;
    for (int variant = 0; variant < 12; variant++) {
        struct asian_params params = basket();
        params.fixings = direct_times;
        params.fixing_count = DIRECT_FIXINGS;
        params.assets = 2;
        params.correlation = matrix;
        params.weight = variant & 2 ? spread + 1 : weight; /* 0.8 and -0.3, or 0.5 and 0.8 */
        params.strike = variant & 2 ? 60 : 90;
        params.paths = DIRECT_PATHS;
        params.source = *source;
        params.normal.precision = BAILEY_PRECISION_F64;
        params.put = (int)(variant & 1);
        set_past(&params, variant / 4);
        double sum = 0, squares = 0;
        for (uint64_t path = 0; path < DIRECT_PATHS; path++) {
            const double over = direct_mean(&params, x, path) - params.strike;
            const double payoff = fmax(params.put ? -over : over, 0);
            sum += payoff;
            squares += payoff * payoff;
        }
        const double mean = sum / DIRECT_PATHS;
        const double variance = (squares / DIRECT_PATHS - mean * mean) / (DIRECT_PATHS - 1);
        const struct asian_result r = price(&params);
        if (!(fabs(r.price - discount(&params) * mean) <= 1e-11 * r.price))
            fail_msg("%s, variant %d: price %.17g, expected %.17g", bailey_generator_name(source->generator),
                     variant, r.price, discount(&params) * mean);
        if (bailey_source_check(source, &kind) == BAILEY_OK && kind != BAILEY_SOURCE_KIND_POINT)
            assert_true(fabs(r.standard_error - discount(&params) * sqrt(variance)) <=
                        1e-9 * r.standard_error);
    }
    free(x);
}

TEST(direct, DEVICE | LONG_ON_OPENCL)
{
    if (!device.has_f64) skip();
    for (int g = 0; g < GENERATORS; g++)
        check_direct(&(bailey_source){.seed = 77, .generator = (bailey_generator)g});
}

/* In a currency whose unit is 2^n times larger every digit is the same. */
TEST(unit, DEVICE)
{
    if (!device.has_f64) skip();
    for (int variant = 0; variant < 8; variant++) {
        const int shift = variant & 4 ? 40 : -40;
        double scaled[ASSETS];
        struct asian_params params = basket();
        params.paths = 1003;
        params.normal.precision = (bailey_precision)(variant & 1);
        set_past(&params, variant >> 1 & 1);
        const struct asian_result r = price(&params);
        for (int k = 0; k < ASSETS; k++) scaled[k] = ldexp(spot[k], shift);
        params.spot = scaled;
        params.strike = ldexp(params.strike, shift);
        params.past_average = ldexp(params.past_average, shift);
        struct asian_result found = price(&params);
        double *const money[] = {&found.price,
                                 &found.standard_error,
                                 &found.geometric_closed_form,
                                 &found.geometric_price,
                                 &found.geometric_standard_error,
                                 &found.controlled_price,
                                 &found.controlled_standard_error,
                                 &found.interval_low,
                                 &found.interval_high};
        for (size_t i = 0; i < sizeof money / sizeof *money; i++) *money[i] = ldexp(*money[i], -shift);
        assert_memory_equal(&found, &r, sizeof r);
    }
}

/* No volatility: the payoff is certain and the errors are zero. */
TEST(certain, DEVICE)
{
    if (!device.has_f64) skip();
    static const double none[ASSETS] = {0, 0, 0};
    struct asian_params params = basket();
    params.volatility = none;
    params.normal.precision = BAILEY_PRECISION_F64;
    params.paths = 1000;
    params.strike = 50;
    const struct asian_result r = price(&params);
    assert_true(fabs(r.geometric_price - r.geometric_closed_form) < 1e-10);
    assert_true(r.standard_error < 1e-6);
}

/* Single precision lasts over many fixings, and rounding noise is not taken for a control variate. */
TEST(many_fixings, DEVICE)
{
    enum { MANY = 20000 };
    static const double one_spot = 100, none = 0;
    double *times = allocate(MANY * sizeof *times), sum = 0;
    if (!device.has_f64) skip();
    for (int i = 0; i < MANY; i++) sum += exp(0.03 * (times[i] = (i + 1) / (double)MANY));
    const struct asian_params params = {.fixings = times,
                                        .fixing_count = MANY,
                                        .assets = 1,
                                        .spot = &one_spot,
                                        .volatility = &none,
                                        .rate = 0.03,
                                        .strike = 100,
                                        .paths = 1000};
    const struct asian_result r = price(&params);
    const double expected = exp(-0.03) * (100 * sum / MANY - 100);
    free(times);
    if (!(fabs(r.price - expected) < 1e-3 * expected))
        fail_msg("price %.9g, expected %.9g", r.price, expected);
    assert_true(fabs(r.controlled_price - expected) < 1e-3 * expected);
    assert_true(r.standard_error < 1e-6);
}

/* The loss in single precision that the header describes: equal values, so that every addition rounds alike.
 */
TEST(rounding, DEVICE | LONG)
{
    static const struct {
        uint64_t fixings;
        double limit;
    } cases[] = {{300, 4e-6}, {1000, 4e-6}, {10000, 4e-6}, {100000, 7e-6}, {1000000, 6e-5}};
    static const double none = 0;
    if (!device.has_f64) skip();
    double *times = allocate(1000000 * sizeof *times);
    for (int i = 0; i < 1000000; i++) times[i] = (i + 1) / 1e6;
    for (int c = 0; c < (getenv("BAILEY_TEST_QUICK") ? 3 : 5); c++)
        for (int k = 0; k < (c < 3 ? ASSETS : 1); k++) {
            const struct asian_params params = {.fixings = times,
                                                .fixing_count = cases[c].fixings,
                                                .assets = 1,
                                                .spot = &spot[k],
                                                .volatility = &none,
                                                .paths = 4};
            const struct asian_result r = price(&params);
            if (!(fabs(r.price - spot[k]) <= cases[c].limit * spot[k]) || r.standard_error != 0)
                fail_msg("%llu fixings: mean %.9g of %g", (unsigned long long)cases[c].fixings, r.price,
                         spot[k]);
        }
    free(times);
}

static int never(void *user, uint64_t done, uint64_t total)
{
    *(uint64_t *)user += done > total;
    return 0;
}

/* The same bits as the cpu backend, whatever the number of paths and with many blocks. */
TEST(bits, DEVICE | LONG)
{
    if (!device.has_f64) skip();
    static const uint64_t paths[] = {2, 3, 33, 1023, 1024, 1025, 40000, 1048577, 1048576, 2500001};
    const size_t sizes = getenv("BAILEY_TEST_QUICK") ? 8 : sizeof paths / sizeof paths[0];
    for (size_t i = 0; i < 2 * sizes; i++) {
        uint64_t wrong = 0;
        struct asian_params params = basket();
        params.fixing_count = 5;
        params.paths = paths[i / 2];
        params.replicates = params.paths < 40000 ? i / 2 % 4 : 0;
        params.put = (int)(i / 2 % 2);
        if (i / 2 % 5 == 2) params.source.generator = BAILEY_GENERATOR_WARP;
        if (i / 2 % 4 == 1)
            params.source =
                (bailey_source){.generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_OWEN};
        if (i / 2 % 4 == 3) params.weight = spread;
        set_past(&params, i / 2 % 3 == 2);
        params.normal.precision = (bailey_precision)(i % 2);
        params.progress = never;
        params.progress_user = &wrong;
        const struct asian_result found = price(&params);
        bailey_context *tested = context;
        OK(bailey_context_create("cpu", &(bailey_context_params){.threads = 1}, &context));
        const struct asian_result expected = price(&params);
        bailey_context_destroy(context);
        context = tested;
        assert_memory_equal(&found, &expected, sizeof found);
        assert_int_equal(wrong, 0);
    }
}

/* The estimates of a result, and their errors. */
static double value_of(const struct asian_result *r, int i)
{
    return i == 0 ? r->price : i == 1 ? r->geometric_price : r->controlled_price;
}

static double error_of(const struct asian_result *r, int i)
{
    return i == 0 ? r->standard_error : i == 1 ? r->geometric_standard_error : r->controlled_standard_error;
}

enum { REPLICATES = 5 };

/* Replicates are separate prices: their mean, in order, and the error that follows from their spread. */
static void check_replicates(struct asian_params params)
{
    struct asian_result one[REPLICATES];
    params.replicates = REPLICATES;
    const struct asian_result r = price(&params);
    params.replicates = 0;
    for (int i = 0; i < REPLICATES; i++, params.source.stream++) one[i] = price(&params);
    assert_true(r.replicates == REPLICATES && r.paths == REPLICATES * params.paths);
    assert_true(one[0].replicates == 1 && r.geometric_closed_form == one[0].geometric_closed_form);
    for (int e = 0; e < 3; e++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < REPLICATES; i++) sum += value_of(&one[i], e);
        const double mean = sum / REPLICATES;
        for (int i = 0; i < REPLICATES; i++) squares += pow(value_of(&one[i], e) - mean, 2);
        const double error = sqrt(squares / (REPLICATES - 1) / REPLICATES);
        assert_true(fabs(value_of(&r, e) - mean) <= 1e-14 * fabs(mean));
        if (!(fabs(error_of(&r, e) - error) <= 1e-9 * error))
            fail_msg("estimate %d: standard error %.17g, expected %.17g", e, error_of(&r, e), error);
    }
}

TEST(replicates, DEVICE | LONG_ON_OPENCL)
{
    if (!device.has_f64) skip();
    for (int variant = 0; variant < 4; variant++) {
        struct asian_params params = basket();
        params.paths = variant == 3 ? 1048579 : 3001;
        params.fixing_count = variant == 3 ? 2 : 6;
        params.source.stream = 7;
        if (variant == 1) params.source.generator = BAILEY_GENERATOR_WARP;
        if (variant == 2) params.weight = spread;
        params.normal.precision = (bailey_precision)(variant & 1);
        check_replicates(params);
    }
}

/* One replicate says what it always said, and replicates whose paths are all alike have no error. */
TEST(replicates_alike, DEVICE)
{
    static const double none[ASSETS] = {0, 0, 0};
    if (!device.has_f64) skip();
    struct asian_params params = basket();
    params.paths = 1000;
    const struct asian_result plain = price(&params);
    params.replicates = 1;
    const struct asian_result one = price(&params);
    assert_memory_equal(&plain, &one, sizeof one);
    params.replicates = 16;
    params.volatility = none;
    const struct asian_result r = price(&params);
    assert_true(r.standard_error == 0 && r.geometric_standard_error == 0 && r.controlled_standard_error == 0);
}

struct steps {
    uint64_t calls, last, total, stop_after;
};

static int step(void *user, uint64_t done, uint64_t total)
{
    struct steps *steps = user;
    assert_true(done > steps->last && done <= total);
    steps->last = done;
    steps->total = total;
    return ++steps->calls == steps->stop_after;
}

/* Progress counts the paths of all replicates. */
TEST(replicates_progress, DEVICE)
{
    struct steps steps = {0};
    if (!device.has_f64) skip();
    struct asian_params params = basket();
    params.paths = 1001;
    params.replicates = 40;
    params.progress = step;
    params.progress_user = &steps;
    price(&params);
    assert_true(steps.calls == 40 && steps.last == 40040 && steps.total == 40040);
    steps = (struct steps){.stop_after = 3};
    struct asian_result untouched;
    memset(&untouched, POISON, sizeof untouched);
    const struct asian_result before = untouched;
    assert_int_equal(asian_price(context, &params, &untouched), BAILEY_ERROR_CANCELLED);
    assert_memory_equal(&untouched, &before, sizeof before);
    assert_int_equal(steps.last, 3003);
}

/* One asset, 64 fixings in a year, at the money. */
static struct asian_params one_asset(void)
{
    static const double one_spot = 100, vol = 0.2;
    static double times[64];
    for (int i = 0; i < 64; i++) times[i] = (i + 1) / 64.0;
    return (struct asian_params){.fixings = times,
                                 .fixing_count = 64,
                                 .assets = 1,
                                 .spot = &one_spot,
                                 .volatility = &vol,
                                 .rate = 0.05,
                                 .strike = 100,
                                 .paths = 1 << 14,
                                 .normal = {.precision = BAILEY_PRECISION_F64},
                                 .source = {.generator = BAILEY_GENERATOR_SOBOL}};
}

/* Its price, with the geometric control variate: of 64 replicates of 2^16 points (Owen, seed 0), 5.836857 +-
 * 0.000017; of 2^24 philox paths, 5.836879 +- 0.000068. */
#define ONE_ASSET_PRICE 5.836857

TEST(points, DEVICE)
{
    if (!device.has_f64) skip();
    for (int scramble = 0; scramble <= BAILEY_SCRAMBLE_NONE; scramble++) {
        struct asian_params params = one_asset();
        params.source.scramble = (bailey_scramble)scramble;
        const struct asian_result one = price(&params);
        assert_true(isnan(one.standard_error) && isnan(one.geometric_standard_error) &&
                    isnan(one.controlled_standard_error));
        assert_true(fabs(one.price - ONE_ASSET_PRICE) < 0.02);
        if (scramble == BAILEY_SCRAMBLE_NONE) continue;
        params.replicates = 16;
        const struct asian_result r = price(&params);
        if (!(fabs(r.price - ONE_ASSET_PRICE) < 4 * r.standard_error && r.standard_error < 0.001))
            fail_msg("scramble %d: price %.9g +- %.3g", scramble, r.price, r.standard_error);
        assert_true(fabs(r.geometric_price - r.geometric_closed_form) < 4 * r.geometric_standard_error);
        params.normal.precision = BAILEY_PRECISION_F32;
        check_replicates(params);
    }
}

/* The payoffs of the paths that bailey_bridge_paths makes of the same points. */
TEST(points_direct, DEVICE)
{
    if (!device.has_f64) skip();
    for (int assignment = 0; assignment <= BAILEY_ASSIGNMENT_DIAGONAL; assignment++)
        check_direct(&(bailey_source){.seed = 5,
                                      .stream = 3,
                                      .generator = BAILEY_GENERATOR_SOBOL,
                                      .scramble = BAILEY_SCRAMBLE_LMS,
                                      .point_order = (bailey_point_order)(assignment % 2),
                                      .word_bits = assignment == 1 ? 64 : 32,
                                      .assignment = (bailey_assignment)assignment});
}
