/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Jobs: of one device, of two and of devices that fail in the middle they have the bits of a plain run; they
 * stop where they are told and go on from their checkpoint; they stop by their error at the same place
 * everywhere.
 */
#include <base/alloc.h>
#include <host/internal.h>
#include <host/job/job_state.h>
#include <host/simulate/simulation_internal.h>

#include "clocks.h"
#include "jobs.h"

#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[300]; /* of checkpoints */

static int name_path(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "%s/checkpoint", test_folder());
    return 0;
}
FIXTURE(name_path, NULL)

/* ---- A device that fails ------------------------------------------------------------------------- */

/* The device's own functions, except that launches fail as soon as there have been `launches_left`. */
static struct bly_backend failing;
static const struct bly_backend *real_backend;
static atomic_int launches_left;

static bailey_status failing_launch(struct bly_device *on, uint32_t queue, struct bly_program *program,
                                    uint32_t kernel, uint64_t groups, uint64_t rows, const void *params,
                                    struct bly_memory *const *buffers)
{
    if (atomic_fetch_sub(&launches_left, 1) <= 0)
        return bly_fail(BAILEY_ERROR_DRIVER, "the test's device is gone");
    return real_backend->launch(on, queue, program, kernel, groups, rows, params, buffers);
}

static void break_device(bailey_context *on, int launches)
{
    real_backend = on->device->backend;
    failing = *real_backend;
    failing.launch = failing_launch;
    launches_left = launches;
    on->device->backend = &failing;
}

static void mend_device(bailey_context *on) { on->device->backend = real_backend; }

/* ---- Two devices --------------------------------------------------------------------------------- */

static const bailey_simulation_run_params plain = {.paths = 400000, .source = {.seed = 11}};

/* The device under test and one more of the processor, of one thread. */
struct pair {
    bailey_context *second;
    bailey_simulation *s[2];
};

static struct pair make_pair(void)
{
    struct pair p = {0};
    const bailey_context_params params = {.threads = 1};
    OK(bailey_context_create("cpu", &params, &p.second));
    p.s[0] = make_two(context, BAILEY_PRECISION_F32);
    p.s[1] = make_two(p.second, BAILEY_PRECISION_F32);
    return p;
}

static void free_pair(struct pair *p)
{
    bailey_simulation_destroy(p->s[0]);
    bailey_simulation_destroy(p->s[1]);
    bailey_context_destroy(p->second);
}

TEST(two_devices, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    struct pair p = make_pair();
    const struct outcome wanted = run_plainly(p.s[1], plain);
    for (int n = 0; n < 6; n++) {
        struct outcome found = {0};
        bailey_job_report report;
        const bailey_job_params job = {.run = wanting_all(plain, &found)};
        bailey_simulation *const backwards[] = {p.s[1], p.s[0]};
        OK(bailey_job_run(n % 2 ? backwards : p.s, n == 0 ? 1 : 2, &job, found.e, &report));
        same_outcome("two devices", &found, &wanted);
        assert_int_equal(report.device[0].paths + report.device[1].paths, plain.paths);
        assert_int_equal(report.known, plain.paths);
        assert_int_equal(report.paths, plain.paths);
    }
    free_pair(&p);
}

/* Whichever of them fails, and whenever. */
TEST(one_fails, DEVICE)
{
    if (!simulates()) skip();
    struct pair p = make_pair();
    const struct outcome wanted = run_plainly(p.s[1], plain);
    for (int n = 0; n < 8; n++) {
        struct outcome found = {0};
        bailey_job_report report;
        const bailey_job_params job = {.run = wanting_all(plain, &found)};
        break_device(n % 2 ? p.second : context, n);
        const bailey_status status = bailey_job_run(p.s, 2, &job, found.e, &report);
        mend_device(n % 2 ? p.second : context);
        OK(status);
        same_outcome("one fails", &found, &wanted);
        const bailey_job_device *bad = &report.device[n % 2];
        if (launches_left < 0) {
            assert_int_equal(bad->status, BAILEY_ERROR_DRIVER);
            assert_string_equal(bad->message, "the test's device is gone");
        }
        assert_int_equal(report.device[1 - n % 2].status, BAILEY_OK);
    }
    free_pair(&p);
}

