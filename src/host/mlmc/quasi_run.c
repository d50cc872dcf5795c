/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey_mlmc_run and _run_samples with points: makes the samples that quasi_driver.c asks for. A range of
 * points is made in chunks: some points of some replicates, side by side. Each passes through memory: the
 * tables of its replicates' dimensions, normals, increments, samples. Two chunks are in flight, so that the
 * device has the next one while the host adds up the last.
 */
#include "mlmc_internal.h"

#include <bailey/points.h>
#include <base/alloc.h>
#include <host/source/source.h>

#include <string.h>

#define UNDER_WAY 2u

/* Replicates of a range whose points are being added up: each has a tree. */
struct replicate_set {
    struct bly_point_range range;
    uint32_t replicate, replicates;
    struct bly_tree *trees; /* [replicates] */
    double *values;         /* of all trees */
};

/* A chunk, and the set that its sums are of. */
struct under_way {
    bailey_mlmc *mlmc;
    struct bly_quasi_chunk chunk;
    struct replicate_set *set;
    int last; /* of the set */
};

struct quasi {
    bailey_mlmc *mlmc;
    const bailey_mlmc_run_params *params;
    uint64_t chunk_bytes, chunk_points;
    struct bly_term_sums sums; /* rows alone */
    struct bly_batched *batched;
    struct bly_quasi_rows rows;
    bailey_buffer *numbers;
    struct replicate_set sets[UNDER_WAY]; /* in turns */
    uint32_t begun;                       /* sets so far */
    struct under_way chunks[UNDER_WAY];
    uint64_t queued, taken;
    struct bly_replicates known;
};

/* ---- Sets of replicates -------------------------------------------------------------------------- */

static void free_set(struct replicate_set *set)
{
    bly_free(set->trees);
    bly_free(set->values);
    memset(set, 0, sizeof *set);
}

static bailey_status begin_set(struct quasi *q, const struct bly_point_range *range, uint32_t replicate,
                               uint32_t replicates, struct replicate_set **begun)
{
    struct replicate_set *set = *begun = &q->sets[q->begun++ % UNDER_WAY];
    const size_t values = (size_t)BLY_MOST_NODES * q->known.rows;
    free_set(set);
    set->range = *range;
    set->replicate = replicate;
    set->replicates = replicates;
    set->trees = bly_alloc(replicates, sizeof *set->trees);
    set->values = bly_alloc(replicates * values, sizeof *set->values);
    if (!set->trees || !set->values)
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for the sums of %u replicates", replicates);
    for (uint32_t r = 0; r < replicates; r++)
        set->trees[r] = (struct bly_tree){
            .rows = q->known.rows, .sums = q->known.rows, .value = set->values + r * values};
    return BAILEY_OK;
}

/* A range is half or all of a tree's points, so that its nodes have become one. */
static void end_set(struct quasi *q, struct replicate_set *set)
{
    for (uint32_t r = 0; r < set->replicates; r++)
        bly_replicates_add(&q->known, &set->range, set->replicate + r, set->trees[r].value, 1);
    free_set(set);
}

/* ---- Chunks -------------------------------------------------------------------------------------- */

/* Samples of a chunk: as many bytes or paths as the device is tuned for, whichever is more, and at most a
 * quarter of its largest buffer; at least a replicate's least points. */
static uint64_t room_of(const struct quasi *q, uint32_t level)
{
    const uint64_t bytes = bly_quasi_numbers(&q->rows.paths, level) * bly_element_bytes(q->mlmc->precision);
    const uint64_t most = q->mlmc->context->device->info.allocation_bytes / 4 / bytes;
    uint64_t room = q->chunk_bytes / bytes;
    if (room < q->chunk_points) room = q->chunk_points;
    if (room > most) room = most;
    return room < BLY_QUASI_LEAST ? BLY_QUASI_LEAST : room;
}

/* Nodes of a chunk come in the order of its samples, which are those of one replicate after another. */
static void add_node(void *user, uint32_t height, uint64_t number, const double *value, uint64_t stride)
{
    struct under_way *under_way = user;
    const uint64_t sample = number << height, points = under_way->chunk.count;
    const uint64_t point = under_way->chunk.first + sample % points;
    bly_tree_add(&under_way->set->trees[sample / points], height, point >> height, value, stride);
}

/* The sample of a chunk as its replicate's point. */
static bailey_status note_fault(void *user, uint64_t sample)
{
    struct under_way *under_way = user;
    const struct bly_quasi_chunk *chunk = &under_way->chunk;
    const struct bly_level_fault fault = {.level = chunk->level,
                                          .replicate = chunk->replicate + (uint32_t)(sample / chunk->count),
                                          .sample = chunk->first + sample % chunk->count};
    return bly_level_fault_note(under_way->mlmc, &fault);
}

