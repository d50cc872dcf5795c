/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Tallies of a built-in payoff: nothing is computed.
 */
#ifndef FUZZ_TALLY_H
#define FUZZ_TALLY_H

#include "fuzz_sealed.h"

#include <bailey/job.h>
#include <host/run/seal.h>

static inline bailey_simulation *fuzz_simulation(void)
{
    static bailey_context *context;
    static bailey_simulation *simulation;
    static const double times[2] = {0.5, 1};
    const bailey_simulation_params params = {.path = {.times = times, .steps = 2},
                                             .payoff = {.name = "european"}};
    static const char *const names[] = {"spot", "strike", "rate", "volatility"};
    static const double values[] = {100, 100, 0.05, 0.2};
    if (simulation) return simulation;
    setenv("BAILEY_CACHE_DIR", "", 1);
    FUZZ_REQUIRE(bailey_context_create("cpu", NULL, &context) == BAILEY_OK);
    FUZZ_REQUIRE(bailey_simulation_create(context, &params, &simulation) == BAILEY_OK);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        FUZZ_REQUIRE(bailey_simulation_set(simulation, names[i], &values[i], 1) == BAILEY_OK);
    return simulation;
}

static inline bailey_tally *fuzz_tally(const bailey_simulation_run_params *run)
{
    bailey_tally *tally = NULL;
    FUZZ_REQUIRE(bailey_tally_create(fuzz_simulation(), run, &tally) == BAILEY_OK);
    return tally;
}

/* Its bytes, to be freed. */
static inline uint8_t *fuzz_save(const bailey_tally *tally, uint64_t *size)
{
    *size = bailey_tally_bytes(tally);
    uint8_t *bytes = malloc(*size);
    FUZZ_REQUIRE(bytes && bailey_tally_save(tally, bytes, *size) == BAILEY_OK);
    return bytes;
}

/* Reads a case as the bytes of a tally of the run. */
static inline void fuzz_read_tally(const bailey_simulation_run_params *run, const uint8_t *data, size_t size,
                                   void (*read)(const uint8_t *bytes, size_t size))
{
    static uint8_t *empty;
    if (!empty) {
        uint64_t bytes;
        bailey_tally *tally = fuzz_tally(run);
        empty = fuzz_save(tally, &bytes);
        bailey_tally_destroy(tally);
    }
    fuzz_sealed(empty, BLY_SEAL_HEAD, data, size, read);
}

#endif
