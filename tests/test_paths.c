/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Brownian bridges on a device against the O(N^2) reference, which knows nothing of plans.
 */
#include "harness.h"
#include "reference.h"

#include <bailey/device/draw.h>

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_DIMS 8
#define STEPS 64
#define PATH_BITS 38

struct job {
    bailey_bridge_params params;
    bailey_source source;
    bailey_normal_params normal;
    uint64_t first, paths;
};

static size_t element_of(const struct job *job)
{
    return job->params.precision == BAILEY_PRECISION_F64 ? 8 : 4;
}

static uint64_t z_steps_of(const struct job *job) { return job->params.steps - (job->params.end ? 1 : 0); }

/* Element (step, dim, path) of an array of `steps` step rows in the job's layout. */
static uint64_t position(const struct job *job, uint64_t steps, uint64_t step, uint32_t dim, uint64_t path)
{
    const uint64_t row = step * job->params.dims + dim;
    return job->params.layout == BAILEY_LAYOUT_STEP_MAJOR ? row * job->paths + path
                                                          : path * steps * job->params.dims + row;
}

static void *simulate(const struct job *job)
{
    bailey_bridge *bridge = NULL;
    const uint64_t bytes = job->params.steps * job->params.dims * job->paths * element_of(job);
    bailey_buffer *x = poisoned(bytes);
    OK(bailey_bridge_create(context, &job->params, &bridge));
    OK(bailey_bridge_paths(bridge, &job->source, &job->normal, job->first, job->paths, x));
    bailey_bridge_destroy(bridge);
    return harvest(x, bytes);
}

/* The Z that the fused form draws, and the X of the two-step form. */
static void two_steps(const struct job *job, void **z, void **x)
{
    bailey_bridge *bridge = NULL;
    const uint64_t path_bytes = job->params.dims * job->paths * element_of(job);
    const uint64_t z_bytes = z_steps_of(job) * path_bytes, x_bytes = job->params.steps * path_bytes;
    bailey_buffer *z_buffer = poisoned(z_bytes), *x_buffer = poisoned(x_bytes);
    OK(bailey_bridge_create(context, &job->params, &bridge));
    OK(bailey_bridge_normals(bridge, &job->source, &job->normal, job->first, job->paths, z_buffer));
    OK(bailey_bridge_build(bridge, job->paths, z_buffer, x_buffer));
    bailey_bridge_destroy(bridge);
    *z = harvest(z_buffer, z_bytes);
    *x = harvest(x_buffer, x_bytes);
}

static double drawn(const struct job *job, uint64_t row, uint64_t path)
{
    const uint64_t i = (row << PATH_BITS) + job->first + path;
    const int method =
        job->normal.method == BAILEY_NORMAL_METHOD_ICDF ? BAILEY_DRAW_ICDF : BAILEY_DRAW_BOX_MULLER;
    if (job->params.precision == BAILEY_PRECISION_F64)
        return bailey_draw_f64(method, TABLE_F64, job->source.seed, job->source.stream, i & ~UINT64_C(1))
            .value[i % 2];
    return bailey_draw_f32(method, TABLE_F32, job->source.seed, job->source.stream, i & ~UINT64_C(3))
        .value[i % 4];
}

/* AUTO on a GPU compiles a program for each order, which takes longer than all else here: most jobs take what
 * the library has built in, `sampled` ones AUTO. test_strategies compares them all. */
static bailey_bridge_strategy strategy_of(uint32_t dims, int sampled)
{
    if (device.kind == BAILEY_DEVICE_KIND_CPU || sampled) return BAILEY_BRIDGE_STRATEGY_AUTO;
    return dims == 1 ? BAILEY_BRIDGE_STRATEGY_REUSE : BAILEY_BRIDGE_STRATEGY_READBACK;
}

