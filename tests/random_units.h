/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Random payoff code that was read and interpreted on random paths: what compilers are compared with.
 */
#ifndef RANDOM_UNITS_H
#define RANDOM_UNITS_H

#include <host/payoff/interpret.h>

#include "random_payoff.h"

#define RANDOM_STEPS 5u
#define RANDOM_DIMS 2u
#define RANDOM_PATHS 12u
#define RANDOM_BUDGET 4000u /* code without faults takes up to some 2,000 trips */
#define RANDOM_OUTPUTS 16u

struct random_unit {
    uint64_t seed;
    struct random_payoff_options options;
    bailey_precision precision;
    char *code;
    struct bly_unit unit;
    uint32_t parameters;
    double given[64];                                  /* parameters */
    double x[RANDOM_PATHS][RANDOM_STEPS][RANDOM_DIMS]; /* in the precision */
    double times[RANDOM_STEPS];                        /* in the precision */
    double outputs[RANDOM_PATHS][RANDOM_OUTPUTS];      /* by the interpreter */
    struct bly_failure failures[RANDOM_PATHS];         /* by the interpreter */
};

/* Fails the test, with the code, where it is refused or the interpreter finds that a proof is wrong. */
void random_unit_make(uint64_t seed, const struct random_payoff_options *options, bailey_precision precision,
                      struct random_unit *made);
void random_unit_free(struct random_unit *unit);

/* Fails the test with the code and what is wrong with it. */
void random_unit_fail(const struct random_unit *unit, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));

#endif
