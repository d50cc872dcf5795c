/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The figures of docs/mlmc-low-precision.md: what steps with exact and with approximate normals take, and
 * runs with and without them to equal root-mean-square errors.
 *
 *     mlmc_low [DEVICE [STEPS [EPS...]]]
 *
 * DEVICE is an address, "cpu" by default; STEPS are fine steps of a measurement, 2^22 by default (GPUs want
 * 2^30); EPS the errors, 0.01 by default. The options are those of the paper: spot and strike 100,
 * rate 0.05, volatility 0.2, cash 100, barrier 85. Times are the least of several calls: of
 * "cpu" of all processors together, which other programs do not disturb, else by the wall clock.
 */
#define _POSIX_C_SOURCE 200809L
#include <bailey/mlmc.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CALLS 7
#define LEVELS 7

static const char *const kinds[] = {"exact", "CONSTANT", "DYADIC"};

static void must(const char *what, bailey_status status)
{
    if (status == BAILEY_OK) return;
    fprintf(stderr, "%s: %s\n", what, bailey_error_message());
    exit(1);
}

static clockid_t own_clock = CLOCK_MONOTONIC;

static double now(void)
{
    struct timespec t;
    clock_gettime(own_clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void set_parameters(bailey_mlmc *mlmc)
{
    static const struct {
        const char *name;
        double value;
    } values[] = {{"spot", 100}, {"strike", 100}, {"rate", 0.05}, {"volatility", 0.2},
                  {"cash", 100}, {"barrier", 85}, {"side", -1}};
    for (size_t i = 0; bailey_mlmc_parameter(mlmc, i, NULL); i++)
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            if (strcmp(bailey_mlmc_parameter(mlmc, i, NULL), values[k].name) == 0)
                must("set", bailey_mlmc_set(mlmc, values[k].name, &values[k].value, 1));
}

/* Seconds of a fine step of samples of one level, of one kind: differences or, with approximate normals,
 * corrections. */
static double step_seconds(bailey_mlmc *mlmc, int kind, int correction, uint32_t level, uint64_t steps)
{
    const bailey_mlmc_run_params run = {.approximate = (bailey_mlmc_approximation)kind};
    uint64_t samples[2 * LEVELS] = {0};
    bailey_mlmc_result result;
    double least = INFINITY;
    samples[(correction ? level + 1 : 0) + level] = steps >> level & ~UINT64_C(31);
    for (int i = 0; i < CALLS; i++) {
        const double begin = now();
        must("sample", bailey_mlmc_run_samples(mlmc, &run, samples, level + 1, &result));
        least = fmin(least, now() - begin);
    }
    const uint64_t made = correction ? result.correction[level].samples : result.level[level].samples;
    return least / (double)(made << level);
}

/* Prints what steps take, and fills what an approximate step costs, over the levels. */
static void steps_table(bailey_mlmc *mlmc, uint64_t steps, double cost[3])
{
    double exact = 0, approximate[3] = {0};
    printf("  ps per fine step\n  level      exact   CONSTANT  correction     DYADIC  correction\n");
    for (uint32_t level = 0; level < LEVELS; level += 2) {
        const double e = step_seconds(mlmc, 0, 0, level, steps);
        exact += log(e);
        printf("  %5u %10.2f", level, e * 1e12);
        for (int kind = 1; kind < 3; kind++) {
            const double a = step_seconds(mlmc, kind, 0, level, steps);
            approximate[kind] += log(a);
            printf(" %10.2f %11.2f", a * 1e12, step_seconds(mlmc, kind, 1, level, steps) * 1e12);
        }
        printf("\n");
    }
    for (int kind = 1; kind < 3; kind++)
        cost[kind] = fmin(1, exp((approximate[kind] - exact) * 2 / (LEVELS + 1)));
}

static void variances(const bailey_mlmc_result *r)
{
    printf("  level   variance of Y~   of Y - Y~       ratio     samples  corrections\n");
    for (uint32_t l = 0; l < r->levels; l++)
        printf("  %5u %16.4e %11.4e %11.2e %11llu %12llu\n", l, r->level[l].variance,
               r->correction[l].variance,
               r->level[l].variance > 0 ? r->correction[l].variance / r->level[l].variance : 0,
               (unsigned long long)r->level[l].samples, (unsigned long long)r->correction[l].samples);
}

static void runs_table(bailey_mlmc *mlmc, double eps, const double cost[3])
{
    double plain = 0, plain_seconds = 0;
    printf("  eps %g\n  normals    step cost      value  std. error        cost  of exact     seconds  of "
           "exact\n",
           eps);
    for (int kind = 0; kind < 3; kind++) {
        const bailey_mlmc_run_params run = {.eps = eps,
                                            .approximate = (bailey_mlmc_approximation)kind,
                                            .approximate_cost = kind ? cost[kind] : 0};
        bailey_mlmc_result r;
        double least = INFINITY;
        for (int i = 0; i < CALLS; i++) {
            const double begin = now();
            must("run", bailey_mlmc_run(mlmc, &run, &r));
            least = fmin(least, now() - begin);
        }
        if (kind == 0) plain = r.cost, plain_seconds = least;
        printf("  %-9s %10.3f %10.5f %11.2e %11.4e %9.3f %11.3e %9.3f\n", kinds[kind], kind ? cost[kind] : 1,
               r.value, r.standard_error, r.cost, r.cost / plain, least, least / plain_seconds);
        if (kind) variances(&r);
    }
}

int main(int argc, char **argv)
{
    const uint64_t steps = argc > 2 ? strtoull(argv[2], NULL, 10) : UINT64_C(1) << 22;
    bailey_context *context;
    bailey_device device;
    const char *name;
    must("device", bailey_context_create(argc > 1 ? argv[1] : "cpu", NULL, &context));
    must("device", bailey_context_device(context, &device));
    printf("%s\n", device.name);
    if (strcmp(device.address, "cpu") == 0) own_clock = CLOCK_PROCESS_CPUTIME_ID;
    for (size_t i = 0; (name = bailey_mlmc_name(i)); i++) {
        const bailey_mlmc_params params = {.estimator = {.name = name}};
        double cost[3] = {1, 1, 1};
        bailey_mlmc *mlmc;
        must("create", bailey_mlmc_create(context, &params, &mlmc));
        set_parameters(mlmc);
        printf("\n%s\n", name);
        steps_table(mlmc, steps, cost);
        for (int k = 3; k < argc || k == 3; k++) runs_table(mlmc, k < argc ? atof(argv[k]) : 0.01, cost);
        bailey_mlmc_destroy(mlmc);
        fflush(stdout);
    }
    bailey_context_destroy(context);
    return 0;
}
