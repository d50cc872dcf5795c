/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "price_asian.h"
#include "price_common.h"

#include <math.h>
#include <stdio.h>

/* Numbers that are allowed and hardly meant, and a price of 0 with an error of 0, which looks exact. */
static void find_warnings(const struct asian_deal *deal, const bailey_source *source, uint64_t paths,
                          const bailey_asian_result *result, price_warning warn, void *user)
{
    const struct assets *assets = &deal->assets;
    price_warn_of_time("--fixings", deal->fixings[deal->fixing_count - 1], warn, user);
    price_warn_of_percent("rate", "", deal->rate, 0.5, warn, user);
    for (uint32_t k = 0; k < assets->count; k++) {
        price_warn_of_percent("volatility", assets->name[k], assets->column[ASSET_VOLATILITY][k], 3, warn,
                              user);
        price_warn_of_percent("dividend", assets->name[k], assets->column[ASSET_DIVIDEND][k], 0.5, warn,
                              user);
    }
    price_warn_of_source(source, paths, warn, user);
    price_warn_of_error(result->standard_error, result->replicates, warn, user);
    price_warn_of_nothing(result->price, warn, user);
}

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

/* Columns on the screen that a name takes in UTF-8, as far as each of its characters takes one. */
static int width_of(const char *name)
{
    int width = 0;
    for (; *name; name++) width += ((unsigned char)*name & 0xc0) != 0x80;
    return width;
}

static void print_assets(const struct assets *assets)
{
    enum { NARROWEST = 5, WIDEST = 40 };
    int width = NARROWEST;
    for (uint32_t k = 0; k < assets->count; k++)
        if (width_of(assets->name[k]) > width) width = width_of(assets->name[k]);
    if (width > WIDEST) width = WIDEST;
    printf("  %-*s %14s %12s %12s %12s\n", width, "asset", "spot", "volatility", "dividend", "weight");
    for (uint32_t k = 0; k < assets->count; k++) {
        const int blank = width - width_of(assets->name[k]);
        printf("  %s%*s", cli_printable(assets->name[k]), blank > 0 ? blank : 0, "");
        printf(" %14.10g", assets->column[ASSET_SPOT][k]);
        for (int column = ASSET_VOLATILITY; column <= ASSET_WEIGHT; column++)
            printf(" %12.8g", assets->column[column][k]);
        printf("\n");
    }
}

static void print_deal(const struct asian_deal *deal)
{
    const uint64_t fixings = deal->fixing_count + deal->past_count;
    const uint32_t assets = deal->assets.count;
    if (fixings == 1)
        printf("European %s (one fixing)", price_types[deal->type]);
    else
        printf("Asian %s on the mean of %s fixings", price_types[deal->type], cli_count(fixings));
    printf(" %s a basket of %u asset%s\n", fixings == 1 ? "on" : "of", (unsigned)assets, plural(assets));
    if (deal->past_count)
        printf("%s fixing%s past, with mean %.10g\n", cli_count(deal->past_count),
               deal->past_count == 1 ? " is" : "s are", deal->past_average);
    printf("strike %.10g, rate %.10g, %s fixing in %.6g years, last in %.6g\n\n", deal->strike, deal->rate,
           deal->past_count ? "next" : "first", deal->fixings[0], deal->fixings[deal->fixing_count - 1]);
    print_assets(&deal->assets);
    if (deal->correlation_source)
        printf("  correlation from %s\n", cli_printable(deal->correlation_source));
    else if (assets > 1)
        printf("  correlation: independent\n");
    printf("\n");
}

static void print_check(const struct asian_deal *deal, const bailey_asian_result *result)
{
    double difference = result->geometric_price - result->geometric_closed_form;
    printf("\nCheck: the geometric Asian %s on the same paths\n", price_types[deal->type]);
    price_print_line("estimate", result->geometric_price, result->geometric_standard_error);
    printf("  %-26s", "closed form");
    price_print_money(" ", 16, result->geometric_closed_form);
    if (result->geometric_standard_error > 0)
        printf("  off by %.2f standard errors\n", difference / result->geometric_standard_error);
    else
        printf("  off by %.3g\n", difference);
}

