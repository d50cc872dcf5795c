/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Early exercise of payoffs: known values, the same bits however paths are made and kept, what is refused, and
 * that a payoff under a policy is an ordinary simulation.
 */
#include <host/run/regression.h>
#include <host/simulate/simulation_internal.h>

#include "api.h"
#include "simulations.h"

#include <bailey/exercise.h>
#include <bailey/gradient.h>

#include <math.h>

/* A put on one asset, from x or, with INCREMENTS, from its changes. The integers are there to be kept. */
#define PUT_PARAMS "typedef struct { real spot, strike, rate, volatility; } params;\n"
#define PUT_REST                                                                                             \
    "real exercise(const state *s, const params *p, real t)\n"                                               \
    "{\n    return fmax(p->strike - s->price, 0) * exp(-p->rate * t);\n}\n"                                  \
    "void finish(const state *s, const params *p, real out[])\n"                                             \
    "{\n    out[0] = fmax(p->strike - s->price, 0) * exp(-p->rate * s->time);\n}\n"

static const char put_code[] =
    PUT_PARAMS "typedef struct { real price, time; } state;\n"
               "void start(state *s, const params *p) { s->price = p->spot; s->time = 0; }\n"
               "void step(state *s, const params *p, int i, real t, const real x[])\n"
               "{\n    const real drift = p->rate - p->volatility * p->volatility / 2;\n"
               "    s->price = p->spot * exp(fma(p->volatility, x[0], drift * t));\n    s->time = t;\n}\n" PUT_REST
               "void regress(const state *s, const params *p, real f[3])\n"
               "{\n    const real u = s->price / p->strike;\n"
               "    f[0] = exp(-0.5 * u);\n    f[1] = f[0] * (u - 1);\n    f[2] = f[1] * (u - 1);\n}\n";

static const char increments_code[] =
    "#define BITS (((uint64)0xfedcba98u << 32) + 0x76543211u)\n" PUT_PARAMS
    "typedef struct { int big; uint64 bits; real price; int64 negative; uint32 steps; real time; } state;\n"
               "void start(state *s, const params *p)\n"
               "{\n    s->big = -2000000011;\n    s->bits = BITS;\n    s->price = p->spot;\n"
               "    s->negative = -((int64)1234567 << 40);\n    s->steps = 4000000000u;\n    s->time = 0;\n}\n"
               "void step(state *s, const params *p, int i, real t, const real x[])\n"
               "{\n    const real h = t - s->time, drift = p->rate - p->volatility * p->volatility / 2;\n"
               "    s->price = s->price * exp(h * fma(p->volatility, x[0], drift));\n    s->time = t;\n"
               "    s->big++;\n    s->bits++;\n    s->negative--;\n    s->steps++;\n}\n"
               "real exercise(const state *s, const params *p, real t)\n"
               "{\n    const int n = s->big + 2000000011;\n"
               "    if (s->bits != BITS + (uint64)n || s->steps != 4000000000u + (uint32)n ||\n"
               "        s->negative != -((int64)1234567 << 40) - n) return 1000;\n"
               "    return fmax(p->strike - s->price, 0) * exp(-p->rate * t);\n}\n"
               "void finish(const state *s, const params *p, real out[])\n"
               "{\n    out[0] = fmax(p->strike - s->price, 0) * exp(-p->rate * s->time);\n}\n";

#define MOST_STEPS 64
static double times[MOST_STEPS];

static bailey_bridge_params path_of(uint32_t steps, double years, uint32_t dims, bailey_precision precision)
{
    for (uint32_t i = 0; i < steps; i++) times[i] = years * (i + 1) / steps;
    return (bailey_bridge_params){.times = times, .steps = steps, .dims = dims, .precision = precision};
}

static bailey_simulation *put_of(const char *code, bailey_bridge_params path, double spot)
{
    bailey_simulation *s = simulation_of(code, path);
    set(s, "spot", spot);
    set(s, "strike", 40);
    set(s, "rate", 0.06);
    set(s, "volatility", 0.2);
    return s;
}

static bailey_exercise_params policy_of(uint64_t paths, bailey_precision precision)
{
    return (bailey_exercise_params){
        .paths = paths, .source = {.seed = 2001, .stream = 1}, .normal.precision = precision};
}

struct found {
    bailey_exercise_result policy;
    bailey_estimate lower;
};

/* The policy, and its value on other paths. */
static struct found price(bailey_simulation *s, bailey_exercise_params params, uint64_t paths)
{
    struct found found;
    bailey_simulation *policy = NULL;
    const bailey_simulation_run_params run = {
        .paths = paths,
        .source = {.generator = params.source.generator, .seed = 2001},
        .normal = params.normal};
    memset(&found, 0, sizeof found);
    OK(bailey_exercise_find(s, &params, &found.policy, &policy));
    OK(bailey_simulation_run(policy, &run, &found.lower));
    bailey_simulation_destroy(policy);
    return found;
}

