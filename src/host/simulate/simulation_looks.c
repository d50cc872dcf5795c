/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Looks at states that are kept on the device (kernels/simulation_kept.h), one after the other, none of which
 * waits for the host: each is a launch of the simulation's program, which leaves nodes of sums, and one that
 * ends them, fits a regression and gives its coefficients to a look that follows
 * (kernels/regression_item.h). Deals that differ in parameters alone share the launches. The host reads a record
 * of each look and deal at the end.
 */
#include "simulation_internal.h"

#include <base/alloc.h>

#include <string.h>

#define FIT_ITEMS 512u /* of a GPU's group that fits */
#define LEAST_ITEMS 8u
#define MOST_DOUBLES 8192u /* of nodes that one group ends; more are joined before, by many groups */
#define MOST_GROUPS 65536u /* of a launch, and bytes of its nodes */
#define MOST_BYTES (UINT64_C(1) << 27)

struct bly_looks {
    bailey_simulation *s;
    struct bly_kept *kept;
    uint64_t paths;
    uint32_t deals, looks; /* records of a deal */
    uint32_t count; /* functions besides the constant */
    struct bly_simulation_variant variant;
    struct bly_simulation_rows rows;
    struct bly_entry look, fit;
    bailey_buffer *records;
    bailey_buffer *nodes[2], *all; /* those of all launches of a look, if it has several */
    uint64_t chunk, chunks;        /* groups of a launch; launches of a look */
    uint64_t each, left;           /* nodes of a row that a launch leaves; and the last one */
    uint32_t folds;
};

/* ---- Programs ------------------------------------------------------------------------------------- */

static bailey_status find_look(struct bly_looks *l, const bailey_simulation_run_params *params)
{
    struct bly_scenario_plan *plan;
    struct bly_pass pass;
    bailey_status status = bly_scenarios_plan(l->s, params, &plan);
    if (status == BAILEY_OK) status = bly_scenarios_pass(plan, 0, &pass);
    if (status == BAILEY_OK) {
        struct bly_simulation_variant *v = &l->variant;
        v->fast = params->normal.numerics == BAILEY_NUMERICS_FAST && l->s->context->device->native_functions;
        v->products = 1;
        bly_scenarios_choose(plan, &pass, v);
        v->input = BLY_INPUT_KEPT;
        bly_simulation_choose_groups(l->s, l->paths, v);
        status = bly_simulation_find_program(l->s, v, &pass, &l->look);
    }
    bly_scenarios_free(plan);
    return status;
}

/* With memory for the most functions, so that all numbers of them share it. */
static bailey_status make_fit(struct bly_looks *l, uint32_t block, struct bly_cached **cached)
{
    bailey_simulation *s = l->s;
    const uint32_t outputs = BAILEY_SIMULATION_MAX_OUTPUTS, rows = outputs + outputs * (outputs + 1) / 2,
                   some = rows > block ? rows : block, fit = BLY_FIT_DOUBLES(outputs - 2);
    const struct bly_kernel kernel = {.name = "bly_regression",
                                      .lane_bytes = sizeof(double),
                                      .params_bytes = sizeof(bly_fit_params),
                                      .buffers = 3,
                                      .block = block,
                                      .shared_bytes =
                                          (rows + (some > fit ? some : fit)) * (uint32_t)sizeof(double)};
    struct bly_text text = {0};
    bly_text_add(&text,
                 "#define BLY_SCALAR %s\n#include \"kernels/group_entry.h\"\n"
                 "#include \"kernels/regression_item.h\"\n",
                 s->precision == BAILEY_PRECISION_F64 ? "double" : "float");
    return bly_variants_make(&s->programs, &block, sizeof block, &text,
                             (struct bly_code){.name = "regression", .kernels = &kernel, .kernel_count = 1},
                             cached);
}

