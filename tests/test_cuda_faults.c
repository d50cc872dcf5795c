/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The CUDA backend against a stub driver (stub_cuda.c): discovery without a driver or a device, failing
 * calls, the caller's own context, and whether launches reach every item. Needs no GPU. Kernels given as
 * source: test_cuda_faults_source.c.
 *
 * BLY_STUB_CUDA_OLD is the stub's file without cuLaunchKernel; cuda_faults.h has the others.
 */
#include "cuda_faults.h"

/* ---- Discovery ------------------------------------------------------------------------------- */

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
    assert_contains(bailey_error_message(), part);
}

TEST(library_absent, HOST)
{
    setenv("BAILEY_CUDA_LIBRARY", "/nonexistent/libcuda.so.1", 1);
    assert_no_backend("/nonexistent/libcuda.so.1");
}

TEST(symbol_missing, HOST)
{
    setenv("BAILEY_CUDA_LIBRARY", BLY_STUB_CUDA_OLD, 1);
    assert_no_backend("cuLaunchKernel");
}

TEST(init_fails, HOST)
{
    setenv("BLY_STUB_CUDA_INIT", "100", 1);
    assert_no_backend("cuInit: CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected)");
    setenv("BLY_STUB_CUDA_INIT", "12345", 1);
    assert_no_backend("cuInit: CUDA error 12345");
    /* Not remembered: the driver may come up. */
    unsetenv("BLY_STUB_CUDA_INIT");
    assert_true(cuda_entry().usable);
}

TEST(no_device, HOST)
{
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
    assert_contains(bailey_error_message(), part);
}

TEST(device_too_old, HOST)
{
    setenv("BLY_STUB_CUDA_CAPABILITY", "70", 1);
    assert_unusable("7.0, at least 7.5");
    /* A context of the caller's on such a device is refused as well. */
    bailey_context *context = NULL;
    assert_int_equal(bailey_context_create_cuda(other_context(), NULL, NULL, &context),
                     BAILEY_ERROR_NO_DEVICE);
    assert_null(context);
}

TEST(driver_too_old, HOST)
{
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

TEST(describes, HOST)
{
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
    const bailey_source words_from = {.seed = 1, .stream = 2}, normals_from = {.seed = 5, .stream = 6};
    const bailey_bridge_params shape = {.times = times, .steps = 12};
    bailey_context *context = NULL;
    bailey_buffer *a = NULL, *b = NULL, *copy = NULL;
    bailey_bridge *bridge = NULL;
    bailey_status status = bailey_context_create(name, NULL, &context);
    if (status == BAILEY_OK) status = bailey_buffer_create(context, 1005 * 4, &a);
    if (status == BAILEY_OK) status = bailey_buffer_create(context, 1005 * 4, &copy);
    if (status == BAILEY_OK) status = bailey_buffer_create(context, 12 * 9 * 4, &b);
    if (status == BAILEY_OK) status = bailey_buffer_write(a, 0, words, 1005 * 4);
    if (status == BAILEY_OK) status = bailey_words_generate(context, &words_from, 7, 1000, a, 3);
    if (status == BAILEY_OK) status = bailey_bridge_create(context, &shape, &bridge);
    if (status == BAILEY_OK) status = bailey_bridge_normals(bridge, &normals_from, NULL, 3, 9, b);
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

TEST(launches_reach_every_item, HOST)
{
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
TEST(each_call_fails, HOST)
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
                fail_msg("%s: %s, %s", fail, bailey_status_name(status), bailey_error_message());
            if (failed) assert_contains(bailey_error_message(), "CUDA_ERROR_");
            tear_down(NULL);
        }
        assert_true(n > 2); /* it did fail at least once */
    }
}

TEST(alloc_text, HOST)
{
    bailey_context *context = NULL;
    bailey_buffer *buffer = NULL;
    assert_int_equal(bailey_context_create("cuda", NULL, &context), BAILEY_OK);
    assert_int_equal(bailey_buffer_create(context, UINT64_C(1) << 50, &buffer), BAILEY_ERROR_MEMORY);
    assert_null(buffer);
    assert_contains(bailey_error_message(), "1125899906842624 bytes");
    assert_contains(bailey_error_message(), "CUDA_ERROR_OUT_OF_MEMORY (out of memory)");
    assert_contains(bailey_error_message(), "536870912 of the 1073741824 bytes of cuda:0 are free");
    assert_string_equal(bailey_context_error(context), bailey_error_message());
    bailey_context_destroy(context);
}

TEST(load_text, HOST)
{
    bailey_context *context = NULL;
    setenv("BLY_STUB_CUDA_FAIL", "load:1:222", 1);
    assert_int_equal(bailey_context_create("cuda", NULL, &context), BAILEY_ERROR_BUILD);
    assert_contains(bailey_error_message(), "CUDA_ERROR_UNSUPPORTED_PTX_VERSION");
    assert_contains(bailey_error_message(), "the stub was told to fail"); /* the driver's log */
    /* A device that cannot be opened does not stop "auto". */
    memset(stub->calls, 0, sizeof stub->calls);
    assert_int_equal(bailey_context_create("auto", NULL, &context), BAILEY_OK);
    bailey_device device;
    assert_int_equal(bailey_context_device(context, &device), BAILEY_OK);
    assert_string_equal(device.address, "cpu");
    bailey_context_destroy(context);
}

