/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The self-test: results on the user's device against golden values. An item's value is the 64-bit FNV-1a
 * hash of the bytes of its results.
 */
#include "alloc.h"
#include "internal.h"
#include "published.h"

#include <bailey/device/run.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WORD_COUNT 100003
#define STEPS 37
#define DIMS 3
#define PATHS 1003

/* A piece of a stream of runs: it begins inside a pack of four words and inside a quad of steps, and has the
 * end of a run, two whole ones, and the beginning of another. Written after two elements, its whole runs lie
 * where devices store them in vectors. */
#define PIECE_LEAD 2
#define PIECE_BEFORE 1022
#define PIECE_FIRST (5 * (uint64_t)BAILEY_RUN_WORDS - PIECE_BEFORE)
#define PIECE_COUNT (PIECE_BEFORE + 2 * BAILEY_RUN_WORDS + 77)

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
    bailey_selftest_report report;
    void *user;
    bailey_buffer *z, *x;
    bailey_status status;
    char first_failure[256];
};

static uint64_t fnv1a(const void *data, size_t bytes)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ ((const unsigned char *)data)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Records an item's outcome: compares `bytes` at `data` with the golden value of `item`. */
static void judge(struct selftest *test, const char *item, const void *data, size_t bytes)
{
    const uint64_t found = fnv1a(data, bytes);
    const struct golden *golden = NULL;
    for (size_t i = 0; i < sizeof goldens / sizeof goldens[0]; i++)
        if (strcmp(goldens[i].item, item) == 0) golden = &goldens[i];
    const int passed = golden && golden->hash == found;
    char detail[96];
    if (passed)
        snprintf(detail, sizeof detail, "%016" PRIx64, found);
    else
        snprintf(detail, sizeof detail, "%016" PRIx64 ", expected %016" PRIx64, found,
                 golden ? golden->hash : 0);
    if (test->report) test->report(test->user, item, passed, detail);
    if (passed || test->status != BAILEY_OK) return;
    test->status = BAILEY_ERROR_SELFTEST;
    snprintf(test->first_failure, sizeof test->first_failure, "%s: %s", item, detail);
}

/* Reads `bytes` of `buffer` from `offset` on and judges them. */
static bailey_status judge_part(struct selftest *test, const char *item, bailey_buffer *buffer,
                                uint64_t offset, size_t bytes)
{
    void *data = bly_alloc(bytes, 1);
    if (!data) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for the self-test");
    const bailey_status status = bailey_buffer_read(buffer, offset, data, bytes);
    if (status == BAILEY_OK) judge(test, item, data, bytes);
    bly_free(data);
    return status;
}

static bailey_status judge_buffer(struct selftest *test, const char *item, bailey_buffer *buffer,
                                  size_t bytes)
{
    return judge_part(test, item, buffer, 0, bytes);
}

static const char *method_name(bailey_normal_method method)
{
    return method == BAILEY_NORMAL_ICDF ? "inverse CDF" : "Box-Muller";
}

static const char *precision_name(bailey_precision precision)
{
    return precision == BAILEY_PRECISION_F64 ? "f64" : "f32";
}

static bailey_status test_sequences(struct selftest *test, bailey_precision precision)
{
    bailey_status status = BAILEY_OK;
    if (precision == BAILEY_PRECISION_F32) {
        const bailey_random_params words = {.seed = 1, .stream = 2, .offset = 3};
        status = bailey_words_generate(test->context, &words, WORD_COUNT, test->x, 0);
        if (status == BAILEY_OK) status = judge_buffer(test, "words, Philox4x32-10", test->x, WORD_COUNT * 4);
    }
    for (int method = 0; method < 2 && status == BAILEY_OK; method++) {
        char item[96];
        const bailey_normal_params normals = {.seed = 1,
                                              .stream = 2,
                                              .offset = 5,
                                              .method = (bailey_normal_method)method,
                                              .precision = precision};
        snprintf(item, sizeof item, "normals, %s, %s", method_name(normals.method),
                 precision_name(precision));
        status = bailey_normals_generate(test->context, &normals, WORD_COUNT, test->x, 0);
        if (status == BAILEY_OK)
            status = judge_buffer(test, item, test->x, WORD_COUNT * bly_element_bytes(precision));
    }
    return status;
}

