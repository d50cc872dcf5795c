/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Expressions: operators by their precedence, and what stands behind and before an operand. No part of an
 * expression changes anything, so the order in which its parts are evaluated cannot matter; a call that
 * writes is the whole of it.
 */
#include "parser.h"

#include <string.h>

/* ---- Operands ------------------------------------------------------------------------------------ */

static struct bly_expression *size(struct bly_parser *p, const struct bly_token *token)
{
    const struct bly_unit *unit = p->unit;
    const char *name = bly_name_of(p, token)->text;
    struct bly_expression *e = bly_node(p, BLY_SIZE, &bly_type_int, token);
    e->name = name;
    e->integer = strcmp(name, "DIMS") == 0    ? unit->dims
                 : strcmp(name, "STEPS") == 0 ? unit->steps
                                              : unit->levels;
    return e;
}

static struct bly_expression *symbol(struct bly_parser *p, const struct bly_token *token,
                                     const struct bly_symbol *symbol)
{
    if (symbol->kind == BLY_SYMBOL_NUMBER) return bly_node_integer(p, token, symbol->number);
    if (symbol->kind == BLY_SYMBOL_FUNCTION)
        bly_stop(p, token->place, "%.*s is a function: it can be called, and nothing else", BLY_SHOWN(token));
    if (symbol->kind == BLY_SYMBOL_TYPE)
        bly_stop(p, token->place, "the type %.*s where a value should be", BLY_SHOWN(token));
    if (!symbol->variable || !symbol->variable->type)
        bly_stop(p, token->place, "%.*s is used in its own declaration, where it has no value",
                 BLY_SHOWN(token));
    struct bly_expression *e = bly_node(p, BLY_VARIABLE, symbol->variable->type, token);
    e->variable = symbol->variable;
    return e;
}

static void refuse_type_call(struct bly_parser *p, const struct bly_token *token)
{
    if (bly_begins_type(p, token))
        bly_stop(p, token->place, "( after the type %.*s; a conversion is (%.*s)x", BLY_SHOWN(token),
                 BLY_SHOWN(token));
}

static struct bly_expression *named(struct bly_parser *p)
{
    const struct bly_token *token = p->token++;
    const struct bly_name *name = bly_name_of(p, token);
    const bool called = bly_next_is(p, "(");
    if (called) refuse_type_call(p, token);
    if (called && name->word != BLY_WORD_SIZE) return bly_parse_call(p, token);
    if (name->word == BLY_WORD_SIZE) return size(p, token);
    if (name->word == BLY_WORD_LIBRARY || name->word == BLY_WORD_PATH)
        bly_stop(p, token->place, "%s is a function: it can be called, and nothing else", name->text);
    if (!name->symbol) bly_stop_unknown(p, token);
    return symbol(p, token, name->symbol);
}

static struct bly_expression *bracketed(struct bly_parser *p)
{
    const struct bly_token *open = p->token++;
    if (bly_next_is(p, "{")) bly_stop(p, open->place, "({ ... }) is not supported; write a function");
    struct bly_expression *e = bly_parse_value(p);
    bly_expect(p, ")");
    if (bly_next_is(p, "("))
        bly_stop(p, open->place, "a call begins with the name of a function, without brackets");
    return e;
}

static struct bly_expression *operand(struct bly_parser *p)
{
    const struct bly_token *token = p->token;
    if (token->kind == BLY_TOKEN_NUMBER) return bly_parse_number(p);
    if (token->kind == BLY_TOKEN_NAME) return named(p);
    if (bly_next_is(p, "(")) return bracketed(p);
    if (token->kind == BLY_TOKEN_END) bly_stop(p, token->place, "the code ends where a value should be");
    if (bly_next_is(p, "{"))
        bly_stop(p, token->place, "{ ... } gives values where a variable is declared, and nowhere else");
    bly_stop(p, token->place, "%.*s where a value should be", BLY_SHOWN(token));
}

/* ---- Members and elements ------------------------------------------------------------------------ */

