/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Opening the loader once per process, and OpenCL's errors in words.
 */
#include <stddef.h> /* something to compile */

#ifdef BLY_HAVE_OPENCL

#include "opencl_symbols.h"

#include <base/dynlib.h>

#include <pthread.h>

struct bly_cl_table bly_cl;

bailey_status bly_cl_load_driver(char *why, size_t why_size)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static void *library; /* never closed: drivers keep threads */
    static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so", NULL};
    static const struct bly_symbol symbols[] = {
#define ROW(function) {#function, (void **)&bly_cl.function, 0},
        BLY_CL_SYMBOLS(ROW)
#undef ROW
            {"clGetKernelSubGroupInfo", (void **)&bly_cl.clGetKernelSubGroupInfo, 1}};
    bailey_status status = BAILEY_OK;
    pthread_mutex_lock(&mutex);
    if (!library)
        status = bly_dynlib_open("BAILEY_OPENCL_LIBRARY", names, symbols, sizeof symbols / sizeof *symbols,
                                 &library, why, why_size);
    pthread_mutex_unlock(&mutex);
    return status;
}

#define ERRORS(X)                                                                                            \
    X(CL_DEVICE_NOT_FOUND)                                                                                   \
    X(CL_DEVICE_NOT_AVAILABLE)                                                                               \
    X(CL_COMPILER_NOT_AVAILABLE)                                                                             \
    X(CL_MEM_OBJECT_ALLOCATION_FAILURE)                                                                      \
    X(CL_OUT_OF_RESOURCES)                                                                                   \
    X(CL_OUT_OF_HOST_MEMORY)                                                                                 \
    X(CL_PROFILING_INFO_NOT_AVAILABLE)                                                                       \
    X(CL_MEM_COPY_OVERLAP)                                                                                   \
    X(CL_IMAGE_FORMAT_MISMATCH)                                                                              \
    X(CL_IMAGE_FORMAT_NOT_SUPPORTED)                                                                         \
    X(CL_BUILD_PROGRAM_FAILURE)                                                                              \
    X(CL_MAP_FAILURE)                                                                                        \
    X(CL_MISALIGNED_SUB_BUFFER_OFFSET)                                                                       \
    X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)                                                          \
    X(CL_COMPILE_PROGRAM_FAILURE)                                                                            \
    X(CL_LINKER_NOT_AVAILABLE)                                                                               \
    X(CL_LINK_PROGRAM_FAILURE)                                                                               \
    X(CL_DEVICE_PARTITION_FAILED)                                                                            \
    X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE)                                                                      \
    X(CL_INVALID_VALUE)                                                                                      \
    X(CL_INVALID_DEVICE_TYPE)                                                                                \
    X(CL_INVALID_PLATFORM)                                                                                   \
    X(CL_INVALID_DEVICE)                                                                                     \
    X(CL_INVALID_CONTEXT)                                                                                    \
    X(CL_INVALID_QUEUE_PROPERTIES)                                                                           \
    X(CL_INVALID_COMMAND_QUEUE)                                                                              \
    X(CL_INVALID_HOST_PTR)                                                                                   \
    X(CL_INVALID_MEM_OBJECT)                                                                                 \
    X(CL_INVALID_BINARY)                                                                                     \
    X(CL_INVALID_BUILD_OPTIONS)                                                                              \
    X(CL_INVALID_PROGRAM)                                                                                    \
    X(CL_INVALID_PROGRAM_EXECUTABLE)                                                                         \
    X(CL_INVALID_KERNEL_NAME)                                                                                \
    X(CL_INVALID_KERNEL_DEFINITION)                                                                          \
    X(CL_INVALID_KERNEL)                                                                                     \
    X(CL_INVALID_ARG_INDEX)                                                                                  \
    X(CL_INVALID_ARG_VALUE)                                                                                  \
    X(CL_INVALID_ARG_SIZE)                                                                                   \
    X(CL_INVALID_KERNEL_ARGS)                                                                                \
    X(CL_INVALID_WORK_DIMENSION)                                                                             \
    X(CL_INVALID_WORK_GROUP_SIZE)                                                                            \
    X(CL_INVALID_WORK_ITEM_SIZE)                                                                             \
    X(CL_INVALID_GLOBAL_OFFSET)                                                                              \
    X(CL_INVALID_EVENT_WAIT_LIST)                                                                            \
    X(CL_INVALID_EVENT)                                                                                      \
    X(CL_INVALID_OPERATION)                                                                                  \
    X(CL_INVALID_BUFFER_SIZE)                                                                                \
    X(CL_INVALID_GLOBAL_WORK_SIZE)                                                                           \
    X(CL_INVALID_PROPERTY)                                                                                   \
    X(CL_INVALID_COMPILER_OPTIONS)                                                                           \
    X(CL_INVALID_LINKER_OPTIONS)                                                                             \
    X(CL_PLATFORM_NOT_FOUND_KHR)

const char *bly_cl_error_name(cl_int error)
{
    switch (error) {
#define CASE(name)                                                                                           \
    case name: return #name;
        ERRORS(CASE)
#undef CASE
    default: return "unknown OpenCL error";
    }
}

bailey_status bly_cl_fail(cl_int error, const char *what)
{
    const int memory = error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_OUT_OF_HOST_MEMORY;
    return bly_fail(memory ? BAILEY_ERROR_MEMORY : BAILEY_ERROR_DRIVER, "%s: %s (%d)", what,
                    bly_cl_error_name(error), (int)error);
}

#endif
