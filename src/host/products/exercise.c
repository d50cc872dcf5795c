/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey_exercise_find: the policy of a payoff with `exercise`, by runs of simulations of the payoff with
 * code around it (exercise_code.c): nothing here simulates. bailey_exercise_price: those of many sets of parameters,
 * which share these runs, and their values on other paths.
 *
 * The policy's paths are made once, and leave their states at exercise dates in the device's memory
 * (dates.c). Backwards in time, a launch for each date replaces each path's later payoff by that on the date
 * after it or later, and leaves the sums of the date's regression, which another launch solves
 * (simulation_looks.c): all are queued, and the host reads the policy at the end. Where the payoff's code may
 * fail, it waits for each date, and solves itself. Sums are trees as all sums of simulations, and both solve
 * with the same code: so the policy has the same bits everywhere.
 */
#include "products.h"

#include <base/alloc.h>
#include <base/status.h>
#include <host/describe/records.h>
#include <host/internal.h>
#include <host/run/estimate.h>
#include <host/run/regression.h>
#include <host/simulate/gradient_jumps.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PATHS 65536u
#define MOST_OUTPUTS BAILEY_SIMULATION_MAX_OUTPUTS
#define FEWEST 2u /* paths that can exercise, for each function */

/* A continuation value that no exercise value exceeds: where too few paths can exercise for a regression, the
 * policy does not. */
#define NEVER 1e30

/* ---- Descriptions -------------------------------------------------------------------------------- */

#define STRUCT bailey_exercise_params
static const bailey_field exercise_params[] = {
    UINT64(paths, "number of paths from which the exercise policy is estimated",
           .range = FROM(2, BAILEY_BRIDGE_MAX_PATHS), .default_value = PATHS),
    UINT32(every, "number of steps, of a product dates, from one exercise date to the next; the last is one",
           .range = FROM(1, BAILEY_BRIDGE_MAX_STEPS), .default_value = 1),
    NESTED(source, source, "source of random numbers of these paths, not of points"),
    NESTED(normal, normal_params, "how normals are generated; the precision is that of the path"),
    UINT64(memory, "bytes on the device for states of these paths at exercise dates",
           .default_how = "1073741824, or a quarter of the device's memory if that is less"),
    FLAG(outside, "also estimates the value of paths that cannot exercise, for the upper bound"),
    FUNCTION(progress, "called now and then with the number of paths done"),
    USER(progress_user, "passed to progress"),
};
RECORD(exercise_params, "How an exercise policy is estimated.", exercise_params);
#undef STRUCT

#define STRUCT bailey_exercise_result
static const bailey_field exercise_result[] = {
    REAL(in_sample, "value of the policy on the paths from which it was estimated"),
    REAL(in_sample_standard_error, "its standard error"),
    REAL(condition, "largest condition number of the regressions"),
    UINT32(dates, "number of exercise dates"),
    UINT32(regressions,
           "number of dates before the last with a regression; the policy exercises on no others"),
    UINT32(functions, "number of functions of the regression, the constant included"),
    UINT32(least_used, "the fewest functions that a regression used"),
};
RESULT(exercise_result, "An exercise policy.", exercise_result);
#undef STRUCT

/* ---- Runs ---------------------------------------------------------------------------------------- */

#define MOST_SETS (UINT64_C(1) << 26) /* bytes of the parameters of all looks */

/* A set of parameters, and its policy. */
struct deal {
    double *coefficient; /* [dates][functions] */
    double *outside;     /* the same, of paths that cannot exercise; NULL: not asked for */
    bailey_estimate paid;
    bailey_exercise_result result;
};

struct finding {
    bailey_simulation *s;
    const bailey_exercise_params *params;
    const bailey_scenarios *table; /* NULL: one deal, with the simulation's parameters */
    uint64_t count;                /* of deals */
    struct bly_exercise_shape shape;
    bailey_simulation *date, *policy;
    struct bly_scenario_plan *plan; /* of `date` with the table */
    struct bly_dates dates;
    struct deal *deals;      /* [count] */
    uint64_t first;          /* of them that share launches: then come dates.deals - 1 others */
    struct bly_looks *looks; /* NULL: each look waits for the one before, of one deal */
    struct bly_fence *fence; /* behind the date before, where there is progress to report */
    uint64_t done;           /* paths, once for each date */
};

static bailey_simulation_run_params run_of(const struct finding *f, double *covariance)
{
    return (bailey_simulation_run_params){.paths = f->dates.paths,
                                          .source = f->params->source,
                                          .normal = f->params->normal,
                                          .covariance = covariance};
}

static bailey_status run(struct finding *f, double *covariance, bailey_estimate *estimates)
{
    const bailey_simulation_run_params params = run_of(f, covariance);
    f->date->kept = &f->dates.kept;
    const bailey_status status = bly_simulation_run(f->date, &params, estimates);
    f->date->kept = NULL;
    return status;
}

