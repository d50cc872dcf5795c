/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * An OpenCL driver without hardware, for tests: a shared library to be named in BAILEY_OPENCL_LIBRARY. It
 * runs bailey's own kernels, compiled as C (stub_opencl_kernels.c), so results are the real ones. Built with
 * -DSTUB_MISSING it lacks clFinish. It is a GPU: one lane an item.
 *
 * The environment is read at each call:
 *   STUB_PLATFORMS        how many there are (1); 0 is answered as the ICD loader does
 *   STUB_PLATFORM_NAME    "Stub platform"
 *   STUB_DEVICES          how many of each platform (1); 0 is answered with CL_DEVICE_NOT_FOUND
 *   STUB_DEVICE           what is odd about the devices: unavailable, nocompiler, nofp64, version11,
 *                         embedded, bigendian, norounding, noinf, badfma, rejects (its own binaries),
 *                         smallgroups (of 32 items, for kernels that are given as source), verbose (knows
 *                         cl_nv_compiler_options)
 *   STUB_DRIVER           the driver version (1.0)
 *   STUB_VERSION          the OpenCL versions of platform and devices (1.2 1.2)
 *   STUB_SECONDS          that each program takes to compile (0)
 *   STUB_EXTENSION        an extension that the devices have besides
 *   STUB_SUBGROUPS        how many items the sub-groups of any kernel have; where it is 0, the question
 *                         fails, and where it is -1, programs with sub-groups do not compile
 *   STUB_FAIL             function:n:error makes the n-th call from now of a function fail; a changed value
 *                         starts the count again (a suffix :anything is ignored)
 *   STUB_LOG              the build log, where one is asked for
 *
 * stub_options holds the options of all compilations, a line each, until it is emptied.
 *
 * Of kernels given as source it knows one, stub_double: see DOUBLE in stub_opencl_kernels.c.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stub_opencl_kernels.h"

#define MAX_ARGUMENTS 12

/* ---- Objects --------------------------------------------------------------------------------- */

/* The loader's vendor types are pointers to these; ours start with a count of references. */
struct _cl_platform_id {
    int number;
};
struct _cl_device_id {
    struct _cl_platform_id *platform;
    int number;
};
struct _cl_context {
    int references;
    cl_device_id device;
};
struct _cl_command_queue {
    int references;
    cl_context context;
    cl_command_queue_properties properties;
};
struct _cl_mem {
    int references;
    cl_context context;
    cl_mem_flags flags;
    size_t size;
    unsigned char *bytes;
};
struct _cl_program {
    int references;
    cl_context context;
    char *text; /* source, or the name of the kernel once linked */
    int linked;
};
struct argument {
    size_t size;
    unsigned char bytes[256];
};
struct _cl_kernel {
    int references;
    cl_program program;
    const struct stub_kernel *entry;
    struct argument arguments[MAX_ARGUMENTS];
};

static struct _cl_platform_id platforms[4] = {{0}, {1}, {2}, {3}};
static struct _cl_device_id devices[4][4];
static long live; /* objects that exist */

EXPORT long stub_live(void);
EXPORT long stub_live(void) { return live; }

static void *make(size_t size)
{
    int *object = calloc(1, size);
    *object = 1;
    live++;
    return object;
}

/* Drops a reference; returns 1 when it was the last and the object is to be torn down. */
static int drop(void *object)
{
    if (--*(int *)object > 0) return 0;
    live--;
    return 1;
}

