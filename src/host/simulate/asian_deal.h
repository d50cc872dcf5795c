/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * An Asian option as bailey_asian_params states it: what is allowed, its payoff as the kernels take it, and
 * the closed form of its control variate.
 */
#ifndef BLY_ASIAN_DEAL_H
#define BLY_ASIAN_DEAL_H

#include <host/internal.h>

/* With m fixings past, of mean A, and n to come, of mean F, the payoff of max(sign ((m A + n F) / (m + n) -
 * K), 0) is `part` times that of max(sign (F - strike), 0). */
struct bly_payoff {
    double sign;   /* 1 for a call, -1 for a put */
    double strike; /* ((m + n) K - m A) / n = K + (K - A) m / n, which may be negative; K itself if m = 0 */
    double part;   /* n / (m + n) */
    int unit;      /* devices count money in units of 2^unit, so that it is a normal number in f32 */
    int control;   /* the geometric option exists: no weight is negative */
};

/* How many replicates there are: params->replicates, or 1 for 0. */
uint64_t bly_asian_replicates(const bailey_asian_params *params);

/* The source of replicate number `replicate`. */
bailey_source bly_asian_source(const bailey_asian_params *params, uint64_t replicate);

/* Checks all fields, except for what the bridge checks: order, and how normals are made of points. */
bailey_status bly_asian_check(const bailey_context *context, const bailey_asian_params *params);

/* The rest take fields that have been checked. */
struct bly_payoff bly_asian_payoff(const bailey_asian_params *params);
double bly_asian_discount(const bailey_asian_params *params);

/* Black's formula for the geometric average, which is lognormal: Kemna and Vorst, "A pricing method for
 * options based on average asset values" (1990), for a basket and discrete fixings. */
double bly_asian_closed_form(const bailey_asian_params *params, const struct bly_payoff *payoff);

/* Writes the constants of bly_asian_params, in double; those of the geometric option are 0 where there is
 * none.
 */
size_t bly_asian_constant_count(const bailey_asian_params *params);
void bly_asian_constants(const bailey_asian_params *params, const struct bly_payoff *payoff, double *values);

#endif
