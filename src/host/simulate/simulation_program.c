/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Programs of a simulation: written, compiled and loaded when a run first needs them, and the groups that
 * they run in. A device may turn out to lack the registers or the memory for a group; then smaller groups are
 * tried.
 */
#include "simulation_internal.h"

/* Groups of GPUs that copy no table; and those of runs with few items per unit, which reach more of them. */
#define BLOCK 128u
#define SMALL_BLOCK 64u
#define FEW_ITEMS 256u
#define LEAST_BLOCK 8u
#define KEPT_BLOCK 256u /* of states in memory, whose launch is short: few nodes are left to join */

static bailey_status make_program(bailey_simulation *s, const struct bly_simulation_variant *v,
                                  const struct bly_pass *pass, struct bly_cached **cached)
{
    struct bly_text text = {0};
    const struct bly_kernel kernel = {.name = "bly_simulate",
                                      .lane_bytes = (uint32_t)bly_element_bytes(s->precision),
                                      .params_bytes =
                                          (uint32_t)(sizeof(bly_simulation_params) + 8 * v->given),
                                      .buffers = 8,
                                      .block = v->block,
                                      .shared_bytes = bly_simulation_shared(s, v),
                                      .early = v->input == BLY_INPUT_KEPT};
    const bailey_status status = bly_check_compiler(s->context);
    if (status != BAILEY_OK) return status;
    bly_simulation_write(s, v, pass, &text);
    return bly_payoff_not_built(
        "payoff", s->payoff.name,
        bly_variants_make(&s->programs, v, sizeof *v, &text,
                          (struct bly_code){.name = s->payoff.name,
                                            .kernels = &kernel,
                                            .kernel_count = 1,
                                            .is_long = bly_simulation_takes_lanes(s, v)},
                          cached));
}

/* Items of a group: so many, or as few as the device and its compiler ask for. */
static uint32_t block_of(const bailey_simulation *s, uint32_t items)
{
    const uint32_t block = bly_group_items(s->context->device, items);
    return s->group_items && block > s->group_items ? s->group_items : block;
}

/* After a program was refused: copies of the table are too large, or items need too many registers. Returns 0
 * where groups cannot be smaller. */
static int choose_smaller(bailey_simulation *s, struct bly_simulation_variant *v)
{
    if (bly_check_compiler(s->context) != BAILEY_OK || (!v->copies && v->block <= LEAST_BLOCK)) return 0;
    if (!v->copies) s->group_items = v->block / 2;
    v->block = v->copies ? block_of(s, BLOCK) : s->group_items;
    v->copies = 0;
    return 1;
}

bailey_status bly_simulation_find_program(bailey_simulation *s, struct bly_simulation_variant *v,
                                          const struct bly_pass *pass, struct bly_entry *entry)
{
    struct bly_cached *cached = bly_variants_find(&s->programs, v, sizeof *v);
    bailey_status status = cached ? BAILEY_OK : make_program(s, v, pass, &cached);
    if (status == BAILEY_ERROR_UNSUPPORTED && choose_smaller(s, v)) {
        bly_log(1, "simulation: in groups of %u items without copies of the table: %s", (unsigned)v->block,
                bailey_error_message());
        return bly_simulation_find_program(s, v, pass, entry);
    }
    if (status == BAILEY_OK)
        *entry = (struct bly_entry){.program = cached->program, .kernel = cached->kernels};
    return status;
}

/* Whether items may take one path each: of the usual inverse CDF, which makes a normal of a word. */
static int may_take_one(const struct bly_simulation_variant *v)
{
    return v->input != BLY_INPUT_DRAWN || v->draw == BLY_DRAW_icdf_f32 || v->draw == BLY_DRAW_icdf_f64 ||
           v->points;
}

/* A GPU that has few items of several paths waits for their instructions: with one path each it is done
 * sooner, though neighbours draw the same block. Where there are items for all groups, groups copy the table; with
 * segments of derivatives those do that have such a tuning. */
void bly_simulation_choose_groups(const bailey_simulation *s, uint64_t paths,
                                  struct bly_simulation_variant *v)
{
    const struct bly_device *device = s->context->device;
    const uint64_t items = paths / s->width, units = device->info.units;
    v->width = bly_simulation_width(s, v->scenarios, v->results);
    v->block = 1;
    v->copies = 0;
    if (s->prebuilt || !bly_simulation_draws(s)) return;
    const int is_kept = v->input == BLY_INPUT_KEPT;
    v->block = block_of(s, is_kept ? KEPT_BLOCK : BLOCK);
    if (v->scenarios > 1) {
        /* Their states fill the registers. */
        const uint32_t words = v->scenarios * bly_simulation_state_words(s, v->antithetic) * v->width;
        if ((words > BLY_SCENARIO_WORDS || items < FEW_ITEMS * units) && may_take_one(v)) v->width = 1;
        return;
    }
    if (items < FEW_ITEMS * units && !is_kept) v->block = block_of(s, SMALL_BLOCK);
    if (items < FEW_ITEMS * units && may_take_one(v)) v->width = 1;
    if (v->input != BLY_INPUT_DRAWN) return;
    const struct bly_copies_tuning *copies = bly_simulation_copies(s, v);
    if (!copies) return;
    if (s->segment) {
        if (2 * items >= (uint64_t)copies->items * units) v->block = copies->items;
        v->copies = 1;
        return;
    }
    const uint64_t least = (uint64_t)copies->items * copies->groups * units;
    if (device->tuned == BLY_TUNED_ALWAYS ? v->width == 1
                                          : s->z_rows < device->tuning->copies_rows || items < least)
        return;
    v->width = s->width;
    v->block = copies->items;
    v->copies = 1;
}
