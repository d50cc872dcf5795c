/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How much a worker takes at a time: guided self-scheduling (C. Polychronopoulos and D. Kuck, IEEE Trans.
 * Computers C-36, 1987) for devices of different speeds: a range is part of what is left, so that ranges
 * become smaller towards the end.
 */
#include "job_state.h"

#define GROWTH 8       /* from range to range, while the speed is not well known */
#define SLOW 4         /* times as slow as the fastest takes from the back */
#define SHORTEST 0.004 /* seconds of a range, below which its beginning and end would show */
#define MUCH_FASTER 2  /* times as fast */
#define FIRST_LEASE 2u /* parts, to one whose speed is not known yet */

static double fastest(const bailey_job *job)
{
    double most = 0;
    for (size_t i = 0; i < job->workers; i++)
        if (job->worker[i].alive && job->worker[i].speed > most) most = job->worker[i].speed;
    return most;
}

/* Paths per second of all whose speed is known. */
static double all_speeds(const bailey_job *job)
{
    double all = job->others_speed * (double)job->others;
    for (size_t i = 0; i < job->workers; i++)
        if (job->worker[i].alive) all += job->worker[i].speed;
    return all;
}

int bly_job_is_slow(const bailey_job *job, const struct bly_worker *w)
{
    return w->speed * SLOW < fastest(job);
}

/* Whether a much faster one would be done with everything before this one with a part. */
static int is_too_late(const bailey_job *job, const struct bly_worker *w, double part, double left)
{
    const double most = fastest(job);
    return w->speed > 0 && most > MUCH_FASTER * w->speed && left / most + job->longest < part / w->speed;
}

/* Paths for `seconds` at most, and at most its share of half of what is left. */
static double wanted(double speed, double all, double seconds, double left)
{
    const double share = left * speed / (2 * all), least = speed * SHORTEST, most = speed * seconds;
    const double paths = share > least ? share : least;
    return paths < most ? paths : most;
}

uint64_t bly_job_quota(const bailey_job *job, const struct bly_worker *w)
{
    const double part = (double)(UINT64_C(1) << job->tally->part_bits), left = part * (double)job->queue.left;
    if (!(w->speed > 0)) return 1;
    if (is_too_late(job, w, part, left)) return 0;
    double paths = wanted(w->speed, all_speeds(job), job->longest, left);
    if (w->granted && paths > GROWTH * (double)w->granted) paths = GROWTH * (double)w->granted;
    const double places = paths / part;
    return places < 1 ? 1 : places < 0x1p62 ? (uint64_t)places : UINT64_C(1) << 62;
}

void bly_job_cut(bailey_job *job)
{
    if (!job->fault.found) return;
    bly_job_queue_cut(&job->queue,
                      bly_tally_place(job->tally, &job->window, job->fault.replicate, job->fault.path));
}

/* ---- Others -------------------------------------------------------------------------------------- */

/* Places of a lease: in one replicate, unless the window is the run. */
static uint64_t lease_places(bailey_job *job, uint64_t most, uint64_t *place)
{
    struct bly_job_queue *q = &job->queue;
    if (!bly_job_queue_reserve(q, BAILEY_JOB_MAX_DEVICES + job->leases + 2)) return 0;
    uint64_t count = bly_job_queue_take(q, most, 0, place);
    const uint64_t row = job->window.count - (count ? *place % job->window.count : 0);
    if (job->window.count == job->tally->each || count <= row) return count;
    bly_job_queue_add(q, *place + row, count - row);
    return row;
}

/* The part of the run at a place, and the other way round. */
static uint64_t part_at(const bailey_job *job, uint64_t place)
{
    const struct bly_window *w = &job->window;
    return place / w->count * job->tally->each + w->first + place % w->count;
}

static uint64_t place_of(const bailey_job *job, uint64_t part)
{
    const struct bly_window *w = &job->window;
    return part / job->tally->each * w->count + (part % job->tally->each - w->first);
}

static int is_job(const bailey_job *job)
{
    if (!job) bly_fail_argument("job", "job is NULL");
    return job != NULL;
}

uint64_t bailey_job_lease(bailey_job *job, double speed, double seconds, uint64_t *first)
{
    if (!first) bly_fail_argument("first", "first is NULL");
    if (!is_job(job) || !first) return 0;
    const double part = (double)(UINT64_C(1) << job->tally->part_bits);
    pthread_mutex_lock(&job->mutex);
    if (speed > 0) job->others_speed = speed;
    const double all = all_speeds(job) > speed ? all_speeds(job) : speed;
    const double places =
        speed > 0 ? wanted(speed, all, seconds, part * (double)job->queue.left) / part : FIRST_LEASE;
    uint64_t place = 0, count = 0;
    if (!job->stop) count = lease_places(job, places < 1 ? 1 : (uint64_t)places, &place);
    if (count) {
        job->leased += bly_tally_paths(job->tally, &job->window, place, count);
        job->leases++;
        *first = part_at(job, place);
    }
    pthread_mutex_unlock(&job->mutex);
    return count;
}

/* Paths that were leased are here again. */
static void settle(bailey_job *job, uint64_t paths)
{
    job->leased -= paths < job->leased ? paths : job->leased;
    if (job->leased == 0) job->leases = 0;
    pthread_cond_broadcast(&job->work);
    pthread_cond_signal(&job->done);
}

/* Whether parts can be ones that were leased: they are places side by side in the window, and no more paths
 * than are out. Parts outside the window have no place, and would be queued as others. */
static int may_be_leased(const bailey_job *job, uint64_t first, uint64_t count)
{
    const struct bly_window *w = &job->window;
    const uint64_t parts = bailey_tally_parts(job->tally), each = job->tally->each;
    if (count == 0 || first >= parts || count > parts - first) return 0;
    const uint64_t column = first % each;
    if (column < w->first || column - w->first >= w->count) return 0;
    if (w->count < each && count > w->count - (column - w->first)) return 0;
    return bly_tally_paths(job->tally, w, place_of(job, first), count) <= job->leased;
}

bailey_status bailey_job_return(bailey_job *job, uint64_t first, uint64_t count)
{
    bailey_status status = BAILEY_OK;
    if (!is_job(job)) return BAILEY_ERROR_INVALID;
    pthread_mutex_lock(&job->mutex);
    if (!may_be_leased(job, first, count))
        status = bly_fail_argument("first", "first %llu + count %llu: these parts were not leased",
                                   (unsigned long long)first, (unsigned long long)count);
    else if (!bly_job_queue_reserve(&job->queue, BAILEY_JOB_MAX_DEVICES + job->leases + 2))
        status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a job");
    if (status == BAILEY_OK) {
        const uint64_t place = place_of(job, first);
        bly_job_queue_add(&job->queue, place, count);
        bly_job_cut(job);
        settle(job, bly_tally_paths(job->tally, &job->window, place, count));
    }
    pthread_mutex_unlock(&job->mutex);
    return status;
}

bailey_status bailey_job_merge(bailey_job *job, const void *bytes, uint64_t size)
{
    if (!is_job(job)) return BAILEY_ERROR_INVALID;
    pthread_mutex_lock(&job->mutex);
    const uint64_t before = job->tally->paths;
    const bailey_status status = bailey_tally_load(job->tally, bytes, size);
    settle(job, job->tally->paths - before);
    pthread_mutex_unlock(&job->mutex);
    return status;
}
