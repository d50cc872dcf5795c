/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Payoff code printed as C, OpenCL C and CUDA: statements, a line each. print_loops.c decides
 * which loops are unrolled, print_order.c puts operations that may fail in order.
 */
#include "print.h"

#include <base/alloc.h>

#include <stdio.h>

#define PRINT(...) BLY_PRINT(p, __VA_ARGS__)

void bly_begin_line(struct bly_printer *p)
{
    PRINT("%*s", (int)(4 * (p->indent < 20 ? p->indent : 20)), "");
}

static void print_block(struct bly_printer *p, const struct bly_statement *body)
{
    PRINT("{\n");
    p->indent++;
    if (body && body->kind == BLY_BLOCK)
        bly_print_list(p, body->body);
    else if (body)
        bly_print_statement(p, body);
    p->indent--;
    bly_begin_line(p);
    PRINT("}");
}

/* ---- Declarations -------------------------------------------------------------------------------- */

static void print_initial(struct bly_printer *p, const struct bly_initial *initial, bool stored)
{
    if (initial->value && stored && bly_is_half(p, initial->value->type)) {
        bly_print_single(p, initial->value);
        return;
    }
    if (initial->value) {
        bly_print_ordered(p, initial->value, BLY_BINDS_SELECT);
        return;
    }
    PRINT("{");
    for (const struct bly_initial *i = initial->list; i; i = i->next) {
        print_initial(p, i, true);
        if (i->next) PRINT(", ");
    }
    PRINT(initial->list ? "}" : "0}");
}

static bool is_number(const struct bly_type *type)
{
    return type->kind != BLY_TYPE_ARRAY && type->kind != BLY_TYPE_RECORD;
}

/* The name with its arrays and value. */
static void print_declarator(struct bly_printer *p, const struct bly_variable *variable,
                             const struct bly_initial *initial)
{
    bly_print_variable(p, variable);
    bly_print_arrays(p, variable->type);
    const bool half = bly_is_half(p, variable->type) && !variable->wide;
    if (initial) PRINT(" = "), print_initial(p, initial, !half);
    if (!initial && variable->zeroed && half) PRINT(" = bly_half_same(0)");
    if (!initial && (variable->zeroed || (p->mask && is_number(variable->type))) && !half) PRINT(is_number(variable->type) ? " = 0" : " = {0}");
}

void bly_print_declaration(struct bly_printer *p, const struct bly_variable *variable,
                           const struct bly_initial *initial)
{
    if (variable->constant) PRINT("const ");
    bly_print_object_type(p, variable->type, variable->wide);
    PRINT(" ");
    print_declarator(p, variable, initial);
}

static void print_declare(struct bly_printer *p, const struct bly_statement *s)
{
    struct bly_order order = {0};
    bly_begin_line(p);
    if (p->printing->half) bly_half_widen(s->variable, s->initial);
    if (s->initial && !s->initial->value) bly_print_begin_order(p, s->initial, &order);
    if (order.count) bly_begin_line(p);
    bly_print_declaration(p, s->variable, s->initial);
    PRINT(";\n");
    bly_print_end_order(&order);
}

/* ---- switch -------------------------------------------------------------------------------------- */

/* It declares nothing itself, which in C++ a case may not jump over. */
static void print_switch(struct bly_printer *p, const struct bly_statement *s)
{
    bly_begin_line(p);
    PRINT("switch (");
    bly_print_ordered(p, s->condition, BLY_BINDS_COMMA);
    PRINT(") {\n");
    bly_print_list(p, s->body->body);
    bly_begin_line(p);
    PRINT("}\n");
}

/* ---- Loops --------------------------------------------------------------------------------------- */

/* In the head of a loop. */
static void print_head(struct bly_printer *p, const struct bly_statement *s)
{
    const bool declares = s && s->kind == BLY_DECLARE;
    if (declares) bly_print_declaration(p, s->variable, s->initial), s = s->next;
    for (bool more = declares; s; s = s->next, more = true) {
        if (more) PRINT(", ");
        if (s->kind == BLY_DECLARE)
            print_declarator(p, s->variable, s->initial);
        else if (s->kind == BLY_ASSIGN)
            bly_print_assignment(p, s);
        else if (s->kind == BLY_EVALUATE)
            bly_print_ordered(p, s->value, BLY_BINDS_SELECT);
    }
}

static void print_condition(struct bly_printer *p, const struct bly_statement *s)
{
    if (s->condition) bly_print_ordered(p, s->condition, s->site ? BLY_BINDS_COMPARE : BLY_BINDS_COMMA);
    if (s->condition && s->site) PRINT(" && ");
    if (s->site) PRINT("bly_trip(w, %u)", s->site), p->checked = true;
    if (!s->condition && !s->site) PRINT("1");
}

static void print_for(struct bly_printer *p, const struct bly_statement *s, const struct bly_statement *first)
{
    bly_begin_line(p);
    PRINT("%sfor (", s->unrolled ? "BLY_LOOP " : "");
    print_head(p, first);
    PRINT("; ");
    print_condition(p, s);
    PRINT("; ");
    print_head(p, s->each);
    PRINT(") ");
    p->mask ? bly_print_trip(p, s) : print_block(p, s->body);
    PRINT("\n");
}

