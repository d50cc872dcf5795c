/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Activity: which values depend on what is asked for, and which differ from path to path. States pass both on
 * from step to step, until nothing is added.
 */
#include "derivative.h"
#include "symbols.h"

#include <base/status.h>
#include <host/payoff/machine.h>

#include <string.h>

/* ---- One list ------------------------------------------------------------------------------------ */

static bool any_asked(const struct bly_derivative *d, const struct bly_atom *v)
{
    bool any = false;
    for (uint32_t k = 0; k < (v->a ? v->count : 1); k++) any |= d->asked[v->number + k] != 0;
    return any || d->of_all;
}

/* A number that a loop carries, as r->random or r->varied have it up to here; behind the loop it depends on
 * how often that ran too. */
static bool of_carried(const struct bly_derivative *d, const struct bly_reversed *r, const struct bly_atom *v,
                       const uint8_t *of)
{
    const struct bly_carried *c = &r->list.carried[v->number];
    const struct bly_carried *more = &r->list.carried[r->list.loops[c->loop].first];
    const bool round = of[c->initial] || of[c->next];
    return round || (v->kind == BLY_ATOM_LEFT && !d->by_little && (of[more->initial] || of[more->next]));
}

static bool is_random(const struct bly_derivative *d, const struct bly_reversed *r, const struct bly_atom *v)
{
    if (v->kind == BLY_ATOM_POINT) return true;
    if (v->kind == BLY_ATOM_PATH && v->number == BLY_PATH_AT) return true;
    if (v->kind == BLY_ATOM_STATE) return d->random_states[v->number];
    if (v->kind == BLY_ATOM_CARRIED || v->kind == BLY_ATOM_LEFT) return of_carried(d, r, v, r->random);
    if (d->by_little && v->kind == BLY_ATOM_OPERATION) {
        if (bly_is_comparison(v->operation)) return false;
        if (v->operation == BLY_SELECT) return r->random[v->b] || r->random[v->c];
    }
    return (v->a && r->random[v->a]) || (v->b && r->random[v->b]) || (v->c && r->random[v->c]);
}

/* A comparison of reals counts where it is another on another path: else it is the same on all of them. */
static bool is_varied(const struct bly_derivative *d, const struct bly_reversed *r, uint32_t number)
{
    const struct bly_atom *v = &r->list.values[number];
    if (v->kind == BLY_ATOM_POINT) return d->cross || d->by_time || d->of_all;
    if (v->kind == BLY_ATOM_TIME) return d->by_time || d->of_all;
    if (v->kind == BLY_ATOM_STATE) return d->varied_states[v->number];
    if (v->kind == BLY_ATOM_PARAM) return v->type->kind == BLY_TYPE_REAL && any_asked(d, v);
    if (v->kind == BLY_ATOM_CARRIED || v->kind == BLY_ATOM_LEFT) return of_carried(d, r, v, r->varied);
    if (v->kind == BLY_ATOM_PATH) return d->of_all;
    if (d->runs && v->kind == BLY_ATOM_OPERATION && bly_is_comparison(v->operation)) return false;
    const bool any = (v->a && r->varied[v->a]) || (v->b && r->varied[v->b]) || (v->c && r->varied[v->c]);
    if (v->kind != BLY_ATOM_OPERATION || !any) return false;
    const bool of_reals = r->list.values[v->a].type->kind == BLY_TYPE_REAL;
    if (bly_is_comparison(v->operation) && of_reals)
        return v->operation != BLY_EQUAL && v->operation != BLY_UNEQUAL && r->random[number] &&
               !bly_is_frozen(d, v);
    const bool rounds = (v->operation == BLY_CONVERT && of_reals && v->type->kind != BLY_TYPE_REAL) ||
                        (v->operation == BLY_CALL && bly_jumps(v->library));
    return !rounds || r->random[number];
}

static void find_one(const struct bly_derivative *d, struct bly_reversed *r)
{
    bool more;
    memset(r->random, 0, r->primal);
    memset(r->varied, 0, r->primal);
    do { /* again where there are loops, until nothing is added */
        more = false;
        for (uint32_t i = 1; i < r->primal; i++) {
            const uint8_t random = is_random(d, r, &r->list.values[i]);
            more |= random && !r->random[i];
            r->random[i] |= random;
            const uint8_t varied = is_varied(d, r, i);
            more |= varied && !r->varied[i];
            r->varied[i] |= varied;
        }
    } while (more && r->list.loop_count);
}