void bly_exercise_write_parameter(bailey_simulation *s, const char *name, const double *values,
                                  uint32_t count)
{
    const struct bly_field *field = bly_parameter_find(&s->payoff, name, strlen(name));
    for (uint32_t i = 0; i < count; i++) bly_parameter_write(s->precision, field, i, values[i], s->values);
    s->changed = 1;
}

/* Parameters of the library's code around a payoff, in a set. */
static void write_in(const struct finding *f, const char *name, double value, uint8_t *set)
{
    bly_parameter_write(f->date->precision, bly_parameter_find(&f->date->payoff, name, strlen(name)), 0,
                        value, set);
}

/* The task of a look at a date. */
static void set_task(const struct finding *f, uint32_t date, enum bly_date_task task, uint8_t *set)
{
    const double start = f->s->counts_time ? f->s->start_time : 0;
    write_in(f, "bailey_time", f->s->path.times[bly_dates_step(&f->dates, date)] - start, set);
    write_in(f, "bailey_last", date + 1 == f->dates.count, set);
    write_in(f, "bailey_task", task, set);
}

static uint64_t set_of(uint32_t date, enum bly_date_task task)
{
    return (uint64_t)date * BLY_DATE_TASKS + (uint64_t)task;
}

static bailey_status make_states(struct finding *f, uint32_t segment)
{
    bailey_estimate unused[MOST_OUTPUTS];
    const uint32_t last = f->dates.count - 1;
    struct bly_kept *kept = &f->dates.kept;
    bly_dates_make(&f->dates, segment);
    kept->quiet = f->date->payoff.site_count == 0; /* code that may fail is waited for */
    if (kept->deals > 1) {
        kept->at.values = set_of(last, BLY_DATE_BACKWARD) * f->date->payoff.params_bytes / sizeof(uint64_t);
    } else {
        kept->at.values = 0;
        set_task(f, last, BLY_DATE_BACKWARD, f->date->values);
        f->date->changed = 1;
    }
    const bailey_status status = run(f, NULL, unused);
    kept->quiet = 0;
    return status;
}

/* ---- Regressions --------------------------------------------------------------------------------- */

/* Means and covariances on the paths that can exercise, a part q of all, from those of all paths, on which
 * output 0 is 1 where they can, and outputs are 0 where they cannot. `used` is 0 where they are too few. */
static struct bly_fit_quality fit(const struct finding *f, const bailey_estimate *e, const double *covariance,
                                  double *coefficient)
{
    const uint32_t count = f->shape.functions - 1, outputs = count + 2, stride = count + 1;
    const double n = (double)f->dates.paths, q = e[0].mean;
    double mean[MOST_OUTPUTS], own[MOST_OUTPUTS * MOST_OUTPUTS];
    if (q * n < FEWEST * f->shape.functions) return (struct bly_fit_quality){0};
    for (uint32_t i = 0; i < stride; i++) {
        mean[i] = e[1 + i].mean / q;
        for (uint32_t j = 0; j < stride; j++) {
            const double all = covariance[(1 + i) * outputs + 1 + j] * ((n - 1) / n),
                         means = e[1 + i].mean * e[1 + j].mean;
            own[i * stride + j] = fma(-means, (1 - q) / q, all) / q;
        }
    }
    return bly_regression_fit(count, mean, own, coefficient);
}

static double *coefficients_of(const struct finding *f, const struct deal *d, uint32_t date,
                               enum bly_date_task task)
{
    return (task == BLY_DATE_OUTSIDE ? d->outside : d->coefficient) + (size_t)date * f->shape.functions;
}

static void note(bailey_exercise_result *r, struct bly_fit_quality found)
{
    if (!found.used) return;
    r->regressions++;
    r->condition = found.condition > r->condition ? found.condition : r->condition;
    r->least_used = found.used < r->least_used ? found.used : r->least_used;
}

/* Where too few paths count: those that cannot exercise have their mean. */
static void regress(const struct finding *f, struct deal *d, uint32_t date, enum bly_date_task task,
                    const bailey_estimate *e, const double *covariance)
{
    double *coefficient = coefficients_of(f, d, date, task);
    const struct bly_fit_quality found = fit(f, e, covariance, coefficient);
    if (task == BLY_DATE_REGRESSION) note(&d->result, found);
    if (found.used) return;
    if (task == BLY_DATE_REGRESSION)
        coefficient[0] = NEVER;
    else if (e[0].mean > 0)
        coefficient[0] = e[f->shape.functions].mean / e[0].mean;
}

/* ---- Looks that wait ----------------------------------------------------------------------------- */

