/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Runs that add up in integers: estimates are those of the exact sums of the samples' multiples, on
 * every device, also without double precision; what is beyond the limit is found; what is refused.
 */
#include <host/internal.h>

#include "api.h"
#include "simulations.h"

__extension__ typedef __int128 wide;

/* Outputs: x; something skew; a sum. All need no more than additions and products. */
static const char three[] = "typedef struct { real scale, spike, level; /* [default 0] */ } params;\n"
                            "typedef struct { real last, sum; } state;\n"
                            "void start(state *s, const params *p) { s->last = 0; s->sum = 0; }\n"
                            "void step(state *s, const params *p, int i, real t, const real x[]) { s->last = "
                            "x[0]; s->sum += x[0] * t; }\n"
                            "void finish(const state *s, const params *p, real out[3])\n"
                            "{\n"
                            "    out[0] = s->last;\n"
                            "    out[1] = s->last > p->level ? p->spike : p->scale * exp(s->last);\n"
                            "    out[2] = 0.1 * s->sum + (s->last - 3) * s->last;\n"
                            "}\n";

static const double times[4] = {0.5, 1, 1.75, 3};

static bailey_simulation *make(bailey_precision precision)
{
    const bailey_bridge_params path = {
        .times = times, .steps = 4, .precision = precision, .construction = BAILEY_CONSTRUCTION_WALK};
    bailey_simulation *s = simulation_of(three, path);
    set(s, "scale", 1);
    set(s, "level", 1e30);
    return s;
}

static int is_cpu(void) { return strcmp(device.address, "cpu") == 0; }

/* Whether the device compiles code. */
static int compiles(void)
{
    bailey_simulation *s = make(BAILEY_PRECISION_F32);
    const bailey_simulation_run_params run = {.paths = 1, .sum = BAILEY_SUM_FIXED, .sum_limit = 1e6};
    bailey_estimate e[3];
    const bailey_status status = bailey_simulation_run(s, &run, e);
    bailey_simulation_destroy(s);
    if (status != BAILEY_OK) print_message("# %s\n", bailey_error_message());
    return status != BAILEY_ERROR_UNSUPPORTED;
}

/* Each program takes long where BAILEY_TEST_QUICK is set, and on OpenCL's processors, which run all of this
 * as devices without double precision: only what asks for everything at once runs then. */
static int is_quick(void)
{
    return !is_cpu() && (getenv("BAILEY_TEST_QUICK") || (few_programs() && device.has_f64));
}

/* ---- Sums -------------------------------------------------------------------------------------- */

/* The k of a limit: multiples of 2^-k. */
static int places_of(double limit)
{
    int k = 90;
    while (ldexp(limit, k) > 0x1p30) k--;
    return k;
}

static int64_t whole(const void *samples, bailey_precision precision, uint64_t i, int k)
{
    return (int64_t)nearbyint(ldexp(number_at(samples, precision, i), k));
}

/* Means, variances and covariances of a run, from the exact sums of its samples. */
static void check_sums(const void *samples, bailey_precision precision,
                       const bailey_simulation_run_params *run, const bailey_estimate e[3])
{
    const int k = places_of(run->sum_limit);
    const double n = (double)run->paths, divisor = run->paths > 1 ? n - 1 : 1;
    double sum[3];
    for (uint64_t a = 0; a < 3; a++) {
        wide total = 0;
        for (uint64_t i = 0; i < run->paths; i++) total += whole(samples, precision, a * run->paths + i, k);
        sum[a] = ldexp((double)total, -k);
        if (e[a].mean != sum[a] / n)
            fail_msg("%llu paths from %llu on: mean %llu is %a, expected %a", (unsigned long long)run->paths,
                     (unsigned long long)run->first_path, (unsigned long long)a, e[a].mean, sum[a] / n);
    }
    for (uint64_t a = 0; a < 3; a++)
        for (uint64_t b = a; b < 3; b++) {
            wide total = 0;
            for (uint64_t i = 0; i < run->paths; i++)
                total += (wide)whole(samples, precision, a * run->paths + i, k) *
                         whole(samples, precision, b * run->paths + i, k);
            const double product = ldexp((double)total, -2 * k);
            double value = fma(-(sum[a] / n), sum[b], product) / divisor;
            if (a == b && !(value > 0x1p-44 * (product / n))) value = 0;
            assert_true(run->covariance[3 * a + b] == value && run->covariance[3 * b + a] == value);
            if (a == b) assert_true(e[a].variance == value);
        }
}

