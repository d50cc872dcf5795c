/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The code of the programs that src/host/mlmc/mlmc_program.c writes: samples of all levels
 * (kernels/mlmc_samples.h), and the sums of their payoffs. A launch has tickets of several levels
 * (kernels/mlmc_params.h), which teams take in turn: an item makes its samples, turn by turn, adds up
 * their payoffs in a tree that grows with the samples, and at the end of the ticket the items of a team add
 * up theirs.
 *
 * A team is a warp in CUDA, which needs no barrier, else a group. Groups stay for as many tickets as there
 * are, so that they copy the table of the inverse CDF once.
 *
 * A program includes kernels/mlmc_head.h, the text, and this file. It defines what kernels/payoff_head.h
 * lists and:
 *
 *   BLY_INPUT                 BLY_INPUT_DRAWN or BLY_INPUT_STORED
 *   BLY_STEP_NORMALS          of a step
 *   BLY_STEP_UNIFORMS         likewise
 *   BLY_CALLS_ROWS            where numbers are filled by rows of the library, which are
 *   BLY_NORMALS_ROW           and
 *   BLY_UNIFORMS_ROW          then
 *   BLY_CORRELATED            1 if C is not the identity
 *   BLY_TEST                  1 for all rows of sums of src/host/mlmc/driver.h, 0 for the first three
 *   BLY_LEVEL_TEAM            items of a team, a power of two
 *   BLY_TURN_BITS             turns of an item in a ticket are at most 2 to this
 *   BLY_DRAW                  as in kernels/simulation_code.h
 *   BLY_ROUNDS                likewise
 *   BAILEY_ICDF_COPIES        likewise
 *   BLY_APPROXIMATE           0, or the kind of approximate normals: see kernels/mlmc_approximate.h
 *   BLY_PERSISTENT            1 for a persistent kernel: see kernels/mlmc_persistent.h
 *   BLY_CORRECTION            with those, 1 for samples that correct them
 *   BLY_HALF                  with those, 1 for steps in half precision, whose functions it has then, and
 *   BLY_HALF_UNIT             a power of two, in which amounts of money are then
 *   BLY_HALF_SET              8-byte words of parameters before those that are then halves
 *   BLY_SHARES                with those, 1 if two samples share a word that makes one number of each
 */
#ifndef BLY_MLMC_CODE_H
#define BLY_MLMC_CODE_H

#include "kernels/mlmc_samples.h"

/* ---- Sums ---------------------------------------------------------------------------------------- */

/* What a sample adds to row `row` of its node: the order of rows is that of enum BLY_LEVEL_ in driver.h. */
BAILEY_FN double bly_summand(int row, double y, double fine)
{
    switch (row) {
    case 0: return y;
    case 1: return y * y;
    case 2: return y != 0;
    case 3: return y * y * y;
    case 4: return (y * y) * (y * y);
    case 5: return fine;
    default: return fine * fine;
    }
}

#if BLY_FAULTS

/* Fault row `row` of sample v: of the one that is diagnosed, why it failed; of others the number, of
 * which the least is folded. */
BAILEY_FN double bly_fault_number(const bly_sampled *t, int row, const bly_sample_payoffs *payoffs, int v)
{
    const bailey_uint64 sample = t->begin + (bailey_uint64)v;
#if BLY_DIAGNOSES
    for (int r = 0; r < BLY_WATCHES; r++)
        if (sample == t->asked && payoffs->watched[r].site[v])
            return (double)bly_fault_diagnosis(&payoffs->watched[r], v, r, row);
    return BLY_NODE_FAR;
#else
    (void)row;
    return payoffs->watched[0].site[v] ? (double)sample : BLY_NODE_FAR;
#endif
}

#endif

/* As bly_node_join, with minima of faults alone. */
BAILEY_FN double bly_level_join(int row, double left, double right)
{
#if BLY_FAULTS
    if (row >= BLY_LEVEL_ADDED) return right < left ? right : left;
#endif
    (void)row;
    return left + right;
}

/* What is left out of a row. */
#define BLY_LEVEL_NOTHING(row) ((row) < BLY_LEVEL_ADDED ? BLY_NODE_NOTHING : BLY_NODE_FAR)

/* What sample v adds to a row. */
BAILEY_FN double bly_leaf(const bly_sampled *t, int row, const bly_sample_payoffs *payoffs, int v)
{
#if BLY_FAULTS
    if (row >= BLY_LEVEL_ADDED) return bly_fault_number(t, row - BLY_LEVEL_ADDED, payoffs, v);
#endif
    (void)t;
    return bly_summand(row, payoffs->y[v], payoffs->fine[v]);
}