static void is_near(const char *what, const struct found *f, double value, double given)
{
    const double error = f->lower.standard_error;
    print_message("# %s: %.4f +- %.4f, in sample %.4f +- %.4f, known %.4f; %u regressions of at least %u of %u "
                  "functions, condition %.3g\n",
                  what, f->lower.mean, error, f->policy.in_sample, f->policy.in_sample_standard_error, value,
                  f->policy.regressions, f->policy.least_used, f->policy.functions, f->policy.condition);
    if (!(f->lower.mean <= value + 3 * error)) fail_msg("%s: the lower bound is above the value", what);
    if (!(f->lower.mean >= value - given - 3 * error)) fail_msg("%s: the lower bound is too low", what);
    if (!(fabs(f->policy.in_sample - value) <= given + 4 * f->policy.in_sample_standard_error))
        fail_msg("%s: in sample", what);
}

/* ---- Known values -------------------------------------------------------------------------------- */

/* Longstaff and Schwartz 2001, table 1, by the quadrature of test_american.c; with functions of the code's own
 * and with the default ones, whose time does not vary. */
TEST(put_on_one_asset, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    bailey_simulation *s = put_of(put_code, path_of(50, 1, 1, BAILEY_PRECISION_F32), 36);
    struct found f = price(s, policy_of(20000, BAILEY_PRECISION_F32), 40000);
    is_near("put", &f, 4.47781, 0.02);
    assert_int_equal(f.policy.dates, 50);
    assert_int_equal(f.policy.regressions, 49);
    assert_int_equal(f.policy.functions, 4);
    bailey_simulation_destroy(s);
    bailey_bridge_params path = path_of(50, 1, 1, BAILEY_PRECISION_F64);
    path.output = BAILEY_BRIDGE_OUTPUT_INCREMENTS;
    s = put_of(increments_code, path, 36);
    f = price(s, policy_of(20000, BAILEY_PRECISION_F64), 40000);
    is_near("put, default functions", &f, 4.47781, 0.02);
    assert_int_equal(f.policy.functions, 15);
    bailey_simulation_destroy(s);
}

/* Andersen and Broadie 2004, table 2: a lattice gives 13.902. */
static const char max_call_code[] =
    "/** A call on the largest.\n *\n * path: paths\n * dims: assets\n * out[0] price: discounted\n"
    " * out[1] largest: at the end [control]\n */\n"
    "typedef struct {\n    real spot[DIMS]; /* [> 0; role spot] */\n    real strike, rate, dividend, volatility;\n"
    "} params;\n"
    "typedef struct { real price[DIMS], discount; } state;\n"
    "real largest(const state *s)\n"
    "{\n    real most = s->price[0];\n    for (int d = 1; d < DIMS; d++) most = fmax(most, s->price[d]);\n"
    "    return most;\n}\n"
    "void start(state *s, const params *p)\n"
    "{\n    for (int d = 0; d < DIMS; d++) s->price[d] = p->spot[d];\n    s->discount = 1;\n}\n"
    "void step(state *s, const params *p, int i, real t, const real x[])\n"
    "{\n    const real drift = p->rate - p->dividend - p->volatility * p->volatility / 2;\n"
    "    for (int d = 0; d < DIMS; d++)\n"
    "        s->price[d] = p->spot[d] * exp(fma(p->volatility, x[d], drift * t));\n"
    "    s->discount = exp(-p->rate * t);\n}\n"
    "real exercise(const state *s, const params *p, real t)\n"
    "{\n    return fmax(largest(s) - p->strike, 0) * s->discount;\n}\n"
    "void regress(const state *s, const params *p, real f[9])\n"
    "{\n    const real a = largest(s) / p->strike - 1, b = fmin(s->price[0], s->price[1]) / p->strike - 1;\n"
    "    f[0] = a;\n    f[1] = a * a;\n    f[2] = f[1] * a;\n    f[3] = b;\n    f[4] = b * b;\n"
    "    f[5] = f[4] * b;\n    f[6] = a * b;\n    f[7] = f[6] * a;\n    f[8] = f[6] * b;\n}\n"
    "void finish(const state *s, const params *p, real out[2])\n"
    "{\n    out[0] = exercise(s, p, 0);\n    out[1] = largest(s);\n}\n";

static bailey_simulation *max_call(const char *code, bailey_bridge_params path)
{
    const double spots[2] = {100, 100};
    bailey_simulation *s = simulation_of(code, path);
    OK(bailey_simulation_set(s, "spot", spots, 2));
    set(s, "strike", 100);
    set(s, "rate", 0.05);
    set(s, "dividend", 0.1);
    set(s, "volatility", 0.2);
    return s;
}

/* Every third of 27 steps is a date. */
TEST(call_on_the_larger, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    bailey_simulation *s = max_call(max_call_code, path_of(27, 3, 2, BAILEY_PRECISION_F64));
    bailey_exercise_params params = policy_of(20000, BAILEY_PRECISION_F64);
    bailey_exercise_result result;
    bailey_simulation *policy = NULL;
    bailey_estimate found[2];
    params.every = 3;
    OK(bailey_exercise_find(s, &params, &result, &policy));
    const bailey_simulation_run_params run = {
        .paths = 40000, .antithetic = 1, .source.seed = 3, .normal = params.normal};
    OK(bailey_simulation_run(policy, &run, found));
    const struct found f = {.policy = result, .lower = found[0]};
    is_near("call on the larger of two", &f, 13.902, 0.1);
    assert_int_equal(result.dates, 9);
    assert_int_equal(bailey_simulation_description(s)->exercises, 1);
    /* Under a policy the mean of an output is not known. */
    assert_int_equal(bailey_simulation_description(s)->outputs[1].control, 1);
    assert_int_equal(bailey_simulation_description(policy)->outputs[1].control, 0);
    assert_string_equal(bailey_exercise_function(policy, 0), "1");
    assert_string_equal(bailey_exercise_function(policy, 9), "regress[8]");
    assert_null(bailey_exercise_function(policy, 10));
    assert_null(bailey_exercise_function(s, 0));
    bailey_simulation_destroy(policy);
    bailey_simulation_destroy(s);
}

