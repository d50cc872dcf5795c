/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How subjects are made.
 */
#include "subject.h"

#include <host/internal.h>
#include <host/source/source.h>

#include <string.h>

int bly_subject_has_items(const struct bly_subject *subject)
{
    return subject->kind <= BLY_SUBJECT_SIMULATION;
}

int bly_subject_has_result(const struct bly_subject *subject)
{
    return subject->kind >= BLY_SUBJECT_SIMULATION;
}

static int is_published(const struct bly_subject *subject)
{
    return subject->source.sequence == BAILEY_SEQUENCE_PUBLISHED;
}

int bly_subject_fits(const struct bly_subject *subject, bailey_precision precision, int has_f64)
{
    if (has_f64) return 1;
    if (precision == BAILEY_PRECISION_F64) return 0;
    if (is_published(subject) && subject->source.generator == BAILEY_GENERATOR_MRG32K3A) return 0;
    return !bly_subject_has_result(subject) || (subject->run && subject->run->sum == BAILEY_SUM_FIXED);
}

int bly_subject_may_miss(const struct bly_subject *subject)
{
    if (subject->kind == BLY_SUBJECT_PATHS) return subject->path->strategy != BAILEY_BRIDGE_STRATEGY_AUTO;
    return bly_subject_has_result(subject) || (subject->motion && subject->motion->areas);
}

/* ---- Objects ----------------------------------------------------------------------------------------- */

static bailey_status create_bridge(struct bly_made *made)
{
    bailey_bridge_params path = *made->subject->path;
    path.precision = made->precision;
    return bailey_bridge_create(made->context, &path, &made->object.bridge);
}

static bailey_status create_motion(struct bly_made *made)
{
    bailey_motion_params motion = *made->subject->motion;
    motion.precision = made->precision;
    return bailey_motion_create(made->context, &motion, &made->object.motion);
}

static bailey_status create_simulation(struct bly_made *made)
{
    const struct bly_subject *subject = made->subject;
    bailey_simulation_params params = {.path = *subject->path,
                                       .payoff = subject->payoff,
                                       .motion_depth = subject->motion_depth,
                                       .planned_paths = subject->planned_paths};
    params.path.precision = made->precision;
    bailey_status status = bailey_simulation_create(made->context, &params, &made->object.simulation);
    for (const struct bly_setting *s = subject->settings; s && s->name && status == BAILEY_OK; s++)
        status = bailey_simulation_set(made->object.simulation, s->name, s->values, s->count ? s->count : 1);
    if (status == BAILEY_OK && subject->closed)
        status = bailey_simulation_expected(made->object.simulation, made->expected);
    return status;
}

static bailey_status create_levels(struct bly_made *made)
{
    const struct bly_subject *subject = made->subject;
    bailey_mlmc_params params = *subject->levels;
    params.estimator = subject->payoff;
    params.precision = made->precision;
    bailey_status status = bailey_mlmc_create(made->context, &params, &made->object.levels);
    for (const struct bly_setting *s = subject->settings; s && s->name && status == BAILEY_OK; s++)
        status = bailey_mlmc_set(made->object.levels, s->name, s->values, s->count ? s->count : 1);
    return status;
}

static bailey_status create_object(struct bly_made *made)
{
    switch (made->subject->kind) {
    case BLY_SUBJECT_PATHS: return create_bridge(made);
    case BLY_SUBJECT_MOTION: return create_motion(made);
    case BLY_SUBJECT_SIMULATION:
    case BLY_SUBJECT_GREEKS: return create_simulation(made);
    case BLY_SUBJECT_LEVELS: return create_levels(made);
    default: return BAILEY_OK;
    }
}

bailey_status bly_subject_create(bailey_context *context, const struct bly_subject *subject,
                                 bailey_precision precision, struct bly_made *made)
{
    memset(made, 0, sizeof *made);
    made->context = context;
    made->subject = subject;
    made->precision = precision;
    made->source = subject->source;
    if (is_published(subject) && bly_published_check(&made->source) != BAILEY_OK)
        made->source.seed = 0; /* one that has no other */
    const bailey_status status = create_object(made);
    if (status != BAILEY_OK) bly_subject_destroy(made);
    return status;
}

void bly_subject_destroy(struct bly_made *made)
{
    if (!made->subject) return;
    switch (made->subject->kind) {
    case BLY_SUBJECT_PATHS: bailey_bridge_destroy(made->object.bridge); break;
    case BLY_SUBJECT_MOTION: bailey_motion_destroy(made->object.motion); break;
    case BLY_SUBJECT_SIMULATION:
    case BLY_SUBJECT_GREEKS: bailey_simulation_destroy(made->object.simulation); break;
    case BLY_SUBJECT_LEVELS: bailey_mlmc_destroy(made->object.levels); break;
    default: break;
    }
    memset(made, 0, sizeof *made);
}

