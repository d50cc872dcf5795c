/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Lists of values: equal values have one number, which a hash table finds; constants are computed as the
 * interpreter computes them.
 */
#include "list.h"

#include <base/status.h>
#include <host/payoff/machine.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* What arithmetic.c wants of an interpreter is its precision. */
static struct bly_interpreter arithmetic_of(const struct bly_atoms *list)
{
    return (struct bly_interpreter){.unit = list->unit,
                                    .single = list->unit->precision == BAILEY_PRECISION_F32};
}

void bly_list_begin(struct bly_atoms *list, struct bly_unit *unit, struct bly_arena *arena)
{
    *list = (struct bly_atoms){.unit = unit, .arena = arena, .count = 1, .most = BLY_MOST_ATOMS};
}

/* ---- Equal values -------------------------------------------------------------------------------- */

static uint64_t mixed(uint64_t hash, uint64_t with) { return (hash ^ with) * UINT64_C(0x9e3779b97f4a7c15); }

static uint64_t hash_of(const struct bly_atom *v)
{
    uint64_t hash = mixed(v->kind, v->operation);
    hash = mixed(hash ^ hash >> 29, v->type->kind);
    hash = mixed(hash ^ hash >> 29, (uint64_t)v->a << 32 | v->b);
    hash = mixed(hash ^ hash >> 29, (uint64_t)v->c << 32 | v->number);
    hash = mixed(hash ^ hash >> 29, (uint64_t)v->integer ^ (uint64_t)(uintptr_t)v->library);
    return hash ^ hash >> 32;
}

bool bly_loop_is_within(const struct bly_atoms *list, uint32_t inner, uint32_t outer)
{
    while (inner > outer) inner = list->loops[inner].outer; /* those within have larger numbers */
    return inner == outer;
}

/* Whether code that computes v may use u: u is not of a loop that has ended, and not computed later. */
static bool is_there(const struct bly_atoms *list, const struct bly_atom *u, const struct bly_atom *v)
{
    return bly_loop_is_within(list, v->loop, u->loop) && (!list->now || u->order <= list->now);
}

static bool is_equal(const struct bly_atom *u, const struct bly_atom *v)
{
    return u->kind == v->kind && u->operation == v->operation && u->type->kind == v->type->kind &&
           u->library == v->library && u->a == v->a && u->b == v->b && u->c == v->c &&
           u->integer == v->integer && u->number == v->number && u->count == v->count;
}

/* Where in the table a value is, or would be. */
static uint32_t slot_of(const struct bly_atoms *list, const struct bly_atom *v)
{
    uint32_t slot = (uint32_t)hash_of(v) & (list->table_size - 1);
    for (; list->table[slot]; slot = (slot + 1) & (list->table_size - 1)) {
        const struct bly_atom *u = &list->values[list->table[slot]];
        if (is_equal(u, v) && is_there(list, u, v)) break;
    }
    return slot;
}

static void fill_table(struct bly_atoms *list)
{
    memset(list->table, 0, list->table_size * sizeof *list->table);
    for (uint32_t i = 1; i < list->count; i++) {
        uint32_t slot = (uint32_t)hash_of(&list->values[i]) & (list->table_size - 1);
        while (list->table[slot]) slot = (slot + 1) & (list->table_size - 1);
        list->table[slot] = i;
    }
}

static bool grow(struct bly_atoms *list)
{
    const uint32_t size = list->size ? 2 * list->size : 256;
    struct bly_atom *values = bly_arena_take(list->arena, size * sizeof *values);
    uint32_t *table = bly_arena_take(list->arena, 2 * size * sizeof *table);
    if (!values || !table) {
        list->no_memory = true;
        return false;
    }
    if (list->count > 1) memcpy(values, list->values, list->count * sizeof *values);
    list->values = values;
    list->table = table;
    list->size = size;
    list->table_size = 2 * size;
    fill_table(list);
    return true;
}

