/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Gradients in runs of all kinds: against differences of the same run, whose paths are the same, against
 * closed forms, and bit by bit however the work is divided.
 */
#include <bailey/job.h>

#include "gradients.h"

#include <backend/tuned.h>
#include <host/internal.h>

#include <stdio.h>
#include <unistd.h>

#define MOST 64

/* Two assets, two outputs; t is discounted and in the drift. */
static const char basket[] =
    "typedef struct { real spot[DIMS], strike, rate, volatility[DIMS]; } params;\n"
    "typedef struct { real sum, time; } state;\n"
    "void start(state *s, const params *p) { s->sum = 0; s->time = 0; }\n"
    "void step(state *s, const params *p, int i, real t, const real x[])\n"
    "{\n"
    "    for (int d = 0; d < DIMS; d++)\n"
    "        s->sum += p->spot[d] * exp((p->rate - p->volatility[d] * p->volatility[d] / 2) * t\n"
    "                                   + p->volatility[d] * x[d]) / (DIMS * STEPS);\n"
    "    s->time = t;\n"
    "}\n"
    "void finish(const state *s, const params *p, real out[2])\n"
    "{\n"
    "    out[0] = exp(-p->rate * s->time) * fmax(s->sum - p->strike, 0);\n"
    "    out[1] = exp(-p->rate * s->time) * s->sum;\n"
    "}\n";
enum { NUMBERS = 6, DERIVATIVES = NUMBERS + 1 };
static const char *const columns[NUMBERS] = {"spot[0]", "spot[1]",       "strike",
                                             "rate",    "volatility[0]", "volatility[1]"};
static const double values[NUMBERS] = {100, 90, 95, 0.03, 0.2, 0.3};
static const double rho[4] = {1, 0.4, 0.4, 1}, origin[2] = {0.3, -0.2};

static void same(const char *what, const bailey_estimate *a, const bailey_estimate *b, uint64_t count)
{
    for (uint64_t k = 0; k < count; k++)
        if (memcmp(&a[k], &b[k], sizeof *a) != 0)
            fail_msg("%s: %llu: %.17g +- %.17g, not %.17g +- %.17g", what, (unsigned long long)k, a[k].mean,
                     a[k].standard_error, b[k].mean, b[k].standard_error);
}

static bailey_simulation *make_basket(bailey_context *on, bailey_precision precision)
{
    const bailey_simulation_params params = {
        .path = {.times = dates, .steps = 4, .dims = 2, .covariance = rho, .precision = precision},
        .payoff = {.code = basket}};
    return made_on(on, &params, values);
}

/* ---- Kinds of run -------------------------------------------------------------------------------- */

