/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A child process, such as an interpreter of Python or R, that answers each line with a line of JSON until it
 * is closed.
 *
 * A process has one socket as its input and output. It ends when that is closed, or is ended: it keeps
 * nothing.
 */
#define _GNU_SOURCE /* environ, SOCK_CLOEXEC */
#include "bench_peers.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_SECONDS 600 /* for an answer */

/* Standard input and output are `end`, errors go nowhere: what an import says is in its answer. */
static int prepare_files(posix_spawn_file_actions_t *files, int end)
{
    int error = posix_spawn_file_actions_adddup2(files, end, STDIN_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(files, end, STDOUT_FILENO);
    if (!error) error = posix_spawn_file_actions_addopen(files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    return error;
}

static int spawn(const char *const *words, int end, pid_t *id)
{
    posix_spawn_file_actions_t files;
    int error = posix_spawn_file_actions_init(&files);
    if (error) return error;
    error = prepare_files(&files, end);
    if (!error) error = posix_spawnp(id, words[0], &files, NULL, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

static int connect_child(struct bench_child *child, const char *const *words)
{
    const struct timeval patience = {.tv_sec = PATIENCE_SECONDS};
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return errno;
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const int error = spawn(words, ends[1], &child->id);
    close(ends[1]);
    child->socket = ends[0];
    if (error) close(ends[0]);
    return error;
}

int bench_child_start(struct bench_child *child, const char *const *words, const char *variable,
                      const char *wanted, char *why, size_t why_size)
{
    int error = 0;
    child->program = words[0];
    if (!*words[0])
        snprintf(why, why_size, "%s is empty", variable);
    else if ((error = connect_child(child, words)) != 0)
        snprintf(why, why_size, "%.100s does not run (%s); %s may name %s", words[0], strerror(error),
                 variable, wanted);
    return *words[0] && !error;
}

int bench_child_fail(const struct bench_child *child, const char *reason, char *why, size_t why_size)
{
    snprintf(why, why_size, "%.90s: %.200s", child->program, reason);
    return 0;
}

int bench_child_greet(struct bench_child *child, const char *what, char *why, size_t why_size)
{
    char reason[200] = "it ends before it has said what it found";
    if (bench_child_read(child) && !bench_child_text(child, "missing", reason, sizeof reason)) {
        if (bench_child_text(child, "version", child->version, sizeof child->version) &&
            bench_child_text(child, "note", child->note, sizeof child->note))
            return 1;
        snprintf(reason, sizeof reason, "it is no %s", what);
    }
    return bench_child_fail(child, reason, why, why_size);
}

void bench_child_stop(struct bench_child *child)
{
    close(child->socket);
    kill(child->id, SIGKILL);
    while (waitpid(child->id, NULL, 0) < 0 && errno == EINTR)
        ;
}

int bench_child_read(struct bench_child *child)
{
    size_t used = 0;
    while (used + 1 < sizeof child->line) {
        const ssize_t got = recv(child->socket, child->line + used, sizeof child->line - 1 - used, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return 0;
        used += (size_t)got;
        if (child->line[used - 1] != '\n') continue;
        child->line[used - 1] = 0;
        return 1;
    }
    return 0;
}

int bench_child_write(const struct bench_child *child, const char *text)
{
    size_t left = strlen(text);
    while (left) {
        const ssize_t sent = send(child->socket, text, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return 0;
        text += sent;
        left -= (size_t)sent;
    }
    return 1;
}

/* Where the value of a key begins; NULL if there is none. */
static const char *value_of(const struct bench_child *child, const char *key)
{
    char wanted[32];
    snprintf(wanted, sizeof wanted, "\"%s\": ", key);
    const char *found = strstr(child->line, wanted);
    return found ? found + strlen(wanted) : NULL;
}

double bench_child_number(const struct bench_child *child, const char *key)
{
    const char *value = value_of(child, key);
    return value ? strtod(value, NULL) : NAN;
}

int bench_child_text(const struct bench_child *child, const char *key, char *text, size_t size)
{
    const char *value = value_of(child, key);
    if (!value || *value != '"') return 0;
    snprintf(text, size, "%.*s", (int)strcspn(value + 1, "\""), value + 1);
    return 1;
}