bailey_status bly_derive_full(const struct bly_unit *unit, const struct bly_arena *arena)
{
    if (!arena->full)
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory while differentiating a payoff");
    return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                    "%s cannot be differentiated: with loops unrolled and all branches taken, its derivatives "
                    "take more than %u MB of memory",
                    unit->name, BLY_MOST_ARENA >> 20);
}

bailey_status bly_list_full(const struct bly_atoms *list)
{
    if (!list->too_long) return bly_derive_full(list->unit, list->arena);
    return bly_fail(
        BAILEY_ERROR_UNSUPPORTED,
        "%s cannot be differentiated: with loops unrolled and all branches taken, one of its functions has "
        "more than %u operations",
        list->unit->name, BLY_MOST_ATOMS);
}

void bly_list_cut(struct bly_atoms *list, uint32_t count)
{
    if (count >= list->count) return;
    list->count = count;
    fill_table(list);
}

bool bly_list_copy(const struct bly_atoms *from, uint32_t count, struct bly_atoms *list)
{
    *list = *from;
    list->values = bly_arena_take(list->arena, list->size * sizeof *list->values);
    list->table = bly_arena_take(list->arena, list->table_size * sizeof *list->table);
    list->regions = bly_arena_take(list->arena, (list->region_size + 1) * sizeof *list->regions);
    if (!list->values || !list->table || !list->regions) return false;
    memcpy(list->values, from->values, count * sizeof *list->values);
    if (from->region_count) memcpy(list->regions, from->regions, from->region_count * sizeof *list->regions);
    list->count = count;
    list->region = 0;
    fill_table(list);
    return true;
}

/* ---- Regions ------------------------------------------------------------------------------------- */

bool bly_region_is_within(const struct bly_atoms *list, uint32_t inner, uint32_t outer)
{
    while (inner > outer) inner = list->regions[inner].outer; /* those within have larger numbers */
    return inner == outer;
}

uint32_t bly_region_of(struct bly_atoms *list, uint32_t condition, bool holds)
{
    for (uint32_t k = 1; k < list->region_count; k++) {
        const struct bly_region *r = &list->regions[k];
        if (r->outer == list->region && r->condition == condition && r->holds == holds) return k;
    }
    if (list->region_count == list->region_size) {
        const uint32_t size = list->region_size ? 2 * list->region_size : 16;
        struct bly_region *regions = bly_arena_take(list->arena, size * sizeof *regions);
        if (!regions) {
            list->no_memory = true;
            return 0;
        }
        if (list->region_count) memcpy(regions, list->regions, list->region_count * sizeof *regions);
        list->regions = regions;
        list->region_size = size;
    }
    if (!list->region_count) list->region_count = 1;
    list->regions[list->region_count] = (struct bly_region){list->region, condition, holds};
    return list->region_count++;
}

/* A region that the side of a selection is of, within that of the selection; the latter where the side is not in
 * such a region. */
static uint32_t region_of_side(const struct bly_atoms *list, const struct bly_atom *selection, uint32_t side,
                               bool holds)
{
    for (uint32_t k = list->values[side].region; k > selection->region; k = list->regions[k].outer) {
        const struct bly_region *r = &list->regions[k];
        if (r->outer == selection->region && r->condition == selection->a && r->holds == holds) return k;
    }
    return selection->region;
}

/* A value that code in another region has too: both are within the region that it is of now, and so is what
 * it is computed from, but for the sides of a selection: each is needed only where it is selected, and need not
 * be finite elsewhere. */
static void lift(struct bly_atoms *list, uint32_t number, uint32_t region)
{
    struct bly_atom *v = &list->values[number];
    if (number < list->settled || !number || bly_region_is_within(list, region, v->region)) return;
    while (!bly_region_is_within(list, region, v->region)) v->region = list->regions[v->region].outer;
    const bool selects = v->kind == BLY_ATOM_OPERATION && v->operation == BLY_SELECT;
    lift(list, v->a, v->region);
    if (v->b) lift(list, v->b, selects ? region_of_side(list, v, v->b, true) : v->region);
    if (v->c) lift(list, v->c, selects ? region_of_side(list, v, v->c, false) : v->region);
}

