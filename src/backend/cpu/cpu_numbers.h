/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How rows of Philox, and doubles of the warp generator, are made on a processor: a block of words first, in
 * memory that stays in the nearest cache, then numbers of them. Words want vectors of 32-bit lanes and two
 * packs side by side, doubles want vectors of 64-bit lanes; both in one loop fit neither the registers nor
 * the window in which a processor looks for work. Part of cpu_kernels.c.
 */
#ifndef BLY_CPU_NUMBERS_H
#define BLY_CPU_NUMBERS_H

extern const struct bly_cpu_kernel BLY_CPU_TABLE(BLY_ISA, 4)[], BLY_CPU_TABLE(BLY_ISA, 8)[];

/* ---- Words of Philox ------------------------------------------------------------------------- */

/* Two packs from element `begin` on, which begins a block. */
BAILEY_FN void bly_two_packs(int rounds, const bly_fill_params *p, bailey_uint32 *out, uint64_t begin)
{
    bailey_philox_block b[2];
    for (uint64_t i = 0; i < 2; i++)
        b[i] = bailey_philox_counters(p->stream, bailey_splat_u64((begin >> 2) + i * BAILEY_LANES) +
                                                     bailey_lane_numbers());
    bailey_philox_run(2, rounds, 0, b, p->keys);
    for (int i = 0; i < 2; i++) {
        bailey_pack_u32 x;
        for (int j = 0; j < 4; j++) x.value[j] = b[i].word[j];
        bailey_store_whole_u32(out + i * BAILEY_PACK32, bailey_zip_u32(x));
    }
}

/* Packs from number `first` on, as many of those before `last` as hold nothing but what is needed, in pairs.
 * Returns the first that is left for items: where the row begins within a block, all. */
BAILEY_FN uint64_t bly_counter_words(int rounds, const bly_fill_params *p, uint32_t *out, uint64_t first,
                                     uint64_t last, uint64_t row)
{
    const uint64_t from = p->first + row * p->row_elements, lead = from & 3;
    if (p->out_stride != 1 || (first == 0 && lead > 0)) return first;
    for (; last - first >= 2; first += 2) {
        const uint64_t at = first * BAILEY_PACK32 - lead; /* from the first word of the row */
        if (at >= p->count || p->count - at < 2 * BAILEY_PACK32) break;
        bly_two_packs(rounds, p, out + (p->out_offset + row * p->out_row + at), from + at);
    }
    return first;
}

/* ---- Numbers of words ------------------------------------------------------------------------ */

#define BLY_BLOCK_WORDS 2048
#define BLY_FORM_U01 (BLY_LANE_BYTES == 4 ? BLY_KERNEL_bly_form_u01_f32 : BLY_KERNEL_bly_form_u01_f64)

/* Form rows are in the order of those that draw. */
struct bly_form {
    int row;
    uint32_t words; /* per number */
    uint32_t block; /* numbers of a block of the row's */
    int tables;     /* whether a table comes before the output */
};
static struct bly_form bly_form_of_row(int offset)
{
    return (struct bly_form){BLY_KERNEL_bly_form_u01_f32 + offset, BLY_LANE_BYTES / 4, 16 / BLY_LANE_BYTES,
                             offset > BLY_KERNEL_bly_form_u01_f64 - BLY_KERNEL_bly_form_u01_f32};
}

/* Whether a form row stands for the row of Philox: of floats from words of 64 bits, and of 16 bits, none
 * does. */
static int bly_has_form(int number)
{
    return number < BLY_KERNEL_bly_mixed_counter_icdf_f32 ||
           (number >= BLY_KERNEL_bly_mixed_counter_icdf_f64 && number < BLY_KERNEL_bly_halves_u01);
}

/* The form of a row of Philox, and the row of its words. */
static struct bly_form bly_form_of_counter(int number, const bly_fill_params *p, int *words)
{
    if (number >= BLY_KERNEL_bly_counter_discrete_f32 && number <= BLY_KERNEL_bly_counter_tabled_f64) {
        *words = p->rounds == 7 ? BLY_KERNEL_bly_words_philox7 : BLY_KERNEL_bly_words_philox;
        return (struct bly_form){BLY_KERNEL_bly_discrete_f32 + number - BLY_KERNEL_bly_counter_discrete_f32,
                                 BLY_LANE_BYTES / 4, 16 / BLY_LANE_BYTES, 1};
    }
    const int seven = number >= BLY_KERNEL_bly_philox7_u01_f32;
    *words = seven ? BLY_KERNEL_bly_words_philox7 : BLY_KERNEL_bly_words_philox;
    if (number < BLY_KERNEL_bly_mixed_counter_icdf_f32)
        return bly_form_of_row(number -
                               (seven ? BLY_KERNEL_bly_philox7_u01_f32 : BLY_KERNEL_bly_philox_u01_f32));
    if (p->rounds != 7) *words = BLY_KERNEL_bly_words_philox;
    return (struct bly_form){BLY_KERNEL_bly_mixed_icdf_f64 + number - BLY_KERNEL_bly_mixed_counter_icdf_f64,
                             1, 2, 1};
}

