/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Lists as code. A value that is used more than once, or that the code has a name for, has a line to itself;
 * others stand where they are used.
 */
#include "derivative.h"
#include "symbols.h"

#include <host/payoff/machine.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WRITE(...) bly_text_add(w->text, __VA_ARGS__)
#define MOST_INLINE 5u /* operators in each other */

enum binding { BITS, SELECTION, ANY, ALL, COMPARISON, SUM, PRODUCT, UNARY, PRIMARY };

/* ---- Names --------------------------------------------------------------------------------------- */

static const char *const reserved[] = {"s",           "p",
                                       "i",           "t",
                                       "x",           "out",
                                       "all",         "next",
                                       "after",       "bar",
                                       "at",          "time",
                                       "kept",        "kept_bar",
                                       "sums",        "start",
                                       "step",        "finish",
                                       "whole",       "params",
                                       "state",       "path",
                                       "noise",       "step_path",
                                       "start_path",  "finish_path",
                                       "step_back",   "start_back",
                                       "finish_back", "pair",
                                       "by_first",    "by_time",
                                       "running",     "keep",
                                       "again_path",  "fixed_back",
                                       "by_point",    "by_covariance",
                                       "share",       "turned",
                                       "turns",       "walk",
                                       "result",      "note_jump",
                                       "other",       "sums_of",
                                       "last",        "now",
                                       "near",        "held",
                                       "distance",    "comes",
                                       "jumps",       "k"};

static const char *const of_levels[] = {"h", "n", "m", "level"};

static bool is_taken(const struct bly_list_text *w, const char *name)
{
    for (size_t i = 0; i < sizeof of_levels / sizeof *of_levels && w->d->has_pair; i++)
        if (strcmp(of_levels[i], name) == 0) return true;
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(reserved[i], name) == 0) return true;
    for (uint32_t i = 0; i < w->taken_count; i++)
        if (strcmp(w->taken[i], name) == 0) return true;
    return false;
}

/* name, or name_2, name_3 and so on. */
static const char *take_name(struct bly_list_text *w, const char *name, uint32_t *number)
{
    char text[80];
    snprintf(text, sizeof text, "%.60s", name);
    while (is_taken(w, text)) snprintf(text, sizeof text, "%.52s_%u", name, (unsigned)++*number);
    const char *taken = bly_arena_text(w->arena, text, strlen(text));
    if (taken && w->taken_count < w->taken_size) w->taken[w->taken_count++] = taken;
    return taken;
}

static const char *word_of(const struct bly_atom *v)
{
    if (v->operation == BLY_CALL && v->kind == BLY_ATOM_OPERATION) return v->library->name;
    if (v->kind == BLY_ATOM_PARAM) return "element";
    return v->type->kind == BLY_TYPE_REAL ? "value" : "is";
}

/* ---- What is printed ----------------------------------------------------------------------------- */

bool bly_list_text_begin(struct bly_list_text *w)
{
    const uint32_t count = w->r->list.count;
    w->names = bly_arena_take(w->arena, count * sizeof *w->names);
    w->uses = bly_arena_take(w->arena, count * sizeof *w->uses);
    w->depth = bly_arena_take(w->arena, count * sizeof *w->depth);
    w->taken = bly_arena_take(w->arena, count * sizeof *w->taken);
    w->taken_size = count;
    w->taken_count = 0;
    return w->names && w->uses && w->depth && w->taken;
}

void bly_list_text_need(struct bly_list_text *w, uint32_t value)
{
    if (value) w->uses[value]++;
}

static bool is_leaf(const struct bly_atom *v) { return v->kind != BLY_ATOM_OPERATION && !v->a; }

static uint32_t deeper(const struct bly_list_text *w, uint32_t operand, uint32_t depth)
{
    if (!operand || w->names[operand]) return depth;
    return w->depth[operand] + 1 > depth ? w->depth[operand] + 1 : depth;
}

static void give_name(struct bly_list_text *w, uint32_t value, uint32_t *number)
{
    char first[80];
    const struct bly_atom *v = &w->r->list.values[value];
    if (v->name) {
        uint32_t own = 1;
        w->names[value] = take_name(w, v->name, &own);
        return;
    }
    snprintf(first, sizeof first, "%s_%u", word_of(v), (unsigned)++*number);
    uint32_t own = 1;
    w->names[value] = take_name(w, first, &own);
}

const char *bly_list_text_type(const struct bly_type *type)
{
    while (type->kind == BLY_TYPE_ARRAY) type = type->of;
    switch (type->kind) {
    case BLY_TYPE_REAL: return "real";
    case BLY_TYPE_UINT32: return "uint32";
    case BLY_TYPE_INT64: return "int64";
    case BLY_TYPE_UINT64: return "uint64";
    default: return "int";
    }
}

