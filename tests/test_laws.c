/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What holds for everything that the library makes: each law is one function, and every subject (subjects.h)
 * is held to it, or there is a reason why not. On the processor each law is a test; elsewhere, where programs
 * take long to compile, each sort of subject is one, for all laws.
 *
 * BAILEY_TEST_SUBJECT names the subjects that are examined, by a part of their names.
 */
#include <base/alloc.h>
#include <host/internal.h>

#include "laws.h"

#include <inttypes.h>
#include <pthread.h>

/* X(NUMBER, function, test): below, each with what it says. */
#define LAW_LIST(X)                                                                                          \
    X(CUT, cut, parts_are_those_of_the_whole)                                                                \
    X(ORDER, order, order_does_not_matter)                                                                   \
    X(THREADS, threads, number_of_threads)                                                                   \
    X(GUARDS, guards, all_is_written_and_nothing_else)                                                       \
    X(MEMORY, memory, without_memory)                                                                        \
    X(CANCEL, cancel, cancelled)                                                                             \
    X(SAVED, saved, saved_and_loaded)                                                                        \
    X(DEVICES, devices, devices_agree)                                                                       \
    X(GOLDEN, golden, golden_values)                                                                         \
    /* the next law */

enum law {
#define LAW_ENUM(NUMBER, function, test) NUMBER,
    LAW_LIST(LAW_ENUM)
#undef LAW_ENUM
        LAWS
};

/* ---- Cut: any ranges of items are those of one range; what the library cuts has the same bits ---------- */

/* Where vectors, packs, groups and runs begin and end, and then what is left. */
static const uint64_t lengths[] = {1,  2, 3,   4,   7,   31,  32,  33,   63,   64,
                                   65, 1, 127, 129, 255, 256, 257, 1023, 1025, 8191};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static void is_cut(const struct bly_made *made, uint64_t first, uint64_t n, const unsigned char *whole,
                   uint64_t seed)
{
    const struct bly_shape shape = bly_subject_shape(made);
    uint64_t random = seed, piece = 0;
    for (uint64_t at = 0, count; at < n; at += count, piece++) {
        count = !seed && piece < LENGTHS ? lengths[piece] : next_random(&random) % (n / 3 + 1) + 1;
        count = lesser(count, n - at);
        const uint64_t lead = shape.anywhere ? next_random(&random) % 9 : 0;
        unsigned char *part = items(made, first + at, count, lead, POISON);
        is_part(&shape, part, at, count, whole, n);
        free(part);
    }
}

/* Numbers: thousands of runs too, so that every thread and group has some; and skips to any place. */
static void is_cut_elsewhere(const struct bly_made *made)
{
    enum { RUNS = 300 * 8192 + 17, SKIPPED = 999 };
    const bailey_source *source = &made->source;
    uint64_t random = source->seed + 8;
    unsigned char *whole = items(made, made->subject->first, RUNS, 0, POISON);
    is_cut(made, made->subject->first, RUNS, whole, 5);
    free(whole);
    if (source->sequence == BAILEY_SEQUENCE_PUBLISHED && source->generator == BAILEY_GENERATOR_MT19937)
        return;
    for (int shift = 2; shift < 30; shift += 9) {
        const uint64_t first = next_random(&random) >> shift;
        whole = items(made, first, SKIPPED, 0, POISON);
        is_cut(made, first, SKIPPED, whole, random);
        free(whole);
    }
}

/* A replicate is a run of its stream. */
static void is_replicated(const struct bly_made *made, const unsigned char *whole)
{
    const struct bly_shape shape = bly_subject_shape(made);
    const uint64_t row = made->subject->count * shape.element, results = bly_subject_results(made);
    bailey_simulation_run_params run = *made->subject->run;
    struct bly_subject subject = *made->subject;
    const uint64_t replicates = run.replicates;
    run.replicates = 1;
    subject.run = &run;
    const struct held h = {&subject, made->precision};
    struct bly_made alone = make(made->context, &h);
    for (uint64_t r = 0; r < lesser(replicates, 4); r++, alone.source.stream++) {
        unsigned char *own = items(&alone, subject.first, subject.count, 0, POISON);
        for (uint64_t o = 0; o < results; o++)
            is_same(own + o * row, whole + (o * replicates + r) * row, subject.count, shape.element);
        free(own);
    }
    bly_subject_destroy(&alone);
}

