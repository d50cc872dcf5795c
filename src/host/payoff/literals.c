/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Literals. 0.1 is a real, rounded once from its decimal digits to the precision of the unit; 1 is an int.
 */
#define _GNU_SOURCE /* uselocale */
#include "parser.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DECIMAL "0123456789"
#define HEX "0123456789abcdefABCDEF"

/* A literal, by itself. */
struct literal {
    struct bly_parser *p;
    const struct bly_token *token;
    char text[BLY_MOST_NUMBER + 1];
};

/* The end of an exponent at s, or s where there is none. */
static const char *after_exponent(const char *s, const char *letters)
{
    if (!*s || !strchr(letters, *s)) return s;
    const char *digits = s + 1 + (s[1] == '+' || s[1] == '-'), *end = digits + strspn(digits, DECIMAL);
    return end > digits ? end : s;
}

/* The end of a floating literal without its suffix, or NULL. *zero: all digits before the exponent are 0. */
static const char *after_real(const char *text, bool *zero)
{
    const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = hex ? HEX : DECIMAL, *begin = text + (hex ? 2 : 0);
    const char *whole = begin + strspn(begin, digits), *s = whole;
    if (*s == '.') s += 1 + strspn(s + 1, digits);
    const bool point = s > whole;
    const char *end = after_exponent(s, hex ? "pP" : "eE");
    *zero = begin + strspn(begin, "0.") >= s;
    return s - begin == (int)point || (end == s && (hex || !point)) ? NULL : end;
}

/* The point is '.', whatever the program's locale. */
static double rounded(const char *text, bool f32)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t callers = plain ? uselocale(plain) : (locale_t)0;
    const double value = f32 ? (double)strtof(text, NULL) : strtod(text, NULL);
    if (plain) {
        uselocale(callers);
        freelocale(plain);
    }
    return value;
}

_Noreturn static void stop_no_number(const struct literal *l)
{
    bly_stop(l->p, l->token->place, "%s is not a number", l->text);
}

/* Its value is normal or 0: devices differ in whether they keep subnormal numbers. */
static struct bly_expression *real_number(struct literal *l, const char *end, bool zero)
{
    const bool f32 = l->p->unit->precision == BAILEY_PRECISION_F32;
    if (*end && (!strchr("fFlL", *end) || end[1])) stop_no_number(l);
    l->text[end - l->text] = 0;
    const double value = rounded(l->text, f32);
    if (!zero && (!isfinite(value) || value < (f32 ? (double)FLT_MIN : DBL_MIN)))
        bly_stop(l->p, l->token->place, "%s is beyond what a %s-precision number holds", l->text,
                 f32 ? "single" : "double");
    struct bly_expression *e = bly_node(l->p, BLY_NUMBER, &bly_type_real, l->token);
    e->real = zero ? 0 : value;
    return e;
}

/* The end of an integer literal without its suffix, or NULL; its value, at most 2^32. */
static const char *after_integer(const char *text, uint64_t *value)
{
    const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X'), octal = !hex && text[0] == '0';
    const char *begin = text + (hex ? 2 : 0), *digits = hex ? HEX : octal ? "01234567" : DECIMAL;
    const char *end = begin + strspn(begin, digits);
    const uint64_t base = hex ? 16 : octal ? 8 : 10;
    *value = 0;
    for (const char *s = begin; s < end; s++) {
        const char lower = (char)(*s | 0x20);
        *value = *value * base + (uint64_t)(*s <= '9' ? *s - '0' : lower - 'a' + 10);
        if (*value > UINT32_MAX) *value = (uint64_t)UINT32_MAX + 1;
    }
    return end > begin ? end : NULL;
}

static struct bly_expression *integer_number(struct literal *l)
{
    uint64_t value;
    const char *end = after_integer(l->text, &value);
    if (end && strspn(end, "uUlL") == strlen(end) && strpbrk(end, "lL"))
        bly_stop(l->p, l->token->place, "%s: the suffix L is not supported; write (int64)%.*s", l->text,
                 (int)(end - l->text), l->text);
    const bool is_unsigned = end && (*end == 'u' || *end == 'U');
    if (!end || (*end && (!is_unsigned || end[1]))) stop_no_number(l);
    if (value > UINT32_MAX || (!is_unsigned && value > INT32_MAX))
        bly_stop(l->p, l->token->place, "%s does not fit %s", l->text,
                 is_unsigned ? "uint32" : "int: it exceeds 2147483647");
    struct bly_expression *e =
        bly_node(l->p, BLY_NUMBER, is_unsigned ? &bly_type_uint32 : &bly_type_int, l->token);
    e->integer = (int64_t)value;
    return e;
}

struct bly_expression *bly_parse_number(struct bly_parser *p)
{
    struct literal l = {.p = p, .token = p->token++};
    bool zero;
    memcpy(l.text, l.token->text, l.token->length);
    const char *end = after_real(l.text, &zero);
    return end ? real_number(&l, end, zero) : integer_number(&l);
}
