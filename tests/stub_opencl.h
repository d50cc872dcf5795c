/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the parts of the stub driver of OpenCL share: stub_opencl.c, which says what it is, and
 * stub_opencl_queue.c.
 */
#ifndef STUB_OPENCL_H
#define STUB_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "stub_opencl_kernels.h"

#include <backend/backend.h>

#define MAX_ARGUMENTS 20

/* The loader's vendor types are pointers to these; ours start with a count of references. */
struct _cl_platform_id {
    int number;
};
struct _cl_device_id {
    struct _cl_platform_id *platform;
    int number;
};
struct _cl_context {
    int references;
    cl_device_id device;
};
struct _cl_command_queue {
    int references;
    cl_context context;
    cl_command_queue_properties properties;
    unsigned commands, flushed; /* how many were queued, and how many of them the device knows of */
};
struct _cl_event {
    int references;
    cl_command_queue queue;
    unsigned number; /* of its command in the queue, from 1 */
    int polls;       /* questions that are still answered with CL_RUNNING */
};
struct _cl_mem {
    int references;
    cl_context context;
    cl_mem_flags flags;
    size_t size;
    unsigned char *bytes;
    int mapped; /* commands may not use it then */
};
struct _cl_program {
    int references;
    cl_context context;
    char *text; /* source, or the names of the kernels once linked, a line each */
    int linked;
};
struct argument {
    size_t size;
    unsigned char bytes[BLY_MAX_PARAMS];
};
struct _cl_kernel {
    int references;
    cl_program program;
    struct stub_kernel entry;
    struct argument arguments[MAX_ARGUMENTS];
};

/* A new object with one reference. */
void *stub_make(size_t size);
/* Drops a reference; returns 1 when it was the last and the object is to be torn down. */
int stub_drop(void *object);

/* A number of the environment. */
int stub_number(const char *variable, int otherwise);
/* Whether STUB_DEVICE says so. */
int stub_odd(const char *what);
/* The error that this call is to fail with, or CL_SUCCESS. */
cl_int stub_fails(const char *function);

#define MAY_FAIL                                                                                             \
    do {                                                                                                     \
        const cl_int e = stub_fails(__func__);                                                               \
        if (e) return e;                                                                                     \
    } while (0)
#define MAY_FAIL_TO(error)                                                                                   \
    do {                                                                                                     \
        const cl_int e = stub_fails(__func__);                                                               \
        if (error) *(error) = e;                                                                             \
        if (e) return NULL;                                                                                  \
    } while (0)

cl_int stub_answer(const void *value, size_t value_size, size_t size, void *out, size_t *out_size);
#define ANSWER(type, x) return stub_answer(&(type){x}, sizeof(type), size, value, value_size)
#define ANSWER_TEXT(x)                                                                                       \
    do {                                                                                                     \
        const char *text = x;                                                                                \
        return stub_answer(text, strlen(text) + 1, size, value, value_size);                                 \
    } while (0)

#endif