/* One path by the reference, in double; single precision values are exact in it. */
static void reference(const struct job *job, uint64_t path, double *z, double *x)
{
    const bailey_bridge_params *p = &job->params;
    const uint64_t z_count = z_steps_of(job) * p->dims, x_count = p->steps * p->dims;
    for (uint64_t row = 0; row < z_count; row++) z[row] = drawn(job, row, path);
    if (p->precision == BAILEY_PRECISION_F64) {
        (p->output == BAILEY_BRIDGE_OUTPUT_PATHS ? reference_bridge_paths_f64
                                                 : reference_bridge_increments_f64)(
            p->times, p->steps, p->start_time, p->order, p->dims, p->factor, p->start, p->end, z, x);
        return;
    }
    float *zf = allocate(z_count * sizeof *zf), *xf = allocate(x_count * sizeof *xf);
    for (uint64_t i = 0; i < z_count; i++) zf[i] = (float)z[i];
    (p->output == BAILEY_BRIDGE_OUTPUT_PATHS ? reference_bridge_paths_f32 : reference_bridge_increments_f32)(
        p->times, p->steps, p->start_time, p->order, p->dims, p->factor, p->start, p->end, zf, xf);
    for (uint64_t i = 0; i < x_count; i++) x[i] = xf[i];
    free(zf);
    free(xf);
}

static void compare_path(const struct job *job, const char *what, const void *found, uint64_t steps,
                         const double *expected, uint64_t path)
{
    for (uint64_t step = 0; step < steps; step++)
        for (uint32_t dim = 0; dim < job->params.dims; dim++) {
            const uint64_t at = position(job, steps, step, dim, path);
            const double want = expected[step * job->params.dims + dim];
            const float want_f = (float)want;
            const void *have = (const char *)found + at * element_of(job);
            if (memcmp(have, element_of(job) == 8 ? (const void *)&want : (const void *)&want_f,
                       element_of(job)))
                fail_msg("%s: step %llu dim %u path %llu is %a, expected %a", what, (unsigned long long)step,
                         dim, (unsigned long long)path,
                         element_of(job) == 8 ? *(const double *)have : *(const float *)have, want);
        }
}

/* Fused and two-step forms agree everywhere, and with the reference on up to `checked` paths, among them
 * the first and the last. */
static void check(const struct job *job, uint64_t checked)
{
    void *z = NULL, *x = NULL, *fused = simulate(job);
    two_steps(job, &z, &x);
    same_bits("two-step form against fused", x, fused, job->params.steps * job->params.dims * job->paths,
              element_of(job));
    double *rz = allocate((z_steps_of(job) * job->params.dims + 1) * sizeof *rz);
    double *rx = allocate(job->params.steps * job->params.dims * sizeof *rx);
    for (uint64_t c = 0; c < checked && c < job->paths; c++) {
        const uint64_t path = checked >= job->paths ? c
                              : c + 1 == checked    ? job->paths - 1
                                                    : c * 7919 % job->paths;
        reference(job, path, rz, rx);
        compare_path(job, "Z", z, z_steps_of(job), rz, path);
        compare_path(job, "X", fused, job->params.steps, rx, path);
    }
    free(z);
    free(x);
    free(fused);
    free(rz);
    free(rx);
}

static const double factor5[25] = {0.2, 9, 9,    9,    9,    0.1, 0.15, 9,    9,    9,    0.0, -0.05, 0.3,
                                   9,   9, 0.02, 0.03, 0.04, 0.1, 9,    -0.1, 0.05, 0.01, 0.0, 0.25};
static const double start5[5] = {1, -2, 0, 100, 0.5}, end5[5] = {0, 3, -1, 101, 0.25};

/* Irregular increasing times from `start`. */
static void make_times(uint64_t *random, double start, double *times, uint64_t steps)
{
    double t = start;
    for (uint64_t i = 0; i < steps; i++) times[i] = t += 0.01 + next_uniform(random);
}

/* Every order, dimension, precision, output, layout, method and end, on awkward numbers of paths. On
 * processors each order has all 64 variants; on GPUs, where a bridge costs milliseconds, a random order has a
 * quarter of them, the next order the next quarter. */
