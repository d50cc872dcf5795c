/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The contents of a motion.
 */
#ifndef BLY_MOTION_INTERNAL_H
#define BLY_MOTION_INTERNAL_H

#include <bailey/motion.h>
#include <host/internal.h>
#include <kernels/motion_items.h>

/* What its kernels take. Each begins with the place. */
union bly_motion_params {
    bly_motion_place at;
    bly_motion_params_f32 f32;
    bly_motion_params_f64 f64;
};

struct bailey_motion {
    bailey_context *context;
    bailey_precision precision;
    double start_time, end_time;
    uint32_t depth, dims, fixed_end;
    bailey_motion_areas areas;
    union bly_motion_params params; /* without place and source */
    /* Means and C as the kernel `placed` reads them, of values and of increments; NULL where W is X. */
    bailey_buffer *constants[2];
};

/* Finds the keys and rounds of a source that has been checked. */
void bly_motion_set_source(const bailey_motion *motion, const bailey_source *source,
                           union bly_motion_params *params);

/* Refuses sources of other kinds. */
bailey_status bly_motion_check_source(const bailey_source *source);

#endif