/* One date is a European option's: the bits of the payoff alone, without a regression. */
TEST(one_date, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    bailey_simulation *s = put_of(put_code, path_of(4, 1, 1, BAILEY_PRECISION_F64), 40), *policy = NULL;
    bailey_exercise_params params = policy_of(1000, BAILEY_PRECISION_F64);
    bailey_exercise_result result;
    bailey_estimate never, once;
    params.every = 4;
    OK(bailey_exercise_find(s, &params, &result, &policy));
    const bailey_simulation_run_params run = {.paths = 5000, .normal = params.normal};
    OK(bailey_simulation_run(s, &run, &never));
    OK(bailey_simulation_run(policy, &run, &once));
    same_bits("price", &once, &never, sizeof never / 8, 8);
    assert_int_equal(result.dates, 1);
    assert_int_equal(result.regressions, 0);
    assert_true(result.condition == 0);
    bailey_simulation_destroy(policy);
    bailey_simulation_destroy(s);
}

/* ---- Bits ---------------------------------------------------------------------------------------- */

enum { WALK, BRIDGE, INCREMENTS, PCA, WALK_WARP, KINDS };

static bailey_simulation *kind_of(int kind)
{
    bailey_bridge_params path = path_of(12, 1, 1, kind == BRIDGE ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32);
    path.construction = kind == BRIDGE ? BAILEY_CONSTRUCTION_BRIDGE
                        : kind == PCA  ? BAILEY_CONSTRUCTION_PCA
                                       : BAILEY_CONSTRUCTION_WALK;
    if (kind == INCREMENTS) path.output = BAILEY_BRIDGE_OUTPUT_INCREMENTS;
    return put_of(kind == INCREMENTS ? increments_code : put_code, path, 38);
}

/* From the cpu backend when this was written. The lower bound, its error, in sample, condition. */
static const double golden[KINDS][4] = {
    {0x1.95507a3ae50fcp+1, 0x1.c497b7cf12da4p-5, 0x1.a2e13ce3ace9cp+1, 0x1.67b3e4e1a48cbp+26},
    {0x1.a0b3fae7201c5p+1, 0x1.d3dc7d3727081p-5, 0x1.9ad2e211b4eebp+1, 0x1.e61af49fac7f4p+25},
    {0x1.92b8485607965p+1, 0x1.cdf6ea77314c4p-5, 0x1.a15ceb7bceb1ap+1, 0x1.8b85f9c45c3e8p+10},
    {0x1.994c255937d66p+1, 0x1.da4a76e373c53p-5, 0x1.a5c161eb02e68p+1, 0x1.1700765734441p+26},
    {0x1.9d368462b22b2p+1, 0x1.d7581c439abfap-5, 0x1.a379027f1dc58p+1, 0x1.26cf25c4b1242p+26}};

/* However paths are made, a policy has the same bits with any memory: on dates that are kept all, and from one
 * segment to the least. */
TEST(bits, DEVICE | LONG)
{
    if (!simulates()) skip();
    for (int kind = 0; kind < KINDS; kind++) {
        if (few_programs() && kind != BRIDGE && kind != INCREMENTS) continue;
        bailey_simulation *s = kind_of(kind);
        bailey_exercise_params params =
            policy_of(3001, kind == BRIDGE ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32);
        params.every = 2;
        if (kind == WALK_WARP) params.source.generator = BAILEY_GENERATOR_WARP;
        const struct found all = price(s, params, 3003);
        const double bits[4] = {all.lower.mean, all.lower.standard_error, all.policy.in_sample,
                                all.policy.condition};
        for (int k = 0; k < 4; k++)
            if (bits[k] != golden[kind][k])
                fail_msg("kind %d: {%a, %a, %a, %a}", kind, bits[0], bits[1], bits[2], bits[3]);
        for (uint64_t rows = 6; rows > 1; rows /= 2) {
            params.memory = rows * 3001 * 8 + 1;
            const struct found some = price(s, params, 3003);
            same_bits("policy", &some.policy, &all.policy, sizeof all.policy / 8, 8);
            same_bits("price", &some.lower, &all.lower, sizeof all.lower / 8, 8);
        }
        bailey_simulation_destroy(s);
    }
}

/* ---- Both bounds --------------------------------------------------------------------------------- */

