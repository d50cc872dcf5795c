/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Which elements an item of a launch makes (src/kernels/range.h).
 */
#include <kernels/range.h>

#include "test.h"

enum { MOST_PACK = 16, MOST_COUNT = 3 * MOST_PACK };

/* Every element of the range is made by one item, in its place, and nothing else by any: an element that the
 * pack before made too would have been written by two threads, and by one of them from behind its pack. */
static void check(uint64_t first, uint64_t count, uint32_t block, uint32_t pack)
{
    uint64_t next = first;
    for (uint64_t item = 0; item * pack < block + count + pack; item++) {
        const bly_range r = bly_range_of_item(first, count, block, pack, item);
        assert_true(r.low <= r.high && r.high <= pack);
        assert_int_equal(r.begin % block, 0);
        if (r.low == r.high) continue;
        assert_int_equal(r.begin + r.low, next);
        next = r.begin + r.high;
    }
    assert_int_equal(next, first + count);
}

TEST(packs_share_nothing, HOST)
{
    for (uint32_t block = 1; block <= MOST_PACK; block *= 2)
        for (uint32_t pack = block; pack <= MOST_PACK; pack *= 2)
            for (uint64_t first = 0; first < 2 * MOST_PACK; first++)
                for (uint64_t count = 1; count <= MOST_COUNT; count++) {
                    check(first, count, block, pack);
                    check(UINT64_C(0x123456789ab) * block + first, count, block, pack);
                }
}
