/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Programs: one for each kernel, so that a job pays for what it uses. Binaries are kept for the life of
 * the process and on disk (cache.h), under one key.
 */
#include "opencl.h"

#ifdef BLY_HAVE_OPENCL

#include "cache.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "bailey opencl program 1" /* changes when the key or the use of binaries does */

struct binary {
    struct binary *next;
    uint8_t key[BLY_DIGEST_BYTES];
    size_t size;
    unsigned char *data;
};

/* Held while a program is looked up and built, so that no two threads build the same one. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct binary *binaries;

static const char *source_format = "#include \"kernels_cl/entry.h\"\n"
                                   "#include \"kernels/kernels.h\"\n"
                                   "BLY_KERNEL_%s\n";

static void make_key(const struct bly_cl_target *target, const char *source, const char *options,
                     uint8_t key[BLY_DIGEST_BYTES])
{
    static uint8_t headers[BLY_DIGEST_BYTES];
    static int have_headers;
    struct bly_hash hash;
    if (!have_headers) {
        bly_hash_init(&hash);
        for (const struct bly_embedded *h = bly_embedded_headers; h->name; h++) {
            bly_hash_add_text(&hash, h->name);
            bly_hash_add_text(&hash, h->text);
        }
        bly_hash_done(&hash, headers);
        have_headers = 1;
    }
    bly_hash_init(&hash);
    bly_hash_add_text(&hash, FORMAT);
    bly_hash_add_text(&hash, target->identity);
    bly_hash_add_text(&hash, options);
    bly_hash_add_text(&hash, source);
    bly_hash_add(&hash, headers, sizeof headers);
    bly_hash_done(&hash, key);
}

/* Fails with the head of the build log. */
static bailey_status fail_build(const struct bly_cl_target *target, cl_program program, cl_int error,
                                const char *name, const char *step)
{
    if (error == CL_OUT_OF_HOST_MEMORY) return bly_cl_fail(error, step);
    size_t size = 0;
    char *log = NULL;
    if (program &&
        bly_cl.clGetProgramBuildInfo(program, target->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) ==
            CL_SUCCESS &&
        size)
        log = calloc(1, size + 1);
    if (log && bly_cl.clGetProgramBuildInfo(program, target->device, CL_PROGRAM_BUILD_LOG, size, log, NULL) !=
                   CL_SUCCESS)
        *log = 0;
    const bailey_status status =
        bly_fail(BAILEY_ERROR_BUILD, "kernel %s did not build: %s: %s (%d)%s%s", name, step,
                 bly_cl_error_name(error), (int)error, log && *log ? "\n" : "", log ? log : "");
    free(log);
    return status;
}

static bailey_status build(const struct bly_cl_target *target, const char *name, const char *source,
                           const char *options, cl_program *linked)
{
    size_t count = 0, made = 0;
    while (bly_embedded_headers[count].name) count++;
    cl_program *headers = calloc(count, sizeof *headers);
    const char **names = calloc(count, sizeof *names);
    cl_program program = NULL;
    cl_int error = headers && names ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    *linked = NULL;
    for (; made < count && error == CL_SUCCESS; made++) {
        const char *text = bly_embedded_headers[made].text;
        names[made] = bly_embedded_headers[made].name;
        headers[made] = bly_cl.clCreateProgramWithSource(target->context, 1, &text, NULL, &error);
    }
    if (error == CL_SUCCESS)
        program = bly_cl.clCreateProgramWithSource(target->context, 1, &source, NULL, &error);
    bailey_status status = BAILEY_OK;
    if (error != CL_SUCCESS) {
        status = bly_cl_fail(error, "clCreateProgramWithSource");
    } else {
        error = bly_cl.clCompileProgram(program, 1, &target->device, options, (cl_uint)count, headers, names,
                                        NULL, NULL);
        if (error != CL_SUCCESS) status = fail_build(target, program, error, name, "clCompileProgram");
    }
    if (status == BAILEY_OK) {
        *linked =
            bly_cl.clLinkProgram(target->context, 1, &target->device, "", 1, &program, NULL, NULL, &error);
        if (error != CL_SUCCESS || !*linked) {
            status = fail_build(target, *linked, error, name, "clLinkProgram");
            if (*linked) bly_cl.clReleaseProgram(*linked);
            *linked = NULL;
        }
    }
    if (program) bly_cl.clReleaseProgram(program);
    for (size_t i = 0; i < made; i++)
        if (headers[i]) bly_cl.clReleaseProgram(headers[i]);
    free(headers);
    free(names);
    return status;
}

