/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The default width of a comparison of l and r is SHARE times the spread of l - r times n^(-1/9), for n
 * paths: so the squares of bias and error shrink alike, as the kernel's bias is of the fourth power of the
 * width. The spread is the standard deviation of l - r, or of its change since the comparison before where
 * that is smaller: over such a distance the probability changes that a comparison later turns too. All dates
 * are taken together, so l - r on a path without noise is subtracted first: how l - r moves with the dates on
 * all paths alike, as a running sum that begins at 0 does, must not count. The spread is that of pilot paths,
 * which are always the same.
 *
 * No width reaches farther than pilot paths do on the rarer side: where a distribution ends, like that of a
 * uniform number less a small probability, a kernel that went beyond would miss a part of the density, up to
 * half of it. Where hardly any pilot path comes to that side, or none far, the density at 0 is that of the
 * other side alone, by a kernel that is twice as wide: its bias and its standard error are then both 2.7
 * times those of a kernel on both sides. So the derivative by a probability has an error of the same size
 * down to a probability of 0.
 */
#include "gradient_jumps.h"

#include <base/alloc.h>
#include <host/payoff/interpret.h>
#include <host/payoff/machine.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PILOT_PATHS 4096u
#define PILOT_SEED UINT64_C(0x70696c6f74)
#define FEWEST 16.0       /* comparisons of pilot paths that a standard deviation is taken from */
#define MOST_SAME 0.001   /* of all, which are as they were before by rounding alone */
#define FEWEST_BEYOND 4.0 /* comparisons on the rarer side, for a width that reaches there */
#define LEAST_REACH                                                                                          \
    0.14 /* of the width: with less on the rarer side, the other one alone has the smaller error */
#define MORE_PILOTS 65536u /* at most, where few come to a side; and a share of the run's paths: */
#define PILOT_SHARE 16u
#define SHARE 2.0 /* docs/gradients.md has the bias and the error for it */

void bly_gradient_jumps_destroy(struct bly_gradient_jumps *jumps)
{
    if (!jumps) return;
    bailey_simulation_destroy(jumps->pilot);
    bly_free(jumps);
}

bailey_status bly_gradient_jumps_create(const bailey_simulation *s, const struct bly_derivative *d,
                                        struct bly_gradient_jumps **out)
{
    struct bly_text text = {0};
    char name[300];
    *out = NULL;
    if (!bly_derivative_has_jumps(d)) return BAILEY_OK;
    struct bly_gradient_jumps *jumps = bly_alloc(1, sizeof *jumps);
    if (!jumps) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a gradient");
    jumps->count = d->jump_count;
    jumps->runs = d->runs;
    jumps->repeats = d->repeats;
    jumps->one_sided = d->one_sided;
    memcpy(jumps->places, d->jumps, d->jump_count * sizeof *d->jumps);
    bly_derivative_pilot(d, &text, &jumps->names);
    snprintf(name, sizeof name, "comparisons of %.255s", s->payoff.name);
    const bailey_simulation_params params = {
        .path = s->path.params,
        .motion_depth = s->motion_depth,
        .payoff = {.code = text.data, .name = name, .loop_budget = s->payoff.loop_budget}};
    const bailey_status status =
        text.failed ? bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a gradient")
                    : bly_simulation_create_derivative(s->context, &params,
                                                       BLY_MOST_JUMPS * BLY_PILOT_OUTPUTS, &jumps->pilot);
    bly_free(text.data);
    if (status == BAILEY_OK)
        *out = jumps;
    else
        bly_gradient_jumps_destroy(jumps);
    return status;
}

/* ---- The pilot ----------------------------------------------------------------------------------- */

void bly_gradient_parameters(const bailey_simulation *s, bailey_simulation *made)
{
    for (uint32_t k = 0; k < s->payoff.param_count; k++) {
        const struct bly_field *from = &s->payoff.params[k], *to = &made->payoff.params[k];
        for (uint32_t i = 0; i < from->count; i++)
            bly_parameter_write(s->precision, to, i, bly_parameter_read(s->precision, from, i, s->values),
                                made->values);
    }
    memset(made->given, 1, made->payoff.param_count);
    made->changed = 1;
}

