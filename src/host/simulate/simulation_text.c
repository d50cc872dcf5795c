/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Writes the text of a simulation's program: the macros that kernels/simulation_code.h reads, the structures
 * that the payoff declares, the payoff itself and, on GPUs, the walk of a short bridge as straight-line code.
 */
#include "simulation_internal.h"

#include <base/alloc.h>
#include <host/bridge/plan.h>
#include <kernels/simulation_nodes.h>

#include <stdio.h>

#define LANES 64u          /* paths of an item on processors */
#define LEAST_LANES 8u     /* where code without branches pays */
#define LANE_BYTES 131072u /* of all that they keep, on the thread's stack */
#define UNROLLED_SCENARIOS 16u
#define STRAIGHT_VALUES 128u /* steps x dims up to which a bridge is straight-line code */

#define MEETS 16u     /* rows of derivatives that meet at once */
#define KEPT_MEETS 8u /* of regressions */

#define WRITE(...) bly_text_add(text, __VA_ARGS__)

static int is_f64(const bailey_simulation *s) { return s->precision == BAILEY_PRECISION_F64; }

int bly_simulation_is_straight(const bailey_simulation *s)
{
    return s->walk == BLY_WALK_TREE && bly_simulation_draws(s) && s->steps * s->dims <= STRAIGHT_VALUES;
}

const struct bly_copies_tuning *bly_simulation_copies(const bailey_simulation *s,
                                                      const struct bly_simulation_variant *v)
{
    const struct bly_device *device = s->context->device;
    const int f64 = s->precision == BAILEY_PRECISION_F64;
    const int straight = bly_simulation_is_straight(s) && v->scenarios == 1;
    const struct bly_copies_tuning *copies =
        s->segment ? bly_simulation_segment_copies(s) : &device->tuning->simulation[straight][f64];
    const int inverse = v->draw == BLY_DRAW_icdf_f32 || v->draw == BLY_DRAW_icdf_f64 || v->points;
    if (v->points == 64 && !f64) return NULL; /* they have no such rows */
    if (!copies || s->segment) return inverse ? copies : NULL;
    const int fits = copies->items && copies->shared_bytes <= device->shared_bytes &&
                     copies->items == bly_group_items(device, copies->items);
    return inverse && fits && device->tuned ? copies : NULL;
}

static int is_straight(const bailey_simulation *s, const struct bly_simulation_variant *v)
{
    return v->input == BLY_INPUT_DRAWN && !s->motion && bly_simulation_is_straight(s) && v->scenarios == 1;
}

/* Whether four items of one path each, which share blocks of four words, draw for each other: where groups
 * are of warps, and nothing but code for whole paths lets their items go different ways. */
static int draws_together(const bailey_simulation *s, const struct bly_simulation_variant *v)
{
    const struct bly_device *device = s->context->device;
    return (device->warp == 32 || device->tuned == BLY_TUNED_ALWAYS) && v->block % 32 == 0 && v->width == 1 &&
           s->dims > 1 && v->input == BLY_INPUT_DRAWN && v->draw == BLY_DRAW_icdf_f32 && !v->points &&
           !v->keeps && !s->payoff.whole && !s->motion_depth && !bly_simulation_takes_lanes(s, v);
}

uint32_t bly_simulation_width(const bailey_simulation *s, uint32_t scenarios, uint32_t results)
{
    if (s->prebuilt) return BLY_PREBUILT_NODE_PATHS;
    /* A path that its code walks through has an item to itself: each goes where it wants, and the states that
     * derivatives keep of several would not fit the registers. */
    if ((s->motion_depth || s->payoff.whole) && bly_simulation_draws(s)) return 1;
    if (bly_simulation_draws(s)) return (uint32_t)bly_block_elements(s->precision);
    const uint64_t points = (uint64_t)s->dims * (s->stack_depth + 4) * bly_element_bytes(s->precision);
    const uint64_t path = s->follows ? (uint64_t)s->steps * s->dims * bly_element_bytes(s->precision) : 0;
    const uint64_t states = 16 * (uint64_t)bly_fields_numbers(s->payoff.states, s->payoff.state_count);
    const uint64_t bytes = points + path + states * scenarios + 32 * (uint64_t)results;
    uint32_t width = LANES;
    while (width > 4 && width * bytes > LANE_BYTES) width /= 2;
    return width;
}

/* Sums of results, and of products of two. */
static uint32_t sums_of(const struct bly_simulation_variant *v) { return BLY_SUMS_OF(v->products, v->results); }

