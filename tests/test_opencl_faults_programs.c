/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Programs of the OpenCL backend, on the stub driver: build logs, builds once and once more, shuffles within
 * sub-groups, texts with their entries and definitions.
 */
#include "opencl_faults.h"

#define DOUBLE_HEAD "#include \"kernels/group_entry.h\"\n"
#define DOUBLE_TEXT DOUBLE_HEAD "BLY_GROUP_ENTRY_3(stub_double, a, b, c, d)\n"
#define SUM_TEXT "BLY_GROUP_ENTRY_16(stub_sum, p, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, x)\n"
static const struct bly_kernel double_kernel = {
    .name = "stub_double", .lane_bytes = 8, .params_bytes = 8, .buffers = 3, .block = 64};
static const struct bly_code double_code = {
    .name = "twice", .text = DOUBLE_TEXT, .kernels = &double_kernel, .kernel_count = 1};

static bailey_status load(bailey_context *context, const struct bly_code *code, struct bly_program **program)
{
    return context->device->backend->load(context->device, code, program);
}

static void unload(bailey_context *context, struct bly_program *program)
{
    context->device->backend->unload(context->device, program);
}

/* A program that is not made, and why. */
static void assert_refused(bailey_context *context, const struct bly_code *code, bailey_status status,
                           const char *part)
{
    struct bly_program *program = (struct bly_program *)context;
    const long live = live_objects();
    assert_int_equal(load(context, code, &program), status);
    assert_null(program);
    assert_contains(bailey_error_message(), part);
    assert_int_equal(live_objects(), live);
}

/* ---- Builds ---------------------------------------------------------------------------------- */

TEST(build_log, HOST)
{
    uint32_t words[COUNT];
    new_driver();
    fail_call("clCompileProgram", 2, CL_COMPILE_PROGRAM_FAILURE);
    assert_int_equal(run_job("opencl", words), BAILEY_ERROR_BUILD);
    assert_contains(bailey_error_message(), "bly_words");
    assert_contains(bailey_error_message(), "CL_COMPILE_PROGRAM_FAILURE");
    assert_contains(bailey_error_message(), "this driver was told to fail");
}

static int built_lines, loaded_lines, again_lines;

static void count_lines(void *user, int level, const char *line)
{
    (void)user, (void)level;
    again_lines += strstr(line, "trying once more") != NULL;
    built_lines += strstr(line, "opencl: built ") != NULL;
    loaded_lines += strstr(line, "opencl: loaded ") != NULL;
}

TEST(built_once, HOST)
{
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
    struct bly_code code = double_code;
    code.text = DOUBLE_HEAD; /* which the stub does not compile */
    assert_int_equal(bailey_context_create("opencl", NULL, &context), BAILEY_OK);
    again_lines = 0;
    bailey_log_set(count_lines, NULL, 1);
    assert_refused(context, &code, BAILEY_ERROR_BUILD, "twice");
    bailey_log_set(NULL, NULL, 0);
    assert_int_equal(again_lines, 1);
    bailey_context_destroy(context);
    assert_int_equal(live_objects(), 0);
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

/* ---- Texts ----------------------------------------------------------------------------------- */

/* Loads the program and doubles COUNT words, `times` times. */
static bailey_status run_double(int times, uint64_t words[COUNT])
{
    const uint64_t count = COUNT;
    bailey_context *context = NULL;
    bailey_buffer *buffers[2] = {NULL, NULL};
    struct bly_program *program = NULL;
    for (int i = 0; i < COUNT; i++) words[i] = (uint64_t)i * i;
    bailey_status status = bailey_context_create("opencl", NULL, &context);
    for (int i = 0; i < 2; i++)
        if (status == BAILEY_OK) status = bailey_buffer_create(context, COUNT * sizeof *words, &buffers[i]);
    if (status == BAILEY_OK) status = bailey_buffer_write(buffers[0], 0, words, COUNT * sizeof *words);
    if (status == BAILEY_OK) status = load(context, &double_code, &program);
    for (int i = 0; i < times && status == BAILEY_OK; i++) {
        struct bly_device *device = context->device;
        struct bly_memory *const memory[] = {buffers[0]->memory, NULL, buffers[1]->memory};
        status = device->backend->launch(device, 0, program, 0, count, 1, &count, memory);
    }
    if (context) unload(context, program);
    if (status == BAILEY_OK) status = bailey_buffer_read(buffers[1], 0, words, COUNT * sizeof *words);
    bailey_buffer_destroy(buffers[0]);
    bailey_buffer_destroy(buffers[1]);
    bailey_context_destroy(context);
    return status;
}

TEST(text_runs, HOST)
{
    uint64_t words[COUNT], *items = (uint64_t *)(void *)stub_symbol("stub_items");
    *items = 0;
    assert_int_equal(run_double(1, words), BAILEY_OK);
    for (int i = 0; i < COUNT; i++) assert_int_equal(words[i], 2 * (uint64_t)i * i + 1);
    assert_int_equal(*items, (COUNT + 63) / 64 * 64); /* whole work-groups, once each */
    assert_int_equal(live_objects(), 0);
}

/* What is loaded costs nothing more, however often it is launched. */
TEST(loaded_once, HOST)
{
    static const char *const functions[] = {"clCreateProgramWithSource", "clCreateProgramWithBinary",
                                            "clBuildProgram", "clCreateKernel"};
    uint64_t words[COUNT];
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        int calls[2];
        for (int many = 0; many < 2; many++) {
            new_driver();
            fail_call(functions[i], 1000, CL_OUT_OF_RESOURCES);
            assert_int_equal(run_double(many ? 50 : 1, words), BAILEY_OK);
            calls[many] = *(int *)(void *)stub_symbol("stub_calls");
        }
        assert_true(calls[0] > 0);
        assert_int_equal(calls[1], calls[0]);
    }
}

