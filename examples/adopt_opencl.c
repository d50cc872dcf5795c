/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey inside a program that uses OpenCL itself. The program owns the context, the queue and a buffer;
 * bailey writes paths into that buffer, on that queue; the program's own kernel, queued behind, takes the
 * maximum of each path. Nothing is copied in between.
 *
 * cc -std=c11 adopt_opencl.c -lbailey -lOpenCL
 */
#define CL_TARGET_OPENCL_VERSION 120

#include <bailey/opencl.h>

#include <stdio.h>

enum { STEPS = 64, PATHS = 1000 };

static const char *const kernel_text =
    "kernel void path_maximum(global const float *x, global float *maximum, uint steps)\n"
    "{\n"
    "    size_t path = get_global_id(0), paths = get_global_size(0);\n"
    "    float most = 0.0f; /* the start */\n"
    "    for (uint step = 0; step < steps; step++)\n"
    "        most = fmax(most, x[step * paths + path]);\n"
    "    maximum[path] = most;\n"
    "}\n";

/* The program's objects: a device, a queue, memory, a kernel. */
struct application {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_mem x, maximum;
    cl_program program;
    cl_kernel kernel;
};

static int start(struct application *app)
{
    cl_platform_id platform;
    cl_int error;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &app->device, NULL) != CL_SUCCESS) {
        fprintf(stderr, "no OpenCL device\n");
        return 0;
    }
    app->context = clCreateContext(NULL, 1, &app->device, NULL, NULL, &error);
    if (error == CL_SUCCESS) app->queue = clCreateCommandQueue(app->context, app->device, 0, &error);
    if (error == CL_SUCCESS)
        app->x = clCreateBuffer(app->context, CL_MEM_READ_WRITE, sizeof(float) * STEPS * PATHS, NULL, &error);
    if (error == CL_SUCCESS)
        app->maximum = clCreateBuffer(app->context, CL_MEM_READ_WRITE, sizeof(float) * PATHS, NULL, &error);
    if (error == CL_SUCCESS)
        app->program = clCreateProgramWithSource(app->context, 1, (const char **)&kernel_text, NULL, &error);
    if (error == CL_SUCCESS) error = clBuildProgram(app->program, 1, &app->device, "", NULL, NULL);
    if (error == CL_SUCCESS) app->kernel = clCreateKernel(app->program, "path_maximum", &error);
    if (error != CL_SUCCESS) fprintf(stderr, "OpenCL error %d\n", (int)error);
    return error == CL_SUCCESS;
}

static void stop(struct application *app)
{
    if (app->kernel) clReleaseKernel(app->kernel);
    if (app->program) clReleaseProgram(app->program);
    if (app->maximum) clReleaseMemObject(app->maximum);
    if (app->x) clReleaseMemObject(app->x);
    if (app->queue) clReleaseCommandQueue(app->queue);
    if (app->context) clReleaseContext(app->context);
}

/* Queues the paths: bailey works with what the program owns. */
static int simulate(struct application *app, bailey_context *context)
{
    double times[STEPS];
    for (int i = 0; i < STEPS; i++) times[i] = (i + 1) / (double)STEPS;
    const bailey_bridge_params params = {.times = times, .steps = STEPS};
    const bailey_source source = {.seed = 42};
    bailey_bridge *bridge = NULL;
    bailey_buffer *x = NULL;
    bailey_status status = bailey_bridge_create(context, &params, &bridge);
    if (!status) status = bailey_buffer_adopt_opencl(context, app->x, sizeof(float) * STEPS * PATHS, &x);
    if (!status) status = bailey_bridge_paths(bridge, &source, NULL, 0, PATHS, x);
    if (status) fprintf(stderr, "%s\n", bailey_error_message());
    bailey_buffer_destroy(x);
    bailey_bridge_destroy(bridge);
    return status == BAILEY_OK;
}

/* Queues the program's kernel behind the paths, and prints its result. */
static int maxima(struct application *app)
{
    static float maximum[PATHS];
    const cl_uint steps = STEPS;
    const size_t paths = PATHS;
    double sum = 0;
    if (clSetKernelArg(app->kernel, 0, sizeof app->x, &app->x) != CL_SUCCESS ||
        clSetKernelArg(app->kernel, 1, sizeof app->maximum, &app->maximum) != CL_SUCCESS ||
        clSetKernelArg(app->kernel, 2, sizeof steps, &steps) != CL_SUCCESS ||
        clEnqueueNDRangeKernel(app->queue, app->kernel, 1, NULL, &paths, NULL, 0, NULL, NULL) != CL_SUCCESS ||
        clEnqueueReadBuffer(app->queue, app->maximum, CL_TRUE, 0, sizeof maximum, maximum, 0, NULL, NULL) !=
            CL_SUCCESS) {
        fprintf(stderr, "the program's kernel failed\n");
        return 0;
    }
    for (int p = 0; p < PATHS; p++) sum += (double)maximum[p];
    printf("mean maximum of %d paths: %.4f\n", PATHS, sum / PATHS);
    return 1;
}

int main(void)
{
    struct application app = {0};
    bailey_context *context = NULL;
    int ok = start(&app);
    if (ok && bailey_context_create_opencl(app.context, app.device, app.queue, NULL, &context)) {
        fprintf(stderr, "%s\n", bailey_error_message());
        ok = 0;
    }
    ok = ok && simulate(&app, context) && maxima(&app);
    bailey_context_destroy(context);
    stop(&app);
    return !ok;
}
