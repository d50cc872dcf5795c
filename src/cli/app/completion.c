/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What shells complete: commands, options, and the values that the tables name. All of them are in the script
 * that a shell gets, so that completing starts no process.
 */
#include "app.h"
#include <cli/options/options.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- Values of options ---- */

/* Options whose values are a list that their table does not spell out. */
static const struct {
    const char *option;
    const char *const *values;
} listed[] = {
    {"--order", option_orders},
    {"--device", (const char *const[]){"auto", "cpu", "cuda", "opencl", NULL}},
};

static int is_literal(const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (isupper((unsigned char)word[i]) || !(isalnum((unsigned char)word[i]) || word[i] == '-')) return 0;
    return length > 0;
}

/* Prints the words that may follow an option, each with a space before it: "u32|u01" gives both, "N|inf" the
 * second. Returns how many. */
static int print_values(const struct option *o)
{
    char takes[128];
    int count = 0;
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++)
        for (const char *const *v = listed[i].values; !strcmp(o->name, listed[i].option) && *v; v++)
            count += printf(" %s", *v) > 0;
    option_value_words(o, takes, sizeof takes);
    const bailey_field *field = option_field(o);
    for (uint32_t i = 0; field && i < field->choice_count; i++)
        if (option_takes(o, &field->choices[i])) count += printf(" %s", field->choices[i].name) > 0;
    if (o->more) count += printf(" %s", o->more) > 0;
    if (count || !strchr(takes, '|')) return count;
    for (const char *word = takes; *word;) {
        const size_t length = strcspn(word, "|");
        if (is_literal(word, length)) count += printf(" %.*s", (int)length, word) > 0;
        word += length + (word[length] == '|');
    }
    return count;
}

/* Whether a file may follow. */
static int takes_file(const struct option *o)
{
    return o->value && (strstr(o->value, "FILE") || strstr(o->value, "PATH") || strstr(o->value, "DIR"));
}

static int takes_value(const struct option *o)
{
    char takes[128];
    option_value_words(o, takes, sizeof takes);
    return *takes != 0;
}

/* ---- Walks over the tables ---- */

static int is_option(const struct command *command, const char *name)
{
    for (const struct option *o = command->options; o->name; o++)
        if (!strcmp(o->name, name)) return 1;
    return 0;
}

/* The next option that the command takes, from number *i on, which is left behind it: those of the table, and
 * then parameters. NULL at the end. */
static const struct option *next_option(const struct command *command, int *i)
{
    int count = 0;
    while (command->options[count].name) count++;
    while (*i < count) {
        const struct option *o = &command->options[*i];
        const int refused = option_is_heading(o) || option_refusal(command, *i);
        ++*i;
        if (!refused) return o;
    }
    for (const struct option *o; command->own && (o = &command->own[*i - count])->name;) {
        ++*i;
        if (!is_option(command, o->name)) return o;
    }
    return NULL;
}

typedef void visit_command(const char *name, const struct command *command);
static void each_command(visit_command *visit)
{
    for (const struct command *const *c = cli_catalogue->commands; *c; c++)
        if (!strchr((*c)->name, ' ')) visit((*c)->name, *c);
    const struct command *m;
    for (const struct family *const *f = cli_catalogue->families; *f; f++) {
        for (size_t i = 0; (m = family_at(*f, i)); i++) visit(m->name, m);
        if ((*f)->otherwise) visit((*f)->otherwise->name, (*f)->otherwise);
    }
}

/* The first words, each with a space before it. */
static void print_words(void)
{
    for (const struct command *const *c = cli_catalogue->commands; *c; c++)
        if (!strchr((*c)->name, ' ')) printf(" %s", (*c)->name);
    for (const struct family *const *f = cli_catalogue->families; *f; f++) printf(" %s", (*f)->word);
    if (cli_catalogue->companion) printf(" %s", cli_catalogue->companion);
    fputs(" help --help --version", stdout);
}

static const char *second_word(const struct family *family, const struct command *member)
{
    return member->name + strlen(family->word) + 1;
}

/* ---- bash ---- */

static void bash_values(const char *name, const struct command *command)
{
    const struct option *o;
    for (int i = 0; (o = next_option(command, &i));) {
        if (!takes_value(o)) continue;
        printf("    '%s,%s') words='", name, o->name);
        const int count = print_values(o);
        puts(count ? "' ;;" : takes_file(o) ? "'; files=1 ;;" : "'; none=1 ;;");
    }
}

static void bash_options(const char *name, const struct command *command)
{
    printf("    '%s') words='", name);
    const struct option *o;
    for (int i = 0; (o = next_option(command, &i));) printf(" %s", o->name);
    puts(" --help' ;;");
}

static void bash(void)
{
    puts("# bash completion for bailey\n"
         "_bailey() {\n"
         "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} "
         "command=${COMP_WORDS[1]}\n"
         "    local words= files= none=\n"
         "    COMPREPLY=()");
    printf("    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W '");
    print_words();
    puts("' -- \"$current\"))\n        return\n    fi\n    case $command in");
    const struct command *m;
    for (const struct family *const *f = cli_catalogue->families; *f; f++) {
        printf("    %s)\n        if [ \"$COMP_CWORD\" -eq 2 ]%s; then\n            COMPREPLY=($(compgen -W '",
               (*f)->word, (*f)->otherwise ? " && [ \"${current#-}\" = \"$current\" ]" : "");
        for (size_t i = 0; (m = family_at(*f, i)); i++) printf(" %s", second_word(*f, m));
        puts("' -- \"$current\"))\n            return\n        fi\n"
             "        case ${COMP_WORDS[2]} in -*) ;; *) command=\"$command ${COMP_WORDS[2]}\" ;; esac ;;");
    }
    puts("    esac\n    case $command,$before in");
    each_command(bash_values);
    puts("    esac\n"
         "    [ -z \"$none\" ] || return\n"
         "    if [ -z \"$words\" ] && [ -z \"$files\" ] && [ \"${current#-}\" != \"$current\" ]; then\n"
         "        case $command in");
    each_command(bash_options);
    puts("        esac\n"
         "    fi\n"
         "    if [ -n \"$words\" ]; then\n"
         "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "    else\n"
         "        COMPREPLY=($(compgen -f -- \"$current\"))\n"
         "    fi\n"
         "}\n"
         "complete -o filenames -F _bailey bailey");
}

