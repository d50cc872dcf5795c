/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Shared by the stub drivers: calls that are counted and fail on demand.
 *
 *   STUB_FAIL=function:n:error   the n-th call of a function returns this error; 0: each call
 *
 * Each stub is built with stub_faults.c and a header, STUB_HEADER, whose STUB_SYMBOLS(X) is the list of
 * functions that the library loads of the driver. A stub without one of them does not link.
 */
#ifndef STUB_FAULTS_H
#define STUB_FAULTS_H

#define EXPORT __attribute__((visibility("default")))
#define STUB_TEXT 4096

/* A function of the list; stub_functions ends with an empty name. */
struct stub_function {
    const char *name;
    void (*function)(void);
    int calls; /* since the test set them to zero; what n counts */
};
extern EXPORT struct stub_function stub_functions[];

extern EXPORT int stub_misuses; /* calls that a driver would answer with an error, or not survive */
extern EXPORT long stub_items;  /* that kernels of texts ran over */
/* Options of all compilations, a line each, until they are emptied; the last text of a user's kernel. */
extern EXPORT char stub_options[STUB_TEXT], stub_text[STUB_TEXT];

/* Objects that exist, by each stub. */
EXPORT long stub_live(void);

/* Counts a call; returns the error that it is to fail with, or 0. */
int stub_fails(const char *function);
#define MAY_FAIL                                                                                             \
    do {                                                                                                     \
        const int e_ = stub_fails(__func__);                                                                 \
        if (e_) return e_;                                                                                   \
    } while (0)

/* A number of the environment. */
int stub_number(const char *variable, int otherwise);
/* Whether STUB_DEVICE says so. */
int stub_odd(const char *what);
/* Adds a line to stub_options. */
void stub_add_options(const char *options);

#endif
