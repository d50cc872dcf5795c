/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The generators of bailey/device/generators.h whose lanes are all of a kind, and second outputs of theirs,
 * behind one table, compiled once for each number of lanes.
 */
#ifndef GENERATORS_H
#define GENERATORS_H

#include <bailey/device/generators.h>

/* GENERATORS is GENERATOR(name) for each; define GENERATOR before expanding it. */
#define GENERATORS_COUNTER(word)
#define GENERATORS_TEAM(word)
#define GENERATORS_LANES(word) GENERATOR(word)
#define GENERATORS_ROW(number, name, word, kind, published, text, verdict, period) GENERATORS_##kind(word)
#define GENERATORS BAILEY_GENERATOR_LIST(GENERATORS_ROW) GENERATOR(mrg32k3a_curand)

enum generator {
#define GENERATOR(name) GENERATOR_##name,
    GENERATORS
#undef GENERATOR
        GENERATORS_COUNT
};

#define GENERATOR_WORDS 8  /* at least those of the largest state */
#define GENERATOR_LANES 16 /* of the widest vectors */

/* `state` is words[member][lane]; `out` is words[step][lane]. */
struct generator_lanes {
    unsigned lanes;
    unsigned (*words)(enum generator generator); /* of a lane's state */
    void (*start)(enum generator generator, uint64_t seed, uint64_t stream, uint64_t run, uint32_t first_lane,
                  uint32_t *state);
    void (*draw)(enum generator generator, uint32_t *state, uint64_t count, uint32_t *out);
};

extern const struct generator_lanes generators_1, generators_2, generators_4, generators_8, generators_16;

#endif
