/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Declarations shared by the files of definite assignment.
 */
#ifndef BLY_ASSIGNED_H
#define BLY_ASSIGNED_H

#include "check.h"

#include <setjmp.h>

/* The leaves that are written at a point of a function: a bit for each leaf of its variables and of the
 * objects that its parameters point to. */
struct bly_flow {
    bool dead; /* the point is not reached */
    uint64_t *bits;
};

/* A function's use of the objects that its parameters point to, leaf by leaf: those that it may read before
 * it writes them, those that it has written on every path, those that it writes somewhere, and those that it
 * writes at an unknown index. */
struct bly_summary {
    uint32_t words;
    uint64_t *reads, *writes, *ever, *vague;
};

struct bly_assigned {
    struct bly_unit *unit;
    jmp_buf stopped;
    bailey_status status;
    uint32_t expanded; /* arrays of at most so many numbers have a leaf for each */
    uint32_t words;    /* of a set */
    uint64_t *pool;
    uint32_t pool_words, pool_used;
    struct bly_function *function;
    struct bly_flow flow; /* here */
    struct bly_flow *breaks, *continues;
    uint64_t *ever, *vague;
    uint32_t returns; /* so far */
};

#define BLY_EXPANDED 64u /* leaves of an array */
#define BLY_FIRST 16u    /* elements of an array of any size that have separate leaves */

/* Leaves that an lvalue means: all of them, or, where it is vague, some. */
struct bly_part {
    const struct bly_variable *root; /* NULL: it has none */
    const struct bly_type *type;
    uint32_t leaf, count;
    bool vague;
};

struct bly_part bly_part_find(const struct bly_assigned *c, const struct bly_expression *lvalue);
/* The part of an array that an index means. */
struct bly_part bly_part_element(const struct bly_assigned *c, const struct bly_expression *index,
                                 struct bly_part p);
void bly_part_write(struct bly_assigned *c, struct bly_part p);
/* For an array of any size: its first elements have separate leaves, or there is one for all. */
bool bly_is_split(const struct bly_assigned *c, const struct bly_type *pointer);

/* leaves.c: sets of them. */
struct bly_flow bly_flow_take(struct bly_assigned *c); /* not reached */
struct bly_flow bly_flow_copy(struct bly_assigned *c, const struct bly_flow *from);
void bly_flow_set(const struct bly_assigned *c, struct bly_flow *to, const struct bly_flow *from);
/* The leaves that are written on both ways. */
void bly_flow_join(const struct bly_assigned *c, struct bly_flow *to, const struct bly_flow *from);

/* leaves.c: where they are. */
uint32_t bly_leaves_place(struct bly_assigned *c); /* the most of a function */
uint32_t bly_leaves_of(const struct bly_assigned *c, const struct bly_type *type);
void bly_bits_fill(uint64_t *bits, uint32_t from, uint32_t count, bool value);

/* leaves.c: reading and writing. */
void bly_assigned_read(struct bly_assigned *c, struct bly_expression *x);
void bly_assigned_read_indices(struct bly_assigned *c, struct bly_expression *lvalue);
void bly_assigned_read_initial(struct bly_assigned *c, struct bly_initial *initial);
void bly_assigned_write(struct bly_assigned *c, struct bly_expression *lvalue);
/* fills.c: the arrays that a loop fills, which counts all of their indices. */
void bly_assigned_cover(struct bly_assigned *c, const struct bly_statement *loop);
/* Marks arrays that are written here and were not before: parts of them may be missing without a fault of the
 * user's, so they are zeroed.
 */
void bly_assigned_zero(struct bly_assigned *c, const struct bly_flow *before);
void bly_assigned_begin(struct bly_assigned *c, struct bly_function *f);
/* The function ends, or returns `early`, there. */
void bly_assigned_end(struct bly_assigned *c, const struct bly_place *early);

/* assigned.c */
void bly_assigned_one(struct bly_assigned *c, struct bly_statement *s);
void bly_assigned_execute(struct bly_assigned *c, struct bly_statement *list);

#endif
