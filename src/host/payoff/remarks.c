/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Remarks in comments, word by word; and the brackets behind parameters:
 *
 *     real rate, dividend; / * per year [usual < 1; default dividend 0; role rate rate] * /
 */
#define _GNU_SOURCE /* uselocale */
#include "comments.h"
#include "tokens.h"

#include <base/status.h>

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Words --------------------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/* Past spaces, and the stars that begin lines. */
static const char *after_spaces(const char *at, const char *end)
{
    bool begins = false;
    while (at < end && (is_space(*at) || (begins && *at == '*'))) {
        if (*at == '\n') begins = true;
        if (*at == '*') begins = false;
        at++;
    }
    return at;
}

static double number_of(const char *text, uint32_t length)
{
    char copy[64];
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t callers = plain ? uselocale(plain) : (locale_t)0;
    memcpy(copy, text, length);
    copy[length] = 0;
    const double value = strtod(copy, NULL);
    if (plain) {
        uselocale(callers);
        freelocale(plain);
    }
    return value;
}

/* The end of a decimal number at `at`, or NULL. */
static const char *after_number(const char *at, const char *end)
{
    const char *p = at + (at < end && (*at == '-' || *at == '+')), *digits = p;
    while (p < end && is_digit(*p)) p++;
    uint32_t count = (uint32_t)(p - digits);
    if (p < end && *p == '.') {
        const char *fraction = ++p;
        while (p < end && is_digit(*p)) p++;
        count += (uint32_t)(p - fraction);
    }
    if (!count) return NULL;
    if (p < end && (*p == 'e' || *p == 'E')) {
        const char *power = p + 1 + (p + 1 < end && (p[1] == '-' || p[1] == '+'));
        while (power < end && is_digit(*power)) p = ++power;
    }
    return p - at < 64 ? p : NULL;
}

static const char *after_sign(const char *at, const char *end)
{
    const bool two = at + 1 < end && at[1] == '=' && strchr("<>=!", *at) && *at;
    return at + 1 + two;
}

void bly_reader_next(struct bly_reader *r)
{
    r->text = after_spaces(r->at, r->end);
    r->kind = BLY_REMARK_END;
    r->length = 0;
    r->at = r->text;
    if (r->text == r->end) return;
    const char *p = after_number(r->text, r->end);
    r->kind = p ? BLY_REMARK_NUMBER : is_letter(*r->text) ? BLY_REMARK_WORD : BLY_REMARK_SIGN;
    if (r->kind == BLY_REMARK_WORD)
        for (p = r->text; p < r->end && (is_letter(*p) || is_digit(*p));) p++;
    if (r->kind == BLY_REMARK_SIGN) p = after_sign(r->text, r->end);
    r->at = p;
    r->length = (uint32_t)(p - r->text);
    if (r->kind == BLY_REMARK_NUMBER) r->number = number_of(r->text, r->length);
}

struct bly_reader bly_reader_of(struct bly_unit *unit, const struct bly_comment *comment, const char *at,
                                const char *end)
{
    struct bly_reader reader = {.unit = unit, .comment = comment, .at = at, .end = end};
    bly_reader_next(&reader);
    return reader;
}

bool bly_reader_is(const struct bly_reader *r, const char *word)
{
    return strlen(word) == r->length && memcmp(r->text, word, r->length) == 0;
}

bool bly_reader_takes(struct bly_reader *r, const char *word)
{
    if (!bly_reader_is(r, word)) return false;
    bly_reader_next(r);
    return true;
}

/* ---- Places and messages ------------------------------------------------------------------------- */

struct bly_place bly_place_in(const struct bly_comment *comment, const char *at)
{
    struct bly_place place = {comment->place.line, comment->place.column + 2 + comment->heads};
    for (const char *p = comment->text; p < at; p++) {
        if (*p == '\n') place = (struct bly_place){place.line + 1, 0};
        place.column += ((unsigned char)*p & 0xc0) != 0x80; /* characters of UTF-8 */
    }
    return place;
}

