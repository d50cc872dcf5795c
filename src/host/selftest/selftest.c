/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The self-test: results on the user's device against golden values. An item's value is the 64-bit FNV-1a
 * hash of the bytes of its results.
 */
#include "selftest_cases.h"

#include <base/alloc.h>
#include <host/describe/records.h>
#include <host/internal.h>
#include <host/source/source.h>

#include <bailey/device/run.h>
#include <bailey/mlmc.h>
#include <bailey/motion.h>
#include <bailey/points.h>
#include <bailey/simulation.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WORD_COUNT 100003
#define STEPS 37
#define DIMS 3
#define PATHS 1003

/* A range of a stepping generator's stream: it begins inside a pack of four words and inside a quad of steps,
 * and has the end of a segment, two whole ones, and the beginning of another. Written after two elements, its
 * whole segments lie where devices store them in vectors. */
#define RANGE_LEAD 2
#define RANGE_BEFORE 1022
#define RANGE_FIRST (5 * (uint64_t)BAILEY_RUN_WORDS - RANGE_BEFORE)
#define RANGE_COUNT (RANGE_BEFORE + 2 * BAILEY_RUN_WORDS + 77)

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

static const struct golden *find_golden(const char *item)
{
    for (size_t i = 0; i < sizeof goldens / sizeof goldens[0]; i++)
        if (strcmp(goldens[i].item, item) == 0) return &goldens[i];
    return NULL;
}

/* Records an item's outcome: `found` must be the golden value. */
static void judge_hash(struct selftest *test, const char *item, const struct golden *golden, uint64_t found)
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
    if (status == BAILEY_OK) *hash = fnv1a(data, bytes);
    bly_free(data);
    return status;
}

/* Judges `bytes` of `buffer` from `offset` on. */
static bailey_status judge_part(struct selftest *test, const char *item, bailey_buffer *buffer,
                                uint64_t offset, size_t bytes)
{
    uint64_t found = 0;
    const bailey_status status = hash_part(buffer, offset, bytes, &found);
    if (status == BAILEY_OK) judge_hash(test, item, find_golden(item), found);
    return status;
}

static bailey_status judge_buffer(struct selftest *test, const char *item, bailey_buffer *buffer,
                                  size_t bytes)
{
    return judge_part(test, item, buffer, 0, bytes);
}

static const char *method_name(bailey_normal_method method)
{
    return method == BAILEY_NORMAL_METHOD_ICDF ? "inverse CDF" : "Box-Muller";
}

static const char *precision_name(bailey_precision precision)
{
    return precision == BAILEY_PRECISION_F64 ? "f64" : "f32";
}

static bailey_status test_sequences(struct selftest *test, bailey_precision precision)
{
    const bailey_source source = {.seed = 1, .stream = 2};
    bailey_status status = BAILEY_OK;
    if (precision == BAILEY_PRECISION_F32) {
        status = bailey_words_generate(test->context, &source, 3, WORD_COUNT, test->x, 0);
        if (status == BAILEY_OK) status = judge_buffer(test, "words, Philox4x32-10", test->x, WORD_COUNT * 4);
    }
    for (int method = 0; method < 2 && status == BAILEY_OK; method++) {
        char item[96];
        const bailey_normal_params normals = {.method = (bailey_normal_method)method, .precision = precision};
        snprintf(item, sizeof item, "normals, %s, %s", method_name(normals.method),
                 precision_name(precision));
        status = bailey_normals_generate(test->context, &source, &normals, 5, WORD_COUNT, test->x, 0);
        if (status == BAILEY_OK)
            status = judge_buffer(test, item, test->x, WORD_COUNT * bly_element_bytes(precision));
    }
    return status;
}

static bailey_status test_words(struct selftest *test, const bailey_source *source, uint64_t first)
{
    char item[96], set[24] = "";
    if (source->warp_set) snprintf(set, sizeof set, ", set %u", (unsigned)source->warp_set);
    snprintf(item, sizeof item, "words, %s%s%s", bailey_generator_name(source->generator), set,
             source->sequence == BAILEY_SEQUENCE_PUBLISHED ? ", published" : "");
    bailey_status status =
        bailey_words_generate(test->context, source, first, RANGE_COUNT, test->x, RANGE_LEAD);
    if (status == BAILEY_OK) status = judge_part(test, item, test->x, RANGE_LEAD * 4, RANGE_COUNT * 4);
    return status;
}

