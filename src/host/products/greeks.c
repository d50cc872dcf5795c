/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Greeks as rows of weighted scenarios.
 *
 * Bumps. A central difference of width h has a truncation error of order h^2, and a standard error that does
 * not depend on h for a first derivative, but grows as 1 / sqrt(h) for a second one, where the payoff has a
 * kink: only the paths near it count (P. Glasserman, "Monte Carlo Methods in Financial Engineering", 2004,
 * 7.1). What matters to truncation is h against the width over which the price bends, which is spot *
 * volatility * sqrt(T): spots are bumped by a fortieth of it, volatilities by a hundredth of their value. So
 * deltas to vannas of a call are within 1 % of their value from a month to two years (docs/greeks.md has the
 * figures). Rounding is far below that even in single precision, since bumped values are used as the
 * precision has them.
 *
 * Mixed derivatives take all four corners. With the two corners (+, +) and (-, -) and the bumps along the
 * axes, third derivatives along one axis stay in the error, which is then ten times as large.
 *
 * Likelihood ratios. Changing spot i is to shift the start of dimension i by the logarithm's change over the
 * volatility v. The first point has the density of a normal vector, of covariance T C after time T, so with u
 * = inverse(T C) (x - start) the derivatives by the start are means of payoff times u_i, and of payoff times
 * u_i u_j
 * - inverse(T C)_ij (Broadie and Glasserman 1996; Glasserman 7.3).
 * A later date of all times adds to C T, which makes half of sum C_ij (u_i u_j - inverse(T C)_ij), shifts the
 * logarithm of each price by its drift, as a change of spot does, and discounts more.
 */
#include "products.h"

#include <base/alloc.h>
#include <host/source/source.h>

#include <math.h>
#include <string.h>

#define MOST_COLUMNS (2 * BLY_GREEKS_MOST_NAMES + 1)
#define MOST_TERMS 4u

/* Of spots, by volatility * sqrt(T), and its limits; without a volatility. All relative. */
#define SPOT_BUMP 0.025
#define LEAST_BUMP 0.0001
#define MOST_BUMP 0.05
#define PLAIN_BUMP 0.005

/* Under an exercise policy, whose decisions make slopes of paths jump: errors grow with the root of one divided by
 * the bump. */
#define POLICY_SPOT_BUMP 0.1


/* A Greek: a sum of scenarios' outputs. */
struct row {
    uint64_t place; /* among the results */
    uint32_t terms;
    uint64_t scenario[MOST_TERMS];
    double weight[MOST_TERMS];
};

struct greeks {
    bailey_simulation *s;
    const bailey_greeks_params *p;
    bailey_greek_estimate *out;
    bailey_greek_method first, second; /* of first derivatives; of gammas, cross gammas and vannas */
    uint32_t columns, assets, vols;
    const char *names[MOST_COLUMNS];
    struct bly_greek_bump column[MOST_COLUMNS]; /* spots, volatilities, rate */
    uint64_t down[MOST_COLUMNS], up[MOST_COLUMNS]; /* scenarios of theirs */
    uint64_t scenarios, rows;
    double *values, *shifts, *covariance; /* of the scenarios; covariance NULL without correlations */
    struct row *row;
    double *scores;                                                  /* of the rows; NULL without */
    double own[BAILEY_BRIDGE_MAX_DIMS * BAILEY_BRIDGE_MAX_DIMS];     /* the simulation's covariance */
    double inverse[BAILEY_BRIDGE_MAX_DIMS * BAILEY_BRIDGE_MAX_DIMS]; /* of T times that */
};

static uint64_t pair_number(uint32_t first, uint32_t second) { return bly_greek_pairs(second) + first; }

/* ---- Bumps --------------------------------------------------------------------------------------- */

/* A value as the precision has it. Volatile: gcc 12 leaves the conversion out otherwise. */
static double rounded(const bailey_simulation *s, double value)
{
    const volatile float narrow = (float)value;
    return s->precision == BAILEY_PRECISION_F64 ? value : (double)narrow;
}