static void check_run(bailey_simulation *s, bailey_precision precision, bailey_simulation_run_params run)
{
    double covariance[9];
    bailey_estimate e[3];
    run.sum = BAILEY_SUM_FIXED;
    if (run.sum_limit == 0) run.sum_limit = 1 << 14;
    run.covariance = covariance;
    void *samples = run_for_samples(s, run, precision, e);
    check_sums(samples, precision, &run, e);
    free(samples);
}

/* The squares alone are the same. */
static void check_squares(bailey_simulation *s)
{
    double covariance[9];
    bailey_estimate e[3], without[3];
    bailey_simulation_run_params run = {.paths = 1000, .sum = BAILEY_SUM_FIXED, .sum_limit = 1e6};
    OK(bailey_simulation_run(s, &run, without));
    run.covariance = covariance;
    OK(bailey_simulation_run(s, &run, e));
    same_bits("without covariances", without, e, sizeof e / 8, 8);
}

TEST(exact_sums, DEVICE)
{
    if (is_quick() || !compiles()) skip();
    static const uint64_t firsts[] = {0, 5, 1000003}, counts[] = {1, 2, 63, 257, 3001};
    for (int f64 = 0; f64 <= is_cpu(); f64++) {
        bailey_simulation *s = make((bailey_precision)f64);
        for (size_t f = 0; f < sizeof firsts / sizeof *firsts; f++)
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
                check_run(s, (bailey_precision)f64,
                          (bailey_simulation_run_params){
                              .source = {.seed = 7}, .first_path = firsts[f], .paths = counts[c]});
        /* Other limits, down to what the outputs of a few paths need. */
        static const double limits[] = {0x1p40, 12345.678, 1e3};
        for (size_t i = 0; i < 3; i++)
            check_run(
                s, (bailey_precision)f64,
                (bailey_simulation_run_params){.source = {.seed = 7}, .paths = 999, .sum_limit = limits[i]});
        if (is_cpu()) check_squares(s);
        bailey_simulation_destroy(s);
    }
}

/* Pieces as small as may be, nodes that devices join, and the last numbers of paths. */
TEST(pieces, DEVICE)
{
    if (is_quick() || !compiles()) skip();
    const uint64_t last = BAILEY_BRIDGE_MAX_PATHS;
    struct bly_device *on = context->device;
    const struct bly_tuning *real = on->tuning;
    struct bly_tuning tuning = *real;
    bailey_simulation *s = make(BAILEY_PRECISION_F32);
    tuning.z_chunk_bytes = tuning.z_chunk_paths = 1;
    on->tuning = &tuning;
    check_run(s, BAILEY_PRECISION_F32, (bailey_simulation_run_params){.first_path = 63, .paths = 4999});
    on->tuning = real;
    check_run(s, BAILEY_PRECISION_F32, (bailey_simulation_run_params){.first_path = 77, .paths = 100001});
    check_run(s, BAILEY_PRECISION_F32,
              (bailey_simulation_run_params){.first_path = last - 777, .paths = 777});
    if (is_cpu()) /* the rows that make points take long to compile elsewhere */
        check_run(s, BAILEY_PRECISION_F32,
                  (bailey_simulation_run_params){.source = {.generator = BAILEY_GENERATOR_SOBOL},
                                                 .first_path = (UINT64_C(1) << 63) - 777,
                                                 .paths = 777});
    bailey_simulation_destroy(s);
}

/* ---- All that a run can tell ------------------------------------------------------------------- */

enum { BINS = 7, PATHS = 2003 };

