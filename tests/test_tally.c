/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Tallies: what they know and lack, of scenarios, controls and large ranges too (that any split comes to the
 * bits of one run is in test_laws.c); what is damaged or of another run is refused, and changes nothing.
 */
#include <base/alloc.h>
#include <base/hash.h>
#include <host/internal.h>
#include <host/run/seal.h>

#include "jobs.h"

enum { ONE, REPLICATES };
static const bailey_simulation_run_params runs[] = {
    [ONE] = {.paths = 100000, .replicates = 1, .source = {.seed = 1}},
    [REPLICATES] = {
        .first_path = 3000, .paths = 20000, .replicates = 3, .source = {.seed = 3}, .antithetic = 1}};

static bailey_tally *tally_of(bailey_simulation *s, bailey_simulation_run_params run)
{
    struct outcome out;
    bailey_tally *tally = NULL;
    run = wanting_all(run, &out);
    OK(bailey_tally_create(s, &run, &tally));
    return tally;
}

static struct outcome outcome_of(const bailey_tally *tally)
{
    struct outcome out = {0};
    OK(bailey_tally_estimates(tally, out.e, out.covariance, out.counts));
    return out;
}

static unsigned char *bytes_of(const bailey_tally *tally, uint64_t *size)
{
    *size = bailey_tally_bytes(tally);
    unsigned char *bytes = allocate(*size);
    OK(bailey_tally_save(tally, bytes, *size));
    return bytes;
}

/* Without a histogram, shape and covariances, and with a control variate. */
TEST(controls, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    const double expected[2] = {NAN, 4};
    const bailey_simulation_run_params run = {.paths = 50000, .replicates = 2, .expected = expected};
    bailey_simulation *s = make_two(context, BAILEY_PRECISION_F32);
    bailey_estimate wanted[2], found[2];
    bailey_tally *tally;
    OK(bailey_simulation_run(s, &run, wanted));
    OK(bailey_tally_create(s, &run, &tally));
    for (uint64_t first = 0; bailey_tally_missing(tally, 0, &first);)
        OK(bailey_tally_run(tally, s, first, 1));
    OK(bailey_tally_estimates(tally, found, NULL, NULL));
    assert_memory_equal(found, wanted, sizeof found);
    bailey_tally_destroy(tally);
    bailey_simulation_destroy(s);
}

/* The last part has one path: until that has run, it is not absent. */
TEST(one_path_more, DEVICE)
{
    if (!simulates()) skip();
    const bailey_simulation_run_params run = {.paths = 3 * 4096 + 1};
    bailey_simulation *s = make_two(context, BAILEY_PRECISION_F32);
    bailey_estimate wanted[2], found[2];
    bailey_tally *tally;
    OK(bailey_simulation_run(s, &run, wanted));
    OK(bailey_tally_create(s, &run, &tally));
    assert_int_equal(bailey_tally_parts(tally), 4);
    for (uint64_t part = 0; part < 4; part++) OK(bailey_tally_run(tally, s, part, 1));
    OK(bailey_tally_estimates(tally, found, NULL, NULL));
    assert_memory_equal(found, wanted, sizeof found);
    bailey_tally_destroy(tally);
    bailey_simulation_destroy(s);
}

/* More results than one pass makes, on two devices that cut them differently. */
static void check_scenarios(bailey_simulation *const s[2], bailey_simulation_run_params run)
{
    enum { SCENARIOS = 45, RESULTS = 2 * SCENARIOS };
    static const char *const names[] = {"scale"};
    double scale[SCENARIOS];
    uint64_t counts[2][JOB_BINS + 2] = {{0}};
    bailey_estimate wanted[RESULTS], found[RESULTS];
    for (int i = 0; i < SCENARIOS; i++) scale[i] = 1 + i * 0.01;
    run.scenarios = (bailey_scenarios){.count = SCENARIOS, .columns = 1, .names = names, .values = scale};
    run.histogram = (bailey_histogram){
        .low = 0, .high = 10, .bins = JOB_BINS, .output = RESULTS - 2, .counts = counts[0]};
    bailey_tally *tally;
    OK(bailey_simulation_run(s[0], &run, wanted));
    OK(bailey_tally_create(s[0], &run, &tally));
    int turn = 0;
    for (uint64_t first = 0; bailey_tally_missing(tally, 0, &first); turn++)
        OK(bailey_tally_run(tally, s[turn % 2], first, 1 + (uint64_t)turn % 2));
    OK(bailey_tally_estimates(tally, found, NULL, counts[1]));
    same_bits("scenarios", found, wanted, sizeof found / 8, 8);
    assert_memory_equal(counts[0], counts[1], sizeof counts[0]);
    scale[3] += 1;
    assert_int_equal(bailey_tally_run(tally, s[0], 0, 1), BAILEY_ERROR_INVALID);
    bailey_tally_destroy(tally);
}