/* `count` normals by inverse CDF of words in memory, wide ones of 64 bits, in two passes, for a count of
 * whole vectors, where there is a way to (BLY_AT_ONCE). */
#if (BLY_LANE_BYTES == 8 && defined(BAILEY_ICDF_FINDS_F64)) ||                                               \
    (BLY_LANE_BYTES == 4 && defined(BAILEY_ICDF_AT_ONCE_F32))
#define BLY_AT_ONCE 1
static void bly_normals_at_once(const void *table, const uint32_t *words, int wide, void *out,
                                uint64_t offset, uint64_t count)
{
#if BLY_LANE_BYTES == 4
    (void)wide;
    bailey_normals_icdf_f32(table, words, (float *)out + offset, count);
#else
    if (wide)
        bailey_normals_icdf_f64(table, words, 1, (double *)out + offset, count);
    else
        bailey_normals_icdf_f64(table, words, 0, (double *)out + offset, count);
#endif
}
/* Whether a form row makes such normals of the usual words, and whether of words of 32 bits doubles. */
static int bly_is_icdf(int row)
{
    return row == (BLY_LANE_BYTES == 4 ? BLY_KERNEL_bly_form_icdf_f32 : BLY_KERNEL_bly_form_icdf_f64);
}
static int bly_is_mixed(int row) { return BLY_LANE_BYTES == 8 && row == BLY_KERNEL_bly_mixed_icdf_f64; }
#endif

/* `count` uniform numbers, as many as whole packs have, of words in memory; returns how many. Vector by
 * vector, as in packs.h. */
static uint64_t bly_uniforms_at_once(const uint32_t *words, void *buffer, uint64_t offset, uint64_t count)
{
    uint64_t i = 0;
#if BLY_LANE_BYTES == 4
    float *const out = (float *)buffer + offset;
    for (; count - i >= BAILEY_PACK32; i += BAILEY_PACK32) {
        bailey_philox_block w;
        BAILEY_UNROLL for (int j = 0; j < 4; j++) w.word[j] =
            bailey_vector_get_u32(words + i + j * BAILEY_LANES);
        const bailey_pack_f32 y = bly_numbers_of_words_f32(BAILEY_DRAW_UNIFORM, 0, w);
        BAILEY_UNROLL for (int j = 0; j < 4; j++)
            bailey_vector_put_f32(out + i + j * BAILEY_LANES, y.value[j]);
    }
#else
    const uint64_t *const elements = (const uint64_t *)words;
    double *const out = (double *)buffer + offset;
    for (; count - i >= BAILEY_PACK64; i += BAILEY_PACK64) {
        const bailey_pack_f64 y =
            bly_numbers_of_elements_f64(BAILEY_DRAW_UNIFORM, 0, bailey_vector_get_u64(elements + i),
                                        bailey_vector_get_u64(elements + i + BAILEY_LANES));
        bailey_vector_put_f64(out + i, y.value[0]);
        bailey_vector_put_f64(out + i + BAILEY_LANES, y.value[1]);
    }
#endif
    return i;
}

/* As many of the numbers as whole vectors can make at once; returns how many. */
static uint64_t bly_numbers_at_once(struct bly_form form, const bly_form_params *p, const uint32_t *words,
                                    void *const *buffers)
{
    words += p->first % (4 / form.words) * form.words;
    if (p->out_stride != 1) return 0;
    if (form.row == BLY_FORM_U01) return bly_uniforms_at_once(words, buffers[0], p->out_offset, p->count);
#if defined(BLY_AT_ONCE)
    const uint64_t count = p->count / BAILEY_LANES * BAILEY_LANES;
    const int usual = bly_is_icdf(form.row);
    if (!usual && !bly_is_mixed(form.row)) return 0;
    bly_normals_at_once(buffers[0], words, usual, buffers[1], p->out_offset, count);
    return count;
#else
    return 0;
#endif
}

/* Numbers p.first ... of the words, which begin with the block that the first of them is in. */
static void bly_numbers_of(struct bly_form form, const bly_form_params *given, uint32_t *words,
                           void *const *buffers)
{
    const struct bly_cpu_kernel *kernel = &BLY_CPU_TABLE(BLY_ISA, BLY_LANE_BYTES)[form.row];
    const uint64_t block = form.block, pack = block * kernel->lanes;
    const uint64_t done = bly_numbers_at_once(form, given, words, buffers);
    bly_form_params p = *given;
    p.first += done;
    p.count -= done;
    p.out_offset += done;
    void *const from = words + (given->first % (4 / form.words) + done) / block * block * form.words;
    void *const normal[] = {from, buffers[0], buffers[form.tables]}, *const uniform[] = {from, buffers[0]};
    if (p.count)
        kernel->function(&p, form.tables ? normal : uniform, 0, (p.first % block + p.count + pack - 1) / pack,
                         0);
}

