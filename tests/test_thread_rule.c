/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The rule that one thread at a time uses a context, which debug builds check: a thread that breaks it gets
 * an error and touches nothing. With BAILEY_SANITIZE=thread the same calls show no race
 * (thread_sanitizer.sh).
 */
#include "harness.h"

#include <bailey/job.h>
#include <bailey/mlmc.h>
#include <bailey/motion.h>
#include <bailey/simulation.h>

#include <pthread.h>

#define NUMBERS 4096u
#define THREADS 4
#define ROUNDS 50

#ifdef NDEBUG
enum { CHECKED = 0 };
#else
enum { CHECKED = 1 };
#endif

static bailey_simulation *make_simulation(void)
{
    static const double times[] = {0.5, 1};
    const struct {
        const char *name;
        double value;
    } values[] = {{"spot", 100}, {"strike", 100}, {"volatility", 0.2}, {"rate", 0.05}};
    const bailey_simulation_params params = {.path = {.times = times, .steps = 2, .dims = 1},
                                             .payoff = {.name = "asian"}};
    const double one = 1;
    bailey_simulation *simulation = NULL;
    OK(bailey_simulation_create(context, &params, &simulation));
    OK(bailey_simulation_set(simulation, "weight", &one, 1));
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        OK(bailey_simulation_set(simulation, values[i].name, &values[i].value, 1));
    return simulation;
}

static int is_refused(bailey_status status)
{
    return status == BAILEY_ERROR_INVALID && strcmp(bailey_error_argument(), "context") == 0 &&
           strstr(bailey_error_message(), "one thread at a time") != NULL;
}

/* ---- Calls while another thread is in one --------------------------------------------------------- */

struct others {
    bailey_simulation *simulation;
    bailey_bridge *bridge;
    bailey_motion *motion;
    bailey_mlmc *mlmc;
    bailey_buffer *buffer;
    unsigned calls, refused, reports;
};

static void count(struct others *o, bailey_status status)
{
    o->calls++;
    o->refused += (unsigned)is_refused(status);
}

static void call_numbers(struct others *o)
{
    const bailey_source source = {0};
    const uint64_t tick = 1;
    count(o, bailey_words_generate(context, &source, 0, NUMBERS, o->buffer, 0));
    count(o, bailey_uniforms_generate(context, &source, BAILEY_PRECISION_F32, 0, 0, NUMBERS, o->buffer, 0));
    count(o, bailey_normals_generate(context, &source, NULL, 0, NUMBERS, o->buffer, 0));
    count(o, bailey_bridge_paths(o->bridge, &source, NULL, 0, 1, o->buffer));
    count(o, bailey_bridge_build(o->bridge, 1, o->buffer, o->buffer));
    count(o, bailey_motion_values(o->motion, &source, &tick, 1, 0, 1, o->buffer));
    count(o, bailey_buffer_fill(o->buffer, 0, 0, 4));
    count(o, bailey_context_sync(context));
}

static void call_prices(struct others *o)
{
    const double value = 1;
    const bailey_simulation_run_params run = {.paths = 64};
    const bailey_mlmc_run_params levels = {.eps = 1};
    bailey_estimate estimate[2];
    bailey_mlmc_result result;
    bailey_tally *tally = NULL;
    count(o, bailey_simulation_set(o->simulation, "spot", &value, 1));
    count(o, bailey_simulation_run(o->simulation, &run, estimate));
    count(o, bailey_mlmc_run(o->mlmc, &levels, &result));
    count(o, bailey_tally_create(o->simulation, &run, &tally));
}

static void *call_all(void *user)
{
    struct others *o = user;
    bailey_buffer *buffer = NULL;
    call_numbers(o);
    call_prices(o);
    count(o, bailey_buffer_create(context, 64, &buffer));
    bailey_buffer_destroy(o->buffer); /* each does nothing, and so does the last */
    bailey_simulation_destroy(o->simulation);
    bailey_context_destroy(context);
    return NULL;
}

