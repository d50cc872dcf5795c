/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Jumps that are not comparisons: fabs(y) / y, fmax(y, 0) / y, y / sqrt(y * y). Their derivative is 0 on all
 * paths, and that of the mean is not. A quotient is one if its divisor is 0 where a kink is whose value goes
 * on to the result; a kink that only guards the quotient is none.
 */
#include "derivative.h"
#include "identity.h"

#include <base/status.h>

#include <string.h>

struct quotients {
    const struct bly_derivative *d;
    const struct bly_reversed *r;
    const struct bly_residue *residues;
    uint8_t *flows;  /* [primal]: its value goes on to the result */
    uint64_t *kinks; /* [kink_count]: what is 0 at a kink, up to its sign */
    uint32_t kink_count;
};

static bool is_call(const struct bly_atom *v, const char *name)
{
    return v->kind == BLY_ATOM_OPERATION && v->operation == BLY_CALL && strcmp(v->library->name, name) == 0;
}

static void mark(struct quotients *q)
{
    const uint32_t count = q->r == &q->d->finish ? q->d->outputs : q->d->states;
    for (uint32_t k = 0; k < count; k++) q->flows[q->r->results[k]] = q->r->live[q->r->results[k]];
    for (uint32_t i = q->r->primal; i-- > 1;) {
        const struct bly_atom *v = &q->r->list.values[i];
        if (!q->flows[i] || v->kind != BLY_ATOM_OPERATION || bly_is_comparison(v->operation)) continue;
        if (v->operation != BLY_SELECT) q->flows[v->a] = 1;
        q->flows[v->b] = q->flows[v->c] = 1;
    }
}

static void add_kink(struct quotients *q, struct bly_residue zero)
{
    if (!zero.known) q->kinks[q->kink_count++] = bly_residue_size(zero);
}

/* Comparisons of a selection that is smooth. */
static void add_condition(struct quotients *q, uint32_t condition)
{
    const struct bly_atom *c = &q->r->list.values[condition];
    if (c->kind != BLY_ATOM_OPERATION || q->kink_count > q->r->primal) return;
    if (bly_is_comparison(c->operation)) add_kink(q, bly_residue_less(q->residues[c->a], q->residues[c->b]));
    if (c->operation == BLY_NOT) add_condition(q, c->a);
}

static void find_kinks(struct quotients *q)
{
    for (uint32_t i = 1; i < q->r->primal; i++) {
        const struct bly_atom *v = &q->r->list.values[i];
        if (!q->flows[i] || v->kind != BLY_ATOM_OPERATION) continue;
        if (is_call(v, "fabs")) add_kink(q, q->residues[v->a]);
        if (is_call(v, "fmax") || is_call(v, "fmin"))
            add_kink(q, bly_residue_less(q->residues[v->a], q->residues[v->b]));
        const struct bly_atom *of = &q->r->list.values[v->a];
        const bool squares =
            of->kind == BLY_ATOM_OPERATION && of->operation == BLY_MULTIPLY && of->a == of->b;
        if (is_call(v, "sqrt") && squares) add_kink(q, q->residues[of->a]);
        if (v->operation == BLY_SELECT && q->r->meeting[i] > 1 + BLY_JUMPS) add_condition(q, v->a);
    }
}

static bool is_kink(const struct quotients *q, uint32_t value)
{
    bool any = false;
    for (uint32_t k = 0; k < q->kink_count; k++) any |= q->kinks[k] == bly_residue_size(q->residues[value]);
    return any;
}

/* Whether a factor of the divisor is 0 at a kink. */
static bool vanishes(const struct quotients *q, uint32_t divisor)
{
    const struct bly_atom *v = &q->r->list.values[divisor];
    if (!q->r->moving[divisor]) return false;
    if (is_kink(q, divisor)) return true;
    if (v->kind != BLY_ATOM_OPERATION) return false;
    if (v->operation == BLY_MULTIPLY) return vanishes(q, v->a) || vanishes(q, v->b);
    return (v->operation == BLY_NEGATE || is_call(v, "fabs") || is_call(v, "sqrt")) && vanishes(q, v->a);
}

bailey_status bly_quotients_check(struct bly_derivative *d, const struct bly_reversed *r)
{
    struct quotients q = {.d = d, .r = r};
    q.residues = r->residues;
    q.flows = bly_arena_take(&d->arena, r->primal);
    q.kinks = bly_arena_take(&d->arena, (2 * (size_t)r->primal + 2) * sizeof *q.kinks);
    if (!q.flows || !q.kinks) return bly_derive_full(d->unit, &d->arena);
    mark(&q);
    find_kinks(&q);
    for (uint32_t i = 1; i < r->primal && q.kink_count; i++) {
        const struct bly_atom *v = &r->list.values[i];
        const bool divides = v->kind == BLY_ATOM_OPERATION && v->operation == BLY_DIVIDE && r->live[i];
        if (!divides || !r->varied[v->b] || !vanishes(&q, v->b)) continue;
        bly_refuse_at(
            d->unit, v->place,
            "cannot be differentiated: this quotient jumps where its divisor is 0; write a comparison");
        return BAILEY_ERROR_UNSUPPORTED;
    }
    return BAILEY_OK;
}
