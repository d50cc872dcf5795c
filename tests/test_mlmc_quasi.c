/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Multilevel quasi-Monte Carlo on devices (src/host/mlmc/quasi_run.c): sums against a plain loop over the
 * points, to the bit; the same bits whatever the chunks; the built-in options against exact values, at less
 * cost than by multilevel Monte Carlo.
 */
#include <host/mlmc/mlmc_internal.h>

#include "harness.h"

#include <math.h>

enum { LEVELS = 5, REPLICATES = 6, MOST_POINTS = 256 };

/* A model that is none, in which every number counts. */
static const char text[] =
    "#define NORMALS 1\n"
    "#define UNIFORMS 1\n"
    "typedef struct { real spot; } params;\n"
    "typedef struct { real fine, coarse; } state;\n"
    "void start(state *s, const params *p, int level) { s->fine = p->spot; s->coarse = p->spot; }\n"
    "void step(state *s, const params *p, real t, real h, const noise *n) {\n"
    "    s->fine += s->fine * n->dw[0] + h * n->z[0] - h * n->u[0] * t;\n"
    "}\n"
    "void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m) {\n"
    "    s->fine += s->fine * n->dw[0] + h * n->z[0] - h * n->u[0] * t;\n"
    "    s->fine += s->fine * m->dw[0] + h * m->z[0] - h * m->u[0] * (t + h);\n"
    "    s->coarse += s->coarse * (n->dw[0] + m->dw[0]) + h * (n->z[0] + m->z[0]) - h * n->u[0] * t;\n"
    "}\n"
    "void finish(const state *s, const params *p, real t, real out[2]) {\n"
    "    out[0] = s->fine; out[1] = s->coarse;\n"
    "}\n";

static float moved(float x, float dw, float rise, float fall)
{
    const float grows = x * dw;
    const float risen = grows + rise;
    const float moves = risen - fall;
    return x + moves;
}

/* Y of sample s, of `row` numbers in a row. */
static double sample_of(const float *numbers, uint64_t row, uint64_t s, uint32_t level)
{
    const uint32_t steps = 1u << level;
    const float h = 1.0f / (float)steps, *dw = numbers + s, *z = dw + steps * row, *u = z + steps * row;
    float fine = 1.5f, coarse = 1.5f;
    for (uint32_t i = 0; i < steps; i++) {
        const float fall = h * u[i * row];
        fine = moved(fine, dw[i * row], h * z[i * row], fall * ((float)i * h));
        if (level == 0 || i % 2 == 0) continue;
        const float before = h * u[(i - 1) * row], sum = dw[(i - 1) * row] + dw[i * row];
        coarse = moved(coarse, sum, h * (z[(i - 1) * row] + z[i * row]), before * ((float)(i - 1) * h));
    }
    return level == 0 ? fine : (double)fine - (double)coarse;
}

/* The sum of a power of two of numbers as a tree. */
static double tree_of(const double *y, uint64_t count)
{
    return count == 1 ? y[0] : tree_of(y, count / 2) + tree_of(y + count / 2, count / 2);
}

/* Means of the replicates of a level. */
static void means_of(const bailey_source *source, uint32_t level, uint64_t points, double *means)
{
    struct bly_quasi_rows rows = {
        .paths = {.context = context, .first_steps = 1, .dims = 1, .normals = 1, .uniforms = 1, .time = 1}};
    const struct bly_quasi_chunk chunk = {level, 0, REPLICATES, 0, points};
    const uint64_t samples = REPLICATES * points,
                   bytes = bly_quasi_numbers(&rows.paths, level) * samples * sizeof(float);
    bailey_buffer *out = poisoned(bytes);
    double y[MOST_POINTS];
    OK(bly_quasi_rows_make(&rows, source, &chunk, out));
    float *numbers = harvest(out, bytes);
    for (uint32_t r = 0; r < REPLICATES; r++) {
        for (uint64_t p = 0; p < points; p++) y[p] = sample_of(numbers, samples, r * points + p, level);
        means[r] = tree_of(y, points) / (double)points;
    }
    free(numbers);
    bly_quasi_rows_free(&rows);
}

/* Whether the device has a compiler, and double precision. */
static int has_levels(bailey_status status)
{
    if (status == BAILEY_ERROR_UNSUPPORTED) print_message("# %s\n", bailey_error_message());
    return status != BAILEY_ERROR_UNSUPPORTED;
}

static bailey_mlmc_run_params run_params(double eps)
{
    return (bailey_mlmc_run_params){
        .source = {.generator = BAILEY_GENERATOR_SOBOL, .seed = 1, .scramble = BAILEY_SCRAMBLE_OWEN},
        .eps = eps,
        .max_level = 13};
}

static bailey_mlmc *own_levels(void)
{
    const bailey_mlmc_params params = {.estimator = {.code = text}};
    const double spot = 1.5;
    bailey_mlmc *mlmc = NULL;
    OK(bailey_mlmc_create(context, &params, &mlmc));
    OK(bailey_mlmc_set(mlmc, "spot", &spot, 1));
    return mlmc;
}

