/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Every kernel of the library, once, for all languages.
 *
 * BLY_KERNEL_<name> expands to the entry point of kernel <name>, through BLY_ENTRY_n(name, params,
 * types of its n buffers), which each language defines in its own way (src/kernels_cl/entry.h,
 * src/kernels_cu/entry.h, src/backend/cpu/kernels.c). An entry point calls
 * `<name>_item(params, buffer 0, ..., item, row)`; BLY_STRIP_ENTRY_1's take several packs an item
 * (kernels/range.h), BLY_TEAM_ENTRY_1's are made by teams (kernels/runs.h). The lists at the end name them
 * all.
 */
#ifndef BLY_KERNELS_H
#define BLY_KERNELS_H

#include "kernels/asian.h"
#include "kernels/bridge.h"
#include "kernels/distribution.h"
#include "kernels/fill.h"
#include "kernels/published.h"
#include "kernels/runs.h"
#include "kernels/wallace.h"

#define BLY_STRIP_ENTRY_1 BLY_ENTRY_1

#define BLY_KERNEL_bly_check BLY_ENTRY_1(bly_check, bly_check_params, bailey_uint32)
#define BLY_KERNEL_bly_words_philox BLY_STRIP_ENTRY_1(bly_words_philox, bly_fill_params, bailey_uint32)
#define BLY_KERNEL_bly_words_philox7 BLY_STRIP_ENTRY_1(bly_words_philox7, bly_fill_params, bailey_uint32)

#define BLY_KERNEL_bly_philox_u01_f32 BLY_STRIP_ENTRY_1(bly_philox_u01_f32, bly_fill_params, float)
#define BLY_KERNEL_bly_philox_u01_f64 BLY_STRIP_ENTRY_1(bly_philox_u01_f64, bly_fill_params, double)
#define BLY_KERNEL_bly_philox_icdf_f32 BLY_STRIP_ENTRY_1(bly_philox_icdf_f32, bly_fill_params, float)
#define BLY_KERNEL_bly_philox_box_muller_f32                                                                 \
    BLY_STRIP_ENTRY_1(bly_philox_box_muller_f32, bly_fill_params, float)
#define BLY_KERNEL_bly_philox_icdf_fast_f32                                                                  \
    BLY_STRIP_ENTRY_1(bly_philox_icdf_fast_f32, bly_fill_params, float)
#define BLY_KERNEL_bly_philox_box_muller_fast_f32                                                            \
    BLY_STRIP_ENTRY_1(bly_philox_box_muller_fast_f32, bly_fill_params, float)
#define BLY_KERNEL_bly_philox_icdf_f64 BLY_STRIP_ENTRY_1(bly_philox_icdf_f64, bly_fill_params, double)
#define BLY_KERNEL_bly_philox_box_muller_f64                                                                 \
    BLY_STRIP_ENTRY_1(bly_philox_box_muller_f64, bly_fill_params, double)

/* Generators that step, a run a team. */
#define BLY_KERNEL_bly_words_hybrid_taus                                                                     \
    BLY_TEAM_ENTRY_1(bly_words_hybrid_taus, bly_run_params, bailey_uint32, 1)
#define BLY_KERNEL_bly_words_hybrid_taus_gems                                                                \
    BLY_TEAM_ENTRY_1(bly_words_hybrid_taus_gems, bly_run_params, bailey_uint32, 1)
#define BLY_KERNEL_bly_words_xorwow BLY_TEAM_ENTRY_1(bly_words_xorwow, bly_run_params, bailey_uint32, 1)
#define BLY_KERNEL_bly_words_mrg32k3a BLY_TEAM_ENTRY_1(bly_words_mrg32k3a, bly_run_params, bailey_uint32, 1)
#define BLY_KERNEL_bly_words_kiss BLY_TEAM_ENTRY_1(bly_words_kiss, bly_run_params, bailey_uint32, 1)
#define BLY_KERNEL_bly_words_park_miller                                                                     \
    BLY_TEAM_ENTRY_1(bly_words_park_miller, bly_run_params, bailey_uint32, 1)
