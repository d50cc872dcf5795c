/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Nodes of expressions: made with the type that C gives them, each conversion a node of its own.
 */
#include "parse.h"

struct bly_expression *bly_node(struct bly_parser *p, enum bly_expression_kind kind, const struct bly_type *type,
                                const struct bly_token *at)
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
    for (const struct bly_expression *argument = e->arguments; argument; argument = argument->next) rise(e, argument);
    if (e->height > BLY_MOST_HEIGHT)
        bly_stop(p, e->place, "an expression of more than %u operators in each other; compute it in several statements",
                 (unsigned)BLY_MOST_HEIGHT);
    if (p->token > p->unit->tokens) e->end = p->token[-1].place;
}

/* With the type of a. */
struct bly_expression *bly_node_of(struct bly_parser *p, enum bly_expression_kind kind, const struct bly_token *at,
                                   struct bly_expression *a, struct bly_expression *b)
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

/* ---- What is needed ------------------------------------------------------------------------------ */

void bly_need_number(struct bly_parser *p, const struct bly_expression *e)
{
    char words[120];
    const struct bly_type *type = e->type;
    if (bly_type_is_number(type)) return;
    if (type->kind == BLY_TYPE_VOID) bly_stop(p, e->place, "a number is missing: %s returns nothing", e->function->name);
    if (type->kind == BLY_TYPE_PATH)
        bly_stop(p, e->place, "a path is not a number; at(x, i, d) and time(x, i) are those of x");
    if (type->kind == BLY_TYPE_ARRAY || (type->kind == BLY_TYPE_POINTER && type->is_array))
        bly_stop(p, e->place, "an array is not a number; write [...] behind it, for one of its elements");
    if (type->kind == BLY_TYPE_POINTER)
        bly_stop(p, e->place, "a pointer is not a number; write -> and a member behind it");
    bly_stop(p, e->place, "%s is a structure, not a number; write . and a member behind it",
             bly_type_words(type, words));
}

void bly_need_integer(struct bly_parser *p, const struct bly_expression *e, const char *what)
{
    bly_need_number(p, e);
    if (e->type->kind == BLY_TYPE_REAL)
        bly_stop(p, e->place, "%s must be an integer, and this is a real; write (int) before it", what);
}

/* ---- Conversions --------------------------------------------------------------------------------- */

/* An integer as one of this type: two's complement, of which the upper bits go. */
static int64_t wrapped(int64_t value, const struct bly_type *type)
{
    const uint32_t low = (uint32_t)(uint64_t)value;
    if (type->kind == BLY_TYPE_UINT32) return (int64_t)low;
    if (type->kind == BLY_TYPE_INT) return low <= INT32_MAX ? (int64_t)low : (int64_t)low - ((int64_t)1 << 32);
    return value;
}

/* A literal of another type of number, unless its value would depend on more than the literal. */
static bool convert_literal(struct bly_parser *p, struct bly_expression *e, const struct bly_type *type)
{
    if (e->kind != BLY_NUMBER || e->type->kind == BLY_TYPE_REAL) return false;
    if (type->kind == BLY_TYPE_REAL) {
        const double value = e->type->kind == BLY_TYPE_UINT64 ? (double)(uint64_t)e->integer : (double)e->integer;
        /* Integers of literals have 32 bits, so that double holds them and only one rounding is left. */
        e->real = p->unit->precision == BAILEY_PRECISION_F32 ? (double)(float)value : value;
    } else {
        e->integer = wrapped(e->integer, type);
    }
    e->type = type;
    return true;
}

struct bly_expression *bly_convert(struct bly_parser *p, struct bly_expression *e, const struct bly_type *type)
{
    bly_need_number(p, e);
    if (e->type->kind == type->kind || convert_literal(p, e, type)) return e;
    struct bly_expression *converted = BLY_NEW(p, struct bly_expression);
    *converted = (struct bly_expression){
        .kind = BLY_CONVERT, .type = type, .place = e->place, .end = e->end, .a = e, .height = e->height + 1};
    return converted;
}

struct bly_expression *bly_as_value(struct bly_parser *p, struct bly_expression *e, const struct bly_type *type)
{
    char wanted[120], given[120];
    if (bly_type_is_number(type)) return bly_convert(p, e, type);
    if (e->type->kind == BLY_TYPE_VOID) bly_need_number(p, e);
    if (type->kind == BLY_TYPE_ARRAY) bly_stop(p, e->place, "an array cannot be assigned; assign its elements in a loop");
    if (!bly_type_is_same(e->type, type))
        bly_stop(p, e->place, "%s is needed here, and this is %s", bly_type_words(type, wanted),
                 bly_type_words(e->type, given));
    return e;
}

