/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What a compiler says of a program, as words about the text that it was made of.
 */
#include "payoff.h"

#include <base/status.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The line of the payoff that a compiler's words name after `mark`, as in "payoff.c:7:" or "payoff.c(7)"; 0
 * if they name none. */
static long line_after(const char *words, const char *mark)
{
    const size_t length = strlen(mark);
    for (const char *at = strstr(words, mark); at; at = strstr(at + 1, mark)) {
        const char *digits = at + length + 1;
        if ((at[length] == ':' || at[length] == '(') && isdigit((unsigned char)*digits))
            return strtol(digits, NULL, 10);
    }
    return 0;
}

/* Lines of the program before the payoff's first. */
static long lines_before(const char *text, const char *name)
{
    char mark[BLY_ERROR_TEXT];
    snprintf(mark, sizeof mark, "#line 1 \"%s\"", name);
    const char *end = strstr(text, mark);
    long lines = 1;
    for (const char *at = text; end && at < end; at++) lines += *at == '\n';
    return lines;
}

/* NVIDIA's OpenCL takes no notice of #line and counts lines of the program. */
bailey_status bly_payoff_name_line(const char *argument, const char *name, const char *text,
                                   bailey_status status)
{
    char words[BLY_ERROR_TEXT];
    if (status != BAILEY_ERROR_BUILD) return status;
    snprintf(words, sizeof words, "%s", bailey_error_text());
    long line = line_after(words, name);
    if (line == 0) line = line_after(words, "<kernel>") - lines_before(text, name);
    if (line <= 0) return status;
    bly_fail(status, "%s, line %ld does not compile: %s", name, line, words);
    return bly_name_argument(status, argument);
}
