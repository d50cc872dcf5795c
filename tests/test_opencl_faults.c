/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The OpenCL backend when things go wrong, on the stub driver (stub_opencl.c): no driver, odd devices, calls
 * that fail one at a time, and the cache of programs.
 *
 * In this order: helpers; drivers and devices; calls that fail; shuffles within sub-groups; kernels given as
 * source; the caller's own objects; the cache on disk.
 *
 *     test_opencl_faults STUB STUB_MISSING     the two builds of the stub
 *     test_opencl_faults --job                 runs one job and prints what the log said, for the cache tests
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <bailey/opencl.h>

#include <host/internal.h>

#include <dirent.h>
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT 1000
#define JOB_KERNELS 2 /* the check of a new context, and words */

static const char *self, *stub, *stub_missing;

/* ---- Helpers --------------------------------------------------------------------------------- */

static void (*stub_symbol(const char *name))(void)
{
    static void *library;
    if (!library) library = dlopen(stub, RTLD_NOW | RTLD_LOCAL); /* the instance that the library has open */
    void *address = library ? dlsym(library, name) : NULL;
    void (*function)(void);
    if (!address) fail_msg("%s is not in the stub", name);
    memcpy(&function, &address, sizeof function);
    return function;
}
#define CL(function) ((__typeof__(&function))stub_symbol(#function))

static long live_objects(void) { return ((long (*)(void))stub_symbol("stub_live"))(); }

static void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("\"%s\" is not in \"%s\"", part, text);
}

/* Makes the n-th call of `function` fail; each call starts a new count. */
static void fail_call(const char *function, int n, int error)
{
    static int serial;
    char value[128];
    snprintf(value, sizeof value, "%s:%d:%d:%d", function, n, error, ++serial);
    setenv("STUB_FAIL", value, 1);
}

/* Makes the device another one to the caches, so that programs are built again. */
static void new_driver(void)
{
    static int serial;
    char value[32];
    snprintf(value, sizeof value, "2.%d", ++serial);
    setenv("STUB_DRIVER", value, 1);
}

static int reset(void **state)
{
    (void)state;
    setenv("BAILEY_OPENCL_LIBRARY", stub, 1);
    setenv("BAILEY_CACHE_DIR", "", 1);
    unsetenv("STUB_PLATFORMS");
    unsetenv("STUB_PLATFORM_NAME");
    unsetenv("STUB_DEVICES");
    unsetenv("STUB_DEVICE");
    unsetenv("STUB_DRIVER");
    unsetenv("STUB_FAIL");
    unsetenv("STUB_VERSION");
    unsetenv("STUB_EXTENSION");
    unsetenv("STUB_SUBGROUPS");
    unsetenv("STUB_LOG");
    return 0;
}

/* The entries of the list that are OpenCL's. */
static size_t list_opencl(bailey_device devices[8])
{
    bailey_device all[16];
    size_t count, found = 0;
    assert_int_equal(bailey_device_list(all, 16, &count), BAILEY_OK);
    assert_in_range(count, 1, 16);
    for (size_t i = 0; i < count; i++)
        if (strncmp(all[i].address, "opencl", 6) == 0 && found < 8) devices[found++] = all[i];
    return found;
}

/* OpenCL cannot run: one entry with the reason, and an error that says the same. */
static void assert_absent(const char *part)
{
    bailey_device devices[8];
    bailey_context *context = (bailey_context *)&devices;
    assert_int_equal(list_opencl(devices), 1);
    assert_string_equal(devices[0].address, "opencl");
    assert_int_equal(devices[0].kind, BAILEY_DEVICE_KIND_NONE);
    assert_int_equal(devices[0].usable, 0);
    assert_contains(devices[0].reason, part);
    assert_int_equal(bailey_context_create("opencl", NULL, &context), BAILEY_ERROR_NO_DEVICE);
    assert_null(context);
    assert_contains(bailey_error_text(), part);
}

/* Everything that a job does: a context, buffers, a launch, a fill, a copy, a read. */
static bailey_status run_job(const char *device, uint32_t words[COUNT])
{
    bailey_context *context = NULL;
    bailey_buffer *buffer = NULL, *copy = NULL;
    const bailey_random_params params = {.seed = 1, .stream = 2, .offset = 3};
    bailey_status status = bailey_context_create(device, NULL, &context);
    if (status == BAILEY_OK) status = bailey_buffer_create(context, COUNT * sizeof *words, &buffer);
    if (status == BAILEY_OK) status = bailey_words_generate(context, &params, COUNT, buffer, 0);
    if (status == BAILEY_OK) status = bailey_context_sync(context);
    if (status == BAILEY_OK) status = bailey_buffer_create(context, COUNT * sizeof *words, &copy);
    if (status == BAILEY_OK) status = bailey_buffer_fill(copy, 0, 0, COUNT * sizeof *words);
    if (status == BAILEY_OK) status = bailey_buffer_copy(buffer, 0, copy, 0, COUNT * sizeof *words);
    if (status == BAILEY_OK) status = bailey_buffer_read(copy, 0, words, COUNT * sizeof *words);
    bailey_buffer_destroy(copy);
    bailey_buffer_destroy(buffer);
    bailey_context_destroy(context);
    return status;
}

/* ---- Drivers and devices (the first two must run before a driver has been opened) ------------- */

static void no_library(void **state)
{
    (void)state;
    setenv("BAILEY_OPENCL_LIBRARY", "/nonexistent/libOpenCL.so.1", 1);
    assert_absent("/nonexistent/libOpenCL.so.1");
}

static void missing_symbol(void **state)
{
    (void)state;
    setenv("BAILEY_OPENCL_LIBRARY", stub_missing, 1);
    assert_absent("clFinish");
}

static void no_platform(void **state)
{
    (void)state;
    setenv("STUB_PLATFORMS", "0", 1);
    assert_absent("CL_PLATFORM_NOT_FOUND_KHR");
}