static bailey_exercise_bounds bound(const char *what, bailey_simulation *s, bailey_exercise_bounds_params params,
                                    double value, double gap)
{
    bailey_exercise_params find = policy_of(20000, s->precision);
    bailey_exercise_result result;
    bailey_exercise_bounds b;
    bailey_simulation *policy = NULL;
    bailey_estimate lower[2];
    find.outside = 1;
    params.source.seed = 2001;
    params.source.stream = 2;
    params.normal.precision = s->precision;
    OK(bailey_exercise_find(s, &find, &result, &policy));
    OK(bailey_exercise_bound(policy, &params, &b));
    print_message("# %s: lower %.4f +- %.4f, upper %.4f +- %.4f, known %.4f, %.4f .. %.4f\n", what, b.lower,
                  b.lower_standard_error, b.upper, b.upper_standard_error, value, b.interval_low, b.interval_high);
    if (!(b.lower - 3 * b.lower_standard_error <= value && value <= b.upper + 3 * b.upper_standard_error))
        fail_msg("%s is not between the bounds", what);
    if (!(b.upper - b.lower < gap)) fail_msg("%s: the bounds are too far apart", what);
    assert_true(fabs(b.price - (b.lower + b.upper) / 2) < 1e-12);
    assert_true(b.price - 1.96 * b.standard_error <= b.interval_low + 1e-6);
    assert_true(b.price + 1.96 * b.standard_error >= b.interval_high - 1e-6);
    if (s->path.params.construction == BAILEY_CONSTRUCTION_WALK) {
        const bailey_simulation_run_params run = {
            .paths = params.paths, .source = params.source, .normal = params.normal, .antithetic = params.antithetic};
        OK(bailey_simulation_run(policy, &run, lower));
        same_bits("lower bound", &b.lower, &lower[0].mean, 1, 8);
        same_bits("its error", &b.lower_standard_error, &lower[0].standard_error, 1, 8);
    }
    bailey_simulation_destroy(policy);
    return b;
}

static void same_as_ever(const char *what, const bailey_exercise_bounds *b, double upper, double error)
{
    if (b->upper != upper || b->upper_standard_error != error)
        fail_msg("%s: {%a, %a}", what, b->upper, b->upper_standard_error);
}

/* The put of above, by one, two and all dates, and from increments; with one date, where the martingale is the
 * payoff itself, both bounds are one. Upper bounds are those of the cpu backend when this was written. */
TEST(bounds_of_a_put, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    bailey_bridge_params path = path_of(50, 1, 1, BAILEY_PRECISION_F32);
    path.construction = BAILEY_CONSTRUCTION_WALK;
    bailey_simulation *s = put_of(put_code, path, 36);
    bailey_exercise_bounds_params params = {.paths = 40000, .outer_paths = 300, .inner_paths = 64, .antithetic = 1};
    bailey_exercise_bounds b = bound("put", s, params, 4.47781, 0.06);
    same_as_ever("put", &b, 0x1.20f54ac257188p+2, 0x1.b42fc968f1b92p-8);
    bailey_simulation_destroy(s);
    path = path_of(10, 1, 1, BAILEY_PRECISION_F64);
    path.output = BAILEY_BRIDGE_OUTPUT_INCREMENTS;
    s = put_of(increments_code, path, 36);
    params.horizon = 1;
    params.outer_paths = 1100; /* more than there are at a time */
    params.inner_paths = 8;
    params.today = 4;
    b = bound("put, by regressions alone", s, params, 4.44253, 0.06);
    same_as_ever("put, by regressions alone", &b, 0x1.1e72a9a49f59ap+2, 0x1.b81234d2c0436p-8);
    params.today = 5;
    b = bound("put, to exercise today", s, params, 5, 0.03);
    assert_int_equal(b.exercise_now, 1);
    assert_true(b.lower == 5 && b.lower_standard_error == 0 && b.interval_low == 5);
    bailey_simulation_destroy(s);
    if (few_programs()) return;
    s = put_of(put_code, path_of(1, 1, 1, BAILEY_PRECISION_F64), 36);
    params = (bailey_exercise_bounds_params){.paths = 20000, .outer_paths = 20, .inner_paths = 2};
    b = bound("European put", s, params, 3.8443, 1e-9);
    assert_true(fabs(b.upper - b.lower) < 1e-12);
    assert_true(fabs(b.upper_standard_error - b.lower_standard_error) < 1e-9);
    bailey_simulation_destroy(s);
}

/* Andersen and Broadie's bound, by all dates, of which each is the third of three steps, and the default. */
TEST(bounds_of_a_max_call, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    bailey_bridge_params path = path_of(9, 3, 2, BAILEY_PRECISION_F32);
    path.construction = BAILEY_CONSTRUCTION_BRIDGE;
    bailey_simulation *s = max_call(max_call_code, path);
    bailey_exercise_bounds_params params = {.paths = 40000, .outer_paths = 300, .antithetic = 1};
    const bailey_exercise_bounds two = bound("call on the larger of two", s, params, 13.902, 0.25);
    same_as_ever("two dates", &two, 0x1.be2a08bb4b68dp+3, 0x1.7cb524f232d39p-5);
    params.horizon = 9;
    const bailey_exercise_bounds all = bound("call, by all dates", s, params, 13.902, 0.25);
    same_as_ever("all dates", &all, 0x1.bd65fae98a183p+3, 0x1.a28773e628ddep-5);
    assert_true(fabs(all.upper - two.upper) < 4 * two.upper_standard_error + 0.1);
    bailey_simulation_destroy(s);
}

