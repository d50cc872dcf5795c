/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Which kernel builds a bridge. docs/developers/bridge-internals.md says what the strategies are and
 * docs/records/benchmarks.md what they were measured to do, which is what `auto` goes by.
 */
#include "bridge_internal.h"
#include <base/alloc.h>

#include <kernels/bridges.h>

#include <stdio.h>
#include <string.h>

/* A kernel of the bridge for one source of normals. */
struct bly_bridge_kernel {
    struct bly_bridge_kernel *next;
    struct bly_bridge_job job;
    struct bly_cached *cached; /* its program; NULL: the strategy, which auto chose, has none for it */
};

/* A note that a context caches in addition to a program (whose records are its first buffer), or instead of
 * one. */
struct note {
    uint32_t paths, team;  /* see struct bly_bridge_program */
    bailey_status outcome; /* if not OK, there is no program, and this says why */
    char why[BLY_ERROR_TEXT];
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
                                   .records_bytes = bridge->records_bytes,
                                   .constants = bridge->constants,
                                   .gpu = is_gpu(bridge),
                                   .miscompiles = bridge->context->device->miscompiles,
                                   .shared_limit = bridge->context->device->shared_bytes,
                                   .group_limit = bridge->context->device->group_items};
}

static bailey_status check_compiler(const bailey_bridge *bridge)
{
    struct bly_device *device = bridge->context->device;
    if (!device->backend->compiler)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "%s compiles no programs", device->info.address);
    return device->backend->compiler(device);
}

/* ---- Cached programs ------------------------------------------------------------------------- */

static void record_outcome(struct note *note, bailey_status outcome)
{
    note->outcome = outcome;
    snprintf(note->why, sizeof note->why, "%s", outcome == BAILEY_OK ? "" : bailey_error_message());
}

static bailey_status repeat_outcome(const struct note *note)
{
    return note->outcome == BAILEY_OK ? BAILEY_OK : bly_fail(note->outcome, "%s", note->why);
}

/* Asks a question about the strategy, unless it has been answered before. */
static bailey_status ask(bailey_bridge *bridge, bailey_bridge_strategy strategy, const char *question,
                         bailey_status (*answer)(const struct bly_bridge_job *))
{
    const struct bly_bridge_job job = job_of(bridge, strategy);
    uint8_t key[BLY_DIGEST_BYTES];
    bly_job_key(&job, &bridge->digests, question, key);
    struct bly_cached *cached = bly_program_find(bridge->context, key);
    if (!cached) {
        bailey_status status = bly_program_new(bridge->context, key, sizeof(struct note), &cached);
        if (status != BAILEY_OK) return status;
        status = answer(&job);
        if (status != BAILEY_OK && status != BAILEY_ERROR_UNSUPPORTED) {
            bly_program_discard(bridge->context, cached);
            return status;
        }
        record_outcome(cached->note, status);
    }
    const bailey_status status = repeat_outcome(cached->note);
    bly_program_release(bridge->context, cached);
    return status;
}

/* On a device that works in the host's memory they stay where they are. */
bailey_status bly_bridge_place(bailey_bridge *bridge)
{
    bailey_context *context = bridge->context;
    const uint32_t d = bridge->info.dims;
    const size_t constants_bytes = (size_t)d * (2 + d) * bly_element_bytes(bridge->precision);
    if (context->device->backend->adopts_host) {
        const bailey_status status =
            bly_buffer_adopt(context, bridge->records, bridge->records_bytes, &bridge->device_records);
        if (status != BAILEY_OK) return status;
        return bly_buffer_adopt(context, bridge->constants, constants_bytes, &bridge->device_constants);
    }
    const struct bly_bridge_job job = job_of(bridge, BAILEY_BRIDGE_STRATEGY_AUTO);
    uint8_t key[BLY_DIGEST_BYTES];
    bly_job_arrays_key(&job, &bridge->digests, key);
    struct bly_cached *cached = bly_program_find(context, key);
    if (!cached) {
        bailey_status status = bly_program_new(context, key, 0, &cached);
        if (status != BAILEY_OK) return status;
        status = bly_pool_upload(context, bridge->records, bridge->records_bytes, &cached->buffers[0]);
        if (status == BAILEY_OK)
            status = bly_pool_upload(context, bridge->constants, constants_bytes, &cached->buffers[1]);
        if (status != BAILEY_OK) {
            bly_program_discard(context, cached);
            return status;
        }
    }
    bridge->arrays = cached;
    bridge->device_records = cached->buffers[0];
    bridge->device_constants = cached->buffers[1];
    return BAILEY_OK;
}

