/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Errors belong to a context and a thread, contexts in two threads do not meet, and failing allocations leave
 * nothing behind: the context gives the known answers as before.
 *
 * In this order: words against known answers; errors and threads; failing allocations.
 */
#include <base/alloc.h>
#include <host/internal.h>

#include "api.h"
#include "kat.h"

#include <bailey/device/philox.h>

#include <pthread.h>

/* ---- Words against known answers -------------------------------------------------------------- */

static void check_known_answers(void)
{
    struct kat kat;
    assert_true(kat_read(&kat));
    assert_in_range(kat.count, 3, KAT_MOST);
    for (size_t i = 0; i < kat.count; i++) {
        const uint32_t *c = kat.counter[i], *k = kat.key[i];
        const bailey_philox_block b = bailey_philox4x32_10(c[0], c[1], c[2], c[3], k[0], k[1]);
        same_bits("Philox in C", b.word, kat.result[i], 4, 4);
        const uint64_t block = (uint64_t)c[1] << 32 | c[0];
        if (block >> 62) continue; /* beyond the sequence's words */
        const bailey_source source = {.seed = (uint64_t)k[1] << 32 | k[0],
                                      .stream = (uint64_t)c[3] << 32 | c[2]};
        bailey_buffer *out = poisoned(16);
        OK(bailey_words_generate(context, &source, 4 * block, 4, out, 0));
        uint32_t *words = harvest(out, 16);
        same_bits("Philox on the device", words, kat.result[i], 4, 4);
        free(words);
    }
}

TEST(known_answers, DEVICE) { check_known_answers(); }

/* ---- Errors and threads ---------------------------------------------------------------------- */

/* Failures inside threads cannot use cmocka: they are counted. */
struct failing {
    pthread_t thread;
    pthread_barrier_t *barrier;
    int kind, failures;
};

static void *fail_often(void *user)
{
    struct failing *me = user;
    bailey_context *mine = NULL;
    bailey_buffer *buffer = NULL;
    const bailey_source source = {.seed = 1};
    me->failures += bailey_error_message()[0] != 0; /* a new thread has no error */
    me->failures += bailey_context_create(device.address, NULL, &mine) != BAILEY_OK;
    pthread_barrier_wait(me->barrier);
    for (int i = 0; i < 200 && mine; i++) {
        const char *expected = me->kind ? "source is NULL" : "bytes is 0";
        const bailey_status status = me->kind ? bailey_words_generate(mine, NULL, 0, 1, NULL, 0)
                                              : bailey_buffer_create(mine, 0, &buffer);
        me->failures += status != BAILEY_ERROR_INVALID;
        me->failures += !strstr(bailey_error_message(), expected);
        me->failures += strcmp(bailey_context_error(mine), bailey_error_message()) != 0;
        if (me->kind)
            me->failures += bailey_words_generate(mine, &source, 0, 0, NULL, 0) != BAILEY_ERROR_INVALID;
    }
    pthread_barrier_wait(me->barrier);
    bailey_context_destroy(mine);
    return NULL;
}

TEST(errors_of_contexts_and_threads, DEVICE)
{
    bailey_buffer *buffer = NULL;
    bailey_context *second = another();
    assert_string_equal(bailey_context_error(second), "");
    REFUSED(bailey_buffer_create(second, 0, &buffer), "bytes", "0");
    REFUSED(bailey_words_generate(context, NULL, 0, 1, NULL, 0), "source", "NULL");
    contains("second", bailey_context_error(second), "bytes is 0");
    contains("first", bailey_context_error(context), "source is NULL");
    /* A success clears nothing. */
    OK(bailey_buffer_create(second, 8, &buffer));
    bailey_buffer_destroy(buffer);
    contains("second", bailey_context_error(second), "bytes is 0");
    contains("thread", bailey_error_message(), "source is NULL");
    bailey_context_destroy(second);

    pthread_barrier_t barrier;
    struct failing threads[2];
    assert_int_equal(pthread_barrier_init(&barrier, NULL, 2), 0);
    for (int i = 0; i < 2; i++) {
        threads[i] = (struct failing){.barrier = &barrier, .kind = i};
        assert_int_equal(pthread_create(&threads[i].thread, NULL, fail_often, &threads[i]), 0);
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i].thread, NULL);
    pthread_barrier_destroy(&barrier);
    for (int i = 0; i < 2; i++) assert_int_equal(threads[i].failures, 0);
    contains("this thread's", bailey_error_message(), "source is NULL");
}

#define JOB_WORDS 50021
#define JOB_PATHS 1003

/* Everything that a context does, with results to compare. */
struct job {
    pthread_t thread;
    uint64_t seed;
    bailey_status status;
    uint32_t words[JOB_WORDS];
    float normals[JOB_WORDS], paths[4 * 2 * JOB_PATHS];
    struct asian_result price;
};

