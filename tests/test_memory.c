/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Devices that are short of memory, or have less than their drivers say: calls that need extra memory work in
 * smaller chunks, to the same bits, as long as there is any; then the error says how much was asked for, and
 * nothing is left behind.
 */
#include <bailey/mlmc.h>

#include <host/internal.h>

#include "harness.h"

enum { STEPS = 32, PATHS = 20000 };

/* ---- A device that gives no buffer of more than `most` bytes ----------------------------------------- */

static const struct bly_backend *whole;
static struct bly_backend limited;
static uint64_t most, largest; /* the latter: that was asked for */
static long live;

static bailey_status limited_alloc(struct bly_device *on, enum bly_memory_kind kind, uint64_t bytes,
                                   struct bly_memory **memory)
{
    if (kind == BLY_MEMORY_DEVICE && bytes > largest) largest = bytes;
    *memory = NULL;
    if (kind == BLY_MEMORY_DEVICE && bytes > most)
        return bly_fail(BAILEY_ERROR_MEMORY, "a buffer of %llu bytes: refused", (unsigned long long)bytes);
    const bailey_status status = whole->alloc(on, kind, bytes, memory);
    live += status == BAILEY_OK;
    return status;
}

static bailey_status limited_adopt(struct bly_device *on, void *native, uint64_t bytes,
                                   struct bly_memory **memory)
{
    const bailey_status status = whole->adopt(on, native, bytes, memory);
    live += status == BAILEY_OK;
    return status;
}

static void limited_release(struct bly_device *on, struct bly_memory *memory)
{
    live -= memory != NULL;
    whole->release(on, memory);
}

static void limit(uint64_t bytes)
{
    bly_pool_empty(context);
    most = bytes;
    largest = 0;
}

static int begin(void **state)
{
    (void)state;
    whole = context->device->backend;
    limited = *whole;
    limited.alloc = limited_alloc;
    limited.adopt = limited_adopt;
    limited.release = limited_release;
    context->device->backend = &limited;
    return 0;
}

static int end(void **state)
{
    (void)state;
    limit(UINT64_MAX);
    context->device->backend = whole;
    return 0;
}

/* ---- Jobs -------------------------------------------------------------------------------------------- */

static const bailey_source stepping = {.generator = BAILEY_GENERATOR_MRG32K3A, .seed = 5};

static const struct {
    const char *name;
    double value;
} values[] = {{"spot", 100}, {"strike", 100}, {"rate", 0.05}, {"volatility", 0.2}};

static double *make_times(void)
{
    static double times[STEPS];
    for (int i = 0; i < STEPS; i++) times[i] = (i + 1) / (double)STEPS;
    return times;
}

/* A source of runs: normals go through memory. X is the caller's, and there is room for it. */
static bailey_status paths(void *results, size_t bytes, uint64_t room)
{
    const bailey_bridge_params params = {.times = make_times(), .steps = STEPS};
    bailey_bridge *bridge = NULL;
    bailey_buffer *x = NULL;
    limit(UINT64_MAX);
    OK(bailey_bridge_create(context, &params, &bridge));
    OK(bailey_buffer_create(context, bytes, &x));
    limit(room);
    const bailey_status status = bailey_bridge_paths(bridge, &stepping, NULL, 7, PATHS, x);
    if (status == BAILEY_OK) OK(bailey_buffer_read(x, 0, results, bytes));
    bailey_buffer_destroy(x);
    bailey_bridge_destroy(bridge);
    return status;
}

static bailey_status simulation(void *results, size_t bytes, uint64_t room)
{
    const bailey_simulation_params params = {.path = {.times = make_times(), .steps = STEPS},
                                             .payoff = {.name = "european"}};
    const bailey_simulation_run_params run = {.source = stepping, .first_path = 1000, .paths = PATHS};
    bailey_estimate estimates[2] = {0};
    bailey_simulation *made = NULL;
    limit(UINT64_MAX);
    OK(bailey_simulation_create(context, &params, &made));
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        OK(bailey_simulation_set(made, values[i].name, &values[i].value, 1));
    limit(room);
    const bailey_status status = bailey_simulation_run(made, &run, estimates);
    memcpy(results, estimates, bytes);
    bailey_simulation_destroy(made);
    return status;
}

