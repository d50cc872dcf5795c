/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The report of `bailey mlmc`: the answer first, then what was estimated of the levels.
 */
#include "price.h"

#include <cli/options/options.h>

#include <stdio.h>
#include <string.h>

void levels_warn(struct document *d, const bailey_mlmc_test_run *run)
{
    const bailey_mlmc_result *result = &run->result;
    if (result->reason == BAILEY_MLMC_REASON_BIAS)
        document_warn(d, "eps %g: the bias is %.3g on the last level, %u; see --max-level", run->eps, result->bias,
                      result->levels - 1);
    else if (!result->converged)
        document_warn(d, "eps %g: not converged: %s", run->eps, bailey_mlmc_reason_message(result->reason));
}

/* Reasons to doubt an estimate in spite of its error: each warning says what to change. */
static void warn(struct document *d, const struct levels_request *r, const bailey_mlmc_report *p)
{
    if (p->samples && r->test.samples && p->samples != r->test.samples)
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
    for (uint32_t i = 0; i < p->runs; i++) levels_warn(d, &p->run[i]);
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
static void add_answer(struct document *d, const struct levels_request *r, const bailey_mlmc_report *p)
{
    static const struct column columns[] = {{"eps", "eps", FORM_ROUGH, 9, NULL},
                                            {"result.mean", "estimate", FORM_MONEY, 16, NULL},
                                            {"result.standard_error", "standard error", FORM_ROUGH, 14, NULL},
                                            {"result.bias", "bias", FORM_ROUGH, 10, NULL},
                                            {"result.cost", "cost", FORM_ROUGH, 10, NULL},
                                            {"savings", "savings", FORM_ROUGH, 8, "-"},
                                            {"result.converged", "converged", FORM_PLAIN, 9, NULL},
                                            {0}};
    document_line(d, "%s: multilevel Monte Carlo, %s, seed %llu, stream %llu%s\n", cli_printable(r->name),
                  option_precision(r->params.precision), (unsigned long long)r->test.run.source.seed,
                  (unsigned long long)r->test.run.source.stream, source_remark(&r->test.run.source));
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
void levels_report_derivatives(struct document *d, const bailey_mlmc_test_run *runs, uint32_t count,
                               const struct levels_request *r)
{
    static const struct column columns[] = {{"eps", "eps", FORM_ROUGH, 9, NULL},
                                            {"name", "derivative with respect to", FORM_PLAIN, -28, NULL},
                                            {"mean", "estimate", FORM_MONEY, 16, NULL},
                                            {"standard_error", "standard error", FORM_ROUGH, 14, NULL},
                                            {"bias", "bias", FORM_ROUGH, 10, NULL},
                                            {0}};
    if (!r->derivative) return;
    document_gap(d);
    document_open(d, "derivatives", '[')->columns = columns;
    for (uint64_t i = 0; i < count * r->derivatives; i++) {
        document_open(d, NULL, '{');
        document_fields(d, "mlmc_test_run", &runs[i / r->derivatives], "eps");
        document_text(d, "name", r->derivative_name[i % r->derivatives]);
        document_fields(d, "mlmc_result", &r->derivative[i], "mean standard_error bias");
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

void levels_report(struct document *d, const struct levels_request *r, const bailey_mlmc_report *report,
                   const bailey_device *device)
{
    warn(d, r, report);
    document_text(d, "estimator", r->name);
    add_answer(d, r, report);
    levels_report_derivatives(d, report->run, report->runs, r);
    add_levels(d, report);
    bailey_normal_params normal = r->test.run.normal;
    normal.precision = r->params.precision;
    document_fields(d, "mlmc_params", &r->params, "dims time first_steps");
    document_fields(d, "mlmc_run_params", &r->test.run,
                    "bias_share initial_samples min_level max_level schedule replicates approximate");
    report_source(d, &r->test.run.source);
    report_normal(d, &r->test.run.source, &normal);
    document_gap(d);
    report_show_device(d, device);
}
