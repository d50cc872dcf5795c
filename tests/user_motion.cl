/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A user's own kernel with bailey/device/ticks.h, in OpenCL C and, by user_motion.cu, in CUDA: a path an
 * item. out is [tick][5][path]: what a motion without areas is at a tick, asked for and in a walk, and W, H
 * and K of a motion with areas up to there from the tick before, the first of which is 0.
 */
#include <bailey/device/ticks.h>

__kernel void user_motion(bailey_motion_f32 motion, bailey_motion_f32 with_areas,
                          BAILEY_GLOBAL const float *table, BAILEY_GLOBAL const bailey_uint64 *ticks,
                          bailey_uint32 count, bailey_uint64 first, bailey_uint64 paths,
                          BAILEY_GLOBAL float *out)
{
    const bailey_uint64 item = get_global_id(0), path = first + item;
    if (item >= paths) return;
    bailey_motion_walk_f32 walk;
    bailey_motion_walk_begin_f32(&motion, table, path, 0, &walk);
    for (bailey_uint32 i = 0; i < count; i++, out += 5 * paths) {
        const bailey_motion_part_f32 part =
            bailey_motion_between_f32(&with_areas, table, path, 0, i ? ticks[i - 1] : 0, ticks[i]);
        out[item] = bailey_motion_value_f32(&motion, table, path, 0, ticks[i]);
        out[paths + item] = bailey_motion_walk_to_f32(&motion, table, path, 0, &walk, ticks[i]);
        out[2 * paths + item] = part.w_;
        out[3 * paths + item] = part.h_;
        out[4 * paths + item] = part.k_;
    }
}