/* Adds what cells of the state behind the function are; whether there was any. */
static bool pass_on(struct bly_derivative *d, const struct bly_reversed *r)
{
    bool more = false;
    for (uint32_t k = 0; k < d->states; k++) {
        const uint32_t value = r->results[k];
        if (!value) continue;
        more |= (r->random[value] && !d->random_states[k]) || (r->varied[value] && !d->varied_states[k]);
        d->random_states[k] |= r->random[value];
        d->varied_states[k] |= r->varied[value];
    }
    return more;
}

/* ---- The same in all steps --------------------------------------------------------------------------- */

static void mark_used(uint8_t *used, const struct bly_atom *v)
{
    used[v->a] = used[v->b] = used[v->c] = 1; /* number 0 is for nothing */
}

static bailey_status find_fixed(struct bly_derivative *d, struct bly_reversed *r)
{
    uint8_t *same = bly_arena_take(&d->arena, r->primal), *used = bly_arena_take(&d->arena, r->primal);
    r->fixed = bly_arena_take(&d->arena, r->primal);
    r->fixed_values = bly_arena_take(&d->arena, r->primal * sizeof *r->fixed_values);
    r->fixed_bars = bly_arena_take(&d->arena, r->primal * sizeof *r->fixed_bars);
    if (!same || !used || !r->fixed || !r->fixed_values || !r->fixed_bars)
        return bly_derive_full(d->unit, &d->arena);
    same[0] = 1;
    r->fixed_count = 0;
    for (uint32_t i = 1; i < r->primal; i++) {
        const struct bly_atom *v = &r->list.values[i];
        const bool operation = v->kind == BLY_ATOM_OPERATION;
        same[i] = v->kind == BLY_ATOM_NUMBER || (v->kind == BLY_ATOM_PARAM && !v->a) ||
                  (operation && !v->region && !v->loop && same[v->a] && same[v->b] && same[v->c]);
        r->fixed[i] = operation && same[i] && r->varied[i];
        if (!same[i]) mark_used(used, v);
    }
    for (uint32_t k = 0; k < d->states; k++) used[r->results[k]] = 1;
    for (uint32_t i = 1; i < r->primal; i++)
        if (r->fixed[i] && used[i]) r->fixed_values[r->fixed_count++] = i;
    return BAILEY_OK;
}

/* ---- Flags --------------------------------------------------------------------------------------- */

/* Takes away the cells that are not 0 or 1 behind the function; whether there were any. */
static bool drop_flags(struct bly_derivative *d, const struct bly_reversed *r)
{
    bool dropped = false;
    for (uint32_t k = 0; k < d->states; k++) {
        if (!d->flags[k] || !r->results[k] || bly_atom_is_flag(&r->list, r->results[k], d->flags)) continue;
        d->flags[k] = 0;
        dropped = true;
    }
    return dropped;
}

static void find_flags(struct bly_derivative *d)
{
    for (uint32_t k = 0; k < d->states; k++)
        d->flags[k] = bly_symbols_type(d->unit->state->type, k)->kind == BLY_TYPE_INT;
    if (d->has_start) drop_flags(d, &d->start);
    bool dropped;
    do {
        dropped = d->has_step && drop_flags(d, &d->step);
        if (d->has_pair) dropped |= drop_flags(d, &d->pair);
    } while (dropped);
}

/* ---- All ----------------------------------------------------------------------------------------- */

static bailey_status make(struct bly_derivative *d, struct bly_reversed *r, const struct bly_function *f)
{
    const uint32_t results = d->states > d->outputs ? d->states : d->outputs;
    r->results = bly_arena_take(&d->arena, (results + 1) * sizeof *r->results);
    if (!r->results) return bly_derive_full(d->unit, &d->arena);
    bailey_status status = BAILEY_ERROR_UNSUPPORTED;
    const enum bly_loops last = d->forward ? BLY_LOOPS_LONG : BLY_LOOPS_UNROLLED;
    for (enum bly_loops loops = d->rolls     ? BLY_LOOPS_LONG
                                : d->forward ? BLY_LOOPS_OF_DATA
                                             : BLY_LOOPS_UNROLLED;
         loops <= last && status == BAILEY_ERROR_UNSUPPORTED; loops++) {
        bly_list_begin(&r->list, d->unit, &d->arena);
        if (loops == BLY_LOOPS_OF_DATA) r->list.most = BLY_GOOD_ATOMS;
        status = bly_symbols_run(&r->list, f, loops, r->results);
    }
    d->needs_loops |= r->list.needs_loops || r->list.too_long;
    if (status != BAILEY_OK) return status;
    r->list.most = 8 * BLY_MOST_ATOMS;
    return BAILEY_OK;
}