static int number(const char *variable, int otherwise)
{
    const char *value = getenv(variable);
    return value && *value ? atoi(value) : otherwise;
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

static int odd(const char *what)
{
    const char *value = getenv("STUB_DEVICE");
    return value && strcmp(value, what) == 0;
}

/* The error that this call is to fail with, or CL_SUCCESS. */
static cl_int fails(const char *function)
{
    static char current[128];
    static int calls;
    const char *value = getenv("STUB_FAIL");
    if (!value || !*value) {
        *current = 0;
        return CL_SUCCESS;
    }
    if (strcmp(current, value) != 0) {
        snprintf(current, sizeof current, "%s", value);
        calls = 0;
    }
    char name[64];
    int n = 0, error = 0;
    if (sscanf(value, "%63[^:]:%d:%d", name, &n, &error) != 3 || strcmp(name, function) != 0)
        return CL_SUCCESS;
    return ++calls == n ? error : CL_SUCCESS;
}

#define MAY_FAIL                                                                                             \
    do {                                                                                                     \
        const cl_int e = fails(__func__);                                                                    \
        if (e) return e;                                                                                     \
    } while (0)
#define MAY_FAIL_TO(error)                                                                                   \
    do {                                                                                                     \
        const cl_int e = fails(__func__);                                                                    \
        if (error) *(error) = e;                                                                             \
        if (e) return NULL;                                                                                  \
    } while (0)

static cl_int answer(const void *value, size_t value_size, size_t size, void *out, size_t *out_size)
{
    if (out && size < value_size) return CL_INVALID_VALUE;
    if (out) memcpy(out, value, value_size);
    if (out_size) *out_size = value_size;
    return CL_SUCCESS;
}
#define ANSWER(type, x) return answer(&(type){x}, sizeof(type), size, value, value_size)
#define ANSWER_TEXT(x)                                                                                       \
    do {                                                                                                     \
        const char *text = x;                                                                                \
        return answer(text, strlen(text) + 1, size, value, value_size);                                      \
    } while (0)

/* ---- Platforms and devices ------------------------------------------------------------------- */

EXPORT cl_int clGetPlatformIDs(cl_uint capacity, cl_platform_id *list, cl_uint *count)
{
    MAY_FAIL;
    const cl_uint n = (cl_uint)number("STUB_PLATFORMS", 1);
    if (n == 0) return -1001;
    for (cl_uint i = 0; list && i < n && i < capacity; i++) list[i] = &platforms[i];
    if (count) *count = n;
    return CL_SUCCESS;
}

EXPORT cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t size, void *value,
                                size_t *value_size)
{
    (void)platform;
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
    const cl_uint n = (cl_uint)number("STUB_DEVICES", 1);
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
    const cl_device_fp_config config = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN | CL_FP_FMA | CL_FP_DENORM;
    switch (what) {
    case CL_DEVICE_TYPE: ANSWER(cl_device_type, CL_DEVICE_TYPE_GPU);
    case CL_DEVICE_PLATFORM: ANSWER(cl_platform_id, device->platform);
    case CL_DEVICE_NAME: ANSWER_TEXT("Stub device");
    case CL_DEVICE_VERSION: ANSWER_TEXT(odd("version11") ? "OpenCL 1.1 stub" : version(1, "OpenCL %s stub"));
    case CL_DEVICE_PROFILE: ANSWER_TEXT(odd("embedded") ? "EMBEDDED_PROFILE" : "FULL_PROFILE");
    case CL_DEVICE_EXTENSIONS:
        snprintf(extensions, sizeof extensions, "%s%s %s", odd("nofp64") ? "" : "cl_khr_fp64",
                 odd("verbose") ? " cl_nv_compiler_options" : "", extension ? extension : "");
        ANSWER_TEXT(extensions);
    case CL_DRIVER_VERSION: ANSWER_TEXT(driver ? driver : "1.0");
    case CL_DEVICE_AVAILABLE: ANSWER(cl_bool, !odd("unavailable"));
    case CL_DEVICE_COMPILER_AVAILABLE: ANSWER(cl_bool, !odd("nocompiler"));
    case CL_DEVICE_ENDIAN_LITTLE: ANSWER(cl_bool, !odd("bigendian"));
    case CL_DEVICE_SINGLE_FP_CONFIG:
        ANSWER(cl_device_fp_config, config & ~(odd("norounding") ? CL_FP_ROUND_TO_NEAREST : 0) &
                                        ~(odd("noinf") ? CL_FP_INF_NAN : 0));
    case CL_DEVICE_DOUBLE_FP_CONFIG: ANSWER(cl_device_fp_config, odd("nofp64") ? 0 : config);
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
    cl_context context = make(sizeof *context);
    context->device = list[0];
    return context;
}

EXPORT cl_int clRetainContext(cl_context context)
{
    MAY_FAIL;
    context->references++;
    return CL_SUCCESS;
}

EXPORT cl_int clReleaseContext(cl_context context)
{
    if (drop(context)) free(context);
    return CL_SUCCESS;
}

EXPORT cl_int clGetContextInfo(cl_context context, cl_context_info what, size_t size, void *value,
                               size_t *value_size)
{
    MAY_FAIL;
    if (what != CL_CONTEXT_DEVICES) return CL_INVALID_VALUE;
    ANSWER(cl_device_id, context->device);
}

EXPORT cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                             cl_command_queue_properties properties, cl_int *error)
{
    (void)device;
    MAY_FAIL_TO(error);
    cl_command_queue queue = make(sizeof *queue);
    queue->context = context;
    queue->properties = properties;
    clRetainContext(context);
    return queue;
}