/* Words of the generators, in all sequences that they have; without `all` of warp and mt19937, in runs. */
static bailey_status test_generators(struct selftest *test)
{
    bailey_status status = BAILEY_OK;
    for (int g = BAILEY_GENERATOR_PHILOX + 1; bailey_generator_name((bailey_generator)g); g++) {
        const bailey_generator generator = (bailey_generator)g;
        const int usual = generator == BAILEY_GENERATOR_WARP || generator == BAILEY_GENERATOR_MT19937;
        if (!usual && !test->params.all) continue;
        bailey_source source = {.seed = 3, .stream = 4, .generator = generator};
        if (status == BAILEY_OK) status = test_words(test, &source, RANGE_FIRST);
        if (generator == BAILEY_GENERATOR_WARP && status == BAILEY_OK) {
            source.warp_set = 7; /* in the same kernel */
            status = test_words(test, &source, RANGE_FIRST);
        }
        const int can = generator != BAILEY_GENERATOR_MRG32K3A || test->context->device->info.has_f64;
        if (!test->params.all || !bly_published_words(generator) || !can) continue;
        source =
            (bailey_source){.seed = 12345, .generator = generator, .sequence = BAILEY_SEQUENCE_PUBLISHED};
        if (bly_published_check(&source) != BAILEY_OK) source.seed = 0; /* one that has no other */
        if (status == BAILEY_OK) status = test_words(test, &source, UINT64_C(3000000019));
    }
    return status;
}

/* Judges a range that has been written after RANGE_LEAD elements. */
static bailey_status judge_range(struct selftest *test, const char *what, bailey_precision precision)
{
    const size_t element = bly_element_bytes(precision);
    char item[96];
    snprintf(item, sizeof item, "%s, %s", what, precision_name(precision));
    return judge_part(test, item, test->x, RANGE_LEAD * element, RANGE_COUNT * element);
}

static bailey_status test_normals(struct selftest *test, const bailey_source *source,
                                  const bailey_normal_params *normals, const char *what)
{
    const bailey_status status = bailey_normals_generate(test->context, source, normals, RANGE_FIRST,
                                                         RANGE_COUNT, test->x, RANGE_LEAD);
    return status == BAILEY_OK ? judge_range(test, what, normals->precision) : status;
}

/* The last one of the table that has no findings. */
static bailey_generator last_sound(void)
{
    bailey_generator sound = BAILEY_GENERATOR_PHILOX;
    for (int g = 0; bailey_generator_name((bailey_generator)g); g++)
        if (strcmp(bailey_generator_verdict((bailey_generator)g), "sound") == 0) sound = (bailey_generator)g;
    return sound;
}

/* Uniforms, and normals of the generators that have and have not a kernel that draws and transforms. */
static bailey_status test_forms(struct selftest *test, bailey_precision precision)
{
    bailey_source source = {.seed = 3, .stream = 4, .generator = BAILEY_GENERATOR_HYBRID_TAUS};
    bailey_status status = bailey_uniforms_generate(test->context, &source, precision, 0, RANGE_FIRST,
                                                    RANGE_COUNT, test->x, RANGE_LEAD);
    if (status == BAILEY_OK) status = judge_range(test, "uniforms, hybrid-taus", precision);
    for (int method = 0; method < 2 && status == BAILEY_OK; method++) {
        char what[64];
        const int f64 = precision == BAILEY_PRECISION_F64;
        if (f64 && method == BAILEY_NORMAL_METHOD_ICDF) continue;
        const bailey_normal_params normals = {.method = (bailey_normal_method)method, .precision = precision};
        source.generator = f64 ? last_sound() : BAILEY_GENERATOR_WARP;
        snprintf(what, sizeof what, "normals, %s, %s", bailey_generator_name(source.generator),
                 method_name(normals.method));
        status = test_normals(test, &source, &normals, what);
    }
    return status;
}

/* Normals from words of the other width, drawn and from words in memory. */
static bailey_status test_widths(struct selftest *test, bailey_precision precision)
{
    bailey_status status = BAILEY_OK;
    for (int turn = 0; turn < 4 && status == BAILEY_OK; turn++) {
        char what[80];
        const bailey_source source = {
            .seed = 3, .stream = 4, .generator = turn / 2 ? BAILEY_GENERATOR_WARP : BAILEY_GENERATOR_PHILOX};
        const bailey_normal_params normals = {.method = (bailey_normal_method)(turn % 2),
                                              .precision = precision,
                                              .word_bits = precision == BAILEY_PRECISION_F64 ? 32 : 64};
        snprintf(what, sizeof what, "normals, %s, %s, from %u bits", bailey_generator_name(source.generator),
                 method_name(normals.method), (unsigned)normals.word_bits);
        status = test_normals(test, &source, &normals, what);
    }
    return status;
}

