/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The host's side of kernels/mlmc_stay.h. Lists become parts, which go into a ring that the kernel reads;
 * their nodes come back in another ring, in the order of the parts, and each part has a mark. The host waits
 * for marks of parts in their order, so that trees grow from left to right.
 */
#include "mlmc_persistent.h"

#include "mlmc_rounds.h"

#include <base/alloc.h>
#include <base/log.h>

#include <math.h>
#include <string.h>

#define NODES 131072u     /* of the ring, of a row */
#define PART_NODES 16384u /* of a chunk of a range, about */
#define SPINS 65536u      /* between two looks at the clock */
#define PATIENCE 30       /* seconds without a mark */

/* A node that has come before its list is taken. */
struct early {
    uint64_t part;
    uint32_t level, height;
    uint64_t number;
    double value[BLY_LEVEL_ROWS];
    double failed; /* its first sample that did; BLY_NODE_FAR */
};

struct bly_stay {
    struct bly_rounds *rounds;
    bailey_mlmc *mlmc;
    struct bly_levels *levels;
    uint32_t rows; /* of nodes, those of the levels and that of faults */
    bailey_buffer *control, *nodes, *own;
    uint64_t *words; /* of `control`, as the host sees them */
    double *values;  /* of `nodes` */
    struct bly_fence *fence;
    int launched;
    bly_level_part part[BLY_STAY_PARTS];
    uint64_t told, absorbed;                  /* parts */
    uint64_t tickets;                         /* of all parts so far */
    uint64_t last[BLY_STAY_PARTS];            /* tickets up to the part's end */
    uint64_t node[BLY_STAY_PARTS], next_node; /* where nodes begin; places count on and on */
    uint64_t list_end[2], queued, taken;      /* lists: the part after their last */
    struct early *early;                      /* in the order of parts */
    size_t early_count, early_size;
};

static struct bly_device *device_of(const struct bly_stay *s) { return s->mlmc->context->device; }

/* ---- What comes back ----------------------------------------------------------------------------- */

static bailey_status check_node(const struct bly_stay *s, const struct early *node)
{
    const uint64_t first = node->number << node->height, count = UINT64_C(1) << node->height;
    for (uint32_t r = 0; r < s->levels->rows; r++)
        if (!isfinite(node->value[r]))
            return bly_fail(BAILEY_ERROR_INVALID,
                            "%s pays what is not finite, or its sums are not, among samples %llu to %llu of "
                            "level %u",
                            s->mlmc->payoff.name, (unsigned long long)first,
                            (unsigned long long)(first + count - 1), node->level);
    return BAILEY_OK;
}

static bailey_status keep_early(struct bly_stay *s, const struct early *node)
{
    if (s->early_count == s->early_size) {
        const size_t size = s->early_size ? 2 * s->early_size : 64;
        struct early *more = bly_alloc(size, sizeof *more);
        if (!more) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for nodes of levels");
        if (s->early_count) memcpy(more, s->early, s->early_count * sizeof *more);
        bly_free(s->early);
        s->early = more;
        s->early_size = size;
    }
    s->early[s->early_count++] = *node;
    return BAILEY_OK;
}

/* Looks for code that failed in parts before `end`, then for what is not finite. */
static bailey_status check_early(struct bly_stay *s, uint64_t end)
{
    bailey_status status = BAILEY_OK;
    for (size_t i = 0; i < s->early_count && s->early[i].part < end; i++) {
        if (s->early[i].failed == BLY_NODE_FAR) continue;
        const struct bly_level_fault fault = {.level = s->early[i].level,
                                              .sample = (uint64_t)s->early[i].failed};
        status = bly_level_fault_note(s->mlmc, &fault);
    }
    for (size_t i = 0; i < s->early_count && s->early[i].part < end && status == BAILEY_OK; i++)
        status = check_node(s, &s->early[i]);
    return status;
}

/* Adds nodes of parts before `end` to their trees. */
static void add_early(struct bly_stay *s, uint64_t end)
{
    size_t added = 0;
    for (; added < s->early_count && s->early[added].part < end; added++)
        bly_levels_add(s->levels, s->early[added].level, s->early[added].height, s->early[added].number,
                       s->early[added].value, 1);
    s->early_count -= added;
    memmove(s->early, s->early + added, s->early_count * sizeof *s->early);
}

