/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Second derivatives: against differences of first ones on the same paths where nothing jumps, against closed
 * forms where a payoff has a kink or a jump, and with themselves.
 */

#include "gradients.h"

#define MOST 128

static const double rho[4] = {1, 0.4, 0.4, 1};

static const bailey_derivative *find(const bailey_derivative *g, uint64_t count, const char *by,
                                     uint32_t by_first, const char *name, uint32_t first)
{
    for (uint64_t k = 0; k < count; k++)
        if (g[k].by && strcmp(g[k].by, by) == 0 && g[k].by_first == by_first &&
            strcmp(g[k].name, name) == 0 && g[k].first == first && g[k].second == 0)
            return &g[k];
    fail_msg("no derivative by %s and %s", by, name);
    return NULL;
}

static void near_value(const bailey_derivative *d, double wanted, double bias)
{
    const double off = fabs(d->estimate.mean - wanted);
    if (getenv("BAILEY_TEST_VERBOSE"))
        print_message("# %s, %s: %.6g +- %.2g, %.6g\n", d->by, d->name, d->estimate.mean,
                      d->estimate.standard_error, wanted);
    if (!(off < ERRORS * d->estimate.standard_error + bias))
        fail_msg("%s, %s: %g +- %g, not %g", d->by, d->name, d->estimate.mean, d->estimate.standard_error,
                 wanted);
}

/* All rules, branches that meet, an index that is known as it runs, flags that turn nothing, and a root of
 * what may be 0 where it is not taken. */
static const char smooth[] =
    "typedef struct { real spot[2], strike, rate, volatility[2], curve[3]; } params;\n"
    "typedef struct { real sum, level[2], time; int first; } state;\n"
    "void start(state *s, const params *p)\n"
    "{ s->sum = 0; s->time = 0; s->first = 1; for (int d = 0; d < 2; d++) s->level[d] = log(p->spot[d]); }\n"
    "void step(state *s, const params *p, int i, real t, const real x[])\n"
    "{\n"
    "    const real dt = t - s->time;\n"
    "    for (int d = 0; d < 2; d++) {\n"
    "        const real v = p->volatility[d] * (1 + 0.1 * p->curve[i % 3]);\n"
    "        s->level[d] = s->level[d] + fma(p->rate - v * v / 2, dt, v * x[d] / 4);\n"
    "        s->sum += exp(s->level[d]) / 16;\n"
    "    }\n"
    "    if (s->first) s->sum = s->sum * p->curve[0]; else s->sum = s->sum + p->curve[1] * p->curve[1];\n"
    "    s->first = 0;\n"
    "    s->time = t;\n"
    "}\n"
    "void finish(const state *s, const params *p, real out[2])\n"
    "{\n"
    "    const real m = (s->sum - p->strike) / 10;\n"
    "    const real root = m > 0 ? 2 * m + m * m : 2 * m + m * m;\n"
    "    out[0] = exp(-p->rate * s->time) * (normal_cdf(m) * 10 + sqrt(1 + root * root)\n"
    "             + pow(s->sum, 1 + p->rate) + log(s->sum / p->strike) + fabs(3 + m * m)\n"
    "             + fmax(s->sum, -5) * fmin(p->curve[2], 1000) + (s->sum > -1 ? sqrt(s->sum + 2) : sqrt(-1 - "
    "s->sum) + 1));\n"
    "    out[1] = s->sum * s->sum / p->strike;\n"
    "}\n";
static const double smooth_values[9] = {100, 90, 40, 0.03, 0.2, 0.3, 1.1, 0.7, 0.4};
enum { SMOOTH = 9 };

