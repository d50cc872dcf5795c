/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Approximate normals (bailey/device/approximate.h): their order, symmetry, mean square errors and variances,
 * and their bits in programs of texts on every device and with any number of lanes.
 */
#include <host/internal.h>

#include <bailey/device/icdf_table.h>

#include "approximate_lanes.h"
#include "harness.h"

#include <math.h>

#define CELLS 65536u /* words that the first 16 bits tell apart */

static const int kinds[] = {1, 2}; /* BAILEY_APPROXIMATE_CONSTANT, _DYADIC */

static const char *const text =
    "#include \"kernels/group_entry.h\"\n"
    "#include \"bailey/device/approximate.h\"\n"
    "typedef struct approximate_params {\n"
    "    bailey_uint64 count;\n"
    "    bailey_uint32 kind, more;\n"
    "} approximate_params;\n"
    "BAILEY_FN void approximate_group(approximate_params p, const BAILEY_GLOBAL float *table,\n"
    "                                 const BAILEY_GLOBAL bailey_uint32 *w, BAILEY_GLOBAL float *x,\n"
    "                                 BLY_SHARED bailey_uint64 *shared, bailey_uint64 item)\n"
    "{\n"
    "    (void)shared;\n"
    "    if (item >= p.count) return;\n"
    "    if (p.kind == BAILEY_APPROXIMATE_CONSTANT)\n"
    "        x[item] = bailey_normal_approximate_f32(BAILEY_APPROXIMATE_CONSTANT, table, w[item]);\n"
    "    else\n"
    "        x[item] = bailey_normal_approximate_f32(BAILEY_APPROXIMATE_DYADIC, table, w[item]);\n"
    "}\n"
    "BLY_GROUP_ENTRY_3(approximate, approximate_params, const float, const bailey_uint32, float)\n";

struct approximate_params {
    uint64_t count;
    uint32_t kind, more;
};

static const float *table(void) { return bailey_approximate_table_data(NULL); }

/* The first and last word of each cell. */
static void fill(uint32_t *w)
{
    for (uint32_t i = 0; i < CELLS; i++) {
        w[2 * i] = i << 16;
        w[2 * i + 1] = i << 16 | 0xffffu;
    }
}

TEST(numbers, DEVICE)
{
    static uint32_t w[2 * CELLS];
    static float x[2 * CELLS];
    fill(w);
    for (int k = 0; k < 2; k++) {
        approximate_1.normals(kinds[k], table(), w, x, 2 * CELLS);
        for (uint32_t i = 0; i < CELLS; i++) {
            assert_true(x[2 * i] == x[2 * i + 1]);           /* the first 16 bits alone */
            assert_true(i == 0 || x[2 * i] >= x[2 * i - 2]); /* in order */
            assert_true(x[2 * i] == -x[2 * (CELLS - 1 - i)]);
            assert_true(i < CELLS / 2 ? x[2 * i] < 0 : x[2 * i] > 0);
        }
        printf("kind %d: up to %.9g\n", kinds[k], x[2 * CELLS - 1]);
    }
}

/* Adds up (Z - Z~)^2 and Z~^2 over cell i by the midpoint rule, of what the exact inverse CDF makes of its
 * words: of all of them far out, where deviates vary within a cell. The errors of the rule and of the exact
 * deviates are negligible compared with the sums. */
static void add_cell(int kind, uint32_t i, double *error, double *square)
{
    const uint32_t step = i < 64 ? 1 : 4096;
    uint32_t w[16];
    float x[16];
    for (uint32_t first = 0; first < CELLS; first += 16 * step) {
        for (uint32_t j = 0; j < 16; j++) w[j] = (i << 16) + first + j * step + step / 2;
        approximate_1.normals(kind, table(), w, x, 16);
        for (uint32_t j = 0; j < 16; j++) {
            const double d = (double)bailey_normal_icdf_f32(TABLE_F32, w[j]) - x[j];
            *error += step * d * d;
            *square += step * (double)x[j] * x[j];
        }
    }
}

