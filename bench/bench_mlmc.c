/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The tables `run` and `rate` of `bailey bench mlmc`, and what all of its tables use: the built-in levels
 * with their exact prices, and runs or samples of them as timed.
 */
#include "bench_mlmc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The price that Black and Scholes's model has in closed form, checked by quadrature; of the Asian option by
 * Vecer's equation (Crank-Nicolson, 8000 x 8000), to 2e-5. */
const struct mlmc_problem mlmc_problems[PLAIN_OPTIONS] = {
    {"european", 10.4505835722}, {"asian", 5.76309},        {"lookback", 17.2168022374},
    {"digital", 53.2324815454},  {"barrier", 9.9492703086},
};

static const struct {
    const char *name;
    double value;
} settings[] = {{"spot", 100},   {"strike", 100}, {"rate", 0.05}, {"volatility", 0.2},
                {"barrier", 85}, {"side", -1},    {"cash", 100},  {"dividend", 0}};

const char *const mlmc_numbers_names[MLMC_NUMBERS] = {"exact/f32", "fast/f32", "exact/f64"};

static const bailey_normal_params normals[MLMC_NUMBERS] = {
    {.method = BAILEY_NORMAL_METHOD_ICDF, .numerics = BAILEY_NUMERICS_EXACT},
    {.method = BAILEY_NORMAL_METHOD_BOX_MULLER, .numerics = BAILEY_NUMERICS_FAST},
    {.method = BAILEY_NORMAL_METHOD_ICDF,
     .precision = BAILEY_PRECISION_F64,
     .numerics = BAILEY_NUMERICS_EXACT},
};

/* ---- What all tables share ---- */

int mlmc_bench_create(struct mlmc_bench *bench)
{
    const int processor = bench->base.device.kind == BAILEY_DEVICE_KIND_CPU;
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned threads = processor ? bench->base.device.units : online > 0 ? (unsigned)online : 1;
    int code = bench_host_create(threads, &bench->all);
    if (!code) code = bench_host_create(1, &bench->one);
    if (code) return code;
    bench->meter = bench_energy_open(&bench->base.device, bench->meter_why, sizeof bench->meter_why);
    bench->host_meter = bench_energy_open(NULL, bench->host_meter_why, sizeof bench->host_meter_why);
    return CLI_OK;
}

void mlmc_bench_destroy(struct mlmc_bench *bench)
{
    bench_energy_close(bench->host_meter);
    bench_energy_close(bench->meter);
    bench_host_destroy(bench->one);
    bench_host_destroy(bench->all);
}

/* Every parameter of the text is one of ours: a new one would be 0 unnoticed. */
static bailey_status set_parameters(bailey_mlmc *mlmc)
{
    const char *name;
    bailey_status status = BAILEY_OK;
    for (size_t i = 0; (name = bailey_mlmc_parameter(mlmc, i, NULL)) != NULL && !status; i++) {
        status = BAILEY_ERROR_INVALID;
        for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
            if (!strcmp(settings[k].name, name)) status = bailey_mlmc_set(mlmc, name, &settings[k].value, 1);
    }
    return status;
}

bailey_status mlmc_subject_create(struct mlmc_bench *bench, enum plain_option option,
                                  enum mlmc_numbers numbers, uint32_t first_steps, double eps,
                                  struct mlmc_subject *subject)
{
    const bailey_mlmc_params params = {.estimator = {.name = mlmc_problems[option].name},
                                       .precision = normals[numbers].precision,
                                       .first_steps = first_steps};
    memset(subject, 0, sizeof *subject);
    subject->params = (bailey_mlmc_run_params){
        .source = {.generator = BAILEY_GENERATOR_PHILOX, .seed = 1}, .normal = normals[numbers], .eps = eps};
    const bailey_status status = bailey_mlmc_create(bench->base.context, &params, &subject->mlmc);
    return status ? status : set_parameters(subject->mlmc);
}

