/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The built-in payoffs on a device: against closed forms, the asian's with its own, and against the means
 * that were measured once.
 */
#include "asian.h"
#include "payoff_deals.h"

#define ERRORS 3 /* standard errors that an estimate may be off by */

/* ---- Tables -------------------------------------------------------------------------------------- */

/* Each is described with all of its parameters. Those of the library are listed in the order of their names;
 * adaptive-milstein, whose path is a motion (test_simulation_motion.c), after those that have rows. */
TEST(parameters, DEVICE)
{
    size_t count = 0;
    const char *name = NULL, *before = "", *found;
    for (const struct bly_builtin *b; (b = bly_builtin_at(count)); count++) {
        struct deal deal = deal_of(b->name);
        name = bailey_payoff_name(count);
        assert_string_equal(name, b->name);
        assert_true(strcmp(before, name) < 0);
        before = name;
        bailey_simulation *simulation = simulation_of(&deal, BAILEY_PRECISION_F32);
        uint64_t elements;
        size_t i = 0;
        for (; (found = bailey_simulation_parameter(simulation, i, &elements)); i++)
            (void)value(&deal, found);
        assert_true(i == BLY_BUILTIN_PARAMETERS || !b->parameters[i].name);
        bailey_simulation_destroy(simulation);
    }
    assert_true(count >= 8);
    assert_string_equal(bailey_payoff_name(count), "adaptive-milstein");
    assert_null(bailey_payoff_name(count + 1));
}

/* ---- Closed forms -------------------------------------------------------------------------------- */

static double cdf(double x) { return 0.5 * erfc(-x * sqrt(0.5)); }

/* The normal logarithm of a price: spot exp(N(mean, variance)). */
struct lognormal {
    double spot, mean, deviation;
};

/* The expectation of (S - strike) where S is between low and high, and the probability of it. */
static double gain_between(struct lognormal s, double strike, double low, double high)
{
    if (high <= low) return 0;
    const double forward = s.spot * exp(s.mean + 0.5 * s.deviation * s.deviation);
    const double a = low > 0 ? (log(low / s.spot) - s.mean) / s.deviation : -INFINITY;
    const double b = (log(high / s.spot) - s.mean) / s.deviation;
    return forward * (cdf(b - s.deviation) - cdf(a - s.deviation)) - strike * (cdf(b) - cdf(a));
}
static double chance_between(struct lognormal s, double low, double high)
{
    return -gain_between((struct lognormal){.spot = s.spot, .mean = s.mean, .deviation = s.deviation}, 1, low,
                         high) +
           gain_between(s, 0, low, high);
}

/* For a call or put: (S - K) above K, or (K - S) below, where S is between low and high. */
static double option_between(struct lognormal s, double sign, double strike, double low, double high)
{
    return sign > 0 ? gain_between(s, strike, fmax(low, strike), high)
                    : -gain_between(s, strike, low, fmin(high, strike));
}

/* The price at maturity. */
static struct lognormal last_price(struct deal *deal)
{
    return (struct lognormal){.spot = *value(deal, "spot"),
                              .mean = drift(deal) * maturity(deal),
                              .deviation = *value(deal, "volatility") * sqrt(maturity(deal))};
}

/* Black and Scholes 1973. */
static double european_value(struct deal *deal)
{
    return discount(deal) *
           option_between(last_price(deal), *value(deal, "sign"), *value(deal, "strike"), 0, INFINITY);
}

static double digital_value(struct deal *deal)
{
    const double strike = *value(deal, "strike");
    const int put = *value(deal, "sign") < 0;
    return discount(deal) * *value(deal, "cash") *
           chance_between(last_price(deal), put ? 0 : strike, put ? strike : INFINITY);
}

/* Merton 1973, by the method of images: what a path that has touched the barrier pays without regard to it
 * equals what one from the image of the spot pays, times a factor. */
static double barrier_value(struct deal *deal)
{
    const double spot = *value(deal, "spot"), barrier = *value(deal, "barrier"), sign = *value(deal, "sign");
    const double strike = *value(deal, "strike"), v = *value(deal, "volatility"),
                 rebate = *value(deal, "rebate");
    const double low = barrier < spot ? barrier : 0, high = barrier < spot ? INFINITY : barrier;
    const double factor = pow(barrier / spot, 2 * drift(deal) / (v * v));
    const struct lognormal here = last_price(deal);
    const struct lognormal image = {barrier * barrier / spot, here.mean, here.deviation};
    const double out = option_between(here, sign, strike, low, high) -
                       factor * option_between(image, sign, strike, low, high);
    const double untouched = chance_between(here, low, high) - factor * chance_between(image, low, high);
    const double all = option_between(here, sign, strike, 0, INFINITY);
    return discount(deal) *
           (*value(deal, "knock_in") != 0 ? all - out + rebate * untouched : out + rebate * (1 - untouched));
}

