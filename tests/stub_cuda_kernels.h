/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The kernels of the stub driver (stub_cuda.c).
 */
#ifndef STUB_CUDA_KERNELS_H
#define STUB_CUDA_KERNELS_H

#include "stub_rows.h"

#define BLY_STUB_BUFFERS 16

/* A row, or a kernel of a text. */
struct CUfunc_st {
    const char *name;
    const struct stub_row *row;
    void (*text)(void **arguments, uint64_t item, uint64_t row);
    unsigned buffers;
    unsigned most_shared; /* 0: what needs no cuFuncSetAttribute */
};

/* Runs one thread, whose arguments are those of the entry point. */
void stub_cuda_run(const struct CUfunc_st *function, void **arguments, uint64_t item, uint64_t row);

#define STUB_CUDA_BUFFER(i, type) (*(type **)arguments[1 + (i)])

/* NULL where there is none. */
struct CUfunc_st *stub_cuda_function(const char *name, int is_program);

#endif
