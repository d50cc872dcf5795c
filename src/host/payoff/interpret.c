/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Statements and functions, as the interpreter runs them.
 */
#include "machine.h"

#include <string.h>

/* Writes a value that is given, of which what is missing is 0. */
static void write_initial(struct bly_interpreter *m, const struct bly_type *type,
                          const struct bly_initial *initial, struct bly_cell *to);

static void write_elements(struct bly_interpreter *m, const struct bly_type *type,
                           const struct bly_initial *list, struct bly_cell *to)
{
    const uint32_t each = bly_cells(type->of);
    for (uint32_t i = 0; i < type->count; i++) {
        write_initial(m, type->of, list, to + i * each);
        if (list) list = list->next;
    }
}

static void write_fields(struct bly_interpreter *m, const struct bly_type *type,
                         const struct bly_initial *list, struct bly_cell *to)
{
    for (const struct bly_field_node *f = type->record->fields; f; f = f->next) {
        write_initial(m, f->type, list, to + f->cell);
        if (list) list = list->next;
    }
}

static void write_initial(struct bly_interpreter *m, const struct bly_type *type,
                          const struct bly_initial *initial, struct bly_cell *to)
{
    if (initial && initial->value)
        bly_evaluate_to(m, initial->value, to);
    else if (type->kind == BLY_TYPE_ARRAY)
        write_elements(m, type, initial ? initial->list : NULL, to);
    else if (type->kind == BLY_TYPE_RECORD)
        write_fields(m, type, initial ? initial->list : NULL, to);
    else if (initial && initial->list)
        write_initial(m, type, initial->list, to);
    else
        *to = type->kind == BLY_TYPE_REAL ? bly_real_cell(m, 0) : bly_integer_cell(0);
}

/* Without a value its variable is not written, or zero if it is `zeroed`. */
static void declare(struct bly_interpreter *m, const struct bly_variable *variable,
                    const struct bly_initial *initial, struct bly_cell *to)
{
    if (initial || variable->zeroed)
        write_initial(m, variable->type, initial, to);
    else
        memset(to, 0, bly_cells(variable->type) * sizeof *to);
}

enum flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN };

static enum flow run(struct bly_interpreter *m, const struct bly_statement *s);

/* ---- Assignments --------------------------------------------------------------------------------- */

/* += and so on: the target is found once, before the value. */
static void assign_seen(struct bly_interpreter *m, const struct bly_statement *s)
{
    const struct bly_expression *before = m->seen;
    const struct bly_cell value_before = m->seen_value;
    struct bly_cell *target = bly_locate(m, s->target);
    if (!target->written) bly_interpreter_doubt(m, s->target->place, "it is read before it is written");
    m->seen = s->seen;
    m->seen_value = *target;
    const struct bly_cell value = bly_evaluate(m, s->value);
    m->seen = before;
    m->seen_value = value_before;
    *target = value;
}

/* = has its value before its target is found, as a call may write what the target's indices read. */
static void assign(struct bly_interpreter *m, const struct bly_statement *s)
{
    if (s->seen) {
        assign_seen(m, s);
        return;
    }
    const uint32_t cells = bly_cells(s->value->type);
    struct bly_cell *value = bly_pile_take(m, cells);
    bly_evaluate_to(m, s->value, value);
    bly_copy_cells(bly_locate(m, s->target), value, cells);
}

/* ---- Loops --------------------------------------------------------------------------------------- */

static bool is_condition(struct bly_interpreter *m, const struct bly_expression *e)
{
    const struct bly_pile_mark mark = bly_pile_mark(m);
    const bool condition = !e || bly_is_true(bly_evaluate(m, e), e->type);
    bly_pile_return(m, mark);
    return condition;
}

/* Whether a loop goes round once more, of `trips` that it has taken. */
static bool is_trip_left(struct bly_interpreter *m, const struct bly_statement *s, uint64_t trips)
{
    if (bly_is_stopped(m)) return false;
    if (s->site) {
        if (m->trips-- > 0) return true;
        m->trips = 0;
        bly_interpreter_fail(m, s->site, 0, s->place, "");
        return false;
    }
    if (trips < (s->bounded ? s->trips : BLY_DEFAULT_LOOP_BUDGET)) return true;
    bly_interpreter_doubt(m, s->place, "a loop takes more trips than it can");
    return false;
}

