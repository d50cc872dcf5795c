/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Prices by simulation, as docs/payoffs.md explains them: a built-in payoff, then a payoff that the user
 * writes, and what a run can report on it.
 *
 *     example_payoff [DEVICE]
 */
#include <bailey/simulation.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void check(bailey_status status)
{
    if (status == BAILEY_OK) return;
    fprintf(stderr, "%s\n", bailey_error_message());
    exit(1);
}

static void print(const char *name, double value, double error)
{
    printf("%s: %.5f +- %.5f\n", name, value, error);
}

static void set(bailey_simulation *s, const char *name, double value)
{
    check(bailey_simulation_set(s, name, &value, 1));
}

static void european(bailey_context *context)
{
    const double maturity = 1;
    const bailey_simulation_params params = {.path = {.times = &maturity, .steps = 1},
                                             .payoff = {.name = "european"}};
    bailey_simulation *s;
    check(bailey_simulation_create(context, &params, &s));
    set(s, "spot", 100), set(s, "strike", 100), set(s, "rate", 0.05), set(s, "volatility", 0.2);
    const bailey_simulation_run_params run = {.source = {.seed = 42}, .paths = 1 << 20};
    bailey_estimate price;
    check(bailey_simulation_run(s, &run, &price));
    print("european", price.mean, price.standard_error);
    set(s, "strike", 110);
    check(bailey_simulation_run(s, &run, &price));
    print("european, strike 110", price.mean, price.standard_error);
    bailey_simulation_destroy(s);
}

/* A call on the mean of the prices, and that mean, both discounted. */
static const char asian[] = "typedef struct { real spot, strike, rate, volatility; } params;\n"
                            "typedef struct { real sum, time; } state;\n"
                            "void start(state *s, const params *p) { s->sum = 0; s->time = 0; }\n"
                            "void step(state *s, const params *p, int i, real t, const real x[])\n"
                            "{\n"
                            "    const real drift = p->rate - p->volatility * p->volatility / 2;\n"
                            "    s->sum += p->spot * exp(drift * t + p->volatility * x[0]);\n"
                            "    s->time = t;\n"
                            "}\n"
                            "void finish(const state *s, const params *p, real out[2])\n"
                            "{\n"
                            "    const real mean = s->sum / STEPS, discount = exp(-p->rate * s->time);\n"
                            "    out[0] = discount * fmax(mean - p->strike, 0);\n"
                            "    out[1] = discount * mean;\n"
                            "}\n";

enum { STEPS = 12, OUTPUTS = 2, PATHS = 1 << 16, BINS = 8 };

static bailey_simulation *asian_simulation(bailey_context *context)
{
    double times[STEPS];
    for (int i = 0; i < STEPS; i++) times[i] = (i + 1) / (double)STEPS;
    const bailey_simulation_params params = {.path = {.times = times, .steps = STEPS},
                                             .payoff = {.code = asian, .name = "asian.c"}};
    bailey_simulation *s;
    check(bailey_simulation_create(context, &params, &s));
    set(s, "spot", 100), set(s, "strike", 100), set(s, "rate", 0.05), set(s, "volatility", 0.2);
    return s;
}

static void control(bailey_simulation *s)
{
    double mean = 0; /* of the discounted prices: spot exp(rate t) at time t */
    for (int i = 0; i < STEPS; i++) mean += 100 * exp(0.05 * ((i + 1) / (double)STEPS - 1)) / STEPS;
    const double expected[OUTPUTS] = {NAN, mean};
    const bailey_simulation_run_params run = {.source = {.seed = 42}, .paths = PATHS, .expected = expected};
    bailey_estimate e[OUTPUTS];
    check(bailey_simulation_run(s, &run, e));
    print("asian", e[0].mean, e[0].standard_error);
    print("asian, with its control variate", e[0].controlled, e[0].controlled_standard_error);
}

static void antithetic(bailey_simulation *s)
{
    const bailey_simulation_run_params run = {.source = {.seed = 42}, .paths = PATHS, .antithetic = 1};
    bailey_estimate e[OUTPUTS];
    check(bailey_simulation_run(s, &run, e));
    print("asian, antithetic", e[0].mean, e[0].standard_error);
}

static void points(bailey_simulation *s)
{
    const bailey_source sobol = {.generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_OWEN};
    const bailey_simulation_run_params run = {.source = sobol, .paths = 4096, .replicates = 16};
    bailey_estimate e[OUTPUTS];
    check(bailey_simulation_run(s, &run, e));
    print("asian, Sobol", e[0].mean, e[0].standard_error);
}

static void distribution(bailey_simulation *s)
{
    double covariance[OUTPUTS][OUTPUTS];
    uint64_t counts[BINS + 2]; /* below 0, [0, 5), [5, 10), ... and from 40 on */
    const bailey_simulation_run_params run = {
        .source = {.seed = 42},
        .paths = PATHS,
        .histogram = {.low = 0, .high = 40, .bins = BINS, .counts = counts},
        .covariance = covariance[0],
        .moments = 1};
    bailey_estimate e[OUTPUTS];
    check(bailey_simulation_run(s, &run, e));
    printf("largest: %.4f, skewness %.4f\n", e[0].maximum, e[0].skewness);
    printf("correlation: %.4f\n", covariance[0][1] / sqrt(covariance[0][0] * covariance[1][1]));
    printf("below 5: %.4f, from 40 on: %.4f\n", (double)counts[1] / PATHS, (double)counts[BINS + 1] / PATHS);
}

static int ascending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void quantile(bailey_context *context, bailey_simulation *s)
{
    static float samples[OUTPUTS][PATHS]; /* [output][replicate][path], in the simulation's precision */
    bailey_buffer *buffer;
    check(bailey_buffer_create(context, sizeof samples, &buffer));
    const bailey_simulation_run_params run = {.source = {.seed = 42}, .paths = PATHS, .samples = buffer};
    bailey_estimate e[OUTPUTS];
    check(bailey_simulation_run(s, &run, e));
    check(bailey_buffer_read(buffer, 0, samples, sizeof samples));
    qsort(samples[1], PATHS, sizeof samples[1][0], ascending);
    printf("1 %% quantile of the mean: %.4f\n", (double)samples[1][PATHS / 100]);
    bailey_buffer_destroy(buffer);
}

int main(int count, char **words)
{
    bailey_context *context;
    check(bailey_context_create(count > 1 ? words[1] : NULL, NULL, &context));
    european(context);
    bailey_simulation *s = asian_simulation(context);
    control(s);
    antithetic(s);
    points(s);
    distribution(s);
    quantile(context, s);
    bailey_simulation_destroy(s);
    bailey_context_destroy(context);
    return 0;
}