/* Reads the parameter called `name`, and finds what its bumps make of it. */
static bailey_status add_column(struct greeks *g, const char *argument, const char *name, double relative,
                                double absolute)
{
    struct bly_parameter at;
    struct bly_greek_bump *b = &g->column[g->columns];
    const bailey_status status = bly_simulation_parameter_named(g->s, argument, name, &at);
    if (status != BAILEY_OK) return status;
    if (at.field->type != BLY_FIELD_REAL)
        return bly_fail_argument(argument, "%s is not a real: it has no derivative", name);
    b->value = bly_parameter_read(g->s->precision, at.field, at.element, g->s->values);
    const double bump = absolute + relative * fabs(b->value);
    b->low = rounded(g->s, b->value - bump);
    b->high = rounded(g->s, b->value + bump);
    if (!(b->low < b->value && b->value < b->high))
        return bly_fail_argument(argument, "%s is %g, which a bump of %g does not change", name, b->value,
                                 bump);
    if (argument[0] == 's' && !(b->value > 0))
        return bly_fail_argument(argument, "%s is %g, not positive", name, b->value);
    g->names[g->columns++] = name;
    return BAILEY_OK;
}

static double bump_or(double bump, double other) { return bump > 0 ? bump : other; }

/* The volatility that goes with spot i, 0 if none does. */
static double known_volatility(const struct greeks *g, uint32_t i)
{
    struct bly_parameter at;
    if (i >= g->vols ||
        bly_simulation_parameter_named(g->s, "volatilities", g->p->volatilities[i], &at) != BAILEY_OK)
        return 0;
    const double value = bly_parameter_read(g->s->precision, at.field, at.element, g->s->values);
    const int is_variance = bly_parameter_described(&g->s->payoff, at.field)->role == BAILEY_ROLE_VARIANCE;
    return is_variance || strcmp(at.field->name, "variance") == 0 ? sqrt(fmax(value, 0)) : fabs(value);
}

/* At most half the way to the barrier, where prices have a kink. */
static double way_to_barrier(const struct greeks *g, const char *spot)
{
    const struct bly_field *barrier = bly_parameter_of_role(&g->s->payoff, BAILEY_ROLE_BARRIER);
    struct bly_parameter at;
    if (!barrier || bly_simulation_parameter_named(g->s, "spots", spot, &at) != BAILEY_OK) return INFINITY;
    const double from = bly_parameter_read(g->s->precision, at.field, at.element, g->s->values),
                 to = bly_parameter_read(g->s->precision, barrier, 0, g->s->values),
                 way = fabs(to / from - 1) / 2;
    return way > 0 ? way : INFINITY;
}

/* The bump of spot i, as a part of it: see the beginning of the file. */
static double spot_bump(const struct greeks *g, uint32_t i)
{
    const double width = known_volatility(g, i) * sqrt(g->s->last_time - g->s->start_time);
    const double part = g->s->policy ? POLICY_SPOT_BUMP : SPOT_BUMP;
    const double bump = width > 0 ? fmin(fmax(width * part, LEAST_BUMP), MOST_BUMP) : PLAIN_BUMP;
    return bump_or(g->p->spot_bump, fmin(bump, way_to_barrier(g, g->p->spots[i])));
}

static bailey_status add_columns(struct greeks *g)
{
    const bailey_greeks_params *p = g->p;
    bailey_status status = BAILEY_OK;
    for (uint32_t i = 0; i < p->spot_count && status == BAILEY_OK; i++)
        status = add_column(g, "spots", p->spots[i], spot_bump(g, i), 0);
    for (uint32_t i = 0; i < p->volatility_count && status == BAILEY_OK; i++)
        status = add_column(g, "volatilities", p->volatilities[i],
                            bump_or(p->volatility_bump, BLY_GREEKS_VOLATILITY_BUMP), 0);
    if (status == BAILEY_OK && p->rate)
        status = add_column(g, "rate", p->rate, 0, bump_or(p->rate_bump, BLY_GREEKS_RATE_BUMP));
    return status;
}

