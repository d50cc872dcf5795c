/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Checkpoints of runs of levels (src/host/mlmc/mlmc_checkpoint.c).
 */
#include "fuzz_sealed.h"

#include <base/alloc.h>
#include <host/mlmc/driver.h>
#include <host/run/checkpoint.h>

#include <stdio.h>
#include <unistd.h>

static const struct bly_identity identity;

static const char *own_path(void)
{
    static char path[100];
    if (!*path) snprintf(path, sizeof path, "%s/levels", fuzz_folder());
    return path;
}

static void write_file(const struct bly_term_sums *sums, const struct bly_mlmc_state *state)
{
    struct bly_mlmc_file file = {.path = own_path(), .identity = &identity, .sums = sums, .state = state};
    FUZZ_REQUIRE(bly_mlmc_file_write(&file) == BAILEY_OK);
}

/* The beginning of all such files: of a run that has not begun. */
static const uint8_t *beginning(void)
{
    static uint8_t *bytes;
    const struct bly_mlmc_state state = {0};
    struct bly_term_sums sums;
    uint64_t size;
    if (bytes) return bytes;
    FUZZ_REQUIRE(bly_term_sums_create(BLY_LEVEL_RUN_ROWS, 1, &sums) == BAILEY_OK);
    write_file(&sums, &state);
    FUZZ_REQUIRE(bly_checkpoint_load(own_path(), &bytes, &size) == BAILEY_OK);
    unlink(own_path());
    bly_term_sums_free(&sums);
    return bytes;
}

/* Sums of which nothing is known: the same ones every time. */
static struct bly_term_sums *fresh(struct bly_term_sums *sums)
{
    if (!sums->rows) FUZZ_REQUIRE(bly_term_sums_create(BLY_LEVEL_RUN_ROWS, 1, sums) == BAILEY_OK);
    for (uint32_t l = 0; l < BAILEY_MLMC_MAX_LEVELS; l++) sums->samples[l] = sums->tree[l].count = 0;
    return sums;
}

/* A state that was read is written and read back to the same. */
static void write_again(const struct bly_term_sums *sums, const struct bly_mlmc_state *state)
{
    static struct bly_term_sums memory;
    struct bly_term_sums *again = fresh(&memory);
    struct bly_mlmc_state state_again = {0};
    write_file(sums, state);
    FUZZ_REQUIRE(bly_mlmc_file_read(own_path(), &identity, again, &state_again) == BAILEY_OK);
    FUZZ_REQUIRE(!memcmp(state->samples, state_again.samples, sizeof state->samples));
    FUZZ_REQUIRE(!memcmp(sums->samples, again->samples, sizeof again->samples));
    unlink(own_path());
}

static void read_file(const uint8_t *bytes, size_t size)
{
    static struct bly_term_sums memory;
    struct bly_term_sums *sums = fresh(&memory);
    struct bly_mlmc_state state = {0};
    const bailey_status status = bly_mlmc_file_read(fuzz_file(bytes, size), &identity, sums, &state);
    FUZZ_REQUIRE(status == BAILEY_OK || !strcmp(bailey_error_argument(), "checkpoint"));
    if (status == BAILEY_OK) write_again(sums, &state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_sealed(beginning(), BLY_SEAL_HEAD, data, size, read_file);
    return 0;
}
