/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Quantiles of gamma distributions whose shape differs from call to call, their derivative by the shape, and
 * the density. One lane at a time; fixed sequences of operations that IEEE 754 pins down, so the same bits on
 * every device; programs in OpenCL must round divisions and roots correctly.
 *
 * The tail's probability is that of x times an integral over ln(t / x), whose integrand falls smoothly from
 * 1: Gauss and Legendre's rule with a fixed number of points serves all shapes from 1 to 10^9. Below 1 the
 * same holds above x = 3/2, and the power series is inverted below. Steps are Halley's, by the logarithm of
 * the probability, from a start by Wilson and Hilferty, "The distribution of chi-square", PNAS 17 (1931). The
 * derivative by the shape is that of the same integral, as in Figurnov, Mohamed and Mnih, "Implicit
 * reparameterization gradients", NeurIPS 2018.
 *
 * bailey_gamma_icdf_f32(u, a): the x that a gamma number of shape `a` and scale 1 is below with probability
 * u, for 0 < u < 1 and shapes from 0.001 to 10^9; NaN for others. Probabilities below 2^-100 (f64: 2^-1000)
 * count as this one; results below the smallest normal number are 0. A chi-square number with n degrees of
 * freedom is 2 bailey_gamma_icdf_f32(u, n / 2).
 * bailey_gamma_icdf_by_shape_f32(u, a): its derivative by `a`.
 * bailey_gamma_density_f32(x, a): the density; its inverse is the derivative by u.
 *
 * docs/developers/accuracy.md has their errors.
 */
#ifndef BAILEY_DEVICE_GAMMA_H
#define BAILEY_DEVICE_GAMMA_H

#include "bailey/device/inverse.h"

#if BAILEY_LANES == 1

/* Points of the integral on (0, 1) with weights, and the powers of f in 1 / Gamma(1 + f), highest first
 * (tools/fit_gamma.py). */
/* clang-format off */
#define BAILEY_GAMMA_NODES_F32 \
    0x1.5d2698p-9f, 0x1.d29fcp-7f, 0x1.25acf4p-5f, 0x1.1918eap-4f, 0x1.d20e66p-4f, 0x1.60b1cp-3f, \
    0x1.f3f05cp-3f, 0x1.508254p-2f, 0x1.b1cd4ap-2f, 0x1.0d2a6ep-1f, 0x1.42ad9cp-1f, 0x1.769c14p-1f, \
    0x1.a5e77cp-1f, 0x1.cd8ed2p-1f, 0x1.eae9d6p-1f, 0x1.fbefe8p-1f
#define BAILEY_GAMMA_WEIGHTS_F32 \
    0x1.c194cp-8f, 0x1.0d1f8ep-6f, 0x1.ba246p-6f, 0x1.3dabb6p-5f, 0x1.a771ep-5f, 0x1.0b18bap-4f, \
    0x1.4150dep-4f, 0x1.71900cp-4f, 0x1.966d52p-4f, 0x1.aaa0bp-4f, 0x1.a9c4bep-4f, 0x1.9105d4p-4f, \
    0x1.5fa518p-4f, 0x1.173bd6p-4f, 0x1.776b52p-5f, 0x1.4c787cp-6f
#define BAILEY_GAMMA_RECIPROCAL_F32 \
    -0x1.51ce8ap-16f, 0x1.0c8a78p-13f, -0x1.c364fep-13f, -0x1.317112p-10f, 0x1.d919c6p-8f, -0x1.3b4af2p-7f, \
    -0x1.59af1p-5f, 0x1.551232p-3f, -0x1.5815e8p-5f, -0x1.4fcf4p-1f, 0x1.2788dp-1f
#define BAILEY_GAMMA_NODES_F64 \
    0x1.671f29d064fc2p-11, 0x1.dadfbaf14c45p-9, 0x1.25c0ebeaf8e9bp-7, 0x1.134d7316c67aap-6, \
    0x1.beaee0d23165p-6, 0x1.4bbad48afbc2cp-5, 0x1.d025d50785056p-5, 0x1.36f82cf836d02p-4, \
    0x1.932cbab0ece69p-4, 0x1.fd353c6109573p-4, 0x1.3ab68af45e114p-3, 0x1.7dfc5965dd613p-3, \
    0x1.c85c8f783bfb2p-3, 0x1.0cd05f18e50f9p-2, 0x1.38b3b5a77997dp-2, 0x1.6790afa0ed5dep-2, \
    0x1.9908403206e71p-2, 0x1.cca42ae039299p-2, 0x1.00ec0f12e2acfp-1, 0x1.1c01d250ccee7p-1, \
    0x1.373a7117af1fdp-1, 0x1.5236054382ae2p-1, 0x1.6c8fbbf583f53p-1, 0x1.85e0211aa5957p-1, \
    0x1.9dbf98bc7015ap-1, 0x1.b3c8f1d23d0cbp-1, 0x1.c79bfd1f365d6p-1, 0x1.d8e0124c0656cp-1, \
    0x1.e7466df2ae28p-1, 0x1.f28c552fff9e5p-1, 0x1.fa7cf22c3d1ap-1, 0x1.fef3263ab4b4ap-1
