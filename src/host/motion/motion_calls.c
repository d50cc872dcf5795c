/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Values and increments of motions.
 *
 * A list of ticks that all paths share is served tick by tick, each from the root down, or in walks over the
 * sorted list, which build what neighbours share once; whichever makes fewer normals. The values are the
 * same.
 */
#include "motion_internal.h"

#include <base/alloc.h>
#include <base/real.h>

#include <stdlib.h>

/* Kernels of both precisions, by what they do. */
enum { VALUE, WALK, BETWEEN, PLACED, TIMES, KERNELS };
static const int rows[KERNELS][2] = {
    [VALUE] = {BLY_KERNEL_bly_motion_value_f32, BLY_KERNEL_bly_motion_value_f64},
    [WALK] = {BLY_KERNEL_bly_motion_walk_f32, BLY_KERNEL_bly_motion_walk_f64},
    [BETWEEN] = {BLY_KERNEL_bly_motion_between_f32, BLY_KERNEL_bly_motion_between_f64},
    [PLACED] = {BLY_KERNEL_bly_motion_placed_f32, BLY_KERNEL_bly_motion_placed_f64},
    [TIMES] = {BLY_KERNEL_bly_motion_times_f32, BLY_KERNEL_bly_motion_times_f64}};

/* A request: what its kernels take, and the buffer that they write all of. */
struct request {
    bailey_motion *motion;
    union bly_motion_params params;
    bailey_buffer *ticks, *out;
    uint64_t bytes;
};

static bailey_status check_ticks(const bailey_motion *motion, const char *name, const uint64_t *ticks,
                                 uint64_t count)
{
    const uint64_t last = (uint64_t)1 << motion->depth;
    if (!ticks) return bly_fail_argument(name, "%s is NULL", name);
    for (uint64_t i = 0; i < count; i++)
        if (ticks[i] > last)
            return bly_fail_argument(name, "%s[%llu] is %llu; with %u levels the maximum is %llu", name,
                                     (unsigned long long)i, (unsigned long long)ticks[i], motion->depth,
                                     (unsigned long long)last);
    return BAILEY_OK;
}

/* Checks what all calls share, and begins a request for `count` queries of `parts` parts. */
static bailey_status begin(bailey_motion *motion, const bailey_source *source, uint64_t count, uint32_t parts,
                           uint64_t first_path, uint64_t paths, bailey_buffer *out, struct request *r)
{
    bailey_status status = bly_motion_check_source(source);
    if (status != BAILEY_OK) return status;
    if (count < 1) return bly_fail_argument("count", "count is 0, at least 1");
    if (paths < 1) return bly_fail_argument("paths", "paths is 0, at least 1");
    if (paths > BAILEY_BRIDGE_MAX_PATHS || first_path > BAILEY_BRIDGE_MAX_PATHS - paths)
        return bly_fail_argument("first_path", "first_path %llu + paths %llu exceeds 2^38",
                                 (unsigned long long)first_path, (unsigned long long)paths);
    const size_t element = bly_element_bytes(motion->precision);
    const uint64_t columns = paths * parts * motion->dims; /* at most 2^46 */
    const uint64_t elements = bly_multiply(count, columns);
    if (!elements || !bly_multiply(elements, element))
        return bly_fail_argument("count", "count %llu times %llu numbers each exceeds 2^64 bytes",
                                 (unsigned long long)count, (unsigned long long)columns);
    status = bly_check_buffer(motion->context, out, "out", 0, elements, element);
    if (status != BAILEY_OK) return status;
    *r = (struct request){.motion = motion, .out = out, .bytes = elements * element};
    bly_motion_set_source(motion, source, &r->params);
    r->params.at = (bly_motion_place){.first_path = first_path,
                                      .paths = paths,
                                      .queries = count,
                                      .dims = motion->dims,
                                      .parts = parts,
                                      .fixed_end = motion->fixed_end};
    return BAILEY_OK;
}

