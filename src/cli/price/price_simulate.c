/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A price, from options to report. Options are checked before a device is opened, which can take long, and
 * all that must be computed is known before it runs.
 */
#include "price.h"

#include <bailey/gradient.h>

#include <stdio.h>
#include <string.h>

/* The questions besides the price. */
struct price_questions {
    struct price_risk risk;
    struct price_gradient gradient;
};

static void free_questions(struct price_questions *q)
{
    price_risk_free(&q->risk);
    price_gradient_free(&q->gradient);
}

/* Runs what is asked for on a model that is ready. */
static int answer(const struct arguments *a, const struct price_settings *s, const struct price_model *m,
                  struct price_devices *devices, struct price_outcome *outcome, struct price_questions *q)
{
    if (a->value[EXPLAIN]) return price_explain(a, s, m, outcome);
    if (a->value[DERIVATIVE_CODE]) return price_gradient_code(a, m, &q->gradient);
    int code = price_run_on(a, s, m, devices, outcome);
    if (!code) code = price_risk_run(a, s, m, outcome, &q->risk);
    if (!code) code = price_gradient_run(a, s, m, outcome, &q->gradient);
    if (code) return code;
    outcome->risk = &q->risk;
    outcome->gradient = &q->gradient;
    price_bias_find(s, m, outcome);
    return price_report(a, s, m, outcome, &devices->about[0]);
}

static int simulate(const struct arguments *a, const struct price_settings *s, struct price_model *m)
{
    struct price_devices devices;
    struct price_outcome outcome = {0};
    struct price_questions questions = {0};
    int code = price_risk_read(a, &questions.risk);
    if (!code) code = price_gradient_read(a, &questions.gradient);
    if (code) {
        free_questions(&questions);
        return code;
    }
    code = price_devices_open(a, &devices);
    if (!code) code = price_model_create(a, s, devices.context[0], m);
    if (!code) code = price_model_set(a, m);
    if (!code) code = price_exercise(a, s, m);
    if (!code && !a->value[EXPLAIN] && !a->value[DERIVATIVE_CODE]) code = price_exercise_bound(a, s, m);
    if (!code) code = price_outputs_read(a, m, &outcome);
    if (!code) code = answer(a, s, m, &devices, &outcome, &questions);
    price_outcome_free(&outcome);
    free_questions(&questions);
    price_exercise_end(m);
    bailey_simulation_destroy(m->simulation);
    m->simulation = NULL;
    price_devices_close(&devices);
    return code;
}

int price_simulate(const struct arguments *a, const struct price_product *product)
{
    struct price_settings settings;
    struct price_model model = {0};
    int code = price_settings_read(a, &settings);
    if (!code) code = price_samples_check(a);
    if (!code) code = price_job_check(a);
    if (!code) code = price_explain_check(a);
    if (!code) code = price_model_read(a, product, &settings, &model);
    if (!code) code = simulate(a, &settings, &model);
    price_model_free(&model);
    return code;
}