/* No device is left: the job fails, and is resumed later. */
TEST(all_fail, DEVICE)
{
    if (!simulates()) skip();
    bailey_simulation *s = make_two(context, BAILEY_PRECISION_F32);
    const struct outcome wanted = run_plainly(s, plain);
    struct outcome found = {0};
    const bailey_job_params job = {.run = wanting_all(plain, &found), .checkpoint = path};
    bailey_job_report report;
    uint64_t known = 0;
    int failures = 0;
    bailey_status status = BAILEY_ERROR_DRIVER;
    while (status != BAILEY_OK && failures < 100) {
        break_device(context, 2 + failures % 5);
        status = bailey_job_run(&s, 1, &job, found.e, &report);
        mend_device(context);
        if (status == BAILEY_OK) break;
        assert_int_equal(status, BAILEY_ERROR_DRIVER);
        assert_string_equal(bailey_error_message(), "the test's device is gone");
        assert_int_equal(report.loaded, known);
        assert_true(report.known >= known);
        known = report.known;
        failures++;
    }
    assert_true(failures > 1 && known > 0);
    OK(status);
    same_outcome("after failures", &found, &wanted);
    remove(path);
    bailey_simulation_destroy(s);
}

/* ---- Stopping and going on ----------------------------------------------------------------------- */

struct stopping {
    uint64_t at, seen, total;
};

static int stop_at(void *user, uint64_t done, uint64_t total)
{
    struct stopping *s = user;
    assert_true(done >= s->seen && done <= total);
    s->seen = done;
    s->total = total;
    return done >= s->at;
}

TEST(cancelled_jobs, DEVICE)
{
    if (!simulates()) skip();
    struct pair p = make_pair();
    const struct outcome wanted = run_plainly(p.s[1], plain);
    struct outcome found = {0};
    struct stopping stopping = {0};
    bailey_job_params job = {.run = wanting_all(plain, &found), .checkpoint = path};
    bailey_job_report report;
    job.run.progress = stop_at;
    job.run.progress_user = &stopping;
    int stops = 0;
    bailey_status status;
    /* Each device takes a part before it sees that it is to stop. */
    while ((status = bailey_job_run(p.s, 1 + stops % 2, &job, found.e, &report)) == BAILEY_ERROR_CANCELLED) {
        assert_non_null(strstr(bailey_error_message(), "cancelled after"));
        assert_int_equal(stopping.total, plain.paths);
        stopping.seen = 0;
        stopping.at = report.known + plain.paths / 8;
        if (++stops > 50) fail_msg("the job never ends");
    }
    OK(status);
    same_outcome("cancelled", &found, &wanted);
    /* Once more: everything is known. */
    memset(&found, 0, sizeof found);
    stopping.at = UINT64_MAX;
    OK(bailey_job_run(p.s, 2, &job, found.e, &report));
    same_outcome("known", &found, &wanted);
    assert_int_equal(report.loaded, plain.paths);
    assert_int_equal(report.device[0].paths + report.device[1].paths, 0);
    remove(path);
    free_pair(&p);
}

