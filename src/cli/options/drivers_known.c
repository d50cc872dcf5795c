/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A file in the folder of compiled programs says what would make the driver another one. While a program
 * opens the driver the file is away, so that one that ends the process is tried in a child the next time.
 */
#define _XOPEN_SOURCE 700

#include "drivers_known.h"

#include <base/cache_folder.h>
#include <base/file_mark.h>
#include <base/replace.h>

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

#define NAME "cuda-opens"
#define FORMAT "bailey driver 1\n"
#define MOST_BYTES 65536

struct text {
    size_t used;
    char bytes[MOST_BYTES]; /* a file that fills it is not written */
};

static void add(struct text *text, const char *words, size_t length)
{
    if (length > MOST_BYTES - 1 - text->used) length = MOST_BYTES - 1 - text->used;
    memcpy(text->bytes + text->used, words, length);
    text->used += length;
    text->bytes[text->used] = 0;
}

static void add_file(struct text *text, const char *path)
{
    FILE *file = fopen(path, "r");
    char bytes[1024];
    if (!file) return;
    add(text, bytes, fread(bytes, 1, sizeof bytes, file));
    fclose(file);
}

/* The machine since it was started, the driver's part in its kernel, and the variables that choose a driver
 * and its devices. */
static void add_surroundings(struct text *text)
{
    static const char *const begins[] = {"BAILEY_CUDA_LIBRARY=", "CUDA_", "LD_", "NVIDIA_"};
    add(text, FORMAT, strlen(FORMAT));
    add_file(text, "/proc/sys/kernel/random/boot_id");
    add_file(text, "/proc/driver/nvidia/version");
    for (char **variable = environ; *variable; variable++)
        for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
            if (!strncmp(*variable, begins[i], strlen(begins[i]))) {
                add(text, *variable, strlen(*variable));
                add(text, "\n", 1);
            }
}

/* A library, or what tells the loader where they are. */
static void add_library(struct text *text, const char *path)
{
    char line[PATH_MAX + 128];
    if (!bly_file_mark(path, line, sizeof line)) return;
    add(text, line, strlen(line));
    add(text, "\n", 1);
}

/* The path at the end of a line of /proc/self/maps that begins a library, or NULL. */
static const char *mapped_library(char *line)
{
    char *path = strchr(line, '/');
    line[strcspn(line, "\n")] = 0;
    if (!path || !strstr(path, ".so") || !strstr(line, " 00000000 ")) return NULL;
    return path;
}

static void add_libraries(struct text *text)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[PATH_MAX + 128];
    const char *path;
    add_library(text, "/etc/ld.so.cache");
    while (maps && fgets(line, sizeof line, maps))
        if ((path = mapped_library(line))) add_library(text, path);
    if (maps) fclose(maps);
}

/* The folder, open, or -1. */
static int open_folder(void)
{
    char path[PATH_MAX];
    const char *why;
    size_t existing;
    return bly_cache_folder(NULL, path, sizeof path, &existing, &why)
               ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
               : -1;
}

static void put(const struct text *text)
{
    struct bly_replacement r;
    const int folder = open_folder();
    if (folder < 0) return;
    if (bly_replace_begin_in(&r, folder, NAME) && text->used < MOST_BYTES - 1 &&
        write(r.file, text->bytes, text->used) == (ssize_t)text->used && bly_replace_close(&r) &&
        bly_replace_end(&r, 0)) {
        close(folder);
        return;
    }
    bly_replace_abandon(&r);
    close(folder);
}

/* Whether all is as it was told. */
static int holds(const char *told)
{
    static struct text now;
    now.used = 0;
    add_surroundings(&now);
    if (strncmp(told, now.bytes, now.used)) return 0;
    told += now.used;
    for (size_t length; (length = strcspn(told, "\n")) > 0; told += length + (told[length] == '\n'))
        if (!bly_file_mark_holds(told, length)) return 0;
    return 1;
}

int driver_take(void)
{
    static struct text told;
    const int folder = open_folder();
    const int file = folder < 0 ? -1 : openat(folder, NAME, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const ssize_t got = file < 0 ? -1 : read(file, told.bytes, MOST_BYTES - 1);
    told.bytes[got > 0 ? got : 0] = 0;
    /* Of programs that begin at the same time one finds it. */
    const int taken = got > 0 && !unlinkat(folder, NAME, 0);
    if (file >= 0) close(file);
    if (folder >= 0) close(folder);
    return taken && holds(told.bytes);
}

void driver_opened(const char *address)
{
    static struct text text;
    if (strcmp(address, "cuda:0")) return;
    text.used = 0;
    add_surroundings(&text);
    add_libraries(&text);
    put(&text);
}
