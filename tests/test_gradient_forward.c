/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Gradients in forward mode: code with loops whose length depends on data, long loops, `whole` and motions.
 * The same payoff with a loop of known length has adjoints, which must agree but for rounding; bumps of the
 * same paths must agree where a payoff is smooth; closed forms where it jumps.
 */
#include "gradients.h"

#define PATHS 4096

#define GBM "exp((p->rate - p->volatility * p->volatility / 2) * t + p->volatility * x[0])"
#define PARAMS                                                                                               \
    "typedef struct { real spot, volatility, rate, intensity; real weight[4]; int terms; } params;\n"
static const double given[] = {100, 0.2, 0.05, 0.7, 0.4, 0.3, 0.2, 0.1, 4};
enum { SPOT, VOLATILITY, RATE, INTENSITY, WEIGHT, DERIVATIVES = WEIGHT + 4 };

/* A sum of as many terms as a parameter says, in step and finish; with `most`, whose length is known. */
#define SERIES(start, test)                                                                                  \
    PARAMS                                                                                                   \
        "typedef struct { real price, sum; } state;\n"                                                       \
        "void start(state *s, const params *p)\n{\n    s->price = p->spot;\n    s->sum = 0;\n" start "}\n"   \
        "void step(state *s, const params *p, int i, real t, const real x[])\n{\n"                           \
        "    s->price = p->spot * " GBM ";\n"                                                                \
        "    real power = 1, value = 0;\n"                                                                   \
        "    for (int k = 0; " test "; k++) {\n        power = power * s->price / 100;\n"                    \
        "        if (power > 1.5) value = value + p->weight[k] * 1.5; else value += p->weight[k] * power;\n" \
        "    }\n    s->sum = s->sum + value * p->intensity;\n}\n"                                            \
        "void finish(const state *s, const params *p, real out[2])\n{\n"                                     \
        "    real d = exp(-p->rate), w = 1;\n    int n = p->terms;\n"                                        \
        "    for (int k = 0; k < 4 && n > 0; k++, n--) w = w + sqrt(w * p->weight[k]);\n"                    \
        "    out[0] = d * fmax(s->sum - 1, 0) * w;\n    out[1] = s->price * s->price;\n}\n"

static const char *const of_data =
                             SERIES("    for (int k = p->terms; k > 0; k -= 2) s->sum += p->weight[0];\n",
                                    "k < p->terms"),
                         *const of_known = SERIES("    s->sum = p->weight[0] + p->weight[0];\n", "k < 4");

static bailey_simulation *make_on(bailey_context *on, const char *code, uint32_t steps,
                                  bailey_precision precision)
{
    const bailey_simulation_params params = {.path = {.times = dates, .steps = steps, .precision = precision},
                                             .payoff = {.code = code}};
    bailey_simulation *s;
    if (bailey_simulation_create(on, &params, &s) != BAILEY_OK)
        fail_msg("%s\n%s", bailey_error_message(), code);
    set_all(s, given);
    return s;
}

static bailey_simulation *make(const char *code, uint32_t steps)
{
    return make_on(context, code, steps, BAILEY_PRECISION_F64);
}

static void derive(bailey_simulation *s, const bailey_gradient_params *question, bailey_derivative *g)
{
    const bailey_simulation_run_params run = {.source = {.seed = 5}, .paths = PATHS};
    if (bailey_simulation_gradient(s, &run, question, NULL, g) != BAILEY_OK)
        fail_msg("%s", bailey_error_message());
}

static double price(bailey_simulation *s, const char *name, uint32_t element, uint32_t count, double value)
{
    const bailey_simulation_run_params run = {.source = {.seed = 5}, .paths = PATHS};
    double all[4];
    uint64_t first = 0, size;
    const char *at;
    bailey_estimate e[2];
    for (size_t k = 0; (at = bailey_simulation_parameter(s, k, &size)) && strcmp(at, name) != 0; k++)
        first += size;
    memcpy(all, given + first, count * sizeof *all);
    all[element] = value;
    OK(bailey_simulation_set(s, name, all, count));
    OK(bailey_simulation_run(s, &run, e));
    all[element] = given[first + element];
    OK(bailey_simulation_set(s, name, all, count));
    return e[0].mean;
}

