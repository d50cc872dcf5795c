/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A ring of deals: read, then priced by whichever worker is free, then written in their order. Each stage
 * waits for the previous one, and the reader for the writer, so that memory is bounded.
 */
#include "batch_deal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RING 256u    /* deals that are read and not yet written */
#define TOGETHER 32u /* priced before the writer is woken, which takes longer than a short deal */
#define MOMENT_NANOSECONDS                                                                                   \
    20000000L /* after which it looks by itself, so that long deals are not held back */
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
    pthread_cond_t was_read, was_priced, was_written, was_granted;
    struct slot *slots;
    uint64_t read, taken, written; /* deals so far */
    unsigned unannounced;          /* of them priced since the writer was woken */
    int ended;                     /* no more is read, for the reason `end` */
    struct batch_end end;
    int asks; /* in a team: the reader waits for a grant */
    uint64_t granted_first, granted_end;
};

struct batch_writer {
    struct output *output;
    struct batch_totals *totals;
    int strict;
    int first; /* code of the first deal that failed */
    struct batch_end end;
    struct json_line together; /* what is not yet written */
};

struct thread {
    pthread_t id;
    struct batch *batch;
    struct batch_worker worker;
};

static struct slot *slot_of(struct batch *b, uint64_t number) { return &b->slots[number % RING]; }

/* ---- Grants ---- */

/* Whether this process is to price a deal; called by the reader, with rising numbers. */
static int is_granted(void *user, uint64_t number)
{
    struct batch *b = user;
    pthread_mutex_lock(&b->mutex);
    while (number >= b->granted_end && !atomic_load(&b->stop)) {
        b->asks = 1;
        pthread_cond_wait(&b->was_granted, &b->mutex);
    }
    const int granted = number >= b->granted_first && !atomic_load(&b->stop);
    pthread_mutex_unlock(&b->mutex);
    return granted;
}

int batch_asks(struct batch *b)
{
    pthread_mutex_lock(&b->mutex);
    const int asks = b->asks && b->taken == b->read;
    pthread_mutex_unlock(&b->mutex);
    return asks;
}

void batch_grant(struct batch *b, uint64_t first, uint64_t end)
{
    pthread_mutex_lock(&b->mutex);
    b->asks = 0;
    b->granted_first = first;
    b->granted_end = end;
    pthread_cond_signal(&b->was_granted);
    pthread_mutex_unlock(&b->mutex);
}

/* ---- Reading ---- */

/* The slot of the next deal; NULL when the batch stops. */
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
    d->same = item->same;
    d->code = item->object ? CLI_OK : CLI_USAGE;
    batch_deal_read(d, *defaults, item->object);
    json_decref(item->object);
    return CLI_OK;
}

static void read_deals(struct batch *b, struct batch_end *end)
{
    json_t *defaults = NULL;
    struct batch_item item = {.what = BATCH_DEFAULTS};
    *end = (struct batch_end){0};
    while (!end->code && item.what != BATCH_END) {
        struct slot *slot = free_slot(b);
        if (!slot) break;
        end->code = read_next(b, &defaults, &slot->deal, &item);
        if (end->code) memcpy(end->error, slot->deal.error, sizeof end->error);
        if (!end->code && item.what == BATCH_DEAL) publish(b);
    }
    end->number = item.what == BATCH_DEAL ? item.number : b->file.number;
    json_decref(defaults);
}

static void *read_thread(void *user)
{
    struct batch *b = user;
    struct batch_end end;
    read_deals(b, &end);
    pthread_mutex_lock(&b->mutex);
    b->end = end;
    b->ended = 1;
    pthread_cond_broadcast(&b->was_read);
    pthread_cond_broadcast(&b->was_priced);
    pthread_mutex_unlock(&b->mutex);
    return NULL;
}

/* ---- Pricing ---- */

/* The next deal to price, and of those that have been read the ones after it that are alike. Returns how many; 0 at
 * the end. */
static unsigned take_deals(struct batch *b, struct slot *slots[BATCH_TOGETHER])
{
    unsigned count = 0;
    pthread_mutex_lock(&b->mutex);
    while (b->taken == b->read && !b->ended && !atomic_load(&b->stop))
        pthread_cond_wait(&b->was_read, &b->mutex);
    while (b->taken < b->read && !atomic_load(&b->stop) && count < BATCH_TOGETHER) {
        struct slot *next = slot_of(b, b->taken);
        if (count && !batch_are_alike(&slots[0]->deal, &next->deal)) break;
        slots[count++] = next;
        b->taken++;
    }
    pthread_mutex_unlock(&b->mutex);
    return count;
}