TEST(scenarios, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    static const char *const names[] = {"scale"};
    const double scale[3] = {1, 1.01, 1.02};
    bailey_estimate wanted[2], found[2];
    bailey_tally *tally;
    bailey_context *other;
    OK(bailey_context_create("cpu", NULL, &other));
    bailey_simulation *s[] = {make_two(context, BAILEY_PRECISION_F32), make_two(other, BAILEY_PRECISION_F32)};
    bailey_simulation_run_params run = {.paths = 30000, .replicates = 2, .moments = 1};
    check_scenarios(s, run);
    run = (bailey_simulation_run_params){
        .paths = 9000, .first_path = 10, .sum = BAILEY_SUM_FIXED, .sum_limit = 0x1p14};
    check_scenarios(s, run);
    run.moments = 1;
    if (strcmp(device.address, "cpu") == 0) check_scenarios(s, run);

    /* Differences, whose covariances are needed. */
    double weights[2][6] = {{1, 0, 0, 0, -1, 0}, {0, 0.5, 0, 0, 0, -0.5}}, covariance[2][4];
    run = (bailey_simulation_run_params){.paths = 20000, .covariance = covariance[0]};
    run.scenarios = (bailey_scenarios){
        .count = 3, .columns = 1, .names = names, .values = scale, .rows = 2, .weights = weights[0]};
    OK(bailey_simulation_run(s[1], &run, wanted));
    OK(bailey_tally_create(s[0], &run, &tally));
    OK(bailey_tally_run(tally, s[0], 2, 3));
    OK(bailey_tally_run(tally, s[1], 0, 2));
    OK(bailey_tally_estimates(tally, found, covariance[1], NULL));
    same_bits("differences", found, wanted, 2 * sizeof *found / 8, 8);
    assert_memory_equal(covariance[0], covariance[1], sizeof covariance[0]);
    bailey_tally_destroy(tally);
    bailey_simulation_destroy(s[0]);
    bailey_simulation_destroy(s[1]);
    bailey_context_destroy(other);
}

TEST(missing_parts, DEVICE)
{
    if (!simulates()) skip();
    bailey_simulation *s = make_two(context, BAILEY_PRECISION_F32);
    bailey_tally *tally = tally_of(s, runs[ONE]), *other = tally_of(s, runs[ONE]);
    struct outcome out;
    uint64_t first;
    assert_int_equal(bailey_tally_parts(tally), 25);
    assert_int_equal(bailey_tally_missing(tally, 0, &first), 25);
    OK(bailey_tally_run(tally, s, 3, 5));
    assert_int_equal(bailey_tally_paths(tally), 5 * 4096);
    assert_int_equal(bailey_tally_missing(tally, 0, &first), 3);
    assert_int_equal(first, 0);
    assert_int_equal(bailey_tally_missing(tally, 4, &first), 17);
    assert_int_equal(first, 8);
    assert_int_equal(bailey_tally_estimates(tally, out.e, NULL, NULL), BAILEY_ERROR_INVALID);
    assert_non_null(strstr(bailey_error_message(), "parts are missing: 20480 of 100000 paths"));

    assert_int_equal(bailey_tally_run(tally, s, 7, 2), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_message(), "part 7 is in the tally already");
    assert_int_equal(bailey_tally_run(tally, s, 24, 2), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_tally_run(tally, s, 0, 0), BAILEY_ERROR_INVALID);
    OK(bailey_tally_run(other, s, 7, 1));
    assert_int_equal(bailey_tally_merge(tally, other), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_message(), "from has parts that are in this tally already");
    assert_int_equal(bailey_tally_merge(tally, tally), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_tally_paths(tally), 5 * 4096);
    bailey_tally_destroy(tally);
    bailey_tally_destroy(other);
    bailey_simulation_destroy(s);
}

