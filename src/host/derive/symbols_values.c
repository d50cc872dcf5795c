/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Expressions on symbols, in the order in which the interpreter evaluates them.
 */
#include "symbols.h"

#include <host/payoff/machine.h>

#define MOST_CHOICES 64u /* elements that an index which is not known may mean, of what is not params */

/* ---- Places -------------------------------------------------------------------------------------- */

static struct bly_symbol_place one_place(struct bly_symbols *m, struct bly_symbol_cell *cell)
{
    struct bly_symbol_place place = {.count = 1};
    place.cells = bly_symbols_take(m, sizeof *place.cells);
    place.conditions = bly_symbols_take(m, sizeof *place.conditions);
    place.cells[0] = cell;
    return place;
}

static bool is_of_params(const struct bly_symbols *m, const struct bly_symbol_cell *cell)
{
    return cell >= m->params && cell < m->params + m->param_count;
}

/* An element of params, whose arrays have no arrays within. */
static struct bly_symbol_place param_place(struct bly_symbols *m, struct bly_symbol_cell *first,
                                           uint32_t extent, uint32_t index)
{
    struct bly_symbol_place place = one_place(m, first);
    const struct bly_type *type = m->list->values[index].type;
    place.index = bly_symbols_guarded(m, index, bly_atom_integer(m->list, type, 0));
    place.elements = extent;
    return place;
}

/* Each element of each place, by the comparison of the index with its number. */
static struct bly_symbol_place choices(struct bly_symbols *m, const struct bly_symbol_place *of,
                                       const struct bly_expression *e, uint32_t extent, uint32_t index)
{
    const uint32_t count = of->count * extent, each = bly_cells(e->type);
    const struct bly_type *type = m->list->values[index].type;
    if (count > MOST_CHOICES)
        bly_symbols_refuse(m, e->place,
                           "it indexes %u numbers by what is only known at run time (at most %u)", count,
                           MOST_CHOICES);
    struct bly_symbol_place place = {.count = 0};
    place.cells = bly_symbols_take(m, count * sizeof *place.cells);
    place.conditions = bly_symbols_take(m, count * sizeof *place.conditions);
    for (uint32_t k = 0; k < of->count; k++)
        for (uint32_t i = 0; i < extent; i++) {
            const uint32_t is = bly_atom_operation(m->list, BLY_EQUAL, &bly_type_int, index,
                                                   bly_atom_integer(m->list, type, (int64_t)i), 0);
            const uint32_t both = k + 1 < of->count ? bly_atom_operation(m->list, BLY_AND, &bly_type_int,
                                                                         of->conditions[k], is, 0)
                                                    : is;
            place.cells[place.count] = of->cells[k] + (size_t)i * each;
            place.conditions[place.count++] = both;
        }
    place.conditions[place.count - 1] = 0;
    return place;
}

static struct bly_symbol_place element(struct bly_symbols *m, const struct bly_expression *e)
{
    struct bly_symbol_place of = bly_symbols_locate(m, e->a);
    const bool points = e->a->type->kind == BLY_TYPE_POINTER;
    if (points) {
        const uint32_t extent = of.cells[0]->extent;
        of = one_place(m, of.cells[0]->to);
        of.elements = extent;
    }
    const uint32_t extent = points ? of.elements : e->a->type->count, index = bly_symbols_evaluate(m, e->b);
    int64_t known;
    of.elements = 0;
    if (!bly_atom_is_integer(m->list, index, &known))
        return is_of_params(m, of.cells[0]) ? param_place(m, of.cells[0], extent, index)
                                            : choices(m, &of, e, extent, index);
    if (known < 0 || known >= (int64_t)extent) known = 0; /* it has failed, or is not come to */
    for (uint32_t k = 0; k < of.count; k++) of.cells[k] += (size_t)known * bly_cells(e->type);
    return of;
}

static struct bly_symbol_place member(struct bly_symbols *m, const struct bly_expression *e)
{
    struct bly_symbol_place of = bly_symbols_locate(m, e->a);
    if (e->a->type->kind == BLY_TYPE_POINTER) of = one_place(m, of.cells[0]->to);
    for (uint32_t k = 0; k < of.count; k++) of.cells[k] += e->field->cell;
    return of;
}

/* A record that is not in one place, as one. */
static struct bly_symbol_place copied(struct bly_symbols *m, const struct bly_expression *e)
{
    struct bly_symbol_cell *cells = bly_symbols_cells(m, bly_cells(e->type));
    bly_symbols_evaluate_to(m, e, cells);
    return one_place(m, cells);
}

struct bly_symbol_place bly_symbols_locate(struct bly_symbols *m, const struct bly_expression *e)
{
    switch (e->kind) {
    case BLY_VARIABLE:
        return one_place(m, (e->variable->kind == BLY_VARIABLE_CONSTANT ? m->constants : m->frame) +
                                e->variable->cell);
    case BLY_MEMBER: return member(m, e);
    case BLY_INDEX: return element(m, e);
    case BLY_CONVERT: return bly_symbols_locate(m, e->a);
    case BLY_SELECT: return copied(m, e);
    default: return one_place(m, bly_symbols_call(m, e));
    }
}