/* Rows of all second derivatives, those by covariance and time too, are slopes of the first ones. */
static void compare_smooth(const bailey_simulation_run_params *run, const double *weights)
{
    static const char *const directions[] = {"spot", "rate", "volatility[1]", "curve[1]"};
    static const uint32_t moved[] = {0, 1, 3, 5, 7};
    const bailey_simulation_params params = {
        .path = {.times = dates, .steps = 8, .dims = 2, .covariance = rho, .precision = BAILEY_PRECISION_F64},
        .payoff = {.code = smooth}};
    const bailey_gradient_params first = {.covariance = 1, .time = 1, .weights = weights, .width = 1},
                                 both = {.covariance = 1,
                                         .time = 1,
                                         .weights = weights,
                                         .width = 1,
                                         .directions = directions,
                                         .direction_count = 4};
    double numbers[SMOOTH];
    memcpy(numbers, smooth_values, sizeof numbers);
    bailey_simulation *s = made_on(context, &params, numbers);
    const uint64_t each = bailey_simulation_gradient_count(s, &first),
                   count = bailey_simulation_gradient_count(s, &both);
    bailey_derivative g[MOST], own[MOST], side[2][MOST];
    bailey_estimate price[2], again[2];
    assert_int_equal(each, SMOOTH + 3 + 1);
    assert_int_equal(count, 6 * each);
    OK(bailey_simulation_gradient(s, run, &first, price, own));
    OK(bailey_simulation_gradient(s, run, &both, again, g));
    for (uint64_t k = 0; k < each; k++)
        assert_memory_equal(&g[k].estimate, &own[k].estimate, sizeof(bailey_estimate));
    assert_memory_equal(price, again, sizeof price);
    bailey_simulation_destroy(s);
    for (int k = 0; k < 5; k++) {
        const double h = 1e-5 * smooth_values[moved[k]];
        for (int up = 0; up < 2; up++) {
            numbers[moved[k]] = smooth_values[moved[k]] + (up ? h : -h);
            s = made_on(context, &params, numbers);
            OK(bailey_simulation_gradient(s, run, &first, NULL, side[up]));
            bailey_simulation_destroy(s);
        }
        numbers[moved[k]] = smooth_values[moved[k]];
        for (uint64_t i = 0; i < each; i++) {
            const bailey_derivative *d = &g[(1 + (uint64_t)k) * each + i];
            const double slope = (side[1][i].estimate.mean - side[0][i].estimate.mean) / (2 * h);
            if (!(fabs(d->estimate.mean - slope) < 1e-5 * (1 + fabs(slope))))
                fail_msg("%s[%u], %s[%u]: %.9g, not %.9g", d->by, d->by_first, d->name, d->first,
                         d->estimate.mean, slope);
        }
    }
}

TEST(slopes, ON_CPU | LONG)
{
    if (!simulates()) skip();
    const double weights[2] = {1.5, -0.25};
    const bailey_simulation_run_params plain = {.source = {.seed = 3}, .paths = 300},
                                       other = {.source = {.seed = 3},
                                                .first_path = 5,
                                                .paths = 150,
                                                .replicates = 2,
                                                .antithetic = 1};
    compare_smooth(&plain, NULL);
    compare_smooth(&other, weights);
}

/* A call: gamma, vanna and volga of Black and Scholes. Its kink is a jump of the first derivative. */
TEST(call, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    static const char *const directions[] = {"spot", "volatility"};
    const double S = 100, K = 105, r = 0.03, q = 0.01, v = 0.2, numbers[] = {S, v, r, q, K, 1, 0};
    const double d1 = (log(S / K) + r - q + v * v / 2) / v, d2 = d1 - v, n = exp(-q) * density(d1);
    const bailey_simulation_params params = {
        .path = {.times = dates + 3, .steps = 1, .precision = BAILEY_PRECISION_F64},
        .payoff = {.name = "european"}};
    bailey_simulation *s = made_on(context, &params, numbers);
    const bailey_simulation_run_params run = {.source = {.seed = 1}, .paths = 1 << 18};
    const double zero = 0;
    const bailey_gradient_params plain = {.directions = directions,
                                          .direction_count = 2,
                                          .widths = &zero,
                                          .width_count = 1},
                                 wide = {.directions = directions, .direction_count = 2, .width = 0.5};
    bailey_derivative g[MOST];
    const uint64_t count = bailey_simulation_gradient_count(s, &wide);
    assert_int_equal(count, 18);
    failed_with("a kink", bailey_simulation_gradient(s, &run, &plain, NULL, g), BAILEY_ERROR_UNSUPPORTED,
                "european:", "set a width");
    OK(bailey_simulation_gradient(s, &run, &wide, NULL, g));
    near_value(find(g, count, "spot", 0, "spot", 0), n / (S * v), 0);
    near_value(find(g, count, "spot", 0, "strike", 0), -n / (K * v), 0);
    near_value(find(g, count, "spot", 0, "volatility", 0), -n * d2 / v, 0);
    near_value(find(g, count, "volatility", 0, "spot", 0), -n * d2 / v, 0);
    near_value(find(g, count, "volatility", 0, "volatility", 0), S * n * d1 * d2 / v, 0);
    near_value(find(g, count, "volatility", 0, "rate", 0), -S * n * d1 / v, 0);
    bailey_simulation_destroy(s);
}

