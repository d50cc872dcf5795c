/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Helpers of the tests of pages of docs/: the page BLY_PAGE, its blocks of C, and the example BLY_EXAMPLE.
 */
#ifndef PAGES_H
#define PAGES_H

#include "harness.h"

static char *page, *example;

static inline char *read_whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    const long length = ftell(file);
    rewind(file);
    char *text = calloc((size_t)length + 1, 1);
    const size_t got = text ? fread(text, 1, (size_t)length, file) : 0;
    fclose(file);
    return got == (size_t)length ? text : NULL;
}

/* The block of C at *from or behind it, and *from behind that. The caller frees it. */
static inline char *next_block(const char **from)
{
    static const char open[] = "\n```c\n", close[] = "\n```";
    const char *begin = strstr(*from, open);
    if (!begin) return NULL;
    begin += strlen(open);
    const char *end = strstr(begin, close);
    assert_non_null(end);
    char *block = calloc((size_t)(end - begin) + 2, 1);
    assert_non_null(block);
    memcpy(block, begin, (size_t)(end - begin) + 1); /* with its last line's end */
    *from = end + strlen(close);
    return block;
}

/* Whether a block's first line says KIND: NAME. */
static inline int is_called(const char *block, const char *kind, const char *name)
{
    char first[100];
    const int length = snprintf(first, sizeof first, "/* %s: %s */\n", kind, name);
    return strncmp(block, first, (size_t)length) == 0;
}

static inline char *find_block(const char *kind, const char *name)
{
    const char *from = page;
    for (char *block = next_block(&from); block; block = next_block(&from)) {
        if (is_called(block, kind, name)) return block;
        free(block);
    }
    fail_msg("the page has no text %s", name);
    return NULL;
}

static int open_page(void **state)
{
    (void)state;
    page = read_whole(BLY_PAGE);
    example = read_whole(BLY_EXAMPLE);
    return page && example ? 0 : -1;
}
static int close_page(void **state)
{
    (void)state;
    free(page);
    free(example);
    return 0;
}
FIXTURE(open_page, close_page)

#endif
