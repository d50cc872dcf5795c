/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The expected output of the kernels user_generators of user_kernel.cl and user_kernel.cu, from the same
 * device headers as C.
 */
#ifndef USER_GENERATORS_H
#define USER_GENERATORS_H

#include <bailey/device/generators.h>

#include <stddef.h>
#include <stdlib.h>

#define USER_GENERATORS_ITEMS 1000u /* not a multiple of a run's lanes */
#define USER_GENERATORS_DRAWS 257u

/* Those whose lanes are all of a kind, as USER_DRAW(state, next) each, and a second output that needs double
 * precision. */
#define USER_COUNTER(word)
#define USER_TEAM(word)
#define USER_LANES(word) USER_DRAW(word, word##_next)
#define USER_ROW(number, name, word, kind, published, text, verdict, period) USER_##kind(word)
#define USER_GENERATORS BAILEY_GENERATOR_LIST(USER_ROW)
#define USER_GENERATORS_F64 USER_DRAW(mrg32k3a, mrg32k3a_next_curand)

#define USER_DRAW(state, next) +1
enum { USER_GENERATORS_COUNT = 0 USER_GENERATORS USER_GENERATORS_F64 };
#undef USER_DRAW

/* Of so many generators from the first. */
static inline size_t user_generators_bytes(size_t generators)
{
    return generators * USER_GENERATORS_DRAWS * USER_GENERATORS_ITEMS * sizeof(uint32_t);
}

/* words[generator][draw][item], to be freed; NULL without memory. */
static inline uint32_t *user_generators_expected(uint64_t seed, uint64_t stream)
{
    uint32_t *all = malloc(user_generators_bytes(USER_GENERATORS_COUNT)), *words = all;
    if (!all) return NULL;
#define USER_DRAW(state, next)                                                                               \
    for (uint32_t i = 0; i < USER_GENERATORS_ITEMS; i++) {                                                   \
        bailey_##state g = bailey_##state##_start(seed, stream, i / 32, i % 32);                             \
        for (uint32_t k = 0; k < USER_GENERATORS_DRAWS; k++)                                                 \
            words[k * USER_GENERATORS_ITEMS + i] = bailey_##next(&g);                                        \
    }                                                                                                        \
    words += USER_GENERATORS_DRAWS * USER_GENERATORS_ITEMS;
    USER_GENERATORS
    USER_GENERATORS_F64
#undef USER_DRAW
    return all;
}

#endif
