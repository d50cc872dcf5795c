/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Shared by every part of the program: errors, printed once, where they occur; numbers as people read them;
 * the progress bar.
 */
#define _XOPEN_SOURCE 700

#include "io.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const char *cli_command = "bailey";
enum cli_hearing cli_hearing = CLI_HEAR_ALL;

static _Thread_local char *captured;
static _Thread_local size_t captured_size;

void cli_error_capture(char *text, size_t size)
{
    captured = text;
    captured_size = size;
    if (text) *text = 0;
}

static void print_error(const char *format, va_list arguments)
{
    fflush(stdout);
    flockfile(stderr);
    fprintf(stderr, "%s: ", cli_command);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    funlockfile(stderr);
}

int cli_error(int code, const char *format, ...)
{
    va_list arguments;
    const int heard = cli_hearing == CLI_HEAR_ALL || (cli_hearing == CLI_HEAR_FAILURES && code == CLI_FAILED);
    va_start(arguments, format);
    if (code && captured) {
        if (!*captured) vsnprintf(captured, captured_size, format, arguments);
    } else if (heard) {
        print_error(format, arguments);
    }
    va_end(arguments);
    return code;
}

/* The same words twice in a row are one warning: of several devices, or of many deals that are alike. */
void cli_print_warning(void *user, const char *message)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static char last[512];
    (void)user;
    pthread_mutex_lock(&mutex);
    const int again = strncmp(last, message, sizeof last - 1) == 0;
    snprintf(last, sizeof last, "%s", message);
    pthread_mutex_unlock(&mutex);
    if (!again) cli_error(CLI_OK, "warning: %s", message);
}

void cli_print_warnings(void) { bailey_warning_set(cli_print_warning, NULL); }

int cli_memory_error(const char *what, uint64_t bytes)
{
    return cli_error(CLI_FAILED, "not enough memory for %s (%s)", what, cli_bytes(bytes));
}

int cli_check(bailey_status status, const char *what)
{
    if (status == BAILEY_OK) return CLI_OK;
    const char *text = bailey_error_message();
    if (!*text) text = bailey_status_message(status);
    const int wrong = status == BAILEY_ERROR_INVALID || status == BAILEY_ERROR_PAYOFF;
    return cli_error(wrong ? CLI_USAGE : CLI_FAILED, "%s%s%s", what, *what ? ": " : "", text);
}

const char *cli_refused(const char *const (*options)[2], const char *otherwise)
{
    for (; **options; options++)
        if (!strcmp(bailey_error_argument(), (*options)[0])) return (*options)[1];
    return otherwise;
}

int cli_multiply(uint64_t a, uint64_t b, uint64_t *product)
{
    if (b && a > UINT64_MAX / b) return 0;
    *product = a * b;
    return 1;
}

/* An exponent of ones carries into the sign's bit: integers only, which compilers make vectors of. */
static uint32_t any_not_finite_f32(const char *values, size_t count)
{
    uint32_t any = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, values + i * sizeof bits, sizeof bits);
        any |= (bits & UINT32_C(0x7f800000)) + UINT32_C(0x00800000);
    }
    return any >> 31;
}

static uint64_t any_not_finite_f64(const char *values, size_t count)
{
    uint64_t any = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, values + i * sizeof bits, sizeof bits);
        any |= (bits & UINT64_C(0x7ff0000000000000)) + UINT64_C(0x0010000000000000);
    }
    return any >> 63;
}

static int any_not_finite(const char *values, size_t count, size_t element)
{
    return element == 4 ? any_not_finite_f32(values, count) != 0 : any_not_finite_f64(values, count) != 0;
}

uint64_t cli_not_finite(const void *values, uint64_t count, size_t element)
{
    const char *from = values;
    for (uint64_t first = 0; first < count; first += 4096) {
        uint64_t end = count - first < 4096 ? count : first + 4096;
        if (!any_not_finite(from + first * element, (size_t)(end - first), element)) continue;
        while (!any_not_finite(from + first * element, 1, element)) first++;
        return first;
    }
    return count;
}

static char *static_text(void)
{
    static _Thread_local char texts[8][40];
    static _Thread_local unsigned next;
    return texts[next++ % 8];
}

const char *cli_bytes(uint64_t bytes)
{
    static const char *const units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    char *text = static_text();
    if (bytes < 1000) {
        snprintf(text, 40, "%u B", (unsigned)bytes);
        return text;
    }
    double value = (double)bytes / 1000.0;
    unsigned unit = 0;
    while (value >= 999.95 && unit < 5) {
        value /= 1000.0;
        unit++;
    }
    snprintf(text, 40, "%.1f %s", value, units[unit]);
    return text;
}

