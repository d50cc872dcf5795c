/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Expressions, as the interpreter evaluates them: operands and arguments from left to right.
 *
 * Recursion is as deep as expressions in each other are, which the parser bounds, but for calls.
 */
#include "machine.h"

#include <math.h>

#include <string.h>

void bly_copy_cells(struct bly_cell *to, const struct bly_cell *from, uint32_t count)
{
    memmove(to, from, count * sizeof *to);
}

/* ---- Places -------------------------------------------------------------------------------------- */

static struct bly_cell *find_variable(struct bly_interpreter *m, const struct bly_variable *v)
{
    return (v->kind == BLY_VARIABLE_CONSTANT ? m->constants : m->frame) + v->cell;
}

/* The first element of an array, or what a pointer points to. */
static struct bly_cell *find_first(struct bly_interpreter *m, const struct bly_expression *a,
                                   uint32_t *extent)
{
    struct bly_cell *place = bly_locate(m, a);
    *extent = a->type->kind == BLY_TYPE_POINTER ? place->extent : a->type->count;
    return a->type->kind == BLY_TYPE_POINTER ? place->to : place;
}

/* An index, if it is below `count`; else 0, and the test has failed. */
static uint64_t tested_index(struct bly_interpreter *m, const struct bly_expression *e, struct bly_cell index,
                             uint64_t count)
{
    if ((uint64_t)index.integer < count) return (uint64_t)index.integer;
    bly_interpreter_fail(m, e->proved ? 0 : e->site, index.integer, e->place,
                         "an index is outside its array");
    return 0;
}

static struct bly_cell *find_element(struct bly_interpreter *m, const struct bly_expression *e)
{
    uint32_t extent;
    struct bly_cell *first = find_first(m, e->a, &extent);
    const uint32_t known = e->site ? m->unit->sites[e->site - 1].count : extent;
    uint64_t index = tested_index(m, e, bly_evaluate(m, e->b), known);
    if (index >= extent) {
        bly_interpreter_doubt(m, e->place, "an array is shorter than an index is tested for");
        index = 0;
    }
    return first + index * bly_cells(e->type);
}

static struct bly_cell *find_member(struct bly_interpreter *m, const struct bly_expression *e)
{
    uint32_t extent;
    struct bly_cell *record = find_first(m, e->a, &extent);
    return record + e->field->cell;
}

static struct bly_cell *call(struct bly_interpreter *m, const struct bly_expression *e);

struct bly_cell *bly_locate(struct bly_interpreter *m, const struct bly_expression *e)
{
    switch (e->kind) {
    case BLY_VARIABLE: return find_variable(m, e->variable);
    case BLY_MEMBER: return find_member(m, e);
    case BLY_INDEX: return find_element(m, e);
    case BLY_SELECT: return bly_locate(m, bly_is_true(bly_evaluate(m, e->a), e->a->type) ? e->b : e->c);
    case BLY_CONVERT: return bly_locate(m, e->a);
    default: return call(m, e);
    }
}

/* ---- Calls --------------------------------------------------------------------------------------- */

/* The value that a user's function returns: cells of its type. */
static struct bly_cell *call(struct bly_interpreter *m, const struct bly_expression *e)
{
    const struct bly_function *f = e->function;
    struct bly_cell *result = bly_pile_take(m, bly_cells(f->returns) + 1);
    const struct bly_pile_mark mark = bly_pile_mark(m);
    struct bly_cell *frame = bly_pile_take(m, f->cells);
    const struct bly_variable *parameter = f->parameters;
    for (const struct bly_expression *a = e->arguments; a; a = a->next, parameter = parameter->next)
        bly_evaluate_to(m, a, frame + parameter->cell);
    bly_run_function(m, f, frame, result);
    bly_pile_return(m, mark);
    return result;
}

/* A call of at() or time(): its step and dimension, tested in this order. For a motion the tick is tested
 * only where the dimension is: beyond the last at() is NaN, and time() that of the last. */
