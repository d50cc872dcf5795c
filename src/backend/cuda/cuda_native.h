/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * CUDA's handles behind an open device and its memory, for bailey/cuda.h.
 */
#ifndef BLY_CUDA_NATIVE_H
#define BLY_CUDA_NATIVE_H

#include <backend/backend.h>

void bly_cuda_handles(const struct bly_device *device, void **context, void **stream);
uint64_t bly_cuda_pointer(const struct bly_memory *memory);

#endif
