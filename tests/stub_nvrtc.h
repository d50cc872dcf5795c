/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The functions of the stub compiler (stub_nvrtc.c).
 */
#ifndef STUB_NVRTC_H
#define STUB_NVRTC_H

#include <backend/cuda/nvrtc_symbols.h>

#define STUB_SYMBOLS(X) BLY_NVRTC_SYMBOLS(X)

#endif
