/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Places in payoff code, and those of them that are tested as they run.
 */
#ifndef BLY_SITES_H
#define BLY_SITES_H

#include <stddef.h>
#include <stdint.h>

/* In the code: both from 1; a column is a character of UTF-8, a tab too. Line 0 means no place. */
struct bly_place {
    uint32_t line, column;
};

/* What may be tested as it runs. A site is one place in the code that does it. */
enum bly_fault_kind {
    BLY_FAULT_NONE,
    BLY_FAULT_INDEX,  /* outside of the array: element 0 is taken */
    BLY_FAULT_DIVIDE, /* an integer by 0: the result is 0 */
    BLY_FAULT_LOOP,   /* its budget of trips is used up: it ends */
    BLY_FAULT_TICK    /* at() and time() of a step or dimension that the path has not: step 0, dimension 0 */
};

/* A place that is tested as it runs. */
struct bly_site {
    enum bly_fault_kind kind;
    struct bly_place place;
    const char *what; /* INDEX: the array as it is written, as "h[2]": its name and size; LOOP: "for",
                         "while", "do" */
    uint32_t count;   /* INDEX: of elements */
};

/* sites.c: a copy, to be freed by bly_free, that needs no unit; NULL without memory. */
struct bly_site *bly_sites_copy(const struct bly_site *sites, uint32_t count);
/* What failed there: "NAME:LINE:COLUMN: index 12 of h[2]". `value` is that of bly_watch. */
void bly_site_write(const char *name, const struct bly_site *site, int64_t value, uint32_t loop_budget,
                    char *text, size_t size);

#endif
