/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Nodes of expressions: made with the type that C gives them, each conversion a separate node.
 */
#include "parser.h"

const char *bly_sign_of(enum bly_expression_kind kind)
{
    switch (kind) {
    case BLY_NEGATE: return "-";
    case BLY_NOT: return "!";
    case BLY_FLIP: return "~";
    case BLY_ADDRESS: return "&";
    case BLY_ADD: return "+";
    case BLY_SUBTRACT: return "-";
    case BLY_MULTIPLY: return "*";
    case BLY_DIVIDE: return "/";
    case BLY_REMAINDER: return "%";
    case BLY_SHIFT_LEFT: return "<<";
    case BLY_SHIFT_RIGHT: return ">>";
    case BLY_BIT_AND: return "&";
    case BLY_BIT_XOR: return "^";
    case BLY_BIT_OR: return "|";
    case BLY_LESS: return "<";
    case BLY_LESS_EQUAL: return "<=";
    case BLY_GREATER: return ">";
    case BLY_GREATER_EQUAL: return ">=";
    case BLY_EQUAL: return "==";
    case BLY_UNEQUAL: return "!=";
    case BLY_AND: return "&&";
    default: return "||";
    }
}

struct bly_expression *bly_node(struct bly_parser *p, enum bly_expression_kind kind,
                                const struct bly_type *type, const struct bly_token *at)
{
    struct bly_expression *e = BLY_NEW(p, struct bly_expression);
    e->kind = kind;
    e->type = type;
    e->place = e->end = at->place;
    e->height = 1;
    return e;
}

static void rise(struct bly_expression *e, const struct bly_expression *part)
{
    if (part && part->height >= e->height) e->height = part->height + 1;
}

/* It has all of its parts, and ends before the next token. */
void bly_node_end(struct bly_parser *p, struct bly_expression *e)
{
    rise(e, e->a);
    rise(e, e->b);
    rise(e, e->c);
    for (const struct bly_expression *argument = e->arguments; argument; argument = argument->next)
        rise(e, argument);
    if (e->height > BLY_MOST_HEIGHT)
        bly_stop(p, e->place,
                 "an expression of more than %u operators in each other; compute it in several statements",
                 (unsigned)BLY_MOST_HEIGHT);
    if (p->token > p->unit->tokens) e->end = p->token[-1].place;
}

/* With the type of a. */
struct bly_expression *bly_node_of(struct bly_parser *p, enum bly_expression_kind kind,
                                   const struct bly_token *at, struct bly_expression *a,
                                   struct bly_expression *b)
{
    struct bly_expression *e = bly_node(p, kind, a->type, at);
    e->a = a;
    e->b = b;
    bly_node_end(p, e);
    return e;
}

struct bly_expression *bly_node_integer(struct bly_parser *p, const struct bly_token *at, int64_t value)
{
    struct bly_expression *e = bly_node(p, BLY_NUMBER, &bly_type_int, at);
    e->integer = value;
    return e;
}

/* Where the code of e begins: its place is that of its operator. */
struct bly_place bly_begin_of(const struct bly_expression *e)
{
    struct bly_place first = e->place;
    while (e->a) {
        e = e->a;
        const bool earlier =
            e->place.line < first.line || (e->place.line == first.line && e->place.column < first.column);
        if (earlier) first = e->place;
    }
    return first;
}

/* ---- Operands of the needed type ----------------------------------------------------------------- */

void bly_need_number(struct bly_parser *p, const struct bly_expression *e)
{
    char words[120];
    const struct bly_type *type = e->type;
    if (bly_type_is_number(type)) return;
    if (type->kind == BLY_TYPE_VOID)
        bly_stop(p, bly_begin_of(e), "a number is missing: %s returns nothing", e->function->name);
    if (type->kind == BLY_TYPE_PATH)
        bly_stop(p, bly_begin_of(e), "a path is not a number; at(x, i, d) and time(x, i) are those of x");
    if (type->kind == BLY_TYPE_ARRAY || (type->kind == BLY_TYPE_POINTER && type->is_array))
        bly_stop(p, bly_begin_of(e), "an array is not a number; append [...] for one of its elements");
    if (type->kind == BLY_TYPE_POINTER)
        bly_stop(p, bly_begin_of(e), "a pointer is not a number; append -> and a member");
    bly_stop(p, bly_begin_of(e), "%s is a structure, not a number; append . and a member",
             bly_type_words(type, words));
}

void bly_need_integer(struct bly_parser *p, const struct bly_expression *e, const char *what)
{
    bly_need_number(p, e);
    if (e->type->kind == BLY_TYPE_REAL)
        bly_stop(p, bly_begin_of(e), "%s must be an integer, and this is a real; write (int) before it",
                 what);
}

/* ---- Conversions --------------------------------------------------------------------------------- */