/* Keeps a part's nodes, joined as far as they are the tree's. */
static bailey_status keep_nodes(struct bly_stay *s, uint64_t part_number, const bly_level_part *part,
                                double *values)
{
    const uint64_t row = part->node_row;
    uint64_t number = part->first >> part->height, left = row;
    while (left > 0) {
        uint32_t joined = 0;
        while ((number >> joined & 1) == 0 && UINT64_C(2) << joined <= left) joined++;
        for (uint32_t r = 0; r < s->levels->rows; r++)
            for (uint64_t half = (UINT64_C(1) << joined) / 2; half > 0; half /= 2)
                for (uint64_t i = 0; i < half; i++)
                    values[r * row + i] = values[r * row + 2 * i] + values[r * row + 2 * i + 1];
        struct early node = {.part = part_number,
                             .level = part->level,
                             .height = part->height + joined,
                             .number = number >> joined,
                             .failed = BLY_NODE_FAR};
        for (uint64_t i = 0; i < UINT64_C(1) << joined && s->rows > s->levels->rows; i++)
            node.failed = bly_node_join(node.failed, values[s->levels->rows * row + i], 0, 0, 1);
        for (uint32_t r = 0; r < s->levels->rows; r++) node.value[r] = values[r * row];
        const bailey_status status = keep_early(s, &node);
        if (status != BAILEY_OK) return status;
        values += UINT64_C(1) << joined;
        number += UINT64_C(1) << joined;
        left -= UINT64_C(1) << joined;
    }
    return BAILEY_OK;
}

/* The kernel has ended, or nothing has come for long. */
static bailey_status look(struct bly_stay *s, double since)
{
    int done = 0;
    const bailey_status status = device_of(s)->backend->fence_done(device_of(s), s->fence, 0, &done);
    if (status != BAILEY_OK) return status;
    if (done) return bly_fail(BAILEY_ERROR_DRIVER, "a kernel of levels has ended before it was told to");
    if (bly_seconds() - since > PATIENCE)
        return bly_fail(BAILEY_ERROR_DRIVER, "a kernel of levels has not answered for %d seconds", PATIENCE);
    return BAILEY_OK;
}

/* Waits for the first part that is under way, and keeps its nodes. */
static bailey_status absorb(struct bly_stay *s)
{
    const uint64_t place = s->absorbed % BLY_STAY_PARTS;
    const double since = bly_seconds();
    bailey_status status = BAILEY_OK;
    for (uint32_t spins = 1;
         __atomic_load_n(&s->words[BLY_STAY_DONE + place], __ATOMIC_ACQUIRE) != s->last[place]; spins++) {
        if (spins % SPINS == 0) status = look(s, since);
        if (status != BAILEY_OK) return status;
    }
    return keep_nodes(s, s->absorbed++, &s->part[place], s->values + s->node[place] % NODES * s->rows);
}

/* ---- What goes there ----------------------------------------------------------------------------- */

/* A place for the part's nodes, one after another: once those of earlier parts are there no longer. */
static bailey_status place_nodes(struct bly_stay *s, uint64_t count)
{
    bailey_status status = BAILEY_OK;
    if (s->next_node % NODES + count > NODES) s->next_node += NODES - s->next_node % NODES;
    while (status == BAILEY_OK && s->absorbed < s->told &&
           (s->told - s->absorbed == BLY_STAY_PARTS ||
            s->next_node + count - s->node[s->absorbed % BLY_STAY_PARTS] > NODES))
        status = absorb(s);
    return status;
}

static bailey_status tell_part(struct bly_stay *s, const bly_level_part *cut)
{
    const uint64_t place = s->told % BLY_STAY_PARTS;
    const bailey_status status = place_nodes(s, cut->node_row);
    if (status != BAILEY_OK) return status;
    bly_level_part *part = &s->part[place];
    *part = *cut;
    part->ticket = s->tickets;
    part->node = s->next_node % NODES * s->rows;
    s->tickets += cut->ticket;
    s->last[place] = s->tickets;
    s->node[place] = s->next_node;
    s->next_node += cut->node_row;
    const bly_stay_part told = {s->tickets, *part};
    memcpy(s->words + BLY_STAY_RING + place * BLY_STAY_PART_WORDS, &told, sizeof told);
    s->told++;
    __atomic_store_n(&s->words[BLY_STAY_TOLD], s->told, __ATOMIC_RELEASE);
    __atomic_store_n(&s->words[BLY_STAY_TICKETS], s->tickets, __ATOMIC_RELEASE);
    return BAILEY_OK;
}

