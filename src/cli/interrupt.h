/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Runs that are saved when they are interrupted.
 */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <signal.h>

/* From the first to the second, the first SIGINT or SIGTERM sets interrupted(), which a run's progress
 * returns; the next one is the system's. */
void interrupt_catch(struct sigaction old[2]);
void interrupt_leave(const struct sigaction old[2]);
int interrupted(void);

#endif
