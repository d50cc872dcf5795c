/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The CPU backend: the kernels in C, on its own threads, at the widest instruction set that the processor
 * has. BAILEY_CPU_LEVEL (baseline, avx2, avx512) chooses a lower one.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "cpu.h"
#include "cpu_levels.h"
#include "cpu_program.h"
#include "cpu_tuning.h"

#include <backend/backend.h>
#include <backend/cache.h>
#include <backend/rows.h>

#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

struct isa {
    const char *name;
    const struct bly_cpu_kernel *kernels[2]; /* of 4 and of 8 byte lanes */
    const char *const *options;              /* of compilers, for texts; end with NULL */
    int (*runs)(void);                       /* on this processor */
    int (*runs_half)(void);                  /* whether it has instructions for half precision; or NULL */
};

/* As in CMakeLists.txt. */
static const char *const no_options[] = {NULL};
#if defined(BLY_CPU_AVX2)
static const char *const avx2_options[] = {"-mavx2", "-mfma", NULL};
#endif
#if defined(BLY_CPU_AVX512)
static const char *const avx512_options[] = {
    "-mavx2", "-mfma", "-mavx512f", "-mavx512dq", "-mavx512bw", "-mavx512vl", "-mprefer-vector-width=512",
    NULL};
#endif

static const struct isa isas[] = {
#if defined(BLY_CPU_SCALAR)
    {"scalar", {bly_cpu_kernels_scalar_4, bly_cpu_kernels_scalar_8}, no_options, bly_cpu_runs_baseline, NULL},
#else
    {"baseline", {bly_cpu_kernels_baseline_4, bly_cpu_kernels_baseline_8}, no_options, bly_cpu_runs_baseline, NULL},
#endif
#if defined(BLY_CPU_AVX2)
    {"avx2", {bly_cpu_kernels_avx2_4, bly_cpu_kernels_avx2_8}, avx2_options, bly_cpu_runs_avx2, NULL},
#endif
#if defined(BLY_CPU_AVX512)
    {"avx512", {bly_cpu_kernels_avx512_4, bly_cpu_kernels_avx512_8}, avx512_options, bly_cpu_runs_avx512,
     bly_cpu_runs_half},
#endif
};

static int best_isa(void)
{
    int best = (int)(sizeof isas / sizeof *isas) - 1;
    while (!isas[best].runs()) best--;
    return best;
}

