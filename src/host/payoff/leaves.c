/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Leaves: the parts of variables that definite assignment follows. A number is one; a record has those of its
 * members; an array has those of its elements if they are few, else one for all of them, which is written
 * where a loop fills it. A parameter that points has the leaves of what it points to: of an array of any size
 * BLY_FIRST elements and one for the rest.
 */
#include "assigned.h"

#include <stdio.h>
#include <string.h>

#define MOST_LEAVES 65536 /* of a function */

/* ---- Sets ----------------------------------------------------------------------------------------- */

struct bly_flow bly_flow_take(struct bly_assigned *c)
{
    if (c->words > c->pool_words - c->pool_used) {
        c->status = bly_no_memory(c->unit);
        longjmp(c->stopped, 1);
    }
    struct bly_flow flow = {true, c->pool + c->pool_used};
    c->pool_used += c->words;
    return flow;
}

void bly_flow_set(const struct bly_assigned *c, struct bly_flow *to, const struct bly_flow *from)
{
    to->dead = from->dead;
    if (!from->dead) memcpy(to->bits, from->bits, c->words * sizeof *to->bits);
}

struct bly_flow bly_flow_copy(struct bly_assigned *c, const struct bly_flow *from)
{
    struct bly_flow flow = bly_flow_take(c);
    bly_flow_set(c, &flow, from);
    return flow;
}

void bly_flow_join(const struct bly_assigned *c, struct bly_flow *to, const struct bly_flow *from)
{
    if (from->dead) return;
    if (to->dead) {
        bly_flow_set(c, to, from);
        return;
    }
    for (uint32_t i = 0; i < c->words; i++) to->bits[i] &= from->bits[i];
}

/* ---- Places --------------------------------------------------------------------------------------- */

static uint32_t of_elements(const struct bly_assigned *c, const struct bly_type *of, uint32_t count)
{
    const uint64_t leaves = (uint64_t)bly_leaves_of(c, of) * count;
    return leaves <= c->expanded ? (uint32_t)leaves : 1;
}

/* For an array of any size: whether its first elements have separate leaves, or there is one for all. */
bool bly_is_split(const struct bly_assigned *c, const struct bly_type *pointer)
{
    return (uint64_t)bly_leaves_of(c, pointer->of) * BLY_FIRST <= c->expanded;
}

uint32_t bly_leaves_of(const struct bly_assigned *c, const struct bly_type *type)
{
    switch (type->kind) {
    case BLY_TYPE_VOID:
    case BLY_TYPE_PATH: return 0;
    case BLY_TYPE_RECORD: return type->record->leaves;
    case BLY_TYPE_ARRAY: return of_elements(c, type->of, type->count);
    case BLY_TYPE_POINTER:
        if (!type->is_array) return bly_leaves_of(c, type->of);
        if (type->count != 0) return of_elements(c, type->of, type->count);
        return bly_is_split(c, type) ? bly_leaves_of(c, type->of) * BLY_FIRST + 1 : 1;
    default: return 1;
    }
}

static uint32_t place_variables(const struct bly_assigned *c, struct bly_variable *list, uint32_t from)
{
    for (struct bly_variable *v = list; v; v = v->next) {
        const uint32_t leaves = bly_leaves_of(c, v->type);
        v->leaf = from;
        from = leaves < 2 * MOST_LEAVES - from ? from + leaves : 2 * MOST_LEAVES;
    }
    return from;
}

static void place_records(const struct bly_assigned *c)
{
    for (struct bly_record *r = c->unit->records; r; r = r->next) {
        r->leaves = 0;
        for (struct bly_field_node *f = r->fields; f; f = f->next) {
            f->leaf = r->leaves;
            r->leaves += bly_leaves_of(c, f->type);
        }
    }
}

static uint32_t place_all(struct bly_assigned *c, uint32_t expanded)
{
    uint32_t most = 0;
    c->expanded = expanded;
    place_records(c);
    for (struct bly_function *f = c->unit->functions; f; f = f->next) {
        const uint32_t leaves = place_variables(c, f->locals, place_variables(c, f->parameters, 0));
        if (leaves > most) most = leaves;
        if (leaves > MOST_LEAVES && expanded == 1 && c->status == BAILEY_OK)
            c->status =
                bly_refuse_at(c->unit, f->place, "%s has more than %d variables and members; use arrays",
                              f->name, MOST_LEAVES);
    }
    return most;
}

