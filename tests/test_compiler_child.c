/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The compiler as a child (src/backend/cpu/cpu_child.c): its limits, its end with this process, and the
 * folders that killed processes leave (cpu_folder.c). Compilers are scripts.
 */
#include <backend/cpu/cpu_program.h>

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

static const char *directory; /* TMPDIR */

static void pause_for(long milliseconds)
{
    const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static void path_of(char path[256], const char *name) { snprintf(path, 256, "%s/%s", directory, name); }

/* A script that is taken for the compiler. */
static void take_compiler(const char *lines)
{
    char path[256];
    path_of(path, "compiler");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s", lines);
    fclose(file);
    assert_int_equal(chmod(path, 0700), 0);
    setenv("BAILEY_CC", path, 1);
}

static bailey_status compile(void)
{
    static const char *const options[] = {NULL};
    void *object = NULL;
    size_t size = 0;
    const bailey_status status = bly_cpu_compile("test", "text", 4, options, &object, &size);
    free(object);
    return status;
}

/* Whether the process whose number is in the file still runs. One that has ended but was not waited for does
 * not. */
static int goes_on(const char *name)
{
    char path[256], state = 0;
    long pid = 0;
    path_of(path, name);
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%ld", &pid) != 1) fail_msg("no number in %s", path);
    fclose(file);
    if (kill((pid_t)pid, 0) != 0) return 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    file = fopen(path, "r");
    if (file && fscanf(file, "%*d %*s %c", &state) != 1) state = 'Z';
    if (file) fclose(file);
    return state != 'Z' && state != 0;
}

static int ends_soon(const char *name)
{
    for (int i = 0; i < 500 && goes_on(name); i++) pause_for(10);
    return !goes_on(name);
}

static int count_folders(void)
{
    int count = 0;
    DIR *entries = opendir(directory);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        count += strncmp(entry->d_name, "bailey-cc-", 10) == 0;
    if (entries) closedir(entries);
    return count;
}

static void check_limit(const char *name, const char *value, const char *lines)
{
    take_compiler(lines);
    setenv(name, value, 1);
    assert_int_equal(compile(), BAILEY_ERROR_BUILD);
    if (!strstr(bailey_error_message(), name)) fail_msg("no %s in: %s", name, bailey_error_message());
    unsetenv(name);
    assert_int_equal(count_folders(), 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

/* The limit that a script has written is this one, or this process's if that is lower. */
static void check_own(const char *name, int resource, rlim_t most)
{
    char path[256], text[64] = "", wanted[64] = "unlimited\n";
    struct rlimit own;
    path_of(path, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    assert_int_equal(getrlimit(resource, &own), 0);
    if (own.rlim_cur < most) most = own.rlim_cur;
    if (most != RLIM_INFINITY)
        snprintf(wanted, sizeof wanted, "%llu\n",
                 (unsigned long long)(resource == RLIMIT_AS ? most / 1024 : most));
    assert_string_equal(text, wanted);
}

TEST(limits, HOST | LONG)
{
    char lines[1024];
    snprintf(lines, sizeof lines, "sleep 100 &\necho $! >%s/worker\nsleep 100\n", directory);
    check_limit("BAILEY_CC_SECONDS", "1", lines);
    assert_true(ends_soon("worker"));
    check_limit("BAILEY_CC_CPU_SECONDS", "1", "while :; do :; done\n");
    check_limit("BAILEY_CC_MEMORY", "256", "dd if=/dev/zero of=/dev/null bs=1G count=1\n");
    /* No limit, and one that is none. */
    setenv("BAILEY_CC_SECONDS", "0", 1);
    setenv("BAILEY_CC_CPU_SECONDS", "0", 1);
    setenv("BAILEY_CC_MEMORY", "a lot", 1);
    snprintf(lines, sizeof lines, "ulimit -S -t >%s/seconds\nulimit -S -v >%s/memory\nexit 1\n", directory,
             directory);
    take_compiler(lines);
    assert_int_equal(compile(), BAILEY_ERROR_BUILD);
    unsetenv("BAILEY_CC_SECONDS");
    unsetenv("BAILEY_CC_CPU_SECONDS");
    unsetenv("BAILEY_CC_MEMORY");
    check_own("seconds", RLIMIT_CPU, RLIM_INFINITY);
    check_own("memory", RLIMIT_AS, (rlim_t)4096 << 20);
}

/* Processes that the compiler has started do not outlive it. */
TEST(workers_end, HOST)
{
    char lines[1024];
    snprintf(lines, sizeof lines, "sleep 100 &\necho $! >%s/worker\nexit 1\n", directory);
    take_compiler(lines);
    assert_int_equal(compile(), BAILEY_ERROR_BUILD);
    assert_true(ends_soon("worker"));
}

/* However this process ends. The folder that it leaves goes when the next is made. */
TEST(ends_with_parent, HOST)
{
    char lines[1024], path[256];
    snprintf(lines, sizeof lines,
             "echo half >\"$TMPDIR/half.o\"\necho $$ >%s/number\nmv %s/number %s/started\nsleep 100\n",
             directory, directory, directory);
    take_compiler(lines);
    path_of(path, "started");
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        compile();
        _exit(0);
    }
    for (int i = 0; i < 500 && access(path, F_OK) != 0; i++) pause_for(10);
    assert_true(goes_on("started"));
    assert_int_equal(count_folders(), 1);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_true(ends_soon("started"));
    assert_int_equal(count_folders(), 1);
    take_compiler("exit 1\n");
    assert_int_equal(compile(), BAILEY_ERROR_BUILD);
    assert_int_equal(count_folders(), 0);
}

/* Folders of living processes stay, and so does what only has the name. */
TEST(folders, HOST)
{
    struct bly_folder held, next;
    char path[300], file[256];
    assert_true(bly_folder_make(&held));
    assert_true(bly_folder_file(&held, "program.so", path, sizeof path));
    assert_true(bly_folder_make(&next));
    assert_int_equal(count_folders(), 2);
    bly_folder_remove(&next);
    path_of(file, "bailey-cc-abcdef");
    assert_int_equal(symlink(directory, file), 0);
    assert_true(bly_folder_make(&next));
    assert_int_equal(count_folders(), 3);
    assert_int_equal(unlink(file), 0);
    bly_folder_remove(&next);
    bly_folder_remove(&held);
    assert_int_equal(count_folders(), 0);
    setenv("TMPDIR", "/nonexistent", 1);
    assert_false(bly_folder_make(&held));
    setenv("TMPDIR", directory, 1);
}

static int set_up(void **state)
{
    (void)state;
    directory = test_folder();
    setenv("TMPDIR", directory, 1);
    return 0;
}
FIXTURE(set_up, NULL)