/* Launches a kernel over all paths. `second` is its second buffer. */
static bailey_status launch(const struct request *r, int kernel, uint64_t groups_rows, bailey_buffer *second)
{
    const int f64 = r->motion->precision == BAILEY_PRECISION_F64;
    bailey_buffer *const buffers[] = {r->ticks, second, r->out};
    return bly_launch(r->motion->context, &bly_kernels[rows[kernel][f64]], r->params.at.paths, groups_rows,
                      &r->params, f64 ? sizeof r->params.f64 : sizeof r->params.f32, buffers, r->out, 0,
                      r->bytes);
}

static bailey_status draw(const struct request *r, int kernel, uint64_t all_rows)
{
    bailey_buffer *table;
    const bailey_status status = bly_normal_table(r->motion->context, r->motion->precision, &table);
    return status == BAILEY_OK ? launch(r, kernel, all_rows, table) : status;
}

/* Ends a request, whose ticks the kernels have as r->params says: X from W. */
static bailey_status place(const struct request *r, int increments)
{
    bailey_buffer *constants = r->motion->constants[increments];
    return constants ? launch(r, PLACED, r->params.at.queries * r->params.at.parts, constants) : BAILEY_OK;
}

/* ---- Ticks that all paths share -------------------------------------------------------------- */

struct spot {
    uint64_t tick, query;
};

static int compare(const void *a, const void *b)
{
    const struct spot *x = a, *y = b;
    return x->tick < y->tick ? -1 : x->tick > y->tick;
}

/* How deep a tick's node is in a tree of `depth` levels. */
static uint32_t depth_of(uint64_t tick, uint32_t depth)
{
    uint32_t zeros = 0;
    if (tick == 0) return 0;
    while (!(tick >> zeros & 1)) zeros++;
    return zeros < depth ? depth - zeros : 0;
}

/* How deep the ways to two ticks are the same. */
static uint32_t shared_depth(uint64_t a, uint64_t b, uint32_t depth)
{
    uint32_t bits = 0;
    while (a >> bits != b >> bits) bits++;
    return bits < depth ? depth - bits : 0;
}

/* Sorts the ticks, if walking over them makes clearly fewer nodes than asking for each. */
static int plan_walk(const bailey_motion *motion, struct spot *spots, uint64_t count)
{
    uint64_t alone = 0, together = 0;
    qsort(spots, count, sizeof *spots, compare);
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t needed = depth_of(spots[i].tick, motion->depth);
        const uint32_t shared = i ? shared_depth(spots[i - 1].tick, spots[i].tick, motion->depth) : 0;
        alone += needed + 1;
        together += needed > shared ? needed - shared : 0;
    }
    return together + together / 4 + motion->depth < alone;
}

/* Ticks of one walk: many, so that little is made twice, and few enough that there are items for a whole
 * device. */
#define WALK_TICKS 256
#define WALK_ITEMS ((uint64_t)1 << 20)
static uint64_t walk_ticks(const bly_motion_place *at)
{
    const uint64_t wanted = WALK_ITEMS / (at->paths * at->dims) + 1,
                   most = (at->queries + WALK_TICKS - 1) / WALK_TICKS;
    const uint64_t walks = wanted < most ? wanted : most;
    return (at->queries + walks - 1) / walks;
}

/* Whether `count` ticks, 4 or 16, of which the first is number q, are evenly spaced: as far from each other
 * as the first two, a power of 2 that leaves an even number of levels, the last at a multiple of all of them,
 * and none in the next walk. */
static int is_even(const struct spot *spots, const bly_motion_place *at, uint32_t depth, uint64_t q,
                   uint64_t count)
{
    if (count > at->queries - q || q % at->walk + count > at->walk) return 0;
    const uint64_t first = spots[q].tick, step = spots[q + 1].tick - first;
    if (step == 0 || (step & (step - 1)) || depth_of(step, depth) % 2 ||
        (first + (count - 1) * step) % (count * step))
        return 0;
    for (uint64_t i = 2; i < count; i++)
        if (spots[q + i].tick != first + i * step) return 0;
    return 1;
}

