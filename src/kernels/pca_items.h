/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Paths by principal components: X = base + C (A Z), a matrix product. A sum over the components begins at 0
 * and takes fma(A_ik, z_k, sum) for k = 0, 1, ...; correlated, the sums of a step are in X first, and a
 * second kernel makes C times them, as bridges do with Z (BLY_SUM_CZ). The base is added last.
 *
 * The steps of A are in tiles of BLY_PCA_TILE, so that a normal that was read serves all of a tile:
 * matrix[(tile * components + k) * BLY_PCA_TILE + step % BLY_PCA_TILE], with zeros for steps past the last.
 * Then follows the base, [step][dim].
 */
#ifndef BLY_PCA_ITEMS_H
#define BLY_PCA_ITEMS_H

#include "kernels/bridges.h"

/* Elements of Z and X as in bly_bridge_params. Where a launch is split, its row r makes dimension r % dims of
 * tile r / dims, and of the second kernel tile r; else one row makes all. */
typedef struct bly_pca_params {
    bailey_uint64 paths;
    bailey_uint64 z_row, z_path, x_row, x_path, x_first;
    bailey_uint64 base; /* its element in the matrix */
    bailey_uint32 steps, components, dims, split, correlated;
} bly_pca_params;

#define BLY_PCA_TILE 8

/* The steps that an item of a tile makes, or of all. */
BAILEY_FN bailey_uint32 bly_pca_begin(bly_pca_params p, bailey_uint64 tile)
{
    return p.split ? (bailey_uint32)tile * BLY_PCA_TILE : 0;
}
BAILEY_FN bailey_uint32 bly_pca_end(bly_pca_params p, bailey_uint32 begin)
{
    return p.split && p.steps - begin > BLY_PCA_TILE ? begin + BLY_PCA_TILE : p.steps;
}

/* Steps whose sums grow side by side in registers; there are 32 where vectors have 64 bytes. Items with
 * vectors have as many rows of their Z side by side, on the thread's stack, as leave room in a second cache.
 */
#if BAILEY_LANES == 1
#define BLY_PCA_STEPS(bits) BLY_PCA_TILE
#define BLY_PCA_PANEL BLY_PCA_TILE
#else
#define BLY_PCA_STEPS(bits) (BAILEY_LANES * bits == 512 ? bits / 8 : bits / 16)
#define BLY_PCA_PANEL 256
#endif
#define BLY_PCA_EACH(i, bits) BAILEY_UNROLL for (bailey_uint32 i = 0; i < BLY_PCA_STEPS(bits); i++)