void bly_gradient_member(bailey_simulation *made, const char *name, const double *values, uint32_t stride)
{
    const struct bly_field *field = *name ? bly_parameter_find(&made->payoff, name, strlen(name)) : NULL;
    for (uint32_t i = 0; field && i < field->count; i++)
        bly_parameter_write(made->precision, field, i, values ? values[i * stride] : 0, made->values);
}

static bailey_status refuse(const bailey_simulation *s, struct bly_place place, const char *why)
{
    struct bly_unit unit = {.code = s->code, .length = strlen(s->code), .argument = "payoff"};
    bly_unit_name(&unit, s->payoff.name);
    bly_refuse_at(&unit, place, "cannot be differentiated: %s", why);
    return BAILEY_ERROR_UNSUPPORTED;
}

static double power(double x, double y)
{
    const double given[3] = {x, y};
    return bly_library_call_f64(bly_library_find("pow", 3), given);
}

static double spread_of(double count, double sum, double squares)
{
    const double mean = sum / count, variance = squares / count - mean * mean;
    return sqrt(variance > 0 ? variance : 0);
}

/* How pilot paths come to the sides of a comparison. */
struct sides {
    double rarer, reach; /* on the rarer side: how often they come there, and how far */
    double other, way;   /* how far on the other side, and its sign */
    double nearest;      /* to 0 */
    int is_known;        /* they come to the comparison at all */
};

static struct sides sides_of(const bailey_estimate *sums, double pilots)
{
    const double below = sums[15].mean, above = sums[0].mean - below - sums[4].mean;
    const int falls = below < above;
    return (struct sides){.rarer = (falls ? below : above) * pilots,
                          .reach = falls ? -sums[13].minimum : sums[14].maximum,
                          .other = falls ? sums[14].maximum : -sums[13].minimum,
                          .way = falls ? 1 : -1,
                          .nearest = 1 / sums[16].maximum,
                          .is_known = sums[0].mean * pilots >= FEWEST};
}

/* Whether the density is that of the other side alone: hardly any path comes to the rarer side, or none far,
 * and the other side comes near enough to 0 that it matters. */
static int is_of_one_side(const struct bly_gradient_jumps *jumps, uint32_t k, const struct sides *sides)
{
    const double width = jumps->widths[k];
    if (sides->rarer >= FEWEST_BEYOND && sides->reach >= LEAST_REACH * width) return 0;
    return sides->is_known && jumps->places[k].counts && 1.001 * sides->nearest < 2 * width;
}

/* Comparisons that turn together have the same sides: both, or the one that the others have. */
static bailey_status set_sides(const bailey_simulation *s, struct bly_gradient_jumps *jumps, uint32_t k,
                               const struct sides *all, const int *is_one)
{
    const struct sides *sides = &all[k];
    const double width = jumps->widths[k];
    int together = is_one[k];
    for (uint32_t i = 0; i < jumps->count && together; i++)
        if (jumps->with[i] == jumps->with[k] && jumps->places[i].counts && all[i].is_known)
            together = is_one[i];
    if (together) {
        jumps->sides[k] = sides->way;
        jumps->widths[k] = fmin(2 * width, sides->other);
        jumps->ended = 1;
    } else if (sides->rarer >= FEWEST_BEYOND && (is_one[k] || sides->reach >= LEAST_REACH * width)) {
        jumps->widths[k] = fmin(width, sides->reach);
    } else if (is_one[k]) {
        return refuse(
            s, jumps->places[k].place,
            "hardly any path comes to one side of this comparison, and others that turn with it compare "
            "other numbers too; set a width that is less than the distance of its sides to where "
            "their distribution ends");
    }
    return BAILEY_OK;
}

