/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Scenarios of a run: each equals a separate run, bit for bit; rows are sums of samples; paths that move
 * follow a plain formula, and the law of the motion that they stand for; what is refused.
 */
#include <base/alloc.h>
#include <host/internal.h>

#include "api.h"
#include "simulations.h"

static const char steps_text[] =
    "typedef struct { real spot, weight[2]; int kind; real rate; /* [default 0] */ } params;\n"
    "typedef struct { real sum, last, time; } state;\n"
    "void start(state *s, const params *p) { s->sum = 0; s->last = p->spot; s->time = 0; }\n"
    "void step(state *s, const params *p, int i, real t, const real x[])\n"
    "{\n"
    "    s->last = p->spot * exp(p->rate * t + p->weight[0] * x[0] + p->weight[1] * x[DIMS - 1]);\n"
    "    s->sum += s->last;\n"
    "    s->time = t;\n"
    "}\n"
    "void finish(const state *s, const params *p, real out[2])\n"
    "{\n"
    "    out[0] = fmax(s->sum / STEPS - 1, 0) * exp(-p->rate * s->time);\n"
    "    out[1] = p->kind > 1 ? s->last : s->last * s->last;\n"
    "}\n";

static const char whole_text[] =
    "typedef struct { real spot, weight[2]; int kind; real rate; /* [default 0] */ } params;\n"
    "void whole(const params *p, path x, real out[2])\n"
    "{\n"
    "    real last = 0, sum = 0;\n"
    "    for (int i = 0; i < STEPS; i++) {\n"
    "        last = p->spot * exp(p->rate * time(x, i) + p->weight[0] * at(x, i, 0) + p->weight[1] * at(x, "
    "i, "
    "DIMS - 1));\n"
    "        sum += last;\n"
    "    }\n"
    "    out[0] = fmax(sum / STEPS - 1, 0) * exp(-p->rate * time(x, STEPS - 1));\n"
    "    out[1] = p->kind > 1 ? last : last * last;\n"
    "}\n";

static const double times[4] = {0.5, 1, 1.75, 3};
static const double correlated[4] = {1, 0.5, 0.5, 4};

static const char *const columns[4] = {"weight[1]", "spot", "kind", "rate"};

enum { COLUMNS = 4, OUTPUTS = 2 };

/* Column c of scenario i. */
static double value_of(uint64_t i, uint32_t c)
{
    return c == 0   ? 0.125 * (double)(i % 7)
           : c == 1 ? 1 + 0.0625 * (double)i
           : c == 2 ? (double)(i % 3)
                    : 0.01 * (double)(i % 5);
}

static void fill_values(double *values, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        for (uint32_t c = 0; c < COLUMNS; c++) values[i * COLUMNS + c] = value_of(i, c);
}

static void set_scenario(bailey_simulation *s, uint64_t i)
{
    const double weight[2] = {0.25, value_of(i, 0)};
    OK(bailey_simulation_set(s, "weight", weight, 2));
    set(s, "spot", value_of(i, 1));
    set(s, "kind", value_of(i, 2));
    set(s, "rate", value_of(i, 3));
}

static bailey_simulation *make(const char *text, bailey_bridge_params path)
{
    bailey_simulation *s = simulation_of(text, path);
    const double weight[2] = {0.25, 7};
    OK(bailey_simulation_set(s, "weight", weight, 2));
    return s;
}

static const bailey_bridge_params two = {.times = times, .steps = 4, .dims = 2, .covariance = correlated};

static bailey_bridge_params two_in(int f64)
{
    bailey_bridge_params path = two;
    path.precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
    return path;
}

/* Whether to leave out tests that need extra programs: where compiling is slow. */
static int quick(void)
{
    return strcmp(context->device->backend->name, "cpu") != 0 && !getenv("BAILEY_TEST_LARGE");
}

/* ---- Each scenario alone ------------------------------------------------------------------------- */

struct kind {
    const char *name, *text;
    int f64;
    bailey_construction construction;
    bailey_bridge_output output;
    bailey_simulation_run_params run;
};

