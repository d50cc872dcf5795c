/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Filling buffers with words, uniforms and normals of a source.
 */
#include "source.h"

#include <base/alloc.h>
#include <host/describe/choices.h>
#include <host/describe/records.h>
#include <kernels/published_words.h>
#include <kernels/wallace_pools.h>

#include <stdio.h>
#include <string.h>

uint64_t bly_block_elements(bailey_precision precision) { return precision == BAILEY_PRECISION_F64 ? 2 : 4; }

size_t bly_element_bytes(bailey_precision precision)
{
    return precision == BAILEY_PRECISION_F64 ? sizeof(double) : sizeof(float);
}

uint64_t bly_groups(uint64_t first, uint64_t count, uint64_t block)
{
    const uint64_t lead = first % block;
    return count / block + (count % block + lead + block - 1) / block;
}

const bailey_normal_params bly_default_normal = {0};

uint32_t bly_word_bits(bailey_precision precision, uint32_t bits)
{
    return bits ? bits : precision == BAILEY_PRECISION_F64 ? 64 : 32;
}

bailey_status bly_check_bits(uint32_t bits)
{
    if (bits == 0 || bits == 32 || bits == 64) return BAILEY_OK;
    return bly_fail_argument("word_bits", "word_bits is %lu, not 0, 32 or 64", (unsigned long)bits);
}

#define STRUCT bailey_normal_params
static const bailey_field normal_params[] = {
    CHOICE(method, "method that turns words into normals", NORMAL_METHODS),
    CHOICE(precision, "precision of the normals", PRECISIONS),
    CHOICE(numerics, "reproducible bits or native speed", NUMERICS),
    UINT32(word_bits, "bits of the word that becomes a normal", WORD_SIZES,
           .default_how = "32 in f32, 64 in f64"),
};
RECORD(normal_params, "How normals are generated.", normal_params);
#undef STRUCT

bailey_status bly_check_normal(const bailey_context *context, const bailey_normal_params *normal,
                               bailey_precision precision)
{
    if (normal->method == BAILEY_NORMAL_METHOD_WALLACE)
        return bly_fail_argument("method", "method is wallace, which only bailey_normals_generate supports, "
                                           "since its normals need more than one word");
    bailey_normal_params used = *normal;
    used.precision = precision; /* a path's own counts, and the normals' is ignored */
    const bailey_status status = bailey_record_check(&bly_record_normal_params, &used);
    return status == BAILEY_OK ? bly_check_precision(context, precision) : status;
}

/* Refuses what Wallace's method does not have. */
static bailey_status check_wallace(const bailey_context *context, const bailey_source *source,
                                   const bailey_normal_params *normal)
{
    bailey_normal_params other = *normal;
    other.method = BAILEY_NORMAL_METHOD_ICDF;
    const bailey_status status = bly_check_normal(context, &other, BAILEY_PRECISION_F32);
    if (status != BAILEY_OK) return status;
    if (normal->precision != BAILEY_PRECISION_F32)
        return bly_fail_argument("precision", "precision is %s, but method wallace generates f32",
                                 BLY_CHOICE_WORD(PRECISIONS, normal->precision));
    if (normal->word_bits == 64)
        return bly_fail_argument("word_bits",
                                 "word_bits is 64, but method wallace starts from 32-bit words and derives "
                                 "normals from normals: longer words would not extend the tails");
    if (source->generator != BAILEY_GENERATOR_PHILOX)
        return bly_fail_argument("generator", "generator is %s, but method wallace starts from philox",
                                 bailey_generator_name(source->generator));
    if (source->sequence != BAILEY_SEQUENCE_RUNS)
        return bly_fail_argument("sequence", "sequence is %s, but method wallace needs runs",
                                 BLY_CHOICE_WORD(SEQUENCES, source->sequence));
    return BAILEY_OK;
}