static bailey_status set_default(const bailey_simulation *s, struct bly_gradient_jumps *jumps, uint32_t k,
                                 const bailey_estimate *sums, double paths)
{
    const int is_reached = sums[0].mean * PILOT_PATHS >= FEWEST;
    const bailey_estimate *of = is_reached ? sums : sums + 6, *changes = sums + 10;
    const double all = of[0].mean > 0 ? spread_of(of[0].mean, of[2].mean, of[3].mean) : 0;
    const double change = changes[0].mean * PILOT_PATHS >= FEWEST
                              ? spread_of(changes[0].mean, changes[1].mean, changes[2].mean)
                              : all;
    const double spread = change < all ? change : all;
    const double distance = of[0].mean > 0 ? fabs(of[1].mean / of[0].mean) : 0;
    jumps->spreads[k] = spread;
    jumps->widths[k] = SHARE * spread * power(paths, -1.0 / 9);
    if (jumps->widths[k] > 1e-6 * distance) return BAILEY_OK;
    if (!(distance > 0))
        return refuse(s, jumps->places[k].place,
                      "both sides of this comparison are always equal, and the payoff jumps just there");
    jumps->widths[k] = distance / 2; /* it is the same on all paths, and does not turn */
    return BAILEY_OK;
}

/* Whether it compares numbers that were compared before. */
static int is_same(const bailey_estimate *sums) { return sums[5].mean > MOST_SAME * sums[0].mean; }

static bailey_status check_same(const bailey_simulation *s, struct bly_gradient_jumps *jumps,
                                struct bly_place place, const bailey_estimate *sums)
{
    if (sums[4].mean > MOST_SAME * sums[0].mean)
        return refuse(s, place,
                      "both sides of this comparison are equal on some paths; compare the numbers inside, "
                      "as x > y instead of fmax(x, y) > y");
    jumps->repeated |= is_same(sums);
    return BAILEY_OK;
}

/* ---- Widths -------------------------------------------------------------------------------------- */

static bailey_status check_widths(const struct bly_gradient_jumps *jumps, const bailey_gradient_params *p)
{
    if (p->width_count && p->width > 0)
        return bly_fail_argument("widths", "width and widths are given; give one of them");
    if (p->width_count > 1 && p->width_count != jumps->count)
        return bly_fail_argument("widths",
                                 "width_count is %u, and the payoff has %u comparisons where it "
                                 "jumps",
                                 p->width_count, jumps->count);
    return BAILEY_OK;
}

static bailey_status set_own(const bailey_simulation *s, struct bly_gradient_jumps *jumps, uint32_t k,
                             const bailey_gradient_params *p)
{
    jumps->widths[k] = p->width > 0 ? p->width : p->widths[p->width_count > 1 ? k : 0];
    if (jumps->widths[k] > 0 || !jumps->places[k].counts) return BAILEY_OK;
    return refuse(
        s, jumps->places[k].place,
        "the payoff jumps where this comparison changes, and its width is 0; set a width to smooth the jump");
}

/* The mean path: with a fixed end, a line to it. */
static void write_calm(const bailey_simulation *s, struct bly_gradient_jumps *jumps)
{
    double drift[BAILEY_BRIDGE_MAX_DIMS];
    const double *start = s->path.start, *end = s->fixed_end ? s->path.end : NULL;
    for (uint32_t k = 0; k < s->dims && end; k++)
        drift[k] = (end[k] - (start ? start[k] : 0)) / (s->last_time - s->start_time);
    bly_gradient_member(jumps->pilot, jumps->names.origin, end ? end : start, 1);
    bly_gradient_member(jumps->pilot, jumps->names.drift, end ? drift : NULL, 1);
}

static int is_rare(const struct bly_gradient_jumps *jumps, uint32_t k, const bailey_estimate *sums)
{
    const struct sides sides = sides_of(sums, PILOT_PATHS);
    return jumps->places[k].counts && sides.is_known && sides.rarer < FEWEST_BEYOND;
}

/* Those that turn together get the same number. One whose numbers were compared by several others may turn
 * with all of them. */
