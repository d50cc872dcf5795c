/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Printing of expressions: each operation of the tree is one of the program, in the same order and with the
 * same operands, so that a price does not depend on how it is printed.
 */
#include "print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRINT(...) BLY_PRINT(p, __VA_ARGS__)

/* ---- Numbers ------------------------------------------------------------------------------------- */

/* Whether compilers read these digits as the number. One that reads a float by way of a double must too. */
static bool is_exact(const char *digits, double value, bool f32)
{
    const double read = strtod(digits, NULL);
    if (!f32) return read == value;
    return (float)read == (float)value && strtof(digits, NULL) == (float)value;
}

/* The fewest digits of a number that is not negative, with the decimal point of the process's locale. */
static void find_digits(double value, bool f32, char digits[64])
{
    for (int precision = 1; precision <= 17; precision++) {
        snprintf(digits, 64, "%.*g", precision, value);
        if (is_exact(digits, value, f32)) return;
    }
}

static bool is_of_number(char c) { return (c >= '0' && c <= '9') || c == 'e' || c == '-' || c == '+'; }

void bly_print_real(struct bly_printer *p, double value)
{
    const bool f32 = p->unit->precision == BAILEY_PRECISION_F32;
    char digits[64];
    bool whole = true;
    find_digits(value, f32, digits);
    for (const char *c = digits; *c; c++) {
        if (is_of_number(*c))
            PRINT("%c", *c);
        else if (c == digits || is_of_number(c[-1])) /* the point, which may have several bytes */
            PRINT(".");
        whole &= *c >= '0' && *c <= '9';
    }
    PRINT("%s%s", whole ? ".0" : "", f32 ? "f" : "");
}

/* No compiler has a suffix that means 64 bits in all three languages. */
static void print_integer(struct bly_printer *p, const struct bly_type *type, int64_t value)
{
    const bool least = value == (type->kind == BLY_TYPE_INT ? INT32_MIN : INT64_MIN);
    if (type->kind == BLY_TYPE_UINT32)
        PRINT("%llu", (unsigned long long)(uint32_t)value), PRINT("u");
    else if (type->kind == BLY_TYPE_UINT64)
        PRINT("(uint64)%lluu", (unsigned long long)value);
    else if (least)
        PRINT("(-%s%lld - 1)", type->kind == BLY_TYPE_INT ? "" : "(int64)", -(long long)(value + 1));
    else if (value < 0)
        PRINT("(-%s%lld)", type->kind == BLY_TYPE_INT ? "" : "(int64)", -(long long)value);
    else
        PRINT("%s%lld", type->kind == BLY_TYPE_INT ? "" : "(int64)", (long long)value);
}

static void print_number(struct bly_printer *p, const struct bly_expression *e)
{
    if (e->type->kind != BLY_TYPE_REAL)
        print_integer(p, e->type, e->integer);
    else if (e->real < 0 || (e->real == 0 && 1 / e->real < 0))
        PRINT("(-"), bly_print_real(p, -e->real), PRINT(")");
    else
        bly_print_real(p, e->real);
}

/* ---- Operators ----------------------------------------------------------------------------------- */

static const char *suffix_of(const struct bly_type *type)
{
    switch (type->kind) {
    case BLY_TYPE_UINT32: return "u32";
    case BLY_TYPE_INT64: return "i64";
    case BLY_TYPE_UINT64: return "u64";
    default: return "i32";
    }
}

static bool is_signed(const struct bly_type *type)
{
    return type->kind == BLY_TYPE_INT || type->kind == BLY_TYPE_INT64;
}

static const char *word_of(enum bly_expression_kind kind)
{
    switch (kind) {
    case BLY_ADD: return "add";
    case BLY_SUBTRACT: return "subtract";
    case BLY_MULTIPLY: return "multiply";
    case BLY_DIVIDE: return "divide";
    case BLY_REMAINDER: return "remainder";
    case BLY_SHIFT_LEFT: return "left";
    default: return "right";
    }
}