/* ---- Tuned kernels --------------------------------------------------------------------------- */

static void count_tuned(void *user, int level, const char *line)
{
    (void)level;
    *(int *)user += strstr(line, "loaded the kernels \"fill_f64\"") != NULL;
}

/* The image with a tuned replacement is loaded, unless the environment forbids it when the device is opened.
 */
TEST(tuned_image, HOST)
{
    const bailey_source source = {0};
    const bailey_normal_params normal = {.precision = BAILEY_PRECISION_F64,
                                         .method = BAILEY_NORMAL_METHOD_BOX_MULLER};
    double made[2][8];
    int loaded = 0;
    bailey_log_set(count_tuned, &loaded, 1);
    for (int tuned = 0; tuned < 2; tuned++) {
        bailey_context *context = NULL;
        bailey_buffer *buffer = NULL;
        setenv("BAILEY_TUNED", tuned ? "1" : "0", 1);
        assert_int_equal(bailey_context_create("cuda", NULL, &context), BAILEY_OK);
        unsetenv("BAILEY_TUNED");
        assert_int_equal(bailey_buffer_create(context, sizeof made[tuned], &buffer), BAILEY_OK);
        assert_int_equal(bailey_normals_generate(context, &source, &normal, 0, 8, buffer, 0), BAILEY_OK);
        assert_int_equal(bailey_buffer_read(buffer, 0, made[tuned], sizeof made[tuned]), BAILEY_OK);
        assert_int_equal(loaded, tuned);
        bailey_buffer_destroy(buffer);
        bailey_context_destroy(context);
    }
    bailey_log_set(NULL, NULL, 0);
    assert_memory_equal(made[0], made[1], sizeof made[0]);
}

/* Where copies of the table do not pay, the row's own kernel is taken, with the same results. */
TEST(small_launches, HOST)
{
    enum { MANY = 1 << 22, FEW = 100 };
    const bailey_source source = {.generator = BAILEY_GENERATOR_WARP, .seed = 9};
    const bailey_normal_params normal = {.precision = BAILEY_PRECISION_F32};
    float made[2][FEW];
    bailey_context *context = NULL;
    bailey_buffer *buffer = NULL;
    assert_int_equal(bailey_context_create("cuda", NULL, &context), BAILEY_OK);
    assert_int_equal(bailey_buffer_create(context, MANY * sizeof(float), &buffer), BAILEY_OK);
    int taken = 0;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(bailey_normals_generate(context, &source, &normal, 0, i ? FEW : MANY, buffer, 0),
                         BAILEY_OK);
        assert_int_equal(bailey_buffer_read(buffer, 0, made[i], sizeof made[i]), BAILEY_OK);
        if (i) assert_int_equal(stub->calls[BLY_STUB_FUNCTION] - taken, 1);
        taken = stub->calls[BLY_STUB_FUNCTION];
    }
    bailey_buffer_destroy(buffer);
    bailey_context_destroy(context);
    assert_memory_equal(made[0], made[1], sizeof made[0]);
}

/* ---- The caller's own context ---------------------------------------------------------------- */

TEST(callers_context, HOST)
{
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
    const bailey_source source = {.seed = 3};
    uint32_t words[6];
    bailey_buffer *buffer = NULL;
    CUdeviceptr pointer = 0;
    assert_int_equal(bailey_buffer_adopt_cuda(context, memory + 8, 56, &buffer), BAILEY_OK);
    assert_int_equal(bailey_buffer_cuda(buffer, &pointer), BAILEY_OK);
    assert_int_equal(pointer, memory + 8);
    assert_int_equal(bailey_words_generate(context, &source, 0, 6, buffer, 1), BAILEY_OK);
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

TEST(foreign_stream, HOST)
{
    bailey_context *first = NULL, *second = NULL;
    CUstream stream = NULL;
    assert_int_equal(bailey_context_create("cuda", NULL, &first), BAILEY_OK);
    assert_int_equal(bailey_context_cuda(first, NULL, &stream), BAILEY_OK);
    assert_int_equal(bailey_context_create_cuda(other_context(), stream, NULL, &second),
                     BAILEY_ERROR_INVALID);
    assert_null(second);
    assert_contains(bailey_error_message(), "stream");
    assert_int_equal(bailey_context_create_cuda(other_context(), CU_STREAM_LEGACY, NULL, &second), BAILEY_OK);
    bailey_context_destroy(second);
    bailey_context_destroy(first);
}

static void assert_refused(bailey_context *context, CUdeviceptr pointer, uint64_t bytes, const char *part)
{
    bailey_buffer *buffer = NULL;
    assert_int_equal(bailey_buffer_adopt_cuda(context, pointer, bytes, &buffer), BAILEY_ERROR_INVALID);
    assert_null(buffer);
    assert_contains(bailey_error_message(), part);
}

TEST(adoption, HOST)
{
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
    assert_refused(context, good + 2, 8, "aligned");
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

FIXTURE(set_up, tear_down)
