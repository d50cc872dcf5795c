/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The uses that the library makes of descriptions in code: parameters that are missing, out of range or
 * unusual, defaults, and the path that the code asks for; in simulations, scenarios, Greeks and multilevel
 * Monte Carlo.
 */
#include "api.h"
#include "simulations.h"

#include <bailey/greeks.h>
#include <bailey/mlmc.h>

/* `call` is refused because of `argument`. */
#define REFUSES(call, argument, a, b)                                                                        \
    do {                                                                                                     \
        REFUSED_HERE(call, a, b);                                                                            \
        assert_string_equal(bailey_error_argument(), argument);                                              \
    } while (0)

static const double one_time = 1, times[] = {0.25, 0.5, 0.75, 1};

static bailey_bridge_params path_of(uint64_t steps)
{
    return (bailey_bridge_params){
        .times = steps == 1 ? &one_time : times, .steps = steps, .precision = BAILEY_PRECISION_F64};
}

static bailey_status set_one(bailey_simulation *s, const char *name, double value)
{
    return bailey_simulation_set(s, name, &value, 1);
}

static double mean_of(bailey_simulation *s)
{
    const bailey_simulation_run_params run = {.paths = 64};
    bailey_estimate e[BAILEY_SIMULATION_MAX_OUTPUTS];
    OK(bailey_simulation_run(s, &run, e));
    return e[0].mean;
}

/* ---- Parameters ---------------------------------------------------------------------------------- */

static const char sums[] =
    "typedef struct {\n"
    "    real spot, strike; /* [role spot spot] */\n"
    "    real initial[2];   /* [default spot] */\n"
    "    real first[2];     /* [default initial] */\n"
    "    real weight[4];    /* [default 1 / STEPS; >= 0] */\n"
    "    int kind;          /* [0 (sum) or 3 (more); default 3] */\n"
    "} params;\n"
    "void whole(const params *p, path x, real out[2])\n"
    "{\n"
    "    out[0] = p->spot + 10 * p->strike + 100 * p->initial[1] + 1000 * p->kind + p->weight[3];\n"
    "    out[1] = at(x, 0, 0);\n"
    "}\n";

TEST(defaults, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    const char *code = "typedef struct {\n"
                       "    real spot;\n"
                       "    real initial[2]; /* [default spot] */\n"
                       "    real weight[4];  /* [default 1 / STEPS; >= 0] */\n"
                       "    int kind;        /* [0 (sum) or 3 (more); default 3] */\n"
                       "} params;\n"
                       "void whole(const params *p, path x, real out[])\n"
                       "{ out[0] = p->spot + 100 * p->initial[1] + 1000 * p->kind + p->weight[3]; }\n";
    bailey_simulation *s = simulation_of(code, path_of(4));
    const bailey_simulation_run_params run = {.paths = 2};
    bailey_estimate e[8];
    REFUSES(bailey_simulation_run(s, &run, e), "parameters",
            "payoff.c needs spot, initial, which are neither set", "nor have a default");
    set(s, "spot", 2);
    assert_true(mean_of(s) == 2 + 200 + 3000 + 0.25);
    set(s, "spot", 3); /* which the other follows until it is set itself */
    assert_true(mean_of(s) == 3 + 300 + 3000 + 0.25);
    OK(bailey_simulation_set(s, "initial", (const double[]){7, 5}, 2));
    set(s, "spot", 4), set(s, "kind", 0);
    assert_true(mean_of(s) == 4 + 500 + 0.25);
    bailey_simulation_destroy(s);
    /* A scenario of another spot has the initial price of the simulation: derivatives are of the spot alone.
     */
    s = simulation_of(code, path_of(4));
    set(s, "spot", 2);
    const char *const names[] = {"spot"};
    bailey_simulation_run_params table = run;
    table.scenarios =
        (bailey_scenarios){.count = 2, .columns = 1, .names = names, .values = (const double[]){2, 9}};
    OK(bailey_simulation_run(s, &table, e));
    assert_true(e[0].mean == 3202.25 && e[1].mean == 3209.25);
    bailey_greek_estimate greeks[3];
    const bailey_greeks_params params = {.spots = names, .spot_count = 1};
    OK(bailey_simulation_greeks(s, &run, &params, greeks));
    assert_true(fabs(greeks[1].mean - 1) < 1e-9);
    bailey_simulation_destroy(s);
    /* Where scenarios alone give the spot, the initial price is theirs. */
    s = simulation_of(code, path_of(4));
    OK(bailey_simulation_run(s, &table, e));
    assert_true(e[0].mean == 3202.25 && e[1].mean == 9 + 900 + 3000 + 0.25);
    bailey_simulation_destroy(s);
}

