/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What else makes random words and normals on a processor, on as many threads as the device has: loops in C
 * as anyone would write them, the C library's memset as the limit, and the GNU Scientific Library and Intel's
 * MKL where they are.
 */
#ifndef CLI_BENCH_PLAIN_H
#define CLI_BENCH_PLAIN_H

#include "bench_host.h"

#include <stddef.h>

/* Words 0 .. count - 1 of Philox4x32-10 with this seed and stream 0: those of bailey's philox. */
void plain_philox(struct bench_host *host, uint64_t seed, uint32_t *words, uint64_t count);

/* Standard normals, floats (element 4) or doubles (8), with the C library's functions: Box-Muller, or
 * Marsaglia's polar method, which is std::normal_distribution's in libstdc++ and libc++. */
void plain_normals(struct bench_host *host, int polar, uint64_t seed, size_t element, void *out,
                   uint64_t count);

void plain_memset(struct bench_host *host, void *memory, int value, uint64_t bytes);

/* The GNU Scientific Library. NULL with the reason in `why`. */
struct plain_gsl *plain_gsl_open(char *why, size_t why_size);
void plain_gsl_close(struct plain_gsl *gsl); /* NULL is allowed */

/* Chooses one, with a generator for each thread. False if this library does not have it or memory is out. */
int plain_gsl_select(struct plain_gsl *gsl, const char *name, unsigned threads);
unsigned plain_gsl_bits(const struct plain_gsl *gsl); /* of a draw of it */
/* One draw, gsl_rng_get, to each word. */
void plain_gsl_draw(struct plain_gsl *gsl, struct bench_host *host, uint32_t *words, uint64_t count);
/* gsl_ran_gaussian_ziggurat, to floats or doubles. */
void plain_gsl_ziggurat(struct plain_gsl *gsl, struct bench_host *host, size_t element, void *out,
                        uint64_t count);

/* Intel's Math Kernel Library, whose own threads are not used. NULL with the reason in `why`. */
struct plain_mkl *plain_mkl_open(char *why, size_t why_size);
void plain_mkl_close(struct plain_mkl *mkl); /* NULL is allowed */
/* "2026.2" */
const char *plain_mkl_version(const struct plain_mkl *mkl);

/* Generators and methods by number, NULL past the last: "philox", "icdf". */
const char *plain_mkl_generator(unsigned generator);
const char *plain_mkl_method(unsigned method);

/* Chooses a generator, with a stream for each thread. False if it cannot be made. */
int plain_mkl_select(struct plain_mkl *mkl, unsigned generator, unsigned threads);
/* Standard normals; false if the library reported an error. */
int plain_mkl_draw(struct plain_mkl *mkl, struct bench_host *host, unsigned method, size_t element, void *out,
                   uint64_t count);

/* Elements [first, end) of thread `index`, in whole cache lines. */
void plain_part(uint64_t count, unsigned index, unsigned threads, uint64_t *first, uint64_t *end);

#endif
