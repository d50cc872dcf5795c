/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Points: the tables of a source's dimensions, which a slot of the context caches, and the kernels that read
 * them.
 */
#include "source.h"

#include <bailey/points.h>
#include <host/describe/choices.h>
#include <host/describe/records.h>
#include <kernels/sobol_items.h>

#include <stdio.h>
#include <string.h>

/* Embedded by cmake/BaileyEmbed.cmake. */
extern const unsigned char bly_data_sobol[];

_Static_assert(BAILEY_SOBOL_MAX_DIMS == BAILEY_SOBOL_DIMS,
               "bailey.h and sobol.h count dimensions differently");
_Static_assert((int)BAILEY_ASSIGNMENT_STEPS == (int)BLY_SOBOL_STEPS &&
                   (int)BAILEY_ASSIGNMENT_FACTORS == (int)BLY_SOBOL_FACTORS &&
                   (int)BAILEY_ASSIGNMENT_DIAGONAL == (int)BLY_SOBOL_DIAGONAL,
               "bailey.h and sobol_items.h number assignments differently");

#define DIRECTION_BYTES ((uint64_t)BAILEY_SOBOL_DIMS * BAILEY_SOBOL_PACKED_WORDS * sizeof(uint32_t))

/* The request of a call, with its defaults filled in. */
struct request {
    const bailey_source *source;
    bailey_points_params params;
    uint32_t steps, factors; /* of the grid of dimensions that the source assigns; 0: as they are numbered */
    uint64_t first, count;   /* points */
    uint32_t replicates, stream_step;
    bailey_buffer *out;
    uint64_t out_offset;
    uint32_t bits;    /* of a word */
    uint32_t element; /* bytes of a number */
};

/* The rows of kernels/families.h: by layout, form, precision and width of a word. */
static const struct bly_kernel *kernel_of(const struct request *r)
{
#define NAMED(form, real, bits)                                                                              \
    {                                                                                                        \
        BLY_KERNEL_bly_sobol_dim_##form##_##real##_##bits,                                                   \
            BLY_KERNEL_bly_sobol_point_##form##_##real##_##bits                                              \
    }
    static const int words[2][2] = {NAMED(words, u32, 32), NAMED(words, u64, 64)};
    /* A single-precision uniform number needs the first 32 bits alone. */
    static const int uniforms[2][2][2] = {{NAMED(u01, f32, 32), NAMED(u01, f32, 32)},
                                          {NAMED(u01, f64, 32), NAMED(u01, f64, 64)}};
    static const int normals[2][2][2] = {{NAMED(icdf, f32, 32), NAMED(icdf, f32, 64)},
                                         {NAMED(icdf, f64, 32), NAMED(icdf, f64, 64)}};
#undef NAMED
    const int wide = r->bits == 64, layout = r->params.layout == BAILEY_POINTS_LAYOUT_POINT_MAJOR;
    if (r->params.form == BAILEY_POINTS_FORM_WORDS) return &bly_kernels[words[wide][layout]];
    return &bly_kernels[(r->params.form == BAILEY_POINTS_FORM_UNIFORMS
                             ? uniforms
                             : normals)[r->params.precision][wide][layout]];
}

/* ---- Tables ---- */

/* The arguments that a table depends on. */
struct table_key {
    uint64_t seed, stream;
    uint32_t scramble, index_order, bits, first_dim, dims, layout;
    uint32_t steps, factors, assignment; /* 0 where dimensions are as they are numbered */
    uint32_t count;                      /* of direction numbers */
    uint32_t replicates, stream_step;    /* 1 and 0 of one stream alone */
};

/* A slot of the context; NULL until used. */
struct tables {
    bailey_buffer *directions; /* packed */
    bailey_buffer *table;      /* of the key, from the pool */
    struct table_key key;
};

static void empty(void *slot)
{
    struct tables *tables = slot;
    bly_pool_release(tables->table);
    bailey_buffer_destroy(tables->directions);
}

static const struct bly_slot_owner owner = {sizeof(struct tables), empty};

#define TILE_WIDTH 256

/* Points per tile, as a power of 2: tiles of so many elements keep an item's vectors busy, and their rows end
 * where 16 bytes do. */
static uint32_t tile_of(const struct request *r)
{
    uint32_t tile = 0;
    if (r->params.layout == BAILEY_POINTS_LAYOUT_DIM_MAJOR) return 0;
    while (r->params.dims << tile < TILE_WIDTH || (r->params.dims << tile) % 4) tile++;
    return tile;
}

/* Elements of a row of point-major tables: whole packs, whatever the device. */
static uint64_t table_row(const struct request *r, uint32_t tile)
{
    return ((uint64_t)r->params.dims << tile) / 64 * 64 + 64;
}