struct bly_fixed bly_simulation_fixed_of(const struct bly_simulation_variant *v)
{
    return (struct bly_fixed){.outputs = v->results, .pairs = sums_of(v) - v->results, .shape = (int)v->shape};
}

struct bly_simulation_rows bly_simulation_rows_of(const struct bly_simulation_variant *v)
{
    const struct bly_fixed fixed = bly_simulation_fixed_of(v);
    const uint32_t outputs = v->results, faults = v->faults > 1 ? BLY_DIAGNOSIS_ROWS : v->faults;
    if (v->fixed)
        return (struct bly_simulation_rows){
            .sums = bly_fixed_sums(&fixed), .all = bly_fixed_rows(&fixed) + faults, .faults = faults};
    const uint32_t sums = sums_of(v) + (v->shape == 1 ? 2 * outputs : 0);
    return (struct bly_simulation_rows){
        .sums = sums, .all = sums + (v->shape ? 2 * outputs : 0) + faults, .faults = faults};
}

/* ---- A bridge as straight-line code -------------------------------------------------------------- */

/* Follows the stream with names instead of the stack: waiting[depth - 1] is the step on top. */
static void write_follow(const bailey_simulation *s, struct bly_text *text)
{
    uint32_t waiting[STRAIGHT_VALUES], depth = 0;
    char left[16] = "begin";
    WRITE("BAILEY_FN void bly_follow(bly_simulated *t, const BAILEY_GLOBAL BLY_(bly_stream_) *stream)\n{\n"
          "    bly_point begin;\n    BLY_FOR_DIMS BLY_FOR_PATHS begin.dim[d].value[v] = t->constants[d];\n");
    for (uint32_t k = 0; k < s->steps; k++) {
        char right[16];
        if (depth)
            snprintf(right, sizeof right, "x%u", waiting[depth - 1]);
        else
            snprintf(right, sizeof right, "%s", left);
        WRITE("    bly_point x%u;\n    bly_make(t, stream, %u, %u, &%s, &%s, &x%u);\n", k, k, s->z[k], left,
              right, k);
        waiting[depth++] = k;
        for (uint32_t i = 0; i < s->pops[k]; i++) {
            snprintf(left, sizeof left, "x%u", waiting[--depth]);
            WRITE("    bly_show(t, &%s);\n", left);
        }
    }
    WRITE("}\n");
}

/* ---- The program --------------------------------------------------------------------------------- */

static void write_draws(const bailey_simulation *s, const struct bly_simulation_variant *v,
                        struct bly_text *text)
{
    const char *real = is_f64(s) ? "f64" : "f32";
    if (v->points)
        WRITE("#define BLY_POINTS %u\n#define BLY_OWEN %u\n#define BLY_NORMAL bailey_normal_icdf_%s%s\n",
              v->points, v->owen, real,
              is_f64(s) == (v->points == 64) ? ""
              : is_f64(s)                    ? "_from_u32"
                                             : "_from_u64");
    else
        WRITE("#define BLY_DRAW %s\n#define BLY_ROUNDS %u\n#define BLY_TOGETHER %d\n",
              bly_draw_constant((int)v->draw), v->rounds, draws_together(s, v));
    WRITE("#define BLY_WORD bailey_uint%u\n", v->points ? v->points : 32);
}

/* 0: rows meet one by one. */
static uint32_t meets(const bailey_simulation *s, const struct bly_simulation_variant *v)
{
    if (v->input == BLY_INPUT_KEPT && v->products && v->block >= 2 * KEPT_MEETS && !v->fixed) return KEPT_MEETS;
    if (v->copies && !s->segment) return 0;
    return s->most_outputs && v->results > 8 && v->block >= 2 * MEETS && !v->fixed ? MEETS : 0;
}

/* The bytes of a group's memory before copies of the table, whose pieces have 16 bytes. */
static uint32_t meeting_bytes(const bailey_simulation *s, const struct bly_simulation_variant *v)
{
    const uint32_t rows = meets(s, v), segment = bly_simulation_segment_bytes(s, v);
    uint32_t meeting = v->block > 1 ? v->block * 8 : 16;
    if (rows) meeting = 8 * (rows * (v->block + v->block / rows) + v->block);
    if (draws_together(s, v) && v->block / 32 * 16 * BLY_TOGETHER_ROW > meeting)
        meeting = v->block / 32 * 16 * BLY_TOGETHER_ROW;
    return ((segment > meeting ? segment : meeting) + 15) & ~15u;
}