/* A row of Philox. Returns whether its words have numbers below 2^64: doubles have more. */
static int bly_counter_numbers(int number, const bly_fill_params *p, void *const *buffers, uint64_t first,
                               uint64_t last, uint64_t row)
{
    int words_row;
    const struct bly_form form = bly_form_of_counter(number, p, &words_row);
    const struct bly_cpu_kernel *kernel = &BLY_CPU_TABLE(BLY_ISA, 4)[words_row];
    const uint64_t block = 4 / form.words, most = BLY_BLOCK_WORDS / form.words; /* of Philox, in numbers */
    _Alignas(64) uint32_t words[BLY_BLOCK_WORDS];
    void *const to[] = {words};
    /* Numbers count from the row's block that holds the first of them. */
    const uint64_t from = p->first + row * p->row_elements, lead = from % form.block, all = lead + p->count;
    uint64_t at = first * BAILEY_LANES * form.block, end = last * BAILEY_LANES * form.block;
    if (from > UINT64_MAX / 4 || all > UINT64_MAX / 4) return 0;
    if (end > all) end = all;
    for (uint64_t next; at < end; at = next) {
        const uint64_t before = (from - lead + at) % block; /* numbers of the block that are not needed */
        next = before + (end - at) < most ? end : at + (most - before);
        const uint64_t low = at < lead ? lead : at;
        const bly_fill_params w = {.stream = p->stream,
                                   .keys = p->keys,
                                   .first = (from - lead + at - before) * form.words,
                                   .count = (before + (next - at) + block - 1) / block * 4,
                                   .out_stride = 1};
        kernel->function(&w, to, 0, (w.count / 4 + kernel->lanes - 1) / kernel->lanes, 0);
        const bly_form_params f = {.first = from - lead + low,
                                   .count = next - low,
                                   .in_row = 64,
                                   .out_offset =
                                       p->out_offset + row * p->out_row + (low - lead) * p->out_stride,
                                   .out_stride = p->out_stride,
                                   .scale = 0x3ff0000000000000, /* 1, for words of the other width */
                                   .integers = p->integers};
        bly_numbers_of(form, &f, words, buffers);
    }
    return 1;
}

/* Items first .. last - 1 of a row that makes normals of words in memory, as many as whole vectors can make
 * at once, where there is a way to. Returns the first that is left. */
static uint64_t bly_form_at_once(int number, const void *params, void *const *buffers, uint64_t first,
                                 uint64_t last, uint64_t row)
{
#if defined(BLY_AT_ONCE)
    const uint64_t pack = 16 / BLY_LANE_BYTES * BAILEY_LANES, begin = first * pack;
    const int usual = bly_is_icdf(number);
    bly_form_params p;
    if (!usual && !bly_is_mixed(number)) return first;
    memcpy(&p, params, sizeof p);
    const int standard = usual || (p.scale == 0x3ff0000000000000 && p.shift == 0 && !p.exponential);
    if (!standard || p.first % (16 / BLY_LANE_BYTES) || (p.in_row && p.out_stride != 1) || begin >= p.count)
        return first;
    const uint64_t items = (last * pack < p.count ? last * pack - begin : p.count - begin) / pack;
    const uint32_t *const from =
        (const uint32_t *)buffers[0] + (row * p.in_row + begin) * (usual ? BLY_LANE_BYTES / 4 : 1);
    bly_normals_at_once(buffers[1], from, usual, buffers[2], p.out_offset + row * p.out_row + begin,
                        items * pack);
    return first + items;
#else
    (void)number, (void)params, (void)buffers, (void)last, (void)row;
    return first;
#endif
}

#if BLY_LANE_BYTES == 8
/* The numbers of segments of the warp generator, whose places and counts are of words. */
static void bly_segment_numbers(struct bly_form form, const void *params, void *const *buffers,
                                uint64_t first, uint64_t last)
{
    _Alignas(64) uint32_t words[BAILEY_RUN_WORDS];
    void *const to[] = {words};
    bly_segment_params p;
    memcpy(&p, params, sizeof p);
    for (uint64_t group = first; group < last; group++) {
        const bly_segment segment = bly_generator_segment(p, group, 1);
        bly_segment_params w = p;
        w.first = segment.number * BAILEY_RUN_WORDS;
        w.count = (segment.high + 3) / 4 * 4; /* whole blocks */
        w.out_offset = w.row_segments = 0;
        BLY_CPU_TABLE(BLY_ISA, 4)[BLY_KERNEL_bly_words_warp].function(&w, to, 0, 1, 0);
        const bly_form_params f = {.first = segment.low / form.words,
                                   .count = (segment.high - segment.low) / form.words,
                                   .in_row = 64,
                                   .out_offset = (segment.at + segment.low) / form.words,
                                   .out_stride = 1};
        bly_numbers_of(form, &f, words + segment.low / 4 * 4, buffers);
    }
}
#endif

#endif