/* Whether the least number may be divided by -1, which processors do not define. */
static bool may_overflow(const struct bly_expression *e)
{
    const int64_t least = e->type->kind == BLY_TYPE_INT ? INT32_MIN : INT64_MIN;
    if (!is_signed(e->type)) return false;
    return e->a->range.low <= least && e->b->range.low <= -1 && e->b->range.high >= -1;
}

static void print_call_of_two(struct bly_printer *p, const struct bly_expression *e, const char *word)
{
    p->checked = true;
    PRINT("bly_%s_%s(", word, suffix_of(e->type));
    if (e->site) PRINT("w, %u, ", e->site);
    bly_print_expression(p, e->a, BLY_BINDS_SELECT);
    PRINT(e->kind == BLY_SHIFT_LEFT || e->kind == BLY_SHIFT_RIGHT ? ", (uint32)" : ", ");
    bly_print_expression(p, e->b, BLY_BINDS_UNARY);
    PRINT(")");
}

/* Both operands within `binding`, those of operators that C groups from the left. */
static void print_plain(struct bly_printer *p, const struct bly_expression *e, enum bly_binding left,
                        enum bly_binding right)
{
    bly_print_expression(p, e->a, left);
    PRINT(" %s ", bly_sign_of(e->kind));
    bly_print_expression(p, e->b, right);
}

/* Within brackets where what is around binds more strongly. */
static void bracket(struct bly_printer *p, enum bly_binding own, enum bly_binding around)
{
    if (own < around) PRINT("(");
}
static void unbracket(struct bly_printer *p, enum bly_binding own, enum bly_binding around)
{
    if (own < around) PRINT(")");
}

static void print_operator(struct bly_printer *p, const struct bly_expression *e, enum bly_binding own,
                           enum bly_binding around)
{
    bracket(p, own, around);
    print_plain(p, e, own, own + 1);
    unbracket(p, own, around);
}

/* Paths that are masked compute with any numbers. */
static bool is_proved(const struct bly_printer *p, const struct bly_expression *e)
{
    return e->proved && (!p->mask || bly_is_steady(e));
}

static void print_arithmetic(struct bly_printer *p, const struct bly_expression *e, enum bly_binding around)
{
    const bool adds = e->kind == BLY_ADD || e->kind == BLY_SUBTRACT;
    if (is_signed(e->type) && !is_proved(p, e))
        print_call_of_two(p, e, word_of(e->kind));
    else
        print_operator(p, e, adds ? BLY_BINDS_ADD : BLY_BINDS_MULTIPLY, around);
}

static void print_division(struct bly_printer *p, const struct bly_expression *e, enum bly_binding around)
{
    if (e->type->kind != BLY_TYPE_REAL && e->site)
        print_call_of_two(p, e, word_of(e->kind));
    else if (e->type->kind != BLY_TYPE_REAL && (p->mask ? is_signed(e->type) : may_overflow(e)))
        print_call_of_two(p, e, e->kind == BLY_DIVIDE ? "quotient" : "rest");
    else
        print_operator(p, e, BLY_BINDS_MULTIPLY, around);
}

/* A signed number is shifted to the left as an unsigned one, since C has no meaning for what leaves it. */
static void print_shift(struct bly_printer *p, const struct bly_expression *e, enum bly_binding around)
{
    if (!is_proved(p, e) || (e->kind == BLY_SHIFT_LEFT && is_signed(e->type))) {
        print_call_of_two(p, e, word_of(e->kind));
        return;
    }
    bracket(p, BLY_BINDS_COMPARE, around);
    print_plain(p, e, BLY_BINDS_UNARY, BLY_BINDS_UNARY);
    unbracket(p, BLY_BINDS_COMPARE, around);
}

/* Of bits, whose binding few know, and of comparisons: operands in brackets. */
static void print_loose(struct bly_printer *p, const struct bly_expression *e, enum bly_binding inner,
                        enum bly_binding around)
{
    bracket(p, BLY_BINDS_COMPARE, around);
    print_plain(p, e, inner, inner);
    unbracket(p, BLY_BINDS_COMPARE, around);
}