static const struct kind kinds[] = {
    {.name = "bridge", .text = steps_text, .run = {.source = {.seed = 3}, .antithetic = 1, .moments = 1}},
    {.name = "walk",
     .text = steps_text,
     .f64 = 1,
     .construction = BAILEY_CONSTRUCTION_WALK,
     .run = {.source = {.seed = 3, .generator = BAILEY_GENERATOR_WARP}, .replicates = 3, .first_path = 70}},
    {.name = "increments of points",
     .text = steps_text,
     .construction = BAILEY_CONSTRUCTION_WALK,
     .output = BAILEY_BRIDGE_OUTPUT_INCREMENTS,
     .run = {.source = {.generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_OWEN},
             .replicates = 2}},
    {.name = "whole", .text = whole_text, .f64 = 1, .run = {.source = {.seed = 9}, .antithetic = 1}}};

static void check_alone(const struct kind *kind, bailey_simulation *s,
                        const bailey_simulation_run_params *all, const void *samples,
                        const bailey_estimate *e, uint64_t scenario)
{
    const bailey_precision precision = kind->f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
    const uint64_t replicates = all->replicates ? all->replicates : 1;
    const size_t bytes = (size_t)(replicates * all->paths * OUTPUTS) * real_bytes(precision);
    bailey_simulation_run_params run = *all;
    bailey_estimate own[OUTPUTS];
    memset(&run.scenarios, 0, sizeof run.scenarios);
    set_scenario(s, scenario);
    void *alone = run_for_samples(s, run, precision, own);
    same_bits(kind->name, (const char *)samples + scenario * bytes, alone, bytes / real_bytes(precision),
              real_bytes(precision));
    same_bits(kind->name, e + scenario * OUTPUTS, own, sizeof own / 8, 8);
    free(alone);
}

static void *scenario_samples(bailey_simulation *s, bailey_simulation_run_params run,
                              bailey_precision precision, uint64_t results, bailey_estimate *e)
{
    const uint64_t replicates = run.replicates ? run.replicates : 1;
    const uint64_t bytes = results * replicates * run.paths * real_bytes(precision);
    run.samples = poisoned(bytes);
    OK(bailey_simulation_run(s, &run, e));
    return harvest(run.samples, bytes);
}

TEST(each_alone, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    enum { COUNT = 5 };
    if (!simulates()) skip();
    double values[COUNT * COLUMNS];
    fill_values(values, COUNT);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (quick() && i % (only_drawn() ? 2 : 3) != 0) continue;
        bailey_bridge_params path = two_in(kinds[i].f64);
        path.construction = kinds[i].construction;
        path.output = kinds[i].output;
        bailey_simulation *s = make(kinds[i].text, path);
        bailey_simulation_run_params run = kinds[i].run;
        bailey_estimate e[COUNT * OUTPUTS];
        run.paths = 1003;
        run.scenarios =
            (bailey_scenarios){.count = COUNT, .columns = COLUMNS, .names = columns, .values = values};
        void *samples = scenario_samples(s, run, path.precision, COUNT * OUTPUTS, e);
        for (uint64_t k = 0; k < COUNT; k++) check_alone(&kinds[i], s, &run, samples, e, k);
        free(samples);
        bailey_simulation_destroy(s);
    }
}

/* So many that they take several passes, with a histogram of one of the last results. */
TEST(many, DEVICE | LONG_ON_OPENCL)
{
    enum { COUNT = 100, BINS = 5 };
    if (!simulates() || only_drawn()) skip();
    static double values[COUNT * COLUMNS];
    static bailey_estimate e[COUNT * OUTPUTS];
    uint64_t counts[BINS + 2], alone[BINS + 2];
    fill_values(values, COUNT);
    bailey_simulation *s = make(steps_text, two_in(0));
    bailey_simulation_run_params run = {
        .source = {.seed = 5},
        .paths = 300,
        .replicates = 2,
        .scenarios = {.count = COUNT, .columns = COLUMNS, .names = columns, .values = values},
        .histogram = {.low = 0, .high = 2, .bins = BINS, .output = 99 * OUTPUTS, .counts = counts}};
    OK(bailey_simulation_run(s, &run, e));
    run.scenarios.count = 0;
    run.histogram.output = 0;
    run.histogram.counts = alone;
    for (uint64_t k = 0; k < COUNT; k++) {
        bailey_estimate own[OUTPUTS];
        set_scenario(s, k);
        OK(bailey_simulation_run(s, &run, own));
        same_bits("one of many", e + k * OUTPUTS, own, sizeof own / 8, 8);
    }
    assert_memory_equal(counts, alone, sizeof counts);
    bailey_simulation_destroy(s);
}

