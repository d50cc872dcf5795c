/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Differences with approximate normals and their corrections are two programs, each with a sampler of the
 * schedule BATCHED. A round for both is one for each, queued one after the other, corrections first, whose
 * samples take longest.
 */
#include "mlmc_internal.h"

#include <base/alloc.h>

#define ROUNDS 2u /* in flight */
/* Streams from a level's differences to its corrections, more than there are levels: the two means are
 * estimated independently, so that variances add up. */
#define STREAMS 32u

struct bly_approximate {
    struct bly_batched *batched[BLY_TERM_KINDS];
    uint32_t queued, taken;          /* rounds */
    int has[ROUNDS][BLY_TERM_KINDS]; /* whether a round has samples of a kind */
};

static bailey_status queue_kind(struct bly_approximate *a, uint32_t kind,
                                const struct bly_sample_range *range, uint32_t count)
{
    const struct bly_sampler sampler = bly_batched_sampler(a->batched[kind]);
    struct bly_sample_range own[BAILEY_MLMC_MAX_LEVELS];
    uint32_t owned = 0;
    for (uint32_t i = 0; i < count; i++)
        if (bly_term_kind(range[i].term) == kind) own[owned++] = range[i];
    a->has[a->queued % ROUNDS][kind] = owned > 0;
    return owned ? sampler.queue(sampler.user, own, owned) : BAILEY_OK;
}

static bailey_status queue(void *user, const struct bly_sample_range *range, uint32_t count)
{
    struct bly_approximate *a = user;
    bailey_status status = BAILEY_OK;
    for (uint32_t kind = BLY_TERM_KINDS; kind-- > 0 && status == BAILEY_OK;)
        status = queue_kind(a, kind, range, count);
    if (status == BAILEY_OK) a->queued++;
    return status;
}

/* Where code of both kinds failed, the faults say which comes first; a sum that is not finite does not hide
 * one. */
static bailey_status take(void *user)
{
    struct bly_approximate *a = user;
    const int *has = a->has[a->taken++ % ROUNDS];
    bailey_status status = BAILEY_OK;
    for (uint32_t kind = BLY_TERM_KINDS;
         kind-- > 0 && (status == BAILEY_OK || status == BAILEY_ERROR_PAYOFF);) {
        const bailey_status one = has[kind] ? bly_batched_take(a->batched[kind]) : BAILEY_OK;
        if (one != BAILEY_OK && !(status == BAILEY_ERROR_PAYOFF && one == BAILEY_ERROR_INVALID)) status = one;
    }
    return status;
}

struct bly_sampler bly_approximate_sampler(struct bly_approximate *a)
{
    return (struct bly_sampler){.user = a, .queue = queue, .take = take};
}

bailey_source bly_approximate_source(const bailey_mlmc_run_params *params, uint32_t kind)
{
    bailey_source source = params->source;
    source.stream += kind * STREAMS;
    return source;
}

static bailey_status create_kinds(struct bly_approximate *a, bailey_mlmc *m,
                                  const bailey_mlmc_run_params *params, struct bly_term_sums *sums)
{
    bailey_status status = BAILEY_OK;
    if (params->source.stream > UINT64_MAX - STREAMS - (BAILEY_MLMC_MAX_LEVELS - 1))
        status = bly_fail_argument("stream", "stream %llu plus those of levels and corrections exceeds 2^64",
                                   (unsigned long long)params->source.stream);
    for (uint32_t kind = 0; kind < BLY_TERM_KINDS && status == BAILEY_OK; kind++) {
        bailey_mlmc_run_params own = *params;
        own.source = bly_approximate_source(params, kind);
        status = bly_batched_create_approximate(m, &own, (int)kind, sums, &a->batched[kind]);
    }
    return status;
}

bailey_status bly_approximate_create(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                     struct bly_term_sums *sums, struct bly_approximate **out)
{
    struct bly_approximate *a = bly_alloc(1, sizeof *a);
    *out = NULL;
    if (!a) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a run of levels");
    const bailey_status status = create_kinds(a, mlmc, params, sums);
    if (status == BAILEY_OK)
        *out = a;
    else
        bly_approximate_destroy(a);
    return status;
}

void bly_approximate_destroy(struct bly_approximate *a)
{
    if (!a) return;
    for (uint32_t kind = 0; kind < BLY_TERM_KINDS; kind++) bly_batched_destroy(a->batched[kind]);
    bly_free(a);
}
