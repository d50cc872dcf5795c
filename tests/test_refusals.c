/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Every field of every struct of parameters, by the structs' descriptions: the function that takes the struct
 * refuses what is below and above the field's range, NaN, infinities, an unknown choice and NULL, by the
 * field's name.
 */
#include <bailey/american.h>
#include <bailey/describe.h>
#include <bailey/exercise.h>
#include <bailey/gradient.h>
#include <bailey/greeks.h>
#include <bailey/job.h>
#include <bailey/local_volatility.h>
#include <bailey/mlmc.h>
#include <bailey/motion.h>
#include <bailey/points.h>

#include "harness.h"

#include <math.h>

/* ---- Refusals -------------------------------------------------------------------------------------- */

/* A struct that is taken, the call that takes it, and the fields that the call does not look at. */
struct subject {
    const char *record;
    void *values;
    bailey_status (*call)(void);
    const char *ignored;
};

static const struct subject *subject;
static int refusals, wrong;

static void refuses(const char *path, const bailey_field *f, const char *what)
{
    const bailey_status status = subject->call();
    refusals++;
    if (status == BAILEY_ERROR_INVALID && strcmp(bailey_error_argument(), f->name) == 0) return;
    print_error("%s: %s%s is %s: %s, argument %s, \"%s\"\n", subject->record, path, f->name, what,
                bailey_status_name(status), bailey_error_argument(), bailey_error_message());
    wrong++;
}

static size_t bytes_of(const bailey_field *f)
{
    switch (f->type) {
    case BAILEY_FIELD_TYPE_REAL:
    case BAILEY_FIELD_TYPE_UINT64: return 8;
    default: return 4;
    }
}

/* Writes a number as the field's type; 0 if that does not hold it. */
static int write(const bailey_field *f, void *at, double value)
{
    if (f->type == BAILEY_FIELD_TYPE_REAL) {
        memcpy(at, &value, sizeof value);
        return 1;
    }
    if (f->type == BAILEY_FIELD_TYPE_CHOICE) {
        const int number = (int)value;
        memcpy(at, &number, sizeof number);
        return 1;
    }
    if (!(value >= 0 && value == floor(value) && value < (bytes_of(f) == 8 ? 0x1p64 : 0x1p32))) return 0;
    const uint64_t wide = (uint64_t)value;
    const uint32_t narrow = (uint32_t)wide;
    memcpy(at, bytes_of(f) == 8 ? (const void *)&wide : (const void *)&narrow, bytes_of(f));
    return 1;
}

static int has_default(const bailey_field *f) { return f->default_value != 0 || f->default_how != NULL; }

static void number(const char *path, const bailey_field *f, void *at, double value)
{
    char what[40];
    unsigned char kept[8];
    if (value == 0 && has_default(f) && !f->pointer) return;
    memcpy(kept, at, bytes_of(f));
    snprintf(what, sizeof what, "%.17g", value);
    if (write(f, at, value)) refuses(path, f, what);
    memcpy(at, kept, bytes_of(f));
}

static void numbers(const char *path, const bailey_field *f, void *at)
{
    const bailey_interval *i = &f->range;
    const int real = f->type == BAILEY_FIELD_TYPE_REAL;
    if (f->type == BAILEY_FIELD_TYPE_FLAG) number(path, f, at, 2), number(path, f, at, UINT32_MAX);
    if (f->choice_count) {
        number(path, f, at, f->choices[f->choice_count - 1].value + 1);
        number(path, f, at, f->choices[0].value - 1);
    }
    if (real) {
        if (!f->nan) number(path, f, at, NAN);
        number(path, f, at, INFINITY), number(path, f, at, -INFINITY);
    }
    if (i->low == 0 && i->high == 0) return;
    const double below = real ? nextafter(i->low, -INFINITY) : i->low - 1, above = i->high * (1 + 0x1p-50);
    number(path, f, at, i->low_open ? i->low : below);
    if (isfinite(i->high))
        number(path, f, at, i->high_open ? i->high : real ? above : fmax(i->high + 1, above));
}

static void record(const char *path, const bailey_record *r, unsigned char *values);

