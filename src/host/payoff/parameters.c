/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Each value is checked against what the code says of its parameter before it is stored: kernels test none of
 * it. Values lie in memory as C lays out the struct `params` of the precision, since kernels read them so.
 */
#include "parameters.h"

#include <base/status.h>

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Limits of a field's values, which are integers unless it is real. */
static const struct {
    double low, high;
    const char *name;
} limits[] = {[BLY_FIELD_REAL] = {-DBL_MAX, DBL_MAX, "a real"},
              [BLY_FIELD_INT] = {-0x1p31, 0x1p31 - 1, "an int"},
              [BLY_FIELD_UINT32] = {0, 0x1p32 - 1, "a uint32"},
              [BLY_FIELD_INT64] = {-0x1p53, 0x1p53, "an int64 that a double holds"},
              [BLY_FIELD_UINT64] = {0, 0x1p53, "a uint64 that a double holds"}};

/* As messages name an element: "spot", "spot[1]". */
static const char *name_of(const struct bly_field *field, uint32_t i, char name[96])
{
    if (field->count > 1)
        snprintf(name, 96, "%s[%u]", field->name, i);
    else
        snprintf(name, 96, "%s", field->name);
    return name;
}

static bailey_status check_type(bailey_precision precision, const struct bly_field *field, uint32_t i, double value)
{
    char name[96];
    const int real = field->type == BLY_FIELD_REAL, f32 = precision == BAILEY_PRECISION_F32;
    if (!(value >= limits[field->type].low && value <= limits[field->type].high) ||
        (!real && value != floor(value)))
        return bly_fail_argument("values", "%s is %g, not %s", name_of(field, i, name), value,
                                 limits[field->type].name);
    const double least = f32 ? FLT_MIN : DBL_MIN, most = f32 ? FLT_MAX : DBL_MAX;
    if (real && value != 0 && !(fabs(value) >= least && fabs(value) <= most))
        return bly_fail_argument("values", "%s is %g, beyond %s precision", name_of(field, i, name), value,
                                 f32 ? "single" : "double");
    return BAILEY_OK;
}

const bailey_parameter *bly_parameter_described(const struct bly_payoff *payoff,
                                                const struct bly_field *field)
{
    return &payoff->description->d.parameters[field - payoff->params];
}

const struct bly_field *bly_parameter_of_role(const struct bly_payoff *payoff, bailey_role role)
{
    for (uint32_t i = 0; i < payoff->param_count; i++)
        if (payoff->description->d.parameters[i].role == role) return &payoff->params[i];
    return NULL;
}

static int is_allowed(const bailey_parameter *p, double value)
{
    for (uint32_t i = 0; i < p->choice_count; i++)
        if (p->choices[i].value == value) return 1;
    return p->choice_count == 0 && bly_interval_has(&p->range, value);
}

/* A hint for a likely mistake of units. */
static const char *hint_of(bailey_role role)
{
    return role == BAILEY_ROLE_VARIANCE                               ? "; of a volatility of 0.2 it is 0.04"
           : role == BAILEY_ROLE_VOLATILITY                           ? "; 0.2 is 20 %"
           : role == BAILEY_ROLE_RATE || role == BAILEY_ROLE_DIVIDEND ? "; 0.05 is 5 %"
                                                                      : "";
}

bailey_status bly_parameter_check(const struct bly_payoff *payoff, bailey_precision precision,
                                  const struct bly_field *field, uint32_t i, double value)
{
    const bailey_parameter *p = bly_parameter_described(payoff, field);
    char name[96];
    const bailey_status status = check_type(precision, field, i, value);
    if (status != BAILEY_OK) return status;
    if (!is_allowed(p, value))
        return bly_fail_argument("values", "%s of %s is %g, not %s", name_of(field, i, name), payoff->name, value,
                                 p->range_words);
    return BAILEY_OK;
}

void bly_parameter_warn(const struct bly_payoff *payoff, const struct bly_field *field, uint32_t i,
                        const double *values, uint64_t count, uint64_t stride)
{
    const bailey_parameter *p = bly_parameter_described(payoff, field);
    for (uint64_t k = 0; k < count; k++) {
        char name[96];
        const double value = values[k * stride];
        if (bly_interval_has(&p->usual, value)) continue;
        name_of(field, i + (stride == 1 ? (uint32_t)k : 0), name);
        bly_warn("%s of %s is %g, usually %s%s", name, payoff->name, value, p->usual_words, hint_of(p->role));
        return;
    }
}

