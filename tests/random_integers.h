/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Random payoff code about integers alone, dense with what ranges are found from: comparisons of variables,
 * differences, counters, halvings, jumps, and indices that these may keep within h[5].
 */
#ifndef RANDOM_INTEGERS_H
#define RANDOM_INTEGERS_H

#include <stdint.h>

/* A function of the seed, to be freed with free(); NULL without memory. */
char *random_integers(uint64_t seed);

#endif