/* Points: dimensions from POINT_DIM on, of numbers whose bits are in every part of an item. */
#define POINT_DIM 1000
#define POINT_DIMS 7
#define POINT_FIRST 99999
#define POINTS 3001

static bailey_status test_point_form(struct selftest *test, bailey_scramble scramble, uint32_t word_bits,
                                     const bailey_points_params *params, const char *what)
{
    const bailey_source source = {.seed = 3,
                                  .stream = 4,
                                  .generator = BAILEY_GENERATOR_SOBOL,
                                  .scramble = scramble,
                                  .word_bits = word_bits};
    const int words = params->form == BAILEY_POINTS_FORM_WORDS;
    const size_t element = words ? word_bits / 8 : bly_element_bytes(params->precision);
    char item[96];
    snprintf(item, sizeof item, "points, sobol, %s%s%s", what, words ? "" : ", ",
             words ? "" : precision_name(params->precision));
    const bailey_status status =
        bailey_points_generate(test->context, &source, params, POINT_FIRST, POINTS, test->x, 0);
    return status == BAILEY_OK ? judge_buffer(test, item, test->x, POINTS * POINT_DIMS * element) : status;
}

/* Every scramble, width and layout; without `all` one. */
static bailey_status test_points(struct selftest *test, bailey_precision precision)
{
    bailey_points_params p = {.form = BAILEY_POINTS_FORM_WORDS,
                              .layout = BAILEY_POINTS_LAYOUT_DIM_MAJOR,
                              .first_dim = POINT_DIM,
                              .dims = POINT_DIMS};
    const int f64 = precision == BAILEY_PRECISION_F64;
    bailey_status status = BAILEY_OK;
    if (!f64) status = test_point_form(test, BAILEY_SCRAMBLE_OWEN, 32, &p, "owen, words");
    if (!test->params.all) return status;
    p.layout = BAILEY_POINTS_LAYOUT_POINT_MAJOR;
    if (status == BAILEY_OK && !f64) status = test_point_form(test, BAILEY_SCRAMBLE_NONE, 32, &p, "words");
    if (status == BAILEY_OK && !f64)
        status = test_point_form(test, BAILEY_SCRAMBLE_OWEN, 64, &p, "owen, words of 64 bits");
    p.precision = precision;
    p.form = BAILEY_POINTS_FORM_UNIFORMS;
    if (status == BAILEY_OK) status = test_point_form(test, BAILEY_SCRAMBLE_SHIFT, 32, &p, "shift, uniforms");
    p.form = BAILEY_POINTS_FORM_NORMALS;
    p.layout = BAILEY_POINTS_LAYOUT_DIM_MAJOR;
    if (status == BAILEY_OK) status = test_point_form(test, BAILEY_SCRAMBLE_LMS, 32, &p, "linear, normals");
    if (status == BAILEY_OK)
        status = test_point_form(test, BAILEY_SCRAMBLE_LMS, 64, &p, "linear, normals of 64 bits");
    return status;
}

static bailey_status test_variates(struct selftest *test, const bailey_source *source,
                                   const bailey_variate_params *variates, const char *what)
{
    const bailey_status status = bailey_variates_generate(test->context, source, variates, RANGE_FIRST,
                                                          RANGE_COUNT, test->x, RANGE_LEAD);
    return status == BAILEY_OK ? judge_range(test, what, variates->normal.precision) : status;
}

static bailey_status test_correlated(struct selftest *test, bailey_precision precision)
{
    static const double factor[DIMS * DIMS] = {0.2, 0, 0, 0.09, 0.3, 0, -0.05, 0.02, 0.25};
    const bailey_source source = {.seed = 5};
    const bailey_normal_params normals = {.precision = precision};
    char item[48];
    snprintf(item, sizeof item, "normals, correlated, %s", precision_name(precision));
    bailey_status status =
        bailey_normals_generate(test->context, &source, &normals, 0, DIMS * PATHS, test->z, 0);
    if (status == BAILEY_OK)
        status = bailey_normals_correlate(test->context, factor, DIMS, precision, PATHS, test->z, test->x);
    if (status == BAILEY_OK)
        status = judge_buffer(test, item, test->x, DIMS * PATHS * bly_element_bytes(precision));
    return status;
}

