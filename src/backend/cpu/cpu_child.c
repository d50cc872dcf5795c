/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Running the compiler under limits. posix_spawn sets none, and a child of fork would have to be forked from
 * a process with many threads and much memory. So sh stands between: the leader of a process group of its
 * own, it sets the limits, starts the program and a watcher, and waits for both. The watcher reads a pipe
 * whose other end this process alone has, and kills the group once that is gone, however this process ends.
 * (A copy of this process that fork made keeps the pipe open.) The group is killed after the program's end
 * and after the time limit too.
 *
 * sh says how the program ended through a second pipe, which closes when sh ends: so there is no need to poll
 * for the end, and it is known where a handler of the process takes its children's (ECHILD).
 */
#define _GNU_SOURCE /* memfd_create, pipe2, secure_getenv */
#include "cpu_program.h"

#include <backend/cache.h>
#include <base/log.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define SHELL "/bin/sh"
#define FIRST_FILE 10 /* our descriptors are above those that the shell has */

/* 3: the program's input; 4: closes with the parent; 5: to the parent. */
static const char script[] = "exec 3<&0 </dev/null\n"
                             "ulimit -S -t \"$1\"\n"
                             "ulimit -S -v \"$2\"\n"
                             "test -z \"$3\" || { TMPDIR=$3; export TMPDIR; }\n"
                             "shift 3\n"
                             "\"$@\" <&3 3<&- 4<&- 5>&- &\n"
                             "program=$!\n"
                             "{ read gone; kill -9 0; } <&4 3<&- 4<&- 5>&- &\n"
                             "watcher=$!\n"
                             "exec 3<&- 4<&-\n"
                             "wait $program\n"
                             "status=$?\n"
                             "{ kill -9 $watcher; wait $watcher; } 2>/dev/null\n"
                             "echo $status >&5\n";

/* ---- Limits -------------------------------------------------------------------------------------- */

enum { SECONDS, CPU_SECONDS, MEMORY, LIMITS };

static const struct {
    const char *name, *words, *unit;
    uint64_t usual;
} limits[LIMITS] = {
    {"BAILEY_CC_SECONDS", "it ran longer than the limit BAILEY_CC_SECONDS", "seconds", 300},
    {"BAILEY_CC_CPU_SECONDS", "it used more processor time than the limit BAILEY_CC_CPU_SECONDS", "seconds",
     300},
    {"BAILEY_CC_MEMORY", "it needed more memory than the limit BAILEY_CC_MEMORY", "MiB", 4096},
};

/* 0: none. */
static uint64_t limit_of(int kind)
{
    const char *text = secure_getenv(limits[kind].name);
    const size_t digits = text ? strspn(text, "0123456789") : 0;
    if (digits && digits < 10 && !text[digits]) return strtoull(text, NULL, 10);
    if (text && *text)
        bly_log(1, "%s: \"%.64s\" is not an integer number of %s; using %llu", limits[kind].name, text,
                limits[kind].unit, (unsigned long long)limits[kind].usual);
    return limits[kind].usual;
}

/* For ulimit: no more than this process may have. */
static void write_limit(char text[24], int resource, uint64_t most, uint64_t unit)
{
    struct rlimit own;
    uint64_t limit = most ? most * unit : UINT64_MAX;
    if (getrlimit(resource, &own) == 0 && own.rlim_cur != RLIM_INFINITY && (uint64_t)own.rlim_cur < limit)
        limit = (uint64_t)own.rlim_cur;
    if (limit == UINT64_MAX)
        snprintf(text, 24, "unlimited");
    else
        snprintf(text, 24, "%llu", (unsigned long long)(resource == RLIMIT_AS ? limit / 1024 : limit));
}

/* ---- Files --------------------------------------------------------------------------------------- */

static int open_and_unlink(void)
{
    struct bly_folder folder;
    char path[PATH_MAX];
    if (!bly_folder_make(&folder)) return -1;
    int file = -1;
    if (bly_folder_file(&folder, "text", path, sizeof path))
        file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bly_folder_remove(&folder);
    return file;
}

