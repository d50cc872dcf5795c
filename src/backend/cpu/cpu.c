/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The CPU backend: the kernels in C, on threads of its own, at the widest instruction set that the processor
 * has. BAILEY_CPU_LEVEL (baseline, avx2, avx512) chooses a lower one.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "cpu.h"

#include <backend/backend.h>

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

struct level {
    const char *name;
    const struct bly_cpu_kernel *kernels[2]; /* of 4 and of 8 byte lanes */
};

static const struct level levels[] = {
#if defined(BLY_CPU_SCALAR)
    {"scalar", {bly_cpu_kernels_scalar_4, bly_cpu_kernels_scalar_8}},
#else
    {"baseline", {bly_cpu_kernels_baseline_4, bly_cpu_kernels_baseline_8}},
#endif
#if defined(BLY_CPU_X86)
    {"avx2", {bly_cpu_kernels_avx2_4, bly_cpu_kernels_avx2_8}},
    {"avx512", {bly_cpu_kernels_avx512_4, bly_cpu_kernels_avx512_8}},
#endif
};

static int best_level(void)
{
#if defined(BLY_CPU_X86)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 0;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl"))
        return 1;
    return 2;
#else
    return 0;
#endif
}

static int chosen_level(void)
{
    const int best = best_level();
    const char *wanted = getenv("BAILEY_CPU_LEVEL");
    for (int i = 0; wanted && i <= best; i++)
        if (strcmp(wanted, levels[i].name) == 0) return i;
    return best;
}

/* OMP_NUM_THREADS may be a list, for nested regions of OpenMP; its first number counts. 0: not a number. */
static unsigned wanted_threads(const char *text)
{
    char *end;
    const long number = strtol(text, &end, 10);
    end += strspn(end, " \t");
    if ((*end && *end != ',') || number < 1) return 0;
    return number < 4096 ? (unsigned)number : 4096;
}

/* Whether the environment's wishes are well formed. A level that this processor lacks is: it means the best
 * below it. */
static bailey_status check_environment(unsigned threads)
{
    const char *const names[] = {"baseline", "avx2", "avx512", levels[0].name};
    const char *level = getenv("BAILEY_CPU_LEVEL"), *count = getenv("OMP_NUM_THREADS");
    size_t i = 0;
    while (level && i < sizeof names / sizeof *names && strcmp(level, names[i]) != 0) i++;
    if (level && *level && i == sizeof names / sizeof *names)
        return bly_fail(BAILEY_ERROR_INVALID, "BAILEY_CPU_LEVEL: \"%.64s\" is none of baseline, avx2, avx512",
                        level);
    if (threads == 0 && count && *count && !wanted_threads(count))
        return bly_fail(BAILEY_ERROR_INVALID,
                        "OMP_NUM_THREADS: \"%.64s\" is not a whole number from 1 on: the threads to use",
                        count);
    return BAILEY_OK;
}

/* A launch, cut into tasks of a row's items; threads take the next one until there is none. */
struct job {
    bly_cpu_function function;
    const void *params;
    void *const *data;
    uint64_t items, chunk, chunks, tasks;
    _Atomic uint64_t next;
};

/* Helpers wait for `turn` to change, and help the caller of launch while the job is open; one that wakes too
 * late is not waited for. They are the device's own, not OpenMP's: libgomp ends the process when it gets no
 * thread, hangs in a child after fork, and keeps threads that crash when a program closes the library. */
struct cpu_device {
    struct bly_device base;
    const struct level *level;
    unsigned threads; /* the caller and the helpers */
    pthread_t *helpers;
    pid_t owner; /* a child after fork has no helpers */
    pthread_mutex_t mutex;
    pthread_cond_t begin, end;
    uint64_t turn;
    unsigned busy; /* helpers at work */
    int open, stop;
    struct job job;
};

/* OMP_NUM_THREADS, else the processors that this process may use. */
static unsigned machine_threads(void)
{
    const char *wanted = getenv("OMP_NUM_THREADS");
    const unsigned number = wanted ? wanted_threads(wanted) : 0;
    if (number > 0) return number;
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return (unsigned)CPU_COUNT(&set);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}

/* Runs the next task; 0 if there is none. */
static int run_task(struct job *job)
{
    const uint64_t task = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
    if (task >= job->tasks) return 0;
    const uint64_t first = task % job->chunks * job->chunk, end = first + job->chunk;
    job->function(job->params, job->data, first, end < job->items ? end : job->items, task / job->chunks);
    return 1;
}