/* ---- Items ------------------------------------------------------------------------------------------- */

static uint64_t dims_of(uint32_t dims) { return dims ? dims : 1; }

static struct bly_shape shape_of_points(const struct bly_made *made, struct bly_shape shape)
{
    const bailey_points_params *points = made->subject->points;
    shape.rows = dims_of(points->dims);
    shape.by_item = points->layout == BAILEY_POINTS_LAYOUT_POINT_MAJOR;
    if (points->form == BAILEY_POINTS_FORM_WORDS)
        shape.element = made->subject->source.word_bits == 64 ? 8 : 4;
    return shape;
}

static struct bly_shape shape_of_motion(const struct bly_made *made, struct bly_shape shape)
{
    const struct bly_subject *subject = made->subject;
    const uint64_t parts = subject->to ? 1 + (uint64_t)subject->motion->areas : 1;
    shape.rows = subject->tick_count * parts * dims_of(subject->motion->dims);
    shape.anywhere = 0;
    return shape;
}

uint64_t bly_subject_results(const struct bly_made *made)
{
    const bailey_simulation_run_params *run = made->subject->run;
    const uint64_t outputs = bailey_simulation_outputs(made->object.simulation);
    if (!run || !run->scenarios.count) return outputs;
    return run->scenarios.rows ? run->scenarios.rows : run->scenarios.count * outputs;
}

static struct bly_shape shape_of_samples(const struct bly_made *made, struct bly_shape shape)
{
    const uint64_t replicates = made->subject->run ? made->subject->run->replicates : 0;
    shape.rows = bly_subject_results(made) * (replicates ? replicates : 1);
    shape.anywhere = 0;
    return shape;
}

struct bly_shape bly_subject_shape(const struct bly_made *made)
{
    const struct bly_subject *subject = made->subject;
    struct bly_shape shape = {.rows = 1, .element = bly_element_bytes(made->precision), .anywhere = 1};
    switch (subject->kind) {
    case BLY_SUBJECT_WORDS: shape.element = 4; break;
    case BLY_SUBJECT_POINTS: return shape_of_points(made, shape);
    case BLY_SUBJECT_CORRELATED:
        shape.rows = subject->vector_dims;
        shape.anywhere = 0;
        break;
    case BLY_SUBJECT_PATHS:
        shape.rows = subject->path->steps * dims_of(subject->path->dims);
        shape.by_item = subject->path->layout == BAILEY_LAYOUT_PATH_MAJOR;
        shape.anywhere = 0;
        break;
    case BLY_SUBJECT_MOTION: return shape_of_motion(made, shape);
    case BLY_SUBJECT_SIMULATION: return shape_of_samples(made, shape);
    default: break;
    }
    return shape;
}

/* Component d of vector i is normal number d * count + i of all the vectors. */
static bailey_status make_correlated(const struct bly_made *made, uint64_t first, uint64_t count,
                                     bailey_buffer *out)
{
    const struct bly_subject *subject = made->subject;
    bailey_normal_params normal = subject->normal;
    bailey_buffer *z = NULL;
    normal.precision = made->precision;
    const uint64_t bytes = subject->vector_dims * count * bly_element_bytes(made->precision);
    bailey_status status = bailey_buffer_create(made->context, bytes, &z);
    for (uint64_t d = 0; d < subject->vector_dims && status == BAILEY_OK; d++)
        status = bailey_normals_generate(made->context, &made->source, &normal, d * subject->count + first,
                                         count, z, d * count);
    if (status == BAILEY_OK)
        status = bailey_normals_correlate(made->context, subject->factor, subject->vector_dims,
                                          made->precision, count, z, out);
    bailey_buffer_destroy(z);
    return status;
}

static bailey_status make_stored(const struct bly_made *made, uint64_t first, uint64_t count,
                                 bailey_buffer *out)
{
    const bailey_bridge_params *path = made->subject->path;
    const uint64_t rows = (path->steps - (path->end != NULL)) * dims_of(path->dims);
    bailey_bridge *bridge = made->object.bridge;
    bailey_buffer *z = NULL;
    bailey_status status =
        bailey_buffer_create(made->context, rows * count * bly_element_bytes(made->precision), &z);
    if (status == BAILEY_OK)
        status = bailey_bridge_normals(bridge, &made->source, &made->subject->normal, first, count, z);
    if (status == BAILEY_OK) status = bailey_bridge_build(bridge, count, z, out);
    bailey_buffer_destroy(z);
    return status;
}