/* ---- The choice ------------------------------------------------------------------------------ */

static bailey_status can_write(const struct bly_bridge_job *job)
{
    struct bly_bridge_program program;
    const bailey_status status = write_program(job, &program);
    if (status == BAILEY_OK) free_program(&program);
    return status;
}

/* Whether the strategy can do this bridge. */
static bailey_status check_strategy(bailey_bridge *bridge, bailey_bridge_strategy strategy)
{
    if (is_built_in(bridge, strategy)) return BAILEY_OK;
    const bailey_status status = check_compiler(bridge);
    if (status == BAILEY_OK) return ask(bridge, strategy, "can", can_write);
    char why[BLY_ERROR_TEXT];
    snprintf(why, sizeof why, "%s", bailey_error_message());
    return bly_fail(status, "strategy %s must be compiled: %s", bailey_bridge_strategy_name(strategy), why);
}

/* The strategy that every device has the kernels of. */
static bailey_bridge_strategy built_in_strategy(const bailey_bridge *bridge)
{
    return bridge->info.dims == 1 ? BAILEY_BRIDGE_STRATEGY_REUSE : BAILEY_BRIDGE_STRATEGY_READBACK;
}

bailey_bridge_strategy bly_bridge_short_strategy(const bailey_context *context, uint32_t dims)
{
    if (context->device->tuning->straight_steps == 0) return BAILEY_BRIDGE_STRATEGY_AUTO;
    return dims == 1 ? BAILEY_BRIDGE_STRATEGY_REUSE : BAILEY_BRIDGE_STRATEGY_VECTOR;
}

/* BLOCKS is worth its compilation where it has code for most of the steps. */
static bailey_status covers_most(const struct bly_bridge_job *job)
{
    double covered = 0;
    const bailey_status status = bly_blocks_coverage(job, &covered);
    if (status != BAILEY_OK || covered > 0.75) return status;
    return bly_fail(BAILEY_ERROR_UNSUPPORTED, "strategy blocks: only %.0f %% of the steps are in blocks",
                    100 * covered);
}

/* Where the device's tuning says so, straight-line code is the fastest, up to the size that compiles in about
 * a second, and BLOCKS where the plan repeats itself. Above some dimensions their values no longer fit the
 * registers, and a walk with its stack elsewhere is faster. Last come the kernels that every device has.
 * Elsewhere the table-driven blocks of READBACK are the fastest. */
static bailey_status find_best(bailey_bridge *bridge, bailey_bridge_strategy *best)
{
    const struct bly_tuning *tuning = bridge->context->device->tuning;
    bailey_bridge_strategy candidates[2] = {BAILEY_BRIDGE_STRATEGY_SPECIALISED};
    int count = 1;
    *best = BAILEY_BRIDGE_STRATEGY_READBACK;
    if (tuning->straight_steps == 0) return BAILEY_OK;
    const int divisible =
        bridge->layout == BAILEY_LAYOUT_STEP_MAJOR && bridge->info.x_steps <= tuning->straight_steps;
    if (bridge->info.dims > (divisible ? tuning->divided_dims : tuning->straight_dims)) {
        const int f64 = bridge->precision == BAILEY_PRECISION_F64;
        candidates[f64] = BAILEY_BRIDGE_STRATEGY_SHARED;
        candidates[!f64] = BAILEY_BRIDGE_STRATEGY_VECTOR;
        count = 2;
    } else if (bridge->info.x_steps > tuning->straight_steps) {
        candidates[0] = BAILEY_BRIDGE_STRATEGY_BLOCKS;
    }
    *best = built_in_strategy(bridge);
    for (int i = 0; i < count; i++) {
        bailey_status status = check_strategy(bridge, candidates[i]);
        if (status == BAILEY_OK && candidates[i] == BAILEY_BRIDGE_STRATEGY_BLOCKS)
            status = ask(bridge, candidates[i], "covers", covers_most);
        if (status == BAILEY_OK) *best = candidates[i];
        if (status != BAILEY_ERROR_UNSUPPORTED) return status;
        bly_log(1, "bridge: %s", bailey_error_message());
    }
    return BAILEY_OK;
}

bailey_status bly_bridge_choose(bailey_bridge *bridge, bailey_bridge_strategy wanted)
{
    bridge->automatic = wanted == BAILEY_BRIDGE_STRATEGY_AUTO && !bridge->pca;
    if (bridge->pca) wanted = BAILEY_BRIDGE_STRATEGY_READBACK; /* checked */
    if (bridge->automatic) return find_best(bridge, &bridge->info.strategy);
    bridge->info.strategy = wanted;
    return check_strategy(bridge, wanted);
}

