/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The kernels of simulate_peers.cu, with cuRAND's device functions, on the stream of a bailey CUDA context;
 * each with its fastest variant and launch.
 *
 * BENCH_HAVE_PEERS: nvcc and cuRAND's device functions were found, and bench_peers_image is the fat binary.
 */
#include "bench_peers.h"

#include <stdio.h>
#include <stdlib.h>

#define BASKET(source, precision, a, b)                                                                      \
    "basket_" source "_" precision "_" a, "basket_" source "_" precision "_" b

/* By subject and precision, each in variants. */
static const struct setting {
    const char *name;
    enum bench_subject subject;
    bailey_precision precision;
    int is_native; /* with the fast functions of the device: no rival */
    const char *variants[3];
} settings[] = {
    {"philox", BENCH_BASKET, BAILEY_PRECISION_F32, 0, {BASKET("philox", "f32", "4", "8")}},
    {"xorwow", BENCH_BASKET, BAILEY_PRECISION_F32, 0, {BASKET("xorwow", "f32", "2", "4")}},
    {"philox-native", BENCH_BASKET, BAILEY_PRECISION_F32, 1, {"basket_native_philox_f32_4"}},
    {"xorwow-native", BENCH_BASKET, BAILEY_PRECISION_F32, 1, {"basket_native_xorwow_f32_4"}},
    {"philox", BENCH_BASKET, BAILEY_PRECISION_F64, 0, {BASKET("philox", "f64", "2", "4")}},
    {"xorwow", BENCH_BASKET, BAILEY_PRECISION_F64, 0, {BASKET("xorwow", "f64", "2", "4")}},
    {"constant", BENCH_ASIAN_MAX, BAILEY_PRECISION_F32, 0, {"gems_max_constant"}},
    {"curand/xorwow", BENCH_ASIAN_MAX, BAILEY_PRECISION_F32, 0, {"gems_max_xorwow"}},
    {"memory", BENCH_ASIAN_MAX, BAILEY_PRECISION_F32, 0, {"gems_max_memory"}},
    {"constant", BENCH_LOOKBACK_GARCH, BAILEY_PRECISION_F32, 0, {"gems_garch_constant"}},
    {"curand/xorwow", BENCH_LOOKBACK_GARCH, BAILEY_PRECISION_F32, 0, {"gems_garch_xorwow"}},
    {"memory", BENCH_LOOKBACK_GARCH, BAILEY_PRECISION_F32, 0, {"gems_garch_memory"}},
};

static const struct setting *find_setting(const struct bench_case *wanted, unsigned number)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (settings[i].subject == wanted->subject && settings[i].precision == wanted->precision && !number--)
            return &settings[i];
    return NULL;
}

static const char *setting(const struct bench_case *wanted, unsigned number)
{
    const struct setting *found = find_setting(wanted, number);
    return found ? found->name : NULL;
}

#ifdef BENCH_HAVE_PEERS

#include <bailey/cuda.h>

#include <math.h>

extern const unsigned char bench_peers_image[];

/* cuda.h gives some of its functions newer names in the library by macros. */
#define SYMBOLS(X)                                                                                           \
    X(cuCtxPushCurrent)                                                                                      \
    X(cuCtxPopCurrent)                                                                                       \
    X(cuCtxGetDevice)                                                                                        \
    X(cuDeviceGetAttribute)                                                                                  \
    X(cuModuleLoadData)                                                                                      \
    X(cuModuleUnload)                                                                                        \
    X(cuModuleGetFunction)                                                                                   \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor)                                                           \
    X(cuLaunchKernel)
#define STRING_OF(name) #name
#define MOST_BLOCKS 65536u

struct kernels {
#define MEMBER(f) __typeof__(&f) f;
    struct {
        SYMBOLS(MEMBER)
    } call;
#undef MEMBER
    void *library;
    bailey_context *bailey;
    bailey_buffer *out; /* two doubles per block */
    CUdeviceptr address;
    CUcontext context;
    CUstream stream;
    CUmodule module;
    int entered, processors;
    char why[200];
};

static int check(struct kernels *p, CUresult result, const char *call)
{
    if (result == CUDA_SUCCESS) return 1;
    snprintf(p->why, sizeof p->why, "%s: CUresult %d", call, (int)result);
    return 0;
}

