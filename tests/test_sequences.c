/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Every generator on a device against a plain reference that follows the order contract word by word
 * (bailey/device/run.h), whole runs and parts of them; published sequences against states stepped one by one;
 * uniforms and normals of every generator; cutting, saving and restoring.
 */
#include "harness.h"

#include <host/source/source.h>

#include <bailey/device/draw.h>
#include <bailey/device/generators.h>
#include <bailey/device/run.h>
#include <bailey/device/warp_sets.h>

enum { RUN = BAILEY_RUN_WORDS };

/* ---- The reference ---------------------------------------------------------------------------- */

static uint32_t mulhi(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)a * b >> 32); }

static void reference_warp(const bailey_source *source, uint64_t run, uint32_t *words)
{
    const int published = source->generator == BAILEY_GENERATOR_WARP_ADD;
    const uint32_t *taps = bailey_warp_sets[published ? BAILEY_WARP_PUBLISHED : source->warp_set];
    uint32_t s[32], next[32];
    for (uint32_t i = 0; i < 32; i++)
        s[i] = bailey_run_hash((uint32_t)source->generator, source->seed, source->stream, run, i / 4)
                   .word[i % 4];
    for (int step = 0; step < BAILEY_RUN_STEPS; step++) {
        for (uint32_t i = 0; i < 32; i++) {
            const uint32_t t0 = s[taps[i] & 0xff], t1 = s[taps[i] >> 8 & 0xff];
            next[i] = t0 << (published ? 2 : 3) ^ t1 >> (taps[i] >> 16);
            words[step / 4 * 128 + (int)i * 4 + step % 4] =
                published ? t0 + t1 : (t0 * 0x9E3779B9u + t1) ^ mulhi(t0, 0x9E3779B9u);
        }
        memcpy(s, next, sizeof s);
    }
}

