/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The generators of bailey/device/<name>.h on the processor, as scalars and as vectors of every width: the
 * known answers of kat/<generator>.txt, and every width against scalars and plain 64-bit arithmetic.
 */
#include "generators.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

static const struct generator_lanes *const all[] = {&generators_1, &generators_2, &generators_4,
                                                    &generators_8, &generators_16};
enum { WIDTHS = sizeof all / sizeof *all };

static const char *const names[] = {
#define GENERATOR(name) #name,
    GENERATORS
#undef GENERATOR
};

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* ---- Known answers --------------------------------------------------------------------------- */

static enum generator find_generator(const char *name)
{
    for (unsigned g = 0; g < GENERATORS_COUNT; g++)
        if (strcmp(names[g], name) == 0) return (enum generator)g;
    fail_msg("no generator is called %s", name);
    return GENERATORS_COUNT;
}

/* Hexadecimal numbers up to the end or a colon, after which *text is left. */
static unsigned read_words(char **text, uint64_t *numbers, unsigned most)
{
    unsigned count = 0;
    for (;;) {
        char *end;
        const uint64_t number = strtoull(*text, &end, 16);
        if (end == *text) break;
        assert_true(count < most);
        numbers[count++] = number;
        *text = end;
    }
    *text += strspn(*text, " \n");
    if (**text == ':') ++*text;
    return count;
}

static void check_draw(enum generator g, uint64_t skip, const uint64_t *start, const uint64_t *expected,
                       unsigned count)
{
    static uint32_t out[1024 * GENERATOR_LANES];
    for (unsigned w = 0; w < WIDTHS; w++) {
        uint32_t state[GENERATOR_WORDS * GENERATOR_LANES];
        const unsigned lanes = all[w]->lanes;
        for (unsigned i = 0; i < generators_1.words(g); i++)
            for (unsigned l = 0; l < lanes; l++) state[i * lanes + l] = (uint32_t)start[i];
        for (uint64_t left = skip; left > 0;) {
            const uint64_t some = left < 1024 ? left : 1024;
            all[w]->draw(g, state, some, out);
            left -= some;
        }
        all[w]->draw(g, state, count, out);
        for (unsigned i = 0; i < count; i++)
            for (unsigned l = 0; l < lanes; l++)
                if (out[i * lanes + l] != expected[i])
                    fail_msg(
                        "%s, %u lanes, %llu words passed over: word %u of lane %u is %08x, expected %08x",
                        names[g], lanes, (unsigned long long)skip, i, l, out[i * lanes + l],
                        (unsigned)expected[i]);
    }
}

static void check_start(enum generator g, const uint64_t *place, const uint64_t *expected)
{
    for (unsigned w = 0; w < WIDTHS; w++) {
        uint32_t state[GENERATOR_WORDS * GENERATOR_LANES];
        const unsigned lanes = all[w]->lanes, lane = (unsigned)place[3] % lanes;
        all[w]->start(g, place[0], place[1], place[2], (uint32_t)place[3] - lane, state);
        for (unsigned i = 0; i < generators_1.words(g); i++)
            if (state[i * lanes + lane] != expected[i])
                fail_msg("%s, %u lanes, run %llu, lane %llu: word %u of the start is %08x, expected %08x",
                         names[g], lanes, (unsigned long long)place[2], (unsigned long long)place[3], i,
                         state[i * lanes + lane], (unsigned)expected[i]);
    }
}

/* Counts a file's answers of each output. */
static void check_file(const char *path, unsigned *draws, unsigned *starts)
{
    char line[512];
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s cannot be read", path);
    while (fgets(line, sizeof line, file)) {
        char what[8], name[32];
        int end = 0;
        if (line[0] == '#' || line[0] == '\n') continue;
        if (strncmp(line, "published ", 10) == 0) continue; /* for test_published.c */
        if (sscanf(line, "%7s %31s%n", what, name, &end) != 2) fail_msg("not a known answer: %s", line);
        const enum generator g = find_generator(name);
        char *text = line + end;
        uint64_t given[GENERATOR_WORDS], expected[16], skip = 0;
        if (strcmp(what, "draw") == 0) {
            skip = strtoull(text, &text, 10);
            assert_int_equal(read_words(&text, given, GENERATOR_WORDS), generators_1.words(g));
            const unsigned count = read_words(&text, expected, 16);
            assert_true(count > 0);
            check_draw(g, skip, given, expected, count);
            draws[g]++;
        } else {
            assert_string_equal(what, "start");
            assert_int_equal(read_words(&text, given, GENERATOR_WORDS), 4);
            assert_int_equal(read_words(&text, expected, 16), generators_1.words(g));
            check_start(g, given, expected);
            starts[g]++;
        }
        if (*text) fail_msg("not a known answer: %s", line);
    }
    fclose(file);
}