/* The program's binary for the target's device (a caller's context may hold several), or NULL. */
static unsigned char *get_binary(const struct bly_cl_target *target, cl_program program, size_t *size)
{
    cl_uint count = 0;
    unsigned char *binary = NULL;
    if (bly_cl.clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count, NULL) != CL_SUCCESS ||
        !count)
        return NULL;
    cl_device_id *devices = calloc(count, sizeof *devices);
    size_t *sizes = calloc(count, sizeof *sizes);
    unsigned char **data = calloc(count, sizeof *data);
    if (devices && sizes && data &&
        bly_cl.clGetProgramInfo(program, CL_PROGRAM_DEVICES, count * sizeof *devices, devices, NULL) ==
            CL_SUCCESS &&
        bly_cl.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, count * sizeof *sizes, sizes, NULL) ==
            CL_SUCCESS)
        for (cl_uint i = 0; i < count; i++)
            if (devices[i] == target->device && sizes[i]) {
                *size = sizes[i];
                binary = data[i] = malloc(sizes[i]);
            }
    if (binary && bly_cl.clGetProgramInfo(program, CL_PROGRAM_BINARIES, count * sizeof *data, data, NULL) !=
                      CL_SUCCESS) {
        free(binary);
        binary = NULL;
    }
    free(devices);
    free(sizes);
    free(data);
    return binary;
}

/* A program from its binary; NULL where the driver rejects it. */
static cl_program load(const struct bly_cl_target *target, const unsigned char *data, size_t size,
                       const char *options)
{
    cl_int error, status = CL_SUCCESS;
    cl_program program =
        bly_cl.clCreateProgramWithBinary(target->context, 1, &target->device, &size, &data, &status, &error);
    if (!program) return NULL;
    if (error == CL_SUCCESS && status == CL_SUCCESS)
        error = bly_cl.clBuildProgram(program, 1, &target->device, options, NULL, NULL);
    if (error == CL_SUCCESS && status == CL_SUCCESS) return program;
    bly_cl.clReleaseProgram(program);
    return NULL;
}

/* Takes `data`. Without memory for the list the program is used all the same. */
static void keep(const uint8_t key[BLY_DIGEST_BYTES], unsigned char *data, size_t size)
{
    struct binary *binary = malloc(sizeof *binary);
    if (!binary) {
        free(data);
        return;
    }
    memcpy(binary->key, key, BLY_DIGEST_BYTES);
    binary->data = data;
    binary->size = size;
    binary->next = binaries;
    binaries = binary;
}

static cl_program from_process(const struct bly_cl_target *target, const uint8_t key[BLY_DIGEST_BYTES],
                               const char *options)
{
    for (const struct binary *b = binaries; b; b = b->next)
        if (memcmp(b->key, key, BLY_DIGEST_BYTES) == 0) return load(target, b->data, b->size, options);
    return NULL;
}

static cl_program from_disk(const struct bly_cl_target *target, const uint8_t key[BLY_DIGEST_BYTES],
                            const char *name, const char *options)
{
    size_t size;
    unsigned char *data = bly_cache_load(target->cache, key, name, &size);
    if (!data) return NULL;
    cl_program program = load(target, data, size, options);
    if (program) {
        keep(key, data, size);
        return program;
    }
    bly_log(1, "opencl: the driver rejects the cached %s; it will be rebuilt", name);
    bly_cache_drop(target->cache, key);
    free(data);
    return NULL;
}

/* Launches the new program over nothing, once with a small and once with a large range, on a queue of its
 * own: PoCL compiles a kernel again for the local size and the magnitude of the range at the first launch,
 * 0.13 s each, and binaries taken after that hold the outcome. Failures do not matter. */
