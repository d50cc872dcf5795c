/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Work on all threads of the processor, and its own copy, as a program with OpenMP would make it: a loop of
 * ordinary loads and stores, cut among threads. This is the bandwidth of a processor's memory without tricks:
 * memcpy of a large array would use non-temporal stores, which read nothing before they write.
 */
#ifndef CLI_BENCH_HOST_H
#define CLI_BENCH_HOST_H

#include <bailey/bailey.h>

struct bench_host;

/* Starts the threads. Prints what is wrong, returns an exit code. */
int bench_host_create(unsigned threads, struct bench_host **host);
void bench_host_destroy(struct bench_host *host); /* NULL is allowed */

unsigned bench_host_threads(const struct bench_host *host);

/* Calls part(user, i, threads) for i = 0 .. threads - 1, each in a separate thread, and waits. */
void bench_host_run(struct bench_host *host, void (*part)(void *user, unsigned index, unsigned threads),
                    void *user);

/* Copies; source and destination are aligned to 64 bytes. */
void bench_host_copy(struct bench_host *host, void *destination, const void *source, uint64_t bytes);

/* Memory to measure in: of a device, of the host, or of both, which on the cpu backend are one. */
struct bench_space {
    bailey_buffer *buffer;
    void *memory;
    uint64_t bytes;
};

/* Memory of the context's device unless that is NULL, and of the host unless that is NULL. Without memory
 * ERROR_MEMORY, and the space is empty. */
bailey_status bench_space_take(bailey_context *context, struct bench_host *host, uint64_t bytes,
                               struct bench_space *space);
void bench_space_free(struct bench_space *space);

/* Memory for it, in huge pages as buffers of the cpu backend are, and written once by the threads that will
 * copy it; NULL if there is none. free() frees it. */
void *bench_host_memory(struct bench_host *host, uint64_t bytes);

#endif
