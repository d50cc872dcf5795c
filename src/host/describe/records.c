/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Finding records, the words of ranges, and the one check of a struct by its record, which public functions
 * that take parameters begins with.
 */
#include "records.h"

#include <base/status.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Finding --------------------------------------------------------------------------------------- */

static const bailey_record *const records[] = {
#define BLY_RECORD_ROW(name) &bly_record_##name,
    BLY_RECORD_LIST(BLY_RECORD_ROW)};
#define RECORDS (sizeof records / sizeof *records)

const bailey_record *bailey_describe_at(size_t index) { return index < RECORDS ? records[index] : NULL; }

const bailey_record *bailey_describe(const char *name)
{
    if (!name) return NULL;
    if (strncmp(name, "bailey_", 7) == 0) name += 7;
    for (size_t i = 0; i < RECORDS; i++)
        if (strcmp(records[i]->name, name) == 0) return records[i];
    return NULL;
}

const bailey_field *bailey_record_field(const bailey_record *record, const char *name)
{
    for (uint32_t i = 0; record && name && i < record->field_count; i++)
        if (strcmp(record->fields[i].name, name) == 0) return &record->fields[i];
    return NULL;
}

/* ---- Words ----------------------------------------------------------------------------------------- */

struct words {
    char *text;
    uint64_t size, length;
};

