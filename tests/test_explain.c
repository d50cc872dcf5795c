/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Paths that are explained: the moments of every built-in, whose outputs are the samples of a run; random
 * payoff code; code that fails; and what is refused.
 */
#include "builtins.h"
#include "random_payoff.h"
#include "simulations.h"

#define STEPS 6u
#define PATHS 200u

/* The outcome of a path. */
struct told {
    const bailey_simulation *simulation;
    uint32_t dims, moments, starts, steps, calls, finishes;
    uint64_t states; /* numbers of the state */
    double x[STEPS][2], times[STEPS], last_state[64], outputs[BAILEY_SIMULATION_MAX_OUTPUTS];
    char fault[300];
    uint32_t stop_at; /* the moment at which the path is left; 0: none */
};

static void take_step(struct told *t, const bailey_moment *m)
{
    assert_int_equal(t->finishes, 0);
    assert_int_equal(m->step, t->steps);
    assert_true(t->steps < STEPS);
    t->times[t->steps] = m->time;
    for (uint32_t d = 0; d < t->dims && d < 2; d++) t->x[t->steps][d] = m->x[d];
    t->steps++;
}

static int take(void *user, const bailey_moment *m)
{
    struct told *t = user;
    assert_string_equal(t->fault, "");
    if (m->kind == BAILEY_MOMENT_KIND_START) t->starts++;
    if (m->kind == BAILEY_MOMENT_KIND_STEP) take_step(t, m);
    if (m->kind == BAILEY_MOMENT_KIND_AT) t->calls++;
    if (m->kind == BAILEY_MOMENT_KIND_FINISH) {
        t->finishes++;
        memcpy(t->outputs, m->outputs, bailey_simulation_outputs(t->simulation) * sizeof(double));
    }
    assert_true(!m->outputs == (m->kind != BAILEY_MOMENT_KIND_FINISH));
    assert_true(!m->x == (m->kind == BAILEY_MOMENT_KIND_START || m->kind == BAILEY_MOMENT_KIND_FINISH));
    for (uint64_t i = 0; m->state && i < t->states && i < 64; i++) t->last_state[i] = m->state[i];
    if (m->fault) snprintf(t->fault, sizeof t->fault, "%s", m->fault);
    return ++t->moments == t->stop_at;
}

static struct told begin(const bailey_simulation *s, uint32_t dims)
{
    struct told t = {.simulation = s, .dims = dims};
    uint64_t count;
    for (size_t i = 0; bailey_simulation_state(s, i, &count); i++) t.states += count;
    return t;
}

static struct told told_of(bailey_simulation *s, uint32_t dims, const bailey_simulation_run_params *run,
                           uint64_t path)
{
    struct told t = begin(s, dims);
    OK(bailey_simulation_explain(s, run, path, take, &t));
    assert_int_equal(t.finishes, 1);
    return t;
}

/* ---- Built-ins ----------------------------------------------------------------------------------- */

static const bailey_source sources[] = {
    {.seed = 5},
    {.seed = 5, .stream = 3, .generator = BAILEY_GENERATOR_PHILOX7},
    {.generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_OWEN, .seed = 9},
    {.generator = BAILEY_GENERATOR_MT19937, .seed = 4},
};
#define SOURCES (sizeof sources / sizeof *sources)

static bailey_simulation *builtin_of(const struct bly_builtin *b, bailey_precision precision, int alternative)
{
    static const double covariance[] = {1, -0.4, -0.4, 1};
    double times[STEPS];
    bailey_simulation *made = NULL;
    for (uint32_t i = 0; i < STEPS; i++) times[i] = b->normals ? i + 1.0 : (i + 1.5) * 0.25;
    const uint32_t dims = b->dims ? b->dims : 2;
    const bailey_simulation_params params = {
        .path = {.times = times,
                 .steps = STEPS,
                 .dims = dims,
                 .covariance = dims == 2 && !b->independent ? covariance : NULL,
                 .start_time = b->normals ? 0 : 0.125,
                 .output = b->output,
                 .construction =
                     b->normals || !alternative ? BAILEY_CONSTRUCTION_WALK : BAILEY_CONSTRUCTION_BRIDGE,
                 .precision = precision},
        .payoff = {.name = b->name}};
    OK(bailey_simulation_create(context, &params, &made));
    for (const struct bly_builtin_parameter *p = b->parameters;
         p < b->parameters + BLY_BUILTIN_PARAMETERS && p->name; p++) {
        const double values[] = {p->value, 0.75 * p->value};
        OK(bailey_simulation_set(made, p->name, values, p->array ? dims : 1));
    }
    return made;
}

