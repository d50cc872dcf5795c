/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Status names, error texts and the log.
 */
#define _GNU_SOURCE /* secure_getenv, uselocale */
#include "internal.h"

#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static _Thread_local char error_text[BLY_ERROR_TEXT];

const char *bailey_version(void)
{
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
    return TEXT(BAILEY_VERSION_MAJOR) "." TEXT(BAILEY_VERSION_MINOR) "." TEXT(BAILEY_VERSION_PATCH);
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

const char *bailey_status_text(bailey_status status)
{
    switch (status) {
#define SENTENCE(number, name, sentence)                                                                     \
    case number: return sentence;
        BAILEY_STATUS_LIST(SENTENCE)
    }
    return "unknown";
}

const char *bailey_error_text(void) { return error_text; }

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

bailey_status bly_fail(bailey_status status, const char *format, ...)
{
    /* The arguments may point into the old text. */
    char text[BLY_ERROR_TEXT];
    va_list arguments;
    va_start(arguments, format);
    bly_format(text, sizeof text, format, arguments);
    va_end(arguments);
    memcpy(error_text, text, sizeof text);
    return status;
}

const char *bailey_context_error(const bailey_context *context) { return context ? context->error : ""; }

bailey_status bly_finish(bailey_context *context, bailey_status status)
{
    if (status != BAILEY_OK && context) memcpy(context->error, error_text, sizeof context->error);
    return status;
}

double bly_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static struct {
    bailey_log_function function;
    void *user;
    int level;
    int chosen; /* by the program: the environment no longer counts */
} logger;

void bailey_log_set(bailey_log_function function, void *user, int level)
{
    logger.function = function;
    logger.user = user;
    logger.level = function ? level : 0;
    logger.chosen = 1;
}

static void log_to_stream(void *user, int level, const char *line)
{
    (void)level;
    fprintf(user, "bailey: %s\n", line);
    fflush(user);
}

/* What BAILEY_LOG asks for, unless the program has asked for something itself. */
static void log_from_environment(void)
{
    const char *wanted = secure_getenv("BAILEY_LOG");
    if (!wanted || !*wanted || strcmp(wanted, "0") == 0 || logger.chosen) return;
    if (strcmp(wanted, "1") == 0 || strcmp(wanted, "2") == 0) {
        bailey_log_set(log_to_stream, stderr, wanted[0] - '0');
        return;
    }
    FILE *file = fopen(wanted, "ae");
    if (!file)
        fprintf(stderr, "bailey: BAILEY_LOG: cannot open %s: %s; the log comes here\n", wanted,
                strerror(errno));
    bailey_log_set(log_to_stream, file ? file : stderr, file ? 2 : 1);
}

void bly_log(int level, const char *format, ...)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, log_from_environment);
    if (level > logger.level) return;
    char line[BLY_ERROR_TEXT];
    va_list arguments;
    va_start(arguments, format);
    bly_format(line, sizeof line, format, arguments);
    va_end(arguments);
    logger.function(logger.user, level, line);
}