void mlmc_subject_destroy(struct mlmc_subject *subject) { bailey_mlmc_destroy(subject->mlmc); }

bailey_status mlmc_subject_run(void *user)
{
    struct mlmc_subject *s = user;
    const double begun = bench_processor_seconds();
    memset(&s->result, 0xff, sizeof s->result);
    const bailey_status status =
        s->levels ? bailey_mlmc_run_samples(s->mlmc, &s->params, s->samples, s->levels, &s->result)
                  : bailey_mlmc_run(s->mlmc, &s->params, &s->result);
    s->processor_seconds += bench_processor_seconds() - begun;
    return status;
}

uint64_t mlmc_round_up(uint64_t samples) { return (samples + 31) / 32 * 32; }

void mlmc_subject_sample(struct mlmc_subject *subject, const bailey_mlmc_result *result, uint64_t times)
{
    subject->levels = result->levels;
    for (uint32_t l = 0; l < result->levels; l++) subject->samples[l] = times * result->level[l].samples;
}

double mlmc_subject_steps(const struct mlmc_subject *subject)
{
    double steps = 0;
    for (uint32_t l = 0; l < subject->levels; l++) steps += ldexp((double)subject->samples[l], (int)l);
    return steps;
}

void mlmc_figures(struct bench_row *row, const struct bench_timed *timed, double amount, double rival_amount)
{
    bench_figures(row, timed, 1, amount);
    row->reference = rival_amount / timed[1].median;
    row->ratio = row->value / row->reference;
}

void mlmc_check(struct bench_row *row, enum plain_option option, double value, double error, double bias)
{
    const double exact = mlmc_problems[option].exact;
    bench_fact_number(row, "price", value);
    bench_fact_number(row, "exact_price", exact);
    /* NaN is not within anything */
    if (fabs(value - exact) <= 4 * error + bias + 1e-4) return;
    bench_fail(row, "the price is %.9g, exactly %.9g, the error %.3g", value, exact, error);
}

const char *mlmc_samples_text(struct mlmc_bench *bench, const uint64_t *samples, uint32_t levels)
{
    size_t used = 0;
    *bench->text = 0;
    for (uint32_t l = 0; l < levels && used < sizeof bench->text; l++)
        used += (size_t)snprintf(bench->text + used, sizeof bench->text - used, "%s%llu", l ? " " : "",
                                 (unsigned long long)samples[l]);
    return bench->text;
}

/* ---- Runs ---- */

static const double usual_eps[] = {0.001, 0.002, 0.005, 0.01, 0.02};

static const struct run_kind {
    const char *name;
    enum mlmc_numbers numbers;
    bailey_mlmc_schedule schedule;
    bailey_mlmc_approximation approximate;
    int points; /* scrambled, of Sobol */
} run_kinds[] = {
    {.name = "exact/f32", .numbers = MLMC_F32},
    {.name = "fast/f32", .numbers = MLMC_FAST_F32},
    {.name = "exact/f64", .numbers = MLMC_F64},
    {.name = "constant/f32", .approximate = BAILEY_MLMC_APPROXIMATION_CONSTANT},
    {.name = "dyadic/f32", .approximate = BAILEY_MLMC_APPROXIMATION_DYADIC},
    {.name = "sobol/f32", .points = 1},
    /* for CUDA */
    {.name = "exact/f32/persistent", .numbers = MLMC_F32, .schedule = BAILEY_MLMC_SCHEDULE_PERSISTENT},
    {.name = "fast/f32/persistent", .numbers = MLMC_FAST_F32, .schedule = BAILEY_MLMC_SCHEDULE_PERSISTENT},
    {.name = "exact/f64/persistent", .numbers = MLMC_F64, .schedule = BAILEY_MLMC_SCHEDULE_PERSISTENT},
};
#define RUN_KINDS (sizeof run_kinds / sizeof *run_kinds)
#define PERSISTENT_KINDS 3