static void print_while(struct bly_printer *p, const struct bly_statement *s)
{
    bly_begin_line(p);
    PRINT("while (");
    print_condition(p, s);
    PRINT(") ");
    print_block(p, s->body);
    PRINT("\n");
}

/* More than numbers, or numbers that may be halves or floats. */
static bool declares_apart(const struct bly_printer *p, const struct bly_statement *first)
{
    for (; first; first = first->next)
        if (first->kind == BLY_DECLARE &&
            (!is_number(first->variable->type) || bly_is_half(p, first->variable->type)))
            return true;
    return false;
}

void bly_print_for(struct bly_printer *p, const struct bly_statement *s) { print_for(p, s, s->first); }

static void print_loop(struct bly_printer *p, const struct bly_statement *s)
{
    if (!s->is_for || !declares_apart(p, s->first)) {
        s->is_for ? print_for(p, s, s->first) : print_while(p, s);
        return;
    }
    bly_begin_line(p);
    PRINT("{\n");
    p->indent++;
    bly_print_list(p, s->first);
    print_for(p, s, NULL);
    p->indent--;
    bly_begin_line(p);
    PRINT("}\n");
}

/* A trip is counted before each body, the first one too. */
static void print_do(struct bly_printer *p, const struct bly_statement *s)
{
    bly_begin_line(p);
    PRINT("do {\n");
    p->indent++;
    if (s->site) bly_begin_line(p), PRINT("if (!bly_trip(w, %u)) break;\n", s->site), p->checked = true;
    if (s->body) bly_print_statement(p, s->body);
    p->indent--;
    bly_begin_line(p);
    PRINT("} while (");
    bly_print_ordered(p, s->condition, BLY_BINDS_COMMA);
    PRINT(");\n");
}

/* ---- All others ---------------------------------------------------------------------------------- */

static void print_if(struct bly_printer *p, const struct bly_statement *s)
{
    bly_begin_line(p);
    PRINT("if (");
    bly_print_ordered(p, s->condition, BLY_BINDS_COMMA);
    PRINT(") ");
    print_block(p, s->body);
    if (s->otherwise) PRINT(" else "), print_block(p, s->otherwise);
    PRINT("\n");
}

static void print_case(struct bly_printer *p, const struct bly_statement *s)
{
    bly_begin_line(p);
    if (s->labelled)
        PRINT("case %lld:;\n", (long long)s->label);
    else
        PRINT("default:;\n");
}

static void print_return(struct bly_printer *p, const struct bly_statement *s)
{
    bly_begin_line(p);
    PRINT(s->value ? "return " : "return");
    if (s->value) bly_print_ordered(p, s->value, BLY_BINDS_COMMA);
    PRINT(";\n");
}

static void print_simple(struct bly_printer *p, const struct bly_statement *s)
{
    bly_begin_line(p);
    if (s->kind == BLY_ASSIGN) bly_print_assignment(p, s);
    if (s->kind == BLY_EVALUATE) bly_print_ordered(p, s->value, BLY_BINDS_COMMA);
    if (s->kind == BLY_BREAK) PRINT("break");
    if (s->kind == BLY_CONTINUE) PRINT("continue");
    if (s->kind == BLY_BLOCK) print_block(p, s);
    PRINT(s->kind == BLY_BLOCK ? "\n" : ";\n");
}

void bly_print_statement(struct bly_printer *p, const struct bly_statement *s)
{
    if (bly_print_in_lanes(p, s)) return;
    switch (s->kind) {
    case BLY_DECLARE: print_declare(p, s); break;
    case BLY_IF: print_if(p, s); break;
    case BLY_LOOP: print_loop(p, s); break;
    case BLY_DO: print_do(p, s); break;
    case BLY_SWITCH: print_switch(p, s); break;
    case BLY_CASE: print_case(p, s); break;
    case BLY_RETURN: print_return(p, s); break;
    default: print_simple(p, s); break;
    }
}

void bly_print_list(struct bly_printer *p, const struct bly_statement *s)
{
    for (; s && !p->text->failed; s = s->next) bly_print_statement(p, s);
}

/* Parts of a state that are read without having been written are 0. (Callers of finish and whole zero out[].)
 */
static void print_zeroed_state(struct bly_printer *p, const struct bly_variable *state)
{
    for (const struct bly_field_node *f = p->unit->state->fields; f; f = f->next) {
        const bool array = f->type->kind == BLY_TYPE_ARRAY;
        bly_begin_line(p);
        if (array) PRINT("for (int k = 0; k < %u; k++) ", f->type->count);
        bly_print_variable(p, state);
        PRINT("->own_%s%s = 0;\n", f->name, array ? "[k]" : "");
    }
}

void bly_print_body(struct bly_printer *p, const struct bly_function *function)
{
    p->indent = 1;
    if (function->role == BLY_ROLE_START && p->unit->zeroes_state)
        print_zeroed_state(p, function->parameters);
    p->printing->lanes ? bly_print_lanes(p, function) : bly_print_list(p, function->body->body);
}
