/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Filling buffers with words, uniforms and normals.
 */
#include "forms.h"
#include "published.h"
#include "warp_jump.h"

#include <base/alloc.h>
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

bailey_status bly_check_precision(const bailey_context *context, bailey_precision precision)
{
    if (precision != BAILEY_PRECISION_F32 && precision != BAILEY_PRECISION_F64)
        return bly_fail_argument("precision", "precision is %d, not a bailey_precision", (int)precision);
    if (precision == BAILEY_PRECISION_F64 && !context->device->info.has_f64)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "%s has no double precision",
                        context->device->info.address);
    return BAILEY_OK;
}

bailey_status bly_check_normal(const bailey_context *context, const bailey_normal_params *normal,
                               bailey_precision precision)
{
    if (normal->method == BAILEY_NORMAL_WALLACE)
        return bly_fail_argument("method", "method is wallace, which bailey_normals_generate alone takes: "
                                           "it does not make a normal of one word");
    if (normal->method != BAILEY_NORMAL_ICDF && normal->method != BAILEY_NORMAL_BOX_MULLER)
        return bly_fail_argument("method", "method is %d, not a bailey_normal_method", (int)normal->method);
    if (normal->numerics != BAILEY_NUMERICS_EXACT && normal->numerics != BAILEY_NUMERICS_FAST)
        return bly_fail_argument("numerics", "numerics is %d, not a bailey_numerics", (int)normal->numerics);
    return bly_check_precision(context, precision);
}

/* Checks what Wallace's method does not have. */
static bailey_status check_wallace(const bailey_context *context, const bailey_normal_params *normal)
{
    bailey_normal_params other = *normal;
    other.method = BAILEY_NORMAL_ICDF;
    const bailey_status status = bly_check_normal(context, &other, BAILEY_PRECISION_F32);
    if (status != BAILEY_OK) return status;
    if (normal->precision != BAILEY_PRECISION_F32)
        return bly_fail_argument("precision", "precision is %d, method wallace makes BAILEY_PRECISION_F32",
                                 (int)normal->precision);
    if (normal->generator != BAILEY_GENERATOR_PHILOX)
        return bly_fail_argument("generator", "generator is %d, method wallace starts from philox",
                                 (int)normal->generator);
    if (normal->sequence != BAILEY_SEQUENCE_RUNS)
        return bly_fail_argument("sequence", "sequence is %d, method wallace has BAILEY_SEQUENCE_RUNS",
                                 (int)normal->sequence);
    return BAILEY_OK;
}

enum bly_draw bly_draw_of(const bailey_context *context, const bailey_normal_params *normal,
                          bailey_precision precision)
{
    const int box_muller = normal->method == BAILEY_NORMAL_BOX_MULLER;
    if (precision == BAILEY_PRECISION_F64) return box_muller ? BLY_DRAW_box_muller_f64 : BLY_DRAW_icdf_f64;
    if (normal->numerics == BAILEY_NUMERICS_FAST && context->device->native_functions)
        return box_muller ? BLY_DRAW_box_muller_fast_f32 : BLY_DRAW_icdf_fast_f32;
    return box_muller ? BLY_DRAW_box_muller_f32 : BLY_DRAW_icdf_f32;
}

/* The largest piece that is made at once where words go through scratch memory: what a processor's or a GPU's
 * second cache holds, so that they do not travel further. */
#define SCRATCH_WORDS_CPU ((uint64_t)1 << 18)
#define SCRATCH_WORDS_GPU ((uint64_t)1 << 22)

/* States of a published sequence for one launch, and the fewest words that are worth a state of their own. */
#define PUBLISHED_STATES 16384
#define PUBLISHED_SPACING 1024
#define PUBLISHED_MT19937 ((uint64_t)1 << 28) /* words of a launch: one team makes them all */

/* Checks elements [offset, offset + count) of a sequence. */
static bailey_status check_count(uint64_t offset, uint64_t count)
{
    if (count == 0) return bly_fail_argument("count", "count is 0, at least 1");
    if (offset > UINT64_MAX - (count - 1))
        return bly_fail_argument("offset", "offset %llu + count %llu exceeds 2^64",
                                 (unsigned long long)offset, (unsigned long long)count);
    return BAILEY_OK;
}

