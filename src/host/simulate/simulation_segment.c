/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Derivatives on GPUs go through a path forward and back, and a group has a segment of its steps at once, in
 * the memory that its items share (kernels/simulation_segment.h). Here is how long segments are, and which
 * ones are drawn there, without X in memory.
 *
 * A Heston basket of 10 dimensions, 252 steps and 82 derivatives, H100, 2026-11-27, ms of 25,000 and 524,288
 * paths. f32: X in memory 1.12 and 17.3; drawn, with 3 groups on a multiprocessor, 40 rows 0.83 and 10.8, 80
 * rows 0.85 and 10.8; with 2 and 4 groups and 80 rows 12.3 and 14.7. f64: X in memory, without segments, 2.62
 * and 52.1; drawn twice 2.78 and 47.3, mostly the inverse CDF's table; with segments of X in memory 2.67 and
 * 48.6; drawn twice, the table's first 5 octaves eight times in the memory of groups of 256, 40 rows 2.15 and 30.8, 20
 * rows 2.15 and 29.9; 4 copies of 6 octaves in groups of 128, 40 rows 2.31 and 33.4 (X in memory 2.53 and 47.3 then).
 */
#include "simulation_internal.h"

#define SEGMENT_ROWS 40u         /* dimensions x steps */
#define COPIES_ROWS 20u          /* the same with copies of the table */
#define SEGMENT_BYTES 49152u     /* of a group, which every device has */
#define MOST_ITEMS 128u          /* of a group */
#define MOST_COVARIANCE_DIMS 16u /* whose sums have a name each */
#define MOST_MARKS_BYTES 8192u   /* of the points from which segments are drawn again */

static uint32_t row_bytes(const bailey_simulation *s, uint32_t items)
{
    return (items + BLY_SEGMENT_FREE) * (uint32_t)bly_element_bytes(s->precision);
}

uint32_t bly_simulation_segment(const bailey_simulation *s, int by_covariance)
{
    const struct bly_device *device = s->context->device;
    const uint32_t all = (s->steps + BLY_SEGMENT_TILE - 1) / BLY_SEGMENT_TILE * BLY_SEGMENT_TILE,
                   most = device->shared_bytes < SEGMENT_BYTES ? device->shared_bytes : SEGMENT_BYTES,
                   rows = most / row_bytes(s, bly_group_items(device, MOST_ITEMS));
    uint32_t steps = (bly_simulation_segment_copies(s) ? COPIES_ROWS : SEGMENT_ROWS) / s->dims / BLY_SEGMENT_TILE * BLY_SEGMENT_TILE;
    if (!bly_simulation_draws(s) || (by_covariance && s->dims > MOST_COVARIANCE_DIMS)) return 0;
    if (steps > all) steps = all;
    if (steps < BLY_SEGMENT_TILE) steps = BLY_SEGMENT_TILE;
    return (uint64_t)steps * s->dims <= rows ? steps : 0;
}

/* Points of walks add to the last one of the segment before, which an item keeps. */
static uint64_t marks_bytes(const bailey_simulation *s, uint32_t segment)
{
    return s->walk == BLY_WALK_POINTS
               ? (uint64_t)(s->steps / segment + 1) * s->dims * bly_element_bytes(s->precision)
               : 0;
}

const struct bly_copies_tuning *bly_simulation_segment_copies(const bailey_simulation *s)
{
    const struct bly_device *device = s->context->device;
    static const struct bly_copies_tuning copies = {
        .items = 256, .groups = 1, .copies = 8, .octaves = 5, .shared_bytes = 192u << 10};
    const int fits = s->precision == BAILEY_PRECISION_F64 && copies.shared_bytes <= device->shared_bytes &&
                     copies.items == bly_group_items(device, copies.items);
    return fits && device->tuned ? &copies : NULL;
}

int bly_simulation_may_draw_segments(const bailey_simulation *s, const bailey_bridge_params *path)
{
    const uint32_t segment = bly_simulation_segment(s, 0);
    const int pays = s->precision == BAILEY_PRECISION_F32 || bly_simulation_segment_copies(s) ||
                     s->context->device->tuned == BLY_TUNED_ALWAYS;
    return segment && pays &&
           path->construction == BAILEY_CONSTRUCTION_WALK && !path->end &&
           bly_group_items(s->context->device, MOST_ITEMS) >= BLY_SEGMENT_PACK &&
           marks_bytes(s, segment) <= MOST_MARKS_BYTES;
}

uint32_t bly_simulation_segment_bytes(const bailey_simulation *s, const struct bly_simulation_variant *v)
{
    if (!s->segment || !bly_simulation_takes_lanes(s, v)) return 0;
    return s->segment * s->dims * row_bytes(s, v->block);
}

uint32_t bly_simulation_factor_words(const bailey_simulation *s, const struct bly_simulation_variant *v)
{
    const int draws = s->segment && s->correlated && v->input == BLY_INPUT_DRAWN;
    return draws ? (uint32_t)(s->dims * s->dims * bly_element_bytes(s->precision) + 7) / 8 : 0;
}
