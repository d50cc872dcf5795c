/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Memory of the proofs: an environment holds the facts at one place of the code, a cell for each number in a
 * variable, and is copied and joined at every branch. A proof that takes more work or memory than it was
 * given stops here, and then nothing is proved.
 */
#include "ranges.h"

#include <string.h>

_Noreturn void bly_walk_stop(struct bly_walker *w, enum bly_stopped why) { longjmp(w->stopped, why); }

_Noreturn void bly_walk_refuse(struct bly_walker *w, bailey_status status)
{
    w->refused = status;
    bly_walk_stop(w, BLY_REFUSED);
}

void bly_walk_work(struct bly_walker *w, uint64_t work)
{
    w->work += work;
    if (w->work > w->most_work) bly_walk_stop(w, BLY_TOO_LONG);
}

struct bly_env bly_env_take(struct bly_walker *w, uint32_t count)
{
    bly_walk_work(w, 1 + count / 8);
    if (count > w->pool_cells - w->pool_used) bly_walk_stop(w, BLY_TOO_WIDE);
    struct bly_env env = {.dead = true, .count = count, .cells = w->pool + w->pool_used};
    w->pool_used += count;
    return env;
}

void bly_env_set(struct bly_walker *w, struct bly_env *env, const struct bly_env *from)
{
    const uint32_t count = env->count < from->count ? env->count : from->count;
    bly_walk_work(w, 1 + count / 8);
    env->dead = from->dead;
    bly_facts_set(env, from);
    if (!from->dead) memcpy(env->cells, from->cells, count * sizeof *env->cells);
}

struct bly_env bly_env_copy(struct bly_walker *w, const struct bly_env *env)
{
    struct bly_env copy = bly_env_take(w, env->count);
    bly_env_set(w, &copy, env);
    return copy;
}

static void join_cell(struct bly_integer *a, const struct bly_integer *b)
{
    if (a->exact != b->exact || a->range.low != b->range.low || a->range.high != b->range.high) a->exact = 0;
    a->nonzero = a->nonzero && b->nonzero;
    a->range = bly_int_range_hull(a->range, b->range);
    a->change = bly_int_range_hull(a->change, b->change);
    if (b->halvings < a->halvings) a->halvings = b->halvings;
}

void bly_env_join(struct bly_walker *w, struct bly_env *env, const struct bly_env *other)
{
    if (other->dead) return;
    if (env->dead) {
        bly_env_set(w, env, other);
        return;
    }
    const uint32_t count = env->count < other->count ? env->count : other->count;
    bly_walk_work(w, 1 + count / 8);
    bly_facts_join(env, other);
    for (uint32_t i = 0; i < count; i++) join_cell(&env->cells[i], &other->cells[i]);
}

static bool within(const struct bly_integer *a, const struct bly_integer *b)
{
    return bly_int_range_within(a->range, b->range) && (a->nonzero || !b->nonzero);
}

bool bly_env_within(struct bly_walker *w, const struct bly_env *env, const struct bly_env *outer,
                    uint32_t live)
{
    if (env->dead) return true;
    if (outer->dead || !bly_facts_within(env, outer)) return false;
    bly_walk_work(w, 1 + live / 8);
    for (uint32_t i = 0; i < live; i++)
        if (!within(&env->cells[i], &outer->cells[i])) return false;
    return true;
}

/* ---- Widening ------------------------------------------------------------------------------------- */

void bly_threshold(struct bly_walker *w, int64_t at)
{
    uint32_t i = 0;
    while (i < w->threshold_count && w->thresholds[i] < at) i++;
    if (i < w->threshold_count && w->thresholds[i] == at) return;
    if (w->threshold_count == sizeof w->thresholds / sizeof w->thresholds[0]) return;
    memmove(w->thresholds + i + 1, w->thresholds + i, (w->threshold_count - i) * sizeof w->thresholds[0]);
    w->thresholds[i] = at;
    w->threshold_count++;
}

static int64_t threshold_below(const struct bly_walker *w, int64_t at, int64_t least)
{
    for (uint32_t i = w->threshold_count; i-- > 0;)
        if (w->thresholds[i] <= at) return w->thresholds[i] > least ? w->thresholds[i] : least;
    return least;
}

static int64_t threshold_above(const struct bly_walker *w, int64_t at, int64_t most)
{
    for (uint32_t i = 0; i < w->threshold_count; i++)
        if (w->thresholds[i] >= at) return w->thresholds[i] < most ? w->thresholds[i] : most;
    return most;
}

void bly_env_widen(struct bly_walker *w, struct bly_env *env, const struct bly_env *next, uint32_t live,
                   bool far)
{
    bly_walk_work(w, 1 + live / 8);
    bly_facts_widen(env, next);
    for (uint32_t i = 0; i < live; i++) {
        struct bly_integer *a = &env->cells[i];
        const struct bly_int_range b = next->cells[i].range, all = bly_int_range_of(a->type);
        a->nonzero = a->nonzero && next->cells[i].nonzero;
        if (bly_int_range_within(b, a->range)) continue;
        if (b.low < a->range.low) a->range.low = far ? all.low : threshold_below(w, b.low, all.low);
        if (b.high > a->range.high) a->range.high = far ? all.high : threshold_above(w, b.high, all.high);
        a->exact = 0;
        a->nonzero = false;
    }
}

/* The ends that are not limits stay so; what does not fit has none. */
struct bly_int_range bly_change_add(struct bly_int_range a, struct bly_int_range b)
{
    struct bly_int_range r = {INT64_MIN, INT64_MAX};
    if (a.low != INT64_MIN && b.low != INT64_MIN) r.low = bly_add_limits(a.low, b.low);
    if (a.high != INT64_MAX && b.high != INT64_MAX) r.high = bly_add_limits(a.high, b.high);
    if (r.low == INT64_MAX) r.low = INT64_MIN;
    if (r.high == INT64_MIN) r.high = INT64_MAX;
    return r;
}

/* ---- Cells of types ------------------------------------------------------------------------------- */

uint32_t bly_cells_of(const struct bly_type *type)
{
    while (type->kind == BLY_TYPE_ARRAY) type = type->of;
    if (type->kind == BLY_TYPE_RECORD) return type->record->slots;
    return bly_has_range(type) ? 1 : 0;
}

void bly_cells_fill(struct bly_walker *w, struct bly_env *env, int64_t cell, const struct bly_type *type,
                    bool zero)
{
    while (type->kind == BLY_TYPE_ARRAY) type = type->of;
    if (cell < 0 || bly_cells_of(type) == 0) return;
    if (type->kind == BLY_TYPE_RECORD) {
        for (const struct bly_field_node *f = type->record->fields; f; f = f->next)
            bly_cells_fill(w, env, cell + f->slot, f->type, zero);
        return;
    }
    bly_walk_work(w, 1);
    bly_facts_forget(env, cell);
    env->cells[cell] = (struct bly_integer){zero ? bly_int_range_one(0) : bly_int_range_of(type->kind),
                                            BLY_ANY_CHANGE,
                                            0,
                                            (uint8_t)type->kind,
                                            -1,
                                            false};
}
