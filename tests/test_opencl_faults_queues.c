/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Queues, fences and kinds of memory of the OpenCL backend, on the stub driver, whose events are done only
 * once their queue has been flushed, and which refuses commands that use mapped memory.
 */
#include "opencl_faults.h"

#define BYTES (COUNT * sizeof(uint32_t))

static struct bly_device *open_stub(void)
{
    struct bly_device *device = NULL;
    const struct bly_open_params params = {.cache_dir = ""};
    char why[256];
    assert_int_equal(bly_backend_opencl.probe(why, sizeof why), 1);
    assert_int_equal(bly_backend_opencl.open(0, &params, &device), BAILEY_OK);
    return device;
}

static void close_stub(struct bly_device *device)
{
    bly_backend_opencl.close(device);
    assert_int_equal(live_objects(), 0);
}

/* What a job of two queues does: from pinned memory to the device in queue 0, within the device in queue 1,
 * and back in queue 0, with a fence for each step. */
struct job {
    struct bly_device *device;
    struct bly_memory *pinned, *first, *second;
    struct bly_fence *sent, *copied, *back;
};

static bailey_status queue_job(struct job *job)
{
    const struct bly_backend *b = &bly_backend_opencl;
    struct bly_device *device = job->device;
    bailey_status status = b->alloc(device, BLY_MEMORY_PINNED, 2 * BYTES, &job->pinned);
    if (status != BAILEY_OK) return status;
    uint32_t *words = b->address(job->pinned);
    for (uint32_t i = 0; i < COUNT; i++) words[i] = i * i;
    memset(words + COUNT, 0, BYTES);
    status = b->alloc(device, BLY_MEMORY_DEVICE, BYTES, &job->first);
    if (status == BAILEY_OK) status = b->alloc(device, BLY_MEMORY_DEVICE, BYTES, &job->second);
    if (status == BAILEY_OK) status = b->copy(device, 0, job->pinned, 0, job->first, 0, BYTES);
    if (status == BAILEY_OK) status = b->fence(device, 0, &job->sent);
    if (status == BAILEY_OK) status = b->follow(device, 1, job->sent);
    if (status == BAILEY_OK) status = b->copy(device, 1, job->first, 0, job->second, 0, BYTES);
    if (status == BAILEY_OK) status = b->fence(device, 1, &job->copied);
    if (status == BAILEY_OK) status = b->follow(device, 0, job->copied);
    if (status == BAILEY_OK) status = b->copy(device, 0, job->second, 0, job->pinned, BYTES, BYTES);
    if (status == BAILEY_OK) status = b->fence(device, 0, &job->back);
    return status;
}

/* Waits, asking first; checks the words. */
static bailey_status end_job(struct job *job)
{
    const struct bly_backend *b = &bly_backend_opencl;
    int done = -1;
    bailey_status status = b->fence_done(job->device, job->back, 0, &done);
    if (status == BAILEY_OK) status = b->fence_done(job->device, job->back, 1, &done);
    if (status != BAILEY_OK) return status;
    assert_int_equal(done, 1);
    const uint32_t *words = b->address(job->pinned);
    assert_memory_equal(words, words + COUNT, BYTES);
    return b->wait(job->device);
}

static void free_job(struct job *job)
{
    const struct bly_backend *b = &bly_backend_opencl;
    struct bly_fence *const fences[] = {job->sent, job->copied, job->back};
    struct bly_memory *const memory[] = {job->pinned, job->first, job->second};
    for (int i = 0; i < 3; i++) b->fence_free(job->device, fences[i]);
    for (int i = 0; i < 3; i++) b->release(job->device, memory[i]);
}

static bailey_status run_queues(void)
{
    struct job job = {.device = open_stub()};
    bailey_status status = queue_job(&job);
    if (status == BAILEY_OK) status = end_job(&job);
    free_job(&job);
    close_stub(job.device);
    return status;
}

TEST(two_queues, HOST)
{
    assert_int_equal(run_queues(), BAILEY_OK);
}

