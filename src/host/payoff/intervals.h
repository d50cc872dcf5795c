/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Arithmetic of ranges of integers: what the result may be where the operands are in ranges. For uint64 a
 * high of INT64_MAX means no limit.
 */
#ifndef BLY_INTERVALS_H
#define BLY_INTERVALS_H

#include "language.h"

bool bly_has_range(const struct bly_type *type);
/* All values of a type of integers. */
struct bly_int_range bly_int_range_of(enum bly_type_kind kind);
struct bly_int_range bly_int_range_one(int64_t value);
struct bly_int_range bly_int_range_hull(struct bly_int_range a, struct bly_int_range b);
bool bly_int_range_is_one(struct bly_int_range a);
bool bly_int_range_within(struct bly_int_range a, struct bly_int_range outer);
/* `value` is in it. */
bool bly_int_range_has(struct bly_int_range a, int64_t value);
/* Of NUMBER and SIZE. */
struct bly_int_range bly_int_range_literal(enum bly_type_kind kind, int64_t bits);

/* *fits: no value of the operands' ranges wraps around (DIVIDE and REMAINDER: divides by 0; shifts: goes
 * beyond the width). `kind` is the type of the result, and of the operands of arithmetic. */
struct bly_int_range bly_int_range_negate(enum bly_type_kind kind, struct bly_int_range a, bool *fits);
struct bly_int_range bly_int_range_flip(enum bly_type_kind kind, struct bly_int_range a);
struct bly_int_range bly_int_range_convert(enum bly_type_kind from, enum bly_type_kind to,
                                           struct bly_int_range a, bool *fits);
struct bly_int_range bly_int_range_arithmetic(enum bly_expression_kind sign, enum bly_type_kind kind,
                                              struct bly_int_range a, struct bly_int_range b, bool *fits);
/* Whether a < b and so on: 0, 1, or 0 .. 1. `kind` is the operands' type. */
struct bly_int_range bly_int_range_compare(enum bly_expression_kind sign, enum bly_type_kind kind,
                                           struct bly_int_range a, struct bly_int_range b);
/* The part of a for which a < b and so on can hold; empty (low > high) where there is none. */
struct bly_int_range bly_int_range_narrow(enum bly_expression_kind sign, enum bly_type_kind kind,
                                          struct bly_int_range a, struct bly_int_range b);

/* a + b and a * b, where INT64_MIN and INT64_MAX stand for no limit. */
int64_t bly_add_limits(int64_t a, int64_t b);
int64_t bly_multiply_limits(int64_t a, int64_t b);

#endif
