/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Bridges whose normals are points: which dimension drives which row, and paths that have the bits of those
 * that bailey_bridge_build makes of the same normals, whatever the strategy.
 */
#include "api.h"

#include <bailey/points.h>

#include <inttypes.h>

#define STEPS 6
#define DIMS 3

static size_t element_of(bailey_precision precision)
{
    return precision == BAILEY_PRECISION_F64 ? sizeof(double) : sizeof(float);
}

/* A bridge and what is asked of it. */
struct request {
    bailey_bridge_params params;
    bailey_source source;
    uint64_t first, paths;
};

/* The dimensions of a grid of steps x factors, by the definition: dimension n is that of the n-th entry in
 * the order of the assignment. */
static void assign(bailey_assignment assignment, uint32_t steps, uint32_t factors, uint32_t *dimension)
{
    uint32_t n = 0;
    if (assignment == BAILEY_ASSIGNMENT_STEPS)
        for (; n < steps * factors; n++) dimension[n] = n;
    if (assignment == BAILEY_ASSIGNMENT_FACTORS)
        for (uint32_t j = 0; j < factors; j++)
            for (uint32_t k = 0; k < steps; k++) dimension[k * factors + j] = n++;
    if (assignment == BAILEY_ASSIGNMENT_DIAGONAL)
        for (uint32_t sum = 0; sum < steps + factors - 1; sum++)
            for (uint32_t k = 0; k < steps && k <= sum; k++)
                if (sum - k < factors) dimension[k * factors + sum - k] = n++;
    assert_int_equal(n, steps * factors);
}

/* Z of the request's bridge, a dimension at a time. */
static unsigned char *expected_normals(const struct request *r, uint64_t rows)
{
    const size_t element = element_of(r->params.precision);
    const uint32_t dims = r->params.dims, steps = (uint32_t)(rows / dims);
    uint32_t *dimension = allocate(rows * sizeof *dimension);
    unsigned char *z = allocate(rows * r->paths * element);
    assign(r->source.assignment, steps, dims, dimension);
    for (uint64_t row = 0; row < rows; row++) {
        const bailey_points_params points = {.form = BAILEY_POINTS_FORM_NORMALS,
                                             .precision = r->params.precision,
                                             .first_dim = dimension[row],
                                             .dims = 1};
        bailey_buffer *buffer = poisoned(r->paths * element);
        OK(bailey_points_generate(context, &r->source, &points, r->first, r->paths, buffer, 0));
        unsigned char *one = harvest(buffer, r->paths * element);
        for (uint64_t p = 0; p < r->paths; p++) {
            const uint64_t at =
                r->params.layout == BAILEY_LAYOUT_PATH_MAJOR ? p * rows + row : row * r->paths + p;
            memcpy(z + at * element, one + p * element, element);
        }
        free(one);
    }
    free(dimension);
    return z;
}

static void compare(const struct request *r, const char *what, const unsigned char *found,
                    const unsigned char *expected, size_t bytes)
{
    const size_t element = element_of(r->params.precision);
    for (size_t i = 0; i < bytes / element; i++)
        if (memcmp(found + i * element, expected + i * element, element) != 0)
            fail_msg("%s differs at %zu: precision %d, layout %d, output %d, %u dims, %s, scramble %d, "
                     "assignment %d, %u bits, first %" PRIu64 ", %" PRIu64 " paths, strategy %s",
                     what, i, (int)r->params.precision, (int)r->params.layout, (int)r->params.output,
                     r->params.dims, r->params.end ? "fixed" : "free", (int)r->source.scramble,
                     (int)r->source.assignment, r->source.word_bits, r->first, r->paths,
                     bailey_bridge_strategy_name(r->params.strategy));
}

/* Normals, and paths that are computed from them in both ways. */
static void check(const struct request *r)
{
    const size_t element = element_of(r->params.precision);
    bailey_bridge *bridge = NULL;
    bailey_bridge_info info;
    const bailey_status status = bailey_bridge_create(context, &r->params, &bridge);
    if (status == BAILEY_ERROR_UNSUPPORTED && r->params.strategy != BAILEY_BRIDGE_STRATEGY_AUTO) return;
    OK(status);
    OK(bailey_bridge_describe(bridge, &info));
    const uint64_t rows = info.z_steps * info.dims;
    const size_t z_bytes = rows * r->paths * element, x_bytes = info.x_steps * info.dims * r->paths * element;
    unsigned char *z = expected_normals(r, rows);
    bailey_buffer *normals = poisoned(z_bytes), *simulated = poisoned(x_bytes), *built = poisoned(x_bytes);
    OK(bailey_bridge_normals(bridge, &r->source, NULL, r->first, r->paths, normals));
    OK(bailey_bridge_paths(bridge, &r->source, NULL, r->first, r->paths, simulated));
    OK(bailey_bridge_build(bridge, r->paths, normals, built));
    unsigned char *found_z = harvest(normals, z_bytes), *x = harvest(simulated, x_bytes),
                  *found_x = harvest(built, x_bytes);
    compare(r, "Z", found_z, z, z_bytes);
    compare(r, "X", x, found_x, x_bytes);
    free(z);
    free(found_z);
    free(x);
    free(found_x);
    bailey_bridge_destroy(bridge);
}

