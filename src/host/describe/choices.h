/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The enumerations of the public headers, for fields that hold one: CHOICE(type, "...", PRECISIONS).
 */
#ifndef BLY_DESCRIBE_CHOICES_H
#define BLY_DESCRIBE_CHOICES_H

#include <bailey/describe.h>

#define BLY_CHOICES(table, count, prefix_)                                                                   \
    .choices = table, .choice_count = count, .prefix = "BAILEY_" prefix_ "_"

extern const bailey_choice bly_generators[], bly_sequences[2], bly_scrambles[4], bly_point_orders[2],
    bly_assignments[3];
/* As many as bailey/device/generators.h lists. */
enum {
#define BLY_GENERATOR_ONE(...) +1
    BLY_GENERATOR_COUNT = 0 BAILEY_GENERATOR_LIST(BLY_GENERATOR_ONE) BAILEY_POINT_LIST(BLY_GENERATOR_ONE)
#undef BLY_GENERATOR_ONE
};
#define GENERATORS BLY_CHOICES(bly_generators, BLY_GENERATOR_COUNT, "GENERATOR")
#define SEQUENCES BLY_CHOICES(bly_sequences, 2, "SEQUENCE")
#define SCRAMBLES BLY_CHOICES(bly_scrambles, 4, "SCRAMBLE")
#define POINT_ORDERS BLY_CHOICES(bly_point_orders, 2, "POINT_ORDER")
#define ASSIGNMENTS BLY_CHOICES(bly_assignments, 3, "ASSIGNMENT")

extern const bailey_choice bly_precisions[2], bly_normal_methods[3], bly_numerics[2], bly_word_sizes[2];
#define PRECISIONS BLY_CHOICES(bly_precisions, 2, "PRECISION")
#define NORMAL_METHODS BLY_CHOICES(bly_normal_methods, 3, "NORMAL_METHOD")
#define NUMERICS BLY_CHOICES(bly_numerics, 2, "NUMERICS")

/* Bits of the words that numbers are made from: 32, 64. */
#define WORD_SIZES .choices = bly_word_sizes, .choice_count = 2

extern const bailey_choice bly_option_types[2];
#define OPTION_TYPES BLY_CHOICES(bly_option_types, 2, "OPTION_TYPE")

#endif
