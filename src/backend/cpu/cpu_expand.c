/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * One text from a program and the headers that it includes. Headers with an include guard appear once where
 * that is enough: after they have appeared outside of every condition, apart from the guards around them.
 * Without this the kernels' headers would take 11 MB.
 */
#include "cpu_program.h"

#include <backend/backend.h>

#include <stdlib.h>
#include <string.h>

struct expansion {
    struct bly_text *out;
    unsigned char *done; /* by embedded header: it need not appear again; NULL without memory for it */
    int depth;           /* conditions around the line, apart from guards */
};

/* What follows `word` in a directive, or NULL if the line is not one of that word. */
static const char *directive(const char *line, const char *word)
{
    line += strspn(line, " \t");
    if (*line != '#') return NULL;
    line++;
    line += strspn(line, " \t");
    const size_t length = strlen(word);
    return strncmp(line, word, length) == 0 ? line + length : NULL;
}

/* The number of the embedded header that the line includes, or -1. */
static int included(const char *line)
{
    const char *name = directive(line, "include");
    if (!name) return -1;
    name += strspn(name, " \t");
    if (*name++ != '"') return -1;
    const size_t length = strcspn(name, "\"\n");
    for (int i = 0; bly_embedded_headers[i].name; i++)
        if (strncmp(bly_embedded_headers[i].name, name, length) == 0 && !bly_embedded_headers[i].name[length])
            return i;
    return -1;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* Whether the first directive of a header is #ifndef, as its guard is. */
static int is_guarded(const char *text)
{
    for (; *text; text = next_line(text))
        if (directive(text, "")) return directive(text, "ifndef") != NULL;
    return 0;
}

static void expand(struct expansion *e, const char *name, const char *text);

static void expand_header(struct expansion *e, int number)
{
    const struct bly_embedded *header = &bly_embedded_headers[number];
    const int guarded = is_guarded(header->text);
    if (e->done && e->done[number]) return;
    if (e->done && guarded && e->depth == 0) e->done[number] = 1;
    e->depth -= guarded;
    expand(e, header->name, header->text);
    e->depth += guarded;
}

static void expand(struct expansion *e, const char *name, const char *text)
{
    unsigned long number = 1;
    bly_text_add(e->out, "#line 1 \"%s\"\n", name);
    for (const char *line = text; *line; number++) {
        const char *end = next_line(line);
        const int header = included(line);
        if (directive(line, "if")) e->depth++; /* #ifdef and #ifndef too */
        if (directive(line, "endif")) e->depth--;
        if (header >= 0) {
            expand_header(e, header);
            bly_text_add(e->out, "#line %lu \"%s\"\n", number + 1, name);
        } else {
            bly_text_add(e->out, "%.*s", (int)(end - line), line);
        }
        line = end;
    }
    bly_text_add(e->out, "\n");
}

void bly_cpu_expand(const char *name, const char *text, struct bly_text *out)
{
    size_t count = 0;
    while (bly_embedded_headers[count].name) count++;
    struct expansion e = {out, calloc(count + 1, 1), 0};
    expand(&e, name, text);
    free(e.done);
}
