/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the kernels of multilevel Monte Carlo take, for them and for the host: chunks of samples
 * (kernels/mlmc_code.h), the words by which the host and a persistent kernel
 * agree (kernels/mlmc_persistent.h), and folds of nodes.
 */
#ifndef BLY_MLMC_PARAMS_H
#define BLY_MLMC_PARAMS_H

#include "kernels/simulation_nodes.h"

/* Besides BLY_INPUT_DRAWN: increments, normals and uniform numbers of one level in memory, [row][sample], in
 * the order of rows of bailey/mlmc.h, as level functions get them. */
#define BLY_INPUT_STORED 3

/* Samples of one level that a launch makes, in tickets, each of which is a team's. A team is BLY_LEVEL_TEAM
 * items with BLY_WIDTH samples side by side each, in 2^turn_bits turns. Tickets leave nodes of height
 * `height` of the tree over samples; both ends of the chunk are multiples of 2^height, and turn_bits is not 0
 * only where a ticket has one node. */
typedef struct bly_level_chunk {
    bailey_uint64 first, end; /* samples */
    bailey_uint64 ticket;     /* the chunk's first */
    bailey_uint64 node,
        node_row;   /* in the nodes' buffer: the first one; nodes of a row, one row after another */
    double h, root; /* length of a fine step and its square root, of the precision of reals */
    bailey_uint32 level, steps; /* fine steps of a sample */
    bailey_uint32 height, turn_bits;
    bailey_uint32 width_bits; /* of groups of one item: 2^width_bits samples side by side, not BLY_WIDTH */
    bailey_uint32 folded;     /* 1: nodes go to the buffer that is folded, else to the round's own */
} bly_level_chunk;

/* For a launch. A program for devices that take fewer bytes of parameters has fewer. */
#ifndef BLY_LEVEL_CHUNKS
#define BLY_LEVEL_CHUNKS 26
#endif

typedef struct bly_levels_params {
    bailey_uint64 tickets, groups; /* of the launch */
    bailey_uint64 stream;          /* of level 0 */
    bailey_philox_keys keys;
    double time;              /* of the end, as h */
    bailey_uint64 from_row;   /* STORED: elements from row to row of what is in memory, which begins at ... */
    bailey_uint64 from_first; /* ... this sample */
    bailey_uint64 asked; /* the sample whose fault is diagnosed; else doubles of the buffer that is folded
                          * before the word of what failed (kernels/payoff_faults.h) */
    bailey_uint64 chunks;
    bly_level_chunk chunk[BLY_LEVEL_CHUNKS];
} bly_levels_params;

/* The work that the host gives a persistent kernel. A chunk's `ticket` counts from the beginning of the run,
 * its node_row is that of all its nodes; `last` is the ticket after its last. Chunk number n is at place
 * n % BLY_PERSISTENT_CHUNKS of a ring. */
typedef struct bly_persistent_chunk {
    bailey_uint64 last;
    bly_level_chunk chunk;
} bly_persistent_chunk;
#define BLY_PERSISTENT_CHUNKS 256u
#define BLY_PERSISTENT_CHUNK_WORDS (sizeof(bly_persistent_chunk) / 8)

/* Words in host memory that kernels see; the ring is behind them. */
enum {
    BLY_PERSISTENT_STOP,    /* 1: there is nothing more to come */
    BLY_PERSISTENT_SENT,    /* chunks so far, written before ... */
    BLY_PERSISTENT_TICKETS, /* ... tickets of all of them */
    BLY_PERSISTENT_DONE,    /* of each chunk: its `last`, once its nodes are there */
    BLY_PERSISTENT_RING = BLY_PERSISTENT_DONE + BLY_PERSISTENT_CHUNKS
};
/* Words that warps share in device memory, 0 at the start; a copy of the ring is behind them. */
enum {
    BLY_PERSISTENT_NEXT,    /* ticket */
    BLY_PERSISTENT_KNOWN,   /* tickets that the host has announced; all ones: to stop */
    BLY_PERSISTENT_COPIED,  /* chunks */
    BLY_PERSISTENT_COUNTED, /* of each chunk: tickets that are done */
    BLY_PERSISTENT_COPY = BLY_PERSISTENT_COUNTED + BLY_PERSISTENT_CHUNKS
};

/* What a launch takes that joins nodes BLY_NODE_BITS heights up, in some places: `count` nodes of each of
 * `rows` rows, the first one's number a multiple of 2^BLY_NODE_BITS, to a 2^BLY_NODE_BITS-th of them. */
typedef struct bly_level_fold {
    bailey_uint64 item; /* the place's first */
    bailey_uint64 in, in_row, out, out_row;
    bailey_uint64 out_count; /* nodes of a row that are made */
    bailey_uint64 last;      /* 1: they go to the round's own buffer, else to the other one of those folded */
} bly_level_fold;

#define BLY_LEVEL_FOLDS 16

typedef struct bly_level_folds_params {
    bailey_uint64 items, rows, folds;
    bly_level_fold fold[BLY_LEVEL_FOLDS];
} bly_level_folds_params;

#endif