static bailey_status test_words(struct selftest *test, const bailey_random_params *params)
{
    char item[96], set[24] = "";
    if (params->warp_set) snprintf(set, sizeof set, ", set %u", (unsigned)params->warp_set);
    snprintf(item, sizeof item, "words, %s%s%s", bailey_generator_name(params->generator), set,
             params->sequence == BAILEY_SEQUENCE_PUBLISHED ? ", published" : "");
    bailey_status status = bailey_words_generate(test->context, params, PIECE_COUNT, test->x, PIECE_LEAD);
    if (status == BAILEY_OK) status = judge_part(test, item, test->x, PIECE_LEAD * 4, PIECE_COUNT * 4);
    return status;
}

/* Words of the generators, in all sequences that they have. Each generator and sequence is a kernel of its
 * own, and on OpenCL a program to be built: some two seconds on PoCL. Those that are labelled weak are left
 * to the tests. */
static bailey_status test_generators(struct selftest *test)
{
    bailey_status status = BAILEY_OK;
    for (int g = BAILEY_GENERATOR_PHILOX + 1; bailey_generator_name((bailey_generator)g); g++) {
        const bailey_generator generator = (bailey_generator)g;
        if (strcmp(bailey_generator_verdict(generator), "weak") == 0) continue;
        bailey_random_params params = {.seed = 3, .stream = 4, .offset = PIECE_FIRST, .generator = generator};
        if (status == BAILEY_OK) status = test_words(test, &params);
        if (generator == BAILEY_GENERATOR_WARP && status == BAILEY_OK) {
            params.warp_set = 7; /* in the same kernel */
            status = test_words(test, &params);
        }
        const int can = generator != BAILEY_GENERATOR_MRG32K3A || test->context->device->info.has_f64;
        if (!bly_published_words(generator) || !can) continue;
        params = (bailey_random_params){.seed = generator == BAILEY_GENERATOR_KISS ? 0 : 12345,
                                        .offset = UINT64_C(3000000019),
                                        .generator = generator,
                                        .sequence = BAILEY_SEQUENCE_PUBLISHED};
        if (status == BAILEY_OK) status = test_words(test, &params);
    }
    return status;
}

/* Judges a piece that has been written after PIECE_LEAD elements. */
static bailey_status judge_piece(struct selftest *test, const char *what, bailey_precision precision)
{
    const size_t element = bly_element_bytes(precision);
    char item[96];
    snprintf(item, sizeof item, "%s, %s", what, precision_name(precision));
    return judge_part(test, item, test->x, PIECE_LEAD * element, PIECE_COUNT * element);
}

/* Uniforms, and normals of the generators that have and have not a kernel that draws and transforms. */
static bailey_status test_forms(struct selftest *test, bailey_precision precision)
{
    const bailey_random_params uniforms = {
        .seed = 3, .stream = 4, .offset = PIECE_FIRST, .generator = BAILEY_GENERATOR_HYBRID_TAUS};
    bailey_status status =
        bailey_uniforms_generate(test->context, &uniforms, precision, PIECE_COUNT, test->x, PIECE_LEAD);
    if (status == BAILEY_OK) status = judge_piece(test, "uniforms, hybrid-taus", precision);
    for (int method = 0; method < 2 && status == BAILEY_OK; method++) {
        char what[64];
        const int f64 = precision == BAILEY_PRECISION_F64;
        if (f64 && method == BAILEY_NORMAL_ICDF) continue;
        const bailey_normal_params normals = {.seed = 3,
                                              .stream = 4,
                                              .offset = PIECE_FIRST,
                                              .method = (bailey_normal_method)method,
                                              .precision = precision,
                                              .generator =
                                                  f64 ? BAILEY_GENERATOR_KISS : BAILEY_GENERATOR_WARP};
        snprintf(what, sizeof what, "normals, %s, %s", bailey_generator_name(normals.generator),
                 method_name(normals.method));
        status = bailey_normals_generate(test->context, &normals, PIECE_COUNT, test->x, PIECE_LEAD);
        if (status == BAILEY_OK) status = judge_piece(test, what, precision);
    }
    return status;
}

