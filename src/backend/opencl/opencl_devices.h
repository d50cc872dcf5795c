/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The OpenCL devices of this machine: finding them, and what they are.
 */
#ifndef BLY_OPENCL_DEVICES_H
#define BLY_OPENCL_DEVICES_H

#include "opencl_internal.h"

#define BLY_CL_NOWHERE UINT32_MAX

struct bly_cl_place {
    cl_platform_id platform;
    cl_device_id device;
    cl_uint p, d; /* the address opencl:p:d; BLY_CL_NOWHERE for a part of a device, which has none */
};

/* Lists the devices of all platforms in *places, to be freed. With none, writes the reason. */
size_t bly_cl_enumerate(struct bly_cl_place **places, char *why, size_t why_size);

/* As bly_cl_describe. Fails where the device cannot be used, with the reason in `info`. */
bailey_status bly_cl_describe_place(const struct bly_cl_place *place, bailey_device *info);

/* Answers: "" (NULL without memory) and 0 where the driver gives none. */
char *bly_cl_device_text(cl_device_id device, cl_device_info what);
cl_ulong bly_cl_device_ulong(cl_device_id device, cl_device_info what);

/* Everything that a compiled program may depend on, apart from its source and options; to be freed. */
char *bly_cl_identity(cl_platform_id platform, cl_device_id id);

struct bly_cl_traits bly_cl_traits(const struct bly_cl_place *place, int is_cpu);

#endif
