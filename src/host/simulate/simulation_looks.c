/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Looks at states that are kept on the device (kernels/simulation_kept.h), one after the other, none of which
 * waits for the host. A look at the functions of many dates is a launch of the simulation's program, which leaves
 * nodes of sums, and one that ends them and factorises (kernels/regression_item.h). A look at a date's regressand is
 * the same, but for a program with fewer sums; it ends with coefficients, which it gives to a look that follows.
 * Deals that differ in parameters alone share the launches. The host reads a record of each look and deal at the end.
 */
#include "simulation_internal.h"

#include <base/alloc.h>

#include <string.h>

#define FIT_ITEMS 512u /* of a GPU's group that fits */
#define FEW_FIT_ITEMS 128u /* the same where there are few nodes */
#define LEAST_ITEMS 8u
#define LEAST_LOOK_ITEMS 32u  /* of a GPU's group that looks at the paths of a small deal */
#define MOST_DOUBLES 8192u    /* of nodes that one group ends; more are joined before, by many groups */
#define MOST_FUNCTIONS 65536u /* the same where many groups end those of as many dates */
#define MOST_GROUPS (UINT64_C(1) << 20) /* of a launch, and bytes of its nodes */
#define MOST_BYTES (UINT64_C(1) << 27)

/* Looks at functions, or at regressands. */
struct look {
    struct bly_simulation_variant variant;
    struct bly_simulation_rows rows;
    struct bly_entry entry, fit;
};

/* How a launch at so many dates of all deals adds up. */
struct plan {
    uint64_t looks;
    uint64_t chunk, chunks; /* groups of a launch, and launches, of each look */
    uint64_t each, left;    /* nodes of a row that a launch leaves; and the last one */
    uint32_t folds;
};

struct bly_looks {
    bailey_simulation *s;
    struct bly_kept *kept;
    uint64_t paths;
    uint32_t deals, looks; /* records, and factors, of a deal */
    uint32_t count;        /* functions besides the constant */
    uint32_t dates;        /* that a launch looks at the functions of, at most */
    struct look functions, regressand;
    bailey_buffer *records, *factors;
    bailey_buffer *nodes[2], *all; /* those of all launches of a look, if it has several */
};

static uint64_t groups_of(const struct bly_looks *l, const struct look *look)
{
    const uint64_t group = bly_simulation_group_paths(&look->variant);
    return (l->paths + group - 1) / group;
}

/* ---- Programs ------------------------------------------------------------------------------------- */

/* Groups do not reach far beyond the paths of a deal. */
static void choose_groups(const struct bly_looks *l, uint64_t all, struct bly_simulation_variant *v)
{
    bly_simulation_choose_groups(l->s, all, v);
    if (!bly_simulation_draws(l->s)) return;
    while (v->width > 1 && bly_simulation_group_paths(v) > l->paths) v->width /= 2;
    while (v->block > LEAST_LOOK_ITEMS && bly_simulation_group_paths(v) >= 2 * l->paths) v->block /= 2;
}

/* A program for looks at so many dates at a time. */
static bailey_status find_look(struct bly_looks *l, const bailey_simulation_run_params *params, uint32_t products,
                               uint32_t dates, struct look *look)
{
    struct bly_scenario_plan *plan;
    struct bly_pass pass;
    bailey_status status = bly_scenarios_plan(l->s, params, &plan);
    if (status == BAILEY_OK) status = bly_scenarios_pass(plan, 0, &pass);
    if (status == BAILEY_OK) {
        struct bly_simulation_variant *v = &look->variant;
        v->fast = params->normal.numerics == BAILEY_NUMERICS_FAST && l->s->context->device->native_functions;
        v->products = products;
        bly_scenarios_choose(plan, &pass, v);
        v->input = BLY_INPUT_KEPT;
        choose_groups(l, l->paths * l->deals * dates, v);
        status = bly_simulation_find_program(l->s, v, &pass, &look->entry);
        look->rows = bly_simulation_rows_of(v);
    }
    bly_scenarios_free(plan);
    return status;
}

