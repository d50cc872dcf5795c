/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * From lists to adjoints: those of finish, of a step, whose states pass on what they count until nothing is
 * added, and of start.
 */
#include "derivative.h"

#include <base/status.h>
#include <host/payoff/machine.h>

/* Space for seeds, in a list without adjoints. */
static uint32_t *seeds_of(struct bly_derivative *d, struct bly_reversed *r)
{
    uint32_t *seeds = bly_arena_take(&d->arena, (d->states + d->outputs + 1) * sizeof *seeds);
    bly_list_cut(&r->list, r->primal);
    return seeds;
}

/* The bar of a state behind a function is its bar before the next function. */
static bailey_status reverse_state(struct bly_derivative *d, struct bly_reversed *r)
{
    uint32_t *seeds = seeds_of(d, r);
    if (!seeds) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory while differentiating a payoff");
    for (uint32_t k = 0; k < d->states; k++) {
        const struct bly_atom leaf = {.kind = BLY_ATOM_STATE_BAR, .type = &bly_type_real, .number = k};
        if (d->barred[k]) seeds[k] = bly_atom_add(&r->list, &leaf);
    }
    return bly_reverse(d, r, seeds);
}

static bailey_status reverse_finish(struct bly_derivative *d)
{
    uint32_t *seeds = seeds_of(d, &d->finish);
    if (!seeds) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory while differentiating a payoff");
    for (uint32_t o = 0; o < d->outputs; o++) {
        const struct bly_atom leaf = {.kind = BLY_ATOM_WEIGHT, .type = &bly_type_real, .number = o};
        if (d->is_extended ? o + 1 < d->outputs : !d->chosen[o]) continue;
        seeds[o] = d->has_weights && !d->is_extended ? bly_atom_add(&d->finish.list, &leaf)
                                                     : bly_atom_real(&d->finish.list, 1);
    }
    return bly_reverse(d, &d->finish, seeds);
}

/* Whether a state counts that did not. */
static bool note_barred(struct bly_derivative *d, const struct bly_reversed *r)
{
    bool more = false;
    for (uint32_t k = 0; k < d->states; k++) {
        more |= r->state_bars[k] && !d->barred[k];
        d->barred[k] |= r->state_bars[k] != 0;
    }
    return more;
}

#define MOST_KEPT 1024u /* numbers of a path, of all of its states: then none is computed again */

static void choose_every(struct bly_derivative *d)
{
    const uint32_t steps = d->unit->steps ? d->unit->steps : 1;
    if (!d->every && (uint64_t)steps * d->states <= MOST_KEPT) d->every = steps;
    if (!d->every)
        for (d->every = 1; d->every * d->every < steps;) d->every++;
    if (d->every > steps) d->every = steps;
}

static bailey_status reverse_all(struct bly_derivative *d)
{
    bailey_status status = reverse_finish(d);
    if (status != BAILEY_OK) return status;
    note_barred(d, &d->finish);
    do {
        status = reverse_state(d, &d->step);
    } while (status == BAILEY_OK && note_barred(d, &d->step));
    if (d->has_start && status == BAILEY_OK) status = reverse_state(d, &d->start);
    return status;
}

/* Forward mode by one parameter, of what adjoints by it say that counts. */
static bailey_status extend(struct bly_derivative *d)
{
    const uint8_t *asked = d->asked;
    const bool cross = d->cross, by_time = d->by_time;
    uint8_t *one = bly_arena_take(&d->arena, bly_cells(d->unit->params->type) + 1);
    if (!one) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory while differentiating a payoff");
    one[d->direction] = 1;
    d->asked = one;
    d->cross = d->by_time = false;
    bailey_status status = bly_activity_begin(d);
    if (status == BAILEY_OK) status = bly_jumps_find(d);
    if (status == BAILEY_OK && d->runs) {
        bly_refuse_at(d->unit, d->jumps[0].place,
                      "has no second derivatives: what this comparison changes needs paths that are run again");
        status = BAILEY_ERROR_UNSUPPORTED;
    }
    if (status == BAILEY_OK) status = reverse_all(d);
    if (status == BAILEY_OK) status = bly_forward_extend(d);
    d->asked = asked;
    d->cross = cross;
    d->by_time = by_time;
    return status == BAILEY_OK ? bly_activity_again(d) : status;
}

bailey_status bly_derivative_find(struct bly_derivative *d)
{
    if (d->unit->whole || !d->unit->finish || !d->unit->step)
        return bly_fail(
            BAILEY_ERROR_UNSUPPORTED,
            "%s cannot be differentiated: it has whole, which reads the entire path; write start, step and "
            "finish",
            d->unit->name);
    bailey_status status = d->is_second ? extend(d) : bly_activity_begin(d);
    if (status == BAILEY_OK) status = bly_jumps_find(d);
    if (status == BAILEY_OK) status = reverse_all(d);
    choose_every(d);
    return status;
}

void bly_derivative_free(struct bly_derivative *d) { bly_arena_free(&d->arena); }

bool bly_derivative_has_jumps(const struct bly_derivative *d)
{
    bool any = false;
    for (uint32_t k = 0; k < d->jump_count; k++) any |= d->jumps[k].counts;
    return any;
}

bool bly_derivative_goes_back(const struct bly_derivative *d)
{
    bool any = d->runs && d->step.turn_count && bly_derivative_has_jumps(d);
    for (uint32_t k = 0; k < d->states; k++) any |= d->barred[k] != 0;
    return any;
}

uint32_t bly_derivative_count(const struct bly_derivative *d)
{
    uint32_t count = (d->cross ? d->dims * (d->dims + 1) / 2 : 0) + d->by_time;
    for (uint32_t k = 0; k < d->params; k++) count += d->asked[k] != 0;
    return count;
}

uint32_t bly_derivative_outputs(const struct bly_derivative *d)
{
    return d->outputs + bly_derivative_count(d) * (d->parts && bly_derivative_has_jumps(d) ? 2 : 1);
}