/* Bumps of the fourth order. */
static void near_bumps(bailey_simulation *s, const bailey_derivative *g, uint32_t count, double tolerance)
{
    for (uint32_t k = 0; k < count; k++) {
        uint64_t size = 1, first = 0;
        const char *at;
        for (size_t i = 0; (at = bailey_simulation_parameter(s, i, &size)) && strcmp(at, g[k].name) != 0; i++)
            first += size;
        const double x = given[first + g[k].first], h = 1e-3 * x;
        double f[4];
        for (int i = 0; i < 4; i++)
            f[i] = price(s, g[k].name, g[k].first, (uint32_t)size, x + (i < 2 ? i - 2 : i - 1) * h);
        const double wanted = (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h);
        if (!(fabs(g[k].estimate.mean - wanted) <= tolerance * (1 + fabs(wanted))))
            fail_msg("%s[%u]: %.12g, bumps %.12g", g[k].name, g[k].first, g[k].estimate.mean, wanted);
    }
}

/* Adjoints of the code with known loops, by parameters, covariance and time, of a sum of outputs. */
TEST(same_as_adjoints, ON_CPU)
{
    if (!simulates()) skip();
    static const double weights[] = {1, 0.01};
    const bailey_gradient_params question = {.covariance = 1, .time = 1, .weights = weights};
    bailey_simulation *s = make(of_data, 4), *known = make(of_known, 4);
    bailey_derivative g[DERIVATIVES + 2], wanted[DERIVATIVES + 2];
    assert_int_equal(bailey_simulation_gradient_count(s, &question), DERIVATIVES + 2);
    derive(s, &question, g);
    derive(known, &question, wanted);
    for (int k = 0; k < DERIVATIVES + 2; k++) {
        assert_true(g[k].forward == 1 && wanted[k].forward == 0);
        assert_string_equal(g[k].name, wanted[k].name);
        assert_true(fabs(wanted[k].estimate.mean) > 1e-3);
        if (!(fabs(g[k].estimate.mean - wanted[k].estimate.mean) <= 1e-12 * fabs(wanted[k].estimate.mean)))
            fail_msg("%s[%u]: %.17g, adjoints %.17g", g[k].name, g[k].first, g[k].estimate.mean,
                     wanted[k].estimate.mean);
    }
    bailey_simulation_destroy(s);
    bailey_simulation_destroy(known);
}

#define PRICE                                                                                                \
    PARAMS                                                                                                   \
        "real price(const params *p, path x, int i)\n{\n    const real t = time(x, i), w = at(x, i, 0);\n"   \
        "    return p->spot * exp((p->rate - p->volatility * p->volatility / 2) * t + p->volatility * "      \
        "w);\n}\n"
#define WHOLE(body)                                                                                          \
    PRICE "void whole(const params *p, path x, real out[])\n{\n    const real d = exp(-p->rate * time(x, "   \
          "STEPS - "                                                                                         \
          "1)), last = price(p, x, STEPS - 1);\n" body "}\n"

/* `whole` against adjoints of the same code as steps: with an own loop over steps, and two of them in each
 * other, which are too many operations to be unrolled. */
