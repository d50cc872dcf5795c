/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Forward mode as a list (Griewank and Walther 2008, chapter 3), for second derivatives: what a value changes
 * by with one parameter is a value too, behind those of the function, and adjoints of all of them are those
 * of the change (tangent over reverse needs the rules of both; this needs them once). A change is computed
 * where the value is, and keeps its place in the code, so that a kink of the payoff, which is a jump of its
 * change, is found, refused and given a width like any other jump.
 *
 * Only what counts for the result is computed, as the adjoints that were found before say: a comparison where
 * both sides of its selection meet has no change.
 *
 * The same with loops that are not unrolled, where there are no adjoints, for first derivatives (d->forward):
 * what a carried number changes by is carried too, and all changes have the place of their value in the order
 * of the code. Then the change of a parameter is a number as the code runs, so that one code is for all.
 */
#include "derivative.h"
#include "symbols.h"

#include <base/status.h>
#include <host/payoff/machine.h>

#include <stdio.h>
#include <string.h>

struct forward {
    struct bly_derivative *d;
    struct bly_reversed *r;
    struct bly_atoms *list;
    uint32_t *changes;     /* [primal]; 0: none */
    const uint32_t *cells; /* [states]: of what a cell of the state changes by; 0: none */
    uint32_t region;       /* around what is computed unless there is no change */
    bailey_status status;
};

/* ---- Arithmetic; number 0: nothing changes -------------------------------------------------------- */

static uint32_t real(struct forward *f, double x) { return bly_atom_real(f->list, x); }

static bool is_one(const struct forward *f, uint32_t a)
{
    const struct bly_atom *one = &f->list->values[a];
    return one->kind == BLY_ATOM_NUMBER && one->type->kind == BLY_TYPE_REAL && one->real == 1;
}

static uint32_t operation(struct forward *f, enum bly_expression_kind kind, uint32_t a, uint32_t b)
{
    return bly_atom_operation(f->list, kind, &bly_type_real, a, b, 0);
}

static uint32_t negated(struct forward *f, uint32_t a) { return a ? operation(f, BLY_NEGATE, a, 0) : 0; }

static uint32_t as_real(struct forward *f, uint32_t a)
{
    return f->list->values[a].type->kind == BLY_TYPE_REAL ? a : operation(f, BLY_CONVERT, a, 0);
}

static uint32_t sum(struct forward *f, uint32_t a, uint32_t b)
{
    return !a ? b : !b ? a : operation(f, BLY_ADD, a, b);
}

/* A factor times a change. */
static uint32_t product(struct forward *f, uint32_t factor, uint32_t change)
{
    if (!change) return 0;
    if (is_one(f, change)) return factor;
    return is_one(f, factor) ? change : operation(f, BLY_MULTIPLY, factor, change);
}

static uint32_t select(struct forward *f, uint32_t condition, uint32_t a, uint32_t b)
{
    if (!a && !b) return 0;
    return bly_atom_select(f->list, condition, a ? a : real(f, 0), b ? b : real(f, 0));
}

static uint32_t compare(struct forward *f, enum bly_expression_kind kind, uint32_t a, uint32_t b)
{
    return bly_atom_operation(f->list, kind, &bly_type_int, a, b, 0);
}

/* A change is 0 where nothing changes, also at a root or a divisor `of` that is 0 there: what has that
 * divisor is computed as the other side of that condition. Where `of` is not 0 a change of 0 is a number like
 * any other, which may itself change. What is the same on all paths may be 0 too: the root of a variance that
 * is given as 0, while other parameters change. */
static uint32_t begin_unless(struct forward *f, uint32_t of, uint32_t change)
{
    const struct bly_atom *v = &f->list->values[of];
    f->region = f->list->region;
    if (v->kind == BLY_ATOM_NUMBER && v->real != 0) return 0;
    const uint32_t none = real(f, 0), condition = bly_atom_operation(f->list, BLY_AND, &bly_type_int,
                                                                     compare(f, BLY_EQUAL, of, none),
                                                                     compare(f, BLY_EQUAL, change, none), 0);
    f->list->region = bly_region_of(f->list, condition, false);
    return condition;
}