static bailey_status tell_range(struct bly_stay *s, struct bly_level_range range)
{
    bly_level_part parts[BLY_ROUNDS_PARTS];
    bailey_status status = BAILEY_OK;
    while (range.count > 0 && status == BAILEY_OK) {
        uint32_t count;
        uint64_t end;
        status = bly_rounds_cut(s->rounds, &range, PART_NODES, parts, &count, &end);
        for (uint32_t i = 0; i < count && status == BAILEY_OK; i++) status = tell_part(s, &parts[i]);
        range.count -= end - range.first;
        range.first = end;
    }
    return status;
}

static bailey_status launch(struct bly_stay *s)
{
    struct bly_device *device = device_of(s);
    if (s->launched) return BAILEY_OK;
    bailey_status status = bly_rounds_stay(s->rounds, s->control, s->nodes, s->own);
    s->launched = status == BAILEY_OK;
    return status == BAILEY_OK ? device->backend->fence(device, 0, &s->fence) : status;
}

static bailey_status queue(void *user, const struct bly_level_range *list, uint32_t count)
{
    struct bly_stay *s = user;
    bailey_status status = launch(s);
    for (uint32_t i = 0; i < count && status == BAILEY_OK; i++) status = tell_range(s, list[i]);
    s->list_end[s->queued++ % 2] = s->told;
    return status;
}

static bailey_status take(void *user)
{
    struct bly_stay *s = user;
    const uint64_t end = s->list_end[s->taken++ % 2];
    bailey_status status = BAILEY_OK;
    while (s->absorbed < end && status == BAILEY_OK) status = absorb(s);
    if (status == BAILEY_OK) status = check_early(s, end);
    if (status == BAILEY_OK) add_early(s, end);
    return status;
}

struct bly_sampler bly_stay_sampler(struct bly_stay *s)
{
    return (struct bly_sampler){.user = s, .queue = queue, .take = take};
}

/* ---- From beginning to end ----------------------------------------------------------------------- */

static bailey_status take_memory(struct bly_stay *s)
{
    bailey_context *context = s->mlmc->context;
    struct bly_device *device = context->device;
    const uint64_t ring = BLY_STAY_PARTS * sizeof(bly_stay_part),
                   control = BLY_STAY_RING * sizeof(uint64_t) + ring,
                   own = BLY_STAY_COPY * sizeof(uint64_t) + ring;
    bailey_status status = bly_pool_take(context, BLY_MEMORY_PINNED, control, &s->control);
    if (status == BAILEY_OK)
        status = bly_pool_take(context, BLY_MEMORY_PINNED, NODES * s->rows * sizeof(double), &s->nodes);
    if (status == BAILEY_OK) status = bly_pool_take(context, BLY_MEMORY_DEVICE, own, &s->own);
    if (status == BAILEY_OK) status = device->backend->fill(device, s->own->memory, 0, 0, own);
    if (status != BAILEY_OK) return status;
    s->words = device->backend->address(s->control->memory);
    s->values = device->backend->address(s->nodes->memory);
    memset(s->words, 0, control);
    return BAILEY_OK;
}

bailey_status bly_stay_create(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                              struct bly_levels *levels, struct bly_stay **out)
{
    struct bly_stay *s = bly_alloc(1, sizeof *s);
    *out = NULL;
    if (!s) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a run of levels");
    s->mlmc = mlmc;
    s->levels = levels;
    s->rows = levels->rows + (mlmc->payoff.site_count != 0);
    bailey_status status = bly_rounds_create_staying(mlmc, params, levels, &s->rounds);
    if (status == BAILEY_OK) status = take_memory(s);
    if (status == BAILEY_OK)
        *out = s;
    else
        bly_stay_destroy(s);
    return status;
}

void bly_stay_destroy(struct bly_stay *s)
{
    if (!s) return;
    if (s->words) __atomic_store_n(&s->words[BLY_STAY_STOP], 1, __ATOMIC_RELEASE);
    if (s->launched) device_of(s)->backend->wait(device_of(s));
    device_of(s)->backend->fence_free(device_of(s), s->fence);
    bly_rounds_destroy(s->rounds);
    bly_pool_release(s->control);
    bly_pool_release(s->nodes);
    bly_pool_release(s->own);
    bly_free(s->early);
    bly_free(s);
}
