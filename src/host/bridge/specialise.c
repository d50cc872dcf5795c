/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Strategies 7 and 8: a plan as code.
 *
 * SPECIALISED writes one statement a step, in execution order: which row of Z, which neighbours, which row
 * of X. BLOCKS writes statements for subtrees that occur again and again in the plan, and a loop that
 * walks the plan by whole subtrees: code of bounded size for any number of steps. Here is what the text
 * depends on; specialise_text.c writes it.
 */
#include "specialise_text.h"

#include <base/alloc.h>
#include <host/internal.h>

#include <kernels/bridges.h>

#include <string.h>

#define MOST_STEPS 1024u /* of straight-line code: beyond, compilers take many seconds */
#define MOST_BLOCK 64u   /* steps of a block */
#define LEAST_BLOCK 4u
#define MOST_SHAPES 6u       /* different blocks of one program */
#define MOST_CANDIDATES 256u /* that are counted */
#define MOST_REGISTERS 128u  /* of 4 bytes, for a path's Z */
#define STASH_BYTES 128u     /* of Z that an item draws at a time */
#define MOST_ITEMS 64u       /* of a group */
#define TILE_ITEMS 32u
#define LEAST_ITEMS 8u
#define GOOD_SHARED 40960u /* bytes that a group may share when there are smaller groups */

/* Where items share out the dims, by what an H200 was fastest with. */
#define WHOLE_DIMS 5u         /* that one item makes */
#define MOST_DIMS 16u         /* that one item makes, where they cannot be shared out */
#define DIVIDED_BYTES 32u     /* of a step that an item makes */
#define MOST_PARTS 16u        /* items that make a path */
#define DIVIDED_ITEMS 32u     /* of a group that make the same dims: a warp */
#define DIVIDED_STEPS 4u      /* that lie between two exchanges */
#define DIVIDED_SHARED 81920u /* as GOOD_SHARED: longer loops over steps are worth more than groups */

/* ---- The plan -------------------------------------------------------------------------------- */

/* Steps that use no other, the increments of a random walk, are a chain. */
static uint32_t parent_of(const struct bly_writer *w, uint32_t k)
{
    const struct bly_step *s = &w->steps[k];
    if (w->increments) return s->a < 0 ? 0 : (uint32_t)s->a / 2;
    const int later = s->a > s->b ? s->a : s->b;
    return later < 0 ? k - 1 : (uint32_t)later;
}

/* Follows the records as a walk does, to see which step made what each step uses. */
static bailey_status read_plan(struct bly_writer *w)
{
    const struct bly_bridge_job *job = w->job;
    int stack[256];
    int *built = bly_alloc(job->steps + 1, sizeof *built); /* by point */
    w->steps = bly_alloc(job->steps, sizeof *w->steps);
    if (!w->steps || !built) {
        bly_free(built);
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge's program");
    }
    built[0] = BLY_OUTER_LEFT;
    for (uint32_t k = 0; k < job->steps; k++) {
        struct bly_step *s = &w->steps[k];
        s->r = bly_record_read(job, k);
        s->size = 1;
        if (w->increments) {
            const uint32_t source = BAILEY_BRIDGE_SPLIT_SOURCE(s->r.code),
                           push = BAILEY_BRIDGE_SPLIT_PUSH(s->r.code);
            s->a = k == 0                                ? BLY_OUTER_LEFT
                   : source == BAILEY_BRIDGE_SPLIT_LEFT  ? 2 * (int)(k - 1)
                   : source == BAILEY_BRIDGE_SPLIT_RIGHT ? 2 * (int)(k - 1) + 1
                                                         : stack[BAILEY_BRIDGE_SPLIT_READ_SLOT(s->r.code)];
            if (push) stack[BAILEY_BRIDGE_SPLIT_WRITE_SLOT(s->r.code)] = 2 * (int)k + (push == 2);
        } else {
            s->a = built[s->r.left];
            s->b = built[s->r.right];
            built[s->r.a] = (int)k;
        }
    }
    bly_free(built);
    for (uint32_t k = job->steps; k-- > 1;) w->steps[parent_of(w, k)].size += w->steps[k].size;
    return BAILEY_OK;
}

