/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * GPUs with small work-groups, little local memory, or compilers that refuse larger groups: the same bits as
 * cpu. They are processors that small_device.c makes such, by its variables.
 */
#include <bailey/mlmc.h>

#include "harness.h"

enum { STEPS = 24, MOST_DIMS = 3, PATHS = 3000 };

static bailey_context *reference;

/* NULL of a strategy that the device's compiler gets wrong. */
static void *make_paths(bailey_context *on, bailey_bridge_strategy strategy, uint32_t dims, size_t bytes)
{
    static const double covariance[MOST_DIMS * MOST_DIMS] = {1, 0.5, 0.25, 0.5, 1, 0.5, 0.25, 0.5, 1};
    double times[STEPS];
    for (int i = 0; i < STEPS; i++) times[i] = (i + 1) / 8.0;
    const bailey_bridge_params params = {.times = times,
                                         .steps = STEPS,
                                         .dims = dims,
                                         .strategy = strategy,
                                         .covariance = dims == MOST_DIMS ? covariance : NULL};
    const bailey_source source = {.seed = 3};
    bailey_bridge *bridge = NULL;
    bailey_buffer *x = NULL;
    const bailey_status status = bailey_bridge_create(on, &params, &bridge);
    if (status == BAILEY_ERROR_UNSUPPORTED && strstr(bailey_error_message(), "compiles it to wrong values"))
        return NULL;
    OK(status);
    void *found = allocate(bytes);
    OK(bailey_buffer_create(on, bytes, &x));
    OK(bailey_bridge_paths(bridge, &source, NULL, 5, PATHS, x));
    OK(bailey_buffer_read(x, 0, found, bytes));
    bailey_buffer_destroy(x);
    bailey_bridge_destroy(bridge);
    return found;
}

static void same_paths(bailey_bridge_strategy strategy, uint32_t dims)
{
    const size_t bytes = sizeof(float) * STEPS * dims * PATHS;
    void *found = make_paths(context, strategy, dims, bytes);
    if (!found) return;
    void *wanted = make_paths(reference, BAILEY_BRIDGE_STRATEGY_AUTO, dims, bytes);
    same_bits(bailey_bridge_strategy_name(strategy), found, wanted, bytes / 4, 4);
    free(found);
    free(wanted);
}

/* Those whose groups share memory, or dimensions. */
TEST(paths, ON_OPENCL | IN_SETTINGS)
{
    if (getenv("SMALL_KERNEL")) skip();
    same_paths(BAILEY_BRIDGE_STRATEGY_SHARED, 1);
    same_paths(BAILEY_BRIDGE_STRATEGY_PREFETCH, MOST_DIMS);
    if (!getenv("BAILEY_TEST_LARGE")) return;
    same_paths(BAILEY_BRIDGE_STRATEGY_REUSE_PREFETCH, 1);
    same_paths(BAILEY_BRIDGE_STRATEGY_SPECIALISED, 1);
}

static const struct {
    const char *name;
    double value;
} values[] = {{"spot", 100}, {"strike", 100}, {"rate", 0.05}, {"volatility", 0.2}};

static bailey_estimate price(bailey_context *on)
{
    const double time = 1;
    const bailey_simulation_params params = {.path = {.times = &time, .steps = 1},
                                             .payoff = {.name = "european"}};
    const bailey_simulation_run_params run = {.source = {.seed = 4}, .paths = 10000};
    bailey_simulation *made = NULL;
    bailey_estimate estimate;
    OK(bailey_simulation_create(on, &params, &made));
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        OK(bailey_simulation_set(made, values[i].name, &values[i].value, 1));
    OK(bailey_simulation_run(made, &run, &estimate));
    bailey_simulation_destroy(made);
    return estimate;
}

TEST(prices, ON_OPENCL | IN_SETTINGS)
{
    const bailey_estimate found = price(context), wanted = price(reference);
    same_bits("price", &found, &wanted, sizeof found / 8, 8);
}

static double level_price(bailey_context *on)
{
    const bailey_mlmc_params params = {.estimator = {.name = "european"}};
    const bailey_mlmc_run_params run = {.eps = 0.1, .source = {.seed = 5}};
    bailey_mlmc *made = NULL;
    bailey_mlmc_result result;
    OK(bailey_mlmc_create(on, &params, &made));
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        OK(bailey_mlmc_set(made, values[i].name, &values[i].value, 1));
    OK(bailey_mlmc_run(made, &run, &result));
    bailey_mlmc_destroy(made);
    return result.mean;
}

TEST(levels, ON_OPENCL | IN_SETTINGS)
{
    if (getenv("SMALL_KERNEL") && !getenv("BAILEY_TEST_LARGE")) skip();
    const double found = level_price(context), wanted = level_price(reference);
    same_bits("levels", &found, &wanted, 1, 8);
}

static int open_cpu(void **state)
{
    (void)state;
    return bailey_context_create("cpu", NULL, &reference) != BAILEY_OK;
}

static int close_cpu(void **state)
{
    (void)state;
    bailey_context_destroy(reference);
    return 0;
}

FIXTURE(open_cpu, close_cpu)
