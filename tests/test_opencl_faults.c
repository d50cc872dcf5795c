/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The OpenCL backend's row of the faults of drivers (test_driver_faults.c), and what only OpenCL has:
 * platforms, odd devices, objects of the caller's that do not fit, builds once more, shuffles within
 * sub-groups.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <bailey/opencl.h>

#include "driver_faults.h"

/* ---- The driver ------------------------------------------------------------------------------ */

static const struct fault_rule rules[] = {
    {.function = "clGetPlatformIDs", .status = {BAILEY_ERROR_NO_DEVICE}},
    {.function = "clGetPlatformInfo", .kind = SOME},
    {.function = "clGetDeviceIDs",
     .status = {BAILEY_ERROR_NO_DEVICE},
     .says = "\"Stub platform\" offers no device"},
    {.function = "clGetDeviceInfo", .kind = SOME},
    {.function = "clReleaseContext", .kind = COSTS},
    {.function = "clReleaseCommandQueue", .kind = COSTS},
    {.function = "clCreateBuffer", .status = {BAILEY_ERROR_MEMORY}},
    {.function = "clReleaseMemObject", .kind = COSTS},
    {.function = "clCreateProgramWithBinary", .kind = COSTS},
    {.function = "clReleaseProgram", .kind = COSTS},
    {.function = "clBuildProgram", .kind = COSTS},
    {.function = "clCompileProgram", .status = {BAILEY_ERROR_BUILD}},
    {.function = "clLinkProgram", .status = {BAILEY_ERROR_BUILD}},
    {.function = "clGetProgramInfo", .kind = COSTS},
    {.function = "clGetProgramBuildInfo", .kind = UNCALLED}, /* but after a failure */
    {.function = "clReleaseKernel", .kind = COSTS},
    {.function = "clGetKernelWorkGroupInfo", .kind = COSTS},
    {.function = "clEnqueueMapBuffer", .status = {BAILEY_ERROR_MEMORY}},
    {.function = "clEnqueueUnmapMemObject", .kind = COSTS},
    {.function = "clReleaseEvent", .kind = COSTS},
    {.function = "clGetKernelSubGroupInfo", .kind = UNCALLED}, /* see `subgroups` */
    {.function = NULL},
};

static bailey_status adopt(bailey_context *context, bailey_buffer *buffer, bailey_context **second,
                           bailey_buffer **adopted)
{
    cl_context own;
    cl_device_id id;
    cl_command_queue queue;
    cl_mem memory;
    assert_int_equal(bailey_context_opencl(context, &own, &id, &queue), BAILEY_OK);
    assert_int_equal(bailey_buffer_opencl(buffer, &memory), BAILEY_OK);
    const bailey_status status = bailey_context_create_opencl(own, id, queue, NULL, second);
    return status == BAILEY_OK ? bailey_buffer_adopt_opencl(*second, memory, 64, adopted) : status;
}

