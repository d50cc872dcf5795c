/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The random numbers of levels of multilevel quasi-Monte Carlo (src/host/mlmc/quasi_rows.c): those of bridges
 * and of points, made one replicate at a time, whatever the chunks.
 */
#include <host/mlmc/mlmc_internal.h>

#include "harness.h"

#include <bailey/points.h>

#include <math.h>

enum { DIMS = 2 };

static size_t real_bytes(bailey_precision precision)
{
    return precision == BAILEY_PRECISION_F64 ? sizeof(double) : sizeof(float);
}

/* Rows of one chunk; the caller frees them. */
static void *made(struct bly_quasi_rows *rows, const bailey_source *source,
                  const struct bly_quasi_chunk *chunk)
{
    const uint64_t bytes = bly_quasi_numbers(&rows->paths, chunk->level) * chunk->replicates * chunk->count *
                           real_bytes(rows->paths.precision);
    bailey_buffer *out = poisoned(bytes);
    OK(bly_quasi_rows_make(rows, source, chunk, out));
    return harvest(out, bytes);
}

/* The increments of a replicate, by the public interface: [step][dim][point]. */
static void *increments(const struct bly_quasi_paths *paths, const bailey_source *source,
                        const struct bly_quasi_chunk *chunk)
{
    const uint32_t steps = paths->first_steps << chunk->level, d = paths->dims;
    double *times = allocate(steps * sizeof *times), factor[DIMS * DIMS] = {0};
    for (uint32_t i = 0; i < steps; i++) times[i] = i + 1;
    for (uint32_t i = 0; i < d * d; i++)
        factor[i] = sqrt(paths->time / steps) * (paths->factor ? paths->factor[i] : i % (d + 1) == 0);
    const bailey_bridge_params params = {.times = times,
                                         .steps = steps,
                                         .dims = d,
                                         .factor = factor,
                                         .output = BAILEY_BRIDGE_OUTPUT_INCREMENTS,
                                         .precision = paths->precision,
                                         .construction = paths->construction};
    const uint64_t bytes = (uint64_t)steps * d * chunk->count * real_bytes(paths->precision);
    bailey_buffer *out = poisoned(bytes);
    bailey_bridge *bridge = NULL;
    OK(bailey_bridge_create(context, &params, &bridge));
    OK(bailey_bridge_paths(bridge, source, NULL, chunk->first, chunk->count, out));
    bailey_bridge_destroy(bridge);
    free(times);
    return harvest(out, bytes);
}

static void *dimensions(const struct bly_quasi_paths *paths, const bailey_source *source,
                        const struct bly_quasi_chunk *chunk, bailey_points_form form, uint32_t first,
                        uint32_t dims)
{
    const bailey_points_params params = {.form = form,
                                         .layout = BAILEY_POINTS_LAYOUT_DIM_MAJOR,
                                         .precision = paths->precision,
                                         .first_dim = first,
                                         .dims = dims};
    const uint64_t bytes = dims * chunk->count * real_bytes(paths->precision);
    bailey_buffer *out = poisoned(bytes);
    OK(bailey_points_generate(context, source, &params, chunk->first, chunk->count, out, 0));
    return harvest(out, bytes);
}

/* Rows `row` ... of replicate r are those expected. */
static void check_rows(const struct bly_quasi_paths *paths, const struct bly_quasi_chunk *chunk, uint32_t r,
                       uint64_t row, uint64_t rows, const void *all, void *expected)
{
    const size_t bytes = real_bytes(paths->precision) * chunk->count;
    for (uint64_t i = 0; i < rows; i++) {
        const char *found = (const char *)all + ((row + i) * chunk->replicates + r) * bytes;
        assert_memory_equal(found, (const char *)expected + i * bytes, bytes);
    }
    free(expected);
}

static void check_chunk(struct bly_quasi_rows *rows, const bailey_source *source,
                        const struct bly_quasi_chunk *chunk)
{
    const struct bly_quasi_paths *paths = &rows->paths;
    const uint32_t steps = paths->first_steps << chunk->level, d = steps * paths->dims;
    const uint32_t normals = steps * paths->normals, uniforms = steps * paths->uniforms;
    void *all = made(rows, source, chunk);
    for (uint32_t r = 0; r < chunk->replicates; r++) {
        bailey_source own = *source;
        own.stream += 32 * (chunk->replicate + r) + chunk->level;
        check_rows(paths, chunk, r, 0, d, all, increments(paths, &own, chunk));
        if (normals)
            check_rows(paths, chunk, r, d, normals, all,
                       dimensions(paths, &own, chunk, BAILEY_POINTS_FORM_NORMALS, d, normals));
        if (uniforms)
            check_rows(paths, chunk, r, d + normals, uniforms, all,
                       dimensions(paths, &own, chunk, BAILEY_POINTS_FORM_UNIFORMS, d + normals, uniforms));
    }
    free(all);
}

