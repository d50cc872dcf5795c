/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Arithmetic of ranges of integers: each operation of the language on all values of its operands at once,
 * with types that wrap around. A result may be wider than need be, but never narrower: proofs rely on that,
 * and test_payoff_proofs tests it.
 */
#include "intervals.h"

bool bly_has_range(const struct bly_type *type)
{
    return type->kind >= BLY_TYPE_INT && type->kind <= BLY_TYPE_UINT64;
}

struct bly_int_range bly_int_range_of(enum bly_type_kind kind)
{
    switch (kind) {
    case BLY_TYPE_INT: return (struct bly_int_range){INT32_MIN, INT32_MAX};
    case BLY_TYPE_UINT32: return (struct bly_int_range){0, UINT32_MAX};
    case BLY_TYPE_UINT64: return (struct bly_int_range){0, INT64_MAX};
    default: return (struct bly_int_range){INT64_MIN, INT64_MAX};
    }
}

struct bly_int_range bly_int_range_one(int64_t value) { return (struct bly_int_range){value, value}; }

struct bly_int_range bly_int_range_hull(struct bly_int_range a, struct bly_int_range b)
{
    return (struct bly_int_range){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

bool bly_int_range_is_one(struct bly_int_range a) { return a.low == a.high; }

bool bly_int_range_within(struct bly_int_range a, struct bly_int_range outer)
{
    return a.low >= outer.low && a.high <= outer.high;
}

bool bly_int_range_has(struct bly_int_range a, int64_t value) { return a.low <= value && value <= a.high; }

struct bly_int_range bly_int_range_literal(enum bly_type_kind kind, int64_t bits)
{
    return bly_int_range_one(kind == BLY_TYPE_UINT64 && bits < 0 ? INT64_MAX : bits);
}

/* ---- Limits of 64 bits ---------------------------------------------------------------------------- */

int64_t bly_add_limits(int64_t a, int64_t b)
{
    if (a == INT64_MIN || b == INT64_MIN) return INT64_MIN;
    if (a == INT64_MAX || b == INT64_MAX) return INT64_MAX;
    if (b > 0 && a > INT64_MAX - b) return INT64_MAX;
    if (b < 0 && a < INT64_MIN - b) return INT64_MIN;
    return a + b;
}

int64_t bly_multiply_limits(int64_t a, int64_t b)
{
    if (a == 0 || b == 0) return 0;
    const bool negative = (a < 0) != (b < 0);
    const uint64_t x = a < 0 ? 0 - (uint64_t)a : (uint64_t)a, y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
    if (x > (uint64_t)INT64_MAX / y) return negative ? INT64_MIN : INT64_MAX;
    return negative ? -(int64_t)(x * y) : (int64_t)(x * y);
}

/* a + b of int64, or false. */
static bool add(int64_t a, int64_t b, int64_t *sum)
{
    if ((b > 0 && a > INT64_MAX - b) || (b < 0 && a < INT64_MIN - b)) return false;
    *sum = a + b;
    return true;
}

static bool multiply(int64_t a, int64_t b, int64_t *product)
{
    const int64_t limited = bly_multiply_limits(a, b);
    *product = limited;
    if (limited == INT64_MIN) return a == INT64_MIN ? b == 1 : b == INT64_MIN && a == 1;
    if (limited == INT64_MAX) return a == INT64_MAX ? b == 1 : b == INT64_MAX && a == 1;
    return true;
}

static bool unlimited(enum bly_type_kind kind, struct bly_int_range a)
{
    return kind == BLY_TYPE_UINT64 && a.high == INT64_MAX;
}

/* A result that is exact where nothing has `wrapped`: what the type holds, or all of it. */
static struct bly_int_range fitted(enum bly_type_kind kind, struct bly_int_range r, bool wrapped, bool *fits)
{
    const struct bly_int_range all = bly_int_range_of(kind);
    if (!wrapped && bly_int_range_within(r, all)) return r;
    *fits = false;
    return all;
}

/* ---- Operators ------------------------------------------------------------------------------------ */

struct bly_int_range bly_int_range_negate(enum bly_type_kind kind, struct bly_int_range a, bool *fits)
{
    if (a.low == 0 && a.high == 0) return a;
    if (a.low == INT64_MIN || unlimited(kind, a)) return fitted(kind, a, true, fits);
    return fitted(kind, (struct bly_int_range){-a.high, -a.low}, false, fits);
}

struct bly_int_range bly_int_range_flip(enum bly_type_kind kind, struct bly_int_range a)
{
    const struct bly_int_range all = bly_int_range_of(kind);
    switch (kind) {
    case BLY_TYPE_UINT32: return (struct bly_int_range){all.high - a.high, all.high - a.low};
    case BLY_TYPE_UINT64: return all;
    default: return (struct bly_int_range){-1 - a.high, -1 - a.low};
    }
}

struct bly_int_range bly_int_range_convert(enum bly_type_kind from, enum bly_type_kind to,
                                           struct bly_int_range a, bool *fits)
{
    return fitted(to, a, from != to && to != BLY_TYPE_UINT64 && unlimited(from, a), fits);
}

static struct bly_int_range sum(enum bly_type_kind kind, struct bly_int_range a, struct bly_int_range b,
                                bool *fits)
{
    struct bly_int_range r = {0, 0};
    if (kind == BLY_TYPE_UINT64) {
        /* Two numbers below 2^63 do not wrap around. */
        if (unlimited(kind, a) || unlimited(kind, b)) return fitted(kind, r, true, fits);
        return (struct bly_int_range){bly_add_limits(a.low, b.low), bly_add_limits(a.high, b.high)};
    }
    const bool low = add(a.low, b.low, &r.low), high = add(a.high, b.high, &r.high);
    return fitted(kind, r, !low || !high, fits);
}

static struct bly_int_range difference(enum bly_type_kind kind, struct bly_int_range a,
                                       struct bly_int_range b, bool *fits)
{
    struct bly_int_range r = {0, 0};
    if (kind == BLY_TYPE_UINT64) {
        if (unlimited(kind, b) || a.low < b.high) return fitted(kind, r, true, fits);
        return (struct bly_int_range){a.low - b.high, unlimited(kind, a) ? INT64_MAX : a.high - b.low};
    }
    if (b.low == INT64_MIN || b.high == INT64_MIN) return fitted(kind, r, true, fits);
    const bool low = add(a.low, -b.high, &r.low), high = add(a.high, -b.low, &r.high);
    return fitted(kind, r, !low || !high, fits);
}

static struct bly_int_range product(enum bly_type_kind kind, struct bly_int_range a, struct bly_int_range b,
                                    bool *fits)
{
    if (unlimited(kind, a) || unlimited(kind, b)) {
        const bool zero = a.high == 0 || b.high == 0;
        return zero ? bly_int_range_one(0) : fitted(kind, a, true, fits);
    }
    const int64_t x[4] = {a.low, a.low, a.high, a.high}, y[4] = {b.low, b.high, b.low, b.high};
    struct bly_int_range r = {INT64_MAX, INT64_MIN};
    for (int i = 0; i < 4; i++) {
        int64_t p;
        if (!multiply(x[i], y[i], &p)) return fitted(kind, r, true, fits);
        r = bly_int_range_hull(r, bly_int_range_one(p));
    }
    return fitted(kind, r, false, fits);
}

/* Of divisors of one sign, which do not divide the least number by -1. */
static struct bly_int_range quotients(struct bly_int_range a, struct bly_int_range b)
{
    const int64_t x[4] = {a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high};
    struct bly_int_range r = bly_int_range_one(x[0]);
    for (int i = 1; i < 4; i++) r = bly_int_range_hull(r, bly_int_range_one(x[i]));
    return r;
}

static struct bly_int_range quotient(enum bly_type_kind kind, struct bly_int_range a, struct bly_int_range b,
                                     bool *fits)
{
    const struct bly_int_range all = bly_int_range_of(kind);
    *fits = !bly_int_range_has(b, 0);
    if (kind == BLY_TYPE_UINT64) {
        const int64_t least = b.low > 1 ? b.low : 1;
        const int64_t high = !unlimited(kind, a) ? a.high / least
                             : least < 3         ? INT64_MAX
                                                 : INT64_MAX / least * 2 + 2;
        return (struct bly_int_range){unlimited(kind, b) || !*fits ? 0 : a.low / b.high, high};
    }
    if (a.low == all.low && bly_int_range_has(b, -1)) return all; /* the least number by -1 is itself */
    struct bly_int_range r = {INT64_MAX, INT64_MIN};
    if (bly_int_range_has(b, 0)) r = bly_int_range_one(0);
    if (b.high > 0)
        r = bly_int_range_hull(r, quotients(a, (struct bly_int_range){b.low > 1 ? b.low : 1, b.high}));
    if (b.low < 0)
        r = bly_int_range_hull(r, quotients(a, (struct bly_int_range){b.low, b.high < -1 ? b.high : -1}));
    return r;
}

static struct bly_int_range remainder_of(enum bly_type_kind kind, struct bly_int_range a,
                                         struct bly_int_range b, bool *fits)
{
    *fits = !bly_int_range_has(b, 0);
    if (b.low > 0 && a.low >= 0 && a.high < b.low && !unlimited(kind, a)) return a;
    /* It is below the divisor of the largest size, and has the sign of a. */
    int64_t most = INT64_MAX;
    if (!unlimited(kind, b) && b.low != INT64_MIN) most = b.high > -b.low ? b.high : -b.low;
    if (most != INT64_MAX) most = most > 0 ? most - 1 : 0;
    const struct bly_int_range r = {a.low < 0 ? -most : 0, a.high > 0 ? most : 0};
    if (unlimited(kind, a)) return r;
    /* Nor is it further from 0 than a. */
    return (struct bly_int_range){r.low < a.low ? (a.low < 0 ? a.low : 0) : r.low,
                                  r.high > a.high ? (a.high > 0 ? a.high : 0) : r.high};
}

static int width_of(enum bly_type_kind kind)
{
    return kind == BLY_TYPE_INT || kind == BLY_TYPE_UINT32 ? 32 : 64;
}

static struct bly_int_range shift_left(enum bly_type_kind kind, struct bly_int_range a,
                                       struct bly_int_range b, bool *fits)
{
    const struct bly_int_range all = bly_int_range_of(kind);
    *fits = b.low >= 0 && b.high < width_of(kind);
    if (!*fits || b.high > 62 || unlimited(kind, a)) return all;
    bool held = true;
    const struct bly_int_range r =
        product(kind, a, (struct bly_int_range){(int64_t)1 << b.low, (int64_t)1 << b.high}, &held);
    return held ? r : all;
}

static struct bly_int_range shift_right(enum bly_type_kind kind, struct bly_int_range a,
                                        struct bly_int_range b, bool *fits)
{
    *fits = b.low >= 0 && b.high < width_of(kind);
    if (!*fits) b = (struct bly_int_range){0, width_of(kind) - 1};
    if (unlimited(kind, a)) {
        const int64_t high = b.low == 0 ? INT64_MAX : (int64_t)(UINT64_MAX >> b.low);
        return (struct bly_int_range){a.low >> b.high, high};
    }
    return (struct bly_int_range){a.low >> (a.low < 0 ? b.low : b.high),
                                  a.high >> (a.high < 0 ? b.high : b.low)};
}

/* The least 2^n - 1 that is not below a, which is not negative. */
static int64_t ones(int64_t a)
{
    int64_t all = 0;
    while (all < a) all = 2 * all + 1;
    return all;
}

static struct bly_int_range bits(enum bly_expression_kind sign, enum bly_type_kind kind,
                                 struct bly_int_range a, struct bly_int_range b)
{
    const struct bly_int_range all = bly_int_range_of(kind);
    if (sign == BLY_BIT_AND) {
        if (a.low < 0 && b.low < 0) return all;
        if (a.low < 0) return (struct bly_int_range){0, b.high};
        if (b.low < 0) return (struct bly_int_range){0, a.high};
        return (struct bly_int_range){0, a.high < b.high ? a.high : b.high};
    }
    if (a.low < 0 || b.low < 0) return all;
    const int64_t high = ones(a.high > b.high ? a.high : b.high);
    const int64_t low = sign == BLY_BIT_OR ? (a.low > b.low ? a.low : b.low) : 0;
    return (struct bly_int_range){low, high};
}

struct bly_int_range bly_int_range_arithmetic(enum bly_expression_kind sign, enum bly_type_kind kind,
                                              struct bly_int_range a, struct bly_int_range b, bool *fits)
{
    *fits = true;
    switch (sign) {
    case BLY_ADD: return sum(kind, a, b, fits);
    case BLY_SUBTRACT: return difference(kind, a, b, fits);
    case BLY_MULTIPLY: return product(kind, a, b, fits);
    case BLY_DIVIDE: return quotient(kind, a, b, fits);
    case BLY_REMAINDER: return remainder_of(kind, a, b, fits);
    case BLY_SHIFT_LEFT: return shift_left(kind, a, b, fits);
    case BLY_SHIFT_RIGHT: return shift_right(kind, a, b, fits);
    default: return bits(sign, kind, a, b);
    }
}

/* ---- Comparisons ---------------------------------------------------------------------------------- */

/* Whether every a is below every b; and whether every a is at most every b. */
static bool below(enum bly_type_kind kind, struct bly_int_range a, struct bly_int_range b)
{
    return !unlimited(kind, a) && a.high < b.low;
}
static bool not_above(enum bly_type_kind kind, struct bly_int_range a, struct bly_int_range b)
{
    return !unlimited(kind, a) && a.high <= b.low;
}

static struct bly_int_range decided(bool yes, bool no)
{
    return (struct bly_int_range){yes ? 1 : 0, no ? 0 : 1};
}

struct bly_int_range bly_int_range_compare(enum bly_expression_kind sign, enum bly_type_kind kind,
                                           struct bly_int_range a, struct bly_int_range b)
{
    const bool same =
        bly_int_range_is_one(a) && bly_int_range_is_one(b) && a.low == b.low && !unlimited(kind, a);
    const bool apart = below(kind, a, b) || below(kind, b, a);
    switch (sign) {
    case BLY_LESS: return decided(below(kind, a, b), not_above(kind, b, a));
    case BLY_LESS_EQUAL: return decided(not_above(kind, a, b), below(kind, b, a));
    case BLY_GREATER: return decided(below(kind, b, a), not_above(kind, a, b));
    case BLY_GREATER_EQUAL: return decided(not_above(kind, b, a), below(kind, a, b));
    case BLY_EQUAL: return decided(same, apart);
    default: return decided(apart, same);
    }
}

static struct bly_int_range narrow_unequal(enum bly_type_kind kind, struct bly_int_range a,
                                           struct bly_int_range b)
{
    static const struct bly_int_range empty = {INT64_MAX, INT64_MIN};
    if (!bly_int_range_is_one(b) || unlimited(kind, b)) return a;
    if (bly_int_range_is_one(a) && a.low == b.low) return empty;
    if (a.low == b.low) a.low++;
    if (a.high == b.low) a.high--;
    return a;
}

struct bly_int_range bly_int_range_narrow(enum bly_expression_kind sign, enum bly_type_kind kind,
                                          struct bly_int_range a, struct bly_int_range b)
{
    static const struct bly_int_range empty = {INT64_MAX, INT64_MIN};
    const bool no_limit = unlimited(kind, b);
    switch (sign) {
    case BLY_LESS:
        if (no_limit) return a;
        if (b.high == INT64_MIN) return empty;
        if (b.high - 1 < a.high) a.high = b.high - 1;
        return a;
    case BLY_LESS_EQUAL:
        if (!no_limit && b.high < a.high) a.high = b.high;
        return a;
    case BLY_GREATER:
        /* Of uint64 a low of INT64_MAX may be below what is meant. */
        if (b.low == INT64_MAX)
            return kind == BLY_TYPE_UINT64 ? (struct bly_int_range){INT64_MAX, a.high} : empty;
        if (b.low + 1 > a.low) a.low = b.low + 1;
        return a;
    case BLY_GREATER_EQUAL:
        if (b.low > a.low) a.low = b.low;
        return a;
    case BLY_EQUAL:
        if (b.low > a.low) a.low = b.low;
        if (b.high < a.high) a.high = b.high;
        return a;
    default: return narrow_unequal(kind, a, b);
    }
}