static uint32_t end_unless(struct forward *f, uint32_t condition, uint32_t change)
{
    f->list->region = f->region;
    return condition ? bly_atom_select(f->list, condition, real(f, 0), change) : change;
}

/* ---- Rules --------------------------------------------------------------------------------------- */

static uint32_t refuse(struct forward *f, struct bly_place place, const char *why)
{
    bly_refuse_at(f->d->unit, place,
                  f->d->forward ? "cannot be differentiated: %s" : "has no second derivatives: %s", why);
    f->status = BAILEY_ERROR_UNSUPPORTED;
    return 0;
}

static uint32_t divide(struct forward *f, const struct bly_atom *o, uint32_t number, uint32_t da, uint32_t db)
{
    uint32_t change = da;
    if (db) change = sum(f, da, negated(f, product(f, number, db)));
    const uint32_t condition = begin_unless(f, o->b, change);
    return end_unless(f, condition, operation(f, BLY_DIVIDE, change, o->b));
}

static uint32_t power_by_exponent(struct forward *f, const struct bly_atom *o, uint32_t number, uint32_t db)
{
    const uint32_t positive = compare(f, BLY_GREATER, o->a, real(f, 0));
    const uint32_t condition = begin_unless(f, o->a, db);
    const uint32_t log =
        bly_atom_call(f->list, "log", bly_atom_select(f->list, positive, o->a, real(f, 1)), 0, 0);
    return end_unless(f, condition, product(f, operation(f, BLY_MULTIPLY, number, log), db));
}

static uint32_t power(struct forward *f, const struct bly_atom *o, uint32_t number, uint32_t da, uint32_t db)
{
    uint32_t change = 0;
    if (da) {
        const uint32_t condition = begin_unless(f, o->a, da);
        const uint32_t less =
            bly_atom_call(f->list, "pow", o->a, operation(f, BLY_SUBTRACT, o->b, real(f, 1)), 0);
        change = end_unless(f, condition, product(f, operation(f, BLY_MULTIPLY, o->b, less), da));
    }
    return db ? sum(f, change, power_by_exponent(f, o, number, db)) : change;
}

static uint32_t gamma_quantile(struct forward *f, const struct bly_atom *o, uint32_t number, uint32_t da,
                               uint32_t db)
{
    uint32_t change = 0;
    if (da) {
        const uint32_t condition = begin_unless(f, o->a, da);
        const uint32_t density = bly_atom_call(f->list, "gamma_density", number, o->b, 0);
        change = end_unless(f, condition, operation(f, BLY_DIVIDE, da, density));
    }
    if (!db) return change;
    return sum(f, change, product(f, bly_atom_call(f->list, "gamma_icdf_by_shape", o->a, o->b, 0), db));
}

/* Of functions of one number. */
static uint32_t call_of_one(struct forward *f, const struct bly_atom *o, uint32_t number, uint32_t da)
{
    const char *name = o->library->name;
    if (strcmp(name, "exp") == 0) return product(f, number, da);
    if (strcmp(name, "log") == 0 || strcmp(name, "sqrt") == 0) {
        const bool is_log = strcmp(name, "log") == 0;
        const uint32_t condition = begin_unless(f, o->a, da);
        const uint32_t change = is_log ? da : product(f, real(f, 0.5), da);
        return end_unless(f, condition, operation(f, BLY_DIVIDE, change, is_log ? o->a : number));
    }
    if (strcmp(name, "fabs") == 0)
        return select(f, compare(f, BLY_LESS, o->a, real(f, 0)), negated(f, da), da);
    if (strcmp(name, "normal_icdf") == 0) {
        const uint32_t half = operation(f, BLY_MULTIPLY, real(f, 0.5), number);
        const uint32_t bell = bly_atom_call(f->list, "exp", operation(f, BLY_MULTIPLY, half, number), 0, 0);
        return product(f, operation(f, BLY_MULTIPLY, real(f, 2.5066282746310002), bell), da);
    }
    if (strcmp(name, "normal_cdf") == 0 || strcmp(name, "uniform") == 0) {
        const uint32_t half = operation(f, BLY_MULTIPLY, real(f, -0.5), o->a);
        const uint32_t bell = bly_atom_call(f->list, "exp", operation(f, BLY_MULTIPLY, half, o->a), 0, 0);
        return product(f, operation(f, BLY_MULTIPLY, real(f, 0.3989422804014327), bell), da);
    }
    return refuse(f, o->place, BLY_FUNCTION_UNKNOWN);
}

