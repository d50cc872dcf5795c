/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Printing in half precision (kernels/half.h): reals are halves, and each operation rounds to one.
 *
 * Only variables hold halves. What lies in memory - fields, elements of arrays, and variables that something
 * points to - is stored in single precision, as the same state serves programs of both precisions; those of
 * parameters, random numbers and tables are halves that floats hold. A sum with a stored value is in single
 * precision, as is the smaller or larger of such values, and a variable that is declared with one. So a path
 * of many small steps does not lose them: x + x * g adds the product, a half, to a float. Everything else
 * rounds what it takes.
 */
#include "check.h"
#include "payoff.h"
#include "print.h"

typedef float real;
#define BLY_REAL f32
#include <kernels/payoff_math.h>

#include <kernels/half.h>

#include <string.h>

#define PRINT(...) BLY_PRINT(p, __VA_ARGS__)

float bly_half_nearest(float x) { return bly_half_rounded(x); }

bool bly_is_beyond_half(double x)
{
    const double size = x < 0 ? -x : x;
    return size > (double)BLY_HALF_MOST || (size > 0 && size < (double)BLY_HALF_LEAST);
}

/* ---- Stored values ------------------------------------------------------------------------------- */

static void note_address(void *of, struct bly_expression *x)
{
    (void)of;
    if (x->kind == BLY_ADDRESS && x->a->kind == BLY_VARIABLE) x->a->variable->wide = true;
}

void bly_half_begin(const struct bly_unit *unit)
{
    const struct bly_visitor visitor = {.expression = note_address};
    for (const struct bly_function *f = unit->functions; f; f = f->next) bly_visit_all(f->body, &visitor);
}

bool bly_is_stored(const struct bly_expression *object)
{
    return object->kind == BLY_VARIABLE ? object->variable->wide : true;
}

static bool is_object(const struct bly_expression *e)
{
    return e->kind == BLY_VARIABLE || e->kind == BLY_MEMBER || e->kind == BLY_INDEX;
}

/* Whether an object in memory has halves alone. */
static bool has_halves(const struct bly_expression *object)
{
    for (const struct bly_expression *e = object;; e = e->a) {
        if (e->kind == BLY_VARIABLE) return e->variable->kind == BLY_VARIABLE_CONSTANT;
        if (e->kind != BLY_MEMBER && e->kind != BLY_INDEX) return false;
        if (e->kind == BLY_INDEX) continue;
        const struct bly_type *of = e->a->type->kind == BLY_TYPE_POINTER ? e->a->type->of : e->a->type;
        return of->record->kind == BLY_RECORD_PARAMS || of->record->kind == BLY_RECORD_NOISE;
    }
}

static bool is_library(const struct bly_expression *e, const char *name)
{
    return e->kind == BLY_CALL && e->library && strcmp(e->library->name, name) == 0;
}

static bool is_extremum(const struct bly_expression *e)
{
    return is_library(e, "fmin") || is_library(e, "fmax");
}

/* Whether the value is in single precision. */
static bool is_wide(const struct bly_expression *e)
{
    if (e->type->kind != BLY_TYPE_REAL || (e->temporary && e->kind != BLY_INDEX)) return false;
    if (is_object(e)) return bly_is_stored(e) && !has_halves(e);
    if (e->kind == BLY_ADD || e->kind == BLY_SUBTRACT) return is_wide(e->a) || is_wide(e->b);
    if (e->kind == BLY_NEGATE) return is_wide(e->a);
    if (e->kind == BLY_SELECT) return is_wide(e->b) || is_wide(e->c);
    if (is_library(e, "fma")) return is_wide(e->arguments->next->next);
    if (is_library(e, "fabs")) return is_wide(e->arguments);
    return is_extremum(e) && (is_wide(e->arguments) || is_wide(e->arguments->next));
}

void bly_half_widen(struct bly_variable *variable, const struct bly_initial *initial)
{
    if (initial && initial->value && is_wide(initial->value)) variable->wide = true;
}

