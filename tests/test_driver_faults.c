/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Backends when things go wrong, on stub drivers: no driver, devices that cannot be used, calls and
 * allocations that fail one at a time, kinds of memory, queues and fences. Each scenario runs for each driver
 * that the build has (driver_faults.h); what only one driver has is in test_opencl_faults.c and
 * test_cuda_faults.c.
 */
#include "driver_faults.h"

/* ---- Drivers and devices --------------------------------------------------------------------- */

/* The entries of the list that are the driver's. */
static size_t list_devices(bailey_device devices[8])
{
    bailey_device all[16];
    size_t count, found = 0;
    assert_int_equal(bailey_device_list(all, 16, &count), BAILEY_OK);
    assert_in_range(count, 1, 16);
    for (size_t i = 0; i < count; i++)
        if (strncmp(all[i].address, driver->name, strlen(driver->name)) == 0 && found < 8)
            devices[found++] = all[i];
    return found;
}

static void assert_not_opened(const char *address, const char *part)
{
    bailey_context *context = (bailey_context *)&driver;
    assert_int_equal(bailey_context_create(address, NULL, &context), BAILEY_ERROR_NO_DEVICE);
    assert_null(context);
    assert_contains(bailey_error_message(), part);
}

/* The backend cannot run: one entry with the reason, and an error that says the same. */
static void assert_absent(const char *part)
{
    bailey_device devices[8];
    assert_int_equal(list_devices(devices), 1);
    assert_string_equal(devices[0].address, driver->name);
    assert_int_equal(devices[0].kind, BAILEY_DEVICE_KIND_NONE);
    assert_int_equal(devices[0].usable, 0);
    assert_contains(devices[0].reason, part);
    assert_not_opened(driver->name, part);
}

SCENARIO(no_library)
{
    setenv(driver->library, "/nonexistent/libdriver.so.1", 1);
    assert_absent("/nonexistent/libdriver.so.1");
}

SCENARIO(missing_symbol)
{
    setenv(driver->library, driver->missing_stub, 1);
    assert_absent(driver->missing);
}

SCENARIO(no_device)
{
    setenv("STUB_DEVICES", "0", 1);
    assert_absent(driver->no_device);
}

SCENARIO(no_start)
{
    bailey_device devices[8];
    for (size_t i = 0; i < 3 && driver->starts[i].function; i++) {
        fail_call(driver->starts[i].function, 0, driver->starts[i].error);
        assert_absent(driver->starts[i].reason);
    }
    unsetenv("STUB_FAIL"); /* not remembered: the driver may come up */
    assert_int_equal(list_devices(devices), 1);
    assert_int_equal(devices[0].usable, 1);
}

/* Listed, with a reason, and not opened. */
SCENARIO(unusable_devices)
{
    for (size_t i = 0; driver->unusable[i].variable; i++) {
        bailey_device devices[8];
        setenv(driver->unusable[i].variable, driver->unusable[i].value, 1);
        assert_int_equal(list_devices(devices), 1);
        assert_string_equal(devices[0].address, strcmp(driver->name, "cuda") ? "opencl:0:0" : "cuda:0");
        assert_int_equal(devices[0].kind, BAILEY_DEVICE_KIND_GPU);
        assert_int_equal(devices[0].usable, 0);
        assert_contains(devices[0].reason, driver->unusable[i].reason);
        assert_not_opened(driver->name, driver->unusable[i].reason);
        assert_not_opened(devices[0].address, driver->unusable[i].reason);
        unsetenv(driver->unusable[i].variable);
    }
}

SCENARIO(describes)
{
    bailey_context *context = NULL;
    bailey_device found, devices[8];
    setenv("STUB_DEVICES", "2", 1);
    assert_int_equal(list_devices(devices), 2);
    assert_int_equal(bailey_context_create(driver->second.address, NULL, &context), BAILEY_OK);
    assert_int_equal(bailey_context_device(context, &found), BAILEY_OK);
    bailey_context_destroy(context);
    for (int listed = 0; listed < 2; listed++) {
        if (listed) found = devices[1];
        assert_string_equal(found.address, driver->second.address);
        assert_string_equal(found.name, driver->second.name);
        assert_contains(found.driver, driver->second.driver);
        assert_int_equal(found.kind, BAILEY_DEVICE_KIND_GPU);
        assert_int_equal(found.usable, 1);
        assert_int_equal(found.has_f64, 1);
        assert_int_equal(found.units, driver->second.units);
        assert_int_equal(found.memory_bytes, 1 << 30);
    }
    assert_not_opened(driver->second.beyond, "");
}

