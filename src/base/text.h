/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A text that grows.
 */
#ifndef BLY_TEXT_H
#define BLY_TEXT_H

#include <stddef.h>

struct bly_text {
    char *data; /* to be freed with bly_free; NULL while nothing has been added */
    size_t used, size;
    int failed; /* out of memory; what is added is lost */
};

void bly_text_add(struct bly_text *text, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

#endif
