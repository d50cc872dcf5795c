/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Programs of the OpenCL backend, on the stub driver: build logs, builds once and once more, shuffles within
 * sub-groups, kernels that are given as source.
 *
 *     test_opencl_faults_programs STUB     the stub (stub_opencl.c)
 */
#include "opencl_faults.h"

/* ---- Builds ---------------------------------------------------------------------------------- */

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

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: test_opencl_faults_programs STUB\n");
        return 2;
    }
    begin(argv[1]);
    const struct CMUnitTest tests[] = {
        TEST(build_log),   TEST(built_once),   TEST(build_again),   TEST(subgroups),
        TEST(source_runs), TEST(source_fails), TEST(source_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
