/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Gradients of prices: against closed forms, against differences on the same paths, and with themselves where
 * nothing else may matter.
 */
#include <base/alloc.h>

#include <host/derive/derivative.h>
#include <host/simulate/simulation_internal.h>

#include "gradients.h"

#define MOST 128

static const bailey_derivative *find(const bailey_derivative *gradient, uint64_t count, const char *name,
                                     uint32_t first, uint32_t second)
{
    for (uint64_t k = 0; k < count; k++)
        if (strcmp(gradient[k].name, name) == 0 && gradient[k].first == first && gradient[k].second == second)
            return &gradient[k];
    fail_msg("no derivative by %s", name);
    return NULL;
}

static void near_value(const bailey_derivative *d, double wanted)
{
    const double errors = (d->estimate.mean - wanted) / d->estimate.standard_error;
    if (getenv("BAILEY_TEST_VERBOSE"))
        print_message("# %s %u: %.6g +- %.2g, %.6g\n", d->name, d->first, d->estimate.mean,
                      d->estimate.standard_error, wanted);
    if (!(fabs(errors) < ERRORS))
        fail_msg("%s: %g, %g errors from %g", d->name, d->estimate.mean, errors, wanted);
}

/* A European call: Black and Scholes 1973. */
TEST(closed_form, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    const double S = 100, K = 105, r = 0.03, q = 0.01, v = 0.2, t = 1;
    const double values[] = {S, v, r, q, K, 1, 0}, root = v * sqrt(t);
    const double d1 = (log(S / K) + (r - q + v * v / 2) * t) / root, d2 = d1 - root;
    for (int f64 = 0; f64 < 2; f64++) {
        const bailey_simulation_params params = {
            .path = {.times = dates + 3,
                     .steps = 1,
                     .precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32},
            .payoff = {.name = "european"}};
        bailey_simulation *s = made_on(context, &params, values);
        const bailey_simulation_run_params run = {.source = {.seed = 1}, .paths = 1 << 16};
        const bailey_gradient_params all = {0};
        bailey_derivative g[MOST];
        bailey_estimate price, own;
        const uint64_t count = bailey_simulation_gradient_count(s, &all);
        assert_int_equal(count, 6); /* with payment_lag; sign is a choice */
        OK(bailey_simulation_run(s, &run, &own));
        OK(bailey_simulation_gradient(s, &run, &all, &price, g));
        assert_true(price.mean == own.mean && price.standard_error == own.standard_error);
        near_value(find(g, count, "spot", 0, 0), exp(-q * t) * cdf(d1));
        near_value(find(g, count, "strike", 0, 0), -exp(-r * t) * cdf(d2));
        near_value(find(g, count, "volatility", 0, 0), S * exp(-q * t) * density(d1) * sqrt(t));
        near_value(find(g, count, "rate", 0, 0), K * t * exp(-r * t) * cdf(d2));
        near_value(find(g, count, "dividend", 0, 0), -S * t * exp(-q * t) * cdf(d1));
        const char *const choice = "sign";
        const bailey_gradient_params wrong = {.names = &choice, .count = 1};
        assert_int_equal(bailey_simulation_gradient_count(s, &wrong), 0);
        assert_int_equal(bailey_simulation_gradient(s, &run, &wrong, &price, g), BAILEY_ERROR_INVALID);
        assert_non_null(strstr(bailey_error_message(), "sign is a choice"));
        bailey_simulation_destroy(s);
    }
}

/* A digital, by a width: Hull. The bias is below 1 % of the value. */
TEST(digital, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    static const char *const code =
        "typedef struct { real spot, strike, rate, volatility; } params;\n"
        "typedef struct { real price; } state;\n"
        "void start(state *s, const params *p) { s->price = p->spot; }\n"
        "void step(state *s, const params *p, int i, real t, const real x[])\n"
        "{ s->price = p->spot * exp((p->rate - p->volatility * p->volatility / 2) * t + "
        "p->volatility * x[0]); }\n"
        "void finish(const state *s, const params *p, real out[])\n"
        "{\n    out[0] = exp(-p->rate) * (s->price > p->strike);\n}\n";
    const double values[] = {100, 100, 0.05, 0.2}, d2 = 0.15, wanted = exp(-0.05) * density(d2) / 20;
    const bailey_simulation_params params = {.path = {.times = dates + 3, .steps = 1},
                                             .payoff = {.code = code}};
    const bailey_simulation_run_params run = {.source = {.seed = 1}, .paths = 1 << 18};
    const double none = 0;
    const bailey_gradient_params plain = {.widths = &none, .width_count = 1}, wide = {.width = 4};
    bailey_simulation *s = made_on(context, &params, values);
    bailey_derivative g[MOST];
    bailey_estimate price;
    failed_with("a digital", bailey_simulation_gradient(s, &run, &plain, &price, g), BAILEY_ERROR_UNSUPPORTED,
                "payoff.c:8:40", "the payoff jumps");
    OK(bailey_simulation_gradient(s, &run, &wide, &price, g));
    const bailey_derivative *delta = find(g, 4, "spot", 0, 0);
    assert_true(fabs(delta->estimate.mean - wanted) <
                ERRORS * delta->estimate.standard_error + 0.01 * wanted);
    bailey_simulation_destroy(s);
}

