/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * One pass over a range of a run's paths, which plain runs, jobs and explanations all come down to. Paths go
 * to the device in chunks; each chunk leaves a few nodes of the sums, which the host adds to the tree of its
 * replicate. Several chunks are queued at a time, and the host waits for the oldest alone.
 */
#include "simulation_internal.h"
#include <host/run/nodes.h>

#include <bailey/device/ticks.h>
#include <base/alloc.h>

#include <host/bridge/bridge_internal.h>
#include <host/source/source.h>

#include <string.h>

#define SLOTS 8          /* chunks queued at a time */
#define SLOTS_REPORTED 2 /* with progress, so that reports and a cancellation do not lag behind */

/* Most nodes of a chunk that the host joins, where the device folds larger chunks; and most nodes, and bytes
 * of them, that the device makes at once. */
#define READ_NODES 256u
#define CHUNK_NODES 65536u
#define NODE_BYTES (UINT64_C(1) << 27)

/* A running pass over a range of a run's paths. */
struct range_pass {
    bailey_simulation *s;
    const bailey_simulation_run_params *params;
    struct bly_simulation_range range;
    bly_simulation_taker take;
    void *user; /* of `take` */
    struct bly_scenario_plan *plan;
    struct bly_pass pass;
    uint64_t number, passes;
    struct bly_simulation_variant variant;
    struct bly_simulation_rows rows;
    struct bly_entry entry;
    enum bly_draw draw;
    int points;
    uint64_t chunk;  /* paths of a chunk, a power of two times a group's; chunks end at multiples of it */
    uint64_t chunks; /* of a replicate */
    uint64_t taken, queued; /* chunks of all replicates */
    struct {
        struct bly_fence *fence;
        uint32_t height;
        uint64_t number, count; /* of the nodes there */
    } slots[SLOTS];
    bailey_buffer *nodes[2], *from;
    struct bly_prebuilt_outputs outputs; /* by a payoff that was compiled with the library */
    bailey_buffer *weights;              /* which it takes its results with, or NULL */
    bailey_buffer *values;               /* of the scenarios; NULL: the simulation's own */
    uint64_t most_nodes;                 /* of a chunk; behind them are the counts of the histogram */
    int values_under_way; /* the payoff's parameters are, from memory that the host may want to change */
    struct bly_tree tree;
    double *node; /* without the rows of faults; NULL where there are none */
    struct bly_fault *fault;
    int failed;             /* code has, in this range */
    struct bly_fixed fixed; /* of sums in integers */
    struct {
        bly_simulation_params run;
        uint64_t values[(BLY_MAX_PARAMS - sizeof(bly_simulation_params)) / 8];
    } launch;
};

/* ---- The plan of a run --------------------------------------------------------------------------- */

/* Where paths come from: from registers where a GPU can draw them there. */
static uint32_t input_of(const struct range_pass *r)
{
    const bailey_simulation *s = r->s;
    if (s->motion) return BLY_INPUT_DRAWN; /* tick by tick */
    if (s->kept && s->kept->reads) return BLY_INPUT_KEPT;
    const int draws = bly_simulation_draws(s) && s->z_rows != 0 &&
                      bly_source_kind(&r->params->source) != BAILEY_SOURCE_KIND_RUN;
    if (bly_simulation_takes_lanes(s, &r->variant)) {
        if (!s->follows) return BLY_INPUT_PATHS;
        if (!s->segment) return BLY_INPUT_NORMALS;
        return draws && !r->points ? BLY_INPUT_DRAWN : BLY_INPUT_PATHS;
    }
    if (!s->streams) return BLY_INPUT_PATHS;
    return draws ? BLY_INPUT_DRAWN : BLY_INPUT_NORMALS;
}

/* 1 + the index within the pass of the result that the histogram counts; 0 if this pass does not count. */
static uint32_t counted_result(const struct range_pass *r)
{
    const bailey_histogram *h = &r->params->histogram;
    if (h->bins == 0 || h->output < r->pass.first || h->output - r->pass.first >= r->pass.results) return 0;
    return (uint32_t)(h->output - r->pass.first) + 1;
}

/* Bytes of parameters that come with a launch; where tests try all that is tuned, some do on every device. */
static uint64_t given_bytes(const struct bly_device *device)
{
    const uint64_t tried = device->tuned == BLY_TUNED_ALWAYS ? sizeof(bly_simulation_params) + 512 : 0;
    return device->given_bytes > tried ? device->given_bytes : tried;
}

