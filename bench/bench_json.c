/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A report that is in the file up to the last row measured, and whole even if a signal ends the program: the
 * handler writes what is missing. A row is never cut: while one is written the signal waits.
 */
#define _XOPEN_SOURCE 700
#include "bench.h"

#include <cli/io/io.h>

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DEPTH 2 /* of the rows: in a list, which is in an object */

static const char filled_end[] = "\n  ],\n  \"warnings\": []\n}\n",
                  empty_end[] = "],\n  \"warnings\": []\n}\n";
static const char *volatile end = empty_end;
static volatile sig_atomic_t stopped_by;
static atomic_flag writing = ATOMIC_FLAG_INIT;
static struct sigaction before[2]; /* of SIGINT, SIGTERM */

static void stop(int number)
{
    stopped_by = number;
    if (atomic_flag_test_and_set(&writing)) return; /* then allow_signals ends the program */
    if (write(STDOUT_FILENO, end, strlen(end)) < 0) _exit(128 + number);
    raise(number); /* the handler is the default by now */
}

static void hold_signals(void)
{
    while (atomic_flag_test_and_set(&writing)) pause(); /* the handler runs on another thread */
}

static void allow_signals(void)
{
    atomic_flag_clear(&writing);
    if (stopped_by) stop(stopped_by);
}

int bench_json_begin(const struct document *head)
{
    struct sigaction action = {.sa_handler = stop, .sa_flags = SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    hold_signals();
    sigaction(SIGINT, &action, &before[0]);
    sigaction(SIGTERM, &action, &before[1]);
    if (before[0].sa_handler == SIG_IGN)
        sigaction(SIGINT, &before[0], NULL); /* as shells have it for their background */
    const int code = document_begin(head);
    allow_signals();
    return code;
}

int bench_json_row(const struct document *row)
{
    hold_signals();
    const int code = document_element(row, DEPTH, end == filled_end);
    if (!code) end = filled_end;
    allow_signals();
    return code;
}

void bench_json_end(void)
{
    hold_signals();
    sigaction(SIGINT, &before[0], NULL);
    sigaction(SIGTERM, &before[1], NULL);
    fputs(end, stdout);
    fflush(stdout);
    atomic_flag_clear(&writing);
    if (stopped_by) raise(stopped_by);
}
