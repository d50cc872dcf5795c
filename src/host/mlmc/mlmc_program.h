/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Programs of levels: written, compiled and loaded when a run first needs them.
 */
#ifndef BLY_MLMC_PROGRAM_H
#define BLY_MLMC_PROGRAM_H

#include "mlmc_internal.h"

#include <base/text.h>
#include <kernels/mlmc_list.h>

/* What a program is made for. Compared as bytes: there is no padding. */
struct bly_levels_variant {
    uint32_t input;        /* BLY_INPUT_DRAWN or BLY_INPUT_SHOWN */
    uint32_t draw, rounds; /* DRAWN: an enum bly_draw, and the rounds of Philox */
    uint32_t test;         /* all sums of levels.h */
    uint32_t fast;         /* native functions may serve the text */
    uint32_t copies;       /* groups copy the table of the inverse CDF */
    uint32_t block, team;  /* items of a group and of a team, powers of two */
    uint32_t width; /* samples of an item side by side, likewise, at most BLY_LEVEL_GRAIN in groups of several
                       items */
    uint32_t calls_rows;  /* DRAWN: numbers are filled by rows of the library */
    uint32_t stays;       /* kernels stay on the device (kernels/mlmc_stay.h) */
    uint32_t approximate; /* 0, or the kind of approximate normals; and 1 for their corrections */
    uint32_t correction;
    uint32_t shares; /* samples of level 0 share words (kernels/mlmc_approximate.h) */
    uint32_t parts;  /* of a launch */
    uint32_t faults; /* 1: the code has sites; 2: and what failed is told, of one sample */
    uint32_t given;  /* 8-byte words of parameters that come with the launch, or 0: they are in memory */
};

/* Kernels of a program. */
enum { BLY_LEVELS_SAMPLE, BLY_LEVELS_FOLD, BLY_LEVELS_KERNELS };
#define BLY_LEVELS_STAY BLY_LEVELS_SAMPLE /* of a program whose kernel stays, the only one */

#define BLY_LEVELS_STRIP_BITS 6u

/* Fills in what follows from the device. */
void bly_levels_choose(const bailey_mlmc *mlmc, struct bly_levels_variant *variant);

/* Groups that the device runs at once, about. */
uint64_t bly_levels_groups(const bailey_mlmc *mlmc, const struct bly_levels_variant *variant);

/* The program's text, and what a group of it shares. What does not fit memory shows in `text`. */
void bly_levels_say(const bailey_mlmc *mlmc, const struct bly_levels_variant *variant, struct bly_text *text);
uint32_t bly_levels_shared(const bailey_mlmc *mlmc, const struct bly_levels_variant *variant);
/* How copies of the table are tuned, whether or not groups have them. */
const struct bly_copies_tuning *bly_levels_copies(const bailey_mlmc *mlmc);

/* The program's kernels, compiled if they have not been. Where the device cannot have what `variant` asks
 * for, *variant changes to what it has. Returns: OK, ERROR_BUILD, ERROR_UNSUPPORTED, ERROR_MEMORY,
 * ERROR_DRIVER. */
bailey_status bly_mlmc_program_find(bailey_mlmc *mlmc, struct bly_levels_variant *variant,
                                    struct bly_entry entries[BLY_LEVELS_KERNELS]);

#endif