/* Every generator has a file, with draws and, unless it is a second output, starts. */
TEST(known_answers, HOST)
{
    unsigned draws[GENERATORS_COUNT] = {0}, starts[GENERATORS_COUNT] = {0};
    for (unsigned g = 0; g < GENERATORS_COUNT; g++) {
        char path[1024];
        if (g == GENERATOR_mrg32k3a_curand) continue; /* in the file of mrg32k3a */
        snprintf(path, sizeof path, BLY_SOURCE_DIR "/tests/kat/%s.txt", names[g]);
        check_file(path, draws, starts);
    }
    for (unsigned g = 0; g < GENERATORS_COUNT; g++)
        if (!draws[g] || (!starts[g] && g != GENERATOR_mrg32k3a_curand))
            fail_msg("%s has no answers", names[g]);
}

/* ---- Vectors and scalars --------------------------------------------------------------------- */

#define MERSENNE UINT32_C(0x7fffffff)
#define M1 UINT32_C(4294967087)
#define M2 UINT32_C(4294944443)

/* Any state that the generator may be in. */
static void random_state(enum generator g, uint64_t *random, uint32_t *state)
{
    for (unsigned i = 0; i < generators_1.words(g); i++) state[i] = (uint32_t)next_random(random) | 256;
    if (g == GENERATOR_mrg32k3a || g == GENERATOR_mrg32k3a_curand)
        for (unsigned i = 0; i < 6; i++) state[i] %= i < 3 ? M1 : M2;
    if (g == GENERATOR_park_miller) state[0] = 1 + state[0] % (MERSENNE - 1);
}

/* From the states of a run's start, or any, every width gives what scalars give, and ends in their states. */
static void compare_widths(enum generator g, int from_start, uint64_t *random)
{
    enum { DRAWS = 100000 };
    static uint32_t expected[GENERATOR_LANES][DRAWS], out[DRAWS * GENERATOR_LANES];
    uint32_t lane_states[GENERATOR_LANES][GENERATOR_WORDS], scalar[GENERATOR_LANES][GENERATOR_WORDS];
    uint32_t state[GENERATOR_WORDS * GENERATOR_LANES];
    const uint64_t seed = next_random(random), stream = next_random(random), run = next_random(random) >> 15;
    for (unsigned l = 0; l < GENERATOR_LANES; l++) {
        if (from_start)
            generators_1.start(g, seed, stream, run, 16 + l, lane_states[l]);
        else
            random_state(g, random, lane_states[l]);
        memcpy(scalar[l], lane_states[l], sizeof scalar[l]);
        generators_1.draw(g, scalar[l], DRAWS, expected[l]);
    }
    for (unsigned w = 1; w < WIDTHS; w++) {
        const unsigned lanes = all[w]->lanes;
        for (unsigned i = 0; i < generators_1.words(g); i++)
            for (unsigned l = 0; l < lanes; l++) state[i * lanes + l] = lane_states[l][i];
        if (from_start) {
            uint32_t started[GENERATOR_WORDS * GENERATOR_LANES];
            all[w]->start(g, seed, stream, run, 16, started);
            assert_memory_equal(started, state, 4 * generators_1.words(g) * lanes);
        }
        all[w]->draw(g, state, DRAWS, out);
        for (unsigned l = 0; l < lanes; l++) {
            for (unsigned i = 0; i < DRAWS; i++)
                if (out[i * lanes + l] != expected[l][i])
                    fail_msg("%s, %u lanes: word %u of lane %u is %08x, expected %08x", names[g], lanes, i, l,
                             out[i * lanes + l], expected[l][i]);
            for (unsigned i = 0; i < generators_1.words(g); i++)
                if (state[i * lanes + l] != scalar[l][i])
                    fail_msg("%s, %u lanes: the state of lane %u differs", names[g], lanes, l);
        }
    }
}

