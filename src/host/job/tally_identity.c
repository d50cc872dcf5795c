/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What a run is: everything that its results depend on, and nothing else. Numbers are added one by one, since
 * structures have padding.
 */
#include "tally.h"

#include <string.h>

static void add_word(struct bly_hash *hash, uint64_t word) { bly_hash_add(hash, &word, sizeof word); }

static void payoff_of(const bailey_simulation *s, uint8_t *digest)
{
    struct bly_hash hash;
    bly_hash_init(&hash);
    bly_payoff_add(&hash, &s->payoff);
    add_word(&hash, s->payoff.outputs);
    bly_hash_done(&hash, digest);
}

static void source_of(const bailey_simulation_run_params *p, uint8_t *digest)
{
    const bailey_source *s = &p->source;
    const uint64_t words[] = {s->seed,          s->stream,          s->generator,
                              s->sequence,      s->warp_set,        bly_scramble_number(s),
                              s->point_order,   s->word_bits,       s->assignment,
                              p->normal.method, p->normal.numerics, p->normal.word_bits};
    bly_hash_of(words, sizeof words, digest);
}

static void add_number(struct bly_hash *hash, double number) { bly_hash_add(hash, &number, sizeof number); }

static void add_numbers(struct bly_hash *hash, const double *numbers, uint64_t count)
{
    add_word(hash, numbers ? count : 0);
    if (numbers) bly_hash_add(hash, numbers, (size_t)count * sizeof *numbers);
}

static void add_scenarios(struct bly_hash *hash, const bailey_simulation *s, const bailey_scenarios *c)
{
    add_word(hash, c->count);
    if (c->count == 0) return;
    for (uint32_t i = 0; i < c->columns; i++) bly_hash_add_text(hash, c->names[i]);
    add_numbers(hash, c->values, c->count * c->columns);
    add_numbers(hash, c->time_shift, c->count);
    add_numbers(hash, c->covariance, c->count * s->dims * s->dims);
    add_numbers(hash, c->rows ? c->weights : NULL, c->rows * c->count * s->payoff.outputs);
    const uint64_t d = s->dims;
    add_numbers(hash, c->rows ? c->scores : NULL, c->rows * (1 + d + d * d));
}

/* expected is not part of it: the sums are the same. */
static void run_of(const bailey_simulation *s, const bailey_simulation_run_params *p, uint8_t *digest)
{
    const bailey_histogram *h = &p->histogram;
    struct bly_hash hash;
    bly_hash_init(&hash);
    add_word(&hash, p->first_path);
    add_word(&hash, p->paths);
    add_word(&hash, bly_simulation_replicates(p));
    add_word(&hash, p->antithetic);
    add_word(&hash, p->covariance || p->expected);
    add_word(&hash, p->moments);
    add_word(&hash, h->bins);
    add_word(&hash, h->bins ? h->output : 0);
    add_number(&hash, h->bins ? h->low : 0);
    add_number(&hash, h->bins ? h->high : 0);
    add_word(&hash, p->sum);
    add_number(&hash, p->sum_limit);
    add_scenarios(&hash, s, &p->scenarios);
    bly_hash_done(&hash, digest);
}

void bly_identity_of(const bailey_simulation *s, const bailey_simulation_run_params *params,
                     struct bly_identity *identity)
{
    const char *version = bailey_version();
    bly_hash_of(version, strlen(version), identity->digest[BLY_IDENTITY_VERSION]);
    payoff_of(s, identity->digest[BLY_IDENTITY_PAYOFF]);
    bly_parameters_digest(&s->payoff, s->precision, s->values, identity->digest[BLY_IDENTITY_PARAMETERS]);
    memcpy(identity->digest[BLY_IDENTITY_PATH], s->path_digest, BLY_DIGEST_BYTES);
    source_of(params, identity->digest[BLY_IDENTITY_SOURCE]);
    run_of(s, params, identity->digest[BLY_IDENTITY_RUN]);
}

const char *bly_identity_differs(const struct bly_identity *a, const struct bly_identity *b)
{
    static const char *const names[BLY_IDENTITY_PARTS] = {
        [BLY_IDENTITY_VERSION] = "the library's version",
        [BLY_IDENTITY_PATH] = "the paths, or the precision",
        [BLY_IDENTITY_PAYOFF] = "the payoff's text",
        [BLY_IDENTITY_PARAMETERS] = "the payoff's parameters",
        [BLY_IDENTITY_SOURCE] = "the source, or how normals are drawn",
        [BLY_IDENTITY_RUN] =
            "the numbers of paths and replicates, or what is kept of them and how it is added up"};
    for (int i = 0; i < BLY_IDENTITY_PARTS; i++)
        if (memcmp(a->digest[i], b->digest[i], BLY_DIGEST_BYTES) != 0) return names[i];
    return NULL;
}