static struct bly_device *open_device(void)
{
    struct bly_device *device = NULL;
    const struct bly_open_params params = {.cache_dir = ""};
    char why[256];
    assert_int_equal(driver->backend->probe(why, sizeof why), 1);
    assert_int_equal(driver->backend->open(0, &params, &device), BAILEY_OK);
    return device;
}

/* ---- A job that needs all of a backend ------------------------------------------------------- */

#define WORDS 1005
#define STEPS 12
#define PATHS 9

enum { NVRTC_OUT_OF_MEMORY = 1, NVRTC_INTERNAL_ERROR = 11 }; /* of nvrtc.h */

struct results {
    uint32_t words[WORDS];
    float normals[STEPS * PATHS];
    uint64_t doubled[COUNT], moved[COUNT];
};
struct job {
    bailey_context *context, *second;
    struct bly_device *device;
    bailey_buffer *words, *normals, *copy, *numbers[2], *adopted;
    bailey_bridge *bridge;
    struct bly_program *programs[2];
    struct bly_memory *memory[3]; /* of each kind */
    struct bly_fence *fences[3];
};

#define DO(call)                                                                                             \
    do {                                                                                                     \
        const bailey_status status_ = call;                                                                  \
        if (status_ != BAILEY_OK) return status_;                                                            \
    } while (0)

/* Words of elements 3 .. 1002 of 1005, from word 7, some of them filled, and normals of a bridge. */
static bailey_status make_numbers(struct job *job, const char *address, struct results *results)
{
    static const double times[STEPS] = {0.5, 1, 2, 2.5, 4, 5, 6, 7, 8, 9, 10, 12};
    const bailey_source words_from = {.seed = 1, .stream = 2}, normals_from = {.seed = 5, .stream = 6};
    const bailey_bridge_params shape = {.times = times, .steps = STEPS};
    DO(bailey_context_create(address, NULL, &job->context));
    job->device = job->context->device;
    DO(bailey_buffer_create(job->context, 4 * WORDS, &job->words));
    DO(bailey_buffer_create(job->context, 4 * WORDS, &job->copy));
    DO(bailey_buffer_create(job->context, 4 * STEPS * PATHS, &job->normals));
    DO(bailey_buffer_write(job->words, 0, results->words, 4 * WORDS));
    DO(bailey_words_generate(job->context, &words_from, 7, 1000, job->words, 3));
    DO(bailey_bridge_create(job->context, &shape, &job->bridge));
    DO(bailey_bridge_normals(job->bridge, &normals_from, NULL, 3, PATHS, job->normals));
    DO(bailey_context_sync(job->context));
    DO(bailey_buffer_fill(job->words, 4 * 900, 0xa7, 4 * 17));
    DO(bailey_buffer_copy(job->words, 0, job->copy, 0, 4 * WORDS));
    DO(bailey_buffer_read(job->copy, 0, results->words, 4 * WORDS));
    return bailey_buffer_read(job->normals, 0, results->normals, 4 * STEPS * PATHS);
}

/* A text, built and then found in the process, run, and asked for what the driver knows of it. */
static bailey_status double_numbers(struct job *job, int number, struct results *results)
{
    const uint64_t count = COUNT;
    static const char *const defines[] = {"ONE", NULL};
    bailey_kernel_info info;
    struct text text;
    make_text(&text, number);
    text.code.defines = defines;
    for (uint64_t i = 0; i < COUNT; i++) results->doubled[i] = i * i;
    for (int i = 0; i < 2; i++) DO(bailey_buffer_create(job->context, 8 * COUNT, &job->numbers[i]));
    DO(bailey_buffer_write(job->numbers[0], 0, results->doubled, 8 * COUNT));
    for (int i = 0; i < 2; i++) DO(load(job->context, &text, &job->programs[i]));
    struct bly_memory *const memory[] = {job->numbers[0]->memory, NULL, job->numbers[1]->memory};
    DO(driver->backend->launch(job->device, 0, job->programs[1], 0, count, 1, &count, memory));
    DO(driver->backend->inspect(job->device, job->programs[1], 0, &info));
    return bailey_buffer_read(job->numbers[1], 0, results->doubled, 8 * COUNT);
}

