/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * approximate_lanes.h for BAILEY_LANES lanes.
 */
#include "approximate_lanes.h"

#include <bailey/device/approximate.h>

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

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
const struct approximate_lanes PASTE(approximate_, BAILEY_LANES) = {normals};
