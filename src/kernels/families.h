/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The one table of kernels, for all languages and for the host.
 *
 * BLY_KERNEL_ROWS is the table. A row is an invocation of one of these, which whoever expands it defines:
 * - BLY_ENTRY_n(name, params, types of its n buffers): one item per pack, which calls
 *   <name>_item(params, buffer 0, ..., item, row);
 * - BLY_STRIPED_ENTRY_n(name, params, types): the same; on GPUs an item takes several packs
 * (kernels/range.h);
 * - BLY_POINT_ENTRY_n(name, params, types): the same; everywhere an item takes several
 * (kernels/sobol_items.h);
 * - BLY_TEAM_ENTRY_n(name, params, types, words): made by teams that share `words` (kernels/segments.h);
 * - BLY_BRIDGE_READ(name, kind, record, real, scalar): a bridge that reads Z;
 * - BLY_BRIDGE_DRAW(name, kind, record, METHOD, real, scalar): a bridge that draws its normals;
 * - BLY_PREBUILT(name, real, scalar): a payoff, written for one path, of kernels/prebuilt_<real>.h.
 * It stands within BLY_ROW_f32(...) or BLY_ROW_f64(...), which say the widest type that the kernel holds in
 * lanes.
 *
 * Rows that are chosen by number (src/backend/rows.h) are in the order of what they are chosen by.
 */
#ifndef BLY_FAMILIES_H
#define BLY_FAMILIES_H

#define BAILEY_TABLE_ALONE
#include "bailey/device/distribution.h"
#include "bailey/device/generators.h"
#undef BAILEY_TABLE_ALONE
#include "kernels/payoff_list.h"

/* Ways to make normals of words: X(method, METHOD, real, scalar, bits), BAILEY_DRAW_METHOD being the
 * constant. */
#define BLY_DRAWS_EXACT_f32(X)                                                                               \
    X(icdf, ICDF, f32, float, 32)                                                                            \
    X(box_muller, BOX_MULLER, f32, float, 32)
#define BLY_DRAWS_FAST_f32(X) X(box_muller_fast, BOX_MULLER_FAST, f32, float, 32)
#define BLY_DRAWS_f32(X) BLY_DRAWS_EXACT_f32(X) BLY_DRAWS_FAST_f32(X)
#define BLY_DRAWS_f64(X)                                                                                     \
    X(icdf, ICDF, f64, double, 64)                                                                           \
    X(box_muller, BOX_MULLER, f64, double, 64)
#define BLY_DRAWS(X) BLY_DRAWS_f32(X) BLY_DRAWS_f64(X)

/* The same from words of the other width. They have few rows: of generators that count, and of words in
 * memory, which serve all others. The fast form in f32 is the exact one. */
#define BLY_MIXED_f32(X)                                                                                     \
    X(icdf, ICDF, f32, float, 64)                                                                            \
    X(box_muller, BOX_MULLER, f32, float, 64)
#define BLY_MIXED_f64(X)                                                                                     \
    X(icdf, ICDF, f64, double, 32)                                                                           \
    X(box_muller, BOX_MULLER, f64, double, 32)
#define BLY_MIXED(X) BLY_MIXED_f32(X) BLY_MIXED_f64(X)