uint32_t bly_leaves_place(struct bly_assigned *c)
{
    const uint32_t most = place_all(c, BLY_EXPANDED);
    return most > MOST_LEAVES ? place_all(c, 1) : most;
}

/* ---- Bits ----------------------------------------------------------------------------------------- */

static bool has(const uint64_t *bits, uint32_t at) { return (bits[at / 64] >> (at % 64)) & 1; }

static void put(uint64_t *bits, uint32_t at) { bits[at / 64] |= (uint64_t)1 << (at % 64); }

void bly_bits_fill(uint64_t *bits, uint32_t from, uint32_t count, bool value)
{
    for (uint32_t i = from; i < from + count; i++) {
        if (value)
            put(bits, i);
        else
            bits[i / 64] &= ~((uint64_t)1 << (i % 64));
    }
}

/* ---- Parts ---------------------------------------------------------------------------------------- */

struct bly_part bly_part_element(const struct bly_assigned *c, const struct bly_expression *x,
                                 struct bly_part p)
{
    const struct bly_type *array = p.type;
    const uint32_t leaves = bly_leaves_of(c, array->of);
    const bool any = array->kind == BLY_TYPE_POINTER && array->count == 0;
    const uint32_t elements = any ? (bly_is_split(c, array) ? BLY_FIRST : 0) : array->count;
    p.type = array->of;
    const struct bly_int_range r = x->b->range;
    const bool known = r.low == r.high && r.low >= 0 && r.low < elements;
    const bool split = any ? elements > 0 : leaves * (uint64_t)elements == p.count && !p.vague;
    if (!known || !split || p.vague) {
        p.vague = true;
        return p;
    }
    p.leaf += (uint32_t)r.low * leaves;
    p.count = leaves;
    return p;
}

struct bly_part bly_part_find(const struct bly_assigned *c, const struct bly_expression *x)
{
    struct bly_part p = {NULL, x->type, 0, 0, true};
    if (x->kind == BLY_VARIABLE) {
        const struct bly_variable *v = x->variable;
        if (v->kind == BLY_VARIABLE_CONSTANT) return p;
        return (struct bly_part){v, v->type, v->leaf, bly_leaves_of(c, v->type), false};
    }
    if (x->kind != BLY_MEMBER && x->kind != BLY_INDEX) return p;
    p = bly_part_find(c, x->a);
    if (!p.root) return p;
    if (x->kind == BLY_INDEX) return bly_part_element(c, x, p);
    p.type = x->field->type;
    if (p.vague || p.count == 0) return p;
    p.leaf += x->field->leaf;
    p.count = bly_leaves_of(c, p.type);
    return p;
}

/* ---- The variable to name in a message ------------------------------------------------------------ */

/* Writes the name of a variable's leaf; false if it is in an array. *place is that of the member. */
static bool name_leaf(const struct bly_assigned *c, const struct bly_variable *v, uint32_t leaf, char *text,
                      size_t size, struct bly_place *place)
{
    const struct bly_type *type = v->type;
    const bool pointer = type->kind == BLY_TYPE_POINTER;
    size_t used = (size_t)snprintf(text, size, "%.64s", v->name);
    *place = v->place;
    if (pointer && type->is_array) {
        const uint32_t each = bly_leaves_of(c, type->of);
        if (each > 0) snprintf(text + used, size - used, "[%u]", leaf / each);
        return false;
    }
    if (pointer) type = type->of;
    for (const char *joint = pointer ? "->" : "."; type->kind == BLY_TYPE_RECORD; joint = ".") {
        const struct bly_field_node *f = type->record->fields;
        while (f && leaf >= bly_leaves_of(c, f->type)) leaf -= bly_leaves_of(c, f->type), f = f->next;
        if (!f) return false;
        if (used < size) used += (size_t)snprintf(text + used, size - used, "%s%.64s", joint, f->name);
        *place = f->place;
        type = f->type;
    }
    return type->kind != BLY_TYPE_ARRAY;
}

static void refuse(struct bly_assigned *c, bailey_status status)
{
    c->status = status;
    longjmp(c->stopped, 1);
}

