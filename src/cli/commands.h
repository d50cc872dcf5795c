/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "options.h"

extern const struct command command_devices, command_selftest, command_paths, command_random,
    command_price_asian, command_study_convergence;

#endif