#define BLY_KERNEL_bly_words_lcg BLY_TEAM_ENTRY_1(bly_words_lcg, bly_run_params, bailey_uint32, 1)
#define BLY_KERNEL_bly_words_adder BLY_TEAM_ENTRY_1(bly_words_adder, bly_run_params, bailey_uint32, 1)
#define BLY_KERNEL_bly_words_mt19937                                                                         \
    BLY_TEAM_ENTRY_1(bly_words_mt19937, bly_run_params, bailey_uint32, BLY_RING)
#define BLY_KERNEL_bly_words_warp                                                                            \
    BLY_TEAM_ENTRY_1(bly_words_warp, bly_run_params, bailey_uint32, BLY_WARP_SHARED)
#define BLY_KERNEL_bly_words_warp_add                                                                        \
    BLY_TEAM_ENTRY_1(bly_words_warp_add, bly_run_params, bailey_uint32, BLY_WARP_SHARED)
#define BLY_KERNEL_bly_warp_u01_f32                                                                          \
    BLY_TEAM_ENTRY_1(bly_warp_u01_f32, bly_run_params, bailey_uint32, BLY_WARP_SHARED)
#define BLY_KERNEL_bly_warp_icdf_f32                                                                         \
    BLY_TEAM_ENTRY_1(bly_warp_icdf_f32, bly_run_params, bailey_uint32, BLY_WARP_SHARED)
#define BLY_KERNEL_bly_warp_box_muller_f32                                                                   \
    BLY_TEAM_ENTRY_1(bly_warp_box_muller_f32, bly_run_params, bailey_uint32, BLY_WARP_SHARED)
#define BLY_KERNEL_bly_warp_icdf_fast_f32                                                                    \
    BLY_TEAM_ENTRY_1(bly_warp_icdf_fast_f32, bly_run_params, bailey_uint32, BLY_WARP_SHARED)
#define BLY_KERNEL_bly_warp_box_muller_fast_f32                                                              \
    BLY_TEAM_ENTRY_1(bly_warp_box_muller_fast_f32, bly_run_params, bailey_uint32, BLY_WARP_SHARED)
#define BLY_KERNEL_bly_warp_u01_f64                                                                          \
    BLY_TEAM_ENTRY_1(bly_warp_u01_f64, bly_run_params, bailey_uint32, BLY_WARP_SHARED)
#define BLY_KERNEL_bly_warp_icdf_f64                                                                         \
    BLY_TEAM_ENTRY_1(bly_warp_icdf_f64, bly_run_params, bailey_uint32, BLY_WARP_SHARED)
#define BLY_KERNEL_bly_warp_box_muller_f64                                                                   \
    BLY_TEAM_ENTRY_1(bly_warp_box_muller_f64, bly_run_params, bailey_uint32, BLY_WARP_SHARED)

/* Wallace's normals, a run a team. */
#define BLY_KERNEL_bly_wallace_f32                                                                           \
    BLY_TEAM_ENTRY_1(bly_wallace_f32, bly_run_params, bailey_uint32, BLY_WALLACE_SHARED)

/* Published sequences. Buffers: states, words. */
#define BLY_KERNEL_bly_published_xorwow                                                                      \
    BLY_ENTRY_2(bly_published_xorwow, bly_published_params, const bailey_uint32, bailey_uint32)
#define BLY_KERNEL_bly_published_kiss                                                                        \
    BLY_ENTRY_2(bly_published_kiss, bly_published_params, const bailey_uint32, bailey_uint32)
#define BLY_KERNEL_bly_published_park_miller                                                                 \
    BLY_ENTRY_2(bly_published_park_miller, bly_published_params, const bailey_uint32, bailey_uint32)