#if BLY_BLOCK == 1

#if defined(__GNUC__) && !defined(__clang__)
#define BLY_APART _Pragma("GCC ivdep")
#else
#define BLY_APART
#endif

#if defined(__AVX2__) && !defined(BAILEY_IS_OPENCL)

/* Sums of neighbours by vectors: 64 numbers take 14 shuffles, where gcc 12 makes 24 of a loop, and copies. */
#if defined(__AVX512F__)
#define BLY_ADDENDS 8
#define BLY_ADD_EVEN_ODD(a, b)                                                                               \
    (BAILEY_SHUFFLE64(a, b, 0, 8, 2, 10, 4, 12, 6, 14) + BAILEY_SHUFFLE64(a, b, 1, 9, 3, 11, 5, 13, 7, 15))
#define BLY_ADD_PAIRS(a, b)                                                                                  \
    (BAILEY_SHUFFLE64(a, b, 0, 1, 4, 5, 8, 9, 12, 13) + BAILEY_SHUFFLE64(a, b, 2, 3, 6, 7, 10, 11, 14, 15))
#else
#define BLY_ADDENDS 4
#define BLY_ADD_EVEN_ODD(a, b) (BAILEY_SHUFFLE64(a, b, 0, 4, 2, 6) + BAILEY_SHUFFLE64(a, b, 1, 5, 3, 7))
#define BLY_ADD_PAIRS(a, b) (BAILEY_SHUFFLE64(a, b, 0, 1, 4, 5) + BAILEY_SHUFFLE64(a, b, 2, 3, 6, 7))
#endif
#define BLY_SQUARE (BLY_ADDENDS * BLY_ADDENDS)
typedef double bly_addends __attribute__((vector_size(8 * BLY_ADDENDS)));

BAILEY_FN bly_addends bly_addends_at(const double *from)
{
    bly_addends x;
    memcpy(&x, from, sizeof x);
    return x;
}

/* As bly_summand. */
BAILEY_FN bly_addends bly_leaves(int row, const bly_sample_payoffs *payoffs, int v)
{
    const bly_addends x = bly_addends_at((row < 5 ? payoffs->y : payoffs->fine) + v);
    switch (row) {
    case 0:
    case 5: return x;
    case 3: return x * x * x;
    case 4: return (x * x) * (x * x);
    default: return x * x;
    }
}

/* BLY_ADDENDS nodes, of as many vectors in order. */
BAILEY_FN void bly_join_square(bly_addends x[], double *node)
{
    BAILEY_UNROLL
    for (int i = 0; i < BLY_ADDENDS / 2; i++) x[i] = BLY_ADD_EVEN_ODD(x[2 * i], x[2 * i + 1]);
    BAILEY_UNROLL
    for (int i = 0; i < BLY_ADDENDS / 4; i++) x[i] = BLY_ADD_PAIRS(x[2 * i], x[2 * i + 1]);
#if BLY_ADDENDS == 8
    x[0] = BLY_ADD_PAIRS(x[0], x[1]);
#endif
    memcpy(node, x, sizeof *x);
}

/* Nodes of the leaves of a row that is added; returns how many, or 0 if leaves do not fill squares. */
BAILEY_FN int bly_join_squares(int row, const bly_sample_payoffs *payoffs, int leaves, double *node)
{
    bly_addends x[BLY_ADDENDS];
    if (leaves % BLY_SQUARE) return 0;
    BAILEY_UNROLL_1
    for (int v = 0; v < leaves; v += BLY_SQUARE) {
        BAILEY_UNROLL
        for (int i = 0; i < BLY_ADDENDS; i++) x[i] = bly_leaves(row, payoffs, v + BLY_ADDENDS * i);
        bly_join_square(x, node + v / BLY_ADDENDS);
    }
    int width = leaves / BLY_ADDENDS;
    for (; width % BLY_SQUARE == 0; width /= BLY_ADDENDS) {
        BAILEY_UNROLL_1
        for (int v = 0; v < width; v += BLY_SQUARE) {
            BAILEY_UNROLL
            for (int i = 0; i < BLY_ADDENDS; i++) x[i] = bly_addends_at(node + v + BLY_ADDENDS * i);
            bly_join_square(x, node + v / BLY_ADDENDS);
        }
    }
    return width;
}

#endif