/* ---- Loops --------------------------------------------------------------------------------------- */

uint32_t bly_loop_add(struct bly_atoms *list, struct bly_place place)
{
    if (list->loop_count == list->loop_size) {
        const uint32_t size = list->loop_size ? 2 * list->loop_size : 8;
        struct bly_loop *loops = bly_arena_take(list->arena, size * sizeof *loops);
        if (!loops) {
            list->no_memory = true;
            return 0;
        }
        if (list->loop_count) memcpy(loops, list->loops, list->loop_count * sizeof *loops);
        list->loops = loops;
        list->loop_size = size;
    }
    if (!list->loop_count) list->loop_count = 1;
    list->loops[list->loop_count] = (struct bly_loop){.outer = list->loop, .place = place};
    return list->loop_count++;
}

uint32_t bly_carried_add(struct bly_atoms *list, uint32_t loop, const struct bly_type *type, uint32_t initial)
{
    if (list->carried_count == list->carried_size) {
        const uint32_t size = list->carried_size ? 2 * list->carried_size : 16;
        struct bly_carried *carried = bly_arena_take(list->arena, size * sizeof *carried);
        if (!carried) {
            list->no_memory = true;
            return 0;
        }
        if (list->carried_count) memcpy(carried, list->carried, list->carried_count * sizeof *carried);
        list->carried = carried;
        list->carried_size = size;
    }
    if (!list->carried_count) list->carried_count = 1;
    const uint32_t number = list->carried_count++;
    const struct bly_atom inner = {.kind = BLY_ATOM_CARRIED, .type = type, .number = number, .loop = loop},
                          left = {.kind = BLY_ATOM_LEFT,
                                  .type = type,
                                  .number = number,
                                  .loop = list->loops[loop].outer};
    list->carried[number] = (struct bly_carried){.loop = loop, .type = type, .initial = initial};
    const uint32_t first = bly_atom_add(list, &inner), second = bly_atom_add(list, &left);
    list->carried[number].inner = first;
    list->carried[number].left = second;
    return number;
}

/* ---- Adding -------------------------------------------------------------------------------------- */

static uint32_t add(struct bly_atoms *list, const struct bly_atom *given)
{
    struct bly_atom copy = *given, *value = &copy;
    if (list->count == list->size || !list->size)
        if (!grow(list)) return 1;
    if (given->kind == BLY_ATOM_OPERATION || given->a) copy.loop = list->loop;
    copy.order = list->now ? list->now : list->count;
    const uint32_t slot = slot_of(list, value);
    if (list->table[slot]) {
        lift(list, list->table[slot], list->region);
        return list->table[slot];
    }
    if (list->count >= list->most) {
        list->too_long = true;
        return 1;
    }
    list->values[list->count] = *value;
    list->values[list->count].region = value->kind == BLY_ATOM_OPERATION || value->a ? list->region : 0;
    list->table[slot] = list->count;
    return list->count++;
}

/* ---- Constants ----------------------------------------------------------------------------------- */

uint32_t bly_atom_real(struct bly_atoms *list, double value)
{
    const struct bly_interpreter m = arithmetic_of(list);
    const struct bly_atom v = {
        .kind = BLY_ATOM_NUMBER, .type = &bly_type_real, .real = bly_real_cell(&m, value).real};
    return add(list, &v);
}

uint32_t bly_atom_integer(struct bly_atoms *list, const struct bly_type *type, int64_t value)
{
    const struct bly_atom v = {.kind = BLY_ATOM_NUMBER, .type = type, .integer = value};
    return add(list, &v);
}

bool bly_atom_is_integer(const struct bly_atoms *list, uint32_t number, int64_t *value)
{
    const struct bly_atom *v = &list->values[number];
    if (v->kind != BLY_ATOM_NUMBER || v->type->kind == BLY_TYPE_REAL) return false;
    *value = v->integer;
    return true;
}

