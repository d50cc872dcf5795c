/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The form ICDF_FORM of icdf_lanes.h, for BAILEY_LANES lanes.
 */
#include "icdf_lanes.h"

#include <bailey/device/icdf_table.h>

#define OVER_ARRAY(name, function, table_type, word, input, output, value)                                   \
    static void name(const table_type *table, const word *w, value *x, size_t count)                         \
    {                                                                                                        \
        for (size_t i = 0; i < count; i += BAILEY_LANES) {                                                   \
            input a;                                                                                         \
            memcpy(&a, w + i, sizeof a);                                                                     \
            const output b = function(table, a);                                                             \
            memcpy(x + i, &b, sizeof b);                                                                     \
        }                                                                                                    \
    }
OVER_ARRAY(all_f32, bailey_normal_icdf_f32, float, uint32_t, bailey_u32, bailey_f32, float)
OVER_ARRAY(all_f32_from_u64, bailey_normal_icdf_f32_from_u64, float, uint64_t, bailey_u64, bailey_f32, float)
OVER_ARRAY(all_f64, bailey_normal_icdf_f64, double, uint64_t, bailey_u64, bailey_f64, double)
OVER_ARRAY(all_f64_from_u32, bailey_normal_icdf_f64_from_u32, double, uint32_t, bailey_u32, bailey_f64,
           double)

static int usable(void)
{
#if defined(__AVX512F__)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#elif defined(__AVX2__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return 1;
#endif
}

#define NAME_OF(form) #form
#define QUOTED(form) NAME_OF(form)
extern const struct icdf_lanes ICDF_FORM;
const struct icdf_lanes ICDF_FORM = {QUOTED(ICDF_FORM), usable,  all_f32,
                                     all_f32_from_u64,  all_f64, all_f64_from_u32};