/* ---- Scenarios and rows -------------------------------------------------------------------------- */

/* A scenario like the parameters as they are set. */
static uint64_t add_scenario(struct greeks *g)
{
    const uint64_t i = g->scenarios++, d = (uint64_t)g->s->assets * g->s->assets;
    for (uint32_t c = 0; c < g->columns; c++) g->values[i * g->columns + c] = g->column[c].value;
    if (g->covariance) memcpy(g->covariance + i * d, g->own, d * sizeof(double));
    return i;
}

static uint64_t bump_up(struct greeks *g, uint32_t c, int up)
{
    const uint64_t i = add_scenario(g);
    g->values[i * g->columns + c] = up ? g->column[c].high : g->column[c].low;
    return i;
}

static void bump_column(struct greeks *g, uint32_t c)
{
    g->up[c] = bump_up(g, c, 1);
    g->down[c] = bump_up(g, c, 0);
}

static struct row *add_row(struct greeks *g, bailey_greek_kind kind, uint64_t number, uint32_t first,
                           uint32_t second, double bump)
{
    const uint64_t place = bly_greek_place(g->s, g->p, kind, number);
    g->out[place] = (bailey_greek_estimate){.kind = kind,
                                            .first = first,
                                            .second = second,
                                            .bump = bump,
                                            .method = BAILEY_GREEK_METHOD_DIFFERENCES};
    struct row *row = &g->row[g->rows++];
    row->place = place;
    return row;
}

static void add_term(struct row *row, uint64_t scenario, double weight)
{
    row->scenario[row->terms] = scenario;
    row->weight[row->terms++] = weight;
}

static void add_first(struct greeks *g, bailey_greek_kind kind, uint32_t number, uint32_t c)
{
    const struct bly_greek_bump *b = &g->column[c];
    const double width = b->high - b->low;
    struct row *row = add_row(g, kind, number, number, 0, width / 2);
    add_term(row, g->up[c], 1 / width);
    add_term(row, g->down[c], -1 / width);
}

/* Rounding makes the two bumps differ by a little. */
static void add_second(struct greeks *g, bailey_greek_kind kind, uint32_t number, uint32_t c)
{
    const struct bly_greek_bump *b = &g->column[c];
    const double up = b->high - b->value, down = b->value - b->low, width = b->high - b->low;
    struct row *row = add_row(g, kind, number, number, number, width / 2);
    add_term(row, 0, -2 / (up * down));
    add_term(row, g->up[c], 2 / (up * width));
    add_term(row, g->down[c], 2 / (down * width));
}

static void add_mixed(struct greeks *g, bailey_greek_kind kind, uint64_t number, uint32_t first,
                      uint32_t second, uint32_t c, uint32_t d)
{
    const struct bly_greek_bump *a = &g->column[c], *b = &g->column[d];
    const double area = (a->high - a->low) * (b->high - b->low);
    struct row *row = add_row(g, kind, number, first, second, (a->high - a->low) / 2);
    for (int corner = 0; corner < 4; corner++) {
        const int up = corner & 1, also = corner >> 1;
        const uint64_t scenario = bump_up(g, c, up);
        g->values[scenario * g->columns + d] = also ? b->high : b->low;
        add_term(row, scenario, (up == also ? 1 : -1) / area);
    }
}

/* ---- Scores -------------------------------------------------------------------------------------- */

/* inverse(T C), by the inverse of the factor. */
static bailey_status find_inverse(struct greeks *g)
{
    const uint32_t n = g->s->assets;
    const double *c = g->s->factor, time = g->s->first_time - g->s->start_time;
    double m[BAILEY_BRIDGE_MAX_DIMS * BAILEY_BRIDGE_MAX_DIMS] = {0};
    for (uint32_t j = 0; j < n; j++) {
        if (c[j * n + j] == 0)
            return bly_fail_argument("method",
                                     "likelihood ratios need a covariance of paths that is not singular");
        m[j * n + j] = 1 / c[j * n + j];
        for (uint32_t i = j + 1; i < n; i++) {
            double sum = 0;
            for (uint32_t k = j; k < i; k++) sum = fma(-c[i * n + k], m[k * n + j], sum);
            m[i * n + j] = sum / c[i * n + i];
        }
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            double sum = 0;
            for (uint32_t k = i > j ? i : j; k < n; k++) sum = fma(m[k * n + i], m[k * n + j], sum);
            g->inverse[i * n + j] = sum / time;
        }
    return BAILEY_OK;
}

