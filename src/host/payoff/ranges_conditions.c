/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The facts after a condition held, or did not.
 */
#include "ranges.h"

static bool is_lvalue(const struct bly_expression *x)
{
    return x->kind == BLY_VARIABLE || x->kind == BLY_MEMBER || x->kind == BLY_INDEX;
}

int64_t bly_cell_of(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    if (!is_lvalue(x) || !bly_has_range(x->type)) return -1;
    const bool recording = w->recording, judging = w->judging;
    w->recording = w->judging = false;
    const struct bly_spot spot = bly_walk_locate(w, env, x);
    w->recording = recording;
    w->judging = judging;
    return spot.weak ? -1 : spot.cell;
}

/* ---- Sums of a cell and a number ------------------------------------------------------------------ */

#define MOST_OFFSET ((int64_t)1 << 40)

/* A cell and a number, whose sum does not wrap around. */
struct linear {
    int64_t cell, offset;
};

static bool linear_of(struct bly_walker *w, struct bly_env *env, struct bly_expression *x,
                      struct linear *linear);

static bool is_linear_sum(struct bly_walker *w, struct bly_env *env, struct bly_expression *x,
                          struct linear *linear)
{
    const struct bly_int_range a = bly_walk_quietly(w, env, x->a), b = bly_walk_quietly(w, env, x->b);
    bool fits = true;
    bly_int_range_arithmetic(x->kind, x->type->kind, a, b, &fits);
    if (!fits || !bly_int_range_is_one(b) || b.low > MOST_OFFSET || b.low < -MOST_OFFSET) return false;
    if (!linear_of(w, env, x->a, linear)) return false;
    linear->offset += x->kind == BLY_ADD ? b.low : -b.low;
    return linear->offset < MOST_OFFSET && linear->offset > -MOST_OFFSET;
}

static bool linear_of(struct bly_walker *w, struct bly_env *env, struct bly_expression *x,
                      struct linear *linear)
{
    bly_walk_work(w, 1);
    if (!bly_has_range(x->type)) return false;
    if (x->kind == BLY_CONVERT) {
        if (!bly_has_range(x->a->type)) return false;
        bool fits = true;
        bly_int_range_convert(x->a->type->kind, x->type->kind, bly_walk_quietly(w, env, x->a), &fits);
        return fits && linear_of(w, env, x->a, linear);
    }
    if (x->kind == BLY_ADD || x->kind == BLY_SUBTRACT) return is_linear_sum(w, env, x, linear);
    *linear = (struct linear){bly_cell_of(w, env, x), 0};
    return linear->cell >= 0;
}

/* Adds the facts about its two sides that a comparison implies where it holds. */
static void compare(struct bly_walker *w, struct bly_env *env, enum bly_expression_kind kind,
                    struct bly_expression *x)
{
    struct linear a, b;
    if (!linear_of(w, env, x->a, &a) || !linear_of(w, env, x->b, &b)) return;
    const int64_t by = b.offset - a.offset;
    const bool less = kind == BLY_LESS || kind == BLY_LESS_EQUAL || kind == BLY_EQUAL;
    const bool greater = kind == BLY_GREATER || kind == BLY_GREATER_EQUAL || kind == BLY_EQUAL;
    if (less) bly_fact_add(env, b.cell, a.cell, -by + (kind == BLY_LESS));
    if (greater) bly_fact_add(env, a.cell, b.cell, by + (kind == BLY_GREATER));
}

bool bly_facts_difference(struct bly_walker *w, struct bly_env *env, struct bly_expression *x,
                          struct bly_int_range *r)
{
    struct linear a, b;
    if (env->fact_count == 0 || !linear_of(w, env, x->a, &a) || !linear_of(w, env, x->b, &b)) return false;
    const struct bly_fact *low = bly_fact_find(env, a.cell, b.cell),
                          *high = bly_fact_find(env, b.cell, a.cell);
    if (!low && !high) return false;
    const struct bly_int_range is = env->cells[a.cell].range, less = env->cells[b.cell].range;
    const int64_t by = a.offset - b.offset;
    if (is.low == INT64_MIN || is.high == INT64_MAX || less.low == INT64_MIN || less.high == INT64_MAX)
        return false;
    *r = bly_change_add(is, (struct bly_int_range){-less.high, -less.low});
    if (low && low->least > r->low) r->low = low->least;
    if (high && -high->least < r->high) r->high = -high->least;
    *r = bly_change_add(*r, bly_int_range_one(by));
    if (r->low == INT64_MIN || r->high == INT64_MAX) return false;
    return r->low <= r->high && bly_int_range_within(*r, bly_int_range_of(x->type->kind));
}

