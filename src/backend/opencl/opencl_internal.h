/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the parts of the OpenCL backend share, and the handles that src/interop/opencl_api.c hands out.
 */
#ifndef BLY_OPENCL_H
#define BLY_OPENCL_H

#include <backend/backend.h>

#ifdef BLY_HAVE_OPENCL
#include "opencl_symbols.h"
#else /* what CL/cl.h would say, as the ABI has it */
typedef struct _cl_context *cl_context;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
#endif

/* The handles of an open device and of a piece of memory, still owned by them. */
void bly_opencl_handles(struct bly_device *device, cl_context *context, cl_device_id *id,
                        cl_command_queue *queue);
cl_mem bly_opencl_memory(const struct bly_memory *memory);

#ifdef BLY_HAVE_OPENCL

/* What programs are built for. */
struct bly_cl_target {
    cl_context context;
    cl_device_id device;
    char *identity;       /* every name and version of platform and device: part of a program's key */
    int cache;            /* bly_cache_open */
    int correct_rounding; /* the option for correctly rounded division and square root is known */
    int specialises;      /* the driver compiles again at the first launch (PoCL does) */
    int alone;            /* only one process at a time may load or compile (PoCL before 4.0) */
    int verbose;          /* -cl-nv-verbose is known: it brings registers into the build log */
};

/* Makes the kernel `what` (../programs.h). `lanes` and `local_size` are compiled in; `standard`, which says
 * how items may exchange values, too: 12, or 20 or 30 for shuffles within sub-groups of 32 or 64, of which
 * the work-group has whole ones (BAILEY_SUBGROUPS_OF_32), in that version of OpenCL C. Threads: any. */
bailey_status bly_cl_kernel_create(const struct bly_cl_target *target, const struct bly_kernel *what,
                                   size_t params_size, unsigned lanes, size_t local_size, int standard,
                                   cl_kernel *kernel);

/* Fills what the driver tells of the kernel that was made of `what`. */
void bly_cl_kernel_describe(const struct bly_cl_target *target, const struct bly_kernel *what,
                            cl_kernel kernel, size_t local_size, bailey_kernel_info *info);

#endif

#endif
