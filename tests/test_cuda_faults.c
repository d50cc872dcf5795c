/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The CUDA backend against a stub driver (stub_cuda.c): discovery without a driver or a device, failing
 * calls, the caller's own context, and whether launches reach every item. Needs no GPU.
 *
 * BLY_STUB_CUDA and BLY_STUB_CUDA_OLD are the stub's files, the second without cuLaunchKernel;
 * BLY_STUB_NVRTC and BLY_STUB_NVRTC_OLD those of a stub compiler (stub_nvrtc.c), the second without
 * nvrtcGetCUBIN; undefined where nvrtc.h is not.
 *
 *     test_cuda_faults --job     compiles and runs a kernel, prints what the log said, for the cache tests
 */
#define _GNU_SOURCE
#include <bailey/cuda.h>

#include <host/internal.h>

#include "stub_cuda.h"
#ifdef BLY_STUB_NVRTC
#include "stub_nvrtc.h"
#endif

#include <dirent.h>
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct bly_stub_cuda *stub; /* of the library that the backend opened */
static bly_stub_cuda_context_function *other_context;
static bly_stub_cuda_memory_function *make_memory;
static bly_stub_cuda_forget_function *forget_memory;
static __typeof__(&cuCtxGetCurrent) get_current;
static __typeof__(&cuCtxPushCurrent_v2) push_current;
static __typeof__(&cuCtxPopCurrent_v2) pop_current;
static __typeof__(&cuStreamCreate) create_stream;
static __typeof__(&cuStreamDestroy_v2) destroy_stream;

static void look_up(void *library, const char *name, void *slot)
{
    void *symbol = dlsym(library, name);
    assert_non_null(symbol);
    memcpy(slot, &symbol, sizeof symbol);
}

static void open_stub(void)
{
    void *library = dlopen(BLY_STUB_CUDA, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    look_up(library, "bly_stub_cuda", &stub);
    look_up(library, "bly_stub_cuda_context", &other_context);
    look_up(library, "bly_stub_cuda_memory", &make_memory);
    look_up(library, "bly_stub_cuda_forget", &forget_memory);
    look_up(library, "cuCtxGetCurrent", &get_current);
    look_up(library, "cuCtxPushCurrent_v2", &push_current);
    look_up(library, "cuCtxPopCurrent_v2", &pop_current);
    look_up(library, "cuStreamCreate", &create_stream);
    look_up(library, "cuStreamDestroy_v2", &destroy_stream);
}

static const char *const settings[] = {
    "BLY_STUB_CUDA_INIT", "BLY_STUB_CUDA_DEVICES", "BLY_STUB_CUDA_CAPABILITY", "BLY_STUB_CUDA_DRIVER",
    "BLY_STUB_CUDA_FAIL", "BLY_STUB_NVRTC_FAIL",   "BLY_STUB_NVRTC_ARCHS"};

/* Before each test: the stub works. */
static int set_up(void **state)
{
    (void)state;
    setenv("BAILEY_CUDA_LIBRARY", BLY_STUB_CUDA, 1);
    setenv("BAILEY_CACHE_DIR", "", 1);
#ifdef BLY_STUB_NVRTC
    setenv("BAILEY_NVRTC_LIBRARY", BLY_STUB_NVRTC, 1);
#endif
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) unsetenv(settings[i]);
    if (stub) memset(stub->calls, 0, sizeof stub->calls);
    return 0;
}

/* After each: everything has been given back, and the driver was called as it wants. */
static int tear_down(void **state)
{
    (void)state;
    if (!stub) return 0;
    CUcontext context = NULL;
    get_current(&context);
    assert_null(context);
    assert_int_equal(stub->pushes, stub->pops);
    assert_int_equal(stub->retained, 0);
    assert_int_equal(stub->streams, 0);
    assert_int_equal(stub->modules, 0);
    assert_int_equal(stub->allocations, 0);
    assert_int_equal(stub->misuses, 0);
    return 0;
}

/* The first device in the list whose address starts with "cuda". */
static bailey_device cuda_entry(void)
{
    bailey_device devices[64];
    size_t count = 0;
    assert_int_equal(bailey_device_list(devices, 64, &count), BAILEY_OK);
    for (size_t i = 0; i < count && i < 64; i++)
        if (strncmp(devices[i].address, "cuda", 4) == 0) return devices[i];
    fail_msg("no entry for cuda");
    return devices[0];
}

static void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("\"%s\" does not contain \"%s\"", text, part);
}

/* The backend cannot run: the list and the failing call say so with `part`. */
static void assert_no_backend(const char *part)
{
    const bailey_device device = cuda_entry();
    assert_int_equal(device.kind, BAILEY_DEVICE_KIND_NONE);
    assert_false(device.usable);
    assert_contains(device.reason, part);
    bailey_context *context = NULL;
    assert_int_equal(bailey_context_create("cuda", NULL, &context), BAILEY_ERROR_NO_DEVICE);
    assert_null(context);
    assert_contains(bailey_error_text(), part);
}

static void library_absent(void **state)
{
    (void)state;
    setenv("BAILEY_CUDA_LIBRARY", "/nonexistent/libcuda.so.1", 1);
    assert_no_backend("/nonexistent/libcuda.so.1");
}

