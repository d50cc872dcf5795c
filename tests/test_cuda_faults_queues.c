/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Queues, fences and kinds of memory of the CUDA backend against a stub driver (stub_cuda.c), through the
 * backends' interface alone. Needs no GPU.
 */
#include "cuda_faults.h"

#include <backend/rows.h>
#include <base/alloc.h>
#include <kernels/kernels.h>

#define WORDS 1000
#define BYTES (4 * WORDS)

static const struct bly_backend *const cuda = &bly_backend_cuda;

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

/* ---- What a device says ---------------------------------------------------------------------- */

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

/* ---- Memory ---------------------------------------------------------------------------------- */

TEST(kinds_of_memory, HOST)
{
    struct bly_device *device = open_device();
    struct bly_memory *memory[3];
    struct bly_fence *fence = NULL;
    uint32_t words[WORDS];
    int done = 0;
    for (int i = 0; i < 3; i++)
        assert_int_equal(cuda->alloc(device, (enum bly_memory_kind)i, BYTES, &memory[i]), BAILEY_OK);
    assert_int_equal(stub->allocations, 1);
    assert_int_equal(stub->host_allocations, 2);
    assert_null(cuda->address(memory[BLY_MEMORY_DEVICE]));
    uint32_t *pinned = cuda->address(memory[BLY_MEMORY_PINNED]);
    uint32_t *mapped = cuda->address(memory[BLY_MEMORY_MAPPED]);
    assert_ptr_not_equal(pinned, mapped);
    /* From each kind to each other, at offsets, in either queue. */
    for (int from = 0; from < 3; from++)
        for (int to = 0; to < 3; to++) {
            if (from == to) continue;
            for (uint32_t i = 0; i < WORDS; i++)
                words[i] = 100000 * (uint32_t)from + 10000 * (uint32_t)to + i;
            assert_int_equal(cuda->write(device, memory[from], 0, words, BYTES), BAILEY_OK);
            if (from == BLY_MEMORY_PINNED) assert_memory_equal(pinned, words, BYTES);
            if (from == BLY_MEMORY_MAPPED) assert_memory_equal(mapped, words, BYTES);
            assert_int_equal(cuda->copy(device, (uint32_t)to % 2, memory[from], 8, memory[to], 4, BYTES - 8),
                             BAILEY_OK);
            assert_int_equal(cuda->fence(device, (uint32_t)to % 2, &fence), BAILEY_OK);
            assert_int_equal(cuda->fence_done(device, fence, 1, &done), BAILEY_OK);
            assert_true(done);
            cuda->fence_free(device, fence);
            uint32_t found[WORDS - 2];
            assert_int_equal(cuda->read(device, memory[to], 4, found, sizeof found), BAILEY_OK);
            assert_memory_equal(found, words + 2, sizeof found);
        }
    for (int i = 0; i < 3; i++) cuda->release(device, memory[i]);
    assert_int_equal(stub->host_allocations, 0);
    cuda->close(device);
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

TEST(memory_refused, HOST)
{
    struct bly_device *device = open_device();
    struct bly_memory *memory = NULL;
    setenv("BLY_STUB_CUDA_UNMAPPED", "1", 1);
    assert_int_equal(cuda->alloc(device, BLY_MEMORY_MAPPED, BYTES, &memory), BAILEY_ERROR_UNSUPPORTED);
    assert_contains(bailey_error_message(), "cuda:0 cannot map the host's memory");
    assert_int_equal(cuda->alloc(device, BLY_MEMORY_PINNED, UINT64_C(1) << 50, &memory), BAILEY_ERROR_MEMORY);
    assert_contains(bailey_error_message(),
                    "cuMemHostAlloc of 1125899906842624 bytes: CUDA_ERROR_OUT_OF_MEMORY");
    assert_null(memory);
    cuda->close(device);
}

/* What is queued may still use memory when it is released. */
TEST(release_waits, HOST)
{
    struct bly_device *device = open_device();
    struct bly_memory *memory[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(cuda->alloc(device, i ? BLY_MEMORY_PINNED : BLY_MEMORY_DEVICE, BYTES, &memory[i]),
                         BAILEY_OK);
    assert_int_equal(cuda->copy(device, 1, memory[0], 0, memory[1], 0, BYTES), BAILEY_OK);
    for (int i = 0; i < 2; i++) {
        stub->calls[BLY_STUB_SYNC] = 0;
        cuda->release(device, memory[i]);
        assert_int_equal(stub->calls[BLY_STUB_SYNC], 2);
    }
    cuda->close(device);
}

/* ---- Queues and fences ----------------------------------------------------------------------- */

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
    stub->calls[BLY_STUB_SYNC] = 0;
    assert_int_equal(cuda->wait(device), BAILEY_OK);
    assert_int_equal(stub->calls[BLY_STUB_SYNC], 2);
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
    assert_int_equal(push_current(other_context()), CUDA_SUCCESS);
    assert_int_equal(create_stream(&stream, 0), CUDA_SUCCESS);
    const struct bly_native native = {.context = other_context(), .queue = stream};
    const struct bly_open_params params = {.native = &native};
    assert_int_equal(cuda->open(0, &params, &device), BAILEY_OK);
    assert_ptr_equal(stream_of(device, 0), stream);
    assert_ptr_not_equal(stream_of(device, 1), stream);
    assert_int_equal(stub->streams, 2);
    cuda->close(device);
    assert_int_equal(stub->streams, 1);
    assert_int_equal(destroy_stream(stream), CUDA_SUCCESS);
    assert_int_equal(pop_current(&popped), CUDA_SUCCESS);
}

TEST(fences_are_polled, HOST)
{
    struct bly_device *device = open_device();
    struct bly_fence *fence = NULL;
    int done = 1;
    setenv("BLY_STUB_CUDA_PENDING", "2", 1);
    assert_int_equal(cuda->fence(device, 0, &fence), BAILEY_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(cuda->fence_done(device, fence, 0, &done), BAILEY_OK);
        assert_int_equal(done, i == 2);
    }
    cuda->fence_free(device, fence);
    assert_int_equal(cuda->fence(device, 1, &fence), BAILEY_OK);
    assert_int_equal(cuda->fence_done(device, fence, 0, &done), BAILEY_OK);
    assert_false(done);
    assert_int_equal(cuda->fence_done(device, fence, 1, &done), BAILEY_OK);
    assert_true(done);
    cuda->fence_free(device, fence);
    cuda->close(device);
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
    assert_int_equal(stub->calls[BLY_STUB_EVENT], 3);
    for (int i = 0; i < MANY; i++) assert_int_equal(cuda->fence(device, 0, &fences[i]), BAILEY_OK);
    assert_int_equal(stub->events, MANY);
    for (int i = 0; i < MANY; i++) cuda->fence_free(device, fences[i]);
    assert_in_range(stub->events, 1, 20); /* not all of them */
    cuda->close(device);
}

/* ---- Failures -------------------------------------------------------------------------------- */

/* Two pieces that overlap: words in queue 0, copied to the host in queue 1, twice. */
static bailey_status overlap(struct bly_device *device, struct bly_program *program,
                             struct bly_memory *const memory[3], struct bly_fence *fences[2])
{
    const bly_fill_params params = {.count = WORDS, .out_stride = 1, .keys = bailey_philox_keys_of(7)};
    int done = 0;
    bailey_status status = BAILEY_OK;
    for (int piece = 0; piece < 2; piece++) {
        if (status == BAILEY_OK)
            status = cuda->launch(device, 0, program, 0, WORDS / 4, 1, &params, &memory[0]);
        if (status == BAILEY_OK) status = cuda->fence(device, 0, &fences[0]);
        if (status == BAILEY_OK) status = cuda->follow(device, 1, fences[0]);
        if (status == BAILEY_OK) status = cuda->copy(device, 1, memory[0], 0, memory[1 + piece], 0, BYTES);
        if (status == BAILEY_OK) status = cuda->fence(device, 1, &fences[1]);
        if (status == BAILEY_OK) status = cuda->fence_done(device, fences[1], 0, &done);
        if (status == BAILEY_OK) status = cuda->fence_done(device, fences[1], 1, &done);
        for (int i = 0; i < 2; i++) {
            cuda->fence_free(device, fences[i]);
            fences[i] = NULL;
        }
    }
    if (status == BAILEY_OK) status = cuda->wait(device);
    return status;
}

static bailey_status work(void)
{
    struct bly_device *device = NULL;
    struct bly_program *program = NULL;
    struct bly_memory *memory[3] = {NULL, NULL, NULL};
    struct bly_fence *fences[2] = {NULL, NULL};
    bailey_status status = cuda->open(0, NULL, &device);
    if (status != BAILEY_OK) return status;
    for (int i = 0; i < 3; i++)
        if (status == BAILEY_OK) status = cuda->alloc(device, (enum bly_memory_kind)i, BYTES, &memory[i]);
    if (status == BAILEY_OK) status = load_words(device, &program);
    if (status == BAILEY_OK) status = overlap(device, program, memory, fences);
    if (status == BAILEY_OK)
        status = memcmp(cuda->address(memory[1]), cuda->address(memory[2]), BYTES) ? BAILEY_ERROR_DRIVER
                                                                                   : BAILEY_OK;
    cuda->unload(device, program);
    for (int i = 0; i < 3; i++) cuda->release(device, memory[i]);
    cuda->close(device);
    return status;
}

/* Every call fails once: a status, a text that names it, and (tear_down) nothing left behind. */
TEST(each_call_fails, HOST)
{
    static const struct {
        const char *name, *call;
        bailey_status status;
    } calls[] = {{"stream", "cuStreamCreate: CUDA_ERROR_", BAILEY_ERROR_DRIVER},
                 {"alloc", "cuMemAlloc", BAILEY_ERROR_MEMORY},
                 {"host", "cuMemHostAlloc of 4000 bytes: CUDA_ERROR_", BAILEY_ERROR_MEMORY},
                 {"map", "cuMemHostGetDevicePointer: CUDA_ERROR_", BAILEY_ERROR_DRIVER},
                 {"load", "cuModuleLoadDataEx: CUDA_ERROR_", BAILEY_ERROR_NO_DEVICE},
                 {"function", "cuModuleGetFunction: CUDA_ERROR_", BAILEY_ERROR_DRIVER},
                 {"launch", "cuLaunchKernel: CUDA_ERROR_", BAILEY_ERROR_DRIVER},
                 {"copy", "cuMemcpyAsync: CUDA_ERROR_", BAILEY_ERROR_DRIVER},
                 {"event", "cuEventCreate: CUDA_ERROR_", BAILEY_ERROR_MEMORY},
                 {"record", "cuEventRecord: CUDA_ERROR_", BAILEY_ERROR_DRIVER},
                 {"query", "cuEventQuery: CUDA_ERROR_", BAILEY_ERROR_DRIVER},
                 {"await", "cuEventSynchronize: CUDA_ERROR_", BAILEY_ERROR_DRIVER},
                 {"follow", "cuStreamWaitEvent: CUDA_ERROR_", BAILEY_ERROR_DRIVER},
                 {"sync", "cuStreamSynchronize: CUDA_ERROR_", BAILEY_ERROR_DRIVER}};
    setenv("BLY_STUB_CUDA_PENDING", "1", 1);
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        int n = 1, failed = 1;
        for (; failed; n++) {
            assert_true(n < 100);
            char fail[32];
            snprintf(fail, sizeof fail, "%s:%d", calls[c].name, n);
            memset(stub->calls, 0, sizeof stub->calls);
            setenv("BLY_STUB_CUDA_FAIL", fail, 1);
            const bailey_status status = work();
            failed = status != BAILEY_OK;
            if (failed && status != calls[c].status)
                fail_msg("%s: %s, %s", fail, bailey_status_name(status), bailey_error_message());
            if (failed) assert_contains(bailey_error_message(), calls[c].call);
            tear_down(NULL);
        }
        assert_true(n > 2); /* it did fail at least once */
    }
}

TEST(each_allocation_fails, HOST)
{
    bailey_status status = BAILEY_ERROR_MEMORY;
    int n = 1;
    for (; status != BAILEY_OK; n++) {
        assert_true(n < 100);
        bly_alloc_countdown = n;
        status = work();
        if (status != BAILEY_OK) {
            assert_int_equal(status, BAILEY_ERROR_MEMORY);
            assert_contains(bailey_error_message(), "out of memory for a");
        }
        tear_down(NULL);
    }
    bly_alloc_countdown = 0;
    assert_true(n > 6);
}

FIXTURE(set_up, tear_down)