/* What else is made of words and of normals; without `all` some of it in either precision. */
static bailey_status test_distributions(struct selftest *test, bailey_precision precision)
{
    const int f64 = precision == BAILEY_PRECISION_F64, all = test->params.all != 0;
    const bailey_source philox = {.seed = 3, .stream = 4};
    const bailey_source warp = {.seed = 3, .stream = 4, .generator = BAILEY_GENERATOR_WARP};
    bailey_normal_params normals = {.precision = precision};
    const bailey_variate_params exponential = {
        .normal = normals, .distribution = BAILEY_DISTRIBUTION_EXPONENTIAL, .rate = 2};
    bailey_variate_params log_normal = {
        .normal = normals, .distribution = BAILEY_DISTRIBUTION_LOG_NORMAL, .mean = -0.5, .stddev = 0.2};
    log_normal.normal.method = BAILEY_NORMAL_METHOD_BOX_MULLER;
    bailey_status status = BAILEY_OK;
    if (all)
        status = bailey_uniforms_generate(test->context, &philox, precision, 0, RANGE_FIRST, RANGE_COUNT,
                                          test->x, RANGE_LEAD);
    if (status == BAILEY_OK && all) status = judge_range(test, "uniforms, philox", precision);
    if (status == BAILEY_OK && (all || !f64))
        status = test_variates(test, &warp, &exponential, "exponential, warp");
    if (status == BAILEY_OK && (all || f64))
        status = test_variates(test, &warp, &log_normal, "log-normal, warp, Box-Muller");
    if (status == BAILEY_OK && all && f64) /* test_forms has it of single precision */
        status = test_normals(test, &warp, &normals, "normals, warp, inverse CDF");
    normals.method = BAILEY_NORMAL_METHOD_WALLACE;
    if (status == BAILEY_OK && all && !f64)
        status = test_normals(test, &philox, &normals, "normals, Wallace");
    if (status == BAILEY_OK && (all || !f64)) status = test_correlated(test, precision);
    return status;
}

/* A bridge drawn in one kernel and, if `stored`, from stored normals too: both must judge the golden bits,
 * which do not depend on the strategy. */
static bailey_status test_bridge(struct selftest *test, const bailey_bridge_params *params,
                                 bailey_normal_method method, int stored)
{
    bailey_bridge *bridge = NULL;
    bailey_status status = bailey_bridge_create(test->context, params, &bridge);
    if (status != BAILEY_OK) return status;
    const bailey_source source = {.seed = 7, .stream = 8};
    const bailey_normal_params normal = {.method = method};
    const size_t bytes = (size_t)STEPS * params->dims * PATHS * bly_element_bytes(params->precision);
    char item[160];
    const int length =
        snprintf(item, sizeof item, "%s, %u dims, %s end, %s-major, %s, %s",
                 params->output == BAILEY_BRIDGE_OUTPUT_PATHS ? "paths" : "increments", params->dims,
                 params->end ? "fixed" : "free", params->layout == BAILEY_LAYOUT_STEP_MAJOR ? "step" : "path",
                 method_name(method), precision_name(params->precision));
    const struct golden *golden = find_golden(item);
    if (params->strategy != BAILEY_BRIDGE_STRATEGY_AUTO)
        snprintf(item + length, sizeof item - (size_t)length, ", strategy %s",
                 bailey_bridge_strategy_name(params->strategy));
    uint64_t found = 0;
    status = bailey_bridge_paths(bridge, &source, &normal, 5, PATHS, test->x);
    if (status == BAILEY_OK) status = hash_part(test->x, 0, bytes, &found);
    if (stored && golden && found == golden->hash) {
        if (status == BAILEY_OK) status = bailey_bridge_normals(bridge, &source, &normal, 5, PATHS, test->z);
        if (status == BAILEY_OK) status = bailey_bridge_build(bridge, PATHS, test->z, test->x);
        if (status == BAILEY_OK) status = hash_part(test->x, 0, bytes, &found);
    }
    if (status == BAILEY_OK) judge_hash(test, item, golden, found);
    bailey_bridge_destroy(bridge);
    return status;
}