static int check_bailey(struct kernels *p, bailey_status status)
{
    if (status == BAILEY_OK) return 1;
    snprintf(p->why, sizeof p->why, "%s", bailey_error_message());
    return 0;
}

static int open_driver(struct kernels *p)
{
#define ROW(f) {STRING_OF(f), (void **)&p->call.f},
    const struct dynamic_symbol symbols[] = {SYMBOLS(ROW)};
#undef ROW
    p->library = dynamic_driver(symbols, sizeof symbols / sizeof *symbols, p->why, sizeof p->why);
    return p->library != NULL;
}

static int load_module(struct kernels *p)
{
    CUdevice device;
    if (!check_bailey(p, bailey_context_cuda(p->bailey, &p->context, &p->stream)) ||
        !check(p, p->call.cuCtxPushCurrent(p->context), "cuCtxPushCurrent"))
        return 0;
    p->entered = 1;
    return check(p, p->call.cuCtxGetDevice(&device), "cuCtxGetDevice") &&
           check(
               p,
               p->call.cuDeviceGetAttribute(&p->processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device),
               "cuDeviceGetAttribute") &&
           check(p, p->call.cuModuleLoadData(&p->module, bench_peers_image), "cuModuleLoadData") &&
           check_bailey(p, bailey_buffer_create(p->bailey, MOST_BLOCKS * 2 * sizeof(double), &p->out)) &&
           check_bailey(p, bailey_buffer_cuda(p->out, &p->address));
}

static void unload(void *loaded)
{
    struct kernels *p = loaded;
    CUcontext popped;
    bailey_context_sync(p->bailey);
    bailey_buffer_destroy(p->out);
    if (p->module) p->call.cuModuleUnload(p->module);
    if (p->entered) p->call.cuCtxPopCurrent(&popped);
    dynamic_close(p->library);
    free(p);
}

static void *load(const struct bench *bench, char *why, size_t why_size)
{
    struct kernels *p = calloc(1, sizeof *p);
    snprintf(why, why_size, "not enough memory");
    if (!p) return NULL;
    p->bailey = bench->context;
    if (open_driver(p) && load_module(p)) return p;
    snprintf(why, why_size, "%s", p->why);
    unload(p);
    return NULL;
}

/* An entry's kernel, with the launch that was found to be the fastest. */
struct launch {
    CUfunction kernel;
    const char *name;     /* of the variant: "basket_philox_f32_4" */
    unsigned block, grid; /* threads of a block, blocks */
    union {
        struct deal_f32 f32;
        struct deal_f64 f64;
        struct deal_gems gems;
    } deal;
};

static bailey_status queue(struct kernels *p, const struct launch *launch, uint64_t paths)
{
    CUdeviceptr out = p->address;
    void *arguments[] = {(void *)(uintptr_t)&launch->deal, &paths, &out};
    return check(p,
                 p->call.cuLaunchKernel(launch->kernel, launch->grid, 1, 1, launch->block, 1, 1, 0, p->stream,
                                        arguments, NULL),
                 "cuLaunchKernel")
               ? BAILEY_OK
               : BAILEY_ERROR_DRIVER;
}

/* Seconds of a call, the second of two; HUGE_VAL if there is no such launch. */
static double try_launch(struct kernels *p, const struct launch *launch, uint64_t paths)
{
    double begun = 0;
    for (int i = 0; i < 2; i++) {
        begun = cli_seconds();
        if (queue(p, launch, paths) || !check_bailey(p, bailey_context_sync(p->bailey))) return HUGE_VAL;
    }
    return cli_seconds() - begun;
}

/* As many blocks as the device holds, once and four times. */
static double try_blocks(struct kernels *p, struct launch wanted, uint64_t paths, double best,
                         struct launch *fastest)
{
    for (int waves = 1; waves <= 4; waves *= 4) {
        int active = 0;
        if (!check(p,
                   p->call.cuOccupancyMaxActiveBlocksPerMultiprocessor(&active, wanted.kernel,
                                                                       (int)wanted.block, 0),
                   "cuOccupancyMaxActiveBlocksPerMultiprocessor"))
            return best;
        wanted.grid = (unsigned)(active * p->processors * waves);
        if (wanted.grid > MOST_BLOCKS) wanted.grid = MOST_BLOCKS;
        const double seconds = active ? try_launch(p, &wanted, paths) : HUGE_VAL;
        if (seconds < best) {
            best = seconds;
            *fastest = wanted;
        }
    }
    return best;
}

