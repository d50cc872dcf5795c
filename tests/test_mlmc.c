/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Multilevel Monte Carlo of the built-ins: root-mean-square errors against exact values, the orders and
 * numbers of samples of M. Giles's talk, checks of the telescoping sum, and the same bits on every device
 * and however a run is interrupted.
 */
#include <bailey/mlmc.h>
#include <host/mlmc/mlmc_internal.h>

#include "harness.h"

#include <math.h>
#include <unistd.h>

#define SEEDS 100

/* Spot, strike and cash are 100, the rate is 0.05, the volatility 0.2, the barrier 85, T = 1. Values of
 * continuous monitoring: closed forms, except the Asian's, which is Vecer's equation solved by Crank and
 * Nicolson on 8000^2 points, to 2e-5. */
static const struct instrument {
    const char *name;
    double exact;
    double kurtosis; /* at most, of the finest level of the convergence test */
} instruments[] = {{"european", 10.4505835722, 100},
                   {"asian", 5.76309, 100},
                   {"lookback", 17.2168022374, 100},
                   {"digital", 53.2324815454, INFINITY},
                   {"barrier", 9.9492703086, INFINITY}};
#define INSTRUMENTS (sizeof instruments / sizeof *instruments)

/* Parameters that code has. */
static void set(bailey_mlmc *m)
{
    static const struct {
        const char *name;
        double value;
    } values[] = {{"spot", 100},       {"strike", 100}, {"cash", 100}, {"rate", 0.05},
                  {"volatility", 0.2}, {"barrier", 85}, {"side", -1}};
    const char *name;
    for (size_t i = 0; (name = bailey_mlmc_parameter(m, i, NULL)) != NULL; i++)
        for (size_t j = 0; j < sizeof values / sizeof *values; j++)
            if (strcmp(name, values[j].name) == 0) OK(bailey_mlmc_set(m, name, &values[j].value, 1));
}

static bailey_mlmc *levels_of(const char *name, const char *text, bailey_precision precision)
{
    const bailey_mlmc_params params = {.estimator = {.name = name, .code = text}, .precision = precision};
    bailey_mlmc *m = NULL;
    OK(bailey_mlmc_create(context, &params, &m));
    set(m);
    return m;
}

#define SAME(field) assert_memory_equal(&a->field, &b->field, sizeof a->field)

static void same_results(const bailey_mlmc_result *a, const bailey_mlmc_result *b)
{
    SAME(mean);
    SAME(standard_error);
    SAME(bias);
    SAME(converged);
    SAME(cost);
    SAME(alpha);
    SAME(beta);
    SAME(gamma);
    SAME(levels);
    SAME(rounds);
    for (uint32_t l = 0; l < a->levels; l++) {
        SAME(level[l].samples);
        SAME(level[l].cost);
        SAME(level[l].mean);
        SAME(level[l].variance);
    }
}

/* ---- Errors -------------------------------------------------------------------------------------- */

static void check_errors(const struct instrument *about, bailey_mlmc *m, double eps)
{
    bailey_mlmc_run_params p = {.eps = eps, .max_level = 14};
    double squares = 0, most = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        bailey_mlmc_result r;
        p.source.seed = 1000 + seed;
        OK(bailey_mlmc_run(m, &p, &r));
        const double error = (r.mean - about->exact) / p.eps;
        squares += error * error / SEEDS;
        most = fmax(most, fabs(error));
        assert_true(r.converged && r.bias <= 0.5 * p.eps && r.standard_error <= sqrt(0.75) * p.eps * 1.006);
    }
    if (getenv("BAILEY_TEST_VERBOSE"))
        printf("%s, eps %g: root-mean-square error %.3f eps, at most %.2f eps\n", about->name, eps,
               sqrt(squares), most);
    if (!(sqrt(squares) <= 1.1 && most <= 4))
        fail_msg("%s: root-mean-square error %.3f eps, at most %.2f eps", about->name, sqrt(squares), most);
}

TEST(errors, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    for (size_t i = 0; i < INSTRUMENTS; i++) {
        bailey_mlmc *m = levels_of(instruments[i].name, NULL, BAILEY_PRECISION_F32);
        const bailey_mlmc_run_params p = {.eps = 0.01, .source = {.seed = 1}, .max_level = 14};
        bailey_mlmc_result r;
        check_errors(&instruments[i], m, 0.05);
        if (getenv("BAILEY_TEST_LARGE")) check_errors(&instruments[i], m, 0.01);
        OK(bailey_mlmc_run(m, &p, &r));
        if (!(r.converged && fabs(r.mean - instruments[i].exact) <= 3 * p.eps))
            fail_msg("%s is %.5f, exactly %.5f", instruments[i].name, r.mean, instruments[i].exact);
        bailey_mlmc_destroy(m);
    }
}

