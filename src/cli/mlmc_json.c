/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "mlmc_view.h"

static void level(struct json *json, const bailey_mlmc_test_level *l, uint32_t number)
{
    json_open(json, NULL, '{');
    json_count(json, "level", number);
    json_number(json, "mean", l->mean);
    json_number(json, "fine_mean", l->fine_mean);
    json_number(json, "variance", l->variance);
    json_number(json, "fine_variance", l->fine_variance);
    json_number(json, "kurtosis", l->kurtosis);
    json_number(json, "check", l->check);
    json_number(json, "cost", l->cost);
    json_close(json, '}');
}

static void numbers(struct json *json, const char *key, const bailey_mlmc_result *r,
                    double (*of)(const bailey_mlmc_level *))
{
    json_open(json, key, '[');
    for (uint32_t l = 0; l < r->levels; l++) json_number(json, NULL, of(&r->level[l]));
    json_close(json, ']');
}

static double mean_of(const bailey_mlmc_level *l) { return l->mean; }
static double variance_of(const bailey_mlmc_level *l) { return l->variance; }

/* Of each level, what corrects approximate normals: none of a run without them. */
static void corrections(struct json *json, const bailey_mlmc_result *r)
{
    json_open(json, "corrections", '[');
    for (uint32_t l = 0; l < r->levels && r->correction[0].samples; l++) {
        json_open(json, NULL, '{');
        json_count(json, "samples", r->correction[l].samples);
        json_number(json, "mean", r->correction[l].mean);
        json_number(json, "variance", r->correction[l].variance);
        json_number(json, "cost", r->correction[l].cost);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void run(struct json *json, const bailey_mlmc_test_run *t)
{
    const bailey_mlmc_result *r = &t->result;
    json_open(json, NULL, '{');
    json_number(json, "eps", t->eps);
    json_number(json, "value", r->mean);
    json_number(json, "standard_error", r->standard_error);
    json_number(json, "bias", r->bias);
    json_flag(json, "converged", r->converged);
    json_text(json, "reason", bailey_mlmc_reason_message(r->reason));
    json_number(json, "cost", r->cost);
    json_number(json, "standard_cost", t->standard_cost);
    json_number(json, "savings", t->savings);
    json_open(json, "samples", '[');
    for (uint32_t l = 0; l < r->levels; l++) json_count(json, NULL, r->level[l].samples);
    json_close(json, ']');
    numbers(json, "means", r, mean_of);
    numbers(json, "variances", r, variance_of);
    corrections(json, r);
    json_number(json, "alpha", r->alpha);
    json_number(json, "beta", r->beta);
    json_number(json, "gamma", r->gamma);
    json_count(json, "rounds", r->rounds);
    json_close(json, '}');
}

void mlmc_json(struct json *json, const bailey_mlmc_report *report)
{
    if (report->levels) {
        json_count(json, "samples", report->samples);
        json_open(json, "levels", '[');
        for (uint32_t l = 0; l < report->levels; l++) level(json, &report->level[l], l);
        json_close(json, ']');
        json_number(json, "alpha", report->alpha);
        json_number(json, "beta", report->beta);
        json_number(json, "gamma", report->gamma);
        json_flag(json, "kurtosis_warning", report->kurtosis_warning);
        json_flag(json, "check_warning", report->check_warning);
    }
    json_open(json, "results", '[');
    for (uint32_t i = 0; i < report->runs; i++) run(json, &report->run[i]);
    json_close(json, ']');
}