static struct bly_cell ask_path(struct bly_interpreter *m, const struct bly_expression *e)
{
    const struct bly_path_reader *path = m->given->path;
    const struct bly_expression *step = e->arguments->next, *dimension = step->next;
    const bool is_motion = m->unit->kind == BLY_UNIT_MOTION;
    const uint64_t steps = is_motion ? ((uint64_t)1 << m->unit->levels) + 1 : m->unit->steps;
    const struct bly_cell i = bly_evaluate(m, step);
    const struct bly_cell d = dimension ? bly_evaluate(m, dimension) : bly_integer_cell(0);
    const bool inside = (uint64_t)i.integer < steps, right = inside || (is_motion && e->proved),
               has = (uint64_t)d.integer < m->unit->dims;
    if (!right || !has)
        bly_interpreter_fail(m, e->proved ? 0 : e->site, right ? d.integer : i.integer, e->place,
                             "the path has no such step or dimension");
    if (right && !inside && dimension) return bly_real_cell(m, NAN);
    const uint64_t at = inside ? (uint64_t)i.integer : right ? steps - 1 : 0;
    const double value =
        dimension ? path->at(path->user, at, has ? (uint32_t)d.integer : 0) : path->time(path->user, at);
    return bly_real_cell(m, value);
}

#define MOST_ARGUMENTS 8

static struct bly_cell call_library(struct bly_interpreter *m, const struct bly_expression *e)
{
    double given[MOST_ARGUMENTS] = {0};
    uint32_t count = 0;
    for (const struct bly_expression *a = e->arguments; a && count < MOST_ARGUMENTS; a = a->next)
        given[count++] = bly_evaluate(m, a).real;
    return bly_real_cell(m, m->single ? bly_library_call_f32(e->library, given)
                                      : bly_library_call_f64(e->library, given));
}

static struct bly_cell evaluate_call(struct bly_interpreter *m, const struct bly_expression *e)
{
    if (e->library) return call_library(m, e);
    if (e->path_call != BLY_PATH_NO_CALL) return ask_path(m, e);
    return *call(m, e);
}

/* ---- Operators ----------------------------------------------------------------------------------- */

/* The value of an lvalue. */
static struct bly_cell read_place(struct bly_interpreter *m, const struct bly_expression *e)
{
    const struct bly_cell *cell = bly_locate(m, e);
    if (!cell->written) bly_interpreter_doubt(m, e->place, "it is read before it is written");
    return *cell;
}

static struct bly_cell test_divisor(struct bly_interpreter *m, const struct bly_expression *e,
                                    struct bly_cell b)
{
    if (b.integer == 0) bly_interpreter_fail(m, e->proved ? 0 : e->site, 0, e->place, "a divisor is 0");
    return b;
}

static struct bly_cell compute(struct bly_interpreter *m, const struct bly_expression *e)
{
    const bool divides = e->kind == BLY_DIVIDE || e->kind == BLY_REMAINDER;
    const struct bly_cell a = bly_evaluate(m, e->a);
    struct bly_cell b = bly_evaluate(m, e->b);
    bool wraps;
    if (divides && bly_is_integer(e->type)) b = test_divisor(m, e, b);
    const struct bly_cell result = bly_computed(m, e->kind, e->type, a, b, &wraps);
    /* A divisor is proved not to be 0, which the least number by -1 wraps around with. */
    if (wraps && e->proved && !divides) bly_interpreter_doubt(m, e->place, "a result does not fit its type");
    return result;
}

static struct bly_cell negate(struct bly_interpreter *m, const struct bly_expression *e)
{
    const struct bly_cell a = bly_evaluate(m, e->a);
    bool wraps;
    if (!bly_is_integer(e->type)) return bly_real_cell(m, -a.real);
    const struct bly_cell result = bly_computed(m, BLY_SUBTRACT, e->type, bly_integer_cell(0), a, &wraps);
    if (wraps && e->proved) bly_interpreter_doubt(m, e->place, "a result does not fit its type");
    return result;
}

static struct bly_cell flip(struct bly_interpreter *m, const struct bly_expression *e)
{
    bool wraps;
    return bly_computed(m, BLY_BIT_XOR, e->type, bly_evaluate(m, e->a), bly_integer_cell(-1), &wraps);
}

static struct bly_cell shift(struct bly_interpreter *m, const struct bly_expression *e)
{
    const struct bly_cell a = bly_evaluate(m, e->a), by = bly_evaluate(m, e->b);
    const uint64_t width = e->type->kind == BLY_TYPE_INT || e->type->kind == BLY_TYPE_UINT32 ? 32 : 64;
    if (e->proved && (uint64_t)by.integer >= width)
        bly_interpreter_doubt(m, e->place, "a number is shifted by its width or more");
    return bly_shifted(e->kind, e->type, a, by.integer);
}

static struct bly_cell compare(struct bly_interpreter *m, const struct bly_expression *e)
{
    const struct bly_cell a = bly_evaluate(m, e->a), b = bly_evaluate(m, e->b);
    return bly_integer_cell(bly_compared(e->kind, e->a->type, a, b));
}

