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
#include <bailey/advanced.h>
#include <bailey/opencl.h>

#include "kat.h"
#include "user_generators.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 10007u /* of four words */
#define STEPS 37u
#define PATHS 1003u /* STEPS * PATHS elements are not more than 4 * BLOCKS */
#define SEED UINT64_C(0x0123456789abcdef)
#define STREAM UINT64_C(42)

static const bailey_source drawn_from = {.seed = SEED, .stream = STREAM};

#define GUARD 64 /* bytes behind each array, which must keep their value */
#define POISON 0xA5

/* One device, the caller's objects on it, and the library in them. */
struct setting {
    cl_context context, other_context;
    cl_device_id device;
    cl_command_queue queue;
    bailey_context *library;
    int has_f64;
    cl_program program;
    const char *how; /* the program's source and the way in which it was compiled */
};

static struct kat known;
static int failures;

static void complain(const char *what, const char *why)
{
    fprintf(stderr, "FAILED: %s: %s\n", what, why);
    failures++;
}

static int bailey_ok(const char *what, bailey_status status)
{
    if (status != BAILEY_OK) complain(what, bailey_error_message());
    return status == BAILEY_OK;
}

static int cl_ok(const char *what, cl_int error)
{
    char text[32];
    snprintf(text, sizeof text, "OpenCL error %d", (int)error);
    if (error != CL_SUCCESS) complain(what, text);
    return error == CL_SUCCESS;
}

/* ---- Programs -------------------------------------------------------------------------------- */

/* The whole file with a zero after it, to be freed; NULL if it cannot be read. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long size = -1;
    if (file && fseek(file, 0, SEEK_END) == 0) size = ftell(file);
    if (size >= 0) text = calloc(1, (size_t)size + 1);
    if (text) {
        rewind(file);
        text[fread(text, 1, (size_t)size, file)] = 0;
    }
    if (file) fclose(file);
    return text;
}

static void print_log(cl_program program, cl_device_id device)
{
    char log[8192] = "";
    if (program &&
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL) == 0)
        fprintf(stderr, "%s\n", log);
}

/* From the texts in the library, with no file on disk but the user's own. */
static cl_program compile_embedded(const struct setting *s, const char *source)
{
    enum { MOST = 64 };
    const char *names[MOST], *text;
    cl_program headers[MOST], program = NULL, linked = NULL;
    cl_uint count = 0;
    cl_int error = CL_SUCCESS;
    while (count < MOST && error == CL_SUCCESS && bailey_device_header(count, &names[count], &text)) {
        headers[count] = clCreateProgramWithSource(s->context, 1, &text, NULL, &error);
        if (error == CL_SUCCESS) count++;
    }
    if (error == CL_SUCCESS) program = clCreateProgramWithSource(s->context, 1, &source, NULL, &error);
    if (error == CL_SUCCESS)
        error = clCompileProgram(program, 1, &s->device, "-cl-std=CL1.2", count, headers, names, NULL, NULL);
    if (error == CL_SUCCESS)
        linked = clLinkProgram(s->context, 1, &s->device, "", 1, &program, NULL, NULL, &error);
    if (!cl_ok("clCompileProgram, clLinkProgram", error)) print_log(linked ? linked : program, s->device);
    if (error != CL_SUCCESS && linked) clReleaseProgram(linked);
    if (program) clReleaseProgram(program);
    for (cl_uint i = 0; i < count; i++) clReleaseProgram(headers[i]);
    return error == CL_SUCCESS ? linked : NULL;
}

