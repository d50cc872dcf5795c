/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "text.h"

#include "alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void bly_text_add(struct bly_text *text, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    const int wanted = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (wanted < 0 || (size_t)wanted >= sizeof line) text->failed = 1;
    if (text->failed) return;
    const size_t length = (size_t)wanted;
    if (text->used + length + 1 > text->size) {
        const size_t size = 2 * (text->used + length + 1) + 4096;
        char *data = bly_alloc(size, 1);
        if (!data) {
            text->failed = 1;
            return;
        }
        if (text->data) memcpy(data, text->data, text->used);
        bly_free(text->data);
        text->data = data;
        text->size = size;
    }
    memcpy(text->data + text->used, line, length + 1);
    text->used += length;
}
