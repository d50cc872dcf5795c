/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A ring of deals: read, then priced by whichever worker is free, then written in their order. Each stage
 * waits for the one before, and the reader for the writer, so that memory is bounded.
 */
#include "batch.h"

#include "batch_price.h"
#include "output.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RING 256u
#define TOGETHER 32u
#define MOMENT_NANOSECONDS 20000000L
#define STACK_BYTES ((size_t)4 << 20) /* a C library's own may be less than payoffs need */
#define WRITE_BYTES ((size_t)1 << 18) /* written together, where so much is ready */

struct slot {
    struct batch_deal deal;
    int done;
};

struct batch {
    const struct batch_request *request;
    struct batch_file file;
    atomic_int stop;
    pthread_mutex_t mutex;
    pthread_cond_t was_read, was_priced, was_written;
    struct slot *slots;
    uint64_t read, taken, written; /* deals so far */
    unsigned unsaid;               /* of them priced since the writer was woken */
    int ended;                     /* no more is read */
    int code;                      /* of the file */
    char error[BATCH_ERROR_MAX];
};

struct thread {
    pthread_t id;
    struct batch *batch;
    struct batch_worker worker;
};

static struct slot *slot_of(struct batch *b, uint64_t number) { return &b->slots[number % RING]; }

/* ---- Reading ---- */

/* The slot of the next deal; NULL if nobody wants it. */
static struct slot *free_slot(struct batch *b)
{
    pthread_mutex_lock(&b->mutex);
    while (b->read - b->written == RING && !atomic_load(&b->stop))
        pthread_cond_wait(&b->was_written, &b->mutex);
    pthread_mutex_unlock(&b->mutex);
    return atomic_load(&b->stop) ? NULL : slot_of(b, b->read);
}

static void publish(struct batch *b)
{
    pthread_mutex_lock(&b->mutex);
    b->read++;
    pthread_cond_signal(&b->was_read);
    pthread_mutex_unlock(&b->mutex);
}

static int read_next(struct batch *b, json_t **defaults, struct batch_deal *d, struct batch_item *item)
{
    cli_error_capture(d->error, sizeof d->error);
    const int code = batch_file_next(&b->file, item);
    cli_error_capture(NULL, 0);
    if (code || item->what == BATCH_END) return code;
    if (item->what == BATCH_DEFAULTS) {
        json_decref(*defaults);
        *defaults = item->object;
        return CLI_OK;
    }
    d->number = item->number;
    d->line = item->line;
    d->code = item->object ? CLI_OK : CLI_USAGE;
    batch_deal_read(d, *defaults, item->object);
    json_decref(item->object);
    return CLI_OK;
}

/* Returns the code of the file. */
static int read_deals(struct batch *b)
{
    json_t *defaults = NULL;
    struct batch_item item = {.what = BATCH_DEFAULTS};
    int code = CLI_OK;
    while (!code && item.what != BATCH_END) {
        struct slot *slot = free_slot(b);
        if (!slot) break;
        code = read_next(b, &defaults, &slot->deal, &item);
        if (code) memcpy(b->error, slot->deal.error, sizeof b->error);
        if (!code && item.what == BATCH_DEAL) publish(b);
    }
    json_decref(defaults);
    return code;
}

static void *read_thread(void *user)
{
    struct batch *b = user;
    const int code = read_deals(b);
    pthread_mutex_lock(&b->mutex);
    b->code = code;
    b->ended = 1;
    pthread_cond_broadcast(&b->was_read);
    pthread_cond_broadcast(&b->was_priced);
    pthread_mutex_unlock(&b->mutex);
    return NULL;
}

/* ---- Pricing ---- */

/* A deal to price; NULL at the end. */
static struct slot *take_deal(struct batch *b)
{
    pthread_mutex_lock(&b->mutex);
    while (b->taken == b->read && !b->ended && !atomic_load(&b->stop))
        pthread_cond_wait(&b->was_read, &b->mutex);
    struct slot *slot = b->taken < b->read && !atomic_load(&b->stop) ? slot_of(b, b->taken++) : NULL;
    pthread_mutex_unlock(&b->mutex);
    return slot;
}

static void *price_thread(void *user)
{
    struct thread *t = user;
    struct batch *b = t->batch;
    for (struct slot *slot = take_deal(b); slot; slot = take_deal(b)) {
        batch_price(&t->worker, &slot->deal);
        pthread_mutex_lock(&b->mutex);
        slot->done = 1;
        if (++b->unsaid >= TOGETHER || b->taken == b->read) {
            b->unsaid = 0;
            pthread_cond_signal(&b->was_priced);
        }
        pthread_mutex_unlock(&b->mutex);
    }
    batch_worker_end(&t->worker);
    return NULL;
}

/* ---- Writing ---- */

/* Waits until it is woken or a moment has passed. */
static void wait_a_moment(struct batch *b)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += MOMENT_NANOSECONDS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&b->was_priced, &b->mutex, &until);
}

/* Of deals that have been priced, how many can be written; 0 at the end. Short deals are written some at a
 * time, for waking a thread takes longer than writing a line. */
static uint64_t wait_for_results(struct batch *b)
{
    uint64_t count = 0;
    pthread_mutex_lock(&b->mutex);
    while (!(b->written < b->read && slot_of(b, b->written)->done) && !(b->ended && b->written == b->read))
        wait_a_moment(b);
    while (b->written + count < b->read && slot_of(b, b->written + count)->done) count++;
    pthread_mutex_unlock(&b->mutex);
    return count;
}

/* Of a strict batch: a deal that is wrong ends it, and is said in place of its line. */
static int refuse(const struct batch *b, const struct batch_deal *d)
{
    return cli_error(d->code, "%s line %llu: deal %s: %s", b->file.path, (unsigned long long)d->line, d->id,
                     d->error);
}

