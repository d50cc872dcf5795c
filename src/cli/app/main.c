/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The program bailey: finds the command that its first words name, and runs it. Everything else, from help to
 * completion, reads the tables of the commands.
 */
#include "app.h"
#include <cli/options/options.h>

#include <stdio.h>
#include <string.h>

static const struct command *const commands[] = {
    &command_paths,       &command_motion,  &command_random,   &command_mlmc,   &command_batch,
    &command_copula, &command_correlation, &command_local_volatility, &command_devices, &command_selftest, &command_manual, NULL,
};
enum { COMMANDS = sizeof commands / sizeof *commands - 1 };

static const struct family *const families[] = {&family_price, &family_completion, NULL};
enum { FAMILIES = sizeof families / sizeof *families - 1 };

/* A word whose commands are those of another program. */
static const char bench[] = "bench", bench_program[] = "bailey-bench";

static void help(void)
{
    printf("bailey %s: random numbers, Brownian paths and Monte Carlo prices on CPU, OpenCL and CUDA "
           "devices,\n"
           "with the same bits on all of them.\n"
           "\n"
           "usage: bailey COMMAND [options]\n"
           "\n"
           "Commands:\n",
           bailey_version());
    for (int i = 0; i < COMMANDS; i++) printf("  %-19s%s\n", commands[i]->name, commands[i]->summary);
    fputs(
        "  price PRODUCT      price an option, or your own payoff; 'bailey price --help' lists the products\n"
        "  bench BENCHMARK    measure the speed of this machine; 'bailey bench --help' lists the benchmarks\n"
        "  completion SHELL   print the completion script for bash, zsh or fish\n"
        "  COMMAND --help     explain a command, with examples\n"
        "  --version          print the version of the library\n"
        "\n"
        "Examples:\n"
        "  bailey devices\n"
        "      list the devices of this machine\n"
        "  bailey paths --steps 64 --paths 1000 --output paths.svg\n"
        "      a picture of 1000 Brownian paths\n"
        "  bailey paths --steps 64 --paths 1000000 --seed 7 --device cpu --output paths.npy\n"
        "      a million paths for NumPy; any other --device gives the same file, byte for byte\n"
        "  bailey random --generator warp --seed 7 --count 1e6 --form normals --output normals.npy\n"
        "      a million normals for NumPy; a pipe receives raw numbers\n"
        "  bailey price asian --times fixings.csv --valuation 2026-01-02 --assets assets.csv --strike 100 "
        "--rate 0.03\n"
        "      an Asian call on a basket of assets\n"
        "  bailey price european --spot 100 --strike 100 --rate 0.05 --volatility 0.2 --target-error 0.01\n"
        "      a European call, with as many paths as needed; --payoff FILE prices your own payoff in C\n"
        "  bailey mlmc european --seed 1 --plot mlmc.svg\n"
        "      multilevel Monte Carlo: prices to target errors, and their costs\n"
        "  bailey bench bridge --tables strategies\n"
        "  bailey bench random\n"
        "  bailey bench normal\n"
        "  bailey bench variates\n"
        "  bailey bench points\n"
        "  bailey bench simulate\n"
        "  bailey bench mlmc\n"
        "  bailey bench motion\n"
        "  bailey bench gradient\n"
        "  bailey bench batch\n"
        "      measure the speed of this machine against its memory bandwidth\n"
        "\n"
        "Environment:\n"
        "  BAILEY_DEVICE     the default of --device: auto, cpu, cuda:0, opencl:0:0, ...\n"
        "  BAILEY_BACKENDS   a list such as cpu,cuda; the drivers of other backends are not opened\n"
        "  BAILEY_CACHE_DIR  the folder for compiled programs\n"
        "  BAILEY_LOG        1: log drivers, builds and cache hits to standard error; 2: log every launch "
        "too; "
        "or\n"
        "                    the name of a log file\n"
        "\n"
        "Exit codes: 0 success; 1 failure (no device, memory or disk space; a failed self-test);\n"
        "2 invalid request (an option, a value, the contents of an input file).\n",
        stdout);
}

static const struct catalogue catalogue = {
    .program = "bailey",
    .summary = "random numbers, Brownian paths and Monte Carlo prices, the same bits on every device",
    .help = help,
    .commands = commands,
    .families = families,
    .companion = bench,
};

static int unknown_command(const char *word)
{
    const char *names[COMMANDS + FAMILIES + 3];
    int n = 0;
    for (; n < COMMANDS; n++) names[n] = commands[n]->name;
    for (int i = 0; i < FAMILIES; i++) names[n++] = families[i]->word;
    names[n++] = bench;
    names[n++] = "help";
    names[n] = NULL;
    const char *nearest = cli_nearest(word, names);
    for (int i = 0; i < FAMILIES; i++)
        if (nearest == families[i]->word && !families[i]->members[1]) nearest = families[i]->members[0]->name;
    if (nearest)
        return cli_error(CLI_USAGE, "unknown command '%s'; did you mean '%s'?", cli_printable(word), nearest);
    return cli_error(CLI_USAGE, "unknown command '%s'; 'bailey --help' lists the commands",
                     cli_printable(word));
}

static const struct command *find_command(const char *word)
{
    for (int i = 0; i < COMMANDS; i++) {
        if (!strcmp(word, commands[i]->name)) return commands[i];
    }
    return NULL;
}

static const struct family *find_family(const char *word)
{
    for (int i = 0; i < FAMILIES; i++) {
        if (!strcmp(word, families[i]->word)) return families[i];
    }
    return NULL;
}

static int is_version(const char *word)
{
    return !strcmp(word, "--version") || !strcmp(word, "-V") || !strcmp(word, "version");
}

/* argv[0] will be the program; the benchmark's words follow. */
static int run_bench(char **argv)
{
    cli_command = "bailey bench";
    return companion_run(bench_program, argv);
}

/* "bailey help", "bailey help paths", "bailey help bench random": argv begins with the word after "help". */
static int help_about(int argc, char **argv)
{
    char *wanted[] = {"--help", NULL};
    const char *word = argc > 0 ? argv[0] : "help";
    const struct command *command = find_command(word);
    if (command) return command_run(command, 1, wanted);
    if (!strcmp(word, bench)) {
        char *words[] = {argv[0], argc > 1 ? argv[1] : wanted[0], wanted[0], NULL};
        return run_bench(words);
    }
    const struct family *family = find_family(word);
    if (family) {
        command = family_member(family, argc > 1 ? argv[1] : NULL);
        if (argc < 2 && !command) return family_help(family);
        return command ? command_run(command, 1, wanted) : family_run(family, argc - 1, argv + 1);
    }
    if (!is_help(word) && !is_version(word)) return unknown_command(word);
    help();
    return cli_finish_stdout();
}

int main(int argc, char **argv)
{
    cli_catalogue = &catalogue;
    if (argc < 2) {
        help();
        return cli_finish_stdout() ? CLI_FAILED : CLI_USAGE;
    }
    const char *word = argv[1];
    if (is_help(word)) return help_about(argc - 2, argv + 2);
    if (is_version(word)) {
        printf("bailey %s\n", bailey_version());
        return cli_finish_stdout();
    }
    if (!strcmp(word, bench)) return run_bench(argv + 1);
    const struct family *family = find_family(word);
    if (family) return family_run(family, argc - 2, argv + 2);
    const struct command *command = find_command(word);
    return command ? command_run(command, argc - 2, argv + 2) : unknown_command(word);
}
