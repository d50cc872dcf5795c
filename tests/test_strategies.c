/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Every strategy builds the same bits as READBACK, which tests/test_paths.c holds against the reference, and
 * says so where it cannot do a bridge.
 */
#include "harness.h"

#include <bailey/device/bridge.h>
#include <host/bridge/bridge_internal.h>

#define MAX_DIMS 64
#define MAX_STEPS 4097

struct job {
    bailey_bridge_params params;
    bailey_source source;
    bailey_normal_params normal;
    uint64_t first, paths;
};

/* Programs of cpu are made by the system's C compiler. */
static int has_c_compiler(void)
{
    static int known = -1;
    const char *name = getenv("BAILEY_CC");
    char command[256];
    snprintf(command, sizeof command, "%s --version >/dev/null 2>&1", name ? name : "cc");
    if (known < 0) known = name && !*name ? 0 : system(command) == 0;
    return known;
}

/* Whether the library promises this strategy for this bridge on this device; bailey.h and docs/developers/bridge-internals.md. */
enum promise { ALWAYS, MAYBE, NEVER };

static enum promise promise_of(const struct job *job, bailey_bridge_strategy strategy)
{
    const bailey_bridge_params *p = &job->params;
    if (strategy == BAILEY_BRIDGE_STRATEGY_AUTO || strategy == BAILEY_BRIDGE_STRATEGY_READBACK) return ALWAYS;
    if (strategy == BAILEY_BRIDGE_STRATEGY_REUSE && p->dims == 1) return ALWAYS;
    if (strncmp(device.address, "cpu", 3) == 0 && !has_c_compiler()) return NEVER;
    if (strategy == BAILEY_BRIDGE_STRATEGY_SPECIALISED && p->steps > 1024) return NEVER;
    if (strategy <= BAILEY_BRIDGE_STRATEGY_PREFETCH && p->steps > 3448) return NEVER;
    if (strategy == BAILEY_BRIDGE_STRATEGY_BLOCKS && p->layout == BAILEY_LAYOUT_PATH_MAJOR) return NEVER;
    const int divided =
        strategy == BAILEY_BRIDGE_STRATEGY_SPECIALISED && p->layout == BAILEY_LAYOUT_STEP_MAJOR;
    if (strategy >= BAILEY_BRIDGE_STRATEGY_SPECIALISED && p->dims > 16 && !divided) return NEVER;
    if (strncmp(device.address, "cuda", 4) == 0) return MAYBE; /* NVRTC may be absent */
    if (strategy < BAILEY_BRIDGE_STRATEGY_SHARED && strstr(device.driver, "PoCL 5.")) return NEVER;
    if (divided && p->dims > 5) return ALWAYS;
    if (p->dims > 5 || p->steps > 100) return MAYBE; /* memory that a group shares; constant memory */
    return ALWAYS;
}

static uint64_t z_steps_of(const struct job *job) { return job->params.steps - (job->params.end ? 1 : 0); }

static size_t path_bytes(const struct job *job, uint64_t steps)
{
    return steps * job->params.dims * job->paths * (job->params.precision == BAILEY_PRECISION_F64 ? 8 : 4);
}

/* X by the job's strategy: from Z where `z` is not NULL, else fused. Returns NULL where it is unsupported. */
static void *build(const struct job *job, bailey_buffer *z)
{
    bailey_bridge *bridge = NULL;
    const uint64_t bytes = path_bytes(job, job->params.steps);
    bailey_buffer *x = poisoned(bytes);
    bailey_status status = bailey_bridge_create(context, &job->params, &bridge);
    if (status == BAILEY_OK)
        status = z ? bailey_bridge_build(bridge, job->paths, z, x)
                   : bailey_bridge_paths(bridge, &job->source, &job->normal, job->first, job->paths, x);
    bailey_bridge_info info;
    if (status == BAILEY_OK) {
        OK(bailey_bridge_describe(bridge, &info));
        if (job->params.strategy != BAILEY_BRIDGE_STRATEGY_AUTO)
            assert_int_equal(info.strategy, job->params.strategy);
        else
            assert_int_not_equal(info.strategy, BAILEY_BRIDGE_STRATEGY_AUTO);
    }
    char text[2048];
    snprintf(text, sizeof text, "%s", bailey_error_message());
    bailey_bridge_destroy(bridge);
    void *data = harvest(x, bytes);
    if (status == BAILEY_OK) return data;
    const unsigned char *untouched = data;
    for (uint64_t i = 0; i < bytes; i++) assert_int_equal(untouched[i], POISON);
    free(data);
    if (status != BAILEY_ERROR_UNSUPPORTED)
        fail_msg("strategy %s: %s: %s", bailey_bridge_strategy_name(job->params.strategy),
                 bailey_status_name(status), text);
    assert_true(*text != 0);
    return NULL;
}