struct bly_expression *bly_as_truth(struct bly_parser *p, struct bly_expression *e)
{
    bly_need_number(p, e);
    if (e->type->kind == BLY_TYPE_INT) return e;
    struct bly_expression *zero = BLY_NEW(p, struct bly_expression), *truth = BLY_NEW(p, struct bly_expression);
    *zero = (struct bly_expression){.kind = BLY_NUMBER, .type = e->type, .place = e->place, .end = e->end, .height = 1};
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

static bool is_comparison(enum bly_expression_kind kind) { return kind >= BLY_LESS && kind <= BLY_UNEQUAL; }

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
    if (is_comparison(kind)) e->type = &bly_type_int;
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

/* ---- Constants ----------------------------------------------------------------------------------- */

bool bly_is_constant(const struct bly_expression *e)
{
    if (!e || e->kind == BLY_NUMBER || e->kind == BLY_SIZE) return true;
    return e->kind > BLY_INDEX && e->kind < BLY_CALL && bly_is_constant(e->a) && bly_is_constant(e->b) &&
           bly_is_constant(e->c);
}

static bool is_unsigned(const struct bly_type *type)
{
    return type->kind == BLY_TYPE_UINT32 || type->kind == BLY_TYPE_UINT64;
}

static bool is_less(int64_t x, int64_t y, const struct bly_type *type)
{
    return is_unsigned(type) ? (uint64_t)x < (uint64_t)y : x < y;
}

/* C's quotient goes towards 0; INT64_MIN / -1 wraps around. */
static int64_t quotient(int64_t x, int64_t y, const struct bly_type *type)
{
    if (is_unsigned(type)) return (int64_t)((uint64_t)x / (uint64_t)y);
    return y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y;
}

static int64_t shifted_right(int64_t x, int64_t by, const struct bly_type *type)
{
    if (is_unsigned(type)) return (int64_t)((uint64_t)x >> by);
    return x < 0 ? (int64_t)~(~(uint64_t)x >> by) : x >> by;
}

static int64_t compared(enum bly_expression_kind kind, int64_t x, int64_t y, const struct bly_type *type)
{
    switch (kind) {
    case BLY_LESS: return is_less(x, y, type);
    case BLY_LESS_EQUAL: return !is_less(y, x, type);
    case BLY_GREATER: return is_less(y, x, type);
    case BLY_GREATER_EQUAL: return !is_less(x, y, type);
    case BLY_EQUAL: return x == y;
    default: return x != y;
    }
}

/* In 64 bits; the caller takes the lower 32 of an operation of 32. */
static int64_t computed(enum bly_expression_kind kind, int64_t x, int64_t y, const struct bly_type *type)
{
    const uint64_t a = (uint64_t)x, b = (uint64_t)y, count = b & (type->bytes == 8 ? 63 : 31);
    switch (kind) {
    case BLY_ADD: return (int64_t)(a + b);
    case BLY_SUBTRACT: return (int64_t)(a - b);
    case BLY_MULTIPLY: return (int64_t)(a * b);
    case BLY_DIVIDE: return quotient(x, y, type);
    case BLY_REMAINDER: return (int64_t)(a - (uint64_t)quotient(x, y, type) * b);
    case BLY_SHIFT_LEFT: return (int64_t)(a << count);
    case BLY_SHIFT_RIGHT: return shifted_right(x, (int64_t)count, type);
    case BLY_BIT_AND: return (int64_t)(a & b);
    case BLY_BIT_XOR: return (int64_t)(a ^ b);
    default: return (int64_t)(a | b);
    }
}

static bool constant_of_two(const struct bly_expression *e, int64_t *value)
{
    int64_t x, y;
    if (!bly_constant_value(e->a, &x) || !bly_constant_value(e->b, &y)) return false;
    if (is_comparison(e->kind)) {
        *value = compared(e->kind, x, y, e->a->type);
        return true;
    }
    if (e->kind == BLY_AND || e->kind == BLY_OR) {
        *value = e->kind == BLY_AND ? x && y : x || y;
        return true;
    }
    if ((e->kind == BLY_DIVIDE || e->kind == BLY_REMAINDER) && y == 0) return false;
    *value = wrapped(computed(e->kind, x, y, e->type), e->type);
    return true;
}

static bool constant_of_one(const struct bly_expression *e, int64_t *value)
{
    int64_t x;
    if (!bly_constant_value(e->a, &x)) return false;
    if (e->kind == BLY_SELECT) return bly_constant_value(x ? e->b : e->c, value);
    *value = wrapped(e->kind == BLY_NEGATE ? (int64_t)(0 - (uint64_t)x)
                     : e->kind == BLY_FLIP ? ~x
                     : e->kind == BLY_NOT  ? !x
                                           : x,
                     e->type);
    return true;
}

bool bly_constant_value(const struct bly_expression *e, int64_t *value)
{
    *value = e->integer;
    if (!bly_type_is_integer(e->type)) return false;
    if (e->kind == BLY_NUMBER || e->kind == BLY_SIZE) return true;
    if (e->kind >= BLY_ADD && e->kind <= BLY_OR) return constant_of_two(e, value);
    const bool one = e->kind == BLY_NEGATE || e->kind == BLY_NOT || e->kind == BLY_FLIP || e->kind == BLY_SELECT ||
                     e->kind == BLY_CONVERT;
    return one && constant_of_one(e, value);
}