struct run_line {
    enum plain_option option;
    double eps;
    const struct run_kind *kind;
};

static int run_line(const struct mlmc_bench *bench, size_t index, struct run_line *line)
{
    const size_t count = bench->eps_count ? (size_t)bench->eps_count : sizeof usual_eps / sizeof *usual_eps;
    const size_t kinds =
        strncmp(bench->base.device.address, "cuda", 4) ? RUN_KINDS - PERSISTENT_KINDS : RUN_KINDS;
    line->kind = &run_kinds[index % kinds];
    index /= kinds;
    line->eps = (bench->eps_count ? bench->eps : usual_eps)[index % count];
    index /= count;
    line->option = (enum plain_option)index;
    return index < PLAIN_OPTIONS;
}

int mlmc_run_name(const struct bench *bench, size_t index, char *name)
{
    struct run_line line;
    if (!run_line((const struct mlmc_bench *)bench, index, &line)) return 0;
    snprintf(name, BENCH_NAME, "mlmc/run/%s/%g/%s", mlmc_problems[line.option].name, line.eps,
             line.kind->name);
    return 1;
}

/* Other algorithms, to the same error. */
static int is_variant(const struct run_kind *kind) { return kind->approximate || kind->points; }

/* Steps of fine paths, those of corrections too. */
static double result_steps(const bailey_mlmc_result *r)
{
    double steps = 0;
    for (uint32_t l = 0; l < r->levels; l++)
        steps += ldexp((double)(r->level[l].samples + r->correction[l].samples), (int)l);
    return steps;
}

static void describe_run(struct mlmc_bench *bench, const struct mlmc_subject *run,
                         const struct bench_timed *subject, struct bench_row *row)
{
    const bailey_mlmc_result *r = &run->result;
    uint64_t samples[BAILEY_MLMC_MAX_LEVELS];
    for (uint32_t l = 0; l < r->levels; l++) samples[l] = r->level[l].samples;
    row->count = (uint64_t)result_steps(r);
    bench_fact_number(row, "processor_seconds",
                      run->processor_seconds / (double)(subject->calls * subject->batches));
    bench_fact_number(row, "standard_error", r->standard_error);
    bench_fact_number(row, "bias", r->bias);
    bench_fact_number(row, "converged", r->converged);
    bench_fact_number(row, "rounds", r->rounds);
    bench_fact_text(row, "samples", mlmc_samples_text(bench, samples, r->levels));
}

static bailey_status forget_processor(void *user)
{
    struct mlmc_subject *subject = user;
    subject->processor_seconds = 0;
    return BAILEY_OK;
}

static void choose_kind(const struct run_kind *kind, bailey_mlmc_run_params *params)
{
    params->schedule = kind->schedule;
    params->approximate = kind->approximate;
    if (kind->points)
        params->source =
            (bailey_source){.generator = BAILEY_GENERATOR_SOBOL, .seed = 1, .scramble = BAILEY_SCRAMBLE_OWEN};
}

static void fill_run(struct mlmc_bench *bench, const struct run_line *line, const struct mlmc_subject *run,
                     const struct mlmc_subject *rival, const struct bench_timed *timed, struct bench_row *row)
{
    const bailey_mlmc_result *r = &run->result;
    const int variant = is_variant(line->kind);
    mlmc_figures(row, timed, 1e-9 * result_steps(r),
                 1e-9 * (variant ? result_steps(&rival->result) : mlmc_subject_steps(rival)));
    if (variant) {
        row->ratio = timed[1].median / timed[0].median;
        bench_fact_number(row, "reference_seconds", timed[1].median);
    }
    describe_run(bench, run, &timed[0], row);
    mlmc_check(row, line->option, r->mean, line->eps, r->converged ? 0 : r->bias);
    snprintf(row->note, sizeof row->note, "%.5f %+.2f eps%s", r->mean,
             (r->mean - mlmc_problems[line->option].exact) / line->eps, r->converged ? "" : ", bias left");
}