/* The same file, where no descriptor of the child is. Closes `file`. */
static int above(int file)
{
    const int higher = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, FIRST_FILE);
    const int error = errno;
    if (file >= 0) close(file);
    errno = error;
    return higher;
}

int bly_cpu_unnamed_file(void)
{
    int file = -1;
#if defined(MFD_CLOEXEC)
    file = memfd_create("bailey", MFD_CLOEXEC);
#endif
    return above(file < 0 ? open_and_unlink() : file);
}

static int open_pipe(int ends[2])
{
#if defined(__linux__)
    if (pipe2(ends, O_CLOEXEC) != 0) return 0;
#else
    if (pipe(ends) != 0) return 0;
#endif
    ends[0] = above(ends[0]);
    ends[1] = above(ends[1]);
    return ends[0] >= 0 && ends[1] >= 0;
}

static void close_file(int *file)
{
    if (*file >= 0) close(*file);
    *file = -1;
}

/* ---- Processes ----------------------------------------------------------------------------------- */

/* The descriptors that a child keeps open: the pipe that ends with this process, and the one that says how
 * the child ended.
 */
struct ends {
    int alive[2], ended[2], out;
};

/* Whether the program is there, as execvp looks for it; else errno. */
static int is_there(const char *name)
{
    char path[PATH_MAX];
    const char *at = getenv("PATH");
    if (strchr(name, '/')) return access(name, X_OK) == 0;
    int error = ENOENT;
    for (at = at ? at : "/usr/bin:/bin"; at; at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL) {
        const int length = (int)strcspn(at, ":");
        if ((size_t)snprintf(path, sizeof path, "%.*s%s%s", length, at, length ? "/" : "", name) >=
            sizeof path)
            continue;
        if (access(path, X_OK) == 0) return 1;
        if (errno == EACCES) error = EACCES;
    }
    errno = error;
    return 0;
}

static int add_files(posix_spawn_file_actions_t *files, const struct bly_child *child, const struct ends *e)
{
    const int pairs[][2] = {{child->in, STDIN_FILENO},
                            {e->out, STDOUT_FILENO},
                            {e->out, STDERR_FILENO},
                            {e->alive[0], 4},
                            {e->ended[1], 5}};
    int error = 0;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs && !error; i++)
        error = posix_spawn_file_actions_adddup2(files, pairs[i][0], pairs[i][1]);
    return error;
}

/* A separate group; and the program does not inherit this process's handling of signals. */
static int set_attributes(posix_spawnattr_t *how)
{
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGCHLD);
    int error = posix_spawnattr_setsigmask(how, &none);
    if (!error) error = posix_spawnattr_setsigdefault(how, &usual);
    if (!error) error = posix_spawnattr_setpgroup(how, 0);
    if (!error)
        error = posix_spawnattr_setflags(how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                  POSIX_SPAWN_SETPGROUP);
    return error;
}

static int spawn(const struct bly_child *child, const struct ends *e, char **words, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    int error = posix_spawn_file_actions_init(&files);
    if (error) return error;
    error = posix_spawnattr_init(&how);
    if (!error) {
        error = add_files(&files, child, e);
        if (!error) error = set_attributes(&how);
        if (!error) error = posix_spawn(pid, SHELL, &files, &how, words, environ);
        posix_spawnattr_destroy(&how);
    }
    posix_spawn_file_actions_destroy(&files);
    return error;
}

