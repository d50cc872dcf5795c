/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * NVIDIA's PTX that CUDA and NVIDIA's OpenCL share: each has a name of its own for BAILEY_ASM. Part of
 * bailey/device/dialect.h.
 */
#ifndef BAILEY_DEVICE_LANG_PTX_H
#define BAILEY_DEVICE_LANG_PTX_H

#define BAILEY_NATIVE(name, instruction)                                                                     \
    BAILEY_FN float bailey_native_##name##_f32(float x)                                                      \
    {                                                                                                        \
        float r;                                                                                             \
        BAILEY_ASM(instruction ".approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));                                \
        return r;                                                                                            \
    }

/* 1 / sqrt(x) to 2^-22.9 (PTX ISA, rsqrt.approx); infinite for 0. */
#define BAILEY_HAS_RSQRT 1
BAILEY_NATIVE(rsqrt, "rsqrt")

/* NVIDIA's compilers make four stores of one where another branch stores the same values one by one, unless
 * they are told in their own words. */
#define BAILEY_STORE_ONCE32(constraint, x, vector, p)                                                        \
    BAILEY_ASM volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(p), constraint((x).v[0]),           \
                        constraint((x).v[1]), constraint((x).v[2]), constraint((x).v[3])                     \
                        : "memory")
#define BAILEY_STORE_ONCE64(constraint, x, vector, p)                                                        \
    BAILEY_ASM volatile("st.global.v2.b64 [%0], {%1, %2};" ::"l"(p), constraint((x).v[0]),                   \
                        constraint((x).v[1])                                                                 \
                        : "memory")

#endif
