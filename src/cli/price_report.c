/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "price_common.h"
#include "price_risk.h"
#include "price_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

/* ---- Warnings ---- */

static int is_percent(bailey_role role)
{
    return role == BAILEY_ROLE_RATE || role == BAILEY_ROLE_DIVIDEND || role == BAILEY_ROLE_VOLATILITY;
}

/* Values that the payoff's code does not call usual. */
static void warn_of_parameter(const struct price_model *m, const struct price_parameter *p,
                              const bailey_parameter *d, price_warning warn, void *user)
{
    char text[400];
    for (uint64_t i = 0; i < p->count; i++) {
        const char *name = *d->size && i < m->assets.count ? m->assets.name[i] : "";
        const double value = p->values[i];
        if (value >= d->usual.low && value <= d->usual.high &&
            !(d->usual.low_open && value == d->usual.low) && !(d->usual.high_open && value == d->usual.high))
            continue;
        if (is_percent(d->role)) {
            price_warn_of_percent(p->name, name, value, 0, warn, user);
            continue;
        }
        snprintf(text, sizeof text, "%s%s%.200s is %.10g, usually %s%s", p->name, *name ? " of " : "", name,
                 value, d->usual_words,
                 d->role == BAILEY_ROLE_VARIANCE ? "; of a volatility of 0.2 it is 0.04" : "");
        warn(user, text);
    }
}

static void warn_of_target(const struct price_settings *s, const struct price_outcome *o, price_warning warn,
                           void *user)
{
    char text[400], error[64];
    if (!(s->target > 0) || o->reached) return;
    const double last = o->run[o->runs - 1].error;
    snprintf(error, sizeof error, isnan(last) ? "not known" : "%.4g", last);
    snprintf(text, sizeof text,
             "the standard error is %s after %s paths%s, not at most %.4g%s; --paths is the limit", error,
             cli_count(o->paths), s->replicates > 1 ? " of each replicate" : "", s->target,
             last <= s->target ? " for certain, as there are few replicates" : "");
    warn(user, text);
}

static void find_warnings(const struct price_settings *s, const struct price_model *m,
                          const struct price_outcome *o, price_warning warn, void *user)
{
    const bailey_description *d = bailey_simulation_description(m->simulation);
    if (!(m->needs.normals)) price_warn_of_time("the maturity", m->times[m->steps - 1], warn, user);
    for (size_t i = 0; i < m->parameter_count; i++)
        warn_of_parameter(m, &m->parameters[i], &d->parameters[i], warn, user);
    price_warn_of_source(&s->source, o->paths, warn, user);
    warn_of_target(s, o, warn, user);
    price_warn_of_error(o->estimate[o->price].controlled_standard_error, s->replicates, warn, user);
    price_warn_of_nothing(o->estimate[o->price].mean, warn, user);
}

/* ---- For people ---- */

static void print_parameter(const struct price_parameter *p)
{
    enum { MOST = 8 };
    printf("  %-26s", p->name);
    for (uint64_t i = 0; i < p->count && i < MOST; i++) printf("%s%.10g", i ? ", " : " ", p->values[i]);
    printf(p->count > MOST ? ", ... (%llu numbers)\n" : "\n", (unsigned long long)p->count);
}

static void print_names(const struct assets *assets)
{
    for (uint32_t i = 0; i < assets->count; i++)
        printf(i ? ", %s" : "  assets                      %s", cli_printable(assets->name[i]));
    if (assets->count) printf("\n");
}

static void print_model(const struct price_model *m)
{
    const char *what = m->product ? "" : "payoff ", *name = cli_printable(m->name);
    if (m->levels)
        printf("%s%s: 2^%u ticks", what, name, (unsigned)m->levels);
    else
        printf("%s%s: %s step%s", what, name, cli_count(m->steps), plural(m->steps));
    if (!(m->needs.normals)) printf(", the last in %.6g years", m->times[m->steps - 1]);
    printf(", %u dimension%s", (unsigned)m->dims, plural(m->dims));
    if (!m->levels) printf(", construction %s", price_constructions[m->construction]);
    printf("\n\n");
    print_names(&m->assets);
    for (size_t i = 0; i < m->parameter_count; i++) print_parameter(&m->parameters[i]);
    if (m->dims > 1 && !(m->needs.normals))
        printf("  %-26s %s\n", "correlation",
               m->correlation_source ? cli_printable(m->correlation_source) : "independent");
    printf("\n");
}

/* A check of the estimate, and of the model's parameters. */
static void print_expected(double expected, const bailey_estimate *e)
{
    printf("  %-26s", "  expected");
    price_print_money(" ", 16, expected);
    if (e->standard_error > 0)
        printf("  off by %.2f standard errors\n", (e->mean - expected) / e->standard_error);
    else
        printf("\n");
}