/* ---- Ranges --------------------------------------------------------------------------------------- */

static void keep(struct bly_env *env, struct bly_integer *cell, struct bly_int_range r)
{
    const struct bly_int_range old = cell->range;
    if (r.low > cell->range.low) cell->range.low = r.low;
    if (r.high < cell->range.high) cell->range.high = r.high;
    if (cell->range.low > cell->range.high) env->dead = true;
    if (old.low != cell->range.low || old.high != cell->range.high) cell->exact = 0;
}

static int64_t opposite_of(int64_t a) { return a == INT64_MIN ? INT64_MAX : a == INT64_MAX ? INT64_MIN : -a; }

static struct bly_int_range negated(struct bly_int_range r)
{
    return (struct bly_int_range){opposite_of(r.high), opposite_of(r.low)};
}

static void refine(struct bly_walker *w, struct bly_env *env, struct bly_expression *x,
                   struct bly_int_range r);

/* a + b or a - b is in r, and does not wrap around. */
static void refine_sum(struct bly_walker *w, struct bly_env *env, struct bly_expression *x,
                       struct bly_int_range r)
{
    const struct bly_int_range a = bly_walk_quietly(w, env, x->a), b = bly_walk_quietly(w, env, x->b);
    bool fits = true;
    bly_int_range_arithmetic(x->kind, x->type->kind, a, b, &fits);
    if (!fits || x->type->kind == BLY_TYPE_UINT64) return;
    const bool add = x->kind == BLY_ADD;
    if (bly_int_range_is_one(b))
        refine(w, env, x->a, bly_change_add(r, add ? negated(b) : b));
    else if (bly_int_range_is_one(a))
        refine(w, env, x->b, add ? bly_change_add(r, negated(a)) : bly_change_add(a, negated(r)));
}

static int64_t quotient_up(int64_t a, int64_t by) { return a / by + (a % by > 0); }
static int64_t quotient_down(int64_t a, int64_t by) { return a / by - (a % by < 0); }

/* a * b is in r, and does not wrap around, with b or a a positive number. */
static void refine_product(struct bly_walker *w, struct bly_env *env, struct bly_expression *x,
                           struct bly_int_range r)
{
    struct bly_int_range a = bly_walk_quietly(w, env, x->a), b = bly_walk_quietly(w, env, x->b);
    struct bly_expression *other = x->a;
    bool fits = true;
    bly_int_range_arithmetic(x->kind, x->type->kind, a, b, &fits);
    if (bly_int_range_is_one(a)) b = a, other = x->b;
    if (!fits || !bly_int_range_is_one(b) || b.low < 1 || r.high == INT64_MAX || r.low == INT64_MIN) return;
    refine(w, env, other, (struct bly_int_range){quotient_up(r.low, b.low), quotient_down(r.high, b.low)});
}

/* x is in r. */
static void refine(struct bly_walker *w, struct bly_env *env, struct bly_expression *x,
                   struct bly_int_range r)
{
    bly_walk_work(w, 1);
    if (x->kind == BLY_CONVERT && bly_has_range(x->a->type)) {
        bool fits = true;
        bly_int_range_convert(x->a->type->kind, x->type->kind, bly_walk_quietly(w, env, x->a), &fits);
        if (fits) refine(w, env, x->a, r);
        return;
    }
    if (x->kind == BLY_ADD || x->kind == BLY_SUBTRACT) {
        refine_sum(w, env, x, r);
        return;
    }
    if (x->kind == BLY_MULTIPLY) {
        refine_product(w, env, x, r);
        return;
    }
    const int64_t cell = bly_cell_of(w, env, x);
    if (cell >= 0) keep(env, &env->cells[cell], r);
}

static enum bly_expression_kind opposite(enum bly_expression_kind kind)
{
    switch (kind) {
    case BLY_LESS: return BLY_GREATER_EQUAL;
    case BLY_LESS_EQUAL: return BLY_GREATER;
    case BLY_GREATER: return BLY_LESS_EQUAL;
    case BLY_GREATER_EQUAL: return BLY_LESS;
    case BLY_EQUAL: return BLY_UNEQUAL;
    default: return BLY_EQUAL;
    }
}

