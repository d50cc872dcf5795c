/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * From lists to adjoints: those of finish, of a step, whose states pass on what they count until nothing is
 * added, and of start.
 */
#include "derivative.h"
#include "symbols.h"

#include <base/status.h>
#include <host/payoff/machine.h>

#include <string.h>

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
    if (!seeds) return bly_derive_full(d->unit, &d->arena);
    for (uint32_t k = 0; k < d->states; k++) {
        const struct bly_atom leaf = {.kind = BLY_ATOM_STATE_BAR, .type = &bly_type_real, .number = k};
        if (d->barred[k]) seeds[k] = bly_atom_add(&r->list, &leaf);
    }
    return bly_reverse(d, r, seeds);
}

static bailey_status reverse_finish(struct bly_derivative *d)
{
    uint32_t *seeds = seeds_of(d, &d->finish);
    if (!seeds) return bly_derive_full(d->unit, &d->arena);
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

/* ---- Values that are the same in all steps ------------------------------------------------------- */

static bailey_status reverse_fixed(struct bly_derivative *d)
{
    const struct bly_reversed *step = &d->step;
    struct bly_reversed *r = &d->fixed;
    for (uint32_t k = 0; k < step->fixed_count; k++)
        d->has_fixed |= step->list.values[step->fixed_bars[k]].kind != BLY_ATOM_FIXED_BAR;
    if (!d->has_fixed) return BAILEY_OK;
    *r = *step;
    r->fixed = NULL;
    r->bars = bly_arena_take(&d->arena, r->primal * sizeof *r->bars);
    r->state_bars = bly_arena_take(&d->arena, (d->states + 1) * sizeof *r->state_bars);
    r->param_bars = bly_arena_take(&d->arena, (d->params + 1) * sizeof *r->param_bars);
    r->point_bars = bly_arena_take(&d->arena, (d->dims + 1) * sizeof *r->point_bars);
    uint32_t *none = bly_arena_take(&d->arena, (d->states + d->outputs + 1) * sizeof *none);
    const bool all = r->bars && r->state_bars && r->param_bars && r->point_bars && none &&
                     bly_list_copy(&step->list, step->primal, &r->list);
    if (!all) return bly_derive_full(d->unit, &d->arena);
    return bly_reverse(d, r, none);
}

/* ---- States that are kept ------------------------------------------------------------------------ */

static void reach(const struct bly_atoms *list, uint8_t *reached)
{
    for (uint32_t i = list->count; i-- > 1;) {
        const struct bly_atom *v = &list->values[i];
        if (reached[i]) reached[v->a] = reached[v->b] = reached[v->c] = 1;
    }
}

/* The fields that any of the values is computed from are needed; whether one was not before. */
static bool need_states(struct bly_derivative *d, const struct bly_atoms *list, const uint8_t *reached)
{
    bool more = false;
    for (uint32_t i = 1; i < list->count; i++) {
        const struct bly_atom *v = &list->values[i];
        if (!reached[i] || v->kind != BLY_ATOM_STATE || d->needed[v->number]) continue;
        more = true;
        for (const struct bly_field_node *f = d->unit->state->fields; f; f = f->next) {
            const uint32_t cells = bly_cells(f->type);
            if (v->number >= f->cell && v->number < f->cell + cells) memset(d->needed + f->cell, 1, cells);
        }
    }
    return more;
}

static void reach_adjoints(const struct bly_derivative *d, const struct bly_reversed *r, uint8_t *reached)
{
    for (uint32_t k = 0; k < d->states; k++) reached[r->state_bars[k]] = 1;
    for (uint32_t k = 0; k < d->params; k++) reached[r->param_bars[k]] = 1;
    for (uint32_t k = 0; k < r->fixed_count; k++) reached[r->fixed_bars[k]] = 1;
    for (uint32_t k = 0; k < d->dims; k++) reached[r->point_bars[k]] = 1;
    reached[r->time_bar] = 1;
    for (uint32_t k = 0; k < r->scatter_count; k++)
        reached[r->scatters[k].index] = reached[r->scatters[k].value] = 1;
}

/* States that the adjoints of a step read, and those that these are computed from. */
static bailey_status find_needed(struct bly_derivative *d)
{
    const struct bly_reversed *r = &d->step;
    uint8_t *reached = bly_arena_take(&d->arena, r->list.count);
    if (!reached) return bly_derive_full(d->unit, &d->arena);
    if (d->runs && bly_derivative_has_jumps(d)) { /* paths run on from any of them */
        memset(d->needed, 1, d->states);
        return BAILEY_OK;
    }
    reach_adjoints(d, r, reached);
    do {
        reach(&r->list, reached);
        if (!need_states(d, &r->list, reached)) return BAILEY_OK;
        for (uint32_t k = 0; k < d->states; k++)
            if (d->needed[k]) reached[r->results[k]] = 1;
    } while (true);
}

static uint32_t cell_bytes(const struct bly_derivative *d, uint32_t cell)
{
    switch (bly_symbols_type(d->unit->state->type, cell)->kind) {
    case BLY_TYPE_REAL: return d->unit->precision == BAILEY_PRECISION_F32 ? 4 : 8;
    case BLY_TYPE_INT64:
    case BLY_TYPE_UINT64: return 8;
    default: return 4;
    }
}

/* States of `levels` levels: each has as many as the others, or a few less. */
static uint64_t divide_steps(struct bly_derivative *d, uint32_t levels, uint32_t each)
{
    const uint32_t steps = d->unit->steps;
    uint64_t span = 1, total = 0;
    d->levels = levels;
    for (uint32_t l = levels; l-- > 0;) {
        d->span[l] = (uint32_t)span;
        d->count[l] = l ? each : (uint32_t)((steps + span - 1) / span);
        total += d->count[l];
        span *= each;
    }
    return total;
}

/* The least number whose power is at least the number of steps. */
static uint32_t root_of_steps(uint32_t steps, uint32_t power)
{
    for (uint32_t root = 1;; root++) {
        uint64_t all = 1;
        for (uint32_t k = 0; k < power && all < steps; k++) all *= root;
        if (all >= steps) return root;
    }
}

#define MOST_KEPT 1024u /* numbers of a path, of all of its states: then none is computed again */
#define DEFAULT_BYTES (UINT64_C(1) << 20)

/* Where there are segments, all states of one and the first ones of all; else the fewest levels within
 * BLY_GOOD_BYTES, else within the budget. A level more takes fewer states, and another run through the steps.
 */
static bailey_status choose_levels(struct bly_derivative *d, uint64_t bytes, uint32_t cells)
{
    const uint32_t steps = d->unit->steps;
    const uint64_t budget = d->memory ? d->memory : DEFAULT_BYTES;
    const uint64_t good = budget < BLY_GOOD_BYTES ? budget : BLY_GOOD_BYTES;
    uint64_t least = UINT64_MAX;
    uint32_t with = 1;
    if (d->segment && bytes * divide_steps(d, d->segment < steps ? 2 : 1, d->segment) <= good)
        return BAILEY_OK;
    for (uint32_t levels = 1; levels <= BLY_MOST_LEVELS; levels++) {
        const uint64_t total = bytes * divide_steps(d, levels, root_of_steps(steps, levels));
        if (total <= good && (levels > 1 || (uint64_t)steps * cells <= MOST_KEPT)) return BAILEY_OK;
        if (total >= least) continue;
        least = total;
        with = levels;
    }
    if (least > budget)
        return bly_fail_argument("memory",
                                 "memory is %llu bytes per path, but the states of %s need at least %llu",
                                 (unsigned long long)budget, d->unit->name, (unsigned long long)least);
    divide_steps(d, with, root_of_steps(steps, with));
    return BAILEY_OK;
}

static bailey_status find_levels(struct bly_derivative *d)
{
    const uint32_t steps = d->unit->steps ? d->unit->steps : 1;
    uint32_t cells = 0;
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < d->states; k++) {
        if (!d->needed[k]) continue;
        cells++;
        bytes += cell_bytes(d, k);
    }
    bailey_status status = BAILEY_OK;
    if (!cells || (d->every && d->every >= steps))
        divide_steps(d, 1, steps);
    else if (d->every)
        divide_steps(d, 2, d->every);
    else
        status = choose_levels(d, bytes, cells);
    for (uint32_t l = 0; l < d->levels; l++) d->kept_bytes += bytes * d->count[l];
    return status;
}

