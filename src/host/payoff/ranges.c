/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Ranges of a unit: start, then step or pair any number of times, then finish; or whole.
 */
#include "ranges.h"

#include <bailey/mlmc.h>
#include <base/alloc.h>

#define MOST_WORK (1u << 24)
#define MOST_WORK_AGAIN (1u << 22)

/* ---- Cells ---------------------------------------------------------------------------------------- */

static void place_fields(struct bly_record *record)
{
    record->slots = 0;
    for (struct bly_field_node *f = record->fields; f; f = f->next) {
        f->slot = record->slots;
        record->slots += bly_cells_of(f->type);
    }
}

static uint32_t place_variables(struct bly_variable *list, uint32_t from)
{
    for (struct bly_variable *v = list; v; v = v->next) {
        v->slot = from;
        if (v->type->kind != BLY_TYPE_POINTER) from += bly_cells_of(v->type);
    }
    return from;
}

/* Variables of blocks that are not in each other have the same slots. Returns how many are needed. */
static uint32_t place_locals(struct bly_statement *list, uint32_t from)
{
    uint32_t most = from;
    for (struct bly_statement *s = list; s; s = s->next) {
        uint32_t inner = from;
        if (s->kind == BLY_DECLARE) {
            s->variable->slot = from;
            from = inner += bly_cells_of(s->variable->type);
        }
        for (struct bly_statement *f = s->first; f; f = f->next)
            if (f->kind == BLY_DECLARE) f->variable->slot = inner, inner += bly_cells_of(f->variable->type);
        s->live = inner;
        const uint32_t body = place_locals(s->body, inner), otherwise = place_locals(s->otherwise, inner);
        if (body > most) most = body;
        if (otherwise > most) most = otherwise;
    }
    return most > from ? most : from;
}

static void place_all(struct bly_walker *w)
{
    struct bly_unit *const unit = w->unit;
    for (struct bly_record *r = unit->records; r; r = r->next) place_fields(r);
    for (struct bly_function *f = unit->functions; f; f = f->next)
        f->slots = place_locals(f->body->body, place_variables(f->parameters, 0));
    w->params_cell = place_variables(unit->constants, 0);
    w->state_cell = w->params_cell + (unit->params ? unit->params->slots : 0);
    w->globals = w->state_cell + (unit->state ? unit->state->slots : 0);
}

/* ---- Constants, params, state --------------------------------------------------------------------- */

static uint32_t length_of(const struct bly_initial *list)
{
    uint32_t count = 0;
    for (; list; list = list->next) count++;
    return count;
}

/* Elements that a list leaves out are 0. */
static void set_constant(struct bly_walker *w, struct bly_env *env, const struct bly_type *type, int64_t cell,
                         const struct bly_initial *initial, bool weak)
{
    const struct bly_initial *i = initial ? initial->list : NULL;
    if (type->kind == BLY_TYPE_ARRAY) {
        if (length_of(i) < type->count) set_constant(w, env, type->of, cell, NULL, weak);
        weak = weak || length_of(i) < type->count;
        for (; i; i = i->next, weak = true) set_constant(w, env, type->of, cell, i, weak);
    } else if (type->kind == BLY_TYPE_RECORD) {
        for (const struct bly_field_node *f = type->record->fields; f; f = f->next, i = i ? i->next : NULL)
            set_constant(w, env, f->type, cell + f->slot, i, weak);
    } else if (bly_has_range(type)) {
        const bool given = initial && initial->value;
        const struct bly_int_range r =
            given ? bly_walk_quietly(w, env, initial->value) : bly_int_range_one(0);
        env->cells[cell].range = weak ? bly_int_range_hull(env->cells[cell].range, r) : r;
    }
}

static void set_globals(struct bly_walker *w, struct bly_env *env)
{
    const struct bly_unit *unit = w->unit;
    env->dead = false;
    for (const struct bly_variable *v = unit->constants; v; v = v->next) {
        bly_cells_fill(w, env, v->slot, v->type, true);
        set_constant(w, env, v->type, v->slot, v->initial, false);
    }
    if (unit->params) bly_cells_fill(w, env, w->params_cell, unit->params->type, false);
    if (unit->state) bly_cells_fill(w, env, w->state_cell, unit->state->type, true);
}

/* ---- The functions of a unit ---------------------------------------------------------------------- */

static struct bly_spot given_pointer(const struct bly_walker *w, const struct bly_type *type)
{
    struct bly_spot spot = {type, -1, type->count, false};
    if (type->of->kind != BLY_TYPE_RECORD || type->is_array) return spot;
    if (type->of->record->kind == BLY_RECORD_PARAMS) spot.cell = w->params_cell;
    if (type->of->record->kind == BLY_RECORD_STATE) spot.cell = w->state_cell;
    return spot;
}

