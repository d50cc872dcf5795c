/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Subjects that the self-test has no time for: other sources of paths, other ways to build them, simulations
 * with all that a run can ask for, and combinations of those.
 */
#include "subjects.h"

#include <math.h>
#include <string.h>

/* ---- Numbers and points ------------------------------------------------------------------------------ */

static const bailey_variate_params logistic = {.distribution = BAILEY_DISTRIBUTION_LOGISTIC, .location = -1},
                                   laplace = {.distribution = BAILEY_DISTRIBUTION_LAPLACE, .scale = 3},
                                   cauchy = {.distribution = BAILEY_DISTRIBUTION_CAUCHY, .location = 2},
                                   pareto = {.distribution = BAILEY_DISTRIBUTION_PARETO, .shape = 2.5};
static const bailey_variate_params exponential = {.distribution = BAILEY_DISTRIBUTION_EXPONENTIAL,
                                                  .rate = 0.3};
static const bailey_variate_params normal_variates = {.distribution = BAILEY_DISTRIBUTION_NORMAL,
                                                      .mean = 0.1,
                                                      .stddev = 2.5},
                                   log_normal = {.distribution = BAILEY_DISTRIBUTION_LOG_NORMAL,
                                                 .mean = -0.02,
                                                 .stddev = 0.2};

/* Dimensions with their own direction numbers, and those that repeat them. */
static const bailey_points_params beyond = {.form = BAILEY_POINTS_FORM_UNIFORMS,
                                            .first_dim = BAILEY_SOBOL_MAX_DIMS - 3,
                                            .dims = 5},
                                  one_dim = {.form = BAILEY_POINTS_FORM_NORMALS,
                                             .layout = BAILEY_POINTS_LAYOUT_DIM_MAJOR};

/* ---- Paths ------------------------------------------------------------------------------------------- */

static const double times[16] = {0.1, 0.3, 0.5, 0.75, 1, 1.2, 1.5, 2, 2.25, 2.5, 3, 3.1, 3.7, 4, 5, 5.5},
                    factor5[25] = {0.2, 0, 0,    0,    0,    0.1, 0.15, 0,    0,    0,    0.0, -0.05, 0.3,
                                   0,   0, 0.02, 0.03, 0.04, 0.1, 0,    -0.1, 0.05, 0.01, 0.0, 0.25},
                    covariance[4] = {1, 0.5, 0.5, 2}, start[5] = {1, -2, 0, 100, 0.5},
                    end[5] = {0, 3, -1, 101, 0.25};
static const uint32_t order[15] = {11, 3, 7, 15, 1, 14, 2, 9, 5, 13, 4, 8, 6, 12, 10};

#define PATH(...)                                                                                            \
    &(const bailey_bridge_params) { .times = times, .start = start, __VA_ARGS__ }
#define TWO .dims = 2, .covariance = covariance

