/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Payoffs of an arithmetic and a geometric Asian option on a basket, and the fold that sums them.
 */
#ifndef BLY_ASIAN_H
#define BLY_ASIAN_H

#include "bailey/device/math.h"
#include "kernels/range.h"

/* Constants: drift[fixings][assets] = (rate - dividend - volatility^2 / 2) t; then, for each asset,
 * scale = weight spot / fixings; then power = share of the basket today / fixings; then sign strike,
 * sign basket today and sign, which is 1 for a call and -1 for a put. The payoff is max(sign (A - strike),
 * 0). The geometric average is the basket today times the product of (S / spot)^power. X is step-major:
 * x[(fixing * assets + asset) * x_row + path] = volatility W(t). Row r of y, y_row apart, holds a, a^2, g,
 * g^2, a g of the undiscounted payoffs, from y_offset. */
typedef struct bly_asian_params {
    bailey_uint64 paths, x_row, y_offset, y_row;
    bailey_uint32 fixings, assets;
} bly_asian_params;

#define BLY_ASIAN_ROWS 5
#define BLY_ASIAN_PART 256

#if BAILEY_HAS_F64

/* Stores the products of v vectors of payoffs, converted to double. */
BAILEY_FN void bly_asian_store(bly_asian_params p, BAILEY_GLOBAL double *y, bailey_uint64 begin,
                               bailey_uint32 high, bailey_pack_f64 a, bailey_pack_f64 g)
{
    for (bailey_uint32 r = 0; r < BLY_ASIAN_ROWS; r++) {
        bailey_pack_f64 product;
        for (int m = 0; m < 2; m++)
            product.v[m] = r == 0   ? a.v[m]
                           : r == 1 ? a.v[m] * a.v[m]
                           : r == 2 ? g.v[m]
                           : r == 3 ? g.v[m] * g.v[m]
                                    : a.v[m] * g.v[m];
        bailey_store_f64(y, p.y_offset + r * p.y_row + begin, 1, 0, high, product);
    }
}

#define BLY_ASIAN_PAYOFF(suffix, real, scalar, pack, vectors, exponential)                                   \
    BAILEY_FN void bly_asian_payoff_##suffix(bly_asian_params p, const BAILEY_GLOBAL scalar *constants,      \
                                             const BAILEY_GLOBAL scalar *x, bly_range t,                     \
                                             bailey_pack_##real *a, bailey_pack_##real *g)                   \
    {                                                                                                        \
        const BAILEY_GLOBAL scalar *scale = constants + (bailey_uint64)p.fixings * p.assets;                 \
        const BAILEY_GLOBAL scalar *power = scale + p.assets;                                                \
        const bailey_##real strike = bailey_splat_##real(power[p.assets]), zero = bailey_splat_##real(0);    \
        bailey_pack_##real part_a,                                                                           \
            part_g; /* of up to BLY_ASIAN_PART fixings, so that single precision lasts */                    \
        for (int m = 0; m < vectors; m++) a->v[m] = g->v[m] = part_a.v[m] = part_g.v[m] = zero;              \
        for (bailey_uint32 i = 0; i < p.fixings; i++) {                                                      \
            for (bailey_uint32 k = 0; k < p.assets; k++) {                                                   \
                const bailey_uint64 row = (bailey_uint64)i * p.assets + k;                                   \
                const bailey_pack_##real w =                                                                 \
                    bailey_load_##real(x, row * p.x_row + t.begin, 1, t.low, t.high);                        \
                for (int m = 0; m < vectors; m++) {                                                          \
                    const bailey_##real l = bailey_splat_##real(constants[row]) + w.v[m];                    \
                    part_a.v[m] =                                                                            \
                        bailey_fma_##real(bailey_splat_##real(scale[k]), exponential(l), part_a.v[m]);       \
                    part_g.v[m] = bailey_fma_##real(bailey_splat_##real(power[k]), l, part_g.v[m]);          \
                }                                                                                            \
            }                                                                                                \
            if (i % BLY_ASIAN_PART != BLY_ASIAN_PART - 1 && i + 1 != p.fixings) continue;                    \
            for (int m = 0; m < vectors; m++) {                                                              \
                a->v[m] = a->v[m] + part_a.v[m];                                                             \
                g->v[m] = g->v[m] + part_g.v[m];                                                             \
                part_a.v[m] = part_g.v[m] = zero;                                                            \
            }                                                                                                \
        }                                                                                                    \
        for (int m = 0; m < vectors; m++) {                                                                  \
            const bailey_##real geometric =                                                                  \
                bailey_fma_##real(bailey_splat_##real(power[p.assets + 1]), exponential(g->v[m]), -strike);  \
            a->v[m] = bailey_fma_##real(bailey_splat_##real(power[p.assets + 2]), a->v[m], -strike);         \
            a->v[m] = bailey_select_##real(bailey_lt_##real(zero, a->v[m]), a->v[m], zero);                  \
            g->v[m] = bailey_select_##real(bailey_lt_##real(zero, geometric), geometric, zero);              \
        }                                                                                                    \
    }