_Noreturn static void stop_member(struct bly_parser *p, const struct bly_record *record,
                                  const struct bly_token *member)
{
    char words[100];
    struct bly_near near = {.token = member};
    for (const struct bly_field_node *field = record->fields; field; field = field->next)
        bly_near_try(&near, field->name);
    if (!record->fields)
        bly_stop(p, member->place, "%s has no members: it is not declared before", record->name);
    bly_stop(p, member->place, "%s has no member %.*s%s", bly_type_words(record->type, (char[120]){0}),
             BLY_SHOWN(member), bly_near_words(&near, words));
}

static const struct bly_record *record_of(struct bly_parser *p, const struct bly_expression *e,
                                          const struct bly_token *sign)
{
    const bool arrow = bly_token_is(sign, "->");
    const struct bly_type *type = e->type;
    if (type->kind == BLY_TYPE_RECORD && !arrow) return type->record;
    if (type->kind == BLY_TYPE_RECORD) bly_stop(p, sign->place, "-> after a structure; write .");
    if (type->kind == BLY_TYPE_ARRAY || (type->kind == BLY_TYPE_POINTER && type->is_array))
        bly_stop(p, sign->place, "an array has no members; append [...] for one of its elements");
    if (type->kind != BLY_TYPE_POINTER) bly_stop(p, sign->place, "only a structure has members");
    if (!arrow) bly_stop(p, sign->place, ". after a pointer; write ->");
    return type->of->record;
}

static struct bly_expression *member(struct bly_parser *p, struct bly_expression *a)
{
    const struct bly_token *sign = p->token++;
    const struct bly_record *record = record_of(p, a, sign);
    const struct bly_token *name = bly_expect_name(p, "the name of a member");
    struct bly_field_node *field = bly_record_find(record, name);
    if (!field) stop_member(p, record, name);
    bly_note_member(name, record->kind);
    if (bly_next_is(p, "(")) bly_stop(p, name->place, "the member %s is called", field->name);
    struct bly_expression *e = bly_node_of(p, BLY_MEMBER, sign, a, NULL);
    e->type = field->type;
    e->field = field;
    return e;
}

static void need_array(struct bly_parser *p, const struct bly_expression *e, const struct bly_token *at)
{
    char words[120];
    bool by_pointer;
    const bool is_pointer = e->type->kind == BLY_TYPE_POINTER;
    if (is_pointer && !e->type->is_array && e->type->of->record->kind != BLY_RECORD_OWN)
        bly_stop(p, at->place, "a pointer to one structure; write ->");
    if (is_pointer && !e->type->is_array)
        bly_stop(p, at->place, "a pointer to one structure; write ->, or declare it as %s%s x[]",
                 e->type->constant ? "const " : "", bly_type_words(e->type->of, words));
    if (!is_pointer && e->type->kind != BLY_TYPE_ARRAY) bly_stop(p, at->place, "only an array has elements");
    if (!bly_root(e, &by_pointer))
        bly_stop(p, at->place, "an array in the result of a call; keep the result in a variable first");
}

static struct bly_expression *element(struct bly_parser *p, struct bly_expression *a)
{
    const struct bly_token *open = p->token++;
    need_array(p, a, open);
    struct bly_expression *index = bly_parse_value(p);
    bly_need_integer(p, index, "an index");
    bly_expect(p, "]");
    struct bly_expression *e = bly_node_of(p, BLY_INDEX, open, a, index);
    e->type = a->type->of;
    return e;
}

static struct bly_expression *postfix(struct bly_parser *p)
{
    struct bly_expression *e = operand(p);
    for (;;) {
        if (bly_next_is(p, "["))
            e = element(p, e);
        else if (bly_next_is(p, ".") || bly_next_is(p, "->"))
            e = member(p, e);
        else
            return e;
    }
}

/* ---- Operators before an operand ----------------------------------------------------------------- */

