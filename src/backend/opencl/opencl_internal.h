/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Declarations shared by the parts of the OpenCL backend, and the handles that src/interop/opencl_api.c hands
 * out.
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

/* The handles of an open device and of memory, still owned by them. */
void bly_opencl_handles(struct bly_device *device, cl_context *context, cl_device_id *id,
                        cl_command_queue *queue);
cl_mem bly_opencl_memory(const struct bly_memory *memory);

#ifdef BLY_HAVE_OPENCL

/* ---- Devices, memory and programs ---------------------------------------------------------------- */

/* Peculiarities of a device and its driver. */
struct bly_cl_traits {
    int correct_rounding; /* the option for correctly rounded division and square root is known */
    int specialises;      /* the driver compiles again at the first launch (PoCL does) */
    int alone;            /* only one process at a time may load or compile (PoCL before 4.0) */
    int verbose;          /* -cl-nv-verbose is known: it brings registers into the build log */
    int ignores_required; /* CL_KERNEL_WORK_GROUP_SIZE is not for the size that the kernel requires */
    int shuffles;         /* the version of OpenCL C that team kernels shuffle in, 20 or 30; 0: they do not */
    const char *miscompiles; /* as in struct bly_device */
};

/* What programs are built for. */
struct bly_cl_target {
    cl_context context;
    cl_device_id device;
    char *identity; /* every name and version of platform and device: part of a program's key */
    int cache;      /* bly_cache_open */
    struct bly_cl_traits traits;
};

#define BLY_CL_QUEUES 2

struct bly_cl_device {
    struct bly_device base;
    struct bly_cl_target target;
    struct bly_tuning tuning;
    cl_command_queue queues[BLY_CL_QUEUES]; /* the second is NULL until it is used */
    int shuffles;                           /* traits.shuffles, or 0 once a kernel has failed with them */
    int scalar;                             /* kernels take one lane per item; else whole vectors */
    size_t local_size;                      /* of rows */
};

struct bly_memory {
    cl_mem object;
    void *address; /* of PINNED memory, which stays mapped there; else NULL */
};

/* ---- Making programs (opencl_program.c) ---------------------------------------------------------- */

/* Everything that is compiled into a program, and so belongs to its key. */
struct bly_cl_shape {
    unsigned lanes;
    size_t local_size;
    uint32_t shared_bytes; /* of a work-group of a text's kernels, or of a tuned replacement */
    const char *tuned;     /* definitions of a row's tuned replacement (kernels_cl/tuned); NULL: the row */
    int standard; /* how items may exchange values: 12, or 20 or 30 for shuffles within sub-groups of 32 or
                   * 64, of which the work-group has whole ones (BAILEY_SUBGROUPS_OF_32), in that OpenCL C */
};

/* Makes the program (../programs.h), which is the caller's. Threads: any. */
bailey_status bly_cl_program_make(const struct bly_cl_target *target, const struct bly_code *code,
                                  const struct bly_cl_shape *shape, cl_program *program);

/* Registers that the driver's log names for the kernel; 0 where it does not. */
uint32_t bly_cl_program_registers(const struct bly_cl_target *target, cl_program program, const char *kernel);

/* ---- Queues and fences (opencl_queue.c) ---------------------------------------------------------- */

/* The queue, which is made if it is used for the first time; queue 0 where the device has one. */
bailey_status bly_cl_queue(struct bly_cl_device *device, uint32_t number, cl_command_queue *queue);
/* Waits for all queues; returns the first error. */
cl_int bly_cl_finish(const struct bly_cl_device *device);
/* Lets the device begin with what was just queued, which is named `what` if `error` says that it failed. */
bailey_status bly_cl_queued(cl_command_queue queue, cl_int error, const char *what);

/* ---- Devices (opencl_devices.c) -------------------------------------------------------------- */

/* The OpenCL devices of this machine: finding them, and what they are. */

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

/* ---- Drivers (opencl_vendors.c) -------------------------------------------------------------- */

/* Which drivers the OpenCL loader was told to open. The loader itself does not say why one is missing. */

/* Lists them, "libpocl.so.2 (/etc/OpenCL/vendors/pocl.icd), ...", or says where none is named. */
void bly_cl_vendors_list(char *text, size_t size);

/* Says why the loader found no platform; opens the drivers to see which cannot be. */
void bly_cl_vendors_explain(char *why, size_t size);

/* ---- Tuned numbers (opencl_tuning.c) --------------------------------------------------------- */

/* Numbers tuned for OpenCL devices. No result depends on them. */

struct bly_cl_tuning {
    struct bly_tuning host; /* what the host asks for */
    size_t local_size;      /* items of a row's work-group; fewer where the device takes fewer */
    uint32_t queues;
};

/* For a device of this kind with so many units. */
struct bly_cl_tuning bly_cl_tuning(bailey_device_kind kind, uint32_t units);

#define BLY_DECLARED(name) bly_op_##name bly_cl_##name;
BLY_OPERATIONS(BLY_DECLARED)
#undef BLY_DECLARED

#endif

#endif
