/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The simulations of table 37-1 of Howes and Thomas, GPU Gems 3, chapter 37, its rows and ours.
 */
#ifndef CLI_BENCH_GEMS_H
#define CLI_BENCH_GEMS_H

#include "bench_simulate.h"

/* Row number `index`; false past the last. `paths` 0: as many as suit the device. */
int gems_name(size_t index, char *name, size_t size);
void gems_run(struct simulate_bench *bench, size_t index, uint64_t paths, struct bench_row *row);

#endif