static bool is_start_state(const struct bly_assigned *c, const struct bly_variable *v)
{
    const struct bly_type *t = v->type;
    return c->function->role == BLY_ROLE_START && t->kind == BLY_TYPE_POINTER &&
           t->of->kind == BLY_TYPE_RECORD && t->of->record->kind == BLY_RECORD_STATE;
}

static bool is_out(const struct bly_assigned *c, const struct bly_variable *v)
{
    const enum bly_role role = c->function->role;
    const struct bly_type *t = v->type;
    return (role == BLY_ROLE_FINISH || role == BLY_ROLE_WHOLE) && t->kind == BLY_TYPE_POINTER &&
           t->is_array && !t->constant;
}

/* What else points was written before the function began. */
static void zero(struct bly_assigned *c, const struct bly_variable *v)
{
    if (v->type->kind != BLY_TYPE_POINTER || is_out(c, v))
        ((struct bly_variable *)v)->zeroed = true;
    else if (is_start_state(c, v))
        c->unit->zeroes_state = true;
}

/* For the variables of a list what is written here and was not before. */
static void zero_missing(struct bly_assigned *c, const struct bly_variable *list,
                         const struct bly_flow *before)
{
    const enum bly_role role = c->function->role;
    const bool own = role == BLY_ROLE_OWN || role == BLY_ROLE_STEP || role == BLY_ROLE_PAIR;
    for (const struct bly_variable *v = list; v; v = v->next) {
        const uint32_t end = v->leaf + bly_leaves_of(c, v->type);
        for (uint32_t i = v->leaf; i < end; i++) {
            if (has(before->bits, i) || !has(c->flow.bits, i)) continue;
            if (v->type->kind == BLY_TYPE_POINTER && own)
                bly_bits_fill(c->flow.bits, i, 1, false);
            else
                zero(c, v);
        }
    }
}

void bly_assigned_zero(struct bly_assigned *c, const struct bly_flow *before)
{
    bool any = false;
    for (uint32_t i = 0; i < c->words && !any; i++) any = (c->flow.bits[i] & ~before->bits[i]) != 0;
    if (!any) return;
    zero_missing(c, c->function->parameters, before);
    zero_missing(c, c->function->locals, before);
}

/* ---- Reading -------------------------------------------------------------------------------------- */

/* A leaf that may not be written yet is read at a place, by a call of `by` if that is not NULL. */
static void read_early(struct bly_assigned *c, const struct bly_variable *v, uint32_t leaf, bool vague,
                       struct bly_place place, const char *by)
{
    if (v->type->kind == BLY_TYPE_POINTER && !is_start_state(c, v) && !is_out(c, v)) {
        put(c->function->summary->reads, leaf);
        return;
    }
    char name[256];
    struct bly_place member;
    const bool number = name_leaf(c, v, leaf - v->leaf, name, sizeof name, &member);
    if (!number && !(is_out(c, v) && !vague)) {
        zero(c, v);
        return;
    }
    const char *what =
        v->kind == BLY_VARIABLE_LOCAL ? "give it a value where it is declared" : "write it first";
    if (by)
        refuse(c, bly_refuse_at(c->unit, place, "%s may be read by %s before it is written; %s", name, by,
                                what));
    refuse(c, bly_refuse_at(c->unit, place, "%s may be read before it is written; %s", name, what));
}

static void read_leaves(struct bly_assigned *c, struct bly_part p, struct bly_place place, const char *by)
{
    if (!p.root || c->flow.dead) return;
    for (uint32_t i = p.leaf; i < p.leaf + p.count; i++)
        if (!has(c->flow.bits, i)) read_early(c, p.root, i, p.vague, place, by);
}

static void read_call(struct bly_assigned *c, struct bly_expression *x);

void bly_assigned_read_indices(struct bly_assigned *c, struct bly_expression *lvalue)
{
    for (struct bly_expression *x = lvalue; x && (x->kind == BLY_INDEX || x->kind == BLY_MEMBER); x = x->a) {
        if (x->kind == BLY_INDEX) bly_assigned_read(c, x->b);
        if (x->a->kind == BLY_CALL) bly_assigned_read(c, x->a);
    }
}

void bly_assigned_read(struct bly_assigned *c, struct bly_expression *x)
{
    if (!x) return;
    switch (x->kind) {
    case BLY_VARIABLE:
    case BLY_MEMBER:
    case BLY_INDEX:
        bly_assigned_read_indices(c, x);
        read_leaves(c, bly_part_find(c, x), x->place, NULL);
        break;
    case BLY_CALL: read_call(c, x); break;
    default:
        bly_assigned_read(c, x->a);
        bly_assigned_read(c, x->b);
        bly_assigned_read(c, x->c);
    }
}

