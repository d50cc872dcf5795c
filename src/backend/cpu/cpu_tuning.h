/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Numbers tuned for processors. No result depends on them.
 */
#ifndef BLY_CPU_TUNING_H
#define BLY_CPU_TUNING_H

#include <backend/backend.h>

/* Waking a helper costs some ten microseconds, and as long again until it works: work that the caller ends
 * sooner is not shared. */
#define BLY_CPU_SHARED_SECONDS 30e-6
/* How long a launch takes is seen from this part of the largest task: 16 packs, which take longer than
 * reading the clock, or one segment. A whole task of Wallace's segments cost 10 % of 4 M numbers. */
#define BLY_CPU_TRIED 16

/* Tasks per thread that a launch is cut into, so that threads end together; and the most that one task takes,
 * which costs nothing to hand out: packs, or segments of a generator's sequence. */
#define BLY_CPU_TASKS 16
#define BLY_CPU_PACKS_AT_ONCE 256
#define BLY_CPU_TEAMS_AT_ONCE 8
#define BLY_CPU_GROUPS_AT_ONCE 16 /* groups of several items, of a text */

/* Copies and fills are a few large chunks per thread: the C library writes around the caches when it is asked
 * for much at once. */
#define BLY_CPU_CHUNKS 4
#define BLY_CPU_CHUNK_LEAST (1 << 16)

/* Kernels keep up to 170 KB on the stack. The system's default is less with musl, or under a low limit. */
#define BLY_CPU_STACK ((size_t)1 << 20)

/* The numbers that the host asks for, on a device of so many threads. */
struct bly_tuning bly_cpu_tuning(unsigned threads);

#endif