TEST(widths, HOST)
{
    uint64_t random = 20240607;
    for (unsigned g = 0; g < GENERATORS_COUNT; g++) {
        compare_widths((enum generator)g, 1, &random);
        compare_widths((enum generator)g, 0, &random);
    }
}

/* ---- Modular arithmetic ---------------------------------------------------------------------- */

/* States that wait for a check in all lanes of every width. */
static uint32_t waiting[GENERATOR_WORDS][GENERATOR_LANES];
static unsigned waiting_count;

static void check_mrg32k3a(void)
{
    for (unsigned w = 0; w < WIDTHS; w++) {
        const unsigned lanes = all[w]->lanes;
        for (unsigned first = 0; first < GENERATOR_LANES; first += lanes) {
            uint32_t state[GENERATOR_WORDS * GENERATOR_LANES], again[GENERATOR_WORDS * GENERATOR_LANES];
            uint32_t z[GENERATOR_LANES], scaled[GENERATOR_LANES];
            for (unsigned i = 0; i < 6; i++) memcpy(state + i * lanes, waiting[i] + first, 4 * lanes);
            memcpy(again, state, sizeof again);
            all[w]->draw(GENERATOR_mrg32k3a, state, 1, z);
            all[w]->draw(GENERATOR_mrg32k3a_curand, again, 1, scaled);
            for (unsigned l = 0; l < lanes; l++) {
                uint32_t s[6];
                for (unsigned i = 0; i < 6; i++) s[i] = waiting[i][first + l];
                const uint64_t x = (UINT64_C(1403580) * s[1] + UINT64_C(810728) * (M1 - s[0])) % M1;
                const uint64_t y = (UINT64_C(527612) * s[5] + UINT64_C(1370589) * (M2 - s[3])) % M2;
                const uint64_t difference = (x + M1 - y) % M1;
                uint64_t word = (uint64_t)((double)(difference ? difference : M1) * 1.000000048662);
                if (word > UINT32_MAX) word = UINT32_MAX;
                if (state[2 * lanes + l] != x || state[5 * lanes + l] != y || z[l] != difference ||
                    scaled[l] != word)
                    fail_msg("mrg32k3a, %u lanes, from %08x %08x %08x %08x %08x %08x", lanes, s[0], s[1],
                             s[2], s[3], s[4], s[5]);
                if (state[l] != s[1] || state[lanes + l] != s[2] || state[3 * lanes + l] != s[4] ||
                    state[4 * lanes + l] != s[5] || memcmp(again, state, 4 * 6 * lanes) != 0)
                    fail_msg("mrg32k3a, %u lanes: the state does not move on", lanes);
            }
        }
    }
}

static void check_park_miller(void)
{
    for (unsigned w = 0; w < WIDTHS; w++) {
        const unsigned lanes = all[w]->lanes;
        for (unsigned first = 0; first < GENERATOR_LANES; first += lanes) {
            uint32_t state[GENERATOR_LANES], out[GENERATOR_LANES];
            memcpy(state, waiting[0] + first, 4 * lanes);
            all[w]->draw(GENERATOR_park_miller, state, 1, out);
            for (unsigned l = 0; l < lanes; l++) {
                const uint64_t x = UINT64_C(16807) * waiting[0][first + l] % MERSENNE;
                if (state[l] != x || out[l] != 2 * x)
                    fail_msg("park_miller, %u lanes: %u leads to %u (word %u), expected %llu", lanes,
                             waiting[0][first + l], state[l], out[l], (unsigned long long)x);
            }
        }
    }
}

static void add_mrg32k3a(uint32_t x3, uint32_t x2, uint32_t y3, uint32_t y1)
{
    const uint32_t state[6] = {x3, x2, x3 ^ 1, y3, y1 ^ 1, y1};
    for (unsigned i = 0; i < 6; i++) waiting[i][waiting_count] = state[i];
    if (++waiting_count == GENERATOR_LANES) {
        check_mrg32k3a();
        waiting_count = 0;
    }
}

