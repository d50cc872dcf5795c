/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The options that say where numbers come from, for every command that draws some.
 *
 * A command has SOURCE_OPTION_NAMES in its enumeration, SOURCE_OPTIONS in the same place of its table, and
 * generators_help (numbers.h) at the end of its help.
 */
#ifndef CLI_SOURCE_OPTIONS_H
#define CLI_SOURCE_OPTIONS_H

#include "json.h"
#include "options.h"

#define SOURCE_OPTION_NAMES GENERATOR, SEQUENCE, WARP_SET, SEED, STREAM

/* clang-format off */
#define SOURCE_OPTIONS                                                                                      \
    OPTION("--generator", "NAME", "default philox; see 'Generators' below"),                                   \
    OPTION("--sequence", "runs|published",                                                                        \
     "runs (default): bailey's own, any part of which can be made anywhere; published: the one "            \
     "sequence that the generator's reference or cuRAND defines"),                                       \
    OPTION("--warp-set", "N", "warp: which of the 16 sets of parameters; default 0"),                          \
    OPTION("--seed", "S", "default 0"),                                                                        \
    OPTION("--stream", "K", "an independent sequence of the same seed; default 0")
/* clang-format on */

/* Reads the five options, of which `generator` is the first, and checks them against each other: prints what
 * is wrong, returns an exit code. */
int source_read(const struct arguments *arguments, int generator, bailey_source *source);

/* Its fields, of an object that is open. */
void source_json(struct json *json, const bailey_source *source);

/* "" for the default generator, else ", mt19937", ", mt19937 (published)" or ", warp (set 3)". One static
 * buffer.
 */
const char *source_remark(const bailey_source *source);

#endif