#define BLY_PCA_ITEM(suffix, bits, scalar, block, pack)                                                      \
    /* An item's pack, and components low .. high - 1 of its Z, which begins at element z_offset. */         \
    typedef struct bly_pca_item_##suffix {                                                                   \
        bly_range range;                                                                                     \
        bailey_uint64 z_offset, x_offset;                                                                    \
        bailey_uint32 low, high, dim;                                                                        \
    } bly_pca_item_##suffix;                                                                                 \
                                                                                                             \
    BAILEY_FN bailey_pack_##suffix bly_pca_z_##suffix(bly_pca_params p, bly_pca_item_##suffix t,             \
                                                      const BAILEY_GLOBAL scalar *z, bailey_uint32 k)        \
    {                                                                                                        \
        return bailey_load_##suffix(z, t.z_offset + ((bailey_uint64)k * p.dims + t.dim) * p.z_row, p.z_path, \
                                    t.range.low, t.range.high);                                              \
    }                                                                                                        \
                                                                                                             \
    /* base + sum, which may be a product. */                                                                \
    BAILEY_FN bailey_pack_##suffix bly_pca_based_##suffix(bly_pca_params p, bailey_uint32 dim,               \
                                                          const BAILEY_GLOBAL scalar *matrix,                \
                                                          bailey_uint64 step, bailey_pack_##suffix sum)      \
    {                                                                                                        \
        const scalar base = matrix[p.base + step * p.dims + dim];                                            \
        return bly_pack_fma_##suffix(1, sum, bly_pack_splat_##suffix(base));                                 \
    }                                                                                                        \
                                                                                                             \
    /* Adds the components of t to the steps from `step` on. */                                              \
    BAILEY_FN void bly_pca_steps_##suffix(bly_pca_params p, bly_pca_item_##suffix t,                         \
                                          const BAILEY_GLOBAL scalar *matrix, const BAILEY_GLOBAL scalar *z, \
                                          const bailey_pack_##suffix *panel, BAILEY_GLOBAL scalar *x,        \
                                          bailey_uint32 step)                                                \
    {                                                                                                        \
        const BAILEY_GLOBAL scalar *a =                                                                      \
            matrix + (bailey_uint64)(step / BLY_PCA_TILE * p.components + t.low) * BLY_PCA_TILE +            \
            step % BLY_PCA_TILE;                                                                             \
        bailey_uint64 to = t.x_offset + ((bailey_uint64)step * p.dims + t.dim) * p.x_row;                    \
        bailey_pack_##suffix sum[BLY_PCA_STEPS(bits)];                                                       \
        BLY_PCA_EACH(i, bits)                                                                                \
        {                                                                                                    \
            sum[i] = bly_pack_splat_##suffix(0);                                                             \
            if (t.low > 0 && step + i < p.steps)                                                             \
                sum[i] = bailey_load_##suffix(x, to + (bailey_uint64)i * p.dims * p.x_row, p.x_path,         \
                                              t.range.low, t.range.high);                                    \
        }                                                                                                    \
        for (bailey_uint32 k = t.low; k < t.high; k++, a += BLY_PCA_TILE) {                                  \
            const bailey_pack_##suffix in =                                                                  \
                BAILEY_LANES > 1 ? panel[k - t.low] : bly_pca_z_##suffix(p, t, z, k);                        \
            BLY_PCA_EACH(i, bits) { sum[i] = bly_pack_fma_##suffix(a[i], in, sum[i]); }                      \
        }                                                                                                    \
        BLY_PCA_EACH(i, bits)                                                                                \
        {                                                                                                    \
            if (step + i >= p.steps) continue;                                                               \
            if (t.high == p.components && !p.correlated)                                                     \
                sum[i] = bly_pca_based_##suffix(p, t.dim, matrix, step + i, sum[i]);                         \
            bailey_store_##suffix(x, to, p.x_path, t.range.low, t.range.high, sum[i]);                       \
            to += (bailey_uint64)p.dims * p.x_row;                                                           \
        }                                                                                                    \
    }                                                                                                        \
                                                                                                             \
    /* Steps begin .. end - 1 of t's dimension. */                                                           \
    BAILEY_FN void bly_pca_dimension_##suffix(                                                               \
        bly_pca_params p, bly_pca_item_##suffix t, const BAILEY_GLOBAL scalar *matrix,                       \
        const BAILEY_GLOBAL scalar *z, BAILEY_GLOBAL scalar *x, bailey_uint32 begin, bailey_uint32 end)      \
    {                                                                                                        \
        bailey_pack_##suffix panel[BLY_PCA_PANEL];                                                           \
        t.low = 0;                                                                                           \
        do {                                                                                                 \
            t.high = BAILEY_LANES > 1 && p.components - t.low > BLY_PCA_PANEL ? t.low + BLY_PCA_PANEL        \
                                                                              : p.components;                \
            if (BAILEY_LANES > 1)                                                                            \
                for (bailey_uint32 k = t.low; k < t.high; k++)                                               \
                    panel[k - t.low] = bly_pca_z_##suffix(p, t, z, k);                                       \
            for (bailey_uint32 step = begin; step < end; step += BLY_PCA_STEPS(bits))                        \
                bly_pca_steps_##suffix(p, t, matrix, z, panel, x, step);                                     \
            t.low = t.high;                                                                                  \
        } while (t.low < p.components);                                                                      \
    }                                                                                                        \
                                                                                                             \
    BAILEY_FN void bly_pca_##suffix##_item(bly_pca_params p, const BAILEY_GLOBAL scalar *matrix,             \
                                           const BAILEY_GLOBAL scalar *z, BAILEY_GLOBAL scalar *x,           \
                                           bailey_uint64 item, bailey_uint64 row)                            \
    {                                                                                                        \
        bly_pca_item_##suffix t;                                                                             \
        t.range = bly_range_of_item(0, p.paths, block, pack, item);                                          \
        if (t.range.low >= t.range.high) return;                                                             \
        t.z_offset = t.range.begin * p.z_path;                                                               \
        t.x_offset = p.x_first + t.range.begin * p.x_path;                                                   \
        const bailey_uint32 first = p.split ? (bailey_uint32)(row % p.dims) : 0;                             \
        const bailey_uint32 dims = p.split ? first + 1 : p.dims;                                             \
        const bailey_uint32 begin = bly_pca_begin(p, row / p.dims), end = bly_pca_end(p, begin);             \
        for (t.dim = first; t.dim < dims; t.dim++)                                                           \
            bly_pca_dimension_##suffix(p, t, matrix, z, x, begin, end);                                      \
    }                                                                                                        \
                                                                                                             \
    /* Dimensions go from the last to the first, which the others need. */                                   \
    BAILEY_FN void bly_pca_correlate_##suffix##_item(                                                        \
        bly_pca_params p, const BAILEY_GLOBAL scalar *matrix, const BAILEY_GLOBAL scalar *constants,         \
        BAILEY_GLOBAL scalar *x, bailey_uint64 item, bailey_uint64 row)                                      \
    {                                                                                                        \
        const bly_range t = bly_range_of_item(0, p.paths, block, pack, item);                                \
        if (t.low >= t.high) return;                                                                         \
        const bailey_uint32 begin = bly_pca_begin(p, row), end = bly_pca_end(p, begin);                      \
        for (bailey_uint32 step = begin; step < end; step++) {                                               \
            const bailey_uint64 from =                                                                       \
                p.x_first + t.begin * p.x_path + (bailey_uint64)step * p.dims * p.x_row;                     \
            for (bailey_uint32 dim = p.dims; dim-- > 0;) {                                                   \
                const BAILEY_GLOBAL scalar *c = constants + (2 + dim) * p.dims;                              \
                bailey_pack_##suffix sum =                                                                   \
                    bly_pack_scale_##suffix(c[0], bailey_load_##suffix(x, from, p.x_path, t.low, t.high));   \
                for (bailey_uint32 j = 1; j <= dim; j++)                                                     \
                    sum = bly_pack_fma_##suffix(                                                             \
                        c[j], bailey_load_##suffix(x, from + j * p.x_row, p.x_path, t.low, t.high), sum);    \
                sum = bly_pca_based_##suffix(p, dim, matrix, step, sum);                                     \
                bailey_store_##suffix(x, from + dim * p.x_row, p.x_path, t.low, t.high, sum);                \
            }                                                                                                \
        }                                                                                                    \
    }

BLY_PCA_ITEM(f32, 32, float, 4, BAILEY_PACK32)
#if BAILEY_HAS_F64
BLY_PCA_ITEM(f64, 64, double, 2, BAILEY_PACK64)
#endif

#endif
