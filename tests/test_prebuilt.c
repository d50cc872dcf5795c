/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Built-in payoffs that were compiled with the library against those that are compiled when a run needs
 * them: everything that a run gives, bit for bit. Their means are in test_payoffs.c.
 */
#include <bailey/greeks.h>

#include "simulations.h"

#include "builtins.h"

#define OUTPUTS 2
#define PATHS 1237
#define REPLICATES 2
#define STEPS 11
#define BINS 9
#define MOST_DIMS 9

/* A built-in on a path, and how it is run. */
struct deal {
    const char *name;
    bailey_precision precision;
    uint32_t dims;
    bailey_construction construction;
    int correlated, fixed_end, antithetic, points, control;
};

/* All that a run gives. */
struct found {
    bailey_estimate estimates[OUTPUTS];
    double covariance[OUTPUTS * OUTPUTS];
    uint64_t counts[BINS + 2];
    void *samples;
    size_t bytes;
};

static const struct bly_builtin *builtin_of(const struct deal *deal)
{
    const struct bly_builtin *found = bly_builtin_called(deal->name);
    if (!found) fail_msg("no built-in is called %s", deal->name);
    return found;
}

static void set_values(bailey_simulation *s, const struct deal *deal)
{
    const struct bly_builtin_parameter *p = builtin_of(deal)->parameters;
    for (int i = 0; i < BLY_BUILTIN_PARAMETERS && p[i].name; i++) {
        double values[MOST_DIMS];
        for (uint32_t d = 0; d < deal->dims; d++) values[d] = p[i].value * (1 + 0.1 * d);
        OK(bailey_simulation_set(s, p[i].name, values, p[i].array ? deal->dims : 1));
    }
}

static bailey_simulation *make(const struct deal *deal, int prebuilt)
{
    const struct bly_builtin *builtin = builtin_of(deal);
    double times[STEPS], covariance[MOST_DIMS * MOST_DIMS], start[MOST_DIMS], end[MOST_DIMS];
    for (int i = 0; i < STEPS; i++) times[i] = builtin->normals ? i + 1 : 0.1 * (i + 1);
    for (uint32_t i = 0; i < deal->dims; i++) {
        start[i] = 0.125 * i;
        end[i] = 0.25;
        for (uint32_t j = 0; j < deal->dims; j++) covariance[i * deal->dims + j] = i == j ? 1 : 0.3;
    }
    const bailey_simulation_params params = {
        .path = {.times = times,
                 .steps = STEPS,
                 .dims = deal->dims,
                 .covariance = deal->correlated ? covariance : NULL,
                 .start = builtin->output == BAILEY_BRIDGE_OUTPUT_PATHS ? start : NULL,
                 .end = deal->fixed_end ? end : NULL,
                 .output = builtin->output,
                 .construction = deal->construction,
                 .precision = deal->precision},
        .payoff = {.name = deal->name}};
    bailey_simulation *s = NULL;
    setenv("BAILEY_PREBUILT", prebuilt ? "1" : "0", 1);
    OK(bailey_simulation_create(context, &params, &s));
    unsetenv("BAILEY_PREBUILT");
    set_values(s, deal);
    return s;
}

static bailey_simulation_run_params run_of(const struct deal *deal, const double expected[OUTPUTS],
                                           struct found *found)
{
    bailey_simulation_run_params run = {
        .source = {.seed = 5, .stream = 2},
        .first_path = 101,
        .paths = PATHS,
        .replicates = REPLICATES,
        .antithetic = (uint32_t)deal->antithetic,
        .expected = deal->control ? expected : NULL,
        .moments = 1,
        .histogram = {.low = 1, .high = 7, .bins = BINS, .counts = found->counts},
        .covariance = found->covariance};
    if (deal->points) {
        run.source.generator = BAILEY_GENERATOR_SOBOL;
        run.source.scramble = BAILEY_SCRAMBLE_OWEN;
    }
    return run;
}

static struct found find(const struct deal *deal, int prebuilt)
{
    static const double expected[OUTPUTS] = {NAN, 5};
    struct found found;
    memset(&found, 0, sizeof found);
    bailey_simulation *s = make(deal, prebuilt);
    const bailey_simulation_run_params run = run_of(deal, expected, &found);
    found.bytes = bailey_simulation_outputs(s) * REPLICATES * PATHS * real_bytes(deal->precision);
    found.samples = run_for_samples(s, run, deal->precision, found.estimates);
    bailey_simulation_destroy(s);
    return found;
}