static void symbol_missing(void **state)
{
    (void)state;
    setenv("BAILEY_CUDA_LIBRARY", BLY_STUB_CUDA_OLD, 1);
    assert_no_backend("cuLaunchKernel");
}

static void init_fails(void **state)
{
    (void)state;
    setenv("BLY_STUB_CUDA_INIT", "100", 1);
    assert_no_backend("cuInit: CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected)");
    setenv("BLY_STUB_CUDA_INIT", "12345", 1);
    assert_no_backend("cuInit: CUDA error 12345");
    /* Not remembered: the driver may come up. */
    unsetenv("BLY_STUB_CUDA_INIT");
    assert_true(cuda_entry().usable);
    open_stub();
}

static void no_device(void **state)
{
    (void)state;
    setenv("BLY_STUB_CUDA_DEVICES", "0", 1);
    assert_no_backend("no device");
}

/* The device is listed, with a reason, and cannot be opened. */
static void assert_unusable(const char *part)
{
    const bailey_device device = cuda_entry();
    assert_int_equal(device.kind, BAILEY_DEVICE_KIND_GPU);
    assert_string_equal(device.address, "cuda:0");
    assert_false(device.usable);
    assert_contains(device.reason, part);
    bailey_context *context = NULL;
    assert_int_equal(bailey_context_create("cuda:0", NULL, &context), BAILEY_ERROR_NO_DEVICE);
    assert_null(context);
    assert_contains(bailey_error_text(), part);
}

static void device_too_old(void **state)
{
    (void)state;
    setenv("BLY_STUB_CUDA_CAPABILITY", "70", 1);
    assert_unusable("7.0, at least 7.5");
    /* A context of the caller's on such a device is refused as well. */
    bailey_context *context = NULL;
    assert_int_equal(bailey_context_create_cuda(other_context(), NULL, NULL, &context),
                     BAILEY_ERROR_NO_DEVICE);
    assert_null(context);
}

static void driver_too_old(void **state)
{
    (void)state;
    setenv("BLY_STUB_CUDA_DRIVER", "11080", 1);
    setenv("BLY_STUB_CUDA_FAIL", "load:1:222", 1);
    const bailey_device device = cuda_entry();
    assert_false(device.usable);
    assert_contains(device.reason, "CUDA 11.8");
    assert_contains(device.reason, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION");
    /* An old driver that takes the kernels is as good as any. */
    unsetenv("BLY_STUB_CUDA_FAIL");
    assert_true(cuda_entry().usable);
}

static void describes(void **state)
{
    (void)state;
    setenv("BLY_STUB_CUDA_DEVICES", "2", 1);
    bailey_context *context = NULL;
    assert_int_equal(bailey_context_create("cuda:1", NULL, &context), BAILEY_OK);
    bailey_device device;
    assert_int_equal(bailey_context_device(context, &device), BAILEY_OK);
    assert_string_equal(device.address, "cuda:1");
    assert_string_equal(device.name, "stub device 1");
    assert_contains(device.driver, "compute capability 9.0");
    assert_int_equal(device.has_f64, 1);
    assert_int_equal(device.units, 2);
    assert_int_equal(device.memory_bytes, 1 << 30);
    bailey_context_destroy(context);
    assert_int_equal(bailey_context_create("cuda:2", NULL, &context), BAILEY_ERROR_NO_DEVICE);
}

/* ---- Launches -------------------------------------------------------------------------------- */

/* Words into `words` (elements 3 .. 1002 of 1005, from word 7, some of them filled), normals of a bridge (12
 * rows of 9 paths) into `normals`, on the device named. */
static bailey_status work(const char *name, uint32_t *words, float *normals)
{
    static const double times[] = {0.5, 1, 2, 2.5, 4, 5, 6, 7, 8, 9, 10, 12};
    const bailey_random_params random = {.seed = 1, .stream = 2, .offset = 7};
    const bailey_bridge_params shape = {.times = times, .steps = 12};
    const bailey_normal_params normal = {.seed = 5, .stream = 6};
    bailey_context *context = NULL;
    bailey_buffer *a = NULL, *b = NULL, *copy = NULL;
    bailey_bridge *bridge = NULL;
    bailey_status status = bailey_context_create(name, NULL, &context);
    if (status == BAILEY_OK) status = bailey_buffer_create(context, 1005 * 4, &a);
    if (status == BAILEY_OK) status = bailey_buffer_create(context, 1005 * 4, &copy);
    if (status == BAILEY_OK) status = bailey_buffer_create(context, 12 * 9 * 4, &b);
    if (status == BAILEY_OK) status = bailey_buffer_write(a, 0, words, 1005 * 4);
    if (status == BAILEY_OK) status = bailey_words_generate(context, &random, 1000, a, 3);
    if (status == BAILEY_OK) status = bailey_bridge_create(context, &shape, &bridge);
    if (status == BAILEY_OK) status = bailey_bridge_normals(bridge, &normal, 3, 9, b);
    if (status == BAILEY_OK) status = bailey_context_sync(context);
    if (status == BAILEY_OK) status = bailey_buffer_fill(a, 4 * 900, 0xa7, 4 * 17);
    if (status == BAILEY_OK) status = bailey_buffer_copy(a, 0, copy, 0, 1005 * 4);
    if (status == BAILEY_OK) status = bailey_buffer_read(copy, 0, words, 1005 * 4);
    if (status == BAILEY_OK) status = bailey_buffer_read(b, 0, normals, 12 * 9 * 4);
    bailey_bridge_destroy(bridge);
    bailey_buffer_destroy(copy);
    bailey_buffer_destroy(b);
    bailey_buffer_destroy(a);
    bailey_context_destroy(context);
    return status;
}

static void launches_reach_every_item(void **state)
{
    (void)state;
    uint32_t words[2][1005];
    float normals[2][12 * 9];
    memset(words, 0x5a, sizeof words);
    memset(normals, 0x5a, sizeof normals);
    assert_int_equal(work("cpu", words[0], normals[0]), BAILEY_OK);
    assert_int_equal(work("cuda", words[1], normals[1]), BAILEY_OK);
    assert_memory_equal(words[0], words[1], sizeof words[0]);
    assert_memory_equal(normals[0], normals[1], sizeof normals[0]);
    assert_true(stub->calls[BLY_STUB_LAUNCH] >= 3);
}

/* Every call that can fail fails once: a status, a text, and (tear_down) nothing left behind. */
static void each_call_fails(void **state)
{
    static const struct {
        const char *name;
        bailey_status status[3]; /* which may come back */
    } calls[] = {{"retain", {BAILEY_ERROR_DRIVER}},   {"stream", {BAILEY_ERROR_DRIVER}},
                 {"alloc", {BAILEY_ERROR_MEMORY}},    {"load", {BAILEY_ERROR_NO_DEVICE}},
                 {"function", {BAILEY_ERROR_DRIVER}}, {"launch", {BAILEY_ERROR_DRIVER}},
                 {"write", {BAILEY_ERROR_DRIVER}},    {"read", {BAILEY_ERROR_DRIVER}},
                 {"sync", {BAILEY_ERROR_DRIVER}},     {"copy", {BAILEY_ERROR_DRIVER}},
                 {"fill", {BAILEY_ERROR_DRIVER}}};
    (void)state;
    uint32_t words[1005];
    float normals[12 * 9];
    memset(words, 0, sizeof words);
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        int n = 1, failed = 1;
        for (; failed; n++) {
            assert_true(n < 100);
            char fail[32];
            snprintf(fail, sizeof fail, "%s:%d", calls[c].name, n);
            memset(stub->calls, 0, sizeof stub->calls);
            setenv("BLY_STUB_CUDA_FAIL", fail, 1);
            const bailey_status status = work("cuda", words, normals);
            failed = status != BAILEY_OK;
            if (failed && status != calls[c].status[0])
                fail_msg("%s: %s, %s", fail, bailey_status_name(status), bailey_error_text());
            if (failed) assert_contains(bailey_error_text(), "CUDA_ERROR_");
            tear_down(NULL);
        }
        assert_true(n > 2); /* it did fail at least once */
    }
}

