/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The CUDA backend's row of the faults of drivers (test_driver_faults.c), and what only CUDA has: drivers
 * that are too old, tuned kernels, the caller's context and memory, streams and events, and NVRTC: its
 * architectures, and strategies that give way without it.
 */
#include <bailey/cuda.h>

#include "driver_faults.h"
#include "stub_cuda.h"

#include <backend/rows.h>
#include <host/bridge/bridge_internal.h>
#include <kernels/kernels.h>

/* ---- The driver ------------------------------------------------------------------------------ */

static const struct fault_rule rules[] = {
    {.function = "cuCtxPopCurrent_v2", .kind = COSTS},
    {.function = "cuCtxPushCurrent_v2",
     .calls = 6}, /* without a current context nothing is freed, as later ones would */
    {.function = "cuDeviceGet", .kind = SOME},
    {.function = "cuDeviceGetAttribute", .kind = SOME},
    {.function = "cuDeviceGetCount", .kind = SOME},
    {.function = "cuDeviceGetName", .kind = COSTS},
    {.function = "cuDevicePrimaryCtxRelease_v2", .kind = COSTS},
    {.function = "cuDeviceTotalMem_v2", .kind = COSTS},
    {.function = "cuDriverGetVersion", .kind = COSTS},
    {.function = "cuEventCreate", .status = {BAILEY_ERROR_MEMORY}, .error = CUDA_ERROR_OUT_OF_MEMORY},
    {.function = "cuEventDestroy_v2", .kind = COSTS},
    {.function = "cuFuncGetAttribute", .kind = SOME},
    {.function = "cuFuncSetAttribute", .status = {BAILEY_ERROR_DRIVER, BAILEY_ERROR_DRIVER}},
    {.function = "cuGetErrorName", .kind = UNCALLED}, /* but after a failure, like the next */
    {.function = "cuGetErrorString", .kind = UNCALLED},
    {.function = "cuInit", .kind = UNCALLED}, /* but once, see `no_start` */
    {.function = "cuLaunchKernelEx", .kind = UNCALLED},
    {.function = "cuMemAlloc_v2", .status = {BAILEY_ERROR_MEMORY}, .error = CUDA_ERROR_OUT_OF_MEMORY},
    {.function = "cuMemFreeHost", .kind = COSTS},
    {.function = "cuMemFree_v2", .kind = COSTS},
    {.function = "cuMemGetAddressRange_v2", .kind = COSTS},
    {.function = "cuMemGetInfo_v2", .kind = UNCALLED}, /* but after a failure */
    {.function = "cuMemHostAlloc",
     .status = {BAILEY_ERROR_MEMORY},
     .error = CUDA_ERROR_OUT_OF_MEMORY,
     .says = "cuMemHostAlloc of 16000 bytes: CUDA_ERROR_"},
    {.function = "cuModuleGetFunction", .status = {BAILEY_ERROR_DRIVER, BAILEY_ERROR_DRIVER}},
    {.function = "cuModuleLoadDataEx",
     .kind = EITHER,
     .status = {BAILEY_ERROR_NO_DEVICE, BAILEY_ERROR_BUILD},
     .error = CUDA_ERROR_NO_BINARY_FOR_GPU},
    {.function = "cuModuleUnload", .kind = COSTS},
    {.function = "cuOccupancyMaxActiveBlocksPerMultiprocessor", .kind = SOME},
    {.function = "cuPointerGetAttribute", .kind = SOME},
    {.function = "cuStreamDestroy_v2", .kind = COSTS},
    {.function = "cuStreamSynchronize", .kind = EITHER},
    {.function = "nvrtcCompileProgram", .status = {BAILEY_ERROR_BUILD}},
    {.function = "nvrtcDestroyProgram", .kind = COSTS},
    {.function = "nvrtcGetCUBINSize", .says = "nvrtcGetCUBIN"},
    {.function = "nvrtcGetErrorString", .kind = UNCALLED}, /* but after a failure */
    {.function = "nvrtcGetPTX", .kind = UNCALLED},         /* see `architectures` */
    {.function = "nvrtcGetPTXSize", .kind = UNCALLED},
    {.function = "nvrtcGetProgramLog", .kind = UNCALLED}, /* but after a failure */
    {.function = "nvrtcGetProgramLogSize", .kind = UNCALLED},
    {.function = NULL},
};