static struct bly_expression *conversion(struct bly_parser *p)
{
    const struct bly_token *open = p->token++;
    const struct bly_type *type = bly_parse_type_name(p);
    bly_expect(p, ")");
    if (bly_next_is(p, "{"))
        bly_stop(p, open->place, "(type){ ... } is not supported; declare a variable with these values");
    if (type->kind == BLY_TYPE_VOID) bly_stop(p, open->place, "(void) is for a statement of its own");
    if (!bly_type_is_number(type))
        bly_stop(p, open->place, "a conversion makes a number of a number, and nothing else");
    struct bly_expression *e = bly_convert(p, bly_parse_unary(p), type);
    e->place = open->place;
    return e;
}

static void refuse_before(struct bly_parser *p)
{
    const struct bly_place place = p->token->place;
    if (bly_next_is(p, "*")) bly_stop(p, place, "*x is not supported; write x[0], or x->member");
    if (bly_next_is(p, "&") || bly_next_is(p, "&&"))
        bly_stop(p, place, "& is for an argument of a function that takes a pointer, and nothing else");
    if (bly_next_is(p, "++") || bly_next_is(p, "--"))
        bly_stop(p, place, "%.*s within an expression; write it as a separate statement",
                 BLY_SHOWN(p->token));
}

static struct bly_expression *operation_before(struct bly_parser *p)
{
    const struct bly_token *sign = p->token++;
    struct bly_expression *a = bly_parse_unary(p);
    if (bly_token_is(sign, "!")) {
        struct bly_expression *e = bly_node_of(p, BLY_NOT, sign, bly_as_truth(p, a), NULL);
        e->type = &bly_type_int;
        return e;
    }
    bly_need_number(p, a);
    if (bly_token_is(sign, "+")) return a;
    if (bly_token_is(sign, "-")) return bly_node_of(p, BLY_NEGATE, sign, a, NULL);
    if (a->type->kind == BLY_TYPE_REAL) bly_stop(p, sign->place, "~ is of integers, and this is a real");
    return bly_node_of(p, BLY_FLIP, sign, a, NULL);
}

struct bly_expression *bly_parse_unary(struct bly_parser *p)
{
    const bool before =
        bly_next_is(p, "-") || bly_next_is(p, "+") || bly_next_is(p, "!") || bly_next_is(p, "~");
    refuse_before(p);
    bly_parse_enter(p);
    struct bly_expression *e = before                                                    ? operation_before(p)
                               : bly_next_is(p, "(") && bly_begins_type(p, p->token + 1) ? conversion(p)
                                                                                         : postfix(p);
    bly_parse_leave(p);
    return e;
}

/* ---- Operators between operands ------------------------------------------------------------------ */

static const struct binary {
    const char *sign;
    enum bly_expression_kind kind;
    int precedence;
} operators[] = {
    {"||", BLY_OR, 1},
    {"&&", BLY_AND, 2},
    {"|", BLY_BIT_OR, 3},
    {"^", BLY_BIT_XOR, 4},
    {"&", BLY_BIT_AND, 5},
    {"==", BLY_EQUAL, 6},
    {"!=", BLY_UNEQUAL, 6},
    {"<", BLY_LESS, 7},
    {"<=", BLY_LESS_EQUAL, 7},
    {">", BLY_GREATER, 7},
    {">=", BLY_GREATER_EQUAL, 7},
    {"<<", BLY_SHIFT_LEFT, 8},
    {">>", BLY_SHIFT_RIGHT, 8},
    {"+", BLY_ADD, 9},
    {"-", BLY_SUBTRACT, 9},
    {"*", BLY_MULTIPLY, 10},
    {"/", BLY_DIVIDE, 10},
    {"%", BLY_REMAINDER, 10},
};

static const struct binary *next_operator(const struct bly_parser *p)
{
    if (p->token->kind != BLY_TOKEN_SIGN) return NULL;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (bly_next_is(p, operators[i].sign)) return &operators[i];
    return NULL;
}

/* Operands, and operators between them of at least this precedence. */
static struct bly_expression *operation(struct bly_parser *p, int precedence)
{
    struct bly_expression *a = bly_parse_unary(p);
    for (const struct binary *o = next_operator(p); o && o->precedence >= precedence; o = next_operator(p)) {
        const struct bly_token *at = p->token++;
        a = bly_node_operation(p, o->kind, at, a, operation(p, o->precedence + 1));
    }
    return a;
}