/* && and ||: the right side is evaluated after the left one, or not at all. */
static void print_logical(struct bly_printer *p, const struct bly_expression *e, enum bly_binding around)
{
    const enum bly_binding own = e->kind == BLY_AND ? BLY_BINDS_AND : BLY_BINDS_OR;
    const enum bly_binding left = e->a->kind == e->kind ? own : BLY_BINDS_COMPARE;
    bracket(p, own, around);
    bly_print_expression(p, e->a, left);
    PRINT(" %s ", bly_sign_of(e->kind));
    bly_print_ordered(p, e->b, BLY_BINDS_COMPARE);
    unbracket(p, own, around);
}

static bool is_truth(const struct bly_expression *e)
{
    return bly_is_comparison(e->kind) || e->kind == BLY_NOT || e->kind == BLY_AND || e->kind == BLY_OR;
}

/* a ? b : c of truths: gcc makes no vectors of choices between them. */
static void print_truth(struct bly_printer *p, const struct bly_expression *e)
{
    PRINT("((((");
    bly_print_expression(p, e->a, BLY_BINDS_COMMA);
    PRINT(") != 0) & ");
    bly_print_expression(p, e->b, BLY_BINDS_PRIMARY);
    PRINT(") | (!(");
    bly_print_expression(p, e->a, BLY_BINDS_COMMA);
    PRINT(") & ");
    bly_print_expression(p, e->c, BLY_BINDS_PRIMARY);
    PRINT("))");
}

/* In lanes, where both sides may be evaluated. */
static bool print_both(struct bly_printer *p, const struct bly_expression *e)
{
    const bool selects = e->kind == BLY_SELECT;
    const enum bly_type_kind kind = e->type->kind;
    if (!p->mask || bly_stays_branch(e) || !bly_is_eager(e->b) || (selects && !bly_is_eager(e->c))) return false;
    if (kind < BLY_TYPE_REAL || kind > BLY_TYPE_UINT64) return false;
    if (selects && is_truth(e->b) && is_truth(e->c)) {
        print_truth(p, e);
        return true;
    }
    p->checked = true;
    PRINT(selects ? "bly_choose_%s(BLY_MASK(" : "(((", kind == BLY_TYPE_REAL ? "real" : suffix_of(e->type));
    bly_print_expression(p, e->a, BLY_BINDS_COMMA);
    PRINT(selects ? "), " : e->kind == BLY_AND ? ") != 0) & ((" : ") != 0) | ((");
    bly_print_expression(p, e->b, selects ? BLY_BINDS_SELECT : BLY_BINDS_COMMA);
    PRINT(selects ? ", " : ") != 0))");
    if (selects) bly_print_expression(p, e->c, BLY_BINDS_SELECT), PRINT(")");
    return true;
}

static void print_select(struct bly_printer *p, const struct bly_expression *e, enum bly_binding around)
{
    bracket(p, BLY_BINDS_SELECT, around);
    bly_print_expression(p, e->a, BLY_BINDS_OR);
    PRINT(" ? ");
    bly_print_ordered(p, e->b, BLY_BINDS_OR);
    PRINT(" : ");
    bly_print_ordered(p, e->c, BLY_BINDS_SELECT);
    unbracket(p, BLY_BINDS_SELECT, around);
}

static void print_unary(struct bly_printer *p, const struct bly_expression *e, enum bly_binding around)
{
    if (e->kind == BLY_NEGATE && is_signed(e->type) && !is_proved(p, e) && e->a->kind != BLY_NUMBER) {
        p->checked = true;
        PRINT("bly_negate_%s(", suffix_of(e->type));
        bly_print_expression(p, e->a, BLY_BINDS_SELECT);
        PRINT(")");
        return;
    }
    bracket(p, BLY_BINDS_UNARY, around);
    PRINT("%s", bly_sign_of(e->kind));
    if (e->kind == BLY_ADDRESS)
        bly_print_plain(p, e->a, BLY_BINDS_PRIMARY);
    else
        bly_print_expression(p, e->a, BLY_BINDS_PRIMARY);
    unbracket(p, BLY_BINDS_UNARY, around);
}

