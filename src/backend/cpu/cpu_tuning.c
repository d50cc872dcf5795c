/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The tuned numbers of processors, by what docs/records/benchmarks.md measured.
 */
#include "cpu_tuning.h"

/* A MiB of words stays in the second cache between the kernel that writes it and the one that reads it, as
 * does a MiB of paths per thread. Of normals, too, each thread has a MiB, but all have 4 at least: launches
 * are too short to share otherwise. Straight-line code does not help with one lane per item, where the walk
 * of the table runs a vector of paths at a time. A compiler takes a second, which is what 2^30 normals on
 * each thread would have to save. */
struct bly_tuning bly_cpu_tuning(unsigned threads)
{
    return (struct bly_tuning){
        .scratch_words = UINT64_C(1) << 18,
        .chunk_bytes = (UINT64_C(1) << 20) * threads,
        .compile_normals = (UINT64_C(1) << 30) * threads,
        .z_chunk_bytes = (UINT64_C(1) << 20) * (threads > 4 ? threads : 4),
        .straight_steps = 0,
        .straight_dims = 0,
    };
}