/* A call on a geometric mean: the gamma matrix of three spots. */
TEST(gamma_matrix, ON_CPU | LONG)
{
    if (!simulates()) skip();
    static const char *const code =
        "typedef struct { real spot[3], strike, volatility; } params;\n"
        "typedef struct { real log_price; } state;\n"
        "void start(state *s, const params *p) { s->log_price = 0; }\n"
        "void step(state *s, const params *p, int i, real t, const real x[])\n"
        "{ for (int d = 0; d < 3; d++) s->log_price += log(p->spot[d]) / 3\n"
        "    + (p->volatility * x[d] - p->volatility * p->volatility / 2 * t) / 3; }\n"
        "void finish(const state *s, const params *p, real out[1])\n"
        "{ out[0] = fmax(exp(s->log_price) - p->strike, 0); }\n";
    static const char *const spot[] = {"spot"};
    const double numbers[] = {100, 110, 90, 98, 0.3}, v = 0.3 / sqrt(3.0), K = 98;
    const double forward = pow(100. * 110 * 90, 1 / 3.) * exp(-0.3 * 0.3 / 2 + v * v / 2);
    const double d1 = (log(forward / K) + v * v / 2) / v, gamma = density(d1) / (forward * v),
                 delta = cdf(d1);
    const bailey_simulation_params params = {
        .path = {.times = dates + 3, .steps = 1, .dims = 3, .precision = BAILEY_PRECISION_F64},
        .payoff = {.code = code}};
    bailey_simulation *s = made_on(context, &params, numbers);
    const bailey_simulation_run_params run = {.source = {.seed = 2}, .paths = 1 << 18};
    const bailey_gradient_params wide = {
        .names = spot, .count = 1, .directions = spot, .direction_count = 1, .width = 0.5};
    bailey_derivative g[12];
    assert_int_equal(bailey_simulation_gradient_count(s, &wide), 12);
    OK(bailey_simulation_gradient(s, &run, &wide, NULL, g));
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t j = 0; j < 3; j++) {
            const double share = forward / (9 * numbers[i] * numbers[j]);
            const double wanted = gamma * forward * share + delta * share -
                                  (i == j ? delta * forward / (3 * numbers[i] * numbers[i]) : 0);
            near_value(find(g, 12, "spot", i, "spot", j), wanted, 0);
            const bailey_derivative *mirrored = find(g, 12, "spot", j, "spot", i);
            assert_true(fabs(g[3 + 3 * i + j].estimate.mean - mirrored->estimate.mean) <
                        1e-12 * fabs(mirrored->estimate.mean));
        }
    bailey_simulation_destroy(s);
}