struct outcome {
    bailey_estimate e[3];
    double covariance[9];
    uint64_t counts[BINS + 2];
    float samples[3 * 2 * PATHS];
};

/* Everything at once, of two replicates, on the device under test or another. */
static void run_everything(bailey_context *on, struct outcome *o)
{
    const bailey_bridge_params path = {.times = times, .steps = 4};
    const bailey_simulation_params params = {.path = path, .payoff = {.code = three}};
    const double expected[3] = {NAN, NAN, 3};
    bailey_simulation *s;
    bailey_buffer *samples;
    memset(o, 0, sizeof *o);
    OK(bailey_simulation_create(on, &params, &s));
    set(s, "scale", 1);
    set(s, "level", 2);
    set(s, "spike", 5.3);
    OK(bailey_buffer_create(on, sizeof o->samples, &samples));
    const bailey_simulation_run_params run = {
        .source = {.seed = 4},
        .first_path = 17,
        .paths = PATHS,
        .replicates = 2,
        .moments = 1,
        .expected = expected,
        .antithetic = 1,
        .samples = samples,
        .histogram = {.low = 1.1, .high = 3, .bins = BINS, .output = 1, .counts = o->counts},
        .covariance = o->covariance,
        .sum = BAILEY_SUM_FIXED,
        .sum_limit = 100};
    OK(bailey_simulation_run(s, &run, o->e));
    OK(bailey_buffer_read(samples, 0, o->samples, sizeof o->samples));
    bailey_buffer_destroy(samples);
    bailey_simulation_destroy(s);
}

/* Moments, extrema and counts are those of the samples. */
static void check_outcome(const struct outcome *o)
{
    const int k = places_of(100);
    const int64_t low = (int64_t)nearbyint(ldexp(1.1, k)), high = (int64_t)nearbyint(ldexp(3, k));
    uint64_t counts[BINS + 2] = {0};
    for (int a = 0; a < 3; a++) {
        const float *x = o->samples + (size_t)a * 2 * PATHS;
        long double m[5] = {0}, mean = 0;
        int64_t least = INT64_MAX, greatest = INT64_MIN;
        for (uint64_t p = 0; p < 2 * PATHS; p++) {
            const int64_t q = whole(x, BAILEY_PRECISION_F32, p, k);
            mean += ldexpl((long double)q, -k) / (2 * PATHS);
            least = q < least ? q : least;
            greatest = q > greatest ? q : greatest;
            if (a != 1) continue;
            counts[q < low ? 0 : q >= high ? BINS + 1 : 1 + (q - low) * BINS / (high - low)]++;
        }
        for (uint64_t p = 0; p < 2 * PATHS; p++)
            for (int j = 2; j < 5; j++)
                m[j] += powl(ldexpl((long double)whole(x, BAILEY_PRECISION_F32, p, k), -k) - mean, j) /
                        (2 * PATHS);
        assert_true(o->e[a].minimum == ldexp((double)least, -k));
        assert_true(o->e[a].maximum == ldexp((double)greatest, -k));
        assert_true(fabs(o->e[a].mean - (double)mean) < 1e-14 * (1 + fabs((double)mean)));
        const double skewness = (double)(m[3] / (m[2] * sqrtl(m[2])));
        const double kurtosis = (double)(m[4] / (m[2] * m[2]) - 3);
        if (a == 0) continue; /* antithetic: all 0 */
        assert_true(fabs(o->e[a].skewness - skewness) < 1e-9 * (1 + fabs(skewness)));
        assert_true(fabs(o->e[a].kurtosis - kurtosis) < 1e-9 * (1 + fabs(kurtosis)));
    }
    assert_memory_equal(o->counts, counts, sizeof counts);
    for (int i = 0; i < BINS + 2; i++) assert_true(counts[i] > 0);
}

TEST(everything, DEVICE | LONG_ON_OPENCL)
{
    if (!compiles()) skip();
    static struct outcome own, reference;
    bailey_context *cpu = NULL;
    run_everything(context, &own);
    check_outcome(&own);
    assert_true(own.e[0].mean == 0 && own.e[1].controlled != own.e[1].mean);
    if (is_cpu()) return;
    OK(bailey_context_create("cpu", NULL, &cpu));
    run_everything(cpu, &reference);
    bailey_context_destroy(cpu);
    same_bits("cpu", &own, &reference, sizeof own / 4, 4);
}

