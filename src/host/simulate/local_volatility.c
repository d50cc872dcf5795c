/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Local volatility from quotes by Dupire's formula, and the checks of arbitrage that it needs.
 *
 *     quotes of an expiry ─ spline in the strike ─▶ slices ─ cubic in time ─▶ w ─ Dupire ─▶ the grid
 *
 * k is the logarithm of strike divided by forward, and w the total variance v^2 t. Derivatives by k come with
 * each number, as a jet.
 */
#include <bailey/local_volatility.h>

#include <base/alloc.h>
#include <base/status.h>
#include <host/describe/records.h>

#include <math.h>
#include <string.h>

#define ROOT_HALF 0.70710678118654752
#define MOST BAILEY_VOLATILITY_QUOTES_MAX
enum { ROWS = BAILEY_LOCAL_VOLATILITY_ROWS, COLUMNS = BAILEY_LOCAL_VOLATILITY_COLUMNS };

#define STRUCT bailey_volatility_quotes
static const bailey_field volatility_quotes[] = {
    REALS(expiries, "[expiry_count]", "times of expiry, increasing", .unit = "years", .needed = 1,
          .range = POSITIVE),
    REALS(forwards, "[expiry_count]", "forward price at each expiry", .needed = 1, .range = POSITIVE),
    REALS(strikes, "[strike_count]", "strikes, increasing", .needed = 1, .range = POSITIVE),
    REALS(volatilities, "[expiry_count][strike_count]", "implied volatilities; NaN: there is no quote",
          .needed = 1, .nan = 1),
    UINT32(expiry_count, "number of expiries", .needed = 1, .range = FROM(1, MOST)),
    UINT32(strike_count, "number of strikes", .needed = 1, .range = FROM(1, MOST)),
    REAL(horizon, "time of the grid's last row", .unit = "years", .range = NOT_NEGATIVE,
         .default_how = "the last expiry"),
    REAL(low, "logarithm of price divided by forward at the first column",
         .default_how = "-4 standard deviations at the horizon"),
    REAL(high, "logarithm of price divided by forward at the last column",
         .default_how = "4 standard deviations at the horizon"),
};
RECORD(volatility_quotes, "Implied volatilities by expiry and strike.", volatility_quotes);
#undef STRUCT

#define STRUCT bailey_local_volatility
static const bailey_field local_volatility[] = {
    REAL(horizon, "time of the last row", .unit = "years"),
    REAL(low, "logarithm of price divided by forward at the first column"),
    REAL(high, "logarithm of price divided by forward at the last column"),
    UINT32(extrapolated, "nodes that prices are likely to reach, beyond the quotes"),
    REAL(extrapolated_time, "time of the farthest of them", .unit = "years"),
    REAL(extrapolated_strike, "price at the farthest of them"),
    REAL(last_strike, "the last quoted strike, which it takes"),
    IN_PLACE(REAL, volatility, NULL, "local volatilities, 65 for each of 16 times"),
};
RESULT(local_volatility, "A grid of local volatilities.", local_volatility);
#undef STRUCT

/* ---- Numbers with their derivatives by k ----------------------------------------------------------- */

struct jet {
    double of, first, second;
};

static struct jet times(double a, struct jet x) { return (struct jet){a * x.of, a * x.first, a * x.second}; }

static struct jet plus(struct jet x, struct jet y)
{
    return (struct jet){x.of + y.of, x.first + y.first, x.second + y.second};
}

static struct jet minus(struct jet x, struct jet y) { return plus(x, times(-1, y)); }

/* ---- One expiry: a natural cubic spline ------------------------------------------------------------- */

struct slice {
    double time, forward;
    uint32_t count;
    uint32_t *index; /* of each quote's strike */
    double *k, *w;   /* [count] */
    double *curve;   /* [count]: second derivatives */
};

struct surface {
    const bailey_volatility_quotes *quotes;
    struct slice *slices;
    uint32_t count;
    uint32_t *indices;
    double *numbers; /* all of the slices */
};

/* The second derivatives are the solution of a tridiagonal system, by elimination; `work` is [count]. */
static void fit(struct slice *s, double *work)
{
    const uint32_t n = s->count;
    for (uint32_t i = 0; i < n; i++) s->curve[i] = work[i] = 0;
    for (uint32_t i = 1; i + 1 < n; i++) {
        const double left = s->k[i] - s->k[i - 1], right = s->k[i + 1] - s->k[i];
        const double bend = (s->w[i + 1] - s->w[i]) / right - (s->w[i] - s->w[i - 1]) / left;
        const double pivot = 2 * (left + right) - left * work[i - 1];
        work[i] = right / pivot;
        s->curve[i] = (6 * bend - left * s->curve[i - 1]) / pivot;
    }
    for (uint32_t i = n; i-- > 1;) s->curve[i - 1] -= work[i - 1] * s->curve[i];
}

