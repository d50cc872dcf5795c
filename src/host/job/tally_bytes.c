/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A tally as sealed bytes (run/seal.h), lowest byte first: counts of what follows, stages, nodes, the
 * histogram. Contents with a good checksum are checked all the same: anyone can make a file with one.
 */
#include "tally.h"

#include <base/alloc.h>
#include <base/bytes.h>
#include <host/run/checkpoint.h>

#include <string.h>

/* ---- Writing ------------------------------------------------------------------------------------- */

static uint64_t bins_of(const bailey_tally *t)
{
    return t->counts ? t->params.histogram.bins + UINT64_C(2) : 0;
}

static uint64_t bytes_of(uint32_t stages, uint64_t nodes, uint64_t rows, uint64_t bins)
{
    return BLY_SEAL_HEAD + 8 * (5 + UINT64_C(2) * stages + nodes * (3 + rows) + bins) + BLY_DIGEST_BYTES;
}

uint64_t bailey_tally_bytes(const bailey_tally *t)
{
    return t ? bytes_of(t->stages, t->set.count, t->set.rows, bins_of(t)) : 0;
}

static void put_node(uint8_t **to, const struct bly_node_set *set, uint64_t i)
{
    bly_put_word(to, set->node[i].replicate);
    bly_put_word(to, set->node[i].number);
    bly_put_word(to, set->node[i].height);
    for (uint32_t r = 0; r < set->rows; r++) bly_put_number(to, &set->value[i * set->rows + r]);
}

bailey_status bailey_tally_save(const bailey_tally *t, void *bytes, uint64_t size)
{
    if (!t) return bly_fail_argument("tally", "tally is NULL");
    if (!bytes) return bly_fail_argument("bytes", "bytes is NULL");
    if (size < bailey_tally_bytes(t))
        return bly_fail_argument("size", "size is %llu, but the tally has %llu bytes",
                                 (unsigned long long)size, (unsigned long long)bailey_tally_bytes(t));
    uint8_t *to = bly_seal_begin(&bly_tally_seal, &t->identity, bytes);
    bly_put_word(&to, t->part_bits);
    bly_put_word(&to, t->stages);
    bly_put_word(&to, t->set.count);
    bly_put_word(&to, t->set.rows);
    bly_put_word(&to, bins_of(t));
    for (uint32_t i = 0; i < t->stages; i++) {
        bly_put_word(&to, t->stage[i].paths);
        bly_put_number(&to, &t->stage[i].error);
    }
    for (uint64_t i = 0; i < t->set.count; i++) put_node(&to, &t->set, i);
    for (uint64_t i = 0; i < bins_of(t); i++) bly_put_word(&to, t->counts[i]);
    bly_seal_end(bytes, to);
    return BAILEY_OK;
}

/* ---- Reading ------------------------------------------------------------------------------------- */

static bailey_status damaged(const char *what) { return bly_seal_damaged(&bly_tally_seal, what); }

struct contents {
    uint64_t part_bits, stages, nodes, rows, bins;
    const uint8_t *rest;
};

/* Checks what stands before the numbers, and that they all are there. */
static bailey_status check(const bailey_tally *t, const uint8_t *bytes, uint64_t size, struct contents *c)
{
    const bailey_status status = bly_seal_check(&bly_tally_seal, &t->identity, bytes, size);
    if (status != BAILEY_OK) return status;
    if (size < bytes_of(0, 0, 0, 0)) return damaged("they are too few");
    c->rest = bytes + BLY_SEAL_HEAD;
    c->part_bits = bly_get_word(&c->rest);
    c->stages = bly_get_word(&c->rest);
    c->nodes = bly_get_word(&c->rest);
    c->rows = bly_get_word(&c->rest);
    c->bins = bly_get_word(&c->rest);
    if (c->part_bits != t->part_bits || c->rows != t->set.rows || c->bins != bins_of(t) ||
        c->stages > BAILEY_JOB_MAX_STAGES || c->nodes > size / 8 ||
        bytes_of((uint32_t)c->stages, c->nodes, c->rows, c->bins) != size)
        return damaged("they are not what they say");
    return BAILEY_OK;
}

