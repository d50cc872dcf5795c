/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * For your own kernels and for measurements: the device headers as code, the tables and records that they
 * use, the platform's report on a kernel, and states of the warp generator.
 */
#ifndef BAILEY_ADVANCED_H
#define BAILEY_ADVANCED_H

#include <bailey/bailey.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The embedded device headers: include names ("bailey/device/philox.h") and code, in an order suitable for
 * clCompileProgram and nvrtcCreateProgram. Returns 0 once `index` is beyond the last. Threads: any. */
BAILEY_API int bailey_device_header(size_t index, const char **name, const char **code);

/* The table of the inverse CDF, the first argument of bailey_normal_icdf_f32 and bailey_normal_icdf_f64 in
 * bailey/device/normal.h: 16 KB of floats or 106 KB of doubles. Your kernels may read the buffer. It belongs
 * to the context: do not destroy it or write to it.
 * Returns: OK, ERROR_INVALID, ERROR_UNSUPPORTED (F64 without it), ERROR_MEMORY, ERROR_DRIVER. */
BAILEY_API bailey_status bailey_normal_table(bailey_context *context, bailey_precision precision,
                                             bailey_buffer **table);

/* The same bytes in the library's memory, aligned to 64 bytes, for device functions compiled for the host and
 * for memory that you fill yourself. `bytes` may be NULL. Returns: NULL if `precision` is unknown. Threads:
 * any. */
BAILEY_API const void *bailey_normal_table_data(bailey_precision precision, size_t *bytes);

/* The table of a distribution for your kernels, in a new buffer: for a discrete distribution, uint32_t of
 * bailey_discrete_u32 and bailey_discrete_f32 or uint64_t of bailey_discrete_u64 and bailey_discrete_f64
 * (bailey/device/discrete.h); for GAMMA and the later ones, float of bailey_tabled_f32 or double
 * of bailey_tabled_f64 (bailey/device/tabled.h). `variate` is as for bailey_variates_generate.
 *
 * Returns: as bailey_variates_generate; also ERROR_INVALID (a distribution without a table). */
BAILEY_API bailey_status bailey_variate_table_create(bailey_context *context,
                                                     const bailey_variate_params *variate,
                                                     bailey_buffer **table);

/* The table of approximate normals, the first argument of bailey_normal_constant_f32 and
 * bailey_normal_dyadic_f32 in bailey/device/approximate.h: 4 KB of floats, as a buffer of the context and in
 * the library's memory. Otherwise like the two functions above. */
BAILEY_API bailey_status bailey_approximate_table(bailey_context *context, bailey_buffer **table);
BAILEY_API const float *bailey_approximate_table_data(size_t *bytes);

/* The plan's records (bailey/device/bridge.h) for your own kernels, in the bridge's precision:
 * bailey_bridge_step_* for paths and random walks, bailey_bridge_split_* for other increments, x_steps of
 * them in execution order. For a bridge by principal components the contents are internal to the library. The
 * pointer is valid as long as the bridge. */
BAILEY_API bailey_status bailey_bridge_records(const bailey_bridge *bridge, const void **records,
                                               size_t *bytes);

/* The platform's report on a compiled kernel; 0 for values that it does not report. An item is a CUDA thread
 * or an OpenCL work-item, a group a thread block or work-group. */
typedef struct bailey_kernel_info {
    uint32_t registers;    /* per item */
    uint32_t spill_bytes;  /* per item: memory for spilled registers and for indexed arrays */
    uint32_t shared_bytes; /* per group */
    uint32_t block;        /* items per group */
    double occupancy;      /* threads that run at once, as a fraction (0 to 1) of the device's maximum */
    uint64_t reserved[4];
} bailey_kernel_info;

/* Describes the kernel that builds whole blocks of paths in bailey_bridge_build (`source` NULL) or in
 * bailey_bridge_paths (with that `source` and `normal`). Compiles it first if necessary, so call this before
 * the first of those calls to keep compilation out of their times. The cpu backend fills in only `block` and
 * `shared_bytes`, and only for strategies that are compiled. Returns: OK, ERROR_INVALID, ERROR_UNSUPPORTED,
 * ERROR_BUILD, ERROR_DRIVER. */
BAILEY_API bailey_status bailey_bridge_inspect(bailey_bridge *bridge, const bailey_source *source,
                                               const bailey_normal_params *normal, bailey_kernel_info *info);

/* Moves a state of the warp generator (word i belongs to lane i: bailey/device/warp.h) by `distance` steps, a
 * number of `words` 64-bit words, lowest first. One step yields one word in each of the 32 lanes. The period
 * is 2^1024 - 1, so 2^1024 - 1 - n steps move n steps back. `warp_set` is that of bailey_source, or
 * BAILEY_WARP_SETS for the published set, which WARP_ADD uses. `words` is at most 16. Takes some
 * milliseconds. Returns: OK, ERROR_INVALID (an unknown set, too many words, an all-zero state). Threads: any.
 */
BAILEY_API bailey_status bailey_warp_jump(uint32_t warp_set, const uint64_t *distance, size_t words,
                                          uint32_t state[32]);

/* Moves a state to the beginning of stream `stream` of 2^64, that is, by stream 2^512 steps. No two streams
 * of one state overlap within 2^512 steps. Returns, Threads: as bailey_warp_jump. */
BAILEY_API bailey_status bailey_warp_stream(uint32_t warp_set, uint64_t stream, uint32_t state[32]);

#ifdef __cplusplus
}
#endif

#endif
