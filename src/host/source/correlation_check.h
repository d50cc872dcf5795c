/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#ifndef BLY_CORRELATION_CHECK_H
#define BLY_CORRELATION_CHECK_H

#include <bailey/correlation.h>

/* bailey_correlation_check with entries from -most to most. */
bailey_status bly_correlation_check(const double *correlation, uint32_t dims, double most, double *exact);

#endif