TEST(whole, ON_CPU | LONG)
{
    if (!simulates()) skip();
    static const char *const average =
        WHOLE("    real sum = 0;\n    for (int i = 0; i < STEPS; i++) sum += price(p, x, i);\n"
              "    out[0] = d * fmax(sum / STEPS - 101 * p->intensity, 0);\n");
    static const char *const pairs = WHOLE(
        "    real sum = 0;\n    for (int i = 0; i < STEPS; i++)\n        for (int j = 0; j < STEPS; j++) {\n"
        "            const real a = price(p, x, i), b = price(p, x, j);\n"
        "            sum += i < j ? sqrt(a * b) * p->intensity : a;\n        }\n    out[0] = d * sum;\n");
    static const char *const steps =
        PARAMS "typedef struct { real sum, roots, roots_sum, price, t; int count; } state;\n"
               "void start(state *s, const params *p)\n"
               "{ s->sum = 0; s->roots = 0; s->roots_sum = 0; s->price = 0; s->t = 0; s->count = 0; }\n"
               "void step(state *s, const params *p, int i, real t, const real x[])\n{\n"
               "    s->price = p->spot * " GBM ";\n    const real root = sqrt(s->price);\n"
               "    s->roots_sum += s->roots * root * p->intensity + s->price * (i + 1);\n"
               "    s->roots += root;\n    s->sum += s->price;\n    s->t = t;\n}\n"
               "void finish(const state *s, const params *p, real out[2])\n{\n"
               "    out[0] = exp(-p->rate * s->t) * fmax(s->sum / STEPS - 101 * p->intensity, 0);\n"
               "    out[1] = exp(-p->rate * s->t) * s->roots_sum;\n}\n";
    static const char *const names[] = {"spot", "volatility", "rate", "intensity"};
    double times[64];
    for (int i = 0; i < 64; i++) times[i] = (i + 1) / 32.0;
    for (int of = 0; of < 2; of++) {
        const bailey_gradient_params question = {.names = names, .count = 4},
                                     same = {.names = names, .count = 4, .output = (uint32_t)of};
        const bailey_simulation_params params = {.path = {.times = times, .steps = of ? 64 : 12}};
        bailey_simulation_params one = params, other = params;
        one.payoff.code = of ? pairs : average;
        other.payoff.code = steps;
        bailey_simulation *s = made_on(context, &one, given), *known = made_on(context, &other, given);
        bailey_derivative g[4], wanted[4];
        derive(s, &question, g);
        derive(known, &same, wanted);
        for (int k = 0; k < 4; k++)
            if (!(fabs(g[k].estimate.mean - wanted[k].estimate.mean) <=
                  1e-5 * fabs(wanted[k].estimate.mean)) ||
                !g[k].forward)
                fail_msg("%s: %.9g, adjoints %.9g", g[k].name, g[k].estimate.mean, wanted[k].estimate.mean);
        bailey_simulation_destroy(s);
        bailey_simulation_destroy(known);
    }
}

/* A motion at ticks that the path itself chooses, and a random number of jumps. */
TEST(smooth, ON_CPU | LONG)
{
    if (!simulates()) skip();
    static const char *const moving = PARAMS
        "void whole(const params *p, path x, real out[])\n{\n    real sum = 0, w = 0;\n    int tick = 1;\n"
        "    while (tick < 200) {\n        w = at(x, tick, 0);\n"
        "        sum += p->weight[w > 0 ? 1 : 2] * exp(p->volatility * w + p->rate * time(x, tick));\n"
        "        tick += w > 0.3 ? 20 : 60;\n    }\n"
        "    out[0] = p->spot * sqrt(sum * sum + p->intensity) + p->weight[0] * p->weight[3];\n}\n";
    static const char *const poisson =
        PARAMS "typedef struct { real price; int jumps; } state;\n"
               "void start(state *s, const params *p) { s->price = p->spot; s->jumps = 0; }\n"
               "void step(state *s, const params *p, int i, real t, const real x[])\n{\n"
               "    real u = 1 - normal_cdf(x[0]), term = 0.7, below = 0.7;\n    int n = 0;\n"
               "    while (u > below && n < p->terms * 5) {\n        n++;\n        term = term * 0.35 / n;\n"
               "        below += term;\n        s->price *= exp(p->volatility * p->intensity);\n    }\n"
               "    s->price *= 1 + p->rate * (1 + n * p->weight[1]);\n    s->jumps += n;\n}\n"
               "void finish(const state *s, const params *p, real out[])\n{\n"
               "    out[0] = fmax(s->price - p->spot * p->weight[0] * 3, 0) + s->jumps * p->weight[2] * "
               "p->weight[3];\n}\n";
    bailey_derivative g[DERIVATIVES];
    const bailey_gradient_params all = {0};
    const bailey_simulation_params motion = {
        .path = {.times = dates + 3, .steps = 1, .precision = BAILEY_PRECISION_F64},
        .motion_depth = 8,
        .payoff = {.code = moving}};
    bailey_simulation *s = made_on(context, &motion, given);
    derive(s, &all, g);
    near_bumps(s, g, DERIVATIVES, 1e-8);
    bailey_simulation_destroy(s);
    s = make(poisson, 4);
    derive(s, &all, g);
    assert_true(fabs(g[INTENSITY].estimate.mean) > 0.1 && g[SPOT].forward);
    near_bumps(s, g, DERIVATIVES, 1e-8);
    bailey_simulation_destroy(s);
}

