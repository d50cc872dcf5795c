/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Messages about code, with the line that they are about.
 */
#include "tokens.h"

#include <base/status.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SHOWN 100 /* characters of a line; what is longer is cut around the column */
#define BEFORE 60 /* of them, before the column */

static bool is_continuation(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

/* The bytes of the character at p, with all continuation bytes that follow, valid or not. */
static size_t character_bytes(const char *p, const char *end)
{
    size_t bytes = 1;
    while (p + bytes < end && is_continuation(p[bytes])) bytes++;
    return bytes;
}

/* The code point of valid UTF-8, or 0. */
static uint32_t decode(const char *p, size_t bytes)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    const unsigned char first = (unsigned char)*p;
    if (bytes == 1) return first < 0x80 ? first : 0;
    if (bytes > 4 || first < lead[bytes] || (bytes < 4 && first >= lead[bytes + 1]) || first >= 0xf8)
        return 0;
    uint32_t code = first & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; i++) code = code << 6 | ((unsigned char)p[i] & 0x3f);
    return code >= least[bytes] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? code : 0;
}

/* Whether a terminal shows it as one character: no control, nothing invisible, nothing that turns the
 * direction of what is written. */
static bool is_shown(uint32_t code)
{
    if (code < ' ' || (code >= 0x7f && code < 0xa0) || code == 0xad || code == 0xfeff || code >= 0xe0000)
        return false;
    return !(code >= 0x200b && code <= 0x200f) && !(code >= 0x2028 && code <= 0x202e) &&
           !(code >= 0x2060 && code <= 0x206f) && !(code >= 0xfff0 && code <= 0xffff) && code != 0x61c;
}

void bly_safe_text(const char *from, size_t length, const char *instead, char *text, size_t size)
{
    const char *end = from + length;
    size_t used = 0;
    while (from < end) {
        const size_t bytes = character_bytes(from, end);
        const bool shown = is_shown(decode(from, bytes));
        if (used + (shown ? bytes : 1) >= size) break;
        if (shown)
            memcpy(text + used, from, bytes);
        else
            text[used] = instead[*from != '\t' && *from != '\v' && *from != '\f'];
        used += shown ? bytes : 1;
        from += bytes;
    }
    text[used] = 0;
}

const char *bly_code_begin(const struct bly_unit *unit)
{
    return unit->length >= 3 && memcmp(unit->code, "\xef\xbb\xbf", 3) == 0 ? unit->code + 3 : unit->code;
}

/* The line of a place; its length is without what ends it. */
static const char *find_line(const struct bly_unit *unit, uint32_t line, size_t *length)
{
    const char *end = unit->code + unit->length, *p = bly_code_begin(unit);
    for (; line > 1; line--) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        if (!newline) break;
        p = newline + 1;
    }
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    *length = (size_t)((newline ? newline : end) - p);
    if (*length > 0 && p[*length - 1] == '\r') --*length;
    return p;
}

/* "\n    LINE\n    ^". */
static void show_line(const struct bly_unit *unit, struct bly_place place, char *text, size_t size)
{
    size_t length;
    const char *line = find_line(unit, place.line, &length), *end = line + length, *from = line;
    const uint32_t column = place.column ? place.column : 1;
    const uint32_t cut = column > SHOWN ? column - BEFORE : 0;
    uint32_t passed = 0;
    for (; passed < cut && from < end; passed++) from += character_bytes(from, end);
    const char *to = from;
    for (uint32_t i = 0; i < SHOWN && to < end; i++) to += character_bytes(to, end);
    char shown[4 * SHOWN + 1];
    bly_safe_text(from, (size_t)(to - from), " ?", shown, sizeof shown);
    const uint32_t caret = column - 1 - passed;
    snprintf(text, size, "\n    %s%s\n    %*s^", passed ? "..." : "", shown,
             (int)((caret < SHOWN ? caret : SHOWN) + (passed ? 3 : 0)), "");
}

bailey_status bly_refuse_at(const struct bly_unit *unit, struct bly_place place, const char *format, ...)
{
    char what[1024], line[5 * SHOWN + 128] = "", where[32] = "";
    va_list arguments;
    va_start(arguments, format);
    bly_format(what, sizeof what, format, arguments);
    va_end(arguments);
    if (place.line) {
        snprintf(where, sizeof where, ":%u:%u", (unsigned)place.line, (unsigned)place.column);
        show_line(unit, place, line, sizeof line);
    }
    return bly_fail_argument(unit->argument ? unit->argument : "payoff", "%s%s: %s%s", unit->name, where,
                             what, line);
}

bailey_status bly_no_memory(const struct bly_unit *unit)
{
    if (unit->arena.full)
        return bly_refuse_at(unit, (struct bly_place){0, 0},
                             "the code is too large: reading it takes more than %u MiB",
                             BLY_MOST_ARENA >> 20);
    return bly_fail(BAILEY_ERROR_MEMORY, "%s: no memory to read the code", unit->name);
}

void bly_unit_name(struct bly_unit *unit, const char *name)
{
    if (!name || !*name) name = unit->kind == BLY_UNIT_LEVELS ? "levels.c" : "payoff.c";
    bly_safe_text(name, strlen(name), "__", unit->name, sizeof unit->name);
    for (char *p = unit->name; *p; p++)
        if (strchr("\"\\?'", *p)) *p = '_';
}