/* The same numbers as by sums in double, to their last digits. */
TEST(as_in_double, DEVICE)
{
    if (!is_cpu() || !compiles()) skip();
    bailey_simulation *s = make(BAILEY_PRECISION_F32);
    bailey_simulation_run_params run = {.source = {.seed = 4}, .paths = 4001, .moments = 1};
    bailey_estimate in_double[3], fixed[3];
    OK(bailey_simulation_run(s, &run, in_double));
    run.sum = BAILEY_SUM_FIXED;
    run.sum_limit = 4096;
    OK(bailey_simulation_run(s, &run, fixed));
    for (int a = 0; a < 3; a++) {
        const double size = sqrt(in_double[a].variance);
        assert_true(fabs(fixed[a].mean - in_double[a].mean) < 1e-6 * size);
        assert_true(fabs(fixed[a].variance / in_double[a].variance - 1) < 1e-6);
        assert_true(fabs(fixed[a].standard_error / in_double[a].standard_error - 1) < 1e-6);
        assert_true(fabs(fixed[a].skewness - in_double[a].skewness) < 1e-4);
        assert_true(fabs(fixed[a].kurtosis - in_double[a].kurtosis) < 1e-4 * (1 + in_double[a].kurtosis));
        assert_true(fabs(fixed[a].maximum - in_double[a].maximum) < 0x1p-18);
    }
    bailey_simulation_destroy(s);
}

/* ---- Scenarios --------------------------------------------------------------------------------- */

/* The least program of scenarios, and so many that they take several passes: each scenario is a run of its
 * own, bit for bit. */
static void check_scenarios(bailey_simulation *s, uint64_t count, bailey_simulation_run_params run)
{
    static const char *const columns[3] = {"level", "spike", "scale"};
    enum { MOST = 50 };
    double values[MOST * 3];
    bailey_estimate e[MOST * 3], alone[3];
    uint64_t counts[BINS + 2], own[BINS + 2];
    for (uint64_t i = 0; i < count * 3; i++) values[i] = 0.5 * (double)(i % 3) + 0.0625 * (double)i - 1;
    run.sum = BAILEY_SUM_FIXED;
    run.sum_limit = 1e5;
    run.scenarios = (bailey_scenarios){.count = count, .columns = 3, .names = columns, .values = values};
    run.histogram = (bailey_histogram){
        .low = -2, .high = 2, .bins = BINS, .output = (uint32_t)(count * 3) - 2, .counts = counts};
    OK(bailey_simulation_run(s, &run, e));
    run.scenarios.count = 0;
    run.histogram.output = 1;
    run.histogram.counts = own;
    for (uint64_t i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++) set(s, columns[c], values[3 * i + (uint64_t)c]);
        OK(bailey_simulation_run(s, &run, alone));
        same_bits("a scenario", e + 3 * i, alone, sizeof alone / 8, 8);
    }
    assert_memory_equal(counts, own, sizeof counts);
    set(s, "scale", 1);
}

TEST(scenarios, DEVICE | LONG_ON_OPENCL)
{
    if (!compiles()) skip();
    bailey_simulation *s = make(BAILEY_PRECISION_F32);
    const bailey_simulation_run_params run = {
        .source = {.seed = 4}, .paths = PATHS, .moments = 1, .antithetic = 1};
    check_scenarios(s, 3, run);
    bailey_simulation_destroy(s);
    if (!is_cpu()) return;
    s = make(BAILEY_PRECISION_F64);
    check_scenarios(s, 50, (bailey_simulation_run_params){.paths = 300, .replicates = 2, .first_path = 70});
    bailey_simulation_destroy(s);
}