/* How many direction numbers the last point needs, in steps that few requests cross, and what an item looks
 * at in any case. Most of a table's work is in the others. */
static uint32_t count_of(const struct request *r)
{
    const uint64_t last = r->first + (r->count - 1);
    uint32_t count = 16;
    while (count < 64 && last >> count) count += 8;
    return count;
}

static struct table_key key_of(const struct request *r)
{
    const int scrambled = r->source->scramble != BAILEY_SCRAMBLE_NONE;
    return (struct table_key){.seed = scrambled ? r->source->seed : 0,
                              .stream = scrambled ? r->source->stream : 0,
                              .scramble = bly_scramble_number(r->source),
                              .index_order = r->source->point_order == BAILEY_POINT_ORDER_INDEX,
                              .bits = r->bits,
                              .first_dim = r->params.first_dim,
                              .dims = r->params.dims,
                              .steps = r->steps,
                              .factors = r->factors,
                              .assignment = r->factors ? (uint32_t)r->source->assignment : 0,
                              .layout = (uint32_t)r->params.layout,
                              .count = count_of(r),
                              .replicates = r->replicates,
                              .stream_step = r->stream_step};
}

/* Makes the table of the key, that of a request, in memory of the context. */
static bailey_status make_table(bailey_context *context, const struct request *r, struct tables *tables)
{
    const int by_dim = r->params.layout == BAILEY_POINTS_LAYOUT_DIM_MAJOR;
    const struct table_key key = tables->key;
    const bly_sobol_table_params p = {.stream = key.stream,
                                      .row = by_dim ? 1 : table_row(r, tile_of(r)),
                                      .column = by_dim ? (uint64_t)BLY_SOBOL_STRIDE * key.replicates : 1,
                                      .first_dim = key.first_dim,
                                      .dims = key.dims,
                                      .tile = tile_of(r),
                                      .steps = key.steps,
                                      .factors = key.factors,
                                      .assignment = key.assignment,
                                      .scramble = key.scramble,
                                      .index_order = key.index_order,
                                      .count = key.count,
                                      .stream_step = key.stream_step,
                                      .keys = bailey_philox_keys_of(key.seed)};
    const uint64_t bytes =
        (by_dim ? (uint64_t)key.dims * p.column : p.row * BLY_SOBOL_NUMBERS) * (key.bits / 8);
    const struct bly_kernel *kernel =
        &bly_kernels[key.bits == 64 ? BLY_KERNEL_bly_sobol_table_64 : BLY_KERNEL_bly_sobol_table_32];
    bailey_buffer *table = NULL;
    bailey_status status = BAILEY_OK;
    if (!tables->directions)
        status = bly_table_create(context, bly_data_sobol, DIRECTION_BYTES, &tables->directions);
    if (status == BAILEY_OK) status = bly_pool_take(context, BLY_MEMORY_DEVICE, bytes, &table);
    if (status == BAILEY_OK) {
        bailey_buffer *const buffers[] = {tables->directions, table};
        status =
            bly_launch(context, kernel, key.dims, key.replicates, &p, sizeof p, buffers, table, 0, bytes);
    }
    if (status == BAILEY_OK)
        tables->table = table;
    else
        bly_pool_release(table);
    return status;
}

/* The table of a request: that of the last one, or a new one in its place. */
static bailey_status find_table(bailey_context *context, const struct request *r, bailey_buffer **table)
{
    const struct table_key key = key_of(r);
    struct tables *tables = bly_context_slot(context, &owner);
    bailey_status status = BAILEY_OK;
    if (!tables) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a table of points");
    if (!tables->table || memcmp(&key, &tables->key, sizeof key) != 0) {
        bly_pool_release(tables->table);
        tables->table = NULL;
        tables->key = key;
        status = make_table(context, r, tables);
    }
    *table = tables->table;
    return status;
}

/* ---- Points ---- */

