/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The hand-tuned replacements of CUDA kernels.
 *
 * BLY_TUNED_CU is the table: X(row, shape, what it gains). A row of it stands in one file of this folder too,
 * under the name that it has in src/kernels_cu, and has the same results: tests/test_tuned.c compares them.
 * Devices use the replacement unless the environment says BAILEY_TUNED=0 (backend/tuned.h).
 *
 * BLY_SHAPE_(X, shape) gives what a launch needs to know: X(threads of a block, blocks of a multiprocessor
 * that loop over all items, bytes of shared memory, whether it may begin early). All are 0 of ITEMS, a thread
 * for each item as the rows have it. A device that has less shared memory for a block uses the row.
 *
 * What begins early copies the table while the kernel before it in the queue ends, and then waits for it
 * (entry_copies.h): rows that read nothing but the table, which no kernel writes.
 */
#ifndef BLY_TUNED_CU_H
#define BLY_TUNED_CU_H

#define BLY_SHAPE_ITEMS(X) X(0, 0, 0, 0)
#define BLY_SHAPE_COPIES_F32(X) X(1024, 1, 133120, 0) /* *_icdf_f32.cu: the table in shared memory */
#define BLY_SHAPE_COPIES_F64(X) X(1024, 1, 223360, 0) /* *_icdf_f64.cu */
#define BLY_SHAPE_EARLY_F32(X) X(1024, 1, 133120, 1)
#define BLY_SHAPE_WARP_F32(X) X(1024, 1, 65536, 1) /* rows without a sign */
#define BLY_SHAPE_EARLY_F64(X) X(1024, 1, 223360, 1)

/* f32, 1,024 threads and all rows eight times: with 4 blocks of 256 and the first 8 octaves eight times, warp
 * made 843 G normals/s and Philox 635; with 2 blocks of 512 and all rows 922 and 693 (H200). On an H100 rows with
 * a sign changed Philox from 731 to 768 and Owen's points, point by point, from 0.82 to 0.90 of a fill. */
#define BLY_TUNED_CU(X)                                                                                      \
    X(bly_philox_icdf_f32, EARLY_F32, "H200: 726 G normals/s, 648 through L1")                               \
    X(bly_philox7_icdf_f32, EARLY_F32, "H200: 840 G normals/s, 726 through L1")                              \
    X(bly_warp_icdf_f32, WARP_F32, "H200: 956 G normals/s, 595 through L1")                                 \
    X(bly_halves_icdf, EARLY_F32, "H100: 711 G normals/s, 668 through L1")                                   \
    X(bly_philox_icdf_f64, EARLY_F64, "H200: 317 G normals/s, 101 through L1")                               \
    X(bly_philox7_icdf_f64, EARLY_F64, "H200: 370 G normals/s, 101 through L1")                              \
    X(bly_warp_icdf_f64, EARLY_F64, "H200: 331 G normals/s, 95 through L1")                                  \
    X(bly_form_icdf_f64, COPIES_F64, "H200, xorwow: 107 G normals/s, 63 through L1")                         \
    X(bly_mixed_counter_icdf_f64, EARLY_F64, "H200: 341 G normals/s, 101 through L1")                        \
    X(bly_mixed_icdf_f64, COPIES_F64, "H200, warp: 133 G normals/s; through L1 not measured")                \
    X(bly_sobol_dim_icdf_f32_32, COPIES_F32, "H200: 792 G normals/s")                                        \
    X(bly_sobol_point_icdf_f32_32, COPIES_F32, "H200: 695 G normals/s")                                      \
    X(bly_sobol_dim_icdf_f64_32, COPIES_F64, "H200: 363 G normals/s, 104 through L1")                        \
    X(bly_sobol_dim_icdf_f64_64, COPIES_F64, "H200: 328 G normals/s")                                        \
    X(bly_sobol_point_icdf_f64_32, COPIES_F64, "H200: 302 G normals/s, 97 through L1")                       \
    X(bly_sobol_point_icdf_f64_64, COPIES_F64, "H200: 280 G normals/s")                                      \
    X(bly_philox_box_muller_f64, ITEMS,                                                                      \
      "H200: 224 G normals/s, 185 with the coefficients as numbers; from constant memory not measured")      \
    X(bly_warp_box_muller_f64, ITEMS,                                                                        \
      "H200: 269 G normals/s; without the held coefficients not measured apart")

#endif