/* ---- Kernels --------------------------------------------------------------------------------- */

void bly_bridge_release(bailey_bridge *bridge)
{
    while (bridge->kernels) {
        struct bly_bridge_kernel *kernel = bridge->kernels;
        bridge->kernels = kernel->next;
        bly_program_release(bridge->context, kernel->cached);
        bly_free(kernel);
    }
    bly_program_release(bridge->context, bridge->arrays);
    if (bridge->arrays) return;
    bailey_buffer_destroy(bridge->device_records);
    bailey_buffer_destroy(bridge->device_constants);
}

/* Of parameters with the weights of all steps. */
static uint64_t given_bytes(uint64_t steps, bailey_precision precision)
{
    return sizeof(bly_bridge_params) + (3 * steps * bly_element_bytes(precision) + 7) / 8 * 8;
}

/* Writes and loads the program of a new entry. */
static bailey_status make_program(bailey_context *context, const struct bly_bridge_job *job,
                                  struct bly_cached *cached)
{
    struct note *note = cached->note;
    struct bly_bridge_program program;
    bailey_status status = write_program(job, &program);
    if (status != BAILEY_OK) return status;
    const struct bly_kernel kernel = {.name = "bly_bridge",
                                      .lane_bytes = (uint32_t)bly_element_bytes(job->precision),
                                      .params_bytes =
                                          (uint32_t)(job->gives ? given_bytes(job->steps, job->precision)
                                                                : sizeof(bly_bridge_params)),
                                      .buffers = job->points ? 6 : 4,
                                      .block = program.block,
                                      .shared_bytes = program.shared_bytes};
    const struct bly_code code = {
        .name = kernel.name, .text = program.source, .kernels = &kernel, .kernel_count = 1};
    note->paths = program.paths;
    note->team = program.team ? program.team : 1;
    if (program.records)
        status = bly_pool_upload(context, program.records, program.records_bytes, &cached->buffers[0]);
    if (status == BAILEY_OK) status = bly_program_load(context, cached, &code);
    free_program(&program);
    return status;
}

/* Finds or makes the program of a kernel's job. A program that failed once for auto, which then does without
 * it, is not tried for auto again. */
static bailey_status find_program(bailey_bridge *bridge, struct bly_bridge_kernel *kernel)
{
    bailey_context *context = bridge->context;
    uint8_t key[BLY_DIGEST_BYTES];
    bly_job_key(&kernel->job, &bridge->digests, "program", key);
    struct bly_cached *cached = bly_program_find(context, key);
    bailey_status status = BAILEY_OK;
    if (cached && ((struct note *)cached->note)->outcome != BAILEY_OK && !bridge->automatic) {
        bly_program_discard(context, cached);
        cached = NULL;
    }
    if (!cached) {
        status = bly_program_new(context, key, sizeof(struct note), &cached);
        if (status != BAILEY_OK) return status;
        status = make_program(context, &kernel->job, cached);
        record_outcome(cached->note, status);
    } else {
        status = repeat_outcome(cached->note);
    }
    if (status == BAILEY_OK)
        kernel->cached = cached;
    else if (bridge->automatic && (status == BAILEY_ERROR_UNSUPPORTED || status == BAILEY_ERROR_BUILD))
        bly_program_release(context, cached);
    else
        bly_program_discard(context, cached);
    return status;
}

static bailey_status add_kernel(bailey_bridge *bridge, const struct bly_bridge_job *job,
                                struct bly_bridge_kernel **out)
{
    struct bly_bridge_kernel *kernel = bly_alloc(1, sizeof *kernel);
    if (!kernel) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge's kernel");
    kernel->job = *job;
    const bailey_status status = find_program(bridge, kernel);
    if ((status == BAILEY_ERROR_UNSUPPORTED || status == BAILEY_ERROR_BUILD) && bridge->automatic &&
        !job->transfer) {
        bly_log(1, "bridge: %s instead of %s for normals %s: %s",
                bailey_bridge_strategy_name(built_in_strategy(bridge)),
                bailey_bridge_strategy_name(bridge->info.strategy),
                job->draw ? "drawn on the device" : "from memory", bailey_error_message());
    } else if (status != BAILEY_OK) {
        bly_free(kernel);
        return status;
    }
    kernel->next = bridge->kernels;
    bridge->kernels = *out = kernel;
    return BAILEY_OK;
}

