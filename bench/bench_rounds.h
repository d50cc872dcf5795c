/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The rounds of the generators whose kind is COUNTER, for C and CUDA.
 */
#ifndef BENCH_ROUNDS_H
#define BENCH_ROUNDS_H

#define BAILEY_TABLE_ALONE
#include <bailey/device/generators.h>
#undef BAILEY_TABLE_ALONE

enum { BENCH_ROUNDS_philox = 10, BENCH_ROUNDS_philox7 = 7 };

/* Of generator `number`; 0 for those that step, and for points. */
static inline int bench_rounds(int number)
{
#define BENCH_ROUNDS_OF_COUNTER(word) BENCH_ROUNDS_##word,
#define BENCH_ROUNDS_OF_LANES(word) 0,
#define BENCH_ROUNDS_OF_TEAM(word) 0,
#define BENCH_ROUNDS_OF(number, name, word, kind, published, text, verdict, period)                          \
    BENCH_ROUNDS_OF_##kind(word)
    static const int rounds[] = {BAILEY_GENERATOR_LIST(BENCH_ROUNDS_OF)};
    return number < (int)(sizeof rounds / sizeof *rounds) ? rounds[number] : 0;
}

#endif