/* Four leaves, joined as they are made. */
BAILEY_FN double bly_four_leaves(const bly_sampled *t, int row, const bly_sample_payoffs *payoffs, int v)
{
    return bly_level_join(
        row, bly_level_join(row, bly_leaf(t, row, payoffs, v), bly_leaf(t, row, payoffs, v + 1)),
        bly_level_join(row, bly_leaf(t, row, payoffs, v + 2), bly_leaf(t, row, payoffs, v + 3)));
}
BAILEY_FN int bly_join_fours(const bly_sampled *t, int row, const bly_sample_payoffs *payoffs, double *node)
{
    const int width = BLY_LANES_OF(t) / 4;
    BLY_APART for (int v = 0; v < width; v++) node[v] = bly_four_leaves(t, row, payoffs, 4 * v);
    return width;
}
BAILEY_FN double bly_join_nodes(int row, double *node, int width)
{
    for (width /= 2; width > 0; width /= 2)
        BLY_APART for (int v = 0; v < width; v++) node[v] = bly_level_join(row, node[2 * v], node[2 * v + 1]);
    return node[0];
}

#if defined(BLY_SQUARE)
/* What squares leave is little work: compiled once for all rows, it saves a quarter of a program's
 * compilation. */
BAILEY_CALLED double bly_join_few(const bly_sampled *t, int row, const bly_sample_payoffs *payoffs,
                                  double *node, int width)
{
    return bly_join_nodes(row, node, width ? width : bly_join_fours(t, row, payoffs, node));
}
#endif

/* The node of an item's samples, in one row: always in pairs of neighbours, so that no width changes the
 * bits. Counts are exact in any order. */
BAILEY_FN double bly_node_of(const bly_sampled *t, int row, const bly_sample_payoffs *payoffs)
{
    double node[BLY_WIDTH / 4];
    bailey_int64 seen = 0;
    if (row == 2) {
        BLY_FOR_SAMPLES(t) seen += payoffs->y[v] != 0;
        return (double)seen;
    }
#if defined(BLY_SQUARE)
    if (row < BLY_LEVEL_ADDED)
        return bly_join_few(t, row, payoffs, node, bly_join_squares(row, payoffs, BLY_LANES_OF(t), node));
#endif
    return bly_join_nodes(row, node, bly_join_fours(t, row, payoffs, node));
}

#else

BAILEY_FN double bly_node_of(const bly_sampled *t, int row, const bly_sample_payoffs *payoffs)
{
    double node[BLY_WIDTH];
    BLY_FOR_SAMPLES(t) node[v] = bly_leaf(t, row, payoffs, v);
    BAILEY_UNROLL
    for (int width = BLY_WIDTH / 2; width > 0; width /= 2) BAILEY_UNROLL
    for (int v = 0; v < width; v++) node[v] = bly_level_join(row, node[2 * v], node[2 * v + 1]);
    return node[0];
}

#endif

#define BLY_FOR_SUMS BAILEY_UNROLL for (int r = 0; r < BLY_LEVEL_SUMS; r++)

/* Where nodes wait for their right siblings: of each height above an item's. */
typedef struct bly_waiting {
    double left[BLY_TURN_BITS][BLY_LEVEL_SUMS];
} bly_waiting;

/* Adds node number `turn` of an item, from those of its samples; sum[] is then the largest node that is
 * complete. */
BAILEY_FN void bly_waiting_add(bly_waiting *waiting, bailey_uint32 turn, double sum[])
{
    BAILEY_UNROLL
    for (int j = 0; j < BLY_TURN_BITS; j++) {
        const bailey_uint32 below = (1u << j) - 1;
        if ((turn & below) != below) continue;
        if (turn >> j & 1) {
            BLY_FOR_SUMS { sum[r] = bly_level_join(r, waiting->left[j][r], sum[r]); }
        } else {
            BLY_FOR_SUMS { waiting->left[j][r] = sum[r]; }
        }
    }
}

#if BLY_LEVEL_TEAM > 1

/* What the item `far` lanes on has; `far` is below BLY_LEVEL_TEAM. An item whose lane is past the team's last
 * gets something, which goes into no node. */
BAILEY_FN double bly_team_next(BLY_SHARED bailey_uint64 *shared, double x, bailey_uint32 far)
{
#if defined(BAILEY_WARP_SHUFFLES) && BLY_LEVEL_TEAM <= 32
    const bailey_uint64 bits = bailey_u64_bits_f64(x);
    const bailey_uint32 lane = (BLY_LOCAL_ID + far) % 32;
    (void)shared;
    return bailey_f64_bits_u64(bailey_warp_read((bailey_uint32)bits, lane) |
                               (bailey_uint64)bailey_warp_read((bailey_uint32)(bits >> 32), lane) << 32);
#else
    BLY_SHARED double *own = (BLY_SHARED double *)shared + BLY_LOCAL_ID;
    *own = x;
    BLY_BARRIER();
    if (BLY_LOCAL_ID + far < BLY_BLOCK) x = own[far];
    BLY_BARRIER();
    return x;
#endif
}