/* ---- Rows ---------------------------------------------------------------------------------------- */

enum { SCENARIOS = 4, ROWS = 3, PATHS = 2001 };

/* Rows with gaps, with one term, and with all terms. */
static void fill_weights(double weights[ROWS][SCENARIOS * OUTPUTS])
{
    memset(weights, 0, sizeof(double) * ROWS * SCENARIOS * OUTPUTS);
    weights[0][0] = -1, weights[0][4] = 1;
    weights[1][3] = 0.3;
    for (int k = 0; k < SCENARIOS * OUTPUTS; k++) weights[2][k] = 1.0 / (3 + k) - 0.1;
}

struct terms {
    const double *a, *b;
};

static double product(const void *user, uint64_t i)
{
    const struct terms *t = user;
    return t->b ? t->a[i] * t->b[i] : t->a[i];
}

static double sum_of(const double *a, const double *b)
{
    const struct terms t = {a, b};
    return tree_sum(&t, product, 0, PATHS);
}

static void check_row(const double *plain, const double *row, const double *weights)
{
    for (int i = 0; i < PATHS; i++) {
        double sum = 0;
        for (int k = 0; k < SCENARIOS * OUTPUTS; k++)
            if (weights[k] != 0) sum = fma(weights[k], plain[k * PATHS + i], sum);
        if (sum != row[i]) fail_msg("path %d: %a, expected %a", i, row[i], sum);
    }
}

/* Samples of rows are sums of samples; estimates and covariances are theirs. */
TEST(rows, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates() || only_drawn()) skip();
    double values[SCENARIOS * COLUMNS], weights[ROWS][SCENARIOS * OUTPUTS], covariance[ROWS][ROWS];
    bailey_estimate e[SCENARIOS * OUTPUTS];
    fill_values(values, SCENARIOS);
    fill_weights(weights);
    bailey_simulation *s = make(steps_text, two_in(1));
    bailey_simulation_run_params run = {
        .source = {.seed = 5},
        .paths = PATHS,
        .scenarios = {.count = SCENARIOS, .columns = COLUMNS, .names = columns, .values = values}};
    double *plain = scenario_samples(s, run, BAILEY_PRECISION_F64, SCENARIOS * OUTPUTS, e);
    run.scenarios.rows = ROWS;
    run.scenarios.weights = weights[0];
    double *found = scenario_samples(s, run, BAILEY_PRECISION_F64, ROWS, e);
    for (int r = 0; r < ROWS; r++) check_row(plain, found + r * PATHS, weights[r]);
    run.covariance = covariance[0];
    OK(bailey_simulation_run(s, &run, e));
    for (int a = 0; a < ROWS; a++)
        for (int b = 0; b < ROWS; b++) {
            const double *x = found + a * PATHS, *y = found + b * PATHS;
            const double mean = sum_of(x, NULL) / PATHS;
            const double value = fma(-mean, sum_of(y, NULL), sum_of(x, y)) / (PATHS - 1);
            assert_true(e[a].mean == mean);
            if (a <= b) assert_true(covariance[a][b] == value && covariance[b][a] == value);
            if (a == b) assert_true(e[a].standard_error == sqrt(value / PATHS));
        }
    free(plain);
    free(found);
    bailey_simulation_destroy(s);
}

