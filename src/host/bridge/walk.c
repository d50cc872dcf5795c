/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Strategies 1 to 6 of du Toit (NAG 2011, sections 3 to 7), as programs: chooses among the parts of
 * kernels/bridge_walk.h, and makes the execution strategies of those that keep everything on the stack.
 */
#include "bridge_job.h"

#include <base/alloc.h>
#include <base/text.h>
#include <host/internal.h>

#include <kernels/bridges.h>

#include <math.h>
#include <string.h>

/* What OpenCL and CUDA promise of constant memory. */
#define CONSTANT_LIMIT 65536u

/* Bytes that a group may share when there are smaller groups; of more, too few groups run at once. */
#define GOOD_SHARED 49152u

#define BLOCK 128u      /* items per group, where memory allows */
#define BLOCK_LEAST 32u /* a warp */
#define TEAM_BLOCK 512u /* items per group at most, where they cooperate */

/* Normals fetched ahead: the optimum of section 5.1. An item that makes several dimensions fetches the
 * normals of as many steps as make about so many; above so many dimensions, none, as they would not stay in
 * registers. */
#define NORMALS_AHEAD 8u
#define SECTION 64u /* records that SHARED copies at a time; a multiple of NORMALS_AHEAD */

#define NEVER UINT32_MAX

/* ---- Text ------------------------------------------------------------------------------------ */

/* A floating-point literal with exactly the value of `x`. Not %a, whose point is the locale's. */
static void add_real(struct bly_text *text, double x, int f64)
{
    int exponent;
    const double mantissa = ldexp(frexp(fabs(x), &exponent), 53);
    bly_text_add(text, "%s0x%llxp%d%s", signbit(x) ? "-" : "", (unsigned long long)mantissa,
                 x == 0 ? 0 : exponent - 53, f64 ? "" : "f");
}

static const char *separator(uint32_t i) { return i % 8 == 7 ? ",\n    " : ", "; }

/* ---- Execution strategies -------------------------------------------------------------------- */

/* Slots in use; `most` is how many there ever were. */
struct slots {
    uint64_t used;
    uint32_t most;
};

/* The lowest free slot. A plan needs far fewer than 64: those of the plan's walk, at most
 * BAILEY_BRIDGE_MAX_SLOTS, and in this one a slot for t0, one each for the three points that the plan's walk
 * has in registers, and one for values that are not read. */
static uint32_t take(struct slots *slots)
{
    uint32_t slot = 0;
    while (slot < 63 && slots->used >> slot & 1) slot++;
    slots->used |= UINT64_C(1) << slot;
    if (slots->most <= slot) slots->most = slot + 1;
    return slot;
}

static void put_back(struct slots *slots, uint32_t slot) { slots->used &= ~(UINT64_C(1) << slot); }

/* Writes the codes of kernels/bridge_walk.h for walks without reuse into `records`, a copy of the plan's.
 * A slot is free again after its last read. `last_read` and `slot` have room for each point. */
static void assign_steps(const struct bly_bridge_job *job, void *records, uint32_t *last_read, uint8_t *slot,
                         struct slots *slots)
{
    for (uint32_t point = 0; point <= job->steps; point++) last_read[point] = NEVER;
    for (uint32_t k = job->fixed_end ? 1 : 0; k < job->steps; k++) {
        const struct bly_record r = bly_record_read(job, k);
        last_read[r.left] = last_read[r.right] = k;
    }
    slot[0] = (uint8_t)take(slots);
    for (uint32_t k = 0; k < job->steps; k++) {
        const struct bly_record r = bly_record_read(job, k);
        const uint32_t left = slot[r.left], right = slot[r.right];
        if (last_read[r.left] == k) put_back(slots, left);
        if (last_read[r.right] == k) put_back(slots, right);
        const uint32_t written = take(slots);
        slot[r.a] = (uint8_t)written;
        if (last_read[r.a] == NEVER) put_back(slots, written);
        bly_record_write_code(job, records, k,
                              BAILEY_BRIDGE_FROM_STACK | BAILEY_BRIDGE_FROM_STACK << 3 | left << 8 |
                                  right << 16 | written << 24);
    }
}

/* The same for splits: `slot` is indexed by the point at a gap's low end. */
static void assign_splits(const struct bly_bridge_job *job, void *records, uint8_t *slot, struct slots *slots)
{
    slot[0] = (uint8_t)take(slots);
    for (uint32_t k = 0; k < job->steps; k++) {
        const struct bly_record r = bly_record_read(job, k);
        const uint32_t read = slot[r.a];
        const int left_done = k == 0 ? job->steps == 1 : (int)BAILEY_BRIDGE_SPLIT_LEFT_DONE(r.code);
        const int right_done = k == 0 ? 0 : (int)BAILEY_BRIDGE_SPLIT_RIGHT_DONE(r.code);
        put_back(slots, read);
        const uint32_t left = take(slots), right = take(slots);
        slot[r.a] = (uint8_t)left;
        if (k > 0) slot[r.b] = (uint8_t)right;
        if (left_done) put_back(slots, left);
        if (right_done || k == 0) put_back(slots, right); /* the root has no right part */
        bly_record_write_code(job, records, k,
                              BAILEY_BRIDGE_SPLIT_STACK | (uint32_t)left_done << 4 |
                                  (uint32_t)right_done << 5 | read << 8 | left << 16 | right << 24);
    }
}