/* w at k; beyond the quotes it goes on straight. */
static struct jet at_strike(const struct slice *s, double k)
{
    const uint32_t n = s->count;
    if (n == 1) return (struct jet){s->w[0], 0, 0};
    uint32_t i = 0;
    while (i + 2 < n && k >= s->k[i + 1]) i++;
    const double h = s->k[i + 1] - s->k[i], low = s->curve[i], high = s->curve[i + 1];
    const double within = fmin(fmax(k, s->k[0]), s->k[n - 1]), b = (within - s->k[i]) / h, a = 1 - b;
    const double slope =
        (s->w[i + 1] - s->w[i]) / h + h / 6 * ((3 * b * b - 1) * high - (3 * a * a - 1) * low);
    struct jet w = {a * s->w[i] + b * s->w[i + 1] +
                        h * h / 6 * ((a * a * a - a) * low + (b * b * b - b) * high),
                    slope, a * low + b * high};
    if (k != within) w = (struct jet){w.of + slope * (k - within), slope, 0};
    return w;
}

static int has(const struct slice *s, double k) { return k >= s->k[0] && k <= s->k[s->count - 1]; }

/* ---- Time: a monotone cubic ------------------------------------------------------------------------ */

static double time_of(const struct surface *f, int i) { return i < 0 ? 0 : f->slices[i].time; }

/* The mean growth of w from slice i - 1 to slice i; slice -1 is time 0. */
static struct jet growth(const struct surface *f, int i, double k)
{
    const struct jet nothing = {0, 0, 0}, before = i > 0 ? at_strike(&f->slices[i - 1], k) : nothing;
    return times(1 / (time_of(f, i) - time_of(f, i - 1)), minus(at_strike(&f->slices[i], k), before));
}

/* The slope at an end of the time axis, by a parabola through three times: `near` is the interval there.
 * Slopes are limited so that w does not fall where the slices do not. */
static struct jet end_slope(struct jet near, double h, struct jet far, double h_far)
{
    const struct jet slope = plus(times((2 * h + h_far) / (h + h_far), near), times(-h / (h + h_far), far));
    return slope.of > 3 * near.of ? times(3, near) : slope.of < 0.25 * near.of ? times(0.25, near) : slope;
}

/* The slope of w by time at slice i, -1 included. An interval does not count where its other slice has no
 * quotes about k. */
static struct jet slope_at(const struct surface *f, int i, double k)
{
    const int last = (int)f->count - 1;
    const int before = i >= 0 && (i < 1 || has(&f->slices[i - 1], k)),
              after = i < last && has(&f->slices[i + 1], k);
    if (i < 0) {
        const struct jet near = growth(f, 0, k);
        if (last < 1 || !has(&f->slices[1], k)) return near;
        return end_slope(near, time_of(f, 0), growth(f, 1, k), time_of(f, 1) - time_of(f, 0));
    }
    if (before && after) {
        const struct jet left = growth(f, i, k), right = growth(f, i + 1, k);
        const double h = time_of(f, i) - time_of(f, i - 1), g = time_of(f, i + 1) - time_of(f, i);
        const struct jet less = left.of < right.of ? left : right,
                         slope = plus(times(g / (h + g), left), times(h / (h + g), right));
        return slope.of > 3 * less.of ? times(3, less) : slope;
    }
    if (after) return growth(f, i + 1, k);
    const struct jet near = growth(f, i, k);
    if (i != last || i < 1 || !(i < 2 || has(&f->slices[i - 2], k))) return near;
    return end_slope(near, time_of(f, i) - time_of(f, i - 1), growth(f, i - 1, k),
                     time_of(f, i - 1) - time_of(f, i - 2));
}

/* The slice at or after a time, the last one beyond it. */
static int slice_after(const struct surface *f, double t)
{
    int i = 0;
    while (i + 1 < (int)f->count && f->slices[i].time < t) i++;
    return i;
}