size_t bly_parameter_bytes(bailey_precision precision, const struct bly_field *field)
{
    if (field->type == BLY_FIELD_REAL) return precision == BAILEY_PRECISION_F64 ? 8 : 4;
    return field->type == BLY_FIELD_INT || field->type == BLY_FIELD_UINT32 ? 4 : 8;
}

void bly_parameter_write_real(bailey_precision precision, double value, void *to)
{
    const float narrow = (float)value;
    if (precision == BAILEY_PRECISION_F64)
        memcpy(to, &value, sizeof value);
    else
        memcpy(to, &narrow, sizeof narrow);
}

void bly_parameter_write(bailey_precision precision, const struct bly_field *field, uint32_t i, double value,
                         uint8_t *set)
{
    const int64_t whole = field->type == BLY_FIELD_REAL ? 0 : (int64_t)value;
    const size_t bytes = bly_parameter_bytes(precision, field);
    uint8_t *to = set + field->offset + i * bytes;
    if (field->type == BLY_FIELD_REAL)
        bly_parameter_write_real(precision, value, to);
    else
        memcpy(to, &whole, bytes);
}

double bly_parameter_read(bailey_precision precision, const struct bly_field *field, uint32_t i,
                          const uint8_t *set)
{
    const size_t bytes = bly_parameter_bytes(precision, field);
    union {
        double f64;
        float f32;
        int32_t i32;
        uint32_t u32;
        int64_t i64;
        uint64_t u64;
    } value;
    memcpy(&value, set + field->offset + i * bytes, bytes);
    switch (field->type) {
    case BLY_FIELD_INT: return value.i32;
    case BLY_FIELD_UINT32: return value.u32;
    case BLY_FIELD_INT64: return (double)value.i64;
    case BLY_FIELD_UINT64: return (double)value.u64;
    case BLY_FIELD_REAL: break;
    }
    return precision == BAILEY_PRECISION_F64 ? value.f64 : (double)value.f32;
}

const struct bly_field *bly_parameter_find(const struct bly_payoff *payoff, const char *name, size_t length)
{
    for (uint32_t i = 0; i < payoff->param_count; i++)
        if (strlen(payoff->params[i].name) == length && memcmp(payoff->params[i].name, name, length) == 0)
            return &payoff->params[i];
    return NULL;
}

bailey_status bly_parameters_set(const struct bly_payoff *payoff, bailey_precision precision,
                                 const char *name, const double *values, uint64_t count, uint8_t *set,
                                 uint8_t *given)
{
    const struct bly_field *field = bly_parameter_find(payoff, name, strlen(name));
    if (!field) return bly_fail_argument("name", "%s has no parameter \"%s\"", payoff->name, name);
    if (count != field->count)
        return bly_fail_argument("count", "count is %llu, %s has %u", (unsigned long long)count, name,
                                 field->count);
    if (!values) return bly_fail_argument("values", "values is NULL");
    for (uint32_t i = 0; i < field->count; i++) {
        const bailey_status status = bly_parameter_check(payoff, precision, field, i, values[i]);
        if (status != BAILEY_OK) return status;
    }
    bly_parameter_warn(payoff, field, 0, values, count, 1);
    for (uint32_t i = 0; i < field->count; i++) bly_parameter_write(precision, field, i, values[i], set);
    if (given) given[field - payoff->params] = 1;
    return BAILEY_OK;
}

/* The parameter whose value is that of parameter i, which was not set: itself, or where its defaults lead. */
static uint32_t root_of(const struct bly_payoff *payoff, const uint8_t *given, uint32_t i)
{
    while (!given[i] && payoff->description->default_of[i] != BLY_NO_PARAMETER)
        i = payoff->description->default_of[i];
    return i;
}

void bly_parameters_fill(const struct bly_payoff *payoff, bailey_precision precision, const uint8_t *given,
                         uint8_t *set)
{
    for (uint32_t i = 0; i < payoff->param_count; i++) {
        const uint32_t root = root_of(payoff, given, i);
        const struct bly_field *field = &payoff->params[i], *from = &payoff->params[root];
        const bailey_parameter *p = &payoff->description->d.parameters[root];
        const int number = !given[root] && p->default_kind == BAILEY_DEFAULT_KIND_NUMBER;
        if (given[i] || (root == i && !number)) continue;
        for (uint32_t e = 0; e < field->count; e++) {
            const uint32_t element = from->count == 1 ? 0 : e;
            const double value =
                number ? p->default_value : bly_parameter_read(precision, from, element, set);
            bly_parameter_write(precision, field, e, value, set);
        }
    }
}