/* A digital: its first derivative has a density of the width, whose slope is its second one. */
TEST(digital, ON_CPU | LONG)
{
    if (!simulates()) skip();
    static const char *const code =
        "typedef struct { real spot, strike, volatility; } params;\n"
        "typedef struct { real price; int above; } state;\n"
        "void start(state *s, const params *p) { s->price = p->spot; s->above = 0; }\n"
        "void step(state *s, const params *p, int i, real t, const real x[])\n"
        "{ s->price = p->spot * exp(p->volatility * x[0] - p->volatility * p->volatility / 2 * t);\n"
        "  if (s->price > p->strike) s->above = 1; }\n"
        "void finish(const state *s, const params *p, real out[1]) { out[0] = s->above; }\n";
    static const char *const spot[] = {"spot"};
    const double S = 100, K = 97, v = 0.2, numbers[] = {S, K, v}, d2 = log(S / K) / v - v / 2;
    const bailey_simulation_params params = {
        .path = {.times = dates + 3, .steps = 1, .precision = BAILEY_PRECISION_F64},
        .payoff = {.code = code}};
    const bailey_simulation_run_params run = {.source = {.seed = 7}, .paths = 1 << 18};
    const bailey_gradient_params wide = {.directions = spot, .direction_count = 1, .width = 4};
    bailey_simulation *s = made_on(context, &params, numbers);
    bailey_derivative g[6], side[2][6];
    OK(bailey_simulation_gradient(s, &run, &wide, NULL, g));
    const double wanted = -density(d2) * (d2 + v) / (S * S * v * v);
    near_value(find(g, 6, "spot", 0, "spot", 0), wanted, 0.02 * fabs(wanted));
    bailey_simulation_destroy(s);
    for (int up = 0; up < 2; up++) {
        const double moved[] = {up ? S + 1e-6 : S - 1e-6, K, v};
        s = made_on(context, &params, moved);
        OK(bailey_simulation_gradient(s, &run, &wide, NULL, side[up]));
        bailey_simulation_destroy(s);
    }
    for (int k = 0; k < 3; k++) {
        const double slope = (side[1][k].estimate.mean - side[0][k].estimate.mean) / 2e-6;
        if (!(fabs(g[3 + k].estimate.mean - slope) < 1e-3 * fabs(slope)))
            fail_msg("%s: %.9g, not %.9g", g[k].name, g[3 + k].estimate.mean, slope);
    }
}

/* The price of a call without interest, by Black and Scholes. */
static double call_of(double S, double K, double v, double t)
{
    const double d1 = (log(S / K) + v * v / 2 * t) / (v * sqrt(t));
    return S * cdf(d1) - K * cdf(d1 - v * sqrt(t));
}

/* The call that dies above B at times 0.5 or 1, by Simpson's rule over the price at the first of them. */
static double barrier_value(double S, double K, double B, double v)
{
    enum { PANELS = 4000 };
    const double t = 0.5, low = -8, high = (log(B / S) + v * v / 2 * t) / (v * sqrt(t)),
                 h = (high - low) / PANELS;
    double sum = 0;
    for (int k = 0; k <= PANELS; k++) {
        const double z = low + k * h, at = S * exp(v * sqrt(t) * z - v * v / 2 * t);
        const double d2 = (log(at / B) - v * v / 2 * t) / (v * sqrt(t));
        const double value = call_of(at, K, v, t) - call_of(at, B, v, t) - (B - K) * cdf(d2);
        sum += density(z) * value * (k == 0 || k == PANELS ? 1 : k % 2 ? 4 : 2);
    }
    return sum * h / 3;
}

/* Jumps and a kink together, with a flag in the state: against differences of the quadrature. The width makes
 * a bias of its square, here less than 3 % of the value. */
