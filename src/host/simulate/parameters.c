/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "parameters.h"

#include "builtin_ranges.h"

#include <base/status.h>
#include <host/internal.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* Limits of a field's values, which are whole numbers unless it is real. */
static const struct {
    double low, high;
    const char *name;
} limits[] = {[BLY_FIELD_REAL] = {-DBL_MAX, DBL_MAX, "a real"},
              [BLY_FIELD_INT] = {-0x1p31, 0x1p31 - 1, "an int"},
              [BLY_FIELD_UINT32] = {0, 0x1p32 - 1, "a uint32"},
              [BLY_FIELD_INT64] = {-0x1p53, 0x1p53, "an int64 that a double holds"},
              [BLY_FIELD_UINT64] = {0, 0x1p53, "a uint64 that a double holds"}};

bailey_status bly_parameter_check(bailey_precision precision, const struct bly_field *field, uint32_t i,
                                  double value)
{
    const int real = field->type == BLY_FIELD_REAL, f32 = precision == BAILEY_PRECISION_F32;
    if (!(value >= limits[field->type].low && value <= limits[field->type].high) ||
        (!real && value != floor(value)))
        return bly_fail_argument("values", "%s[%u] is %g, not %s", field->name, i, value,
                                 limits[field->type].name);
    const double least = f32 ? FLT_MIN : DBL_MIN, most = f32 ? FLT_MAX : DBL_MAX;
    if (real && value != 0 && !(fabs(value) >= least && fabs(value) <= most))
        return bly_fail_argument("values", "%s[%u] is %g, beyond %s precision", field->name, i, value,
                                 f32 ? "single" : "double");
    return BAILEY_OK;
}

size_t bly_parameter_bytes(bailey_precision precision, const struct bly_field *field)
{
    if (field->type == BLY_FIELD_REAL) return bly_element_bytes(precision);
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

bailey_status bly_parameters_set(const struct bly_payoff *payoff, const char *builtin,
                                 bailey_precision precision, const char *name, const double *values,
                                 uint64_t count, uint8_t *set)
{
    const struct bly_field *field = bly_parameter_find(payoff, name, strlen(name));
    if (!field) return bly_fail_argument("name", "%s has no parameter \"%s\"", payoff->name, name);
    if (count != field->count)
        return bly_fail_argument("count", "count is %llu, %s has %u", (unsigned long long)count, name,
                                 field->count);
    if (!values) return bly_fail_argument("values", "values is NULL");
    for (uint32_t i = 0; i < field->count; i++) {
        bailey_status status = bly_parameter_check(precision, field, i, values[i]);
        if (status == BAILEY_OK) status = bly_builtin_check_value(builtin, field, i, values[i]);
        if (status != BAILEY_OK) return status;
    }
    for (uint32_t i = 0; i < field->count; i++) bly_parameter_write(precision, field, i, values[i], set);
    return BAILEY_OK;
}

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

void bly_payoff_add(struct bly_hash *hash, const struct bly_payoff *payoff)
{
    const char *line = payoff->text;
    while (*line) {
        const size_t length = strcspn(line, "\n");
        if (strncmp(line, "#line", 5) != 0) bly_hash_add(hash, line, length);
        bly_hash_add(hash, "\n", 1);
        line += length + (line[length] != 0);
    }
    if (payoff->site_count) bly_hash_add(hash, &payoff->loop_budget, sizeof payoff->loop_budget);
}
