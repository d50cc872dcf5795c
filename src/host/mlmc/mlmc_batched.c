/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The schedule BATCHED. A round's node ranges go into as few launches as take them, a part of a node range
 * that a launch takes being a chunk; where nodes are folded, a launch makes no more than there is memory for.
 * When the round is taken, its nodes are on the host, and are added to the trees in the order of their
 * samples.
 */
#include "mlmc_internal.h"

#include <base/alloc.h>

#include <math.h>
#include <string.h>

#define ROUNDS 2u            /* in flight */
#define ROUND_NODES 32768u   /* of a round, of a row: more than there can be */
#define ROUND_RANGES 256u    /* of a round: more than there can be */
#define FOLDED_NODES 262144u /* that a launch makes to be folded, of a row */
#define MOST_FOLDS 3u        /* of 64 nodes each: 2^18 nodes become one */

struct round {
    struct bly_fence *fence;
    struct bly_stored_numbers stored; /* STORED: its inputs, and where nodes go; else all zero */
    uint32_t count;
    uint64_t nodes;
    struct bly_node_range range[ROUND_RANGES];
};

struct bly_batched {
    struct bly_mlmc_launch launch;
    struct bly_term_sums *sums;
    bailey_mlmc_approximation approximate; /* of its samples */
    uint64_t diagnosis[BLY_LEVEL_DIAGNOSIS_ROWS];
    bailey_buffer *folded[2]; /* nodes before a fold and after it, in turns */
    bailey_buffer *nodes;     /* that kernels write what is left to: `results` where they may */
    bailey_buffer *results;   /* PINNED, of all rounds */
    uint64_t queued, taken;
    struct round rounds[ROUNDS];
    bly_level_folds_params folds;
};

static struct bly_device *device_of(const struct bly_batched *b) { return b->launch.mlmc->context->device; }

/* Where a round's nodes begin. */
static uint64_t base_of(const struct bly_batched *b, uint64_t round)
{
    return round % ROUNDS * ROUND_NODES * b->launch.rows;
}

/* ---- Launches ------------------------------------------------------------------------------------ */

/* A launch while it is filled with chunks, and how many nodes they leave to be folded. */
struct filling {
    uint64_t nodes;
    uint32_t folds;  /* the most of a chunk */
    uint32_t folded; /* chunks that must be folded */
    struct {
        uint32_t folds;
        uint64_t node, count; /* of tickets, to be folded */
        uint64_t left;        /* where what is left goes among the round's nodes of row 0 ... */
        uint64_t left_row;    /* ... and how far it is to the next row */
    } chunk[BLY_LEVEL_CHUNKS];
};

static void begin_filling(struct bly_batched *b, struct filling *filling)
{
    filling->nodes = filling->folds = filling->folded = 0;
    b->launch.params.head.tickets = b->launch.params.head.chunks = 0;
}

/* Adds samples first .. end - 1 of a node range. `base` is where the round's nodes begin. */
static void add_chunk(struct bly_batched *b, struct filling *filling, const struct bly_node_range *range,
                      uint64_t first, uint64_t end, uint64_t base)
{
    bly_levels_params *head = &b->launch.params.head;
    const uint32_t i = (uint32_t)head->chunks++;
    const uint64_t left = base + range->node * b->launch.rows + ((first - range->first) >> range->height);
    bly_level_chunk *chunk = &head->chunk[i];
    *chunk = bly_mlmc_chunk(&b->launch, range, first, end);
    chunk->ticket = head->tickets;
    chunk->node = left;
    head->tickets += bly_mlmc_chunk_tickets(range, first, end);
    filling->chunk[i].folds = range->folds;
    if (range->folds == 0) return;
    filling->chunk[i].left = left;
    filling->chunk[i].left_row = chunk->node_row;
    filling->chunk[i].count = chunk->node_row = (end - first) >> range->ticket_bits;
    chunk->node = filling->chunk[i].node = filling->nodes * b->launch.rows;
    filling->nodes += chunk->node_row;
    filling->folded++;
    if (range->folds > filling->folds) filling->folds = range->folds;
}