EXPORT cl_int clRetainCommandQueue(cl_command_queue queue)
{
    MAY_FAIL;
    queue->references++;
    return CL_SUCCESS;
}

EXPORT cl_int clReleaseCommandQueue(cl_command_queue queue)
{
    if (!drop(queue)) return CL_SUCCESS;
    clReleaseContext(queue->context);
    free(queue);
    return CL_SUCCESS;
}

EXPORT cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info what, size_t size,
                                    void *value, size_t *value_size)
{
    MAY_FAIL;
    switch (what) {
    case CL_QUEUE_CONTEXT: ANSWER(cl_context, queue->context);
    case CL_QUEUE_DEVICE: ANSWER(cl_device_id, queue->context->device);
    case CL_QUEUE_PROPERTIES: ANSWER(cl_command_queue_properties, queue->properties);
    default: return CL_INVALID_VALUE;
    }
}

/* ---- Memory ---------------------------------------------------------------------------------- */

EXPORT cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *error)
{
    (void)host;
    MAY_FAIL_TO(error);
    cl_mem memory = make(sizeof *memory);
    memory->context = context;
    memory->flags = flags;
    memory->size = size;
    memory->bytes = malloc(size);
    memset(memory->bytes, 0xcd, size);
    clRetainContext(context);
    return memory;
}

EXPORT cl_int clRetainMemObject(cl_mem memory)
{
    MAY_FAIL;
    memory->references++;
    return CL_SUCCESS;
}

EXPORT cl_int clReleaseMemObject(cl_mem memory)
{
    if (!drop(memory)) return CL_SUCCESS;
    clReleaseContext(memory->context);
    free(memory->bytes);
    free(memory);
    return CL_SUCCESS;
}

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

EXPORT cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset,
                                  size_t size, void *out, cl_uint waits, const cl_event *wait_list,
                                  cl_event *event)
{
    (void)queue, (void)blocking, (void)waits, (void)wait_list, (void)event;
    MAY_FAIL;
    if (offset > memory->size || size > memory->size - offset) return CL_INVALID_VALUE;
    memcpy(out, memory->bytes + offset, size);
    return CL_SUCCESS;
}

EXPORT cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset,
                                   size_t size, const void *in, cl_uint waits, const cl_event *wait_list,
                                   cl_event *event)
{
    (void)queue, (void)blocking, (void)waits, (void)wait_list, (void)event;
    MAY_FAIL;
    if (offset > memory->size || size > memory->size - offset) return CL_INVALID_VALUE;
    memcpy(memory->bytes + offset, in, size);
    return CL_SUCCESS;
}

EXPORT cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                  size_t to_offset, size_t size, cl_uint waits, const cl_event *wait_list,
                                  cl_event *event)
{
    (void)queue, (void)waits, (void)wait_list, (void)event;
    MAY_FAIL;
    if (from_offset > from->size || size > from->size - from_offset) return CL_INVALID_VALUE;
    if (to_offset > to->size || size > to->size - to_offset) return CL_INVALID_VALUE;
    memcpy(to->bytes + to_offset, from->bytes + from_offset, size);
    return CL_SUCCESS;
}

EXPORT cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem memory, const void *pattern, size_t width,
                                  size_t offset, size_t size, cl_uint waits, const cl_event *wait_list,
                                  cl_event *event)
{
    (void)queue, (void)waits, (void)wait_list, (void)event;
    MAY_FAIL;
    if (offset > memory->size || size > memory->size - offset) return CL_INVALID_VALUE;
    if (width == 0 || width > 128 || (width & (width - 1)) || offset % width || size % width)
        return CL_INVALID_VALUE;
    for (size_t i = 0; i < size; i += width) memcpy(memory->bytes + offset + i, pattern, width);
    return CL_SUCCESS;
}

/* ---- Programs -------------------------------------------------------------------------------- */

#define BINARY_MAGIC "stub binary of "
#define GROUP_ENTRY "BLY_GROUP_ENTRY_3("

