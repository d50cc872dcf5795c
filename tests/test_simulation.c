/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Runs of simulations: sums are one tree over the numbers of paths, whatever is cut; estimates are those of
 * the samples; parameters; what is refused, and what a run that fails leaves.
 */
#include <host/internal.h>

#include "api.h"
#include "simulations.h"
#include <float.h>

/* Outputs: x, something skew, and a combination of them that rounds in neither precision when x is of 8 bits.
 */
static const char three[] =
    "typedef struct { real scale, weight[3]; int shift; /* [default 0] */ } params;\n"
    "typedef struct { real last; } state;\n"
    "void start(state *s, const params *p) { s->last = 0; }\n"
    "void step(state *s, const params *p, int i, real t, const real x[]) { s->last = x[0]; }\n"
    "void finish(const state *s, const params *p, real out[3])\n"
    "{\n"
    "    real x = s->last;\n"
    "    out[0] = x;\n"
    "    out[1] = p->scale * exp(x) + p->weight[0] + p->weight[1] * x + p->weight[2] + p->shift;\n"
    "    out[2] = 3 + 2 * x;\n"
    "}\n";

static const double times[4] = {0.5, 1, 1.75, 3};

static bailey_bridge_params path_of(int f64)
{
    return (bailey_bridge_params){
        .times = times, .steps = 4, .precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32};
}

static bailey_simulation *make(int f64)
{
    bailey_simulation *s = simulation_of(three, path_of(f64));
    set(s, "scale", 1);
    return s;
}

/* ---- Sums -------------------------------------------------------------------------------------- */

struct terms {
    const void *samples;
    bailey_precision precision;
    uint64_t offset, other; /* of two outputs */
    int power;
};

static double term(const void *user, uint64_t i)
{
    const struct terms *t = user;
    const double a = number_at(t->samples, t->precision, t->offset + i);
    return t->power == 1 ? a : a * number_at(t->samples, t->precision, t->other + i);
}

/* Means, variances and covariances of a run, again from its samples. */
static void check_sums(const void *samples, bailey_precision precision,
                       const bailey_simulation_run_params *run, const bailey_estimate e[3])
{
    const double n = (double)run->paths;
    double sum[3];
    for (uint64_t a = 0; a < 3; a++) {
        const struct terms one = {samples, precision, a * run->paths, 0, 1};
        sum[a] = tree_sum(&one, term, run->first_path, run->paths);
        const double mean = sum[a] / n;
        if (e[a].mean != mean)
            fail_msg("%llu paths from %llu on: mean %llu is %a, expected %a", (unsigned long long)run->paths,
                     (unsigned long long)run->first_path, (unsigned long long)a, e[a].mean, mean);
    }
    for (uint64_t a = 0; a < 3; a++)
        for (uint64_t b = a; b < 3; b++) {
            const struct terms two = {samples, precision, a * run->paths, b * run->paths, 2};
            const double product = tree_sum(&two, term, run->first_path, run->paths);
            const double divisor = run->paths > 1 ? n - 1 : 1;
            double value = fma(-(sum[a] / n), sum[b], product) / divisor;
            if (a == b && !(value > 0x1p-44 * (product / n))) value = 0;
            assert_true(run->covariance[3 * a + b] == value && run->covariance[3 * b + a] == value);
            if (a == b) assert_true(e[a].variance == value);
        }
}

static const uint64_t firsts[] = {0, 1, 5, 63, 64, 1000003};
static const uint64_t counts[] = {1, 2, 3, 7, 63, 64, 65, 129, 257, 1000, 3001, 5000};

TEST(plain_trees, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    for (int f64 = 0; f64 < (only_drawn() ? 1 : 2); f64++) {
        bailey_simulation *s = make(f64);
        double covariance[9];
        bailey_estimate e[3];
        for (size_t f = 0; f < sizeof firsts / sizeof *firsts; f++)
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
                const bailey_simulation_run_params run = {.source = {.seed = 7},
                                                          .first_path = firsts[f],
                                                          .paths = counts[c],
                                                          .covariance = covariance};
                const bailey_precision precision = path_of(f64).precision;
                void *samples = run_for_samples(s, run, precision, e);
                check_sums(samples, precision, &run, e);
                free(samples);
            }
        bailey_simulation_destroy(s);
    }
}

