/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * As ocl-icd and the Khronos loader do it on Linux: a folder of .icd files, each with the name of a library
 * on its first line. OCL_ICD_VENDORS (OPENCL_VENDOR_PATH) names another folder; with ocl-icd also one file,
 * or a library. OCL_ICD_FILENAMES names further libraries, with colons between.
 */
#define _GNU_SOURCE /* secure_getenv */
#include <stddef.h> /* something to compile */

#ifdef BLY_HAVE_OPENCL

#include "opencl_internal.h"

#include <base/dynlib.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define USUAL_FOLDER "/etc/OpenCL/vendors"
#define NAME_BYTES 1024

/* Called for each driver; `file` is "" where no .icd file names it. Not 0 ends the visit. */
typedef int (*visitor)(void *user, const char *file, const char *library);

static const char *variable(const char *name)
{
    const char *value = secure_getenv(name);
    return value && *value ? value : NULL;
}

static const char *folder(void)
{
    const char *path = variable("OPENCL_VENDOR_PATH");
    return path ? path : USUAL_FOLDER;
}

static int is_icd(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".icd") == 0;
}

static int is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* One .icd file, which may be unreadable or empty: the library is "" then. */
static int visit_file(const char *path, visitor visit, void *user)
{
    char library[NAME_BYTES] = "";
    FILE *file = fopen(path, "re");
    if (file && !fgets(library, sizeof library, file)) *library = 0;
    if (file) fclose(file);
    library[strcspn(library, "\r\n")] = 0;
    return visit(user, path, library);
}

static void visit_folder(const char *path, visitor visit, void *user)
{
    char file[2 * NAME_BYTES];
    DIR *directory = opendir(path);
    int done = 0;
    for (struct dirent *entry; directory && !done && (entry = readdir(directory));) {
        if (!is_icd(entry->d_name)) continue;
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        done = visit_file(file, visit, user);
    }
    if (directory) closedir(directory);
}

/* What OCL_ICD_VENDORS names. */
static void visit_named(const char *named, visitor visit, void *user)
{
    char file[2 * NAME_BYTES];
    struct stat s;
    if (is_folder(named)) {
        visit_folder(named, visit, user);
    } else if (is_icd(named)) {
        snprintf(file, sizeof file, "%s/%s", folder(), named);
        visit_file(!strchr(named, '/') && stat(file, &s) == 0 ? file : named, visit, user);
    } else {
        visit(user, "", named);
    }
}

static void visit_all(visitor visit, void *user)
{
    const char *named = variable("OCL_ICD_VENDORS"), *more = variable("OCL_ICD_FILENAMES");
    char library[NAME_BYTES];
    if (named)
        visit_named(named, visit, user);
    else
        visit_folder(folder(), visit, user);
    while (more && *(more += strspn(more, ":"))) {
        const size_t length = strcspn(more, ":");
        snprintf(library, sizeof library, "%.*s", (int)length, more);
        if (visit(user, "", library)) return;
        more += length;
    }
}

struct text {
    char *at;
    size_t size;
};

/* As much as there is room for. */
static void add(struct text *text, const char *part)
{
    const size_t used = strlen(text->at), room = text->size - 1 - used, length = strlen(part);
    const size_t taken = length < room ? length : room;
    memcpy(text->at + used, part, taken);
    text->at[used + taken] = 0;
}

static int list_driver(void *user, const char *file, const char *library)
{
    struct text *text = user;
    if (*text->at) add(text, ", ");
    add(text, library);
    if (!*file) return 0;
    add(text, " (");
    add(text, file);
    add(text, ")");
    return 0;
}

static void write_none(char *text, size_t size)
{
    const char *named = variable("OCL_ICD_VENDORS"), *path = variable("OPENCL_VENDOR_PATH");
    if (named || path)
        snprintf(text, size, "%s is \"%s\", a folder without .icd files",
                 named ? "OCL_ICD_VENDORS" : "OPENCL_VENDOR_PATH", named ? named : path);
    else
        snprintf(text, size, "no driver is installed (no .icd file in " USUAL_FOLDER ")");
}

void bly_cl_vendors_list(char *text, size_t size)
{
    struct text drivers = {text, size};
    *text = 0;
    visit_all(list_driver, &drivers);
    if (!*text) write_none(text, size);
}

/* Writes why a driver cannot be loaded, if it cannot. */
static int find_broken(void *user, const char *file, const char *library)
{
    struct text *text = user;
    const char *const names[] = {library, NULL};
    char why[NAME_BYTES] = "";
    void *handle; /* never closed: drivers keep threads */
    if (*library && bly_dynlib_open(NULL, names, NULL, 0, &handle, why, sizeof why) == BAILEY_OK) return 0;
    if (!*library)
        snprintf(text->at, text->size, "%s names no library", file);
    else if (*file)
        snprintf(text->at, text->size, "%s names %s, which cannot be loaded: %s", file, library, why);
    else
        snprintf(text->at, text->size, "%s cannot be loaded: %s", library, why);
    return 1;
}

void bly_cl_vendors_explain(char *why, size_t size)
{
    char list[NAME_BYTES] = "";
    struct text broken = {why, size}, drivers = {list, sizeof list};
    *why = 0;
    visit_all(list_driver, &drivers);
    if (!*list) {
        write_none(why, size);
        return;
    }
    visit_all(find_broken, &broken);
    if (!*why) snprintf(why, size, "the drivers offer none: %s", list);
}

#endif
