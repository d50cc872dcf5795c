/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The self-test's subjects, in the order of its report: single kernels first, then what takes many together,
 * programs compiled at run time among them. Where the first are right and one of the others is not, the
 * compiler of programs is to blame.
 */
#include "subject.h"

#include <bailey/device/run.h>

#define SEQUENCE .first = 5, .count = 100003

/* A range of a stepping generator's stream: it begins inside a pack of four words and inside a quad of steps,
 * and has the end of a segment, two whole ones, and the beginning of another. Written after two elements, its
 * whole segments lie where devices store them in vectors. */
#define BEFORE 1022
#define RANGE                                                                                                \
    .lead = 2, .first = 5 * (uint64_t)BAILEY_RUN_WORDS - BEFORE, .count = BEFORE + 2 * BAILEY_RUN_WORDS + 77

/* ---- Numbers ----------------------------------------------------------------------------------------- */

#define SOURCE(name) .source = {.seed = 3, .stream = 4, .generator = BAILEY_GENERATOR_##name}
#define ICDF .method = BAILEY_NORMAL_METHOD_ICDF
#define BOX_MULLER .method = BAILEY_NORMAL_METHOD_BOX_MULLER

/* The words of a generator and those of its published sequence, if it steps to that; Philox has a row of its
 * own. */