static cl_program make_program(cl_context context, const char *text, int linked)
{
    cl_program program = make(sizeof *program);
    program->context = context;
    program->text = strdup(text);
    program->linked = linked;
    clRetainContext(context);
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
    const int good = lengths[0] > magic && lengths[0] < magic + 100 &&
                     memcmp(binaries[0], BINARY_MAGIC, magic) == 0 && !odd("rejects");
    if (status) *status = good ? CL_SUCCESS : CL_INVALID_BINARY;
    if (error && !good) *error = CL_INVALID_BINARY;
    if (!good) return NULL;
    char name[101] = "";
    memcpy(name, binaries[0] + magic, lengths[0] - magic);
    return make_program(context, name, 1);
}

EXPORT cl_int clReleaseProgram(cl_program program)
{
    if (!drop(program)) return CL_SUCCESS;
    clReleaseContext(program->context);
    free(program->text);
    free(program);
    return CL_SUCCESS;
}

EXPORT cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *list, const char *options,
                             void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    (void)count, (void)list, (void)notify, (void)user;
    MAY_FAIL;
    if (strstr(options, "-cl-nv-verbose") && !odd("verbose")) return CL_INVALID_BUILD_OPTIONS;
    return program->linked ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE;
}

EXPORT char stub_options[4096];

EXPORT cl_int clCompileProgram(cl_program program, cl_uint count, const cl_device_id *list,
                               const char *options, cl_uint header_count, const cl_program *headers,
                               const char **names, void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    (void)count, (void)list, (void)headers, (void)notify, (void)user;
    MAY_FAIL;
    sleep((unsigned)number("STUB_SECONDS", 0));
    const size_t used = strlen(stub_options);
    snprintf(stub_options + used, sizeof stub_options - used, "%s\n", options);
    if (strstr(options, "BAILEY_SUBGROUPS_OF_32") && number("STUB_SUBGROUPS", 0) < 0)
        return CL_COMPILE_PROGRAM_FAILURE;
    int kernels = 0, entry = 0;
    for (cl_uint i = 0; i < header_count; i++) {
        kernels |= strcmp(names[i], "kernels/kernels.h") == 0;
        entry |= strcmp(names[i], "kernels_cl/entry_cl.h") == 0;
    }
    if (strstr(options, "-cl-nv-verbose")) return CL_INVALID_COMPILER_OPTIONS;
    if (strstr(program->text, "kernels/group_entry.h"))
        return entry && strstr(program->text, GROUP_ENTRY) && strstr(options, "-DBLY_BLOCK=64 ") &&
                       strstr(options, "-DBLY_SHARED_BYTES=")
                   ? CL_SUCCESS
                   : CL_COMPILE_PROGRAM_FAILURE;
    return kernels && entry && strstr(program->text, "\nBLY_") ? CL_SUCCESS : CL_COMPILE_PROGRAM_FAILURE;
}

EXPORT cl_program clLinkProgram(cl_context context, cl_uint count, const cl_device_id *list,
                                const char *options, cl_uint program_count, const cl_program *programs,
                                void(CL_CALLBACK *notify)(cl_program, void *), void *user, cl_int *error)
{
    (void)count, (void)list, (void)options, (void)program_count, (void)notify, (void)user;
    MAY_FAIL_TO(error);
    const char *group = strstr(programs[0]->text, GROUP_ENTRY);
    const char *name =
        group ? group + strlen(GROUP_ENTRY) : strchr(strstr(programs[0]->text, "\nBLY_"), '(') + 1;
    char text[100];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(name, ",\n"), name);
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
    if (program->linked && odd("verbose"))
        ANSWER_TEXT(
            "ptxas info    : Used 0 barriers\nptxas info    : Used 42 registers, 400 bytes cmem[0]\n");
    const char *log = getenv("STUB_LOG");
    ANSWER_TEXT(log ? log : "stub: error: this driver was told to fail");
}

/* ---- Launches -------------------------------------------------------------------------------- */

EXPORT cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *error)
{
    MAY_FAIL_TO(error);
    const struct stub_kernel *entry = strcmp(program->text, name) == 0 ? stub_kernel_find(name) : NULL;
    if (!entry) {
        if (error) *error = CL_INVALID_KERNEL_NAME;
        return NULL;
    }
    cl_kernel kernel = make(sizeof *kernel);
    kernel->program = program;
    kernel->entry = entry;
    program->references++;
    return kernel;
}