static void value_text(struct bly_list_text *w, uint32_t value, enum binding around);
static void body_text(struct bly_list_text *w, uint32_t value, enum binding around);

void bly_list_text_lines(struct bly_list_text *w)
{
    const struct bly_atoms *list = &w->r->list;
    uint32_t number = 0;
    for (uint32_t i = list->count; i-- > 1;) {
        const struct bly_atom *v = &list->values[i];
        if (!w->uses[i]) continue;
        if (v->a) w->uses[v->a]++;
        if (v->b) w->uses[v->b]++;
        if (v->c) w->uses[v->c]++;
    }
    for (uint32_t i = 1; i < list->count && !w->text->failed; i++) {
        const struct bly_atom *v = &list->values[i];
        if (!w->uses[i] || is_leaf(v)) continue;
        w->depth[i] = deeper(w, v->a, deeper(w, v->b, deeper(w, v->c, 0)));
        if (w->uses[i] == 1 && !v->name && w->depth[i] < MOST_INLINE) continue;
        const struct bly_atom named = *v;
        give_name(w, i, &number);
        const char *name = w->names[i];
        w->names[i] = NULL;
        WRITE("    const %s %s = ", bly_list_text_type(named.type), name ? name : "");
        body_text(w, i, SELECTION);
        WRITE(";\n");
        w->names[i] = name;
        if (!name) w->text->failed = 1;
    }
}

/* ---- Leaves -------------------------------------------------------------------------------------- */

static void cell_text(const struct bly_record *record, const char *of, uint32_t cell, char *text, size_t size)
{
    char name[160];
    bly_record_name(record, cell, name, sizeof name);
    snprintf(text, size, "%s%s", of, name);
}

void bly_param_text(const struct bly_derivative *d, const char *of, uint32_t cell, char *text, size_t size)
{
    cell_text(d->unit->params, of, cell, text, size);
}

static void real_text(struct bly_list_text *w, double x)
{
    char text[64];
    const bool single = w->r->list.unit->precision == BAILEY_PRECISION_F32;
    for (int digits = 1; digits <= 17; digits++) { /* the fewest that are the same number */
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (single ? strtof(text, NULL) == (float)x : strtod(text, NULL) == x) break;
    }
    for (char *c = text; *c; c++) /* a program may have set another decimal point */
        if (!strchr("0123456789+-e", *c)) *c = '.';
    const bool plain = !strpbrk(text, ".e");
    const bool negative = text[0] == '-';
    WRITE("%s%s%s%s", negative ? "(" : "", text, plain ? ".0" : "", negative ? ")" : "");
}

/* Literals have 32 bits at most. */
static void integer_text(struct bly_list_text *w, const struct bly_atom *v)
{
    const int64_t x = v->integer;
    if (v->type->kind == BLY_TYPE_INT && x == INT32_MIN)
        WRITE("(-2147483647 - 1)");
    else if (v->type->kind == BLY_TYPE_INT)
        WRITE(x < 0 ? "(%lld)" : "%lld", (long long)x);
    else if (v->type->kind == BLY_TYPE_UINT32)
        WRITE("%lluu", (unsigned long long)x);
    else if (x >= 0 && x <= INT32_MAX)
        WRITE("(%s)%lld", bly_list_text_type(v->type), (long long)x);
    else
        WRITE("(%s)((uint64)%lluu << 32 | (uint64)%lluu)", bly_list_text_type(v->type),
              (unsigned long long)((uint64_t)x >> 32), (unsigned long long)((uint64_t)x & UINT32_MAX));
}

static void param_element(struct bly_list_text *w, const struct bly_atom *v)
{
    char text[200];
    bly_param_text(w->d, "p->", v->number, text, sizeof text);
    char *bracket = strrchr(text, '[');
    if (bracket) *bracket = 0;
    WRITE("%s[", text);
    value_text(w, v->a, SELECTION);
    WRITE("]");
}

static void point_text(const struct bly_list_text *w, uint32_t number, char *text, size_t size)
{
    const uint32_t half = w->d->dims / 2;
    if (!w->d->has_pair)
        snprintf(text, size, "x[%u]", (unsigned)number);
    else
        cell_text(bly_symbols_noise(w->d->unit), number < half ? "n->" : "m->", number % half, text, size);
}

