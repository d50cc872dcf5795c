/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The options of quasi-random points, for commands that write some: as source_options.h has those of
 * sequences.
 */
#ifndef CLI_POINT_OPTIONS_H
#define CLI_POINT_OPTIONS_H

#include "json.h"
#include "numbers.h"
#include "options.h"

#define POINT_OPTION_NAMES POINTS, DIMS, FIRST, FIRST_DIM, POINT_LAYOUT, ORDER, WORD_BITS, SCRAMBLE, REPLICATE

/* clang-format off */
#define POINT_OPTIONS                                                                                       \
    OPTION("--points", "N", "how many points"),                                                                \
    OPTION("--dims", "D", "of each point, at most 2^26; default 1"),                                          \
    OPTION("--first", "N", "the first point: 0 (default) is the origin, unless scrambled; 1 leaves it out"),   \
    OPTION("--first-dim", "D", "the first dimension; default 0"),                                              \
    OPTION("--layout", "point|dim", "point (default): [point][dim]; dim: [dim][point]"),                       \
    OPTION("--order", "gray|index",                                                                               \
     "gray (default): Gray-code order, SciPy's; index: point N has the bits of N"),                      \
    OPTION("--word-bits", "32|64", "of the words that numbers are made of; default 32"),                       \
    OPTION("--scramble", "lms|owen|shift|none",                                                                   \
     "lms (default): linear matrix scramble, then a digital shift; owen: nested uniform scramble by a "     \
     "hash; shift: the shift alone; none: the points of the books"),                                     \
    OPTION("--replicate", "R", "which of the independent scrambles of the seed; default 0")
/* clang-format on */

/* Whether --generator names one that makes points. */
int points_wanted(const struct arguments *arguments, int generator);

/* Reads the options, of which `first` is the first, and those of the source from `generator` on; the draw's
 * form and precision are there. Or, where points are not wanted, refuses what is theirs. Prints what is
 * wrong, returns an exit code. */
int points_read(const struct arguments *arguments, int first, int generator, struct draw *draw);
int points_refuse(const struct arguments *arguments, int first);

/* Its fields, of an object that is open. */
void points_json(struct json *json, const struct draw *draw);

/* Where options that say what points are stand, for path_source.c too. */
struct point_places {
    int order, word_bits, scramble, replicate;
    const char *order_name; /* what stands for --sequence */
};
int points_read_source(const struct arguments *arguments, const struct point_places *places, int generator,
                       bailey_source *source);

/* Their words, in the order of the library's enumerations. */
extern const char *const option_point_orders[];
extern const char *const option_scrambles[];

#endif