/* Compares a run with one launch of samples in the same proportions, so that RATIO is the speed that adaptive
 * rounds leave; or, for another algorithm, with the exact run, so that RATIO compares times. */
static void measure_run(struct mlmc_bench *bench, const struct run_line *line, struct mlmc_subject *run,
                        struct mlmc_subject *rival, struct bench_row *row)
{
    struct bench_timed timed[2] = {{.queue = mlmc_subject_run, .user = run},
                                   {.queue = mlmc_subject_run, .user = rival}};
    choose_kind(line->kind, &run->params);
    if (bench_trouble(row, mlmc_subject_run(run), "")) return;
    if (!is_variant(line->kind))
        mlmc_subject_sample(rival, &run->result, 1 + bench->steps / (uint64_t)run->result.cost);
    if (!bench_trouble(
            row, bench_time(bench->base.context, &bench->base.settings, timed, 2, forget_processor, run), ""))
        fill_run(bench, line, run, rival, timed, row);
}

void mlmc_run_measure(struct bench *base, size_t index, struct bench_row *row)
{
    struct mlmc_bench *bench = (struct mlmc_bench *)base;
    struct run_line line;
    struct mlmc_subject run, rival;
    run_line(bench, index, &line);
    row->unit = "G steps/s";
    row->of = is_variant(line.kind) ? "exact run" : "one launch";
    bailey_status status = mlmc_subject_create(bench, line.option, line.kind->numbers, 0, line.eps, &run);
    const bailey_status second =
        mlmc_subject_create(bench, line.option, line.kind->numbers, 0, line.eps, &rival);
    if (!status) status = second;
    if (!bench_trouble(row, status, "")) measure_run(bench, &line, &run, &rival, row);
    mlmc_subject_destroy(&run);
    mlmc_subject_destroy(&rival);
}

/* ---- Launches ---- */

enum { MIX = -1, LARGE_MIX = -2 };
static const struct rate_line {
    int level;    /* alone, or the mix */
    int european; /* only of that one */
    const char *name;
} rate_lines[] = {
    {0, 1, "level0"},
    {1, 1, "level1"},
    {3, 0, "level3"},
    {6, 1, "level6"},
    {10, 1, "level10"},
    {MIX, 0, "mix"},
    {LARGE_MIX, 0, "large-mix"},
};
#define RATE_LINES (sizeof rate_lines / sizeof *rate_lines)

/* M. Giles, "CUDA implementation of MLMC on NVIDIA GPUs", MCM 2025: a European call at eps = 0.001. */
static const uint64_t mix[] = {298508288, 5834752, 2215936, 825344, 299264, 108288,
                               38592,     13888,   4992,    1792,   640};
#define MIX_LEVELS (sizeof mix / sizeof *mix)

/* Row `index` in order of option, numbers, line, without lines that an option lacks. */
static const struct rate_line *rate_line(size_t index, enum plain_option *option, enum mlmc_numbers *numbers)
{
    for (size_t i = 0; i < PLAIN_OPTIONS * MLMC_NUMBERS * RATE_LINES; i++) {
        const struct rate_line *line = &rate_lines[i % RATE_LINES];
        *numbers = (enum mlmc_numbers)(i / RATE_LINES % MLMC_NUMBERS);
        *option = (enum plain_option)(i / RATE_LINES / MLMC_NUMBERS);
        if (*option != PLAIN_EUROPEAN && line->european) continue;
        if (!index--) return line;
    }
    return NULL;
}

int mlmc_rate_name(const struct bench *bench, size_t index, char *name)
{
    enum plain_option option;
    enum mlmc_numbers numbers;
    const struct rate_line *line = rate_line(index, &option, &numbers);
    (void)bench;
    if (!line) return 0;
    snprintf(name, BENCH_NAME, "mlmc/rate/%s/%s/%s", mlmc_problems[option].name, line->name,
             mlmc_numbers_names[numbers]);
    return 1;
}