static void *help(void *argument)
{
    struct cpu_device *device = argument;
    uint64_t seen = 0;
    fesetenv(FE_DFL_ENV);
    pthread_mutex_lock(&device->mutex);
    for (;;) {
        while (device->turn == seen && !device->stop) pthread_cond_wait(&device->begin, &device->mutex);
        if (device->stop) break;
        seen = device->turn;
        if (!device->open) continue;
        device->busy++;
        pthread_mutex_unlock(&device->mutex);
        while (run_task(&device->job)) continue;
        pthread_mutex_lock(&device->mutex);
        if (--device->busy == 0) pthread_cond_signal(&device->end);
    }
    pthread_mutex_unlock(&device->mutex);
    return NULL;
}

static size_t cpu_probe(char *why, size_t why_size)
{
    (void)why;
    (void)why_size;
    return 1;
}

/* The processor's name for people; empty where the system does not tell. */
static void processor_name(char *name, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    snprintf(name, size, "host processor");
    while (file && fgets(line, sizeof line, file)) {
        char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !value) continue;
        value += strspn(value, ": ");
        value[strcspn(value, "\n")] = 0;
        snprintf(name, size, "%s", value);
        break;
    }
    if (file) fclose(file);
}

static void cpu_describe(size_t index, bailey_device *device)
{
    (void)index;
    memset(device, 0, sizeof *device);
    snprintf(device->address, sizeof device->address, "cpu");
    processor_name(device->name, sizeof device->name);
    device->kind = BAILEY_DEVICE_KIND_CPU;
    device->usable = 1;
    device->has_f64 = 1;
    device->units = machine_threads();
    device->memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGE_SIZE);
    device->allocation_bytes = device->memory_bytes;
    snprintf(device->driver, sizeof device->driver, "C, %s", levels[chosen_level()].name);
    if (check_environment(0) != BAILEY_OK) {
        device->usable = 0;
        snprintf(device->reason, sizeof device->reason, "%s", bailey_error_text());
    }
}

/* Kernels keep up to 160 KB on the stack. The system's default is less with musl, or under a low limit. */
#define HELPER_STACK ((size_t)1 << 20)

static bailey_status cpu_open(size_t index, const struct bly_open_params *params, struct bly_device **out)
{
    const bailey_status status = check_environment(params->threads);
    if (status != BAILEY_OK) return status;
    struct cpu_device *device = calloc(1, sizeof *device);
    if (!device) return bly_fail(BAILEY_ERROR_MEMORY, "cpu: out of memory");
    device->base.backend = &bly_backend_cpu;
    cpu_describe(index, &device->base.info);
    device->base.info.usable = 1; /* whatever OMP_NUM_THREADS says, where the caller does */
    device->base.info.reason[0] = 0;
    device->level = &levels[chosen_level()];
    const unsigned wanted = params->threads ? params->threads : device->base.info.units;
    device->helpers = calloc(wanted, sizeof *device->helpers);
    if (!device->helpers) {
        free(device);
        return bly_fail(BAILEY_ERROR_MEMORY, "cpu: out of memory");
    }
    device->owner = getpid();
    pthread_mutex_init(&device->mutex, NULL);
    pthread_cond_init(&device->begin, NULL);
    pthread_cond_init(&device->end, NULL);
    /* Signals are the program's threads' business. */
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_attr_t attributes;
    const int known = pthread_attr_init(&attributes) == 0;
    size_t stack = 0;
    if (known && pthread_attr_getstacksize(&attributes, &stack) == 0 && stack < HELPER_STACK)
        pthread_attr_setstacksize(&attributes, HELPER_STACK);
    for (device->threads = 1; device->threads < wanted; device->threads++)
        if (pthread_create(&device->helpers[device->threads - 1], known ? &attributes : NULL, help, device) !=
            0)
            break;
    if (known) pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (device->threads < wanted)
        bly_log(1, "cpu: %u threads instead of %u, the system gives no more", device->threads, wanted);
    device->base.info.units = device->threads;
    *out = &device->base;
    return BAILEY_OK;
}

static void cpu_close(struct bly_device *base)
{
    struct cpu_device *device = (struct cpu_device *)base;
    if (device->owner == getpid()) {
        pthread_mutex_lock(&device->mutex);
        device->stop = 1;
        pthread_cond_broadcast(&device->begin);
        pthread_mutex_unlock(&device->mutex);
        for (unsigned i = 0; i + 1 < device->threads; i++) pthread_join(device->helpers[i], NULL);
        pthread_cond_destroy(&device->end);
        pthread_cond_destroy(&device->begin);
        pthread_mutex_destroy(&device->mutex);
    }
    free(device->helpers);
    free(device);
}

