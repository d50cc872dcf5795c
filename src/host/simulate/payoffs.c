/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The built-in payoffs: the texts under payoffs/.
 */
#include "payoff.h"

#include <string.h>

/* Name and file of each. */
#define PAYOFFS(X)                                                                                           \
    X("european", european_option)                                                                           \
    X("asian", asian_option)                                                                                 \
    X("asian-geometric", asian_geometric_option)                                                             \
    X("asian-max", asian_max_option)                                                                         \
    X("lookback-garch", lookback_garch_option)                                                               \
    X("barrier", barrier_option)                                                                             \
    X("digital", digital_option)                                                                             \
    X("heston", heston_option)

#define DECLARE(name, file) extern const unsigned char bly_data_##file[];
PAYOFFS(DECLARE)

#define ROW(name, file) {name, bly_data_##file},
static const struct {
    const char *name;
    const unsigned char *text;
} payoffs[] = {PAYOFFS(ROW)};

#define COUNT (sizeof payoffs / sizeof payoffs[0])

const char *bly_payoff_builtin_text(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(payoffs[i].name, name) == 0) return (const char *)payoffs[i].text;
    return NULL;
}

const char *bailey_payoff_builtin(size_t index, const char **name)
{
    if (name) *name = index < COUNT ? payoffs[index].name : NULL;
    return index < COUNT ? (const char *)payoffs[index].text : NULL;
}