static void alloc_text(void **state)
{
    (void)state;
    bailey_context *context = NULL;
    bailey_buffer *buffer = NULL;
    assert_int_equal(bailey_context_create("cuda", NULL, &context), BAILEY_OK);
    assert_int_equal(bailey_buffer_create(context, UINT64_C(1) << 50, &buffer), BAILEY_ERROR_MEMORY);
    assert_null(buffer);
    assert_contains(bailey_error_text(), "1125899906842624 bytes");
    assert_contains(bailey_error_text(), "CUDA_ERROR_OUT_OF_MEMORY (out of memory)");
    assert_contains(bailey_error_text(), "536870912 of the 1073741824 bytes of cuda:0 are free");
    assert_string_equal(bailey_context_error(context), bailey_error_text());
    bailey_context_destroy(context);
}

static void load_text(void **state)
{
    (void)state;
    bailey_context *context = NULL;
    setenv("BLY_STUB_CUDA_FAIL", "load:1:222", 1);
    assert_int_equal(bailey_context_create("cuda", NULL, &context), BAILEY_ERROR_BUILD);
    assert_contains(bailey_error_text(), "CUDA_ERROR_UNSUPPORTED_PTX_VERSION");
    assert_contains(bailey_error_text(), "the stub was told to fail"); /* the driver's log */
    /* A device that cannot be opened does not stop "auto". */
    memset(stub->calls, 0, sizeof stub->calls);
    assert_int_equal(bailey_context_create("auto", NULL, &context), BAILEY_OK);
    bailey_device device;
    assert_int_equal(bailey_context_device(context, &device), BAILEY_OK);
    assert_string_equal(device.address, "cpu");
    bailey_context_destroy(context);
}

/* ---- Kernels that are given as source -------------------------------------------------------- */

#ifdef BLY_STUB_NVRTC

static struct bly_stub_nvrtc *compiler; /* of the library that the backend opened */

#define DOUBLES 1000

/* The text of stub_double, another one for each serial number. */
struct source {
    struct bly_kernel kernel;
    char text[128];
};