TEST(sums_to_the_bit, DEVICE | LONG_ON_OPENCL)
{
    static const uint64_t points[LEVELS] = {256, 32, 64, 128, 32};
    const struct {
        bailey_scramble scramble;
        uint32_t word_bits;
    } kinds[] = {{BAILEY_SCRAMBLE_OWEN, 32}, {BAILEY_SCRAMBLE_SHIFT, 64}};
    bailey_mlmc *mlmc = own_levels();
    bailey_mlmc_run_params params = run_params(0);
    params.replicates = REPLICATES;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        uint64_t samples[LEVELS];
        bailey_mlmc_result result;
        double value = 0;
        params.source.scramble = kinds[k].scramble;
        params.source.word_bits = kinds[k].word_bits;
        for (int l = 0; l < LEVELS; l++) samples[l] = REPLICATES * points[l];
        const bailey_status status = bly_quasi_run_samples(mlmc, &params, samples, LEVELS, &result);
        if (!has_levels(status)) break;
        OK(status);
        for (uint32_t l = 0; l < LEVELS; l++) {
            double means[REPLICATES], sum = 0, squares = 0;
            means_of(&params.source, l, points[l], means);
            for (int r = 0; r < REPLICATES; r++) sum += means[r];
            for (int r = 0; r < REPLICATES; r++)
                squares += (means[r] - sum / REPLICATES) * (means[r] - sum / REPLICATES);
            assert_true(result.level[l].mean == sum / REPLICATES);
            assert_float_equal(result.level[l].variance, squares / (REPLICATES - 1), 1e-12 * squares);
            assert_int_equal(result.level[l].samples, samples[l]);
            value += result.level[l].mean;
        }
        assert_true(result.mean == value);
    }
    bailey_mlmc_destroy(mlmc);
}

static void assert_same(const bailey_mlmc_result *a, const bailey_mlmc_result *b)
{
    assert_true(a->mean == b->mean && a->standard_error == b->standard_error && a->bias == b->bias);
    assert_true(a->cost == b->cost && a->levels == b->levels && a->rounds == b->rounds);
    for (uint32_t l = 0; l < a->levels; l++) {
        assert_int_equal(a->level[l].samples, b->level[l].samples);
        assert_true(a->level[l].mean == b->level[l].mean && a->level[l].variance == b->level[l].variance);
    }
}

TEST(any_chunks, DEVICE | LONG_ON_OPENCL)
{
    bailey_mlmc *mlmc = own_levels();
    bailey_mlmc_run_params params = run_params(0.02);
    bailey_mlmc_result first, result;
    params.max_level = 8;
    const bailey_status status = bly_quasi_run(mlmc, &params, &first);
    if (has_levels(status)) {
        /* the smallest has some points of one replicate */
        static const uint64_t chunk_bytes[] = {1, 30000, 1000000};
        OK(status);
        for (int i = 0; i < 3; i++) {
            const struct bly_quasi_options options = {.chunk_bytes = chunk_bytes[i]};
            OK(bly_quasi_run_with(mlmc, &params, &options, &result));
            assert_same(&first, &result);
        }
    }
    bailey_mlmc_destroy(mlmc);
}

/* ---- The options --------------------------------------------------------------------------------- */

struct option {
    const char *name;
    double exact; /* closed forms; the Asian option's from a finite-difference solution, +- 2e-5 */
    int smooth;
};

static const struct option options[] = {{"european", 10.4505835722, 1},
                                        {"asian", 5.76309, 1},
                                        {"lookback", 17.2168022374, 1},
                                        {"digital", 53.2324815454, 0},
                                        {"barrier", 9.9492703086, 0}};

static bailey_mlmc *levels_of(const struct option *option)
{
    static const struct {
        const char *name;
        double value;
    } values[] = {{"spot", 100}, {"strike", 100}, {"rate", 0.05}, {"volatility", 0.2},
                  {"cash", 100}, {"barrier", 85}, {"side", -1}};
    const bailey_mlmc_params params = {.estimator = {.name = option->name}};
    bailey_mlmc *mlmc = NULL;
    uint64_t count;
    OK(bailey_mlmc_create(context, &params, &mlmc));
    for (size_t i = 0; bailey_mlmc_parameter(mlmc, i, &count); i++)
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            if (strcmp(bailey_mlmc_parameter(mlmc, i, &count), values[k].name) == 0)
                OK(bailey_mlmc_set(mlmc, values[k].name, &values[k].value, 1));
    return mlmc;
}

/* The cost of multilevel Monte Carlo at the same eps. */
static double plain_cost(bailey_mlmc *mlmc, double eps)
{
    bailey_mlmc_run_params params = {
        .eps = eps, .initial_samples = 1000, .bias_share = 0.25, .min_level = 2, .max_level = 13};
    struct bly_term_sums sums;
    struct bly_batched *batched = NULL;
    struct bly_mlmc_state state = {0};
    bailey_mlmc_result result;
    OK(bly_term_sums_create(BLY_LEVEL_RUN_ROWS, 1, &sums));
    OK(bly_batched_create(mlmc, &params, &sums, &batched));
    const struct bly_sampler sampler = bly_batched_sampler(batched);
    OK(bly_mlmc_drive(&params, 1, &sampler, &sums, &state, &result));
    bly_batched_destroy(batched);
    bly_term_sums_free(&sums);
    return result.cost;
}

