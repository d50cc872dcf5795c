/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * adopt_opencl.c in CUDA: the program owns a stream and memory; bailey writes paths into that memory, on that
 * stream; the program's own kernel, queued behind, takes the maximum of each path. Nothing is copied and
 * nobody waits in between. Prints the digits of adopt_opencl.
 *
 * nvcc adopt_cuda.cu -lbailey -lcuda
 */
#include <bailey/cuda.h>

#include <stdio.h>

enum { STEPS = 64, PATHS = 1000 };

__global__ void path_maximum(const float *x, float *maximum)
{
    const unsigned path = blockIdx.x * blockDim.x + threadIdx.x;
    if (path >= PATHS) return;
    float most = 0.0f; /* the start */
    for (int step = 0; step < STEPS; step++) most = fmaxf(most, x[step * PATHS + path]);
    maximum[path] = most;
}

/* What the program has: a stream and memory. */
struct application {
    cudaStream_t stream;
    float *x, *maximum;
};

static int passed(cudaError_t error)
{
    if (error != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return error == cudaSuccess;
}

static int start(application *app)
{
    return passed(cudaStreamCreate(&app->stream)) &&
           passed(cudaMalloc((void **)&app->x, sizeof(float) * STEPS * PATHS)) &&
           passed(cudaMalloc((void **)&app->maximum, sizeof(float) * PATHS));
}

static void stop(application *app)
{
    cudaFree(app->maximum);
    cudaFree(app->x);
    if (app->stream) cudaStreamDestroy(app->stream);
}

/* Queues the paths: bailey works with what the program owns. */
static bailey_status simulate(application *app, bailey_context *context)
{
    double times[STEPS];
    for (int i = 0; i < STEPS; i++) times[i] = (i + 1) / (double)STEPS;
    bailey_bridge_params params = {};
    params.times = times;
    params.steps = STEPS;
    bailey_source source = {};
    source.seed = 42;
    bailey_bridge *bridge = NULL;
    bailey_buffer *x = NULL;
    bailey_status status = bailey_bridge_create(context, &params, &bridge);
    if (!status)
        status = bailey_buffer_adopt_cuda(context, (CUdeviceptr)app->x, sizeof(float) * STEPS * PATHS, &x);
    if (!status) status = bailey_bridge_paths(bridge, &source, NULL, 0, PATHS, x);
    bailey_buffer_destroy(x);
    bailey_bridge_destroy(bridge);
    return status;
}

/* Queues the program's kernel behind the paths, and prints its result. */
static int maxima(application *app)
{
    static float maximum[PATHS];
    double sum = 0;
    path_maximum<<<(PATHS + 127) / 128, 128, 0, app->stream>>>(app->x, app->maximum);
    if (!passed(cudaGetLastError()) ||
        !passed(
            cudaMemcpyAsync(maximum, app->maximum, sizeof maximum, cudaMemcpyDeviceToHost, app->stream)) ||
        !passed(cudaStreamSynchronize(app->stream)))
        return 0;
    for (int p = 0; p < PATHS; p++) sum += (double)maximum[p];
    printf("mean maximum of %d paths: %.4f\n", PATHS, sum / PATHS);
    return 1;
}

int main()
{
    application app = {};
    CUcontext current = NULL;
    bailey_context *context = NULL;
    int ok = start(&app) && cuCtxGetCurrent(&current) == CUDA_SUCCESS;
    if (ok && (bailey_context_create_cuda(current, app.stream, NULL, &context) || simulate(&app, context))) {
        fprintf(stderr, "%s\n", bailey_error_message());
        ok = 0;
    }
    ok = ok && maxima(&app);
    bailey_context_destroy(context);
    stop(&app);
    return !ok;
}
