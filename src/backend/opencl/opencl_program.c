/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Programs: one for each kernel, so that a job pays for what it uses.
 */
#include "opencl_internal.h"

#ifdef BLY_HAVE_OPENCL

#include <backend/programs.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "bailey opencl program 3" /* changes when the key or the use of binaries does */

static const char *source_format = "#include \"kernels_cl/entry_cl.h\"\n"
                                   "#include \"kernels/kernels.h\"\n"
                                   "%s\n";

#define MAX_OPTIONS 256

/* A program while it is made. */
struct making {
    const struct bly_cl_target *target;
    const struct bly_kernel *what;
    size_t params_size;
    size_t local_size;
    const char *source, *options;
};

/* Whether the compiler said nothing. PoCL itself says "Device NAME failed to build the program" then. */
static int is_silent(const char *log)
{
    static const char pocl[] = " failed to build the program";
    const char *at = log ? log + strspn(log, " \t\n") : "";
    if (strncmp(at, "Device ", 7) == 0) {
        const char *end = strstr(at, pocl);
        if (end) at = end + sizeof pocl - 1;
    }
    return at[strspn(at, " \t\n")] == 0;
}

/* Fails with the build log; *silent says if the program was turned down without one. */
static bailey_status fail_build(const struct bly_cl_target *target, cl_program program, cl_int error,
                                const char *name, const char *step, int *silent)
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
    *silent = (error == CL_COMPILE_PROGRAM_FAILURE || error == CL_LINK_PROGRAM_FAILURE) && is_silent(log);
    free(log);
    return status;
}