static enum bly_expression_kind turned(enum bly_expression_kind kind)
{
    switch (kind) {
    case BLY_LESS: return BLY_GREATER;
    case BLY_LESS_EQUAL: return BLY_GREATER_EQUAL;
    case BLY_GREATER: return BLY_LESS;
    case BLY_GREATER_EQUAL: return BLY_LESS_EQUAL;
    default: return kind;
    }
}

static void thresholds(struct bly_walker *w, struct bly_int_range r)
{
    if (!bly_int_range_is_one(r) || r.low <= INT32_MIN || r.low >= INT32_MAX) return;
    bly_threshold(w, r.low - 1);
    bly_threshold(w, r.low);
    bly_threshold(w, r.low + 1);
}

/* a % b is 0: b is no larger than a, unless that is 0. */
static void assume_divides(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    if (x->kind != BLY_REMAINDER || env->dead) return;
    const struct bly_int_range a = bly_walk_quietly(w, env, x->a), b = bly_walk_quietly(w, env, x->b);
    if (a.low >= 1 && b.low >= 1) refine(w, env, x->b, (struct bly_int_range){b.low, a.high});
}

/* x is not 0. */
static void refine_nonzero(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    bool fits = true;
    for (; x->kind == BLY_CONVERT && bly_has_range(x->a->type) && fits; x = x->a)
        bly_int_range_convert(x->a->type->kind, x->type->kind, bly_walk_quietly(w, env, x->a), &fits);
    const int64_t cell = fits ? bly_cell_of(w, env, x) : -1;
    if (cell >= 0) env->cells[cell].nonzero = true;
}

static void assume_comparison(struct bly_walker *w, struct bly_env *env, struct bly_expression *x, bool truth)
{
    if (!bly_has_range(x->a->type)) return;
    const enum bly_expression_kind kind = truth ? x->kind : opposite(x->kind);
    const enum bly_type_kind type = x->a->type->kind;
    const struct bly_int_range a = bly_walk_quietly(w, env, x->a), b = bly_walk_quietly(w, env, x->b);
    thresholds(w, a);
    thresholds(w, b);
    const struct bly_int_range new_a = bly_int_range_narrow(kind, type, a, b);
    const struct bly_int_range new_b = bly_int_range_narrow(turned(kind), type, b, a);
    if (new_a.low > new_a.high || new_b.low > new_b.high) {
        env->dead = true;
        return;
    }
    refine(w, env, x->a, new_a);
    if (!env->dead) refine(w, env, x->b, new_b);
    if (!env->dead) compare(w, env, kind, x);
    if (kind == BLY_UNEQUAL && b.low == 0 && b.high == 0 && !env->dead) refine_nonzero(w, env, x->a);
    if (kind == BLY_EQUAL && b.low == 0 && b.high == 0) assume_divides(w, env, x->a);
}

/* Both hold: of a && b, or of !(a || b). */
static void assume_both(struct bly_walker *w, struct bly_env *env, struct bly_expression *x, bool truth)
{
    bly_walk_assume(w, env, x->a, truth);
    if (!env->dead) bly_walk_assume(w, env, x->b, truth);
}

/* One of both does: b where a does not. */
static void assume_either(struct bly_walker *w, struct bly_env *env, struct bly_expression *x, bool truth)
{
    const uint32_t mark = w->pool_used;
    struct bly_env first = bly_env_copy(w, env);
    bly_walk_assume(w, &first, x->a, truth);
    bly_walk_assume(w, env, x->a, !truth);
    if (!env->dead) bly_walk_assume(w, env, x->b, truth);
    bly_env_join(w, env, &first);
    w->pool_used = mark;
}

static void assume_number(struct bly_walker *w, struct bly_env *env, struct bly_expression *x, bool truth)
{
    if (!bly_has_range(x->type)) return;
    const struct bly_int_range r = bly_walk_quietly(w, env, x);
    const struct bly_int_range left =
        bly_int_range_narrow(truth ? BLY_UNEQUAL : BLY_EQUAL, x->type->kind, r, bly_int_range_one(0));
    if (left.low > left.high)
        env->dead = true;
    else
        refine(w, env, x, left);
}