static void set_coefficients(struct finding *f, uint32_t date)
{
    bly_exercise_write_parameter(f->date, "bailey_coefficient",
                                 coefficients_of(f, &f->deals[f->first], date, BLY_DATE_REGRESSION),
                                 f->shape.functions);
}

/* Where code may fail, each look is a run, which says where. */
static bailey_status wait_for_end(struct finding *f, uint32_t date)
{
    bailey_estimate unused[MOST_OUTPUTS];
    double covariance[MOST_OUTPUTS * MOST_OUTPUTS];
    set_task(f, date, BLY_DATE_BACKWARD, f->date->values);
    set_coefficients(f, date);
    bly_dates_look(&f->dates, date, date);
    return run(f, covariance, unused);
}

static bailey_status wait_for_look(struct finding *f, uint32_t date, enum bly_date_task task, uint32_t before)
{
    bailey_estimate e[MOST_OUTPUTS];
    double covariance[MOST_OUTPUTS * MOST_OUTPUTS];
    struct deal *d = &f->deals[f->first];
    bailey_status status = before == BLY_NO_DATE ? BAILEY_OK : wait_for_end(f, before);
    if (status != BAILEY_OK) return status;
    set_task(f, date, task, f->date->values);
    set_coefficients(f, date);
    bly_dates_look(&f->dates, date, BLY_NO_DATE);
    status = run(f, covariance, e);
    if (status != BAILEY_OK) return status;
    if (task == BLY_DATE_BACKWARD)
        d->paid = e[0];
    else
        regress(f, d, date, task, e, covariance);
    return BAILEY_OK;
}

/* ---- Looks that do not --------------------------------------------------------------------------- */

/* Regressions of the policy, those of paths that cannot exercise, and the value in sample. */
static uint32_t record_of(const struct finding *f, uint32_t date, enum bly_date_task task)
{
    return task == BLY_DATE_BACKWARD ? 2 * f->dates.count
                                     : date + (task == BLY_DATE_OUTSIDE ? f->dates.count : 0);
}

static uint32_t records(const struct finding *f) { return 2 * f->dates.count + 1; }

/* Bytes of the parameters of all looks at one deal. */
static uint64_t set_bytes(const struct finding *f)
{
    return set_of(f->dates.count, BLY_DATE_BACKWARD) * f->date->payoff.params_bytes;
}

/* Where there is no room for parameters of all looks, or code may fail, looks wait. */
static int may_queue(const struct finding *f)
{
    return f->date->payoff.site_count == 0 && !f->date->prebuilt && set_bytes(f) <= MOST_SETS;
}

/* The parameters of a deal are written once, and those of a date for all deals. */
static void write_sets(const struct finding *f, uint8_t *all)
{
    const uint64_t bytes = f->date->payoff.params_bytes, each = set_bytes(f);
    static const char *const names[] = {"bailey_time", "bailey_last", "bailey_task"};
    const struct bly_field *field[3];
    for (int i = 0; i < 3; i++) field[i] = bly_parameter_find(&f->date->payoff, names[i], strlen(names[i]));
    for (uint32_t i = 0; i < f->dates.deals; i++) {
        uint8_t *first = all + i * each;
        bly_scenarios_set(f->plan, f->first + i, first);
        for (uint64_t k = 1; k < each / bytes; k++) memcpy(first + k * bytes, first, bytes);
    }
    for (uint32_t date = 0; date < f->dates.count; date++)
        for (int task = 0; task < BLY_DATE_TASKS; task++) {
            uint8_t *set = all + set_of(date, (enum bly_date_task)task) * bytes;
            set_task(f, date, (enum bly_date_task)task, set);
            for (uint32_t i = 1; i < f->dates.deals; i++)
                for (int k = 0; k < 3; k++)
                    memcpy(set + i * each + field[k]->offset, set + field[k]->offset,
                           field[k]->type == BLY_FIELD_REAL ? bly_element_bytes(f->date->precision) : sizeof(int32_t));
        }
}

/* All looks' parameters: the device adds coefficients to those that end a date. */
static bailey_status begin_looks(struct finding *f)
{
    struct bly_kept *kept = &f->dates.kept;
    const bailey_simulation_run_params params = run_of(f, NULL);
    if (!may_queue(f)) return BAILEY_OK;
    uint8_t *all = bly_alloc(f->dates.deals, set_bytes(f));
    if (!all) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an exercise policy");
    write_sets(f, all);
    kept->deals = f->dates.deals;
    kept->at.deal_values = set_bytes(f) / sizeof(uint64_t);
    const bailey_status status =
        bly_looks_begin(f->date, kept, &params, all, records(f), f->dates.length, &f->looks);
    bly_free(all);
    return status;
}

static void end_looks(struct finding *f)
{
    bly_looks_end(f->looks);
    f->looks = NULL;
    f->dates.kept.deals = 0;
}