struct bly_memory {
    void *data;
    int owned;
};

#define CPU_ALIGNMENT 64

static bailey_status cpu_alloc(struct bly_device *device, uint64_t bytes, struct bly_memory **out)
{
    if (bytes > device->info.memory_bytes)
        return bly_fail(BAILEY_ERROR_MEMORY, "%llu bytes asked, the machine has %llu",
                        (unsigned long long)bytes, (unsigned long long)device->info.memory_bytes);
    struct bly_memory *memory = calloc(1, sizeof *memory);
    if (memory)
        memory->data =
            aligned_alloc(CPU_ALIGNMENT, (bytes + CPU_ALIGNMENT - 1) / CPU_ALIGNMENT * CPU_ALIGNMENT);
    if (!memory || !memory->data) {
        free(memory);
        return bly_fail(BAILEY_ERROR_MEMORY, "%llu bytes asked, the system refused",
                        (unsigned long long)bytes);
    }
    memory->owned = 1;
    *out = memory;
    return BAILEY_OK;
}

static bailey_status cpu_adopt(struct bly_device *device, void *native, uint64_t bytes,
                               struct bly_memory **out)
{
    (void)device;
    (void)bytes;
    struct bly_memory *memory = calloc(1, sizeof *memory);
    if (!memory) return bly_fail(BAILEY_ERROR_MEMORY, "cpu: out of memory");
    memory->data = native;
    *out = memory;
    return BAILEY_OK;
}

static void cpu_release(struct bly_device *device, struct bly_memory *memory)
{
    (void)device;
    if (!memory) return;
    if (memory->owned) free(memory->data);
    free(memory);
}

static bailey_status cpu_write(struct bly_device *device, struct bly_memory *memory, uint64_t offset,
                               const void *source, uint64_t bytes)
{
    (void)device;
    memcpy((char *)memory->data + offset, source, bytes);
    return BAILEY_OK;
}

static bailey_status cpu_read(struct bly_device *device, struct bly_memory *memory, uint64_t offset,
                              void *destination, uint64_t bytes)
{
    (void)device;
    memcpy(destination, (const char *)memory->data + offset, bytes);
    return BAILEY_OK;
}

/* Waking a helper costs some ten microseconds, and as long again until it works: work that the caller ends
 * sooner is not shared. */
#define SHARED_SECONDS 30e-6

/* Runs tasks until there are none, or until those that are left would take the caller long. Returns whether
 * there are any. */
static int run_alone(struct job *job)
{
    const double begun = bly_seconds();
    for (uint64_t done = 1; run_task(job); done++) {
        const double each = (bly_seconds() - begun) / (double)done;
        if (each * (double)(job->tasks - done) > SHARED_SECONDS) return done < job->tasks;
    }
    return 0;
}

static void run_with_helpers(struct cpu_device *device)
{
    pthread_mutex_lock(&device->mutex);
    device->open = 1;
    device->turn++;
    pthread_cond_broadcast(&device->begin);
    pthread_mutex_unlock(&device->mutex);
    while (run_task(&device->job)) continue;
    pthread_mutex_lock(&device->mutex);
    device->open = 0;
    while (device->busy) pthread_cond_wait(&device->end, &device->mutex);
    pthread_mutex_unlock(&device->mutex);
}

/* Runs items x rows on the threads, in chunks small enough to balance them, and of `most` items at most,
 * which cost nothing to hand out. */
static void run_together(struct cpu_device *device, bly_cpu_function function, const void *params,
                         void *const *data, uint64_t items, uint64_t rows, uint64_t most)
{
    uint64_t chunk = items * rows / ((uint64_t)device->threads * 16);
    if (chunk > most) chunk = most;
    if (chunk < 1) chunk = 1;
    struct job *job = &device->job;
    job->function = function;
    job->params = params;
    job->data = data;
    job->items = items;
    job->chunk = chunk;
    job->chunks = (items + chunk - 1) / chunk;
    job->tasks = job->chunks * rows;
    atomic_store(&job->next, 0);
    /* Rounding and denormals as IEEE 754 has them, whatever this thread was set to. */
    fenv_t callers;
    fegetenv(&callers);
    fesetenv(FE_DFL_ENV);
    const int helped = device->threads > 1 && device->owner == getpid();
    if (!helped)
        while (run_task(job)) continue;
    else if (run_alone(job))
        run_with_helpers(device);
    fesetenv(&callers);
}