TEST(text_fails, HOST)
{
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
                fail_msg("%s, call %d: %s", cases[i].function, n, bailey_error_message());
            assert_contains(bailey_error_message(), "CL_OUT_OF_RESOURCES");
            assert_contains(bailey_error_message(), cases[i].function);
        }
}

TEST(text_limits, HOST)
{
    bailey_context *context = NULL;
    bailey_kernel_info info;
    struct bly_program *program = NULL;
    struct bly_kernel kernel = double_kernel;
    struct bly_code code = double_code;
    code.kernels = &kernel;
    setenv("STUB_DEVICE", "verbose", 1);
    new_driver();
    assert_int_equal(bailey_context_create("opencl", NULL, &context), BAILEY_OK);
    assert_int_equal(load(context, &code, &program), BAILEY_OK);
    assert_int_equal(context->device->backend->inspect(context->device, program, 0, &info), BAILEY_OK);
    unload(context, program);
    assert_int_equal(info.registers, 42);
    assert_int_equal(info.spill_bytes, 24);
    assert_int_equal(info.shared_bytes, 80);
    assert_int_equal(info.block, 64);
    kernel.block = 257;
    assert_refused(context, &code, BAILEY_ERROR_UNSUPPORTED,
                   "work-groups of 257 items, opencl:0:0 takes 256");
    kernel = double_kernel;
    kernel.shared_bytes = 49153;
    assert_refused(context, &code, BAILEY_ERROR_UNSUPPORTED,
                   "49168 bytes of local memory, opencl:0:0 has 49152");
    kernel = double_kernel;
    kernel.name = "stub_treble";
    assert_refused(context, &code, BAILEY_ERROR_DRIVER, "kernel stub_treble: clCreateKernel");
    kernel = double_kernel;
    code.text = DOUBLE_HEAD;
    assert_refused(context, &code, BAILEY_ERROR_BUILD, "twice");
    assert_contains(bailey_error_message(), "this driver was told to fail");
    bailey_context_destroy(context);
    assert_int_equal(live_objects(), 0);
}

/* The driver says of every kernel that it takes groups of 32 items. That is believed, except of NVIDIA's,
 * which answers without regard to the size that the kernel requires. */
TEST(small_groups, HOST)
{
    for (int nvidia = 0; nvidia < 2; nvidia++) {
        bailey_context *context = NULL;
        struct bly_program *program = NULL;
        new_driver();
        setenv("STUB_DEVICE", nvidia ? "verbose" : "", 1);
        assert_int_equal(bailey_context_create("opencl", NULL, &context), BAILEY_OK);
        setenv("STUB_DEVICE", "smallgroups", 1);
        if (nvidia) {
            assert_int_equal(load(context, &double_code, &program), BAILEY_OK);
            unload(context, program);
        } else {
            assert_refused(context, &double_code, BAILEY_ERROR_UNSUPPORTED, "it takes 32");
        }
        bailey_context_destroy(context);
        assert_int_equal(live_objects(), 0);
    }
}