#define BLY_KERNEL_bly_published_lcg                                                                         \
    BLY_ENTRY_2(bly_published_lcg, bly_published_params, const bailey_uint32, bailey_uint32)
#define BLY_KERNEL_bly_published_adder                                                                       \
    BLY_ENTRY_2(bly_published_adder, bly_published_params, const bailey_uint32, bailey_uint32)
#define BLY_KERNEL_bly_published_mrg32k3a                                                                    \
    BLY_ENTRY_2(bly_published_mrg32k3a, bly_published_params, const bailey_uint32, bailey_uint32)
#define BLY_KERNEL_bly_published_mt19937                                                                     \
    BLY_TEAM_ENTRY_2(bly_published_mt19937, bly_published_params, const bailey_uint32, bailey_uint32,        \
                     BLY_RING)

/* Words in memory to numbers. */
#define BLY_KERNEL_bly_form_u01_f32 BLY_ENTRY_2(bly_form_u01_f32, bly_form_params, const bailey_uint32, float)
#define BLY_KERNEL_bly_form_icdf_f32                                                                         \
    BLY_ENTRY_2(bly_form_icdf_f32, bly_form_params, const bailey_uint32, float)
#define BLY_KERNEL_bly_form_box_muller_f32                                                                   \
    BLY_ENTRY_2(bly_form_box_muller_f32, bly_form_params, const bailey_uint32, float)
#define BLY_KERNEL_bly_form_icdf_fast_f32                                                                    \
    BLY_ENTRY_2(bly_form_icdf_fast_f32, bly_form_params, const bailey_uint32, float)
#define BLY_KERNEL_bly_form_box_muller_fast_f32                                                              \
    BLY_ENTRY_2(bly_form_box_muller_fast_f32, bly_form_params, const bailey_uint32, float)
#define BLY_KERNEL_bly_form_u01_f64                                                                          \
    BLY_ENTRY_2(bly_form_u01_f64, bly_form_params, const bailey_uint64, double)
#define BLY_KERNEL_bly_form_icdf_f64                                                                         \
    BLY_ENTRY_2(bly_form_icdf_f64, bly_form_params, const bailey_uint64, double)
#define BLY_KERNEL_bly_form_box_muller_f64                                                                   \
    BLY_ENTRY_2(bly_form_box_muller_f64, bly_form_params, const bailey_uint64, double)

/* Words in memory to other distributions. */
#define BLY_KERNEL_bly_variate_icdf_f32                                                                      \
    BLY_ENTRY_2(bly_variate_icdf_f32, bly_form_params, const bailey_uint32, float)
#define BLY_KERNEL_bly_variate_box_muller_f32                                                                \
    BLY_ENTRY_2(bly_variate_box_muller_f32, bly_form_params, const bailey_uint32, float)
#define BLY_KERNEL_bly_variate_icdf_fast_f32                                                                 \
    BLY_ENTRY_2(bly_variate_icdf_fast_f32, bly_form_params, const bailey_uint32, float)
#define BLY_KERNEL_bly_variate_box_muller_fast_f32                                                           \
    BLY_ENTRY_2(bly_variate_box_muller_fast_f32, bly_form_params, const bailey_uint32, float)
#define BLY_KERNEL_bly_variate_exponential_f32                                                               \
    BLY_ENTRY_2(bly_variate_exponential_f32, bly_form_params, const bailey_uint32, float)
#define BLY_KERNEL_bly_variate_icdf_f64                                                                      \
    BLY_ENTRY_2(bly_variate_icdf_f64, bly_form_params, const bailey_uint64, double)
#define BLY_KERNEL_bly_variate_box_muller_f64                                                                \
    BLY_ENTRY_2(bly_variate_box_muller_f64, bly_form_params, const bailey_uint64, double)
#define BLY_KERNEL_bly_variate_exponential_f64                                                               \
    BLY_ENTRY_2(bly_variate_exponential_f64, bly_form_params, const bailey_uint64, double)

