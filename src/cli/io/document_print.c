/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Prints a document as text for people or as JSON for programs.
 */
#include "io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LISTED = 8, LABEL_WIDTH = 26 };

/* ---- Text ---------------------------------------------------------------------------------------- */

const char *document_money(char *text, size_t size, double value)
{
    const int plain = value == 0 || (fabs(value) >= 1e-5 && fabs(value) < 1e10);
    snprintf(text, size, plain ? "%.8f" : "%.8e", value);
    return text;
}

static const char *number_text(char *text, size_t size, double value, enum document_form form)
{
    if (form == FORM_MONEY) return document_money(text, size, value);
    snprintf(text, size, form == FORM_EXACT ? "%a" : form == FORM_ROUGH ? "%.4g" : "%.10g", value);
    return text;
}

static const char *value_text(char *text, size_t size, const struct item *i, enum document_form form,
                              const char *unknown)
{
    switch (i ? i->type : ITEM_NULL) {
    case ITEM_TEXT:
    case ITEM_JSON: return cli_printable(i->text);
    case ITEM_COUNT: return cli_count(i->count);
    case ITEM_FLAG: return i->count ? "yes" : "no";
    case ITEM_NUMBER: return number_text(text, size, i->number, form);
    default: return unknown ? unknown : "not known";
    }
}

static void print_error(const struct item *error)
{
    char text[64];
    if (error->type == ITEM_NULL)
        printf("  +- not known");
    else
        printf("  +- %s standard error", document_money(text, sizeof text, error->number));
}

static void print_list(const struct item *list)
{
    char text[64];
    int n = 0;
    for (const struct item *i = list->first; i && n < MOST_LISTED; i = i->next, n++)
        printf("%s%s", n ? ", " : " ", value_text(text, sizeof text, i, list->form, NULL));
    if (list->count > MOST_LISTED) printf(", ... (%llu numbers)", (unsigned long long)list->count);
}

static void print_row(const struct item *i)
{
    char text[64];
    printf("  %-*s", LABEL_WIDTH, cli_printable(i->label));
    if (i->type == ITEM_LIST)
        print_list(i);
    else
        printf(" %*s", i->form == FORM_MONEY ? 16 : 0, value_text(text, sizeof text, i, i->form, NULL));
    if (i->error) print_error(i->error);
    printf("\n");
}

static void print_cell(const struct column *c, const char *text)
{
    if (c[1].heading || c->width > 0)
        printf("  %*s", c->width, text);
    else
        printf("  %s", text); /* the last one, without blanks behind it */
}

static void print_table(const struct item *list)
{
    char text[64];
    unsigned row = 0;
    for (const struct column *c = list->columns; c->heading; c++) print_cell(c, c->heading);
    printf("\n");
    for (struct item *i = list->first; i; i = i->next, row++) {
        for (const struct column *c = list->columns; c->heading; c++) {
            snprintf(text, sizeof text, "%u", row);
            print_cell(c, c->key
                              ? value_text(text, sizeof text, document_find(i, c->key), c->form, c->unknown)
                              : text);
        }
        printf("\n");
    }
}

static void print_words(const struct item *i)
{
    const int at = i->type == ITEM_WRAPPED ? printf("%s", i->label) : 0;
    if (i->type == ITEM_WRAPPED)
        cli_wrap(i->text, at, i->count ? (int)i->count : at);
    else
        printf(i->type == ITEM_LINE ? "%s\n" : "%s", i->text);
}

static void print_text(const struct item *i)
{
    if (i->type <= ITEM_WRAPPED)
        print_words(i);
    else if (i->columns)
        print_table(i);
    else if (i->label)
        print_row(i);
    else if (i->type == ITEM_OBJECT || i->type == ITEM_LIST)
        for (const struct item *inner = i->first; inner; inner = inner->next) print_text(inner);
}

/* ---- JSON ---------------------------------------------------------------------------------------- */

struct writer {
    struct json_line *line;  /* NULL: standard output */
    const struct item *open; /* what stays open, and so does what it is in; NULL: nothing */
    int stays_open;
    unsigned depth;
};

static int make_room(struct json_line *line, size_t more)
{
    if (line->room - line->used >= more) return 1;
    size_t room = line->room ? line->room : 1024;
    while (room - line->used < more) room *= 2;
    char *text = realloc(line->text, room);
    if (!text) return line->failed = 1, 0;
    line->text = text;
    line->room = room;
    return 1;
}

