/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#ifndef CLI_BENCHMARKS_H
#define CLI_BENCHMARKS_H

#include <cli/options/options.h>

extern const struct command command_bench_batch, command_bench_bridge, command_bench_mlmc,
    command_bench_motion, command_bench_normal, command_bench_points, command_bench_quality,
    command_bench_random, command_bench_simulate;

#endif