/* What device headers look at. */
static void write_copies(const bailey_simulation *s, const struct bly_simulation_variant *v,
                         struct bly_text *text)
{
    const struct bly_copies_tuning *copies = bly_simulation_copies(s, v);
    if (!v->copies) return;
    WRITE("#define BAILEY_ICDF_COPIES %u\n#define BAILEY_ICDF_HOT_F%s %u\n#define BAILEY_ICDF_COLD_F64 %u\n",
          copies->copies, is_f64(s) ? "64" : "32", copies->octaves * (is_f64(s) ? 32 : 16), copies->cold);
    WRITE("#define BLY_LEAST_BLOCKS %u\n#define BLY_TABLE_WORDS %u\n", copies->groups, meeting_bytes(s, v) / 8);
}

/* ---- Scenarios ----------------------------------------------------------------------------------- */

/* Whether it differs from what payoff_head.h has: one, on paths as they are. */
static int has_scenarios(const struct bly_simulation_variant *v)
{
    return v->scenarios > 1 || v->weights || v->shifts || v->recorrelates;
}

/* So that what belongs to a scenario may be in registers. */
static int unrolls(const bailey_simulation *s, const struct bly_simulation_variant *v)
{
    return bly_simulation_draws(s) && v->scenarios <= UNROLLED_SCENARIOS;
}

/* Groups of 128 that are to live on a multiprocessor, and so the registers of an item; 0: as many as the
 * compiler likes. 16 scenarios of three assets in 24 steps as multiples of one price, H200, 2026-11-23, with
 * 2, 3, 4 groups: f32 8.79, 7.24, 7.87; fast 7.29, 6.04, 5.79; f64 10.9, not measured, 9.35. With 4 scenarios
 * at a time f32 8.98, 8.47, 7.91, with 16 10.2, 12.7, not measured. Derivatives: see simulation_segment.c. */
static uint32_t least_groups(const bailey_simulation *s, const struct bly_simulation_variant *v)
{
    if (v->copies) return 0;
    if (bly_simulation_segment_bytes(s, v)) return is_f64(s) ? 2 : 3;
    if (!has_scenarios(v) || !unrolls(s, v)) return 0;
    return v->fast || is_f64(s) ? 4 : 3;
}

static void write_scenarios(const bailey_simulation *s, const struct bly_simulation_variant *v,
                            struct bly_text *text)
{
    const struct bly_values_layout at = bly_scenarios_layout(s, v);
    if (least_groups(s, v)) WRITE("#define BLY_LEAST_BLOCKS %u\n", least_groups(s, v));
    if (!has_scenarios(v)) return;
    WRITE("#define BLY_SCENARIOS %u\n#define BLY_SET_WORDS %u\n#define BLY_RESULTS %u\n", v->scenarios,
          (uint32_t)at.set, v->results);
    WRITE("#define BLY_WEIGHTED %d\n#define BLY_WEIGHTS_AT %u\n#define BLY_MOVES_AT %u\n", v->weights > 0,
          (uint32_t)at.weights, (uint32_t)at.moves);
    WRITE("#define BLY_SCORED %u\n#define BLY_SCORES_AT %u\n", v->scored, (uint32_t)at.scores);
    WRITE("#define BLY_SHIFTS %u\n#define BLY_RECORRELATES %u\n#define BLY_UNROLLED %d\n", v->shifts,
          v->recorrelates, unrolls(s, v));
}

/* Rows are sums of terms in order, starting at 0. */
static void write_weights(const struct bly_simulation_variant *v, const struct bly_pass *pass,
                          struct bly_text *text)
{
    if (!v->weights) return;
    WRITE("BAILEY_FN void bly_weigh(const BLY_VALUES_SPACE double *w, const bly_output *out, bly_output "
          "*rows)\n{\n");
    WRITE("    BLY_UNROLL_SCENARIOS for (int r = 0; r < BLY_RESULTS; r++) BLY_FOR_PATHS rows[r].value[v] = "
          "0;\n");
    for (uint32_t i = 0; i < pass->term_count; i++) {
        const struct bly_terms *t = &pass->terms[i];
        WRITE("    BLY_UNROLL_SCENARIOS for (int j = 0; j < %u; j++) BLY_FOR_PATHS rows[%u].value[v] =\n"
              "        bailey_fma_f64(w[%u + j], out[%u + j].value[v], rows[%u].value[v]);\n",
              t->count, t->row, t->weight, t->from, t->row);
    }
    WRITE("}\n");
}

/* ---- Kept states --------------------------------------------------------------------------------- */

/* Reals that hold a number of a state exactly: those of single precision hold 16 bits of an integer each,
 * those of double 32. */
