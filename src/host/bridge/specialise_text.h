/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A bridge's plan while it becomes code: specialise.c decides, specialise_text.c writes it.
 */
#ifndef BLY_SPECIALISE_TEXT_H
#define BLY_SPECIALISE_TEXT_H

#include "bridge_job.h"

#include <base/text.h>

/* Elements of C in shared memory, for items that share out the dims; kernels/bridge_code.h says how. */
#define BLY_FACTOR_SIZE(all, parts, dims) (((uint64_t)(all) * (parts) * (dims) + 3) / 4 * 4)

#define BLY_OUTER_LEFT (-1) /* neighbours that a block finds at its place */
#define BLY_OUTER_RIGHT (-2)

/* The properties of a step that its code depends on. */
struct bly_step {
    struct bly_record r;
    int a, b; /* values used: paths: the steps that built the neighbours; increments: 2 s for the left part of
               * split s, 2 s + 1 for the right one, and b is 0. BLY_OUTER_: t0, or what a block finds */
    uint32_t size;         /* steps of the subtree below and with this one, which follow it */
    uint32_t tile_rows[2]; /* path-major: where the step's points or parts go in the tile */
};

struct bly_writer {
    const struct bly_bridge_job *job;
    struct bly_step *steps;
    struct bly_text text;
    int f64, increments, tile;
    uint32_t width, block, tile_rows;
    uint32_t parts, dims; /* items that share the dims of the same paths, and how many each has at most */
    int exchanges;        /* they give each other their Z */
    uint32_t groups;      /* that a unit runs at once, where the table is copied; else 0 */
    uint32_t stash;       /* steps whose Z is in shared memory at a time */
    uint16_t *places;     /* path-major except for vectors: the tile's row of each row of X */
    int vectors;          /* path-major: the tile is read and written in whole vectors */
    uint32_t elements;    /* of a vector */
    uint8_t *made;        /* rows of X that have a value, for whole vectors */
};

/* Blocks have the same code if the keys of their steps (key_of) are the same. */
struct bly_shape {
    uint32_t first, count; /* of the block that was seen first */
    uint64_t covered;      /* steps in all blocks of this shape */
    uint32_t number;       /* in the program, from 1; 0 for none */
};

/* Whether step k takes a row of Z: all do, except the first where the end is fixed. */
static inline int bly_step_draws(const struct bly_writer *w, uint32_t k)
{
    return k > 0 || !w->job->fixed_end;
}

/* Whether some of the items have one dim fewer. */
static inline int bly_is_ragged(const struct bly_writer *w) { return w->job->dims % w->parts != 0; }

/* The neighbour `value` as the code of a block that begins with `first` names it. */
static inline int bly_step_relative(const struct bly_writer *w, uint32_t first, int value)
{
    const int from = w->increments ? 2 * (int)first : (int)first;
    if (value >= from) return value;
    if (w->increments) return BLY_OUTER_LEFT;
    return value == w->steps[first].a ? BLY_OUTER_LEFT : BLY_OUTER_RIGHT;
}

/* The program's code, up to its first function; then SPECIALISED's, or BLOCKS' with the shapes that have a
 * number. What does not fit memory shows in w->text. */
void bly_write_head(struct bly_writer *w);
void bly_write_specialised(struct bly_writer *w);
void bly_write_blocks(struct bly_writer *w, const struct bly_shape *shapes, uint32_t shape_count);

#endif