/* Rows that take more than a pass, antithetic and alone. */
TEST(many_rows, DEVICE | REPEATED_ON_OPENCL)
{
    enum { COUNT = 40, R = 39 };
    if (!simulates()) skip();
    static double values[COUNT * COLUMNS], weights[R][COUNT * OUTPUTS];
    bailey_estimate e[R], alone;
    fill_values(values, COUNT);
    for (int r = 0; r < R; r++) weights[r][0] = -1, weights[r][(r + 1) * OUTPUTS] = 1;
    bailey_simulation *s = make(steps_text, two_in(0));
    bailey_simulation_run_params run = {.source = {.seed = 5},
                                        .paths = 500,
                                        .antithetic = 1,
                                        .scenarios = {.count = COUNT,
                                                      .columns = COLUMNS,
                                                      .names = columns,
                                                      .values = values,
                                                      .rows = R,
                                                      .weights = weights[0]}};
    OK(bailey_simulation_run(s, &run, e));
    run.scenarios.rows = 1;
    for (int r = 0; r < R; r += 7) {
        run.scenarios.weights = weights[r];
        OK(bailey_simulation_run(s, &run, &alone));
        same_bits("a row", &e[r], &alone, sizeof alone / 8, 8);
    }
    bailey_simulation_destroy(s);
}

/* A scenario whose expectation is known corrects another; 30 results have covariances in one pass. */
TEST(controls, DEVICE)
{
    enum { COUNT = 15 };
    if (!simulates() || few_programs()) skip();
    static double covariance[COUNT * OUTPUTS][COUNT * OUTPUTS];
    double values[COUNT * COLUMNS], expected[COUNT * OUTPUTS];
    bailey_estimate plain[COUNT * OUTPUTS], e[COUNT * OUTPUTS];
    fill_values(values, COUNT);
    for (int i = 0; i < COUNT; i++) values[i * COLUMNS + 2] = 2; /* output 1 is the last price */
    bailey_simulation *s = make(steps_text, two_in(1));
    bailey_simulation_run_params run = {
        .source = {.seed = 5},
        .paths = 5000,
        .scenarios = {.count = COUNT, .columns = COLUMNS, .names = columns, .values = values}};
    OK(bailey_simulation_run(s, &run, plain));
    for (int k = 0; k < COUNT * OUTPUTS; k++) expected[k] = NAN;
    const double w = values[2 * COLUMNS], variance = 0.0625 + 2 * 0.25 * w * 0.5 + 4 * w * w;
    expected[5] = values[2 * COLUMNS + 1] * exp(3 * (values[2 * COLUMNS + 3] + variance / 2));
    run.expected = expected;
    run.covariance = covariance[0];
    OK(bailey_simulation_run(s, &run, e));
    for (int k = 0; k < COUNT * OUTPUTS; k++) {
        assert_true(e[k].mean == plain[k].mean && e[k].variance == plain[k].variance);
        assert_true(covariance[k][k] == e[k].variance && covariance[k][5] == covariance[5][k]);
    }
    assert_true(e[4].controlled_standard_error < 0.9 * e[4].standard_error);
    assert_true(fabs(e[5].mean - expected[5]) < 4 * e[5].standard_error);
    bailey_simulation_destroy(s);
}

/* ---- Paths that move ----------------------------------------------------------------------------- */

/* All points of a path of 2 dimensions, and the times of two. */
static const char points_text[] = "typedef struct { real x[8], first, last; } state;\n"
                                  "void start(state *s, const params *p)\n"
                                  "{ s->first = 0; s->last = 0; for (int k = 0; k < 8; k++) s->x[k] = 0; }\n"
                                  "void step(state *s, const params *p, int i, real t, const real x[])\n"
                                  "{\n"
                                  "    s->x[2 * i] = x[0];\n"
                                  "    s->x[2 * i + 1] = x[1];\n"
                                  "    if (i == 0) s->first = t;\n"
                                  "    s->last = t;\n"
                                  "}\n"
                                  "void finish(const state *s, const params *p, real out[10])\n"
                                  "{\n"
                                  "    for (int k = 0; k < 8; k++) out[k] = s->x[k];\n"
                                  "    out[8] = s->first;\n"
                                  "    out[9] = s->last;\n"
                                  "}\n";