static const double times[STEPS] = {0.5, 1, 1.5, 2.25, 3, 4};
static const double factor[DIMS * DIMS] = {0.2, 0, 0, 0.09, 0.3, 0, -0.05, 0.02, 0.25};
static const double start[DIMS] = {0.5, -1, 100}, end[DIMS] = {1, 0, -2};

static struct request request_of(int variant)
{
    static const uint64_t firsts[] = {0, 1, 1021, UINT64_C(1) << 38, (UINT64_C(1) << 50) + 77};
    static const uint64_t counts[] = {1, 7, 64, 1500, 4099};
    const int dims = variant / 2 % 2;
    return (struct request){
        .params = {.times = times,
                   .steps = STEPS,
                   .dims = dims ? DIMS : 1,
                   .factor = dims ? factor : NULL,
                   .start = start,
                   .end = variant % 5 == 4 ? end : NULL,
                   .output = variant % 3 == 2 ? BAILEY_BRIDGE_OUTPUT_INCREMENTS : BAILEY_BRIDGE_OUTPUT_PATHS,
                   .layout = variant % 4 == 3 ? BAILEY_LAYOUT_PATH_MAJOR : BAILEY_LAYOUT_STEP_MAJOR,
                   .precision = device.has_f64 && variant % 2 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32},
        .source = {.seed = 7,
                   .stream = (uint64_t)variant,
                   .generator = BAILEY_GENERATOR_SOBOL,
                   .scramble = (bailey_scramble)(variant / 3 % 4),
                   .point_order = (bailey_point_order)(variant / 7 % 2),
                   .word_bits = variant / 2 % 3 == 2 ? 64 : 32,
                   .assignment = (bailey_assignment)(variant % 3)},
        .first = firsts[variant % 5],
        .paths = counts[variant / 3 % 5]};
}

TEST(variants, DEVICE | LONG_ON_OPENCL)
{
    for (int variant = 0; variant < 60; variant++) {
        const struct request r = request_of(variant);
        check(&r);
    }
}

/* The last points of all. */
TEST(test_end, DEVICE | LONG_ON_OPENCL)
{
    struct request r = request_of(6);
    r.first = UINT64_MAX - 499;
    r.paths = 500;
    check(&r);
}

TEST(strategies, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    for (int s = 1; strcmp(bailey_bridge_strategy_name((bailey_bridge_strategy)s), "unknown") != 0; s++)
        for (int variant = s; variant < 60; variant += 31) {
            struct request r = request_of(variant);
            r.params.strategy = (bailey_bridge_strategy)s;
            r.paths = 1500 + 4 * (uint64_t)variant;
            check(&r);
        }
}

/* All grids of some size, by the normals of one point. */
TEST(assignments, DEVICE | LONG_ON_OPENCL)
{
    for (uint32_t steps = 1; steps <= 9; steps++)
        for (uint32_t dims = 1; dims <= 5; dims += 2)
            for (int assignment = 0; assignment < 3; assignment++) {
                double many[9];
                struct request r = request_of(0);
                for (uint32_t i = 0; i < steps; i++) many[i] = i + 1;
                r.params.times = many;
                r.params.steps = steps;
                r.params.dims = dims;
                r.params.start = NULL;
                r.source.assignment = (bailey_assignment)assignment;
                r.first = 12345;
                r.paths = 2;
                check(&r);
            }
}

