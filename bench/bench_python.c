/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A process has one socket as its input and output. It ends when that is closed, or is ended: it keeps
 * nothing.
 */
#define _GNU_SOURCE /* environ, SOCK_CLOEXEC */
#include "bench_python.h"

#include "python_peers_text.h"

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

#define VARIABLE "BAILEY_PYTHON"
#define MOST_LINE 1024
#define PATIENCE_SECONDS 600 /* for an answer */

struct process {
    pid_t id;
    int socket;
    char line[MOST_LINE]; /* the last answer */
};

struct bench_python {
    const char *interpreter;
    char version[32], note[64], why[300];
    unsigned count;
    struct process process[];
};

static int fail(struct bench_python *p, const char *what, const char *why)
{
    snprintf(p->why, sizeof p->why, "%s%s%.200s", what, *why ? ": " : "", why);
    return 0;
}

/* ---- Processes ---- */

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

static int start(struct bench_python *p, struct process *process, const char *module, const char *precision,
                 const char *deal)
{
    const struct timeval patience = {.tv_sec = PATIENCE_SECONDS};
    char seed[16];
    int ends[2];
    snprintf(seed, sizeof seed, "%d", (int)(process - p->process) + 1);
    const char *const words[] = {p->interpreter, "-c", python_peers_text, module, precision, seed,
                                 deal,           NULL};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return fail(p, "no socket for Python", strerror(errno));
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const int error = spawn(words, ends[1], &process->id);
    close(ends[1]);
    process->socket = ends[0];
    if (!error) return 1;
    close(ends[0]);
    snprintf(p->why, sizeof p->why, "%.100s does not run (%s); " VARIABLE " may name a Python with %s",
             p->interpreter, strerror(error), module);
    return 0;
}

static void stop(struct process *process)
{
    close(process->socket);
    kill(process->id, SIGKILL);
    while (waitpid(process->id, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* ---- What they say ---- */

/* One line, without its line feed. */
static int hear(struct process *process)
{
    size_t used = 0;
    while (used + 1 < sizeof process->line) {
        const ssize_t got = recv(process->socket, process->line + used, sizeof process->line - 1 - used, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return 0;
        used += (size_t)got;
        if (process->line[used - 1] != '\n') continue;
        process->line[used - 1] = 0;
        return 1;
    }
    return 0;
}

static int say(const struct process *process, const char *text)
{
    size_t left = strlen(text);
    while (left) {
        const ssize_t sent = send(process->socket, text, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return 0;
        text += sent;
        left -= (size_t)sent;
    }
    return 1;
}

/* Where the value of a key of the answer begins, as json.dumps writes it; NULL if there is none. */
static const char *value_of(const char *line, const char *key)
{
    char wanted[32];
    snprintf(wanted, sizeof wanted, "\"%s\": ", key);
    const char *found = strstr(line, wanted);
    return found ? found + strlen(wanted) : NULL;
}

static double number_of(const char *line, const char *key)
{
    const char *value = value_of(line, key);
    return value ? strtod(value, NULL) : NAN;
}

static int text_of(const char *line, const char *key, char *text, size_t size)
{
    const char *value = value_of(line, key);
    if (!value || *value != '"') return 0;
    snprintf(text, size, "%.*s", (int)strcspn(value + 1, "\""), value + 1);
    return 1;
}

static int greet(struct bench_python *p, struct process *process)
{
    char missing[200] = "";
    if (!hear(process)) return fail(p, p->interpreter, "it ends before it has said what it found");
    if (text_of(process->line, "missing", missing, sizeof missing)) return fail(p, p->interpreter, missing);
    if (text_of(process->line, "version", p->version, sizeof p->version) &&
        text_of(process->line, "note", p->note, sizeof p->note))
        return 1;
    return fail(p, p->interpreter, "it is no Python 3");
}

/* ---- All of them ---- */

struct bench_python *bench_python_open(const char *module, const char *precision, const char *deal,
                                       unsigned processes, char *why, size_t why_size)
{
    const char *wanted = getenv(VARIABLE);
    struct bench_python *p = calloc(1, sizeof *p + processes * sizeof p->process[0]);
    snprintf(why, why_size, "not enough memory");
    if (!p) return NULL;
    p->interpreter = wanted ? wanted : "python3";
    int good = *p->interpreter || fail(p, VARIABLE " is empty", "");
    for (unsigned i = 0; i < processes && good; i++) {
        good = start(p, &p->process[i], module, precision, deal);
        p->count += (unsigned)good;
    }
    for (unsigned i = 0; i < p->count && good; i++) good = greet(p, &p->process[i]);
    if (good) return p;
    snprintf(why, why_size, "%s", p->why);
    bench_python_close(p);
    return NULL;
}

void bench_python_close(struct bench_python *p)
{
    for (unsigned i = 0; p && i < p->count; i++) stop(&p->process[i]);
    free(p);
}

const char *bench_python_version(const struct bench_python *p) { return p->version; }

const char *bench_python_note(const struct bench_python *p) { return p->note; }

unsigned bench_python_processes(const struct bench_python *p) { return p->count; }

const char *bench_python_why(const struct bench_python *p) { return p->why; }

/* At least two paths for each process: one alone has no standard error. */
static uint64_t share_of(const struct bench_python_job *job, unsigned index)
{
    const unsigned count = job->python->count;
    const uint64_t share = job->paths * (index + 1) / count - job->paths * index / count;
    return share < 2 ? 2 : share;
}

bailey_status bench_python_run(void *user)
{
    struct bench_python_job *job = user;
    struct bench_python *p = job->python;
    double sum = 0, squares = 0, n = 0;
    char request[32], failed[200] = "";
    int good = 1;
    for (unsigned i = 0; i < p->count && good; i++) {
        snprintf(request, sizeof request, "%llu\n", (unsigned long long)share_of(job, i));
        good = say(&p->process[i], request);
    }
    for (unsigned i = 0; i < p->count && good; i++) {
        const char *line = p->process[i].line;
        if (!(good = hear(&p->process[i]))) break;
        if (text_of(line, "failed", failed, sizeof failed)) break;
        sum += number_of(line, "sum");
        squares += number_of(line, "squares");
        job->processor_seconds += number_of(line, "processor");
        n += (double)share_of(job, i);
    }
    if (!good || *failed || !isfinite(sum) || !isfinite(squares)) {
        fail(p, p->interpreter, *failed ? failed : "it ends while it prices");
        return BAILEY_ERROR_DRIVER;
    }
    job->mean = sum / n;
    job->error = sqrt((squares / n - job->mean * job->mean) / n);
    return BAILEY_OK;
}
