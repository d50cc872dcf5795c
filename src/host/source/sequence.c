/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Sources: what they may be, their division into parts, and their bytes.
 */
#include "source.h"
#include <host/describe/choices.h>
#include <host/describe/records.h>
#include <host/internal.h>
#include <kernels/sobol_items.h>

#include <bailey/device/run.h>

#include <stdio.h>
#include <string.h>

/* Checks what points have, and that others have none of it. */
static bailey_status check_points(const bailey_source *source)
{
    const int points = bly_source_kind(source) == BAILEY_SOURCE_KIND_POINT;
    const char *name = bailey_generator_name(source->generator);
    if (points && source->sequence != BAILEY_SEQUENCE_RUNS)
        return bly_fail_argument("sequence", "sequence is %s, which %s does not have",
                                 BLY_CHOICE_WORD(SEQUENCES, source->sequence), name);
    if ((unsigned)source->scramble > (points ? BAILEY_SCRAMBLE_NONE : 0))
        return bly_fail_argument("scramble", "scramble is %s, which generator %s does not have",
                                 BLY_CHOICE_WORD(SCRAMBLES, source->scramble), name);
    if ((unsigned)source->point_order > (points ? BAILEY_POINT_ORDER_INDEX : 0))
        return bly_fail_argument("point_order", "point_order is %s, which generator %s does not have",
                                 BLY_CHOICE_WORD(POINT_ORDERS, source->point_order), name);
    if ((unsigned)source->assignment > (points ? BAILEY_ASSIGNMENT_DIAGONAL : 0))
        return bly_fail_argument("assignment", "assignment is %s, which generator %s does not have",
                                 BLY_CHOICE_WORD(ASSIGNMENTS, source->assignment), name);
    if (source->word_bits != 0 && !(points && (source->word_bits == 32 || source->word_bits == 64)))
        return bly_fail_argument("word_bits", "word_bits is %u, but must be %s with generator %s",
                                 (unsigned)source->word_bits, points ? "32 or 64" : "0", name);
    return BAILEY_OK;
}

#define STRUCT bailey_source
static const bailey_field source_fields[] = {
    UINT64(seed, "seed"),
    UINT64(stream, "independent stream of the seed"),
    CHOICE(generator, "generator", GENERATORS),
    CHOICE(sequence, "which sequence of the generator", SEQUENCES),
    UINT32(warp_set, "parameter set of the warp generator", .range = FROM(0, BAILEY_WARP_SETS - 1)),
    CHOICE(scramble, "randomisation of quasi-random points", SCRAMBLES),
    CHOICE(point_order, "order of quasi-random points", POINT_ORDERS),
    UINT32(word_bits, "bits of the words of quasi-random points", WORD_SIZES, .default_value = 32),
    CHOICE(assignment, "which dimensions of a point become which normals of a path", ASSIGNMENTS),
};
RECORD(source, "Where random numbers or quasi-random points come from.", source_fields);
#undef STRUCT

bailey_status bailey_source_check(const bailey_source *source, bailey_source_kind *kind)
{
    if (!source) return bly_fail_argument("source", "source is NULL");
    bailey_status status = bailey_record_check(&bly_record_source, source);
    if (status != BAILEY_OK) return status;
    const uint32_t sets = source->generator == BAILEY_GENERATOR_WARP ? BAILEY_WARP_SETS : 1;
    if (source->warp_set >= sets)
        return bly_fail_argument("warp_set", "warp_set is %u; the maximum is %u with generator %s",
                                 (unsigned)source->warp_set, (unsigned)(sets - 1),
                                 bailey_generator_name(source->generator));
    status = check_points(source);
    if (status == BAILEY_OK && source->sequence == BAILEY_SEQUENCE_PUBLISHED)
        status = bly_published_check(source);
    if (status == BAILEY_OK && kind) *kind = bly_source_kind(source);
    return status;
}

bailey_status bly_check_sequence(const bailey_source *source, bailey_source_kind *kind)
{
    const bailey_status status = bailey_source_check(source, kind);
    if (status == BAILEY_OK && bly_source_kind(source) == BAILEY_SOURCE_KIND_POINT)
        return bly_fail_argument("generator", "generator is %s, which has points; use bailey_points_generate",
                                 bailey_generator_name(source->generator));
    return status;
}

