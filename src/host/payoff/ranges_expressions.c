/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The proofs of payoff code, expressions: what range of integers an expression has where each variable has a
 * range, and whether an index, a divisor or a shift can be outside of what is allowed. A value that is
 * certainly outside is refused here; one that is not proved to be inside is noted in the tree, for check.c to
 * give it a site.
 */
#include "ranges.h"

#include <inttypes.h>
#include <string.h>

/* ---- Notes in the tree ---------------------------------------------------------------------------- */

static void note(struct bly_walker *w, struct bly_expression *x, struct bly_int_range range, bool proved)
{
    if (!w->recording) return;
    x->range = bly_int_range_hull(x->range, range);
    x->proved = x->proved && proved;
}

/* The numbers of elements that calls give: one, or -1 where it is not known or not always the same. */
static void note_count(struct bly_walker *w, struct bly_expression *x, int64_t count)
{
    if (!w->recording) return;
    if (count == 0 || (x->integer != 0 && x->integer != count)) count = -1;
    x->integer = count;
}

/* ---- Indices -------------------------------------------------------------------------------------- */

static const char *plural(int64_t count) { return count == 1 ? "" : "s"; }

/* x[] of step and out[] of finish and whole have their numbers from elsewhere, as have random numbers. */
static void refuse_role_index(struct bly_walker *w, const struct bly_expression *x, int64_t index,
                              int64_t count)
{
    const struct bly_variable *root = bly_root_of(x->a);
    const bool whole = x->a->kind == BLY_VARIABLE;
    const char *name = bly_array_name(x->a);
    if (!root || root->kind != BLY_VARIABLE_PARAMETER || index < count ||
        root->type->kind != BLY_TYPE_POINTER)
        return;
    const enum bly_role role = root->of->role;
    const bool noise =
        root->type->of->kind == BLY_TYPE_RECORD && root->type->of->record->kind == BLY_RECORD_NOISE;
    if ((whole && role == BLY_ROLE_STEP) || (noise && strcmp(name, "dw") == 0))
        bly_walk_refuse(w, bly_refuse_at(w->unit, x->place,
                                         "%s[%" PRId64 "]: the path has %" PRId64
                                         " dimension%s (DIMS is %u); give it "
                                         "more, or use an index below DIMS",
                                         name, index, count, plural(count), w->unit->dims));
    if (noise)
        bly_walk_refuse(w, bly_refuse_at(w->unit, x->place,
                                         "%s[%" PRId64 "]: there %s %" PRId64 "; write #define %s %" PRId64,
                                         name, index, count == 1 ? "is" : "are", count,
                                         *name == 'z' ? "NORMALS" : "UNIFORMS", index + 1));
    if (whole && (role == BLY_ROLE_FINISH || role == BLY_ROLE_WHOLE))
        bly_walk_refuse(w, bly_refuse_at(w->unit, x->place,
                                         "%s[%" PRId64 "]: there %s %" PRId64 " output%s; write %s[%" PRId64
                                         "] as the parameter for %" PRId64,
                                         name, index, count == 1 ? "is" : "are", count, plural(count), name,
                                         index + 1, index + 1));
}

static void refuse_index(struct bly_walker *w, const struct bly_expression *x, int64_t index, int64_t count)
{
    const char *name = bly_array_name(x->a);
    refuse_role_index(w, x, index, count);
    if (count == 1)
        bly_walk_refuse(w, bly_refuse_at(w->unit, x->place,
                                         "index %" PRId64 " of %s[1]; it has only element 0", index, name));
    bly_walk_refuse(w, bly_refuse_at(w->unit, x->place,
                                     "index %" PRId64 " of %s[%" PRId64 "]; it has elements 0 %s %" PRId64,
                                     index, name, count, count == 2 ? "and" : "to", count - 1));
}

bool bly_index_judge(const struct bly_walker *w, struct bly_value index, int64_t count, int64_t *outside)
{
    const struct bly_int_range r = index.range;
    *outside = r.high < 0 ? r.high : r.low < 0 || r.low >= count ? r.low : count;
    const bool always = r.low >= count || r.high < 0;
    const bool reached = index.exact != 0 && index.exact == w->certain && (r.low < 0 || r.high >= count);
    return w->judging && (always || reached);
}

