/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey_error_argument: the name of what each public function refuses, and none where no argument is at
 * fault. On the cpu backend.
 */
#include "harness.h"

#include <bailey/points.h>
#include <base/alloc.h>
#include <host/bridge/bridge_internal.h>

#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Without the headers of OpenCL and CUDA: as the ABI has them. */
bailey_status bailey_context_create_opencl(void *opencl_context, void *device, void *queue,
                                           const bailey_context_params *params, bailey_context **context);
bailey_status bailey_buffer_adopt_opencl(bailey_context *context, void *memory, uint64_t bytes,
                                         bailey_buffer **buffer);
bailey_status bailey_context_opencl(bailey_context *context, void *opencl_context, void *device, void *queue);
bailey_status bailey_buffer_opencl(bailey_buffer *buffer, void *memory);
bailey_status bailey_context_create_cuda(void *cuda_context, void *stream,
                                         const bailey_context_params *params, bailey_context **context);
bailey_status bailey_buffer_adopt_cuda(bailey_context *context, unsigned long long pointer, uint64_t bytes,
                                       bailey_buffer **buffer);
bailey_status bailey_context_cuda(bailey_context *context, void *cuda_context, void *stream);
bailey_status bailey_buffer_cuda(bailey_buffer *buffer, unsigned long long *pointer);

static bailey_context *other;
static bailey_buffer *buffer, *foreign; /* 64 bytes of `context`, of `other` */

static void check(bailey_status status, bailey_status wanted, const char *argument, const char *call)
{
    if (status != wanted) fail_msg("%s: %s", call, bailey_status_name(status));
    if (strcmp(bailey_error_argument(), argument))
        fail_msg("%s: \"%s\", not \"%s\", of \"%s\"", call, bailey_error_argument(), argument,
                 bailey_error_message());
}
#define REFUSES(argument, call) check(call, BAILEY_ERROR_INVALID, argument, #call)

TEST(devices, ON_CPU)
{
    bailey_context *made;
    bailey_device about;
    size_t count;
    REFUSES("count", bailey_device_list(NULL, 0, NULL));
    REFUSES("devices", bailey_device_list(NULL, 1, &count));
    REFUSES("context", bailey_context_create("cpu", NULL, NULL));
    REFUSES("threads", bailey_context_create("cpu", &(bailey_context_params){.threads = 4097}, &made));
    REFUSES("device", bailey_context_create("tpu", NULL, &made));
    check(bailey_context_create("opencl:99", NULL, &made), BAILEY_ERROR_NO_DEVICE, "device", "opencl:99");
    REFUSES("context", bailey_context_device(NULL, &about));
    REFUSES("device", bailey_context_device(context, NULL));
    REFUSES("context", bailey_context_sync(NULL));
    REFUSES("context", bailey_selftest(NULL, NULL));
}

TEST(buffers, ON_CPU)
{
    bailey_buffer *made;
    double memory[2];
    REFUSES("context", bailey_buffer_create(NULL, 8, &made));
    REFUSES("buffer", bailey_buffer_create(context, 8, NULL));
    REFUSES("bytes", bailey_buffer_create(context, 0, &made));
    REFUSES("memory", bailey_buffer_adopt_host(context, NULL, 8, &made));
    REFUSES("memory", bailey_buffer_adopt_host(context, (char *)memory + 1, 8, &made));
    REFUSES("buffer", bailey_buffer_write(NULL, 0, memory, 8));
    REFUSES("source", bailey_buffer_write(buffer, 0, NULL, 8));
    REFUSES("bytes", bailey_buffer_write(buffer, 60, memory, 8));
    REFUSES("destination", bailey_buffer_read(buffer, 0, NULL, 8));
    REFUSES("bytes", bailey_buffer_read(buffer, 65, memory, 0));
    REFUSES("source", bailey_buffer_copy(NULL, 0, buffer, 0, 8));
    REFUSES("destination", bailey_buffer_copy(buffer, 0, NULL, 0, 8));
    REFUSES("source", bailey_buffer_copy(buffer, 0, foreign, 0, 8));
    REFUSES("bytes", bailey_buffer_copy(buffer, 0, buffer, 4, 8));
    REFUSES("buffer", bailey_buffer_fill(NULL, 0, 0, 8));
    REFUSES("bytes", bailey_buffer_fill(buffer, 0, 0, 65));
}