struct kind {
    const char *name;
    bailey_simulation_run_params run;
    int has_errors;
};
static const struct kind kinds[] = {
    {"plain", {.source = {.seed = 1}, .paths = 4000}, 1},
    {"antithetic, cut", {.source = {.seed = 2}, .first_path = 77, .paths = 3001, .antithetic = 1}, 1},
    {"replicates", {.source = {.seed = 3}, .paths = 700, .replicates = 5, .moments = 1}, 1},
    {"a generator in memory",
     {.source = {.seed = 4, .generator = BAILEY_GENERATOR_HYBRID_TAUS}, .paths = 3000},
     1},
    {"Sobol points",
     {.source = {.seed = 5, .generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_OWEN},
      .paths = 1024,
      .replicates = 4},
     1},
    {"Sobol points, one replicate",
     {.source = {.generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_LMS}, .paths = 4096},
     0},
    {"sums in integers",
     {.source = {.seed = 6}, .paths = 2000, .sum = BAILEY_SUM_FIXED, .sum_limit = 4096},
     1},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Differences by each number, and by the time at which paths begin, of a run with scenarios. */
static void find_differences(bailey_simulation *s, const bailey_simulation_run_params *run, double relative,
                             double *slopes)
{
    double moved[2 * DERIVATIVES][NUMBERS], shift[2 * DERIVATIVES] = {0}, h[DERIVATIVES];
    bailey_estimate estimates[2 * DERIVATIVES * 2];
    bailey_simulation_run_params own = *run;
    for (int k = 0; k < DERIVATIVES; k++) {
        h[k] = relative * (k < NUMBERS ? values[k] : 1);
        for (int side = 0; side < 2; side++) {
            double *row = moved[2 * k + side];
            memcpy(row, values, sizeof values);
            if (k < NUMBERS) row[k] += side ? h[k] : -h[k];
            if (k == NUMBERS) shift[2 * k + side] = side ? -h[k] : h[k];
        }
    }
    own.scenarios = (bailey_scenarios){.count = 2 * DERIVATIVES,
                                       .columns = NUMBERS,
                                       .names = columns,
                                       .values = moved[0],
                                       .time_shift = shift};
    OK(bailey_simulation_run(s, &own, estimates));
    for (int k = 0; k < DERIVATIVES; k++)
        slopes[k] = (estimates[2 * (2 * k + 1)].mean - estimates[2 * 2 * k].mean) / (2 * h[k]);
}

static void compare_kind(const struct kind *kind, bailey_precision precision)
{
    bailey_simulation *s = make_basket(context, precision);
    const int twice = precision == BAILEY_PRECISION_F64;
    const bailey_gradient_params all = {.time = 1};
    bailey_derivative g[DERIVATIVES];
    bailey_estimate price[2], own[2];
    double slopes[DERIVATIVES];
    assert_int_equal(bailey_simulation_gradient_count(s, &all), DERIVATIVES);
    OK(bailey_simulation_gradient(s, &kind->run, &all, price, g));
    OK(bailey_simulation_run(s, &kind->run, own));
    assert_memory_equal(price, own, sizeof own);
    find_differences(s, &kind->run, twice ? 1e-4 : 2e-3, slopes);
    for (int k = 0; k < DERIVATIVES; k++) {
        const bailey_estimate *e = &g[k].estimate;
        if (!(fabs(e->mean - slopes[k]) < (twice ? 1e-3 : 1e-2) * (1 + fabs(slopes[k]))))
            fail_msg("%s: %s %u: %.9g, not %.9g", kind->name, g[k].name, g[k].first, e->mean, slopes[k]);
        assert_int_equal(isnan(e->standard_error), !kind->has_errors);
        assert_true(isnan(e->minimum) == !kind->run.moments && e->paths == own->paths);
        assert_true(g[k].by == NULL && g[k].largest_share > 0 && g[k].largest_share < 0.05);
    }
    assert_string_equal(g[NUMBERS].name, "time");
    bailey_simulation_destroy(s);
}

TEST(differences, ON_CPU | LONG)
{
    if (!simulates()) skip();
    for (int k = 0; k < KINDS; k++) compare_kind(&kinds[k], BAILEY_PRECISION_F64);
    for (int k = 0; k < KINDS; k++) compare_kind(&kinds[k], BAILEY_PRECISION_F32);
}

/* The cpu backend and any other device. */
TEST(devices_agree, ON_OPENCL | ON_CUDA | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    bailey_context *cpu;
    OK(bailey_context_create("cpu", NULL, &cpu));
    const bailey_gradient_params all = {.time = 1, .covariance = 1};
    for (int k = 1; k < KINDS; k += 1 + few_programs()) {
        const bailey_precision precision =
            k % 2 && !only_drawn() ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
        bailey_simulation *here = make_basket(context, precision), *there = make_basket(cpu, precision);
        bailey_derivative g[MOST], wanted[MOST];
        const uint64_t count = bailey_simulation_gradient_count(here, &all);
        OK(bailey_simulation_gradient(here, &kinds[k].run, &all, NULL, g));
        OK(bailey_simulation_gradient(there, &kinds[k].run, &all, NULL, wanted));
        for (uint64_t i = 0; i < count; i++) same(kinds[k].name, &g[i].estimate, &wanted[i].estimate, 1);
        bailey_simulation_destroy(here);
        bailey_simulation_destroy(there);
    }
    bailey_context_destroy(cpu);
}

/* In groups that have a segment of the steps at once, as on GPUs: drawn twice, and from X. On cpu such groups
 * are slow, and nothing but this asks for them. */
TEST(segments, ON_CPU | ON_CUDA | LONG)
{
    if (!simulates()) skip();
    enum { STEPS = 31 };
    static const struct {
        bailey_precision precision;
        bailey_construction construction;
        bailey_simulation_run_params run;
    } cases[] = {
        {BAILEY_PRECISION_F32,
         BAILEY_CONSTRUCTION_WALK,
         {.source = {.seed = 1}, .first_path = 77, .paths = 250, .antithetic = 1}},
        {BAILEY_PRECISION_F64, BAILEY_CONSTRUCTION_WALK, {.source = {.seed = 2}, .first_path = 3, .paths = 250}},
        {BAILEY_PRECISION_F64,
         BAILEY_CONSTRUCTION_PCA,
         {.source = {.seed = 3, .generator = BAILEY_GENERATOR_SOBOL}, .paths = 128, .replicates = 2}},
    };
    const double covariance[9] = {1, 0.4, 0.1, 0.4, 1, 0.2, 0.1, 0.2, 2}, start[3] = {0.3, -0.2, 0},
                 numbers[] = {100, 90, 110, 95, 0.03, 0.2, 0.3, 0.1};
    const bailey_gradient_params all = {.time = 1, .covariance = 1};
    double times[STEPS];
    bailey_context *segmented, *cpu;
    for (int i = 0; i < STEPS; i++) times[i] = 0.01 * (i + 1);
    OK(bailey_context_create(device.address, NULL, &segmented));
    segmented->device->tuned = BLY_TUNED_ALWAYS;
    OK(bailey_context_create("cpu", NULL, &cpu));
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const bailey_simulation_params params = {.path = {.times = times,
                                                          .steps = STEPS,
                                                          .dims = 3,
                                                          .covariance = covariance,
                                                          .start = start,
                                                          .construction = cases[k].construction,
                                                          .precision = cases[k].precision},
                                                 .payoff = {.code = basket}};
        bailey_simulation *here = made_on(segmented, &params, numbers),
                          *there = made_on(cpu, &params, numbers);
        bailey_derivative g[MOST], wanted[MOST];
        const uint64_t count = bailey_simulation_gradient_count(here, &all);
        OK(bailey_simulation_gradient(here, &cases[k].run, &all, NULL, g));
        OK(bailey_simulation_gradient(there, &cases[k].run, &all, NULL, wanted));
        for (uint64_t i = 0; i < count; i++) same("segments", &g[i].estimate, &wanted[i].estimate, 1);
        bailey_simulation_destroy(here);
        bailey_simulation_destroy(there);
    }
    bailey_context_destroy(segmented);
    bailey_context_destroy(cpu);
}