/* Where increments are shown, the first one is the first point divided by its time. */
static double shown_unit(const struct greeks *g)
{
    return g->s->walk == BLY_WALK_INCREMENTS ? g->s->first_time - g->s->start_time : 1;
}

static double *score_of(struct greeks *g, const struct row *row)
{
    const uint64_t n = g->s->assets;
    return g->scores + (uint64_t)(row - g->row) * (1 + n + n * n);
}

/* times * u_i */
static void add_slope(struct greeks *g, const struct row *row, uint32_t i, double times)
{
    const uint32_t n = g->s->assets;
    double *score = score_of(g, row);
    for (uint32_t j = 0; j < n; j++) score[1 + j] += times * g->inverse[i * n + j] * shown_unit(g);
}

/* times * (u_i u_j - inverse(T C)_ij) */
static void add_form(struct greeks *g, const struct row *row, uint32_t i, uint32_t j, double times)
{
    const uint32_t n = g->s->assets;
    double *score = score_of(g, row);
    score[0] -= times * g->inverse[i * n + j];
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t l = 0; l < n; l++)
            score[1 + n + k * n + l] +=
                times * g->inverse[i * n + k] * g->inverse[j * n + l] * shown_unit(g) * shown_unit(g);
}

static double volatility_of(const struct greeks *g, uint32_t i) { return g->column[g->assets + i].value; }

/* By how much the start of dimension i moves if spot i moves by one. */
static double shift_of_start(const struct greeks *g, uint32_t i)
{
    return 1 / (g->column[i].value * volatility_of(g, i));
}

static struct row *add_scored(struct greeks *g, bailey_greek_kind kind, uint64_t number, uint32_t first,
                              uint32_t second, double bump)
{
    struct row *row = add_row(g, kind, number, first, second, bump);
    g->out[row->place].method = BAILEY_GREEK_METHOD_LIKELIHOOD;
    return row;
}

static void score_delta(struct greeks *g, uint32_t i)
{
    struct row *row = add_scored(g, BAILEY_GREEK_KIND_DELTA, i, i, 0, 0);
    add_term(row, 0, 1);
    add_slope(g, row, i, shift_of_start(g, i));
}

static void score_gamma(struct greeks *g, bailey_greek_kind kind, uint64_t number, uint32_t i, uint32_t j)
{
    struct row *row = add_scored(g, kind, number, i, j, 0);
    const double shift = shift_of_start(g, i);
    add_term(row, 0, 1);
    add_form(g, row, i, j, shift * shift_of_start(g, j));
    if (i == j) add_slope(g, row, i, -shift * shift * volatility_of(g, i));
}

/* The difference of deltas with two volatilities. */
static void score_vanna(struct greeks *g, uint32_t i)
{
    const struct bly_greek_bump *b = &g->column[g->assets + i];
    const double width = b->high - b->low;
    struct row *row = add_scored(g, BAILEY_GREEK_KIND_VANNA, i, i, i, width / 2);
    add_term(row, g->up[g->assets + i], 1 / (width * b->high));
    add_term(row, g->down[g->assets + i], -1 / (width * b->low));
    add_slope(g, row, i, 1 / g->column[i].value);
}

static double value_of(const struct greeks *g, bailey_role role, uint32_t i)
{
    return bly_parameter_read(g->s->precision, bly_parameter_of_role(&g->s->payoff, role), i, g->s->values);
}

