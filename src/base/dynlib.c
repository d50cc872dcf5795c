/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The POSIX way to open libraries; another operating system replaces this file.
 */
#define _GNU_SOURCE /* secure_getenv */
#include "dynlib.h"

#include "log.h"
#include "status.h"

#include <dlfcn.h>
#if defined(__ELF__)
#include <link.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bailey_status fill(void *library, const char *name, const struct bly_symbol *symbols, size_t count,
                          char *why, size_t why_size)
{
    for (size_t i = 0; i < count; i++) {
        void *address = dlsym(library, symbols[i].name);
        if (!address && !symbols[i].optional) {
            for (size_t j = 0; j < count; j++) memset(symbols[j].pointer, 0, sizeof address);
            snprintf(why, why_size, "%s has no %s: it is too old or not the library it should be", name,
                     symbols[i].name);
            return BAILEY_ERROR_NO_DEVICE;
        }
        memcpy(symbols[i].pointer, &address,
               sizeof address); /* ISO C has no cast from object to function pointer */
    }
    return BAILEY_OK;
}

#if defined(__ELF__)
static int has_loader(struct dl_phdr_info *object, size_t size, void *unused)
{
    (void)size, (void)unused;
    for (int i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_INTERP) return 1;
    return 0;
}

/* dlopen of a static program crashes in glibc as soon as the library needs what the loader sets up. For a
 * dynamic process at least the program, or its C library, names a loader. */
int bly_dynlib_is_static(void) { return !dl_iterate_phdr(has_loader, NULL); }
#else
int bly_dynlib_is_static(void) { return 0; }
#endif

bailey_status bly_dynlib_open(const char *env, const char *const *names, const struct bly_symbol *symbols,
                              size_t count, void **handle, char *why, size_t why_size)
{
    const char *override[2] = {env ? secure_getenv(env) : NULL, NULL};
    if (override[0] && *override[0]) names = override;
    *handle = NULL;
    if (bly_dynlib_is_static()) {
        snprintf(why, why_size, "this program is linked statically, so it cannot load %s", names[0]);
        return BAILEY_ERROR_NO_DEVICE;
    }
    for (size_t i = 0; names[i]; i++) {
        bly_log(1, "opening %s ...", names[i]);
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            /* dlerror() starts with the name. The first library is the one that should be there. */
            const char *words = dlerror();
            bly_log(1, "%s", words ? words : names[i]);
            if (i == 0) snprintf(why, why_size, "%s", words ? words : names[i]);
            continue;
        }
        bly_log(1, "opened %s", names[i]);
        const bailey_status status = fill(library, names[i], symbols, count, why, why_size);
        if (status == BAILEY_OK)
            *handle = library;
        else
            dlclose(library);
        return status;
    }
    return BAILEY_ERROR_NO_DEVICE;
}

int bly_dynlib_file(const void *function, const char **path)
{
    Dl_info info;
    if (!dladdr(function, &info) || !info.dli_fname || *info.dli_fname != '/') return 0;
    *path = info.dli_fname;
    return 1;
}

void bly_dynlib_close(void *handle)
{
    if (handle) dlclose(handle);
}