/* Functions of other hosts, which a context of the cpu is not for. */
TEST(adapters, ON_CPU)
{
    static int handle;
    bailey_context *made;
    bailey_buffer *adopted;
    REFUSES("context", bailey_context_create_opencl(&handle, NULL, NULL, NULL, NULL));
    REFUSES("opencl_context", bailey_context_create_opencl(NULL, NULL, NULL, NULL, &made));
    REFUSES("context", bailey_buffer_adopt_opencl(context, &handle, 8, &adopted));
    REFUSES("context", bailey_context_opencl(context, NULL, NULL, NULL));
    REFUSES("buffer", bailey_buffer_opencl(NULL, NULL));
    REFUSES("buffer", bailey_buffer_opencl(buffer, NULL));
    REFUSES("context", bailey_context_create_cuda(&handle, NULL, NULL, NULL));
    REFUSES("cuda_context", bailey_context_create_cuda(NULL, NULL, NULL, &made));
    REFUSES("context", bailey_buffer_adopt_cuda(NULL, 8, 8, &adopted));
    REFUSES("context", bailey_context_cuda(context, NULL, NULL));
    REFUSES("buffer", bailey_buffer_cuda(buffer, NULL));
}

TEST(words, ON_CPU)
{
    const bailey_source source = {.seed = 1}, wrong = {.generator = (bailey_generator)99};
    bailey_generator generator;
    REFUSES("name", bailey_generator_from_name(NULL, &generator));
    REFUSES("generator", bailey_generator_from_name("philox", NULL));
    REFUSES("name", bailey_generator_from_name("dice", &generator));
    REFUSES("source", bailey_source_check(NULL, NULL));
    REFUSES("generator", bailey_source_check(&wrong, NULL));
    REFUSES("context", bailey_words_generate(NULL, &source, 0, 1, buffer, 0));
    REFUSES("source", bailey_words_generate(context, NULL, 0, 1, buffer, 0));
    REFUSES("generator", bailey_words_generate(context, &wrong, 0, 1, buffer, 0));
    REFUSES("count", bailey_words_generate(context, &source, 0, 0, buffer, 0));
    REFUSES("first", bailey_words_generate(context, &source, UINT64_MAX, 2, buffer, 0));
    REFUSES("out", bailey_words_generate(context, &source, 0, 1, NULL, 0));
    REFUSES("out", bailey_words_generate(context, &source, 0, 1, foreign, 0));
    REFUSES("out", bailey_words_generate(context, &source, 0, 17, buffer, 0));
    REFUSES("source", bailey_uniforms_generate(context, NULL, 0, 0, 0, 1, buffer, 0));
    REFUSES("precision", bailey_uniforms_generate(context, &source, (bailey_precision)2, 0, 0, 1, buffer, 0));
    REFUSES("first", bailey_uniforms_generate(context, &source, BAILEY_PRECISION_F64, 0, UINT64_MAX / 2, 2,
                                              buffer, 0));
}