/* Whether a node may be of the run. */
static int is_sound(const bailey_tally *t, const struct bly_node *node)
{
    if (node->replicate >= t->replicates || node->height < t->part_bits || node->height > BLY_MOST_HEIGHT ||
        node->number > UINT64_MAX >> node->height)
        return 0;
    return bly_node_last(node) >= t->set.first && bly_node_begin(node) <= t->set.last;
}

static bailey_status read_nodes(const bailey_tally *t, struct contents *c, struct bly_found *found)
{
    if (!bly_node_set_reserve(&found->set, c->nodes + 1))
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a tally");
    double *value = bly_alloc(t->set.rows, sizeof *value);
    if (!value) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a tally");
    int sound = 1;
    for (uint64_t i = 0; i < c->nodes && sound; i++) {
        struct bly_node node = {.replicate = bly_get_word(&c->rest), 0, 0};
        node.number = bly_get_word(&c->rest);
        const uint64_t height = bly_get_word(&c->rest);
        node.height = height > BLY_MOST_HEIGHT ? UINT32_MAX : (uint32_t)height;
        for (uint32_t r = 0; r < t->set.rows; r++) bly_get_number(&c->rest, &value[r]);
        sound = is_sound(t, &node) && bly_node_set_add(&found->set, &node, value);
    }
    bly_free(value);
    return sound ? BAILEY_OK : damaged("nodes are not of the run");
}

static bailey_status read_counts(const bailey_tally *t, struct contents *c, struct bly_found *found)
{
    if (!t->counts) return BAILEY_OK;
    found->counts = bly_alloc(c->bins, sizeof *found->counts);
    if (!found->counts) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a tally");
    for (uint64_t i = 0; i < c->bins; i++) found->counts[i] = bly_get_word(&c->rest);
    return BAILEY_OK;
}

static bailey_status load(bailey_tally *t, struct contents *c, struct bly_found *found)
{
    struct bly_stage stage[BAILEY_JOB_MAX_STAGES];
    for (uint64_t i = 0; i < c->stages; i++) {
        stage[i].paths = bly_get_word(&c->rest);
        bly_get_number(&c->rest, &stage[i].error);
    }
    bailey_status status = read_nodes(t, c, found);
    if (status == BAILEY_OK) status = read_counts(t, c, found);
    if (status == BAILEY_OK) status = bly_name_argument(bly_tally_absorb(t, found), "bytes");
    if (status != BAILEY_OK || c->stages <= t->stages) return status;
    t->stages = (uint32_t)c->stages;
    memcpy(t->stage, stage, (size_t)c->stages * sizeof *stage);
    return BAILEY_OK;
}

bailey_status bailey_tally_load(bailey_tally *t, const void *bytes, uint64_t size)
{
    struct contents c = {0};
    if (!t) return bly_fail_argument("tally", "tally is NULL");
    if (!bytes) return bly_fail_argument("bytes", "bytes is NULL");
    bailey_status status = check(t, bytes, size, &c);
    if (status != BAILEY_OK) return status;
    struct bly_found found = {.set = t->set};
    found.set.node = NULL;
    found.set.value = NULL;
    found.set.count = found.set.size = 0;
    fenv_t callers;
    bly_begin_arithmetic(&callers); /* nodes may be joined */
    status = load(t, &c, &found);
    fesetenv(&callers);
    bly_found_free(&found);
    return status;
}

/* ---- In checkpoints ------------------------------------------------------------------------------ */

void *bly_tally_bytes(const bailey_tally *tally, uint64_t *size)
{
    *size = bailey_tally_bytes(tally);
    void *bytes = bly_alloc(*size, 1);
    if (bytes) bailey_tally_save(tally, bytes, *size);
    return bytes;
}

bailey_status bly_tally_resume(const char *path, bailey_tally *tally)
{
    uint8_t *bytes;
    uint64_t size;
    bailey_status status = bly_checkpoint_load(path, &bytes, &size);
    if (status == BAILEY_OK && bytes)
        status = bly_checkpoint_refuse(path, bailey_tally_load(tally, bytes, size));
    bly_free(bytes);
    return status;
}
