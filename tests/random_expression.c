/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The generator: expressions, and the text they are written to.
 *
 * Reals are kept finite, and away from subnormal numbers, of which devices are not promised to agree: an
 * expression knows between which powers of ten its magnitude is (or it is 0), and is tamed where these come
 * too far.
 */
#include "random_writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const type_names[TYPES] = {"real", "int", "uint32", "int64", "uint64"};

/* ---- Text ---------------------------------------------------------------------------------------- */

/* splitmix64. Source: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014. */
uint64_t random_payoff_below(uint64_t *state, uint64_t n)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (z ^ z >> 31) % n;
}

uint64_t draw(struct writer *w, uint64_t n) { return random_payoff_below(&w->random, n); }

static void add_list(struct buffer *b, const char *format, va_list list)
{
    va_list again;
    va_copy(again, list);
    const size_t length = (size_t)vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (b->used + length + 1 > b->size) {
        b->size = 2 * (b->used + length + 1);
        b->text = realloc(b->text, b->size);
        if (!b->text) abort();
    }
    vsnprintf(b->text + b->used, length + 1, format, list);
    b->used += length;
}

void append(struct buffer *buffer, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    add_list(buffer, format, list);
    va_end(list);
}

const char *say(struct writer *w, const char *format, ...)
{
    va_list list;
    char *text = w->said + w->said_used;
    const size_t left = MOST_SAID - w->said_used;
    va_start(list, format);
    const size_t length = (size_t)vsnprintf(text, left, format, list);
    va_end(list);
    if (length >= left) abort(); /* a statement of a megabyte */
    w->said_used += length + 1;
    return text;
}

void write_line(struct writer *w, const char *format, ...)
{
    va_list list;
    append(&w->code, "%*s", (int)(4 * w->indent), "");
    va_start(list, format);
    add_list(&w->code, format, list);
    va_end(list);
    append(&w->code, "\n");
    if (w->said_used > MOST_SAID / 2) w->said_used = 0;
}

void free_writer(struct writer *w)
{
    free(w->params.text);
    free(w->state.text);
    free(w->code.text);
    free(w->later.text);
    free(w);
}

void add_variable(struct writer *w, enum type type, uint32_t count, int writable, const char *format, ...)
{
    struct variable *v = &w->variables[w->variable_count];
    va_list list;
    if (w->variable_count + 1 < MOST_VARIABLES) w->variable_count++;
    va_start(list, format);
    vsnprintf(v->name, sizeof v->name, format, list);
    va_end(list);
    v->type = type;
    v->count = count;
    v->writable = writable;
}

/* ---- Literals and names -------------------------------------------------------------------------- */

const char *real_literal(struct writer *w)
{
    static const char *const literals[] = {"0.1",  "2.5", "1",     "0.75", "3.0",
                                           "1e-2", ".5",  "12.25", "100",  "0x1.8p1"};
    return literals[draw(w, 10)];
}

const char *integer_literal(struct writer *w)
{
    static const char *const literals[] = {"0",          "1",     "2",  "7",  "0xff",
                                           "2147483647", "65535", "13", "1u", "0x80000000u"};
    return literals[draw(w, 10)];
}

/* A variable of the type in scope, writable where that is asked for, or NULL. */
static const struct variable *find(struct writer *w, enum type type, int writable)
{
    if (!w->variable_count) return NULL;
    for (int tries = 0; tries < 12; tries++) {
        const struct variable *v = &w->variables[draw(w, w->variable_count)];
        if (v->type == type && (v->writable || !writable)) return v;
    }
    return NULL;
}

static const char *integer_leaf(struct writer *w);