static const char whole_points[] = "void whole(const params *p, path x, real out[10])\n"
                                   "{\n"
                                   "    for (int i = 0; i < 4; i++) {\n"
                                   "        out[2 * i] = at(x, i, 0);\n"
                                   "        out[2 * i + 1] = at(x, i, 1);\n"
                                   "    }\n"
                                   "    out[8] = time(x, 0);\n"
                                   "    out[9] = time(x, 3);\n"
                                   "}\n";

enum { MOVES = 4, VALUES = 10, MOVED = 500 };
static const double shifts[MOVES] = {0, 0.25, -0.4, 0};
static const double covariances[MOVES][4] = {
    {1, 0.5, 0.5, 4}, {1, 0.5, 0.5, 4}, {1.1, -0.2, -0.2, 3}, {0.5, 0.7, 0.7, 4}};
static const double start[2] = {0.5, -1};

/* Path values x of the simulation as scenario k has them, in place. */
static void move(int k, int increments, double x[VALUES])
{
    const double l[3] = {1, 0.5, sqrt(4 - 0.25)}, *c = covariances[k];
    const double a = sqrt(c[0]), b = c[1] / a, d = sqrt(c[3] - b * b);
    const double m[3] = {a / l[0], b / l[0] - d / l[2] * l[1] / l[0], d / l[2]};
    const double more = sqrt((times[0] + shifts[k]) / times[0]), first[2] = {x[0], x[1]};
    for (int i = 0; i < 4; i++) {
        double y[2];
        for (int j = 0; j < 2; j++)
            y[j] = increments ? x[2 * i + j] / (i == 0 ? more : 1)
                              : x[2 * i + j] - start[j] + (more - 1) * (first[j] - start[j]);
        x[2 * i] = (increments ? 0 : start[0]) + m[0] * y[0];
        x[2 * i + 1] = (increments ? 0 : start[1]) + m[1] * y[0] + m[2] * y[1];
    }
    x[8] = times[0] + shifts[k];
    x[9] = times[3] + shifts[k];
}

static void check_moves(const char *name, const double *samples, int increments)
{
    for (int k = 0; k < MOVES; k++)
        for (int p = 0; p < MOVED; p++) {
            double x[VALUES];
            for (int v = 0; v < VALUES; v++) x[v] = samples[v * MOVED + p];
            move(k, increments, x);
            for (int v = 0; v < VALUES; v++) {
                const double found = samples[(k * VALUES + v) * MOVED + p];
                if (!(fabs(found - x[v]) <= 1e-12 * (1 + fabs(x[v]))))
                    fail_msg("%s, scenario %d, path %d, value %d: %.17g, expected %.17g", name, k, p, v,
                             found, x[v]);
            }
        }
}

static const struct {
    const char *name, *text;
    bailey_construction construction;
    bailey_bridge_output output;
} moved[] = {{"bridge", points_text, BAILEY_CONSTRUCTION_BRIDGE, BAILEY_BRIDGE_OUTPUT_PATHS},
             {"walk", points_text, BAILEY_CONSTRUCTION_WALK, BAILEY_BRIDGE_OUTPUT_PATHS},
             {"components", points_text, BAILEY_CONSTRUCTION_PCA, BAILEY_BRIDGE_OUTPUT_PATHS},
             {"increments", points_text, BAILEY_CONSTRUCTION_WALK, BAILEY_BRIDGE_OUTPUT_INCREMENTS},
             {"increments of a bridge, whole", whole_points, BAILEY_CONSTRUCTION_BRIDGE,
              BAILEY_BRIDGE_OUTPUT_INCREMENTS},
             {"whole", whole_points, BAILEY_CONSTRUCTION_BRIDGE, BAILEY_BRIDGE_OUTPUT_PATHS}};

static const bailey_scenarios moving = {.count = MOVES, .time_shift = shifts, .covariance = covariances[0]};

static bailey_bridge_params moved_path(size_t i)
{
    bailey_bridge_params path = two_in(1);
    path.construction = moved[i].construction;
    path.output = moved[i].output;
    path.start = start;
    return path;
}

/* Against the formula, path by path; and the first scenario, which moves nothing, has the bits of a run
 * without.
 */
