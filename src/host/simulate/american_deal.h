/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What american.c prices: the option's parameters, checked and with their defaults, and the payoffs' texts.
 */
#ifndef BLY_AMERICAN_DEAL_H
#define BLY_AMERICAN_DEAL_H

#include "regression.h"

#include <bailey/american.h>
#include <bailey/simulation.h>

#include <base/text.h>

/* Times that american_decisions.c reports. */
#define BLY_AMERICAN_DECISIONS 16u

struct bly_american {
    bailey_context *context;
    const bailey_american_params *params;
    uint32_t assets, functions, largest;
    uint32_t steps; /* times of exercise */
    uint64_t paths, policy_paths, outer_paths, inner_paths;
    double now; /* what it pays to exercise today, in strikes; not positive out of the money */
    double spot[BAILEY_AMERICAN_MAX_ASSETS], drift[BAILEY_AMERICAN_MAX_ASSETS];
    double factor[BAILEY_AMERICAN_MAX_ASSETS * BAILEY_AMERICAN_MAX_ASSETS];
    double discount[BAILEY_AMERICAN_MAX_EXERCISES];
    double coefficient[BAILEY_AMERICAN_MAX_EXERCISES * BAILEY_AMERICAN_MAX_BASIS_FUNCTIONS];
};

/* Checks the parameters and fills in *deal but for the coefficients, which become 0. */
bailey_status bly_american_read(bailey_context *context, const bailey_american_params *params,
                                struct bly_american *deal);

/* The path of its simulations and bridges. */
bailey_bridge_params bly_american_path(const struct bly_american *deal);

/* A simulation of american_policy.c followed by `text`, which errors call `name`, with all of its parameters
 * but the coefficients, `from` and `date`. */
bailey_status bly_american_simulation(const struct bly_american *deal, const unsigned char *text,
                                      const char *name, bailey_simulation **simulation);

/* Sets the coefficients as they are. */
bailey_status bly_american_set_policy(const struct bly_american *deal, bailey_simulation *simulation);

#endif
