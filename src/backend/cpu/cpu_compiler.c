/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The compiler reads the text from a file without a name, which is its standard input, and what it says goes
 * to another: no pipe can fill up or break. Only the object has a name for a while, in a directory of its own
 * in TMPDIR.
 */
#define _GNU_SOURCE /* memfd_create, secure_getenv */
#include "cpu_compiler.h"

#include <backend/cache.h>
#include <base/log.h>
#include <base/status.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define MOST_WORDS (BLY_ERROR_TEXT - 256) /* of the compiler's that an error quotes */
#define MOST_OPTIONS 32
#define MOST_OBJECT ((off_t)1 << 28)

/* ---- Files ----------------------------------------------------------------------------------- */

int bly_cpu_private_directory(char *path, size_t size)
{
    const char *parent = secure_getenv("TMPDIR");
    if ((size_t)snprintf(path, size, "%s/bailey-XXXXXX", parent && *parent ? parent : "/tmp") >= size) {
        errno = ENAMETOOLONG;
        return 0;
    }
    return mkdtemp(path) != NULL; /* with mode 0700 */
}

static int open_and_unlink(void)
{
    char directory[PATH_MAX], path[PATH_MAX + 8];
    if (!bly_cpu_private_directory(directory, sizeof directory)) return -1;
    snprintf(path, sizeof path, "%s/text", directory);
    const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    unlink(path);
    rmdir(directory);
    return file;
}

int bly_cpu_unnamed_file(void)
{
    int file = -1;
#if defined(MFD_CLOEXEC)
    file = memfd_create("bailey", MFD_CLOEXEC);
#endif
    if (file < 0) file = open_and_unlink();
    if (file < 0 || file > STDERR_FILENO) return file;
    const int higher = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1); /* the child has others there */
    close(file);
    return higher;
}

/* ---- Processes ------------------------------------------------------------------------------- */