/* Each within 3 eps with one seed; where programs are quickly compiled, root-mean-square errors of many. */
TEST(options_to_eps, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    const int seeds = strncmp(device.address, "cpu", 3) == 0 ? 20 : 1;
    const double eps = seeds > 1 ? 0.02 : 0.05;
    for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
        if (seeds == 1 && o > 1) break; /* there programs take long to compile */
        bailey_mlmc *mlmc = levels_of(&options[o]);
        bailey_mlmc_run_params params = run_params(eps);
        double squares = 0, cost = 0;
        for (int seed = 1; seed <= seeds; seed++) {
            bailey_mlmc_result result;
            params.source.seed = (uint64_t)seed;
            const bailey_status status = bly_quasi_run(mlmc, &params, &result);
            if (!has_levels(status)) {
                bailey_mlmc_destroy(mlmc);
                return;
            }
            OK(status);
            assert_true(result.converged);
            const double error = (result.mean - options[o].exact) / eps;
            squares += error * error;
            cost += result.cost / seeds;
        }
        /* For 20 errors the root mean square has itself an error of 16 %. */
        assert_true(seeds > 1 ? squares / seeds <= 1.4 * 1.4 : squares <= 3 * 3);
        if (seeds > 1 && options[o].smooth) assert_true(cost < 0.7 * plain_cost(mlmc, eps));
        bailey_mlmc_destroy(mlmc);
    }
}

/* The bridge puts what matters into the first dimensions: a random walk of the same points spreads more. */
TEST(bridges_pay, DEVICE | REPEATED_ON_OPENCL)
{
    enum { POINTS = 4096, FINEST = 5 };
    bailey_mlmc *mlmc = levels_of(&options[1]);
    double spread[2];
    for (int walk = 0; walk < 2; walk++) {
        bailey_mlmc_run_params params = run_params(1);
        const struct bly_quasi_options how = {.construction = walk ? BAILEY_CONSTRUCTION_WALK
                                                                   : BAILEY_CONSTRUCTION_BRIDGE};
        struct bly_quasi_level rows[FINEST + 1];
        const bailey_status status = bly_quasi_run_tables(mlmc, &params, &how, POINTS, FINEST + 1, rows);
        if (!has_levels(status)) break;
        OK(status);
        for (int l = 0; l <= FINEST; l++) {
            assert_true(rows[l].check < 1);
            assert_true(walk || rows[l].fine_spread < 0.05 * rows[l].fine_variance);
        }
        spread[walk] = rows[FINEST].fine_spread;
        if (walk) assert_true(spread[0] < 0.5 * spread[1]);
    }
    bailey_mlmc_destroy(mlmc);
}

/* ---- Refusals ------------------------------------------------------------------------------------ */

static void refused(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params, const char *argument,
                    const char *words)
{
    bailey_mlmc_result result = {.mean = 42};
    assert_int_equal(bly_quasi_run(mlmc, params, &result), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), argument);
    assert_non_null(strstr(bailey_error_message(), words));
    assert_true(result.mean == 42);
}

TEST(refusals, DEVICE)
{
    bailey_mlmc *mlmc = own_levels();
    bailey_mlmc_run_params params = run_params(0.1);
    params.max_level = 13; /* of three numbers per step */
    refused(mlmc, &params, "max_level", "12");
    params.max_level = 0;
    params.min_level = 13;
    refused(mlmc, &params, "min_level", "21201");
    params.min_level = 0;
    params.source.scramble = BAILEY_SCRAMBLE_NONE;
    refused(mlmc, &params, "scramble",
            "scramble is BAILEY_SCRAMBLE_NONE, so all replicates of points are the same and give no error "
            "estimate");
    params.source.scramble = BAILEY_SCRAMBLE_OWEN;
    params.replicates = 1;
    refused(mlmc, &params, "replicates", "from 2 to 1024");
    params.replicates = 0;
    params.source.stream = UINT64_MAX - 1022;
    refused(mlmc, &params, "stream", "2^64");
    params.source.stream = 0;
    params.normal.method = BAILEY_NORMAL_METHOD_BOX_MULLER;
    refused(mlmc, &params, "method", "inverse CDF");
    params.normal.method = BAILEY_NORMAL_METHOD_ICDF;
    params.schedule = BAILEY_MLMC_SCHEDULE_PERSISTENT;
    refused(mlmc, &params, "schedule", "BATCHED");
    params.schedule = BAILEY_MLMC_SCHEDULE_BATCHED;
    params.source = (bailey_source){0};
    refused(mlmc, &params, "generator", "has no points");
    bailey_mlmc_destroy(mlmc);
}
