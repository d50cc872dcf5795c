/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A run as sealed bytes (run/seal.h): where it is, and the nodes of its levels. What the checksum accepts is
 * checked all the same: files can be made.
 */
#include "mlmc_checkpoint.h"

#include "mlmc_run.h"
#include "nested.h"

#include <base/alloc.h>
#include <base/bytes.h>
#include <base/log.h>
#include <host/describe/digest.h>
#include <host/internal.h>
#include <host/run/checkpoint.h>

#define LEVELS BAILEY_MLMC_MAX_LEVELS
#define MOST_NODES 64u /* of an estimator, each less than the one before */
#define LIST_WORDS (1 + 3 * BLY_ESTIMATORS)
#define MOST_WORDS                                                                                           \
    (5 + BLY_ESTIMATORS + 2 * LIST_WORDS + BLY_ESTIMATORS * (2 + MOST_NODES * (2 + BLY_LEVEL_ROWS)))
static const struct bly_seal seal = {"bailey mlmc ",
                                     3,
                                     2,
                                     "checkpoint",
                                     "it is damaged, or not of levels",
                                     {[BLY_IDENTITY_PATH] = "the paths, or the precision",
                                      [BLY_IDENTITY_PAYOFF] = "the code of levels",
                                      [BLY_IDENTITY_PARAMETERS] = "the parameters of the levels",
                                      [BLY_IDENTITY_SOURCE] = "the source, or how normals are drawn",
                                      [BLY_IDENTITY_RUN] = "the eps, costs, or other parameters of the run"}};

void bly_mlmc_identify(const bailey_mlmc_run_params *p, struct bly_identity *identity)
{
    bly_source_digest(&p->source, &p->normal, identity->digest[BLY_IDENTITY_SOURCE]);
    bly_record_digest_of(&bly_record_mlmc_run_params, p, identity->digest[BLY_IDENTITY_RUN]);
}

/* ---- What may be --------------------------------------------------------------------------------- */

/* Whether the lists go on where `at` ends, and end where all that is queued does. */
static int lists_are_sound(const struct bly_mlmc_state *s, const struct bly_levels *levels)
{
    uint64_t at[BLY_ESTIMATORS];
    memcpy(at, levels->samples, sizeof at);
    for (uint32_t i = 0; i < s->lists; i++) {
        const struct bly_mlmc_list *list = &s->under_way[i];
        uint32_t before = (s->finest + 1) * levels->kinds;
        if (list->count == 0 || list->count > before) return 0;
        for (uint32_t j = 0; j < list->count; j++) {
            const struct bly_level_range *range = &list->range[j];
            const uint32_t place = range->level % LEVELS * levels->kinds + range->level / LEVELS;
            if (place >= before) return 0;
            before = place;
            if (range->first != at[range->level] || range->count == 0 || range->count % BLY_LEVEL_GRAIN ||
                range->count > BLY_MLMC_MOST_SAMPLES - range->first)
                return 0;
            at[range->level] += range->count;
        }
    }
    return memcmp(at, s->queued, sizeof at) == 0;
}

static int is_sound(const struct bly_mlmc_state *s, const struct bly_levels *levels)
{
    if (s->finest >= LEVELS || s->lists > 2 || s->lists > s->rounds) return 0;
    for (uint32_t e = 0; e < BLY_ESTIMATORS; e++)
        if (levels->samples[e] > BLY_MLMC_MOST_SAMPLES || (e % LEVELS > s->finest && levels->samples[e]))
            return 0;
    return lists_are_sound(s, levels);
}

/* ---- Writing ------------------------------------------------------------------------------------- */

static void put_state(uint8_t **to, uint32_t kinds, const struct bly_mlmc_state *s)
{
    bly_put_word(to, s->finest);
    bly_put_word(to, s->rounds);
    bly_put_word(to, s->lists);
    for (uint32_t i = 0; i < s->lists; i++) {
        bly_put_word(to, s->under_way[i].count);
        for (uint32_t j = 0; j < s->under_way[i].count; j++) {
            bly_put_word(to, s->under_way[i].range[j].level);
            bly_put_word(to, s->under_way[i].range[j].first);
            bly_put_word(to, s->under_way[i].range[j].count);
        }
    }
    for (uint32_t e = 0; e < kinds * LEVELS; e++) bly_put_word(to, s->queued[e]);
}

static void put_levels(uint8_t **to, const struct bly_levels *levels)
{
    bly_put_word(to, levels->rows);
    for (uint32_t e = 0; e < levels->kinds * LEVELS; e++) {
        const struct bly_tree *tree = &levels->tree[e];
        bly_put_word(to, tree->count);
        for (uint32_t i = 0; i < tree->count; i++) {
            bly_put_word(to, tree->node[i].level);
            bly_put_word(to, tree->node[i].number);
            for (uint32_t r = 0; r < tree->rows; r++) bly_put_number(to, &tree->value[i * tree->rows + r]);
        }
    }
}