/* With chunks as small as possible, several of which are in flight. */
static void is_chunked(const struct bly_made *made, const unsigned char *whole)
{
    struct bly_device *on = made->context->device;
    const struct bly_tuning *real = on->tuning;
    struct bly_tuning tuning = *real;
    const struct held h = {made->subject, made->precision};
    double values[2][BLY_SUBJECT_VALUES];
    const int result = bly_subject_has_result(made->subject);
    const size_t count = result ? result_of(made, values[0]) : 0;
    tuning.z_chunk_bytes = tuning.z_chunk_paths = tuning.chunk_bytes = 1;
    tuning.scratch_words = 8192;
    on->tuning = &tuning;
    struct bly_made small = make(made->context, &h);
    if (whole) {
        const struct bly_shape shape = bly_subject_shape(made);
        const uint64_t n = lesser(made->subject->count, 1003);
        unsigned char *part = items(&small, made->subject->first, n, 0, POISON);
        is_part(&shape, part, 0, n, whole, made->subject->count);
        free(part);
    }
    if (result) {
        is_size(result_of(&small, values[1]), count);
        is_same(values[1], values[0], count, sizeof(double));
    }
    bly_subject_destroy(&small);
    on->tuning = real;
}

static void cut(const struct held *h)
{
    struct bly_made made = make(context, h);
    unsigned char *whole = NULL;
    if (bly_subject_has_items(h->subject)) {
        whole = items(&made, h->subject->first, h->subject->count, 0, POISON);
        for (uint64_t seed = 0; seed < (few_programs() ? 2 : 3); seed++)
            is_cut(&made, h->subject->first, h->subject->count, whole, seed);
    }
    if (h->subject->kind <= BLY_SUBJECT_VARIATES) is_cut_elsewhere(&made);
    if (h->subject->run && h->subject->run->replicates > 1) is_replicated(&made, whole);
    is_chunked(&made, whole);
    free(whole);
    bly_subject_destroy(&made);
}

/* ---- Order: what was made before, of this subject or another, changes nothing -------------------------- */

/* The same shape with other numbers in it, so that whatever is kept for reuse is asked for by both. */
struct sibling {
    struct bly_subject subject;
    bailey_bridge_params path;
    bailey_motion_params motion;
    bailey_american_params american;
};

static void find_sibling(const struct bly_subject *of, struct sibling *s)
{
    s->subject = *of;
    if (of->source.sequence != BAILEY_SEQUENCE_PUBLISHED) s->subject.source.seed++;
    s->subject.first++;
    if (of->source.generator != BAILEY_GENERATOR_SOBOL && of->first) s->subject.first = of->first - 1;
    if (of->path) {
        s->path = *of->path;
        s->path.start_time -= 0.5;
        s->subject.path = &s->path;
    }
    if (of->motion) {
        s->motion = *of->motion;
        s->motion.end_time += 1.5;
        s->subject.motion = &s->motion;
    }
    if (of->american) {
        s->american = *of->american;
        s->american.strike += 1;
        s->subject.american = &s->american;
    }
}

/* Parts of both in turn, those of each in no order, and some twice. */
static void in_turn(const struct bly_made made[2], const struct output wanted[2])
{
    enum { PARTS = 5 };
    const struct bly_shape shape = bly_subject_shape(&made[0]);
    const uint64_t n = made[0].subject->count;
    static const int turns[] = {3, 0, 4, 0, 2, 1, 3};
    for (size_t t = 0; t < sizeof turns / sizeof *turns; t++)
        for (int k = 0; k < 2; k++) {
            const uint64_t part = (uint64_t)turns[(t + (size_t)k * 3) % (sizeof turns / sizeof *turns)];
            const uint64_t at = part * n / PARTS, count = (part + 1) * n / PARTS - at;
            if (count == 0) continue;
            unsigned char *found = items(&made[k], made[k].subject->first + at, count, 0, POISON);
            is_part(&shape, found, at, count, wanted[k].bytes, n);
            free(found);
        }
}

static void order(const struct held *h)
{
    struct sibling sibling;
    find_sibling(h->subject, &sibling);
    const struct held both[2] = {*h, {&sibling.subject, h->precision}};
    const struct output wanted[2] = {output_on("cpu", 1, &both[0]), output_on("cpu", 1, &both[1])};
    struct bly_made made[2] = {make(context, &both[0]), make(context, &both[1])};
    if (bly_subject_has_items(h->subject)) in_turn(made, wanted);
    if (bly_subject_has_result(h->subject))
        for (int turn = 0; turn < 4; turn++) {
            const struct output found = output_of(&made[turn % 2]);
            same_output(&found, &wanted[turn % 2]);
            free(found.bytes);
        }
    for (int k = 0; k < 2; k++) {
        bly_subject_destroy(&made[k]);
        free(wanted[k].bytes);
    }
}

