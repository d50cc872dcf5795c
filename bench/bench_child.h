/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A process of another language's interpreter, which answers lines with lines of JSON until it is closed.
 */
#ifndef CLI_BENCH_CHILD_H
#define CLI_BENCH_CHILD_H

#include <stddef.h>
#include <sys/types.h>

struct bench_child {
    pid_t id;
    int socket;
    char line[1024]; /* the last answer */
};

/* Starts the program words[0], which is looked for as a shell would, with these words (NULL ends). What it
 * writes to standard error goes nowhere. 0, or the error number, and then there is nothing to stop. */
int bench_child_start(struct bench_child *child, const char *const *words);
void bench_child_stop(struct bench_child *child);

int bench_child_say(const struct bench_child *child, const char *text);
/* One line of answer, without its line feed; false at the end of the process, or without an answer in ten
 * minutes. */
int bench_child_hear(struct bench_child *child);

/* Of the last answer, as Python's json.dumps writes it: a number, NaN if there is none of that key; the
 * beginning of a text, false if there is none. */
double bench_child_number(const struct bench_child *child, const char *key);
int bench_child_text(const struct bench_child *child, const char *key, char *text, size_t size);

#endif