static uint32_t call(struct forward *f, const struct bly_atom *o, uint32_t number)
{
    const char *name = o->library->name;
    const uint32_t da = f->changes[o->a], db = o->b ? f->changes[o->b] : 0, dc = o->c ? f->changes[o->c] : 0;
    if (strcmp(name, "pow") == 0) return power(f, o, number, da, db);
    if (strcmp(name, "fmin") == 0 || strcmp(name, "fmax") == 0)
        return select(f, compare(f, name[3] == 'x' ? BLY_GREATER : BLY_LESS, o->b, o->a), db, da);
    if (strcmp(name, "fma") == 0) return sum(f, sum(f, product(f, o->b, da), product(f, o->a, db)), dc);
    if (strcmp(name, "gamma_icdf") == 0) return gamma_quantile(f, o, number, da, db);
    return call_of_one(f, o, number, da);
}

/* The change of a comparison of reals, as a number that is 0 or 1. */
static uint32_t jump(struct forward *f, uint32_t number, const struct bly_atom *c)
{
    const uint32_t change = sum(f, f->changes[c->a], negated(f, f->changes[c->b]));
    const bool rises = c->operation == BLY_GREATER || c->operation == BLY_GREATER_EQUAL;
    if (!change || f->d->without_jumps) return 0;
    if (!f->r->turn_of[number]) return refuse(f, c->place, "this comparison has no width");
    const uint32_t at = f->r->turns[f->r->turn_of[number] - 1].jump;
    uint32_t density = bly_jump_density(f->d, f->list, c, at);
    if (f->d->forward) {
        const struct bly_atom share = {.kind = BLY_ATOM_SHARE, .type = &bly_type_real};
        density = operation(f, BLY_MULTIPLY, density, bly_atom_add(f->list, &share));
        f->d->jumps[at].counts = true;
    }
    return product(f, density, rises ? change : negated(f, change));
}

/* The same for a comparison of a flag with a constant: the flag, its opposite or neither. */
static uint32_t flag(struct forward *f, const struct bly_atom *c)
{
    const bool swapped = !f->changes[c->a];
    const uint32_t change = f->changes[swapped ? c->b : c->a];
    int64_t number = 0;
    bly_atom_is_integer(f->list, swapped ? c->a : c->b, &number);
    const int way = bly_flag_way(c->operation, swapped, number);
    return way > 0 ? change : way < 0 ? negated(f, change) : 0;
}

/* A side of a selection that jumps also counts within the width, on paths that take the other side: what
 * leaves its branches, up to the selection's, is then not 0. */
static void widen(struct forward *f, uint32_t side, uint32_t near)
{
    struct bly_atoms *list = f->list;
    const uint32_t outer = list->region;
    for (uint32_t k = list->values[side].region; k && !bly_region_is_within(list, outer, k);
         k = list->regions[k].outer) {
        const uint32_t condition = list->regions[k].condition;
        const struct bly_atom *of = &list->values[condition];
        if (of->kind == BLY_ATOM_OPERATION && of->operation == BLY_OR && of->b == near) continue;
        const uint32_t holds = list->regions[k].holds
                                   ? condition
                                   : bly_atom_operation(list, BLY_NOT, &bly_type_int, condition, 0, 0);
        list->regions[k].condition = bly_atom_operation(list, BLY_OR, &bly_type_int, holds, near, 0);
        list->regions[k].holds = true;
    }
}