/* The step's points or parts that go to memory: rows of X, 0 to 2 of them. */
static uint32_t outputs_of(const struct bly_writer *w, uint32_t k, uint32_t rows[2])
{
    const struct bly_record *r = &w->steps[k].r;
    uint32_t count = 0;
    if (!w->increments) {
        rows[count++] = r->a - 1;
    } else if (k == 0) {
        if (w->job->steps == 1) rows[count++] = 0;
    } else {
        if (BAILEY_BRIDGE_SPLIT_LEFT_DONE(r->code)) rows[count++] = r->a;
        if (BAILEY_BRIDGE_SPLIT_RIGHT_DONE(r->code)) rows[count++] = r->b;
    }
    return count;
}

/* Path-major: gives every row of X a place in the tile. From memory, it is that of a row of Z that has been
 * used; there are always enough, as a step makes one point, and k splits have made at most k + 1 parts. A
 * fixed end has one row fewer of Z, and the tile one row more. */
static bailey_status assign_places(struct bly_writer *w)
{
    const uint32_t steps = w->job->steps;
    uint32_t *vacant = bly_alloc(steps, sizeof *vacant), count = 0;
    w->places = bly_alloc(steps, sizeof *w->places);
    if (!vacant || !w->places) {
        bly_free(vacant);
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge's program");
    }
    for (uint32_t k = 0; k < steps; k++) {
        uint32_t rows[2];
        const uint32_t outputs = outputs_of(w, k, rows);
        if (!w->job->draw) vacant[count++] = bly_step_draws(w, k) ? w->steps[k].r.z : steps - 1;
        for (uint32_t i = 0; i < outputs; i++) {
            w->steps[k].tile_rows[i] = w->job->draw ? rows[i] : vacant[--count];
            w->places[rows[i]] = (uint16_t)w->steps[k].tile_rows[i];
        }
    }
    bly_free(vacant);
    return BAILEY_OK;
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static uint32_t key_of(const struct bly_writer *w, uint32_t first, uint32_t i)
{
    const struct bly_step *s = &w->steps[first + i];
    const int from = w->increments ? 2 * (int)first : (int)first;
    const int a = bly_step_relative(w, first, s->a),
              b = w->increments ? BLY_OUTER_LEFT : bly_step_relative(w, first, s->b);
    uint32_t key = (uint32_t)(a < 0 ? -a : a - from + 3) | (uint32_t)(b < 0 ? -b : b - from + 3) << 8;
    if (w->increments)
        key |= BAILEY_BRIDGE_SPLIT_LEFT_DONE(s->r.code) << 16 | BAILEY_BRIDGE_SPLIT_RIGHT_DONE(s->r.code)
                                                                    << 17;
    return key;
}

static int same_shape(const struct bly_writer *w, const struct bly_shape *shape, uint32_t first,
                      uint32_t count)
{
    if (shape->count != count) return 0;
    for (uint32_t i = 0; i < count; i++)
        if (key_of(w, shape->first, i) != key_of(w, first, i)) return 0;
    return 1;
}

/* Steps of the block that begins with step k: its subtree if that is small, or a sequence in which every step
 * has one child (as in the incremental order); 1 if there is none worth its code. */
static uint32_t block_at(const struct bly_writer *w, uint32_t k)
{
    if (w->steps[k].size <= MOST_BLOCK) return w->steps[k].size >= LEAST_BLOCK ? w->steps[k].size : 1;
    uint32_t count = 1;
    while (count < MOST_BLOCK / 2 && w->steps[k + count].size > MOST_BLOCK &&
           w->steps[k + count - 1].size == w->steps[k + count].size + 1)
        count++;
    return count >= 2 * LEAST_BLOCK && !w->increments ? count : 1;
}

static struct bly_shape *find_shape(const struct bly_writer *w, struct bly_shape *shapes, uint32_t count,
                                    uint32_t k, uint32_t length)
{
    for (uint32_t i = 0; i < count; i++)
        if (same_shape(w, &shapes[i], k, length)) return &shapes[i];
    return NULL;
}

/* Finds the shapes that cover most of the plan and numbers them. Returns the steps covered. */
static uint64_t choose_shapes(const struct bly_writer *w, struct bly_shape *shapes, uint32_t *count)
{
    *count = 0;
    for (uint32_t k = 1, length; k < w->job->steps; k += length) {
        length = block_at(w, k);
        if (length == 1) continue;
        struct bly_shape *shape = find_shape(w, shapes, *count, k, length);
        if (!shape && *count < MOST_CANDIDATES) {
            shape = &shapes[(*count)++];
            *shape = (struct bly_shape){.first = k, .count = length};
        }
        if (shape) shape->covered += length;
    }
    uint64_t covered = 0;
    for (uint32_t number = 1; number <= MOST_SHAPES; number++) {
        struct bly_shape *best = NULL;
        for (uint32_t i = 0; i < *count; i++)
            if (!shapes[i].number && (!best || shapes[i].covered > best->covered)) best = &shapes[i];
        if (!best) break;
        best->number = number;
        covered += best->covered;
    }
    return covered;
}

/* Records whose codes are for the loop: bits 0-2 and 3-5 say where the neighbours or the gap are (in the
 * registers of a single step before, or read back), the bits from 8 the shape's number. */
#define FROM_BACK 3u

static uint32_t source_after(const struct bly_writer *w, uint32_t k, int value)
{
    const struct bly_step *before = &w->steps[k - 1];
    if (w->increments)
        return value == 2 * (int)(k - 1)       ? BAILEY_BRIDGE_FROM_LEFT
               : value == 2 * (int)(k - 1) + 1 ? BAILEY_BRIDGE_FROM_RIGHT
                                               : FROM_BACK;
    return value == BLY_OUTER_LEFT ? BAILEY_BRIDGE_FROM_START
           : value == before->a    ? BAILEY_BRIDGE_FROM_LEFT
           : value == before->b    ? BAILEY_BRIDGE_FROM_RIGHT
           : value == (int)(k - 1) ? BAILEY_BRIDGE_FROM_BUILT
                                   : FROM_BACK;
}

static void code_records(const struct bly_writer *w, struct bly_shape *shapes, uint32_t shape_count,
                         void *records)
{
    int single = 1; /* the step before was one */
    for (uint32_t k = 0, length; k < w->job->steps; k += length) {
        struct bly_shape *shape = NULL;
        length = k == 0 ? 1 : block_at(w, k);
        if (length > 1) shape = find_shape(w, shapes, shape_count, k, length);
        if (shape && !shape->number) shape = NULL;
        if (!shape) length = 1;
        uint32_t code = BAILEY_BRIDGE_FROM_START | BAILEY_BRIDGE_FROM_START << 3;
        if (k > 0) {
            uint32_t a = source_after(w, k, w->steps[k].a),
                     b = w->increments ? 0 : source_after(w, k, w->steps[k].b);
            if (!single && a != BAILEY_BRIDGE_FROM_START) a = FROM_BACK;
            if (!single && b != BAILEY_BRIDGE_FROM_START) b = FROM_BACK;
            code = a | b << 3;
        }
        bly_record_write_code(w->job, records, k, code | (shape ? shape->number : 0) << 8);
        single = !shape;
    }
}

/* ---- Programs -------------------------------------------------------------------------------- */

/* Whether several items may make the dims of a path. */
static int is_divisible(const struct bly_bridge_job *job)
{
    return job->strategy == BAILEY_BRIDGE_STRATEGY_SPECIALISED && job->layout == BAILEY_LAYOUT_STEP_MAJOR;
}

/* Paths an item: whole vectors where the values of a few points fit the registers; drawn, a generator block.
 */
static uint32_t width_of(const struct bly_bridge_job *job, int f64)
{
    const uint32_t block = f64 ? 2 : 4;
    if (job->draw) return block;
    if (!job->whole || job->layout == BAILEY_LAYOUT_PATH_MAJOR) return 1;
    return job->dims <= 2 ? block : job->dims <= WHOLE_DIMS || is_divisible(job) ? block / 2 : 1;
}

/* Above some dims, items share them out. Dims part, part + parts, ... are an item's, so that each has about
 * the same number of products to add up. */
static void divide(struct bly_writer *w)
{
    const uint32_t dims = w->job->dims, bytes = w->width * (w->f64 ? 8 : 4);
    w->parts = 1;
    if (dims > WHOLE_DIMS && is_divisible(w->job)) {
        const uint32_t most = DIVIDED_BYTES / bytes;
        w->parts = (dims + most - 1) / most;
        if (w->parts > MOST_PARTS) w->parts = MOST_PARTS;
    }
    w->dims = (dims + w->parts - 1) / w->parts;
    w->parts = (dims + w->dims - 1) / w->dims;
    w->exchanges = w->parts > 1 && w->job->correlated && !w->job->transfer;
}

/* Elements from path to path of the tile, as kernels/bridge_code.h has it. */
static uint64_t pitch_of(const struct bly_writer *w)
{
    return w->vectors ? (w->tile_rows / w->elements | 1) * w->elements : w->tile_rows | 1;
}

/* The shared bytes of a group that makes the paths of `lanes` items. */
static uint64_t bytes_of(const struct bly_writer *w, uint32_t lanes)
{
    const uint32_t element = w->f64 ? 8 : 4, dims = w->job->dims;
    const uint64_t paths = (uint64_t)lanes * w->width;
    uint64_t bytes = paths * w->stash * (w->exchanges ? 2 : 1) * dims * element;
    if (w->exchanges) bytes += BLY_FACTOR_SIZE(dims, w->parts, w->dims) * element;
    if (w->tile) bytes += paths * pitch_of(w) * element + (w->vectors ? 0 : 2 * (uint64_t)w->job->steps);
    return bytes < 16 ? 16 : (bytes + 15) / 16 * 16;
}

/* On CPU devices, which take minutes over a loop around straight-line code, a group is one item, or all that
 * share a path. Elsewhere chooses items per group so that several groups share a multiprocessor's memory, or
 * at least one fits. Returns the bytes of a group, 0 if they are too many. */
static uint32_t shared_bytes(struct bly_writer *w, uint32_t limit)
{
    const uint32_t least = w->job->gpu ? LEAST_ITEMS : 1,
                   wanted = w->exchanges ? DIVIDED_SHARED : GOOD_SHARED;
    const uint32_t good = limit < wanted ? limit : wanted;
    uint32_t lanes = !w->job->gpu ? 1 : w->tile ? TILE_ITEMS : w->parts > 1 ? DIVIDED_ITEMS : MOST_ITEMS;
    while (w->exchanges && w->stash > 1 && bytes_of(w, lanes) > good) w->stash /= 2;
    while (lanes > least && (bytes_of(w, lanes) > good || !bly_job_takes_group(w->job, lanes * w->parts)))
        lanes /= 2;
    w->block = lanes * w->parts;
    return bytes_of(w, lanes) <= limit ? (uint32_t)bytes_of(w, lanes) : 0;
}

/* As bailey/device/lang/icdf_copies.h has it. */
uint32_t bly_copies_bytes(const struct bly_copies_tuning *copies, int f64)
{
    const uint32_t hot = copies->octaves * (f64 ? 32 : 16), more = (copies->copies - 1) * hot;
    if (!f64 && hot > BAILEY_ICDF_ROWS_F32) return 16 * copies->copies * BAILEY_ICDF_SIGNED_ROWS_F32;
    if (!f64) return 16 * (BAILEY_ICDF_ROWS_F32 + more);
    return 64 * ((copies->cold ? BAILEY_ICDF_ROWS_F64 : hot) + more + 2);
}

/* Registers that an item needs in addition to those of draws, by its values. */
static uint32_t registers_of(const struct bly_writer *w)
{
    return (w->job->slots + 3) * w->width * w->job->dims * (w->f64 ? 2 : 1) + 40;
}

/* Where the table is copied: fewer items for a unit if they need more than its 65,536 registers, and rows of
 * the stash for the memory that the copies leave. Returns the bytes of a group, 0 if they are too many. */
static uint32_t copying_bytes(struct bly_writer *w, uint32_t limit)
{
    const struct bly_copies_tuning *copies = w->job->copies;
    const uint32_t most = copies->shared_bytes < limit ? copies->shared_bytes : limit,
                   table = bly_copies_bytes(copies, w->f64), row = w->width * w->job->dims * (w->f64 ? 8 : 4);
    w->block = w->job->gpu ? copies->items : 1;
    w->groups = copies->groups;
    while (w->groups > 1 && w->groups * copies->items * (registers_of(w) - 20) > 65536) w->groups--;
    while (w->block > 64 && w->block * (registers_of(w) - 20) > 65536) w->block /= 2;
    if (table + (w->stash ? w->block * row : 0) > most || !bly_job_takes_group(w->job, w->block)) return 0;
    const uint32_t rows = (most - table) / (w->block * row);
    if (w->stash > rows) w->stash = rows;
    return table + w->stash * w->block * row;
}

static bailey_status check(const struct bly_bridge_job *job)
{
    if (job->dims > MOST_DIMS && !is_divisible(job))
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "strategy %s: dims is %u; at most %u fit the registers",
                        bailey_bridge_strategy_name(job->strategy), job->dims, MOST_DIMS);
    if (job->strategy == BAILEY_BRIDGE_STRATEGY_SPECIALISED && job->steps > MOST_STEPS)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                        "strategy specialised: steps is %u; the maximum is %u; strategy blocks has no limit",
                        job->steps, MOST_STEPS);
    if (job->copies && job->dims > WHOLE_DIMS && is_divisible(job))
        return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                        "strategy specialised: items that share %u dims do not copy the table", job->dims);
    if (job->strategy == BAILEY_BRIDGE_STRATEGY_BLOCKS && job->layout == BAILEY_LAYOUT_PATH_MAJOR)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "strategy blocks: only for step-major arrays");
    if (job->transfer && (job->strategy != BAILEY_BRIDGE_STRATEGY_SPECIALISED || job->fixed_end ||
                          job->output == BAILEY_BRIDGE_OUTPUT_INCREMENTS))
        return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                        "a transfer needs the strategy specialised, paths and a free end");
    return BAILEY_OK;
}

