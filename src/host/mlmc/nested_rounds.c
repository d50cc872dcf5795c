/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Differences with approximate normals and their corrections are two programs, which have rounds of their
 * own. A list for both is one for each, queued one after the other, corrections first, whose samples take
 * longest.
 */
#include "nested_rounds.h"

#include "mlmc_rounds.h"

#include <base/alloc.h>

#define LISTS 2u /* under way */
/* Streams from a level's differences to its corrections: more than there are levels. */
#define STREAMS 32u

struct bly_nested_rounds {
    struct bly_rounds *rounds[BLY_KINDS];
    uint32_t queued, taken;    /* lists */
    int has[LISTS][BLY_KINDS]; /* whether a list has samples of a kind */
};

static bailey_status queue_kind(struct bly_nested_rounds *n, uint32_t kind,
                                const struct bly_level_range *list, uint32_t count)
{
    const struct bly_sampler sampler = bly_rounds_sampler(n->rounds[kind]);
    struct bly_level_range own[BAILEY_MLMC_MAX_LEVELS];
    uint32_t owned = 0;
    for (uint32_t i = 0; i < count; i++) {
        if ((list[i].level >= BLY_CORRECTIONS) != kind) continue;
        own[owned] = list[i];
        own[owned++].level -= kind * BLY_CORRECTIONS;
    }
    n->has[n->queued % LISTS][kind] = owned > 0;
    return owned ? sampler.queue(sampler.user, own, owned) : BAILEY_OK;
}

static bailey_status queue(void *user, const struct bly_level_range *list, uint32_t count)
{
    struct bly_nested_rounds *n = user;
    bailey_status status = BAILEY_OK;
    for (uint32_t kind = BLY_KINDS; kind-- > 0 && status == BAILEY_OK;)
        status = queue_kind(n, kind, list, count);
    if (status == BAILEY_OK) n->queued++;
    return status;
}

static bailey_status take(void *user)
{
    struct bly_nested_rounds *n = user;
    const int *has = n->has[n->taken++ % LISTS];
    bailey_status status = BAILEY_OK;
    for (uint32_t kind = BLY_KINDS; kind-- > 0 && (status == BAILEY_OK || status == BAILEY_ERROR_PAYOFF);) {
        const bailey_status one = has[kind] ? bly_rounds_take(n->rounds[kind]) : BAILEY_OK;
        if (one != BAILEY_OK && !(status == BAILEY_ERROR_PAYOFF && one == BAILEY_ERROR_INVALID)) status = one;
    }
    return status;
}

struct bly_sampler bly_nested_rounds_sampler(struct bly_nested_rounds *n)
{
    return (struct bly_sampler){.user = n, .queue = queue, .take = take};
}

bailey_source bly_nested_source(const bailey_mlmc_run_params *params, uint32_t kind)
{
    bailey_source source = params->source;
    source.stream += kind * STREAMS;
    return source;
}

static bailey_status create_kinds(struct bly_nested_rounds *n, bailey_mlmc *m,
                                  const bailey_mlmc_run_params *params, struct bly_levels *levels)
{
    bailey_status status = BAILEY_OK;
    if (params->source.stream > UINT64_MAX - STREAMS - (BAILEY_MLMC_MAX_LEVELS - 1))
        status = bly_fail_argument("stream", "stream %llu and those of levels and corrections exceed 2^64",
                                   (unsigned long long)params->source.stream);
    for (uint32_t kind = 0; kind < BLY_KINDS && status == BAILEY_OK; kind++) {
        bailey_mlmc_run_params own = *params;
        own.source = bly_nested_source(params, kind);
        status = bly_rounds_create_approximate(m, &own, (int)kind, levels, &n->rounds[kind]);
    }
    return status;
}

bailey_status bly_nested_rounds_create(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                       struct bly_levels *levels, struct bly_nested_rounds **out)
{
    struct bly_nested_rounds *n = bly_alloc(1, sizeof *n);
    *out = NULL;
    if (!n) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a run of levels");
    const bailey_status status = create_kinds(n, mlmc, params, levels);
    if (status == BAILEY_OK)
        *out = n;
    else
        bly_nested_rounds_destroy(n);
    return status;
}

void bly_nested_rounds_destroy(struct bly_nested_rounds *n)
{
    if (!n) return;
    for (uint32_t kind = 0; kind < BLY_KINDS; kind++) bly_rounds_destroy(n->rounds[kind]);
    bly_free(n);
}
