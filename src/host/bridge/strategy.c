/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Which kernel builds a bridge. docs/bridge.md says what the strategies are and docs/benchmarks.md what
 * they were measured to do, which is what `auto` goes by.
 */
#include "bridge_internal.h"
#include <base/alloc.h>

#include <kernels/bridges.h>

#include <stdio.h>
#include <string.h>

/* A kernel of the bridge for one source of normals. */
struct bly_bridge_kernel {
    struct bly_bridge_kernel *next;
    const char *draw; /* the BAILEY_DRAW_ name; NULL from memory */
    int transfer, whole;
    int refused; /* the strategy, which auto chose, has no program for it; what follows is empty */
    struct bly_kernel kernel;
    struct bly_bridge_program program;
    bailey_buffer *records; /* of its own; NULL: the plan's */
};

static int is_gpu(const bailey_bridge *bridge)
{
    return bridge->context->device->info.kind == BAILEY_DEVICE_KIND_GPU;
}

/* Whether the library has the strategy's kernels built in. */
static int is_built_in(const bailey_bridge *bridge, bailey_bridge_strategy strategy)
{
    return strategy == BAILEY_BRIDGE_STRATEGY_READBACK ||
           (strategy == BAILEY_BRIDGE_STRATEGY_REUSE && bridge->info.dims == 1);
}

bailey_status bly_none_program(const struct bly_bridge_job *job, struct bly_bridge_program *program)
{
    (void)program;
    return bly_fail(BAILEY_ERROR_UNSUPPORTED, "strategy %s is not compiled",
                    bailey_bridge_strategy_name(job->strategy));
}

static bailey_status write_program(const struct bly_bridge_job *job, struct bly_bridge_program *program)
{
    static bailey_status (*const writers[])(const struct bly_bridge_job *, struct bly_bridge_program *) = {
#define WRITER(number, name, word, writer) [number] = bly_##writer##_program,
        BAILEY_BRIDGE_STRATEGY_LIST(WRITER)
#undef WRITER
    };
    return writers[job->strategy](job, program);
}

static void free_program(struct bly_bridge_program *program)
{
    bly_free(program->source);
    bly_free(program->records);
}

static struct bly_bridge_job job_of(const bailey_bridge *bridge, bailey_bridge_strategy strategy)
{
    return (struct bly_bridge_job){.strategy = strategy,
                                   .output = bridge->output,
                                   .layout = bridge->layout,
                                   .precision = bridge->precision,
                                   .steps = (uint32_t)bridge->info.x_steps,
                                   .dims = bridge->info.dims,
                                   .slots = bridge->info.stack_slots,
                                   .fixed_end = bridge->fixed_end,
                                   .correlated = bridge->correlated,
                                   .records = bridge->records,
                                   .constants = bridge->constants,
                                   .gpu = is_gpu(bridge),
                                   .miscompiles = bridge->context->device->miscompiles,
                                   .shared_limit = bridge->context->device->shared_bytes};
}

static bailey_status check_compiler(const bailey_bridge *bridge)
{
    const struct bly_device *device = bridge->context->device;
    if (!device->backend->compile)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "%s compiles no programs", device->info.address);
    return device->backend->compile(bridge->context->device, NULL, 0, NULL);
}

/* Whether the strategy can do this bridge. */
static bailey_status check_strategy(const bailey_bridge *bridge, bailey_bridge_strategy strategy)
{
    if (is_built_in(bridge, strategy)) return BAILEY_OK;
    const char *name = bailey_bridge_strategy_name(strategy);
    bailey_status status = check_compiler(bridge);
    if (status != BAILEY_OK) {
        char why[BLY_ERROR_TEXT];
        snprintf(why, sizeof why, "%s", bailey_error_text());
        return bly_fail(status, "strategy %s must be compiled: %s", name, why);
    }
    const struct bly_bridge_job job = job_of(bridge, strategy);
    struct bly_bridge_program program;
    status = write_program(&job, &program);
    if (status == BAILEY_OK) free_program(&program);
    return status;
}

