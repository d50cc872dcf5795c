/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The published sequences (BAILEY_SEQUENCE_PUBLISHED of bailey.h): the state of one at any place in it.
 *
 * A state at position n is the one from which the next draw is word n. Its words:
 *   xorwow       v[0], ..., v[4], d
 *   mrg32k3a     the three values of the first component, the oldest first, then those of the second
 *   mt19937      the 624 words of a block, already made, then the index of the next word in it
 *   kiss         z, w, jsr, jcong
 *   park-miller, lcg, adder   x
 */
#ifndef BLY_PUBLISHED_H
#define BLY_PUBLISHED_H

#include <bailey/bailey.h>

#define BLY_PUBLISHED_MOST_WORDS 625

/* Words of a state; 0 where the generator has no published sequence, or is a function of a counter and needs
 * no state. */
uint32_t bly_published_words(bailey_generator generator);

/* Whether source->generator has a published sequence for source->seed and stream; the rest is
 * ignored. Refused besides what bailey.h says: seeds and streams for which cuRAND's initialisation
 * of MRG32k3a is not defined (streams from 2^51) or of no use (a component all zero, for ever).
 *
 * Returns: OK, ERROR_INVALID. */
bailey_status bly_published_check(const bailey_source *source);

/* States at positions offset, offset + spacing, ..., offset + (count - 1) spacing: word k of state s goes to
 * states[k * count + s]. Positions beyond 2^64 are what they would be. For mt19937 count is 1.
 *
 * Costs a fraction of a millisecond and some 0.1 microseconds per state; mt19937 a few milliseconds.
 * Returns: OK, ERROR_INVALID (as bly_published_check; a generator without states; count), ERROR_MEMORY. */
bailey_status bly_published_states(const bailey_source *source, uint64_t offset, uint64_t spacing,
                                   uint64_t count, uint32_t *states);

#endif
