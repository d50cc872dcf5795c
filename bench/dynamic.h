/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Other people's libraries that benchmarks compare with: opened when the program runs, if they are there.
 */
#ifndef CLI_DYNAMIC_H
#define CLI_DYNAMIC_H

#include <stddef.h>

struct dynamic_symbol {
    const char *name;
    void **slot; /* the address of the pointer to fill */
};

/* Opens the first of `names` (NULL ends) that can be opened, and fills every slot. NULL with the reason in
 * `why`, and nothing left open. */
void *dynamic_open(const char *const *names, const struct dynamic_symbol *symbols, size_t count, char *why,
                   size_t why_size);

/* NULL if there is no such symbol. */
void *dynamic_find(void *library, const char *name);

void dynamic_close(void *library); /* NULL is allowed */

#endif