/* Where code failed a later chunk may have a fault that comes before, of a replicate with a lower number: the
 * run ends when all that can has been looked at. */
static bailey_status take_chunk(struct quasi *q)
{
    struct under_way *under_way = &q->chunks[q->taken++ % UNDER_WAY];
    bailey_status status = bly_batched_take(q->batched);
    if (status == BAILEY_ERROR_PAYOFF) status = BAILEY_OK;
    if (status == BAILEY_OK && under_way->last) end_set(q, under_way->set);
    return status;
}

/* Nodes are no larger than a replicate's points of the chunk, so that each is of one replicate. */
static bailey_status queue_chunk(struct quasi *q, const struct bly_quasi_chunk *chunk,
                                 struct replicate_set *set, int last)
{
    struct under_way *under_way = &q->chunks[q->queued % UNDER_WAY];
    const uint64_t samples = chunk->replicates * chunk->count;
    const struct bly_sample_range range = {.term = chunk->level, .count = samples};
    uint32_t height = 0;
    while (chunk->count >> height > 1) height++;
    *under_way = (struct under_way){.mlmc = q->mlmc, .chunk = *chunk, .set = set, .last = last};
    const struct bly_stored_numbers stored = {.numbers = q->numbers,
                                              .row = samples,
                                              .height = height,
                                              .add = add_node,
                                              .fault = note_fault,
                                              .user = under_way};
    bailey_status status = bly_quasi_rows_make(&q->rows, &q->params->source, chunk, q->numbers);
    if (status == BAILEY_OK) status = bly_batched_queue_stored(q->batched, &range, &stored);
    if (status == BAILEY_OK) q->queued++;
    return status;
}

/* Memory for the numbers of chunks of a level. Queued work uses it before its next user does (pool.c).
 */
static bailey_status take_numbers(struct quasi *q, uint64_t bytes)
{
    if (q->numbers && bailey_buffer_bytes(q->numbers) >= bytes) return BAILEY_OK;
    bly_pool_release(q->numbers);
    q->numbers = NULL;
    return bly_pool_take(q->mlmc->context, BLY_MEMORY_DEVICE, bytes, &q->numbers);
}

static int is_behind_fault(const struct quasi *q, uint32_t level, uint32_t replicate, uint64_t point)
{
    const struct bly_level_fault here = {.level = level, .replicate = replicate, .sample = point};
    return q->mlmc->fault.found && bly_level_fault_before(&q->mlmc->fault, &here);
}

/* A range of some replicates side by side, chunk by chunk. Samples behind a fault are not made. */
static bailey_status make_replicates(struct quasi *q, const struct bly_point_range *range, uint32_t replicate,
                                     uint32_t replicates, uint64_t points)
{
    struct replicate_set *set;
    bailey_status status = BAILEY_OK;
    while (q->queued - q->taken >= UNDER_WAY && status == BAILEY_OK) status = take_chunk(q);
    if (is_behind_fault(q, range->level, replicate, range->first)) return status;
    if (status == BAILEY_OK) status = begin_set(q, range, replicate, replicates, &set);
    for (uint64_t done = 0; done < range->count && status == BAILEY_OK; done += points) {
        const struct bly_quasi_chunk chunk = {.level = range->level,
                                              .replicate = replicate,
                                              .replicates = replicates,
                                              .first = range->first + done,
                                              .count = points};
        while (q->queued - q->taken >= UNDER_WAY && status == BAILEY_OK) status = take_chunk(q);
        if (done > 0 && is_behind_fault(q, chunk.level, replicate, chunk.first)) break;
        if (status == BAILEY_OK) status = queue_chunk(q, &chunk, set, done + points == range->count);
    }
    return status;
}

/* As many replicates side by side as there is room for with their least points, then as many points. */
static void choose_chunk(const struct quasi *q, const struct bly_point_range *range, uint64_t room,
                         uint32_t *replicates, uint64_t *points)
{
    const uint32_t all = q->known.replicates;
    *replicates = room / BLY_QUASI_LEAST < all ? (uint32_t)(room / BLY_QUASI_LEAST) : all;
    *points = BLY_QUASI_LEAST;
    while (*points < range->count && 2 * *points * *replicates <= room) *points *= 2;
}

/* Chooses chunks, smaller ones where the device has no room for their memory, which is taken. */
static bailey_status take_memory(struct quasi *q, const struct bly_point_range *range, uint32_t *replicates,
                                 uint64_t *points)
{
    const uint64_t bytes =
        bly_quasi_numbers(&q->rows.paths, range->level) * bly_element_bytes(q->mlmc->precision);
    uint64_t room = room_of(q, range->level);
    bailey_status status;
    do {
        choose_chunk(q, range, room, replicates, points);
        status = take_numbers(q, bytes * *replicates * *points);
        if (status == BAILEY_OK)
            status = bly_quasi_rows_reserve(&q->rows, range->level, *replicates * *points);
        room /= 2;
    } while (status == BAILEY_ERROR_MEMORY && room >= BLY_QUASI_LEAST);
    return status;
}