/* To the digits that the header has, and the variance, which is 1 less the error, as Z~ is a mean given the
 * word's first bits or a projection of one. */
TEST(errors, DEVICE)
{
    static const double expected[] = {1.4969e-4, 6.280e-6};
    for (int k = 0; k < 2; k++) {
        double error = 0, square = 0;
        for (uint32_t i = 0; i < CELLS / 2; i++) add_cell(kinds[k], i, &error, &square);
        error *= 0x1p-31;
        square *= 0x1p-31;
        printf("kind %d: mean square error %.5e, variance %.8f\n", kinds[k], error, square);
        assert_true(fabs(error / expected[k] - 1) < 0.001);
        assert_true(fabs(square + error - 1) < 2e-8);
    }
}

TEST(lanes, DEVICE)
{
    static const struct approximate_lanes *const all[] = {
        &approximate_2,
        &approximate_4,
        &approximate_8,
        &approximate_16,
        &approximate_arrays,
#if defined(APPROXIMATE_AVX512)
        &approximate_avx512
#endif
    };
    static uint32_t w[2 * CELLS];
    static float x[2 * CELLS], y[2 * CELLS];
    uint64_t seed = 5;
    for (uint32_t i = 0; i < 2 * CELLS; i++) w[i] = (uint32_t)next_random(&seed) >> (i & 31);
    for (int k = 0; k < 2; k++) {
        approximate_1.normals(kinds[k], table(), w, x, 2 * CELLS);
        for (size_t l = 0; l < sizeof all / sizeof *all; l++) {
            if (all[l]->usable && !all[l]->usable()) continue;
            all[l]->normals(kinds[k], table(), w, y, 2 * CELLS);
            same_bits("lanes", y, x, 2 * CELLS, sizeof *x);
        }
    }
}

TEST(texts, DEVICE)
{
    const struct bly_backend *backend = context->device->backend;
    if (!backend->compiler || backend->compiler(context->device) != BAILEY_OK) skip();
    const struct bly_kernel kernel = {.name = "approximate",
                                      .lane_bytes = 4,
                                      .params_bytes = sizeof(struct approximate_params),
                                      .buffers = 3,
                                      .block = backend == &bly_backend_cpu ? 1 : 64};
    const struct bly_code code = {.name = "approximate", .text = text, .kernels = &kernel, .kernel_count = 1};
    struct bly_program *program = NULL;
    OK(backend->load(context->device, &code, &program));
    static uint32_t w[2 * CELLS];
    static float expected[2 * CELLS];
    fill(w);
    bailey_buffer *words = poisoned(sizeof w), *entries = NULL, *again = NULL;
    OK(bailey_buffer_write(words, 0, w, sizeof w));
    OK(bailey_approximate_table(context, &entries));
    OK(bailey_approximate_table(context, &again));
    assert_ptr_equal(entries, again);
    for (uint32_t k = 0; k < 2; k++) {
        const struct approximate_params params = {2 * CELLS, (uint32_t)kinds[k], 0};
        bailey_buffer *x = poisoned(sizeof expected);
        struct bly_memory *const memory[] = {entries->memory, words->memory, x->memory};
        OK(backend->launch(context->device, 0, program, 0, 2 * CELLS, 1, &params, memory));
        float *found = harvest(x, sizeof expected);
        approximate_1.normals(kinds[k], table(), w, expected, 2 * CELLS);
        same_bits("text", found, expected, 2 * CELLS, sizeof *found);
        free(found);
    }
    backend->unload(context->device, program);
    bailey_buffer_destroy(words);
}

TEST(refusals, DEVICE)
{
    bailey_buffer *buffer = NULL;
    size_t bytes = 0;
    assert_non_null(bailey_approximate_table_data(&bytes));
    assert_int_equal(bytes, 4352);
    assert_int_equal(bailey_approximate_table(NULL, &buffer), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_approximate_table(context, NULL), BAILEY_ERROR_INVALID);
}