/* ---- zsh ---- */

/* A text within single quotes and, after an option, brackets. */
static void zsh_text(const char *text)
{
    for (; *text && *text != ';'; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (strchr("[]:\\", *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void zsh_command(const char *name, const struct command *command)
{
    printf("    '%s') _arguments", name);
    const struct option *o;
    char help[1000];
    for (int i = 0; (o = next_option(command, &i));) {
        option_help_words(o, help, sizeof help);
        printf(" \\\n        '%s[", o->name);
        zsh_text(help);
        putchar(']');
        if (takes_value(o)) {
            fputs(":value:", stdout);
            if (takes_file(o)) {
                fputs("_files", stdout);
            } else {
                fputs("(", stdout);
                print_values(o);
                fputs(")", stdout);
            }
        }
        putchar('\'');
    }
    puts(" \\\n        '--help[explain the command]' '*:file:_files' ;;");
}

static void zsh(void)
{
    puts("#compdef bailey\n"
         "_bailey() {\n"
         "    local name=$words[2]\n"
         "    if (( CURRENT == 2 )); then");
    fputs("        compadd --", stdout);
    print_words();
    puts("\n        return\n    fi\n    case $name in");
    const struct command *m;
    for (const struct family *const *f = cli_catalogue->families; *f; f++) {
        printf("    %s)\n        if (( CURRENT == 3 )); then\n            compadd --", (*f)->word);
        for (size_t i = 0; (m = family_at(*f, i)); i++) printf(" %s", second_word(*f, m));
        puts("\n            return\n        fi\n"
             "        if [[ $words[3] != -* ]]; then\n            name=\"$name $words[3]\"\n            "
             "shift words\n"
             "            (( CURRENT-- ))\n        fi ;;");
    }
    puts("    esac\n    shift words\n    (( CURRENT-- ))\n    case $name in");
    each_command(zsh_command);
    puts("    esac\n}\n_bailey \"$@\"");
}

/* ---- fish ---- */

static void fish_text(const char *text)
{
    for (; *text && *text != ';'; text++) {
        if (*text == '\'' || *text == '\\') putchar('\\');
        putchar(*text);
    }
}

static void fish_command(const char *name, const struct command *command)
{
    char condition[160];
    const char *space = strchr(name, ' ');
    if (space)
        snprintf(condition, sizeof condition,
                 "__fish_seen_subcommand_from %.*s; and __fish_seen_subcommand_from %s", (int)(space - name),
                 name, space + 1);
    else
        snprintf(condition, sizeof condition, "__fish_seen_subcommand_from %s", name);
    const struct option *o;
    char help[1000];
    for (int i = 0; (o = next_option(command, &i));) {
        option_help_words(o, help, sizeof help);
        printf("complete -c bailey -n '%s' -l %s", condition, o->name + 2);
        if (o->letter) printf(" -s %c", o->letter);
        if (takes_value(o)) {
            fputs(takes_file(o) ? " -r" : " -x -a '", stdout);
            if (!takes_file(o)) {
                print_values(o);
                putchar('\'');
            }
        }
        fputs(" -d '", stdout);
        fish_text(help);
        puts("'");
    }
}

static void fish(void)
{
    puts("# fish completion for bailey");
    fputs("complete -c bailey -f -n __fish_use_subcommand -a '", stdout);
    print_words();
    puts("'");
    const struct command *m;
    for (const struct family *const *f = cli_catalogue->families; *f; f++)
        for (size_t i = 0; (m = family_at(*f, i)); i++) {
            printf("complete -c bailey -f -n '__fish_seen_subcommand_from %s' -a '%s' -d '", (*f)->word,
                   second_word(*f, m));
            fish_text(m->summary);
            puts("'");
        }
    each_command(fish_command);
}

/* ---- The command ---- */

static int run_bash(const struct arguments *a) { return (void)a, bash(), CLI_OK; }
static int run_zsh(const struct arguments *a) { return (void)a, zsh(), CLI_OK; }
static int run_fish(const struct arguments *a) { return (void)a, fish(), CLI_OK; }

static const struct option options[] = {OPTIONS_END};

#define SHELL(word, how)                                                                                     \
    {                                                                                                        \
        .name = "completion " #word, .summary = "for " #word, .usage = "",                                   \
        .about = "Prints the script with which " #word " completes bailey commands.", .examples = how,       \
        .options = options, .run = run_##word                                                                \
    }
static const struct command command_bash =
    SHELL(bash, "  source <(bailey completion bash)\n      in ~/.bashrc\n");
static const struct command command_zsh =
    SHELL(zsh, "  bailey completion zsh > ~/.zfunc/_bailey\n      in a folder of $fpath\n");
static const struct command command_fish =
    SHELL(fish, "  bailey completion fish > ~/.config/fish/completions/bailey.fish\n      for all sessions\n");

const struct family family_completion = {
    .word = "completion",
    .missing = "which shell",
    .kind = "shell",
    .about = "Prints the script with which a shell completes bailey commands.",
    .members = {&command_bash, &command_zsh, &command_fish},
};