const struct fault_driver fault_opencl = {
    .name = "opencl",
    .library = "BAILEY_OPENCL_LIBRARY",
    .stub = BLY_STUB_OPENCL,
    .missing_stub = BLY_STUB_OPENCL_MISSING,
    .missing = "clFinish",
    .backend = &bly_backend_opencl,
    .rules = rules,
    .error = CL_OUT_OF_RESOURCES,
    .memory_error = CL_OUT_OF_HOST_MEMORY,
    .error_begins = "CL_OUT_OF_RESOURCES",
    .starts = {{"clGetPlatformIDs", -1001, "CL_PLATFORM_NOT_FOUND_KHR"}, /* as the loader says */
               {"clGetPlatformIDs", CL_OUT_OF_RESOURCES, "clGetPlatformIDs: CL_OUT_OF_RESOURCES (-5)"}},
    .no_device = "\"Stub platform\" offers no device: CL_DEVICE_NOT_FOUND (-1)",
    .unusable = {{"STUB_DEVICE", "unavailable", "CL_DEVICE_AVAILABLE"},
                 {"STUB_DEVICE", "nocompiler", "CL_DEVICE_COMPILER_AVAILABLE"},
                 {"STUB_DEVICE", "version11", "needs OpenCL 1.2"},
                 {"STUB_DEVICE", "embedded", "EMBEDDED_PROFILE"},
                 {"STUB_DEVICE", "bigendian", "big-endian"},
                 {"STUB_DEVICE", "norounding", "CL_FP_ROUND_TO_NEAREST"},
                 {"STUB_DEVICE", "noinf", "CL_FP_INF_NAN"}},
    .second = {"opencl:0:1", "opencl:0:2", "Stub device", "Stub platform OpenCL 1.2 stub, driver 1.0", 4},
    .too_large = 1 << 29,
    .too_large_says = {"536870912", "268435456"},
    .pinned_says = "536870912",
    .unmapped = "",
    .unmapped_says = {"opencl:0:0", "OpenCL 1.2"},
    .limits = {257, 49153, "work-groups of 257 items; the maximum on opencl:0:0 is 256",
               "49168 bytes of local memory needed; opencl:0:0 has 49152"},
    .info = {0, 24, 112},
    .absent_says = "kernel stub_absent: clCreateKernel",
    .compile = "clCompileProgram",
    .compile_error = CL_COMPILE_PROGRAM_FAILURE,
    .waits = "clFinish",
    .waits_to_release = {0, 3}, /* objects that commands use live on; who unmaps waits again */
    .rows_built = 1,
    .loads = "clCreateProgramWithBinary",
    .loads_error = CL_INVALID_BINARY,
    .update = {"STUB_DRIVER", "9"},
    .adopt = adopt,
};

static int set_up(void **state)
{
    (void)state;
    use(&fault_opencl);
    return 0;
}

static void new_driver(void)
{
    static int number;
    char value[32];
    snprintf(value, sizeof value, "3.%d", ++number);
    setenv("STUB_DRIVER", value, 1);
}

/* ---- Devices --------------------------------------------------------------------------------- */

TEST(addresses, HOST)
{
    bailey_device devices[8];
    size_t count = 0, skipped = 0;
    setenv("STUB_PLATFORMS", "2", 1);
    setenv("STUB_DEVICES", "3", 1);
    assert_int_equal(bailey_device_list(devices, 8, &count), BAILEY_OK);
    while (skipped < count && strncmp(devices[skipped].address, "opencl", 6) != 0) skipped++;
    const bailey_device *found = &devices[skipped];
    assert_string_equal(found[0].address, "opencl:0:0");
    assert_string_equal(found[2].address, "opencl:0:2");
    assert_string_equal(found[3].address, "opencl:1:0");
    assert_string_equal(found[3].name, "Stub device");
    assert_string_equal(found[3].driver, "Stub platform OpenCL 1.2 stub, driver 1.0");
    assert_int_equal(found[3].kind, BAILEY_DEVICE_KIND_GPU);
    assert_int_equal(found[3].usable, 1);
    assert_int_equal(found[3].has_f64, 1);
    assert_int_equal(found[3].units, 4);
    assert_int_equal(found[3].memory_bytes, 1 << 30);
    assert_int_equal(found[3].allocation_bytes, 1 << 28);

    bailey_context *context;
    bailey_device device;
    assert_int_equal(bailey_context_create("opencl:1:2", NULL, &context), BAILEY_OK);
    assert_int_equal(bailey_context_device(context, &device), BAILEY_OK);
    assert_string_equal(device.address, "opencl:1:2");
    bailey_context_destroy(context);
    assert_int_equal(bailey_context_create("opencl:2", NULL, &context), BAILEY_ERROR_NO_DEVICE);
    assert_int_equal(bailey_context_create("opencl:0:3", NULL, &context), BAILEY_ERROR_NO_DEVICE);
}

