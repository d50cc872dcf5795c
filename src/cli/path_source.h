/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Where the normals of paths come from: a sequence or points. For commands that have SOURCE_OPTIONS and
 * PATH_POINT_OPTIONS.
 */
#ifndef CLI_PATH_SOURCE_H
#define CLI_PATH_SOURCE_H

#include "json.h"
#include "options.h"

/* clang-format off */
/* The order of paths is another: that of their construction. */
#define PATH_POINT_OPTION_NAMES SCRAMBLE, REPLICATE, ASSIGNMENT, POINT_ORDER, WORD_BITS
#define PATH_POINT_OPTIONS                                                                                  \
    OPTION("--scramble", "lms|owen|shift|none",                                                                   \
     "lms (default): linear matrix scramble, then a digital shift; shift: the shift alone; owen: nested "   \
     "uniform scramble by a hash; none: the points of the books, the first of which is an extreme path"), \
    OPTION("--replicate", "R", "which of the independent scrambles of the seed; default 0"),                   \
    OPTION("--assignment", "steps|factors|diagonal",                                                              \
     "which dimensions of a point build what; the first are the best. steps (default): the first steps in " \
     "order of construction, all dimensions of the path; factors: all steps of the path's first "           \
     "dimension; diagonal: both by turns"),                                                              \
    OPTION("--point-order", "gray|index", "gray (default): Gray-code order; index: point N has the bits of N"), \
    OPTION("--word-bits", "32|64", "of the words that normals are made of; default 32")
/* clang-format on */

/* Where a command that makes paths has its options: the first of those of the source, of PATH_POINT_OPTIONS,
 * and those that points leave no choice. */
struct path_source_options {
    int generator, points, normal, bits;
};

/* Reads the source of paths, of sequences or points. Prints what is wrong, returns an exit code. */
int path_source_read(const struct arguments *arguments, const struct path_source_options *options,
                     bailey_source *source);

/* As source_json and source_remark, of sources of either kind. */
void path_source_json(struct json *json, const bailey_source *source);
const char *path_source_remark(const bailey_source *source);

/* A warning to standard error where points first .. first + count - 1 are not balanced. */
void path_source_warn(const bailey_source *source, uint64_t first, uint64_t count);

int source_is_points(const bailey_source *source);

/* Of the words that normals are made of; `bits` and `precision` are those of the command. */
uint32_t path_source_bits(const bailey_source *source, uint32_t bits, int precision);

#endif
