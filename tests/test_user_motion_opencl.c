/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * user_motion.h on OpenCL devices: the kernel is compiled with the headers in BLY_INCLUDE_DIR.
 */
#define USER_MOTION_BACKEND ON_OPENCL
#include "user_motion.h"

#include <bailey/opencl.h>

static void succeeds(const char *what, cl_int error)
{
    if (error != CL_SUCCESS) fail_msg("%s: error %d", what, (int)error);
}

static cl_kernel compile(cl_context opencl, cl_device_id on)
{
    static const char text[] = "#include \"user_motion.cl\"\n";
    static const char options[] =
        "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt -I " BLY_INCLUDE_DIR " -I " BLY_TESTS_DIR;
    const char *lines = text;
    char log[4096] = "";
    cl_int error;
    cl_program program = clCreateProgramWithSource(opencl, 1, &lines, NULL, &error);
    succeeds("clCreateProgramWithSource", error);
    error = clBuildProgram(program, 1, &on, options, NULL, NULL);
    clGetProgramBuildInfo(program, on, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    if (error != CL_SUCCESS) fail_msg("clBuildProgram: %s", log);
    cl_kernel kernel = clCreateKernel(program, "user_motion", &error);
    succeeds("clCreateKernel", error);
    clReleaseProgram(program);
    return kernel;
}

static void launch(struct user_motion *u)
{
    cl_context opencl;
    cl_device_id on;
    cl_command_queue queue;
    cl_mem table, ticks, out;
    OK(bailey_context_opencl(context, &opencl, &on, &queue));
    OK(bailey_buffer_opencl(u->table, &table));
    OK(bailey_buffer_opencl(u->ticks, &ticks));
    OK(bailey_buffer_opencl(u->out, &out));
    const struct {
        size_t bytes;
        const void *value;
    } arguments[] = {{sizeof u->motion, &u->motion}, {sizeof u->with_areas, &u->with_areas},
                     {sizeof table, &table},         {sizeof ticks, &ticks},
                     {sizeof u->count, &u->count},   {sizeof u->first, &u->first},
                     {sizeof u->paths, &u->paths},   {sizeof out, &out}};
    const size_t items = (size_t)u->paths;
    cl_kernel kernel = compile(opencl, on);
    for (cl_uint i = 0; i < sizeof arguments / sizeof *arguments; i++)
        succeeds("clSetKernelArg", clSetKernelArg(kernel, i, arguments[i].bytes, arguments[i].value));
    succeeds("clEnqueueNDRangeKernel",
             clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    clReleaseKernel(kernel);
}