enum bly_draw bly_draw_of(const bailey_context *context, const bailey_normal_params *normal,
                          bailey_precision precision)
{
    const int box_muller = normal->method == BAILEY_NORMAL_METHOD_BOX_MULLER;
    if (bly_word_bits(precision, normal->word_bits) != bly_word_bits(precision, 0)) {
        if (precision == BAILEY_PRECISION_F64)
            return box_muller ? BLY_DRAW_mixed_box_muller_f64 : BLY_DRAW_mixed_icdf_f64;
        return box_muller ? BLY_DRAW_mixed_box_muller_f32 : BLY_DRAW_mixed_icdf_f32;
    }
    if (precision == BAILEY_PRECISION_F64) return box_muller ? BLY_DRAW_box_muller_f64 : BLY_DRAW_icdf_f64;
    if (!box_muller) return BLY_DRAW_icdf_f32; /* a table is faster than native functions */
    return normal->numerics == BAILEY_NUMERICS_FAST && context->device->native_functions
               ? BLY_DRAW_box_muller_fast_f32
               : BLY_DRAW_box_muller_f32;
}

/* States of a published sequence for one launch, and the fewest words that are worth a separate state; words
 * of a launch of MT19937, which one team makes, in about 0.1 s. */
#define PUBLISHED_STATES 16384
#define PUBLISHED_SPACING 1024
#define PUBLISHED_MT19937 (UINT64_C(1) << 24)

/* Whether words must come from states that the host has found. */
static int is_published(const bailey_source *source)
{
    return source->sequence == BAILEY_SEQUENCE_PUBLISHED && bly_source_kind(source) == BAILEY_SOURCE_KIND_RUN;
}

/* By generator, the row that makes its published sequence. */
#define NONE(word) BLY_KERNELS,
#define STATES(word) BLY_KERNEL_bly_published_##word,
#define TEAM(word) BLY_KERNEL_bly_published_##word,
#define ROW(number, name, word, kind, published, text, verdict, period) published(word)
static const int published_rows[] = {BAILEY_GENERATOR_LIST(ROW)};
#undef NONE
#undef STATES
#undef TEAM
#undef ROW

/* The bytes of `out` from the first element of a place to the last. */
static uint64_t place_bytes(const struct bly_place *p, uint64_t element)
{
    return ((p->rows - 1) * p->out_row + (p->count - 1) * p->out_stride + 1) * element;
}

/* The buffers of a kernel that makes numbers, from number `given` on: what it writes and, before that, the
 * table of the inverse CDF where it takes one. */
static bailey_status set_output(bailey_context *context, const struct bly_kernel *kernel, uint32_t given,
                                bailey_buffer *out, bailey_buffer **buffers)
{
    buffers[kernel->buffers - 1] = out;
    if (kernel->buffers == given + 1) return BAILEY_OK;
    return bly_normal_table(context, kernel->lane_bytes == 8 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32,
                            &buffers[given]);
}

/* What segments of `segment_words` words hold, by teams; out_stride is 1. */
static bailey_status launch_segments(bailey_context *context, const bailey_source *source,
                                     const struct bly_place *w, const struct bly_kernel *kernel,
                                     uint64_t segment_words)
{
    const uint64_t last = w->first + (w->count - 1),
                   segments = last / segment_words - w->first / segment_words + 1;
    bly_segment_params p = {.seed = source->seed,
                            .stream = source->stream,
                            .first = w->first,
                            .count = w->count,
                            .out_offset = w->out_offset,
                            .row_segments = w->rows > 1 ? segments : 0,
                            .row_words = w->row_elements,
                            .out_row = w->out_row};
    if (source->generator == BAILEY_GENERATOR_WARP || source->generator == BAILEY_GENERATOR_WARP_ADD)
        memcpy(
            p.taps,
            bly_warp_taps(source->generator == BAILEY_GENERATOR_WARP ? source->warp_set : BLY_WARP_PUBLISHED),
            sizeof p.taps);
    bailey_buffer *buffers[2];
    const bailey_status status = set_output(context, kernel, 0, w->out, buffers);
    if (status != BAILEY_OK) return status;
    return bly_launch(context, kernel, segments * w->rows, 1, &p, sizeof p, buffers, w->out,
                      w->out_offset * sizeof(uint32_t), place_bytes(w, sizeof(uint32_t)));
}

