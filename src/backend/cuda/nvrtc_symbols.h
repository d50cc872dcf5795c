/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The entry points of NVRTC that the backend uses, opened at run time.
 */
#ifndef BLY_NVRTC_SYMBOLS_H
#define BLY_NVRTC_SYMBOLS_H

#include <nvrtc.h>

/* What version 11.2 and later have. */
#define BLY_NVRTC_SYMBOLS(X)                                                                                 \
    X(nvrtcCompileProgram)                                                                                   \
    X(nvrtcCreateProgram)                                                                                    \
    X(nvrtcDestroyProgram)                                                                                   \
    X(nvrtcGetCUBIN)                                                                                         \
    X(nvrtcGetCUBINSize)                                                                                     \
    X(nvrtcGetErrorString)                                                                                   \
    X(nvrtcGetNumSupportedArchs)                                                                             \
    X(nvrtcGetPTX)                                                                                           \
    X(nvrtcGetPTXSize)                                                                                       \
    X(nvrtcGetProgramLog)                                                                                    \
    X(nvrtcGetProgramLogSize)                                                                                \
    X(nvrtcGetSupportedArchs)                                                                                \
    X(nvrtcVersion)

#endif
