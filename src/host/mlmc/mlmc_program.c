/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Programs of levels: one serves all levels of a run, and is written and compiled when a run first needs it.
 * Runs that share the code but differ in how numbers are made, on which device, or with which sums are
 * variants.
 */
#include "mlmc_internal.h"

#include <bailey/device/approximate.h>
#include <base/status.h>
#include <base/text.h>

#include <math.h>
#include <string.h>

/* On processors a group is one item, a thread's. Where the library's own kernels make its numbers, a row of
 * one number of all samples is a call: so it has many samples side by side, as far as their bytes fit on the
 * stack. */
#define LANES 1024u
#define LANE_BYTES 131072u
#define FEW_LANES BLY_LEVEL_GRAIN /* where numbers are drawn sample by sample */

/* On GPUs, where groups copy no table: items, and how many groups a unit runs at once. */
#define BLOCK 128u
#define UNIT_GROUPS 8u
#define LEAST_BLOCK 16u /* its items make BLY_LEVEL_GRAIN samples at least: two each in double precision */
/* Samples of an item that share a block of four words, of which each makes two numbers. */
#define SHARING 8u

static int is_f64(const bailey_mlmc *m) { return m->precision == BAILEY_PRECISION_F64; }

/* How copies of the table are tuned: as for simulations. */
static const struct bly_copies_tuning *copies_of(const bailey_mlmc *m)
{
    const struct bly_device *device = m->context->device;
    return &device->tuning->simulation[0][is_f64(m)];
}

/* Whether items are a few samples each, and many: on GPUs, and wherever all that is tuned is tried. */
static int is_parallel(const struct bly_device *device)
{
    return device->info.kind == BAILEY_DEVICE_KIND_GPU || device->tuned == BLY_TUNED_ALWAYS;
}

/* Copies of the table serve the exact inverse CDF alone: differences with approximate normals do not look at
 * it. */
static int may_copy(const bailey_mlmc *m, const struct bly_mlmc_variant *v)
{
    const struct bly_device *device = m->context->device;
    const struct bly_copies_tuning *copies = copies_of(m);
    const int inverse = v->draw == BLY_DRAW_icdf_f32 || v->draw == BLY_DRAW_icdf_f64;
    if (v->approximate && !v->correction) return 0;
    return v->input == BLY_INPUT_DRAWN && inverse && copies->items &&
           copies->items == bly_group_items(device, copies->items) &&
           copies->shared_bytes <= device->shared_bytes && device->tuned;
}

static uint32_t params_bytes(const struct bly_mlmc_variant *v)
{
    return (uint32_t)(offsetof(bly_levels_params, chunk) + v->chunks * sizeof(bly_level_chunk)) +
           8 * v->given;
}

/* Samples side by side in groups of one item, at most. They need the numbers of two steps, states, and three
 * doubles each. */
static uint32_t lanes_of(const bailey_mlmc *m, const struct bly_mlmc_variant *v)
{
    const struct bly_payoff *p = &m->payoff;
    const uint64_t rows =
                       2 * ((uint64_t)m->dims + p->normals + p->uniforms) * bly_element_bytes(m->precision),
                   states = 8 * (uint64_t)bly_fields_numbers(p->states, p->state_count);
    uint32_t width = v->calls_rows ? LANES : FEW_LANES;
    while (width > BLY_LEVEL_GRAIN && width * (rows + states + 24) > LANE_BYTES) width /= 2;
    return width;
}

/* Items of a group that copies no table: as few as the device and its compiler ask for. */
static uint32_t block_of(const bailey_mlmc *m)
{
    uint32_t block = bly_group_items(m->context->device, BLOCK);
    if (m->group_items && block > m->group_items) block = m->group_items;
    return block > LEAST_BLOCK ? block : LEAST_BLOCK;
}

static void set_block(const bailey_mlmc *m, struct bly_mlmc_variant *v)
{
    const uint32_t warp = m->context->device->warp;
    v->block = v->copies ? copies_of(m)->items : block_of(m);
    v->team = warp && warp < v->block ? warp : v->block;
}