TEST(refused_checkpoints, DEVICE)
{
    if (!simulates()) skip();
    bailey_simulation *s = make_two(context, BAILEY_PRECISION_F32);
    bailey_job_params job = {.run = {.paths = 5000}, .checkpoint = path};
    bailey_estimate e[2];
    OK(bailey_job_run(&s, 1, &job, e, NULL));
    set(s, "scale", 2);
    assert_int_equal(bailey_job_run(&s, 1, &job, e, NULL), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "checkpoint");
    assert_non_null(
        strstr(bailey_error_message(), ": it belongs to another run: not the same payoff's parameters"));
    set(s, "scale", 1);
    OK(bailey_job_run(&s, 1, &job, e, NULL));
    FILE *file = fopen(path, "r+b");
    fseek(file, 300, SEEK_SET);
    const int byte = fgetc(file);
    fseek(file, 300, SEEK_SET);
    fputc(byte ^ 1, file);
    fclose(file);
    assert_int_equal(bailey_job_run(&s, 1, &job, e, NULL), BAILEY_ERROR_INVALID);
    assert_non_null(strstr(bailey_error_message(), "damaged"));
    assert_int_equal(truncate(path, 0), 0);
    assert_int_equal(bailey_job_run(&s, 1, &job, e, NULL), BAILEY_ERROR_INVALID);
    remove(path);
    job.checkpoint = "/nowhere/at/all";
    assert_int_equal(bailey_job_run(&s, 1, &job, e, NULL), BAILEY_ERROR_IO);
    assert_string_equal(bailey_error_argument(), "checkpoint");
    job.checkpoint = "/tmp";
    assert_int_equal(bailey_job_run(&s, 1, &job, e, NULL), BAILEY_ERROR_INVALID);
    bailey_simulation_destroy(s);
}

TEST(refused_jobs, DEVICE)
{
    if (!simulates()) skip();
    struct pair p = make_pair();
    bailey_simulation *const same[] = {p.s[0], p.s[0]}, *const none[] = {p.s[0], NULL};
    const bailey_job_params job = {.run = {.paths = 5000}};
    bailey_job_params bad = job;
    bailey_estimate e[2];
    assert_int_equal(bailey_job_run(same, 2, &job, e, NULL), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_job_run(none, 2, &job, e, NULL), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_job_run(p.s, 0, &job, e, NULL), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_job_run(p.s, 2, NULL, e, NULL), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_job_run(p.s, 2, &job, NULL, NULL), BAILEY_ERROR_INVALID);
    set(p.s[1], "scale", 3);
    assert_int_equal(bailey_job_run(p.s, 2, &job, e, NULL), BAILEY_ERROR_INVALID);
    assert_non_null(strstr(bailey_error_message(), "not the same payoff's parameters"));
    bad.target_error = 1;
    bad.target_output = 2;
    assert_int_equal(bailey_job_run(p.s, 1, &bad, e, NULL), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "target_output");
    bad.target_output = 0;
    bad.run.source = (bailey_source){.generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_NONE};
    assert_int_equal(bailey_job_run(p.s, 1, &bad, e, NULL), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "replicates");
    set(p.s[0], "scale", 1e30); /* whose squares are beyond single precision, but not their sums */
    bad = job;
    bad.run.paths = 4096;
    OK(bailey_job_run(p.s, 1, &bad, e, NULL));
    free_pair(&p);
}

/* ---- Work that is done elsewhere ------------------------------------------------------------------ */

/* Somebody who borrows: in the caller's thread here, on a simulation that the job does not have. */
struct borrower {
    bailey_simulation *s;
    const bailey_simulation_run_params *run;
    uint64_t paths, loans;
    int stages; /* the first window is not the run */
};

static void not_taken_back(bailey_job *job, uint64_t first, uint64_t count)
{
    assert_int_equal(bailey_job_return(job, first, count), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "first");
}

/* Parts that are not of the window, while others are lent. */
static void refused_parts(const struct borrower *b, bailey_job *job, uint64_t first)
{
    bailey_tally *tally;
    OK(bailey_tally_create(b->s, b->run, &tally));
    const uint64_t parts = bailey_tally_parts(tally);
    bailey_tally_destroy(tally);
    not_taken_back(job, parts, 1);
    not_taken_back(job, first, 0);
    not_taken_back(job, 0, parts); /* more than is out */
    if (b->stages) not_taken_back(job, parts - 1, 1);
}