/* From pinned memory to the device in queue 0, on to the third kind, or back, in queue 1, with a fence for
 * each step; asks if the last one is done, and waits. */
static bailey_status move_numbers(struct job *job, struct results *results)
{
    const struct bly_backend *b = driver->backend;
    struct bly_device *device = job->device;
    int done = -1;
    for (int kind = 0; kind < 3; kind++)
        if (kind != BLY_MEMORY_MAPPED || *driver->unmapped)
            DO(b->alloc(device, (enum bly_memory_kind)kind, 16 * COUNT, &job->memory[kind]));
    struct bly_memory *pinned = job->memory[BLY_MEMORY_PINNED], *to = job->memory[BLY_MEMORY_MAPPED];
    if (!to) to = pinned;
    uint64_t *const from = b->address(pinned);
    for (uint64_t i = 0; i < COUNT; i++) from[i] = i * i;
    DO(b->copy(device, 0, pinned, 0, job->memory[BLY_MEMORY_DEVICE], 0, 8 * COUNT));
    DO(b->fence(device, 0, &job->fences[0]));
    DO(b->follow(device, 1, job->fences[0]));
    DO(b->copy(device, 1, job->memory[BLY_MEMORY_DEVICE], 0, to, 8 * COUNT, 8 * COUNT));
    DO(b->fence(device, 1, &job->fences[1]));
    DO(b->follow(device, 0, job->fences[1]));
    DO(b->fence(device, 0, &job->fences[2]));
    DO(b->fence_done(device, job->fences[1], 0, &done));
    DO(b->fence_done(device, job->fences[2], 1, &done));
    assert_int_equal(done, 1);
    DO(b->wait(device));
    memcpy(results->moved, (const uint64_t *)b->address(to) + COUNT, 8 * COUNT);
    return BAILEY_OK;
}

static void end_moves(struct job *job)
{
    for (int i = 0; i < 3; i++) {
        driver->backend->fence_free(job->device, job->fences[i]);
        driver->backend->release(job->device, job->memory[i]);
    }
}

static void end_numbers(struct job *job)
{
    bailey_bridge_destroy(job->bridge);
    bailey_buffer_destroy(job->copy);
    bailey_buffer_destroy(job->normals);
    bailey_buffer_destroy(job->words);
    bailey_context_destroy(job->context);
}

static void end_job(struct job *job)
{
    for (int i = 0; i < 2; i++) {
        if (job->device) driver->backend->unload(job->device, job->programs[i]);
        bailey_buffer_destroy(job->numbers[i]);
    }
    if (job->device) end_moves(job);
    bailey_buffer_destroy(job->adopted);
    bailey_context_destroy(job->second);
    end_numbers(job);
}

static bailey_status begin_job(struct job *job, int number, struct results *results)
{
    memset(results, 0, sizeof *results);
    DO(make_numbers(job, driver->name, results));
    DO(driver->adopt(job->context, job->words, &job->second, &job->adopted));
    if (driver->compile) DO(double_numbers(job, number, results));
    return move_numbers(job, results);
}

static const struct results *expected(void)
{
    static struct results all;
    struct job job = {0};
    if (!all.moved[1]) {
        assert_int_equal(make_numbers(&job, "cpu", &all), BAILEY_OK);
        end_numbers(&job);
        for (uint64_t i = 0; i < COUNT; i++) {
            all.doubled[i] = driver->compile ? 2 * i * i + 1 : 0;
            all.moved[i] = i * i;
        }
    }
    return &all;
}

static bailey_status run_job(struct results *results)
{
    struct job job = {0};
    const bailey_status status = begin_job(&job, serial, results);
    end_job(&job);
    return status;
}