#ifdef BLY_INCLUDE_DIR
/* From installed headers. */
static cl_program compile_installed(const struct setting *s, const char *source)
{
    cl_int error;
    cl_program program = clCreateProgramWithSource(s->context, 1, &source, NULL, &error);
    if (error == CL_SUCCESS)
        error = clBuildProgram(program, 1, &s->device, "-cl-std=CL1.2 -I " BLY_INCLUDE_DIR, NULL, NULL);
    if (cl_ok("clBuildProgram", error)) return program;
    print_log(program, s->device);
    if (program) clReleaseProgram(program);
    return NULL;
}
#endif

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Poisoned memory of the caller's with a guard behind `bytes`; NULL, with a complaint, if there is none. */
static cl_mem poisoned(cl_context context, size_t bytes)
{
    cl_int error = CL_OUT_OF_HOST_MEMORY;
    cl_mem memory = NULL;
    char *data = malloc(bytes + GUARD);
    if (data) {
        memset(data, POISON, bytes + GUARD);
        memory =
            clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes + GUARD, data, &error);
    }
    free(data);
    return cl_ok("clCreateBuffer", error) ? memory : NULL;
}

/* The caller's memory with `data` in it. */
static cl_mem filled(cl_context context, const void *data, size_t bytes)
{
    cl_int error;
    cl_mem memory =
        clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, (void *)data, &error);
    return cl_ok("clCreateBuffer", error) ? memory : NULL;
}

/* Poisoned memory that the library writes. */
struct shared {
    cl_mem memory;
    bailey_buffer *buffer;
};

static int share(const struct setting *s, size_t bytes, struct shared *shared)
{
    shared->memory = poisoned(s->context, bytes);
    return shared->memory &&
           bailey_ok("adopt", bailey_buffer_adopt_opencl(s->library, shared->memory, bytes, &shared->buffer));
}

static void release(cl_mem memory)
{
    if (memory) clReleaseMemObject(memory);
}

static void unshare(struct shared *shared)
{
    bailey_buffer_destroy(shared->buffer);
    release(shared->memory);
}

/* What the caller's queue finds in the memory, to be freed; checks the guard. NULL, with a complaint, if it
 * cannot be read. */
static unsigned char *fetch(const struct setting *s, const char *what, cl_mem memory, size_t bytes)
{
    unsigned char *data = malloc(bytes + GUARD);
    const cl_int error =
        data ? clEnqueueReadBuffer(s->queue, memory, CL_TRUE, 0, bytes + GUARD, data, 0, NULL, NULL)
             : CL_OUT_OF_HOST_MEMORY;
    if (!cl_ok("clEnqueueReadBuffer", error)) {
        free(data);
        return NULL;
    }
    for (size_t i = bytes; i < bytes + GUARD; i++)
        if (data[i] != POISON) {
            complain(what, "wrote past the end");
            break;
        }
    return data;
}

static void compare(const struct setting *s, const char *what, const void *found, const void *expected,
                    size_t bytes)
{
    const char *a = found, *b = expected;
    size_t i = 0;
    while (i < bytes && a[i] == b[i]) i++;
    if (i < bytes) {
        char where[96];
        snprintf(where, sizeof where, "differ at byte %zu of %zu (%s)", i, bytes, s->how);
        complain(what, where);
    } else
        printf("%s: %zu bytes equal (%s)\n", what, bytes, s->how);
}

static void compare_memory(const struct setting *s, const char *what, cl_mem mine, cl_mem its, size_t bytes)
{
    unsigned char *a = fetch(s, what, mine, bytes), *b = fetch(s, what, its, bytes);
    if (a && b) compare(s, what, a, b, bytes);
    free(a);
    free(b);
}

struct argument {
    size_t size;
    const void *value;
};