static uint32_t selection(struct forward *f, const struct bly_atom *o, uint32_t number)
{
    const uint32_t side = select(f, o->a, f->changes[o->b], f->changes[o->c]), turn = f->changes[o->a];
    if (!turn || f->r->meeting[number] != 1 + BLY_JUMPS) return side;
    /* Far from where it turns, the side that is not taken need not be finite: then it is not 0 less itself.
     */
    const uint32_t height = operation(f, BLY_SUBTRACT, as_real(f, o->b), as_real(f, o->c)), none = real(f, 0);
    const uint32_t is_wild = compare(f, BLY_UNEQUAL, operation(f, BLY_SUBTRACT, height, height), none);
    const uint32_t is_far =
        bly_atom_operation(f->list, BLY_AND, &bly_type_int, is_wild, compare(f, BLY_EQUAL, turn, none), 0);
    const uint32_t near = compare(f, BLY_UNEQUAL, turn, none);
    widen(f, o->b, near);
    widen(f, o->c, near);
    return sum(f, side, product(f, select(f, is_far, none, height), turn));
}

static bool is_flag(const struct forward *f, uint32_t number)
{
    return bly_atom_is_flag(f->list, number, f->d->flags);
}

/* Why an operation on integers, whose changes are those of flags, has none; NULL: it has. The rules of
 * reverse.c, where there are no adjoints. */
static const char *refusal(const struct forward *f, uint32_t number, const struct bly_atom *o)
{
    const uint32_t da = f->changes[o->a], db = o->b ? f->changes[o->b] : 0;
    const bool of_reals = f->list->values[o->a].type->kind == BLY_TYPE_REAL;
    static const char *const not_a_flag =
        "it compares an integer that depends on the path and is not always 0 "
        "or 1";
    int64_t known;
    if (!da && !db) return NULL;
    switch (o->operation) {
    case BLY_CONVERT:
        return of_reals && o->type->kind != BLY_TYPE_REAL
                   ? "it converts a real that depends on the path to an integer"
                   : NULL;
    case BLY_DIVIDE:
        return o->type->kind != BLY_TYPE_REAL ? "it divides an integer that depends on the path" : NULL;
    case BLY_SELECT:
        return da && f->r->meeting[number] == 1 + BLY_JUMPS && !is_flag(f, o->a) ? not_a_flag : NULL;
    case BLY_NOT:
    case BLY_AND:
    case BLY_OR: return (da && !is_flag(f, o->a)) || (db && !is_flag(f, o->b)) ? not_a_flag : NULL;
    case BLY_NEGATE:
    case BLY_ADD:
    case BLY_SUBTRACT:
    case BLY_MULTIPLY:
    case BLY_CALL: return NULL;
    default:
        if (!bly_is_comparison(o->operation))
            return "it uses the bits of an integer that depends on the path";
        if (of_reals) return NULL;
        if (da && db) return "it compares two integers, one of which depends on the path";
        if (!bly_atom_is_integer(f->list, da ? o->b : o->a, &known))
            return "it compares two integers, one of which depends on the path";
        return is_flag(f, da ? o->a : o->b) ? NULL : not_a_flag;
    }
}