/* ---- In single precision ------------------------------------------------------------------------- */

static void print_digits(struct bly_printer *p, double value)
{
    const double half = (double)bly_half_nearest((float)value);
    if (half < 0) PRINT("(-");
    bly_print_real(p, half < 0 ? -half : half);
    if (half < 0) PRINT(")");
}

static void print_two(struct bly_printer *p, const char *before, const struct bly_expression *a,
                      const char *between, const struct bly_expression *b)
{
    PRINT("%s(", before);
    bly_print_single(p, a);
    PRINT("%s", between);
    bly_print_single(p, b);
    PRINT(")");
}

static void print_wide_fma(struct bly_printer *p, const struct bly_expression *e)
{
    const struct bly_expression *a = e->arguments, *b = a->next;
    PRINT("(bly_single(bly_half_multiply(");
    bly_print_expression(p, a, BLY_BINDS_SELECT);
    PRINT(", ");
    bly_print_expression(p, b, BLY_BINDS_SELECT);
    PRINT(")) + ");
    bly_print_single(p, b->next);
    PRINT(")");
}

static void print_wide_select(struct bly_printer *p, const struct bly_expression *e)
{
    PRINT("(");
    bly_print_expression(p, e->a, BLY_BINDS_OR);
    PRINT(" ? ");
    bly_print_single(p, e->b);
    PRINT(" : ");
    bly_print_single(p, e->c);
    PRINT(")");
}

static void print_wide(struct bly_printer *p, const struct bly_expression *e)
{
    if (is_object(e))
        bly_print_plain(p, e, BLY_BINDS_PRIMARY);
    else if (e->kind == BLY_ADD || e->kind == BLY_SUBTRACT)
        print_two(p, "", e->a, e->kind == BLY_ADD ? " + " : " - ", e->b);
    else if (e->kind == BLY_NEGATE)
        PRINT("(-"), bly_print_single(p, e->a), PRINT(")");
    else if (e->kind == BLY_SELECT)
        print_wide_select(p, e);
    else if (is_extremum(e))
        print_two(p, e->library->name[3] == 'n' ? "bly_payoff_fmin" : "bly_payoff_fmax", e->arguments, ", ",
                  e->arguments->next);
    else if (is_library(e, "fabs"))
        PRINT("bly_payoff_fabs("), bly_print_single(p, e->arguments), PRINT(")");
    else
        print_wide_fma(p, e);
}

static bool is_number(const struct bly_expression *e)
{
    return e->kind == BLY_NUMBER || (e->kind == BLY_VARIABLE && bly_is_number(e->variable));
}

static double number_of(const struct bly_expression *e)
{
    return e->kind == BLY_NUMBER ? e->real : e->variable->initial->value->real;
}

void bly_print_single(struct bly_printer *p, const struct bly_expression *e)
{
    const bool ready = e->temporary && e->kind != BLY_INDEX;
    if (!ready && is_number(e))
        print_digits(p, number_of(e));
    else if (!ready && is_wide(e))
        print_wide(p, e);
    else if (!ready && is_object(e) && bly_is_stored(e))
        bly_print_plain(p, e, BLY_BINDS_PRIMARY);
    else
        PRINT("bly_single("), bly_print_expression(p, e, BLY_BINDS_SELECT), PRINT(")");
}

/* ---- In half precision --------------------------------------------------------------------------- */

/* Comparisons, and conversions to integers, are exact in single precision. */
bool bly_prints_half(const struct bly_printer *p, const struct bly_expression *e)
{
    if (!p->printing->half) return false;
    if (e->type->kind == BLY_TYPE_REAL) return true;
    if (e->temporary) return false;
    return (bly_is_comparison(e->kind) || e->kind == BLY_CONVERT) && e->a->type->kind == BLY_TYPE_REAL;
}