/* Deals of a quiet run; 0: it has the simulation's parameters. */
static uint32_t deals_of(const bailey_simulation *s) { return s->kept && s->kept->deals > 1 ? s->kept->deals : 0; }

/* Values come with the launch where there is room, and behind them C of a derivative that draws. */
static void choose_given(const struct range_pass *r, struct bly_simulation_variant *v)
{
    const bailey_simulation *s = r->s;
    const uint64_t words = bly_scenarios_layout(s, v).all, factor = bly_simulation_factor_words(s, v),
                   most = given_bytes(s->context->device);
    if (s->prebuilt || sizeof(bly_simulation_params) + 8 * words > most || deals_of(s)) return;
    v->factor = sizeof(bly_simulation_params) + 8 * (words + factor) <= most ? (uint32_t)factor : 0;
    v->given = (uint32_t)words + v->factor;
}

static void choose_variant(struct range_pass *r)
{
    const bailey_simulation_run_params *p = r->params;
    const bailey_simulation *s = r->s;
    struct bly_simulation_variant *v = &r->variant;
    v->fast = p->normal.numerics == BAILEY_NUMERICS_FAST && s->context->device->native_functions;
    v->antithetic = p->antithetic;
    v->products = p->covariance || p->expected;
    v->shape = bly_simulation_shape(s, p);
    v->samples = s->kept ? s->kept->samples : p->samples != NULL;
    v->keeps = s->kept && !s->kept->reads;
    v->histogram = counted_result(r);
    v->fixed = p->sum == BAILEY_SUM_FIXED;
    v->faults = s->payoff.site_count == 0 || s->prebuilt ? 0 : r->fault->diagnoses ? 2 : 1;
    bly_scenarios_choose(r->plan, &r->pass, v);
    v->input = input_of(r);
    if (v->input == BLY_INPUT_DRAWN) {
        v->draw = r->draw;
        v->rounds = r->points ? 0 : bly_source_rounds(&p->source);
        v->points = !r->points ? 0 : p->source.word_bits == 64 ? 64 : 32;
        v->owen = r->points && p->source.scramble == BAILEY_SCRAMBLE_OWEN;
    }
    bly_simulation_choose_groups(s, r->range.paths, v);
    choose_given(r, v);
}

static uint32_t height_of(uint64_t paths)
{
    uint32_t height = 0;
    while (paths >> height > 1) height++;
    return height;
}

/* Groups of a chunk, whose nodes are folded `folds` times so that few are left. */
static uint32_t folds_of(const struct range_pass *r)
{
    uint32_t folds = 0;
    for (uint64_t nodes = r->chunk / bly_simulation_group_paths(&r->variant); nodes > READ_NODES; folds++)
        nodes = (nodes + 63) / 64;
    return folds;
}

/* The height of the nodes that a chunk leaves. */
static uint32_t height_left(const struct range_pass *r)
{
    return height_of(bly_simulation_group_paths(&r->variant)) + BLY_NODE_BITS * folds_of(r);
}

/* X of a gradient on processors, which is read forward and backward: in the second cache. Heston basket of
 * 10 dimensions and 252 steps with 82 derivatives, of a price, busy Xeon, 2026-11-26, with 4, 2, 1 and 0.5
 * MiB: f32 1.96, 1.67, 1.64, 2.28; f64 1.88, 1.89, 1.52, 1.67. */
#define LANES_CHUNK_BYTES (UINT64_C(1) << 20)

/* Rows of Z or X of a chunk, where they are in memory. */
static uint64_t from_rows(const struct range_pass *r)
{
    const bailey_simulation *s = r->s;
    if (r->variant.input == BLY_INPUT_DRAWN || r->variant.input == BLY_INPUT_KEPT) return 0;
    if (r->variant.input == BLY_INPUT_PATHS) return (uint64_t)s->steps * s->dims;
    if (!s->kept || !bly_simulation_resumes(s)) return s->z_rows;
    return (uint64_t)(s->kept->at.end - s->kept->at.begin) * s->dims;
}