/* Kemna and Vorst 1990, on a basket: of the logarithm of its geometric mean over the fixings of the path. */
static struct lognormal geometric_mean(struct deal *deal)
{
    const double *spot = value(deal, "spot"), *weight = value(deal, "weight"), *v = value(deal, "volatility");
    const double *dividend = value(deal, "dividend"), rate = *value(deal, "rate"), n = deal->steps;
    double basket = 0, mean = 0, variance = 0, mean_time = 0, mean_minimum = 0;
    for (uint32_t d = 0; d < deal->dims; d++) basket += weight[d] * spot[d];
    for (uint32_t i = 0; i < deal->steps; i++) {
        mean_time += deal->times[i] / n;
        for (uint32_t j = 0; j < deal->steps; j++) mean_minimum += deal->times[i < j ? i : j] / (n * n);
    }
    for (uint32_t d = 0; d < deal->dims; d++) {
        const double share = weight[d] * spot[d] / basket;
        mean += share * (rate - dividend[d] - 0.5 * v[d] * v[d]) * mean_time;
        for (uint32_t k = 0; k < deal->dims; k++)
            variance += share * v[d] * basket_correlation[d * MOST_DIMS + k] * weight[k] * spot[k] / basket *
                        v[k] * mean_minimum;
    }
    return (struct lognormal){basket, mean, sqrt(variance)};
}

/* Past fixings leave part of an option on the mean to come. */
static double control_value(struct deal *deal)
{
    const double past = *value(deal, "past_count"), n = deal->steps, strike = *value(deal, "strike");
    const double to_come = ((past + n) * strike - past * *value(deal, "past_average")) / n;
    const struct lognormal mean = geometric_mean(deal);
    if (to_come <= 0)
        return *value(deal, "sign") < 0
                   ? 0
                   : discount(deal) * n / (past + n) * gain_between(mean, to_come, 0, INFINITY);
    return discount(deal) * n / (past + n) * option_between(mean, *value(deal, "sign"), to_come, 0, INFINITY);
}

static double asian_geometric_value(struct deal *deal)
{
    const double past = *value(deal, "past_count"), n = deal->steps, part = n / (past + n);
    struct lognormal mean = geometric_mean(deal);
    mean.mean *= part;
    mean.deviation *= part;
    if (past > 0) mean.spot = pow(mean.spot, part) * pow(*value(deal, "past_average"), 1 - part);
    return discount(deal) * option_between(mean, *value(deal, "sign"), *value(deal, "strike"), 0, INFINITY);
}

/* Fails unless output `output` is `expected`, in both precisions and for a call and a put. */
static void check_value(struct deal *deal, int output, double (*expected)(struct deal *))
{
    const bailey_simulation_run_params run = {.paths = getenv("BAILEY_TEST_QUICK") ? 1 << 14 : 1 << 16,
                                              .source = {.seed = 1}};
    for (int variant = 0; variant < 4; variant++) {
        bailey_estimate e[OUTPUTS];
        *value(deal, "sign") = variant & 1 ? -1 : 1;
        estimate(deal, (bailey_precision)(variant >> 1), &run, e);
        const double exact = expected(deal), off = (e[output].mean - exact) / e[output].standard_error;
        if (is_verbose())
            fprintf(stderr, "%s[%d] variant %d: %.9g, closed form %.9g, off by %.2f errors of %.2g\n",
                    deal->builtin->name, output, variant, e[output].mean, exact, off,
                    e[output].standard_error);
        if (e[output].mean == 0 && fabs(exact) < 1e-12)
            continue; /* it never pays; rounding of the closed form */
        if (!(fabs(off) <= ERRORS))
            fail_msg("%s: output %d, variant %d is %.9g, closed form %.9g, standard error %.3g",
                     deal->builtin->name, output, variant, e[output].mean, exact, e[output].standard_error);
    }
}

TEST(test_european, DEVICE)
{
    if (!is_able_and_quick()) skip();
    struct deal deal = deal_of("european");
    deal.times[0] = 1;
    assert_true(fabs(european_value(&deal) - 10.4505835721856) < 1e-10); /* a value of many textbooks */
    check_value(&deal, 0, european_value);
    set_times(&deal, 5);
    *value(&deal, "strike") = 110;
    *value(&deal, "dividend") = 0.02;
    check_value(&deal, 0, european_value);
}