/* With memory for the most functions, so that all numbers of them share it. */
static bailey_status make_fit(struct bly_looks *l, uint32_t block, struct bly_cached **cached)
{
    bailey_simulation *s = l->s;
    const uint32_t outputs = BAILEY_SIMULATION_MAX_OUTPUTS, rows = BLY_SUMS_OF(BLY_PRODUCTS_OTHERS, outputs),
                   some = rows > block ? rows : block, fit = BLY_FIT_DOUBLES(outputs - 2) + BLY_FACTOR_DOUBLES(outputs - 2);
    const struct bly_kernel kernel = {.name = "bly_regression",
                                      .lane_bytes = sizeof(double),
                                      .params_bytes = sizeof(bly_fit_params),
                                      .buffers = 4,
                                      .block = block,
                                      .shared_bytes = (rows + some + fit) * (uint32_t)sizeof(double),
                                      .early = 1};
    struct bly_text text = {0};
    bly_text_add(&text,
                 "#define BLY_EARLY\n#define BLY_SCALAR %s\n#include \"kernels/group_entry.h\"\n"
                 "#include \"kernels/regression_item.h\"\n",
                 s->precision == BAILEY_PRECISION_F64 ? "double" : "float");
    return bly_variants_make(&s->programs, &block, sizeof block, &text,
                             (struct bly_code){.name = "regression", .kernels = &kernel, .kernel_count = 1},
                             cached);
}

static bailey_status find_fit(struct bly_looks *l, struct look *look)
{
    bailey_simulation *s = l->s;
    struct bly_cached *cached = NULL;
    const uint64_t doubles = look->rows.all * groups_of(l, look);
    uint32_t block = bly_simulation_draws(s) ? bly_group_items(s->context->device, FIT_ITEMS) : 1;
    bailey_status status;
    while (block > FEW_FIT_ITEMS && doubles <= 4 * (uint64_t)block) block /= 2;
    for (;; block /= 2) {
        cached = bly_variants_find(&s->programs, &block, sizeof block);
        status = cached ? BAILEY_OK : make_fit(l, block, &cached);
        if (status != BAILEY_ERROR_UNSUPPORTED || block <= LEAST_ITEMS) break;
    }
    if (status == BAILEY_OK)
        look->fit = (struct bly_entry){.program = cached->program, .kernel = cached->kernels};
    return status;
}

/* ---- Memory --------------------------------------------------------------------------------------- */

static uint64_t joined(uint64_t nodes) { return (nodes + (1u << BLY_NODE_BITS) - 1) >> BLY_NODE_BITS; }

/* Dates whose functions a launch looks at: as many as its groups and nodes have room for, or one. */
static uint32_t dates_of(const struct bly_looks *l, uint32_t dates)
{
    const uint64_t groups = l->deals * groups_of(l, &l->functions), bytes = groups * l->functions.rows.all * sizeof(double),
                   most = MOST_GROUPS / groups < MOST_BYTES / bytes ? MOST_GROUPS / groups : MOST_BYTES / bytes;
    return most < 1 ? 1 : most < dates ? (uint32_t)most : dates;
}