static void refuse_bounds(bailey_simulation *policy, bailey_exercise_bounds_params params, const char *argument,
                          const char *words)
{
    bailey_exercise_bounds b, before;
    memset(&b, POISON, sizeof b);
    before = b;
    REFUSED_HERE(bailey_exercise_bound(policy, &params, &b), words, "");
    assert_string_equal(bailey_error_argument(), argument);
    assert_memory_equal(&b, &before, sizeof b);
}

static int cancel(void *user, uint64_t done, uint64_t total)
{
    uint64_t *last = user;
    assert_true(done >= *last && done <= total);
    *last = done;
    return done > total / 2;
}

TEST(refused_bounds, DEVICE | LONG)
{
    if (!simulates() || few_programs()) skip();
    const double end = 0.1;
    bailey_bridge_params path = path_of(4, 1, 1, BAILEY_PRECISION_F32);
    bailey_simulation *s = put_of(put_code, path, 36), *policy = NULL;
    bailey_exercise_params find = policy_of(100, BAILEY_PRECISION_F32);
    bailey_exercise_bounds_params params = {.paths = 100, .outer_paths = 10, .inner_paths = 10};
    bailey_exercise_result result;
    bailey_exercise_bounds b;
    refuse_bounds(s, params, "policy", "bailey_exercise_find");
    OK(bailey_exercise_find(s, &find, &result, &policy));
    refuse_bounds(policy, params, "horizon", "horizon is 2 of 4 dates");
    params.horizon = 4;
    params.inner_paths = 1;
    refuse_bounds(policy, params, "inner_paths", "2 to 2^20");
    params.inner_paths = 10;
    params.source.stream = UINT64_MAX;
    refuse_bounds(policy, params, "stream", "2^64");
    params.source = (bailey_source){.generator = BAILEY_GENERATOR_SOBOL};
    refuse_bounds(policy, params, "generator", "points");
    params.source = (bailey_source){0};
    uint64_t done = 0;
    params.progress = cancel;
    params.progress_user = &done;
    assert_int_equal(bailey_exercise_bound(policy, &params, &b), BAILEY_ERROR_CANCELLED);
    assert_int_equal(bailey_exercise_bound(NULL, &params, &b), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_exercise_bound(policy, NULL, &b), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_exercise_bound(policy, &params, NULL), BAILEY_ERROR_INVALID);
    bailey_simulation_destroy(policy);
    bailey_simulation_destroy(s);
    path.end = &end;
    s = put_of(put_code, path, 36);
    OK(bailey_exercise_find(s, &find, &result, &policy));
    refuse_bounds(policy, (bailey_exercise_bounds_params){.horizon = 4}, "policy", "fixed end");
    bailey_simulation_destroy(policy);
    bailey_simulation_destroy(s);
}

/* ---- An ordinary simulation ---------------------------------------------------------------------- */

/* Decisions stay as they are where parameters move: a gradient is what differences are on the same
 * paths, on none of which so small a change decides otherwise, and near the delta by quadrature, -0.68994. */
TEST(derivatives, DEVICE | LONG)
{
    if (!simulates() || few_programs()) skip();
    bailey_simulation *s = put_of(put_code, path_of(10, 1, 1, BAILEY_PRECISION_F64), 36), *policy = NULL;
    const bailey_exercise_params params = policy_of(50000, BAILEY_PRECISION_F64);
    bailey_exercise_result result;
    OK(bailey_exercise_find(s, &params, &result, &policy));
    const double h = 1e-5;
    const char *const name[] = {"spot"};
    const double up_and_down[] = {36 + h, 36 - h}, weights[] = {0.5 / h, -0.5 / h};
    bailey_simulation_run_params run = {.paths = 10000, .normal = params.normal, .antithetic = 1};
    const bailey_gradient_params by = {0};
    bailey_estimate price, difference;
    bailey_derivative gradient[4];
    assert_int_equal(bailey_simulation_gradient_count(policy, &by), 4); /* without the coefficients */
    OK(bailey_simulation_gradient(policy, &run, &by, &price, gradient));
    run.scenarios = (bailey_scenarios){
        .count = 2, .columns = 1, .names = name, .values = up_and_down, .rows = 1, .weights = weights};
    OK(bailey_simulation_run(policy, &run, &difference));
    const bailey_estimate *delta = &gradient[0].estimate;
    print_message("# delta %.9f +- %.5f by adjoints, %.9f by differences\n", delta->mean,
                  delta->standard_error, difference.mean);
    assert_true(fabs(delta->mean - difference.mean) < 1e-9);
    assert_true(fabs(delta->mean + 0.68994) < 0.02);
    bailey_simulation_destroy(policy);
    bailey_simulation_destroy(s);
}

/* ---- Refusals ------------------------------------------------------------------------------------ */

#define STATE "typedef struct { real price; } state;\nvoid start(state *s, const params *p) { s->price = 0; }\n"
#define STEP                                                                                                 \
    "void step(state *s, const params *p, int i, real t, const real x[]) { s->price = x[0]; }\n"             \
    "void finish(const state *s, const params *p, real out[]) { out[0] = s->price; }\n"

static void refuse_code(const char *code, const char *words)
{
    const double time = 1;
    const bailey_simulation_params params = {.path = {.times = &time, .steps = 1}, .payoff = {.code = code}};
    bailey_simulation *made = NOWHERE;
    REFUSED(bailey_simulation_create(context, &params, &made), words, "payoff.c");
    assert_null(made);
}

