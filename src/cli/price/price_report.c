/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The report on a price: the model, the answer, and warnings of numbers that are allowed but probably not
 * meant.
 */
#include "price.h"
#include <cli/options/options.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

/* ---- Warnings ------------------------------------------------------------------------------------ */

static int is_percent(bailey_role role)
{
    return role == BAILEY_ROLE_RATE || role == BAILEY_ROLE_DIVIDEND || role == BAILEY_ROLE_VOLATILITY;
}

/* Values that the payoff's code does not call usual. */
static void warn_of_parameter(struct document *d, const struct price_model *m,
                              const struct price_parameter *p, const bailey_parameter *of)
{
    for (uint64_t i = 0; i < p->count; i++) {
        const char *name = *of->size && i < m->assets.count ? m->assets.name[i] : "";
        const double value = p->values[i];
        if (value >= of->usual.low && value <= of->usual.high &&
            !(of->usual.low_open && value == of->usual.low) &&
            !(of->usual.high_open && value == of->usual.high))
            continue;
        if (is_percent(of->role))
            report_warn_of_percent(d, p->name, name, value, 0);
        else
            document_warn(d, "%s%s%.200s is %.10g, usually %s%s", p->name, *name ? " of " : "", name, value,
                          of->usual_words,
                          of->role == BAILEY_ROLE_VARIANCE ? "; of a volatility of 0.2 it is 0.04" : "");
    }
}

static void warn_of_target(struct document *d, const struct price_settings *s, const struct price_outcome *o)
{
    char error[64];
    const double target = o->target > 0 ? o->target : s->target;
    if (!(s->target > 0) || o->reached) return;
    if (o->biased) {
        document_warn(
            d,
            "the error is above %.4g, because the discretisation bias is about %.4g, known to %.4g%s; "
            "more --steps or --substeps make it smaller",
            s->target, o->bias[o->price].mean, o->bias[o->price].standard_error,
            isnan(o->bias[o->price].interval_high)                                      ? ", and not resolved"
            : o->bias[o->price].interval_high > fabs(o->bias[o->price].mean) ? ", and larger by coarser paths"
                                                                             : "");
        return;
    }
    const double last = o->run[o->runs - 1].error;
    snprintf(error, sizeof error, isnan(last) ? "not known" : "%.4g", last);
    document_warn(d, "the standard error is %s after %s paths%s, above %.4g%s; --paths is the limit", error,
                  cli_count(o->paths), s->run.replicates > 1 ? " of each replicate" : "", target,
                  last <= target ? " with certainty, because there are few replicates" : "");
}

void price_report_warnings(struct document *d, const struct price_settings *s, const struct price_model *m,
                           const struct price_outcome *o)
{
    const bailey_description *of = bailey_simulation_description(m->simulation);
    if (!m->needs.normals) report_warn_of_time(d, m->times[m->steps - 1]);
    for (size_t i = 0; i < m->parameter_count; i++)
        warn_of_parameter(d, m, &m->parameters[i], &of->parameters[i]);
    report_warn_of_source(d, &s->run.source, o->paths);
    warn_of_target(d, s, o);
    if (isnan(o->estimate[o->price].controlled_standard_error) && s->run.replicates > 1)
        document_warn(d, "the standard error is unknown: all replicates have the same mean although paths "
                         "differ; use more --paths, or random numbers");
    report_warn_of_nothing(d, o->estimate[o->price].mean);
}

/* ---- The model ----------------------------------------------------------------------------------- */

static const char *construction(const struct price_model *m)
{
    return option_word_of("bridge_params", "construction", m->construction);
}

/* "european: 1 step, the last in 1 year, 1 dimension, construction bisection" */
static void add_heading(struct document *d, const struct price_model *m)
{
    char times[100], last[64] = "", made[64] = "", under[200] = "";
    if (m->model_name) snprintf(under, sizeof under, " under %s", cli_printable(m->model_name));
    if (m->motion_depth)
        snprintf(times, sizeof times, "2^%u ticks", (unsigned)m->motion_depth);
    else
        snprintf(times, sizeof times, "%s step%s", cli_count(m->steps), plural(m->steps));
    if (!m->needs.normals) {
        const double end = m->times[m->steps - 1];
        snprintf(last, sizeof last, ", the last in %.6g year%s", end, end == 1 ? "" : "s");
    }
    if (!m->motion_depth) snprintf(made, sizeof made, ", construction %s", construction(m));
    document_line(d, "%s%s%s: %s%s, %u dimension%s%s\n", m->text ? "payoff " : "", cli_printable(m->name),
                  under, times, last, (unsigned)m->dims, plural(m->dims), made);
}

static void add_parameter(struct document *d, const struct price_parameter *p)
{
    struct item *item = p->count == 1 ? document_number(d, p->name, p->values[0])
                                      : document_numbers(d, p->name, p->values, p->count);
    document_show(d, item, p->name, FORM_PLAIN);
}