/* Makes the records of a walk without reuse. Returns NULL when there is no memory. */
static void *assign(const struct bly_bridge_job *job, uint32_t *slots_used)
{
    struct slots slots = {0, 0};
    void *records = bly_alloc(job->steps, bly_record_bytes(job));
    uint32_t *last_read = bly_alloc((size_t)job->steps + 1, sizeof *last_read);
    uint8_t *slot = bly_alloc((size_t)job->steps + 1, sizeof *slot);
    if (records && last_read && slot) {
        memcpy(records, job->records, job->steps * bly_record_bytes(job));
        if (job->output == BAILEY_BRIDGE_OUTPUT_INCREMENTS)
            assign_splits(job, records, slot, &slots);
        else
            assign_steps(job, records, last_read, slot, &slots);
        *slots_used = slots.most;
    } else {
        bly_free(records);
        records = NULL;
    }
    bly_free(last_read);
    bly_free(slot);
    return records;
}

/* ---- Constant memory ------------------------------------------------------------------------- */

/* The columns of integers; SLOT_n is the slot in bits n .. n + 7 of the code. */
enum column { Z, A, B, SLOT_8, SLOT_16, SLOT_24 };

static void add_column(struct bly_text *text, const struct bly_bridge_job *job, const char *type,
                       const char *name, enum column column)
{
    const int increments = job->output == BAILEY_BRIDGE_OUTPUT_INCREMENTS;
    bly_text_add(text, "BAILEY_CONSTANT %s %s[] = {\n    ", type, name);
    for (uint32_t k = 0; k < job->steps; k++) {
        const struct bly_record r = bly_record_read(job, k);
        uint32_t value = 0;
        switch (column) {
        case Z: value = r.z; break;
        case A: value = r.a; break;
        case B: value = r.b; break;
        case SLOT_8: value = r.code >> 8 & 255; break;
        case SLOT_16:
            value = r.code >> 16 & 255;
            if (increments) value |= BAILEY_BRIDGE_SPLIT_LEFT_DONE(r.code) << 7;
            break;
        case SLOT_24:
            value = r.code >> 24;
            if (increments) value |= BAILEY_BRIDGE_SPLIT_RIGHT_DONE(r.code) << 7;
            break;
        }
        bly_text_add(text, "%lu%s", (unsigned long)value, separator(k));
    }
    bly_text_add(text, "};\n");
}

static void add_real_column(struct bly_text *text, const struct bly_bridge_job *job, const char *name,
                            int column)
{
    const int f64 = job->precision == BAILEY_PRECISION_F64;
    bly_text_add(text, "BAILEY_CONSTANT %s %s[] = {\n    ", f64 ? "double" : "float", name);
    for (uint32_t k = 0; k < job->steps; k++) {
        add_real(text, bly_record_read(job, k).real[column], f64);
        bly_text_add(text, "%s", separator(k));
    }
    bly_text_add(text, "};\n");
}

static void add_records(struct bly_text *text, const struct bly_bridge_job *job)
{
    add_column(text, job, "unsigned short", "bly_walk_z", Z);
    if (job->output == BAILEY_BRIDGE_OUTPUT_INCREMENTS) {
        add_column(text, job, "unsigned short", "bly_walk_gap", A);
        add_column(text, job, "unsigned short", "bly_walk_node", B);
        add_column(text, job, "unsigned char", "bly_walk_read_slot", SLOT_8);
        add_column(text, job, "unsigned char", "bly_walk_left_slot", SLOT_16);
        add_column(text, job, "unsigned char", "bly_walk_right_slot", SLOT_24);
        add_real_column(text, job, "bly_walk_left_weight", 0);
        add_real_column(text, job, "bly_walk_right_weight", 1);
        add_real_column(text, job, "bly_walk_left_sigma", 2);
        add_real_column(text, job, "bly_walk_right_sigma", 3);
    } else {
        add_column(text, job, "unsigned short", "bly_walk_x", A);
        add_column(text, job, "unsigned char", "bly_walk_left_slot", SLOT_8);
        add_column(text, job, "unsigned char", "bly_walk_right_slot", SLOT_16);
        add_column(text, job, "unsigned char", "bly_walk_write_slot", SLOT_24);
        add_real_column(text, job, "bly_walk_left_weight", 0);
        add_real_column(text, job, "bly_walk_right_weight", 1);
        add_real_column(text, job, "bly_walk_sigma", 2);
    }
}