static void no_device(void **state)
{
    (void)state;
    setenv("STUB_DEVICES", "0", 1);
    assert_absent("\"Stub platform\" offers no device: CL_DEVICE_NOT_FOUND (-1)");
    setenv("STUB_PLATFORM_NAME", "Portable Computing Language", 1);
    assert_absent("POCL_CACHE_DIR");
}

static void addresses(void **state)
{
    (void)state;
    bailey_device devices[8];
    setenv("STUB_PLATFORMS", "2", 1);
    setenv("STUB_DEVICES", "3", 1);
    assert_int_equal(list_opencl(devices), 6);
    assert_string_equal(devices[0].address, "opencl:0:0");
    assert_string_equal(devices[2].address, "opencl:0:2");
    assert_string_equal(devices[3].address, "opencl:1:0");
    assert_string_equal(devices[3].name, "Stub device");
    assert_string_equal(devices[3].driver, "Stub platform OpenCL 1.2 stub, driver 1.0");
    assert_int_equal(devices[3].kind, BAILEY_DEVICE_KIND_GPU);
    assert_int_equal(devices[3].usable, 1);
    assert_int_equal(devices[3].has_f64, 1);
    assert_int_equal(devices[3].units, 4);
    assert_int_equal(devices[3].memory_bytes, 1 << 30);
    assert_int_equal(devices[3].allocation_bytes, 1 << 28);

    bailey_context *context;
    bailey_device device;
    assert_int_equal(bailey_context_create("opencl:1:2", NULL, &context), BAILEY_OK);
    assert_int_equal(bailey_context_device(context, &device), BAILEY_OK);
    assert_string_equal(device.address, "opencl:1:2");
    bailey_context_destroy(context);
    assert_int_equal(bailey_context_create("opencl:2", NULL, &context), BAILEY_ERROR_NO_DEVICE);
    assert_int_equal(bailey_context_create("opencl:0:3", NULL, &context), BAILEY_ERROR_NO_DEVICE);
}

static void unusable_devices(void **state)
{
    (void)state;
    static const struct {
        const char *what, *reason;
    } cases[] = {{"unavailable", "CL_DEVICE_AVAILABLE"},
                 {"nocompiler", "CL_DEVICE_COMPILER_AVAILABLE"},
                 {"version11", "needs OpenCL 1.2"},
                 {"embedded", "EMBEDDED_PROFILE"},
                 {"bigendian", "big-endian"},
                 {"norounding", "CL_FP_ROUND_TO_NEAREST"},
                 {"noinf", "CL_FP_INF_NAN"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bailey_device devices[8];
        bailey_context *context;
        setenv("STUB_DEVICE", cases[i].what, 1);
        assert_int_equal(list_opencl(devices), 1);
        assert_string_equal(devices[0].address, "opencl:0:0");
        assert_int_equal(devices[0].usable, 0);
        assert_contains(devices[0].reason, cases[i].reason);
        assert_int_equal(bailey_context_create("opencl", NULL, &context), BAILEY_ERROR_NO_DEVICE);
        assert_contains(bailey_error_text(), cases[i].reason);
    }
}

static void wrong_arithmetic(void **state)
{
    (void)state;
    bailey_context *context;
    setenv("STUB_DEVICE", "badfma", 1);
    assert_int_equal(bailey_context_create("opencl", NULL, &context), BAILEY_ERROR_UNSUPPORTED);
    assert_contains(bailey_error_text(), "fma");
    assert_int_equal(live_objects(), 0);
}

static void no_double(void **state)
{
    (void)state;
    bailey_device device;
    bailey_context *context;
    bailey_buffer *buffer;
    setenv("STUB_DEVICE", "nofp64", 1);
    assert_int_equal(bailey_context_create("opencl", NULL, &context), BAILEY_OK);
    assert_int_equal(bailey_context_device(context, &device), BAILEY_OK);
    assert_int_equal(device.has_f64, 0);
    assert_int_equal(bailey_buffer_create(context, 80, &buffer), BAILEY_OK);
    const bailey_normal_params params = {.precision = BAILEY_PRECISION_F64};
    assert_int_equal(bailey_normals_generate(context, &params, 10, buffer, 0), BAILEY_ERROR_UNSUPPORTED);
    bailey_buffer_destroy(buffer);
    bailey_context_destroy(context);
}

static void same_results(void **state)
{
    (void)state;
    uint32_t words[COUNT], expected[COUNT];
    assert_int_equal(run_job("cpu", expected), BAILEY_OK);
    assert_int_equal(run_job("opencl", words), BAILEY_OK);
    assert_memory_equal(words, expected, sizeof words);
    assert_int_equal(live_objects(), 0);
}

/* ---- Calls that fail ------------------------------------------------------------------------- */

static void failing_calls(void **state)
{
    (void)state;
    static const struct {
        const char *function;
        bailey_status status;
    } cases[] = {
        {"clGetPlatformIDs", BAILEY_ERROR_NO_DEVICE},    {"clGetDeviceIDs", BAILEY_ERROR_NO_DEVICE},
        {"clCreateContext", BAILEY_ERROR_DRIVER},        {"clCreateCommandQueue", BAILEY_ERROR_DRIVER},
        {"clCreateBuffer", BAILEY_ERROR_MEMORY},         {"clCreateProgramWithSource", BAILEY_ERROR_DRIVER},
        {"clCompileProgram", BAILEY_ERROR_BUILD},        {"clLinkProgram", BAILEY_ERROR_BUILD},
        {"clCreateKernel", BAILEY_ERROR_DRIVER},         {"clSetKernelArg", BAILEY_ERROR_DRIVER},
        {"clEnqueueNDRangeKernel", BAILEY_ERROR_DRIVER}, {"clEnqueueWriteBuffer", BAILEY_ERROR_DRIVER},
        {"clEnqueueReadBuffer", BAILEY_ERROR_DRIVER},    {"clFlush", BAILEY_ERROR_DRIVER},
        {"clEnqueueCopyBuffer", BAILEY_ERROR_DRIVER},    {"clEnqueueFillBuffer", BAILEY_ERROR_DRIVER}};
    uint32_t words[COUNT], expected[COUNT];
    assert_int_equal(run_job("cpu", expected), BAILEY_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int n = 1;; n++) {
            new_driver();
            fail_call(cases[i].function, n, CL_OUT_OF_RESOURCES);
            memset(words, 0, sizeof words);
            const bailey_status status = run_job("opencl", words);
            assert_int_equal(live_objects(), 0);
            if (status == BAILEY_OK) { /* the job has fewer calls of it */
                assert_memory_equal(words, expected, sizeof words);
                assert_true(n > 1);
                break;
            }
            if (status != cases[i].status)
                fail_msg("%s, call %d: %s", cases[i].function, n, bailey_error_text());
            assert_contains(bailey_error_text(), "CL_OUT_OF_RESOURCES");
        }
    }
}