TEST(no_device_of_pocl, HOST)
{
    bailey_context *context = NULL;
    setenv("STUB_DEVICES", "0", 1);
    setenv("STUB_PLATFORM_NAME", "Portable Computing Language", 1);
    assert_int_equal(bailey_context_create("opencl", NULL, &context), BAILEY_ERROR_NO_DEVICE);
    assert_contains(bailey_error_message(), "POCL_CACHE_DIR");
}

TEST(wrong_arithmetic, HOST)
{
    bailey_context *context;
    setenv("STUB_DEVICE", "badfma", 1);
    assert_int_equal(bailey_context_create("opencl", NULL, &context), BAILEY_ERROR_UNSUPPORTED);
    assert_contains(bailey_error_message(), "fma");
}

TEST(no_double, HOST)
{
    bailey_device device;
    bailey_buffer *buffer;
    setenv("STUB_DEVICE", "nofp64", 1);
    bailey_context *context = open_context();
    assert_int_equal(bailey_context_device(context, &device), BAILEY_OK);
    assert_int_equal(device.has_f64, 0);
    assert_int_equal(bailey_buffer_create(context, 80, &buffer), BAILEY_OK);
    const bailey_source source = {.seed = 1};
    const bailey_normal_params normal = {.precision = BAILEY_PRECISION_F64};
    assert_int_equal(bailey_normals_generate(context, &source, &normal, 0, 10, buffer, 0),
                     BAILEY_ERROR_UNSUPPORTED);
    bailey_buffer_destroy(buffer);
    bailey_context_destroy(context);
}

/* Devices that are of every kind have one queue. */
TEST(simulator, HOST)
{
    const struct bly_backend *b = &bly_backend_opencl;
    struct bly_fence *fence = NULL;
    setenv("STUB_DEVICE", "simulator", 1);
    bailey_context *context = open_context();
    struct bly_device *device = context->device;
    const long live = live_objects();
    assert_int_equal(device->queues, 1);
    assert_int_equal(device->tuning->chunk_bytes, 4 << 20); /* a MiB per unit */
    assert_int_equal(b->fence(device, 1, &fence), BAILEY_OK);
    assert_int_equal(b->follow(device, 0, fence), BAILEY_OK);
    b->fence_free(device, fence);
    assert_int_equal(live_objects(), live);
    bailey_context_destroy(context);
}

/* A fence whose work has failed. */
TEST(failed_work, HOST)
{
    const struct bly_backend *b = &bly_backend_opencl;
    struct bly_fence *fence = NULL;
    int done;
    bailey_context *context = open_context();
    struct bly_device *device = context->device;
    assert_int_equal(b->fence(device, 0, &fence), BAILEY_OK);
    static const struct {
        const char *error, *name;
        bailey_status status;
    } cases[] = {{"-5", "CL_OUT_OF_RESOURCES", BAILEY_ERROR_DRIVER},
                 {"-4", "CL_MEM_OBJECT_ALLOCATION_FAILURE", BAILEY_ERROR_MEMORY}};
    for (int i = 0; i < 4; i++) { /* asked, and waited for */
        setenv("STUB_EVENT", cases[i / 2].error, 1);
        done = -1;
        assert_int_equal(b->fence_done(device, fence, i % 2, &done), cases[i / 2].status);
        assert_int_equal(done, 0);
        assert_contains(bailey_error_message(), "before a fence");
        assert_contains(bailey_error_message(), cases[i / 2].name);
    }
    b->fence_free(device, fence);
    bailey_context_destroy(context);
}

/* ---- The caller's own objects ---------------------------------------------------------------- */

#define CL(function) ((__typeof__(&function))stub_symbol(#function))