/* Each thing that makes a run another one. */
TEST(other_runs, DEVICE)
{
    if (!simulates()) skip();
    bailey_simulation *s = make_two(context, BAILEY_PRECISION_F32),
                      *f64 = make_two(context, BAILEY_PRECISION_F64);
    bailey_simulation_run_params run = {.paths = 5000, .source = {.seed = 1}};
    bailey_tally *tally, *other, *third;
    double covariance[4];
    OK(bailey_tally_create(s, &run, &tally));
    const bailey_simulation_run_params others[] = {
        {.paths = 5001, .source = {.seed = 1}},
        {.paths = 5000, .source = {.seed = 2}},
        {.paths = 5000, .source = {1, .stream = 1}},
        {.paths = 5000, .source = {1}, .moments = 1},
        {.paths = 5000, .source = {1}, .antithetic = 1},
        {.paths = 5000, .source = {1}, .covariance = covariance},
        {.paths = 5000, .source = {1}, .replicates = 2},
        {.paths = 5000, .source = {1}, .first_path = 1},
        {.paths = 5000, .source = {1}, .sum = BAILEY_SUM_FIXED, .sum_limit = 5000}};
    enum { LAST = sizeof others / sizeof *others - 1 };
    for (size_t i = 0; i <= LAST; i++) {
        OK(bailey_tally_create(s, &others[i], &other));
        assert_int_equal(bailey_tally_merge(tally, other), BAILEY_ERROR_INVALID);
        assert_string_equal(bailey_error_argument(), "from");
        bailey_tally_destroy(other);
    }
    run = others[LAST];
    OK(bailey_tally_create(s, &run, &other));
    run.sum_limit = 5001;
    OK(bailey_tally_create(s, &run, &third));
    assert_int_equal(bailey_tally_merge(other, third), BAILEY_ERROR_INVALID);
    bailey_tally_destroy(other);
    bailey_tally_destroy(third);
    run = (bailey_simulation_run_params){.paths = 5000, .source = {.seed = 1}};
    OK(bailey_tally_create(f64, &run, &other));
    assert_int_equal(bailey_tally_merge(tally, other), BAILEY_ERROR_INVALID);
    assert_non_null(strstr(bailey_error_message(), "not the same paths, or the precision"));
    assert_int_equal(bailey_tally_run(tally, f64, 0, 1), BAILEY_ERROR_INVALID);
    bailey_tally_destroy(other);
    set(s, "scale", 2);
    assert_int_equal(bailey_tally_run(tally, s, 0, 1), BAILEY_ERROR_INVALID);
    assert_non_null(strstr(bailey_error_message(), "the payoff's parameters differ"));
    bailey_tally_destroy(tally);
    run.samples = poisoned(4);
    assert_int_equal(bailey_tally_create(s, &run, &tally), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "samples");
    bailey_buffer_destroy(run.samples);
    bailey_simulation_destroy(s);
    bailey_simulation_destroy(f64);
}

/* A flipped bit, wherever it is, and bytes that are not all there. */
TEST(damaged_bytes, DEVICE)
{
    if (!simulates()) skip();
    bailey_simulation *s = make_two(context, BAILEY_PRECISION_F32);
    bailey_tally *tally = tally_of(s, runs[ONE]), *target = tally_of(s, runs[ONE]);
    uint64_t size, random = 1;
    OK(bailey_tally_run(tally, s, 1, 7));
    OK(bailey_tally_run(tally, s, 20, 3));
    unsigned char *bytes = bytes_of(tally, &size);
    for (int n = 0; n < 3000; n++) {
        const uint64_t at = next_random(&random) % size;
        const unsigned char bit = (unsigned char)(1 << next_random(&random) % 8);
        bytes[at] ^= bit;
        if (bailey_tally_load(target, bytes, size) != BAILEY_ERROR_INVALID) fail_msg("byte %u", (unsigned)at);
        bytes[at] ^= bit;
    }
    for (uint64_t n = 0; n < size; n += 1 + n / 16)
        assert_int_equal(bailey_tally_load(target, bytes, n), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_tally_paths(target), 0);

    /* With a checksum that agrees: what is taken then is at least a tally. */
    for (int n = 0; n < 3000; n++) {
        unsigned char *forged = allocate(size);
        memcpy(forged, bytes, size);
        for (uint64_t k = 1 + next_random(&random) % 3; k > 0; k--)
            forged[BLY_SEAL_HEAD + next_random(&random) % (size - BLY_SEAL_HEAD - 32)] =
                (unsigned char)next_random(&random);
        bly_hash_of(forged, (size_t)size - 32, forged + size - 32);
        bailey_tally *any = tally_of(s, runs[ONE]);
        uint64_t first;
        if (bailey_tally_load(any, forged, size) == BAILEY_OK)
            assert_true(bailey_tally_paths(any) <= runs[ONE].paths);
        else
            assert_int_equal(bailey_tally_paths(any), 0);
        bailey_tally_missing(any, 0, &first);
        bailey_tally_destroy(any);
        free(forged);
    }
    OK(bailey_tally_load(target, bytes, size));
    assert_int_equal(bailey_tally_load(target, bytes, size), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_tally_paths(target), 10 * 4096);
    free(bytes);
    bailey_tally_destroy(tally);
    bailey_tally_destroy(target);
    bailey_simulation_destroy(s);
}