/* Queues one of the user's kernels over `items` and returns; nothing waits. */
static int enqueue(const struct setting *s, const char *name, size_t items, cl_uint count,
                   const struct argument *arguments)
{
    cl_int error;
    const size_t global = (items + 63) / 64 * 64;
    cl_kernel kernel = clCreateKernel(s->program, name, &error);
    for (cl_uint i = 0; i < count && error == CL_SUCCESS; i++)
        error = clSetKernelArg(kernel, i, arguments[i].size, arguments[i].value);
    if (error == CL_SUCCESS)
        error = clEnqueueNDRangeKernel(s->queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
    if (kernel) clReleaseKernel(kernel);
    return cl_ok(name, error);
}

/* The table of the inverse CDF, as the library has it. */
static cl_mem table_of(const struct setting *s, bailey_precision precision)
{
    bailey_buffer *table = NULL;
    cl_mem memory = NULL;
    if (bailey_ok("table", bailey_normal_table(s->library, precision, &table)))
        bailey_ok("its object", bailey_buffer_opencl(table, &memory));
    return memory;
}

static int enqueue_draws(const struct setting *s, cl_mem words, cl_mem normals_f32, cl_mem normals_f64)
{
    const cl_ulong seed = SEED, stream = STREAM, blocks = BLOCKS;
    const cl_mem table_f32 = table_of(s, BAILEY_PRECISION_F32);
    const cl_mem table_f64 = s->has_f64 ? table_of(s, BAILEY_PRECISION_F64) : NULL;
    const struct argument arguments[] = {{sizeof seed, &seed},         {sizeof stream, &stream},
                                         {sizeof blocks, &blocks},     {sizeof(cl_mem), &words},
                                         {sizeof(cl_mem), &table_f32}, {sizeof(cl_mem), &normals_f32},
                                         {sizeof(cl_mem), &table_f64}, {sizeof(cl_mem), &normals_f64}};
    return enqueue(s, "user_kernel", BLOCKS, s->has_f64 ? 8 : 6, arguments);
}

/* ---- The same bits --------------------------------------------------------------------------- */

static void run_known(const struct setting *s)
{
    const cl_uint count = (cl_uint)known.count;
    const size_t bytes = 16 * known.count;
    cl_mem counters = filled(s->context, known.counter, 16 * known.count);
    cl_mem keys = filled(s->context, known.key, 8 * known.count);
    cl_mem words = poisoned(s->context, bytes);
    const struct argument arguments[] = {
        {sizeof count, &count}, {sizeof counters, &counters}, {sizeof keys, &keys}, {sizeof words, &words}};
    if (counters && keys && words && enqueue(s, "user_kat", known.count, 4, arguments)) {
        unsigned char *found = fetch(s, "known answers", words, bytes);
        if (found) compare(s, "known answers", found, known.result, bytes);
        free(found);
    }
    release(counters);
    release(keys);
    release(words);
}

static void run_draws(const struct setting *s)
{
    static const char *const names[3] = {"words", "f32 normals", "f64 normals"};
    const size_t bytes = BLOCKS * (size_t)16;
    const int arrays = s->has_f64 ? 3 : 2;
    cl_mem mine[3] = {NULL, NULL, NULL};
    struct shared its[3] = {{NULL, NULL}, {NULL, NULL}, {NULL, NULL}};
    int good = 1;
    for (int i = 0; good && i < arrays; i++)
        good = (mine[i] = poisoned(s->context, bytes)) != NULL && share(s, bytes, &its[i]);
    good = good && enqueue_draws(s, mine[0], mine[1], mine[2]);
    if (good) {
        const bailey_normal_params doubles = {.precision = BAILEY_PRECISION_F64};
        good = bailey_ok(names[0],
                         bailey_words_generate(s->library, &drawn_from, 0, 4 * BLOCKS, its[0].buffer, 0)) &&
               bailey_ok(names[1], bailey_normals_generate(s->library, &drawn_from, NULL, 0, 4 * BLOCKS,
                                                           its[1].buffer, 0));
        if (good && s->has_f64)
            good = bailey_ok(names[2], bailey_normals_generate(s->library, &drawn_from, &doubles, 0,
                                                               2 * BLOCKS, its[2].buffer, 0));
    }
    for (int i = 0; good && i < arrays; i++) compare_memory(s, names[i], mine[i], its[i].memory, bytes);
    for (int i = 0; i < 3; i++) {
        release(mine[i]);
        unshare(&its[i]);
    }
}

/* Every generator that steps: the device's words are the processor's. */
static void run_generators(const struct setting *s)
{
    const cl_ulong seed = SEED, stream = STREAM;
    const cl_uint items = USER_GENERATORS_ITEMS, draws = USER_GENERATORS_DRAWS;
    const size_t bytes = user_generators_bytes(USER_GENERATORS_COUNT - (s->has_f64 ? 0 : 1));
    uint32_t *expected = user_generators_expected(seed, stream);
    cl_mem words = poisoned(s->context, bytes);
    const struct argument arguments[] = {{sizeof seed, &seed},
                                         {sizeof stream, &stream},
                                         {sizeof items, &items},
                                         {sizeof draws, &draws},
                                         {sizeof words, &words}};
    if (!expected) complain("generators", "no memory");
    if (expected && words && enqueue(s, "user_generators", items, 5, arguments)) {
        unsigned char *found = fetch(s, "generators", words, bytes);
        if (found) compare(s, "generators", found, expected, bytes);
        free(found);
    }
    free(expected);
    release(words);
}

/* One dimension, irregular times, bisection, from 0. */
static bailey_bridge *make_bridge(bailey_context *context)
{
    double times[STEPS];
    bailey_bridge *bridge = NULL;
    for (unsigned i = 0; i < STEPS; i++) times[i] = 0.125 * (i + 1) + (i * 7 % 5) / 64.0;
    const bailey_bridge_params params = {.times = times, .steps = STEPS, .start_time = 0.0625};
    bailey_ok("bailey_bridge_create", bailey_bridge_create(context, &params, &bridge));
    return bridge;
}

static void run_paths(const struct setting *s)
{
    const size_t bytes = (size_t)STEPS * PATHS * sizeof(float);
    const cl_ulong seed = SEED, stream = STREAM, paths = PATHS;
    const cl_uint steps = STEPS;
    const void *records = NULL;
    size_t records_bytes = 0;
    cl_mem mine = NULL, plan = NULL;
    struct shared x = {NULL, NULL};
    bailey_bridge *bridge = make_bridge(s->library);
    if (bridge && bailey_ok("records", bailey_bridge_records(bridge, &records, &records_bytes)))
        plan = filled(s->context, records, records_bytes);
    if (plan) mine = poisoned(s->context, bytes);
    const cl_mem table = table_of(s, BAILEY_PRECISION_F32);
    const struct argument arguments[] = {
        {sizeof seed, &seed}, {sizeof stream, &stream}, {sizeof paths, &paths}, {sizeof steps, &steps},
        {sizeof plan, &plan}, {sizeof table, &table},   {sizeof mine, &mine}};
    if (mine && share(s, bytes, &x) && enqueue(s, "user_paths", PATHS, 7, arguments) &&
        bailey_ok("simulate", bailey_bridge_paths(bridge, &drawn_from, NULL, 0, PATHS, x.buffer)))
        compare_memory(s, "paths", mine, x.memory, bytes);
    release(mine);
    release(plan);
    unshare(&x);
    bailey_bridge_destroy(bridge);
}

/* X for the Z that user_kernel's normals are, made by the library on the processor; to be freed. */
static float *expected_x(void)
{
    const uint64_t count = (uint64_t)STEPS * PATHS;
    bailey_context *cpu = NULL;
    bailey_bridge *bridge = NULL;
    bailey_buffer *z = NULL, *x = NULL;
    float *data = malloc(count * sizeof *data);
    const int good = data && bailey_ok("cpu", bailey_context_create("cpu", NULL, &cpu)) &&
                     (bridge = make_bridge(cpu)) &&
                     bailey_ok("cpu", bailey_buffer_create(cpu, count * sizeof *data, &z)) &&
                     bailey_ok("cpu", bailey_buffer_create(cpu, count * sizeof *data, &x)) &&
                     bailey_ok("cpu", bailey_normals_generate(cpu, &drawn_from, NULL, 0, count, z, 0)) &&
                     bailey_ok("cpu", bailey_bridge_build(bridge, PATHS, z, x)) &&
                     bailey_ok("cpu", bailey_buffer_read(x, 0, data, count * sizeof *data));
    bailey_buffer_destroy(z);
    bailey_buffer_destroy(x);
    bailey_bridge_destroy(bridge);
    bailey_context_destroy(cpu);
    if (good) return data;
    free(data);
    return NULL;
}

/* The caller's kernel writes Z, the library makes X of it, the caller copies X, all on the caller's queue,
 * and nothing waits before the last read. Several rounds, each of which spoils Z again. */
static void run_in_order(const struct setting *s)
{
    const size_t bytes = (size_t)STEPS * PATHS * sizeof(float), drawn = BLOCKS * (size_t)16;
    const unsigned char poison = POISON;
    struct shared z = {NULL, NULL}, x = {NULL, NULL};
    cl_mem words = poisoned(s->context, drawn), f64 = poisoned(s->context, drawn);
    cl_mem copy[3] = {poisoned(s->context, bytes), poisoned(s->context, bytes), poisoned(s->context, bytes)};
    bailey_bridge *bridge = make_bridge(s->library);
    float *expected = expected_x();
    int good = words && f64 && copy[0] && copy[1] && copy[2] && bridge && expected && share(s, drawn, &z) &&
               share(s, bytes, &x);
    for (int i = 0; i < 3 && good; i++)
        good = cl_ok("clEnqueueFillBuffer",
                     clEnqueueFillBuffer(s->queue, z.memory, &poison, 1, 0, drawn, 0, NULL, NULL)) &&
               cl_ok("clEnqueueFillBuffer",
                     clEnqueueFillBuffer(s->queue, x.memory, &poison, 1, 0, bytes, 0, NULL, NULL)) &&
               enqueue_draws(s, words, z.memory, f64) &&
               bailey_ok("generate", bailey_bridge_build(bridge, PATHS, z.buffer, x.buffer)) &&
               cl_ok("clEnqueueCopyBuffer",
                     clEnqueueCopyBuffer(s->queue, x.memory, copy[i], 0, 0, bytes, 0, NULL, NULL));
    for (int i = 0; i < 3 && good; i++) {
        unsigned char *found = fetch(s, "queue order", copy[i], bytes);
        if (found) compare(s, "queue order", found, expected, bytes);
        free(found);
    }
    free(expected);
    unshare(&z);
    unshare(&x);
    release(words);
    release(f64);
    for (int i = 0; i < 3; i++) release(copy[i]);
    bailey_bridge_destroy(bridge);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

/* `status` is ERROR_INVALID for `argument`, and the text says `part`. */
static void refused(const char *what, bailey_status status, const char *argument, const char *part)
{
    if (status != BAILEY_ERROR_INVALID)
        complain(what, bailey_status_name(status));
    else if (strcmp(bailey_error_argument(), argument) || !strstr(bailey_error_message(), part))
        complain(what, bailey_error_message());
}

static void refuse_memory(const struct setting *s, const char *what, cl_mem memory, uint64_t bytes,
                          const char *part)
{
    bailey_buffer *buffer = NULL;
    refused(what, bailey_buffer_adopt_opencl(s->library, memory, bytes, &buffer), bytes ? "memory" : "bytes",
            part);
    if (buffer) complain(what, "made a buffer all the same");
}

static cl_uint references(cl_mem memory)
{
    cl_uint count = 0;
    clGetMemObjectInfo(memory, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL);
    return count;
}

static void run_memory_refusals(const struct setting *s)
{
    const size_t bytes = 4096;
    const cl_mem_flags flags[3] = {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY};
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = 64};
    cl_mem memory[3] = {NULL, NULL, NULL}, foreign = poisoned(s->other_context, bytes), image;
    bailey_buffer *buffer = NULL;
    bailey_context *cpu = NULL;
    cl_int error;
    for (int i = 0; i < 3; i++) {
        memory[i] = clCreateBuffer(s->context, flags[i], bytes, NULL, &error);
        if (!cl_ok("clCreateBuffer", error)) memory[i] = NULL;
    }
    if (memory[0] && memory[1] && memory[2] && foreign) {
        refuse_memory(s, "NULL", NULL, bytes, "memory");
        refuse_memory(s, "a write-only cl_mem", memory[1], bytes, "CL_MEM_WRITE_ONLY");
        refuse_memory(s, "a read-only cl_mem", memory[2], bytes, "CL_MEM_READ_ONLY");
        refuse_memory(s, "a cl_mem of another context", foreign, bytes, "another OpenCL context");
        refuse_memory(s, "a cl_mem too small", memory[0], bytes + 1, "4096");
        refuse_memory(s, "no bytes", memory[0], 0, "bytes");
        image = clCreateImage(s->context, CL_MEM_READ_WRITE, &format, &shape, NULL, &error);
        if (error == CL_SUCCESS) {
            refuse_memory(s, "an image", image, bytes, "image");
            release(image);
        }
        if (references(memory[0]) != 1 || references(memory[1]) != 1 || references(memory[2]) != 1)
            complain("memory that was refused", "is retained");
        refused("NULL for the buffer", bailey_buffer_adopt_opencl(s->library, memory[0], bytes, NULL),
                "buffer", "buffer");
        refused("NULL for the context", bailey_buffer_adopt_opencl(NULL, memory[0], bytes, &buffer),
                "context", "context");
        if (bailey_ok("cpu", bailey_context_create("cpu", NULL, &cpu)))
            refused("a context of the processor", bailey_buffer_adopt_opencl(cpu, memory[0], bytes, &buffer),
                    "context", "cpu");
        bailey_context_destroy(cpu);
        /* What is adopted is retained as long as the buffer lives, and is what the buffer is. */
        cl_mem found = NULL;
        if (bailey_ok("adopt", bailey_buffer_adopt_opencl(s->library, memory[0], bytes, &buffer))) {
            if (references(memory[0]) != 2) complain("adopted memory", "is not retained");
            if (bailey_buffer_bytes(buffer) != bytes)
                complain("bailey_buffer_bytes", "is not what was given");
            if (bailey_ok("handle", bailey_buffer_opencl(buffer, &found)) && found != memory[0])
                complain("bailey_buffer_opencl", "gives another cl_mem");
        }
        bailey_buffer_destroy(buffer);
        if (references(memory[0]) != 1) complain("adopted memory", "is not released");
    }
    for (int i = 0; i < 3; i++) release(memory[i]);
    release(foreign);
}

static void refuse_context(const char *what, cl_context context, cl_device_id device, cl_command_queue queue,
                           const char *argument, const char *part)
{
    bailey_context *made = NULL;
    refused(what, bailey_context_create_opencl(context, device, queue, NULL, &made), argument, part);
    if (made) complain(what, "made a context all the same");
}

static void run_context_refusals(const struct setting *s, cl_device_id stranger)
{
    cl_int error;
    cl_context context = NULL;
    cl_device_id device = NULL;
    cl_command_queue queue = clCreateCommandQueue(s->other_context, s->device, 0, &error);
    bailey_context *library = NULL;
    refuse_context("no cl_context", NULL, s->device, s->queue, "opencl_context", "NULL");
    if (cl_ok("clCreateCommandQueue", error)) {
        refuse_context("a queue of another context", s->context, s->device, queue, "queue",
                       "another context");
        clReleaseCommandQueue(queue);
    }
    queue = clCreateCommandQueue(s->context, s->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    if (error == CL_SUCCESS) { /* not every device has them */
        refuse_context("a queue out of order", s->context, s->device, queue, "queue", "order");
        clReleaseCommandQueue(queue);
    }
    if (stranger)
        refuse_context("a device of another context", s->context, stranger, NULL, "device",
                       "does not hold it");
    refused("NULL for the context", bailey_context_create_opencl(s->context, s->device, s->queue, NULL, NULL),
            "context", "context");
    /* The only device, and a queue of the library's. */
    if (bailey_ok("create", bailey_context_create_opencl(s->context, NULL, NULL, NULL, &library)) &&
        bailey_ok("handles", bailey_context_opencl(library, &context, &device, &queue)) &&
        (context != s->context || device != s->device || !queue || queue == s->queue))
        complain("bailey_context_opencl", "gives the wrong handles");
    bailey_context_destroy(library);
    if (bailey_ok("handles", bailey_context_opencl(s->library, &context, &device, &queue)) &&
        (context != s->context || device != s->device || queue != s->queue))
        complain("bailey_context_opencl", "does not give the caller's handles");
}

/* ---- Devices --------------------------------------------------------------------------------- */

static void run_kernels(const struct setting *s)
{
    run_known(s);
    run_draws(s);
    run_generators(s);
    run_paths(s);
    run_in_order(s);
}

static void run_program(struct setting *s, const char *how, cl_program program,
                        void (*run)(const struct setting *))
{
    s->program = program;
    s->how = how;
    if (!program) return;
    run(s);
    clReleaseProgram(program);
}

/* One of the user's files, compiled in each way. */
static void run_source(struct setting *s, const char *name, void (*run)(const struct setting *))
{
    char path[4096], how[128];
    snprintf(path, sizeof path, BLY_USER_KERNELS "/%s", name);
    char *source = read_file(path);
    if (!source) {
        complain(path, "cannot be read");
        return;
    }
    snprintf(how, sizeof how, "%s, clCompileProgram", name);
    run_program(s, how, compile_embedded(s, source), run);
#ifdef BLY_INCLUDE_DIR
    snprintf(how, sizeof how, "%s, clBuildProgram", name);
    run_program(s, how, compile_installed(s, source), run);
#endif
    free(source);
}

static void run_library(struct setting *s, cl_device_id stranger)
{
    bailey_device info;
    if (!bailey_ok("bailey_context_device", bailey_context_device(s->library, &info))) return;
    s->has_f64 = info.has_f64 != 0;
    run_source(s, "user_kernel.cl", run_kernels);
    run_source(s, "user_constant.cl", run_draws);
    run_source(s, "user_copies.cl", run_draws);
    run_memory_refusals(s);
    run_context_refusals(s, stranger);
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
    struct setting s = {.device = device};
    cl_int error;
    int tested = 0;
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    s.context = clCreateContext(properties, 1, &device, NULL, NULL, &error);
    if (error == CL_SUCCESS) s.other_context = clCreateContext(properties, 1, &device, NULL, NULL, &error);
    if (error == CL_SUCCESS) s.queue = clCreateCommandQueue(s.context, device, 0, &error);
    if (!listed_usable(address)) {
        if (error == CL_SUCCESS && /* the caller's own context gets the same verdict */
            bailey_context_create_opencl(s.context, device, s.queue, NULL, &s.library) == BAILEY_OK)
            complain(address, "can be used, but is not listed as usable");
        fprintf(stderr, "%s: %s\n", address, bailey_error_message());
    } else if (cl_ok(address, error)) {
        tested = 1;
        if (bailey_ok(address, bailey_context_create_opencl(s.context, device, s.queue, NULL, &s.library)))
            run_library(&s, stranger);
    }
    bailey_context_destroy(s.library);
    if (s.queue) clReleaseCommandQueue(s.queue);
    if (s.other_context) clReleaseContext(s.other_context);
    if (s.context) clReleaseContext(s.context);
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