TEST(moves, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
        if (few_programs() ? i % 5 != 0 : quick() && i % 4 != 0) continue;
        if (only_drawn() && i > 0) continue;
        bailey_simulation *s = simulation_of(moved[i].text, moved_path(i));
        bailey_estimate e[MOVES * VALUES];
        bailey_simulation_run_params run = {.source = {.seed = 8}, .paths = MOVED, .scenarios = moving};
        double *samples = scenario_samples(s, run, BAILEY_PRECISION_F64, MOVES * VALUES, e);
        check_moves(moved[i].name, samples, moved[i].output == BAILEY_BRIDGE_OUTPUT_INCREMENTS);
        memset(&run.scenarios, 0, sizeof run.scenarios);
        if (!only_drawn()) { /* its groups of a GPU take such a compiler half a minute */
            double *without = scenario_samples(s, run, BAILEY_PRECISION_F64, VALUES, e);
            same_bits(moved[i].name, samples, without, VALUES * MOVED, 8);
            free(without);
        }
        free(samples);
        bailey_simulation_destroy(s);
    }
}

/* A mirrored path moves as the path does: the mean of both is the start. */
TEST(mirrored_moves, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates() || only_drawn()) skip();
    for (size_t i = 0; i < (few_programs() ? 1 : sizeof moved / sizeof *moved); i += 5) {
        bailey_simulation *s = simulation_of(moved[i].text, moved_path(i));
        bailey_estimate e[MOVES * VALUES];
        const bailey_simulation_run_params run = {
            .source = {.seed = 8}, .paths = MOVED, .antithetic = 1, .scenarios = moving};
        double *samples = scenario_samples(s, run, BAILEY_PRECISION_F64, MOVES * VALUES, e);
        for (int k = 0; k < MOVES; k++)
            for (int v = 0; v < 8; v++)
                for (int p = 0; p < MOVED; p++)
                    assert_true(fabs(samples[(k * VALUES + v) * MOVED + p] - start[v % 2]) < 1e-13);
        free(samples);
        bailey_simulation_destroy(s);
    }
}

/* Means and covariances are those of a separate simulation with the times and the covariance. */
TEST(laws, DEVICE)
{
    enum { MANY = 100000 };
    if (!simulates() || quick()) skip();
    for (size_t i = 0; i < 4; i += 3) {
        bailey_simulation *s = simulation_of(moved[i].text, moved_path(i));
        bailey_estimate e[MOVES * VALUES], own[VALUES];
        bailey_simulation_run_params run = {.source = {.seed = 8}, .paths = MANY, .scenarios = moving};
        double between[VALUES * VALUES], wanted[VALUES * VALUES], weights[VALUES][MOVES * VALUES] = {{0}};
        for (int v = 0; v < VALUES; v++) weights[v][2 * VALUES + v] = 1;
        run.scenarios.rows = VALUES;
        run.scenarios.weights = weights[0];
        run.covariance = between;
        OK(bailey_simulation_run(s, &run, e));
        bailey_bridge_params path = moved_path(i);
        double later[4];
        for (int k = 0; k < 4; k++) later[k] = times[k] + shifts[2];
        path.times = later;
        path.covariance = covariances[2];
        bailey_simulation *other = simulation_of(moved[i].text, path);
        run = (bailey_simulation_run_params){.source = {.seed = 88}, .paths = MANY, .covariance = wanted};
        OK(bailey_simulation_run(other, &run, own));
        for (int a = 0; a < VALUES; a++) {
            const double error = hypot(e[a].standard_error, own[a].standard_error);
            assert_true(fabs(e[a].mean - own[a].mean) <= 4.5 * error + 1e-12);
            for (int b = 0; b < VALUES; b++) {
                /* of normal numbers */
                const double spread = sqrt((wanted[a * VALUES + a] * wanted[b * VALUES + b] +
                                            wanted[a * VALUES + b] * wanted[a * VALUES + b]) *
                                           2 / MANY);
                if (!(fabs(between[a * VALUES + b] - wanted[a * VALUES + b]) <= 4.5 * spread + 1e-12))
                    fail_msg("%s: covariance %d %d is %g, expected %g", moved[i].name, a, b,
                             between[a * VALUES + b], wanted[a * VALUES + b]);
            }
        }
        bailey_simulation_destroy(s);
        bailey_simulation_destroy(other);
    }
}