TEST(points, ON_CPU)
{
    const bailey_source sobol = {.generator = BAILEY_GENERATOR_SOBOL}, philox = {.seed = 1};
    static const struct {
        const char *argument;
        bailey_source source;
    } sources[] = {
        {"scramble", {.generator = BAILEY_GENERATOR_SOBOL, .scramble = (bailey_scramble)4}},
        {"point_order", {.generator = BAILEY_GENERATOR_SOBOL, .point_order = (bailey_point_order)2}},
        {"word_bits", {.generator = BAILEY_GENERATOR_SOBOL, .word_bits = 33}},
        {"assignment", {.generator = BAILEY_GENERATOR_SOBOL, .assignment = (bailey_assignment)3}},
        {"sequence", {.generator = BAILEY_GENERATOR_SOBOL, .sequence = BAILEY_SEQUENCE_PUBLISHED}},
        {"scramble", {.scramble = BAILEY_SCRAMBLE_SHIFT}},
        {"point_order", {.point_order = BAILEY_POINT_ORDER_INDEX}},
        {"word_bits", {.word_bits = 32}},
        {"assignment", {.assignment = BAILEY_ASSIGNMENT_DIAGONAL}},
    };
    static const struct {
        const char *argument;
        bailey_points_params params;
    } cases[] = {
        {"form", {.form = (bailey_points_form)3}},
        {"layout", {.layout = (bailey_points_layout)2}},
        {"precision", {.precision = (bailey_precision)2}},
        {"precision", {.form = BAILEY_POINTS_FORM_WORDS, .precision = BAILEY_PRECISION_F64}},
        {"dims", {.dims = BAILEY_POINTS_MAX_DIMS + 1}},
        {"first_dim", {.first_dim = BAILEY_POINTS_MAX_DIMS}},
    };
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        REFUSES(sources[i].argument, bailey_source_check(&sources[i].source, NULL));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        REFUSES(cases[i].argument,
                bailey_points_generate(context, &sobol, &cases[i].params, 0, 1, buffer, 0));
    REFUSES("context", bailey_points_generate(NULL, &sobol, NULL, 0, 1, buffer, 0));
    REFUSES("source", bailey_points_generate(context, NULL, NULL, 0, 1, buffer, 0));
    REFUSES("generator", bailey_points_generate(context, &philox, NULL, 0, 1, buffer, 0));
    REFUSES("points", bailey_points_generate(context, &sobol, NULL, 0, 0, buffer, 0));
    REFUSES("first_point", bailey_points_generate(context, &sobol, NULL, UINT64_MAX, 2, buffer, 0));
    REFUSES("out", bailey_points_generate(context, &sobol, NULL, 0, 1, NULL, 0));
    REFUSES("out", bailey_points_generate(context, &sobol, NULL, 0, 1, foreign, 0));
    REFUSES("out", bailey_points_generate(context, &sobol, NULL, 0, 17, buffer, 0));
    REFUSES("generator", bailey_words_generate(context, &sobol, 0, 1, buffer, 0));
}

TEST(places, ON_CPU)
{
    const bailey_source source = {.seed = 1}, wrong = {.generator = (bailey_generator)99};
    bailey_source restored;
    uint8_t bytes[BAILEY_SOURCE_BYTES];
    uint64_t first, count, place;
    REFUSES("source", bailey_source_split(NULL, 0, 1, 1, 0, &first, &count));
    REFUSES("first", bailey_source_split(&source, UINT64_MAX, 2, 1, 0, &first, &count));
    REFUSES("count", bailey_source_split(&source, 0, 0, 1, 0, &first, &count));
    REFUSES("part", bailey_source_split(&source, 0, 1, 1, 1, &first, &count));
    REFUSES("part_first", bailey_source_split(&source, 0, 1, 1, 0, NULL, &count));
    REFUSES("part_count", bailey_source_split(&source, 0, 1, 1, 0, &first, NULL));
    REFUSES("source", bailey_source_save(NULL, 0, bytes));
    REFUSES("bytes", bailey_source_save(&source, 0, NULL));
    REFUSES("generator", bailey_source_save(&wrong, 0, bytes));
    assert_int_equal(bailey_source_save(&source, UINT64_MAX, bytes), BAILEY_OK);
    REFUSES("source", bailey_source_restore(bytes, sizeof bytes, NULL, &place));
    REFUSES("place", bailey_source_restore(bytes, sizeof bytes, &restored, NULL));
    REFUSES("size", bailey_source_restore(bytes, sizeof bytes - 1, &restored, &place));
    bytes[40] ^= 1;
    REFUSES("bytes", bailey_source_restore(bytes, sizeof bytes, &restored, &place));
}

