/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What can be drawn: words, uniform numbers or normals of any generator, of sequences or points, through one
 * function. And what the program says of the generators.
 */
#ifndef CLI_NUMBERS_H
#define CLI_NUMBERS_H

#include "cli.h"

#include <bailey/describe.h>
#include <bailey/points.h>

struct draw {
    bailey_source source;
    bailey_normal_params normal; /* its precision and bits are those of uniform numbers too */
    /* The form; of points, as the elements of an array of two axes, their layout. */
    bailey_points_params points;
    uint64_t first_point, point_count; /* point_count is 0 of a sequence */
};

/* Bytes of an element. */
size_t draw_element(const struct draw *draw);

/* Writes elements first .. first + count - 1 to the beginning of `out`. */
bailey_status draw_make(bailey_context *context, const struct draw *draw, uint64_t first, uint64_t count,
                        bailey_buffer *out);

/* Prints the generators' names, verdicts and periods. */
void generators_help(void);

#endif
