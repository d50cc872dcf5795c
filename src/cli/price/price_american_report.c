/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The report on an American option: its interval, because the price is known between two bounds only, and
 * both bounds.
 */
#include "price.h"
#include <cli/options/options.h>

#include <math.h>
#include <stdio.h>

static int has_upper(const bailey_american_result *r) { return !isnan(r->upper); }

static void warn(struct document *d, const struct american_model *american, const struct price_settings *s,
                 const bailey_american_result *r)
{
    const struct assets *assets = &american->model.assets;
    report_warn_of_time(d, american->model.times[american->model.steps - 1]);
    report_warn_of_percent(d, "rate", "", american->params.rate, 0.5);
    for (uint32_t k = 0; k < american->params.assets; k++) {
        const char *name = assets->count ? assets->name[k] : "";
        report_warn_of_percent(d, "volatility", name, american->volatility[k], 3);
        report_warn_of_percent(d, "dividend", name, american->dividend[k], 0.5);
    }
    report_warn_of_source(d, &s->run.source, s->run.paths);
    report_warn_of_nothing(d, r->lower);
}

static const char *what(const struct american_model *american)
{
    return american->params.type == BAILEY_OPTION_TYPE_PUT ? "put"
           : american->params.assets == 1                  ? "call"
                                                           : "max-call";
}

static void add_option(struct document *d, const struct american_model *american)
{
    const bailey_american_params *p = &american->params;
    const char *correlation = american->model.correlation_source;
    const double end = p->exercise_times[p->exercise_count - 1];
    document_line(d,
                  "Bermudan %s on %u asset%s, exercisable today or at %s times, the last in %.6g year%s\n"
                  "strike %.10g, rate %.10g\n\n  %-10s %14s %12s %12s",
                  what(american), (unsigned)p->assets, p->assets == 1 ? "" : "s",
                  cli_count(p->exercise_count), end, end == 1 ? "" : "s", p->strike, p->rate, "asset", "spot",
                  "volatility", "dividend");
    for (uint32_t k = 0; k < p->assets; k++)
        document_line(d, "  %-10u %14.10g %12.8g %12.8g", (unsigned)k + 1, p->spot[k], p->volatility[k],
                      p->dividend[k]);
    if (p->assets > 1)
        document_line(d, "  correlation: %s", correlation ? cli_printable(correlation) : "independent");
    document_gap(d);
    document_text(d, "product", american->model.name);
    document_open(d, "parameters", '{');
    document_fields(d, "american_params", p,
                    p->lower_only
                        ? "type assets spot volatility dividend strike rate exercise_times policy_paths "
                          "paths antithetic lower_only"
                        : "type assets spot volatility dividend strike rate exercise_times policy_paths "
                          "paths outer_paths inner_paths antithetic");
    document_close(d);
    document_count(d, "steps", p->exercise_count);
    document_number(d, "maturity", p->exercise_times[p->exercise_count - 1]);
    report_correlation(d, correlation, american->model.correlation, p->assets);
}

static void show(struct document *d, const char *label, const char *key, const char *error)
{
    report_show_estimate(d, document_open_object(d), key, error, label, 1);
}

/* The interval first: the middle of two bounds says nothing of how far they are apart. */
static void add_results(struct document *d, const bailey_american_result *r)
{
    char low[40];
    if (has_upper(r))
        report_interval(d, r->interval_low, r->interval_high);
    else
        document_line(d, "  %-26s %16s or more: no upper bound with --lower-only", "interval of 95 %",
                      document_money(low, sizeof low, r->interval_low));
    document_fields(d, "american_result", r, NULL);
    show(d, "lower bound", "lower", "lower_standard_error");
    if (has_upper(r)) {
        show(d, "upper bound", "upper", "upper_standard_error");
        show(d, "price", "price", "standard_error");
    }
    show(d, "in sample", "in_sample", "in_sample_standard_error");
    if (r->exercise_now) document_line(d, "\nImmediate exercise is optimal.");
}

static void add_bits(struct document *d, const struct price_settings *s, const bailey_american_result *r)
{
    const struct report_number numbers[] = {{"price", r->price},
                                            {"standard_error", r->standard_error},
                                            {"lower", r->lower},
                                            {"upper", r->upper},
                                            {"in_sample", r->in_sample}};
    report_bits(d, s->run.normal.numerics, numbers, sizeof numbers / sizeof *numbers);
}

static void add_work(struct document *d, const bailey_american_params *p, const struct price_settings *s,
                     const bailey_american_result *r)
{
    char upper[120] = "";
    if (has_upper(r))
        snprintf(upper, sizeof upper, ", upper from %s, with %s pairs from each time",
                 cli_count(p->outer_paths), cli_count(p->inner_paths));
    document_line(d, "policy   from %s paths, with %u basis functions", cli_count(p->policy_paths),
                  (unsigned)r->basis_functions);
    document_line(d, "bounds   lower from %s paths%s", cli_count(p->paths), upper);
    report_source(d, &s->run.source);
    report_normal(d, &s->run.source, &s->run.normal);
    report_paths(d, r->paths, s->run.replicates, r->paths, &s->run.source, &s->run.normal);
}

int price_american_report(const struct american_model *american, const struct price_settings *s,
                          const bailey_american_result *r, const bailey_device *device, int json)
{
    struct document *d = document_new();
    warn(d, american, s, r);
    add_option(d, american);
    add_results(d, r);
    add_bits(d, s, r);
    add_work(d, &american->params, s, r);
    report_show_device(d, device);
    const int code = document_print(d, json);
    document_free(d);
    return code;
}