/* A number that is not written where it may be read is never come to; any will do. */
static uint32_t read_cell(struct bly_symbols *m, const struct bly_symbol_cell *cell,
                          const struct bly_type *type)
{
    if (cell->value) return cell->value;
    return type->kind == BLY_TYPE_REAL ? bly_atom_real(m->list, 0) : bly_atom_integer(m->list, type, 0);
}

uint32_t bly_symbols_read(struct bly_symbols *m, const struct bly_symbol_place *place, uint32_t cell,
                          const struct bly_type *type, struct bly_place where)
{
    if (place->index) {
        const struct bly_atom v = {.kind = BLY_ATOM_PARAM,
                                   .type = type,
                                   .a = place->index,
                                   .number = (uint32_t)(place->cells[0] - m->params),
                                   .count = place->elements,
                                   .place = where};
        return bly_atom_add(m->list, &v);
    }
    uint32_t value = read_cell(m, place->cells[place->count - 1] + cell, type);
    for (uint32_t k = place->count - 1; k-- > 0;)
        value =
            bly_atom_select(m->list, place->conditions[k], read_cell(m, place->cells[k] + cell, type), value);
    return value;
}

/* ---- Calls --------------------------------------------------------------------------------------- */

static void give(struct bly_symbols *m, const struct bly_expression *argument, struct bly_symbol_cell *to)
{
    if (argument->type->kind != BLY_TYPE_POINTER) {
        bly_symbols_evaluate_to(m, argument, to);
        return;
    }
    const bool is_value = argument->kind != BLY_ADDRESS && argument->kind != BLY_DECAY;
    const struct bly_symbol_place place = bly_symbols_locate(m, is_value ? argument : argument->a);
    if (place.count > 1 || place.index)
        bly_symbols_refuse(m, argument->place,
                           "it takes a pointer to an element whose index is only known at run time");
    if (is_value) {
        to->to = place.cells[0]->to;
        to->extent = place.cells[0]->extent;
    } else {
        to->to = place.cells[0];
        to->extent = argument->kind == BLY_DECAY ? argument->a->type->count : 1;
    }
}

struct bly_symbol_cell *bly_symbols_call(struct bly_symbols *m, const struct bly_expression *e)
{
    const struct bly_function *f = e->function;
    struct bly_symbol_cell *result = bly_symbols_cells(m, bly_cells(f->returns) + 1);
    struct bly_symbol_cell *frame = bly_symbols_cells(m, f->cells + 1);
    const struct bly_variable *parameter = f->parameters;
    for (const struct bly_expression *a = e->arguments; a; a = a->next, parameter = parameter->next)
        give(m, a, frame + parameter->cell);
    bly_symbols_function(m, f, frame, result);
    return result;
}

/* Calls that are not come to ask for step and dimension 0. */
static uint32_t ask_path(struct bly_symbols *m, const struct bly_expression *e)
{
    const struct bly_expression *step = e->arguments->next, *dimension = step->next;
    const uint32_t i = bly_symbols_evaluate(m, step), d = dimension ? bly_symbols_evaluate(m, dimension) : 0;
    const struct bly_atom v = {
        .kind = BLY_ATOM_PATH,
        .type = &bly_type_real,
        .a = bly_symbols_guarded(m, i, bly_atom_integer(m->list, m->list->values[i].type, 0)),
        .b = d ? bly_symbols_guarded(m, d, bly_atom_integer(m->list, m->list->values[d].type, 0)) : 0,
        .number = (uint32_t)e->path_call,
        .place = e->place};
    return bly_atom_add(m->list, &v);
}

static uint32_t call(struct bly_symbols *m, const struct bly_expression *e)
{
    if (e->path_call != BLY_PATH_NO_CALL) return ask_path(m, e);
    if (!e->library) {
        const struct bly_symbol_cell *result = bly_symbols_call(m, e);
        return e->type->kind == BLY_TYPE_VOID ? 0 : read_cell(m, result, e->type);
    }
    uint32_t given[3] = {0}, count = 0;
    for (const struct bly_expression *a = e->arguments; a && count < 3; a = a->next)
        given[count++] = bly_symbols_evaluate(m, a);
    const struct bly_atom v = {.kind = BLY_ATOM_OPERATION,
                               .operation = BLY_CALL,
                               .type = &bly_type_real,
                               .library = e->library,
                               .a = given[0],
                               .b = given[1],
                               .c = given[2],
                               .place = e->place};
    return bly_atom_add(m->list, &v);
}

/* ---- Operators ----------------------------------------------------------------------------------- */

static uint32_t operation(struct bly_symbols *m, const struct bly_expression *e, uint32_t a, uint32_t b,
                          uint32_t c)
{
    const struct bly_atom v = {.kind = BLY_ATOM_OPERATION,
                               .operation = e->kind,
                               .type = e->type,
                               .a = a,
                               .b = b,
                               .c = c,
                               .place = e->place};
    return bly_atom_add(m->list, &v);
}