static void score_theta(struct greeks *g)
{
    struct row *row = add_scored(g, BAILEY_GREEK_KIND_THETA, 0, 0, 0, 0);
    const double rate = value_of(g, BAILEY_ROLE_RATE, 0);
    const uint32_t n = g->s->assets;
    add_term(row, 0, 1);
    score_of(g, row)[0] = rate;
    for (uint32_t i = 0; i < n; i++) {
        const double v = volatility_of(g, i), drift = rate - value_of(g, BAILEY_ROLE_DIVIDEND, i) - v * v / 2;
        add_slope(g, row, i, -drift / v);
        for (uint32_t j = 0; j < n; j++) add_form(g, row, i, j, -0.5 * g->own[i * n + j]);
    }
}

/* ---- All of them --------------------------------------------------------------------------------- */

static int is_scored(bailey_greek_method method) { return method == BAILEY_GREEK_METHOD_LIKELIHOOD; }
static int is_bumped(bailey_greek_method method) { return method == BAILEY_GREEK_METHOD_DIFFERENCES; }
static int has_scores(const struct greeks *g) { return is_scored(g->first) || is_scored(g->second); }
static int has_slopes(const struct greeks *g) { return g->first == BAILEY_GREEK_METHOD_GRADIENT; }
/* Second derivatives are differences of first ones. */
static int has_slope_differences(const struct greeks *g)
{
    return g->s->policy && g->second == BAILEY_GREEK_METHOD_GRADIENT;
}
static int has_theta_bumps(const struct greeks *g) { return g->p->theta && is_bumped(g->first); }
static int has_correlations(const struct greeks *g) { return g->p->correlation && !has_slopes(g); }

/* Rows that share scenarios are side by side, so that few passes make them. */
static void add_asset(struct greeks *g, uint32_t i)
{
    const uint32_t v = g->assets + i;
    const int has_vol = i < g->vols, has_spot = i < g->assets;
    if (has_spot && (is_bumped(g->first) || is_bumped(g->second))) bump_column(g, i);
    if (has_vol && !has_slope_differences(g)) bump_column(g, v);
    if (has_spot && is_scored(g->first)) score_delta(g, i);
    if (has_spot && is_bumped(g->first)) add_first(g, BAILEY_GREEK_KIND_DELTA, i, i);
    if (has_spot && is_scored(g->second)) score_gamma(g, BAILEY_GREEK_KIND_GAMMA, i, i, i);
    if (has_spot && is_bumped(g->second)) add_second(g, BAILEY_GREEK_KIND_GAMMA, i, i);
    if (has_vol && !has_slopes(g)) add_first(g, BAILEY_GREEK_KIND_VEGA, i, v);
    if (has_vol && !has_slope_differences(g)) add_second(g, BAILEY_GREEK_KIND_VOLGA, i, v);
    if (!has_vol || !has_spot) return;
    if (is_scored(g->second)) score_vanna(g, i);
    if (is_bumped(g->second)) add_mixed(g, BAILEY_GREEK_KIND_VANNA, i, i, i, i, v);
}

static void add_cross(struct greeks *g)
{
    for (uint32_t j = 1; j < g->assets; j++)
        for (uint32_t i = 0; i < j; i++) {
            if (is_scored(g->second)) score_gamma(g, BAILEY_GREEK_KIND_CROSS_GAMMA, pair_number(i, j), i, j);
            if (is_bumped(g->second))
                add_mixed(g, BAILEY_GREEK_KIND_CROSS_GAMMA, pair_number(i, j), i, j, i, j);
        }
}

/* A bump of paths moves a point by about `part` of it: less than half of a last place is rounded away. */
static bailey_status check_felt(const struct greeks *g, const char *name, double bump, double part)
{
    if (fabs(part) >= (g->s->precision == BAILEY_PRECISION_F64 ? 0x1p-53 : 0x1p-24)) return BAILEY_OK;
    return bly_fail_argument(name, "%s is %g, too small to change paths in this precision", name, bump);
}