/* Whether samples of level 0 have a single number of the Brownian motion or of the text, half a word each. */
static int may_share(const bailey_mlmc *m, const struct bly_mlmc_variant *v)
{
    return v->approximate && !v->correction && m->first_steps == 1 &&
           (m->dims == 1 || m->payoff.normals == 1);
}

struct bly_mlmc_variant bly_approximate_variant(const bailey_mlmc_run_params *params, uint32_t correction)
{
    static const struct bly_mlmc_variant variants[] = {
        [BAILEY_MLMC_APPROXIMATION_CONSTANT] = {.approximate = BAILEY_APPROXIMATE_CONSTANT},
        [BAILEY_MLMC_APPROXIMATION_DYADIC] = {.approximate = BAILEY_APPROXIMATE_DYADIC},
        [BAILEY_MLMC_APPROXIMATION_HALF] = {.approximate = BAILEY_APPROXIMATE_CONSTANT, .half = 1},
        [BAILEY_MLMC_APPROXIMATION_HALF_DYADIC] = {.approximate = BAILEY_APPROXIMATE_DYADIC, .half = 1}};
    struct bly_mlmc_variant variant = variants[params->approximate];
    if (variant.approximate) variant.correction = correction;
    return variant;
}

/* A launch's parameters hold as many chunks as the device takes, and those of the levels where they fit. */
void bly_mlmc_variant_choose(const bailey_mlmc *m, struct bly_mlmc_variant *v)
{
    const struct bly_device *device = m->context->device;
    v->block = v->team = 1;
    v->calls_rows = v->input == BLY_INPUT_DRAWN && device->calls_rows && !is_parallel(device);
    v->width = lanes_of(m, v);
    v->shares = (uint32_t)may_share(m, v);
    if (is_parallel(device)) {
        v->width = v->shares ? SHARING : (uint32_t)bly_block_elements(m->precision);
        v->copies = (uint32_t)may_copy(m, v);
        set_block(m, v);
    }
    v->chunks = BLY_LEVEL_CHUNKS;
    while (params_bytes(v) > device->params_bytes) v->chunks--;
    const uint32_t values = bly_mlmc_values_bytes(m, v);
    if (sizeof(bly_levels_params) + values <= device->given_bytes) v->given = values / 8;
}

uint64_t bly_mlmc_groups(const bailey_mlmc *m, const struct bly_mlmc_variant *v)
{
    const uint64_t units = m->context->device->info.units ? m->context->device->info.units : 1;
    if (v->block == 1) return units;
    return units * (v->copies ? copies_of(m)->groups : UNIT_GROUPS);
}

/* ---- Writing ------------------------------------------------------------------------------------- */

#define WRITE(...) bly_text_add(text, __VA_ARGS__)

static void write_copies(const bailey_mlmc *m, struct bly_text *text)
{
    const struct bly_copies_tuning *copies = copies_of(m);
    WRITE("#define BAILEY_ICDF_COPIES %u\n#define BAILEY_ICDF_HOT_F%s %u\n#define BAILEY_ICDF_COLD_F64 %u\n",
          copies->copies, is_f64(m) ? "64" : "32", copies->octaves * (is_f64(m) ? 32 : 16), copies->cold);
    WRITE("#define BLY_LEAST_BLOCKS %u\n", copies->groups);
}

/* Kernels of the library that make what programs would draw, by their rows of kernels/families.h. */
static int rounds_rows(const struct bly_mlmc_variant *v)
{
    return v->rounds == 7 ? BLY_KERNEL_bly_philox7_u01_f32 - BLY_KERNEL_bly_philox_u01_f32 : 0;
}
static int normals_row(const struct bly_mlmc_variant *v)
{
    if (v->draw >= BLY_DRAW_mixed_icdf_f32)
        return BLY_KERNEL_bly_mixed_counter_icdf_f32 + (int)v->draw - BLY_DRAW_mixed_icdf_f32;
    return BLY_KERNEL_bly_philox_icdf_f32 + (int)v->draw + rounds_rows(v);
}
static int uniforms_row(const bailey_mlmc *m, const struct bly_mlmc_variant *v)
{
    return (is_f64(m) ? BLY_KERNEL_bly_philox_u01_f64 : BLY_KERNEL_bly_philox_u01_f32) + rounds_rows(v);
}