void bly_assigned_read_initial(struct bly_assigned *c, struct bly_initial *initial)
{
    for (; initial; initial = initial->next) {
        bly_assigned_read(c, initial->value);
        bly_assigned_read_initial(c, initial->list);
    }
}

/* ---- Writing -------------------------------------------------------------------------------------- */

static void write_leaf(struct bly_assigned *c, uint32_t leaf)
{
    put(c->flow.bits, leaf);
    put(c->ever, leaf);
}

void bly_part_write(struct bly_assigned *c, struct bly_part p)
{
    for (uint32_t i = p.leaf; p.root && i < p.leaf + p.count; i++) {
        if (p.vague)
            put(c->vague, i);
        else
            write_leaf(c, i);
    }
}

void bly_assigned_write(struct bly_assigned *c, struct bly_expression *lvalue)
{
    bly_part_write(c, bly_part_find(c, lvalue));
}

/* ---- Calls ---------------------------------------------------------------------------------------- */

/* One leaf stands for all of several elements. */
static bool is_lumped(const struct bly_assigned *c, const struct bly_type *type)
{
    if (type->kind != BLY_TYPE_ARRAY && !type->is_array) return false;
    if (type->count == 0) return !bly_is_split(c, type);
    return (uint64_t)bly_leaves_of(c, type->of) * type->count > c->expanded;
}

static bool is_any(const struct bly_type *type)
{
    return type->kind == BLY_TYPE_POINTER && type->is_array && type->count == 0;
}

enum meant { ONE, ALL, NONE };

/* Which of the argument's leaves is leaf `i` of a parameter's: that with the same number, any, or none. */
static enum meant mean(const struct bly_assigned *c, const struct bly_type *parameter, struct bly_part p,
                       uint32_t i)
{
    const uint32_t rest = is_any(parameter) ? bly_leaves_of(c, parameter) - 1 : UINT32_MAX;
    if (p.vague || is_lumped(c, p.type) || is_lumped(c, parameter)) return ALL;
    if (i == rest && !is_any(p.type)) return p.count > rest ? ALL : NONE;
    if (is_any(p.type) && i + 1 >= p.count && i != rest) return ALL;
    return i < p.count ? ONE : NONE;
}

static void call_leaf(struct bly_assigned *c, const struct bly_expression *x,
                      const struct bly_variable *parameter, struct bly_part p, uint32_t i, bool writing)
{
    const struct bly_summary *s = x->function->summary;
    const enum meant meant = mean(c, parameter->type, p, i);
    const uint32_t from = parameter->leaf + i;
    if (meant == NONE) return;
    struct bly_part one = {p.root, p.type, p.leaf + i, 1, false}, some = p;
    some.vague = true;
    const bool ever = has(s->ever, from), vague = has(s->vague, from);
    if (!writing) {
        if (has(s->reads, from)) read_leaves(c, meant == ALL ? some : one, x->place, x->function->name);
        return;
    }
    if (meant == ONE && ever && has(s->writes, from))
        bly_part_write(c, one);
    else if (meant == ONE && ever)
        put(c->ever, one.leaf);
    if (meant == ALL && (ever || vague)) bly_part_write(c, some);
    one.vague = true;
    if (meant == ONE && vague) bly_part_write(c, one);
}

static void call_pointers(struct bly_assigned *c, struct bly_expression *x, bool writing)
{
    const struct bly_expression *argument = x->arguments;
    for (const struct bly_variable *v = x->function->parameters; v && argument;
         v = v->next, argument = argument->next) {
        if (v->type->kind != BLY_TYPE_POINTER) continue;
        const bool given = argument->kind == BLY_ADDRESS || argument->kind == BLY_DECAY;
        const struct bly_part p = bly_part_find(c, given ? argument->a : argument);
        if (!p.root) continue;
        for (uint32_t i = 0; i < bly_leaves_of(c, v->type); i++) call_leaf(c, x, v, p, i, writing);
    }
}

