/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Work-groups of kernels that come from texts (kernels_c/entry_c.h).
 */
#ifndef BLY_CPU_GROUPS_H
#define BLY_CPU_GROUPS_H

#include <stdatomic.h>
#include <stdint.h>

#define BLY_CPU_BLOCK_MOST 1024u               /* items of a group */
#define BLY_CPU_SHARED_MOST ((uint32_t)131072) /* bytes that a group may share */

/* A kernel: runs items first .. last - 1, one after another. */
typedef void (*bly_cpu_text_function)(const void *params, void *const *buffers, uint64_t *shared,
                                      uint64_t first, uint64_t last);

/* A launch of one. */
struct bly_cpu_text_launch {
    bly_cpu_text_function function;
    const void *params;
    void *const *buffers;
    uint32_t block, shared_bytes;
    _Atomic int failed; /* set when there is no memory for a group's items */
};

/* What a program calls at a barrier, in groups of several items. */
void bly_cpu_next_item(void);

/* Whether this system can run groups of several items. */
int bly_cpu_has_groups(void);

/* Runs groups first .. last - 1 of the launch, in the calling thread. */
void bly_cpu_run_groups(struct bly_cpu_text_launch *launch, uint64_t first, uint64_t last);

#endif