/* Groups of 128, 256 and 512 threads. */
static int choose(struct kernels *p, const char *const *variants, uint64_t paths, struct launch *launch)
{
    struct launch wanted = *launch;
    double best = HUGE_VAL;
    for (; *variants; variants++) {
        wanted.name = *variants;
        if (!check(p, p->call.cuModuleGetFunction(&wanted.kernel, p->module, *variants), *variants)) return 0;
        for (wanted.block = 128; wanted.block <= 512; wanted.block *= 2)
            best = try_blocks(p, wanted, paths, best, launch);
    }
    return best < HUGE_VAL;
}

static int take_deal(struct kernels *p, const struct bench_case *c, struct launch *launch)
{
    CUdeviceptr normals = 0;
    if (c->subject == BENCH_BASKET && c->precision == BAILEY_PRECISION_F64)
        launch->deal.f64 = *(const struct deal_f64 *)c->deal;
    else if (c->subject == BENCH_BASKET)
        launch->deal.f32 = *(const struct deal_f32 *)c->deal;
    else
        launch->deal.gems = *(const struct deal_gems *)c->deal;
    if (!c->out) return 1;
    if (!check_bailey(p, bailey_buffer_cuda(c->out->buffer, &normals))) return 0;
    launch->deal.gems.normals = normals;
    return 1;
}

static int begin(struct bench_entry *e)
{
    struct kernels *p = e->loaded;
    const struct setting *wanted = find_setting(e->wanted, e->setting);
    struct launch *launch = e->own = calloc(1, sizeof *launch);
    const int good =
        launch && take_deal(p, e->wanted, launch) && choose(p, wanted->variants, e->wanted->count, launch);
    e->is_limit = wanted->is_native;
    if (good)
        snprintf(e->note, sizeof e->note, "%u x %u", launch->grid, launch->block);
    else
        snprintf(e->why, sizeof e->why, "%s", launch ? p->why : "not enough memory");
    return good;
}

static bailey_status run(void *entry)
{
    struct bench_entry *e = entry;
    struct kernels *p = e->loaded;
    const bailey_status status = queue(p, e->own, e->wanted->count);
    if (status) snprintf(e->why, sizeof e->why, "%s", p->why);
    return status;
}

static bailey_status result(struct bench_entry *e)
{
    const struct launch *launch = e->own;
    const double n = (double)e->wanted->count;
    double sum = 0, squares = 0;
    double *sums = malloc(launch->grid * 2 * sizeof *sums);
    if (!sums) return BAILEY_ERROR_MEMORY;
    const bailey_status status =
        bailey_buffer_read(((struct kernels *)e->loaded)->out, 0, sums, launch->grid * 2 * sizeof *sums);
    for (unsigned i = 0; i < launch->grid && status == BAILEY_OK; i++) {
        sum += sums[2 * i];
        squares += sums[2 * i + 1];
    }
    free(sums);
    e->mean = sum / n;
    e->error = sqrt((squares / n - e->mean * e->mean) / n);
    return status;
}

static void describe(const struct bench_entry *e, struct bench_row *row)
{
    const struct launch *launch = e->own;
    row->kernel.block = launch->block;
    bench_fact_number(row, "grid", launch->grid);
    bench_fact_text(row, "kernel", launch->name);
}

#else

static void *load(const struct bench *bench, char *why, size_t why_size)
{
    (void)bench;
    snprintf(why, why_size, "this program was built without cuRAND's device functions");
    return NULL;
}

#endif

const struct bench_peer bench_peer_curand_kernels = {
    .name = "curand",
    .subjects = BENCH_DOES(BASKET) | BENCH_DOES(ASIAN_MAX) | BENCH_DOES(LOOKBACK_GARCH),
    .place = BENCH_ON_CUDA,
    .load = load,
    .setting = setting,
#ifdef BENCH_HAVE_PEERS
    .unload = unload,
    .begin = begin,
    .run = run,
    .result = result,
    .describe = describe,
#endif
};