/* ---- Questions ----------------------------------------------------------------------------------- */

/* The derivatives of a sum are the sum of the derivatives; other weights take no new code. */
TEST(weights, ON_CPU | LONG)
{
    if (!simulates()) skip();
    bailey_simulation *s = make_basket(context, BAILEY_PRECISION_F64);
    const bailey_simulation_run_params run = {.source = {.seed = 1}, .paths = 3000};
    double weights[2] = {0.75, -2}, wrong[2] = {1, NAN};
    bailey_derivative each[2][NUMBERS], sum[NUMBERS];
    for (uint32_t o = 0; o < 2; o++) {
        const bailey_gradient_params one = {.output = o};
        OK(bailey_simulation_gradient(s, &run, &one, NULL, each[o]));
    }
    for (int again = 0; again < 2; again++) {
        const bailey_gradient_params both = {.weights = weights};
        OK(bailey_simulation_gradient(s, &run, &both, NULL, sum));
        for (int k = 0; k < NUMBERS; k++) {
            const double wanted =
                weights[0] * each[0][k].estimate.mean + weights[1] * each[1][k].estimate.mean;
            assert_true(fabs(sum[k].estimate.mean - wanted) < 1e-12 * (1 + fabs(wanted)));
        }
        weights[1] = 3;
    }
    const double alone[2] = {0, 1};
    const bailey_gradient_params second = {.weights = alone}, bad = {.weights = wrong};
    OK(bailey_simulation_gradient(s, &run, &second, NULL, sum));
    for (int k = 0; k < NUMBERS; k++) same("a weight of 1", &sum[k].estimate, &each[1][k].estimate, 1);
    REFUSED(bailey_simulation_gradient(s, &run, &bad, NULL, sum), "weights[1]", "nan");
    bailey_simulation_destroy(s);
}

/* Sets of parameters, each with the bits of a separate run. */
TEST(scenarios, ON_CPU)
{
    if (!simulates()) skip();
    bailey_simulation *s = make_basket(context, BAILEY_PRECISION_F32);
    const double moved[3][2] = {{100, 0.2}, {104, 0.2}, {100, 0.25}}, shift[3] = {0, 0.1, 0};
    static const char *const names[2] = {"spot[0]", "volatility[1]"};
    const bailey_gradient_params all = {.time = 1}, some = {0};
    bailey_simulation_run_params run = {.source = {.seed = 9}, .paths = 2500, .antithetic = 1};
    bailey_derivative g[3 * DERIVATIVES], own[DERIVATIVES];
    bailey_estimate prices[6], price[2];
    run.scenarios = (bailey_scenarios){.count = 3, .columns = 2, .names = names, .values = moved[0]};
    OK(bailey_simulation_gradient(s, &run, &all, prices, g));
    run.scenarios.time_shift = shift;
    REFUSED(bailey_simulation_gradient(s, &run, &all, prices, g), "time", "scenarios shift");
    run.scenarios = (bailey_scenarios){.count = 1, .rows = 1, .weights = moved[0]};
    REFUSED(bailey_simulation_gradient(s, &run, &some, prices, g), "weights", "does not support");
    run.scenarios = (bailey_scenarios){0};
    for (int k = 0; k < 3; k++) {
        const double spots[2] = {moved[k][0], values[1]}, volatilities[2] = {values[4], moved[k][1]};
        OK(bailey_simulation_set(s, "spot", spots, 2));
        OK(bailey_simulation_set(s, "volatility", volatilities, 2));
        OK(bailey_simulation_gradient(s, &run, &all, price, own));
        same("prices", &prices[2 * k], price, 2);
        for (int i = 0; i < DERIVATIVES; i++)
            same("derivatives", &g[k * DERIVATIVES + i].estimate, &own[i].estimate, 1);
    }
    bailey_simulation_destroy(s);
}

