/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Random payoffs as a program: one text for compilers of the host and of devices, with many of them, so that
 * none is started for a single one.
 */
#ifndef RANDOM_TEXTS_H
#define RANDOM_TEXTS_H

#include "random_units.h"

/* The text's kernel: item i runs path i % RANDOM_PATHS of unit i / RANDOM_PATHS. It is launched with
 * RANDOM_TEXT_ITEMS; its buffers are the numbers and the outputs of all units, both in the precision, and the
 * site and value of each path. */
#define RANDOM_TEXT_KERNEL "random_units"
#define RANDOM_TEXT_NUMBERS 200u /* of a unit */
struct random_text_launch {
    uint64_t items;
};

/* As the language's printer has them, or in C as they stand. To be freed with bly_free. */
char *random_text_printed(const struct random_unit *units, uint32_t count);
char *random_text_plain(const struct random_unit *units, uint32_t count);

/* The numbers that a unit's paths read, RANDOM_TEXT_NUMBERS of the unit's precision. */
void random_text_numbers(const struct random_unit *unit, void *numbers);

/* Fails the test, with the code, where not all paths came to what the interpreter says. */
void random_text_compare(const struct random_unit *unit, const char *by, const void *outputs,
                         const int64_t *failures);

#endif