static void print_outputs(const struct price_settings *s, const struct price_outcome *o)
{
    for (uint32_t i = 0; i < o->outputs; i++) {
        const bailey_estimate *e = &o->estimate[i];
        price_print_estimate(cli_printable(o->name[i]), e->mean, e->standard_error, s->replicates);
        if (!isnan(o->expected[i]))
            print_expected(o->expected[i], e);
        else if (o->controls)
            price_print_estimate("  with control variate", e->controlled, e->controlled_standard_error,
                                 s->replicates);
        if (isnan(o->expected[i])) price_print_interval(e->interval_low, e->interval_high);
    }
}

static void print_target(const struct price_settings *s, const struct price_outcome *o)
{
    if (!(s->target > 0)) return;
    printf("target   standard error of at most %.6g: %s\n", s->target,
           o->reached ? "reached" : "not reached within --paths");
    for (unsigned i = 0; i < o->runs; i++)
        printf(isnan(o->run[i].error) ? "  %-6s %s paths: not known\n" : "  %-6s %s paths: %.4g\n",
               i ? "then" : "pilot", cli_count(o->run[i].paths), o->run[i].error);
}

static double part_of(const struct price_outcome *o, size_t share)
{
    uint64_t all = 0;
    for (size_t i = 0; i < o->shares; i++) all += o->share[i].paths;
    return all ? (double)o->share[share].paths / (double)all : 0;
}

static void print_shares(const struct price_outcome *o)
{
    if (o->loaded) printf("loaded   %s paths from --checkpoint\n", cli_count(o->loaded));
    for (size_t i = 0; i < o->shares; i++)
        printf("share    %s: %.1f %% of the paths%s\n", o->share[i].who, 100 * part_of(o, i),
               o->share[i].failed ? ", until it failed" : "");
}

/* What half of the steps, or twice the tolerance, change on the same paths. */
static void print_bias(const bailey_estimate *bias)
{
    if (bias->paths) price_print_line("discretisation bias, about", bias->mean, bias->standard_error);
    printf("  The standard error of the price leaves the bias of its discretisation out.\n");
}

static void print_report(const struct price_settings *s, const struct price_model *m,
                         const struct price_outcome *o, const bailey_device *device)
{
    const bailey_estimate *e = &o->estimate[o->price];
    print_model(m);
    print_outputs(s, o);
    if (bailey_simulation_is_discretised(m->simulation)) print_bias(&o->bias[o->price]);
    if (o->risk) price_risk_print(o->risk, m);
    price_print_why(e->standard_error, s->replicates);
    price_print_bits(s, e->mean, e->standard_error);
    print_target(s, o);
    if (s->sum == BAILEY_SUM_FIXED)
        printf("sums     in whole numbers, of outputs up to %.10g\n", s->sum_limit);
    price_print_work(s, e->paths, o->paths, device);
    print_shares(o);
}

/* ---- For machines ---- */

static void json_output(struct json *json, const struct price_outcome *o, uint32_t i)
{
    const bailey_estimate *e = &o->estimate[i];
    const int controlled = o->controls && isnan(o->expected[i]);
    json_open(json, NULL, '{');
    json_text(json, "name", o->name[i]);
    json_number(json, "value", e->mean);
    json_number(json, "standard_error", e->standard_error);
    json_number(json, "expected", o->expected[i]);
    json_number(json, "controlled_value", controlled ? e->controlled : NAN);
    json_number(json, "controlled_standard_error", controlled ? e->controlled_standard_error : NAN);
    price_json_interval(json, e->interval_low, e->interval_high);
    json_number(json, "variance", e->variance);
    json_close(json, '}');
}

void price_json_outputs(struct json *json, const struct price_outcome *o)
{
    const bailey_estimate *e = &o->estimate[o->price];
    json_number(json, "value", e->mean);
    json_number(json, "standard_error", e->standard_error);
    json_number(json, "controlled_value", o->controls ? e->controlled : NAN);
    json_number(json, "controlled_standard_error", o->controls ? e->controlled_standard_error : NAN);
    price_json_interval(json, e->interval_low, e->interval_high);
    json_open(json, "outputs", '[');
    for (uint32_t i = 0; i < o->outputs; i++) json_output(json, o, i);
    json_close(json, ']');
}

static void json_bits(struct json *json, const struct price_outcome *o)
{
    const bailey_estimate *e = &o->estimate[o->price];
    json_open(json, "hex", '{');
    price_json_hex(json, "value", e->mean);
    price_json_hex(json, "standard_error", e->standard_error);
    json_close(json, '}');
}

