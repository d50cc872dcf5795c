/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * R's package mlmc (L. Aslett, after M. Giles's programs) by mlmc_peers.R, whose text is in this program: a
 * process of Rscript, or of what BAILEY_RSCRIPT names, on one thread.
 */
#ifndef CLI_BENCH_R_H
#define CLI_BENCH_R_H

#include <bailey/bailey.h>

#include <stddef.h>

struct bench_r;

/* Starts the process. NULL with the reason in `why`. */
struct bench_r *bench_r_open(char *why, size_t why_size);
void bench_r_close(struct bench_r *r); /* NULL is allowed */

const char *bench_r_version(const struct bench_r *r); /* of the package: "2.1.1" */
const char *bench_r_note(const struct bench_r *r);    /* "R 4.2.2" */
const char *bench_r_why(const struct bench_r *r);     /* why a run failed */

/* Runs, one after another: what the last one gave, and the processor time of all, which the caller may set to
 * 0. */
struct bench_r_job {
    struct bench_r *r;
    int option; /* of mcqmc06_l: 1 .. 5 */
    double eps;
    uint64_t first_samples;
    unsigned min_level, max_level;
    double value, cost, first, levels; /* cost: steps of fine paths; first: samples of level 0 */
    double processor_seconds;
};

/* Runs, and waits; `user` is the struct bench_r_job. */
bailey_status bench_r_run(void *user);

#endif
