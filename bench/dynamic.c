/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Other people's libraries that benchmarks compare with: opened when the program runs, if they are there.
 */
#include "bench_peers.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

void *dynamic_open(const char *const *names, const struct dynamic_symbol *symbols, size_t count, char *why,
                   size_t why_size)
{
    void *library = NULL;
    for (; *names && !library; names++) {
        /* lazily: only what is used must be there */
        library = dlopen(*names, RTLD_LAZY | RTLD_LOCAL);
        if (!library) snprintf(why, why_size, "%s", dlerror());
    }
    for (size_t i = 0; i < count && library; i++) {
        *symbols[i].slot = dlsym(library, symbols[i].name);
        if (*symbols[i].slot) continue;
        snprintf(why, why_size, "%s", dlerror());
        dlclose(library);
        library = NULL;
    }
    return library;
}

void *dynamic_driver(const struct dynamic_symbol *symbols, size_t count, char *why, size_t why_size)
{
    const char *other = getenv("BAILEY_CUDA_LIBRARY");
    const char *const names[] = {other && *other ? other : "libcuda.so.1", NULL};
    return dynamic_open(names, symbols, count, why, why_size);
}

void *dynamic_find(void *library, const char *name) { return dlsym(library, name); }

void dynamic_close(void *library)
{
    if (library) dlclose(library);
}