static int is_philox(bailey_generator generator)
{
    return generator == BAILEY_GENERATOR_PHILOX || generator == BAILEY_GENERATOR_PHILOX7;
}

/* Whether words must come from states that the host has found. */
static int is_published(const bailey_random_params *random)
{
    return random->sequence == BAILEY_SEQUENCE_PUBLISHED && !is_philox(random->generator);
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

/* Where word `first`, first + 1, ... of a sequence go. */
struct words_place {
    const bailey_random_params *random; /* its offset is not looked at */
    uint64_t first, count;
    bailey_buffer *out;
    uint64_t out_offset;
};

/* What runs of `run_words` words hold, by teams. */
static bailey_status launch_runs(bailey_context *context, const struct words_place *w,
                                 const struct bly_kernel *kernel, uint64_t run_words)
{
    bly_run_params run = {.seed = w->random->seed,
                          .stream = w->random->stream,
                          .first = w->first,
                          .count = w->count,
                          .out_offset = w->out_offset};
    if (w->random->generator == BAILEY_GENERATOR_WARP || w->random->generator == BAILEY_GENERATOR_WARP_ADD)
        memcpy(run.taps,
               bly_warp_taps(w->random->generator == BAILEY_GENERATOR_WARP ? w->random->warp_set
                                                                           : BLY_WARP_PUBLISHED),
               sizeof run.taps);
    const uint64_t last = w->first + (w->count - 1);
    return bly_launch(context, kernel, last / run_words - w->first / run_words + 1, 1, &run, sizeof run,
                      &w->out, w->out, w->out_offset * sizeof(uint32_t), w->count * sizeof(uint32_t));
}

/* Words of 4 bytes, or numbers of `element` bytes, of a generator that knows each block by its number. */
static bailey_status launch_philox(bailey_context *context, const struct words_place *w,
                                   const struct bly_kernel *kernel, uint64_t element)
{
    const bly_fill_params fill = {.keys = bailey_philox_keys_of(w->random->seed),
                                  .stream = w->random->stream,
                                  .first = w->first,
                                  .count = w->count,
                                  .out_offset = w->out_offset,
                                  .out_stride = 1};
    return bly_launch(context, kernel, bly_groups(w->first, w->count, 16 / element), 1, &fill, sizeof fill,
                      &w->out, w->out, w->out_offset * element, w->count * element);
}

/* One launch's worth of a published sequence. */
static bailey_status launch_published(bailey_context *context, const struct words_place *w)
{
    const bailey_generator generator = w->random->generator;
    const uint32_t state_words = bly_published_words(generator);
    bly_published_params p = {.states = 1, .count = w->count, .out_offset = w->out_offset};
    if (generator != BAILEY_GENERATOR_MT19937) {
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
    bailey_status status = bly_published_states(w->random, w->first, p.spacing, p.states, states);
    if (status == BAILEY_OK) status = bailey_buffer_create(context, bytes + 64, &buffer);
    if (status == BAILEY_OK) status = bailey_buffer_write(buffer, 0, states, bytes + 64);
    if (status == BAILEY_OK) {
        bailey_buffer *const buffers[] = {buffer, w->out};
        status = bly_launch(context, &bly_kernels[published_rows[generator]], p.states, 1, &p, sizeof p,
                            buffers, w->out, w->out_offset * sizeof(uint32_t), w->count * sizeof(uint32_t));
    }
    if (status == BAILEY_OK) status = context->device->backend->sync(context->device);
    bailey_buffer_destroy(buffer);
    bly_free(states);
    return status;
}

static bailey_status make_published(bailey_context *context, const struct words_place *w)
{
    const uint64_t most = w->random->generator == BAILEY_GENERATOR_MT19937
                              ? PUBLISHED_MT19937
                              : (uint64_t)PUBLISHED_STATES * PUBLISHED_SPACING * 16;
    bailey_status status = BAILEY_OK;
    for (uint64_t done = 0; done < w->count && status == BAILEY_OK; done += most) {
        struct words_place piece = *w;
        piece.first += done;
        piece.out_offset += done;
        piece.count = w->count - done < most ? w->count - done : most;
        status = launch_published(context, &piece);
    }
    return status;
}

/* Makes words; everything has been checked. */
static bailey_status make_words(bailey_context *context, const struct words_place *w)
{
    if (is_published(w->random)) return make_published(context, w);
    /* Rows of words stand in the order of the generators. */
    const struct bly_kernel *kernel = &bly_kernels[BLY_KERNEL_bly_words_philox + w->random->generator];
    if (is_philox(w->random->generator)) return launch_philox(context, w, kernel, sizeof(uint32_t));
    return launch_runs(context, w, kernel, BAILEY_RUN_WORDS);
}

bailey_status bly_make_form(bailey_context *context, const bailey_random_params *random,
                            const struct bly_kernel *kernel, const bly_form_params *constants,
                            bailey_precision precision, uint64_t count, bailey_buffer *out,
                            uint64_t out_offset)
{
    const uint64_t per = precision == BAILEY_PRECISION_F64 ? 2 : 1; /* words a number */
    const uint64_t block = bly_block_elements(precision), element = bly_element_bytes(precision);
    const uint64_t words =
        context->device->info.kind == BAILEY_DEVICE_KIND_CPU ? SCRATCH_WORDS_CPU : SCRATCH_WORDS_GPU;
    bailey_status status = BAILEY_OK;
    if (!context->scratch)
        status = bailey_buffer_create(context, (words + 4) * sizeof(uint32_t), &context->scratch);
    for (uint64_t done = 0, piece; done < count && status == BAILEY_OK; done += piece) {
        const uint64_t first = random->offset + done, lead = first % block;
        piece = words / per - lead;
        if (piece > count - done) piece = count - done;
        const struct words_place w = {.random = random,
                                      .first = (first - lead) * per,
                                      .count = (lead + piece + block - 1) / block * block * per,
                                      .out = context->scratch};
        bly_form_params p = *constants;
        p.first = first;
        p.count = piece;
        p.out_offset = out_offset + done;
        status = make_words(context, &w);
        bailey_buffer *const buffers[] = {context->scratch, out};
        if (status == BAILEY_OK)
            status = bly_launch(context, kernel, bly_groups(first, piece, block), 1, &p, sizeof p, buffers,
                                out, p.out_offset * element, piece * element);
    }
    return status;
}

bailey_status bly_check_request(bailey_context *context, const bailey_random_params *random,
                                uint64_t words_each, uint64_t count, const bailey_buffer *out,
                                uint64_t out_offset, uint64_t element)
{
    bailey_status status = bly_check_random(random);
    if (status == BAILEY_OK) status = check_count(random->offset, count);
    if (status != BAILEY_OK) return status;
    if (words_each == 2 && random->offset + (count - 1) > UINT64_MAX / 2)
        return bly_fail_argument("offset",
                                 "offset %llu + count %llu exceeds 2^63, the doubles that 2^64 words make",
                                 (unsigned long long)random->offset, (unsigned long long)count);
    if (is_published(random) && random->generator == BAILEY_GENERATOR_MRG32K3A &&
        !context->device->info.has_f64)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                        "%s has no double precision, which the published sequence of mrg32k3a needs",
                        context->device->info.address);
    return bly_check_buffer(context, out, "out", out_offset, count, element);
}

bailey_status bailey_words_generate(bailey_context *context, const bailey_random_params *params,
                                    uint64_t count, bailey_buffer *out, uint64_t out_offset)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    if (!params) return bly_finish(context, bly_fail_argument("params", "params is NULL"));
    const bailey_status status =
        bly_check_request(context, params, 1, count, out, out_offset, sizeof(uint32_t));
    if (status != BAILEY_OK) return bly_finish(context, status);
    const struct words_place w = {
        .random = params, .first = params->offset, .count = count, .out = out, .out_offset = out_offset};
    return bly_finish(context, make_words(context, &w));
}