/* Space for what is found of a list. */
static bailey_status begin(struct bly_derivative *d, struct bly_reversed *r)
{
    r->primal = r->list.count;
    r->turn_count = 0;
    r->varied = bly_arena_take(&d->arena, r->primal);
    r->random = bly_arena_take(&d->arena, r->primal);
    r->moving = bly_arena_take(&d->arena, r->primal);
    r->meeting = bly_arena_take(&d->arena, r->primal);
    r->live = bly_arena_take(&d->arena, r->primal);
    r->falls = bly_arena_take(&d->arena, r->primal);
    r->turn_of = bly_arena_take(&d->arena, r->primal * sizeof *r->turn_of);
    r->bars = bly_arena_take(&d->arena, r->primal * sizeof *r->bars);
    r->state_bars = bly_arena_take(&d->arena, (d->states + 1) * sizeof *r->state_bars);
    r->param_bars = bly_arena_take(&d->arena, (d->params + 1) * sizeof *r->param_bars);
    r->point_bars = bly_arena_take(&d->arena, (d->dims + 1) * sizeof *r->point_bars);
    const bool all = r->varied && r->random && r->moving && r->meeting && r->live && r->falls && r->turn_of &&
                     r->bars && r->state_bars && r->param_bars && r->point_bars;
    return all ? BAILEY_OK : bly_derive_full(d->unit, &d->arena);
}

static bailey_status make_all(struct bly_derivative *d)
{
    const struct bly_unit *unit = d->unit;
    bailey_status status = BAILEY_OK;
    d->has_start = unit->start != NULL;
    d->has_step = unit->step != NULL;
    d->has_pair = unit->pair != NULL;
    d->has_finish = unit->finish != NULL || unit->whole != NULL;
    if (d->has_start) status = make(d, &d->start, unit->start);
    if (d->has_step && status == BAILEY_OK) status = make(d, &d->step, unit->step);
    if (d->has_pair && status == BAILEY_OK) status = make(d, &d->pair, unit->pair);
    if (d->has_finish && status == BAILEY_OK)
        status = make(d, &d->finish, unit->whole ? unit->whole : unit->finish);
    return status;
}

bailey_status bly_activity_begin(struct bly_derivative *d)
{
    const struct bly_unit *unit = d->unit;
    bly_machine_place(d->unit);
    d->params = unit->params ? bly_cells(unit->params->type) : 0;
    d->states = unit->state ? bly_cells(unit->state->type) : 0;
    d->outputs = unit->outputs;
    d->dims = unit->pair ? 2 * bly_cells(bly_symbols_noise(unit)->type)
                         : unit->dims + unit->own;
    const bailey_status status = make_all(d);
    return status == BAILEY_OK ? bly_activity_again(d) : status;
}

static bailey_status begin_all(struct bly_derivative *d)
{
    bailey_status status = BAILEY_OK;
    if (d->has_start) status = begin(d, &d->start);
    if (d->has_step && status == BAILEY_OK) status = begin(d, &d->step);
    if (d->has_pair && status == BAILEY_OK) status = begin(d, &d->pair);
    if (d->has_finish && status == BAILEY_OK) status = begin(d, &d->finish);
    return status;
}

bailey_status bly_activity_again(struct bly_derivative *d)
{
    d->flags = bly_arena_take(&d->arena, d->states + 1);
    d->varied_states = bly_arena_take(&d->arena, d->states + 1);
    d->random_states = bly_arena_take(&d->arena, d->states + 1);
    d->live_states = bly_arena_take(&d->arena, d->states + 1);
    d->barred = bly_arena_take(&d->arena, d->states + 1);
    d->needed = bly_arena_take(&d->arena, d->states + 1);
    if (!d->flags || !d->varied_states || !d->random_states || !d->live_states || !d->barred || !d->needed)
        return bly_derive_full(d->unit, &d->arena);
    const bailey_status status = begin_all(d);
    if (status == BAILEY_OK) find_flags(d);
    return status;
}

static void find_all(struct bly_derivative *d)
{
    memset(d->varied_states, 0, d->states + 1);
    memset(d->random_states, 0, d->states + 1);
    if (d->has_start) {
        find_one(d, &d->start);
        pass_on(d, &d->start);
    }
    bool more;
    do {
        if (d->has_step) find_one(d, &d->step);
        more = d->has_step && pass_on(d, &d->step);
        if (d->has_pair) find_one(d, &d->pair);
        if (d->has_pair) more |= pass_on(d, &d->pair);
    } while (more);
    if (d->has_finish) find_one(d, &d->finish);
}