TEST(code, DEVICE)
{
    if (!device.has_f64) skip();
    refuse_code(STATE STEP "void exercise(const state *s, const params *p, real t) { }\n", "must return real");
    refuse_code(STATE STEP "real exercise(const state *s, const params *p) { return 1; }\n",
                "write real exercise(const state *s, const params *p, real t)");
    refuse_code(STATE STEP "real exercise(state *s, const params *p, real t) { return 1; }\n", "write real");
    refuse_code(STATE STEP "void regress(const state *s, const params *p, real f[2]) { f[0] = f[1] = 1; }\n",
                "");
    refuse_code(STATE STEP "void regress(const state *s, const params *p, real f[1]) { f[0] = 1; }\n",
                "regress without exercise");
    refuse_code(STATE STEP "real exercise(const state *s, const params *p, real t) { return 1; }\n"
                           "void regress(const state *s, const params *p, real f[15]) { f[0] = 1; }\n",
                "15 functions; at most 14");
    refuse_code("void step(const state *s, const params *p, int i, real t, const real x[]) { }\n"
                "real exercise(const state *s, const params *p, real t) { return 1; }\n"
                "void finish(const state *s, const params *p, real out[]) { out[0] = 1; }\n",
                "");
    refuse_code("real exercise(const state *s, const params *p, real t) { return 1; }\n"
                "void whole(const params *p, path x, real out[]) { out[0] = 1; }\n",
                "not whole");
}

static void refuse(bailey_simulation *s, bailey_exercise_params params, const char *argument, const char *words)
{
    bailey_exercise_result result, before;
    bailey_simulation *policy = NOWHERE;
    memset(&result, POISON, sizeof result);
    before = result;
    REFUSED_HERE(bailey_exercise_find(s, &params, &result, &policy), words, "");
    assert_string_equal(bailey_error_argument(), argument);
    assert_memory_equal(&result, &before, sizeof result);
    assert_null(policy);
}

static int warnings;

static void count_warning(void *user, const char *message)
{
    (void)user;
    warnings += strstr(message, "too few paths can exercise") != NULL;
}

TEST(refusals, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    bailey_exercise_params params = policy_of(100, BAILEY_PRECISION_F32);
    bailey_simulation *s = put_of(STATE STEP PUT_PARAMS, path_of(4, 1, 1, BAILEY_PRECISION_F32), 36);
    refuse(s, params, "payoff", "has no function exercise");
    bailey_simulation_destroy(s);
    s = simulation_of(put_code, path_of(4, 1, 1, BAILEY_PRECISION_F32));
    refuse(s, params, "parameters", "spot");
    bailey_simulation_destroy(s);
    s = put_of(put_code, path_of(4, 1, 1, BAILEY_PRECISION_F32), 36);
    params.source.generator = BAILEY_GENERATOR_SOBOL;
    refuse(s, params, "generator", "points");
    params = policy_of(1, BAILEY_PRECISION_F32);
    refuse(s, params, "paths", "2 to");
    bailey_exercise_result result;
    bailey_simulation *policy = NULL, *again = NULL;
    params = policy_of(100, BAILEY_PRECISION_F32);
    assert_int_equal(bailey_exercise_find(NULL, &params, &result, &policy), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_exercise_find(s, NULL, &result, &policy), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_exercise_find(s, &params, NULL, &policy), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_exercise_find(s, &params, &result, NULL), BAILEY_ERROR_INVALID);
    /* Nothing is in the money: the policy never exercises, and a warning says so. */
    set(s, "spot", 4000);
    bailey_warning_set(count_warning, NULL);
    OK(bailey_exercise_find(s, &params, &result, &policy));
    bailey_warning_set(NULL, NULL);
    assert_int_equal(warnings, 1);
    assert_int_equal(result.regressions, 0);
    assert_int_equal(result.least_used, 0);
    assert_true(result.in_sample == 0);
    assert_int_equal(bailey_exercise_find(policy, &params, &result, &again), BAILEY_ERROR_INVALID);
    contains("a policy's policy", bailey_error_message(), "already");
    bailey_simulation_destroy(policy);
    bailey_simulation_destroy(s);
}

/* Code that fails says where, in lines of the payoff alone. */
TEST(faults, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    static const char failing[] =
        "typedef struct { int zero; } params;\n" STATE STEP
        "static const real table[2] = {1, 2};\n"
        "real exercise(const state *s, const params *p, real t)\n{\n"
        "    return s->price > 0 ? table[p->zero + 7] : 0;\n}\n";
    bailey_simulation *s = simulation_of(failing, path_of(4, 1, 1, BAILEY_PRECISION_F32)), *policy = NULL;
    const bailey_exercise_params params = policy_of(100, BAILEY_PRECISION_F32);
    bailey_exercise_result result;
    set(s, "zero", 0);
    const bailey_status status = bailey_exercise_find(s, &params, &result, &policy);
    failed_with("exercise", status, BAILEY_ERROR_PAYOFF, "payoff.c:9:32: index 7 of table[2]", "on path");
    assert_null(policy);
    set(s, "zero", -6);
    OK(bailey_exercise_find(s, &params, &result, &policy));
    bailey_simulation_destroy(policy);
    bailey_simulation_destroy(s);
}

/* ---- Dates that do not wait ---------------------------------------------------------------------- */