static enum flow run_loop(struct bly_interpreter *m, const struct bly_statement *s)
{
    enum flow flow = run(m, s->first);
    for (uint64_t trips = 0; flow == FLOW_NEXT && is_condition(m, s->condition); trips++) {
        if (!is_trip_left(m, s, trips)) break;
        flow = run(m, s->body);
        if (flow == FLOW_BREAK) return FLOW_NEXT;
        if (flow == FLOW_RETURN) return flow;
        flow = run(m, s->each);
    }
    return flow;
}

static enum flow run_do(struct bly_interpreter *m, const struct bly_statement *s)
{
    uint64_t trips = 0;
    do {
        if (!is_trip_left(m, s, trips++)) return FLOW_NEXT;
        const enum flow flow = run(m, s->body);
        if (flow == FLOW_BREAK) return FLOW_NEXT;
        if (flow == FLOW_RETURN) return flow;
    } while (is_condition(m, s->condition));
    return FLOW_NEXT;
}

/* ---- Statements ---------------------------------------------------------------------------------- */

/* The CASE of a value, or the default, or NULL. */
static const struct bly_statement *find_case(const struct bly_statement *s, int64_t value)
{
    const struct bly_statement *other = NULL;
    for (const struct bly_statement *c = s->body->body; c; c = c->next) {
        if (c->kind != BLY_CASE) continue;
        if (!c->labelled)
            other = c;
        else if (c->label == value)
            return c;
    }
    return other;
}

static enum flow run_switch(struct bly_interpreter *m, const struct bly_statement *s)
{
    const struct bly_pile_mark mark = bly_pile_mark(m);
    const int64_t value = bly_evaluate(m, s->condition).integer;
    bly_pile_return(m, mark);
    const enum flow flow = run(m, find_case(s, value));
    return flow == FLOW_BREAK ? FLOW_NEXT : flow;
}

static enum flow run_if(struct bly_interpreter *m, const struct bly_statement *s)
{
    return run(m, is_condition(m, s->condition) ? s->body : s->otherwise);
}

static enum flow give_result(struct bly_interpreter *m, const struct bly_statement *s)
{
    if (s->value) bly_evaluate_to(m, s->value, m->result);
    return FLOW_RETURN;
}

/* A call whose result is not used, of any type. */
static void evaluate_call(struct bly_interpreter *m, const struct bly_expression *e)
{
    if (e->function)
        bly_locate(m, e);
    else
        bly_evaluate(m, e);
}

static enum flow run_one(struct bly_interpreter *m, const struct bly_statement *s)
{
    switch (s->kind) {
    case BLY_BLOCK: return run(m, s->body);
    case BLY_DECLARE: declare(m, s->variable, s->initial, m->frame + s->variable->cell); return FLOW_NEXT;
    case BLY_ASSIGN: assign(m, s); return FLOW_NEXT;
    case BLY_EVALUATE: evaluate_call(m, s->value); return FLOW_NEXT;
    case BLY_IF: return run_if(m, s);
    case BLY_LOOP: return run_loop(m, s);
    case BLY_DO: return run_do(m, s);
    case BLY_SWITCH: return run_switch(m, s);
    case BLY_BREAK: return FLOW_BREAK;
    case BLY_CONTINUE: return FLOW_CONTINUE;
    case BLY_RETURN: return give_result(m, s);
    default: return FLOW_NEXT;
    }
}

/* A statement and those after it. */
static enum flow run(struct bly_interpreter *m, const struct bly_statement *s)
{
    enum flow flow = FLOW_NEXT;
    if (m->depth >= BLY_MOST_EVALUATED) m->too_deep = true;
    m->depth++;
    for (; s && flow == FLOW_NEXT && !bly_is_stopped(m); s = s->next) {
        const struct bly_pile_mark mark = bly_pile_mark(m);
        flow = run_one(m, s);
        bly_pile_return(m, mark);
    }
    m->depth--;
    return flow;
}

/* ---- Functions ----------------------------------------------------------------------------------- */

void bly_run_function(struct bly_interpreter *m, const struct bly_function *f, struct bly_cell *frame,
                      struct bly_cell *result)
{
    struct bly_cell *frame_before = m->frame, *result_before = m->result;
    const struct bly_expression *seen_before = m->seen;
    m->frame = frame;
    m->result = result;
    m->seen = NULL;
    run(m, f->body);
    m->frame = frame_before;
    m->result = result_before;
    m->seen = seen_before;
}

