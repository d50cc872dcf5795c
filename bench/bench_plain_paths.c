/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Paths of one deal on as many threads as the device has, and their mean.
 */
#include "bench_plain.h"

#include <math.h>
#include <pthread.h>

struct job {
    uint64_t paths;
    struct plain_sums (*part)(const void *user, unsigned index, uint64_t count);
    const void *user;
    pthread_mutex_t lock;
    struct plain_sums sums;
};

static void thread_part(void *user, unsigned index, unsigned threads)
{
    struct job *job = user;
    const uint64_t first = job->paths * index / threads, end = job->paths * (index + 1) / threads;
    const struct plain_sums sums = job->part(job->user, index, end - first);
    pthread_mutex_lock(&job->lock);
    job->sums.sum += sums.sum;
    job->sums.squares += sums.squares;
    pthread_mutex_unlock(&job->lock);
}

void plain_estimate(struct bench_host *host, uint64_t paths,
                    struct plain_sums (*part)(const void *user, unsigned index, uint64_t count),
                    const void *user, double *mean, double *error)
{
    const double n = (double)paths;
    struct job job = {.paths = paths, .part = part, .user = user};
    pthread_mutex_init(&job.lock, NULL);
    bench_host_run(host, thread_part, &job);
    pthread_mutex_destroy(&job.lock);
    *mean = job.sums.sum / n;
    *error = sqrt((job.sums.squares / n - *mean * *mean) / n);
}

static struct plain_sums part(const void *user, unsigned index, uint64_t count)
{
    const struct plain_basket *b = user;
    struct plain_source source;
    plain_source_start(&source, index + 1, b->is_philox);
    return b->is_double ? plain_paths_f64(&source, &b->f64, count) : plain_paths_f32(&source, &b->f32, count);
}

bailey_status plain_basket_run(void *user)
{
    struct plain_basket *b = user;
    plain_estimate(b->host, b->paths, part, b, &b->mean, &b->error);
    return BAILEY_OK;
}