/* Chunks as small as possible, several of which are in flight. */
TEST(many_chunks, DEVICE)
{
    if (!simulates()) skip();
    struct bly_device *on = context->device;
    const struct bly_tuning *real = on->tuning;
    struct bly_tuning tuning = *real;
    bailey_simulation *s = make(1);
    double covariance[9];
    bailey_estimate e[3];
    tuning.z_chunk_bytes = tuning.z_chunk_paths = 1;
    on->tuning = &tuning;
    for (size_t f = 0; f < sizeof firsts / sizeof *firsts; f++)
        for (int points = only_drawn(); points < 2; points++) {
            const bailey_simulation_run_params run = {
                .source = {.seed = 7, .generator = points ? BAILEY_GENERATOR_SOBOL : BAILEY_GENERATOR_WARP},
                .first_path = firsts[f],
                .paths = 4999,
                .covariance = covariance};
            void *samples = run_for_samples(s, run, BAILEY_PRECISION_F64, e);
            check_sums(samples, BAILEY_PRECISION_F64, &run, e);
            free(samples);
        }
    on->tuning = real;
    bailey_simulation_destroy(s);
}

/* Large enough for nodes that devices fold, and the last numbers of paths. */
TEST(large_runs, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    bailey_simulation *s = make(0);
    double covariance[9];
    bailey_estimate e[3];
    const uint64_t last = BAILEY_BRIDGE_MAX_PATHS;
    const bailey_simulation_run_params runs[] = {
        {.first_path = 77, .paths = 300001, .covariance = covariance},
        {.first_path = last - 777, .paths = 777, .covariance = covariance},
        {.source = {.generator = BAILEY_GENERATOR_SOBOL},
         .first_path = (UINT64_C(1) << 63) - 777,
         .paths = 777,
         .covariance = covariance}};
    for (size_t i = 0; i < 3; i++) {
        void *samples = run_for_samples(s, runs[i], BAILEY_PRECISION_F32, e);
        check_sums(samples, BAILEY_PRECISION_F32, &runs[i], e);
        free(samples);
    }
    bailey_simulation_destroy(s);
}

/* ---- Parameters -------------------------------------------------------------------------------- */

static const struct bly_backend *real_backend;
static int loads, allocs;

static bailey_status count_load(struct bly_device *on, const struct bly_code *code,
                                struct bly_program **program)
{
    loads++;
    return real_backend->load(on, code, program);
}

static bailey_status count_alloc(struct bly_device *on, enum bly_memory_kind kind, uint64_t bytes,
                                 struct bly_memory **memory)
{
    allocs++;
    return real_backend->alloc(on, kind, bytes, memory);
}

TEST(parameters, DEVICE)
{
    if (!simulates() || only_drawn()) skip();
    for (int f64 = 0; f64 < (few_programs() ? 1 : 2); f64++) {
        bailey_simulation *s = simulation_of(three, path_of(f64));
        bailey_estimate e[3], again[3];
        uint64_t count = 0;
        const bailey_simulation_run_params run = {.source = {.seed = 2}, .paths = 1000};
        const double weight[3] = {0.25, 0, 0.5}, zero[3] = {0, 0, 0};
        assert_string_equal(bailey_simulation_parameter(s, 0, &count), "scale");
        assert_true(count == 1);
        assert_string_equal(bailey_simulation_parameter(s, 1, &count), "weight");
        assert_true(count == 3);
        assert_string_equal(bailey_simulation_parameter(s, 2, NULL), "shift");
        assert_null(bailey_simulation_parameter(s, 3, &count));
        OK(bailey_simulation_run(s, &run, e));
        assert_true(e[1].mean == 0); /* all parameters are */
        struct bly_backend counting = *context->device->backend;
        real_backend = context->device->backend;
        counting.load = count_load;
        counting.alloc = count_alloc;
        loads = allocs = 0;
        context->device->backend = &counting;
        OK(bailey_simulation_set(s, "weight", weight, 3));
        set(s, "shift", -7);
        OK(bailey_simulation_run(s, &run, e));
        assert_true(e[1].mean == 0.75 - 7 && e[1].variance == 0);
        OK(bailey_simulation_set(s, "weight", zero, 3));
        set(s, "shift", 0);
        set(s, "scale", 1);
        OK(bailey_simulation_run(s, &run, e));
        assert_true(e[1].mean > 0.5 && e[1].variance > 0);
        set(s, "scale", 2);
        OK(bailey_simulation_run(s, &run, again));
        assert_true(again[1].mean == 2 * e[1].mean && again[0].mean == e[0].mean);
        context->device->backend = real_backend;
        assert_int_equal(loads, 0);
        assert_int_equal(allocs, 0);
        bailey_simulation_destroy(s);
    }
}