/* The textbook's loop over a block of 624. */
struct mt {
    uint32_t y[624], at;
};
static uint32_t mt_next(struct mt *g)
{
    if (g->at == 624) {
        for (int i = 0; i < 624; i++) {
            const uint32_t y = (g->y[i] & 0x80000000u) | (g->y[(i + 1) % 624] & 0x7fffffffu);
            g->y[i] = g->y[(i + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
        }
        g->at = 0;
    }
    uint32_t y = g->y[g->at++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}

/* The 8192 words of a run. */
static void reference_run(const bailey_source *source, uint64_t run, uint32_t *words)
{
    switch (source->generator) {
    case BAILEY_GENERATOR_PHILOX:
    case BAILEY_GENERATOR_PHILOX7:
        for (uint32_t i = 0; i < RUN; i++)
            words[i] = bailey_philox_words4_rounds(source->generator == BAILEY_GENERATOR_PHILOX ? 10 : 7,
                                                   source->seed, source->stream, run * (RUN / 4) + i / 4)
                           .word[i % 4];
        break;
    case BAILEY_GENERATOR_WARP:
    case BAILEY_GENERATOR_WARP_ADD: reference_warp(source, run, words); break;
    case BAILEY_GENERATOR_MT19937: {
        struct mt g = {.at = 624};
        for (uint32_t i = 0; i < 624; i++)
            g.y[i] = bailey_run_hash(8, source->seed, source->stream, run, i / 4).word[i % 4];
        for (uint32_t i = 0; i < RUN; i++) words[i] = mt_next(&g);
        break;
    }
#define COUNTER(number, word)
#define TEAM(number, word)
#define LANES(number, word)                                                                                  \
    case number:                                                                                             \
        for (uint32_t lane = 0; lane < 32; lane++) {                                                         \
            bailey_##word g = bailey_##word##_start(source->seed, source->stream, run, lane);                \
            for (uint32_t step = 0; step < BAILEY_RUN_STEPS; step++)                                         \
                words[step / 4 * 128 + lane * 4 + step % 4] = bailey_##word##_next(&g);                      \
        }                                                                                                    \
        break;
#define ROW(number, name, word, kind, published, text, verdict, period) kind(number, word)
        BAILEY_GENERATOR_LIST(ROW)
#undef ROW
#undef LANES
#undef TEAM
#undef COUNTER
    default: fail_msg("%s has no runs", bailey_generator_name(source->generator));
    }
}

static uint32_t *reference_words(const bailey_source *source, uint64_t first, uint64_t count)
{
    static uint32_t run_words[RUN];
    uint32_t *words = allocate(count * 4);
    uint64_t have = UINT64_MAX;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t run = (first + i) / RUN;
        if (run != have) reference_run(source, have = run, run_words);
        words[i] = run_words[(first + i) % RUN];
    }
    return words;
}

/* ---- Fills ------------------------------------------------------------------------------------ */

static void check_words(const bailey_source *source, uint64_t first, uint64_t count, uint64_t shift,
                        const uint32_t *expected)
{
    char what[200];
    bailey_buffer *buffer = poisoned((shift + count) * 4);
    OK(bailey_words_generate(context, source, first, count, buffer, shift));
    uint32_t *found = harvest(buffer, (shift + count) * 4);
    snprintf(what, sizeof what, "%s set %u, sequence %d, first %llu, %llu words after %llu",
             bailey_generator_name(source->generator), (unsigned)source->warp_set, (int)source->sequence,
             (unsigned long long)first, (unsigned long long)count, (unsigned long long)shift);
    for (uint64_t i = 0; i < shift; i++) assert_int_equal(found[i], 0xA5A5A5A5u);
    same_bits(what, found + shift, expected, count, 4);
    free(found);
}

TEST(test_runs, DEVICE)
{
    static const struct {
        uint64_t first, count, shift;
    } cases[] = {
        {0, 3 * RUN, 0},
        {0, 1, 3},
        {1, 5, 1},
        {RUN - 1, 2, 0},
        {RUN - 130, 700, 2},
        {127, 2, 0},
        {5 * RUN + 4, 2 * RUN, 5},
        {UINT64_C(0x123456789abcd) * RUN + 77, RUN + 1, 4},
        {UINT64_MAX - 300, 301, 1},
    };
    for (int g = 0; g < GENERATORS; g++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            const bailey_source source = {.seed = UINT64_C(0xfedcba9876543210) + c,
                                          .stream = c % 2 ? UINT64_C(0x8000000000000001) : 0,
                                          .generator = (bailey_generator)g};
            uint32_t *expected = reference_words(&source, cases[c].first, cases[c].count);
            check_words(&source, cases[c].first, cases[c].count, cases[c].shift, expected);
            free(expected);
        }
}

/* Beyond word 2^62 too, where runs have numbers of more than 49 bits, no lane is like another. */
TEST(far_runs, DEVICE)
{
    for (int g = BAILEY_GENERATOR_WARP; g < GENERATORS; g++)
        for (int bit = 0; bit < 51; bit++) {
            const bailey_source source = {.seed = 1, .generator = (bailey_generator)g};
            bailey_buffer *buffer = poisoned(128 * 4);
            OK(bailey_words_generate(context, &source, (UINT64_C(1) << bit) * RUN, 128, buffer, 0));
            uint32_t *words = harvest(buffer, 128 * 4);
            for (int a = 0; a < 32; a++)
                for (int b = 0; b < a; b++)
                    if (memcmp(words + 4 * a, words + 4 * b, 16) == 0)
                        fail_msg("%s: lanes %d and %d of run 2^%d are alike",
                                 bailey_generator_name(source.generator), b, a, bit);
            free(words);
        }
}

TEST(test_warp_sets, DEVICE)
{
    for (uint32_t set = 0; set < BAILEY_WARP_SETS; set++) {
        const bailey_source source = {.seed = 9, .generator = BAILEY_GENERATOR_WARP, .warp_set = set};
        uint32_t *expected = reference_words(&source, 0, 2000);
        check_words(&source, 0, 2000, 0, expected);
        free(expected);
    }
}

/* One thread with all 32 words makes the words of its run. */
TEST(warp_own, DEVICE)
{
    static uint32_t words[RUN];
    const bailey_source source = {.seed = 21, .stream = 22, .generator = BAILEY_GENERATOR_WARP};
    reference_run(&source, 23, words);
    bailey_warp_own g = bailey_warp_own_start(21, 22, 23);
    for (int step = 0; step < BAILEY_RUN_STEPS; step++) {
        uint32_t out[32];
        bailey_warp_own_next(&g, out);
        for (int i = 0; i < 32; i++) assert_int_equal(out[i], words[step / 4 * 128 + i * 4 + step % 4]);
    }
}

/* ---- Published sequences ---------------------------------------------------------------------- */

/* Words from the state s, whose members are the words of a published state. */
#define DRAWN(type, next)                                                                                    \
    {                                                                                                        \
        type g;                                                                                              \
        memcpy(&g, s, sizeof g);                                                                             \
        for (uint64_t i = 0; i < count; i++) words[i] = next(&g);                                            \
        return words;                                                                                        \
    }

/* From one state, found for the first word. */
static uint32_t *reference_published(const bailey_source *source, uint64_t first, uint64_t count)
{
    if (bly_published_words(source->generator) == 0) /* a counter's */
        return reference_words(source, first, count);
    uint32_t *words = allocate(count * 4), s[BLY_PUBLISHED_MOST_WORDS];
    OK(bly_published_states(source, first, 0, 1, s));
    if (source->generator == BAILEY_GENERATOR_MRG32K3A) DRAWN(bailey_mrg32k3a, bailey_mrg32k3a_next_curand)
    switch (source->generator) {
#define NONE(word) break;
#define STATES(word) DRAWN(bailey_##word, bailey_##word##_next)
#define TEAM(word) DRAWN(struct mt, mt_next)
#define ROW(number, name, word, kind, published, text, verdict, period)                                      \
    case BAILEY_GENERATOR_##name: published(word)
        BAILEY_GENERATOR_LIST(ROW)
    default: break;
#undef ROW
#undef TEAM
#undef STATES
#undef NONE
    }
    fail_msg("%s has no published sequence", bailey_generator_name(source->generator));
    return words;
}

/* A published sequence of that generator: of seed 12345 and that stream if it has them. Returns 0 where it
 * has none. */
static int published_source(int generator, uint64_t stream, bailey_source *source)
{
    const bailey_source tried[] = {{.seed = 12345, .stream = stream}, {.seed = 12345}, {0}};
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        *source = tried[i];
        source->generator = (bailey_generator)generator;
        source->sequence = BAILEY_SEQUENCE_PUBLISHED;
        if (bailey_source_check(source, NULL) == BAILEY_OK) return 1;
    }
    return 0;
}

TEST(test_published, DEVICE | LONG_ON_OPENCL)
{
    enum {
#define STATES +1
#define TEAM +1
#define NONE
#define ROW(number, name, word, kind, published, text, verdict, period) published
        WITH_STATES = 0 BAILEY_GENERATOR_LIST(ROW)
#undef ROW
#undef NONE
#undef TEAM
#undef STATES
    };
    static const struct {
        uint64_t first, count, shift;
    } cases[] = {{0, 1, 0}, {0, 5000, 1}, {623, 3, 0}, {1000003, 70001, 2}, {UINT64_C(1) << 60, 40000, 0}};
    int with_states = 0;
    bailey_source source;
    for (int g = 0; g < GENERATORS; g++) {
        if (!published_source(g, 0, &source)) continue;
        with_states += bly_published_words(source.generator) > 0;
        if (g == BAILEY_GENERATOR_MRG32K3A && !device.has_f64) continue;
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            assert_true(published_source(g, c, &source));
            uint32_t *expected = reference_published(&source, cases[c].first, cases[c].count);
            check_words(&source, cases[c].first, cases[c].count, cases[c].shift, expected);
            free(expected);
        }
    }
    assert_int_equal(with_states, WITH_STATES);
    /* Published values: std::mt19937 and std::minstd_rand0 (C++11, [rand.predef]), the 10,000th value. */
    source = (bailey_source){
        .seed = 5489, .generator = BAILEY_GENERATOR_MT19937, .sequence = BAILEY_SEQUENCE_PUBLISHED};
    check_words(&source, 9999, 1, 0, &(const uint32_t){4123659995u});
    source.generator = BAILEY_GENERATOR_PARK_MILLER;
    source.seed = 1;
    check_words(&source, 9999, 1, 0, &(const uint32_t){1043618065u << 1});
}

