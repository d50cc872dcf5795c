/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Gradients of multilevel Monte Carlo: against closed forms, against bumps of the same samples, and the same
 * bits whatever else is asked for.
 */
#include <bailey/mlmc.h>

#include "harness.h"

#include <math.h>

#define SPOT 100.0
#define STRIKE 95.0
#define RATE 0.05
#define DIVIDEND 0.02
#define VOLATILITY 0.2

static bailey_mlmc *levels_of(bailey_context *of, const bailey_mlmc_params *params)
{
    static const struct {
        const char *name;
        double value;
    } values[] = {{"spot", SPOT},
                  {"strike", STRIKE},
                  {"rate", RATE},
                  {"dividend", DIVIDEND},
                  {"volatility", VOLATILITY},
                  {"cash", 100},
                  {"barrier", 85},
                  {"side", -1}};
    bailey_mlmc *m = NULL;
    const char *name;
    uint64_t count;
    OK(bailey_mlmc_create(of, params, &m));
    for (size_t i = 0; (name = bailey_mlmc_parameter(m, i, &count)) != NULL; i++)
        for (size_t j = 0; j < sizeof values / sizeof *values; j++)
            if (count == 1 && strcmp(name, values[j].name) == 0)
                OK(bailey_mlmc_set(m, name, &values[j].value, 1));
    return m;
}

static bailey_mlmc *built_in(bailey_context *of, const char *name, bailey_precision precision)
{
    return levels_of(of, &(bailey_mlmc_params){.estimator = {.name = name}, .precision = precision});
}

static double normal_cdf(double x) { return 0.5 * erfc(-x / sqrt(2)); }

/* ---- Closed forms -------------------------------------------------------------------------------- */

static void check_exact(const char *what, const bailey_mlmc_result *d, double exact)
{
    const double error = fabs(d->mean - exact), allowed = 4 * d->standard_error + 2 * d->bias;
    if (!(error <= allowed && d->standard_error > 0 && d->standard_error < 0.03 * fabs(exact)))
        fail_msg("%s is %g +- %g, bias %g, exactly %g", what, d->mean, d->standard_error, d->bias, exact);
}

TEST(closed_forms, DEVICE | REPEATED_ON_OPENCL)
{
    static const char *const names[] = {"spot", "strike", "rate", "volatility"};
    const double d1 = (log(SPOT / STRIKE) + (RATE - DIVIDEND + 0.5 * VOLATILITY * VOLATILITY)) / VOLATILITY,
                 d2 = d1 - VOLATILITY, growth = exp(-DIVIDEND), discount = exp(-RATE),
                 exact[] = {growth * normal_cdf(d1), -discount * normal_cdf(d2),
                            discount * STRIKE * normal_cdf(d2),
                            SPOT * growth * exp(-0.5 * d1 * d1) / sqrt(2 * acos(-1))};
    const bailey_mlmc_run_params run = {.source = {.seed = 5}, .eps = 0.02};
    bailey_mlmc *m = built_in(context, "european", BAILEY_PRECISION_F32);
    bailey_mlmc_result price, alone, d[4];
    assert_int_equal(bailey_mlmc_gradient_count(m, names, 4), 4);
    assert_int_equal(bailey_mlmc_gradient_count(m, NULL, 0), 5);
    OK(bailey_mlmc_gradient(m, &run, names, 4, &price, d));
    OK(bailey_mlmc_run(m, &run, &alone));
    assert_memory_equal(&price, &alone, sizeof price);
    for (int k = 0; k < 4; k++) {
        check_exact(names[k], &d[k], exact[k]);
        assert_int_equal(d[k].levels, price.levels);
        for (uint32_t l = 0; l < price.levels; l++)
            assert_int_equal(d[k].level[l].samples, price.level[l].samples);
    }
    bailey_mlmc_destroy(m);
}

/* ---- Bumps --------------------------------------------------------------------------------------- */

