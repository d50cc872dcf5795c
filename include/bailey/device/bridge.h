/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The execution strategy of a Brownian bridge as the device reads it: one record per construction step.
 * The host plans once (`bailey_bridge_create`); kernels walk the records in order. Your own kernels
 * get them from `bailey_bridge_records`, and may ignore `code` if they read neighbours back from their
 * output.
 *
 * Points are numbered by time: 0 is t0, 1 .. N the interior times, N + 1 is T. Row r of X is point
 * r + 1. Increment i goes from point i to point i + 1. Z rows are in construction order.
 *
 * Source: J. du Toit, "A high-performance Brownian bridge for GPUs", NAG (2011), sections 2.2 and 7.
 */
#ifndef BAILEY_DEVICE_BRIDGE_PLAN_H
#define BAILEY_DEVICE_BRIDGE_PLAN_H

#include "bailey/device/dialect.h"

/* One point of a path: X = sigma C Z + (right_weight X_right + left_weight X_left).
 *
 * `left` and `right` are the points it is interpolated from. The first record is T: with a free end
 * its neighbours are both t0, left_weight 1, right_weight 0; with a fixed end it draws nothing.
 *
 * BAILEY_CONSTRUCTION_WALK has these records in time order, both neighbours the point before, left_weight 1
 * and right_weight 0. Its scaled increments have them too, not splits: X is then the increment that ends at
 * `point`, the neighbours are t0, both weights 0, and X(t0) counts as 0.
 *
 * `code` says where a walk that keeps values finds them, see the BAILEY_BRIDGE_ masks: bits 0-2 the
 * source of the left neighbour, bits 3-5 of the right one, bits 8-15 and 16-23 the stack slots they
 * are read from, bits 24-31 the slot the new value is written to, or 255 for none. */
typedef struct bailey_bridge_step_f32 {
    bailey_uint32 row;   /* the step of Z */
    bailey_uint32 point; /* the point built */
    bailey_uint32 left, right;
    bailey_uint32 code;
    float left_weight, right_weight, sigma;
} bailey_bridge_step_f32;

#define BAILEY_BRIDGE_FROM_LEFT 0u  /* the left neighbour of the step before */
#define BAILEY_BRIDGE_FROM_RIGHT 1u /* its right neighbour */
#define BAILEY_BRIDGE_FROM_BUILT 2u /* the point it built */
#define BAILEY_BRIDGE_FROM_STACK 3u
#define BAILEY_BRIDGE_FROM_START 4u /* X(t0) */
#define BAILEY_BRIDGE_LEFT_SOURCE(code) ((code)&7u)
#define BAILEY_BRIDGE_RIGHT_SOURCE(code) ((code) >> 3 & 7u)
#define BAILEY_BRIDGE_LEFT_SLOT(code) ((code) >> 8 & 255u)
#define BAILEY_BRIDGE_RIGHT_SLOT(code) ((code) >> 16 & 255u)
#define BAILEY_BRIDGE_WRITE_SLOT(code) ((code) >> 24)
#define BAILEY_BRIDGE_NO_SLOT 255u

/* One split of a gap, for increments: D = X_hi - X_lo splits at point `node` into
 * left = left_sigma C Z + left_weight D and right = right_sigma C Z + right_weight D, where right_sigma is
 * negative. A part that is a single interval is divided by its length t_{i+1} - t_i: that is in its
 * weight and its sigma.
 *
 * `gap` is the point lo: the increment row of the left part, and where a walk without a stack keeps
 * D until it is split; `node` is the same for the right part. The first record makes the root gap
 * (t0, T), which has no right part: with a free end D = left_sigma C Z, with a fixed one
 * left_weight (end - start), where left_weight is 1 unless N = 0; gap = node = 0.
 *
 * `code`: bits 0-1 the source of D, bits 2-3 which part to push (0 none, 1 left, 2 right), bit 4 set
 * if the left part is a single interval, bit 5 if the right one is, bits 8-15 the slot read,
 * bits 16-23 the slot pushed to. */