static const double factor[DIMS * DIMS] = {0.5, 0, -1.25, 2};

TEST(as_bridges_and_points, DEVICE | LONG_ON_OPENCL)
{
    static const bailey_scramble scrambles[] = {BAILEY_SCRAMBLE_SHIFT, BAILEY_SCRAMBLE_LMS,
                                                BAILEY_SCRAMBLE_OWEN};
    for (uint32_t i = 0; i < 24; i++) {
        const struct bly_quasi_paths paths = {
            .context = context,
            .precision = i % 2 && device.has_f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32,
            .first_steps = i % 3 == 2 ? 4 : 1,
            .dims = 1 + i / 2 % 2,
            .normals = i % 4 == 1,
            .uniforms = i % 5 == 0 ? 2 : 0,
            .time = i % 2 ? 2.5 : 1,
            .factor = i % 8 > 3 ? factor : NULL,
            .construction = i == 7 ? BAILEY_CONSTRUCTION_WALK : BAILEY_CONSTRUCTION_BRIDGE};
        const bailey_source source = {.generator = BAILEY_GENERATOR_SOBOL,
                                      .seed = i,
                                      .stream = 1000 * i,
                                      .scramble = scrambles[i / 2 % 3],
                                      .word_bits = i % 3 ? 64 : 32,
                                      .assignment = (bailey_assignment)(i % 3)};
        const struct bly_quasi_chunk chunks[] = {
            {0, 0, 3, 0, 64}, {i % 5, 1, 3, 64, 64}, {i % 5, 2, 1, 96, 32}, {5, 0, 2, 0, 32}};
        struct bly_quasi_rows rows = {.paths = paths};
        for (size_t p = 0; p < sizeof chunks / sizeof *chunks; p++) check_chunk(&rows, &source, &chunks[p]);
        bly_quasi_rows_free(&rows);
    }
}

/* The sum of the increments over 2^12 points of 8 replicates has the wanted variance: it is the first
 * dimension of the points, by itself, so that this is far better than chance. */
TEST(variance_of_the_end, DEVICE)
{
    enum { STEPS = 8, COUNT = 4096, REPLICATES = 8, SAMPLES = COUNT * REPLICATES };
    struct bly_quasi_rows rows = {
        .paths = {.context = context, .first_steps = 1, .dims = 1, .time = 2.5, .factor = factor}};
    const bailey_source source = {.generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_OWEN};
    const struct bly_quasi_chunk chunk = {3, 0, REPLICATES, 0, COUNT};
    float *x = made(&rows, &source, &chunk);
    double sum = 0, squares = 0;
    for (uint64_t s = 0; s < SAMPLES; s++) {
        double end = 0;
        for (int i = 0; i < STEPS; i++) end += x[(uint64_t)i * SAMPLES + s];
        sum += end;
        squares += end * end;
    }
    assert_float_equal(sum / SAMPLES, 0, 1e-4);
    assert_float_equal(squares / SAMPLES, 2.5 * 0.25, 1e-3);
    free(x);
    bly_quasi_rows_free(&rows);
}

/* Chunks of points and of replicates are parts of the whole. */
TEST(any_chunks, DEVICE)
{
    const bailey_source source = {.generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_OWEN};
    const struct bly_quasi_chunk whole = {4, 0, 6, 0, 128};
    struct bly_quasi_rows rows = {
        .paths = {.context = context, .first_steps = 1, .dims = 1, .normals = 1, .uniforms = 1, .time = 1}};
    const uint64_t numbers = bly_quasi_numbers(&rows.paths, 4);
    float *all = made(&rows, &source, &whole);
    for (uint32_t r = 0; r < 6; r += 2)
        for (uint64_t first = 0; first < 128; first += 32) {
            const struct bly_quasi_chunk chunk = {4, r, 2, first, 32};
            float *part = made(&rows, &source, &chunk);
            for (uint64_t i = 0; i < numbers * 2; i++) {
                const float *from = all + (i / 2 * 6 + r + i % 2) * 128 + first;
                assert_memory_equal(from, part + i * 32, 32 * sizeof *part);
            }
            free(part);
        }
    free(all);
    bly_quasi_rows_free(&rows);
}
