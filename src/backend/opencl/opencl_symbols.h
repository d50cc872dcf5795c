/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The OpenCL entry points that the backend uses, of version 1.2 except for one, called as
 * bly_cl.clFinish(queue).
 */
#ifndef BLY_OPENCL_SYMBOLS_H
#define BLY_OPENCL_SYMBOLS_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <base/status.h>

#include <CL/cl.h>

#include <bailey/bailey.h>

#define BLY_CL_SYMBOLS(X)                                                                                    \
    X(clGetPlatformIDs)                                                                                      \
    X(clGetPlatformInfo)                                                                                     \
    X(clGetDeviceIDs)                                                                                        \
    X(clGetDeviceInfo)                                                                                       \
    X(clCreateContext)                                                                                       \
    X(clRetainContext)                                                                                       \
    X(clReleaseContext)                                                                                      \
    X(clGetContextInfo)                                                                                      \
    X(clCreateCommandQueue)                                                                                  \
    X(clRetainCommandQueue)                                                                                  \
    X(clReleaseCommandQueue)                                                                                 \
    X(clGetCommandQueueInfo)                                                                                 \
    X(clCreateBuffer)                                                                                        \
    X(clRetainMemObject)                                                                                     \
    X(clReleaseMemObject)                                                                                    \
    X(clGetMemObjectInfo)                                                                                    \
    X(clCreateProgramWithSource)                                                                             \
    X(clCreateProgramWithBinary)                                                                             \
    X(clReleaseProgram)                                                                                      \
    X(clBuildProgram)                                                                                        \
    X(clCompileProgram)                                                                                      \
    X(clLinkProgram)                                                                                         \
    X(clGetProgramInfo)                                                                                      \
    X(clGetProgramBuildInfo)                                                                                 \
    X(clCreateKernel)                                                                                        \
    X(clReleaseKernel)                                                                                       \
    X(clSetKernelArg)                                                                                        \
    X(clGetKernelWorkGroupInfo)                                                                              \
    X(clEnqueueReadBuffer)                                                                                   \
    X(clEnqueueWriteBuffer)                                                                                  \
    X(clEnqueueCopyBuffer)                                                                                   \
    X(clEnqueueFillBuffer)                                                                                   \
    X(clEnqueueMapBuffer)                                                                                    \
    X(clEnqueueUnmapMemObject)                                                                               \
    X(clEnqueueNDRangeKernel)                                                                                \
    X(clEnqueueMarkerWithWaitList)                                                                           \
    X(clEnqueueBarrierWithWaitList)                                                                          \
    X(clWaitForEvents)                                                                                       \
    X(clGetEventInfo)                                                                                        \
    X(clReleaseEvent)                                                                                        \
    X(clFlush)                                                                                               \
    X(clFinish)

struct bly_cl_table {
#define BLY_CL_MEMBER(function) __typeof__(&function) function;
    BLY_CL_SYMBOLS(BLY_CL_MEMBER)
#undef BLY_CL_MEMBER
    /* Of version 2.1: for devices of such platforms only; NULL where the loader does not have it. */
    cl_int(CL_API_CALL *clGetKernelSubGroupInfo)(cl_kernel kernel, cl_device_id device, cl_uint what,
                                                 size_t input_size, const void *input, size_t size,
                                                 void *value, size_t *value_size);
};
#ifndef CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE
#define CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE 0x2033
#endif
extern struct bly_cl_table bly_cl; /* filled once bly_cl_load_driver has returned OK */

/* Opens the OpenCL loader once per process; a failure is tried again. Threads: any. */
bailey_status bly_cl_load_driver(char *why, size_t why_size);

#ifndef CL_PLATFORM_NOT_FOUND_KHR
#define CL_PLATFORM_NOT_FOUND_KHR (-1001) /* of the loader, cl_khr_icd */
#endif

/* bly_fail with "what: CL_NAME (number)", and ERROR_MEMORY where the error says so, else ERROR_DRIVER. */
bailey_status bly_cl_fail(cl_int error, const char *what);

/* "CL_OUT_OF_RESOURCES"; "unknown OpenCL error" for others. */
const char *bly_cl_error_name(cl_int error);

#endif