/* Whatever a branch that is not come to divides by, it is not 0. */
static uint32_t divisor(struct bly_symbols *m, const struct bly_expression *e, uint32_t b)
{
    const bool divides = e->kind == BLY_DIVIDE || e->kind == BLY_REMAINDER;
    if (!divides || !bly_is_integer(e->type)) return b;
    return bly_symbols_guarded(m, b, bly_atom_integer(m->list, e->type, 1));
}

/* x != 0 of what is 0 or 1 is x. */
static uint32_t truth(struct bly_symbols *m, const struct bly_expression *e)
{
    const uint32_t a = bly_symbols_evaluate(m, e);
    return a;
}

/* && and ||: the second operand where the first does not decide. */
static uint32_t join(struct bly_symbols *m, const struct bly_expression *e)
{
    const bool is_or = e->kind == BLY_OR;
    const uint32_t a = truth(m, e->a);
    struct bly_fork fork;
    int64_t known;
    if (bly_atom_is_integer(m->list, a, &known) && (known != 0) == is_or)
        return bly_atom_integer(m->list, &bly_type_int, is_or);
    if (bly_atom_is_integer(m->list, a, &known)) {
        const uint32_t b = truth(m, e->b);
        if (bly_atom_is_flag(m->list, b, NULL)) return b;
        return bly_atom_operation(m->list, BLY_UNEQUAL, &bly_type_int, b,
                                  bly_atom_integer(m->list, m->list->values[b].type, 0), 0);
    }
    bly_fork_begin(m, &fork, a);
    if (is_or) bly_fork_otherwise(m, &fork);
    const uint32_t b = truth(m, e->b);
    if (!is_or) bly_fork_otherwise(m, &fork);
    bly_fork_end(m, &fork);
    return operation(m, e, a, b, 0);
}

/* One side or both. */
static void select_to(struct bly_symbols *m, const struct bly_expression *e, struct bly_symbol_cell *to)
{
    const uint32_t condition = bly_symbols_evaluate(m, e->a);
    struct bly_fork fork;
    int64_t known;
    if (bly_atom_is_integer(m->list, condition, &known)) {
        bly_symbols_evaluate_to(m, known ? e->b : e->c, to);
        return;
    }
    bly_fork_begin(m, &fork, condition);
    bly_symbols_evaluate_to(m, e->b, to);
    bly_fork_otherwise(m, &fork);
    bly_symbols_evaluate_to(m, e->c, to);
    bly_fork_end(m, &fork);
}

static uint32_t select_one(struct bly_symbols *m, const struct bly_expression *e)
{
    struct bly_symbol_cell *cell = bly_symbols_cells(m, 1);
    select_to(m, e, cell);
    return read_cell(m, cell, e->type);
}

static uint32_t two(struct bly_symbols *m, const struct bly_expression *e)
{
    const uint32_t a = bly_symbols_evaluate(m, e->a), b = bly_symbols_evaluate(m, e->b);
    return operation(m, e, a, divisor(m, e, b), 0);
}

static uint32_t place_value(struct bly_symbols *m, const struct bly_expression *e)
{
    const struct bly_symbol_place place = bly_symbols_locate(m, e);
    return bly_symbols_read(m, &place, 0, e->type, e->place);
}

uint32_t bly_symbols_evaluate(struct bly_symbols *m, const struct bly_expression *e)
{
    if (e == m->seen) return m->seen_value;
    if (m->list->no_memory || m->list->too_long) bly_symbols_full(m);
    switch (e->kind) {
    case BLY_NUMBER:
        if (e->type->kind == BLY_TYPE_REAL) return bly_atom_real(m->list, e->real);
        return bly_atom_integer(m->list, e->type, e->integer);
    case BLY_SIZE: return bly_atom_integer(m->list, e->type, e->integer);
    case BLY_VARIABLE:
    case BLY_MEMBER:
    case BLY_INDEX: return place_value(m, e);
    case BLY_NEGATE:
    case BLY_NOT:
    case BLY_FLIP:
    case BLY_CONVERT: return operation(m, e, bly_symbols_evaluate(m, e->a), 0, 0);
    case BLY_AND:
    case BLY_OR: return join(m, e);
    case BLY_SELECT: return select_one(m, e);
    case BLY_CALL: return call(m, e);
    default: return two(m, e);
    }
}

void bly_symbols_evaluate_to(struct bly_symbols *m, const struct bly_expression *e,
                             struct bly_symbol_cell *to)
{
    if (e->type->kind != BLY_TYPE_RECORD) {
        if (e->type->kind != BLY_TYPE_PATH) bly_symbols_write(m, to, bly_symbols_evaluate(m, e));
        return;
    }
    if (e->kind == BLY_SELECT) {
        select_to(m, e, to);
        return;
    }
    const struct bly_symbol_place place = bly_symbols_locate(m, e);
    const uint32_t cells = bly_cells(e->type);
    uint32_t *values = bly_symbols_take(m, (cells + 1) * sizeof *values);
    for (uint32_t i = 0; i < cells; i++)
        values[i] = bly_symbols_read(m, &place, i, bly_symbols_type(e->type, i), e->place);
    for (uint32_t i = 0; i < cells; i++) bly_symbols_write(m, to + i, values[i]);
}