TEST(sequences, ON_CPU)
{
    static const struct {
        const char *argument;
        bailey_source source;
    } cases[] = {
        {"sequence", {.sequence = (bailey_sequence)2}},
        {"warp_set", {.warp_set = 1}},
        {"sequence", {.sequence = BAILEY_SEQUENCE_PUBLISHED, .generator = BAILEY_GENERATOR_WARP}},
        {"seed",
         {.sequence = BAILEY_SEQUENCE_PUBLISHED, .generator = BAILEY_GENERATOR_LCG, .seed = UINT64_MAX}},
        {"stream",
         {.sequence = BAILEY_SEQUENCE_PUBLISHED, .generator = BAILEY_GENERATOR_MT19937, .stream = 1}},
    };
    static const uint64_t far = 1;
    uint32_t lanes[32] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        REFUSES(cases[i].argument, bailey_source_check(&cases[i].source, NULL));
        REFUSES(cases[i].argument, bailey_words_generate(context, &cases[i].source, 0, 1, buffer, 0));
    }
    REFUSES("state", bailey_warp_jump(0, &far, 1, NULL));
    REFUSES("state", bailey_warp_stream(0, 1, lanes));
    lanes[0] = 1;
    REFUSES("warp_set", bailey_warp_stream(17, 1, lanes));
    REFUSES("words", bailey_warp_jump(0, &far, 1000, lanes));
    REFUSES("distance", bailey_warp_jump(0, NULL, 1, lanes));
}

TEST(variates, ON_CPU)
{
    static const struct {
        const char *argument;
        bailey_variate_params variate;
    } cases[] = {
        {"method", {.normal = {.method = BAILEY_NORMAL_METHOD_WALLACE}}},
        {"numerics", {.normal = {.numerics = (bailey_numerics)2}}},
        {"precision", {.normal = {.precision = (bailey_precision)2}}},
        {"distribution", {.distribution = (bailey_distribution)DISTRIBUTIONS}},
        {"mean", {.mean = 1e30}},
        {"stddev", {.stddev = -1}},
        {"rate", {.rate = 1}},
        {"mean", {.distribution = BAILEY_DISTRIBUTION_LOG_NORMAL, .mean = 80, .stddev = 10}},
        {"mean", {.distribution = BAILEY_DISTRIBUTION_EXPONENTIAL, .mean = 1}},
        {"stddev", {.distribution = BAILEY_DISTRIBUTION_EXPONENTIAL, .stddev = 1}},
        {"rate", {.distribution = BAILEY_DISTRIBUTION_EXPONENTIAL, .rate = -1}},
        {"location", {.location = 1}},
        {"scale", {.distribution = BAILEY_DISTRIBUTION_LOGISTIC, .scale = -1}},
        {"shape", {.distribution = BAILEY_DISTRIBUTION_WEIBULL, .shape = -1}},
        {"shape", {.distribution = BAILEY_DISTRIBUTION_PARETO, .shape = 0.2}},
        {"probability", {.distribution = BAILEY_DISTRIBUTION_BINOMIAL, .trials = 3}},
        {"freedom", {.distribution = BAILEY_DISTRIBUTION_STUDENT_T, .freedom = 1e10}},
        {"upper", {.distribution = BAILEY_DISTRIBUTION_TRUNCATED_NORMAL, .lower = 2, .upper = 1}},
        {"noncentrality", {.distribution = BAILEY_DISTRIBUTION_NONCENTRAL_CHI_SQUARE, .noncentrality = -1}},
    };
    const bailey_source source = {.seed = 1}, stepping = {.generator = BAILEY_GENERATOR_WARP};
    const bailey_normal_params wallace = {.method = BAILEY_NORMAL_METHOD_WALLACE};
    const double factor[4] = {1, 0, 0, 1}, broken[1] = {NAN}, tiny[1] = {1e-320};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        REFUSES(cases[i].argument,
                bailey_variates_generate(context, &source, &cases[i].variate, 0, 1, buffer, 0));
    REFUSES("source", bailey_variates_generate(context, NULL, &(bailey_variate_params){0}, 0, 1, buffer, 0));
    REFUSES("variate", bailey_variates_generate(context, &source, NULL, 0, 1, buffer, 0));
    REFUSES("source", bailey_normals_generate(context, NULL, NULL, 0, 1, buffer, 0));
    REFUSES("first", bailey_normals_generate(context, &source, NULL, UINT64_MAX, 2, buffer, 0));
    REFUSES("generator", bailey_normals_generate(context, &stepping, &wallace, 0, 1, buffer, 0));
    REFUSES("factor", bailey_normals_correlate(context, NULL, 1, 0, 1, buffer, foreign));
    REFUSES("dims", bailey_normals_correlate(context, factor, 65, 0, 1, buffer, foreign));
    REFUSES("factor", bailey_normals_correlate(context, broken, 1, 0, 1, buffer, foreign));
    REFUSES("count", bailey_normals_correlate(context, factor, 2, 0, 0, buffer, foreign));
    REFUSES("z", bailey_normals_correlate(context, factor, 2, 0, 1, NULL, buffer));
    REFUSES("x", bailey_normals_correlate(context, factor, 2, 0, 1, buffer, foreign));
    REFUSES("z", bailey_normals_correlate(context, factor, 2, 0, 1, buffer, buffer));
    bailey_buffer *x;
    assert_int_equal(bailey_buffer_create(context, 64, &x), BAILEY_OK);
    REFUSES("factor", bailey_normals_correlate(context, tiny, 1, 0, 1, buffer, x));
    bailey_buffer_destroy(x);
}

