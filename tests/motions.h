/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Helpers of the tests of motions: one of parameters, its values and increments, and ticks.
 */
#ifndef MOTIONS_H
#define MOTIONS_H

#include "api.h"

#include <bailey/motion.h>

#include <bailey/device/ticks.h>

#include <math.h>

static const bailey_source source = {.seed = 2024, .stream = 7};

static inline bailey_motion *make_motion(const bailey_motion_params *params)
{
    bailey_motion *motion = NULL;
    OK(bailey_motion_create(context, params, &motion));
    return motion;
}

static inline size_t element(bailey_precision precision) { return precision == BAILEY_PRECISION_F64 ? 8 : 4; }

/* Number i of an array of the precision. */
static inline double number(const void *array, bailey_precision precision, uint64_t i)
{
    return precision == BAILEY_PRECISION_F64 ? ((const double *)array)[i] : (double)((const float *)array)[i];
}

static inline void *values_of(const bailey_motion_params *params, const bailey_source *from,
                              const uint64_t *ticks, uint64_t count, uint64_t first, uint64_t paths)
{
    bailey_motion *motion = make_motion(params);
    const uint64_t bytes = count * paths * (params->dims ? params->dims : 1) * element(params->precision);
    bailey_buffer *out = poisoned(bytes);
    OK(bailey_motion_values(motion, from, ticks, count, first, paths, out));
    bailey_motion_destroy(motion);
    return harvest(out, bytes);
}

static inline void *increments_of(const bailey_motion_params *params, const bailey_source *from,
                                  const uint64_t *low, const uint64_t *high, uint64_t count, uint64_t first,
                                  uint64_t paths)
{
    bailey_motion *motion = make_motion(params);
    const uint64_t bytes =
        count * paths * (1u + params->areas) * (params->dims ? params->dims : 1) * element(params->precision);
    bailey_buffer *out = poisoned(bytes);
    OK(bailey_motion_increments(motion, from, low, high, count, first, paths, out));
    bailey_motion_destroy(motion);
    return harvest(out, bytes);
}

/* Ticks of all depths, in no order, some twice. */
static inline uint64_t some_tick(uint32_t levels, uint64_t i)
{
    const bailey_philox_block b = bailey_philox_words4(99, levels, i);
    const uint64_t all = ((uint64_t)b.word[0] | (uint64_t)b.word[1] << 32) & (((uint64_t)1 << levels) - 1);
    if (i % 16 == 3) return (uint64_t)1 << levels;
    if (i % 16 == 5) return 0;
    return all >> (b.word[2] % levels) << (b.word[2] % levels);
}

#endif