/* Parameters are what no check knows: only what they decide may fail without being refused. */
const char *index_of(struct writer *w, uint32_t count)
{
    const struct variable *v;
    if (w->options->faults && w->has_params && draw(w, 16) == 0)
        return say(w, "p->k%u_n + (%s & 3)", w->program, integer_leaf(w));
    switch (draw(w, 4)) {
    case 0: return say(w, "%u", (unsigned)draw(w, count));
    case 1:
        v = find(w, UINT32, 0);
        if (v && !v->count) return say(w, "%s %% %uu", v->name, count);
        return say(w, "%u", (unsigned)draw(w, count));
    case 2: return say(w, "(uint32)(%s) %% %uu", value_of(w, INT, 2), count);
    default: return say(w, "(int)((uint64)(%s) %% (uint64)%u)", value_of(w, INT64, 1), count);
    }
}

static const char *named(struct writer *w, const struct variable *v)
{
    return v->count ? say(w, "%s[%s]", v->name, index_of(w, v->count)) : v->name;
}

const char *place_of(struct writer *w, enum type *type)
{
    for (int tries = 0; tries < 8; tries++) {
        *type = (enum type)draw(w, TYPES);
        const struct variable *v = find(w, *type, 1);
        if (v) return named(w, v);
    }
    return NULL;
}

/* ---- Integers ------------------------------------------------------------------------------------ */

static const char *integer(struct writer *w, uint32_t depth);

static const char *integer_leaf(struct writer *w)
{
    const struct variable *v = find(w, (enum type)(1 + draw(w, INTEGER_TYPES)), 0);
    if (v && draw(w, 3)) return named(w, v);
    switch (draw(w, 6)) {
    case 0: return say(w, "K%u_HIGH", w->program);
    case 1: return say(w, "k%u_codes[%u]", w->program, (unsigned)draw(w, 3));
    case 2: return draw(w, 2) ? "STEPS" : "DIMS";
    default: return integer_literal(w);
    }
}

/* An integer of 32 bits from 1 to 8, or any where a fault is asked for. */
static const char *divisor(struct writer *w, uint32_t depth)
{
    if (w->options->faults && w->has_params && draw(w, 8) == 0)
        return say(w, "(p->k%u_n - (%s & 3))", w->program, integer(w, depth));
    return say(w, "((%s & 7) + 1)", integer(w, depth));
}

static const char *shift(struct writer *w, uint32_t depth)
{
    const char *sign = draw(w, 2) ? "<<" : ">>", *type = draw(w, 2) ? "uint32" : "uint64";
    const char *a = w->options->plain ? integer_leaf(w) : integer(w, depth), *by = integer(w, depth);
    if (w->options->plain) return say(w, "((%s)%s %s (int)(%s & 31))", type, a, sign, by);
    return say(w, "(%s %s %s)", a, sign, by);
}

/* A real as an integer; in plain code it fits. */
static const char *whole_part(struct writer *w, uint32_t depth)
{
    const char *value = value_of(w, REAL, depth);
    const char *type = type_names[1 + draw(w, INTEGER_TYPES)];
    if (w->options->plain) return say(w, "(%s)floor(fmin(fabs(%s), 100000))", type, value);
    if (draw(w, 4) == 0) return say(w, "(%s)(%s * 1e15)", type, value);
    return say(w, "(%s)(%s)", type, value);
}

static const char *integer_choice(struct writer *w, uint32_t depth)
{
    const uint64_t kind = draw(w, 6);
    const char *type = type_names[1 + draw(w, INTEGER_TYPES)];
    if (kind == 1) return whole_part(w, depth);
    if (kind == 3) return shift(w, depth);
    if (kind == 5) return say(w, "(%s)", condition(w, depth));
    const char *a = integer(w, depth), *b = integer(w, depth), *which = condition(w, depth);
    if (kind == 0) return say(w, "(%s ? %s : %s)", which, a, b);
    return kind == 2 ? say(w, "(%s)(%s)", type, a) : say(w, "K%u_MIX(%s, %s)", w->program, a, b);
}