/* Writes the lines of `count` deals. */
static int write_lines(struct batch *b, struct output *output, uint64_t count, struct json_line *together,
                       struct batch_totals *totals, int *first)
{
    int code = CLI_OK;
    together->used = 0;
    for (uint64_t i = 0; i < count && !code; i++) {
        const struct batch_deal *d = &slot_of(b, b->written + i)->deal;
        if (d->code && b->request->strict) {
            *first = refuse(b, d);
            totals->failed++;
            break;
        }
        totals->deals++;
        totals->failed += d->code != 0;
        if (!*first) *first = d->code;
        if (together->used + d->result.used > WRITE_BYTES || d->result.used > together->room) {
            code = output_write(output, together->text, together->used);
            together->used = 0;
        }
        if (!code && d->result.used > together->room) {
            code = output_write(output, d->result.text, d->result.used);
            continue;
        }
        if (code) break;
        memcpy(together->text + together->used, d->result.text, d->result.used);
        together->used += d->result.used;
    }
    return code ? code : output_write(output, together->text, together->used);
}

static void release(struct batch *b, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        struct slot *slot = slot_of(b, b->written + i);
        batch_deal_clear(&slot->deal);
        slot->done = 0;
    }
    pthread_mutex_lock(&b->mutex);
    b->written += count;
    pthread_cond_signal(&b->was_written);
    pthread_mutex_unlock(&b->mutex);
}

/* Writes results as they come. *first is the code of the first deal that failed. */
static int write_results(struct batch *b, struct output *output, struct batch_totals *totals, int *first)
{
    struct json_line together = {.text = malloc(WRITE_BYTES), .room = WRITE_BYTES};
    int code = together.text ? CLI_OK : cli_memory_error("results", WRITE_BYTES);
    uint64_t count;
    while (!code && !(b->request->strict && *first) && (count = wait_for_results(b)) != 0) {
        code = write_lines(b, output, count, &together, totals, first);
        release(b, count);
    }
    free(together.text);
    return code;
}

/* ---- All of it ---- */

static void stop(struct batch *b)
{
    pthread_mutex_lock(&b->mutex);
    atomic_store(&b->stop, 1);
    pthread_cond_broadcast(&b->was_read);
    pthread_cond_broadcast(&b->was_written);
    pthread_mutex_unlock(&b->mutex);
}

static int start_thread(pthread_t *id, void *(*function)(void *), void *user)
{
    pthread_attr_t attributes;
    int failed = pthread_attr_init(&attributes);
    if (!failed) {
        failed = pthread_attr_setstacksize(&attributes, STACK_BYTES) ||
                 pthread_create(id, &attributes, function, user);
        pthread_attr_destroy(&attributes);
    }
    return failed ? cli_error(CLI_FAILED, "cannot start a thread") : CLI_OK;
}

/* Starts the workers; how many are there is *started. */
static int start_workers(struct batch *b, struct thread *threads, unsigned *started)
{
    const struct batch_request *r = b->request;
    int code = CLI_OK;
    for (*started = 0; *started < r->workers && !code; *started += !code) {
        struct thread *t = &threads[*started];
        *t =
            (struct thread){.batch = b, .worker = {.context = r->contexts[*started], .most = r->simulations}};
        code = start_thread(&t->id, price_thread, t);
    }
    return code;
}

/* Starts the threads, writes what they make, and ends them. */
static int run_threads(struct batch *b, struct thread *threads, struct output *output,
                       struct batch_totals *totals, int *first)
{
    pthread_t reader;
    unsigned started = 0;
    int code = start_thread(&reader, read_thread, b);
    if (code) return code;
    code = start_workers(b, threads, &started);
    if (!code) code = write_results(b, output, totals, first);
    stop(b);
    pthread_join(reader, NULL);
    for (unsigned i = 0; i < started; i++) {
        pthread_join(threads[i].id, NULL);
        totals->simulations += threads[i].worker.made;
        totals->run_seconds += threads[i].worker.run_seconds;
    }
    return code;
}

static int run_to_output(struct batch *b, struct output *output, struct batch_totals *totals)
{
    const double started = cli_seconds();
    int first = CLI_OK;
    struct thread *threads = calloc(b->request->workers, sizeof *threads);
    int code = threads ? run_threads(b, threads, output, totals, &first) : cli_memory_error("threads", 0);
    if (!code && b->code && !(b->request->strict && first)) code = cli_error(b->code, "%s", b->error);
    free(threads);
    totals->seconds = cli_seconds() - started;
    if (code || (b->request->strict && first)) return code ? code : first;
    code = output_commit(output);
    return code ? code : first;
}

static int run_open(struct batch *b, struct batch_totals *totals)
{
    struct output output;
    b->slots = calloc(RING, sizeof *b->slots);
    if (!b->slots) return cli_memory_error("deals", RING * sizeof *b->slots);
    int code = output_open(&output, b->request->output, 0);
    if (!code) code = run_to_output(b, &output, totals);
    output_abandon(&output);
    for (unsigned i = 0; i < RING; i++) batch_deal_free(&b->slots[i].deal);
    free(b->slots);
    return code;
}

int batch_run(const struct batch_request *request, struct batch_totals *totals)
{
    struct batch b = {.request = request,
                      .mutex = PTHREAD_MUTEX_INITIALIZER,
                      .was_read = PTHREAD_COND_INITIALIZER,
                      .was_priced = PTHREAD_COND_INITIALIZER,
                      .was_written = PTHREAD_COND_INITIALIZER};
    *totals = (struct batch_totals){0};
    int code = batch_file_open(&b.file, request->input, request->part, &b.stop);
    if (!code) code = run_open(&b, totals);
    batch_file_close(&b.file);
    return code;
}
