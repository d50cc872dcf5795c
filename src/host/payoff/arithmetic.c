/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Numbers of the language: integers of two's complement that wrap around, reals of the unit's precision.
 * Reals are rounded after each operation; compiled with -ffp-contract=off as all of the library is.
 */
#include "machine.h"

#include <math.h>
#include <string.h>

bool bly_is_integer(const struct bly_type *type)
{
    return type->kind >= BLY_TYPE_INT && type->kind <= BLY_TYPE_UINT64;
}

static bool is_signed(const struct bly_type *type)
{
    return type->kind == BLY_TYPE_INT || type->kind == BLY_TYPE_INT64;
}

static uint32_t width(const struct bly_type *type)
{
    return type->kind == BLY_TYPE_INT || type->kind == BLY_TYPE_UINT32 ? 32 : 64;
}

bool bly_is_true(struct bly_cell cell, const struct bly_type *type)
{
    return type->kind == BLY_TYPE_REAL ? cell.real != 0 : cell.integer != 0;
}

struct bly_cell bly_integer_cell(int64_t value)
{
    return (struct bly_cell){.integer = value, .written = true};
}

struct bly_cell bly_real_cell(const struct bly_interpreter *m, double value)
{
    return (struct bly_cell){.real = m->single ? (double)(float)value : value, .written = true};
}