TEST(test_orders, DEVICE | LONG_ON_OPENCL)
{
    enum { NAMED = 5, RANDOM = 100 };
    static const uint64_t paths[] = {1, 31, 33};
    static const uint32_t important[] = {32, 7, 63};
    uint64_t random = 11;
    double times[STEPS];
    uint32_t order[STEPS];
    make_times(&random, -1, times, STEPS);
    const int orders = NAMED + (getenv("BAILEY_TEST_QUICK") ? 3 : RANDOM);
    for (int o = 0; o <= orders; o++) {
        if (o < NAMED)
            OK(bailey_order_make((bailey_order)o, STEPS - 1, NULL, 0, order));
        else if (o == NAMED)
            OK(bailey_order_make(BAILEY_ORDER_BISECTION, STEPS - 1, important, 3, order));
        else
            random_permutation(&random, order, STEPS - 1);
        for (int variant = 0; variant < 64; variant++) {
            const int f64 = variant >> 2 & 1, correlated = variant & 1;
            if (f64 && !device.has_f64) continue;
            if (device.kind != BAILEY_DEVICE_KIND_CPU && o > NAMED && (variant >> 4) != (o & 3)) continue;
            const struct job job = {
                .params = {.times = times,
                           .steps = STEPS,
                           .start_time = -1,
                           .order = order,
                           .dims = correlated ? 5 : 1,
                           .factor = correlated ? factor5 : NULL,
                           .start = start5,
                           .end = variant & 2 ? end5 : NULL,
                           .output =
                               variant & 8 ? BAILEY_BRIDGE_OUTPUT_INCREMENTS : BAILEY_BRIDGE_OUTPUT_PATHS,
                           .layout = variant & 16 ? BAILEY_LAYOUT_PATH_MAJOR : BAILEY_LAYOUT_STEP_MAJOR,
                           .precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32,
                           .strategy =
                               strategy_of(correlated ? 5 : 1, o % 7 == 0 && variant % 16 == o / 7 % 16)},
                .source = {.seed = 17, .stream = (uint64_t)o},
                .normal = {.method =
                               variant & 32 ? BAILEY_NORMAL_METHOD_BOX_MULLER : BAILEY_NORMAL_METHOD_ICDF},
                .first = (uint64_t)(o * 5 + variant),
                .paths = paths[(o + variant) % 3]};
            check(&job, 2);
        }
    }
}

/* Other sizes: no interior time, one, two, many; random orders up to N = 2000. */
TEST(test_sizes, DEVICE | LONG_ON_OPENCL)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, 9, 100, 513, 2001};
    uint64_t random = 12;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (int variant = 0; variant < 16; variant++) {
            const uint32_t steps = sizes[s];
            const int f64 = variant >> 3 & 1;
            if (f64 && !device.has_f64) continue;
            double *times = allocate(steps * sizeof *times);
            uint32_t *order = allocate(steps * sizeof *order);
            make_times(&random, 0.5, times, steps);
            random_permutation(&random, order, steps - 1);
            const struct job job = {
                .params = {.times = times,
                           .steps = steps,
                           .start_time = 0.5,
                           .order = order,
                           .dims = variant & 1 ? 2 : 1,
                           .start = start5,
                           .end = variant & 2 ? end5 : NULL,
                           .output =
                               variant & 4 ? BAILEY_BRIDGE_OUTPUT_INCREMENTS : BAILEY_BRIDGE_OUTPUT_PATHS,
                           .precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32,
                           .strategy = strategy_of(variant & 1 ? 2 : 1, (variant + (int)s) % 8 == 0)},
                .source = {.seed = UINT64_MAX, .stream = UINT64_MAX - 1},
                .normal = {.method = BAILEY_NORMAL_METHOD_BOX_MULLER},
                .first = (UINT64_C(1) << PATH_BITS) - 3,
                .paths = 3};
            check(&job, 2);
            free(times);
            free(order);
        }
}

/* Dimensions up to the limit, with a random factor. */
TEST(test_dims, DEVICE | LONG_ON_OPENCL)
{
    static const uint32_t sizes[] = {2, 3, 8, 17, 64};
    uint64_t random = 13;
    double times[9], factor[64 * 64];
    make_times(&random, 0, times, 9);
    for (int i = 0; i < 64 * 64; i++) factor[i] = next_uniform(&random) - 0.5;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (int variant = 0; variant < 8; variant++) {
            const int f64 = variant & 1;
            if (f64 && !device.has_f64) continue;
            const struct job job = {
                .params = {.times = times,
                           .steps = 9,
                           .dims = sizes[s],
                           .factor = factor,
                           .order = (const uint32_t[]){4, 2, 6, 1, 3, 5, 7, 8},
                           .output =
                               variant & 2 ? BAILEY_BRIDGE_OUTPUT_INCREMENTS : BAILEY_BRIDGE_OUTPUT_PATHS,
                           .layout = variant & 4 ? BAILEY_LAYOUT_PATH_MAJOR : BAILEY_LAYOUT_STEP_MAJOR,
                           .precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32},
                .source = {.seed = 1},
                .paths = 70};
            check(&job, 3);
        }
}

