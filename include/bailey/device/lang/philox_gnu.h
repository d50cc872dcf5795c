/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Philox's rounds where vectors have 64-bit products: words are the low halves of 64-bit elements whose high
 * halves may hold anything, so that both halves of a product are used where they stand, which takes two
 * thirds of the instructions. Part of bailey/device/philox.h.
 */
#ifndef BAILEY_DEVICE_LANG_PHILOX_GNU_H
#define BAILEY_DEVICE_LANG_PHILOX_GNU_H

/* Keys are xored as words: x86 reads them into all elements in the same instruction. */
#define BAILEY_PHILOX_MIX(high, word, key)                                                                   \
    ((wide)((words)((high) >> 32) ^ (words)(word) ^ BAILEY_SPLAT(words, key)))
#define BAILEY_PHILOX_WIDE_ROUND(n)                                                                          \
    if (n >= from && n < to) {                                                                               \
        const wide p0_ = BAILEY_PHILOX_PRODUCT(b_.word[0], m0_),                                             \
                   p1_ = BAILEY_PHILOX_PRODUCT(b_.word[2], m1_);                                             \
        b_.word[0] = BAILEY_PHILOX_MIX(p1_, b_.word[1], keys.word[2 * n]);                                   \
        b_.word[1] = p1_;                                                                                    \
        b_.word[2] = BAILEY_PHILOX_MIX(p0_, b_.word[3], keys.word[2 * n + 1]);                               \
        b_.word[3] = p0_;                                                                                    \
    }

/* bailey_philox_rounds of words in lanes of bailey_<name>. */
#define BAILEY_PHILOX_WIDE(name)                                                                             \
    typedef struct bailey_philox_##name {                                                                    \
        bailey_##name word[4];                                                                               \
    } bailey_philox_##name;                                                                                  \
    BAILEY_FN bailey_philox_##name bailey_philox_rounds_##name(int from, int to, bailey_philox_##name b_,    \
                                                               bailey_philox_keys keys)                      \
    {                                                                                                        \
        typedef bailey_##name wide;                                                                          \
        typedef bailey_uint32 words __attribute__((vector_size(sizeof(wide))));                              \
        const wide m0_ = BAILEY_SPLAT(wide, (bailey_uint64)0xD2511F53u);                                     \
        const wide m1_ = BAILEY_SPLAT(wide, (bailey_uint64)0xCD9E8D57u);                                     \
        BAILEY_PHILOX_ROUNDS(BAILEY_PHILOX_WIDE_ROUND)                                                       \
        return b_;                                                                                           \
    }

#if defined(BAILEY_HAS_PAIRS)
#define BAILEY_PHILOX_PRODUCT bailey_product_pairs
BAILEY_PHILOX_WIDE(pairs)
#undef BAILEY_PHILOX_PRODUCT
#endif
#if defined(BAILEY_HAS_PRODUCTS)
#define BAILEY_PHILOX_PRODUCT bailey_product_u64
BAILEY_PHILOX_WIDE(u64)
#undef BAILEY_PHILOX_PRODUCT
#endif

#endif
