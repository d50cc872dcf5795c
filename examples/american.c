/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * An American put, as docs/american.md explains it.
 *
 *     example_american [DEVICE]
 */
#include <bailey/american.h>

#include <stdio.h>
#include <stdlib.h>

static void check(bailey_status status)
{
    if (status == BAILEY_OK) return;
    fprintf(stderr, "%s\n", bailey_error_message());
    exit(1);
}

static void put(bailey_context *context)
{
    const double spot = 36, volatility = 0.2;
    double times[50];
    for (int i = 0; i < 50; i++) times[i] = (i + 1) / 50.0;
    const bailey_american_params params = {.spot = &spot,
                                           .volatility = &volatility,
                                           .strike = 40,
                                           .rate = 0.06,
                                           .exercise_times = times,
                                           .exercise_count = 50,
                                           .paths = 100000,
                                           .policy_paths = 20000,
                                           .antithetic = 1};
    bailey_american_result result;
    check(bailey_american_price(context, &params, &result));
    printf("from %.5f to %.5f\n", result.interval_low, result.interval_high);
    printf("price %.5f +- %.5f\n", result.price, result.standard_error);
}

int main(int count, char **words)
{
    bailey_context *context;
    check(bailey_context_create(count > 1 ? words[1] : NULL, NULL, &context));
    put(context);
    bailey_context_destroy(context);
    return 0;
}