/* Numbers of paths about the multiples of an item's block (at most 1,024), first paths that begin a block of
 * normals and do not, sizes that use each way in which blocks are built: few and many rows, many dimensions.
 */
TEST(blocks, DEVICE)
{
    static const uint64_t paths[] = {63, 65, 255, 256, 257, 1023, 1024, 1025, 2047, 2053};
    static const struct {
        uint32_t steps, dims;
    } sizes[] = {{3, 1}, {5, 2}, {17, 1}, {70, 5}, {400, 1}, {6, 40}};
    uint64_t random = 14;
    double times[400], factor[40 * 40], start[40], end[40];
    make_times(&random, 0.25, times, 400);
    for (int i = 0; i < 40 * 40; i++) factor[i] = next_uniform(&random) - 0.5;
    for (int i = 0; i < 40; i++) start[i] = next_uniform(&random), end[i] = next_uniform(&random);
    int count = 0;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (int variant = 0; variant < 32; variant++, count++) {
            const int f64 = variant & 1;
            if (f64 && !device.has_f64) continue;
            uint32_t order[400];
            random_permutation(&random, order, sizes[s].steps - 1);
            const struct job job = {
                .params = {.times = times,
                           .steps = sizes[s].steps,
                           .start_time = 0.25,
                           .order = order,
                           .dims = sizes[s].dims,
                           .factor = variant & 16 && sizes[s].dims > 1 ? factor : NULL,
                           .start = start,
                           .end = variant & 8 ? end : NULL,
                           .output =
                               variant & 2 ? BAILEY_BRIDGE_OUTPUT_INCREMENTS : BAILEY_BRIDGE_OUTPUT_PATHS,
                           .layout = variant & 4 ? BAILEY_LAYOUT_PATH_MAJOR : BAILEY_LAYOUT_STEP_MAJOR,
                           .precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32},
                .source = {.seed = 3},
                .normal = {.method = count % 2 ? BAILEY_NORMAL_METHOD_BOX_MULLER : BAILEY_NORMAL_METHOD_ICDF},
                .first = (uint64_t)count % 5,
                .paths = paths[count % 10]};
            check(&job, 5);
        }
}

/* The caller's own memory at addresses that no vector is aligned to, which begins or ends where the process
 * may not look: nothing beyond Z is read, nothing beyond X written, and the bits are those of a buffer. */