const char *cli_count(uint64_t count)
{
    char digits[24];
    char *text = static_text(), *out = text;
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0) *out++ = ',';
        *out++ = digits[i];
    }
    *out = 0;
    return text;
}

const char *cli_duration(double seconds)
{
    static const struct {
        const char *large, *small;
        double larges, smalls; /* seconds of each */
    } units[] = {{"min", "s", 60, 1}, {"h", "min", 3600, 60}, {"d", "h", 86400, 3600}};
    char *text = static_text();
    double rounded = floor(seconds + 0.5);
    int i = 0;
    for (; i < 2 && rounded >= units[i + 1].larges; i++)
        rounded = floor(seconds / units[i + 1].smalls + 0.5) * units[i + 1].smalls;
    if (rounded < 60)
        snprintf(text, 40, "%.0f s", rounded);
    else
        snprintf(text, 40, "%.0f %s %.0f %s", floor(rounded / units[i].larges), units[i].large,
                 fmod(rounded, units[i].larges) / units[i].smalls, units[i].small);
    return text;
}

const char *cli_printable(const char *text)
{
    static _Thread_local char clean[512];
    size_t n = 0;
    for (; *text && n + 1 < sizeof clean; text++)
        clean[n++] = (unsigned char)*text < 32 || *text == 127 ? ' ' : *text;
    clean[n] = 0;
    return clean;
}

void cli_wrap(const char *text, int at, int indent)
{
    for (int column = at; *text;) {
        int length = (int)strcspn(text, " ");
        if (length > 100 - indent) length = 100 - indent;
        if (column > indent && column + 1 + length > 100) {
            printf("\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            putchar(' ');
            column++;
        }
        printf("%.*s", length, text);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
}

unsigned cli_utf8(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    unsigned length = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : 0;
    if (s[0] >= 0xf0 && s[0] < 0xf5) length = 4;
    for (unsigned i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) return 0;
    }
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
        (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return length;
}

/* Levenshtein's distance with swaps of neighbours; words of at most 31 letters. */
static unsigned distance(const char *a, const char *b)
{
    enum { LIMIT = 32 };
    unsigned d[LIMIT][LIMIT];
    size_t n = strlen(a), m = strlen(b);
    if (n >= LIMIT || m >= LIMIT) return LIMIT;
    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            if (!i || !j) {
                d[i][j] = (unsigned)(i + j);
                continue;
            }
            unsigned best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < best) best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best) best = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    }
    return d[n][m];
}

const char *cli_nearest(const char *word, const char *const *names)
{
    const char *nearest = NULL;
    unsigned least = 0;
    size_t length = strlen(word);
    for (; *names; names++) {
        /* A beginning of the name counts as one slip. */
        unsigned d = length >= 3 && !strncmp(word, *names, length) ? 1 : distance(word, *names);
        if (!nearest || d < least) {
            nearest = *names;
            least = d;
        }
    }
    return nearest && least <= 1 + length / 4 ? nearest : NULL;
}

double cli_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double began;

void cli_elapsed_start(void) { began = cli_seconds(); }

double cli_elapsed(void) { return cli_seconds() - began; }

void cli_progress_start(struct cli_progress *progress, const char *what)
{
    progress->what = what;
    progress->started = progress->shown = cli_seconds();
    progress->terminal = isatty(STDERR_FILENO);
    progress->visible = 0;
    progress->before = 0;
}

void cli_progress_update(struct cli_progress *progress, uint64_t done, uint64_t total)
{
    enum { WIDTH = 30 };
    if (!progress->terminal || !total) return;
    double now = cli_seconds();
    if (now - progress->started < 1.0 || now - progress->shown < 0.1) return;
    progress->shown = now;
    progress->visible = 1;
    double part = (double)done / (double)total;
    char bar[WIDTH + 1];
    for (int i = 0; i < WIDTH; i++) bar[i] = (double)(i + 1) <= part * WIDTH ? '#' : '.';
    bar[WIDTH] = 0;
    fprintf(stderr, "\r\033[K%s [%s] %3d %%", progress->what, bar, (int)(100.0 * part));
    if (done > progress->before)
        fprintf(stderr, "  %s left",
                cli_duration((now - progress->started) * (double)(total - done) /
                             (double)(done - progress->before)));
    fflush(stderr);
}

void cli_progress_end(struct cli_progress *progress)
{
    if (progress->visible) fputs("\r\033[K", stderr);
    progress->visible = 0;
}

int cli_finish_stdout(void)
{
    errno = 0;
    if (!fflush(stdout) && !ferror(stdout)) return CLI_OK;
    /* For a write that failed before, the reason is gone: another byte of the broken output fails like it. */
    if (!errno && putchar('\n') != EOF) fflush(stdout);
    return cli_error(CLI_FAILED, "cannot write standard output: %s",
                     errno ? strerror(errno) : "an earlier write failed");
}