/* A copy or a fill; an item is a piece of it. */
struct transfer {
    uint64_t bytes, piece;
    int value;
};

static uint64_t piece_bytes(const struct transfer *transfer, uint64_t begin)
{
    const uint64_t left = transfer->bytes - begin;
    return left < transfer->piece ? left : transfer->piece;
}

static void copy_pieces(const void *params, void *const *data, uint64_t first, uint64_t last, uint64_t row)
{
    const struct transfer *transfer = params;
    (void)row;
    for (uint64_t begin = first * transfer->piece; first < last; first++, begin += transfer->piece)
        memcpy((char *)data[1] + begin, (const char *)data[0] + begin, piece_bytes(transfer, begin));
}

static void fill_pieces(const void *params, void *const *data, uint64_t first, uint64_t last, uint64_t row)
{
    const struct transfer *transfer = params;
    (void)row;
    for (uint64_t begin = first * transfer->piece; first < last; first++, begin += transfer->piece)
        memset((char *)data[0] + begin, transfer->value, piece_bytes(transfer, begin));
}

/* A few large pieces a thread: the C library writes around the caches when it is asked for much at once. */
static void run_transfer(struct cpu_device *device, bly_cpu_function function, void *const *data,
                         uint64_t bytes, int value)
{
    struct transfer transfer = {bytes, bytes / ((uint64_t)device->threads * 4), value};
    transfer.piece = (transfer.piece + 63) / 64 * 64;
    if (transfer.piece < 1 << 16) transfer.piece = 1 << 16;
    run_together(device, function, &transfer, data, (bytes + transfer.piece - 1) / transfer.piece, 1, 256);
}

static bailey_status cpu_copy(struct bly_device *device, struct bly_memory *source, uint64_t source_offset,
                              struct bly_memory *destination, uint64_t destination_offset, uint64_t bytes)
{
    void *const data[] = {(char *)source->data + source_offset,
                          (char *)destination->data + destination_offset};
    run_transfer((struct cpu_device *)device, copy_pieces, data, bytes, 0);
    return BAILEY_OK;
}

static bailey_status cpu_fill(struct bly_device *device, struct bly_memory *memory, uint64_t offset,
                              uint8_t value, uint64_t bytes)
{
    void *const data[] = {(char *)memory->data + offset};
    run_transfer((struct cpu_device *)device, fill_pieces, data, bytes, value);
    return BAILEY_OK;
}

static bailey_status cpu_launch(struct bly_device *base, const struct bly_kernel *kernel, uint64_t groups,
                                uint64_t rows, const void *params, size_t params_size,
                                struct bly_memory *const *buffers)
{
    struct cpu_device *device = (struct cpu_device *)base;
    const struct bly_cpu_kernel *found = &device->level->kernels[kernel->lane_bytes == 8][kernel->row];
    if (!kernel->entry) return bly_fail(BAILEY_ERROR_UNSUPPORTED, "cpu has no compiler for %s", kernel->name);
    void *data[BLY_MAX_BUFFERS] = {0};
    for (uint32_t i = 0; i < kernel->buffers; i++) data[i] = buffers[i] ? buffers[i]->data : NULL;
    (void)params_size;

    const uint32_t packs = found->lanes > 1 && kernel->packs ? kernel->packs : 1;
    const uint64_t share = kernel->team ? 1 : (uint64_t)found->lanes * packs;
    run_together(device, found->function, params, data, (groups + share - 1) / share, rows,
                 kernel->team ? 8 : 256 / packs);
    return BAILEY_OK;
}

static bailey_status cpu_sync(struct bly_device *device)
{
    (void)device;
    return BAILEY_OK;
}

const struct bly_backend bly_backend_cpu = {
    .name = "cpu",
    .address_form = "cpu",
    .opens_to_explain = 1,
    .adopts_host = 1,
    .probe = cpu_probe,
    .describe = cpu_describe,
    .open = cpu_open,
    .close = cpu_close,
    .alloc = cpu_alloc,
    .adopt = cpu_adopt,
    .release = cpu_release,
    .write = cpu_write,
    .read = cpu_read,
    .copy = cpu_copy,
    .fill = cpu_fill,
    .launch = cpu_launch,
    .sync = cpu_sync,
};
