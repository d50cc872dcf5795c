/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The table of generators.h for BAILEY_LANES lanes.
 */
#include "generators.h"

/* A second output of mrg32k3a. */
typedef bailey_mrg32k3a bailey_mrg32k3a_curand;
#define bailey_mrg32k3a_curand_start bailey_mrg32k3a_start
#define bailey_mrg32k3a_curand_next bailey_mrg32k3a_next_curand

/* A state is its words and nothing else, in order. */
static unsigned words(enum generator generator)
{
    switch (generator) {
#define GENERATOR(name)                                                                                      \
    case GENERATOR_##name:                                                                                   \
        _Static_assert(sizeof(bailey_##name) <= GENERATOR_WORDS * sizeof(bailey_u32), "state of " #name);    \
        return sizeof(bailey_##name) / sizeof(bailey_u32);
        GENERATORS
#undef GENERATOR
    case GENERATORS_COUNT: break;
    }
    return 0;
}

static void start(enum generator generator, uint64_t seed, uint64_t stream, uint64_t run, uint32_t first_lane,
                  uint32_t *state)
{
    const bailey_u32 lane = bailey_u32_from_u64(bailey_lane_numbers()) + bailey_splat_u32(first_lane);
    switch (generator) {
#define GENERATOR(name)                                                                                      \
    case GENERATOR_##name: {                                                                                 \
        const bailey_##name g = bailey_##name##_start(seed, stream, run, lane);                              \
        memcpy(state, &g, sizeof g);                                                                         \
        break;                                                                                               \
    }
        GENERATORS
#undef GENERATOR
    case GENERATORS_COUNT: break;
    }
}

static void draw(enum generator generator, uint32_t *state, uint64_t count, uint32_t *out)
{
    switch (generator) {
#define GENERATOR(name)                                                                                      \
    case GENERATOR_##name: {                                                                                 \
        bailey_##name g;                                                                                     \
        memcpy(&g, state, sizeof g);                                                                         \
        for (uint64_t i = 0; i < count; i++) {                                                               \
            const bailey_u32 word = bailey_##name##_next(&g);                                                \
            memcpy(out + i * BAILEY_LANES, &word, sizeof word);                                              \
        }                                                                                                    \
        memcpy(state, &g, sizeof g);                                                                         \
        break;                                                                                               \
    }
        GENERATORS
#undef GENERATOR
    case GENERATORS_COUNT: break;
    }
}

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
const struct generator_lanes PASTE(generators_, BAILEY_LANES) = {BAILEY_LANES, words, start, draw};
