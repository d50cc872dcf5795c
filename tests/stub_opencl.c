/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * An OpenCL driver without hardware, for tests: a shared library to be named in BAILEY_OPENCL_LIBRARY. It
 * runs bailey's own kernels, compiled as C (stub_rows.c), so results are the real ones; queues are in
 * stub_opencl_queue.c, and calls fail as stub_faults.h says. It is a GPU: one lane an item.
 *
 * The environment is read at each call:
 *   STUB_PLATFORMS        how many there are (1); 0 is answered as the ICD loader does
 *   STUB_PLATFORM_NAME    "Stub platform"
 *   STUB_DEVICES          how many of each platform (1); 0 is answered with CL_DEVICE_NOT_FOUND
 *   STUB_DEVICE           what is odd about the devices: unavailable, nocompiler, nofp64, version11,
 *                         embedded, bigendian, norounding, noinf, badfma, smallgroups (it says of every
 *                         kernel that it takes groups of 32 items), verbose (knows
 *                         cl_nv_compiler_options), simulator (of every type)
 *   STUB_DRIVER           the driver version (1.0)
 *   STUB_VERSION          the OpenCL versions of platform and devices (1.2 1.2)
 *   STUB_SECONDS          that each program takes to compile (0)
 *   STUB_EXTENSION        an extension that the devices have besides
 *   STUB_SUBGROUPS        how many items the sub-groups of any kernel have; where it is 0, the question
 *                         fails, and where it is -1, programs with sub-groups do not compile
 *   STUB_LOG              the build log, where one is asked for
 *   STUB_POLLS            how often an event that is done is said to be running (0)
 *   STUB_EVENT            the error that events end with (0: none)
 */
#include "stub_opencl.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Objects --------------------------------------------------------------------------------- */

static struct _cl_platform_id platforms[4] = {{0}, {1}, {2}, {3}};
static struct _cl_device_id devices[4][4];
static long live; /* objects that exist */

long stub_live(void) { return live; }

void *stub_make(size_t size, void *above)
{
    struct stub_object *object = calloc(1, size);
    object->references = 1;
    object->above = above;
    if (above) object->above->references++;
    live++;
    return object;
}

void stub_drop(void *dropped)
{
    struct stub_object *object = dropped, *above;
    if (--object->references > 0) return;
    live--;
    above = object->above;
    free(object->owned);
    free(object);
    if (above) stub_drop(above);
}

/* A word of STUB_VERSION, in a text of this form. */
static const char *version(int word, const char *form)
{
    static char text[64];
    char words[2][16] = {"1.2", "1.2"};
    const char *value = getenv("STUB_VERSION");
    if (value) sscanf(value, "%15s %15s", words[0], words[1]);
    snprintf(text, sizeof text, form, words[word]);
    return text;
}

cl_int stub_answer(const void *value, size_t value_size, size_t size, void *out, size_t *out_size)
{
    if (out && size < value_size) return CL_INVALID_VALUE;
    if (out) memcpy(out, value, value_size);
    if (out_size) *out_size = value_size;
    return CL_SUCCESS;
}

/* ---- Platforms and devices ------------------------------------------------------------------- */

EXPORT cl_int clGetPlatformIDs(cl_uint capacity, cl_platform_id *list, cl_uint *count)
{
    MAY_FAIL;
    const cl_uint n = (cl_uint)stub_number("STUB_PLATFORMS", 1);
    if (n == 0) return -1001;
    for (cl_uint i = 0; list && i < n && i < capacity; i++) list[i] = &platforms[i];
    if (count) *count = n;
    return CL_SUCCESS;
}

EXPORT cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t size, void *value,
                                size_t *value_size)
{
    (void)platform;
    MAY_FAIL;
    const char *name = getenv("STUB_PLATFORM_NAME");
    switch (what) {
    case CL_PLATFORM_NAME: ANSWER_TEXT(name ? name : "Stub platform");
    case CL_PLATFORM_VERSION: ANSWER_TEXT(version(0, "OpenCL %s stub"));
    default: ANSWER_TEXT("stub");
    }
}

EXPORT cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint capacity,
                             cl_device_id *list, cl_uint *count)
{
    MAY_FAIL;
    (void)type;
    const cl_uint n = (cl_uint)stub_number("STUB_DEVICES", 1);
    if (n == 0) return CL_DEVICE_NOT_FOUND;
    for (cl_uint i = 0; list && i < n && i < capacity; i++) {
        list[i] = &devices[platform->number][i];
        *list[i] = (struct _cl_device_id){platform, (int)i};
    }
    if (count) *count = n;
    return CL_SUCCESS;
}