static void read_call(struct bly_assigned *c, struct bly_expression *x)
{
    for (struct bly_expression *y = x->arguments; y; y = y->next) {
        if (y->kind == BLY_ADDRESS || y->kind == BLY_DECAY)
            bly_assigned_read_indices(c, y->a);
        else if (y->type->kind != BLY_TYPE_POINTER && y->type->kind != BLY_TYPE_PATH)
            bly_assigned_read(c, y);
    }
    if (!x->function || !x->function->summary) return;
    call_pointers(c, x, false);
    call_pointers(c, x, true);
}

/* ---- Beginning and end of functions --------------------------------------------------------------- */

static bool summary_take(struct bly_assigned *c, struct bly_function *f)
{
    uint32_t leaves = 0;
    for (const struct bly_variable *v = f->parameters; v; v = v->next)
        leaves = v->leaf + bly_leaves_of(c, v->type);
    const uint32_t words = leaves / 64 + 1;
    uint64_t *bits = bly_arena_take(&c->unit->arena, 4 * (size_t)words * sizeof *bits);
    f->summary = bly_arena_take(&c->unit->arena, sizeof *f->summary);
    if (!bits || !f->summary) return false;
    *f->summary = (struct bly_summary){words, bits, bits + words, bits + 2 * words, bits + 3 * words};
    memset(f->summary->writes, 0xff, words * sizeof *bits);
    return true;
}

void bly_assigned_begin(struct bly_assigned *c, struct bly_function *f)
{
    c->function = f;
    c->returns = 0;
    c->breaks = c->continues = NULL;
    if (!summary_take(c, f)) refuse(c, bly_no_memory(c->unit));
    memset(c->ever, 0, c->words * sizeof *c->ever);
    memset(c->vague, 0, c->words * sizeof *c->vague);
    c->flow.dead = false;
    memset(c->flow.bits, 0xff, c->words * sizeof *c->flow.bits); /* of locals, until they are declared */
    for (const struct bly_variable *v = f->parameters; v; v = v->next)
        if (v->type->kind == BLY_TYPE_POINTER)
            bly_bits_fill(c->flow.bits, v->leaf, bly_leaves_of(c, v->type), false);
}

/* A number that the function has to write is not, where it ends or, early, returns. */
static void refuse_unwritten(struct bly_assigned *c, const char *name, struct bly_place place, bool early,
                             bool ever)
{
    if (early)
        refuse(c,
               bly_refuse_at(c->unit, place, "%s is not written when %s returns here; give it a value before",
                             name, c->function->name));
    refuse(c, bly_refuse_at(c->unit, place, "%s does not write %s%s; give it a value there",
                            c->function->name, name, ever ? " on every path" : ""));
}

static void end_state(struct bly_assigned *c, const struct bly_variable *v, const struct bly_place *early)
{
    const uint32_t count = bly_leaves_of(c, v->type);
    for (uint32_t i = 0; i < count; i++) {
        if (has(c->flow.bits, v->leaf + i)) continue;
        char name[256];
        struct bly_place place;
        if (!name_leaf(c, v, i, name, sizeof name, &place))
            c->unit->zeroes_state = true;
        else
            refuse_unwritten(c, name, early ? *early : place, early, has(c->ever, v->leaf + i));
    }
}

static void end_out(struct bly_assigned *c, const struct bly_variable *v, const struct bly_place *early)
{
    const uint32_t count = bly_leaves_of(c, v->type);
    for (uint32_t i = 0; i < count && !v->zeroed; i++) {
        if (has(c->flow.bits, v->leaf + i)) continue;
        char name[256];
        struct bly_place place;
        name_leaf(c, v, i, name, sizeof name, &place);
        if (has(c->vague, v->leaf + i))
            zero(c, v);
        else
            refuse_unwritten(c, name, early ? *early : c->function->place, early, has(c->ever, v->leaf + i));
    }
}

void bly_assigned_end(struct bly_assigned *c, const struct bly_place *early)
{
    const struct bly_summary *s = c->function->summary;
    if (c->flow.dead) return;
    for (uint32_t i = 0; i < s->words; i++) {
        s->writes[i] &= c->flow.bits[i];
        s->ever[i] |= c->ever[i];
        s->vague[i] |= c->vague[i];
    }
    for (const struct bly_variable *v = c->function->parameters; v; v = v->next) {
        if (is_start_state(c, v))
            end_state(c, v, early);
        else if (is_out(c, v))
            end_out(c, v, early);
    }
}