/* Factorises the functions of a segment's dates, once their states are made; the last date has no regression. */
static bailey_status factor_dates(struct finding *f, uint32_t segment)
{
    const uint64_t words = f->date->payoff.params_bytes / sizeof(uint64_t);
    const uint32_t first = segment * f->dates.length, left = f->dates.count - 1 - first,
                   dates = left < f->dates.length ? left : f->dates.length;
    const int last = f->params->outside ? BLY_DATE_OUTSIDE : BLY_DATE_REGRESSION;
    bailey_status status = BAILEY_OK;
    if (!f->looks) return BAILEY_OK;
    for (int task = BLY_DATE_REGRESSION; task <= last; task++) {
        bly_dates_look(&f->dates, first, BLY_NO_DATE);
        f->dates.kept.at.values = set_of(first, (enum bly_date_task)task) * words;
        f->dates.kept.at.date_values = BLY_DATE_TASKS * words;
        if (status == BAILEY_OK)
            status = bly_looks_factor(f->looks, record_of(f, first, (enum bly_date_task)task), dates);
    }
    return status;
}

static bailey_status queue_look(struct finding *f, uint32_t date, enum bly_date_task task, uint32_t before,
                                int sums)
{
    const uint64_t bytes = f->date->payoff.params_bytes, words = bytes / sizeof(uint64_t);
    const struct bly_field *field =
        bly_parameter_find(&f->date->payoff, "bailey_coefficient", strlen("bailey_coefficient"));
    const struct bly_looks_fit own = {.record = record_of(f, date, task),
                                      .fits = task != BLY_DATE_BACKWARD,
                                      .gives = task == BLY_DATE_REGRESSION,
                                      .values = (set_of(date, BLY_DATE_BACKWARD) * bytes + field->offset) /
                                                bly_element_bytes(f->date->precision),
                                      .otherwise = task == BLY_DATE_REGRESSION ? NEVER : 0};
    bly_dates_look(&f->dates, date, before);
    f->dates.kept.at.values = set_of(date, task) * words;
    f->dates.kept.at.values_before = before == BLY_NO_DATE ? 0 : set_of(before, BLY_DATE_BACKWARD) * words;
    return bly_looks_queue(f->looks, sums ? &own : NULL);
}

static bailey_status read_record(struct finding *f, struct deal *d, uint32_t date, enum bly_date_task task,
                                 const double *all)
{
    const double *record = all + (size_t)record_of(f, date, task) * BLY_RECORD_DOUBLES;
    const struct bly_tree tree = {.rows = 1, .sums = 1};
    const bailey_status status =
        bly_simulation_check_sums(f->s->payoff.name, NULL, 0, &tree, &record[BLY_RECORD_REFUSED]);
    if (status != BAILEY_OK || task == BLY_DATE_BACKWARD) return status;
    memcpy(coefficients_of(f, d, date, task), record + BLY_RECORD_COEFFICIENTS,
           f->shape.functions * sizeof *record);
    if (task == BLY_DATE_REGRESSION)
        note(&d->result,
             (struct bly_fit_quality){(uint32_t)record[BLY_RECORD_USED], record[BLY_RECORD_CONDITION]});
    return BAILEY_OK;
}

static bailey_status estimate_in_sample(const struct finding *f, struct deal *d, const double *record)
{
    struct bly_estimator *estimator = bly_estimator_create(1, NULL);
    const struct bly_sums sums = {.outputs = 1, .paths = f->dates.paths, .value = record + BLY_RECORD_SUM};
    if (!estimator) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an exercise policy");
    bly_estimator_add(estimator, &sums);
    bly_estimator_finish(estimator, 0, &d->paid, NULL);
    bly_estimator_destroy(estimator);
    return BAILEY_OK;
}

static bailey_status read_deal(struct finding *f, struct deal *d, const double *all)
{
    bailey_status status = BAILEY_OK;
    for (uint32_t date = f->dates.count - 1; date-- > 0 && status == BAILEY_OK;) {
        status = read_record(f, d, date, BLY_DATE_REGRESSION, all);
        if (status == BAILEY_OK && d->outside) status = read_record(f, d, date, BLY_DATE_OUTSIDE, all);
    }
    if (status == BAILEY_OK) status = read_record(f, d, 0, BLY_DATE_BACKWARD, all);
    if (status != BAILEY_OK) return status;
    return estimate_in_sample(f, d, all + (size_t)record_of(f, 0, BLY_DATE_BACKWARD) * BLY_RECORD_DOUBLES);
}

static bailey_status read_looks(struct finding *f)
{
    const size_t each = (size_t)records(f) * BLY_RECORD_DOUBLES;
    double *all = bly_alloc(f->dates.deals * each, sizeof *all);
    if (!all) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an exercise policy");
    bailey_status status = bly_looks_read(f->looks, all);
    for (uint32_t i = 0; i < f->dates.deals && status == BAILEY_OK; i++) {
        status = read_deal(f, &f->deals[f->first + i], all + i * each);
        if (f->table) status = bly_scenarios_named(f->first + i, status);
    }
    bly_free(all);
    return status;
}

