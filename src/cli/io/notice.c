/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The library is inside the driver's compiler meanwhile, so a thread watches the clock. Lines of the log that
 * end in "..." announce something, which the next line ends.
 */
#define _XOPEN_SOURCE 700

#include "io.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static char announced[79]; /* "": nothing */
static unsigned turn;      /* counts the lines */
static int visible;

static void take_line(void *user, int level, const char *line)
{
    const size_t length = strlen(line);
    const int announces = length > 4 && !strcmp(line + length - 4, " ...");
    (void)user, (void)level;
    pthread_mutex_lock(&mutex);
    if (visible) fputs("\r\033[K", stderr);
    visible = 0;
    turn++;
    snprintf(announced, sizeof announced, "%s", announces ? cli_printable(line) : "");
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}

/* Shows what has been announced for a second. */
static void *watch(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    for (;;) {
        const unsigned seen = turn;
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec++;
        while (turn == seen && *announced && !visible)
            if (pthread_cond_timedwait(&changed, &mutex, &until)) {
                fprintf(stderr, "\r\033[K%s", announced);
                fflush(stderr);
                visible = 1;
            }
        while (turn == seen) pthread_cond_wait(&changed, &mutex);
    }
    return NULL;
}

int notice_log_is_on(void)
{
    const char *wanted = getenv("BAILEY_LOG");
    return wanted && *wanted && strcmp(wanted, "0") != 0;
}

void notice_start(void)
{
    static int started;
    pthread_t thread;
    if (started || !isatty(STDERR_FILENO) || notice_log_is_on()) return;
    started = 1;
    if (pthread_create(&thread, NULL, watch, NULL)) return;
    pthread_detach(thread);
    bailey_log_set(take_line, NULL, 1);
}