static void *price_thread(void *user)
{
    struct thread *t = user;
    struct batch *b = t->batch;
    struct slot *slots[BATCH_TOGETHER];
    for (unsigned count = take_deals(b, slots); count; count = take_deals(b, slots)) {
        struct batch_deal *deals[BATCH_TOGETHER];
        for (unsigned i = 0; i < count; i++) deals[i] = &slots[i]->deal;
        batch_price_together(&t->worker, deals, count);
        pthread_mutex_lock(&b->mutex);
        for (unsigned i = 0; i < count; i++) slots[i]->done = 1;
        b->unannounced += count;
        if (b->unannounced >= TOGETHER || b->taken == b->read) {
            b->unannounced = 0;
            pthread_cond_signal(&b->was_priced);
        }
        pthread_mutex_unlock(&b->mutex);
    }
    batch_worker_end(&t->worker);
    return NULL;
}

/* ---- Writing ---- */

/* Waits until it is woken or so much time has passed. */
static void wait_a_moment(struct batch *b, long nanoseconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += nanoseconds;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&b->was_priced, &b->mutex, &until);
}

static uint64_t count_ready(struct batch *b)
{
    uint64_t count = 0;
    while (b->written + count < b->read && slot_of(b, b->written + count)->done) count++;
    return count;
}

uint64_t batch_ready(struct batch *b, long nanoseconds)
{
    pthread_mutex_lock(&b->mutex);
    uint64_t count = count_ready(b);
    if (!count && nanoseconds && !(b->ended && b->written == b->read)) {
        wait_a_moment(b, nanoseconds);
        count = count_ready(b);
    }
    pthread_mutex_unlock(&b->mutex);
    return count;
}

const struct batch_deal *batch_ready_deal(struct batch *b, uint64_t i)
{
    return &slot_of(b, b->written + i)->deal;
}

int batch_is_over(struct batch *b, struct batch_end *end)
{
    pthread_mutex_lock(&b->mutex);
    const int over = b->ended && b->written == b->read;
    if (over) *end = b->end;
    pthread_mutex_unlock(&b->mutex);
    return over;
}

/* Of deals that have been priced, how many can be written; 0 at the end. Short deals are written some at a
 * time, for waking a thread takes longer than writing a line. */
static uint64_t wait_for_results(struct batch *b, struct batch_end *end)
{
    uint64_t count = 0;
    while (!batch_is_over(b, end) && !count) count = batch_ready(b, MOMENT_NANOSECONDS);
    return count;
}

char *batch_refusal(const struct batch *b, const struct batch_deal *d)
{
    const size_t size = strlen(b->file.path) + strlen(d->id) + strlen(d->error) + 64;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%s line %llu: deal %s: %s", b->file.path, (unsigned long long)d->line, d->id,
                 d->error);
    return text;
}

int batch_write_out(struct batch_writer *w)
{
    const size_t used = w->together.used;
    w->together.used = 0;
    return output_write(w->output, w->together.text, used);
}

int batch_write_is_over(const struct batch_writer *w) { return w->strict && w->first; }

void batch_write_end(struct batch_writer *w, const struct batch_end *end) { w->end = *end; }

int batch_write(struct batch_writer *w, int code, const char *text, size_t size)
{
    struct json_line *together = &w->together;
    w->totals->failed += code != 0;
    if (!w->first) w->first = code;
    if (code && w->strict) return cli_error(code, "%s", text), CLI_OK;
    w->totals->deals++;
    if (size > together->room - together->used) {
        const int failed = batch_write_out(w);
        if (failed) return failed;
    }
    if (size > together->room) return output_write(w->output, text, size);
    memcpy(together->text + together->used, text, size);
    together->used += size;
    return CLI_OK;
}

static int write_deal(const struct batch *b, struct batch_writer *w, const struct batch_deal *d)
{
    if (!d->code || !w->strict) return batch_write(w, d->code, d->result.text, d->result.used);
    char *refusal = batch_refusal(b, d);
    const int code = batch_write(w, d->code, refusal ? refusal : d->error, 0);
    free(refusal);
    return code;
}

