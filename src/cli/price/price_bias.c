/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The discretisation bias of a price: its estimate, and its share of --target-error.
 */
#include "price.h"

#include <bailey/simulation.h>

#include <math.h>
#include <string.h>

enum { FEWEST = 1024, MOST = 65536, MOST_FOR_TARGET = 1 << 22 };

/* Where it cannot be estimated, as with a single step, the estimates have no paths. */
static void estimate(const struct price_settings *s, const struct price_model *m, uint64_t paths,
                     struct price_outcome *o)
{
    if (bailey_simulation_bias(m->simulation, paths, s->run.source.seed, o->bias) != BAILEY_OK)
        memset(o->bias, 0, sizeof o->bias);
}

void price_bias_find(const struct price_settings *s, const struct price_model *m, struct price_outcome *o)
{
    const uint64_t half = o->estimate[0].paths / 2;
    if (o->bias[o->price].paths || !bailey_simulation_is_discretised(m->simulation)) return;
    estimate(s, m, half < FEWEST ? FEWEST : half > MOST ? MOST : half, o);
}

/* As hypot, which glibc has anew since 2.35: wheels run with older ones. */
static double root_of_squares(double x, double y) { return sqrt(x * x + y * y); }

/* A bound of the bias, together with the error of its estimate; infinite where it is not resolved. */
static double off_by(const struct price_outcome *o)
{
    const bailey_estimate *bias = &o->bias[o->price];
    return isnan(bias->interval_high) ? INFINITY : root_of_squares(bias->interval_high, bias->standard_error);
}

/* The bias is estimated until its standard error is small. Paths get the rest of the target, but at least
 * half of it: a price with a large bias is not worth many paths. */
void price_target_share(const struct price_settings *s, const struct price_model *m, struct price_outcome *o)
{
    const bailey_estimate *bias = &o->bias[o->price];
    uint64_t paths = MOST;
    o->target = s->target;
    if (!(s->target > 0) || !bailey_simulation_is_discretised(m->simulation)) return;
    estimate(s, m, paths, o);
    while (bias->paths && bias->standard_error > s->target / 4 && paths < MOST_FOR_TARGET)
        estimate(s, m, paths *= 4, o);
    if (!bias->paths) return;
    const double rest = s->target * s->target - off_by(o) * off_by(o);
    o->target = fmax(sqrt(fmax(rest, 0)), s->target / 2);
}

void price_target_judge(const struct price_settings *s, struct price_outcome *o)
{
    if (!(s->target > 0) || !o->bias[o->price].paths) return;
    o->biased = root_of_squares(off_by(o), o->target) > s->target * (1 + 1e-9);
    if (o->biased) o->reached = 0;
}