/* By every strategy that the device has for it. */
static bailey_status test_strategies(struct selftest *test, const bailey_bridge_params *params,
                                     bailey_normal_method method)
{
    bailey_bridge_params named = *params;
    bailey_status status = BAILEY_OK;
    for (int s = BAILEY_BRIDGE_STRATEGY_AUTO + 1; status == BAILEY_OK; s++) {
        named.strategy = (bailey_bridge_strategy)s;
        if (strcmp(bailey_bridge_strategy_name(named.strategy), "unknown") == 0) break;
        status = test_bridge(test, &named, method, 1);
        if (status == BAILEY_ERROR_UNSUPPORTED) status = BAILEY_OK;
    }
    return status;
}

/* What a bridge's variant is, bit by bit. */
#define VARIANTS 16
#define SEVERAL_DIMS 1
#define FIXED_END 2
#define INCREMENTS 4
#define PATH_MAJOR 8

static bailey_status test_variant(struct selftest *test, int variant, bailey_precision precision)
{
    static const double covariance[DIMS * DIMS] = {0.04, 0.018, -0.01, 0.018, 0.09, 0.0, -0.01, 0.0, 0.0625};
    static const double start[DIMS] = {0.5, -1, 100}, end[DIMS] = {1, 0, -2};
    double times[STEPS];
    for (int i = 0; i < STEPS; i++) times[i] = 0.25 * (i + 1) + (i % 3) / 16.0;
    const bailey_bridge_params params = {
        .times = times,
        .steps = STEPS,
        .start_time = 0.125,
        .dims = variant & SEVERAL_DIMS ? DIMS : 1,
        .covariance = variant & SEVERAL_DIMS ? covariance : NULL,
        .start = start,
        .end = variant & FIXED_END ? end : NULL,
        .output = variant & INCREMENTS ? BAILEY_BRIDGE_OUTPUT_INCREMENTS : BAILEY_BRIDGE_OUTPUT_PATHS,
        .layout = variant & PATH_MAJOR ? BAILEY_LAYOUT_PATH_MAJOR : BAILEY_LAYOUT_STEP_MAJOR,
        .precision = precision};
    const bailey_normal_method method =
        variant % 3 ? BAILEY_NORMAL_METHOD_BOX_MULLER : BAILEY_NORMAL_METHOD_ICDF;
    const int all = test->params.all != 0;
    /* One of the few suffices to see that stored normals judge the same. */
    const int stored = all || variant == (SEVERAL_DIMS | PATH_MAJOR);
    bailey_status status = test_bridge(test, &params, method, stored);
    if (status == BAILEY_OK && all && precision == BAILEY_PRECISION_F32 &&
        (variant == 0 || variant == (INCREMENTS | FIXED_END)))
        status = test_strategies(test, &params, method);
    return status;
}

/* All variants, or without `all` both outputs in both layouts, and in double precision none: the price needs
 * one. */
static bailey_status test_bridges(struct selftest *test, bailey_precision precision)
{
    static const int few[] = {0, FIXED_END | INCREMENTS, SEVERAL_DIMS | PATH_MAJOR,
                              SEVERAL_DIMS | FIXED_END | INCREMENTS | PATH_MAJOR};
    const int count = test->params.all ? VARIANTS : sizeof few / sizeof *few;
    bailey_status status = BAILEY_OK;
    if (!test->params.all && precision == BAILEY_PRECISION_F64) return status;
    for (int i = 0; i < count && status == BAILEY_OK; i++)
        status = test_variant(test, test->params.all ? i : few[i], precision);
    return status;
}

static bailey_status test_price(struct selftest *test, bailey_precision precision)
{
    static const double fixings[4] = {0.25, 0.5, 0.75, 1}, spot[2] = {100, 50}, volatility[2] = {0.2, 0.35};
    static const double correlation[4] = {1, 0.4, 0.4, 1};
    const double rate = 0.03, strike = 75;
    const bailey_simulation_params params = {
        .path = {.times = fixings, .steps = 4, .dims = 2, .covariance = correlation, .precision = precision},
        .payoff = {.name = "asian"},
        .planned_paths = 30011};
    const bailey_simulation_run_params run = {.source = {.seed = 9}, .paths = 30011};
    bailey_estimate e[2];
    bailey_simulation *s = NULL;
    char item[64];
    snprintf(item, sizeof item, "price, Asian basket, %s", precision_name(precision));
    bailey_status status = bailey_simulation_create(test->context, &params, &s);
    if (status == BAILEY_OK) status = bailey_simulation_set(s, "spot", spot, 2);
    if (status == BAILEY_OK) status = bailey_simulation_set(s, "volatility", volatility, 2);
    if (status == BAILEY_OK) status = bailey_simulation_set(s, "rate", &rate, 1);
    if (status == BAILEY_OK) status = bailey_simulation_set(s, "strike", &strike, 1);
    if (status == BAILEY_OK) status = bailey_simulation_run(s, &run, e);
    bailey_simulation_destroy(s);
    if (status != BAILEY_OK) return bly_selftest_allow_missing(item, status);
    const double values[4] = {e[0].mean, e[0].standard_error, e[1].mean, e[1].standard_error};
    judge_hash(test, item, find_golden(item), fnv1a(values, sizeof values));
    return BAILEY_OK;
}