/* ---- Forms ------------------------------------------------------------------------------------ */

static void check_form(bailey_generator generator, int method, bailey_precision precision, uint64_t first,
                       uint64_t count)
{
    const int f64 = precision == BAILEY_PRECISION_F64;
    const uint64_t block = f64 ? 2 : 4, lead = first % block, shift = count % 3;
    const size_t element = f64 ? 8 : 4;
    const bailey_source source = {.seed = 7, .stream = 8, .generator = generator};
    const bailey_normal_params normal = {.method = method < 0 ? BAILEY_NORMAL_METHOD_ICDF
                                                              : (bailey_normal_method)method,
                                         .precision = precision};
    const uint64_t total = (lead + count + block - 1) / block * block;
    uint32_t *words = reference_words(&source, (first - lead) * (f64 ? 2 : 1), total * (f64 ? 2 : 1));
    double *d = allocate(total * 8);
    float *s = allocate(total * 4);
    for (uint64_t i = 0; i < total; i += block) {
        bailey_philox_block w;
        if (f64) {
            const uint64_t u0 = words[2 * i] | (uint64_t)words[2 * i + 1] << 32,
                           u1 = words[2 * i + 2] | (uint64_t)words[2 * i + 3] << 32;
            const bailey_pack_f64 x =
                bailey_normals_of_elements_f64(method < 0 ? 0 : method, TABLE_F64, u0, u1);
            d[i] = method < 0 ? ((double)(u0 >> 12) + 0.5) * 0x1p-52 : x.value[0];
            d[i + 1] = method < 0 ? ((double)(u1 >> 12) + 0.5) * 0x1p-52 : x.value[1];
            continue;
        }
        memcpy(w.word, words + i, sizeof w.word);
        const bailey_pack_f32 x = bailey_normals_of_words_f32(method < 0 ? 0 : method, TABLE_F32, w);
        for (int j = 0; j < 4; j++)
            s[i + (uint64_t)j] = method < 0 ? ((float)(w.word[j] >> 9) + 0.5f) * 0x1p-23f : x.value[j];
    }
    bailey_buffer *buffer = poisoned((shift + count) * element);
    if (method < 0)
        OK(bailey_uniforms_generate(context, &source, precision, 0, first, count, buffer, shift));
    else
        OK(bailey_normals_generate(context, &source, &normal, first, count, buffer, shift));
    unsigned char *found = harvest(buffer, (shift + count) * element);
    char what[100];
    snprintf(what, sizeof what, "%s, method %d, f%d, first %llu", bailey_generator_name(generator), method,
             f64 ? 64 : 32, (unsigned long long)first);
    same_bits(what, found + shift * element, f64 ? (void *)(d + lead) : (void *)(s + lead), count, element);
    free(found);
    free(words);
    free(d);
    free(s);
}

