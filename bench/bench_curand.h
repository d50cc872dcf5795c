/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * cuRAND's host interface, on the stream and into the memory of a CUDA context of bailey's. It is opened when
 * the program runs, and nothing of it is linked.
 */
#ifndef CLI_BENCH_CURAND_H
#define CLI_BENCH_CURAND_H

#include <bailey/bailey.h>

/* Uniform numbers are of single precision. */
enum curand_what {
    CURAND_MAKES_WORDS,
    CURAND_MAKES_WORDS_64, /* of points only */
    CURAND_MAKES_UNIFORMS,
    CURAND_MAKES_NORMALS,
    CURAND_MAKES_NORMALS_F64
};

struct bench_curand;

/* For a context of the cuda backend. NULL with the reason in `why`. */
struct bench_curand *bench_curand_open(bailey_context *context, char *why, size_t why_size);
void bench_curand_close(struct bench_curand *curand); /* NULL is allowed */

/* "10.4.0": of the library that was opened. */
const char *bench_curand_version(const struct bench_curand *curand);

/* Generators and orderings by number, NULL past the last: "philox", "dynamic". */
const char *bench_curand_generator(unsigned generator);
const char *bench_curand_ordering(unsigned ordering);

/* Makes the generator, seeded and set up. False where cuRAND does not offer it, with its reason in
 * bench_curand_why; *refused then says whether it is only the ordering that the generator does not have. */
int bench_curand_select(struct bench_curand *curand, unsigned generator, unsigned ordering, int *refused);

/* Generators of points by number, NULL past the last: "sobol32". */
const char *bench_curand_quasi(unsigned generator);

/* Makes that one, for points of so many dimensions, a dimension after the other. False where cuRAND does not
 * offer it, with its reason in bench_curand_why. */
int bench_curand_select_points(struct bench_curand *curand, unsigned generator, unsigned dims);

/* What bench_curand_queue makes, and where: `count` numbers at the beginning of `out`, of normals an even
 * count, of points whole ones. */
void bench_curand_aim(struct bench_curand *curand, enum curand_what what, bailey_buffer *out, uint64_t count);

/* Queues a call; `user` is the struct bench_curand. What cuRAND finds wrong is ERROR_DRIVER, with its reason
 * in bench_curand_why; else the reason is the library's. */
bailey_status bench_curand_queue(void *user);
const char *bench_curand_why(const struct bench_curand *curand); /* "" if nothing of it failed */

/* Whether the last call failed because the generator does not make such numbers. */
int bench_curand_lacks(const struct bench_curand *curand);

#endif