static void compare(struct job *job, const char *what, bailey_bridge_strategy strategy, bailey_buffer *z,
                    const void *expected)
{
    char name[320];
    job->params.strategy = strategy;
    void *found = build(job, z);
    snprintf(name, sizeof name,
             "%s, %s: %llu steps, %u dims, %s, %s, %s, %s end, %s, normals %d, paths %llu from %llu",
             bailey_bridge_strategy_name(strategy), what, (unsigned long long)job->params.steps,
             job->params.dims, job->params.precision == BAILEY_PRECISION_F64 ? "f64" : "f32",
             job->params.output == BAILEY_BRIDGE_OUTPUT_INCREMENTS ? "increments" : "paths",
             job->params.layout == BAILEY_LAYOUT_PATH_MAJOR ? "path-major" : "step-major",
             job->params.end ? "fixed" : "free", job->params.factor ? "correlated" : "independent",
             (int)job->normal.method, (unsigned long long)job->paths, (unsigned long long)job->first);
    const enum promise promise = promise_of(job, strategy);
    if (found && promise == NEVER) fail_msg("%s: was built", name);
    if (!found && promise == ALWAYS) fail_msg("%s: %s", name, bailey_error_message());
    if (found)
        same_bits(name, found, expected, job->params.steps * job->params.dims * job->paths,
                  job->params.precision == BAILEY_PRECISION_F64 ? 8 : 4);
    free(found);
}

/* Compilers of CPU devices take a second for a program, and more for straight-line code. Those of OpenCL
 * compile half of the programs (few_programs), as cpu has the same code and meets all of it. */
static int takes_long(void) { return getenv("BAILEY_TEST_QUICK") || device.kind == BAILEY_DEVICE_KIND_CPU; }

/* LARGE: code that such a compiler needs 10 s for, which BAILEY_TEST_LARGE asks for there. */
enum mode { FROM_Z = 1, FUSED = 2, LARGE = 4 };

/* Holds strategies against READBACK, in the modes that `modes` says. */
static void check(struct job *job, int modes, const bailey_bridge_strategy *strategies, size_t count)
{
    bailey_bridge *bridge = NULL;
    const uint64_t z_bytes = path_bytes(job, z_steps_of(job));
    bailey_buffer *z = poisoned(z_bytes ? z_bytes : 1);
    job->params.strategy = BAILEY_BRIDGE_STRATEGY_READBACK;
    OK(bailey_bridge_create(context, &job->params, &bridge));
    OK(bailey_bridge_normals(bridge, &job->source, &job->normal, job->first, job->paths, z));
    bailey_bridge_destroy(bridge);
    void *expected = build(job, NULL);
    for (size_t i = 0; i < count; i++) {
        if (modes & FROM_Z) compare(job, "from Z", strategies[i], z, expected);
        if (modes & FUSED) compare(job, "fused", strategies[i], NULL, expected);
    }
    free(expected);
    bailey_buffer_destroy(z);
}

static const bailey_bridge_strategy all[] = {
#define ROW(number, name, word, writer) BAILEY_BRIDGE_STRATEGY_##name,
    BAILEY_BRIDGE_STRATEGY_LIST(ROW)
#undef ROW
};
#define ALL (sizeof all / sizeof *all)

static double times[MAX_STEPS], factor[MAX_DIMS * MAX_DIMS], start[MAX_DIMS], end[MAX_DIMS];
static uint32_t order[MAX_STEPS];

#define RANDOM_ORDER (-1)

/* A test case's bridge; times, numbers and a random order follow from `random`. */
struct shape {
    uint64_t steps;
    uint32_t dims;
    bailey_bridge_output output;
    bailey_layout layout;
    bailey_precision precision;
    int has_start, has_end, correlated;
    int order; /* a bailey_order, or RANDOM_ORDER */
    bailey_normal_method method;
};

