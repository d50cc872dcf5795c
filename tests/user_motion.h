/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A user's kernel with bailey/device/ticks.h (user_motion.cl) gives the bits of the library's calls. The
 * test of each backend includes this, and launches the kernel on the library's own queue.
 */
#ifndef USER_MOTION_H
#define USER_MOTION_H

#include "harness.h"

#include <bailey/device/ticks.h>
#include <bailey/motion.h>

/* The kernel's arguments; one item a path. */
struct user_motion {
    bailey_motion_f32 motion, with_areas;
    bailey_buffer *table, *ticks, *out;
    uint32_t count;
    uint64_t first, paths;
};

static void launch(struct user_motion *u);

static bailey_motion *make_motion(bailey_motion_areas areas, bailey_motion_f32 *parameters)
{
    static const bailey_source source = {.seed = 2024, .stream = 7};
    const bailey_motion_params params = {.end_time = 3, .depth = 40, .areas = areas};
    bailey_motion *motion = NULL;
    OK(bailey_motion_create(context, &params, &motion));
    OK(bailey_motion_device_params(motion, &source, parameters, sizeof *parameters));
    return motion;
}

TEST(user_motion, USER_MOTION_BACKEND)
{
    enum { COUNT = 7, PATHS = 67 };
    static const bailey_source source = {.seed = 2024, .stream = 7};
    static const uint64_t ticks[COUNT + 1] = {0,
                                              1,
                                              4097,
                                              UINT64_C(1) << 31,
                                              UINT64_C(274877906945),
                                              UINT64_C(549755813888),
                                              UINT64_C(1099511627775),
                                              UINT64_C(1) << 40};
    struct user_motion u = {.count = COUNT, .first = (UINT64_C(1) << 37) - 30, .paths = PATHS};
    bailey_motion *motion = make_motion(BAILEY_MOTION_AREAS_NONE, &u.motion);
    bailey_motion *with_areas = make_motion(BAILEY_MOTION_AREAS_HK, &u.with_areas);
    bailey_buffer *values = poisoned(COUNT * PATHS * 4), *parts = poisoned(COUNT * 3 * PATHS * 4);
    OK(bailey_motion_values(motion, &source, ticks + 1, COUNT, u.first, PATHS, values));
    OK(bailey_motion_increments(with_areas, &source, ticks, ticks + 1, COUNT, u.first, PATHS, parts));
    OK(bailey_normal_table(context, BAILEY_PRECISION_F32, &u.table));
    OK(bailey_buffer_create(context, sizeof ticks, &u.ticks));
    OK(bailey_buffer_write(u.ticks, 0, ticks + 1, COUNT * sizeof *ticks));
    u.out = poisoned(COUNT * 5 * PATHS * 4);
    launch(&u);
    float *found = harvest(u.out, COUNT * 5 * PATHS * 4), *value = harvest(values, COUNT * PATHS * 4),
          *part = harvest(parts, COUNT * 3 * PATHS * 4);
    for (int i = 0; i < COUNT; i++) {
        same_bits("a value", found + i * 5 * PATHS, value + i * PATHS, PATHS, 4);
        same_bits("a step of a walk", found + (i * 5 + 1) * PATHS, value + i * PATHS, PATHS, 4);
        same_bits("an interval", found + (i * 5 + 2) * PATHS, part + i * 3 * PATHS, 3 * PATHS, 4);
    }
    free(found), free(value), free(part);
    bailey_buffer_destroy(u.ticks);
    bailey_motion_destroy(motion);
    bailey_motion_destroy(with_areas);
}

#endif
