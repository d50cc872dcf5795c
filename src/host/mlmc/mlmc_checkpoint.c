/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The file of a run, as sealed bytes (run/seal.h): where the driver is, and the nodes of all terms. A run
 * resumes to the same bits, as its decisions depend on nothing else. Contents with a good checksum are
 * checked all the same: files can be made by others.
 */
#include "driver.h"

#include <base/alloc.h>
#include <base/bytes.h>
#include <base/log.h>
#include <host/describe/records.h>
#include <host/internal.h>
#include <host/run/checkpoint.h>

#define LEVELS BAILEY_MLMC_MAX_LEVELS
#define MOST_NODES 64u /* of a term, each of less height than the previous one */
#define ROUND_WORDS (1 + 3 * BLY_TERMS)
#define CHOICE_WORDS (2 + 5 * LEVELS)
#define MOST_WORDS (5 + CHOICE_WORDS + BLY_TERMS + 2 * ROUND_WORDS + BLY_TERMS * (2 + MOST_NODES * (2 + BLY_LEVEL_ROWS)))
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

/* Whether the rounds go on where `at` ends, and end where all that is queued does. */
static int rounds_are_sound(const struct bly_mlmc_state *s, const struct bly_term_sums *sums)
{
    uint64_t at[BLY_TERMS];
    memcpy(at, sums->samples, sizeof at);
    for (uint32_t i = 0; i < s->queued; i++) {
        const struct bly_round *round = &s->under_way[i];
        uint32_t before = (s->finest + 1) * sums->kinds;
        if (round->count == 0 || round->count > before) return 0;
        for (uint32_t j = 0; j < round->count; j++) {
            const struct bly_sample_range *range = &round->range[j];
            const uint32_t place = bly_term_level(range->term) * sums->kinds + bly_term_kind(range->term);
            if (place >= before) return 0;
            before = place;
            if (range->first != at[range->term] || range->count == 0 || range->count % BLY_LEVEL_GRAIN ||
                range->count > BLY_MLMC_MOST_SAMPLES - range->first)
                return 0;
            at[range->term] += range->count;
        }
    }
    return memcmp(at, s->samples, sizeof at) == 0;
}

static int is_sound(const struct bly_mlmc_state *s, const struct bly_term_sums *sums)
{
    if (s->finest >= LEVELS || s->queued > 2 || s->queued > s->rounds) return 0;
    for (uint32_t t = 0; t < BLY_TERMS; t++)
        if (sums->samples[t] > BLY_MLMC_MOST_SAMPLES || (bly_term_level(t) > s->finest && sums->samples[t]))
            return 0;
    return rounds_are_sound(s, sums);
}

/* ---- Writing ------------------------------------------------------------------------------------- */

/* With AUTO, behind the rest. */
static void put_choices(uint8_t **to, const struct bly_mlmc_state *s)
{
    bly_put_word(to, s->chosen);
    bly_put_number(to, &s->spent);
    for (uint32_t l = 0; l < LEVELS; l++) {
        const bailey_mlmc_choice *c = &s->choice[l];
        const double *const numbers[] = {&c->constant, &c->dyadic, &c->half, &c->half_dyadic};
        bly_put_word(to, (uint64_t)c->approximate);
        for (int i = 0; i < 4; i++) bly_put_number(to, numbers[i]);
    }
}

static void put_state(uint8_t **to, uint32_t kinds, const struct bly_mlmc_state *s)
{
    bly_put_word(to, s->finest);
    bly_put_word(to, s->rounds);
    bly_put_word(to, s->queued);
    for (uint32_t i = 0; i < s->queued; i++) {
        bly_put_word(to, s->under_way[i].count);
        for (uint32_t j = 0; j < s->under_way[i].count; j++) {
            bly_put_word(to, s->under_way[i].range[j].term);
            bly_put_word(to, s->under_way[i].range[j].first);
            bly_put_word(to, s->under_way[i].range[j].count);
        }
    }
    for (uint32_t t = 0; t < kinds * LEVELS; t++) bly_put_word(to, s->samples[t]);
}

static void put_sums(uint8_t **to, const struct bly_term_sums *sums)
{
    bly_put_word(to, sums->rows);
    for (uint32_t t = 0; t < sums->kinds * LEVELS; t++) {
        const struct bly_tree *tree = &sums->tree[t];
        bly_put_word(to, tree->count);
        for (uint32_t i = 0; i < tree->count; i++) {
            bly_put_word(to, tree->node[i].height);
            bly_put_word(to, tree->node[i].number);
            for (uint32_t r = 0; r < tree->rows; r++) bly_put_number(to, &tree->value[i * tree->rows + r]);
        }
    }
}

