/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Runs a checked unit on the host, a path at a time, as the language defines it and without a compiler: what
 * printed programs are tested against, and what a path is explained with.
 *
 * Reals are doubles here, rounded to the unit's precision after each operation. Whatever the checks have
 * proved is tested as well: where a proof is wrong, bly_interpreter_unsound says so.
 */
#ifndef BLY_INTERPRET_H
#define BLY_INTERPRET_H

#include "language.h"

struct bly_interpreter;

/* The first test of a path that failed. Site 0: none has. */
struct bly_failure {
    uint32_t site;
    int64_t value; /* INDEX: the index; TICK: the step or dimension; else 0 */
};

/* Where x of `whole` comes from. Steps and dimensions are those of the path: of a motion, ticks. */
struct bly_path_reader {
    void *user;
    double (*at)(void *user, uint64_t step, uint32_t dimension);
    double (*time)(void *user, uint64_t step);
};

/* The arguments of a function of the unit. Numbers that its kind does not take are not read. */
struct bly_given {
    int32_t number;         /* step's i, or start's level */
    double t, h;            /* the time and, of levels, the length of the step */
    const double *x;        /* [dims] of a step */
    const double *noise[2]; /* of levels: dw, z and u one after the other */
    const struct bly_path_reader *path;
    double *out; /* [outputs] of finish and whole */
};

/* `unit` has been checked without an error, and outlives the interpreter. ERROR_MEMORY. */
bailey_status bly_interpreter_create(struct bly_unit *unit, struct bly_interpreter **interpreter);
void bly_interpreter_destroy(struct bly_interpreter *interpreter);

/* Parameters and the state as numbers, arrays and records taken apart, in the order of the code. `written`
 * may be NULL. */
uint32_t bly_interpreter_parameters(const struct bly_interpreter *interpreter);
void bly_interpreter_set(struct bly_interpreter *interpreter, uint32_t number, double value);
uint32_t bly_interpreter_states(const struct bly_interpreter *interpreter);
double bly_interpreter_state(const struct bly_interpreter *interpreter, uint32_t number, bool *written);

/* What number `number` of a record is called in code: "weight[2]", "leg[0].rate". */
void bly_record_name(const struct bly_record *record, uint32_t number, char *name, size_t size);

/* Another path: nothing of its state is known, and nothing has failed. */
void bly_interpreter_begin(struct bly_interpreter *interpreter);

/* Calls start, step, finish, pair or whole; NULL does nothing. Goes on after a fault, as devices do. */
void bly_interpreter_call(struct bly_interpreter *interpreter, const struct bly_function *function,
                          const struct bly_given *given);

struct bly_failure bly_interpreter_failure(const struct bly_interpreter *interpreter);

/* ERROR_MEMORY, or ERROR_INTERNAL with what a check has proved and is not so; else OK. */
bailey_status bly_interpreter_status(const struct bly_interpreter *interpreter);

#endif