/* `call` is refused because of `argument`. */
#define REFUSES(call, argument, a, b)                                                                        \
    do {                                                                                                     \
        REFUSED_HERE(call, a, b);                                                                            \
        assert_string_equal(bailey_error_argument(), argument);                                              \
    } while (0)

static bailey_status set_one(bailey_simulation *s, const char *name, double value)
{
    return bailey_simulation_set(s, name, &value, 1);
}

TEST(refused_parameters, DEVICE)
{
    if (!device.has_f64) skip();
    const double three_values[3] = {1, 2, INFINITY};
    bailey_simulation *s = make(0), *wide = make(1);
    REFUSES(set_one(s, "scales", 1), "name", "scales", "no parameter");
    REFUSES(set_one(s, "", 1), "name", "", "");
    REFUSES(set_one(s, NULL, 1), "name", "NULL", "");
    REFUSES(set_one(s, "weight", 1), "count", "weight has 3", "1");
    REFUSES(bailey_simulation_set(s, "scale", three_values, 3), "count", "scale has 1", "3");
    REFUSES(bailey_simulation_set(s, "scale", three_values, 0), "count", "scale has 1", "0");
    REFUSES(bailey_simulation_set(s, "scale", NULL, 1), "values", "NULL", "");
    REFUSES(bailey_simulation_set(s, "weight", three_values, 3), "values", "weight[2]", "inf");
    REFUSES(set_one(s, "scale", NAN), "values", "scale", "nan");
    REFUSES(set_one(s, "scale", 1e300), "values", "scale", "single");
    REFUSES(set_one(s, "scale", 1e-300), "values", "scale", "single");
    REFUSES(set_one(s, "shift", 1.5), "values", "shift", "int");
    REFUSES(set_one(s, "shift", 0x1p31), "values", "shift", "int");
    REFUSES(set_one(s, "shift", NAN), "values", "shift", "int");
    OK(set_one(s, "shift", -0x1p31));
    OK(set_one(s, "scale", -FLT_MAX));
    OK(set_one(wide, "scale", 1e300));
    REFUSES(set_one(wide, "scale", 1e-310), "values", "scale", "double");
    REFUSED(set_one(NULL, "scale", 1), "simulation is NULL", "");
    assert_string_equal(bailey_error_argument(), "simulation");
    bailey_simulation_destroy(s);
    bailey_simulation_destroy(wide);
}

/* ---- Refusals ---------------------------------------------------------------------------------- */

static bailey_status create(const char *text, bailey_bridge_params path)
{
    const bailey_simulation_params params = {.path = path, .payoff = {.code = text}};
    bailey_simulation *made = NOWHERE;
    const bailey_status status = bailey_simulation_create(context, &params, &made);
    if (status != BAILEY_OK) assert_null(made);
    bailey_simulation_destroy(made);
    return status;
}

static void note_item(void *asian, const char *item, int passed, const char *detail)
{
    if (!passed) fail_msg("%s: %s", item, detail);
    *(int *)asian += strcmp(item, "price, Asian basket, f32") == 0;
}

/* Whether the self-test, which must pass, has a price whose payoff divides. Only here, since it is the host
 * that leaves the price out, and OpenCL would compile it all again. */
static void self_test(int divides)
{
    int asian = 0;
    if (strcmp(device.address, "cpu") != 0) return;
    const bailey_selftest_params params = {.report = note_item, .report_user = &asian};
    OK(bailey_selftest(context, &params));
    assert_int_equal(asian, divides);
}