static void add_assets(struct document *d, const struct assets *assets)
{
    if (!assets->count) return;
    document_show(d, document_open(d, "assets", '['), "assets", FORM_PLAIN);
    for (uint32_t i = 0; i < assets->count; i++) document_text(d, NULL, assets->name[i]);
    document_close(d);
}

static void add_model(struct document *d, const struct price_model *m)
{
    add_heading(d, m);
    document_text(d, m->text ? "payoff" : "product", m->name);
    if (m->model_name) document_text(d, "model", m->model_name);
    add_assets(d, &m->assets);
    document_open(d, "parameters", '{');
    for (size_t i = 0; i < m->parameter_count; i++) add_parameter(d, &m->parameters[i]);
    document_close(d);
    document_count(d, "steps", m->steps);
    document_count(d, "motion_depth", m->motion_depth);
    document_number(d, "first_time", m->times[0]);
    document_number(d, "maturity", m->times[m->steps - 1]);
    document_count(d, "dims", m->dims);
    document_text(d, "construction", construction(m));
    report_correlation(d, m->correlation_source, m->correlation, m->dims);
    if (m->dims > 1 && !m->needs.independent)
        document_line(d, "  %-26s %s", "correlation",
                      m->correlation_source ? cli_printable(m->correlation_source) : "independent");
    document_gap(d);
}

/* ---- Estimates ----------------------------------------------------------------------------------- */

/* A check of the estimate, and of the model's parameters. */
static void add_expected(struct document *d, double expected, const bailey_estimate *e)
{
    char money[40], off[80] = "";
    if (e->standard_error > 0)
        snprintf(off, sizeof off, "  off by %.2f standard errors", (e->mean - expected) / e->standard_error);
    document_line(d, "  %-26s %16s%s", "  expected", document_money(money, sizeof money, expected), off);
}

static void add_closed_form(struct document *d, double price, const bailey_estimate *e)
{
    char money[40], off[80] = "";
    if (isnan(price)) return;
    document_number(d, "closed_form", price);
    if (e->controlled_standard_error > 0)
        snprintf(off, sizeof off, "  off by %.2f standard errors",
                 (e->controlled - price) / e->controlled_standard_error);
    document_line(d, "  %-26s %16s%s", "  closed form", document_money(money, sizeof money, price), off);
}

static void add_output(struct document *d, const struct price_settings *s, const struct price_outcome *o,
                       uint32_t i)
{
    const bailey_estimate *e = &o->estimate[i];
    struct item *output = document_open(d, NULL, '{');
    document_text(d, "name", o->name[i]);
    document_number(d, "expected", o->expected[i]);
    document_fields(d, "estimate", e, REPORT_ESTIMATE);
    report_show_estimate(d, output, "mean", "standard_error", o->name[i], s->run.replicates);
    if (!isnan(o->expected[i])) {
        add_expected(d, o->expected[i], e);
    } else {
        if (o->controls)
            report_show_estimate(d, output, "controlled", "controlled_standard_error",
                                 "  with control variate", s->run.replicates);
        report_interval(d, e->interval_low, o->is_bound && i == o->price ? o->most : e->interval_high);
        if (i == o->price) add_closed_form(d, o->closed_form, e);
    }
    document_close(d);
}

void price_report_outputs(struct document *d, const struct price_settings *s, const struct price_outcome *o)
{
    document_open(d, "outputs", '[');
    for (uint32_t i = 0; i < o->outputs; i++) add_output(d, s, o, i);
    document_close(d);
}

static void add_bias_bound(struct document *d, const bailey_estimate *bias)
{
    char money[40];
    if (!bias->paths || isnan(bias->interval_high))
        document_line(d, "  The discretisation bias is not resolved: use more --steps or --substeps.");
    else if (bias->interval_high > fabs(bias->mean))
        document_line(d, "  %-26s %16s", "  as coarser paths say, at most",
                      document_money(money, sizeof money, bias->interval_high));
}

/* What half of the steps, or twice the tolerance, change on the same paths. */
static void add_bias(struct document *d, const bailey_estimate *bias)
{
    struct item *item = document_number(d, "bias", bias->paths ? bias->mean : NAN);
    const struct item *error =
        document_number(d, "bias_standard_error", bias->paths ? bias->standard_error : NAN);
    document_number(d, "bias_bound", bias->paths ? bias->interval_high : NAN);
    if (bias->paths) document_show(d, item, "discretisation bias, about", FORM_MONEY)->error = error;
    add_bias_bound(d, bias);
    document_line(d, "  The standard error of the price does not include the discretisation bias.");
}

/* Whether a built-in model is under a product: what other code does is not known. */
static int is_composed(const struct price_model *m)
{
    const char *name;
    if (m->text || m->model_text) return 0;
    for (size_t i = 0; !m->model_name && (name = bailey_payoff_name(i)); i++)
        if (!strcmp(name, m->name)) return 0;
    return 1;
}

