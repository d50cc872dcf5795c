/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The enumerations of the public headers, for fields that hold one: CHOICE(type, "...", PRECISIONS).
 */
#ifndef BLY_DESCRIBE_CHOICES_H
#define BLY_DESCRIBE_CHOICES_H

#include <bailey/describe.h>

/* The word for a value of one of the lists below, as BLY_CHOICE_WORD(PRECISIONS, precision); "unknown" where
 * it has none.
 */
#define BLY_CHOICE_WORD(list, value) bly_choice_word(&(const bailey_field){list}, (int)(value))
const char *bly_choice_word(const bailey_field *field, int value);

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

/* Bits of the words that numbers are computed from: 32, 64. */
#define WORD_SIZES .choices = bly_word_sizes, .choice_count = 2

extern const bailey_choice bly_option_types[2];
#define OPTION_TYPES BLY_CHOICES(bly_option_types, 2, "OPTION_TYPE")

extern const bailey_choice bly_motion_areas[3];
#define MOTION_AREAS BLY_CHOICES(bly_motion_areas, 3, "MOTION_AREAS")
extern const bailey_choice bly_device_kinds[4];
#define DEVICE_KINDS BLY_CHOICES(bly_device_kinds, 4, "DEVICE_KIND")
extern const bailey_choice bly_points_forms[3];
#define POINTS_FORMS BLY_CHOICES(bly_points_forms, 3, "POINTS_FORM")
extern const bailey_choice bly_points_layouts[2];
#define POINTS_LAYOUTS BLY_CHOICES(bly_points_layouts, 2, "POINTS_LAYOUT")
extern const bailey_choice bly_bridge_outputs[2];
#define BRIDGE_OUTPUTS BLY_CHOICES(bly_bridge_outputs, 2, "BRIDGE_OUTPUT")
extern const bailey_choice bly_layouts[2];
#define LAYOUTS BLY_CHOICES(bly_layouts, 2, "LAYOUT")
extern const bailey_choice bly_constructions[4];
#define CONSTRUCTIONS BLY_CHOICES(bly_constructions, 4, "CONSTRUCTION")
extern const bailey_choice bly_sums[2];
#define SUMS BLY_CHOICES(bly_sums, 2, "SUM")
extern const bailey_choice bly_moment_kinds[4];
#define MOMENT_KINDS BLY_CHOICES(bly_moment_kinds, 4, "MOMENT_KIND")
extern const bailey_choice bly_greek_methods[4];
#define GREEK_METHODS BLY_CHOICES(bly_greek_methods, 4, "GREEK_METHOD")
extern const bailey_choice bly_greek_kinds[10];
#define GREEK_KINDS BLY_CHOICES(bly_greek_kinds, 10, "GREEK_KIND")
extern const bailey_choice bly_mlmc_schedules[2];
#define MLMC_SCHEDULES BLY_CHOICES(bly_mlmc_schedules, 2, "MLMC_SCHEDULE")
extern const bailey_choice bly_mlmc_approximations[6];
#define MLMC_APPROXIMATIONS BLY_CHOICES(bly_mlmc_approximations, 6, "MLMC_APPROXIMATION")
extern const bailey_choice bly_mlmc_reasons[3];
#define MLMC_REASONS BLY_CHOICES(bly_mlmc_reasons, 3, "MLMC_REASON")

/* Those that the public headers list by macros. */
enum {
#define BLY_ONE(...) +1
    BLY_DISTRIBUTION_COUNT = 0 BAILEY_DISTRIBUTION_LIST(BLY_ONE),
    BLY_STRATEGY_COUNT = 0 BAILEY_BRIDGE_STRATEGY_LIST(BLY_ONE),
    BLY_STATUS_COUNT = 0 BAILEY_STATUS_LIST(BLY_ONE)
#undef BLY_ONE
};
extern const bailey_choice bly_distributions[], bly_bridge_strategies[], bly_statuses[];
#define DISTRIBUTIONS BLY_CHOICES(bly_distributions, BLY_DISTRIBUTION_COUNT, "DISTRIBUTION")
#define BRIDGE_STRATEGIES BLY_CHOICES(bly_bridge_strategies, BLY_STRATEGY_COUNT, "BRIDGE_STRATEGY")
#define STATUSES .choices = bly_statuses, .choice_count = BLY_STATUS_COUNT, .prefix = "BAILEY_"

#endif
