/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Jobs. A thread for each device takes ranges from the queue, computes them without the mutex and adds what
 * it found to the tally. The caller's thread waits, reports, saves, and looks at the error between stages.
 */
#include "job_state.h"
#include <host/run/checkpoint.h>

#include <base/alloc.h>
#include <host/describe/records.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define LONGEST 0.25           /* seconds of a range */
#define STACK_BYTES (8u << 20) /* of a thread: on the cpu device it runs payoffs */
#define REPORT_SECONDS 0.1     /* between two calls of progress, and how long the caller's thread sleeps */
#define SERVE_SECONDS 0.002    /* how long it sleeps where other processes take part */

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void bly_job_fail(bailey_job *job, bailey_status status)
{
    if (job->status != BAILEY_OK || status == BAILEY_OK) return;
    job->status = status;
    snprintf(job->text, sizeof job->text, "%s", bailey_error_message());
    job->argument = bailey_error_argument();
    job->stop = 1;
    pthread_cond_broadcast(&job->work);
}

/* ---- A device's thread --------------------------------------------------------------------------- */

/* A range that has failed goes back to the queue. What would fail everywhere ends the job; else this device
 * is out. */
static void give_up(struct bly_worker *w, uint64_t first, uint64_t count, bailey_status status)
{
    bailey_job *job = w->job;
    bly_job_queue_add(&job->queue, first, count);
    bly_job_cut(job);
    if (status == BAILEY_ERROR_INVALID) bly_job_fail(job, status);
    w->alive = 0;
    w->about->status = status;
    snprintf(w->about->message, sizeof w->about->message, "%s", bailey_error_message());
}

/* Whether the status is what `fault` says. */
static int is_fault(const struct bly_fault *fault, bailey_status status)
{
    if (fault->found) return status == BAILEY_ERROR_PAYOFF;
    return fault->refused != BAILEY_OK && status == fault->refused;
}

/* Code has failed in a range, or its outputs were refused, which may be because code fails elsewhere. The
 * error names the first path that failed, whichever range came back first: what is before it is still run,
 * and nothing behind it. */
static void note_fault(bailey_job *job, const struct bly_fault *fault)
{
    const struct bly_fault *known = &job->fault;
    if (fault->found && known->found && !bly_fault_is_before(fault, known->replicate, known->path)) return;
    if (!fault->found && (known->found || known->refused != BAILEY_OK)) return;
    job->fault = *fault;
    bly_job_cut(job);
}

static void note_speed(struct bly_worker *w, uint64_t paths, double seconds)
{
    w->about->paths += paths;
    w->about->seconds += seconds;
    w->granted = paths;
    w->speed = (double)paths / (seconds > 1e-6 ? seconds : 1e-6);
    w->simulation->speed = w->speed;
}

static bailey_status compute(struct bly_worker *w, const struct bly_window *window, uint64_t first,
                             uint64_t count, struct bly_found *found)
{
    BLY_ENTER(w->simulation->context);
    const bailey_status status = bly_tally_compute(w->job->tally, w->simulation, window, first, count, found);
    return bly_finish(w->simulation->context, status);
}

/* Runs a range; the mutex is held when it is called and when it returns. */
static void work_on(struct bly_worker *w, uint64_t first, uint64_t count)
{
    bailey_job *job = w->job;
    const struct bly_window window = job->window;
    const uint64_t paths = bly_tally_paths(job->tally, &window, first, count);
    struct bly_found found = {0};
    job->busy++;
    pthread_mutex_unlock(&job->mutex);
    const double started = seconds_now();
    bailey_status status = compute(w, &window, first, count, &found);
    const double seconds = seconds_now() - started;
    pthread_mutex_lock(&job->mutex);
    if (status == BAILEY_OK) status = bly_tally_absorb(job->tally, &found);
    if (status == BAILEY_OK)
        note_speed(w, paths, seconds);
    else if (is_fault(&found.fault, status))
        note_fault(job, &found.fault);
    else
        give_up(w, first, count, status);
    job->busy--;
    bly_found_free(&found);
    pthread_cond_broadcast(&job->work);
    pthread_cond_signal(&job->done);
}

