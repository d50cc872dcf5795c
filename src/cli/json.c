/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "json.h"

#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int make_room(struct json_line *line, size_t more)
{
    if (line->room - line->used >= more) return 1;
    size_t room = line->room ? line->room : 1024;
    while (room - line->used < more) room *= 2;
    char *text = realloc(line->text, room);
    if (!text) {
        line->failed = 1;
        return 0;
    }
    line->text = text;
    line->room = room;
    return 1;
}

static void put(struct json *json, const char *text, size_t length)
{
    struct json_line *line = json->line;
    if (!line) {
        fwrite(text, 1, length, stdout);
        return;
    }
    if (!make_room(line, length)) return;
    memcpy(line->text + line->used, text, length);
    line->used += length;
}

static void put_text(struct json *json, const char *text) { put(json, text, strlen(text)); }

static void put_escaped(struct json *json, unsigned char c)
{
    char text[8];
    snprintf(text, sizeof text, c == '"' || c == '\\' ? "\\%c" : "\\u%04x", c);
    put_text(json, text);
}

static void string(struct json *json, const char *text)
{
    const char *plain = text; /* what is written as it is begins here */
    put(json, "\"", 1);
    while (*text) {
        const unsigned char c = (unsigned char)*text;
        const unsigned length = cli_utf8(text);
        if (length && c >= 32 && c != '"' && c != '\\' && c != 127) {
            text += length;
            continue;
        }
        put(json, plain, (size_t)(text - plain));
        if (length)
            put_escaped(json, c);
        else
            put_text(json, "\\ufffd");
        plain = ++text;
    }
    put(json, plain, (size_t)(text - plain));
    put(json, "\"", 1);
}

static void next_line(struct json *json)
{
    char text[80];
    snprintf(text, sizeof text, "\n%*s", (int)(2 * json->depth), "");
    put_text(json, text);
}

#ifdef NDEBUG
static void add_key(const struct json *json, const char *key)
{
    (void)json;
    (void)key;
}

static void drop_keys(const struct json *json) { (void)json; }
#else
struct json_key {
    struct json_key *next;
    unsigned depth;
    char text[];
};

static void add_key(struct json *json, const char *key)
{
    for (const struct json_key *k = json->keys; k && k->depth == json->depth; k = k->next) {
        if (strcmp(k->text, key)) continue;
        fprintf(stderr, "JSON: the key %s comes twice in one object\n", key);
        abort();
    }
    struct json_key *k = malloc(sizeof *k + strlen(key) + 1);
    if (!k) return;
    k->next = json->keys;
    k->depth = json->depth;
    strcpy(k->text, key);
    json->keys = k;
}

/* Those of the object that was closed. */
static void drop_keys(struct json *json)
{
    while (json->keys && json->keys->depth > json->depth) {
        struct json_key *next = json->keys->next;
        free(json->keys);
        json->keys = next;
    }
}
#endif

static void begin(struct json *json, const char *key)
{
    if (json->depth) {
        if (json->filled) put_text(json, json->line ? ", " : ",");
        if (!json->line) next_line(json);
        json->filled = 1;
    }
    if (key) {
        add_key(json, key);
        string(json, key);
        put_text(json, ": ");
    }
}

void json_open(struct json *json, const char *key, char bracket)
{
    begin(json, key);
    put(json, &bracket, 1);
    json->depth++;
    json->filled = 0;
}

void json_close(struct json *json, char bracket)
{
    json->depth--;
    drop_keys(json);
    if (json->filled && !json->line) next_line(json);
    put(json, &bracket, 1);
    json->filled = 1;
    if (!json->depth) put(json, "\n", 1);
}

void json_text(struct json *json, const char *key, const char *value)
{
    begin(json, key);
    string(json, value);
}

void json_number(struct json *json, const char *key, double value)
{
    char text[40];
    begin(json, key);
    if (isfinite(value)) cli_shortest_f64(text, sizeof text, value);
    put_text(json, isfinite(value) ? text : "null");
}

void json_count(struct json *json, const char *key, uint64_t value)
{
    char text[24];
    begin(json, key);
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    put_text(json, text);
}

void json_flag(struct json *json, const char *key, int value)
{
    begin(json, key);
    put_text(json, value ? "true" : "false");
}

void json_ready(struct json *json, const char *key, const char *value)
{
    begin(json, key);
    put_text(json, value);
}