static void compare_paths(bailey_simulation *s, uint32_t dims, bailey_precision precision,
                          const bailey_source *source)
{
    const bailey_simulation_run_params run = {.source = *source, .first_path = 40, .paths = PATHS};
    bailey_estimate estimates[BAILEY_SIMULATION_MAX_OUTPUTS];
    void *samples = run_for_samples(s, run, precision, estimates);
    for (uint64_t p = 0; p < PATHS; p += 61) {
        const struct told t = told_of(s, dims, &run, 40 + p);
        for (uint32_t o = 0; o < bailey_simulation_outputs(s); o++) {
            const double expected = number_at(samples, precision, o * PATHS + p);
            same_bits("an output", &t.outputs[o], &expected, 1, sizeof expected);
        }
        assert_int_equal(t.steps, STEPS);
        assert_int_equal(t.starts, bailey_simulation_state(s, 0, NULL) != NULL);
    }
    free(samples);
}

TEST(builtins, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!simulates() || only_drawn()) skip();
    const struct bly_builtin *b;
    for (size_t i = 0; (b = bly_builtin_at(i)); i++)
        for (int k = 0; k < (few_programs() ? 1 : 2); k++) {
            const bailey_precision precision =
                (i + (size_t)k) % 2 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
            bailey_simulation *s = builtin_of(b, precision, k);
            compare_paths(s, b->dims ? b->dims : 2, precision, &sources[(i + (size_t)k) % SOURCES]);
            bailey_simulation_destroy(s);
        }
}

/* x of the steps is what the bridge makes, and the state after the last step what finish reads. */
static const char last_of_all[] =
    "typedef struct { real by; } params;\n"
    "typedef struct { real last, all[STEPS]; int count; } state;\n"
    "void start(state *s, const params *p)\n"
    "{ s->last = 0; s->count = 0; for (int i = 0; i < STEPS; i++) s->all[i] = -1; }\n"
    "void step(state *s, const params *p, int i, real t, const real x[])\n"
    "{ s->last = x[1] * p->by; s->all[i] = t; s->count++; }\n"
    "void finish(const state *s, const params *p, real out[2])\n"
    "{ out[0] = s->last; out[1] = s->all[1] + s->count; }\n";

TEST(moments, DEVICE | LONG_ON_OPENCL)
{
    static const double times[STEPS] = {0.5, 1, 1.25, 2, 3, 4};
    const bailey_bridge_params path = {
        .times = times, .steps = STEPS, .dims = 2, .precision = BAILEY_PRECISION_F64};
    const bailey_simulation_run_params run = {.source = {.seed = 3}, .paths = 1};
    if (!simulates() || only_drawn()) skip();
    bailey_simulation *s = simulation_of(last_of_all, path);
    bailey_bridge *bridge = NULL;
    uint64_t count;
    set(s, "by", 2);
    assert_string_equal(bailey_simulation_state(s, 0, &count), "last");
    assert_int_equal(count, 1);
    assert_string_equal(bailey_simulation_state(s, 1, &count), "all");
    assert_int_equal(count, STEPS);
    assert_null(bailey_simulation_state(s, 3, &count));
    const struct told t = told_of(s, 2, &run, 77);
    assert_int_equal(t.moments, STEPS + 2);
    OK(bailey_bridge_create(context, &path, &bridge));
    bailey_buffer *buffer = poisoned(STEPS * 2 * sizeof(double));
    OK(bailey_bridge_paths(bridge, &run.source, NULL, 77, 1, buffer));
    double *x = harvest(buffer, STEPS * 2 * sizeof(double));
    same_bits("x", t.x, x, STEPS * 2, sizeof *x);
    same_bits("times", t.times, times, STEPS, sizeof *times);
    assert_true(t.last_state[0] == 2 * x[2 * STEPS - 1] && t.last_state[0] == t.outputs[0]);
    same_bits("a state", t.last_state + 1, times, STEPS, sizeof *times);
    assert_true(t.last_state[1 + STEPS] == STEPS && t.outputs[1] == STEPS + 1);
    free(x);
    bailey_bridge_destroy(bridge);
    bailey_simulation_destroy(s);
}

/* ---- The whole path, and motions ----------------------------------------------------------------- */