/* A control of which the expectation is known: the derivatives have it too, each with its slopes. */
TEST(controls, ON_CPU)
{
    if (!simulates()) skip();
    static const char *const code =
        "typedef struct { real spot, strike, rate, volatility; } params;\n"
        "typedef struct { real price; } state;\n"
        "void step(state *s, const params *p, int i, real t, const real x[])\n"
        "{ s->price = p->spot * exp((p->rate - p->volatility * p->volatility / 2) * t + p->volatility * "
        "x[0]); }\n"
        "void start(state *s, const params *p) { s->price = 0; }\n"
        "void finish(const state *s, const params *p, real out[2])\n"
        "{ out[0] = exp(-p->rate) * fmax(s->price - p->strike, 0); out[1] = exp(-p->rate) * s->price; }\n";
    const double S = 100, K = 95, r = 0.02, v = 0.25, numbers[] = {S, K, r, v};
    const double d1 = (log(S / K) + r + v * v / 2) / v, d2 = d1 - v;
    const double wanted[] = {cdf(d1), -exp(-r) * cdf(d2), K * exp(-r) * cdf(d2), S * density(d1)};
    const bailey_simulation_params params = {
        .path = {.times = dates + 3, .steps = 1, .precision = BAILEY_PRECISION_F64},
        .payoff = {.code = code}};
    bailey_simulation *s = made_on(context, &params, numbers);
    const double expected[2] = {NAN, S};
    const bailey_gradient_params all = {0};
    bailey_derivative g[4], many[MOST];
    for (uint64_t replicates = 1; replicates <= 16; replicates += 15) {
        const bailey_simulation_run_params run = {.source = {.seed = 4},
                                                  .paths = (1 << 16) / replicates,
                                                  .replicates = replicates,
                                                  .expected = expected};
        OK(bailey_simulation_gradient(s, &run, &all, NULL, g));
        for (int k = 0; k < 4; k++) {
            const bailey_estimate *e = &g[k].estimate;
            const double off = (e->controlled - wanted[k]) / e->controlled_standard_error;
            if (!(fabs(off) < ERRORS)) fail_msg("%s: %g errors off", g[k].name, off);
            if (replicates == 1) assert_true(e->controlled_standard_error < 0.9 * e->standard_error);
        }
    }
    bailey_simulation_destroy(s);
    (void)many;
}

/* More outputs than runs with controls have results: refused, and so are other questions without an answer.
 */
TEST(refused, ON_CPU)
{
    if (!simulates()) skip();
    static const char *const code =
        "typedef struct { real curve[70]; } params;\n"
        "typedef struct { real sum; } state;\n"
        "void start(state *s, const params *p) { s->sum = 0; }\n"
        "void step(state *s, const params *p, int i, real t, const real x[])\n"
        "{ for (int k = 0; k < 70; k++) s->sum += p->curve[k] * x[0]; }\n"
        "void finish(const state *s, const params *p, real out[1]) { out[0] = s->sum; }\n";
    double curve[70] = {0}, end = 1;
    const double expected[2] = {0, 0};
    const bailey_gradient_params all = {0}, timed = {.time = 1};
    bailey_derivative g[80];
    const bailey_simulation_params params = {.path = {.times = dates, .steps = 2}, .payoff = {.code = code}};
    bailey_simulation *s = made_on(context, &params, curve), *none = NOWHERE;
    bailey_simulation_run_params run = {.paths = 100, .expected = expected};
    REFUSED(bailey_simulation_gradient(s, &run, &all, NULL, g), "results", "64");
    bailey_simulation_destroy(s);
    bailey_simulation_params ended = params;
    ended.path.end = &end;
    s = made_on(context, &ended, curve);
    run.expected = NULL;
    REFUSED(bailey_simulation_gradient(s, &run, &timed, NULL, g), "time", "fixed end");
    static const char *const wrong[] = {"curve[70]"}, *const both[] = {"curve[1]", "curve[2]"};
    const bailey_gradient_params beyond = {.directions = wrong, .direction_count = 1},
                                 two = {.directions = both, .direction_count = 2};
    assert_int_equal(bailey_simulation_gradient_count(s, &beyond), 0);
    assert_int_equal(bailey_simulation_gradient_count(s, &two), 3 * 70);
    REFUSED(bailey_simulation_gradient(s, &run, &beyond, NULL, g), "curve[70]", "70 elements");
    REFUSED(bailey_simulation_gradient_create(s, &two, &none), "directions", "2");
    assert_ptr_equal(none, NOWHERE);
    bailey_simulation_destroy(s);
    const bailey_simulation_params moving = {
        .path = {.times = dates + 3, .steps = 1},
        .motion_depth = 8,
        .payoff = {.code = "typedef struct { real spot; } params;\n"
                           "void whole(const params *p, path x, real out[]) { out[0] = p->spot * "
                           "at(x, 1, 0); }\n"}};
    s = made_on(context, &moving, curve);
    OK(bailey_simulation_gradient(s, &run, &all, NULL, g));
    assert_true(g[0].forward == 1);
    bailey_simulation_destroy(s);
}

