/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Code of levels that fails as it runs: the run ends with ERROR_PAYOFF and names the place, the value, and
 * the first sample of the first level that failed. Which one it is comes from normals as
 * bailey_normals_generate makes them.
 */
#include "harness.h"

#include <host/mlmc/mlmc_internal.h>

#include <math.h>

#define SAMPLES 1024u
#define NONE UINT64_MAX
#define NEVER 1000

/* limit[l] of level l; levels above 2 have that of level 2. */
#define HEAD                                                                                                 \
    "typedef struct { real limit0, limit1, limit2; int zero; } params;\n"                                    \
    "typedef struct { real fine, coarse, limit, h[2]; int level; } state;\n"
#define STEP                                                                                                 \
    "void step(state *s, const params *p, real t, real h, const noise *n)\n{\n"                              \
    "    s->fine += n->dw[0];\n    if (n->dw[0] > s->limit) s->h[p->zero + 5] = 1;\n}\n"
#define PAIR                                                                                                 \
    "void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m)\n{\n"              \
    "    s->fine += n->dw[0] + m->dw[0];\n    s->coarse += n->dw[0] + m->dw[0];\n"                           \
    "    if (n->dw[0] + m->dw[0] > s->limit) s->h[p->zero + 6] = 1;\n}\n"
#define FINISH                                                                                               \
    "void finish(const state *s, const params *p, real t, real out[2])\n"                                    \
    "{\n    out[0] = fmax(s->fine, 0);\n    out[1] = fmax(s->coarse, 0);\n}\n"

static const char code[] = HEAD "void start(state *s, const params *p, int level)\n{\n"
                                "    s->fine = 0;\n    s->coarse = 0;\n    s->h[0] = 0;\n    s->h[1] = 0;\n"
                                "    s->limit = level == 0 ? p->limit0 : level == 1 ? p->limit1 : "
                                "p->limit2;\n    s->level = level;\n}\n" STEP PAIR FINISH;

static bailey_mlmc *make(const char *text, double limit0, double limit1, double limit2)
{
    const bailey_mlmc_params params = {.estimator = {.code = text}};
    const double zero = 0;
    bailey_mlmc *m = NULL;
    OK(bailey_mlmc_create(context, &params, &m));
    OK(bailey_mlmc_set(m, "limit0", &limit0, 1));
    OK(bailey_mlmc_set(m, "limit1", &limit1, 1));
    OK(bailey_mlmc_set(m, "limit2", &limit2, 1));
    OK(bailey_mlmc_set(m, "zero", &zero, 1));
    return m;
}

/* "levels.c:LINE:COLUMN: words, on where" for the mark in the code. */
static void check_fault(const char *what, bailey_status status, const char *text, const char *mark,
                        const char *words, const char *where)
{
    const char *at = strstr(text, mark), *line = text;
    unsigned lines = 1;
    char wanted[512];
    if (!at) fail_msg("%s: no mark", what);
    for (const char *q = text; q < at; q++)
        if (*q == '\n') lines++, line = q + 1;
    snprintf(wanted, sizeof wanted, "levels.c:%u:%u: %s, on %s", lines, (unsigned)(at - line) + 1, words,
             where);
    if (status != BAILEY_ERROR_PAYOFF)
        fail_msg("%s: %s (%s), not a fault on %s", what, bailey_status_name(status), bailey_error_message(),
                 where);
    if (strcmp(bailey_error_message(), wanted) != 0)
        fail_msg("%s: \"%s\", not \"%s\"", what, bailey_error_message(), wanted);
    assert_string_equal(bailey_error_argument(), "estimator");
}

/* The first sample of a level that sees an increment above the limit: of level 0 of its steps, else of pairs.
 */
static uint64_t first_above(uint32_t level, uint64_t seed, double limit)
{
    const uint32_t steps = 1u << level;
    const float root = (float)sqrt(1.0 / steps);
    const bailey_source source = {.seed = seed, .stream = level};
    const bailey_normal_params normal = {.precision = BAILEY_PRECISION_F32};
    float *z[4];
    uint64_t first = NONE;
    for (uint64_t i = 0; i < steps; i++) {
        bailey_buffer *buffer = poisoned(SAMPLES * sizeof(float));
        OK(bailey_normals_generate(context, &source, &normal, i << 38, SAMPLES, buffer, 0));
        z[i] = harvest(buffer, SAMPLES * sizeof(float));
    }
    for (uint64_t s = 0; s < SAMPLES && first == NONE; s++) {
        if (level == 0 && root * z[0][s] > (float)limit) first = s;
        for (uint32_t i = 0; level > 0 && i < steps; i += 2)
            if (root * z[i][s] + root * z[i + 1][s] > (float)limit) first = s;
    }
    for (uint32_t i = 0; i < steps; i++) free(z[i]);
    return first;
}

