/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * approximate_lanes.h for BAILEY_LANES lanes.
 */
#include "approximate_lanes.h"

#include <bailey/device/approximate.h>

#if defined(APPROXIMATE_ARRAYS)
/* By the function of arrays, sixteen at a time. */
static void arrays(int kind, const float *table, const uint32_t *w, float *x, size_t count)
{
    for (size_t i = 0; i < count; i += 16) {
        if (kind == BAILEY_APPROXIMATE_CONSTANT)
            bailey_normals_approximate_f32(BAILEY_APPROXIMATE_CONSTANT, table, w + i, x + i, 16);
        else
            bailey_normals_approximate_f32(BAILEY_APPROXIMATE_DYADIC, table, w + i, x + i, 16);
    }
}
#if defined(__AVX512F__)
static int usable(void) { return __builtin_cpu_supports("avx512f"); }
#else
static int usable(void) { return 1; }
#endif
#else
static void normals(int kind, const float *table, const uint32_t *w, float *x, size_t count)
{
    for (size_t i = 0; i < count; i += BAILEY_LANES) {
        bailey_u32 word;
        memcpy(&word, w + i, sizeof word);
        const bailey_f32 z = kind == BAILEY_APPROXIMATE_CONSTANT
                                 ? bailey_normal_approximate_f32(BAILEY_APPROXIMATE_CONSTANT, table, word)
                                 : bailey_normal_approximate_f32(BAILEY_APPROXIMATE_DYADIC, table, word);
        memcpy(x + i, &z, sizeof z);
    }
}
#endif

#if defined(APPROXIMATE_ARRAYS)
const struct approximate_lanes APPROXIMATE_ARRAYS = {arrays, usable};
#else
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
const struct approximate_lanes PASTE(approximate_, BAILEY_LANES) = {normals, NULL};
#endif