/* Memory has its own status wherever the driver says so. */
static void failing_memory(void **state)
{
    (void)state;
    uint32_t words[COUNT];
    fail_call("clEnqueueNDRangeKernel", 1, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    assert_int_equal(run_job("opencl", words), BAILEY_ERROR_MEMORY);
    assert_contains(bailey_error_text(), "CL_MEM_OBJECT_ALLOCATION_FAILURE");
    new_driver();
    fail_call("clLinkProgram", 1, CL_OUT_OF_HOST_MEMORY);
    assert_int_equal(run_job("opencl", words), BAILEY_ERROR_MEMORY);

    bailey_context *context;
    bailey_buffer *buffer;
    setenv("STUB_FAIL", "", 1);
    assert_int_equal(bailey_context_create("opencl", NULL, &context), BAILEY_OK);
    assert_int_equal(bailey_buffer_create(context, 1 << 29, &buffer), BAILEY_ERROR_MEMORY);
    assert_contains(bailey_error_text(), "536870912");
    assert_contains(bailey_error_text(), "268435456");
    bailey_context_destroy(context);
    assert_int_equal(live_objects(), 0);
}

/* What only costs time must not fail. */
static void calls_that_may_fail(void **state)
{
    (void)state;
    static const char *const functions[] = {"clGetProgramInfo", "clCreateProgramWithBinary",
                                            "clBuildProgram"};
    uint32_t words[COUNT], expected[COUNT];
    assert_int_equal(run_job("cpu", expected), BAILEY_OK);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        for (int n = 1; n <= 8; n++) {
            new_driver();
            if (i > 0) assert_int_equal(run_job("opencl", words), BAILEY_OK); /* leaves binaries to load */
            fail_call(functions[i], n, CL_OUT_OF_RESOURCES);
            memset(words, 0, sizeof words);
            assert_int_equal(run_job("opencl", words), BAILEY_OK);
            assert_memory_equal(words, expected, sizeof words);
            assert_int_equal(live_objects(), 0);
        }
}

static void build_log(void **state)
{
    (void)state;
    uint32_t words[COUNT];
    new_driver();
    fail_call("clCompileProgram", 2, CL_COMPILE_PROGRAM_FAILURE);
    assert_int_equal(run_job("opencl", words), BAILEY_ERROR_BUILD);
    assert_contains(bailey_error_text(), "bly_words");
    assert_contains(bailey_error_text(), "CL_COMPILE_PROGRAM_FAILURE");
    assert_contains(bailey_error_text(), "this driver was told to fail");
}

static int built_lines, loaded_lines, again_lines;

static void count_lines(void *user, int level, const char *line)
{
    (void)user, (void)level;
    again_lines += strstr(line, "trying once more") != NULL;
    built_lines += strstr(line, "opencl: built ") != NULL;
    loaded_lines += strstr(line, "opencl: loaded ") != NULL;
}

static void built_once(void **state)
{
    (void)state;
    uint32_t words[COUNT];
    new_driver();
    built_lines = loaded_lines = 0;
    bailey_log_set(count_lines, NULL, 1);
    for (int i = 0; i < 3; i++) assert_int_equal(run_job("opencl", words), BAILEY_OK);
    bailey_log_set(NULL, NULL, 0);
    assert_int_equal(built_lines, JOB_KERNELS);
    assert_int_equal(loaded_lines, 0);
}

/* A build that fails without a word is tried once more; one that the compiler turns down is not. */
static void build_again(void **state)
{
    (void)state;
    static const struct {
        const char *function, *log;
        int error, again;
    } cases[] = {
        {"clCompileProgram", "", CL_COMPILE_PROGRAM_FAILURE, 1},
        {"clCompileProgram", " \n", CL_COMPILE_PROGRAM_FAILURE, 1},
        {"clCompileProgram", "Device cpu failed to build the program\n", CL_COMPILE_PROGRAM_FAILURE, 1},
        {"clLinkProgram", "", CL_LINK_PROGRAM_FAILURE, 1},
        {"clCompileProgram", "x.cl:1: error: Device cpu failed to build the program",
         CL_COMPILE_PROGRAM_FAILURE, 0},
        {"clCompileProgram", "Device cpu failed to build the program\nx.cl:1: error: no",
         CL_COMPILE_PROGRAM_FAILURE, 0},
        {"clCompileProgram", "Device", CL_COMPILE_PROGRAM_FAILURE, 0},
        {"clCompileProgram", "", CL_INVALID_COMPILER_OPTIONS, 0},
    };
    uint32_t words[COUNT], expected[COUNT];
    assert_int_equal(run_job("cpu", expected), BAILEY_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        new_driver();
        setenv("STUB_LOG", cases[i].log, 1);
        fail_call(cases[i].function, 2, cases[i].error);
        again_lines = 0;
        memset(words, 0, sizeof words);
        bailey_log_set(count_lines, NULL, 1);
        const bailey_status status = run_job("opencl", words);
        bailey_log_set(NULL, NULL, 0);
        assert_int_equal(again_lines, cases[i].again);
        assert_int_equal(status, cases[i].again ? BAILEY_OK : BAILEY_ERROR_BUILD);
        if (cases[i].again) assert_memory_equal(words, expected, sizeof words);
        assert_int_equal(live_objects(), 0);
    }
    /* Once more, not for ever. */
    unsetenv("STUB_FAIL");
    setenv("STUB_LOG", "", 1);
    bailey_context *context = NULL;
    struct bly_kernel kernel = {.name = "stub_double", .lane_bytes = 8, .buffers = 3, .block = 64};
    kernel.source = "#include \"kernels/group_entry.h\"\n"; /* which the stub does not compile */
    assert_int_equal(bailey_context_create("opencl", NULL, &context), BAILEY_OK);
    again_lines = 0;
    bailey_log_set(count_lines, NULL, 1);
    assert_int_equal(context->device->backend->compile(context->device, &kernel, 8, NULL),
                     BAILEY_ERROR_BUILD);
    bailey_log_set(NULL, NULL, 0);
    assert_int_equal(again_lines, 1);
    bailey_context_destroy(context);
    assert_int_equal(live_objects(), 0);
}

/* ---- Shuffles within sub-groups --------------------------------------------------------------- */

enum { WARP_COUNT = 20000 };

static void warp_words(bailey_context *context, bailey_generator generator, uint32_t words[WARP_COUNT])
{
    const bailey_random_params params = {.generator = generator, .seed = 1, .offset = 5};
    const uint64_t bytes = WARP_COUNT * sizeof *words;
    bailey_buffer *buffer = NULL;
    assert_int_equal(bailey_buffer_create(context, bytes, &buffer), BAILEY_OK);
    assert_int_equal(bailey_words_generate(context, &params, WARP_COUNT, buffer, 0), BAILEY_OK);
    assert_int_equal(bailey_buffer_read(buffer, 0, words, bytes), BAILEY_OK);
    bailey_buffer_destroy(buffer);
}

/* Opens the device and makes words of both warp generators, which have a program each. Checks how programs
 * were compiled: a letter each, 1 for OpenCL C 1.2 without sub-groups, 2 or 3 for 2.0 or 3.0 with them. */
static void assert_compiled(const char *expected)
{
    static uint32_t words[2][WARP_COUNT], right[2][WARP_COUNT];
    static const bailey_generator generators[2] = {BAILEY_GENERATOR_WARP, BAILEY_GENERATOR_WARP_ADD};
    char *options = (char *)stub_symbol("stub_options"), found[16] = "";
    bailey_context *context = NULL, *cpu = NULL;
    assert_int_equal(bailey_context_create("cpu", NULL, &cpu), BAILEY_OK);
    assert_int_equal(bailey_context_create("opencl", NULL, &context), BAILEY_OK);
    *options = 0; /* the check of the new context has been compiled */
    for (int i = 0; i < 2; i++) {
        warp_words(context, generators[i], words[i]);
        warp_words(cpu, generators[i], right[i]);
    }
    bailey_context_destroy(context);
    bailey_context_destroy(cpu);
    assert_int_equal(live_objects(), 0);
    int count = 0;
    for (char *line = strtok(options, "\n"); line && count < 15; line = strtok(NULL, "\n")) {
        const int with = strstr(line, "-DBAILEY_SUBGROUPS_OF_32") != NULL;
        found[count++] = strstr(line, "-cl-std=CL1.2 ") && !with  ? '1'
                         : strstr(line, "-cl-std=CL2.0 ") && with ? '2'
                         : strstr(line, "-cl-std=CL3.0 ") && with ? '3'
                                                                  : '?';
    }
    assert_string_equal(found, expected);
    assert_memory_equal(words, right, sizeof words);
}

static void subgroups(void **state)
{
    (void)state;
    static const struct {
        const char *versions, *extension, *size, *compiled;
    } cases[] = {
        {"3.0 3.0", "cl_khr_subgroup_shuffle", "32", "33"},
        {"3.0 3.0", "cl_khr_subgroup_shuffle cl_khr_subgroup_ballot", "64", "33"},
        {"2.1 2.0", "cl_khr_subgroup_shuffle_relative cl_khr_subgroup_shuffle", "32", "22"},
        {"3.0 3.0", "cl_khr_subgroup_shuffle", "16", "311"}, /* one attempt is enough */
        {"3.0 3.0", "cl_khr_subgroup_shuffle", "128", "311"},
        {"3.0 3.0", "cl_khr_subgroup_shuffle", "0", "311"},
        {"2.1 2.0", "cl_khr_subgroup_shuffle", "-1", "211"},
        {"2.0 2.0", "cl_khr_subgroup_shuffle", "32", "11"}, /* cannot be asked for their size */
        {"2.1 1.2", "cl_khr_subgroup_shuffle", "32", "11"},
        {"3.0 3.0", "cl_khr_subgroup_shuffle_relative", "32", "11"},
        {"3.0 3.0", "", "32", "11"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        new_driver();
        setenv("STUB_VERSION", cases[i].versions, 1);
        setenv("STUB_EXTENSION", cases[i].extension, 1);
        setenv("STUB_SUBGROUPS", cases[i].size, 1);
        assert_compiled(cases[i].compiled);
        /* Both kinds of program are known now, each by itself; what does not compile is not kept. */
        assert_compiled(atoi(cases[i].size) < 0 ? "2" : "");
    }
}

/* ---- Kernels that are given as source --------------------------------------------------------- */

#define DOUBLE_TEXT "#include \"kernels/group_entry.h\"\nBLY_GROUP_ENTRY_3(stub_double, a, b, c, d)\n"
static const struct bly_kernel double_kernel = {
    .name = "stub_double", .lane_bytes = 8, .buffers = 3, .source = DOUBLE_TEXT, .block = 64};

static bailey_status compile(bailey_context *context, const struct bly_kernel *kernel,
                             bailey_kernel_info *info)
{
    return context->device->backend->compile(context->device, kernel, 8, info);
}

/* Compiles the kernel (unless the launch is to) and doubles COUNT words. */
static bailey_status run_double(int compiles, uint64_t words[COUNT])
{
    const uint64_t count = COUNT;
    bailey_context *context = NULL;
    bailey_buffer *buffers[2] = {NULL, NULL};
    for (int i = 0; i < COUNT; i++) words[i] = (uint64_t)i * i;
    bailey_status status = bailey_context_create("opencl", NULL, &context);
    for (int i = 0; i < 2; i++)
        if (status == BAILEY_OK) status = bailey_buffer_create(context, COUNT * sizeof *words, &buffers[i]);
    if (status == BAILEY_OK) status = bailey_buffer_write(buffers[0], 0, words, COUNT * sizeof *words);
    if (status == BAILEY_OK && compiles) status = compile(context, &double_kernel, NULL);
    if (status == BAILEY_OK) {
        struct bly_device *device = context->device;
        struct bly_memory *const memory[] = {buffers[0]->memory, NULL, buffers[1]->memory};
        status = device->backend->launch(device, &double_kernel, count, 1, &count, sizeof count, memory);
        if (compiles) device->backend->forget(device, &double_kernel);
    }
    if (status == BAILEY_OK) status = bailey_buffer_read(buffers[1], 0, words, COUNT * sizeof *words);
    bailey_buffer_destroy(buffers[0]);
    bailey_buffer_destroy(buffers[1]);
    bailey_context_destroy(context);
    return status;
}

static void source_runs(void **state)
{
    (void)state;
    uint64_t words[COUNT], *items = (uint64_t *)(void *)stub_symbol("stub_items");
    for (int compiles = 0; compiles < 2; compiles++) {
        *items = 0;
        assert_int_equal(run_double(compiles, words), BAILEY_OK);
        for (int i = 0; i < COUNT; i++) assert_int_equal(words[i], 2 * (uint64_t)i * i + 1);
        assert_int_equal(*items, (COUNT + 63) / 64 * 64); /* whole work-groups, once each */
        assert_int_equal(live_objects(), 0);
    }
}

static void source_fails(void **state)
{
    (void)state;
    static const struct {
        const char *function;
        bailey_status status;
    } cases[] = {{"clCreateProgramWithSource", BAILEY_ERROR_DRIVER},
                 {"clCompileProgram", BAILEY_ERROR_BUILD},
                 {"clLinkProgram", BAILEY_ERROR_BUILD},
                 {"clCreateKernel", BAILEY_ERROR_DRIVER},
                 {"clSetKernelArg", BAILEY_ERROR_DRIVER},
                 {"clFlush", BAILEY_ERROR_DRIVER},
                 {"clEnqueueNDRangeKernel", BAILEY_ERROR_DRIVER}};
    uint64_t words[COUNT];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int n = 1;; n++) {
            new_driver();
            fail_call(cases[i].function, n, CL_OUT_OF_RESOURCES);
            const bailey_status status = run_double(1, words);
            assert_int_equal(live_objects(), 0);
            if (status == BAILEY_OK) {
                assert_true(n > 1);
                break;
            }
            if (status != cases[i].status)
                fail_msg("%s, call %d: %s", cases[i].function, n, bailey_error_text());
            assert_contains(bailey_error_text(), "CL_OUT_OF_RESOURCES");
        }
}

static void source_limits(void **state)
{
    (void)state;
    bailey_context *context = NULL;
    bailey_kernel_info info;
    struct bly_kernel kernel = double_kernel;
    setenv("STUB_DEVICE", "verbose", 1);
    new_driver();
    assert_int_equal(bailey_context_create("opencl", NULL, &context), BAILEY_OK);
    assert_int_equal(compile(context, &double_kernel, &info), BAILEY_OK);
    assert_int_equal(info.registers, 42);
    assert_int_equal(info.spill_bytes, 24);
    assert_int_equal(info.shared_bytes, 80);
    assert_int_equal(info.block, 64);
    kernel.block = 257;
    assert_int_equal(compile(context, &kernel, &info), BAILEY_ERROR_UNSUPPORTED);
    assert_contains(bailey_error_text(), "work-groups of 257 items, opencl:0:0 takes 256");
    kernel = double_kernel;
    kernel.shared_bytes = 49153;
    assert_int_equal(compile(context, &kernel, &info), BAILEY_ERROR_UNSUPPORTED);
    assert_contains(bailey_error_text(), "49168 bytes of local memory, opencl:0:0 has 49152");
    kernel = double_kernel;
    kernel.source = "#include \"kernels/group_entry.h\"\n";
    assert_int_equal(compile(context, &kernel, &info), BAILEY_ERROR_BUILD);
    assert_contains(bailey_error_text(), "stub_double");
    assert_contains(bailey_error_text(), "this driver was told to fail");
    setenv("STUB_DEVICE", "smallgroups", 1);
    kernel = double_kernel;
    assert_int_equal(compile(context, &kernel, &info), BAILEY_ERROR_UNSUPPORTED);
    assert_contains(bailey_error_text(), "it takes 32");
    bailey_context_destroy(context);
    assert_int_equal(live_objects(), 0);
}

/* ---- The caller's own objects ---------------------------------------------------------------- */

static void native_objects(void **state)
{
    (void)state;
    setenv("STUB_DEVICES", "2", 1);
    cl_platform_id platform;
    cl_device_id ids[2];
    assert_int_equal(CL(clGetPlatformIDs)(1, &platform, NULL), CL_SUCCESS);
    assert_int_equal(CL(clGetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, 2, ids, NULL), CL_SUCCESS);
    cl_context own = CL(clCreateContext)(NULL, 1, &ids[1], NULL, NULL, NULL);
    cl_context other = CL(clCreateContext)(NULL, 1, &ids[1], NULL, NULL, NULL);
    cl_command_queue queue = CL(clCreateCommandQueue)(own, ids[1], 0, NULL);
    cl_command_queue unordered =
        CL(clCreateCommandQueue)(own, ids[1], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, NULL);
    cl_command_queue foreign = CL(clCreateCommandQueue)(other, ids[1], 0, NULL);

    bailey_context *context;
    assert_int_equal(bailey_context_create_opencl(NULL, ids[1], queue, NULL, &context), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_context_create_opencl(own, ids[0], queue, NULL, &context), BAILEY_ERROR_INVALID);
    assert_contains(bailey_error_text(), "device");
    assert_int_equal(bailey_context_create_opencl(own, ids[1], unordered, NULL, &context),
                     BAILEY_ERROR_INVALID);
    assert_contains(bailey_error_text(), "in-order");
    assert_int_equal(bailey_context_create_opencl(own, ids[1], foreign, NULL, &context),
                     BAILEY_ERROR_INVALID);
    assert_contains(bailey_error_text(), "another context");
    static const char *const functions[] = {"clGetContextInfo", "clRetainContext", "clGetCommandQueueInfo",
                                            "clRetainCommandQueue"};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        fail_call(functions[i], 1, CL_OUT_OF_RESOURCES);
        assert_int_equal(bailey_context_create_opencl(own, ids[1], queue, NULL, &context),
                         BAILEY_ERROR_DRIVER);
        assert_contains(bailey_error_text(), functions[i]);
    }
    unsetenv("STUB_FAIL");
    assert_int_equal(bailey_context_create_opencl(own, NULL, queue, NULL, &context), BAILEY_OK);

    bailey_device device;
    assert_int_equal(bailey_context_device(context, &device), BAILEY_OK);
    assert_string_equal(device.address, "opencl:0:1");
    cl_context got_context;
    cl_device_id got_device;
    cl_command_queue got_queue;
    assert_int_equal(bailey_context_opencl(context, &got_context, &got_device, &got_queue), BAILEY_OK);
    assert_ptr_equal(got_context, own);
    assert_ptr_equal(got_device, ids[1]);
    assert_ptr_equal(got_queue, queue);

    const size_t bytes = COUNT * sizeof(uint32_t);
    cl_mem memory = CL(clCreateBuffer)(own, CL_MEM_READ_WRITE, bytes, NULL, NULL);
    cl_mem write_only = CL(clCreateBuffer)(own, CL_MEM_WRITE_ONLY, bytes, NULL, NULL);
    cl_mem elsewhere = CL(clCreateBuffer)(other, CL_MEM_READ_WRITE, bytes, NULL, NULL);
    bailey_buffer *buffer;
    assert_int_equal(bailey_buffer_adopt_opencl(context, NULL, bytes, &buffer), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_buffer_adopt_opencl(context, memory, bytes + 1, &buffer), BAILEY_ERROR_INVALID);
    assert_contains(bailey_error_text(), "4000");
    assert_int_equal(bailey_buffer_adopt_opencl(context, write_only, bytes, &buffer), BAILEY_ERROR_INVALID);
    assert_contains(bailey_error_text(), "CL_MEM_WRITE_ONLY");
    assert_int_equal(bailey_buffer_adopt_opencl(context, elsewhere, bytes, &buffer), BAILEY_ERROR_INVALID);
    assert_contains(bailey_error_text(), "another OpenCL context");
    fail_call("clRetainMemObject", 1, CL_OUT_OF_RESOURCES);
    assert_int_equal(bailey_buffer_adopt_opencl(context, memory, bytes, &buffer), BAILEY_ERROR_DRIVER);
    unsetenv("STUB_FAIL");
    assert_int_equal(bailey_buffer_adopt_opencl(context, memory, bytes, &buffer), BAILEY_OK);

    cl_mem got_memory;
    uint32_t words[COUNT], expected[COUNT];
    const bailey_random_params params = {.seed = 1, .stream = 2, .offset = 3};
    assert_int_equal(bailey_buffer_opencl(buffer, &got_memory), BAILEY_OK);
    assert_ptr_equal(got_memory, memory);
    assert_int_equal(bailey_words_generate(context, &params, COUNT, buffer, 0), BAILEY_OK);
    assert_int_equal(CL(clEnqueueReadBuffer)(queue, memory, CL_TRUE, 0, bytes, words, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(run_job("cpu", expected), BAILEY_OK);
    assert_memory_equal(words, expected, bytes);

    bailey_context *cpu;
    assert_int_equal(bailey_context_create("cpu", NULL, &cpu), BAILEY_OK);
    assert_int_equal(bailey_context_opencl(cpu, &got_context, NULL, NULL), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_buffer_adopt_opencl(cpu, memory, bytes, &buffer), BAILEY_ERROR_INVALID);
    bailey_context_destroy(cpu);

    /* What bailey retained outlives the caller's references. */
    CL(clReleaseMemObject)(memory);
    CL(clReleaseCommandQueue)(queue);
    CL(clReleaseContext)(own);
    assert_int_equal(bailey_buffer_read(buffer, 0, words, bytes), BAILEY_OK);
    assert_memory_equal(words, expected, bytes);
    bailey_buffer_destroy(buffer);
    bailey_context_destroy(context);

    CL(clReleaseMemObject)(write_only);
    CL(clReleaseMemObject)(elsewhere);
    CL(clReleaseCommandQueue)(unordered);
    CL(clReleaseCommandQueue)(foreign);
    CL(clReleaseContext)(other);
    assert_int_equal(live_objects(), 0);
}

/* ---- The cache on disk ------------------------------------------------------------------------ */

static char directory[64]; /* of one test */

struct outcome {
    int built, loaded, damaged, rejected, none, sum_found;
    unsigned sum;
};

static void print_line(void *user, int level, const char *line)
{
    (void)user;
    if (level == 1) printf("log: %s\n", line);
}

/* The other side of start_job and end_job. */
static int job_main(void)
{
    uint32_t words[COUNT];
    unsigned sum = 0;
    bailey_log_set(print_line, NULL, 1);
    if (run_job("opencl", words) != BAILEY_OK) {
        printf("failed: %s\n", bailey_error_text());
        return 1;
    }
    for (int i = 0; i < COUNT; i++) sum = sum * 31 + words[i];
    printf("sum: %u\n", sum);
    return 0;
}

static FILE *start_job(void)
{
    char command[4200];
    snprintf(command, sizeof command, "'%s' --job", self);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    return pipe;
}

static struct outcome end_job(FILE *pipe)
{
    struct outcome o = {0};
    char line[1024];
    while (fgets(line, sizeof line, pipe)) {
        o.built += strstr(line, "opencl: built ") != NULL;
        o.loaded += strstr(line, "opencl: loaded ") != NULL;
        o.damaged += strstr(line, "is damaged") != NULL;
        o.rejected += strstr(line, "driver rejects") != NULL;
        o.none += strstr(line, "no program cache") != NULL;
        if (sscanf(line, "sum: %u", &o.sum) == 1) o.sum_found = 1;
        if (strncmp(line, "failed", 6) == 0) fail_msg("%s", line);
    }
    assert_int_equal(pclose(pipe), 0);
    assert_int_equal(o.sum_found, 1);
    return o;
}

/* Runs the job in a process of its own and checks how its programs came about. */
static void assert_job(int built, int loaded, int damaged)
{
    static unsigned sum;
    const struct outcome o = end_job(start_job());
    assert_int_equal(o.built, built);
    assert_int_equal(o.loaded, loaded);
    assert_int_equal(o.damaged, damaged);
    if (!sum) sum = o.sum;
    assert_int_equal(o.sum, sum);
}

/* Lists the entries, sorted by nothing. */
static int list_entries(char names[16][400])
{
    int count = 0;
    DIR *d = opendir(directory);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.' && count < 16) snprintf(names[count++], 400, "%s/%s", directory, e->d_name);
    closedir(d);
    return count;
}

static int make_directory(void **state)
{
    reset(state);
    snprintf(directory, sizeof directory, "bailey-cache-XXXXXX");
    if (!mkdtemp(directory)) return -1;
    setenv("BAILEY_CACHE_DIR", directory, 1);
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    char names[16][400];
    if (chmod(directory, 0700) != 0) return -1;
    for (int i = 0, n = list_entries(names); i < n; i++) unlink(names[i]);
    return rmdir(directory);
}

static void cached(void **state)
{
    (void)state;
    char names[16][400];
    struct stat s;
    assert_job(JOB_KERNELS, 0, 0);
    assert_int_equal(list_entries(names), JOB_KERNELS);
    for (int i = 0; i < JOB_KERNELS; i++) {
        assert_int_equal(stat(names[i], &s), 0);
        assert_int_equal(s.st_mode & 07777, 0600);
    }
    assert_job(0, JOB_KERNELS, 0);
    setenv("STUB_DRIVER", "9", 1); /* an update of the driver */
    assert_job(JOB_KERNELS, 0, 0);
    assert_int_equal(list_entries(names), 2 * JOB_KERNELS);
}

static void write_file(const char *name, const void *data, size_t size)
{
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static size_t read_file(const char *name, unsigned char data[4096])
{
    FILE *f = fopen(name, "rb");
    assert_non_null(f);
    const size_t size = fread(data, 1, 4096, f);
    fclose(f);
    assert_in_range(size, 1, 4095);
    return size;
}

static void damaged(void **state)
{
    (void)state;
    char names[16][400];
    unsigned char first[4096], second[4096];
    assert_job(JOB_KERNELS, 0, 0);
    assert_int_equal(list_entries(names), JOB_KERNELS);
    const size_t first_size = read_file(names[0], first), second_size = read_file(names[1], second);
    /* Every byte counts: magic, key, length, digest, payload. */
    const size_t places[] = {0, 8, 40, 48, 79, 80, first_size - 1};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        first[places[i]] ^= 0x10;
        write_file(names[0], first, first_size);
        first[places[i]] ^= 0x10;
        assert_job(1, JOB_KERNELS - 1, 1);
        assert_job(0, JOB_KERNELS, 0);
    }
    const size_t sizes[] = {0, 1, 79, 80, first_size - 1, first_size + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        first[first_size] = 0;
        write_file(names[0], first, sizes[i]);
        assert_job(1, JOB_KERNELS - 1, 1);
    }
    write_file(names[0], second, second_size); /* a good entry under another's name */
    assert_job(1, JOB_KERNELS - 1, 1);
    assert_job(0, JOB_KERNELS, 0);
    assert_int_equal(list_entries(names), JOB_KERNELS);
}

static void foreign_entries(void **state)
{
    (void)state;
    char names[16][400];
    struct stat s;
    assert_job(JOB_KERNELS, 0, 0);
    assert_int_equal(list_entries(names), JOB_KERNELS);
    assert_int_equal(chmod(names[0], 0666), 0); /* anybody may have written it */
    assert_job(1, JOB_KERNELS - 1, 0);
    assert_int_equal(stat(names[0], &s), 0);
    assert_int_equal(s.st_mode & 07777, 0600);
    char elsewhere[100];
    snprintf(elsewhere, sizeof elsewhere, "%s/moved", directory);
    assert_int_equal(rename(names[0], elsewhere), 0);
    assert_int_equal(symlink("moved", names[0]), 0);
    assert_job(1, JOB_KERNELS - 1, 0);
    assert_int_equal(lstat(names[0], &s), 0);
    assert_true(S_ISREG(s.st_mode));
    assert_int_equal(unlink(names[0]), 0);
    assert_int_equal(mkfifo(names[0], 0600), 0);
    assert_job(1, JOB_KERNELS - 1, 0);
    if (geteuid() == 0) { /* only root can give files away */
        assert_int_equal(chown(names[1], 1, (gid_t)-1), 0);
        assert_job(1, JOB_KERNELS - 1, 0);
    }
    assert_job(0, JOB_KERNELS, 0);
}

static void rejected(void **state)
{
    (void)state;
    assert_job(JOB_KERNELS, 0, 0);
    setenv("STUB_DEVICE", "rejects", 1);
    const struct outcome o = end_job(start_job());
    assert_int_equal(o.rejected, JOB_KERNELS);
    assert_int_equal(o.built, JOB_KERNELS);
}

static void unsafe_directory(void **state)
{
    (void)state;
    char names[16][400];
    const mode_t modes[] = {0777, 0770, 0702};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        assert_int_equal(chmod(directory, modes[i]), 0);
        const struct outcome o = end_job(start_job());
        assert_int_equal(o.built, JOB_KERNELS);
        assert_int_equal(o.none, 1);
        assert_int_equal(list_entries(names), 0);
    }
    assert_int_equal(chmod(directory, 0755), 0);
    if (geteuid() == 0) {
        assert_int_equal(chown(directory, 1, (gid_t)-1), 0);
        assert_int_equal(end_job(start_job()).none, 1);
        assert_int_equal(list_entries(names), 0);
        assert_int_equal(chown(directory, 0, (gid_t)-1), 0);
    }
    assert_job(JOB_KERNELS, 0, 0);
    assert_job(0, JOB_KERNELS, 0);
}

static void unusable_directory(void **state)
{
    (void)state;
    char path[200];
    snprintf(path, sizeof path, "%s/file", directory);
    write_file(path, "x", 1);
    setenv("BAILEY_CACHE_DIR", path, 1);
    assert_int_equal(end_job(start_job()).none, 1);
    strcat(path, "/below");
    setenv("BAILEY_CACHE_DIR", path, 1);
    assert_int_equal(end_job(start_job()).none, 1);
    setenv("BAILEY_CACHE_DIR", "", 1); /* switched off, which is no news */
    const struct outcome o = end_job(start_job());
    assert_int_equal(o.none, 0);
    assert_int_equal(o.built, JOB_KERNELS);
}

/* XDG_CACHE_HOME/bailey, then HOME/.cache/bailey, made with mode 0700. */
static void default_directory(void **state)
{
    (void)state;
    char *old_xdg = getenv("XDG_CACHE_HOME"), *old_home = getenv("HOME");
    char path[700], base[200];
    struct stat s;
    assert_non_null(getcwd(base, sizeof base - sizeof directory - 1));
    strcat(strcat(base, "/"), directory);
    old_xdg = old_xdg ? strdup(old_xdg) : NULL;
    old_home = old_home ? strdup(old_home) : NULL;
    unsetenv("BAILEY_CACHE_DIR");
    setenv("XDG_CACHE_HOME", base, 1);
    assert_job(JOB_KERNELS, 0, 0);
    assert_job(0, JOB_KERNELS, 0);
    snprintf(path, sizeof path, "%s/bailey", base);
    assert_int_equal(stat(path, &s), 0);
    assert_int_equal(s.st_mode & 07777, 0700);
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", base, 1);
    assert_job(JOB_KERNELS, 0, 0);
    assert_job(0, JOB_KERNELS, 0);
    snprintf(path, sizeof path, "rm -r '%s/bailey' '%s/.cache/bailey' && rmdir '%s/.cache'", base, base,
             base);
    assert_int_equal(system(path), 0);
    old_xdg ? setenv("XDG_CACHE_HOME", old_xdg, 1) : unsetenv("XDG_CACHE_HOME");
    old_home ? setenv("HOME", old_home, 1) : unsetenv("HOME");
    free(old_xdg);
    free(old_home);
}

static void many_processes(void **state)
{
    (void)state;
    enum { PROCESSES = 8 };
    char names[16][400];
    FILE *pipes[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) pipes[i] = start_job();
    for (int i = 0; i < PROCESSES; i++) {
        const struct outcome o = end_job(pipes[i]);
        assert_int_equal(o.built + o.loaded, JOB_KERNELS);
        assert_int_equal(o.damaged, 0);
    }
    assert_int_equal(list_entries(names), JOB_KERNELS); /* and no temporary files */
    assert_job(0, JOB_KERNELS, 0);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--job") == 0) return job_main();
    if (argc != 3) {
        fprintf(stderr, "usage: test_opencl_faults STUB STUB_MISSING\n");
        return 2;
    }
    self = argv[0];
    stub = argv[1];
    stub_missing = argv[2];
    setenv("BAILEY_CUDA_LIBRARY", "/nonexistent/libcuda.so.1", 1);
    unsetenv("BAILEY_DEVICE");
    unsetenv("BAILEY_LOG");
#define TEST(f) cmocka_unit_test_setup(f, reset)
#define CACHE_TEST(f) cmocka_unit_test_setup_teardown(f, make_directory, remove_directory)
    const struct CMUnitTest tests[] = {TEST(no_library),
                                       TEST(missing_symbol),
                                       TEST(no_platform),
                                       TEST(no_device),
                                       TEST(addresses),
                                       TEST(unusable_devices),
                                       TEST(wrong_arithmetic),
                                       TEST(no_double),
                                       TEST(same_results),
                                       TEST(failing_calls),
                                       TEST(failing_memory),
                                       TEST(calls_that_may_fail),
                                       TEST(build_log),
                                       TEST(built_once),
                                       TEST(build_again),
                                       TEST(subgroups),
                                       TEST(source_runs),
                                       TEST(source_fails),
                                       TEST(source_limits),
                                       TEST(native_objects),
                                       CACHE_TEST(cached),
                                       CACHE_TEST(damaged),
                                       CACHE_TEST(foreign_entries),
                                       CACHE_TEST(rejected),
                                       CACHE_TEST(unsafe_directory),
                                       CACHE_TEST(unusable_directory),
                                       CACHE_TEST(default_directory),
                                       CACHE_TEST(many_processes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
