/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The warp generator on the host: known answers, jumps against steps, the period.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

#include <host/source/source.h>

#include <bailey/device/warp_sets.h>

#define SETS (BLY_WARP_PUBLISHED + 1)

static uint64_t random_state = 1;

static uint64_t random_word(void) /* SplitMix64 (Steele, Lea, Flood 2014) */
{
    uint64_t x = random_state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static void random_start(uint32_t state[32])
{
    for (int i = 0; i < 32; i++) state[i] = (uint32_t)random_word();
}

static void jump(uint32_t set, const uint64_t *distance, size_t words, uint32_t state[32])
{
    if (bailey_warp_jump(set, distance, words, state) != BAILEY_OK)
        fail_msg("set %u: %s", set, bailey_error_message());
}

static void same_state(uint32_t set, const char *what, const uint32_t found[32], const uint32_t expected[32])
{
    for (int i = 0; i < 32; i++)
        if (found[i] != expected[i])
            fail_msg("set %u, %s: lane %d is %08x, expected %08x", set, what, i, found[i], expected[i]);
}

/* The output of the next step. */
static void output(uint32_t set, const uint32_t state[32], uint32_t words[32])
{
    const uint32_t *taps = bly_warp_taps(set);
    for (int i = 0; i < 32; i++) {
        const uint32_t t0 = state[taps[i] & 255], t1 = state[taps[i] >> 8 & 255];
        const uint64_t product = UINT64_C(0x9e3779b9) * t0;
        words[i] = set == BLY_WARP_PUBLISHED ? t0 + t1 : ((uint32_t)product + t1) ^ (uint32_t)(product >> 32);
    }
}

TEST(kat_file, HOST)
{
    unsigned lines = 0;
    char line[512], what[16];
    uint32_t start[32] = {0}, state[32], found[32], expected[32];
    FILE *file = fopen(BLY_SOURCE_DIR "/tests/kat/warp.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        uint32_t set, n = 0;
        int end = 0, more = 0;
        assert_int_equal(sscanf(line, "%" SCNu32 " %15s %n", &set, what, &end), 2);
        if (strcmp(what, "start") != 0) {
            assert_int_equal(sscanf(line + end, "%" SCNu32 " %n", &n, &more), 1);
            end += more;
        }
        for (int i = 0; i < 32; i++) {
            assert_int_equal(sscanf(line + end, "%8" SCNx32 " %n", &expected[i], &more), 1);
            end += more;
        }
        memcpy(state, start, sizeof state);
        if (!strcmp(what, "start")) {
            memcpy(start, expected, sizeof start);
            continue;
        } else if (!strcmp(what, "out")) {
            for (uint32_t i = 0; i < n; i++) bly_warp_step(set, state);
            output(set, state, found);
        } else if (!strcmp(what, "after")) {
            for (uint32_t i = 0; i < n; i++) bly_warp_step(set, state);
            memcpy(found, state, sizeof found);
        } else {
            uint64_t distance[16] = {0};
            distance[n / 64] = UINT64_C(1) << n % 64;
            jump(set, distance, 16, state);
            memcpy(found, state, sizeof found);
        }
        same_state(set, line, found, expected);
        lines++;
    }
    fclose(file);
    assert_int_equal(lines, 21);
}

/* qa and qb are permutations without fixed points, and never the same lane; zb of bailey's own sets is at
 * most 3, that of the published one at most 1. */
TEST(sets_are_well_formed, HOST)
{
    for (uint32_t set = 0; set < SETS; set++) {
        uint32_t seen_a = 0, seen_b = 0;
        for (uint32_t i = 0; i < 32; i++) {
            const uint32_t tap = bly_warp_taps(set)[i], qa = tap & 255, qb = tap >> 8 & 255, zb = tap >> 16;
            assert_true(qa < 32 && qb < 32 && qa != qb && zb <= (set == BLY_WARP_PUBLISHED ? 1 : 3));
            assert_true(set == BLY_WARP_PUBLISHED || (qa != i && qb != i));
            seen_a |= UINT32_C(1) << qa;
            seen_b |= UINT32_C(1) << qb;
        }
        assert_int_equal(seen_a, UINT32_MAX);
        assert_int_equal(seen_b, UINT32_MAX);
        for (uint32_t other = 0; other < set; other++)
            assert_memory_not_equal(bly_warp_taps(set), bly_warp_taps(other), 32 * sizeof(uint32_t));
    }
}

TEST(jumps_are_steps, HOST)
{
    static const uint64_t distances[] = {0, 1, 2, 1000, 1023, 1024, 1025, 5000};
    for (uint32_t set = 0; set < SETS; set++) {
        uint32_t start[32], stepped[32], jumped[32];
        random_start(start);
        memcpy(stepped, start, sizeof start);
        for (uint64_t n = 0, i = 0; i < sizeof distances / sizeof distances[0]; i++) {
            for (; n < distances[i]; n++) bly_warp_step(set, stepped);
            memcpy(jumped, start, sizeof start);
            jump(set, &distances[i], 1, jumped);
            same_state(set, "jump", jumped, stepped);
        }
        memcpy(jumped, start, sizeof start);
        jump(set, NULL, 0, jumped);
        same_state(set, "no words", jumped, start);
    }
}

/* 2^1024 - 1 steps lead back, and 2^1024 - 2 one step behind. That no fewer do is for tools/warp_search.c. */
TEST(period, HOST)
{
    uint64_t all[16];
    memset(all, 0xff, sizeof all);
    for (uint32_t set = 0; set < SETS; set++) {
        uint32_t start[32], state[32];
        random_start(start);
        memcpy(state, start, sizeof start);
        jump(set, all, 16, state);
        same_state(set, "2^1024 - 1 steps", state, start);
        all[0]--;
        jump(set, all, 16, state);
        bly_warp_step(set, state);
        same_state(set, "2^1024 - 2 steps and one", state, start);
        all[0]++;
    }
}

TEST(jumps_add_up, HOST)
{
    for (uint32_t set = 0; set < SETS; set++) {
        uint64_t a[16], b[16], sum[16], carry = 0;
        uint32_t start[32], twice[32];
        for (int i = 0; i < 16; i++) {
            a[i] = random_word() >> (i == 15);
            b[i] = random_word() >> (i == 15);
            sum[i] = a[i] + carry;
            carry = sum[i] < carry;
            sum[i] += b[i];
            carry += sum[i] < b[i];
        }
        random_start(start);
        memcpy(twice, start, sizeof start);
        jump(set, a, 16, twice);
        jump(set, b, 16, twice);
        jump(set, sum, 16, start);
        same_state(set, "a + b", twice, start);
    }
}

TEST(streams, HOST)
{
    uint32_t start[32], found[32], expected[32];
    random_start(start);
    uint64_t distance[10] = {0};
    for (int i = 0; i < 5; i++) {
        const uint64_t stream = (const uint64_t[]){0, 1, 2, UINT64_C(0x123456789abcdef), UINT64_MAX}[i];
        distance[8] = stream;
        memcpy(found, start, sizeof start);
        memcpy(expected, start, sizeof start);
        assert_int_equal(bailey_warp_stream(3, stream, found), BAILEY_OK);
        jump(3, distance, 10, expected);
        same_state(3, "stream", found, expected);
        if (stream == 0) same_state(3, "stream 0", found, start);
        if (stream == 1) assert_memory_not_equal(found, start, sizeof start);
    }
}

TEST(refusals, HOST)
{
    const uint64_t distance[17] = {1};
    uint32_t state[32] = {0};
    assert_int_equal(bailey_warp_jump(0, distance, 1, state), BAILEY_ERROR_INVALID); /* all zero */
    assert_int_equal(bailey_warp_stream(0, 1, state), BAILEY_ERROR_INVALID);
    state[31] = 1;
    const uint32_t kept[32] = {[31] = 1};
    assert_int_equal(bailey_warp_jump(SETS, distance, 1, state), BAILEY_ERROR_INVALID);
    assert_non_null(strstr(bailey_error_message(), "warp_set is 17; the maximum is 16"));
    assert_int_equal(bailey_warp_stream(UINT32_MAX, 1, state), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_warp_jump(0, distance, 17, state), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_warp_jump(0, NULL, 1, state), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_warp_jump(0, distance, 1, NULL), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_warp_stream(0, 1, NULL), BAILEY_ERROR_INVALID);
    assert_memory_equal(state, kept, sizeof state);
    assert_int_equal(bailey_warp_jump(SETS - 1, distance, 16, state), BAILEY_OK);
}