static bailey_status reverse_all(struct bly_derivative *d)
{
    bailey_status status = reverse_finish(d);
    if (status != BAILEY_OK) return status;
    note_barred(d, &d->finish);
    bool more;
    do {
        status = reverse_state(d, &d->step);
        if (status == BAILEY_OK && d->has_pair) status = reverse_state(d, &d->pair);
        if (status != BAILEY_OK) return status;
        more = note_barred(d, &d->step);
        if (d->has_pair) more |= note_barred(d, &d->pair);
    } while (more);
    if (d->has_start && status == BAILEY_OK) status = reverse_state(d, &d->start);
    return status;
}

/* Forward mode by one parameter, of what adjoints by it say that counts. */
static bailey_status extend(struct bly_derivative *d)
{
    const uint8_t *asked = d->asked;
    const bool cross = d->cross, by_time = d->by_time;
    uint8_t *one = bly_arena_take(&d->arena, bly_cells(d->unit->params->type) + 1);
    if (!one) return bly_derive_full(d->unit, &d->arena);
    one[d->direction] = 1;
    d->asked = one;
    d->cross = d->by_time = false;
    bailey_status status = bly_activity_begin(d);
    if (status == BAILEY_OK) status = bly_jumps_find(d);
    d->step.fixed = NULL; /* all values that count are to have bars */
    d->step.fixed_count = 0;
    if (status == BAILEY_OK && d->runs) {
        bly_refuse_at(
            d->unit, d->jumps[0].place,
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

/* A jump of the levels has no width: what it decides counts for the result, and its sides move. */
static bailey_status refuse_jumps(const struct bly_derivative *d, const struct bly_reversed *r)
{
    for (uint32_t k = 0; k < r->turn_count; k++) {
        const struct bly_atom *c = &r->list.values[r->turns[k].atom];
        if (!r->varied[c->a] && !(c->b && r->varied[c->b])) continue;
        bly_refuse_at(
            d->unit, c->place,
            "cannot be differentiated: the payoff jumps at this comparison, and jumps of levels have "
            "no width; make the payoff continuous");
        return BAILEY_ERROR_UNSUPPORTED;
    }
    return BAILEY_OK;
}

bailey_status bly_derivative_levels(struct bly_derivative *d, struct bly_text *text)
{
    static const uint8_t both[2] = {1, 1};
    d->chosen = both;
    d->has_weights = true; /* so that bars of the two do not cancel */
    const struct bly_derivative given = *d;
    bailey_status status = bly_activity_begin(d);
    if (status == BAILEY_ERROR_UNSUPPORTED && d->needs_loops) { /* what counts is found without adjoints */
        bly_arena_free(&d->arena);
        *d = given;
        d->forward = true;
        status = bly_activity_begin(d);
    }
    if (status == BAILEY_OK) status = bly_jumps_find(d);
    if (status == BAILEY_OK) status = refuse_jumps(d, &d->step);
    if (status == BAILEY_OK) status = refuse_jumps(d, &d->pair);
    if (status == BAILEY_OK) status = refuse_jumps(d, &d->finish);
    d->step.fixed = NULL; /* all values that count are to have bars */
    d->step.fixed_count = 0;
    if (status == BAILEY_OK && !d->forward) status = reverse_all(d);
    if (status == BAILEY_OK && d->forward && d->states) memcpy(d->barred, d->live_states, d->states);
    if (status == BAILEY_OK) status = bly_forward_extend(d);
    if (status == BAILEY_OK) bly_derivative_levels_write(d, text);
    return status == BAILEY_OK && text->failed
               ? bly_fail(BAILEY_ERROR_MEMORY, "out of memory while differentiating levels")
               : status;
}

/* First derivatives in forward mode, of lists with loops that are not unrolled. */
static bailey_status find_forward(struct bly_derivative *d)
{
    d->forward = true;
    if (d->is_second)
        return bly_fail(
            BAILEY_ERROR_UNSUPPORTED,
            "%s has no second derivatives: it has whole, or loops whose length depends on data, whose "
            "first derivatives are found in forward mode",
            d->unit->name);
    if (d->unit->whole && (d->cross || d->by_time))
        return bly_fail(
            BAILEY_ERROR_UNSUPPORTED,
            "%s has no derivatives with respect to %s: it has whole, which reads the entire path; "
            "write start, step and finish",
            d->unit->name, d->cross ? "the covariance" : "time");
    bailey_status status = bly_activity_begin(d);
    if (status == BAILEY_OK) status = bly_jumps_find(d);
    if (status == BAILEY_OK) status = bly_activity_independent(d);
    if (status != BAILEY_OK) return status;
    d->step.fixed = NULL;
    d->step.fixed_count = 0;
    if (d->states) memcpy(d->barred, d->live_states, d->states);
    d->first = d->unit;
    d->first_states = d->states;
    status = bly_forward_extend(d);
    d->outputs--; /* the last result of finish is not an output of the payoff */
    d->is_extended = false;
    return status;
}

/* Adjoints. */
static bailey_status find_reverse(struct bly_derivative *d)
{
    bailey_status status = d->is_second ? extend(d) : bly_activity_begin(d);
    if (status == BAILEY_OK) status = bly_jumps_find(d);
    if (status == BAILEY_OK) status = bly_activity_independent(d);
    if (status == BAILEY_OK) status = reverse_all(d);
    if (status == BAILEY_OK) status = reverse_fixed(d);
    if (status == BAILEY_OK) status = find_needed(d);
    return status == BAILEY_OK ? find_levels(d) : status;
}

bailey_status bly_derivative_find(struct bly_derivative *d)
{
    if (d->unit->whole || d->forward) return find_forward(d);
    const struct bly_derivative given = *d;
    const bailey_status status = find_reverse(d);
    if (status != BAILEY_ERROR_UNSUPPORTED || !d->needs_loops) return status;
    bly_arena_free(&d->arena);
    *d = given;
    return find_forward(d);
}

bailey_status bly_derivative_find_mode(struct bly_derivative *d)
{
    const struct bly_derivative given = *d;
    d->forward = d->unit->whole != NULL;
    bailey_status status = bly_activity_begin(d);
    if (status == BAILEY_ERROR_UNSUPPORTED && d->needs_loops) {
        bly_arena_free(&d->arena);
        *d = given;
        d->forward = true;
        status = bly_activity_begin(d);
    }
    if (status == BAILEY_OK) status = bly_activity_find(d);
    return status == BAILEY_OK ? bly_activity_independent(d) : status;
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
    if (d->forward) return false;
    bool any = d->runs && d->step.turn_count && bly_derivative_has_jumps(d);
    for (uint32_t k = 0; k < d->states; k++) any |= d->barred[k] != 0;
    return any;
}

uint32_t bly_derivative_count(const struct bly_derivative *d)
{
    const uint32_t dims = d->unit->dims; /* of a covariance, which does not reach the code's own */
    uint32_t count = (d->cross ? dims * (dims + 1) / 2 : 0) + d->by_time;
    for (uint32_t k = 0; k < d->params; k++) count += d->asked[k] != 0;
    return count;
}

uint32_t bly_derivative_outputs(const struct bly_derivative *d)
{
    return d->outputs + bly_derivative_count(d) * (d->parts && bly_derivative_has_jumps(d) ? 2 : 1);
}