TEST(test_digital, DEVICE)
{
    if (!is_able_and_quick()) skip();
    struct deal deal = deal_of("digital");
    deal.times[0] = 0.5;
    *value(&deal, "cash") = 10;
    *value(&deal, "strike") = 95;
    *value(&deal, "dividend") = 0.02;
    check_value(&deal, 0, digital_value);
}

/* With any number of steps: on both sides of the spot, of the strike, in and out, with a rebate. */
TEST(test_barrier, DEVICE | LONG)
{
    if (!is_able_and_quick()) skip();
    static const double barriers[] = {85, 99, 101, 130};
    for (int steps = 1; steps <= 9; steps += 4)
        for (int variant = 0; variant < 16; variant++) {
            struct deal deal = deal_of("barrier");
            set_times(&deal, (uint32_t)steps);
            deal.times[steps - 1] = 1;
            *value(&deal, "barrier") = barriers[variant & 3];
            *value(&deal, "side") = barriers[variant & 3] < 100 ? -1 : 1;
            *value(&deal, "knock_in") = variant >> 2 & 1;
            *value(&deal, "strike") = variant & 8 ? 90 : 115;
            *value(&deal, "rebate") = variant & 8 ? 3 : 0;
            *value(&deal, "dividend") = 0.02;
            check_value(&deal, 0, barrier_value);
        }
}

TEST(asian_geometric, DEVICE)
{
    if (!is_able_and_quick()) skip();
    struct deal deal = deal_of("asian-geometric");
    check_value(&deal, 0, asian_geometric_value);
    *value(&deal, "past_count") = 5;
    *value(&deal, "past_average") = 104;
    check_value(&deal, 0, asian_geometric_value);
}

/* The control variate; and where so much is past that a call is certain to pay. */
TEST(asian_control, DEVICE)
{
    if (!is_able_and_quick()) skip();
    struct deal deal = deal_of("asian");
    check_value(&deal, 1, control_value);
    *value(&deal, "past_count") = 5;
    *value(&deal, "past_average") = 104;
    check_value(&deal, 1, control_value);
    *value(&deal, "past_average") = 500;
    check_value(&deal, 1, control_value);
}

/* Heston's model with a variance that stays as it is. */
static double constant_variance_value(struct deal *deal)
{
    const double v = *value(deal, "variance"), t = maturity(deal);
    const double mean = (*value(deal, "rate") - *value(deal, "dividend") - 0.5 * v) * t;
    const struct lognormal last = {*value(deal, "spot"), mean, sqrt(v * t)};
    return discount(deal) * option_between(last, *value(deal, "sign"), *value(deal, "strike"), 0, INFINITY);
}

TEST(heston_constant, DEVICE)
{
    if (!is_able_and_quick()) skip();
    static const char *const names[] = {"heston", "heston-euler"};
    for (int i = 0; i < 2; i++) {
        struct deal deal = deal_of(names[i]);
        set_times(&deal, 6);
        *value(&deal, "sigma") = 0;
        check_value(&deal, 0, constant_variance_value);
    }
}

/* ---- The control variate -------------------------------------------------------------------------- */

TEST(test_asian_price, DEVICE)
{
    if (!is_able_and_quick()) skip();
    struct deal deal = deal_of("asian");
    for (int variant = 0; variant < 4; variant++) {
        const bailey_simulation_run_params run = {.paths = 20011, .source = {.seed = 3}};
        *value(&deal, "past_count") = variant & 1 ? 3 : 0;
        *value(&deal, "past_average") = variant & 1 ? 104.5 : 0;
        *value(&deal, "sign") = variant & 2 ? -1 : 1;
        const struct asian_params params = {.fixings = deal.times,
                                            .fixing_count = deal.steps,
                                            .assets = deal.dims,
                                            .spot = value(&deal, "spot"),
                                            .volatility = value(&deal, "volatility"),
                                            .dividend = value(&deal, "dividend"),
                                            .weight = value(&deal, "weight"),
                                            .correlation = deal.covariance,
                                            .rate = *value(&deal, "rate"),
                                            .strike = *value(&deal, "strike"),
                                            .put = variant & 2,
                                            .past_count = (uint64_t)*value(&deal, "past_count"),
                                            .past_average = *value(&deal, "past_average"),
                                            .paths = run.paths,
                                            .source = run.source,
                                            .normal = {.precision = BAILEY_PRECISION_F64}};
        struct asian_result expected = {0};
        bailey_estimate e[OUTPUTS];
        OK(asian_price(context, &params, &expected));
        estimate(&deal, BAILEY_PRECISION_F64, &run, e);
        /* compiled, and as it was compiled with the library */
        assert_true(e[0].mean == expected.price && e[0].standard_error == expected.standard_error);
        assert_true(e[1].mean == expected.geometric_price);
        assert_true(fabs(control_value(&deal) - expected.geometric_closed_form) <=
                    1e-12 * expected.geometric_closed_form);
    }
}

