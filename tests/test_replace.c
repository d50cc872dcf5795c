/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Files that are written and renamed into place (src/base/replace.c): what stands where when, and what killed
 * writers leave.
 */
#include <base/replace.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

static const char *directory;

static const char *path_of(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static int count(void)
{
    int files = -2; /* . and .. */
    DIR *entries = opendir(directory);
    while (entries && readdir(entries)) files++;
    if (entries) closedir(entries);
    return files;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void has(const char *name, const char *wanted)
{
    char text[64] = "";
    FILE *file = fopen(path_of(name), "r");
    assert_non_null(file);
    (void)!fgets(text, sizeof text, file);
    fclose(file);
    assert_string_equal(text, wanted);
}

TEST(replaces, HOST)
{
    struct bly_replacement r;
    struct stat s;
    assert_true(bly_replace_begin(&r, path_of("target")));
    assert_int_equal(count(), 2);
    assert_int_equal(fstat(r.file, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0600);
    assert_true(fcntl(r.file, F_GETFD) & FD_CLOEXEC);
    assert_int_equal(write(r.file, "new", 3), 3);
    has("target", "old");
    assert_true(bly_replace_close(&r));
    assert_true(bly_replace_end(&r, 1));
    has("target", "new");
    assert_int_equal(count(), 1);
    assert_true(bly_replace_begin(&r, path_of("target")));
    bly_replace_abandon(&r);
    has("target", "new");
    assert_int_equal(count(), 1);
    assert_false(bly_replace_begin(&r, path_of("nowhere/target")));
    assert_false(bly_replace_begin(&r, path_of("target/")));
}

/* A link, a name that is taken, a long name. */
TEST(names, HOST)
{
    struct bly_replacement r, other;
    char name[300] = "", text[400];
    assert_true(bly_replace_begin(&r, path_of("target")));
    assert_true(bly_replace_begin(&other, path_of("target")));
    assert_string_not_equal(r.name, other.name);
    assert_int_equal(count(), 3); /* that of the first is held */
    bly_replace_abandon(&other);
    bly_replace_abandon(&r);
    memset(name, 'a', 255);
    snprintf(text, sizeof text, "%s/%s", directory, name);
    assert_true(bly_replace_begin(&r, text));
    assert_true(bly_replace_close(&r));
    assert_true(bly_replace_end(&r, 0));
    assert_int_equal(unlink(text), 0);
    assert_int_equal(count(), 1);
}

/* A file that a killed writer left is removed; one of another writer or with a similar name stays. */
TEST(stale, HOST)
{
    static const char *const kept[] = {".other.01234567.tmp", ".target.0123456.tmp", ".target.0123456g.tmp",
                                       ".target.01234567.tmpx", "target.01234567.tmp"};
    struct bly_replacement r;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (!bly_replace_begin(&r, path_of("target"))) _exit(1);
        kill(getpid(), SIGKILL);
    }
    waitpid(child, NULL, 0);
    assert_int_equal(count(), 2);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) write_file(kept[i], "mine");
    assert_int_equal(symlink("target", path_of(".target.00000000.tmp")), 0);
    assert_int_equal(mkfifo(path_of(".target.00000001.tmp"), 0600), 0);
    assert_int_equal(count(), 9);
    assert_true(bly_replace_begin(&r, path_of("target")));
    assert_int_equal(count(), 9);
    bly_replace_abandon(&r);
    assert_int_equal(count(), 8);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) has(kept[i], "mine");
    /* Of any target, in a folder. */
    const int folder = open(directory, O_RDONLY | O_DIRECTORY);
    assert_true(bly_replace_begin_in(&r, folder, "third"));
    bly_replace_abandon(&r);
    assert_int_equal(count(), 7);
    close(folder);
}

static int set_up(void **state)
{
    (void)state;
    directory = test_folder();
    write_file("target", "old");
    return 0;
}
FIXTURE(set_up, NULL)