/* An int that is made longer, but for constants. */
static bool is_widened(const struct bly_expression *e)
{
    const enum bly_type_kind to = e->type->kind;
    return e->a->type->kind == BLY_TYPE_INT && (to == BLY_TYPE_INT64 || to == BLY_TYPE_UINT64) &&
           e->a->kind != BLY_NUMBER;
}

static void print_convert(struct bly_printer *p, const struct bly_expression *e, enum bly_binding around)
{
    if (e->a->type->kind == BLY_TYPE_REAL && e->type->kind != BLY_TYPE_REAL && !is_proved(p, e)) {
        p->checked = true;
        PRINT("bly_to_%s(", suffix_of(e->type));
        bly_print_expression(p, e->a, BLY_BINDS_SELECT);
        PRINT(")");
        return;
    }
    bracket(p, BLY_BINDS_UNARY, around);
    if (is_widened(e)) {
        p->checked = true;
        PRINT("%sbly_widen(", e->type->kind == BLY_TYPE_UINT64 ? "(uint64)" : "");
        bly_print_expression(p, e->a, BLY_BINDS_SELECT);
        PRINT(")");
    } else {
        PRINT("(");
        bly_print_type(p, e->type);
        PRINT(")");
        bly_print_expression(p, e->a, BLY_BINDS_PRIMARY);
    }
    unbracket(p, BLY_BINDS_UNARY, around);
}

/* ---- Variables, members, elements, calls --------------------------------------------------------- */

static void print_member(struct bly_printer *p, const struct bly_expression *e)
{
    const struct bly_type *of = e->a->type;
    const bool points = of->kind == BLY_TYPE_POINTER;
    const struct bly_record *record = points ? of->of->record : of->record;
    bly_print_expression(p, e->a, BLY_BINDS_PRIMARY);
    PRINT("%s%s%s", points ? "->" : ".", record->kind == BLY_RECORD_NOISE ? "" : "own_", e->field->name);
}

/* 0 where a path that is masked is beyond `count` elements; of an unknown number, where it is masked. An index
 * that is the same for all paths may be proved by a condition that none of them meets. */
static void print_masked(struct bly_printer *p, const struct bly_expression *index, uint32_t count)
{
    const bool masked = p->mask && index->kind != BLY_NUMBER && (count || !bly_is_steady(index));
    if (masked && count) PRINT("bly_within_%s(", suffix_of(index->type));
    if (masked && !count) PRINT("("), bly_print_type(p, index->type), PRINT(")("), bly_print_mask(p, p->mask), PRINT(" & ");
    bly_print_expression(p, index, masked && !count ? BLY_BINDS_UNARY : BLY_BINDS_SELECT);
    if (masked && count) PRINT(", %uu)", (unsigned)count);
    if (masked && !count) PRINT(")");
    p->checked |= masked;
}

static void print_tested_index(struct bly_printer *p, const struct bly_expression *e)
{
    if (!e->site) {
        print_masked(p, e->b, e->a->type->count);
        return;
    }
    p->checked = true;
    PRINT("bly_index_%s(w, %u, ", suffix_of(e->b->type), e->site);
    bly_print_expression(p, e->b, BLY_BINDS_SELECT);
    PRINT(", %uu)", p->unit->sites[e->site - 1].count);
}

void bly_print_index(struct bly_printer *p, const struct bly_expression *e)
{
    const bool hides = bly_hides_index(e);
    p->checked |= hides;
    if (hides) PRINT("bly_opaque_index(");
    print_tested_index(p, e);
    if (hides) PRINT(")");
}

static void print_element(struct bly_printer *p, const struct bly_expression *e)
{
    bly_print_expression(p, e->a, BLY_BINDS_PRIMARY);
    PRINT("[");
    if (e->temporary)
        PRINT("bly_t%u", e->temporary);
    else
        bly_print_index(p, e);
    PRINT("]");
}

