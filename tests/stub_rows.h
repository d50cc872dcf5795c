/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The rows of kernels/families.h as the stub drivers run them: the cpu backend's scalar kernels, by name.
 */
#ifndef STUB_ROWS_H
#define STUB_ROWS_H

#include <stdint.h>

struct stub_row {
    const char *name;
    uint32_t buffers, striped, team; /* as in struct bly_kernel */
};

/* NULL where there is none of this name. */
const struct stub_row *stub_row_find(const char *name);

/* What one thread, or work-item of one lane, does. */
void stub_row_run(const struct stub_row *row, const void *params, void *const *buffers, uint64_t item,
                  uint64_t row_number);

#endif