static bailey_status adopt(bailey_context *context, bailey_buffer *buffer, bailey_context **second,
                           bailey_buffer **adopted)
{
    CUcontext own;
    CUstream stream;
    CUdeviceptr pointer;
    assert_int_equal(bailey_context_cuda(context, &own, &stream), BAILEY_OK);
    assert_int_equal(bailey_buffer_cuda(buffer, &pointer), BAILEY_OK);
    const bailey_status status = bailey_context_create_cuda(own, stream, NULL, second);
    return status == BAILEY_OK ? bailey_buffer_adopt_cuda(*second, pointer, 64, adopted) : status;
}

const struct fault_driver fault_cuda = {
    .name = "cuda",
    .library = "BAILEY_CUDA_LIBRARY",
    .stub = BLY_STUB_CUDA,
    .missing_stub = BLY_STUB_CUDA_MISSING,
    .missing = "cuLaunchKernel",
#ifdef BLY_STUB_NVRTC
    .compiler = BLY_STUB_NVRTC,
    .compile = "nvrtcCompileProgram",
    .compile_error = 6, /* NVRTC_ERROR_COMPILATION */
#endif
    .backend = &bly_backend_cuda,
    .rules = rules,
    .error = CUDA_ERROR_ILLEGAL_ADDRESS,
    .memory_error = CUDA_ERROR_OUT_OF_MEMORY,
    .error_begins = "CUDA_ERROR_",
    .starts = {{"cuInit", 100, "cuInit: CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected)"},
               {"cuInit", 12345, "cuInit: CUDA error 12345"},
               {"cuDeviceGetCount", 100, "cuDeviceGetCount: CUDA_ERROR_NO_DEVICE"}},
    .no_device = "no device",
    .unusable = {{"STUB_CAPABILITY", "70", "7.0; at least 7.5"}},
    .second = {"cuda:1", "cuda:2", "stub device 1", "compute capability 9.0", 2},
    .too_large = UINT64_C(1) << 50,
    .too_large_says = {"1125899906842624 bytes", "CUDA_ERROR_OUT_OF_MEMORY (out of memory)",
                       "536870912 of the 1073741824 bytes of cuda:0 are free"},
    .pinned_says = "cuMemHostAlloc of 1125899906842624 bytes: CUDA_ERROR_OUT_OF_MEMORY",
    .unmapped = "unmapped",
    .unmapped_says = {"cuda:0 cannot map the host's memory", ""},
    .limits = {1025, 166913, "1025 threads a block, cuda:0 takes 1024",
               "166928 bytes of shared memory a block, cuda:0 takes 166912"},
    .info = {40, 8, 32 + 112},
    .absent_says = "kernel stub_absent: cuModuleGetFunction: CUDA_ERROR_NOT_FOUND (named symbol not found)",
    .waits = "cuStreamSynchronize",
    .waits_to_release = {2, 2},
    .keeps_events = 1,
    .loads = "cuModuleLoadDataEx",
    .loads_n = 2, /* after that of the check of a new context */
    .loads_error = CUDA_ERROR_INVALID_SOURCE,
    .update = {"STUB_CAPABILITY", "100"},
    .adopt = adopt,
};

static struct bly_stub_cuda *stub; /* of the library that the backend opened */
static bly_stub_cuda_context_function *other_context;
static bly_stub_cuda_memory_function *make_memory;
static bly_stub_cuda_forget_function *forget_memory;
#define CU(function) ((__typeof__(&function))stub_symbol(#function))

static int set_up(void **state)
{
    (void)state;
    use(&fault_cuda);
    stub = stub_symbol("bly_stub_cuda");
    other_context = stub_symbol("bly_stub_cuda_context");
    make_memory = stub_symbol("bly_stub_cuda_memory");
    forget_memory = stub_symbol("bly_stub_cuda_forget");
    return 0;
}

