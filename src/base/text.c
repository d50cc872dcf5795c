/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Texts that grow by doubling. Failures are remembered rather than returned, so that a writer of many lines
 * asks once, at the end.
 */
#include "text.h"

#include "alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Makes room for `more` characters and the end; returns 0 without memory. */
static int reserve(struct bly_text *text, size_t more)
{
    const size_t size = 2 * (text->used + more + 1) + 4096;
    char *data = bly_alloc(size, 1);
    if (!data) return 0;
    if (text->data) memcpy(data, text->data, text->used);
    bly_free(text->data);
    text->data = data;
    text->size = size;
    return 1;
}

void bly_text_add(struct bly_text *text, const char *format, ...)
{
    const size_t room = text->size - text->used;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(room ? text->data + text->used : NULL, room, format, arguments);
    if (length < 0) text->failed = 1;
    if (!text->failed && (size_t)length >= room) {
        text->failed = !reserve(text, (size_t)length);
        if (!text->failed) vsnprintf(text->data + text->used, (size_t)length + 1, format, again);
    }
    if (!text->failed) text->used += (size_t)length;
    va_end(again);
    va_end(arguments);
}
