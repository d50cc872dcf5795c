/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Texts that are compiled when the program runs, on stub drivers (driver_faults.h): how often, with which
 * definitions, and what is said of those that are not.
 */
#include "driver_faults.h"

/* Compiled once in a process, by whole work-groups run once each, and once loaded it costs nothing more. */
SCENARIO(text_runs)
{
    uint64_t words[COUNT];
    struct lines lines = {0};
    NEEDS_COMPILER;
    long *items = stub_symbol("stub_items");
    bailey_log_set(count_line, &lines, 1);
    for (int times = 1; times <= 50; times += 49) {
        *items = 0;
        assert_int_equal(run_double(1, times, words), BAILEY_OK);
        assert_doubled(words);
        assert_int_equal(*items, times * ((COUNT + 63) / 64 * 64));
    }
    bailey_log_set(NULL, NULL, 0);
    assert_int_equal(lines.built, driver->rows_built + 1);
    assert_int_equal(lines.loaded, 0);
}

/* However often it is launched. */
SCENARIO(loaded_once)
{
    uint64_t words[COUNT];
    NEEDS_COMPILER;
    for (const struct stub_function *f = functions_of(0); f->name; f++) {
        int calls[2];
        if (!strstr(f->name, "Program") && !strstr(f->name, "Module") &&
            strcmp(f->name, "clCreateKernel") != 0)
            continue;
        for (int many = 0; many < 2; many++) {
            renew();
            *calls_of(f->name) = 0;
            assert_int_equal(run_double(serial, many ? 50 : 1, words), BAILEY_OK);
            calls[many] = f->calls;
        }
        assert_int_equal(calls[1], calls[0]);
    }
}

SCENARIO(build_log)
{
    uint64_t words[COUNT];
    NEEDS_COMPILER;
    fail_call(driver->compile, driver->rows_built + 1, driver->compile_error);
    assert_int_equal(run_double(1, 1, words), BAILEY_ERROR_BUILD);
    assert_contains(bailey_error_message(), " stub_double");
    assert_contains(bailey_error_message(), driver->compile);
    assert_contains(bailey_error_message(), "COMPIL"); /* the error's name */
    assert_contains(bailey_error_message(), "stub: error: this driver was told to fail");
    unsetenv("STUB_FAIL"); /* nothing is kept of the failure */
    assert_int_equal(run_double(1, 1, words), BAILEY_OK);
    assert_doubled(words);
}

SCENARIO(text_limits)
{
    struct text text;
    NEEDS_COMPILER;
    bailey_context *context = open_context();
    make_text(&text, 1);
    text.kernels[0].block = driver->limits.block;
    assert_not_made(context, &text, BAILEY_ERROR_UNSUPPORTED, driver->limits.block_says);
    text.kernels[0].block = 64;
    text.kernels[0].shared_bytes = driver->limits.shared;
    assert_not_made(context, &text, BAILEY_ERROR_UNSUPPORTED, driver->limits.shared_says);
    /* The second of several kernels is not there. */
    make_text(&text, 1);
    text.kernels[1].name = "stub_absent";
    text.code.kernel_count = 2;
    assert_not_made(context, &text, BAILEY_ERROR_DRIVER, driver->absent_says);
    strcpy(text.text, "#include \"kernels/group_entry.h\"\n"); /* which no stub compiles */
    assert_not_made(context, &text, BAILEY_ERROR_BUILD, "stub_double");
    assert_contains(bailey_error_message(), "this driver was told to fail");
    bailey_context_destroy(context);
}

/* Reports about kernels; each program of user code has its own. */
SCENARIO(text_info)
{
    struct bly_program *programs[2];
    struct text text;
    bailey_kernel_info info;
    NEEDS_COMPILER;
    bailey_context *context = open_context();
    assert_int_equal(driver->backend->compiler(context->device), BAILEY_OK);
    make_text(&text, 2);
    text.kernels[0].shared_bytes = 100;
    for (int i = 0; i < 2; i++) assert_int_equal(load(context, &text, &programs[i]), BAILEY_OK);
    for (int i = 0; i < 2; i++) {
        memset(&info, 0xA5, sizeof info);
        assert_int_equal(driver->backend->inspect(context->device, programs[i], 0, &info), BAILEY_OK);
        assert_int_equal(info.registers, driver->info.registers);
        assert_int_equal(info.spill_bytes, driver->info.spills);
        assert_int_equal(info.shared_bytes, driver->info.shared);
        assert_int_equal(info.block, 64);
        *calls_of(driver->waits) = 0;
        unload(context, programs[i]);
        assert_int_equal(*calls_of(driver->waits), 1); /* for what is queued */
    }
    unload(context, NULL);
    bailey_context_destroy(context);
}