static void choose_mix(struct mlmc_subject *subject, uint64_t times, uint64_t shrink)
{
    subject->levels = MIX_LEVELS;
    for (uint32_t l = 0; l < MIX_LEVELS; l++)
        subject->samples[l] = times * mlmc_round_up((mix[l] + shrink - 1) / shrink);
}

/* For a large launch at least as many steps as wanted; a mix in a quick benchmark is a small one. */
static void choose_samples(const struct mlmc_bench *bench, const struct rate_line *line,
                           struct mlmc_subject *subject)
{
    const uint64_t shrink = bench->base.settings.batch_seconds > 0 ? 1 : 10000;
    if (line->level < 0) choose_mix(subject, 1, shrink);
    if (line->level == LARGE_MIX)
        choose_mix(subject, 1 + bench->steps / (uint64_t)mlmc_subject_steps(subject), shrink);
    if (line->level < 0) return;
    subject->levels = (uint32_t)line->level + 1;
    subject->samples[line->level] = mlmc_round_up(1 + (bench->steps >> line->level));
}

static bailey_status create_rate(struct mlmc_bench *bench, enum plain_option option,
                                 enum mlmc_numbers numbers, const struct rate_line *line,
                                 struct mlmc_subject *subject)
{
    const bailey_status status = mlmc_subject_create(bench, option, numbers, 0, 1, subject);
    choose_samples(bench, line, subject);
    return status;
}

static void measure_rate(struct mlmc_bench *bench, struct mlmc_subject *launch, struct mlmc_subject *large,
                         struct bench_row *row)
{
    struct bench_timed timed[2] = {{.queue = mlmc_subject_run, .user = launch},
                                   {.queue = mlmc_subject_run, .user = large}};
    const double steps = mlmc_subject_steps(launch);
    if (bench_trouble(
            row, bench_time(bench->base.context, &bench->base.settings, timed, 2, forget_processor, launch),
            ""))
        return;
    mlmc_figures(row, timed, 1e-9 * steps, 1e-9 * mlmc_subject_steps(large));
    row->count = (uint64_t)steps;
    bench_fact_number(row, "processor_seconds",
                      launch->processor_seconds / (double)(timed[0].calls * timed[0].batches));
    bench_fact_text(row, "samples", mlmc_samples_text(bench, launch->samples, launch->levels));
    snprintf(row->note, sizeof row->note, "%.5f", launch->result.mean);
}

/* All levels of a mix make the price. */
static void check_rate(const struct mlmc_subject *launch, enum plain_option option,
                       const struct rate_line *line, struct bench_row *row)
{
    const bailey_mlmc_result *r = &launch->result;
    if (line->level < 0) {
        mlmc_check(row, option, r->mean, r->standard_error, 2 * fabs(r->bias));
        return;
    }
    bench_fact_number(row, "price", r->mean);
    if (!isfinite(r->mean) || !(r->standard_error >= 0)) {
        bench_fail(row, "the mean is %g, its error %g", r->mean, r->standard_error);
    }
}

void mlmc_rate_measure(struct bench *base, size_t index, struct bench_row *row)
{
    struct mlmc_bench *bench = (struct mlmc_bench *)base;
    enum plain_option option;
    enum mlmc_numbers numbers;
    struct mlmc_subject launch, large;
    const struct rate_line *line = rate_line(index, &option, &numbers);
    row->unit = "G steps/s";
    row->of = "large mix";
    bailey_status status = create_rate(bench, option, numbers, line, &launch);
    const bailey_status second = create_rate(bench, option, numbers, &rate_lines[RATE_LINES - 1], &large);
    if (!status) status = second;
    if (!bench_trouble(row, status, "")) measure_rate(bench, &launch, &large, row);
    if (row->state == BENCH_MEASURED) check_rate(&launch, option, line, row);
    mlmc_subject_destroy(&launch);
    mlmc_subject_destroy(&large);
}