static void print_callee(struct bly_printer *p, const struct bly_expression *e)
{
    if (e->function)
        bly_print_function_name(p, e->function);
    else if (e->library)
        PRINT("bly_payoff_%s", e->library->name);
    else
        PRINT(e->path_call == BLY_PATH_AT ? "bly_%sat" : "bly_%stime", e->site ? "" : "payoff_");
    PRINT(e->site ? "(w, %u, &" : "(", e->site); /* & before the path */
    p->checked |= e->site != 0;
}

static void print_call(struct bly_printer *p, const struct bly_expression *e)
{
    const struct bly_variable *parameter = e->function ? e->function->parameters : NULL;
    print_callee(p, e);
    for (const struct bly_expression *argument = e->arguments; argument; argument = argument->next) {
        if (parameter && parameter->wide && bly_is_half(p, argument->type))
            bly_print_single(p, argument);
        else if (e->path_call != BLY_PATH_NO_CALL && argument != e->arguments)
            print_masked(p, argument, 0);
        else
            bly_print_expression(p, argument, BLY_BINDS_SELECT);
        if (parameter) parameter = parameter->next;
        if (argument->next) PRINT(", ");
    }
    if (e->function && e->function->faults) PRINT(e->arguments ? ", w" : "w");
    if (e->function && p->mask) PRINT(e->arguments ? ", " : ""), bly_print_mask(p, p->mask);
    PRINT(")");
}

/* A constant that is a number is printed as such: CUDA would read it from memory. */
static void print_variable(struct bly_printer *p, const struct bly_expression *e)
{
    const struct bly_variable *variable = e->variable;
    if (bly_is_number(variable))
        print_number(p, variable->initial->value);
    else
        bly_print_variable(p, variable);
}

static void print_size(struct bly_printer *p, const struct bly_expression *e)
{
    if (p->printing->symbolic_sizes)
        PRINT("%s", e->name);
    else
        PRINT("%lld", (long long)e->integer);
}

void bly_print_expression(struct bly_printer *p, const struct bly_expression *e, enum bly_binding around)
{
    if (bly_prints_half(p, e))
        bly_print_half(p, e, around);
    else
        bly_print_plain(p, e, around);
}

void bly_print_plain(struct bly_printer *p, const struct bly_expression *e, enum bly_binding around)
{
    if (e->temporary && e->kind != BLY_INDEX) {
        PRINT("bly_t%u", e->temporary);
        return;
    }
    switch (e->kind) {
    case BLY_NUMBER: print_number(p, e); break;
    case BLY_SIZE: print_size(p, e); break;
    case BLY_VARIABLE: print_variable(p, e); break;
    case BLY_MEMBER: print_member(p, e); break;
    case BLY_INDEX: print_element(p, e); break;
    case BLY_CALL: print_call(p, e); break;
    case BLY_DECAY: bly_print_expression(p, e->a, around); break;
    case BLY_NEGATE:
    case BLY_NOT:
    case BLY_FLIP:
    case BLY_ADDRESS: print_unary(p, e, around); break;
    case BLY_CONVERT: print_convert(p, e, around); break;
    case BLY_ADD:
    case BLY_SUBTRACT:
    case BLY_MULTIPLY: print_arithmetic(p, e, around); break;
    case BLY_DIVIDE:
    case BLY_REMAINDER: print_division(p, e, around); break;
    case BLY_SHIFT_LEFT:
    case BLY_SHIFT_RIGHT: print_shift(p, e, around); break;
    case BLY_BIT_AND:
    case BLY_BIT_XOR:
    case BLY_BIT_OR: print_loose(p, e, BLY_BINDS_UNARY, around); break;
    case BLY_LESS:
    case BLY_LESS_EQUAL:
    case BLY_GREATER:
    case BLY_GREATER_EQUAL:
    case BLY_EQUAL:
    case BLY_UNEQUAL: print_loose(p, e, BLY_BINDS_ADD, around); break;
    case BLY_AND:
    case BLY_OR: print_both(p, e) ? (void)0 : print_logical(p, e, around); break;
    case BLY_SELECT: print_both(p, e) ? (void)0 : print_select(p, e, around); break;
    }
}
