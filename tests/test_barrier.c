/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Barrier options against QuantLib 1.44, spots on both sides of the barrier; far barriers in single
 * precision; and what built-in payoffs refuse.
 *
 * The values are of AnalyticBarrierEngine (flat curves, BlackConstantVol) where the spot has not reached the
 * barrier; beyond it that engine raises "barrier touched", and the values are 0 of a knock-out and
 * AnalyticEuropeanEngine's of a knock-in. That engine pays the rebate of a knock-out when the barrier is hit,
 * and of a knock-in at maturity; here both are paid at maturity, so deals of knock-outs with a rebate have a
 * rate of 0.
 */
#include <bailey/greeks.h>
#include <bailey/mlmc.h>

#include "api.h"
#include "simulations.h"

#define ERRORS 4.0

struct deal {
    double spot, strike, barrier, rate, dividend, volatility, time, side, knock_in, sign, rebate, value;
};

static const struct deal deals[] = {
    {100, 100, 85, .05, .02, .2, 1, -1, 0, -1, 0, 0.690206664454},
    {90, 100, 85, .05, .02, .2, 1, -1, 0, -1, 0, 0.326781953069},
    {86, 100, 85, .05, .02, .2, 1, -1, 0, -1, 0, 0.0701561430497},
    {84, 100, 85, .05, .02, .2, 1, -1, 0, -1, 0, 0},
    {70, 100, 85, .05, .02, .2, 1, -1, 0, -1, 0, 0},
    {100, 100, 85, .05, .02, .2, 1, -1, 1, -1, 0, 5.6398739631},
    {90, 100, 85, .05, .02, .2, 1, -1, 1, -1, 0, 10.9381377368},
    {86, 100, 85, .05, .02, .2, 1, -1, 1, -1, 0, 13.7482714643},
    {84, 100, 85, .05, .02, .2, 1, -1, 1, -1, 0, 15.2163346831},
    {70, 100, 85, .05, .02, .2, 1, -1, 1, -1, 0, 26.8547161144},
    {90, 100, 120, .03, .01, .25, 1, 1, 0, 1, 0, 0.717740960399},
    {110, 100, 120, .03, .01, .25, 1, 1, 0, 1, 0, 0.398508014483},
    {119, 100, 120, .03, .01, .25, 1, 1, 0, 1, 0, 0.0411524024614},
    {121, 100, 120, .03, .01, .25, 1, 1, 0, 1, 0, 0},
    {130, 100, 120, .03, .01, .25, 1, 1, 0, 1, 0, 0},
    {90, 100, 120, .03, .01, .25, 1, 1, 1, 1, 0, 5.10228713473},
    {110, 100, 120, .03, .01, .25, 1, 1, 1, 1, 0, 16.8392218269},
    {119, 100, 120, .03, .01, .25, 1, 1, 1, 1, 0, 24.0675728236},
    {121, 100, 120, .03, .01, .25, 1, 1, 1, 1, 0, 25.7420407741},
    {130, 100, 120, .03, .01, .25, 1, 1, 1, 1, 0, 33.4608012213},
    {100, 105, 90, 0, .02, .2, 1, -1, 0, 1, 3, 6.22058839089},
    {100, 105, 90, .05, .02, .2, 1, -1, 1, 1, 3, 2.24231238761},
    {100, 95, 115, 0, 0, .3, .5, 1, 0, -1, 2, 6.39728579786},
    {100, 95, 115, .04, 0, .3, .5, 1, 1, -1, 2, 1.44040503034},
};

static bailey_simulation *builtin(const char *name, bailey_bridge_params path)
{
    const bailey_simulation_params params = {.path = path, .payoff = {.name = name}};
    bailey_simulation *made = NULL;
    OK(bailey_simulation_create(context, &params, &made));
    return made;
}

static void set_deal(bailey_simulation *s, const struct deal *d)
{
    set(s, "spot", d->spot), set(s, "strike", d->strike), set(s, "barrier", d->barrier);
    set(s, "rate", d->rate), set(s, "dividend", d->dividend), set(s, "volatility", d->volatility);
    set(s, "side", d->side), set(s, "knock_in", d->knock_in), set(s, "sign", d->sign);
    set(s, "rebate", d->rebate);
}

/* Of `steps` equal steps. */
static bailey_simulation *barrier(double time, uint64_t steps, bailey_precision precision)
{
    double times[4];
    for (uint64_t i = 0; i < steps; i++) times[i] = time * (double)(i + 1) / (double)steps;
    return builtin("barrier", (bailey_bridge_params){.times = times, .steps = steps, .precision = precision});
}

