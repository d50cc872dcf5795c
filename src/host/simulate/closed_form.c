/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Expectations of outputs that are known, for the closed forms that code may name in its head comment; and prices
 * by functions closed_form of products.
 *
 * For an option on a geometric mean, which is lognormal, it is Black's formula: Kemna and Vorst, "A pricing
 * method for options based on average asset values" (1990), for a basket and discrete fixings. Parameters are
 * those that paths have, rounded to the simulation's precision, and arithmetic is the devices' own, so that
 * estimates with the control variate have the same bits everywhere.
 */
#include "simulation_internal.h"

#include <bailey/device/elementary.h>
#include <base/alloc.h>
#include <host/payoff/descriptions.h>
#include <host/payoff/explain.h>

#include <math.h>
#include <string.h>

/* The option of the payoff's parameters. */
struct option {
    const bailey_simulation *s;
    const struct bly_field *spot, *volatility, *dividend, *weight; /* the last two may be NULL */
    double rate, strike, sign;
    double part; /* fixings to come, of all */
};

static double element(const struct option *option, const struct bly_field *field, uint32_t i)
{
    return bly_parameter_read(option->s->precision, field, field->count == 1 ? 0 : i, option->s->values);
}

static double number_of(const bailey_simulation *s, const struct bly_field *field, double otherwise)
{
    return field ? bly_parameter_read(s->precision, field, 0, s->values) : otherwise;
}

static double money(const struct option *option, uint32_t i)
{
    return (option->weight ? element(option, option->weight, i) : 1.0 / option->s->dims) *
           element(option, option->spot, i);
}

/* With m fixings past, of mean A, and n to come, of mean F, the option pays n / (m + n) times as much as one
 * on F alone with the strike K + (K - A) m / n. */
static void take_past(struct option *option)
{
    const bailey_simulation *s = option->s;
    const double past = number_of(s, bly_parameter_find(&s->payoff, "past_count", 10), 0),
                 mean = number_of(s, bly_parameter_find(&s->payoff, "past_average", 12), 0), n = s->steps;
    option->strike = fma(option->strike - mean, past / n, option->strike);
    option->part = n / (past + n);
}

/* Returns 0 if the code lacks what it takes, or values are missing. */
static int read_option(const bailey_simulation *s, struct option *option)
{
    const struct bly_payoff *payoff = &s->payoff;
    const struct bly_field *rate = bly_parameter_of_role(payoff, BAILEY_ROLE_RATE),
                           *strike = bly_parameter_of_role(payoff, BAILEY_ROLE_STRIKE);
    *option = (struct option){.s = s,
                              .spot = bly_parameter_of_role(payoff, BAILEY_ROLE_SPOT),
                              .volatility = bly_parameter_of_role(payoff, BAILEY_ROLE_VOLATILITY),
                              .dividend = bly_parameter_of_role(payoff, BAILEY_ROLE_DIVIDEND),
                              .weight = bly_parameter_of_role(payoff, BAILEY_ROLE_WEIGHT),
                              .sign = number_of(s, bly_parameter_of_role(payoff, BAILEY_ROLE_SIGN), 1)};
    if (!option->spot || !option->volatility || !rate || !strike) return 0;
    for (uint32_t i = 0; i < payoff->param_count; i++)
        if (!s->given[i] && payoff->description->d.parameters[i].default_kind == BAILEY_DEFAULT_KIND_NONE)
            return 0;
    option->rate = number_of(s, rate, 0);
    option->strike = number_of(s, strike, 0);
    take_past(option);
    return 1;
}

/* The basket today, or NaN where a weight is negative, which has no geometric mean. */
static double basket_of(const struct option *option)
{
    double basket = 0;
    for (uint32_t i = 0; i < option->s->dims; i++) {
        const double part = money(option, i);
        if (part < 0) return NAN;
        basket += part;
    }
    return basket > 0 ? basket : NAN;
}

/* The logarithm of the geometric basket has this drift and variance per year. */
static void find_law(const struct option *option, double basket, double *drift, double *variance)
{
    const uint32_t d = option->s->dims;
    *drift = *variance = 0;
    for (uint32_t i = 0; i < d; i++) {
        const double v = element(option, option->volatility, i),
                     dividend = option->dividend ? element(option, option->dividend, i) : 0;
        *drift = fma(money(option, i) / basket, fma(-0.5 * v, v, option->rate - dividend), *drift);
    }
    for (uint32_t k = 0; k < d; k++) {
        double loading = 0; /* on column k of the factor of the paths' covariance */
        for (uint32_t i = k; i < d; i++)
            loading = fma(money(option, i) / basket * element(option, option->volatility, i),
                          option->s->factor[i * d + k], loading);
        *variance = fma(loading, loading, *variance);
    }
}