static bailey_status make_motion(const struct bly_made *made, uint64_t first, uint64_t count,
                                 bailey_buffer *out)
{
    const struct bly_subject *s = made->subject;
    return s->to ? bailey_motion_increments(made->object.motion, &made->source, s->ticks, s->to,
                                            s->tick_count, first, count, out)
                 : bailey_motion_values(made->object.motion, &made->source, s->ticks, s->tick_count, first,
                                        count, out);
}

static bailey_status make_samples(const struct bly_made *made, uint64_t first, uint64_t count,
                                  bailey_buffer *out)
{
    bailey_estimate estimates[BAILEY_SIMULATION_MAX_OUTPUTS];
    bailey_simulation_run_params run = bly_subject_run_params(made, first, count);
    run.samples = out;
    return bailey_simulation_run(made->object.simulation, &run, estimates);
}

bailey_status bly_subject_make(const struct bly_made *made, uint64_t first, uint64_t count,
                               bailey_buffer *out, uint64_t offset)
{
    const struct bly_subject *subject = made->subject;
    bailey_context *context = made->context;
    bailey_normal_params normal = subject->normal;
    normal.precision = made->precision;
    switch (subject->kind) {
    case BLY_SUBJECT_WORDS: return bailey_words_generate(context, &made->source, first, count, out, offset);
    case BLY_SUBJECT_UNIFORMS:
        return bailey_uniforms_generate(context, &made->source, made->precision, normal.word_bits, first,
                                        count, out, offset);
    case BLY_SUBJECT_NORMALS:
        return bailey_normals_generate(context, &made->source, &normal, first, count, out, offset);
    case BLY_SUBJECT_VARIATES: {
        bailey_variate_params variate = *subject->variate;
        variate.normal = normal;
        return bailey_variates_generate(context, &made->source, &variate, first, count, out, offset);
    }
    case BLY_SUBJECT_CORRELATED: return make_correlated(made, first, count, out);
    case BLY_SUBJECT_POINTS: {
        bailey_points_params points = *subject->points;
        points.precision = points.form == BAILEY_POINTS_FORM_WORDS ? BAILEY_PRECISION_F32 : made->precision;
        return bailey_points_generate(context, &made->source, &points, first, count, out, offset);
    }
    case BLY_SUBJECT_PATHS:
        if (made->stored) return make_stored(made, first, count, out);
        return bailey_bridge_paths(made->object.bridge, &made->source, &subject->normal, first, count, out);
    case BLY_SUBJECT_MOTION: return make_motion(made, first, count, out);
    case BLY_SUBJECT_SIMULATION: return make_samples(made, first, count, out);
    default: return bly_fail(BAILEY_ERROR_INVALID, "%s has no items", subject->name);
    }
}

/* ---- Results ----------------------------------------------------------------------------------------- */

bailey_simulation_run_params bly_subject_run_params(const struct bly_made *made, uint64_t first,
                                                    uint64_t count)
{
    bailey_simulation_run_params run = {0};
    if (made->subject->run) run = *made->subject->run;
    run.source = made->source;
    run.normal = made->subject->normal;
    run.first_path = first;
    run.paths = count;
    if (made->subject->closed) run.expected = made->expected;
    return run;
}

bailey_mlmc_run_params bly_subject_levels_params(const struct bly_made *made)
{
    bailey_mlmc_run_params run = *made->subject->levels_run;
    run.source = made->source;
    run.normal = made->subject->normal;
    return run;
}

static bailey_status price_american(const struct bly_made *made, bailey_progress progress, void *user,
                                    bailey_american_result *result)
{
    bailey_american_params params = *made->subject->american;
    params.source = made->source;
    params.normal = made->subject->normal;
    params.normal.precision = made->precision;
    params.progress = progress;
    params.progress_user = user;
    return bailey_american_price(made->context, &params, result);
}

static bailey_status run_levels(const struct bly_made *made, bailey_progress progress, void *user,
                                bailey_mlmc_result *result)
{
    const struct bly_subject *subject = made->subject;
    bailey_mlmc_run_params run = bly_subject_levels_params(made);
    run.progress = progress;
    run.progress_user = user;
    return subject->samples ? bailey_mlmc_run_samples(made->object.levels, &run, subject->samples,
                                                      subject->level_count, result)
                            : bailey_mlmc_run(made->object.levels, &run, result);
}