/* ---- Refusals ------------------------------------------------------------------------------------ */

#define REFUSES(argument, a, b, ...)                                                                         \
    do {                                                                                                     \
        const bailey_simulation_run_params refused = {.paths = 10, __VA_ARGS__};                             \
        REFUSED_HERE(bailey_simulation_run(s, &refused, e), a, b);                                           \
        assert_string_equal(bailey_error_argument(), argument);                                              \
    } while (0)
#define TABLE(...) .scenarios = {.count = 2, __VA_ARGS__}
#define COLUMN(name, ...)                                                                                    \
    .columns = 1, .names = (const char *[]){name}, .values = (double[]) { __VA_ARGS__ }

TEST(refused, DEVICE)
{
    if (!simulates() || only_drawn()) skip();
    static bailey_estimate e[200];
    static double zeros[200], large[65 * 4];
    double expected[66];
    static double covariance[66 * 66];
    bailey_simulation *s = make(steps_text, two_in(0));
    REFUSES("names", "\"volatility\"", "no parameter", TABLE(COLUMN("volatility", 1, 2)));
    REFUSES("names", "\"spo\"", "no parameter", TABLE(COLUMN("spo", 1, 2)));
    REFUSES("names", "weight", "2 elements", TABLE(COLUMN("weight", 1, 2)));
    REFUSES("names", "weight[2]", "beyond", TABLE(COLUMN("weight[2]", 1, 2)));
    REFUSES("names", "weight[1", "not a name", TABLE(COLUMN("weight[1", 1, 2)));
    REFUSES("names", "spot[]", "not a name", TABLE(COLUMN("spot[]", 1, 2)));
    REFUSES("names", "weight[99999999999]", "", TABLE(COLUMN("weight[99999999999]", 1, 2)));
    REFUSES("names", "NULL", "", TABLE(COLUMN(NULL, 1, 2)));
    REFUSES("names", "names is NULL", "", TABLE(.columns = 1, .values = zeros));
    REFUSES("names", "twice", "spot",
            TABLE(.columns = 2, .names = (const char *[]){"spot", "spot[0]"}, .values = zeros));
    REFUSES("values", "values is NULL", "", TABLE(.columns = 1, .names = columns));
    REFUSES("values", "scenario 1", "spot is nan", TABLE(COLUMN("spot", 1, NAN)));
    REFUSES("values", "scenario 0", "int", TABLE(COLUMN("kind", 0.5, 1)));
    REFUSES("time_shift", "-0.5", "start_time", TABLE(.time_shift = (double[]){0, -0.5}));
    REFUSES("covariance", "scenario 1", "covariance[1][0] = 1.01",
            TABLE(.covariance = (double[]){1, 0.5, 0.5, 4, 1, 1.01, 1.01, 1}));
    REFUSES("weights", "NULL", "", TABLE(.rows = 1));
    REFUSES("weights", "row 0", "zero", TABLE(.rows = 1, .weights = zeros));
    REFUSES("weights", "weights[0][3]", "nan", TABLE(.rows = 1, .weights = (double[]){1, 0, 0, NAN}));
    for (int k = 0; k < 66; k++) expected[k] = k ? NAN : 1;
    REFUSES("covariance", "66", "64", .scenarios = {.count = 33}, .covariance = covariance);
    REFUSES("expected", "66", "64", .scenarios = {.count = 33}, .expected = expected);
    bailey_buffer *buffer = NULL;
    OK(bailey_buffer_create(context, 66 * 10 * sizeof(float), &buffer));
    REFUSES("samples", "66", "64", .scenarios = {.count = 33}, .samples = buffer);
    bailey_buffer_destroy(buffer);
    OK(bailey_buffer_create(context, 4 * 10 * sizeof(float) - 1, &buffer));
    REFUSES("samples", "samples", "", .scenarios = {.count = 2}, .samples = buffer);
    bailey_buffer_destroy(buffer);
    for (int k = 0; k < 2 * 65; k++) large[k] = 1;
    REFUSES("weights", "65", "64", .scenarios = {.count = 65, .rows = 1, .weights = large});
    bailey_simulation_destroy(s);
}