/* Paths of a chunk, from whose nodes the device makes at most READ_NODES. */
static uint64_t chunk_of(const struct range_pass *r)
{
    const bailey_simulation *s = r->s;
    const struct bly_device *device = s->context->device;
    const uint64_t group = bly_simulation_group_paths(&r->variant);
    const uint64_t rows = r->variant.input == BLY_INPUT_DRAWN ? s->z_rows : from_rows(r);
    const uint64_t output_bytes =
        s->prebuilt ? (bly_prebuilt_rows(s, &r->variant) - s->payoff.outputs) * sizeof(double) : 0;
    const uint64_t path_bytes = (rows ? rows : 1) * bly_element_bytes(s->precision) + output_bytes;
    uint64_t nodes = NODE_BYTES / (r->rows.all * sizeof(double));
    if (nodes > CHUNK_NODES) nodes = CHUNK_NODES;
    uint64_t most = group * nodes, limit = device->info.allocation_bytes / 4 / path_bytes;
    if (from_rows(r)) {
        most = (s->prebuilt ? device->tuning->chunk_bytes : device->tuning->z_chunk_bytes) / path_bytes;
        if (most < device->tuning->z_chunk_paths) most = device->tuning->z_chunk_paths;
        if (s->lanes && !bly_simulation_draws(s)) most = LANES_CHUNK_BYTES / path_bytes;
        if (most > limit) most = limit;
    }
    uint64_t chunk = group;
    while (2 * chunk <= most && chunk < r->range.first + r->range.paths) chunk *= 2;
    return chunk;
}

static uint64_t chunk_count(const struct range_pass *r)
{
    const uint64_t first = r->range.first, last = first + (r->range.paths - 1);
    return last / r->chunk - first / r->chunk + 1;
}

/* Nodes of a chunk that the host reads, at most. */
static uint64_t read_nodes(const struct range_pass *r)
{
    uint64_t nodes = r->chunk / bly_simulation_group_paths(&r->variant);
    while (nodes > READ_NODES) nodes = (nodes + 63) / 64;
    return nodes;
}

static uint64_t slot_doubles(const struct range_pass *r) { return read_nodes(r) * r->rows.all; }

/* Memory of the host that chunks leave nodes in; behind them is the copy from which parameters are sent. */
static bailey_status take_results(struct range_pass *r)
{
    bailey_simulation *s = r->s;
    const uint64_t bytes = SLOTS * slot_doubles(r) * sizeof(double) + s->payoff.params_bytes;
    if (s->results && bailey_buffer_bytes(s->results) >= bytes) return BAILEY_OK;
    bly_pool_release(s->results);
    s->results = NULL;
    return bly_pool_take(s->context, BLY_MEMORY_PINNED, bytes, &s->results);
}

static uint64_t bins_bytes(const struct range_pass *r)
{
    return (r->params->histogram.bins + UINT64_C(2)) * sizeof(uint32_t);
}

/* Behind the nodes: the counts, and the word of what failed (kernels/payoff_faults.h). */
static uint64_t count_bytes(const struct range_pass *r)
{
    if (r->variant.faults) return bins_bytes(r) + sizeof(uint32_t);
    return r->variant.histogram ? bins_bytes(r) : 0;
}

static uint64_t counts_offset(const struct range_pass *r)
{
    const uint32_t deals = deals_of(r->s);
    return r->most_nodes * r->rows.all * (deals ? deals : 1) * sizeof(double);
}

static int is_quiet(const bailey_simulation *s) { return s->kept && s->kept->quiet; }

/* Whether kernels write a run's nodes to where the host reads them, which spares a small run a copy. */
static int is_direct(const struct range_pass *r)
{
    return r->s->context->device->sees_pinned && r->chunks * r->range.replicates == 1 && folds_of(r) == 0 &&
           !r->variant.histogram && !r->variant.faults && !is_quiet(r->s);
}

static bailey_status take_nodes(struct range_pass *r)
{
    bailey_simulation *s = r->s;
    struct bly_device *device = s->context->device;
    r->most_nodes = r->chunk / bly_simulation_group_paths(&r->variant);
    if (is_direct(r)) {
        r->nodes[0] = s->results;
        return BAILEY_OK;
    }
    bailey_status status =
        bly_pool_take(s->context, BLY_MEMORY_DEVICE, counts_offset(r) + count_bytes(r), &r->nodes[0]);
    if (status == BAILEY_OK && folds_of(r))
        status = bly_pool_take(s->context, BLY_MEMORY_DEVICE,
                               (r->most_nodes + 63) / 64 * r->rows.all * sizeof(double), &r->nodes[1]);
    if (status != BAILEY_OK || !r->variant.histogram) return status;
    return device->backend->fill(device, r->nodes[0]->memory, counts_offset(r), 0, count_bytes(r));
}