#endif

#define BLY_LOG2_OF(n)                                                                                       \
    ((n) >= 256   ? 8                                                                                        \
     : (n) >= 128 ? 7                                                                                        \
     : (n) >= 64  ? 6                                                                                        \
     : (n) >= 32  ? 5                                                                                        \
     : (n) >= 16  ? 4                                                                                        \
     : (n) >= 8   ? 3                                                                                        \
     : (n) >= 4   ? 2                                                                                        \
     : (n) >= 2   ? 1                                                                                        \
                  : 0)
#if BLY_BLOCK == 1
#define BLY_WIDTH_BITS(chunk) ((chunk)->width_bits)
#else
#define BLY_WIDTH_BITS(chunk) BLY_LOG2_OF(BLY_WIDTH)
#endif
#define BLY_TEAM_BITS BLY_LOG2_OF(BLY_LEVEL_TEAM)

/* Joins the nodes of a team's items up to the chunk's height, and stores them. */
BAILEY_FN void bly_team_store(const bly_level_chunk *chunk, bailey_uint64 ticket, double sum[],
                              BLY_SHARED bailey_uint64 *shared, BAILEY_GLOBAL double *nodes)
{
    const bailey_uint32 item_bits = BLY_WIDTH_BITS(chunk) + chunk->turn_bits;
    const bailey_uint32 joined = chunk->height - item_bits; /* heights above items' nodes */
    const bailey_uint32 lane = BLY_LOCAL_ID % BLY_LEVEL_TEAM;
#if BLY_LEVEL_TEAM > 1
    for (bailey_uint32 j = 0; j < joined; j++) {
        BLY_FOR_SUMS { sum[r] = bly_level_join(r, sum[r], bly_team_next(shared, sum[r], 1u << j)); }
    }
#endif
    (void)shared;
    const bailey_uint64 node = ((ticket - chunk->ticket) << BLY_TEAM_BITS | lane) >> joined;
    if ((lane & ((1u << joined) - 1)) == 0 && node < chunk->node_row) {
        BLY_FOR_SUMS { nodes[chunk->node + (bailey_uint64)r * chunk->node_row + node] = sum[r]; }
    }
}

/* ---- Tickets ------------------------------------------------------------------------------------- */

#define BLY_TABLE_AT(shared) ((BLY_SHARED real *)((BLY_SHARED bailey_uint64 *)(shared) + BLY_BLOCK))

#if BLY_GIVEN
typedef struct bly_levels_launch {
    bly_levels_params head;
    bailey_uint64 values[BLY_GIVEN];
} bly_levels_launch;
#else
typedef struct bly_levels_launch {
    bly_levels_params head;
} bly_levels_launch;
#endif

/* What is the same of all samples of a chunk; `stream` is that of level 0. */
BAILEY_FN void bly_begin_chunk(bly_sampled *t, const bly_level_chunk *chunk, bailey_uint64 stream)
{
    t->level = chunk->level;
    t->steps = chunk->steps;
#if BLY_BLOCK == 1
    t->grains = 1 << (BLY_WIDTH_BITS(chunk) - BLY_GRAIN_BITS);
#endif
    t->h = (real)chunk->h;
    t->root = (real)chunk->root;
#if BLY_INPUT == BLY_INPUT_DRAWN
    t->stream = stream + chunk->level;
#else
    (void)stream;
#endif
}

/* A ticket of a chunk, by all items of a team. */
BAILEY_FN void bly_take_ticket(bly_sampled *t, const bly_level_chunk *chunk, bailey_uint64 ticket,
                               double sum[])
{
    const bailey_uint64 number = (ticket - chunk->ticket) << BLY_TEAM_BITS | BLY_LOCAL_ID % BLY_LEVEL_TEAM;
    bly_waiting waiting;
    BLY_FOR_SUMS { sum[r] = BLY_LEVEL_NOTHING(r); }
    t->begin = chunk->first + (number << (BLY_WIDTH_BITS(chunk) + chunk->turn_bits));
    if (t->begin >= chunk->end) return;
    BAILEY_UNROLL_1
    for (bailey_uint32 turn = 0; turn >> chunk->turn_bits == 0; turn++) {
        bly_sample_payoffs payoffs;
        bly_sample(t, &payoffs);
#if BLY_FAULTS
        bly_note_failed(t, &payoffs);
#endif
        BLY_FOR_SUMS { sum[r] = bly_node_of(t, r, &payoffs); }
        bly_waiting_add(&waiting, turn, sum);
        t->begin += (bailey_uint64)BLY_LANES_OF(t);
    }
}

