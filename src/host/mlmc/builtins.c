/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The built-in levels: the code under levels/, as tools/builtins.c lists it.
 */
#include <bailey/mlmc.h>

#include <kernels/levels_list.h>

#define DECLARE(name, file) extern const unsigned char bly_data_##file[];
BLY_LEVELS_LIST(DECLARE)

#define ROW(name, file) {name, bly_data_##file},
static const struct {
    const char *name;
    const unsigned char *text;
} levels[] = {BLY_LEVELS_LIST(ROW)};

#define COUNT (sizeof levels / sizeof levels[0])

const char *bailey_mlmc_builtin(size_t index, const char **name)
{
    if (name) *name = index < COUNT ? levels[index].name : NULL;
    return index < COUNT ? (const char *)levels[index].text : NULL;
}
