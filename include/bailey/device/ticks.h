/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Brownian motion at any tick, as a pure function of (seed, stream, path, dimension, tick): no list of times,
 * no state, no tolerance.
 *
 * Time is an integer of ticks: t = t0 + tick (T - t0) / 2^levels. Node i of level j (from 1) is the
 * midpoint of the i-th of 2^(j-1) equal intervals, and is numbered 2^(j-1) + i. Its value comes from those at
 * the interval's ends and one normal, by the bridge's formula, so that a query for a tick goes down from the
 * root (the whole interval) through at most `levels` nodes. More levels add nodes below and change none
 * above.
 *
 * Order contract. The words of a node are those of Philox with the counter
 *   { node low, node high + 2^31, path low, path high + 2^8 dimension + 2^14 part + 2^16 areas }
 * (path below 2^40, dimension below 64), with the key that bailey_motion_keys computes from (seed, stream).
 * Elements, of 32 bits for f32 and of 64 for f64, number from 0 through the node's parts: a part is one
 * block. areas 0: a node of odd level has element 0, its left and right child have elements 1 and 2 of it;
 * the root has element 3 of node 1. areas 1 and 2: every node, and the root as node 0, has elements 0, 1 and,
 * for areas 2, 2. Normals are computed from elements by the inverse CDF (bailey/device/icdf_table.h).
 *
 * With areas a motion has integrals of its path too: H, the space-time Levy area of an interval, and K, the
 * space-time-time area. They and the path then have the right joint law, and the path is another one than
 * with areas 0: its normals mean something else. They take divisions, which an OpenCL kernel in single
 * precision must ask to be rounded correctly: -cl-fp32-correctly-rounded-divide-sqrt.
 *
 * Source: midpoint refinement, P. Levy (1948). Areas: J. Foster, T. Lyons, H. Oberhauser, "An optimal
 * polynomial approximation of Brownian motion", SIAM J. Numer. Anal. 58 (2020); A. Jelincic, J. Foster, P.
 * Kidger, "Single-seed generation of Brownian paths and integrals for adaptive and high order SDE solvers",
 * arXiv:2405.06464 (2024), whose definitions of H and K these are.
 */
#ifndef BAILEY_DEVICE_TICKS_H
#define BAILEY_DEVICE_TICKS_H

#include "bailey/device/normal.h"
#include "bailey/device/philox.h"

#define BAILEY_MOTION_MAX_LEVELS 52
#define BAILEY_MOTION_MAX_DIMS 64

/* The block of words of one part of a node; `areas` as above. */
BAILEY_FN bailey_philox_block bailey_motion_words(bailey_uint32 rounds, bailey_philox_keys keys,
                                                  bailey_uint32 areas, bailey_u64 path, bailey_uint32 dim,
                                                  bailey_u64 node, bailey_uint32 part)
{
    bailey_philox_block b_;
    b_.word[0] = bailey_u32_from_u64(node);
    b_.word[1] = bailey_u32_from_u64(node >> 32) | bailey_splat_u32(0x80000000u);
    b_.word[2] = bailey_u32_from_u64(path);
    b_.word[3] = bailey_u32_from_u64(path >> 32) | bailey_splat_u32(dim << 8 | part << 14 | areas << 16);
    bailey_philox_run(1, 7, rounds != 7, &b_, keys);
    return b_;
}

#if BAILEY_LANES == 1
/* The keys of (seed, stream): words 0 and 1 of a block that no element of theirs has
 * (bailey/device/philox.h). */
BAILEY_FN bailey_philox_keys bailey_motion_keys(bailey_uint32 rounds, bailey_uint64 seed,
                                                bailey_uint64 stream)
{
    const bailey_philox_block b_ =
        bailey_philox4x32((int)rounds, 0, 0x80000000u, (bailey_uint32)stream, (bailey_uint32)(stream >> 32),
                          (bailey_uint32)seed, (bailey_uint32)(seed >> 32));
    return bailey_philox_keys_of(b_.word[0] | (bailey_uint64)b_.word[1] << 32);
}
#endif

