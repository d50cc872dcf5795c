/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "clocks.h"

#include <time.h>

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
atomic_int date_ahead, time_stopped;

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    const int result = __real_clock_gettime(clock, now);
    if (clock == CLOCK_REALTIME) now->tv_sec += date_ahead;
    if (clock == CLOCK_MONOTONIC && time_stopped) *now = (struct timespec){.tv_sec = 1000};
    return result;
}