static bailey_status add_theta(struct greeks *g)
{
    const double first = g->s->first_time - g->s->start_time;
    const double bump = bump_or(g->p->time_bump, 1.0 / 365 < first / 2 ? 1.0 / 365 : first / 2);
    const bailey_status status = check_felt(g, "time_bump", bump, bump / first / 2);
    if (status != BAILEY_OK) return status;
    struct row *row = add_row(g, BAILEY_GREEK_KIND_THETA, 0, 0, 0, bump);
    for (int up = 0; up < 2; up++) {
        const uint64_t scenario = add_scenario(g);
        g->shifts[scenario] = up ? bump : -bump;
        add_term(row, scenario, (up ? -0.5 : 0.5) / bump);
    }
    return BAILEY_OK;
}

/* Whether the correlation of i and j may change by `by`. */
static int may_change(const struct greeks *g, uint32_t i, uint32_t j, double by, double *covariance)
{
    const uint32_t n = g->s->assets;
    double c[BAILEY_BRIDGE_MAX_DIMS * BAILEY_BRIDGE_MAX_DIMS];
    memcpy(covariance, g->own, sizeof(double) * n * n);
    covariance[i * n + j] = covariance[j * n + i] += by * sqrt(g->own[i * n + i] * g->own[j * n + j]);
    return bly_factor_covariance("correlation_bump", covariance, n, c) == BAILEY_OK;
}

static bailey_status add_correlation(struct greeks *g, uint32_t i, uint32_t j)
{
    const uint32_t n = g->s->assets;
    const uint64_t up = add_scenario(g), down = add_scenario(g);
    double bump = bump_or(g->p->correlation_bump, BLY_GREEKS_CORRELATION_BUMP),
           *const high = g->covariance + up * n * n, *const low = g->covariance + down * n * n;
    while (!may_change(g, i, j, bump, high) || !may_change(g, i, j, -bump, low)) {
        bump /= 2;
        if (g->p->correlation_bump > 0 || bump < 1e-6)
            return bly_fail_argument("correlation_bump",
                                     "the correlation of dimensions %u and %u cannot change by %g: the "
                                     "matrix would not be positive semi-definite",
                                     i, j, 2 * bump);
    }
    if (!(g->own[i * n + i] > 0 && g->own[j * n + j] > 0))
        return bly_fail_argument("correlation", "dimension %u or %u has no variance", i, j);
    const bailey_status status = check_felt(g, "correlation_bump", bump, bump);
    if (status != BAILEY_OK) return status;
    struct row *row = add_row(g, BAILEY_GREEK_KIND_CORRELATION, pair_number(i, j), i, j, bump);
    add_term(row, up, 0.5 / bump);
    add_term(row, down, -0.5 / bump);
    return BAILEY_OK;
}

static bailey_status add_all(struct greeks *g)
{
    const bailey_greeks_params *p = g->p;
    const uint32_t rate = g->assets + g->vols;
    bailey_status status = BAILEY_OK;
    add_scenario(g);
    add_term(add_row(g, BAILEY_GREEK_KIND_PRICE, 0, 0, 0, 0), 0, 1);
    if (p->rate && !has_slopes(g)) {
        bump_column(g, rate);
        add_first(g, BAILEY_GREEK_KIND_RHO, 0, rate);
        g->out[g->row[g->rows - 1].place].first = 0;
    }
    if (p->theta && is_scored(g->first))
        score_theta(g);
    else if (has_theta_bumps(g))
        status = add_theta(g);
    for (uint32_t i = 0; i < g->assets || i < g->vols; i++) add_asset(g, i);
    if (p->cross) add_cross(g);
    for (uint32_t j = 1; has_correlations(g) && j < g->s->assets; j++)
        for (uint32_t i = 0; i < j && status == BAILEY_OK; i++) status = add_correlation(g, i, j);
    return status;
}

static void find_covariance(struct greeks *g)
{
    const uint32_t n = g->s->assets;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            double sum = 0;
            for (uint32_t k = 0; k <= (i < j ? i : j); k++)
                sum = fma(g->s->factor[i * g->s->dims + k], g->s->factor[j * g->s->dims + k], sum);
            g->own[i * n + j] = sum;
        }
}

