/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What `bailey price` says beside the price: the scenarios of --scenarios, and the Greeks of --greeks.
 */
#ifndef CLI_PRICE_RISK_H
#define CLI_PRICE_RISK_H

#include "document.h"
#include "price_run.h"

#include <bailey/greeks.h>

#define PRICE_SCENARIOS_MAX 4096

struct price_risk {
    uint64_t count;   /* of scenarios; 0: none */
    uint32_t columns; /* that are parameters */
    char **column, **name;
    double *values, *shift;
    bailey_estimate *scenario; /* [2 count - 1]: of the first; then of each its own, and less the first */
    uint64_t greeks;
    bailey_greek_estimate *greek;
};

/* Reads the file of --scenarios, before anything is computed. price_risk_free in any case. */
int price_risk_read(const struct arguments *arguments, struct price_risk *risk);
void price_risk_free(struct price_risk *risk);

/* Values what is asked for, of the output that is the price, with the paths of the last run. */
int price_risk_run(const struct arguments *arguments, const struct price_settings *settings,
                   const struct price_model *model, const struct price_outcome *outcome,
                   struct price_risk *risk);

/* "scenarios" and "greeks", as far as they were asked for. */
void price_risk_report(struct document *d, const struct price_risk *risk, const struct price_model *model);

#endif