/* Variances of the finest levels fall by 4 still: their estimates of 6400 samples are known to a tenth. */
TEST(double_precision, DEVICE)
{
    if (few_programs()) return;
    bailey_mlmc *m = levels_of("european", NULL, BAILEY_PRECISION_F64);
    const uint64_t samples[13] = {[10] = 6400, [11] = 6400, [12] = 6400};
    const bailey_mlmc_run_params p = {.eps = 0.02, .source = {.seed = 4}}, none = {.source = {.seed = 4}};
    bailey_mlmc_result r;
    OK(bailey_mlmc_run(m, &p, &r));
    assert_true(r.converged && fabs(r.mean - instruments[0].exact) <= 3 * p.eps);
    OK(bailey_mlmc_run_samples(m, &none, samples, 13, &r));
    for (uint32_t l = 11; l < 13; l++) {
        const double ratio = r.level[l - 1].variance / r.level[l].variance;
        if (!(ratio > 3 && ratio < 5.3)) fail_msg("variance falls by %g on level %u", ratio, l);
    }
    bailey_mlmc_destroy(m);
}

/* ---- Tables -------------------------------------------------------------------------------------- */

TEST(orders_and_checks, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    static bailey_mlmc_report r;
    static const double eps[] = {0.1};
    for (size_t i = 0; i < (few_programs() ? 1 : INSTRUMENTS); i++) {
        const bailey_mlmc_test_params p = {
            .run = {.source = {.seed = 3}}, .finest = 7, .eps = eps, .eps_count = 1};
        bailey_mlmc *m = levels_of(instruments[i].name, NULL, BAILEY_PRECISION_F32);
        OK(bailey_mlmc_test(m, &p, &r));
        for (uint32_t l = 0; l < r.levels; l++)
            if (!(r.level[l].check < 1))
                fail_msg("%s: check %g on level %u", instruments[i].name, r.level[l].check, l);
        assert_true(!r.check_warning && r.levels == 8 && r.samples == 100000 && r.runs == 1);
        assert_true(r.level[7].kurtosis <= instruments[i].kurtosis && r.run[0].savings > 1);
        assert_true(r.alpha > 0.7 && r.alpha < 1.6 && fabs(r.gamma - 1) < 1e-9);
        if (i == 0) assert_true(fabs(r.alpha - 1) < 0.1 && fabs(r.beta - 2) < 0.1);
        bailey_mlmc_destroy(m);
    }
}

/* The talk's table of a European call. */
static const struct talk {
    double eps;
    uint32_t levels;
    uint64_t samples[11];
} talks[] = {
    {0.001, 11, {298508288, 5834752, 2215936, 825344, 299264, 108288, 38592, 13888, 4992, 1792, 640}},
    {0.002, 10, {74465280, 1458176, 551936, 206848, 74496, 26752, 9600, 3648, 1344, 448}},
    {0.005, 9, {11894784, 233472, 88064, 32768, 12032, 4480, 1600, 576, 224}},
    {0.01, 8, {2965504, 59392, 23552, 8704, 3072, 1280, 448, 160}},
    {0.02, 7, {741376, 16384, 7168, 3072, 1024, 384, 128}},
};

/* Means and standard deviations over seeds. */
struct spread {
    double mean[BAILEY_MLMC_MAX_LEVELS], deviation[BAILEY_MLMC_MAX_LEVELS];
};

#define TALK_SEEDS 16

static struct spread find_spread(bailey_mlmc *m, const struct talk *talk)
{
    struct spread s = {{0}, {0}};
    for (uint64_t seed = 1; seed <= TALK_SEEDS; seed++) {
        const bailey_mlmc_run_params p = {.eps = talk->eps, .source = {.seed = seed}};
        bailey_mlmc_result r;
        OK(bailey_mlmc_run(m, &p, &r));
        assert_in_range(r.levels, talk->levels, talk->levels + 1);
        for (uint32_t l = 0; l < talk->levels; l++) {
            const double n = (double)r.level[l].samples;
            s.mean[l] += n / TALK_SEEDS;
            s.deviation[l] += n * n / TALK_SEEDS;
        }
    }
    for (uint32_t l = 0; l < talk->levels; l++)
        s.deviation[l] = sqrt(fmax(0, s.deviation[l] - s.mean[l] * s.mean[l]));
    return s;
}