static void specialise(const struct bly_cl_target *target, cl_program program, const struct bly_kernel *what,
                       size_t params_size, size_t local_size)
{
    static const uint64_t zeros[BLY_MAX_PARAMS / 8];
    const size_t local[2] = {local_size, 1};
    cl_int error;
    cl_command_queue queue = bly_cl.clCreateCommandQueue(target->context, target->device, 0, &error);
    if (error) return;
    cl_kernel kernel = bly_cl.clCreateKernel(program, what->name, &error);
    if (!error) {
        const cl_uint range = 1 + what->buffers;
        error = bly_cl.clSetKernelArg(kernel, 0, params_size, zeros);
        for (cl_uint i = 1; i < range && !error; i++)
            error = bly_cl.clSetKernelArg(kernel, i, sizeof(cl_mem), NULL);
        for (cl_uint i = range; i < range + 3 && !error; i++)
            error = bly_cl.clSetKernelArg(kernel, i, sizeof(cl_ulong), zeros);
        for (size_t groups = 1; groups <= (size_t)1 << 16 && !error; groups <<= 16) {
            const size_t global[2] = {groups * local_size, 1};
            error = bly_cl.clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL);
        }
        bly_cl.clFinish(queue);
        bly_cl.clReleaseKernel(kernel);
    }
    bly_cl.clReleaseCommandQueue(queue);
}

static bailey_status make_program(const struct bly_cl_target *target, const struct bly_kernel *what,
                                  size_t params_size, unsigned lanes, size_t local_size, cl_program *program)
{
    const double start = bly_seconds();
    char source[256], options[160];
    snprintf(source, sizeof source, source_format, what->name);
    snprintf(options, sizeof options, "-cl-std=CL1.2 -DBAILEY_LANES=%u -DBLY_LOCAL_SIZE=%u%s", lanes,
             (unsigned)local_size, target->correct_rounding ? " -cl-fp32-correctly-rounded-divide-sqrt" : "");
    uint8_t key[BLY_DIGEST_BYTES];
    make_key(target, source, options, key);
    if ((*program = from_process(target, key, options))) return BAILEY_OK;
    if ((*program = from_disk(target, key, what->name, options))) {
        bly_log(1, "opencl: loaded %s from cache in %.3f s", what->name, bly_seconds() - start);
        return BAILEY_OK;
    }
    const bailey_status status = build(target, what->name, source, options, program);
    if (status != BAILEY_OK) return status;
    if (target->specialises) specialise(target, *program, what, params_size, local_size);
    size_t size;
    unsigned char *data = get_binary(target, *program, &size);
    if (data) {
        bly_cache_store(target->cache, key, what->name, data, size);
        /* NVIDIA's binaries are PTX, which the driver translates when it loads them (20 to 120 ms) and keeps
         * in a cache of its own; loading now spares the next process that. */
        cl_program reloaded = target->specialises ? NULL : load(target, data, size, options);
        if (reloaded) {
            bly_cl.clReleaseProgram(*program);
            *program = reloaded;
        }
        keep(key, data, size);
    }
    bly_log(1, "opencl: built %s in %.3f s", what->name, bly_seconds() - start);
    return BAILEY_OK;
}

bailey_status bly_cl_kernel_create(const struct bly_cl_target *target, const struct bly_kernel *what,
                                   size_t params_size, unsigned lanes, size_t local_size, cl_kernel *kernel)
{
    cl_program program = NULL;
    *kernel = NULL;
    pthread_mutex_lock(&mutex);
    const bailey_status status = make_program(target, what, params_size, lanes, local_size, &program);
    pthread_mutex_unlock(&mutex);
    if (status != BAILEY_OK) return status;
    cl_int error;
    cl_kernel made = bly_cl.clCreateKernel(program, what->name, &error);
    bly_cl.clReleaseProgram(program); /* the kernel keeps it */
    if (error) return bly_cl_fail(error, "clCreateKernel");
    *kernel = made;
    return BAILEY_OK;
}

#endif