static void make_source(struct source *source, int serial)
{
    snprintf(source->text, sizeof source->text,
             "#include \"kernels/group_entry.h\"\nBLY_GROUP_ENTRY_3(stub_double, p, a, b, c) // %d\n",
             serial);
    source->kernel = (struct bly_kernel){
        .name = "stub_double", .lane_bytes = 8, .buffers = 3, .source = source->text, .block = 64};
}

static bailey_status compile(bailey_context *context, const struct source *source, bailey_kernel_info *info)
{
    return context->device->backend->compile(context->device, &source->kernel, 8, info);
}

/* Compiles (unless the launch is to) and runs the kernel over `words`, with a lot of shared memory. */
static bailey_status run_double(int serial, int compiles, uint64_t words[DOUBLES])
{
    const uint64_t count = DOUBLES;
    bailey_context *context = NULL;
    bailey_buffer *buffers[2] = {NULL, NULL};
    struct source source;
    make_source(&source, serial);
    source.kernel.shared_bytes = 65536;
    for (uint64_t i = 0; i < DOUBLES; i++) words[i] = i * i;
    bailey_status status = bailey_context_create("cuda", NULL, &context);
    for (int i = 0; i < 2; i++)
        if (status == BAILEY_OK) status = bailey_buffer_create(context, 8 * DOUBLES, &buffers[i]);
    if (status == BAILEY_OK) status = bailey_buffer_write(buffers[0], 0, words, 8 * DOUBLES);
    if (status == BAILEY_OK && compiles) status = compile(context, &source, NULL);
    if (status == BAILEY_OK) {
        struct bly_device *device = context->device;
        struct bly_memory *const memory[] = {buffers[0]->memory, NULL, buffers[1]->memory};
        status = device->backend->launch(device, &source.kernel, count, 1, &count, sizeof count, memory);
        if (compiles) device->backend->forget(device, &source.kernel);
    }
    if (status == BAILEY_OK) status = bailey_buffer_read(buffers[1], 0, words, 8 * DOUBLES);
    bailey_buffer_destroy(buffers[0]);
    bailey_buffer_destroy(buffers[1]);
    bailey_context_destroy(context);
    return status;
}