bailey_status bly_reader_refuse(const struct bly_reader *r, const char *format, ...)
{
    char words[600], shown[600];
    va_list arguments;
    va_start(arguments, format);
    bly_format(words, sizeof words, format, arguments);
    va_end(arguments);
    bly_safe_text(words, strlen(words), " ?", shown, sizeof shown);
    return bly_refuse_at(r->unit, bly_place_in(r->comment, r->text), "%s", shown);
}

/* The current word, as messages show it. */
#define SHOWN(r)                                                                                             \
    (r)->kind == BLY_REMARK_END ? 7 : (int)((r)->length < 60 ? (r)->length : 60),                            \
        (r)->kind == BLY_REMARK_END ? "nothing" : (r)->text

const char *bly_prose(struct bly_unit *unit, const char *from, const char *to)
{
    const size_t size = (size_t)(to - from) + 1;
    char *text = bly_arena_take(&unit->arena, size), *shown = bly_arena_take(&unit->arena, size);
    size_t used = 0;
    if (!text || !shown) return NULL;
    for (from = after_spaces(from, to); from < to;) {
        if (!is_space(*from)) {
            text[used++] = *from++;
            continue;
        }
        from = after_spaces(from, to);
        if (from < to) text[used++] = ' ';
    }
    bly_safe_text(text, used, " ?", shown, size);
    return shown;
}

/* ---- Brackets ------------------------------------------------------------------------------------ */

static bool begins_word(const char *from, const char *at)
{
    return at == from || is_space(at[-1]) || at[-1] == '*';
}

/* The end of the interval whose bracket is at `at`: behind "in", or NULL if it is none. */
static const char *after_interval(const char *from, const char *at, const char *end)
{
    const char *word = at;
    while (word > from && is_space(word[-1])) word--;
    if (word - from < 2 || word[-1] != 'n' || word[-2] != 'i' || (word - from > 2 && is_letter(word[-3])))
        return NULL;
    while (at < end && *at != ']' && *at != ')') at++;
    return at < end ? at + 1 : NULL;
}

/* Behind the bracket that is closed, or NULL. */
static const char *after_bracket(const char *at, const char *end)
{
    const char *from = ++at;
    while (at < end && *at != ']') {
        const char *after = *at == '[' || *at == '(' ? after_interval(from, at, end) : NULL;
        if (!after && *at == '[') return NULL;
        at = after ? after : at + 1;
    }
    return at < end ? at + 1 : NULL;
}

/* A bracket with nothing but a number refers to something: [3]. */
static bool is_reference(const char *at, const char *end)
{
    for (at++; at < end - 1; at++)
        if (!is_digit(*at)) return false;
    return true;
}

const char *bly_bracket_find(const char *from, const char *end)
{
    while (end > from && is_space(end[-1])) end--;
    for (const char *at = from; at < end; at++) {
        if (*at != '[' || !begins_word(from, at)) continue;
        const char *after = after_bracket(at, end);
        if (after == end) return is_reference(at, end) ? NULL : at;
        if (after) at = after - 1;
    }
    return NULL;
}

/* ---- Items --------------------------------------------------------------------------------------- */

enum { KNOWN_UNIT = 1, KNOWN_DEFAULT = 2, KNOWN_ROLE = 4, KNOWN_CHOICES = 8 };

/* The brackets being read, and the parameters first .. first + count - 1 that an item is of. */
struct items {
    struct bly_reader r;
    struct bly_remarks *all;
    uint32_t all_count, first, count;
};

static uint32_t find_name(const struct items *t, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count && t->r.kind == BLY_REMARK_WORD; i++)
        if (bly_reader_is(&t->r, t->all[i].parameter->name)) return i;
    return BLY_NO_PARAMETER;
}

static bool at_end(const struct bly_reader *r) { return r->kind == BLY_REMARK_END || bly_reader_is(r, ";"); }

/* "default dividend 0": of one of several. */
static void narrow(struct items *t)
{
    const uint32_t found = find_name(t, t->first, t->count);
    struct items after = *t;
    if (found == BLY_NO_PARAMETER) return;
    bly_reader_next(&after.r);
    if (at_end(&after.r)) return;
    *t = after;
    t->first = found;
    t->count = 1;
}