typedef struct bailey_bridge_split_f32 {
    bailey_uint32 row;
    bailey_uint32 gap, node;
    bailey_uint32 code;
    float left_weight, right_weight, left_sigma, right_sigma;
} bailey_bridge_split_f32;

#define BAILEY_BRIDGE_SPLIT_LEFT 0u  /* D is the left part of the split before */
#define BAILEY_BRIDGE_SPLIT_RIGHT 1u /* its right part (the root's D counts as both) */
#define BAILEY_BRIDGE_SPLIT_STACK 2u
#define BAILEY_BRIDGE_SPLIT_SOURCE(code) ((code)&3u)
#define BAILEY_BRIDGE_SPLIT_PUSH(code) ((code) >> 2 & 3u)
#define BAILEY_BRIDGE_SPLIT_LEFT_DONE(code) ((code) >> 4 & 1u)
#define BAILEY_BRIDGE_SPLIT_RIGHT_DONE(code) ((code) >> 5 & 1u)
#define BAILEY_BRIDGE_SPLIT_READ_SLOT(code) ((code) >> 8 & 255u)
#define BAILEY_BRIDGE_SPLIT_WRITE_SLOT(code) ((code) >> 16 & 255u)

#if BAILEY_HAS_F64
typedef struct bailey_bridge_step_f64 {
    bailey_uint32 row, point, left, right, code, reserved;
    double left_weight, right_weight, sigma;
} bailey_bridge_step_f64;

typedef struct bailey_bridge_split_f64 {
    bailey_uint32 row, gap, node, code;
    double left_weight, right_weight, left_sigma, right_sigma;
} bailey_bridge_split_f64;
#endif

/* No plan needs more stack slots: at most 38 for N = 10^6. */
#define BAILEY_BRIDGE_MAX_SLOTS 40

/* The value built by a step whose neighbours have the values `left` and `right`; `z` is its entry of C Z. */
BAILEY_FN bailey_f32 bailey_bridge_point_f32(bailey_bridge_step_f32 s_, bailey_f32 left, bailey_f32 right,
                                             bailey_f32 z_)
{
    return bailey_fma_f32(
        bailey_splat_f32(s_.sigma), z_,
        bailey_fma_f32(bailey_splat_f32(s_.right_weight), right, bailey_splat_f32(s_.left_weight) * left));
}

/* The left and the right part of a gap that changes by `gap`. */
BAILEY_FN bailey_f32 bailey_bridge_left_f32(bailey_bridge_split_f32 s_, bailey_f32 gap, bailey_f32 z_)
{
    return bailey_fma_f32(bailey_splat_f32(s_.left_sigma), z_, bailey_splat_f32(s_.left_weight) * gap);
}
BAILEY_FN bailey_f32 bailey_bridge_right_f32(bailey_bridge_split_f32 s_, bailey_f32 gap, bailey_f32 z_)
{
    return bailey_fma_f32(bailey_splat_f32(s_.right_sigma), z_, bailey_splat_f32(s_.right_weight) * gap);
}

#if BAILEY_HAS_F64
BAILEY_FN bailey_f64 bailey_bridge_point_f64(bailey_bridge_step_f64 s_, bailey_f64 left, bailey_f64 right,
                                             bailey_f64 z_)
{
    return bailey_fma_f64(
        bailey_splat_f64(s_.sigma), z_,
        bailey_fma_f64(bailey_splat_f64(s_.right_weight), right, bailey_splat_f64(s_.left_weight) * left));
}

BAILEY_FN bailey_f64 bailey_bridge_left_f64(bailey_bridge_split_f64 s_, bailey_f64 gap, bailey_f64 z_)
{
    return bailey_fma_f64(bailey_splat_f64(s_.left_sigma), z_, bailey_splat_f64(s_.left_weight) * gap);
}
BAILEY_FN bailey_f64 bailey_bridge_right_f64(bailey_bridge_split_f64 s_, bailey_f64 gap, bailey_f64 z_)
{
    return bailey_fma_f64(bailey_splat_f64(s_.right_sigma), z_, bailey_splat_f64(s_.right_weight) * gap);
}
#endif

#endif