static bailey_status take_outputs(struct range_pass *r)
{
    r->outputs.row = r->chunk;
    return bly_pool_take(r->s->context, BLY_MEMORY_DEVICE,
                         bly_prebuilt_rows(r->s, &r->variant) * r->chunk * sizeof(double),
                         &r->outputs.buffer);
}

static bailey_status take_from(struct range_pass *r)
{
    const uint64_t bytes = r->chunk * from_rows(r) * bly_element_bytes(r->s->precision);
    return bytes ? bly_pool_take(r->s->context, BLY_MEMORY_DEVICE, bytes, &r->from) : BAILEY_OK;
}

/* It may still be in use by the device: the pool's next user queues its work after that. */
static void release_memory(struct range_pass *r)
{
    for (int i = 0; i < 2; i++) {
        if (r->nodes[i] != r->s->results) bly_pool_release(r->nodes[i]);
        r->nodes[i] = NULL;
    }
    bly_pool_release(r->from);
    bly_pool_release(r->outputs.buffer);
    r->from = r->outputs.buffer = NULL;
}

static bailey_status take_chunk_memory(struct range_pass *r)
{
    r->chunks = chunk_count(r);
    bailey_status status = take_results(r);
    if (status == BAILEY_OK) status = take_nodes(r);
    if (status == BAILEY_OK && r->s->prebuilt) status = take_outputs(r);
    return status == BAILEY_OK ? take_from(r) : status;
}

/* Where the device has no room for a chunk, chunks become smaller. */
static bailey_status take_memory(struct range_pass *r)
{
    bailey_status status = take_chunk_memory(r);
    while (status == BAILEY_ERROR_MEMORY && r->chunk > bly_simulation_group_paths(&r->variant)) {
        release_memory(r);
        r->chunk /= 2;
        status = take_chunk_memory(r);
    }
    return status;
}

/* C, behind the values that come with the launch. */
static void place_factor(struct range_pass *r)
{
    const bailey_simulation *s = r->s;
    const uint64_t bytes = bly_element_bytes(s->precision);
    if (r->variant.factor)
        memcpy(r->launch.values + r->variant.given - r->variant.factor,
               (const uint8_t *)s->bridge->constants + 2 * s->dims * bytes, s->dims * s->dims * bytes);
}

/* Uploads parameters, weights, scores and moves of the pass's scenarios. */
static bailey_status place_scenarios(struct range_pass *r)
{
    const struct bly_values_layout layout = bly_scenarios_layout(r->s, &r->variant);
    if (r->variant.given) return bly_scenarios_write(r->plan, &r->pass, &layout, r->launch.values);
    uint64_t *values = bly_alloc(layout.all, sizeof *values);
    if (!values) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for scenarios");
    bailey_status status = bly_scenarios_write(r->plan, &r->pass, &layout, values);
    if (status == BAILEY_OK)
        status = bly_pool_upload(r->s->context, values, layout.all * sizeof *values, &r->values);
    if (status == BAILEY_OK && r->s->prebuilt)
        status = bly_prebuilt_weights(r->s, &r->pass, (const double *)(values + layout.weights), &r->weights);
    bly_free(values);
    return status;
}

/* Sends the payoff's parameters on their way to the device. */
static bailey_status send_values(struct range_pass *r)
{
    bailey_simulation *s = r->s;
    place_factor(r);
    if (r->params->scenarios.count) return place_scenarios(r);
    if (r->variant.given) {
        memcpy(r->launch.values, s->values, s->payoff.params_bytes);
        return BAILEY_OK;
    }
    struct bly_device *device = s->context->device;
    const uint64_t bytes = s->payoff.params_bytes, from = bailey_buffer_bytes(s->results) - bytes;
    if (!s->changed || deals_of(s)) return BAILEY_OK;
    memcpy((char *)device->backend->address(s->results->memory) + from, s->values, bytes);
    const bailey_status status =
        device->backend->copy(device, 0, s->results->memory, from, s->device_values->memory, 0, bytes);
    s->changed = status != BAILEY_OK;
    r->values_under_way = 1;
    return status;
}

