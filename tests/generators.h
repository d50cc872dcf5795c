/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The generators of bailey/device/<name>.h behind one table, compiled once for each number of lanes.
 */
#ifndef GENERATORS_H
#define GENERATORS_H

#include <stdint.h>

/* Function prefix, state, words of the state. */
#define GENERATORS(X)                                                                                        \
    X(hybrid_taus, hybrid_taus, 4)                                                                           \
    X(hybrid_taus_gems, hybrid_taus, 4)                                                                      \
    X(xorwow, xorwow, 6)                                                                                     \
    X(mrg32k3a, mrg32k3a, 6)                                                                                 \
    X(mrg32k3a_curand, mrg32k3a, 6)                                                                          \
    X(kiss, kiss, 4)                                                                                         \
    X(park_miller, park_miller, 1)                                                                           \
    X(lcg, lcg, 1)                                                                                           \
    X(adder, adder, 1)

enum generator {
#define GENERATOR_NUMBER(name, state, words) GENERATOR_##name,
    GENERATORS(GENERATOR_NUMBER)
#undef GENERATOR_NUMBER
        GENERATORS_COUNT
};

#define GENERATOR_WORDS 6  /* of the largest state */
#define GENERATOR_LANES 16 /* of the widest vectors */

/* `state` is words[member][lane]; `out` is words[step][lane]. */
struct generator_lanes {
    unsigned lanes;
    void (*start)(enum generator generator, uint64_t seed, uint64_t stream, uint64_t run, uint32_t first_lane,
                  uint32_t *state);
    void (*draw)(enum generator generator, uint32_t *state, uint64_t count, uint32_t *out);
};

extern const struct generator_lanes generators_1, generators_2, generators_4, generators_8, generators_16;

#endif
