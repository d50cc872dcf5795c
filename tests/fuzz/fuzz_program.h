/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * For targets of the program: what is wrong is written as it would be printed, and not printed.
 */
#ifndef FUZZ_PROGRAM_H
#define FUZZ_PROGRAM_H

#include "fuzz.h"

#include <cli/io/io.h>

static inline void fuzz_listen(void)
{
    static char error[2000];
    cli_hearing = CLI_HEAR_NOTHING;
    cli_error_capture(error, sizeof error);
}

#endif