/* Jumps behind such loops have widths; in them, and where the length of the loop jumps, they are rejected. */
TEST(jumps, ON_CPU)
{
    if (!simulates()) skip();
    static const char *const digital = WHOLE("    out[0] = last > 100 ? d : 0;\n"),
                             *const barrier = PARAMS
                             "typedef struct { real price; int hit; } state;\n"
                             "void start(state *s, const params *p) { s->price = p->spot; s->hit = 0; }\n"
                             "void step(state *s, const params *p, int i, real t, const real x[])\n{\n"
                             "    real w = 0;\n    for (int k = 0; k < p->terms; k++) w += x[0] / p->terms;\n"
                             "    s->price = p->spot * exp((p->rate - p->volatility * p->volatility / 2) * t "
                             "+ p->volatility * w);\n"
                             "    if (s->price < 90) s->hit = 1;\n}\n"
                             "void finish(const state *s, const params *p, real out[])\n"
                             "{ out[0] = s->hit ? 0 : exp(-p->rate) * fmax(s->price - 100, 0); }\n";
    static const struct {
        uint32_t steps;
        double delta, by_jumps;
    } known[] = {{4, 0.018762017, 0.018762017}, {12, 0.742774, 0.1983}};
    double times[12];
    const bailey_simulation_run_params run = {.source = {.seed = 5}, .paths = 1 << 17};
    static const char *const spot[] = {"spot"};
    const bailey_gradient_params question = {.names = spot, .count = 1};
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < known[k].steps; i++) times[i] = (i + 1.0) / known[k].steps;
        const bailey_simulation_params params = {
            .path = {.times = times, .steps = known[k].steps, .precision = BAILEY_PRECISION_F64},
            .payoff = {.code = k ? barrier : digital}};
        bailey_simulation *s = made_on(context, &params, given);
        bailey_derivative g;
        if (bailey_simulation_gradient(s, &run, &question, NULL, &g) != BAILEY_OK)
            fail_msg("%s", bailey_error_message());
        if (!(fabs(g.estimate.mean - known[k].delta) < ERRORS * g.estimate.standard_error) ||
            !(fabs(g.by_jumps.mean - known[k].by_jumps) < ERRORS * g.by_jumps.standard_error + 1e-4) ||
            !g.forward)
            fail_msg("%g +- %g, %g by jumps", g.estimate.mean, g.estimate.standard_error, g.by_jumps.mean);
        bailey_simulation_destroy(s);
    }
}

static void rejected_at(const char *code, const bailey_gradient_params *question, const char *where,
                        const char *why)
{
    const bailey_simulation_run_params run = {.paths = 100};
    bailey_derivative g[2 * DERIVATIVES + 4];
    bailey_simulation *s = make(code, 4);
    failed_with(code, bailey_simulation_gradient(s, &run, question, NULL, g), BAILEY_ERROR_UNSUPPORTED, where,
                why);
    bailey_simulation_destroy(s);
}

