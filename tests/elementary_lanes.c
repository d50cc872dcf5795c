/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * elementary_lanes.h for BAILEY_LANES lanes.
 */
#include "elementary_lanes.h"

#include <bailey/device/elementary.h>

#define ONE_f32(payoff, name)                                                                                \
    case ELEMENTARY_##payoff:                                                                                \
        c = bailey_##name##_f32(a);                                                                          \
        break;
#define TWO_f32(payoff, name)                                                                                \
    case ELEMENTARY_##payoff:                                                                                \
        c = bailey_##name##_f32(a, b);                                                                       \
        break;
#define ONE_f64(payoff, name)                                                                                \
    case ELEMENTARY_##payoff:                                                                                \
        c = bailey_##name##_f64(a);                                                                          \
        break;
#define TWO_f64(payoff, name)                                                                                \
    case ELEMENTARY_##payoff: c = bailey_##name##_f64(a, b); break;

/* GCC leaves the arguments of calls of fma on the stack for as long as a function runs. */
#define FUNCTION(real, scalar)                                                                               \
    BAILEY_CALLED void vector_##real(enum elementary function, const scalar *x, const scalar *y, scalar *r)  \
    {                                                                                                        \
        const bailey_##real a = bailey_vector_get_##real(x), b = bailey_vector_get_##real(y);                \
        bailey_##real c = a;                                                                                 \
        switch (function) {                                                                                  \
            ELEMENTARY_ONE(ONE_##real)                                                                       \
            ELEMENTARY_TWO(TWO_##real)                                                                       \
        default: break;                                                                                      \
        }                                                                                                    \
        bailey_vector_put_##real(r, c);                                                                      \
    }                                                                                                        \
    static void call_##real(enum elementary function, const scalar *x, const scalar *y, scalar *r,           \
                            size_t count)                                                                    \
    {                                                                                                        \
        for (size_t i = 0; i < count; i += BAILEY_LANES) vector_##real(function, x + i, y + i, r + i);       \
    }
FUNCTION(f32, float)
FUNCTION(f64, double)

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
const struct elementary_lanes PASTE(elementary_, BAILEY_LANES) = {call_f32, call_f64};
