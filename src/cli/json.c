/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "json.h"

#include "cli.h"

#include <math.h>
#include <stdio.h>

static void string(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    putchar('"');
    while (*s) {
        unsigned length = cli_utf8((const char *)s);
        if (*s == '"' || *s == '\\')
            printf("\\%c", *s);
        else if (*s < 32 || *s == 127)
            printf("\\u%04x", *s);
        else if (!length)
            fputs("\\ufffd", stdout);
        else
            fwrite(s, 1, length, stdout);
        s += length ? length : 1;
    }
    putchar('"');
}

static void begin(struct json *json, const char *key)
{
    if (json->depth) {
        printf("%s\n%*s", json->filled ? "," : "", (int)(2 * json->depth), "");
        json->filled = 1;
    }
    if (key) {
        string(key);
        fputs(": ", stdout);
    }
}

void json_open(struct json *json, const char *key, char bracket)
{
    begin(json, key);
    putchar(bracket);
    json->depth++;
    json->filled = 0;
}

void json_close(struct json *json, char bracket)
{
    json->depth--;
    if (json->filled) printf("\n%*s", (int)(2 * json->depth), "");
    putchar(bracket);
    json->filled = 1;
    if (!json->depth) putchar('\n');
}

void json_text(struct json *json, const char *key, const char *value)
{
    begin(json, key);
    string(value);
}

void json_number(struct json *json, const char *key, double value)
{
    char text[40];
    begin(json, key);
    if (isfinite(value)) cli_shortest_f64(text, sizeof text, value);
    fputs(isfinite(value) ? text : "null", stdout);
}

void json_integer(struct json *json, const char *key, uint64_t value)
{
    begin(json, key);
    printf("%llu", (unsigned long long)value);
}

void json_boolean(struct json *json, const char *key, int value)
{
    begin(json, key);
    fputs(value ? "true" : "false", stdout);
}