/* On a device that rounds divisions otherwise, single precision has none. */
TEST(inexact_divisions, DEVICE)
{
    if (!device.has_f64) skip();
    static const char text[] =
        "void step(state *s, const params *p, int i, real t, const real x[]) {}\n"
        "void finish(const state *s, const params *p, real out[]) { out[0] = 1.0 / 3; }\n";
    const bailey_simulation_params single = {.path = path_of(0), .payoff = {.code = text}},
                                   twice = {.path = path_of(1), .payoff = {.code = text}},
                                   without = {.path = path_of(0), .payoff = {.code = three}};
    bailey_simulation *s = NULL;
    context->device->rounds_roots = 0;
    const bailey_status status = bailey_simulation_create(context, &single, &s);
    const char *why = bailey_error_message();
    assert_int_equal(status, BAILEY_ERROR_UNSUPPORTED);
    assert_non_null(strstr(why, "single precision"));
    assert_null(s);
    assert_int_equal(bailey_simulation_create(context, &twice, &s), BAILEY_OK);
    bailey_simulation_destroy(s);
    assert_int_equal(bailey_simulation_create(context, &without, &s), BAILEY_OK);
    bailey_simulation_destroy(s);
    self_test(0);
    context->device->rounds_roots = 1;
    self_test(1);
    assert_int_equal(bailey_simulation_create(context, &single, &s), BAILEY_OK);
    bailey_simulation_destroy(s);
}

TEST(refused_creations, DEVICE)
{
    if (!device.has_f64) skip();
    const bailey_simulation_params builtin = {.path = path_of(0), .payoff = {.name = "nobody's"}},
                                   none = {.path = path_of(0)};
    bailey_simulation *made = NOWHERE;
    bailey_bridge_params path = path_of(0);
    REFUSES(bailey_simulation_create(context, &builtin, &made), "payoff", "nobody's", "built-in");
    REFUSES(bailey_simulation_create(context, &none, &made), "payoff", "neither", "");
    REFUSES(bailey_simulation_create(context, NULL, &made), "params", "NULL", "");
    REFUSES(bailey_simulation_create(context, &none, NULL), "simulation", "NULL", "");
    REFUSED(bailey_simulation_create(NULL, &none, &made), "context is NULL", "");
    path.layout = BAILEY_LAYOUT_PATH_MAJOR;
    REFUSES(create(three, path), "layout", "layout", "");
    path = path_of(0);
    path.strategy = BAILEY_BRIDGE_STRATEGY_READBACK;
    REFUSES(create(three, path), "strategy", "strategy", "");
    assert_null(bailey_simulation_parameter(NULL, 0, NULL));
    assert_int_equal(bailey_simulation_outputs(NULL), 0);
    bailey_simulation_destroy(NULL);
}

static bailey_estimate untouched[3];

static bailey_status run_once(bailey_simulation *s, bailey_simulation_run_params run)
{
    bailey_estimate e[3];
    memset(e, 0x77, sizeof e);
    memcpy(untouched, e, sizeof e);
    const bailey_status status = bailey_simulation_run(s, &run, e);
    if (status != BAILEY_OK) assert_memory_equal(e, untouched, sizeof e);
    return status;
}