static void leaf_text(struct bly_list_text *w, const struct bly_atom *v)
{
    const struct bly_unit *unit = w->r->list.unit;
    char text[200] = "";
    switch (v->kind) {
    case BLY_ATOM_NUMBER:
        if (v->type->kind == BLY_TYPE_REAL)
            real_text(w, v->real);
        else
            integer_text(w, v);
        return;
    case BLY_ATOM_STATE: cell_text(unit->state, "s->", v->number, text, sizeof text); break;
    case BLY_ATOM_PARAM:
        if (v->a) {
            param_element(w, v);
            return;
        }
        bly_param_text(w->d, "p->", v->number, text, sizeof text);
        break;
    case BLY_ATOM_POINT: point_text(w, v->number, text, sizeof text); break;
    case BLY_ATOM_TIME: snprintf(text, sizeof text, v->number ? "h" : "t"); break;
    case BLY_ATOM_STEP: snprintf(text, sizeof text, w->d->has_pair ? "level" : "i"); break;
    case BLY_ATOM_STATE_BAR: cell_text(unit->state, "next->", v->number, text, sizeof text); break;
    case BLY_ATOM_FIXED_BAR: snprintf(text, sizeof text, "all->fixed_bar[%u]", (unsigned)v->number); break;
    case BLY_ATOM_PARAM_BAR: bly_param_text(w->d, "all->", v->number, text, sizeof text); break;
    case BLY_ATOM_WEIGHT:
        if (!*w->members->weight) {
            WRITE("1.0"); /* in a pilot, which compares none of it */
            return;
        }
        snprintf(text, sizeof text, "p->%s[%u]", w->members->weight, (unsigned)v->number);
        break;
    case BLY_ATOM_SHARE: snprintf(text, sizeof text, "share"); break;
    case BLY_ATOM_TURN: snprintf(text, sizeof text, "turns[%u]", (unsigned)v->number); break;
    default:
        if (!*w->members->width) {
            WRITE("1.0");
            return;
        }
        snprintf(text, sizeof text, "p->%s[%u]", w->members->width, (unsigned)v->number);
    }
    WRITE("%s", text);
}

/* ---- Operators ----------------------------------------------------------------------------------- */

static enum binding binding_of(const struct bly_atom *v)
{
    switch (v->operation) {
    case BLY_CALL: return PRIMARY;
    case BLY_NEGATE:
    case BLY_NOT:
    case BLY_FLIP:
    case BLY_CONVERT: return UNARY;
    case BLY_MULTIPLY:
    case BLY_DIVIDE:
    case BLY_REMAINDER: return PRODUCT;
    case BLY_ADD:
    case BLY_SUBTRACT: return SUM;
    case BLY_AND: return ALL;
    case BLY_OR: return ANY;
    case BLY_SELECT: return SELECTION;
    default: return bly_is_comparison(v->operation) ? COMPARISON : BITS;
    }
}

static void call_text(struct bly_list_text *w, const struct bly_atom *v)
{
    const uint32_t operands[3] = {v->a, v->b, v->c};
    WRITE("%s(", v->library->name);
    for (uint32_t k = 0; k < v->library->arguments; k++) {
        if (k) WRITE(", ");
        value_text(w, operands[k], SELECTION);
    }
    WRITE(")");
}

static void operation_text(struct bly_list_text *w, const struct bly_atom *v)
{
    const enum binding own = binding_of(v);
    switch (v->operation) {
    case BLY_CALL: call_text(w, v); break;
    case BLY_NEGATE:
    case BLY_NOT:
    case BLY_FLIP:
        WRITE("%s", v->operation == BLY_NEGATE ? "-" : v->operation == BLY_NOT ? "!" : "~");
        value_text(w, v->a, PRIMARY);
        break;
    case BLY_CONVERT:
        WRITE("(%s)", bly_list_text_type(v->type));
        value_text(w, v->a, PRIMARY);
        break;
    case BLY_SELECT:
        value_text(w, v->a, COMPARISON);
        WRITE(" ? ");
        value_text(w, v->b, ANY);
        WRITE(" : ");
        value_text(w, v->c, ANY);
        break;
    default: {
        const bool bits = own == BITS, joins = own == ALL || own == ANY;
        value_text(w, v->a, bits ? PRIMARY : joins ? COMPARISON : own == COMPARISON ? SUM : own);
        WRITE(" %s ", bly_sign_of(v->operation));
        value_text(w, v->b, bits ? PRIMARY : joins ? COMPARISON : own == COMPARISON ? SUM : own + 1);
    }
    }
}

static void body_text(struct bly_list_text *w, uint32_t value, enum binding around)
{
    const struct bly_atom *v = &w->r->list.values[value];
    if (v->kind != BLY_ATOM_OPERATION) {
        leaf_text(w, v);
        return;
    }
    const bool turns = w->turned && value < w->r->primal && w->r->turn_of[value];
    const bool brackets = turns || binding_of(v) < around;
    if (turns) WRITE("((turned == %u) != ", (unsigned)w->r->turn_of[value] - 1);
    if (brackets) WRITE("(");
    operation_text(w, v);
    if (brackets) WRITE(turns ? "))" : ")");
}

static void value_text(struct bly_list_text *w, uint32_t value, enum binding around)
{
    if (w->names[value])
        WRITE("%s", w->names[value]);
    else
        body_text(w, value, around);
}

void bly_list_text_value(struct bly_list_text *w, uint32_t value) { value_text(w, value, SELECTION); }