EXPORT cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info what, size_t size, void *value,
                              size_t *value_size)
{
    MAY_FAIL;
    if (what != CL_KERNEL_PROGRAM) return CL_INVALID_VALUE;
    ANSWER(cl_program, kernel->program);
}

EXPORT cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what,
                                       size_t size, void *value, size_t *value_size)
{
    (void)kernel, (void)device;
    MAY_FAIL;
    switch (what) {
    case CL_KERNEL_WORK_GROUP_SIZE: ANSWER(size_t, odd("smallgroups") ? 32 : 256);
    case CL_KERNEL_PRIVATE_MEM_SIZE: ANSWER(cl_ulong, 24);
    case CL_KERNEL_LOCAL_MEM_SIZE: ANSWER(cl_ulong, 80);
    default: return CL_INVALID_VALUE;
    }
}

/* Of version 2.1. */
EXPORT cl_int clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_uint what, size_t input_size,
                                      const void *input, size_t size, void *value, size_t *value_size);
EXPORT cl_int clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_uint what, size_t input_size,
                                      const void *input, size_t size, void *value, size_t *value_size)
{
    (void)kernel, (void)device;
    const size_t local[2] = {128, 1}; /* as the launches have it */
    const int items = number("STUB_SUBGROUPS", 0);
    if (what != 0x2033 || input_size != sizeof local || memcmp(input, local, sizeof local) != 0)
        return CL_INVALID_VALUE;
    if (items <= 0) return CL_INVALID_OPERATION;
    ANSWER(size_t, (size_t)items);
}

EXPORT cl_int clReleaseKernel(cl_kernel kernel)
{
    if (!drop(kernel)) return CL_SUCCESS;
    clReleaseProgram(kernel->program);
    free(kernel);
    return CL_SUCCESS;
}

EXPORT cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    MAY_FAIL;
    if (index >= MAX_ARGUMENTS || size > sizeof kernel->arguments->bytes) return CL_INVALID_ARG_INDEX;
    kernel->arguments[index].size = size;
    memset(kernel->arguments[index].bytes, 0, sizeof kernel->arguments->bytes);
    if (value) memcpy(kernel->arguments[index].bytes, value, size);
    return CL_SUCCESS;
}

EXPORT cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const size_t *offset, const size_t *global, const size_t *local,
                                     cl_uint waits, const cl_event *wait_list, cl_event *event)
{
    (void)queue, (void)waits, (void)wait_list, (void)event;
    MAY_FAIL;
    if (dimensions != 2 || offset || global[0] % local[0] || global[1] % local[1])
        return CL_INVALID_WORK_GROUP_SIZE;
    /* Arguments: parameters, buffers, first item, items, first row. */
    const struct argument *arguments = kernel->arguments;
    int count = 0;
    while (count < MAX_ARGUMENTS && arguments[count].size) count++;
    if (count < 5) return CL_INVALID_KERNEL_ARGS;
    void *buffers[MAX_ARGUMENTS] = {0};
    for (int i = 1; i < count - 3; i++) {
        cl_mem memory;
        memcpy(&memory, arguments[i].bytes, sizeof memory);
        buffers[i - 1] = memory ? memory->bytes : NULL;
    }
    uint64_t range[3];
    for (int i = 0; i < 3; i++) memcpy(&range[i], arguments[count - 3 + i].bytes, sizeof range[i]);
    for (uint64_t row = 0; row < global[1]; row++)
        for (uint64_t item = range[0]; item < range[0] + global[0]; item++)
            if (item < range[1] || kernel->entry->is_group)
                kernel->entry->function(arguments[0].bytes, buffers, item, range[2] + row);
    if (odd("badfma") && strcmp(kernel->program->text, "bly_check") == 0) *(uint32_t *)buffers[0] ^= 1;
    return CL_SUCCESS;
}

EXPORT cl_int clFlush(cl_command_queue queue)
{
    (void)queue;
    MAY_FAIL;
    return CL_SUCCESS;
}

#ifndef STUB_MISSING
EXPORT cl_int clFinish(cl_command_queue queue)
{
    (void)queue;
    MAY_FAIL;
    return CL_SUCCESS;
}
#endif
