/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Integers below n, and permutations of them: shuffles, samples without replacement.
 */
#ifndef BAILEY_INTEGERS_H
#define BAILEY_INTEGERS_H

#include <bailey/bailey.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes random integers first .. first + count - 1 of `source` to elements out_offset ... of `out`, as
 * uint32_t (`bits` 32) or uint64_t (`bits` 64): from `least` to least + n - 1, modulo 2^bits, so that signed
 * integers may be read instead. `below` is n, from 1 to 2^bits; 0 means 2^bits.
 *
 * Integer i is least + floor(n w / 2^(2 bits)), where w is element i of twice the bits: of words 2i and 2i +
 * 1 for 32, of words 4i to 4i + 3 for 64, the lowest first. Each integer has the probability 1/n within 2^-64
 * (2^-128): no test can find a bias in fewer than 2^64 integers. Integers grow with w, so that equal words
 * give equal ranks.
 *
 * Asynchronous unless `out` adopts host memory or the sequence is PUBLISHED.
 * Returns: as bailey_words_generate; also ERROR_INVALID (other `bits`; `below` beyond 2^bits; first + count
 * beyond 2^63, or 2^62 for 64 bits), ERROR_UNSUPPORTED (64 bits on a device without double precision).
 * Results: integer i depends on (source, bits, least, below, i) only. Source: bailey/device/below.h. */
BAILEY_API bailey_status bailey_integers_generate(bailey_context *context, const bailey_source *source,
                                                  uint32_t bits, uint64_t least, uint64_t below,
                                                  uint64_t first, uint64_t count, bailey_buffer *out,
                                                  uint64_t out_offset);

#define BAILEY_PERMUTATION_MAX (UINT64_C(1) << 48)

/* Writes elements first .. first + count - 1 of a permutation of 0 .. below - 1 to elements out_offset ... of
 * `out`, as uint32_t (`bits` 32) or uint64_t (`bits` 64): a shuffle, of which the first `count` elements are
 * a sample without replacement. Each element is found without the others. Each seed, stream and `below` has
 * another permutation, independent of the words of the source. `below` is from 1 to 2^48, with 32 bits up to
 * 2^32.
 *
 * Over streams, or seeds, all orders are equally likely, as far as tests can see (docs/records/quality.md). A
 * seed has 2^64 streams, which is fewer than the orders of
 * 21 numbers, and seeds and streams together are fewer than those of 35. This is not encryption.
 *
 * Asynchronous unless `out` adopts host memory.
 * Returns: OK, ERROR_INVALID (count 0, first + count beyond `below`, `below` or `bits` beyond their limits,
 * `out` too small, a generator other than philox), ERROR_UNSUPPORTED (64 bits on a device without double
 * precision), ERROR_MEMORY, ERROR_DRIVER. Results: element i depends on (seed, stream, below, i) only, in 32
 * and 64 bits. Source: bailey/device/permutation.h. */
BAILEY_API bailey_status bailey_permutation_generate(bailey_context *context, const bailey_source *source,
                                                     uint32_t bits, uint64_t below, uint64_t first,
                                                     uint64_t count, bailey_buffer *out, uint64_t out_offset);

#ifdef __cplusplus
}
#endif

#endif
