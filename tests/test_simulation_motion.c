/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * test_simulation_motion DEVICE: payoffs whose path is a motion, against the motion itself; the built-in
 * solver, against the exact solution and the closed form.
 */
#include "api.h"
#include "simulations.h"

#include <bailey/motion.h>

#include <stdio.h>

#define PATHS 777

static bailey_simulation *motion_of(const char *text, bailey_bridge_params path, uint32_t levels)
{
    const bailey_simulation_params params = {.path = path, .payoff = {.code = text}, .motion_depth = levels};
    bailey_simulation *made = NULL;
    OK(bailey_simulation_create(context, &params, &made));
    return made;
}

/* ---- at() and time() ----------------------------------------------------------------------------- */

/* Asks for the last dimension at eight ticks of k / 64 of the whole: forth, back and forth. */
static const char text_of_ticks[] =
    "void whole(const params *p, path x, real out[8])\n"
    "{\n"
    "    const int k[8] = {1, 40, 41, 64, 3, 0, 63, 40};\n"
    "    for (int i = 0; i < 8; i++) out[i] = at(x, ((uint64)1 << LEVELS) / 64 * k[i], DIMS - 1);\n"
    "}\n";

static void check_ticks(bailey_bridge_params path, uint32_t levels, bailey_simulation_run_params run)
{
    static const uint64_t of64[8] = {1, 40, 41, 64, 3, 0, 63, 40};
    const bailey_motion_params params = {.start_time = path.start_time,
                                         .end_time = path.times[0],
                                         .depth = levels,
                                         .dims = path.dims,
                                         .factor = path.factor,
                                         .covariance = path.covariance,
                                         .start = path.start,
                                         .end = path.end,
                                         .precision = path.precision};
    const uint32_t dims = path.dims ? path.dims : 1;
    const uint64_t replicates = run.replicates ? run.replicates : 1,
                   bytes = 8 * dims * run.paths * real_bytes(path.precision);
    uint64_t ticks[8];
    bailey_estimate estimates[8];
    bailey_motion *motion = NULL;
    bailey_simulation *s = motion_of(text_of_ticks, path, levels);
    void *found = run_for_samples(s, run, path.precision, estimates);
    for (int i = 0; i < 8; i++) ticks[i] = ((uint64_t)1 << levels) / 64 * of64[i];
    OK(bailey_motion_create(context, &params, &motion));
    for (uint64_t r = 0; r < replicates; r++) {
        bailey_source source = run.source;
        source.stream += r;
        bailey_buffer *out = poisoned(bytes);
        OK(bailey_motion_values(motion, &source, ticks, 8, run.first_path, run.paths, out));
        void *expected = harvest(out, bytes);
        for (uint64_t i = 0; i < 8; i++)
            for (uint64_t p = 0; p < run.paths; p++) {
                const double a = number_at(found, path.precision, (i * replicates + r) * run.paths + p);
                double b = number_at(expected, path.precision, (i * dims + dims - 1) * run.paths + p);
                if (run.antithetic) { /* the mean of both, each as it is rounded */
                    const double mirrored = 2 * path.start[dims - 1] - b;
                    b = (float)((b + (float)mirrored) / 2);
                }
                if (a != b)
                    fail_msg("levels %u, tick %llu, replicate %llu, path %llu: %a, not %a", levels,
                             (unsigned long long)ticks[i], (unsigned long long)r, (unsigned long long)p, a,
                             b);
            }
        free(expected);
    }
    free(found);
    bailey_motion_destroy(motion);
    bailey_simulation_destroy(s);
}

TEST(test_ticks, DEVICE | LONG)
{
    static const double time = 3, start[2] = {1, -2}, end[2] = {2, 5}, factor[4] = {2, 0, 0.5, 1.25},
                        covariance[4] = {1, 0.6, 0.6, 4};
    const bailey_simulation_run_params run = {.source = {.seed = 5}, .paths = PATHS};
    bailey_simulation_run_params others = {
        .source = {.seed = 9, .stream = 7, .generator = BAILEY_GENERATOR_PHILOX7},
        .paths = PATHS,
        .first_path = ((uint64_t)1 << 35) + 3,
        .replicates = 3};
    if (!simulates()) skip();
    check_ticks((bailey_bridge_params){.times = &time, .steps = 1}, 20, run);
    check_ticks(
        (bailey_bridge_params){
            .times = &time, .steps = 1, .start_time = 1, .precision = BAILEY_PRECISION_F64},
        52, others);
    check_ticks(
        (bailey_bridge_params){
            .times = &time, .steps = 1, .dims = 2, .start = start, .end = end, .factor = factor},
        7, others);
    check_ticks((bailey_bridge_params){.times = &time,
                                       .steps = 1,
                                       .dims = 2,
                                       .start = start,
                                       .covariance = covariance,
                                       .precision = BAILEY_PRECISION_F64},
                13, run);
    others.antithetic = 1;
    check_ticks((bailey_bridge_params){.times = &time, .steps = 1, .dims = 2, .start = start}, 6, others);
}