/* Conditions on ticks, lane by lane: bit 63 is set where they hold. Ticks are below 2^63; where one may not
 * be, `| tick` makes a condition hold for it. */
BAILEY_FN bailey_u64 bailey_motion_less(bailey_u64 a_, bailey_u64 b_) { return a_ - b_; }
BAILEY_FN bailey_u64 bailey_motion_equal(bailey_u64 a_, bailey_u64 b_) { return ~((a_ - b_) | (b_ - a_)); }
BAILEY_FN bailey_u64 bailey_motion_bit(bailey_u64 tick, bailey_uint32 bit) { return tick << (63 - bit); }
BAILEY_FN bailey_m64 bailey_motion_m64(bailey_u64 condition)
{
    return bailey_lt_i64(bailey_i64_bits_u64(condition), bailey_i64_bits_u64(bailey_splat_u64(0)));
}
BAILEY_FN bailey_m32 bailey_motion_m32(bailey_u64 condition)
{
    return bailey_lt_i32(bailey_i32_bits_u32(bailey_u32_from_u64(condition >> 32)), bailey_splat_i32(0));
}
BAILEY_FN int bailey_motion_any(bailey_u64 condition) { return bailey_any_m64(bailey_motion_m64(condition)); }
BAILEY_FN bailey_u64 bailey_motion_choose(bailey_u64 condition, bailey_u64 a_, bailey_u64 b_)
{
    return bailey_select_u64(bailey_motion_m64(condition), a_, b_);
}

/* A motion for kernels. Level 2i + 1 has the standard deviations odd[] 2^-i, level 2i + 2 even[] 2^-i: of the
 * midpoint and, with areas, of H and K; root[] are those of the whole interval, root[0] = 0 of a fixed end.
 */
typedef struct bailey_motion_f32 {
    bailey_philox_keys keys;
    bailey_uint32 rounds, levels, areas, reserved;
    float root[3], odd[3], even[3], padding;
} bailey_motion_f32;

/* Elements that a node of odd level holds for its children, and node 1 for the root. */
typedef struct bailey_motion_held_f32 {
    bailey_u32 left, right, root;
} bailey_motion_held_f32;

/* Areas 0: the normal of a node of odd level, */
BAILEY_FN bailey_f32 bailey_motion_odd_f32(const bailey_motion_f32 *m_, const BAILEY_ICDF_SPACE float *table,
                                           bailey_u64 path, bailey_uint32 dim, bailey_u64 node,
                                           bailey_motion_held_f32 *held)
{
    const bailey_philox_block b_ = bailey_motion_words(m_->rounds, m_->keys, 0, path, dim, node, 0);
    held->left = b_.word[1];
    held->right = b_.word[2];
    held->root = b_.word[3];
    return bailey_normal_icdf_f32(table, b_.word[0]);
}
/* that of its child on one side, */
BAILEY_FN bailey_f32 bailey_motion_even_f32(const bailey_motion_f32 *m_, const BAILEY_ICDF_SPACE float *table,
                                            bailey_u64 path, bailey_uint32 dim, bailey_u64 node,
                                            const bailey_motion_held_f32 *held, bailey_u64 right)
{
    (void)m_, (void)path, (void)dim, (void)node;
    return bailey_normal_icdf_f32(table,
                                  bailey_select_u32(bailey_motion_m32(right), held->right, held->left));
}
/* and the root's. */
BAILEY_FN bailey_f32 bailey_motion_root_f32(const bailey_motion_f32 *m_, const BAILEY_ICDF_SPACE float *table,
                                            bailey_u64 path, bailey_uint32 dim,
                                            const bailey_motion_held_f32 *held)
{
    (void)m_, (void)path, (void)dim;
    return bailey_normal_icdf_f32(table, held->root);
}
/* With areas: the normals of a node. */
BAILEY_FN void bailey_motion_normals_f32(const bailey_motion_f32 *m_, const BAILEY_ICDF_SPACE float *table,
                                         bailey_u64 path, bailey_uint32 dim, bailey_u64 node, bailey_f32 *z_)
{
    const bailey_philox_block b_ = bailey_motion_words(m_->rounds, m_->keys, m_->areas, path, dim, node, 0);
    z_[0] = bailey_normal_icdf_f32(table, b_.word[0]);
    z_[1] = bailey_normal_icdf_f32(table, b_.word[1]);
    z_[2] = m_->areas > 1 ? bailey_normal_icdf_f32(table, b_.word[2]) : bailey_splat_f32(0);
}
BAILEY_FN bailey_motion_held_f32 bailey_motion_choose_held_f32(bailey_u64 condition,
                                                               bailey_motion_held_f32 a_,
                                                               bailey_motion_held_f32 b_)
{
    a_.left = bailey_select_u32(bailey_motion_m32(condition), a_.left, b_.left);
    a_.right = bailey_select_u32(bailey_motion_m32(condition), a_.right, b_.right);
    a_.root = bailey_select_u32(bailey_motion_m32(condition), a_.root, b_.root);
    return a_;
}
/* An integer of at most 2^52, rounded once. Below 2^31 it is converted. Else it is the sum of two floats,
 * its bits from 28 on and those below. The lowest five of these can only decide a tie, so one bit stands for
 * them, and 24 are left. */