/* Two dimensions, normals and uniforms, an array, a loop, branches, an int of the state and the level. */
static const char basket_text[] =
    "#define NORMALS 2\n"
    "#define UNIFORMS 1\n"
    "typedef struct { real spot[2], volatility, mix, strike; } params;\n"
    "typedef struct { real fine[2], coarse[2], swap, other; int steps, level; } state;\n"
    "void advance(const params *p, real h, real dw, real z, real u, real *price)\n"
    "{\n"
    "    price[0] += price[0] * (p->volatility * dw + p->mix * sqrt(h) * z * u + h * p->mix);\n"
    "}\n"
    "void start(state *s, const params *p, int level)\n"
    "{\n"
    "    for (int d = 0; d < 2; d++) {\n"
    "        s->fine[d] = p->spot[d];\n"
    "        s->coarse[d] = p->spot[d];\n"
    "    }\n"
    "    s->swap = p->strike;\n"
    "    s->other = 2 * p->strike;\n"
    "    s->steps = 0;\n"
    "    s->level = level;\n"
    "}\n"
    "void step(state *s, const params *p, real t, real h, const noise *n)\n"
    "{\n"
    "    for (int d = 0; d < 2; d++) advance(p, h, n->dw[d], n->z[d], n->u[0], &s->fine[d]);\n"
    "    const real kept = s->swap;\n"
    "    s->swap = s->other;\n"
    "    s->other = kept;\n"
    "    s->steps++;\n"
    "}\n"
    "void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m)\n"
    "{\n"
    "    step(s, p, t, h, n);\n"
    "    step(s, p, t + h, h, m);\n"
    "    for (int d = 0; d < 2; d++)\n"
    "        advance(p, 2 * h, n->dw[d] + m->dw[d], (n->z[d] + m->z[d]) / sqrt(2), n->u[0], &s->coarse[d]);\n"
    "}\n"
    "real pay(const params *p, const real *price, real t)\n"
    "{\n"
    "    const real best = price[0] > price[1] ? price[0] : price[1];\n"
    "    return exp(-p->mix * t) * fmax(best - p->strike, 0) + pow(price[0], p->volatility);\n"
    "}\n"
    "void finish(const state *s, const params *p, real t, real out[2])\n"
    "{\n"
    "    out[0] = pay(p, s->fine, t) + (s->level == 0 ? s->swap : s->other) / (1 + s->steps);\n"
    "    out[1] = pay(p, s->coarse, t) + s->other / (1 + s->steps);\n"
    "}\n";

static bailey_mlmc *basket(bailey_context *of, bailey_precision precision)
{
    static const double covariance[] = {1, 0.3, 0.3, 1}, spot[] = {100, 97}, mix = 0.05;
    bailey_mlmc *m = levels_of(of, &(bailey_mlmc_params){.estimator = {.code = basket_text},
                                                         .precision = precision,
                                                         .dims = 2,
                                                         .covariance = covariance,
                                                         .first_steps = 2});
    OK(bailey_mlmc_set(m, "spot", spot, 2));
    OK(bailey_mlmc_set(m, "mix", &mix, 1));
    return m;
}

/* Central differences of two widths, extrapolated. Few samples cross a kink by as little. */
static void check_bumps(bailey_mlmc *m, const char *name, const double *values, uint64_t count)
{
    const bailey_mlmc_run_params run = {.source = {.seed = 7}, .eps = 1e9, .initial_samples = 4096};
    bailey_mlmc_result price, d[2], r[4];
    OK(bailey_mlmc_gradient(m, &run, &name, 1, &price, d));
    for (uint64_t i = 0; i < count; i++) {
        const double h = 1e-7 * fabs(values[i]);
        const double by[] = {h, -h, 2 * h, -2 * h};
        const uint64_t samples[4] = {price.level[0].samples, price.level[1].samples, price.level[2].samples};
        double moved[2], scale = 0;
        assert_int_equal(price.levels, 3);
        for (int k = 0; k < 4; k++) {
            for (uint64_t j = 0; j < count; j++) moved[j] = values[j] + (j == i ? by[k] : 0);
            OK(bailey_mlmc_set(m, name, moved, count));
            OK(bailey_mlmc_run_samples(m, &run, samples, 3, &r[k]));
        }
        OK(bailey_mlmc_set(m, name, values, count));
        for (uint32_t l = 0; l < 3; l++) scale = fmax(scale, fabs(d[i].level[l].mean));
        for (uint32_t l = 0; l < 3; l++) {
            const double one = (r[0].level[l].mean - r[1].level[l].mean) / (2 * h),
                         two = (r[2].level[l].mean - r[3].level[l].mean) / (4 * h),
                         bump = (4 * one - two) / 3, own = d[i].level[l].mean;
            if (!(fabs(own - bump) <= 1e-6 * scale))
                fail_msg("%s[%u] on level %u is %.12g, by bumps %.12g", name, (unsigned)i, l, own, bump);
        }
    }
}

TEST(bumps, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    static const double spot[] = {100, 97}, mix = 0.05, strike = STRIKE, volatility = VOLATILITY;
    if (few_programs()) return;
    bailey_mlmc *m = basket(context, BAILEY_PRECISION_F64);
    check_bumps(m, "spot", spot, 2);
    check_bumps(m, "mix", &mix, 1);
    check_bumps(m, "strike", &strike, 1);
    check_bumps(m, "volatility", &volatility, 1);
    bailey_mlmc_destroy(m);
}

