/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The file that a command writes. It has a temporary name until it is complete; after an error or a signal it
 * is removed, so that no half-written file is ever seen.
 */
#define _XOPEN_SOURCE 700

#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define TEXT_SIZE ((size_t)1 << 16)
#define PRINT_MAX ((size_t)4096)

/* The file that a signal must remove. Set before the handlers are installed, cleared after they are gone. */
static const struct bly_replacement *signal_removes;

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

static void remove_and_die(int signal_number)
{
    unlinkat(signal_removes->folder, signal_removes->name, 0);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void watch_signals(const struct bly_replacement *replacement)
{
    struct sigaction action, old;
    signal_removes = replacement;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = remove_and_die;
    action.sa_flags = (int)SA_NODEFER;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        /* nohup's SIG_IGN stays */
        if (!sigaction(signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

static void unwatch_signals(void)
{
    struct sigaction old;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        if (!sigaction(signals[i], NULL, &old) && old.sa_handler == remove_and_die)
            signal(signals[i], SIG_DFL);
    }
    signal_removes = NULL;
}

static int fail(const struct output *output, const char *why)
{
    return cli_error(CLI_FAILED, "--output: cannot write %s: %s", output->path, why);
}

static int check_space(const struct output *output, uint64_t bytes)
{
    struct statvfs space;
    if (!bytes || fstatvfs(output->file, &space) || !space.f_frsize || !space.f_blocks) return CLI_OK;
    /* Compare blocks: their number in bytes may not fit. */
    if (bytes / space.f_frsize < space.f_bavail) return CLI_OK;
    return cli_error(CLI_FAILED, "--output: %s needs %s; its file system has %s free", output->path,
                     cli_bytes(bytes), cli_bytes((uint64_t)space.f_bavail * space.f_frsize));
}

static int open_standard_output(struct output *output, uint64_t bytes)
{
    struct stat status;
    output->path = "standard output";
    output->file = STDOUT_FILENO;
    if (fstat(output->file, &status)) return fail(output, strerror(errno));
    if (!S_ISREG(status.st_mode)) return CLI_OK;
    int flags = fcntl(output->file, F_GETFL);
    off_t at = lseek(output->file, 0, SEEK_CUR);
    output->seekable = flags >= 0 && !(flags & O_APPEND) && at >= 0;
    output->base = output->seekable ? (uint64_t)at : 0;
    return check_space(output, bytes);
}

/* `old` is the file that will be replaced, or NULL. */
static int open_temporary(struct output *output, const struct stat *old, uint64_t bytes)
{
    if (!bly_replace_begin(&output->replacement, output->target)) return fail(output, strerror(errno));
    output->file = output->replacement.file;
    output->replaces = 1;
    watch_signals(&output->replacement);
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(output->file, old ? old->st_mode & 0777 : 0666 & ~mask)) return fail(output, strerror(errno));
    output->seekable = 1;
    return check_space(output, bytes);
}

/* The path that the symbolic link `path` leads to. Allocated. */
static char *resolve(const char *path, const char *text)
{
    const char *slash = strrchr(path, '/');
    int folder = *text != '/' && slash ? (int)(slash - path + 1) : 0;
    size_t size = (size_t)folder + strlen(text) + 1;
    char *resolved = malloc(size);
    if (resolved) snprintf(resolved, size, "%.*s%s", folder, path, text);
    return resolved;
}

/* `path`, or where the symbolic links that begin there end; nothing need exist there. Allocated; NULL: errno.
 */
static char *follow(const char *path)
{
    char text[PATH_MAX], *at = strdup(path);
    for (int links = 0; at && links < 40; links++) {
        ssize_t length = readlink(at, text, sizeof text - 1);
        if (length < 0) return at; /* not a link */
        text[length] = 0;
        char *next = resolve(at, text);
        free(at);
        at = next;
    }
    const int error = at ? ELOOP : ENOMEM;
    free(at);
    errno = error;
    return NULL;
}

static int open_named(struct output *output, const char *path, uint64_t bytes)
{
    struct stat status;
    if (stat(path, &status)) {
        if (errno != ENOENT) return fail(output, strerror(errno));
        output->target = follow(path);
        if (!output->target) return fail(output, strerror(errno));
        return open_temporary(output, NULL, bytes);
    }
    if (S_ISDIR(status.st_mode)) return fail(output, strerror(EISDIR));
    if (access(path, W_OK)) return fail(output, strerror(errno));
    if (S_ISREG(status.st_mode)) {
        output->target = realpath(path, NULL); /* what a link points to is replaced, not the link */
        if (!output->target) return fail(output, strerror(errno));
        return open_temporary(output, &status, bytes);
    }
    output->file = open(path, O_WRONLY);
    return output->file < 0 ? fail(output, strerror(errno)) : CLI_OK;
}

int output_open(struct output *output, const char *path, uint64_t bytes)
{
    memset(output, 0, sizeof *output);
    output->path = path;
    output->file = -1;
    if (bytes > INT64_MAX)
        return cli_error(CLI_FAILED, "--output: %s bytes exceed the largest file size", cli_bytes(bytes));
    int code = strcmp(path, "-") ? open_named(output, path, bytes) : open_standard_output(output, bytes);
    if (code) output_abandon(output);
    return code;
}

int output_write_at(struct output *output, uint64_t offset, const void *data, uint64_t bytes)
{
    const char *from = data;
    while (bytes) {
        size_t part = bytes < (1u << 30) ? (size_t)bytes : (size_t)1 << 30;
        ssize_t put = output->seekable ? pwrite(output->file, from, part, (off_t)(output->base + offset))
                                       : write(output->file, from, part);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0 && errno == EPIPE) {
            output->reader_gone = 1;
            return CLI_FAILED;
        }
        if (put <= 0) return fail(output, put ? strerror(errno) : "nothing was written");
        from += put;
        offset += (uint64_t)put;
        bytes -= (uint64_t)put;
    }
    if (offset > output->end) output->end = offset;
    return CLI_OK;
}

int output_write(struct output *output, const void *data, uint64_t bytes)
{
    return output_write_at(output, output->end, data, bytes);
}

static int flush_text(struct output *output)
{
    size_t used = output->text_used;
    output->text_used = 0;
    return used ? output_write(output, output->text, used) : CLI_OK;
}

int output_print(struct output *output, const char *format, ...)
{
    va_list arguments;
    int code;
    if (!output->text && !(output->text = malloc(TEXT_SIZE))) return cli_memory_error("text", TEXT_SIZE);
    if (TEXT_SIZE - output->text_used < PRINT_MAX && (code = flush_text(output))) return code;
    va_start(arguments, format);
    int length = vsnprintf(output->text + output->text_used, PRINT_MAX, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= PRINT_MAX) return fail(output, "a text is too long");
    output->text_used += (size_t)length;
    return CLI_OK;
}

/* Frees everything but the temporary file. */
static void forget(struct output *output)
{
    free(output->target);
    free(output->text);
    memset(output, 0, sizeof *output);
    output->file = -1;
}

int output_commit(struct output *output)
{
    int code = flush_text(output);
    if (!code && output->file == STDOUT_FILENO) {
        if (output->seekable) lseek(output->file, (off_t)(output->base + output->end), SEEK_SET);
    } else if (!code) {
        const int file = output->file;
        output->file = -1;
        if (output->replaces ? !bly_replace_close(&output->replacement) : close(file))
            code = fail(output, strerror(errno));
    }
    if (!code && output->replaces) {
        if (!bly_replace_end(&output->replacement, 0)) {
            code = fail(output, strerror(errno));
        } else {
            unwatch_signals();
            output->replaces = 0;
        }
    }
    if (code)
        output_abandon(output);
    else
        forget(output);
    return code;
}

void output_abandon(struct output *output)
{
    if (!output->path) return;
    if (output->replaces) {
        bly_replace_abandon(&output->replacement);
        unwatch_signals();
    } else if (output->file >= 0 && output->file != STDOUT_FILENO) {
        close(output->file);
    }
    forget(output);
}