/* The put with functions of which the last is twice the first less the second; `more` stands in exercise. */
#define DEPENDENT_PUT(more)                                                                                  \
    "typedef struct { real spot, strike, rate, volatility; int zero; } params;\n"                            \
    "typedef struct { real price, time; } state;\n"                                                          \
    "static const real table[2] = {0, 1};\n"                                                                 \
    "void start(state *s, const params *p) { s->price = p->spot; s->time = 0; }\n"                           \
    "void step(state *s, const params *p, int i, real t, const real x[])\n"                                  \
    "{\n    const real drift = p->rate - p->volatility * p->volatility / 2;\n"                               \
    "    s->price = p->spot * exp(fma(p->volatility, x[0], drift * t));\n    s->time = t;\n}\n"             \
    "real exercise(const state *s, const params *p, real t)\n"                                               \
    "{\n    return fmax(p->strike - s->price, 0) * exp(-p->rate * t) + " more ";\n}\n"                      \
    "void finish(const state *s, const params *p, real out[])\n"                                             \
    "{\n    out[0] = fmax(p->strike - s->price, 0) * exp(-p->rate * s->time);\n}\n"                         \
    "void regress(const state *s, const params *p, real f[4])\n"                                             \
    "{\n    const real u = s->price / p->strike;\n"                                                         \
    "    f[0] = u;\n    f[1] = u * u;\n    f[2] = 2 * f[0] - f[1];\n    f[3] = p->rate;\n}\n"

static const struct bly_backend *waited_on;
static struct bly_backend counting;
static uint32_t waited;

static bailey_status counted_read(struct bly_device *on, struct bly_memory *memory, uint64_t offset,
                                  void *destination, uint64_t bytes)
{
    waited++;
    return waited_on->read(on, memory, offset, destination, bytes);
}

static bailey_status counted_fence_done(struct bly_device *on, struct bly_fence *fence, int wait, int *done)
{
    waited++; /* some devices are done at once */
    return waited_on->fence_done(on, fence, wait, done);
}

static bailey_status counted_wait(struct bly_device *on)
{
    waited++;
    return waited_on->wait(on);
}

/* The policy of `code` on every so many of nine steps, and how often finding it waited for the device. */
static struct found count_waits(const char *code, uint32_t every, uint32_t *count)
{
    bailey_exercise_params params = policy_of(2500, BAILEY_PRECISION_F64);
    bailey_simulation *s = put_of(code, path_of(9, 1, 1, BAILEY_PRECISION_F64), 50), *policy = NULL;
    struct found found;
    memset(&found, 0, sizeof found);
    set(s, "zero", 0);
    params.outside = 1;
    params.every = every;
    waited_on = context->device->backend;
    counting = *waited_on;
    counting.read = counted_read, counting.fence_done = counted_fence_done, counting.wait = counted_wait;
    waited = 0;
    context->device->backend = &counting;
    const bailey_status status = bailey_exercise_find(s, &params, &found.policy, &policy);
    context->device->backend = waited_on;
    *count = waited;
    OK(status);
    const bailey_simulation_run_params run = {
        .paths = 2000, .source.seed = 5, .normal.precision = BAILEY_PRECISION_F64};
    if (every == 1) OK(bailey_simulation_run(policy, &run, &found.lower));
    bailey_simulation_destroy(policy);
    bailey_simulation_destroy(s);
    return found;
}

/* The host waits for a policy as often on many dates as on few. Where code may fail it waits for each date, and
 * solves itself, as do groups of many items on devices that have them: they leave out the same functions and
 * come to the same decisions. */
TEST(waits, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    uint32_t few, many, each;
    const enum bly_tuned tuned = context->device->tuned;
    count_waits(DEPENDENT_PUT("0"), 2, &few);
    const struct found queued = count_waits(DEPENDENT_PUT("0"), 1, &many);
    if (many != few) fail_msg("5 dates wait %u times, 9 dates %u times", few, many);
    assert_int_equal(queued.policy.regressions, 7); /* on the first date too few paths can exercise */
    assert_int_equal(queued.policy.least_used, 3); /* of 5: one is a combination, and one does not vary */
    const struct found slow = count_waits(DEPENDENT_PUT("table[p->zero]"), 1, &each);
    if (each < many + 8) fail_msg("code that may fail waits %u times, other %u times", each, many);
    same_bits("policy", &slow.policy, &queued.policy, sizeof queued.policy / 8, 8);
    same_bits("price", &slow.lower, &queued.lower, sizeof queued.lower / 8, 8);
    if (few_programs()) return;
    context->device->tuned = BLY_TUNED_ALWAYS;
    const struct found grouped = count_waits(DEPENDENT_PUT("0"), 1, &many);
    context->device->tuned = tuned;
    same_bits("policy", &grouped.policy, &queued.policy, sizeof queued.policy / 8, 8);
    same_bits("price", &grouped.lower, &queued.lower, sizeof queued.lower / 8, 8);
}

/* ---- Many deals ---------------------------------------------------------------------------------- */

/* Deals that share launches have the bits of each alone: all at a time, two at a time, one at a time whose states
 * are made in segments, and where the code may fail, so that dates wait. */