/* ---- Threads: their number changes nothing, nor does what other contexts do at the same time ----------- */

struct at_once {
    const struct held *held;
    struct output output;
    bailey_status status;
    char message[200];
};

static void *run_at_once(void *user)
{
    struct at_once *a = user;
    const bailey_context_params params = {.threads = 2};
    bailey_context *on = NULL;
    struct bly_made made = {0};
    a->status = bailey_context_create("cpu", &params, &on);
    if (a->status == BAILEY_OK)
        a->status = bly_subject_create(on, a->held->subject, a->held->precision, &made);
    if (a->status == BAILEY_OK) a->status = find_output(&made, &a->output);
    if (a->status != BAILEY_OK) snprintf(a->message, sizeof a->message, "%s", bailey_error_message());
    bly_subject_destroy(&made);
    bailey_context_destroy(on);
    return NULL;
}

static void threads(const struct held *h)
{
    enum { AT_ONCE = 2 };
    const struct output wanted = output_on("cpu", 1, h), found = output_on("cpu", 5, h);
    same_output(&found, &wanted);
    free(found.bytes);
    struct at_once all[AT_ONCE];
    pthread_t thread[AT_ONCE];
    for (int i = 0; i < AT_ONCE; i++) {
        all[i] = (struct at_once){.held = h};
        assert_int_equal(pthread_create(&thread[i], NULL, run_at_once, &all[i]), 0);
    }
    for (int i = 0; i < AT_ONCE; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < AT_ONCE; i++) {
        if (all[i].status != BAILEY_OK) fail_msg("%s: %s", what, all[i].message);
        same_output(&all[i].output, &wanted);
        free(all[i].output.bytes);
    }
    free(wanted.bytes);
}

/* ---- Guards: all of the output is written, and nothing else; in adopted memory too --------------------- */

static void in_adopted_memory(const struct bly_made *made, uint64_t n, uint64_t lead,
                              const unsigned char *wanted)
{
    const struct bly_shape shape = bly_subject_shape(made);
    const uint64_t before = lead * shape.element, bytes = shape.rows * n * shape.element;
    bailey_buffer *buffer = NULL;
    /* At the alignment of an element, and no more. */
    const uint64_t room = (before + bytes + 3 * GUARD_BYTES) / 64 * 64;
    unsigned char *all = aligned_alloc(64, room);
    assert_non_null(all);
    unsigned char *place = all + 64 + shape.element;
    memset(all, POISON, room);
    is_ok(bailey_buffer_adopt_host(made->context, place, before + bytes + GUARD_BYTES, &buffer));
    is_ok(bly_subject_make(made, made->subject->first, n, buffer, lead)); /* no sync */
    is_same(place + before, wanted, bytes / shape.element, shape.element);
    bailey_buffer_destroy(buffer);
    is_same(place + before, wanted, bytes / shape.element, shape.element);
    is_untouched(all, 64 + shape.element + before, POISON, "in front, in adopted memory");
    is_untouched(place + before + bytes, GUARD_BYTES, POISON, "past the end, in adopted memory");
    free(all);
}

static void guards(const struct held *h)
{
    struct bly_made made = make(context, h);
    const struct bly_shape shape = bly_subject_shape(&made);
    static const uint64_t counts[] = {1, 2, 3, 33, 127, 517};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        const uint64_t n = lesser(counts[c], h->subject->count), lead = shape.anywhere ? c + 1 : 0;
        unsigned char *a = items(&made, h->subject->first, n, 0, POISON),
                      *b = items(&made, h->subject->first, n, lead, (unsigned char)~POISON);
        is_same(b, a, shape.rows * n, shape.element);
        if (h->subject->kind != BLY_SUBJECT_SIMULATION)
            in_adopted_memory(&made, n, lead, a); /* which refuses it */
        free(a);
        free(b);
    }
    bly_subject_destroy(&made);
}

/* ---- Memory: where an allocation fails the call says so, or does with less; nothing is lost ------------ */

enum { FEW_ITEMS = 37 };