static bailey_status make_range(struct quasi *q, const struct bly_point_range *range)
{
    const uint32_t all = q->known.replicates;
    uint32_t replicates;
    uint64_t points;
    bailey_status status = take_memory(q, range, &replicates, &points);
    for (uint32_t r = 0; r < all && status == BAILEY_OK; r += replicates)
        status = make_replicates(q, range, r, all - r < replicates ? all - r : replicates, points);
    return status;
}

static bailey_status make(void *user, const struct bly_point_range *range, uint32_t count,
                          struct bly_replicates *known)
{
    struct quasi *q = user;
    bailey_status status = BAILEY_OK;
    (void)known; /* the run's */
    for (uint32_t i = 0; i < count && status == BAILEY_OK; i++) status = make_range(q, &range[i]);
    while (q->taken < q->queued && status == BAILEY_OK) status = take_chunk(q);
    if (status == BAILEY_OK && q->mlmc->fault.found) return bly_level_fault_note(q->mlmc, &q->mlmc->fault);
    return status;
}

/* ---- Runs ---------------------------------------------------------------------------------------- */

/* `argument` is what asks for the level. */
static bailey_status check_level(const bailey_mlmc *m, const char *argument, uint32_t level)
{
    const uint32_t finest = bly_quasi_finest(m->first_steps, bly_mlmc_step_numbers(m));
    if (level <= finest) return BAILEY_OK;
    return bly_fail_argument(argument,
                             "level %u has %llu random numbers, more than the %u dimensions of points; the "
                             "largest max_level with points is %u",
                             level, (unsigned long long)bly_mlmc_steps(m, level) * bly_mlmc_step_numbers(m),
                             BAILEY_SOBOL_MAX_DIMS, finest);
}

/* Replicate r of level l is scrambled by stream + BLY_QUASI_STREAMS r + l: all of them have to be there. */
static bailey_status check_streams(const bailey_mlmc_run_params *p, uint32_t replicates)
{
    const uint64_t streams = (uint64_t)BLY_QUASI_STREAMS * replicates;
    if (p->source.stream <= UINT64_MAX - (streams - 1)) return BAILEY_OK;
    return bly_fail_argument("stream", "stream %llu + %llu of replicates and levels exceeds 2^64",
                             (unsigned long long)p->source.stream, (unsigned long long)streams);
}

static bailey_status check(const bailey_mlmc_run_params *p, uint32_t *replicates)
{
    bailey_source_kind kind;
    bailey_status status = bailey_source_check(&p->source, &kind);
    if (status == BAILEY_OK && kind != BAILEY_SOURCE_KIND_POINT)
        status = bly_fail_argument("generator", "generator is %s, which has no points",
                                   bailey_generator_name(p->source.generator));
    if (status == BAILEY_OK) status = bly_check_points(&p->source, &p->normal);
    if (status == BAILEY_OK) status = bly_quasi_check(p, replicates);
    if (status == BAILEY_OK) status = check_streams(p, *replicates);
    if (status == BAILEY_OK && p->schedule != BAILEY_MLMC_SCHEDULE_BATCHED)
        status = bly_fail_argument("schedule", "schedule is %d, but points need BATCHED", (int)p->schedule);
    if (status == BAILEY_OK && p->checkpoint)
        status = bly_fail_argument("checkpoint", "checkpoint is given, but runs with points have none");
    return status;
}

static bailey_status begin_rows(struct quasi *q, const struct bly_quasi_options *options, uint32_t rows)
{
    const struct bly_tuning *tuning = q->mlmc->context->device->tuning;
    const bailey_mlmc *m = q->mlmc;
    bailey_status status = check(q->params, &q->known.replicates);
    if (status != BAILEY_OK) return status;
    q->known.rows = q->sums.rows = rows;
    q->chunk_bytes = options->chunk_bytes ? options->chunk_bytes : tuning->z_chunk_bytes;
    q->chunk_points = options->chunk_bytes ? 0 : tuning->z_chunk_paths;
    q->rows.paths = (struct bly_quasi_paths){.context = m->context,
                                             .precision = m->precision,
                                             .first_steps = m->first_steps,
                                             .dims = m->dims,
                                             .normals = m->payoff.normals,
                                             .uniforms = m->payoff.uniforms,
                                             .time = m->time,
                                             .factor = m->factor,
                                             .construction = options->construction};
    return BAILEY_OK;
}

static bailey_status begin(struct quasi *q, const struct bly_quasi_options *options, uint32_t rows)
{
    const bailey_status status = begin_rows(q, options, rows);
    return status == BAILEY_OK ? bly_batched_create(q->mlmc, q->params, &q->sums, &q->batched) : status;
}

