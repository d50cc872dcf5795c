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

/* Whether a text that is not a number may be a mistyped one or stand for one that is missing: digits and what
 * is taken for them or stands among them (O.5, l, e5, -.), or a word such as nan, inf and n/a. */
int parse_is_mistyped(const char *text);

/* What a text that is not a number was probably meant to be, to follow what is said about it: "; ..." with
 * what to write, of percent, a decimal comma, thousands and millions or, of a time in years, months and the
 * like. "" if it is none of those. One buffer per thread. */
const char *parse_hint(const char *text, int is_time);

/* YYYY-MM-DD of the Gregorian calendar, as days since 1970-01-01. PARSE_RANGE: no such day. */
enum parse_result parse_date(const char *text, int64_t *days);

/* Whether `text` is a date in another form, such as 30.1.2026, 30/01/26 or 2026-01-30 00:00. `iso` is the
 * date as YYYY-MM-DD, "" where it could be read in two ways or there is no such day. */
int parse_other_date(const char *text, char iso[11]);

/* Why parse_date refuses `text`, to be put after it: "is a date in another form; dates are written
 * YYYY-MM-DD: 2026-01-30". One buffer per thread. */
const char *parse_date_error(const char *text);

#endif