TEST(whole_paths, DEVICE | REPEATED_ON_OPENCL)
{
    static const double times[STEPS] = {1, 2, 3, 4, 5, 6};
    static const char code[] =
        "typedef struct { real by; } params;\n"
        "void whole(const params *p, path x, real out[2])\n"
        "{ real sum = 0; for (int i = 0; i < STEPS; i++) sum += at(x, i, 0) * time(x, i);\n"
        "  out[0] = sum * p->by; out[1] = at(x, STEPS - 1, 1); }\n";
    if (!simulates() || only_drawn()) skip();
    for (int f64 = 0; f64 < 2; f64++) {
        const bailey_bridge_params path = {.times = times,
                                           .steps = STEPS,
                                           .dims = 2,
                                           .precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32};
        const bailey_simulation_run_params run = {.source = {.seed = 3}, .paths = 1};
        bailey_simulation *s = simulation_of(code, path);
        set(s, "by", 0.1);
        const struct told t = told_of(s, 2, &run, 12345);
        assert_int_equal(t.steps, STEPS);
        assert_true(t.outputs[1] == t.x[STEPS - 1][1]);
        assert_null(bailey_simulation_state(s, 0, NULL));
        bailey_simulation_destroy(s);
    }
}

TEST(motions, DEVICE | REPEATED_ON_OPENCL)
{
    static const double end = 2;
    if (!simulates() || only_drawn()) skip();
    for (int f64 = 0; f64 < 2; f64++) {
        const bailey_simulation_params params = {
            .path = {.times = &end,
                     .steps = 1,
                     .precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32},
            .payoff = {.name = "adaptive-milstein"},
            .motion_depth = 20};
        const bailey_simulation_run_params run = {.source = {.seed = 8}, .paths = 1};
        bailey_simulation *s = NULL;
        OK(bailey_simulation_create(context, &params, &s));
        set(s, "spot", 100), set(s, "strike", 100), set(s, "rate", 0.05), set(s, "volatility", 0.2);
        set(s, "tolerance", 0.5), set(s, "sign", 1);
        for (uint64_t path = 0; path < 40; path += 13) {
            const struct told t = told_of(s, 1, &run, path);
            assert_int_equal(t.calls, 2 * (uint32_t)t.outputs[2]); /* two for each step that is tried */
        }
        bailey_simulation_destroy(s);
    }
}

/* ---- Random code --------------------------------------------------------------------------------- */

static void set_numbers(bailey_simulation *s, uint64_t *random)
{
    const char *name;
    uint64_t count;
    for (size_t i = 0; (name = bailey_simulation_parameter(s, i, &count)); i++) {
        const double values[] = {(double)random_payoff_below(random, 17) - 8, 1.25};
        OK(bailey_simulation_set(s, name, values, count));
    }
}

/* Vectors of paths on processors, and compilers that cannot be run on the host: PoCL's and those of GPUs. */
TEST(random_code, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    static const double times[] = {0.2, 0.4, 0.6, 0.8, 1};
    const uint64_t codes = getenv("BAILEY_TEST_LARGE") ? 100 : few_programs() ? 3 : 8;
    if (!simulates() || only_drawn()) skip();
    for (uint64_t seed = 1; seed <= codes; seed++) {
        const struct random_payoff_options options = {
            .programs = 2, .dims = 2, .steps = 5, .whole = seed % 4 == 3};
        const bailey_precision precision = seed % 2 ? BAILEY_PRECISION_F32 : BAILEY_PRECISION_F64;
        const bailey_bridge_params path = {.times = times, .steps = 5, .dims = 2, .precision = precision};
        const bailey_simulation_run_params run = {.source = {.seed = seed}, .paths = PATHS};
        bailey_estimate estimates[BAILEY_SIMULATION_MAX_OUTPUTS];
        uint64_t random = seed;
        char *code = random_payoff(seed, &options);
        bailey_simulation *s = simulation_of(code, path);
        set_numbers(s, &random);
        void *samples = run_for_samples(s, run, precision, estimates);
        for (uint64_t p = 0; p < PATHS; p += 17) {
            const struct told t = told_of(s, 2, &run, p);
            for (uint32_t o = 0; o < bailey_simulation_outputs(s); o++) {
                const double expected = number_at(samples, precision, o * PATHS + p);
                same_bits("an output of random code", &t.outputs[o], &expected, 1, sizeof expected);
            }
        }
        free(samples);
        free(code);
        bailey_simulation_destroy(s);
    }
}

/* ---- What fails, and what is refused ------------------------------------------------------------- */

static const char failing[] =
    "typedef struct { int n; } params;\n"
    "typedef struct { real h[3]; } state;\n"
    "void start(state *s, const params *p) { for (int i = 0; i < 3; i++) s->h[i] = 0; }\n"
    "void step(state *s, const params *p, int i, real t, const real x[])\n"
    "{\n"
    "    s->h[i / p->n] = x[0];\n"
    "}\n"
    "void finish(const state *s, const params *p, real out[]) { out[0] = s->h[0]; }\n";