TEST(test_adopted, DEVICE)
{
    if (strcmp(device.address, "cpu") != 0) skip(); /* others copy adopted memory */
    static const uint64_t paths[] = {1, 65, 1021, 1024, 1025};
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = 64 * page;
    unsigned char *memory[2];
    for (int i = 0; i < 2; i++) {
        memory[i] = mmap(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_true(memory[i] != MAP_FAILED);
        memory[i] += page;
        assert_int_equal(mprotect(memory[i], room, PROT_READ | PROT_WRITE), 0);
    }
    uint64_t random = 15;
    double times[20];
    make_times(&random, 0, times, 20);
    for (int variant = 0; variant < 5 * 32; variant++) {
        const int f64 = variant & 1;
        const struct job job = {
            .params = {.times = times,
                       .steps = variant & 8 ? 20 : 4,
                       .dims = 1,
                       .output = variant & 2 ? BAILEY_BRIDGE_OUTPUT_INCREMENTS : BAILEY_BRIDGE_OUTPUT_PATHS,
                       .layout = variant & 4 ? BAILEY_LAYOUT_PATH_MAJOR : BAILEY_LAYOUT_STEP_MAJOR,
                       .precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32},
            .source = {.seed = 4},
            .paths = paths[variant / 32]};
        const uint64_t bytes = job.params.steps * job.paths * element_of(&job);
        unsigned char *at[2];
        void *z, *x;
        two_steps(&job, &z, &x);
        /* Against the page after it, or the page before it. */
        for (int i = 0; i < 2; i++) at[i] = variant & 16 ? memory[i] + room - bytes : memory[i];
        memcpy(at[0], z, bytes);
        bailey_bridge *bridge = NULL;
        bailey_buffer *adopted[2];
        for (int i = 0; i < 2; i++) OK(bailey_buffer_adopt_host(context, at[i], bytes, &adopted[i]));
        OK(bailey_bridge_create(context, &job.params, &bridge));
        OK(bailey_bridge_build(bridge, job.paths, adopted[0], adopted[1]));
        OK(bailey_context_sync(context));
        same_bits("adopted memory", at[1], x, job.params.steps * job.paths, element_of(&job));
        bailey_bridge_destroy(bridge);
        for (int i = 0; i < 2; i++) bailey_buffer_destroy(adopted[i]);
        free(z);
        free(x);
    }
    for (int i = 0; i < 2; i++) munmap(memory[i] - page, room + 2 * page);
}

/* A million and three paths, or a tenth of that; cut into calls at awkward places, the bytes are the same. */
TEST(many_paths, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    enum { ROWS = 4 };
    const uint64_t paths = getenv("BAILEY_TEST_QUICK") ? 100003 : 1000003;
    static const double times[ROWS] = {0.25, 0.5, 1, 2};
    for (int variant = 0; variant < 8; variant++) {
        const int f64 = variant & 1;
        if (f64 && !device.has_f64) continue;
        struct job job = {
            .params = {.times = times,
                       .steps = ROWS,
                       .dims = variant & 2 ? 5 : 1,
                       .factor = variant & 2 ? factor5 : NULL,
                       .order = (const uint32_t[]){2, 1, 3},
                       .output = variant & 4 ? BAILEY_BRIDGE_OUTPUT_INCREMENTS : BAILEY_BRIDGE_OUTPUT_PATHS,
                       .layout = BAILEY_LAYOUT_PATH_MAJOR,
                       .precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32},
            .source = {.seed = 2},
            .normal = {.method = BAILEY_NORMAL_METHOD_BOX_MULLER},
            .first = 1,
            .paths = paths};
        check(&job, 50);
        unsigned char *whole = simulate(&job);
        const uint64_t path_bytes = ROWS * job.params.dims * element_of(&job);
        uint64_t random = 5;
        for (uint64_t at = 0; at < paths; at += job.paths) {
            job.first = 1 + at;
            job.paths = next_random(&random) % (paths / 3) + 1;
            if (job.paths > paths - at) job.paths = paths - at;
            void *part = simulate(&job);
            assert_memory_equal(part, whole + at * path_bytes, job.paths * path_bytes);
            free(part);
        }
        free(whole);
    }
}

/* Step-major output against the path-major one, element by element. */
TEST(layouts, DEVICE)
{
    enum { PATHS = 10007 };
    static const double times[3] = {1, 3, 4};
    struct job job = {.params = {.times = times, .steps = 3, .dims = 5, .factor = factor5},
                      .source = {.seed = 6},
                      .paths = PATHS};
    float *by_step = simulate(&job);
    job.params.layout = BAILEY_LAYOUT_PATH_MAJOR;
    float *by_path = simulate(&job);
    for (int row = 0; row < 15; row++)
        for (int path = 0; path < PATHS; path++)
            assert_memory_equal(&by_step[row * PATHS + path], &by_path[path * 15 + row], 4);
    free(by_step);
    free(by_path);
}

/* Means, and Cov(X_s, X_t) = min(s, t) C C', within 5 standard errors; X(T) of a fixed end is the end. */
TEST(law, DEVICE)
{
    enum { PATHS = 200000, ROWS = 4, DIMS = 2 };
    static const double times[ROWS] = {0.5, 0.75, 2, 3}, factor[4] = {0.5, 0, -0.3, 0.4}, end[2] = {5, -7};
    struct job job = {
        .params = {.times = times, .steps = ROWS, .dims = DIMS, .factor = factor, .start = start5},
        .source = {.seed = 99},
        .paths = PATHS};
    float *x = simulate(&job);
    for (int a = 0; a < ROWS * DIMS; a++)
        for (int b = 0; b <= a; b++) {
            double sum = 0, product = 0;
            for (int p = 0; p < PATHS; p++) {
                const double u = x[a * PATHS + p] - start5[a % DIMS], v = x[b * PATHS + p] - start5[b % DIMS];
                sum += u;
                product += u * v;
            }
            double unit[2][2] = {{0}};
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++)
                    for (int k = 0; k <= i && k <= j; k++)
                        unit[i][j] += factor[2 * i + k] * factor[2 * j + k];
            const double ta = times[a / DIMS], tb = times[b / DIMS];
            const double va = ta * unit[a % 2][a % 2], vb = tb * unit[b % 2][b % 2];
            const double expected = fmin(ta, tb) * unit[a % 2][b % 2];
            assert_true(fabs(sum / PATHS) < 5 * sqrt(va / PATHS));
            assert_true(fabs(product / PATHS - expected) < 5 * sqrt((va * vb + expected * expected) / PATHS));
        }
    free(x);
    job.params.end = end;
    x = simulate(&job);
    for (int dim = 0; dim < DIMS; dim++)
        for (int p = 0; p < PATHS; p++)
            assert_true(x[((ROWS - 1) * DIMS + dim) * PATHS + p] == (float)end[dim]);
    free(x);
}