static int report(void *user, uint64_t done, uint64_t total)
{
    struct others *o = user;
    pthread_t thread;
    bailey_device known;
    (void)done;
    (void)total;
    if (o->reports++) return 0;
    if (pthread_create(&thread, NULL, call_all, o) != 0) return 1;
    pthread_join(thread, NULL);
    return bailey_context_device(context, &known) != BAILEY_OK; /* a call of the same thread */
}

static void make_others(struct others *o)
{
    const double times[] = {0.5, 1};
    const bailey_bridge_params path = {.times = times, .steps = 2, .dims = 1};
    const bailey_motion_params motion = {.end_time = 1, .depth = 8, .dims = 1};
    const bailey_mlmc_params levels = {
        .estimator = {.name = "european"}, .dims = 1, .time = 1, .first_steps = 1};
    o->simulation = make_simulation();
    OK(bailey_bridge_create(context, &path, &o->bridge));
    OK(bailey_motion_create(context, &motion, &o->motion));
    OK(bailey_mlmc_create(context, &levels, &o->mlmc));
    OK(bailey_buffer_create(context, NUMBERS * sizeof(float), &o->buffer));
}

TEST(other_threads_are_refused, ON_CPU)
{
    if (!CHECKED) skip();
    struct others o = {0};
    bailey_estimate before[2], after[2];
    bailey_simulation_run_params run = {.paths = UINT64_C(1) << 16};
    make_others(&o);
    OK(bailey_simulation_run(o.simulation, &run, before));
    run.progress = report;
    run.progress_user = &o;
    OK(bailey_simulation_run(o.simulation, &run, after));
    assert_true(o.reports > 0);
    assert_int_equal(o.calls, 13);
    assert_int_equal(o.refused, o.calls);
    assert_memory_equal(before, after, sizeof before);
    OK(bailey_buffer_fill(o.buffer, 0, 0, NUMBERS * sizeof(float)));
    bailey_buffer_destroy(o.buffer);
    bailey_mlmc_destroy(o.mlmc);
    bailey_motion_destroy(o.motion);
    bailey_bridge_destroy(o.bridge);
    bailey_simulation_destroy(o.simulation);
}

/* ---- Threads that all call at once ------------------------------------------------------------------ */

struct caller {
    pthread_t thread;
    uint64_t seed;
    bailey_buffer *buffer;
    const float *expected;
    unsigned wrong, refused;
};

/* Makes the call until no other thread is in one. Returns whether it came to anything but OK. */
#define INSIST(caller, call)                                                                                 \
    do {                                                                                                     \
        bailey_status status_;                                                                               \
        while (is_refused(status_ = (call))) (caller)->refused++;                                            \
        (caller)->wrong += status_ != BAILEY_OK;                                                             \
    } while (0)

static void *draw(void *user)
{
    struct caller *c = user;
    const bailey_source source = {.seed = c->seed};
    static _Thread_local float found[NUMBERS];
    for (int i = 0; i < ROUNDS; i++) {
        INSIST(c, bailey_normals_generate(context, &source, NULL, 0, NUMBERS, c->buffer, 0));
        INSIST(c, bailey_buffer_read(c->buffer, 0, found, sizeof found));
        c->wrong += memcmp(found, c->expected, sizeof found) != 0;
    }
    return NULL;
}

TEST(threads_at_once, ON_CPU)
{
    struct caller callers[THREADS] = {{0}};
    static float expected[THREADS][NUMBERS];
    for (unsigned i = 0; i < THREADS; i++) {
        struct caller *c = &callers[i];
        c->seed = i;
        c->expected = expected[i];
        OK(bailey_buffer_create(context, sizeof expected[i], &c->buffer));
        OK(bailey_normals_generate(context, &(bailey_source){.seed = i}, NULL, 0, NUMBERS, c->buffer, 0));
        OK(bailey_buffer_read(c->buffer, 0, expected[i], sizeof expected[i]));
    }
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&callers[i].thread, NULL, draw, &callers[i]), 0);
    for (unsigned i = 0; i < THREADS; i++) pthread_join(callers[i].thread, NULL);
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(callers[i].wrong, 0);
        bailey_buffer_destroy(callers[i].buffer);
    }
}
