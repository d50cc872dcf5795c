/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Numbers and dates from text. Text with one meaning is accepted; for other text the error may say what was
 * probably meant.
 */
#include "io.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

int parse_is_mistyped(const char *text)
{
    static const char *const words[] = {"nan", "inf", "infinity", "na", "n/a", "null", "none"};
    const char *word = text + strspn(text, "+-");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!strcasecmp(word, words[i])) return 1;
    }
    return !text[strspn(text, "0123456789OoIlEe+-., ")];
}

/* The letters behind a number, and how many of the unit that is meant they are. */
static const struct suffix {
    const char *letters;
    double factor;
    int is_time;
} suffixes[] = {
    {"d", 1 / 365.0, 1}, {"w", 7 / 365.0, 1}, {"m", 1 / 12.0, 1}, {"M", 1 / 12.0, 1}, {"y", 1, 1},
    {"Y", 1, 1},         {"k", 1e3, 0},       {"K", 1e3, 0},      {"m", 1e6, 0},      {"M", 1e6, 0},
    {"G", 1e9, 0},       {"bn", 1e9, 0},      {"%", 0.01, -1},    {" %", 0.01, -1},   {"bp", 1e-4, -1},
};

/* 1.234,5 and 1,5, of which there is one comma with digits on both sides. */
static int reads_with_comma(const char *text, double *value)
{
    char copy[64];
    const char *comma = strchr(text, ',');
    if (!comma || comma == text || !is_digit(comma[1]) || strchr(comma + 1, ',') ||
        strlen(text) >= sizeof copy)
        return 0;
    strcpy(copy, text);
    copy[comma - text] = '.';
    return parse_f64(copy, value) == PARSE_OK;
}

const char *parse_hint(const char *text, int is_time)
{
    static _Thread_local char words[160];
    char number[64];
    double value;
    const size_t digits = strspn(text, "0123456789+-.");
    if (reads_with_comma(text, &value)) {
        snprintf(words, sizeof words, "; use a decimal point, not a comma: %.10g", value);
        return words;
    }
    if (!digits || digits >= sizeof number) return "";
    memcpy(number, text, digits);
    number[digits] = 0;
    if (parse_f64(number, &value) != PARSE_OK) return "";
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const struct suffix *s = &suffixes[i];
        if (strcmp(text + digits, s->letters) || (s->is_time >= 0 && s->is_time != is_time)) continue;
        snprintf(words, sizeof words, s->is_time > 0 ? "; times are in years: %.10g" : "; write %.10g",
                 value * s->factor);
        return words;
    }
    return "";
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

/* The month that `word` names in English, 1 to 12, by at least three letters; else 0. */
static int month_named(const char *word, size_t length)
{
    static const char *const names[12] = {"january",   "february", "march",    "april",
                                          "may",       "june",     "july",     "august",
                                          "september", "october",  "november", "december"};
    for (int month = 0; length >= 3 && month < 12; month++) {
        if (length <= strlen(names[month]) && !strncasecmp(word, names[month], length)) return month + 1;
    }
    return 0;
}

/* A part of a date: digits, or letters that name a month. */
struct part {
    size_t digits; /* 0: a month's name */
    int value;
};

static int read_part(const char **text, struct part *part)
{
    const char *s = *text;
    while (is_digit(*s)) s++;
    part->digits = (size_t)(s - *text);
    if (part->digits) {
        part->value = part->digits <= 4 ? (int)strtol(*text, NULL, 10) : 0;
    } else {
        while (isalpha((unsigned char)*s)) s++;
        part->value = month_named(*text, (size_t)(s - *text));
    }
    *text = s;
    return part->value > 0;
}

/* Three parts with the same separator between them, then nothing or a time of day. */
static int read_parts(const char *text, struct part part[3], char *separator)
{
    char between[2];
    for (int i = 0; i < 3; i++) {
        if (!read_part(&text, &part[i])) return 0;
        if (i == 2) break;
        if (!*text || !strchr("./- ", *text)) return 0;
        between[i] = *text++;
    }
    *separator = between[0];
    if (between[0] != between[1]) return 0;
    return !*text || ((*text == ' ' || *text == 'T') && is_digit(text[1]) && strchr(text, ':'));
}

int parse_other_date(const char *text, char iso[11])
{
    struct part part[3];
    const struct part *year = &part[2], *month = &part[1], *day = &part[0];
    char separator;
    *iso = 0;
    if (!read_parts(text, part, &separator)) return 0;
    if (part[0].digits == 4) {
        year = &part[0];
        day = &part[2];
    } else if (!part[0].digits || (part[1].value > 12 && separator != '.')) {
        month = &part[0];
        day = &part[1];
    }
    if (!day->digits || day->digits > 2 || month->digits > 2) return 0;
    if (year->digits != 4) return year->digits == 2; /* of which century, if it is the year */
    /* Between slashes and hyphens some write the day first and some the month. */
    if (year == &part[2] && month->digits && separator != '.' && day->value <= 12 &&
        day->value != month->value)
        return 1;
    int64_t days;
    snprintf(iso, 11, "%04u-%02u-%02u", (unsigned)year->value % 10000, (unsigned)month->value % 100,
             (unsigned)day->value % 100);
    if (parse_date(iso, &days) != PARSE_OK) *iso = 0;
    return 1;
}

const char *parse_date_error(const char *text)
{
    static _Thread_local char words[100];
    char iso[11];
    int64_t days;
    if (parse_date(text, &days) == PARSE_RANGE) return "is not a day of the calendar";
    if (!parse_other_date(text, iso)) return "is not a date of the form YYYY-MM-DD";
    snprintf(words, sizeof words, "is a date in another form; write dates as YYYY-MM-DD%s%s",
             *iso ? ": " : "", iso);
    return words;
}
