/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Differences and corrections are separate programs of each kind of normals, each with a sampler of the
 * schedule BATCHED. A round is one for each program that it has samples of, queued one after the other,
 * corrections first, whose samples take longest. With AUTO the programs of a kind are made when it is first
 * tried.
 */
#include "mlmc_internal.h"

#include <base/alloc.h>

#define ROUNDS 2u /* in flight */
/* Streams from a level's differences to its corrections, more than there are levels: the two means are
 * estimated independently, so that variances add up. */
#define STREAMS 32u
/* By kind, of terms and of normals. The difference with exact normals comes last. */
#define PROGRAMS (BLY_TERM_KINDS * BLY_APPROXIMATIONS)

struct bly_approximate {
    bailey_mlmc *mlmc;
    bailey_mlmc_run_params params;
    struct bly_term_sums *sums;
    struct bly_batched *batched[PROGRAMS]; /* NULL: not made yet */
    uint32_t queued, taken;                /* rounds */
    int has[ROUNDS][PROGRAMS];             /* whether a round has samples of a program */
    struct bly_choosing choosing;
};

static uint32_t program_of(bailey_mlmc_approximation approximate, uint32_t kind)
{
    return kind * BLY_APPROXIMATIONS + (uint32_t)approximate;
}

static bailey_status make_program(struct bly_approximate *a, uint32_t program)
{
    const uint32_t kind = program / BLY_APPROXIMATIONS;
    bailey_mlmc_run_params own = a->params;
    own.approximate = (bailey_mlmc_approximation)(program % BLY_APPROXIMATIONS);
    own.source = bly_approximate_source(&a->params, kind);
    if (a->batched[program]) return BAILEY_OK;
    if (own.approximate)
        return bly_batched_create_approximate(a->mlmc, &own, (int)kind, a->sums, &a->batched[program]);
    own.approximate = a->params.approximate;
    return bly_batched_create(a->mlmc, &own, a->sums, &a->batched[program]);
}

static bailey_status queue_program(struct bly_approximate *a, uint32_t program,
                                   const struct bly_sample_range *range, uint32_t count)
{
    struct bly_sample_range own[BAILEY_MLMC_MAX_LEVELS];
    uint32_t owned = 0;
    for (uint32_t i = 0; i < count; i++)
        if (program_of(range[i].approximate, bly_term_kind(range[i].term)) == program)
            own[owned++] = range[i];
    a->has[a->queued % ROUNDS][program] = owned > 0;
    if (!owned) return BAILEY_OK;
    const bailey_status status = make_program(a, program);
    if (status != BAILEY_OK) return status;
    const struct bly_sampler sampler = bly_batched_sampler(a->batched[program]);
    return sampler.queue(sampler.user, own, owned);
}

static bailey_status queue(void *user, const struct bly_sample_range *range, uint32_t count)
{
    struct bly_approximate *a = user;
    bailey_status status = BAILEY_OK;
    for (uint32_t program = PROGRAMS; program-- > 0 && status == BAILEY_OK;)
        status = queue_program(a, program, range, count);
    if (status == BAILEY_OK) a->queued++;
    return status;
}

/* Where code of several programs failed, the faults say which comes first; a sum that is not finite does not
 * hide one. */
static bailey_status take(void *user)
{
    struct bly_approximate *a = user;
    const int *has = a->has[a->taken++ % ROUNDS];
    bailey_status status = BAILEY_OK;
    for (uint32_t program = PROGRAMS;
         program-- > 0 && (status == BAILEY_OK || status == BAILEY_ERROR_PAYOFF);) {
        const bailey_status one = has[program] ? bly_batched_take(a->batched[program]) : BAILEY_OK;
        if (one != BAILEY_OK && !(status == BAILEY_ERROR_PAYOFF && one == BAILEY_ERROR_INVALID)) status = one;
    }
    return status;
}

/* Samples of a kind that is tried. That half precision cannot express it ends no run. */
static bailey_status make(void *user, const struct bly_sample_range *range, struct bly_term_sums *sums)
{
    struct bly_approximate *a = user;
    const uint32_t program = program_of(range->approximate, bly_term_kind(range->term));
    bailey_status status = make_program(a, program);
    if (status == BAILEY_OK) {
        const struct bly_sampler sampler = bly_batched_sampler(a->batched[program]);
        bly_batched_add_to(a->batched[program], sums);
        status = sampler.queue(sampler.user, range, 1);
        if (status == BAILEY_OK) status = bly_batched_take(a->batched[program]);
        bly_batched_add_to(a->batched[program], a->sums);
    }
    if (status == BAILEY_ERROR_PAYOFF && range->approximate >= BAILEY_MLMC_APPROXIMATION_HALF)
        a->mlmc->fault.found = 0;
    return status;
}

struct bly_sampler bly_approximate_sampler(struct bly_approximate *a)
{
    return (struct bly_sampler){.user = a, .queue = queue, .take = take, .choosing = &a->choosing};
}

bailey_source bly_approximate_source(const bailey_mlmc_run_params *params, uint32_t kind)
{
    bailey_source source = params->source;
    source.stream += kind * STREAMS;
    return source;
}

/* With AUTO only what every run needs. */
static bailey_status create_programs(struct bly_approximate *a)
{
    const bailey_mlmc_run_params *p = &a->params;
    bailey_status status = BAILEY_OK;
    if (p->source.stream > UINT64_MAX - STREAMS - (BAILEY_MLMC_MAX_LEVELS - 1))
        return bly_fail_argument("stream", "stream %llu plus those of levels and corrections exceeds 2^64",
                                 (unsigned long long)p->source.stream);
    if (p->approximate == BAILEY_MLMC_APPROXIMATION_AUTO)
        return make_program(a, program_of(BAILEY_MLMC_APPROXIMATION_EXACT, 0));
    for (uint32_t kind = 0; kind < BLY_TERM_KINDS && status == BAILEY_OK; kind++)
        status = make_program(a, program_of(p->approximate, kind));
    return status;
}

/* A cost that the caller knows replaces the table's. */
static void set_costs(struct bly_approximate *a)
{
    a->choosing.user = a;
    a->choosing.make = make;
    for (uint32_t i = 0; i < BLY_COST_CLASSES && a->params.approximate_cost > 0; i++)
        for (uint32_t l = 0; l < BAILEY_MLMC_MAX_LEVELS; l++)
            a->choosing.cost[i][BAILEY_MLMC_APPROXIMATION_CONSTANT][l] =
                a->choosing.cost[i][BAILEY_MLMC_APPROXIMATION_DYADIC][l] = a->params.approximate_cost;
}

bailey_status bly_approximate_create(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                     struct bly_term_sums *sums, struct bly_approximate **out)
{
    struct bly_approximate *a = bly_alloc(1, sizeof *a);
    *out = NULL;
    if (!a) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a run of levels");
    a->mlmc = mlmc;
    a->params = *params;
    a->sums = sums;
    a->choosing = mlmc->choosing;
    set_costs(a);
    const bailey_status status = create_programs(a);
    if (status == BAILEY_OK)
        *out = a;
    else
        bly_approximate_destroy(a);
    return status;
}

void bly_approximate_destroy(struct bly_approximate *a)
{
    if (!a) return;
    for (uint32_t program = 0; program < PROGRAMS; program++) bly_batched_destroy(a->batched[program]);
    bly_free(a);
}