/* All that a subject comes to, of few items. */
static bailey_status try_all(const struct held *h, struct output *out)
{
    struct bly_subject subject = *h->subject;
    struct bly_made made;
    if (bly_subject_has_items(&subject) && !bly_subject_has_result(&subject))
        subject.count = lesser(subject.count, FEW_ITEMS);
    bailey_status status = bly_subject_create(context, &subject, h->precision, &made);
    if (status == BAILEY_OK) status = find_output(&made, out);
    bly_subject_destroy(&made);
    return status;
}

/* Without what is kept for reuse, which would be released and the allocation tried again. */
static bailey_status try_without(const struct held *h, struct output *out, int64_t allocation, int64_t *left)
{
    bly_pool_empty(context);
    bly_program_empty(context);
    *out = (struct output){0};
    bly_alloc_countdown = allocation;
    const bailey_status status = try_all(h, out);
    *left = bly_alloc_countdown;
    bly_alloc_countdown = -1;
    return status;
}

/* Returns whether it failed. */
static int is_memory_failure(bailey_status status, const struct output *found, const struct output *wanted,
                             int64_t n)
{
    if (status == BAILEY_OK) same_output(found, wanted);
    if (status == BAILEY_OK) return 0;
    if (found->touched) fail_msg("%s: allocation %lld: the result is written", what, (long long)n);
    if (status != BAILEY_ERROR_MEMORY || !strstr(bailey_error_message(), "memory"))
        fail_msg("%s: allocation %lld: %s: %s", what, (long long)n, bailey_status_name(status),
                 bailey_error_message());
    return 1;
}

static void memory(const struct held *h)
{
    struct output wanted = {0}, found = {0};
    int64_t n = 1, left = 0;
    int failures = 0;
    is_ok(try_all(h, &wanted));
    for (; left <= 0; n++) {
        const bailey_status status = try_without(h, &found, n, &left);
        if (left > 0) is_ok(status);
        failures += is_memory_failure(status, &found, &wanted, n);
        free(found.bytes);
    }
    if (n > 2 && !failures) fail_msg("%s: no allocation of %lld failed", what, (long long)n);
    is_ok(try_all(h, &found));
    same_output(&found, &wanted);
    free(found.bytes);
    free(wanted.bytes);
}

/* ---- Devices: this one has the processor's bits -------------------------------------------------------- */

static void devices(const struct held *h)
{
    struct bly_made made = make(context, h);
    const struct output found = output_of(&made), wanted = output_on("cpu", 0, h);
    same_output(&found, &wanted);
    free(found.bytes);
    free(wanted.bytes);
    if (h->subject->kind == BLY_SUBJECT_PATHS) { /* of stored normals too */
        made.stored = 1;
        const struct output again = output_of(&made);
        const struct output drawn = output_on("cpu", 1, h);
        same_output(&again, &drawn);
        free(again.bytes);
        free(drawn.bytes);
    }
    bly_subject_destroy(&made);
}

/* ---- Golden: the bits are those that they were --------------------------------------------------------- */

static int lines_to_paste;

static uint64_t hash_of(const struct bly_made *made)
{
    double values[BLY_SUBJECT_VALUES];
    if (bly_subject_has_result(made->subject))
        return bly_subject_result_hash(made->subject, values, result_of(made, values));
    unsigned char *all = items(made, made->subject->first, made->subject->count, 0, POISON);
    const uint64_t hash = bly_subject_hash(all, items_bytes(made));
    free(all);
    return hash;
}

/* Prints the line of subjects_golden.inc (of the self-test's rows, of src/host/selftest/golden.inc) that a
 * subject should have, and goes on, so that all that have changed are seen. */
static void golden(const struct held *h)
{
    char item[BLY_SUBJECT_ITEM];
    uint64_t wanted = 0;
    struct bly_made made = make(context, h);
    const uint64_t found = hash_of(&made);
    bly_subject_destroy(&made);
    if (subject_golden(h->subject, h->precision, &wanted) && found == wanted) return;
    bly_subject_item(h->subject, h->precision, item);
    printf("    {\"%s\", UINT64_C(0x%016" PRIx64 ")},\n", item, found);
    lines_to_paste++;
}

/* ---- Laws times subjects ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*hold)(const struct held *h);
} laws[LAWS] = {
#define LAW_ROW(NUMBER, function, test) {#function, function},
    LAW_LIST(LAW_ROW)
#undef LAW_ROW
};

/* Why a law is not for a subject; NULL where it is. */
static const char *why_not(enum law law, const struct bly_subject *subject)
{
    const int cpu = strcmp(device.address, "cpu") == 0;
    if (law == THREADS && !cpu) return "the device has its own";
    if (law == GUARDS && !bly_subject_has_items(subject)) return "a result is in the caller's structure";
    if (law == CANCEL && subject->samples && subject->kind == BLY_SUBJECT_LEVELS && !cpu)
        return "its one round may be done before anybody is asked";
    return NULL;
}