static int makes_samples(void)
{
    bailey_mlmc_result r;
    const uint64_t samples[1] = {32};
    const bailey_mlmc_run_params run = {.eps = 1};
    if (!device.has_f64) return 0;
    bailey_mlmc *m = make(code, NEVER, NEVER, NEVER);
    const bailey_status status = bailey_mlmc_run_samples(m, &run, samples, 1, &r);
    bailey_mlmc_destroy(m);
    if (status != BAILEY_OK && status != BAILEY_ERROR_UNSUPPORTED)
        fail_msg("%s: %s", bailey_status_name(status), bailey_error_message());
    return status == BAILEY_OK;
}

/* The lowest level's first sample, in a run, in given numbers of samples, and as a run is resumed from a
 * file.
 */
TEST(levels, DEVICE | REPEATED_ON_OPENCL)
{
    if (!makes_samples()) skip();
    static const double limits[][3] = {
        {2, NEVER, NEVER}, {NEVER, 2, NEVER}, {NEVER, NEVER, 2}, {2.5, 2, 1.5}, {NEVER, 2.5, 1}};
    const char *file = "mlmc_faults.checkpoint";
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        bailey_mlmc *m = make(code, limits[i][0], limits[i][1], limits[i][2]);
        const uint64_t samples[3] = {SAMPLES, SAMPLES, SAMPLES};
        bailey_mlmc_run_params run = {.eps = 0.01, .source = {.seed = 11}, .initial_samples = SAMPLES};
        bailey_mlmc_result r = {.mean = 77};
        uint32_t level = 0;
        uint64_t first;
        char where[64];
        while ((first = first_above(level, 11, limits[i][level])) == NONE) level++;
        const char *mark = level ? "[p->zero + 6]" : "[p->zero + 5]",
                   *words = level ? "index 6 of h[2]" : "index 5 of h[2]";
        snprintf(where, sizeof where, "sample %llu of level %u", (unsigned long long)first, level);
        check_fault("a run", bailey_mlmc_run(m, &run, &r), code, mark, words, where);
        assert_true(r.mean == 77); /* nothing of the result */
        check_fault("samples", bailey_mlmc_run_samples(m, &run, samples, 3, &r), code, mark, words, where);
        remove(file);
        run.checkpoint = file;
        for (int again = 0; again < 2; again++)
            check_fault("with a file", bailey_mlmc_run(m, &run, &r), code, mark, words, where);
        remove(file);
        bailey_mlmc_destroy(m);
    }
}

/* In the other functions, and loops that never end. */
TEST(functions, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!makes_samples()) skip();
    static const struct {
        const char *code, *mark, *words, *where;
    } cases[] = {
        {HEAD
         "void start(state *s, const params *p, int level)\n{\n    s->fine = 0; s->coarse = 0; s->h[0] = 0;\n"
         "    s->h[1] = 0; s->limit = 9; s->level = level;\n    if (level == 1) s->level = 7 / "
         "p->zero;\n}\n" STEP PAIR FINISH,
         "/ p->zero", "division of an integer by 0", "sample 0 of level 1"},
        {HEAD
         "void start(state *s, const params *p, int level)\n{\n    s->fine = 0; s->coarse = 0; s->h[0] = 0;\n"
         "    s->h[1] = 0; s->limit = 9; s->level = level;\n    int n = 1 + p->zero;\n"
         "    while (1) { if (n == p->zero) break; n = 3 - n; }\n}\n" STEP PAIR FINISH,
         "while", "this while takes more than the loop budget of 1048576 trips", "sample 0 of level 0"},
        {HEAD
         "void start(state *s, const params *p, int level)\n{\n    s->fine = 0; s->coarse = 0; s->h[0] = 0;\n"
         "    s->h[1] = 0; s->limit = 9; s->level = level;\n}\n" STEP PAIR
         "void finish(const state *s, const params *p, real t, real out[2])\n"
         "{\n    out[0] = 1;\n    out[1] = 1;\n    if (s->level == 2) out[p->zero + 3] = 1;\n}\n",
         "[p->zero + 3]", "index 3 of out[2]", "sample 0 of level 2"},
        {HEAD
         "void start(state *s, const params *p, int level)\n{\n    s->fine = 0; s->coarse = 0; s->h[0] = 0;\n"
         "    s->h[1] = 0; s->limit = 9; s->level = level;\n}\n" STEP
         "void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m)\n{\n"
         "    int k = 1 + p->zero;\n    do k = 3 - k; while (k != p->zero);\n    s->fine += k;\n}\n" FINISH,
         "do k", "this do takes more than the loop budget of 1048576 trips", "sample 0 of level 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bailey_mlmc *m = make(cases[i].code, 9, 9, 9);
        const bailey_mlmc_run_params run = {.eps = 0.01};
        bailey_mlmc_result r;
        check_fault("functions", bailey_mlmc_run(m, &run, &r), cases[i].code, cases[i].mark, cases[i].words,
                    cases[i].where);
        bailey_mlmc_destroy(m);
    }
}

