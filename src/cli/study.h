/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Prices by several methods, at several numbers of paths, in several replicates.
 */
#ifndef CLI_STUDY_H
#define CLI_STUDY_H

#include "cli.h"
#include "fit.h"

enum study_payoff { STUDY_ASIAN, STUDY_DIGITAL };

/* On one asset, observed at T i / steps. The digital pays 1 at T if the asset is above the strike (a put:
 * below) at time number `digital`, the first being 1. */
struct study_deal {
    int payoff, type;
    uint64_t steps, digital;
    double spot, strike, rate, volatility, maturity;
};

enum { STUDY_METHODS_MAX = 4, STUDY_LOG2_MAX = 30 };

struct study_method {
    const char *name;
    bailey_generator generator;
    bailey_order order;
    int important; /* whether the important times are first */
    /* Results. */
    double *estimate; /* [size][replicate] */
    double mean[STUDY_LOG2_MAX], error[STUDY_LOG2_MAX];
    struct interval slope, reduction; /* of the variance, at the last size */
    double seconds;
};

struct study {
    struct study_deal deal;
    uint64_t seed, replicates;
    int scramble, precision;
    int log2_first, sizes; /* of paths */
    uint32_t *important;
    uint64_t important_count;
    struct study_method methods[STUDY_METHODS_MAX];
    int method_count;
};

/* Fills the methods: pseudo-random ones first. Prints what is wrong, returns an exit code. study_free in any
 * case. */
int study_run(bailey_context *context, struct study *study);
void study_free(struct study *study);

#endif