static bailey_status find_fit(struct bly_looks *l)
{
    bailey_simulation *s = l->s;
    struct bly_cached *cached = NULL;
    uint32_t block = bly_simulation_draws(s) ? bly_group_items(s->context->device, FIT_ITEMS) : 1;
    bailey_status status;
    for (;; block /= 2) {
        cached = bly_variants_find(&s->programs, &block, sizeof block);
        status = cached ? BAILEY_OK : make_fit(l, block, &cached);
        if (status != BAILEY_ERROR_UNSUPPORTED || block <= LEAST_ITEMS) break;
    }
    if (status == BAILEY_OK)
        l->fit = (struct bly_entry){.program = cached->program, .kernel = cached->kernels};
    return status;
}

/* ---- Memory --------------------------------------------------------------------------------------- */

static uint64_t joined(uint64_t nodes) { return (nodes + (1u << BLY_NODE_BITS) - 1) >> BLY_NODE_BITS; }

/* Whether a launch's nodes, if there are so many, must be joined. */
static int are_many(const struct bly_looks *l, uint64_t nodes)
{
    return nodes > 1 && l->chunks * nodes * l->rows.all > MOST_DOUBLES; /* of a deal: each has a group */
}

static bailey_status take_memory(struct bly_looks *l)
{
    bailey_context *context = l->s->context;
    const uint64_t group = bly_simulation_group_paths(&l->variant), groups = (l->paths + group - 1) / group,
                   row = l->deals * l->rows.all * sizeof(double);
    uint64_t most = 1;
    while (2 * most * l->deals <= MOST_GROUPS && 2 * most * row <= MOST_BYTES) most *= 2;
    l->chunk = groups < most ? groups : most;
    l->chunks = (groups + l->chunk - 1) / l->chunk;
    l->each = l->chunk;
    l->left = groups - (l->chunks - 1) * l->chunk;
    for (l->folds = 0; are_many(l, l->each); l->folds++) {
        l->each = joined(l->each);
        l->left = joined(l->left);
    }
    bailey_status status = bly_pool_take(context, BLY_MEMORY_DEVICE, l->chunk * row, &l->nodes[0]);
    if (status == BAILEY_OK && l->folds)
        status = bly_pool_take(context, BLY_MEMORY_DEVICE, joined(l->chunk) * row, &l->nodes[1]);
    if (status == BAILEY_OK && l->chunks > 1)
        status = bly_pool_take(context, BLY_MEMORY_DEVICE, l->chunks * l->each * row, &l->all);
    if (status != BAILEY_OK) return status;
    return bly_pool_take(context, BLY_MEMORY_DEVICE,
                         (uint64_t)l->deals * l->looks * BLY_RECORD_DOUBLES * sizeof(double), &l->records);
}

bailey_status bly_looks_begin(bailey_simulation *s, struct bly_kept *kept,
                              const bailey_simulation_run_params *params, const void *values, uint32_t looks,
                              struct bly_looks **out)
{
    struct bly_looks *l = *out = bly_alloc(1, sizeof *l);
    if (!l) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for looks at states");
    l->s = s;
    l->kept = kept;
    l->paths = params->paths;
    l->deals = kept->deals;
    l->looks = looks;
    l->count = s->payoff.outputs - 2;
    bailey_status status = find_look(l, params);
    l->rows = bly_simulation_rows_of(&l->variant);
    if (status == BAILEY_OK) status = find_fit(l);
    if (status == BAILEY_OK) status = take_memory(l);
    return status == BAILEY_OK
               ? bly_pool_upload(s->context, values, l->deals * kept->at.deal_values * sizeof(uint64_t),
                                 &kept->values)
               : status;
}

void bly_looks_end(struct bly_looks *l)
{
    if (!l) return;
    for (int i = 0; i < 2; i++) bly_pool_release(l->nodes[i]);
    bly_pool_release(l->all);
    bly_pool_release(l->kept->values);
    l->kept->values = NULL;
    bly_pool_release(l->records);
    bly_free(l);
}

/* ---- A look --------------------------------------------------------------------------------------- */

