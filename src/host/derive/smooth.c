/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Whether a selection jumps where a comparison l > r in its condition turns.
 *
 * Proof: l = r is solved for a value u that l - r is linear in, and u is replaced by the solution; then both
 * sides must be the same fraction of the values in them (identity.h). Where u is a factor of l - r, its
 * solution, 0, says nothing of the other factor; so all of the terms that vary and that l - r is linear in
 * are tried, and none of them may leave the sides different. Other sides, such as a function and its series,
 * are tested: both must be the same numbers, up to rounding, wherever l is r among some hundred choices of
 * the leaves, of which many are 0, 1, constants of the code and numbers close to these.
 *
 * Only values that the comparison or its sides are computed from take part, and of these only what is
 * computed from u is computed again. All proofs of a payoff together may compute BLY_MOST_PROOF values.
 */
#include "derivative.h"
#include "identity.h"

#include <base/status.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CANDIDATES 64u
#define TRIALS 240
#define FEWEST_TRIALS 16

static bool is_real(const struct bly_atoms *list, uint32_t number)
{
    return list->values[number].type->kind == BLY_TYPE_REAL;
}

/* ---- The space of a proof ----------------------------------------------------------------------- */

/* Space for all proofs of a list. */
struct bly_smooth {
    struct bly_residue *residues; /* [primal]: those of the list, but for values that are being replaced */
    uint32_t *cone, *changed;     /* [primal]: numbers in their order */
    uint8_t *is_in, *depends;  /* [primal]: of the cone; of those that are computed from what is replaced */
    union bly_scalar *results; /* [primal] */
    union bly_scalar *state, *params;
    double *x;
};

bailey_status bly_smooth_begin(struct bly_derivative *d, struct bly_reversed *r)
{
    struct bly_smooth *s = bly_arena_take(&d->arena, sizeof *s);
    r->residues = bly_arena_take(&d->arena, r->primal * sizeof *r->residues);
    if (!s || !r->residues) return bly_derive_full(d->unit, &d->arena);
    r->smooth = s;
    s->residues = bly_arena_take(&d->arena, r->primal * sizeof *s->residues);
    s->cone = bly_arena_take(&d->arena, r->primal * sizeof *s->cone);
    s->changed = bly_arena_take(&d->arena, r->primal * sizeof *s->changed);
    s->is_in = bly_arena_take(&d->arena, r->primal);
    s->depends = bly_arena_take(&d->arena, r->primal);
    s->results = bly_arena_take(&d->arena, r->primal * sizeof *s->results);
    s->state = bly_arena_take(&d->arena, (d->states + 1) * sizeof *s->state);
    s->params = bly_arena_take(&d->arena, (d->params + 1) * sizeof *s->params);
    s->x = bly_arena_take(&d->arena, (d->dims + 1) * sizeof *s->x);
    if (!s->residues || !s->cone || !s->changed || !s->is_in || !s->depends || !s->results || !s->state ||
        !s->params || !s->x)
        return bly_derive_full(d->unit, &d->arena);
    bly_residues(&r->list, r->primal, r->residues);
    memcpy(s->residues, r->residues, r->primal * sizeof *s->residues);
    return BAILEY_OK;
}

/* A comparison l > r, the sides a and b that it decides between, and all that the four are computed from. */
struct proof {
    struct bly_derivative *d;
    const struct bly_atoms *list;
    const uint8_t *random; /* [primal] of list */
    struct bly_smooth *space;
    uint32_t l, r, a, b, cone_count, changed_count;
    uint32_t candidates[MOST_CANDIDATES], candidate_count;
};

static void reach(struct proof *p, uint32_t number)
{
    struct bly_smooth *s = p->space;
    if (number && !s->is_in[number]) {
        s->is_in[number] = 1;
        s->cone[p->cone_count++] = number;
    }
}