static void near_value(const bailey_estimate *e, double wanted, double more, const char *what)
{
    if (getenv("BAILEY_TEST_VERBOSE"))
        print_message("# %s: %.8g +- %.2g, %.8g\n", what, e->mean, e->standard_error, wanted);
    if (!(fabs(e->mean - wanted) <= ERRORS * e->standard_error + more * fabs(wanted)))
        fail_msg("%s is %.8g +- %.2g, expected %.8g", what, e->mean, e->standard_error, wanted);
}

TEST(oracle, ON_CPU)
{
    if (!simulates()) skip();
    const bailey_simulation_run_params run = {.source = {.seed = 4}, .paths = 100000, .antithetic = 1};
    static const double times[] = {1, 0.5};
    for (int f64 = 0; f64 < 2; f64++)
        for (int t = 0; t < 2; t++) {
            bailey_simulation *s =
                barrier(times[t], f64 ? 3 : 1, f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32);
            for (size_t i = 0; i < sizeof deals / sizeof *deals; i++) {
                bailey_estimate e;
                char what[32];
                if (deals[i].time != times[t]) continue;
                set_deal(s, &deals[i]);
                OK(bailey_simulation_run(s, &run, &e));
                snprintf(what, sizeof what, "deal %zu", i);
                near_value(&e, deals[i].value, 0, what);
                if (deals[i].value == 0) assert_true(e.mean == 0 && e.standard_error == 0);
            }
            bailey_simulation_destroy(s);
        }
}

/* One deal, whose side does not follow the spot of a scenario; beyond the barrier a rebate is what is left.
 */
TEST(ladder, ON_CPU)
{
    if (!simulates()) skip();
    static const char *const names[] = {"spot"};
    static const double spots[] = {100, 90, 86, 84, 70};
    bailey_simulation *s = barrier(1, 1, BAILEY_PRECISION_F64);
    const bailey_simulation_run_params run = {
        .source = {.seed = 4},
        .paths = 100000,
        .scenarios = {.count = 5, .columns = 1, .names = names, .values = spots}};
    bailey_estimate e[5];
    for (int knock_in = 0; knock_in < 2; knock_in++) {
        set_deal(s, &deals[5 * knock_in]);
        OK(bailey_simulation_run(s, &run, e));
        for (int i = 0; i < 5; i++) near_value(&e[i], deals[5 * knock_in + i].value, 0, "a rung");
    }
    set_deal(s, &deals[0]);
    set(s, "rebate", 3);
    OK(bailey_simulation_run(s, &run, e));
    for (int i = 3; i < 5; i++) near_value(&e[i], 3 * exp(-0.05), 1e-15, "a rebate");
    bailey_simulation_destroy(s);
}

/* Bumps do not turn a knocked-out option into another one. */
TEST(dead_greeks, ON_CPU)
{
    if (!simulates()) skip();
    static const char *const spot[] = {"spot"}, *const volatility[] = {"volatility"};
    const bailey_greeks_params params = {.spots = spot,
                                         .spot_count = 1,
                                         .volatilities = volatility,
                                         .volatility_count = 1,
                                         .rate = "rate",
                                         .method = BAILEY_GREEK_METHOD_DIFFERENCES};
    const bailey_simulation_run_params run = {.paths = 1000};
    bailey_simulation *s = barrier(1, 1, BAILEY_PRECISION_F32);
    bailey_greek_estimate g[8];
    set_deal(s, &deals[3]);
    set(s, "spot", 84.9);
    OK(bailey_simulation_greeks(s, &run, &params, g));
    for (uint64_t i = 0; i < bailey_simulation_greeks_count(s, &params); i++) assert_true(g[i].mean == 0);
    bailey_simulation_destroy(s);
}

/* A bumped spot goes half of the way to the barrier at most. */
TEST(bump_near_the_barrier, ON_CPU)
{
    if (!simulates()) skip();
    static const char *const spot[] = {"spot"}, *const volatility[] = {"volatility"};
    const bailey_greeks_params params = {.spots = spot,
                                         .spot_count = 1,
                                         .volatilities = volatility,
                                         .volatility_count = 1,
                                         .rate = "rate",
                                         .method = BAILEY_GREEK_METHOD_DIFFERENCES};
    const bailey_simulation_run_params run = {.paths = 1000};
    bailey_simulation *s = barrier(1, 1, BAILEY_PRECISION_F64);
    bailey_greek_estimate g[8];
    set_deal(s, &deals[2]);
    set(s, "spot", 85.5); /* half above the barrier */
    OK(bailey_simulation_greeks(s, &run, &params, g));
    assert_int_equal(g[1].kind, BAILEY_GREEK_KIND_DELTA); /* behind the price */
    assert_true(fabs(g[1].bump - 0.25) < 1e-9);
    bailey_simulation_destroy(s);
}