bailey_status bly_specialised_program(const struct bly_bridge_job *job, struct bly_bridge_program *program)
{
    struct bly_writer writer = {.job = job,
                                .f64 = job->precision == BAILEY_PRECISION_F64,
                                .increments = job->output == BAILEY_BRIDGE_OUTPUT_INCREMENTS,
                                .tile = job->layout == BAILEY_LAYOUT_PATH_MAJOR};
    struct bly_writer *w = &writer;
    struct bly_shape *shapes = NULL;
    memset(program, 0, sizeof *program);
    bailey_status status = check(job);
    if (status != BAILEY_OK) return status;
    w->width = width_of(job, w->f64);
    divide(w);
    w->tile_rows = w->tile ? job->steps * job->dims : 0;
    w->elements = w->f64 ? 2 : 4;
    /* From memory, all of a path's Z is in registers at first. */
    w->vectors = w->tile && w->tile_rows % w->elements == 0 &&
                 (job->draw || (!job->fixed_end && w->tile_rows * (w->f64 ? 2 : 1) <= MOST_REGISTERS));
    if ((job->draw && !job->in_line) || w->exchanges) {
        w->stash = job->draw ? STASH_BYTES / (w->width * w->dims * (w->f64 ? 8 : 4)) : DIVIDED_STEPS;
        if (w->stash < 1) w->stash = 1;
        if (w->stash > job->steps) w->stash = job->steps;
    }
    program->shared_bytes =
        job->copies ? copying_bytes(w, job->shared_limit) : shared_bytes(w, job->shared_limit);
    if (!program->shared_bytes)
        return bly_fail(
            BAILEY_ERROR_UNSUPPORTED,
            "strategy %s: %u steps of %u dims do not fit into the %u bytes that a group may share",
            bailey_bridge_strategy_name(job->strategy), job->steps, job->dims, job->shared_limit);
    program->block = w->block;
    program->paths = w->width;
    program->team = w->parts;

    status = read_plan(w);
    if (status == BAILEY_OK && w->tile && !w->vectors) status = assign_places(w);
    w->made = w->vectors ? bly_alloc(w->tile_rows, 1) : NULL;
    if (w->vectors && !w->made)
        status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge's program");
    if (status == BAILEY_OK) {
        bly_write_head(w);
        if (job->strategy == BAILEY_BRIDGE_STRATEGY_SPECIALISED) {
            bly_write_specialised(w);
        } else {
            uint32_t count = 0;
            shapes = bly_alloc(MOST_CANDIDATES, sizeof *shapes);
            program->records_bytes = job->steps * bly_record_bytes(job);
            program->records = bly_alloc(job->steps, bly_record_bytes(job));
            if (shapes && program->records) {
                memcpy(program->records, job->records, program->records_bytes);
                choose_shapes(w, shapes, &count);
                code_records(w, shapes, count, program->records);
                bly_write_blocks(w, shapes, count);
            } else {
                status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge's program");
            }
        }
        if (status == BAILEY_OK && w->text.failed)
            status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge's program");
    }
    bly_free(shapes);
    bly_free(w->steps);
    bly_free(w->places);
    bly_free(w->made);
    program->source = w->text.data;
    if (status != BAILEY_OK) {
        bly_free(program->source);
        bly_free(program->records);
        memset(program, 0, sizeof *program);
    }
    return status;
}