static struct plan plan_of(const struct bly_looks *l, const struct look *look, uint32_t dates)
{
    const uint64_t groups = groups_of(l, look), most_doubles = look == &l->functions ? MOST_FUNCTIONS : MOST_DOUBLES;
    struct plan p = {.looks = (uint64_t)l->deals * dates};
    const uint64_t row = p.looks * look->rows.all * sizeof(double);
    uint64_t most = 1;
    while (2 * most * p.looks <= MOST_GROUPS && 2 * most * row <= MOST_BYTES) most *= 2;
    p.chunk = groups < most || (groups * p.looks <= MOST_GROUPS && groups * row <= MOST_BYTES) ? groups : most;
    p.chunks = (groups + p.chunk - 1) / p.chunk;
    p.each = p.chunk;
    p.left = groups - (p.chunks - 1) * p.chunk;
    for (p.folds = 0; p.each > 1 && p.chunks * p.each * look->rows.all > most_doubles; p.folds++) {
        p.each = joined(p.each);
        p.left = joined(p.left);
    }
    return p;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static bailey_status take_memory(struct bly_looks *l)
{
    bailey_context *context = l->s->context;
    uint64_t nodes[2] = {0}, all = 0;
    for (int i = 0; i < 2; i++) {
        const struct look *look = i ? &l->functions : &l->regressand;
        const struct plan p = plan_of(l, look, i ? l->dates : 1);
        const uint64_t row = p.looks * look->rows.all * sizeof(double);
        nodes[0] = larger(nodes[0], p.chunk * row);
        if (p.folds) nodes[1] = larger(nodes[1], joined(p.chunk) * row);
        if (p.chunks > 1) all = larger(all, p.chunks * p.each * row);
    }
    bailey_status status = bly_pool_take(context, BLY_MEMORY_DEVICE, nodes[0], &l->nodes[0]);
    if (status == BAILEY_OK && nodes[1])
        status = bly_pool_take(context, BLY_MEMORY_DEVICE, nodes[1], &l->nodes[1]);
    if (status == BAILEY_OK && all) status = bly_pool_take(context, BLY_MEMORY_DEVICE, all, &l->all);
    const uint64_t records = (uint64_t)l->deals * l->looks * sizeof(double);
    if (status == BAILEY_OK)
        status = bly_pool_take(context, BLY_MEMORY_DEVICE, records * BLY_RECORD_DOUBLES, &l->records);
    return status == BAILEY_OK ? bly_pool_take(context, BLY_MEMORY_DEVICE,
                                               records * BLY_FACTOR_DOUBLES((uint64_t)l->count), &l->factors)
                               : status;
}

bailey_status bly_looks_begin(bailey_simulation *s, struct bly_kept *kept,
                              const bailey_simulation_run_params *params, const void *values, uint32_t looks,
                              uint32_t dates, struct bly_looks **out)
{
    struct bly_looks *l = *out = bly_alloc(1, sizeof *l);
    if (!l) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for looks at states");
    l->s = s;
    l->kept = kept;
    l->paths = params->paths;
    l->deals = kept->deals;
    l->looks = looks;
    l->count = s->payoff.outputs - 2;
    l->dates = dates;
    bailey_status status = find_look(l, params, BLY_PRODUCTS_OTHERS, dates, &l->functions);
    if (status == BAILEY_OK) status = find_look(l, params, BLY_PRODUCTS_LAST, 1, &l->regressand);
    if (status == BAILEY_OK) status = find_fit(l, &l->functions);
    if (status == BAILEY_OK) status = find_fit(l, &l->regressand);
    if (status == BAILEY_OK) l->dates = dates_of(l, dates);
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
    bly_pool_release(l->factors);
    bly_free(l);
}

/* ---- Looks ---------------------------------------------------------------------------------------- */

static bailey_status launch(const struct bly_looks *l, const struct look *look, const struct plan *p, uint64_t number,
                            uint64_t groups)
{
    const bailey_simulation *s = l->s;
    const uint64_t group = bly_simulation_group_paths(&look->variant), first = number * p->chunk * group,
                   end = first + groups * group;
    bly_simulation_params run = {.base = first,
                                 .first = first,
                                 .end = end < l->paths ? end : l->paths,
                                 .node_row = p->chunk,
                                 .kept = l->kept->at};
    run.kept.groups = (uint32_t)groups;
    run.kept.dates = (uint32_t)(p->looks / l->deals);
    run.kept.look_nodes = look->rows.all * p->chunk;
    bailey_buffer *const buffers[] = {l->kept->values, s->device_stream, s->device_constants, NULL, NULL,
                                      NULL,            l->nodes[0],      l->kept->memory};
    return bly_launch_entry(s->context, &look->entry, p->looks * groups * look->variant.block, 1, &run, buffers,
                            l->nodes[0], 0, 0);
}

/* Joins the nodes of a launch, and puts them where all are. */
static bailey_status fold(const struct bly_looks *l, const struct look *look, const struct plan *p, uint64_t number,
                          uint64_t nodes, bailey_buffer **at)
{
    struct bly_device *device = l->s->context->device;
    const uint32_t rows = (uint32_t)p->looks * look->rows.all;
    uint64_t in_row = p->chunk;
    int turn = 0;
    for (uint32_t i = 0; i < p->folds; i++, turn = !turn) {
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
    if (p->chunks == 1) return BAILEY_OK;
    const uint64_t bytes = p->each * rows * sizeof(double);
    *at = l->all;
    return device->backend->copy(device, 0, l->nodes[turn]->memory, 0, l->all->memory, number * bytes, bytes);
}

/* Nodes of all groups, and what becomes of them; without `fit` none are needed. */
static bailey_status queue(const struct bly_looks *l, const struct look *look, const struct plan *p,
                           const bly_fit_params *fit)
{
    const uint64_t groups = groups_of(l, look);
    bailey_buffer *nodes = NULL;
    bailey_status status = BAILEY_OK;
    for (uint64_t i = 0; i < p->chunks && status == BAILEY_OK; i++) {
        const uint64_t own = i + 1 < p->chunks ? p->chunk : groups - i * p->chunk;
        status = launch(l, look, p, i, own);
        if (status == BAILEY_OK && fit) status = fold(l, look, p, i, own, &nodes);
    }
    if (status != BAILEY_OK || !fit) return status;
    const uint64_t factor = BLY_FACTOR_DOUBLES((uint64_t)l->count);
    bly_fit_params params = *fit;
    params.paths = l->paths;
    params.count = (p->chunks - 1) * p->each + p->left;
    params.each = p->each;
    params.factor = params.record * factor;
    params.record *= BLY_RECORD_DOUBLES;
    params.deal_record = (uint64_t)l->looks * BLY_RECORD_DOUBLES;
    params.deal_factor = l->looks * factor;
    params.deal_values = l->kept->at.deal_values * sizeof(uint64_t) / bly_element_bytes(l->s->precision);
    params.looks = (uint32_t)p->looks;
    params.dates = (uint32_t)(p->looks / l->deals);
    params.rows = look->rows.all;
    params.functions = l->count;
    bailey_buffer *const buffers[] = {nodes, l->factors, l->records, l->kept->values};
    return bly_launch_entry(l->s->context, &look->fit, p->looks * look->fit.kernel->block, 1, &params, buffers,
                            l->records, 0, 0);
}

bailey_status bly_looks_factor(struct bly_looks *l, uint32_t record, uint32_t dates)
{
    bly_kept_params *at = &l->kept->at;
    bailey_status status = BAILEY_OK;
    for (uint32_t first = 0, some; first < dates && status == BAILEY_OK; first += some) {
        some = dates - first < l->dates ? dates - first : l->dates;
        const struct plan p = plan_of(l, &l->functions, some);
        const bly_fit_params fit = {.record = record + first, .task = BLY_FIT_FACTOR};
        status = queue(l, &l->functions, &p, &fit);
        at->from += some * at->date_memory;
        at->values += some * at->date_values;
    }
    return status;
}

bailey_status bly_looks_queue(struct bly_looks *l, const struct bly_looks_fit *fit)
{
    const struct plan p = plan_of(l, &l->regressand, 1);
    const bly_fit_params params = {.record = fit ? fit->record : 0,
                                   .values = fit ? fit->values : 0,
                                   .otherwise = fit ? fit->otherwise : 0,
                                   .task = fit && fit->fits ? BLY_FIT_SOLVE : BLY_FIT_SUMS,
                                   .gives = fit ? fit->gives : 0};
    return queue(l, &l->regressand, &p, fit ? &params : NULL);
}

bailey_status bly_looks_read(struct bly_looks *l, double *records)
{
    struct bly_device *device = l->s->context->device;
    return device->backend->read(device, l->records->memory, 0, records,
                                 (uint64_t)l->deals * l->looks * BLY_RECORD_DOUBLES * sizeof(double));
}
