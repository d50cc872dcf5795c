/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What else makes random words on a processor, on as many threads as the device has: a loop of Philox as
 * anyone would write it, the C library's memset as the limit, and the GNU Scientific Library where it is.
 */
#ifndef CLI_BENCH_PLAIN_H
#define CLI_BENCH_PLAIN_H

#include "bench_host.h"

#include <stddef.h>

/* Words 0 .. count - 1 of Philox4x32-10 with this seed and stream 0: those of bailey's philox. */
void plain_philox(struct bench_host *host, uint64_t seed, uint32_t *words, uint64_t count);

void plain_memset(struct bench_host *host, void *memory, int value, uint64_t bytes);

/* The GNU Scientific Library. NULL with the reason in `why`. */
struct plain_gsl *plain_gsl_open(char *why, size_t why_size);
void plain_gsl_close(struct plain_gsl *gsl); /* NULL is allowed */

/* The names of its generators that are compared with; NULL ends. */
extern const char *const plain_gsl_names[];

/* Chooses one, with a generator for each thread. False if this library does not have it or memory is out. */
int plain_gsl_select(struct plain_gsl *gsl, const char *name, unsigned threads);
unsigned plain_gsl_bits(const struct plain_gsl *gsl); /* of a draw of it */
/* One draw, gsl_rng_get, to each word. */
void plain_gsl_draw(struct plain_gsl *gsl, struct bench_host *host, uint32_t *words, uint64_t count);

#endif