/* w and its growth by time. */
static struct jet at_time(const struct surface *f, double t, double k, double *by_time)
{
    const int i = slice_after(f, t);
    const double from = time_of(f, i - 1), h = time_of(f, i) - from, u = (t - from) / h, v = 1 - u;
    const struct jet nothing = {0, 0, 0}, left = i > 0 ? at_strike(&f->slices[i - 1], k) : nothing,
                     right = at_strike(&f->slices[i], k), leaves = slope_at(f, i - 1, k),
                     arrives = slope_at(f, i, k);
    *by_time =
        6 * u * v * (right.of - left.of) / h + v * (1 - 3 * u) * leaves.of + u * (3 * u - 2) * arrives.of;
    return plus(plus(times(v * v * (1 + 2 * u), left), times(u * u * (3 - 2 * u), right)),
                plus(times(h * u * v * v, leaves), times(-h * u * u * v, arrives)));
}

/* ---- Dupire ---------------------------------------------------------------------------------------- */

/* Proportional to the density of the price, by w and its derivatives. */
static double density(struct jet w, double k)
{
    const double slope = 1 - 0.5 * k * w.first / w.of;
    return slope * slope - 0.25 * w.first * w.first * (1 / w.of + 0.25) + 0.5 * w.second;
}

/* The strikes that are quoted about a time. */
static void find_range(const struct surface *f, double t, double *low, double *high)
{
    const int i = slice_after(f, t);
    const struct slice *s = &f->slices[i];
    *low = s->k[0];
    *high = s->k[s->count - 1];
    if (i == 0 || t >= s->time) return;
    *low = fmax(*low, s[-1].k[0]);
    *high = fmin(*high, s[-1].k[s[-1].count - 1]);
    if (*low > *high) *low = *high = 0.5 * (*low + *high);
}

static double forward_at(const struct surface *f, double t)
{
    const int i = slice_after(f, t);
    const struct slice *s = &f->slices[i];
    if (i == 0 || t >= s->time) return s->forward;
    return s->forward * pow(s[-1].forward / s->forward, (s->time - t) / (s->time - s[-1].time));
}

static bailey_status find_node(const struct surface *f, double t, double k, double *volatility)
{
    const double last = f->slices[f->count - 1].time, first = f->slices[0].time;
    const double when = fmin(fmax(t, 1e-6 * first), last);
    double low, high, by_time;
    find_range(f, when, &low, &high);
    const double within = fmin(fmax(k, low), high), strike = forward_at(f, when) * exp(within);
    const struct jet w = at_time(f, when, within, &by_time);
    const double dense = density(w, within);
    if (by_time < 0)
        return bly_fail_argument(
            "volatilities",
            "calendar arbitrage between quotes, at time %.6g and strike %.6g: the total variance "
            "falls there",
            when, strike);
    if (!(dense > 1e-9))
        return bly_fail_argument(
            "volatilities",
            "butterfly arbitrage between quotes, at time %.6g and strike %.6g: the density of the "
            "price is not positive there",
            when, strike);
    *volatility = sqrt(by_time / dense);
    return BAILEY_OK;
}

/* ---- The grid -------------------------------------------------------------------------------------- */

static double deviation(const struct surface *f, double t)
{
    double low, high, by_time;
    const double last = f->slices[f->count - 1].time, when = fmin(t, last);
    if (t <= 0) return 0;
    find_range(f, when, &low, &high);
    return sqrt(at_time(f, when, fmin(fmax(0, low), high), &by_time).of * t / when);
}

/* Notes a node that is likely to be reached, and has no quotes about it. */
static void note_beyond(const struct surface *f, double t, double k, bailey_local_volatility *g, double *most)
{
    double low, high;
    const double last = f->slices[f->count - 1].time, when = fmin(t, last), spread = deviation(f, t);
    find_range(f, when, &low, &high);
    const double within = fmin(fmax(k, low), high);
    if (fabs(k) > 3 * spread || (k == within && t <= last * (1 + 1e-12))) return;
    g->extrapolated++;
    const double far = fabs(k - within) + fmax(t / last - 1, 0);
    if (far <= *most) return;
    *most = far;
    g->extrapolated_time = t;
    g->extrapolated_strike = forward_at(f, when) * exp(k);
    g->last_strike = forward_at(f, when) * exp(within);
}

static void warn(const struct surface *f, const bailey_local_volatility *g)
{
    const double last = f->slices[f->count - 1].time;
    if (g->horizon > last * (1 + 1e-12))
        bly_warn("local volatility: the grid goes on to %.6g years, and quotes end at %.6g: volatilities are "
                 "those of the "
                 "last expiry there",
                 g->horizon, last);
    else if (g->extrapolated)
        bly_warn("local volatility: %u nodes that prices are likely to reach are beyond the quotes, such as "
                 "the one at "
                 "time %.4g and price %.6g: it has the volatility at strike %.6g",
                 g->extrapolated, g->extrapolated_time, g->extrapolated_strike, g->last_strike);
}