static struct bly_cell pointer_to(struct bly_cell *to, uint32_t extent)
{
    return (struct bly_cell){.to = to, .extent = extent, .written = true};
}

/* Cells of reals that are given. */
static struct bly_cell *take_reals(struct bly_interpreter *m, const double *values, uint32_t count)
{
    struct bly_cell *cells = bly_pile_take(m, count);
    for (uint32_t i = 0; i < count && !bly_is_stopped(m); i++) cells[i] = bly_real_cell(m, values[i]);
    return cells;
}

/* How far the parameters of a call have been given. */
struct taken {
    uint32_t reals, noises;
    struct bly_cell *out;
};

static struct bly_cell give_record(struct bly_interpreter *m, const struct bly_record *record,
                                   struct taken *taken)
{
    if (record->kind == BLY_RECORD_PARAMS) return pointer_to(m->params, 1);
    if (record->kind == BLY_RECORD_STATE) return pointer_to(m->state, 1);
    const uint32_t count = bly_cells(record->type);
    return pointer_to(take_reals(m, m->given->noise[taken->noises++], count), 1);
}

/* x[], which is constant, or out[]. */
static struct bly_cell give_array(struct bly_interpreter *m, const struct bly_type *type, struct taken *taken)
{
    if (type->constant) {
        const uint32_t count = m->unit->dims + m->unit->own;
        return pointer_to(take_reals(m, m->given->x, count), count);
    }
    taken->out = bly_pile_take(m, m->unit->outputs);
    for (uint32_t i = 0; i < m->unit->outputs && !bly_is_stopped(m); i++) taken->out[i] = bly_real_cell(m, 0);
    return pointer_to(taken->out, m->unit->outputs);
}

/* Parameters of start, step and so on are recognised by their types: those of a kind come in one order. */
static struct bly_cell give(struct bly_interpreter *m, const struct bly_type *type, struct taken *taken)
{
    if (type->kind == BLY_TYPE_POINTER && type->of->kind == BLY_TYPE_RECORD)
        return give_record(m, type->of->record, taken);
    if (type->kind == BLY_TYPE_POINTER) return give_array(m, type, taken);
    if (type->kind == BLY_TYPE_REAL) return bly_real_cell(m, taken->reals++ ? m->given->h : m->given->t);
    return bly_integer_cell(m->given->number);
}

void bly_interpreter_call(struct bly_interpreter *m, const struct bly_function *f,
                          const struct bly_given *given)
{
    if (!f || bly_is_stopped(m)) return;
    const struct bly_pile_mark mark = bly_pile_mark(m);
    struct bly_cell *frame = bly_pile_take(m, f->cells), result;
    struct taken taken = {0};
    m->given = given;
    m->trips = m->unit->loop_budget ? m->unit->loop_budget : BLY_DEFAULT_LOOP_BUDGET;
    for (const struct bly_variable *v = f->parameters; v && !bly_is_stopped(m); v = v->next)
        frame[v->cell] = give(m, v->type, &taken);
    bly_run_function(m, f, frame, &result);
    for (uint32_t i = 0; taken.out && i < m->unit->outputs && !bly_is_stopped(m); i++)
        given->out[i] = taken.out[i].real;
    bly_pile_return(m, mark);
}

/* ---- Its beginning ------------------------------------------------------------------------------- */

/* Parameters are 0 until they are set. */
static void write_constants(struct bly_interpreter *m)
{
    static const struct bly_given nothing;
    m->given = &nothing;
    if (m->unit->params) write_fields(m, m->unit->params->type, NULL, m->params);
    for (const struct bly_variable *v = m->unit->constants; v; v = v->next)
        declare(m, v, v->initial, m->constants + v->cell);
}

bailey_status bly_interpreter_create(struct bly_unit *unit, struct bly_interpreter **interpreter)
{
    bailey_status status = bly_machine_create(unit, interpreter);
    if (status != BAILEY_OK) return status;
    write_constants(*interpreter);
    status = bly_interpreter_status(*interpreter);
    if (status == BAILEY_OK) return status;
    bly_interpreter_destroy(*interpreter);
    *interpreter = NULL;
    return status;
}

void bly_interpreter_begin(struct bly_interpreter *m)
{
    m->failure = (struct bly_failure){0};
    memset(m->state, 0, m->state_count * sizeof *m->state);
    if (m->unit->state && m->unit->zeroes_state) write_fields(m, m->unit->state->type, NULL, m->state);
}
