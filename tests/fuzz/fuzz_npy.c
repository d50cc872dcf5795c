/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * NumPy's array files (src/cli/io/npy.c).
 */
#include "fuzz_program.h"

#include <cli/io/io.h>

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct npy npy;
    fuzz_listen();
    if (npy_open(&npy, fuzz_file(data, size))) return 0;
    const uint64_t count = npy.shape[0] * npy.shape[1] * npy.shape[2];
    FUZZ_REQUIRE(npy.data + count * npy.element == size);
    for (uint64_t i = 0; i < count && i < 8; i++) {
        double element = 0;
        FUZZ_REQUIRE(npy_read(&npy, count - 1 - i, &element, 1) == CLI_OK);
        FUZZ_REQUIRE(!memcmp(&element, data + size - (i + 1) * npy.element, npy.element));
    }
    npy_close(&npy);
    return 0;
}