bailey_status bly_mlmc_file_write(struct bly_mlmc_file *file)
{
    if (!is_sound(file->state, file->levels)) return BAILEY_OK;
    uint8_t *bytes = bly_alloc(BLY_SEAL_HEAD + 8 * MOST_WORDS + BLY_DIGEST_BYTES, 1);
    if (!bytes) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a checkpoint");
    uint8_t *to = bly_seal_begin(&seal, file->identity, bytes);
    put_state(&to, file->levels->kinds, file->state);
    put_levels(&to, file->levels);
    const uint64_t size = bly_seal_end(bytes, to);
    const bailey_status status = bly_checkpoint_write(file->path, bytes, size);
    bly_free(bytes);
    file->saved = bly_seconds();
    return status;
}

bailey_status bly_mlmc_file_save(void *user)
{
    struct bly_mlmc_file *file = user;
    if (bly_seconds() - file->saved < file->every) return BAILEY_OK;
    if (bly_mlmc_file_write(file) != BAILEY_OK) bly_log(1, "mlmc: %s", bailey_error_message());
    return BAILEY_OK;
}

/* ---- Reading ------------------------------------------------------------------------------------- */

struct contents {
    const uint8_t *from, *end;
    int good; /* nothing was read beyond the end, and all was in its bounds */
};

/* 0 of what is not there, or more than `most`. */
static uint64_t get(struct contents *c, uint64_t most)
{
    c->good = c->good && c->end - c->from >= 8;
    const uint64_t word = c->good ? bly_get_word(&c->from) : 0;
    c->good = c->good && word <= most;
    return c->good ? word : 0;
}

static void get_state(struct contents *c, uint32_t kinds, struct bly_mlmc_state *s)
{
    s->finest = (uint32_t)get(c, LEVELS - 1);
    s->rounds = (uint32_t)get(c, UINT32_MAX);
    s->lists = (uint32_t)get(c, 2);
    for (uint32_t i = 0; i < s->lists; i++) {
        s->under_way[i].count = (uint32_t)get(c, kinds * LEVELS);
        for (uint32_t j = 0; j < s->under_way[i].count; j++) {
            s->under_way[i].range[j].level = (uint32_t)get(c, kinds * LEVELS - 1);
            s->under_way[i].range[j].first = get(c, BLY_MLMC_MOST_SAMPLES);
            s->under_way[i].range[j].count = get(c, BLY_MLMC_MOST_SAMPLES);
        }
    }
    for (uint32_t e = 0; e < kinds * LEVELS; e++) s->queued[e] = get(c, BLY_MLMC_MOST_SAMPLES);
}

/* A node that goes on where the estimator's samples end, and is less than what it follows, as those that wait
 * are. */
static void get_node(struct contents *c, struct bly_levels *levels, uint32_t e, uint32_t *height)
{
    double value[BLY_LEVEL_ROWS] = {0};
    const uint32_t below = *height;
    *height = (uint32_t)get(c, below);
    const uint64_t number = get(c, BLY_MLMC_MOST_SAMPLES);
    c->good = c->good && *height < below && number <= BLY_MLMC_MOST_SAMPLES >> *height &&
              number << *height == levels->samples[e] && c->end - c->from >= (ptrdiff_t)(8 * levels->rows);
    for (uint32_t r = 0; r < levels->rows && c->good; r++) bly_get_number(&c->from, &value[r]);
    if (c->good) bly_levels_add(levels, e, *height, number, value, 1);
}

static void get_levels(struct contents *c, struct bly_levels *levels)
{
    c->good = c->good && get(c, BLY_LEVEL_ROWS) == levels->rows;
    for (uint32_t e = 0; e < levels->kinds * LEVELS; e++) {
        uint32_t height = MOST_NODES - 1;
        const uint32_t count = (uint32_t)get(c, MOST_NODES);
        for (uint32_t i = 0; i < count && c->good; i++) get_node(c, levels, e, &height);
    }
}

static bailey_status read_bytes(const uint8_t *bytes, uint64_t size, const struct bly_identity *identity,
                                struct bly_levels *levels, struct bly_mlmc_state *state)
{
    const bailey_status status = bly_seal_check(&seal, identity, bytes, size);
    if (status != BAILEY_OK) return status;
    struct contents c = {bytes + BLY_SEAL_HEAD, bytes + size - BLY_DIGEST_BYTES, 1};
    get_state(&c, levels->kinds, state);
    get_levels(&c, levels);
    const int good = c.good && c.from == c.end && is_sound(state, levels);
    return good ? BAILEY_OK : bly_seal_damaged(&seal, "it is not what it says");
}

bailey_status bly_mlmc_file_read(const char *path, const struct bly_identity *identity,
                                 struct bly_levels *levels, struct bly_mlmc_state *state)
{
    uint8_t *bytes;
    uint64_t size = 0;
    bailey_status status = bly_checkpoint_load(path, &bytes, &size);
    if (status == BAILEY_OK && bytes)
        status = bly_checkpoint_refuse(path, read_bytes(bytes, size, identity, levels, state));
    bly_free(bytes);
    return status;
}