/* On GPUs no more groups than run at once, which take tickets until there are none: so each copies the table
 * of the inverse CDF once. On processors a group is a ticket. */
static bailey_status launch_samples(struct bly_batched *b, const bailey_buffer *numbers)
{
    struct bly_mlmc_launch *l = &b->launch;
    bly_levels_params *head = &l->params.head;
    const uint64_t per_group = l->variant.block / l->variant.team,
                   most = l->variant.block == 1 ? UINT64_MAX : bly_mlmc_groups(l->mlmc, &l->variant);
    bailey_buffer *const buffers[] = {l->values,    l->factor, numbers ? (bailey_buffer *)numbers : l->table,
                                      b->folded[0], b->nodes,  l->approximate};
    head->groups = (head->tickets + per_group - 1) / per_group;
    if (head->groups > most) head->groups = most;
    return bly_launch_entry(l->mlmc->context, &l->entries[BLY_LEVELS_SAMPLE], head->groups * l->variant.block,
                            1, &l->params, buffers, b->nodes, 0, 0);
}

/* Joins nodes of all chunks that must be folded more than `done` times. */
static bailey_status launch_folds(struct bly_batched *b, struct filling *filling, uint32_t done)
{
    bly_level_folds_params *p = &b->folds;
    uint64_t out = 0;
    *p = (bly_level_folds_params){.rows = b->launch.rows};
    for (uint32_t i = 0; i < b->launch.params.head.chunks; i++) {
        if (filling->chunk[i].folds <= done) continue;
        const uint64_t count = filling->chunk[i].count, left = count >> BLY_NODE_BITS;
        const int last = filling->chunk[i].folds == done + 1;
        p->fold[p->folds++] = (bly_level_fold){.item = p->items,
                                               .in = filling->chunk[i].node,
                                               .in_row = count,
                                               .out = last ? filling->chunk[i].left : out,
                                               .out_row = last ? filling->chunk[i].left_row : left,
                                               .out_count = left,
                                               .last = (uint64_t)last};
        filling->chunk[i].node = out;
        filling->chunk[i].count = left;
        p->items += left * b->launch.rows;
        if (!last) out += left * b->launch.rows;
    }
    bailey_buffer *const buffers[] = {b->folded[done % 2], b->folded[!(done % 2)], b->nodes};
    return bly_launch_entry(b->launch.mlmc->context, &b->launch.entries[BLY_LEVELS_FOLD], p->items, 1, p,
                            buffers, b->nodes, 0, 0);
}

static bailey_status launch(struct bly_batched *b, struct filling *filling, const bailey_buffer *numbers)
{
    bailey_status status = b->launch.params.head.chunks ? launch_samples(b, numbers) : BAILEY_OK;
    for (uint32_t done = 0; done < filling->folds && status == BAILEY_OK; done++)
        status = launch_folds(b, filling, done);
    begin_filling(b, filling);
    return status;
}

/* Samples of a node range that a launch can still take; 0: none. */
static uint64_t room_of(const struct bly_batched *b, const struct filling *filling,
                        const struct bly_node_range *range, uint64_t first)
{
    const uint64_t left = range->end - first;
    if (b->launch.params.head.chunks == b->launch.variant.chunks) return 0;
    if (range->folds == 0) return left;
    if (filling->folded == BLY_LEVEL_FOLDS) return 0;
    const uint64_t nodes = FOLDED_NODES - filling->nodes;
    const uint64_t room = nodes << range->ticket_bits >> range->height << range->height;
    return left < room ? left : room;
}

