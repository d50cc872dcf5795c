/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The hand-tuned replacements of OpenCL kernels.
 *
 * BLY_TUNED_CL is the table: X(row, shape, what it gains). A row of it is compiled with entry_local.h in
 * place of entry_cl.h and has the same results: tests/test_tuned.c compares them. GPUs with local memory of
 * their own use the replacement unless the environment says BAILEY_TUNED=0, other devices if it says
 * BAILEY_TUNED=1 (backend/tuned.h).
 *
 * BLY_SHAPE_(X, shape) gives X(items of a work-group, work-groups of a unit that loop over all items, bytes
 * of local memory, definitions for entry_local.h). A device that has less of it uses the row. NVIDIA's driver
 * gives a work-group 48 KiB: in f64 five octaves four times, and the other rows stay in the table.
 */
#ifndef BLY_TUNED_CL_H
#define BLY_TUNED_CL_H

#define BLY_SHAPE_LOCAL_F32(X)                                                                               \
    X(256, 4, 22528, "#define BLY_REAL f32\n#define BLY_SCALAR float\n#define BAILEY_ICDF_COPIES 8\n")
#define BLY_SHAPE_LOCAL_F64(X)                                                                               \
    X(256, 4, 41088,                                                                                         \
      "#define BLY_REAL f64\n#define BLY_SCALAR double\n#define BAILEY_ICDF_COPIES 4\n"                      \
      "#define BAILEY_ICDF_HOT_F64 160\n#define BAILEY_ICDF_COLD_F64 0\n")

/* Philox's rows in f32 lose: 615 G normals/s with copies of the table and 643 through the cache (H200, NVIDIA's
 * OpenCL). */
#define BLY_TUNED_CL(X)                                                                                      \
    X(bly_philox_icdf_f64, LOCAL_F64, "H200, NVIDIA's OpenCL: 191 G normals/s, 102 through the cache")       \
    X(bly_philox7_icdf_f64, LOCAL_F64, "as bly_philox_icdf_f64; itself not measured")                        \
    X(bly_form_icdf_f64, LOCAL_F64, "as bly_philox_icdf_f64; itself not measured")                           \
    X(bly_sobol_dim_icdf_f32_32, LOCAL_F32,                                                                  \
      "H200, NVIDIA's OpenCL: 758 G normals/s, 617 through the cache, with half the packs")                  \
    X(bly_sobol_point_icdf_f32_32, LOCAL_F32,                                                                \
      "H200, NVIDIA's OpenCL: 654 G normals/s, 588 through the cache")                                       \
    X(bly_sobol_dim_icdf_f64_32, LOCAL_F64, "as bly_sobol_dim_icdf_f64_64; itself not measured")             \
    X(bly_sobol_dim_icdf_f64_64, LOCAL_F64, "H200, NVIDIA's OpenCL: 191 G normals/s, 99 through the cache")  \
    X(bly_sobol_point_icdf_f64_32, LOCAL_F64, "as bly_sobol_point_icdf_f64_64; itself not measured")         \
    X(bly_sobol_point_icdf_f64_64, LOCAL_F64, "H200, NVIDIA's OpenCL: 176 G normals/s, 97 through the cache")

#endif