/* Before NVRTC has been opened. */
static void compiler_absent(void **state)
{
    (void)state;
    static const double times[] = {1, 2, 3};
    const bailey_bridge_params shape = {.times = times, .steps = 3};
    uint64_t words[DOUBLES];
    bailey_context *context = NULL;
    bailey_bridge *bridge = NULL;
    setenv("BAILEY_NVRTC_LIBRARY", "/nonexistent/libnvrtc.so", 1);
    assert_int_equal(bailey_context_create("cuda", NULL, &context), BAILEY_OK);
    assert_int_equal(context->device->backend->compile(context->device, NULL, 0, NULL),
                     BAILEY_ERROR_UNSUPPORTED);
    assert_int_equal(bailey_bridge_create(context, &shape, &bridge), BAILEY_OK); /* there are other ways */
    bailey_bridge_destroy(bridge);
    bailey_context_destroy(context);
    assert_int_equal(run_double(0, 1, words), BAILEY_ERROR_UNSUPPORTED);
    assert_contains(bailey_error_text(), "NVRTC");
    assert_contains(bailey_error_text(), "/nonexistent/libnvrtc.so");
    setenv("BAILEY_NVRTC_LIBRARY", BLY_STUB_NVRTC_OLD, 1);
    assert_int_equal(run_double(0, 0, words), BAILEY_ERROR_UNSUPPORTED);
    assert_contains(bailey_error_text(), "nvrtcGetCUBIN");
    /* Not remembered. */
    setenv("BAILEY_NVRTC_LIBRARY", BLY_STUB_NVRTC, 1);
    assert_int_equal(run_double(0, 1, words), BAILEY_OK);
    void *library = dlopen(BLY_STUB_NVRTC, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    look_up(library, "bly_stub_nvrtc", &compiler);
}

static void source_runs(void **state)
{
    (void)state;
    uint64_t words[DOUBLES];
    compiler->compiled = 0;
    for (int compiles = 0; compiles < 2; compiles++) {
        stub->program_items = 0;
        assert_int_equal(run_double(1, compiles, words), BAILEY_OK);
        for (uint64_t i = 0; i < DOUBLES; i++) assert_int_equal(words[i], 2 * i * i + 1);
        assert_int_equal(stub->program_items, (DOUBLES + 63) / 64 * 64); /* whole blocks, once each */
    }
    assert_int_equal(compiler->compiled, 1); /* the second time from the process */
    assert_string_equal(compiler->architecture, "sm_90");
    assert_int_equal(compiler->programs, 0);
    assert_int_equal(compiler->misuses, 0);
}

static void source_info(void **state)
{
    (void)state;
    bailey_context *context = NULL;
    bailey_kernel_info info;
    struct source source;
    make_source(&source, 2);
    source.kernel.shared_bytes = 100;
    assert_int_equal(bailey_context_create("cuda", NULL, &context), BAILEY_OK);
    assert_int_equal(context->device->backend->compile(context->device, NULL, 0, NULL), BAILEY_OK);
    assert_int_equal(context->device->shared_bytes, 100000);
    assert_int_equal(compile(context, &source, &info), BAILEY_OK);
    assert_int_equal(stub->modules, 2); /* with the check of a new context */
    assert_int_equal(info.registers, 40);
    assert_int_equal(info.spill_bytes, 8);
    assert_int_equal(info.shared_bytes, 32 + 112);
    assert_int_equal(info.block, 64);
    assert_true(info.occupancy == 0.75);
    context->device->backend->forget(context->device, &source.kernel);
    assert_int_equal(stub->modules, 1);
    context->device->backend->forget(context->device, &source.kernel); /* which is not there */
    assert_int_equal(compile(context, &source, NULL), BAILEY_OK);
    assert_int_equal(context->device->backend->compile(context->device,
                                                       &bly_kernels[BLY_KERNEL_bly_words_philox], 64, &info),
                     BAILEY_OK);
    assert_int_equal(info.registers, 40);
    assert_int_equal(info.block, 256);

    struct source large;
    make_source(&large, 3);
    large.kernel.block = 1025;
    assert_int_equal(compile(context, &large, &info), BAILEY_ERROR_UNSUPPORTED);
    assert_contains(bailey_error_text(), "1025 threads a block, cuda:0 takes 1024");
    large.kernel.block = 64;
    large.kernel.shared_bytes = 100001;
    assert_int_equal(compile(context, &large, &info), BAILEY_ERROR_UNSUPPORTED);
    assert_contains(bailey_error_text(), "100016 bytes of shared memory a block, cuda:0 takes 100000");
    bailey_context_destroy(context); /* frees what was not forgotten */
    assert_int_equal(stub->modules, 0);
}

static void source_does_not_compile(void **state)
{
    (void)state;
    uint64_t words[DOUBLES];
    setenv("BLY_STUB_NVRTC_FAIL", "compile", 1);
    assert_int_equal(run_double(4, 1, words), BAILEY_ERROR_BUILD);
    assert_contains(bailey_error_text(), "kernel stub_double");
    assert_contains(bailey_error_text(), "NVRTC_ERROR_COMPILATION");
    assert_contains(bailey_error_text(), "stub(1): error: the compiler was told to fail");
    static const char *const calls[] = {"version", "count", "architectures", "size", "image"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        setenv("BLY_STUB_NVRTC_FAIL", calls[i], 1);
        assert_int_equal(run_double(4, 1, words), BAILEY_ERROR_DRIVER);
        assert_contains(bailey_error_text(), "NVRTC_ERROR_INTERNAL_ERROR");
    }
    setenv("BLY_STUB_NVRTC_FAIL", "create", 1);
    assert_int_equal(run_double(4, 1, words), BAILEY_ERROR_MEMORY);
    unsetenv("BLY_STUB_NVRTC_FAIL");
    assert_int_equal(run_double(4, 1, words), BAILEY_OK); /* nothing was kept of the failures */
    assert_int_equal(compiler->programs, 0);
    assert_int_equal(compiler->misuses, 0);
}

static void source_calls_fail(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bailey_status status;
    } calls[] = {{"load", BAILEY_ERROR_NO_DEVICE}, {"function", BAILEY_ERROR_DRIVER},
                 {"shared", BAILEY_ERROR_DRIVER},  {"launch", BAILEY_ERROR_DRIVER},
                 {"retain", BAILEY_ERROR_DRIVER},  {"alloc", BAILEY_ERROR_MEMORY}};
    static int serial = 100;
    uint64_t words[DOUBLES];
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        int n = 1, failed = 1;
        for (; failed; n++) {
            assert_true(n < 100);
            char fail[32];
            snprintf(fail, sizeof fail, "%s:%d", calls[c].name, n);
            memset(stub->calls, 0, sizeof stub->calls);
            setenv("BLY_STUB_CUDA_FAIL", fail, 1);
            const bailey_status status = run_double(serial++, n % 2, words);
            /* What the driver refuses straight from the compiler did not build. */
            const int fresh = strcmp(calls[c].name, "load") == 0 && n > 1;
            failed = status != BAILEY_OK;
            if (failed && status != (fresh ? BAILEY_ERROR_BUILD : calls[c].status))
                fail_msg("%s: %s, %s", fail, bailey_status_name(status), bailey_error_text());
            if (failed) assert_contains(bailey_error_text(), "CUDA_ERROR_");
            tear_down(NULL);
        }
        assert_true(n > 2);
    }
}

/* The device is of compute capability 9.0. */
static void architectures(void **state)
{
    (void)state;
    static const struct {
        const char *known, *chosen;
    } cases[] = {{"75 89 90 100", "sm_90"}, {"100 89 75", "compute_89"}, {"75 80", "compute_80"}};
    static int serial = 200;
    uint64_t words[DOUBLES];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("BLY_STUB_NVRTC_ARCHS", cases[i].known, 1);
        assert_int_equal(run_double(serial++, 1, words), BAILEY_OK);
        assert_string_equal(compiler->architecture, cases[i].chosen);
        assert_int_equal(words[3], 19);
    }
    setenv("BLY_STUB_CUDA_CAPABILITY", "99", 1); /* machine code of the same major version runs there */
    setenv("BLY_STUB_NVRTC_ARCHS", "75 90 100", 1);
    assert_int_equal(run_double(serial++, 1, words), BAILEY_OK);
    assert_string_equal(compiler->architecture, "sm_90");
    setenv("BLY_STUB_NVRTC_ARCHS", "100 120", 1);
    assert_int_equal(run_double(serial++, 1, words), BAILEY_ERROR_UNSUPPORTED);
    assert_contains(bailey_error_text(), "NVRTC 13.0 compiles for compute capability 10.0 and up");
    assert_contains(bailey_error_text(), "has 9.9");
    assert_int_equal(compiler->misuses, 0);
}