bool bly_atom_is_flag(const struct bly_atoms *list, uint32_t number, const uint8_t *flags)
{
    const struct bly_atom *v = &list->values[number];
    if (v->type->kind != BLY_TYPE_INT) return false;
    if (v->kind == BLY_ATOM_NUMBER) return v->integer == 0 || v->integer == 1;
    if (v->kind == BLY_ATOM_STATE) return flags && flags[v->number];
    if (v->kind != BLY_ATOM_OPERATION) return false;
    switch (v->operation) {
    case BLY_NOT:
    case BLY_AND:
    case BLY_OR: return true;
    case BLY_SELECT: return bly_atom_is_flag(list, v->b, flags) && bly_atom_is_flag(list, v->c, flags);
    default: return bly_is_comparison(v->operation);
    }
}

/* ---- Operations on numbers ----------------------------------------------------------------------- */

static struct bly_cell cell_of(const struct bly_type *type, union bly_scalar x)
{
    struct bly_cell cell = {.written = true};
    if (type->kind == BLY_TYPE_REAL)
        cell.real = x.real;
    else
        cell.integer = x.integer;
    return cell;
}

static bool is_true(const struct bly_type *type, union bly_scalar x)
{
    return type->kind == BLY_TYPE_REAL ? x.real != 0 : x.integer != 0;
}

static struct bly_cell call(const struct bly_interpreter *m, const struct bly_atom *v, const double *given)
{
    return bly_real_cell(m, m->single ? bly_library_call_f32(v->library, given)
                                      : bly_library_call_f64(v->library, given));
}

/* An operation on operands of types `of`. */
static union bly_scalar operate(const struct bly_interpreter *m, const struct bly_atom *v,
                                const struct bly_type *const of[3], const union bly_scalar x[3])
{
    const struct bly_cell a = cell_of(of[0], x[0]), b = of[1] ? cell_of(of[1], x[1]) : a;
    const double given[3] = {x[0].real, of[1] ? x[1].real : 0, of[2] ? x[2].real : 0};
    struct bly_cell r;
    bool wraps;
    switch (v->operation) {
    case BLY_NEGATE:
        r = v->type->kind == BLY_TYPE_REAL
                ? bly_real_cell(m, -a.real)
                : bly_computed(m, BLY_SUBTRACT, v->type, bly_integer_cell(0), a, &wraps);
        break;
    case BLY_NOT: r = bly_integer_cell(!is_true(of[0], x[0])); break;
    case BLY_FLIP: r = bly_computed(m, BLY_BIT_XOR, v->type, a, bly_integer_cell(-1), &wraps); break;
    case BLY_SHIFT_LEFT:
    case BLY_SHIFT_RIGHT: r = bly_shifted(v->operation, v->type, a, b.integer); break;
    case BLY_AND: r = bly_integer_cell(is_true(of[0], x[0]) && is_true(of[1], x[1])); break;
    case BLY_OR: r = bly_integer_cell(is_true(of[0], x[0]) || is_true(of[1], x[1])); break;
    case BLY_SELECT: return is_true(of[0], x[0]) ? x[1] : x[2];
    case BLY_CONVERT: r = bly_converted(m, a, of[0], v->type); break;
    case BLY_CALL: r = call(m, v, given); break;
    default:
        r = bly_is_comparison(v->operation) ? bly_integer_cell(bly_compared(v->operation, of[0], a, b))
                                            : bly_computed(m, v->operation, v->type, a, b, &wraps);
    }
    union bly_scalar result;
    if (v->type->kind == BLY_TYPE_REAL)
        result.real = r.real;
    else
        result.integer = r.integer;
    return result;
}

/* ---- Making values ------------------------------------------------------------------------------- */

static bool is_number(const struct bly_atoms *list, uint32_t number)
{
    return !number || list->values[number].kind == BLY_ATOM_NUMBER;
}