/* Where single paths touch the barrier with probabilities below the last place of 1: 1 - untouched, in single
 * precision, lost 6 % of the first value and 71 % of the second. And a spot so near that the logarithm of
 * spot / barrier, in single precision, was 0.3 % off. */
TEST(far_and_near, ON_CPU)
{
    if (!simulates()) skip();
    static const struct deal found[] = {
        {100, 100, 130, .05, 0, .2, .25, 1, 1, -1, 0, 1.30140450942e-07},
        {100, 100, 75, .05, 0, .2, .25, -1, 1, 1, 0, 7.37277999159e-09},
        {100, 100, 120, .05, 0, .2, .25, 1, 1, -1, 0, 0.000300874638775},
        {100, 100, 80, .05, .02, .2, .25, -1, 1, 1, 0, 8.46501432177e-06},
        {85.0009765625, 100, 85, .05, 0, .2, 1, -1, 0, 1, 0, 0.000683940870406},
    };
    const bailey_simulation_run_params run = {
        .source = {.generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_OWEN, .seed = 1},
        .paths = 4096,
        .replicates = 16};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        for (int f64 = 0; f64 < 2; f64++) {
            bailey_simulation *s =
                barrier(found[i].time, 1, f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32);
            bailey_estimate e;
            char what[32];
            set_deal(s, &found[i]);
            OK(bailey_simulation_run(s, &run, &e));
            snprintf(what, sizeof what, "far or near %zu, %s", i, f64 ? "f64" : "f32");
            near_value(&e, found[i].value, f64 ? 1e-12 : 2e-5, what);
            assert_true(e.standard_error < 1e-3 * e.mean);
            bailey_simulation_destroy(s);
        }
}

/* ---- Multilevel Monte Carlo ---------------------------------------------------------------------- */

static void set_level(bailey_mlmc *m, const char *name, double value)
{
    OK(bailey_mlmc_set(m, name, &value, 1));
}

static bailey_mlmc *levels(double spot, double strike, double barrier, double side)
{
    const bailey_mlmc_params params = {.estimator = {.name = "barrier"}, .precision = BAILEY_PRECISION_F64};
    bailey_mlmc *m = NULL;
    OK(bailey_mlmc_create(context, &params, &m));
    set_level(m, "spot", spot), set_level(m, "strike", strike), set_level(m, "barrier", barrier);
    set_level(m, "rate", 0.05), set_level(m, "volatility", 0.2);
    if (side != 0) set_level(m, "side", side);
    return m;
}

/* A call that is up-and-out at 130; and options that are dead today, on either side. */
TEST(multilevel, ON_CPU)
{
    if (!simulates()) skip();
    const bailey_mlmc_run_params run = {.eps = 0.02};
    const uint64_t samples[3] = {1024, 1024, 1024};
    bailey_mlmc_result result;
    bailey_mlmc *m = levels(100, 100, 130, 1);
    OK(bailey_mlmc_run(m, &run, &result));
    if (!(fabs(result.mean - 3.33285756771) < 0.06))
        fail_msg("up-and-out is %g, expected %g", result.mean, 3.33285756771);
    bailey_mlmc_destroy(m);
    for (int up = 0; up < 2; up++) {
        m = levels(up ? 130 : 80, 70, up ? 120 : 85, up ? 1 : -1);
        OK(bailey_mlmc_run_samples(m, &run, samples, 3, &result));
        assert_true(result.mean == 0);
        bailey_mlmc_destroy(m);
    }
    m = levels(100, 100, 85, 0);
    REFUSED_HERE(bailey_mlmc_run(m, &run, &result), "barrier needs side", "default");
    REFUSED_HERE(bailey_mlmc_run_samples(m, &run, samples, 3, &result), "barrier needs side", "default");
    REFUSED_HERE(bailey_mlmc_set(m, "barrier", &(double){-1}, 1), "barrier of barrier is -1", "positive");
    bailey_mlmc_destroy(m);
}

/* ---- Refusals ------------------------------------------------------------------------------------ */

static void refuse_value(bailey_simulation *s, const char *name, double value, const char *words)
{
    REFUSED_HERE(bailey_simulation_set(s, name, &value, 1), name, words);
    assert_string_equal(bailey_error_argument(), "values");
}

