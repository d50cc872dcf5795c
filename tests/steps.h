/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How long code takes, in steps, of which there are as many on a busy machine as on a quiet one: the branches
 * that it comes to (basic blocks), and a step for every 16 bytes that it copies, compares or searches.
 * Counted in the front end of the payoff language and in plans, which test_steps is linked with for that
 * (CMakeLists.txt).
 */
#ifndef STEPS_H
#define STEPS_H

#include <stdint.h>

extern uint64_t steps;

/* About as many as an x86-64 server of 2026 does: 6.2 * 10^8 of them took it 0.18 s of one processor. */
#define STEPS_A_SECOND UINT64_C(2000000000)

#endif
