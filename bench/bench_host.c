/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Threads, memory and a copy on the host. The file is compiled so that the loop that copies does not become
 * memcpy (see CMakeLists.txt).
 */
#define _GNU_SOURCE /* madvise */
#include "bench_host.h"

#include <cli/io/io.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct bench_host {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned threads; /* the caller's own included */
    unsigned running; /* of the others, in this job */
    uint64_t job;     /* counts jobs */
    int stop;
    void (*part)(void *user, unsigned index, unsigned threads);
    void *user;
    struct helper {
        struct bench_host *host;
        pthread_t thread;
        unsigned index;
    } helper[];
};

static void *helper_main(void *argument)
{
    struct helper *helper = argument;
    struct bench_host *host = helper->host;
    uint64_t seen = 0;
    pthread_mutex_lock(&host->lock);
    for (;;) {
        while (host->job == seen && !host->stop) pthread_cond_wait(&host->changed, &host->lock);
        if (host->stop) break;
        seen = host->job;
        pthread_mutex_unlock(&host->lock);
        host->part(host->user, helper->index, host->threads);
        pthread_mutex_lock(&host->lock);
        if (!--host->running) pthread_cond_broadcast(&host->changed);
    }
    pthread_mutex_unlock(&host->lock);
    return NULL;
}

void bench_host_run(struct bench_host *host, void (*part)(void *user, unsigned index, unsigned threads),
                    void *user)
{
    pthread_mutex_lock(&host->lock);
    host->part = part;
    host->user = user;
    host->running = host->threads - 1;
    host->job++;
    pthread_cond_broadcast(&host->changed);
    pthread_mutex_unlock(&host->lock);
    part(user, 0, host->threads);
    pthread_mutex_lock(&host->lock);
    while (host->running) pthread_cond_wait(&host->changed, &host->lock);
    pthread_mutex_unlock(&host->lock);
}

unsigned bench_host_threads(const struct bench_host *host) { return host->threads; }

int bench_host_create(unsigned threads, struct bench_host **out)
{
    const unsigned others = threads > 1 ? threads - 1 : 0;
    struct bench_host *host = calloc(1, sizeof *host + others * sizeof host->helper[0]);
    *out = NULL;
    if (!host) return cli_memory_error("the plain copy", sizeof *host);
    pthread_mutex_init(&host->lock, NULL);
    pthread_cond_init(&host->changed, NULL);
    for (host->threads = 1; host->threads <= others; host->threads++) {
        struct helper *helper = &host->helper[host->threads - 1];
        helper->host = host;
        helper->index = host->threads;
        if (pthread_create(&helper->thread, NULL, helper_main, helper)) {
            const unsigned made = host->threads;
            bench_host_destroy(host);
            return cli_error(CLI_FAILED, "thread %u of %u for the plain copy cannot be created", made,
                             others);
        }
    }
    *out = host;
    return CLI_OK;
}

void bench_host_destroy(struct bench_host *host)
{
    if (!host) return;
    pthread_mutex_lock(&host->lock);
    host->stop = 1;
    pthread_cond_broadcast(&host->changed);
    pthread_mutex_unlock(&host->lock);
    for (unsigned i = 0; i + 1 < host->threads; i++) pthread_join(host->helper[i].thread, NULL);
    pthread_cond_destroy(&host->changed);
    pthread_mutex_destroy(&host->lock);
    free(host);
}

struct copy_job {
    uint64_t *to;
    const uint64_t *from; /* NULL: `to` is written with a pattern */
    uint64_t words;
};

static void copy_words(uint64_t *restrict to, const uint64_t *restrict from, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) to[i] = from[i];
}

/* The part of thread `index`: whole cache lines of 8 words. */
static void copy_part(void *user, unsigned index, unsigned threads)
{
    const struct copy_job *job = user;
    const uint64_t lines = (job->words + 7) / 8;
    const uint64_t first = lines * index / threads * 8;
    uint64_t end = lines * (index + 1) / threads * 8;
    if (end > job->words) end = job->words;
    if (job->from) {
        copy_words(job->to + first, job->from + first, end - first);
        return;
    }
    for (uint64_t i = first; i < end; i++) job->to[i] = i * UINT64_C(0x9e3779b97f4a7c15);
}

void bench_host_copy(struct bench_host *host, void *destination, const void *source, uint64_t bytes)
{
    struct copy_job job = {destination, source, bytes / 8};
    bench_host_run(host, copy_part, &job);
    if (bytes % 8)
        memcpy((char *)destination + bytes / 8 * 8, (const char *)source + bytes / 8 * 8, bytes % 8);
}

void *bench_host_memory(struct bench_host *host, uint64_t bytes)
{
    const uint64_t page = UINT64_C(2) << 20, rounded = (bytes + page - 1) / page * page;
    void *memory = rounded >= bytes && rounded <= SIZE_MAX ? aligned_alloc(page, (size_t)rounded) : NULL;
    struct copy_job job = {memory, NULL, (bytes + 7) / 8};
    if (!memory) return NULL;
#if defined(MADV_HUGEPAGE)
    (void)madvise(memory, (size_t)rounded, MADV_HUGEPAGE);
#endif
    bench_host_run(host, copy_part, &job);
    return memory;
}

bailey_status bench_space_take(bailey_context *context, struct bench_host *host, uint64_t bytes,
                               struct bench_space *space)
{
    bailey_device device;
    bailey_status status = BAILEY_OK;
    *space = (struct bench_space){.bytes = bytes};
    if (host && !(space->memory = bench_host_memory(host, bytes))) status = BAILEY_ERROR_MEMORY;
    if (context && status == BAILEY_OK) status = bailey_context_device(context, &device);
    if (context && status == BAILEY_OK)
        status = host && !strcmp(device.address, "cpu")
                     ? bailey_buffer_adopt_host(context, space->memory, bytes, &space->buffer)
                     : bailey_buffer_create(context, bytes, &space->buffer);
    if (status != BAILEY_OK) bench_space_free(space);
    return status;
}

void bench_space_free(struct bench_space *space)
{
    bailey_buffer_destroy(space->buffer);
    free(space->memory);
    memset(space, 0, sizeof *space);
}
