/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the structs of bridges have.
 */
#include <host/describe/choices.h>
#include <host/describe/records.h>

#define STRUCT bailey_bridge_params
static const bailey_field bridge_params[] = {
    REALS(times, "[steps], increasing", "all after start_time; the last is the end", .needed = 1),
    UINT64(steps, "times of a path", .needed = 1, .range = FROM(1, BAILEY_BRIDGE_MAX_STEPS)),
    REAL(start_time, "at which paths begin"),
    UINT32S(order, "[steps - 1]", "in which the interior times are built, counted from 1",
            .default_how = "bisection"),
    UINT32(dims, "dimensions of a path", .range = FROM(1, BAILEY_BRIDGE_MAX_DIMS), .default_value = 1),
    REALS(factor, "[dims][dims], on and below the diagonal",
          "of the covariance per unit of time, lower triangular", .default_how = "the identity"),
    REALS(covariance, "[dims][dims]", "per unit of time", .default_how = "the identity"),
    REALS(start, "[dims]", "where paths begin", .default_how = "0"),
    REALS(end, "[dims]", "where paths end", .default_how = "anywhere"),
    CHOICE(output, "what an element of a path is", BRIDGE_OUTPUTS),
    CHOICE(layout, "of normals and paths in memory", LAYOUTS),
    CHOICE(precision, "of paths", PRECISIONS),
    CHOICE(strategy, "how the device builds paths; the bits are the same", BRIDGE_STRATEGIES),
    CHOICE(construction, "what the rows of the normals are", CONSTRUCTIONS),
};
RECORD(bridge_params, "The paths of a Brownian bridge.", bridge_params);
#undef STRUCT

#define STRUCT bailey_bridge_info
static const bailey_field bridge_info[] = {
    UINT64(z_steps, "rows of normals"),
    UINT64(x_steps, "rows of paths"),
    UINT32(dims, "dimensions of a path"),
    UINT32(stack_slots, "values that a path keeps on its stack, per dimension"),
    UINT64(stack_reads, "of a path and dimension"),
    UINT64(stack_writes, "of a path and dimension"),
    CHOICE(strategy, "that builds the paths", BRIDGE_STRATEGIES),
};
RESULT(bridge_info, "What a bridge was planned to.", bridge_info);
#undef STRUCT
