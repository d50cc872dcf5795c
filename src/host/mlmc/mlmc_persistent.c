/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The schedule PERSISTENT: the host's side of kernels/mlmc_persistent.h. The only launch of a run is a
 * kernel that runs until the end, which saves the tails of launches; it gains where runs are long, and
 * loses where rounds take microseconds (docs/records/benchmarks.md has both). M. Giles's talk at MCM 2025,
 * "CUDA implementation of MLMC on NVIDIA GPUs", describes such a kernel; this one has tickets and nodes
 * instead of locks and running sums, so that results have the bits of the schedule BATCHED.
 *
 * Ranges become chunks, which go into a ring that the kernel reads; their nodes come back in another ring, in
 * the order of the chunks, and each chunk has a mark. The host waits for marks of chunks in their order, so
 * that trees grow from left to right.
 */
#include "mlmc_internal.h"

#include <base/alloc.h>
#include <base/log.h>

#include <math.h>
#include <string.h>

#define NODES 131072u      /* of the ring, of a row */
#define CHUNK_NODES 16384u /* of a range are sent at once, about: an eighth of the ring */
#define SPINS 65536u       /* between two looks at the clock */
#define PATIENCE 30        /* seconds without a mark, after which the device is taken for lost */

/* A node that has come before its round is taken. */
struct early {
    uint64_t chunk;
    uint32_t term, height;
    uint64_t number;
    double value[BLY_LEVEL_ROWS];
    double failed; /* its first sample that did; BLY_NODE_FAR */
};

struct bly_persistent {
    struct bly_mlmc_launch launch;
    struct bly_term_sums *sums;
    /* The words that the host and the kernel exchange; nodes; and the memory that warps share among
     * themselves. */
    bailey_buffer *control, *nodes, *own;
    uint64_t *words; /* of `control`, as the host sees them */
    double *values;  /* of `nodes` */
    struct bly_fence *fence;
    int launched;
    bly_level_chunk chunk[BLY_PERSISTENT_CHUNKS];
    uint64_t sent, received;                         /* chunks */
    uint64_t tickets;                                /* of all chunks so far */
    uint64_t last[BLY_PERSISTENT_CHUNKS];            /* tickets up to the chunk's end */
    uint64_t node[BLY_PERSISTENT_CHUNKS], next_node; /* where nodes begin; places count on and on */
    uint64_t round_end[2], queued, taken;            /* rounds: the chunk after their last */
    struct early *early;                             /* in the order of chunks */
    size_t early_count, early_size;
};

static struct bly_device *device_of(const struct bly_persistent *p)
{
    return p->launch.mlmc->context->device;
}

/* ---- What comes back ----------------------------------------------------------------------------- */

static bailey_status store_early(struct bly_persistent *p, const struct early *node)
{
    if (p->early_count == p->early_size) {
        const size_t size = p->early_size ? 2 * p->early_size : 64;
        struct early *more = bly_alloc(size, sizeof *more);
        if (!more) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for nodes of levels");
        if (p->early_count) memcpy(more, p->early, p->early_count * sizeof *more);
        bly_free(p->early);
        p->early = more;
        p->early_size = size;
    }
    p->early[p->early_count++] = *node;
    return BAILEY_OK;
}

/* Looks for code that failed in chunks before `end`, then for what is not finite. */
static bailey_status check_early(struct bly_persistent *p, uint64_t end)
{
    bailey_status status = BAILEY_OK;
    const struct early *node = p->early;
    for (size_t i = 0; i < p->early_count && node[i].chunk < end; i++) {
        if (node[i].failed == BLY_NODE_FAR) continue;
        const struct bly_level_fault fault = {.level = bly_term_level(node[i].term),
                                              .sample = (uint64_t)node[i].failed};
        status = bly_level_fault_note(p->launch.mlmc, &fault);
    }
    if (status != BAILEY_OK) return status;
    for (size_t i = 0; i < p->early_count && node[i].chunk < end; i++)
        for (uint32_t r = 0; r < p->sums->rows; r++)
            if (!isfinite(node[i].value[r]))
                return bly_mlmc_not_finite(p->launch.mlmc, node[i].term, node[i].number << node[i].height,
                                           (node[i].number + 1) << node[i].height);
    return BAILEY_OK;
}

/* Adds nodes of chunks before `end` to their trees. */
static void add_early(struct bly_persistent *p, uint64_t end)
{
    size_t added = 0;
    for (; added < p->early_count && p->early[added].chunk < end; added++)
        bly_term_sums_add(p->sums, p->early[added].term, p->early[added].height, p->early[added].number,
                          p->early[added].value, 1);
    p->early_count -= added;
    memmove(p->early, p->early + added, p->early_count * sizeof *p->early);
}