static bailey_status take_memory(struct greeks *g)
{
    const uint64_t n = g->s->assets, rows = bailey_simulation_greeks_count(g->s, g->p);
    const uint64_t most = 5 + 4 * rows; /* scenarios: no Greek brings more than four */
    g->values = bly_alloc((size_t)(most * (g->columns + 1)), sizeof *g->values);
    g->shifts = bly_alloc((size_t)most, sizeof *g->shifts);
    g->row = bly_alloc((size_t)rows, sizeof *g->row);
    if (has_correlations(g)) g->covariance = bly_alloc((size_t)(most * n * n), sizeof *g->covariance);
    if (has_scores(g)) g->scores = bly_alloc((size_t)(rows * (1 + n + n * n)), sizeof *g->scores);
    if (g->values && g->shifts && g->row && (g->covariance || !has_correlations(g)) &&
        (g->scores || !has_scores(g)))
        return BAILEY_OK;
    return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for Greeks");
}

/* Rows without a score are multiplied by 1. */
static void finish_scores(struct greeks *g)
{
    const uint64_t n = g->s->assets, size = 1 + n + n * n;
    for (uint64_t r = 0; g->scores && r < g->rows; r++) {
        int any = 0;
        for (uint64_t k = 0; k < size; k++) any |= g->scores[r * size + k] != 0;
        if (!any) g->scores[r * size] = 1;
    }
}

static bailey_status run_rows(struct greeks *g, const bailey_simulation_run_params *run)
{
    const uint64_t outputs = g->s->payoff.outputs, width = g->scenarios * outputs;
    double *weights = bly_alloc((size_t)(g->rows * width), sizeof *weights);
    bailey_estimate *e = bly_alloc((size_t)g->rows, sizeof *e);
    bailey_status status =
        weights && e ? BAILEY_OK : bly_fail(BAILEY_ERROR_MEMORY, "out of memory for Greeks");
    for (uint64_t r = 0; r < g->rows && status == BAILEY_OK; r++)
        for (uint32_t t = 0; t < g->row[r].terms; t++)
            weights[r * width + g->row[r].scenario[t] * outputs + g->p->output] = g->row[r].weight[t];
    bailey_simulation_run_params all = *run;
    all.scenarios = (bailey_scenarios){.count = g->scenarios,
                                       .columns = g->columns,
                                       .names = g->names,
                                       .values = g->values,
                                       .time_shift = has_theta_bumps(g) ? g->shifts : NULL,
                                       .covariance = g->covariance,
                                       .rows = (uint32_t)g->rows,
                                       .weights = weights,
                                       .scores = g->scores};
    if (status == BAILEY_OK) status = bailey_simulation_run(g->s, &all, e);
    for (uint64_t r = 0; r < g->rows && status == BAILEY_OK; r++) {
        g->out[g->row[r].place].mean = e[r].mean;
        g->out[g->row[r].place].standard_error = e[r].standard_error;
    }
    bly_free(weights);
    bly_free(e);
    return status;
}

static bailey_status find_greeks(struct greeks *g, const bailey_simulation_run_params *run)
{
    bailey_status status = has_scores(g) ? find_inverse(g) : BAILEY_OK;
    if (status == BAILEY_OK) status = take_memory(g);
    if (status != BAILEY_OK) return status;
    find_covariance(g);
    status = add_all(g);
    finish_scores(g);
    return status == BAILEY_OK ? run_rows(g, run) : status;
}

/* ---- How they are estimated ---------------------------------------------------------------------- */

static int is_given(double bump, double standard) { return bump > 0 && bump != standard; }

static int has_bumps(const bailey_greeks_params *p)
{
    return is_given(p->spot_bump, 0) || is_given(p->volatility_bump, BLY_GREEKS_VOLATILITY_BUMP) ||
           is_given(p->rate_bump, BLY_GREEKS_RATE_BUMP) || is_given(p->time_bump, 0) ||
           is_given(p->correlation_bump, BLY_GREEKS_CORRELATION_BUMP);
}

