/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Copulas: words with the ranks of correlated normals, or of Student's t, part by part through scratch
 * memory.
 */
#include "density.h"

#include <bailey/copulas.h>
#include <base/alloc.h>
#include <kernels/rank_items.h>

#include <string.h>

#define ROW_BITS 38 /* of a vector's number */

struct copula {
    const bailey_source *source;
    bailey_source_kind kind;
    const double *correlation;
    double *memory, *factor; /* C, in that memory */
    uint32_t dims;
    double freedom;
    bailey_precision precision;
    bailey_buffer *words;
    uint64_t count; /* of all vectors: the words of a dimension */
    bailey_buffer *z, *x, *s, *table;
    uint64_t most; /* vectors of a part */
};

/* A single or double precision number as its bits. */
static uint64_t bits_of(double value, bailey_precision precision)
{
    const float narrow = (float)value;
    uint64_t bits = 0;
    if (precision == BAILEY_PRECISION_F64)
        memcpy(&bits, &value, sizeof value);
    else
        memcpy(&bits, &narrow, sizeof narrow);
    return bits;
}

/* Finds C. */
static bailey_status factor_of(struct copula *c)
{
    const uint32_t dims = c->dims;
    if (dims < 1 || dims > BAILEY_BRIDGE_MAX_DIMS)
        return bly_fail_argument("dims", "dims is %u, not from 1 to %u", (unsigned)dims,
                                 BAILEY_BRIDGE_MAX_DIMS);
    double *exact = bly_alloc((size_t)dims * dims, 2 * sizeof *exact);
    if (!exact)
        return bly_fail(BAILEY_ERROR_MEMORY, "no memory for %u x %u entries", (unsigned)dims, (unsigned)dims);
    c->factor = exact + (size_t)dims * dims;
    c->memory = exact;
    for (uint32_t i = 0; i < dims * dims; i++) exact[i] = i % (dims + 1) == 0;
    const bailey_status status =
        c->correlation ? bly_correlation_check(c->correlation, dims, 1, exact) : BAILEY_OK;
    return status == BAILEY_OK ? bly_factor_covariance("correlation", exact, dims, c->factor) : status;
}

static bailey_status check_copula(bailey_context *context, struct copula *c, uint64_t first)
{
    const double least = c->precision == BAILEY_PRECISION_F64 ? 0.2 : 0.6;
    bailey_status status = bly_check_precision(context, c->precision);
    if (status == BAILEY_OK) status = factor_of(c);
    if (status != BAILEY_OK) return status;
    if (c->freedom != 0 && !(c->freedom >= least && c->freedom <= 1e9))
        return bly_fail_argument("freedom", "freedom is %g; it must be 0, or from %g to 1e9", c->freedom,
                                 least);
    if (c->count == 0) return bly_fail_argument("count", "count is 0, at least 1");
    if (first > UINT64_C(1) << ROW_BITS || c->count > (UINT64_C(1) << ROW_BITS) - first)
        return bly_fail_argument("first", "first %llu + count %llu exceeds 2^38", (unsigned long long)first,
                                 (unsigned long long)c->count);
    status = bailey_source_check(c->source, &c->kind);
    if (status == BAILEY_OK && c->source->generator == BAILEY_GENERATOR_MT19937 &&
        c->source->sequence == BAILEY_SEQUENCE_PUBLISHED)
        return bly_fail_argument("generator",
                                 "generator is mt19937, whose published sequence cannot skip to the "
                                 "numbers of a dimension");
    if (status == BAILEY_OK) status = bly_check_device(context, c->source);
    if (status != BAILEY_OK) return status;
    return bly_check_buffer(context, c->words, "words", 0, c->count * c->dims,
                            bly_element_bytes(c->precision));
}

/* Independent normals of a part, [dim][vector]. */
static bailey_status make_normals(bailey_context *context, const struct copula *c, uint64_t first,
                                  uint64_t count)
{
    const bailey_normal_params normal = {.precision = c->precision};
    if (c->kind == BAILEY_SOURCE_KIND_POINT) {
        const bailey_points_params points = {.form = BAILEY_POINTS_FORM_NORMALS,
                                             .layout = BAILEY_POINTS_LAYOUT_DIM_MAJOR,
                                             .precision = c->precision,
                                             .dims = c->dims};
        return bailey_points_generate(context, c->source, &points, first, count, c->z, 0);
    }
    const struct bly_place place = {.first = first,
                                    .count = count,
                                    .rows = c->dims,
                                    .row_elements = UINT64_C(1) << ROW_BITS,
                                    .out = c->z,
                                    .out_row = count,
                                    .out_stride = 1};
    return bly_make_normals(context, c->source, bly_draw_of(context, &normal, c->precision), c->precision,
                            &place);
}