/* Correlated vectors. Buffers: factor, z, x. */
#define BLY_KERNEL_bly_correlate_f32                                                                         \
    BLY_ENTRY_3(bly_correlate_f32, bly_correlate_params, const float, const float, float)
#define BLY_KERNEL_bly_correlate_f64                                                                         \
    BLY_ENTRY_3(bly_correlate_f64, bly_correlate_params, const double, const double, double)

/* Bridges. Buffers: records, constants, Z where it is read, X. */
#define BLY_BRIDGE_READ(kind, record, real, scalar)                                                          \
    BAILEY_FN void bly_bridge_##kind##_z_##real##_item(                                                      \
        bly_bridge_params p, const BAILEY_GLOBAL bailey_bridge_##record##_##real *r,                         \
        const BAILEY_GLOBAL scalar *c, const BAILEY_GLOBAL scalar *z, BAILEY_GLOBAL scalar *x,               \
        bailey_uint64 item, bailey_uint64 row)                                                               \
    {                                                                                                        \
        (void)row;                                                                                           \
        bly_bridge_##kind##_##real(BLY_DRAW_NONE, p, r, c, z, x, item);                                      \
    }                                                                                                        \
    BLY_ENTRY_4(bly_bridge_##kind##_z_##real, bly_bridge_params, const bailey_bridge_##record##_##real,      \
                const scalar, const scalar, scalar)
