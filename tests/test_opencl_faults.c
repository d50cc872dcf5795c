/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The OpenCL backend when things go wrong, on the stub driver: no driver, odd devices, calls that fail one at
 * a time, objects of the caller's that do not fit. Programs: test_opencl_faults_programs.c; their cache:
 * test_opencl_faults_cache.c.
 *
 * In this order: drivers and devices; calls that fail; the caller's own objects.
 */
#include "opencl_faults.h"


/* ---- Drivers and devices (the first two tests run before a driver is opened) ----------------- */

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
    assert_contains(bailey_error_message(), part);
}

TEST(no_library, HOST)
{
    setenv("BAILEY_OPENCL_LIBRARY", "/nonexistent/libOpenCL.so.1", 1);
    assert_absent("/nonexistent/libOpenCL.so.1");
}

TEST(missing_symbol, HOST)
{
    setenv("BAILEY_OPENCL_LIBRARY", BLY_STUB_OPENCL_MISSING, 1);
    assert_absent("clFinish");
}

TEST(no_platform, HOST)
{
    setenv("STUB_PLATFORMS", "0", 1);
    assert_absent("CL_PLATFORM_NOT_FOUND_KHR");
}

TEST(no_device, HOST)
{
    setenv("STUB_DEVICES", "0", 1);
    assert_absent("\"Stub platform\" offers no device: CL_DEVICE_NOT_FOUND (-1)");
    setenv("STUB_PLATFORM_NAME", "Portable Computing Language", 1);
    assert_absent("POCL_CACHE_DIR");
}

TEST(addresses, HOST)
{
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

TEST(unusable_devices, HOST)
{
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
        assert_contains(bailey_error_message(), cases[i].reason);
    }
}

TEST(wrong_arithmetic, HOST)
{
    bailey_context *context;
    setenv("STUB_DEVICE", "badfma", 1);
    assert_int_equal(bailey_context_create("opencl", NULL, &context), BAILEY_ERROR_UNSUPPORTED);
    assert_contains(bailey_error_message(), "fma");
    assert_int_equal(live_objects(), 0);
}

TEST(no_double, HOST)
{
    bailey_device device;
    bailey_context *context;
    bailey_buffer *buffer;
    setenv("STUB_DEVICE", "nofp64", 1);
    assert_int_equal(bailey_context_create("opencl", NULL, &context), BAILEY_OK);
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

TEST(same_results, HOST)
{
    uint32_t words[COUNT], expected[COUNT];
    assert_int_equal(run_job("cpu", expected), BAILEY_OK);
    assert_int_equal(run_job("opencl", words), BAILEY_OK);
    assert_memory_equal(words, expected, sizeof words);
    assert_int_equal(live_objects(), 0);
}

/* ---- Calls that fail ------------------------------------------------------------------------- */

TEST(failing_calls, HOST)
{
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
                fail_msg("%s, call %d: %s", cases[i].function, n, bailey_error_message());
            assert_contains(bailey_error_message(), "CL_OUT_OF_RESOURCES");
        }
    }
}

/* Memory has its own status wherever the driver says so. */
TEST(failing_memory, HOST)
{
    uint32_t words[COUNT];
    fail_call("clEnqueueNDRangeKernel", 1, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    assert_int_equal(run_job("opencl", words), BAILEY_ERROR_MEMORY);
    assert_contains(bailey_error_message(), "CL_MEM_OBJECT_ALLOCATION_FAILURE");
    new_driver();
    fail_call("clLinkProgram", 1, CL_OUT_OF_HOST_MEMORY);
    assert_int_equal(run_job("opencl", words), BAILEY_ERROR_MEMORY);

    bailey_context *context;
    bailey_buffer *buffer;
    setenv("STUB_FAIL", "", 1);
    assert_int_equal(bailey_context_create("opencl", NULL, &context), BAILEY_OK);
    assert_int_equal(bailey_buffer_create(context, 1 << 29, &buffer), BAILEY_ERROR_MEMORY);
    assert_contains(bailey_error_message(), "536870912");
    assert_contains(bailey_error_message(), "268435456");
    bailey_context_destroy(context);
    assert_int_equal(live_objects(), 0);
}

/* What only costs time must not fail. */
TEST(calls_that_may_fail, HOST)
{
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

/* ---- The caller's own objects ---------------------------------------------------------------- */

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

FIXTURE(reset, NULL)