/* The constant of bailey/device/draw.h; NULL where nothing is drawn. */
const char *bly_draw_constant(int draw)
{
    static const char *const constants[] = {
#define CONSTANT(method, METHOD, real, scalar, bits) "BAILEY_DRAW_" #METHOD,
#define MIXED(method, METHOD, real, scalar, bits) "(BAILEY_DRAW_" #METHOD " | BAILEY_DRAW_BITS_" #bits ")",
        BLY_DRAWS(CONSTANT) BLY_MIXED(MIXED) CONSTANT(icdf, ICDF, , , ) /* of points */
#undef CONSTANT
#undef MIXED
    };
    return draw == BLY_DRAW_NONE ? NULL : constants[draw];
}

/* Launches the library's kernel of a strategy that has one. */
static bailey_status launch_built_in(const bailey_bridge *bridge, bailey_bridge_strategy strategy, int draw,
                                     const bly_bridge_params *p, struct bly_bridge_launch *launch)
{
    static const int rows[2][2] = {
        {BLY_KERNEL_bly_bridge_paths_z_f32, BLY_KERNEL_bly_bridge_paths_readback_z_f32},
        {BLY_KERNEL_bly_bridge_increments_z_f32, BLY_KERNEL_bly_bridge_increments_readback_z_f32}};
    int row =
        rows[bridge->output == BAILEY_BRIDGE_OUTPUT_INCREMENTS][strategy == BAILEY_BRIDGE_STRATEGY_READBACK];
    launch->entry.program = NULL;
    if (draw >= BLY_DRAW_mixed_icdf_f32) return BAILEY_OK;
    row += draw == BLY_DRAW_NONE ? bridge->precision == BAILEY_PRECISION_F64 : 2 + draw;
    launch->records = bridge->device_records;
    launch->groups = bly_groups(p->first_path, p->paths, bly_block_elements(bridge->precision));
    return bly_row_entry(bridge->context, &bly_kernels[row], &launch->entry);
}

/* Whether a launch writes part of X: programs for all of it need not add x_first to every address, which
 * makes a tenth of SPECIALISED's instructions. */
static int is_part(const bailey_bridge *bridge, const bly_bridge_params *p)
{
    return p->x_first != 0 || (bridge->layout == BAILEY_LAYOUT_STEP_MAJOR && p->x_row != p->paths);
}

/* Whether all items of a launch have whole vectors of paths, at aligned addresses. */
static int is_whole(const bailey_bridge *bridge, int draw, const bly_bridge_params *p, const bailey_buffer *z,
                    const bailey_buffer *x)
{
    const uint64_t elements = bly_block_elements(bridge->precision);
    const int step_major = bridge->layout == BAILEY_LAYOUT_STEP_MAJOR;
    if (draw == BLY_DRAW_NONE && !step_major) return 0;
    if (p->first_path % elements != 0 || p->paths % elements != 0 || p->x_first % elements != 0) return 0;
    if (step_major && p->x_row % elements != 0) return 0;
    return (!z || z->aligned) && (!x || x->aligned);
}

/* Whether two jobs of one bridge have the same kernel. */
static int is_same(const struct bly_bridge_job *a, const struct bly_bridge_job *b)
{
    return a->draw == b->draw && a->rounds == b->rounds && a->points == b->points && a->owen == b->owen &&
           a->part == b->part && a->transfer == b->transfer && a->whole == b->whole && a->copies == b->copies;
}

/* How the groups of a launch copy the table of the inverse CDF: NULL if they do not, or if that would take
 * longer than it saves. */
static const struct bly_copies_tuning *copies_of(const bailey_bridge *bridge, int draw,
                                                 const bly_bridge_params *p, uint32_t points, int in_line)
{
    const struct bly_device *device = bridge->context->device;
    const struct bly_copies_tuning(*shapes)[2] = in_line ? device->tuning->in_line : device->tuning->copies,
                 *copies = &shapes[points != 0][bridge->precision == BAILEY_PRECISION_F64];
    const int inverse = draw == BLY_DRAW_icdf_f32 || draw == BLY_DRAW_icdf_f64 || points;
    if (points == 64 && bridge->precision == BAILEY_PRECISION_F32) return NULL; /* they have no such rows */
    if (!inverse || !copies->items || bridge->layout == BAILEY_LAYOUT_PATH_MAJOR) return NULL;
    if (bridge->info.strategy != BAILEY_BRIDGE_STRATEGY_SPECIALISED &&
        bridge->info.strategy != BAILEY_BRIDGE_STRATEGY_BLOCKS)
        return NULL;
    if (device->tuned == BLY_TUNED_ALWAYS) return copies;
    const uint64_t items = p->paths / bly_block_elements(bridge->precision),
                   rows = bridge->info.z_steps * bridge->info.dims;
    return is_gpu(bridge) && device->tuned && rows >= device->tuning->copies_rows &&
                   items >= (uint64_t)copies->items * copies->groups * device->info.units
               ? copies
               : NULL;
}

