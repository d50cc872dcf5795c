/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Builds the one tree that a report is, from which document_print.c prints text or JSON: so both have the
 * same numbers. Structs of the library are added by their descriptions, so that a new field needs no code
 * here.
 */
#include "io.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory ------------------------------------------------------------------------------------- */

static void *take(struct document *d, size_t bytes)
{
    void *taken = arena_take(&d->arena, bytes);
    if (!taken) d->failed = 1;
    return taken;
}

static const char *copy(struct document *d, const char *text)
{
    const char *copied = arena_copy(&d->arena, text);
    if (!copied) d->failed = 1;
    return copied ? copied : "";
}

struct document *document_new(void)
{
    struct document *d = calloc(1, sizeof *d);
    if (d) document_clear(d);
    return d;
}

void document_clear(struct document *d)
{
    arena_clear(&d->arena);
    *d = (struct document){.arena = d->arena, .root.type = ITEM_OBJECT, .quiet = d->quiet};
    d->open[0] = &d->root;
}

void document_free(struct document *d)
{
    if (d) arena_free(&d->arena);
    free(d);
}

/* ---- Members ------------------------------------------------------------------------------------- */

static void verify_key(const struct item *object, const char *key)
{
#ifndef NDEBUG
    for (const struct item *i = object->first; i && key; i = i->next) {
        if (!i->key || strcmp(i->key, key)) continue;
        fprintf(stderr, "JSON: the key %s comes twice in one object\n", key);
        abort();
    }
#else
    (void)object;
    (void)key;
#endif
}

static void append(struct item *to, struct item *item)
{
    if (to->last)
        to->last->next = item;
    else
        to->first = item;
    to->last = item;
    to->count++;
}

/* Without memory, one that nothing has. */
static struct item *lose(enum item_type type)
{
    static _Thread_local struct item lost;
    lost = (struct item){.type = type};
    return &lost;
}

static struct item *add(struct document *d, const char *key, enum item_type type)
{
    struct item *item = d ? take(d, sizeof *item) : NULL;
    if (!item) return lose(type);
    verify_key(d->open[d->depth], key);
    item->key = key;
    item->type = type;
    append(d->open[d->depth], item);
    return item;
}

struct item *document_open(struct document *d, const char *key, char bracket)
{
    struct item *item = add(d, key, bracket == '{' ? ITEM_OBJECT : ITEM_LIST);
    if (d && d->depth + 1 < DOCUMENT_DEPTH) d->open[++d->depth] = item;
    return item;
}

void document_close(struct document *d)
{
    if (d && d->depth) d->depth--;
}

struct item *document_text(struct document *d, const char *key, const char *value)
{
    struct item *item = add(d, key, value ? ITEM_TEXT : ITEM_NULL);
    if (d && value) item->text = copy(d, value);
    return item;
}

struct item *document_number(struct document *d, const char *key, double value)
{
    struct item *item = add(d, key, isfinite(value) ? ITEM_NUMBER : ITEM_NULL);
    item->number = value;
    return item;
}

struct item *document_count(struct document *d, const char *key, uint64_t value)
{
    struct item *item = add(d, key, ITEM_COUNT);
    item->count = value;
    return item;
}

struct item *document_flag(struct document *d, const char *key, int value)
{
    struct item *item = add(d, key, ITEM_FLAG);
    item->count = value != 0;
    return item;
}

struct item *document_json(struct document *d, const char *key, const char *value)
{
    struct item *item = add(d, key, ITEM_JSON);
    if (d) item->text = copy(d, value);
    return item;
}

struct item *document_numbers(struct document *d, const char *key, const double *values, uint64_t count)
{
    struct item *list = document_open(d, key, '[');
    for (uint64_t i = 0; i < count; i++) document_number(d, NULL, values[i]);
    document_close(d);
    return list;
}

static void add_words(struct document *d, enum item_type type, const char *format, va_list arguments)
{
    char text[1200];
    vsnprintf(text, sizeof text, format, arguments);
    struct item *item = add(d, NULL, type);
    if (d) item->text = copy(d, text);
}

void document_line(struct document *d, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_words(d, ITEM_LINE, format, arguments);
    va_end(arguments);
}

void document_put(struct document *d, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_words(d, ITEM_FRAGMENT, format, arguments);
    va_end(arguments);
}

void document_gap(struct document *d) { document_line(d, "%s", ""); }

void document_wrap(struct document *d, const char *before, const char *text, unsigned indent)
{
    struct item *item = add(d, NULL, ITEM_WRAPPED);
    item->count = indent;
    if (!d) return;
    item->label = copy(d, before);
    item->text = copy(d, text);
}

void document_quiet(struct document *d)
{
    if (d) d->quiet = 1;
}

void document_warn(struct document *d, const char *format, ...)
{
    char text[800];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!d || !d->quiet) cli_error(CLI_OK, "warning: %s", cli_printable(text));
    struct item *item = d ? take(d, sizeof *item) : NULL;
    if (!item) return;
    *item = (struct item){.type = ITEM_TEXT, .text = copy(d, text)};
    append(&d->warnings, item);
}

void document_list_warnings(struct document *d)
{
    struct item *list = document_open(d, "warnings", '[');
    document_close(d);
    if (!d) return;
    list->first = d->warnings.first;
    list->count = d->warnings.count;
}

/* ---- Records ------------------------------------------------------------------------------------- */

static uint64_t load_count(const bailey_field *f, const char *at)
{
    uint64_t wide;
    uint32_t narrow;
    if (f->type == BAILEY_FIELD_TYPE_UINT64) return memcpy(&wide, at, sizeof wide), wide;
    return memcpy(&narrow, at, sizeof narrow), narrow;
}