static uint64_t reported[2];

static int note_progress(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    assert_true(done >= reported[0] && (!reported[1] || total == reported[1]));
    reported[0] = done;
    reported[1] = total;
    return 0;
}

/* Runs for several directions report as one; code that fails says where in the payoff. */
TEST(reports, ON_CPU)
{
    if (!simulates()) skip();
    static const char *const code = "typedef struct { real spot; int place; } params;\n"
                                    "typedef struct { real h[2]; } state;\n"
                                    "void start(state *s, const params *p) { s->h[0] = 0; s->h[1] = 0; }\n"
                                    "void step(state *s, const params *p, int i, real t, const real x[])\n"
                                    "{ s->h[0] += exp(x[0]) * p->spot / (p->place / p->place); }\n"
                                    "void finish(const state *s, const params *p, real out[1])\n"
                                    "{ out[0] = s->h[0] * s->h[0]; }\n";
    static const char *const spot[] = {"spot"};
    const double numbers[2] = {2, 1}, zero = 0;
    const bailey_simulation_params params = {.path = {.times = dates, .steps = 2}, .payoff = {.code = code}};
    bailey_simulation *s = made_on(context, &params, numbers);
    const bailey_gradient_params second = {.directions = spot, .direction_count = 1};
    bailey_simulation_run_params run = {.source = {.seed = 1}, .paths = 100000, .progress = note_progress};
    bailey_derivative g[2];
    OK(bailey_simulation_gradient(s, &run, &second, NULL, g));
    assert_true(reported[0] == 2 * run.paths && reported[1] == 2 * run.paths);
    assert_true(fabs(g[1].estimate.mean * 2 - g[0].estimate.mean) < 1e-6 * g[0].estimate.mean);
    OK(bailey_simulation_set(s, "place", &zero, 1));
    run.progress = NULL;
    failed_with("a fault", bailey_simulation_gradient(s, &run, &second, NULL, g), BAILEY_ERROR_PAYOFF,
                "payoff.c:5:", "on path 0");
    bailey_simulation_destroy(s);
}

/* ---- Time ---------------------------------------------------------------------------------------- */

/* Heston's model, by increments, and paths that begin elsewhere, against the times shifted. */
static void compare_time(const bailey_simulation_params *params, const double *numbers)
{
    bailey_simulation *s = made_on(context, params, numbers);
    const double h = 1e-6, shift[2] = {h, -h};
    static const char *const none[] = {""};
    const bailey_gradient_params timed = {.names = none, .time = 1};
    bailey_simulation_run_params run = {.source = {.seed = 8}, .paths = 5000, .antithetic = 1};
    bailey_derivative g;
    bailey_estimate two[4];
    assert_int_equal(bailey_simulation_gradient_count(s, &timed), 1);
    OK(bailey_simulation_gradient(s, &run, &timed, NULL, &g));
    run.scenarios = (bailey_scenarios){.count = 2, .time_shift = shift};
    OK(bailey_simulation_run(s, &run, two));
    const double slope = (two[bailey_simulation_outputs(s)].mean - two[0].mean) / (2 * h);
    if (!(fabs(g.estimate.mean - slope) < 1e-4 * (1 + fabs(slope))))
        fail_msg("%s: %.9g, not %.9g", params->payoff.name, g.estimate.mean, slope);
    bailey_simulation_destroy(s);
}

TEST(time, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates() || only_drawn()) skip();
    const double heston[] = {100, 0.04, 1.5, 0.04, 0.1, -0.7, 0.03, 0.01, 95, 1, 0};
    const double asian[] = {100, 90, 0.2, 0.3, 0.01, 0.02, 0.5, 0.5, 0.03, 95, 0, 0, 1};
    bailey_simulation_params params = {.path = {.times = dates, .steps = 8, .precision = BAILEY_PRECISION_F64}};
    params.payoff.name = "heston-euler";
    compare_time(&params, heston);
    params.path.dims = 2;
    params.path.covariance = rho;
    params.path.start = origin;
    params.path.start_time = 0.125;
    params.payoff.name = "asian";
    compare_time(&params, asian);
}

/* Theta of Black and Scholes 1973. */
TEST(theta, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    const double S = 100, K = 105, r = 0.03, q = 0.01, v = 0.2, numbers[] = {S, v, r, q, K, 1, 0};
    const double d1 = (log(S / K) + r - q + v * v / 2) / v, d2 = d1 - v;
    const double wanted =
        -S * exp(-q) * density(d1) * v / 2 - r * K * exp(-r) * cdf(d2) + q * S * exp(-q) * cdf(d1);
    const bailey_simulation_params params = {.path = {.times = dates + 3, .steps = 1},
                                             .payoff = {.name = "european"}};
    bailey_simulation *s = made_on(context, &params, numbers);
    const bailey_simulation_run_params run = {.source = {.seed = 1}, .paths = 1 << 16};
    const bailey_gradient_params timed = {.time = 1};
    bailey_derivative g[7];
    OK(bailey_simulation_gradient(s, &run, &timed, NULL, g));
    assert_true(fabs(g[6].estimate.mean - wanted) < ERRORS * g[6].estimate.standard_error);
    bailey_simulation_destroy(s);
}

