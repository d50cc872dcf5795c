/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The interpreter's memory, what is written there from outside, and its messages.
 */
#include "machine.h"

#include <base/alloc.h>
#include <base/status.h>

#include <stdio.h>
#include <string.h>

#define BLOCK_CELLS 1024u

/* ---- Where numbers are --------------------------------------------------------------------------- */

static uint32_t count_record(struct bly_record *record)
{
    if (record->cells) return record->cells;
    uint32_t cells = 0;
    for (struct bly_field_node *f = record->fields; f; f = f->next) {
        f->cell = cells;
        cells += bly_cells(f->type);
    }
    return record->cells = cells;
}

uint32_t bly_cells(const struct bly_type *type)
{
    switch (type->kind) {
    case BLY_TYPE_VOID: return 0;
    case BLY_TYPE_RECORD: return count_record(type->record);
    case BLY_TYPE_ARRAY: return type->count * bly_cells(type->of);
    default: return 1;
    }
}

static uint32_t place_variables(struct bly_variable *variables, uint32_t cell)
{
    for (struct bly_variable *v = variables; v; v = v->next) {
        v->cell = cell;
        cell += bly_cells(v->type);
    }
    return cell;
}

uint32_t bly_machine_place(struct bly_unit *unit)
{
    for (struct bly_function *f = unit->functions; f; f = f->next)
        f->cells = place_variables(f->locals, place_variables(f->parameters, 0));
    return place_variables(unit->constants, 0);
}

static const char *name_number(const struct bly_type *type, uint32_t number, char *name, size_t size);

static const char *name_field(const struct bly_record *record, uint32_t number, char *name, size_t size)
{
    const struct bly_field_node *f = record->fields;
    while (f->next && f->next->cell <= number) f = f->next;
    const size_t used = strlen(name);
    snprintf(name + used, size - used, "%s%s", used ? "." : "", f->name);
    return name_number(f->type, number - f->cell, name, size);
}

static const char *name_number(const struct bly_type *type, uint32_t number, char *name, size_t size)
{
    const size_t used = strlen(name);
    if (type->kind == BLY_TYPE_RECORD) return name_field(type->record, number, name, size);
    if (type->kind != BLY_TYPE_ARRAY) return name;
    const uint32_t each = bly_cells(type->of);
    snprintf(name + used, size - used, "[%u]", (unsigned)(number / each));
    return name_number(type->of, number % each, name, size);
}

void bly_record_name(const struct bly_record *record, uint32_t number, char *name, size_t size)
{
    name[0] = 0;
    name_field(record, number, name, size);
}

/* ---- The pile ------------------------------------------------------------------------------------ */

static struct bly_pile_block *make_block(uint32_t cells)
{
    const uint32_t size = cells > BLOCK_CELLS ? cells : BLOCK_CELLS;
    struct bly_pile_block *block = bly_alloc(1, sizeof *block + size * sizeof *block->cells);
    if (block) block->size = size;
    return block;
}

static void free_after(struct bly_pile_block *block)
{
    for (struct bly_pile_block *after = block->after; after; after = block->after) {
        block->after = after->after;
        bly_free(after);
    }
}

/* The block after the last one, with space for so many; the last one without memory. */
static struct bly_pile_block *next_block(struct bly_interpreter *m, uint32_t count)
{
    struct bly_pile_block *last = m->pile, *after = last->after;
    if (!after || after->size < count) {
        free_after(last);
        after = last->after = make_block(count);
        if (!after) {
            m->no_memory = true;
            return last;
        }
        after->before = last;
    }
    after->used = 0;
    return m->pile = after;
}

struct bly_cell *bly_pile_take(struct bly_interpreter *m, uint32_t count)
{
    struct bly_pile_block *block = m->pile;
    if (block->size - block->used < count) block = next_block(m, count);
    if (block->size - block->used < count) return m->waste;
    struct bly_cell *cells = block->cells + block->used;
    block->used += count;
    memset(cells, 0, count * sizeof *cells);
    return cells;
}

struct bly_pile_mark bly_pile_mark(const struct bly_interpreter *m)
{
    return (struct bly_pile_mark){m->pile, m->pile->used};
}

void bly_pile_return(struct bly_interpreter *m, struct bly_pile_mark mark)
{
    m->pile = mark.block;
    m->pile->used = mark.used;
}

/* ---- An interpreter ------------------------------------------------------------------------------ */

static struct bly_cell *make_cells(uint32_t count)
{
    return bly_alloc(count ? count : 1, sizeof(struct bly_cell));
}

