/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Differences with approximate normals and their corrections are two programs, which have rounds of their
 * own. A list for both is one for each, queued one after the other: while the host joins the nodes of the
 * first, the device is at work on the second.
 */
#include "nested_run.h"

#include "mlmc_rounds.h"
#include "mlmc_run.h"
#include "nested.h"

/* Streams from a level's differences to its corrections: more than there are levels. */
#define STREAMS 32u

struct nested_rounds {
    struct bly_nested nested;
    struct bly_rounds *rounds[2]; /* of differences, of corrections */
    int queued[2];                /* whether the list has any */
};

static bailey_status queue_kind(struct nested_rounds *n, int kind, const struct bly_level_range *list,
                                uint32_t count)
{
    const struct bly_sampler sampler = bly_rounds_sampler(n->rounds[kind]);
    struct bly_level_range own[BAILEY_MLMC_MAX_LEVELS];
    uint32_t owned = 0;
    for (uint32_t i = 0; i < count; i++) {
        if ((list[i].level >= BLY_CORRECTIONS) != kind) continue;
        own[owned] = list[i];
        if (kind) own[owned].level -= BLY_CORRECTIONS;
        owned++;
    }
    const bailey_status status = owned ? sampler.queue(sampler.user, own, owned) : BAILEY_OK;
    n->queued[kind] = owned && status == BAILEY_OK;
    return status;
}

static bailey_status queue(void *user, const struct bly_level_range *list, uint32_t count)
{
    bailey_status status = BAILEY_OK;
    for (int kind = 1; kind >= 0 && status == BAILEY_OK; kind--) status = queue_kind(user, kind, list, count);
    return status;
}

static bailey_status take(void *user)
{
    struct nested_rounds *n = user;
    bailey_status status = BAILEY_OK;
    for (int kind = 1; kind >= 0; kind--) {
        const bailey_status taken = n->queued[kind] ? bly_rounds_take(n->rounds[kind]) : BAILEY_OK;
        n->queued[kind] = 0;
        if (status == BAILEY_OK) status = taken;
    }
    return status;
}

static bailey_status create(bailey_mlmc *m, const bailey_mlmc_run_params *params, struct nested_rounds *n)
{
    bailey_status status = bly_nested_check(params, m->precision);
    if (status == BAILEY_OK && params->source.stream > UINT64_MAX - STREAMS - (BAILEY_MLMC_MAX_LEVELS - 1))
        status = bly_fail_argument("stream", "stream %llu and those of levels and corrections exceed 2^64",
                                   (unsigned long long)params->source.stream);
    if (status == BAILEY_OK) status = bly_nested_create(&n->nested);
    for (int kind = 0; kind < 2 && status == BAILEY_OK; kind++) {
        bailey_mlmc_run_params own = *params;
        own.source.stream += kind ? STREAMS : 0;
        status = bly_rounds_create_approximate(m, &own, kind, &n->nested.levels[kind], &n->rounds[kind]);
    }
    return status;
}

static void destroy(struct nested_rounds *n)
{
    for (int kind = 0; kind < 2; kind++) bly_rounds_destroy(n->rounds[kind]);
    bly_nested_free(&n->nested);
}

bailey_status bly_nested_run(bailey_mlmc *m, const bailey_mlmc_run_params *params, bailey_mlmc_result *result)
{
    struct nested_rounds n = {.queued = {0, 0}};
    const struct bly_sampler sampler = {&n, queue, take};
    bailey_status status = create(m, params, &n);
    if (status == BAILEY_OK) status = bly_nested_drive(params, m->first_steps, &sampler, &n.nested, result);
    destroy(&n);
    return status;
}

/* Numbers of both kinds are as bailey_mlmc_sample has them; one of them may have none at all. */
static bailey_status check_samples(const bailey_mlmc_run_params *params, const uint64_t *samples,
                                   uint32_t levels)
{
    uint64_t any[2] = {0, 0};
    bailey_status status = BAILEY_OK;
    for (uint32_t l = 0; samples && levels <= BAILEY_MLMC_MAX_LEVELS && l < levels; l++) {
        any[0] |= samples[l];
        any[1] |= samples[levels + l];
    }
    for (uint32_t k = 0; k < 2 && status == BAILEY_OK; k++)
        if (any[k] || (k == 0 && !any[1]))
            status = bly_mlmc_check_sample(params, samples ? samples + k * levels : NULL, levels);
    return status;
}

bailey_status bly_nested_run_samples(bailey_mlmc *m, const bailey_mlmc_run_params *params,
                                     const uint64_t *samples, uint32_t levels, bailey_mlmc_result *result)
{
    struct nested_rounds n = {.queued = {0, 0}};
    const struct bly_sampler sampler = {&n, queue, take};
    bailey_status status = check_samples(params, samples, levels);
    if (status == BAILEY_OK) status = create(m, params, &n);
    if (status == BAILEY_OK)
        status = bly_nested_sample(params, m->first_steps, &sampler, samples, levels, &n.nested, result);
    destroy(&n);
    return status;
}