BAILEY_FN bailey_f32 bailey_motion_real_f32(bailey_u64 n_)
{
    const bailey_u32 zero = bailey_splat_u32(0), five = bailey_splat_u32(31), all = bailey_u32_from_u64(n_);
    const bailey_u32 above = bailey_u32_from_u64(n_ >> 28);
    const bailey_m32 is_small = bailey_lt_i32(bailey_i32_bits_u32(above), bailey_splat_i32(8));
    const bailey_u32 lowest = ((all & five) + five) >> 5 << 4;
    const bailey_u32 rest = (all & bailey_splat_u32(0x0fffffe0u)) | lowest;
    const bailey_f32 high =
        bailey_f32_from_i32(bailey_i32_bits_u32(bailey_select_u32(is_small, zero, above)));
    const bailey_f32 low = bailey_f32_from_i32(bailey_i32_bits_u32(bailey_select_u32(is_small, all, rest)));
    return bailey_fma_f32(high, bailey_splat_f32(0x1p28f), low);
}
BAILEY_FN bailey_f32 bailey_motion_nan_f32(void)
{
    return bailey_f32_bits_u32(bailey_splat_u32(0x7fc00000u));
}
/* 2^-n, n at most 126. */
BAILEY_FN bailey_f32 bailey_motion_shift_f32(bailey_uint32 n_)
{
    return bailey_f32_bits_u32(bailey_splat_u32((127u - n_) << 23));
}

#define BAILEY_MOTION_IS _f32
#define BAILEY_MOTION_REAL bailey_f32
#define BAILEY_MOTION_SCALAR float
#define BAILEY_MOTION_MASK bailey_motion_m32
#define BAILEY_MOTION_TWELFTH 0x1.555556p-4f
#include "bailey/device/lang/motion_real.h"

#if BAILEY_HAS_F64
typedef struct bailey_motion_f64 {
    bailey_philox_keys keys;
    bailey_uint32 rounds, levels, areas, reserved;
    double root[3], odd[3], even[3];
} bailey_motion_f64;

/* The right child's element, and the root's, are in the node's second part. */
typedef struct bailey_motion_held_f64 {
    bailey_u64 left;
} bailey_motion_held_f64;

