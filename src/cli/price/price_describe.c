/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Prints the description that payoffs and level functions carry in their code: parameters, path and outputs.
 */
#include "price.h"

#include <bailey/mlmc.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CODE_MAX ((size_t)1 << 20)

/* The file of --payoff, or of another option; or NULL. */
static const char *file_of(const char *option, int argc, char **argv)
{
    const size_t length = strlen(option);
    for (int i = 0; i < argc; i++) {
        if (!strcmp(argv[i], option) && i + 1 < argc && argv[i + 1][0] != '-') return argv[i + 1];
        if (!strncmp(argv[i], option, length) && argv[i][length] == '=') return argv[i] + length + 1;
    }
    return NULL;
}

static int refuse(const char *option, int code, const char *path, const char *why)
{
    return option ? cli_error(code, "%s: %s %s", option, path, why) : code;
}

static int cannot(const char *option, const char *verb, const char *path)
{
    const char *why = strerror(errno);
    return option ? cli_error(CLI_FAILED, "%s: cannot %s %s: %s", option, verb, path, why) : CLI_FAILED;
}

static int read_stream(const char *option, const char *path, FILE *file, char *code)
{
    char too_long[100];
    const size_t length = fread(code, 1, CODE_MAX + 1, file);
    snprintf(too_long, sizeof too_long, "is longer than %s", cli_bytes(CODE_MAX));
    if (ferror(file)) return cannot(option, "read", path);
    if (length > CODE_MAX) return refuse(option, CLI_USAGE, path, too_long);
    if (memchr(code, 0, length))
        return refuse(option, CLI_USAGE, path, "has a zero byte: this is not a text file");
    code[length] = 0;
    return CLI_OK;
}

int price_read_code(const char *option, const char *path, char **code)
{
    FILE *file = fopen(path, "rb");
    if (!file) return cannot(option, "open", path);
    *code = malloc(CODE_MAX + 2);
    const int result =
        *code ? read_stream(option, path, file, *code) : cli_memory_error("the code", CODE_MAX);
    fclose(file);
    return result;
}

int price_read_model(const char *option, const char *word, char **code)
{
    char path[4096];
    *code = NULL;
    /* Of layers, heston+own.c, one may be a file. */
    for (const char *from = word; *from;) {
        const size_t length = strcspn(from, "+");
        snprintf(path, sizeof path, "%.*s", (int)(length < sizeof path ? length : sizeof path - 1), from);
        if (strpbrk(path, "./")) return price_read_code(option, path, code);
        from += length + (from[length] == '+');
    }
    return CLI_OK;
}

typedef bailey_status describer(const bailey_payoff *, const bailey_describe_params *, bailey_description **);

/* NULL if there is nothing to describe, or if it cannot be read: a run says why. `name` is a built-in's, or
 * NULL: the code is in the file that the option names. */
static bailey_description *describe(describer *describes, const char *name, const char *option, int argc,
                                    char **argv, int reports)
{
    const char *path = name ? NULL : file_of(option, argc, argv);
    const char *model = describes == bailey_payoff_describe ? file_of("--model", argc, argv) : NULL;
    char *code = NULL, *model_code = NULL;
    int is_there = path ? !price_read_code(reports ? option : NULL, path, &code) : name != NULL;
    if (is_there && model) is_there = !price_read_model(reports ? "--model" : NULL, model, &model_code);
    bailey_description *d = NULL;
    const bailey_payoff payoff = {
        .code = code, .name = name ? name : path, .model_code = model_code, .model_name = model};
    if (is_there && describes(&payoff, NULL, &d) != BAILEY_OK && reports && (code || model))
        cli_error(CLI_OK, "%s", bailey_error_message());
    free(code);
    free(model_code);
    return d;
}

static bailey_description *payoff(const struct command *command, int argc, char **argv, int reports)
{
    const char *product = strchr(command->name, ' ');
    return describe(bailey_payoff_describe, product ? product + 1 : NULL, "--payoff", argc, argv, reports);
}

static bailey_description *levels(int argc, char **argv, int reports)
{
    const char *name, *found = NULL;
    for (size_t b = 0; (name = bailey_mlmc_name(b)); b++)
        for (int i = 0; i < argc; i++)
            if (!strcmp(argv[i], name)) found = name;
    return describe(bailey_mlmc_describe, found, "--code", argc, argv, reports);
}

static void add(char *text, size_t size, const char *before, const char *word)
{
    const size_t used = strlen(text);
    if (*word) snprintf(text + used, size - used, "%s%s%s", used ? "; " : "", before, word);
}

void price_parameter_words(const bailey_parameter *p, char *text, size_t size)
{
    *text = 0;
    add(text, size, "", p->summary);
    add(text, size, "", p->range_words);
    add(text, size, "", p->unit);
    add(text, size, "default ", p->default_code);
    if (!*text) snprintf(text, size, "no description");
}

