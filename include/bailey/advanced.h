/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * For kernels of your own, and for those who measure: the device headers as code, the tables and records
 * that they take, what the platform reports of a kernel, and states of the warp generator.
 */
#ifndef BAILEY_ADVANCED_H
#define BAILEY_ADVANCED_H

#include <bailey/bailey.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The device headers, embedded: include names ("bailey/device/philox.h") and code, in an order that
 * suits clCompileProgram and nvrtcCreateProgram. Returns 0 once `index` is past the last. Threads: any. */
BAILEY_API int bailey_device_header(size_t index, const char **name, const char **code);

/* The table of the inverse CDF, which bailey_normal_icdf_f32 and bailey_normal_icdf_f64 of
 * bailey/device/normal.h take as their first argument: 16 KB of floats or 106 KB of doubles. The buffer is
 * for kernels of the caller to read: it belongs to the context, and nobody else destroys or writes it.
 * Returns: OK, ERROR_INVALID, ERROR_UNSUPPORTED (F64 without it), ERROR_MEMORY, ERROR_DRIVER. */
BAILEY_API bailey_status bailey_normal_table(bailey_context *context, bailey_precision precision,
                                             bailey_buffer **table);

/* The same bytes in the library's own memory, aligned to 64 bytes, for device functions that are compiled for
 * the host and for memory that the caller fills. `bytes` may be NULL. Returns: NULL if `precision` is
 * unknown. Threads: any. */
BAILEY_API const void *bailey_normal_table_data(bailey_precision precision, size_t *bytes);

/* The table of approximate normals, which bailey_normal_constant_f32 and bailey_normal_dyadic_f32 of
 * bailey/device/approximate.h take as their first argument: 4 KB of floats, as a buffer of the context's and
 * in the library's own memory. Otherwise as those above. */
BAILEY_API bailey_status bailey_approximate_table(bailey_context *context, bailey_buffer **table);
BAILEY_API const float *bailey_approximate_table_data(size_t *bytes);

/* The plan's records (bailey/device/bridge.h), for kernels of the caller: bailey_bridge_step_* for
 * paths and for random walks, bailey_bridge_split_* for other increments, of the bridge's precision, x_steps
 * of them in execution order. Of a bridge by principal components: numbers that are the library's own. The
 * pointer lives as long as the bridge. */
BAILEY_API bailey_status bailey_bridge_records(const bailey_bridge *bridge, const void **records,
                                               size_t *bytes);

/* What the platform reports of a compiled kernel; 0 for what it does not. An item is a CUDA thread or an
 * OpenCL work-item, a group a thread block or work-group. */
typedef struct bailey_kernel_info {
    uint32_t registers;    /* per item */
    uint32_t spill_bytes;  /* per item: memory for registers that did not fit and for indexed arrays */
    uint32_t shared_bytes; /* per group */
    uint32_t block;        /* items per group */
    double occupancy; /* threads that run at once, as a part (0 to 1) of the most that the device can run */
    uint64_t reserved[4];
} bailey_kernel_info;

/* Describes the kernel with which bailey_bridge_build (`source` NULL) or bailey_bridge_paths (with that
 * `source` and `normal`) builds whole blocks of paths, and compiles it if that has not been done: a call of
 * this before the first of those takes the time of compiling out of it. The cpu backend fills in `block` and
 * `shared_bytes` alone, of strategies that are compiled. Returns: OK, ERROR_INVALID, ERROR_UNSUPPORTED,
 * ERROR_BUILD, ERROR_DRIVER. */
BAILEY_API bailey_status bailey_bridge_inspect(bailey_bridge *bridge, const bailey_source *source,
                                               const bailey_normal_params *normal, bailey_kernel_info *info);

/* Moves a state of the warp generator (word i is lane i's: bailey/device/warp.h) by `distance` steps, a
 * number of `words` 64-bit words, the lowest first. One step gives one word of each of the 32 lanes. The
 * period is 2^1024 - 1, so that 2^1024 - 1 - n steps are n steps back. `warp_set` is that of
 * bailey_source, or BAILEY_WARP_SETS for the published set, which WARP_ADD uses. `words` is at most
 * 16; some milliseconds. Returns: OK, ERROR_INVALID (an unknown set; more words; a state all zero).
 * Threads: any. */
BAILEY_API bailey_status bailey_warp_jump(uint32_t warp_set, const uint64_t *distance, size_t words,
                                          uint32_t state[32]);

/* Moves a state to the beginning of stream `stream` of 2^64: by stream 2^512 steps, so that no two streams of
 * one state overlap within 2^512 steps. Returns, Threads: as bailey_warp_jump. */
BAILEY_API bailey_status bailey_warp_stream(uint32_t warp_set, uint64_t stream, uint32_t state[32]);

#ifdef __cplusplus
}
#endif

#endif
