/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Manual pages, in the macros man, from the tables that the help is printed from; and these tables as JSON.
 * So no page can differ from what the program takes.
 */
#include "app.h"
#include <cli/io/io.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const struct catalogue *cli_catalogue;

/* ---- Text ---- */

/* Prints a part of a line literally: roff would turn a hyphen into a dash, and a backslash into a command. */
static void write_words(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '-')
            fputs("\\-", stdout);
        else if (text[i] == '\\')
            fputs("\\e", stdout);
        else
            putchar(text[i]);
    }
}

/* Prints a whole line, at whose beginning a point or quote would be a request to roff. */
static void write_line(const char *text, size_t length)
{
    if (length && (text[0] == '.' || text[0] == '\'')) fputs("\\&", stdout);
    write_words(text, length);
    putchar('\n');
}

static void write_text(const char *text) { write_line(text, strlen(text)); }

/* Whether the line is a section title within a text: "Files:". */
static int is_heading(const char *line, size_t length)
{
    return length > 1 && isupper((unsigned char)line[0]) && line[length - 1] == ':';
}

/* A text whose lines stay as they are; those that are headings begin sections. */
static void write_lines(const char *text)
{
    int open = 0;
    while (*text) {
        const size_t length = strcspn(text, "\n");
        if (is_heading(text, length)) {
            if (open) puts(".fi");
            open = 0;
            fputs(".SH ", stdout);
            for (size_t i = 0; i + 1 < length; i++) putchar(toupper((unsigned char)text[i]));
            putchar('\n');
        } else if (length || open) {
            if (!open) puts(".nf");
            open = 1;
            write_line(text, length);
        }
        text += length + (text[length] == '\n');
    }
    if (open) puts(".fi");
}

/* ---- Parts of a page ---- */

/* Members of families stand among the commands too. */
static int is_member(const struct command *command) { return strchr(command->name, ' ') != NULL; }

/* "bailey-price-asian" of the command "price asian". */
static void page_name(const char *command, char *name, size_t size)
{
    snprintf(name, size, "bailey%s%s", *command ? "-" : "", command);
    for (char *c = name; *c; c++)
        if (*c == ' ') *c = '-';
}

static void begin_page(const char *page, const char *summary)
{
    printf(".TH \"");
    for (const char *c = page; *c; c++) putchar(toupper((unsigned char)*c));
    printf("\" 1 \"\" \"bailey %s\" \"bailey manual\"\n.SH NAME\n", bailey_version());
    write_words(page, strlen(page));
    fputs(" \\- ", stdout);
    write_text(summary);
}

static void write_option(const struct option *o)
{
    char takes[128], help[1000];
    if (option_is_heading(o)) {
        fputs(".SS ", stdout);
        write_line(o->name, strcspn(o->name, ":"));
        return;
    }
    option_value_words(o, takes, sizeof takes);
    option_help_words(o, help, sizeof help);
    fputs(".TP\n\\fB", stdout);
    if (o->letter) printf("\\-%c\\fR, \\fB", o->letter);
    write_words(o->name, strlen(o->name));
    fputs("\\fR", stdout);
    if (*takes) {
        fputs(" \\fI", stdout);
        write_words(takes, strlen(takes));
        fputs("\\fR", stdout);
    }
    putchar('\n');
    write_text(help);
}

static void write_options(const struct command *command)
{
    for (int i = 0; command->options[i].name; i++)
        if (!option_refusal(command, i)) write_option(&command->options[i]);
}

static void write_usage(const struct command *command)
{
    static const char before[] = "       bailey ";
    printf(".SH SYNOPSIS\n.nf\n");
    for (const char *line = command->usage, *first = line; *line;) {
        const size_t length = strcspn(line, "\n"), lead = strspn(line, " ");
        if (line == first) {
            printf("bailey %s ", command->name);
            write_words(line, length);
            putchar('\n');
        } else if (!strncmp(line, before, sizeof before - 1)) {
            write_line(line + 7, length - 7);
        } else {
            write_line(line + (lead < 7 ? lead : 7), length - (lead < 7 ? lead : 7));
        }
        line += length + (line[length] == '\n');
    }
    puts(".fi");
}