static void check(const struct deal *deal)
{
    struct found a = find(deal, 0), b = find(deal, 1);
    uint64_t counted = 0;
    for (int i = 0; i < BINS + 2; i++) counted += b.counts[i];
    assert_int_equal(counted, PATHS * REPLICATES);
    assert_true(b.estimates[0].variance > 0 && b.estimates[0].maximum > b.estimates[0].minimum);
    assert_memory_equal(a.samples, b.samples, a.bytes);
    assert_memory_equal(a.estimates, b.estimates, sizeof a.estimates);
    assert_memory_equal(a.covariance, b.covariance, sizeof a.covariance);
    assert_memory_equal(a.counts, b.counts, sizeof a.counts);
    free(a.samples);
    free(b.samples);
}

static int is_slow(void)
{
    return strncmp(device.address, "opencl", 6) == 0 && device.kind != BAILEY_DEVICE_KIND_GPU &&
           !getenv("BAILEY_TEST_LARGE");
}

/* Two outputs, antithetic, with a control. */
TEST(test_basket, DEVICE | LONG_ON_OPENCL)
{
    const struct deal deal = {.name = "asian",
                              .precision = BAILEY_PRECISION_F32,
                              .dims = 2,
                              .correlated = 1,
                              .antithetic = 1,
                              .control = 1};
    if (!simulates()) skip();
    check(&deal);
}

/* Increments, whole paths. */
TEST(whole, DEVICE)
{
    const struct deal deal = {.name = "lookback-garch",
                              .precision = BAILEY_PRECISION_F64,
                              .dims = 1,
                              .construction = BAILEY_CONSTRUCTION_WALK,
                              .antithetic = 1,
                              .points = 1};
    if (!simulates() || is_slow()) skip();
    check(&deal);
}

TEST(others, DEVICE | LONG)
{
    static const struct deal deals[] = {
        /* A number of dimensions for which no row has a special loop. */
        {.name = "asian", .precision = BAILEY_PRECISION_F64, .dims = MOST_DIMS, .correlated = 1},
        {.name = "asian-geometric",
         .precision = BAILEY_PRECISION_F32,
         .dims = 3,
         .construction = BAILEY_CONSTRUCTION_PCA,
         .points = 1},
        {.name = "heston-euler",
         .precision = BAILEY_PRECISION_F64,
         .dims = 1,
         .antithetic = 1},
        {.name = "barrier", .precision = BAILEY_PRECISION_F32, .dims = 1, .fixed_end = 1},
        {.name = "european", .precision = BAILEY_PRECISION_F64, .dims = 1, .antithetic = 1},
    };
    if (!simulates() || is_slow()) skip();
    for (size_t i = 0; i < sizeof deals / sizeof *deals; i++) check(&deals[i]);
}

/* Parameters change without another simulation. */
TEST(parameters, DEVICE | LONG_ON_OPENCL)
{
    if (!device.has_f64) skip();
    const struct deal deal = {.name = "european", .precision = BAILEY_PRECISION_F64, .dims = 1};
    const bailey_simulation_run_params run = {.paths = 4096, .source = {.seed = 1}};
    bailey_simulation *s = make(&deal, 1);
    bailey_estimate low, high, again;
    OK(bailey_simulation_run(s, &run, &low));
    set(s, "strike", 140);
    OK(bailey_simulation_run(s, &run, &high));
    set(s, "strike", 100);
    OK(bailey_simulation_run(s, &run, &again));
    assert_true(high.mean < 0.5 * low.mean);
    assert_memory_equal(&low, &again, sizeof low);
    bailey_simulation_destroy(s);
}

/* ---- Scenarios ----------------------------------------------------------------------------------- */

enum { MOST_SCENARIOS = 20, MOST_ROWS = 3, MOST_RESULTS = MOST_SCENARIOS * OUTPUTS };

/* A run of a built-in in several scenarios. */
struct table {
    struct deal deal;
    uint32_t count, rows; /* rows of weights, or 0 */
    int replicates, covariance, histogram;
};

struct table_found {
    bailey_estimate estimates[MOST_RESULTS];
    double covariance[MOST_RESULTS * MOST_RESULTS];
    uint64_t counts[BINS + 2];
    void *samples;
    size_t bytes;
};

