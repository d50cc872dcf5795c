/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * One measurement of `bailey bench bridge`: a bridge, what it is compared with, and the check of what it
 * wrote.
 */
#ifndef CLI_BENCH_BRIDGE_H
#define CLI_BENCH_BRIDGE_H

#include "bench.h"
#include "bench_host.h"

/* The operation that is timed. */
enum bridge_subject {
    BRIDGE_GENERATE,
    BRIDGE_SIMULATE,
    BRIDGE_TRANSFER,   /* bly_bridge_transfer */
    BRIDGE_COPY,       /* bailey_buffer_copy of Z's bytes */
    BRIDGE_PLAIN_COPY, /* bench_host_copy of them; CPU devices only */
};

struct bridge_case {
    char name[64];
    enum bridge_subject subject;
    uint64_t steps; /* equal ones, to time 1 */
    uint32_t dims;
    int correlated;   /* covariance 1 on the diagonal, 0.5 off it */
    uint64_t times;   /* as many paths as bridge_bench.paths; 1: fewer where memory is short */
    uint64_t order;   /* 0: bisection, else the number of a random order */
    int borrow_shape; /* compare with SPECIALISED's transfer where the strategy has none */
    bailey_bridge_strategy strategy;
    bailey_bridge_output output;
    bailey_layout layout;
    bailey_precision precision;
    bailey_source source; /* of BRIDGE_SIMULATE */
    bailey_normal_method method;
    bailey_numerics numerics;
};

struct bridge_bench {
    struct bench base;
    uint64_t paths;             /* of the paper's problem */
    uint64_t budget;            /* bytes of the device, for z, x and copy */
    bailey_generator generator; /* of BRIDGE_SIMULATE */
    struct bench_host *host;    /* NULL: no CPU device */
    struct bench_space z, x, copy, plain_from, plain_to;
    struct {
        uint64_t rows, paths;
        bailey_precision precision;
        bailey_layout layout;
    } filled; /* what z holds normals for; paths 0: nothing */
};

/* Opens nothing: context, device, settings, paths and budget are the caller's. Returns an exit code. */
int bridge_bench_create(struct bridge_bench *bench);
void bridge_bench_destroy(struct bridge_bench *bench);

/* Measures; what goes wrong is in the row. */
void bridge_case_run(struct bridge_bench *bench, const struct bridge_case *wanted, struct bench_row *row);

/* ---- Rounds of the generators whose kind is COUNTER ---- */

#define BAILEY_TABLE_ALONE
#include <bailey/device/generators.h>
#undef BAILEY_TABLE_ALONE

enum { BENCH_ROUNDS_philox = 10, BENCH_ROUNDS_philox7 = 7 };

/* Of generator `number`; 0 for those that step, and for points. */
static inline int bench_rounds(int number)
{
#define BENCH_ROUNDS_OF_COUNTER(word) BENCH_ROUNDS_##word,
#define BENCH_ROUNDS_OF_LANES(word) 0,
#define BENCH_ROUNDS_OF_TEAM(word) 0,
#define BENCH_ROUNDS_OF(number, name, word, kind, published, text, verdict, period)                          \
    BENCH_ROUNDS_OF_##kind(word)
    static const int rounds[] = {BAILEY_GENERATOR_LIST(BENCH_ROUNDS_OF)};
    return number < (int)(sizeof rounds / sizeof *rounds) ? rounds[number] : 0;
}

#endif