static int by_number(const void *x, const void *y)
{
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

static void find_cone(struct proof *p)
{
    const uint32_t ends[4] = {p->l, p->r, p->a, p->b};
    for (int k = 0; k < 4; k++) reach(p, ends[k]);
    for (uint32_t k = 0; k < p->cone_count; k++) {
        const struct bly_atom *v = &p->list->values[p->space->cone[k]];
        reach(p, v->a);
        reach(p, v->b);
        reach(p, v->c);
    }
    for (uint32_t k = 0; k < p->cone_count; k++) p->space->is_in[p->space->cone[k]] = 0;
    qsort(p->space->cone, p->cone_count, sizeof *p->space->cone, by_number);
}

/* So many more values are computed. */
static bool spend(struct proof *p, uint64_t values)
{
    p->d->proof_work += values;
    return p->d->proof_work <= BLY_MOST_PROOF;
}

/* ---- The proof ----------------------------------------------------------------------------------- */

/* exp(l) > exp(r) is l > r. */
static void strip(struct proof *p)
{
    for (;;) {
        const struct bly_atom *l = &p->list->values[p->l], *r = &p->list->values[p->r];
        const bool both = l->kind == BLY_ATOM_OPERATION && r->kind == BLY_ATOM_OPERATION &&
                          l->operation == BLY_CALL && r->operation == BLY_CALL && l->library == r->library;
        if (!both || (strcmp(l->library->name, "exp") != 0 && strcmp(l->library->name, "log") != 0 &&
                      strcmp(l->library->name, "sqrt") != 0))
            return;
        p->l = l->a;
        p->r = r->a;
    }
}

/* In the order of a search from l and r down, the first operand first. */
static void collect(struct proof *p, uint32_t number)
{
    const struct bly_atom *v = &p->list->values[number];
    if (!number || p->space->is_in[number] || p->candidate_count == MOST_CANDIDATES) return;
    p->space->is_in[number] = 1;
    p->space->changed[p->changed_count++] = number;
    if (v->kind != BLY_ATOM_NUMBER && v->type->kind == BLY_TYPE_REAL)
        p->candidates[p->candidate_count++] = number;
    if (v->kind != BLY_ATOM_OPERATION) return;
    collect(p, v->a);
    collect(p, v->b);
    collect(p, v->c);
}

static void find_candidates(struct proof *p)
{
    p->changed_count = 0;
    collect(p, p->l);
    collect(p, p->r);
    for (uint32_t k = 0; k < p->changed_count; k++) p->space->is_in[p->space->changed[k]] = 0;
}

/* The values of the cone that are computed from u. */
static void find_changed(struct proof *p, uint32_t u)
{
    struct bly_smooth *s = p->space;
    p->changed_count = 0;
    s->depends[u] = 1;
    for (uint32_t k = 0; k < p->cone_count; k++) {
        const uint32_t i = s->cone[k];
        const struct bly_atom *v = &p->list->values[i];
        if (i <= u || !(s->depends[v->a] || s->depends[v->b] || s->depends[v->c])) continue;
        s->depends[i] = 1;
        s->changed[p->changed_count++] = i;
    }
    s->depends[u] = 0;
    for (uint32_t k = 0; k < p->changed_count; k++) s->depends[s->changed[k]] = 0;
}

static void replace(struct proof *p, uint32_t u, struct bly_residue by)
{
    struct bly_smooth *s = p->space;
    s->residues[u] = by;
    for (uint32_t k = 0; k < p->changed_count; k++)
        s->residues[s->changed[k]] = bly_residue_at(p->list, s->changed[k], s->residues);
}

static struct bly_residue difference_at(struct proof *p, uint32_t u, double x)
{
    replace(p, u, bly_residue_of(x));
    return bly_residue_less(p->space->residues[p->l], p->space->residues[p->r]);
}

/* Whether identity.h takes it as it stands. */
static bool is_term(const struct bly_atom *v)
{
    if (v->kind != BLY_ATOM_OPERATION) return true;
    if (v->operation == BLY_CALL) return strcmp(v->library->name, "fma") != 0;
    return v->operation != BLY_NEGATE && v->operation != BLY_ADD && v->operation != BLY_SUBTRACT &&
           v->operation != BLY_MULTIPLY && v->operation != BLY_DIVIDE;
}

enum solution { PROVES, DISPROVES, SAYS_NOTHING };

static enum solution solve(struct proof *p, uint32_t u)
{
    const struct bly_residue at_0 = difference_at(p, u, 0), at_1 = difference_at(p, u, 1),
                             at_2 = difference_at(p, u, 2);
    const struct bly_residue slope = bly_residue_less(at_1, at_0);
    if (!slope.of || bly_residue_less(at_2, at_1).of != slope.of) return SAYS_NOTHING;
    replace(p, u, bly_residue_ratio(at_0, bly_residue_less(at_0, at_1)));
    const bool is_factor = !at_0.of && !slope.known;
    if (p->space->residues[p->a].of == p->space->residues[p->b].of) return is_factor ? SAYS_NOTHING : PROVES;
    return p->random[u] && is_term(&p->list->values[u]) ? DISPROVES : SAYS_NOTHING;
}

static bool is_proved(struct proof *p, const struct bly_residue *own)
{
    bool proved = false, disproved = false;
    strip(p);
    if (!p->l || !p->r || p->l == p->r) return false;
    find_candidates(p);
    for (uint32_t k = 0; k < p->candidate_count && !disproved; k++) {
        const uint32_t u = p->candidates[k];
        find_changed(p, u);
        if (!spend(p, p->cone_count / 8 + 4 * (uint64_t)p->changed_count + 4)) return false;
        const enum solution one = solve(p, u);
        disproved = one == DISPROVES;
        proved |= one == PROVES;
        p->space->residues[u] = own[u];
        for (uint32_t i = 0; i < p->changed_count; i++)
            p->space->residues[p->space->changed[i]] = own[p->space->changed[i]];
    }
    return proved && !disproved && p->candidate_count < MOST_CANDIDATES;
}

/* ---- The test ------------------------------------------------------------------------------------ */

static double random_number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 33) * 0x1p-31;
}

