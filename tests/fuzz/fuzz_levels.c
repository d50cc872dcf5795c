/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Levels as users write them (src/host/simulate/payoff_scan.h).
 */
#include "fuzz_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_read_text(data, size, 1); }
