/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "builtin_ranges.h"

#include "parameters.h"

#include <base/status.h>

#include <math.h>
#include <string.h>

static int is_positive(double x) { return x > 0; }
static int is_not_negative(double x) { return x >= 0; }
static int is_side(double x) { return fabs(x) == 1; }
static int is_flag(double x) { return x == 0 || x == 1; }

#define POSITIVE is_positive, "positive"
#define NOT_NEGATIVE is_not_negative, "0 or more"

/* The first row that fits holds. */
static const struct {
    const char *builtin; /* NULL: of any */
    const char *parameter;
    int (*holds)(double);
    const char *words;
} ranges[] = {
    {NULL, "spot", POSITIVE},
    {NULL, "spot_a", POSITIVE},
    {NULL, "spot_b", POSITIVE},
    {"barrier", "volatility", POSITIVE},
    {NULL, "volatility", NOT_NEGATIVE},
    {NULL, "variance", NOT_NEGATIVE},
    {NULL, "mean_variance", NOT_NEGATIVE},
    {NULL, "sigma", NOT_NEGATIVE},
    {NULL, "a0", NOT_NEGATIVE},
    {NULL, "a1", NOT_NEGATIVE},
    {NULL, "a2", NOT_NEGATIVE},
    {NULL, "barrier", POSITIVE},
    {NULL, "side", is_side, "-1 (a down barrier) or 1 (an up barrier)"},
    {NULL, "knock_in", is_flag, "0 (knock-out) or 1 (knock-in)"},
    {NULL, "past_count", NOT_NEGATIVE},
    {NULL, "tolerance", NOT_NEGATIVE},
};

bailey_status bly_builtin_check_value(const char *builtin, const struct bly_field *field, uint32_t i,
                                      double value)
{
    for (size_t r = 0; builtin && r < sizeof ranges / sizeof *ranges; r++) {
        if (strcmp(ranges[r].parameter, field->name) != 0) continue;
        if (ranges[r].builtin && strcmp(ranges[r].builtin, builtin) != 0) continue;
        if (ranges[r].holds(value)) break;
        if (field->count == 1)
            return bly_fail_argument("values", "%s of %s is %g, not %s", field->name, builtin, value,
                                     ranges[r].words);
        return bly_fail_argument("values", "%s[%u] of %s is %g, not %s", field->name, i, builtin, value,
                                 ranges[r].words);
    }
    return BAILEY_OK;
}

static int has_negative(const struct bly_payoff *payoff, bailey_precision precision, const char *name,
                        const uint8_t *set)
{
    const struct bly_field *field = bly_parameter_find(payoff, name, strlen(name));
    for (uint32_t i = 0; field && i < field->count; i++)
        if (bly_parameter_read(precision, field, i, set) < 0) return 1;
    return 0;
}

/* Fixings that are past, and their mean: neither says anything without the other. The mean of a spread, which
 * has a negative weight, may be anything. */
static bailey_status check_past(const char *builtin, const struct bly_payoff *payoff,
                                bailey_precision precision, const uint8_t *set)
{
    const struct bly_field *number = bly_parameter_find(payoff, "past_count", strlen("past_count")),
                           *mean = bly_parameter_find(payoff, "past_average", strlen("past_average"));
    if (!number || !mean) return BAILEY_OK;
    const double count = bly_parameter_read(precision, number, 0, set),
                 average = bly_parameter_read(precision, mean, 0, set);
    if (count == 0 && average != 0)
        return bly_fail_argument("values",
                                 "past_average of %s is %g, and past_count is 0: how many fixings is it the "
                                 "mean of?",
                                 builtin, average);
    if (count > 0 && !(average > 0) && !has_negative(payoff, precision, "weight", set))
        return bly_fail_argument("values",
                                 "past_count of %s is %g, and past_average is %g, not positive: it is the "
                                 "mean of those fixings",
                                 builtin, count, average);
    return BAILEY_OK;
}

bailey_status bly_builtin_check_set(const char *builtin, const struct bly_payoff *payoff,
                                    bailey_precision precision, const uint8_t *set)
{
    bailey_status status = BAILEY_OK;
    if (!builtin) return BAILEY_OK;
    for (uint32_t f = 0; f < payoff->param_count; f++)
        for (uint32_t i = 0; i < payoff->params[f].count && status == BAILEY_OK; i++)
            status = bly_builtin_check_value(builtin, &payoff->params[f], i,
                                             bly_parameter_read(precision, &payoff->params[f], i, set));
    return status == BAILEY_OK ? check_past(builtin, payoff, precision, set) : status;
}