/* ---- The policies -------------------------------------------------------------------------------- */

/* Later payoffs become those of date `before` or later, if there is one; then a look at a date. */
static bailey_status look_at(struct finding *f, uint32_t date, enum bly_date_task task, uint32_t before)
{
    return f->looks ? queue_look(f, date, task, before, 1) : wait_for_look(f, date, task, before);
}

/* The first of these alone. */
static bailey_status end_date(struct finding *f, uint32_t date)
{
    return f->looks ? queue_look(f, date, BLY_DATE_BACKWARD, date, 0) : wait_for_end(f, date);
}

static bailey_status tell(const struct finding *f)
{
    const uint64_t total = f->count * f->dates.paths * f->dates.count;
    if (!f->params->progress(f->params->progress_user, f->done, total)) return BAILEY_OK;
    return bly_fail(BAILEY_ERROR_CANCELLED, "cancelled after %llu of %llu paths", (unsigned long long)f->done,
                    (unsigned long long)total);
}

/* A date is done or queued. Progress counts dates that are done: the one before. */
static bailey_status report(struct finding *f)
{
    struct bly_device *device = f->s->context->device;
    struct bly_fence *before = f->fence;
    int done = 0;
    if (!f->params->progress) return BAILEY_OK;
    f->fence = NULL;
    bailey_status status = device->backend->fence(device, 0, &f->fence);
    if (status == BAILEY_OK && before) {
        status = device->backend->fence_done(device, before, 1, &done);
        f->done += f->dates.deals * f->dates.paths;
    }
    device->backend->fence_free(device, before);
    return status == BAILEY_OK && done ? tell(f) : status;
}

/* The path of the assets alone, as simulations are asked for: *factor is the caller's. */
static bailey_status narrow(const bailey_simulation *s, bailey_bridge_params *path, double **factor)
{
    const uint32_t assets = s->assets;
    *factor = NULL;
    path->dims = assets;
    if (assets == s->dims || !(path->covariance || path->factor)) return BAILEY_OK;
    *factor = bly_alloc((size_t)assets * assets, sizeof **factor);
    if (!*factor) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an exercise policy");
    for (uint32_t i = 0; i < assets; i++)
        memcpy(*factor + (size_t)i * assets, s->factor + (size_t)i * s->dims, assets * sizeof **factor);
    path->covariance = NULL;
    path->factor = *factor;
    return BAILEY_OK;
}

bailey_status bly_exercise_make(const bailey_simulation *s, const bailey_bridge_params *path,
                                const struct bly_exercise_shape *shape, enum bly_exercise_code code,
                                bailey_simulation **made)
{
    struct bly_text text = {0};
    bailey_bridge_params assets = *path;
    double *factor;
    bly_exercise_write(&s->payoff, shape, code, &text);
    bailey_status status = narrow(s, &assets, &factor);
    if (text.failed) status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an exercise policy");
    const bailey_simulation_params params = {
        .path = assets,
        .payoff = {.code = s->code, .name = s->payoff.name, .loop_budget = s->payoff.loop_budget}};
    if (status == BAILEY_OK) status = bly_simulation_create_around(s->context, &params, text.data, made);
    bly_free(text.data);
    bly_free(factor);
    if (status == BAILEY_OK) bly_gradient_parameters(s, *made);
    return status;
}

/* States of a segment to look at. */
static bailey_status make_segment(struct finding *f, uint32_t segment)
{
    const bailey_status status = make_states(f, segment);
    return status == BAILEY_OK ? factor_dates(f, segment) : status;
}

/* The states of the next deals that share launches. */
static bailey_status begin_deals(struct finding *f)
{
    bailey_status status = begin_looks(f);
    if (status == BAILEY_ERROR_UNSUPPORTED) {
        bly_log(1, "exercise: dates wait for each other: %s", bailey_error_message());
        end_looks(f);
        status = BAILEY_OK;
    }
    if (!f->looks) f->dates.deals = 1;
    if (f->dates.deals == 1) bly_scenarios_set(f->plan, f->first, f->date->values);
    for (uint32_t i = 0; f->dates.resumes && i + 1 < f->dates.segments && status == BAILEY_OK; i++)
        status = make_states(f, i);
    return status == BAILEY_OK ? make_segment(f, f->dates.segments - 1) : status;
}