/* Turns the normals in x into numbers of Student's t. */
static bailey_status make_student(bailey_context *context, const struct copula *c, uint64_t first,
                                  uint64_t count)
{
    const bailey_variate_params chi_square = {.normal.precision = c->precision,
                                              .distribution = BAILEY_DISTRIBUTION_CHI_SQUARE,
                                              .freedom = c->freedom};
    const bailey_points_params points = {.first_dim = c->dims, .dims = 1};
    const int f64 = c->precision == BAILEY_PRECISION_F64;
    bailey_status status =
        c->kind == BAILEY_SOURCE_KIND_POINT
            ? bailey_points_variates(context, c->source, &points, &chi_square, first, count, c->s, 0)
            : bailey_variates_generate(context, c->source, &chi_square,
                                       ((uint64_t)c->dims << ROW_BITS) + first, count, c->s, 0);
    if (status != BAILEY_OK) return status;
    const double log_freedom = bly_wide_log(bly_wide(c->freedom)).high; /* no platform's own */
    const bly_form_params p = {
        .count = count, .in_row = count, .scale = bits_of(log_freedom, c->precision)};
    bailey_buffer *const buffers[] = {c->s, c->x};
    return bly_launch(context, &bly_kernels[BLY_KERNEL_bly_student_f32 + f64],
                      bly_groups(0, count, bly_block_elements(c->precision)), c->dims, &p, sizeof p, buffers,
                      c->x, 0, count * c->dims * bly_element_bytes(c->precision));
}

static bailey_status find_ranks(bailey_context *context, const struct copula *c, uint64_t done,
                                uint64_t count)
{
    const int f64 = c->precision == BAILEY_PRECISION_F64;
    const int row = c->freedom == 0 ? BLY_KERNEL_bly_ranks_normal_f32 : BLY_KERNEL_bly_ranks_tabled_f32;
    const uint64_t element = bly_element_bytes(c->precision);
    const bly_form_params p = {
        .count = count, .in_row = count, .out_offset = done, .out_row = c->count, .out_stride = 1};
    bailey_buffer *const buffers[] = {c->x, c->table, c->words};
    return bly_launch(context, &bly_kernels[row + f64],
                      bly_groups(0, count, bly_block_elements(c->precision)), c->dims, &p, sizeof p, buffers,
                      c->words, done * element, ((c->dims - 1) * c->count + count) * element);
}

static bailey_status make_part(bailey_context *context, const struct copula *c, uint64_t first, uint64_t done,
                               uint64_t count)
{
    bailey_status status = make_normals(context, c, first + done, count);
    if (status == BAILEY_OK)
        status = bailey_normals_correlate(context, c->factor, c->dims, c->precision, count, c->z, c->x);
    if (status == BAILEY_OK && c->freedom != 0) status = make_student(context, c, first + done, count);
    return status == BAILEY_OK ? find_ranks(context, c, done, count) : status;
}

/* The table of the quantile, and memory for parts. */
static bailey_status begin(bailey_context *context, struct copula *c)
{
    const bailey_variate_params student = {.normal.precision = c->precision,
                                           .distribution = BAILEY_DISTRIBUTION_STUDENT_T,
                                           .freedom = c->freedom};
    const uint64_t element = bly_element_bytes(c->precision), words = context->device->tuning->scratch_words;
    c->most = words / c->dims / 64 * 64;
    if (c->most < 64) c->most = 64;
    if (c->most > c->count) c->most = c->count;
    const uint64_t bytes = (c->most + 64) * element;
    bailey_status status = c->freedom == 0 ? bly_normal_table(context, c->precision, &c->table)
                                           : bly_variate_table(context, &student, &c->table);
    if (status == BAILEY_OK) status = bly_pool_take(context, BLY_MEMORY_DEVICE, bytes * c->dims, &c->z);
    if (status == BAILEY_OK) status = bly_pool_take(context, BLY_MEMORY_DEVICE, bytes * c->dims, &c->x);
    if (status == BAILEY_OK && c->freedom != 0)
        status = bly_pool_take(context, BLY_MEMORY_DEVICE, bytes, &c->s);
    return status;
}

bailey_status bailey_copula_generate(bailey_context *context, const bailey_source *source,
                                     const double *correlation, uint32_t dims, double freedom,
                                     bailey_precision precision, uint64_t first, uint64_t count,
                                     bailey_buffer *words)
{
    struct copula c = {.source = source,
                       .correlation = correlation,
                       .dims = dims,
                       .freedom = freedom,
                       .precision = precision,
                       .words = words,
                       .count = count};
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    if (!source) return bly_finish(context, bly_fail_argument("source", "source is NULL"));
    bailey_status status = check_copula(context, &c, first);
    if (status == BAILEY_OK) status = begin(context, &c);
    for (uint64_t done = 0; done < count && status == BAILEY_OK; done += c.most)
        status = make_part(context, &c, first, done, count - done < c.most ? count - done : c.most);
    bly_pool_release(c.s);
    bly_pool_release(c.x);
    bly_pool_release(c.z);
    bly_free(c.memory);
    return bly_finish(context, status);
}