/* Waits for the chunks in flight, and frees all. */
static void end(struct quasi *q)
{
    bly_batched_destroy(q->batched);
    for (uint32_t i = 0; i < UNDER_WAY; i++) free_set(&q->sets[i]);
    bly_quasi_rows_free(&q->rows);
    bly_pool_release(q->numbers);
    bly_replicates_free(&q->known);
}

bailey_status bly_quasi_run_with(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                 const struct bly_quasi_options *options, bailey_mlmc_result *result)
{
    const uint32_t finest = bly_quasi_finest(mlmc->first_steps, bly_mlmc_step_numbers(mlmc));
    bailey_mlmc_run_params filled = *params;
    struct quasi q = {.mlmc = mlmc, .params = &filled};
    const struct bly_point_sampler sampler = {&q, make};
    filled.min_level = bly_mlmc_min_level(params);
    if (!filled.max_level) filled.max_level = finest < BLY_MLMC_MAX_LEVEL ? finest : BLY_MLMC_MAX_LEVEL;
    if (!params->max_level && filled.max_level < filled.min_level) filled.max_level = filled.min_level;
    bailey_status status = check_level(mlmc, "min_level", filled.min_level);
    if (status == BAILEY_OK) status = check_level(mlmc, "max_level", filled.max_level);
    if (status == BAILEY_OK) status = begin(&q, options, BLY_LEVEL_RUN_ROWS);
    if (status == BAILEY_OK) status = bly_quasi_drive(&filled, mlmc->first_steps, &sampler, &q.known, result);
    end(&q);
    return status;
}

bailey_status bly_quasi_run(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                            bailey_mlmc_result *result)
{
    const struct bly_quasi_options options = {0};
    return bly_quasi_run_with(mlmc, params, &options, result);
}

bailey_status bly_quasi_run_samples(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                    const uint64_t *samples, uint32_t levels, bailey_mlmc_result *result)
{
    const struct bly_quasi_options options = {0};
    struct quasi q = {.mlmc = mlmc, .params = params};
    const struct bly_point_sampler sampler = {&q, make};
    bailey_status status = check_level(mlmc, "levels", levels - 1);
    if (status == BAILEY_OK) status = begin(&q, &options, BLY_LEVEL_RUN_ROWS);
    if (status == BAILEY_OK)
        status =
            bly_quasi_drive_samples(params, mlmc->first_steps, &sampler, samples, levels, &q.known, result);
    end(&q);
    return status;
}

bailey_status bly_quasi_run_tables(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                   const struct bly_quasi_options *options, uint64_t points, uint32_t levels,
                                   struct bly_quasi_level *rows)
{
    struct quasi q = {.mlmc = mlmc, .params = params};
    const struct bly_point_sampler sampler = {&q, make};
    bailey_status status = check_level(mlmc, "levels", levels - 1);
    if (status == BAILEY_OK) status = begin(&q, options, BLY_LEVEL_ROWS);
    if (status == BAILEY_OK)
        status = bly_quasi_tables(params, mlmc->first_steps, &sampler, points, levels, &q.known, rows);
    end(&q);
    return status;
}

/* ---- One point again ------------------------------------------------------------------------------ */

static bailey_status diagnose(struct quasi *q, const struct bly_level_fault *fault,
                              uint64_t diagnosis[BLY_LEVEL_DIAGNOSIS_ROWS])
{
    const uint64_t count = BLY_LEVEL_GRAIN, numbers = bly_quasi_numbers(&q->rows.paths, fault->level);
    const struct bly_quasi_chunk chunk = {.level = fault->level,
                                          .replicate = fault->replicate,
                                          .replicates = 1,
                                          .first = fault->sample / count * count,
                                          .count = count};
    bailey_status status =
        bly_batched_create_diagnosing(q->mlmc, q->params, &q->sums, fault->sample % count, &q->batched);
    if (status == BAILEY_OK)
        status = take_numbers(q, numbers * bly_element_bytes(q->mlmc->precision) * count);
    if (status == BAILEY_OK) status = queue_chunk(q, &chunk, NULL, 0);
    if (status == BAILEY_OK) status = bly_batched_take(q->batched);
    if (status == BAILEY_OK) bly_batched_diagnosis(q->batched, diagnosis);
    return status;
}

bailey_status bly_quasi_diagnose(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                 uint64_t diagnosis[BLY_LEVEL_DIAGNOSIS_ROWS])
{
    const struct bly_quasi_options options = {0};
    struct quasi q = {.mlmc = mlmc, .params = params};
    const struct bly_level_fault fault = mlmc->fault;
    bailey_status status = begin_rows(&q, &options, BLY_LEVEL_RUN_ROWS);
    if (status == BAILEY_OK) status = diagnose(&q, &fault, diagnosis);
    end(&q);
    return status;
}