static bool check_index(struct bly_walker *w, const struct bly_expression *x, struct bly_value index,
                        int64_t count)
{
    int64_t outside;
    if (count == 0) return false;
    if (bly_index_judge(w, index, count, &outside)) refuse_index(w, x, outside, count);
    return index.range.low >= 0 && index.range.high < count;
}

/* ---- Parts of variables --------------------------------------------------------------------------- */

static struct bly_spot locate_variable(struct bly_walker *w, const struct bly_variable *v)
{
    if (v->kind == BLY_VARIABLE_CONSTANT) return (struct bly_spot){v->type, v->slot, 0, false};
    if (v->type->kind == BLY_TYPE_POINTER) {
        struct bly_spot spot = w->frame->pointers[v->number];
        spot.type = v->type;
        if (v->type->count != 0) spot.count = v->type->count; /* which calls give at least */
        return spot;
    }
    return (struct bly_spot){v->type, (int64_t)w->frame->base + v->slot, 0, false};
}

static struct bly_spot locate_member(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    struct bly_spot spot = bly_walk_locate(w, env, x->a);
    spot.type = x->field->type;
    if (spot.cell >= 0) spot.cell += x->field->slot;
    return spot;
}

static struct bly_spot locate_element(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    struct bly_spot spot = bly_walk_locate(w, env, x->a);
    const int64_t count = spot.type->kind == BLY_TYPE_ARRAY ? spot.type->count : spot.count;
    const struct bly_value index = bly_walk_evaluate(w, env, x->b);
    const bool proved = check_index(w, x, index, count);
    note_count(w, x, count);
    if (w->recording) x->proved = x->proved && proved;
    spot.type = spot.type->of;
    spot.weak = spot.weak || count != 1;
    return spot;
}

struct bly_spot bly_walk_locate(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    bly_walk_work(w, 1);
    switch (x->kind) {
    case BLY_VARIABLE: return locate_variable(w, x->variable);
    case BLY_MEMBER: return locate_member(w, env, x);
    case BLY_INDEX: return locate_element(w, env, x);
    default: bly_walk_evaluate(w, env, x); return (struct bly_spot){x->type, -1, 0, true};
    }
}

void bly_walk_assign(struct bly_walker *w, struct bly_env *env, struct bly_spot to, struct bly_value value,
                     struct bly_int_range change)
{
    if (to.cell < 0 || bly_cells_of(to.type) == 0) return;
    if (!bly_has_range(to.type)) { /* a record: nothing is known of it any more */
        bly_cells_fill(w, env, to.cell, to.type, false);
        return;
    }
    struct bly_integer *cell = &env->cells[to.cell];
    cell->halvings = -1;
    bly_facts_forget(env, to.cell);
    if (to.weak) {
        cell->range = bly_int_range_hull(cell->range, value.range);
        cell->change = BLY_ANY_CHANGE;
        cell->exact = 0;
        cell->nonzero = false;
        return;
    }
    cell->range = value.range;
    cell->change = change;
    cell->exact = value.exact;
    cell->nonzero = value.nonzero || !bly_int_range_has(value.range, 0);
}

/* ---- Values --------------------------------------------------------------------------------------- */

static struct bly_value plain(struct bly_int_range range) { return (struct bly_value){range, 0, false}; }

static struct bly_value read_part(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    const struct bly_spot spot = bly_walk_locate(w, env, x);
    if (!bly_has_range(x->type)) return plain(BLY_NO_CHANGE);
    if (spot.cell < 0) return plain(bly_int_range_of(x->type->kind));
    const struct bly_integer *cell = &env->cells[spot.cell];
    return (struct bly_value){cell->range, spot.weak ? 0 : cell->exact, cell->nonzero};
}

static void refuse_division(struct bly_walker *w, const struct bly_expression *x, struct bly_int_range by)
{
    if (!w->judging || by.low != 0 || by.high != 0) return;
    bly_walk_refuse(
        w, bly_refuse_at(w->unit, x->place,
                         "division of an integer by 0; divide by something else, or reals: 1.0 / 2"));
}