static int refusals;

static void count_refusals(void *user, int level, const char *line)
{
    (void)level;
    refusals += strstr(line, user) != NULL && strstr(line, "compute capability 10.0 and up") != NULL;
}

/* A strategy that auto chose, and that turns out to have no program for a launch, gives way to the library's
 * own kernel, with the same bits; one that was asked for by name does not. */
static void strategy_refused(void **state)
{
    (void)state;
    enum { STEPS = 7, PATHS = 13 };
    static const double times[STEPS] = {1, 2, 3, 4, 5, 6, 7};
    static char *const lines[] = {"reuse instead of specialised", "readback instead of specialised"};
    static const bailey_bridge_strategy strategies[] = {
        BAILEY_BRIDGE_STRATEGY_READBACK, BAILEY_BRIDGE_STRATEGY_AUTO, BAILEY_BRIDGE_STRATEGY_SPECIALISED};
    const bailey_normal_params normal = {.seed = 5};
    for (uint32_t dims = 1; dims <= 2; dims++) {
        float expected[STEPS * 2 * PATHS], found[STEPS * 2 * PATHS];
        const uint64_t bytes = STEPS * dims * PATHS * sizeof(float);
        bailey_context *context = NULL;
        bailey_bridge *bridges[3];
        bailey_buffer *z = NULL, *x = NULL;
        bailey_bridge_info info;
        bailey_kernel_info kernel;
        assert_int_equal(bailey_context_create("cuda", NULL, &context), BAILEY_OK);
        assert_int_equal(bailey_buffer_create(context, bytes, &z), BAILEY_OK);
        assert_int_equal(bailey_buffer_create(context, bytes, &x), BAILEY_OK);
        for (int i = 0; i < 3; i++) {
            const bailey_bridge_params shape = {
                .times = times, .steps = STEPS, .dims = dims, .strategy = strategies[i]};
            assert_int_equal(bailey_bridge_create(context, &shape, &bridges[i]), BAILEY_OK);
            assert_int_equal(bailey_bridge_describe(bridges[i], &info), BAILEY_OK);
            assert_int_equal(info.strategy, strategies[i == 1 ? 2 : i]);
        }
        assert_int_equal(bailey_bridge_normals(bridges[0], &normal, 0, PATHS, z), BAILEY_OK);
        assert_int_equal(bailey_bridge_simulate(bridges[0], &normal, 0, PATHS, x), BAILEY_OK);
        assert_int_equal(bailey_buffer_read(x, 0, expected, bytes), BAILEY_OK);

        setenv("BLY_STUB_NVRTC_ARCHS", "100 120", 1);
        refusals = 0;
        bailey_log_set(count_refusals, lines[dims - 1], 1);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(bailey_buffer_fill(x, 0, 0xA5, bytes), BAILEY_OK);
            assert_int_equal(i % 2 ? bailey_bridge_generate(bridges[1], PATHS, z, x)
                                   : bailey_bridge_simulate(bridges[1], &normal, 0, PATHS, x),
                             BAILEY_OK);
            assert_int_equal(bailey_buffer_read(x, 0, found, bytes), BAILEY_OK);
            assert_memory_equal(found, expected, bytes);
        }
        bailey_log_set(NULL, NULL, 0);
        assert_int_equal(refusals, 2); /* fused and from memory, each once */
        assert_int_equal(bailey_bridge_inspect(bridges[1], &normal, &kernel), BAILEY_OK);
        assert_int_equal(kernel.block, 256);
        assert_int_equal(bailey_bridge_transfer(bridges[1], PATHS, z, x), BAILEY_ERROR_UNSUPPORTED);
        assert_int_equal(bailey_bridge_simulate(bridges[2], &normal, 0, PATHS, x), BAILEY_ERROR_UNSUPPORTED);
        assert_contains(bailey_error_text(), "compute capability 10.0 and up");
        assert_int_equal(bailey_bridge_generate(bridges[2], PATHS, z, x), BAILEY_ERROR_UNSUPPORTED);
        unsetenv("BLY_STUB_NVRTC_ARCHS");

        for (int i = 0; i < 3; i++) bailey_bridge_destroy(bridges[i]);
        bailey_buffer_destroy(z);
        bailey_buffer_destroy(x);
        bailey_context_destroy(context);
    }
}

/* ---- The cache on disk ----------------------------------------------------------------------- */

static const char *self;

static void print_line(void *user, int level, const char *line)
{
    (void)user;
    if (level == 1) printf("%s\n", line);
}

/* The other side of run_job. */
static int job_main(void)
{
    uint64_t words[DOUBLES];
    bailey_log_set(print_line, NULL, 1);
    if (run_double(7, 1, words) != BAILEY_OK) {
        printf("failed: %s\n", bailey_error_text());
        return 1;
    }
    for (uint64_t i = 0; i < DOUBLES; i++)
        if (words[i] != 2 * i * i + 1) return 1;
    return 0;
}

