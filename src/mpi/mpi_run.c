/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Rank 0 runs a job and leases parts of it to the other ranks, which ask again as soon as they are done.
 * Between two questions a rank runs its parts on all of its devices, as a tally, and sends that as bytes.
 * Only the calling threads use MPI, so that MPI_THREAD_FUNNELED is enough.
 */
#include <bailey/mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LEASE_SECONDS 2.0 /* of a rank's work, towards the end less */
#define NAP 200000        /* nanoseconds between two looks for a message */

#define MESSAGE_BYTES 16384 /* of a message, for which there is room on the stack */

/* A rank's question: words of 64 bits and then, in messages of at most MESSAGE_BYTES, the ranges of parts
 * that it returns, each a first part and a count, and the tally of those that it has run. */
enum { TAG_ASK = 1, TAG_BACK, TAG_TALLY, TAG_GRANT };
enum { ASK_SPEED, ASK_BACK, ASK_BYTES, ASK_PATHS, ASK_LEAVES, ASK_WORDS };
enum { GRANT_FIRST, GRANT_COUNT, GRANT_WORDS }; /* a count of 0: it is over */

static _Thread_local char error_text[2048];

const char *bailey_mpi_error_message(void) { return error_text; }

static void note_error(void) { snprintf(error_text, sizeof error_text, "%s", bailey_error_message()); }