static uint32_t change_of(struct forward *f, uint32_t number)
{
    const struct bly_atom copy = f->list->values[number], *o = &copy;
    const uint32_t da = f->changes[o->a], db = o->b ? f->changes[o->b] : 0;
    const char *why = f->d->forward ? refusal(f, number, o) : NULL;
    if (why) return refuse(f, o->place, why);
    switch (o->operation) {
    case BLY_NEGATE:
    case BLY_NOT: return negated(f, da);
    case BLY_CONVERT: return da;
    case BLY_ADD: return sum(f, da, db);
    case BLY_SUBTRACT: return sum(f, da, negated(f, db));
    case BLY_MULTIPLY:
        return sum(f, da ? product(f, as_real(f, o->b), da) : 0, db ? product(f, as_real(f, o->a), db) : 0);
    case BLY_DIVIDE: return da || db ? divide(f, o, number, da, db) : 0;
    case BLY_CALL: return da || db || (o->c && f->changes[o->c]) ? call(f, o, number) : 0;
    case BLY_SELECT: return selection(f, o, number);
    case BLY_AND: return sum(f, select(f, o->b, da, 0), select(f, o->a, db, 0));
    case BLY_OR: return sum(f, select(f, o->b, 0, da), select(f, o->a, 0, db));
    default:
        if (o->operation < BLY_LESS || o->operation > BLY_UNEQUAL) return 0;
        return f->list->values[o->a].type->kind == BLY_TYPE_REAL ? jump(f, number, o) : flag(f, o);
    }
}

/* The cells of params that are asked for before this one. */
static uint32_t seed_of(const struct bly_derivative *d, uint32_t cell)
{
    uint32_t before = 0;
    for (uint32_t k = 0; k < cell; k++) before += d->asked[k] != 0;
    return before;
}

/* Changes that are numbers as the code runs. */
static uint32_t change_of_given(struct forward *f, const struct bly_atom *v)
{
    const struct bly_derivative *d = f->d;
    struct bly_atom leaf = {.kind = BLY_ATOM_CHANGE, .type = &bly_type_real, .number = v->number};
    if (v->kind == BLY_ATOM_TIME) leaf.number = d->dims;
    if (v->kind == BLY_ATOM_PARAM) {
        leaf.kind = BLY_ATOM_SEED;
        leaf.number = seed_of(d, v->number);
        leaf.a = v->a;
    }
    const bool changes = v->kind == BLY_ATOM_PARAM || v->kind == BLY_ATOM_POINT || v->kind == BLY_ATOM_TIME;
    return changes ? bly_atom_add(f->list, &leaf) : 0;
}

static uint32_t change_of_leaf(struct forward *f, uint32_t number)
{
    const struct bly_atom v = f->list->values[number];
    const uint32_t direction = f->d->direction;
    if (v.kind == BLY_ATOM_STATE && f->cells[v.number]) {
        const struct bly_atom leaf = {
            .kind = BLY_ATOM_STATE, .type = &bly_type_real, .number = f->cells[v.number]};
        return bly_atom_add(f->list, &leaf);
    }
    if (v.kind == BLY_ATOM_CARRIED || v.kind == BLY_ATOM_LEFT) {
        const struct bly_carried *change = &f->list->carried[f->list->carried[v.number].change];
        return v.kind == BLY_ATOM_LEFT ? change->left : change->inner;
    }
    if (f->d->forward && !f->d->has_pair) return change_of_given(f, &v);
    if (v.kind != BLY_ATOM_PARAM || direction < v.number || direction - v.number >= (v.a ? v.count : 1))
        return 0;
    if (!v.a) return real(f, 1);
    const uint32_t place = bly_atom_integer(f->list, f->list->values[v.a].type, direction - v.number);
    return select(f, compare(f, BLY_EQUAL, v.a, place), real(f, 1), 0);
}

/* ---- A list -------------------------------------------------------------------------------------- */

static const char *change_name(struct forward *f, const char *name)
{
    char text[80];
    snprintf(text, sizeof text, "%.56s_change", name);
    return bly_arena_text(&f->d->arena, text, strlen(text));
}

/* The values added for value `number` have its place in the code. */
static void place(struct forward *f, uint32_t number, uint32_t from)
{
    const struct bly_atom v = f->list->values[number];
    for (uint32_t k = from; k < f->list->count; k++)
        if (f->list->values[k].kind == BLY_ATOM_OPERATION) f->list->values[k].place = v.place;
    const uint32_t change = f->changes[number];
    if (v.name && change >= from && f->list->values[change].kind == BLY_ATOM_OPERATION)
        f->list->values[change].name = change_name(f, v.name);
}