/* Words, or numbers, of a generator that knows each block by its number. */
static bailey_status launch_counter(bailey_context *context, const bailey_source *source,
                                    const struct bly_place *w, const struct bly_kernel *kernel,
                                    uint64_t integers, bailey_buffer *const *buffers)
{
    const uint64_t element = kernel->lane_bytes;
    const bly_fill_params fill = {.keys = bailey_philox_keys_of(source->seed),
                                  .stream = source->stream,
                                  .first = w->first,
                                  .count = w->count,
                                  .row_elements = w->row_elements,
                                  .out_offset = w->out_offset,
                                  .out_row = w->out_row,
                                  .out_stride = w->out_stride,
                                  .rounds = bly_source_rounds(source),
                                  .integers = integers};
    return bly_launch(context, kernel, bly_groups(w->first, w->count, 16 / element), w->rows, &fill,
                      sizeof fill, buffers, w->out, w->out_offset * element, place_bytes(w, element));
}

static bailey_status launch_philox(bailey_context *context, const bailey_source *source,
                                   const struct bly_place *w, const struct bly_kernel *kernel)
{
    bailey_buffer *buffers[2];
    const bailey_status status = set_output(context, kernel, 0, w->out, buffers);
    return status == BAILEY_OK ? launch_counter(context, source, w, kernel, 0, buffers) : status;
}

bailey_status bly_make_tabled(bailey_context *context, const bailey_source *source,
                              const struct bly_kernel *kernel, const bly_form_params *constants,
                              bailey_buffer *table, const struct bly_place *place)
{
    bailey_buffer *buffers[] = {table, place->out};
    return launch_counter(context, source, place, kernel, constants->integers, buffers);
}

/* One launch's worth of a published sequence, in one row. */
static bailey_status launch_published(bailey_context *context, const bailey_source *source,
                                      const struct bly_place *w)
{
    const uint32_t state_words = bly_published_words(source->generator);
    bly_published_params p = {.states = 1, .count = w->count, .out_offset = w->out_offset};
    if (source->generator != BAILEY_GENERATOR_MT19937) {
        p.states = (w->count + PUBLISHED_SPACING - 1) / PUBLISHED_SPACING;
        if (p.states > PUBLISHED_STATES) p.states = PUBLISHED_STATES;
        p.spacing = ((w->count + p.states - 1) / p.states + 3) / 4 * 4;
        p.states = (p.states + 15) / 16 * 16; /* whole vectors */
    }
    const uint64_t bytes = p.states * state_words * sizeof(uint32_t);
    /* Vectors of 16 read past the last word of MT19937's. */
    uint32_t *states = bly_alloc(p.states * state_words + 16, sizeof *states);
    if (!states)
        return bly_fail(BAILEY_ERROR_MEMORY, "not enough memory for %llu states",
                        (unsigned long long)p.states);
    bailey_buffer *buffer = NULL;
    bailey_status status = bly_published_states(source, w->first, p.spacing, p.states, states);
    if (status == BAILEY_OK) status = bly_pool_upload(context, states, bytes + 64, &buffer);
    if (status == BAILEY_OK) {
        bailey_buffer *const buffers[] = {buffer, w->out};
        status =
            bly_launch(context, &bly_kernels[published_rows[source->generator]], p.states, 1, &p, sizeof p,
                       buffers, w->out, w->out_offset * sizeof(uint32_t), w->count * sizeof(uint32_t));
    }
    bly_pool_release(buffer);
    bly_free(states);
    return status;
}

static bailey_status make_published(bailey_context *context, const bailey_source *source,
                                    const struct bly_place *w)
{
    const uint64_t most = source->generator == BAILEY_GENERATOR_MT19937
                              ? PUBLISHED_MT19937
                              : (uint64_t)PUBLISHED_STATES * PUBLISHED_SPACING * 16;
    bailey_status status = BAILEY_OK;
    for (uint64_t row = 0; row < w->rows; row++)
        for (uint64_t done = 0; done < w->count && status == BAILEY_OK; done += most) {
            const uint64_t count = w->count - done < most ? w->count - done : most;
            const struct bly_place chunk = bly_one_row(w->first + row * w->row_elements + done, count, w->out,
                                                       w->out_offset + row * w->out_row + done);
            status = launch_published(context, source, &chunk);
        }
    return status;
}

/* Makes words, with an out_stride of 1; everything has been checked. */
static bailey_status make_words(bailey_context *context, const bailey_source *source,
                                const struct bly_place *w)
{
    if (is_published(source)) return make_published(context, source, w);
    /* Rows of words are in the order of the generators. */
    const struct bly_kernel *kernel = &bly_kernels[BLY_KERNEL_bly_words_philox + source->generator];
    if (bly_source_kind(source) == BAILEY_SOURCE_KIND_COUNTER)
        return launch_philox(context, source, w, kernel);
    return launch_segments(context, source, w, kernel, BAILEY_RUN_WORDS);
}