static void *run_job(void *user)
{
    struct job *job = user;
    bailey_context *mine = NULL;
    bailey_bridge *bridge = NULL;
    bailey_buffer *buffer = NULL;
    const double covariance[4] = {0.04, 0.018, 0.018, 0.09};
    const bailey_source source = {.seed = job->seed}, third = {.seed = job->seed, .stream = 3};
    const bailey_normal_params normal = {.method = BAILEY_NORMAL_METHOD_BOX_MULLER};
    const bailey_bridge_params params = {
        .times = good_times, .steps = 4, .dims = 2, .covariance = covariance};
    struct asian_params option = good_option();
    option.paths = 20011;
    option.source = source;
    memset(&job->price, 0, sizeof job->price);
    bailey_status status = bailey_context_create(device.address, NULL, &mine);
    if (status == BAILEY_OK) status = bailey_buffer_create(mine, sizeof job->words, &buffer);
    if (status == BAILEY_OK) status = bailey_bridge_create(mine, &params, &bridge);
    for (int round = 0; round < 3 && status == BAILEY_OK; round++) {
        status = bailey_words_generate(mine, &third, 0, JOB_WORDS, buffer, 0);
        if (status == BAILEY_OK) status = bailey_buffer_read(buffer, 0, job->words, sizeof job->words);
        if (status == BAILEY_OK)
            status = bailey_normals_generate(mine, &source, &normal, 0, JOB_WORDS, buffer, 0);
        if (status == BAILEY_OK) status = bailey_buffer_read(buffer, 0, job->normals, sizeof job->normals);
        if (status == BAILEY_OK) status = bailey_bridge_paths(bridge, &source, &normal, 5, JOB_PATHS, buffer);
        if (status == BAILEY_OK) status = bailey_buffer_read(buffer, 0, job->paths, sizeof job->paths);
        if (status == BAILEY_OK && device.has_f64) status = asian_price(mine, &option, &job->price);
    }
    bailey_bridge_destroy(bridge);
    bailey_buffer_destroy(buffer);
    bailey_context_destroy(mine);
    job->status = status;
    return NULL;
}

TEST(two_contexts_in_two_threads, DEVICE | LONG_ON_OPENCL)
{
    struct job *alone = allocate(2 * sizeof *alone), *together = allocate(2 * sizeof *together);
    for (int i = 0; i < 2; i++) alone[i].seed = together[i].seed = 1000 + (uint64_t)i;
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&together[i].thread, NULL, run_job, &together[i]), 0);
    for (int i = 0; i < 2; i++) pthread_join(together[i].thread, NULL);
    for (int i = 0; i < 2; i++) {
        run_job(&alone[i]);
        OK(alone[i].status);
        assert_int_equal(together[i].status, BAILEY_OK);
        same_bits("words", together[i].words, alone[i].words, JOB_WORDS, 4);
        same_bits("normals", together[i].normals, alone[i].normals, JOB_WORDS, 4);
        same_bits("paths", together[i].paths, alone[i].paths, 4 * 2 * JOB_PATHS, 4);
        same_bits("price", &together[i].price, &alone[i].price, sizeof alone->price, 1);
    }
    free(alone);
    free(together);
}

/* ---- Failing allocations ---------------------------------------------------------------------- */

static bailey_status open_and_close(void)
{
    bailey_context *made = NOWHERE;
    const bailey_status status = bailey_context_create(device.address, NULL, &made);
    if (status == BAILEY_OK)
        bailey_context_destroy(made);
    else
        assert_null(made);
    return status;
}

static bailey_status make_buffer(void)
{
    bailey_buffer *made = NOWHERE;
    const bailey_status status = bailey_buffer_create(context, 100, &made);
    if (status == BAILEY_OK)
        bailey_buffer_destroy(made);
    else
        assert_null(made);
    return status;
}

static bailey_status adopt_buffer(void)
{
    uint64_t memory[4];
    bailey_buffer *made = NOWHERE;
    const bailey_status status = bailey_buffer_adopt_host(context, memory, sizeof memory, &made);
    if (status == BAILEY_OK)
        bailey_buffer_destroy(made);
    else
        assert_null(made);
    return status;
}

/* Makes the n-th allocation of `call` fail, for n = 1, 2, ... until it has fewer. */
static void fail_allocations(const char *what, bailey_status (*call)(void))
{
    int64_t n = 1;
    for (;; n++) {
        bly_pool_empty(context); /* else it is released and the allocation tried again */
        bly_alloc_countdown = n;
        const bailey_status status = call();
        const int64_t left = bly_alloc_countdown;
        bly_alloc_countdown = -1;
        if (left > 0) {
            if (status != BAILEY_OK) fail_msg("%s: %s", what, bailey_error_message());
            break;
        }
        if (status != BAILEY_ERROR_MEMORY)
            fail_msg("%s: allocation %lld fails: %s (%s)", what, (long long)n, bailey_status_name(status),
                     bailey_error_message());
        contains(what, bailey_error_message(), "memory");
    }
    assert_true(n > 1); /* some did */
}

/* Objects made on a context are in test_laws.c. */
TEST(failing_allocations, DEVICE)
{
    fail_allocations("bailey_context_create", open_and_close);
    fail_allocations("bailey_buffer_create", make_buffer);
    fail_allocations("bailey_buffer_adopt_host", adopt_buffer);
    check_known_answers(); /* the context still works */
}