BLY_ASIAN_PAYOFF(f32, f32, float, BAILEY_PACK32, 4, bailey_exp_f32)
BLY_ASIAN_PAYOFF(fast_f32, f32, float, BAILEY_PACK32, 4, bailey_exp_fast_f32)
BLY_ASIAN_PAYOFF(f64, f64, double, BAILEY_PACK64, 2, bailey_exp_f64)

#define BLY_ASIAN_ITEM_F32(suffix)                                                                           \
    BAILEY_FN void bly_asian_##suffix##_item(bly_asian_params p, const BAILEY_GLOBAL float *constants,       \
                                             const BAILEY_GLOBAL float *x, BAILEY_GLOBAL double *y,          \
                                             bailey_uint64 item, bailey_uint64 unused)                       \
    {                                                                                                        \
        (void)unused;                                                                                        \
        const bly_range t = bly_range_of_item(0, p.paths, 4, BAILEY_PACK32, item);                           \
        if (t.low == t.high) return;                                                                         \
        bailey_pack_f32 a, g;                                                                                \
        bly_asian_payoff_##suffix(p, constants, x, t, &a, &g);                                               \
        for (bailey_uint32 upper = 0; upper < 2; upper++) {                                                  \
            const bailey_uint32 at = upper * BAILEY_PACK64;                                                  \
            if (t.high <= at) return;                                                                        \
            bailey_pack_f64 a64, g64;                                                                        \
            for (int m = 0; m < 2; m++) {                                                                    \
                a64.v[m] = bailey_f64_from_f32(a.v[2 * upper + m]);                                          \
                g64.v[m] = bailey_f64_from_f32(g.v[2 * upper + m]);                                          \
            }                                                                                                \
            const bailey_uint32 high = t.high - at;                                                          \
            bly_asian_store(p, y, t.begin + at, high < BAILEY_PACK64 ? high : BAILEY_PACK64, a64, g64);      \
        }                                                                                                    \
    }
BLY_ASIAN_ITEM_F32(f32)
BLY_ASIAN_ITEM_F32(fast_f32)

BAILEY_FN void bly_asian_f64_item(bly_asian_params p, const BAILEY_GLOBAL double *constants,
                                  const BAILEY_GLOBAL double *x, BAILEY_GLOBAL double *y, bailey_uint64 item,
                                  bailey_uint64 unused)
{
    (void)unused;
    const bly_range t = bly_range_of_item(0, p.paths, 2, BAILEY_PACK64, item);
    if (t.low == t.high) return;
    bailey_pack_f64 a, g;
    bly_asian_payoff_f64(p, constants, x, t, &a, &g);
    bly_asian_store(p, y, t.begin, t.high, a, g);
}

/* One level of a sum of fixed shape: out[b * 32 + l] = sum over k = 0 .. 31, in that order, of
 * in[b * 1024 + k * 32 + l], for each row; terms past `count` are left out. A function of `count` alone,
 * whatever the launch, with coalesced reads and no communication. */
typedef struct bly_fold_params {
    bailey_uint64 count, in_row, out_row;
} bly_fold_params;

#define BLY_FOLD_LANES 32
#define BLY_FOLD_BLOCK 1024

BAILEY_FN void bly_fold_item(bly_fold_params p, const BAILEY_GLOBAL double *in, BAILEY_GLOBAL double *out,
                             bailey_uint64 item, bailey_uint64 row)
{
    const bailey_uint64 at = item * BAILEY_PACK64, block = at / BLY_FOLD_LANES * BLY_FOLD_BLOCK;
    if (block >= p.count) return;
    bailey_pack_f64 sum;
    for (bailey_uint32 k = 0; k < BLY_FOLD_BLOCK / BLY_FOLD_LANES; k++) {
        const bailey_uint64 begin = block + k * BLY_FOLD_LANES + at % BLY_FOLD_LANES;
        if (k > 0 && begin >= p.count) break;
        const bailey_uint64 left = begin < p.count ? p.count - begin : 0;
        const bailey_pack_f64 x = bailey_load_f64(in, row * p.in_row + begin, 1, 0,
                                                  left < BAILEY_PACK64 ? (bailey_uint32)left : BAILEY_PACK64);
        for (int m = 0; m < 2; m++) sum.v[m] = k == 0 ? x.v[m] : sum.v[m] + x.v[m];
    }
    bailey_store_f64(out, row * p.out_row + at, 1, 0, BAILEY_PACK64, sum);
}

#endif

#endif
