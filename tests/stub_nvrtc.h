/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What tests see of the stub compiler (stub_nvrtc.c), through dlsym.
 */
#ifndef BLY_STUB_NVRTC_H
#define BLY_STUB_NVRTC_H

#include <nvrtc.h>

/* Exported as `bly_stub_nvrtc`. */
struct bly_stub_nvrtc {
    int compiled;          /* calls of nvrtcCompileProgram, since the test set it to zero */
    int programs;          /* now */
    int misuses;           /* calls that the real one would answer with an error, or that miss an option */
    char architecture[16]; /* of the last compilation: "sm_90" */
    char begin[64];        /* likewise: what its text begins with */
    int shared;            /* likewise: BLY_SHARED_BYTES */
};

#endif
