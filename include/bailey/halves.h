/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Uniforms and normals of 16 bits, float16 (IEEE 754 binary16) and bfloat16: the numbers of single precision,
 * rounded to nearest, ties to even. Buffers that adopt host memory need its address to be a multiple of 4.
 */
#ifndef BAILEY_HALVES_H
#define BAILEY_HALVES_H

#include <bailey/bailey.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bailey_half {
    BAILEY_HALF_FLOAT16 = 0, /* 5 bits of exponent, 11 of precision: up to 65504, in steps of 2^-24 near 0 */
    BAILEY_HALF_BFLOAT16 = 1 /* 8 bits of exponent, 8 of precision: the upper half of a float */
} bailey_half;

/* Writes uniforms first .. first + count - 1 of `source` to elements out_offset ... of `out`, 2 bytes each:
 * those of bailey_uniforms_generate in F32 with the same `word_bits`, rounded, but at most the largest number
 * below 1, which is 1 - 2^-11 (BFLOAT16: 1 - 2^-8). So all are in (0, 1), or 0 where float16 from 64 bits has
 * none small enough; 2^-12 (2^-9) of all would be 1 otherwise.
 *
 * Asynchronous, Returns, Results: as bailey_uniforms_generate; also ERROR_INVALID (another `half`). Source:
 * bailey/device/float16.h. */
BAILEY_API bailey_status bailey_uniforms_generate_half(bailey_context *context, const bailey_source *source,
                                                       bailey_half half, uint32_t word_bits, uint64_t first,
                                                       uint64_t count, bailey_buffer *out,
                                                       uint64_t out_offset);

/* The same for normals: those of bailey_normals_generate with the same `normal` of precision F32 (NULL: its
 * default), rounded. In float16, normals below 2^-25 are 0, with their sign.
 *
 * Asynchronous, Returns, Results: as bailey_normals_generate; also ERROR_INVALID (another `half`; a `normal`
 * of double precision). */
BAILEY_API bailey_status bailey_normals_generate_half(bailey_context *context, const bailey_source *source,
                                                      const bailey_normal_params *normal, bailey_half half,
                                                      uint64_t first, uint64_t count, bailey_buffer *out,
                                                      uint64_t out_offset);

/* Rounds elements in_offset .. in_offset + count - 1 of `in`, floats, to elements out_offset ... of `out`,
 * for other numbers: points, distributions, paths. Too large ones become infinite. The buffers must not
 * overlap.
 *
 * Asynchronous unless a buffer adopts host memory. Returns: OK, ERROR_INVALID (count 0, another `half`, a
 * buffer that is too small, overlapping memory), ERROR_MEMORY, ERROR_DRIVER. Results: exact. */
BAILEY_API bailey_status bailey_halves_round(bailey_context *context, bailey_half half, bailey_buffer *in,
                                             uint64_t in_offset, uint64_t count, bailey_buffer *out,
                                             uint64_t out_offset);

#ifdef __cplusplus
}
#endif

#endif