SCENARIO(same_results)
{
    struct results results;
    assert_int_equal(run_job(&results), BAILEY_OK);
    assert_memory_equal(&results, expected(), sizeof results);
}

/* ---- Calls that fail ------------------------------------------------------------------------- */

static const struct fault_rule *rule_of(const char *function)
{
    static const struct fault_rule usual = {NULL, FAILS, {0}, 0, NULL, 0};
    const struct fault_rule *rule = driver->rules;
    while (rule->function && strcmp(rule->function, function) != 0) rule++;
    return rule->function ? rule : &usual;
}

/* The function's name without its version, or the rule's words, and the error's name. */
static void assert_says(const char *function, const struct fault_rule *rule, const char *error)
{
    const size_t length = strlen(function);
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(strstr(function, "_v2") ? length - 3 : length), function);
    assert_contains(bailey_error_message(), rule->says ? rule->says : name);
    assert_contains(bailey_error_message(), error);
}

/* The n-th call fails, of `body` that the job makes and others while it is taken down. */
static void assert_failing(const char *function, const struct fault_rule *rule, int n, int body,
                           const struct fault_rule *as, const char *error)
{
    struct results results;
    renew();
    fail_call(function, n, as->error);
    const bailey_status status = run_job(&results);
    unsetenv("STUB_FAIL");
    if (live_objects()) fail_msg("%s, call %d: %ld objects are left", function, n, live_objects());
    balanced(NULL);
    if (status == BAILEY_OK)
        assert_memory_equal(&results, expected(), sizeof results);
    else if (n > body || rule->kind == COSTS)
        fail_msg("%s, call %d of %d: %s", function, n, body, bailey_error_message());
    if (rule->kind > EITHER || n > body || (rule->kind == EITHER && n > 1 && status == BAILEY_OK)) return;
    if (status == BAILEY_OK || (status != as->status[0] && status != as->status[1]))
        fail_msg("%s, call %d of %d: %s, %s", function, n, body, bailey_status_name(status),
                 status ? bailey_error_message() : "");
    assert_says(function, rule, error);
}

static void walk_function(const struct stub_function *f, int compiler)
{
    const struct fault_rule *rule = rule_of(f->name);
    const bailey_status status = rule->status[0] ? rule->status[0] : BAILEY_ERROR_DRIVER;
    const int usual = compiler ? NVRTC_INTERNAL_ERROR : driver->error;
    const struct fault_rule as = {.status = {status, rule->status[1] ? rule->status[1] : status},
                                  .error = rule->error ? rule->error : usual};
    const struct fault_rule memory = {
        .status = {BAILEY_ERROR_MEMORY, rule->status[1] ? rule->status[1] : BAILEY_ERROR_MEMORY},
        .error = compiler ? NVRTC_OUT_OF_MEMORY : driver->memory_error};
    struct results results;
    struct job job = {0};
    renew();
    *calls_of(f->name) = 0;
    assert_int_equal(begin_job(&job, serial, &results), BAILEY_OK);
    const int body = f->calls;
    end_job(&job);
    const int all = rule->calls ? rule->calls : f->calls;
    if ((f->calls > 0) == (rule->kind == UNCALLED)) fail_msg("%s is called %d times", f->name, f->calls);
    for (int n = 1; n <= all; n++)
        assert_failing(f->name, rule, n, body, &as, compiler ? "NVRTC_ERROR_" : driver->error_begins);
    /* Memory has its own status wherever the driver says so. */
    if (rule->kind <= EITHER && body > 0 && status != BAILEY_ERROR_NO_DEVICE)
        assert_failing(f->name, rule, 1, body, &memory, "OUT_OF_");
}

/* Every call that the library can make fails once at each place: a status, the call and the error in the
 * text, and nothing is left. */
SCENARIO(each_call_fails)
{
    setenv("STUB_POLLS", "1", 1);
    for (const struct fault_rule *rule = driver->rules; rule->function; rule++)
        if (driver->compiler || strncmp(rule->function, "nvrtc", 5) != 0) calls_of(rule->function);
    for (int compiler = 0; compiler < 2; compiler++)
        for (const struct stub_function *f = functions_of(compiler); f && f->name; f++)
            walk_function(f, compiler);
}

