/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Forward mode of a list: each value and what it changes by, from the first to the last. It knows nothing of
 * adjoints, and is what these are tested against.
 */
#include "tangents.h"

#include <host/payoff/machine.h>

#include <math.h>
#include <string.h>

struct forward {
    const struct bly_derivative *d;
    const struct bly_reversed *r;
    const struct bly_leaves *leaves;
    const union bly_scalar *values;
    double *tangents;
};

static double number_of(const struct forward *f, uint32_t value)
{
    return f->r->list.values[value].type->kind == BLY_TYPE_REAL ? f->values[value].real
                                                                : (double)f->values[value].integer;
}

static bool is_true(const struct forward *f, uint32_t value) { return number_of(f, value) != 0; }

/* For a comparison of reals: the density of its width. */
static double jump(const struct forward *f, uint32_t number)
{
    const struct bly_atom *c = &f->r->list.values[number];
    const double distance = number_of(f, c->a) - number_of(f, c->b),
                 change = f->tangents[c->a] - f->tangents[c->b];
    const bool rises = c->operation == BLY_GREATER || c->operation == BLY_GREATER_EQUAL;
    if (!f->r->turn_of[number] || !f->leaves->widths) return 0;
    const double width = f->leaves->widths[f->r->turns[f->r->turn_of[number] - 1].jump];
    const double u = distance / width;
    return (rises ? change : -change) * fmax(1 - u * u, 0) * (3 - 7 * u * u) * 15 / 32 / width;
}

/* A comparison of a flag: what it would be if the flag were the other number. */
static double flag(const struct forward *f, const struct bly_atom *c)
{
    const bool swapped = !f->r->varied[c->a];
    const uint32_t of = swapped ? c->b : c->a, with = swapped ? c->a : c->b;
    return bly_flag_way(c->operation, swapped, (int64_t)number_of(f, with)) * f->tangents[of];
}

/* Nothing comes of what does not change, nor of what does not count, even where the other is infinite. */
static double times(double change, double factor)
{
    return change != 0 && factor != 0 ? change * factor : 0;
}

static double function(const char *name, const double *given)
{
    return bly_library_call_f64(bly_library_find(name, strlen(name)), given);
}

static double call(const struct forward *f, const struct bly_atom *o, double result)
{
    const char *name = o->library->name;
    const double a = number_of(f, o->a), b = o->b ? number_of(f, o->b) : 0, da = f->tangents[o->a],
                 db = o->b ? f->tangents[o->b] : 0;
    if (strcmp(name, "exp") == 0) return times(da, result);
    if (strcmp(name, "log") == 0) return times(da, 1 / a);
    if (strcmp(name, "sqrt") == 0) return times(da, 0.5 / result);
    if (strcmp(name, "pow") == 0)
        return times(da, b * pow(a, b - 1)) + times(db, a > 0 ? result * log(a) : 0);
    if (strcmp(name, "fabs") == 0) return a < 0 ? -da : da;
    if (strcmp(name, "fmin") == 0) return b < a ? db : da;
    if (strcmp(name, "fmax") == 0) return b > a ? db : da;
    if (strcmp(name, "fma") == 0) return times(db, a) + times(da, b) + f->tangents[o->c];
    if (strcmp(name, "normal_icdf") == 0) return times(da, 2.5066282746310002 * exp(0.5 * result * result));
    if (strcmp(name, "gamma_icdf") == 0) {
        const double at[3] = {result, b}, from[3] = {a, b};
        return times(da, 1 / function("gamma_density", at)) + times(db, function("gamma_icdf_by_shape", from));
    }
    if (strcmp(name, "normal_cdf") == 0 || strcmp(name, "uniform") == 0)
        return 0.3989422804014327 * exp(-0.5 * a * a) * da;
    return 0;
}

static double operation(const struct forward *f, uint32_t number)
{
    const struct bly_atom *o = &f->r->list.values[number];
    const double da = f->tangents[o->a], db = o->b ? f->tangents[o->b] : 0;
    switch (o->operation) {
    case BLY_NEGATE:
    case BLY_NOT: return -da;
    case BLY_ADD: return da + db;
    case BLY_SUBTRACT: return da - db;
    case BLY_MULTIPLY: return times(da, number_of(f, o->b)) + times(db, number_of(f, o->a));
    case BLY_DIVIDE: return times(da - times(db, number_of(f, number)), 1 / number_of(f, o->b));
    case BLY_CONVERT: return da;
    case BLY_CALL: return call(f, o, number_of(f, number));
    case BLY_AND: return (is_true(f, o->b) ? da : 0) + (is_true(f, o->a) ? db : 0);
    case BLY_OR: return (is_true(f, o->b) ? 0 : da) + (is_true(f, o->a) ? 0 : db);
    case BLY_SELECT: {
        const double side = is_true(f, o->a) ? db : f->tangents[o->c];
        const bool jumps = f->r->varied[o->a] && f->r->meeting[number] == 1 + BLY_JUMPS;
        return side + (jumps ? times(da, number_of(f, o->b) - number_of(f, o->c)) : 0);
    }
    default: /* bits do not change by little */
        if (o->operation < BLY_LESS || o->operation > BLY_UNEQUAL) return 0;
        return f->r->list.values[o->a].type->kind == BLY_TYPE_REAL ? jump(f, number) : flag(f, o);
    }
}

void find_tangents(const struct bly_derivative *d, const struct bly_reversed *r, const struct bly_leaves *leaves,
                   const struct changes *changes, union bly_scalar *values, double *tangents)
{
    const struct bly_atoms all = {.unit = r->list.unit, .values = r->list.values, .count = r->primal};
    struct forward f = {d, r, leaves, values, tangents};
    bly_list_evaluate(&all, leaves, values);
    tangents[0] = 0;
    for (uint32_t i = 1; i < r->primal; i++) {
        const struct bly_atom *v = &all.values[i];
        double change = 0;
        if (v->kind == BLY_ATOM_STATE && changes->state) change = changes->state[v->number];
        if (v->kind == BLY_ATOM_POINT && changes->x) change = changes->x[v->number];
        if (v->kind == BLY_ATOM_PARAM && changes->params)
            change = changes->params[v->number + (v->a ? (uint32_t)values[v->a].integer : 0)];
        tangents[i] = !r->varied[i] ? 0 : v->kind == BLY_ATOM_OPERATION ? operation(&f, i) : change;
    }
}
