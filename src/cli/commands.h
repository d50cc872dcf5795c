/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "options.h"

extern const struct command command_batch, command_correlation, command_devices, command_mlmc, command_motion,
    command_selftest, command_paths, command_random;

/* Of `bailey price`: payoffs of one's own, and all. */
extern const struct command command_price_payoff;
extern const struct family family_price;

#endif
