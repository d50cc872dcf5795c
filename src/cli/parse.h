/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Numbers and dates as text. Strict: the whole text must be the value.
 */
#ifndef CLI_PARSE_H
#define CLI_PARSE_H

#include <stdint.h>

enum parse_result { PARSE_OK, PARSE_MALFORMED, PARSE_RANGE };

/* Decimal: sign, digits, point, exponent. No hexadecimal, "inf" or "nan". PARSE_RANGE: beyond a double. */
enum parse_result parse_f64(const char *text, double *value);

/* Digits; or digits and an exponent, "1e6". 0x for hexadecimal. PARSE_RANGE: beyond 2^64 - 1. */
enum parse_result parse_u64(const char *text, uint64_t *value);

/* YYYY-MM-DD of the Gregorian calendar, as days since 1970-01-01. PARSE_RANGE: no such day. */
enum parse_result parse_date(const char *text, int64_t *days);

#endif