static void add_park_miller(uint32_t x)
{
    waiting[0][waiting_count] = x;
    if (++waiting_count == GENERATOR_LANES) {
        check_park_miller();
        waiting_count = 0;
    }
}

static uint64_t power(uint64_t base, uint64_t exponent, uint64_t m)
{
    uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1) result = result * base % m;
        base = base * base % m;
    }
    return result;
}

/* Numbers below m near which a carry or a reduction may go wrong. The lower half of 810728 (m - x) is 0 where
 * m - x is a multiple of 2^29. */
static unsigned edges(uint32_t m, uint32_t *edge)
{
    const uint32_t c = 0u - m, centres[] = {0,
                                            c,
                                            65536,
                                            UINT32_C(1) << 31,
                                            m / 2,
                                            m - c,
                                            m - 65536,
                                            m - 1,
                                            m - (1u << 29),
                                            m - (2u << 29),
                                            m - (3u << 29),
                                            m - (4u << 29),
                                            m - (5u << 29),
                                            m - (6u << 29),
                                            m - (7u << 29)};
    unsigned count = 0;
    for (unsigned i = 0; i < sizeof centres / sizeof *centres; i++)
        for (uint32_t d = 0; d < 7; d++)
            if (centres[i] + d - 3 < m) edge[count++] = centres[i] + d - 3;
    return count;
}

TEST(mrg32k3a_arithmetic, HOST)
{
    uint32_t edge1[128], edge2[128];
    const unsigned count1 = edges(M1, edge1), count2 = edges(M2, edge2);
    const uint64_t inverse1 = power(1403580, M1 - 2, M1), inverse2 = power(527612, M2 - 2, M2);
    uint64_t random = 1;
    assert_true(count1 > 40 && count2 > 40 && inverse1 * 1403580 % M1 == 1 && inverse2 * 527612 % M2 == 1);
    waiting_count = 0;
    for (unsigned i = 0; i < count1 * count2; i++)
        add_mrg32k3a(edge1[i % count1], edge1[i / count1 % count1], edge2[i % count2],
                     edge2[i / count2 % count2]);
    for (unsigned i = 0; i < 2000000; i++) {
        const uint64_t a = next_random(&random), b = next_random(&random);
        add_mrg32k3a((uint32_t)a % M1, (uint32_t)(a >> 32) % M1, (uint32_t)b % M2, (uint32_t)(b >> 32) % M2);
    }
    /* Those that lead to an edge: residues that stand next to where 2^32 or m is taken off. */
    for (unsigned i = 0; i < 500000; i++) {
        const uint64_t a = next_random(&random), b = next_random(&random), r = next_random(&random);
        const uint64_t x3 = (uint32_t)a % M1, y3 = (uint32_t)b % M2;
        const uint64_t x = i % 2 ? edge1[r % count1] : (r % 1024 + M1 - 512) % M1;
        const uint64_t y = i % 2 ? edge2[r % count2] : (r % 65536 + M2 - 32768) % M2;
        add_mrg32k3a((uint32_t)x3, (uint32_t)((x + 810728 * x3) % M1 * inverse1 % M1), (uint32_t)y3,
                     (uint32_t)((y + 1370589 * y3) % M2 * inverse2 % M2));
    }
    while (waiting_count > 0) add_mrg32k3a(M1 - 1, M1 - 1, M2 - 1, M2 - 1);
}

TEST(park_miller_arithmetic, HOST)
{
    const uint64_t inverse = power(16807, MERSENNE - 2, MERSENNE);
    uint64_t random = 2;
    assert_true(inverse * 16807 % MERSENNE == 1);
    waiting_count = 0;
    for (uint32_t i = 1; i <= 100000; i++) {
        add_park_miller(i);
        add_park_miller(MERSENNE - i);
        add_park_miller((uint32_t)(inverse * i % MERSENNE)); /* leads to i */
        add_park_miller((uint32_t)(inverse * (MERSENNE - i) % MERSENNE));
    }
    for (unsigned i = 0; i < 2000000; i++)
        add_park_miller(1 + (uint32_t)(next_random(&random) % (MERSENNE - 1)));
    while (waiting_count > 0) add_park_miller(1);
}
