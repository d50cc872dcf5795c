/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Filling buffers with floats of 16 bits: of Philox at once, else by way of floats in scratch memory.
 */
#include "source.h"

#include <bailey/halves.h>
#include <host/describe/choices.h>
#include <kernels/halves_items.h>

static bailey_status check_half(bailey_half half)
{
    if (half == BAILEY_HALF_FLOAT16 || half == BAILEY_HALF_BFLOAT16) return BAILEY_OK;
    return bly_fail_argument("half", "half is %d, not a bailey_half", (int)half);
}

/* Numbers of a source of kind COUNTER, in registers: uniforms, or normals by the inverse CDF. */
static bailey_status draw_halves(bailey_context *context, const bailey_source *source, bailey_half half,
                                 int uniform, const struct bly_place *place)
{
    const bly_fill_params p = {.stream = source->stream,
                               .first = place->first,
                               .count = place->count,
                               .out_offset = place->out_offset,
                               .out_stride = 1,
                               .keys = bailey_philox_keys_of(source->seed),
                               .rounds = bly_source_rounds(source),
                               .integers = half == BAILEY_HALF_BFLOAT16};
    bailey_buffer *table = NULL;
    if (!uniform) {
        const bailey_status status = bly_normal_table(context, BAILEY_PRECISION_F32, &table);
        if (status != BAILEY_OK) return status;
    }
    bailey_buffer *const alone[] = {place->out}, *const both[] = {table, place->out};
    return bly_launch(context, &bly_kernels[uniform ? BLY_KERNEL_bly_halves_u01 : BLY_KERNEL_bly_halves_icdf],
                      bly_groups(place->first, place->count, 4), 1, &p, sizeof p, uniform ? alone : both,
                      place->out, p.out_offset * sizeof(bly_half_bits), p.count * sizeof(bly_half_bits));
}

static bailey_status round_floats(bailey_context *context, bailey_half half, int uniform, bailey_buffer *in,
                                  uint64_t in_offset, uint64_t count, bailey_buffer *out, uint64_t out_offset)
{
    const bly_halves_params p = {.first = in_offset,
                                 .count = count,
                                 .out_offset = out_offset,
                                 .brain = half == BAILEY_HALF_BFLOAT16,
                                 .uniform = (uint64_t)uniform};
    bailey_buffer *const buffers[] = {in, out};
    return bly_launch(context, &bly_kernels[BLY_KERNEL_bly_halves_rounded], bly_groups(0, count, 4), 1, &p,
                      sizeof p, buffers, out, out_offset * sizeof(bly_half_bits),
                      count * sizeof(bly_half_bits));
}

/* A request for numbers: of `normal`, or uniform where that is NULL. */
struct request {
    const bailey_source *source;
    const bailey_normal_params *normal;
    uint32_t word_bits;
    bailey_half half;
    const struct bly_place *place;
};

static bailey_status make_floats(bailey_context *context, const struct request *r, uint64_t first,
                                 uint64_t count, bailey_buffer *to)
{
    if (r->normal) return bailey_normals_generate(context, r->source, r->normal, first, count, to, 0);
    return bailey_uniforms_generate(context, r->source, BAILEY_PRECISION_F32, r->word_bits, first, count, to,
                                    0);
}

static bailey_status make_by_floats(bailey_context *context, const struct request *r)
{
    const struct bly_place *place = r->place;
    bailey_buffer *scratch = NULL;
    uint64_t most;
    bailey_status status = bly_take_words(context, &most, &scratch);
    for (uint64_t done = 0, count; done < place->count && status == BAILEY_OK; done += count) {
        count = place->count - done < most ? place->count - done : most;
        status = make_floats(context, r, place->first + done, count, scratch);
        if (status == BAILEY_OK)
            status = round_floats(context, r->half, !r->normal, scratch, 0, count, place->out,
                                  place->out_offset + done);
    }
    bly_pool_release(scratch);
    return status;
}

static bailey_status make_halves(bailey_context *context, const struct request *r)
{
    const uint32_t bits = r->normal ? r->normal->word_bits : r->word_bits;
    const int icdf = !r->normal || r->normal->method == BAILEY_NORMAL_METHOD_ICDF;
    if (icdf && bits != 64 && bly_source_kind(r->source) == BAILEY_SOURCE_KIND_COUNTER)
        return draw_halves(context, r->source, r->half, !r->normal, r->place);
    return make_by_floats(context, r);
}

bailey_status bailey_uniforms_generate_half(bailey_context *context, const bailey_source *source,
                                            bailey_half half, uint32_t word_bits, uint64_t first,
                                            uint64_t count, bailey_buffer *out, uint64_t out_offset)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    const struct bly_place place = bly_one_row(first, count, out, out_offset);
    const struct request r = {.source = source, .word_bits = word_bits, .half = half, .place = &place};
    bailey_status status = check_half(half);
    if (status == BAILEY_OK) status = bly_check_bits(word_bits);
    if (status == BAILEY_OK)
        status = bly_check_request(context, source, word_bits == 64 ? 2 : 1, &place, sizeof(bly_half_bits));
    if (status == BAILEY_OK) status = make_halves(context, &r);
    return bly_finish(context, status);
}

bailey_status bailey_normals_generate_half(bailey_context *context, const bailey_source *source,
                                           const bailey_normal_params *normal, bailey_half half,
                                           uint64_t first, uint64_t count, bailey_buffer *out,
                                           uint64_t out_offset)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    if (!source) return bly_finish(context, bly_fail_argument("source", "source is NULL"));
    if (!normal) normal = &bly_default_normal;
    const struct bly_place place = bly_one_row(first, count, out, out_offset);
    const struct request r = {.source = source, .normal = normal, .half = half, .place = &place};
    bailey_status status = check_half(half);
    if (status == BAILEY_OK && normal->precision != BAILEY_PRECISION_F32)
        status =
            bly_fail_argument("precision", "precision is %s, but normals of 16 bits are rounded from f32",
                              BLY_CHOICE_WORD(PRECISIONS, normal->precision));
    if (status == BAILEY_OK && normal->method != BAILEY_NORMAL_METHOD_WALLACE)
        status = bly_check_normal(context, normal, BAILEY_PRECISION_F32);
    if (status == BAILEY_OK) status = bly_check_request(context, source, 1, &place, sizeof(bly_half_bits));
    if (status == BAILEY_OK) status = make_halves(context, &r);
    return bly_finish(context, status);
}

bailey_status bailey_halves_round(bailey_context *context, bailey_half half, bailey_buffer *in,
                                  uint64_t in_offset, uint64_t count, bailey_buffer *out, uint64_t out_offset)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    bailey_status status = check_half(half);
    if (status == BAILEY_OK && count == 0) status = bly_fail_argument("count", "count is 0, at least 1");
    if (status == BAILEY_OK) status = bly_check_buffer(context, in, "in", in_offset, count, sizeof(float));
    if (status == BAILEY_OK)
        status = bly_check_buffer(context, out, "out", out_offset, count, sizeof(bly_half_bits));
    if (status == BAILEY_OK)
        status = bly_check_apart(in, "in", (in_offset + count) * sizeof(float), out, "out",
                                 (out_offset + count) * sizeof(bly_half_bits));
    if (status == BAILEY_OK) status = round_floats(context, half, 0, in, in_offset, count, out, out_offset);
    return bly_finish(context, status);
}
