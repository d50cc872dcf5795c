/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The proofs of payoff code, calls: a function is run again for every call, with the ranges of its arguments,
 * so that what is proved of it holds for the code as it is used; and steps and dimensions that at() and
 * time() ask for.
 */
#include "ranges.h"

#include <inttypes.h>

/* ---- at() and time() ------------------------------------------------------------------------------ */

static bool is_dimension(const struct bly_expression *x, const struct bly_expression *argument)
{
    return x->path_call == BLY_PATH_AT && !argument->next;
}

static void refuse_tick(struct bly_walker *w, const struct bly_expression *x,
                        const struct bly_expression *argument, int64_t outside)
{
    const struct bly_unit *unit = w->unit;
    if (is_dimension(x, argument))
        bly_walk_refuse(w, bly_refuse_at(unit, argument->place,
                                         "dimension %" PRId64
                                         " of at(): the path has %u dimension%s (DIMS is %u)",
                                         outside, unit->dims, unit->dims == 1 ? "" : "s", unit->dims));
    bly_walk_refuse(w, bly_refuse_at(unit, argument->place,
                                     "step %" PRId64
                                     " of %s(): the path has %u step%s, counted from 0 (STEPS is %u)",
                                     outside, x->path_call == BLY_PATH_AT ? "at" : "time", unit->steps,
                                     unit->steps == 1 ? "" : "s", unit->steps));
}

static bool check_tick(struct bly_walker *w, const struct bly_expression *x,
                       const struct bly_expression *argument, struct bly_value value)
{
    const bool dimension = is_dimension(x, argument);
    if (!dimension && w->unit->kind == BLY_UNIT_MOTION) return true; /* beyond the last tick it is NaN */
    const int64_t count = dimension ? w->unit->dims : w->unit->steps;
    int64_t outside;
    if (bly_index_judge(w, value, count, &outside)) refuse_tick(w, x, argument, outside);
    return value.range.low >= 0 && value.range.high < count;
}

static void evaluate_path_call(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    bool proved = true;
    for (struct bly_expression *y = x->arguments->next; y; y = y->next) {
        const struct bly_value value = bly_walk_evaluate(w, env, y);
        if (!check_tick(w, x, y, value)) proved = false;
    }
    if (w->recording) x->proved = x->proved && proved;
}

/* ---- Functions of the code ------------------------------------------------------------------------ */

static struct bly_spot *spots_take(struct bly_walker *w, uint32_t count)
{
    if (count > w->spot_count - w->spots_used) bly_walk_stop(w, BLY_TOO_WIDE);
    w->spots_used += count;
    return w->spots + w->spots_used - count;
}

/* The object that an argument for a pointer points to. */
static struct bly_spot pointed(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    const bool whole = x->kind == BLY_ADDRESS || x->kind == BLY_DECAY;
    struct bly_spot spot = bly_walk_locate(w, env, whole ? x->a : x);
    if (x->kind == BLY_ADDRESS) spot.count = 1;
    if (x->kind == BLY_DECAY) spot.count = spot.type->count;
    return spot;
}

struct bly_int_range bly_function_run(struct bly_walker *w, struct bly_env *env, struct bly_env *inner,
                                      const struct bly_function *function, struct bly_spot *pointers)
{
    struct bly_env returns = bly_env_take(w, inner->count);
    struct bly_frame frame = {.function = function,
                              .base = env->count,
                              .pointers = pointers,
                              .returns = &returns,
                              .result = {INT64_MAX, INT64_MIN}};
    struct bly_frame *const caller = w->frame;
    const uint32_t certain = w->certain;
    const uint64_t jumps = w->jumps, leaves = w->leaves;
    w->frame = &frame;
    bly_walk_execute(w, inner, function->body->body);
    bly_env_join(w, inner, &returns);
    w->frame = caller;
    w->certain = certain;
    w->jumps = jumps;
    w->leaves = leaves;
    bly_env_set(w, env, inner);
    return frame.result;
}

static void give(struct bly_walker *w, struct bly_env *inner, uint32_t base,
                 const struct bly_variable *parameter, struct bly_value value)
{
    const int64_t cell = (int64_t)base + parameter->slot;
    bly_cells_fill(w, inner, cell, parameter->type, false);
    if (!bly_has_range(parameter->type)) return;
    inner->cells[cell].range = value.range;
    inner->cells[cell].exact = value.exact;
    inner->cells[cell].nonzero = value.nonzero;
}

static void give_all(struct bly_walker *w, struct bly_env *env, struct bly_env *inner,
                     struct bly_expression *x, struct bly_spot *pointers)
{
    struct bly_expression *argument = x->arguments;
    const struct bly_variable *p = x->function->parameters;
    for (; argument && p; argument = argument->next, p = p->next) {
        if (p->type->kind == BLY_TYPE_POINTER)
            pointers[p->number] = pointed(w, env, argument);
        else
            give(w, inner, env->count, p, bly_walk_evaluate(w, env, argument));
    }
}

static struct bly_value call_function(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    const struct bly_function *function = x->function;
    const uint32_t mark = w->pool_used, spots = w->spots_used;
    struct bly_spot *pointers = spots_take(w, function->parameter_count);
    struct bly_env inner = bly_env_take(w, env->count + function->slots);
    bly_env_set(w, &inner, env);
    give_all(w, env, &inner, x, pointers);
    struct bly_int_range r = bly_function_run(w, env, &inner, function, pointers);
    w->pool_used = mark;
    w->spots_used = spots;
    if (bly_has_range(x->type) && r.low > r.high) r = bly_int_range_of(x->type->kind);
    return (struct bly_value){bly_has_range(x->type) ? r : BLY_NO_CHANGE, 0, false};
}

/* A function of reals alone, without loops, is the same wherever it is called. */
static struct bly_value call_plain(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    struct bly_function *const f = (struct bly_function *)x->function;
    const bool idle = !w->recording && !w->judging;
    for (struct bly_expression *y = x->arguments; y && !idle; y = y->next) bly_walk_evaluate(w, env, y);
    if (!f->settled) {
        const struct bly_int_range r = call_function(w, env, x).range;
        f->result = r;
        f->settled = w->recording;
    }
    return (struct bly_value){f->result, 0, false};
}

struct bly_value bly_walk_call(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    if (x->function && x->function->plain && !env->dead) return call_plain(w, env, x);
    if (x->function && !env->dead) return call_function(w, env, x);
    if (x->path_call) {
        evaluate_path_call(w, env, x);
        return (struct bly_value){BLY_NO_CHANGE, 0, false};
    }
    for (struct bly_expression *y = x->arguments; y; y = y->next) bly_walk_evaluate(w, env, y);
    return (struct bly_value){bly_has_range(x->type) ? bly_int_range_of(x->type->kind) : BLY_NO_CHANGE, 0,
                              false};
}
