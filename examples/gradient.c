/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * All derivatives of the price of a European call in one run, as docs/gradients.md explains them.
 *
 *     example_gradient [DEVICE]
 */
#include <bailey/gradient.h>

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

static void gradient(bailey_simulation *s)
{
    const bailey_simulation_run_params run = {.source = {.seed = 42}, .paths = 1 << 20};
    const bailey_gradient_params params = {0}; /* all parameters */
    bailey_estimate price;
    bailey_derivative d[16];
    const uint64_t count = bailey_simulation_gradient_count(s, &params); /* 5 */
    check(bailey_simulation_gradient(s, &run, &params, &price, d));
    for (uint64_t i = 0; i < count; i++)
        printf("%-11s %9.5f +- %.5f\n", d[i].name, d[i].estimate.mean, d[i].estimate.standard_error);
}

int main(int count, char **words)
{
    bailey_context *context;
    check(bailey_context_create(count > 1 ? words[1] : NULL, NULL, &context));
    bailey_simulation *s = european(context);
    gradient(s);
    bailey_simulation_destroy(s);
    bailey_context_destroy(context);
    return 0;
}
