/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The derivatives of a European call, and a difference of two scenarios, as docs/greeks.md explains them.
 *
 *     example_greeks [DEVICE]
 */
#include <bailey/greeks.h>

#include <stdio.h>
#include <stdlib.h>

static void check(bailey_status status)
{
    if (status == BAILEY_OK) return;
    fprintf(stderr, "%s\n", bailey_error_message());
    exit(1);
}

static bailey_simulation *european(bailey_context *context)
{
    static const struct {
        const char *name;
        double value;
    } parameters[] = {{"spot", 100}, {"strike", 100}, {"rate", 0.05}, {"volatility", 0.2}};
    const double maturity = 1;
    const bailey_simulation_params params = {.path = {.times = &maturity, .steps = 1},
                                             .payoff = {.name = "european"}};
    bailey_simulation *s;
    check(bailey_simulation_create(context, &params, &s));
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
        check(bailey_simulation_set(s, parameters[i].name, &parameters[i].value, 1));
    return s;
}

static void greeks(bailey_simulation *s)
{
    const char *const spots[] = {"spot"}, *const volatilities[] = {"volatility"};
    const bailey_greeks_params params = {.spots = spots,
                                         .spot_count = 1,
                                         .volatilities = volatilities,
                                         .volatility_count = 1,
                                         .rate = "rate",
                                         .theta = 1};
    const bailey_simulation_run_params run = {.source = {.seed = 42}, .paths = 1 << 20};
    bailey_greek_estimate g[16];
    const uint64_t count = bailey_simulation_greeks_count(s, &params); /* 8 */
    check(bailey_simulation_greeks(s, &run, &params, g));
    for (uint64_t i = 0; i < count; i++)
        printf("%-5s %9.5f +- %.5f\n", bailey_greek_name(g[i].kind), g[i].mean, g[i].standard_error);
}

static void difference(bailey_simulation *s)
{
    const char *const names[] = {"spot"};
    const double values[] = {99, 101}, weights[] = {-0.5, 0.5};
    const bailey_simulation_run_params run = {
        .source = {.seed = 42},
        .paths = 1 << 20,
        .scenarios = {
            .count = 2, .columns = 1, .names = names, .values = values, .rows = 1, .weights = weights}};
    bailey_estimate delta;
    check(bailey_simulation_run(s, &run, &delta));
    printf("difference: %.5f +- %.5f\n", delta.mean, delta.standard_error);
}

int main(int count, char **words)
{
    bailey_context *context;
    check(bailey_context_create(count > 1 ? words[1] : NULL, NULL, &context));
    bailey_simulation *s = european(context);
    greeks(s);
    difference(s);
    bailey_simulation_destroy(s);
    bailey_context_destroy(context);
    return 0;
}
