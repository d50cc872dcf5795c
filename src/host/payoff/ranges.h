/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Declarations shared by the files of ranges. Code is run on ranges of integers instead of numbers: a call
 * runs the function that is called, so that each call has its own arguments, and a loop runs until the ranges
 * of its variables hold at the beginning of every trip. The last time, the findings are noted in the tree.
 */
#ifndef BLY_RANGES_H
#define BLY_RANGES_H

#include "check.h"
#include "intervals.h"

#include <setjmp.h>

/* The facts about an integer in a variable or in a part of one; all elements of an array are one cell.
 */
struct bly_integer {
    struct bly_int_range range;
    struct bly_int_range change; /* since the innermost loop's trip began, if nothing wraps around */
    uint32_t exact;  /* both ends of the range are reached, where what has this number runs; else 0 */
    uint8_t type;    /* enum bly_type_kind */
    int8_t halvings; /* since then: it has been halved so often at least, or stayed; -1: nothing is known */
    bool nonzero;    /* it is not 0, though that may be in the range */
};

/* Cell a is larger than cell b by `least` at least, which may be negative. */
struct bly_fact {
    uint32_t a, b;
    int64_t least;
};
#define BLY_FACTS 6u

/* The facts at a point of the code. */
struct bly_env {
    bool dead; /* the point is not reached */
    struct bly_fact facts[BLY_FACTS];
    uint32_t fact_count;
    uint32_t count;
    struct bly_integer *cells;
};

struct bly_value {
    struct bly_int_range range;
    uint32_t exact;
    bool nonzero;
};

/* A part of a variable. */
struct bly_spot {
    const struct bly_type *type;
    int64_t cell;  /* its first; -1: nothing is known of it */
    int64_t count; /* of a POINTER's elements; 0: not known */
    bool weak;     /* one of several that share the cell */
};

/* The innermost loop or switch of a point. */
struct bly_cycle {
    struct bly_cycle *outer;
    bool is_switch;
    struct bly_env breaks, continues, returns;
};

/* A call that is run. */
struct bly_frame {
    const struct bly_function *function;
    uint32_t base;             /* its first cell */
    struct bly_spot *pointers; /* [parameter_count], of those that point */
    struct bly_cycle *cycle;
    struct bly_env *returns;
    struct bly_int_range result;
};

enum bly_stopped { BLY_NOT_STOPPED, BLY_REFUSED, BLY_TOO_LONG, BLY_TOO_WIDE };

struct bly_walker {
    struct bly_unit *unit;
    jmp_buf stopped;
    bailey_status refused;
    struct bly_integer *pool; /* from which environments are taken, and to which they return in reverse */
    uint32_t pool_cells, pool_used;
    struct bly_spot *spots;
    uint32_t spot_count, spots_used;
    uint32_t globals; /* cells of constants, params and state */
    uint32_t params_cell, state_cell;
    int64_t thresholds[64]; /* sorted: ends that ranges are widened to */
    uint32_t threshold_count;
    struct bly_frame *frame;
    uint64_t work, most_work;
    uint32_t depth;
    bool recording;            /* what is found is noted in the tree */
    bool judging;              /* what is certainly wrong is refused */
    uint32_t certain, numbers; /* what runs where the code does that runs now; the last number given */
    uint64_t jumps, leaves;    /* of all kinds, and those that a switch does not catch, so far */
    uint64_t nest;             /* trips of the loops around, multiplied; their most */
};

/* Environments: cells.c. */
_Noreturn void bly_walk_stop(struct bly_walker *w, enum bly_stopped why);
_Noreturn void bly_walk_refuse(struct bly_walker *w, bailey_status status);
void bly_walk_work(struct bly_walker *w, uint64_t work);
struct bly_env bly_env_take(struct bly_walker *w, uint32_t count);
struct bly_env bly_env_copy(struct bly_walker *w, const struct bly_env *env);
/* Sets all that both have. */
void bly_env_set(struct bly_walker *w, struct bly_env *env, const struct bly_env *from);
void bly_env_join(struct bly_walker *w, struct bly_env *env, const struct bly_env *other);
/* For the first `live` cells: */
bool bly_env_within(struct bly_walker *w, const struct bly_env *env, const struct bly_env *outer,
                    uint32_t live);
/* Makes env contain next, by ends that are few. */
void bly_env_widen(struct bly_walker *w, struct bly_env *env, const struct bly_env *next, uint32_t live,
                   bool far);
