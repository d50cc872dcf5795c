/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The functions of the language: the rows of kernels/payoff_functions.h, and nothing else.
 */
#include "machine.h"

#include <bailey/simulation.h>
#include <kernels/payoff_functions.h>

#include <string.h>

#define ROW(name, arguments, made, root, summary) {#name, arguments, root},
static const struct bly_library_function rows[] = {BLY_PAYOFF_FUNCTIONS(ROW)};
#define ROWS (sizeof rows / sizeof *rows)

const struct bly_library_function *bly_library_find(const char *name, size_t length)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0) return &rows[i];
    return NULL;
}

size_t bly_library_count(void) { return ROWS; }

const struct bly_library_function *bly_library_at(size_t index) { return index < ROWS ? &rows[index] : NULL; }

const bailey_language_function *bailey_payoff_function(size_t index)
{
#define SAID(name_, arguments_, made, root, summary_)                                                        \
    {.name = #name_, .summary = summary_, .arguments = arguments_},
    static const bailey_language_function functions[ROWS] = {BLY_PAYOFF_FUNCTIONS(SAID)};
    return index < ROWS ? &functions[index] : NULL;
}