/* Runs the job in a process of its own; its log must have these lines, so many. */
static void assert_job(int built, int loaded, int damaged, int rejected)
{
    char command[4200], line[1024];
    int found[4] = {0};
    snprintf(command, sizeof command, "'%s' --job", self);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    while (fgets(line, sizeof line, pipe)) {
        found[0] += strstr(line, "cuda: built stub_double") != NULL;
        found[1] += strstr(line, "cuda: loaded stub_double from cache") != NULL;
        found[2] += strstr(line, "is damaged") != NULL;
        found[3] += strstr(line, "driver rejects the cached") != NULL;
    }
    assert_int_equal(pclose(pipe), 0);
    assert_int_equal(found[0], built);
    assert_int_equal(found[1], loaded);
    assert_int_equal(found[2], damaged);
    assert_int_equal(found[3], rejected);
}

static void cached(void **state)
{
    (void)state;
    char directory[64] = "bailey-cuda-cache-XXXXXX", name[400] = "";
    assert_non_null(mkdtemp(directory));
    setenv("BAILEY_CACHE_DIR", directory, 1);
    assert_job(1, 0, 0, 0);
    assert_job(0, 1, 0, 0);
    DIR *d = opendir(directory);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.') continue;
        assert_string_equal(name, ""); /* one entry: embedded kernels need none */
        snprintf(name, sizeof name, "%s/%s", directory, e->d_name);
    }
    closedir(d);
    /* A byte of the cubin is another one: the file is not given to the driver, but replaced. */
    FILE *file = fopen(name, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, -3, SEEK_END), 0);
    assert_int_equal(fputc('?', file), '?');
    assert_int_equal(fclose(file), 0);
    assert_job(1, 0, 1, 0);
    assert_job(0, 1, 0, 0);
    /* The second load, after that of the check of a new context, is the cubin's. */
    setenv("BLY_STUB_CUDA_FAIL", "load:2:300", 1);
    assert_job(1, 0, 0, 1);
    unsetenv("BLY_STUB_CUDA_FAIL");
    assert_job(0, 1, 0, 0);
    /* Another architecture, another program. */
    setenv("BLY_STUB_NVRTC_ARCHS", "75", 1);
    assert_job(1, 0, 0, 0);
    assert_job(0, 1, 0, 0);
    unsetenv("BLY_STUB_NVRTC_ARCHS");
    assert_job(0, 1, 0, 0);
    snprintf(name, sizeof name, "rm -r '%s'", directory);
    assert_int_equal(system(name), 0);
}

#endif

/* ---- The caller's own context ---------------------------------------------------------------- */

static void callers_context(void **state)
{
    (void)state;
    const CUcontext mine = other_context();
    CUcontext popped, current = NULL;
    CUstream stream = NULL;
    assert_int_equal(push_current(mine), CUDA_SUCCESS);
    assert_int_equal(create_stream(&stream, 0), CUDA_SUCCESS);

    bailey_context *context = NULL;
    assert_int_equal(bailey_context_create_cuda(NULL, stream, NULL, &context), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_context_create_cuda(mine, stream, NULL, &context), BAILEY_OK);
    assert_int_equal(stub->retained, 0);
    assert_int_equal(stub->streams, 1);
    CUcontext its_context = NULL;
    CUstream its_stream = NULL;
    assert_int_equal(bailey_context_cuda(context, &its_context, &its_stream), BAILEY_OK);
    assert_ptr_equal(its_context, mine);
    assert_ptr_equal(its_stream, stream);

    /* Words into the caller's memory, from the second element on. */
    const CUdeviceptr memory = make_memory(mine, CU_MEMORYTYPE_DEVICE, 1, 64);
    const bailey_random_params random = {.seed = 3};
    uint32_t words[6];
    bailey_buffer *buffer = NULL;
    CUdeviceptr pointer = 0;
    assert_int_equal(bailey_buffer_adopt_cuda(context, memory + 8, 56, &buffer), BAILEY_OK);
    assert_int_equal(bailey_buffer_cuda(buffer, &pointer), BAILEY_OK);
    assert_int_equal(pointer, memory + 8);
    assert_int_equal(bailey_words_generate(context, &random, 6, buffer, 1), BAILEY_OK);
    assert_int_equal(bailey_buffer_read(buffer, 4, words, sizeof words), BAILEY_OK);
    assert_memory_equal((const void *)(uintptr_t)(memory + 12), words, sizeof words);
    bailey_buffer_destroy(buffer);
    forget_memory(memory);

    bailey_context_destroy(context);
    assert_int_equal(get_current(&current), CUDA_SUCCESS);
    assert_ptr_equal(current, mine);
    assert_int_equal(stub->streams, 1);
    assert_int_equal(destroy_stream(stream), CUDA_SUCCESS);
    assert_int_equal(pop_current(&popped), CUDA_SUCCESS);
}

