/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The kernels of the stub driver, in C, thread for thread, as src/kernels_cu/entry_cu.h would run them: the
 * rows (stub_rows.c), and of texts (stub_nvrtc.c) stub_double and stub_gather.
 */
#include "stub_cuda_kernels.h"
#include "stub_cuda.h"

#include <string.h>

extern struct bly_stub_cuda bly_stub_cuda;

/* x[item] = 2 a[item] + 1 for the items below the parameter. */
static void stub_double_run(void **arguments, uint64_t item, uint64_t row)
{
    uint64_t count;
    (void)row;
    memcpy(&count, arguments[0], sizeof count);
    bly_stub_cuda.program_items++;
    if (item < count) STUB_CUDA_BUFFER(2, uint64_t)[item] = 2 * STUB_CUDA_BUFFER(0, uint64_t)[item] + 1;
}

/* x[item] = the sum of the other fifteen, of which any may be missing. */
static void stub_gather_run(void **arguments, uint64_t item, uint64_t row)
{
    uint64_t p[BLY_STUB_GATHER_PARAMS / 8], sum = 0;
    (void)row;
    memcpy(p, arguments[0], sizeof p);
    if (item >= p[0]) return;
    for (int i = 0; i < 15; i++)
        if (STUB_CUDA_BUFFER(i, uint64_t)) sum += STUB_CUDA_BUFFER(i, uint64_t)[item];
    STUB_CUDA_BUFFER(15, uint64_t)[item] = sum + p[BLY_STUB_GATHER_PARAMS / 8 - 1];
}

static struct CUfunc_st texts[] = {{.name = "stub_double", .text = stub_double_run, .buffers = 3},
                                   {.name = "stub_gather", .text = stub_gather_run, .buffers = 16}};

struct CUfunc_st *stub_cuda_function(const char *name, int is_program)
{
    static struct CUfunc_st rows[512];
    for (size_t i = 0; is_program && i < sizeof texts / sizeof *texts; i++)
        if (strcmp(texts[i].name, name) == 0) return &texts[i];
    const struct stub_row *row = is_program ? NULL : stub_row_find(name);
    struct CUfunc_st *function = rows;
    while (row && function->row && function->row != row) function++;
    if (row) *function = (struct CUfunc_st){.name = row->name, .row = row, .buffers = row->buffers};
    return row ? function : NULL;
}

void stub_cuda_run(const struct CUfunc_st *function, void **arguments, uint64_t item, uint64_t row)
{
    void *buffers[BLY_STUB_BUFFERS];
    if (function->text) {
        function->text(arguments, item, row);
        return;
    }
    for (unsigned i = 0; i < function->buffers; i++) buffers[i] = STUB_CUDA_BUFFER(i, void);
    stub_row_run(function->row, arguments[0], buffers, item, row);
}
