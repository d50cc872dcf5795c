/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Calls: of functions of the language, of a path, and of functions of the code that are defined before.
 */
#include "parser.h"
#include "tokens.h"

#include <string.h>

/* A call whose arguments are being read. */
struct call {
    struct bly_expression *e, **last;
    const struct bly_token *name;
    const struct bly_variable *parameter; /* of a function of the code, the next */
};

static void add(struct call *c, struct bly_expression *argument)
{
    *c->last = argument;
    c->last = &argument->next;
    c->e->argument_count++;
}

static void check_count(struct bly_parser *p, const struct call *c, uint32_t wanted)
{
    if (c->e->argument_count == wanted) return;
    bly_stop(p, c->name->place, "%.*s takes %u argument%s, not %u", BLY_SHOWN(c->name), (unsigned)wanted,
             wanted == 1 ? "" : "s", (unsigned)c->e->argument_count);
}

/* ---- Arguments for pointers ---------------------------------------------------------------------- */

/* Params and constants outside functions lie in separate address spaces in OpenCL: pointers to them are of
 * other types. */
static void refuse_memory(struct bly_parser *p, const struct bly_expression *e, const struct bly_variable *v,
                          bool by_pointer)
{
    if (v->kind == BLY_VARIABLE_CONSTANT && e->type->kind == BLY_TYPE_ARRAY)
        bly_stop(p, bly_begin_of(e), "%s is an array outside functions: it can be indexed, and nothing else",
                 v->name);
    if (v->kind == BLY_VARIABLE_CONSTANT)
        bly_stop(p, bly_begin_of(e), "%s is a constant outside functions: it has no address", v->name);
    if (!by_pointer || v->type->of != p->params->type) return;
    if (e->kind == BLY_MEMBER && e->type->kind == BLY_TYPE_ARRAY)
        bly_stop(p, bly_begin_of(e), "%s is an array of params: it can be indexed, and nothing else",
                 e->field->name);
    bly_stop(p, bly_begin_of(e), "params have no address; give the function their values, or p itself");
}

/* The pointer to e: &e of a variable, or e of an array. */
static struct bly_expression *pointer_to(struct bly_parser *p, const struct bly_token *at,
                                         struct bly_expression *e, bool is_array)
{
    bool by_pointer;
    const struct bly_variable *v = bly_root(e, &by_pointer);
    if (!v) bly_stop(p, at->place, "only variables, their members and their elements have an address");
    refuse_memory(p, e, v, by_pointer);
    const bool constant = by_pointer ? v->type->constant : v->constant;
    const bool decays = e->type->kind == BLY_TYPE_ARRAY;
    const struct bly_type *of = decays ? e->type->of : e->type;
    struct bly_expression *pointer = bly_node_of(p, decays ? BLY_DECAY : BLY_ADDRESS, at, e, NULL);
    pointer->type = bly_type_pointer(p, of, decays ? e->type->count : 1, is_array || decays, constant);
    return pointer;
}

static struct bly_expression *read_pointer(struct bly_parser *p, bool is_array)
{
    const struct bly_token *at = p->token;
    if (!bly_accept(p, "&")) {
        struct bly_expression *e = bly_parse_value(p);
        return e->type->kind == BLY_TYPE_ARRAY ? pointer_to(p, at, e, is_array) : e;
    }
    struct bly_expression *e = bly_parse_unary(p);
    if (e->type->kind == BLY_TYPE_ARRAY) bly_stop(p, at->place, "& before an array; leave the & out");
    if (e->type->kind == BLY_TYPE_POINTER || e->type->kind == BLY_TYPE_PATH)
        bly_stop(p, at->place, "& before a pointer or path; leave the & out");
    return pointer_to(p, at, e, is_array);
}

static void check_elements(struct bly_parser *p, const struct bly_expression *e,
                           const struct bly_variable *parameter)
{
    const uint32_t wanted = parameter->type->count, given = e->type->count;
    if (!parameter->type->is_array || given >= wanted) return;
    if (given == 0)
        bly_stop(p, bly_begin_of(e),
                 "%s takes %u elements, and it is not known how many there are; declare this array with "
                 "its number of elements",
                 parameter->name, (unsigned)wanted);
    bly_stop(p, bly_begin_of(e), "%s takes %u elements; there %s %u", parameter->name, (unsigned)wanted,
             given == 1 ? "is" : "are", (unsigned)given);
}