/* Chooses a program or, without a compiler or where that fails, the prebuilt row of a built-in. */
static bailey_status choose(struct range_pass *r)
{
    bailey_simulation *s = r->s;
    bailey_status status = bly_scenarios_pass(r->plan, r->number, &r->pass);
    if (status != BAILEY_OK) return status;
    choose_variant(r);
    if (s->prebuilt) return bly_prebuilt_check(s, &r->variant);
    status = bly_simulation_find_program(s, &r->variant, &r->pass, &r->entry);
    if (status == BAILEY_OK) return status;
    status = bly_prebuilt_fall_back(s, &r->variant, status);
    if (status != BAILEY_OK) return status;
    memset(&r->variant, 0, sizeof r->variant);
    return choose(r);
}

static bailey_status begin(struct range_pass *r)
{
    bailey_status status = choose(r);
    if (status != BAILEY_OK) return status;
    r->rows = bly_simulation_rows_of(&r->variant);
    r->chunk = chunk_of(r);
    while (height_left(r) > r->range.height && r->chunk > bly_simulation_group_paths(&r->variant))
        r->chunk /= 2;
    r->fixed = bly_simulation_fixed_of(&r->variant);
    r->tree = (struct bly_tree){.rows = r->rows.all - r->rows.faults,
                                .sums = r->rows.sums,
                                .fixed = r->variant.fixed ? &r->fixed : NULL};
    r->tree.value = bly_alloc((size_t)BLY_MOST_NODES * r->rows.all, sizeof(double));
    if (r->rows.faults) r->node = bly_alloc(r->tree.rows, sizeof(double));
    if (!r->tree.value || !r->node != !r->rows.faults)
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a run");
    status = take_memory(r);
    return status == BAILEY_OK ? send_values(r) : status;
}

/* Waits for what is still queued, as after a failure: it reads and writes memory that the next run uses. */
static void end(struct range_pass *r)
{
    struct bly_device *device = r->s->context->device;
    if (r->queued != r->taken || (r->values_under_way && r->taken == 0)) device->backend->wait(device);
    for (int i = 0; i < SLOTS; i++) device->backend->fence_free(device, r->slots[i].fence);
    release_memory(r);
    bly_pool_release(r->weights);
    bly_pool_release(r->values);
    bly_free(r->tree.value);
    bly_free(r->node);
}

/* ---- Chunks -------------------------------------------------------------------------------------- */

/* A chunk: paths first .. first + count - 1 of a replicate, in groups from `base` on. */
struct chunk {
    uint64_t replicate, first, count, base, groups;
};

static struct chunk chunk_at(const struct range_pass *r, uint64_t number)
{
    const uint64_t group = bly_simulation_group_paths(&r->variant), begin = r->range.first;
    const uint64_t place = begin / r->chunk + number % r->chunks, end = begin + r->range.paths;
    const uint64_t low = place * r->chunk, high = end - low < r->chunk ? end : low + r->chunk;
    const uint64_t step = group << BLY_NODE_BITS * folds_of(r); /* so that nodes begin where a fold's do */
    struct chunk p = {.replicate = r->range.replicate + number / r->chunks,
                      .first = begin > low ? begin : low};
    p.count = high - p.first;
    p.base = p.first / step * step;
    p.groups = (high - p.base + group - 1) / group;
    return p;
}

static bailey_source source_of(const struct range_pass *r, const struct chunk *p)
{
    bailey_source source = r->params->source;
    source.stream += p->replicate;
    return source;
}

/* Z or X of the chunk's groups, in memory. */
static bailey_status fill_memory(struct range_pass *r, const struct chunk *p, const bailey_source *source)
{
    bailey_simulation *s = r->s;
    const uint64_t paths = p->groups * bly_simulation_group_paths(&r->variant);
    if (!r->from) return BAILEY_OK;
    if (s->kept && bly_simulation_resumes(s))
        return bly_bridge_rows(s->bridge, source, r->draw, (uint64_t)s->kept->at.begin * s->dims,
                               from_rows(r), p->base, paths, r->from);
    if (r->variant.input == BLY_INPUT_PATHS)
        return bailey_bridge_paths(s->bridge, source, &r->params->normal, p->base, paths, r->from);
    return bailey_bridge_normals(s->bridge, source, &r->params->normal, p->base, paths, r->from);
}

/* Finds the table of normals and, of points, the rows that the chunk's kernel draws from. */
static bailey_status find_origin(struct range_pass *r, const struct chunk *p, const bailey_source *source,
                                 bailey_buffer *from[3])
{
    bailey_simulation *s = r->s;
    bailey_status status = bly_normal_table(s->context, s->precision, &from[0]);
    if (status != BAILEY_OK || !r->points) return status;
    const struct bly_point_rows rows = {.source = source,
                                        .precision = s->precision,
                                        .steps = s->z_rows / s->dims,
                                        .factors = s->dims,
                                        .first = p->base,
                                        .count = p->first + p->count - p->base};
    return bly_points_heads(s->context, &rows, &from[1], &from[2]);
}

