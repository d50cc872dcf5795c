/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The table of backends: a new one is a line here.
 */
#include "backend.h"

const struct bly_backend *const bly_backends[] = {
    &bly_backend_cuda,
    &bly_backend_opencl,
    &bly_backend_cpu,
    NULL,
};
