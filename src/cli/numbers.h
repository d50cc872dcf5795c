/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What can be drawn: words, uniform numbers or normals of any generator, of sequences or points, through one
 * function. And what the
 * program says of the generators.
 */
#ifndef CLI_NUMBERS_H
#define CLI_NUMBERS_H

#include "cli.h"

#include <bailey/points.h>

enum form { FORM_U32, FORM_U01, FORM_NORMAL };

struct draw {
    bailey_source source;
    enum form form;
    bailey_precision precision; /* not of words */
    bailey_normal_method method;
    bailey_numerics numerics;
    uint32_t bits; /* of the element that a number is made from; 0: as the precision has it */
    /* Of points, as the elements of an array of two axes, in its layout; point_count is 0 of a sequence. */
    bailey_points_params points;
    uint64_t first_point, point_count;
};

/* Bytes of an element. */
size_t draw_element(const struct draw *draw);

/* Writes elements first .. first + count - 1 to the beginning of `out`. */
bailey_status draw_make(bailey_context *context, const struct draw *draw, uint64_t first, uint64_t count,
                        bailey_buffer *out);

/* Prints the generators' names, verdicts and periods. */
void generators_help(void);

/* For option_choice, in the order of the enumerations. */
extern const char *const option_generators[];
extern const char *const option_sequences[];
extern const char *const option_forms[];

#endif