/* Likelihood ratios: the payoff times the derivatives of the logarithm of its path's density, and so without
 * any derivative of the payoff. A call, and a digital that knocks out above 125 on any of four dates. The
 * ratios are those of the other run. */
TEST(likelihood_ratios, ON_CPU)
{
    if (!simulates()) skip();
    static const char code[] =
        "typedef struct { real spot, volatility, rate; } params;\n"
        "typedef struct { real price, x, t, first, vega; int hit; } state;\n"
        "void start(state *s, const params *p)\n{\n    s->price = 0;\n    s->x = 0;\n    s->t = 0;\n"
        "    s->first = 0;\n    s->vega = 0;\n    s->hit = 0;\n}\n"
        "void step(state *s, const params *p, int i, real t, const real x[])\n{\n"
        "    const real v = p->volatility, dx = x[0] - s->x, dt = t - s->t;\n"
        "    s->price = p->spot * exp((p->rate - v * v / 2) * t + v * x[0]);\n"
        "    if (s->price > 125) s->hit = 1;\n"
        "    if (i == 0) s->first = dx / (p->spot * v * dt);\n"
        "    s->vega += (dx * dx / dt - 1) / v - dx;\n    s->x = x[0];\n    s->t = t;\n}\n"
        "void finish(const state *s, const params *p, real out[8])\n{\n"
        "    const real d = exp(-p->rate * s->t), rho = s->x / p->volatility - s->t;\n"
        "    out[0] = d * fmax(s->price - 100, 0);\n"
        "    out[4] = s->hit ? 0 : d * (s->price > 100);\n"
        "    for (int k = 0; k < 8; k += 4) {\n        out[k + 1] = out[k] * s->first;\n"
        "        out[k + 2] = out[k] * s->vega;\n        out[k + 3] = out[k] * rho;\n    }\n}\n";
    const double values[] = {100, 0.2, 0.05}, d1 = 0.35, d2 = 0.15;
    const double call[] = {cdf(d1), 100 * density(d1), 100 * exp(-0.05) * cdf(d2)};
    const bailey_simulation_params params = {
        .path = {.times = dates, .steps = 4, .precision = BAILEY_PRECISION_F64}, .payoff = {.code = code}};
    bailey_simulation *s = made_on(context, &params, values);
    bailey_derivative g[2][3];
    bailey_estimate ratios[2][8];
    for (uint32_t k = 0; k < 2; k++) {
        const bailey_simulation_run_params run = {.source = {.seed = 11 + k}, .paths = 1 << 18};
        const bailey_gradient_params of = {.output = 4 * k};
        OK(bailey_simulation_gradient(s, &run, &of, ratios[k], g[k]));
    }
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 0; i < 3; i++) {
            const bailey_estimate *own = &g[k][i].estimate, *ratio = &ratios[1 - k][4 * k + 1 + i];
            const double error = hypot(own->standard_error, ratio->standard_error);
            if (!k) near_value(&g[k][i], call[i]);
            if (getenv("BAILEY_TEST_VERBOSE"))
                print_message("# %s %.6g +- %.2g, ratio %.6g +- %.2g\n", g[k][i].name, own->mean,
                              own->standard_error, ratio->mean, ratio->standard_error);
            if (!(fabs(own->mean - ratio->mean) < ERRORS * error))
                fail_msg("%s: %g, and %g by likelihood ratios", g[k][i].name, own->mean, ratio->mean);
            assert_true(error < 0.1 * fabs(ratio->mean));
        }
    bailey_simulation_destroy(s);
}