/* ---- Heavy tails --------------------------------------------------------------------------------- */

static char warned[1024];
static int warnings;

static void note(void *user, const char *message)
{
    (void)user;
    warnings++;
    snprintf(warned, sizeof warned, "%s", message);
}

/* By `center`, the derivative has no variance; by `slope`, its mean is 0, and no path is large; nothing depends on
 * `idle`. */
TEST(heavy, ON_CPU)
{
    if (!simulates()) skip();
    static const char *const code =
        "typedef struct { real center, slope, idle; } params;\n"
        "typedef struct { real x; } state;\n"
        "void start(state *s, const params *p) { s->x = 0; }\n"
        "void step(state *s, const params *p, int i, real t, const real x[]) { s->x = x[0]; }\n"
        "void finish(const state *s, const params *p, real out[1])\n"
        "{ out[0] = pow(fabs(s->x - p->center), 0.2) + p->slope * s->x; }\n";
    enum { PATHS = 4096 };
    const double numbers[] = {0, 1, 2};
    const bailey_simulation_params params = {
        .path = {.times = dates + 3, .steps = 1, .precision = BAILEY_PRECISION_F64},
        .payoff = {.code = code}};
    bailey_simulation *s = made_on(context, &params, numbers), *derivatives;
    bailey_simulation_run_params run = {.source = {.seed = 11}, .paths = PATHS};
    const bailey_gradient_params all = {0};
    bailey_derivative g[3], read[3];
    bailey_estimate estimates[4];
    double *samples = allocate(4 * PATHS * sizeof *samples), sum[2] = {0}, largest[2] = {0};
    warnings = 0;
    bailey_warning_set(note, NULL);
    OK(bailey_simulation_gradient(s, &run, &all, NULL, g));
    bailey_warning_set(NULL, NULL);
    OK(bailey_simulation_gradient_create(s, &all, &derivatives));
    assert_int_equal(bailey_simulation_outputs(derivatives), 4);
    OK(bailey_buffer_create(context, 4 * PATHS * sizeof *samples, &run.samples));
    run.moments = 1;
    OK(bailey_simulation_run(derivatives, &run, estimates));
    OK(bailey_buffer_read(run.samples, 0, samples, 4 * PATHS * sizeof *samples));
    OK(bailey_simulation_gradient_read(s, &all, estimates, read));
    for (int k = 0; k < 2; k++) {
        for (int p = 0; p < PATHS; p++) {
            sum[k] += samples[(k + 1) * PATHS + p];
            largest[k] = fmax(largest[k], fabs(samples[(k + 1) * PATHS + p]));
        }
        assert_true(fabs(g[k].largest_share / (largest[k] / fabs(sum[k])) - 1) < 1e-9);
        assert_true(g[k].largest_share == read[k].largest_share && !read[k].forward);
        assert_true(!g[k].independent && !read[k].independent);
    }
    assert_true(g[2].independent && read[2].independent && g[2].estimate.mean == 0);
    assert_true(g[0].largest_share > 0.05 && g[1].largest_share > 0.01);
    assert_int_equal(warnings, 1);
    contains("the warning", warned, "with respect to center");
    contains("the warning", warned, "1 of 3 derivatives");
    bailey_buffer_destroy(run.samples);
    bailey_simulation_destroy(derivatives);
    bailey_simulation_destroy(s);
    free(samples);
}

/* ---- Divided ------------------------------------------------------------------------------------- */

static void same_gradient(const char *what, const bailey_derivative *a, const bailey_derivative *b,
                          uint64_t count)
{
    for (uint64_t k = 0; k < count; k++) same(what, &a[k].estimate, &b[k].estimate, 1);
}

/* Any number of threads. */
TEST(threads, ON_CPU)
{
    if (!simulates()) skip();
    const bailey_gradient_params all = {.time = 1, .covariance = 1};
    const bailey_simulation_run_params run = {
        .source = {.seed = 2}, .first_path = 77, .paths = 30011, .replicates = 2, .antithetic = 1};
    bailey_derivative first[MOST], g[MOST];
    for (uint32_t threads = 1; threads <= 3; threads++) {
        const bailey_context_params own = {.threads = threads};
        bailey_context *on;
        OK(bailey_context_create("cpu", &own, &on));
        bailey_simulation *s = make_basket(on, BAILEY_PRECISION_F64);
        OK(bailey_simulation_gradient(s, &run, &all, NULL, threads == 1 ? first : g));
        if (threads > 1) same_gradient("threads", g, first, bailey_simulation_gradient_count(s, &all));
        bailey_simulation_destroy(s);
        bailey_context_destroy(on);
    }
}

