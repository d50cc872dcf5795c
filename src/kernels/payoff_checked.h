/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What a payoff's operations are printed as where it is not proved that the plain ones of C are defined
 * (host/payoff/print.c): integers wrap around, shift counts are taken modulo the width, reals become the
 * nearest integer that there is, and what fails is noted in the path's watch. Included after
 * kernels/payoff_head.h.
 *
 * A program whose payoff has something that may fail defines BLY_FAULTS as 1, and BLY_LOOP_BUDGET.
 *
 * All of it is selections, not branches: paths may be lanes. No operation is undefined for the values that it
 * is not selected for.
 */
#ifndef BLY_PAYOFF_CHECKED_H
#define BLY_PAYOFF_CHECKED_H

#ifndef BLY_FAULTS
#define BLY_FAULTS 0
#endif

/* ---- Integers ------------------------------------------------------------------------------------ */

/* An int as an int64. */
#if defined(BAILEY_HAS_WIDEN)
#define bly_widen bailey_widen
#else
#define bly_widen(i) ((int64)(i))
#endif

/* An index in its array that depends on data (host/payoff/print_indices.c). */
#if defined(BAILEY_HAS_OPAQUE_INDEX)
#define bly_opaque_index(i) bailey_opaque_index((uint32)(i))
#else
#define bly_opaque_index(i) (i)
#endif

/* Signed ones of type T, by the unsigned ones U of the same width. */
#define BLY_WRAPPING(suffix, T, U)                                                                           \
    BAILEY_FN T bly_add_##suffix(T a, T b) { return (T)((U)a + (U)b); }                                      \
    BAILEY_FN T bly_subtract_##suffix(T a, T b) { return (T)((U)a - (U)b); }                                 \
    BAILEY_FN T bly_multiply_##suffix(T a, T b) { return (T)((U)a * (U)b); }                                 \
    BAILEY_FN T bly_negate_##suffix(T a) { return (T)((U)0 - (U)a); }                                        \
    /* b is not 0. The least number divided by -1 is itself. */                                              \
    BAILEY_FN T bly_quotient_##suffix(T a, T b)                                                              \
    {                                                                                                        \
        const T quotient = a / (b == -1 ? 1 : b);                                                            \
        return b == -1 ? bly_negate_##suffix(a) : quotient;                                                  \
    }                                                                                                        \
    BAILEY_FN T bly_rest_##suffix(T a, T b)                                                                  \
    {                                                                                                        \
        const T rest = a % (b == -1 ? 1 : b);                                                                \
        return b == -1 ? 0 : rest;                                                                           \
    }
BLY_WRAPPING(i32, int, uint32)
BLY_WRAPPING(i64, int64, uint64)

#define BLY_UNSIGNED(suffix, U)                                                                              \
    BAILEY_FN U bly_quotient_##suffix(U a, U b) { return a / b; }                                            \
    BAILEY_FN U bly_rest_##suffix(U a, U b) { return a % b; }
BLY_UNSIGNED(u32, uint32)
BLY_UNSIGNED(u64, uint64)

#define BLY_SHIFTS_OF(suffix, T, U, width)                                                                   \
    BAILEY_FN T bly_left_##suffix(T a, uint32 b) { return (T)((U)a << (b & (width - 1))); }                  \
    BAILEY_FN T bly_right_##suffix(T a, uint32 b) { return a >> (b & (width - 1)); }
BLY_SHIFTS_OF(i32, int, uint32, 32)
BLY_SHIFTS_OF(u32, uint32, uint32, 32)
BLY_SHIFTS_OF(i64, int64, uint64, 64)
BLY_SHIFTS_OF(u64, uint64, uint64, 64)

/* ---- Reals that become integers ------------------------------------------------------------------ */

#define BLY_TWO_31 ((real)2147483648u)
#define BLY_TWO_63 ((real)9223372036854775808u)

/* Towards 0; the largest and the least for those beyond; 0 for what is not a number. */
#define BLY_TAKEN(suffix, T, below, above, least, largest)                                                   \
    BAILEY_FN T bly_to_##suffix(real x)                                                                      \
    {                                                                                                        \
        const T inside = (T)(x >= (below) && x < (above) ? x : 0);                                           \
        return x >= (above) ? (largest) : x < (below) ? (least) : inside;                                    \
    }
BLY_TAKEN(i32, int, -BLY_TWO_31, BLY_TWO_31, -2147483647 - 1, 2147483647)
BLY_TAKEN(u32, uint32, 0, 2 * BLY_TWO_31, 0u, 4294967295u)
BLY_TAKEN(i64, int64, -BLY_TWO_63, BLY_TWO_63, -(int64)9223372036854775807 - 1, (int64)9223372036854775807)
BLY_TAKEN(u64, uint64, 0, 2 * BLY_TWO_63, (uint64)0, (uint64)18446744073709551615u)

/* ---- Choices of lanes (host/payoff/print_lanes.c) ------------------------------------------------ */

/* Masks are as wide as reals, and 0 or -1. Choices are made by bits: compilers derive branches from those by
 * ?:, and move code into them. */