static bailey_status make_points(bailey_context *context, const struct request *r)
{
    bailey_buffer *buffers[3];
    bailey_status status = find_table(context, r, &buffers[0]);
    if (status != BAILEY_OK) return status;
    const struct bly_kernel *kernel = kernel_of(r);
    const int by_dim = r->params.layout == BAILEY_POINTS_LAYOUT_DIM_MAJOR;
    const uint32_t tile = tile_of(r), per_group = 16 / r->element;
    const bly_sobol_params p = {.first = r->first,
                                .count = r->count,
                                .out_offset = r->out_offset,
                                .out_row = r->count,
                                .table_row = by_dim ? 0 : table_row(r, tile),
                                .dims = r->params.dims,
                                .width = r->params.dims << tile,
                                .tile = tile,
                                .owen = r->source->scramble == BAILEY_SCRAMBLE_OWEN};
    const uint64_t rows = by_dim ? (uint64_t)r->params.dims * r->replicates
                                 : ((r->first + (r->count - 1)) >> tile) / BLY_SOBOL_TILES -
                                       (r->first >> tile) / BLY_SOBOL_TILES + 1;
    const uint64_t lead = r->first % BLY_SOBOL_ALIGNED;
    const uint64_t groups =
        by_dim ? (r->count - 1) / per_group + (lead + (r->count - 1) % per_group) / per_group + 1
               : (p.width + per_group - 1) / per_group;
    buffers[kernel->buffers - 1] = r->out;
    if (kernel->buffers == 3) {
        status = bly_normal_table(context, r->params.precision, &buffers[1]);
        if (status != BAILEY_OK) return status;
    }
    return bly_launch(context, kernel, groups, rows, &p, sizeof p, buffers, r->out,
                      r->out_offset * r->element, r->count * r->params.dims * r->replicates * r->element);
}

static bailey_status check_params(const bailey_context *context, const bailey_points_params *p)
{
    const bailey_status status = bailey_record_check(&bly_record_points_params, p);
    if (status != BAILEY_OK) return status;
    if (p->first_dim > BAILEY_POINTS_MAX_DIMS - p->dims)
        return bly_fail_argument("first_dim", "first_dim %u + dims %u exceeds %u", (unsigned)p->first_dim,
                                 (unsigned)p->dims, BAILEY_POINTS_MAX_DIMS);
    if (p->form != BAILEY_POINTS_FORM_WORDS) return bly_check_precision(context, p->precision);
    if (p->precision != BAILEY_PRECISION_F32)
        return bly_fail_argument("precision", "precision is %d, but the form is words", (int)p->precision);
    return BAILEY_OK;
}

static bailey_status check_request(bailey_context *context, const struct request *r)
{
    bailey_source_kind kind;
    bailey_status status = bailey_source_check(r->source, &kind);
    if (status != BAILEY_OK) return status;
    if (kind != BAILEY_SOURCE_KIND_POINT)
        return bly_fail_argument("generator", "generator is %s, which has no points",
                                 bailey_generator_name(r->source->generator));
    status = check_params(context, &r->params);
    if (status != BAILEY_OK) return status;
    if (r->count == 0) return bly_fail_argument("points", "points is 0, at least 1");
    if (r->first > UINT64_MAX - (r->count - 1))
        return bly_fail_argument("first_point", "first_point %llu + points %llu exceeds 2^64",
                                 (unsigned long long)r->first, (unsigned long long)r->count);
    /* More than 64 bits are more than any buffer has. */
    const uint64_t numbers = bly_multiply(r->count, r->params.dims);
    return bly_check_buffer(context, r->out, "out", r->out_offset, numbers ? numbers : UINT64_MAX,
                            r->element);
}

/* Fills in what the source and the form decide. A form in which a point is one number has one layout. */
static void settle(struct request *r)
{
    const int words = r->params.form == BAILEY_POINTS_FORM_WORDS, wide = r->source->word_bits == 64;
    if (r->params.dims == 0) r->params.dims = 1;
    if (r->replicates == 0) r->replicates = 1;
    if (r->params.dims == 1 && r->params.layout == BAILEY_POINTS_LAYOUT_POINT_MAJOR)
        r->params.layout = BAILEY_POINTS_LAYOUT_DIM_MAJOR;
    r->element = (words ? wide : r->params.precision == BAILEY_PRECISION_F64) ? 8 : 4;
    r->bits = wide && !(r->params.form == BAILEY_POINTS_FORM_UNIFORMS && r->element == 4) ? 64 : 32;
}

bailey_status bailey_points_generate(bailey_context *context, const bailey_source *source,
                                     const bailey_points_params *params, uint64_t first_point,
                                     uint64_t points, bailey_buffer *out, uint64_t out_offset)
{
    struct request r = {
        .source = source, .first = first_point, .count = points, .out = out, .out_offset = out_offset};
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    if (!source) return bly_finish(context, bly_fail_argument("source", "source is NULL"));
    if (params) r.params = *params;
    settle(&r);
    bailey_status status = check_request(context, &r);
    if (status == BAILEY_OK) status = make_points(context, &r);
    return bly_finish(context, status);
}

/* ---- Rows of bridges ---- */