static bailey_status launch_round(struct bly_batched *b, struct round *round)
{
    const bailey_buffer *numbers = round->stored.numbers;
    const uint64_t base = base_of(b, b->queued);
    struct filling filling;
    bailey_status status = BAILEY_OK;
    begin_filling(b, &filling);
    for (uint32_t i = 0; i < round->count; i++) {
        const struct bly_node_range *range = &round->range[i];
        for (uint64_t first = range->first; first < range->end && status == BAILEY_OK;) {
            const uint64_t room = room_of(b, &filling, range, first);
            if (room == 0) {
                status = launch(b, &filling, numbers);
                continue;
            }
            add_chunk(b, &filling, range, first, first + room, base);
            first += room;
        }
    }
    return status == BAILEY_OK ? launch(b, &filling, numbers) : status;
}

/* ---- Queueing a round ---------------------------------------------------------------------------- */

static bailey_status add_node_range(struct round *round, struct bly_node_range range)
{
    const uint64_t count = bly_node_range_count(&range);
    if (round->count == ROUND_RANGES || round->nodes + count > ROUND_NODES)
        return bly_fail(BAILEY_ERROR_INVALID, "a round of levels is too long");
    range.node = round->nodes;
    round->nodes += count;
    round->range[round->count++] = range;
    return BAILEY_OK;
}

static bailey_status cut(const struct bly_batched *b, const struct bly_sample_range *range,
                         struct round *round)
{
    const uint32_t most_height = round->stored.add ? round->stored.height : UINT32_MAX;
    struct bly_mlmc_cut cut;
    bailey_status status = bly_mlmc_cut_begin(&b->launch, range, most_height, MOST_FOLDS, &cut);
    while (status == BAILEY_OK && cut.next < cut.end) status = add_node_range(round, bly_mlmc_cut_next(&cut));
    return status;
}

/* Brings the round's nodes to where the host reads them. */
static bailey_status copy_results(struct bly_batched *b, const struct round *round)
{
    struct bly_device *device = device_of(b);
    const uint64_t offset = base_of(b, b->queued) * sizeof(double);
    if (b->nodes == b->results) return BAILEY_OK;
    return device->backend->copy(device, 0, b->nodes->memory, offset, b->results->memory, offset,
                                 round->nodes * b->launch.rows * sizeof(double));
}

/* The word of what has failed, which is behind the nodes to be folded, is 0 at a round's beginning. */
static bailey_status clear_failed(struct bly_batched *b)
{
    struct bly_device *device = device_of(b);
    b->launch.params.head.asked = FOLDED_NODES * b->launch.rows;
    return device->backend->fill(device, b->folded[0]->memory, b->launch.params.head.asked * sizeof(double),
                                 0, sizeof(uint32_t));
}

static bailey_status queue_round(struct bly_batched *b, const struct bly_sample_range *range, uint32_t count,
                                 const struct bly_stored_numbers *stored)
{
    struct bly_device *device = device_of(b);
    struct round *round = &b->rounds[b->queued % ROUNDS];
    bailey_status status = BAILEY_OK;
    round->count = 0;
    round->nodes = 0;
    round->stored = stored ? *stored : (struct bly_stored_numbers){0};
    for (uint32_t i = 0; i < count && status == BAILEY_OK; i++) status = cut(b, &range[i], round);
    if (status == BAILEY_OK && b->launch.faults == 1) status = clear_failed(b);
    if (status == BAILEY_OK) status = launch_round(b, round);
    if (status == BAILEY_OK) status = copy_results(b, round);
    if (status == BAILEY_OK) status = device->backend->fence(device, 0, &round->fence);
    if (status == BAILEY_OK) b->queued++;
    return status;
}

static bailey_status queue(void *user, const struct bly_sample_range *range, uint32_t count)
{
    return queue_round(user, range, count, NULL);
}

bailey_status bly_batched_queue_stored(struct bly_batched *b, const struct bly_sample_range *range,
                                       const struct bly_stored_numbers *stored)
{
    b->launch.params.head.from_row = stored->row;
    b->launch.params.head.from_first = range->first - stored->offset;
    return queue_round(b, range, 1, stored);
}

/* ---- Taking a round ------------------------------------------------------------------------------ */