/* The strategy that every device has the kernels of. */
static bailey_bridge_strategy built_in_strategy(const bailey_bridge *bridge)
{
    return bridge->info.dims == 1 ? BAILEY_BRIDGE_STRATEGY_REUSE : BAILEY_BRIDGE_STRATEGY_READBACK;
}

/* BLOCKS is worth its compilation where it has code for most of the steps. */
static bailey_status check_coverage(const bailey_bridge *bridge)
{
    const struct bly_bridge_job job = job_of(bridge, BAILEY_BRIDGE_STRATEGY_BLOCKS);
    double covered = 0;
    const bailey_status status = bly_blocks_coverage(&job, &covered);
    if (status != BAILEY_OK || covered > 0.75) return status;
    return bly_fail(BAILEY_ERROR_UNSUPPORTED, "strategy blocks: only %.0f %% of the steps are in blocks",
                    100 * covered);
}

/* On CPU devices the table-driven blocks of READBACK are the fastest. On GPUs straight-line code is, up to
 * the size that compiles in about a second, and BLOCKS where the plan repeats itself. Above 8 dimensions
 * their values no longer fit the registers, and a walk with its stack elsewhere is faster. Last come the
 * kernels that every device has. */
static bailey_status find_best(const bailey_bridge *bridge, bailey_bridge_strategy *best)
{
    bailey_bridge_strategy candidates[2] = {BAILEY_BRIDGE_STRATEGY_SPECIALISED};
    int count = 1;
    *best = BAILEY_BRIDGE_STRATEGY_READBACK;
    if (!is_gpu(bridge)) return BAILEY_OK;
    if (bridge->info.dims > 8) {
        const int f64 = bridge->precision == BAILEY_PRECISION_F64;
        candidates[f64] = BAILEY_BRIDGE_STRATEGY_SHARED;
        candidates[!f64] = BAILEY_BRIDGE_STRATEGY_VECTOR;
        count = 2;
    } else if (bridge->info.x_steps > 256) {
        candidates[0] = BAILEY_BRIDGE_STRATEGY_BLOCKS;
    }
    *best = built_in_strategy(bridge);
    for (int i = 0; i < count; i++) {
        bailey_status status = check_strategy(bridge, candidates[i]);
        if (status == BAILEY_OK && candidates[i] == BAILEY_BRIDGE_STRATEGY_BLOCKS)
            status = check_coverage(bridge);
        if (status == BAILEY_OK) *best = candidates[i];
        if (status != BAILEY_ERROR_UNSUPPORTED) return status;
        bly_log(1, "bridge: %s", bailey_error_text());
    }
    return BAILEY_OK;
}

bailey_status bly_bridge_choose(bailey_bridge *bridge, bailey_bridge_strategy wanted)
{
    if (strcmp(bailey_bridge_strategy_name(wanted), "unknown") == 0)
        return bly_fail_argument("strategy", "strategy is %d, not a bailey_bridge_strategy", (int)wanted);
    bridge->automatic = wanted == BAILEY_BRIDGE_STRATEGY_AUTO;
    if (bridge->automatic) return find_best(bridge, &bridge->info.strategy);
    bridge->info.strategy = wanted;
    return check_strategy(bridge, wanted);
}

/* ---- Kernels --------------------------------------------------------------------------------- */

/* Frees what compile_kernel made, whole or in part. */
static void empty_kernel(bailey_bridge *bridge, struct bly_bridge_kernel *kernel)
{
    struct bly_device *device = bridge->context->device;
    if (kernel->kernel.source) device->backend->forget(device, &kernel->kernel);
    bailey_buffer_destroy(kernel->records);
    free_program(&kernel->program);
    kernel->kernel = (struct bly_kernel){0};
    kernel->records = NULL;
    kernel->program = (struct bly_bridge_program){0};
}

