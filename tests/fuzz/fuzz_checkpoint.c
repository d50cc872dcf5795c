/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Checkpoints of jobs (src/host/run/checkpoint.h), of sums in integers.
 */
#include "fuzz_tally.h"

#include <base/alloc.h>
#include <host/job/tally.h>
#include <host/run/checkpoint.h>

#include <stdio.h>
#include <unistd.h>

static const bailey_simulation_run_params run = {
    .source = {.seed = 1}, .paths = 200000, .sum = BAILEY_SUM_FIXED, .sum_limit = 5000};

/* A state that was read is written and read back to the same. */
static void write_again(const bailey_tally *tally)
{
    char path[100];
    uint64_t size, loaded_size;
    uint8_t *loaded, *bytes = bly_tally_bytes(tally, &size);
    snprintf(path, sizeof path, "%s/job", fuzz_folder());
    FUZZ_REQUIRE(bytes && bly_checkpoint_write(path, bytes, size) == BAILEY_OK);
    FUZZ_REQUIRE(bly_checkpoint_load(path, &loaded, &loaded_size) == BAILEY_OK);
    FUZZ_REQUIRE(size == loaded_size && !memcmp(bytes, loaded, size));
    unlink(path);
    bly_free(loaded);
    bly_free(bytes);
}

static void read_file(const uint8_t *bytes, size_t size)
{
    static bailey_tally *tally;
    if (!tally) tally = fuzz_tally(&run);
    const bailey_status status = bly_tally_resume(fuzz_file(bytes, size), tally);
    FUZZ_REQUIRE(status == BAILEY_OK ||
                 (bailey_tally_paths(tally) == 0 && !strcmp(bailey_error_argument(), "checkpoint")));
    if (status != BAILEY_OK) return;
    write_again(tally);
    bailey_tally_destroy(tally);
    tally = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_read_tally(&run, data, size, read_file);
    return 0;
}