/* More rows than Joe and Kuo have dimensions. Rows of one repetition and of two. */
TEST(many_rows, DEVICE | LONG_ON_OPENCL)
{
    enum { MANY = 100001, PATHS = 6 };
    static const uint32_t rows[] = {0, 21200, 21201, 63602, 63603, MANY - 1};
    const bailey_source source = {
        .seed = 5, .generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_LMS};
    double *many = allocate(MANY * sizeof *many);
    bailey_bridge *bridge = NULL;
    for (int i = 0; i < MANY; i++) many[i] = i + 1;
    const bailey_bridge_params params = {.times = many, .steps = MANY};
    OK(bailey_bridge_create(context, &params, &bridge));
    const size_t bytes = (size_t)MANY * PATHS * sizeof(float);
    bailey_buffer *z = poisoned(bytes), *x = poisoned(bytes), *built = poisoned(bytes);
    OK(bailey_bridge_normals(bridge, &source, NULL, 3, PATHS, z));
    OK(bailey_bridge_paths(bridge, &source, NULL, 3, PATHS, x));
    OK(bailey_bridge_build(bridge, PATHS, z, built));
    unsigned char *found = harvest(z, bytes), *simulated = harvest(x, bytes),
                  *expected = harvest(built, bytes);
    assert_memory_equal(simulated, expected, bytes);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bailey_points_params points = {
            .form = BAILEY_POINTS_FORM_NORMALS, .first_dim = rows[i], .dims = 1};
        bailey_buffer *buffer = poisoned(PATHS * sizeof(float));
        OK(bailey_points_generate(context, &source, &points, 3, PATHS, buffer, 0));
        unsigned char *one = harvest(buffer, PATHS * sizeof(float));
        assert_memory_equal(found + (size_t)rows[i] * PATHS * sizeof(float), one, PATHS * sizeof(float));
        free(one);
    }
    free(found);
    free(simulated);
    free(expected);
    free(many);
    bailey_bridge_destroy(bridge);
}

/* Every 256 points that begin at a multiple of 256 are even in a repetition of the table as in the table. */
TEST(repetition_is_even, DEVICE | LONG_ON_OPENCL)
{
    for (int scramble = 0; scramble < 4; scramble++) {
        const bailey_source source = {
            .seed = 1, .generator = BAILEY_GENERATOR_SOBOL, .scramble = (bailey_scramble)scramble};
        const bailey_points_params params = {.form = BAILEY_POINTS_FORM_WORDS,
                                             .layout = BAILEY_POINTS_LAYOUT_DIM_MAJOR,
                                             .first_dim = 3 * BAILEY_SOBOL_MAX_DIMS - 20,
                                             .dims = 40};
        bailey_buffer *buffer = poisoned(40 * 256 * sizeof(uint32_t));
        OK(bailey_points_generate(context, &source, &params, 1024, 256, buffer, 0));
        unsigned char *bytes = harvest(buffer, 40 * 256 * sizeof(uint32_t));
        for (int d = 0; d < 40; d++) {
            unsigned char seen[256] = {0};
            for (int i = 0; i < 256; i++) {
                uint32_t word;
                memcpy(&word, bytes + ((size_t)d * 256 + (size_t)i) * sizeof word, sizeof word);
                seen[word >> 24]++;
            }
            for (int i = 0; i < 256; i++) assert_int_equal(seen[i], 1);
        }
        free(bytes);
    }
}

TEST(refusals, DEVICE | LONG_ON_OPENCL)
{
    const bailey_bridge_params params = {.times = good_times, .steps = 4};
    const bailey_source source = {.generator = BAILEY_GENERATOR_SOBOL},
                        wide = {.generator = BAILEY_GENERATOR_SOBOL, .word_bits = 64};
    const bailey_normal_params box_muller = {.method = BAILEY_NORMAL_METHOD_BOX_MULLER},
                               wallace = {.method = BAILEY_NORMAL_METHOD_WALLACE}, bits32 = {.word_bits = 32},
                               bits64 = {.word_bits = 64};
    bailey_bridge *bridge = NULL;
    bailey_buffer *buffer = poisoned(64);
    OK(bailey_bridge_create(context, &params, &bridge));
    REFUSED_HERE(bailey_bridge_paths(bridge, &source, &box_muller, 0, 1, buffer), "method is box-muller",
                 "icdf");
    REFUSED_HERE(bailey_bridge_normals(bridge, &source, &wallace, 0, 1, buffer), "method", "");
    REFUSED_HERE(bailey_bridge_paths(bridge, &source, &bits64, 0, 1, buffer), "word_bits is 64", "have 32");
    REFUSED_HERE(bailey_bridge_paths(bridge, &wide, &bits32, 0, 1, buffer), "word_bits is 32", "have 64");
    REFUSED_HERE(bailey_bridge_paths(bridge, &source, NULL, UINT64_MAX, 2, buffer), "first_path", "2^64");
    REFUSED_HERE(bailey_bridge_paths(bridge, &source, NULL, 0, 5000, buffer), "x holds", "");
    free(harvest(buffer, 64));
    buffer = poisoned(64);
    OK(bailey_bridge_paths(bridge, &source, &bits32, 0, 4, buffer));
    OK(bailey_bridge_paths(bridge, &wide, &bits64, 0, 4, buffer));
    free(harvest(buffer, 64));
    bailey_bridge_destroy(bridge);
}