TEST(missing, DEVICE)
{
    if (!simulates()) skip();
    bailey_simulation *s = simulation_of(sums, path_of(4));
    const bailey_simulation_run_params run = {.paths = 2};
    bailey_estimate e[2];
    bailey_greek_estimate greeks[8];
    const char *const spot[] = {"spot"};
    const bailey_greeks_params params = {.spots = spot, .spot_count = 1};
    REFUSES(bailey_simulation_run(s, &run, e), "parameters", "needs spot, strike, initial, first, which", "");
    REFUSES(bailey_simulation_greeks(s, &run, &params, greeks), "parameters", "needs spot, strike", "");
    set(s, "strike", 1);
    OK(bailey_simulation_set(s, "initial", (const double[]){1, 1}, 2));
    REFUSES(bailey_simulation_run(s, &run, e), "parameters", "needs spot, which is neither set nor has", "");
    bailey_simulation_destroy(s);
    bailey_mlmc *m = NULL;
    const bailey_mlmc_params levels = {.estimator = {.name = "barrier"}};
    const bailey_mlmc_run_params many = {.eps = 1};
    bailey_mlmc_result result;
    OK(bailey_mlmc_create(context, &levels, &m));
    REFUSES(bailey_mlmc_run(m, &many, &result), "parameters", "barrier needs side,", "");
    assert_string_equal(bailey_mlmc_description(m)->parameters[0].name, "spot");
    bailey_mlmc_destroy(m);
}

TEST(ranges, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    bailey_simulation *s = simulation_of(sums, path_of(4));
    const double weights[] = {1, 2, -1, 0};
    REFUSES(bailey_simulation_set(s, "weight", weights, 4), "values",
            "weight[2] of payoff.c is -1, not 0 or more", "");
    REFUSES(set_one(s, "kind", 1), "values", "kind of payoff.c is 1, not 0 (sum) or 3 (more)", "");
    REFUSES(set_one(s, "kind", 0.5), "values", "kind is 0.5, not an int", "");
    REFUSES(set_one(s, "spot", NAN), "values", "spot is nan, not a real", "");
    const bailey_description *d = bailey_simulation_description(s);
    assert_int_equal(d->parameter_count, 6);
    assert_true(d->parameters[4].count == 4 && d->parameters[4].default_value == 0.25);
    assert_null(bailey_simulation_description(NULL));
    bailey_simulation_destroy(s);
    s = simulation_of("/** check: low < high: the corridor is empty */\n"
                      "typedef struct { real low, high; } params;\n"
                      "void whole(const params *p, path x, real out[]) { out[0] = p->high - p->low; }\n",
                      path_of(1));
    const bailey_simulation_run_params run = {.paths = 2};
    bailey_estimate e;
    set(s, "low", 2), set(s, "high", 1);
    REFUSES(bailey_simulation_run(s, &run, &e), "values", "payoff.c: low is 2, high is 1, where low < high",
            "the corridor is empty");
    set(s, "high", 3);
    assert_true(mean_of(s) == 1);
    bailey_simulation_destroy(s);
}