/* ---- Devices --------------------------------------------------------------------------------- */

/* A context of the caller's on a device that is too old is refused as well. */
TEST(device_too_old, HOST)
{
    bailey_context *context = NULL;
    setenv("STUB_CAPABILITY", "70", 1);
    assert_int_equal(bailey_context_create_cuda(other_context(), NULL, NULL, &context),
                     BAILEY_ERROR_NO_DEVICE);
    assert_null(context);
}

TEST(driver_too_old, HOST)
{
    bailey_device devices[2];
    size_t count = 0;
    setenv("STUB_DRIVER", "11080", 1);
    fail_call("cuModuleLoadDataEx", 1, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
    for (int takes = 0; takes < 2; takes++) { /* an old driver that takes the kernels is as good as any */
        setenv("BAILEY_BACKENDS", "cuda", 1);
        assert_int_equal(bailey_device_list(devices, 2, &count), BAILEY_OK);
        assert_string_equal(devices[0].address, "cuda:0");
        assert_int_equal(devices[0].usable, takes);
        if (takes) break;
        assert_contains(devices[0].reason, "CUDA 11.8");
        assert_contains(devices[0].reason, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION");
        unsetenv("STUB_FAIL");
    }
}

/* Refusals of images: the driver's error, its log, and images refused straight from the compiler. */
TEST(images_refused, HOST)
{
    bailey_context *context = NULL;
    uint64_t words[COUNT];
    fail_call("cuModuleLoadDataEx", 1, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
    assert_int_equal(bailey_context_create("cuda", NULL, &context), BAILEY_ERROR_BUILD);
    assert_contains(bailey_error_message(), "CUDA_ERROR_UNSUPPORTED_PTX_VERSION");
    assert_contains(bailey_error_message(), "the stub was told to fail");
    if (!driver->compile) return;
    for (int n = 1; n <= 2; n++) {
        fail_call("cuModuleLoadDataEx", n, CUDA_ERROR_NO_BINARY_FOR_GPU);
        assert_int_equal(run_double(1, 1, words), n == 1 ? BAILEY_ERROR_NO_DEVICE : BAILEY_ERROR_BUILD);
        assert_contains(bailey_error_message(), "CUDA_ERROR_NO_BINARY_FOR_GPU");
    }
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
        bailey_buffer *buffer = NULL;
        setenv("BAILEY_TUNED", tuned ? "1" : "0", 1);
        bailey_context *context = open_context();
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

/* Where copies of the table do not help, the row's own kernel is taken, with the same results. */
TEST(small_launches, HOST)
{
    enum { MANY = 1 << 22, FEW = 100 };
    const bailey_source source = {.generator = BAILEY_GENERATOR_WARP, .seed = 9};
    const bailey_normal_params normal = {.precision = BAILEY_PRECISION_F32};
    float made[2][FEW];
    bailey_buffer *buffer = NULL;
    bailey_context *context = open_context();
    assert_int_equal(bailey_buffer_create(context, MANY * sizeof(float), &buffer), BAILEY_OK);
    int taken = 0;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(bailey_normals_generate(context, &source, &normal, 0, i ? FEW : MANY, buffer, 0),
                         BAILEY_OK);
        assert_int_equal(bailey_buffer_read(buffer, 0, made[i], sizeof made[i]), BAILEY_OK);
        if (i) assert_int_equal(*calls_of("cuModuleGetFunction") - taken, 1);
        taken = *calls_of("cuModuleGetFunction");
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
    assert_int_equal(CU(cuCtxPushCurrent_v2)(mine), CUDA_SUCCESS);
    assert_int_equal(CU(cuStreamCreate)(&stream, 0), CUDA_SUCCESS);

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

    /* Words into the caller's memory, starting at the second element. */
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
    assert_int_equal(CU(cuCtxGetCurrent)(&current), CUDA_SUCCESS);
    assert_ptr_equal(current, mine);
    assert_int_equal(stub->streams, 1);
    assert_int_equal(CU(cuStreamDestroy_v2)(stream), CUDA_SUCCESS);
    assert_int_equal(CU(cuCtxPopCurrent_v2)(&popped), CUDA_SUCCESS);
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
    assert_refused(context, (uintptr_t)&stub & ~(uintptr_t)7, 8, "not known to CUDA");
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

/* ---- Streams and events ---------------------------------------------------------------------- */

static const struct bly_backend *const cuda = &bly_backend_cuda;
#define WORDS 1000
#define BYTES (4 * WORDS)

static struct bly_device *open_device(void)
{
    struct bly_device *device = NULL;
    assert_int_equal(cuda->open(0, NULL, &device), BAILEY_OK);
    return device;
}

static bailey_status load_words(struct bly_device *device, struct bly_program **program)
{
    const struct bly_code code = {
        .name = "words", .kernels = &bly_kernels[BLY_KERNEL_bly_words_philox], .kernel_count = 1};
    return cuda->load(device, &code, program);
}

TEST(traits, HOST)
{
    struct bly_device *device = open_device();
    assert_int_equal(device->queues, 2);
    assert_int_equal(device->tuning->scratch_words, 1 << 22);
    assert_int_equal(device->tuning->chunk_bytes, 512 << 20);
    assert_int_equal(device->tuning->straight_steps, 256);
    assert_int_equal(device->tuning->straight_dims, 8);
    cuda->close(device);
    cuda->unload(device, NULL);
    cuda->release(device, NULL);
    cuda->fence_free(device, NULL);
}

/* A kernel writes mapped memory, which the host sees. */
TEST(kernels_see_mapped_memory, HOST)
{
    struct bly_device *device = open_device();
    struct bly_memory *memory[2];
    struct bly_program *program = NULL;
    const uint64_t groups = WORDS / 4;
    uint32_t words[WORDS];
    const bly_fill_params params = {.count = WORDS, .out_stride = 1, .keys = bailey_philox_keys_of(7)};
    assert_int_equal(bly_kernels[BLY_KERNEL_bly_words_philox].params_bytes, sizeof params);
    assert_int_equal(load_words(device, &program), BAILEY_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(cuda->alloc(device, i ? BLY_MEMORY_MAPPED : BLY_MEMORY_DEVICE, BYTES, &memory[i]),
                         BAILEY_OK);
        assert_int_equal(cuda->launch(device, 1, program, 0, groups, 1, &params, &memory[i]), BAILEY_OK);
    }
    assert_int_equal(cuda->wait(device), BAILEY_OK);
    assert_int_equal(cuda->read(device, memory[0], 0, words, BYTES), BAILEY_OK);
    assert_memory_equal(cuda->address(memory[1]), words, BYTES);
    assert_int_not_equal(words[0] | words[1], 0);
    for (int i = 0; i < 2; i++) cuda->release(device, memory[i]);
    cuda->unload(device, program);
    cuda->close(device);
}

/* The stream that `queue` is. */
static CUstream stream_of(struct bly_device *device, uint32_t queue)
{
    struct bly_fence *fence = NULL;
    assert_int_equal(cuda->fence(device, queue, &fence), BAILEY_OK);
    const CUstream stream = stub->last;
    cuda->fence_free(device, fence);
    return stream;
}

TEST(second_queue, HOST)
{
    struct bly_device *device = open_device();
    struct bly_memory *memory[2];
    struct bly_program *program = NULL;
    struct bly_fence *fence = NULL;
    const bly_fill_params params = {.count = WORDS, .out_stride = 1, .keys = bailey_philox_keys_of(7)};
    assert_int_equal(stub->streams, 1);
    const CUstream first = stream_of(device, 0);
    assert_int_equal(stub->streams, 1); /* the second is made when it is used */
    const CUstream second = stream_of(device, 1);
    assert_int_equal(stub->streams, 2);
    assert_ptr_not_equal(first, second);

    for (int i = 0; i < 2; i++)
        assert_int_equal(cuda->alloc(device, BLY_MEMORY_DEVICE, BYTES, &memory[i]), BAILEY_OK);
    assert_int_equal(load_words(device, &program), BAILEY_OK);
    for (uint32_t queue = 0; queue < 2; queue++) {
        const CUstream stream = queue ? second : first;
        assert_int_equal(cuda->launch(device, queue, program, 0, WORDS / 4, 1, &params, memory), BAILEY_OK);
        assert_ptr_equal(stub->last, stream);
        assert_int_equal(cuda->copy(device, queue, memory[0], 0, memory[1], 0, BYTES), BAILEY_OK);
        assert_ptr_equal(stub->last, stream);
        assert_int_equal(cuda->fence(device, 1 - queue, &fence), BAILEY_OK);
        assert_int_equal(cuda->follow(device, queue, fence), BAILEY_OK);
        assert_ptr_equal(stub->last, stream);
        cuda->fence_free(device, fence);
    }
    assert_int_equal(stub->streams, 2);
    cuda->unload(device, program);
    for (int i = 0; i < 2; i++) cuda->release(device, memory[i]);
    cuda->close(device);
}

/* The caller's stream is queue 0; the second queue is ours, and goes. */
TEST(callers_stream, HOST)
{
    CUcontext popped;
    CUstream stream = NULL;
    struct bly_device *device = NULL;
    assert_int_equal(CU(cuCtxPushCurrent_v2)(other_context()), CUDA_SUCCESS);
    assert_int_equal(CU(cuStreamCreate)(&stream, 0), CUDA_SUCCESS);
    const struct bly_native native = {.context = other_context(), .queue = stream};
    const struct bly_open_params params = {.native = &native};
    assert_int_equal(cuda->open(0, &params, &device), BAILEY_OK);
    assert_ptr_equal(stream_of(device, 0), stream);
    assert_ptr_not_equal(stream_of(device, 1), stream);
    assert_int_equal(stub->streams, 2);
    cuda->close(device);
    assert_int_equal(stub->streams, 1);
    assert_int_equal(CU(cuStreamDestroy_v2)(stream), CUDA_SUCCESS);
    assert_int_equal(CU(cuCtxPopCurrent_v2)(&popped), CUDA_SUCCESS);
}

TEST(events_are_kept, HOST)
{
    enum { MANY = 100 };
    struct bly_device *device = open_device();
    struct bly_fence *fences[MANY];
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 3; i++) assert_int_equal(cuda->fence(device, 0, &fences[i]), BAILEY_OK);
        for (int i = 0; i < 3; i++) cuda->fence_free(device, fences[i]);
    }
    assert_int_equal(*calls_of("cuEventCreate"), 3);
    for (int i = 0; i < MANY; i++) assert_int_equal(cuda->fence(device, 0, &fences[i]), BAILEY_OK);
    assert_int_equal(stub->events, MANY);
    for (int i = 0; i < MANY; i++) cuda->fence_free(device, fences[i]);
    assert_in_range(stub->events, 1, 20); /* not all of them */
    cuda->close(device);
}

/* ---- The compiler ---------------------------------------------------------------------------- */

#ifdef BLY_STUB_NVRTC

/* Before NVRTC has been opened. */
TEST(compiler_absent, HOST)
{
    static const double times[] = {1, 2, 3};
    const bailey_bridge_params shape = {.times = times, .steps = 3};
    uint64_t words[COUNT];
    bailey_bridge *bridge = NULL;
    setenv("BAILEY_NVRTC_LIBRARY", "/nonexistent/libnvrtc.so", 1);
    bailey_context *context = open_context();
    assert_int_equal(context->device->backend->compiler(context->device), BAILEY_ERROR_UNSUPPORTED);
    assert_int_equal(bailey_bridge_create(context, &shape, &bridge), BAILEY_OK); /* there are other ways */
    bailey_bridge_destroy(bridge);
    bailey_context_destroy(context);
    assert_int_equal(run_double(0, 1, words), BAILEY_ERROR_UNSUPPORTED);
    assert_contains(bailey_error_message(), "NVRTC");
    assert_contains(bailey_error_message(), "/nonexistent/libnvrtc.so");
    setenv("BAILEY_NVRTC_LIBRARY", BLY_STUB_NVRTC_MISSING, 1);
    assert_int_equal(run_double(0, 1, words), BAILEY_ERROR_UNSUPPORTED);
    assert_contains(bailey_error_message(), "nvrtcGetCUBIN");
    /* Not remembered. */
    setenv("BAILEY_NVRTC_LIBRARY", BLY_STUB_NVRTC, 1);
    assert_int_equal(run_double(0, 1, words), BAILEY_OK);
}

/* A text's module is its program's, a row's stays with the device. */
TEST(modules, HOST)
{
    bailey_context *context = open_context();
    struct bly_program *programs[2];
    struct text text;
    bailey_kernel_info info;
    make_text(&text, 2);
    text.code.kernel_count = 2;
    text.kernels[1].shared_bytes = 50000;
    assert_int_equal(context->device->shared_bytes, 166912);
    const int modules = stub->modules; /* with the check of a new context */
    *calls_of("cuFuncSetAttribute") = 0;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(load(context, &text, &programs[i]), BAILEY_OK);
        assert_int_equal(stub->modules, modules + i + 1);
        assert_int_equal(*calls_of("cuFuncSetAttribute"), i + 1); /* each kernel is given its own memory */
        assert_int_equal(cuda->inspect(context->device, programs[i], 0, &info), BAILEY_OK);
        assert_true(info.occupancy == 0.75);
    }
    for (int i = 0; i < 2; i++) unload(context, programs[i]);
    assert_int_equal(stub->modules, modules);
    const struct bly_code code = {
        .name = "row", .kernels = &bly_kernels[BLY_KERNEL_bly_prebuilt_asian_option_f32], .kernel_count = 1};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(cuda->load(context->device, &code, &programs[i]), BAILEY_OK);
        assert_int_equal(cuda->inspect(context->device, programs[i], 0, &info), BAILEY_OK);
        assert_int_equal(info.registers, 40);
        assert_int_equal(info.spill_bytes, 8);
        assert_int_equal(info.shared_bytes, 32);
        assert_int_equal(info.block, 256);
        assert_true(info.occupancy == 0.75);
        unload(context, programs[i]);
        assert_int_equal(stub->modules, modules + 1);
    }
    bailey_context_destroy(context);
    assert_int_equal(stub->modules, 0);
}

/* That of the last compilation. */
static void assert_architecture(const char *wanted)
{
    char *options = compiler_symbol("stub_options"), line[64];
    snprintf(line, sizeof line, "--gpu-architecture=%s\n", wanted);
    assert_contains(options, line);
    *options = 0;
}

/* The device is of compute capability 9.0. */
TEST(architectures, HOST)
{
    static const struct {
        const char *known, *chosen;
    } cases[] = {{"75 89 90 100", "sm_90"}, {"100 89 75", "compute_89"}, {"75 80", "compute_80"}};
    int number = 200; /* of the text, which no other test has */
    uint64_t words[COUNT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("STUB_ARCHS", cases[i].known, 1);
        assert_int_equal(run_double(number++, 1, words), BAILEY_OK);
        assert_architecture(cases[i].chosen);
        assert_int_equal(words[3], 19);
    }
    setenv("STUB_CAPABILITY", "99", 1); /* machine code of the same major version runs there */
    setenv("STUB_ARCHS", "75 90 100", 1);
    assert_int_equal(run_double(number++, 1, words), BAILEY_OK);
    assert_architecture("sm_90");
    setenv("STUB_ARCHS", "100 120", 1);
    assert_int_equal(run_double(number++, 1, words), BAILEY_ERROR_UNSUPPORTED);
    assert_contains(bailey_error_message(), "NVRTC 13.0 compiles for compute capability 10.0 and above");
    assert_contains(bailey_error_message(), "has 9.9");
}

static int refusals;

static void count_refusals(void *user, int level, const char *line)
{
    (void)level;
    refusals += strstr(line, user) != NULL && strstr(line, "compute capability 10.0 and above") != NULL;
}

/* A strategy that auto chose, and that turns out to have no program for a launch, gives way to the built-in
 * kernel, with the same bits; one that was asked for by name does not. */
TEST(strategy_refused, HOST)
{
    enum { STEPS = 7, PATHS = 13 };
    static const double times[STEPS] = {1, 2, 3, 4, 5, 6, 7};
    static char *const lines[] = {"reuse instead of specialised", "readback instead of specialised"};
    static const bailey_bridge_strategy strategies[] = {
        BAILEY_BRIDGE_STRATEGY_READBACK, BAILEY_BRIDGE_STRATEGY_AUTO, BAILEY_BRIDGE_STRATEGY_SPECIALISED};
    const bailey_source source = {.seed = 5};
    for (uint32_t dims = 1; dims <= 2; dims++) {
        float expected[STEPS * 2 * PATHS], found[STEPS * 2 * PATHS];
        const uint64_t bytes = STEPS * dims * PATHS * sizeof(float);
        bailey_bridge *bridges[3];
        bailey_buffer *z = NULL, *x = NULL;
        bailey_bridge_info info;
        bailey_kernel_info kernel;
        bailey_context *context = open_context();
        assert_int_equal(bailey_buffer_create(context, bytes, &z), BAILEY_OK);
        assert_int_equal(bailey_buffer_create(context, bytes, &x), BAILEY_OK);
        for (int i = 0; i < 3; i++) {
            const bailey_bridge_params shape = {
                .times = times, .steps = STEPS, .dims = dims, .strategy = strategies[i]};
            assert_int_equal(bailey_bridge_create(context, &shape, &bridges[i]), BAILEY_OK);
            assert_int_equal(bailey_bridge_describe(bridges[i], &info), BAILEY_OK);
            assert_int_equal(info.strategy, strategies[i == 1 ? 2 : i]);
        }
        assert_int_equal(bailey_bridge_normals(bridges[0], &source, NULL, 0, PATHS, z), BAILEY_OK);
        assert_int_equal(bailey_bridge_paths(bridges[0], &source, NULL, 0, PATHS, x), BAILEY_OK);
        assert_int_equal(bailey_buffer_read(x, 0, expected, bytes), BAILEY_OK);

        setenv("STUB_ARCHS", "100 120", 1);
        refusals = 0;
        bailey_log_set(count_refusals, lines[dims - 1], 1);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(bailey_buffer_fill(x, 0, 0xA5, bytes), BAILEY_OK);
            assert_int_equal(i % 2 ? bailey_bridge_build(bridges[1], PATHS, z, x)
                                   : bailey_bridge_paths(bridges[1], &source, NULL, 0, PATHS, x),
                             BAILEY_OK);
            assert_int_equal(bailey_buffer_read(x, 0, found, bytes), BAILEY_OK);
            assert_memory_equal(found, expected, bytes);
        }
        bailey_log_set(NULL, NULL, 0);
        assert_int_equal(refusals, 2); /* fused and from memory, each once */
        assert_int_equal(bailey_bridge_inspect(bridges[1], &source, NULL, &kernel), BAILEY_OK);
        assert_int_equal(kernel.block, 256);
        assert_int_equal(bly_bridge_transfer(bridges[1], PATHS, z, x), BAILEY_ERROR_UNSUPPORTED);
        assert_int_equal(bailey_bridge_paths(bridges[2], &source, NULL, 0, PATHS, x),
                         BAILEY_ERROR_UNSUPPORTED);
        assert_contains(bailey_error_message(), "compute capability 10.0 and above");
        assert_int_equal(bailey_bridge_build(bridges[2], PATHS, z, x), BAILEY_ERROR_UNSUPPORTED);
        unsetenv("STUB_ARCHS");

        for (int i = 0; i < 3; i++) bailey_bridge_destroy(bridges[i]);
        bailey_buffer_destroy(z);
        bailey_buffer_destroy(x);
        bailey_context_destroy(context);
    }
}

#endif

FIXTURE(set_up, balanced)
