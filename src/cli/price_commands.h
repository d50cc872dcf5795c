/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A command of `bailey price` for each product that the library has, with the help that its description
 * gives.
 */
#ifndef CLI_PRICE_COMMANDS_H
#define CLI_PRICE_COMMANDS_H

#include "options.h"

/* The command of product number `index`; NULL beyond the last. For struct family. */
const struct command *price_command(size_t index);

/* What runs all of them. */
int price_run_product(const struct arguments *arguments);

#endif