/* A row's instructions are what NVRTC 13.0 makes of one for compute capability 9.0, drawn and built: 108 and
 * 120 with Philox of 7 and 10 rounds; from points 114, 96 and 116, with the hash up to 60 more. */
uint64_t bly_in_line_code(const struct bly_bridge_job *job)
{
    if (job->strategy != BAILEY_BRIDGE_STRATEGY_SPECIALISED || job->dims > WHOLE_DIMS) return UINT64_MAX;
    const int f64 = job->precision == BAILEY_PRECISION_F64;
    const uint64_t rows = (uint64_t)(job->steps - !!job->fixed_end) * job->dims, width = f64 ? 2 : 4;
    uint64_t row = 80 + 4 * job->rounds;
    if (job->points) row = job->points == 64 ? 116 : f64 ? 96 : 114;
    if (job->owen) row += width * (job->points == 64 ? 30 : 10);
    if (job->correlated) row += width * (job->dims - 1) / 2;
    return rows * row;
}

bailey_status bly_blocks_coverage(const struct bly_bridge_job *job, double *covered)
{
    struct bly_writer w = {.job = job, .increments = job->output == BAILEY_BRIDGE_OUTPUT_INCREMENTS};
    struct bly_shape *shapes = bly_alloc(MOST_CANDIDATES, sizeof *shapes);
    uint32_t count;
    bailey_status status =
        shapes ? read_plan(&w) : bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge's program");
    if (status == BAILEY_OK) *covered = (double)choose_shapes(&w, shapes, &count) / job->steps;
    bly_free(shapes);
    bly_free(w.steps);
    return status;
}