static void pointer(const char *path, const bailey_field *f, void *at)
{
    void *held;
    memcpy(&held, at, sizeof held);
    if (held && f->type <= BAILEY_FIELD_TYPE_CHOICE && !f->output) numbers(path, f, held);
    if (!f->needed) return;
    memset(at, 0, sizeof held);
    refuses(path, f, "NULL");
    memcpy(at, &held, sizeof held);
}

static int is_ignored(const char *name)
{
    const char *at = subject->ignored ? strstr(subject->ignored, name) : NULL;
    return at && (at[strlen(name)] == ' ' || at[strlen(name)] == 0) &&
           (at == subject->ignored || at[-1] == ' ');
}

static void record(const char *path, const bailey_record *r, unsigned char *values)
{
    for (uint32_t i = 0; i < r->field_count; i++) {
        const bailey_field *f = &r->fields[i];
        char name[128];
        snprintf(name, sizeof name, "%s%s", path, f->name);
        if (is_ignored(name)) continue;
        if (f->pointer)
            pointer(path, f, values + f->offset);
        else if (f->type == BAILEY_FIELD_TYPE_RECORD) {
            strcat(name, ".");
            record(name, bailey_describe(f->record), values + f->offset);
        } else if (f->type <= BAILEY_FIELD_TYPE_CHOICE)
            numbers(path, f, values + f->offset);
    }
}

/* ---- Subjects -------------------------------------------------------------------------------------- */

static double one_time[1] = {1}, spots[2] = {100, 90}, volatilities[2] = {0.2, 0.3},
              dividends[2] = {0.01, 0.02}, correlation[4] = {1, 0.5, 0.5, 1}, identity[1] = {1}, zero[1],
              end[1];
static bailey_simulation *simulation, *exercisable; /* the second, of code with exercise */
static bailey_mlmc *levels;

static bailey_buffer *numbers_out;
static bailey_source source;
static bailey_normal_params normal;
static bailey_variate_params variate;
static bailey_points_params points;

static bailey_status generate_words(void)
{
    return bailey_words_generate(context, &source, 0, 4, numbers_out, 0);
}

static bailey_status generate_normals(void)
{
    return bailey_normals_generate(context, &source, &normal, 0, 4, numbers_out, 0);
}

static bailey_status generate_variates(void)
{
    return bailey_variates_generate(context, &source, &variate, 0, 4, numbers_out, 0);
}

static bailey_status generate_points(void)
{
    static const bailey_source sobol = {.generator = BAILEY_GENERATOR_SOBOL};
    return bailey_points_generate(context, &sobol, &points, 0, 4, numbers_out, 0);
}

static double factor[1] = {1};
static bailey_bridge_params bridge = {
    .times = one_time, .steps = 1, .dims = 1, .factor = factor, .start = zero, .end = end};

static bailey_status create_bridge(void)
{
    bailey_bridge *b;
    return bailey_bridge_create(context, &bridge, &b);
}

static bailey_motion_params motion = {.dims = 1, .covariance = identity, .start = zero, .end = end};

static bailey_status create_motion(void)
{
    bailey_motion *m;
    return bailey_motion_create(context, &motion, &m);
}

static bailey_context_params opened;

static bailey_status open_context(void)
{
    bailey_context *made;
    return bailey_context_create(device.address, &opened, &made);
}

static bailey_selftest_params selftest;

static bailey_status test_itself(void) { return bailey_selftest(context, &selftest); }

static bailey_simulation_params deal = {
    .path = {.times = one_time, .steps = 1, .dims = 1, .covariance = identity, .start = zero},
    .payoff = {.name = "european"}};

static bailey_status create(void)
{
    bailey_simulation *s;
    return bailey_simulation_create(context, &deal, &s);
}

static bailey_describe_params sizes = {.steps = 1};

static bailey_status describe(void)
{
    bailey_description *d;
    return bailey_payoff_describe(&deal.payoff, &sizes, &d);
}

static const char *const names[1] = {"spot"}, *const volatility_names[1] = {"volatility"};
static double values[2] = {100, 110}, shifts[2] = {0, 0.1}, matrices[2] = {1, 1}, weights[2] = {1, -1},
              scores[3] = {1, 1, 1};