#define BLY_MASK_f32 int
#define BLY_MASK_f64 int64
typedef BLY_PAYOFF_PASTE(BLY_MASK_, BLY_REAL) bly_mask;
#define BLY_MASK(condition) (-(bly_mask)((condition) != 0))
#define BLY_CHOOSE_f32(m, a, b) bailey_f32_bits_u32(bly_choose_u32(m, bailey_u32_bits_f32(a), bailey_u32_bits_f32(b)))
#define BLY_CHOOSE_f64(m, a, b) bailey_f64_bits_u64(bly_choose_u64(m, bailey_u64_bits_f64(a), bailey_u64_bits_f64(b)))

#define BLY_CHOOSE(suffix, T)                                                                                \
    BAILEY_FN T bly_choose_##suffix(bly_mask m, T a, T b) { return b ^ ((a ^ b) & (T)m); }
/* An index below `count`, or 0: that of a path that is masked may be any. */
#define BLY_WITHIN(suffix, T, U)                                                                             \
    BAILEY_FN T bly_within_##suffix(T i, uint32 count) { return (U)i < (U)count ? i : 0; }
BLY_WITHIN(i32, int, uint32)
BLY_WITHIN(u32, uint32, uint32)
BLY_WITHIN(i64, int64, uint64)
BLY_WITHIN(u64, uint64, uint64)
BLY_CHOOSE(i32, int)
BLY_CHOOSE(u32, uint32)
BLY_CHOOSE(i64, int64)
BLY_CHOOSE(u64, uint64)
BAILEY_FN real bly_choose_real(bly_mask m, real a, real b)
{
    return BLY_PAYOFF_PASTE(BLY_CHOOSE_, BLY_REAL)(m, a, b);
}

/* ---- What may fail ------------------------------------------------------------------------------- */

#if BLY_FAULTS

/* What a path's payoff failed at first. */
typedef struct bly_watch {
    bailey_uint32 site;  /* 0, or the number of the place in the code */
    bailey_uint32 trips; /* left of the budget of loops; BLY_LOOP_BUDGET before each call */
    bailey_int64 value;  /* what failed: the index */
} bly_watch;

BAILEY_FN void bly_fault_if(bly_watch *w, int fails, uint32 site, int64 value)
{
    const int first = fails && w->site == 0;
    w->site = first ? site : w->site;
    w->value = first ? value : w->value;
}

/* An index below `count`, or 0. */
#define BLY_TESTED(suffix, T, U, WIDEN)                                                                      \
    BAILEY_FN T bly_index_##suffix(bly_watch *w, uint32 site, T i, uint32 count)                             \
    {                                                                                                        \
        const int fails = (U)i >= (U)count;                                                                  \
        const int64 index = WIDEN(i);                                                                        \
        bly_fault_if(w, fails, site, index);                                                                 \
        return fails ? 0 : (T)index;                                                                         \
    }                                                                                                        \
    BAILEY_FN T bly_divide_##suffix(bly_watch *w, uint32 site, T a, T b)                                     \
    {                                                                                                        \
        const T quotient = bly_quotient_##suffix(a, b == 0 ? 1 : b);                                         \
        bly_fault_if(w, b == 0, site, 0);                                                                    \
        return b == 0 ? 0 : quotient;                                                                        \
    }                                                                                                        \
    BAILEY_FN T bly_remainder_##suffix(bly_watch *w, uint32 site, T a, T b)                                  \
    {                                                                                                        \
        const T rest = bly_rest_##suffix(a, b == 0 ? 1 : b);                                                 \
        bly_fault_if(w, b == 0, site, 0);                                                                    \
        return b == 0 ? 0 : rest;                                                                            \
    }
BLY_TESTED(i32, int, uint32, bly_widen)
BLY_TESTED(u32, uint32, uint32, (int64))
BLY_TESTED(i64, int64, uint64, (int64))
BLY_TESTED(u64, uint64, uint64, (int64))

/* Whether a loop may go on: 0 where the budget is used up. */
BAILEY_FN int bly_trip(bly_watch *w, uint32 site)
{
    const int fails = w->trips == 0;
    bly_fault_if(w, fails, site, 0);
    w->trips -= fails ? 0 : 1;
    return !fails;
}

/* A path's value and time: of step 0 or dimension 0 where it has not what is asked for. */
#if defined(BLY_STEPS) /* levels of multilevel Monte Carlo are given no path */
#if BLY_MOTION_DEPTH
BAILEY_FN uint64 bly_tick(bly_watch *w, uint32 site, uint64 tick)
{
    const int fails = tick > BLY_LAST_TICK;
    bly_fault_if(w, fails, site, (int64)tick);
    return fails ? 0 : tick;
}
#define BLY_TICK uint64
#else
BAILEY_FN int bly_tick(bly_watch *w, uint32 site, int i)
{
    return bly_index_i32(w, site, i, (uint32)(BLY_STEPS));
}
#define BLY_TICK int
#endif
BAILEY_FN real bly_at(bly_watch *w, uint32 site, bly_path *x, BLY_TICK i, int d)
{
    const BLY_TICK tick = bly_tick(w, site, i);
    const int side = bly_index_i32(w, site, d, (uint32)(BLY_DIMS));
    return bly_payoff_at(*x, tick, side);
}
BAILEY_FN real bly_time(bly_watch *w, uint32 site, bly_path *x, BLY_TICK i)
{
    const BLY_TICK tick = bly_tick(w, site, i);
    return bly_payoff_time(*x, tick);
}
#endif

#endif

#endif
