/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The options that say where numbers come from, a sequence or points, for every command that draws some.
 *
 * A command has SOURCE_OPTION_NAMES in its enumeration, SOURCE_OPTIONS in the same place of its table, and
 * generators_help (numbers.h) at the end of its help; or COUNTER_OPTIONS. One that makes paths of points has
 * PATH_POINT_OPTIONS too.
 */
#ifndef CLI_SOURCE_OPTIONS_H
#define CLI_SOURCE_OPTIONS_H

#include "options.h"

/* clang-format off */
#define SEED_OPTIONS                                                                                         \
    FIELD(source, seed, "--seed", .value = "S"),                                                             \
    FIELD(source, stream, "--stream", .value = "K",                                                          \
          .help = "an independent sequence of the same seed, of points a scramble", .before = "--replicate")

#define SOURCE_OPTION_NAMES GENERATOR, SEQUENCE, WARP_SET, SEED, STREAM
#define SOURCE_OPTIONS                                                                                       \
    FIELD(source, generator, "--generator", .value = "NAME", .help = "see 'Generators' below"),              \
    FIELD(source, sequence, "--sequence"),                                                                   \
    FIELD(source, warp_set, "--warp-set"),                                                                   \
    SEED_OPTIONS

/* Of a command that draws from generators that count, or points, alone. */
#define COUNTER_OPTION_NAMES GENERATOR, SEED, STREAM
#define COUNTER_OPTIONS(generators) FIELD(source, generator, "--generator", .only = generators), SEED_OPTIONS

/* The order of paths is another: that of their construction. */
#define PATH_POINT_OPTION_NAMES SCRAMBLE, ASSIGNMENT, POINT_ORDER
#define PATH_POINT_OPTIONS                                                                                   \
    FIELD(source, scramble, "--scramble"),                                                                   \
    FIELD(source, assignment, "--assignment"),                                                               \
    FIELD(source, point_order, "--point-order")

/* Of the words that a number is made from, of points and sequences. */
#define WORD_BITS_OPTION                                                                                     \
    FIELD(normal_params, word_bits, "--word-bits", .before = "--bits",                                       \
          .help = "of the words that a number is made from; f32 from 64 bits has finer tails, f64 from 32 "  \
                  "bits is for sequences of 32-bit words, and points")
/* clang-format on */

/* Reads the options that give fields of a source and, unless it is NULL, of normals, and checks them against
 * each other: prints what is wrong, returns an exit code. */
int source_read(const struct arguments *arguments, bailey_source *source, bailey_normal_params *normal);

int source_is_points(const bailey_source *source);

/* Bits of the words that normals are made from. */
uint32_t source_bits(const bailey_source *source, const bailey_normal_params *normal);

/* "" for the default generator, else ", mt19937", ", mt19937 (published)" or ", warp (set 3)". One static
 * buffer. */
const char *source_remark(const bailey_source *source);

#endif