static uint32_t constants_count(const struct bly_bridge_job *job)
{
    return job->dims * (job->correlated ? 2 + job->dims : 2);
}

static void add_constants(struct bly_text *text, const struct bly_bridge_job *job)
{
    const int f64 = job->precision == BAILEY_PRECISION_F64;
    bly_text_add(text, "BAILEY_CONSTANT %s bly_walk_constants[] = {\n    ", f64 ? "double" : "float");
    for (uint32_t i = 0; i < constants_count(job); i++) {
        add_real(text, f64 ? ((const double *)job->constants)[i] : ((const float *)job->constants)[i], f64);
        bly_text_add(text, "%s", separator(i));
    }
    bly_text_add(text, "};\n");
}

/* Bytes of what add_records and add_constants write. */
static uint64_t constant_bytes(const struct bly_bridge_job *job, int records, int constants)
{
    const uint32_t element = (uint32_t)bly_element_bytes(job->precision);
    const uint32_t a_step =
        job->output == BAILEY_BRIDGE_OUTPUT_INCREMENTS ? 9 + 4 * element : 7 + 3 * element;
    return (records ? (uint64_t)job->steps * a_step : 0) + (constants ? constants_count(job) * element : 0);
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

/* The choices of kernels/bridge_walk.h, by the names there. */
struct shape {
    uint32_t paths, team, slots, reuse, stack, records, constants, ahead, look;
    uint32_t block, shared_bytes;
};

/* Bytes that a group of `block` items shares: records, then the stack; or the Z of a step. */
static uint32_t shared_bytes(const struct bly_bridge_job *job, const struct shape *shape, uint32_t block)
{
    const uint32_t value = shape->paths * (uint32_t)bly_element_bytes(job->precision);
    uint32_t bytes = 0;
    if (shape->team && job->correlated) bytes += block * value;
    if (shape->records == 1)
        bytes += (SECTION + shape->ahead + shape->look) * (uint32_t)bly_record_bytes(job);
    if (shape->stack == 1) bytes += shape->slots * job->dims * block * value;
    return bytes;
}

static bailey_status choose(const struct bly_bridge_job *job, struct shape *shape)
{
    const uint32_t d = job->dims, block_normals = (uint32_t)bly_block_elements(job->precision);
    const bailey_bridge_strategy strategy = job->strategy;
    const uint32_t good = job->shared_limit < GOOD_SHARED ? job->shared_limit : GOOD_SHARED;
    const int first_three = strategy <= BAILEY_BRIDGE_STRATEGY_PREFETCH;
    const int on_chip =
        strategy == BAILEY_BRIDGE_STRATEGY_SHARED || strategy == BAILEY_BRIDGE_STRATEGY_REUSE_PREFETCH;
    shape->reuse =
        strategy == BAILEY_BRIDGE_STRATEGY_REUSE || strategy == BAILEY_BRIDGE_STRATEGY_REUSE_PREFETCH;
    shape->records = first_three ? 0 : strategy == BAILEY_BRIDGE_STRATEGY_SHARED ? 1 : 2;
    shape->stack = on_chip;
    shape->look = strategy == BAILEY_BRIDGE_STRATEGY_SHARED           ? 2
                  : strategy == BAILEY_BRIDGE_STRATEGY_REUSE_PREFETCH ? 1
                                                                      : 0;
    shape->constants = first_three || (strategy == BAILEY_BRIDGE_STRATEGY_SHARED && job->correlated && d > 8);

    /* Drawn normals come a generator block at a time and are never waited for: the strategies that are
     * worth drawing in take whole blocks, the others keep to the paper's shape, and none fetches ahead. */
    shape->paths =
        strategy == BAILEY_BRIDGE_STRATEGY_VECTOR || (job->draw && shape->reuse) ? block_normals : 1;
    if (!job->draw && strategy == BAILEY_BRIDGE_STRATEGY_PREFETCH) shape->ahead = NORMALS_AHEAD;
    if (!job->draw && on_chip && d <= NORMALS_AHEAD) {
        shape->ahead = 1; /* a power of two, so that a section holds whole rings */
        while (2 * shape->ahead * d <= NORMALS_AHEAD) shape->ahead *= 2;
    }

    shape->block = BLOCK;
    if (first_three && d > 1) {
        /* Whole warps of one dimension, as long as a group does not grow too large for them. */
        shape->team = d == 2 ? 64 : 32;
        while (shape->team * d > TEAM_BLOCK ||
               (shape->team > 1 && !bly_job_takes_group(job, shape->team * d)))
            shape->team /= 2;
        shape->block = shape->team * d;
    }
    while (!shape->team && !bly_job_takes_group(job, shape->block)) shape->block /= 2;
    while (shape->block > BLOCK_LEAST && shape->stack == 1 && shared_bytes(job, shape, shape->block) > good)
        shape->block /= 2;
    if (shape->stack == 1 && shape->paths > 1 && shared_bytes(job, shape, shape->block) > good)
        shape->paths = 1;
    shape->shared_bytes = shared_bytes(job, shape, shape->block);
    if (shape->shared_bytes > job->shared_limit)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                        "strategy %s: groups of %u items with %u stack slots of %u dims need %u bytes of "
                        "shared memory; the device has %u",
                        bailey_bridge_strategy_name(strategy), (unsigned)shape->block, (unsigned)shape->slots,
                        (unsigned)d, (unsigned)shape->shared_bytes, (unsigned)job->shared_limit);
    const uint64_t bytes = constant_bytes(job, shape->records == 0, (int)shape->constants);
    if (bytes > CONSTANT_LIMIT)
        return bly_fail(
            BAILEY_ERROR_UNSUPPORTED,
            "strategy %s: %u steps of %u dims need %llu bytes of constant memory; the maximum is %u",
            bailey_bridge_strategy_name(strategy), (unsigned)job->steps, (unsigned)d,
            (unsigned long long)bytes, CONSTANT_LIMIT);
    return BAILEY_OK;
}