/* A number that only moves or scales a range leaves its ends reached. */
static uint32_t exact_of(const struct bly_expression *x, struct bly_value a, struct bly_value b, bool fits)
{
    if (!fits || (x->kind != BLY_ADD && x->kind != BLY_SUBTRACT && x->kind != BLY_MULTIPLY)) return 0;
    if (bly_int_range_is_one(b.range)) return a.exact;
    return bly_int_range_is_one(a.range) ? b.exact : 0;
}

static struct bly_value arithmetic(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    const struct bly_value a = bly_walk_evaluate(w, env, x->a), b = bly_walk_evaluate(w, env, x->b);
    if (!bly_has_range(x->type)) return plain(BLY_NO_CHANGE);
    const bool divides = x->kind == BLY_DIVIDE || x->kind == BLY_REMAINDER;
    if (divides) refuse_division(w, x, b.range);
    if (x->kind == BLY_REMAINDER && bly_int_range_is_one(b.range) && b.range.low > 0)
        bly_threshold(w, b.range.low - 1);
    bool fits = true;
    struct bly_int_range r = bly_int_range_arithmetic(x->kind, x->type->kind, a.range, b.range, &fits), known;
    if (x->kind == BLY_SUBTRACT && bly_facts_difference(w, env, x, &known)) r = known, fits = true;
    note(w, x, r, fits || (divides && b.nonzero));
    return (struct bly_value){r, exact_of(x, a, b, fits), false};
}

static struct bly_value compare(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    const struct bly_value a = bly_walk_evaluate(w, env, x->a), b = bly_walk_evaluate(w, env, x->b);
    if (!bly_has_range(x->a->type)) return plain((struct bly_int_range){0, 1});
    return plain(bly_int_range_compare(x->kind, x->a->type->kind, a.range, b.range));
}

/* A value of what may not run: what is certain elsewhere is not certain in it. */
static struct bly_value evaluate_apart(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    const uint32_t certain = w->certain;
    w->certain = ++w->numbers;
    const struct bly_value value = bly_walk_evaluate(w, env, x);
    w->certain = certain;
    return value;
}

static struct bly_value both(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    const bool is_and = x->kind == BLY_AND;
    const struct bly_int_range a = bly_walk_evaluate(w, env, x->a).range;
    const bool sure = is_and ? !bly_int_range_has(a, 0) : a.low == 0 && a.high == 0; /* b is evaluated */
    const uint32_t mark = w->pool_used;
    struct bly_env then = bly_env_copy(w, env);
    bly_walk_assume(w, &then, x->a, is_and);
    struct bly_int_range r = bly_int_range_one(is_and ? 0 : 1);
    if (!then.dead) {
        const struct bly_int_range b =
            sure ? bly_walk_evaluate(w, &then, x->b).range : evaluate_apart(w, &then, x->b).range;
        const struct bly_int_range truth = {bly_int_range_has(b, 0) ? 0 : 1,
                                            b.low == 0 && b.high == 0 ? 0 : 1};
        r = sure ? truth : bly_int_range_hull(r, truth);
    }
    w->pool_used = mark;
    return plain(r);
}

static struct bly_value chosen(struct bly_walker *w, const struct bly_env *env, struct bly_expression *x,
                               bool yes)
{
    struct bly_env then = bly_env_copy(w, env);
    struct bly_value value = plain((struct bly_int_range){INT64_MAX, INT64_MIN});
    bly_walk_assume(w, &then, x->a, yes);
    if (!then.dead) value = evaluate_apart(w, &then, yes ? x->b : x->c);
    return value;
}

static struct bly_value select_one(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    bly_walk_evaluate(w, env, x->a);
    const uint32_t mark = w->pool_used;
    const struct bly_value b = chosen(w, env, x, true), c = chosen(w, env, x, false);
    w->pool_used = mark;
    if (!bly_has_range(x->type)) return plain(BLY_NO_CHANGE);
    const struct bly_int_range r = bly_int_range_hull(b.range, c.range);
    return plain(r.low > r.high ? bly_int_range_of(x->type->kind) : r);
}