static void command_page(const struct command *command)
{
    char page[80];
    page_name(command->name, page, sizeof page);
    begin_page(page, command->summary);
    write_usage(command);
    puts(".SH DESCRIPTION");
    for (const char *line = command->about; *line;) {
        const size_t length = strcspn(line, "\n");
        if (length)
            write_line(line, length);
        else
            puts(".PP");
        line += length + (line[length] == '\n');
    }
    if (command->options->name) puts(".SH OPTIONS");
    write_options(command);
    if (command->own) puts(".SH PARAMETERS");
    for (const struct option *o = command->own; o && o->name; o++) write_option(o);
    if (*command->examples) puts(".SH EXAMPLES");
    write_lines(command->examples);
    if (command->more_help) {
        puts(".SH NOTES\n.nf");
        command->more_help();
        puts(".fi");
    }
    puts(".SH SEE ALSO\n.BR bailey (1)");
}

static void list_command(const struct command *command)
{
    char page[80];
    page_name(command->name, page, sizeof page);
    fputs(".TP\n\\fB", stdout);
    write_words(page, strlen(page));
    puts("\\fR(1)");
    write_text(command->summary);
}

static void family_page(const struct family *family)
{
    char page[80];
    page_name(family->word, page, sizeof page);
    begin_page(page, family->about);
    printf(".SH SYNOPSIS\n.nf\nbailey %s WHAT [options]\n", family->word);
    if (family->otherwise) {
        printf("bailey %s ", family->otherwise->name);
        write_text(family->otherwise->usage);
    }
    puts(".fi\n.SH PAGES");
    const struct command *m;
    for (size_t i = 0; (m = family_at(family, i)); i++) list_command(m);
    if (family->otherwise) {
        puts(".SH OPTIONS WITHOUT WHAT");
        write_options(family->otherwise);
    }
    puts(".SH SEE ALSO\n.BR bailey (1)");
}

/* A program without commands explains its usage in its help. */
static void program_page(void)
{
    begin_page(cli_catalogue->program, cli_catalogue->summary);
    if (*cli_catalogue->commands)
        printf(".SH SYNOPSIS\n.B %s\n.I COMMAND\n[options]\n.SH PAGES\n", cli_catalogue->program);
    for (const struct command *const *c = cli_catalogue->commands; *c; c++)
        if (!is_member(*c)) list_command(*c);
    const struct command *m;
    for (const struct family *const *f = cli_catalogue->families; *f; f++)
        for (size_t i = 0; (m = family_at(*f, i)); i++) list_command(m);
    puts(".SH HELP\n.nf");
    cli_catalogue->help();
    puts(".fi");
}

/* ---- Which page ---- */

/* Calls `visit` for the page of each command and family, until it returns 1. */
static int each_page(int (*visit)(const char *page, const struct command *command,
                                  const struct family *family, const char *wanted),
                     const char *wanted)
{
    char page[80];
    for (const struct command *const *c = cli_catalogue->commands; *c; c++) {
        page_name((*c)->name, page, sizeof page);
        if (!is_member(*c) && visit(page, *c, NULL, wanted)) return 1;
    }
    for (const struct family *const *f = cli_catalogue->families; *f; f++) {
        page_name((*f)->word, page, sizeof page);
        if (visit(page, NULL, *f, wanted)) return 1;
        const struct command *m;
        for (size_t i = 0; (m = family_at(*f, i)); i++) {
            page_name(m->name, page, sizeof page);
            if (visit(page, m, NULL, wanted)) return 1;
        }
    }
    return 0;
}

static int list_page(const char *page, const struct command *command, const struct family *family,
                     const char *wanted)
{
    (void)command, (void)family, (void)wanted;
    puts(page);
    return 0;
}

static int print_page(const char *page, const struct command *command, const struct family *family,
                      const char *wanted)
{
    if (strcmp(page, wanted)) return 0;
    if (command)
        command_page(command);
    else
        family_page(family);
    return 1;
}

/* ---- The tables as JSON ---- */

/* The default as a user would give it; NULL if no single value is the default. */
static const char *default_text(const bailey_field *f, char *text, size_t size)
{
    if (f->needed || f->default_how || f->pointer || f->type == BAILEY_FIELD_TYPE_FLAG) return NULL;
    for (uint32_t i = 0; i < f->choice_count; i++)
        if (f->choices[i].value == f->default_value) return f->choices[i].name;
    snprintf(text, size, "%.17g", f->default_value);
    return text;
}