/* Rows with a gap, with one term, and with all terms; no scenario is left out. */
static void fill_weights(double *weights, const struct table *table, uint32_t outputs)
{
    const uint32_t columns = table->count * outputs;
    for (uint32_t k = 0; k < table->rows * columns; k++) weights[k] = 0;
    weights[0] = -1;
    weights[columns - 1] = 1;
    if (table->rows > 1) weights[columns + columns / 2] = 0.3;
    for (uint32_t k = 0; table->rows > 2 && k < columns; k++) weights[2 * columns + k] = 1.0 / (3 + k) - 0.1;
}

static void fill_values(double *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        values[2 * i] = 0.1 + 0.02 * (i % 7);
        values[2 * i + 1] = 80 + 2.5 * i;
    }
}

static struct table_found find_table(const struct table *table, int prebuilt)
{
    static const char *const names[] = {"volatility", "strike"};
    static const char *const element_names[] = {"volatility[1]", "strike"};
    static const double weight_of_none = 0;
    double values[MOST_SCENARIOS * 2], weights[MOST_ROWS * MOST_RESULTS];
    struct table_found found;
    memset(&found, 0, sizeof found);
    bailey_simulation *s = make(&table->deal, prebuilt);
    const uint32_t outputs = bailey_simulation_outputs(s);
    fill_values(values, table->count);
    if (table->rows) fill_weights(weights, table, outputs);
    struct found plain;
    bailey_simulation_run_params run = run_of(&table->deal, NULL, &plain);
    const uint32_t results = table->rows ? table->rows : table->count * outputs;
    run.replicates = (uint64_t)table->replicates;
    run.covariance = table->covariance ? found.covariance : NULL;
    run.histogram.counts = found.counts;
    run.histogram.output = results - 1;
    if (!table->histogram) run.histogram.bins = 0;
    run.scenarios = (bailey_scenarios){.count = table->count,
                                       .columns = 2,
                                       .names = table->deal.dims > 1 ? element_names : names,
                                       .values = values,
                                       .rows = table->rows,
                                       .weights = table->rows ? weights : &weight_of_none};
    found.bytes = (size_t)results * run.replicates * PATHS * real_bytes(table->deal.precision);
    run.samples = poisoned(found.bytes);
    OK(bailey_simulation_run(s, &run, found.estimates));
    found.samples = harvest(run.samples, found.bytes);
    bailey_simulation_destroy(s);
    return found;
}

static void check_table(const struct table *table)
{
    struct table_found a = find_table(table, 0), b = find_table(table, 1);
    uint64_t counted = 0;
    for (int i = 0; i < BINS + 2; i++) counted += b.counts[i];
    assert_int_equal(counted, table->histogram ? PATHS * table->replicates : 0);
    assert_true(b.estimates[0].mean != b.estimates[1].mean);
    assert_memory_equal(a.samples, b.samples, a.bytes);
    assert_memory_equal(a.estimates, b.estimates, sizeof a.estimates);
    assert_memory_equal(a.covariance, b.covariance, sizeof a.covariance);
    assert_memory_equal(a.counts, b.counts, sizeof a.counts);
    free(a.samples);
    free(b.samples);
}

/* Two outputs of a basket: rows of weights, and the outputs themselves. */
TEST(scenarios, DEVICE | LONG_ON_OPENCL)
{
    const struct deal basket = {
        .name = "asian", .precision = BAILEY_PRECISION_F32, .dims = 2, .correlated = 1, .antithetic = 1};
    const struct table rows = {
        .deal = basket, .count = 5, .rows = 3, .replicates = 2, .covariance = 1, .histogram = 1};
    const struct table plain = {.deal = basket, .count = 5, .replicates = 1, .covariance = 1, .histogram = 1};
    if (!simulates()) skip();
    check_table(&rows);
    if (!is_slow()) check_table(&plain);
}

/* So many that they take several passes; points. */
TEST(many_scenarios, DEVICE)
{
    const struct deal european = {.name = "european", .precision = BAILEY_PRECISION_F64, .dims = 1};
    const struct deal barrier = {
        .name = "barrier", .precision = BAILEY_PRECISION_F32, .dims = 1, .antithetic = 1, .points = 1};
    const struct table tables[] = {
        {.deal = european, .count = MOST_SCENARIOS, .replicates = 3, .histogram = 1},
        {.deal = barrier, .count = MOST_SCENARIOS, .rows = 3, .replicates = 1, .histogram = 1},
    };
    if (!simulates() || is_slow()) skip();
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) check_table(&tables[i]);
}

