/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Sequences of words: generators by name, places in a sequence, and their bytes.
 */
#include "published.h"
#include <host/internal.h>

#include <bailey/device/run.h>

#include <stdio.h>
#include <string.h>

bailey_status bly_check_random(const bailey_random_params *random)
{
    if (!bly_is_generator(random->generator))
        return bly_fail_argument("generator", "generator is %d, not a bailey_generator",
                                 (int)random->generator);
    if (random->sequence != BAILEY_SEQUENCE_RUNS && random->sequence != BAILEY_SEQUENCE_PUBLISHED)
        return bly_fail_argument("sequence", "sequence is %d, not a bailey_sequence", (int)random->sequence);
    const uint32_t sets = random->generator == BAILEY_GENERATOR_WARP ? BAILEY_WARP_SETS : 1;
    if (random->warp_set >= sets)
        return bly_fail_argument("warp_set", "warp_set is %u, at most %u with generator %s",
                                 (unsigned)random->warp_set, (unsigned)(sets - 1),
                                 bailey_generator_name(random->generator));
    if (random->sequence == BAILEY_SEQUENCE_RUNS || random->generator == BAILEY_GENERATOR_PHILOX ||
        random->generator == BAILEY_GENERATOR_PHILOX7)
        return BAILEY_OK;
    return bly_published_check(random);
}

bailey_status bailey_random_skip(bailey_random_params *params, uint64_t count)
{
    if (!params) return bly_fail_argument("params", "params is NULL");
    if (count > UINT64_MAX - params->offset)
        return bly_fail_argument("offset", "offset %llu + count %llu exceeds 2^64 - 1",
                                 (unsigned long long)params->offset, (unsigned long long)count);
    params->offset += count;
    return BAILEY_OK;
}

/* Where part `part` begins: `count` elements in pieces between multiples of a run, shared out evenly. */
static uint64_t part_begin(uint64_t offset, uint64_t count, uint64_t parts, uint64_t part)
{
    const uint64_t last = offset + (count - 1), first_run = offset / BAILEY_RUN_WORDS;
    const uint64_t runs = last / BAILEY_RUN_WORDS - first_run + 1;
    if (part == 0) return 0;
    const uint64_t run = runs / parts * part + (part < runs % parts ? part : runs % parts);
    if (run == 0) return 0;
    return run >= runs ? count : (first_run + run) * BAILEY_RUN_WORDS - offset;
}

bailey_status bailey_random_split(const bailey_random_params *params, uint64_t count, uint64_t parts,
                                  uint64_t part, bailey_random_params *part_params, uint64_t *part_count)
{
    if (!params) return bly_fail_argument("params", "params is NULL");
    if (!part_params) return bly_fail_argument("part_params", "part_params is NULL");
    if (!part_count) return bly_fail_argument("part_count", "part_count is NULL");
    const bailey_status status = bly_check_random(params);
    if (status != BAILEY_OK) return status;
    if (count == 0) return bly_fail_argument("count", "count is 0, at least 1");
    if (params->offset > UINT64_MAX - (count - 1))
        return bly_fail_argument("offset", "offset %llu + count %llu exceeds 2^64",
                                 (unsigned long long)params->offset, (unsigned long long)count);
    if (part >= parts)
        return bly_fail_argument("part", "part is %llu, below parts, which is %llu", (unsigned long long)part,
                                 (unsigned long long)parts);
    const uint64_t begin = part_begin(params->offset, count, parts, part);
    const uint64_t end = part + 1 == parts ? count : part_begin(params->offset, count, parts, part + 1);
    *part_params = *params;
    /* An empty part at the end of all may begin at 2^64. */
    part_params->offset = begin < count ? params->offset + begin : params->offset;
    *part_count = end - begin;
    return BAILEY_OK;
}

/* The bytes of a state: "bailey\r\n", then in little-endian order version and size (16 bits each), generator,
 * seed, stream, offset, sequence, warp_set, zeros, and FNV-1a (64 bits) of all before. */
enum {
    AT_VERSION = 8,
    AT_SIZE = 10,
    AT_GENERATOR = 12,
    AT_SEED = 16,
    AT_STREAM = 24,
    AT_OFFSET = 32,
    AT_SEQUENCE = 40,
    AT_WARP_SET = 44,
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

bailey_status bailey_random_save(const bailey_random_params *params, uint8_t bytes[BAILEY_RANDOM_STATE_BYTES])
{
    if (!params) return bly_fail_argument("params", "params is NULL");
    if (!bytes) return bly_fail_argument("bytes", "bytes is NULL");
    const bailey_status status = bly_check_random(params);
    if (status != BAILEY_OK) return status;
    memset(bytes, 0, BAILEY_RANDOM_STATE_BYTES);
    memcpy(bytes, magic, 8);
    put(bytes + AT_VERSION, VERSION, 2);
    put(bytes + AT_SIZE, BAILEY_RANDOM_STATE_BYTES, 2);
    put(bytes + AT_GENERATOR, (uint64_t)params->generator, 4);
    put(bytes + AT_SEED, params->seed, 8);
    put(bytes + AT_STREAM, params->stream, 8);
    put(bytes + AT_OFFSET, params->offset, 8);
    put(bytes + AT_SEQUENCE, (uint64_t)params->sequence, 4);
    put(bytes + AT_WARP_SET, params->warp_set, 4);
    put(bytes + AT_SUM, check_sum(bytes), 8);
    return BAILEY_OK;
}

bailey_status bailey_random_restore(const uint8_t *bytes, size_t size, bailey_random_params *params)
{
    if (!bytes) return bly_fail_argument("bytes", "bytes is NULL");
    if (!params) return bly_fail_argument("params", "params is NULL");
    if (size < AT_GENERATOR || memcmp(bytes, magic, 8) != 0)
        return bly_fail_argument("bytes", "the %zu bytes are not a state that bailey_random_save wrote",
                                 size);
    const unsigned version = (unsigned)get(bytes + AT_VERSION, 2);
    if (version != VERSION)
        return bly_fail_argument("bytes", "the state is of version %u, this library reads version %d",
                                 version, VERSION);
    if (size != BAILEY_RANDOM_STATE_BYTES || get(bytes + AT_SIZE, 2) != BAILEY_RANDOM_STATE_BYTES)
        return bly_fail_argument("size", "the state has %zu bytes, it takes %d", size,
                                 BAILEY_RANDOM_STATE_BYTES);
    if (get(bytes + AT_SUM, 8) != check_sum(bytes))
        return bly_fail_argument("bytes", "the state is damaged: its check sum is wrong");
    const bailey_random_params found = {.seed = get(bytes + AT_SEED, 8),
                                        .stream = get(bytes + AT_STREAM, 8),
                                        .offset = get(bytes + AT_OFFSET, 8),
                                        .generator = (bailey_generator)get(bytes + AT_GENERATOR, 4),
                                        .sequence = (bailey_sequence)get(bytes + AT_SEQUENCE, 4),
                                        .warp_set = (uint32_t)get(bytes + AT_WARP_SET, 4)};
    const bailey_status status = bly_check_random(&found);
    if (status == BAILEY_OK) *params = found;
    return bly_name_argument(status, "bytes");
}
