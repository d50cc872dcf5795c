/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Parameters of levels in half precision. Halves end at 65504, and squares of prices appear in most schemes.
 * So amounts of money, by the units that the code declares, are divided by a power of two where the largest
 * is not of a size that suits, and payoffs are multiplied by it. Whether a payoff really scales so does not
 * matter to the result: a correction computes the same payoff from the same words.
 */
#include "mlmc_internal.h"

#include <base/status.h>
#include <host/payoff/descriptions.h>

#include <math.h>
#include <string.h>

/* Amounts stay as they are where the largest is within these limits. */
#define LEAST_MONEY 0.25
#define MOST_MONEY 256.0
#define USUAL_EXPONENT 7 /* the largest of others becomes at least 2^6 and less than 2^7 */

static int is_money(const bailey_mlmc *m, const struct bly_field *field)
{
    const char *unit = bly_parameter_described(&m->payoff, field)->unit;
    return field->type == BLY_FIELD_REAL && unit && strcmp(unit, "money") == 0;
}

static double largest_money(const bailey_mlmc *m)
{
    double most = 0;
    for (uint32_t i = 0; i < m->payoff.param_count; i++) {
        const struct bly_field *field = &m->payoff.params[i];
        for (uint32_t e = 0; e < field->count && is_money(m, field); e++)
            most = fmax(most, fabs(bly_parameter_read(m->precision, field, e, m->values)));
    }
    return most;
}

static uint32_t scale_of(const bailey_mlmc *m)
{
    const double most = largest_money(m);
    int exponent = USUAL_EXPONENT;
    if (most > 0 && !(most >= LEAST_MONEY && most < MOST_MONEY)) frexp(most, &exponent);
    return (uint32_t)(BLY_HALF_NO_SCALE + exponent - USUAL_EXPONENT);
}

/* Element e of a parameter, in the unit of the variant. */
static double value_of(const bailey_mlmc *m, const struct bly_mlmc_variant *v, const struct bly_field *field,
                       uint32_t e)
{
    const double value = bly_parameter_read(m->precision, field, e, m->values);
    return is_money(m, field) ? ldexp(value, BLY_HALF_NO_SCALE - (int)v->half_scale) : value;
}

static bailey_status check_field(const bailey_mlmc *m, const struct bly_mlmc_variant *v,
                                 const struct bly_field *field)
{
    for (uint32_t e = 0; e < field->count && field->type == BLY_FIELD_REAL; e++)
        if (bly_is_beyond_half(value_of(m, v, field, e)))
            return bly_fail_argument(
                "approximate",
                "approximate is half, but %s is %g, beyond half precision: from 2^-24 to "
                "65504; amounts are scaled where the code declares [unit money]",
                field->name, bly_parameter_read(m->precision, field, e, m->values));
    return BAILEY_OK;
}

bailey_status bly_half_choose(const bailey_mlmc *m, struct bly_mlmc_variant *v)
{
    const struct bly_payoff *p = &m->payoff;
    bailey_status status = BAILEY_OK;
    v->half_scale = scale_of(m);
    if (p->half_line)
        return bly_fail_argument("approximate",
                                 "approximate is half, but %s has %g in line %u, beyond half precision: from "
                                 "2^-24 to 65504",
                                 p->name, p->half_beyond, (unsigned)p->half_line);
    if (m->time > 65504)
        return bly_fail_argument(
            "approximate", "approximate is half, but paths end at %g, beyond half precision: up to 65504",
            m->time);
    for (uint32_t i = 0; i < p->param_count && status == BAILEY_OK; i++)
        status = check_field(m, v, &p->params[i]);
    return status;
}

void bly_half_values(const bailey_mlmc *m, const struct bly_mlmc_variant *v, uint8_t *set)
{
    memcpy(set, m->values, m->payoff.params_bytes);
    for (uint32_t i = 0; i < m->payoff.param_count; i++) {
        const struct bly_field *field = &m->payoff.params[i];
        for (uint32_t e = 0; e < field->count && field->type == BLY_FIELD_REAL; e++)
            bly_parameter_write(m->precision, field, e,
                                (double)bly_half_nearest((float)value_of(m, v, field, e)), set);
    }
}
