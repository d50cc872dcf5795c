/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Where a payoff jumps, and what a jump changes the result by. A comparison l > r is a jump if l - r changes
 * by little with what is asked for and with the path, and if what it decides counts for the result; where it
 * only decides between the sides of a kink it does not.
 *
 * If the result is affine in each of these comparisons, what one changes the result by is its bar, and all
 * are found at once. That is shown here by the comparisons that each value depends on: a product must have no
 * comparison on both sides, a value that depends on one may not be compared, and goes through no function.
 * Where it is not so, the result is computed again with the comparison turned, wherever it is near
 * (`runs`).
 */
#include "derivative.h"
#include "identity.h"

#include <base/status.h>

#include <string.h>

static bool is_of_reals(const struct bly_atoms *list, const struct bly_atom *v)
{
    return list->values[v->a].type->kind == BLY_TYPE_REAL;
}

/* ---- What counts --------------------------------------------------------------------------------- */

static bool mark_carried(struct bly_reversed *r, const struct bly_atom *v)
{
    const struct bly_carried *c = &r->list.carried[v->number];
    const struct bly_carried *more = &r->list.carried[r->list.loops[c->loop].first];
    const uint32_t of[] = {c->initial, c->next, more->initial, more->next};
    bool added = false;
    for (int k = 0; k < (v->kind == BLY_ATOM_LEFT ? 4 : 2); k++) {
        added |= of[k] && !r->live[of[k]];
        r->live[of[k]] = 1;
    }
    return added;
}

/* Whether a loop carries more of it than was known when its body was read. */
static bool mark_once(struct bly_derivative *d, struct bly_reversed *r)
{
    bool again = false;
    for (uint32_t i = r->primal; i-- > 1;) {
        const struct bly_atom *v = &r->list.values[i];
        if (!r->live[i]) continue;
        if (v->kind == BLY_ATOM_CARRIED || v->kind == BLY_ATOM_LEFT) again |= mark_carried(r, v);
        const bool selects = v->kind == BLY_ATOM_OPERATION && v->operation == BLY_SELECT;
        if (selects && !r->meeting[i]) r->meeting[i] = (uint8_t)(1 + bly_meeting_of(d, r, i));
        if (!selects || r->meeting[i] == 1 + BLY_JUMPS) r->live[v->a] = 1;
        r->live[v->b] = r->live[v->c] = 1;
    }
    r->live[0] = 0;
    return again;
}

static void mark(struct bly_derivative *d, struct bly_reversed *r)
{
    while (mark_once(d, r)) {
    }
}

/* Whether a state counts that did not. */
static bool note_live(struct bly_derivative *d, const struct bly_reversed *r)
{
    bool more = false;
    for (uint32_t i = 1; i < r->primal; i++) {
        const struct bly_atom *v = &r->list.values[i];
        if (!r->live[i] || v->kind != BLY_ATOM_STATE) continue;
        more |= !d->live_states[v->number];
        d->live_states[v->number] = 1;
    }
    return more;
}

static bool find_live_step(struct bly_derivative *d, struct bly_reversed *r)
{
    for (uint32_t k = 0; k < d->states; k++)
        if (d->live_states[k]) r->live[r->results[k]] = 1;
    mark(d, r);
    return note_live(d, r);
}

static void find_live(struct bly_derivative *d)
{
    for (uint32_t o = 0; o < d->outputs; o++)
        if (d->is_extended ? o + 1 == d->outputs : d->chosen[o]) d->finish.live[d->finish.results[o]] = 1;
    mark(d, &d->finish);
    note_live(d, &d->finish);
    bool more = d->has_step;
    while (more) {
        more = find_live_step(d, &d->step);
        if (d->has_pair) more |= find_live_step(d, &d->pair);
    }
    if (d->has_start && d->forward) find_live_step(d, &d->start);
}

/* ---- Comparisons --------------------------------------------------------------------------------- */

static bool is_moving(const struct bly_reversed *r, const struct bly_atom *v)
{
    return r->moving[v->a] || (v->b && r->moving[v->b]);
}

static bool is_jump(const struct bly_derivative *d, const struct bly_reversed *r, uint32_t number)
{
    const struct bly_atom *v = &r->list.values[number];
    return r->live[number] && v->kind == BLY_ATOM_OPERATION && bly_is_comparison(v->operation) &&
           v->operation != BLY_EQUAL && v->operation != BLY_UNEQUAL && is_of_reals(&r->list, v) &&
           is_moving(r, v) && !bly_is_frozen(d, v);
}