static void json_parameter(struct json *json, const struct price_parameter *p)
{
    if (p->count == 1) {
        json_number(json, p->name, p->values[0]);
        return;
    }
    json_open(json, p->name, '[');
    for (uint64_t i = 0; i < p->count; i++) json_number(json, NULL, p->values[i]);
    json_close(json, ']');
}

static void json_model(struct json *json, const struct price_model *m)
{
    json_text(json, m->product ? "product" : "payoff", m->name);
    if (m->assets.count) {
        json_open(json, "assets", '[');
        for (uint32_t i = 0; i < m->assets.count; i++) json_text(json, NULL, m->assets.name[i]);
        json_close(json, ']');
    }
    json_open(json, "parameters", '{');
    for (size_t i = 0; i < m->parameter_count; i++) json_parameter(json, &m->parameters[i]);
    json_close(json, '}');
    json_count(json, "steps", m->steps);
    json_count(json, "levels", m->levels);
    json_number(json, "first_time", m->times[0]);
    json_number(json, "maturity", m->times[m->steps - 1]);
    json_count(json, "dims", m->dims);
    json_text(json, "construction", price_constructions[m->construction]);
    price_json_correlation(json, m->correlation_source, m->correlation, (uint32_t)m->dims);
}

void price_json_target(struct json *json, const struct price_settings *s, const struct price_outcome *o)
{
    if (!(s->target > 0)) {
        json_number(json, "target", NAN);
        return;
    }
    json_open(json, "target", '{');
    json_number(json, "standard_error", s->target);
    json_flag(json, "reached", o->reached);
    json_open(json, "runs", '[');
    for (unsigned i = 0; i < o->runs; i++) {
        json_open(json, NULL, '{');
        json_count(json, "paths", o->run[i].paths);
        json_number(json, "standard_error", o->run[i].error);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

static void json_settings(struct json *json, const struct price_settings *s, const struct price_outcome *o)
{
    json_count(json, "paths", o->estimate[0].paths);
    json_count(json, "replicates", s->replicates);
    json_flag(json, "antithetic", s->antithetic);
    source_json(json, &s->source);
    json_text(json, "normal", option_word_of("normal_params", "method", s->normal.method));
    json_text(json, "precision", option_precision(s->normal.precision));
    json_count(json, "word_bits", source_bits(&s->source, &s->normal));
    json_text(json, "numerics", option_word_of("normal_params", "numerics", s->normal.numerics));
    json_text(json, "sum", price_sums[s->sum]);
    json_number(json, "sum_limit", s->sum == BAILEY_SUM_FIXED ? s->sum_limit : NAN);
}

static void json_shares(struct json *json, const struct price_outcome *o)
{
    json_count(json, "loaded_paths", o->loaded);
    json_open(json, "devices", '[');
    for (size_t i = 0; i < o->shares; i++) {
        json_open(json, NULL, '{');
        json_text(json, "device", o->share[i].who);
        if (o->share[i].name) json_text(json, "device_name", o->share[i].name);
        json_count(json, "paths", o->share[i].paths);
        json_number(json, "share", part_of(o, i));
        json_number(json, "seconds", o->share[i].seconds);
        json_flag(json, "failed", o->share[i].failed);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void count_warning(void *user, const char *text)
{
    (void)text;
    ++*(int *)user;
}

void price_json_warnings(struct json *json, const struct price_settings *s, const struct price_model *m,
                         const struct price_outcome *o, int always)
{
    int count = 0;
    find_warnings(s, m, o, count_warning, &count);
    if (!count && !always) return;
    json_open(json, "warnings", '[');
    find_warnings(s, m, o, price_warn_json, json);
    json_close(json, ']');
}

static void print_json(const struct price_settings *s, const struct price_model *m,
                       const struct price_outcome *o, const bailey_device *device)
{
    struct json json = {0};
    json_open(&json, NULL, '{');
    price_json_outputs(&json, o);
    if (o->risk) price_risk_json(&json, o->risk);
    json_bits(&json, o);
    if (bailey_simulation_is_discretised(m->simulation)) {
        json_number(&json, "bias", o->bias[o->price].paths ? o->bias[o->price].mean : NAN);
        json_number(&json, "bias_standard_error",
                    o->bias[o->price].paths ? o->bias[o->price].standard_error : NAN);
    }
    json_model(&json, m);
    price_json_target(&json, s, o);
    price_json_warnings(&json, s, m, o, 1);
    json_settings(&json, s, o);
    if (o->shares || o->loaded) json_shares(&json, o);
    price_json_device(&json, device);
    json_close(&json, '}');
}

void price_report(const struct arguments *a, const struct price_settings *s, const struct price_model *m,
                  const struct price_outcome *o, const bailey_device *device)
{
    find_warnings(s, m, o, price_warn_print, NULL);
    if (a->value[JSON])
        print_json(s, m, o, device);
    else
        print_report(s, m, o, device);
}