/* The numbers of bly_make_form, as many as go through scratch memory at once. */
static bailey_status make_form_chunk(bailey_context *context, const bailey_source *source,
                                     const struct bly_kernel *kernel, const bly_form_params *constants,
                                     bailey_buffer *table, uint32_t bits, const struct bly_place *place,
                                     bailey_buffer *scratch)
{
    const uint64_t per = bits / 32; /* words per number */
    const uint64_t element = kernel->lane_bytes, block = 16 / element;
    const uint64_t lead = place->first % block, whole = (lead + place->count + block - 1) / block * block;
    const struct bly_place w = {.first = (place->first - lead) * per,
                                .count = whole * per,
                                .rows = place->rows,
                                .row_elements = place->row_elements * per,
                                .out = scratch,
                                .out_row = (whole + 63) / 64 * 64 * per,
                                .out_stride = 1};
    bailey_buffer *buffers[3] = {scratch, table, place->out};
    bailey_status status = table ? BAILEY_OK : set_output(context, kernel, 1, place->out, buffers);
    if (status == BAILEY_OK) status = make_words(context, source, &w);
    if (status != BAILEY_OK) return status;
    bly_form_params p = *constants;
    p.first = place->first;
    p.count = place->count;
    p.in_row = place->rows == 1 && place->out_stride == 1 ? 0 : w.out_row / per;
    p.out_offset = place->out_offset;
    p.out_row = place->out_row;
    p.out_stride = place->out_stride;
    return bly_launch(context, kernel, bly_groups(place->first, place->count, block), place->rows, &p,
                      sizeof p, buffers, place->out, p.out_offset * element, place_bytes(place, element));
}

#define LEAST_SCRATCH_WORDS 1024

/* Memory for `*words` words, or for fewer where the device has no room for so many: rows of numbers begin at
 * multiples of 64. */
static bailey_status take_scratch(bailey_context *context, uint64_t *words, bailey_buffer **scratch)
{
    bailey_status status;
    while ((status = bly_pool_take(context, BLY_MEMORY_DEVICE, (*words + 4) * sizeof(uint32_t), scratch)) ==
               BAILEY_ERROR_MEMORY &&
           *words >= LEAST_SCRATCH_WORDS)
        *words = *words / 256 * 128;
    return status;
}

bailey_status bly_make_form(bailey_context *context, const bailey_source *source,
                            const struct bly_kernel *kernel, const bly_form_params *constants,
                            bailey_buffer *table, uint32_t bits, const struct bly_place *place)
{
    const uint64_t block = 16 / kernel->lane_bytes;
    uint64_t words = context->device->tuning->scratch_words;
    bailey_buffer *scratch = NULL;
    bailey_status status = take_scratch(context, &words, &scratch);
    const uint64_t most = words / (bits / 32);
    for (uint64_t done = 0, count; done < place->count && status == BAILEY_OK; done += count) {
        const uint64_t lead = (place->first + done) % block, left = place->count - done;
        count = left < most - lead ? left : most - lead;
        const uint64_t rows = most / ((lead + count + 63) / 64 * 64);
        for (uint64_t row = 0; row < place->rows && status == BAILEY_OK; row += rows) {
            struct bly_place chunk = *place;
            chunk.first += row * place->row_elements + done;
            chunk.count = count;
            chunk.rows = place->rows - row < rows ? place->rows - row : rows;
            chunk.out_offset += row * place->out_row + done * place->out_stride;
            status = make_form_chunk(context, source, kernel, constants, table, bits, &chunk, scratch);
        }
    }
    bly_pool_release(scratch);
    return status;
}

bailey_status bly_form_words(bailey_context *context, const struct bly_kernel *kernel,
                             const bly_form_params *constants, bailey_buffer *table, bailey_buffer *words,
                             uint64_t count, bailey_buffer *out, uint64_t out_offset)
{
    const uint64_t element = kernel->lane_bytes;
    bailey_buffer *buffers[3] = {words, table, out};
    const bailey_status status = table ? BAILEY_OK : set_output(context, kernel, 1, out, buffers);
    if (status != BAILEY_OK) return status;
    bly_form_params p = *constants;
    p.count = count;
    p.out_offset = out_offset;
    return bly_launch(context, kernel, bly_groups(0, count, 16 / element), 1, &p, sizeof p, buffers, out,
                      out_offset * element, count * element);
}

