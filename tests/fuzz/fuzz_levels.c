/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Levels as users write them.
 */
#include "fuzz_text.h"
#include "fuzz_unit.h"

int fuzz_accepts(const uint8_t *data, size_t size) { return fuzz_accepts_unit(data, size, 1); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_read_unit(data, size, 1) ? fuzz_read_text(data, size, 1) : 0;
}