/* What may lie between the talk's number, of one run, and the mean of ours: four standard deviations of their
 * difference; 1 % by which ours are rounded, and 1 % that runs may leave out; and upwards twice the steps in
 * which the talk's numbers come, of 4096 fine steps, as its samples are rounded up in more than one round. */
static void check_talk(const struct talk *talk, const struct spread *s)
{
    for (uint32_t l = 0; l < talk->levels; l++) {
        const double theirs = (double)talk->samples[l], grain = fmax(32, ldexp(4096, -(int)l));
        const double error = 4 * s->deviation[l] * sqrt(1 + 1.0 / TALK_SEEDS) + 0.02 * theirs;
        if (!(theirs >= s->mean[l] - error && theirs <= s->mean[l] + error + 2 * grain))
            fail_msg("eps %g: level %u has %.0f +- %.0f samples, the talk's %.0f", talk->eps, l, s->mean[l],
                     s->deviation[l], theirs);
    }
}

TEST(numbers_of_samples, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    bailey_mlmc *m = levels_of("european", NULL, BAILEY_PRECISION_F32);
    for (size_t i = 0; i < sizeof talks / sizeof *talks; i++) {
        if (talks[i].eps < (few_programs() ? 0.01 : 0.005) && !getenv("BAILEY_TEST_LARGE")) continue;
        const struct spread s = find_spread(m, &talks[i]);
        check_talk(&talks[i], &s);
    }
    bailey_mlmc_destroy(m);
}

/* ---- Bits ---------------------------------------------------------------------------------------- */

/* As cpu made them, at eps = 0.05 and seed 1: the same on every device. */
static const struct golden {
    const char *name;
    bailey_precision precision;
    bailey_generator generator;
    double value;
    uint64_t samples[3];
} golden[] = {
    {"european", BAILEY_PRECISION_F32, BAILEY_GENERATOR_PHILOX, 0x1.4d0a2e0b8e395p+3, {118784, 2336, 1024}},
    {"asian", BAILEY_PRECISION_F32, BAILEY_GENERATOR_PHILOX, 0x1.724d47b425207p+2, {42496, 1792, 1024}},
    {"lookback", BAILEY_PRECISION_F32, BAILEY_GENERATOR_PHILOX, 0x1.13565e48bad84p+4, {142336, 8640, 3648}},
    {"digital", BAILEY_PRECISION_F32, BAILEY_GENERATOR_PHILOX, 0x1.a9f3154fd973ap+5, {1024, 2656, 5536}},
    {"barrier", BAILEY_PRECISION_F32, BAILEY_GENERATOR_PHILOX, 0x1.3da0d230167ep+3, {127488, 2528, 1792}},
    {"european", BAILEY_PRECISION_F64, BAILEY_GENERATOR_PHILOX, 0x1.4b3cc6307339fp+3, {115200, 2144, 1024}},
    {"asian", BAILEY_PRECISION_F64, BAILEY_GENERATOR_PHILOX, 0x1.6eb48d7fa9109p+2, {38144, 1792, 1024}},
    {"lookback", BAILEY_PRECISION_F64, BAILEY_GENERATOR_PHILOX, 0x1.11f9b1691cdp+4, {144384, 8896, 3712}},
    {"digital", BAILEY_PRECISION_F64, BAILEY_GENERATOR_PHILOX, 0x1.aa0f52eb4a0b4p+5, {1024, 2560, 5408}},
    {"barrier", BAILEY_PRECISION_F64, BAILEY_GENERATOR_PHILOX, 0x1.3c21971d7501ap+3, {143360, 2848, 2080}},
    {"european", BAILEY_PRECISION_F32, BAILEY_GENERATOR_SOBOL, 0x1.4e9f3544886ap+3, {2048, 1024, 1024}},
};