/* The chunk's payoffs and nodes, of X in memory. */
static bailey_status launch_prebuilt(struct range_pass *r, const struct chunk *p)
{
    const struct bly_prebuilt_chunk chunk = {.paths = p->groups * BLY_PREBUILT_NODE_PATHS,
                                             .antithetic = r->params->antithetic != 0,
                                             .x = r->from,
                                             .values = r->values ? r->values : r->s->device_values,
                                             .weights = r->weights,
                                             .outputs = &r->outputs};
    return bly_prebuilt_launch(r->s, &r->variant, &chunk, &r->launch.run, r->nodes[0], r->params->samples);
}

/* Nothing has failed in the chunk. */
static bailey_status forget_failed(struct range_pass *r)
{
    struct bly_device *device = r->s->context->device;
    return device->backend->fill(device, r->nodes[0]->memory, counts_offset(r) + bins_bytes(r), 0,
                                 sizeof(uint32_t));
}

static bailey_status launch(struct range_pass *r, const struct chunk *p)
{
    bailey_simulation *s = r->s;
    const bailey_source source = source_of(r, p);
    const uint64_t group = bly_simulation_group_paths(&r->variant);
    const bailey_histogram *h = &r->params->histogram;
    bailey_buffer *from[3] = {NULL};
    const int drawn = r->variant.input == BLY_INPUT_DRAWN;
    const uint32_t deals = deals_of(s);
    bailey_status status = drawn ? find_origin(r, p, &source, from) : fill_memory(r, p, &source);
    if (status == BAILEY_OK && r->variant.faults) status = forget_failed(r);
    if (!drawn) from[0] = r->from;
    r->launch.run = (bly_simulation_params){
        .base = p->base,
        .first = p->first,
        .end = p->first + p->count,
        .from_row = p->groups * group,
        .sample_row = bly_simulation_replicates(r->params) * r->params->paths,
        .sample_first =
            (r->pass.first * bly_simulation_replicates(r->params) + p->replicate) * r->params->paths +
            (p->first - r->params->first_path),
        .node_row = p->groups,
        .counts = counts_offset(r) / sizeof(uint32_t),
        .bins = h->bins,
        .low = h->low,
        .high = h->high,
        .scale = h->bins / (h->high - h->low),
        .stream = source.stream,
        .keys = s->motion ? bailey_motion_keys(r->variant.rounds, source.seed, source.stream)
                          : bailey_philox_keys_of(source.seed)};
    if (s->kept) {
        r->launch.run.kept = s->kept->at;
        r->launch.run.sample_first = s->kept->at.last + p->first;
    }
    if (deals) {
        r->launch.run.kept.groups = (uint32_t)p->groups;
        r->launch.run.kept.dates = 1;
        r->launch.run.kept.look_nodes = r->most_nodes * r->rows.all;
    }
    if (r->variant.fixed) r->launch.run.fixed = bly_fixed_params_of(r->params, s->precision);
    bailey_buffer *const buffers[] = {deals ? s->kept->values : r->values ? r->values : s->device_values,
                                      s->device_stream,
                                      s->device_constants,
                                      from[0],
                                      from[1],
                                      from[2],
                                      r->nodes[0],
                                      s->kept ? s->kept->memory : r->params->samples};
    if (status == BAILEY_OK && s->prebuilt)
        status = launch_prebuilt(r, p);
    else if (status == BAILEY_OK)
        status = bly_launch_entry(s->context, &r->entry, (deals ? deals : 1) * p->groups * r->variant.block, 1,
                                  &r->launch, buffers, r->nodes[0], 0, 0);
    bly_pool_release(from[2]);
    return status;
}

/* Rows: the first path beyond the limit, or that failed, and the least of each output. */
static uint32_t minima_of(const struct range_pass *r)
{
    const uint32_t extrema = r->rows.all - r->rows.faults - r->rows.sums;
    return (extrema + r->variant.fixed) / 2 + r->rows.faults;
}