/* Words: one row per generator. */
#define BLY_WORDS_COUNTER(word)                                                                              \
    BLY_ROW_f32(BLY_STRIPED_ENTRY_1(bly_words_##word, bly_fill_params, bailey_uint32))
#define BLY_WORDS_LANES(word)                                                                                \
    BLY_ROW_f32(BLY_TEAM_ENTRY_1(bly_words_##word, bly_segment_params, bailey_uint32, 1))
#define BLY_WORDS_TEAM(word)                                                                                 \
    BLY_ROW_f32(BLY_TEAM_ENTRY_1(bly_words_##word, bly_segment_params, bailey_uint32, BLY_SHARED_##word))
#define BLY_WORDS_ROW(number, name, word, kind, published, text, verdict, period) BLY_WORDS_##kind(word)
#define BLY_WORDS_ROWS BAILEY_GENERATOR_LIST(BLY_WORDS_ROW)

/* Published sequences. Buffers: states, words. */
#define BLY_PUBLISHED_NONE(word)
#define BLY_PUBLISHED_STATES(word)                                                                           \
    BLY_ROW_f32(BLY_ENTRY_2(bly_published_##word, bly_published_params, const bailey_uint32, bailey_uint32))
#define BLY_PUBLISHED_TEAM(word)                                                                             \
    BLY_ROW_f32(BLY_TEAM_ENTRY_2(bly_published_##word, bly_published_params, const bailey_uint32,            \
                                 bailey_uint32, BLY_SHARED_##word))
#define BLY_PUBLISHED_ROW(number, name, word, kind, published, text, verdict, period)                        \
    BLY_PUBLISHED_##published(word)
#define BLY_PUBLISHED_ROWS BAILEY_GENERATOR_LIST(BLY_PUBLISHED_ROW)

/* Uniforms and normals of Philox with 10 and 7 rounds, drawn where they are stored. Another generator of kind
 * COUNTER needs rows like these. Whatever makes normals has the table of the inverse CDF as the buffer before
 * the one that it writes, and for one interface to all methods Box-Muller has it too. */
#define BLY_COUNTER_ROW(word, method, real, scalar)                                                          \
    BLY_ROW_##real(BLY_STRIPED_ENTRY_2(bly_##word##_##method##_##real, bly_fill_params, const scalar, scalar))
#define BLY_COUNTER_UNIFORM_ROW(word, real, scalar)                                                          \
    BLY_ROW_##real(BLY_STRIPED_ENTRY_1(bly_##word##_u01_##real, bly_fill_params, scalar))
#define BLY_PHILOX_ROW(method, METHOD, real, scalar, bits) BLY_COUNTER_ROW(philox, method, real, scalar)
#define BLY_PHILOX7_ROW(method, METHOD, real, scalar, bits) BLY_COUNTER_ROW(philox7, method, real, scalar)
#define BLY_PHILOX_UNIFORM_ROW(method, METHOD, real, scalar, bits)                                           \
    BLY_COUNTER_UNIFORM_ROW(philox, real, scalar)
#define BLY_PHILOX7_UNIFORM_ROW(method, METHOD, real, scalar, bits)                                          \
    BLY_COUNTER_UNIFORM_ROW(philox7, real, scalar)
#define BLY_UNIFORMS(X) X(u01, UNIFORM, f32, float, 32) X(u01, UNIFORM, f64, double, 64)
#define BLY_PHILOX_ROWS BLY_UNIFORMS(BLY_PHILOX_UNIFORM_ROW) BLY_DRAWS(BLY_PHILOX_ROW)
#define BLY_PHILOX7_ROWS BLY_UNIFORMS(BLY_PHILOX7_UNIFORM_ROW) BLY_DRAWS(BLY_PHILOX7_ROW)

/* Words of the other width: normals of generators of kind COUNTER, whatever their rounds; and numbers made of
 * words in memory, where fma(1, z, 0), which is z, makes standard normals by the rows of other distributions.
 */
#define BLY_MIXED_COUNTER_ROW(method, METHOD, real, scalar, bits)                                            \
    BLY_COUNTER_ROW(mixed_counter, method, real, scalar)
#define BLY_MIXED_UNIFORM_ROW(method, METHOD, real, scalar, bits)                                            \
    BLY_ROW_##real(BLY_ENTRY_2(bly_mixed_##method##_##real, bly_form_params, const bailey_uint##bits, scalar))
#define BLY_MIXED_ROW(method, METHOD, real, scalar, bits)                                                    \
    BLY_ROW_##real(BLY_ENTRY_3(bly_mixed_##method##_##real, bly_form_params, const bailey_uint##bits,        \
                               const scalar, scalar))
#define BLY_MIXED_ROWS                                                                                       \
    BLY_MIXED(BLY_MIXED_COUNTER_ROW)                                                                         \
    BLY_MIXED_UNIFORM_ROW(u01, UNIFORM, f32, float, 64)                                                      \
    BLY_MIXED_UNIFORM_ROW(u01, UNIFORM, f64, double, 32)                                                     \
    BLY_MIXED(BLY_MIXED_ROW)

/* Uniforms and normals of the warp generator, one segment per team; a double is two words. */
#define BLY_WARP_UNIFORM_ROW(method, METHOD, real, scalar, bits)                                             \
    BLY_ROW_##real(                                                                                          \
        BLY_TEAM_ENTRY_1(bly_warp_##method##_##real, bly_segment_params, bailey_uint32, BLY_SHARED_warp))
#define BLY_WARP_ROW(method, METHOD, real, scalar, bits)                                                     \
    BLY_ROW_##real(BLY_TEAM_ENTRY_2(bly_warp_##method##_##real, bly_segment_params, const scalar,            \
                                    bailey_uint32, BLY_SHARED_warp))
#define BLY_WARP_ROWS BLY_UNIFORMS(BLY_WARP_UNIFORM_ROW) BLY_DRAWS(BLY_WARP_ROW)

/* Numbers computed from words in memory. */
#define BLY_FORM_UNIFORM_ROW(method, METHOD, real, scalar, bits)                                             \
    BLY_ROW_##real(BLY_ENTRY_2(bly_form_##method##_##real, bly_form_params, const bailey_uint##bits, scalar))
#define BLY_FORM_ROW(method, METHOD, real, scalar, bits)                                                     \
    BLY_ROW_##real(BLY_ENTRY_3(bly_form_##method##_##real, bly_form_params, const bailey_uint##bits,         \
                               const scalar, scalar))
#define BLY_FORM_ROWS BLY_UNIFORMS(BLY_FORM_UNIFORM_ROW) BLY_DRAWS(BLY_FORM_ROW)

/* The same for other distributions. */
#define BLY_VARIATE_ROW(method, METHOD, real, scalar, bits)                                                  \
    BLY_ROW_##real(                                                                                          \
        BLY_ENTRY_2(bly_variate_##method##_##real, bly_form_params, const bailey_uint##bits, scalar))
#define BLY_VARIATE_DRAW_ROW(method, METHOD, real, scalar, bits)                                             \
    BLY_ROW_##real(BLY_ENTRY_3(bly_variate_##method##_##real, bly_form_params, const bailey_uint##bits,      \
                               const scalar, scalar))
#define BLY_VARIATE_NORMAL(word)
#define BLY_VARIATE_MEAN(word) BLY_VARIATE_RATE(word)
#define BLY_VARIATE_LOCATION(word) BLY_VARIATE_RATE(word)
#define BLY_VARIATE_SHAPE(word) BLY_VARIATE_RATE(word)
#define BLY_VARIATE_RATE(word)                                                                               \
    BLY_VARIATE_ROW(word, , f32, float, 32)                                                                  \
    BLY_VARIATE_ROW(word, , f64, double, 64)
#define BLY_VARIATE_DISCRETE(word)
#define BLY_VARIATE_TABLED(word)
#define BLY_TABLED_ROW(real, scalar, bits)                                                                   \
    BLY_ROW_##real(BLY_ENTRY_3(bly_tabled_##real, bly_form_params, const bailey_uint##bits, const scalar,    \
                               scalar))
#define BLY_COUNTER_TABLED_ROW(real, scalar)                                                                 \
    BLY_ROW_##real(BLY_STRIPED_ENTRY_2(bly_counter_tabled_##real, bly_fill_params, const scalar, scalar))
#define BLY_COUNTER_DISCRETE_ROW(real, bits)                                                                 \
    BLY_ROW_##real(BLY_STRIPED_ENTRY_2(bly_counter_discrete_##real, bly_fill_params,                         \
                                       const bailey_uint##bits, bailey_uint##bits))
#define BLY_DISCRETE_ROW(real, bits)                                                                         \
    BLY_ROW_##real(BLY_ENTRY_3(bly_discrete_##real, bly_form_params, const bailey_uint##bits,                \
                               const bailey_uint##bits, bailey_uint##bits))
#define BLY_VARIATE_OF(number, name, word, kind, text, factor) BLY_VARIATE_##kind(word)
#define BLY_VARIATE_ROWS                                                                                     \
    BAILEY_DISTRIBUTION_LIST(BLY_VARIATE_OF)                                                                 \
    BLY_DRAWS(BLY_VARIATE_DRAW_ROW)                                                                          \
    BLY_DISCRETE_ROW(f32, 32)                                                                                \
    BLY_DISCRETE_ROW(f64, 64)                                                                                \
    BLY_TABLED_ROW(f32, float, 32)                                                                           \
    BLY_TABLED_ROW(f64, double, 64)                                                                          \
    BLY_COUNTER_DISCRETE_ROW(f32, 32)                                                                        \
    BLY_COUNTER_DISCRETE_ROW(f64, 64)                                                                        \
    BLY_COUNTER_TABLED_ROW(f32, float)                                                                       \
    BLY_COUNTER_TABLED_ROW(f64, double)

/* Integers below n: of Philox, and of words in memory; permutations. */
#define BLY_INTEGERS_DRAWN_ROW(real, bits)                                                                   \
    BLY_ROW_##real(BLY_ENTRY_1(bly_integers_drawn_u##bits, bly_integers_params, bailey_uint##bits))
#define BLY_INTEGERS_READ_ROW(real, bits)                                                                    \
    BLY_ROW_##real(                                                                                          \
        BLY_ENTRY_2(bly_integers_read_u##bits, bly_form_params, const bailey_uint64, bailey_uint##bits))
#define BLY_PERMUTATION_ROW(real, bits)                                                                      \
    BLY_ROW_##real(BLY_ENTRY_1(bly_permutation_u##bits, bly_permutation_params, bailey_uint##bits))
#define BLY_INTEGERS_ROWS                                                                                    \
    BLY_INTEGERS_DRAWN_ROW(f32, 32)                                                                          \
    BLY_INTEGERS_DRAWN_ROW(f64, 64)                                                                          \
    BLY_INTEGERS_READ_ROW(f32, 32)                                                                           \
    BLY_INTEGERS_READ_ROW(f64, 64)                                                                           \
    BLY_PERMUTATION_ROW(f32, 32)                                                                             \
    BLY_PERMUTATION_ROW(f64, 64)

/* Uniforms and normals of 16 bits: of Philox, and rounded from floats in memory. */
#define BLY_HALVES_ICDF_ROW                                                                                  \
    BLY_ROW_f32(BLY_STRIPED_ENTRY_2(bly_halves_icdf, bly_fill_params, const float, bly_half_bits))
#define BLY_HALVES_ROWS                                                                                      \
    BLY_ROW_f32(BLY_STRIPED_ENTRY_1(bly_halves_u01, bly_fill_params, bly_half_bits))                         \
    BLY_HALVES_ICDF_ROW                                                                                      \
    BLY_ROW_f32(BLY_ENTRY_2(bly_halves_rounded, bly_halves_params, const float, bly_half_bits))

/* Ranks of normals and of numbers that have a table, and Student's t of normals. Buffers: numbers, table, words;
 * chi-square numbers, normals. */
#define BLY_RANKS_ROW(kind, real, scalar, bits)                                                              \
    BLY_ROW_##real(BLY_ENTRY_3(bly_ranks_##kind##_##real, bly_form_params, const scalar, const scalar,       \
                               bailey_uint##bits))
#define BLY_STUDENT_ROW(real, scalar)                                                                        \
    BLY_ROW_##real(BLY_ENTRY_2(bly_student_##real, bly_form_params, const scalar, scalar))
#define BLY_COPULA_ROWS                                                                                      \
    BLY_RANKS_ROW(normal, f32, float, 32)                                                                    \
    BLY_RANKS_ROW(normal, f64, double, 64)                                                                   \
    BLY_RANKS_ROW(tabled, f32, float, 32)                                                                    \
    BLY_RANKS_ROW(tabled, f64, double, 64)                                                                   \
    BLY_STUDENT_ROW(f32, float)                                                                              \
    BLY_STUDENT_ROW(f64, double)

/* Wallace's normals, one segment per team. */
#define BLY_WALLACE_ROWS                                                                                     \
    BLY_ROW_f32(BLY_TEAM_ENTRY_2(bly_wallace_f32, bly_segment_params, const float, bailey_uint32,            \
                                 BLY_WALLACE_SHARED))

/* Correlated vectors. Buffers: factor, z, x. */
#define BLY_CORRELATE_ROW(real, scalar)                                                                      \
    BLY_ROW_##real(                                                                                          \
        BLY_ENTRY_3(bly_correlate_##real, bly_correlate_params, const scalar, const scalar, scalar))
#define BLY_CORRELATED_ROWS BLY_CORRELATE_ROW(f32, float) BLY_CORRELATE_ROW(f64, double)

/* Sobol's points, by form: X(form, numbers, type of number, bits of a word, row). Buffers: the table, then
 * that of the inverse CDF for normals, then what is written. */
#define BLY_SOBOL_FORMS(X)                                                                                   \
    BLY_ROW_f32(X(words, u32, bailey_uint32, 32)) BLY_ROW_f64(X(words, u64, bailey_uint64, 64))              \
        BLY_ROW_f32(X(u01, f32, float, 32)) BLY_ROW_f64(X(u01, f64, double, 32))                             \
            BLY_ROW_f64(X(u01, f64, double, 64)) BLY_ROW_f32(X(icdf, f32, float, 32))                        \
                BLY_ROW_f32(X(icdf, f32, float, 64)) BLY_ROW_f64(X(icdf, f64, double, 32))                   \
                    BLY_ROW_f64(X(icdf, f64, double, 64))
#define BLY_SOBOL_DIM(form, real, scalar, bits) BLY_SOBOL_DIM_##form(real, scalar, bits)
#define BLY_SOBOL_DIM_words(real, scalar, bits)                                                              \
    BLY_POINT_ENTRY_2(bly_sobol_dim_words_##real##_##bits, bly_sobol_params, const bailey_uint##bits, scalar)
#define BLY_SOBOL_DIM_u01(real, scalar, bits)                                                                \
    BLY_POINT_ENTRY_2(bly_sobol_dim_u01_##real##_##bits, bly_sobol_params, const bailey_uint##bits, scalar)
#define BLY_SOBOL_DIM_icdf(real, scalar, bits)                                                               \
    BLY_POINT_ENTRY_3(bly_sobol_dim_icdf_##real##_##bits, bly_sobol_params, const bailey_uint##bits,         \
                      const scalar, scalar)
#define BLY_SOBOL_POINT(form, real, scalar, bits) BLY_SOBOL_POINT_##form(real, scalar, bits)
#define BLY_SOBOL_POINT_words(real, scalar, bits)                                                            \
    BLY_ENTRY_2(bly_sobol_point_words_##real##_##bits, bly_sobol_params, const bailey_uint##bits, scalar)
#define BLY_SOBOL_POINT_u01(real, scalar, bits)                                                              \
    BLY_ENTRY_2(bly_sobol_point_u01_##real##_##bits, bly_sobol_params, const bailey_uint##bits, scalar)
#define BLY_SOBOL_POINT_icdf(real, scalar, bits)                                                             \
    BLY_ENTRY_3(bly_sobol_point_icdf_##real##_##bits, bly_sobol_params, const bailey_uint##bits,             \
                const scalar, scalar)
#define BLY_SOBOL_ROWS                                                                                       \
    BLY_ROW_f64(BLY_ENTRY_2(bly_sobol_table_32, bly_sobol_table_params, const bailey_uint32, bailey_uint32)) \
        BLY_ROW_f64(                                                                                         \
            BLY_ENTRY_2(bly_sobol_table_64, bly_sobol_table_params, const bailey_uint32, bailey_uint64))     \
            BLY_SOBOL_FORMS(BLY_SOBOL_DIM) BLY_SOBOL_FORMS(BLY_SOBOL_POINT) BLY_ROW_f32(                     \
                BLY_ENTRY_2(bly_sobol_heads_32, bly_sobol_heads_params, const bailey_uint32, bailey_uint32)) \
                BLY_ROW_f64(BLY_ENTRY_2(bly_sobol_heads_64, bly_sobol_heads_params, const bailey_uint64,     \
                                        bailey_uint64))

/* Bridges, by kind: X(kind, record). Buffers: records, constants, Z or the table of the inverse CDF, X. In
 * each kind the two that read Z come first. */
#define BLY_BRIDGE_READ_ROW(kind, record, real, scalar)                                                      \
    BLY_ROW_##real(BLY_BRIDGE_READ(bly_bridge_##kind##_z_##real, kind, record, real, scalar))
#define BLY_BRIDGE_DRAW_ROW(kind, record, method, METHOD, real, scalar)                                      \
    BLY_ROW_##real(BLY_BRIDGE_DRAW(bly_bridge_##kind##_##method##_##real, kind, record, METHOD, real, scalar))
#define BLY_PATHS_DRAW(method, METHOD, real, scalar, bits)                                                   \
    BLY_BRIDGE_DRAW_ROW(paths, step, method, METHOD, real, scalar)
#define BLY_PATHS_READBACK_DRAW(method, METHOD, real, scalar, bits)                                          \
    BLY_BRIDGE_DRAW_ROW(paths_readback, step, method, METHOD, real, scalar)
#define BLY_INCREMENTS_DRAW(method, METHOD, real, scalar, bits)                                              \
    BLY_BRIDGE_DRAW_ROW(increments, split, method, METHOD, real, scalar)
#define BLY_INCREMENTS_READBACK_DRAW(method, METHOD, real, scalar, bits)                                     \
    BLY_BRIDGE_DRAW_ROW(increments_readback, split, method, METHOD, real, scalar)
#define BLY_BRIDGE_READ_ROWS(kind, record)                                                                   \
    BLY_BRIDGE_READ_ROW(kind, record, f32, float) BLY_BRIDGE_READ_ROW(kind, record, f64, double)
#define BLY_BRIDGE_ROWS                                                                                      \
    BLY_BRIDGE_READ_ROWS(paths, step)                                                                        \
    BLY_DRAWS(BLY_PATHS_DRAW)                                                                                \
    BLY_BRIDGE_READ_ROWS(paths_readback, step)                                                               \
    BLY_DRAWS(BLY_PATHS_READBACK_DRAW)                                                                       \
    BLY_BRIDGE_READ_ROWS(increments, split)                                                                  \
    BLY_DRAWS(BLY_INCREMENTS_DRAW)                                                                           \
    BLY_BRIDGE_READ_ROWS(increments_readback, split)                                                         \
    BLY_DRAWS(BLY_INCREMENTS_READBACK_DRAW)

/* Paths by principal components: the sums of the components, and C times those. Buffers: matrix, Z, X, and
 * matrix, constants, X. */
#define BLY_PCA_ROW(real, scalar)                                                                            \
    BLY_ROW_##real(BLY_ENTRY_3(bly_pca_##real, bly_pca_params, const scalar, const scalar, scalar))          \
        BLY_ROW_##real(                                                                                      \
            BLY_ENTRY_3(bly_pca_correlate_##real, bly_pca_params, const scalar, const scalar, scalar))
#define BLY_PCA_ROWS BLY_PCA_ROW(f32, float) BLY_PCA_ROW(f64, double)

/* Brownian motions at ticks. Buffers: ticks, table of the inverse CDF, X; ticks, constants, X; and times,
 * first paths, ticks. */
#define BLY_MOTION_ROW(name, real, scalar)                                                                   \
    BLY_ROW_##real(BLY_ENTRY_3(bly_motion_##name##_##real, bly_motion_params_##real, const bailey_uint64,    \
                               const scalar, scalar))
#define BLY_MOTION_ROWS_OF(real, scalar)                                                                     \
    BLY_MOTION_ROW(value, real, scalar)                                                                      \
    BLY_MOTION_ROW(walk, real, scalar)                                                                       \
    BLY_MOTION_ROW(between, real, scalar)                                                                    \
    BLY_MOTION_ROW(placed, real, scalar)
#define BLY_MOTION_TIMES_ROW(real, scalar)                                                                   \
    BLY_ROW_f64(BLY_ENTRY_3(bly_motion_times_##real, bly_motion_times_params, const scalar,                  \
                            const bailey_uint64, bailey_uint64))
#define BLY_MOTION_ROWS                                                                                      \
    BLY_MOTION_ROWS_OF(f32, float)                                                                           \
    BLY_MOTION_ROWS_OF(f64, double)                                                                          \
    BLY_MOTION_TIMES_ROW(f32, float) BLY_MOTION_TIMES_ROW(f64, double)

/* Nodes of simulations from the nodes below them, and from outputs in memory, with samples and counts;
 * results that are weighted sums of outputs. */
#define BLY_SIMULATION_ROWS                                                                                  \
    BLY_ROW_f64(BLY_ENTRY_2(bly_nodes, bly_nodes_params, const double, double)) BLY_ROW_f64(                 \
        BLY_ENTRY_2(bly_nodes_fixed, bly_nodes_params, const bailey_uint64, bailey_uint64))                  \
        BLY_ROW_f64(BLY_ENTRY_3(bly_output_nodes_f32, bly_output_params, const double, double, float))       \
            BLY_ROW_f64(BLY_ENTRY_3(bly_output_nodes_f64, bly_output_params, const double, double, double))  \
                BLY_ROW_f64(BLY_ENTRY_2(bly_weigh, bly_weigh_params, const double, double))

/* Outputs of built-in payoffs, of paths in memory. Buffers: parameters, constants, X, outputs. */
#define BLY_PREBUILT_f32(name, file) BLY_ROW_f32(BLY_PREBUILT(bly_prebuilt_##file##_f32, f32, float))
#define BLY_PREBUILT_f64(name, file) BLY_ROW_f64(BLY_PREBUILT(bly_prebuilt_##file##_f64, f64, double))
#define BLY_PREBUILT_ROWS_f32 BLY_PAYOFF_LIST(BLY_PREBUILT_f32)
#define BLY_PREBUILT_ROWS_f64 BLY_PAYOFF_LIST(BLY_PREBUILT_f64)

/* What a device's arithmetic is checked with. */
#define BLY_CHECK_ROW BLY_ROW_f64(BLY_ENTRY_1(bly_check, bly_check_params, bailey_uint32))

#define BLY_KERNEL_ROWS                                                                                      \
    BLY_CHECK_ROW                                                                                            \
    BLY_WORDS_ROWS                                                                                           \
    BLY_PUBLISHED_ROWS                                                                                       \
    BLY_PHILOX_ROWS                                                                                          \
    BLY_PHILOX7_ROWS                                                                                         \
    BLY_MIXED_ROWS                                                                                           \
    BLY_WARP_ROWS                                                                                            \
    BLY_FORM_ROWS                                                                                            \
    BLY_VARIATE_ROWS                                                                                         \
    BLY_INTEGERS_ROWS                                                                                        \
    BLY_HALVES_ROWS                                                                                          \
    BLY_COPULA_ROWS                                                                                          \
    BLY_WALLACE_ROWS                                                                                         \
    BLY_CORRELATED_ROWS                                                                                      \
    BLY_BRIDGE_ROWS                                                                                          \
    BLY_PCA_ROWS                                                                                             \
    BLY_MOTION_ROWS                                                                                          \
    BLY_SIMULATION_ROWS                                                                                      \
    BLY_PREBUILT_ROWS_f32 BLY_PREBUILT_ROWS_f64 BLY_SOBOL_ROWS

#endif
