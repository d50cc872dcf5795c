/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The commands of `bailey price`, one per product, made from the description in the payoff's code: a new
 * product needs no line here.
 */
#include "price.h"

#include <cli/options/options.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Text ---------------------------------------------------------------------------------------- */

enum { WIDTH = 100 };

/* The length of what no line is broken within: a word, or an option with its value. */
static int unbroken(const char *text)
{
    const char *end = text + strcspn(text, " ");
    if (!strncmp(text, "--", 2) && *end && strncmp(end, " --", 3)) end += 1 + strcspn(end + 1, " ");
    return (int)(end - text);
}

/* Writes `text` from column `at` on, with `turn` where a line ends. */
static void wrap(FILE *to, const char *text, int at, const char *turn)
{
    const char *margin = strrchr(turn, '\n') + 1;
    for (int column = at, length; *text; column += length, text += length, text += strspn(text, " ")) {
        length = unbroken(text);
        if (column > at && column + 1 + length > WIDTH) {
            fputs(turn, to);
            column = at = (int)strlen(margin);
        } else if (column > at) {
            fputc(' ', to);
            column++;
        }
        fprintf(to, "%.*s", length, text);
    }
}

typedef void writer(FILE *to, const bailey_description *d);

/* NULL without memory. */
static char *written(writer *write, const bailey_description *d)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to) return NULL;
    write(to, d);
    if (!fclose(to)) return text;
    free(text);
    return NULL;
}

/* "a European call or put on one asset", for a list. */
static void write_summary(FILE *to, const bailey_description *d)
{
    const char *text = d->summary;
    size_t length = strlen(text);
    if (length && text[length - 1] == '.') length--;
    const int article = !strncmp(text, "A ", 2) || !strncmp(text, "An ", 3);
    fprintf(to, "%s%.*s", article ? "a" : "", (int)length - article, text + article);
}

/* The summary and the paragraphs behind it. */
static void write_about(FILE *to, const bailey_description *d)
{
    wrap(to, d->summary, 0, "\n");
    for (const char *text = d->details; *text;) {
        const char *end = strstr(text, "\n\n");
        const size_t length = end ? (size_t)(end - text) : strlen(text);
        char *paragraph = strndup(text, length);
        fputs("\n\n", to);
        if (paragraph) wrap(to, paragraph, 0, "\n");
        free(paragraph);
        text += length + (end ? 2 : 0);
    }
    if (!*d->source) return;
    fputs("\n\nSource: ", to);
    wrap(to, d->source, 8, "\n");
}

/* ---- Usage --------------------------------------------------------------------------------------- */

/* "S" of a number, "S[,S...]" of an array, "down|up" of choices. */
static void write_value(FILE *to, const bailey_parameter *p)
{
    static const char letters[] = "XSKVXRQXXBXX"; /* of bailey_role */
    const char letter = p->role < sizeof letters - 1 ? letters[p->role] : 'X', *bar = "";
    for (uint32_t i = 0; i < p->choice_count; i++, bar = "|")
        if (*p->choices[i].name) fprintf(to, "%s%s", bar, p->choices[i].name);
    if (!*bar) fprintf(to, *p->size ? "%c[,%c...]" : "%c", letter, letter);
}

static void write_name(FILE *to, const bailey_parameter *p)
{
    fputs("--", to);
    for (const char *c = p->name; *c; c++) fputc(*c == '_' ? '-' : *c, to);
}

/* The parameters that have to be set; `assets`: those that a file of assets does not give. */
static void write_needs(FILE *to, const bailey_description *d, int assets)
{
    for (uint32_t i = 0; i < d->parameter_count; i++) {
        const bailey_parameter *p = &d->parameters[i];
        if (p->default_kind != BAILEY_DEFAULT_KIND_NONE || (assets && price_is_column(p->name))) continue;
        write_name(to, p);
        fputc(' ', to);
        write_value(to, p);
        fputc(' ', to);
    }
    fputs("[options]", to);
}

static void write_plain_needs(FILE *to, const bailey_description *d) { write_needs(to, d, 0); }
static void write_other_needs(FILE *to, const bailey_description *d)
{
    fputs("--assets FILE ", to);
    write_needs(to, d, 1);
}

static void write_usage(FILE *to, const bailey_description *d)
{
    const int at = (int)strlen("usage: bailey price ") + (int)strlen(d->name) + 1;
    char *plain = written(write_plain_needs, d), *other = written(write_other_needs, d);
    if (plain) wrap(to, plain, at, "\n           ");
    if (other && d->path.assets) {
        fprintf(to, "\n       bailey price %s ", d->name);
        wrap(to, other, at, "\n           ");
    }
    free(plain);
    free(other);
}