TEST(refused_runs, DEVICE)
{
    if (!simulates() || only_drawn()) skip();
    const double all[3] = {0, 1, 3}, infinite[3] = {INFINITY, NAN, NAN}, end = 1;
    const bailey_source sobol = {.generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_NONE};
    const uint64_t most = BAILEY_BRIDGE_MAX_PATHS;
    bailey_simulation *s = make(0);
    bailey_estimate e[3];
    bailey_simulation_run_params run = {.paths = 100};
    REFUSED(bailey_simulation_run(NULL, &run, e), "simulation is NULL", "");
    REFUSES(bailey_simulation_run(s, NULL, e), "params", "NULL", "");
    REFUSES(bailey_simulation_run(s, &run, NULL), "estimates", "NULL", "");
#define REFUSES_RUN(argument, a, b, ...)                                                                     \
    REFUSES(run_once(s, (bailey_simulation_run_params){__VA_ARGS__}), argument, a, b)
    REFUSES_RUN("first_path", "2^38", "", .paths = 1, .first_path = most);
    REFUSES_RUN("first_path", "2^38", "", .paths = most + 1);
    REFUSES_RUN("paths", "2^63", "", .paths = UINT64_MAX, .first_path = 5);
    REFUSES_RUN("first_path", "2^63", "", .paths = 5, .first_path = UINT64_MAX);
    REFUSES_RUN("replicates", "replicates", "scramble", .paths = 8, .replicates = 2, .source = sobol);
    REFUSES_RUN("stream", "stream", "", .paths = 8, .replicates = 2, .source = {.stream = UINT64_MAX});
    REFUSES_RUN("expected", "expected", "all 3", .paths = 8, .expected = all);
    REFUSES_RUN("expected", "expected[0]", "inf", .paths = 8, .expected = infinite);
    REFUSES_RUN("method", "", "", .paths = 8, .source = sobol,
                .normal = {.method = BAILEY_NORMAL_METHOD_BOX_MULLER});
    bailey_buffer *small = NULL, *foreign = NULL;
    bailey_context *other = another();
    OK(bailey_buffer_create(context, 100 * 3 * sizeof(float) - 1, &small));
    OK(bailey_buffer_create(other, 100 * 3 * sizeof(float), &foreign));
    REFUSES_RUN("samples", "samples", "", .paths = 100, .samples = small);
    REFUSES_RUN("samples", "samples", "context", .paths = 100, .samples = foreign);
    REFUSES_RUN("samples", "samples", "", .paths = most, .replicates = 1 << 20, .samples = small);
    bailey_buffer_destroy(small);
    bailey_buffer_destroy(foreign);
    bailey_context_destroy(other);
    OK(run_once(s, run));
    bailey_simulation_destroy(s);
    bailey_bridge_params fixed = path_of(0);
    fixed.end = &end;
    s = simulation_of(three, fixed);
    REFUSES_RUN("antithetic", "antithetic", "free end", .paths = 8, .antithetic = 1);
    bailey_simulation_destroy(s);
}

/* Outputs that are not finite, or whose squares are not: how many, and the first. */
TEST(infinite_outputs, DEVICE)
{
    if (!simulates() || only_drawn()) skip();
    static const char text[] = "typedef struct { real by, times; /* [default 0] */ } params;\n"
                               "void whole(const params *p, path x, real out[2])\n"
                               "{ real y = at(x, 0, 0);\n"
                               "  out[0] = p->by < 0 ? sqrt(y) : y * p->times / p->by;\n"
                               "  out[1] = y < 0 ? 1 : 0; }\n";
    for (int f64 = few_programs(); f64 < 2; f64++) {
        char wanted[64];
        bailey_estimate e[2];
        bailey_simulation *s = simulation_of(text, path_of(f64));
        bailey_simulation_run_params run = {.paths = 1000};
        set(s, "times", 1);
        REFUSES(run_once(s, run), "payoff", "of 1000 paths, 1000 have", "finite");
        set(s, "times", 0);
        REFUSES(run_once(s, run), "payoff", "output 0 of path 0 is nan", "finite");
        set(s, "by", 1);
        set(s, "times", f64 ? 1e200 : 1e30);
        if (f64)
            REFUSES(run_once(s, run), "payoff", "squared", "");
        else
            OK(run_once(s, run));
        set(s, "times", 1);
        run.first_path = 3;
        run.replicates = 2;
        OK(bailey_simulation_run(s, &run, e));
        set(s, "by", -1); /* roots of what is below 0 */
        snprintf(wanted, sizeof wanted, "of 2000 paths, %.0f have", e[1].mean * 2000);
        REFUSES(run_once(s, run), "payoff", wanted, "of replicate 0 is nan");
        unsigned long long first = 0;
        assert_non_null(strstr(bailey_error_message(), "path "));
        assert_int_equal(sscanf(strstr(bailey_error_message(), "path "), "path %llu", &first), 1);
        run = (bailey_simulation_run_params){.first_path = 3, .paths = first - 2};
        REFUSES(run_once(s, run), "payoff", ", 1 have", "nan");
        if (--run.paths) OK(run_once(s, run));
        bailey_simulation_destroy(s);
    }
}