/* Backwards in time: one launch ends a date and begins the one before it. */
static bailey_status find_dates(struct finding *f)
{
    bailey_status status = begin_deals(f);
    for (uint32_t date = f->dates.count - 1; date-- > 0 && status == BAILEY_OK;) {
        uint32_t before = date + 1;
        if (!bly_dates_are_made(&f->dates, date)) {
            status = end_date(f, before);
            if (status == BAILEY_OK) status = make_segment(f, date / f->dates.length);
            before = BLY_NO_DATE;
        }
        if (status == BAILEY_OK) status = look_at(f, date, BLY_DATE_REGRESSION, before);
        if (status == BAILEY_OK && f->params->outside)
            status = look_at(f, date, BLY_DATE_OUTSIDE, BLY_NO_DATE);
        if (status == BAILEY_OK) status = report(f);
    }
    if (status == BAILEY_OK) status = look_at(f, 0, BLY_DATE_BACKWARD, BLY_NO_DATE);
    return status == BAILEY_OK && f->looks ? read_looks(f) : status;
}

/* The mean payoff on the first date or later is the policy's value in sample. */
static void finish_deal(const struct finding *f, struct deal *d)
{
    char which[40] = "";
    d->result.in_sample = d->paid.mean;
    d->result.in_sample_standard_error = d->paid.standard_error;
    if (d->result.regressions) return;
    d->result.least_used = 0;
    if (f->dates.count == 1) return;
    if (f->table) snprintf(which, sizeof which, " in scenario %llu", (unsigned long long)(d - f->deals));
    bly_warn("%s: on all dates but the last, too few paths can exercise%s: `exercise` is 0 on the others, so "
             "that the policy waits until the last date",
             f->s->payoff.name, which);
}

/* As many deals at a time as have room. */
static bailey_status find_policies(struct finding *f)
{
    const bailey_simulation_run_params params = {.scenarios = f->table ? *f->table : (bailey_scenarios){0}};
    bailey_status status = bly_exercise_make(f->s, &f->s->path.params, &f->shape, BLY_EXERCISE_DATE, &f->date);
    if (status == BAILEY_OK) status = bly_scenarios_plan(f->date, &params, &f->plan);
    if (status != BAILEY_OK) return status;
    const uint64_t room = may_queue(f) ? MOST_SETS / set_bytes(f) : 1;
    f->dates.deals = (uint32_t)(f->count < room ? f->count : room);
    status = bly_dates_take(&f->dates, f->date, f->params->memory);
    for (uint64_t left = f->count; left > 0 && status == BAILEY_OK; left -= f->dates.deals) {
        f->first = f->count - left;
        if (f->dates.deals > left) f->dates.deals = (uint32_t)left;
        status = find_dates(f);
        end_looks(f);
        f->done = (f->first + f->dates.deals) * f->dates.paths * f->dates.count;
        if (status == BAILEY_OK && f->params->progress) status = tell(f);
        for (uint32_t i = 0; i < f->dates.deals && status == BAILEY_OK; i++)
            finish_deal(f, &f->deals[f->first + i]);
    }
    return status;
}

/* The names of the functions, each ended by 0. */
static bailey_status write_names(const struct bly_payoff *payoff, bailey_simulation *to)
{
    struct bly_text names = {0};
    bly_exercise_names(payoff, &names);
    if (names.failed) {
        bly_free(names.data);
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an exercise policy");
    }
    for (char *p = names.data; *p; p++)
        if (*p == '\n') *p = 0;
    bly_free(to->functions);
    to->functions = names.data;
    return BAILEY_OK;
}

static bailey_status make_policy(struct finding *f)
{
    bailey_status status =
        bly_exercise_make(f->s, &f->s->path.params, &f->shape, BLY_EXERCISE_POLICY, &f->policy);
    if (status == BAILEY_OK) status = write_names(&f->s->payoff, f->policy);
    if (status != BAILEY_OK) return status;
    bly_exercise_write_parameter(f->policy, "bailey_coefficient", f->deals[0].coefficient,
                                 f->shape.functions * f->shape.dates);
    struct bly_policy *policy = f->policy->policy = bly_alloc(1, sizeof *policy);
    if (!policy) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an exercise policy");
    *policy = (struct bly_policy){.functions = f->shape.functions,
                                  .dates = f->shape.dates,
                                  .every = f->shape.every,
                                  .in_sample = f->deals[0].result.in_sample,
                                  .outside = f->deals[0].outside};
    f->deals[0].outside = NULL;
    return BAILEY_OK;
}

/* ---- Checks -------------------------------------------------------------------------------------- */

bailey_status bly_exercise_check_source(const bailey_source *source)
{
    bailey_source_kind kind = BAILEY_SOURCE_KIND_COUNTER;
    const bailey_status status = bailey_source_check(source, &kind);
    if (status != BAILEY_OK || kind != BAILEY_SOURCE_KIND_POINT) return status;
    return bly_fail_argument("generator",
                             "generator is one of points, but paths of exercise must be independent");
}