void bly_parameters_follow(const struct bly_payoff *payoff, bailey_precision precision, const uint8_t *given,
                           const uint8_t *also, uint8_t *set)
{
    for (uint32_t i = 0; i < payoff->param_count; i++) {
        uint32_t root = i;
        while (!given[root] && !also[root] && payoff->description->default_of[root] != BLY_NO_PARAMETER)
            root = payoff->description->default_of[root];
        if (root == i || given[root] || !also[root] ||
            payoff->description->d.parameters[root].default_kind != BAILEY_DEFAULT_KIND_NONE)
            continue;
        const struct bly_field *field = &payoff->params[i], *from = &payoff->params[root];
        for (uint32_t e = 0; e < field->count; e++)
            bly_parameter_write(precision, field, e,
                                bly_parameter_read(precision, from, from->count == 1 ? 0 : e, set), set);
    }
}

bailey_status bly_parameters_missing(const struct bly_payoff *payoff, const uint8_t *given,
                                     const uint8_t *also)
{
    char names[1200] = "";
    uint32_t count = 0;
    for (uint32_t i = 0; i < payoff->param_count; i++) {
        const uint32_t root = root_of(payoff, given, i);
        const size_t used = strlen(names);
        if (given[root] || (also && (also[i] || also[root])) ||
            payoff->description->d.parameters[root].default_kind == BAILEY_DEFAULT_KIND_NUMBER)
            continue;
        snprintf(names + used, sizeof names - used, "%s%s", count++ ? ", " : "", payoff->params[i].name);
    }
    if (!count) return BAILEY_OK;
    return bly_fail_argument("parameters", "%s needs %s, which %s neither set nor %s a default", payoff->name,
                             names, count == 1 ? "is" : "are", count == 1 ? "has" : "have");
}

/* ---- Values that go together --------------------------------------------------------------------- */

static int compares(enum bly_comparison comparison, double a, double b)
{
    switch (comparison) {
    case BLY_IS_ABOVE: return a > b;
    case BLY_IS_ABOVE_OR: return a >= b;
    case BLY_IS_BELOW: return a < b;
    case BLY_IS_BELOW_OR: return a <= b;
    case BLY_IS: return a == b;
    case BLY_IS_NOT:
    case BLY_INCREASES: break;
    }
    return a != b;
}

/* The first element that is not above the one before; 0: all are, but for zeros at the end. */
static uint32_t not_above(bailey_precision precision, const struct bly_field *field, const uint8_t *set)
{
    uint32_t count = field->count;
    while (count && bly_parameter_read(precision, field, count - 1, set) == 0) count--;
    for (uint32_t i = 1; i < count; i++)
        if (!(bly_parameter_read(precision, field, i, set) > bly_parameter_read(precision, field, i - 1, set)))
            return i;
    return 0;
}

/* What values are checked with. */
struct checked {
    const struct bly_payoff *payoff;
    bailey_precision precision;
    const uint8_t *set;
};

/* How many elements of an operand are read. */
static uint32_t length_of(const struct checked *c, const struct bly_operand *o)
{
    return o->parameter < c->payoff->param_count && o->element == BLY_EACH_ELEMENT
               ? c->payoff->params[o->parameter].count
               : 1;
}

static double operand_value(const struct checked *c, const struct bly_operand *o, uint32_t i)
{
    if (o->parameter == BLY_NO_PARAMETER) return o->number;
    if (o->parameter == BLY_LAST_DATE) return c->payoff->last_date;
    return bly_parameter_read(c->precision, &c->payoff->params[o->parameter],
                              o->element != BLY_EACH_ELEMENT ? o->element : length_of(c, o) > 1 ? i : 0, c->set);
}

/* Parameters may be rounded to single precision where the last date is not, which counts for them. */
static int element_holds(const struct checked *c, const struct bly_term *t, uint32_t i)
{
    const bool below = t->comparison == BLY_IS_BELOW || t->comparison == BLY_IS_BELOW_OR;
    double left = 0, right = operand_value(c, &t->right, i);
    for (int k = 0; k < 2; k++) left += operand_value(c, &t->left[k][0], i) * operand_value(c, &t->left[k][1], i);
    if (t->right.parameter == BLY_LAST_DATE) right *= below ? 1 + 1e-6 : 1 - 1e-6;
    return compares(t->comparison, left, right);
}

static int term_holds(const struct checked *c, const struct bly_term *t)
{
    const uint32_t count = length_of(c, &t->left[0][0]);
    const int all = t->right.parameter == BLY_LAST_DATE || (count > 1 && length_of(c, &t->right) == count);
    int holds = all;
    if (t->comparison == BLY_INCREASES)
        return !not_above(c->precision, &c->payoff->params[t->left[0][0].parameter], c->set);
    for (uint32_t i = 0; i < count && holds == all; i++) holds = element_holds(c, t, i);
    return holds;
}

