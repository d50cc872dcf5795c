/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the kernels user_generators of user_kernel.cl and user_kernel.cu must write, from the same device
 * headers as C.
 */
#ifndef USER_GENERATORS_H
#define USER_GENERATORS_H

#include <bailey/device/hybrid_taus.h>
#include <bailey/device/kiss.h>
#include <bailey/device/lcg.h>
#include <bailey/device/mrg32k3a.h>
#include <bailey/device/park_miller.h>
#include <bailey/device/xorwow.h>

#include <stddef.h>
#include <stdlib.h>

#define USER_GENERATORS_ITEMS 1000u /* not a multiple of a run's lanes */
#define USER_GENERATORS_DRAWS 257u

/* The last one needs double precision. */
#define USER_GENERATORS(X)                                                                                   \
    X(hybrid_taus, hybrid_taus_next)                                                                         \
    X(hybrid_taus, hybrid_taus_gems_next)                                                                    \
    X(xorwow, xorwow_next)                                                                                   \
    X(mrg32k3a, mrg32k3a_next)                                                                               \
    X(kiss, kiss_next)                                                                                       \
    X(park_miller, park_miller_next)                                                                         \
    X(lcg, lcg_next)                                                                                         \
    X(adder, adder_next)                                                                                     \
    X(mrg32k3a, mrg32k3a_next_curand)

#define USER_GENERATORS_ONE(state, next) +1
enum { USER_GENERATORS_COUNT = 0 USER_GENERATORS(USER_GENERATORS_ONE) };

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
#define USER_GENERATORS_DRAW(state, next)                                                                    \
    for (uint32_t i = 0; i < USER_GENERATORS_ITEMS; i++) {                                                   \
        bailey_##state g = bailey_##state##_start(seed, stream, i / 32, i % 32);                             \
        for (uint32_t k = 0; k < USER_GENERATORS_DRAWS; k++)                                                 \
            words[k * USER_GENERATORS_ITEMS + i] = bailey_##next(&g);                                        \
    }                                                                                                        \
    words += USER_GENERATORS_DRAWS * USER_GENERATORS_ITEMS;
    USER_GENERATORS(USER_GENERATORS_DRAW)
    return all;
}

#endif
