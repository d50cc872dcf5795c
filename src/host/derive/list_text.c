/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Lists as code. A value that is used more than once, or that the code has a name for, has a line to itself;
 * others stand where they are used. Numbers that a loop carries are variables, which its body writes at its
 * end.
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
                                       "jumps",       "k",
                                       "own",         "gap",
                                       "gaps",        "base",
                                       "seen",        "seen_count",
                                       "seed",        "x_change",
                                       "t_change",    "inside"};

static const char *const of_levels[] = {"h", "n", "m", "level"};

/* Where in the table a name is, or would be. */
static struct bly_taken_name *taken_slot(const struct bly_list_text *w, const char *name)
{
    uint32_t hash = 2166136261u;
    for (const char *c = name; *c; c++) hash = (hash ^ (unsigned char)*c) * 16777619u; /* FNV-1a */
    hash &= w->taken_size - 1;
    while (w->taken[hash].name && strcmp(w->taken[hash].name, name) != 0)
        hash = (hash + 1) & (w->taken_size - 1);
    return &w->taken[hash];
}

static bool is_taken(const struct bly_list_text *w, const char *name)
{
    for (size_t i = 0; i < sizeof of_levels / sizeof *of_levels && w->d->has_pair; i++)
        if (strcmp(of_levels[i], name) == 0) return true;
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(reserved[i], name) == 0) return true;
    if (bly_library_find(name, strlen(name)))
        return true; /* a field may be called log, and a variable may not */
    return taken_slot(w, name)->name != NULL;
}

/* name, or name_2, name_3 and so on. */
static const char *take_name(struct bly_list_text *w, const char *name)
{
    char text[80], first[80];
    snprintf(first, sizeof first, "%.60s", name);
    snprintf(text, sizeof text, "%s", first);
    const struct bly_taken_name *own = taken_slot(w, first);
    uint32_t number = own->name ? own->last : 1; /* those up to it are taken */
    while (is_taken(w, text)) snprintf(text, sizeof text, "%.52s_%u", name, (unsigned)++number);
    if (own->name) taken_slot(w, first)->last = number;
    const char *taken = bly_arena_text(w->arena, text, strlen(text));
    struct bly_taken_name *slot = taken_slot(w, text);
    if (2 * w->taken_count >= w->taken_size) return NULL;
    *slot = (struct bly_taken_name){taken, 1};
    w->taken_count++;
    return taken;
}

static const char *word_of(const struct bly_atom *v)
{
    if (v->operation == BLY_CALL && v->kind == BLY_ATOM_OPERATION) return v->library->name;
    if (v->kind == BLY_ATOM_PARAM) return "element";
    return v->type->kind == BLY_TYPE_REAL ? "value" : "is";
}

/* ---- Printing -------------------------------------------------------------------------------------- */

bool bly_list_text_begin(struct bly_list_text *w)
{
    const uint32_t count = w->r->list.count;
    w->names = bly_arena_take(w->arena, count * sizeof *w->names);
    w->uses = bly_arena_take(w->arena, count * sizeof *w->uses);
    w->depth = bly_arena_take(w->arena, count * sizeof *w->depth);
    for (w->taken_size = 16; w->taken_size < 3 * count;) w->taken_size *= 2;
    w->taken = bly_arena_take(w->arena, w->taken_size * sizeof *w->taken);
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
        w->names[value] = take_name(w, v->name);
        return;
    }
    snprintf(first, sizeof first, "%s_%u", word_of(v), (unsigned)++*number);
    w->names[value] = take_name(w, first);
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

/* A value that is used in a loop but is not of its body has a line before that loop. */
static void use(struct bly_list_text *w, const struct bly_atom *by, uint32_t operand)
{
    if (operand) w->uses[operand] += w->r->list.values[operand].loop == by->loop ? 1 : 2;
}

static void count_uses(struct bly_list_text *w)
{
    const struct bly_atoms *list = &w->r->list;
    for (uint32_t i = list->count; i-- > 1;) {
        const struct bly_atom *v = &list->values[i];
        if (!w->uses[i]) continue;
        use(w, v, v->a);
        use(w, v, v->b);
        use(w, v, v->c);
    }
}

static void line_text(struct bly_list_text *w, uint32_t i)
{
    const struct bly_atom *v = &w->r->list.values[i];
    if (!w->uses[i] || is_leaf(v)) return;
    w->depth[i] = deeper(w, v->a, deeper(w, v->b, deeper(w, v->c, 0)));
    if (w->uses[i] == 1 && !v->name && w->depth[i] < MOST_INLINE) return;
    const struct bly_atom named = *v;
    give_name(w, i, &w->number);
    const char *name = w->names[i];
    w->names[i] = NULL;
    WRITE("%*sconst %s %s = ", (int)w->indent, "", bly_list_text_type(named.type), name ? name : "");
    body_text(w, i, SELECTION);
    WRITE(";\n");
    w->names[i] = name;
    if (!name) w->text->failed = 1;
}

