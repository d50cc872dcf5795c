/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Declarations shared by the parts of the stub driver of OpenCL: stub_opencl.c, which says what it is, and
 * stub_opencl_queue.c.
 */
#ifndef STUB_OPENCL_H
#define STUB_OPENCL_H

#include <backend/backend.h>
#include <backend/opencl/opencl_symbols.h>

#include "stub_faults.h"
#include "stub_rows.h"

/* Of version 2.1. */
cl_int clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_uint what, size_t input_size,
                               const void *input, size_t size, void *value, size_t *value_size);

#define STUB_SYMBOLS(X) BLY_CL_SYMBOLS(X) X(clGetKernelSubGroupInfo)

#define MAX_ARGUMENTS 20

/* The loader's vendor types are pointers to these. */
struct _cl_platform_id {
    int number;
};
struct _cl_device_id {
    struct _cl_platform_id *platform;
    int number;
};
/* The head of the other objects: it holds `above`, and the memory at `owned`. */
struct stub_object {
    int references;
    struct stub_object *above;
    void *owned;
};
struct _cl_context {
    struct stub_object base;
    cl_device_id device;
};
struct _cl_command_queue {
    struct stub_object base;
    cl_context context;
    cl_command_queue_properties properties;
    unsigned commands, flushed; /* how many were queued, and how many of them the device knows of */
};
struct _cl_event {
    struct stub_object base;
    cl_command_queue queue;
    unsigned number; /* of its command in the queue, from 1 */
    int polls;       /* questions that are still answered with CL_RUNNING */
};
struct _cl_mem {
    struct stub_object base;
    cl_context context;
    cl_mem_flags flags;
    size_t size;
    unsigned char *bytes;
    int mapped; /* commands may not use it then */
};
struct _cl_program {
    struct stub_object base;
    cl_context context;
    char *text; /* source, or the names of the kernels once linked, a line each */
    int linked;
};
struct argument {
    size_t size;
    unsigned char bytes[BLY_MAX_PARAMS];
};
struct _cl_kernel {
    struct stub_object base;
    cl_program program;
    struct stub_kernel entry;
    struct argument arguments[MAX_ARGUMENTS];
};

/* A new object with one reference. */
void *stub_make(size_t size, void *above);
/* Drops a reference, and with the last one the object. */
void stub_drop(void *object);

#define RETAIN(function, type)                                                                               \
    EXPORT cl_int function(type object)                                                                      \
    {                                                                                                        \
        MAY_FAIL;                                                                                            \
        object->base.references++;                                                                           \
        return CL_SUCCESS;                                                                                   \
    }
/* What fails has released all the same. */
#define RELEASE(function, type)                                                                              \
    EXPORT cl_int function(type object)                                                                      \
    {                                                                                                        \
        stub_drop(object);                                                                                   \
        return stub_fails(__func__);                                                                         \
    }
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