/* Words, that approximate normals are computed from. */
static int words_row(const struct bly_mlmc_variant *v)
{
    return v->rounds == 7 ? BLY_KERNEL_bly_words_philox7 : BLY_KERNEL_bly_words_philox;
}

static void write_numbers(const bailey_mlmc *m, const struct bly_mlmc_variant *v, struct bly_text *text)
{
    WRITE("#define BLY_INPUT %u\n#define BLY_WALK %u\n#define BLY_DIMS %u\n", v->input, BLY_WALK_INCREMENTS,
          m->dims);
    WRITE("#define BLY_STEP_NORMALS %u\n#define BLY_STEP_UNIFORMS %u\n#define BLY_CORRELATED %d\n",
          m->payoff.normals, m->payoff.uniforms, m->factor != NULL);
    if (v->calls_rows)
        WRITE("#define BLY_CALLS_ROWS 1\n#define BLY_NORMALS_ROW %d\n#define BLY_UNIFORMS_ROW %d\n",
              normals_row(v), uniforms_row(m, v));
    if (v->calls_rows && v->approximate) WRITE("#define BLY_PHILOX_WORDS_ROW %d\n", words_row(v));
    if (v->input == BLY_INPUT_DRAWN)
        WRITE("#define BLY_DRAW %s\n#define BLY_ROUNDS %u\n", bly_draw_constant((int)v->draw), v->rounds);
}

static void write_program(const bailey_mlmc *m, const struct bly_mlmc_variant *v, struct bly_text *text)
{
    if (v->copies) write_copies(m, text);
    WRITE("#define BLY_REAL %s\n#define BLY_SCALAR %s\n", is_f64(m) ? "f64" : "f32",
          is_f64(m) ? "double" : "float");
    write_numbers(m, v, text);
    WRITE("#define BLY_WIDTH %u\n#define BLY_LEVEL_TEAM %u\n#define BLY_TURN_BITS %u\n", v->width, v->team,
          BLY_LEVELS_TURN_BITS);
    WRITE("#define BLY_APPROXIMATE %u\n#define BLY_CORRECTION %u\n#define BLY_SHARES %u\n", v->approximate,
          v->correction, v->shares);
    WRITE("#define BLY_PERSISTENT %u\n", v->persistent);
    if (v->half)
        WRITE("#define BLY_HALF 1\n#define BLY_HALF_UNIT %a\n#define BLY_HALF_SET %u\n",
              ldexp(1, (int)v->half_scale - BLY_HALF_NO_SCALE), m->payoff.params_bytes / 8);
    WRITE("#define BLY_LEVEL_CHUNKS %u\n", v->chunks);
    WRITE("#define BLY_TEST %u\n#define BLY_PAYOFF_FAST %u\n#define BLY_GIVEN %u\n#define BLY_OUTPUTS 2\n",
          v->test, v->fast, v->given);
    if (v->faults) WRITE("#define BLY_DIAGNOSES %d\n", v->faults > 1);
    WRITE("#include \"kernels/group_entry.h\"\n#include \"kernels/mlmc_head.h\"\n");
    bly_payoff_structures(&m->payoff, text);
    WRITE("%s", !is_parallel(m->context->device) && m->payoff.lanes ? m->payoff.lanes : m->payoff.text);
    if (v->half) WRITE("#include \"kernels/half.h\"\n%s", m->payoff.half);
    WRITE("#include \"kernels/mlmc_code.h\"\n");
}

