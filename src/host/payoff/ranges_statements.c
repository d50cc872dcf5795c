/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The proofs of payoff code, statements: the range of each variable after a declaration, an assignment, a
 * branch or a switch. Loops have ranges_loops.c.
 */
#include "ranges.h"

/* ---- Declarations and assignments ----------------------------------------------------------------- */

static void initialize(struct bly_walker *w, struct bly_env *env, struct bly_spot to,
                       struct bly_initial *initial);

static void initialize_list(struct bly_walker *w, struct bly_env *env, struct bly_spot to,
                            struct bly_initial *list)
{
    if (to.type->kind == BLY_TYPE_ARRAY) {
        to.weak = to.weak || to.type->count > 1;
        to.type = to.type->of;
        for (; list; list = list->next) initialize(w, env, to, list);
        return;
    }
    const struct bly_field_node *f = to.type->kind == BLY_TYPE_RECORD ? to.type->record->fields : NULL;
    for (; list && f; list = list->next, f = f->next)
        initialize(w, env, (struct bly_spot){f->type, to.cell + f->slot, 0, to.weak}, list);
}

static void initialize(struct bly_walker *w, struct bly_env *env, struct bly_spot to,
                       struct bly_initial *initial)
{
    if (!initial->value)
        initialize_list(w, env, to, initial->list);
    else
        bly_walk_assign(w, env, to, bly_walk_evaluate(w, env, initial->value), BLY_ANY_CHANGE);
}

static void declare(struct bly_walker *w, struct bly_env *env, struct bly_statement *s)
{
    const struct bly_spot to = {s->variable->type, (int64_t)w->frame->base + s->variable->slot, 0, false};
    struct bly_value value = {BLY_NO_CHANGE, 0, false};
    if (s->initial && s->initial->value) value = bly_walk_evaluate(w, env, s->initial->value);
    if (env->dead) return;
    bly_cells_fill(w, env, to.cell, to.type, true);
    if (s->initial && s->initial->value)
        bly_walk_assign(w, env, to, value, BLY_ANY_CHANGE);
    else if (s->initial)
        initialize_list(w, env, to, s->initial->list);
}

static void assign(struct bly_walker *w, struct bly_env *env, struct bly_statement *s)
{
    const struct bly_value value = bly_walk_evaluate(w, env, s->value);
    if (env->dead) return;
    const struct bly_spot to = bly_walk_locate(w, env, s->target);
    const bool counts = bly_has_range(to.type) && to.cell >= 0 && !to.weak;
    struct bly_int_range change = BLY_ANY_CHANGE;
    if (counts && !bly_change_of(w, env, s->value, to.cell, &change)) change = BLY_ANY_CHANGE;
    const int8_t halvings = counts ? bly_halvings_of(w, env, s->value, to.cell) : -1;
    bly_walk_assign(w, env, to, value, change);
    if (counts) env->cells[to.cell].halvings = halvings;
}

static void execute(struct bly_walker *w, struct bly_env *env, struct bly_statement *s);

/* ---- Branches ------------------------------------------------------------------------------------- */

static void branch(struct bly_walker *w, struct bly_env *env, struct bly_statement *s)
{
    bly_walk_evaluate(w, env, s->condition);
    if (env->dead) return;
    const uint32_t mark = w->pool_used, certain = w->certain;
    const uint64_t jumps = w->jumps;
    struct bly_env otherwise = bly_env_copy(w, env);
    bly_walk_assume(w, env, s->condition, true);
    bly_walk_assume(w, &otherwise, s->condition, false);
    const bool sure = env->dead || otherwise.dead;
    if (!sure) w->certain = ++w->numbers;
    bly_walk_execute(w, env, s->body);
    if (!sure) w->certain = ++w->numbers;
    bly_walk_execute(w, &otherwise, s->otherwise);
    w->certain = sure || jumps == w->jumps ? certain : ++w->numbers;
    bly_env_join(w, env, &otherwise);
    w->pool_used = mark;
}

/* Narrows the condition to the values for which no case exists: ends of its range that are labels are
 * removed. */
static void assume_default(struct bly_walker *w, struct bly_env *env, const struct bly_statement *s)
{
    struct bly_int_range r = bly_walk_quietly(w, env, s->condition);
    uint32_t labels = 0;
    for (const struct bly_statement *c = s->body->body; c; c = c->next) labels += c->kind == BLY_CASE;
    bly_walk_work(w, labels);
    for (uint32_t i = 0; i < labels && labels <= 64; i++)
        for (const struct bly_statement *c = s->body->body; c; c = c->next)
            if (c->kind == BLY_CASE && c->labelled && r.low <= r.high)
                r = bly_int_range_narrow(BLY_UNEQUAL, s->condition->type->kind, r,
                                         bly_int_range_one(c->label));
    if (r.low > r.high) env->dead = true;
}

