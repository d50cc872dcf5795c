/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Copulas: dependent numbers of any distributions. bailey_copula_generate draws dependent words, one row for
 * each dimension, and bailey_variates_of_words turns a row into numbers of its distribution:
 *
 *     const double correlation[] = {1, 0.6, 0.6, 1};
 *     bailey_copula_generate(context, &source, correlation, 2, 4.5, BAILEY_PRECISION_F32, 0, n, words);
 *     bailey_variates_of_words(context, &gumbel, words, 0, n, x, 0);
 *     bailey_variates_of_words(context, &poisson, words, n, n, x, n);
 */
#ifndef BAILEY_COPULAS_H
#define BAILEY_COPULAS_H

#include <bailey/bailey.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the words of a Gaussian copula, or of Student's with `freedom` degrees of freedom, for vectors first
 * .. first + count - 1: words[dim][vector], uint32_t for F32 and uint64_t for F64. Each word is uniform; the
 * words of a vector depend on one another as normals C z of this correlation do, or C z sqrt(freedom / S) for
 * a chi-square number S of the vector. `freedom` 0 is the Gaussian copula; else it is from 0.6 (f64: 0.2) to
 * 1e9.
 *
 * `correlation`, [dims][dims], is checked like bailey_correlation_check and positive semi-definite; NULL:
 * independent normals. dims is 1 .. 64. z of dimension j is normal j 2^38 + vector of `source`, S number dims
 * 2^38 + vector; of a POINT source they are dimensions j and dims of point `vector`. A word is the largest
 * whose number, a normal or a number of Student's t, is at most the component.
 *
 * Asynchronous unless `words` adopts host memory.
 * Returns: as bailey_normals_generate and bailey_normals_correlate; also ERROR_INVALID (not a correlation
 * matrix; the published mt19937; `freedom` beyond its limits; first + count beyond 2^38).
 * Results: exact: a vector depends on (source, correlation, freedom, precision, vector) only. */
BAILEY_API bailey_status bailey_copula_generate(bailey_context *context, const bailey_source *source,
                                                const double *correlation, uint32_t dims, double freedom,
                                                bailey_precision precision, uint64_t first, uint64_t count,
                                                bailey_buffer *words);

/* Writes the numbers of a distribution that words in_offset .. in_offset + count - 1 of `words` have, to
 * elements out_offset ... of `out`: number i is computed from its word as bailey_variates_generate computes
 * it from an element. Words are uint32_t, or uint64_t where the element has 64 bits:
 * bailey_copula_generate's, or any uniform ones. Normals need the method ICDF. The buffers must not overlap.
 *
 * Asynchronous unless a buffer adopts host memory.
 * Returns: as bailey_variates_generate; also ERROR_INVALID (Box-Muller; overlapping memory). Results: exact.
 */
BAILEY_API bailey_status bailey_variates_of_words(bailey_context *context,
                                                  const bailey_variate_params *variate, bailey_buffer *words,
                                                  uint64_t in_offset, uint64_t count, bailey_buffer *out,
                                                  uint64_t out_offset);

#ifdef __cplusplus
}
#endif

#endif