/* Paths by principal components, and by a bridge of points. */
static bailey_status test_other_paths(struct selftest *test, bailey_precision precision)
{
    static const double times[8] = {0.5, 1, 1.75, 2, 3, 3.25, 4, 6};
    static const double covariance[4] = {1, 0.5, 0.5, 2};
    bailey_bridge_params params = {
        .times = times, .steps = 8, .dims = 2, .covariance = covariance, .precision = precision};
    const size_t bytes = 8 * 2 * (size_t)PATHS * bly_element_bytes(precision);
    bailey_status status = BAILEY_OK;
    for (int points = 0; points < 2 && status == BAILEY_OK; points++) {
        const bailey_source source = {.seed = 7,
                                      .generator = points ? BAILEY_GENERATOR_SOBOL : BAILEY_GENERATOR_PHILOX,
                                      .scramble = points ? BAILEY_SCRAMBLE_OWEN : 0};
        bailey_bridge *bridge = NULL;
        char item[64];
        params.construction = points ? BAILEY_CONSTRUCTION_AUTO : BAILEY_CONSTRUCTION_PCA;
        snprintf(item, sizeof item, "paths, %s, %s", points ? "bridge of points" : "principal components",
                 precision_name(precision));
        status = bailey_bridge_create(test->context, &params, &bridge);
        if (status == BAILEY_OK) status = bailey_bridge_paths(bridge, &source, NULL, 5, PATHS, test->x);
        if (status == BAILEY_OK) status = judge_buffer(test, item, test->x, bytes);
        bailey_bridge_destroy(bridge);
    }
    return status;
}

/* The numbers of an estimate that digests are of: the structure may grow. */
struct estimated {
    double numbers[9];
    uint64_t paths;
};

static struct estimated estimated_of(const bailey_estimate *e)
{
    return (struct estimated){{e->mean, e->standard_error, e->controlled, e->controlled_standard_error,
                               e->variance, e->skewness, e->kurtosis, e->minimum, e->maximum},
                              e->paths};
}

static bailey_status run_simulation(struct selftest *test, bailey_simulation *s, bailey_sum sum,
                                    const char *item)
{
    static const struct {
        const char *name;
        double value;
    } set[] = {{"spot", 100},  {"volatility", 0.2}, {"strike", 95},
               {"rate", 0.03}, {"sign", 1},         {"weight", 1}};
    const size_t count = sizeof set / sizeof *set - (sum == BAILEY_SUM_FIXED); /* european has no weight */
    const bailey_simulation_run_params run = {.source = {.seed = 9},
                                              .paths = 30011,
                                              .moments = 1,
                                              .sum = sum,
                                              .sum_limit = sum == BAILEY_SUM_FIXED ? 1024 : 0};
    bailey_estimate estimates[2];
    struct estimated found[2];
    const size_t outputs = bailey_simulation_outputs(s);
    bailey_status status = BAILEY_OK;
    for (size_t i = 0; i < count && status == BAILEY_OK; i++)
        status = bailey_simulation_set(s, set[i].name, &set[i].value, 1);
    if (status == BAILEY_OK) status = bailey_simulation_run(s, &run, estimates);
    for (size_t o = 0; o < outputs && status == BAILEY_OK; o++) found[o] = estimated_of(&estimates[o]);
    if (status == BAILEY_OK) judge_hash(test, item, find_golden(item), fnv1a(found, outputs * sizeof *found));
    return status;
}

/* A built-in payoff, where it can be compiled: in integers one without a division, which not every
 * device has in f32. */
