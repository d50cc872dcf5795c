/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Functions of payoff code executed on symbols, which makes lists of them (list.h).
 */
#ifndef BLY_DERIVE_SYMBOLS_H
#define BLY_DERIVE_SYMBOLS_H

#include "list.h"

#include <setjmp.h>

/* A number or what a pointer is. Value 0: it was not written. */
struct bly_symbol_cell {
    uint32_t value;
    struct bly_symbol_cell *to;
    uint32_t extent; /* of a pointer: elements */
    uint32_t stamp;  /* of the branch that has noted what it was before */
    uint32_t mark;
    uint32_t born; /* the branch that has made it */
};

/* The value of a cell before a branch wrote it, or the one that the branch has written. */
struct bly_symbol_note {
    struct bly_symbol_cell *cell;
    uint32_t value, stamp;
};

/* A branch on a value that is not known. */
struct bly_fork {
    struct bly_fork *outer;
    uint32_t condition;
    bool otherwise; /* the other side runs */
    bool is_round;  /* the body of a loop that stays one: what it computes is computed nowhere else */
    uint32_t stamp_before, region_before;
    uint32_t notes;        /* of the trail, before the branch */
    uint32_t first, count; /* notes of the first side, once it has run */
};

/* Which loops stay loops: none, and those whose length depends on data are refused; these; also those with
 * more than a few rounds. */
enum bly_loops { BLY_LOOPS_UNROLLED, BLY_LOOPS_OF_DATA, BLY_LOOPS_LONG };

struct bly_symbols {
    struct bly_atoms *list;
    struct bly_unit *unit;
    jmp_buf stopped;
    bailey_status status;
    struct bly_symbol_cell *constants, *params, *state, *out;
    uint32_t param_count, state_count;
    uint32_t times, noises; /* of levels: t and h, n and m that the function has been given */
    struct bly_symbol_cell *frame, *result;
    struct bly_symbol_cell *broke, *continued, *returned; /* flags; NULL outside of a loop */
    const struct bly_expression *seen;                    /* stands for seen_value */
    uint32_t seen_value;
    struct bly_fork *fork;
    struct bly_symbol_note *trail; /* [trail_count] */
    uint32_t trail_count, trail_size;
    uint32_t stamp, stamps; /* of the branch that runs; given so far */
    uint64_t trips;
    enum bly_loops loops;
};

/* Makes the list of a function, start, step, finish or whole of a checked unit: results[k] is the value of
 * cell k of the state behind start and step, 0 where it was not written, and of out[k] behind finish and
 * whole. `results` has space for them.
 *
 * Returns: OK; ERROR_UNSUPPORTED, with the line of what cannot be taken apart; ERROR_MEMORY. */
bailey_status bly_symbols_run(struct bly_atoms *list, const struct bly_function *function,
                              enum bly_loops loops, uint32_t *results);

/* ---- What its files share ------------------------------------------------------------------------ */

_Noreturn void bly_symbols_refuse(struct bly_symbols *m, struct bly_place place, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
_Noreturn void bly_symbols_full(struct bly_symbols *m);
/* Zeroed, of the list's arena. */
void *bly_symbols_take(struct bly_symbols *m, size_t bytes);
/* Cells that are not written. */
struct bly_symbol_cell *bly_symbols_cells(struct bly_symbols *m, size_t count);

void bly_symbols_write(struct bly_symbols *m, struct bly_symbol_cell *cell, uint32_t value);
/* Runs what follows where `condition` is not 0, then, after bly_fork_otherwise, where it is; bly_fork_end
 * joins what both have written. */
void bly_fork_begin(struct bly_symbols *m, struct bly_fork *fork, uint32_t condition);
void bly_fork_otherwise(struct bly_symbols *m, struct bly_fork *fork);
void bly_fork_end(struct bly_symbols *m, struct bly_fork *fork);
/* `value` wherever the code comes here, else `otherwise`. */
uint32_t bly_symbols_guarded(struct bly_symbols *m, uint32_t value, uint32_t otherwise);

/* symbols_values.c */
uint32_t bly_symbols_evaluate(struct bly_symbols *m, const struct bly_expression *e);
void bly_symbols_evaluate_to(struct bly_symbols *m, const struct bly_expression *e,
                             struct bly_symbol_cell *to);
/* The cells of an lvalue: each where its condition is not 0 and none before was; the last has none. */
struct bly_symbol_place {
    uint32_t count;
    struct bly_symbol_cell **cells;
    uint32_t *conditions;
    uint32_t index, elements; /* of params at an index: cells[0] is the first, and count 1 */
};
struct bly_symbol_place bly_symbols_locate(struct bly_symbols *m, const struct bly_expression *e);
uint32_t bly_symbols_read(struct bly_symbols *m, const struct bly_symbol_place *place, uint32_t cell,
                          const struct bly_type *type, struct bly_place where);
/* Runs what is called; cells of its result. */
struct bly_symbol_cell *bly_symbols_call(struct bly_symbols *m, const struct bly_expression *e);

/* symbols.c */
/* The record of random numbers of a unit of levels. */
const struct bly_record *bly_symbols_noise(const struct bly_unit *unit);
void bly_symbols_function(struct bly_symbols *m, const struct bly_function *f, struct bly_symbol_cell *frame,
                          struct bly_symbol_cell *result);
/* The type of cell `number` of a variable's type. */
const struct bly_type *bly_symbols_type(const struct bly_type *type, uint32_t number);

#endif
