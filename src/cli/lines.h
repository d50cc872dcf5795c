/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Arrays of numbers as text: one per line, in the fewest digits that read back as the same number.
 */
#ifndef CLI_LINES_H
#define CLI_LINES_H

#include "output.h"

/* `bytes` of an array of uint32_t, uint64_t, float or double. For pump_start. */
int lines_u32(struct output *output, const void *array, uint64_t bytes);
int lines_u64(struct output *output, const void *array, uint64_t bytes);
int lines_f32(struct output *output, const void *array, uint64_t bytes);
int lines_f64(struct output *output, const void *array, uint64_t bytes);

#endif