/* An array is set where all its elements are columns; what is by default that array follows it then. */
TEST(defaults, DEVICE)
{
    if (!simulates() || few_programs()) skip();
    bailey_simulation *s =
        simulation_of("typedef struct {\n  real a[2];\n  real b[2]; /* [default a] */\n} params;\n"
                      "void whole(const params *p, path x, real out[]) { out[0] = p->b[0] + 8 * p->b[1]; }\n",
                      two_in(0));
    bailey_estimate e[2];
    bailey_simulation_run_params run = {.paths = 10};
    run.scenarios = (bailey_scenarios){.count = 2,
                                       .columns = 1,
                                       .names = (const char *[]){"a[1]", "a[0]"},
                                       .values = (const double[]){5, 3, 6, 2}};
    REFUSED(bailey_simulation_run(s, &run, e), "needs a, b", "neither set");
    run.scenarios.columns = 2;
    OK(bailey_simulation_run(s, &run, e));
    assert_true(e[0].mean == 3 + 8 * 5 && e[1].mean == 2 + 8 * 6);
    bailey_simulation_destroy(s);
}

TEST(refused_moves, DEVICE)
{
    if (!simulates() || few_programs()) skip();
    static bailey_estimate e[8];
    const double singular[4] = {1, 2, 2, 4}, end[2] = {0, 0};
    bailey_bridge_params path = two_in(1);
    path.covariance = singular;
    bailey_simulation *s = make(steps_text, path);
    REFUSES("covariance", "scenario 1", "singular",
            TABLE(.covariance = (double[]){1, 2, 2, 4, 1, 0.5, 0.5, 4}));
    const bailey_simulation_run_params same = {.paths = 10,
                                               TABLE(.covariance = (double[]){1, 2, 2, 4, 1, 2, 2, 4})};
    OK(bailey_simulation_run(s, &same, e));
    bailey_simulation_destroy(s);
    path = two_in(1);
    path.end = end;
    s = make(steps_text, path);
    REFUSES("time_shift", "time_shift[0]", "fixed end", TABLE(.time_shift = (double[]){0.1, 0}));
    REFUSES("covariance", "scenario 1", "fixed end",
            TABLE(.covariance = (double[]){1, 0.5, 0.5, 4, 1, 0.4, 0.4, 4}));
    bailey_simulation_destroy(s);
}

/* No memory, at each place: the error says so, nothing is written, and the next run is right. */
TEST(failing_allocations, DEVICE)
{
    enum { COUNT = 40 };
    if (!simulates() || few_programs()) skip();
    static double values[COUNT * COLUMNS];
    static bailey_estimate first[COUNT * OUTPUTS], e[COUNT * OUTPUTS], untouched[COUNT * OUTPUTS];
    fill_values(values, COUNT);
    bailey_simulation *s = make(steps_text, two_in(0));
    const bailey_simulation_run_params run = {
        .paths = 100, .scenarios = {.count = COUNT, .columns = COLUMNS, .names = columns, .values = values}};
    OK(bailey_simulation_run(s, &run, first));
    bailey_status status = BAILEY_ERROR_MEMORY;
    int64_t n = 0;
    for (; status != BAILEY_OK; memset(e, 0x77, sizeof e)) {
        memcpy(untouched, e, sizeof e);
        bly_alloc_countdown = ++n;
        status = bailey_simulation_run(s, &run, e);
        bly_alloc_countdown = 0;
        if (status == BAILEY_OK) break;
        assert_int_equal(status, BAILEY_ERROR_MEMORY);
        assert_memory_equal(e, untouched, sizeof e);
    }
    assert_true(n > 8);
    same_bits("after failures", e, first, sizeof e / 8, 8);
    bailey_simulation_destroy(s);
}