static uint64_t counts[12];
static bailey_simulation_run_params run = {
    .paths = 64,
    .replicates = 2,
    .scenarios = {.count = 2,
                  .columns = 1,
                  .names = names,
                  .values = values,
                  .time_shift = shifts,
                  .covariance = matrices,
                  .rows = 1,
                  .weights = weights,
                  .scores = scores},
    .histogram = {.low = 0, .high = 100, .bins = 10, .counts = counts}};

static bailey_status run_it(void)
{
    bailey_estimate e[4];
    return bailey_simulation_run(simulation, &run, e);
}

static bailey_greeks_params greeks = {
    .spots = names, .spot_count = 1, .volatilities = volatility_names, .volatility_count = 1};

static bailey_status derive(void)
{
    static const bailey_simulation_run_params plain = {.paths = 64};
    bailey_greek_estimate e[64];
    return bailey_simulation_greeks(simulation, &plain, &greeks, e);
}

static bailey_gradient_params gradient = {.names = names, .count = 1, .width = 1};

static bailey_status differentiate(void)
{
    static const bailey_simulation_run_params plain = {.paths = 64};
    bailey_derivative g[64];
    return bailey_simulation_gradient(simulation, &plain, &gradient, NULL, g);
}

static const bailey_simulation_params early = {
    .path = {.times = one_time, .steps = 1},
    .payoff = {.code =
                   "typedef struct { real x; } state;\n"
                   "void start(state *s, const params *p) { s->x = 0; }\n"
                   "void step(state *s, const params *p, int i, real t, const real x[]) { s->x = x[0]; }\n"
                   "real exercise(const state *s, const params *p, real t) { return fmax(s->x, 0); }\n"
                   "void finish(const state *s, const params *p, real out[]) { out[0] = s->x; }\n"}};
static bailey_exercise_params exercise = {.paths = 64};

static bailey_status find_policy(void)
{
    bailey_exercise_result result;
    bailey_simulation *policy;
    const bailey_status status = bailey_exercise_find(exercisable, &exercise, &result, &policy);
    bailey_simulation_destroy(policy);
    return status;
}

static bailey_exercise_bounds_params bounds = {.paths = 64, .outer_paths = 4, .inner_paths = 2};

static bailey_status find_bounds(void)
{
    static const bailey_exercise_params once = {.paths = 64};
    bailey_exercise_result result;
    bailey_exercise_bounds found;
    bailey_simulation *policy = NULL;
    bailey_status status = bailey_exercise_find(exercisable, &once, &result, &policy);
    if (status == BAILEY_OK) status = bailey_exercise_bound(policy, &bounds, &found);
    bailey_simulation_destroy(policy);
    return status;
}

static bailey_job_params job = {.run = {.paths = 64}, .target_error = 0.1};

static bailey_status run_job(void)
{
    bailey_estimate e[4];
    return bailey_job_run(&simulation, 1, &job, e, NULL);
}

static bailey_mlmc_params level_params = {
    .estimator = {.name = "european"}, .covariance = identity, .dims = 1};

static bailey_status create_levels(void)
{
    bailey_mlmc *m;
    return bailey_mlmc_create(context, &level_params, &m);
}

static double costs[3] = {1, 2, 4}, eps[1] = {1};
static bailey_mlmc_run_params level_run = {.eps = 1, .max_level = 2, .cost = costs};

static bailey_status run_levels(void)
{
    bailey_mlmc_result r;
    return bailey_mlmc_run(levels, &level_run, &r);
}

static bailey_status run_samples(void)
{
    static const uint64_t samples[6] = {32, 32, 32, 32, 32, 32};
    bailey_mlmc_result r;
    return bailey_mlmc_run_samples(levels, &level_run, samples, 3, &r);
}

static bailey_mlmc_test_params level_test = {
    .run = {.max_level = 2, .cost = costs}, .samples = 64, .finest = 2, .eps = eps, .eps_count = 1};

static bailey_status test_levels(void)
{
    static bailey_mlmc_report report;
    return bailey_mlmc_test(levels, &level_test, &report);
}

static double quote_times[2] = {0.5, 1}, quote_forwards[2] = {100, 101}, quote_strikes[2] = {90, 110},
              quote_volatilities[4] = {0.2, 0.2, 0.2, 0.2};