static int64_t as_signed(uint64_t bits)
{
    int64_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The value of bits that wrap around in a type. */
static int64_t wrapped(const struct bly_type *type, uint64_t bits)
{
    if (type->kind == BLY_TYPE_UINT32) return (int64_t)(bits & 0xffffffffu);
    if (width(type) == 64) return as_signed(bits);
    const int64_t low = (int64_t)(bits & 0xffffffffu);
    return low > INT32_MAX ? low - ((int64_t)1 << 32) : low;
}

/* ---- Conversions --------------------------------------------------------------------------------- */

struct limits {
    double low, beyond; /* from low to below beyond a real fits */
    int64_t least, most;
};

static struct limits limits_of(const struct bly_type *type)
{
    switch (type->kind) {
    case BLY_TYPE_UINT32: return (struct limits){0, 0x1p32, 0, UINT32_MAX};
    case BLY_TYPE_INT64: return (struct limits){-0x1p63, 0x1p63, INT64_MIN, INT64_MAX};
    case BLY_TYPE_UINT64: return (struct limits){0, 0x1p64, 0, -1};
    default: return (struct limits){-0x1p31, 0x1p31, INT32_MIN, INT32_MAX};
    }
}

static int64_t saturated(const struct bly_type *type, double value)
{
    const struct limits l = limits_of(type);
    if (isnan(value)) return 0;
    const double whole = trunc(value);
    if (whole < l.low) return l.least;
    if (whole >= l.beyond) return l.most;
    return type->kind == BLY_TYPE_UINT64 ? as_signed((uint64_t)whole) : (int64_t)whole;
}

/* Rounded once, to the precision. */
static double real_of_integer(const struct bly_interpreter *m, const struct bly_type *type, int64_t value)
{
    const uint64_t bits = (uint64_t)value;
    if (type->kind == BLY_TYPE_UINT64) return m->single ? (double)(float)bits : (double)bits;
    return m->single ? (double)(float)value : (double)value;
}

struct bly_cell bly_converted(const struct bly_interpreter *m, struct bly_cell from,
                              const struct bly_type *type, const struct bly_type *to)
{
    const bool from_real = type->kind == BLY_TYPE_REAL;
    if (to->kind == BLY_TYPE_REAL)
        return bly_real_cell(m, from_real ? from.real : real_of_integer(m, type, from.integer));
    return bly_integer_cell(from_real ? saturated(to, from.real) : wrapped(to, (uint64_t)from.integer));
}

/* ---- Arithmetic ---------------------------------------------------------------------------------- */

static float single_of(enum bly_expression_kind kind, float a, float b)
{
    switch (kind) {
    case BLY_ADD: return a + b;
    case BLY_SUBTRACT: return a - b;
    case BLY_MULTIPLY: return a * b;
    default: return a / b;
    }
}

static double double_of(enum bly_expression_kind kind, double a, double b)
{
    switch (kind) {
    case BLY_ADD: return a + b;
    case BLY_SUBTRACT: return a - b;
    case BLY_MULTIPLY: return a * b;
    default: return a / b;
    }
}

/* By 0 they are 0; the least number by -1 is itself, with remainder 0. */
static uint64_t divided(enum bly_expression_kind kind, const struct bly_type *type, int64_t a, int64_t b)
{
    const uint64_t x = (uint64_t)a, y = (uint64_t)b;
    if (b == 0) return 0;
    if (!is_signed(type)) return kind == BLY_DIVIDE ? x / y : x % y;
    if (b == -1) return kind == BLY_DIVIDE ? 0 - x : 0;
    return (uint64_t)(kind == BLY_DIVIDE ? a / b : a % b);
}

static uint64_t bits_of(enum bly_expression_kind kind, const struct bly_type *type, int64_t a, int64_t b)
{
    const uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (kind) {
    case BLY_ADD: return x + y;
    case BLY_SUBTRACT: return x - y;
    case BLY_MULTIPLY: return x * y;
    case BLY_BIT_AND: return x & y;
    case BLY_BIT_XOR: return x ^ y;
    case BLY_BIT_OR: return x | y;
    default: return divided(kind, type, a, b);
    }
}

/* Whether the exact result is another than `result`, of a signed type. */
static bool is_beyond(enum bly_expression_kind kind, int64_t a, int64_t b, int64_t result)
{
    int64_t exact = result;
    if (kind == BLY_ADD && __builtin_add_overflow(a, b, &exact)) return true;
    if (kind == BLY_SUBTRACT && __builtin_sub_overflow(a, b, &exact)) return true;
    if (kind == BLY_MULTIPLY && __builtin_mul_overflow(a, b, &exact)) return true;
    if (kind == BLY_DIVIDE && b == -1 && __builtin_sub_overflow((int64_t)0, a, &exact)) return true;
    return exact != result;
}

struct bly_cell bly_computed(const struct bly_interpreter *m, enum bly_expression_kind kind,
                             const struct bly_type *type, struct bly_cell a, struct bly_cell b, bool *wraps)
{
    *wraps = false;
    if (type->kind == BLY_TYPE_REAL)
        return bly_real_cell(m, m->single ? (double)single_of(kind, (float)a.real, (float)b.real)
                                          : double_of(kind, a.real, b.real));
    const int64_t result = wrapped(type, bits_of(kind, type, a.integer, b.integer));
    *wraps = is_signed(type) && is_beyond(kind, a.integer, b.integer, result);
    return bly_integer_cell(result);
}

struct bly_cell bly_shifted(enum bly_expression_kind kind, const struct bly_type *type, struct bly_cell value,
                            int64_t count)
{
    const uint32_t by = (uint32_t)((uint64_t)count & (width(type) - 1));
    const uint64_t bits = (uint64_t)value.integer; /* its sign is in all bits above */
    if (kind == BLY_SHIFT_LEFT) return bly_integer_cell(wrapped(type, bits << by));
    const uint64_t above = is_signed(type) && value.integer < 0 ? ~(~(uint64_t)0 >> by) : 0;
    return bly_integer_cell(wrapped(type, bits >> by | above));
}

/* -1, 0 or 1; 2 of what is not a number. */
static int order_of(const struct bly_type *type, struct bly_cell a, struct bly_cell b)
{
    if (type->kind == BLY_TYPE_REAL) {
        if (isnan(a.real) || isnan(b.real)) return 2;
        return (a.real > b.real) - (a.real < b.real);
    }
    if (is_signed(type)) return (a.integer > b.integer) - (a.integer < b.integer);
    const uint64_t x = (uint64_t)a.integer, y = (uint64_t)b.integer;
    return (x > y) - (x < y);
}

bool bly_compared(enum bly_expression_kind kind, const struct bly_type *type, struct bly_cell a,
                  struct bly_cell b)
{
    const int order = order_of(type, a, b);
    switch (kind) {
    case BLY_LESS: return order == -1;
    case BLY_LESS_EQUAL: return order == -1 || order == 0;
    case BLY_GREATER: return order == 1;
    case BLY_GREATER_EQUAL: return order == 1 || order == 0;
    case BLY_EQUAL: return order == 0;
    default: return order != 0;
    }
}