/* A run, and its numbers of samples alone. */
static void check_golden(const struct golden *g)
{
    const int points = g->generator == BAILEY_GENERATOR_SOBOL;
    const bailey_source source = {
        .generator = g->generator, .seed = 1, .scramble = points ? BAILEY_SCRAMBLE_OWEN : 0};
    const bailey_mlmc_run_params p = {.eps = 0.05, .source = source}, none = {.source = source};
    uint64_t samples[BAILEY_MLMC_MAX_LEVELS];
    bailey_mlmc_result r, s;
    bailey_mlmc *m = levels_of(g->name, NULL, g->precision);
    OK(bailey_mlmc_run(m, &p, &r));
    for (uint32_t l = 0; l < r.levels; l++) samples[l] = r.level[l].samples;
    if (r.mean != g->value || memcmp(samples, g->samples, sizeof g->samples) != 0)
        fail_msg("%s, precision %d, generator %d: %a of %llu, %llu, %llu samples", g->name, (int)g->precision,
                 (int)g->generator, r.mean, (unsigned long long)samples[0], (unsigned long long)samples[1],
                 (unsigned long long)samples[2]);
    OK(bailey_mlmc_run_samples(m, &none, samples, r.levels, &s));
    s.rounds = r.rounds;
    s.converged = r.converged;
    same_results(&r, &s);
    bailey_mlmc_destroy(m);
}

TEST(bits, DEVICE | LONG_ON_OPENCL)
{
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        if (few_programs() && golden[i].precision == BAILEY_PRECISION_F64) continue;
        check_golden(&golden[i]);
    }
}

/* Built-ins, as texts of the user's. */
TEST(texts, DEVICE | LONG_ON_OPENCL)
{
    const bailey_mlmc_run_params p = {.eps = 0.05, .source = {.seed = 1}};
    for (size_t i = 0; i < INSTRUMENTS; i++) {
        bailey_mlmc *own = levels_of(NULL, bly_mlmc_builtin_code(instruments[i].name), BAILEY_PRECISION_F32),
                    *builtin = levels_of(instruments[i].name, NULL, BAILEY_PRECISION_F32);
        bailey_mlmc_result r, s;
        OK(bailey_mlmc_run(own, &p, &r));
        OK(bailey_mlmc_run(builtin, &p, &s));
        same_results(&r, &s);
        bailey_mlmc_destroy(own);
        bailey_mlmc_destroy(builtin);
    }
}

static int stop(void *user, uint64_t done, uint64_t total)
{
    assert_true(done <= total);
    return --*(int *)user == 0;
}

TEST(interrupted, DEVICE)
{
    const char *temporary = getenv("TMPDIR");
    char path[256];
    bailey_mlmc *m = levels_of("european", NULL, BAILEY_PRECISION_F32);
    bailey_mlmc_run_params p = {.eps = 0.02, .source = {.seed = 9}};
    bailey_mlmc_result whole, r;
    snprintf(path, sizeof path, "%s/bailey-mlmc-%ld", temporary ? temporary : "/tmp", (long)getpid());
    OK(bailey_mlmc_run(m, &p, &whole));
    p.checkpoint = path;
    p.progress = stop;
    for (uint32_t n = 1; n <= whole.rounds; n += 2) {
        int left = (int)n;
        const double strike = 101, usual = 100;
        p.progress_user = &left;
        assert_int_equal(bailey_mlmc_run(m, &p, &r), BAILEY_ERROR_CANCELLED);
        left = -1;
        OK(bailey_mlmc_set(m, "strike", &strike, 1));
        assert_int_equal(bailey_mlmc_run(m, &p, &r), BAILEY_ERROR_INVALID);
        assert_string_equal(bailey_error_argument(), "checkpoint");
        assert_non_null(strstr(bailey_error_message(), "parameters"));
        OK(bailey_mlmc_set(m, "strike", &usual, 1));
        OK(bailey_mlmc_run(m, &p, &r));
        same_results(&whole, &r);
        unlink(path);
    }
    bailey_mlmc_destroy(m);
}

/* ---- Arguments ----------------------------------------------------------------------------------- */

static void refused(bailey_status status, const char *argument)
{
    assert_int_equal(status, BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), argument);
}