static bailey_status fill(const struct surface *f, bailey_local_volatility *g)
{
    const double last = f->slices[f->count - 1].time, spread = deviation(f, last);
    const bailey_volatility_quotes *q = f->quotes;
    double most = 0;
    g->horizon = q->horizon > 0 ? q->horizon : last;
    g->low = q->low;
    g->high = q->high;
    if (q->low == 0 && q->high == 0) {
        g->high = 4 * spread * sqrt(fmax(g->horizon / last, 1));
        g->low = -g->high;
    }
    if (!(g->low < g->high))
        return bly_fail_argument("low", "low is %g and high is %g: low must be below high", g->low, g->high);
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            const double t = g->horizon * r / (ROWS - 1), k = g->low + (g->high - g->low) * c / (COLUMNS - 1);
            const bailey_status status = find_node(f, t, k, &g->volatility[r * COLUMNS + c]);
            if (status != BAILEY_OK) return status;
            note_beyond(f, t, k, g, &most);
        }
    warn(f, g);
    return BAILEY_OK;
}

/* ---- Arbitrage in quotes --------------------------------------------------------------------------- */

/* A call's price divided by the forward, at a share of the forward. */
static double call_of(double share, double w)
{
    const double spread = sqrt(w), d = -log(share) / spread + 0.5 * spread;
    return 0.5 * erfc(-d * ROOT_HALF) - share * 0.5 * erfc((spread - d) * ROOT_HALF);
}

static double strike_of(const struct surface *f, const struct slice *s, uint32_t i)
{
    return f->quotes->strikes[s->index[i]];
}

/* Calls are convex in the strike, from 1 at strike 0. */
static bailey_status check_butterflies(const struct surface *f, const struct slice *s)
{
    double x = 0, price = 1, slope = -1;
    for (uint32_t i = 0; i < s->count; i++) {
        const double share = exp(s->k[i]), c = call_of(share, s->w[i]), next = (c - price) / (share - x);
        if (next < slope - 1e-10 || next > 1e-10) {
            const uint32_t at = i && next <= 1e-10 ? i - 1 : i;
            return bly_fail_argument(
                "volatilities",
                "butterfly arbitrage at expiry %.6g (row %u) and strike %.6g (column %u): calls are "
                "not convex and falling in the strike there",
                s->time, (unsigned)(s - f->slices) + 1, strike_of(f, s, at), s->index[at] + 1);
        }
        slope = next;
        price = c;
        x = share;
    }
    return BAILEY_OK;
}

static bailey_status check_calendar(const struct surface *f, const struct slice *s, const struct slice *of,
                                    uint32_t i)
{
    const struct slice *before = s - 1;
    const double k = of->k[i], earlier = at_strike(before, k).of, later = at_strike(s, k).of;
    if (!has(before, k) || !has(s, k) || later >= earlier - 1e-12) return BAILEY_OK;
    return bly_fail_argument(
        "volatilities",
        "calendar arbitrage at expiry %.6g (row %u) and strike %.6g: the total variance is %.6g, "
        "and at expiry %.6g, at the same share of the forward, %.6g",
        s->time, (unsigned)(s - f->slices) + 1, s->forward * exp(k), later, before->time, earlier);
}

/* The spline between two quotes that have no arbitrage. */
static bailey_status check_between(const struct surface *f, const struct slice *s)
{
    for (uint32_t i = 0; i + 1 < s->count; i++)
        for (int part = 0; part <= 8; part++) {
            const double k = s->k[i] + (s->k[i + 1] - s->k[i]) * part / 8;
            const struct jet w = at_strike(s, k);
            if (w.of > 0 && density(w, k) > 1e-9) continue;
            return bly_fail_argument(
                "volatilities",
                "butterfly arbitrage at expiry %.6g (row %u) between strikes %.6g and %.6g: the "
                "density of the price is not positive at %.6g",
                s->time, (unsigned)(s - f->slices) + 1, strike_of(f, s, i), strike_of(f, s, i + 1),
                s->forward * exp(k));
        }
    return BAILEY_OK;
}

