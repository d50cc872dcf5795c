/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Payoff code printed as C, OpenCL C and CUDA: statements, a line each. What a loop is told to the compiler
 * with is print_loops.c's, the order of what may fail print_order.c's.
 */
#include "print.h"

#include <base/alloc.h>

#include <stdio.h>

#define SAY(...) BLY_SAY(p, __VA_ARGS__)

static void say_list(struct bly_printer *p, const struct bly_statement *s);
static void say(struct bly_printer *p, const struct bly_statement *s);

static void begin_line(struct bly_printer *p)
{
    SAY("%*s", (int)(4 * (p->indent < 20 ? p->indent : 20)), "");
}

static void say_block(struct bly_printer *p, const struct bly_statement *body)
{
    SAY("{\n");
    p->indent++;
    if (body && body->kind == BLY_BLOCK)
        say_list(p, body->body);
    else if (body)
        say(p, body);
    p->indent--;
    begin_line(p);
    SAY("}");
}

/* ---- Declarations -------------------------------------------------------------------------------- */

static void say_initial(struct bly_printer *p, const struct bly_initial *initial)
{
    if (initial->value) {
        bly_print_ordered(p, initial->value, BLY_BINDS_SELECT);
        return;
    }
    SAY("{");
    for (const struct bly_initial *i = initial->list; i; i = i->next) {
        say_initial(p, i);
        if (i->next) SAY(", ");
    }
    SAY(initial->list ? "}" : "0}");
}

static bool is_number(const struct bly_type *type)
{
    return type->kind != BLY_TYPE_ARRAY && type->kind != BLY_TYPE_RECORD;
}

/* The name with its arrays and value. */
static void say_declarator(struct bly_printer *p, const struct bly_variable *variable,
                           const struct bly_initial *initial)
{
    bly_print_variable(p, variable);
    bly_print_arrays(p, variable->type);
    if (initial) SAY(" = "), say_initial(p, initial);
    if (!initial && variable->zeroed) SAY(is_number(variable->type) ? " = 0" : " = {0}");
}

void bly_print_declaration(struct bly_printer *p, const struct bly_variable *variable,
                           const struct bly_initial *initial)
{
    if (variable->constant) SAY("const ");
    bly_print_type(p, variable->type);
    SAY(" ");
    say_declarator(p, variable, initial);
}

static void say_declare(struct bly_printer *p, const struct bly_statement *s)
{
    struct bly_order order = {0};
    begin_line(p);
    if (s->initial && !s->initial->value) bly_print_begin_order(p, s->initial, &order);
    if (order.count) begin_line(p);
    bly_print_declaration(p, s->variable, s->initial);
    SAY(";\n");
    bly_print_end_order(&order);
}

/* ---- switch -------------------------------------------------------------------------------------- */

/* It declares nothing itself, which in C++ a case may not jump over. */
static void say_switch(struct bly_printer *p, const struct bly_statement *s)
{
    begin_line(p);
    SAY("switch (");
    bly_print_ordered(p, s->condition, BLY_BINDS_COMMA);
    SAY(") {\n");
    say_list(p, s->body->body);
    begin_line(p);
    SAY("}\n");
}

/* ---- Loops --------------------------------------------------------------------------------------- */

/* In the head of a loop. */
static void say_head(struct bly_printer *p, const struct bly_statement *s)
{
    const bool declares = s && s->kind == BLY_DECLARE;
    if (declares) bly_print_declaration(p, s->variable, s->initial), s = s->next;
    for (bool more = declares; s; s = s->next, more = true) {
        if (more) SAY(", ");
        if (s->kind == BLY_DECLARE)
            say_declarator(p, s->variable, s->initial);
        else if (s->kind == BLY_ASSIGN)
            bly_print_assignment(p, s);
        else if (s->kind == BLY_EVALUATE)
            bly_print_ordered(p, s->value, BLY_BINDS_SELECT);
    }
}

static void say_condition(struct bly_printer *p, const struct bly_statement *s)
{
    if (s->condition) bly_print_ordered(p, s->condition, s->site ? BLY_BINDS_COMPARE : BLY_BINDS_COMMA);
    if (s->condition && s->site) SAY(" && ");
    if (s->site) SAY("bly_trip(w, %u)", s->site), p->checked = true;
    if (!s->condition && !s->site) SAY("1");
}

static void say_for(struct bly_printer *p, const struct bly_statement *s, const struct bly_statement *first)
{
    begin_line(p);
    SAY("%sfor (", s->unrolled ? "BLY_LOOP " : "");
    say_head(p, first);
    SAY("; ");
    say_condition(p, s);
    SAY("; ");
    say_head(p, s->each);
    SAY(") ");
    say_block(p, s->body);
    SAY("\n");
}