bailey_status bly_take_words(bailey_context *context, uint64_t *words, bailey_buffer **scratch)
{
    *words = context->device->tuning->scratch_words;
    return take_scratch(context, words, scratch);
}

bailey_status bly_check_device(const bailey_context *context, const bailey_source *source)
{
    if (is_published(source) && source->generator == BAILEY_GENERATOR_MRG32K3A &&
        !context->device->info.has_f64)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                        "%s has no double precision, which the published sequence of mrg32k3a needs",
                        context->device->info.address);
    return BAILEY_OK;
}

bailey_status bly_check_request(bailey_context *context, const bailey_source *source, uint64_t words_each,
                                const struct bly_place *place, uint64_t element)
{
    bailey_status status = bly_check_sequence(source, NULL);
    if (status == BAILEY_OK) status = bly_check_elements(source, place->first, place->count);
    if (status != BAILEY_OK) return status;
    if (words_each == 2 && place->first + (place->count - 1) > UINT64_MAX / 2)
        return bly_fail_argument("first",
                                 "first %llu + count %llu exceeds 2^63, the 64-bit elements of 2^64 words",
                                 (unsigned long long)place->first, (unsigned long long)place->count);
    status = bly_check_device(context, source);
    if (status != BAILEY_OK) return status;
    return bly_check_buffer(context, place->out, "out", place->out_offset, place->count, element);
}

bailey_status bailey_words_generate(bailey_context *context, const bailey_source *source, uint64_t first,
                                    uint64_t count, bailey_buffer *out, uint64_t out_offset)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    const struct bly_place w = bly_one_row(first, count, out, out_offset);
    bailey_status status = bly_check_request(context, source, 1, &w, sizeof(uint32_t));
    if (status == BAILEY_OK) status = make_words(context, source, &w);
    return bly_finish(context, status);
}

/* Kernels that make the same numbers: of Philox, of the warp generator, and of words in memory. */
struct makers {
    int philox, warp, form;
};

/* Numbers by the kernel that draws them at once, where there is one, else through words in memory.
 * Everything has been checked. */
static bailey_status make_numbers(bailey_context *context, const bailey_source *source, struct makers makers,
                                  bailey_precision precision, const struct bly_place *place)
{
    const uint64_t element = bly_element_bytes(precision);
    if (bly_source_kind(source) == BAILEY_SOURCE_KIND_COUNTER) {
        const int seven = bly_source_rounds(source) == 7
                              ? BLY_KERNEL_bly_philox7_u01_f32 - BLY_KERNEL_bly_philox_u01_f32
                              : 0;
        return launch_philox(context, source, place, &bly_kernels[makers.philox + seven]);
    }
    if (source->generator == BAILEY_GENERATOR_WARP && place->out_stride == 1) {
        /* A double is two words, instead of two numbers of 32 bits. */
        const uint64_t each = element / sizeof(uint32_t);
        struct bly_place w = *place;
        w.first *= each;
        w.count *= each;
        w.row_elements *= each;
        w.out_offset *= each;
        w.out_row *= each;
        return launch_segments(context, source, &w, &bly_kernels[makers.warp], BAILEY_RUN_WORDS);
    }
    return bly_make_form(context, source, &bly_kernels[makers.form], &(const bly_form_params){0}, NULL,
                         bly_word_bits(precision, 0), place);
}

/* Normals from words of the other width. */
static bailey_status make_mixed(bailey_context *context, const bailey_source *source, enum bly_draw draw,
                                const struct bly_place *place)
{
    const int number = (int)draw - BLY_DRAW_mixed_icdf_f32;
    const int f64 = draw >= BLY_DRAW_mixed_icdf_f64;
    if (bly_source_kind(source) == BAILEY_SOURCE_KIND_COUNTER)
        return launch_philox(context, source, place,
                             &bly_kernels[BLY_KERNEL_bly_mixed_counter_icdf_f32 + number]);
    const bly_form_params constants = {.scale = f64 ? UINT64_C(0x3ff0000000000000) : 0x3f800000}; /* 1 */
    return bly_make_form(context, source, &bly_kernels[BLY_KERNEL_bly_mixed_icdf_f32 + number], &constants,
                         NULL, f64 ? 32 : 64, place);
}