bailey_status bly_check_elements(const bailey_source *source, uint64_t first, uint64_t count)
{
    const bailey_status status = bailey_source_check(source, NULL);
    if (status != BAILEY_OK) return status;
    if (count == 0) return bly_fail_argument("count", "count is 0, at least 1");
    if (first > UINT64_MAX - (count - 1))
        return bly_fail_argument("first", "first %llu + count %llu exceeds 2^64", (unsigned long long)first,
                                 (unsigned long long)count);
    return BAILEY_OK;
}

/* Where part `part` begins, from `first` on: `count` elements, cut at multiples of a segment so
 * that the parts are about equal. */
static uint64_t part_begin(uint64_t first, uint64_t count, uint64_t parts, uint64_t part)
{
    const uint64_t last = first + (count - 1), before = first / BAILEY_RUN_WORDS;
    const uint64_t segments = last / BAILEY_RUN_WORDS - before + 1;
    if (part == 0) return 0;
    const uint64_t begin = segments / parts * part + (part < segments % parts ? part : segments % parts);
    if (begin == 0) return 0;
    return begin >= segments ? count : (before + begin) * BAILEY_RUN_WORDS - first;
}

bailey_status bailey_source_split(const bailey_source *source, uint64_t first, uint64_t count, uint64_t parts,
                                  uint64_t part, uint64_t *part_first, uint64_t *part_count)
{
    if (!part_first) return bly_fail_argument("part_first", "part_first is NULL");
    if (!part_count) return bly_fail_argument("part_count", "part_count is NULL");
    const bailey_status status = bly_check_elements(source, first, count);
    if (status != BAILEY_OK) return status;
    if (part >= parts)
        return bly_fail_argument("part", "part is %llu, not below parts, which is %llu",
                                 (unsigned long long)part, (unsigned long long)parts);
    const uint64_t begin = part_begin(first, count, parts, part);
    const uint64_t end = part + 1 == parts ? count : part_begin(first, count, parts, part + 1);
    /* An empty part at the end of all may begin at 2^64. */
    *part_first = begin < count ? first + begin : first;
    *part_count = end - begin;
    return BAILEY_OK;
}

static const uint32_t scramble_numbers[] = {[BAILEY_SCRAMBLE_LMS] = BLY_SOBOL_LMS,
                                            [BAILEY_SCRAMBLE_OWEN] = BLY_SOBOL_OWEN,
                                            [BAILEY_SCRAMBLE_SHIFT] = BLY_SOBOL_SHIFT,
                                            [BAILEY_SCRAMBLE_NONE] = BLY_SOBOL_NONE};

uint32_t bly_scramble_number(const bailey_source *source)
{
    return bly_source_kind(source) == BAILEY_SOURCE_KIND_POINT ? scramble_numbers[source->scramble] : 0;
}

bailey_scramble bly_scramble_of(const bailey_source *source, uint32_t number)
{
    if (!bly_is_generator(source->generator) || bly_source_kind(source) != BAILEY_SOURCE_KIND_POINT)
        return (bailey_scramble)number;
    int scramble = BAILEY_SCRAMBLE_LMS;
    while (scramble <= BAILEY_SCRAMBLE_NONE && scramble_numbers[scramble] != number) scramble++;
    return (bailey_scramble)scramble;
}

/* The bytes of a state: "bailey\r\n", then in little-endian order version and size (16 bits each), generator,
 * seed, stream, place, sequence, warp_set, scramble, point_order, word_bits and assignment (8 bits each),
 * zeros, and FNV-1a (64 bits) of all before. */
enum {
    AT_VERSION = 8,
    AT_SIZE = 10,
    AT_GENERATOR = 12,
    AT_SEED = 16,
    AT_STREAM = 24,
    AT_PLACE = 32,
    AT_SEQUENCE = 40,
    AT_WARP_SET = 44,
    AT_SCRAMBLE = 48,
    AT_POINT_ORDER = 49,
    AT_WORD_BITS = 50,
    AT_ASSIGNMENT = 51,
    AT_SUM = 56,
    VERSION = 1
};
static const char magic[] = "bailey\r\n";