/* Memory and queues alone, through the backends' interface. */
static bailey_status run_moves(struct results *results)
{
    const struct bly_open_params params = {.cache_dir = ""};
    struct job job = {0};
    DO(driver->backend->open(0, &params, &job.device));
    const bailey_status status = move_numbers(&job, results);
    end_moves(&job);
    driver->backend->close(job.device);
    return status;
}

/* Every allocation fails once, also those that the job can do without. */
static int fail_allocations(bailey_status (*run)(struct results *), const char *says)
{
    struct results results;
    for (int n = 1; n < 1000; n++) {
        renew();
        bly_alloc_countdown = n;
        const bailey_status status = run(&results);
        const int64_t left = bly_alloc_countdown;
        bly_alloc_countdown = 0;
        balanced(NULL);
        if (status == BAILEY_OK && run == run_job) assert_memory_equal(&results, expected(), sizeof results);
        if (status == BAILEY_OK && left > 0) return n - 1;
        if (status == BAILEY_OK) continue;
        assert_int_equal(status, BAILEY_ERROR_MEMORY);
        assert_contains(bailey_error_message(), says);
    }
    fail_msg("there is no end of allocations");
    return 0;
}

SCENARIO(each_allocation_fails)
{
    struct results results;
    assert_int_equal(run_job(&results), BAILEY_OK);
    assert_in_range(fail_allocations(run_job, "memory"), 20, 999);
    fail_allocations(run_moves, "out of memory for a");
}