/* Returns 0 or an error number. */
static int start(const struct bly_child *child, const struct ends *e, pid_t *pid)
{
    char seconds[24], memory[24];
    const char *const before[] = {
        "sh", "-c", script, "sh", seconds, memory, child->folder ? child->folder : ""};
    const size_t head = sizeof before / sizeof *before;
    size_t count = 0;
    while (child->words[count]) count++;
    if (!is_there(child->words[0])) return errno;
    write_limit(seconds, RLIMIT_CPU, limit_of(CPU_SECONDS), 1);
    write_limit(memory, RLIMIT_AS, limit_of(MEMORY), 1 << 20);
    const char **words = calloc(head + count + 1, sizeof *words);
    if (!words) return ENOMEM;
    memcpy(words, before, sizeof before);
    memcpy(words + head, child->words, count * sizeof *words);
    const int error = spawn(child, e, (char **)words, pid);
    free(words);
    return error;
}

/* Waits until the shell has ended, or for so long; 0: no limit. Returns whether it has, and what it said. */
static int wait_for_end(int file, uint64_t seconds, char *status, size_t size)
{
    const double last = bly_seconds() + (double)seconds;
    size_t used = 0;
    for (;;) {
        const double left = last - bly_seconds();
        struct pollfd poll_for = {.fd = file, .events = POLLIN};
        const int ready = poll(&poll_for, 1,
                               seconds == 0 ? -1
                               : left <= 0  ? 0
                               : left < 1e6 ? (int)(left * 1e3) + 1
                                            : INT_MAX);
        if (ready == 0) return 0;
        const ssize_t got = ready < 0 ? -1 : read(file, status + used, size - 1 - used);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        used += (size_t)got;
    }
    status[used] = 0;
    return 1;
}

/* Kills what is left of the group, while its number still is its leader's, and takes the leader's end. */
static double reap(pid_t pid, int ended)
{
    struct rusage use = {0};
    siginfo_t info;
    int found = -1;
    if (!ended) kill(-pid, SIGKILL);
    do found = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
    while (found < 0 && errno == EINTR);
    if (found == 0) kill(-pid, SIGKILL);
    while (wait4(pid, NULL, 0, &use) < 0 && errno == EINTR) continue;
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e-6;
}

/* The limit that a program has hit that failed: as far as its words and its time show it. */
static const char *limit_hit(const char *said, const char *status, double seconds)
{
    static const char *const memory[] = {"out of memory", "bad_alloc", "Cannot allocate memory",
                                         "virtual memory exhausted", "memory exhausted"};
    const uint64_t most = limit_of(CPU_SECONDS);
    char killed[16];
    snprintf(killed, sizeof killed, "%d\n", 128 + SIGXCPU);
    if (most && (strcmp(status, killed) == 0 || seconds >= 0.9 * (double)most))
        return limits[CPU_SECONDS].words;
    for (size_t i = 0; limit_of(MEMORY) && i < sizeof memory / sizeof *memory; i++)
        if (strstr(said, memory[i])) return limits[MEMORY].words;
    return NULL;
}

static int run(struct bly_child *child, struct ends *e)
{
    char status[16] = "";
    pid_t pid;
    const int error = start(child, e, &pid);
    if (error) return error;
    close_file(&e->alive[0]);
    close_file(&e->ended[1]);
    const int ended = wait_for_end(e->ended[0], limit_of(SECONDS), status, sizeof status);
    const double seconds = reap(pid, ended);
    child->said[bly_file_read(e->out, 0, child->said, child->size - 1)] = 0;
    if (ended && strcmp(status, "0\n") == 0) return 0;
    child->limit = ended ? limit_hit(child->said, status, seconds) : limits[SECONDS].words;
    return -1;
}

int bly_cpu_child_run(struct bly_child *child)
{
    struct ends e = {{-1, -1}, {-1, -1}, -1};
    *child->said = 0;
    child->limit = NULL;
    int error = 0;
    if (!open_pipe(e.alive) || !open_pipe(e.ended) || (e.out = bly_cpu_unnamed_file()) < 0) error = errno;
    if (!error) error = run(child, &e);
    for (int i = 0; i < 2; i++) close_file(&e.alive[i]), close_file(&e.ended[i]);
    close_file(&e.out);
    return error;
}
