/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The fields of params and state.
 */
#include "payoff_scan.h"

#include <base/alloc.h>
#include <base/status.h>

#include <string.h>

#define MOST_FIELDS 64u
#define MOST_VALUE ((int64_t)1 << 31) /* in between */

/* A constant expression. Once it fails, k stays where it is. */
struct sum {
    const struct bly_scan *scan;
    uint32_t k, end;
    int failed;
};

static int64_t sum(struct sum *s);

static int64_t atom(struct sum *s)
{
    const struct bly_scan *scan = s->scan;
    const uint32_t k = s->k;
    uint32_t value = 0;
    if (s->failed || k >= s->end) return s->failed = 1;
    s->k = bly_after(scan, k);
    if (bly_is(scan, k, "DIMS")) return scan->dims;
    if (bly_is(scan, k, "STEPS") && !scan->motion) return scan->steps;
    if (bly_is(scan, k, "LEVELS") && scan->motion) return scan->motion;
    if (bly_flags(scan, k) & BLY_WORD_NUMBER) return bly_word_of(scan, k)->value;
    if (bly_number_plain(&scan->tokens[k], &value)) return value;
    if (!bly_is(scan, k, "(")) return s->failed = 1;
    const int64_t inner = sum(s);
    if (!bly_is(scan, s->k, ")")) s->failed = 1;
    s->k = bly_after(scan, s->k);
    return inner;
}

static int64_t bounded(struct sum *s, int64_t value)
{
    if (value > -MOST_VALUE && value < MOST_VALUE) return value;
    s->failed = 1;
    return 0;
}

static int64_t product(struct sum *s)
{
    int64_t value = bounded(s, atom(s));
    while (!s->failed && s->k < s->end && bly_is(s->scan, s->k, "*")) {
        s->k = bly_after(s->scan, s->k);
        value = bounded(s, value * bounded(s, atom(s)));
    }
    return value;
}

static int64_t sum(struct sum *s)
{
    int64_t value = product(s);
    while (!s->failed && s->k < s->end && (bly_is(s->scan, s->k, "+") || bly_is(s->scan, s->k, "-"))) {
        const int minus = bly_is(s->scan, s->k, "-");
        s->k = bly_after(s->scan, s->k);
        const int64_t next = product(s);
        value = bounded(s, minus ? value - next : value + next);
    }
    return value;
}

int bly_size_read(const struct bly_scan *scan, uint32_t begin, uint32_t end, uint32_t *value)
{
    struct sum s = {.scan = scan, .k = begin, .end = end};
    const int64_t found = sum(&s);
    *value = (uint32_t)found;
    return !s.failed && s.k == end && found > 0;
}