static bailey_status number_jump(struct bly_derivative *d, struct bly_place place, uint32_t *number)
{
    for (*number = 0; *number < d->jump_count; ++*number)
        if (d->jumps[*number].place.line == place.line && d->jumps[*number].place.column == place.column)
            return BAILEY_OK;
    if (d->jump_count == BLY_MOST_JUMPS) {
        bly_refuse_at(d->unit, place, "cannot be differentiated: there are more than %u jumps",
                      BLY_MOST_JUMPS);
        return BAILEY_ERROR_UNSUPPORTED;
    }
    d->jumps[d->jump_count++] = (struct bly_jump){.place = place};
    return BAILEY_OK;
}

static bool rises(const struct bly_atom *c)
{
    return c->operation == BLY_GREATER || c->operation == BLY_GREATER_EQUAL;
}

static struct bly_residue difference_of(const struct bly_reversed *r, const struct bly_atom *c)
{
    return bly_residue_less(r->residues[c->a], r->residues[c->b]);
}

/* Turns by the size of their l - r: of `size` places, a power of 2, more than there are turns. */
struct turns {
    uint32_t *at, size; /* 1 + the turn; 0: free */
};

/* The turn whose l - r is, up to its sign, that of a comparison. */
static bailey_status join_turn(struct bly_derivative *d, struct bly_reversed *r, uint32_t number,
                               struct turns *turns)
{
    const struct bly_atom *c = &r->list.values[number];
    const struct bly_residue own = difference_of(r, c);
    uint32_t slot = (uint32_t)bly_residue_size(own) & (turns->size - 1);
    for (; turns->at[slot]; slot = (slot + 1) & (turns->size - 1)) {
        const struct bly_atom *first = &r->list.values[r->turns[turns->at[slot] - 1].atom];
        const struct bly_residue other = difference_of(r, first);
        if (bly_residue_size(own) != bly_residue_size(other)) continue;
        r->falls[number] = (rises(c) != rises(first)) != (own.of != other.of);
        r->turn_of[number] = turns->at[slot];
        return BAILEY_OK;
    }
    r->turns[r->turn_count].atom = number;
    r->turn_of[number] = turns->at[slot] = r->turn_count + 1;
    return number_jump(d, c->place, &r->turns[r->turn_count++].jump);
}

static bailey_status find_turns(struct bly_derivative *d, struct bly_reversed *r)
{
    uint32_t count = 0;
    bailey_status status = BAILEY_OK;
    for (uint32_t i = 1; i < r->primal; i++) count += is_jump(d, r, i);
    if (!count) return BAILEY_OK;
    struct turns turns = {.size = 2};
    while (turns.size < 2 * count) turns.size *= 2;
    turns.at = bly_arena_take(&d->arena, turns.size * sizeof *turns.at);
    r->turns = bly_arena_take(&d->arena, count * sizeof *r->turns);
    if (!turns.at || !r->turns) return bly_derive_full(d->unit, &d->arena);
    for (uint32_t i = 1; i < r->primal && status == BAILEY_OK; i++)
        if (is_jump(d, r, i)) status = join_turn(d, r, i, &turns);
    return status;
}

/* ---- Whether the result is affine in each -------------------------------------------------------- */

/* The comparisons that values depend on: those of this function by their turns, those of functions before by
 * their numbers in the code. */
struct dependence {
    uint64_t here, before;
};

struct affine {
    const struct bly_derivative *d;
    const struct bly_reversed *r;
    bool asked;                /* only comparisons that depend on what is asked for */
    struct dependence *of;     /* [primal] */
    struct dependence *states; /* [states] */
    bool fails;
};

static bool is_any(struct dependence x) { return x.here || x.before; }

static struct dependence either(struct dependence x, struct dependence y)
{
    return (struct dependence){x.here | y.here, x.before | y.before};
}

static struct dependence product_of(struct affine *f, struct dependence x, struct dependence y)
{
    if ((x.here & y.here) || (x.before & y.before)) f->fails = true;
    return either(x, y);
}

