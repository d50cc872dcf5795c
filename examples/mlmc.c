/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Multilevel Monte Carlo, as docs/mlmc.md explains it: a built-in option, then the user's own model, whose
 * levels are tested before they are used.
 *
 *     example_mlmc [DEVICE]
 */
#include <bailey/mlmc.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void check(bailey_status status)
{
    if (status == BAILEY_OK) return;
    fprintf(stderr, "%s\n", bailey_error_message());
    exit(1);
}

static void set(bailey_mlmc *m, const char *name, double value)
{
    check(bailey_mlmc_set(m, name, &value, 1));
}

static void european(bailey_context *context)
{
    const bailey_mlmc_params params = {.estimator = {.name = "european"}};
    bailey_mlmc *m;
    check(bailey_mlmc_create(context, &params, &m));
    set(m, "spot", 100), set(m, "strike", 100), set(m, "rate", 0.05), set(m, "volatility", 0.2);
    const bailey_mlmc_run_params run = {.source = {.seed = 42}, .eps = 0.01};
    bailey_mlmc_result r;
    check(bailey_mlmc_run(m, &run, &r));
    printf("european: %.4f +- %.4f, bias %.4f\n", r.mean, r.standard_error, r.bias);
    for (uint32_t l = 0; l < r.levels; l++) printf("level %" PRIu32 ": %" PRIu64 "\n", l, r.level[l].samples);
    bailey_mlmc_destroy(m);
}

/* A bond in the model of Cox, Ingersoll and Ross, by Milstein's scheme. */
static const char bond[] =
    "typedef struct { real first_rate, reversion, mean_rate, volatility; } params;\n"
    "typedef struct { real fine, fine_sum, coarse, coarse_sum; } state;\n"
    "void advance(const params *p, real h, real dw, real *rate, real *sum)\n"
    "{\n"
    "    const real r = fmax(rate[0], 0);\n"
    "    rate[0] += p->reversion * (p->mean_rate - r) * h + p->volatility * sqrt(r) * dw\n"
    "           + p->volatility * p->volatility * (dw * dw - h) / 4;\n"
    "    sum[0] += h * (r + fmax(rate[0], 0)) / 2;\n"
    "}\n"
    "void start(state *s, const params *p, int level)\n"
    "{\n"
    "    s->fine = p->first_rate;\n"
    "    s->coarse = p->first_rate;\n"
    "    s->fine_sum = 0;\n"
    "    s->coarse_sum = 0;\n"
    "}\n"
    "void step(state *s, const params *p, real t, real h, const noise *n)\n"
    "{\n"
    "    advance(p, h, n->dw[0], &s->fine, &s->fine_sum);\n"
    "}\n"
    "void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m)\n"
    "{\n"
    "    step(s, p, t, h, n);\n"
    "    step(s, p, t + h, h, m);\n"
    "    advance(p, 2 * h, n->dw[0] + m->dw[0], &s->coarse, &s->coarse_sum);\n"
    "}\n"
    "void finish(const state *s, const params *p, real t, real out[2])\n"
    "{\n"
    "    out[0] = exp(-s->fine_sum);\n"
    "    out[1] = exp(-s->coarse_sum);\n"
    "}\n";

static bailey_mlmc *levels_of_bond(bailey_context *context)
{
    const bailey_mlmc_params params = {
        .estimator = {.code = bond, .name = "bond.c"}, .time = 5, .first_steps = 4};
    bailey_mlmc *m;
    check(bailey_mlmc_create(context, &params, &m));
    set(m, "first_rate", 0.03), set(m, "reversion", 0.5), set(m, "mean_rate", 0.05);
    set(m, "volatility", 0.15);
    return m;
}

static void test(bailey_mlmc *m)
{
    const double eps[] = {1e-3, 3e-4};
    const bailey_mlmc_test_params params = {.run = {.source = {.seed = 1}},
                                            .samples = 1 << 16,
                                            .finest = 6,
                                            .eps = eps,
                                            .eps_count = sizeof eps / sizeof *eps};
    bailey_mlmc_report report;
    char text[8192];
    check(bailey_mlmc_test(m, &params, &report));
    if (bailey_mlmc_report_write(&report, text, sizeof text) < sizeof text) fputs(text, stdout);
    if (report.check_warning)
        puts("coarse payoffs are distributed differently from those of the level below");
    if (report.kurtosis_warning) puts("variances are hard to estimate: take more first samples");
}

static void price(bailey_mlmc *m)
{
    const bailey_mlmc_run_params run = {.source = {.seed = 42}, .eps = 1e-4};
    bailey_mlmc_result r;
    check(bailey_mlmc_run(m, &run, &r));
    printf("bond: %.6f +- %.6f, bias %.6f, beta %.2f, cost %.0f\n", r.mean, r.standard_error, r.bias, r.beta,
           r.cost);
    if (!r.converged) puts("the bias is still too large on max_level");
}

int main(int count, char **words)
{
    bailey_context *context;
    check(bailey_context_create(count > 1 ? words[1] : NULL, NULL, &context));
    european(context);
    bailey_mlmc *m = levels_of_bond(context);
    test(m);
    price(m);
    bailey_mlmc_destroy(m);
    bailey_context_destroy(context);
    return 0;
}