/* 0, 1 or a constant of the code, of either sign, and in half of the cases only close to it. */
static double special(const struct bly_atoms *list, uint64_t *random)
{
    double x = floor(3 * random_number(random));
    for (int tries = 0; tries < 8; tries++) {
        const uint32_t at = 1 + (uint32_t)(random_number(random) * (list->count - 1));
        const struct bly_atom *v = &list->values[at];
        if (v->kind != BLY_ATOM_NUMBER || v->type->kind != BLY_TYPE_REAL || !isfinite(v->real)) continue;
        x = v->real;
        break;
    }
    if (random_number(random) < 0.25) x = -x;
    if (random_number(random) < 0.5) return x;
    return x + (random_number(random) - 0.5) * (random_number(random) < 0.5 ? 1e-4 : 0.1) * (1 + fabs(x));
}

/* Positive in a third of the trials, of any size in another one; else of both signs. */
static double draw_real(const struct bly_atoms *list, int trial, uint64_t *random)
{
    const double u = random_number(random);
    if (trial >= TRIALS / 4 && random_number(random) < 0.3) return special(list, random);
    switch (trial % 3) {
    case 0: return 0.2 + 1.8 * u;
    case 1: return ldexp(1 + random_number(random), (int)(20 * u) - 10);
    default: return 4 * u - 2;
    }
}

/* The leaves in the cone. */
static void draw(struct proof *p, int trial, uint64_t *random, struct bly_leaves *l)
{
    struct bly_smooth *s = p->space;
    const struct bly_derivative *d = p->d;
    for (uint32_t i = 0; i < p->cone_count; i++) {
        const struct bly_atom *v = &p->list->values[s->cone[i]];
        const bool is_state = v->kind == BLY_ATOM_STATE, is_param = v->kind == BLY_ATOM_PARAM;
        if (!is_state && !is_param) continue;
        for (uint32_t k = 0; k < (is_param && v->a ? v->count : 1); k++) {
            union bly_scalar *to = (is_state ? s->state : s->params) + v->number + k;
            if (v->type->kind == BLY_TYPE_REAL)
                to->real = draw_real(p->list, trial, random);
            else
                to->integer = (int64_t)(random_number(random) * (is_state && d->flags[v->number] ? 2 : 4));
        }
    }
    for (uint32_t k = 0; k < d->dims; k++)
        s->x[k] = trial % 4 == 3 ? special(p->list, random) : 2 * random_number(random) - 1;
    *l = (struct bly_leaves){
        .state = s->state, .params = s->params, .x = s->x, .t = 0.1 + random_number(random), .i = trial % 32};
    if (d->has_pair) l->h = 0.1 + random_number(random);
}