static int chosen_isa(void)
{
    const int best = best_isa();
    const char *wanted = getenv("BAILEY_CPU_LEVEL");
    for (int i = 0; wanted && i <= best; i++)
        if (strcmp(wanted, isas[i].name) == 0) return i;
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

/* Whether the environment's wishes are well formed. A level that this processor or the build lacks
 * is: it means the best. */
static bailey_status check_environment(unsigned threads)
{
    const char *const names[] = {"baseline", "avx2", "avx512", isas[0].name};
    const char *wanted = getenv("BAILEY_CPU_LEVEL"), *count = getenv("OMP_NUM_THREADS");
    size_t i = 0;
    while (wanted && i < sizeof names / sizeof *names && strcmp(wanted, names[i]) != 0) i++;
    if (wanted && *wanted && i == sizeof names / sizeof *names)
        return bly_fail(BAILEY_ERROR_INVALID,
                        "BAILEY_CPU_LEVEL: unknown level \"%.64s\"; choose baseline, avx2 or avx512", wanted);
    if (threads == 0 && count && *count && !wanted_threads(count))
        return bly_fail(BAILEY_ERROR_INVALID, "OMP_NUM_THREADS: \"%.64s\" is not a positive integer", count);
    return BAILEY_OK;
}

/* A launch, cut into tasks of a row's items; threads take the next one until there is none. The first task is
 * without the items that were run to see how long they take. */
struct job {
    bly_cpu_function function;
    const void *params;
    void *const *data;
    uint64_t items, chunk, chunks, tasks, tried;
    _Atomic uint64_t next;
    int stopped; /* as the caller's function asked */
};

/* Helpers wait for `turn` to change, and help the caller of launch while the job is open; one that wakes too
 * late is not waited for. They are the device's own, not OpenMP's: libgomp ends the process when it gets no
 * thread, hangs in a child after fork, and keeps threads that crash when a program closes the library. */
struct cpu_device {
    struct bly_device base;
    struct bly_tuning tuning;
    char *cache_dir; /* as bly_open_params; the cache is opened where a compiler is asked for */
    int cache, cache_opened;
    const struct isa *isa;
    unsigned threads; /* the caller and the helpers */
    pthread_t *helpers;
    pid_t owner; /* a child after fork has no helpers */
    pthread_mutex_t mutex;
    pthread_cond_t begin, end;
    uint64_t turn;
    unsigned busy; /* helpers that are running a task */
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
    const uint64_t begin = task % job->chunks * job->chunk, end = begin + job->chunk;
    const uint64_t first = task == 0 ? job->tried : begin;
    job->function(job->params, job->data, first, end < job->items ? end : job->items, task / job->chunks);
    return 1;
}

/* Runs the next task of a launch in the caller's thread, and asks the caller's function whether to continue;
 * 0 if no task is left. */
static int run_callers_task(struct cpu_device *device)
{
    struct job *job = &device->job;
    if (!run_task(job)) return 0;
    if (!bly_watch_stops(&device->base.watch)) return 1;
    job->stopped = 1;
    atomic_store(&job->next, job->tasks);
    return 0;
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
    snprintf(device->driver, sizeof device->driver, "C, %s", isas[chosen_isa()].name);
    if (check_environment(0) != BAILEY_OK) {
        device->usable = 0;
        snprintf(device->reason, sizeof device->reason, "%s", bailey_error_message());
    }
}

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
    device->isa = &isas[chosen_isa()];
    const unsigned wanted = params->threads ? params->threads : device->base.info.units;
    device->helpers = calloc(wanted, sizeof *device->helpers);
    device->cache_dir = params->cache_dir ? strdup(params->cache_dir) : NULL;
    device->cache = BLY_CACHE_NONE;
    if (!device->helpers || (params->cache_dir && !device->cache_dir)) {
        free(device->helpers);
        free(device->cache_dir);
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
    if (known && pthread_attr_getstacksize(&attributes, &stack) == 0 && stack < BLY_CPU_STACK)
        pthread_attr_setstacksize(&attributes, BLY_CPU_STACK);
    for (device->threads = 1; device->threads < wanted; device->threads++)
        if (pthread_create(&device->helpers[device->threads - 1], known ? &attributes : NULL, help, device) !=
            0)
            break;
    if (known) pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (device->threads < wanted)
        bly_log(1, "cpu: %u threads instead of %u; the system provides no more", device->threads, wanted);
    device->base.info.units = device->threads;
    device->tuning = bly_cpu_tuning(device->threads);
    device->base.tuning = &device->tuning;
    device->base.queues = 1;
    device->base.rounds_roots = 1;
    device->base.has_rows = 1;
    device->base.sees_pinned = 1;
    device->base.params_bytes = BLY_MAX_PARAMS;
    device->base.calls_rows = 1;
    device->base.shared_bytes = BLY_CPU_SHARED_MOST;
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
    bly_cache_close(device->cache);
    free(device->cache_dir);
    free(device->helpers);
    free(device);
}

struct bly_memory {
    void *data;
    int owned;
};

#define CPU_ALIGNMENT 64
#define CPU_HUGE_PAGE (UINT64_C(2) << 20)

/* Memory for `bytes`, NULL where the system refuses; from four huge pages on it is asked for such. Step-major
 * kernels visit one row after the other, each on a separate page: 16 dimensions gained a tenth. */
static void *cpu_memory(uint64_t bytes)
{
    const uint64_t alignment = bytes >= 4 * CPU_HUGE_PAGE ? CPU_HUGE_PAGE : CPU_ALIGNMENT;
    void *data = NULL;
    if (bytes > SIZE_MAX || posix_memalign(&data, (size_t)alignment, (size_t)bytes) != 0) return NULL;
#if defined(MADV_HUGEPAGE)
    if (alignment == CPU_HUGE_PAGE) (void)madvise(data, (size_t)bytes, MADV_HUGEPAGE);
#endif
    return data;
}

/* All kinds are the same: kernels and the host see one memory. */
static bailey_status cpu_alloc(struct bly_device *device, enum bly_memory_kind kind, uint64_t bytes,
                               struct bly_memory **out)
{
    (void)kind;
    if (bytes > device->info.memory_bytes)
        return bly_fail(BAILEY_ERROR_MEMORY, "%llu bytes requested; the machine has %llu",
                        (unsigned long long)bytes, (unsigned long long)device->info.memory_bytes);
    struct bly_memory *memory = calloc(1, sizeof *memory);
    if (memory) memory->data = cpu_memory(bytes);
    if (!memory || !memory->data) {
        free(memory);
        return bly_fail(BAILEY_ERROR_MEMORY, "%llu bytes requested; the system refused",
                        (unsigned long long)bytes);
    }
    memory->owned = 1;
    *out = memory;
    return BAILEY_OK;
}

static void *cpu_address(struct bly_memory *memory) { return memory->data; }

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

/* Cuts a launch into tasks of `chunk` items. */
static void cut(struct job *job, uint64_t chunk)
{
    const uint64_t rows = job->chunks ? job->tasks / job->chunks : job->tasks;
    job->chunk = chunk;
    job->chunks = (job->items + chunk - 1) / chunk;
    job->tasks = job->chunks * rows;
}

/* Cuts tasks of items that take `each` seconds so short that the caller's function is asked in time. */
static void cut_for_watch(struct job *job, double each)
{
    const uint64_t most =
        each * (double)job->chunk > BLY_WATCH_SECONDS ? (uint64_t)(BLY_WATCH_SECONDS / each) : job->chunk;
    if (most >= job->chunk) return;
    cut(job, most > 0 ? most : 1);
    if (job->tried > job->chunk) job->tried = 0;
}

/* Runs tasks until there are none, or until those that are left would take the caller long, as the first
 * `few` items tell, which are fewer than a task. Returns whether there are any. */
static int run_alone(struct cpu_device *device, uint64_t few)
{
    struct job *job = &device->job;
    const double begun = bly_seconds();
    job->tried = few < job->chunk ? few : job->chunk;
    job->function(job->params, job->data, 0, job->tried, 0);
    const double left = (double)job->items * (double)(job->tasks / job->chunks) - (double)job->tried;
    const double item = (bly_seconds() - begun) / (double)job->tried;
    if (device->base.watch.function) cut_for_watch(job, item);
    if (item * left > BLY_CPU_SHARED_SECONDS) return 1;
    for (uint64_t done = 1; run_callers_task(device); done++) {
        const double each = (bly_seconds() - begun) / (double)done;
        if (each * (double)(job->tasks - done) > BLY_CPU_SHARED_SECONDS) return done < job->tasks;
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
    while (run_callers_task(device)) continue;
    pthread_mutex_lock(&device->mutex);
    device->open = 0;
    while (device->busy) pthread_cond_wait(&device->end, &device->mutex);
    pthread_mutex_unlock(&device->mutex);
}

/* Runs items x rows on the threads, in chunks small enough to balance them, and of `most` items at most,
 * which cost nothing to hand out. */
static bailey_status run_together(struct cpu_device *device, bly_cpu_function function, const void *params,
                                  void *const *data, uint64_t items, uint64_t rows, uint64_t most)
{
    uint64_t chunk = items * rows / ((uint64_t)device->threads * BLY_CPU_TASKS);
    if (chunk > most) chunk = most;
    if (chunk > items) chunk = items;
    if (chunk < 1) chunk = 1;
    struct job *job = &device->job;
    *job = (struct job){.function = function, .params = params, .data = data, .items = items, .tasks = rows};
    cut(job, chunk);
    /* Rounding and denormals as IEEE 754 has them, whatever this thread was set to. */
    fenv_t callers;
    fegetenv(&callers);
    fesetenv(FE_DFL_ENV);
    const int helped = device->threads > 1 && device->owner == getpid();
    if (!helped && !device->base.watch.function)
        while (run_task(job)) continue;
    else if (run_alone(device, most / BLY_CPU_TRIED ? most / BLY_CPU_TRIED : 1)) {
        if (helped)
            run_with_helpers(device);
        else
            while (run_callers_task(device)) continue;
    }
    fesetenv(&callers);
    return job->stopped ? bly_watch_stopped() : BAILEY_OK;
}

/* A copy or a fill; an item is a chunk of it. */
struct transfer {
    uint64_t bytes, chunk;
    int value;
};

static uint64_t chunk_bytes(const struct transfer *transfer, uint64_t begin)
{
    const uint64_t left = transfer->bytes - begin;
    return left < transfer->chunk ? left : transfer->chunk;
}

static void copy_chunks(const void *params, void *const *data, uint64_t first, uint64_t last, uint64_t row)
{
    const struct transfer *transfer = params;
    (void)row;
    for (uint64_t begin = first * transfer->chunk; first < last; first++, begin += transfer->chunk)
        memcpy((char *)data[1] + begin, (const char *)data[0] + begin, chunk_bytes(transfer, begin));
}

static void fill_chunks(const void *params, void *const *data, uint64_t first, uint64_t last, uint64_t row)
{
    const struct transfer *transfer = params;
    (void)row;
    for (uint64_t begin = first * transfer->chunk; first < last; first++, begin += transfer->chunk)
        memset((char *)data[0] + begin, transfer->value, chunk_bytes(transfer, begin));
}

static bailey_status run_transfer(struct cpu_device *device, bly_cpu_function function, void *const *data,
                                  uint64_t bytes, int value)
{
    struct transfer transfer = {bytes, bytes / ((uint64_t)device->threads * BLY_CPU_CHUNKS), value};
    transfer.chunk = (transfer.chunk + 63) / 64 * 64;
    if (transfer.chunk < BLY_CPU_CHUNK_LEAST) transfer.chunk = BLY_CPU_CHUNK_LEAST;
    return run_together(device, function, &transfer, data, (bytes + transfer.chunk - 1) / transfer.chunk, 1,
                        256);
}

static bailey_status cpu_copy(struct bly_device *device, uint32_t queue, struct bly_memory *source,
                              uint64_t source_offset, struct bly_memory *destination,
                              uint64_t destination_offset, uint64_t bytes)
{
    (void)queue;
    void *const data[] = {(char *)source->data + source_offset,
                          (char *)destination->data + destination_offset};
    return run_transfer((struct cpu_device *)device, copy_chunks, data, bytes, 0);
}

static bailey_status cpu_fill(struct bly_device *device, struct bly_memory *memory, uint64_t offset,
                              uint8_t value, uint64_t bytes)
{
    void *const data[] = {(char *)memory->data + offset};
    return run_transfer((struct cpu_device *)device, fill_chunks, data, bytes, value);
}

/* ---- Programs -------------------------------------------------------------------------------- */

/* A kernel of a program, with what a launch asks of it. */
struct entry {
    bly_cpu_function function;
    bly_cpu_text_function text_function; /* of a text's */
    uint64_t share;                      /* groups of the launch that an item takes */
    uint64_t most;                       /* items that are handed out at once */
    uint32_t buffers;                    /* of its arguments */
    uint32_t block, shared_bytes;        /* of a text's */
};

struct bly_program {
    struct bly_cpu_library *library; /* of a text */
    uint32_t count;
    struct entry entries[];
};

static struct entry row_entry(const struct cpu_device *device, const struct bly_kernel *kernel)
{
    const struct bly_cpu_kernel *row = &device->isa->kernels[kernel->lane_bytes == 8][kernel->row];
    if (!row->function)
        row -= BLY_DRAW_box_muller_fast_f32 - BLY_DRAW_box_muller_f32; /* a fast form: the exact one */
    const uint32_t packs = row->lanes > 1 && kernel->packs ? kernel->packs : 1;
    return (struct entry){.function = row->function,
                          .share = kernel->team ? 1 : (uint64_t)row->lanes * packs,
                          .most = kernel->team ? BLY_CPU_TEAMS_AT_ONCE : BLY_CPU_PACKS_AT_ONCE / packs,
                          .buffers = kernel->buffers};
}

static void run_text_groups(const void *params, void *const *data, uint64_t first, uint64_t last,
                            uint64_t row)
{
    (void)data, (void)row;
    bly_cpu_run_groups(*(struct bly_cpu_text_launch *const *)params, first, last);
}

/* An item of the launch is a group of the text's. */
static struct entry text_entry(const struct bly_kernel *kernel, bly_cpu_text_function function)
{
    return (struct entry){.function = run_text_groups,
                          .text_function = function,
                          .share = kernel->block,
                          .most = kernel->block > 1 ? BLY_CPU_GROUPS_AT_ONCE : BLY_CPU_PACKS_AT_ONCE,
                          .buffers = kernel->buffers,
                          .block = kernel->block,
                          .shared_bytes = bly_shared_bytes(kernel)};
}

static void open_cache(struct cpu_device *device)
{
    if (!device->cache_opened) device->cache = bly_cache_open(device->cache_dir);
    device->cache_opened = 1;
}

static bailey_status load_text(struct cpu_device *device, const struct bly_code *code,
                               struct bly_program *program)
{
    bly_cpu_text_function *functions = calloc(code->kernel_count, sizeof *functions);
    if (!functions) return bly_fail(BAILEY_ERROR_MEMORY, "cpu: out of memory");
    open_cache(device);
    const int runs_half = device->isa->runs_half && device->isa->runs_half();
    const struct bly_cpu_target target = {device->isa->options, device->isa->kernels, runs_half};
    const bailey_status status =
        bly_cpu_text_load(&target, device->cache, code, functions, &program->library);
    device->base.has_half = (uint32_t)(runs_half && bly_cpu_makes_half());
    if (runs_half)
        device->base.half_hint = "clang 14 or later (BAILEY_CC) uses this processor's AVX-512 FP16";
    for (uint32_t i = 0; i < code->kernel_count && status == BAILEY_OK; i++)
        program->entries[i] = text_entry(&code->kernels[i], functions[i]);
    free(functions);
    return status;
}

static bailey_status cpu_load(struct bly_device *base, const struct bly_code *code, struct bly_program **out)
{
    struct cpu_device *device = (struct cpu_device *)base;
    bailey_status status = BAILEY_OK;
    struct bly_program *program = calloc(1, sizeof *program + code->kernel_count * sizeof *program->entries);
    if (!program) return bly_fail(BAILEY_ERROR_MEMORY, "cpu: out of memory");
    program->count = code->kernel_count;
    if (code->text)
        status = load_text(device, code, program);
    else
        program->entries[0] = row_entry(device, &code->kernels[0]);
    if (status == BAILEY_OK)
        *out = program;
    else
        free(program);
    return status;
}

static void cpu_unload(struct bly_device *device, struct bly_program *program)
{
    (void)device;
    if (!program) return;
    bly_cpu_library_close(program->library);
    free(program);
}

static bailey_status cpu_compiler(struct bly_device *base)
{
    struct cpu_device *device = (struct cpu_device *)base;
    open_cache(device);
    return bly_cpu_text_check(device->cache);
}

static bailey_status cpu_inspect(struct bly_device *device, struct bly_program *program, uint32_t kernel,
                                 bailey_kernel_info *info)
{
    (void)device;
    memset(info, 0, sizeof *info);
    info->block = program->entries[kernel].block;
    info->shared_bytes = program->entries[kernel].shared_bytes;
    return BAILEY_OK;
}

static bailey_status cpu_launch(struct bly_device *base, uint32_t queue, struct bly_program *program,
                                uint32_t kernel, uint64_t groups, uint64_t rows, const void *params,
                                struct bly_memory *const *buffers)
{
    struct cpu_device *device = (struct cpu_device *)base;
    const struct entry *entry = &program->entries[kernel];
    const uint64_t items = groups / entry->share + (groups % entry->share != 0);
    void *data[BLY_MAX_BUFFERS] = {0};
    (void)queue;
    for (uint32_t i = 0; i < entry->buffers; i++) data[i] = buffers[i] ? buffers[i]->data : NULL;
    struct bly_cpu_text_launch text = {entry->text_function, params, data, entry->block,
                                       entry->shared_bytes,  0};
    struct bly_cpu_text_launch *const at = &text;
    const bailey_status status =
        run_together(device, entry->function, entry->text_function ? (const void *)&at : params, data, items,
                     rows, entry->most);
    if (!atomic_load(&text.failed)) return status;
    return bly_fail(BAILEY_ERROR_MEMORY, "cpu: out of memory for groups of %u items", (unsigned)entry->block);
}

/* ---- Fences: every operation is done when it returns ------------------------------------------ */

struct bly_fence {
    char unused;
};

static bailey_status cpu_fence(struct bly_device *device, uint32_t queue, struct bly_fence **fence)
{
    static struct bly_fence done;
    (void)device, (void)queue;
    *fence = &done;
    return BAILEY_OK;
}

static bailey_status cpu_fence_done(struct bly_device *device, struct bly_fence *fence, int wait, int *done)
{
    (void)device, (void)fence, (void)wait;
    *done = 1;
    return BAILEY_OK;
}

static bailey_status cpu_follow(struct bly_device *device, uint32_t queue, struct bly_fence *fence)
{
    (void)device, (void)queue, (void)fence;
    return BAILEY_OK;
}

static void cpu_fence_free(struct bly_device *device, struct bly_fence *fence) { (void)device, (void)fence; }

static bailey_status cpu_wait(struct bly_device *device)
{
    (void)device;
    return BAILEY_OK;
}

const struct bly_backend bly_backend_cpu = {.name = "cpu",
                                            .address_form = "cpu",
                                            .opens_to_explain = 1,
                                            .adopts_host = 1,
#define ROW(name) .name = cpu_##name,
                                            BLY_OPERATIONS(ROW)
#undef ROW
};
