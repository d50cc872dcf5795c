/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The self-test's larger cases: payoff code, Greeks, an American option, multilevel Monte Carlo.
 */
#ifndef BLY_HOST_SELFTEST_CASES_H
#define BLY_HOST_SELFTEST_CASES_H

#include <bailey/bailey.h>

/* Is given each item's name and results. */
typedef void (*bly_case_judge)(void *user, const char *item, const double *values, size_t count);

/* OK where a device cannot have the item, which is left out. */
bailey_status bly_selftest_allow_missing(const char *item, bailey_status status);

/* On a device with double precision. What cannot be compiled there is left out. */
bailey_status bly_selftest_cases(bailey_context *context, bailey_precision precision, bly_case_judge judge,
                                 void *user);

#endif