/* Covariances and a control variate between scenarios, of samples; the result beyond the limit is named. */
TEST(between_scenarios, DEVICE)
{
    if (!is_cpu() || !compiles()) skip();
    static const char *const name = "scale";
    const double values[2] = {1, 3}, expected[6] = {0, NAN, NAN, NAN, NAN, NAN};
    double covariance[36];
    bailey_estimate e[6];
    bailey_simulation *s = make(BAILEY_PRECISION_F32);
    bailey_simulation_run_params run = {
        .paths = 3000,
        .moments = 1,
        .expected = expected,
        .covariance = covariance,
        .scenarios = {.count = 2, .columns = 1, .names = &name, .values = values},
        .sum = BAILEY_SUM_FIXED,
        .sum_limit = 0x1p20};
    OK(bailey_simulation_run(s, &run, e));
    assert_true(e[0].mean == e[3].mean && covariance[3] == e[0].variance && covariance[1] > 0);
    assert_true(fabs(e[4].mean - 3 * e[1].mean) < 1e-4 && fabs(covariance[10] - 3 * e[1].variance) < 1e-3);
    assert_true(e[1].controlled_standard_error < e[1].standard_error);
    run.sum_limit = e[4].maximum * (1 - 0x1p-20);
    assert_true(e[1].maximum < run.sum_limit);
    REFUSED_HERE(bailey_simulation_run(s, &run, e), "result 4 of path", "exceeds sum_limit");
    bailey_simulation_destroy(s);
}

/* ---- Limits ------------------------------------------------------------------------------------ */

/* The first path beyond the limit is named, however the run is cut; at the limit itself all is well. */
TEST(beyond, DEVICE)
{
    if (is_quick() || !compiles()) skip();
    struct bly_device *on = context->device;
    const struct bly_tuning *real = on->tuning;
    struct bly_tuning tuning = *real;
    bailey_simulation *s = make(BAILEY_PRECISION_F32);
    bailey_estimate e[3];
    bailey_simulation_run_params run = {.source = {.seed = 7},
                                        .first_path = 1000,
                                        .paths = 3000,
                                        .sum = BAILEY_SUM_FIXED,
                                        .sum_limit = 0x1p40};
    float *samples = run_for_samples(s, run, BAILEY_PRECISION_F32, e);
    float greatest = 0, level;
    uint64_t highest = 0; /* of the first half, whose output 0 is greatest */
    for (uint64_t i = 0; i < 3 * run.paths; i++) greatest = fmaxf(greatest, fabsf(samples[i]));
    for (uint64_t i = 1; i < run.paths / 2; i++) highest = samples[i] > samples[highest] ? i : highest;
    level = nextafterf(samples[highest], 0);
    assert_true(highest > 0);
    run.sum_limit = (double)greatest;
    OK(bailey_simulation_run(s, &run, e));
    run.sum_limit = (double)nextafterf(greatest, 0);
    REFUSED_HERE(bailey_simulation_run(s, &run, e), "payoff.c", "exceeds sum_limit");
    assert_string_equal(bailey_error_argument(), "sum_limit");

    char words[64];
    snprintf(words, sizeof words, "output 1 of path %llu ", (unsigned long long)(run.first_path + highest));
    const double spikes[] = {1e9, -1e9};
    run.sum_limit = 1 << 20;
    set(s, "level", (double)level);
    tuning.z_chunk_bytes = tuning.z_chunk_paths = 1;
    for (int i = 0; i < 2; i++)
        for (int small = 0; small < 2; small++) {
            on->tuning = small ? &tuning : real;
            set(s, "spike", spikes[i]);
            REFUSED_HERE(bailey_simulation_run(s, &run, e), words, "sum_limit 1.04858e+06");
        }
    on->tuning = real;
    set(s, "spike", 1 << 20);
    OK(bailey_simulation_run(s, &run, e));
    free(samples);
    bailey_simulation_destroy(s);
}

