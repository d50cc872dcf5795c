/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What is tuned for OpenCL devices. No result depends on it.
 */
#ifndef BLY_OPENCL_TUNING_H
#define BLY_OPENCL_TUNING_H

#include <backend/backend.h>

struct bly_cl_tuning {
    struct bly_tuning host; /* what the host asks for */
    size_t local_size;      /* items of a row's work-group; fewer where the device takes fewer */
    uint32_t queues;
};

/* For a device of this kind with so many units. */
struct bly_cl_tuning bly_cl_tuning(bailey_device_kind kind, uint32_t units);

#endif
