/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Barriers without threads: the items of a group run alternately in one thread, each on its own stack. An
 * item runs up to its next barrier, and resumes when all others have reached theirs. A turn costs two system
 * calls, so groups of one item, which need none of this, are what cpu should be given.
 */
#define _GNU_SOURCE /* MAP_NORESERVE */
#include "cpu_program.h"

#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#if defined(__GLIBC__) || defined(__FreeBSD__)
#define HAS_CONTEXTS 1
#include <ucontext.h>
#endif

#define ITEM_STACK ((size_t)1 << 18) /* of which the system gives what is touched */
#define SMALL_SHARED 4096u           /* bytes that the thread's stack holds */

#if !defined(MAP_NORESERVE)
#define MAP_NORESERVE 0
#endif

/* Memory of a task: stacks, and what a group shares. */
static char *take_memory(size_t bytes)
{
    void *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void run_single_items(struct bly_cpu_text_launch *launch, uint64_t first, uint64_t last)
{
    _Alignas(64) uint64_t small[SMALL_SHARED / 8];
    char *large = NULL;
    if (launch->shared_bytes > SMALL_SHARED && !(large = take_memory(launch->shared_bytes))) {
        atomic_store(&launch->failed, 1);
        return;
    }
    launch->function(launch->params, launch->buffers, large ? (uint64_t *)large : small, first, last);
    if (large) munmap(large, launch->shared_bytes);
}

#if HAS_CONTEXTS

struct item {
    ucontext_t context;
    int done; /* with its group */
};

/* The group that a thread runs. */
struct group {
    struct bly_cpu_text_launch *launch;
    ucontext_t caller;
    struct item *items;
    uint64_t *shared;
    uint64_t first;  /* item of the launch */
    uint32_t active; /* item of the group that has its turn */
};

static _Thread_local struct group *running;

int bly_cpu_has_groups(void) { return 1; }

void bly_cpu_next_item(void)
{
    struct group *group = running;
    swapcontext(&group->items[group->active].context, &group->caller);
}

/* An item's place in one group after another. */
static void run_item(void)
{
    for (;;) {
        struct group *group = running;
        const struct bly_cpu_text_launch *launch = group->launch;
        const uint64_t number = group->first + group->active;
        launch->function(launch->params, launch->buffers, group->shared, number, number + 1);
        group->items[group->active].done = 1;
        bly_cpu_next_item();
    }
}

/* Without a loop: getcontext may return twice, and compilers warn of variables that it could change. */
static void start_item(ucontext_t *context, char *stack)
{
    getcontext(context);
    context->uc_stack.ss_sp = stack;
    context->uc_stack.ss_size = ITEM_STACK;
    context->uc_link = NULL;
    makecontext(context, run_item, 0);
}

static void start_items(struct group *group, char *stacks)
{
    for (uint32_t i = 0; i < group->launch->block; i++)
        start_item(&group->items[i].context, stacks + i * ITEM_STACK);
}

/* Gives turns until all items are done. */
static void run_group(struct group *group)
{
    const uint32_t block = group->launch->block;
    uint32_t left = block;
    for (uint32_t i = 0; i < block; i++) group->items[i].done = 0;
    while (left)
        for (uint32_t i = 0; i < block; i++) {
            if (group->items[i].done) continue;
            group->active = i;
            swapcontext(&group->caller, &group->items[i].context);
            left -= (uint32_t)group->items[i].done;
        }
}

static void run_groups_of_several(struct bly_cpu_text_launch *launch, uint64_t first, uint64_t last)
{
    const size_t block = launch->block, stacks = block * ITEM_STACK,
                 items = (block * sizeof(struct item) + 63) / 64 * 64;
    char *memory = take_memory(stacks + items + launch->shared_bytes);
    if (!memory) {
        atomic_store(&launch->failed, 1);
        return;
    }
    struct group group = {.launch = launch,
                          .items = (struct item *)(memory + stacks),
                          .shared = (uint64_t *)(memory + stacks + items)};
    running = &group;
    start_items(&group, memory);
    for (uint64_t number = first; number < last; number++) {
        group.first = number * block;
        run_group(&group);
    }
    running = NULL;
    munmap(memory, stacks + items + launch->shared_bytes);
}

#else

int bly_cpu_has_groups(void) { return 0; }
void bly_cpu_next_item(void) {}
static void run_groups_of_several(struct bly_cpu_text_launch *launch, uint64_t first, uint64_t last)
{
    (void)first, (void)last;
    atomic_store(&launch->failed, 1);
}

#endif

void bly_cpu_run_groups(struct bly_cpu_text_launch *launch, uint64_t first, uint64_t last)
{
    if (launch->block == 1)
        run_single_items(launch, first, last);
    else
        run_groups_of_several(launch, first, last);
}