/* ---- Loops --------------------------------------------------------------------------------------- */

/* Lines in the order of the code: by the value that they were made for, then by their numbers. */
struct lines {
    uint32_t *in_order;   /* [count] */
    uint32_t count, at;   /* the next one */
    uint8_t *is_needed;   /* [carried_count] */
    const char **carried; /* [carried_count]: names */
    uint32_t printed;     /* the last loop that was begun */
};

/* Carried numbers that what is needed depends on, and with them what they are before and behind a round. */
static void need_carried(struct bly_list_text *w, struct lines *l, uint8_t *reached)
{
    const struct bly_atoms *list = &w->r->list;
    bool more = true;
    for (uint32_t i = 1; i < list->count; i++) reached[i] = w->uses[i] != 0;
    while (more) {
        more = false;
        for (uint32_t i = list->count; i-- > 1;) {
            const struct bly_atom *v = &list->values[i];
            if (!reached[i]) continue;
            reached[v->a] = reached[v->b] = reached[v->c] = 1;
            if (v->kind != BLY_ATOM_CARRIED && v->kind != BLY_ATOM_LEFT) continue;
            const uint32_t first = list->loops[list->carried[v->number].loop].first;
            for (uint32_t c = first;; c = v->number) {
                more |= !l->is_needed[c];
                l->is_needed[c] = 1;
                reached[list->carried[c].initial] = reached[list->carried[c].next] = 1;
                if (c == v->number) break;
            }
        }
    }
    for (uint32_t c = 1; c < list->carried_count; c++) {
        if (!l->is_needed[c]) continue;
        bly_list_text_need(w, list->carried[c].initial);
        bly_list_text_need(w, list->carried[c].next);
    }
}

static const char *carried_name(struct bly_list_text *w, uint32_t number)
{
    const struct bly_carried *c = &w->r->list.carried[number];
    const char *given = w->r->list.values[c->next].name;
    char text[80];
    snprintf(text, sizeof text, "%.52s_so_far",
             given                            ? given
             : c->type->kind == BLY_TYPE_REAL ? "value"
                                              : "is");
    return take_name(w, text);
}

static void name_carried(struct bly_list_text *w, struct lines *l)
{
    const struct bly_atoms *list = &w->r->list;
    for (uint32_t c = 1; c < list->carried_count; c++) {
        if (!l->is_needed[c]) continue;
        l->carried[c] = carried_name(w, c);
        if (!l->carried[c]) w->text->failed = 1;
        w->names[list->carried[c].inner] = w->names[list->carried[c].left] = l->carried[c];
    }
}

static void block_text(struct bly_list_text *w, struct lines *l, uint32_t loop, uint32_t end);

/* All that is carried on is computed before any of it is written. */
static void carry_text(struct bly_list_text *w, struct lines *l, uint32_t loop)
{
    const struct bly_atoms *list = &w->r->list;
    for (int write = 0; write < 2; write++)
        for (uint32_t c = 1; c < list->carried_count; c++) {
            const struct bly_carried *of = &list->carried[c];
            if (!l->is_needed[c] || of->loop != loop || of->next == of->inner) continue;
            if (write) {
                WRITE("%*s%s = %s_next;\n", (int)w->indent, "", l->carried[c], l->carried[c]);
                continue;
            }
            WRITE("%*sconst %s %s_next = ", (int)w->indent, "", bly_list_text_type(of->type), l->carried[c]);
            value_text(w, of->next, SELECTION);
            WRITE(";\n");
        }
}

static void loop_text(struct bly_list_text *w, struct lines *l, uint32_t loop)
{
    const struct bly_atoms *list = &w->r->list;
    const uint32_t more = list->loops[loop].first;
    l->printed = loop;
    if (!l->is_needed[more]) { /* nothing of it is */
        while (l->at < l->count && list->values[l->in_order[l->at]].order < list->loops[loop].end) l->at++;
        while (l->printed + 1 < list->loop_count && bly_loop_is_within(list, l->printed + 1, loop))
            l->printed++;
        return;
    }
    for (uint32_t c = 1; c < list->carried_count; c++) {
        if (!l->is_needed[c] || list->carried[c].loop != loop) continue;
        WRITE("%*s%s %s = ", (int)w->indent, "", bly_list_text_type(list->carried[c].type), l->carried[c]);
        value_text(w, list->carried[c].initial, SELECTION);
        WRITE(";\n");
    }
    WRITE("%*swhile (%s) {\n", (int)w->indent, "", l->carried[more]);
    w->indent += 4;
    block_text(w, l, loop, list->loops[loop].end);
    carry_text(w, l, loop);
    w->indent -= 4;
    WRITE("%*s}\n", (int)w->indent, "");
}

