/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A step of the prices and variances of all assets in Heston's model by the QE scheme (andersen_qe.h), in the payoff
 * language: of the state's variance, change and passed.
 */

#include "host/simulate/schemes/andersen_qe.h"
#include "host/simulate/schemes/price_noises.h"

/* x holds increments divided by dt: those of the assets, then one for each variance. Assets have their normal laws one
 * after the other, and only then those near 0, which are rare: between branches, devices have no work of other assets
 * to do while they wait for a root or a quotient. */
void move_assets(state *s, const params *p, real dt, const real x[])
{
    qe_law law[DIMS];
    qe_draw next[DIMS];
    for (int a = 0; a < DIMS; a++) {
        const real moves = noises_of(p->correlation[a], x[a], x[DIMS + a]).moves;
        law[a] = qe_law_of(s->variance[a], dt, p->reversion[a], p->mean_variance[a], p->sigma[a],
                           p->correlation[a], moves);
        next[a] = qe_normal(&law[a]);
    }
    for (int a = 0; a < DIMS; a++)
        if (!law[a].is_normal) next[a] = qe_near_zero(&law[a]);
    for (int a = 0; a < DIMS; a++) {
        const real rest = noises_of(p->correlation[a], x[a], x[DIMS + a]).rest, v = s->variance[a];
        s->change[a] += qe_change(&next[a], v, dt, p->correlation[a], rest);
        s->passed[a] = 0.5 * (v + next[a].variance);
        s->variance[a] = next[a].variance;
    }
}
