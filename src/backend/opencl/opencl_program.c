/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Making programs: one for each row, so that a job pays for what it uses, and one for each text.
 */
#include "opencl_internal.h"

#ifdef BLY_HAVE_OPENCL

#include <backend/programs.h>
#include <base/alloc.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "bailey opencl program 3" /* changes when the key or the use of binaries does */

#define MAX_OPTIONS 256

/* A program while it is made. */
struct making {
    const struct bly_cl_target *target;
    const struct bly_code *code;
    const struct bly_cl_shape *shape;
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

/* The compiler's log, which the caller frees; NULL without memory, or where the driver does not answer. */
static char *build_log(const struct bly_cl_target *target, cl_program program)
{
    size_t size = 0;
    if (bly_cl.clGetProgramBuildInfo(program, target->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) !=
        CL_SUCCESS)
        return NULL;
    char *log = calloc(1, size + 1);
    if (log && bly_cl.clGetProgramBuildInfo(program, target->device, CL_PROGRAM_BUILD_LOG, size, log, NULL) !=
                   CL_SUCCESS)
        *log = 0;
    return log;
}

/* Fails with the build log; *silent says if the program was turned down without one. */
static bailey_status fail_build(const struct bly_cl_target *target, cl_program program, cl_int error,
                                const char *name, const char *step, int *silent)
{
    if (error == CL_OUT_OF_HOST_MEMORY) return bly_cl_fail(error, step);
    char *log = program ? build_log(target, program) : NULL;
    const bailey_status status =
        bly_fail(BAILEY_ERROR_BUILD, "program %s did not build: %s: %s (%d)%s%s", name, step,
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
    if (error == CL_SUCCESS && status == CL_SUCCESS && target->traits.verbose) {
        /* For bly_cl_program_registers; nothing else depends on it. */
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

/* Launches the new program over nothing, with a small range, on a separate queue: PoCL compiles a kernel
 * again for the local size and the magnitude of the range at the first launch, and binaries taken after that
 * hold the outcome. For large ranges it does so at their first launch, and caches the result itself. Failures
 * do not matter. */
static void specialise(const struct making *making, cl_program program)
{
    static const uint64_t zeros[BLY_MAX_PARAMS / 8];
    const struct bly_kernel *what = making->code->kernels;
    const size_t local[2] = {making->shape->local_size, 1};
    cl_int error;
    cl_command_queue queue =
        bly_cl.clCreateCommandQueue(making->target->context, making->target->device, 0, &error);
    if (error) return;
    cl_kernel kernel = bly_cl.clCreateKernel(program, what->name, &error);
    if (!error) {
        const cl_uint range = 1 + what->buffers;
        error = bly_cl.clSetKernelArg(kernel, 0, what->params_bytes, zeros);
        for (cl_uint i = 1; i < range && !error; i++)
            error = bly_cl.clSetKernelArg(kernel, i, sizeof(cl_mem), NULL);
        for (cl_uint i = range; i < range + 3 && !error; i++)
            error = bly_cl.clSetKernelArg(kernel, i, sizeof(cl_ulong), zeros);
        if (!error)
            error = bly_cl.clEnqueueNDRangeKernel(queue, kernel, 2, NULL, local, local, 0, NULL, NULL);
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
    const char *name = making->code->name;
    const int specialises = making->target->traits.specialises;
    cl_program built = NULL;
    int silent = 0;
    bailey_status status = build(making->target, name, making->source, making->options, &built, &silent);
    if (status == BAILEY_ERROR_BUILD && silent) {
        /* So end builds of PoCL 5.0 when several processes make its cache at once. */
        bly_log(1, "opencl: %s did not build, and the compiler gives no reason; trying again", name);
        status = build(making->target, name, making->source, making->options, &built, &silent);
    }
    if (status != BAILEY_OK) return status;
    /* Texts would not be safe to run over nothing; PoCL keeps what it makes of them. */
    if (specialises && !making->code->text) specialise(making, built);
    *binary = get_binary(making->target, built, size);
    /* NVIDIA's binaries are PTX, which the driver translates when it loads them (20 to 120 ms) and then
     * caches itself; loading now spares the next process that. */
    cl_program reloaded =
        *binary && !specialises ? load(making->target, *binary, *size, making->options) : NULL;
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

/* The whole program, to be freed with bly_free; NULL without memory. */
static char *write_source(const struct bly_code *code, const struct bly_cl_shape *shape)
{
    struct bly_text text = {0};
    if (code->text) return bly_code_compose(code);
    if (shape->tuned) {
        bly_text_add(&text, "%s#define BLY_LOCAL_BYTES %u\n", shape->tuned, (unsigned)shape->shared_bytes);
        bly_text_add(&text, "#include \"kernels_cl/tuned/entry_local.h\"\n%s\n", code->kernels->entry);
        return text.data;
    }
    bly_text_add(&text, "#include \"kernels_cl/entry_cl.h\"\n#include \"%s\"\n%s\n",
                 code->kernels->header ? code->kernels->header : "kernels/kernels.h", code->kernels->entry);
    return text.data;
}

static void write_options(const struct making *making, char options[MAX_OPTIONS])
{
    const struct bly_cl_shape *shape = making->shape;
    /* -w: PoCL 3.1 would print the number of warnings to standard error. */
    const int used =
        snprintf(options, MAX_OPTIONS, "-cl-std=CL%d.%d -w -DBAILEY_LANES=%u -DBLY_LOCAL_SIZE=%u%s%s",
                 shape->standard / 10, shape->standard % 10, shape->lanes, (unsigned)shape->local_size,
                 making->target->traits.correct_rounding ? " -cl-fp32-correctly-rounded-divide-sqrt" : "",
                 shape->standard >= 20 ? " -DBAILEY_SUBGROUPS_OF_32" : "");
    if (making->code->text)
        snprintf(options + used, MAX_OPTIONS - (size_t)used, " -DBLY_BLOCK=%u -DBLY_SHARED_BYTES=%u",
                 (unsigned)shape->local_size, (unsigned)shape->shared_bytes);
}

bailey_status bly_cl_program_make(const struct bly_cl_target *target, const struct bly_code *code,
                                  const struct bly_cl_shape *shape, cl_program *program)
{
    char options[MAX_OPTIONS], directory[PATH_MAX];
    char *source = write_source(code, shape);
    struct making making = {target, code, shape, source, options};
    *program = NULL;
    if (!source) return bly_fail(BAILEY_ERROR_MEMORY, "not enough memory for a program");
    write_options(&making, options);
    const char *const key[] = {FORMAT, target->identity, options, source, NULL};
    const struct bly_wanted wanted = {.backend = "opencl",
                                      .name = code->name,
                                      .key = key,
                                      .cache = target->cache,
                                      .target = &making,
                                      .load = load_binary,
                                      .build = build_program,
                                      .lock = target->traits.alone ? pocl_cache(directory, sizeof directory)
                                                                   : NULL};
    void *made = NULL;
    const bailey_status status = bly_program_make(&wanted, &made);
    bly_free(source);
    *program = made;
    return status;
}

/* NVIDIA's compiler says "Compiling entry function 'NAME' for ..." and some lines later "Used N registers".
 */
static uint32_t find_registers(const char *log, const char *kernel)
{
    char entry[128];
    snprintf(entry, sizeof entry, "entry function '%s'", kernel);
    const char *at = strstr(log, entry);
    for (at = at ? at : log; (at = strstr(at, "Used ")); at++) {
        unsigned number = 0;
        int end = 0; /* set once the whole form has been read */
        if (sscanf(at, "Used %u registers%n", &number, &end) == 1 && end) return number;
    }
    return 0;
}

uint32_t bly_cl_program_registers(const struct bly_cl_target *target, cl_program program, const char *kernel)
{
    char *log = target->traits.verbose ? build_log(target, program) : NULL;
    const uint32_t registers = log ? find_registers(log, kernel) : 0;
    free(log);
    return registers;
}

#endif