static bailey_status borrow(void *user, bailey_job *job, uint64_t *others)
{
    struct borrower *b = user;
    uint64_t first;
    *others = 1;
    if (b->loans == 0) not_taken_back(job, 0, 1); /* nothing is out */
    const uint64_t count = bailey_job_lease(job, 1e6, 0.01, &first);
    if (count == 0) return BAILEY_OK;
    if (b->loans == 0) refused_parts(b, job, first);
    /* Of every third loan nothing is run, of the others at least a part. */
    const uint64_t run = b->loans++ % 3 == 0 ? 0 : (count + 1) / 2;
    if (run) {
        bailey_tally *tally;
        OK(bailey_tally_create(b->s, b->run, &tally));
        OK(bailey_job_run_part(tally, &b->s, 1, NULL, first, run, NULL));
        b->paths += bailey_tally_paths(tally);
        const uint64_t size = bailey_tally_bytes(tally);
        void *bytes = allocate(size);
        OK(bailey_tally_save(tally, bytes, size));
        OK(bailey_job_merge(job, bytes, size));
        assert_int_equal(bailey_job_merge(job, bytes, size), BAILEY_ERROR_INVALID);
        free(bytes);
        bailey_tally_destroy(tally);
    }
    if (run < count) OK(bailey_job_return(job, first + run, count - run));
    return BAILEY_OK;
}

TEST(lending, DEVICE)
{
    if (!simulates()) skip();
    struct pair p = make_pair();
    for (int n = 0; n < 3; n++) {
        bailey_simulation_run_params params = plain;
        struct outcome found = {0};
        if (n) params.replicates = 3;
        bailey_job_params job = {.run = wanting_all(params, &found), .serve = borrow};
        struct borrower borrower = {.s = p.s[1], .run = &job.run, .stages = n == 2};
        bailey_job_report report;
        if (n == 2) job.target_error = 1e-9; /* in stages */
        job.serve_user = &borrower;
        const struct outcome wanted = run_plainly(p.s[1], params);
        OK(bailey_job_run(p.s, 1, &job, found.e, &report));
        same_outcome("lending", &found, &wanted);
        assert_int_equal(report.device[0].paths + borrower.paths, plain.paths * (n ? 3 : 1));
    }
    free_pair(&p);
}

/* A job without threads: all of the first two parts of each replicate are handed out. Places that are
 * adjacent in the window need not be adjacent in the run. */
TEST(parts_past_the_window, DEVICE)
{
    if (!simulates()) skip();
    bailey_simulation *s = make_two(context, BAILEY_PRECISION_F32);
    const bailey_simulation_run_params run = {.paths = 5 * 4096, .replicates = 3};
    bailey_job job = {.window = {.first = 0, .count = 2}, .leased = 3 * 2 * 4096, .leases = 3};
    OK(bailey_tally_create(s, &run, &job.tally));
    assert_int_equal(job.tally->each, 5);
    pthread_mutex_init(&job.mutex, NULL);
    pthread_cond_init(&job.work, NULL);
    pthread_cond_init(&job.done, NULL);
    for (uint64_t replicate = 0; replicate < 3; replicate++) {
        not_taken_back(&job, replicate * 5 + 1, 2);
        not_taken_back(&job, replicate * 5, 3);
        not_taken_back(&job, replicate * 5 + 2, 1);
    }
    for (uint64_t replicate = 0; replicate < 3; replicate++) OK(bailey_job_return(&job, replicate * 5, 2));
    assert_int_equal(job.leased, 0);
    assert_int_equal(job.queue.left, 6);
    bly_job_queue_free(&job.queue);
    pthread_cond_destroy(&job.done);
    pthread_cond_destroy(&job.work);
    pthread_mutex_destroy(&job.mutex);
    bailey_tally_destroy(job.tally);
    bailey_simulation_destroy(s);
}

/* Allocations of the caller's thread, which fail one after the other: the job ends, and goes on. */
TEST(failing_allocations, DEVICE)
{
    if (!simulates()) skip();
    bailey_simulation *s = make_two(context, BAILEY_PRECISION_F32);
    const bailey_simulation_run_params run = {.paths = 20000, .replicates = 2};
    const struct outcome wanted = run_plainly(s, run);
    struct outcome found = {0};
    const bailey_job_params job = {.run = wanting_all(run, &found), .checkpoint = path};
    bailey_status status;
    int n = 0;
    do {
        bly_alloc_countdown = ++n;
        status = bailey_job_run(&s, 1, &job, found.e, NULL);
        bly_alloc_countdown = 0;
    } while (status == BAILEY_ERROR_MEMORY && n < 200);
    OK(status);
    assert_true(n > 10);
    same_outcome("allocations", &found, &wanted);
    remove(path);
    bailey_simulation_destroy(s);
}

