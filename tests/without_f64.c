/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Stands between the library and the OpenCL loader, as BAILEY_OPENCL_LIBRARY, and takes double precision from
 * every device: devices do not offer it, compilers do not define its macros, and a program that has the word
 * `double` left does not compile. All other functions are the loader's own.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN __attribute__((visibility("default")))

typedef cl_int device_info(cl_device_id, cl_device_info, size_t, void *, size_t *);
typedef cl_program with_source(cl_context, cl_uint, const char **, const size_t *, cl_int *);

SHOWN device_info clGetDeviceInfo;
SHOWN with_source clCreateProgramWithSource;

SHOWN cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
                             size_t *value_size)
{
    device_info *const next = (device_info *)dlsym(RTLD_NEXT, "clGetDeviceInfo");
    const cl_int error = next(device, what, size, value, value_size);
    if (error || !value) return error;
    if (what == CL_DEVICE_DOUBLE_FP_CONFIG) memset(value, 0, sizeof(cl_device_fp_config));
    char *name = what == CL_DEVICE_EXTENSIONS ? strstr(value, "cl_khr_fp64") : NULL;
    if (name) memset(name, ' ', strlen("cl_khr_fp64"));
    return error;
}

SHOWN cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts,
                                           const size_t *lengths, cl_int *error)
{
    static const char before[] =
        "#undef cl_khr_fp64\n#undef __opencl_c_fp64\n#define double no_double\n#line 1\n";
    with_source *const next = (with_source *)dlsym(RTLD_NEXT, "clCreateProgramWithSource");
    if (count != 1 || lengths) {
        if (error) *error = CL_INVALID_VALUE; /* the library gives one text */
        return NULL;
    }
    const char *both[2] = {before, texts[0]};
    return next(context, 2, both, NULL, error);
}