static bailey_status test_simulation(struct selftest *test, bailey_precision precision, bailey_sum sum)
{
    static const double times[4] = {0.25, 0.5, 0.75, 1};
    const int fixed = sum == BAILEY_SUM_FIXED;
    const bailey_simulation_params params = {.path = {.times = times, .steps = 4, .precision = precision},
                                             .payoff = {.name = fixed ? "european" : "asian"}};
    bailey_simulation *s = NULL;
    char item[64];
    snprintf(item, sizeof item, "simulation, sums in %s, %s", fixed ? "integers" : "double",
             precision_name(precision));
    bailey_status status = bailey_simulation_create(test->context, &params, &s);
    if (status == BAILEY_OK) status = run_simulation(test, s, sum, item);
    bailey_simulation_destroy(s);
    return bly_selftest_allow_missing(item, status);
}

/* In either precision, and on every device one. */
static bailey_status test_simulations(struct selftest *test, bailey_precision precision)
{
    const int f64 = precision == BAILEY_PRECISION_F64;
    bailey_status status = BAILEY_OK;
    if (!f64 || test->params.all) status = test_simulation(test, precision, BAILEY_SUM_FIXED);
    if (status == BAILEY_OK && test->context->device->info.has_f64 && (f64 || test->params.all))
        status = test_simulation(test, precision, BAILEY_SUM_DOUBLE);
    return status;
}

static bailey_status sample_levels(struct selftest *test, bailey_mlmc *levels, const char *item)
{
    static const struct {
        const char *name;
        double value;
    } set[] = {{"spot", 100}, {"volatility", 0.2}, {"strike", 95}, {"rate", 0.03}};
    static const uint64_t samples[4] = {30016, 4128, 992, 96};
    const bailey_mlmc_run_params run = {.source = {.seed = 9}};
    bailey_mlmc_result result;
    double values[8];
    bailey_status status = BAILEY_OK;
    for (size_t i = 0; i < sizeof set / sizeof *set && status == BAILEY_OK; i++)
        status = bailey_mlmc_set(levels, set[i].name, &set[i].value, 1);
    if (status == BAILEY_OK) status = bailey_mlmc_run_samples(levels, &run, samples, 4, &result);
    if (status != BAILEY_OK) return status;
    for (int l = 0; l < 4; l++) {
        values[2 * l] = result.level[l].mean;
        values[2 * l + 1] = result.level[l].variance;
    }
    judge_hash(test, item, find_golden(item), fnv1a(values, sizeof values));
    return BAILEY_OK;
}

/* Levels of multilevel Monte Carlo, where they can be compiled. */
static bailey_status test_levels(struct selftest *test, bailey_precision precision)
{
    const bailey_mlmc_params params = {.estimator = {.name = "european"}, .precision = precision};
    bailey_mlmc *levels = NULL;
    char item[64];
    if (!test->context->device->info.has_f64 || (precision == BAILEY_PRECISION_F64 && !test->params.all))
        return BAILEY_OK;
    snprintf(item, sizeof item, "levels, European call, %s", precision_name(precision));
    bailey_status status = bailey_mlmc_create(test->context, &params, &levels);
    if (status == BAILEY_OK) status = sample_levels(test, levels, item);
    bailey_mlmc_destroy(levels);
    return bly_selftest_allow_missing(item, status);
}

/* Brownian motions at ticks of all depths, each from the root down, and at a grid of ticks, in a walk. */
static bailey_status test_motion_values(struct selftest *test, bailey_motion *motion,
                                        bailey_precision precision)
{
    static const uint64_t ticks[4] = {UINT64_C(1) << 24, 3, 12345678, 99999};
    const bailey_source source = {.seed = 42, .stream = 5};
    const size_t row = (size_t)DIMS * PATHS * bly_element_bytes(precision);
    uint64_t grid[16];
    char item[64];
    for (uint64_t i = 0; i < 16; i++) grid[i] = (i + 1) << 20;
    snprintf(item, sizeof item, "motion, %s", precision_name(precision));
    bailey_status status = bailey_motion_values(motion, &source, ticks, 4, 77, PATHS, test->x);
    if (status == BAILEY_OK) status = judge_buffer(test, item, test->x, 4 * row);
    snprintf(item, sizeof item, "motion, grid, %s", precision_name(precision));
    if (status == BAILEY_OK) status = bailey_motion_values(motion, &source, grid, 16, 77, PATHS, test->x);
    return status == BAILEY_OK ? judge_buffer(test, item, test->x, 16 * row) : status;
}