static void print_row(const char *left, const char *right)
{
    printf("  %-23s ", left);
    if (strlen(left) > 23) printf("\n%26s", "");
    cli_wrap(right, 26, 26);
}

static void print_parameter(const bailey_parameter *p)
{
    char left[100], right[1000];
    snprintf(left, sizeof left, *p->size ? "%s[%s]" : "%s", p->name, p->size);
    price_parameter_words(p, right, sizeof right);
    print_row(left, right);
}

static void print_output(const bailey_payoff_output *o, uint32_t number)
{
    char left[100];
    snprintf(left, sizeof left, *o->name ? "%s" : "%s%u", *o->name ? o->name : "output ", number);
    print_row(left, o->summary);
}

/* "64", "at least 2", "8, at most 4096". */
static void print_size(const char *name, uint64_t plain, uint64_t least, uint64_t most)
{
    const uint64_t sizes[] = {plain, plain == least ? 0 : least, most == least || most == plain ? 0 : most};
    static const char *const words[] = {"", "at least ", "at most "};
    char text[100] = "";
    for (int i = 0; i < 3; i++) {
        const size_t used = strlen(text);
        if (sizes[i])
            snprintf(text + used, sizeof text - used, "%s%s%llu", used ? ", " : "", words[i],
                     (unsigned long long)sizes[i]);
    }
    if (*text) print_row(name, text);
}

static void print_path(const bailey_path_needs *path)
{
    static const char *const kinds[] = {NULL, "the Brownian motion",
                                        "increments of the Brownian motion, divided by the step length",
                                        "independent standard normals", "the Brownian motion, at any time"};
    if (path->kind == BAILEY_PATH_KIND_ANY || path->kind > BAILEY_PATH_KIND_MOTION) return;
    printf("\nPath:\n");
    print_row("x", kinds[path->kind]);
    if (path->assets)
        print_row("dimensions", "one per asset");
    else
        print_size("dimensions", 0, path->dims_most == path->dims_least ? 0 : path->dims_least,
                   path->dims_most);
    print_size("steps", path->steps, path->steps_least, path->steps_most);
    print_size("levels", path->motion_depth, 0, 0);
}

/* For a command that serves many codes: that in the file of `option`, or a built-in. */
static void print_examples(const bailey_description *d, const char *command, const char *option,
                           const char *file)
{
    if (d->example_count) printf("\nExamples of %s:\n", d->name);
    for (uint32_t i = 0; i < d->example_count; i++) {
        printf("  bailey %s %s%s%s %s\n      ", command, file ? option : "", file ? " " : "",
               file ? file : d->name, d->examples[i].options);
        cli_wrap(d->examples[i].summary, 6, 6);
    }
}

static void print(const bailey_description *d)
{
    printf("\nParameters of %s, set with --NAME VALUE or --set NAME=VALUE:\n", d->name);
    for (uint32_t i = 0; i < d->parameter_count; i++) print_parameter(&d->parameters[i]);
    print_path(&d->path);
    printf("\nOutputs:\n");
    for (uint32_t o = 0; o < d->output_count; o++) print_output(&d->outputs[o], o);
}

void price_describe(const struct command *command, int argc, char **argv)
{
    bailey_description *d = payoff(command, argc, argv, 1);
    const int is_product = strchr(command->name, ' ') != NULL; /* whose command has its examples */
    if (!d) return;
    print(d);
    if (!is_product) print_examples(d, "price", "--payoff", file_of("--payoff", argc, argv));
    bailey_description_destroy(d);
}

void mlmc_describe(const struct command *command, int argc, char **argv)
{
    (void)command;
    bailey_description *d = levels(argc, argv, 1);
    if (!d) return;
    print(d);
    print_examples(d, "mlmc", "--code", file_of("--code", argc, argv));
    bailey_description_destroy(d);
}

int price_is_called(const char *parameter, const char *name)
{
    for (; *parameter && *name; parameter++, name++)
        if (*parameter != (*name == '-' ? '_' : *name)) return 0;
    return *parameter == *name;
}

/* Takes the description. */
static int has_parameter(bailey_description *d, const char *name)
{
    int found = !d; /* of code that cannot be read, which the run reports */
    for (uint32_t i = 0; d && i < d->parameter_count; i++)
        found |= price_is_called(d->parameters[i].name, name);
    bailey_description_destroy(d);
    return found;
}

int price_has_parameter(const struct command *command, int argc, char **argv, const char *name)
{
    return has_parameter(payoff(command, argc, argv, 0), name);
}

int mlmc_has_parameter(const struct command *command, int argc, char **argv, const char *name)
{
    (void)command;
    return has_parameter(levels(argc, argv, 0), name);
}