/* ---- Progress ---------------------------------------------------------------------------------- */

static struct {
    uint64_t last, total, calls, stop;
} reports;

static int progress(void *user, uint64_t done, uint64_t total)
{
    assert_ptr_equal(user, &reports);
    assert_true(done > reports.last && done <= total);
    assert_true(reports.calls == 0 || total == reports.total);
    reports.last = done;
    reports.total = total;
    return ++reports.calls == reports.stop;
}

TEST(reports_rise, DEVICE)
{
    if (!simulates() || only_drawn()) skip();
    struct bly_device *on = context->device;
    const struct bly_tuning *real = on->tuning;
    struct bly_tuning tuning = *real;
    bailey_simulation *s = make(0);
    bailey_estimate quiet[3], e[3];
    bailey_simulation_run_params run = {
        .source = {.generator = BAILEY_GENERATOR_WARP}, .first_path = 100, .paths = 3001, .replicates = 3};
    tuning.z_chunk_bytes = tuning.z_chunk_paths = 1;
    on->tuning = &tuning;
    OK(bailey_simulation_run(s, &run, quiet));
    run.progress = progress;
    run.progress_user = &reports;
    memset(&reports, 0, sizeof reports);
    OK(bailey_simulation_run(s, &run, e));
    same_bits("reported", e, quiet, sizeof e / 8, 8);
    assert_true(reports.last == 9003 && reports.total == 9003 && reports.calls >= 6);
    for (uint64_t stop = 1; stop < 6; stop += 2) {
        memset(&reports, 0, sizeof reports);
        reports.stop = stop;
        assert_int_equal(run_once(s, run), BAILEY_ERROR_CANCELLED);
        assert_true(reports.calls == stop);
        contains("cancelled", bailey_error_message(), "of 9003");
    }
    run.progress = NULL;
    OK(bailey_simulation_run(s, &run, e));
    same_bits("after a cancelled run", e, quiet, sizeof e / 8, 8);
    on->tuning = real;
    bailey_simulation_destroy(s);
}

/* ---- Estimates --------------------------------------------------------------------------------- */

TEST(variance_reduction, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates() || only_drawn()) skip();
    const double start = 0.25, expected[3] = {0.25, NAN, NAN};
    bailey_bridge_params path = path_of(1);
    path.start = &start;
    bailey_simulation *s = simulation_of(three, path);
    bailey_estimate e[3];
    set(s, "scale", 1);
    bailey_simulation_run_params run = {.source = {.seed = 4}, .paths = 4001, .antithetic = 1};
    double *samples = run_for_samples(s, run, BAILEY_PRECISION_F64, e);
    for (uint64_t p = 0; p < run.paths; p++) assert_true(fabs(samples[p] - 0.25) < 1e-15);
    free(samples);
    assert_true(fabs(e[0].mean - 0.25) < 1e-15 && e[0].variance == 0 && e[0].standard_error == 0);
    assert_true(fabs(e[2].mean - 3.5) < 1e-14 && e[2].variance == 0 && e[1].variance > 0);
    run.antithetic = 0;
    run.expected = expected;
    OK(bailey_simulation_run(s, &run, e));
    assert_true(fabs(e[2].controlled - 3.5) < 1e-12 && e[2].controlled_standard_error < 1e-8 &&
                e[2].standard_error > 1e-3);
    assert_true(e[1].controlled_standard_error < e[1].standard_error);
    assert_true(fabs(e[1].controlled - exp(0.25 + 1.5)) < 5 * e[1].controlled_standard_error);
    run = (bailey_simulation_run_params){.source = {.seed = 4, .generator = BAILEY_GENERATOR_SOBOL},
                                         .paths = 256};
    OK(bailey_simulation_run(s, &run, e));
    assert_true(isnan(e[0].standard_error) && isnan(e[0].controlled_standard_error) && e[0].paths == 256);
    run.source.scramble = BAILEY_SCRAMBLE_LMS;
    run.replicates = 32;
    OK(bailey_simulation_run(s, &run, e));
    assert_true(e[0].standard_error > 0 && e[0].standard_error < 0.01 && e[0].paths == 8192);
    assert_true(fabs(e[0].mean - 0.25) < 5 * e[0].standard_error);
    bailey_simulation_destroy(s);
}