/* A level of 32 steps, in chunks as large as allowed. */
static bailey_status quasi(void *results, size_t bytes, uint64_t room)
{
    static const uint64_t samples[6] = {[5] = 8 * 16384};
    const bailey_mlmc_params params = {.estimator = {.name = "european"}};
    const bailey_mlmc_run_params run = {
        .replicates = 8, .source = {.generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_OWEN}};
    const struct bly_tuning *tuning = context->device->tuning;
    struct bly_tuning large = *tuning;
    bailey_mlmc_result result;
    bailey_mlmc *made = NULL;
    limit(UINT64_MAX);
    OK(bailey_mlmc_create(context, &params, &made));
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        OK(bailey_mlmc_set(made, values[i].name, &values[i].value, 1));
    large.z_chunk_bytes = UINT64_C(64) << 20;
    context->device->tuning = &large;
    limit(room);
    const bailey_status status = bailey_mlmc_run_samples(made, &run, samples, 6, &result);
    if (status == BAILEY_OK) memcpy(results, &result.level[5].mean, bytes);
    bailey_mlmc_destroy(made);
    context->device->tuning = tuning;
    return status;
}

/* ---- Tests ------------------------------------------------------------------------------------------- */

/* Less and less room, until there is none: then the job says so. */
static void in_chunks(const char *what, bailey_status (*job)(void *, size_t, uint64_t), size_t bytes,
                      int least)
{
    void *wanted = allocate(bytes), *found = allocate(bytes);
    OK(job(wanted, bytes, UINT64_MAX)); /* tables stay with the context */
    uint64_t room = largest;
    limit(UINT64_MAX);
    const long before = live;
    int smaller = 0;
    bailey_status status = BAILEY_OK;
    while (status == BAILEY_OK && room > 1) {
        room /= 2;
        memset(found, POISON, bytes);
        status = job(found, bytes, room);
        if (status != BAILEY_OK) break;
        same_bits(what, found, wanted, bytes / 4, 4);
        smaller++;
    }
    if (smaller < least)
        fail_msg("%s: %d times smaller chunks, then: %s", what, smaller, bailey_error_message());
    assert_int_equal(status, BAILEY_ERROR_MEMORY);
    if (!strstr(bailey_error_message(), " bytes: refused")) fail_msg("%s: %s", what, bailey_error_message());
    limit(UINT64_MAX);
    OK(job(found, bytes, UINT64_MAX));
    same_bits(what, found, wanted, bytes / 4, 4);
    limit(UINT64_MAX);
    assert_int_equal(live, before);
    free(wanted);
    free(found);
}

TEST(buffers, DEVICE)
{
    bailey_buffer *buffer = (bailey_buffer *)&buffer;
    char bytes[64];
    limit(UINT64_MAX);
    assert_int_equal(bailey_buffer_create(context, UINT64_C(1) << 60, &buffer), BAILEY_ERROR_MEMORY);
    assert_null(buffer);
    snprintf(bytes, sizeof bytes, "%llu bytes", 1ull << 60);
    if (!strstr(bailey_error_message(), bytes)) fail_msg("%s", bailey_error_message());
}

TEST(paths_in_chunks, DEVICE)
{
    if (few_programs()) skip();
    in_chunks("paths", paths, sizeof(float) * STEPS * PATHS, 3);
}

TEST(simulation_in_chunks, DEVICE)
{
    if (!device.has_f64 || few_programs()) skip();
    in_chunks("simulation", simulation, sizeof(bailey_estimate), 3);
}

TEST(quasi_in_chunks, DEVICE)
{
    if (!device.has_f64 || few_programs()) skip();
    in_chunks("points", quasi, sizeof(double), 1);
}

FIXTURE(begin, end)