/* A basket, whose covariance is moved by scenarios: the same paths, so that only kinks make a difference. */
static void compare_covariance(bailey_construction construction, const double *start)
{
    const double values[] = {100, 90, 0.2, 0.3, 0.01, 0.02, 0.5, 0.5, 0.03, 95, 0, 0, 1};
    const double own[] = {1, 0.4, 0.4, 1.5}, h = 1e-6;
    const bailey_simulation_params params = {.path = {.times = dates,
                                                      .steps = 8,
                                                      .dims = 2,
                                                      .covariance = own,
                                                      .start = start,
                                                      .construction = construction,
                                                      .precision = BAILEY_PRECISION_F64},
                                             .payoff = {.name = "asian"}};
    bailey_simulation *s = made_on(context, &params, values);
    double moved[6][4], weights[3 * 12] = {0};
    for (int k = 0; k < 6; k++) {
        const int entry = k / 2;
        memcpy(moved[k], own, sizeof own);
        const double by = k % 2 ? h : -h;
        if (entry == 0) moved[k][0] += by;
        if (entry == 1) moved[k][1] = moved[k][2] += by;
        if (entry == 2) moved[k][3] += by;
        weights[entry * 12 + 2 * k] = (k % 2 ? 1 : -1) / (2 * h);
    }
    bailey_simulation_run_params run = {.source = {.seed = 5}, .paths = 20000};
    const bailey_gradient_params all = {.covariance = 1};
    bailey_derivative g[MOST];
    bailey_estimate price[2], differences[3];
    const uint64_t count = bailey_simulation_gradient_count(s, &all);
    assert_int_equal(count, 11 + 3);
    OK(bailey_simulation_gradient(s, &run, &all, price, g));
    run.scenarios = (bailey_scenarios){.count = 6, .covariance = moved[0], .rows = 3, .weights = weights};
    OK(bailey_simulation_run(s, &run, differences));
    static const uint32_t pairs[3][2] = {{0, 0}, {1, 0}, {1, 1}};
    for (int k = 0; k < 3; k++) {
        const double mean = find(g, count, "covariance", pairs[k][0], pairs[k][1])->estimate.mean;
        if (!(fabs(mean - differences[k].mean) < 1e-4 * (1 + fabs(mean))))
            fail_msg("%d: %.9g, not %.9g", k, mean, differences[k].mean);
    }
    bailey_simulation_destroy(s);
}

TEST(covariance, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    static const double start[] = {0.25, -0.5};
    if (!simulates() || only_drawn()) skip();
    compare_covariance(BAILEY_CONSTRUCTION_WALK, NULL);
    compare_covariance(BAILEY_CONSTRUCTION_BRIDGE, start);
    compare_covariance(BAILEY_CONSTRUCTION_PCA, NULL);
}

/* The same bits whatever the memory, with one level of states to four, and as many as the steps need at
 * least. */
TEST(memory, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    const int all_levels = !few_programs();
    enum { STEPS = 130 };
    const double values[] = {100, 0.04, 1.5, 0.04, 0.3, -0.7, 0.03, 0.01, 95, 1, 0};
    double times[STEPS];
    for (int k = 0; k < STEPS; k++) times[k] = (k + 1) / 64.0;
    const bailey_simulation_params params = {
        .path = {.times = times, .steps = STEPS},
        .payoff = {.name = "heston-euler"}};
    const bailey_simulation_run_params run = {.source = {.seed = 3}, .first_path = 5, .paths = 301};
    static const char *const levels[] = {"of all steps", "then 12 of these steps", "of every 36 steps",
                                         "of every 64 steps"};
    bailey_simulation *s = made_on(context, &params, values);
    bailey_derivative g[MOST], own[MOST];
    bailey_estimate price[2], again[2];
    const char *code;
    /* The least bytes of one level to four: of what a state takes, 130, 11 + 12, 4 + 6 + 6 and 3 + 4 + 4 + 4.
     */
    static const uint64_t states[] = {130, 23, 16, 15};
    bailey_gradient_params all = {.covariance = 1, .memory = 1};
    const uint64_t count = bailey_simulation_gradient_count(s, &all);
    failed_with("a byte", bailey_simulation_gradient(s, &run, &all, price, g), BAILEY_ERROR_INVALID, "memory",
                "need at least");
    const char *least = strstr(bailey_error_message(), "at least ");
    const uint64_t bytes = strtoull(least + 9, NULL, 10) / 15;
    assert_int_equal(bytes * 15, strtoull(least + 9, NULL, 10));
    for (int k = 0; k < 4; k++) {
        if (!all_levels && (k == 1 || k == 2)) continue;
        all.memory = bytes * states[k];
        OK(bailey_simulation_gradient(s, &run, &all, k ? again : price, k ? own : g));
        OK(bailey_simulation_gradient_code(s, &all, &code));
        /* Elsewhere kept states also follow the segments of the path. */
        if (device.kind == BAILEY_DEVICE_KIND_CPU && !strstr(code, levels[k]))
            fail_msg("%d: %.600s", k, code);
        for (uint64_t e = 0; e < count && k; e++)
            assert_memory_equal(&g[e].estimate, &own[e].estimate, sizeof(bailey_estimate));
    }
    all.memory = bytes * 15 - 1;
    REFUSED(bailey_simulation_gradient(s, &run, &all, price, g), "memory", "need at least");
    all.memory = 0;
    if (all_levels) OK(bailey_simulation_gradient(s, &run, &all, again, own));
    for (uint64_t e = 0; e < count; e++)
        assert_memory_equal(&g[e].estimate, &own[e].estimate, sizeof(bailey_estimate));
    bailey_simulation_destroy(s);
}