static void put(const struct writer *w, const char *text, size_t length)
{
    if (!w->line) {
        fwrite(text, 1, length, stdout);
    } else if (make_room(w->line, length)) {
        memcpy(w->line->text + w->line->used, text, length);
        w->line->used += length;
    }
}

static void put_text(const struct writer *w, const char *text) { put(w, text, strlen(text)); }

static void put_escaped(const struct writer *w, unsigned char c)
{
    char text[8];
    snprintf(text, sizeof text, c == '"' || c == '\\' ? "\\%c" : "\\u%04x", c);
    put_text(w, text);
}

static void put_string(const struct writer *w, const char *text)
{
    const char *plain = text; /* what is written as it is begins here */
    put(w, "\"", 1);
    while (*text) {
        const unsigned char c = (unsigned char)*text;
        const unsigned length = cli_utf8(text);
        if (length && c >= 32 && c != '"' && c != '\\' && c != 127) {
            text += length;
            continue;
        }
        put(w, plain, (size_t)(text - plain));
        if (length)
            put_escaped(w, c);
        else
            put_text(w, "\\ufffd");
        plain = ++text;
    }
    put(w, plain, (size_t)(text - plain));
    put(w, "\"", 1);
}

static void put_next_line(const struct writer *w)
{
    char text[80];
    if (w->line) return;
    snprintf(text, sizeof text, "\n%*s", (int)(2 * w->depth), "");
    put_text(w, text);
}

static void put_number(const struct writer *w, const struct item *i)
{
    char text[40];
    if (i->form == FORM_EXACT)
        snprintf(text, sizeof text, "\"%a\"", i->number);
    else
        cli_shortest_f64(text, sizeof text, i->number);
    put_text(w, text);
}

static void put_item(struct writer *w, const struct item *item);

static int put_member(struct writer *w, const struct item *i, int filled)
{
    if (i->type <= ITEM_WRAPPED) return filled;
    if (filled) put_text(w, w->line ? ", " : ",");
    put_next_line(w);
    if (i->key) put_string(w, i->key), put_text(w, ": ");
    put_item(w, i);
    return 1;
}

static void put_members(struct writer *w, const struct item *item)
{
    int filled = 0;
    put_text(w, item->type == ITEM_OBJECT ? "{" : "[");
    w->depth++;
    for (const struct item *i = item->first; i; i = i->next) filled = put_member(w, i, filled);
    if (item == w->open || w->stays_open) {
        w->stays_open = 1;
        return;
    }
    w->depth--;
    if (filled) put_next_line(w);
    put_text(w, item->type == ITEM_OBJECT ? "}" : "]");
}

static void put_item(struct writer *w, const struct item *i)
{
    char text[24];
    switch (i->type) {
    case ITEM_OBJECT:
    case ITEM_LIST: put_members(w, i); break;
    case ITEM_TEXT: put_string(w, i->text); break;
    case ITEM_JSON: put_text(w, i->text); break;
    case ITEM_NUMBER: put_number(w, i); break;
    case ITEM_FLAG: put_text(w, i->count ? "true" : "false"); break;
    case ITEM_COUNT:
        snprintf(text, sizeof text, "%llu", (unsigned long long)i->count);
        put_text(w, text);
        break;
    default: put_text(w, "null");
    }
}

int document_print(struct document *d, int json)
{
    if (json) document_list_warnings(d);
    if (!d || d->failed) return cli_error(CLI_FAILED, "no memory for the report");
    if (json) {
        struct writer w = {0};
        put_item(&w, &d->root);
        put_text(&w, "\n");
        return CLI_OK;
    }
    print_text(&d->root);
    return CLI_OK;
}

int document_begin(const struct document *d)
{
    if (!d || d->failed) return cli_error(CLI_FAILED, "no memory for the report");
    struct writer w = {.open = d->open[d->depth]};
    put_item(&w, &d->root);
    fflush(stdout);
    return CLI_OK;
}

int document_element(const struct document *d, unsigned depth, int filled)
{
    if (!d || d->failed) return cli_error(CLI_FAILED, "no memory for the report");
    struct writer w = {.depth = depth};
    put_member(&w, &d->root, filled);
    fflush(stdout);
    return CLI_OK;
}

void document_flush(struct document *d)
{
    document_print(d, 0);
    if (d) document_clear(d);
    fflush(stdout);
}

void document_append(const struct document *d, struct json_line *line)
{
    struct writer w = {.line = line};
    if (!d || d->failed) {
        line->failed = 1;
        return;
    }
    put_item(&w, &d->root);
    put_text(&w, "\n");
}