static bailey_volatility_quotes quotes = {.expiries = quote_times,
                                          .forwards = quote_forwards,
                                          .strikes = quote_strikes,
                                          .volatilities = quote_volatilities,
                                          .expiry_count = 2,
                                          .strike_count = 2};

static bailey_status find_local_volatility(void)
{
    static bailey_local_volatility grid;
    return bailey_local_volatility_find(&quotes, &grid);
}

static bailey_american_params american = {.assets = 2,
                                          .spot = spots,
                                          .volatility = volatilities,
                                          .dividend = dividends,
                                          .correlation = correlation,
                                          .strike = 100,
                                          .exercise_times = one_time,
                                          .exercise_count = 1,
                                          .paths = 64};

static bailey_status price(void)
{
    bailey_american_result r;
    return bailey_american_price(context, &american, &r);
}

static const struct subject subjects[] = {
    {"context_params", &opened, open_context, NULL},
    {"selftest_params", &selftest, test_itself, NULL},
    {"source", &source, generate_words, NULL},
    {"normal_params", &normal, generate_normals, NULL},
    {"variate_params", &variate, generate_variates, NULL},
    {"points_params", &points, generate_points, NULL},
    {"bridge_params", &bridge, create_bridge, NULL},
    {"motion_params", &motion, create_motion, NULL},
    {"simulation_params", &deal, create, NULL},
    {"describe_params", &sizes, describe, NULL},
    {"simulation_run_params", &run, run_it, "normal.precision"},
    {"gradient_params", &gradient, differentiate, NULL},
    {"greeks_params", &greeks, derive, NULL},
    {"exercise_params", &exercise, find_policy, "normal.precision"},
    {"exercise_bounds_params", &bounds, find_bounds, "normal.precision"},
    {"job_params", &job, run_job, "run.normal.precision"},
    {"mlmc_params", &level_params, create_levels, NULL},
    {"mlmc_run_params", &level_run, run_levels, "normal.precision"},
    {"mlmc_run_params", &level_run, run_samples,
     "normal.precision eps bias_share initial_samples min_level max_level schedule"},
    {"mlmc_test_params", &level_test, test_levels, "run.normal.precision run.eps"},
    {"american_params", &american, price, NULL},
    {"volatility_quotes", &quotes, find_local_volatility, NULL},
};

/* A struct of parameters is a subject, or part of one. */
static int is_tried(const bailey_record *r)
{
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        const bailey_record *other = bailey_describe(subjects[i].record);
        if (other == r) return 1;
        for (uint32_t k = 0; k < other->field_count; k++)
            if (other->fields[k].record && bailey_describe(other->fields[k].record) == r) return 1;
    }
    return 0;
}

TEST(no_struct_is_missing, DEVICE)
{
    const bailey_record *r;
    for (size_t i = 0; (r = bailey_describe_at(i)) != NULL; i++)
        if (!r->result && !is_tried(r)) fail_msg("%s is not tried", r->name);
}

TEST(fields_are_refused, DEVICE | LONG_ON_OPENCL)
{
    static const double hundred = 100, rate = 0.05, volatility = 0.2;
    if (!device.has_f64) skip();
    OK(bailey_simulation_create(context, &deal, &simulation));
    OK(bailey_simulation_set(simulation, "spot", &hundred, 1));
    OK(bailey_simulation_set(simulation, "strike", &hundred, 1));
    OK(bailey_simulation_set(simulation, "rate", &rate, 1));
    OK(bailey_simulation_set(simulation, "volatility", &volatility, 1));
    OK(bailey_simulation_create(context, &early, &exercisable));
    OK(bailey_mlmc_create(context, &level_params, &levels));
    OK(bailey_buffer_create(context, 4096, &numbers_out));
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        subject = &subjects[i];
        const int before = refusals;
        record("", bailey_describe(subject->record), subject->values);
        print_message("# %s: %d refusals\n", subject->record, refusals - before);
        assert_true(refusals > before);
        assert_true(refusals > before);
    }
    assert_int_equal(wrong, 0);
    bailey_buffer_destroy(numbers_out);
    bailey_mlmc_destroy(levels);
    bailey_simulation_destroy(simulation);
    bailey_simulation_destroy(exercisable);
}