/* A literal of another type of number. */
static bool convert_literal(struct bly_parser *p, struct bly_expression *e, const struct bly_type *type)
{
    const struct bly_value from = {.real = e->real, .integer = e->integer};
    if (e->kind != BLY_NUMBER || e->type->kind == BLY_TYPE_REAL) return false;
    const struct bly_value to = bly_value_as(p, from, e->type, type);
    if (type->kind == BLY_TYPE_REAL)
        e->real = to.real;
    else
        e->integer = to.integer;
    e->type = type;
    return true;
}

struct bly_expression *bly_convert(struct bly_parser *p, struct bly_expression *e,
                                   const struct bly_type *type)
{
    bly_need_number(p, e);
    if (e->type->kind == type->kind || convert_literal(p, e, type)) return e;
    struct bly_expression *converted = BLY_NEW(p, struct bly_expression);
    *converted = (struct bly_expression){
        .kind = BLY_CONVERT, .type = type, .place = e->place, .end = e->end, .a = e, .height = e->height + 1};
    return converted;
}

struct bly_expression *bly_as_value(struct bly_parser *p, struct bly_expression *e,
                                    const struct bly_type *type)
{
    char wanted[120], given[120];
    if (bly_type_is_number(type)) return bly_convert(p, e, type);
    if (e->type->kind == BLY_TYPE_VOID) bly_need_number(p, e);
    if (type->kind == BLY_TYPE_ARRAY)
        bly_stop(p, bly_begin_of(e), "an array cannot be assigned; assign its elements in a loop");
    if (!bly_type_is_same(e->type, type))
        bly_stop(p, bly_begin_of(e), "%s is needed here, and this is %s", bly_type_words(type, wanted),
                 bly_type_words(e->type, given));
    return e;
}

struct bly_expression *bly_as_truth(struct bly_parser *p, struct bly_expression *e)
{
    bly_need_number(p, e);
    if (e->type->kind == BLY_TYPE_INT) return e;
    struct bly_expression *zero = BLY_NEW(p, struct bly_expression),
                          *truth = BLY_NEW(p, struct bly_expression);
    *zero = (struct bly_expression){
        .kind = BLY_NUMBER, .type = e->type, .place = e->place, .end = e->end, .height = 1};
    *truth = (struct bly_expression){.kind = BLY_UNEQUAL,
                                     .type = &bly_type_int,
                                     .place = e->place,
                                     .end = e->end,
                                     .a = e,
                                     .b = zero,
                                     .height = e->height + 1};
    return truth;
}

/* ---- Operations ---------------------------------------------------------------------------------- */

static bool is_of_integers(enum bly_expression_kind kind)
{
    return kind >= BLY_REMAINDER && kind <= BLY_BIT_OR;
}

static void need_integers(struct bly_parser *p, enum bly_expression_kind kind, const struct bly_token *at,
                          const struct bly_expression *a, const struct bly_expression *b)
{
    if (a->type->kind != BLY_TYPE_REAL && b->type->kind != BLY_TYPE_REAL) return;
    if (kind == BLY_REMAINDER)
        bly_stop(p, at->place, "%% is of integers; the remainder of reals is x - y * floor(x / y)");
    bly_stop(p, at->place, "%.*s is of integers, and this is a real", BLY_SHOWN(at));
}

struct bly_expression *bly_node_operation(struct bly_parser *p, enum bly_expression_kind kind,
                                          const struct bly_token *at, struct bly_expression *a,
                                          struct bly_expression *b)
{
    if (kind == BLY_AND || kind == BLY_OR) {
        struct bly_expression *truth = bly_as_truth(p, a);
        return bly_node_of(p, kind, at, truth, bly_as_truth(p, b));
    }
    bly_need_number(p, a);
    bly_need_number(p, b);
    if (is_of_integers(kind)) need_integers(p, kind, at, a, b);
    if (kind == BLY_SHIFT_LEFT || kind == BLY_SHIFT_RIGHT) return bly_node_of(p, kind, at, a, b);
    const struct bly_type *common = bly_type_common(a->type, b->type);
    a = bly_convert(p, a, common);
    struct bly_expression *e = bly_node_of(p, kind, at, a, bly_convert(p, b, common));
    if (bly_is_comparison(kind)) e->type = &bly_type_int;
    if (kind == BLY_DIVIDE && common->kind == BLY_TYPE_REAL && p->function) p->function->has_root = true;
    return e;
}

struct bly_variable *bly_root(const struct bly_expression *e, bool *by_pointer)
{
    *by_pointer = false;
    while (e->kind == BLY_MEMBER || e->kind == BLY_INDEX || e->kind == BLY_ADDRESS || e->kind == BLY_DECAY) {
        e = e->a;
        *by_pointer |= e->type->kind == BLY_TYPE_POINTER;
    }
    *by_pointer |= e->type->kind == BLY_TYPE_POINTER;
    return e->kind == BLY_VARIABLE ? e->variable : NULL;
}