static bailey_status know(struct items *t, uint32_t bit, const char *what)
{
    for (uint32_t i = t->first; i < t->first + t->count; i++) {
        if (t->all[i].known & bit)
            return bly_reader_refuse(&t->r, "the %s of %s occurs twice", what, t->all[i].parameter->name);
        t->all[i].known |= bit;
    }
    return BAILEY_OK;
}

static bailey_status wants_number(const struct bly_reader *r, const char *after)
{
    return r->kind == BLY_REMARK_NUMBER && isfinite(r->number)
               ? BAILEY_OK
               : bly_reader_refuse(r, "%.*s found where %s needs a number", SHOWN(r), after);
}

/* What a range says: the values that are allowed, those that are usual, those with derivatives along paths. */
enum range { RANGE, USUAL, DIFFERENTIABLE };

static bailey_status set_end(struct items *t, enum range of, bool high, bool open, double value)
{
    for (uint32_t i = t->first; i < t->first + t->count; i++) {
        bailey_parameter *p = t->all[i].parameter;
        bailey_interval *interval = of == USUAL            ? &p->usual
                                    : of == DIFFERENTIABLE ? &t->all[i].differentiable
                                                           : &p->range;
        double *end = high ? &interval->high : &interval->low;
        if (!isinf(*end))
            return bly_reader_refuse(&t->r, "%s has two %s ends", p->name, high ? "upper" : "lower");
        *end = value;
        *(high ? &interval->high_open : &interval->low_open) = open;
        if (!(interval->low < interval->high ||
              (interval->low == interval->high && !interval->low_open && !interval->high_open)))
            return bly_reader_refuse(&t->r, "the range of %s is empty: from %g to %g", p->name, interval->low,
                                     interval->high);
    }
    return BAILEY_OK;
}

/* > 0, also "> 0 and < 1". */
static bailey_status read_bounds(struct items *t, enum range of)
{
    do {
        const bool high = t->r.text[0] == '<', open = t->r.length == 1;
        if (t->r.text[0] != '<' && t->r.text[0] != '>')
            return bly_reader_refuse(&t->r, "%.*s found instead of > or <", SHOWN(&t->r));
        bly_reader_next(&t->r);
        bailey_status status = wants_number(&t->r, high ? "<" : ">");
        if (status == BAILEY_OK) status = set_end(t, of, high, open, t->r.number);
        if (status != BAILEY_OK) return status;
        bly_reader_next(&t->r);
    } while (bly_reader_takes(&t->r, "and"));
    return BAILEY_OK;
}

/* in [0, 1) */
static bailey_status read_interval(struct items *t, enum range of)
{
    for (int high = 0; high < 2; high++) {
        const char *const between[] = {"[", ","}, *const open[] = {"(", ")"};
        const bool opens = !high && bly_reader_is(&t->r, open[0]);
        if (!opens && !bly_reader_is(&t->r, between[high]))
            return bly_reader_refuse(
                &t->r, "%.*s: write a range such as in [0, 1], or in (0, 1) without its ends", SHOWN(&t->r));
        bly_reader_next(&t->r);
        bailey_status status = wants_number(&t->r, "a range");
        const double value = t->r.number;
        if (status != BAILEY_OK) return status;
        struct bly_reader after = t->r;
        bly_reader_next(&after);
        status = set_end(t, of, high, high ? bly_reader_is(&after, ")") : opens, value);
        if (status != BAILEY_OK) return status;
        t->r = after;
    }
    if (bly_reader_takes(&t->r, "]") || bly_reader_takes(&t->r, ")")) return BAILEY_OK;
    return bly_reader_refuse(&t->r, "%.*s found instead of ] or ) at the end of the range", SHOWN(&t->r));
}

/* The word in brackets behind a choice, or "". NULL without memory. */
static const char *read_choice_name(struct bly_reader *r)
{
    if (!bly_reader_is(r, "(")) return "";
    const char *from = r->at, *to = from;
    while (to < r->end && *to != ')') to++;
    r->at = to < r->end ? to + 1 : to;
    bly_reader_next(r);
    return bly_prose(r->unit, from, to);
}

