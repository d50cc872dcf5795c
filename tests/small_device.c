/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Stands between the library and the OpenCL loader, as BAILEY_OPENCL_LIBRARY, and makes processors small
 * GPUs:
 *
 *     SMALL_GROUP   items that a work-group may have
 *     SMALL_LOCAL   bytes of local memory that it may have
 *     SMALL_KERNEL  items that it may have where kernels are compiled, of which the device says more
 *
 * Requests for more than the first two fail, as on devices with these limits. All other functions are the
 * loader's own.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN __attribute__((visibility("default")))
#define NEXT(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

static size_t number(const char *variable)
{
    const char *text = getenv(variable);
    return text ? strtoul(text, NULL, 10) : SIZE_MAX;
}

/* Reduces the value that was asked for to at most `most`. */
static void reduce(void *value, size_t size, size_t most)
{
    size_t is = 0;
    memcpy(&is, value, size < sizeof is ? size : sizeof is);
    if (is > most) memcpy(value, &most, size < sizeof is ? size : sizeof is);
}

SHOWN cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
                             size_t *value_size)
{
    const cl_device_type gpu = CL_DEVICE_TYPE_GPU;
    const cl_int error = NEXT(clGetDeviceInfo)(device, what, size, value, value_size);
    if (error || !value) return error;
    if (what == CL_DEVICE_TYPE) memcpy(value, &gpu, sizeof gpu);
    if (what == CL_DEVICE_MAX_WORK_GROUP_SIZE) reduce(value, size, number("SMALL_GROUP"));
    if (what == CL_DEVICE_LOCAL_MEM_SIZE) reduce(value, size, number("SMALL_LOCAL"));
    return error;
}

SHOWN cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what,
                                      size_t size, void *value, size_t *value_size)
{
    const cl_int error = NEXT(clGetKernelWorkGroupInfo)(kernel, device, what, size, value, value_size);
    if (error || !value || what != CL_KERNEL_WORK_GROUP_SIZE) return error;
    reduce(value, size, number("SMALL_GROUP"));
    reduce(value, size, number("SMALL_KERNEL"));
    return error;
}

/* Local memory of a kernel: its own. The library gives none by arguments. */
static size_t local_bytes(cl_command_queue queue, cl_kernel kernel)
{
    cl_device_id device = NULL;
    cl_ulong bytes = 0;
    NEXT(clGetCommandQueueInfo)(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    NEXT(clGetKernelWorkGroupInfo)(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    return (size_t)bytes;
}

SHOWN cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
                                    const size_t *offset, const size_t *global, const size_t *local,
                                    cl_uint waits, const cl_event *wait, cl_event *event)
{
    size_t items = 1;
    for (cl_uint i = 0; local && i < dims; i++) items *= local[i];
    if (items > number("SMALL_GROUP")) return CL_INVALID_WORK_GROUP_SIZE;
    if (local_bytes(queue, kernel) > number("SMALL_LOCAL")) return CL_OUT_OF_RESOURCES;
    return NEXT(clEnqueueNDRangeKernel)(queue, kernel, dims, offset, global, local, waits, wait, event);
}