TEST(orders, ON_CPU)
{
    static const uint32_t beyond = 9;
    uint32_t order[4];
    bailey_order kind;
    REFUSES("kind", bailey_order_make((bailey_order)9, 4, NULL, 0, order));
    REFUSES("interior", bailey_order_make(0, BAILEY_BRIDGE_MAX_STEPS, NULL, 0, order));
    REFUSES("order", bailey_order_make(0, 4, NULL, 0, NULL));
    REFUSES("important", bailey_order_make(0, 4, NULL, 1, order));
    REFUSES("important", bailey_order_make(0, 4, &beyond, 1, order));
    REFUSES("name", bailey_order_from_name("sideways", &kind));
    REFUSES("name", bailey_order_from_name(NULL, &kind));
    REFUSES("kind", bailey_order_from_name("bisection", NULL));
}

TEST(bridges_made, ON_CPU)
{
    static const double times[2] = {1, 2}, backwards[2] = {2, 1}, close[2] = {1e-310, 1};
    static const double lopsided[4] = {1, 0.5, 0.25, 1}, infinite[1] = {INFINITY}, huge[1] = {1e300};
    static const uint32_t none[1] = {2};
    static const struct {
        const char *argument;
        bailey_bridge_params params;
    } cases[] = {
        {"steps", {.times = times}},
        {"times", {.steps = 2}},
        {"times", {.times = backwards, .steps = 2}},
        {"times", {.times = close, .steps = 2}},
        {"times", {.times = infinite, .steps = 1}},
        {"start_time", {.times = times, .steps = 2, .start_time = -INFINITY}},
        {"times", {.times = huge, .steps = 1}}, /* a weight beyond single precision */
        {"order", {.times = times, .steps = 2, .order = none}},
        {"dims", {.times = times, .steps = 2, .dims = 65}},
        {"factor", {.times = times, .steps = 2, .factor = lopsided, .covariance = lopsided}},
        {"factor", {.times = times, .steps = 2, .factor = infinite}},
        {"factor", {.times = times, .steps = 2, .factor = huge}},
        {"covariance", {.times = times, .steps = 2, .dims = 2, .covariance = lopsided}},
        {"covariance", {.times = times, .steps = 2, .covariance = huge}},
        {"start", {.times = times, .steps = 2, .start = infinite}},
        {"start", {.times = times, .steps = 2, .start = huge}},
        {"end", {.times = times, .steps = 2, .end = infinite}},
        {"end", {.times = times, .steps = 2, .end = huge}},
        {"output", {.times = times, .steps = 2, .output = (bailey_bridge_output)2}},
        {"layout", {.times = times, .steps = 2, .layout = (bailey_layout)2}},
        {"precision", {.times = times, .steps = 2, .precision = (bailey_precision)2}},
        {"strategy", {.times = times, .steps = 2, .strategy = (bailey_bridge_strategy)99}},
        {"construction", {.times = times, .steps = 2, .construction = (bailey_construction)4}},
        {"steps", {.times = times, .steps = 1025, .construction = BAILEY_CONSTRUCTION_PCA}},
        {"order", {.times = times, .steps = 2, .order = none, .construction = BAILEY_CONSTRUCTION_PCA}},
        {"strategy",
         {.times = times,
          .steps = 2,
          .strategy = BAILEY_BRIDGE_STRATEGY_BLOCKS,
          .construction = BAILEY_CONSTRUCTION_PCA}},
        {"times", {.times = huge, .steps = 1, .construction = BAILEY_CONSTRUCTION_PCA}},
        {"order", {.times = times, .steps = 2, .order = none, .construction = BAILEY_CONSTRUCTION_WALK}},
        {"end", {.times = times, .steps = 2, .end = times, .construction = BAILEY_CONSTRUCTION_WALK}},
        {"times", {.times = backwards, .steps = 2, .construction = BAILEY_CONSTRUCTION_WALK}},
        {"start",
         {.times = times,
          .steps = 2,
          .start = huge,
          .output = BAILEY_BRIDGE_OUTPUT_INCREMENTS,
          .construction = BAILEY_CONSTRUCTION_WALK}},
    };
    bailey_bridge *bridge;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        REFUSES(cases[i].argument, bailey_bridge_create(context, &cases[i].params, &bridge));
    REFUSES("context", bailey_bridge_create(NULL, &cases[0].params, &bridge));
    REFUSES("params", bailey_bridge_create(context, NULL, &bridge));
    REFUSES("bridge", bailey_bridge_create(context, &cases[0].params, NULL));
}