/* Comparisons in the condition of a kink must not depend on jumps. */
static void check_kink(struct affine *f, uint32_t condition)
{
    const struct bly_atom *c = &f->r->list.values[condition];
    if (c->kind != BLY_ATOM_OPERATION) return;
    if (c->operation == BLY_NOT) check_kink(f, c->a);
    if (c->operation == BLY_AND || c->operation == BLY_OR) {
        check_kink(f, c->a);
        check_kink(f, c->b);
    }
    if (c->operation == BLY_EQUAL || c->operation == BLY_UNEQUAL) return; /* both sides are one there */
    if (bly_is_comparison(c->operation) && (is_any(f->of[c->a]) || is_any(f->of[c->b]))) f->fails = true;
}

static struct dependence of_call(struct affine *f, const struct bly_atom *v, const struct dependence x[3])
{
    if (strcmp(v->library->name, "fma") == 0) return either(product_of(f, x[0], x[1]), x[2]);
    const struct dependence all = either(either(x[0], x[1]), x[2]);
    if (is_any(all)) f->fails = true;
    return all;
}

static struct dependence of_comparison(struct affine *f, uint32_t number, const struct dependence x[3])
{
    const struct bly_atom *v = &f->r->list.values[number];
    const struct dependence both = either(x[0], x[1]);
    const bool asks = v->operation == BLY_EQUAL || v->operation == BLY_UNEQUAL;
    if (f->d->is_extended && asks && is_of_reals(&f->r->list, v)) return (struct dependence){0, 0};
    if (bly_is_frozen(f->d, v)) return (struct dependence){0, 0};
    if (is_any(both) && is_of_reals(&f->r->list, v)) f->fails = true;
    for (int k = 0; k < 2; k++) { /* a flag with a number is the flag, or not */
        const uint32_t operand = k ? v->b : v->a, other = k ? v->a : v->b;
        int64_t known;
        if (is_any(x[k]) && (!bly_atom_is_flag(&f->r->list, operand, f->d->flags) ||
                             !bly_atom_is_integer(&f->r->list, other, &known)))
            f->fails = true;
    }
    const bool counts = !f->asked || f->r->varied[v->a] || f->r->varied[v->b];
    if (!f->r->turn_of[number] || !counts) return both;
    const uint32_t turn = f->r->turn_of[number] - 1;
    if (turn >= 64) f->fails = true;
    return (struct dependence){.here = UINT64_C(1) << turn % 64};
}

static struct dependence of_operation(struct affine *f, uint32_t number)
{
    const struct bly_atom *v = &f->r->list.values[number];
    const struct dependence x[3] = {f->of[v->a], f->of[v->b], f->of[v->c]};
    const struct dependence all = either(either(x[0], x[1]), x[2]);
    const bool is_real = v->type->kind == BLY_TYPE_REAL;
    if (v->operation == BLY_CALL) return of_call(f, v, x);
    if (bly_is_comparison(v->operation)) return of_comparison(f, number, x);
    switch (v->operation) {
    case BLY_SELECT:
        if (f->r->meeting[number] == 1 + BLY_JUMPS) return product_of(f, x[0], either(x[1], x[2]));
        check_kink(f, v->a);
        return either(x[1], x[2]);
    case BLY_MULTIPLY:
    case BLY_AND:
    case BLY_OR: return product_of(f, x[0], x[1]);
    case BLY_NEGATE:
    case BLY_ADD:
    case BLY_SUBTRACT: return all;
    case BLY_NOT:
        if (is_any(all) && !bly_atom_is_flag(&f->r->list, v->a, f->d->flags)) f->fails = true;
        return all;
    case BLY_CONVERT:
        if (is_any(all) && is_of_reals(&f->r->list, v) && !is_real) f->fails = true;
        return all;
    case BLY_DIVIDE:
        if (is_any(x[1]) || (is_any(all) && !is_real)) f->fails = true;
        return all;
    default:
        if (is_any(all)) f->fails = true;
        return all;
    }
}

/* Jumps in the body of a loop are refused elsewhere; how often it runs must depend on none. */
static struct dependence of_carried(struct affine *f, const struct bly_atom *v)
{
    const struct bly_carried *c = &f->r->list.carried[v->number];
    const struct bly_carried *more = &f->r->list.carried[f->r->list.loops[c->loop].first];
    if (v->kind == BLY_ATOM_LEFT && is_any(either(f->of[more->initial], f->of[more->next]))) f->fails = true;
    return either(f->of[c->initial], f->of[c->next]);
}

