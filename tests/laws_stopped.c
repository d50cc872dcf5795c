/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Calls that are stopped: what comes after them, and what is saved of them and loaded.
 */
#include <host/internal.h>

#include <bailey/job.h>

#include "laws.h"

/* ---- Cancel: whenever the caller stops a call, the next one is as if that had not been ----------------- */

struct stopping {
    uint64_t left, asked, done;
};

static int stop_watch(void *user)
{
    struct stopping *s = user;
    context->device->watch.due = 0; /* asked again at once, whatever the time is */
    s->asked++;
    return s->left-- == 0;
}

static int stop_progress(void *user, uint64_t done, uint64_t total)
{
    struct stopping *s = user;
    if (done < s->done || done > total)
        fail_msg("%s: %llu after %llu of %llu", what, (unsigned long long)done, (unsigned long long)s->done,
                 (unsigned long long)total);
    s->done = done;
    s->asked++;
    return s->left-- == 0;
}

static bailey_status watched(const struct bly_made *made, bailey_buffer *out, struct stopping *s)
{
    union bly_result result;
    bailey_status status = BAILEY_OK;
    is_ok(bailey_context_watch(context, stop_watch, s));
    context->device->watch.due = 0;
    if (out) status = bly_subject_make(made, made->subject->first, made->subject->count, out, 0);
    if (status == BAILEY_OK && bly_subject_has_result(made->subject))
        status = bly_subject_run(made, NULL, NULL, &result);
    is_ok(bailey_context_watch(context, NULL, NULL));
    return status;
}

static void is_cancelled(bailey_status status, const struct stopping *s)
{
    if (status == BAILEY_ERROR_CANCELLED) return;
    fail_msg("%s: asked %llu times and stopped: %s: %s", what, (unsigned long long)s->asked,
             bailey_status_name(status), bailey_error_message());
}

/* Stopped by progress at the first call, at the second, the fourth, ...: the result is not written. */
static void stop_results(const struct bly_made *made)
{
    union bly_result result;
    for (uint64_t at = 0;; at = 2 * at + 1) {
        struct stopping s = {.left = at};
        memset(&result, POISON, sizeof result);
        const bailey_status status = bly_subject_run(made, stop_progress, &s, &result);
        if (s.asked <= at) {
            is_ok(status);
            break;
        }
        is_cancelled(status, &s);
        is_untouched((const unsigned char *)&result, sizeof result, POISON, "of the result");
    }
}

void cancel(const struct held *h)
{
    struct bly_made made = make(context, h);
    const struct output wanted = output_of(&made);
    bailey_buffer *out = items_bytes(&made) ? buffer_of(context, items_bytes(&made), POISON) : NULL;
    for (uint64_t at = 0;; at = 4 * at + 1) {
        struct stopping s = {.left = at};
        const bailey_status status = watched(&made, out, &s);
        if (s.asked <= at) {
            is_ok(status);
            if (at == 0) fail_msg("%s: nobody is asked", what);
            break;
        }
        is_cancelled(status, &s);
    }
    if (bly_subject_has_result(h->subject)) stop_results(&made);
    bailey_buffer_destroy(out);
    const struct output found = output_of(&made);
    same_output(&found, &wanted);
    free(found.bytes);
    free(wanted.bytes);
    bly_subject_destroy(&made);
}

/* ---- Saved: what is saved and loaded goes on to the same bits ------------------------------------------ */

static void save_source(struct bly_made *made)
{
    uint8_t bytes[BAILEY_SOURCE_BYTES];
    bailey_source restored;
    uint64_t place = 0;
    is_ok(bailey_source_save(&made->source, made->subject->first, bytes));
    memset(&restored, POISON, sizeof restored);
    is_ok(bailey_source_restore(bytes, sizeof bytes, &restored, &place));
    assert_int_equal(place, made->subject->first);
    made->source = restored;
}

/* The results of a tally: estimates, covariances and a histogram of the last result. */
enum { BINS = 7, MOST = BAILEY_SIMULATION_MAX_OUTPUTS };
struct known {
    double values[BLY_SUBJECT_VALUES], covariance[MOST * MOST];
    uint64_t counts[BINS + 2];
};

static bailey_simulation_run_params all_of_a_run(const struct bly_made *made, struct known *known)
{
    bailey_simulation_run_params run =
        bly_subject_run_params(made, made->subject->first, made->subject->count);
    memset(known, 0, sizeof *known);
    run.moments = 1;
    if (!made->subject->planned_paths) run.covariance = known->covariance;
    run.histogram = (bailey_histogram){.low = 0,
                                       .high = 5,
                                       .bins = BINS,
                                       .output = (uint32_t)bly_subject_results(made) - 1,
                                       .counts = known->counts};
    return run;
}

static bailey_tally *tally_of(const struct bly_made *made, struct known *known)
{
    const bailey_simulation_run_params run = all_of_a_run(made, known);
    bailey_tally *tally = NULL;
    is_ok(bailey_tally_create(made->object.simulation, &run, &tally));
    return tally;
}

static unsigned char *bytes_of(const bailey_tally *tally, uint64_t *size)
{
    *size = bailey_tally_bytes(tally);
    unsigned char *bytes = allocate(*size);
    is_ok(bailey_tally_save(tally, bytes, *size));
    return bytes;
}

