/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Names of status values, and error texts.
 */
#define _GNU_SOURCE /* uselocale */
#include "status.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char error_text[BLY_ERROR_TEXT];
static _Thread_local const char *error_argument = "";

const char *bailey_version(void)
{
#define STRING_(x) #x
#define STRING(x) STRING_(x)
    return STRING(BAILEY_VERSION_MAJOR) "." STRING(BAILEY_VERSION_MINOR) "." STRING(BAILEY_VERSION_PATCH);
}

const char *bailey_status_name(bailey_status status)
{
    switch (status) {
#define NAME(number, name, sentence)                                                                         \
    case number: return "BAILEY_" #name;
        BAILEY_STATUS_LIST(NAME)
    }
    return "unknown";
}

const char *bailey_status_message(bailey_status status)
{
    switch (status) {
#define SENTENCE(number, name, sentence)                                                                     \
    case number: return sentence;
        BAILEY_STATUS_LIST(SENTENCE)
    }
    return "unknown";
}

const char *bailey_error_message(void) { return error_text; }
const char *bailey_error_argument(void) { return error_argument; }

/* The locale is this thread's alone, and only for a moment. glibc and musl have the "C" locale ready:
 * newlocale allocates nothing there and does not fail. */
void bly_format(char *text, size_t size, const char *format, va_list arguments)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const locale_t callers = plain ? uselocale(plain) : (locale_t)0;
    vsnprintf(text, size, format, arguments);
    if (!plain) return;
    uselocale(callers);
    freelocale(plain);
}

static void fail(const char *argument, const char *format, va_list arguments)
{
    char text[BLY_ERROR_TEXT]; /* the arguments may point into the old one */
    bly_format(text, sizeof text, format, arguments);
    memcpy(error_text, text, sizeof text);
    error_argument = argument;
}

bailey_status bly_fail(bailey_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail("", format, arguments);
    va_end(arguments);
    return status;
}

bailey_status bly_fail_argument(const char *argument, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail(argument, format, arguments);
    va_end(arguments);
    return BAILEY_ERROR_INVALID;
}

bailey_status bly_check_reserved(const uint64_t reserved[4])
{
    if (!(reserved[0] | reserved[1] | reserved[2] | reserved[3])) return BAILEY_OK;
    return bly_fail_argument("reserved",
                             "reserved is not 0: the struct was not zeroed, or it sets a field that this "
                             "version, %s, does not have",
                             bailey_version());
}

bailey_status bly_name_argument(bailey_status status, const char *argument)
{
    if (status != BAILEY_OK) error_argument = argument;
    return status;
}