void bly_bridge_forget_kernels(bailey_bridge *bridge)
{
    while (bridge->kernels) {
        struct bly_bridge_kernel *kernel = bridge->kernels;
        bridge->kernels = kernel->next;
        empty_kernel(bridge, kernel);
        bly_free(kernel);
    }
}

/* Fills a kernel whose draw, transfer and whole are set. */
static bailey_status compile_kernel(bailey_bridge *bridge, struct bly_bridge_kernel *kernel)
{
    struct bly_device *device = bridge->context->device;
    struct bly_bridge_job job = job_of(bridge, bridge->info.strategy);
    job.draw = kernel->draw;
    job.transfer = kernel->transfer;
    job.whole = kernel->whole;
    bailey_status status = write_program(&job, &kernel->program);
    if (status == BAILEY_OK && kernel->program.records) {
        status = bailey_buffer_create(bridge->context, kernel->program.records_bytes, &kernel->records);
        if (status == BAILEY_OK)
            status = bailey_buffer_write(kernel->records, 0, kernel->program.records,
                                         kernel->program.records_bytes);
        bly_free(kernel->program.records);
        kernel->program.records = NULL;
    }
    if (status == BAILEY_OK) {
        kernel->kernel = (struct bly_kernel){.name = "bly_bridge",
                                             .lane_bytes = (uint32_t)bly_element_bytes(bridge->precision),
                                             .buffers = job.draw ? 3 : 4,
                                             .source = kernel->program.source,
                                             .block = kernel->program.block,
                                             .shared_bytes = kernel->program.shared_bytes};
        status = device->backend->compile(device, &kernel->kernel, sizeof(bly_bridge_params), NULL);
    }
    return status;
}

/* What is refused once is not tried again. */
static bailey_status add_kernel(bailey_bridge *bridge, const char *draw, int transfer, int whole,
                                struct bly_bridge_kernel **out)
{
    struct bly_bridge_kernel *kernel = bly_alloc(1, sizeof *kernel);
    if (!kernel) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge's kernel");
    kernel->draw = draw;
    kernel->transfer = transfer;
    kernel->whole = whole;
    const bailey_status status = compile_kernel(bridge, kernel);
    if ((status == BAILEY_ERROR_UNSUPPORTED || status == BAILEY_ERROR_BUILD) && bridge->automatic &&
        !transfer) {
        bly_log(1, "bridge: %s instead of %s for normals %s: %s",
                bailey_bridge_strategy_name(built_in_strategy(bridge)),
                bailey_bridge_strategy_name(bridge->info.strategy), draw ? "that are drawn" : "from memory",
                bailey_error_text());
        empty_kernel(bridge, kernel);
        kernel->refused = 1;
    } else if (status != BAILEY_OK) {
        empty_kernel(bridge, kernel);
        bly_free(kernel);
        return status;
    }
    kernel->next = bridge->kernels;
    bridge->kernels = *out = kernel;
    return BAILEY_OK;
}

/* The constant of bailey/device/draw.h. */
static const char *draw_constant(enum bly_draw draw)
{
    static const char *const constants[] = {
#define CONSTANT(method, METHOD, real, scalar, bits) "BAILEY_DRAW_" #METHOD,
        BLY_DRAWS(CONSTANT)
#undef CONSTANT
    };
    return constants[draw];
}

/* Launches the library's kernel of a strategy that has one. */
static void launch_built_in(const bailey_bridge *bridge, bailey_bridge_strategy strategy,
                            const bailey_normal_params *normal, uint64_t first, uint64_t paths,
                            struct bly_bridge_launch *launch)
{
    static const int rows[2][2] = {
        {BLY_KERNEL_bly_bridge_paths_z_f32, BLY_KERNEL_bly_bridge_paths_readback_z_f32},
        {BLY_KERNEL_bly_bridge_increments_z_f32, BLY_KERNEL_bly_bridge_increments_readback_z_f32}};
    int row = rows[bridge->output == BAILEY_BRIDGE_INCREMENTS][strategy == BAILEY_BRIDGE_STRATEGY_READBACK];
    if (normal)
        row += 2 + (int)bly_draw_of(bridge->context, normal, bridge->precision);
    else
        row += bridge->precision == BAILEY_PRECISION_F64;
    launch->kernel = &bly_kernels[row];
    launch->records = bridge->device_records;
    launch->groups = bly_groups(first, paths, bly_block_elements(bridge->precision));
}