/* Times, what is not a tick, and paths that functions of the text are handed. */
TEST(test_text, DEVICE | LONG)
{
    static const char text[] =
        "real twice(path y, uint64 tick) { return 2 * at(y, tick, 0); }\n"
        "real thrice(path y, uint64 tick) { return 3 * at(y, tick, 0); }\n"
        "void whole(const params *p, path x, real out[6])\n"
        "{\n"
        "    real seen[LEVELS];\n"
        "    out[0] = time(x, 0), out[1] = time(x, 1), out[2] = time(x, (uint64)1 << LEVELS);\n"
        "    out[3] = 0;\n"
        "    for (int i = 0; i < LEVELS; i++) seen[i] = at(x, (uint64)1 << i, 0);\n"
        "    for (int i = 0; i < LEVELS; i++)\n"
        "        out[3] += seen[i] != at(x, (uint64)1 << i, 0) || twice(x, (uint64)1 << i) != 2 * seen[i]\n"
        "                  || thrice(x, (uint64)1 << i) != 3 * seen[i];\n"
        "    const real after = at(x, ((uint64)1 << LEVELS) + 1, 0), before = at(x, -1, 0);\n"
        "    out[4] = after == after || before == before;\n"
        "    out[5] = at(x, 1, 0) == seen[0];\n"
        "}\n";
    const double end = 5, expected[6] = {1, 1 + 4.0 / 1024, 5, 0, 0, 1};
    if (!simulates()) skip();
    bailey_simulation *s =
        motion_of(text, (bailey_bridge_params){.times = &end, .steps = 1, .start_time = 1}, 10);
    bailey_estimate estimates[6];
    OK(bailey_simulation_run(s, &(bailey_simulation_run_params){.source = {.seed = 1}, .paths = 100},
                             estimates));
    for (int i = 0; i < 6; i++) assert_true(estimates[i].mean == expected[i]);
    bailey_simulation_destroy(s);
}

/* ---- The solver ---------------------------------------------------------------------------------- */

static bailey_simulation *solver(bailey_context *on, bailey_precision precision, double tolerance)
{
    static const double end = 2;
    const bailey_simulation_params params = {.path = {.times = &end, .steps = 1, .precision = precision},
                                             .payoff = {.name = "adaptive-milstein"},
                                             .motion_depth = 20};
    bailey_simulation *s = NULL;
    OK(bailey_simulation_create(on, &params, &s));
    set(s, "spot", 100), set(s, "strike", 105), set(s, "rate", 0.03), set(s, "volatility", 0.4);
    set(s, "tolerance", tolerance);
    return s;
}

/* Half the tolerance, half the error, twice the steps; and the price of Black and Scholes. */
TEST(test_order, DEVICE | LONG_ON_OPENCL)
{
    enum { SIZES = 4 };
    double error[SIZES], steps[SIZES];
    bailey_estimate e[3];
    if (!simulates()) skip();
    for (int i = 0; i < SIZES; i++) {
        bailey_simulation *s = solver(context, BAILEY_PRECISION_F64, ldexp(1, -i));
        OK(bailey_simulation_run(s, &(bailey_simulation_run_params){.source = {.seed = 3}, .paths = 20000},
                                 e));
        error[i] = sqrt(e[1].mean);
        steps[i] = e[2].mean;
        if (!(error[i] > 0.25 * ldexp(1, -i) && error[i] < 0.45 * ldexp(1, -i)))
            fail_msg("tolerance %g: error %g in %g steps", ldexp(1, -i), error[i], steps[i]);
        bailey_simulation_destroy(s);
    }
    const double order = log2(error[0] / error[SIZES - 1]) / log2(steps[SIZES - 1] / steps[0]);
    if (!(order > 0.95 && order < 1.1)) fail_msg("the order is %g", order);
    const double v = 0.4 * sqrt(2), d = (log(100 / 105.0) + 0.03 * 2) / v + v / 2;
    const double price = 100 * 0.5 * erfc(-d / sqrt(2)) - 105 * exp(-0.06) * 0.5 * erfc(-(d - v) / sqrt(2));
    assert_true(fabs(e[0].mean - price) < 4 * e[0].standard_error);
}