/* Approximate normals and what corrects them: the sample that is named fails, and none before it. */
TEST(approximate, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!makes_samples()) skip();
    bailey_mlmc_run_params run = {.eps = 0.02,
                                  .source = {.seed = 1},
                                  .initial_samples = SAMPLES,
                                  .approximate = BAILEY_MLMC_APPROXIMATION_CONSTANT};
    for (int corrections = 0; corrections < 2; corrections++) {
        /* Corrections alone see the tails of exact normals. */
        bailey_mlmc *m = make(code, NEVER, corrections ? 3.5 : 2, NEVER);
        uint64_t samples[4] = {0}; /* those of the kind that fails alone */
        bailey_mlmc_result r;
        const bailey_status status = bailey_mlmc_run(m, &run, &r);
        assert_int_equal(status, BAILEY_ERROR_PAYOFF);
        assert_non_null(strstr(bailey_error_message(), "index 6 of h[2], on sample "));
        const struct bly_level_fault fault = m->fault;
        const uint64_t before = fault.sample / 32 * 32;
        assert_int_equal(fault.level, 1);
        assert_int_equal(fault.correction, corrections);
        assert_true(!strstr(bailey_error_message(), "corrections") == !fault.correction);
        samples[fault.correction ? 3 : 1] = before;
        OK(bailey_mlmc_run_samples(m, &run, samples, 2, &r));
        samples[fault.correction ? 3 : 1] = before + 32;
        assert_int_equal(bailey_mlmc_run_samples(m, &run, samples, 2, &r), BAILEY_ERROR_PAYOFF);
        assert_true(m->fault.sample == fault.sample && m->fault.correction == fault.correction);
        bailey_mlmc_destroy(m);
    }
}

/* Points: the same point of the same replicate, however they are cut into chunks. */
TEST(points, DEVICE | REPEATED_ON_OPENCL)
{
    if (!makes_samples()) skip();
    const bailey_mlmc_run_params run = {
        .eps = 0.02,
        .source = {.seed = 13, .generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_OWEN}};
    static const double limits[][3] = {
        {2.2, NEVER, NEVER}, {NEVER, 2, NEVER}, {2.5, 2, 0.1}, {NEVER, NEVER, -5}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        bailey_mlmc *m = make(code, limits[i][0], limits[i][1], limits[i][2]);
        bailey_mlmc_result r;
        char where[64];
        const bailey_status status = bailey_mlmc_run(m, &run, &r);
        const struct bly_level_fault fault = m->fault;
        snprintf(where, sizeof where, "point %llu of replicate %u of level %u",
                 (unsigned long long)fault.sample, fault.replicate, fault.level);
        check_fault("points", status, code, fault.level ? "[p->zero + 6]" : "[p->zero + 5]",
                    fault.level ? "index 6 of h[2]" : "index 5 of h[2]", where);
        if (i == 3) assert_true(fault.level == 2 && fault.replicate == 0 && fault.sample == 0);
        for (uint64_t bytes = 1; bytes <= 65536; bytes *= 256) {
            const struct bly_quasi_options options = {.chunk_bytes = bytes};
            m->fault.found = 0;
            assert_int_equal(bly_quasi_run_with(m, &run, &options, &r), BAILEY_ERROR_PAYOFF);
            assert_true(m->fault.level == fault.level && m->fault.replicate == fault.replicate &&
                        m->fault.sample == fault.sample);
        }
        bailey_mlmc_destroy(m);
    }
}

/* Kernels that stay, where there are any, end with the same words. */
TEST(staying, DEVICE | LONG_ON_OPENCL)
{
    if (!makes_samples()) skip();
    bailey_mlmc *m = make(code, 2.5, 2, 1.5);
    bailey_mlmc_run_params run = {.eps = 0.01, .source = {.seed = 11}, .initial_samples = SAMPLES};
    bailey_mlmc_result r;
    char text[1024];
    assert_int_equal(bailey_mlmc_run(m, &run, &r), BAILEY_ERROR_PAYOFF);
    snprintf(text, sizeof text, "%s", bailey_error_message());
    run.schedule = BAILEY_MLMC_SCHEDULE_PERSISTENT;
    const bailey_status status = bailey_mlmc_run(m, &run, &r);
    bailey_mlmc_destroy(m);
    if (status == BAILEY_ERROR_UNSUPPORTED) skip();
    assert_int_equal(status, BAILEY_ERROR_PAYOFF);
    assert_string_equal(bailey_error_message(), text);
}