TEST(bridges_used, ON_CPU)
{
    static const double time = 1;
    const bailey_bridge_params params = {.times = &time, .steps = 1};
    const bailey_source source = {.seed = 1}, wrong = {.generator = (bailey_generator)99};
    const bailey_normal_params wallace = {.method = BAILEY_NORMAL_METHOD_WALLACE};
    bailey_bridge *bridge;
    bailey_bridge_info info;
    const void *records;
    size_t bytes;
    assert_int_equal(bailey_bridge_create(context, &params, &bridge), BAILEY_OK);
    REFUSES("bridge", bailey_bridge_describe(NULL, &info));
    REFUSES("info", bailey_bridge_describe(bridge, NULL));
    REFUSES("records", bailey_bridge_records(bridge, NULL, &bytes));
    REFUSES("bytes", bailey_bridge_records(bridge, &records, NULL));
    REFUSES("info", bailey_bridge_inspect(bridge, NULL, NULL, NULL));
    REFUSES("bridge", bailey_bridge_build(NULL, 1, buffer, buffer));
    REFUSES("paths", bailey_bridge_build(bridge, 0, buffer, buffer));
    REFUSES("z", bailey_bridge_build(bridge, 1, NULL, buffer));
    REFUSES("x", bailey_bridge_build(bridge, 1, buffer, foreign));
    REFUSES("z", bailey_bridge_build(bridge, 17, buffer, buffer));
    REFUSES("z", bly_bridge_transfer(bridge, 1, buffer, buffer));
    REFUSES("source", bailey_bridge_paths(bridge, NULL, NULL, 0, 1, buffer));
    REFUSES("generator", bailey_bridge_paths(bridge, &wrong, NULL, 0, 1, buffer));
    REFUSES("method", bailey_bridge_paths(bridge, &source, &wallace, 0, 1, buffer));
    REFUSES("first_path", bailey_bridge_paths(bridge, &source, NULL, BAILEY_BRIDGE_MAX_PATHS, 1, buffer));
    REFUSES("x", bailey_bridge_paths(bridge, &source, NULL, 0, 1, NULL));
    REFUSES("z", bailey_bridge_normals(bridge, &source, NULL, 0, 1, NULL));
    bailey_bridge_destroy(bridge);
}

