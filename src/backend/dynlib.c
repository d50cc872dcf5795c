/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The POSIX way to open libraries; another operating system replaces this file.
 */
#define _GNU_SOURCE /* secure_getenv */
#include "dynlib.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bailey_status fill(void *library, const char *name, const struct bly_symbol *symbols, size_t count,
                          char *why, size_t why_size)
{
    for (size_t i = 0; i < count; i++) {
        void *address = dlsym(library, symbols[i].name);
        if (!address) {
            for (size_t j = 0; j < count; j++) memset(symbols[j].slot, 0, sizeof address);
            snprintf(why, why_size, "%s has no %s: it is too old or not the library it should be", name,
                     symbols[i].name);
            return BAILEY_ERROR_NO_DEVICE;
        }
        memcpy(symbols[i].slot, &address,
               sizeof address); /* ISO C has no cast from object to function pointer */
    }
    return BAILEY_OK;
}

bailey_status bly_dynlib_open(const char *env, const char *const *names, const struct bly_symbol *symbols,
                              size_t count, void **handle, char *why, size_t why_size)
{
    const char *override[2] = {env ? secure_getenv(env) : NULL, NULL};
    if (override[0] && *override[0]) names = override;
    *handle = NULL;
    for (size_t i = 0; names[i]; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            /* dlerror() starts with the name. The first library is the one that should be there. */
            const char *words = dlerror();
            if (i == 0) snprintf(why, why_size, "%s", words ? words : names[i]);
            continue;
        }
        const bailey_status status = fill(library, names[i], symbols, count, why, why_size);
        if (status == BAILEY_OK)
            *handle = library;
        else
            dlclose(library);
        return status;
    }
    return BAILEY_ERROR_NO_DEVICE;
}

void bly_dynlib_close(void *handle)
{
    if (handle) dlclose(handle);
}
