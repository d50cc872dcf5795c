/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The kernel of user_motion.cl in CUDA. Compile with --fmad=false.
 */
#define __kernel extern "C" __global__
#define get_global_id(dimension) ((bailey_uint64)blockIdx.x * blockDim.x + threadIdx.x)
#include "user_motion.cl"
