/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey-bench, the program that `bailey bench` runs; its words are those after `bench`.
 */
#include "bench.h"
#include <cli/app/app.h>

#include <string.h>

static const struct family bench = {
    .word = "bench",
    .missing = "what to measure",
    .kind = "benchmark",
    .about = "Measures the speed of this machine.",
    .members = {&command_bench_bridge, &command_bench_gradient, &command_bench_mlmc, &command_bench_motion, &command_bench_normal,
                &command_bench_points, &command_bench_quality, &command_bench_random, &command_bench_simulate,
                &command_bench_variates,
#ifdef CLI_HAVE_JANSSON
                &command_bench_batch
#endif
    },
};

static const struct command *const commands[] = {NULL};
static const struct family *const families[] = {&bench, NULL};
static const struct catalogue catalogue = {
    .program = "bailey-bench", .commands = commands, .families = families};

int main(int argc, char **argv)
{
    cli_catalogue = &catalogue;
    if (argc > 1 && !strcmp(argv[1], command_manual.name))
        return command_run(&command_manual, argc - 2, argv + 2);
    return family_run(&bench, argc - 1, argv + 1);
}