static struct bly_expression *selection(struct bly_parser *p, struct bly_expression *condition)
{
    const struct bly_token *sign = p->token++;
    if (bly_next_is(p, ":")) bly_stop(p, sign->place, "a ?: b is not supported; write a ? a : b");
    bly_parse_enter(p);
    struct bly_expression *b = bly_parse_value(p);
    bly_expect(p, ":");
    struct bly_expression *c = bly_parse_value(p);
    bly_parse_leave(p);
    if (b->type->kind == BLY_TYPE_RECORD || c->type->kind == BLY_TYPE_RECORD)
        bly_stop(p, sign->place, "? : chooses between numbers; write if and else for structures");
    bly_need_number(p, b);
    bly_need_number(p, c);
    const struct bly_type *type = bly_type_common(b->type, c->type);
    struct bly_expression *e = bly_node(p, BLY_SELECT, type, sign);
    e->a = bly_as_truth(p, condition);
    e->b = bly_convert(p, b, type);
    e->c = bly_convert(p, c, type);
    bly_node_end(p, e);
    return e;
}

struct bly_expression *bly_parse_value(struct bly_parser *p)
{
    struct bly_expression *e = operation(p, 1);
    return bly_next_is(p, "?") ? selection(p, e) : e;
}

/* ---- Whole expressions --------------------------------------------------------------------------- */

void bly_check_writer(struct bly_parser *p, const struct bly_expression *whole, enum bly_writes writes)
{
    const struct bly_expression *call = p->writer;
    p->writer = NULL;
    if (!call || (writes == BLY_WRITES_WHOLE && call == whole)) return;
    bly_stop(p, call->place, "%s writes by a pointer: call it in a statement of its own, as in %s%s(...);",
             call->function->name, call->type->kind == BLY_TYPE_VOID ? "" : "y = ", call->function->name);
}

struct bly_expression *bly_parse_whole(struct bly_parser *p, enum bly_writes writes)
{
    struct bly_expression *e = bly_parse_value(p);
    bly_check_writer(p, e, writes);
    return e;
}

struct bly_expression *bly_parse_condition(struct bly_parser *p)
{
    return bly_as_truth(p, bly_parse_whole(p, BLY_WRITES_NOTHING));
}

int64_t bly_parse_constant(struct bly_parser *p, const char *what)
{
    struct bly_value value;
    const struct bly_place place = p->token->place;
    struct bly_expression *e = bly_parse_whole(p, BLY_WRITES_NOTHING);
    bly_need_integer(p, e, what);
    if (!bly_constant_value(p, e, &value))
        bly_stop(p, place,
                 "%s is not constant: it may have numbers, DIMS, STEPS, macros and constants of an enum",
                 what);
    return value.integer;
}

/* ---- What can be written ------------------------------------------------------------------------- */

_Noreturn static void stop_constant(struct bly_parser *p, const struct bly_expression *e,
                                    const struct bly_variable *v, bool by_pointer)
{
    if (!by_pointer) bly_stop(p, bly_begin_of(e), "%s is const: it keeps its value", v->name);
    if (v->type->of == p->params->type)
        bly_stop(p, bly_begin_of(e), "params cannot be written: they are the same for all paths");
    bly_stop(p, bly_begin_of(e), "%s is a pointer to const: what it points to cannot be written", v->name);
}

void bly_need_writable(struct bly_parser *p, const struct bly_expression *e)
{
    bool by_pointer;
    const struct bly_variable *v = bly_root(e, &by_pointer);
    if (!v || e->kind == BLY_ADDRESS || e->kind == BLY_DECAY)
        bly_stop(p, bly_begin_of(e), "only variables, their members and their elements can be written");
    if (by_pointer ? v->type->constant : v->constant || v->kind == BLY_VARIABLE_CONSTANT)
        stop_constant(p, e, v, by_pointer);
    if (by_pointer) p->function->writes = true;
}