/* The program's standard input is `in`, and all that it says goes to `out`. Returns 0 or an error number. */
static int start(const char *const *words, int in, int out, pid_t *child)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGCHLD);
    int error = posix_spawn_file_actions_init(&files);
    if (error) return error;
    error = posix_spawnattr_init(&how);
    if (error) {
        posix_spawn_file_actions_destroy(&files);
        return error;
    }
    error = posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(&files, out, STDERR_FILENO);
    /* Whatever this process does with signals is not the compiler's. */
    if (!error) error = posix_spawnattr_setsigmask(&how, &none);
    if (!error) error = posix_spawnattr_setsigdefault(&how, &usual);
    if (!error) error = posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (!error) error = posix_spawnp(child, words[0], &files, &how, (char *const *)words, environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

/* Whether the program ended well. Of a child whose end a handler of the process took (ECHILD) nobody knows:
 * what it made shows. */
static int ended_well(pid_t child)
{
    int status = 0;
    pid_t ended;
    do ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    return ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Runs the program to its end, and reads what it says. Returns 0, an error number, or -1 if it fails. */
static int run(const char *const *words, int in, char *said, size_t size)
{
    pid_t child;
    const int out = bly_cpu_unnamed_file();
    *said = 0;
    if (out < 0) return errno;
    int error = start(words, in, out, &child);
    if (!error && !ended_well(child)) error = -1;
    said[bly_file_read(out, 0, said, size - 1)] = 0;
    close(out);
    return error;
}

/* ---- The compiler ---------------------------------------------------------------------------- */

static const char *compiler_name(void)
{
    const char *wanted = secure_getenv("BAILEY_CC");
    return wanted ? wanted : "cc";
}

static bailey_status ask(const char *name, char identity[BLY_CPU_COMPILER_TEXT])
{
    char version[BLY_CPU_COMPILER_TEXT - 128];
    const char *const words[] = {name, "--version", NULL};
    const int in = bly_cpu_unnamed_file();
    const int error = in < 0 ? errno : run(words, in, version, sizeof version);
    if (in >= 0) close(in);
    if (error)
        return bly_fail(
            BAILEY_ERROR_UNSUPPORTED,
            "cpu compiles programs with the system's C compiler, and \"%.100s\" does not run (%s): "
            "install one (cc), set BAILEY_CC to one, or use an OpenCL device of the processor",
            name, error > 0 ? strerror(error) : "it fails when asked for its version");
    snprintf(identity, BLY_CPU_COMPILER_TEXT, "%.100s %s", name, version);
    return BAILEY_OK;
}

/* The compiler that was asked last. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char known_name[101], known[BLY_CPU_COMPILER_TEXT];

static int recall(const char *name, char identity[BLY_CPU_COMPILER_TEXT])
{
    pthread_mutex_lock(&mutex);
    const int found = *known && strcmp(known_name, name) == 0;
    if (found) memcpy(identity, known, sizeof known);
    pthread_mutex_unlock(&mutex);
    return found;
}

static void remember(const char *name, const char identity[BLY_CPU_COMPILER_TEXT])
{
    if (strlen(name) >= sizeof known_name) return;
    pthread_mutex_lock(&mutex);
    snprintf(known_name, sizeof known_name, "%s", name);
    memcpy(known, identity, sizeof known);
    pthread_mutex_unlock(&mutex);
}

bailey_status bly_cpu_compiler_find(char identity[BLY_CPU_COMPILER_TEXT])
{
    const char *name = compiler_name();
    if (!*name)
        return bly_fail(
            BAILEY_ERROR_UNSUPPORTED,
            "BAILEY_CC is empty: cpu compiles no programs. Set it to a C compiler, or unset it where "
            "there is cc, or use an OpenCL device of the processor");
    if (recall(name, identity)) return BAILEY_OK;
    const bailey_status status = ask(name, identity);
    if (status == BAILEY_OK) remember(name, identity);
    return status;
}

/* The bytes of a file; NULL if there are none. */
static void *load(const char *path, size_t *size)
{
    struct stat s;
    void *data = NULL;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return NULL;
    if (fstat(file, &s) == 0 && s.st_size > 0 && s.st_size <= MOST_OBJECT &&
        (data = malloc((size_t)s.st_size)))
        *size = bly_file_read(file, 0, data, (size_t)s.st_size);
    if (data && *size != (size_t)s.st_size) {
        free(data);
        data = NULL;
    }
    close(file);
    return data;
}

/* Compiles what `in` holds to the file `path`. */
static bailey_status compile_to(const char *name, int in, const char *const *options, const char *path)
{
    char said[MOST_WORDS];
    const char *words[MOST_OPTIONS + 8] = {compiler_name()};
    size_t count = 1;
    while (*options && count < MOST_OPTIONS) words[count++] = *options++;
    const char *const rest[] = {"-x", "c", "-", "-o", path, "-lm", NULL};
    memcpy(words + count, rest, sizeof rest);
    const int error = run(words, in, said, sizeof said);
    if (error > 0)
        return bly_fail(BAILEY_ERROR_BUILD, "program %s did not build: %.100s: %s", name, words[0],
                        strerror(error));
    if (error)
        return bly_fail(BAILEY_ERROR_BUILD, "program %s did not build: %.100s says\n%s", name, words[0],
                        said);
    if (*said) bly_log(2, "cpu: %s: %s", name, said);
    return BAILEY_OK;
}

bailey_status bly_cpu_compile(const char *name, const char *text, size_t size, const char *const *options,
                              void **object, size_t *object_size)
{
    char directory[PATH_MAX], path[PATH_MAX + 16];
    if (!bly_cpu_private_directory(directory, sizeof directory))
        return bly_fail(BAILEY_ERROR_BUILD, "program %s did not build: no directory in TMPDIR: %s", name,
                        strerror(errno));
    snprintf(path, sizeof path, "%s/program.so", directory);
    const int in = bly_cpu_unnamed_file();
    bailey_status status = BAILEY_OK;
    if (in < 0 || !bly_file_write(in, text, size) || lseek(in, 0, SEEK_SET) != 0)
        status = bly_fail(BAILEY_ERROR_BUILD, "program %s did not build: no temporary file: %s", name,
                          strerror(errno));
    if (status == BAILEY_OK) status = compile_to(name, in, options, path);
    if (in >= 0) close(in);
    if (status == BAILEY_OK && !(*object = load(path, object_size)))
        status = bly_fail(BAILEY_ERROR_BUILD, "program %s did not build: %.100s made no object", name,
                          compiler_name());
    unlink(path);
    rmdir(directory);
    return status;
}