/* Values up to order `end`, and the loops among them: these are numbered as they begin. */
static void block_text(struct bly_list_text *w, struct lines *l, uint32_t loop, uint32_t end)
{
    const struct bly_atoms *list = &w->r->list;
    while (!w->text->failed) {
        const uint32_t next = l->printed + 1,
                       order = l->at < l->count ? list->values[l->in_order[l->at]].order : end;
        const bool has_loop =
            next < list->loop_count && list->loops[next].outer == loop && list->loops[next].begin < end;
        if (has_loop && list->loops[next].begin <= order) {
            loop_text(w, l, next);
            continue;
        }
        if (order >= end) return;
        line_text(w, l->in_order[l->at++]);
    }
}

/* By a count of the values of each order. */
static void sort_lines(const struct bly_atoms *list, struct lines *l, uint32_t *before)
{
    for (uint32_t i = 1; i < list->count; i++) before[list->values[i].order + 1]++;
    for (uint32_t i = 1; i <= list->count; i++) before[i] += before[i - 1];
    for (uint32_t i = 1; i < list->count; i++) l->in_order[before[list->values[i].order]++] = i;
    l->count = list->count - 1;
}

static void all_with_loops(struct bly_list_text *w)
{
    const struct bly_atoms *list = &w->r->list;
    struct lines l = {0};
    uint8_t *reached = bly_arena_take(w->arena, list->count);
    uint32_t *before = bly_arena_take(w->arena, (list->count + 2) * sizeof *before);
    l.in_order = bly_arena_take(w->arena, list->count * sizeof *l.in_order);
    l.is_needed = bly_arena_take(w->arena, list->carried_count + 1);
    l.carried = bly_arena_take(w->arena, (list->carried_count + 1) * sizeof *l.carried);
    if (!reached || !before || !l.in_order || !l.is_needed || !l.carried) {
        w->text->failed = 1;
        return;
    }
    need_carried(w, &l, reached);
    count_uses(w);
    name_carried(w, &l);
    sort_lines(list, &l, before);
    block_text(w, &l, 0, UINT32_MAX);
}

void bly_list_text_lines(struct bly_list_text *w)
{
    w->number = 0;
    w->indent = 4;
    if (w->r->list.loop_count > 1) {
        all_with_loops(w);
        return;
    }
    count_uses(w);
    for (uint32_t i = 1; i < w->r->list.count && !w->text->failed; i++) line_text(w, i);
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
    case BLY_ATOM_CHANGE:
        snprintf(text, sizeof text, v->number == w->d->dims ? "t_change" : "x_change[%u]",
                 (unsigned)v->number);
        break;
    case BLY_ATOM_SEED:
        WRITE("seed[%u", (unsigned)v->number);
        if (v->a) {
            WRITE(" + ");
            value_text(w, v->a, PRODUCT);
        }
        WRITE("]");
        return;
    case BLY_ATOM_PATH:
        WRITE(v->number == BLY_PATH_AT ? "at(x, " : "time(x, ");
        value_text(w, v->a, SELECTION);
        if (v->b) {
            WRITE(", ");
            value_text(w, v->b, SELECTION);
        }
        WRITE(")");
        return;
    case BLY_ATOM_TURN: snprintf(text, sizeof text, "turns[%u]", (unsigned)v->number); break;
    case BLY_ATOM_SIDE:
        snprintf(text, sizeof text, "p->%s[%u]", w->members->side, (unsigned)v->number);
        break;
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

/* Whether a comparison is what it is not: that of the turn `turned` where `own` says so, and those behind it
 * whose sides differ by as much, `gap`. */
static void turned_text(struct bly_list_text *w, const struct bly_atom *v, uint32_t turn)
{
    if (!w->d->repeats) {
        WRITE("((turned == %u) != ", (unsigned)turn);
        return;
    }
    WRITE("((turned == %u ? own : turned < %u && fabs((", (unsigned)turn, (unsigned)turn);
    value_text(w, v->a, SELECTION);
    WRITE(") - (");
    value_text(w, v->b, SELECTION);
    WRITE(")) == gap) != ");
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
    if (turns) turned_text(w, v, w->r->turn_of[value] - 1);
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