BAILEY_FN bailey_u64 bailey_motion_element(bailey_philox_block b_, int i_)
{
    return bailey_u64_from_u32(b_.word[2 * i_]) | bailey_u64_from_u32(b_.word[2 * i_ + 1]) << 32;
}
BAILEY_FN bailey_f64 bailey_motion_odd_f64(const bailey_motion_f64 *m_,
                                           const BAILEY_ICDF_SPACE_F64 double *table, bailey_u64 path,
                                           bailey_uint32 dim, bailey_u64 node, bailey_motion_held_f64 *held)
{
    const bailey_philox_block b_ = bailey_motion_words(m_->rounds, m_->keys, 0, path, dim, node, 0);
    held->left = bailey_motion_element(b_, 1);
    return bailey_normal_icdf_f64(table, bailey_motion_element(b_, 0));
}
BAILEY_FN bailey_f64 bailey_motion_even_f64(const bailey_motion_f64 *m_,
                                            const BAILEY_ICDF_SPACE_F64 double *table, bailey_u64 path,
                                            bailey_uint32 dim, bailey_u64 node,
                                            const bailey_motion_held_f64 *held, bailey_u64 right)
{
    bailey_u64 u_ = held->left;
    if (bailey_motion_any(right)) {
        const bailey_philox_block b_ = bailey_motion_words(m_->rounds, m_->keys, 0, path, dim, node, 1);
        u_ = bailey_motion_choose(right, bailey_motion_element(b_, 0), u_);
    }
    return bailey_normal_icdf_f64(table, u_);
}
BAILEY_FN bailey_f64 bailey_motion_root_f64(const bailey_motion_f64 *m_,
                                            const BAILEY_ICDF_SPACE_F64 double *table, bailey_u64 path,
                                            bailey_uint32 dim, const bailey_motion_held_f64 *held)
{
    (void)held;
    const bailey_philox_block b_ =
        bailey_motion_words(m_->rounds, m_->keys, 0, path, dim, bailey_splat_u64(1), 1);
    return bailey_normal_icdf_f64(table, bailey_motion_element(b_, 1));
}
BAILEY_FN void bailey_motion_normals_f64(const bailey_motion_f64 *m_,
                                         const BAILEY_ICDF_SPACE_F64 double *table, bailey_u64 path,
                                         bailey_uint32 dim, bailey_u64 node, bailey_f64 *z_)
{
    bailey_philox_block b_ = bailey_motion_words(m_->rounds, m_->keys, m_->areas, path, dim, node, 0);
    z_[0] = bailey_normal_icdf_f64(table, bailey_motion_element(b_, 0));
    z_[1] = bailey_normal_icdf_f64(table, bailey_motion_element(b_, 1));
    z_[2] = bailey_splat_f64(0);
    if (m_->areas < 2) return;
    b_ = bailey_motion_words(m_->rounds, m_->keys, m_->areas, path, dim, node, 1);
    z_[2] = bailey_normal_icdf_f64(table, bailey_motion_element(b_, 0));
}
BAILEY_FN bailey_motion_held_f64 bailey_motion_choose_held_f64(bailey_u64 condition,
                                                               bailey_motion_held_f64 a_,
                                                               bailey_motion_held_f64 b_)
{
    a_.left = bailey_motion_choose(condition, a_.left, b_.left);
    return a_;
}
/* An integer below 2^53: the lower 32 bits and the others, each exact next to a power of 2. */
BAILEY_FN bailey_f64 bailey_motion_real_f64(bailey_u64 n_)
{
    const bailey_f64 high = bailey_f64_bits_u64(n_ >> 32 | bailey_splat_u64(0x4530000000000000u));
    const bailey_f64 low =
        bailey_f64_bits_u64((n_ & bailey_splat_u64(0xffffffffu)) | bailey_splat_u64(0x4330000000000000u));
    return (high - bailey_splat_f64(0x1p84)) + (low - bailey_splat_f64(0x1p52));
}
BAILEY_FN bailey_f64 bailey_motion_nan_f64(void)
{
    return bailey_f64_bits_u64(bailey_splat_u64(0x7ff8000000000000u));
}
BAILEY_FN bailey_f64 bailey_motion_shift_f64(bailey_uint32 n_)
{
    return bailey_f64_bits_u64(bailey_splat_u64((bailey_uint64)(1023u - n_) << 52));
}

#define BAILEY_MOTION_IS _f64
#define BAILEY_MOTION_REAL bailey_f64
#define BAILEY_MOTION_SCALAR double
#define BAILEY_MOTION_MASK bailey_motion_m64
#define BAILEY_MOTION_TWELFTH 0x1.5555555555555p-4
#include "bailey/device/lang/motion_real.h"
#endif

#endif
