/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The embedded device headers, for programs that compile their own kernels.
 */
#include "internal.h"

#include <string.h>

int bailey_device_header(size_t index, const char **name, const char **text)
{
    for (const struct bly_embedded *header = bly_embedded_headers; header->name; header++) {
        if (strncmp(header->name, "bailey/", 7) != 0) continue; /* the library's own kernels */
        if (index-- > 0) continue;
        if (name) *name = header->name;
        if (text) *text = header->text;
        return 1;
    }
    return 0;
}
