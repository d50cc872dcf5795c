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
 */
#include "derivative.h"
#include "identity.h"

#include <math.h>
#include <string.h>

#define MOST_CANDIDATES 64u
#define TRIALS 240
#define FEWEST_TRIALS 16

static bool is_real(const struct bly_atoms *list, uint32_t number)
{
    return list->values[number].type->kind == BLY_TYPE_REAL;
}

/* ---- The proof ----------------------------------------------------------------------------------- */

struct proof {
    const struct bly_atoms *list;
    const uint8_t *random; /* [primal] of list */
    uint32_t l, r, a, b, count;
    struct bly_residue *residues; /* [count] */
    uint8_t *seen;                /* [count] */
    uint32_t candidates[MOST_CANDIDATES], candidate_count;
};

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

static void collect(struct proof *p, uint32_t number)
{
    const struct bly_atom *v = &p->list->values[number];
    if (!number || p->seen[number] || p->candidate_count == MOST_CANDIDATES) return;
    p->seen[number] = 1;
    if (v->kind != BLY_ATOM_NUMBER && v->type->kind == BLY_TYPE_REAL)
        p->candidates[p->candidate_count++] = number;
    if (v->kind != BLY_ATOM_OPERATION) return;
    collect(p, v->a);
    collect(p, v->b);
    collect(p, v->c);
}

static struct bly_residue difference_at(struct proof *p, uint32_t u, double x)
{
    const struct bly_residue by = bly_residue_of(x);
    bly_residues(p->list, p->count, u, &by, p->residues);
    return bly_residue_less(p->residues[p->l], p->residues[p->r]);
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
    const struct bly_residue by = bly_residue_ratio(at_0, bly_residue_less(at_0, at_1));
    bly_residues(p->list, p->count, u, &by, p->residues);
    const bool is_factor = !at_0.of && !slope.known;
    if (p->residues[p->a].of == p->residues[p->b].of) return is_factor ? SAYS_NOTHING : PROVES;
    return p->random[u] && is_term(&p->list->values[u]) ? DISPROVES : SAYS_NOTHING;
}

static bool is_proved(struct proof *p)
{
    strip(p);
    if (!p->l || !p->r || p->l == p->r) return false;
    collect(p, p->l);
    collect(p, p->r);
    bool proved = false;
    for (uint32_t k = 0; k < p->candidate_count; k++) {
        const enum solution one = solve(p, p->candidates[k]);
        if (one == DISPROVES) return false;
        proved |= one == PROVES;
    }
    return proved && p->candidate_count < MOST_CANDIDATES;
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

struct test {
    const struct bly_derivative *d;
    struct bly_atoms list;
    union bly_scalar *results, *state, *params;
    double *x;
};

static void draw(struct test *t, int trial, uint64_t *random, struct bly_leaves *l)
{
    for (uint32_t i = 1; i < t->list.count; i++) {
        const struct bly_atom *v = &t->list.values[i];
        const bool is_state = v->kind == BLY_ATOM_STATE, is_param = v->kind == BLY_ATOM_PARAM;
        if (!is_state && !is_param) continue;
        for (uint32_t k = 0; k < (is_param && v->a ? v->count : 1); k++) {
            union bly_scalar *to = (is_state ? t->state : t->params) + v->number + k;
            if (v->type->kind == BLY_TYPE_REAL)
                to->real = draw_real(&t->list, trial, random);
            else
                to->integer = (int64_t)(random_number(random) * (is_state && t->d->flags[v->number] ? 2 : 4));
        }
    }
    for (uint32_t k = 0; k < t->d->dims; k++)
        t->x[k] = trial % 4 == 3 ? special(&t->list, random) : 2 * random_number(random) - 1;
    *l = (struct bly_leaves){
        .state = t->state, .params = t->params, .x = t->x, .t = 0.1 + random_number(random), .i = trial % 32};
    if (t->d->has_pair) l->h = 0.1 + random_number(random);
}

static double value_of(const struct test *t, uint32_t number)
{
    return is_real(&t->list, number) ? t->results[number].real : (double)t->results[number].integer;
}

static bool passes(struct test *t, const struct bly_atom *c, uint32_t a, uint32_t b)
{
    const bool leaf = t->list.values[c->b].kind != BLY_ATOM_OPERATION && !t->list.values[c->b].a;
    const bool other = t->list.values[c->a].kind != BLY_ATOM_OPERATION && !t->list.values[c->a].a;
    const uint32_t by = leaf ? c->b : other ? c->a : c->a < c->b ? c->a : c->b;
    const uint32_t replaced = by == c->b ? c->a : c->b;
    const double tolerance = t->list.unit->precision == BAILEY_PRECISION_F32 ? 2e-5 : 1e-9;
    uint64_t random = 12345;
    int valid = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct bly_leaves l;
        draw(t, trial, &random, &l);
        bly_list_evaluate(&t->list, &l, replaced, by, t->results);
        const double p = value_of(t, a), q = value_of(t, b), at = t->results[by].real;
        if (!isfinite(p) || !isfinite(q) || !isfinite(at)) continue;
        if (!(fabs(p - q) <= tolerance * (fabs(p) + fabs(q) + fabs(at)))) return false;
        valid++;
    }
    return valid >= FEWEST_TRIALS;
}

/* ---- A selection --------------------------------------------------------------------------------- */

static enum bly_meeting of_comparison(const struct bly_derivative *d, const struct bly_reversed *r,
                                      uint32_t comparison, uint32_t a, uint32_t b)
{
    const struct bly_atom *c = &r->list.values[comparison];
    const uint32_t sides = a > b ? a : b, compared = c->a > c->b ? c->a : c->b;
    struct bly_arena arena = {0};
    struct proof p = {.list = &r->list, .random = r->random, .l = c->a, .r = c->b, .a = a, .b = b};
    struct test t = {.d = d, .list = {.unit = r->list.unit, .values = r->list.values, .count = r->primal}};
    enum bly_meeting meeting = BLY_JUMPS;
    p.count = 1 + (sides > compared ? sides : compared);
    p.residues = bly_arena_take(&arena, p.count * sizeof *p.residues);
    p.seen = bly_arena_take(&arena, p.count);
    t.results = bly_arena_take(&arena, r->primal * sizeof *t.results);
    t.state = bly_arena_take(&arena, (d->states + 1) * sizeof *t.state);
    t.params = bly_arena_take(&arena, (d->params + 1) * sizeof *t.params);
    t.x = bly_arena_take(&arena, d->dims * sizeof *t.x);
    if ((p.residues && p.seen && is_proved(&p)) ||
        (t.results && t.state && t.params && t.x && passes(&t, c, a, b)))
        meeting = BLY_MEETS;
    bly_arena_free(&arena);
    return meeting;
}

static enum bly_meeting of_condition(const struct bly_derivative *d, const struct bly_reversed *r,
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

enum bly_meeting bly_meeting_of(const struct bly_derivative *d, const struct bly_reversed *r,
                                uint32_t selection)
{
    const struct bly_atom s = r->list.values[selection];
    return of_condition(d, r, s.a, s.b, s.c);
}