#define MOST_CHOICES 32u

/* 0 (out) or 1 (in) */
static bailey_status read_choices(struct items *t)
{
    bailey_choice choices[MOST_CHOICES];
    uint32_t count = 0;
    bailey_status status = know(t, KNOWN_CHOICES, "choice");
    if (status != BAILEY_OK) return status;
    do {
        if (count == MOST_CHOICES) return bly_reader_refuse(&t->r, "more than %u choices", MOST_CHOICES);
        status = wants_number(&t->r, "a choice");
        if (status != BAILEY_OK) return status;
        choices[count].value = t->r.number;
        bly_reader_next(&t->r);
        choices[count].name = read_choice_name(&t->r);
        if (!choices[count++].name) return bly_no_memory(t->r.unit);
    } while (bly_reader_takes(&t->r, ",") || bly_reader_takes(&t->r, "or"));
    if (count < 2)
        return bly_reader_refuse(
            &t->r, "a single number is not a range; write, for example, > 0, in [0, 1], or 0 or 1");
    bailey_choice *copy = bly_arena_take(&t->r.unit->arena, count * sizeof *copy);
    if (!copy) return bly_no_memory(t->r.unit);
    memcpy(copy, choices, count * sizeof *copy);
    for (uint32_t i = t->first; i < t->first + t->count; i++) {
        t->all[i].parameter->choices = copy;
        t->all[i].parameter->choice_count = count;
    }
    return BAILEY_OK;
}

static bailey_status read_range(struct items *t, enum range of)
{
    if (bly_reader_takes(&t->r, "in")) return read_interval(t, of);
    if (t->r.kind == BLY_REMARK_NUMBER && of == RANGE) return read_choices(t);
    if (t->r.kind == BLY_REMARK_SIGN && strchr("<>", t->r.text[0])) return read_bounds(t, of);
    if (of != RANGE)
        return bly_reader_refuse(&t->r, "%.*s is not a range; write, for example, usual < 1", SHOWN(&t->r));
    return bly_reader_refuse(
        &t->r,
        "%.*s is not known here; write a range (> 0, in [0, 1], 0 or 1), unit, default, role, "
        "usual or differentiable",
        SHOWN(&t->r));
}

/* All up to the next ; as prose. */
static bailey_status read_unit(struct items *t)
{
    bailey_status status = know(t, KNOWN_UNIT, "unit");
    if (status != BAILEY_OK) return status;
    if (at_end(&t->r)) return bly_reader_refuse(&t->r, "unit is empty; write, for example, unit per year");
    const char *from = t->r.text, *to = from;
    while (to < t->r.end && *to != ';') to++;
    const char *unit = bly_prose(t->r.unit, from, to);
    if (!unit) return bly_no_memory(t->r.unit);
    for (uint32_t i = t->first; i < t->first + t->count; i++) t->all[i].parameter->unit = unit;
    t->r.at = to;
    bly_reader_next(&t->r);
    return BAILEY_OK;
}

const char *bailey_role_name(bailey_role role)
{
    static const char *const names[] = {"",         "spot",    "strike",   "volatility",
                                        "variance", "rate",    "dividend", "correlation",
                                        "maturity", "barrier", "weight",   "sign"};
    return (unsigned)role < sizeof names / sizeof *names ? names[role] : "";
}

static bailey_status read_role(struct items *t)
{
    bailey_status status = know(t, KNOWN_ROLE, "role");
    if (status != BAILEY_OK) return status;
    char all[300] = "";
    for (int role = BAILEY_ROLE_SPOT; *bailey_role_name((bailey_role)role); role++) {
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "",
                 bailey_role_name((bailey_role)role));
        if (!bly_reader_is(&t->r, bailey_role_name((bailey_role)role))) continue;
        for (uint32_t i = t->first; i < t->first + t->count; i++)
            t->all[i].parameter->role = (bailey_role)role;
        bly_reader_next(&t->r);
        return BAILEY_OK;
    }
    return bly_reader_refuse(&t->r, "%.*s is not a role; roles are %s", SHOWN(&t->r), all);
}