static void find_changes(struct forward *f)
{
    struct bly_reversed *r = f->r;
    for (uint32_t i = 1; i < r->primal && f->status == BAILEY_OK; i++) {
        const uint32_t from = f->list->count;
        if (!r->varied[i] || !(f->d->forward ? r->live[i] : r->bars[i])) continue;
        f->list->region = f->list->values[i].region;
        f->list->loop = f->list->values[i].loop;
        if (f->list->loop_count) f->list->now = i;
        f->changes[i] =
            f->list->values[i].kind == BLY_ATOM_OPERATION ? change_of(f, i) : change_of_leaf(f, i);
        place(f, i, from);
    }
    f->list->region = f->list->loop = f->list->now = 0;
}

/* The numbers that loops carry besides. */
static void begin_carried(struct forward *f)
{
    const struct bly_reversed *r = f->r;
    const uint32_t count = f->list->carried_count;
    for (uint32_t k = 1; k < count; k++) {
        const struct bly_carried c = f->list->carried[k];
        const bool live = r->live[c.inner] || r->live[c.left];
        f->list->carried[k].change = 0;
        if (!live || !(r->varied[c.inner] || r->varied[c.left])) continue;
        const uint32_t change = bly_carried_add(f->list, c.loop, &bly_type_real, 0);
        if (!change) return;
        f->list->carried[k].change = change;
    }
}

static void end_carried(struct forward *f)
{
    const uint32_t none = f->list->carried_count ? real(f, 0) : 0;
    for (uint32_t k = 1; k < f->list->carried_count; k++) {
        const struct bly_carried *of = &f->list->carried[k];
        if (!of->change) continue;
        struct bly_carried *change = &f->list->carried[of->change];
        change->initial = f->changes[of->initial] ? f->changes[of->initial] : none;
        change->next = f->changes[of->next] ? f->changes[of->next] : none;
    }
}

/* The changes of the state's cells are cells behind them; that of the outputs' sum is one more output. Of
 * levels, the changes of both outputs take their place. */
static bailey_status extend(struct bly_derivative *d, struct bly_reversed *r, const uint32_t *cells,
                            uint32_t states)
{
    struct forward f = {.d = d, .r = r, .list = &r->list, .cells = cells};
    const uint32_t most = (states > d->outputs ? states : d->outputs) + 2;
    uint32_t *results = bly_arena_take(&d->arena, most * sizeof *results);
    f.changes = bly_arena_take(&d->arena, r->primal * sizeof *f.changes);
    if (!results || !f.changes) return bly_list_full(&r->list);
    bly_list_cut(&r->list, r->primal);
    r->list.settled = 0;
    begin_carried(&f);
    find_changes(&f);
    end_carried(&f);
    if (f.status != BAILEY_OK) return f.status;
    memcpy(results, r->results, (r == &d->finish ? d->outputs : d->states) * sizeof *results);
    for (uint32_t k = 0; k < d->states && r != &d->finish; k++)
        if (cells[k] && r->results[k])
            results[cells[k]] = f.changes[r->results[k]] ? f.changes[r->results[k]] : real(&f, 0);
    for (uint32_t o = 0; o < d->outputs && r == &d->finish && d->has_pair; o++)
        results[o] = r->results[o] ? f.changes[r->results[o]] : 0;
    for (uint32_t o = 0; o < d->outputs && r == &d->finish && !d->has_pair; o++) {
        const struct bly_atom weight = {.kind = BLY_ATOM_WEIGHT, .type = &bly_type_real, .number = o};
        const uint32_t change = d->chosen[o] && r->results[o] ? f.changes[r->results[o]] : 0;
        if (!change) continue;
        const uint32_t part = d->has_weights ? product(&f, bly_atom_add(&r->list, &weight), change) : change;
        results[d->outputs] = sum(&f, results[d->outputs], part);
    }
    r->results = results;
    return r->list.no_memory || r->list.too_long ? bly_list_full(&r->list) : BAILEY_OK;
}