static void add(struct words *w, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

static void add(struct words *w, const char *format, ...)
{
    char part[256];
    va_list arguments;
    va_start(arguments, format);
    bly_format(part, sizeof part, format, arguments);
    va_end(arguments);
    for (const char *c = part; *c; c++, w->length++)
        if (w->length + 1 < w->size) w->text[w->length] = *c;
    if (w->size) w->text[w->length < w->size ? w->length : w->size - 1] = 0;
}

/* The fewest digits that are the same number; large powers of two as such. */
static void add_number(struct words *w, double value)
{
    int exponent, digits = 6;
    char text[40];
    if (frexp(value, &exponent) == 0.5 && abs(exponent) > 20) {
        add(w, "2^%d", exponent - 1);
        return;
    }
    for (; digits < 17 && fabs(value) < 1e30; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    add(w, "%.*g", digits, value);
}

static int has_range(const bailey_interval *i) { return i->low != 0 || i->high != 0; }

/* "positive", "at least 0", "positive and below 1", "from 2 to 2^38", "at most 1" */
static void add_range(struct words *w, const bailey_interval *i)
{
    const int low = isfinite(i->low), high = isfinite(i->high);
    const int from = low && high && !i->low_open && !i->high_open;
    if (low && i->low == 0 && i->low_open)
        add(w, "positive");
    else if (low) {
        add(w, from ? "from " : i->low_open ? "above " : "at least ");
        add_number(w, i->low);
    }
    if (!high) return;
    add(w, from ? " to " : low ? " and " : "");
    if (!from) add(w, i->high_open ? "below " : "at most ");
    add_number(w, i->high);
}

static void add_choices(struct words *w, const bailey_field *f)
{
    for (uint32_t i = 0; i < f->choice_count; i++)
        add(w, "%s%s", i == 0 ? "" : i + 1 < f->choice_count ? ", " : " or ", f->choices[i].name);
}

/* The values that a field takes; nothing where it takes all that its type holds. */
static void add_limits(struct words *w, const bailey_field *f)
{
    if (f->type == BAILEY_FIELD_TYPE_FLAG)
        add(w, "0 or 1");
    else if (f->choice_count)
        add_choices(w, f);
    else if (has_range(&f->range))
        add_range(w, &f->range);
}

static int has_default(const bailey_field *f) { return f->default_value != 0 || f->default_how != NULL; }

static void add_default(struct words *w, const bailey_field *f)
{
    if (f->default_how)
        add(w, "%s", f->default_how);
    else if (f->choice_count)
        for (uint32_t i = 0; i < f->choice_count; i++)
            add(w, "%s", f->choices[i].value == f->default_value ? f->choices[i].name : "");
    else
        add_number(w, f->default_value);
}

uint64_t bailey_field_limits(const bailey_field *field, char *text, uint64_t size)
{
    struct words w = {.text = text, .size = text ? size : 0};
    add(&w, "%s", "");
    if (!field) return 0;
    add_limits(&w, field);
    if (!field->needed && !field->output && (has_default(field) || field->choice_count)) {
        add(&w, w.length ? "; default " : "default ");
        add_default(&w, field);
    }
    return w.length;
}

/* ---- Checking -------------------------------------------------------------------------------------- */

static int is_in(const bailey_field *f, double value)
{
    const bailey_interval *i = &f->range;
    if (f->type == BAILEY_FIELD_TYPE_FLAG) return value == 0 || value == 1;
    for (uint32_t k = 0; k < f->choice_count; k++)
        if (f->choices[k].value == value) return 1;
    if (f->choice_count) return 0;
    if (!has_range(i)) return 1;
    return (i->low_open ? value > i->low : value >= i->low) &&
           (i->high_open ? value < i->high : value <= i->high);
}

/* "inner_paths is 1, not from 2 to 2^38; 0 means 1000" */
static bailey_status refuse(const bailey_field *f, const char *name, const char *value, int zero)
{
    char text[400];
    struct words w = {.text = text, .size = sizeof text};
    add_limits(&w, f);
    if (w.length == 0) add(&w, "%s", "finite");
    if (zero && has_default(f) && !f->choice_count && f->type != BAILEY_FIELD_TYPE_FLAG) {
        add(&w, "; 0 means ");
        add_default(&w, f);
    }
    return bly_fail_argument(f->name, "%s is %s, not %s", name, value, text);
}

/* `zero`: whether 0 may stand for a default. */
static int is_valid(const bailey_field *f, double value, int zero)
{
    if (isnan(value) && f->nan) return 1;
    if (value == 0 && zero && has_default(f)) return 1;
    if (f->type != BAILEY_FIELD_TYPE_REAL && isfinite(value) && value != floor(value)) return 0;
    return isfinite(value) && is_in(f, value);
}

/* `words`: the number, where a double has not all of it. */
static bailey_status check_number(const bailey_field *f, const char *name, double value, const char *words,
                                  int zero)
{
    char number[40];
    struct words w = {.text = number, .size = sizeof number};
    if (is_valid(f, value, zero)) return BAILEY_OK;
    if (f->type != BAILEY_FIELD_TYPE_REAL && isfinite(value) && value != floor(value))
        return bly_fail_argument(f->name, "%s is %g, not an integer", name, value);
    add_number(&w, value);
    return refuse(f, name, words ? words : number, zero);
}

bailey_status bailey_field_check(const bailey_field *field, const char *name, double value)
{
    if (!field) return bly_fail_argument("field", "field is NULL");
    return check_number(field, name ? name : field->name, value, NULL, 1);
}

/* Element i of what lies at `at`, as a double; 0 of what is not a number. */
static double element(const bailey_field *f, const void *at, uint64_t i)
{
    switch (f->type) {
    case BAILEY_FIELD_TYPE_REAL: return ((const double *)at)[i];
    case BAILEY_FIELD_TYPE_UINT64: return (double)((const uint64_t *)at)[i];
    case BAILEY_FIELD_TYPE_FLAG:
    case BAILEY_FIELD_TYPE_UINT32: return ((const uint32_t *)at)[i];
    case BAILEY_FIELD_TYPE_CHOICE: return ((const int *)at)[i];
    default: return 0;
    }
}

static int is_number(const bailey_field *f) { return f->type <= BAILEY_FIELD_TYPE_CHOICE; }

/* ---- Shapes: sums of products of fields, in brackets ------------------------------------------------- */

struct shape {
    const bailey_record *record;
    const unsigned char *values;
    const struct bly_size *sizes;
    const char *at;
    int known; /* 0: a name in it is not a field of the record, so that the caller alone knows */
};

static void skip(struct shape *s)
{
    while (*s->at == ' ') s->at++;
}

static uint64_t field_value(struct shape *s, const char *name, size_t length)
{
    for (uint32_t i = 0; i < s->record->field_count; i++) {
        const bailey_field *f = &s->record->fields[i];
        if (strlen(f->name) != length || memcmp(f->name, name, length) != 0 || f->pointer) continue;
        const double value = element(f, s->values + f->offset, 0);
        return (uint64_t)(value == 0 ? f->default_value : value);
    }
    for (const struct bly_size *size = s->sizes; size && size->name; size++)
        if (strlen(size->name) == length && memcmp(size->name, name, length) == 0) return size->value;
    s->known = 0;
    return 0;
}

static uint64_t factor(struct shape *s)
{
    skip(s);
    if (*s->at >= '0' && *s->at <= '9') return strtoull(s->at, (char **)&s->at, 10);
    const size_t length = strspn(s->at, "abcdefghijklmnopqrstuvwxyz_0123456789");
    const char *name = s->at;
    s->at += length;
    return field_value(s, name, length);
}

static uint64_t product(struct shape *s)
{
    uint64_t value = factor(s);
    for (skip(s); *s->at == '*'; skip(s)) s->at++, value *= factor(s);
    return value;
}

static uint64_t sum(struct shape *s)
{
    uint64_t total = product(s);
    while (*s->at == '+' || *s->at == '-') {
        const int minus = *s->at++ == '-';
        const uint64_t next = product(s);
        total = minus ? total - (next < total ? next : total) : total + next;
    }
    return total;
}

uint64_t bly_record_elements(const bailey_record *record, const void *values, const bailey_field *f,
                             const struct bly_size *sizes, uint64_t *row, int *known)
{
    struct shape s = {record, values, sizes, f->shape ? f->shape : "", 1};
    uint64_t count = 1;
    if (*s.at != '[') s.known = 0;
    while (*s.at == '[') {
        s.at++;
        *row = sum(&s);
        count *= *row;
        if (*s.at == ']') s.at++;
    }
    *known = s.known;
    return s.known ? count : 0;
}

/* For a triangle not all elements are there. */
static int is_whole(const bailey_field *f) { return f->shape && f->shape[strlen(f->shape) - 1] == ']'; }

/* ---- Structs --------------------------------------------------------------------------------------- */

static bailey_status check_element(const bailey_field *f, const char *name, const void *at, uint64_t i,
                                   int zero)
{
    char words[24];
    const int wide = f->type == BAILEY_FIELD_TYPE_UINT64;
    if (is_valid(f, element(f, at, i), zero)) return BAILEY_OK; /* most calls: the words cost more than the rest */
    if (wide) snprintf(words, sizeof words, "%llu", (unsigned long long)((const uint64_t *)at)[i]);
    return check_number(f, name, element(f, at, i), wide ? words : NULL, zero);
}

/* "spot[1]", "covariance[0][1]" */
static bailey_status check_elements(const bailey_field *f, const void *at, uint64_t count, uint64_t row)
{
    for (uint64_t i = 0; i < count; i++) {
        char name[96];
        const double value = element(f, at, i);
        if (isfinite(value) ? is_in(f, value) : isnan(value) && f->nan) continue;
        if (row < count)
            snprintf(name, sizeof name, "%s[%llu][%llu]", f->name, (unsigned long long)(i / row),
                     (unsigned long long)(i % row));
        else
            snprintf(name, sizeof name, "%s[%llu]", f->name, (unsigned long long)i);
        return check_element(f, name, at, i, 0);
    }
    return BAILEY_OK;
}

static bailey_status check_pointer(const bailey_record *record, const void *values, const bailey_field *f)
{
    const void *at;
    uint64_t row = 0;
    int known;
    memcpy(&at, (const unsigned char *)values + f->offset, sizeof at);
    const uint64_t count = bly_record_elements(record, values, f, NULL, &row, &known);
    if (!at && f->needed && (!known || count)) return bly_fail_argument(f->name, "%s is NULL", f->name);
    if (!at || !known || !is_whole(f) || !is_number(f) || f->output) return BAILEY_OK;
    return check_elements(f, at, count, row);
}

static bailey_status check_field(const bailey_record *record, const void *values, const bailey_field *f)
{
    const unsigned char *at = (const unsigned char *)values + f->offset;
    if (f->output && !f->pointer) return BAILEY_OK;
    if (f->pointer) return check_pointer(record, values, f);
    if (f->type == BAILEY_FIELD_TYPE_RECORD && !f->count)
        return bailey_record_check(bailey_describe(f->record), at);
    if (is_number(f))
        return f->count ? check_elements(f, at, f->count, f->count) : check_element(f, f->name, at, 0, 1);
    if (f->needed) {
        void *held;
        memcpy(&held, at, sizeof held);
        if (!held) return bly_fail_argument(f->name, "%s is NULL", f->name);
    }
    return BAILEY_OK;
}

/* The last field is followed by `reserved`, which is not a field. */
static bailey_status check_rest(const bailey_record *record, const void *values)
{
    uint64_t reserved[4];
    memcpy(reserved, (const unsigned char *)values + record->size - sizeof reserved, sizeof reserved);
    return bly_check_reserved(reserved);
}

bailey_status bailey_record_check(const bailey_record *record, const void *values)
{
    if (!record) return bly_fail_argument("record", "record is NULL");
    if (!values) return bly_fail_argument("values", "values is NULL");
    bailey_status status = BAILEY_OK;
    /* Counts come before the arrays that have as many elements. */
    for (uint32_t pointers = 0; pointers <= 1; pointers++)
        for (uint32_t i = 0; i < record->field_count && status == BAILEY_OK; i++)
            if (record->fields[i].pointer == pointers)
                status = check_field(record, values, &record->fields[i]);
    return status == BAILEY_OK ? check_rest(record, values) : status;
}