/* A tally of parts, run by two simulations, saved and merged. */
TEST(parts, ON_CPU)
{
    if (!simulates()) skip();
    bailey_simulation *s = make_basket(context, BAILEY_PRECISION_F64), *own[2];
    const bailey_gradient_params all = {.time = 1};
    const bailey_simulation_run_params run = {
        .source = {.seed = 3}, .first_path = 1000, .paths = 150000, .replicates = 2};
    bailey_derivative whole[DERIVATIVES], g[DERIVATIVES];
    bailey_estimate price[2], estimates[2 + DERIVATIVES];
    bailey_tally *tally[2];
    OK(bailey_simulation_gradient(s, &run, &all, price, whole));
    for (int k = 0; k < 2; k++) {
        OK(bailey_simulation_gradient_create(s, &all, &own[k]));
        OK(bailey_tally_create(own[k], &run, &tally[k]));
    }
    const uint64_t parts = bailey_tally_parts(tally[0]);
    assert_true(parts > 2);
    OK(bailey_tally_run(tally[0], own[0], parts / 2, parts - parts / 2));
    OK(bailey_tally_run(tally[1], own[1], 0, parts / 2));
    const uint64_t size = bailey_tally_bytes(tally[1]);
    void *bytes = allocate(size);
    OK(bailey_tally_save(tally[1], bytes, size));
    OK(bailey_tally_load(tally[0], bytes, size));
    OK(bailey_tally_estimates(tally[0], estimates, NULL, NULL));
    OK(bailey_simulation_gradient_read(s, &all, estimates, g));
    same("the price", estimates, price, 2);
    same_gradient("parts", g, whole, DERIVATIVES);
    assert_true(isnan(g[0].largest_share));
    /* Another question has another identity. */
    const double weights[2] = {1, 2};
    const bailey_gradient_params others[] = {
        {.time = 0}, {.time = 1, .output = 1}, {.time = 1, .weights = weights}};
    for (int k = 0; k < 3; k++) {
        bailey_simulation *other;
        bailey_tally *of;
        OK(bailey_simulation_gradient_create(s, &others[k], &other));
        OK(bailey_tally_create(other, &run, &of));
        REFUSED(bailey_tally_load(of, bytes, size), "not the same payoff's code", "");
        bailey_tally_destroy(of);
        bailey_simulation_destroy(other);
    }
    for (int k = 0; k < 2; k++) {
        bailey_tally_destroy(tally[k]);
        bailey_simulation_destroy(own[k]);
    }
    bailey_simulation_destroy(s);
    free(bytes);
}

/* More derivatives than a run without them has results. */
TEST(many_parts, ON_CPU | LONG)
{
    if (!simulates()) skip();
    static const char *const code =
        "typedef struct { real curve[70]; } params;\n"
        "typedef struct { real sum; } state;\n"
        "void start(state *s, const params *p) { s->sum = 0; }\n"
        "void step(state *s, const params *p, int i, real t, const real x[])\n"
        "{ for (int k = 0; k < 70; k++) s->sum += exp(p->curve[k] * x[0] * k); }\n"
        "void finish(const state *s, const params *p, real out[1]) { out[0] = s->sum / 100; }\n";
    enum { CURVE = 70 };
    double curve[CURVE];
    for (int k = 0; k < CURVE; k++) curve[k] = 0.001 * k;
    const bailey_simulation_params params = {.path = {.times = dates, .steps = 2}, .payoff = {.code = code}};
    const bailey_simulation_run_params run = {.source = {.seed = 1}, .paths = 100000, .moments = 1};
    const bailey_gradient_params all = {0};
    bailey_simulation *s = made_on(context, &params, curve), *own;
    bailey_derivative whole[CURVE], g[CURVE];
    bailey_estimate estimates[1 + CURVE];
    const bailey_job_params job = {.run = run};
    OK(bailey_simulation_gradient(s, &run, &all, NULL, whole));
    OK(bailey_simulation_gradient_create(s, &all, &own));
    OK(bailey_job_run(&own, 1, &job, estimates, NULL));
    OK(bailey_simulation_gradient_read(s, &all, estimates, g));
    same_gradient("many parts", g, whole, CURVE);
    for (int k = 1; k < CURVE; k++) assert_true(g[k].largest_share == whole[k].largest_share);
    bailey_simulation_destroy(own);
    bailey_simulation_destroy(s);
}

static int stop_early(void *user, uint64_t done, uint64_t all)
{
    (void)user;
    return done > 0 && done < all;
}

