/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Values of constant expressions, where code needs one: sizes, labels, enumerations, constants outside
 * functions. Each operation has the result that devices have: integers wrap around, reals are rounded to the
 * unit's precision.
 */
#include "parser.h"

#include <float.h>
#include <math.h>

static bool is_f32(const struct bly_parser *p) { return p->unit->precision == BAILEY_PRECISION_F32; }

static bool is_unsigned(const struct bly_type *type)
{
    return type->kind == BLY_TYPE_UINT32 || type->kind == BLY_TYPE_UINT64;
}

/* Two's complement, of which the upper bits go. */
static int64_t wrapped(int64_t value, const struct bly_type *type)
{
    const uint32_t low = (uint32_t)(uint64_t)value;
    if (type->kind == BLY_TYPE_UINT32) return (int64_t)low;
    if (type->kind == BLY_TYPE_INT)
        return low <= INT32_MAX ? (int64_t)low : (int64_t)low - ((int64_t)1 << 32);
    return value;
}

/* ---- Conversions --------------------------------------------------------------------------------- */

static double real_of(const struct bly_parser *p, int64_t value, const struct bly_type *from)
{
    if (from->kind == BLY_TYPE_UINT64)
        return is_f32(p) ? (double)(float)(uint64_t)value : (double)(uint64_t)value;
    return is_f32(p) ? (double)(float)value : (double)value;
}

/* The nearest integer of the type towards 0, or its end; 0 of what is not a number. */
static int64_t integer_of(double x, const struct bly_type *to)
{
    static const double limits[][2] = {
        [BLY_TYPE_INT] = {-2147483648.0, 2147483647.0}, [BLY_TYPE_UINT32] = {0, 4294967295.0}};
    if (isnan(x)) return 0;
    if (to->kind == BLY_TYPE_INT64) return x >= 0x1p63 ? INT64_MAX : x <= -0x1p63 ? INT64_MIN : (int64_t)x;
    if (to->kind == BLY_TYPE_UINT64) return x >= 0x1p64 ? -1 : x <= 0 ? 0 : (int64_t)(uint64_t)x;
    return (int64_t)fmin(fmax(x, limits[to->kind][0]), limits[to->kind][1]);
}

struct bly_value bly_value_as(const struct bly_parser *p, struct bly_value value, const struct bly_type *from,
                              const struct bly_type *to)
{
    if (from->kind == to->kind) return value;
    if (to->kind == BLY_TYPE_REAL) return (struct bly_value){.real = real_of(p, value.integer, from)};
    if (from->kind == BLY_TYPE_REAL) return (struct bly_value){.integer = integer_of(value.real, to)};
    return (struct bly_value){.integer = wrapped(value.integer, to)};
}

/* ---- Operations ---------------------------------------------------------------------------------- */

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

static int64_t shifted_right(int64_t x, uint64_t by, const struct bly_type *type)
{
    if (is_unsigned(type)) return (int64_t)((uint64_t)x >> by);
    return x < 0 ? (int64_t) ~(~(uint64_t)x >> by) : x >> by;
}

/* In 64 bits, of which an operation of 32 has the lower ones. */
static int64_t of_integers(enum bly_expression_kind kind, int64_t x, int64_t y, const struct bly_type *type)
{
    const uint64_t a = (uint64_t)x, b = (uint64_t)y, count = b & (type->bytes == 8 ? 63 : 31);
    switch (kind) {
    case BLY_ADD: return (int64_t)(a + b);
    case BLY_SUBTRACT: return (int64_t)(a - b);
    case BLY_MULTIPLY: return (int64_t)(a * b);
    case BLY_DIVIDE: return quotient(x, y, type);
    case BLY_REMAINDER: return (int64_t)(a - (uint64_t)quotient(x, y, type) * b);
    case BLY_SHIFT_LEFT: return (int64_t)(a << count);
    case BLY_SHIFT_RIGHT: return shifted_right(x, count, type);
    case BLY_BIT_AND: return (int64_t)(a & b);
    case BLY_BIT_XOR: return (int64_t)(a ^ b);
    default: return (int64_t)(a | b);
    }
}

static float of_floats(enum bly_expression_kind kind, float x, float y)
{
    return kind == BLY_ADD ? x + y : kind == BLY_SUBTRACT ? x - y : kind == BLY_MULTIPLY ? x * y : x / y;
}

static double of_doubles(enum bly_expression_kind kind, double x, double y)
{
    return kind == BLY_ADD ? x + y : kind == BLY_SUBTRACT ? x - y : kind == BLY_MULTIPLY ? x * y : x / y;
}