/* ---- Examples, and files ------------------------------------------------------------------------- */

static const char about_fixings[] =
    "  Times: one date (YYYY-MM-DD) or number of years per line, increasing, all after the valuation\n"
    "  date; one line makes a path of one step. 'bailey paths --help' lists the header rows that may\n"
    "  come first.\n";
static const char about_assets[] =
    "  Assets: a header row, then one row per asset, with the columns in any order:\n"
    "      name,spot,volatility,dividend,weight\n"
    "      Acme,100,0.25,0.02,0.6\n"
    "  spot and volatility are required. dividend: continuous yield, default 0. weight: default 1 / assets,\n"
    "  negative for an asset that a spread subtracts.\n";
static const char about_correlation[] =
    "  Correlation: ones on the diagonal, in the order of the assets, or in any order if a header row,\n"
    "  a first column or both give their names.\n";
static const char about_matrix[] =
    "  Correlation: ones on the diagonal, in the order of the path's dimensions.\n";
static const char about_all[] =
    "  Fields are separated by commas, numbers have a decimal point. Empty lines, lines that begin\n"
    "  with #, and commas at the end of a line are ignored.\n";

/* Those that the path may come from. */
static void write_files(FILE *to, const bailey_path_needs *path)
{
    const int fixings = path->kind <= BAILEY_PATH_KIND_INCREMENTS;
    const int correlated = !path->independent && (path->assets || path->dims_least > 1);
    if (!fixings && !correlated) return;
    fputs("\nFiles:\n", to);
    if (fixings) fputs(about_fixings, to);
    if (path->assets) fputs(about_assets, to);
    if (correlated) fputs(path->assets ? about_correlation : about_matrix, to);
    fputs(about_all, to);
}

static void write_examples(FILE *to, const bailey_description *d)
{
    for (uint32_t i = 0; i < d->example_count; i++) {
        const int at = fprintf(to, "  bailey price %s ", d->name);
        wrap(to, d->examples[i].options, at, " \\\n      ");
        fputs("\n      ", to);
        wrap(to, d->examples[i].summary, 6, "\n      ");
        fputc('\n', to);
    }
    write_files(to, &d->path);
}

/* ---- Commands ------------------------------------------------------------------------------------ */

static void write_help(FILE *to, const bailey_parameter *p)
{
    char words[1000];
    price_parameter_words(p, words, sizeof words);
    fputs(words, to);
}

/* Its parameters as options. */
static struct option *own_options(const bailey_description *d)
{
    struct option *own = calloc(d->parameter_count + 1, sizeof *own);
    void (*const writers[])(FILE *, const bailey_parameter *) = {write_name, write_value, write_help};
    for (uint32_t i = 0; own && i < d->parameter_count; i++) {
        char *text[3] = {NULL};
        size_t size;
        for (int w = 0; w < 3; w++) {
            FILE *to = open_memstream(&text[w], &size);
            if (to) writers[w](to, &d->parameters[i]);
            if (!to || fclose(to) || !text[w]) return NULL;
        }
        own[i] = (struct option){.name = text[0], .value = text[1], .help = text[2]};
    }
    return own;
}

static int run_product(const struct arguments *a)
{
    return price_simulate(a, price_product(strchr(a->command->name, ' ') + 1));
}

/* The command's strings live as long as the program. */
static int make(const bailey_description *d, struct command *command)
{
    const size_t size = strlen(d->name) + sizeof "price ";
    char *name = malloc(size);
    if (name) snprintf(name, size, "price %s", d->name);
    *command = (struct command){.name = name,
                                .summary = written(write_summary, d),
                                .usage = written(write_usage, d),
                                .about = written(write_about, d),
                                .examples = written(write_examples, d),
                                .options = d->exercises ? price_payoff_options : price_options,
                                .own = own_options(d),
                                .run = run_product,
                                .refuses = price_refuses,
                                .more_help = generators_help,
                                .describe = price_describe,
                                .has_parameter = price_has_parameter,
                                .repeatable = "--set"};
    if (name && command->summary && command->usage && command->about && command->examples && command->own) return 1;
    command->own = NULL;
    return 0;
}

const struct command *price_command(size_t index)
{
    enum { MOST = 64 };
    static struct command made[MOST];
    const bailey_description *d = index < MOST ? price_product_description(index) : NULL;
    return d && (made[index].own || make(d, &made[index])) ? &made[index] : NULL;
}

const struct command *price_command_named(const char *product)
{
    const char *name;
    for (size_t i = 0; (name = price_product_name(i)); i++)
        if (!strcmp(name, product)) return price_command(i);
    return NULL;
}