static void add_field(struct document *d, const struct option *o, const bailey_field *f)
{
    static const char *const types[] = {"flag", "integer", "integer", "number", "choice", "text"};
    char text[40];
    const int is_plain =
        f->type <= BAILEY_FIELD_TYPE_TEXT && (!f->pointer || f->type == BAILEY_FIELD_TYPE_TEXT);
    document_text(d, "record", o->record);
    document_text(d, "field", o->field);
    document_text(d, "type", f->choice_count ? "choice" : is_plain ? types[f->type] : "list");
    document_text(d, "default", default_text(f, text, sizeof text));
    if (f->choice_count) document_open(d, "choices", '[');
    for (uint32_t i = 0; i < f->choice_count; i++)
        if (option_takes(o, &f->choices[i])) document_text(d, NULL, f->choices[i].name);
    if (f->choice_count) document_close(d);
    if (f->choice_count || (f->range.low == 0 && f->range.high == 0)) return;
    document_number(d, "low", f->range.low);
    document_number(d, "high", f->range.high);
}

static void add_option(struct document *d, const struct option *o)
{
    char takes[128], help[1000];
    const bailey_field *f = option_field(o);
    option_value_words(o, takes, sizeof takes);
    option_help_words(o, help, sizeof help);
    document_open(d, NULL, '{');
    document_text(d, "name", o->name);
    document_text(d, "before", o->before);
    document_text(d, "value", *takes ? takes : NULL);
    document_text(d, "help", help);
    if (f) add_field(d, o, f);
    document_close(d);
}

static void add_command(struct document *d, const struct command *command)
{
    document_open(d, NULL, '{');
    document_text(d, "name", command->name);
    document_text(d, "usage", command->usage);
    document_text(d, "examples", command->examples);
    document_open(d, "options", '[');
    for (int i = 0; command->options[i].name; i++)
        if (!option_is_heading(&command->options[i]) && !option_refusal(command, i))
            add_option(d, &command->options[i]);
    document_close(d);
    if (command->own) document_open(d, "parameters", '[');
    for (const struct option *o = command->own; o && o->name; o++) add_option(d, o);
    if (command->own) document_close(d);
    document_close(d);
}

static int print_tables(void)
{
    struct document *d = document_new();
    const struct command *m;
    document_open(d, "commands", '[');
    for (const struct command *const *c = cli_catalogue->commands; *c; c++) add_command(d, *c);
    for (const struct family *const *f = cli_catalogue->families; *f; f++) {
        for (size_t i = 0; (m = family_at(*f, i)); i++) add_command(d, m);
        if ((*f)->otherwise) add_command(d, (*f)->otherwise);
    }
    document_close(d);
    const int code = document_print(d, 1);
    document_free(d);
    return code;
}

/* ---- The command ---- */

enum { LIST, TABLES };
static const struct option options[] = {
    OPTION("--list", NULL, "print the names of all pages"),
    OPTION("--json", NULL, "print all options of all commands, with ranges and defaults, as JSON"),
    OPTIONS_END,
};

static int run(const struct arguments *a)
{
    const char *wanted = a->file ? a->file : cli_catalogue->program;
    if (a->value[TABLES]) return print_tables();
    if (a->value[LIST]) {
        if (cli_catalogue->summary) puts(cli_catalogue->program);
        each_page(list_page, NULL);
    } else if (cli_catalogue->summary && !strcmp(wanted, cli_catalogue->program)) {
        program_page();
    } else if (!each_page(print_page, wanted)) {
        return cli_error(CLI_USAGE, "there is no page %s; --list lists the pages", cli_printable(wanted));
    }
    return CLI_OK;
}

const struct command command_manual = {
    .name = "manual",
    .summary = "print a manual page, for man",
    .usage = "[PAGE]  [--list]  [--json]",
    .about = "Prints a manual page in the format of man. Installing bailey installs the pages too: man "
             "bailey-paths.",
    .examples = "  bailey manual bailey-paths | man -l -\n"
                "      the page of `bailey paths`\n",
    .options = options,
    .run = run,
    .takes_file = 1,
};