static double black(double sign, double forward, double strike, double variance)
{
    if (!(variance > 0) || !(strike > 0)) return fmax(sign * (forward - strike), 0);
    const double deviation = sqrt(variance),
                 d1 = bailey_log_f64(forward / strike) / deviation + deviation / 2;
    return sign * (forward * bailey_normal_cdf_f64(sign * d1) -
                   strike * bailey_normal_cdf_f64(sign * (d1 - deviation)));
}

static double geometric(const bailey_simulation *s)
{
    struct option option;
    double drift, variance;
    if (s->fixed_end || s->starts_elsewhere || !read_option(s, &option)) return NAN;
    const double basket = basket_of(&option);
    if (isnan(basket)) return NAN;
    find_law(&option, basket, &drift, &variance);
    variance *= s->mean_earlier;
    const double forward = basket * bailey_exp_f64(fma(drift, s->mean_time, variance / 2)),
                 discount = bailey_exp_f64(-option.rate * (s->last_time - s->start_time)),
                 value = discount * option.part *
                         black(option.sign < 0 ? -1 : 1, forward, option.strike, variance);
    return isfinite(value) ? value : NAN;
}

static double expectation(const bailey_simulation *s, bailey_closed_form form)
{
    return form == BAILEY_CLOSED_FORM_GEOMETRIC ? geometric(s) : form == BAILEY_CLOSED_FORM_ZERO ? 0 : NAN;
}

bailey_status bailey_simulation_expected(const bailey_simulation *s, double *expected)
{
    if (!s) return bly_fail_argument("simulation", "simulation is NULL");
    BLY_ENTER(s->context);
    if (!expected) return bly_finish(s->context, bly_fail_argument("expected", "expected is NULL"));
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    for (uint32_t o = 0; o < s->payoff.outputs; o++)
        expected[o] = expectation(s, s->payoff.description->d.outputs[o].closed_form);
    fesetenv(&callers);
    return bly_finish(s->context, BAILEY_OK);
}

/* ---- Prices -------------------------------------------------------------------------------------- */

/* A closed form depends on nothing random: any path has it at its end. */
static bailey_status walk_to(const bailey_simulation *s, struct bly_explained *e, double *x, double *price)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < s->payoff.param_count; i++)
        for (uint32_t k = 0; k < s->payoff.params[i].count; k++)
            bly_explained_set(e, number++,
                              bly_parameter_read(s->precision, &s->payoff.params[i], k, s->values));
    bly_explained_start(e);
    for (uint32_t i = 0; i < s->steps; i++) {
        memset(x, 0, s->dims * sizeof *x);
        bly_explained_step(e, i, s->path.times[i] - (s->counts_time ? s->start_time : 0), x);
    }
    bly_explained_finish(e, price);
    if (bly_explained_fault(e) || !isfinite(*price)) *price = NAN;
    return bly_explained_status(e);
}

static bailey_status closed_form(const bailey_simulation *s, double *price)
{
    const struct bly_explained_code code = {.code = s->closed,
                                            .name = s->payoff.name,
                                            .precision = BAILEY_PRECISION_F64,
                                            .dims = s->assets,
                                            .own = s->dims - s->assets,
                                            .steps = s->steps,
                                            .loop_budget = s->payoff.loop_budget};
    struct bly_explained *e = NULL;
    double *x = bly_alloc(s->dims, sizeof *x);
    bailey_status status =
        x ? bly_explained_create(&code, &e) : bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a closed form");
    if (status == BAILEY_OK) status = walk_to(s, e, x, price);
    bly_explained_destroy(e);
    bly_free(x);
    return status;
}

bailey_status bailey_simulation_closed_form(const bailey_simulation *s, double *price)
{
    if (!s) return bly_fail_argument("simulation", "simulation is NULL");
    BLY_ENTER(s->context);
    if (!price) return bly_finish(s->context, bly_fail_argument("price", "price is NULL"));
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    *price = NAN;
    const bailey_status status =
        s->closed && !s->fixed_end && !s->starts_elsewhere ? closed_form(s, price) : BAILEY_OK;
    fesetenv(&callers);
    return bly_finish(s->context, status);
}