static struct job job_of(const struct shape *shape, uint64_t *random)
{
    double t = 0;
    struct job job = {.source = {.seed = next_random(random), .stream = 3},
                      .normal = {.method = shape->method}};
    for (uint64_t i = 0; i < shape->steps; i++) times[i] = t += 0.01 + next_uniform(random);
    for (uint32_t i = 0; i < shape->dims; i++) {
        start[i] = next_uniform(random);
        end[i] = next_uniform(random);
        for (uint32_t j = 0; j < shape->dims; j++)
            factor[i * shape->dims + j] = j > i    ? 9
                                          : i == j ? 1 + next_uniform(random)
                                                   : next_uniform(random) - 0.5;
    }
    if (shape->order == RANDOM_ORDER)
        random_permutation(random, order, (uint32_t)shape->steps - 1);
    else
        OK(bailey_order_make((bailey_order)shape->order, shape->steps - 1, NULL, 0, order));
    job.params = (bailey_bridge_params){
        .times = times,
        .steps = shape->steps,
        .order = order,
        .dims = shape->dims,
        .output = shape->output,
        .layout = shape->layout,
        .precision = device.has_f64 ? shape->precision : BAILEY_PRECISION_F32,
        .start = shape->has_start ? start : NULL,
        .end = shape->has_end ? end : NULL,
        .factor = shape->correlated ? factor : NULL,
    };
    return job;
}

#define PATHS BAILEY_BRIDGE_OUTPUT_PATHS
#define INCREMENTS BAILEY_BRIDGE_OUTPUT_INCREMENTS
#define BY_STEP BAILEY_LAYOUT_STEP_MAJOR
#define BY_PATH BAILEY_LAYOUT_PATH_MAJOR
#define F32 BAILEY_PRECISION_F32
#define F64 BAILEY_PRECISION_F64
#define DOWN BAILEY_ORDER_BISECTION
#define CHAIN BAILEY_ORDER_INCREMENTAL
#define ICDF BAILEY_NORMAL_METHOD_ICDF
#define BOX_MULLER BAILEY_NORMAL_METHOD_BOX_MULLER

/* Each strategy meets every pair of dimensions, output, layout, precision, free or fixed end and source of
 * normals in as few programs as can be, as each takes a second to compile where that is slow. The first range
 * is one of whole vectors, the second is not. */
TEST(pairs, DEVICE | LONG)
{
    static const struct {
        struct shape shape;
        enum mode mode;
        uint64_t first[2], paths[2];
    } cases[] = {
        {{100, 1, PATHS, BY_STEP, F32, 0, 0, 0, RANDOM_ORDER, ICDF}, FROM_Z, {0, 8}, {1024, 31}},
        {{33, 1, INCREMENTS, BY_PATH, F64, 1, 1, 1, RANDOM_ORDER, BOX_MULLER}, FUSED, {4, 3}, {132, 519}},
        {{17, 2, PATHS, BY_STEP, F64, 0, 0, 1, CHAIN, BOX_MULLER}, FUSED, {0, 5}, {260, 1}},
        {{12, 2, INCREMENTS, BY_PATH, F32, 1, 1, 1, BAILEY_ORDER_BISECTION_LR_UP, ICDF},
         FROM_Z,
         {0, 1},
         {132, 131}},
        {{9, 3, INCREMENTS, BY_STEP, F32, 1, 0, 1, RANDOM_ORDER, BOX_MULLER}, FUSED, {12, 6}, {128, 135}},
        {{13, 3, PATHS, BY_PATH, F64, 0, 1, 1, BAILEY_ORDER_BISECTION_RL_DOWN, ICDF},
         FROM_Z,
         {0, 2},
         {64, 257}},
        {{11, 5, PATHS, BY_PATH, F32, 1, 0, 1, RANDOM_ORDER, ICDF}, FUSED, {8, 7}, {128, 33}},
        {{10, 5, INCREMENTS, BY_STEP, F64, 0, 1, 0, CHAIN, BOX_MULLER}, FROM_Z, {0, 9}, {516, 129}},
    };
    uint64_t random = 71;
    const int few = takes_long(), quick = getenv("BAILEY_TEST_QUICK") != NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct job job = job_of(&cases[i].shape, &random);
        /* Where compiling takes long, a strategy that walks meets one of the two cases of a number of
         * dimensions, and code one of the two ranges; as each row has one. OpenCL's code is as what walks. */
        bailey_bridge_strategy some[ALL];
        size_t count = 0;
        for (size_t s = 0; s < ALL; s++)
            if (!few || (!quick && !few_programs() && all[s] >= BAILEY_BRIDGE_STRATEGY_SPECIALISED) ||
                (all[s] + i / 2 + i) % 2 == 0)
                some[count++] = all[s];
        for (int range = 0; range < 2; range++) {
            if ((few || quick) && range != (int)(i / 2 % 2)) continue;
            job.first = cases[i].first[range];
            job.paths = cases[i].paths[range];
            check(&job, cases[i].mode, some, count);
        }
    }
}

