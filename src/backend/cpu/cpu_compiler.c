/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The compiler reads the text from a file without a name, which is its standard input, and what it says goes
 * to another: no pipe can fill up or break. Only the object has a name for a while, in a private folder in
 * TMPDIR, which is the compiler's TMPDIR too.
 */
#define _GNU_SOURCE /* secure_getenv */
#include "cpu_program.h"

#include <backend/cache.h>
#include <base/log.h>
#include <base/status.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_WORDS (BLY_ERROR_TEXT - 256) /* of the compiler's that an error quotes */
#define MOST_OPTIONS 32
#define MOST_OBJECT ((off_t)1 << 28)

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
    struct bly_child child = {.words = words, .in = in, .said = version, .size = sizeof version};
    const int error = in < 0 ? errno : bly_cpu_child_run(&child);
    if (in >= 0) close(in);
    if (error)
        return bly_fail(
            BAILEY_ERROR_UNSUPPORTED,
            "cpu compiles programs with the system's C compiler, but \"%.100s\" does not run (%s): install a "
            "compiler (cc), set BAILEY_CC to one, or use an OpenCL device of the processor",
            name,
            error > 0     ? strerror(error)
            : child.limit ? child.limit
                          : "it fails when queried for its version");
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
        return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                        "BAILEY_CC is empty, so cpu compiles no programs. Set it to a C compiler, unset it "
                        "if cc is installed, or use an OpenCL device of the processor");
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
static bailey_status compile_to(const char *name, int in, const char *const *options,
                                const struct bly_folder *folder, const char *path)
{
    char said[MOST_WORDS];
    const char *words[MOST_OPTIONS + 8] = {compiler_name()};
    size_t count = 1;
    while (*options && count < MOST_OPTIONS) words[count++] = *options++;
    const char *const rest[] = {"-x", "c", "-", "-o", path, "-lm", NULL};
    memcpy(words + count, rest, sizeof rest);
    struct bly_child child = {
        .words = words, .folder = folder->path, .in = in, .said = said, .size = sizeof said};
    const int error = bly_cpu_child_run(&child);
    if (error > 0)
        return bly_fail(BAILEY_ERROR_BUILD, "program %s did not build: %.100s: %s", name, words[0],
                        strerror(error));
    if (error && child.limit)
        return bly_fail(BAILEY_ERROR_BUILD, "program %s did not build: %.100s was stopped: %s", name,
                        words[0], child.limit);
    if (error)
        return bly_fail(BAILEY_ERROR_BUILD, "program %s did not build: %.100s says\n%s", name, words[0],
                        said);
    if (*said) bly_log(2, "cpu: %s: %s", name, said);
    return BAILEY_OK;
}

static bailey_status compile_in(const struct bly_folder *folder, const char *name, int in,
                                const char *const *options, void **object, size_t *object_size)
{
    char path[PATH_MAX];
    if (!bly_folder_file(folder, "program.so", path, sizeof path))
        return bly_fail(BAILEY_ERROR_BUILD, "program %s did not build: TMPDIR: %s", name, strerror(errno));
    const bailey_status status = compile_to(name, in, options, folder, path);
    if (status == BAILEY_OK && !(*object = load(path, object_size)))
        return bly_fail(BAILEY_ERROR_BUILD, "program %s did not build: %.100s produced no object", name,
                        compiler_name());
    return status;
}

bailey_status bly_cpu_compile(const char *name, const char *text, size_t size, const char *const *options,
                              void **object, size_t *object_size)
{
    struct bly_folder folder;
    if (!bly_folder_make(&folder))
        return bly_fail(BAILEY_ERROR_BUILD, "program %s did not build: no directory in TMPDIR: %s", name,
                        strerror(errno));
    const int in = bly_cpu_unnamed_file();
    bailey_status status = BAILEY_OK;
    if (in < 0 || !bly_file_write(in, text, size) || lseek(in, 0, SEEK_SET) != 0)
        status = bly_fail(BAILEY_ERROR_BUILD, "program %s did not build: no temporary file: %s", name,
                          strerror(errno));
    if (status == BAILEY_OK) status = compile_in(&folder, name, in, options, object, object_size);
    if (in >= 0) close(in);
    bly_folder_remove(&folder);
    return status;
}
