/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "options.h"

extern const struct command command_batch, command_correlation, command_devices, command_mlmc, command_motion,
    command_selftest, command_paths, command_random;

/* Of `bailey price`. */
extern const struct command command_price_european, command_price_asian, command_price_asian_geometric,
    command_price_asian_max, command_price_lookback_garch, command_price_barrier, command_price_digital,
    command_price_heston, command_price_adaptive_milstein, command_price_american,
    command_price_bermudan_max_call, command_price_payoff;

extern const struct family family_price;

#endif