static struct bly_value convert(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    const struct bly_value a = bly_walk_evaluate(w, env, x->a);
    if (!bly_has_range(x->type)) return plain(BLY_NO_CHANGE);
    bool fits = bly_has_range(x->a->type);
    const struct bly_int_range r =
        fits ? bly_int_range_convert(x->a->type->kind, x->type->kind, a.range, &fits)
             : bly_int_range_of(x->type->kind);
    note(w, x, r, fits);
    return (struct bly_value){r, fits ? a.exact : 0, fits && a.nonzero};
}

static struct bly_value negate(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    const struct bly_value a = bly_walk_evaluate(w, env, x->a);
    if (!bly_has_range(x->type)) return plain(BLY_NO_CHANGE);
    bool fits = true;
    const struct bly_int_range r = bly_int_range_negate(x->type->kind, a.range, &fits);
    note(w, x, r, fits);
    return (struct bly_value){r, fits ? a.exact : 0, fits && a.nonzero};
}

static struct bly_value evaluate(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    switch (x->kind) {
    case BLY_NUMBER:
    case BLY_SIZE:
        return plain(bly_has_range(x->type) ? bly_int_range_literal(x->type->kind, x->integer)
                                            : BLY_NO_CHANGE);
    case BLY_VARIABLE:
    case BLY_MEMBER:
    case BLY_INDEX: return read_part(w, env, x);
    case BLY_NEGATE: return negate(w, env, x);
    case BLY_FLIP: return plain(bly_int_range_flip(x->type->kind, bly_walk_evaluate(w, env, x->a).range));
    case BLY_NOT: {
        const struct bly_int_range a = bly_walk_evaluate(w, env, x->a).range;
        if (!bly_has_range(x->a->type)) return plain((struct bly_int_range){0, 1});
        return plain(
            (struct bly_int_range){a.low == 0 && a.high == 0 ? 1 : 0, bly_int_range_has(a, 0) ? 1 : 0});
    }
    case BLY_LESS:
    case BLY_LESS_EQUAL:
    case BLY_GREATER:
    case BLY_GREATER_EQUAL:
    case BLY_EQUAL:
    case BLY_UNEQUAL: return compare(w, env, x);
    case BLY_AND:
    case BLY_OR: return both(w, env, x);
    case BLY_SELECT: return select_one(w, env, x);
    case BLY_CONVERT: return convert(w, env, x);
    case BLY_CALL: return bly_walk_call(w, env, x);
    case BLY_ADDRESS:
    case BLY_DECAY: bly_walk_locate(w, env, x->a); return plain(BLY_NO_CHANGE);
    default: return arithmetic(w, env, x);
    }
}

/* A real says nothing of integers, unless what computes it changes them. */
static bool is_idle(const struct bly_walker *w, const struct bly_expression *x)
{
    if (w->recording || w->judging) return false;
    if (bly_is_comparison(x->kind) && x->a->type->kind == BLY_TYPE_REAL) return true;
    while (x->kind == BLY_CONVERT && x->type->kind == BLY_TYPE_REAL) x = x->a;
    return x->type->kind == BLY_TYPE_REAL && !(x->kind == BLY_CALL && x->function && x->function->writes);
}

struct bly_value bly_walk_evaluate(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    bly_walk_work(w, 1);
    if (is_idle(w, x)) return plain(bly_has_range(x->type) ? (struct bly_int_range){0, 1} : BLY_NO_CHANGE);
    if (++w->depth > 4 * BLY_MOST_HEIGHT) bly_walk_stop(w, BLY_TOO_LONG);
    const struct bly_value value = evaluate(w, env, x);
    w->depth--;
    if (w->recording && bly_has_range(x->type)) x->range = bly_int_range_hull(x->range, value.range);
    return value;
}

struct bly_int_range bly_walk_quietly(struct bly_walker *w, struct bly_env *env, struct bly_expression *x)
{
    const bool recording = w->recording, judging = w->judging;
    w->recording = w->judging = false;
    const struct bly_int_range range = bly_walk_evaluate(w, env, x).range;
    w->recording = recording;
    w->judging = judging;
    return range;
}
