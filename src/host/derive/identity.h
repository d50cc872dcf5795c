/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Whether values of a list are equal whatever its leaves are, as fractions of polynomials of leaves and of
 * terms that are taken as they stand (exp(y), a selection): all are computed modulo the prime 2^61 - 1 for
 * one choice of the leaves (Schwartz 1980). Equal fractions are always found equal, and others for fewer than
 * one choice in 10^14.
 */
#ifndef BLY_DERIVE_IDENTITY_H
#define BLY_DERIVE_IDENTITY_H

#include "list.h"

/* A value modulo the prime. If it is computed from constants alone, `number` is its value. */
struct bly_residue {
    uint64_t of;
    bool known;
    double number;
};

/* residues[1 .. count - 1]. */
void bly_residues(const struct bly_atoms *list, uint32_t count, struct bly_residue *residues);
/* That of one value, of those of its operands. */
struct bly_residue bly_residue_at(const struct bly_atoms *list, uint32_t value,
                                  const struct bly_residue *residues);

struct bly_residue bly_residue_of(double x);
struct bly_residue bly_residue_less(struct bly_residue a, struct bly_residue b);  /* a - b */
struct bly_residue bly_residue_ratio(struct bly_residue a, struct bly_residue b); /* a / b; 0 for b = 0 */

/* The same for l - r and for r - l. */
uint64_t bly_residue_size(struct bly_residue r);

#endif
