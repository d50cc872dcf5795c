/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What payoffs and levels say of themselves, for the help of `bailey price` and `bailey mlmc`, and for
 * options that are parameters.
 */
#ifndef CLI_PRICE_DESCRIBE_H
#define CLI_PRICE_DESCRIBE_H

#include "options.h"

#include <bailey/description.h>

/* For struct command: prints the parameters and outputs of the command's product, or of the code of --payoff.
 */
void price_describe(const struct command *command, int argc, char **argv);
/* Likewise: whether it has a parameter called so, in which - stands for _. */
int price_has_parameter(const struct command *command, int argc, char **argv, const char *name);
/* What the help says of a parameter: "price today; positive; money". */
void price_parameter_words(const bailey_parameter *parameter, char *text, size_t size);
/* Whether the parameter is called `name`, in which - stands for _. */
int price_is_called(const char *parameter, const char *name);
/* The same of the built-in levels that a word names, or of the code of --levels. */
void mlmc_describe(const struct command *command, int argc, char **argv);
int mlmc_has_parameter(const struct command *command, int argc, char **argv, const char *name);

#endif