TEST(many_deals, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    enum { DEALS = 5, PATHS = 2500 };
    static const double values[DEALS][2] = {{36, 0.2}, {44, 0.2}, {50, 0.1}, {36, 0.4}, {31, 0.3}};
    static const uint64_t memory[] = {0, 900000, 60000};
    static const char *const names[] = {"spot", "volatility"}, *const unknown[] = {"spot", "vol"};
    bailey_exercise_params params = policy_of(PATHS, BAILEY_PRECISION_F64);
    bailey_simulation_run_params run = {
        .paths = 2000, .antithetic = 1, .source.seed = 5, .normal.precision = BAILEY_PRECISION_F64};
    struct found alone[DEALS];
    memset(alone, 0, sizeof alone);
    for (int fails = 0; fails < 2; fails++) {
        bailey_simulation *s = put_of(fails ? DEPENDENT_PUT("table[p->zero]") : DEPENDENT_PUT("0"),
                                      path_of(9, 1, 1, BAILEY_PRECISION_F64), 36);
        bailey_exercise_result results[DEALS];
        bailey_estimate estimates[DEALS];
        set(s, "zero", 0);
        for (int i = 0; i < DEALS && !fails; i++) {
            bailey_simulation *policy = NULL;
            set(s, "spot", values[i][0]);
            set(s, "volatility", values[i][1]);
            OK(bailey_exercise_find(s, &params, &alone[i].policy, &policy));
            OK(bailey_simulation_run(policy, &run, &alone[i].lower));
            bailey_simulation_destroy(policy);
        }
        run.scenarios = (bailey_scenarios){.count = DEALS, .columns = 2, .names = names, .values = values[0]};
        for (int m = 0; m < (fails ? 1 : 3); m++) {
            params.memory = memory[m];
            OK(bailey_exercise_price(s, &params, &run, results, estimates));
            for (int i = 0; i < DEALS; i++) {
                same_bits("policy", &results[i], &alone[i].policy, sizeof *results / 8, 8);
                same_bits("price", &estimates[i], &alone[i].lower, sizeof *estimates / 8, 8);
            }
        }
        bailey_simulation_run_params other = run;
        const double shift[DEALS] = {0};
        other.scenarios.names = unknown;
        assert_int_equal(bailey_exercise_price(s, &params, &other, results, estimates), BAILEY_ERROR_INVALID);
        contains("a column", bailey_error_message(), "no parameter \"vol\"");
        other = run, other.scenarios.time_shift = shift;
        assert_int_equal(bailey_exercise_price(s, &params, &other, results, estimates), BAILEY_ERROR_INVALID);
        assert_string_equal(bailey_error_argument(), "time_shift");
        other.scenarios.count = 0;
        assert_int_equal(bailey_exercise_price(s, &params, &other, results, estimates), BAILEY_ERROR_INVALID);
        assert_string_equal(bailey_error_argument(), "count");
        params.outside = 1;
        assert_int_equal(bailey_exercise_price(s, &params, &run, results, estimates), BAILEY_ERROR_INVALID);
        assert_string_equal(bailey_error_argument(), "outside");
        params.outside = 0;
        run.scenarios = (bailey_scenarios){0};
        bailey_simulation_destroy(s);
    }
}

/* ---- Regressions --------------------------------------------------------------------------------- */

/* x, x^2, 3 - 2 x, a constant, and x^3, of which y = 2 - x + x^3 / 2 is made: on 101 points. */
TEST(fit, HOST)
{
    enum { N = 101, COUNT = 5 };
    double mean[COUNT + 1] = {0}, covariance[(COUNT + 1) * (COUNT + 1)] = {0}, coefficient[COUNT + 1];
    double values[N][COUNT + 1];
    for (int i = 0; i < N; i++) {
        const double x = i / 50.0 - 0.5;
        const double of[COUNT + 1] = {x, x * x, 3 - 2 * x, 7, x * x * x, 2 - x + x * x * x / 2};
        memcpy(values[i], of, sizeof of);
        for (int k = 0; k <= COUNT; k++) mean[k] += of[k] / N;
    }
    for (int i = 0; i < N; i++)
        for (int a = 0; a <= COUNT; a++)
            for (int b = 0; b <= COUNT; b++)
                covariance[a * (COUNT + 1) + b] += (values[i][a] - mean[a]) * (values[i][b] - mean[b]) / N;
    const struct bly_fit_quality q = bly_regression_fit(COUNT, mean, covariance, coefficient);
    assert_int_equal(q.used, 4); /* the constant, two of x, x^2 and x^3 in some order, without their doubles */
    assert_true(q.condition > 1 && q.condition < 1e4);
    assert_true(coefficient[4] == 0 && (coefficient[1] == 0) != (coefficient[3] == 0));
    for (int i = 0; i < N; i++) {
        double y = coefficient[0];
        for (int k = 0; k < COUNT; k++) y += coefficient[1 + k] * values[i][k];
        assert_true(fabs(y - values[i][COUNT]) < 1e-11);
    }
    covariance[0] = 0; /* nothing varies: the mean */
    memset(covariance, 0, sizeof covariance);
    const struct bly_fit_quality flat = bly_regression_fit(COUNT, mean, covariance, coefficient);
    assert_int_equal(flat.used, 1);
    assert_true(flat.condition == 0 && coefficient[0] == mean[COUNT] && coefficient[1] == 0);
}