TEST(no_argument, ON_CPU)
{
    static const double time = 1;
    const bailey_bridge_params compiled = {
        .times = &time, .steps = 1, .strategy = BAILEY_BRIDGE_STRATEGY_SPECIALISED};
    bailey_context *made;
    bailey_bridge *bridge;
    bailey_buffer *lost;
    size_t count;
    bly_alloc_countdown = 1;
    check(bailey_buffer_create(context, 8, &lost), BAILEY_ERROR_MEMORY, "", "no memory");
    REFUSES("bytes", bailey_buffer_create(context, 0, &lost));
    setenv("BAILEY_BACKENDS", "tpu", 1);
    check(bailey_device_list(NULL, 0, &count), BAILEY_ERROR_INVALID, "", "BAILEY_BACKENDS");
    unsetenv("BAILEY_BACKENDS");
    REFUSES("bytes", bailey_buffer_create(context, 0, &lost));
    setenv("BAILEY_DEVICE", "tpu", 1);
    check(bailey_context_create(NULL, NULL, &made), BAILEY_ERROR_INVALID, "", "BAILEY_DEVICE");
    unsetenv("BAILEY_DEVICE");
    REFUSES("bytes", bailey_buffer_create(context, 0, &lost));
    const bailey_status status = bailey_bridge_create(context, &compiled, &bridge);
    if (status == BAILEY_OK)
        bailey_bridge_destroy(bridge); /* where the cpu compiles */
    else
        check(status, BAILEY_ERROR_UNSUPPORTED, "", "specialised");
}

/* Failures inside threads cannot use cmocka: they are counted. */
static void *fail_elsewhere(void *failures)
{
    bailey_order kind;
    *(int *)failures += *bailey_error_argument() != 0; /* a new thread has no error */
    *(int *)failures += bailey_order_from_name("bisection", NULL) != BAILEY_ERROR_INVALID;
    *(int *)failures += strcmp(bailey_error_argument(), "kind") != 0;
    *(int *)failures += bailey_order_from_name("bisection", &kind) != BAILEY_OK;
    *(int *)failures += strcmp(bailey_error_argument(), "kind") != 0; /* a success clears nothing */
    return NULL;
}

TEST(threads, ON_CPU)
{
    pthread_t thread;
    bailey_buffer *made;
    int failures = 0;
    REFUSES("bytes", bailey_buffer_create(context, 0, &made));
    assert_int_equal(pthread_create(&thread, NULL, fail_elsewhere, &failures), 0);
    pthread_join(thread, NULL);
    assert_int_equal(failures, 0);
    assert_string_equal(bailey_error_argument(), "bytes");
}

static int set_up(void **state)
{
    (void)state;
    OK(bailey_context_create("cpu", NULL, &other));
    OK(bailey_buffer_create(context, 64, &buffer));
    OK(bailey_buffer_create(other, 64, &foreign));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    bailey_buffer_destroy(foreign);
    bailey_buffer_destroy(buffer);
    bailey_context_destroy(other);
    return 0;
}
FIXTURE(set_up, tear_down)