/* A job on several devices, interrupted and resumed from its checkpoint. */
TEST(job, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates() || only_drawn()) skip();
    char path[600];
    snprintf(path, sizeof path, "%s/gradient.checkpoint", test_folder());
    bailey_context *other = NULL;
    OK(bailey_context_create("cpu", NULL, &other));
    bailey_simulation *s[2] = {make_basket(context, BAILEY_PRECISION_F32),
                               make_basket(other, BAILEY_PRECISION_F32)},
                      *own[2];
    const bailey_gradient_params all = {.covariance = 1};
    const uint64_t count = bailey_simulation_gradient_count(s[0], &all);
    bailey_job_params job = {.run = {.source = {.seed = 5},
                                     .paths = 400000,
                                     .antithetic = 1,
                                     .moments = 1,
                                     .progress = stop_early},
                             .checkpoint = path};
    bailey_derivative whole[MOST], g[MOST];
    bailey_estimate estimates[MOST];
    bailey_job_report report;
    for (int k = 0; k < 2; k++) OK(bailey_simulation_gradient_create(s[k], &all, &own[k]));
    const bailey_status first = bailey_job_run(own, 2, &job, estimates, &report);
    assert_true(first == BAILEY_ERROR_CANCELLED || first == BAILEY_OK);
    job.run.progress = NULL;
    OK(bailey_job_run(own, 2, &job, estimates, &report));
    assert_true(first == BAILEY_OK || report.loaded > 0);
    OK(bailey_simulation_gradient_read(s[0], &all, estimates, g));
    OK(bailey_simulation_gradient(s[0], &job.run, &all, NULL, whole));
    same_gradient("a job", g, whole, count);
    assert_true(g[0].largest_share == whole[0].largest_share);
    for (int k = 0; k < 2; k++) {
        bailey_simulation_destroy(own[k]);
        bailey_simulation_destroy(s[k]);
    }
    bailey_context_destroy(other);
}

/* ---- Coverage ------------------------------------------------------------------------------------ */

/* In 95 % of many runs, up to 3.5 standard deviations of that share, the interval has the mean of all runs.
 */
static void compare_coverage(const bailey_simulation_params *params, const double *numbers,
                             const bailey_gradient_params *question, const bailey_simulation_run_params *run)
{
    enum { RUNS = 200 };
    bailey_simulation *s = made_on(context, params, numbers);
    const uint64_t count = bailey_simulation_gradient_count(s, question);
    bailey_derivative *g = allocate(RUNS * count * sizeof *g);
    for (uint64_t r = 0; r < RUNS; r++) {
        bailey_simulation_run_params own = *run;
        own.source.seed = 1 + r;
        OK(bailey_simulation_gradient(s, &own, question, NULL, g + r * count));
    }
    for (uint64_t k = 0; k < count; k++) {
        double mean = 0, covered = 0;
        for (uint64_t r = 0; r < RUNS; r++) mean += g[r * count + k].estimate.mean / RUNS;
        for (uint64_t r = 0; r < RUNS; r++) {
            const bailey_estimate *e = &g[r * count + k].estimate;
            covered += (e->interval_low <= mean && mean <= e->interval_high) / (double)RUNS;
        }
        if (!(fabs(covered - 0.95) <= 3.5 * sqrt(0.95 * 0.05 / RUNS)) && mean != 0)
            fail_msg("%s, %s %u: %g of the intervals", params->payoff.name ? params->payoff.name : "barrier",
                     g[k].name, g[k].first, covered);
    }
    free(g);
    bailey_simulation_destroy(s);
}

TEST(coverage, ON_CPU | LONG)
{
    if (!simulates()) skip();
    static const char *const barrier =
        "typedef struct { real spot, strike, barrier, volatility; } params;\n"
        "typedef struct { real price; int alive; } state;\n"
        "void start(state *s, const params *p) { s->price = 0; s->alive = 1; }\n"
        "void step(state *s, const params *p, int i, real t, const real x[])\n"
        "{ s->price = p->spot * exp(p->volatility * x[0] - p->volatility * p->volatility / 2 * t);\n"
        "  if (s->price > p->barrier) s->alive = 0; }\n"
        "void finish(const state *s, const params *p, real out[1])\n"
        "{ out[0] = s->alive ? fmax(s->price - p->strike, 0) : 0; }\n";
    const double option[] = {100, 0.2, 0.03, 0.01, 105, 1, 0}, out[] = {100, 95, 130, 0.2};
    const bailey_simulation_run_params plain = {.paths = 4096},
                                       points = {.source = {.generator = BAILEY_GENERATOR_SOBOL,
                                                            .scramble = BAILEY_SCRAMBLE_OWEN},
                                                 .paths = 256,
                                                 .replicates = 16};
    const bailey_gradient_params timed = {.time = 1}, wide = {.width = 3};
    const bailey_simulation_params european = {.path = {.times = dates + 3, .steps = 1},
                                               .payoff = {.name = "european"}},
                                   knocked = {.path = {.times = dates, .steps = 8},
                                              .payoff = {.code = barrier}};
    compare_coverage(&european, option, &timed, &plain);
    compare_coverage(&european, option, &timed, &points);
    compare_coverage(&knocked, out, &wide, &plain);
}