TEST(rejected, ON_CPU)
{
    if (!simulates()) skip();
    static const char *const spot[] = {"spot"};
    const bailey_gradient_params all = {0}, covariance = {.covariance = 1}, time = {.time = 1},
                                 second = {.directions = spot, .direction_count = 1};
    rejected_at(WHOLE("    real z = last;\n    while (z > 1)\n        z /= 2;\n    out[0] = z;\n"), &all,
                "payoff.c:11:", "jumps at this comparison");
    rejected_at(WHOLE("    real sum = 0;\n    for (int k = 0; k < p->terms; k++)\n        sum += last > 90 + "
                      "k ? 1 : 0;\n"
                      "    out[0] = sum;\n"),
                &all, "payoff.c:12:", "jumps at this comparison");
    rejected_at(WHOLE("    const real one = last > 100 ? 1 : 0;\n    out[0] = exp(one);\n"), &all,
                "payoff.c:10:", "not affine");
    rejected_at(
        WHOLE("    real sum = 0;\n    for (int k = 0; k < p->terms; k++)\n        sum += floor(last);\n"
              "    out[0] = sum;\n"),
        &all, "payoff.c:12:", "floor and ceil");
    rejected_at(WHOLE("    int sum = 0;\n    for (int k = 0; k < p->terms; k++)\n        sum += (int)last;\n"
                      "    out[0] = sum;\n"),
                &all, "payoff.c:12:", "to an integer");
    rejected_at(WHOLE("    out[0] = last;\n"), &covariance, "whole", "covariance");
    rejected_at(WHOLE("    out[0] = last;\n"), &time, "whole", "time");
    rejected_at(WHOLE("    out[0] = last;\n"), &second, "whole", "no second derivatives");
    rejected_at(of_data, &second, "no second derivatives", "loops");
}

/* Whatever else is asked for, and as a simulation, whose estimates are read. */
TEST(alone, ON_CPU)
{
    if (!simulates()) skip();
    static const char *const rate[] = {"rate"};
    const bailey_gradient_params all = {.covariance = 1}, one = {.names = rate, .count = 1};
    const bailey_simulation_run_params run = {.source = {.seed = 5}, .paths = PATHS};
    bailey_simulation *s = make_on(context, of_data, 4, BAILEY_PRECISION_F32), *derivatives;
    bailey_derivative g[DERIVATIVES + 1], own, read = {0};
    bailey_estimate estimates[3];
    derive(s, &all, g);
    derive(s, &one, &own);
    assert_memory_equal(&g[RATE].estimate, &own.estimate, sizeof own.estimate);
    OK(bailey_simulation_gradient_create(s, &one, &derivatives));
    OK(bailey_simulation_run(derivatives, &run, estimates));
    OK(bailey_simulation_gradient_read(s, &one, estimates, &read));
    assert_true(read.forward == 1 && read.estimate.mean == own.estimate.mean);
    bailey_simulation_destroy(derivatives);
    bailey_simulation_destroy(s);
}

TEST(devices_agree_in_forward_mode, ON_OPENCL | ON_CUDA | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    bailey_context *other;
    OK(bailey_context_create("cpu", NULL, &other));
    const bailey_gradient_params all = {.covariance = 1, .time = 1};
    bailey_derivative g[2][DERIVATIVES + 2];
    for (int side = 0; side < 2; side++) {
        bailey_simulation *s = make_on(side ? other : context, of_data, 4, BAILEY_PRECISION_F32);
        derive(s, &all, g[side]);
        bailey_simulation_destroy(s);
    }
    for (int k = 0; k < DERIVATIVES + 2; k++)
        assert_memory_equal(&g[0][k].estimate, &g[1][k].estimate, sizeof g[0][k].estimate);
    bailey_context_destroy(other);
}