static void put(uint8_t *bytes, uint64_t value, int size)
{
    for (int i = 0; i < size; i++) bytes[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get(const uint8_t *bytes, int size)
{
    uint64_t value = 0;
    for (int i = 0; i < size; i++) value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static uint64_t check_sum(const uint8_t *bytes)
{
    uint64_t sum = 0xcbf29ce484222325u;
    for (int i = 0; i < AT_SUM; i++) sum = (sum ^ bytes[i]) * 0x100000001b3u;
    return sum;
}

bailey_status bailey_source_save(const bailey_source *source, uint64_t place,
                                 uint8_t bytes[BAILEY_SOURCE_BYTES])
{
    if (!bytes) return bly_fail_argument("bytes", "bytes is NULL");
    const bailey_status status = bailey_source_check(source, NULL);
    if (status != BAILEY_OK) return status;
    memset(bytes, 0, BAILEY_SOURCE_BYTES);
    memcpy(bytes, magic, 8);
    put(bytes + AT_VERSION, VERSION, 2);
    put(bytes + AT_SIZE, BAILEY_SOURCE_BYTES, 2);
    put(bytes + AT_GENERATOR, (uint64_t)source->generator, 4);
    put(bytes + AT_SEED, source->seed, 8);
    put(bytes + AT_STREAM, source->stream, 8);
    put(bytes + AT_PLACE, place, 8);
    put(bytes + AT_SEQUENCE, (uint64_t)source->sequence, 4);
    put(bytes + AT_WARP_SET, source->warp_set, 4);
    put(bytes + AT_SCRAMBLE, bly_scramble_number(source), 1);
    put(bytes + AT_POINT_ORDER, (uint64_t)source->point_order, 1);
    put(bytes + AT_WORD_BITS, source->word_bits, 1);
    put(bytes + AT_ASSIGNMENT, (uint64_t)source->assignment, 1);
    put(bytes + AT_SUM, check_sum(bytes), 8);
    return BAILEY_OK;
}

bailey_status bailey_source_restore(const uint8_t *bytes, size_t size, bailey_source *source, uint64_t *place)
{
    if (!bytes) return bly_fail_argument("bytes", "bytes is NULL");
    if (!source) return bly_fail_argument("source", "source is NULL");
    if (!place) return bly_fail_argument("place", "place is NULL");
    if (size < AT_GENERATOR || memcmp(bytes, magic, 8) != 0)
        return bly_fail_argument("bytes", "the %zu bytes are not a state that bailey_source_save wrote",
                                 size);
    const unsigned version = (unsigned)get(bytes + AT_VERSION, 2);
    if (version != VERSION)
        return bly_fail_argument("bytes", "the state has version %u; this library reads version %d", version,
                                 VERSION);
    if (size != BAILEY_SOURCE_BYTES || get(bytes + AT_SIZE, 2) != BAILEY_SOURCE_BYTES)
        return bly_fail_argument("size", "the state has %zu bytes, not %d", size, BAILEY_SOURCE_BYTES);
    if (get(bytes + AT_SUM, 8) != check_sum(bytes))
        return bly_fail_argument("bytes", "the state is damaged: its checksum is wrong");
    bailey_source found = {.seed = get(bytes + AT_SEED, 8),
                           .stream = get(bytes + AT_STREAM, 8),
                           .generator = (bailey_generator)get(bytes + AT_GENERATOR, 4),
                           .sequence = (bailey_sequence)get(bytes + AT_SEQUENCE, 4),
                           .warp_set = (uint32_t)get(bytes + AT_WARP_SET, 4),
                           .point_order = (bailey_point_order)get(bytes + AT_POINT_ORDER, 1),
                           .word_bits = (uint32_t)get(bytes + AT_WORD_BITS, 1),
                           .assignment = (bailey_assignment)get(bytes + AT_ASSIGNMENT, 1)};
    found.scramble = bly_scramble_of(&found, (uint32_t)get(bytes + AT_SCRAMBLE, 1));
    const bailey_status status = bailey_source_check(&found, NULL);
    if (status == BAILEY_OK) {
        *source = found;
        *place = get(bytes + AT_PLACE, 8);
    }
    return bly_name_argument(status, "bytes");
}
