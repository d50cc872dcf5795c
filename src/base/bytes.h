/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Words and numbers in files: eight bytes each, lowest first, on every machine.
 */
#ifndef BLY_BYTES_H
#define BLY_BYTES_H

#include <stdint.h>
#include <string.h>

static inline void bly_put_word(uint8_t **to, uint64_t word)
{
    for (int i = 0; i < 8; i++) *(*to)++ = (uint8_t)(word >> 8 * i);
}

/* For a double, or the word that is passed in one: bits that are not a number have to survive too. */
static inline void bly_put_number(uint8_t **to, const double *number)
{
    uint64_t word;
    memcpy(&word, number, sizeof word);
    bly_put_word(to, word);
}

static inline uint64_t bly_get_word(const uint8_t **from)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++) word |= (uint64_t) * (*from)++ << 8 * i;
    return word;
}

static inline void bly_get_number(const uint8_t **from, double *number)
{
    const uint64_t word = bly_get_word(from);
    memcpy(number, &word, sizeof *number);
}

#endif