/* Alone, and by antithetic paths, replicates and control variates of the same run. */
TEST(alone, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    static const char *const one[] = {"volatility"};
    const double values[] = {100, 0.04, 1.5, 0.04, 0.3, -0.7, 0.03, 0.01, 95, 1, 0};
    const bailey_simulation_params params = {
        .path = {.times = dates, .steps = 8},
        .payoff = {.name = "heston-euler"}};
    const bailey_simulation_run_params run = {
        .source = {.seed = 3}, .first_path = 77, .paths = 3001, .replicates = 3, .antithetic = 1};
    static const char *const sigma[] = {"sigma"};
    const bailey_gradient_params all = {.covariance = 1}, some = {.names = sigma, .count = 1},
                                 none = {.names = one, .count = 1};
    bailey_simulation *s = made_on(context, &params, values);
    bailey_derivative g[MOST], own[MOST];
    bailey_estimate price[2], again[2];
    memset(g, 0x5a, sizeof g);
    REFUSED(bailey_simulation_gradient(s, &run, &none, price, g), "volatility", "is not a parameter");
    OK(bailey_simulation_gradient(s, &run, &all, price, g));
    OK(bailey_simulation_gradient(s, &run, &some, again, own));
    assert_int_equal(bailey_simulation_gradient_count(s, &some), 1);
    const bailey_derivative *with = find(g, 11, "sigma", 0, 0);
    assert_memory_equal(&with->estimate, &own[0].estimate, sizeof(bailey_estimate));
    assert_memory_equal(&price[0], &again[0], sizeof(bailey_estimate));
    bailey_simulation_destroy(s);
}

/* More derivatives than a run has results at once: a basket of 5 by 82 numbers. */
TEST(many, ON_CPU)
{
    if (!simulates()) skip();
    double covariance[36] = {0};
    for (int d = 0; d < 6; d++) covariance[7 * d] = 1;
    char code[4000];
    snprintf(code, sizeof code,
             "typedef struct { real spot[6], volatility[6], curve[60]; } params;\n"
             "typedef struct { real sum, rate; } state;\n"
             "void start(state *s, const params *p) { s->sum = 0; s->rate = 0; }\n"
             "void step(state *s, const params *p, int i, real t, const real x[])\n"
             "{ s->rate += p->curve[i] / 60;\n"
             "for (int d = 0; d < 6; d++) s->sum += p->spot[d] * exp(p->volatility[d] * x[d] + s->rate); }\n"
             "void finish(const state *s, const params *p, real out[]) { out[0] = fmax(s->sum / 360 - 100, "
             "0); }\n");
    double times[60], all_values[72];
    for (int k = 0; k < 60; k++) times[k] = (k + 1) / 60.0;
    for (int k = 0; k < 72; k++) all_values[k] = k < 6 ? 100 : k < 12 ? 0.2 : 0.03;
    const bailey_simulation_params params = {.path = {.times = times,
                                                      .steps = 60,
                                                      .dims = 6,
                                                      .covariance = covariance,
                                                      .precision = BAILEY_PRECISION_F64},
                                             .payoff = {.code = code}};
    bailey_simulation *s = made_on(context, &params, all_values);
    const bailey_simulation_run_params run = {.source = {.seed = 3}, .paths = 5000};
    const bailey_gradient_params all = {.covariance = 1};
    bailey_derivative *g = calloc(200, sizeof *g);
    bailey_estimate price, up[2];
    const uint64_t count = bailey_simulation_gradient_count(s, &all);
    assert_int_equal(count, 72 + 21);
    OK(bailey_simulation_gradient(s, &run, &all, &price, g));
    for (int node = 0; node < 60; node += 17) {
        for (int side = 0; side < 2; side++) {
            all_values[12 + node] = 0.03 + (side ? 1e-4 : -1e-4);
            set_all(s, all_values);
            OK(bailey_simulation_run(s, &run, &up[side]));
        }
        all_values[12 + node] = 0.03;
        const double slope = (up[1].mean - up[0].mean) / 2e-4;
        const double mean = find(g, count, "curve", (uint32_t)node, 0)->estimate.mean;
        if (!(fabs(mean - slope) < 1e-4 * (1 + fabs(mean))))
            fail_msg("%d: %.9g, not %.9g", node, mean, slope);
    }
    free(g);
    bailey_simulation_destroy(s);
}