/* ---- Stopping by the error ----------------------------------------------------------------------- */

TEST(targets, DEVICE)
{
    if (!simulates()) skip();
    struct pair p = make_pair();
    bailey_job_params job = {.run = {.paths = 1 << 19, .source = {.seed = 3}}, .target_error = 0.02};
    bailey_job_report one, both;
    bailey_estimate a[2], b[2], wanted[2];
    OK(bailey_job_run(&p.s[1], 1, &job, a, &one));
    assert_true(one.reached && one.stages > 1);
    assert_true(a[0].standard_error <= 0.02 && one.stage_standard_error[one.stages - 2] > 0.02);
    assert_int_equal(one.paths, UINT64_C(16384) << (one.stages - 1));
    job.run.paths = one.paths;
    OK(bailey_simulation_run(p.s[1], &job.run, wanted));
    assert_memory_equal(a, wanted, sizeof a);

    /* Stopped after each tenth of a second, and on two devices. */
    struct stopping stopping = {0};
    job.run.paths = 1 << 19;
    job.run.progress = stop_at;
    job.run.progress_user = &stopping;
    job.checkpoint = path;
    bailey_status status;
    while ((status = bailey_job_run(p.s, 2, &job, b, &both)) == BAILEY_ERROR_CANCELLED) {
        stopping.seen = 0;
        stopping.at = both.known + 20000;
    }
    OK(status);
    assert_memory_equal(a, b, sizeof a);
    assert_int_equal(both.stages, one.stages);
    assert_memory_equal(both.stage_standard_error, one.stage_standard_error, sizeof one.stage_standard_error);
    /* A smaller target continues from there. */
    job.target_error = 0.012;
    stopping = (struct stopping){.at = UINT64_MAX};
    OK(bailey_job_run(p.s, 2, &job, b, &both));
    assert_true(both.reached && both.stages > one.stages && both.loaded >= one.paths);
    job.target_error = 1e-9;
    OK(bailey_job_run(p.s, 2, &job, b, &both));
    assert_true(!both.reached && both.paths == 1 << 19);
    job.run.progress = NULL;
    OK(bailey_simulation_run(p.s[1], &job.run, wanted));
    assert_memory_equal(b, wanted, sizeof b);
    remove(path);

    /* Of replicates, from the middle, with points. */
    job = (bailey_job_params){
        .run = {.paths = 1 << 16,
                .first_path = 1 << 14,
                .replicates = 4,
                .source = {.generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_OWEN}},
        .target_error = 2e-3,
        .initial_paths = 4096};
    OK(bailey_job_run(p.s, 2, &job, b, &both));
    assert_true(both.reached);
    /* Four replicates have an interval that is wider than a normal one by 3.18 / 1.96. */
    for (uint32_t i = 0; i < both.stages; i++)
        assert_true((both.stage_standard_error[i] * 3.1824463 / 1.9599640 <= 2e-3) == (i + 1 == both.stages));
    job.run.paths = both.paths;
    OK(bailey_simulation_run(p.s[1], &job.run, wanted));
    assert_memory_equal(b, wanted, sizeof b);
    free_pair(&p);
}

/* Replicates of a jump that agree exactly, as the probability of its payoff is near half, and paths that
 * pay nothing, reach no target. */