/* A device that fails is not what "auto" takes. */
SCENARIO(auto_goes_on)
{
    bailey_context *context = NULL;
    bailey_device found;
    fail_call(driver->rows_built ? "clCreateContext" : "cuModuleLoadDataEx", 0, driver->error);
    assert_int_equal(bailey_context_create("auto", NULL, &context), BAILEY_OK);
    assert_int_equal(bailey_context_device(context, &found), BAILEY_OK);
    assert_string_equal(found.address, "cpu");
    bailey_context_destroy(context);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

SCENARIO(too_large)
{
    bailey_buffer *buffer = NULL;
    struct bly_memory *memory = NULL;
    bailey_context *context = open_context();
    assert_int_equal(bailey_buffer_create(context, driver->too_large, &buffer), BAILEY_ERROR_MEMORY);
    assert_null(buffer);
    for (int i = 0; i < 3 && driver->too_large_says[i]; i++)
        assert_contains(bailey_error_message(), driver->too_large_says[i]);
    assert_string_equal(bailey_context_error(context), bailey_error_message());
    assert_int_equal(driver->backend->alloc(context->device, BLY_MEMORY_PINNED, driver->too_large, &memory),
                     BAILEY_ERROR_MEMORY);
    assert_null(memory);
    assert_contains(bailey_error_message(), driver->pinned_says);
    bailey_context_destroy(context);
}

SCENARIO(no_mapped_memory)
{
    struct bly_device *device = open_device();
    struct bly_memory *memory = NULL;
    setenv("STUB_DEVICE", driver->unmapped, 1);
    assert_int_equal(driver->backend->alloc(device, BLY_MEMORY_MAPPED, 4096, &memory),
                     BAILEY_ERROR_UNSUPPORTED);
    assert_null(memory);
    for (int i = 0; i < 2; i++) assert_contains(bailey_error_message(), driver->unmapped_says[i]);
    driver->backend->close(device);
}

/* From each kind to each other, and within one, at offsets, in either queue. */
SCENARIO(kinds_of_memory)
{
    const struct bly_backend *b = driver->backend;
    struct bly_device *device = open_device();
    const int kinds = *driver->unmapped ? 3 : 2;
    const long live = live_objects();
    struct bly_memory *memory[6];
    uint64_t words[COUNT], found[COUNT - 2];
    int done = 0;
    for (int i = 0; i < 2 * kinds; i++) {
        assert_int_equal(b->alloc(device, (enum bly_memory_kind)(i % kinds), sizeof words, &memory[i]),
                         BAILEY_OK);
        assert_int_equal(b->address(memory[i]) == NULL, i % kinds == BLY_MEMORY_DEVICE);
    }
    assert_int_equal(live_objects(), live + 2 * kinds);
    for (int from = 0; from < kinds; from++)
        for (int to = kinds; to < 2 * kinds; to++) {
            struct bly_fence *fence = NULL;
            for (uint64_t i = 0; i < COUNT; i++)
                words[i] = 100000 * (uint64_t)from + 10000 * (uint64_t)to + i;
            assert_int_equal(b->write(device, memory[from], 0, words, sizeof words), BAILEY_OK);
            if (from != BLY_MEMORY_DEVICE) assert_memory_equal(b->address(memory[from]), words, sizeof words);
            assert_int_equal(b->wait(device), BAILEY_OK);
            assert_int_equal(b->copy(device, (uint32_t)to % 2, memory[from], 16, memory[to], 8, sizeof found),
                             BAILEY_OK);
            assert_int_equal(b->fence(device, (uint32_t)to % 2, &fence), BAILEY_OK);
            assert_int_equal(b->fence_done(device, fence, 1, &done), BAILEY_OK);
            assert_int_equal(done, 1);
            b->fence_free(device, fence);
            assert_int_equal(b->read(device, memory[to], 8, found, sizeof found), BAILEY_OK);
            assert_memory_equal(found, words + 2, sizeof found);
        }
    for (int i = 0; i < 2 * kinds; i++) b->release(device, memory[i]);
    b->release(device, NULL);
    b->close(device);
}

/* Queued work may still use memory when it is released, if the driver does not prevent that. */
SCENARIO(release_waits)
{
    const struct bly_backend *b = driver->backend;
    struct bly_device *device = open_device();
    struct bly_memory *memory[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(b->alloc(device, i ? BLY_MEMORY_PINNED : BLY_MEMORY_DEVICE, 4096, &memory[i]),
                         BAILEY_OK);
    assert_int_equal(b->copy(device, 1, memory[0], 0, memory[1], 0, 4096), BAILEY_OK);
    for (int i = 0; i < 2; i++) {
        *calls_of(driver->waits) = 0;
        b->release(device, memory[i]);
        assert_int_equal(*calls_of(driver->waits), driver->waits_to_release[i]);
    }
    b->close(device);
}

/* ---- Queues and fences ----------------------------------------------------------------------- */

/* The second queue is made when it is used, and once. */
SCENARIO(second_queue)
{
    const struct bly_backend *b = driver->backend;
    struct bly_device *device = open_device();
    const long live = live_objects();
    struct bly_fence *fence = NULL;
    assert_int_equal(device->queues, 2);
    assert_int_equal(device->tuning->chunk_bytes, 512 << 20);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(b->fence(device, 1, &fence), BAILEY_OK);
        assert_int_equal(b->follow(device, 0, fence), BAILEY_OK);
        b->fence_free(device, fence);
        assert_int_equal(live_objects(), live + 1 + driver->keeps_events);
    }
    *calls_of(driver->waits) = 0;
    assert_int_equal(b->wait(device), BAILEY_OK);
    assert_int_equal(*calls_of(driver->waits), 2);
    b->unload(device, NULL);
    b->fence_free(device, NULL);
    b->close(device);
}

SCENARIO(fences_are_polled)
{
    const struct bly_backend *b = driver->backend;
    struct bly_device *device = open_device();
    struct bly_fence *fence = NULL;
    int done = -1;
    setenv("STUB_POLLS", "2", 1);
    for (uint32_t queue = 0; queue < 2; queue++) {
        assert_int_equal(b->fence(device, queue, &fence), BAILEY_OK);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(b->fence_done(device, fence, 0, &done), BAILEY_OK);
            assert_int_equal(done, i == 2);
        }
        b->fence_free(device, fence);
        assert_int_equal(b->fence(device, queue, &fence), BAILEY_OK);
        assert_int_equal(b->fence_done(device, fence, 0, &done), BAILEY_OK);
        assert_int_equal(done, 0);
        assert_int_equal(b->fence_done(device, fence, 1, &done), BAILEY_OK);
        assert_int_equal(done, 1);
        b->fence_free(device, fence);
    }
    b->close(device);
}

FIXTURE(NULL, balanced)