#define BAILEY_GAMMA_WEIGHTS_F64 \
    0x1.cd3aec84dd392p-10, 0x1.0e79e9e64fb5ep-8, 0x1.aeaeeecbe068ep-8, 0x1.2b0c49e7c3acfp-7, \
    0x1.834b360fa0267p-7, 0x1.e0b4eb1d69125p-7, 0x1.21c51dd59e4b4p-6, 0x1.55d0497436a0ep-6, \
    0x1.8c2d8bf31c414p-6, 0x1.c4545a2113b03p-6, 0x1.fd838edbce9bfp-6, 0x1.1b62b54ed9131p-5, \
    0x1.377af78dd1fecp-5, 0x1.5265b075d4aedp-5, 0x1.6b7051daec88p-5, 0x1.81e0895a8753dp-5, \
    0x1.94fab40307a1dp-5, 0x1.a4089d042c52dp-5, 0x1.ae6047a90b305p-5, 0x1.b36a83da1bcb5p-5, \
    0x1.b2a90dcd4ec71p-5, 0x1.abbbfd4f962adp-5, 0x1.9e664f1455ca6p-5, 0x1.8a915a7cdda0ep-5, \
    0x1.704f100b7a318p-5, 0x1.4fdae7de55727p-5, 0x1.299973cec57b1p-5, 0x1.fc2d2c3e9a7f6p-6, \
    0x1.9c04db2088e4bp-6, 0x1.345a4ed239e57p-6, 0x1.8e0a8f9daafe3p-7, 0x1.58aa015305778p-8
#define BAILEY_GAMMA_RECIPROCAL_F64 \
    0x1.1f20151323cdp-41, -0x1.0423bac8ca3fbp-38, 0x1.11d065bfaf067p-37, 0x1.cae7675c18607p-34, \
    -0x1.44b4cedca388fp-30, 0x1.57bc3fc384334p-28, 0x1.a44b7ba22d629p-28, -0x1.b9986666c225dp-23, \
    0x1.302509dbc0de3p-20, -0x1.4fad41fc34fbbp-20, -0x1.51ce8af47eabep-16, 0x1.0c8a78cd9f9d2p-13, \
    -0x1.c364fe6f1563dp-13, -0x1.317112ce3a2a8p-10, 0x1.d919c527f60b2p-8, -0x1.3b4af28483e21p-7, \
    -0x1.59af103c34092p-5, 0x1.5512320b43fbep-3, -0x1.5815e8fa27048p-5, -0x1.4fcf4026afa2ep-1, \
    0x1.2788cfc6fb619p-1
/* clang-format on */

#define BAILEY_GAMMA_TABLES(real, scalar, REAL)                                                              \
    BAILEY_CONSTANT scalar bailey_gamma_nodes_##real[] = {BAILEY_GAMMA_NODES_##REAL};                        \
    BAILEY_CONSTANT scalar bailey_gamma_weights_##real[] = {BAILEY_GAMMA_WEIGHTS_##REAL};                    \
    BAILEY_CONSTANT scalar bailey_gamma_coefficients_##real[] = {BAILEY_GAMMA_RECIPROCAL_##REAL};
BAILEY_GAMMA_TABLES(f32, float, F32)

#define BAILEY_GAMMA_IS _f32
#define BAILEY_GAMMA_REAL bailey_f32
#define BAILEY_GAMMA_C(x) ((float)(x))
#define BAILEY_GAMMA_NONE bailey_f32_bits_u32(0x7fc00000u)
#define BAILEY_GAMMA_INFINITE bailey_f32_bits_u32(0x7f800000u)
#define BAILEY_GAMMA_LEAST 0x1p-100f
#define BAILEY_GAMMA_FALL 20
#define BAILEY_GAMMA_POINTS 16
#define BAILEY_GAMMA_STEPS 3
#define BAILEY_GAMMA_SERIES_TERMS 13
#define BAILEY_GAMMA_SERIES_STEPS 4
#define BAILEY_GAMMA_BEND_TERMS 9
#define BAILEY_GAMMA_LOG_TERMS 7
#define BAILEY_GAMMA_RECIPROCAL_TERMS 11
#include "bailey/device/lang/gamma_real.h"

#if BAILEY_HAS_F64
BAILEY_GAMMA_TABLES(f64, double, F64)
#undef BAILEY_GAMMA_IS
#undef BAILEY_GAMMA_REAL
#undef BAILEY_GAMMA_C
#undef BAILEY_GAMMA_NONE
#undef BAILEY_GAMMA_INFINITE
#undef BAILEY_GAMMA_LEAST
#undef BAILEY_GAMMA_FALL
#undef BAILEY_GAMMA_POINTS
#undef BAILEY_GAMMA_STEPS
#undef BAILEY_GAMMA_SERIES_TERMS
#undef BAILEY_GAMMA_SERIES_STEPS
#undef BAILEY_GAMMA_BEND_TERMS
#undef BAILEY_GAMMA_LOG_TERMS
#undef BAILEY_GAMMA_RECIPROCAL_TERMS
#define BAILEY_GAMMA_IS _f64
#define BAILEY_GAMMA_REAL bailey_f64
#define BAILEY_GAMMA_C(x) ((double)(x))
#define BAILEY_GAMMA_NONE bailey_f64_bits_u64(0x7ff8000000000000u)
#define BAILEY_GAMMA_INFINITE bailey_f64_bits_u64(0x7ff0000000000000u)
#define BAILEY_GAMMA_LEAST 0x1p-1000
#define BAILEY_GAMMA_FALL 38
#define BAILEY_GAMMA_POINTS 32
#define BAILEY_GAMMA_STEPS 3
#define BAILEY_GAMMA_SERIES_TERMS 24
#define BAILEY_GAMMA_SERIES_STEPS 5
#define BAILEY_GAMMA_BEND_TERMS 16
#define BAILEY_GAMMA_LOG_TERMS 15
#define BAILEY_GAMMA_RECIPROCAL_TERMS 21
#include "bailey/device/lang/gamma_real.h"
#endif

#endif

#endif
