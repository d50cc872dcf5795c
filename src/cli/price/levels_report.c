/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The report of `bailey mlmc`: the answer first, then what was estimated of the levels.
 */
#include "price.h"

#include <cli/options/options.h>

#include <stdio.h>
#include <string.h>

/* Reasons to doubt an estimate in spite of its error: each warning says what to change. */
static void warn(struct document *d, const struct mlmc_view *v)
{
    const bailey_mlmc_report *p = v->report;
    if (p->samples && v->test->samples && p->samples != v->test->samples)
        cli_error(CLI_OK, "note: --test-samples: using %llu, the next multiple of 32",
                  (unsigned long long)p->samples);
    if (p->kurtosis_warning)
        document_warn(d,
                      "the kurtosis on level %u is %.3g: variances of few samples are unreliable; see "
                      "--initial-samples",
                      p->levels - 1, p->level[p->levels - 1].kurtosis);
    if (p->check_warning)
        document_warn(d, "the consistency check exceeds 1: coarse payoffs are distributed differently from "
                         "the fine ones of the level below");
    for (uint32_t i = 0; i < p->runs; i++) {
        const bailey_mlmc_result *result = &p->run[i].result;
        if (result->reason == BAILEY_MLMC_REASON_BIAS)
            document_warn(d, "eps %g: the bias is %.3g on the last level, %u; see --max-level", p->run[i].eps,
                          result->bias, result->levels - 1);
        else if (!result->converged)
            document_warn(d, "eps %g: not converged: %s", p->run[i].eps,
                          bailey_mlmc_reason_message(result->reason));
    }
}

/* Samples of levels in one line each, as there are as many numbers as levels, which no table has room for. */
static void add_samples(struct document *d, const char *what, double eps, const bailey_mlmc_level *level,
                        uint32_t levels)
{
    char text[1000] = "";
    for (uint32_t l = 0; l < levels; l++) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", l ? ", " : "", cli_count(level[l].samples));
    }
    document_line(d, "%-11s of levels 0, 1, ... for eps %g: %s", what, eps, text);
}

/* What --approximate auto has chosen, and why: costs to equal error of the kinds that were examined. */
static void add_choices(struct document *d, double eps, const bailey_mlmc_result *r)
{
    const bailey_field *kinds = bailey_record_field(bailey_describe("mlmc_choice"), "approximate");
    int any = 0;
    for (uint32_t l = 0; l < r->choices; l++) {
        const bailey_mlmc_choice *c = &r->choice[l];
        const double number[] = {c->constant, c->dyadic, c->half, c->half_dyadic};
        char text[400] = "";
        for (int k = 0; k < 4; k++) {
            const size_t used = strlen(text);
            if (number[k] > 0)
                snprintf(text + used, sizeof text - used, "%s%s %.3g", used ? ", " : "",
                         kinds->choices[k + 1].name, number[k]);
        }
        any |= *text != 0;
        if (*text)
            document_line(d, "level %u for eps %g: %s normals; costs relative to exact: %s", l, eps,
                          kinds->choices[c->approximate].name, text);
    }
    if (r->choices && !any)
        document_line(d, "exact normals for eps %g: the run is too short for others to be faster", eps);
}

