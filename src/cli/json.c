/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "json.h"

#include "cli.h"

#include <math.h>
#include <stdio.h>

/* The length of the UTF-8 sequence at `s`, 0 if it is none. */
static unsigned utf8(const unsigned char *s)
{
    unsigned length = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : 0;
    if (s[0] >= 0xf0 && s[0] < 0xf5) length = 4;
    for (unsigned i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) return 0;
    }
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
        (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return length;
}

static void string(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    putchar('"');
    while (*s) {
        unsigned length = utf8(s);
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
