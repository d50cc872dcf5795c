/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What payoffs say of themselves, for the help of `bailey price` and for options that are parameters.
 */
#ifndef CLI_PRICE_DESCRIBE_H
#define CLI_PRICE_DESCRIBE_H

#include "options.h"

/* For struct command: prints the parameters and outputs of the command's product, or of the code of --payoff.
 */
void price_describe(const struct command *command, int argc, char **argv);
/* Likewise: whether it has a parameter called so, in which - stands for _. */
int price_has_parameter(const struct command *command, int argc, char **argv, const char *name);

#endif
