/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The built-in payoffs: the code in host/simulate/payoffs, which the build embeds and tools/builtins.c lists.
 */
#include "payoff.h"

#include <kernels/payoff_list.h>

#include <string.h>

#define DECLARE(name, file) extern const unsigned char bly_data_##file[];
BLY_PAYOFF_LIST(DECLARE)
BLY_ROWLESS_PAYOFF_LIST(DECLARE)

#define ROW(name, file) {name, bly_data_##file},
static const struct bly_payoff_row payoffs[] = {BLY_PAYOFF_LIST(ROW) BLY_ROWLESS_PAYOFF_LIST(ROW)};

#define COUNT (sizeof payoffs / sizeof payoffs[0])

const struct bly_payoff_row *bly_payoff_row_find(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(payoffs[i].name, name) == 0) return &payoffs[i];
    return NULL;
}

const char *bly_payoff_builtin_code(const char *name)
{
    const struct bly_payoff_row *builtin = bly_payoff_row_find(name);
    return builtin ? (const char *)builtin->text : NULL;
}

const char *bailey_payoff_name(size_t index) { return index < COUNT ? payoffs[index].name : NULL; }