/* Each call fails once, at each place: its name is in the error, and nothing is left. */
TEST(failing_calls, HOST)
{
    static const struct {
        const char *function;
        bailey_status status;
        int calls; /* that may fail, of this job */
    } cases[] = {{"clCreateCommandQueue", BAILEY_ERROR_DRIVER, 1},
                 {"clCreateBuffer", BAILEY_ERROR_MEMORY, 3},
                 {"clEnqueueMapBuffer", BAILEY_ERROR_MEMORY, 1},
                 {"clEnqueueWriteBuffer", BAILEY_ERROR_DRIVER, 1},
                 {"clEnqueueReadBuffer", BAILEY_ERROR_DRIVER, 1},
                 {"clEnqueueCopyBuffer", BAILEY_ERROR_DRIVER, 1},
                 {"clEnqueueMarkerWithWaitList", BAILEY_ERROR_DRIVER, 3},
                 {"clEnqueueBarrierWithWaitList", BAILEY_ERROR_DRIVER, 2},
                 {"clFlush", BAILEY_ERROR_DRIVER, 6},
                 {"clWaitForEvents", BAILEY_ERROR_DRIVER, 1},
                 {"clGetEventInfo", BAILEY_ERROR_DRIVER, 2},
                 {"clFinish", BAILEY_ERROR_DRIVER, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int n = 1; n <= cases[i].calls; n++) {
            struct job job = {.device = open_stub()};
            fail_call(cases[i].function, n, CL_OUT_OF_RESOURCES);
            bailey_status status = queue_job(&job);
            if (status == BAILEY_OK) status = end_job(&job);
            if (status != cases[i].status)
                fail_msg("%s, call %d: %s", cases[i].function, n, bailey_error_message());
            assert_contains(bailey_error_message(), cases[i].function);
            assert_contains(bailey_error_message(), "CL_OUT_OF_RESOURCES");
            free_job(&job);
            close_stub(job.device);
        }
}

/* A fence that is not done yet, and one whose work has failed. */
TEST(fence_states, HOST)
{
    const struct bly_backend *b = &bly_backend_opencl;
    struct bly_device *device = open_stub();
    struct bly_fence *fence = NULL;
    int done = -1;
    setenv("STUB_POLLS", "2", 1);
    assert_int_equal(b->fence(device, 1, &fence), BAILEY_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(b->fence_done(device, fence, 0, &done), BAILEY_OK);
        assert_int_equal(done, i == 2);
    }
    b->fence_free(device, fence);
    assert_int_equal(b->fence(device, 0, &fence), BAILEY_OK);
    assert_int_equal(b->fence_done(device, fence, 1, &done), BAILEY_OK);
    assert_int_equal(done, 1);
    unsetenv("STUB_POLLS");
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
    b->fence_free(device, NULL);
    close_stub(device);
}

TEST(kinds_of_memory, HOST)
{
    const struct bly_backend *b = &bly_backend_opencl;
    struct bly_device *device = open_stub();
    struct bly_memory *memory = (struct bly_memory *)device;
    assert_int_equal(b->alloc(device, BLY_MEMORY_MAPPED, BYTES, &memory), BAILEY_ERROR_UNSUPPORTED);
    assert_null(memory);
    assert_contains(bailey_error_message(), "opencl:0:0");
    assert_contains(bailey_error_message(), "OpenCL 1.2");
    assert_int_equal(b->alloc(device, BLY_MEMORY_PINNED, 1 << 29, &memory), BAILEY_ERROR_MEMORY);
    assert_null(memory);
    assert_contains(bailey_error_message(), "536870912");

    /* Pinned memory is read, written and copied like any other. */
    struct bly_memory *other = NULL;
    uint32_t words[COUNT], found[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) words[i] = 7 * i;
    assert_int_equal(b->alloc(device, BLY_MEMORY_PINNED, BYTES + 8, &memory), BAILEY_OK);
    assert_int_equal(b->alloc(device, BLY_MEMORY_PINNED, BYTES + 16, &other), BAILEY_OK);
    assert_int_equal(b->write(device, memory, 8, words, BYTES), BAILEY_OK);
    assert_memory_equal((char *)b->address(memory) + 8, words, BYTES);
    assert_int_equal(b->copy(device, 1, memory, 8, other, 16, BYTES), BAILEY_OK);
    assert_int_equal(b->wait(device), BAILEY_OK);
    assert_int_equal(b->read(device, other, 16, found, BYTES), BAILEY_OK);
    assert_memory_equal(found, words, BYTES);
    b->release(device, memory);
    b->release(device, other);
    b->release(device, NULL);
    close_stub(device);
}

/* A GPU's second queue is made when it is used, and once; others have one. */
TEST(second_queue, HOST)
{
    const struct bly_backend *b = &bly_backend_opencl;
    for (int simulator = 0; simulator < 2; simulator++) {
        if (simulator) setenv("STUB_DEVICE", "simulator", 1);
        struct bly_device *device = open_stub();
        const long live = live_objects();
        struct bly_fence *fence = NULL;
        assert_int_equal(device->queues, simulator ? 1 : 2);
        assert_int_equal(device->tuning->chunk_bytes, simulator ? 4 << 20 : 512 << 20); /* a MiB per unit */
        for (int i = 0; i < 3; i++) {
            assert_int_equal(b->fence(device, 1, &fence), BAILEY_OK);
            assert_int_equal(b->follow(device, 0, fence), BAILEY_OK);
            b->fence_free(device, fence);
            assert_int_equal(live_objects(), live + device->queues - 1);
        }
        close_stub(device);
    }
}

FIXTURE(reset, NULL)