static double value_of(const struct proof *p, uint32_t number)
{
    const union bly_scalar *results = p->space->results;
    return is_real(p->list, number) ? results[number].real : (double)results[number].integer;
}

static bool is_leaf(const struct proof *p, uint32_t number)
{
    return p->list->values[number].kind != BLY_ATOM_OPERATION && !p->list->values[number].a;
}

static bool passes(struct proof *p, const struct bly_atom *c)
{
    const uint32_t by = is_leaf(p, c->b) ? c->b : is_leaf(p, c->a) ? c->a : c->a < c->b ? c->a : c->b;
    const uint32_t replaced = by == c->b ? c->a : c->b;
    const double tolerance = p->list->unit->precision == BAILEY_PRECISION_F32 ? 2e-5 : 1e-9;
    uint64_t random = 12345;
    int valid = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct bly_leaves l;
        if (!spend(p, p->cone_count)) return false;
        draw(p, trial, &random, &l);
        bly_list_evaluate_some(p->list, &l, p->space->cone, p->cone_count, replaced, by, p->space->results);
        const double x = value_of(p, p->a), y = value_of(p, p->b), at = p->space->results[by].real;
        if (!isfinite(x) || !isfinite(y) || !isfinite(at)) continue;
        if (!(fabs(x - y) <= tolerance * (fabs(x) + fabs(y) + fabs(at)))) return false;
        valid++;
    }
    return valid >= FEWEST_TRIALS;
}

/* ---- A selection --------------------------------------------------------------------------------- */

static enum bly_meeting of_comparison(struct bly_derivative *d, const struct bly_reversed *r,
                                      uint32_t comparison, uint32_t a, uint32_t b)
{
    const struct bly_atom *c = &r->list.values[comparison];
    struct proof p = {.d = d, .list = &r->list, .random = r->random, .space = r->smooth};
    p.l = c->a;
    p.r = c->b;
    p.a = a;
    p.b = b;
    if (d->proof_work > BLY_MOST_PROOF) return BLY_JUMPS;
    find_cone(&p);
    const bool meets = is_proved(&p, r->residues) || passes(&p, c);
    if (d->proof_work > BLY_MOST_PROOF) d->too_long = c->place;
    return meets ? BLY_MEETS : BLY_JUMPS;
}

static enum bly_meeting of_condition(struct bly_derivative *d, const struct bly_reversed *r,
                                     uint32_t condition, uint32_t a, uint32_t b)
{
    const struct bly_atom *c = &r->list.values[condition];
    if (!r->random[condition]) return BLY_MEETS; /* it turns on no path */
    if (c->kind != BLY_ATOM_OPERATION) return BLY_JUMPS;
    if (c->operation == BLY_NOT) return of_condition(d, r, c->a, a, b);
    if (c->operation == BLY_AND || c->operation == BLY_OR) {
        const bool both = of_condition(d, r, c->a, a, b) && of_condition(d, r, c->b, a, b);
        return both ? BLY_MEETS : BLY_JUMPS;
    }
    return bly_is_comparison(c->operation) && is_real(&r->list, c->a) ? of_comparison(d, r, condition, a, b)
                                                                      : BLY_JUMPS;
}

enum bly_meeting bly_meeting_of(struct bly_derivative *d, const struct bly_reversed *r, uint32_t selection)
{
    const struct bly_atom s = r->list.values[selection];
    return of_condition(d, r, s.a, s.b, s.c);
}