/* The most that is ever taken at once. */
static uint32_t most_taken(const struct bly_unit *unit)
{
    uint32_t most = unit->dims + unit->own + unit->normals + unit->uniforms + unit->outputs;
    for (const struct bly_function *f = unit->functions; f; f = f->next)
        if (f->cells > most) most = f->cells;
    for (const struct bly_record *r = unit->records; r; r = r->next)
        if (bly_cells(r->type) > most) most = bly_cells(r->type);
    return most;
}

static bailey_status fill(struct bly_interpreter *m)
{
    const uint32_t constants = bly_machine_place(m->unit);
    m->param_count = m->unit->params ? bly_cells(m->unit->params->type) : 0;
    m->state_count = m->unit->state ? bly_cells(m->unit->state->type) : 0;
    m->constants = make_cells(constants);
    m->params = make_cells(m->param_count);
    m->state = make_cells(m->state_count);
    m->waste = make_cells(most_taken(m->unit));
    m->pile = make_block(BLOCK_CELLS);
    if (!m->constants || !m->params || !m->state || !m->waste || !m->pile) return bly_no_memory(m->unit);
    return BAILEY_OK;
}

bailey_status bly_machine_create(struct bly_unit *unit, struct bly_interpreter **interpreter)
{
    struct bly_interpreter *m = *interpreter = bly_alloc(1, sizeof *m);
    if (!m) return bly_no_memory(unit);
    m->unit = unit;
    m->single = unit->precision == BAILEY_PRECISION_F32;
    const bailey_status status = fill(m);
    if (status == BAILEY_OK) return status;
    bly_interpreter_destroy(m);
    *interpreter = NULL;
    return status;
}

void bly_interpreter_destroy(struct bly_interpreter *m)
{
    if (!m) return;
    while (m->pile && m->pile->before) m->pile = m->pile->before;
    if (m->pile) free_after(m->pile);
    bly_free(m->pile);
    bly_free(m->waste);
    bly_free(m->state);
    bly_free(m->params);
    bly_free(m->constants);
    bly_free(m);
}

/* The type of number `number` of a record. */
static const struct bly_type *type_of_number(const struct bly_type *type, uint32_t number)
{
    while (type->kind == BLY_TYPE_RECORD || type->kind == BLY_TYPE_ARRAY) {
        if (type->kind == BLY_TYPE_ARRAY) {
            type = type->of;
            number %= bly_cells(type);
            continue;
        }
        const struct bly_field_node *f = type->record->fields;
        while (f->next && f->next->cell <= number) f = f->next;
        number -= f->cell;
        type = f->type;
    }
    return type;
}

static const struct bly_type real_type = {.kind = BLY_TYPE_REAL};

uint32_t bly_interpreter_parameters(const struct bly_interpreter *m) { return m->param_count; }

void bly_interpreter_set(struct bly_interpreter *m, uint32_t number, double value)
{
    const struct bly_type *type = type_of_number(m->unit->params->type, number);
    m->params[number] = bly_converted(m, (struct bly_cell){.real = value}, &real_type, type);
}

uint32_t bly_interpreter_states(const struct bly_interpreter *m) { return m->state_count; }

double bly_interpreter_state(const struct bly_interpreter *m, uint32_t number, bool *written)
{
    static const struct bly_interpreter wide;
    const struct bly_type *type = type_of_number(m->unit->state->type, number);
    if (written) *written = m->state[number].written;
    return bly_converted(&wide, m->state[number], type, &real_type).real;
}

/* ---- Findings ------------------------------------------------------------------------------------ */

void bly_interpreter_doubt(struct bly_interpreter *m, struct bly_place place, const char *what)
{
    if (m->unsound[0]) return;
    snprintf(m->unsound, sizeof m->unsound, "%.100s:%u:%u: %s", m->unit->name, (unsigned)place.line,
             (unsigned)place.column, what);
}

void bly_interpreter_fail(struct bly_interpreter *m, uint32_t site, int64_t value, struct bly_place place,
                          const char *what)
{
    if (!site)
        bly_interpreter_doubt(m, place, what);
    else if (!m->failure.site)
        m->failure = (struct bly_failure){site, value};
}

struct bly_failure bly_interpreter_failure(const struct bly_interpreter *m) { return m->failure; }

bailey_status bly_interpreter_status(const struct bly_interpreter *m)
{
    if (m->no_memory) return bly_no_memory(m->unit);
    if (m->too_deep)
        return bly_fail(
            BAILEY_ERROR_UNSUPPORTED,
            "%s: expressions and calls are nested more than %u deep, which only compiled code supports",
            m->unit->name, BLY_MOST_EVALUATED);
    if (!m->unsound[0]) return BAILEY_OK;
    return bly_fail(BAILEY_ERROR_SELFTEST, "%s, though it was proved not to be: please report this code",
                    m->unsound);
}
