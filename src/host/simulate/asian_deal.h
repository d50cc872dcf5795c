/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * An Asian option as bailey_asian_params states it: what is allowed, its payoff as it is simulated, and the
 * closed form of its control variate.
 */
#ifndef BLY_ASIAN_DEAL_H
#define BLY_ASIAN_DEAL_H

#include <host/internal.h>

/* With m fixings past, of mean A, and n to come, of mean F, the payoff of max(sign ((m A + n F) / (m + n) -
 * K), 0) is `part` times that of max(sign (F - strike), 0). */
struct bly_asian_terms {
    double sign;   /* 1 for a call, -1 for a put */
    double strike; /* ((m + n) K - m A) / n = K + (K - A) m / n, which may be negative; K itself if m = 0 */
    double part;   /* n / (m + n) */
    int unit;      /* money is counted in units of 2^unit, so that it is a normal number in f32 */
    int control;   /* the geometric option exists: no weight is negative */
};

/* How many replicates there are: params->replicates, or 1 for 0. */
uint64_t bly_asian_replicates(const bailey_asian_params *params);

/* Checks all fields, except for what the bridge checks: order, and how normals are made of points. */
bailey_status bly_asian_check(const bailey_context *context, const bailey_asian_params *params);

/* The rest take fields that have been checked. */
struct bly_asian_terms bly_asian_terms(const bailey_asian_params *params);
double bly_asian_discount(const bailey_asian_params *params);

/* weight x spot of asset k. */
double bly_asian_money(const bailey_asian_params *params, uint32_t k);

/* What the control variate is worth when it is paid, per `part`. Black's formula for the geometric average,
 * which is lognormal: Kemna and Vorst, "A pricing method for options based on average asset values" (1990),
 * for a basket and discrete fixings. */
double bly_asian_closed_form(const bailey_asian_params *params, const struct bly_asian_terms *terms);

#endif