bailey_status bly_make_normals(bailey_context *context, const bailey_source *source, enum bly_draw draw,
                               bailey_precision precision, const struct bly_place *place)
{
    if (draw >= BLY_DRAW_mixed_icdf_f32) return make_mixed(context, source, draw, place);
    const struct makers makers = {BLY_KERNEL_bly_philox_icdf_f32 + (int)draw,
                                  BLY_KERNEL_bly_warp_icdf_f32 + (int)draw,
                                  BLY_KERNEL_bly_form_icdf_f32 + (int)draw};
    return make_numbers(context, source, makers, precision, place);
}

bailey_status bailey_uniforms_generate(bailey_context *context, const bailey_source *source,
                                       bailey_precision precision, uint32_t bits, uint64_t first,
                                       uint64_t count, bailey_buffer *out, uint64_t out_offset)
{
    static const struct makers makers[] = {
        [BAILEY_PRECISION_F32] = {BLY_KERNEL_bly_philox_u01_f32, BLY_KERNEL_bly_warp_u01_f32,
                                  BLY_KERNEL_bly_form_u01_f32},
        [BAILEY_PRECISION_F64] = {BLY_KERNEL_bly_philox_u01_f64, BLY_KERNEL_bly_warp_u01_f64,
                                  BLY_KERNEL_bly_form_u01_f64},
    };
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    const struct bly_place place = bly_one_row(first, count, out, out_offset);
    bailey_status status = bly_check_precision(context, precision);
    if (status == BAILEY_OK) status = bly_check_bits(bits);
    bits = bly_word_bits(precision, bits);
    if (status == BAILEY_OK)
        status = bly_check_request(context, source, bits / 32, &place, bly_element_bytes(precision));
    if (status != BAILEY_OK) return bly_finish(context, status);
    if (bits == bly_word_bits(precision, 0))
        status = make_numbers(context, source, makers[precision], precision, &place);
    else
        status = bly_make_form(
            context, source, &bly_kernels[BLY_KERNEL_bly_mixed_u01_f32 + (precision == BAILEY_PRECISION_F64)],
            &(const bly_form_params){0}, NULL, bits, &place);
    return bly_finish(context, status);
}

/* Normals by Wallace's method. */
static bailey_status generate_wallace(bailey_context *context, const bailey_source *source,
                                      const bailey_normal_params *normal, const struct bly_place *place)
{
    bailey_status status = check_wallace(context, source, normal);
    if (status == BAILEY_OK) status = bly_check_request(context, source, 1, place, sizeof(float));
    if (status != BAILEY_OK) return status;
    return launch_segments(context, source, place, &bly_kernels[BLY_KERNEL_bly_wallace_f32],
                           BAILEY_WALLACE_RUN);
}

bailey_status bailey_normals_generate(bailey_context *context, const bailey_source *source,
                                      const bailey_normal_params *normal, uint64_t first, uint64_t count,
                                      bailey_buffer *out, uint64_t out_offset)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    if (!source) return bly_finish(context, bly_fail_argument("source", "source is NULL"));
    if (!normal) normal = &bly_default_normal;
    const struct bly_place place = bly_one_row(first, count, out, out_offset);
    if (normal->method == BAILEY_NORMAL_METHOD_WALLACE)
        return bly_finish(context, generate_wallace(context, source, normal, &place));
    bailey_status status = bly_check_normal(context, normal, normal->precision);
    bailey_source_kind kind = BAILEY_SOURCE_KIND_COUNTER;
    if (status == BAILEY_OK) status = bly_check_sequence(source, &kind);
    /* A COUNTER source draws whole blocks by their number, of which there are enough for 2^64 elements. */
    const int two =
        bly_word_bits(normal->precision, normal->word_bits) == 64 && kind != BAILEY_SOURCE_KIND_COUNTER;
    if (status == BAILEY_OK)
        status =
            bly_check_request(context, source, two ? 2 : 1, &place, bly_element_bytes(normal->precision));
    if (status == BAILEY_OK)
        status = bly_make_normals(context, source, bly_draw_of(context, normal, normal->precision),
                                  normal->precision, &place);
    return bly_finish(context, status);
}