static void *work(void *user)
{
    struct bly_worker *w = user;
    bailey_job *job = w->job;
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    pthread_mutex_lock(&job->mutex);
    while (!job->stop && w->alive) {
        uint64_t first, count = 0;
        const uint64_t quota = job->queue.left ? bly_job_quota(job, w) : 0;
        if (quota) count = bly_job_queue_take(&job->queue, quota, bly_job_is_slow(job, w), &first);
        if (count)
            work_on(w, first, count);
        else
            pthread_cond_wait(&job->work, &job->mutex);
    }
    pthread_mutex_unlock(&job->mutex);
    fesetenv(&callers);
    return NULL;
}

/* ---- Threads ------------------------------------------------------------------------------------- */

/* Those that have been started look at it. */
static void set_alive(struct bly_worker *w, int alive)
{
    pthread_mutex_lock(&w->job->mutex);
    w->alive = alive;
    pthread_mutex_unlock(&w->job->mutex);
}

static bailey_status start_worker(bailey_job *job, size_t i)
{
    struct bly_worker *w = &job->worker[i];
    pthread_attr_t attributes;
    sigset_t all, old;
    const int known = pthread_attr_init(&attributes) == 0;
    if (known) pthread_attr_setstacksize(&attributes, STACK_BYTES);
    /* Signals are the program's threads' business. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    set_alive(w, 1);
    w->started = pthread_create(&w->thread, known ? &attributes : NULL, work, w) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (known) pthread_attr_destroy(&attributes);
    if (w->started) return BAILEY_OK;
    set_alive(w, 0);
    return bly_fail(BAILEY_ERROR_MEMORY, "the system provides no thread for device %zu", i);
}

/* Waits for the ranges in flight. */
static void join_workers(bailey_job *job)
{
    pthread_mutex_lock(&job->mutex);
    job->stop = 1;
    pthread_cond_broadcast(&job->work);
    pthread_mutex_unlock(&job->mutex);
    for (size_t i = 0; i < job->workers; i++)
        if (job->worker[i].started) pthread_join(job->worker[i].thread, NULL);
}

/* ---- The caller's thread ------------------------------------------------------------------------- */

/* When the caller's thread last reported and saved, which it does while others work. */
struct watch {
    double reported, saved; /* when */
    uint64_t saved_paths;
};

/* Saves the job; a disk that is full now may have room later. */
static bailey_status save(bailey_job *job, struct watch *watch)
{
    uint64_t size;
    const char *path = job->params->checkpoint;
    if (!path) return BAILEY_OK;
    pthread_mutex_lock(&job->mutex);
    const uint64_t paths = job->tally->paths;
    void *bytes = bly_tally_bytes(job->tally, &size);
    pthread_mutex_unlock(&job->mutex);
    const bailey_status status = bytes ? bly_checkpoint_write(path, bytes, size)
                                       : bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a checkpoint");
    bly_free(bytes);
    snprintf(job->report->checkpoint_message, sizeof job->report->checkpoint_message, "%s",
             status == BAILEY_OK ? "" : bailey_error_message());
    watch->saved = seconds_now();
    if (status == BAILEY_OK) watch->saved_paths = paths;
    return status;
}

static void save_in_time(bailey_job *job, struct watch *watch)
{
    const double wanted = job->params->checkpoint_seconds,
                 every = wanted > 0 ? wanted : BLY_CHECKPOINT_SECONDS;
    if (job->params->checkpoint && seconds_now() - watch->saved >= every) save(job, watch);
}

static uint64_t all_paths(const bailey_job *job) { return job->total * job->tally->replicates; }

static void cancel(bailey_job *job, uint64_t done)
{
    bly_fail(BAILEY_ERROR_CANCELLED, "cancelled after %llu of %llu paths", (unsigned long long)done,
             (unsigned long long)all_paths(job));
    pthread_mutex_lock(&job->mutex);
    bly_job_fail(job, BAILEY_ERROR_CANCELLED);
    pthread_mutex_unlock(&job->mutex);
}

static void report(bailey_job *job, struct watch *watch, int always)
{
    const bailey_simulation_run_params *run = &job->params->run;
    const double now = seconds_now();
    if (!run->progress || (!always && now - watch->reported < REPORT_SECONDS)) return;
    watch->reported = now;
    pthread_mutex_lock(&job->mutex);
    const uint64_t done = job->tally->paths;
    pthread_mutex_unlock(&job->mutex);
    if (run->progress(run->progress_user, done, all_paths(job))) cancel(job, done);
}

static void serve(bailey_job *job)
{
    uint64_t others = 0;
    if (!job->params->serve) return;
    const bailey_status status = job->params->serve(job->params->serve_user, job, &others);
    pthread_mutex_lock(&job->mutex);
    job->others = others;
    bly_job_fail(job, status);
    pthread_mutex_unlock(&job->mutex);
}

static size_t count_alive(const bailey_job *job)
{
    size_t alive = 0;
    for (size_t i = 0; i < job->workers; i++) alive += job->worker[i].alive != 0;
    return alive;
}

/* If no device is left, the job fails as the first device did. */
static void check_alive(bailey_job *job)
{
    if (job->status != BAILEY_OK || job->others || job->leased || count_alive(job)) return;
    for (size_t i = 0; i < job->workers; i++) {
        if (job->worker[i].about->status == BAILEY_OK) continue;
        bly_job_fail(job, bly_fail(job->worker[i].about->status, "%s", job->worker[i].about->message));
        return;
    }
}

static void sleep_for(bailey_job *job, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(seconds * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&job->done, &job->mutex, &until);
}

/* Whether the window is done or, for a job that was stopped, all ranges that were in flight. */
static int is_over(bailey_job *job)
{
    check_alive(job);
    /* A job that has failed does not wait for the work of other processes. */
    const int waits = job->leased > 0 && (job->status == BAILEY_OK || job->status == BAILEY_ERROR_CANCELLED);
    return job->busy == 0 && !waits && (job->stop || job->queue.left == 0);
}

static void wait_for_window(bailey_job *job, struct watch *watch)
{
    const double nap = job->params->serve ? SERVE_SECONDS : REPORT_SECONDS / 4;
    serve(job); /* who else there is has to be known before a device fails */
    for (;;) {
        pthread_mutex_lock(&job->mutex);
        int over = is_over(job);
        if (!over) sleep_for(job, nap);
        over = is_over(job);
        pthread_mutex_unlock(&job->mutex);
        serve(job);
        if (over) break;
        report(job, watch, 0);
        save_in_time(job, watch);
    }
    pthread_mutex_lock(&job->mutex);
    if (job->status == BAILEY_OK) bly_job_fail(job, bly_fault_status(&job->fault, "payoff"));
    pthread_mutex_unlock(&job->mutex);
}

/* ---- Stages -------------------------------------------------------------------------------------- */

/* Parts of a replicate that stage `stage` ends with. */
static uint64_t parts_of(const bailey_job *job, uint32_t stage)
{
    const bailey_tally *t = job->tally;
    const uint64_t each = job->params->initial_paths ? job->params->initial_paths : BLY_JOB_INITIAL_PATHS;
    const uint64_t most = t->params.paths;
    if (!(job->params->target_error > 0) || stage > 62 || each > most >> stage) return t->each;
    const uint64_t first = t->params.first_path, end = first + (each << stage);
    const uint64_t parts = ((end - 1) >> t->part_bits) - (first >> t->part_bits) + 1;
    return parts < t->each ? parts : t->each;
}

static bailey_status open_window(bailey_job *job, uint64_t from, uint64_t to)
{
    const struct bly_window window = {from, to - from};
    bailey_status status = BAILEY_OK;
    uint64_t count = 0;
    pthread_mutex_lock(&job->mutex);
    for (uint64_t at = 0; (at = bly_tally_gap(job->tally, &window, at, &count)), count; at += count) {
        if (!bly_job_queue_reserve(&job->queue, BAILEY_JOB_MAX_DEVICES + 2)) {
            status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a job");
            break;
        }
        bly_job_queue_add(&job->queue, at, count);
    }
    job->window = window;
    pthread_cond_broadcast(&job->work);
    pthread_mutex_unlock(&job->mutex);
    return status;
}

/* For a job that stops by its error, which falls with the root of the number of paths; for points about with
 * the number. `stage` is the next one. */
static void expect_total(bailey_job *job, uint32_t stage, uint64_t parts, double error)
{
    const double ratio = error / job->params->target_error, more = job->tally->points ? ratio : ratio * ratio;
    const double wanted = more * (double)bly_tally_first_paths(job->tally, parts);
    uint64_t next = parts_of(job, stage);
    while (next < job->tally->each && (double)bly_tally_first_paths(job->tally, next) < wanted)
        next = parts_of(job, ++stage);
    job->total = bly_tally_first_paths(job->tally, next);
}

/* The error that the job is to stop by; NaN if it is not known, as after nothing but zeros: a rare
 * event may not have happened yet. */
static double error_of(const bailey_job *job, uint64_t parts, bailey_estimate *estimates)
{
    if (bly_tally_estimate(job->tally, parts, estimates, NULL) != BAILEY_OK) return NAN;
    const bailey_estimate *e = &estimates[job->params->target_output];
    return e->mean == 0 && e->variance == 0 ? NAN : e->controlled_standard_error;
}

/* The error as it is compared with the target: of few replicates larger by as much as Student's interval is
 * wider than a normal one. */
static double judged(const bailey_job *job, double error)
{
    const uint64_t replicates = job->tally->replicates;
    if (replicates == 1) return error;
    return error * (bailey_student_95(replicates - 1) / bailey_student_95(UINT64_MAX));
}

static void note_stage(bailey_job *job, uint64_t parts, double error)
{
    bailey_tally *t = job->tally;
    if (t->stages == BAILEY_JOB_MAX_STAGES) return;
    pthread_mutex_lock(&job->mutex);
    t->stage[t->stages++] = (struct bly_stage){bly_tally_first_paths(t, parts), error};
    pthread_mutex_unlock(&job->mutex);
}

/* Parts of the last stage that is known to be done; 0: none. */
static uint64_t stages_known(const bailey_job *job, uint32_t *stage)
{
    const bailey_tally *t = job->tally;
    *stage = t->stages;
    if (!(job->params->target_error > 0) || t->stages == 0) return 0;
    uint64_t parts = 0;
    for (uint32_t i = 0; i < t->stages; i++) parts = parts_of(job, i);
    return bly_tally_first_paths(t, parts) == t->stage[t->stages - 1].paths ? parts : 0;
}

/* Runs stage after stage. The estimates are those of the first *parts parts. */
static bailey_status run_stages(bailey_job *job, struct watch *watch, bailey_estimate *estimates,
                                uint64_t *parts)
{
    const double target = job->params->target_error;
    uint32_t stage;
    uint64_t from = stages_known(job, &stage);
    *parts = from;
    if (from == 0) stage = job->tally->stages = 0;
    if (from) {
        const double error = judged(job, error_of(job, from, estimates));
        job->report->reached = error <= target;
        expect_total(job, stage, from, error);
    }
    while (*parts < job->tally->each && !job->report->reached) {
        *parts = parts_of(job, stage++);
        bailey_status status = open_window(job, from, *parts);
        if (status != BAILEY_OK) return status;
        wait_for_window(job, watch);
        if (job->status != BAILEY_OK) return job->status;
        from = *parts;
        if (!(target > 0)) continue;
        const double error = error_of(job, *parts, estimates);
        note_stage(job, *parts, error);
        expect_total(job, stage, *parts, judged(job, error));
        job->report->reached = judged(job, error) <= target;
    }
    return BAILEY_OK;
}

/* ---- A job --------------------------------------------------------------------------------------- */

static bailey_status check_simulations(const bailey_tally *t, bailey_simulation *const *s, size_t count)
{
    struct bly_identity identity;
    if (count == 0 || count > BAILEY_JOB_MAX_DEVICES)
        return bly_fail_argument("count", "count is %zu, not from 1 to %u", count, BAILEY_JOB_MAX_DEVICES);
    for (size_t i = 0; i < count; i++) {
        if (!s[i]) return bly_fail_argument("simulations", "simulations[%zu] is NULL", i);
        for (size_t k = 0; k < i; k++)
            if (s[k]->context == s[i]->context)
                return bly_fail_argument("simulations", "simulations[%zu] and [%zu] share a context", k, i);
        bly_tally_identify(s[i], &t->params, &identity);
        const char *what = bly_seal_differs(&bly_tally_seal, &t->identity, &identity);
        if (what)
            return bly_fail_argument("simulations", "simulations[%zu] is for another run: not the same %s", i,
                                     what + 4);
    }
    return BAILEY_OK;
}

static bailey_status check_fields(const bailey_job_params *p)
{
    bailey_job_params looked_at = *p;
    looked_at.run = (bailey_simulation_run_params){.paths = 1}; /* the tally checks its own */
    return bailey_record_check(&bly_record_job_params, &looked_at);
}

static bailey_status check_target(const bailey_tally *t, const bailey_job_params *p)
{
    const uint64_t replicates = t->replicates;
    if (p->target_error == 0) return BAILEY_OK;
    if (p->target_output >= t->results)
        return bly_fail_argument("target_output", "target_output is %u, but %s has %u outputs",
                                 p->target_output, t->name, t->results);
    if (t->points && replicates < 2)
        return bly_fail_argument("replicates",
                                 "replicates is 1, but points of one replicate have no standard error");
    return BAILEY_OK;
}

static void place_workers(bailey_job *job, bailey_simulation *const *s, size_t count)
{
    job->workers = count;
    job->report->loaded = job->tally->paths;
    for (size_t i = 0; i < count; i++)
        job->worker[i] = (struct bly_worker){
            .job = job, .simulation = s[i], .about = &job->report->device[i], .speed = s[i]->speed};
}

static bailey_status begin(bailey_job *job, bailey_simulation *const *s, size_t count)
{
    const bailey_job_params *p = job->params;
    bailey_simulation_run_params run = p->run;
    const double wanted = p->checkpoint_seconds;
    run.progress = NULL;
    if (!run.paths && p->target_error > 0) run.paths = BAILEY_JOB_MOST_PATHS;
    job->longest = p->checkpoint && wanted > 0 && wanted / 2 < LONGEST ? wanted / 2 : LONGEST;
    bailey_status status = check_fields(p);
    if (status == BAILEY_OK) status = bailey_tally_create(s[0], &run, &job->tally);
    if (status == BAILEY_OK) status = check_simulations(job->tally, s, count);
    if (status == BAILEY_OK) status = check_target(job->tally, p);
    if (status == BAILEY_OK && p->checkpoint) status = bly_tally_resume(p->checkpoint, job->tally);
    if (status != BAILEY_OK) return status;
    place_workers(job, s, count);
    job->total = bly_tally_first_paths(job->tally, parts_of(job, 0));
    return BAILEY_OK;
}

static bailey_status results(bailey_job *job, uint64_t parts, bailey_estimate *estimates)
{
    const bailey_simulation_run_params *run = &job->params->run;
    const bailey_status status = bly_tally_estimate(job->tally, parts, estimates, run->covariance);
    if (status == BAILEY_OK && job->tally->counts)
        memcpy(run->histogram.counts, job->tally->counts,
               (run->histogram.bins + (size_t)2) * sizeof *run->histogram.counts);
    job->report->paths = bly_tally_first_paths(job->tally, parts);
    return status;
}

static bailey_status start_workers(bailey_job *job)
{
    bailey_status status = BAILEY_OK;
    for (size_t i = 0; i < job->workers && status == BAILEY_OK; i++) status = start_worker(job, i);
    return status;
}

/* Ends a job with `status`, after the ranges that are in flight. */
static bailey_status end(bailey_job *job, bailey_status status, struct watch *watch)
{
    join_workers(job);
    bly_job_fail(job, status);
    if (status == BAILEY_ERROR_CANCELLED)
        snprintf(job->text, sizeof job->text, "cancelled after %llu of %llu paths",
                 (unsigned long long)job->tally->paths, (unsigned long long)all_paths(job));
    if (status == BAILEY_OK) report(job, watch, 1);
    save(job, watch);
    if (status == BAILEY_OK) return BAILEY_OK;
    bly_fail(status, "%s", job->text);
    return bly_name_argument(status, job->argument);
}

/* A file that cannot be written is found now, not after a minute. */
static bailey_status run(bailey_job *job, bailey_estimate *estimates)
{
    struct watch watch = {.reported = seconds_now()};
    uint64_t parts = 0;
    bailey_status status = job->tally->paths ? BAILEY_OK : save(job, &watch);
    watch.saved = seconds_now();
    if (status == BAILEY_OK) status = start_workers(job);
    if (status == BAILEY_OK) status = run_stages(job, &watch, estimates, &parts);
    status = end(job, status, &watch);
    return status == BAILEY_OK ? results(job, parts, estimates) : status;
}

/* The same for parts of a tally, whose window they are. */
static bailey_status run_parts(bailey_job *job, uint64_t first, uint64_t count)
{
    struct watch watch = {.reported = seconds_now()};
    bailey_status status = BAILEY_OK;
    if (!bly_job_queue_reserve(&job->queue, BAILEY_JOB_MAX_DEVICES + 2))
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a job");
    job->window = bly_tally_all(job->tally);
    bly_job_queue_add(&job->queue, first, count);
    status = start_workers(job);
    if (status == BAILEY_OK) wait_for_window(job, &watch);
    return end(job, status == BAILEY_OK ? job->status : status, &watch);
}

static void tell(bailey_job *job)
{
    const bailey_tally *t = job->tally;
    if (!t) return;
    job->report->known = t->paths;
    job->report->stages = t->stages;
    for (uint32_t i = 0; i < t->stages; i++) {
        job->report->stage_paths[i] = t->stage[i].paths;
        job->report->stage_standard_error[i] = t->stage[i].error;
    }
}

static void open_job(bailey_job *job)
{
    pthread_condattr_t attributes;
    pthread_mutex_init(&job->mutex, NULL);
    pthread_cond_init(&job->work, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC); /* so that setting the date does not matter */
    pthread_cond_init(&job->done, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void close_job(bailey_job *job)
{
    pthread_cond_destroy(&job->done);
    pthread_cond_destroy(&job->work);
    pthread_mutex_destroy(&job->mutex);
    tell(job);
    bly_job_queue_free(&job->queue);
}

static bailey_status run_job(bailey_simulation *const *s, size_t count, bailey_estimate *estimates,
                             bailey_job *job)
{
    open_job(job);
    bailey_status status = begin(job, s, count);
    if (status == BAILEY_OK) status = run(job, estimates);
    close_job(job);
    bailey_tally_destroy(job->tally);
    return status;
}

/* A job and, where the caller wants none, its report. NULL without memory. */
static bailey_job *new_job(const bailey_job_params *params, bailey_job_report *report)
{
    bailey_job *job = bly_alloc(1, sizeof *job);
    bailey_job_report *own = report ? report : bly_alloc(1, sizeof *report);
    if (own) memset(own, 0, sizeof *own);
    if (job && own) {
        job->params = params;
        job->report = own;
        return job;
    }
    if (!report) bly_free(own);
    bly_free(job);
    bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a job");
    return NULL;
}

static void free_job(bailey_job *job, const bailey_job_report *report)
{
    if (job && !report) bly_free(job->report);
    bly_free(job);
}

bailey_status bailey_job_run(bailey_simulation *const *simulations, size_t count,
                             const bailey_job_params *params, bailey_estimate *estimates,
                             bailey_job_report *report)
{
    if (!simulations || count == 0 || !simulations[0])
        return bly_fail_argument("simulations", "simulations is NULL or empty");
    bailey_context *context = simulations[0]->context;
    if (BLY_REFUSES(params)) return bly_finish(context, BAILEY_ERROR_INVALID);
    if (!estimates) return bly_finish(context, bly_fail_argument("estimates", "estimates is NULL"));
    bailey_job *job = new_job(params, report);
    const bailey_status status = job ? run_job(simulations, count, estimates, job) : BAILEY_ERROR_MEMORY;
    free_job(job, report);
    return bly_finish(context, status);
}

static bailey_status run_part(bailey_tally *t, bailey_simulation *const *s, size_t count, bailey_job *job,
                              uint64_t first, uint64_t parts)
{
    bailey_status status = check_simulations(t, s, count);
    if (status == BAILEY_OK) status = bly_tally_check_parts(t, first, parts);
    if (status != BAILEY_OK) return status;
    const struct bly_window all = bly_tally_all(t);
    job->tally = t;
    job->longest = LONGEST;
    job->total = (t->paths + bly_tally_paths(t, &all, first, parts)) / t->replicates;
    open_job(job);
    place_workers(job, s, count);
    status = run_parts(job, first, parts);
    close_job(job);
    return status;
}

bailey_status bailey_job_run_part(bailey_tally *tally, bailey_simulation *const *simulations,
                                  size_t simulation_count, const bailey_job_params *params, uint64_t first,
                                  uint64_t count, bailey_job_report *report)
{
    if (!simulations || simulation_count == 0 || !simulations[0])
        return bly_fail_argument("simulations", "simulations is NULL or empty");
    bailey_context *context = simulations[0]->context;
    if (!tally) return bly_finish(context, bly_fail_argument("tally", "tally is NULL"));
    if (params && BLY_REFUSES(params)) return bly_finish(context, BAILEY_ERROR_INVALID);
    const bailey_job_params none = {0};
    bailey_job_params wanted = {0};
    if (!params) params = &none;
    wanted.run.progress = params->run.progress;
    wanted.run.progress_user = params->run.progress_user;
    bailey_job *job = new_job(&wanted, report);
    const bailey_status status =
        job ? run_part(tally, simulations, simulation_count, job, first, count) : BAILEY_ERROR_MEMORY;
    free_job(job, report);
    return bly_finish(context, status);
}
