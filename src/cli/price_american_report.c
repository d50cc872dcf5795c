/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "price_american.h"
#include "price_common.h"

#include <math.h>
#include <stdio.h>

static int has_upper(const bailey_american_result *r) { return !isnan(r->upper); }

static void find_warnings(const struct american_deal *deal, const struct price_settings *s,
                          const bailey_american_result *r, price_warning warn, void *user)
{
    const struct assets *assets = &deal->model.assets;
    price_warn_of_time("the maturity", deal->model.times[deal->model.steps - 1], warn, user);
    price_warn_of_percent("rate", "", deal->params.rate, 0.5, warn, user);
    for (uint32_t k = 0; k < deal->params.assets; k++) {
        const char *name = assets->count ? assets->name[k] : "";
        price_warn_of_percent("volatility", name, deal->volatility[k], 3, warn, user);
        price_warn_of_percent("dividend", name, deal->dividend[k], 0.5, warn, user);
    }
    price_warn_of_source(&s->source, s->paths, warn, user);
    price_warn_of_nothing(r->lower, warn, user);
}

static const char *what(const struct american_deal *deal)
{
    return deal->params.type == BAILEY_OPTION_TYPE_PUT ? "put"
           : deal->params.assets == 1                  ? "call"
                                                       : "max-call";
}

/* The interval first: the middle of two bounds says nothing of how far they are apart. */
static void print_results(const bailey_american_result *r)
{
    printf("  %-26s", "interval of 95 %");
    price_print_money(" ", 16, r->interval_low);
    if (has_upper(r))
        price_print_money(" .. ", 1, r->interval_high);
    else
        printf(" or more: no upper bound without --outer-paths");
    printf("\n");
    price_print_line("lower bound", r->lower, r->lower_standard_error);
    if (has_upper(r)) {
        price_print_line("upper bound", r->upper, r->upper_standard_error);
        price_print_line("price", r->price, r->standard_error);
    }
    price_print_line("in sample", r->in_sample, r->in_sample_standard_error);
    if (r->exercise_now) printf("\nIt is best to exercise today.\n");
}

static void print_report(const struct american_deal *deal, const struct price_settings *s,
                         const bailey_american_result *r, const bailey_device *device)
{
    const bailey_american_params *p = &deal->params;
    printf("Bermudan %s on %u asset%s, to be exercised today or at %s times, the last in %.6g years\n",
           what(deal), (unsigned)p->assets, p->assets == 1 ? "" : "s", cli_count(p->exercise_count),
           p->exercise_times[p->exercise_count - 1]);
    printf("strike %.10g, rate %.10g\n\n", p->strike, p->rate);
    printf("  %-10s %14s %12s %12s\n", "asset", "spot", "volatility", "dividend");
    for (uint32_t k = 0; k < p->assets; k++)
        printf("  %-10u %14.10g %12.8g %12.8g\n", (unsigned)k + 1, p->spot[k], p->volatility[k],
               p->dividend[k]);
    if (p->assets > 1)
        printf("  correlation: %s\n", deal->model.correlation_source
                                          ? cli_printable(deal->model.correlation_source)
                                          : "independent");
    printf("\n");
    print_results(r);
    price_print_bits(s, r->price, r->standard_error);
    printf("policy   from %s paths, by %u functions\n", cli_count(p->policy_paths),
           (unsigned)r->basis_functions);
    printf("bounds   lower from %s paths", cli_count(p->paths));
    if (has_upper(r))
        printf(", upper from %s, with %s from each time in the money", cli_count(p->outer_paths),
               cli_count(p->inner_paths));
    printf("\n");
    price_print_work(s, r->paths, r->paths, device);
}

static void json_bits(struct json *json, const bailey_american_result *r)
{
    json_open(json, "hex", '{');
    price_json_hex(json, "value", r->price);
    price_json_hex(json, "standard_error", r->standard_error);
    price_json_hex(json, "lower", r->lower);
    price_json_hex(json, "upper", r->upper);
    price_json_hex(json, "in_sample", r->in_sample);
    json_close(json, '}');
}

static void json_results(struct json *json, const bailey_american_result *r)
{
    json_open(json, "interval_95", '[');
    json_number(json, NULL, r->interval_low);
    json_number(json, NULL, r->interval_high);
    json_close(json, ']');
    json_number(json, "lower", r->lower);
    json_number(json, "lower_standard_error", r->lower_standard_error);
    json_number(json, "upper", r->upper);
    json_number(json, "upper_standard_error", r->upper_standard_error);
    json_number(json, "value", r->price);
    json_number(json, "standard_error", r->standard_error);
    json_number(json, "in_sample", r->in_sample);
    json_number(json, "in_sample_standard_error", r->in_sample_standard_error);
    json_flag(json, "exercise_now", r->exercise_now != 0);
    json_bits(json, r);
}

static void json_deal(struct json *json, const struct american_deal *deal)
{
    const bailey_american_params *p = &deal->params;
    json_text(json, "type", what(deal));
    json_number(json, "strike", p->strike);
    json_number(json, "rate", p->rate);
    json_count(json, "steps", p->exercise_count);
    json_number(json, "maturity", p->exercise_times[p->exercise_count - 1]);
    json_open(json, "assets", '[');
    for (uint32_t k = 0; k < p->assets; k++) {
        json_open(json, NULL, '{');
        json_number(json, "spot", p->spot[k]);
        json_number(json, "volatility", p->volatility[k]);
        json_number(json, "dividend", p->dividend[k]);
        json_close(json, '}');
    }
    json_close(json, ']');
    price_json_correlation(json, deal->model.correlation_source, deal->model.correlation, p->assets);
}

static void print_json(const struct american_deal *deal, const struct price_settings *s,
                       const bailey_american_result *r, const bailey_device *device)
{
    const bailey_american_params *p = &deal->params;
    struct json json = {0};
    json_open(&json, NULL, '{');
    json_results(&json, r);
    json_deal(&json, deal);
    json_open(&json, "warnings", '[');
    find_warnings(deal, s, r, price_warn_json, &json);
    json_close(&json, ']');
    json_count(&json, "paths", p->paths);
    json_count(&json, "policy_paths", p->policy_paths);
    json_count(&json, "outer_paths", p->outer_paths);
    json_count(&json, "inner_paths", p->inner_paths);
    json_count(&json, "functions", r->basis_functions);
    json_flag(&json, "antithetic", p->antithetic != 0);
    json_count(&json, "paths_in_all", r->paths);
    source_json(&json, &s->source);
    json_text(&json, "normal", option_word_of("normal_params", "method", s->normal.method));
    json_text(&json, "precision", option_precision(s->normal.precision));
    json_text(&json, "numerics", option_word_of("normal_params", "numerics", s->normal.numerics));
    price_json_device(&json, device);
    json_close(&json, '}');
}

void price_american_report(const struct american_deal *deal, const struct price_settings *s,
                           const bailey_american_result *r, const bailey_device *device, int json)
{
    find_warnings(deal, s, r, price_warn_print, NULL);
    if (json)
        print_json(deal, s, r, device);
    else
        print_report(deal, s, r, device);
}
