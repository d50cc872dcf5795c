/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Programs of levels: one serves all levels, and is compiled when a run first needs it.
 */
#include "mlmc_program.h"

#include "levels.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANES                                                                                                \
    512u /* samples of an item whose numbers the library's rows make; then their bytes, on the stack */
#define LANE_BYTES 131072u
#define FEW_LANES 32u   /* samples of an item on processors: BLY_LEVEL_GRAIN */
#define BLOCK 128u      /* of GPUs, where groups copy no table; and how many of them a unit runs at once */
#define UNIT_GROUPS 8u  /* likewise */
#define LEAST_BLOCK 16u /* makes BLY_LEVEL_GRAIN samples at least */
#define SHARING 8u      /* samples of an item that share a block of four words */

/* Whether items are a few samples each, and many: on GPUs, and wherever all that is tuned is tried. */
static int is_parallel(const struct bly_device *device)
{
    return device->info.kind == BAILEY_DEVICE_KIND_GPU || device->tuned == BLY_TUNED_ALWAYS;
}

static int may_copy(const bailey_mlmc *m, const struct bly_levels_variant *v)
{
    const struct bly_device *device = m->context->device;
    const struct bly_copies_tuning *copies = bly_levels_copies(m);
    const int inverse = v->draw == BLY_DRAW_icdf_f32 || v->draw == BLY_DRAW_icdf_f64;
    if (v->approximate && !v->correction) return 0;
    return v->input == BLY_INPUT_DRAWN && inverse && copies->items &&
           copies->items == bly_group_items(device, copies->items) &&
           copies->shared_bytes <= device->shared_bytes && device->tuned;
}

static uint32_t params_bytes(const struct bly_levels_variant *v)
{
    return (uint32_t)(offsetof(bly_levels_params, part) + v->parts * sizeof(bly_level_part)) + 8 * v->given;
}

/* Samples side by side in groups of one item, at most. */
static uint32_t lanes_of(const bailey_mlmc *m, const struct bly_levels_variant *v)
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

static void set_block(const bailey_mlmc *m, struct bly_levels_variant *v)
{
    const uint32_t warp = m->context->device->warp;
    v->block = v->copies ? bly_levels_copies(m)->items : block_of(m);
    v->team = warp && warp < v->block ? warp : v->block;
}

/* Whether samples of level 0 have a single number of the Brownian motion or of the text, half a word each. */
static int may_share(const bailey_mlmc *m, const struct bly_levels_variant *v)
{
    return v->approximate && !v->correction && m->first_steps == 1 &&
           (m->dims == 1 || m->payoff.normals == 1);
}

void bly_levels_choose(const bailey_mlmc *m, struct bly_levels_variant *v)
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
    v->parts = BLY_LEVEL_PARTS;
    while (params_bytes(v) > device->params_bytes) v->parts--;
    if (sizeof(bly_levels_params) + m->payoff.params_bytes <= device->given_bytes)
        v->given = m->payoff.params_bytes / 8;
}

uint64_t bly_levels_groups(const bailey_mlmc *m, const struct bly_levels_variant *v)
{
    const uint64_t units = m->context->device->info.units ? m->context->device->info.units : 1;
    if (v->block == 1) return units;
    return units * (v->copies ? bly_levels_copies(m)->groups : UNIT_GROUPS);
}

/* ---- Compiling ----------------------------------------------------------------------------------- */

static bailey_status check_device(const bailey_mlmc *m)
{
    const bailey_device *device = &m->context->device->info;
    if (!device->has_f64)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                        "%s has no double precision, which sums over samples are in", device->address);
    return bly_check_compiler(m->context);
}

static bailey_status make_program(bailey_mlmc *m, const struct bly_levels_variant *v,
                                  struct bly_cached **kept)
{
    struct bly_text text = {0};
    const uint32_t lane = (uint32_t)bly_element_bytes(m->precision), shared = bly_levels_shared(m, v);
    const struct bly_kernel kernels[BLY_LEVELS_KERNELS] = {
        [BLY_LEVELS_SAMPLE] = {.name = v->stays ? "bly_levels_stay" : "bly_levels",
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
    const bailey_status status = check_device(m);
    if (status != BAILEY_OK) return status;
    bly_levels_say(m, v, &text);
    return bly_payoff_not_built(
        "estimator", m->payoff.name,
        bly_variants_make(&m->programs, v, sizeof *v, &text,
                          (struct bly_code){.name = m->payoff.name,
                                            .kernels = kernels,
                                            .kernel_count = v->stays ? 1 : BLY_LEVELS_KERNELS},
                          kept));
}

/* As of simulations. */
static int choose_smaller(bailey_mlmc *m, struct bly_levels_variant *v)
{
    if (check_device(m) != BAILEY_OK || (!v->copies && v->block <= LEAST_BLOCK)) return 0;
    if (!v->copies) m->group_items = v->block / 2;
    v->copies = 0;
    set_block(m, v);
    return 1;
}

bailey_status bly_mlmc_program_find(bailey_mlmc *m, struct bly_levels_variant *v,
                                    struct bly_entry entries[BLY_LEVELS_KERNELS])
{
    struct bly_cached *kept = bly_variants_find(&m->programs, v, sizeof *v);
    bailey_status status = kept ? BAILEY_OK : make_program(m, v, &kept);
    if (status == BAILEY_ERROR_UNSUPPORTED && choose_smaller(m, v)) {
        bly_log(1, "levels: in groups of %u items without copies of the table: %s", (unsigned)v->block,
                bailey_error_message());
        return bly_mlmc_program_find(m, v, entries);
    }
    for (uint32_t i = 0; i < (v->stays ? 1u : BLY_LEVELS_KERNELS) && status == BAILEY_OK; i++)
        entries[i] = (struct bly_entry){.program = kept->program, .number = i, .kernel = &kept->kernels[i]};
    return status;
}