static uint32_t reals_of(const struct bly_field *field, bailey_precision precision)
{
    const int f64 = precision == BAILEY_PRECISION_F64;
    switch (field->type) {
    case BLY_FIELD_REAL: return 1;
    case BLY_FIELD_INT:
    case BLY_FIELD_UINT32: return f64 ? 1 : 2;
    default: return f64 ? 2 : 4;
    }
}

/* The last number is one real, and not counted. */
uint32_t bly_simulation_kept_numbers(const bailey_simulation *s)
{
    uint32_t numbers = 0;
    for (uint32_t i = 0; i < s->payoff.state_count; i++)
        numbers += s->payoff.states[i].count * reals_of(&s->payoff.states[i], s->precision);
    return numbers - 1;
}

#define UNROLLED_NUMBERS 32u /* of an array: longer ones are moved by a loop */

/* Moves a number, `of` the state, to or from the reals that begin at `number`, an expression. */
static void move_number(const bailey_simulation *s, const struct bly_field *field, const char *of,
                        const char *number, struct bly_text *keep, struct bly_text *recall)
{
    static const char *const types[] = {"real", "int32", "uint32", "int64", "uint64"};
    const uint32_t reals = reals_of(field, s->precision), bits = is_f64(s) ? 32 : 16;
    if (field->type == BLY_FIELD_REAL || reals == 1) {
        bly_text_add(keep, "    to[%s * row] = (real)s->%s;\n", number, of);
        bly_text_add(recall, "    s->%s = (%s)from[%s * row];\n", of, types[field->type], number);
        return;
    }
    bly_text_add(recall, "    s->%s = (%s)(", of, types[field->type]);
    for (uint32_t k = 0; k < reals; k++) {
        bly_text_add(keep, "    to[(%s + %u) * row] = (real)(((uint64)s->%s >> %u) & %uu);\n", number, k, of,
                     bits * k, bits == 16 ? 0xffffu : 0xffffffffu);
        bly_text_add(recall, "%s(uint64)from[(%s + %u) * row] << %u", k ? " | " : "", number, k, bits * k);
    }
    bly_text_add(recall, ");\n");
}

/* The numbers of an array, as reals from `first` on. */
static void move_field(const bailey_simulation *s, const struct bly_field *field, uint32_t first,
                       struct bly_text *keep, struct bly_text *recall)
{
    const uint32_t reals = reals_of(field, s->precision);
    char of[128], number[64];
    if (field->count > UNROLLED_NUMBERS) {
        bly_text_add(keep, "    for (uint32 k = 0; k < %u; k++) {\n", field->count);
        bly_text_add(recall, "    for (uint32 k = 0; k < %u; k++) {\n", field->count);
        snprintf(of, sizeof of, "own_%s[k]", field->name);
        snprintf(number, sizeof number, "(%u + %u * k)", first, reals);
        move_number(s, field, of, number, keep, recall);
        bly_text_add(keep, "    }\n");
        bly_text_add(recall, "    }\n");
        return;
    }
    for (uint32_t k = 0; k < field->count; k++) {
        snprintf(of, sizeof of, field->array ? "own_%s[%u]" : "own_%s", field->name, k);
        snprintf(number, sizeof number, "%u", first + k * reals);
        move_number(s, field, of, number, keep, recall);
    }
}

/* What kernels/simulation_kept.h asks for: the numbers of a state in their order, whose last is a real. */
static void write_kept(const bailey_simulation *s, struct bly_text *text)
{
    const uint32_t count = s->payoff.state_count;
    const struct bly_field *fields = s->payoff.states, *last = &fields[count - 1];
    struct bly_text keep = {0}, recall = {0};
    uint32_t number = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct bly_field field = fields[i];
        if (i == count - 1) field.count--;
        if (field.count) move_field(s, &field, number, &keep, &recall);
        number += field.count * reals_of(&field, s->precision);
    }
    WRITE("#define BLY_KEPT_NUMBERS %u\n#define BLY_KEPT_LAST own_%s", bly_simulation_kept_numbers(s),
          last->name);
    if (last->array) WRITE("[%u]", last->count - 1);
    if (bly_parameter_find(&s->payoff, "bailey_task", strlen("bailey_task")))
        WRITE("\n#define BLY_KEPT_TASK own_bailey_task");
    WRITE("\nBAILEY_FN void bly_state_keep(const bly_state *s, BAILEY_GLOBAL real *to, bailey_uint64 row)\n"
          "{\n%s}\n",
          keep.data ? keep.data : "");
    WRITE("BAILEY_FN void bly_state_recall(bly_state *s, const BAILEY_GLOBAL real *from, bailey_uint64 row)\n"
          "{\n%s}\n",
          recall.data ? recall.data : "");
    if (keep.failed || recall.failed) text->failed = 1;
    bly_free(keep.data);
    bly_free(recall.data);
}

