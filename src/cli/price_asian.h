/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The Asian option of `bailey price asian` by bailey_asian_price, which knows the closed form of its control
 * variate.
 */
#ifndef CLI_PRICE_ASIAN_H
#define CLI_PRICE_ASIAN_H

#include "assets.h"
#include "order_file.h"
#include "price_options.h"

struct asian_deal {
    int type;
    struct assets assets;
    double *fixings, *correlation;
    const char *correlation_source; /* NULL: independent */
    struct order order;
    uint64_t fixing_count, past_count;
    double strike, rate, past_average;
};

/* Prices the deal of the options. Prints what is wrong, returns an exit code. */
int price_asian(const struct arguments *arguments);

/* price_asian_report.c: the report, of standard output, and the warnings, of standard error. */
void price_asian_report(const struct asian_deal *deal, const struct price_settings *settings,
                        const bailey_asian_result *result, const bailey_device *device, int json);

#endif
