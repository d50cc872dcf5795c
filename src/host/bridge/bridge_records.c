/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The public structs of bridges as records.
 */
#include <host/describe/choices.h>
#include <host/describe/records.h>

#define STRUCT bailey_bridge_params
static const bailey_field bridge_params[] = {
    REALS(times, "[steps], increasing",
          "times of the path's points, all after start_time; the last is the end", .needed = 1),
    UINT64(steps, "number of times", .needed = 1, .range = FROM(1, BAILEY_BRIDGE_MAX_STEPS)),
    REAL(start_time, "time at which paths begin"),
    UINT32S(order, "[steps - 1]", "the order in which the interior times are built, counted from 1",
            .default_how = "bisection"),
    UINT32(dims, "dimensions of a path", .range = FROM(1, BAILEY_BRIDGE_MAX_DIMS), .default_value = 1),
    REALS(factor, "[dims][dims], on and below the diagonal",
          "lower triangular factor of the covariance per unit of time", .default_how = "the identity"),
    REALS(covariance, "[dims][dims]", "covariance of the dimensions per unit of time",
          .default_how = "the identity"),
    REALS(start, "[dims]", "where paths begin", .default_how = "0"),
    REALS(end, "[dims]", "where paths end", .default_how = "anywhere"),
    CHOICE(output, "whether a path is its points or its increments", BRIDGE_OUTPUTS),
    CHOICE(layout, "layout of normals and paths in memory", LAYOUTS),
    CHOICE(precision, "precision of the paths", PRECISIONS),
    CHOICE(strategy, "how the device builds the paths; the bits do not depend on it", BRIDGE_STRATEGIES),
    CHOICE(construction, "how paths are built from normals", CONSTRUCTIONS),
};
RECORD(bridge_params, "The paths of a Brownian bridge.", bridge_params);
#undef STRUCT

#define STRUCT bailey_bridge_info
static const bailey_field bridge_info[] = {
    UINT64(z_steps, "rows of normals"),
    UINT64(x_steps, "rows of paths"),
    UINT32(dims, "dimensions of a path"),
    UINT32(stack_slots, "values that a path keeps on its stack, for each dimension"),
    UINT64(stack_reads, "reads of the stack, for each path and dimension"),
    UINT64(stack_writes, "writes to the stack, for each path and dimension"),
    CHOICE(strategy, "the strategy that builds the paths", BRIDGE_STRATEGIES),
};
RESULT(bridge_info, "How a bridge builds its paths.", bridge_info);
#undef STRUCT