static bailey_status launch(const struct bly_looks *l, uint64_t number, uint64_t groups)
{
    const bailey_simulation *s = l->s;
    const uint64_t group = bly_simulation_group_paths(&l->variant), first = number * l->chunk * group,
                   end = first + groups * group;
    bly_simulation_params run = {.base = first,
                                 .first = first,
                                 .end = end < l->paths ? end : l->paths,
                                 .node_row = l->chunk,
                                 .kept = l->kept->at};
    run.kept.groups = (uint32_t)groups;
    run.kept.deal_nodes = l->rows.all * l->chunk;
    bailey_buffer *const buffers[] = {l->kept->values, s->device_stream, s->device_constants, NULL, NULL,
                                      NULL,      l->nodes[0],      l->kept->memory};
    return bly_launch_entry(s->context, &l->look, l->deals * groups * l->variant.block, 1, &run, buffers, l->nodes[0], 0,
                            0);
}

/* Joins the nodes of a launch, and puts them where all are. */
static bailey_status fold(const struct bly_looks *l, uint64_t number, uint64_t nodes, bailey_buffer **at)
{
    struct bly_device *device = l->s->context->device;
    const uint32_t rows = l->deals * l->rows.all;
    uint64_t in_row = l->chunk;
    int turn = 0;
    for (uint32_t i = 0; i < l->folds; i++, turn = !turn) {
        const uint64_t out_row = joined(in_row), next = joined(nodes);
        const bly_nodes_params params = {
            .count = nodes, .in_row = in_row, .out_row = out_row, .sums = rows};
        bailey_buffer *const buffers[] = {l->nodes[turn], l->nodes[!turn]};
        const bailey_status status =
            bly_launch(l->s->context, &bly_kernels[BLY_KERNEL_bly_nodes], (next + 1) / 2, rows,
                       &params, sizeof params, buffers, buffers[1], 0, 0);
        if (status != BAILEY_OK) return status;
        nodes = next;
        in_row = out_row;
    }
    *at = l->nodes[turn];
    if (l->chunks == 1) return BAILEY_OK;
    const uint64_t bytes = l->each * rows * sizeof(double);
    *at = l->all;
    return device->backend->copy(device, 0, l->nodes[turn]->memory, 0, l->all->memory, number * bytes, bytes);
}

bailey_status bly_looks_queue(struct bly_looks *l, const struct bly_looks_fit *fit)
{
    const uint64_t group = bly_simulation_group_paths(&l->variant), groups = (l->paths + group - 1) / group;
    bailey_buffer *nodes = NULL;
    bailey_status status = BAILEY_OK;
    for (uint64_t i = 0; i < l->chunks && status == BAILEY_OK; i++) {
        const uint64_t own = i + 1 < l->chunks ? l->chunk : groups - i * l->chunk;
        status = launch(l, i, own);
        if (status == BAILEY_OK && fit) status = fold(l, i, own, &nodes);
    }
    if (status != BAILEY_OK || !fit) return status;
    const bly_fit_params params = {.paths = l->paths,
                                   .count = (l->chunks - 1) * l->each + l->left,
                                   .each = l->each,
                                   .record = (uint64_t)fit->record * BLY_RECORD_DOUBLES,
                                   .values = fit->values,
                                   .deal_record = (uint64_t)l->looks * BLY_RECORD_DOUBLES,
                                   .deal_values = l->kept->at.deal_values * sizeof(uint64_t) /
                                                  bly_element_bytes(l->s->precision),
                                   .deals = l->deals,
                                   .otherwise = fit->otherwise,
                                   .rows = l->rows.all,
                                   .functions = l->count,
                                   .fits = fit->fits,
                                   .gives = fit->gives};
    bailey_buffer *const buffers[] = {nodes, l->records, l->kept->values};
    return bly_launch_entry(l->s->context, &l->fit, (uint64_t)l->deals * l->fit.kernel->block, 1, &params, buffers, l->records, 0,
                            0);
}

bailey_status bly_looks_read(struct bly_looks *l, double *records)
{
    struct bly_device *device = l->s->context->device;
    return device->backend->read(device, l->records->memory, 0, records,
                                 (uint64_t)l->deals * l->looks * BLY_RECORD_DOUBLES * sizeof(double));
}