static bailey_status fail(bailey_status status, const char *text)
{
    snprintf(error_text, sizeof error_text, "%s", text);
    return status;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static double number_of(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void send_bytes(MPI_Comm comm, int to, int tag, const void *bytes, uint64_t size)
{
    for (uint64_t at = 0, count; at < size; at += count) {
        count = size - at < MESSAGE_BYTES ? size - at : MESSAGE_BYTES;
        MPI_Send((const char *)bytes + at, (int)count, MPI_BYTE, to, tag, comm);
    }
}

/* To `bytes`, or, where that is NULL, to nowhere: the sender waits until they are taken. */
static void receive_bytes(MPI_Comm comm, int from, int tag, void *bytes, uint64_t size)
{
    char dropped[MESSAGE_BYTES];
    for (uint64_t at = 0, count; at < size; at += count) {
        count = size - at < MESSAGE_BYTES ? size - at : MESSAGE_BYTES;
        MPI_Recv(bytes ? (char *)bytes + at : dropped, (int)count, MPI_BYTE, from, tag, comm,
                 MPI_STATUS_IGNORE);
    }
}

/* ---- Rank 0 -------------------------------------------------------------------------------------- */

struct rank {
    int waits, left;
    double speed;
};

struct master {
    MPI_Comm comm;
    int ranks;
    struct rank *rank;
    uint64_t *paths; /* may be NULL */
};

static void grant(const struct master *m, int to, uint64_t first, uint64_t count)
{
    const uint64_t words[GRANT_WORDS] = {first, count};
    MPI_Send(words, GRANT_WORDS, MPI_UINT64_T, to, TAG_GRANT, m->comm);
}

/* Takes a tally that follows its question. `job` is NULL where it is no longer needed. */
static bailey_status take_tally(const struct master *m, bailey_job *job, int from, uint64_t size)
{
    void *bytes = job ? malloc((size_t)size) : NULL;
    receive_bytes(m->comm, from, TAG_TALLY, bytes, size);
    if (!job) return BAILEY_OK;
    if (!bytes) return fail(BAILEY_ERROR_MEMORY, "out of memory for a tally");
    const bailey_status status = bailey_job_merge(job, bytes, size);
    free(bytes);
    return status;
}

static bailey_status take_back(const struct master *m, bailey_job *job, int from, uint64_t ranges)
{
    const size_t size = (size_t)ranges * 2 * sizeof(uint64_t);
    uint64_t *words = job ? malloc(size) : NULL;
    bailey_status status = BAILEY_OK;
    receive_bytes(m->comm, from, TAG_BACK, words, size);
    if (!job) return BAILEY_OK;
    if (!words) return fail(BAILEY_ERROR_MEMORY, "out of memory for parts that a rank returns");
    for (uint64_t i = 0; i < ranges && status == BAILEY_OK; i++)
        status = bailey_job_return(job, words[2 * i], words[2 * i + 1]);
    free(words);
    return status;
}

/* Takes a question, with the parts that the rank has run and those that it returns. */
static bailey_status take_question(struct master *m, bailey_job *job, int from)
{
    struct rank *rank = &m->rank[from];
    uint64_t words[ASK_WORDS];
    bailey_status back = BAILEY_OK, merged = BAILEY_OK;
    MPI_Recv(words, ASK_WORDS, MPI_UINT64_T, from, TAG_ASK, m->comm, MPI_STATUS_IGNORE);
    rank->speed = number_of(words[ASK_SPEED]);
    rank->left = words[ASK_LEAVES] != 0;
    rank->waits = !rank->left;
    if (words[ASK_BACK]) back = take_back(m, job, from, words[ASK_BACK]);
    if (words[ASK_BYTES]) merged = take_tally(m, job, from, words[ASK_BYTES]);
    if (m->paths) m->paths[from] += words[ASK_PATHS];
    return back != BAILEY_OK ? back : merged;
}

static bailey_status take_questions(struct master *m, bailey_job *job)
{
    bailey_status status = BAILEY_OK;
    int there = 1;
    while (there && status == BAILEY_OK) {
        MPI_Status about;
        MPI_Iprobe(MPI_ANY_SOURCE, TAG_ASK, m->comm, &there, &about);
        if (there) status = take_question(m, job, about.MPI_SOURCE);
    }
    return status;
}

static bailey_status serve(void *user, bailey_job *job, uint64_t *others)
{
    struct master *m = user;
    const bailey_status status = take_questions(m, job);
    *others = 0;
    for (int i = 1; i < m->ranks; i++) {
        struct rank *rank = &m->rank[i];
        uint64_t first = 0;
        *others += !rank->left;
        if (!rank->waits || status != BAILEY_OK) continue;
        const uint64_t count = bailey_job_lease(job, rank->speed, LEASE_SECONDS, &first);
        if (count == 0) continue;
        rank->waits = 0;
        grant(m, i, first, count);
    }
    return status;
}

/* Tells all who have not left that it is over. */
static void dismiss(struct master *m)
{
    for (int i = 1; i < m->ranks; i++) {
        while (!m->rank[i].waits && !m->rank[i].left) take_question(m, NULL, i);
        if (!m->rank[i].left) grant(m, i, 0, 0);
    }
}

/* `rank` holds the state of each, empty so far. */
static bailey_status lead(MPI_Comm comm, struct rank *rank, bailey_simulation *const *simulations,
                          size_t count, const bailey_job_params *params, bailey_estimate *estimates,
                          bailey_mpi_report *report)
{
    const int ranks = report->ranks;
    struct master m = {.comm = comm, .ranks = ranks, .rank = rank, .paths = report->rank_paths};
    bailey_job_params job = *params;
    if (m.paths) memset(m.paths, 0, (size_t)ranks * sizeof *m.paths);
    job.serve = ranks > 1 ? serve : NULL;
    job.serve_user = &m;
    const bailey_status status = bailey_job_run(simulations, count, &job, estimates, &report->job);
    if (status != BAILEY_OK && !*error_text) note_error();
    if (m.paths)
        for (size_t i = 0; i < count && i < BAILEY_JOB_MAX_DEVICES; i++)
            m.paths[0] += report->job.device[i].paths;
    dismiss(&m);
    return status;
}

/* ---- The other ranks ----------------------------------------------------------------------------- */

struct helper {
    MPI_Comm comm;
    bailey_simulation *const *simulations;
    size_t count;
    const bailey_job_params *params;
    double speed;
};

/* MPI's own waiting takes a processor. */
static void await(const struct helper *h, uint64_t words[GRANT_WORDS])
{
    const struct timespec nap = {.tv_nsec = NAP};
    int there = 0;
    while (MPI_Iprobe(0, TAG_GRANT, h->comm, &there, MPI_STATUS_IGNORE) == MPI_SUCCESS && !there)
        nanosleep(&nap, NULL);
    MPI_Recv(words, GRANT_WORDS, MPI_UINT64_T, 0, TAG_GRANT, h->comm, MPI_STATUS_IGNORE);
}

/* The ranges of parts first .. first + count - 1 that are not known, all of them without a tally, to be
 * freed. Returns NULL where there is none, or, with a number of them, no memory. */
static uint64_t *find_back(const bailey_tally *tally, uint64_t first, uint64_t count, uint64_t *ranges)
{
    const uint64_t end = first + count;
    uint64_t *words = NULL, gap = 0, missing;
    *ranges = 0;
    for (uint64_t at = first; at < end; at = gap + missing) {
        missing = tally ? bailey_tally_missing(tally, at, &gap) : end - (gap = at);
        if (missing == 0 || gap >= end) break;
        if (missing > end - gap) missing = end - gap;
        uint64_t *more = realloc(words, (size_t)(*ranges + 1) * 2 * sizeof *words);
        ++*ranges;
        if (!more) {
            free(words);
            return NULL;
        }
        words = more;
        words[2 * *ranges - 2] = gap;
        words[2 * *ranges - 1] = missing;
    }
    return words;
}

/* Sends what has become of a grant, and asks for the next one, unless this rank leaves. */
static void answer(const struct helper *h, const bailey_tally *tally, uint64_t first, uint64_t count,
                   int leaves)
{
    uint64_t words[ASK_WORDS] = {[ASK_SPEED] = bits_of(h->speed), [ASK_LEAVES] = (uint64_t)leaves};
    const uint64_t all[2] = {first, count};
    uint64_t size = tally ? bailey_tally_bytes(tally) : 0;
    void *bytes = tally && bailey_tally_paths(tally) && size <= INT32_MAX ? malloc((size_t)size) : NULL;
    if (!bytes || bailey_tally_save(tally, bytes, size) != BAILEY_OK) tally = NULL;
    uint64_t *back = count ? find_back(tally, first, count, &words[ASK_BACK]) : NULL;
    if (words[ASK_BACK] && !back) { /* without memory nothing has been done */
        words[ASK_BACK] = 1;
        tally = NULL;
    }
    words[ASK_BYTES] = tally ? size : 0;
    words[ASK_PATHS] = tally ? bailey_tally_paths(tally) : 0;
    MPI_Send(words, ASK_WORDS, MPI_UINT64_T, 0, TAG_ASK, h->comm);
    send_bytes(h->comm, 0, TAG_BACK, back ? back : all, words[ASK_BACK] * 2 * sizeof *back);
    if (tally) send_bytes(h->comm, 0, TAG_TALLY, bytes, size);
    free(back);
    free(bytes);
}

/* Runs a grant. Returns whether this rank goes on. */
static int work(struct helper *h, uint64_t first, uint64_t count)
{
    bailey_tally *tally = NULL;
    bailey_simulation_run_params run = h->params->run;
    run.progress = NULL;
    if (!run.paths && h->params->target_error > 0) run.paths = BAILEY_JOB_MOST_PATHS;
    const double started = seconds_now();
    bailey_status status = bailey_tally_create(h->simulations[0], &run, &tally);
    if (status == BAILEY_OK)
        status = bailey_job_run_part(tally, h->simulations, h->count, h->params, first, count, NULL);
    const double seconds = seconds_now() - started;
    const uint64_t paths = tally ? bailey_tally_paths(tally) : 0;
    if (paths) h->speed = (double)paths / (seconds > 1e-6 ? seconds : 1e-6);
    answer(h, tally, first, count, status != BAILEY_OK);
    bailey_tally_destroy(tally);
    return status == BAILEY_OK;
}

static void help(MPI_Comm comm, bailey_simulation *const *simulations, size_t count,
                 const bailey_job_params *params)
{
    struct helper h = {.comm = comm, .simulations = simulations, .count = count, .params = params};
    uint64_t granted[GRANT_WORDS];
    int goes_on = 1;
    answer(&h, NULL, 0, 0, 0);
    while (goes_on) {
        await(&h, granted);
        goes_on = granted[GRANT_COUNT] && work(&h, granted[GRANT_FIRST], granted[GRANT_COUNT]);
    }
}

/* ---- All ranks ----------------------------------------------------------------------------------- */

static void spread(MPI_Comm comm, void *bytes, size_t size)
{
    if (bytes) MPI_Bcast(bytes, (int)size, MPI_BYTE, 0, comm);
}

/* Whether every rank says yes. */
static int all_agree(MPI_Comm comm, int yes)
{
    int all = 0;
    MPI_Allreduce(&yes, &all, 1, MPI_INT, MPI_MIN, comm);
    return all;
}

/* How many estimates a run has. */
static size_t results_of(const bailey_simulation *simulation, const bailey_scenarios *scenarios)
{
    const size_t outputs = bailey_simulation_outputs(simulation);
    if (!scenarios->count) return outputs;
    return scenarios->rows ? scenarios->rows : (size_t)scenarios->count * outputs;
}

/* What rank 0 has is everybody's. */
static bailey_status spread_results(MPI_Comm comm, bailey_status status, const bailey_job_params *params,
                                    size_t results, bailey_estimate *estimates, bailey_mpi_report *report)
{
    const bailey_histogram *h = &params->run.histogram;
    int number = status;
    spread(comm, &number, sizeof number);
    spread(comm, error_text, sizeof error_text);
    spread(comm, &report->job, sizeof report->job);
    if (number != BAILEY_OK) return (bailey_status)number;
    error_text[0] = 0;
    spread(comm, estimates, results * sizeof *estimates);
    spread(comm, params->run.covariance, results * results * sizeof(double));
    if (h->bins) spread(comm, h->counts, (h->bins + (size_t)2) * sizeof *h->counts);
    return BAILEY_OK;
}

static int check_threads(void)
{
    int started = 0, level = MPI_THREAD_SINGLE;
    MPI_Initialized(&started);
    if (started) MPI_Query_thread(&level);
    return started && level >= MPI_THREAD_FUNNELED;
}

static bailey_status run(MPI_Comm comm, bailey_simulation *const *simulations, size_t count,
                         const bailey_job_params *params, bailey_estimate *estimates,
                         bailey_mpi_report *report)
{
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &report->ranks);
    bailey_status status = BAILEY_OK;
    struct rank *others = rank == 0 ? calloc((size_t)report->ranks, sizeof *others) : NULL;
    if (!all_agree(comm, rank != 0 || others))
        return fail(BAILEY_ERROR_MEMORY, "out of memory for the results of the ranks");
    if (rank == 0)
        status = lead(comm, others, simulations, count, params, estimates, report);
    else
        help(comm, simulations, count, params);
    free(others);
    status = spread_results(comm, status, params, results_of(simulations[0], &params->run.scenarios),
                            estimates, report);
    if (all_agree(comm, report->rank_paths != NULL))
        MPI_Bcast(report->rank_paths, report->ranks, MPI_UINT64_T, 0, comm);
    return status;
}

bailey_status bailey_mpi_run(MPI_Comm comm, bailey_simulation *const *simulations, size_t count,
                             const bailey_job_params *params, bailey_estimate *estimates,
                             bailey_mpi_report *report)
{
    MPI_Comm own;
    if (!check_threads())
        return fail(BAILEY_ERROR_INVALID, "comm: initialise MPI with at least MPI_THREAD_FUNNELED");
    if (!all_agree(comm, simulations && count && simulations[0] && params && estimates))
        return fail(BAILEY_ERROR_INVALID, "on some rank simulations, params or estimates is NULL");
    bailey_mpi_report *used = report ? report : calloc(1, sizeof *used);
    if (!all_agree(comm, used != NULL)) {
        if (!report) free(used);
        return fail(BAILEY_ERROR_MEMORY, "out of memory for a report");
    }
    MPI_Comm_dup(comm, &own);
    error_text[0] = 0;
    const bailey_status status = run(own, simulations, count, params, estimates, used);
    MPI_Comm_free(&own);
    if (!report) free(used);
    return status;
}

uint64_t bailey_mpi_share(MPI_Comm comm, uint64_t items, uint64_t *first)
{
    int rank = 0, ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const uint64_t each = items / (uint64_t)ranks, more = items % (uint64_t)ranks, place = (uint64_t)rank;
    if (first) *first = place * each + (place < more ? place : more);
    return each + (place < more);
}
