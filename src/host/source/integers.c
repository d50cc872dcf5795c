/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Filling buffers with integers below n, and with elements of permutations.
 */
#include "source.h"

#include <bailey/integers.h>
#include <host/describe/choices.h>
#include <kernels/integers_items.h>

/* The kernel for integers of `bits` bits: that of 32, or the one after it. */
static const struct bly_kernel *kernel_of(int row, uint32_t bits) { return &bly_kernels[row + (bits == 64)]; }

bailey_status bly_check_integers(const bailey_context *context, uint32_t bits, const char *name,
                                 uint64_t below)
{
    if (bits != 32 && bits != 64)
        return bly_fail_argument("bits", "bits is %lu, not 32 or 64", (unsigned long)bits);
    if (bits == 32 && below > UINT64_C(1) << 32)
        return bly_fail_argument(name, "%s is %llu, beyond 2^32, but integers have 32 bits", name,
                                 (unsigned long long)below);
    return bly_check_precision(context, bits == 64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32);
}

static bailey_status check_elements(uint32_t bits, uint64_t first, uint64_t count)
{
    if (bits == 32 || count == 0 || (first < UINT64_C(1) << 62 && count - 1 < (UINT64_C(1) << 62) - first))
        return BAILEY_OK;
    return bly_fail_argument("first",
                             "first %llu + count %llu exceeds 2^62, the 128-bit elements of 2^64 words",
                             (unsigned long long)first, (unsigned long long)count);
}

static bailey_status make_integers(bailey_context *context, const bailey_source *source, uint32_t bits,
                                   uint64_t least, uint64_t last, const struct bly_place *place)
{
    if (bly_source_kind(source) != BAILEY_SOURCE_KIND_COUNTER)
        return bly_make_form(context, source, kernel_of(BLY_KERNEL_bly_integers_read_u32, bits),
                             &(const bly_form_params){.scale = last, .shift = least}, NULL, 2 * bits, place);
    const bly_integers_params p = {.stream = source->stream,
                                   .first = place->first,
                                   .count = place->count,
                                   .out_offset = place->out_offset,
                                   .least = least,
                                   .last = last,
                                   .keys = bailey_philox_keys_of(source->seed),
                                   .rounds = bly_source_rounds(source)};
    bailey_buffer *buffers[] = {place->out};
    return bly_launch(context, kernel_of(BLY_KERNEL_bly_integers_drawn_u32, bits),
                      bly_groups(place->first, place->count, 128 / bits), 1, &p, sizeof p, buffers,
                      place->out, place->out_offset * bits / 8, place->count * bits / 8);
}

bailey_status bailey_integers_generate(bailey_context *context, const bailey_source *source, uint32_t bits,
                                       uint64_t least, uint64_t below, uint64_t first, uint64_t count,
                                       bailey_buffer *out, uint64_t out_offset)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    const struct bly_place place = bly_one_row(first, count, out, out_offset);
    bailey_status status = source ? bly_check_integers(context, bits, "below", below)
                                  : bly_fail_argument("source", "source is NULL");
    if (status == BAILEY_OK) status = check_elements(bits, first, count);
    if (status == BAILEY_OK) status = bly_check_request(context, source, 2, &place, bits / 8);
    if (status == BAILEY_OK) status = make_integers(context, source, bits, least, below - 1, &place);
    return bly_finish(context, status);
}

static bailey_status check_permutation(bailey_context *context, const bailey_source *source, uint32_t bits,
                                       uint64_t below, const struct bly_place *place)
{
    if (!source) return bly_fail_argument("source", "source is NULL");
    bailey_status status = bly_check_integers(context, bits, "below", below);
    if (status != BAILEY_OK) return status;
    if (source->generator != BAILEY_GENERATOR_PHILOX)
        return bly_fail_argument("generator", "generator is %s, but permutations have keys of philox",
                                 bailey_generator_name(source->generator));
    status = bailey_source_check(source, NULL);
    if (status != BAILEY_OK) return status;
    if (below == 0 || below > BAILEY_PERMUTATION_MAX)
        return bly_fail_argument("below", "below is %llu; a permutation has from 1 to 2^48 elements",
                                 (unsigned long long)below);
    if (place->count == 0) return bly_fail_argument("count", "count is 0, at least 1");
    if (place->count > below || place->first > below - place->count)
        return bly_fail_argument("first", "first %llu + count %llu exceeds below, %llu",
                                 (unsigned long long)place->first, (unsigned long long)place->count,
                                 (unsigned long long)below);
    return bly_check_buffer(context, place->out, "out", place->out_offset, place->count, bits / 8);
}

bailey_status bailey_permutation_generate(bailey_context *context, const bailey_source *source, uint32_t bits,
                                          uint64_t below, uint64_t first, uint64_t count, bailey_buffer *out,
                                          uint64_t out_offset)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    BLY_ENTER(context);
    const struct bly_place place = bly_one_row(first, count, out, out_offset);
    bailey_status status = check_permutation(context, source, bits, below, &place);
    if (status != BAILEY_OK) return bly_finish(context, status);
    const bly_permutation_params p = {.first = first,
                                      .count = count,
                                      .out_offset = out_offset,
                                      .permutation =
                                          bailey_permutation_of(source->seed, source->stream, below)};
    bailey_buffer *buffers[] = {out};
    status = bly_launch(context, kernel_of(BLY_KERNEL_bly_permutation_u32, bits),
                        bly_groups(first, count, 128 / bits), 1, &p, sizeof p, buffers, out,
                        out_offset * bits / 8, count * bits / 8);
    return bly_finish(context, status);
}
