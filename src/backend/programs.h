/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Compiled programs, of any backend: in the process, on disk (cache.h), or built, under one key.
 *
 * No program is built twice in a process while it is cached, by whatever threads and contexts: who wants one
 * that another thread makes waits for it. Different programs are made at the same time. For the binaries that
 * are cached in the process, those used longest ago go when there are more than 64 MiB.
 */
#ifndef BLY_PROGRAMS_H
#define BLY_PROGRAMS_H

#include "backend.h"
#include "cache.h"

#include <base/text.h>

/* ---- Their code ------------------------------------------------------------------------------ */

/* Adds a line #define for each definition of the code. */
void bly_code_define(const struct bly_code *code, struct bly_text *text);

/* The code's text after its definitions, to be freed with bly_free; the compiler still counts lines from the
 * text's first. NULL without memory. */
char *bly_code_compose(const struct bly_code *code);

/* The most that work-groups of the code's kernels share. */
uint32_t bly_code_shared_bytes(const struct bly_code *code);

/* Copies of the code's kernels with their names, to be freed with bly_free. NULL without memory. */
struct bly_kernel *bly_code_kernels(const struct bly_code *code);

/* ---- Making them ----------------------------------------------------------------------------- */

/* A program that is needed, and how its backend makes it. `target` is the first argument of the functions,
 * which are called by one thread at a time. */
struct bly_wanted {
    const char *backend, *name; /* for the log */
    /* All that the binary depends on, apart from the embedded headers; ends with NULL. The first says which
     * backend and format. */
    const char *const *key;
    int cache; /* bly_cache_open */
    void *target;
    /* Makes a program from its binary; NULL where the driver rejects it. */
    void *(*load)(void *target, const void *binary, size_t size);
    /* Builds the program. Its binary, from malloc, goes to *binary, or NULL if there is none to keep. */
    bailey_status (*build)(void *target, void **program, void **binary, size_t *size);
    /* A directory whose lock (cache.h) is held while the program is looked for on disk or built, by one
     * thread of this process at a time; or NULL. */
    const char *lock;
};

/* Makes the program, which is the caller's. Fails as `build` does. Threads: any. */
bailey_status bly_program_make(const struct bly_wanted *what, void **program);

#endif
