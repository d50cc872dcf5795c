/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A program that uses OpenCL itself: its own kernels with the library's device headers (user_kernel.cl and
 * others), its own context, queue and memory shared with the library, and the same bits from both, on every
 * device.
 *
 * The kernels are compiled by clCompileProgram from the headers embedded in the library and, where
 * BLY_INCLUDE_DIR names the folder of <bailey/...>, by clBuildProgram from the files; each is tried. The
 * sources are read from the folder BLY_USER_KERNELS. Exit status 77: no OpenCL device that the library can
 * use, and BAILEY_TEST_REQUIRE does not name opencl. Linked with libOpenCL, as a user's program would be.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <bailey/opencl.h>

typedef cl_mem user_handle;
#include "user_kernels.h"

/* One device, the caller's objects on it, and the library in them. */
struct user {
    cl_context context, other_context;
    cl_device_id device;
    cl_command_queue queue;
    bailey_context *library;
    int has_f64;
    cl_program program;
    const char *how; /* the program's source and the way in which it was compiled */
};

static int cl_ok(const char *what, cl_int error)
{
    char text[32];
    snprintf(text, sizeof text, "OpenCL error %d", (int)error);
    if (error != CL_SUCCESS) complain(what, text);
    return error == CL_SUCCESS;
}

/* ---- Programs -------------------------------------------------------------------------------- */

static void print_log(cl_program program, cl_device_id device)
{
    char log[8192] = "";
    if (program &&
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL) == 0)
        fprintf(stderr, "%s\n", log);
}

/* From the texts in the library, with no file on disk but the user's own. */
static cl_program compile_embedded(const struct user *u, const char *source)
{
    enum { MOST = 64 };
    const char *names[MOST], *text;
    cl_program headers[MOST], program = NULL, linked = NULL;
    cl_uint count = 0;
    cl_int error = CL_SUCCESS;
    while (count < MOST && error == CL_SUCCESS && bailey_device_header(count, &names[count], &text)) {
        headers[count] = clCreateProgramWithSource(u->context, 1, &text, NULL, &error);
        if (error == CL_SUCCESS) count++;
    }
    if (error == CL_SUCCESS) program = clCreateProgramWithSource(u->context, 1, &source, NULL, &error);
    if (error == CL_SUCCESS)
        error = clCompileProgram(program, 1, &u->device, "-cl-std=CL1.2", count, headers, names, NULL, NULL);
    if (error == CL_SUCCESS)
        linked = clLinkProgram(u->context, 1, &u->device, "", 1, &program, NULL, NULL, &error);
    if (!cl_ok("clCompileProgram, clLinkProgram", error)) print_log(linked ? linked : program, u->device);
    if (error != CL_SUCCESS && linked) clReleaseProgram(linked);
    if (program) clReleaseProgram(program);
    for (cl_uint i = 0; i < count; i++) clReleaseProgram(headers[i]);
    return error == CL_SUCCESS ? linked : NULL;
}

#ifdef BLY_INCLUDE_DIR
/* From installed headers. */
static cl_program compile_installed(const struct user *u, const char *source)
{
    cl_int error;
    cl_program program = clCreateProgramWithSource(u->context, 1, &source, NULL, &error);
    if (error == CL_SUCCESS)
        error = clBuildProgram(program, 1, &u->device, "-cl-std=CL1.2 -I " BLY_INCLUDE_DIR, NULL, NULL);
    if (cl_ok("clBuildProgram", error)) return program;
    print_log(program, u->device);
    if (program) clReleaseProgram(program);
    return NULL;
}
#endif

/* ---- What user_kernels.h asks for ------------------------------------------------------------ */

static bailey_context *user_library(const struct user *u) { return u->library; }
static int user_has_f64(const struct user *u) { return u->has_f64; }
static const char *user_how(const struct user *u) { return u->how; }