/* The tally's bytes with so many stages, which have none. */
static unsigned char *with_stages(const bailey_tally *tally, uint64_t stages, uint64_t *size)
{
    enum { COUNTS = 5 * 8, STAGE = 16 };
    const size_t head = BLY_SEAL_HEAD + COUNTS;
    uint64_t before;
    unsigned char *bytes = bytes_of(tally, &before), *forged = calloc(before + stages * STAGE, 1);
    assert_non_null(forged);
    *size = before + stages * STAGE;
    memcpy(forged, bytes, head);
    memcpy(forged + head + stages * STAGE, bytes + head, before - head - BLY_DIGEST_BYTES);
    forged[BLY_SEAL_HEAD + 8] = (unsigned char)stages;
    bly_hash_of(forged, *size - BLY_DIGEST_BYTES, forged + *size - BLY_DIGEST_BYTES);
    free(bytes);
    return forged;
}

/* With a checksum that agrees, as many stages as a tally has room for, and one more. */
TEST(most_stages, DEVICE)
{
    if (!simulates()) skip();
    bailey_simulation *s = make_two(context, BAILEY_PRECISION_F32);
    bailey_tally *tally = tally_of(s, runs[ONE]);
    OK(bailey_tally_run(tally, s, 1, 2));
    for (uint64_t stages = BAILEY_JOB_MAX_STAGES; stages <= BAILEY_JOB_MAX_STAGES + 1; stages++) {
        bailey_tally *target = tally_of(s, runs[ONE]);
        uint64_t size;
        unsigned char *forged = with_stages(tally, stages, &size);
        const bailey_status status = bailey_tally_load(target, forged, size);
        assert_int_equal(status, stages > BAILEY_JOB_MAX_STAGES ? BAILEY_ERROR_INVALID : BAILEY_OK);
        assert_int_equal(bailey_tally_paths(target), stages > BAILEY_JOB_MAX_STAGES ? 0 : 2 * 4096);
        free(forged);
        bailey_tally_destroy(target);
    }
    bailey_tally_destroy(tally);
    bailey_simulation_destroy(s);
}

/* Each allocation fails once: nothing is added or lost, and the next try is good. */
TEST(failing_allocations, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    bailey_simulation *s = make_two(context, BAILEY_PRECISION_F32);
    const struct outcome wanted = run_plainly(s, runs[REPLICATES]);
    bailey_simulation_run_params run = runs[REPLICATES];
    struct outcome out = {0};
    bailey_tally *tally = NULL;
    bailey_status status;
    run = wanting_all(run, &out);
    int n = 0, failures = 0;
    do {
        bly_alloc_countdown = ++n;
        status = bailey_tally_create(s, &run, &tally);
        bly_alloc_countdown = 0;
        failures += status == BAILEY_ERROR_MEMORY;
    } while (status == BAILEY_ERROR_MEMORY && n < 100);
    OK(status);
    for (uint64_t first = 0; bailey_tally_missing(tally, 0, &first);) {
        n = 0;
        do {
            const uint64_t paths = bailey_tally_paths(tally);
            bly_alloc_countdown = ++n;
            status = bailey_tally_run(tally, s, first, 1);
            bly_alloc_countdown = 0;
            failures += status == BAILEY_ERROR_MEMORY;
            if (status != BAILEY_OK) assert_int_equal(bailey_tally_paths(tally), paths);
        } while (status == BAILEY_ERROR_MEMORY && n < 200);
        OK(status);
    }
    n = 0;
    do {
        bly_alloc_countdown = ++n;
        status = bailey_tally_estimates(tally, out.e, out.covariance, out.counts);
        bly_alloc_countdown = 0;
    } while (status == BAILEY_ERROR_MEMORY && n < 100);
    OK(status);
    same_outcome("after failures", &out, &wanted);
    assert_true(failures > 10);
    bailey_tally_destroy(tally);
    bailey_simulation_destroy(s);
}

