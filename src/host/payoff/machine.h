/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Declarations shared by the files of the interpreter: its memory (machine.c), numbers (arithmetic.c),
 * expressions (evaluate.c) and statements (interpret.c).
 */
#ifndef BLY_MACHINE_H
#define BLY_MACHINE_H

#include "interpret.h"

/* A number, or what a pointer is. A real of single precision is a double that is one. */
struct bly_cell {
    union {
        double real;
        int64_t integer; /* of uint64 the same bits */
        struct bly_cell *to;
    };
    uint32_t extent; /* of a pointer: elements that are there */
    bool written;
};

/* Cells of calls and of records that are not variables, the latest last. */
struct bly_pile_block {
    struct bly_pile_block *before, *after;
    uint32_t size, used;
    struct bly_cell cells[];
};
struct bly_pile_mark {
    struct bly_pile_block *block;
    uint32_t used;
};

struct bly_interpreter {
    struct bly_unit *unit;
    const struct bly_given *given;
    struct bly_cell *constants, *params, *state;
    uint32_t param_count, state_count;
    struct bly_cell *frame;            /* of the function that runs */
    struct bly_cell *result;           /* of it */
    const struct bly_expression *seen; /* stands for seen_value */
    struct bly_cell seen_value;
    struct bly_pile_block *pile;
    struct bly_cell *waste; /* what is taken without memory, of which nothing is read back */
    struct bly_failure failure;
    uint64_t trips; /* left */
    uint32_t depth; /* of what is being evaluated */
    bool single, no_memory, too_deep;
    char unsound[256]; /* "": what was proved is so */
};

/* ---- machine.c ----------------------------------------------------------------------------------- */

/* An interpreter whose constants are not written. */
bailey_status bly_machine_create(struct bly_unit *unit, struct bly_interpreter **interpreter);

/* Sets `cell` of all variables; numbers in the constants. */
uint32_t bly_machine_place(struct bly_unit *unit);

/* Numbers in a variable of the type. */
uint32_t bly_cells(const struct bly_type *type);

/* Of expressions in each other, through calls too: what a thread's stack has space for. */
#define BLY_MOST_EVALUATED 4000u

/* Whether no statement is run any more. */
static inline bool bly_is_stopped(const struct bly_interpreter *m) { return m->no_memory || m->too_deep; }

/* Never NULL, not written. Without memory it is `waste`, and nothing is run any more. */
struct bly_cell *bly_pile_take(struct bly_interpreter *m, uint32_t count);
struct bly_pile_mark bly_pile_mark(const struct bly_interpreter *m);
void bly_pile_return(struct bly_interpreter *m, struct bly_pile_mark mark);

/* A test of `site` has failed. Without a site, something was proved that is not so. */
void bly_interpreter_fail(struct bly_interpreter *m, uint32_t site, int64_t value, struct bly_place place,
                          const char *what);
void bly_interpreter_doubt(struct bly_interpreter *m, struct bly_place place, const char *what);

/* ---- arithmetic.c ----------------------------------------------------------------------------------- */

bool bly_is_integer(const struct bly_type *type);
bool bly_is_true(struct bly_cell cell, const struct bly_type *type);
struct bly_cell bly_integer_cell(int64_t value);
struct bly_cell bly_real_cell(const struct bly_interpreter *m, double value);
struct bly_cell bly_converted(const struct bly_interpreter *m, struct bly_cell from,
                              const struct bly_type *type, const struct bly_type *to);

/* a op b, of one type; of integers DIVIDE and REMAINDER by 0 are 0. *wraps: whether the result does not fit.
 */
struct bly_cell bly_computed(const struct bly_interpreter *m, enum bly_expression_kind kind,
                             const struct bly_type *type, struct bly_cell a, struct bly_cell b, bool *wraps);
bool bly_compared(enum bly_expression_kind kind, const struct bly_type *type, struct bly_cell a,
                  struct bly_cell b);
/* `value` shifted by count modulo the width of its type. */
struct bly_cell bly_shifted(enum bly_expression_kind kind, const struct bly_type *type, struct bly_cell value,
                            int64_t count);

/* A function of the language, of three arguments of which it reads its own. */
double bly_library_call_f32(const struct bly_library_function *function, const double *arguments);
double bly_library_call_f64(const struct bly_library_function *function, const double *arguments);

/* ---- evaluate.c ---------------------------------------------------------------------------------- */

/* The number or pointer that an expression is. */
struct bly_cell bly_evaluate(struct bly_interpreter *m, const struct bly_expression *e);
/* Where the variable, member or element is that an expression names, or a record that it is. */
struct bly_cell *bly_locate(struct bly_interpreter *m, const struct bly_expression *e);
/* Writes what an expression is, number or record, to cells of its type. */
void bly_evaluate_to(struct bly_interpreter *m, const struct bly_expression *e, struct bly_cell *to);
void bly_copy_cells(struct bly_cell *to, const struct bly_cell *from, uint32_t count);

/* ---- interpret.c --------------------------------------------------------------------------------- */

/* Calls a function of the code, with parameters in `frame`; the result is written to `result`. */
void bly_run_function(struct bly_interpreter *m, const struct bly_function *function, struct bly_cell *frame,
                      struct bly_cell *result);

#endif