/* Stores a chunk's nodes, joined as far as they are nodes of the tree, so that few wait for their round. */
static bailey_status store_nodes(struct bly_persistent *p, uint64_t number_of_chunk,
                                 const bly_level_chunk *chunk, double *values)
{
    const uint64_t row = chunk->node_row;
    const uint32_t sums = p->sums->rows;
    uint64_t number = chunk->first >> chunk->height, left = row;
    while (left > 0) {
        uint32_t joined = 0;
        while ((number >> joined & 1) == 0 && UINT64_C(2) << joined <= left) joined++;
        for (uint32_t r = 0; r < sums; r++)
            for (uint64_t half = (UINT64_C(1) << joined) / 2; half > 0; half /= 2)
                for (uint64_t i = 0; i < half; i++)
                    values[r * row + i] = values[r * row + 2 * i] + values[r * row + 2 * i + 1];
        struct early node = {.chunk = number_of_chunk,
                             .term = chunk->level,
                             .height = chunk->height + joined,
                             .number = number >> joined,
                             .failed = BLY_NODE_FAR};
        for (uint64_t i = 0; i < UINT64_C(1) << joined && p->launch.faults; i++)
            node.failed = bly_node_join(node.failed, values[sums * row + i], 0, 0, 1);
        for (uint32_t r = 0; r < sums; r++) node.value[r] = values[r * row];
        const bailey_status status = store_early(p, &node);
        if (status != BAILEY_OK) return status;
        values += UINT64_C(1) << joined;
        number += UINT64_C(1) << joined;
        left -= UINT64_C(1) << joined;
    }
    return BAILEY_OK;
}

/* The kernel has ended, or nothing has come for long. */
static bailey_status look(struct bly_persistent *p, double since)
{
    int done = 0;
    const bailey_status status = device_of(p)->backend->fence_done(device_of(p), p->fence, 0, &done);
    if (status != BAILEY_OK) return status;
    if (done) return bly_fail(BAILEY_ERROR_DRIVER, "a persistent kernel ended early");
    if (bly_seconds() - since > PATIENCE)
        return bly_fail(BAILEY_ERROR_DRIVER, "a persistent kernel has not answered for %d seconds", PATIENCE);
    return BAILEY_OK;
}

/* Waits for the first chunk in flight, and stores its nodes. */
static bailey_status receive(struct bly_persistent *p)
{
    const uint64_t place = p->received % BLY_PERSISTENT_CHUNKS;
    const double since = bly_seconds();
    bailey_status status = BAILEY_OK;
    for (uint32_t spins = 1;
         __atomic_load_n(&p->words[BLY_PERSISTENT_DONE + place], __ATOMIC_ACQUIRE) != p->last[place];
         spins++) {
        if (spins % SPINS == 0) status = look(p, since);
        if (status != BAILEY_OK) return status;
    }
    return store_nodes(p, p->received++, &p->chunk[place],
                       p->values + p->node[place] % NODES * p->launch.rows);
}

/* ---- Sending chunks ------------------------------------------------------------------------------ */

/* A place for the chunk's nodes, one after another: once those of earlier chunks are there no longer. */
static bailey_status place_nodes(struct bly_persistent *p, uint64_t count)
{
    bailey_status status = BAILEY_OK;
    if (p->next_node % NODES + count > NODES) p->next_node += NODES - p->next_node % NODES;
    while (status == BAILEY_OK && p->received < p->sent &&
           (p->sent - p->received == BLY_PERSISTENT_CHUNKS ||
            p->next_node + count - p->node[p->received % BLY_PERSISTENT_CHUNKS] > NODES))
        status = receive(p);
    return status;
}

/* The kernel looks at the ring as soon as it knows of the ticket: the chunk has to be there before. */
static bailey_status send_chunk(struct bly_persistent *p, const struct bly_node_range *range)
{
    const uint64_t place = p->sent % BLY_PERSISTENT_CHUNKS, count = bly_node_range_count(range);
    const bailey_status status = place_nodes(p, count);
    if (status != BAILEY_OK) return status;
    bly_level_chunk *chunk = &p->chunk[place];
    *chunk = bly_mlmc_chunk(&p->launch, range, range->first, range->end);
    chunk->ticket = p->tickets;
    chunk->node = p->next_node % NODES * p->launch.rows;
    p->tickets += bly_mlmc_chunk_tickets(range, range->first, range->end);
    p->last[place] = p->tickets;
    p->node[place] = p->next_node;
    p->next_node += count;
    const bly_persistent_chunk sent = {p->tickets, *chunk};
    memcpy(p->words + BLY_PERSISTENT_RING + place * BLY_PERSISTENT_CHUNK_WORDS, &sent, sizeof sent);
    p->sent++;
    __atomic_store_n(&p->words[BLY_PERSISTENT_SENT], p->sent, __ATOMIC_RELEASE);
    __atomic_store_n(&p->words[BLY_PERSISTENT_TICKETS], p->tickets, __ATOMIC_RELEASE);
    return BAILEY_OK;
}

