/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the kernels of multilevel Monte Carlo take, and what the host knows of them (kernels/mlmc_code.h).
 */
#ifndef BLY_MLMC_LIST_H
#define BLY_MLMC_LIST_H

#include "kernels/simulation_nodes.h"

/* Besides BLY_INPUT_DRAWN: increments, normals and uniform numbers of one level in memory, [row][sample], in
 * the order of rows of bailey/mlmc.h, as the text is shown them. */
#define BLY_INPUT_SHOWN 3

/* A part of a list: samples of one level, in tickets, each of which is a team's. A team is BLY_LEVEL_TEAM
 * items with BLY_WIDTH samples side by side each, 2^strip times one after another. Tickets leave nodes of
 * level `height` of the tree over samples; both ends of the part are multiples of 2^height, and strip is not
 * 0 only where a ticket has one node. */
typedef struct bly_level_part {
    bailey_uint64 first, end; /* samples */
    bailey_uint64 ticket;     /* the part's first */
    bailey_uint64 node,
        node_row;   /* in the nodes' buffer: the first one; nodes of a row, one row after another */
    double h, root; /* length of a fine step and its square root, of the precision of reals */
    bailey_uint32 level, steps; /* fine steps of a sample */
    bailey_uint32 height, strip;
    bailey_uint32 width;  /* of groups of one item: 2^width samples are side by side, instead of BLY_WIDTH */
    bailey_uint32 folded; /* 1: nodes go to the buffer that is folded, else to the list's own */
} bly_level_part;

/* Of a launch. A program for devices that take less may have fewer. */
#ifndef BLY_LEVEL_PARTS
#define BLY_LEVEL_PARTS 26
#endif

typedef struct bly_levels_params {
    bailey_uint64 tickets, groups; /* of the launch */
    bailey_uint64 stream;          /* of level 0 */
    bailey_philox_keys keys;
    double time;              /* of the end, as h */
    bailey_uint64 from_row;   /* SHOWN: elements from row to row of what is in memory, which begins at ... */
    bailey_uint64 from_first; /* ... this sample */
    bailey_uint64 asked;      /* the sample of whose fault is told; else doubles of the buffer that is folded
                               * before the word of what failed (kernels/payoff_faults.h) */
    bailey_uint64 parts;
    bly_level_part part[BLY_LEVEL_PARTS];
} bly_levels_params;

/* How the host tells kernels that stay what to do. A part's `ticket` counts from the beginning of the run,
 * its node_row is that of all its nodes; `last` is the ticket after its last. Part number n stands in place
 * n % BLY_STAY_PARTS of a ring. */
typedef struct bly_stay_part {
    bailey_uint64 last;
    bly_level_part part;
} bly_stay_part;
#define BLY_STAY_PARTS 256u
#define BLY_STAY_PART_WORDS (sizeof(bly_stay_part) / 8)

/* Words in memory of the host's that kernels see; the ring is behind them. */
enum {
    BLY_STAY_STOP,    /* 1: there is nothing more to come */
    BLY_STAY_TOLD,    /* parts so far, written before ... */
    BLY_STAY_TICKETS, /* ... tickets of all of them */
    BLY_STAY_DONE,    /* of each part: its `last`, once its nodes are there */
    BLY_STAY_RING = BLY_STAY_DONE + BLY_STAY_PARTS
};
/* Words that kernels keep among themselves, 0 at the start; a copy of the ring is behind them. */
enum {
    BLY_STAY_NEXT,   /* ticket */
    BLY_STAY_KNOWN,  /* tickets, as the host has told; all ones: to stop */
    BLY_STAY_COPIED, /* parts */
    BLY_STAY_TAKEN,  /* of each part: tickets that are done */
    BLY_STAY_COPY = BLY_STAY_TAKEN + BLY_STAY_PARTS
};

/* What a launch takes that goes up BLY_NODE_BITS levels in some places: `count` nodes of each of `rows` rows,
 * the first one's number a multiple of 2^BLY_NODE_BITS, to a 2^BLY_NODE_BITS-th of them. */
typedef struct bly_level_fold {
    bailey_uint64 item; /* the place's first */
    bailey_uint64 in, in_row, out, out_row;
    bailey_uint64 out_count; /* nodes of a row that are made */
    bailey_uint64 own;       /* 1: they go to the list's own buffer, else to the other one of those folded */
} bly_level_fold;

#define BLY_LEVEL_FOLDS 16

typedef struct bly_level_folds_params {
    bailey_uint64 items, rows, folds;
    bly_level_fold fold[BLY_LEVEL_FOLDS];
} bly_level_folds_params;

#endif