/* Folds an operation on constants, if its result can be written down: one that is not normal cannot. */
static bool fold(const struct bly_atoms *list, const struct bly_atom *v, struct bly_atom *folded)
{
    const uint32_t operands[3] = {v->a, v->b, v->c};
    const struct bly_type *of[3] = {NULL, NULL, NULL};
    union bly_scalar x[3] = {{0}, {0}, {0}};
    for (int i = 0; i < 3; i++) {
        if (!is_number(list, operands[i])) return false;
        if (!operands[i]) continue;
        const struct bly_atom *from = &list->values[operands[i]];
        of[i] = from->type;
        if (from->type->kind == BLY_TYPE_REAL)
            x[i].real = from->real;
        else
            x[i].integer = from->integer;
    }
    const struct bly_interpreter m = arithmetic_of(list);
    const union bly_scalar result = operate(&m, v, of, x);
    *folded = (struct bly_atom){.kind = BLY_ATOM_NUMBER, .type = v->type};
    if (v->type->kind == BLY_TYPE_REAL)
        folded->real = result.real;
    else
        folded->integer = result.integer;
    if (v->type->kind != BLY_TYPE_REAL || result.real == 0) return true;
    return isfinite(result.real) && fabs(result.real) >= (m.single ? (double)FLT_MIN : DBL_MIN);
}

uint32_t bly_atom_add(struct bly_atoms *list, const struct bly_atom *value)
{
    struct bly_atom folded;
    if (value->kind == BLY_ATOM_OPERATION && fold(list, value, &folded)) return add(list, &folded);
    return add(list, value);
}

uint32_t bly_atom_operation(struct bly_atoms *list, enum bly_expression_kind operation,
                            const struct bly_type *type, uint32_t a, uint32_t b, uint32_t c)
{
    const struct bly_atom v = {
        .kind = BLY_ATOM_OPERATION, .operation = operation, .type = type, .a = a, .b = b, .c = c};
    return bly_atom_add(list, &v);
}

uint32_t bly_atom_call(struct bly_atoms *list, const char *function, uint32_t a, uint32_t b, uint32_t c)
{
    const struct bly_atom v = {.kind = BLY_ATOM_OPERATION,
                               .operation = BLY_CALL,
                               .type = &bly_type_real,
                               .library = bly_library_find(function, strlen(function)),
                               .a = a,
                               .b = b,
                               .c = c};
    return bly_atom_add(list, &v);
}

/* An operation on flags that says the same as the selection: flags that code sets are read best so. */
static uint32_t select_flag(struct bly_atoms *list, uint32_t condition, uint32_t a, uint32_t b)
{
    int64_t x = -1, y = -1;
    if (!bly_atom_is_flag(list, condition, NULL) || list->values[a].type->kind != BLY_TYPE_INT) return 0;
    bly_atom_is_integer(list, a, &x);
    bly_atom_is_integer(list, b, &y);
    if (x == 1 && y == 0) return condition;
    if (x == 0 && y == 1) return bly_atom_operation(list, BLY_NOT, &bly_type_int, condition, 0, 0);
    if (x == 1 && bly_atom_is_flag(list, b, NULL))
        return bly_atom_operation(list, BLY_OR, &bly_type_int, condition, b, 0);
    if (y == 0 && bly_atom_is_flag(list, a, NULL))
        return bly_atom_operation(list, BLY_AND, &bly_type_int, condition, a, 0);
    return 0;
}

/* The value where a condition is known: there a selection by it has one side. */
static uint32_t side_of(const struct bly_atoms *list, uint32_t condition, uint32_t number, bool holds)
{
    for (;;) {
        const struct bly_atom *v = &list->values[number];
        if (v->kind != BLY_ATOM_OPERATION || v->operation != BLY_SELECT || v->a != condition) return number;
        number = holds ? v->b : v->c;
    }
}

uint32_t bly_atom_select(struct bly_atoms *list, uint32_t condition, uint32_t a, uint32_t b)
{
    int64_t known;
    if (a == b) return a;
    if (bly_atom_is_integer(list, condition, &known)) return known ? a : b;
    a = side_of(list, condition, a, true);
    b = side_of(list, condition, b, false);
    if (a == b) return a;
    const uint32_t flag = select_flag(list, condition, a, b);
    return flag ? flag : bly_atom_operation(list, BLY_SELECT, list->values[a].type, condition, a, b);
}