void bly_threshold(struct bly_walker *w, int64_t at);
struct bly_int_range bly_change_add(struct bly_int_range a, struct bly_int_range b);
uint32_t bly_cells_of(const struct bly_type *type);
/* Sets the cells of a part: of integers, to their type or to 0. */
void bly_cells_fill(struct bly_walker *w, struct bly_env *env, int64_t cell, const struct bly_type *type,
                    bool zero);

/* Differences: facts.c. These treat facts as the functions of an env treat ranges. */
void bly_fact_add(struct bly_env *env, int64_t a, int64_t b, int64_t least);
const struct bly_fact *bly_fact_find(const struct bly_env *env, int64_t a,
                                     int64_t b); /* NULL: there is none */
void bly_facts_forget(struct bly_env *env, int64_t cell);
void bly_facts_set(struct bly_env *env, const struct bly_env *from);
void bly_facts_join(struct bly_env *env, const struct bly_env *other);
bool bly_facts_within(const struct bly_env *env, const struct bly_env *outer);
void bly_facts_widen(struct bly_env *env, const struct bly_env *next);

/* Expressions: ranges_expressions.c, ranges_calls.c, ranges_conditions.c. */
struct bly_value bly_walk_evaluate(struct bly_walker *w, struct bly_env *env, struct bly_expression *x);
/* Without noting anything. */
struct bly_int_range bly_walk_quietly(struct bly_walker *w, struct bly_env *env, struct bly_expression *x);
struct bly_spot bly_walk_locate(struct bly_walker *w, struct bly_env *env, struct bly_expression *x);
struct bly_value bly_walk_call(struct bly_walker *w, struct bly_env *env, struct bly_expression *x);
/* Whether an index is certainly not one of `count`: then it is *outside. */
bool bly_index_judge(const struct bly_walker *w, struct bly_value index, int64_t count, int64_t *outside);
/* Runs a function whose parameters are in inner's last cells and `pointers`. */
struct bly_int_range bly_call_run(struct bly_walker *w, struct bly_env *env, struct bly_env *inner,
                                  const struct bly_function *function, struct bly_spot *pointers);
/* The range of x, a difference, from the facts about its two sides together; false: there are none. */
bool bly_facts_difference(struct bly_walker *w, struct bly_env *env, struct bly_expression *x,
                          struct bly_int_range *r);
void bly_walk_assume(struct bly_walker *w, struct bly_env *env, struct bly_expression *x, bool truth);
/* The only cell that an lvalue means; -1: there is none. */
int64_t bly_cell_of(struct bly_walker *w, struct bly_env *env, struct bly_expression *x);
/* How x differs from what the cell holds; false where that is not plain. */
/* Runs a function in `inner`, which is env followed by the cells of its variables; env then has the facts
 * after the call. */
struct bly_int_range bly_function_run(struct bly_walker *w, struct bly_env *env, struct bly_env *inner,
                                      const struct bly_function *function, struct bly_spot *pointers);
bool bly_change_of(struct bly_walker *w, struct bly_env *env, struct bly_expression *x, int64_t cell,
                   struct bly_int_range *change);
/* How often x is what the cell holds halved since the trip began, where that was not negative; else -1. */
int8_t bly_halvings_of(struct bly_walker *w, struct bly_env *env, struct bly_expression *x, int64_t cell);
void bly_walk_assign(struct bly_walker *w, struct bly_env *env, struct bly_spot to, struct bly_value value,
                     struct bly_int_range change);

/* Statements: ranges_statements.c, ranges_loops.c. */
void bly_walk_execute(struct bly_walker *w, struct bly_env *env, struct bly_statement *list);
/* The loop that a `continue` is of; NULL: there is none. */
struct bly_cycle *bly_loop_around(const struct bly_walker *w);
/* LOOP without its `first`, or DO. */
void bly_walk_loop(struct bly_walker *w, struct bly_env *env, struct bly_statement *s);
/* `trip` any number of times, up to `trips`. */
void bly_walk_repeat(struct bly_walker *w, struct bly_env *env,
                     void (*trip)(struct bly_walker *, struct bly_env *), uint64_t trips);
#define BLY_ANY_TRIPS UINT64_MAX

#define BLY_NO_CHANGE ((struct bly_int_range){0, 0})
#define BLY_ANY_CHANGE ((struct bly_int_range){INT64_MIN, INT64_MAX})

#endif
