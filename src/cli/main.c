/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "commands.h"

#include <stdio.h>
#include <string.h>

static const struct command *const commands[] = {
    &command_paths, &command_price_asian, &command_devices, &command_selftest, &command_bench_bridge,
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* Words that a second one follows: the commands whose names begin with them. */
static const struct family {
    const char *word;
    const char *missing; /* what the second word says */
    const char *kind;    /* of thing that it names */
    const struct command *only;
} families[] = {
    {"price", "what to price", "product", &command_price_asian},
    {"bench", "what to measure", "benchmark", &command_bench_bridge},
};
enum { FAMILIES = sizeof families / sizeof *families };

static void help(void)
{
    printf("bailey %s: random numbers, Brownian paths and Monte Carlo prices on CPU, OpenCL and CUDA "
           "devices, with\n"
           "the same bits on every one of them.\n"
           "\n"
           "usage: bailey COMMAND [options]\n"
           "\n"
           "Commands:\n",
           bailey_version());
    for (int i = 0; i < COMMANDS; i++) printf("  %-12s %s\n", commands[i]->name, commands[i]->summary);
    fputs(
        "  COMMAND --help  explains a command, with examples\n"
        "  --version       the version of the library\n"
        "\n"
        "Examples:\n"
        "  bailey devices\n"
        "      what can this machine compute on?\n"
        "  bailey paths --steps 64 --paths 1000 --output paths.svg\n"
        "      a picture of 1000 Brownian paths\n"
        "  bailey paths --steps 64 --paths 1000000 --seed 7 --device cpu --output paths.npy\n"
        "      a million paths for NumPy; any other --device gives the same file, byte for byte\n"
        "  bailey price asian --fixings fixings.csv --valuation 2026-01-02 --assets assets.csv --strike 100 "
        "--rate 0.03\n"
        "      an Asian call on a basket\n"
        "  bailey bench bridge --tables strategies\n"
        "      how fast is this machine, against a copy of its memory?\n"
        "\n"
        "Environment:\n"
        "  BAILEY_DEVICE     the device where --device is absent: auto, cpu, cuda:0, opencl:0:0, ...\n"
        "  BAILEY_CACHE_DIR  where compiled OpenCL programs are kept\n"
        "  BAILEY_LOG        1: builds and cache hits, 2: every launch, to standard error; or a file name\n"
        "\n"
        "Exit codes: 0 success; 1 it could not be done (no device, memory, disk; a failed self-test);\n"
        "2 the request is wrong (an option, a value, the contents of an input file).\n",
        stdout);
}

static int unknown_command(const char *word)
{
    const char *names[COMMANDS + FAMILIES + 2];
    int n = 0;
    for (; n < COMMANDS; n++) names[n] = commands[n]->name;
    for (int i = 0; i < FAMILIES; i++) names[n++] = families[i].word;
    names[n++] = "help";
    names[n] = NULL;
    const char *nearest = cli_nearest(word, names);
    for (int i = 0; i < FAMILIES && nearest; i++) {
        if (!strcmp(nearest, families[i].word)) nearest = families[i].only->name;
    }
    if (nearest)
        return cli_error(CLI_USAGE, "unknown command '%s'; did you mean '%s'?", cli_printable(word), nearest);
    return cli_error(CLI_USAGE, "unknown command '%s'; 'bailey --help' lists the commands",
                     cli_printable(word));
}

static int run_command(const struct command *command, int argc, char **argv)
{
    static char name[64];
    struct arguments arguments;
    int wants_help;
    snprintf(name, sizeof name, "bailey %s", command->name);
    cli_command = name;
    int code = options_read(command, argc, argv, &arguments, &wants_help);
    if (code) return code;
    if (wants_help)
        options_help(command);
    else
        code = command->run(&arguments);
    int finished = cli_finish_stdout();
    return code ? code : finished;
}

static int is_help(const char *word)
{
    return !strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help");
}

static int is_version(const char *word)
{
    return !strcmp(word, "--version") || !strcmp(word, "-V") || !strcmp(word, "version");
}

/* argv begins with the second word. */
static int run_family(const struct family *family, int argc, char **argv)
{
    static char name[64];
    const char *full = family->only->name, *second = full + strlen(family->word) + 1;
    snprintf(name, sizeof name, "bailey %s", family->word);
    cli_command = name;
    if (argc > 0 && !strcmp(argv[0], second)) return run_command(family->only, argc - 1, argv + 1);
    if (argc > 0 && is_help(argv[0])) {
        printf("usage: bailey %s [options]\n\n  %s  %s\n\n'bailey %s --help' explains it.\n", full, second,
               family->only->summary, full);
        return cli_finish_stdout();
    }
    if (argc > 0 && argv[0][0] != '-')
        return cli_error(CLI_USAGE, "unknown %s '%s'; 'bailey %s' is the one there is", family->kind,
                         cli_printable(argv[0]), full);
    return cli_error(CLI_USAGE, "%s is missing; 'bailey %s --help' explains it", family->missing, full);
}

static const struct family *find_family(const char *word)
{
    for (int i = 0; i < FAMILIES; i++) {
        if (!strcmp(word, families[i].word)) return &families[i];
    }
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        help();
        return cli_finish_stdout() ? CLI_FAILED : CLI_USAGE;
    }
    const char *word = argv[1];
    if (is_help(word)) {
        /* "bailey help paths" */
        char *wanted[] = {"--help"};
        const struct family *about = argc > 2 ? find_family(argv[2]) : NULL;
        if (about) return run_command(about->only, 1, wanted);
        for (int i = 0; i < COMMANDS && argc > 2; i++) {
            if (!strcmp(argv[2], commands[i]->name)) return run_command(commands[i], 1, wanted);
        }
        if (argc > 2 && !is_help(argv[2]) && !is_version(argv[2])) return unknown_command(argv[2]);
        help();
        return cli_finish_stdout();
    }
    if (is_version(word)) {
        printf("bailey %s\n", bailey_version());
        return cli_finish_stdout();
    }
    const struct family *family = find_family(word);
    if (family) return run_family(family, argc - 2, argv + 2);
    for (int i = 0; i < COMMANDS; i++) {
        if (!strcmp(word, commands[i]->name)) return run_command(commands[i], argc - 2, argv + 2);
    }
    return unknown_command(word);
}