/* Many chunks, each of whole nodes, which scenarios make smaller. */
TEST(scenarios_alone, DEVICE)
{
    if (!device.has_f64) skip();
    enum { COUNT = 3 };
    const struct deal deal = {.name = "digital", .precision = BAILEY_PRECISION_F32, .dims = 1};
    static const char *const name[] = {"strike"};
    static const double strikes[COUNT] = {90, 100, 120};
    bailey_estimate together[COUNT], alone;
    bailey_simulation *s = make(&deal, 1);
    bailey_simulation_run_params run = {.source = {.seed = 3}, .paths = 100001, .first_path = 77};
    run.scenarios = (bailey_scenarios){.count = COUNT, .columns = 1, .names = name, .values = strikes};
    OK(bailey_simulation_run(s, &run, together));
    run.scenarios.count = 0;
    for (int i = 0; i < COUNT; i++) {
        set(s, "strike", strikes[i]);
        OK(bailey_simulation_run(s, &run, &alone));
        assert_memory_equal(&alone, &together[i], sizeof alone);
    }
    bailey_simulation_destroy(s);
}

/* Scenarios that rows cannot make are refused; nothing is written. */
TEST(refused, DEVICE)
{
    if (!device.has_f64) skip();
    const struct deal deal = {.name = "european", .precision = BAILEY_PRECISION_F64, .dims = 1};
    static const double shift = 0.01, other = 4, weight = 1, score[3] = {1, 0, 0};
    const bailey_scenarios tables[] = {{.count = 1, .time_shift = &shift},
                                       {.count = 1, .covariance = &other},
                                       {.count = 1, .rows = 1, .weights = &weight, .scores = score}};
    static const char *const words[] = {"time_shift", "covariance", "scores"};
    bailey_simulation *s = make(&deal, 1);
    for (int i = 0; i < 3; i++) {
        const bailey_simulation_run_params run = {.paths = 100, .scenarios = tables[i]};
        bailey_estimate estimate = {.mean = -7};
        assert_int_equal(bailey_simulation_run(s, &run, &estimate), BAILEY_ERROR_UNSUPPORTED);
        assert_non_null(strstr(bailey_error_message(), words[i]));
        assert_true(estimate.mean == -7);
    }
    bailey_simulation_destroy(s);
}

/* Greeks are rows of weights, but for theta, which moves paths. */
TEST(test_greeks, DEVICE)
{
    enum { GREEKS = 7 };
    if (!simulates() || is_slow()) skip();
    static const char *const spot[] = {"spot"}, *const volatility[] = {"volatility"};
    const struct deal deal = {.name = "european", .precision = BAILEY_PRECISION_F64, .dims = 1};
    const bailey_simulation_run_params run = {
        .source = {.seed = 4}, .paths = 3001, .antithetic = 1, .replicates = 2};
    bailey_greeks_params params = {.spots = spot,
                                   .spot_count = 1,
                                   .volatilities = volatility,
                                   .volatility_count = 1,
                                   .rate = "rate",
                                   .method = BAILEY_GREEK_METHOD_DIFFERENCES};
    bailey_greek_estimate greeks[2][GREEKS], with_theta[GREEKS + 1];
    memset(greeks, 0, sizeof greeks);
    bailey_simulation *compiled = make(&deal, 0), *prebuilt = make(&deal, 1);
    assert_int_equal(bailey_simulation_greeks_count(compiled, &params), GREEKS);
    OK(bailey_simulation_greeks(compiled, &run, &params, greeks[0]));
    OK(bailey_simulation_greeks(prebuilt, &run, &params, greeks[1]));
    params.theta = 1;
    assert_int_equal(bailey_simulation_greeks(prebuilt, &run, &params, with_theta), BAILEY_ERROR_UNSUPPORTED);
    bailey_simulation_destroy(compiled);
    bailey_simulation_destroy(prebuilt);
    assert_true(greeks[1][1].kind == BAILEY_GREEK_KIND_DELTA && greeks[1][1].mean > 0.3);
    for (int i = 0; i < GREEKS; i++) {
        assert_int_equal(greeks[0][i].kind, greeks[1][i].kind);
        assert_memory_equal(&greeks[0][i].mean, &greeks[1][i].mean, sizeof(double));
        assert_memory_equal(&greeks[0][i].standard_error, &greeks[1][i].standard_error, sizeof(double));
    }
}