static void check_pointer(struct bly_parser *p, const struct bly_expression *e,
                          const struct bly_variable *parameter)
{
    char wanted[120], given[120];
    const struct bly_type *type = parameter->type;
    const bool fits = e->type->kind == BLY_TYPE_POINTER && bly_type_is_same(e->type->of, type->of);
    if (!fits && bly_type_is_same(e->type, type->of))
        bly_stop(p, bly_begin_of(e), "%s is a pointer; write & before the variable", parameter->name);
    if (!fits)
        bly_stop(p, bly_begin_of(e), "%s is needed here, and this is %s", bly_type_words(type, wanted),
                 bly_type_words(e->type, given));
    if (e->type->is_array && !type->is_array)
        bly_stop(p, bly_begin_of(e), "%s points to one structure; write & and one element of this array",
                 parameter->name);
    if (e->type->constant && !type->constant)
        bly_stop(p, bly_begin_of(e), "%s may be written by %s, and this is const", parameter->name,
                 parameter->of->name);
    check_elements(p, e, parameter);
}

static struct bly_expression *pointer_argument(struct bly_parser *p, const struct bly_variable *parameter)
{
    bool by_pointer;
    struct bly_expression *e = read_pointer(p, parameter->type->is_array);
    check_pointer(p, e, parameter);
    bly_root(e, &by_pointer);
    if (by_pointer && !parameter->type->constant && parameter->of->writes) p->function->writes = true;
    return e;
}

/* ---- Functions of the code ----------------------------------------------------------------------- */

static void own_argument(struct bly_parser *p, struct call *c)
{
    const struct bly_variable *parameter = c->parameter;
    const uint32_t wanted = c->e->function->parameter_count;
    if (c->e->argument_count == wanted)
        bly_stop(p, c->name->place, "%.*s takes %u argument%s, and there are more", BLY_SHOWN(c->name),
                 (unsigned)wanted, wanted == 1 ? "" : "s");
    const struct bly_type *type = parameter->type;
    add(c, type->kind == BLY_TYPE_POINTER ? pointer_argument(p, parameter)
                                          : bly_as_value(p, bly_parse_value(p), type));
    c->parameter = parameter->next;
}

static struct bly_function *defined(struct bly_parser *p, const struct bly_token *name,
                                    const struct bly_symbol *symbol)
{
    if (symbol->kind != BLY_SYMBOL_FUNCTION)
        bly_stop(p, name->place, "%.*s is called like a function, and is none", BLY_SHOWN(name));
    if (!symbol->function)
        bly_stop(p, name->place,
                 "%.*s is called before it is defined; put its definition before this function",
                 BLY_SHOWN(name));
    if (symbol->function == p->function)
        bly_stop(p, name->place, "%.*s calls itself: recursion is not supported; write a loop",
                 BLY_SHOWN(name));
    return symbol->function;
}

/* Gives a function the properties that it has by calling another one. */
static void take_over(struct bly_parser *p, const struct bly_token *name, const struct bly_function *called)
{
    struct bly_function *f = p->function;
    if (!f) return;
    f->has_root |= called->has_root;
    if (called->depth >= f->depth) f->depth = called->depth + 1;
    if (called->frame > f->frame) f->frame = called->frame;
    if (f->depth > BLY_MOST_DEPTH)
        bly_stop(p, name->place, "%s: functions call each other too deeply", called->name);
}

static void own_arguments(struct bly_parser *p, struct call *c)
{
    c->parameter = c->e->function->parameters;
    if (!bly_accept(p, ")")) {
        do own_argument(p, c);
        while (bly_accept(p, ","));
        bly_expect(p, ")");
    }
    check_count(p, c, c->e->function->parameter_count);
}