/* What they do in intervals, with areas. */
static bailey_status test_motion_areas(struct selftest *test, bailey_motion *motion,
                                       bailey_precision precision)
{
    static const uint64_t from[3] = {1000, 7, 0}, to[3] = {12345679, 8, UINT64_C(1) << 24};
    const bailey_source source = {.seed = 42, .stream = 5};
    char item[64];
    snprintf(item, sizeof item, "motion, areas, %s", precision_name(precision));
    const bailey_status status = bailey_motion_increments(motion, &source, from, to, 3, 77, PATHS, test->x);
    return status == BAILEY_OK
               ? judge_buffer(test, item, test->x, (size_t)9 * DIMS * PATHS * bly_element_bytes(precision))
               : status;
}

static bailey_status test_motions(struct selftest *test, bailey_precision precision)
{
    static const double factor[DIMS * DIMS] = {1, 0, 0, 0.5, 2, 0, 0.25, 0.75, 1.5}, start[DIMS] = {1, 2, 3};
    bailey_motion_params params = {
        .end_time = 2, .depth = 24, .dims = DIMS, .factor = factor, .start = start, .precision = precision};
    bailey_motion *motion = NULL;
    bailey_status status = bailey_motion_create(test->context, &params, &motion);
    if (status == BAILEY_OK) status = test_motion_values(test, motion, precision);
    bailey_motion_destroy(motion);
    if (status != BAILEY_OK) return status;
    motion = NULL;
    params.areas = BAILEY_MOTION_AREAS_HK;
    status = bailey_motion_create(test->context, &params, &motion);
    if (status == BAILEY_OK) status = test_motion_areas(test, motion, precision);
    bailey_motion_destroy(motion);
    return bly_selftest_allow_missing("areas of motions", status);
}

static void judge_case(void *test, const char *item, const double *values, size_t count)
{
    judge_hash(test, item, find_golden(item), fnv1a(values, count * sizeof *values));
}

bailey_status bailey_selftest(bailey_context *context, const bailey_selftest_params *params)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    struct selftest test = {.context = context};
    if (params && bailey_record_check(&bly_record_selftest_params, params) != BAILEY_OK)
        return bly_finish(context, BAILEY_ERROR_INVALID);
    if (params) test.params = *params;
    const uint64_t bytes = (uint64_t)STEPS * DIMS * PATHS * sizeof(double); /* more than WORD_COUNT doubles */
    bailey_status status = bailey_buffer_create(context, bytes, &test.x);
    if (status == BAILEY_OK) status = bailey_buffer_create(context, bytes, &test.z);
    for (int precision = 0; precision <= (int)context->device->info.has_f64 && status == BAILEY_OK;
         precision++) {
        status = test_sequences(&test, (bailey_precision)precision);
        if (status == BAILEY_OK && precision == BAILEY_PRECISION_F32) status = test_generators(&test);
        if (status == BAILEY_OK && test.params.all) status = test_forms(&test, (bailey_precision)precision);
        if (status == BAILEY_OK && test.params.all) status = test_widths(&test, (bailey_precision)precision);
        if (status == BAILEY_OK) status = test_distributions(&test, (bailey_precision)precision);
        if (status == BAILEY_OK) status = test_points(&test, (bailey_precision)precision);
        if (status == BAILEY_OK) status = test_bridges(&test, (bailey_precision)precision);
        if (status == BAILEY_OK && context->device->info.has_f64)
            status = test_price(&test, (bailey_precision)precision);
        if (status == BAILEY_OK) status = test_simulations(&test, (bailey_precision)precision);
        if (status == BAILEY_OK) status = test_levels(&test, (bailey_precision)precision);
        if (status == BAILEY_OK) status = test_motions(&test, (bailey_precision)precision);
        if (status == BAILEY_OK && test.params.all)
            status = test_other_paths(&test, (bailey_precision)precision);
        if (status == BAILEY_OK && test.params.all && context->device->info.has_f64)
            status = bly_selftest_cases(context, (bailey_precision)precision, judge_case, &test);
    }
    bailey_buffer_destroy(test.x);
    bailey_buffer_destroy(test.z);
    if (status == BAILEY_OK && test.status != BAILEY_OK)
        status = bly_fail(test.status, "%s", test.first_failure);
    return bly_finish(context, status);
}
