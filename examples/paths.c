/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * 1000 Brownian paths on 64 equal steps to time 1, on the best device found; prints the ends of five.
 */
#include <bailey/bailey.h>

#include <stdio.h>

int main(void)
{
    enum { STEPS = 64, PATHS = 1000 };
    static float x[STEPS][PATHS]; /* [step][path]; one dimension */
    double times[STEPS];
    bailey_context *context = NULL;
    bailey_bridge *bridge = NULL;
    bailey_buffer *buffer = NULL;
    for (int i = 0; i < STEPS; i++) times[i] = (i + 1) / (double)STEPS;
    const bailey_bridge_params params = {.times = times, .steps = STEPS};
    const bailey_source source = {.seed = 42};
    int failed = bailey_context_create(NULL, NULL, &context) ||
                 bailey_bridge_create(context, &params, &bridge) ||
                 bailey_buffer_create(context, sizeof x, &buffer) ||
                 bailey_bridge_paths(bridge, &source, NULL, 0, PATHS, buffer) ||
                 bailey_buffer_read(buffer, 0, x, sizeof x);
    if (failed) fprintf(stderr, "%s\n", bailey_error_message());
    for (int p = 0; p < 5 && !failed; p++) printf("path %d ends at %g\n", p, (double)x[STEPS - 1][p]);
    bailey_buffer_destroy(buffer);
    bailey_bridge_destroy(bridge);
    bailey_context_destroy(context);
    return failed;
}
