/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Numbers as sums of two doubles, with about 105 bits, for tables that hosts compute: only operations that
 * IEEE 754 pins down, so every host gets the same bits. Rounding is to nearest. An operation errs by at most
 * 2^-102 of its result (Joldes, Muller and Popescu, "Tight and rigorous error bounds for basic building
 * blocks of double-word arithmetic", ACM TOMS 44 (2017)).
 */
#ifndef BLY_WIDE_H
#define BLY_WIDE_H

#include <math.h>

struct bly_wide {
    double high, low; /* the sum rounds to high */
};

static inline struct bly_wide bly_wide(double x) { return (struct bly_wide){x, 0}; }

/* a + b exactly, for abs(a) >= abs(b) or a = 0. */
static inline struct bly_wide bly_wide_join(double a, double b)
{
    const double sum = a + b;
    return (struct bly_wide){sum, b - (sum - a)};
}

/* a + b exactly. */
static inline struct bly_wide bly_wide_sum(double a, double b)
{
    const double sum = a + b, added = sum - a;
    return (struct bly_wide){sum, (a - (sum - added)) + (b - added)};
}

static inline struct bly_wide bly_wide_add(struct bly_wide a, struct bly_wide b)
{
    const struct bly_wide s = bly_wide_sum(a.high, b.high), t = bly_wide_sum(a.low, b.low);
    const struct bly_wide v = bly_wide_join(s.high, s.low + t.high);
    return bly_wide_join(v.high, t.low + v.low);
}

static inline struct bly_wide bly_wide_times(struct bly_wide a, double b)
{
    const double high = a.high * b;
    return bly_wide_join(high, fma(a.low, b, fma(a.high, b, -high)));
}

static inline struct bly_wide bly_wide_multiply(struct bly_wide a, struct bly_wide b)
{
    const double high = a.high * b.high;
    return bly_wide_join(high, fma(a.low, b.high, fma(a.high, b.low, fma(a.high, b.high, -high))));
}

static inline struct bly_wide bly_wide_divide(struct bly_wide a, struct bly_wide b)
{
    const double first = a.high / b.high;
    const double rest = fma(-first, b.low, fma(-first, b.high, a.high) + a.low);
    return bly_wide_join(first, rest / b.high);
}

static inline struct bly_wide bly_wide_negative(struct bly_wide a)
{
    return (struct bly_wide){-a.high, -a.low};
}

#endif