static const char *integer(struct writer *w, uint32_t depth)
{
    static const char *const signs[] = {"+", "-", "*", "&", "|", "^"};
    if (depth == 0 || draw(w, 5) == 0) return integer_leaf(w);
    depth--;
    const uint64_t kind = draw(w, 8), sign = draw(w, 6);
    if (kind >= 2 && kind <= 4) return integer_choice(w, depth);
    const char *a = integer(w, depth);
    if (kind == 1) return say(w, sign & 1 ? "(-%s)" : "(~%s)", a);
    const char *b = kind == 0 ? divisor(w, depth) : integer(w, depth);
    return say(w, "(%s %s %s)", a, kind != 0 ? signs[sign] : sign & 1 ? "/" : "%", b);
}

/* ---- Reals --------------------------------------------------------------------------------------- */

/* 0, or of a magnitude from 10^low to 10^high. */
struct number {
    const char *text;
    int low, high;
};

#define TAME_LOW -9
#define TAME_HIGH 6

static struct number tamed(struct writer *w, struct number n)
{
    if (n.low >= -30 && n.high <= 30) return n;
    return (struct number){say(w, "tame(%s)", n.text), TAME_LOW, TAME_HIGH};
}

static struct number real(struct writer *w, uint32_t depth);

static struct number real_leaf(struct writer *w)
{
    const struct variable *v = find(w, REAL, 0);
    if (v && draw(w, 4)) return (struct number){say(w, "tame(%s)", named(w, v)), TAME_LOW, TAME_HIGH};
    if (w->has_path && draw(w, 2)) {
        const char *step = index_of(w, w->options->steps);
        if (draw(w, 2)) return (struct number){say(w, "time(x, %s)", step), -3, 3};
        return (struct number){say(w, "tame(at(x, %s, %u))", step, (unsigned)draw(w, w->options->dims)),
                               TAME_LOW, TAME_HIGH};
    }
    return (struct number){real_literal(w), -2, 2};
}

static struct number sum(struct writer *w, uint32_t depth)
{
    const struct number a = real(w, depth), b = real(w, depth);
    const char *text = say(w, draw(w, 2) ? "(%s + %s)" : "(%s - %s)", a.text, b.text);
    const int low = a.low < b.low ? a.low : b.low, high = a.high > b.high ? a.high : b.high;
    return tamed(w, (struct number){text, low - 17, high + 1});
}

static struct number product(struct writer *w, uint32_t depth)
{
    const struct number a = real(w, depth), b = real(w, depth);
    return tamed(w, (struct number){say(w, "(%s * %s)", a.text, b.text), a.low + b.low, a.high + b.high});
}

static struct number quotient(struct writer *w, uint32_t depth)
{
    const struct number a = real(w, depth), b = real(w, depth);
    return tamed(w, (struct number){say(w, "(%s / (fabs(%s) + 0.5))", a.text, b.text),
                                    a.low - (b.high > 0 ? b.high + 1 : 1), a.high + 1});
}

static struct number call_of_one(struct writer *w, uint32_t depth)
{
    const char *a = real(w, depth).text;
    switch (draw(w, 8)) {
    case 0: return (struct number){say(w, "exp(fmax(fmin(%s, 20), -20))", a), -9, 9};
    case 1: return tamed(w, (struct number){say(w, "log(fabs(%s) + 0.001)", a), -31, 2});
    case 2: return (struct number){say(w, "sqrt(fabs(%s))", a), -16, 16};
    case 3: return (struct number){say(w, "normal_cdf(fmax(fmin(%s, 5), -5))", a), -7, 0};
    case 4: return tamed(w, (struct number){say(w, "floor(%s)", a), 0, 31});
    case 5: return tamed(w, (struct number){say(w, "ceil(%s)", a), 0, 31});
    case 6: return (struct number){say(w, "(-%s)", a), -30, 30};
    default: return (struct number){say(w, "fabs(%s)", a), -30, 30};
    }
}