/* Where items meet, 8 bytes of each, and behind that the copy of the table. */
static uint32_t shared_bytes_of(const bailey_mlmc *m, const struct bly_mlmc_variant *v)
{
    const uint32_t meeting = v->block > 1 ? v->block * 8 : 16;
    return v->copies ? meeting + bly_copies_bytes(copies_of(m), is_f64(m)) : meeting;
}

/* ---- Compiling ----------------------------------------------------------------------------------- */

static bailey_status check_device(const bailey_mlmc *m)
{
    const bailey_device *device = &m->context->device->info;
    if (!device->has_f64)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "%s has no double precision, which sums over samples need",
                        device->address);
    return bly_check_compiler(m->context);
}

/* Once for an estimator: corrections come with the same kind. */
static void warn_emulated(const bailey_mlmc *m, const struct bly_mlmc_variant *v)
{
    const struct bly_device *device = m->context->device;
    if (!v->half || v->correction || device->has_half) return;
    bly_warn("approximate is half, but %s emulates half precision: an operation takes about %.0f times as "
             "long as in single precision%s%s",
             device->info.address, bly_emulated_cost(), device->half_hint ? "; " : "",
             device->half_hint ? device->half_hint : "");
}

static bailey_status make_program(bailey_mlmc *m, const struct bly_mlmc_variant *v,
                                  struct bly_cached **cached)
{
    struct bly_text text = {0};
    const uint32_t lane = (uint32_t)bly_element_bytes(m->precision), shared = shared_bytes_of(m, v);
    const struct bly_kernel kernels[BLY_LEVELS_KERNELS] = {
        [BLY_LEVELS_SAMPLE] = {.name = v->persistent ? "bly_levels_persistent" : "bly_levels",
                               .lane_bytes = lane,
                               .params_bytes = params_bytes(v),
                               .buffers = 6,
                               .block = v->block,
                               .shared_bytes = shared},
        [BLY_LEVELS_FOLD] = {.name = "bly_fold_levels",
                             .lane_bytes = lane,
                             .params_bytes = (uint32_t)sizeof(bly_level_folds_params),
                             .buffers = 3,
                             .block = v->block,
                             .shared_bytes = 16}};
    bailey_status status = check_device(m);
    if (status != BAILEY_OK) return status;
    write_program(m, v, &text);
    status = bly_payoff_not_built(
        "estimator", m->payoff.name,
        bly_variants_make(&m->programs, v, sizeof *v, &text,
                          (struct bly_code){.name = m->payoff.name,
                                            .kernels = kernels,
                                            .in_half = v->half != 0,
                                            .kernel_count = v->persistent ? 1 : BLY_LEVELS_KERNELS},
                          cached));
    if (status == BAILEY_OK) warn_emulated(m, v);
    return status;
}

/* As of simulations: a compiler that has no room for so many items may have it for half of them. */
static int choose_smaller(bailey_mlmc *m, struct bly_mlmc_variant *v)
{
    if (check_device(m) != BAILEY_OK || (!v->copies && v->block <= LEAST_BLOCK)) return 0;
    if (!v->copies) m->group_items = v->block / 2;
    v->copies = 0;
    set_block(m, v);
    return 1;
}

bailey_status bly_mlmc_program_find(bailey_mlmc *m, struct bly_mlmc_variant *v,
                                    struct bly_entry entries[BLY_LEVELS_KERNELS])
{
    struct bly_cached *cached = bly_variants_find(&m->programs, v, sizeof *v);
    bailey_status status = cached ? BAILEY_OK : make_program(m, v, &cached);
    if (status == BAILEY_ERROR_UNSUPPORTED && choose_smaller(m, v)) {
        bly_log(1, "levels: in groups of %u items without copies of the table: %s", (unsigned)v->block,
                bailey_error_message());
        return bly_mlmc_program_find(m, v, entries);
    }
    for (uint32_t i = 0; i < (v->persistent ? 1u : BLY_LEVELS_KERNELS) && status == BAILEY_OK; i++)
        entries[i] =
            (struct bly_entry){.program = cached->program, .number = i, .kernel = &cached->kernels[i]};
    return status;
}
