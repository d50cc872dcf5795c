/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "parse.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int is_digit(char c) { return c >= '0' && c <= '9'; }

enum parse_result parse_f64(const char *text, double *value)
{
    size_t length = strlen(text);
    if (!length || strspn(text, "0123456789+-.eE") != length) return PARSE_MALFORMED;
    char *end;
    double result = strtod(text, &end);
    if (end == text || *end) return PARSE_MALFORMED;
    if (!isfinite(result)) return PARSE_RANGE;
    *value = result;
    return PARSE_OK;
}

enum parse_result parse_u64(const char *text, uint64_t *value)
{
    uint64_t result = 0;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        text += 2;
        if (!*text) return PARSE_MALFORMED;
        for (; isxdigit((unsigned char)*text); text++) {
            if (result >> 60) return PARSE_RANGE;
            int c = tolower((unsigned char)*text);
            result = result << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
        }
    } else {
        int overflow = 0;
        if (!is_digit(*text)) return PARSE_MALFORMED;
        for (; is_digit(*text); text++) {
            uint64_t digit = (uint64_t)(*text - '0');
            if (result > (UINT64_MAX - digit) / 10)
                overflow = 1;
            else
                result = result * 10 + digit;
        }
        if (*text == 'e' || *text == 'E') {
            unsigned exponent = 0;
            if (!is_digit(*++text)) return PARSE_MALFORMED;
            for (; is_digit(*text); text++)
                exponent = exponent < 1000 ? exponent * 10 + (unsigned)(*text - '0') : exponent;
            for (; exponent && result && !overflow; exponent--) {
                if (result > UINT64_MAX / 10)
                    overflow = 1;
                else
                    result *= 10;
            }
        }
        if (!*text && overflow) return PARSE_RANGE;
    }
    if (*text) return PARSE_MALFORMED;
    *value = result;
    return PARSE_OK;
}

/* Days from civil: years are counted from March, so that the leap day is the last. */
enum parse_result parse_date(const char *text, int64_t *days)
{
    static const int lengths[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (strlen(text) != 10) return PARSE_MALFORMED;
    for (int i = 0; i < 10; i++) {
        if (i == 4 || i == 7 ? text[i] != '-' : !is_digit(text[i])) return PARSE_MALFORMED;
    }
    int64_t year = strtol(text, NULL, 10);
    int month = (int)strtol(text + 5, NULL, 10), day = (int)strtol(text + 8, NULL, 10);
    int leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (month < 1 || month > 12 || day < 1 || day > lengths[month - 1] + (month == 2 && leap))
        return PARSE_RANGE;
    int64_t y = month > 2 ? year : year - 1;
    int64_t era = (y + 400) / 400 - 1; /* floor(y / 400), y at least -1 */
    int64_t of_era = y - era * 400;
    int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    *days = era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
    return PARSE_OK;
}