/* Queues the folds of a chunk's nodes. Returns the buffer in which they end, and how many are left. */
static bailey_status fold(struct range_pass *r, uint64_t *count, bailey_buffer **left)
{
    int turn = 0;
    for (uint32_t i = folds_of(r); i > 0; i--, turn = !turn) {
        const uint64_t next = (*count + 63) / 64;
        const bly_nodes_params params = {
            .count = *count, .in_row = *count, .out_row = next, .sums = r->rows.sums, .minima = minima_of(r)};
        bailey_buffer *const buffers[] = {r->nodes[turn], r->nodes[!turn]};
        const int row = r->variant.fixed ? BLY_KERNEL_bly_nodes_fixed : BLY_KERNEL_bly_nodes;
        const bailey_status status = bly_launch(r->s->context, &bly_kernels[row], (next + 1) / 2, r->rows.all,
                                                &params, sizeof params, buffers, buffers[1], 0, 0);
        if (status != BAILEY_OK) return status;
        *count = next;
    }
    *left = r->nodes[turn];
    return BAILEY_OK;
}

/* Queues the next chunk on its way to its slot. */
static bailey_status queue_chunk(struct range_pass *r)
{
    struct bly_device *device = r->s->context->device;
    const uint64_t slot = r->queued % SLOTS, bytes = slot_doubles(r) * sizeof(double);
    const struct chunk p = chunk_at(r, r->queued);
    const uint32_t height = height_left(r);
    uint64_t count = p.groups;
    bailey_buffer *left = NULL;
    bailey_status status = launch(r, &p);
    if (status == BAILEY_OK) status = fold(r, &count, &left);
    if (status != BAILEY_OK) return status;
    r->slots[slot].height = height;
    r->slots[slot].number = p.base >> height;
    r->slots[slot].count = count;
    r->queued++;
    if (left != r->s->results)
        status = device->backend->copy(device, 0, left->memory, 0, r->s->results->memory, slot * bytes,
                                       count * r->rows.all * sizeof(double));
    if (status == BAILEY_OK) status = device->backend->fence(device, 0, &r->slots[slot].fence);
    return status;
}

/* ---- Results ------------------------------------------------------------------------------------- */

/* Looks whether the chunk's code has failed. */
static void find_fault(struct range_pass *r, const double *values, uint64_t count)
{
    const struct chunk p = chunk_at(r, r->taken);
    const uint64_t first = bly_fault_in_row(&r->rows, (int)r->variant.fixed, 0, values, count);
    if (first == BLY_NO_FAULT) return;
    r->failed = 1;
    bly_fault_note(r->fault, p.replicate, p.first + first);
    for (uint32_t i = 0; i < r->rows.faults; i++)
        r->fault->diagnosis[i] = bly_fault_in_row(&r->rows, (int)r->variant.fixed, i, values, count);
}

/* Adds a node, of which row r is value[r * stride]. */
static void add_node(struct range_pass *r, uint32_t height, uint64_t number, const double *value,
                     uint64_t stride)
{
    const uint32_t before = r->rows.sums + r->variant.fixed;
    if (!r->node) {
        bly_tree_add(&r->tree, height, number, value, stride);
        return;
    }
    for (uint32_t row = 0; row < r->tree.rows; row++)
        r->node[row] = value[(row < before ? row : row + r->rows.faults) * stride];
    bly_tree_add(&r->tree, height, number, r->node, 1);
}

/* Adds the nodes of the first chunk in flight, if it is done or is waited for. */
static bailey_status take_chunk(struct range_pass *r, int wait, int *done)
{
    struct bly_device *device = r->s->context->device;
    const uint64_t slot = r->taken % SLOTS;
    bailey_status status = device->backend->fence_done(device, r->slots[slot].fence, wait, done);
    if (status != BAILEY_OK || !*done) return status;
    device->backend->fence_free(device, r->slots[slot].fence);
    r->slots[slot].fence = NULL;
    const double *values =
        (const double *)device->backend->address(r->s->results->memory) + slot * slot_doubles(r);
    if (r->rows.faults) find_fault(r, values, r->slots[slot].count);
    for (uint64_t i = 0; i < r->slots[slot].count && !r->failed; i++)
        add_node(r, r->slots[slot].height, r->slots[slot].number + i, values + i, r->slots[slot].count);
    if (++r->taken % r->chunks != 0 || r->failed) return BAILEY_OK;
    status = r->take(r->user, &r->pass, r->range.replicate + r->taken / r->chunks - 1, &r->tree);
    r->tree.count = 0;
    return status;
}