TEST(ranges, ON_CPU)
{
    if (!simulates()) skip();
    static const char *const names[] = {"side", "barrier"};
    static const double rows[] = {-1, 85, 0, 85};
    bailey_simulation_run_params run = {.paths = 100};
    bailey_estimate e[2];
    bailey_simulation *s = barrier(1, 1, BAILEY_PRECISION_F32);
    struct deal d = deals[0];
    set_deal(s, &d);
    refuse_value(s, "spot", -5, "-5, not positive");
    refuse_value(s, "volatility", -0.1, "-0.1, not 0 or more");
    refuse_value(s, "barrier", -1, "-1, not positive");
    refuse_value(s, "knock_in", 2, "2, not 0");
    refuse_value(s, "side", 0.5, "0.5, not -1 (down) or 1 (up)");
    OK(bailey_simulation_run(s, &run, e));
    run.scenarios = (bailey_scenarios){.count = 2, .columns = 2, .names = names, .values = rows};
    REFUSED_HERE(bailey_simulation_run(s, &run, e), "scenario 1: side of barrier is 0", "1 (up)");
    run.scenarios = (bailey_scenarios){0};
    bailey_simulation_destroy(s);
    s = barrier(1, 1, BAILEY_PRECISION_F32); /* whose side is not set */
    set(s, "spot", 100), set(s, "barrier", 85), set(s, "volatility", 0.2);
    REFUSED_HERE(bailey_simulation_run(s, &run, e), "barrier needs rate, strike, side",
                 "neither set nor have");
    set(s, "strike", 100), set(s, "rate", 0.05);
    REFUSED_HERE(bailey_simulation_run(s, &run, e), "barrier needs side, which is", "default");
    assert_string_equal(bailey_error_argument(), "parameters");
    bailey_simulation_destroy(s);
    const double time = 1;
    s = builtin("heston", (bailey_bridge_params){.times = &time, .steps = 1});
    refuse_value(s, "variance", -0.04, "-0.04, not 0 or more");
    bailey_simulation_destroy(s);
    /* Code that users write has the ranges that it says, whatever its parameters are called. */
    const bailey_simulation_params own = {
        .path = {.times = &time, .steps = 1},
        .payoff = {.name = "barrier",
                   .code = "typedef struct { real spot, side; } params;\n"
                           "void whole(const params *p, path x, real out[]) { out[0] = p->spot; }\n"}};
    OK(bailey_simulation_create(context, &own, &s));
    set(s, "spot", -5);
    REFUSED_HERE(bailey_simulation_run(s, &run, e), "barrier needs side", "default");
    set(s, "side", 0);
    OK(bailey_simulation_run(s, &run, e));
    assert_true(e[0].mean == -5);
    bailey_simulation_destroy(s);
}

/* How many fixings are past, and their mean: neither without the other. */
TEST(past, ON_CPU)
{
    if (!simulates()) skip();
    static const char *const payoffs[] = {"asian", "asian-geometric"}, *const names[] = {"past_count"};
    static const double counts[] = {3, 0}, times[] = {0.5, 1}, weights[] = {1, -0.5};
    for (int i = 0; i < 2; i++) {
        const bailey_bridge_params path = {.times = times, .steps = 2, .dims = 2};
        bailey_simulation_run_params run = {.paths = 100};
        bailey_estimate e[8];
        bailey_simulation *s = builtin(payoffs[i], path);
        OK(bailey_simulation_set(s, "spot", (const double[]){100, 50}, 2));
        OK(bailey_simulation_set(s, "volatility", (const double[]){0.2, 0.3}, 2));
        OK(bailey_simulation_set(s, "weight", (const double[]){0.5, 1}, 2));
        set(s, "strike", 100), set(s, "rate", 0);
        OK(bailey_simulation_run(s, &run, e));
        set(s, "past_count", 3);
        REFUSED_HERE(bailey_simulation_run(s, &run, e), "past_count is 3", "past_average is 0");
        set(s, "past_average", 100);
        OK(bailey_simulation_run(s, &run, e));
        run.scenarios = (bailey_scenarios){.count = 2, .columns = 1, .names = names, .values = counts};
        REFUSED_HERE(bailey_simulation_run(s, &run, e), "scenario 1: asian",
                     "past_count is 0, past_average is 100");
        run.scenarios = (bailey_scenarios){0};
        set(s, "past_count", 0);
        REFUSED_HERE(bailey_simulation_run(s, &run, e), "past_average is 100",
                     "past_average needs past_count");
        refuse_value(s, "past_count", -1, "0 or more");
        /* The mean of a spread may be 0. */
        set(s, "past_count", 3), set(s, "past_average", 0);
        OK(bailey_simulation_set(s, "weight", weights, 2));
        if (i == 0) OK(bailey_simulation_run(s, &run, e));
        bailey_simulation_destroy(s);
    }
}