/* && and ||: the second operand where the first does not decide. */
static struct bly_cell join(struct bly_interpreter *m, const struct bly_expression *e)
{
    const bool first = bly_is_true(bly_evaluate(m, e->a), e->a->type);
    if (first == (e->kind == BLY_OR)) return bly_integer_cell(first);
    return bly_integer_cell(bly_is_true(bly_evaluate(m, e->b), e->b->type));
}

static struct bly_cell convert(struct bly_interpreter *m, const struct bly_expression *e)
{
    const struct bly_cell from = bly_evaluate(m, e->a);
    const struct bly_cell to = bly_converted(m, from, e->a->type, e->type);
    static const struct bly_interpreter wide;
    if (e->proved && e->a->type->kind == BLY_TYPE_REAL && bly_is_integer(e->type)) {
        const double back = bly_converted(&wide, to, e->type, e->a->type).real;
        if (!(from.real - back < 1 && back - from.real < 1))
            bly_interpreter_doubt(m, e->place, "a real does not fit its integer");
    }
    return to;
}

static struct bly_cell point(struct bly_interpreter *m, const struct bly_expression *e)
{
    struct bly_cell pointer = {.written = true};
    pointer.to = bly_locate(m, e->a);
    pointer.extent = e->kind == BLY_DECAY ? e->a->type->count : 1;
    return pointer;
}

/* ---- Expressions --------------------------------------------------------------------------------- */

static struct bly_cell constant(struct bly_interpreter *m, const struct bly_expression *e)
{
    if (e->kind == BLY_NUMBER && e->type->kind == BLY_TYPE_REAL) return bly_real_cell(m, e->real);
    return bly_integer_cell(e->integer);
}

static struct bly_cell evaluate(struct bly_interpreter *m, const struct bly_expression *e)
{
    switch (e->kind) {
    case BLY_NUMBER:
    case BLY_SIZE: return constant(m, e);
    case BLY_VARIABLE:
    case BLY_MEMBER:
    case BLY_INDEX: return read_place(m, e);
    case BLY_NEGATE: return negate(m, e);
    case BLY_NOT: return bly_integer_cell(!bly_is_true(bly_evaluate(m, e->a), e->a->type));
    case BLY_FLIP: return flip(m, e);
    case BLY_SHIFT_LEFT:
    case BLY_SHIFT_RIGHT: return shift(m, e);
    case BLY_LESS:
    case BLY_LESS_EQUAL:
    case BLY_GREATER:
    case BLY_GREATER_EQUAL:
    case BLY_EQUAL:
    case BLY_UNEQUAL: return compare(m, e);
    case BLY_AND:
    case BLY_OR: return join(m, e);
    case BLY_SELECT: return bly_evaluate(m, bly_is_true(bly_evaluate(m, e->a), e->a->type) ? e->b : e->c);
    case BLY_CONVERT: return convert(m, e);
    case BLY_CALL: return evaluate_call(m, e);
    case BLY_ADDRESS:
    case BLY_DECAY: return point(m, e);
    default: return compute(m, e);
    }
}

/* Whether an integer is where ranges.c says that it is; a range of 0 alone is none. */
static bool is_in_range(const struct bly_expression *e, struct bly_cell cell)
{
    const struct bly_int_range *r = &e->range;
    if (!bly_is_integer(e->type) || (r->low == 0 && r->high == 0)) return true;
    if (e->type->kind == BLY_TYPE_UINT64 && cell.integer < 0) return r->high == INT64_MAX;
    return r->low <= cell.integer && cell.integer <= r->high;
}

struct bly_cell bly_evaluate(struct bly_interpreter *m, const struct bly_expression *e)
{
    if (e == m->seen) return m->seen_value;
    if (m->depth >= BLY_MOST_EVALUATED) m->too_deep = true;
    if (m->too_deep) return bly_integer_cell(0);
    m->depth++;
    const struct bly_cell cell = evaluate(m, e);
    m->depth--;
    if (!is_in_range(e, cell)) bly_interpreter_doubt(m, e->place, "a number is outside of the range found");
    return cell;
}

void bly_evaluate_to(struct bly_interpreter *m, const struct bly_expression *e, struct bly_cell *to)
{
    if (e->type->kind == BLY_TYPE_RECORD)
        bly_copy_cells(to, bly_locate(m, e), bly_cells(e->type));
    else if (e->type->kind != BLY_TYPE_PATH)
        *to = bly_evaluate(m, e);
}