/* Whether a loop carries more than was known when its body was read. */
static bool depend_once(struct affine *f)
{
    bool more = false;
    for (uint32_t i = 1; i < f->r->primal; i++) {
        const struct bly_atom *v = &f->r->list.values[i];
        const struct dependence before = f->of[i];
        f->of[i] = (struct dependence){0};
        if (!f->r->live[i]) continue;
        if (v->kind == BLY_ATOM_STATE) f->of[i].before = f->states[v->number].before;
        if ((v->kind == BLY_ATOM_PARAM || v->kind == BLY_ATOM_PATH) &&
            is_any(either(f->of[v->a], f->of[v->b])))
            f->fails = true;
        if (v->kind == BLY_ATOM_CARRIED || v->kind == BLY_ATOM_LEFT) f->of[i] = of_carried(f, v);
        if (v->kind == BLY_ATOM_OPERATION) f->of[i] = of_operation(f, i);
        more |= f->of[i].here != before.here || f->of[i].before != before.before;
    }
    return more && f->r->list.loop_count;
}

static void depend(struct affine *f)
{
    memset(f->of, 0, f->r->primal * sizeof *f->of);
    while (depend_once(f)) {
    }
}

/* Whether a state depends on more behind the function. */
static bool pass_on(struct affine *f)
{
    bool more = false;
    for (uint32_t k = 0; k < f->d->states; k++) {
        const struct dependence of = f->of[f->r->results[k]];
        uint64_t all = of.before;
        for (uint32_t turn = 0; turn < f->r->turn_count && turn < 64; turn++)
            if (of.here >> turn & 1) all |= UINT64_C(1) << f->r->turns[turn].jump;
        more |= (all & ~f->states[k].before) != 0;
        f->states[k].before |= all;
    }
    return more;
}

static bailey_status find_affine(struct bly_derivative *d, bool asked)
{
    const uint32_t most = d->step.primal > d->finish.primal ? d->step.primal : d->finish.primal;
    struct affine f = {.d = d, .r = &d->step, .asked = asked};
    f.of = bly_arena_take(&d->arena, most * sizeof *f.of);
    f.states = bly_arena_take(&d->arena, (d->states + 1) * sizeof *f.states);
    if (!f.of || !f.states) return bly_derive_full(d->unit, &d->arena);
    if (d->has_step) {
        do depend(&f);
        while (pass_on(&f) && !f.fails);
    }
    f.r = &d->finish;
    depend(&f);
    d->runs = f.fails || (d->repeats && d->jump_count);
    return BAILEY_OK;
}

/* ---- Jumps that have no width -------------------------------------------------------------------- */

static bailey_status refuse(const struct bly_derivative *d, struct bly_place place, const char *why)
{
    bly_refuse_at(d->unit, place, "cannot be differentiated: %s", why);
    return BAILEY_ERROR_UNSUPPORTED;
}

/* What rounds, and what is true on no path unless it always is. */
static bailey_status check_others(const struct bly_derivative *d, const struct bly_reversed *r)
{
    for (uint32_t i = 1; i < r->primal; i++) {
        const struct bly_atom *v = &r->list.values[i];
        if (!r->live[i] || v->kind != BLY_ATOM_OPERATION || !v->a) continue;
        const bool moves =
            (r->moving[v->a] && r->varied[v->a]) || (v->b && r->moving[v->b] && r->varied[v->b]);
        if (!moves || !is_of_reals(&r->list, v) || bly_is_frozen(d, v)) continue;
        if ((v->operation == BLY_EQUAL || v->operation == BLY_UNEQUAL) && d->is_extended)
            continue; /* forward.c asks whether there is a change */
        if (v->operation == BLY_EQUAL || v->operation == BLY_UNEQUAL)
            return refuse(d, v->place, "it compares reals that depend on the path by == or !=; write < or >");
        if (v->operation == BLY_CONVERT && v->type->kind != BLY_TYPE_REAL)
            return refuse(d, v->place, "it converts a real that depends on the path to an integer");
        if (v->operation == BLY_CALL && bly_jumps(v->library)) return refuse(d, v->place, BLY_FUNCTION_JUMPS);
        if (v->operation == BLY_NOT || v->operation == BLY_AND || v->operation == BLY_OR ||
            v->operation == BLY_SELECT)
            return refuse(d, v->place, "a real that depends on the path is a condition; write < or >");
    }
    return BAILEY_OK;
}