/* 1 / DIMS */
static bailey_status divide(struct bly_reader *r, double *value)
{
    if (!bly_reader_takes(r, "/")) return BAILEY_OK;
    const bool dims = bly_reader_is(r, "DIMS"), steps = bly_reader_is(r, "STEPS");
    if (!dims && !steps && !(r->kind == BLY_REMARK_NUMBER && r->number != 0))
        return bly_reader_refuse(r, "%.*s: a default can be divided only by DIMS, STEPS or a number",
                                 SHOWN(r));
    if (steps && !r->unit->steps)
        return bly_reader_refuse(r, "STEPS is not defined here: this code serves any number of steps");
    *value /= dims ? r->unit->dims : steps ? r->unit->steps : r->number;
    bly_reader_next(r);
    return BAILEY_OK;
}

static bailey_status read_default(struct items *t)
{
    bailey_status status = know(t, KNOWN_DEFAULT, "default");
    if (status != BAILEY_OK) return status;
    const struct bly_reader began = t->r;
    const uint32_t other = find_name(t, 0, t->all_count);
    double value = t->r.number;
    /* A product may name a parameter of its model. */
    const bool models = t->r.unit->kind == BLY_UNIT_PRODUCT && t->r.kind == BLY_REMARK_WORD;
    if (other == BLY_NO_PARAMETER && t->r.kind != BLY_REMARK_NUMBER && !models)
        return bly_reader_refuse(
            &t->r, "%.*s is neither a number nor a parameter; write, for example, default 0 or default spot",
            SHOWN(&t->r));
    bly_reader_next(&t->r);
    const bool is_number = other == BLY_NO_PARAMETER && !models;
    if (is_number && (status = divide(&t->r, &value)) != BAILEY_OK) return status;
    const char *text = bly_prose(t->r.unit, began.text, t->r.text);
    if (!text) return bly_no_memory(t->r.unit);
    for (uint32_t i = t->first; i < t->first + t->count; i++) {
        struct bly_remarks *m = &t->all[i];
        m->parameter->default_kind = is_number ? BAILEY_DEFAULT_KIND_NUMBER : BAILEY_DEFAULT_KIND_PARAMETER;
        m->parameter->default_value = is_number ? value : 0;
        m->parameter->default_code = text;
        m->default_of = other;
        m->default_place = bly_place_in(began.comment, began.text);
    }
    return BAILEY_OK;
}

static bailey_status read_item(struct items t, struct bly_reader *after)
{
    bailey_status (*const readers[])(struct items *) = {read_unit, read_default, read_role};
    static const char *const words[] = {"unit", "default", "role"};
    bailey_status status = BAILEY_ERROR_INVALID;
    int reader = 3;
    for (int i = 0; i < 3; i++)
        if (bly_reader_is(&t.r, words[i])) reader = i;
    const enum range of = bly_reader_is(&t.r, "usual")            ? USUAL
                          : bly_reader_is(&t.r, "differentiable") ? DIFFERENTIABLE
                                                                  : RANGE;
    if (reader < 3 || of != RANGE) bly_reader_next(&t.r);
    narrow(&t);
    status = reader < 3 ? readers[reader](&t) : read_range(&t, of);
    *after = t.r;
    return status;
}

bailey_status bly_remarks_read(struct bly_unit *unit, const struct bly_comment *comment, const char *at,
                               struct bly_remarks *all, uint32_t all_count, uint32_t first, uint32_t count)
{
    const char *end = comment->text + comment->length;
    while (end > at && end[-1] != ']') end--;
    struct items t = {.all = all, .all_count = all_count, .first = first, .count = count};
    t.r = bly_reader_of(unit, comment, at + 1, end - 1);
    for (;;) {
        struct bly_reader after = t.r;
        if (t.r.kind == BLY_REMARK_END) return BAILEY_OK;
        const bailey_status status = read_item(t, &after);
        if (status != BAILEY_OK) return status;
        t.r = after;
        if (t.r.kind != BLY_REMARK_END && !bly_reader_takes(&t.r, ";"))
            return bly_reader_refuse(&t.r, "%.*s found instead of ;", SHOWN(&t.r));
    }
}