EXPORT cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
                              size_t *value_size)
{
    const char *driver = getenv("STUB_DRIVER"), *extension = getenv("STUB_EXTENSION");
    char extensions[200];
    MAY_FAIL;
    const cl_device_fp_config config = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN | CL_FP_FMA | CL_FP_DENORM;
    switch (what) {
    case CL_DEVICE_TYPE:
        ANSWER(cl_device_type, stub_odd("simulator") ? CL_DEVICE_TYPE_ALL : CL_DEVICE_TYPE_GPU);
    case CL_DEVICE_PLATFORM: ANSWER(cl_platform_id, device->platform);
    case CL_DEVICE_NAME: ANSWER_TEXT("Stub device");
    case CL_DEVICE_VERSION:
        ANSWER_TEXT(stub_odd("version11") ? "OpenCL 1.1 stub" : version(1, "OpenCL %s stub"));
    case CL_DEVICE_PROFILE: ANSWER_TEXT(stub_odd("embedded") ? "EMBEDDED_PROFILE" : "FULL_PROFILE");
    case CL_DEVICE_EXTENSIONS:
        snprintf(extensions, sizeof extensions, "%s%s %s", stub_odd("nofp64") ? "" : "cl_khr_fp64",
                 stub_odd("verbose") ? " cl_nv_compiler_options" : "", extension ? extension : "");
        ANSWER_TEXT(extensions);
    case CL_DRIVER_VERSION: ANSWER_TEXT(driver ? driver : "1.0");
    case CL_DEVICE_AVAILABLE: ANSWER(cl_bool, !stub_odd("unavailable"));
    case CL_DEVICE_COMPILER_AVAILABLE: ANSWER(cl_bool, !stub_odd("nocompiler"));
    case CL_DEVICE_ENDIAN_LITTLE: ANSWER(cl_bool, !stub_odd("bigendian"));
    case CL_DEVICE_SINGLE_FP_CONFIG:
        ANSWER(cl_device_fp_config, config & ~(stub_odd("norounding") ? CL_FP_ROUND_TO_NEAREST : 0) &
                                        ~(stub_odd("noinf") ? CL_FP_INF_NAN : 0));
    case CL_DEVICE_DOUBLE_FP_CONFIG: ANSWER(cl_device_fp_config, stub_odd("nofp64") ? 0 : config);
    case CL_DEVICE_MAX_COMPUTE_UNITS: ANSWER(cl_uint, 4);
    case CL_DEVICE_ADDRESS_BITS: ANSWER(cl_uint, 64);
    case CL_DEVICE_GLOBAL_MEM_SIZE: ANSWER(cl_ulong, 1 << 30);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: ANSWER(cl_ulong, 1 << 28);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: ANSWER(size_t, 256);
    case CL_DEVICE_LOCAL_MEM_SIZE: ANSWER(cl_ulong, 48 << 10);
    default: ANSWER_TEXT("stub");
    }
}

/* ---- Contexts and queues --------------------------------------------------------------------- */

EXPORT cl_context clCreateContext(const cl_context_properties *properties, cl_uint count,
                                  const cl_device_id *list,
                                  void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                                  void *user, cl_int *error)
{
    (void)properties, (void)count, (void)notify, (void)user;
    MAY_FAIL_TO(error);
    cl_context context = stub_make(sizeof *context, NULL);
    context->device = list[0];
    return context;
}

RETAIN(clRetainContext, cl_context)
RELEASE(clReleaseContext, cl_context)

EXPORT cl_int clGetContextInfo(cl_context context, cl_context_info what, size_t size, void *value,
                               size_t *value_size)
{
    MAY_FAIL;
    if (what != CL_CONTEXT_DEVICES) return CL_INVALID_VALUE;
    ANSWER(cl_device_id, context->device);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

EXPORT cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *error)
{
    (void)host;
    MAY_FAIL_TO(error);
    cl_mem memory = stub_make(sizeof *memory, context);
    memory->context = context;
    memory->flags = flags;
    memory->size = size;
    memory->base.owned = memory->bytes = malloc(size);
    memset(memory->bytes, 0xcd, size);
    return memory;
}

RETAIN(clRetainMemObject, cl_mem)
RELEASE(clReleaseMemObject, cl_mem)