bailey_status bly_activity_find(struct bly_derivative *d)
{
    find_all(d);
    return d->has_step ? find_fixed(d, &d->step) : BAILEY_OK;
}

/* ---- Independence of the result ---------------------------------------------------------- */

/* 64 of what is asked for at a time: bit k is for place first + k of the cells of params, the covariance and
 * the time. */
struct sources {
    struct bly_derivative *d;
    uint32_t first;
    uint64_t *of, *states; /* [primal of the longest list]; [states] */
};

static uint64_t bit_of(const struct sources *s, uint32_t place)
{
    return place - s->first < 64 ? UINT64_C(1) << (place - s->first) : 0;
}

static uint64_t sources_of(const struct sources *s, const struct bly_reversed *r, const struct bly_atom *v)
{
    const struct bly_derivative *d = s->d;
    uint64_t all = s->of[v->a] | s->of[v->b] | s->of[v->c];
    if (v->kind == BLY_ATOM_STATE) all |= s->states[v->number];
    if (v->kind == BLY_ATOM_POINT && d->cross) all |= bit_of(s, d->params);
    if ((v->kind == BLY_ATOM_POINT || v->kind == BLY_ATOM_TIME) && d->by_time)
        all |= bit_of(s, d->params + 1);
    for (uint32_t k = 0; v->kind == BLY_ATOM_PARAM && k < (v->a ? v->count : 1); k++)
        if (d->asked[v->number + k]) all |= bit_of(s, v->number + k);
    if (v->kind == BLY_ATOM_CARRIED || v->kind == BLY_ATOM_LEFT) {
        const struct bly_carried *c = &r->list.carried[v->number];
        const struct bly_carried *more = &r->list.carried[r->list.loops[c->loop].first];
        all |= s->of[c->initial] | s->of[c->next];
        if (v->kind == BLY_ATOM_LEFT) all |= s->of[more->initial] | s->of[more->next];
    }
    return all;
}

static void find_sources(const struct sources *s, const struct bly_reversed *r)
{
    bool more;
    memset(s->of, 0, r->primal * sizeof *s->of);
    do {
        more = false;
        for (uint32_t i = 1; i < r->primal; i++) {
            const uint64_t all = r->varied[i] ? sources_of(s, r, &r->list.values[i]) : 0;
            more |= all != s->of[i];
            s->of[i] = all;
        }
    } while (more && r->list.loop_count);
}

static bool pass_sources(const struct sources *s, const struct bly_reversed *r)
{
    bool more = false;
    for (uint32_t k = 0; k < s->d->states; k++) {
        const uint64_t before = s->states[k];
        if (r->results[k]) s->states[k] |= s->of[r->results[k]];
        more |= s->states[k] != before;
    }
    return more;
}

/* Bits of what the result depends on. */
static uint64_t sources_of_result(const struct sources *s)
{
    struct bly_derivative *d = s->d;
    uint64_t all = 0;
    memset(s->states, 0, (d->states + 1) * sizeof *s->states);
    if (d->has_start) {
        find_sources(s, &d->start);
        pass_sources(s, &d->start);
    }
    bool more = d->has_step;
    while (more) {
        find_sources(s, &d->step);
        more = pass_sources(s, &d->step);
    }
    find_sources(s, &d->finish);
    for (uint32_t o = 0; o < d->outputs; o++)
        if (d->is_extended ? o + 1 == d->outputs : d->chosen[o]) all |= s->of[d->finish.results[o]];
    return all;
}

bailey_status bly_activity_independent(struct bly_derivative *d)
{
    const uint32_t places = d->params + 2, lengths[] = {d->start.primal, d->step.primal, d->finish.primal};
    const bool runs = d->runs;
    uint32_t most = 1;
    for (int k = 0; k < 3; k++) most = lengths[k] > most ? lengths[k] : most;
    struct sources s = {.d = d};
    s.of = bly_arena_take(&d->arena, most * sizeof *s.of);
    s.states = bly_arena_take(&d->arena, (d->states + 1) * sizeof *s.states);
    d->independent = bly_arena_take(&d->arena, places);
    if (!s.of || !s.states || !d->independent) return bly_derive_full(d->unit, &d->arena);
    d->runs = false; /* what a comparison decides depends on its sides */
    if (runs) find_all(d);
    for (; s.first < places; s.first += 64) {
        const uint64_t all = sources_of_result(&s);
        for (uint32_t k = s.first; k < places && k < s.first + 64; k++)
            d->independent[k] = !(all & bit_of(&s, k));
    }
    d->runs = runs;
    if (runs) find_all(d);
    return BAILEY_OK;
}