/* One step: the root alone, with nothing to draw where it is fixed. */
TEST(one_step, DEVICE | LONG_ON_OPENCL)
{
    static const struct shape shapes[] = {{1, 1, INCREMENTS, BY_STEP, F32, 1, 1, 0, DOWN, ICDF},
                                          {1, 2, INCREMENTS, BY_PATH, F32, 1, 0, 1, DOWN, ICDF}};
    static const bailey_bridge_strategy strategies[][3] = {
        {BAILEY_BRIDGE_STRATEGY_PREFETCH, BAILEY_BRIDGE_STRATEGY_BLOCKS,
         BAILEY_BRIDGE_STRATEGY_REUSE_PREFETCH},
        {BAILEY_BRIDGE_STRATEGY_SPECIALISED, BAILEY_BRIDGE_STRATEGY_SHARED, BAILEY_BRIDGE_STRATEGY_VECTOR}};
    uint64_t random = 76;
    for (int i = 0; i < 2; i++) {
        struct job job = job_of(&shapes[i], &random);
        job.first = 3;
        job.paths = 37;
        check(&job, i ? FUSED : FROM_Z, strategies[i], 3);
    }
}

/* Bridges that are too long to be one piece of straight-line code: blocks of every kind, chains, sections of
 * records, constants that are too many. */
TEST(long_bridges, DEVICE | LONG)
{
    static const struct {
        struct shape shape;
        enum mode mode;
        bailey_bridge_strategy walk; /* besides AUTO and BLOCKS */
    } cases[] = {
        {{300, 1, PATHS, BY_STEP, F32, 0, 0, 0, DOWN, ICDF}, FROM_Z, BAILEY_BRIDGE_STRATEGY_SHARED},
        {{257, 2, INCREMENTS, BY_STEP, F64, 1, 1, 1, CHAIN, ICDF},
         FROM_Z,
         BAILEY_BRIDGE_STRATEGY_REUSE_PREFETCH},
        {{1000, 1, PATHS, BY_STEP, F64, 1, 0, 0, CHAIN, ICDF}, FROM_Z, BAILEY_BRIDGE_STRATEGY_SHARED},
        {{1001, 2, INCREMENTS, BY_STEP, F32, 0, 0, 1, DOWN, BOX_MULLER},
         FUSED | LARGE,
         BAILEY_BRIDGE_STRATEGY_REUSE_PREFETCH},
        {{4096, 1, INCREMENTS, BY_STEP, F32, 1, 1, 0, RANDOM_ORDER, ICDF},
         FUSED,
         BAILEY_BRIDGE_STRATEGY_CONSTANT},
        {{400, 1, PATHS, BY_STEP, F32, 1, 1, 0, RANDOM_ORDER, BOX_MULLER},
         FUSED | LARGE,
         BAILEY_BRIDGE_STRATEGY_SHARED},
    };
    uint64_t random = 72;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bailey_bridge_strategy strategies[] = {BAILEY_BRIDGE_STRATEGY_AUTO,
                                                     BAILEY_BRIDGE_STRATEGY_BLOCKS, cases[i].walk};
        struct job job = job_of(&cases[i].shape, &random);
        if (cases[i].mode & LARGE && takes_long() && !getenv("BAILEY_TEST_LARGE")) continue;
        job.paths = 132 - i % 2;
        check(&job, cases[i].mode, strategies, 3);
    }
}