/* Kernels that make the same numbers: of Philox, of the warp generator, and of words in memory. */
struct makers {
    int philox, warp, form;
};

/* Numbers by the kernel that draws them at once, where there is one, else through words in memory.
 * Everything has been checked. */
static bailey_status make_numbers(bailey_context *context, const bailey_random_params *random,
                                  struct makers makers, bailey_precision precision, uint64_t count,
                                  bailey_buffer *out, uint64_t out_offset)
{
    struct words_place w = {
        .random = random, .first = random->offset, .count = count, .out = out, .out_offset = out_offset};
    if (random->generator == BAILEY_GENERATOR_PHILOX)
        return launch_philox(context, &w, &bly_kernels[makers.philox], bly_element_bytes(precision));
    if (random->generator == BAILEY_GENERATOR_WARP) {
        /* A double is two words, in the place of two numbers of 32 bits. */
        const uint64_t each = bly_element_bytes(precision) / sizeof(uint32_t);
        w.first *= each;
        w.count *= each;
        w.out_offset *= each;
        return launch_runs(context, &w, &bly_kernels[makers.warp], BAILEY_RUN_WORDS);
    }
    return bly_make_form(context, random, &bly_kernels[makers.form], &(const bly_form_params){0}, precision,
                         count, out, out_offset);
}

