/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The self-test: results on the user's device against golden values. An item's value is the 64-bit FNV-1a
 * hash of the bytes of its results.
 */
#include "subject.h"

#include <base/alloc.h>
#include <base/log.h>
#include <host/describe/records.h>
#include <host/internal.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Made by `bailey selftest` on the cpu backend (baseline), which tests/test_paths.c and
 * tests/test_sequences.c compare with independent references; scripts/golden prints this file. */
static const struct golden {
    const char *item;
    uint64_t hash;
} goldens[] = {
#include "golden.inc"
};

struct selftest {
    bailey_context *context;
    bailey_selftest_params params;
    bailey_status status;
    char first_failure[264];
};

static const struct golden *find_golden(const char *item)
{
    for (size_t i = 0; i < sizeof goldens / sizeof goldens[0]; i++)
        if (strcmp(goldens[i].item, item) == 0) return &goldens[i];
    return NULL;
}

/* Records an item's outcome: `found` must be the golden value. */
static void judge(struct selftest *test, const char *item, const struct golden *golden, uint64_t found)
{
    const int passed = golden && golden->hash == found;
    char detail[96];
    if (passed)
        snprintf(detail, sizeof detail, "%016" PRIx64, found);
    else
        snprintf(detail, sizeof detail, "%016" PRIx64 ", expected %016" PRIx64, found,
                 golden ? golden->hash : 0);
    if (test->params.report) test->params.report(test->params.report_user, item, passed, detail);
    if (passed || test->status != BAILEY_OK) return;
    test->status = BAILEY_ERROR_SELFTEST;
    snprintf(test->first_failure, sizeof test->first_failure, "%s: %s", item, detail);
}

/* Hashes `bytes` of `buffer` from `offset` on. */
static bailey_status hash_part(bailey_buffer *buffer, uint64_t offset, size_t bytes, uint64_t *hash)
{
    void *data = bly_alloc(bytes, 1);
    if (!data) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for the self-test");
    const bailey_status status = bailey_buffer_read(buffer, offset, data, bytes);
    if (status == BAILEY_OK) *hash = bly_subject_hash(data, bytes);
    bly_free(data);
    return status;
}

static bailey_status hash_items(const struct bly_made *made, uint64_t *hash)
{
    const struct bly_subject *subject = made->subject;
    const struct bly_shape shape = bly_subject_shape(made);
    const size_t bytes = shape.rows * subject->count * shape.element, lead = subject->lead * shape.element;
    bailey_buffer *out = NULL;
    bailey_status status = bailey_buffer_create(made->context, lead + bytes, &out);
    if (status == BAILEY_OK)
        status = bly_subject_make(made, subject->first, subject->count, out, subject->lead);
    if (status == BAILEY_OK) status = hash_part(out, lead, bytes, hash);
    bailey_buffer_destroy(out);
    return status;
}

static bailey_status hash_result(const struct bly_made *made, uint64_t *hash)
{
    union bly_result result;
    double values[BLY_SUBJECT_VALUES];
    const bailey_status status = bly_subject_run(made, NULL, NULL, &result);
    if (status == BAILEY_OK)
        *hash = bly_subject_result_hash(made->subject, values, bly_subject_values(made, &result, values));
    return status;
}

/* Judges a subject. Paths are drawn in one kernel and, if `stored`, made of stored normals too: both must
 * have the golden bits. */
static bailey_status judge_made(struct selftest *test, struct bly_made *made, const char *item,
                                const struct golden *golden, int stored)
{
    uint64_t found = 0;
    bailey_status status =
        bly_subject_has_result(made->subject) ? hash_result(made, &found) : hash_items(made, &found);
    if (stored && status == BAILEY_OK && golden && found == golden->hash) {
        made->stored = 1;
        status = hash_items(made, &found);
    }
    if (status == BAILEY_OK) judge(test, item, golden, found);
    return status;
}

/* Whether numbers have a precision: words and points that are words are the same in both. */
static int has_precision(const struct bly_subject *subject)
{
    if (subject->kind == BLY_SUBJECT_POINTS) return subject->points->form != BAILEY_POINTS_FORM_WORDS;
    return subject->kind != BLY_SUBJECT_WORDS;
}

