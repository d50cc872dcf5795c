/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * `bailey price american` and `bailey price bermudan-max-call`, by bailey_american_price.
 */
#ifndef CLI_PRICE_AMERICAN_H
#define CLI_PRICE_AMERICAN_H

#include "price_model.h"

#include <bailey/american.h>

/* The ones of all products, and those of price_american_option after them. */
extern const struct option price_american_options[];
enum price_american_option {
    H_AMERICAN = JSON + 1,
    SPOT,
    STRIKE,
    RATE,
    VOLATILITY,
    DIVIDEND,
    BASIS_FUNCTIONS,
    POLICY_PATHS,
    OUTER_PATHS,
    INNER_PATHS,
    LOWER_ONLY
};

/* Why these do not take an option that other products have; NULL: they do. */
const char *price_american_refuses(const struct command *command, int option);

struct american_deal {
    struct price_model model; /* times, dimensions, correlation */
    double spot[BAILEY_AMERICAN_MAX_ASSETS], volatility[BAILEY_AMERICAN_MAX_ASSETS],
        dividend[BAILEY_AMERICAN_MAX_ASSETS];
    bailey_american_params params;
};

/* Reads options and files of a deal that is all zero; price_model_free of its model in any case. Then prices
 * it, with progress unless the settings are quiet. */
int price_american_read(const struct arguments *arguments, const struct price_settings *settings,
                        struct american_deal *deal);
int price_american_run(const struct arguments *arguments, const struct price_settings *settings,
                       struct american_deal *deal, bailey_context *context, bailey_american_result *result);

/* Prices the option of the command. Prints what is wrong, returns an exit code. */
int price_american(const struct arguments *arguments);

/* price_american_report.c */
int price_american_report(const struct american_deal *deal, const struct price_settings *settings,
                          const bailey_american_result *result, const bailey_device *device, int json);

#endif