bailey_status bailey_uniforms_generate(bailey_context *context, const bailey_random_params *params,
                                       bailey_precision precision, uint64_t count, bailey_buffer *out,
                                       uint64_t out_offset)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    if (!params) return bly_finish(context, bly_fail_argument("params", "params is NULL"));
    const int f64 = precision == BAILEY_PRECISION_F64;
    bailey_status status = bly_check_precision(context, precision);
    if (status == BAILEY_OK)
        status = bly_check_request(context, params, f64 ? 2 : 1, count, out, out_offset,
                                   bly_element_bytes(precision));
    if (status == BAILEY_OK)
        status = make_numbers(context, params,
                              f64 ? (struct makers){BLY_KERNEL_bly_philox_u01_f64,
                                                    BLY_KERNEL_bly_warp_u01_f64, BLY_KERNEL_bly_form_u01_f64}
                                  : (struct makers){BLY_KERNEL_bly_philox_u01_f32,
                                                    BLY_KERNEL_bly_warp_u01_f32, BLY_KERNEL_bly_form_u01_f32},
                              precision, count, out, out_offset);
    return bly_finish(context, status);
}

bailey_random_params bly_words_of(const bailey_normal_params *normal)
{
    return (bailey_random_params){.seed = normal->seed,
                                  .stream = normal->stream,
                                  .offset = normal->offset,
                                  .generator = normal->generator,
                                  .sequence = normal->sequence,
                                  .warp_set = normal->warp_set};
}

bailey_status bailey_normals_generate(bailey_context *context, const bailey_normal_params *params,
                                      uint64_t count, bailey_buffer *out, uint64_t out_offset)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    if (!params) return bly_finish(context, bly_fail_argument("params", "params is NULL"));
    const bailey_random_params random = bly_words_of(params);
    const int wallace = params->method == BAILEY_NORMAL_WALLACE;
    bailey_status status =
        wallace ? check_wallace(context, params) : bly_check_normal(context, params, params->precision);
    const size_t element = bly_element_bytes(params->precision);
    /* Philox draws whole blocks by their number, of which there are enough for 2^64 doubles. */
    const uint64_t words_each =
        params->precision == BAILEY_PRECISION_F64 && params->generator != BAILEY_GENERATOR_PHILOX ? 2 : 1;
    if (status == BAILEY_OK)
        status = bly_check_request(context, &random, words_each, count, out, out_offset, element);
    if (status != BAILEY_OK) return bly_finish(context, status);
    const int draw = bly_draw_of(context, params, params->precision);
    if (wallace) {
        const struct words_place w = {
            .random = &random, .first = random.offset, .count = count, .out = out, .out_offset = out_offset};
        status = launch_runs(context, &w, &bly_kernels[BLY_KERNEL_bly_wallace_f32], BAILEY_WALLACE_RUN);
    } else {
        status = make_numbers(context, &random,
                              (struct makers){BLY_KERNEL_bly_philox_icdf_f32 + draw,
                                              BLY_KERNEL_bly_warp_icdf_f32 + draw,
                                              BLY_KERNEL_bly_form_icdf_f32 + draw},
                              params->precision, count, out, out_offset);
    }
    return bly_finish(context, status);
}