/* Some nodes at a time, so that the ring has room for the next ones while the first are made. */
static bailey_status send_range(struct bly_persistent *p, struct bly_sample_range range)
{
    const uint64_t end = range.first + range.count;
    bailey_status status = BAILEY_OK;
    while (range.first < end && status == BAILEY_OK) {
        struct bly_mlmc_cut cut;
        range.count = end - range.first;
        status = bly_mlmc_cut_begin(&p->launch, &range, UINT32_MAX, 0, &cut);
        if (status != BAILEY_OK) return status;
        const uint64_t most = ((cut.next >> cut.ticket.height) + CHUNK_NODES) << cut.ticket.height;
        if (cut.end > most) cut.end = most;
        while (cut.next < cut.end && status == BAILEY_OK) {
            const struct bly_node_range next = bly_mlmc_cut_next(&cut);
            status = send_chunk(p, &next);
        }
        range.first = cut.next;
    }
    return status;
}

/* With the first round, in queue 0. */
static bailey_status launch(struct bly_persistent *p)
{
    struct bly_device *device = device_of(p);
    if (p->launched) return BAILEY_OK;
    struct bly_mlmc_launch *l = &p->launch;
    bailey_buffer *const buffers[] = {l->values, l->factor, l->table, p->control, p->nodes, p->own};
    l->params.head.groups = bly_mlmc_groups(l->mlmc, &l->variant);
    bailey_status status =
        bly_launch_entry(l->mlmc->context, &l->entries[BLY_LEVELS_PERSISTENT],
                         l->params.head.groups * l->variant.block, 1, &l->params, buffers, p->nodes, 0, 0);
    p->launched = status == BAILEY_OK;
    return status == BAILEY_OK ? device->backend->fence(device, 0, &p->fence) : status;
}

static bailey_status queue(void *user, const struct bly_sample_range *range, uint32_t count)
{
    struct bly_persistent *p = user;
    bailey_status status = launch(p);
    for (uint32_t i = 0; i < count && status == BAILEY_OK; i++) status = send_range(p, range[i]);
    p->round_end[p->queued++ % 2] = p->sent;
    return status;
}

static bailey_status take(void *user)
{
    struct bly_persistent *p = user;
    const uint64_t end = p->round_end[p->taken++ % 2];
    bailey_status status = BAILEY_OK;
    while (p->received < end && status == BAILEY_OK) status = receive(p);
    if (status == BAILEY_OK) status = check_early(p, end);
    if (status == BAILEY_OK) add_early(p, end);
    return status;
}

struct bly_sampler bly_persistent_sampler(struct bly_persistent *p)
{
    return (struct bly_sampler){.user = p, .queue = queue, .take = take};
}

/* ---- From beginning to end ----------------------------------------------------------------------- */

static bailey_status take_memory(struct bly_persistent *p)
{
    bailey_context *context = p->launch.mlmc->context;
    struct bly_device *device = context->device;
    const uint64_t ring = BLY_PERSISTENT_CHUNKS * sizeof(bly_persistent_chunk),
                   control = BLY_PERSISTENT_RING * sizeof(uint64_t) + ring,
                   own = BLY_PERSISTENT_COPY * sizeof(uint64_t) + ring;
    bailey_status status = bly_pool_take(context, BLY_MEMORY_PINNED, control, &p->control);
    if (status == BAILEY_OK)
        status =
            bly_pool_take(context, BLY_MEMORY_PINNED, NODES * p->launch.rows * sizeof(double), &p->nodes);
    if (status == BAILEY_OK) status = bly_pool_take(context, BLY_MEMORY_DEVICE, own, &p->own);
    if (status == BAILEY_OK) status = device->backend->fill(device, p->own->memory, 0, 0, own);
    if (status != BAILEY_OK) return status;
    p->words = device->backend->address(p->control->memory);
    p->values = device->backend->address(p->nodes->memory);
    memset(p->words, 0, control);
    return BAILEY_OK;
}

bailey_status bly_persistent_create(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                    struct bly_term_sums *sums, struct bly_persistent **out)
{
    struct bly_persistent *p = bly_alloc(1, sizeof *p);
    *out = NULL;
    if (!p) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a run of levels");
    p->sums = sums;
    const struct bly_mlmc_variant variant = {.persistent = 1};
    bailey_status status = bly_mlmc_launch_begin(mlmc, params, sums->rows, variant, &p->launch);
    if (status == BAILEY_OK) status = take_memory(p);
    if (status == BAILEY_OK)
        *out = p;
    else
        bly_persistent_destroy(p);
    return status;
}

void bly_persistent_destroy(struct bly_persistent *p)
{
    if (!p) return;
    if (p->words) __atomic_store_n(&p->words[BLY_PERSISTENT_STOP], 1, __ATOMIC_RELEASE);
    if (p->launched) device_of(p)->backend->wait(device_of(p));
    device_of(p)->backend->fence_free(device_of(p), p->fence);
    bly_pool_release(p->control);
    bly_pool_release(p->nodes);
    bly_pool_release(p->own);
    bly_mlmc_launch_end(&p->launch);
    bly_free(p->early);
    bly_free(p);
}