void bly_walk_assume(struct bly_walker *w, struct bly_env *env, struct bly_expression *x, bool truth)
{
    if (env->dead) return;
    bly_walk_work(w, 1);
    if (++w->depth > 4 * BLY_MOST_HEIGHT) bly_walk_stop(w, BLY_TOO_LONG);
    if (x->kind == BLY_NOT)
        bly_walk_assume(w, env, x->a, !truth);
    else if (x->kind == BLY_AND || x->kind == BLY_OR)
        (truth == (x->kind == BLY_AND) ? assume_both : assume_either)(w, env, x, truth);
    else if (bly_is_comparison(x->kind))
        assume_comparison(w, env, x, truth);
    else
        assume_number(w, env, x, truth);
    w->depth--;
}

/* ---- Changes -------------------------------------------------------------------------------------- */

/* Numbers of a type are known modulo 2^width: so are changes, through any type that is at least as wide. */
static bool is_as_wide(const struct bly_type *type, uint8_t as)
{
    const bool wide = type->kind == BLY_TYPE_INT64 || type->kind == BLY_TYPE_UINT64;
    return bly_has_range(type) && (wide || as == BLY_TYPE_INT || as == BLY_TYPE_UINT32);
}

static bool change_of_sum(struct bly_walker *w, struct bly_env *env, struct bly_expression *x, int64_t cell,
                          struct bly_int_range *change)
{
    if (bly_change_of(w, env, x->a, cell, change)) {
        const struct bly_int_range by = bly_walk_quietly(w, env, x->b);
        if (x->b->type->kind == BLY_TYPE_UINT64 && by.high == INT64_MAX) return false;
        *change = bly_change_add(*change, x->kind == BLY_ADD ? by : negated(by));
        return true;
    }
    if (x->kind != BLY_ADD || !bly_change_of(w, env, x->b, cell, change)) return false;
    const struct bly_int_range by = bly_walk_quietly(w, env, x->a);
    if (x->a->type->kind == BLY_TYPE_UINT64 && by.high == INT64_MAX) return false;
    *change = bly_change_add(*change, by);
    return true;
}

static bool change_of_either(struct bly_walker *w, struct bly_env *env, struct bly_expression *x,
                             int64_t cell, struct bly_int_range *change)
{
    struct bly_int_range other;
    if (!bly_change_of(w, env, x->b, cell, change) || !bly_change_of(w, env, x->c, cell, &other))
        return false;
    *change = bly_int_range_hull(*change, other);
    return true;
}

bool bly_change_of(struct bly_walker *w, struct bly_env *env, struct bly_expression *x, int64_t cell,
                   struct bly_int_range *change)
{
    if (!is_as_wide(x->type, env->cells[cell].type)) return false;
    *change = env->cells[cell].change;
    switch (x->kind) {
    case BLY_VARIABLE:
    case BLY_MEMBER:
    case BLY_INDEX: return bly_cell_of(w, env, x) == cell;
    case BLY_CONVERT: return bly_change_of(w, env, x->a, cell, change);
    case BLY_ADD:
    case BLY_SUBTRACT: return change_of_sum(w, env, x, cell, change);
    case BLY_SELECT: return change_of_either(w, env, x, cell, change);
    default: return false;
    }
}

/* ---- Halvings ------------------------------------------------------------------------------------- */

int8_t bly_halvings_of(struct bly_walker *w, struct bly_env *env, struct bly_expression *x, int64_t cell)
{
    const struct bly_integer *of = &env->cells[cell];
    if (!bly_has_range(x->type) || of->halvings < 0 || of->range.low < 0) return -1;
    if (bly_cell_of(w, env, x) == cell) return of->halvings;
    if (x->kind == BLY_CONVERT && bly_has_range(x->a->type)) {
        bool fits = true;
        bly_int_range_convert(x->a->type->kind, x->type->kind, bly_walk_quietly(w, env, x->a), &fits);
        return fits ? bly_halvings_of(w, env, x->a, cell) : -1;
    }
    if (x->kind != BLY_SHIFT_RIGHT && x->kind != BLY_DIVIDE) return -1;
    const struct bly_int_range by = bly_walk_quietly(w, env, x->b);
    const bool wide = x->type->kind == BLY_TYPE_INT64 || x->type->kind == BLY_TYPE_UINT64;
    const bool halves = x->kind == BLY_DIVIDE ? by.low >= 2 : by.low >= 1 && by.high < (wide ? 64 : 32);
    const int8_t before = halves ? bly_halvings_of(w, env, x->a, cell) : -1;
    return before < 0 || before == INT8_MAX ? before : before + 1;
}
