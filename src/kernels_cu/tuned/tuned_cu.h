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
 * that loop over all items, bytes of shared memory). All are 0 of ITEMS, a thread for each item as the rows
 * have it. A device that has less shared memory for a block uses the row.
 */
#ifndef BLY_TUNED_CU_H
#define BLY_TUNED_CU_H

#define BLY_SHAPE_ITEMS(X) X(0, 0, 0)
#define BLY_SHAPE_COPIES_F32(X) X(256, 4, 22528)   /* *_icdf_f32.cu: the table in shared memory */
#define BLY_SHAPE_COPIES_F64(X) X(1024, 1, 194688) /* *_icdf_f64.cu */

/* Philox's rows in f32 gain nothing: 635 G normals/s with copies of the table and 648 through L1 (H200). */
#define BLY_TUNED_CU(X)                                                                                      \
    X(bly_warp_icdf_f32, COPIES_F32, "H200: 818 G normals/s, 595 through L1")                                \
    X(bly_form_icdf_f32, COPIES_F32, "as bly_warp_icdf_f32; not measured")                                   \
    X(bly_philox_icdf_f64, COPIES_F64, "H200: 297 G normals/s, 101 through L1")                              \
    X(bly_philox7_icdf_f64, COPIES_F64, "H200: 359 G normals/s, 101 through L1")                             \
    X(bly_warp_icdf_f64, COPIES_F64, "H200: 319 G normals/s, 95 through L1")                                 \
    X(bly_form_icdf_f64, COPIES_F64, "as bly_philox_icdf_f64; not measured")                                 \
    X(bly_sobol_dim_icdf_f32_32, COPIES_F32, "H200: 792 G normals/s")                                        \
    X(bly_sobol_point_icdf_f32_32, COPIES_F32, "H200: 695 G normals/s")                                      \
    X(bly_sobol_dim_icdf_f64_32, COPIES_F64, "as bly_sobol_dim_icdf_f64_64; itself not measured")            \
    X(bly_sobol_dim_icdf_f64_64, COPIES_F64, "H200: 328 G normals/s")                                        \
    X(bly_sobol_point_icdf_f64_32, COPIES_F64, "as bly_sobol_point_icdf_f64_64; itself not measured")        \
    X(bly_sobol_point_icdf_f64_64, COPIES_F64, "H200: 280 G normals/s")                                      \
    X(bly_philox_box_muller_f64, ITEMS,                                                                      \
      "H200: 224 G normals/s, 185 with the coefficients as numbers; from constant memory not measured")      \
    X(bly_warp_box_muller_f64, ITEMS,                                                                        \
      "H200: 269 G normals/s; without the held coefficients not measured apart")

#endif