static bailey_status build(const struct bly_cl_target *target, const char *name, const char *source,
                           const char *options, cl_program *linked, int *silent)
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
        if (error != CL_SUCCESS)
            status = fail_build(target, program, error, name, "clCompileProgram", silent);
    }
    if (status == BAILEY_OK) {
        *linked =
            bly_cl.clLinkProgram(target->context, 1, &target->device, "", 1, &program, NULL, NULL, &error);
        if (error != CL_SUCCESS || !*linked) {
            status = fail_build(target, *linked, error, name, "clLinkProgram", silent);
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
    char verbose[MAX_OPTIONS + 20];
    cl_int error, status = CL_SUCCESS;
    cl_program program =
        bly_cl.clCreateProgramWithBinary(target->context, 1, &target->device, &size, &data, &status, &error);
    if (!program) return NULL;
    if (error == CL_SUCCESS && status == CL_SUCCESS && target->verbose) {
        /* For bly_cl_kernel_describe; nothing depends on it. */
        snprintf(verbose, sizeof verbose, "%s -cl-nv-verbose", options);
        if (bly_cl.clBuildProgram(program, 1, &target->device, verbose, NULL, NULL) == CL_SUCCESS)
            return program;
    }
    if (error == CL_SUCCESS && status == CL_SUCCESS)
        error = bly_cl.clBuildProgram(program, 1, &target->device, options, NULL, NULL);
    if (error == CL_SUCCESS && status == CL_SUCCESS) return program;
    bly_cl.clReleaseProgram(program);
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

static void *load_binary(void *target, const void *binary, size_t size)
{
    const struct making *making = target;
    return load(making->target, binary, size, making->options);
}

static bailey_status build_program(void *target, void **program, void **binary, size_t *size)
{
    const struct making *making = target;
    cl_program built = NULL;
    int silent = 0;
    bailey_status status =
        build(making->target, making->what->name, making->source, making->options, &built, &silent);
    if (status == BAILEY_ERROR_BUILD && silent) {
        /* So end builds of PoCL 5.0 when several processes make its cache at once. */
        bly_log(1, "opencl: %s did not build, and the compiler does not say why; trying once more",
                making->what->name);
        status = build(making->target, making->what->name, making->source, making->options, &built, &silent);
    }
    if (status != BAILEY_OK) return status;
    /* Programs from source would not be safe to run over nothing; PoCL keeps what it makes of them. */
    if (making->target->specialises && !making->what->source)
        specialise(making->target, built, making->what, making->params_size, making->local_size);
    *binary = get_binary(making->target, built, size);
    /* NVIDIA's binaries are PTX, which the driver translates when it loads them (20 to 120 ms) and keeps
     * in a cache of its own; loading now spares the next process that. */
    cl_program reloaded = *binary && !making->target->specialises
                              ? load(making->target, *binary, *size, making->options)
                              : NULL;
    if (reloaded) bly_cl.clReleaseProgram(built);
    *program = reloaded ? reloaded : built;
    return BAILEY_OK;
}

/* The directory that PoCL keeps what it compiles in, shared by all processes of the user. Before 4.0 a binary
 * is a copy of the files there, made in two calls, for its size and for its contents. When another process
 * writes in between, the binary is damaged, and who loads it ends with "Assertion `len > 0' failed". */
static const char *pocl_cache(char *path, size_t size)
{
    const char *named = getenv("POCL_CACHE_DIR"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (named)
        snprintf(path, size, "%s", named);
    else if (cache && *cache)
        snprintf(path, size, "%s/pocl/kcache", cache);
    else if (home)
        snprintf(path, size, "%s/.cache/pocl/kcache", home);
    else
        snprintf(path, size, "/tmp/pocl/kcache");
    return path;
}

bailey_status bly_cl_kernel_create(const struct bly_cl_target *target, const struct bly_kernel *what,
                                   size_t params_size, unsigned lanes, size_t local_size, int standard,
                                   cl_kernel *kernel)
{
    char source[256], options[MAX_OPTIONS], directory[PATH_MAX];
    /* -w: PoCL 3.1 would print the number of warnings to standard error. */
    int used =
        snprintf(options, sizeof options, "-cl-std=CL%d.%d -w -DBAILEY_LANES=%u -DBLY_LOCAL_SIZE=%u%s%s",
                 standard / 10, standard % 10, lanes, (unsigned)local_size,
                 target->correct_rounding ? " -cl-fp32-correctly-rounded-divide-sqrt" : "",
                 standard >= 20 ? " -DBAILEY_SUBGROUPS_OF_32" : "");
    if (what->source)
        snprintf(options + used, sizeof options - (size_t)used, " -DBLY_BLOCK=%u -DBLY_SHARED_BYTES=%u",
                 (unsigned)local_size, (unsigned)bly_shared_bytes(what));
    else
        snprintf(source, sizeof source, source_format, what->entry);
    struct making making = {target, what, params_size, local_size, what->source ? what->source : source,
                            options};
    const char *const key[] = {FORMAT, target->identity, options, making.source, NULL};
    const struct bly_program wanted = {.backend = "opencl",
                                       .name = what->name,
                                       .key = key,
                                       .cache = target->cache,
                                       .target = &making,
                                       .load = load_binary,
                                       .build = build_program,
                                       .lock =
                                           target->alone ? pocl_cache(directory, sizeof directory) : NULL};
    void *program = NULL;
    *kernel = NULL;
    const bailey_status status = bly_program_make(&wanted, &program);
    if (status != BAILEY_OK) return status;
    cl_int error;
    cl_kernel made = bly_cl.clCreateKernel(program, what->name, &error);
    bly_cl.clReleaseProgram(program); /* the kernel keeps it */
    if (error) return bly_cl_fail(error, "clCreateKernel");
    *kernel = made;
    return BAILEY_OK;
}

/* N of the last "Used N registers" in what NVIDIA's compiler says; a program has one kernel. */
static uint32_t find_registers(const char *log)
{
    unsigned number = 0;
    for (const char *at = log; (at = strstr(at, "Used ")); at++) sscanf(at, "Used %u registers", &number);
    return number;
}

void bly_cl_kernel_describe(const struct bly_cl_target *target, const struct bly_kernel *what,
                            cl_kernel kernel, size_t local_size, bailey_kernel_info *info)
{
    cl_ulong private_bytes = 0, local_bytes = 0;
    cl_program program = NULL;
    size_t size = 0;
    memset(info, 0, sizeof *info);
    info->block = (uint32_t)local_size;
    /* PoCL answers with a constant. */
    if (!target->specialises &&
        bly_cl.clGetKernelWorkGroupInfo(kernel, target->device, CL_KERNEL_PRIVATE_MEM_SIZE,
                                        sizeof private_bytes, &private_bytes, NULL) == CL_SUCCESS)
        info->spill_bytes = (uint32_t)private_bytes;
    if (bly_cl.clGetKernelWorkGroupInfo(kernel, target->device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local_bytes,
                                        &local_bytes, NULL) == CL_SUCCESS)
        info->shared_bytes = (uint32_t)local_bytes;
    /* PoCL 5.0 answers 0 whatever the kernel declares. */
    if (what->source && info->shared_bytes < bly_shared_bytes(what))
        info->shared_bytes = bly_shared_bytes(what);
    if (!target->verbose ||
        bly_cl.clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL) != CL_SUCCESS ||
        bly_cl.clGetProgramBuildInfo(program, target->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) !=
            CL_SUCCESS)
        return;
    char *log = calloc(1, size + 1);
    if (log && bly_cl.clGetProgramBuildInfo(program, target->device, CL_PROGRAM_BUILD_LOG, size, log, NULL) ==
                   CL_SUCCESS)
        info->registers = find_registers(log);
    free(log);
}

#endif
