/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Early exercise of a payoff whose code has `exercise`: a policy is estimated first, and an upper bound of the
 * price; all that is run then is the payoff under the policy.
 */
#include "price.h"

#include <cli/io/io.h>

#include <math.h>
#include <stdio.h>

static int is_given(const struct arguments *a, int option)
{
    return a->command->options == price_payoff_options && a->value[option] != NULL;
}

/* Its paths are of another stream than those of the price; without points, which are not independent. */
static bailey_source source_of(const struct price_settings *s)
{
    const bailey_source plain = {.seed = s->run.source.seed};
    bailey_source source = source_is_points(&s->run.source) ? plain : s->run.source;
    source.stream = s->run.source.stream + s->run.replicates;
    return source;
}

/* Most paths of the run that finds where the martingale of the upper bound begins. */
#define BOUND_PATHS (UINT64_C(1) << 20)

int price_exercise_params(const struct arguments *a, const struct price_settings *s, bailey_exercise_params *params)
{
    *params = (bailey_exercise_params){
        .source = source_of(s), .normal = s->run.normal, .outside = !is_given(a, EXERCISE_LOWER_ONLY)};
    return options_read_fields(a, "exercise_params", params);
}

static int estimate(const struct arguments *a, const struct price_settings *s, struct price_model *m)
{
    struct cli_progress progress;
    bailey_exercise_params params;
    bailey_simulation *policy;
    const int code = price_exercise_params(a, s, &params);
    if (code) return code;
    if (!s->quiet) {
        params.progress = price_progress;
        params.progress_user = &progress;
        cli_progress_start(&progress, "paths");
    }
    const bailey_status status = bailey_exercise_find(m->simulation, &params, &m->policy, &policy);
    if (!s->quiet) cli_progress_end(&progress);
    if (status != BAILEY_OK) return price_check(status, a, m);
    m->policy_paths = params.paths ? params.paths : price_policy_paths();
    m->held = m->simulation;
    m->simulation = policy;
    return CLI_OK;
}

uint64_t price_policy_paths(void)
{
    return (uint64_t)bailey_record_field(bailey_describe("exercise_params"), "paths")->default_value;
}

int price_exercise(const struct arguments *a, const struct price_settings *s, struct price_model *m)
{
    static const int options[] = {EXERCISE_PATHS, EXERCISE_EVERY,   EXERCISE_MEMORY,    EXERCISE_OUTER,
                                  EXERCISE_INNER, EXERCISE_HORIZON, EXERCISE_LOWER_ONLY};
    m->bounds.upper = NAN;
    const bailey_description *d = bailey_simulation_description(m->simulation);
    if (d && d->exercises) return estimate(a, s, m);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (is_given(a, options[i]))
            return cli_error(CLI_USAGE, "%s: %s has no function exercise",
                             price_payoff_options[options[i]].name, m->name);
    return CLI_OK;
}

/* The report says how many there are. */
static void fill_counts(bailey_exercise_bounds_params *p)
{
    const bailey_record *r = bailey_describe("exercise_bounds_params");
    if (!p->outer_paths) p->outer_paths = (uint64_t)bailey_record_field(r, "outer_paths")->default_value;
    if (!p->inner_paths) p->inner_paths = (uint64_t)bailey_record_field(r, "inner_paths")->default_value;
    if (!p->horizon) p->horizon = (uint32_t)bailey_record_field(r, "horizon")->default_value;
}

static int refuse_lower_only(const struct arguments *a)
{
    static const int options[] = {EXERCISE_OUTER, EXERCISE_INNER, EXERCISE_HORIZON};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (is_given(a, options[i]))
            return cli_error(CLI_USAGE, "%s: there is no upper bound with --lower-only",
                             price_payoff_options[options[i]].name);
    return CLI_OK;
}

/* Paths of too many dimensions have no upper bound. */
int price_exercise_bound(const struct arguments *a, const struct price_settings *s, struct price_model *m)
{
    struct cli_progress progress;
    bailey_exercise_bounds_params *p = &m->bounds_params;
    const uint64_t paths = s->run.paths * s->run.replicates;
    if (!m->held) return CLI_OK;
    if (is_given(a, EXERCISE_LOWER_ONLY)) return refuse_lower_only(a);
    *p = (bailey_exercise_bounds_params){.paths = paths < BOUND_PATHS ? paths : BOUND_PATHS,
                                         .antithetic = s->run.antithetic,
                                         .source = source_of(s),
                                         .normal = s->run.normal};
    p->source.stream++;
    const int code = options_read_fields(a, "exercise_bounds_params", p);
    if (code) return code;
    fill_counts(p);
    if (!s->quiet) {
        p->progress = price_progress;
        p->progress_user = &progress;
        cli_progress_start(&progress, "steps");
    }
    const bailey_status status = bailey_exercise_bound(m->simulation, p, &m->bounds);
    if (!s->quiet) cli_progress_end(&progress);
    return status == BAILEY_ERROR_UNSUPPORTED ? CLI_OK : price_check(status, a, m);
}

void price_exercise_end(struct price_model *m)
{
    if (!m->held) return;
    bailey_simulation_destroy(m->simulation);
    m->simulation = m->held;
    m->held = NULL;
}

static void add_functions(struct document *d, const struct price_model *m)
{
    char line[1024];
    size_t used = 0;
    document_open(d, "functions", '[');
    for (size_t i = 0; bailey_exercise_function(m->simulation, i) && used < sizeof line; i++) {
        const char *name = bailey_exercise_function(m->simulation, i);
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%s", i ? ", " : "", name);
        document_text(d, NULL, name);
    }
    document_close(d);
    document_line(d, "  %-26s %s", "regression functions", line);
}

static void add_upper(struct document *d, const struct price_model *m)
{
    const bailey_exercise_bounds *r = &m->bounds;
    if (isnan(r->upper)) return;
    document_fields(d, "exercise_bounds_params", &m->bounds_params, "outer_paths inner_paths horizon");
    struct item *upper = document_number(d, "upper", r->upper);
    const struct item *error = document_number(d, "upper_standard_error", r->upper_standard_error);
    document_show(d, upper, "upper bound", FORM_MONEY)->error = error;
    document_number(d, "interval_high", r->interval_high);
}

void price_exercise_report(struct document *d, const struct price_model *m)
{
    const bailey_exercise_result *r = &m->policy;
    if (!m->held) return;
    document_open(d, "exercise", '{');
    document_fields(d, "exercise_result", r, "dates regressions least_used condition");
    document_count(d, "policy_paths", m->policy_paths);
    add_upper(d, m);
    struct item *in_sample = document_number(d, "in_sample", r->in_sample);
    const struct item *error = document_number(d, "in_sample_standard_error", r->in_sample_standard_error);
    document_show(d, in_sample, "in sample", FORM_MONEY)->error = error;
    document_line(d, "  The price is a lower bound: the value of an exercise policy on other paths.");
    if (!isnan(m->bounds.upper))
        document_line(d, "  %-26s from %s paths, with %s pairs of inner paths of %u dates", "upper bound",
                      cli_count(m->bounds_params.outer_paths), cli_count(m->bounds_params.inner_paths),
                      (unsigned)m->bounds_params.horizon);
    document_line(d, "  %-26s from %s paths, at %u of %u dates; condition %.3g", "policy",
                  cli_count(m->policy_paths), (unsigned)r->regressions, (unsigned)r->dates, r->condition);
    add_functions(d, m);
    document_close(d);
}