/* Two kernels, one of them with all the buffers and parameters that there may be; the code may go. */
static struct bly_program *load_pair(bailey_context *context)
{
    struct text text;
    struct bly_program *program = NULL;
    make_text(&text, 3);
    text.code.kernel_count = 2;
    text.kernels[0].shared_bytes = 1000;
    text.kernels[1].shared_bytes = 100;
    assert_int_equal(load(context, &text, &program), BAILEY_OK);
    memset(&text, 0xff, sizeof text);
    return program;
}

SCENARIO(several_kernels)
{
    bailey_buffer *buffers[BLY_MAX_BUFFERS];
    struct bly_memory *memory[BLY_MAX_BUFFERS];
    uint64_t params[BLY_MAX_PARAMS / 8] = {COUNT}, words[COUNT];
    NEEDS_COMPILER;
    params[BLY_MAX_PARAMS / 8 - 1] = 1000000;
    bailey_context *context = open_context();
    struct bly_device *device = context->device;
    for (int b = 0; b < BLY_MAX_BUFFERS; b++) {
        for (uint64_t k = 0; k < COUNT; k++) words[k] = k << b;
        assert_int_equal(bailey_buffer_create(context, sizeof words, &buffers[b]), BAILEY_OK);
        assert_int_equal(bailey_buffer_write(buffers[b], 0, words, sizeof words), BAILEY_OK);
        memory[b] = b == 3 ? NULL : buffers[b]->memory;
    }
    char *options = compiler_symbol("stub_options");
    *options = 0;
    for (int twice = 0; twice < 2; twice++) { /* built, then loaded */
        struct bly_program *program = load_pair(context);
        assert_int_equal(driver->backend->launch(device, 0, program, 1, COUNT, 1, params, memory), BAILEY_OK);
        unload(context, program);
    }
    assert_contains(options, "-DBLY_SHARED_BYTES=1008"); /* the most that a kernel has */
    assert_int_equal(bailey_buffer_read(buffers[15], 0, words, sizeof words), BAILEY_OK);
    for (uint64_t k = 0; k < COUNT; k++) assert_int_equal(words[k], (0x7fff - 8) * k + 1000000);
    struct bly_program *program = load_pair(context);
    struct bly_memory *const three[] = {memory[1], NULL, memory[0]};
    assert_int_equal(driver->backend->launch(device, 0, program, 0, COUNT, 1, params, three), BAILEY_OK);
    assert_int_equal(bailey_buffer_read(buffers[0], 0, words, sizeof words), BAILEY_OK);
    for (uint64_t k = 0; k < COUNT; k++) assert_int_equal(words[k], 4 * k + 1);
    unload(context, program);
    for (int b = 0; b < BLY_MAX_BUFFERS; b++) bailey_buffer_destroy(buffers[b]);
    bailey_context_destroy(context);
}

/* Definitions are lines before the text, whose own lines keep their numbers, and part of the key. */
SCENARIO(definitions)
{
    static const char *const lists[][3] = {{"FACTOR=(5 + 2)", "ONE", NULL},
                                           {"FACTOR=(5 + 3)", "ONE", NULL},
                                           {"EMPTY=", "TWO=a=b", NULL},
                                           {NULL}};
    static const char *const before[] = {"#define FACTOR (5 + 2)\n#define ONE 1\n#line 1\n",
                                         "#define FACTOR (5 + 3)\n#define ONE 1\n#line 1\n",
                                         "#define EMPTY \n#define TWO a=b\n#line 1\n", ""};
    NEEDS_COMPILER;
    bailey_context *context = open_context();
    for (size_t i = 0; i < 2 * sizeof lists / sizeof lists[0]; i++) {
        char *compiled = compiler_symbol("stub_text"), wanted[512];
        struct text text;
        struct bly_program *program = NULL;
        make_text(&text, 4);
        text.code.defines = lists[i / 2];
        *compiled = 0;
        assert_int_equal(load(context, &text, &program), BAILEY_OK);
        snprintf(wanted, sizeof wanted, "%s%s", before[i / 2], text.text);
        assert_string_equal(compiled, i % 2 ? "" : wanted); /* the second time it is not compiled */
        unload(context, program);
    }
    bailey_context_destroy(context);
}

FIXTURE(NULL, balanced)
