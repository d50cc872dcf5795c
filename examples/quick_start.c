/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The price of a European call, as in python/quick_start.py: the C program of the README.
 */
#include <bailey/simulation.h>

#include <stdio.h>

int main(void)
{
    const double times[] = {1}, spot = 100, strike = 105, rate = 0.03, volatility = 0.2;
    const bailey_simulation_params params = {.path = {.times = times, .steps = 1},
                                             .payoff = {.name = "european"}};
    const bailey_simulation_run_params run = {.source = {.seed = 1}, .paths = 1 << 22};
    bailey_context *context = NULL;
    bailey_simulation *option = NULL;
    bailey_estimate price;
    int failed = bailey_context_create(NULL, NULL, &context) ||
                 bailey_simulation_create(context, &params, &option) ||
                 bailey_simulation_set(option, "spot", &spot, 1) ||
                 bailey_simulation_set(option, "strike", &strike, 1) ||
                 bailey_simulation_set(option, "rate", &rate, 1) ||
                 bailey_simulation_set(option, "volatility", &volatility, 1) ||
                 bailey_simulation_run(option, &run, &price);
    if (failed) fprintf(stderr, "%s\n", bailey_error_message());
    else printf("%.4f +- %.4f\n", price.mean, price.standard_error);
    bailey_simulation_destroy(option);
    bailey_context_destroy(context);
    return failed;
}