/* Long enough for nodes of a high level, from a device's folds. The bytes are those of small ranges, whose
 * nodes the host joins. */
static void check_large(bailey_simulation_run_params run)
{
    bailey_simulation *s = make_two(context, BAILEY_PRECISION_F32);
    const struct outcome wanted = run_plainly(s, run);
    bailey_tally *tally = tally_of(s, run), *first = tally_of(s, run), *small = tally_of(s, run);
    const uint64_t parts = bailey_tally_parts(tally);
    uint64_t size, small_size;
    assert_true(parts > 100);
    OK(bailey_tally_run(tally, s, 64, 96));
    OK(bailey_tally_run(tally, s, 0, 64));
    OK(bailey_tally_run(tally, s, 160, parts - 160));
    const struct outcome found = outcome_of(tally);
    same_outcome("large ranges", &found, &wanted);
    OK(bailey_tally_run(first, s, 64, 64));
    for (uint64_t part = 64; part < 128; part += 2) OK(bailey_tally_run(small, s, part, 2));
    unsigned char *bytes = bytes_of(first, &size), *others = bytes_of(small, &small_size);
    assert_int_equal(size, small_size);
    assert_memory_equal(bytes, others, size);
    free(bytes);
    free(others);
    bailey_tally_destroy(tally);
    bailey_tally_destroy(first);
    bailey_tally_destroy(small);
    bailey_simulation_destroy(s);
}

TEST(large_ranges, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    bailey_simulation_run_params run = {.paths = (UINT64_C(3) << 20) + 1000, .first_path = 5000};
    check_large(run);
    run.sum = BAILEY_SUM_FIXED;
    run.sum_limit = 0x1p20;
    check_large(run);
}

/* A range that ends in the middle of the run, though it begins where the run does, of one chunk that the
 * device folds: nodes end where the range does. */
TEST(ends_of_ranges, DEVICE)
{
    if (!simulates()) skip();
    const bailey_simulation_run_params run = {.first_path = UINT64_C(1) << 20, .paths = 50000};
    struct bly_device *on = context->device;
    const struct bly_tuning *real = on->tuning;
    struct bly_tuning tuning = *real;
    bailey_simulation *s = make_two(context, BAILEY_PRECISION_F32);
    const struct outcome wanted = run_plainly(s, run);
    bailey_tally *tally = tally_of(s, run);
    uint64_t first;
    tuning.z_chunk_bytes = UINT64_C(1) << 26;
    on->tuning = &tuning;
    OK(bailey_tally_run(tally, s, 0, 3));
    on->tuning = real;
    assert_int_equal(bailey_tally_paths(tally), 3 * 4096);
    assert_int_equal(bailey_tally_missing(tally, 0, &first), bailey_tally_parts(tally) - 3);
    OK(bailey_tally_run(tally, s, 3, bailey_tally_parts(tally) - 3));
    const struct outcome found = outcome_of(tally);
    same_outcome("ends", &found, &wanted);
    bailey_tally_destroy(tally);
    bailey_simulation_destroy(s);
}

/* An output beyond the limit is reported as a run reports it; nothing is added. */
TEST(beyond_the_limit, DEVICE)
{
    if (!simulates()) skip();
    const bailey_simulation_run_params run = {
        .paths = 30000, .first_path = 100, .sum = BAILEY_SUM_FIXED, .sum_limit = 64};
    bailey_simulation *s = make_two(context, BAILEY_PRECISION_F32);
    bailey_tally *tally = tally_of(s, run);
    struct outcome out;
    char words[256];
    const bailey_simulation_run_params all = wanting_all(run, &out);
    assert_int_equal(bailey_simulation_run(s, &all, out.e), BAILEY_ERROR_INVALID);
    snprintf(words, sizeof words, "%s", bailey_error_message());
    assert_non_null(strstr(words, "exceeds sum_limit 64"));
    assert_int_equal(bailey_tally_run(tally, s, 0, bailey_tally_parts(tally)), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_message(), words);
    assert_string_equal(bailey_error_argument(), "sum_limit");
    assert_int_equal(bailey_tally_paths(tally), 0);
    bailey_tally_destroy(tally);
    bailey_simulation_destroy(s);
}