EXPORT cl_int clGetMemObjectInfo(cl_mem memory, cl_mem_info what, size_t size, void *value,
                                 size_t *value_size)
{
    MAY_FAIL;
    switch (what) {
    case CL_MEM_TYPE: ANSWER(cl_mem_object_type, CL_MEM_OBJECT_BUFFER);
    case CL_MEM_SIZE: ANSWER(size_t, memory->size);
    case CL_MEM_CONTEXT: ANSWER(cl_context, memory->context);
    case CL_MEM_FLAGS: ANSWER(cl_mem_flags, memory->flags);
    default: return CL_INVALID_VALUE;
    }
}

/* ---- Programs -------------------------------------------------------------------------------- */

#define BINARY_MAGIC "stub binary of "
#define BINARY_MOST 400
#define GROUP_ENTRY "\nBLY_GROUP_ENTRY_"

static cl_program make_program(cl_context context, const char *text, int linked)
{
    cl_program program = stub_make(sizeof *program, context);
    program->context = context;
    program->base.owned = program->text = strdup(text);
    program->linked = linked;
    return program;
}

EXPORT cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings,
                                            const size_t *lengths, cl_int *error)
{
    (void)count, (void)lengths;
    MAY_FAIL_TO(error);
    return make_program(context, strings[0], 0);
}

EXPORT cl_program clCreateProgramWithBinary(cl_context context, cl_uint count, const cl_device_id *list,
                                            const size_t *lengths, const unsigned char **binaries,
                                            cl_int *status, cl_int *error)
{
    (void)count, (void)list;
    MAY_FAIL_TO(error);
    const size_t magic = strlen(BINARY_MAGIC);
    const int good = lengths[0] > magic && lengths[0] < magic + BINARY_MOST &&
                     memcmp(binaries[0], BINARY_MAGIC, magic) == 0;
    if (status) *status = good ? CL_SUCCESS : CL_INVALID_BINARY;
    if (error && !good) *error = CL_INVALID_BINARY;
    if (!good) return NULL;
    char names[BINARY_MOST] = "";
    memcpy(names, binaries[0] + magic, lengths[0] - magic);
    return make_program(context, names, 1);
}

RELEASE(clReleaseProgram, cl_program)

EXPORT cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *list, const char *options,
                             void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    (void)count, (void)list, (void)notify, (void)user;
    MAY_FAIL;
    if (strstr(options, "-cl-nv-verbose") && !stub_odd("verbose")) return CL_INVALID_BUILD_OPTIONS;
    return program->linked ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE;
}

EXPORT cl_int clCompileProgram(cl_program program, cl_uint count, const cl_device_id *list,
                               const char *options, cl_uint header_count, const cl_program *headers,
                               const char **names, void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    (void)count, (void)list, (void)headers, (void)notify, (void)user;
    MAY_FAIL;
    sleep((unsigned)stub_number("STUB_SECONDS", 0));
    stub_add_options(options);
    if (strstr(options, "BAILEY_SUBGROUPS_OF_32") && stub_number("STUB_SUBGROUPS", 0) < 0)
        return CL_COMPILE_PROGRAM_FAILURE;
    int kernels = 0, entry = 0;
    for (cl_uint i = 0; i < header_count; i++) {
        kernels |= strcmp(names[i], "kernels/kernels.h") == 0;
        entry |= strcmp(names[i], "kernels_cl/entry_cl.h") == 0;
    }
    if (strstr(options, "-cl-nv-verbose")) return CL_INVALID_COMPILER_OPTIONS;
    if (strstr(program->text, "kernels/group_entry.h")) {
        snprintf(stub_text, sizeof stub_text, "%s", program->text);
        return entry && strstr(program->text, GROUP_ENTRY) && strstr(options, "-DBLY_BLOCK=64 ") &&
                       strstr(options, "-DBLY_SHARED_BYTES=")
                   ? CL_SUCCESS
                   : CL_COMPILE_PROGRAM_FAILURE;
    }
    return kernels && entry && strstr(program->text, "\nBLY_") ? CL_SUCCESS : CL_COMPILE_PROGRAM_FAILURE;
}

EXPORT cl_program clLinkProgram(cl_context context, cl_uint count, const cl_device_id *list,
                                const char *options, cl_uint program_count, const cl_program *programs,
                                void(CL_CALLBACK *notify)(cl_program, void *), void *user, cl_int *error)
{
    (void)count, (void)list, (void)options, (void)program_count, (void)notify, (void)user;
    MAY_FAIL_TO(error);
    const int is_group = strstr(programs[0]->text, GROUP_ENTRY) != NULL;
    const char *at = programs[0]->text;
    char text[BINARY_MOST] = "";
    while ((at = strstr(at, is_group ? GROUP_ENTRY : "\nBLY_"))) {
        at += strcspn(at, "(") + 1;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.*s", *text ? "\n" : "",
                 (int)strcspn(at, ",\n"), at);
    }
    return make_program(context, text, 1);
}