/* Runs a random range of parts that no tally has yet. Returns 0 if there is none. */
static int run_some(bailey_tally *tally, bailey_simulation *s, unsigned char *taken, uint64_t *random)
{
    const uint64_t parts = bailey_tally_parts(tally), start = next_random(random) % parts;
    uint64_t first = start, count = 0;
    while (taken[first] && (first = (first + 1) % parts) != start) continue;
    if (taken[first]) return 0;
    const uint64_t most = 1 + next_random(random) % lesser(parts, 12);
    while (count < most && first + count < parts && !taken[first + count]) taken[first + count++] = 1;
    is_ok(bailey_tally_run(tally, s, first, count));
    return 1;
}

/* The bytes depend on which parts are done, not on the order in which they were done. */
static void same_bytes(const struct bly_made *made, const bailey_tally *all)
{
    struct known known;
    uint64_t size, other_size;
    bailey_tally *once = tally_of(made, &known);
    is_ok(bailey_tally_run(once, made->object.simulation, 0, bailey_tally_parts(once)));
    unsigned char *bytes = bytes_of(all, &size), *other = bytes_of(once, &other_size);
    is_size(size, other_size);
    is_same(bytes, other, size, 1);
    free(other);
    free(bytes);
    bailey_tally_destroy(once);
}

/* Splits a run over three tallies, of which one is saved and loaded on the way. */
static void save_tally(const struct bly_made *made, const struct known *wanted, uint64_t *random)
{
    union bly_result result;
    struct known found;
    bailey_tally *tally[3], *all = tally_of(made, &found);
    uint64_t size, first;
    unsigned char *taken = calloc(bailey_tally_parts(all), 1);
    assert_non_null(taken);
    for (int k = 0; k < 3; k++) tally[k] = tally_of(made, &found);
    while (run_some(tally[next_random(random) % 3], made->object.simulation, taken, random)) continue;
    unsigned char *bytes = bytes_of(tally[1], &size);
    is_ok(bailey_tally_merge(all, tally[2]));
    is_ok(bailey_tally_load(all, bytes, size));
    is_ok(bailey_tally_merge(all, tally[0]));
    assert_int_equal(bailey_tally_missing(all, 0, &first), 0);
    is_ok(bailey_tally_estimates(all, result.estimates,
                                 made->subject->planned_paths ? NULL : found.covariance, found.counts));
    bly_subject_values(made, &result, found.values);
    is_same(&found, wanted, sizeof found / 8, 8);
    same_bytes(made, all);
    for (int k = 0; k < 3; k++) bailey_tally_destroy(tally[k]);
    bailey_tally_destroy(all);
    free(bytes);
    free(taken);
}

/* Where a checkpoint goes; there is none yet. */
static const char *checkpoint(void)
{
    static char path[300];
    snprintf(path, sizeof path, "%s/checkpoint", test_folder());
    remove(path);
    return path;
}

/* Stops again and again, and resumes from the checkpoint. */
static void save_job(const struct bly_made *made, const struct known *wanted)
{
    union bly_result result;
    struct known found;
    struct stopping s = {0};
    bailey_job_params job = {.run = all_of_a_run(made, &found), .checkpoint = checkpoint()};
    bailey_simulation *simulation = made->object.simulation;
    bailey_status status = BAILEY_ERROR_CANCELLED;
    job.run.progress = stop_progress;
    job.run.progress_user = &s;
    for (int stops = 0; status == BAILEY_ERROR_CANCELLED && stops < 3; stops++) {
        s = (struct stopping){.left = stops < 2 ? 0 : UINT64_MAX};
        status = bailey_job_run(&simulation, 1, &job, result.estimates, NULL);
    }
    is_ok(status);
    bly_subject_values(made, &result, found.values);
    is_same(&found, wanted, sizeof found / 8, 8);
}

static void save_simulation(const struct bly_made *made)
{
    union bly_result result;
    struct known wanted;
    uint64_t random = 1;
    const bailey_simulation_run_params run = all_of_a_run(made, &wanted);
    is_ok(bailey_simulation_run(made->object.simulation, &run, result.estimates));
    bly_subject_values(made, &result, wanted.values);
    for (int turn = 0; turn < 4; turn++) save_tally(made, &wanted, &random);
    save_job(made, &wanted);
}

/* Runs to an error have one, but for those with points. */
static int has_checkpoint(const struct bly_subject *levels)
{
    return !levels->samples && levels->source.generator != BAILEY_GENERATOR_SOBOL;
}

static void save_levels(const struct bly_made *made)
{
    double wanted[BLY_SUBJECT_VALUES], found[BLY_SUBJECT_VALUES];
    const size_t count = result_of(made, wanted);
    union bly_result result;
    bailey_mlmc_run_params run = bly_subject_levels_params(made);
    bailey_status status = BAILEY_ERROR_CANCELLED;
    run.checkpoint = checkpoint();
    run.progress = stop_progress;
    for (uint64_t at = 0; status != BAILEY_OK; at++) {
        struct stopping s = {.left = at};
        run.progress_user = &s;
        status = bailey_mlmc_run(made->object.levels, &run, &result.levels);
        if (status != BAILEY_OK) is_cancelled(status, &s);
    }
    is_size(bly_subject_values(made, &result, found), count);
    is_same(found, wanted, count, sizeof *found);
}

void saved(const struct held *h)
{
    struct bly_made made = make(context, h);
    const struct output wanted = output_of(&made);
    save_source(&made);
    const struct output found = output_of(&made);
    same_output(&found, &wanted);
    if (h->subject->kind == BLY_SUBJECT_SIMULATION) save_simulation(&made);
    if (h->subject->kind == BLY_SUBJECT_LEVELS && has_checkpoint(h->subject)) save_levels(&made);
    bly_subject_destroy(&made);
    free(found.bytes);
    free(wanted.bytes);
}