/* Jumps in forward mode: a comparison has one change in a function, and the result is affine in it. */
static bailey_status check_turns(const struct bly_derivative *d, const struct bly_reversed *r)
{
    for (uint32_t i = 1; i < r->primal; i++) {
        const struct bly_atom *c = &r->list.values[i];
        if (!r->turn_of[i] || !(r->varied[c->a] || r->varied[c->b])) continue;
        if (c->loop)
            return refuse(
                d, c->place,
                "the payoff jumps at this comparison, which is in a loop whose length depends on data "
                "or in a long loop of whole, where jumps have no width");
        if (d->runs)
            return refuse(
                d, c->place,
                "the payoff jumps at this comparison, and is not affine in it: that needs paths that "
                "are run again, which code with loops whose length depends on data, or with whole, "
                "does not support");
    }
    return BAILEY_OK;
}

static bailey_status check_forward(struct bly_derivative *d)
{
    bailey_status status = find_affine(d, true);
    if (status == BAILEY_OK && d->has_step) status = check_turns(d, &d->step);
    return status == BAILEY_OK ? check_turns(d, &d->finish) : status;
}

static bailey_status find_moving(struct bly_derivative *d)
{
    struct bly_reversed *const lists[] = {&d->start, &d->step, &d->pair, &d->finish};
    d->of_all = d->by_little = d->runs = true;
    const bailey_status status = bly_activity_find(d);
    if (status != BAILEY_OK) return status;
    for (int k = 0; k < 4; k++)
        for (uint32_t i = 1; i < lists[k]->primal; i++)
            lists[k]->moving[i] = lists[k]->varied[i] && lists[k]->random[i] &&
                                  lists[k]->list.values[i].type->kind == BLY_TYPE_REAL;
    d->by_little = d->runs = false;
    return bly_activity_find(d);
}

static bailey_status begin_proofs(struct bly_derivative *d)
{
    d->proof_work = 0;
    bailey_status status = d->has_step ? bly_smooth_begin(d, &d->step) : BAILEY_OK;
    if (status == BAILEY_OK && d->has_pair) status = bly_smooth_begin(d, &d->pair);
    if (status == BAILEY_OK && d->has_finish) status = bly_smooth_begin(d, &d->finish);
    return status;
}

static bailey_status refuse_long(const struct bly_derivative *d)
{
    bly_refuse_at(d->unit, d->too_long,
                  "cannot be differentiated: to find out which of its selections jump takes more than %llu "
                  "operations; use fewer of them in a step, or shorter ones",
                  (unsigned long long)BLY_MOST_PROOF);
    return BAILEY_ERROR_UNSUPPORTED;
}

bailey_status bly_jumps_find(struct bly_derivative *d)
{
    bailey_status status = find_moving(d);
    if (status == BAILEY_OK) status = begin_proofs(d);
    if (status != BAILEY_OK) return status;
    find_live(d);
    if (d->proof_work > BLY_MOST_PROOF) return refuse_long(d);
    if (d->has_step) status = find_turns(d, &d->step);
    if (status == BAILEY_OK && d->has_pair) status = find_turns(d, &d->pair);
    if (status == BAILEY_OK) status = find_turns(d, &d->finish);
    if (status == BAILEY_OK && !d->has_pair && !d->forward) status = find_affine(d, false);
    d->of_all = false;
    if (status == BAILEY_OK) status = bly_activity_find(d);
    if (status == BAILEY_OK && d->forward && !d->has_pair && !d->without_jumps) status = check_forward(d);
    if (status == BAILEY_OK && d->has_step) status = check_others(d, &d->step);
    if (status == BAILEY_OK && d->has_pair) status = check_others(d, &d->pair);
    if (status == BAILEY_OK) status = check_others(d, &d->finish);
    if (status != BAILEY_OK || d->is_extended) return status; /* of the code alone, not of its changes */
    if (d->has_step) status = bly_quotients_check(d, &d->step);
    if (status == BAILEY_OK && d->has_pair) status = bly_quotients_check(d, &d->pair);
    return status == BAILEY_OK ? bly_quotients_check(d, &d->finish) : status;
}