TEST(barrier, ON_CPU | LONG)
{
    if (!simulates()) skip();
    static const char *const code =
        "typedef struct { real spot, strike, barrier, volatility; } params;\n"
        "typedef struct { real price; int alive; } state;\n"
        "void start(state *s, const params *p) { s->price = 0; s->alive = 1; }\n"
        "void step(state *s, const params *p, int i, real t, const real x[])\n"
        "{ s->price = p->spot * exp(p->volatility * x[0] - p->volatility * p->volatility / 2 * t);\n"
        "  if (s->price > p->barrier) s->alive = 0; }\n"
        "void finish(const state *s, const params *p, real out[1])\n"
        "{ if (s->alive) out[0] = fmax(s->price - p->strike, 0); else out[0] = 0; }\n";
    static const char *const spot[] = {"spot"};
    static const double halves[] = {0.5, 1};
    const double S = 100, K = 95, B = 130, v = 0.25, numbers[] = {S, K, B, v}, h = 0.05, e = 1e-3;
    const bailey_simulation_params params = {
        .path = {.times = halves, .steps = 2, .precision = BAILEY_PRECISION_F64}, .payoff = {.code = code}};
    const bailey_simulation_run_params run = {.source = {.seed = 12}, .paths = 1 << 20, .antithetic = 1};
    const bailey_gradient_params wide = {.directions = spot, .direction_count = 1, .width = 7};
    bailey_simulation *s = made_on(context, &params, numbers);
    bailey_derivative g[8];
    OK(bailey_simulation_gradient(s, &run, &wide, NULL, g));
    const double gamma =
        (barrier_value(S + h, K, B, v) - 2 * barrier_value(S, K, B, v) + barrier_value(S - h, K, B, v)) /
        (h * h);
    const double vanna = (barrier_value(S + h, K, B, v + e) - barrier_value(S - h, K, B, v + e) -
                          barrier_value(S + h, K, B, v - e) + barrier_value(S - h, K, B, v - e)) /
                         (4 * h * e);
    near_value(find(g, 8, "spot", 0, "spot", 0), gamma, 0.03 * fabs(gamma));
    near_value(find(g, 8, "spot", 0, "volatility", 0), vanna, 0.03 * fabs(vanna));
    assert_true(find(g, 8, "spot", 0, "spot", 0)->estimate.standard_error < 0.1 * fabs(gamma));
    bailey_simulation_destroy(s);
}

/* As a simulation of one direction, and on another device. */
TEST(devices_agree, ON_OPENCL | ON_CUDA | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    static const char *const direction[] = {"variance"};
    const double values[] = {100, 0.04, 1.5, 0.04, 0.3, -0.7, 0.03, 0.01, 95, 1, 0};
    const bailey_simulation_run_params run = {.source = {.seed = 3}, .paths = 3000, .antithetic = 1};
    const bailey_gradient_params wide = {
        .covariance = 1, .width = 0.5, .directions = direction, .direction_count = 1};
    bailey_context *cpu;
    OK(bailey_context_create("cpu", NULL, &cpu));
    for (int f64 = 0; f64 < (only_drawn() || few_programs() ? 1 : 2); f64++) {
        const bailey_simulation_params params = {
            .path = {.times = dates,
                     .steps = 8,
                     .precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32},
            .payoff = {.name = "heston-euler"}};
        bailey_simulation *here = made_on(context, &params, values), *there = made_on(cpu, &params, values),
                          *one;
        bailey_derivative g[MOST], own[MOST];
        bailey_estimate all[MOST];
        const uint64_t count = bailey_simulation_gradient_count(here, &wide), each = count / 2;
        OK(bailey_simulation_gradient(here, &run, &wide, NULL, g));
        OK(bailey_simulation_gradient(there, &run, &wide, NULL, own));
        for (uint64_t k = 0; k < count; k++)
            assert_memory_equal(&g[k].estimate, &own[k].estimate, sizeof(bailey_estimate));
        OK(bailey_simulation_gradient_create(there, &wide, &one));
        assert_int_equal(bailey_simulation_outputs(one), 2 + each);
        OK(bailey_simulation_run(one, &run, all));
        OK(bailey_simulation_gradient_read(there, &wide, all, own));
        for (uint64_t k = 0; k < each; k++)
            assert_memory_equal(&g[each + k].estimate, &own[k].estimate, sizeof(bailey_estimate));
        bailey_simulation_destroy(one);
        bailey_simulation_destroy(here);
        bailey_simulation_destroy(there);
    }
    bailey_context_destroy(cpu);
}