TEST(arguments, DEVICE | LONG_ON_OPENCL)
{
    static bailey_mlmc_report report;
    bailey_mlmc *m = levels_of("european", NULL, BAILEY_PRECISION_F32);
    const bailey_mlmc_run_params p = {.eps = 1}, bad = {0};
    const bailey_mlmc_test_params test = {.eps_count = 1};
    const uint64_t samples[] = {32, 31};
    bailey_mlmc_result r;
    refused(bailey_mlmc_run(NULL, &p, &r), "mlmc");
    refused(bailey_mlmc_run(m, NULL, &r), "params");
    refused(bailey_mlmc_run(m, &p, NULL), "result");
    refused(bailey_mlmc_run(m, &bad, &r), "eps");
    refused(bailey_mlmc_run(
                m, &(bailey_mlmc_run_params){.eps = 1, .source = {.generator = (bailey_generator)999}}, &r),
            "generator");
    refused(bailey_mlmc_run_samples(NULL, &p, samples, 1, &r), "mlmc");
    refused(bailey_mlmc_run_samples(m, NULL, samples, 1, &r), "params");
    refused(bailey_mlmc_run_samples(m, &p, NULL, 1, &r), "samples");
    refused(bailey_mlmc_run_samples(m, &p, samples, 2, &r), "samples");
    refused(bailey_mlmc_run_samples(m, &p, samples, 1, NULL), "result");
    refused(bailey_mlmc_test(NULL, &test, &report), "mlmc");
    refused(bailey_mlmc_test(m, NULL, &report), "params");
    refused(bailey_mlmc_test(m, &test, NULL), "report");
    refused(bailey_mlmc_test(m, &test, &report), "eps");
    OK(bailey_mlmc_run_samples(m, &bad, samples, 1, &r));
    assert_true(r.levels == 1 && r.level[0].samples == 32 && r.bias == 0);
    /* Neither is examined. */
    OK(bailey_mlmc_run_samples(m,
                               &(bailey_mlmc_run_params){.checkpoint = "/nonexistent/run",
                                                         .schedule = BAILEY_MLMC_SCHEDULE_PERSISTENT},
                               samples, 1, &r));
    OK(bailey_mlmc_test(m,
                        &(bailey_mlmc_test_params){.run = {.checkpoint = "/nonexistent/run", .eps = -1},
                                                   .samples = 320,
                                                   .finest = 2},
                        &report));
    bailey_mlmc_destroy(m);
}

/* ---- Kernels that stay --------------------------------------------------------------------------- */

/* A run gives what lists of as many samples give. */
static void check_persistent(const char *name, bailey_precision precision, double eps)
{
    bailey_mlmc *m = levels_of(name, NULL, precision);
    bailey_mlmc_run_params p = {
        .eps = eps, .source = {.seed = 5}, .max_level = 12, .schedule = BAILEY_MLMC_SCHEDULE_PERSISTENT};
    uint64_t samples[BAILEY_MLMC_MAX_LEVELS];
    bailey_mlmc_result r, lists;
    OK(bailey_mlmc_run(m, &p, &r));
    for (uint32_t l = 0; l < r.levels; l++) samples[l] = r.level[l].samples;
    OK(bailey_mlmc_run_samples(m, &p, samples, r.levels, &lists));
    for (uint32_t l = 0; l < r.levels; l++) {
        assert_memory_equal(&r.level[l].mean, &lists.level[l].mean, sizeof(double));
        assert_memory_equal(&r.level[l].variance, &lists.level[l].variance, sizeof(double));
    }
    assert_memory_equal(&r.mean, &lists.mean, sizeof(double));
    assert_true(r.converged && r.standard_error <= sqrt(0.75) * eps * 1.006);
    p.schedule = BAILEY_MLMC_SCHEDULE_BATCHED;
    OK(bailey_mlmc_run(m, &p, &lists));
    same_results(&r, &lists);
    bailey_mlmc_destroy(m);
}

static int stop_late(void *user, uint64_t done, uint64_t total)
{
    (void)total;
    return done > *(const uint64_t *)user;
}

TEST(persistent, DEVICE)
{
    bailey_mlmc *m = levels_of("european", NULL, BAILEY_PRECISION_F32);
    const uint64_t enough = 100000;
    bailey_mlmc_run_params p = {
        .eps = 0.01, .source = {.seed = 5}, .schedule = BAILEY_MLMC_SCHEDULE_PERSISTENT};
    bailey_mlmc_result r;
    const bailey_status status = bailey_mlmc_run(m, &p, &r);
    if (status == BAILEY_ERROR_UNSUPPORTED) {
        assert_string_equal(bailey_error_argument(), "schedule");
        assert_false(strncmp(device.address, "cuda", 4) == 0);
        bailey_mlmc_destroy(m);
        return;
    }
    OK(status);
    p.progress = stop_late;
    p.progress_user = (void *)&enough;
    assert_int_equal(bailey_mlmc_run(m, &p, &r), BAILEY_ERROR_CANCELLED);
    bailey_mlmc_destroy(m);
    check_persistent("european", BAILEY_PRECISION_F32, 0.002);
    check_persistent("european", BAILEY_PRECISION_F32, 0.05);
    check_persistent("lookback", BAILEY_PRECISION_F32, 0.01);
    check_persistent("asian", BAILEY_PRECISION_F64, 0.005);
}