/* The least number in a row of nodes; BLY_NODE_FAR without a fault. */
static double least_of(const double *values, uint64_t count)
{
    double least = BLY_NODE_FAR;
    for (uint64_t i = 0; i < count; i++)
        if (values[i] < least) least = values[i];
    return least;
}

static bailey_status note_fault(struct bly_batched *b, const struct round *round,
                                const struct bly_node_range *range, double sample)
{
    if (round->stored.fault) return round->stored.fault(round->stored.user, (uint64_t)sample);
    const struct bly_level_fault fault = {.level = bly_term_level(range->term),
                                          .correction = bly_term_kind(range->term),
                                          .approximate = b->approximate,
                                          .sample = (uint64_t)sample};
    return bly_level_fault_note(b->launch.mlmc, &fault);
}

/* Looks for code that failed in all of a round. */
static bailey_status find_faults(struct bly_batched *b, const struct round *round, const double *nodes)
{
    bailey_status status = BAILEY_OK;
    for (uint32_t i = 0; i < round->count && b->launch.faults; i++) {
        const struct bly_node_range *range = &round->range[i];
        const uint64_t count = bly_node_range_count(range);
        const double *values = nodes + range->node * b->launch.rows + b->sums->rows * count;
        const double first = least_of(values, count);
        if (first == BLY_NODE_FAR) continue;
        if (b->launch.faults == 1) status = note_fault(b, round, range, first);
        for (uint32_t row = 0; row < b->launch.faults; row++)
            b->diagnosis[row] = (uint64_t)least_of(values + row * count, count);
    }
    return status;
}

static bailey_status take_range(struct bly_batched *b, const struct round *round,
                                const struct bly_node_range *range, const double *values)
{
    const struct bly_stored_numbers *stored = &round->stored;
    const uint64_t count = bly_node_range_count(range), number = range->first >> range->height;
    for (uint64_t i = 0; i < count * b->sums->rows; i++)
        if (!isfinite(values[i]))
            return bly_mlmc_not_finite(b->launch.mlmc, range->term, range->first, range->end);
    for (uint64_t i = 0; i < count; i++) {
        if (stored->add)
            stored->add(stored->user, range->height, number + i, values + i, count);
        else
            bly_term_sums_add(b->sums, range->term, range->height, number + i, values + i, count);
    }
    return BAILEY_OK;
}

bailey_status bly_batched_take(struct bly_batched *b)
{
    struct bly_device *device = device_of(b);
    struct round *round = &b->rounds[b->taken % ROUNDS];
    const double *values =
        (const double *)device->backend->address(b->results->memory) + base_of(b, b->taken);
    int done = 0;
    bailey_status status = device->backend->fence_done(device, round->fence, 1, &done);
    device->backend->fence_free(device, round->fence);
    round->fence = NULL;
    b->taken++;
    if (status == BAILEY_OK) status = find_faults(b, round, values);
    for (uint32_t i = 0; i < round->count && status == BAILEY_OK && b->launch.faults <= 1; i++)
        status = take_range(b, round, &round->range[i], values + round->range[i].node * b->launch.rows);
    return status;
}

static bailey_status take(void *user) { return bly_batched_take(user); }

struct bly_sampler bly_batched_sampler(struct bly_batched *b)
{
    return (struct bly_sampler){.user = b, .queue = queue, .take = take};
}

/* ---- From beginning to end ----------------------------------------------------------------------- */

static bailey_status take_memory(struct bly_batched *b)
{
    bailey_context *context = b->launch.mlmc->context;
    const uint64_t bytes = ROUNDS * ROUND_NODES * b->launch.rows * sizeof(double),
                   folded = FOLDED_NODES * b->launch.rows * sizeof(double),
                   failed = b->launch.faults ? sizeof(double) : 0;
    bailey_status status = bly_pool_take(context, BLY_MEMORY_DEVICE, folded + failed, &b->folded[0]);
    if (status == BAILEY_OK)
        status = bly_pool_take(context, BLY_MEMORY_DEVICE, folded >> BLY_NODE_BITS, &b->folded[1]);
    if (status == BAILEY_OK) status = bly_pool_take(context, BLY_MEMORY_PINNED, bytes, &b->results);
    if (status == BAILEY_OK && !context->device->sees_pinned)
        status = bly_pool_take(context, BLY_MEMORY_DEVICE, bytes, &b->nodes);
    if (!b->nodes) b->nodes = b->results;
    return status;
}

