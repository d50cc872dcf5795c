/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Saved sources (bailey_source_restore): the case as it is, and with a right beginning and check sum.
 */
#include "fuzz.h"

#include <bailey/bailey.h>

#include <string.h>

static void restore(const uint8_t *bytes, size_t size)
{
    bailey_source source, again;
    uint64_t place, place_again, first, count;
    uint8_t saved[BAILEY_SOURCE_BYTES];
    if (bailey_source_restore(bytes, size, &source, &place) != BAILEY_OK) {
        FUZZ_REQUIRE(*bailey_error_message());
        return;
    }
    FUZZ_REQUIRE(bailey_source_save(&source, place, saved) == BAILEY_OK);
    FUZZ_REQUIRE(!memcmp(saved, bytes, 52)); /* then nothing, and the check sum */
    FUZZ_REQUIRE(bailey_source_restore(saved, sizeof saved, &again, &place_again) == BAILEY_OK);
    FUZZ_REQUIRE(place == place_again && source.seed == again.seed && source.stream == again.stream);
    if (bailey_source_split(&source, place, source.seed, 7, 3, &first, &count) == BAILEY_OK)
        FUZZ_REQUIRE(count == 0 || (first >= place && first - place + count <= source.seed));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t bytes[BAILEY_SOURCE_BYTES] = {0};
    const bailey_source plain = {.seed = 1};
    uint64_t sum = UINT64_C(0xcbf29ce484222325); /* FNV-1a, as src/host/source/sequence.c */
    enum { BEGINNING = 12, SUM = 56 };
    restore(data, size);
    FUZZ_REQUIRE(bailey_source_save(&plain, 0, bytes) == BAILEY_OK);
    if (size > BEGINNING) memcpy(bytes + BEGINNING, data + BEGINNING, (size < SUM ? size : SUM) - BEGINNING);
    for (int i = 0; i < SUM; i++) sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    for (int i = 0; i < 8; i++) bytes[SUM + i] = (uint8_t)(sum >> 8 * i);
    restore(bytes, sizeof bytes);
    return 0;
}
