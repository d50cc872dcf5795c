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
#include <base/file_mark.h>
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

/* ---- Its words in the cache -------------------------------------------------------------- */

struct record {
    char identity[BLY_CPU_COMPILER_TEXT];
    char files[2048]; /* a line for each file of the compiler's name along PATH: a wrapper runs the next one */
};

/* Adds a file, if it is there. 0 where it does not fit, or is not machine code: a script may run anything. */
static int add_file(struct record *record, size_t *used, const char *path)
{
    static const char machine_code[4] = {0x7f, 'E', 'L', 'F'};
    char begin[sizeof machine_code];
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return errno == ENOENT || errno == ENOTDIR;
    const size_t got = bly_file_read(file, 0, begin, sizeof begin), left = sizeof record->files - *used;
    close(file);
    if (got < sizeof begin || memcmp(begin, machine_code, sizeof begin) ||
        !bly_file_mark(path, record->files + *used, left - 1))
        return 0;
    *used += strlen(record->files + *used);
    record->files[(*used)++] = '\n';
    return 1;
}

static int add_files(struct record *record, const char *name)
{
    char path[PATH_MAX];
    const char *at = getenv("PATH");
    size_t used = 0;
    if (strchr(name, '/')) return add_file(record, &used, name) && used;
    for (; at; at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL)
        if (*at != '/' || snprintf(path, sizeof path, "%.*s/%s", (int)strcspn(at, ":"), at, name) >= PATH_MAX ||
            !add_file(record, &used, path))
            return 0;
    return used > 0;
}

/* The key, with what its words depend on besides files, and the files. 0: there is no record of it. */
static int begin_record(const char *name, struct record *record, uint8_t key[BLY_DIGEST_BYTES])
{
    static const char *const variables[] = {"PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES"};
    struct bly_hash hash;
    memset(record, 0, sizeof *record);
    bly_hash_init(&hash);
    bly_hash_add_text(&hash, "bailey cc 1");
    bly_hash_add_text(&hash, name);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        bly_hash_add_text(&hash, value ? value : "");
    }
    bly_hash_done(&hash, key);
    return add_files(record, name);
}

static int load_record(int cache, const struct record *now, const uint8_t key[BLY_DIGEST_BYTES],
                       char identity[BLY_CPU_COMPILER_TEXT])
{
    size_t size = 0;
    struct record *record = bly_cache_load(cache, key, "the compiler's version", &size);
    const int good = record && size == sizeof *record && record->identity[0] &&
                     !record->identity[sizeof record->identity - 1] &&
                     !memcmp(record->files, now->files, sizeof now->files);
    if (good)
        memcpy(identity, record->identity, sizeof record->identity);
    else if (record)
        bly_cache_drop(cache, key);
    free(record);
    return good;
}

/* Asks the compiler, unless it has the files that it had when it was asked. */
static bailey_status ask_once(const char *name, int cache, char identity[BLY_CPU_COMPILER_TEXT])
{
    struct record record;
    uint8_t key[BLY_DIGEST_BYTES];
    const int has_record = cache != BLY_CACHE_NONE && begin_record(name, &record, key);
    if (has_record && load_record(cache, &record, key, identity)) return BAILEY_OK;
    const bailey_status status = ask(name, identity);
    if (status != BAILEY_OK || !has_record) return status;
    snprintf(record.identity, sizeof record.identity, "%s", identity);
    bly_cache_store(cache, key, "the compiler's version", &record, sizeof record);
    return BAILEY_OK;
}

/* ---- Which there is -------------------------------------------------------------------------- */

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

bailey_status bly_cpu_compiler_find(int cache, char identity[BLY_CPU_COMPILER_TEXT])
{
    const char *name = compiler_name();
    if (!*name)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                        "BAILEY_CC is empty, so cpu compiles no programs. Set it to a C compiler, unset it "
                        "if cc is installed, or use an OpenCL device of the processor");
    if (recall(name, identity)) return BAILEY_OK;
    const bailey_status status = ask_once(name, cache, identity);
    if (status == BAILEY_OK) remember(name, identity);
    return status;
}

/* ---- Compiling ------------------------------------------------------------------------------- */

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