/* ---- Programs -------------------------------------------------------------------------------- */

static void add_program(struct bly_text *text, const struct bly_bridge_job *job, const struct shape *shape)
{
    const struct {
        const char *name;
        uint32_t value;
    } macros[] = {{"F64", job->precision == BAILEY_PRECISION_F64},
                  {"INCREMENTS", job->output == BAILEY_BRIDGE_OUTPUT_INCREMENTS},
                  {"DIMS", job->dims},
                  {"FIXED_END", job->fixed_end != 0},
                  {"CORRELATED", job->correlated != 0},
                  {"PATHS", shape->paths},
                  {"TEAM", shape->team},
                  {"SLOTS", shape->slots},
                  {"REUSE", shape->reuse},
                  {"STACK", shape->stack},
                  {"RECORDS", shape->records},
                  {"CONSTANTS", shape->constants},
                  {"AHEAD", shape->ahead},
                  {"LOOK", shape->look},
                  {"SECTION", SECTION}};
    bly_text_add(text, "#include \"kernels/group_entry.h\"\n");
    for (size_t i = 0; i < sizeof macros / sizeof *macros; i++)
        bly_text_add(text, "#define BLY_WALK_%s %u\n", macros[i].name, (unsigned)macros[i].value);
    bly_text_add(text, "#define BLY_WALK_DRAW %s\n", job->draw ? job->draw : "BLY_DRAW_NONE");
    if (job->draw) bly_text_add(text, "#define BLY_ROUNDS %u\n", (unsigned)job->rounds);
    if (shape->records == 0) add_records(text, job);
    if (shape->constants) add_constants(text, job);
    bly_text_add(text, "#include \"kernels/bridge_walk.h\"\n");
}

bailey_status bly_walk_program(const struct bly_bridge_job *job, struct bly_bridge_program *program)
{
    struct shape shape = {.slots = job->slots ? job->slots : 1};
    struct bly_bridge_job own = *job; /* with its own records where it has its own */
    struct bly_text text = {0};
    void *records = NULL;
    memset(program, 0, sizeof *program);
    if (job->transfer)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "strategy %s has no transfer without arithmetic",
                        bailey_bridge_strategy_name(job->strategy));
    if (job->strategy < BAILEY_BRIDGE_STRATEGY_SHARED && job->miscompiles)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "strategy %s: %s compiles it to wrong values",
                        bailey_bridge_strategy_name(job->strategy), job->miscompiles);
    if (job->strategy < BAILEY_BRIDGE_STRATEGY_REUSE) {
        own.records = records = assign(job, &shape.slots);
        if (!records) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge program");
    }
    bailey_status status = choose(&own, &shape);
    if (status == BAILEY_OK) {
        add_program(&text, &own, &shape);
        if (text.failed) status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bridge program");
    }
    if (status != BAILEY_OK) {
        bly_free(text.data);
        bly_free(records);
        return status;
    }
    program->source = text.data;
    program->block = shape.block;
    program->shared_bytes = shape.shared_bytes;
    program->paths = shape.paths;
    program->team = shape.team ? job->dims : 1;
    if (shape.records == 1) {
        program->records = records;
        program->records_bytes = job->steps * bly_record_bytes(job);
    } else {
        bly_free(records);
    }
    return BAILEY_OK;
}
