/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Opening a vendor's library at run time. Nothing of a vendor is linked: its absence is a reason.
 *
 * A backend lists the entry points that it uses once, as an X-macro over the vendor's own prototypes,
 * and makes from it the table of pointers and the array of names and addresses of pointers:
 *
 *     #define SYMBOLS(X) X(clFinish) X(clFlush)
 *     #define MEMBER(f) __typeof__(&f) f;
 *     static struct { SYMBOLS(MEMBER) } table;
 *     #define ROW(f) {#f, (void **)&table.f, 0},
 *     static const struct bly_symbol symbols[] = {SYMBOLS(ROW)};
 */
#ifndef BLY_DYNLIB_H
#define BLY_DYNLIB_H

#include <bailey/bailey.h>

struct bly_symbol {
    const char *name;
    void **pointer; /* the address of the function pointer to fill */
    int optional;   /* NULL where the library lacks it */
};

/* Opens the first of `names` (ends with NULL) that can be opened, and fills in every pointer. The log names
 * each library before it is opened: of one that ends the process, the last line names it.
 *
 * When the environment variable `env` is set and not empty, the library file that it names is tried
 * instead of `names` (BAILEY_OPENCL_LIBRARY, BAILEY_CUDA_LIBRARY, BAILEY_NVRTC_LIBRARY: for tests, and for
 * libraries in unusual places).
 * Returns: OK with *handle for bly_dynlib_close; otherwise ERROR_NO_DEVICE, with nothing left open and
 * the library or symbol that is missing in `why`, or that the process is a static program (this does not
 * touch the thread's error text). */
bailey_status bly_dynlib_open(const char *env, const char *const *names, const struct bly_symbol *symbols,
                              size_t count, void **handle, char *why, size_t why_size);

/* Whether this process was started without the dynamic loader: nothing can be opened. */
int bly_dynlib_is_static(void);

/* The file that a function was loaded from; 0 if that is not known. */
int bly_dynlib_file(const void *function, const char **path);

void bly_dynlib_close(void *handle); /* NULL is allowed */

#endif
