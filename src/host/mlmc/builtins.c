/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The built-in levels: the code under levels/, as tools/builtins.c lists it.
 */
#include "mlmc_internal.h"

#include <kernels/levels_list.h>

#include <string.h>

#define DECLARE(name, file) extern const unsigned char bly_data_##file[];
BLY_LEVELS_LIST(DECLARE)

#define ROW(name, file) {name, bly_data_##file},
static const struct {
    const char *name;
    const unsigned char *code;
} levels[] = {BLY_LEVELS_LIST(ROW)};

#define COUNT (sizeof levels / sizeof levels[0])

const char *bly_mlmc_builtin_code(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(levels[i].name, name) == 0) return (const char *)levels[i].code;
    return NULL;
}

const char *bailey_mlmc_name(size_t index) { return index < COUNT ? levels[index].name : NULL; }
