/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The kernels of the stub driver of OpenCL: bailey's own (stub_rows.c), and stub_double and stub_sum, which
 * tests give as texts.
 */
#include "stub_opencl_kernels.h"

#include <backend/backend.h>

#include <string.h>

/* DOUBLE: x[item] = 2 a[item] + 1 for the items below the parameter. Every item that runs is counted. */
EXPORT uint64_t stub_items;
static void stub_double_stub(const void *params, void *const *buffers, uint64_t item, uint64_t row)
{
    uint64_t count;
    (void)row;
    memcpy(&count, params, sizeof count);
    stub_items++;
    if (item < count) ((uint64_t *)buffers[2])[item] = 2 * ((const uint64_t *)buffers[0])[item] + 1;
}

/* b15[item] = b0[item] + ... + b14[item], for the items below the last of the parameters. */
static void stub_sum_stub(const void *params, void *const *buffers, uint64_t item, uint64_t row)
{
    uint64_t p[BLY_MAX_PARAMS / 8], sum = 0;
    (void)row;
    memcpy(p, params, sizeof p);
    if (item >= p[BLY_MAX_PARAMS / 8 - 1]) return;
    for (int i = 0; i < 15; i++) sum += ((const uint64_t *)buffers[i])[item];
    ((uint64_t *)buffers[15])[item] = sum;
}

int stub_kernel_find(const char *name, struct stub_kernel *kernel)
{
    static const struct {
        const char *name;
        stub_function *function;
    } texts[] = {{"stub_double", stub_double_stub}, {"stub_sum", stub_sum_stub}};
    *kernel = (struct stub_kernel){.row = stub_row_find(name)};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(texts[i].name, name) == 0) kernel->text = texts[i].function;
    return kernel->row || kernel->text;
}

void stub_kernel_run(const struct stub_kernel *kernel, const void *params, void *const *buffers,
                     uint64_t item, uint64_t row)
{
    if (kernel->text)
        kernel->text(params, buffers, item, row);
    else
        stub_row_run(kernel->row, params, buffers, item, row);
}