/* A covariance gives the same paths as its factor. */
TEST(test_covariance, DEVICE)
{
    static const double times[2] = {1, 2}, factor[4] = {2, 0, 1, 3}, covariance[4] = {4, 2, 2, 10};
    struct job job = {.params = {.times = times, .steps = 2, .dims = 2, .factor = factor}, .paths = 100};
    float *a = simulate(&job);
    job.params.factor = NULL;
    job.params.covariance = covariance;
    float *b = simulate(&job);
    same_bits("covariance against factor", b, a, 400, 4);
    free(a);
    free(b);
}

/* 10^6 interior times: the walk equals the cpu backend's. */
TEST(many_steps, DEVICE | LONG)
{
    const uint32_t steps = BAILEY_BRIDGE_MAX_STEPS;
    double *times = allocate(steps * sizeof *times);
    for (uint32_t i = 0; i < steps; i++) times[i] = (i + 1) / 1024.0;
    struct job job = {
        .params = {.times = times, .steps = steps, .dims = 1}, .source = {.seed = 8}, .paths = 5};
    for (int output = 0; output < 2; output++) {
        job.params.output = (bailey_bridge_output)output;
        float *found = simulate(&job);
        bailey_context *tested = context;
        OK(bailey_context_create("cpu", NULL, &context));
        float *expected = simulate(&job);
        bailey_context_destroy(context);
        context = tested;
        same_bits("10^6 times", found, expected, 5 * (uint64_t)steps, 4);
        free(found);
        free(expected);
    }
    free(times);
}

/* More than 2^32 elements, where BAILEY_TEST_LARGE asks for it: the last paths equal the same paths alone. */
TEST(large, DEVICE)
{
    const uint64_t paths = (UINT64_C(1) << 26) + 35, bytes = paths * STEPS * 4;
    if (!getenv("BAILEY_TEST_LARGE") || device.kind != BAILEY_DEVICE_KIND_GPU ||
        device.allocation_bytes < bytes)
        skip();
    double times[STEPS];
    uint64_t random = 3;
    make_times(&random, 0, times, STEPS);
    struct job job = {
        .params = {.times = times, .steps = STEPS, .dims = 1}, .source = {.seed = 4}, .paths = paths};
    bailey_bridge *bridge = NULL;
    bailey_buffer *x = NULL;
    OK(bailey_buffer_create(context, bytes, &x));
    OK(bailey_bridge_create(context, &job.params, &bridge));
    OK(bailey_bridge_paths(bridge, &job.source, &job.normal, 0, paths, x));
    bailey_bridge_destroy(bridge);
    job.first = paths - 100;
    job.paths = 100;
    float *alone = simulate(&job), together[100];
    for (int step = 0; step < STEPS; step++) {
        OK(bailey_buffer_read(x, (step * paths + job.first) * 4, together, sizeof together));
        same_bits("beyond 2^32 elements", together, alone + step * 100, 100, 4);
    }
    free(alone);
    bailey_buffer_destroy(x);
}