static const char *word_of(enum bly_expression_kind kind)
{
    switch (kind) {
    case BLY_ADD: return "add";
    case BLY_SUBTRACT: return "subtract";
    case BLY_MULTIPLY: return "multiply";
    default: return "divide";
    }
}

static void print_operation(struct bly_printer *p, const struct bly_expression *e)
{
    PRINT("bly_half_%s(", word_of(e->kind));
    bly_print_expression(p, e->a, BLY_BINDS_SELECT);
    PRINT(", ");
    bly_print_expression(p, e->b, BLY_BINDS_SELECT);
    PRINT(")");
}

static void print_library(struct bly_printer *p, const struct bly_expression *e)
{
    PRINT("bly_half_%s(", e->library->name);
    for (const struct bly_expression *a = e->arguments; a; a = a->next) {
        bly_print_expression(p, a, BLY_BINDS_SELECT);
        if (a->next) PRINT(", ");
    }
    PRINT(")");
}

static void print_object(struct bly_printer *p, const struct bly_expression *e)
{
    const bool stored = bly_is_stored(e) || has_halves(e);
    if (stored) PRINT(has_halves(e) ? "bly_half_same(" : "bly_half_of(");
    bly_print_plain(p, e, BLY_BINDS_PRIMARY);
    if (stored) PRINT(")");
}

/* An integer is rounded to single precision first. */
static void print_convert(struct bly_printer *p, const struct bly_expression *e)
{
    if (e->a->type->kind == BLY_TYPE_REAL) {
        bly_print_expression(p, e->a, BLY_BINDS_PRIMARY);
        return;
    }
    PRINT("bly_half_of((real)");
    bly_print_expression(p, e->a, BLY_BINDS_PRIMARY);
    PRINT(")");
}

static void print_real_of(struct bly_printer *p, const struct bly_expression *e, enum bly_binding around)
{
    switch (e->kind) {
    case BLY_VARIABLE:
    case BLY_MEMBER:
    case BLY_INDEX: print_object(p, e); break;
    case BLY_NEGATE:
        PRINT("bly_half_negate("), bly_print_expression(p, e->a, BLY_BINDS_SELECT), PRINT(")");
        break;
    case BLY_ADD:
    case BLY_SUBTRACT:
    case BLY_MULTIPLY:
    case BLY_DIVIDE: print_operation(p, e); break;
    case BLY_CONVERT: print_convert(p, e); break;
    case BLY_CALL:
        if (e->library)
            print_library(p, e);
        else
            bly_print_plain(p, e, around);
        break;
    default: bly_print_plain(p, e, around); /* SELECT */
    }
}

static void print_comparison(struct bly_printer *p, const struct bly_expression *e)
{
    char between[8] = " ";
    strcat(strncat(between, bly_sign_of(e->kind), 4), " ");
    print_two(p, "", e->a, between, e->b);
}

static void print_integer_of(struct bly_printer *p, const struct bly_expression *e)
{
    static const char *const suffixes[] = {[BLY_TYPE_INT] = "i32",
                                           [BLY_TYPE_UINT32] = "u32",
                                           [BLY_TYPE_INT64] = "i64",
                                           [BLY_TYPE_UINT64] = "u64"};
    p->checked = true;
    PRINT("bly_to_%s(", suffixes[e->type->kind]);
    bly_print_single(p, e->a);
    PRINT(")");
}

void bly_print_half(struct bly_printer *p, const struct bly_expression *e, enum bly_binding around)
{
    if (e->temporary && e->kind != BLY_INDEX)
        bly_print_plain(p, e, around);
    else if (bly_is_comparison(e->kind))
        print_comparison(p, e);
    else if (e->type->kind != BLY_TYPE_REAL)
        print_integer_of(p, e);
    else if (is_number(e))
        PRINT("bly_half_same("), print_digits(p, number_of(e)), PRINT(")");
    else if (is_wide(e))
        PRINT("bly_half_of("), print_wide(p, e), PRINT(")");
    else
        print_real_of(p, e, around);
}