/* The cpu backend, where paths run side by side, and any other device. */
TEST(devices_agree, ON_OPENCL | ON_CUDA | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    const double values[] = {100, 0.04, 1.5, 0.04, 0.3, -0.7, 0.03, 0.01, 95, 1, 0};
    const bailey_simulation_run_params run = {
        .source = {.seed = 3}, .first_path = 7, .paths = 5001, .antithetic = 1};
    const bailey_gradient_params all = {.covariance = 1};
    bailey_context *other;
    OK(bailey_context_create("cpu", NULL, &other));
    for (int f64 = 0; f64 < (only_drawn() ? 1 : 2); f64++) {
        const bailey_simulation_params params = {
            .path = {.times = dates,
                     .steps = 8,
                     .precision = f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32},
            .payoff = {.name = "heston-euler"}};
        bailey_derivative g[MOST], own[MOST];
        bailey_estimate price, again;
        bailey_simulation *s = made_on(context, &params, values), *on_cpu;
        OK(bailey_simulation_create(other, &params, &on_cpu));
        set_all(on_cpu, values);
        OK(bailey_simulation_gradient(s, &run, &all, &price, g));
        OK(bailey_simulation_gradient(on_cpu, &run, &all, &again, own));
        assert_memory_equal(&price, &again, sizeof price);
        for (uint64_t k = 0; k < bailey_simulation_gradient_count(s, &all); k++)
            assert_memory_equal(&g[k].estimate, &own[k].estimate, sizeof price);
        bailey_simulation_destroy(s);
        bailey_simulation_destroy(on_cpu);
    }
    bailey_context_destroy(other);
}

/* Paths side by side, against the code that the interpreter was compared with, compiled as it stands. */
TEST(side_by_side, ON_CPU)
{
    if (!simulates()) skip();
    const double values[] = {100, 90, 0.2, 0.3, 0.01, 0.02, 0.5, 0.5, 0.03, 95, 0, 0, 1};
    const bailey_simulation_params params = {.path = {.times = dates, .steps = 8, .dims = 2},
                                             .payoff = {.name = "asian"}};
    bailey_simulation *s = made_on(context, &params, values), *whole;
    uint8_t asked[13], chosen[16] = {1};
    memset(asked, 1, sizeof asked);
    asked[11] = asked[12] = 0; /* a count and a choice */
    struct bly_unit unit = {.kind = BLY_UNIT_PAYOFF,
                            .dims = 2,
                            .steps = 8,
                            .code = s->code,
                            .length = strlen(s->code),
                            .argument = "payoff"};
    bly_unit_name(&unit, NULL);
    OK(bly_unit_read(&unit));
    struct bly_derivative d = {
        .unit = &unit, .asked = asked, .chosen = chosen, .has_origin = true, .counts_time = true};
    struct bly_derivative_names names;
    struct bly_text text = {0};
    OK(bly_derivative_find(&d));
    bly_derivative_write(&d, &text, &names);
    bailey_simulation_params own = params;
    own.payoff = (bailey_payoff){.code = text.data};
    OK(bly_simulation_create_derivative(context, &own, 64, &whole));
    set_all(whole, values);
    const bailey_simulation_run_params run = {
        .source = {.seed = 3}, .first_path = 7, .paths = 5001, .antithetic = 1};
    const bailey_gradient_params all = {0};
    bailey_estimate price[2], estimates[64];
    bailey_derivative g[MOST];
    OK(bailey_simulation_gradient(s, &run, &all, price, g));
    OK(bailey_simulation_run(whole, &run, estimates));
    assert_memory_equal(price, estimates, sizeof price);
    for (uint64_t k = 0; k < 11; k++)
        if (memcmp(&g[k].estimate, &estimates[2 + k], sizeof price[0]))
            fail_msg("%s: %a, not %a", g[k].name, g[k].estimate.mean, estimates[2 + k].mean);
    bly_derivative_free(&d);
    bly_unit_free(&unit);
    bly_free(text.data);
    bailey_simulation_destroy(s);
    bailey_simulation_destroy(whole);
}