/* Marks where evenly spaced ticks begin, as BLY_MOTION_WALK wants it. */
static void mark_even(struct spot *spots, const bly_motion_place *at, uint32_t depth)
{
    for (uint64_t q = 0; q < at->queries;) {
        const uint64_t count = is_even(spots, at, depth, q, 16)  ? 16
                               : is_even(spots, at, depth, q, 4) ? 4
                                                                 : 1;
        if (count > 1) {
            const uint64_t zeros = depth - depth_of(spots[q + 1].tick - spots[q].tick, depth);
            spots[q].query |= (zeros + 1) << 56 | (uint64_t)(count == 16) << 63;
        }
        q += count;
    }
}

static bailey_status walk(struct request *r, struct spot *spots)
{
    bly_motion_place *at = &r->params.at;
    at->walk = walk_ticks(at);
    mark_even(spots, at, r->motion->depth);
    bailey_status status = bly_pool_upload(r->motion->context, spots, at->queries * sizeof *spots, &r->ticks);
    if (status == BAILEY_OK) status = draw(r, WALK, (at->queries + at->walk - 1) / at->walk * at->dims);
    bly_pool_release(r->ticks);
    r->ticks = NULL;
    return status;
}

static bailey_status query(struct request *r, const uint64_t *ticks)
{
    bly_motion_place *at = &r->params.at;
    bailey_status status = BAILEY_OK;
    struct spot *spots = NULL;
    if (r->motion->areas == BAILEY_MOTION_AREAS_NONE && at->queries > 1) {
        spots = at->queries <= SIZE_MAX / sizeof *spots ? bly_alloc(at->queries, sizeof *spots) : NULL;
        if (!spots)
            return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for %llu ticks",
                            (unsigned long long)at->queries);
        for (uint64_t i = 0; i < at->queries; i++) spots[i] = (struct spot){ticks[i], i};
    }
    const int walks = spots && plan_walk(r->motion, spots, at->queries);
    if (walks) status = walk(r, spots);
    bly_free(spots);
    at->tick_row = 1;
    if (status == BAILEY_OK && (!walks || r->motion->constants[0]))
        status = bly_pool_upload(r->motion->context, ticks, at->queries * sizeof *ticks, &r->ticks);
    if (status == BAILEY_OK && !walks)
        status = draw(r, r->motion->areas ? BETWEEN : VALUE, at->queries * at->dims);
    if (status == BAILEY_OK) status = place(r, 0);
    bly_pool_release(r->ticks);
    return status;
}

bailey_status bailey_motion_values(bailey_motion *motion, const bailey_source *source, const uint64_t *ticks,
                                   uint64_t count, uint64_t first_path, uint64_t paths, bailey_buffer *out)
{
    struct request r;
    if (!motion) return bly_fail_argument("motion", "motion is NULL");
    BLY_ENTER(motion->context);
    bailey_status status = begin(motion, source, count, 1, first_path, paths, out, &r);
    if (status == BAILEY_OK) status = check_ticks(motion, "ticks", ticks, count);
    if (status == BAILEY_OK) status = query(&r, ticks);
    return bly_finish(motion->context, status);
}

static bailey_status query_between(struct request *r, const uint64_t *from, const uint64_t *to)
{
    bly_motion_place *at = &r->params.at;
    const uint64_t count = at->queries;
    uint64_t *both = count <= SIZE_MAX / 2 / sizeof *both ? bly_alloc(2 * count, sizeof *both) : NULL;
    if (!both)
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for %llu ticks", (unsigned long long)count);
    for (uint64_t i = 0; i < count; i++) both[i] = from[i], both[count + i] = to[i];
    at->tick_row = 1;
    at->tick_end = count;
    bailey_status status = bly_pool_upload(r->motion->context, both, 2 * count * sizeof *both, &r->ticks);
    bly_free(both);
    if (status == BAILEY_OK) status = draw(r, BETWEEN, count * at->dims);
    if (status == BAILEY_OK) status = place(r, 1);
    bly_pool_release(r->ticks);
    return status;
}