bailey_status bly_mlmc_file_write(struct bly_mlmc_file *file)
{
    if (!is_sound(file->state, file->sums)) return BAILEY_OK;
    uint8_t *bytes = bly_alloc(BLY_SEAL_HEAD + 8 * MOST_WORDS + BLY_DIGEST_BYTES, 1);
    if (!bytes) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a checkpoint");
    uint8_t *to = bly_seal_begin(&seal, file->identity, bytes);
    put_state(&to, file->sums->kinds, file->state);
    put_sums(&to, file->sums);
    if (file->state->chooses) put_choices(&to, file->state);
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
    s->queued = (uint32_t)get(c, 2);
    for (uint32_t i = 0; i < s->queued; i++) {
        s->under_way[i].count = (uint32_t)get(c, kinds * LEVELS);
        for (uint32_t j = 0; j < s->under_way[i].count; j++) {
            s->under_way[i].range[j].term = (uint32_t)get(c, kinds * LEVELS - 1);
            s->under_way[i].range[j].first = get(c, BLY_MLMC_MOST_SAMPLES);
            s->under_way[i].range[j].count = get(c, BLY_MLMC_MOST_SAMPLES);
        }
    }
    for (uint32_t t = 0; t < kinds * LEVELS; t++) s->samples[t] = get(c, BLY_MLMC_MOST_SAMPLES);
}

/* Reads a node that continues where the term's samples end. Nodes that wait become smaller from one to the
 * next.
 */
static void get_node(struct contents *c, struct bly_term_sums *sums, uint32_t t, uint32_t *height)
{
    double value[BLY_LEVEL_ROWS] = {0};
    const uint32_t below = *height;
    *height = (uint32_t)get(c, below);
    const uint64_t number = get(c, BLY_MLMC_MOST_SAMPLES);
    c->good = c->good && *height < below && number <= BLY_MLMC_MOST_SAMPLES >> *height &&
              number << *height == sums->samples[t] && c->end - c->from >= (ptrdiff_t)(8 * sums->rows);
    for (uint32_t r = 0; r < sums->rows && c->good; r++) bly_get_number(&c->from, &value[r]);
    if (c->good) bly_term_sums_add(sums, t, *height, number, value, 1);
}

static void get_sums(struct contents *c, struct bly_term_sums *sums)
{
    c->good = c->good && get(c, BLY_LEVEL_ROWS) == sums->rows;
    for (uint32_t t = 0; t < sums->kinds * LEVELS; t++) {
        uint32_t height = MOST_NODES - 1;
        const uint32_t count = (uint32_t)get(c, MOST_NODES);
        for (uint32_t i = 0; i < count && c->good; i++) get_node(c, sums, t, &height);
    }
}

static void get_number(struct contents *c, double *number)
{
    c->good = c->good && c->end - c->from >= 8;
    if (c->good) bly_get_number(&c->from, number);
    c->good = c->good && *number >= 0 && isfinite(*number);
}

/* Corrections are of levels that have a kind alone. */
static void get_choices(struct contents *c, const struct bly_term_sums *sums, struct bly_mlmc_state *s)
{
    s->chosen = (uint32_t)get(c, s->finest + 1);
    get_number(c, &s->spent);
    for (uint32_t l = 0; l < LEVELS; l++) {
        bailey_mlmc_choice *to = &s->choice[l];
        double *const numbers[] = {&to->constant, &to->dyadic, &to->half, &to->half_dyadic};
        to->approximate = (bailey_mlmc_approximation)get(c, l < s->chosen ? BLY_APPROXIMATIONS - 1 : 0);
        for (int i = 0; i < 4; i++) get_number(c, numbers[i]);
        c->good = c->good && (to->approximate != 0) == (sums->samples[bly_term_of(l, 1)] != 0) &&
                  (s->samples[bly_term_of(l, 1)] != 0) == (to->approximate != 0);
    }
}

static bailey_status read_bytes(const uint8_t *bytes, uint64_t size, const struct bly_identity *identity,
                                struct bly_term_sums *sums, struct bly_mlmc_state *state)
{
    const bailey_status status = bly_seal_check(&seal, identity, bytes, size);
    if (status != BAILEY_OK) return status;
    struct contents c = {bytes + BLY_SEAL_HEAD, bytes + size - BLY_DIGEST_BYTES, 1};
    get_state(&c, sums->kinds, state);
    get_sums(&c, sums);
    if (state->chooses) get_choices(&c, sums, state);
    const int good = c.good && c.from == c.end && is_sound(state, sums);
    return good ? BAILEY_OK : bly_seal_damaged(&seal, "it is not what it says");
}

bailey_status bly_mlmc_file_read(const char *path, const struct bly_identity *identity,
                                 struct bly_term_sums *sums, struct bly_mlmc_state *state)
{
    uint8_t *bytes;
    uint64_t size = 0;
    bailey_status status = bly_checkpoint_load(path, &bytes, &size);
    if (status == BAILEY_OK && bytes)
        status = bly_checkpoint_refuse(path, read_bytes(bytes, size, identity, sums, state));
    bly_free(bytes);
    return status;
}