/* Whether the device is to have it in that precision: few are where programs take long to compile, or where
 * tests must be quick. */
static int is_wanted(const struct bly_subject *subject, bailey_precision precision)
{
    const char *part = getenv("BAILEY_TEST_SUBJECT");
    const int f64 = precision == BAILEY_PRECISION_F64;
    const unsigned few = f64 ? BLY_FEW_F64 : BLY_FEW_F32, all = f64 ? BLY_ALL_F64 : BLY_ALL_F32;
    if (part && !strstr(subject->name, part)) return 0;
    if (f64 && !device.has_f64) return 0;
    const int is_quick = getenv("BAILEY_TEST_QUICK") != NULL, is_number = subject->kind <= BLY_SUBJECT_VARIATES;
    if (is_number && f64 && is_quick && few_programs()) return 0;
    const int is_few = (is_quick || few_programs()) && !is_number; /* whose kernels all tests use */
    if (!(subject->when & (is_few ? few : few | all))) return 0;
    return bly_subject_fits(subject, precision, (int)device.has_f64);
}

/* Whether the device can have it, of what it may lack. */
static int is_possible(const struct held *h)
{
    struct bly_made made;
    struct output out = {0};
    if (!bly_subject_may_miss(h->subject)) return 1;
    bailey_status status = bly_subject_create(context, h->subject, h->precision, &made);
    if (status == BAILEY_OK) status = find_output(&made, &out);
    bly_subject_destroy(&made);
    free(out.bytes);
    if (status != BAILEY_ERROR_UNSUPPORTED) is_ok(status);
    return status == BAILEY_OK;
}

static void hold(enum law law, const struct held *h)
{
    const char *why = why_not(law, h->subject);
    char item[BLY_SUBJECT_ITEM];
    bly_subject_item(h->subject, h->precision, item);
    snprintf(what, sizeof what, "%s: %s", laws[law].name, item);
    if (why)
        print_message("# not %s: %s\n", what, why);
    else
        laws[law].hold(h);
}

/* Holds all subjects of kinds least .. most to laws from .. to - 1. */
static void hold_all(enum bly_subject_kind least, enum bly_subject_kind most, enum law from, enum law to)
{
    const struct bly_subject *subject;
    int held = 0;
    lines_to_paste = 0;
    for (size_t i = 0; (subject = subject_at(i)); i++)
        for (int f64 = 0; f64 < 2; f64++) {
            const struct held h = {subject, f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32};
            if (subject->kind < least || subject->kind > most || !is_wanted(subject, h.precision)) continue;
            snprintf(what, sizeof what, "%s", subject->name);
            if (!is_possible(&h)) {
                print_message("# no %s, f%d: %s\n", subject->name, f64 ? 64 : 32, bailey_error_message());
                continue;
            }
            for (int law = (int)from; law < (int)to; law++) hold((enum law)law, &h);
            held++;
        }
    fflush(stdout);
    if (lines_to_paste) fail_msg("%d golden values, above, are not those of before", lines_to_paste);
    if (!held) skip();
}

#define LAW_TEST(NUMBER, function, test)                                                                     \
    TEST(test, ON_CPU) { hold_all(0, BLY_SUBJECT_KINDS, NUMBER, NUMBER + 1); }
LAW_LIST(LAW_TEST)

#define SUBJECTS(name, least, most)                                                                          \
    TEST(name, ON_OPENCL | ON_CUDA) { hold_all(least, most, 0, LAWS); }
SUBJECTS(numbers, BLY_SUBJECT_WORDS, BLY_SUBJECT_CORRELATED)
SUBJECTS(points, BLY_SUBJECT_POINTS, BLY_SUBJECT_POINTS)
SUBJECTS(paths, BLY_SUBJECT_PATHS, BLY_SUBJECT_PATHS)
SUBJECTS(motions, BLY_SUBJECT_MOTION, BLY_SUBJECT_MOTION)
SUBJECTS(prices, BLY_SUBJECT_SIMULATION, BLY_SUBJECT_AMERICAN)
SUBJECTS(levels, BLY_SUBJECT_LEVELS, BLY_SUBJECT_LEVELS)