/* Runs a function as bailey calls it: its integers, step's i and start's level, are in `given`. */
static void run_role(struct bly_walker *w, struct bly_env *env, const struct bly_function *function,
                     struct bly_int_range given)
{
    if (!function || env->dead) return;
    const uint32_t mark = w->pool_used;
    struct bly_env inner = bly_env_take(w, env->count + function->slots);
    if (function->parameter_count > w->spot_count) bly_walk_stop(w, BLY_TOO_WIDE);
    bly_env_set(w, &inner, env);
    for (const struct bly_variable *v = function->parameters; v; v = v->next) {
        const int64_t cell = (int64_t)env->count + v->slot;
        if (v->type->kind == BLY_TYPE_POINTER) {
            w->spots[v->number] = given_pointer(w, v->type);
            continue;
        }
        bly_cells_fill(w, &inner, cell, v->type, false);
        if (!bly_has_range(v->type)) continue;
        if (!function->used || v->type->kind != BLY_TYPE_INT) continue;
        inner.cells[cell].range = given;
        inner.cells[cell].exact = w->certain;
    }
    w->spots_used = function->parameter_count;
    w->nest = 1;
    bly_function_run(w, env, &inner, function, w->spots);
    w->spots_used = 0;
    w->pool_used = mark;
}

static void run_steps(struct bly_walker *w, struct bly_env *env)
{
    const struct bly_unit *unit = w->unit;
    const struct bly_int_range steps = {0, (int64_t)unit->steps - 1};
    const uint32_t mark = w->pool_used;
    struct bly_env other = bly_env_copy(w, env);
    run_role(w, env, unit->step, steps);
    if (unit->pair) {
        run_role(w, &other, unit->pair, bly_int_range_of(BLY_TYPE_INT));
        bly_env_join(w, env, &other);
    }
    w->pool_used = mark;
}

static void run_unit(struct bly_walker *w)
{
    const struct bly_unit *unit = w->unit;
    const struct bly_int_range levels = {0, BAILEY_MLMC_MAX_LEVELS - 1};
    struct bly_env env = bly_env_take(w, w->globals);
    set_globals(w, &env);
    if (unit->whole) {
        run_role(w, &env, unit->whole, bly_int_range_of(BLY_TYPE_INT));
        return;
    }
    run_role(w, &env, unit->start, levels);
    bly_walk_repeat(w, &env, run_steps, unit->kind == BLY_UNIT_LEVELS ? BLY_ANY_TRIPS : unit->steps);
    run_role(w, &env, unit->finish, bly_int_range_of(BLY_TYPE_INT));
}

/* Functions that nothing calls: what is wrong of them whatever they are given is refused. */
static void run_rest(struct bly_walker *w)
{
    struct bly_env env = bly_env_take(w, w->globals);
    for (const struct bly_function *f = w->unit->functions; f; f = f->next) {
        if (f->used) continue;
        set_globals(w, &env);
        if (w->unit->state) bly_cells_fill(w, &env, w->state_cell, w->unit->state->type, false);
        w->recording = false;
        w->judging = true;
        run_role(w, &env, f, bly_int_range_of(BLY_TYPE_INT));
    }
}

/* What ranges are widened to first. */
static void first_thresholds(struct bly_walker *w)
{
    const int64_t at[] = {
        -1, 0, 1, (int64_t)w->unit->dims - 1, w->unit->dims, (int64_t)w->unit->steps - 1, w->unit->steps};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) bly_threshold(w, at[i]);
}

static void walk(struct bly_walker *w, bool again, enum bly_stopped *volatile result)
{
    const int stopped = setjmp(w->stopped);
    if (stopped == BLY_NOT_STOPPED) {
        place_all(w);
        first_thresholds(w);
        run_unit(w);
        w->pool_used = 0;
        if (!again) run_rest(w);
    }
    *result = (enum bly_stopped)stopped;
}

bailey_status bly_ranges_find(struct bly_unit *unit, bool wide, bool again, enum bly_known *known)
{
    const uint32_t cells = wide ? 1u << 17 : 1u << 11, spots = wide ? 1u << 14 : 1u << 9;
    struct bly_walker *w = bly_alloc(1, sizeof *w);
    if (!w) return bly_no_memory(unit);
    *w = (struct bly_walker){.unit = unit,
                             .most_work = again ? MOST_WORK_AGAIN : MOST_WORK,
                             .recording = true,
                             .judging = !again,
                             .certain = 1,
                             .numbers = 1,
                             .pool_cells = cells,
                             .spot_count = spots};
    w->pool = bly_alloc(cells, sizeof *w->pool);
    w->spots = bly_alloc(spots, sizeof *w->spots);
    enum bly_stopped stopped = BLY_NOT_STOPPED;
    bailey_status status = w->pool && w->spots ? BAILEY_OK : bly_no_memory(unit);
    if (status == BAILEY_OK) walk(w, again, &stopped);
    if (stopped == BLY_REFUSED) status = w->refused;
    *known = stopped == BLY_NOT_STOPPED ? BLY_KNOWN
             : stopped == BLY_TOO_WIDE  ? BLY_NEEDS_MEMORY
                                        : BLY_NEEDS_TIME;
    bly_free(w->pool);
    bly_free(w->spots);
    bly_free(w);
    return status;
}