void bly_subject_item(const struct bly_subject *subject, bailey_precision precision,
                      char item[BLY_SUBJECT_ITEM])
{
    const char *word = precision == BAILEY_PRECISION_F64 ? ", f64" : ", f32";
    snprintf(item, BLY_SUBJECT_ITEM, "%s%s", subject->name, has_precision(subject) ? word : "");
}

int bly_subject_golden(const struct bly_subject *subject, bailey_precision precision, uint64_t *hash)
{
    char item[BLY_SUBJECT_ITEM];
    bly_subject_item(subject, precision, item);
    const struct golden *golden = find_golden(item);
    if (golden) *hash = golden->hash;
    return golden != NULL;
}

static bailey_status test_subject(struct selftest *test, const struct bly_subject *subject,
                                  bailey_precision precision, const char *strategy, int stored)
{
    char item[BLY_SUBJECT_ITEM];
    struct bly_made made;
    bly_subject_item(subject, precision, item);
    const struct golden *golden = find_golden(item);
    if (strategy) {
        const size_t length = strlen(item);
        snprintf(item + length, sizeof item - length, ", strategy %s", strategy);
    }
    bailey_status status = bly_subject_create(test->context, subject, precision, &made);
    if (status == BAILEY_OK) status = judge_made(test, &made, item, golden, stored);
    bly_subject_destroy(&made);
    if (status != BAILEY_ERROR_UNSUPPORTED || !(strategy || bly_subject_may_miss(subject))) return status;
    if (!strategy) bly_log(1, "self-test: no %s: %s", item, bailey_error_message());
    return BAILEY_OK;
}

/* By every strategy that the device has for it: none changes the bits. */
static bailey_status test_strategies(struct selftest *test, const struct bly_subject *subject,
                                     bailey_precision precision)
{
    bailey_bridge_params path = *subject->path;
    struct bly_subject named = *subject;
    bailey_status status = BAILEY_OK;
    named.path = &path;
    for (int s = BAILEY_BRIDGE_STRATEGY_AUTO + 1; status == BAILEY_OK; s++) {
        const char *word = bailey_bridge_strategy_name((bailey_bridge_strategy)s);
        if (strcmp(word, "unknown") == 0) break;
        path.strategy = (bailey_bridge_strategy)s;
        status = test_subject(test, &named, precision, word, 1);
    }
    return status;
}

static bailey_status test_row(struct selftest *test, const struct bly_subject *subject,
                              bailey_precision precision)
{
    const int all = test->params.all != 0, f64 = precision == BAILEY_PRECISION_F64;
    const unsigned when = all ? (f64 ? BLY_ALL_F64 : BLY_ALL_F32) : f64 ? BLY_FEW_F64 : BLY_FEW_F32;
    if (!(subject->when & when)) return BAILEY_OK;
    if (!bly_subject_fits(subject, precision, (int)test->context->device->info.has_f64)) return BAILEY_OK;
    const int stored = subject->kind == BLY_SUBJECT_PATHS && !subject->path->construction &&
                       subject->source.generator == BAILEY_GENERATOR_PHILOX && (all || subject->stored);
    bailey_status status = test_subject(test, subject, precision, NULL, stored);
    if (status == BAILEY_OK && all && subject->strategies && !f64)
        status = test_strategies(test, subject, precision);
    return status;
}

bailey_status bailey_selftest(bailey_context *context, const bailey_selftest_params *params)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    struct selftest test = {.context = context};
    if (params && bailey_record_check(&bly_record_selftest_params, params) != BAILEY_OK)
        return bly_finish(context, BAILEY_ERROR_INVALID);
    if (params) test.params = *params;
    const struct bly_subject *subject;
    bailey_status status = BAILEY_OK;
    for (int f64 = 0; f64 <= (int)context->device->info.has_f64; f64++)
        for (size_t i = 0; (subject = bly_subject_at(i)) && status == BAILEY_OK; i++)
            status = test_row(&test, subject, f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32);
    if (status == BAILEY_OK && test.status != BAILEY_OK)
        status = bly_fail(test.status, "%s", test.first_failure);
    return bly_finish(context, status);
}