/* What else is made of words and of normals. */
static bailey_status test_distributions(struct selftest *test, bailey_precision precision)
{
    static const double factor[DIMS * DIMS] = {0.2, 0, 0, 0.09, 0.3, 0, -0.05, 0.02, 0.25};
    bailey_context *const context = test->context;
    bailey_normal_params normals = {.seed = 3,
                                    .stream = 4,
                                    .offset = PIECE_FIRST,
                                    .precision = precision,
                                    .generator = BAILEY_GENERATOR_WARP};
    bailey_variate_params variates = {
        .normal = normals, .distribution = BAILEY_DISTRIBUTION_EXPONENTIAL, .rate = 2};
    const bailey_random_params uniforms = {.seed = 3, .stream = 4, .offset = PIECE_FIRST};
    bailey_status status =
        bailey_uniforms_generate(context, &uniforms, precision, PIECE_COUNT, test->x, PIECE_LEAD);
    if (status == BAILEY_OK) status = judge_piece(test, "uniforms, philox", precision);
    if (status == BAILEY_OK)
        status = bailey_variates_generate(context, &variates, PIECE_COUNT, test->x, PIECE_LEAD);
    if (status == BAILEY_OK) status = judge_piece(test, "exponential, warp", precision);
    variates = (bailey_variate_params){
        .normal = normals, .distribution = BAILEY_DISTRIBUTION_LOG_NORMAL, .mean = -0.5, .deviation = 0.2};
    variates.normal.method = BAILEY_NORMAL_BOX_MULLER;
    if (status == BAILEY_OK)
        status = bailey_variates_generate(context, &variates, PIECE_COUNT, test->x, PIECE_LEAD);
    if (status == BAILEY_OK) status = judge_piece(test, "log-normal, warp, Box-Muller", precision);
    if (precision == BAILEY_PRECISION_F64) { /* test_forms has it of single precision */
        if (status == BAILEY_OK)
            status = bailey_normals_generate(context, &normals, PIECE_COUNT, test->x, PIECE_LEAD);
        if (status == BAILEY_OK) status = judge_piece(test, "normals, warp, inverse CDF", precision);
    } else {
        normals.generator = BAILEY_GENERATOR_PHILOX;
        normals.method = BAILEY_NORMAL_WALLACE;
        if (status == BAILEY_OK)
            status = bailey_normals_generate(context, &normals, PIECE_COUNT, test->x, PIECE_LEAD);
        if (status == BAILEY_OK) status = judge_piece(test, "normals, Wallace", precision);
    }
    normals = (bailey_normal_params){.seed = 5, .precision = precision};
    if (status == BAILEY_OK) status = bailey_normals_generate(context, &normals, DIMS * PATHS, test->z, 0);
    if (status == BAILEY_OK)
        status = bailey_normals_correlate(context, factor, DIMS, precision, PATHS, test->z, test->x);
    char item[48];
    snprintf(item, sizeof item, "normals, correlated, %s", precision_name(precision));
    if (status == BAILEY_OK)
        status = judge_buffer(test, item, test->x, DIMS * PATHS * bly_element_bytes(precision));
    return status;
}

/* One bridge, drawn in one kernel and from stored normals: both must give the golden bits. */
static bailey_status test_bridge(struct selftest *test, bailey_bridge_params *params,
                                 bailey_normal_method method)
{
    bailey_bridge *bridge = NULL;
    bailey_status status = bailey_bridge_create(test->context, params, &bridge);
    if (status != BAILEY_OK) return status;
    const bailey_normal_params normal = {.seed = 7, .stream = 8, .method = method};
    const size_t bytes = (size_t)STEPS * params->dims * PATHS * bly_element_bytes(params->precision);
    char item[160];
    snprintf(item, sizeof item, "%s, %u dims, %s end, %s-major, %s, %s",
             params->output == BAILEY_BRIDGE_PATHS ? "paths" : "increments", params->dims,
             params->end ? "fixed" : "free", params->layout == BAILEY_LAYOUT_STEP_MAJOR ? "step" : "path",
             method_name(method), precision_name(params->precision));
    status = bailey_bridge_simulate(bridge, &normal, 5, PATHS, test->x);
    if (status == BAILEY_OK) status = judge_buffer(test, item, test->x, bytes);
    if (status == BAILEY_OK) status = bailey_bridge_normals(bridge, &normal, 5, PATHS, test->z);
    if (status == BAILEY_OK) status = bailey_bridge_generate(bridge, PATHS, test->z, test->x);
    if (status == BAILEY_OK) status = judge_buffer(test, item, test->x, bytes);
    bailey_bridge_destroy(bridge);
    return status;
}