bailey_status bly_subject_run(const struct bly_made *made, bailey_progress progress, void *user,
                              union bly_result *result)
{
    const struct bly_subject *subject = made->subject;
    bailey_simulation_run_params run = {0};
    if (subject->kind <= BLY_SUBJECT_GREEKS) {
        run = bly_subject_run_params(made, subject->first, subject->count);
        run.progress = progress;
        run.progress_user = user;
    }
    switch (subject->kind) {
    case BLY_SUBJECT_SIMULATION:
        return bailey_simulation_run(made->object.simulation, &run, result->estimates);
    case BLY_SUBJECT_GREEKS:
        return bailey_simulation_greeks(made->object.simulation, &run, subject->greeks, result->greeks);
    case BLY_SUBJECT_AMERICAN: return price_american(made, progress, user, &result->american);
    case BLY_SUBJECT_LEVELS: return run_levels(made, progress, user, &result->levels);
    default: return bly_fail(BAILEY_ERROR_INVALID, "%s has no result", subject->name);
    }
}

#define NUMBERS 10 /* of an estimate, for hashes: the structure may grow */

static double *add_estimate(double *at, const bailey_estimate *e)
{
    const double numbers[NUMBERS - 1] = {
        e->mean,     e->standard_error, e->controlled, e->controlled_standard_error, e->variance, e->skewness,
        e->kurtosis, e->minimum,        e->maximum};
    memcpy(at, numbers, sizeof numbers);
    memcpy(at + NUMBERS - 1, &e->paths, sizeof e->paths);
    return at + NUMBERS;
}

/* Means and standard errors of all, and then all numbers of each. */
static double *add_estimates(double *at, const bailey_estimate *estimates, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        *at++ = estimates[i].mean;
        *at++ = estimates[i].standard_error;
    }
    for (uint64_t i = 0; i < count; i++) at = add_estimate(at, &estimates[i]);
    return at;
}

static double *add_american(double *at, const bailey_american_result *r)
{
    const double found[] = {
        r->lower,        r->lower_standard_error, r->in_sample,    r->in_sample_standard_error,
        r->upper,        r->upper_standard_error, r->price,        r->standard_error,
        r->interval_low, r->interval_high,        r->exercise_now, r->basis_functions,
        (double)r->paths};
    memcpy(at, found, sizeof found);
    return at + sizeof found / sizeof *found;
}

#define LEVEL_NUMBERS 9 /* in front of those of the levels */

static double *add_levels(double *at, const bailey_mlmc_result *r)
{
    const double found[LEVEL_NUMBERS] = {r->mean, r->standard_error, r->bias,      r->cost,  r->alpha,
                                         r->beta, r->gamma,          r->converged, r->rounds};
    memcpy(at, found, sizeof found);
    at += LEVEL_NUMBERS;
    for (uint32_t l = 0; l < r->levels; l++) {
        *at++ = r->level[l].mean;
        *at++ = r->level[l].variance;
    }
    for (uint32_t l = 0; l < r->levels; l++) {
        *at++ = r->correction[l].mean;
        *at++ = r->correction[l].variance;
        *at++ = (double)r->level[l].samples;
    }
    return at;
}

size_t bly_subject_values(const struct bly_made *made, const union bly_result *result,
                          double values[BLY_SUBJECT_VALUES])
{
    const struct bly_subject *subject = made->subject;
    double *at = values;
    switch (subject->kind) {
    case BLY_SUBJECT_SIMULATION: at = add_estimates(at, result->estimates, bly_subject_results(made)); break;
    case BLY_SUBJECT_GREEKS: {
        const uint64_t count = bailey_simulation_greeks_count(made->object.simulation, subject->greeks);
        for (uint64_t i = 0; i < count; i++) {
            *at++ = result->greeks[i].mean;
            *at++ = result->greeks[i].standard_error;
        }
        break;
    }
    case BLY_SUBJECT_AMERICAN: at = add_american(at, &result->american); break;
    case BLY_SUBJECT_LEVELS: at = add_levels(at, &result->levels); break;
    default: break;
    }
    return (size_t)(at - values);
}

/* ---- Hashes ------------------------------------------------------------------------------------------ */

uint64_t bly_subject_hash(const void *data, size_t bytes)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ ((const unsigned char *)data)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t bly_subject_result_hash(const struct bly_subject *subject, const double *values, size_t count)
{
    const size_t outputs = count / (2 + NUMBERS);
    switch (subject->kind) {
    case BLY_SUBJECT_SIMULATION:
        if (!subject->brief) values += 2 * outputs;
        count = outputs * (subject->brief ? 2 : NUMBERS);
        break;
    case BLY_SUBJECT_AMERICAN: count = subject->brief ? 4 : count; break;
    case BLY_SUBJECT_LEVELS:
        if (subject->samples && subject->brief) values += LEVEL_NUMBERS;
        if (subject->brief) count = subject->samples ? 2 * subject->level_count : 2;
        break;
    default: break;
    }
    return bly_subject_hash(values, count * sizeof *values);
}
