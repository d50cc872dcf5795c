/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A thread that writes one chunk while the caller computes the next. A few chunks may wait, which evens out
 * the speeds of both.
 */
#define _GNU_SOURCE /* F_SETPIPE_SZ */

#include "io.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>

#define DEPTH_MAX 8
#define PIPE_BYTES (1 << 20) /* as many as Linux gives to anyone */

struct pump {
    struct output *output;
    pump_writer writer;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned depth;
    uint64_t put, done; /* chunks handed over and chunks written */
    struct {
        const void *data;
        uint64_t bytes;
    } chunk[DEPTH_MAX]; /* number i is entry i mod depth */
    int ending, code;
};

static void *write_chunks(void *argument)
{
    struct pump *pump = argument;
    pthread_mutex_lock(&pump->lock);
    for (;;) {
        while (pump->done == pump->put && !pump->ending) pthread_cond_wait(&pump->changed, &pump->lock);
        if (pump->done == pump->put) break;
        const void *data = pump->chunk[pump->done % pump->depth].data;
        const uint64_t bytes = pump->chunk[pump->done % pump->depth].bytes;
        pthread_mutex_unlock(&pump->lock);
        const int code = pump->writer(pump->output, data, bytes);
        pthread_mutex_lock(&pump->lock);
        pump->done++;
        pump->code = code;
        pthread_cond_broadcast(&pump->changed);
        if (code) break;
    }
    pthread_mutex_unlock(&pump->lock);
    return NULL;
}

int pump_start(struct pump **out, struct output *output, pump_writer writer, unsigned depth)
{
    struct pump *pump = calloc(1, sizeof *pump);
    *out = NULL;
    if (!pump) return cli_memory_error("the writing thread", sizeof *pump);
    pump->output = output;
    pump->writer = writer;
    pump->depth = depth < DEPTH_MAX ? depth : DEPTH_MAX;
    pthread_mutex_init(&pump->lock, NULL);
    pthread_cond_init(&pump->changed, NULL);
#ifdef F_SETPIPE_SZ
    /* fewer switches between writer and reader; no pipe, or one that may not grow, stays as it is */
    (void)fcntl(output->file, F_SETPIPE_SZ, PIPE_BYTES);
#endif
    if (pthread_create(&pump->thread, NULL, write_chunks, pump)) {
        pthread_cond_destroy(&pump->changed);
        pthread_mutex_destroy(&pump->lock);
        free(pump);
        return cli_error(CLI_FAILED, "the writing thread cannot be created");
    }
    *out = pump;
    return CLI_OK;
}

int pump_put(struct pump *pump, const void *data, uint64_t bytes)
{
    pthread_mutex_lock(&pump->lock);
    while (pump->put - pump->done == pump->depth && !pump->code)
        pthread_cond_wait(&pump->changed, &pump->lock);
    const int good = !pump->code;
    if (good) {
        pump->chunk[pump->put % pump->depth].data = data;
        pump->chunk[pump->put % pump->depth].bytes = bytes;
        pump->put++;
        pthread_cond_broadcast(&pump->changed);
    }
    pthread_mutex_unlock(&pump->lock);
    return good;
}

int pump_end(struct pump *pump)
{
    if (!pump) return CLI_OK;
    pthread_mutex_lock(&pump->lock);
    pump->ending = 1;
    pthread_cond_broadcast(&pump->changed);
    pthread_mutex_unlock(&pump->lock);
    pthread_join(pump->thread, NULL);
    const int code = pump->code;
    pthread_cond_destroy(&pump->changed);
    pthread_mutex_destroy(&pump->lock);
    free(pump);
    return code;
}