static void find_together(struct bly_gradient_jumps *jumps, const bailey_estimate *sums)
{
    int is_any = 0;
    for (uint32_t k = 0; k < jumps->count; k++) jumps->with[k] = k;
    for (uint32_t k = 0; k < jumps->count; k++) {
        const bailey_estimate *of = sums + k * BLY_PILOT_OUTPUTS;
        if (!jumps->places[k].counts || !is_same(of)) continue;
        const double mean = of[17].mean / of[5].mean, square = of[18].mean / of[5].mean;
        const uint32_t from = jumps->with[k], to = jumps->with[(uint32_t)(mean + 0.5)];
        is_any |= square - mean * mean > 0.01;
        for (uint32_t i = 0; i < jumps->count; i++)
            if (jumps->with[i] == from) jumps->with[i] = to;
    }
    if (is_any) memset(jumps->with, 0, sizeof jumps->with);
}

/* With more pilot paths for comparisons to one side of which few come. */
static bailey_status set_all_sides(const bailey_simulation *s, struct bly_gradient_jumps *jumps,
                                   const bailey_estimate *sums, uint64_t paths)
{
    bailey_estimate more[BLY_MOST_JUMPS * BLY_PILOT_OUTPUTS];
    struct sides sides[BLY_MOST_JUMPS];
    int is_one[BLY_MOST_JUMPS];
    const uint64_t share = paths / PILOT_SHARE, pilots = share < MORE_PILOTS ? share : MORE_PILOTS;
    const bailey_simulation_run_params run = {.source = {.seed = PILOT_SEED}, .paths = pilots};
    int any = 0;
    for (uint32_t k = 0; k < jumps->count; k++) any |= is_rare(jumps, k, sums + k * BLY_PILOT_OUTPUTS);
    any &= pilots > PILOT_PATHS;
    bailey_status status = any ? bly_simulation_run(jumps->pilot, &run, more) : BAILEY_OK;
    for (uint32_t k = 0; k < jumps->count && status == BAILEY_OK; k++) {
        const bailey_estimate *of = sums + k * BLY_PILOT_OUTPUTS;
        const int is_more = any && is_rare(jumps, k, of);
        sides[k] =
            is_more ? sides_of(more + k * BLY_PILOT_OUTPUTS, (double)pilots) : sides_of(of, PILOT_PATHS);
        is_one[k] = is_of_one_side(jumps, k, &sides[k]);
    }
    find_together(jumps, sums);
    for (uint32_t k = 0; k < jumps->count && status == BAILEY_OK; k++)
        status = set_sides(s, jumps, k, sides, is_one);
    return status;
}

bailey_status bly_gradient_jumps_set(const bailey_simulation *s, struct bly_gradient_jumps *jumps,
                                     const bailey_gradient_params *p, uint64_t paths)
{
    bailey_estimate sums[BLY_MOST_JUMPS * BLY_PILOT_OUTPUTS];
    const bailey_simulation_run_params run = {.source = {.seed = PILOT_SEED}, .paths = PILOT_PATHS};
    const int own = p->width > 0 || p->width_count;
    double least = INFINITY;
    bailey_status status = check_widths(jumps, p);
    if (status != BAILEY_OK) return status;
    bly_gradient_parameters(s, jumps->pilot);
    write_calm(s, jumps);
    jumps->repeated = jumps->ended = 0;
    memset(jumps->sides, 0, sizeof jumps->sides);
    jumps->pilot->has_extrema = 1;
    status = bly_simulation_run(jumps->pilot, &run, sums);
    for (uint32_t k = 0; k < jumps->count && status == BAILEY_OK; k++) {
        const bailey_estimate *of = sums + k * BLY_PILOT_OUTPUTS;
        if (jumps->places[k].counts) status = check_same(s, jumps, jumps->places[k].place, of);
        if (status == BAILEY_OK) status = set_default(s, jumps, k, of, (double)paths);
        if (status == BAILEY_OK && own) status = set_own(s, jumps, k, p);
    }
    if (status == BAILEY_OK && !own) status = set_all_sides(s, jumps, sums, paths);
    for (uint32_t k = 0; k < jumps->count; k++)
        if (jumps->widths[k] < least && jumps->places[k].counts) least = jumps->widths[k];
    /* Numbers that are compared again have the width that they had before. */
    for (uint32_t k = 0; k < jumps->count && status == BAILEY_OK && jumps->repeats && !own; k++)
        if (is_same(sums + k * BLY_PILOT_OUTPUTS) && least < jumps->widths[k]) jumps->widths[k] = least;
    return status;
}