static void foreign_stream(void **state)
{
    (void)state;
    bailey_context *first = NULL, *second = NULL;
    CUstream stream = NULL;
    assert_int_equal(bailey_context_create("cuda", NULL, &first), BAILEY_OK);
    assert_int_equal(bailey_context_cuda(first, NULL, &stream), BAILEY_OK);
    assert_int_equal(bailey_context_create_cuda(other_context(), stream, NULL, &second),
                     BAILEY_ERROR_INVALID);
    assert_null(second);
    assert_contains(bailey_error_text(), "stream");
    assert_int_equal(bailey_context_create_cuda(other_context(), CU_STREAM_LEGACY, NULL, &second), BAILEY_OK);
    bailey_context_destroy(second);
    bailey_context_destroy(first);
}

static void assert_refused(bailey_context *context, CUdeviceptr pointer, uint64_t bytes, const char *part)
{
    bailey_buffer *buffer = NULL;
    assert_int_equal(bailey_buffer_adopt_cuda(context, pointer, bytes, &buffer), BAILEY_ERROR_INVALID);
    assert_null(buffer);
    assert_contains(bailey_error_text(), part);
}

static void adoption(void **state)
{
    (void)state;
    bailey_context *context = NULL, *cpu = NULL;
    CUcontext mine = NULL;
    bailey_buffer *buffer = NULL;
    assert_int_equal(bailey_context_create("cuda", NULL, &context), BAILEY_OK);
    assert_int_equal(bailey_context_cuda(context, &mine, NULL), BAILEY_OK);
    const CUdeviceptr good = make_memory(mine, CU_MEMORYTYPE_DEVICE, 1, 64);
    const CUdeviceptr foreign = make_memory(other_context(), CU_MEMORYTYPE_DEVICE, 1, 64);
    const CUdeviceptr pageable = make_memory(mine, CU_MEMORYTYPE_HOST, 0, 64);
    const CUdeviceptr pinned = make_memory(mine, CU_MEMORYTYPE_HOST, 1, 64);
    assert_refused(context, 0, 8, "NULL");
    assert_refused(context, good + 4, 8, "aligned");
    assert_refused(context, good, 65, "65 bytes");
    assert_refused(context, good + 16, 56, "has 48");
    assert_refused(context, (uintptr_t)&stub & ~(uintptr_t)7, 8, "CUDA knows");
    assert_refused(context, foreign, 8, "another CUDA context");
    assert_refused(context, pageable, 8, "cannot reach");

    CUdeviceptr pointer = 0;
    assert_int_equal(bailey_buffer_adopt_cuda(context, pinned, 64, &buffer), BAILEY_OK);
    assert_int_equal(bailey_buffer_cuda(buffer, &pointer), BAILEY_OK);
    assert_int_equal(pointer, pinned + 4096);
    bailey_buffer_destroy(buffer);

    assert_int_equal(bailey_context_create("cpu", NULL, &cpu), BAILEY_OK);
    assert_refused(cpu, good, 8, "cuda");
    assert_int_equal(bailey_context_cuda(cpu, &mine, NULL), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_buffer_create(cpu, 64, &buffer), BAILEY_OK);
    assert_int_equal(bailey_buffer_cuda(buffer, &pointer), BAILEY_ERROR_INVALID);
    bailey_buffer_destroy(buffer);
    bailey_context_destroy(cpu);

    forget_memory(good);
    forget_memory(foreign);
    forget_memory(pageable);
    forget_memory(pinned);
    bailey_context_destroy(context);
}

int main(int argc, char **argv)
{
#ifdef BLY_STUB_NVRTC
    self = argv[0];
    if (argc == 2 && strcmp(argv[1], "--job") == 0) return job_main();
#else
    (void)argc, (void)argv;
#endif
    setenv("BAILEY_OPENCL_LIBRARY", "/nonexistent/libOpenCL.so.1", 1); /* "auto" falls back to the cpu */
    /* The first three in this order: a driver that has once come up stays. */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(library_absent, set_up, tear_down),
        cmocka_unit_test_setup_teardown(symbol_missing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(init_fails, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_device, set_up, tear_down),
        cmocka_unit_test_setup_teardown(device_too_old, set_up, tear_down),
        cmocka_unit_test_setup_teardown(driver_too_old, set_up, tear_down),
        cmocka_unit_test_setup_teardown(describes, set_up, tear_down),
#ifdef BLY_STUB_NVRTC
        cmocka_unit_test_setup_teardown(compiler_absent, set_up, tear_down), /* before NVRTC is opened */
#endif
        cmocka_unit_test_setup_teardown(launches_reach_every_item, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_call_fails, set_up, tear_down),
        cmocka_unit_test_setup_teardown(alloc_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(load_text, set_up, tear_down),
#ifdef BLY_STUB_NVRTC
        cmocka_unit_test_setup_teardown(source_runs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(source_info, set_up, tear_down),
        cmocka_unit_test_setup_teardown(source_does_not_compile, set_up, tear_down),
        cmocka_unit_test_setup_teardown(source_calls_fail, set_up, tear_down),
        cmocka_unit_test_setup_teardown(architectures, set_up, tear_down),
        cmocka_unit_test_setup_teardown(strategy_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cached, set_up, tear_down),
#endif
        cmocka_unit_test_setup_teardown(callers_context, set_up, tear_down),
        cmocka_unit_test_setup_teardown(foreign_stream, set_up, tear_down),
        cmocka_unit_test_setup_teardown(adoption, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("cuda faults", tests, NULL, NULL);
}
