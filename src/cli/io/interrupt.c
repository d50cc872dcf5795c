/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Lets a run with a checkpoint end by itself on Ctrl-C: the handler only sets a flag, which the run's
 * progress reads, and a second signal ends the program at once.
 */
#define _XOPEN_SOURCE 700

#include "io.h"

#include <string.h>

static volatile sig_atomic_t came;

static void take(int number)
{
    (void)number;
    came = 1;
}

void interrupt_catch(struct sigaction old[2])
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = take;
    action.sa_flags = SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    came = 0;
    sigaction(SIGINT, &action, &old[0]);
    sigaction(SIGTERM, &action, &old[1]);
    if (old[0].sa_handler == SIG_IGN)
        sigaction(SIGINT, &old[0], NULL); /* as shells have it for their background */
}

void interrupt_leave(const struct sigaction old[2])
{
    sigaction(SIGINT, &old[0], NULL);
    sigaction(SIGTERM, &old[1], NULL);
}

int interrupted(void) { return came != 0; }