static bailey_status create(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                            struct bly_mlmc_variant variant, struct bly_term_sums *sums,
                            struct bly_batched **out)
{
    struct bly_batched *b = bly_alloc(1, sizeof *b);
    *out = NULL;
    if (!b) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a run of levels");
    b->sums = sums;
    if (variant.approximate) b->approximate = params->approximate;
    bailey_status status = bly_mlmc_launch_begin(mlmc, params, sums->rows, variant, &b->launch);
    if (status == BAILEY_OK) status = take_memory(b);
    if (status == BAILEY_OK)
        *out = b;
    else
        bly_batched_destroy(b);
    return status;
}

bailey_status bly_batched_create(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                 struct bly_term_sums *sums, struct bly_batched **out)
{
    return create(mlmc, params, (struct bly_mlmc_variant){0}, sums, out);
}

bailey_status bly_batched_create_approximate(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                             int correction, struct bly_term_sums *sums,
                                             struct bly_batched **out)
{
    const struct bly_mlmc_variant variant = bly_approximate_variant(params, correction != 0);
    return create(mlmc, params, variant, sums, out);
}

void bly_batched_add_to(struct bly_batched *b, struct bly_term_sums *sums) { b->sums = sums; }

void bly_batched_destroy(struct bly_batched *b)
{
    if (!b) return;
    struct bly_device *device = device_of(b);
    device->backend->wait(device);
    for (uint32_t i = 0; i < ROUNDS; i++) device->backend->fence_free(device, b->rounds[i].fence);
    if (b->nodes != b->results) bly_pool_release(b->nodes);
    bly_pool_release(b->results);
    for (int i = 0; i < 2; i++) bly_pool_release(b->folded[i]);
    bly_mlmc_launch_end(&b->launch);
    bly_free(b);
}

/* ---- One sample again ---------------------------------------------------------------------------- */

bailey_status bly_batched_create_diagnosing(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                            struct bly_term_sums *sums, uint64_t sample,
                                            struct bly_batched **out)
{
    struct bly_mlmc_variant variant = bly_approximate_variant(params, mlmc->fault.correction);
    variant.faults = 2;
    const bailey_status status = create(mlmc, params, variant, sums, out);
    if (status == BAILEY_OK) (*out)->launch.params.head.asked = sample;
    return status;
}

void bly_batched_diagnosis(const struct bly_batched *b, uint64_t diagnosis[BLY_LEVEL_DIAGNOSIS_ROWS])
{
    memcpy(diagnosis, b->diagnosis, sizeof b->diagnosis);
}

/* With its neighbours, as a range ends at multiples of the grain. */
bailey_status bly_batched_diagnose(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                   uint64_t diagnosis[BLY_LEVEL_DIAGNOSIS_ROWS])
{
    const struct bly_level_fault *fault = &mlmc->fault;
    const struct bly_sample_range range = {.term = bly_term_of(fault->level, fault->correction),
                                           .first = fault->sample / BLY_LEVEL_GRAIN * BLY_LEVEL_GRAIN,
                                           .count = BLY_LEVEL_GRAIN};
    struct bly_term_sums sums = {.rows = BLY_LEVEL_RUN_ROWS};
    struct bly_batched *b;
    bailey_status status = bly_batched_create_diagnosing(mlmc, params, &sums, fault->sample, &b);
    if (status == BAILEY_OK) status = queue_round(b, &range, 1, NULL);
    if (status == BAILEY_OK) status = bly_batched_take(b);
    if (status == BAILEY_OK) bly_batched_diagnosis(b, diagnosis);
    bly_batched_destroy(b);
    return status;
}
