/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Published sequences: known answers, and jumps against plain stepping, by the device headers (which
 * test_generators.c checks against answers from elsewhere); those of mt19937 are written here anew.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#include <bailey/device/generators.h>
#include <host/source/source.h>

/* ---- The generators, one draw at a time ------------------------------------------------------- */

static uint32_t temper(uint32_t y)
{
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680;
    y ^= y << 15 & 0xefc60000;
    return y ^ y >> 18;
}

static uint32_t draw_mt19937(uint32_t *s)
{
    const uint32_t word = temper(s[s[624]]);
    if (++s[624] == 624) {
        for (int i = 0; i < 624; i++) {
            const uint32_t y = (s[i] & 0x80000000) | (s[(i + 1) % 624] & 0x7fffffff);
            s[i] = s[(i + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0df : 0);
        }
        s[624] = 0;
    }
    return word;
}

/* The words of a state are the members of the generator's, in order. */
#define DRAW(draw, type, next)                                                                               \
    static uint32_t draw(uint32_t *state)                                                                    \
    {                                                                                                        \
        type g;                                                                                              \
        memcpy(&g, state, sizeof g);                                                                         \
        const uint32_t word = next(&g);                                                                      \
        memcpy(state, &g, sizeof g);                                                                         \
        return word;                                                                                         \
    }
DRAW(draw_mrg32k3a_curand, bailey_mrg32k3a, bailey_mrg32k3a_next_curand)

#define NONE(name, word, text)
#define TEAM(name, word, text)
#define STATES(name, word, text) DRAW(draw_##word, bailey_##word, bailey_##word##_next)
#define ROW(number, name, word, kind, published, text, verdict, period) published(name, word, text)
BAILEY_GENERATOR_LIST(ROW)
#undef TEAM
#undef STATES

static const struct {
    bailey_generator generator;
    const char *name, *file;
    uint32_t words;
    uint32_t (*draw)(uint32_t *state);
} sequences[] = {
#define TEAM(name, word, text) {BAILEY_GENERATOR_##name, text, #word, 625, draw_##word},
#define STATES(name, word, text)                                                                             \
    {BAILEY_GENERATOR_##name, text, #word, sizeof(bailey_##word) / sizeof(uint32_t), draw_##word},
    BAILEY_GENERATOR_LIST(ROW)
#undef STATES
#undef TEAM
#undef NONE
#undef ROW
};
#define SEQUENCES (sizeof sequences / sizeof sequences[0])

/* The next word of sequence i: cuRAND's words of mrg32k3a differ from L'Ecuyer's. */
static uint32_t draw(size_t i, uint32_t *state)
{
    return sequences[i].generator == BAILEY_GENERATOR_MRG32K3A ? draw_mrg32k3a_curand(state)
                                                               : sequences[i].draw(state);
}

/* ---- Helpers ---------------------------------------------------------------------------------- */

static uint64_t random_state = 1;

static uint64_t random_word(void) /* SplitMix64 (Steele, Lea, Flood 2014) */
{
    uint64_t x = random_state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* A seed and a stream, as large as the sequence has them. */
static bailey_source random_source(bailey_generator generator)
{
    const uint64_t seed = random_word(), stream = random_word();
    const uint64_t seeds[] = {seed, (uint32_t)seed, 0}, streams[] = {stream, stream >> 13, 0};
    bailey_source source = {.generator = generator, .sequence = BAILEY_SEQUENCE_PUBLISHED};
    for (int i = 0; i < 9; i++) {
        source.seed = seeds[i / 3];
        source.stream = streams[i % 3];
        if (bly_published_check(&source) == BAILEY_OK) return source;
    }
    fail_msg("generator %d: %s", (int)generator, bailey_error_message());
    return source;
}

static void states_of(const bailey_source *source, uint64_t offset, uint64_t spacing, uint64_t count,
                      uint32_t *states)
{
    if (bly_published_states(source, offset, spacing, count, states) != BAILEY_OK)
        fail_msg("generator %d: %s", (int)source->generator, bailey_error_message());
}

static void same_state(const char *name, uint64_t offset, const uint32_t *found, const uint32_t *expected,
                       uint32_t words)
{
    for (uint32_t k = 0; k < words; k++)
        if (found[k] != expected[k])
            fail_msg("%s at %" PRIu64 ": word %u of the state is %08x, expected %08x", name, offset, k,
                     found[k], expected[k]);
}

/* ---- Known answers ---------------------------------------------------------------------------- */

static uint32_t word_at(bailey_generator generator, uint64_t seed, uint64_t offset)
{
    const bailey_source source = {.generator = generator, .seed = seed};
    uint32_t state[BLY_PUBLISHED_MOST_WORDS];
    states_of(&source, offset, 0, 1, state);
    for (size_t i = 0; i < SEQUENCES; i++)
        if (sequences[i].generator == generator) return draw(i, state);
    fail();
    return 0;
}

TEST(kat_file, HOST)
{
    unsigned lines[SEQUENCES] = {0};
    char line[256];
    FILE *file = fopen(BLY_SOURCE_DIR "/tests/kat/published.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#' || line[0] == '\n') continue;
        char name[16];
        bailey_source source = {.sequence = BAILEY_SEQUENCE_PUBLISHED};
        uint64_t offset;
        uint32_t expected[6], state[BLY_PUBLISHED_MOST_WORDS];
        assert_int_equal(sscanf(line,
                                "%15s %16" SCNx64 " %16" SCNx64 " %16" SCNx64 " %8" SCNx32 " %8" SCNx32
                                " %8" SCNx32 " %8" SCNx32 " %8" SCNx32 " %8" SCNx32,
                                name, &source.seed, &source.stream, &offset, &expected[0], &expected[1],
                                &expected[2], &expected[3], &expected[4], &expected[5]),
                         10);
        size_t i = 0;
        while (i < SEQUENCES && strcmp(sequences[i].name, name) != 0) i++;
        assert_true(i < SEQUENCES);
        source.generator = sequences[i].generator;
        states_of(&source, offset, 0, 1, state);
        for (int k = 0; k < 6; k++) {
            const uint32_t word = draw(i, state);
            if (word != expected[k]) fail_msg("word %d is %08x: %s", k, word, line);
        }
        lines[i]++;
    }
    fclose(file);
    for (size_t i = 0; i < 3; i++) assert_true(lines[i] >= 12);
}

/* The C++ standard, [rand.predef]. */
TEST(std_predefined, HOST)
{
    assert_int_equal(word_at(BAILEY_GENERATOR_MT19937, 5489, 0), 3499211612);
    assert_int_equal(word_at(BAILEY_GENERATOR_MT19937, 5489, 9999), 4123659995);
    assert_int_equal(word_at(BAILEY_GENERATOR_PARK_MILLER, 1, 9999), UINT32_C(1043618065) << 1);
    /* A multiple of the modulus is seed 1. */
    assert_int_equal(word_at(BAILEY_GENERATOR_PARK_MILLER, 0, 9999), UINT32_C(1043618065) << 1);
    assert_int_equal(word_at(BAILEY_GENERATOR_PARK_MILLER, UINT64_C(2147483647) << 31, 0), 16807 << 1);
}

/* Numerical Recipes in C, second edition, 7.1, from 0: the values it prints to check ranqd1. */
TEST(numerical_recipes, HOST)
{
    static const uint32_t ranqd1[] = {0x3c6ef35f, 0x47502932, 0xd1ccf6e9, 0xaaf95334, 0x6252e503, 0x9f2ec686,
                                      0x57fe6c2d, 0xa3d95fa8, 0x81fdbee7, 0x94f0af1a, 0xcbf633b1};
    for (uint64_t i = 0; i < 11; i++) assert_int_equal(word_at(BAILEY_GENERATOR_LCG, 0, i), ranqd1[i]);
}

/* The states that the references begin with: lines "published" of each generator's file, which has seed,
 * stream and the state. What words follow from them, test_generators.c checks. */
TEST(kat_first_states, HOST)
{
    unsigned known = 0;
    for (size_t i = 0; i < SEQUENCES; i++) {
        char path[1024], line[512];
        snprintf(path, sizeof path, BLY_SOURCE_DIR "/tests/kat/%s.txt", sequences[i].file);
        FILE *file = fopen(path, "r");
        if (!file) continue; /* mt19937's are in published.txt */
        while (fgets(line, sizeof line, file)) {
            bailey_source source = {.generator = sequences[i].generator,
                                    .sequence = BAILEY_SEQUENCE_PUBLISHED};
            uint32_t expected[8], state[BLY_PUBLISHED_MOST_WORDS];
            int at = 0, used = 0;
            if (sscanf(line, "published %*s %" SCNx64 " %" SCNx64 " :%n", &source.seed, &source.stream,
                       &at) != 2)
                continue;
            for (uint32_t k = 0; k < sequences[i].words; k++, at += used)
                assert_int_equal(sscanf(line + at, "%" SCNx32 "%n", &expected[k], &used), 1);
            states_of(&source, 0, 0, 1, state);
            same_state(sequences[i].name, 0, state, expected, sequences[i].words);
            known++;
        }
        fclose(file);
    }
    assert_true(known >= 5);
}

/* ---- Jumps ------------------------------------------------------------------------------------ */

TEST(jumps_are_steps, HOST)
{
    for (size_t i = 0; i < SEQUENCES; i++) {
        const uint32_t words = sequences[i].words;
        assert_int_equal(bly_published_words(sequences[i].generator), words);
        for (int round = 0; round < 3; round++) {
            const bailey_source source = random_source(sequences[i].generator);
            const uint64_t first = round == 0 ? 0 : random_word(), spacing = 1 + random_word() % 700;
            uint32_t stepped[BLY_PUBLISHED_MOST_WORDS], found[BLY_PUBLISHED_MOST_WORDS];
            states_of(&source, first, 0, 1, stepped);
            for (uint64_t n = 0; n < 1300 && first + n >= first; n++) {
                if (n < 3 || n % spacing == 0) {
                    states_of(&source, first + n, 0, 1, found);
                    same_state(sequences[i].name, first + n, found, stepped, words);
                }
                draw(i, stepped);
            }
        }
    }
}

TEST(longer_jumps_are_steps, HOST)
{
    for (size_t i = 0; i < SEQUENCES; i++) {
        const bailey_source source = random_source(sequences[i].generator);
        uint32_t stepped[BLY_PUBLISHED_MOST_WORDS], found[BLY_PUBLISHED_MOST_WORDS];
        states_of(&source, 0, 0, 1, stepped);
        for (uint64_t n = 0; n < 3000000; n++) draw(i, stepped);
        states_of(&source, 3000000, 0, 1, found);
        same_state(sequences[i].name, 3000000, found, stepped, sequences[i].words);
    }
}

/* A jump of `a` and then, by the spacing, others of `b` are one of a + s b; with tables and without. */
TEST(jumps_add_up, HOST)
{
    for (size_t i = 0; i < SEQUENCES; i++) {
        const bailey_generator generator = sequences[i].generator;
        const uint32_t words = sequences[i].words;
        if (generator == BAILEY_GENERATOR_MT19937)
            continue; /* one state a call: the answers above stand in */
        for (int round = 0; round < 8; round++) {
            const bailey_source source = random_source(generator);
            const uint64_t count = round % 2 ? 2 : 200;
            const uint64_t a = random_word() >> (round < 4 ? 1 : 30);
            const uint64_t b = round == 2 ? 0 : round == 3 ? UINT64_MAX - a : (UINT64_MAX - a) / (count - 1);
            uint32_t *states = malloc(count * words * sizeof *states), found[6], single[6];
            assert_non_null(states);
            states_of(&source, a, b, count, states);
            for (uint64_t s = 0; s < count; s += 1 + random_word() % 20) {
                for (uint32_t k = 0; k < words; k++) found[k] = states[k * count + s];
                states_of(&source, a + s * b, 0, 1, single);
                same_state(sequences[i].name, a + s * b, found, single, words);
            }
            free(states);
        }
    }
}

/* Streams of cuRAND continue each other: 2^67 words of xorwow are 8 times 2^64. */
TEST(streams_follow_each_other, HOST)
{
    static const struct {
        bailey_generator generator;
        unsigned words_log2;
    } cases[] = {{BAILEY_GENERATOR_XORWOW, 67}, {BAILEY_GENERATOR_MRG32K3A, 76}};
    for (size_t i = 0; i < 2; i++) {
        bailey_source source = random_source(cases[i].generator);
        const uint64_t count = (UINT64_C(2) << (cases[i].words_log2 - 64)) + 1, offset = random_word();
        uint32_t *states = malloc(count * 6 * sizeof *states), last[6], next[6];
        assert_non_null(states);
        source.stream >>= 14;
        states_of(&source, offset, UINT64_C(1) << 63, count, states);
        for (int k = 0; k < 6; k++) last[k] = states[k * count + count - 1];
        source.stream++;
        states_of(&source, offset, 0, 1, next);
        same_state("the next stream", offset, last, next, 6);
        free(states);
    }
}

/* ---- Refusals --------------------------------------------------------------------------------- */

static void refused(bailey_generator generator, uint64_t seed, uint64_t stream, const char *reason)
{
    const bailey_source source = {.generator = generator, .seed = seed, .stream = stream};
    uint32_t states[BLY_PUBLISHED_MOST_WORDS];
    assert_int_equal(bly_published_check(&source), BAILEY_ERROR_INVALID);
    if (!strstr(bailey_error_message(), reason))
        fail_msg("'%s' does not say '%s'", bailey_error_message(), reason);
    assert_int_equal(bly_published_states(&source, 0, 0, 1, states), BAILEY_ERROR_INVALID);
}

TEST(refusals, HOST)
{
    static const bailey_generator without[] = {BAILEY_GENERATOR_WARP, BAILEY_GENERATOR_WARP_ADD,
                                               BAILEY_GENERATOR_HYBRID_TAUS,
                                               BAILEY_GENERATOR_HYBRID_TAUS_GEMS};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(bly_published_words(without[i]), 0);
        refused(without[i], 0, 0, "has no published sequence");
    }
    refused((bailey_generator)1000, 0, 0, "has no published sequence");
    int fixed = 0; /* one has its author's seeds and no others */
    for (size_t i = 0; i < SEQUENCES; i++) {
        const bailey_source source = {.generator = sequences[i].generator, .seed = 1};
        if (bly_published_check(&source) == BAILEY_OK) continue;
        refused(sequences[i].generator, 1, 0, "only seed 0");
        refused(sequences[i].generator, 0, 1, "only stream 0");
        fixed++;
    }
    assert_int_equal(fixed, 1);
    refused(BAILEY_GENERATOR_MT19937, 1, 1, "only stream 0");
    refused(BAILEY_GENERATOR_PARK_MILLER, 1, 1, "only stream 0");
    refused(BAILEY_GENERATOR_LCG, UINT64_C(1) << 32, 0, "below 2^32");
    refused(BAILEY_GENERATOR_ADDER, UINT64_MAX, 0, "below 2^32");
    refused(BAILEY_GENERATOR_ADDER, 1, 1, "only stream 0");
    refused(BAILEY_GENERATOR_MRG32K3A, 1, UINT64_C(1) << 51, "below 2^51");
    refused(BAILEY_GENERATOR_MRG32K3A, UINT64_C(0xaaaaaaaa55555555), 0, "zero for ever");

    const bailey_generator counters[] = {BAILEY_GENERATOR_PHILOX, BAILEY_GENERATOR_PHILOX7};
    uint32_t states[2 * BLY_PUBLISHED_MOST_WORDS];
    for (size_t i = 0; i < 2; i++) {
        const bailey_source source = {.generator = counters[i], .seed = UINT64_MAX, .stream = UINT64_MAX};
        assert_int_equal(bly_published_words(counters[i]), 0);
        assert_int_equal(bly_published_check(&source), BAILEY_OK);
        assert_int_equal(bly_published_states(&source, 0, 0, 1, states), BAILEY_ERROR_INVALID);
    }
    const bailey_source mt = {.generator = BAILEY_GENERATOR_MT19937},
                        lcg = {.generator = BAILEY_GENERATOR_LCG};
    assert_int_equal(bly_published_states(&mt, 0, 1, 2, states), BAILEY_ERROR_INVALID);
    assert_int_equal(bly_published_states(&lcg, 0, 1, 0, states), BAILEY_ERROR_INVALID);
}
