/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The built-in payoffs.
 */
#include "payoff.h"

#include <string.h>

static const struct {
    const char *name, *text;
} payoffs[] = {{NULL, NULL}};

const char *bly_payoff_builtin_text(const char *name)
{
    size_t i = 0;
    while (payoffs[i].name && strcmp(payoffs[i].name, name) != 0) i++;
    return payoffs[i].text;
}

const char *bailey_payoff_builtin(size_t index, const char **name)
{
    if (name) *name = NULL;
    for (size_t i = 0; i <= index; i++)
        if (!payoffs[i].name) return NULL;
    if (name) *name = payoffs[index].name;
    return payoffs[index].text;
}