#define NONE(NAME, text)
#define TEAM STATES
#define STATES(NAME, text)                                                                                   \
    {.name = "words, " text ", published",                                                                   \
     .kind = BLY_SUBJECT_WORDS,                                                                              \
     .when = BLY_ALL_F32,                                                                                    \
     .source = {.seed = 12345, .generator = BAILEY_GENERATOR_##NAME, .sequence = BAILEY_SEQUENCE_PUBLISHED}, \
     .lead = 2,                                                                                              \
     .first = UINT64_C(3000000019),                                                                          \
     .count = BEFORE + 2 * BAILEY_RUN_WORDS + 77},
#define IS_USUAL(NAME)                                                                                       \
    (BAILEY_GENERATOR_##NAME == BAILEY_GENERATOR_WARP || BAILEY_GENERATOR_##NAME == BAILEY_GENERATOR_MT19937)
#define GENERATOR(number, NAME, word, kind_, published, text, verdict, period)                               \
    {.name = "words, " text,                                                                                 \
     .kind = BLY_SUBJECT_WORDS,                                                                              \
     .when = number == 0      ? 0                                                                            \
             : IS_USUAL(NAME) ? BLY_FEW_F32 | BLY_ALL_F32                                                    \
                              : BLY_ALL_F32,                                                                 \
     SOURCE(NAME),                                                                                           \
     RANGE},                                                                                                 \
        published(NAME, text)

static const double factor[9] = {0.2, 0, 0, 0.09, 0.3, 0, -0.05, 0.02, 0.25};

static const bailey_variate_params gumbel = {.distribution = BAILEY_DISTRIBUTION_GUMBEL,
                                             .location = 1,
                                             .scale = 2},
                                   weibull = {
                                       .distribution = BAILEY_DISTRIBUTION_WEIBULL, .scale = 2, .shape = 1.5};
static const bailey_variate_params gamma_ = {
    .distribution = BAILEY_DISTRIBUTION_GAMMA, .shape = 2.5, .scale = 3};
static const bailey_variate_params poisson = {
    .distribution = BAILEY_DISTRIBUTION_POISSON, .mean = 12.5, .integers = 1};
static const bailey_variate_params aliases = {
    .distribution = BAILEY_DISTRIBUTION_POISSON, .mean = 3000, .integers = 1, .alias = 1};
static const bailey_variate_params exponential = {.distribution = BAILEY_DISTRIBUTION_EXPONENTIAL, .rate = 2},
                                   log_normal = {.distribution = BAILEY_DISTRIBUTION_LOG_NORMAL,
                                                 .mean = -0.5,
                                                 .stddev = 0.2};

/* ---- Points: dimensions whose numbers have bits in every part of an item ------------------------------ */

#define POINT_FORM(form_, layout_)                                                                           \
    .points = &(const bailey_points_params){.form = BAILEY_POINTS_FORM_##form_,                              \
                                            .layout = BAILEY_POINTS_LAYOUT_##layout_,                        \
                                            .first_dim = 1000,                                               \
                                            .dims = 7},                                                      \
    .first = 99999, .count = 3001
#define SOBOL(scramble_, bits)                                                                               \
    .source = {.seed = 3,                                                                                    \
               .stream = 4,                                                                                  \
               .generator = BAILEY_GENERATOR_SOBOL,                                                          \
               .scramble = BAILEY_SCRAMBLE_##scramble_,                                                      \
               .word_bits = bits}

/* ---- Paths ------------------------------------------------------------------------------------------- */

#define STEPS 37
#define PATHS 1003

static const double path_times[STEPS] = {
#define TIME(i) 0.25 * (i + 1) + (i % 3) / 16.0
    TIME(0),  TIME(1),  TIME(2),  TIME(3),  TIME(4),  TIME(5),  TIME(6),  TIME(7),  TIME(8),  TIME(9),
    TIME(10), TIME(11), TIME(12), TIME(13), TIME(14), TIME(15), TIME(16), TIME(17), TIME(18), TIME(19),
    TIME(20), TIME(21), TIME(22), TIME(23), TIME(24), TIME(25), TIME(26), TIME(27), TIME(28), TIME(29),
    TIME(30), TIME(31), TIME(32), TIME(33), TIME(34), TIME(35), TIME(36)
#undef TIME
};
static const double path_covariance[9] = {0.04, 0.018, -0.01, 0.018, 0.09, 0.0, -0.01, 0.0, 0.0625},
                    path_start[3] = {0.5, -1, 100}, path_end[3] = {1, 0, -2};

#define FREE NULL
#define FIXED path_end
#define FREE_END "free"
#define FIXED_END "fixed"
#define PATHS_OUTPUT "paths"
#define INCREMENTS_OUTPUT "increments"
#define STEP_LAYOUT "step"
#define PATH_LAYOUT "path"
#define ICDF_NAME "inverse CDF"
#define BOX_MULLER_NAME "Box-Muller"
#define COVARIANCE_1 NULL
#define COVARIANCE_3 path_covariance

#define BRIDGE(output_, dims_, end_, layout_, method_, ...)                                                  \
    {                                                                                                        \
        .name = output_##_OUTPUT ", " #dims_ " dims, " end_##_END " end, " layout_##_LAYOUT                  \
            "-major, " method_##_NAME,                                                                       \
        .kind = BLY_SUBJECT_PATHS, .source = {.seed = 7, .stream = 8}, .normal = {method_}, .first = 5,      \
        .count = PATHS,                                                                                      \
        .path = &(const bailey_bridge_params){.times = path_times,                                           \
                                              .steps = STEPS,                                                \
                                              .start_time = 0.125,                                           \
                                              .dims = dims_,                                                 \
                                              .covariance = COVARIANCE_##dims_,                              \
                                              .start = path_start,                                           \
                                              .end = end_,                                                   \
                                              .output = BAILEY_BRIDGE_OUTPUT_##output_,                      \
                                              .layout = BAILEY_LAYOUT_##layout_##_MAJOR},                    \
        __VA_ARGS__                                                                                          \
    }

static const double other_times[8] = {0.5, 1, 1.75, 2, 3, 3.25, 4, 6}, other_covariance[4] = {1, 0.5, 0.5, 2};

/* ---- Motions: ticks of all depths, each from the root down; a grid of ticks, in a walk; areas ---------- */

static const uint64_t ticks[4] = {UINT64_C(1) << 24, 3, 12345678, 99999}, from[3] = {1000, 7, 0},
                      to[3] = {12345679, 8, UINT64_C(1) << 24};
static const uint64_t grid[16] = {1 << 20,  2 << 20,  3 << 20,  4 << 20,  5 << 20,  6 << 20,
                                  7 << 20,  8 << 20,  9 << 20,  10 << 20, 11 << 20, 12 << 20,
                                  13 << 20, 14 << 20, 15 << 20, 16 << 20};
static const double motion_factor[9] = {1, 0, 0, 0.5, 2, 0, 0.25, 0.75, 1.5}, motion_start[3] = {1, 2, 3};

#define MOTION(areas_)                                                                                       \
    .kind = BLY_SUBJECT_MOTION, .when = BLY_FEW, .source = {.seed = 42, .stream = 5}, .first = 77,           \
    .count = PATHS, .motion = &(const bailey_motion_params)                                                  \
    {                                                                                                        \
        .end_time = 2, .depth = 24, .dims = 3, .factor = motion_factor, .start = motion_start,               \
        .areas = BAILEY_MOTION_AREAS_##areas_                                                                \
    }

/* ---- Prices ------------------------------------------------------------------------------------------ */

static const double times[4] = {0.25, 0.5, 0.75, 1}, correlation[4] = {1, 0.4, 0.4, 1};

static const bailey_bridge_params quarters = {.times = times, .steps = 4},
                                  two_assets = {
                                      .times = times, .steps = 4, .dims = 2, .covariance = correlation};

static const struct bly_setting basket[] = {{"spot", {100, 50}, 2},
                                            {"volatility", {0.2, 0.35}, 2},
                                            {"rate", {0.03}, 1},
                                            {"strike", {75}, 1},
                                            {0}},
                                call[] = {{"spot", {100}, 1},  {"volatility", {0.2}, 1}, {"strike", {95}, 1},
                                          {"rate", {0.03}, 1}, {"sign", {1}, 1},         {0}},
                                asian[] = {{"spot", {100}, 1},
                                           {"volatility", {0.2}, 1},
                                           {"strike", {95}, 1},
                                           {"rate", {0.03}, 1},
                                           {"sign", {1}, 1},
                                           {"weight", {1}, 1},
                                           {0}},
                                level_call[] = {{"spot", {100}, 1},
                                                {"volatility", {0.2}, 1},
                                                {"strike", {95}, 1},
                                                {"rate", {0.03}, 1},
                                                {0}},
                                highest[] = {
                                    {"spot", {100}, 1}, {"volatility", {0.2}, 1}, {"strike", {105}, 1}, {0}};

/* A call on the highest price, and how far the last one is below it. */
static const char code[] = "typedef struct { real spot, volatility, strike; } params;\n"
                           "typedef struct { real price, highest; } state;\n"
                           "void start(state *s, const params *p) { s->price = p->spot; s->highest = 0; }\n"
                           "void step(state *s, const params *p, int i, real t, const real x[])\n"
                           "{\n"
                           "    s->price = p->spot * exp(p->volatility * x[0] - 0.02 * t);\n"
                           "    if (s->price > s->highest) s->highest = s->price;\n"
                           "}\n"
                           "void finish(const state *s, const params *p, real out[2])\n"
                           "{\n"
                           "    out[0] = fmax(s->highest - p->strike, 0);\n"
                           "    out[1] = s->highest - s->price;\n"
                           "}\n";

static const bailey_simulation_run_params in_double = {.moments = 1}, in_integers = {.moments = 1,
                                                                                     .sum = BAILEY_SUM_FIXED,
                                                                                     .sum_limit = 1024};

static const char *const spot = "spot", *const volatility = "volatility";
static const bailey_greeks_params call_greeks = {.spots = &spot,
                                                 .spot_count = 1,
                                                 .volatilities = &volatility,
                                                 .volatility_count = 1,
                                                 .rate = "rate",
                                                 .method = BAILEY_GREEK_METHOD_DIFFERENCES};

static const double put_spot = 36, put_volatility = 0.2;
static const bailey_american_params put = {.type = BAILEY_OPTION_TYPE_PUT,
                                           .spot = &put_spot,
                                           .volatility = &put_volatility,
                                           .strike = 40,
                                           .rate = 0.06,
                                           .exercise_times = times,
                                           .exercise_count = 4,
                                           .paths = 4003,
                                           .policy_paths = 4003,
                                           .lower_only = 1};

static const uint64_t samples[4] = {30016, 4128, 992, 96};
static const bailey_mlmc_params one_asset = {0};
static const bailey_mlmc_run_params sampled = {0}, to_an_error = {.eps = 0.25};

/* ---- The rows ---------------------------------------------------------------------------------------- */

static const struct bly_subject rows[] = {
    {.name = "words, Philox4x32-10",
     .kind = BLY_SUBJECT_WORDS,
     .when = BLY_FEW_F32 | BLY_ALL_F32,
     .source = {.seed = 1, .stream = 2},
     .first = 3,
     .count = 100003},
    {.name = "normals, inverse CDF",
     .kind = BLY_SUBJECT_NORMALS,
     .when = BLY_FEW,
     .source = {.seed = 1, .stream = 2},
     .normal = {ICDF},
     SEQUENCE},
    {.name = "normals, Box-Muller",
     .kind = BLY_SUBJECT_NORMALS,
     .when = BLY_FEW,
     .source = {.seed = 1, .stream = 2},
     .normal = {BOX_MULLER},
     SEQUENCE},
    BAILEY_GENERATOR_LIST(GENERATOR){
        .name = "words, warp, set 7",
        .kind = BLY_SUBJECT_WORDS,
        .when = BLY_FEW_F32 | BLY_ALL_F32,
        .source = {.seed = 3, .stream = 4, .generator = BAILEY_GENERATOR_WARP, .warp_set = 7},
        RANGE},
    /* For the generators that have and have not a kernel that draws and transforms. */
    {.name = "uniforms, hybrid-taus",
     .kind = BLY_SUBJECT_UNIFORMS,
     .when = BLY_ALL,
     SOURCE(HYBRID_TAUS),
     RANGE},
    {.name = "normals, warp, inverse CDF",
     .kind = BLY_SUBJECT_NORMALS,
     .when = BLY_ALL,
     SOURCE(WARP),
     .normal = {ICDF},
     RANGE},
    {.name = "normals, warp, Box-Muller",
     .kind = BLY_SUBJECT_NORMALS,
     .when = BLY_ALL_F32,
     SOURCE(WARP),
     .normal = {BOX_MULLER},
     RANGE},
    {.name = "normals, kiss, Box-Muller",
     .kind = BLY_SUBJECT_NORMALS,
     .when = BLY_ALL_F64,
     SOURCE(KISS),
     .normal = {BOX_MULLER},
     RANGE},
/* From words of the other width, drawn and from words in memory. */
#define WIDTHS(bits, when_)                                                                                  \
    {.name = "normals, philox, inverse CDF, from " #bits " bits",                                            \
     .kind = BLY_SUBJECT_NORMALS,                                                                            \
     .when = when_,                                                                                          \
     SOURCE(PHILOX),                                                                                         \
     .normal = {ICDF, .word_bits = bits},                                                                    \
     RANGE},                                                                                                 \
        {.name = "normals, philox, Box-Muller, from " #bits " bits",                                         \
         .kind = BLY_SUBJECT_NORMALS,                                                                        \
         .when = when_,                                                                                      \
         SOURCE(PHILOX),                                                                                     \
         .normal = {BOX_MULLER, .word_bits = bits},                                                          \
         RANGE},                                                                                             \
        {.name = "normals, warp, inverse CDF, from " #bits " bits",                                          \
         .kind = BLY_SUBJECT_NORMALS,                                                                        \
         .when = when_,                                                                                      \
         SOURCE(WARP),                                                                                       \
         .normal = {ICDF, .word_bits = bits},                                                                \
         RANGE},                                                                                             \
    {                                                                                                        \
        .name = "normals, warp, Box-Muller, from " #bits " bits", .kind = BLY_SUBJECT_NORMALS,               \
        .when = when_, SOURCE(WARP), .normal = {BOX_MULLER, .word_bits = bits}, RANGE                        \
    }
    WIDTHS(64, BLY_ALL_F32),
    WIDTHS(32, BLY_ALL_F64),
    {.name = "uniforms, philox", .kind = BLY_SUBJECT_UNIFORMS, .when = BLY_ALL, SOURCE(PHILOX), RANGE},
    {.name = "exponential, warp",
     .kind = BLY_SUBJECT_VARIATES,
     .when = BLY_FEW_F32 | BLY_ALL,
     SOURCE(WARP),
     .variate = &exponential,
     RANGE},
    {.name = "gumbel, warp",
     .kind = BLY_SUBJECT_VARIATES,
     .when = BLY_ALL,
     SOURCE(WARP),
     .variate = &gumbel,
     RANGE},
    {.name = "weibull, philox",
     .kind = BLY_SUBJECT_VARIATES,
     .when = BLY_ALL,
     SOURCE(PHILOX),
     .variate = &weibull,
     RANGE},
    {.name = "gamma, philox",
     .kind = BLY_SUBJECT_VARIATES,
     .when = BLY_ALL,
     SOURCE(PHILOX),
     .variate = &gamma_,
     RANGE},
    {.name = "poisson, philox",
     .kind = BLY_SUBJECT_VARIATES,
     .when = BLY_ALL,
     SOURCE(PHILOX),
     .variate = &poisson,
     RANGE},
    {.name = "poisson, aliases, philox",
     .kind = BLY_SUBJECT_VARIATES,
     .when = BLY_ALL,
     SOURCE(PHILOX),
     .variate = &aliases,
     RANGE},
    {.name = "log-normal, warp, Box-Muller",
     .kind = BLY_SUBJECT_VARIATES,
     .when = BLY_FEW_F64 | BLY_ALL,
     SOURCE(WARP),
     .normal = {BOX_MULLER},
     .variate = &log_normal,
     RANGE},
    {.name = "normals, Wallace",
     .kind = BLY_SUBJECT_NORMALS,
     .when = BLY_ALL_F32,
     SOURCE(PHILOX),
     .normal = {.method = BAILEY_NORMAL_METHOD_WALLACE},
     RANGE},
    {.name = "normals, correlated",
     .kind = BLY_SUBJECT_CORRELATED,
     .when = BLY_FEW_F32 | BLY_ALL,
     .source = {.seed = 5},
     .factor = factor,
     .vector_dims = 3,
     .count = PATHS},

    {.name = "points, sobol, owen, words",
     .kind = BLY_SUBJECT_POINTS,
     .when = BLY_FEW_F32 | BLY_ALL_F32,
     SOBOL(OWEN, 32),
     POINT_FORM(WORDS, DIM_MAJOR)},
    {.name = "points, sobol, words",
     .kind = BLY_SUBJECT_POINTS,
     .when = BLY_ALL_F32,
     SOBOL(NONE, 32),
     POINT_FORM(WORDS, POINT_MAJOR)},
    {.name = "points, sobol, owen, words of 64 bits",
     .kind = BLY_SUBJECT_POINTS,
     .when = BLY_ALL_F32,
     SOBOL(OWEN, 64),
     POINT_FORM(WORDS, POINT_MAJOR)},
    {.name = "points, sobol, shift, uniforms",
     .kind = BLY_SUBJECT_POINTS,
     .when = BLY_ALL,
     SOBOL(SHIFT, 32),
     POINT_FORM(UNIFORMS, POINT_MAJOR)},
    {.name = "points, sobol, linear, normals",
     .kind = BLY_SUBJECT_POINTS,
     .when = BLY_ALL,
     SOBOL(LMS, 32),
     POINT_FORM(NORMALS, DIM_MAJOR)},
    {.name = "points, sobol, linear, normals of 64 bits",
     .kind = BLY_SUBJECT_POINTS,
     .when = BLY_ALL,
     SOBOL(LMS, 64),
     POINT_FORM(NORMALS, DIM_MAJOR)},

    BRIDGE(PATHS, 1, FREE, STEP, ICDF, .when = BLY_FEW_F32 | BLY_ALL, .strategies = 1),
    BRIDGE(PATHS, 3, FREE, STEP, BOX_MULLER, .when = BLY_ALL),
    BRIDGE(PATHS, 1, FIXED, STEP, BOX_MULLER, .when = BLY_ALL),
    BRIDGE(PATHS, 3, FIXED, STEP, ICDF, .when = BLY_ALL),
    BRIDGE(INCREMENTS, 1, FREE, STEP, BOX_MULLER, .when = BLY_ALL),
    BRIDGE(INCREMENTS, 3, FREE, STEP, BOX_MULLER, .when = BLY_ALL),
    BRIDGE(INCREMENTS, 1, FIXED, STEP, ICDF, .when = BLY_FEW_F32 | BLY_ALL, .strategies = 1),
    BRIDGE(INCREMENTS, 3, FIXED, STEP, BOX_MULLER, .when = BLY_ALL),
    BRIDGE(PATHS, 1, FREE, PATH, BOX_MULLER, .when = BLY_ALL),
    BRIDGE(PATHS, 3, FREE, PATH, ICDF, .when = BLY_FEW_F32 | BLY_ALL, .stored = 1),
    BRIDGE(PATHS, 1, FIXED, PATH, BOX_MULLER, .when = BLY_ALL),
    BRIDGE(PATHS, 3, FIXED, PATH, BOX_MULLER, .when = BLY_ALL),
    BRIDGE(INCREMENTS, 1, FREE, PATH, ICDF, .when = BLY_ALL),
    BRIDGE(INCREMENTS, 3, FREE, PATH, BOX_MULLER, .when = BLY_ALL),
    BRIDGE(INCREMENTS, 1, FIXED, PATH, BOX_MULLER, .when = BLY_ALL),
    BRIDGE(INCREMENTS, 3, FIXED, PATH, ICDF, .when = BLY_FEW_F32 | BLY_ALL),

    {.name = "price, Asian basket",
     .kind = BLY_SUBJECT_SIMULATION,
     .when = BLY_FEW,
     .source = {.seed = 9},
     .count = 30011,
     .path = &two_assets,
     .payoff = {.name = "asian"},
     .planned_paths = 30011,
     .settings = basket,
     .brief = 1},
    /* Without a division, which not every device rounds correctly in single precision. */
    {.name = "simulation, sums in integers",
     .kind = BLY_SUBJECT_SIMULATION,
     .when = BLY_FEW_F32 | BLY_ALL,
     .source = {.seed = 9},
     .count = 30011,
     .path = &quarters,
     .payoff = {.name = "european"},
     .settings = call,
     .run = &in_integers},
    {.name = "simulation, sums in double",
     .kind = BLY_SUBJECT_SIMULATION,
     .when = BLY_FEW_F64 | BLY_ALL,
     .source = {.seed = 9},
     .count = 30011,
     .path = &quarters,
     .payoff = {.name = "asian"},
     .settings = asian,
     .run = &in_double},
    {.name = "levels, European call",
     .kind = BLY_SUBJECT_LEVELS,
     .when = BLY_FEW_F32 | BLY_ALL,
     .source = {.seed = 9},
     .payoff = {.name = "european"},
     .settings = level_call,
     .brief = 1,
     .levels = &one_asset,
     .levels_run = &sampled,
     .samples = samples,
     .level_count = 4},
    {.name = "motion", MOTION(NONE), .ticks = ticks, .tick_count = 4},
    {.name = "motion, grid", MOTION(NONE), .ticks = grid, .tick_count = 16},
    {.name = "motion, areas", MOTION(HK), .ticks = from, .to = to, .tick_count = 3},

    {.name = "paths, principal components",
     .kind = BLY_SUBJECT_PATHS,
     .when = BLY_ALL,
     .source = {.seed = 7},
     .first = 5,
     .count = PATHS,
     .path =
         &(const bailey_bridge_params){.times = other_times,
                                       .steps = 8,
                                       .dims = 2,
                                       .covariance = other_covariance,
                                       .construction = BAILEY_CONSTRUCTION_PCA}},
    {.name = "paths, bridge of points",
     .kind = BLY_SUBJECT_PATHS,
     .when = BLY_ALL,
     .source = {.seed = 7, .generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_OWEN},
     .first = 5,
     .count = PATHS,
     .path =
         &(const bailey_bridge_params){
             .times = other_times, .steps = 8, .dims = 2, .covariance = other_covariance}},

    {.name = "payoff of a text",
     .kind = BLY_SUBJECT_SIMULATION,
     .when = BLY_ALL,
     .source = {.seed = 9},
     .count = 4003,
     .path = &quarters,
     .payoff = {.code = code, .name = "selftest.c"},
     .settings = highest,
     .brief = 1},
    {.name = "Greeks, European call",
     .kind = BLY_SUBJECT_GREEKS,
     .when = BLY_ALL,
     .source = {.seed = 9},
     .count = 4003,
     .path = &quarters,
     .payoff = {.name = "european"},
     .settings = call,
     .greeks = &call_greeks},
    {.name = "price, American put",
     .kind = BLY_SUBJECT_AMERICAN,
     .when = BLY_ALL,
     .source = {.seed = 9},
     .american = &put,
     .brief = 1},
    {.name = "multilevel, European call",
     .kind = BLY_SUBJECT_LEVELS,
     .when = BLY_ALL,
     .source = {.seed = 9},
     .payoff = {.name = "european"},
     .settings = level_call,
     .brief = 1,
     .levels = &one_asset,
     .levels_run = &to_an_error},
};

const struct bly_subject *bly_subject_at(size_t index)
{
    return index < sizeof rows / sizeof *rows ? &rows[index] : NULL;
}