/* NaN and infinity are beyond any limit. */
TEST(not_numbers, DEVICE)
{
    if (is_quick() || !compiles()) skip();
    static const char text[] = "typedef struct { real a, b; /* [default 0] */ } params;\n"
                               "void step(state *s, const params *p, int i, real t, const real x[]) {}\n"
                               "void finish(const state *s, const params *p, real out[2])\n"
                               "{ out[0] = 1; out[1] = p->a * p->a - p->b * p->b; }\n";
    const bailey_bridge_params path = {.times = times, .steps = 1};
    bailey_simulation *s = simulation_of(text, path);
    const bailey_simulation_run_params run = {.paths = 3, .sum = BAILEY_SUM_FIXED, .sum_limit = 16};
    bailey_estimate e[2];
    set(s, "a", 3);
    OK(bailey_simulation_run(s, &run, e));
    assert_true(e[0].mean == 1 && e[1].mean == 9 && e[1].variance == 0);
    set(s, "a", 1e30);
    REFUSED_HERE(bailey_simulation_run(s, &run, e), "output 1 of path 0 ", "or is not a number");
    set(s, "b", 1e30);
    REFUSED_HERE(bailey_simulation_run(s, &run, e), "output 1 of path 0 ", "or is not a number");
    bailey_simulation_destroy(s);
}

/* `run` is refused because of `argument`. */
static void refuses(bailey_simulation *s, bailey_simulation_run_params run, const char *argument,
                    const char *a, const char *b)
{
    bailey_estimate e[3];
    run.paths = 10;
    REFUSED_HERE(bailey_simulation_run(s, &run, e), a, b);
    assert_string_equal(bailey_error_argument(), argument);
}

TEST(refusals, DEVICE)
{
    bailey_simulation *s = make(BAILEY_PRECISION_F32);
    uint64_t counts[5];
    const double bad[] = {0, -1, NAN, INFINITY, 0x1p61, 0x1p-61};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuses(s, (bailey_simulation_run_params){.sum = BAILEY_SUM_FIXED, .sum_limit = bad[i]}, "sum_limit",
                "sum_limit is", "from 2^-60 to 2^60");
    refuses(s, (bailey_simulation_run_params){.sum = (bailey_sum)2}, "sum", "sum is 2", "");
    refuses(s, (bailey_simulation_run_params){.sum_limit = 100}, "sum_limit", "sum_limit is 100",
            "BAILEY_SUM_FIXED");
    bailey_simulation_run_params run = {.sum = BAILEY_SUM_FIXED,
                                        .sum_limit = 100,
                                        .histogram = {.low = -101, .high = 3, .bins = 3, .counts = counts}};
    refuses(s, run, "low", "-101", "sum_limit 100");
    run.histogram.low = 0, run.histogram.high = 100.5;
    refuses(s, run, "low", "100.5", "sum_limit 100");
    run.histogram.high = 1e-9;
    refuses(s, run, "low", "1e-09", "are equal");
    const double weights[3] = {1, 0, 0};
    run.histogram.bins = 0;
    run.scenarios = (bailey_scenarios){.count = 1, .rows = 1, .weights = weights};
    refuses(s, run, "weights", "BAILEY_SUM_FIXED", "BAILEY_SUM_DOUBLE");
    bailey_simulation_destroy(s);
}

/* Without double precision the default is refused, with what to take; the same holds for a path in double. */
TEST(without_double, DEVICE)
{
    const bailey_simulation_params wide_path = {
        .path = {.times = times, .steps = 4, .precision = BAILEY_PRECISION_F64}, .payoff = {.code = three}};
    const bailey_simulation_run_params run = {.paths = 10};
    bailey_estimate e[3];
    if (device.has_f64) skip();
    bailey_simulation *s = make(BAILEY_PRECISION_F32), *none = NOWHERE;
    failed_with("double", bailey_simulation_run(s, &run, e), BAILEY_ERROR_UNSUPPORTED, "no double precision",
                "BAILEY_SUM_FIXED");
    assert_string_equal(bailey_error_argument(), "sum");
    failed_with("a path in double", bailey_simulation_create(context, &wide_path, &none),
                BAILEY_ERROR_UNSUPPORTED, "no double precision", "");
    assert_null(none);
    bailey_simulation_destroy(s);
}