static bailey_status test_bridges(struct selftest *test, bailey_precision precision)
{
    static const double covariance[DIMS * DIMS] = {0.04, 0.018, -0.01, 0.018, 0.09, 0.0, -0.01, 0.0, 0.0625};
    static const double start[DIMS] = {0.5, -1, 100}, end[DIMS] = {1, 0, -2};
    double times[STEPS];
    for (int i = 0; i < STEPS; i++) times[i] = 0.25 * (i + 1) + (i % 3) / 16.0;
    bailey_status status = BAILEY_OK;
    for (int variant = 0; variant < 16 && status == BAILEY_OK; variant++) {
        bailey_bridge_params params = {.times = times,
                                       .steps = STEPS,
                                       .start_time = 0.125,
                                       .dims = variant & 1 ? DIMS : 1,
                                       .covariance = variant & 1 ? covariance : NULL,
                                       .start = start,
                                       .end = variant & 2 ? end : NULL,
                                       .output = variant & 4 ? BAILEY_BRIDGE_INCREMENTS : BAILEY_BRIDGE_PATHS,
                                       .layout =
                                           variant & 8 ? BAILEY_LAYOUT_PATH_MAJOR : BAILEY_LAYOUT_STEP_MAJOR,
                                       .precision = precision};
        status = test_bridge(test, &params, variant % 3 ? BAILEY_NORMAL_BOX_MULLER : BAILEY_NORMAL_ICDF);
    }
    return status;
}

static bailey_status test_price(struct selftest *test, bailey_precision precision)
{
    static const double fixings[4] = {0.25, 0.5, 0.75, 1}, spot[2] = {100, 50}, volatility[2] = {0.2, 0.35};
    static const double correlation[4] = {1, 0.4, 0.4, 1};
    const bailey_asian_params params = {.fixings = fixings,
                                        .fixing_count = 4,
                                        .assets = 2,
                                        .spot = spot,
                                        .volatility = volatility,
                                        .correlation = correlation,
                                        .rate = 0.03,
                                        .strike = 75,
                                        .paths = 30011,
                                        .seed = 9,
                                        .precision = precision};
    bailey_asian_result result;
    const bailey_status status = bailey_asian_price(test->context, &params, &result);
    if (status != BAILEY_OK) return status;
    const double values[4] = {result.price, result.standard_error, result.geometric_price,
                              result.geometric_standard_error};
    char item[64];
    snprintf(item, sizeof item, "price, Asian basket, %s", precision_name(precision));
    judge(test, item, values, sizeof values);
    return BAILEY_OK;
}

bailey_status bailey_selftest(bailey_context *context, bailey_selftest_report report, void *user)
{
    if (!context) return bly_fail(BAILEY_ERROR_INVALID, "context is NULL");
    struct selftest test = {.context = context, .report = report, .user = user};
    const uint64_t bytes = (uint64_t)STEPS * DIMS * PATHS * sizeof(double); /* more than WORD_COUNT doubles */
    bailey_status status = bailey_buffer_create(context, bytes, &test.x);
    if (status == BAILEY_OK) status = bailey_buffer_create(context, bytes, &test.z);
    for (int precision = 0; precision <= (int)context->device->info.has_f64 && status == BAILEY_OK;
         precision++) {
        status = test_sequences(&test, (bailey_precision)precision);
        if (status == BAILEY_OK && precision == BAILEY_PRECISION_F32) status = test_generators(&test);
        if (status == BAILEY_OK) status = test_forms(&test, (bailey_precision)precision);
        if (status == BAILEY_OK) status = test_distributions(&test, (bailey_precision)precision);
        if (status == BAILEY_OK) status = test_bridges(&test, (bailey_precision)precision);
        if (status == BAILEY_OK && context->device->info.has_f64)
            status = test_price(&test, (bailey_precision)precision);
    }
    bailey_buffer_destroy(test.x);
    bailey_buffer_destroy(test.z);
    if (status == BAILEY_OK && test.status != BAILEY_OK)
        status = bly_fail(test.status, "%s", test.first_failure);
    return bly_finish(context, status);
}