TEST(forms, DEVICE | LONG_ON_OPENCL)
{
    for (int g = 0; g < GENERATORS; g++)
        for (int method = -1; method < 2; method++)
            for (int f64 = 0; f64 <= (device.has_f64 ? 1 : 0); f64++) {
                const bailey_precision precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
                check_form((bailey_generator)g, method, precision, 0, 1);
                check_form((bailey_generator)g, method, precision, 8191, 4101);
                /* Whole runs, and packs, at addresses that vectors want. */
                check_form((bailey_generator)g, method, precision, 8190, f64 ? 17001 : 17003);
                check_form((bailey_generator)g, method, precision, UINT64_C(1) << 40 | 2, 259);
                check_form((bailey_generator)g, method, precision, UINT64_MAX / (f64 ? 2 : 1) - 6, 7);
            }
    /* More than the scratch memory holds. */
    check_form(BAILEY_GENERATOR_XORWOW, 1, BAILEY_PRECISION_F32, 3, 5000001);
}

/* ---- Arguments -------------------------------------------------------------------------------- */

static void refused_at(bailey_source source, uint64_t first, const char *word)
{
    bailey_buffer *buffer = poisoned(64);
    assert_int_equal(bailey_words_generate(context, &source, first, 4, buffer, 0), BAILEY_ERROR_INVALID);
    if (!strstr(bailey_error_message(), word))
        fail_msg("'%s' does not name %s", bailey_error_message(), word);
    uint32_t *words = harvest(buffer, 64);
    for (int i = 0; i < 16; i++) assert_int_equal(words[i], 0xA5A5A5A5u);
    free(words);
}