/* A loop whose length depends on data. */
static const char series_text[] =
    "typedef struct { real spot, volatility, strike; } params;\n"
    "typedef struct { real fine, coarse; int level; } state;\n"
    "void start(state *s, const params *p, int level)\n"
    "{\n    s->fine = p->spot;\n    s->coarse = p->spot;\n    s->level = level;\n}\n"
    "void step(state *s, const params *p, real t, real h, const noise *n)\n"
    "{\n    s->fine *= 1 + p->volatility * n->dw[0];\n}\n"
    "void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m)\n"
    "{\n    step(s, p, t, h, n);\n    step(s, p, t + h, h, m);\n"
    "    s->coarse *= 1 + p->volatility * (n->dw[0] + m->dw[0]);\n}\n"
    "real pay(const params *p, real price, int level)\n"
    "{\n    real sum = 0;\n    for (int k = level; k >= 0; k--) sum += price * p->volatility / (1 + k) + "
    "sqrt(sum);\n"
    "    return fmax(sum + price - p->strike, 0);\n}\n"
    "void finish(const state *s, const params *p, real t, real out[2])\n"
    "{\n    out[0] = pay(p, s->fine, s->level);\n    out[1] = pay(p, s->coarse, s->level);\n}\n";

TEST(bumps_of_a_loop, ON_CPU)
{
    static const double spot = 100, strike = STRIKE, volatility = VOLATILITY;
    bailey_mlmc *m = levels_of(context, &(bailey_mlmc_params){.estimator = {.code = series_text},
                                                              .precision = BAILEY_PRECISION_F64});
    OK(bailey_mlmc_set(m, "spot", &spot, 1));
    OK(bailey_mlmc_set(m, "strike", &strike, 1));
    OK(bailey_mlmc_set(m, "volatility", &volatility, 1));
    check_bumps(m, "spot", &spot, 1);
    check_bumps(m, "volatility", &volatility, 1);
    bailey_mlmc_destroy(m);
}

TEST(bumps_of_built_ins, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    static const double spot = SPOT, volatility = VOLATILITY, rate = RATE, barrier = 85;
    static const char *const names[] = {"european", "asian", "lookback", "barrier", "digital"};
    for (size_t i = 0; i < sizeof names / sizeof *names && !few_programs(); i++) {
        bailey_mlmc *m = built_in(context, names[i], BAILEY_PRECISION_F64);
        check_bumps(m, "spot", &spot, 1);
        check_bumps(m, "volatility", &volatility, 1);
        check_bumps(m, "rate", &rate, 1);
        if (i == 3) check_bumps(m, "barrier", &barrier, 1);
        bailey_mlmc_destroy(m);
    }
}

/* ---- Bits ---------------------------------------------------------------------------------------- */

TEST(bits_of_each_alone, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    static const char *const names[] = {"spot", "volatility", "mix", "strike"};
    const bailey_mlmc_run_params run = {.source = {.seed = 3}, .eps = 0.5};
    bailey_mlmc *m = basket(context, BAILEY_PRECISION_F32);
    bailey_mlmc_result price, all[5], one[2];
    assert_int_equal(bailey_mlmc_gradient_count(m, NULL, 0), 5);
    OK(bailey_mlmc_gradient(m, &run, NULL, 0, &price, all));
    for (int k = 0, at = 0; k < (few_programs() ? 1 : 4); at += k ? 1 : 2, k++) {
        OK(bailey_mlmc_gradient(m, &run, &names[k], 1, &price, one));
        assert_memory_equal(one, all + at, (k ? 1 : 2) * sizeof *one);
    }
    bailey_mlmc_destroy(m);
}

/* Any number of threads. */
TEST(threads, ON_CPU | LONG)
{
    const bailey_mlmc_run_params run = {.source = {.seed = 3}, .eps = 0.5};
    bailey_mlmc_result price[3], d[3][5];
    memset(price, 0, sizeof price);
    memset(d, 0, sizeof d);
    for (uint32_t threads = 1; threads <= 3; threads++) {
        const bailey_context_params own = {.threads = threads};
        bailey_context *host = NULL;
        OK(bailey_context_create("cpu", &own, &host));
        bailey_mlmc *m = basket(host, BAILEY_PRECISION_F32);
        OK(bailey_mlmc_gradient(m, &run, NULL, 0, &price[threads - 1], d[threads - 1]));
        assert_memory_equal(&price[threads - 1], &price[0], sizeof *price);
        assert_memory_equal(d[threads - 1], d[0], sizeof *d);
        bailey_mlmc_destroy(m);
        bailey_context_destroy(host);
    }
}