TEST(native_objects, HOST)
{
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
    assert_contains(bailey_error_message(), "device");
    assert_int_equal(bailey_context_create_opencl(own, ids[1], unordered, NULL, &context),
                     BAILEY_ERROR_INVALID);
    assert_contains(bailey_error_message(), "in-order");
    assert_int_equal(bailey_context_create_opencl(own, ids[1], foreign, NULL, &context),
                     BAILEY_ERROR_INVALID);
    assert_contains(bailey_error_message(), "another context");
    static const char *const functions[] = {"clGetContextInfo", "clRetainContext", "clGetCommandQueueInfo",
                                            "clRetainCommandQueue"};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        fail_call(functions[i], 1, CL_OUT_OF_RESOURCES);
        assert_int_equal(bailey_context_create_opencl(own, ids[1], queue, NULL, &context),
                         BAILEY_ERROR_DRIVER);
        assert_contains(bailey_error_message(), functions[i]);
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
    assert_contains(bailey_error_message(), "4000");
    assert_int_equal(bailey_buffer_adopt_opencl(context, write_only, bytes, &buffer), BAILEY_ERROR_INVALID);
    assert_contains(bailey_error_message(), "CL_MEM_WRITE_ONLY");
    assert_int_equal(bailey_buffer_adopt_opencl(context, elsewhere, bytes, &buffer), BAILEY_ERROR_INVALID);
    assert_contains(bailey_error_message(), "another OpenCL context");
    fail_call("clRetainMemObject", 1, CL_OUT_OF_RESOURCES);
    assert_int_equal(bailey_buffer_adopt_opencl(context, memory, bytes, &buffer), BAILEY_ERROR_DRIVER);
    unsetenv("STUB_FAIL");
    assert_int_equal(bailey_buffer_adopt_opencl(context, memory, bytes, &buffer), BAILEY_OK);

    cl_mem got_memory;
    uint32_t words[COUNT], expected[COUNT];
    const bailey_source source = {.seed = 1, .stream = 2};
    assert_int_equal(bailey_buffer_opencl(buffer, &got_memory), BAILEY_OK);
    assert_ptr_equal(got_memory, memory);
    assert_int_equal(bailey_words_generate(context, &source, 3, COUNT, buffer, 0), BAILEY_OK);
    assert_int_equal(CL(clEnqueueReadBuffer)(queue, memory, CL_TRUE, 0, bytes, words, 0, NULL, NULL),
                     CL_SUCCESS);
    bailey_context *cpu;
    bailey_buffer *made;
    assert_int_equal(bailey_context_create("cpu", NULL, &cpu), BAILEY_OK);
    assert_int_equal(bailey_buffer_create(cpu, bytes, &made), BAILEY_OK);
    assert_int_equal(bailey_words_generate(cpu, &source, 3, COUNT, made, 0), BAILEY_OK);
    assert_int_equal(bailey_buffer_read(made, 0, expected, bytes), BAILEY_OK);
    bailey_buffer_destroy(made);
    assert_memory_equal(words, expected, bytes);

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
}

/* ---- Programs -------------------------------------------------------------------------------- */

/* A build that fails without a word is tried once more; one that the compiler turns down is not. */
TEST(build_again, HOST)
{
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
    uint64_t words[COUNT];
    struct lines lines = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        new_driver();
        setenv("STUB_LOG", cases[i].log, 1);
        fail_call(cases[i].function, 2, cases[i].error);
        lines.again = 0;
        bailey_log_set(count_line, &lines, 1);
        const bailey_status status = run_double(1, 1, words);
        bailey_log_set(NULL, NULL, 0);
        assert_int_equal(lines.again, cases[i].again);
        assert_int_equal(status, cases[i].again ? BAILEY_OK : BAILEY_ERROR_BUILD);
        if (cases[i].again) assert_doubled(words);
    }
    /* Once more, not for ever. */
    unsetenv("STUB_FAIL");
    setenv("STUB_LOG", "", 1);
    struct text text;
    make_text(&text, 1);
    strcpy(text.text, "#include \"kernels/group_entry.h\"\n"); /* which the stub does not compile */
    bailey_context *context = open_context();
    lines.again = 0;
    bailey_log_set(count_line, &lines, 1);
    assert_not_made(context, &text, BAILEY_ERROR_BUILD, "stub_double");
    bailey_log_set(NULL, NULL, 0);
    assert_int_equal(lines.again, 1);
    bailey_context_destroy(context);
}

