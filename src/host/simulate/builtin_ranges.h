/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What values the parameters of built-in payoffs and levels may have. Pure host code.
 */
#ifndef BLY_BUILTIN_RANGES_H
#define BLY_BUILTIN_RANGES_H

#include "payoff.h"

#include <bailey/bailey.h>

/* One value, as it is set. `builtin` is the name, or NULL of code that users write, which has no ranges.
 * Returns: OK; ERROR_INVALID of the argument "values". */
bailey_status bly_builtin_check_value(const char *builtin, const struct bly_field *field, uint32_t i,
                                      double value);

/* A whole set, as devices have it: also what was never set, and values that do not go together. */
bailey_status bly_builtin_check_set(const char *builtin, const struct bly_payoff *payoff,
                                    bailey_precision precision, const uint8_t *set);

#endif