size_t bailey_points_advice(const bailey_source *source, uint64_t first_point, uint64_t points, char *text,
                            size_t size)
{
    bailey_source_kind kind;
    char line[400] = "";
    if (size && text) *text = 0;
    if (!source || !points || bailey_source_check(source, &kind) != BAILEY_OK ||
        kind != BAILEY_SOURCE_KIND_POINT)
        return 0;
    const unsigned long long count = points, first = first_point;
    size_t used = 0;
    if (count & (count - 1))
        used += (size_t)snprintf(line, sizeof line,
                                 "%llu points are not a power of two, so they are not balanced", count);
    else if (first & (count - 1))
        used += (size_t)snprintf(
            line, sizeof line,
            "points starting at %llu are not balanced: %llu points should start at a multiple of %llu", first,
            count, count);
    if (source->word_bits != 64 && first + (count - 1) >= UINT64_C(1) << 32)
        used += (size_t)snprintf(
            line + used, sizeof line - used,
            "%spoints beyond 2^32 need words of 64 bits, because 32-bit words have only 2^32 values",
            used ? "; " : "");
    if (size && text) snprintf(text, size, "%s", line);
    return used;
}

bailey_status bly_check_points(const bailey_source *source, const bailey_normal_params *normal)
{
    const uint32_t bits = source->word_bits ? source->word_bits : 32;
    if (normal->method != BAILEY_NORMAL_METHOD_ICDF)
        return bly_fail_argument("method", "method is %s, but points need icdf, the inverse CDF",
                                 BLY_CHOICE_WORD(NORMAL_METHODS, normal->method));
    if (normal->word_bits != 0 && normal->word_bits != bits)
        return bly_fail_argument("word_bits", "word_bits is %u, but the source's words have %u",
                                 (unsigned)normal->word_bits, (unsigned)bits);
    return BAILEY_OK;
}

static struct request request_of(const struct bly_point_rows *rows, int point_major, bailey_buffer *out)
{
    struct request r = {
        .source = rows->source,
        .params = {.form = BAILEY_POINTS_FORM_NORMALS,
                   .layout = point_major ? BAILEY_POINTS_LAYOUT_POINT_MAJOR : BAILEY_POINTS_LAYOUT_DIM_MAJOR,
                   .precision = rows->precision,
                   .dims = rows->steps * rows->factors},
        .steps = rows->steps,
        .factors = rows->factors,
        .first = rows->first,
        .count = rows->count,
        .replicates = rows->replicates,
        .stream_step = rows->stream_step,
        .out = out};
    settle(&r);
    return r;
}

bailey_status bly_points_normals(bailey_context *context, const struct bly_point_rows *rows, int point_major,
                                 bailey_buffer *out)
{
    const struct request r = request_of(rows, point_major, out);
    return make_points(context, &r);
}

bailey_status bly_points_dims(bailey_context *context, const struct bly_point_rows *rows,
                              bailey_points_form form, uint32_t first_dim, uint32_t dims, bailey_buffer *out,
                              uint64_t offset)
{
    struct request r = {.source = rows->source,
                        .params = {.form = form,
                                   .layout = BAILEY_POINTS_LAYOUT_DIM_MAJOR,
                                   .precision = rows->precision,
                                   .first_dim = first_dim,
                                   .dims = dims},
                        .first = rows->first,
                        .count = rows->count,
                        .replicates = rows->replicates,
                        .stream_step = rows->stream_step,
                        .out = out,
                        .out_offset = offset};
    settle(&r);
    return make_points(context, &r);
}

bailey_status bly_points_heads(bailey_context *context, const struct bly_point_rows *rows,
                               bailey_buffer **table, bailey_buffer **heads)
{
    const struct request r = request_of(rows, 0, NULL);
    const uint64_t first = r.first >> BLY_SOBOL_CHUNK_BITS, last = r.first + (r.count - 1);
    const uint64_t chunks = (last >> BLY_SOBOL_CHUNK_BITS) - first + 1;
    const bly_sobol_heads_params p = {.first = first, .dims = r.params.dims};
    const uint64_t bytes = chunks * r.params.dims * (r.bits / 8);
    const int row = r.bits == 64 ? BLY_KERNEL_bly_sobol_heads_64 : BLY_KERNEL_bly_sobol_heads_32;
    *heads = NULL;
    bailey_status status = find_table(context, &r, table);
    if (status == BAILEY_OK) status = bly_pool_take(context, BLY_MEMORY_DEVICE, bytes, heads);
    if (status != BAILEY_OK) return status;
    bailey_buffer *const buffers[] = {*table, *heads};
    return bly_launch(context, &bly_kernels[row], r.params.dims, chunks, &p, sizeof p, buffers, *heads, 0,
                      bytes);
}