/* Instead of gradients. */
static bailey_greek_method choose_other(const struct greeks *g)
{
    const int one_date = g->s->first_time == g->s->last_time;
    if (g->p->method == BAILEY_GREEK_METHOD_AUTO && one_date && g->vols == g->assets &&
        bly_greeks_check_scored(g->s, g->p) == BAILEY_OK)
        return BAILEY_GREEK_METHOD_LIKELIHOOD;
    return BAILEY_GREEK_METHOD_DIFFERENCES;
}

/* Estimates first derivatives, and then second ones, by gradients. The rows have what cannot be done so,
 * which is an error where gradients were asked for. */
static bailey_status run_gradients(struct greeks *g, const bailey_simulation_run_params *run)
{
    const int may_fail = g->p->method == BAILEY_GREEK_METHOD_AUTO;
    g->first = g->second = choose_other(g);
    bailey_status status = bly_greeks_gradient(g->s, run, g->p, g->out);
    if (status == BAILEY_ERROR_UNSUPPORTED && may_fail) return BAILEY_OK;
    if (status != BAILEY_OK) return status;
    g->first = BAILEY_GREEK_METHOD_GRADIENT;
    if (g->assets > BLY_GREEKS_MOST_DIRECTIONS && !g->s->policy) return BAILEY_OK;
    status = g->s->policy ? bly_greeks_gradient_differences(g->s, run, g->p, g->column, g->out)
                          : bly_greeks_gradient_second(g->s, run, g->p, g->out);
    if (status == BAILEY_ERROR_UNSUPPORTED) return BAILEY_OK;
    if (status == BAILEY_OK) g->second = BAILEY_GREEK_METHOD_GRADIENT;
    return status;
}

static bailey_status choose_methods(struct greeks *g, const bailey_simulation_run_params *run)
{
    bailey_greek_method method = g->p->method;
    if (method == BAILEY_GREEK_METHOD_AUTO && has_bumps(g->p)) method = BAILEY_GREEK_METHOD_DIFFERENCES;
    if (method == BAILEY_GREEK_METHOD_AUTO || method == BAILEY_GREEK_METHOD_GRADIENT)
        return run_gradients(g, run);
    g->first = g->second = method;
    return BAILEY_OK;
}

static bailey_status make_greeks(bailey_simulation *s, const bailey_simulation_run_params *run,
                                 const bailey_greeks_params *params, bailey_greek_estimate *greeks)
{
    bailey_status status = bly_greeks_check(s, run, params);
    if (status != BAILEY_OK) return status;
    const uint64_t count = bailey_simulation_greeks_count(s, params);
    struct greeks *g = bly_alloc(1, sizeof *g);
    bailey_greek_estimate *out = bly_alloc((size_t)count, sizeof *out);
    if (!g || !out) status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for Greeks");
    if (status == BAILEY_OK) {
        g->s = s;
        g->p = params;
        g->out = out;
        g->assets = params->spot_count;
        g->vols = params->volatility_count;
        status = add_columns(g);
        if (status == BAILEY_OK) status = choose_methods(g, run);
        if (status == BAILEY_OK) status = find_greeks(g, run);
        bly_free(g->values);
        bly_free(g->shifts);
        bly_free(g->covariance);
        bly_free(g->row);
        bly_free(g->scores);
    }
    if (status == BAILEY_OK) memcpy(greeks, out, count * sizeof *out);
    bly_free(g);
    bly_free(out);
    return status;
}

bailey_status bailey_simulation_greeks(bailey_simulation *s, const bailey_simulation_run_params *run,
                                       const bailey_greeks_params *params, bailey_greek_estimate *greeks)
{
    if (!s) return bly_fail_argument("simulation", "simulation is NULL");
    BLY_ENTER(s->context);
    if (BLY_REFUSES(run)) return bly_finish(s->context, BAILEY_ERROR_INVALID);
    if (BLY_REFUSES(params)) return bly_finish(s->context, BAILEY_ERROR_INVALID);
    if (!greeks) return bly_finish(s->context, bly_fail_argument("greeks", "greeks is NULL"));
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status = make_greeks(s, run, params, greeks);
    fesetenv(&callers);
    return bly_finish(s->context, status);
}