#if BLY_PERSISTENT

#include "kernels/mlmc_persistent.h"

#else

BAILEY_FN void bly_levels_group(BLY_BY_REFERENCE(bly_levels_launch) launch,
                                const BAILEY_GLOBAL bailey_uint64 *values, const BAILEY_GLOBAL real *factor,
                                const BAILEY_GLOBAL real *from, BAILEY_GLOBAL double *folded,
                                BAILEY_GLOBAL double *nodes, const BAILEY_GLOBAL float *approximate,
                                BLY_SHARED bailey_uint64 *shared, bailey_uint64 item)
{
    const bailey_uint64 groups = launch.head.groups;
    bly_sampled t;
    (void)values, (void)approximate;
#if BLY_APPROXIMATE
    t.approximate = approximate;
#endif
#if BLY_GIVEN
    t.values = launch.values;
#else
    t.values = values;
#endif
    t.factor = factor;
    t.time = (real)launch.head.time;
#if BLY_FAULTS
    t.asked = launch.head.asked;
#if BLY_KNOWS_FAILED
    t.failed = (BAILEY_GLOBAL bailey_uint32 *)(folded + launch.head.asked);
#else
    t.failed_begin = 0;
    t.failed_level = 0;
#endif
#endif
#if BLY_INPUT == BLY_INPUT_DRAWN
#if defined(BAILEY_ICDF_COPIES)
    BLY_(bailey_icdf_copy_)(BLY_TABLE_AT(shared), from, BLY_LOCAL_ID, BLY_BLOCK);
    BLY_BARRIER();
    t.table = BLY_TABLE_AT(shared);
#else
    t.table = from;
#endif
    t.keys = launch.head.keys;
#endif
    /* Neighbouring tickets go to different groups. */
    bailey_uint64 ticket = BLY_LOCAL_ID / BLY_LEVEL_TEAM * groups + item / BLY_BLOCK;
    bailey_uint32 at = 0;
    for (; ticket < launch.head.tickets; ticket += groups * (BLY_BLOCK / BLY_LEVEL_TEAM)) {
        while (at + 1 < launch.head.chunks && ticket >= launch.head.chunk[at + 1].ticket) at++;
        const bly_level_chunk chunk = launch.head.chunk[at];
        double sum[BLY_LEVEL_SUMS];
        bly_begin_chunk(&t, &chunk, launch.head.stream);
#if BLY_INPUT != BLY_INPUT_DRAWN
        t.from = from;
        t.from_row = launch.head.from_row;
        t.from_first = launch.head.from_first;
#endif
        bly_take_ticket(&t, &chunk, ticket, sum);
        bly_team_store(&chunk, ticket, sum, shared, chunk.folded ? folded : nodes);
    }
}

BLY_GROUP_ENTRY_6(bly_levels, bly_levels_launch, const bailey_uint64, const real, const real, double, double,
                  const float)

/* Joins 2^BLY_NODE_BITS nodes of one row, an item each: from left to right, in the order of the tree. */
BAILEY_FN void bly_fold_levels_group(BLY_BY_REFERENCE(bly_level_folds_params) p,
                                     const BAILEY_GLOBAL double *in, BAILEY_GLOBAL double *out,
                                     BAILEY_GLOBAL double *nodes, BLY_SHARED bailey_uint64 *shared,
                                     bailey_uint64 item)
{
    double left[BLY_NODE_BITS + 1];
    bailey_uint32 at = 0;
    (void)shared;
    if (item >= p.items) return;
    while (at + 1 < p.folds && item >= p.fold[at + 1].item) at++;
    const bly_level_fold f = p.fold[at];
    const bailey_uint64 row = (item - f.item) / f.out_count, node = (item - f.item) % f.out_count;
    const BAILEY_GLOBAL double *from = in + f.in + row * f.in_row + (node << BLY_NODE_BITS);
    BAILEY_UNROLL
    for (bailey_uint32 i = 0; i < 1u << BLY_NODE_BITS; i++) {
        double joined = from[i];
        bailey_uint32 height = 0;
        for (; i >> height & 1; height++) joined = bly_level_join((int)row, left[height], joined);
        left[height] = joined;
    }
    (f.last ? nodes : out)[f.out + row * f.out_row + node] = left[BLY_NODE_BITS];
}

BLY_GROUP_ENTRY_3(bly_fold_levels, bly_level_folds_params, const double, double, double)

#endif

#endif