/* ---- Warnings ------------------------------------------------------------------------------------ */

static char warned[2000];
static int warnings;

static void take_warning(void *user, const char *message)
{
    assert_true(user == &warnings);
    snprintf(warned, sizeof warned, "%s", message);
    warnings++;
}

static void warns(const char *words)
{
    assert_int_equal(warnings, words != NULL);
    if (words && !strstr(warned, words)) fail_msg("'%s' has no '%s'", warned, words);
    warnings = 0;
}

TEST(unusual, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    bailey_warning_set(take_warning, &warnings);
    bailey_simulation *s = NULL;
    bailey_simulation_params params = {.path = path_of(1), .payoff = {.name = "european"}};
    OK(bailey_simulation_create(context, &params, &s));
    set(s, "spot", 100), set(s, "strike", 100), set(s, "rate", 0.05), set(s, "volatility", 0.2);
    warns(NULL);
    set(s, "rate", 5);
    warns("rate of european is 5, usually in (-1, 1); 0.05 is 5 %");
    set(s, "volatility", 20);
    warns("volatility of european is 20, usually below 2; 0.2 is 20 %");
    set(s, "rate", 0.05), set(s, "volatility", 0.2);
    const char *const names[] = {"rate"};
    const bailey_simulation_run_params run = {
        .paths = 2,
        .scenarios = {.count = 3, .columns = 1, .names = names, .values = (const double[]){0.01, 4, 5}}};
    bailey_estimate e[3];
    OK(bailey_simulation_run(s, &run, e));
    warns("rate of european is 4");
    bailey_simulation_destroy(s);
    params = (bailey_simulation_params){.path = path_of(4), .payoff = {.name = "heston"}};
    OK(bailey_simulation_create(context, &params, &s));
    set(s, "variance", 4);
    warns("of a volatility of 0.2 it is 0.04");
    bailey_simulation_destroy(s);
    s = simulation_of("typedef struct { real width; /* [usual < 0.5] */ } params;\n"
                      "void whole(const params *p, path x, real out[]) { out[0] = p->width; }\n",
                      path_of(1));
    set(s, "width", 0.5);
    warns("width of payoff.c is 0.5, usually below 0.5");
    bailey_warning_set(NULL, NULL);
    set(s, "width", 1);
    warns(NULL);
    bailey_simulation_destroy(s);
}

/* ---- Paths --------------------------------------------------------------------------------------- */

#define FIRST                                                                                                \
    "\ntypedef struct { real n; /* [default 0] */ } params;\n"                                               \
    "void whole(const params *p, path x, real out[2]) { out[0] = time(x, 0); out[1] = at(x, 0, 0); }\n"

static void refuse_path(const char *head, bailey_bridge_params path, uint32_t levels, const char *argument,
                        const char *words)
{
    char code[1000];
    snprintf(code, sizeof code, "/** %s */" FIRST, head);
    const bailey_simulation_params params = {.path = path, .payoff = {.code = code}, .motion_depth = levels};
    bailey_simulation *s = NULL;
    REFUSES(bailey_simulation_create(context, &params, &s), argument, words, "payoff.c");
    assert_null(s);
}