static void refused(bailey_source source, const char *word)
{
    bailey_source_kind kind = (bailey_source_kind)77;
    assert_int_equal(bailey_source_check(&source, &kind), BAILEY_ERROR_INVALID);
    if (!strstr(bailey_error_message(), word))
        fail_msg("'%s' does not name %s", bailey_error_message(), word);
    assert_int_equal(kind, 77);
    refused_at(source, 0, word);
}

TEST(refusals, DEVICE)
{
    const bailey_sequence published = BAILEY_SEQUENCE_PUBLISHED;
    refused((bailey_source){.generator = (bailey_generator)GENERATORS}, "generator");
    refused((bailey_source){.generator = (bailey_generator)-1}, "generator");
    refused((bailey_source){.sequence = (bailey_sequence)2}, "sequence");
    refused((bailey_source){.generator = BAILEY_GENERATOR_WARP, .warp_set = 16}, "warp_set");
    for (int g = 0; g < GENERATORS; g++)
        if (g != BAILEY_GENERATOR_WARP)
            refused((bailey_source){.generator = (bailey_generator)g, .warp_set = 1}, "warp_set");
    refused((bailey_source){.generator = BAILEY_GENERATOR_WARP, .sequence = published}, "warp");
    refused((bailey_source){.generator = BAILEY_GENERATOR_LCG, .sequence = published, .seed = UINT64_MAX},
            "seed");
    refused((bailey_source){.generator = BAILEY_GENERATOR_MT19937, .sequence = published, .stream = 1},
            "stream");
    refused_at((bailey_source){.seed = 1}, UINT64_MAX - 2, "first");
}

/* Generators that compute words from a counter, and generators that step. */
TEST(test_kinds, DEVICE)
{
    static const bailey_source_kind kinds[] = {
#define COUNTER BAILEY_SOURCE_KIND_COUNTER
#define LANES BAILEY_SOURCE_KIND_RUN
#define TEAM BAILEY_SOURCE_KIND_RUN
#define ROW(number, name, word, kind, published, text, verdict, period) kind,
        BAILEY_GENERATOR_LIST(ROW)
#undef ROW
#undef TEAM
#undef LANES
#undef COUNTER
    };
    for (int g = 0; g < GENERATORS; g++) {
        bailey_source source = {.seed = 1, .generator = (bailey_generator)g};
        bailey_source_kind kind = (bailey_source_kind)77;
        OK(bailey_source_check(&source, NULL));
        OK(bailey_source_check(&source, &kind));
        assert_int_equal(kind, kinds[g]);
        kind = (bailey_source_kind)77;
        if (!published_source(g, 0, &source)) continue;
        OK(bailey_source_check(&source, &kind));
        assert_int_equal(kind, kinds[g]);
    }
}

/* ---- Dividing and saving ---------------------------------------------------------------------- */