static void say_while(struct bly_printer *p, const struct bly_statement *s)
{
    begin_line(p);
    SAY("while (");
    say_condition(p, s);
    SAY(") ");
    say_block(p, s->body);
    SAY("\n");
}

static bool declares_more_than_numbers(const struct bly_statement *first)
{
    for (; first; first = first->next)
        if (first->kind == BLY_DECLARE && !is_number(first->variable->type)) return true;
    return false;
}

static void say_loop(struct bly_printer *p, const struct bly_statement *s)
{
    if (!s->is_for || !declares_more_than_numbers(s->first)) {
        s->is_for ? say_for(p, s, s->first) : say_while(p, s);
        return;
    }
    begin_line(p);
    SAY("{\n");
    p->indent++;
    say_list(p, s->first);
    say_for(p, s, NULL);
    p->indent--;
    begin_line(p);
    SAY("}\n");
}

/* A trip is counted before each body, the first one too. */
static void say_do(struct bly_printer *p, const struct bly_statement *s)
{
    begin_line(p);
    SAY("do {\n");
    p->indent++;
    if (s->site) begin_line(p), SAY("if (!bly_trip(w, %u)) break;\n", s->site), p->checked = true;
    if (s->body) say(p, s->body);
    p->indent--;
    begin_line(p);
    SAY("} while (");
    bly_print_ordered(p, s->condition, BLY_BINDS_COMMA);
    SAY(");\n");
}

/* ---- All others ---------------------------------------------------------------------------------- */

static void say_if(struct bly_printer *p, const struct bly_statement *s)
{
    begin_line(p);
    SAY("if (");
    bly_print_ordered(p, s->condition, BLY_BINDS_COMMA);
    SAY(") ");
    say_block(p, s->body);
    if (s->otherwise) SAY(" else "), say_block(p, s->otherwise);
    SAY("\n");
}

static void say_case(struct bly_printer *p, const struct bly_statement *s)
{
    begin_line(p);
    if (s->labelled)
        SAY("case %lld:;\n", (long long)s->label);
    else
        SAY("default:;\n");
}

static void say_return(struct bly_printer *p, const struct bly_statement *s)
{
    begin_line(p);
    SAY(s->value ? "return " : "return");
    if (s->value) bly_print_ordered(p, s->value, BLY_BINDS_COMMA);
    SAY(";\n");
}

static void say_simple(struct bly_printer *p, const struct bly_statement *s)
{
    begin_line(p);
    if (s->kind == BLY_ASSIGN) bly_print_assignment(p, s);
    if (s->kind == BLY_EVALUATE) bly_print_ordered(p, s->value, BLY_BINDS_COMMA);
    if (s->kind == BLY_BREAK) SAY("break");
    if (s->kind == BLY_CONTINUE) SAY("continue");
    if (s->kind == BLY_BLOCK) say_block(p, s);
    SAY(s->kind == BLY_BLOCK ? "\n" : ";\n");
}

static void say(struct bly_printer *p, const struct bly_statement *s)
{
    switch (s->kind) {
    case BLY_DECLARE: say_declare(p, s); break;
    case BLY_IF: say_if(p, s); break;
    case BLY_LOOP: say_loop(p, s); break;
    case BLY_DO: say_do(p, s); break;
    case BLY_SWITCH: say_switch(p, s); break;
    case BLY_CASE: say_case(p, s); break;
    case BLY_RETURN: say_return(p, s); break;
    default: say_simple(p, s); break;
    }
}

static void say_list(struct bly_printer *p, const struct bly_statement *s)
{
    for (; s && !p->text->failed; s = s->next) say(p, s);
}

/* What is read of a state without having been written is 0. (So is out[], by those who call finish and
 * whole.) */
static void say_zeroed_state(struct bly_printer *p, const struct bly_variable *state)
{
    for (const struct bly_field_node *f = p->unit->state->fields; f; f = f->next) {
        const bool array = f->type->kind == BLY_TYPE_ARRAY;
        begin_line(p);
        if (array) SAY("for (int k = 0; k < %u; k++) ", f->type->count);
        bly_print_variable(p, state);
        SAY("->own_%s%s = 0;\n", f->name, array ? "[k]" : "");
    }
}

void bly_print_body(struct bly_printer *p, const struct bly_function *function)
{
    p->indent = 1;
    if (function->role == BLY_ROLE_START && p->unit->zeroes_state) say_zeroed_state(p, function->parameters);
    say_list(p, function->body->body);
}