/* The paths of the chunks that are taken, of all replicates. */
static uint64_t paths_taken(const struct range_pass *r)
{
    const uint64_t whole = r->taken / r->chunks * r->range.paths;
    if (r->taken % r->chunks == 0) return whole;
    const struct chunk next = chunk_at(r, r->taken);
    return whole + (next.first - r->range.first);
}

static bailey_status report(const struct range_pass *r)
{
    const bailey_simulation_run_params *p = r->params;
    const uint64_t total = r->range.paths * r->range.replicates, taken = paths_taken(r);
    const int ends = r->number + 1 == r->passes && taken == total;
    const uint64_t done = ends ? total : total / r->passes * r->number + taken / r->passes;
    if (!p->progress || done == 0 || !p->progress(p->progress_user, done, total)) return BAILEY_OK;
    return bly_fail(BAILEY_ERROR_CANCELLED, "cancelled after %llu of %llu paths", (unsigned long long)done,
                    (unsigned long long)total);
}

/* Takes the chunks that are done, and waits for those before the last `most`. */
static bailey_status take_chunks(struct range_pass *r, uint64_t most)
{
    while (r->taken < r->queued && !r->failed) {
        int done = 0;
        bailey_status status = take_chunk(r, r->queued - r->taken > most, &done);
        if (status != BAILEY_OK || !done) return status;
        status = report(r);
        if (status != BAILEY_OK) return status;
    }
    return BAILEY_OK;
}

/* Whether the run's answer is known: chunks that follow cannot have an earlier fault. */
static int is_decided(const struct range_pass *r)
{
    if (r->failed) return 1;
    if (!r->fault->found) return 0;
    const struct chunk next = chunk_at(r, r->queued);
    return bly_fault_is_before(r->fault, next.replicate, next.first);
}

/* Only queues the chunks: their nodes are not read. */
static bailey_status run_quietly(struct range_pass *r)
{
    bailey_status status = BAILEY_OK;
    for (uint64_t i = 0; i < r->chunks && status == BAILEY_OK; i++) {
        const struct chunk p = chunk_at(r, i);
        status = launch(r, &p);
    }
    return status;
}

static bailey_status run(struct range_pass *r)
{
    if (is_quiet(r->s)) return run_quietly(r);
    const uint64_t most = (r->params->progress ? SLOTS_REPORTED : SLOTS) - 1,
                   chunks = r->chunks * r->range.replicates;
    bailey_status status = BAILEY_OK;
    while (r->queued < chunks && status == BAILEY_OK && !is_decided(r)) {
        status = queue_chunk(r);
        if (status == BAILEY_OK) status = take_chunks(r, most);
    }
    return status == BAILEY_OK ? take_chunks(r, 0) : status;
}

/* Reads the histogram, once everything is done. */
static bailey_status take_counts(struct range_pass *r)
{
    struct bly_device *device = r->s->context->device;
    const bailey_histogram *h = &r->params->histogram;
    if (!r->variant.histogram || r->fault->found || r->fault->refused != BAILEY_OK) return BAILEY_OK;
    uint32_t *counts = bly_alloc(h->bins + (size_t)2, sizeof *counts);
    if (!counts) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a histogram");
    const bailey_status status =
        device->backend->read(device, r->nodes[0]->memory, counts_offset(r), counts, bins_bytes(r));
    for (uint32_t i = 0; i < h->bins + 2 && status == BAILEY_OK; i++) h->counts[i] = counts[i];
    bly_free(counts);
    return status;
}

bailey_status bly_simulation_run_range(bailey_simulation *s, const bailey_simulation_run_params *params,
                                       struct bly_scenario_plan *plan, uint64_t pass, enum bly_draw draw,
                                       const struct bly_simulation_range *range, bly_simulation_taker take,
                                       void *user, struct bly_fault *fault)
{
    struct range_pass r = {.s = s,
                           .params = params,
                           .range = *range,
                           .take = take,
                           .user = user,
                           .plan = plan,
                           .number = pass,
                           .passes = bly_scenarios_passes(plan),
                           .draw = draw,
                           .fault = fault,
                           .points = bly_source_kind(&params->source) == BAILEY_SOURCE_KIND_POINT};
    bailey_status status = begin(&r);
    if (status == BAILEY_OK) status = run(&r);
    if (status == BAILEY_OK) status = take_counts(&r);
    end(&r);
    return status;
}