bailey_status bly_exercise_check_device(const bailey_simulation *s)
{
    if (s->context->device->info.has_f64) return BAILEY_OK;
    return bly_fail(BAILEY_ERROR_UNSUPPORTED, "%s has no double precision, which sums of payoffs need",
                    s->context->device->info.address);
}

/* Deals that do not differ in parameters alone, or whose run is refused. */
static bailey_status check_run(const bailey_simulation *s, const bailey_exercise_params *p,
                               const bailey_simulation_run_params *run)
{
    const bailey_scenarios *t = &run->scenarios;
    const bailey_simulation_run_params sized = bly_simulation_sized(run);
    struct bly_scenario_plan *plan;
    enum bly_draw draw;
    if (t->count == 0)
        return bly_fail_argument("count", "scenarios.count is 0, but each scenario is a deal; without scenarios "
                                          "use bailey_exercise_find");
    if (t->time_shift || t->covariance)
        return bly_fail_argument(t->time_shift ? "time_shift" : "covariance",
                                 "scenarios move paths, but the paths of policies do not move");
    if (p->outside)
        return bly_fail_argument("outside", "outside is %u, but policies of many deals end with their prices",
                                 p->outside);
    bailey_status status = bly_scenarios_plan(s, &sized, &plan);
    if (status == BAILEY_OK)
        status = bly_simulation_check_run(s, &sized, bly_scenarios_results(plan), &draw);
    bly_scenarios_free(plan);
    return status;
}

static bailey_status check_deal(const bailey_simulation *s)
{
    const bailey_status status = bly_parameters_missing(&s->payoff, s->given, NULL);
    return status == BAILEY_OK ? bly_parameters_check(&s->payoff, s->precision, s->values) : status;
}

/* `run` may be NULL: the simulation's parameters are the deal. */
static bailey_status check(const bailey_simulation *s, const bailey_exercise_params *p,
                           const bailey_simulation_run_params *run)
{
    bailey_status status = bailey_record_check(&bly_record_exercise_params, p);
    if (status != BAILEY_OK) return status;
    if (s->around) return bly_fail_argument("simulation", "simulation is under an exercise policy already");
    if (!s->payoff.exercises)
        return bly_fail_argument(
            "payoff",
            "%s has no function exercise; write real exercise(const state *s, const params "
            "*p, real t), which returns what exercise at time t pays, discounted, or 0",
            s->payoff.name);
    const uint32_t every = p->every ? p->every : 1, dates = (s->steps / s->substeps - 1) / every + 1;
    if (dates > BAILEY_EXERCISE_MAX_DATES)
        return bly_fail_argument("every", "every %u of %u dates gives %u exercise dates; at most %u", every,
                                 s->steps / s->substeps, dates, BAILEY_EXERCISE_MAX_DATES);
    status = bly_exercise_check_source(&p->source);
    if (status == BAILEY_OK) status = run ? check_run(s, p, run) : check_deal(s);
    if (status == BAILEY_OK) status = bly_check_normal(s->context, &p->normal, s->precision);
    return status == BAILEY_OK ? bly_exercise_check_device(s) : status;
}

/* ---- All of it ----------------------------------------------------------------------------------- */

static bailey_status find(struct finding *f)
{
    const uint32_t every = (f->params->every ? f->params->every : 1) * f->s->substeps;
    f->shape = (struct bly_exercise_shape){.functions = bly_exercise_functions(&f->s->payoff),
                                           .dates = (f->s->steps - 1) / every + 1,
                                           .every = every};
    f->dates = (struct bly_dates){
        .paths = f->params->paths ? f->params->paths : PATHS, .count = f->shape.dates, .every = every};
    f->deals = bly_alloc(f->count, sizeof *f->deals);
    int there = f->deals != NULL;
    for (uint64_t i = 0; i < f->count && there; i++) {
        struct deal *d = &f->deals[i];
        const size_t numbers = (size_t)f->shape.dates * f->shape.functions;
        d->result = (bailey_exercise_result){
            .dates = f->shape.dates, .functions = f->shape.functions, .least_used = f->shape.functions};
        d->coefficient = bly_alloc(numbers, sizeof *d->coefficient);
        if (f->params->outside) d->outside = bly_alloc(numbers, sizeof *d->outside);
        there = d->coefficient && (d->outside || !f->params->outside);
    }
    if (!there) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an exercise policy");
    const bailey_status status = find_policies(f);
    return status == BAILEY_OK ? make_policy(f) : status;
}

static void destroy(struct finding *f)
{
    struct bly_device *device = f->s->context->device;
    device->backend->fence_free(device, f->fence);
    end_looks(f);
    bly_scenarios_free(f->plan);
    bailey_simulation_destroy(f->date);
    bailey_simulation_destroy(f->policy);
    bly_pool_release(f->dates.kept.memory);
    for (uint64_t i = 0; i < f->count && f->deals; i++) {
        bly_free(f->deals[i].coefficient);
        bly_free(f->deals[i].outside);
    }
    bly_free(f->deals);
}