/* Each strategy but those that every device has in the self-test. */
#define STRATEGY(NAME, word, when_)                                                                          \
    {                                                                                                        \
        .name = "paths, strategy " word, .kind = BLY_SUBJECT_PATHS, .when = when_, .source = {.seed = 3},    \
        .first = 9, .count = 517, .path = PATH(.steps = 16, TWO, .strategy = BAILEY_BRIDGE_STRATEGY_##NAME)  \
    }

/* ---- Motions ----------------------------------------------------------------------------------------- */

static const uint64_t ticks[6] = {(UINT64_C(1) << 52) - 1,   7, UINT64_C(1) << 40,
                                  UINT64_C(123456789012345), 7, 0},
                      from[4] = {0, 5, UINT64_C(1) << 51, UINT64_C(1) << 30},
                      to[4] = {1, 5, (UINT64_C(1) << 51) + 12345, UINT64_C(1) << 52};

/* ---- Simulations ------------------------------------------------------------------------------------- */

/* A price that may be skew, its control variate, and an integer parameter. */
static const char two_outputs[] =
    "typedef struct { real scale, weight[2]; int shift; /* [default 0] */ } params;\n"
    "typedef struct { real sum, last; } state;\n"
    "void start(state *s, const params *p) { s->sum = 0; s->last = 0; }\n"
    "void step(state *s, const params *p, int i, real t, const real x[])\n"
    "{\n"
    "    s->sum += exp(p->weight[0] * x[0]);\n"
    "    s->last = x[0];\n"
    "}\n"
    "void finish(const state *s, const params *p, real out[2])\n"
    "{\n"
    "    out[0] = fmax(p->scale * s->sum - p->weight[1], 0) + p->shift;\n"
    "    out[1] = s->last;\n"
    "}\n";
static const char whole_path[] = "typedef struct { real level; } params;\n"
                                 "void whole(const params *p, path x, real out[])\n"
                                 "{\n"
                                 "    real most = 0;\n"
                                 "    for (int i = 0; i < STEPS; i++)\n"
                                 "        for (int d = 0; d < DIMS; d++) most = fmax(most, at(x, i, d));\n"
                                 "    out[0] = most > p->level ? most : 0;\n"
                                 "}\n";
static const char motion_code[] = "typedef struct { real level; } params;\n"
                                  "void whole(const params *p, path x, real out[2])\n"
                                  "{\n"
                                  "    real a = at(x, 100, 0), b = at(x, 1000, 0), c = at(x, 37, 1);\n"
                                  "    out[0] = fmax(a * b - p->level, 0);\n"
                                  "    out[1] = c + a;\n"
                                  "}\n";

static const struct bly_setting
    two_settings[] = {{"scale", {0.5}, 1}, {"weight", {0.4, 1}, 2}, {"shift", {3}, 1}, {0}},
    level[] = {{"level", {0.25}, 1}, {0}},
    call[] = {{"spot", {100}, 1}, {"volatility", {0.2}, 1}, {"strike", {95}, 1}, {"rate", {0.03}, 1}, {0}},
    basket[] = {{"spot", {100, 50}, 2},    {"volatility", {0.2, 0.35}, 2},
                {"weight", {0.5, 0.5}, 2}, {"rate", {0.03}, 1},
                {"strike", {75}, 1},       {0}};

static const double zero_mean[2] = {NAN, 0};
static const bailey_simulation_run_params mirrored = {.moments = 1,
                                                      .antithetic = 1,
                                                      .expected = zero_mean,
                                                      .replicates = 3},
                                          replicated = {.replicates = 4, .moments = 1},
                                          many_replicates = {.replicates = 40},
                                          mirrored_integers = {
                                              .antithetic = 1, .sum = BAILEY_SUM_FIXED, .sum_limit = 0x1p14};

/* Differences of scenarios, of which two move the paths. */
static const char *const columns[] = {"scale", "weight[0]"};
static const double scenario_values[6] = {0.5, 0.4, 0.51, 0.4, 0.5, 0.39}, shifts[3] = {0, 0.01, -0.02},
                    weights[12] = {1, 0, 0, 0, 0, 0, -1, 0, 1, 0, 0, 0};
static const bailey_simulation_run_params scenarios = {.scenarios = {.count = 3,
                                                                     .columns = 2,
                                                                     .names = columns,
                                                                     .values = scenario_values,
                                                                     .time_shift = shifts,
                                                                     .rows = 2,
                                                                     .weights = weights}};

/* ---- Products ---------------------------------------------------------------------------------------- */

static const char *const spots[] = {"spot[0]", "spot[1]"}, *const volatilities[] = {"volatility[0]",
                                                                                    "volatility[1]"};
static const bailey_greeks_params basket_greeks = {.spots = spots,
                                                   .spot_count = 2,
                                                   .volatilities = volatilities,
                                                   .volatility_count = 2,
                                                   .rate = "rate",
                                                   .theta = 1,
                                                   .correlation = 1,
                                                   .cross = 1,
                                                   .method = BAILEY_GREEK_METHOD_DIFFERENCES},
                                  scores = {.spots = (const char *const[]){"spot"},
                                            .spot_count = 1,
                                            .volatilities = (const char *const[]){"volatility"},
                                            .volatility_count = 1,
                                            .rate = "rate",
                                            .theta = 1,
                                            .method = BAILEY_GREEK_METHOD_LIKELIHOOD};

static const bailey_american_params largest = {.type = BAILEY_OPTION_TYPE_CALL,
                                               .assets = 2,
                                               .spot = (const double[]){100, 95},
                                               .volatility = (const double[]){0.2, 0.3},
                                               .dividend = (const double[]){0.1, 0.05},
                                               .correlation = (const double[]){1, 0.3, 0.3, 1},
                                               .strike = 100,
                                               .rate = 0.05,
                                               .exercise_times = (const double[]){0.5, 1, 2},
                                               .exercise_count = 3,
                                               .paths = 1001,
                                               .policy_paths = 999,
                                               .outer_paths = 6,
                                               .inner_paths = 40,
                                               .antithetic = 1};

/* ---- Levels ------------------------------------------------------------------------------------------ */

/* Euler's scheme with an extra normal and an extra uniform number. */
static const char levels_code[] =
    "#define NORMALS 1\n"
    "#define UNIFORMS 1\n"
    "typedef struct { real rate, volatility; } params;\n"
    "typedef struct { real fine, coarse; } state;\n"
    "void start(state *s, const params *p, int level) { s->fine = 1; s->coarse = 1; }\n"
    "real kick(const noise *n) { return 0.01 * n->z[0] + 0.01 * n->u[0]; }\n"
    "void step(state *s, const params *p, real t, real h, const noise *n)\n"
    "{\n"
    "    real w = fma(0.3, n->dw[1], n->dw[0]);\n"
    "    s->fine = fma(s->fine, fma(p->volatility, w, p->rate * h), s->fine + h * kick(n));\n"
    "}\n"
    "void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m)\n"
    "{\n"
    "    step(s, p, t, h, n);\n"
    "    step(s, p, t + h, h, m);\n"
    "    real w = n->dw[0] + m->dw[0] + 0.3 * (n->dw[1] + m->dw[1]);\n"
    "    s->coarse = fma(s->coarse, fma(p->volatility, w, 2 * p->rate * h), s->coarse + 2 * h * kick(n));\n"
    "}\n"
    "void finish(const state *s, const params *p, real t, real out[2])\n"
    "{\n"
    "    out[0] = fmax(s->fine - 1, 0);\n"
    "    out[1] = fmax(s->coarse - 1, 0);\n"
    "}\n";
static const struct bly_setting drift[] = {{"rate", {0.05}, 1}, {"volatility", {0.3}, 1}, {0}};

static const bailey_mlmc_params one_asset = {0},
                                two_factors = {
                                    .dims = 2, .covariance = covariance, .time = 0.5, .first_steps = 2};
static const bailey_mlmc_run_params coarse = {.eps = 0.01, .initial_samples = 200},
                                    dyadic = {.approximate = BAILEY_MLMC_APPROXIMATION_DYADIC,
                                              .approximate_cost = 0.3},
                                    with_points = {.eps = 0.1, .replicates = 4};
static const uint64_t approximate_samples[6] = {8000, 2016, 512, 992, 512, 96};

/* ---- The rows ---------------------------------------------------------------------------------------- */

#define FIRST_FEW (BLY_FEW_F32 | BLY_ALL)
#define SOBOL .generator = BAILEY_GENERATOR_SOBOL

static const struct bly_subject rows[] = {
    {.name = "uniforms, xorwow, of the other width in f32",
     .kind = BLY_SUBJECT_UNIFORMS,
     .when = BLY_ALL_F32,
     .source = {.seed = 6, .generator = BAILEY_GENERATOR_XORWOW},
     .normal = {.word_bits = 64},
     .first = 8189,
     .count = 9001},
    {.name = "normals, philox7",
     .kind = BLY_SUBJECT_NORMALS,
     .when = BLY_ALL,
     .source = {.seed = 6, .stream = UINT64_MAX, .generator = BAILEY_GENERATOR_PHILOX7},
     .first = (UINT64_C(1) << 40) + 2,
     .count = 4099},
    {.name = "normals, mt19937, published",
     .kind = BLY_SUBJECT_NORMALS,
     .when = BLY_ALL,
     .source = {.seed = 5489, .generator = BAILEY_GENERATOR_MT19937, .sequence = BAILEY_SEQUENCE_PUBLISHED},
     .first = 1001,
     .count = 2501},
    {.name = "normal variates, mrg32k3a, Box-Muller",
     .kind = BLY_SUBJECT_VARIATES,
     .when = BLY_ALL,
     .source = {.seed = 1, .generator = BAILEY_GENERATOR_MRG32K3A},
     .normal = {.method = BAILEY_NORMAL_METHOD_BOX_MULLER},
     .variate = &normal_variates,
     .first = 5,
     .count = 40003},
    {.name = "log-normal, philox",
     .kind = BLY_SUBJECT_VARIATES,
     .when = BLY_ALL,
     .source = {.seed = 1},
     .variate = &log_normal,
     .first = 5,
     .count = 40003},
    {.name = "normal variates, philox, Box-Muller",
     .kind = BLY_SUBJECT_VARIATES,
     .when = BLY_ALL,
     .source = {.seed = 1},
     .normal = {.method = BAILEY_NORMAL_METHOD_BOX_MULLER},
     .variate = &normal_variates,
     .first = 5,
     .count = 40003},
    {.name = "exponential, philox",
     .kind = BLY_SUBJECT_VARIATES,
     .when = BLY_ALL,
     .source = {.seed = 1},
     .variate = &exponential,
     .first = 5,
     .count = 40003},
    {.name = "logistic, philox",
     .kind = BLY_SUBJECT_VARIATES,
     .when = BLY_ALL,
     .source = {.seed = 1},
     .variate = &logistic,
     .first = 5,
     .count = 9001},
    {.name = "laplace, mrg32k3a",
     .kind = BLY_SUBJECT_VARIATES,
     .when = BLY_ALL,
     .source = {.seed = 1, .generator = BAILEY_GENERATOR_MRG32K3A},
     .variate = &laplace,
     .first = 5,
     .count = 9001},
    {.name = "cauchy, warp",
     .kind = BLY_SUBJECT_VARIATES,
     .when = BLY_ALL,
     .source = {.seed = 1, .generator = BAILEY_GENERATOR_WARP},
     .variate = &cauchy,
     .first = 5,
     .count = 9001},
    {.name = "pareto, philox",
     .kind = BLY_SUBJECT_VARIATES,
     .when = BLY_ALL,
     .source = {.seed = 1},
     .variate = &pareto,
     .first = 5,
     .count = 9001},
    {.name = "points, sobol, owen, in order of their index, beyond the last dimension",
     .kind = BLY_SUBJECT_POINTS,
     .when = BLY_ALL,
     .source = {.seed = 5,
                SOBOL,
                .scramble = BAILEY_SCRAMBLE_OWEN,
                .point_order = BAILEY_POINT_ORDER_INDEX,
                .word_bits = 64},
     .points = &beyond,
     .first = (UINT64_C(1) << 33) - 700,
     .count = 1401},
    {.name = "points, sobol, one dimension",
     .kind = BLY_SUBJECT_POINTS,
     .when = BLY_ALL,
     .source = {.seed = 5, SOBOL},
     .points = &one_dim,
     .first = 1,
     .count = 5003},

    {.name = "paths, 5 dims, an order of one's own",
     .kind = BLY_SUBJECT_PATHS,
     .when = FIRST_FEW,
     .source = {.seed = 17, .stream = 1},
     .normal = {.method = BAILEY_NORMAL_METHOD_BOX_MULLER},
     .first = 5,
     .count = 1037,
     .path = PATH(.steps = 16, .dims = 5, .factor = factor5, .order = order, .end = end)},
    {.name = "paths, one step",
     .kind = BLY_SUBJECT_PATHS,
     .when = BLY_ALL,
     .source = {.seed = 17},
     .first = (UINT64_C(1) << 38) - 1003,
     .count = 1003,
     .path = PATH(.steps = 1)},
    {.name = "paths, warp",
     .kind = BLY_SUBJECT_PATHS,
     .when = FIRST_FEW,
     .source = {.seed = 17, .generator = BAILEY_GENERATOR_WARP},
     .first = 5,
     .count = 1003,
     .path = PATH(.steps = 16, TWO)},
    {.name = "increments, xorwow, published",
     .kind = BLY_SUBJECT_PATHS,
     .when = BLY_ALL,
     .source = {.seed = 17, .generator = BAILEY_GENERATOR_XORWOW, .sequence = BAILEY_SEQUENCE_PUBLISHED},
     .normal = {.word_bits = 32},
     .first = 100,
     .count = 515,
     .path = PATH(.steps = 5, .output = BAILEY_BRIDGE_OUTPUT_INCREMENTS, .layout = BAILEY_LAYOUT_PATH_MAJOR)},
    {.name = "increments, random walk",
     .kind = BLY_SUBJECT_PATHS,
     .when = FIRST_FEW,
     .source = {.seed = 18},
     .first = 3,
     .count = 1025,
     .path = PATH(.steps = 16, TWO, .construction = BAILEY_CONSTRUCTION_WALK,
                  .output = BAILEY_BRIDGE_OUTPUT_INCREMENTS, .layout = BAILEY_LAYOUT_PATH_MAJOR)},
    {.name = "increments, principal components, fixed end",
     .kind = BLY_SUBJECT_PATHS,
     .when = FIRST_FEW,
     .source = {.seed = 18, .generator = BAILEY_GENERATOR_KISS},
     .first = 3,
     .count = 515,
     .path = PATH(.steps = 16, TWO, .end = end, .construction = BAILEY_CONSTRUCTION_PCA,
                  .output = BAILEY_BRIDGE_OUTPUT_INCREMENTS, .layout = BAILEY_LAYOUT_PATH_MAJOR)},
    {.name = "increments, bridge of points of 64 bits, diagonal",
     .kind = BLY_SUBJECT_PATHS,
     .when = FIRST_FEW,
     .source = {.seed = 5, SOBOL, .word_bits = 64, .assignment = BAILEY_ASSIGNMENT_DIAGONAL},
     .first = 7,
     .count = 515,
     .path = PATH(.steps = 16, TWO, .output = BAILEY_BRIDGE_OUTPUT_INCREMENTS,
                  .layout = BAILEY_LAYOUT_PATH_MAJOR)},
    STRATEGY(CONSTANT, "constant", BLY_ALL),
    STRATEGY(VECTOR, "vector", BLY_ALL),
    STRATEGY(PREFETCH, "prefetch", BLY_ALL),
    STRATEGY(SHARED, "shared", BLY_ALL),
    STRATEGY(REUSE, "reuse", BLY_ALL),
    STRATEGY(REUSE_PREFETCH, "reuse-prefetch", BLY_ALL),
    STRATEGY(SPECIALISED, "specialised", FIRST_FEW),
    STRATEGY(BLOCKS, "blocks", BLY_ALL),
    STRATEGY(READBACK, "readback", BLY_ALL),

    {.name = "motion, fixed end, all levels",
     .kind = BLY_SUBJECT_MOTION,
     .when = FIRST_FEW,
     .source = {.seed = 4, .generator = BAILEY_GENERATOR_PHILOX7},
     .first = (UINT64_C(1) << 38) - 1003,
     .count = 1003,
     .motion =
         &(const bailey_motion_params){.start_time = 1, .end_time = 3, .dims = 2, .start = start, .end = end},
     .ticks = ticks,
     .tick_count = 6},
    {.name = "motion, increments with areas",
     .kind = BLY_SUBJECT_MOTION,
     .when = BLY_ALL,
     .source = {.seed = 4},
     .first = 2,
     .count = 1003,
     .motion =
         &(const bailey_motion_params){.dims = 2, .covariance = covariance, .areas = BAILEY_MOTION_AREAS_H},
     .ticks = from,
     .to = to,
     .tick_count = 4},

    {.name = "simulation, mirrored, with a control variate",
     .kind = BLY_SUBJECT_SIMULATION,
     .when = FIRST_FEW,
     .source = {.seed = 21},
     .first = 1000003,
     .count = 20001,
     .path = PATH(.steps = 4),
     .payoff = {.code = two_outputs},
     .settings = two_settings,
     .run = &mirrored},
    {.name = "simulation, random walk of stepped normals",
     .kind = BLY_SUBJECT_SIMULATION,
     .when = FIRST_FEW,
     .source = {.seed = 21, .generator = BAILEY_GENERATOR_WARP},
     .normal = {.method = BAILEY_NORMAL_METHOD_BOX_MULLER},
     .first = 5,
     .count = 10001,
     .path = PATH(.steps = 4, .construction = BAILEY_CONSTRUCTION_WALK),
     .payoff = {.code = two_outputs},
     .settings = two_settings},
    {.name = "simulation, replicates of points",
     .kind = BLY_SUBJECT_SIMULATION,
     .when = FIRST_FEW,
     .source = {.seed = 21, SOBOL, .scramble = BAILEY_SCRAMBLE_OWEN},
     .count = 4096,
     .path = PATH(.steps = 4, TWO),
     .payoff = {.code = two_outputs},
     .settings = two_settings,
     .run = &replicated},
    {.name = "simulation, mirrored, in integers",
     .kind = BLY_SUBJECT_SIMULATION,
     .when = BLY_ALL,
     .source = {.seed = 21},
     .first = 12345,
     .count = 70001,
     .path = PATH(.steps = 4),
     .payoff = {.code = two_outputs},
     .settings = two_settings,
     .run = &mirrored_integers},
    {.name = "simulation, many small replicates",
     .kind = BLY_SUBJECT_SIMULATION,
     .when = BLY_ALL,
     .source = {.seed = 4},
     .count = 1000,
     .path = PATH(.steps = 4),
     .payoff = {.code = two_outputs},
     .settings = two_settings,
     .run = &many_replicates},
    {.name = "simulation, one path",
     .kind = BLY_SUBJECT_SIMULATION,
     .when = BLY_ALL,
     .source = {.seed = 7},
     .first = 77,
     .count = 1,
     .path = PATH(.steps = 4),
     .payoff = {.code = two_outputs},
     .settings = two_settings},
    {.name = "simulation, many paths",
     .kind = BLY_SUBJECT_SIMULATION,
     .when = BLY_ALL,
     .source = {.seed = 1},
     .first = 12345,
     .count = 100000,
     .path = PATH(.steps = 4),
     .payoff = {.code = two_outputs},
     .settings = two_settings},
    {.name = "simulation, scenarios with weights",
     .kind = BLY_SUBJECT_SIMULATION,
     .when = BLY_ALL,
     .source = {.seed = 21},
     .first = 77,
     .count = 10001,
     .path = PATH(.steps = 4),
     .payoff = {.code = two_outputs},
     .settings = two_settings,
     .run = &scenarios},
    {.name = "simulation, whole paths with a fixed end",
     .kind = BLY_SUBJECT_SIMULATION,
     .when = BLY_ALL,
     .source = {.seed = 21},
     .first = (UINT64_C(1) << 38) - 10001,
     .count = 10001,
     .path = PATH(.steps = 6, TWO, .end = end),
     .payoff = {.code = whole_path},
     .settings = level},
    {.name = "simulation, motion",
     .kind = BLY_SUBJECT_SIMULATION,
     .when = BLY_ALL,
     .source = {.seed = 21, .generator = BAILEY_GENERATOR_PHILOX7},
     .first = 3,
     .count = 5001,
     .path = &(const bailey_bridge_params){.times = times, .steps = 1, TWO},
     .payoff = {.code = motion_code},
     .motion_depth = 10,
     .settings = level},
    {.name = "simulation, Asian basket with its closed form",
     .kind = BLY_SUBJECT_SIMULATION,
     .when = BLY_ALL,
     .source = {.seed = 22, .generator = BAILEY_GENERATOR_XORWOW},
     .count = 10007,
     .path = &(const bailey_bridge_params){.times = times, .steps = 6, TWO},
     .payoff = {.name = "asian"},
     .planned_paths = 10007,
     .settings = basket,
     .closed = 1},

    {.name = "Greeks, Asian basket",
     .kind = BLY_SUBJECT_GREEKS,
     .when = BLY_ALL,
     .source = {.seed = 9},
     .count = 1003,
     .path =
         &(const bailey_bridge_params){
             .times = times, .steps = 4, .dims = 2, .covariance = (const double[]){1, 0.4, 0.4, 1}},
     .payoff = {.name = "asian"},
     .settings = basket,
     .greeks = &basket_greeks},
    {.name = "Greeks by scores, European call",
     .kind = BLY_SUBJECT_GREEKS,
     .when = BLY_ALL,
     .source = {.seed = 9},
     .count = 4003,
     .path = &(const bailey_bridge_params){.times = times + 4, .steps = 1},
     .payoff = {.name = "european"},
     .settings = call,
     .greeks = &scores},
    {.name = "price, American call on the largest of two, both bounds",
     .kind = BLY_SUBJECT_AMERICAN,
     .when = BLY_ALL,
     .source = {.seed = 9},
     .american = &largest},

    {.name = "multilevel, code of two dimensions",
     .kind = BLY_SUBJECT_LEVELS,
     .when = FIRST_FEW,
     .source = {.seed = 9},
     .normal = {.method = BAILEY_NORMAL_METHOD_BOX_MULLER},
     .payoff = {.code = levels_code},
     .settings = drift,
     .levels = &two_factors,
     .levels_run = &coarse},
    {.name = "levels, approximate normals",
     .kind = BLY_SUBJECT_LEVELS,
     .when = BLY_ALL_F32,
     .source = {.seed = 9},
     .payoff = {.name = "european"},
     .settings = call,
     .levels = &one_asset,
     .levels_run = &dyadic,
     .samples = approximate_samples,
     .level_count = 3},
    {.name = "multilevel, points",
     .kind = BLY_SUBJECT_LEVELS,
     .when = BLY_ALL,
     .source = {.seed = 9, SOBOL, .scramble = BAILEY_SCRAMBLE_OWEN},
     .payoff = {.name = "european"},
     .settings = call,
     .levels = &one_asset,
     .levels_run = &with_points},
    {.name = "binomial, warp",
     .kind = BLY_SUBJECT_VARIATES,
     .when = BLY_ALL,
     .source = {.seed = 1, .generator = BAILEY_GENERATOR_WARP},
     .variate = &(const bailey_variate_params){.distribution = BAILEY_DISTRIBUTION_BINOMIAL,
                                               .trials = 1000000,
                                               .probability = 0.3},
     .first = 5,
     .count = 9001},
    /* the next subject */
};

enum { ROWS = sizeof rows / sizeof *rows };

const struct bly_subject *subject_at(size_t index)
{
    static size_t library;
    if (!library)
        while (bly_subject_at(library)) library++;
    if (index < library) return bly_subject_at(index);
    return index - library < ROWS ? &rows[index - library] : NULL;
}

static const struct {
    const char *item;
    uint64_t hash;
} goldens[] = {
#include "subjects_golden.inc"
};

int subject_golden(const struct bly_subject *subject, bailey_precision precision, uint64_t *hash)
{
    char item[BLY_SUBJECT_ITEM];
    if (bly_subject_golden(subject, precision, hash)) return 1;
    bly_subject_item(subject, precision, item);
    for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++)
        if (strcmp(goldens[i].item, item) == 0) {
            *hash = goldens[i].hash;
            return 1;
        }
    return 0;
}
