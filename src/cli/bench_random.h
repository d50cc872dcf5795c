/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Measurements of whatever fills memory with random numbers: bailey's generators and what they are compared
 * with. Each takes turns with a fill of the same bytes in the same run.
 */
#ifndef CLI_BENCH_RANDOM_H
#define CLI_BENCH_RANDOM_H

#include "bench.h"
#include "bench_curand.h"
#include "bench_host.h"
#include "draw.h"

struct random_bench {
    bailey_context *context;
    bailey_device device;
    struct bench_settings settings;
    uint64_t count; /* numbers in a call */

    bailey_context *cpu;         /* makes what the output should be */
    struct bench_host *host;     /* NULL: no CPU device */
    struct bench_curand *curand; /* NULL: curand_why; not looked for unless the backend is cuda */
    char curand_why[200];
    struct random_space {
        bailey_buffer *buffer;
        void *memory; /* of a CPU device: what its own code writes to, and the cpu backend too */
    } out, spare;     /* what is measured, and the fill */
    uint64_t bytes;   /* of each */
};

/* The caller has set context, device, settings and count. `element`: bytes of the largest number that will be
 * made. Returns an exit code. */
int random_bench_create(struct random_bench *bench, size_t element);
void random_bench_destroy(struct random_bench *bench);

/* Something that fills the first `count` elements of bench->out, or of its memory. */
struct random_maker {
    const char *unit; /* "G words/s" */
    size_t element;
    bailey_status (*queue)(void *user);
    void *user;
    const char *(*why)(void *user); /* what was wrong, where the library's words are not; may be NULL */
    int in_memory;                  /* writes to out.memory */
    const struct draw *expected;    /* what it must have written; NULL: anything, but all of it */
};

/* Times it and checks what it wrote. `name` may be longer than a column. False if the row is none of figures.
 */
int random_bench_measure(struct random_bench *bench, const char *name, const struct random_maker *maker,
                         struct bench_row *row);

/* Times `maker` against `rival`, and both against a fill: the ratio is to the rival, whose name is `of`,
 * which must live on; the fact "fill_ratio" is to the fill. */
int random_bench_compare(struct random_bench *bench, const char *name, const struct random_maker *maker,
                         const struct random_maker *rival, const char *of, struct bench_row *row);

/* A maker that draws; `job` must live as long. */
struct random_job {
    struct random_bench *bench;
    struct draw draw;
};
struct random_maker random_drawing(struct random_job *job, const char *unit);

/* A maker of what bench->curand was last told to select; aims it. */
struct random_maker random_curand(struct random_bench *bench, enum curand_what what, const char *unit);

#endif