/* ---- The state ----------------------------------------------------------------------------------- */

/* A field of reals, as many as `of` has numbers. */
static bool add_field(struct bly_derivative *d, struct bly_record *record, const struct bly_field_node *of)
{
    const struct bly_type *type = &bly_type_real;
    char name[160];
    if (of->type->kind == BLY_TYPE_ARRAY) {
        struct bly_type *array = bly_arena_take(&d->arena, sizeof *array);
        if (!array) return false;
        *array = *of->type;
        array->of = &bly_type_real;
        array->count = bly_cells(of->type);
        type = array;
    }
    struct bly_field_node *field = bly_arena_take(&d->arena, sizeof *field), **end = &record->fields;
    if (!field) return false;
    snprintf(name, sizeof name, "%.120s_change", of->name);
    for (const struct bly_field_node *g = record->fields; g; g = g->next)
        if (strcmp(g->name, name) == 0) snprintf(name, sizeof name, "%.120s_change_of_it", of->name);
    *field = (struct bly_field_node){.name = bly_arena_text(&d->arena, name, strlen(name)), .type = type};
    while (*end) end = &(*end)->next;
    *end = field;
    record->field_count++;
    return field->name != NULL;
}

static bool copy_fields(struct bly_derivative *d, struct bly_record *record)
{
    const struct bly_field_node *from = record->fields;
    struct bly_field_node **end = &record->fields;
    for (*end = NULL; from; from = from->next) {
        struct bly_field_node *field = bly_arena_take(&d->arena, sizeof *field);
        if (!field) return false;
        *field = *from;
        field->next = NULL;
        *end = field;
        end = &field->next;
    }
    return true;
}

/* The state with what its cells change by; cells[k] is that of cell k. */
static bool extend_state(struct bly_derivative *d, uint32_t *cells, uint32_t *states)
{
    struct bly_record *record = bly_arena_take(&d->arena, sizeof *record);
    struct bly_type *type = bly_arena_take(&d->arena, sizeof *type);
    if (!record || !type) return false;
    *record = *d->unit->state;
    *type = *d->unit->state->type;
    type->record = record;
    record->type = type;
    record->cells = 0;
    if (!copy_fields(d, record)) return false;
    for (const struct bly_field_node *f = d->unit->state->fields; f; f = f->next) {
        const uint32_t count = bly_cells(f->type);
        bool any = false;
        for (uint32_t k = f->cell; k < f->cell + count; k++) any |= d->varied_states[k] && d->barred[k];
        if (!any) continue;
        if (!add_field(d, record, f)) return false;
        for (uint32_t k = 0; k < count; k++) cells[f->cell + k] = *states + k;
        *states += count;
    }
    bly_cells(type);
    d->second = *d->unit;
    d->second.state = record;
    return true;
}

bailey_status bly_forward_extend(struct bly_derivative *d)
{
    uint32_t states = d->states, *cells = bly_arena_take(&d->arena, (d->states + 1) * sizeof *cells);
    bailey_status status = BAILEY_OK;
    d->second = *d->unit;
    if (!cells || (d->states && !extend_state(d, cells, &states))) return bly_list_full(&d->step.list);
    if (d->has_start) status = extend(d, &d->start, cells, states);
    if (status == BAILEY_OK && d->has_step) status = extend(d, &d->step, cells, states);
    if (status == BAILEY_OK && d->has_pair) status = extend(d, &d->pair, cells, states);
    if (status == BAILEY_OK) status = extend(d, &d->finish, cells, states);
    d->unit = &d->second;
    d->start.list.unit = d->step.list.unit = d->pair.list.unit = d->finish.list.unit = d->unit;
    d->states = states;
    if (!d->has_pair) d->outputs++;
    d->is_extended = true;
    return status;
}