bailey_status bailey_motion_increments(bailey_motion *motion, const bailey_source *source,
                                       const uint64_t *from, const uint64_t *to, uint64_t count,
                                       uint64_t first_path, uint64_t paths, bailey_buffer *out)
{
    struct request r;
    if (!motion) return bly_fail_argument("motion", "motion is NULL");
    BLY_ENTER(motion->context);
    bailey_status status = begin(motion, source, count, 1u + motion->areas, first_path, paths, out, &r);
    if (status == BAILEY_OK) status = check_ticks(motion, "from", from, count);
    if (status == BAILEY_OK) status = check_ticks(motion, "to", to, count);
    for (uint64_t i = 0; i < count && status == BAILEY_OK; i++)
        if (from[i] > to[i])
            status = bly_fail_argument("from", "from[%llu] is %llu, above to[%llu], which is %llu",
                                       (unsigned long long)i, (unsigned long long)from[i],
                                       (unsigned long long)i, (unsigned long long)to[i]);
    if (status == BAILEY_OK) status = query_between(&r, from, to);
    return bly_finish(motion->context, status);
}

/* ---- Separate ticks for each path ------------------------------------------------------------ */

/* The request's ticks are `ends` arrays [count][paths] in the caller's buffer. */
static bailey_status set_each(struct request *r, bailey_buffer *ticks, uint32_t ends)
{
    bly_motion_place *at = &r->params.at;
    const uint64_t of_all = at->queries * at->paths; /* fits: begin() has multiplied more */
    const uint64_t numbers = bly_multiply(of_all, ends);
    if (!numbers || !bly_multiply(numbers, sizeof(uint64_t)))
        return bly_fail_argument("count", "count %llu times %llu paths of ticks exceeds 2^64 bytes",
                                 (unsigned long long)at->queries, (unsigned long long)at->paths);
    at->tick_row = at->paths;
    at->tick_path = 1;
    at->tick_end = ends > 1 ? of_all : 0;
    r->ticks = ticks;
    const bailey_status status =
        bly_check_buffer(r->motion->context, ticks, "ticks", 0, numbers, sizeof(uint64_t));
    if (status != BAILEY_OK) return status;
    return bly_check_apart(ticks, "ticks", numbers * sizeof(uint64_t), r->out, "out", r->bytes);
}

bailey_status bailey_motion_values_each(bailey_motion *motion, const bailey_source *source,
                                        bailey_buffer *ticks, uint64_t count, uint64_t first_path,
                                        uint64_t paths, bailey_buffer *out)
{
    struct request r;
    if (!motion) return bly_fail_argument("motion", "motion is NULL");
    BLY_ENTER(motion->context);
    bailey_status status = begin(motion, source, count, 1, first_path, paths, out, &r);
    if (status == BAILEY_OK) status = set_each(&r, ticks, 1);
    if (status == BAILEY_OK) status = draw(&r, motion->areas ? BETWEEN : VALUE, count * motion->dims);
    if (status == BAILEY_OK) status = place(&r, 0);
    return bly_finish(motion->context, status);
}

bailey_status bailey_motion_increments_each(bailey_motion *motion, const bailey_source *source,
                                            bailey_buffer *ticks, uint64_t count, uint64_t first_path,
                                            uint64_t paths, bailey_buffer *out)
{
    struct request r;
    if (!motion) return bly_fail_argument("motion", "motion is NULL");
    BLY_ENTER(motion->context);
    bailey_status status = begin(motion, source, count, 1u + motion->areas, first_path, paths, out, &r);
    if (status == BAILEY_OK) status = set_each(&r, ticks, 2);
    if (status == BAILEY_OK) status = draw(&r, BETWEEN, count * motion->dims);
    if (status == BAILEY_OK) status = place(&r, 1);
    return bly_finish(motion->context, status);
}

/* ---- Times in device memory ------------------------------------------------------------------ */