TEST(launch_without_memory, HOST)
{
    uint64_t words[COUNT];
    fail_call("clEnqueueNDRangeKernel", 1, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    assert_int_equal(run_double(1, 1, words), BAILEY_ERROR_MEMORY);
    assert_contains(bailey_error_message(), "CL_MEM_OBJECT_ALLOCATION_FAILURE");
}

TEST(registers, HOST)
{
    bailey_kernel_info info;
    struct bly_program *program = NULL;
    struct text text;
    make_text(&text, 1);
    setenv("STUB_DEVICE", "verbose", 1);
    bailey_context *context = open_context();
    assert_int_equal(load(context, &text, &program), BAILEY_OK);
    assert_int_equal(driver->backend->inspect(context->device, program, 0, &info), BAILEY_OK);
    unload(context, program);
    assert_int_equal(info.registers, 42);
    assert_int_equal(info.spill_bytes, 24);
    assert_int_equal(info.shared_bytes, 80);
    assert_int_equal(info.block, 64);
    bailey_context_destroy(context);
}

/* The driver says of every kernel that it takes groups of 32 items. That is believed, except of NVIDIA's,
 * which answers without regard to the size that the kernel requires. */
TEST(small_groups, HOST)
{
    for (int nvidia = 0; nvidia < 2; nvidia++) {
        struct bly_program *program = NULL;
        struct text text;
        make_text(&text, 1);
        new_driver();
        setenv("STUB_DEVICE", nvidia ? "verbose" : "", 1);
        bailey_context *context = open_context();
        setenv("STUB_DEVICE", "smallgroups", 1);
        if (nvidia) {
            assert_int_equal(load(context, &text, &program), BAILEY_OK);
            unload(context, program);
        } else {
            assert_not_made(context, &text, BAILEY_ERROR_UNSUPPORTED, "the maximum is 32");
        }
        bailey_context_destroy(context);
    }
}

/* A few items of a row that has a tuned replacement are launched as the row itself; the driver compiles no
 * text without a row. */
TEST(few_items, HOST)
{
    const bailey_source source = {.seed = 1};
    const bailey_context_params uncached = {.cache_dir = ""};
    bailey_context *context = NULL;
    bailey_buffer *out = NULL;
    assert_int_equal(bailey_context_create("opencl", &uncached, &context), BAILEY_OK);
    assert_int_equal(bailey_buffer_create(context, 64, &out), BAILEY_OK);
    assert_int_equal(bailey_normals_generate(context, &source, NULL, 0, 16, out, 0), BAILEY_OK);
    bailey_buffer_destroy(out);
    bailey_context_destroy(context);
}

/* ---- Shuffles within sub-groups --------------------------------------------------------------- */

enum { WARP_COUNT = 20000 };

static void warp_words(bailey_context *context, bailey_generator generator, uint32_t words[WARP_COUNT])
{
    const bailey_source source = {.seed = 1, .generator = generator};
    const uint64_t bytes = WARP_COUNT * sizeof *words;
    bailey_buffer *buffer = NULL;
    assert_int_equal(bailey_buffer_create(context, bytes, &buffer), BAILEY_OK);
    assert_int_equal(bailey_words_generate(context, &source, 5, WARP_COUNT, buffer, 0), BAILEY_OK);
    assert_int_equal(bailey_buffer_read(buffer, 0, words, bytes), BAILEY_OK);
    bailey_buffer_destroy(buffer);
}

/* Opens the device and makes words of both warp generators, which have a program each. Checks how programs
 * were compiled: a letter each, 1 for OpenCL C 1.2 without sub-groups, 2 or 3 for 2.0 or 3.0 with them. */
static void assert_compiled(const char *expected)
{
    static uint32_t words[2][WARP_COUNT], right[2][WARP_COUNT];
    static const bailey_generator generators[2] = {BAILEY_GENERATOR_WARP, BAILEY_GENERATOR_WARP_ADD};
    char *options = stub_symbol("stub_options"), found[16] = "";
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

TEST(subgroups, HOST)
{
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

FIXTURE(set_up, balanced)
