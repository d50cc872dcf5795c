/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The kernels that the stub drivers run: the rows of kernels/families.h, which are the cpu backend's scalar
 * kernels, and stub_double and stub_gather, which tests give as texts.
 */
#ifndef STUB_ROWS_H
#define STUB_ROWS_H

#include <stdint.h>

struct stub_row {
    const char *name;
    uint32_t buffers, striped, team; /* as in struct bly_kernel */
};

/* A row, or a text's kernel, of which every item of a work-group runs. */
struct stub_kernel {
    const struct stub_row *row;
    void (*text)(const void *params, void *const *buffers, uint64_t item);
    uint32_t buffers;
};

/* 0 where there is not one of this name. */
int stub_kernel_find(const char *name, int is_text, struct stub_kernel *kernel);

/* Runs one thread, or work-item of one lane. */
void stub_kernel_run(const struct stub_kernel *kernel, const void *params, void *const *buffers,
                     uint64_t item, uint64_t row);

#endif