/* The bits of processors. */
TEST(bits_of_processors, DEVICE | LONG_ON_OPENCL)
{
    const bailey_mlmc_run_params run = {.source = {.seed = 3}, .eps = 0.5};
    bailey_mlmc_result price, expected_price, d[5], expected[5];
    bailey_context *host = NULL;
    bailey_mlmc *m = basket(context, BAILEY_PRECISION_F32);
    OK(bailey_context_create("cpu", NULL, &host));
    bailey_mlmc *on_host = basket(host, BAILEY_PRECISION_F32);
    OK(bailey_mlmc_gradient(m, &run, NULL, 0, &price, d));
    OK(bailey_mlmc_gradient(on_host, &run, NULL, 0, &expected_price, expected));
    assert_memory_equal(&price, &expected_price, sizeof price);
    assert_memory_equal(d, expected, sizeof d);
    bailey_mlmc_destroy(on_host);
    bailey_mlmc_destroy(m);
    bailey_context_destroy(host);
}

/* ---- Refusals ------------------------------------------------------------------------------------ */

static void check_refused(bailey_mlmc *m, const bailey_mlmc_run_params *run, const char *name,
                          bailey_status status, const char *argument, const char *says)
{
    bailey_mlmc_result price = {.mean = 7}, d[2] = {{.mean = 7}};
    assert_int_equal(bailey_mlmc_gradient(m, run, &name, 1, &price, d), status);
    if (argument) assert_string_equal(bailey_error_argument(), argument);
    if (!strstr(bailey_error_message(), says))
        fail_msg("\"%s\" does not say %s", bailey_error_message(), says);
    assert_true(price.mean == 7 && d[0].mean == 7);
}

TEST(refused, DEVICE)
{
    const bailey_mlmc_run_params run = {.source = {.seed = 1}, .eps = 0.5};
    bailey_mlmc_run_params points = run, persistent = run, approximate = run;
    bailey_mlmc *european = built_in(context, "european", BAILEY_PRECISION_F32),
                *barrier = built_in(context, "barrier", BAILEY_PRECISION_F32);
    points.source = (bailey_source){.generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_OWEN};
    persistent.schedule = BAILEY_MLMC_SCHEDULE_PERSISTENT;
    approximate.approximate = BAILEY_MLMC_APPROXIMATION_DYADIC;
    check_refused(european, &points, "spot", BAILEY_ERROR_INVALID, "source", "points");
    check_refused(european, &persistent, "spot", BAILEY_ERROR_INVALID, "schedule", "gradients");
    check_refused(european, &approximate, "spot", BAILEY_ERROR_INVALID, "approximate", "gradients");
    check_refused(european, &run, "spott", BAILEY_ERROR_INVALID, "names", "not a parameter");
    check_refused(european, &run, "spot[0]", BAILEY_ERROR_INVALID, "names", "without an index");
    check_refused(barrier, &run, "side", BAILEY_ERROR_INVALID, "names", "a choice");
    assert_int_equal(bailey_mlmc_gradient_count(barrier, (const char *const[]){"side"}, 1), 0);
    bailey_mlmc_destroy(barrier);
    bailey_mlmc_destroy(european);
}

/* A jump is refused with its line, unless what is asked for does not move its sides. */
static const char jump_text[] =
    "typedef struct { real spot, strike, cash; } params;\n"
    "typedef struct { real fine, coarse; } state;\n"
    "void start(state *s, const params *p, int level) { s->fine = p->spot; s->coarse = p->spot; }\n"
    "void step(state *s, const params *p, real t, real h, const noise *n) { s->fine += n->dw[0]; }\n"
    "void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m)\n"
    "{\n"
    "    step(s, p, t, h, n);\n"
    "    step(s, p, t + h, h, m);\n"
    "    s->coarse += n->dw[0] + m->dw[0];\n"
    "}\n"
    "void finish(const state *s, const params *p, real t, real out[2])\n"
    "{\n"
    "    out[0] = s->fine > p->strike ? p->cash : 0;\n"
    "    out[1] = s->coarse > p->strike ? p->cash : 0;\n"
    "}\n";

TEST(jumps, DEVICE | REPEATED_ON_OPENCL)
{
    const bailey_mlmc_run_params run = {.source = {.seed = 1}, .eps = 1};
    const char *cash = "cash";
    bailey_mlmc *m =
        levels_of(context, &(bailey_mlmc_params){.estimator = {.code = jump_text, .name = "jump.c"}});
    bailey_mlmc_result price, d;
    check_refused(m, &run, "spot", BAILEY_ERROR_UNSUPPORTED, NULL, "jump.c:13:");
    check_refused(m, &run, "strike", BAILEY_ERROR_UNSUPPORTED, NULL, "jumps at this comparison");
    OK(bailey_mlmc_gradient(m, &run, &cash, 1, &price, &d));
    assert_true(price.mean > 0 && fabs(d.mean * 100 - price.mean) <= 1e-5 * price.mean);
    bailey_mlmc_destroy(m);
}