/* Makes ticks and numbers of all paths of times, which are f64 or f32. */
static bailey_status find_ticks(struct request *r, bailey_buffer *times, int f64, bailey_buffer *first_paths)
{
    const bailey_motion *m = r->motion;
    const double slack = bly_slack(m->start_time, m->end_time);
    const bly_motion_place *at = &r->params.at;
    const bly_motion_times_params p = {.start = m->start_time,
                                       .end = m->end_time,
                                       .low = m->start_time - slack,
                                       .high = m->end_time + slack,
                                       .span = m->end_time - m->start_time,
                                       .scale = (double)((uint64_t)1 << m->depth),
                                       .all = at->queries * at->paths,
                                       .paths = at->paths,
                                       .last_first = BAILEY_BRIDGE_MAX_PATHS - at->paths};
    const uint64_t bytes = 3 * p.all * sizeof(uint64_t);
    const bailey_status status = bly_pool_take(m->context, BLY_MEMORY_DEVICE, bytes, &r->ticks);
    if (status != BAILEY_OK) return status;
    bailey_buffer *const buffers[] = {times, first_paths, r->ticks};
    return bly_launch(m->context, &bly_kernels[rows[TIMES][f64]], p.all, 1, &p, sizeof p, buffers, r->ticks,
                      0, bytes);
}

static bailey_status check_times(const struct request *r, bailey_buffer *times, bailey_precision precision,
                                 bailey_buffer *first_paths)
{
    bailey_context *context = r->motion->context;
    const uint64_t count = r->params.at.queries;
    if (precision != BAILEY_PRECISION_F32 && precision != BAILEY_PRECISION_F64)
        return bly_fail_argument("times_precision", "times_precision is %d, neither f32 nor f64",
                                 (int)precision);
    if (!bly_multiply(bly_multiply(count, r->params.at.paths), 3 * sizeof(uint64_t)))
        return bly_fail_argument("count", "the ticks of count %llu times %llu paths exceed 2^64 bytes",
                                 (unsigned long long)count, (unsigned long long)r->params.at.paths);
    const uint64_t element = bly_element_bytes(precision);
    bailey_status status = bly_check_precision(context, BAILEY_PRECISION_F64);
    if (status == BAILEY_OK) status = bly_check_buffer(context, times, "times", 0, 2 * count, element);
    if (status == BAILEY_OK)
        status = bly_check_buffer(context, first_paths, "first_paths", 0, count, sizeof(uint64_t));
    if (status == BAILEY_OK)
        status = bly_check_apart(times, "times", 2 * count * element, r->out, "out", r->bytes);
    if (status == BAILEY_OK)
        status =
            bly_check_apart(first_paths, "first_paths", count * sizeof(uint64_t), r->out, "out", r->bytes);
    return status;
}

/* Draws what find_ticks has prepared: all paths side by side, so that intervals of few paths fill a device.
 */
static bailey_status draw_timed(struct request *r)
{
    bly_motion_place *at = &r->params.at;
    const uint64_t count = at->queries, paths = at->paths;
    at->tick_path = 1;
    at->tick_row = at->own = paths;
    at->tick_end = at->paths = count * paths;
    at->queries = 1;
    const bailey_status status = draw(r, BETWEEN, at->dims);
    at->queries = count;
    at->paths = paths;
    at->own = 0;
    return status == BAILEY_OK ? place(r, 1) : status;
}

bailey_status bailey_motion_increments_timed(bailey_motion *motion, const bailey_source *source,
                                             bailey_buffer *times, bailey_precision times_precision,
                                             bailey_buffer *first_paths, uint64_t count, uint64_t paths,
                                             bailey_buffer *out)
{
    struct request r = {0};
    if (!motion) return bly_fail_argument("motion", "motion is NULL");
    BLY_ENTER(motion->context);
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    bailey_status status = begin(motion, source, count, 1u + motion->areas, 0, paths, out, &r);
    if (status == BAILEY_OK) status = check_times(&r, times, times_precision, first_paths);
    if (status == BAILEY_OK)
        status = find_ticks(&r, times, times_precision == BAILEY_PRECISION_F64, first_paths);
    if (status == BAILEY_OK) status = draw_timed(&r);
    bly_pool_release(r.ticks);
    fesetenv(&callers);
    return bly_finish(motion->context, status);
}