static struct bly_expression *own_call(struct bly_parser *p, struct call *c, const struct bly_symbol *symbol)
{
    struct bly_function *called = defined(p, c->name, symbol);
    c->e->function = called;
    c->e->type = called->returns;
    own_arguments(p, c);
    take_over(p, c->name, called);
    if (called->writes && !p->writer) p->writer = c->e;
    return c->e;
}

/* ---- Functions of the language ------------------------------------------------------------------- */

static void plain_arguments(struct bly_parser *p, struct call *c, const struct bly_type *type)
{
    while (!bly_accept(p, ")")) {
        if (c->e->argument_count > 0) bly_expect(p, ",");
        struct bly_expression *argument = bly_parse_value(p);
        add(c, type ? bly_convert(p, argument, type) : argument);
        if (!bly_next_is(p, ",") && !bly_next_is(p, ")")) bly_expect(p, ")");
    }
}

static void library_call(struct bly_parser *p, struct call *c, const struct bly_library_function *library)
{
    c->e->library = library;
    plain_arguments(p, c, &bly_type_real);
    check_count(p, c, library->arguments);
    if (p->function) p->function->has_root |= library->root;
}

/* at(x, i, d), time(x, i): i is an int, of a motion a uint64; d is an int. */
static void path_call(struct bly_parser *p, struct call *c)
{
    const bool at = bly_token_is(c->name, "at");
    c->e->path_call = at ? BLY_PATH_AT : BLY_PATH_TIME;
    plain_arguments(p, c, NULL);
    check_count(p, c, at ? 3 : 2);
    struct bly_expression *path = c->e->arguments, *step = path->next, *dimension = step->next;
    if (path->type->kind != BLY_TYPE_PATH)
        bly_stop(p, bly_begin_of(path), "%.*s asks a path, which is the first argument", BLY_SHOWN(c->name));
    bly_need_integer(p, step, "a step");
    if (at) bly_need_integer(p, dimension, "a dimension");
    step = bly_convert(p, step, p->unit->kind == BLY_UNIT_MOTION ? &bly_type_uint64 : &bly_type_int);
    step->next = at ? bly_convert(p, dimension, &bly_type_int) : NULL;
    path->next = step;
}

static void question_call(struct bly_parser *p, struct call *c)
{
    plain_arguments(p, c, NULL);
    bly_parse_question(p, c->e, c->name);
}

/* How many arguments follow: those of the call whose bracket is the current token. */
static size_t count_ahead(const struct bly_parser *p)
{
    const struct bly_token *t = p->token + 1;
    size_t depth = 0, count = !bly_token_is(t, ")");
    for (; t->kind != BLY_TOKEN_END && (depth || !bly_token_is(t, ")")); t++) {
        depth += bly_token_is(t, "(") || bly_token_is(t, "[");
        depth -= depth && (bly_token_is(t, ")") || bly_token_is(t, "]"));
        count += !depth && bly_token_is(t, ",");
    }
    return count;
}

/* A model may have a function of a question's name, which takes a state and the parameters too. */
static bool asks_below(const struct bly_parser *p, const struct bly_name *called)
{
    return p->unit->kind == BLY_UNIT_MODEL && called->question && bly_token_is(p->token, "(") &&
           (!called->symbol || count_ahead(p) == strlen(called->question->takes));
}

struct bly_expression *bly_parse_call(struct bly_parser *p, const struct bly_token *name)
{
    const struct bly_name *called = bly_name_of(p, name);
    const bool below = asks_below(p, called);
    struct call c = {.e = bly_node(p, BLY_CALL, &bly_type_real, name), .name = name};
    c.last = &c.e->arguments;
    if (!below && !called->symbol && called->word != BLY_WORD_LIBRARY && called->word != BLY_WORD_PATH &&
        called->word != BLY_WORD_QUESTION)
        bly_stop_unknown(p, name);
    bly_expect(p, "(");
    if (called->word == BLY_WORD_LIBRARY)
        library_call(p, &c, called->library);
    else if (called->word == BLY_WORD_PATH)
        path_call(p, &c);
    else if (below || called->word == BLY_WORD_QUESTION)
        question_call(p, &c);
    else
        own_call(p, &c, called->symbol);
    bly_node_end(p, c.e);
    return c.e;
}