/* The first element that is not before, or not behind, the last date. */
static uint32_t beyond_last(const struct checked *c, const struct bly_term *t)
{
    uint32_t i = 0;
    while (t->right.parameter == BLY_LAST_DATE && i + 1 < length_of(c, &t->left[0][0]) && element_holds(c, t, i)) i++;
    return i;
}

/* Adds to a text of `size` bytes, and returns what is used then. */
static size_t add_text(char *text, size_t size, size_t used, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bly_format(text + used, size - used, format, arguments);
    va_end(arguments);
    return used + strlen(text + used);
}

/* The parameters of a check that fails and their values, each once: "past_average is 3, past_count is 0". */
static void write_values(const struct checked *with, const struct bly_check *c, char *text, size_t size)
{
    uint32_t said[5 * BLY_MOST_TERMS], count = 0;
    size_t used = 0;
    for (uint32_t t = 0; t < c->term_count; t++)
        for (uint32_t k = 0; k < 5; k++) {
            const struct bly_operand *o = k < 4 ? &c->terms[t].left[k / 2][k % 2] : &c->terms[t].right;
            uint32_t before = 0;
            while (before < count && said[before] != o->parameter) before++;
            if (o->parameter == BLY_NO_PARAMETER || before < count) continue;
            said[count++] = o->parameter;
            const char *joint = used ? ", " : "";
            if (o->parameter == BLY_LAST_DATE) {
                used = add_text(text, size, used, "%sLAST, the time of the last date, is %g", joint,
                                with->payoff->last_date);
                continue;
            }
            const struct bly_field *field = &with->payoff->params[o->parameter];
            const bool increases = c->terms[t].comparison == BLY_INCREASES;
            const bool one = increases || c->terms[t].right.parameter == BLY_LAST_DATE;
            const uint32_t at = increases ? not_above(with->precision, field, with->set)
                                : field->count > 1 ? beyond_last(with, &c->terms[t])
                                                   : 0;
            char name[96];
            if (at && increases)
                used = add_text(text, size, used, "%s%s is %g, ", joint, name_of(field, at - 1, name),
                                bly_parameter_read(with->precision, field, at - 1, with->set));
            used = add_text(text, size, used, "%s%s is %g", at && increases ? "" : joint,
                            one && field->count > 1 ? name_of(field, at, name) : field->name,
                            bly_parameter_read(with->precision, field, at, with->set));
        }
}

bailey_status bly_parameters_check(const struct bly_payoff *payoff, bailey_precision precision,
                                   const uint8_t *set)
{
    const struct bly_description *d = payoff->description;
    const struct checked with = {payoff, precision, set};
    for (uint32_t i = 0; i < d->d.check_count; i++) {
        const struct bly_check *c = &d->checks[i];
        int holds = 0;
        for (uint32_t t = 0; t < c->term_count && !holds; t++) holds = term_holds(&with, &c->terms[t]);
        if (holds) continue;
        char values[400] = "";
        write_values(&with, c, values, sizeof values);
        return bly_fail_argument("values", "%s: %s, where %s%s%s", payoff->name, values, d->d.checks[i],
                                 *c->words ? ": " : "", c->words);
    }
    return BAILEY_OK;
}

/* ---- Digests ------------------------------------------------------------------------------------- */

void bly_parameters_digest(const struct bly_payoff *payoff, bailey_precision precision, const uint8_t *set,
                           uint8_t digest[BLY_DIGEST_BYTES])
{
    struct bly_hash hash;
    bly_hash_init(&hash);
    for (uint32_t i = 0; i < payoff->param_count; i++) {
        const struct bly_field *field = &payoff->params[i];
        bly_hash_add(&hash, set + field->offset, field->count * bly_parameter_bytes(precision, field));
    }
    bly_hash_done(&hash, digest);
}

void bly_payoff_digest(const struct bly_payoff *payoff, uint8_t digest[BLY_DIGEST_BYTES])
{
    const char *line = payoff->text;
    struct bly_hash hash;
    bly_hash_init(&hash);
    while (*line) {
        const size_t length = strcspn(line, "\n");
        if (strncmp(line, "#line", 5) != 0) bly_hash_add(&hash, line, length);
        bly_hash_add(&hash, "\n", 1);
        line += length + (line[length] != 0);
    }
    if (payoff->site_count) bly_hash_add(&hash, &payoff->loop_budget, sizeof payoff->loop_budget);
    bly_hash_add(&hash, &payoff->outputs, sizeof payoff->outputs);
    bly_hash_done(&hash, digest);
}