bailey_status bly_bridge_check_normal(const bailey_bridge *bridge, const bailey_normal_params *normal)
{
    const bailey_random_params random = {
        .generator = normal->generator, .sequence = normal->sequence, .warp_set = normal->warp_set};
    const bailey_status status = bly_check_random(&random);
    if (status != BAILEY_OK) return status;
    if (normal->generator != BAILEY_GENERATOR_PHILOX)
        return bly_fail_argument("generator", "normal->generator is %s, bridges draw from philox only",
                                 bailey_generator_name(normal->generator));
    return bly_check_normal(bridge->context, normal, bridge->precision);
}

bailey_status bly_bridge_find_kernel(bailey_bridge *bridge, const bailey_normal_params *normal, int transfer,
                                     uint64_t first, uint64_t paths, const bailey_buffer *z,
                                     const bailey_buffer *x, struct bly_bridge_launch *launch)
{
    const uint64_t elements = bly_block_elements(bridge->precision);
    if (transfer && bridge->info.strategy != BAILEY_BRIDGE_STRATEGY_SPECIALISED)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                        "a transfer is for the strategy specialised, this bridge has %s",
                        bailey_bridge_strategy_name(bridge->info.strategy));
    if (is_built_in(bridge, bridge->info.strategy)) {
        launch_built_in(bridge, bridge->info.strategy, normal, first, paths, launch);
        return BAILEY_OK;
    }
    const char *draw = normal ? draw_constant(bly_draw_of(bridge->context, normal, bridge->precision)) : NULL;
    const int whole = (normal || bridge->layout == BAILEY_LAYOUT_STEP_MAJOR) && first % elements == 0 &&
                      paths % elements == 0 && (!z || z->aligned) && (!x || x->aligned);
    struct bly_bridge_kernel *kernel = bridge->kernels;
    while (kernel && (kernel->draw != draw || kernel->transfer != transfer || kernel->whole != whole))
        kernel = kernel->next;
    if (!kernel) {
        const bailey_status status = add_kernel(bridge, draw, transfer, whole, &kernel);
        if (status != BAILEY_OK) return status;
    }
    if (kernel->refused) {
        launch_built_in(bridge, built_in_strategy(bridge), normal, first, paths, launch);
        return BAILEY_OK;
    }
    launch->kernel = &kernel->kernel;
    launch->records = kernel->records ? kernel->records : bridge->device_records;
    const uint64_t counted = first % elements + paths, each = kernel->program.paths;
    launch->groups =
        (counted / each + (counted % each != 0)) * (kernel->program.team ? kernel->program.team : 1);
    return BAILEY_OK;
}

bailey_status bailey_bridge_inspect(bailey_bridge *bridge, const bailey_normal_params *normal,
                                    bailey_kernel_info *info)
{
    if (!bridge) return bly_fail_argument("bridge", "bridge is NULL");
    bailey_context *context = bridge->context;
    if (!info) return bly_finish(context, bly_fail_argument("info", "info is NULL"));
    struct bly_bridge_launch launch;
    bailey_status status = BAILEY_OK;
    memset(info, 0, sizeof *info);
    if (normal) status = bly_bridge_check_normal(bridge, normal);
    if (status == BAILEY_OK)
        status = bly_bridge_find_kernel(bridge, normal, 0, 0, bly_block_elements(bridge->precision), NULL,
                                        NULL, &launch);
    if (status == BAILEY_OK && context->device->backend->compile)
        status = context->device->backend->compile(context->device, launch.kernel, sizeof(bly_bridge_params),
                                                   info);
    return bly_finish(context, status);
}