/* Extrema and moments of samples. */
TEST(shapes, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates() || only_drawn()) skip();
    enum { PATHS = 2003 };
    bailey_simulation *s = make(1);
    bailey_estimate e[3];
    const bailey_simulation_run_params run = {
        .source = {.seed = 4}, .first_path = 17, .paths = PATHS, .moments = 1};
    double *samples = run_for_samples(s, run, BAILEY_PRECISION_F64, e);
    for (int o = 0; o < 3; o++) {
        const double *x = samples + (size_t)o * PATHS;
        double low = x[0], high = x[0], m[5] = {0};
        for (int p = 0; p < PATHS; p++) {
            low = fmin(low, x[p]), high = fmax(high, x[p]);
            for (int k = 2; k < 5; k++) m[k] += pow(x[p] - e[o].mean, k) / PATHS;
        }
        assert_true(e[o].minimum == low && e[o].maximum == high);
        assert_true(fabs(e[o].skewness - m[3] / pow(m[2], 1.5)) < 1e-9 * (1 + fabs(e[o].skewness)));
        assert_true(fabs(e[o].kurtosis - (m[4] / (m[2] * m[2]) - 3)) < 1e-9 * (1 + fabs(e[o].kurtosis)));
    }
    free(samples);
    bailey_simulation_destroy(s);
}

/* ---- Faults ------------------------------------------------------------------------------------ */

/* Each of the device's operations, counted: the one with number 0 fails. */
static int64_t until_failure;

static bailey_status fails(void)
{
    return until_failure-- == 0 ? bly_fail(BAILEY_ERROR_DRIVER, "no device, for a test") : BAILEY_OK;
}

static bailey_status fail_alloc(struct bly_device *on, enum bly_memory_kind kind, uint64_t bytes,
                                struct bly_memory **memory)
{
    const bailey_status status = fails();
    return status == BAILEY_OK ? real_backend->alloc(on, kind, bytes, memory) : status;
}

static bailey_status fail_write(struct bly_device *on, struct bly_memory *memory, uint64_t offset,
                                const void *source, uint64_t bytes)
{
    const bailey_status status = fails();
    return status == BAILEY_OK ? real_backend->write(on, memory, offset, source, bytes) : status;
}

static bailey_status fail_copy(struct bly_device *on, uint32_t queue, struct bly_memory *from,
                               uint64_t from_offset, struct bly_memory *to, uint64_t to_offset,
                               uint64_t bytes)
{
    const bailey_status status = fails();
    return status == BAILEY_OK ? real_backend->copy(on, queue, from, from_offset, to, to_offset, bytes)
                               : status;
}

static bailey_status fail_launch(struct bly_device *on, uint32_t queue, struct bly_program *program,
                                 uint32_t kernel, uint64_t groups, uint64_t rows, const void *params,
                                 struct bly_memory *const *buffers)
{
    const bailey_status status = fails();
    if (status != BAILEY_OK) return status;
    return real_backend->launch(on, queue, program, kernel, groups, rows, params, buffers);
}

static bailey_status fail_fence(struct bly_device *on, uint32_t queue, struct bly_fence **fence)
{
    const bailey_status status = fails();
    return status == BAILEY_OK ? real_backend->fence(on, queue, fence) : status;
}

static bailey_status fail_fence_done(struct bly_device *on, struct bly_fence *fence, int wait, int *done)
{
    const bailey_status status = fails();
    return status == BAILEY_OK ? real_backend->fence_done(on, fence, wait, done) : status;
}