void batch_release(struct batch *b, uint64_t count)
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

/* Writes results as they come. */
static int write_results(struct batch *b, struct batch_writer *w)
{
    int code = CLI_OK;
    uint64_t count;
    while (!code && !batch_write_is_over(w) && (count = wait_for_results(b, &w->end)) != 0) {
        for (uint64_t i = 0; i < count && !code && !batch_write_is_over(w); i++)
            code = write_deal(b, w, batch_ready_deal(b, i));
        if (!code) code = batch_write_out(w);
        batch_release(b, count);
    }
    return code;
}

/* ---- All of it ---- */

const struct batch_request *batch_request_of(const struct batch *b) { return b->request; }

void batch_stop(struct batch *b)
{
    pthread_mutex_lock(&b->mutex);
    atomic_store(&b->stop, 1);
    pthread_cond_broadcast(&b->was_read);
    pthread_cond_broadcast(&b->was_written);
    pthread_cond_broadcast(&b->was_granted);
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
static int run_threads(struct batch *b, struct thread *threads, struct batch_writer *w)
{
    const struct batch_team *team = b->request->team;
    pthread_t reader;
    unsigned started = 0;
    int code = start_thread(&reader, read_thread, b);
    if (code) return code;
    code = start_workers(b, threads, &started);
    if (!code) code = team ? team->run(b, w) : write_results(b, w);
    batch_stop(b);
    pthread_join(reader, NULL);
    for (unsigned i = 0; i < started; i++) {
        pthread_join(threads[i].id, NULL);
        w->totals->simulations += threads[i].worker.made;
        w->totals->run_seconds += threads[i].worker.run_seconds;
    }
    return code;
}

static int run_and_write(struct batch *b, struct batch_writer *w)
{
    struct thread *threads = calloc(b->request->workers, sizeof *threads);
    w->together = (struct json_line){.text = malloc(WRITE_BYTES), .room = WRITE_BYTES};
    const int code =
        threads && w->together.text ? run_threads(b, threads, w) : cli_memory_error("results", WRITE_BYTES);
    free(w->together.text);
    free(threads);
    return code;
}

/* Whether this process writes the results. */
static int writes(const struct batch *b) { return !b->request->team || b->request->team->rank == 0; }

static int run_to_output(struct batch *b, struct output *output, struct batch_totals *totals)
{
    const double started = cli_seconds();
    struct batch_writer w = {.output = output, .totals = totals, .strict = b->request->strict};
    int code = run_and_write(b, &w);
    if (!code && w.end.code && !batch_write_is_over(&w)) code = cli_error(w.end.code, "%s", w.end.error);
    totals->seconds = cli_seconds() - started;
    if (code || batch_write_is_over(&w)) return code ? code : w.first;
    code = writes(b) ? output_commit(output) : CLI_OK;
    return code ? code : w.first;
}

static int run_open(struct batch *b, struct batch_totals *totals)
{
    struct output output;
    b->slots = calloc(RING, sizeof *b->slots);
    if (!b->slots) return cli_memory_error("deals", RING * sizeof *b->slots);
    int code = writes(b) ? output_open(&output, b->request->output, 0) : CLI_OK;
    if (!code) code = run_to_output(b, &output, totals);
    if (writes(b)) output_abandon(&output);
    for (unsigned i = 0; i < RING; i++) batch_deal_free(&b->slots[i].deal);
    free(b->slots);
    return code;
}

int batch_run(const struct batch_request *request, struct batch_totals *totals)
{
    struct batch b = {.request = request,
                      .mutex = PTHREAD_MUTEX_INITIALIZER,
                      .was_read = PTHREAD_COND_INITIALIZER,
                      .was_written = PTHREAD_COND_INITIALIZER,
                      .was_granted = PTHREAD_COND_INITIALIZER};
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC); /* the date may be set meanwhile */
    pthread_cond_init(&b.was_priced, &attributes);
    pthread_condattr_destroy(&attributes);
    *totals = (struct batch_totals){0};
    batch_hear_warnings();
    int code = batch_file_open(&b.file, request->input, request->part, &b.stop);
    if (request->team) {
        b.file.is_wanted = is_granted;
        b.file.user = &b;
    }
    if (!code) code = run_open(&b, totals);
    batch_file_close(&b.file);
    pthread_cond_destroy(&b.was_priced);
    return request->team ? request->team->finish(totals, code) : code;
}
