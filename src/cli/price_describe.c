/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "price_describe.h"

#include <bailey/simulation.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX ((size_t)1 << 20)

/* The file of --payoff, or NULL. */
static const char *payoff_file(int argc, char **argv)
{
    static const char option[] = "--payoff";
    for (int i = 0; i < argc; i++) {
        if (!strcmp(argv[i], option) && i + 1 < argc && argv[i + 1][0] != '-') return argv[i + 1];
        if (!strncmp(argv[i], option, sizeof option - 1) && argv[i][sizeof option - 1] == '=')
            return argv[i] + sizeof option;
    }
    return NULL;
}

static char *read_code(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *code = file ? calloc(1, TEXT_MAX + 2) : NULL;
    if (code && fread(code, 1, TEXT_MAX + 1, file) > TEXT_MAX) {
        free(code);
        code = NULL;
    }
    if (file) fclose(file);
    return code;
}

/* NULL where there is nothing to describe, or where it cannot be read: whoever runs it is told why. */
static bailey_description *describe(const struct command *command, int argc, char **argv, int says_why)
{
    const char *product = strchr(command->name, ' '), *path = product ? NULL : payoff_file(argc, argv);
    char *code = path ? read_code(path) : NULL;
    bailey_description *d = NULL;
    const bailey_payoff payoff = {.code = code, .name = product ? product + 1 : path};
    if (path && !code && says_why) cli_error(CLI_OK, "--payoff: cannot read %s", path);
    if ((product || code) && bailey_payoff_describe(&payoff, NULL, &d) != BAILEY_OK && says_why && code)
        cli_error(CLI_OK, "%s", bailey_error_message());
    free(code);
    return d;
}

static void add(char *text, size_t size, const char *before, const char *word)
{
    const size_t used = strlen(text);
    if (*word) snprintf(text + used, size - used, "%s%s%s", used ? "; " : "", before, word);
}

static void print_parameter(const bailey_parameter *p)
{
    char left[100], right[1000] = "";
    snprintf(left, sizeof left, *p->size ? "  %s[%s]" : "  %s", p->name, p->size);
    add(right, sizeof right, "", p->summary);
    add(right, sizeof right, "", p->range_words);
    add(right, sizeof right, "", p->unit);
    add(right, sizeof right, "default ", p->default_code);
    printf("%-25s ", left);
    if (strlen(left) > 25) printf("\n%26s", "");
    options_wrap(*right ? right : "no description", 26, 26);
}

static void print_output(const bailey_payoff_output *o, uint32_t number)
{
    char left[100];
    snprintf(left, sizeof left, *o->name ? "  %s" : "  %s%u", *o->name ? o->name : "output ", number);
    printf("%-25s ", left);
    options_wrap(o->summary, 26, 26);
}

void price_describe(const struct command *command, int argc, char **argv)
{
    bailey_description *d = describe(command, argc, argv, 1);
    if (!d) return;
    printf("\nParameters of %s, each an option --NAME or --set NAME=VALUE:\n", d->name);
    for (uint32_t i = 0; i < d->parameter_count; i++) print_parameter(&d->parameters[i]);
    printf("\nOutputs:\n");
    for (uint32_t o = 0; o < d->output_count; o++) print_output(&d->outputs[o], o);
    bailey_description_destroy(d);
}

static int is_called(const char *parameter, const char *name)
{
    for (; *parameter && *name; parameter++, name++)
        if (*parameter != (*name == '-' ? '_' : *name)) return 0;
    return *parameter == *name;
}

int price_has_parameter(const struct command *command, int argc, char **argv, const char *name)
{
    bailey_description *d = describe(command, argc, argv, 0);
    int found = 0;
    for (uint32_t i = 0; d && i < d->parameter_count; i++) found |= is_called(d->parameters[i].name, name);
    bailey_description_destroy(d);
    return found;
}