TEST(paths, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    static const double later[] = {8.25, 9};
    bailey_estimate e[2][2];
    const bailey_simulation_run_params run = {.paths = 100};
    /* Increments are what it gets, whether they are asked for or not. */
    for (int i = 0; i < 2; i++) {
        bailey_bridge_params path = path_of(4);
        path.output = i ? BAILEY_BRIDGE_OUTPUT_INCREMENTS : BAILEY_BRIDGE_OUTPUT_PATHS;
        bailey_simulation *s = simulation_of("/** path: increments */" FIRST, path);
        OK(bailey_simulation_run(s, &run, e[i]));
        bailey_simulation_destroy(s);
    }
    assert_true(memcmp(&e[0][1].mean, &e[1][1].mean, sizeof(double)) == 0);
    /* Time counts from the beginning where the code says so, else it is that of the path. */
    for (int i = 0; i < 2; i++) {
        const bailey_bridge_params path = {
            .times = later, .steps = 2, .start_time = 8, .precision = BAILEY_PRECISION_F64};
        bailey_simulation *s = simulation_of(i ? "/** start: any time */" FIRST : FIRST, path);
        OK(bailey_simulation_run(s, &run, e[i]));
        bailey_simulation_destroy(s);
    }
    assert_true(e[0][0].mean == 8.25 && e[1][0].mean == 0.25 && e[0][1].mean == e[1][1].mean);
    bailey_simulation *s = simulation_of("/** dims: at least 3 */" FIRST, path_of(1));
    OK(bailey_simulation_run(s, &run, e[0]));
    bailey_simulation_destroy(s);
    bailey_bridge_params path = path_of(4);
    path.output = BAILEY_BRIDGE_OUTPUT_INCREMENTS;
    refuse_path("path: paths", path, 0, "output", "needs BAILEY_BRIDGE_OUTPUT_PATHS");
    path.output = BAILEY_BRIDGE_OUTPUT_PATHS;
    refuse_path("path: normals", path, 0, "times", "counts steps from start_time");
    refuse_path("steps: at least 5", path, 0, "steps", "steps is 4, but payoff.c needs at least 5");
    refuse_path("steps: at most 3", path, 0, "steps", "steps is 4, but payoff.c allows at most 3 steps");
    path.dims = 2;
    refuse_path("dims: at least 3", path, 0, "dims", "dims is 2, but payoff.c needs 3");
    refuse_path("dims: 1", path, 0, "dims", "dims is 2, but payoff.c allows at most 1");
    path = path_of(1);
    refuse_path("path: increments", path, 5, "motion_depth",
                "motion_depth is 5, but the path of payoff.c has steps");
    path.times = later;
    path.start_time = 8;
    refuse_path("start: 0", path, 0, "start_time", "needs a path that begins at time 0");
    refuse_path("dims: some", path, 0, "payoff", "payoff.c:1:11: some is not an integer");
}

/* Code that says that its path is a motion has one. */
TEST(motions, DEVICE)
{
    if (!simulates()) skip();
    bailey_simulation *s =
        simulation_of("/** path: motion\n * levels: 3\n */\n"
                      "void whole(const params *p, path x, real out[]) { out[0] = LEVELS; }\n",
                      path_of(1));
    assert_true(mean_of(s) == 3);
    bailey_simulation_destroy(s);
}

/* Euler's scheme of dS = S dt: half of the steps. */
TEST(bias, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    bailey_simulation *s =
        simulation_of("/** coarser: steps */\n"
                      "typedef struct { real time, s; } state;\n"
                      "void start(state *s, const params *p) { s->time = 0; s->s = 1; }\n"
                      "void step(state *s, const params *p, int i, real t, const real x[])\n"
                      "{ s->s += s->s * (t - s->time); s->time = t; }\n"
                      "void finish(const state *s, const params *p, real out[]) { out[0] = s->s; }\n",
                      path_of(4));
    bailey_estimate e;
    assert_int_equal(bailey_simulation_is_discretised(s), 1);
    OK(bailey_simulation_bias(s, 16, 1, &e));
    assert_true(fabs(e.mean - (1.5 * 1.5 - 1.25 * 1.25 * 1.25 * 1.25)) < 1e-12);
    bailey_simulation_destroy(s);
    s = simulation_of("/** coarser: width */\n"
                      "typedef struct { real width; /* [default 0.5] */ } params;\n"
                      "void whole(const params *p, path x, real out[]) { out[0] = 3 * p->width; }\n",
                      path_of(1));
    OK(bailey_simulation_bias(s, 16, 1, &e));
    assert_true(e.mean == 1.5);
    bailey_simulation_destroy(s);
}