static void print_report(const struct asian_deal *deal, const struct price_settings *s,
                         const bailey_asian_result *result, const bailey_device *device)
{
    print_deal(deal);
    price_print_estimate("price", result->price, result->standard_error, s->replicates);
    if (result->has_control)
        price_print_estimate("with control variate", result->controlled_price,
                             result->controlled_standard_error, s->replicates);
    price_print_interval(result->interval_low, result->interval_high);
    if (result->has_control) {
        print_check(deal, result);
    } else {
        printf("  no control variate and no check by it: a basket with a negative weight has no geometric "
               "mean\n");
    }
    price_print_why(result->standard_error, s->replicates);
    price_print_bits(s, result->price, result->standard_error);
    price_print_work(s, result->paths, s->paths, device);
}

/* Those of the geometric option are null where there is none. */
static void json_results(struct json *json, const bailey_asian_result *result)
{
    const int control = (int)result->has_control;
    json_number(json, "value", result->price);
    json_number(json, "standard_error", result->standard_error);
    json_number(json, "controlled_value", control ? result->controlled_price : NAN);
    json_number(json, "controlled_standard_error", control ? result->controlled_standard_error : NAN);
    price_json_interval(json, result->interval_low, result->interval_high);
    if (control) {
        json_open(json, "geometric", '{');
        json_number(json, "closed_form", result->geometric_closed_form);
        json_number(json, "value", result->geometric_price);
        json_number(json, "standard_error", result->geometric_standard_error);
        json_number(json, "difference_in_standard_errors",
                    (result->geometric_price - result->geometric_closed_form) /
                        result->geometric_standard_error);
        json_close(json, '}');
    } else {
        json_number(json, "geometric", NAN);
    }
    json_open(json, "hex", '{');
    price_json_hex(json, "value", result->price);
    price_json_hex(json, "standard_error", result->standard_error);
    if (control) {
        price_json_hex(json, "geometric_value", result->geometric_price);
        price_json_hex(json, "geometric_standard_error", result->geometric_standard_error);
    }
    json_close(json, '}');
}

static void json_assets(struct json *json, const struct assets *assets)
{
    json_open(json, "assets", '[');
    for (uint32_t k = 0; k < assets->count; k++) {
        json_open(json, NULL, '{');
        json_text(json, "name", assets->name[k]);
        json_number(json, "spot", assets->column[ASSET_SPOT][k]);
        json_number(json, "volatility", assets->column[ASSET_VOLATILITY][k]);
        json_number(json, "dividend", assets->column[ASSET_DIVIDEND][k]);
        json_number(json, "weight", assets->column[ASSET_WEIGHT][k]);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void json_warnings(struct json *json, const struct asian_deal *deal, const bailey_source *source,
                          const bailey_asian_result *result)
{
    json_open(json, "warnings", '[');
    find_warnings(deal, source, result->paths / result->replicates, result, price_warn_json, json);
    json_close(json, ']');
}

static void json_deal(struct json *json, const struct asian_deal *deal)
{
    json_text(json, "type", price_types[deal->type]);
    json_number(json, "strike", deal->strike);
    json_number(json, "rate", deal->rate);
    json_count(json, "steps", deal->fixing_count);
    json_number(json, "first_time", deal->fixings[0]);
    json_number(json, "maturity", deal->fixings[deal->fixing_count - 1]);
    json_count(json, "past_count", deal->past_count);
    json_number(json, "past_average", deal->past_count ? deal->past_average : NAN);
    json_assets(json, &deal->assets);
    price_json_correlation(json, deal->correlation_source, deal->correlation, deal->assets.count);
}

static void print_json(const struct asian_deal *deal, const struct price_settings *s,
                       const bailey_asian_result *result, const bailey_device *device)
{
    struct json json = {0};
    json_open(&json, NULL, '{');
    json_results(&json, result);
    json_deal(&json, deal);
    json_warnings(&json, deal, &s->source, result);
    json_count(&json, "paths", result->paths);
    json_count(&json, "replicates", result->replicates);
    path_source_json(&json, &s->source);
    json_text(&json, "normal", option_normals[s->method]);
    json_text(&json, "precision", option_precisions[s->precision]);
    json_count(&json, "bits", path_source_bits(&s->source, s->bits, s->precision));
    json_text(&json, "numerics", option_numerics[s->numerics]);
    price_json_device(&json, device);
    json_close(&json, '}');
}

void price_asian_report(const struct asian_deal *deal, const struct price_settings *s,
                        const bailey_asian_result *result, const bailey_device *device, int json)
{
    find_warnings(deal, &s->source, s->paths, result, price_warn_print, NULL);
    if (json)
        print_json(deal, s, result, device);
    else
        print_report(deal, s, result, device);
}