/* Whether the weights of all steps fit in the parameters of a launch, from where arithmetic takes them without a
 * load. */
static int gives(const bailey_bridge *bridge)
{
    const struct bly_device *device = bridge->context->device;
    const uint32_t most = device->tuned == BLY_TUNED_ALWAYS ? device->params_bytes : device->given_bytes;
    return bridge->info.strategy == BAILEY_BRIDGE_STRATEGY_SPECIALISED &&
           bridge->output == BAILEY_BRIDGE_OUTPUT_PATHS &&
           given_bytes(bridge->info.x_steps, bridge->precision) <= most;
}

/* Whether the strategy has programs that draw from points. The others take such normals from memory. */
static int draws_points(const bailey_bridge *bridge)
{
    return bridge->info.strategy == BAILEY_BRIDGE_STRATEGY_SPECIALISED ||
           bridge->info.strategy == BAILEY_BRIDGE_STRATEGY_BLOCKS;
}

/* Finds the job's kernel, or makes it. */
static bailey_status find_kernel(bailey_bridge *bridge, const struct bly_bridge_job *job,
                                 struct bly_bridge_kernel **out)
{
    *out = bridge->kernels;
    while (*out && !is_same(&(*out)->job, job)) *out = (*out)->next;
    return *out ? BAILEY_OK : add_kernel(bridge, job, out);
}

bailey_status bly_bridge_find_kernel(bailey_bridge *bridge, int draw, const bailey_source *source,
                                     int transfer, const bly_bridge_params *p, const bailey_buffer *z,
                                     const bailey_buffer *x, struct bly_bridge_launch *launch)
{
    if (transfer && bridge->info.strategy != BAILEY_BRIDGE_STRATEGY_SPECIALISED)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                        "a transfer needs the strategy specialised; this bridge has %s",
                        bailey_bridge_strategy_name(bridge->info.strategy));
    if (bridge->pca) return bly_pca_find_kernel(bridge, draw, launch);
    if (is_built_in(bridge, bridge->info.strategy) || (draw == BLY_DRAW_points && !draws_points(bridge)))
        return launch_built_in(bridge, bridge->info.strategy, draw, p, launch);
    struct bly_bridge_job job = job_of(bridge, bridge->info.strategy);
    job.draw = bly_draw_constant(draw);
    if (draw == BLY_DRAW_points) {
        job.points = source->word_bits == 64 ? 64 : 32;
        job.owen = source->scramble == BAILEY_SCRAMBLE_OWEN;
    } else if (draw != BLY_DRAW_NONE) {
        job.rounds = bly_source_rounds(source);
    }
    job.part = is_part(bridge, p);
    job.transfer = transfer;
    job.whole = is_whole(bridge, draw, p, z, x);
    job.in_line = job.draw && bly_in_line_code(&job) <= bridge->context->device->tuning->code;
    job.copies = copies_of(bridge, draw, p, job.points, job.in_line);
    if (!job.copies) job.in_line = 0;
    job.gives = job.in_line && gives(bridge);
    struct bly_bridge_kernel *kernel;
    bailey_status status = find_kernel(bridge, &job, &kernel);
    if (job.copies && (status == BAILEY_ERROR_UNSUPPORTED || status == BAILEY_ERROR_BUILD ||
                       (status == BAILEY_OK && !kernel->cached))) {
        bly_log(1, "bridge: without copies of the table: %s", bailey_error_message());
        job.copies = NULL;
        job.in_line = job.gives = 0;
        status = find_kernel(bridge, &job, &kernel);
    }
    if (status != BAILEY_OK) return status;
    const struct bly_cached *cached = kernel->cached;
    if (!cached) return launch_built_in(bridge, built_in_strategy(bridge), draw, p, launch);
    const struct note *note = cached->note;
    launch->entry = (struct bly_entry){.program = cached->program, .kernel = cached->kernels};
    launch->records = cached->buffers[0] ? cached->buffers[0] : bridge->device_records;
    const uint64_t counted = p->first_path % bly_block_elements(bridge->precision) + p->paths;
    launch->groups = (counted / note->paths + (counted % note->paths != 0)) * note->team;
    return BAILEY_OK;
}
