/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The kernels of simulate_peers.cu, on the stream of a CUDA context of bailey's.
 *
 * BENCH_HAVE_PEERS: nvcc and cuRAND's device functions were found, and bench_peers_image is the fat binary.
 */
#include "bench_peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef BENCH_HAVE_PEERS

#include <cli/io/io.h>

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

struct bench_peers {
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

static int check(struct bench_peers *p, CUresult result, const char *call)
{
    if (result == CUDA_SUCCESS) return 1;
    snprintf(p->why, sizeof p->why, "%s: CUresult %d", call, (int)result);
    return 0;
}

static int check_bailey(struct bench_peers *p, bailey_status status)
{
    if (status == BAILEY_OK) return 1;
    snprintf(p->why, sizeof p->why, "%s", bailey_error_message());
    return 0;
}

static int open_driver(struct bench_peers *p)
{
    const char *other = getenv("BAILEY_CUDA_LIBRARY"); /* the driver that the library uses */
    const char *const names[] = {other && *other ? other : "libcuda.so.1", NULL};
#define ROW(f) {STRING_OF(f), (void **)&p->call.f},
    const struct dynamic_symbol symbols[] = {SYMBOLS(ROW)};
#undef ROW
    p->library = dynamic_open(names, symbols, sizeof symbols / sizeof *symbols, p->why, sizeof p->why);
    return p->library != NULL;
}

static int load(struct bench_peers *p)
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

struct bench_peers *bench_peers_open(bailey_context *context, char *why, size_t why_size)
{
    struct bench_peers *p = calloc(1, sizeof *p);
    snprintf(why, why_size, "not enough memory");
    if (!p) return NULL;
    p->bailey = context;
    if (open_driver(p) && load(p)) return p;
    snprintf(why, why_size, "%s", p->why);
    bench_peers_close(p);
    return NULL;
}

void bench_peers_close(struct bench_peers *p)
{
    CUcontext popped;
    if (!p) return;
    bailey_context_sync(p->bailey);
    bailey_buffer_destroy(p->out);
    if (p->module) p->call.cuModuleUnload(p->module);
    if (p->entered) p->call.cuCtxPopCurrent(&popped);
    dynamic_close(p->library);
    free(p);
}

const char *bench_peers_why(const struct bench_peers *p) { return p->why; }

bailey_status bench_peers_address(bailey_buffer *buffer, unsigned long long *address)
{
    CUdeviceptr pointer = 0;
    const bailey_status status = bailey_buffer_cuda(buffer, &pointer);
    *address = pointer;
    return status;
}

bailey_status bench_peer_queue(void *user)
{
    const struct bench_peer *peer = user;
    struct bench_peers *p = peer->peers;
    uint64_t paths = peer->paths;
    CUdeviceptr out = p->address;
    void *arguments[] = {(void *)(uintptr_t)peer->arguments, &paths, &out};
    return check(p,
                 p->call.cuLaunchKernel((CUfunction)peer->kernel, peer->grid, 1, 1, peer->block, 1, 1, 0,
                                        p->stream, arguments, NULL),
                 "cuLaunchKernel")
               ? BAILEY_OK
               : BAILEY_ERROR_DRIVER;
}

/* Seconds of a call, the second of two; HUGE_VAL if there is no such launch. */
static double try_launch(struct bench_peers *p, struct bench_peer *peer)
{
    double begun = 0;
    for (int i = 0; i < 2; i++) {
        begun = cli_seconds();
        if (bench_peer_queue(peer) || !check_bailey(p, bailey_context_sync(p->bailey))) return HUGE_VAL;
    }
    return cli_seconds() - begun;
}

/* As many blocks as the device holds, once and four times. */
static double try_blocks(struct bench_peers *p, struct bench_peer *wanted, double best,
                         struct bench_peer *fastest)
{
    for (int waves = 1; waves <= 4; waves *= 4) {
        int active = 0;
        if (!check(p,
                   p->call.cuOccupancyMaxActiveBlocksPerMultiprocessor(&active, (CUfunction)wanted->kernel,
                                                                       (int)wanted->block, 0),
                   "cuOccupancyMaxActiveBlocksPerMultiprocessor"))
            return best;
        wanted->grid = (unsigned)(active * p->processors * waves);
        if (wanted->grid > MOST_BLOCKS) wanted->grid = MOST_BLOCKS;
        const double seconds = active ? try_launch(p, wanted) : HUGE_VAL;
        if (seconds < best) {
            best = seconds;
            *fastest = *wanted;
        }
    }
    return best;
}

int bench_peer_choose(struct bench_peers *p, const char *const *names, const void *arguments, uint64_t paths,
                      struct bench_peer *peer)
{
    double best = HUGE_VAL;
    for (; *names; names++) {
        CUfunction kernel;
        struct bench_peer wanted = {.peers = p, .name = *names, .arguments = arguments, .paths = paths};
        if (!check(p, p->call.cuModuleGetFunction(&kernel, p->module, *names), *names)) return 0;
        wanted.kernel = kernel;
        for (wanted.block = 128; wanted.block <= 512; wanted.block *= 2)
            best = try_blocks(p, &wanted, best, peer);
    }
    return best < HUGE_VAL;
}

bailey_status bench_peer_result(const struct bench_peer *peer, double *mean, double *error)
{
    const double n = (double)peer->paths;
    double sum = 0, squares = 0;
    double *sums = malloc(peer->grid * 2 * sizeof *sums);
    if (!sums) return BAILEY_ERROR_MEMORY;
    const bailey_status status = bailey_buffer_read(peer->peers->out, 0, sums, peer->grid * 2 * sizeof *sums);
    for (unsigned i = 0; i < peer->grid && status == BAILEY_OK; i++) {
        sum += sums[2 * i];
        squares += sums[2 * i + 1];
    }
    free(sums);
    *mean = sum / n;
    *error = sqrt((squares / n - *mean * *mean) / n);
    return status;
}

#else

struct bench_peers *bench_peers_open(bailey_context *context, char *why, size_t why_size)
{
    (void)context;
    snprintf(why, why_size, "this program was built without cuRAND's device functions");
    return NULL;
}

void bench_peers_close(struct bench_peers *peers) { (void)peers; }

const char *bench_peers_why(const struct bench_peers *peers)
{
    (void)peers;
    return "";
}

int bench_peer_choose(struct bench_peers *peers, const char *const *names, const void *arguments,
                      uint64_t paths, struct bench_peer *peer)
{
    (void)peers;
    (void)names;
    (void)arguments;
    (void)paths;
    memset(peer, 0, sizeof *peer);
    return 0;
}

bailey_status bench_peers_address(bailey_buffer *buffer, unsigned long long *address)
{
    (void)buffer;
    *address = 0;
    return BAILEY_ERROR_UNSUPPORTED;
}

bailey_status bench_peer_queue(void *user)
{
    (void)user;
    return BAILEY_ERROR_UNSUPPORTED;
}

bailey_status bench_peer_result(const struct bench_peer *peer, double *mean, double *error)
{
    (void)peer;
    *mean = *error = 0;
    return BAILEY_ERROR_UNSUPPORTED;
}

#endif