/* ---- The same bits ------------------------------------------------------------------------------- */

/* Means of 10,000 paths with seed 1, of output 0, on cpu: of Philox and of Sobol points with a linear
 * scramble, in f32 and f64. BAILEY_TEST_VERBOSE prints them. They change with the texts, the normals and the
 * fold alone. */
static const struct {
    const char *name;
    double means[4];
} golden[] = {
    {"european", {0x1.4c6caeb96a56p+3, 0x1.4b44575f3f9e7p+3, 0x1.4f9a1c7f3959fp+3, 0x1.4f9a1c6e31f22p+3}},
    {"asian", {0x1.88fa6a1afdf21p+2, 0x1.8da487c90331cp+2, 0x1.8a29ccade8937p+2, 0x1.8a29cdf6e2cc2p+2}},
    {"asian-geometric",
     {0x1.5a8ce853a0ae8p+2, 0x1.5f144b8b7172fp+2, 0x1.5be0919702a16p+2, 0x1.5be0930727549p+2}},
    {"asian-max", {0x1.3ec566db8bac7p+1, 0x1.395170e9b51ap+1, 0x1.3d71794e3bcd3p+1, 0x1.3d717d0cbc262p+1}},
    {"lookback-garch",
     {0x1.72bc8bbe76c8bp+2, 0x1.6ff9f970bca4p+2, 0x1.77543946dc5d6p+2, 0x1.775436845bab8p+2}},
    {"barrier", {0x1.48c2f62dab3f6p+3, 0x1.480c12d7a298ap+3, 0x1.4c46cb155c983p+3, 0x1.4c46cb0c1c3a3p+3}},
    {"digital", {0x1.11ed7f2c08312p-1, 0x1.0f3ff23bf7d76p-1, 0x1.10907d5b22d0ep-1, 0x1.10907d208caffp-1}},
    {"heston", {0x1.4cb4c5dbcc09dp+3, 0x1.49fbb4ab3c49ep+3, 0x1.4c9cfa3cfe91p+3, 0x1.4c9cfc7b487a1p+3}},
    {"heston-euler", {0x1.4d4a0c5d35cefp+3, 0x1.49bc40b6f904dp+3, 0x1.4d3b6ec24d19p+3, 0x1.4d3b6f278f786p+3}},
};

static bailey_simulation_run_params golden_run(int sobol)
{
    bailey_simulation_run_params run = {.paths = 10000, .source = {.seed = 1}};
    if (!sobol) return run;
    run.source.generator = BAILEY_GENERATOR_SOBOL;
    run.source.scramble = BAILEY_SCRAMBLE_LMS;
    return run;
}

#define GOLDEN (sizeof golden / sizeof golden[0])

/* Rows `first`, `first` + `step`, ... */
static void check_golden(size_t first, size_t step)
{
    int differ = 0;
    for (size_t b = first; b < GOLDEN; b += step) {
        struct deal deal = deal_of(golden[b].name);
        double means[4];
        if (!deal.builtin->normals) set_times(&deal, 12);
        for (int variant = 0; variant < 4; variant++) {
            const bailey_simulation_run_params run = golden_run(variant >> 1);
            bailey_estimate e[OUTPUTS];
            means[variant] = golden[b].means[variant];
            if (few_programs() && (size_t)(variant & 1) != b / 2 % 2) continue; /* one precision of each */
            estimate(&deal, (bailey_precision)(variant & 1), &run, e);
            means[variant] = e[0].mean;
        }
        if (is_verbose())
            fprintf(stderr, "{\"%s\", {%a, %a, %a, %a}},\n", deal.builtin->name, means[0], means[1], means[2],
                    means[3]);
        differ += memcmp(golden[b].means, means, sizeof means) != 0;
    }
    if (differ) fail_msg("%d built-ins have other means than on the day that they were measured", differ);
}

TEST(test_golden, DEVICE | LONG)
{
    if (!is_able()) skip();
    check_golden(0, 1);
}

/* As they were compiled with the library; OpenCL on processors, which compiles them too, takes seconds for
 * each. */
TEST(golden_prebuilt, DEVICE | LONG_ON_OPENCL)
{
    if (!device.has_f64) skip();
    const int slow = strncmp(device.address, "opencl", 6) == 0 && !getenv("BAILEY_TEST_LARGE");
    setenv("BAILEY_PREBUILT", "1", 1);
    check_golden(slow ? 4 : 0, slow ? GOLDEN : 1);
    unsetenv("BAILEY_PREBUILT");
}
