/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "commands.h"

#include <stdio.h>
#include <string.h>

static const struct command *const commands[] = {
    &command_paths,    &command_random,       &command_price_asian,  &command_devices,
    &command_selftest, &command_bench_bridge, &command_bench_normal, &command_bench_random,
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* Words that a second one follows: the commands whose names begin with them. */
static const struct family {
    const char *word;
    const char *missing; /* what the second word says */
    const char *kind;    /* of thing that it names */
    const char *about;
} families[] = {
    {"price", "what to price", "product", "Prices options."},
    {"bench", "what to measure", "benchmark", "Measures how fast this machine is."},
};
enum { FAMILIES = sizeof families / sizeof *families };

/* The second word of a command of the family, else NULL. */
static const char *second_word(const struct family *family, const struct command *command)
{
    const size_t length = strlen(family->word);
    if (strncmp(command->name, family->word, length) || command->name[length] != ' ') return NULL;
    return command->name + length + 1;
}

/* The family's command with that second word; with NULL the only one, if there is only one. */
static const struct command *find_member(const struct family *family, const char *second)
{
    const struct command *found = NULL;
    int members = 0;
    for (int i = 0; i < COMMANDS; i++) {
        const char *name = second_word(family, commands[i]);
        if (!name || (second && strcmp(name, second) != 0)) continue;
        found = commands[i];
        members++;
    }
    return members == 1 ? found : NULL;
}

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
        "  bailey random --generator warp --seed 7 --count 1e6 --form normal --output normals.npy\n"
        "      random numbers, also raw ones through a pipe\n"
        "  bailey price asian --fixings fixings.csv --valuation 2026-01-02 --assets assets.csv --strike 100 "
        "--rate 0.03\n"
        "      an Asian call on a basket\n"
        "  bailey bench bridge --tables strategies\n"
        "  bailey bench random\n"
        "  bailey bench normal\n"
        "      how fast is this machine, against its own memory?\n"
        "\n"
        "Environment:\n"
        "  BAILEY_DEVICE     the device where --device is absent: auto, cpu, cuda:0, opencl:0:0, ...\n"
        "  BAILEY_BACKENDS   a list such as cpu,cuda: no driver of the others is opened\n"
        "  BAILEY_CACHE_DIR  where compiled OpenCL programs are kept\n"
        "  BAILEY_LOG        1: drivers, builds and cache hits, 2: every launch, to standard error; or a "
        "file name\n"
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
        const struct command *only = find_member(&families[i], NULL);
        if (!strcmp(nearest, families[i].word) && only) nearest = only->name;
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

static int family_help(const struct family *family)
{
    const struct command *only = find_member(family, NULL);
    printf("usage: bailey %s%s [options]\n\n%s\n\n", family->word,
           only ? only->name + strlen(family->word) : " WHAT", family->about);
    for (int i = 0; i < COMMANDS; i++) {
        const char *name = second_word(family, commands[i]);
        if (name) printf("  %-8s %s\n", name, commands[i]->summary);
    }
    printf("\n'bailey %s %s --help' explains it.\n", family->word,
           only ? only->name + strlen(family->word) + 1 : "WHAT");
    return cli_finish_stdout();
}

/* argv begins with the second word. */
static int run_family(const struct family *family, int argc, char **argv)
{
    static char name[64];
    const char *names[COMMANDS + 1];
    const struct command *only = find_member(family, NULL), *member;
    const char *full = only ? only->name : family->word;
    int n = 0;
    snprintf(name, sizeof name, "bailey %s", family->word);
    cli_command = name;
    for (int i = 0; i < COMMANDS; i++) {
        if (second_word(family, commands[i])) names[n++] = second_word(family, commands[i]);
    }
    names[n] = NULL;
    member = argc > 0 ? find_member(family, argv[0]) : NULL;
    if (member) return run_command(member, argc - 1, argv + 1);
    if (argc > 0 && is_help(argv[0])) return family_help(family);
    if (argc < 1 || argv[0][0] == '-')
        return cli_error(CLI_USAGE, "%s is missing; 'bailey %s --help' explains it", family->missing, full);
    if (only)
        return cli_error(CLI_USAGE, "unknown %s '%s'; 'bailey %s' is the one there is", family->kind,
                         cli_printable(argv[0]), full);
    const char *nearest = cli_nearest(argv[0], names);
    if (nearest)
        return cli_error(CLI_USAGE, "unknown %s '%s'; did you mean '%s'?", family->kind,
                         cli_printable(argv[0]), nearest);
    return cli_error(CLI_USAGE, "unknown %s '%s'; 'bailey %s --help' lists them", family->kind,
                     cli_printable(argv[0]), family->word);
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
        /* "bailey help paths", "bailey help bench random" */
        char *wanted[] = {"--help"};
        const struct family *about = argc > 2 ? find_family(argv[2]) : NULL;
        const struct command *member = about ? find_member(about, argc > 3 ? argv[3] : NULL) : NULL;
        if (member) return run_command(member, 1, wanted);
        if (about) return argc > 3 ? run_family(about, argc - 3, argv + 3) : family_help(about);
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