static bailey_status check_arbitrage(const struct surface *f)
{
    bailey_status status = BAILEY_OK;
    for (uint32_t e = 0; e < f->count && status == BAILEY_OK; e++)
        status = check_butterflies(f, &f->slices[e]);
    for (uint32_t e = 1; e < f->count; e++)
        for (int other = 0; other < 2; other++) {
            const struct slice *s = &f->slices[e], *of = s - other;
            for (uint32_t i = 0; i < of->count && status == BAILEY_OK; i++)
                status = check_calendar(f, s, of, i);
        }
    for (uint32_t e = 0; e < f->count && status == BAILEY_OK; e++) status = check_between(f, &f->slices[e]);
    return status;
}

/* ---- Reading --------------------------------------------------------------------------------------- */

static bailey_status check_increases(const char *name, const double *values, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (!(values[i] > values[i - 1]))
            return bly_fail_argument(name, "%s[%u] is %g and %s[%u] is %g: they must increase", name, i - 1,
                                     values[i - 1], name, i, values[i]);
    return BAILEY_OK;
}

static bailey_status check_volatility(const bailey_volatility_quotes *q, uint32_t e, uint32_t i)
{
    const double v = q->volatilities[(size_t)e * q->strike_count + i];
    if (isnan(v) || (v > 0 && v <= 10)) return BAILEY_OK;
    return bly_fail_argument(
        "volatilities",
        "the volatility at expiry %.6g (row %u) and strike %.6g (column %u) is %g, not above 0 and "
        "at most 10; 0.2 is 20 %%",
        q->expiries[e], e + 1, q->strikes[i], i + 1, v);
}

static bailey_status check(const bailey_volatility_quotes *q)
{
    if (!q) return bly_fail_argument("quotes", "quotes is NULL");
    bailey_status status = bailey_record_check(&bly_record_volatility_quotes, q);
    if (status == BAILEY_OK) status = check_increases("expiries", q->expiries, q->expiry_count);
    if (status == BAILEY_OK) status = check_increases("strikes", q->strikes, q->strike_count);
    for (uint32_t e = 0; e < q->expiry_count && status == BAILEY_OK; e++)
        for (uint32_t i = 0; i < q->strike_count && status == BAILEY_OK; i++)
            status = check_volatility(q, e, i);
    return status;
}

static bailey_status read_slice(struct surface *f, uint32_t e, double *work)
{
    const bailey_volatility_quotes *q = f->quotes;
    const size_t place = (size_t)e * q->strike_count;
    struct slice *s = &f->slices[e];
    *s = (struct slice){.time = q->expiries[e],
                        .forward = q->forwards[e],
                        .index = f->indices + place,
                        .k = f->numbers + 3 * place,
                        .w = f->numbers + 3 * place + q->strike_count,
                        .curve = f->numbers + 3 * place + 2 * (size_t)q->strike_count};
    for (uint32_t i = 0; i < q->strike_count; i++) {
        const double v = q->volatilities[place + i];
        if (isnan(v)) continue;
        s->index[s->count] = i;
        s->k[s->count] = log(q->strikes[i] / s->forward);
        s->w[s->count++] = v * v * s->time;
    }
    if (!s->count)
        return bly_fail_argument("volatilities", "expiry %.6g (row %u) has no quote", s->time, e + 1);
    fit(s, work);
    return BAILEY_OK;
}

bailey_status bailey_local_volatility_find(const bailey_volatility_quotes *quotes,
                                           bailey_local_volatility *grid)
{
    if (!grid) return bly_fail_argument("grid", "grid is NULL");
    bailey_status status = check(quotes);
    if (status != BAILEY_OK) return status;
    const size_t all = (size_t)quotes->expiry_count * quotes->strike_count;
    struct surface f = {.quotes = quotes, .count = quotes->expiry_count};
    bailey_local_volatility *found = bly_alloc(1, sizeof *found);
    f.slices = bly_alloc(f.count, sizeof *f.slices);
    f.indices = bly_alloc(all, sizeof *f.indices);
    f.numbers = bly_alloc(3 * all + quotes->strike_count, sizeof *f.numbers);
    if (!found || !f.slices || !f.indices || !f.numbers)
        status = bly_fail(BAILEY_ERROR_MEMORY, "no memory for a surface of volatilities");
    for (uint32_t e = 0; e < f.count && status == BAILEY_OK; e++)
        status = read_slice(&f, e, f.numbers + 3 * all);
    if (status == BAILEY_OK) status = check_arbitrage(&f);
    if (status == BAILEY_OK) status = fill(&f, found);
    if (status == BAILEY_OK) *grid = *found;
    bly_free(found);
    bly_free(f.slices);
    bly_free(f.indices);
    bly_free(f.numbers);
    return status;
}