static int type_of(const struct bly_scan *scan, uint32_t k, enum bly_field_type *type)
{
    static const struct {
        const char *name;
        enum bly_field_type type;
    } types[] = {{"real", BLY_FIELD_REAL},     {"int", BLY_FIELD_INT},     {"int32", BLY_FIELD_INT},
                 {"uint32", BLY_FIELD_UINT32}, {"int64", BLY_FIELD_INT64}, {"uint64", BLY_FIELD_UINT64}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (bly_is(scan, k, types[i].name)) {
            *type = types[i].type;
            return 1;
        }
    return 0;
}

struct fields {
    struct bly_scan *scan;
    const char *what;
    struct bly_field *list;
    uint32_t count;
};

static bailey_status check_name(const struct fields *f, uint32_t k)
{
    const struct bly_scan *scan = f->scan;
    const struct bly_token *token = &scan->tokens[k];
    if (token->kind != BLY_TOKEN_WORD)
        return bly_refuse(scan, token->line, "a name is missing in %s", f->what);
    if (bly_flags(scan, k) & BLY_WORD_FIXED)
        return bly_refuse(scan, token->line, "%.*s has a meaning of its own and cannot be declared",
                          BLY_SHOWN(token));
    if (f->count == MOST_FIELDS)
        return bly_refuse(scan, token->line, "more than %u fields in %s", MOST_FIELDS, f->what);
    for (uint32_t i = 0; i < f->count; i++)
        if (bly_is(scan, k, f->list[i].name))
            return bly_refuse(scan, token->line, "a second %.*s in %s", BLY_SHOWN(token), f->what);
    return BAILEY_OK;
}

/* A declarator; *k is after it then. */
static bailey_status field(struct fields *f, enum bly_field_type type, uint32_t *k)
{
    struct bly_scan *scan = f->scan;
    const bailey_status status = check_name(f, *k);
    if (status != BAILEY_OK) return status;
    const struct bly_token *token = &scan->tokens[*k];
    struct bly_field *added = &f->list[f->count++];
    memcpy(added->name, token->text, token->length);
    added->type = type;
    added->count = 1;
    struct bly_word *word = bly_word_of(scan, *k);
    word->flags = (word->flags | BLY_WORD_FIELD) & ~(uint32_t)BLY_WORD_PARAMS_ARRAY;
    *k = bly_after(scan, *k);
    if (!bly_is(scan, *k, "[")) return BAILEY_OK;
    const uint32_t end = scan->tokens[*k].mate;
    added->array = 1;
    if (strcmp(f->what, "params") == 0) word->flags |= BLY_WORD_PARAMS_ARRAY;
    if (!bly_size_read(scan, bly_after(scan, *k), end, &added->count))
        return bly_refuse(scan, token->line,
                          "the size of %s must be a number of at least 1, made of numbers, DIMS and STEPS",
                          added->name);
    *k = bly_after(scan, end);
    if (bly_is(scan, *k, "["))
        return bly_refuse(scan, token->line, "%s has more than one dimension", added->name);
    return BAILEY_OK;
}

/* One declaration; *k is after its semicolon then. */
static bailey_status declaration(struct fields *f, uint32_t *k)
{
    const struct bly_scan *scan = f->scan;
    enum bly_field_type type;
    if (!type_of(scan, *k, &type))
        return bly_refuse(scan, scan->tokens[*k].line,
                          "%.*s in %s: a field is real, int, uint32, int64 or uint64, or an array of them",
                          BLY_SHOWN(&scan->tokens[*k]), f->what);
    do {
        *k = bly_after(scan, *k);
        const bailey_status status = field(f, type, k);
        if (status != BAILEY_OK) return status;
    } while (bly_is(scan, *k, ","));
    if (!bly_is(scan, *k, ";"))
        return bly_refuse(scan, scan->tokens[*k].line, "%.*s in %s, where a semicolon should be",
                          BLY_SHOWN(&scan->tokens[*k]), f->what);
    *k = bly_after(scan, *k);
    return BAILEY_OK;
}

bailey_status bly_fields_read(struct bly_scan *scan, uint32_t open, const char *what,
                              struct bly_field **fields, uint32_t *count)
{
    struct fields f = {.scan = scan, .what = what, .list = bly_alloc(MOST_FIELDS, sizeof **fields)};
    *fields = f.list;
    if (!f.list) return bly_fail(BAILEY_ERROR_MEMORY, "no memory to read a payoff");
    bailey_status status = BAILEY_OK;
    uint32_t k = open + 1;
    for (; k < scan->tokens[open].mate && status == BAILEY_OK; k++)
        if (scan->tokens[k].directive)
            status = bly_refuse(scan, scan->tokens[k].line, "a # line within %s", what);
    k = open + 1;
    while (status == BAILEY_OK && k < scan->tokens[open].mate) status = declaration(&f, &k);
    *count = f.count;
    return status;
}

uint64_t bly_fields_place(struct bly_field *fields, uint32_t count, bailey_precision precision)
{
    uint64_t bytes = 0, largest = 1;
    for (uint32_t i = 0; i < count; i++) {
        const enum bly_field_type type = fields[i].type;
        const int wide = type == BLY_FIELD_INT64 || type == BLY_FIELD_UINT64 ||
                         (type == BLY_FIELD_REAL && precision == BAILEY_PRECISION_F64);
        const uint64_t size = wide ? 8 : 4;
        bytes = (bytes + size - 1) / size * size;
        fields[i].offset = (uint32_t)bytes;
        bytes += size * fields[i].count;
        if (size > largest) largest = size;
    }
    return (bytes + largest - 1) / largest * largest;
}