static void write_gradient(const bailey_simulation *s, const struct bly_simulation_variant *v,
                           struct bly_text *text)
{
    WRITE("#define BLY_MEETS %u\n", meets(s, v));
    if (!bly_simulation_takes_lanes(s, v)) return;
    WRITE("#define BLY_GRADIENT 1\n#define BLY_FOLLOWS %d\n#define BLY_SEGMENT %u\n",
          v->input == BLY_INPUT_NORMALS, s->segment);
    if (s->segment)
        WRITE("#define BLY_SEGMENT_TILE %u\n#define BLY_SEGMENT_PACK %uu\n#define BLY_SEGMENT_FREE %u\n",
              BLY_SEGMENT_TILE, is_f64(s) ? BLY_SEGMENT_PACK / 2 : BLY_SEGMENT_PACK, BLY_SEGMENT_FREE);
    if (v->factor) WRITE("#define BLY_FACTOR_AT %u\n", v->given - v->factor);
}

/* Of processors, for paths side by side. */
static const char *payoff_text(const bailey_simulation *s, const struct bly_simulation_variant *v)
{
    if (v->width < LEAST_LANES || s->most_outputs) return s->payoff.text;
    if (s->payoff.lanes) return s->payoff.lanes;
    if (s->payoff.scalar)
        bly_log(1, "%s:%u: paths of this code run one after another, not in vector instructions: %s",
                s->payoff.name, (unsigned)s->payoff.scalar_line, s->payoff.scalar);
    return s->payoff.text;
}

void bly_simulation_write(const bailey_simulation *s, const struct bly_simulation_variant *v,
                          const struct bly_pass *pass, struct bly_text *text)
{
    const int f64 = is_f64(s);
    write_copies(s, v, text);
    WRITE("#define BLY_REAL %s\n#define BLY_SCALAR %s\n", f64 ? "f64" : "f32", f64 ? "double" : "float");
    WRITE("#define BLY_WIDTH %u\n#define BLY_DIMS %u\n#define BLY_STEPS %u\n#define BLY_Z_ROWS %u\n",
          v->width, s->dims, s->steps, s->z_rows);
    if (v->input == BLY_INPUT_KEPT) WRITE("#define BLY_EARLY\n");
    WRITE("#define BLY_INPUT %u\n#define BLY_WALK %u\n#define BLY_WHOLE %d\n#define BLY_DEPTH %u\n", v->input,
          s->walk, s->payoff.whole, s->stack_depth);
    WRITE("#define BLY_MOTION_DEPTH %u\n", s->motion_depth);
    WRITE("#define BLY_STRAIGHT %d\n#define BLY_FIXED_END %d\n#define BLY_CORRELATED %d\n", is_straight(s, v),
          s->fixed_end, s->correlated);
    WRITE(
        "#define BLY_ANTITHETIC %u\n#define BLY_OUTPUTS %u\n#define BLY_PRODUCTS %u\n#define BLY_SHAPE %u\n",
        v->antithetic, s->payoff.outputs, v->products, v->shape);
    WRITE("#define BLY_SAMPLES %u\n#define BLY_HISTOGRAM %u\n#define BLY_PAYOFF_FAST %u\n", v->samples,
          v->histogram, v->fast);
    WRITE("#define BLY_FIXED %u\n#define BLY_GIVEN %u\n", v->fixed, v->given);
    if (v->faults) WRITE("#define BLY_DIAGNOSES %d\n", v->faults > 1);
    write_draws(s, v, text);
    write_scenarios(s, v, text);
    write_gradient(s, v, text);
    if (v->keeps) WRITE("#define BLY_KEEPS 1\n");
    WRITE("#include \"kernels/group_entry.h\"\n#include \"kernels/payoff_head.h\"\n");
    bly_payoff_structures(&s->payoff, text);
    if (v->keeps || v->input == BLY_INPUT_KEPT) write_kept(s, text);
    WRITE("%s#include \"kernels/simulation_code.h\"\n", payoff_text(s, v));
    if (is_straight(s, v)) write_follow(s, text);
    write_weights(v, pass, text);
    if (bly_simulation_takes_lanes(s, v)) WRITE("%s", s->lanes);
    WRITE("#include \"kernels/simulation_item.h\"\n");
}

uint32_t bly_simulation_shared(const bailey_simulation *s, const struct bly_simulation_variant *v)
{
    const uint32_t table = v->copies ? bly_copies_bytes(bly_simulation_copies(s, v), is_f64(s)) : 0;
    return meeting_bytes(s, v) + table;
}
