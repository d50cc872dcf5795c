/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A table of hashes of 128 bits with linear probing: of 10^9 deals the chance that two ids have one hash is
 * below 10^-20. The deals of other processes are examined too, so the id is found without reading the JSON
 * around it.
 */
#include "batch.h"

#include <cli/io/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct batch_id {
    uint64_t hash[2], line; /* line 0: free */
};

/* ---- Finding the id ---- */

static size_t skip_blanks(const char *text, size_t at, size_t length)
{
    while (at < length && strchr(" \t\r\n", text[at]) && text[at]) at++;
    return at;
}

/* Behind the string that begins at `at`. */
static size_t string_end(const char *text, size_t at, size_t length)
{
    for (at++; at < length && text[at] != '"'; at++) at += text[at] == '\\';
    return at < length ? at + 1 : length;
}

static size_t value_end(const char *text, size_t at, size_t length)
{
    if (at < length && text[at] == '"') return string_end(text, at, length);
    while (at < length && text[at] && !strchr(",}] \t\r\n", text[at])) at++;
    return at;
}

/* The value of "id" as it is written, where the deal has one. */
static int find_id(const char *text, size_t length, size_t *begin, size_t *end)
{
    int depth = 0, is_key = 0;
    for (size_t at = 0; at < length;) {
        const char c = text[at];
        if (c != '"') {
            depth += (c == '{' || c == '[') - (c == '}' || c == ']');
            if (c == '{' || c == ',') is_key = depth == 1;
            at++;
            continue;
        }
        const size_t behind = string_end(text, at, length);
        const int found = is_key && behind - at == 4 && !memcmp(text + at, "\"id\"", 4);
        at = behind;
        is_key = 0;
        if (!found) continue;
        at = skip_blanks(text, at, length);
        if (at >= length || text[at] != ':') return 0;
        *begin = skip_blanks(text, at + 1, length);
        *end = value_end(text, *begin, length);
        return *end > *begin;
    }
    return 0;
}

/* ---- The table ---- */

/* FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo) from `start`, mixed by SplitMix64's last steps (G. Steele et al.,
 * 2014). */
static uint64_t hash_from(uint64_t start, const char *text, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ start;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
    return hash ^ hash >> 31;
}

static struct batch_id *place_of(const struct batch_ids *ids, const uint64_t hash[2])
{
    size_t at = (size_t)hash[0] & (ids->room - 1);
    while (ids->table[at].line && memcmp(ids->table[at].hash, hash, sizeof ids->table[at].hash))
        at = (at + 1) & (ids->room - 1);
    return &ids->table[at];
}

static int grow(struct batch_ids *ids)
{
    struct batch_ids larger = {.room = ids->room ? 2 * ids->room : 1024, .count = ids->count};
    larger.table = calloc(larger.room, sizeof *larger.table);
    if (!larger.table) return cli_memory_error("the ids of deals", larger.room * sizeof *larger.table);
    for (size_t i = 0; i < ids->room; i++)
        if (ids->table[i].line) *place_of(&larger, ids->table[i].hash) = ids->table[i];
    free(ids->table);
    *ids = larger;
    return CLI_OK;
}

int batch_ids_add(struct batch_ids *ids, const char *deal, size_t length, uint64_t number, uint64_t line,
                  uint64_t *same)
{
    char own[24];
    size_t begin = 0, end;
    *same = 0;
    if (!find_id(deal, length, &begin, &end)) {
        end = (size_t)snprintf(own, sizeof own, "%llu", (unsigned long long)number);
        begin = 0;
        deal = own;
    }
    const uint64_t hash[2] = {hash_from(0, deal + begin, end - begin),
                              hash_from(UINT64_C(0x9e3779b97f4a7c15), deal + begin, end - begin)};
    if (4 * ids->count >= 3 * ids->room && grow(ids)) return CLI_FAILED;
    struct batch_id *place = place_of(ids, hash);
    *same = place->line;
    if (place->line) return CLI_OK;
    *place = (struct batch_id){.hash = {hash[0], hash[1]}, .line = line};
    ids->count++;
    return CLI_OK;
}

void batch_ids_free(struct batch_ids *ids)
{
    free(ids->table);
    *ids = (struct batch_ids){0};
}
