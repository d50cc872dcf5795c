/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * user_motion.h on CUDA devices: the kernel is in the fat binary BLY_USER_MOTION_FATBIN.
 */
#define USER_MOTION_BACKEND ON_CUDA
#include "user_motion.h"

#include <bailey/cuda.h>

#include <dlfcn.h>

/* Writes a function of the driver to *slot. */
static void find(const char *name, void *slot)
{
    const char *chosen = getenv("BAILEY_CUDA_LIBRARY");
    void *library = dlopen(chosen && *chosen ? chosen : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    void *function = library ? dlsym(library, name) : NULL;
    if (!function) fail_msg("%s is not in the driver", name);
    memcpy(slot, &function, sizeof function);
}

#define CALL(name, ...)                                                                                      \
    do {                                                                                                     \
        __typeof__(&name) function;                                                                          \
        find(#name, &function);                                                                              \
        const CUresult error = function(__VA_ARGS__);                                                        \
        if (error != CUDA_SUCCESS) fail_msg(#name ": error %d", (int)error);                                 \
    } while (0)

static void *read_image(void)
{
    enum { MOST = 1 << 24 };
    FILE *file = fopen(BLY_USER_MOTION_FATBIN, "rb");
    char *image = allocate(MOST);
    if (!file || fread(image, 1, MOST, file) == 0) fail_msg(BLY_USER_MOTION_FATBIN " cannot be read");
    fclose(file);
    return image;
}

static void launch(struct user_motion *u)
{
    CUcontext cuda;
    CUstream stream;
    CUmodule module;
    CUfunction kernel;
    CUdeviceptr table, ticks, out;
    void *image = read_image();
    OK(bailey_context_cuda(context, &cuda, &stream));
    OK(bailey_buffer_cuda(u->table, &table));
    OK(bailey_buffer_cuda(u->ticks, &ticks));
    OK(bailey_buffer_cuda(u->out, &out));
    void *arguments[] = {&u->motion, &u->with_areas, &table, &ticks, &u->count, &u->first, &u->paths, &out};
    CALL(cuCtxPushCurrent_v2, cuda);
    CALL(cuModuleLoadData, &module, image);
    CALL(cuModuleGetFunction, &kernel, module, "user_motion");
    CALL(cuLaunchKernel, kernel, ((unsigned)u->paths + 31) / 32, 1, 1, 32, 1, 1, 0, stream, arguments, NULL);
    CALL(cuStreamSynchronize, stream);
    CALL(cuModuleUnload, module);
    CALL(cuCtxPopCurrent_v2, &cuda);
    free(image);
}