/* The answer: an estimate to each error. */
static void add_answer(struct document *d, const struct mlmc_view *v)
{
    static const struct column columns[] = {{"eps", "eps", FORM_ROUGH, 9, NULL},
                                            {"result.mean", "estimate", FORM_MONEY, 16, NULL},
                                            {"result.standard_error", "standard error", FORM_ROUGH, 14, NULL},
                                            {"result.bias", "bias", FORM_ROUGH, 10, NULL},
                                            {"result.cost", "cost", FORM_ROUGH, 10, NULL},
                                            {"savings", "savings", FORM_ROUGH, 8, "-"},
                                            {"result.converged", "converged", FORM_PLAIN, 9, NULL},
                                            {0}};
    const bailey_mlmc_report *p = v->report;
    document_line(d, "%s: multilevel Monte Carlo, %s, seed %llu, stream %llu%s\n", cli_printable(v->name),
                  option_precision(v->params->precision), (unsigned long long)v->test->run.source.seed,
                  (unsigned long long)v->test->run.source.stream, source_remark(&v->test->run.source));
    document_fields(d, "mlmc_report", p, "run")->columns = columns;
    document_gap(d);
    for (uint32_t i = 0; i < p->runs; i++) {
        const bailey_mlmc_result *result = &p->run[i].result;
        if (!result->converged)
            document_line(d, "eps %g is not reached with %u levels: %s", p->run[i].eps, result->levels,
                          bailey_mlmc_reason_message(result->reason));
    }
    for (uint32_t i = 0; i < p->runs; i++) {
        const bailey_mlmc_result *result = &p->run[i].result;
        add_samples(d, "samples", p->run[i].eps, result->level, result->levels);
        int corrected = 0;
        for (uint32_t l = 0; l < result->levels; l++) corrected |= result->correction[l].samples > 0;
        if (corrected) add_samples(d, "corrections", p->run[i].eps, result->correction, result->levels);
        add_choices(d, p->run[i].eps, result);
    }
}

/* Derivatives of each run, from its samples. */
static void add_derivatives(struct document *d, const struct mlmc_view *v)
{
    static const struct column columns[] = {{"eps", "eps", FORM_ROUGH, 9, NULL},
                                            {"name", "derivative with respect to", FORM_PLAIN, -28, NULL},
                                            {"mean", "estimate", FORM_MONEY, 16, NULL},
                                            {"standard_error", "standard error", FORM_ROUGH, 14, NULL},
                                            {"bias", "bias", FORM_ROUGH, 10, NULL},
                                            {0}};
    if (!v->derivative) return;
    document_gap(d);
    document_open(d, "derivatives", '[')->columns = columns;
    for (uint64_t i = 0; i < v->report->runs * v->derivatives; i++) {
        document_open(d, NULL, '{');
        document_fields(d, "mlmc_test_run", &v->report->run[i / v->derivatives], "eps");
        document_text(d, "name", v->derivative_name[i % v->derivatives]);
        document_fields(d, "mlmc_result", &v->derivative[i], "mean standard_error bias");
        document_close(d);
    }
    document_close(d);
}

/* The convergence test; without it, nothing. */
static void add_levels(struct document *d, const bailey_mlmc_report *p)
{
    static const struct column columns[] = {{NULL, "level", FORM_PLAIN, 5, NULL},
                                            {"mean", "mean", FORM_ROUGH, 10, NULL},
                                            {"fine_mean", "fine mean", FORM_ROUGH, 10, NULL},
                                            {"variance", "variance", FORM_ROUGH, 10, NULL},
                                            {"fine_variance", "fine variance", FORM_ROUGH, 13, NULL},
                                            {"kurtosis", "kurtosis", FORM_ROUGH, 9, NULL},
                                            {"check", "check", FORM_ROUGH, 9, NULL},
                                            {"cost", "cost", FORM_ROUGH, 9, NULL},
                                            {0}};
    if (!p->levels) return;
    document_line(d, "\nDifferences on each level, from %s samples\n", cli_count(p->samples));
    document_fields(d, "mlmc_report", p, "level")->columns = columns;
    document_line(
        d, "\nmeans fall as 2^(-%.3f level), variances as 2^(-%.3f level); costs grow as 2^(%.3f level)",
        p->alpha, p->beta, p->gamma);
    document_fields(d, "mlmc_report", p, "samples alpha beta gamma kurtosis_warning check_warning");
}

void levels_report(struct document *d, const struct mlmc_view *v, const bailey_device *device)
{
    warn(d, v);
    document_text(d, "estimator", v->name);
    add_answer(d, v);
    add_derivatives(d, v);
    add_levels(d, v->report);
    bailey_normal_params normal = v->test->run.normal;
    normal.precision = v->params->precision;
    document_fields(d, "mlmc_params", v->params, "dims time first_steps");
    document_fields(d, "mlmc_run_params", &v->test->run,
                    "bias_share initial_samples min_level max_level schedule replicates approximate");
    report_source(d, &v->test->run.source);
    report_normal(d, &v->test->run.source, &normal);
    document_gap(d);
    report_show_device(d, device);
}