#define BLY_BRIDGE_DRAW(kind, record, name, method, real, scalar)                                            \
    BAILEY_FN void bly_bridge_##kind##_##name##_##real##_item(                                               \
        bly_bridge_params p, const BAILEY_GLOBAL bailey_bridge_##record##_##real *r,                         \
        const BAILEY_GLOBAL scalar *c, BAILEY_GLOBAL scalar *x, bailey_uint64 item, bailey_uint64 row)       \
    {                                                                                                        \
        (void)row;                                                                                           \
        bly_bridge_##kind##_##real(method, p, r, c, 0, x, item);                                             \
    }                                                                                                        \
    BLY_ENTRY_3(bly_bridge_##kind##_##name##_##real, bly_bridge_params,                                      \
                const bailey_bridge_##record##_##real, const scalar, scalar)
#define BLY_KERNEL_bly_bridge_paths_z_f32 BLY_BRIDGE_READ(paths, step, f32, float)
#define BLY_KERNEL_bly_bridge_paths_icdf_f32 BLY_BRIDGE_DRAW(paths, step, icdf, BAILEY_DRAW_ICDF, f32, float)
#define BLY_KERNEL_bly_bridge_paths_box_muller_f32                                                           \
    BLY_BRIDGE_DRAW(paths, step, box_muller, BAILEY_DRAW_BOX_MULLER, f32, float)
#define BLY_KERNEL_bly_bridge_paths_icdf_fast_f32                                                            \
    BLY_BRIDGE_DRAW(paths, step, icdf_fast, BAILEY_DRAW_ICDF_FAST, f32, float)
#define BLY_KERNEL_bly_bridge_paths_box_muller_fast_f32                                                      \
    BLY_BRIDGE_DRAW(paths, step, box_muller_fast, BAILEY_DRAW_BOX_MULLER_FAST, f32, float)
#define BLY_KERNEL_bly_bridge_paths_z_f64 BLY_BRIDGE_READ(paths, step, f64, double)
#define BLY_KERNEL_bly_bridge_paths_icdf_f64 BLY_BRIDGE_DRAW(paths, step, icdf, BAILEY_DRAW_ICDF, f64, double)
#define BLY_KERNEL_bly_bridge_paths_box_muller_f64                                                           \
    BLY_BRIDGE_DRAW(paths, step, box_muller, BAILEY_DRAW_BOX_MULLER, f64, double)
#define BLY_KERNEL_bly_bridge_paths_readback_z_f32 BLY_BRIDGE_READ(paths_readback, step, f32, float)
#define BLY_KERNEL_bly_bridge_paths_readback_icdf_f32                                                        \
    BLY_BRIDGE_DRAW(paths_readback, step, icdf, BAILEY_DRAW_ICDF, f32, float)
#define BLY_KERNEL_bly_bridge_paths_readback_box_muller_f32                                                  \
    BLY_BRIDGE_DRAW(paths_readback, step, box_muller, BAILEY_DRAW_BOX_MULLER, f32, float)
#define BLY_KERNEL_bly_bridge_paths_readback_icdf_fast_f32                                                   \
    BLY_BRIDGE_DRAW(paths_readback, step, icdf_fast, BAILEY_DRAW_ICDF_FAST, f32, float)
#define BLY_KERNEL_bly_bridge_paths_readback_box_muller_fast_f32                                             \
    BLY_BRIDGE_DRAW(paths_readback, step, box_muller_fast, BAILEY_DRAW_BOX_MULLER_FAST, f32, float)
#define BLY_KERNEL_bly_bridge_paths_readback_z_f64 BLY_BRIDGE_READ(paths_readback, step, f64, double)
#define BLY_KERNEL_bly_bridge_paths_readback_icdf_f64                                                        \
    BLY_BRIDGE_DRAW(paths_readback, step, icdf, BAILEY_DRAW_ICDF, f64, double)
#define BLY_KERNEL_bly_bridge_paths_readback_box_muller_f64                                                  \
    BLY_BRIDGE_DRAW(paths_readback, step, box_muller, BAILEY_DRAW_BOX_MULLER, f64, double)
#define BLY_KERNEL_bly_bridge_increments_z_f32 BLY_BRIDGE_READ(increments, split, f32, float)
#define BLY_KERNEL_bly_bridge_increments_icdf_f32                                                            \
    BLY_BRIDGE_DRAW(increments, split, icdf, BAILEY_DRAW_ICDF, f32, float)
#define BLY_KERNEL_bly_bridge_increments_box_muller_f32                                                      \
    BLY_BRIDGE_DRAW(increments, split, box_muller, BAILEY_DRAW_BOX_MULLER, f32, float)
#define BLY_KERNEL_bly_bridge_increments_icdf_fast_f32                                                       \
    BLY_BRIDGE_DRAW(increments, split, icdf_fast, BAILEY_DRAW_ICDF_FAST, f32, float)
#define BLY_KERNEL_bly_bridge_increments_box_muller_fast_f32                                                 \
    BLY_BRIDGE_DRAW(increments, split, box_muller_fast, BAILEY_DRAW_BOX_MULLER_FAST, f32, float)
#define BLY_KERNEL_bly_bridge_increments_z_f64 BLY_BRIDGE_READ(increments, split, f64, double)
#define BLY_KERNEL_bly_bridge_increments_icdf_f64                                                            \
    BLY_BRIDGE_DRAW(increments, split, icdf, BAILEY_DRAW_ICDF, f64, double)
#define BLY_KERNEL_bly_bridge_increments_box_muller_f64                                                      \
    BLY_BRIDGE_DRAW(increments, split, box_muller, BAILEY_DRAW_BOX_MULLER, f64, double)
#define BLY_KERNEL_bly_bridge_increments_readback_z_f32                                                      \
    BLY_BRIDGE_READ(increments_readback, split, f32, float)
#define BLY_KERNEL_bly_bridge_increments_readback_icdf_f32                                                   \
    BLY_BRIDGE_DRAW(increments_readback, split, icdf, BAILEY_DRAW_ICDF, f32, float)
#define BLY_KERNEL_bly_bridge_increments_readback_box_muller_f32                                             \
    BLY_BRIDGE_DRAW(increments_readback, split, box_muller, BAILEY_DRAW_BOX_MULLER, f32, float)
#define BLY_KERNEL_bly_bridge_increments_readback_icdf_fast_f32                                              \
    BLY_BRIDGE_DRAW(increments_readback, split, icdf_fast, BAILEY_DRAW_ICDF_FAST, f32, float)
#define BLY_KERNEL_bly_bridge_increments_readback_box_muller_fast_f32                                        \
    BLY_BRIDGE_DRAW(increments_readback, split, box_muller_fast, BAILEY_DRAW_BOX_MULLER_FAST, f32, float)
#define BLY_KERNEL_bly_bridge_increments_readback_z_f64                                                      \
    BLY_BRIDGE_READ(increments_readback, split, f64, double)
#define BLY_KERNEL_bly_bridge_increments_readback_icdf_f64                                                   \
    BLY_BRIDGE_DRAW(increments_readback, split, icdf, BAILEY_DRAW_ICDF, f64, double)
#define BLY_KERNEL_bly_bridge_increments_readback_box_muller_f64                                             \
    BLY_BRIDGE_DRAW(increments_readback, split, box_muller, BAILEY_DRAW_BOX_MULLER, f64, double)

#define BLY_KERNEL_bly_asian_f32                                                                             \
    BLY_ENTRY_3(bly_asian_f32, bly_asian_params, const float, const float, double)
#define BLY_KERNEL_bly_asian_fast_f32                                                                        \
    BLY_ENTRY_3(bly_asian_fast_f32, bly_asian_params, const float, const float, double)
#define BLY_KERNEL_bly_asian_f64                                                                             \
    BLY_ENTRY_3(bly_asian_f64, bly_asian_params, const double, const double, double)
#define BLY_KERNEL_bly_fold BLY_ENTRY_2(bly_fold, bly_fold_params, const double, double)

/* All kernels whose widest lane type has 32 bits, and all with 64. `asian_f32` sums in 64 bits, but its work
 * is in 32. */
#define BLY_KERNELS_32(X)                                                                                    \
    X(bly_words_philox)                                                                                      \
    X(bly_words_philox7)                                                                                     \
    X(bly_words_hybrid_taus)                                                                                 \
    X(bly_words_hybrid_taus_gems)                                                                            \
    X(bly_words_xorwow)                                                                                      \
    X(bly_words_mrg32k3a)                                                                                    \
    X(bly_words_kiss)                                                                                        \
    X(bly_words_park_miller)                                                                                 \
    X(bly_words_lcg)                                                                                         \
    X(bly_words_adder)                                                                                       \
    X(bly_words_mt19937)                                                                                     \
    X(bly_words_warp)                                                                                        \
    X(bly_words_warp_add)                                                                                    \
    X(bly_philox_u01_f32)                                                                                    \
    X(bly_warp_u01_f32)                                                                                      \
    X(bly_warp_icdf_f32)                                                                                     \
    X(bly_warp_box_muller_f32)                                                                               \
    X(bly_warp_icdf_fast_f32)                                                                                \
    X(bly_warp_box_muller_fast_f32)                                                                          \
    X(bly_wallace_f32)                                                                                       \
    X(bly_published_xorwow)                                                                                  \
    X(bly_published_kiss)                                                                                    \
    X(bly_published_park_miller)                                                                             \
    X(bly_published_lcg)                                                                                     \
    X(bly_published_adder)                                                                                   \
    X(bly_published_mt19937)                                                                                 \
    X(bly_published_mrg32k3a)                                                                                \
    X(bly_form_u01_f32)                                                                                      \
    X(bly_form_icdf_f32)                                                                                     \
    X(bly_form_box_muller_f32)                                                                               \
    X(bly_form_icdf_fast_f32)                                                                                \
    X(bly_form_box_muller_fast_f32)                                                                          \
    X(bly_variate_icdf_f32)                                                                                  \
    X(bly_variate_box_muller_f32)                                                                            \
    X(bly_variate_icdf_fast_f32)                                                                             \
    X(bly_variate_box_muller_fast_f32)                                                                       \
    X(bly_variate_exponential_f32)                                                                           \
    X(bly_correlate_f32)                                                                                     \
    X(bly_philox_icdf_f32)                                                                                   \
    X(bly_philox_box_muller_f32)                                                                             \
    X(bly_philox_icdf_fast_f32)                                                                              \
    X(bly_philox_box_muller_fast_f32)                                                                        \
    X(bly_bridge_paths_z_f32)                                                                                \
    X(bly_bridge_paths_icdf_f32)                                                                             \
    X(bly_bridge_paths_box_muller_f32)                                                                       \
    X(bly_bridge_paths_icdf_fast_f32)                                                                        \
    X(bly_bridge_paths_box_muller_fast_f32)                                                                  \
    X(bly_bridge_paths_readback_z_f32)                                                                       \
    X(bly_bridge_paths_readback_icdf_f32)                                                                    \
    X(bly_bridge_paths_readback_box_muller_f32)                                                              \
    X(bly_bridge_paths_readback_icdf_fast_f32)                                                               \
    X(bly_bridge_paths_readback_box_muller_fast_f32)                                                         \
    X(bly_bridge_increments_z_f32)                                                                           \
    X(bly_bridge_increments_icdf_f32)                                                                        \
    X(bly_bridge_increments_box_muller_f32)                                                                  \
    X(bly_bridge_increments_icdf_fast_f32)                                                                   \
    X(bly_bridge_increments_box_muller_fast_f32)                                                             \
    X(bly_bridge_increments_readback_z_f32)                                                                  \
    X(bly_bridge_increments_readback_icdf_f32)                                                               \
    X(bly_bridge_increments_readback_box_muller_f32)                                                         \
    X(bly_bridge_increments_readback_icdf_fast_f32)                                                          \
    X(bly_bridge_increments_readback_box_muller_fast_f32)                                                    \
    X(bly_asian_f32)                                                                                         \
    X(bly_asian_fast_f32)
#define BLY_KERNELS_64(X)                                                                                    \
    X(bly_check)                                                                                             \
    X(bly_warp_u01_f64)                                                                                      \
    X(bly_warp_icdf_f64)                                                                                     \
    X(bly_warp_box_muller_f64)                                                                               \
    X(bly_philox_u01_f64)                                                                                    \
    X(bly_form_u01_f64)                                                                                      \
    X(bly_form_icdf_f64)                                                                                     \
    X(bly_form_box_muller_f64)                                                                               \
    X(bly_variate_icdf_f64)                                                                                  \
    X(bly_variate_box_muller_f64)                                                                            \
    X(bly_variate_exponential_f64)                                                                           \
    X(bly_correlate_f64)                                                                                     \
    X(bly_philox_icdf_f64)                                                                                   \
    X(bly_philox_box_muller_f64)                                                                             \
    X(bly_bridge_paths_z_f64)                                                                                \
    X(bly_bridge_paths_icdf_f64)                                                                             \
    X(bly_bridge_paths_box_muller_f64)                                                                       \
    X(bly_bridge_paths_readback_z_f64)                                                                       \
    X(bly_bridge_paths_readback_icdf_f64)                                                                    \
    X(bly_bridge_paths_readback_box_muller_f64)                                                              \
    X(bly_bridge_increments_z_f64)                                                                           \
    X(bly_bridge_increments_icdf_f64)                                                                        \
    X(bly_bridge_increments_box_muller_f64)                                                                  \
    X(bly_bridge_increments_readback_z_f64)                                                                  \
    X(bly_bridge_increments_readback_icdf_f64)                                                               \
    X(bly_bridge_increments_readback_box_muller_f64)                                                         \
    X(bly_asian_f64)                                                                                         \
    X(bly_fold)

#endif