/* Increments in blocks write a row twice, so items past the end must not write: with few paths of whole
 * vectors most of a group's items are past it, and a race shows only sometimes. */
TEST(items_past_the_end, DEVICE | REPEATED_ON_OPENCL)
{
    static const struct shape shape = {1001, 1, INCREMENTS, BY_STEP, F32, 0, 0, 0, DOWN, BOX_MULLER};
    const bailey_bridge_strategy blocks = BAILEY_BRIDGE_STRATEGY_BLOCKS;
    uint64_t random = 77;
    struct job job = job_of(&shape, &random);
    for (int i = 0; i < (takes_long() ? 1 : 20); i++) {
        job.paths = i % 2 ? 128 : 4;
        check(&job, FROM_Z | FUSED, &blocks, 1);
    }
}

/* Straight-line code whose items share out the dimensions. */
TEST(divided_dimensions, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    static const struct {
        struct shape shape;
        enum mode mode;
        uint64_t first, paths;
    } cases[] = {
        {{6, 6, PATHS, BY_STEP, F64, 1, 0, 1, DOWN, ICDF}, FROM_Z, 0, 132},
        {{21, 7, INCREMENTS, BY_STEP, F32, 0, 1, 1, RANDOM_ORDER, BOX_MULLER}, FROM_Z | FUSED, 4, 260},
        {{5, 11, PATHS, BY_STEP, F64, 1, 1, 1, CHAIN, ICDF}, FUSED, 3, 131},
        {{11, 16, PATHS, BY_STEP, F32, 0, 0, 1, RANDOM_ORDER, ICDF}, FROM_Z | FUSED, 0, 128},
        {{8, 16, INCREMENTS, BY_STEP, F64, 1, 0, 1, DOWN, BOX_MULLER}, FROM_Z, 5, 129},
        {{7, 19, PATHS, BY_STEP, F32, 1, 0, 0, DOWN, BOX_MULLER}, FROM_Z | FUSED, 8, 64},
        {{1, 33, INCREMENTS, BY_STEP, F32, 1, 0, 1, DOWN, ICDF}, FUSED, 0, 5},
        {{2, 31, PATHS, BY_STEP, F32, 0, 0, 1, CHAIN, BOX_MULLER}, FUSED, 2, 9}, /* groups of 512 items */
        {{3, 64, PATHS, BY_STEP, F64, 1, 1, 1, DOWN, ICDF}, FROM_Z | FUSED, 1, 34},
    };
    const bailey_bridge_strategy strategy = BAILEY_BRIDGE_STRATEGY_SPECIALISED;
    uint64_t random = 78;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct job job = job_of(&cases[i].shape, &random);
        job.first = cases[i].first;
        job.paths = cases[i].paths;
        const int one = i % 2 ? FUSED : FROM_Z, both = cases[i].mode == (FROM_Z | FUSED);
        check(&job, few_programs() && both ? one : (int)cases[i].mode, &strategy, 1);
    }
}

/* More dimensions than keep C in registers, than share a group, than straight-line code takes. */
TEST(many_dimensions, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    static const struct {
        struct shape shape;
        enum mode mode;
        bailey_bridge_strategy strategies[4];
    } cases[] = {
        {{6, 9, PATHS, BY_STEP, F32, 1, 0, 1, DOWN, ICDF},
         FUSED,
         {BAILEY_BRIDGE_STRATEGY_SHARED, BAILEY_BRIDGE_STRATEGY_BLOCKS, BAILEY_BRIDGE_STRATEGY_REUSE,
          BAILEY_BRIDGE_STRATEGY_VECTOR}},
        {{5, 16, INCREMENTS, BY_PATH, F32, 0, 0, 1, RANDOM_ORDER, ICDF},
         FROM_Z,
         {BAILEY_BRIDGE_STRATEGY_REUSE_PREFETCH, BAILEY_BRIDGE_STRATEGY_SPECIALISED,
          BAILEY_BRIDGE_STRATEGY_PREFETCH, BAILEY_BRIDGE_STRATEGY_SHARED}},
        {{9, 17, PATHS, BY_STEP, F64, 0, 1, 1, DOWN, ICDF},
         FROM_Z,
         {BAILEY_BRIDGE_STRATEGY_CONSTANT, BAILEY_BRIDGE_STRATEGY_SPECIALISED, BAILEY_BRIDGE_STRATEGY_BLOCKS,
          BAILEY_BRIDGE_STRATEGY_AUTO}},
        {{4, 64, INCREMENTS, BY_STEP, F32, 1, 1, 1, CHAIN, ICDF},
         FUSED,
         {BAILEY_BRIDGE_STRATEGY_REUSE, BAILEY_BRIDGE_STRATEGY_CONSTANT, BAILEY_BRIDGE_STRATEGY_SPECIALISED,
          BAILEY_BRIDGE_STRATEGY_AUTO}},
    };
    uint64_t random = 73;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct job job = job_of(&cases[i].shape, &random);
        job.first = 2 * i;
        job.paths = 133;
        check(&job, cases[i].mode, cases[i].strategies + (few_programs() ? i % 2 : 0),
              few_programs() ? 2 : 4);
    }
}