/* A failure at any point of a run is reported, and the next run has the bits of the first. */
TEST(failing_device, DEVICE)
{
    if (!simulates() || only_drawn()) skip();
    struct bly_device *on = context->device;
    const struct bly_tuning *real = on->tuning;
    struct bly_tuning tuning = *real;
    struct bly_backend failing = *on->backend;
    bailey_simulation *s = make(0);
    bailey_estimate first[3], e[3];
    const bailey_simulation_run_params run = {
        .source = {.generator = BAILEY_GENERATOR_WARP}, .paths = 1200, .replicates = 2};
    tuning.z_chunk_bytes = tuning.z_chunk_paths = 1;
    real_backend = on->backend;
    failing.alloc = fail_alloc;
    failing.write = fail_write;
    failing.copy = fail_copy;
    failing.launch = fail_launch;
    failing.fence = fail_fence;
    failing.fence_done = fail_fence_done;
    on->tuning = &tuning;
    OK(bailey_simulation_run(s, &run, first));
    int64_t n = 0, left = -1, reported = 0;
    for (; left < 0; n++) {
        on->backend = &failing;
        set(s, "scale", 1); /* so that it is written again */
        bly_pool_empty(context);
        until_failure = n;
        const bailey_status status = run_once(s, run);
        left = until_failure;
        on->backend = real_backend;
        reported += status != BAILEY_OK;
        if (status != BAILEY_OK) contains("a failure", bailey_error_message(), "for a test");
        OK(bailey_simulation_run(s, &run, e));
        same_bits("after a failure", e, first, sizeof e / 8, 8);
    }
    assert_true(n > 20 && reported == n - 1);
    on->tuning = real;
    bailey_simulation_destroy(s);
}

static int stop(void *user, uint64_t done, uint64_t total)
{
    (void)user, (void)done, (void)total;
    return 1;
}

/* Counts of what is below, in and above bins, of output 2, against its samples. */
TEST(histograms, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    enum { BINS = 7, PATHS = 5000 };
    bailey_simulation *s = make(1);
    uint64_t found[BINS + 2], wanted[BINS + 2] = {0};
    bailey_estimate e[3];
    bailey_simulation_run_params run = {.source = {.seed = 7}, .paths = PATHS};
    double *samples = run_for_samples(s, run, BAILEY_PRECISION_F64, e);
    const double low = e[2].mean - sqrt(e[2].variance) / 4, high = e[2].mean + sqrt(e[2].variance) / 2;
    for (int i = 0; i < PATHS; i++) {
        const double x = samples[2 * PATHS + i];
        const int bin = (int)((x - low) * (BINS / (high - low)));
        wanted[x < low ? 0 : x >= high ? BINS + 1 : 1 + (bin < BINS ? bin : BINS - 1)]++;
    }
    run.histogram = (bailey_histogram){.low = low, .high = high, .bins = BINS, .output = 2, .counts = found};
    run.replicates = 2;
    assert_int_equal(bailey_simulation_run(s, &run, e), BAILEY_OK);
    uint64_t all = 0;
    for (int i = 0; i < BINS + 2; i++) all += found[i];
    assert_int_equal(all, 2 * PATHS);
    run.replicates = 1;
    assert_int_equal(bailey_simulation_run(s, &run, e), BAILEY_OK);
    assert_memory_equal(found, wanted, sizeof found);
    assert_true(wanted[0] > 0 && wanted[BINS + 1] > 0);

    run.histogram.high = low;
    assert_int_equal(bailey_simulation_run(s, &run, e), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "low");
    run.histogram = (bailey_histogram){.low = 0, .high = 1, .bins = 1, .output = 3, .counts = found};
    assert_int_equal(bailey_simulation_run(s, &run, e), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "output");
    run.histogram = (bailey_histogram){.low = 0, .high = 1, .bins = 1};
    assert_int_equal(bailey_simulation_run(s, &run, e), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "counts");
    /* As many points as 2^32, and as 2^64, which are 0 of 64 bits. */
    run.source = (bailey_source){.generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_OWEN};
    run.histogram = (bailey_histogram){.low = 0, .high = 1, .bins = 1, .counts = found};
    run.replicates = UINT64_C(1) << 20;
    run.progress = stop;
    for (int bits = 32; bits <= 64; bits += 32) {
        run.paths = UINT64_C(1) << (bits - 20);
        assert_int_equal(bailey_simulation_run(s, &run, e), BAILEY_ERROR_INVALID);
        assert_string_equal(bailey_error_argument(), "paths");
    }
    free(samples);
    bailey_simulation_destroy(s);
}
