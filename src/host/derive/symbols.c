/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Statements on symbols. A branch whose condition is not known runs both sides, one after the other, on what
 * was there before: the trail notes what a side has written, and a selection joins the two. break, continue
 * and return set flags, which are joined in the same way; what follows runs where none is set.
 *
 * A loop that stays one runs once on symbols: cells that it writes are unknown as a round begins, and carried
 * from round to round. Which cells these are is found by running it, until no other is written.
 */
#include "symbols.h"

#include <host/payoff/machine.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MOST_TRIPS 65536u /* of all loops of a function */
#define FEW_TRIPS 2u      /* of a loop that is unrolled in any case */

/* ---- Memory and refusals ------------------------------------------------------------------------- */

_Noreturn void bly_symbols_refuse(struct bly_symbols *m, struct bly_place place, const char *format, ...)
{
    char what[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    bly_refuse_at(m->unit, place, "cannot be differentiated: %s", what);
    m->status = BAILEY_ERROR_UNSUPPORTED;
    longjmp(m->stopped, 1);
}

_Noreturn void bly_symbols_full(struct bly_symbols *m)
{
    m->status = bly_list_full(m->list);
    longjmp(m->stopped, 1);
}

void *bly_symbols_take(struct bly_symbols *m, size_t bytes)
{
    void *taken = bly_arena_take(m->list->arena, bytes ? bytes : 1);
    if (!taken) bly_symbols_full(m);
    return taken;
}

struct bly_symbol_cell *bly_symbols_cells(struct bly_symbols *m, size_t count)
{
    struct bly_symbol_cell *cells = bly_symbols_take(m, count * sizeof *cells);
    for (size_t k = 0; k < count; k++) cells[k].born = m->stamp;
    return cells;
}

/* ---- Branches ------------------------------------------------------------------------------------ */

static void note(struct bly_symbols *m, struct bly_symbol_cell *cell)
{
    if (m->trail_count == m->trail_size) {
        const uint32_t size = m->trail_size ? 2 * m->trail_size : 256;
        struct bly_symbol_note *trail = bly_symbols_take(m, size * sizeof *trail);
        if (m->trail_count) memcpy(trail, m->trail, m->trail_count * sizeof *trail);
        m->trail = trail;
        m->trail_size = size;
    }
    m->trail[m->trail_count++] = (struct bly_symbol_note){cell, cell->value, cell->stamp};
    cell->stamp = m->stamp;
}

void bly_symbols_write(struct bly_symbols *m, struct bly_symbol_cell *cell, uint32_t value)
{
    if (m->fork && cell->stamp != m->stamp) note(m, cell);
    cell->value = value;
}

static void begin_side(struct bly_symbols *m, const struct bly_fork *fork)
{
    m->stamp = ++m->stamps;
    m->list->region = fork->region_before;
    m->list->region = bly_region_of(m->list, fork->condition, !fork->otherwise);
}

/* Gives cells what they were before the side, and the notes what it has written. */
static void undo(struct bly_symbols *m, uint32_t from)
{
    for (uint32_t k = m->trail_count; k-- > from;) {
        struct bly_symbol_note *n = &m->trail[k];
        const uint32_t value = n->cell->value;
        n->cell->value = n->value;
        n->cell->stamp = n->stamp;
        n->value = value;
    }
}

void bly_fork_begin(struct bly_symbols *m, struct bly_fork *fork, uint32_t condition)
{
    *fork = (struct bly_fork){.outer = m->fork,
                              .condition = condition,
                              .stamp_before = m->stamp,
                              .region_before = m->list->region,
                              .notes = m->trail_count};
    m->fork = fork;
    begin_side(m, fork);
}

void bly_fork_otherwise(struct bly_symbols *m, struct bly_fork *fork)
{
    undo(m, fork->notes);
    fork->first = fork->notes;
    fork->count = m->trail_count - fork->notes;
    fork->otherwise = true;
    begin_side(m, fork);
}

static void join(struct bly_symbols *m, const struct bly_fork *fork, struct bly_symbol_cell *cell,
                 uint32_t first, uint32_t second)
{
    const uint32_t joined = !first    ? second
                            : !second ? first
                                      : bly_atom_select(m->list, fork->condition, first, second);
    if (joined != cell->value) bly_symbols_write(m, cell, joined);
}

/* In the order in which the sides have written first. */
void bly_fork_end(struct bly_symbols *m, struct bly_fork *fork)
{
    const uint32_t second = fork->first + fork->count, count = m->trail_count - second;
    struct bly_symbol_note *notes = bly_symbols_take(m, (fork->count + count + 1) * sizeof *notes);
    undo(m, second);
    if (fork->count + count) memcpy(notes, m->trail + fork->first, (fork->count + count) * sizeof *notes);
    m->trail_count = fork->notes;
    m->stamp = fork->stamp_before;
    m->fork = fork->outer;
    m->list->region = fork->region_before;
    for (uint32_t k = 0; k < count; k++) notes[fork->count + k].cell->mark = k + 1;
    for (uint32_t k = 0; k < fork->count; k++) {
        struct bly_symbol_cell *cell = notes[k].cell;
        const uint32_t other = cell->mark ? notes[fork->count + cell->mark - 1].value : cell->value;
        cell->mark = 0;
        notes[k].stamp = 1;
        join(m, fork, cell, notes[k].value, other);
    }
    for (uint32_t k = 0; k < count; k++) {
        struct bly_symbol_cell *cell = notes[fork->count + k].cell;
        if (!cell->mark) continue;
        cell->mark = 0;
        join(m, fork, cell, cell->value, notes[fork->count + k].value);
    }
}

uint32_t bly_symbols_guarded(struct bly_symbols *m, uint32_t value, uint32_t otherwise)
{
    int64_t known;
    if (bly_atom_is_integer(m->list, value, &known)) return value;
    for (const struct bly_fork *f = m->fork; f; f = f->outer)
        if (!f->is_round)
            value = f->otherwise ? bly_atom_select(m->list, f->condition, otherwise, value)
                                 : bly_atom_select(m->list, f->condition, value, otherwise);
    return value;
}

/* ---- Assignments --------------------------------------------------------------------------------- */

const struct bly_type *bly_symbols_type(const struct bly_type *type, uint32_t number)
{
    for (;;) {
        if (type->kind == BLY_TYPE_ARRAY) {
            type = type->of;
            number %= bly_cells(type);
        } else if (type->kind == BLY_TYPE_RECORD) {
            const struct bly_field_node *f = type->record->fields;
            while (f->next && f->next->cell <= number) f = f->next;
            number -= f->cell;
            type = f->type;
        } else {
            return type;
        }
    }
}

/* The first name that the code gives a value is what derivatives call it. */
static void name_value(struct bly_symbols *m, uint32_t value, const char *name)
{
    struct bly_atom *v = &m->list->values[value];
    if (value && !v->name && v->kind == BLY_ATOM_OPERATION) v->name = name;
}

static void write_place(struct bly_symbols *m, const struct bly_symbol_place *place, uint32_t cell,
                        const struct bly_type *type, uint32_t value)
{
    uint32_t before = 0; /* whether one of those before is meant */
    for (uint32_t k = 0; k < place->count; k++) {
        struct bly_symbol_cell *to = place->cells[k] + cell;
        uint32_t is = place->conditions[k];
        if (place->count == 1) {
            bly_symbols_write(m, to, value);
            return;
        }
        if (!is) is = bly_atom_operation(m->list, BLY_NOT, &bly_type_int, before, 0, 0);
        const struct bly_symbol_place old = {.count = 1, .cells = &to, .conditions = &place->conditions[0]};
        const uint32_t kept =
            to->value ? bly_symbols_read(m, &old, 0, type, (struct bly_place){0, 0}) : value;
        bly_symbols_write(m, to, bly_atom_select(m->list, is, value, kept));
        before = before ? bly_atom_operation(m->list, BLY_OR, &bly_type_int, before, is, 0) : is;
    }
}

/* NULL: an array's that is given. */
static const char *name_of(const struct bly_expression *target)
{
    while (target->kind == BLY_INDEX) target = target->a;
    if (target->kind == BLY_MEMBER) return target->field->name;
    return target->type->kind == BLY_TYPE_POINTER ? NULL : target->variable->name;
}

static void assign_seen(struct bly_symbols *m, const struct bly_statement *s)
{
    const struct bly_expression *before = m->seen;
    const uint32_t value_before = m->seen_value;
    const struct bly_symbol_place place = bly_symbols_locate(m, s->target);
    m->seen_value = bly_symbols_read(m, &place, 0, s->target->type, s->target->place);
    m->seen = s->seen;
    const uint32_t value = bly_symbols_evaluate(m, s->value);
    m->seen = before;
    m->seen_value = value_before;
    name_value(m, value, name_of(s->target));
    write_place(m, &place, 0, s->target->type, value);
}

static void assign(struct bly_symbols *m, const struct bly_statement *s)
{
    if (s->seen) {
        assign_seen(m, s);
        return;
    }
    const uint32_t cells = bly_cells(s->value->type);
    struct bly_symbol_cell *value = bly_symbols_cells(m, cells + 1);
    bly_symbols_evaluate_to(m, s->value, value);
    const struct bly_symbol_place place = bly_symbols_locate(m, s->target);
    for (uint32_t i = 0; i < cells; i++) {
        if (!value[i].value) continue;
        if (cells == 1) name_value(m, value[i].value, name_of(s->target));
        write_place(m, &place, i, bly_symbols_type(s->value->type, i), value[i].value);
    }
}

/* ---- Declarations -------------------------------------------------------------------------------- */

static void write_initial(struct bly_symbols *m, const struct bly_type *type,
                          const struct bly_initial *initial, struct bly_symbol_cell *to);

static void write_elements(struct bly_symbols *m, const struct bly_type *type, const struct bly_initial *list,
                           struct bly_symbol_cell *to)
{
    for (uint32_t i = 0; i < type->count; i++) {
        write_initial(m, type->of, list, to + (size_t)i * bly_cells(type->of));
        if (list) list = list->next;
    }
}

static void write_fields(struct bly_symbols *m, const struct bly_type *type, const struct bly_initial *list,
                         struct bly_symbol_cell *to)
{
    for (const struct bly_field_node *f = type->record->fields; f; f = f->next) {
        write_initial(m, f->type, list, to + f->cell);
        if (list) list = list->next;
    }
}

static void write_initial(struct bly_symbols *m, const struct bly_type *type,
                          const struct bly_initial *initial, struct bly_symbol_cell *to)
{
    if (initial && initial->value)
        bly_symbols_evaluate_to(m, initial->value, to);
    else if (type->kind == BLY_TYPE_ARRAY)
        write_elements(m, type, initial ? initial->list : NULL, to);
    else if (type->kind == BLY_TYPE_RECORD)
        write_fields(m, type, initial ? initial->list : NULL, to);
    else if (initial && initial->list)
        write_initial(m, type, initial->list, to);
    else
        bly_symbols_write(m, to,
                          type->kind == BLY_TYPE_REAL ? bly_atom_real(m->list, 0)
                                                      : bly_atom_integer(m->list, type, 0));
}

static void declare(struct bly_symbols *m, const struct bly_variable *v, const struct bly_initial *initial,
                    struct bly_symbol_cell *to)
{
    const uint32_t cells = bly_cells(v->type);
    if (!initial && !v->zeroed)
        for (uint32_t i = 0; i < cells; i++) bly_symbols_write(m, to + i, 0);
    else
        write_initial(m, v->type, initial, to);
    if (cells == 1) name_value(m, to->value, v->name);
}

/* ---- Flow ---------------------------------------------------------------------------------------- */

static void run(struct bly_symbols *m, const struct bly_statement *s);

static uint32_t truth_of(struct bly_symbols *m, bool value)
{
    return bly_atom_integer(m->list, &bly_type_int, value);
}

static uint32_t either(struct bly_symbols *m, uint32_t a, const struct bly_symbol_cell *flag)
{
    int64_t known;
    if (!flag) return a;
    if (bly_atom_is_integer(m->list, a, &known)) return known ? a : flag->value;
    if (bly_atom_is_integer(m->list, flag->value, &known)) return known ? flag->value : a;
    return bly_atom_operation(m->list, BLY_OR, &bly_type_int, a, flag->value, 0);
}

/* Whether what follows is not run. */
static uint32_t left(struct bly_symbols *m)
{
    return either(m, either(m, m->returned->value, m->broke), m->continued);
}

static void set(struct bly_symbols *m, struct bly_symbol_cell *flag)
{
    bly_symbols_write(m, flag, truth_of(m, true));
}

static struct bly_symbol_cell *new_flag(struct bly_symbols *m)
{
    struct bly_symbol_cell *flag = bly_symbols_cells(m, 1);
    flag->value = truth_of(m, false);
    return flag;
}

/* Runs statements where `condition` is not 0. */
static void run_where(struct bly_symbols *m, uint32_t condition, const struct bly_statement *s,
                      const struct bly_statement *otherwise)
{
    struct bly_fork fork;
    int64_t known;
    if (bly_atom_is_integer(m->list, condition, &known)) {
        run(m, known ? s : otherwise);
        return;
    }
    bly_fork_begin(m, &fork, condition);
    run(m, s);
    bly_fork_otherwise(m, &fork);
    run(m, otherwise);
    bly_fork_end(m, &fork);
}

/* ---- Loops --------------------------------------------------------------------------------------- */

static void count_trip(struct bly_symbols *m, const struct bly_statement *s)
{
    if (++m->trips <= MOST_TRIPS) return;
    m->list->needs_loops = true;
    bly_symbols_refuse(m, s->place, "its loops, which must be unrolled, take more than %u iterations",
                       MOST_TRIPS);
}

static void go_round(struct bly_symbols *m, const struct bly_statement *s, uint64_t trips, bool tests);
static void stay_loop(struct bly_symbols *m, const struct bly_statement *s, uint32_t condition);

/* A trip, and those after it. */
static void trip(struct bly_symbols *m, const struct bly_statement *s, uint64_t trips)
{
    struct bly_fork fork;
    int64_t known;
    count_trip(m, s);
    m->continued = new_flag(m);
    run(m, s->body);
    m->continued = NULL;
    const uint32_t ends = either(m, m->returned->value, m->broke);
    if (bly_atom_is_integer(m->list, ends, &known)) {
        if (!known) go_round(m, s, trips + 1, true);
        return;
    }
    bly_fork_begin(m, &fork, ends);
    bly_fork_otherwise(m, &fork);
    go_round(m, s, trips + 1, true);
    bly_fork_end(m, &fork);
}

static void go_round(struct bly_symbols *m, const struct bly_statement *s, uint64_t trips, bool tests)
{
    struct bly_fork fork;
    int64_t known;
    if (trips) run(m, s->each);
    const uint32_t condition =
        tests && s->condition ? bly_symbols_evaluate(m, s->condition) : truth_of(m, true);
    const bool is_known = bly_atom_is_integer(m->list, condition, &known);
    if (is_known && !known) return;
    if (m->loops == BLY_LOOPS_LONG && (!s->bounded || s->trips > FEW_TRIPS)) {
        stay_loop(m, s, condition);
        return;
    }
    if (is_known) {
        trip(m, s, trips);
        return;
    }
    if (s->bounded && trips >= s->trips) return;
    if (!s->bounded && m->loops != BLY_LOOPS_UNROLLED) {
        stay_loop(m, s, condition);
        return;
    }
    if (s->bounded) {
        bly_fork_begin(m, &fork, condition);
        trip(m, s, trips);
        bly_fork_otherwise(m, &fork);
        bly_fork_end(m, &fork);
        return;
    }
    m->list->needs_loops = true;
    bly_symbols_refuse(m, s->place, "how often this loop runs depends on data");
}

/* A body that has been run: what it has written, and whether another round follows. */
struct round {
    uint32_t loop, more, next_more;
    uint32_t begin, end; /* values */
    struct bly_symbol_cell **cells;
    const struct bly_type **types;
    uint32_t count, size, known; /* cells that the body writes; of these, those that it carries already */
};

static void note_cell(struct bly_symbols *m, struct round *r, struct bly_symbol_cell *cell)
{
    if (r->count == r->size) {
        const uint32_t size = r->size ? 2 * r->size : 16;
        struct bly_symbol_cell **cells = bly_symbols_take(m, size * sizeof *cells);
        const struct bly_type **types = bly_symbols_take(m, size * sizeof *types);
        if (r->count) memcpy(cells, r->cells, r->count * sizeof *cells);
        if (r->count) memcpy(types, r->types, r->count * sizeof *types);
        r->cells = cells;
        r->types = types;
        r->size = size;
    }
    r->types[r->count] = m->list->values[cell->value].type;
    r->cells[r->count++] = cell;
}

/* The value of a cell before the loop; one that is not written is not read before the loop has written it. */
static uint32_t initial_of(struct bly_symbols *m, const struct round *r, uint32_t k)
{
    if (r->cells[k]->value) return r->cells[k]->value;
    return r->types[k]->kind == BLY_TYPE_REAL ? bly_atom_real(m->list, 0)
                                              : bly_atom_integer(m->list, r->types[k], 0);
}

/* Whether another round follows this one. */
static uint32_t another(struct bly_symbols *m, const struct bly_statement *s)
{
    struct bly_fork fork;
    int64_t known;
    const uint32_t ends = either(m, m->returned->value, m->broke);
    const bool is_known = bly_atom_is_integer(m->list, ends, &known);
    if (is_known && known) return truth_of(m, false);
    if (!is_known) bly_fork_begin(m, &fork, ends);
    if (!is_known) bly_fork_otherwise(m, &fork);
    run(m, s->each);
    const uint32_t condition = s->condition ? bly_symbols_evaluate(m, s->condition) : truth_of(m, true);
    if (is_known) return condition;
    bly_fork_end(m, &fork);
    return bly_atom_operation(m->list, BLY_AND, &bly_type_int,
                              bly_atom_operation(m->list, BLY_NOT, &bly_type_int, ends, 0, 0), condition, 0);
}

/* Runs the body where cells that it writes are what the loop carries; adds those that it writes besides. */
static void run_round(struct bly_symbols *m, const struct bly_statement *s, uint32_t condition,
                      struct round *r)
{
    struct bly_fork fork;
    r->loop = bly_loop_add(m->list, s->place);
    r->more = bly_carried_add(m->list, r->loop, &bly_type_int, condition);
    for (uint32_t k = 0; k < r->count; k++) {
        const uint32_t value = initial_of(m, r, k);
        if (!bly_carried_add(m->list, r->loop, r->types[k], value)) bly_symbols_full(m);
    }
    if (!r->loop || !r->more) bly_symbols_full(m);
    m->list->loop = r->loop;
    r->known = r->count;
    r->begin = m->list->count;
    bly_fork_begin(m, &fork, m->list->carried[r->more].inner);
    const uint32_t own = m->stamp;
    fork.is_round = true;
    for (uint32_t k = 0; k < r->count; k++)
        bly_symbols_write(m, r->cells[k], m->list->carried[r->more + 1 + k].inner);
    bly_symbols_write(m, m->returned, truth_of(m, false)); /* there would be no round */
    bly_symbols_write(m, m->broke, truth_of(m, false));
    count_trip(m, s);
    m->continued = new_flag(m);
    run(m, s->body);
    m->continued = NULL;
    r->next_more = another(m, s);
    for (uint32_t k = 0; k < r->known; k++) {
        struct bly_symbol_cell *cell = r->cells[k];
        m->list->carried[r->more + 1 + k].next = cell->value;
        cell->mark = 1;
    }
    for (uint32_t k = fork.notes; k < m->trail_count; k++) {
        const struct bly_symbol_note *n = &m->trail[k];
        if (n->cell->value && n->cell->value != n->value && !n->cell->mark && n->cell->born < own)
            note_cell(m, r, n->cell);
    }
    for (uint32_t k = 0; k < r->known; k++) r->cells[k]->mark = 0;
    r->end = m->list->count;
    undo(m, fork.notes);
    m->trail_count = fork.notes;
    m->stamp = fork.stamp_before;
    m->fork = fork.outer;
    m->list->region = fork.region_before;
    m->list->loop = m->list->loops[r->loop].outer;
    m->list->carried[r->more].next = r->next_more;
}

/* A loop that is not unrolled. */
static void stay_loop(struct bly_symbols *m, const struct bly_statement *s, uint32_t condition)
{
    struct bly_symbol_cell *const continued = m->continued;
    struct round r = {0};
    const uint32_t initial = bly_symbols_guarded(m, condition, truth_of(m, false));
    const uint32_t count = m->list->count, loops = m->list->loop_count, carried = m->list->carried_count;
    for (;;) {
        run_round(m, s, initial, &r);
        if (r.count == r.known) break;
        bly_list_cut(m->list, count);
        m->list->loop_count = loops;
        m->list->carried_count = carried;
    }
    struct bly_loop *loop = &m->list->loops[r.loop];
    loop->begin = r.begin;
    loop->end = r.end;
    loop->first = r.more;
    loop->count = 1 + r.count;
    for (uint32_t k = 0; k < r.count; k++)
        bly_symbols_write(m, r.cells[k], m->list->carried[r.more + 1 + k].left);
    m->continued = continued;
}

static void run_loop(struct bly_symbols *m, const struct bly_statement *s)
{
    struct bly_symbol_cell *broke = m->broke, *continued = m->continued;
    run(m, s->first);
    m->broke = new_flag(m);
    m->continued = NULL;
    go_round(m, s, 0, s->kind == BLY_LOOP);
    m->broke = broke;
    m->continued = continued;
}

/* ---- Statements ---------------------------------------------------------------------------------- */

/* Whether a value is that of a case, or of none. */
static uint32_t is_case(struct bly_symbols *m, const struct bly_statement *s,
                        const struct bly_statement *wanted, uint32_t value)
{
    const struct bly_type *type = m->list->values[value].type;
    uint32_t any = 0;
    if (wanted->labelled)
        return bly_atom_operation(m->list, BLY_EQUAL, &bly_type_int, value,
                                  bly_atom_integer(m->list, type, wanted->label), 0);
    for (const struct bly_statement *c = s->body->body; c; c = c->next) {
        if (c->kind != BLY_CASE || !c->labelled) continue;
        const uint32_t is = is_case(m, s, c, value);
        any = any ? bly_atom_operation(m->list, BLY_OR, &bly_type_int, any, is, 0) : is;
    }
    return any ? bly_atom_operation(m->list, BLY_NOT, &bly_type_int, any, 0, 0) : truth_of(m, true);
}

static void run_one(struct bly_symbols *m, const struct bly_statement *s);

/* Statements between two cases. They run where one of the cases before was met, and none has ended it. */
static void run_cases(struct bly_symbols *m, const struct bly_statement *s, uint32_t value)
{
    struct bly_symbol_cell *met = new_flag(m);
    for (const struct bly_statement *c = s->body->body; c; c = c->next) {
        struct bly_fork fork;
        int64_t known, ended;
        if (c->kind == BLY_CASE) {
            bly_symbols_write(m, met, either(m, is_case(m, s, c, value), met));
            continue;
        }
        const uint32_t over = left(m);
        const bool ends = bly_atom_is_integer(m->list, over, &ended);
        if (ends && ended) return;
        const uint32_t runs =
            ends ? met->value
                 : bly_atom_operation(m->list, BLY_AND, &bly_type_int, met->value,
                                      bly_atom_operation(m->list, BLY_NOT, &bly_type_int, over, 0, 0), 0);
        if (bly_atom_is_integer(m->list, runs, &known)) {
            if (known) run_one(m, c);
            continue;
        }
        bly_fork_begin(m, &fork, runs);
        run_one(m, c);
        bly_fork_otherwise(m, &fork);
        bly_fork_end(m, &fork);
    }
}

static void run_switch(struct bly_symbols *m, const struct bly_statement *s)
{
    struct bly_symbol_cell *broke = m->broke;
    const uint32_t value = bly_symbols_evaluate(m, s->condition);
    m->broke = new_flag(m);
    run_cases(m, s, value);
    m->broke = broke;
}

static void give_result(struct bly_symbols *m, const struct bly_statement *s)
{
    if (s->value) bly_symbols_evaluate_to(m, s->value, m->result);
    set(m, m->returned);
}

static void run_one(struct bly_symbols *m, const struct bly_statement *s)
{
    switch (s->kind) {
    case BLY_BLOCK: run(m, s->body); break;
    case BLY_DECLARE: declare(m, s->variable, s->initial, m->frame + s->variable->cell); break;
    case BLY_ASSIGN: assign(m, s); break;
    case BLY_EVALUATE:
        if (s->value->function)
            bly_symbols_call(m, s->value);
        else
            bly_symbols_evaluate(m, s->value);
        break;
    case BLY_IF: run_where(m, bly_symbols_evaluate(m, s->condition), s->body, s->otherwise); break;
    case BLY_LOOP:
    case BLY_DO: run_loop(m, s); break;
    case BLY_SWITCH: run_switch(m, s); break;
    case BLY_BREAK: set(m, m->broke); break;
    case BLY_CONTINUE: set(m, m->continued); break;
    case BLY_RETURN: give_result(m, s); break;
    default: break;
    }
}

static void run(struct bly_symbols *m, const struct bly_statement *s)
{
    for (; s; s = s->next) {
        int64_t known = 0;
        run_one(m, s);
        const uint32_t ended = left(m);
        if (bly_atom_is_integer(m->list, ended, &known)) {
            if (known) return;
            continue;
        }
        if (s->next)
            run_where(m, bly_atom_operation(m->list, BLY_NOT, &bly_type_int, ended, 0, 0), s->next, NULL);
        return;
    }
}

/* ---- Functions ----------------------------------------------------------------------------------- */

void bly_symbols_function(struct bly_symbols *m, const struct bly_function *f, struct bly_symbol_cell *frame,
                          struct bly_symbol_cell *result)
{
    struct bly_symbol_cell *const before[] = {m->frame, m->result, m->broke, m->continued, m->returned};
    const struct bly_expression *seen_before = m->seen;
    m->frame = frame;
    m->result = result;
    m->broke = m->continued = NULL;
    m->returned = new_flag(m);
    m->seen = NULL;
    run(m, f->body);
    m->frame = before[0];
    m->result = before[1];
    m->broke = before[2];
    m->continued = before[3];
    m->returned = before[4];
    m->seen = seen_before;
}

static uint32_t leaf(struct bly_symbols *m, enum bly_atom_kind kind, const struct bly_type *type,
                     uint32_t number)
{
    const struct bly_atom v = {.kind = kind, .type = type, .number = number};
    return bly_atom_add(m->list, &v);
}

/* The cells of params, of the state or of x, from number `first` on. */
static struct bly_symbol_cell *leaves(struct bly_symbols *m, enum bly_atom_kind kind,
                                      const struct bly_record *record, uint32_t first, uint32_t count)
{
    struct bly_symbol_cell *cells = bly_symbols_take(m, (count + 1) * sizeof *cells);
    for (uint32_t i = 0; i < count; i++)
        cells[i].value =
            leaf(m, kind, record ? bly_symbols_type(record->type, i) : &bly_type_real, first + i);
    return cells;
}

const struct bly_record *bly_symbols_noise(const struct bly_unit *unit)
{
    const struct bly_variable *last = unit->pair->parameters;
    while (last->next) last = last->next;
    return last->type->of->record;
}

static void give(struct bly_symbols *m, const struct bly_type *type, struct bly_symbol_cell *to)
{
    const bool points = type->kind == BLY_TYPE_POINTER;
    to->extent = 1;
    if (points && type->of->kind == BLY_TYPE_RECORD && type->of->record->kind == BLY_RECORD_NOISE) {
        const uint32_t count = bly_cells(type->of);
        to->to = leaves(m, BLY_ATOM_POINT, NULL, count * m->noises++, count);
    } else if (points && type->of->kind == BLY_TYPE_RECORD) {
        to->to = type->of->record->kind == BLY_RECORD_PARAMS ? m->params : m->state;
    } else if (points && type->constant) {
        to->to = leaves(m, BLY_ATOM_POINT, NULL, 0, m->unit->dims + m->unit->own);
        to->extent = m->unit->dims + m->unit->own;
    } else if (points) {
        to->to = m->out;
        to->extent = m->unit->outputs;
    } else {
        to->value = type->kind == BLY_TYPE_REAL ? leaf(m, BLY_ATOM_TIME, type, m->times++)
                                                : leaf(m, BLY_ATOM_STEP, type, 0);
    }
}

static void begin_state(struct bly_symbols *m, const struct bly_function *f)
{
    const struct bly_record *state = m->unit->state;
    m->state_count = state ? bly_cells(state->type) : 0;
    if (f->role != BLY_ROLE_START)
        m->state = leaves(m, BLY_ATOM_STATE, state, 0, m->state_count);
    else
        m->state = bly_symbols_take(m, (m->state_count + 1) * sizeof *m->state);
    if (state && f->role == BLY_ROLE_START && m->unit->zeroes_state)
        write_fields(m, state->type, NULL, m->state);
}

static void execute(struct bly_symbols *m, const struct bly_function *f, uint32_t *results)
{
    m->constants = bly_symbols_take(m, (bly_machine_place(m->unit) + 1) * sizeof *m->constants);
    for (const struct bly_variable *v = m->unit->constants; v; v = v->next)
        write_initial(m, v->type, v->initial, m->constants + v->cell);
    m->param_count = m->unit->params ? bly_cells(m->unit->params->type) : 0;
    m->params = leaves(m, BLY_ATOM_PARAM, m->unit->params, 0, m->param_count);
    begin_state(m, f);
    m->out = bly_symbols_take(m, (m->unit->outputs + 1) * sizeof *m->out);
    for (uint32_t i = 0; i < m->unit->outputs; i++) m->out[i].value = bly_atom_real(m->list, 0);
    struct bly_symbol_cell *frame = bly_symbols_take(m, (f->cells + 1) * sizeof *frame), result = {0};
    for (const struct bly_variable *v = f->parameters; v; v = v->next) give(m, v->type, frame + v->cell);
    bly_symbols_function(m, f, frame, &result);
    const bool finish = f->role == BLY_ROLE_FINISH || f->role == BLY_ROLE_WHOLE;
    const uint32_t count = finish ? m->unit->outputs : m->state_count;
    for (uint32_t i = 0; i < count; i++) results[i] = (finish ? m->out : m->state)[i].value;
    if (m->list->no_memory || m->list->too_long) bly_symbols_full(m);
}

bailey_status bly_symbols_run(struct bly_atoms *list, const struct bly_function *function,
                              enum bly_loops loops, uint32_t *results)
{
    struct bly_symbols m = {.list = list, .unit = list->unit, .loops = loops};
    if (setjmp(m.stopped)) return m.status;
    execute(&m, function, results);
    return BAILEY_OK;
}