/* A transfer puts the row of Z that builds a row of X in its place. */
TEST(transfer, DEVICE | LONG_ON_OPENCL)
{
    enum { STEPS = 20, COUNT = 260 };
    uint64_t random = 74;
    const struct shape shape = {STEPS, 1, PATHS, BY_STEP, F32, 1, 0, 0, RANDOM_ORDER, ICDF};
    struct job job = job_of(&shape, &random);
    job.params.strategy = BAILEY_BRIDGE_STRATEGY_SPECIALISED;
    job.paths = COUNT;
    bailey_bridge *bridge = NULL;
    const bailey_status status = bailey_bridge_create(context, &job.params, &bridge);
    if (status == BAILEY_ERROR_UNSUPPORTED) {
        assert_int_not_equal(promise_of(&job, job.params.strategy), ALWAYS);
        skip();
    }
    OK(status);
    const size_t bytes = path_bytes(&job, STEPS), row = COUNT * sizeof(float);
    bailey_buffer *z_buffer = poisoned(bytes), *x_buffer = poisoned(bytes);
    OK(bailey_bridge_normals(bridge, &job.source, &job.normal, 0, COUNT, z_buffer));
    OK(bly_bridge_transfer(bridge, COUNT, z_buffer, x_buffer));
    const bailey_bridge_step_f32 *records;
    size_t records_bytes;
    OK(bailey_bridge_records(bridge, (const void **)&records, &records_bytes));
    assert_int_equal(records_bytes, STEPS * sizeof *records);
    unsigned char *z = harvest(z_buffer, bytes), *x = harvest(x_buffer, bytes);
    for (int k = 0; k < STEPS; k++)
        assert_memory_equal(x + (records[k].point - 1) * row, z + records[k].row * row, row);
    free(z);
    free(x);
    bailey_bridge_destroy(bridge);
}

TEST(inspect, DEVICE | LONG_ON_OPENCL)
{
    uint64_t random = 75;
    const struct shape shape = {12, 1, PATHS, BY_STEP, F32, 0, 0, 0, DOWN, ICDF};
    struct job job = job_of(&shape, &random);
    bailey_bridge *bridge = NULL;
    bailey_kernel_info info;
    OK(bailey_bridge_create(context, &job.params, &bridge));
    OK(bailey_bridge_inspect(bridge, NULL, NULL, &info));
    OK(bailey_bridge_inspect(bridge, &job.source, &job.normal, &info));
    assert_true(info.occupancy >= 0 && info.occupancy <= 1);
    if (strncmp(device.address, "cuda", 4) == 0) assert_true(info.registers > 0 && info.block >= 32);
    assert_int_equal(bailey_bridge_inspect(NULL, NULL, NULL, &info), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_bridge_inspect(bridge, NULL, NULL, NULL), BAILEY_ERROR_INVALID);
    bailey_bridge_destroy(bridge);
    job.params.strategy = (bailey_bridge_strategy)99;
    assert_int_equal(bailey_bridge_create(context, &job.params, &bridge), BAILEY_ERROR_INVALID);
    assert_non_null(strstr(bailey_error_message(), "strategy is 99"));
    assert_string_equal(bailey_bridge_strategy_name((bailey_bridge_strategy)99), "unknown");
    assert_string_equal(bailey_bridge_strategy_name(BAILEY_BRIDGE_STRATEGY_REUSE_PREFETCH), "reuse-prefetch");
}