static bool compared(enum bly_expression_kind kind, bool less, bool greater)
{
    switch (kind) {
    case BLY_LESS: return less;
    case BLY_LESS_EQUAL: return !greater;
    case BLY_GREATER: return greater;
    case BLY_GREATER_EQUAL: return !less;
    case BLY_EQUAL: return !less && !greater;
    default: return less || greater;
    }
}

static bool comparison(const struct bly_expression *e, struct bly_value x, struct bly_value y)
{
    const struct bly_type *type = e->a->type;
    if (type->kind == BLY_TYPE_REAL) return compared(e->kind, x.real<y.real, x.real> y.real);
    return compared(e->kind, is_less(x.integer, y.integer, type), is_less(y.integer, x.integer, type));
}

/* ---- Expressions --------------------------------------------------------------------------------- */

static bool of_two(const struct bly_parser *p, const struct bly_expression *e, struct bly_value *value)
{
    struct bly_value x, y;
    if (!bly_constant_value(p, e->a, &x) || !bly_constant_value(p, e->b, &y)) return false;
    if (bly_is_comparison(e->kind))
        value->integer = comparison(e, x, y);
    else if (e->kind == BLY_AND || e->kind == BLY_OR)
        value->integer = e->kind == BLY_AND ? x.integer && y.integer : x.integer || y.integer;
    else if (e->type->kind == BLY_TYPE_REAL)
        value->real = is_f32(p) ? (double)of_floats(e->kind, (float)x.real, (float)y.real)
                                : of_doubles(e->kind, x.real, y.real);
    else if ((e->kind == BLY_DIVIDE || e->kind == BLY_REMAINDER) && y.integer == 0)
        return false;
    else
        value->integer = wrapped(of_integers(e->kind, x.integer, y.integer, e->type), e->type);
    return true;
}

static bool of_one(const struct bly_parser *p, const struct bly_expression *e, struct bly_value *value)
{
    struct bly_value x;
    if (!bly_constant_value(p, e->a, &x)) return false;
    if (e->kind == BLY_SELECT) return bly_constant_value(p, x.integer ? e->b : e->c, value);
    if (e->kind == BLY_CONVERT)
        *value = bly_value_as(p, x, e->a->type, e->type);
    else if (e->kind == BLY_NEGATE)
        *value = (struct bly_value){-x.real, wrapped((int64_t)(0 - (uint64_t)x.integer), e->type)};
    else
        value->integer = e->kind == BLY_NOT ? !x.integer : wrapped(~x.integer, e->type);
    return true;
}

/* A constant outside functions that is one number. */
static bool of_variable(const struct bly_variable *v, struct bly_value *value)
{
    const bool known = v->kind == BLY_VARIABLE_CONSTANT && bly_type_is_number(v->type) && v->initial;
    if (!known) return false;
    if (v->type->kind == BLY_TYPE_REAL)
        value->real = v->initial->value->real;
    else
        value->integer = v->initial->value->integer;
    return true;
}

bool bly_constant_value(const struct bly_parser *p, const struct bly_expression *e, struct bly_value *value)
{
    *value = (struct bly_value){0, 0};
    if (!bly_type_is_number(e->type)) return false;
    if (e->kind == BLY_VARIABLE) return of_variable(e->variable, value);
    if (e->kind >= BLY_ADD && e->kind <= BLY_OR) return of_two(p, e, value);
    if (e->kind == BLY_NUMBER && e->type->kind == BLY_TYPE_REAL)
        value->real = e->real;
    else if (e->kind == BLY_NUMBER || e->kind == BLY_SIZE)
        value->integer = e->integer;
    else
        return e->kind > BLY_INDEX && e->kind < BLY_CALL && of_one(p, e, value);
    return true;
}

/* For a finite value: devices differ in others, and in what is subnormal. */
struct bly_expression *bly_constant_literal(struct bly_parser *p, const struct bly_expression *e)
{
    struct bly_value value;
    if (!bly_constant_value(p, e, &value)) return NULL;
    const double least = is_f32(p) ? (double)FLT_MIN : DBL_MIN, size = fabs(value.real);
    if (!isfinite(value.real) || (size > 0 && size < least))
        bly_stop(p, e->place, "this is beyond what a %s-precision number holds",
                 is_f32(p) ? "single" : "double");
    struct bly_expression *literal = BLY_NEW(p, struct bly_expression);
    *literal = (struct bly_expression){
        .kind = BLY_NUMBER, .type = e->type, .place = e->place, .end = e->end, .height = 1};
    if (e->type->kind == BLY_TYPE_REAL)
        literal->real = value.real;
    else
        literal->integer = value.integer;
    return literal;
}
