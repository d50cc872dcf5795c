/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The log, and the clock that its times are read from.
 */
#define _GNU_SOURCE /* secure_getenv */
#include "log.h"

#include "status.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
        fprintf(stderr, "bailey: BAILEY_LOG: cannot open %s: %s; logging to standard error\n", wanted,
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