static size_t element_bytes(const bailey_field *f)
{
    if (f->type == BAILEY_FIELD_TYPE_RECORD) return bailey_describe(f->record)->size;
    if (f->type == BAILEY_FIELD_TYPE_TEXT) return sizeof(char *);
    return f->type == BAILEY_FIELD_TYPE_REAL || f->type == BAILEY_FIELD_TYPE_UINT64 ? 8 : 4;
}

/* How many elements "[levels]" or "[count][dims]" are, by fields of the struct; false of another shape. */
static int find_count(const bailey_record *r, const char *values, const char *shape, uint64_t *count)
{
    char name[64];
    *count = 1;
    for (; shape && *shape == '['; shape += strcspn(shape, "]") + 1) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(shape + 1, "]"), shape + 1);
        const bailey_field *f = bailey_record_field(r, name);
        if (!f) return 0;
        const uint64_t one = load_count(f, values + f->offset);
        if (!cli_multiply(*count, one ? one : (uint64_t)f->default_value, count)) return 0;
    }
    return shape && !*shape;
}

const char *document_word(const bailey_field *f, int value)
{
    for (uint32_t i = 0; f && i < f->choice_count; i++)
        if (f->choices[i].value == value) return f->choices[i].name;
    return NULL;
}

/* A number of a parameter may stand for its default, which is another number or a sentence. */
static struct item *add_number(struct document *d, const bailey_field *f, int result, double value,
                               uint64_t count, const char *key)
{
    const int is_default = !result && value == 0 && !f->count && !f->pointer;
    if (is_default && f->default_how) return document_text(d, key, NULL);
    if (f->choices && f->type == BAILEY_FIELD_TYPE_CHOICE)
        return document_text(d, key, document_word(f, (int)value));
    if (is_default && f->default_value != 0) value = f->default_value, count = (uint64_t)f->default_value;
    return f->type == BAILEY_FIELD_TYPE_REAL ? document_number(d, key, value) : document_count(d, key, count);
}

static struct item *add_element(struct document *d, const bailey_field *f, int result, const char *at,
                                const char *key)
{
    double real;
    const char *text;
    int choice;
    uint64_t count;
    switch (f->type) {
    case BAILEY_FIELD_TYPE_RECORD: return document_record(d, key, f->record, at);
    case BAILEY_FIELD_TYPE_CHARS: return document_text(d, key, at);
    case BAILEY_FIELD_TYPE_TEXT: return memcpy(&text, at, sizeof text), document_text(d, key, text);
    case BAILEY_FIELD_TYPE_FLAG: return document_flag(d, key, load_count(f, at) != 0);
    case BAILEY_FIELD_TYPE_REAL:
        return memcpy(&real, at, sizeof real), add_number(d, f, result, real, 0, key);
    case BAILEY_FIELD_TYPE_CHOICE:
        return memcpy(&choice, at, sizeof choice), add_number(d, f, result, choice, 0, key);
    default: count = load_count(f, at); return add_number(d, f, result, (double)count, count, key);
    }
}

static struct item *add_field(struct document *d, const bailey_record *r, const bailey_field *f,
                              const char *values)
{
    const char *at = values + f->offset;
    uint64_t count = 0;
    if (f->type >= BAILEY_FIELD_TYPE_BUFFER) return NULL;
    const int is_array = f->type != BAILEY_FIELD_TYPE_CHARS && f->shape;
    if (!is_array && f->pointer && f->type != BAILEY_FIELD_TYPE_TEXT) return NULL;
    if (!is_array) return add_element(d, f, (int)r->result, at, f->name);
    if (!find_count(r, values, f->shape, &count)) return NULL;
    if (f->pointer) memcpy(&at, at, sizeof at);
    struct item *list = document_open(d, f->name, '[');
    for (uint64_t i = 0; at && i < count; i++, at += element_bytes(f))
        add_element(d, f, (int)r->result, at, NULL);
    document_close(d);
    return list;
}

static int is_listed(const char *names, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = names; at; at = strchr(at, ' '), at += at != NULL)
        if (!strncmp(at, name, length) && (at[length] == ' ' || !at[length])) return 1;
    return !names;
}

struct item *document_fields(struct document *d, const char *record, const void *values, const char *names)
{
    const bailey_record *r = bailey_describe(record);
    struct item *last = NULL;
    for (uint32_t i = 0; r && i < r->field_count; i++) {
        if (!is_listed(names, r->fields[i].name)) continue;
        struct item *item = add_field(d, r, &r->fields[i], values);
        if (!item) continue;
        item->field = &r->fields[i];
        last = item;
    }
    return last;
}

struct item *document_record(struct document *d, const char *key, const char *record, const void *values)
{
    struct item *object = document_open(d, key, '{');
    document_fields(d, record, values, NULL);
    document_close(d);
    return object;
}

struct item *document_show(struct document *d, struct item *item, const char *label, enum document_form form)
{
    if (!item) item = lose(ITEM_NULL);
    if (d) item->label = copy(d, label);
    item->form = form;
    return item;
}

struct item *document_open_object(struct document *d) { return d ? d->open[d->depth] : lose(ITEM_OBJECT); }

struct item *document_find(struct item *object, const char *path)
{
    const size_t length = strcspn(path, ".");
    for (struct item *i = object->first; i; i = i->next)
        if (i->key && strlen(i->key) == length && !memcmp(i->key, path, length))
            return path[length] ? document_find(i, path + length + 1) : i;
    return NULL;
}