static void add_no_bias(struct document *d)
{
    document_number(d, "bias", 0);
    document_number(d, "bias_standard_error", 0);
    document_number(d, "bias_bound", 0);
    document_line(d, "  The steps of the model are exact: there is no discretisation bias.");
}

static void add_bits(struct document *d, const struct price_settings *s, const bailey_estimate *e)
{
    const struct report_number numbers[] = {{"mean", e->mean}, {"standard_error", e->standard_error}};
    if (isnan(e->standard_error) && s->run.replicates < 2)
        document_line(d,
                      "\nNo standard error: points of one replicate are not independent. See --replicates.");
    report_bits(d, s->run.normal.numerics, numbers, 2);
}

/* ---- The run ------------------------------------------------------------------------------------- */

void price_report_target(struct document *d, const struct price_settings *s, const struct price_outcome *o)
{
    document_line(d, "target   %s of at most %.6g: %s",
                  o->target > 0 && o->target < s->target ? "error with the bias" : "standard error",
                  s->target,
                  o->reached  ? "reached"
                  : o->biased ? "not reached"
                              : "not reached within --paths");
    document_open(d, "target", '{');
    document_number(d, "standard_error", s->target);
    document_flag(d, "reached", o->reached);
    document_open(d, "runs", '[');
    for (unsigned i = 0; i < o->runs; i++) {
        document_line(d, isnan(o->run[i].error) ? "  %-6s %s paths: not known" : "  %-6s %s paths: %.4g",
                      i ? "then" : "pilot", cli_count(o->run[i].paths), o->run[i].error);
        document_open(d, NULL, '{');
        document_count(d, "paths", o->run[i].paths);
        document_number(d, "standard_error", o->run[i].error);
        document_close(d);
    }
    document_close(d);
    document_close(d);
}

static void add_settings(struct document *d, const struct price_settings *s, const struct price_outcome *o)
{
    const bailey_simulation_run_params run = price_run_params(s, o, o->paths);
    const uint64_t paths = o->estimate[o->price].paths;
    if (s->run.sum == BAILEY_SUM_FIXED)
        document_line(d, "sums     in integers, for outputs up to %.10g", s->run.sum_limit);
    document_count(d, "paths", paths);
    document_fields(d, "simulation_run_params", &run, "replicates antithetic sum sum_limit");
    report_source(d, &s->run.source);
    report_normal(d, &s->run.source, &s->run.normal);
    report_paths(d, paths, s->run.replicates, o->paths, &s->run.source, &s->run.normal);
}

static double part_of(const struct price_outcome *o, size_t share)
{
    uint64_t all = 0;
    for (size_t i = 0; i < o->shares; i++) all += o->share[i].paths;
    return all ? (double)o->share[share].paths / (double)all : 0;
}

static void add_share(struct document *d, const struct price_outcome *o, size_t i)
{
    const struct price_share *share = &o->share[i];
    document_line(d, "share    %s: %.1f %% of the paths%s", share->who, 100 * part_of(o, i),
                  share->failed ? ", until it failed" : "");
    document_open(d, NULL, '{');
    document_text(d, "device", share->who);
    document_text(d, "device_name", share->name);
    document_count(d, "paths", share->paths);
    document_number(d, "share", part_of(o, i));
    document_number(d, "seconds", share->seconds);
    document_flag(d, "failed", share->failed);
    document_close(d);
}

static void add_shares(struct document *d, const struct price_outcome *o)
{
    if (!o->shares && !o->loaded) return;
    if (o->loaded) document_line(d, "loaded   %s paths from --checkpoint", cli_count(o->loaded));
    document_count(d, "loaded_paths", o->loaded);
    document_open(d, "devices", '[');
    for (size_t i = 0; i < o->shares; i++) add_share(d, o, i);
    document_close(d);
}

static void add_report(struct document *d, const struct price_settings *s, const struct price_model *m,
                       const struct price_outcome *o, const bailey_device *device)
{
    const bailey_estimate *e = &o->estimate[o->price];
    document_fields(d, "estimate", e, REPORT_ESTIMATE);
    add_model(d, m);
    price_report_outputs(d, s, o);
    price_exercise_report(d, m);
    if (bailey_simulation_is_discretised(m->held ? m->held : m->simulation))
        add_bias(d, &o->bias[o->price]);
    else if (is_composed(m))
        add_no_bias(d);
    if (o->risk) price_risk_report(d, o->risk, m);
    if (o->gradient) price_gradient_report(d, o->gradient, m);
    add_bits(d, s, e);
    if (s->target > 0)
        price_report_target(d, s, o);
    else
        document_text(d, "target", NULL);
    add_settings(d, s, o);
    report_show_device(d, device);
    add_shares(d, o);
}

int price_report(const struct arguments *a, const struct price_settings *s, const struct price_model *m,
                 const struct price_outcome *o, const bailey_device *device)
{
    struct document *d = document_new();
    price_report_warnings(d, s, m, o);
    add_report(d, s, m, o, device);
    const int code = document_print(d, a->value[JSON] != NULL);
    document_free(d);
    return code;
}