static struct number call_of_more(struct writer *w, uint32_t depth)
{
    const struct number a = real(w, depth), b = real(w, depth);
    switch (draw(w, 4)) {
    case 0: return (struct number){say(w, "fmin(%s, %s)", a.text, b.text), -30, 30};
    case 1: return (struct number){say(w, "fmax(%s, %s)", a.text, b.text), -30, 30};
    case 2:
        return (struct number){
            say(w, "pow(fmin(fabs(%s), 1000) + 0.1, fmax(fmin(%s, 4), -4))", a.text, b.text), -13, 13};
    default:
        return tamed(w,
                     (struct number){say(w, "fma(%s, %s, %s)", a.text, b.text, real_leaf(w).text), -50, 50});
    }
}

static struct number own_call(struct writer *w, uint32_t depth)
{
    const uint32_t k = w->program;
    const struct variable *v = find(w, REAL, 0);
    if (w->has_own && v && v->count >= 3 && v->name[0] == 'v' && !strchr(v->name, '.'))
        return (struct number){say(w, "(real)k%u_code(%s, %s)", k, v->name, value_of(w, UINT64, depth)), 0,
                               10};
    const char *a = real(w, depth).text, *b = value_of(w, INT, depth);
    return (struct number){say(w, "tame(k%u_curve(%s, %s))", k, a, b), TAME_LOW, TAME_HIGH};
}

static struct number real_choice(struct writer *w, uint32_t depth)
{
    const struct number a = real(w, depth), b = real(w, depth);
    const int low = a.low < b.low ? a.low : b.low, high = a.high > b.high ? a.high : b.high;
    return (struct number){say(w, "(%s ? %s : %s)", condition(w, depth), a.text, b.text), low, high};
}

/* A real and an integer, which becomes one. */
static struct number mixed(struct writer *w, uint32_t depth)
{
    const struct number a = real(w, depth);
    const char *b = integer(w, depth);
    switch (draw(w, 3)) {
    case 0: return tamed(w, (struct number){say(w, "(%s * %s)", b, a.text), a.low, a.high + 20});
    case 1: return tamed(w, (struct number){say(w, "(%s - %s)", a.text, b), a.low - 17, 20});
    default: return (struct number){say(w, "(real)(%s)", b), 0, 20};
    }
}

static struct number real(struct writer *w, uint32_t depth)
{
    if (depth == 0 || draw(w, 6) == 0) return real_leaf(w);
    depth--;
    switch (draw(w, 10)) {
    case 0:
    case 1: return sum(w, depth);
    case 2:
    case 3: return product(w, depth);
    case 4: return quotient(w, depth);
    case 5: return call_of_one(w, depth);
    case 6: return call_of_more(w, depth);
    case 7: return real_choice(w, depth);
    case 8: return mixed(w, depth);
    default: return w->has_curve ? own_call(w, depth) : real_leaf(w);
    }
}

/* ---- All ----------------------------------------------------------------------------------------- */

const char *condition(struct writer *w, uint32_t depth)
{
    static const char *const signs[] = {"<", "<=", ">", ">=", "==", "!="};
    if (depth > 0) depth--;
    const uint64_t kind = draw(w, 6), sign = draw(w, 6);
    if (kind == 0 && depth > 0) return say(w, "!(%s)", condition(w, depth));
    const char *a = kind < 3 ? integer(w, depth) : real(w, depth).text;
    const char *b = kind < 3 ? integer(w, depth) : real(w, depth).text;
    if (kind == 1) return say(w, sign & 1 ? "(%s && %s)" : "(%s || %s)", a, b);
    return say(w, kind == 2 ? "%s %s %s" : "(%s %s %s)", a, signs[sign], b);
}

const char *value_of(struct writer *w, enum type type, uint32_t depth)
{
    if (type == REAL) {
        const struct number n = real(w, depth);
        return n.low >= TAME_LOW && n.high <= TAME_HIGH ? n.text : say(w, "tame(%s)", n.text);
    }
    const char *text = integer(w, depth);
    return draw(w, 3) ? text : say(w, "(%s)(%s)", type_names[type], text);
}