static int user_create(const struct user *u, size_t bytes, cl_mem *memory)
{
    cl_int error;
    *memory = clCreateBuffer(u->context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    return cl_ok("clCreateBuffer", error);
}

static void user_destroy(cl_mem memory) { clReleaseMemObject(memory); }

static int user_fill(const struct user *u, cl_mem memory, unsigned char byte, size_t bytes)
{
    return cl_ok("clEnqueueFillBuffer",
                 clEnqueueFillBuffer(u->queue, memory, &byte, 1, 0, bytes, 0, NULL, NULL));
}

static int user_copy(const struct user *u, cl_mem from, cl_mem to, size_t bytes)
{
    return cl_ok("clEnqueueCopyBuffer", clEnqueueCopyBuffer(u->queue, from, to, 0, 0, bytes, 0, NULL, NULL));
}

static int user_write(const struct user *u, cl_mem memory, const void *data, size_t bytes)
{
    return cl_ok("clEnqueueWriteBuffer",
                 clEnqueueWriteBuffer(u->queue, memory, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
}

static int user_read(const struct user *u, cl_mem memory, void *data, size_t bytes)
{
    return cl_ok("clEnqueueReadBuffer",
                 clEnqueueReadBuffer(u->queue, memory, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
}

static int user_adopt(const struct user *u, cl_mem memory, size_t bytes, bailey_buffer **buffer)
{
    return bailey_ok("adopt", bailey_buffer_adopt_opencl(u->library, memory, bytes, buffer));
}

static int user_handle_of(bailey_buffer *buffer, cl_mem *memory)
{
    return bailey_ok("its object", bailey_buffer_opencl(buffer, memory));
}

static int user_launch(const struct user *u, const char *name, size_t items, unsigned count,
                       const struct user_argument *arguments)
{
    cl_int error;
    const size_t global = (items + 63) / 64 * 64;
    cl_kernel kernel = clCreateKernel(u->program, name, &error);
    for (cl_uint i = 0; i < count && error == CL_SUCCESS; i++)
        error = clSetKernelArg(kernel, i, arguments[i].size, arguments[i].value);
    if (error == CL_SUCCESS)
        error = clEnqueueNDRangeKernel(u->queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
    if (kernel) clReleaseKernel(kernel);
    return cl_ok(name, error);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

/* `status` is ERROR_INVALID for `argument`, and the message says `part`. */
static void refused(const char *what, bailey_status status, const char *argument, const char *part)
{
    if (status != BAILEY_ERROR_INVALID)
        complain(what, bailey_status_name(status));
    else if (strcmp(bailey_error_argument(), argument) || !strstr(bailey_error_message(), part))
        complain(what, bailey_error_message());
}

static void refuse_memory(const struct user *u, const char *what, cl_mem memory, uint64_t bytes,
                          const char *part)
{
    bailey_buffer *buffer = NULL;
    refused(what, bailey_buffer_adopt_opencl(u->library, memory, bytes, &buffer), bytes ? "memory" : "bytes",
            part);
    if (buffer) complain(what, "made a buffer all the same");
}

static cl_uint references(cl_mem memory)
{
    cl_uint count = 0;
    clGetMemObjectInfo(memory, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL);
    return count;
}

static void run_memory_refusals(const struct user *u)
{
    const size_t bytes = 4096;
    const cl_mem_flags flags[3] = {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY};
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = 64};
    cl_mem memory[3] = {NULL, NULL, NULL}, foreign, image;
    bailey_buffer *buffer = NULL;
    bailey_context *cpu = NULL;
    cl_int error;
    for (int i = 0; i < 3; i++) {
        memory[i] = clCreateBuffer(u->context, flags[i], bytes, NULL, &error);
        if (!cl_ok("clCreateBuffer", error)) memory[i] = NULL;
    }
    foreign = clCreateBuffer(u->other_context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    if (!cl_ok("clCreateBuffer", error)) foreign = NULL;
    if (memory[0] && memory[1] && memory[2] && foreign) {
        refuse_memory(u, "NULL", NULL, bytes, "memory");
        refuse_memory(u, "a write-only cl_mem", memory[1], bytes, "CL_MEM_WRITE_ONLY");
        refuse_memory(u, "a read-only cl_mem", memory[2], bytes, "CL_MEM_READ_ONLY");
        refuse_memory(u, "a cl_mem of another context", foreign, bytes, "another OpenCL context");
        refuse_memory(u, "a cl_mem too small", memory[0], bytes + 1, "4096");
        refuse_memory(u, "no bytes", memory[0], 0, "bytes");
        image = clCreateImage(u->context, CL_MEM_READ_WRITE, &format, &shape, NULL, &error);
        if (error == CL_SUCCESS) {
            refuse_memory(u, "an image", image, bytes, "image");
            clReleaseMemObject(image);
        }
        if (references(memory[0]) != 1 || references(memory[1]) != 1 || references(memory[2]) != 1)
            complain("memory that was refused", "is retained");
        refused("NULL for the buffer", bailey_buffer_adopt_opencl(u->library, memory[0], bytes, NULL),
                "buffer", "buffer");
        refused("NULL for the context", bailey_buffer_adopt_opencl(NULL, memory[0], bytes, &buffer),
                "context", "context");
        if (bailey_ok("cpu", bailey_context_create("cpu", NULL, &cpu)))
            refused("a context of the processor", bailey_buffer_adopt_opencl(cpu, memory[0], bytes, &buffer),
                    "context", "cpu");
        bailey_context_destroy(cpu);
        /* Adopted memory is retained as long as the buffer lives, and is the buffer's memory. */
        cl_mem found = NULL;
        if (bailey_ok("adopt", bailey_buffer_adopt_opencl(u->library, memory[0], bytes, &buffer))) {
            if (references(memory[0]) != 2) complain("adopted memory", "is not retained");
            if (bailey_buffer_bytes(buffer) != bytes)
                complain("bailey_buffer_bytes", "is not what was given");
            if (bailey_ok("handle", bailey_buffer_opencl(buffer, &found)) && found != memory[0])
                complain("bailey_buffer_opencl", "gives another cl_mem");
        }
        bailey_buffer_destroy(buffer);
        if (references(memory[0]) != 1) complain("adopted memory", "is not released");
    }
    for (int i = 0; i < 3; i++)
        if (memory[i]) clReleaseMemObject(memory[i]);
    if (foreign) clReleaseMemObject(foreign);
}

static void refuse_context(const char *what, cl_context context, cl_device_id device, cl_command_queue queue,
                           const char *argument, const char *part)
{
    bailey_context *made = NULL;
    refused(what, bailey_context_create_opencl(context, device, queue, NULL, &made), argument, part);
    if (made) complain(what, "made a context all the same");
}

static void run_context_refusals(const struct user *u, cl_device_id stranger)
{
    cl_int error;
    cl_context context = NULL;
    cl_device_id device = NULL;
    cl_command_queue queue = clCreateCommandQueue(u->other_context, u->device, 0, &error);
    bailey_context *library = NULL;
    refuse_context("no cl_context", NULL, u->device, u->queue, "opencl_context", "NULL");
    if (cl_ok("clCreateCommandQueue", error)) {
        refuse_context("a queue of another context", u->context, u->device, queue, "queue",
                       "another context");
        clReleaseCommandQueue(queue);
    }
    queue = clCreateCommandQueue(u->context, u->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    if (error == CL_SUCCESS) { /* not every device has them */
        refuse_context("a queue out of order", u->context, u->device, queue, "queue", "order");
        clReleaseCommandQueue(queue);
    }
    if (stranger)
        refuse_context("a device of another context", u->context, stranger, NULL, "device",
                       "device: not in the context");
    refused("NULL for the context", bailey_context_create_opencl(u->context, u->device, u->queue, NULL, NULL),
            "context", "context");
    /* The only device, and a queue of the library. */
    if (bailey_ok("create", bailey_context_create_opencl(u->context, NULL, NULL, NULL, &library)) &&
        bailey_ok("handles", bailey_context_opencl(library, &context, &device, &queue)) &&
        (context != u->context || device != u->device || !queue || queue == u->queue))
        complain("bailey_context_opencl", "gives the wrong handles");
    bailey_context_destroy(library);
    if (bailey_ok("handles", bailey_context_opencl(u->library, &context, &device, &queue)) &&
        (context != u->context || device != u->device || queue != u->queue))
        complain("bailey_context_opencl", "does not give the caller's handles");
}

/* ---- Devices --------------------------------------------------------------------------------- */

static void run_program(struct user *u, const char *how, cl_program program, void (*run)(const struct user *))
{
    u->program = program;
    u->how = how;
    if (!program) return;
    run(u);
    clReleaseProgram(program);
}

/* One of the user's files, compiled in each way. */
static void run_source(struct user *u, const char *name, void (*run)(const struct user *))
{
    char path[4096], how[128];
    snprintf(path, sizeof path, BLY_USER_KERNELS "/%s", name);
    char *source = read_file(path);
    if (!source) {
        complain(path, "cannot be read");
        return;
    }
    snprintf(how, sizeof how, "%s, clCompileProgram", name);
    run_program(u, how, compile_embedded(u, source), run);
#ifdef BLY_INCLUDE_DIR
    snprintf(how, sizeof how, "%s, clBuildProgram", name);
    run_program(u, how, compile_installed(u, source), run);
#endif
    free(source);
}

static void run_library(struct user *u, cl_device_id stranger)
{
    bailey_device info;
    if (!bailey_ok("bailey_context_device", bailey_context_device(u->library, &info))) return;
    u->has_f64 = info.has_f64 != 0;
    run_source(u, "user_kernel.cl", run_kernels);
    run_source(u, "user_constant.cl", run_draws);
    run_source(u, "user_copies.cl", run_draws);
    run_memory_refusals(u);
    run_context_refusals(u, stranger);
}

/* Whether the library lists the device as usable. */
static int listed_usable(const char *address)
{
    bailey_device devices[64];
    size_t count = 0;
    bailey_ok("bailey_device_list", bailey_device_list(devices, 64, &count));
    for (size_t i = 0; i < count && i < 64; i++)
        if (strcmp(devices[i].address, address) == 0) return (int)devices[i].usable;
    return 0;
}

/* Returns 1 if the device was tested. `stranger` is another device, or NULL. */
static int run_device(cl_platform_id platform, cl_device_id device, cl_device_id stranger,
                      const char *address)
{
    struct user u = {.device = device};
    cl_int error;
    int tested = 0;
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    u.context = clCreateContext(properties, 1, &device, NULL, NULL, &error);
    if (error == CL_SUCCESS) u.other_context = clCreateContext(properties, 1, &device, NULL, NULL, &error);
    if (error == CL_SUCCESS) u.queue = clCreateCommandQueue(u.context, device, 0, &error);
    if (!listed_usable(address)) {
        if (error == CL_SUCCESS && /* the caller's own context gets the same verdict */
            bailey_context_create_opencl(u.context, device, u.queue, NULL, &u.library) == BAILEY_OK)
            complain(address, "can be used, but is not listed as usable");
        fprintf(stderr, "%s: %s\n", address, bailey_error_message());
    } else if (cl_ok(address, error)) {
        tested = 1;
        if (bailey_ok(address, bailey_context_create_opencl(u.context, device, u.queue, NULL, &u.library)))
            run_library(&u, stranger);
    }
    bailey_context_destroy(u.library);
    if (u.queue) clReleaseCommandQueue(u.queue);
    if (u.other_context) clReleaseContext(u.other_context);
    if (u.context) clReleaseContext(u.context);
    return tested;
}

int main(void)
{
    enum { MOST = 16 };
    const char *require = getenv("BAILEY_TEST_REQUIRE");
    cl_platform_id platforms[MOST];
    cl_uint platform_count = 0;
    int tested = 0;
    if (!kat_read(&known)) {
        complain(BLY_SOURCE_DIR "/tests/kat/philox4x32_10.txt", "cannot be read");
        return 1;
    }
    if (clGetPlatformIDs(MOST, platforms, &platform_count) != CL_SUCCESS) platform_count = 0;
    for (cl_uint p = 0; p < platform_count && p < MOST; p++) {
        cl_device_id devices[MOST];
        cl_uint count = 0;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MOST, devices, &count) != CL_SUCCESS) count = 0;
        if (count > MOST) count = MOST;
        for (cl_uint d = 0; d < count; d++) {
            char address[32], name[256] = "";
            snprintf(address, sizeof address, "opencl:%u:%u", (unsigned)p, (unsigned)d);
            clGetDeviceInfo(devices[d], CL_DEVICE_NAME, sizeof name - 1, name, NULL);
            printf("# %s: %s\n", address, name);
            tested +=
                run_device(platforms[p], devices[d], count > 1 ? devices[(d + 1) % count] : NULL, address);
        }
    }
    if (failures) return 1;
    if (!tested) {
        fprintf(stderr, "no OpenCL device\n");
        return require && strstr(require, "opencl") ? 1 : 77;
    }
    printf("all equal\n");
    return 0;
}
