/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * draw_c.c's call price in OpenCL: a kernel that draws random numbers where it uses them, compiled with the
 * device headers that the library contains. Runs on the first OpenCL device, prints the digits of draw_c.
 *
 * cc -std=c11 draw_opencl.c -lbailey -lOpenCL
 */
#define CL_TARGET_OPENCL_VERSION 120

#include <CL/cl.h>
#include <bailey/advanced.h>

#include <stdio.h>
#include <string.h>

enum { ITEMS = 2048, PATHS = 1024 /* an item; the kernel says so too */ };

static const char *const source =
    "#include <bailey/device/math.h>\n"
    "#include <bailey/device/normal.h>\n"
    "#include <bailey/device/xorwow.h>\n"
    "#define PATHS 1024\n"
    "\n"
    "float payoff(global const float *table, uint word)\n"
    "{\n"
    "    const float z = bailey_normal_icdf_f32(table, word);\n"
    "    const float growth = bailey_exp_f32(bailey_fma_f32(0.2f, z, 0.03f));\n"
    "    const float gain = bailey_fma_f32(100.0f, growth, -105.0f);\n"
    "    return gain < 0.0f ? 0.0f : gain;\n"
    "}\n"
    "\n"
    "kernel void call(ulong seed, global const float *table, global float *xorwow, global float *philox)\n"
    "{\n"
    "    const uint item = get_global_id(0), lanes = BAILEY_RUN_LANES;\n"
    "    bailey_xorwow g = bailey_xorwow_start(seed, 0, item / lanes, item % lanes);\n"
    "    float sum = 0.0f;\n"
    "    for (int i = 0; i < PATHS; i++) sum += payoff(table, bailey_xorwow_next(&g));\n"
    "    xorwow[item] = sum;\n"
    "    sum = 0.0f;\n"
    "    for (uint i = 0; i < PATHS / 4; i++) {\n"
    "        const ulong block = (ulong)item * (PATHS / 4) + i;\n"
    "        const bailey_philox_block b = bailey_philox_words4(seed, 0, block);\n"
    "        for (int j = 0; j < 4; j++) sum += payoff(table, b.word[j]);\n"
    "    }\n"
    "    philox[item] = sum;\n"
    "}\n";

/* The program's objects; NULL where it has none. */
struct application {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem table;   /* of the inverse CDF */
    cl_mem sums[2]; /* xorwow, philox */
};

/* The kernel with the library's headers, by their names. With the headers in a folder, clBuildProgram and
 * "-I folder" do as well. */
static cl_int compile(struct application *app)
{
    enum { MOST = 64 };
    const char *names[MOST], *text;
    cl_program headers[MOST], program = NULL;
    cl_uint count = 0;
    cl_int error = CL_SUCCESS;
    while (count < MOST && error == CL_SUCCESS && bailey_device_header(count, &names[count], &text)) {
        headers[count] = clCreateProgramWithSource(app->context, 1, &text, NULL, &error);
        if (error == CL_SUCCESS) count++;
    }
    if (error == CL_SUCCESS)
        program = clCreateProgramWithSource(app->context, 1, (const char **)&source, NULL, &error);
    if (error == CL_SUCCESS)
        error =
            clCompileProgram(program, 1, &app->device, "-cl-std=CL1.2", count, headers, names, NULL, NULL);
    if (error == CL_SUCCESS)
        app->program = clLinkProgram(app->context, 1, &app->device, "", 1, &program, NULL, NULL, &error);
    if (program) clReleaseProgram(program);
    while (count > 0) clReleaseProgram(headers[--count]);
    return error;
}

static cl_int start(struct application *app)
{
    cl_platform_id platform;
    cl_int error = clGetPlatformIDs(1, &platform, NULL);
    if (error == CL_SUCCESS) error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &app->device, NULL);
    if (error == CL_SUCCESS) app->context = clCreateContext(NULL, 1, &app->device, NULL, NULL, &error);
    if (error == CL_SUCCESS) app->queue = clCreateCommandQueue(app->context, app->device, 0, &error);
    size_t bytes = 0;
    void *data = (void *)bailey_normal_table_data(BAILEY_PRECISION_F32, &bytes);
    const cl_mem_flags flags = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
    if (error == CL_SUCCESS) app->table = clCreateBuffer(app->context, flags, bytes, data, &error);
    for (int i = 0; i < 2 && error == CL_SUCCESS; i++)
        app->sums[i] = clCreateBuffer(app->context, CL_MEM_READ_WRITE, ITEMS * sizeof(float), NULL, &error);
    if (error == CL_SUCCESS) error = compile(app);
    if (error == CL_SUCCESS) app->kernel = clCreateKernel(app->program, "call", &error);
    return error;
}

static void stop(struct application *app)
{
    if (app->kernel) clReleaseKernel(app->kernel);
    if (app->program) clReleaseProgram(app->program);
    if (app->table) clReleaseMemObject(app->table);
    for (int i = 0; i < 2; i++)
        if (app->sums[i]) clReleaseMemObject(app->sums[i]);
    if (app->queue) clReleaseCommandQueue(app->queue);
    if (app->context) clReleaseContext(app->context);
}

static cl_int run(struct application *app)
{
    static const char *const names[2] = {"xorwow", "philox"};
    static float sums[ITEMS];
    const cl_ulong seed = 42;
    const size_t items = ITEMS;
    cl_int error = clSetKernelArg(app->kernel, 0, sizeof seed, &seed);
    if (error == CL_SUCCESS) error = clSetKernelArg(app->kernel, 1, sizeof app->table, &app->table);
    for (cl_uint i = 0; i < 2 && error == CL_SUCCESS; i++)
        error = clSetKernelArg(app->kernel, 2 + i, sizeof app->sums[i], &app->sums[i]);
    if (error == CL_SUCCESS)
        error = clEnqueueNDRangeKernel(app->queue, app->kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
    for (int i = 0; i < 2 && error == CL_SUCCESS; i++) {
        double sum = 0;
        error = clEnqueueReadBuffer(app->queue, app->sums[i], CL_TRUE, 0, sizeof sums, sums, 0, NULL, NULL);
        for (int k = 0; k < ITEMS; k++) sum += (double)sums[k];
        if (error == CL_SUCCESS)
            printf("%-7s %.15f\n", names[i], 0.951229424500714 * sum / ((double)ITEMS * PATHS));
    }
    if (error == CL_SUCCESS) printf("exact   8.021352235143176\n"); /* Black and Scholes */
    return error;
}

int main(void)
{
    struct application app;
    memset(&app, 0, sizeof app);
    cl_int error = start(&app);
    if (error == CL_SUCCESS) error = run(&app);
    if (error != CL_SUCCESS) fprintf(stderr, "OpenCL error %d\n", (int)error);
    stop(&app);
    return error != CL_SUCCESS;
}