bailey_status bailey_exercise_find(bailey_simulation *s, const bailey_exercise_params *params,
                                   bailey_exercise_result *result, bailey_simulation **policy)
{
    if (policy) *policy = NULL;
    if (!s) return bly_fail_argument("simulation", "simulation is NULL");
    BLY_ENTER(s->context);
    if (BLY_REFUSES(params)) return bly_finish(s->context, BAILEY_ERROR_INVALID);
    if (!result) return bly_finish(s->context, bly_fail_argument("result", "result is NULL"));
    if (!policy) return bly_finish(s->context, bly_fail_argument("policy", "policy is NULL"));
    struct finding f = {.s = s, .params = params, .count = 1};
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    bailey_status status = check(s, params, NULL);
    if (status == BAILEY_OK) status = find(&f);
    if (status == BAILEY_OK) {
        *result = f.deals[0].result;
        *policy = f.policy;
        f.policy = NULL;
    }
    destroy(&f);
    fesetenv(&callers);
    return bly_finish(s->context, status);
}

const char *bailey_exercise_function(const bailey_simulation *s, size_t index)
{
    const char *name = s ? s->functions : NULL;
    while (name && *name && index-- > 0) name += strlen(name) + 1;
    return name && *name ? name : NULL;
}

/* ---- Many deals ---------------------------------------------------------------------------------- */

/* The deals with their policies: scenarios whose last columns are the coefficients. */
struct priced {
    bailey_scenarios table;
    const char **names;
    char (*own)[40];
    double *values;
};

static bailey_status write_table(const struct finding *f, struct priced *p)
{
    const bailey_scenarios *given = f->table;
    const uint32_t own = f->shape.dates * f->shape.functions, columns = given->columns + own;
    p->table = *given;
    p->names = bly_alloc(columns, sizeof *p->names);
    p->own = bly_alloc(own, sizeof *p->own);
    p->values = bly_alloc(bly_multiply(f->count, columns), sizeof *p->values);
    if (!p->names || !p->own || !p->values)
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for exercise policies");
    for (uint32_t c = 0; c < columns; c++) {
        const uint32_t number = c - given->columns;
        if (c >= given->columns)
            snprintf(p->own[number], sizeof *p->own, "bailey_coefficient[%u]", (unsigned)number);
        p->names[c] = c < given->columns ? given->names[c] : p->own[number];
    }
    for (uint64_t i = 0; i < f->count; i++) {
        double *row = p->values + i * columns;
        if (given->columns) memcpy(row, given->values + i * given->columns, given->columns * sizeof *row);
        memcpy(row + given->columns, f->deals[i].coefficient, own * sizeof *row);
    }
    p->table.columns = columns;
    p->table.names = p->names;
    p->table.values = p->values;
    return BAILEY_OK;
}

static bailey_status price(struct finding *f, const bailey_simulation_run_params *run,
                           bailey_estimate *estimates)
{
    struct priced priced = {.names = NULL};
    bailey_simulation_run_params own = bly_simulation_sized(run);
    bailey_status status = find(f);
    if (status == BAILEY_OK) status = write_table(f, &priced);
    own.scenarios = priced.table;
    if (status == BAILEY_OK) status = bly_simulation_run(f->policy, &own, estimates);
    if (status == BAILEY_OK) status = write_names(&f->s->payoff, f->s);
    bly_free(priced.names);
    bly_free(priced.own);
    bly_free(priced.values);
    return status;
}

bailey_status bailey_exercise_price(bailey_simulation *s, const bailey_exercise_params *params,
                                    const bailey_simulation_run_params *run, bailey_exercise_result *results,
                                    bailey_estimate *estimates)
{
    if (!s) return bly_fail_argument("simulation", "simulation is NULL");
    BLY_ENTER(s->context);
    if (BLY_REFUSES(params) || BLY_REFUSES(run)) return bly_finish(s->context, BAILEY_ERROR_INVALID);
    if (!results) return bly_finish(s->context, bly_fail_argument("results", "results is NULL"));
    if (!estimates) return bly_finish(s->context, bly_fail_argument("estimates", "estimates is NULL"));
    struct finding f = {.s = s, .params = params, .table = &run->scenarios, .count = run->scenarios.count};
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    bailey_status status = check(s, params, run);
    if (status == BAILEY_OK) status = price(&f, run, estimates);
    for (uint64_t i = 0; i < f.count && status == BAILEY_OK; i++) results[i] = f.deals[i].result;
    destroy(&f);
    fesetenv(&callers);
    return bly_finish(s->context, status);
}