/* The condition has the case's value. */
static void assume_case(struct bly_walker *w, struct bly_env *env, const struct bly_statement *s,
                        const struct bly_statement *c)
{
    if (!c->labelled) {
        assume_default(w, env, s);
        return;
    }
    struct bly_expression number = {.kind = BLY_NUMBER, .type = s->condition->type, .integer = c->label};
    struct bly_expression equal = {
        .kind = BLY_EQUAL, .type = s->condition->type, .a = s->condition, .b = &number};
    bly_walk_assume(w, env, &equal, true);
}

static void choose(struct bly_walker *w, struct bly_env *env, struct bly_statement *s)
{
    const struct bly_int_range value = bly_walk_evaluate(w, env, s->condition).range;
    if (env->dead) return;
    const uint32_t mark = w->pool_used, certain = w->certain;
    const uint64_t jumps = w->jumps, leaves = w->leaves;
    struct bly_cycle cycle = {
        .outer = w->frame->cycle, .is_switch = true, .breaks = bly_env_take(w, env->count)};
    struct bly_env now = bly_env_take(w, env->count), next = bly_env_take(w, env->count);
    bool has_default = false;
    w->frame->cycle = &cycle;
    for (struct bly_statement *c = s->body->body; c; c = c->next) {
        if (c->kind == BLY_CASE) {
            bly_env_set(w, &next, env);
            assume_case(w, &next, s, c);
            bly_env_join(w, &now, &next);
            has_default = has_default || !c->labelled;
            if (!bly_int_range_is_one(value)) w->certain = ++w->numbers;
            continue;
        }
        if (!now.dead) execute(w, &now, c);
    }
    w->frame->cycle = cycle.outer;
    bly_env_join(w, &now, &cycle.breaks);
    if (!has_default) {
        bly_env_set(w, &next, env);
        assume_default(w, &next, s);
        bly_env_join(w, &now, &next);
    }
    w->certain = leaves == w->leaves ? certain : ++w->numbers;
    w->jumps = jumps + (leaves != w->leaves);
    bly_env_set(w, env, &now);
    w->pool_used = mark;
}

/* ---- Jumps ---------------------------------------------------------------------------------------- */

static void leave(struct bly_walker *w, struct bly_env *env, struct bly_env *to)
{
    bly_env_join(w, to, env);
    env->dead = true;
    w->jumps++;
}

static void execute_return(struct bly_walker *w, struct bly_env *env, struct bly_statement *s)
{
    if (s->value) {
        const struct bly_int_range r = bly_walk_evaluate(w, env, s->value).range;
        if (env->dead) return;
        if (bly_has_range(s->value->type)) w->frame->result = bly_int_range_hull(w->frame->result, r);
    }
    struct bly_cycle *const loop = bly_loop_around(w);
    w->leaves++;
    leave(w, env, loop ? &loop->returns : w->frame->returns);
}

static void jump(struct bly_walker *w, struct bly_env *env, struct bly_statement *s)
{
    if (s->kind == BLY_RETURN) {
        execute_return(w, env, s);
    } else if (s->kind == BLY_BREAK) {
        leave(w, env, &w->frame->cycle->breaks);
    } else {
        w->leaves++;
        leave(w, env, &bly_loop_around(w)->continues);
    }
}

/* ---- All ------------------------------------------------------------------------------------------ */

static void execute(struct bly_walker *w, struct bly_env *env, struct bly_statement *s)
{
    switch (s->kind) {
    case BLY_BLOCK: bly_walk_execute(w, env, s->body); break;
    case BLY_DECLARE: declare(w, env, s); break;
    case BLY_ASSIGN: assign(w, env, s); break;
    case BLY_EVALUATE: bly_walk_evaluate(w, env, s->value); break;
    case BLY_IF: branch(w, env, s); break;
    case BLY_LOOP:
        bly_walk_execute(w, env, s->first);
        bly_walk_loop(w, env, s);
        break;
    case BLY_DO: bly_walk_loop(w, env, s); break;
    case BLY_SWITCH: choose(w, env, s); break;
    case BLY_BREAK:
    case BLY_CONTINUE:
    case BLY_RETURN: jump(w, env, s); break;
    default: break;
    }
}

void bly_walk_execute(struct bly_walker *w, struct bly_env *env, struct bly_statement *list)
{
    if (++w->depth > 4 * BLY_MOST_HEIGHT) bly_walk_stop(w, BLY_TOO_LONG);
    for (struct bly_statement *s = list; s && !env->dead; s = s->next) {
        bly_walk_work(w, 1);
        execute(w, env, s);
    }
    w->depth--;
}