TEST(faults, DEVICE | LONG_ON_OPENCL)
{
    static const double times[STEPS] = {1, 2, 3, 4, 5, 6};
    const bailey_bridge_params path = {.times = times, .steps = STEPS};
    const bailey_simulation_run_params run = {.source = {.seed = 3}, .paths = 1};
    if (!simulates() || only_drawn()) skip();
    bailey_simulation *s = simulation_of(failing, path);
    set(s, "n", 2);
    told_of(s, 1, &run, 4);
    set(s, "n", 1);
    struct told t = begin(s, 1);
    assert_int_equal(bailey_simulation_explain(s, &run, 4, take, &t), BAILEY_ERROR_PAYOFF);
    assert_string_equal(t.fault, "payoff.c:6:9: index 3 of h[3]");
    assert_string_equal(bailey_error_message(), "payoff.c:6:9: index 3 of h[3], on path 4");
    assert_string_equal(bailey_error_argument(), "payoff");
    assert_int_equal(t.steps, 4); /* the last is the one that failed */
    assert_int_equal(t.finishes, 0);
    set(s, "n", 0);
    t = begin(s, 1);
    assert_int_equal(bailey_simulation_explain(s, &run, 4, take, &t), BAILEY_ERROR_PAYOFF);
    assert_string_equal(t.fault, "payoff.c:6:12: division of an integer by 0");
    assert_int_equal(t.steps, 1);
    bailey_simulation_destroy(s);
}

/* Outputs that are not finite, of which a run has no estimate, can be examined. */
TEST(not_finite, DEVICE)
{
    static const double time = 1;
    const bailey_simulation_run_params run = {.source = {.seed = 3}, .paths = 1};
    if (!simulates() || only_drawn()) skip();
    bailey_simulation *s = simulation_of("void whole(const params *p, path x, real out[2])\n"
                                         "{ out[0] = 1 / (at(x, 0, 0) - at(x, 0, 0)); out[1] = 2; }",
                                         (bailey_bridge_params){.times = &time, .steps = 1});
    struct told t = begin(s, 1);
    OK(bailey_simulation_explain(s, &run, 0, take, &t));
    assert_true(isinf(t.outputs[0]) && t.outputs[1] == 2);
    bailey_simulation_destroy(s);
}

#define REFUSED(status, argument, words, call)                                                               \
    do {                                                                                                     \
        assert_int_equal(call, status);                                                                      \
        assert_string_equal(bailey_error_argument(), argument);                                              \
        if (!strstr(bailey_error_message(), words)) fail_msg("%s", bailey_error_message());                  \
    } while (0)

TEST(refusals, DEVICE | LONG_ON_OPENCL)
{
    static const double times[STEPS] = {1, 2, 3, 4, 5, 6};
    const bailey_bridge_params path = {.times = times, .steps = STEPS, .dims = 2};
    bailey_simulation_run_params run = {.source = {.seed = 3}, .paths = 1};
    if (!simulates() || only_drawn()) skip();
    bailey_simulation *s = simulation_of(last_of_all, path);
    set(s, "by", 2);
    struct told t = begin(s, 2);
    REFUSED(BAILEY_ERROR_INVALID, "simulation", "NULL", bailey_simulation_explain(NULL, &run, 0, take, &t));
    REFUSED(BAILEY_ERROR_INVALID, "run", "NULL", bailey_simulation_explain(s, NULL, 0, take, &t));
    REFUSED(BAILEY_ERROR_INVALID, "explain", "NULL", bailey_simulation_explain(s, &run, 0, NULL, &t));
    REFUSED(BAILEY_ERROR_INVALID, "path", "the maximum is 2^38 - 1",
            bailey_simulation_explain(s, &run, UINT64_C(1) << 38, take, &t));
    run.normal.numerics = BAILEY_NUMERICS_FAST;
    REFUSED(BAILEY_ERROR_INVALID, "numerics", "EXACT", bailey_simulation_explain(s, &run, 0, take, &t));
    run.normal.numerics = BAILEY_NUMERICS_EXACT;
    run.normal.word_bits = 7;
    REFUSED(BAILEY_ERROR_INVALID, "word_bits", "7", bailey_simulation_explain(s, &run, 0, take, &t));
    run.normal.word_bits = 0;
    assert_int_equal(t.moments, 0);
    t.stop_at = 3;
    REFUSED(BAILEY_ERROR_CANCELLED, "", "path 9", bailey_simulation_explain(s, &run, 9, take, &t));
    assert_int_equal(t.moments, 3);
    assert_null(bailey_simulation_state(NULL, 0, NULL));
    told_of(s, 2, &run, (UINT64_C(1) << 38) - 1);
    bailey_simulation_destroy(s);
}
