/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The table of generators.h for BAILEY_LANES lanes.
 */
#include "generators.h"

#include <bailey/device/hybrid_taus.h>
#include <bailey/device/kiss.h>
#include <bailey/device/lcg.h>
#include <bailey/device/mrg32k3a.h>
#include <bailey/device/park_miller.h>
#include <bailey/device/xorwow.h>

/* The names follow no rule here: next_curand is a second output of mrg32k3a. */
#define bailey_mrg32k3a_curand_next bailey_mrg32k3a_next_curand

/* A state is its words and nothing else, in order. */
#define CHECK(name, type, words)                                                                             \
    _Static_assert(sizeof(bailey_##type) == (words) * sizeof(bailey_u32), "state of " #name);
GENERATORS(CHECK)

static void start(enum generator generator, uint64_t seed, uint64_t stream, uint64_t run, uint32_t first_lane,
                  uint32_t *state)
{
    const bailey_u32 lane = bailey_u32_from_u64(bailey_lane_numbers()) + bailey_splat_u32(first_lane);
    switch (generator) {
#define START(name, type, words)                                                                             \
    case GENERATOR_##name: {                                                                                 \
        const bailey_##type g = bailey_##type##_start(seed, stream, run, lane);                              \
        memcpy(state, &g, sizeof g);                                                                         \
        break;                                                                                               \
    }
        GENERATORS(START)
    case GENERATORS_COUNT: break;
    }
}

static void draw(enum generator generator, uint32_t *state, uint64_t count, uint32_t *out)
{
    switch (generator) {
#define DRAW(name, type, words)                                                                              \
    case GENERATOR_##name: {                                                                                 \
        bailey_##type g;                                                                                     \
        memcpy(&g, state, sizeof g);                                                                         \
        for (uint64_t i = 0; i < count; i++) {                                                               \
            const bailey_u32 word = bailey_##name##_next(&g);                                                \
            memcpy(out + i * BAILEY_LANES, &word, sizeof word);                                              \
        }                                                                                                    \
        memcpy(state, &g, sizeof g);                                                                         \
        break;                                                                                               \
    }
        GENERATORS(DRAW)
    case GENERATORS_COUNT: break;
    }
}

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
const struct generator_lanes PASTE(generators_, BAILEY_LANES) = {BAILEY_LANES, start, draw};