TEST(nothing_known, DEVICE)
{
    if (!simulates()) skip();
    const double year = 1, rate = 0.05, volatility = 0.2, one = 1, hundred = 100,
                 strikes[2] = {103.045296, 1e6};
    const bailey_simulation_params params = {.path = {.times = &year, .steps = 1},
                                             .payoff = {.name = "digital"}};
    bailey_job_params job = {
        .run = {.paths = 1 << 18,
                .replicates = 8,
                .source = {.generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_LMS, .seed = 1}},
        .target_error = 1e-4};
    bailey_simulation *s;
    bailey_job_report report;
    bailey_estimate e;
    OK(bailey_simulation_create(context, &params, &s));
    OK(bailey_simulation_set(s, "spot", &hundred, 1));
    OK(bailey_simulation_set(s, "volatility", &volatility, 1));
    OK(bailey_simulation_set(s, "rate", &rate, 1));
    OK(bailey_simulation_set(s, "cash", &one, 1));
    OK(bailey_simulation_set(s, "strike", &strikes[0], 1));
    OK(bailey_job_run(&s, 1, &job, &e, &report));
    assert_true(isnan(report.stage_standard_error[0]) && report.stages > 1);
    OK(bailey_simulation_set(s, "strike", &strikes[1], 1));
    OK(bailey_job_run(&s, 1, &job, &e, &report));
    assert_true(!report.reached && report.stages == 5 && isnan(report.stage_standard_error[4]));
    assert_true(e.mean == 0 && e.standard_error == 0);
    bailey_simulation_destroy(s);
}

/* Sums in integers: shared, stopped by the error, saved and resumed. */
TEST(whole_numbers, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    struct pair p = make_pair();
    bailey_job_params job = {
        .run = {.paths = 1 << 19, .source = {.seed = 3}, .sum = BAILEY_SUM_FIXED, .sum_limit = 5000},
        .target_error = 0.02,
        .checkpoint = path};
    bailey_job_report report;
    bailey_estimate found[2], wanted[2];
    OK(bailey_job_run(p.s, 2, &job, found, &report));
    assert_true(report.reached);
    job.target_error = 0.012;
    OK(bailey_job_run(p.s, 2, &job, found, &report));
    assert_true(report.reached && report.loaded > 0);
    bailey_simulation_run_params run = job.run;
    run.paths = report.paths;
    OK(bailey_simulation_run(p.s[1], &run, wanted));
    assert_memory_equal(found, wanted, sizeof found);
    job.run.sum_limit = 5001;
    assert_int_equal(bailey_job_run(p.s, 2, &job, found, NULL), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "checkpoint");
    remove(path);
    free_pair(&p);
}

/* ---- The date ------------------------------------------------------------------------------------ */

/* Borrows a part and brings it back some naps of the job later. */
struct idle_borrower {
    uint64_t first, count;
    int calls;
};

static bailey_status borrow_idly(void *user, bailey_job *job, uint64_t *others)
{
    struct idle_borrower *b = user;
    *others = 1;
    if (!b->count) b->count = bailey_job_lease(job, 0, 0.01, &b->first);
    if (!b->count || ++b->calls != 20) return BAILEY_OK;
    return bailey_job_return(job, b->first, b->count);
}

/* The naps of a job last as long as they are to when the date is set back in them. */
TEST(date_set_back, DEVICE)
{
    if (!simulates()) skip();
    struct idle_borrower borrower = {0};
    const bailey_job_params job = {
        .run = {.paths = 20000, .source = {.seed = 7}}, .serve = borrow_idly, .serve_user = &borrower};
    bailey_simulation *s = make_two(context, BAILEY_PRECISION_F32);
    bailey_estimate found[2], wanted[2];
    OK(bailey_simulation_run(s, &job.run, wanted));
    date_ahead = 3600;
    const unsigned before = alarm(60); /* not an hour */
    /* On a busy machine the job may be done before it asks whether somebody would borrow a part. */
    for (int runs = 0; !borrower.count && runs < 1000; runs++) OK(bailey_job_run(&s, 1, &job, found, NULL));
    alarm(before);
    date_ahead = 0;
    assert_true(borrower.calls >= 20);
    assert_memory_equal(found, wanted, sizeof found);
    bailey_simulation_destroy(s);
}