/* Definitions are lines before the text, whose own lines keep their numbers, and part of the key. */
TEST(text_defines, HOST)
{
    static const char *const lists[][3] = {{"FACTOR=(5 + 2)", "ONE", NULL},
                                           {"FACTOR=(5 + 3)", "ONE", NULL},
                                           {"EMPTY=", "TWO=a=b", NULL},
                                           {NULL}};
    static const char *const expected[] = {"#define FACTOR (5 + 2)\n#define ONE 1\n#line 1\n" DOUBLE_TEXT,
                                           "#define FACTOR (5 + 3)\n#define ONE 1\n#line 1\n" DOUBLE_TEXT,
                                           "#define EMPTY \n#define TWO a=b\n#line 1\n" DOUBLE_TEXT,
                                           DOUBLE_TEXT};
    bailey_context *context = NULL;
    new_driver();
    assert_int_equal(bailey_context_create("opencl", NULL, &context), BAILEY_OK);
    for (size_t i = 0; i < 2 * sizeof lists / sizeof lists[0]; i++) {
        const size_t list = i / 2;
        char *text = (char *)stub_symbol("stub_text");
        struct bly_code code = double_code;
        struct bly_program *program = NULL;
        code.defines = lists[list];
        *text = 0;
        assert_int_equal(load(context, &code, &program), BAILEY_OK);
        assert_string_equal(text, i % 2 ? "" : expected[list]); /* the second time it is not compiled */
        unload(context, program);
    }
    bailey_context_destroy(context);
    assert_int_equal(live_objects(), 0);
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
    assert_int_equal(live_objects(), 0);
}

/* Two entries, one of them with all the buffers and parameters that there may be; the code may go. */
static struct bly_program *load_pair(bailey_context *context)
{
    char names[2][16] = {"stub_double", "stub_sum"}, text[] = DOUBLE_TEXT SUM_TEXT;
    struct bly_kernel kernels[2] = {double_kernel, double_kernel};
    struct bly_code code = {.name = "pair", .text = text, .kernels = kernels, .kernel_count = 2};
    struct bly_program *program = NULL;
    for (int i = 0; i < 2; i++) kernels[i].name = names[i];
    kernels[1].params_bytes = BLY_MAX_PARAMS;
    kernels[1].buffers = BLY_MAX_BUFFERS;
    kernels[1].shared_bytes = 1000;
    assert_int_equal(load(context, &code, &program), BAILEY_OK);
    memset(names, '?', sizeof names);
    memset(text, '?', sizeof text);
    memset(kernels, 0xff, sizeof kernels);
    return program;
}

TEST(text_entries, HOST)
{
    bailey_context *context = NULL;
    bailey_buffer *buffers[BLY_MAX_BUFFERS];
    struct bly_memory *memory[BLY_MAX_BUFFERS];
    uint64_t params[BLY_MAX_PARAMS / 8] = {COUNT}, words[COUNT];
    params[BLY_MAX_PARAMS / 8 - 1] = COUNT;
    assert_int_equal(bailey_context_create("opencl", NULL, &context), BAILEY_OK);
    struct bly_device *device = context->device;
    for (int b = 0; b < BLY_MAX_BUFFERS; b++) {
        for (int i = 0; i < COUNT; i++) words[i] = (uint64_t)i + ((uint64_t)1 << 2 * b);
        assert_int_equal(bailey_buffer_create(context, sizeof words, &buffers[b]), BAILEY_OK);
        assert_int_equal(bailey_buffer_write(buffers[b], 0, words, sizeof words), BAILEY_OK);
        memory[b] = buffers[b]->memory;
    }
    char *options = (char *)stub_symbol("stub_options");
    *options = 0;
    for (int twice = 0; twice < 2; twice++) { /* built, then loaded */
        struct bly_program *program = load_pair(context);
        assert_int_equal(device->backend->launch(device, 0, program, 1, COUNT, 1, params, memory), BAILEY_OK);
        unload(context, program);
    }
    assert_contains(options, "-DBLY_SHARED_BYTES=1008"); /* the most that an entry has */
    assert_int_equal(bailey_buffer_read(buffers[15], 0, words, sizeof words), BAILEY_OK);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(words[i], 15 * (uint64_t)i + (((uint64_t)1 << 30) - 1) / 3);
    struct bly_program *program = load_pair(context);
    assert_int_equal(device->backend->launch(device, 0, program, 0, COUNT, 1, params, memory), BAILEY_OK);
    assert_int_equal(bailey_buffer_read(buffers[2], 0, words, sizeof words), BAILEY_OK);
    for (int i = 0; i < COUNT; i++) assert_int_equal(words[i], 2 * ((uint64_t)i + 1) + 1);
    unload(context, program);
    for (int b = 0; b < BLY_MAX_BUFFERS; b++) bailey_buffer_destroy(buffers[b]);
    bailey_context_destroy(context);
    assert_int_equal(live_objects(), 0);
}

FIXTURE(reset, NULL)
