/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the parts of the program share: exit codes, errors, memory, numbers for people, progress.
 *
 * Functions that can fail print what is wrong to standard error, once, and return an exit code; 0 is
 * success, so callers just pass on what is not 0.
 */
#ifndef CLI_H
#define CLI_H

#include <bailey/bailey.h>

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLI_PRINTF(text, first)
#endif

enum {
    CLI_OK = 0,
    CLI_FAILED = 1, /* the request could not be carried out: no device, no memory, no disk, a failed test */
    CLI_USAGE = 2   /* the request is wrong: an option, a value, the contents of an input file */
};

/* "bailey paths"; errors begin with it. */
extern const char *cli_command;

/* Whose errors are printed: all, those that are not CLI_USAGE, none. For programs that run many times at
 * once, with the same words. */
enum cli_hearing { CLI_HEAR_ALL, CLI_HEAR_FAILURES, CLI_HEAR_NOTHING };
extern enum cli_hearing cli_hearing;

/* Prints "<command>: <text>" and returns `code`. */
int cli_error(int code, const char *format, ...) CLI_PRINTF(2, 3);
/* Where this thread's errors go in place of standard error, which still has the notes (code 0): the first of
 * them, to `text`, which is made empty. NULL: as before. */
void cli_error_capture(char *text, size_t size);
/* Has the library's warnings printed from now on, as notes: for commands whose reports do not have them. */
void cli_print_warnings(void);
int cli_memory_error(const char *what, uint64_t bytes);

/* OK gives 0; else prints "<what>: <the library's text>". ERROR_INVALID is a usage error. */
int cli_check(bailey_status status, const char *what);

/* The option that gave the argument which the library has refused, by pairs of both (NULL ends); `otherwise`
 * if it is none of those. */
const char *cli_refused(const char *const (*options)[2], const char *otherwise);

/* False if the product does not fit. */
int cli_multiply(uint64_t a, uint64_t b, uint64_t *product);

/* The first of `count` floats (element 4) or doubles (8) that is infinite or not a number; `count` if none
 * is.
 */
uint64_t cli_not_finite(const void *values, uint64_t count, size_t element);

/* "256.0 MB", "1,000,003" and "5 h 45 min". The text is one of a few buffers of the thread. */
const char *cli_bytes(uint64_t bytes);
const char *cli_count(uint64_t count);
const char *cli_duration(double seconds); /* two units at most, from seconds to days */

/* `text` without control characters, for names that come from drivers and files. One buffer per thread. */
const char *cli_printable(const char *text);

/* The length of the UTF-8 sequence at `text`, 0 if it is not one. */
unsigned cli_utf8(const char *text);

/* The fewest digits that read back as the same number. `size` of at least 32. */
void cli_shortest_f32(char *text, size_t size, float value);
void cli_shortest_f64(char *text, size_t size, double value);

/* Of `names` (NULL ends) the one that `word` probably meant, or NULL. */
const char *cli_nearest(const char *word, const char *const *names);

double cli_seconds(void);
void cli_elapsed_start(void);
double cli_elapsed(void); /* seconds of the whole call, from when its command began */

/* A bar on standard error: only on a terminal, only after a second. */
struct cli_progress {
    const char *what;
    double started, shown;
    uint64_t before; /* done before it was started, which does not count for the time that is left */
    int terminal, visible;
};
void cli_progress_start(struct cli_progress *progress, const char *what);
void cli_progress_update(struct cli_progress *progress, uint64_t done, uint64_t total);
void cli_progress_end(struct cli_progress *progress);

/* Standard output must have taken everything. */
int cli_finish_stdout(void);

#endif
