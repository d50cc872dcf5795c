/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Saved tallies (bailey_tally_load), with replicates and a histogram.
 */
#include "fuzz_tally.h"

static double covariance[BAILEY_SIMULATION_MAX_RESULTS * BAILEY_SIMULATION_MAX_RESULTS];
static uint64_t counts[5];
static const bailey_simulation_run_params run = {
    .source = {.seed = 1},
    .first_path = 12345,
    .paths = 300000,
    .replicates = 3,
    .covariance = covariance,
    .histogram = {.low = 0, .high = 10, .bins = 3, .counts = counts}};

/* A tally that was loaded is saved and loaded back to the same. */
static void save_again(const bailey_tally *tally)
{
    uint64_t size, size_again;
    bailey_tally *other = fuzz_tally(&run);
    uint8_t *saved = fuzz_save(tally, &size);
    FUZZ_REQUIRE(bailey_tally_load(other, saved, size) == BAILEY_OK);
    uint8_t *again = fuzz_save(other, &size_again);
    FUZZ_REQUIRE(size == size_again && !memcmp(saved, again, size));
    free(saved);
    free(again);
    bailey_tally_destroy(other);
}

static void load(const uint8_t *bytes, size_t size)
{
    static bailey_tally *tally;
    if (!tally) tally = fuzz_tally(&run);
    const bailey_status status = bailey_tally_load(tally, bytes, size);
    FUZZ_REQUIRE(status == BAILEY_OK || bailey_tally_paths(tally) == 0);
    if (status != BAILEY_OK) return;
    FUZZ_REQUIRE(bailey_tally_paths(tally) <= run.paths * run.replicates);
    save_again(tally);
    bailey_tally_destroy(tally);
    tally = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_read_tally(&run, data, size, load);
    return 0;
}