EXPORT cl_int clGetProgramInfo(cl_program program, cl_program_info what, size_t size, void *value,
                               size_t *value_size)
{
    MAY_FAIL;
    const size_t length = strlen(BINARY_MAGIC) + strlen(program->text);
    switch (what) {
    case CL_PROGRAM_NUM_DEVICES: ANSWER(cl_uint, 1);
    case CL_PROGRAM_DEVICES: ANSWER(cl_device_id, program->context->device);
    case CL_PROGRAM_BINARY_SIZES: ANSWER(size_t, length);
    case CL_PROGRAM_BINARIES: {
        unsigned char *out = *(unsigned char **)value;
        memcpy(out, BINARY_MAGIC, strlen(BINARY_MAGIC));
        memcpy(out + strlen(BINARY_MAGIC), program->text, strlen(program->text));
        return CL_SUCCESS;
    }
    default: return CL_INVALID_VALUE;
    }
}

EXPORT cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what,
                                    size_t size, void *value, size_t *value_size)
{
    (void)program, (void)device;
    MAY_FAIL;
    if (what != CL_PROGRAM_BUILD_LOG) return CL_INVALID_VALUE;
    if (program->linked && stub_odd("verbose"))
        ANSWER_TEXT(
            "ptxas info    : Used 0 barriers\nptxas info    : Used 42 registers, 400 bytes cmem[0]\n");
    const char *log = getenv("STUB_LOG");
    ANSWER_TEXT(log ? log : "stub: error: this driver was told to fail");
}

/* ---- Kernels --------------------------------------------------------------------------------- */

/* Whether it is one of the names, which stand on a line each. */
static int is_among(const char *names, const char *name)
{
    const size_t length = strlen(name);
    for (; names; names = strchr(names, '\n')) {
        names += *names == '\n';
        if (strcspn(names, "\n") == length && strncmp(names, name, length) == 0) return 1;
    }
    return 0;
}

EXPORT cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *error)
{
    MAY_FAIL_TO(error);
    struct stub_kernel entry;
    if (!is_among(program->text, name) || !stub_kernel_find(name, strncmp(name, "stub_", 5) == 0, &entry)) {
        if (error) *error = CL_INVALID_KERNEL_NAME;
        return NULL;
    }
    cl_kernel kernel = stub_make(sizeof *kernel, program);
    kernel->program = program;
    kernel->entry = entry;
    return kernel;
}

EXPORT cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what,
                                       size_t size, void *value, size_t *value_size)
{
    (void)kernel, (void)device;
    MAY_FAIL;
    switch (what) {
    case CL_KERNEL_WORK_GROUP_SIZE: ANSWER(size_t, stub_odd("smallgroups") ? 32 : 256);
    case CL_KERNEL_PRIVATE_MEM_SIZE: ANSWER(cl_ulong, 24);
    case CL_KERNEL_LOCAL_MEM_SIZE: ANSWER(cl_ulong, 80);
    default: return CL_INVALID_VALUE;
    }
}

EXPORT cl_int clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_uint what, size_t input_size,
                                      const void *input, size_t size, void *value, size_t *value_size)
{
    (void)kernel, (void)device;
    MAY_FAIL;
    const size_t local[2] = {128, 1}; /* as the launches have it */
    const int items = stub_number("STUB_SUBGROUPS", 0);
    if (what != 0x2033 || input_size != sizeof local || memcmp(input, local, sizeof local) != 0)
        return CL_INVALID_VALUE;
    if (items <= 0) return CL_INVALID_OPERATION;
    ANSWER(size_t, (size_t)items);
}

RELEASE(clReleaseKernel, cl_kernel)

EXPORT cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    MAY_FAIL;
    if (index >= MAX_ARGUMENTS || size > sizeof kernel->arguments->bytes) return CL_INVALID_ARG_INDEX;
    kernel->arguments[index].size = size;
    memset(kernel->arguments[index].bytes, 0, sizeof kernel->arguments->bytes);
    if (value) memcpy(kernel->arguments[index].bytes, value, size);
    return CL_SUCCESS;
}