/* Steps that are tried and given up leave no trace: the same bits as on a processor. */
TEST(bits, DEVICE | LONG_ON_OPENCL)
{
    bailey_context *other = NULL;
    bailey_estimate here[3], there[3];
    if (!simulates()) skip();
    if (bailey_context_create("cpu", NULL, &other) != BAILEY_OK) skip();
    for (int f64 = 0; f64 < 2; f64++) {
        const bailey_simulation_run_params run = {.source = {.seed = 11}, .paths = 5000};
        bailey_simulation *s = solver(context, (bailey_precision)f64, 0.5);
        OK(bailey_simulation_run(s, &run, here));
        bailey_simulation_destroy(s);
        s = solver(other, (bailey_precision)f64, 0.5);
        const bailey_status status = bailey_simulation_run(s, &run, there);
        bailey_simulation_destroy(s);
        if (status == BAILEY_ERROR_UNSUPPORTED) break; /* no compiler */
        OK(status);
        for (int i = 0; i < 3; i++)
            if (here[i].mean != there[i].mean)
                fail_msg("output %d: %a, on cpu %a", i, here[i].mean, there[i].mean);
    }
    bailey_context_destroy(other);
}

/* ---- Refusals ------------------------------------------------------------------------------------ */

static void refused(const char *text, bailey_bridge_params path, uint32_t levels, const char *a,
                    const char *b)
{
    static const double end = 1;
    bailey_simulation *s = NULL;
    if (!path.times) path.times = &end, path.steps = 1;
    const bailey_simulation_params params = {.path = path, .payoff = {.code = text}, .motion_depth = levels};
    REFUSED(bailey_simulation_create(context, &params, &s), a, b);
    assert_null(s);
}

TEST(refusals, DEVICE | LONG_ON_OPENCL)
{
    static const char good[] = "void whole(const params *p, path x, real out[]) { out[0] = at(x, 1, 0); }";
    static const double times[2] = {1, 2}, shift[1] = {0.5};
    const uint32_t order[1] = {1};
    if (!simulates()) skip();
    refused(good, (bailey_bridge_params){.times = times, .steps = 2}, 8, "motion_depth",
            "2 steps instead of one");
    refused(good, (bailey_bridge_params){.times = times, .steps = 1, .order = order}, 8, "order", "has none");
    refused(good,
            (bailey_bridge_params){.times = times, .steps = 1, .construction = BAILEY_CONSTRUCTION_WALK}, 8,
            "construction", "a motion needs bridge");
    refused(good,
            (bailey_bridge_params){.times = times, .steps = 1, .output = BAILEY_BRIDGE_OUTPUT_INCREMENTS}, 8,
            "output", "a motion needs paths");
    refused(good, (bailey_bridge_params){.times = times, .steps = 1, .dims = 17}, 8, "dims", "is 16");
    refused("void step(state *s, const params *p, int i, real t, const real x[]) {}\n"
            "void finish(const state *s, const params *p, real out[]) { out[0] = 1; }",
            (bailey_bridge_params){0}, 8, "payoff.c:2:", "no function whole");
    refused("void whole(const params *p, const path x, real out[]) { out[0] = at(x, 1, 0); }",
            (bailey_bridge_params){0}, 8, "payoff.c:1:", "without const");
    refused("void whole(const params *p, path x, real out[]) { out[0] = STEPS; }", (bailey_bridge_params){0},
            8, "payoff.c:1:", "STEPS is not defined");
    refused("void whole(const params *p, path x, real out[]) { out[0] = LEVELS; }", (bailey_bridge_params){0},
            0, "payoff.c:1:", "only paths that are motions");

    bailey_simulation *s = motion_of(good, (bailey_bridge_params){.times = times, .steps = 1}, 8);
    bailey_estimate e;
    bailey_simulation_run_params run = {.source = {.generator = BAILEY_GENERATOR_SOBOL}, .paths = 64};
    REFUSED(bailey_simulation_run(s, &run, &e), "generator is", "philox");
    run = (bailey_simulation_run_params){.paths = 64, .normal = {.method = BAILEY_NORMAL_METHOD_BOX_MULLER}};
    REFUSED(bailey_simulation_run(s, &run, &e), "method is box-muller", "icdf");
    run = (bailey_simulation_run_params){.paths = 64, .normal = {.word_bits = 64}};
    REFUSED(bailey_simulation_run(s, &run, &e), "bits is 64", "its precision");
    run = (bailey_simulation_run_params){.paths = 64, .scenarios = {.count = 1, .time_shift = shift}};
    REFUSED(bailey_simulation_run(s, &run, &e), "time_shift is given", "paths that are motions");
    bailey_simulation_destroy(s);
}
