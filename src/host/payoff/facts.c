/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Differences of two integers, where a condition has compared them: after `if (i < p->first) return;` i -
 * p->first is 0 at least, though the range of neither says so.
 */
#include "ranges.h"

void bly_fact_add(struct bly_env *env, int64_t a, int64_t b, int64_t least)
{
    if (a == b) return;
    for (uint32_t i = 0; i < env->fact_count; i++) {
        struct bly_fact *fact = &env->facts[i];
        if (fact->a != a || fact->b != b) continue;
        if (least > fact->least) fact->least = least;
        return;
    }
    if (env->fact_count < BLY_FACTS)
        env->facts[env->fact_count++] = (struct bly_fact){(uint32_t)a, (uint32_t)b, least};
}

static const struct bly_fact *find(const struct bly_env *env, int64_t a, int64_t b)
{
    for (uint32_t i = 0; i < env->fact_count; i++)
        if (env->facts[i].a == a && env->facts[i].b == b) return &env->facts[i];
    return NULL;
}

static void drop(struct bly_env *env, uint32_t i) { env->facts[i] = env->facts[--env->fact_count]; }

void bly_facts_forget(struct bly_env *env, int64_t cell)
{
    for (uint32_t i = env->fact_count; i-- > 0;)
        if (env->facts[i].a == cell || env->facts[i].b == cell) drop(env, i);
}

void bly_facts_set(struct bly_env *env, const struct bly_env *from)
{
    env->fact_count = 0;
    for (uint32_t i = 0; i < from->fact_count; i++)
        if (from->facts[i].a < env->count && from->facts[i].b < env->count)
            env->facts[env->fact_count++] = from->facts[i];
}

void bly_facts_join(struct bly_env *env, const struct bly_env *other)
{
    for (uint32_t i = env->fact_count; i-- > 0;) {
        const struct bly_fact *fact = find(other, env->facts[i].a, env->facts[i].b);
        if (!fact)
            drop(env, i);
        else if (fact->least < env->facts[i].least)
            env->facts[i].least = fact->least;
    }
}

bool bly_facts_within(const struct bly_env *env, const struct bly_env *outer)
{
    for (uint32_t i = 0; i < outer->fact_count; i++) {
        const struct bly_fact *fact = find(env, outer->facts[i].a, outer->facts[i].b);
        if (!fact || fact->least < outer->facts[i].least) return false;
    }
    return true;
}

void bly_facts_widen(struct bly_env *env, const struct bly_env *next)
{
    for (uint32_t i = env->fact_count; i-- > 0;) {
        const struct bly_fact *fact = find(next, env->facts[i].a, env->facts[i].b);
        if (!fact || fact->least < env->facts[i].least) drop(env, i);
    }
}

/* ---- Sums of a cell and a number ------------------------------------------------------------------ */

#define MOST_OFFSET ((int64_t)1 << 40)

static bool is_linear_sum(struct bly_walker *w, struct bly_env *env, struct bly_expression *x,
                          struct bly_linear *linear)
{
    const struct bly_range a = bly_walk_quietly(w, env, x->a), b = bly_walk_quietly(w, env, x->b);
    bool fits = true;
    bly_range_arithmetic(x->kind, x->type->kind, a, b, &fits);
    if (!fits || !bly_range_is_one(b) || b.low > MOST_OFFSET || b.low < -MOST_OFFSET) return false;
    if (!bly_linear_of(w, env, x->a, linear)) return false;
    linear->offset += x->kind == BLY_ADD ? b.low : -b.low;
    return linear->offset < MOST_OFFSET && linear->offset > -MOST_OFFSET;
}

bool bly_linear_of(struct bly_walker *w, struct bly_env *env, struct bly_expression *x,
                   struct bly_linear *linear)
{
    bly_walk_work(w, 1);
    if (!bly_has_range(x->type)) return false;
    if (x->kind == BLY_CONVERT) {
        if (!bly_has_range(x->a->type)) return false;
        bool fits = true;
        bly_range_convert(x->a->type->kind, x->type->kind, bly_walk_quietly(w, env, x->a), &fits);
        return fits && bly_linear_of(w, env, x->a, linear);
    }
    if (x->kind == BLY_ADD || x->kind == BLY_SUBTRACT) return is_linear_sum(w, env, x, linear);
    *linear = (struct bly_linear){bly_cell_of(w, env, x), 0};
    return linear->cell >= 0;
}

void bly_facts_compare(struct bly_walker *w, struct bly_env *env, enum bly_expression_kind kind,
                       struct bly_expression *x)
{
    struct bly_linear a, b;
    if (!bly_linear_of(w, env, x->a, &a) || !bly_linear_of(w, env, x->b, &b)) return;
    const int64_t by = b.offset - a.offset;
    const bool less = kind == BLY_LESS || kind == BLY_LESS_EQUAL || kind == BLY_EQUAL;
    const bool greater = kind == BLY_GREATER || kind == BLY_GREATER_EQUAL || kind == BLY_EQUAL;
    if (less) bly_fact_add(env, b.cell, a.cell, -by + (kind == BLY_LESS));
    if (greater) bly_fact_add(env, a.cell, b.cell, by + (kind == BLY_GREATER));
}

bool bly_facts_difference(struct bly_walker *w, struct bly_env *env, struct bly_expression *x,
                          struct bly_range *r)
{
    struct bly_linear a, b;
    if (env->fact_count == 0 || !bly_linear_of(w, env, x->a, &a) || !bly_linear_of(w, env, x->b, &b))
        return false;
    const struct bly_fact *low = find(env, a.cell, b.cell), *high = find(env, b.cell, a.cell);
    if (!low && !high) return false;
    const struct bly_range is = env->cells[a.cell].range, less = env->cells[b.cell].range;
    const int64_t by = a.offset - b.offset;
    if (is.low == INT64_MIN || is.high == INT64_MAX || less.low == INT64_MIN || less.high == INT64_MAX)
        return false;
    *r = bly_change_add(is, (struct bly_range){-less.high, -less.low});
    if (low && low->least > r->low) r->low = low->least;
    if (high && -high->least < r->high) r->high = -high->least;
    *r = bly_change_add(*r, bly_range_one(by));
    if (r->low == INT64_MIN || r->high == INT64_MAX) return false;
    return r->low <= r->high && bly_range_within(*r, bly_range_of(x->type->kind));
}