/* The first parts of `count` words from `first`, and the last one. */
static void check_split(const bailey_source *source, uint64_t first, uint64_t count, uint64_t parts)
{
    uint64_t at = first, least = UINT64_MAX, most = 0, from, n;
    const uint64_t looked = parts < 50 ? parts : 50;
    for (uint64_t part = 0; part < looked; part++) {
        OK(bailey_source_split(source, first, count, parts, part, &from, &n));
        if (n == 0) continue;
        assert_true(from == at);
        if (part > 0) assert_true(from % RUN == 0);
        at += n;
        const uint64_t runs = (from + (n - 1)) / RUN - from / RUN + 1;
        if (runs < least) least = runs;
        if (runs > most) most = runs;
    }
    if (least <= most) assert_true(most - least <= 1);
    if (looked == parts) assert_true(at == first + count);
    OK(bailey_source_split(source, first, count, parts, parts - 1, &from, &n));
    if (n) assert_true(from + n == first + count);
    assert_int_equal(bailey_source_split(source, first, count, parts, parts, &from, &n),
                     BAILEY_ERROR_INVALID);
}

TEST(splits, DEVICE)
{
    static const bailey_source source = {.seed = 1, .generator = BAILEY_GENERATOR_WARP};
    uint64_t random = 11;
    for (int i = 0; i < 2000; i++) {
        const uint64_t count = next_random(&random) >> (next_random(&random) % 64) | 1;
        const uint64_t parts = next_random(&random) % (i % 2 ? 5 : 100000) + 1;
        check_split(&source, next_random(&random) % (UINT64_MAX - (count - 1)), count, parts);
    }
}

TEST(saves, DEVICE)
{
    static const bailey_source source = {
        .seed = 1, .stream = UINT64_C(0x1122334455667788), .generator = BAILEY_GENERATOR_WARP, .warp_set = 3};
    uint8_t bytes[BAILEY_SOURCE_BYTES];
    bailey_source restored = {.seed = 77};
    uint64_t place = 88;
    OK(bailey_source_save(&source, 99, bytes));
    for (int bit = 0; bit < 8 * BAILEY_SOURCE_BYTES; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_int_equal(bailey_source_restore(bytes, sizeof bytes, &restored, &place), BAILEY_ERROR_INVALID);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    for (size_t size = 0; size < sizeof bytes; size++)
        assert_int_equal(bailey_source_restore(bytes, size, &restored, &place), BAILEY_ERROR_INVALID);
    assert_true(restored.seed == 77 && place == 88);
    OK(bailey_source_restore(bytes, sizeof bytes, &restored, &place));
    assert_true(restored.seed == source.seed && restored.stream == source.stream && place == 99 &&
                restored.generator == source.generator && restored.sequence == source.sequence &&
                restored.warp_set == source.warp_set);
    /* The format, byte for byte, as the first version wrote it: later ones read it. */
    static const uint8_t known[BAILEY_SOURCE_BYTES] = {
        'b',  'a',  'i',  'l',  'e',  'y',  '\r', '\n',
        1,    0,    64,   0,    2,    0,    0,    0,     /* version, size, generator */
        1,    0,    0,    0,    0,    0,    0,    0,     /* seed */
        0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,  /* stream */
        99,   0,    0,    0,    0,    0,    0,    0,     /* place */
        0,    0,    0,    0,    3,    0,    0,    0,     /* sequence, set */
        0,    0,    0,    0,    0,    0,    0,    0,     /* zeros */
        0x9e, 0x05, 0x2a, 0xe0, 0x3c, 0x3f, 0xd7, 0x55}; /* check sum */
    assert_memory_equal(bytes, known, sizeof known);
}

TEST(names, DEVICE)
{
    for (int g = 0; g < GENERATORS; g++) {
        bailey_generator found;
        OK(bailey_generator_from_name(bailey_generator_name((bailey_generator)g), &found));
        assert_int_equal(found, g);
        assert_non_null(bailey_generator_verdict((bailey_generator)g));
    }
    bailey_generator found;
    assert_null(bailey_generator_name((bailey_generator)GENERATORS));
    assert_null(bailey_generator_verdict((bailey_generator)-1));
    assert_int_equal(bailey_generator_from_name("mersenne", &found), BAILEY_ERROR_INVALID);
    assert_non_null(strstr(bailey_error_message(), "mt19937"));
}