/* ---- As numbers ---------------------------------------------------------------------------------- */

static union bly_scalar leaf(const struct bly_atoms *list, uint32_t number, const struct bly_leaves *l,
                             const union bly_scalar *results)
{
    const struct bly_atom *v = &list->values[number];
    const union bly_scalar none = {0};
    switch (v->kind) {
    case BLY_ATOM_NUMBER:
        return v->type->kind == BLY_TYPE_REAL ? (union bly_scalar){.real = v->real}
                                              : (union bly_scalar){.integer = v->integer};
    case BLY_ATOM_STATE: return l->state ? l->state[v->number] : none;
    case BLY_ATOM_PARAM: {
        const uint64_t index = v->a ? (uint64_t)results[v->a].integer : 0;
        return l->params[v->number + (v->a && index < v->count ? index : 0)];
    }
    case BLY_ATOM_POINT: return (union bly_scalar){.real = l->x[v->number]};
    case BLY_ATOM_TIME: return (union bly_scalar){.real = v->number ? l->h : l->t};
    case BLY_ATOM_STEP: return (union bly_scalar){.integer = l->i};
    case BLY_ATOM_STATE_BAR: return (union bly_scalar){.real = l->state_bar[v->number]};
    case BLY_ATOM_PARAM_BAR: return (union bly_scalar){.real = l->param_bar[v->number]};
    case BLY_ATOM_FIXED_BAR: return (union bly_scalar){.real = l->fixed_bar[v->number]};
    case BLY_ATOM_WEIGHT: return (union bly_scalar){.real = 1};
    case BLY_ATOM_WIDTH: return (union bly_scalar){.real = l->widths ? l->widths[v->number] : 1};
    case BLY_ATOM_SIDE: return (union bly_scalar){.real = 0};
    case BLY_ATOM_SHARE: return (union bly_scalar){.real = 1};
    case BLY_ATOM_TURN: return (union bly_scalar){.real = l->turns[v->number]};
    case BLY_ATOM_CARRIED:
    case BLY_ATOM_LEFT:
    case BLY_ATOM_PATH: return l->others ? l->others[number] : none;
    default: return none;
    }
}

static union bly_scalar value_at(const struct bly_interpreter *m, const struct bly_atoms *list,
                                 const struct bly_leaves *leaves, uint32_t number,
                                 const union bly_scalar *results)
{
    const struct bly_atom *v = &list->values[number];
    const uint32_t operands[3] = {v->a, v->b, v->c};
    const struct bly_type *of[3] = {NULL, NULL, NULL};
    union bly_scalar x[3] = {{0}, {0}, {0}};
    if (v->kind != BLY_ATOM_OPERATION) return leaf(list, number, leaves, results);
    for (int k = 0; k < 3; k++) {
        if (!operands[k]) continue;
        of[k] = list->values[operands[k]].type;
        x[k] = results[operands[k]];
    }
    return operate(m, v, of, x);
}

void bly_list_evaluate(const struct bly_atoms *list, const struct bly_leaves *leaves,
                       union bly_scalar *results)
{
    const struct bly_interpreter m = arithmetic_of(list);
    for (uint32_t i = 1; i < list->count; i++) results[i] = value_at(&m, list, leaves, i, results);
}

void bly_list_evaluate_some(const struct bly_atoms *list, const struct bly_leaves *leaves,
                            const uint32_t *numbers, uint32_t count, uint32_t replaced, uint32_t by,
                            union bly_scalar *results)
{
    const struct bly_interpreter m = arithmetic_of(list);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = numbers[k];
        const struct bly_atom *other = &list->values[by];
        results[i] = value_at(&m, list, leaves, i, results);
        if (i == replaced)
            results[i] =
                other->kind == BLY_ATOM_OPERATION || other->a ? results[by] : leaf(list, by, leaves, results);
    }
}
