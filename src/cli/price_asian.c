/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "price_asian.h"

#include "csv.h"

#include <stdlib.h>

static int read_correlation(const struct arguments *a, struct asian_deal *deal)
{
    uint64_t dims = deal->assets.count;
    int code = price_correlation(a, assets_names(&deal->assets), &dims, &deal->correlation);
    deal->correlation_source = a->value[CORRELATION];
    return code;
}

static int is_spread(const struct asian_deal *deal)
{
    for (uint32_t k = 0; k < deal->assets.count; k++)
        if (deal->assets.column[ASSET_WEIGHT][k] < 0) return 1;
    return 0;
}

static int read_past(const struct arguments *a, struct asian_deal *deal)
{
    int code;
    if ((code = option_u64(a, PAST_COUNT, 0, BAILEY_BRIDGE_MAX_STEPS, &deal->past_count)) ||
        (code = option_f64(a, PAST_AVERAGE, &deal->past_average)))
        return code;
    if (deal->past_count && !a->value[PAST_AVERAGE])
        return cli_error(CLI_USAGE, "--past-count: %s needs --past-average, the mean of the basket over them",
                         a->value[PAST_COUNT]);
    if (!deal->past_count && a->value[PAST_AVERAGE])
        return cli_error(CLI_USAGE, "--past-average: %s needs --past-count, the number of fixings past",
                         a->value[PAST_AVERAGE]);
    if (deal->past_count && deal->past_average <= 0 && !is_spread(deal))
        return cli_error(CLI_USAGE, "--past-average: %s is not positive, but every weight is",
                         a->value[PAST_AVERAGE]);
    return CLI_OK;
}

/* What the deal pays; the assets have been read. */
static int read_payoff(const struct arguments *a, struct asian_deal *deal)
{
    int code;
    if ((code = option_choice(a, TYPE, price_types, &deal->type)) ||
        (code = option_f64(a, STRIKE, &deal->strike)) || (code = option_f64(a, RATE, &deal->rate)))
        return code;
    if (deal->strike < 0 && !is_spread(deal))
        return cli_error(CLI_USAGE, "--strike: %s is negative, which needs a spread (a negative weight)",
                         a->value[STRIKE]);
    return read_past(a, deal);
}

static int read_deal(const struct arguments *a, struct asian_deal *deal)
{
    static const int needed[] = {FIXINGS, ASSETS, STRIKE, RATE};
    int64_t valuation = INT64_MIN;
    int code;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        if (!a->value[needed[i]])
            return cli_error(CLI_USAGE, "%s %s is needed", price_options[needed[i]].name,
                             price_options[needed[i]].value);
    }
    if ((code = option_date(a, VALUATION, &valuation)) ||
        (code = assets_read("--assets", a->value[ASSETS], &deal->assets)) || (code = read_payoff(a, deal)) ||
        (code = csv_times("--fixings", a->value[FIXINGS], 0, &valuation, BAILEY_BRIDGE_MAX_STEPS,
                          &deal->fixings, &deal->fixing_count)) ||
        (code = read_correlation(a, deal)))
        return code;
    return order_read(a, ORDER, -1, deal->fixing_count - 1, &deal->order);
}

/* Arguments of bailey_asian_price and the options that give them. */
static const char *const argument_options[][2] = {{"correlation", "--correlation"},
                                                  {"spot", "--assets"},
                                                  {"weight", "--assets"},
                                                  {"volatility", "--assets"},
                                                  {"dividend", "--assets"},
                                                  {"strike", "--strike"},
                                                  {"rate", "--rate"},
                                                  {"fixings", "--fixings"},
                                                  {"past_average", "--past-average"},
                                                  {"sequence", "--sequence"},
                                                  {"replicates", "--replicates"},
                                                  {"stream", "--replicates"},
                                                  {NULL, NULL}};

static int price(const struct arguments *a, const struct asian_deal *deal, const struct price_settings *s)
{
    bailey_context *context = NULL;
    bailey_device device;
    struct cli_progress progress;
    bailey_asian_params params = {0};
    bailey_asian_result result;
    int code = open_device(a->value[DEVICE], a->value[THREADS], &context, &device);
    if (code) return code;
    params.fixings = deal->fixings;
    params.fixing_count = deal->fixing_count;
    params.assets = deal->assets.count;
    params.spot = deal->assets.column[ASSET_SPOT];
    params.volatility = deal->assets.column[ASSET_VOLATILITY];
    params.dividend = deal->assets.column[ASSET_DIVIDEND];
    params.weight = deal->assets.column[ASSET_WEIGHT];
    params.correlation = deal->correlation;
    params.rate = deal->rate;
    params.strike = deal->strike;
    params.type = (bailey_option_type)deal->type;
    params.past_count = deal->past_count;
    params.past_average = deal->past_average;
    params.order = deal->order.index;
    params.paths = s->paths;
    params.replicates = s->replicates;
    params.source = s->source;
    params.normal = price_normal(s);
    params.progress = price_progress;
    params.progress_user = &progress;
    cli_progress_start(&progress, "paths");
    bailey_status status = bailey_asian_price(context, &params, &result);
    cli_progress_end(&progress);
    code = csv_check_matrix(status, cli_refused(argument_options, "pricing"), "--correlation",
                            a->value[CORRELATION], assets_names(&deal->assets));
    if (!code) price_asian_report(deal, s, &result, &device, a->value[JSON] != NULL);
    bailey_context_destroy(context);
    return code;
}

int price_asian(const struct arguments *a)
{
    struct price_settings s;
    struct asian_deal deal = {0};
    int code = price_settings_read(a, &s);
    if (!code) code = read_deal(a, &deal);
    if (!code) code = price(a, &deal, &s);
    assets_free(&deal.assets);
    free(deal.fixings);
    free(deal.correlation);
    free(deal.order.index);
    return code;
}
