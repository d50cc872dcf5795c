/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What samples with approximate normals and paths of 16 bits take on a GPU (docs/mlmc-low-precision.md):
 *
 *     mlmc_half_cuda [STEPS]        fine steps of a measurement, 2^32 by default
 *
 * Paths of half and bfloat16 go two by two in a register, and every operation on them is IEEE's, rounded to
 * nearest; pairs of them are D and the coarse Y of mlmc_half_paths.h. The program ends with 1 if any path or
 * sum is not what the host emulates. Words, their addresses and normals are the library's; so are four
 * samples side by side, groups that stay, and tables of exact normals in the memory of groups. Each kernel is
 * there with eight samples side by side too, and with the table of the approximate normals in the memory of
 * groups.
 */
#include "mlmc_half_steps.h"

#define BAILEY_ICDF_COPIES 8
#define BAILEY_ICDF_HOT_F32 512

#include <bailey/advanced.h>
#include <bailey/device/approximate.h>
#include <bailey/device/normal.h>
#include <bailey/device/philox.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int block_threads = 256, path_bits = 38;
constexpr size_t approximate_bytes = BAILEY_APPROXIMATE_FLOATS * sizeof(float);

void must(cudaError_t error, const char *what)
{
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}
#define MUST(call) must(call, #call)

/* ---- Reals, two samples' side by side ---------------------------------------------------------- */

struct single {
    static constexpr int format = MLMC_HALF_SINGLE;
    static constexpr bool apart = false;
    using two = float2;
    static __device__ two of(float a, float b) { return make_float2(a, b); }
    static __device__ float2 floats(two a) { return a; }
    static __device__ two add(two a, two b) { return of(__fadd_rn(a.x, b.x), __fadd_rn(a.y, b.y)); }
    static __device__ two mul(two a, two b) { return of(__fmul_rn(a.x, b.x), __fmul_rn(a.y, b.y)); }
    static __device__ two fma(two a, two b, two c)
    {
        return of(__fmaf_rn(a.x, b.x, c.x), __fmaf_rn(a.y, b.y, c.y));
    }
};

/* _rn: not to be contracted. */
struct half_ {
    static constexpr int format = MLMC_HALF_HALF;
    static constexpr bool apart = true;
    using two = __half2;
    static __device__ two of(float a, float b) { return __floats2half2_rn(a, b); }
    static __device__ float2 floats(two a) { return __half22float2(a); }
    static __device__ two add(two a, two b) { return __hadd2_rn(a, b); }
    static __device__ two mul(two a, two b) { return __hmul2_rn(a, b); }
    static __device__ two fma(two a, two b, two c) { return __hfma2(a, b, c); }
};

struct bfloat {
    static constexpr int format = MLMC_HALF_BFLOAT;
    static constexpr bool apart = true;
    using two = __nv_bfloat162;
    static __device__ two of(float a, float b) { return __floats2bfloat162_rn(a, b); }
    static __device__ float2 floats(two a) { return __bfloat1622float2(a); }
    static __device__ two add(two a, two b) { return __hadd2_rn(a, b); }
    static __device__ two mul(two a, two b) { return __hmul2_rn(a, b); }
    static __device__ two fma(two a, two b, two c) { return __hfma2(a, b, c); }
};

/* ---- Samples ----------------------------------------------------------------------------------- */

/* Of mlmc_half_constants: exact as floats. */
struct constants {
    float root, volatility, half_variance, drift[2]; /* of fine steps, of coarse ones */
};

struct level_params {
    bailey_philox_keys keys;
    bailey_uint64 stream, samples;
    bailey_uint32 steps;
    constants of[MLMC_HALF_FORMATS];
    const float *exact, *approximate; /* tables */
    double *sums;                     /* y and yy of each group */
    float *ends[2];                   /* of the kernel that stores them */
};

struct tables {
    const float *exact, *approximate;
};

template <class R, int W> struct paths {
    typename R::two x[2][W / 2]; /* as mlmc_half_ends has them */
};

/* Row `row` of samples first .. first + W - 1. */
template <int W>
__device__ void words_of(const level_params &p, bailey_uint64 row, bailey_uint64 first, bailey_uint32 w[W])
{
#pragma unroll
    for (int b = 0; b < W / 4; b++) {
        const bailey_philox_block block =
            bailey_philox_words4_keyed(10, p.keys, p.stream, ((row << path_bits | first) >> 2) + b);
#pragma unroll
        for (int j = 0; j < 4; j++) w[4 * b + j] = block.word[j];
    }
}

template <int kind> __device__ float normal_of(const tables &t, bailey_uint32 word)
{
    if constexpr (kind == 0) return bailey_normal_icdf_f32(t.exact, word);
    return bailey_normal_approximate_f32(kind, t.approximate, word);
}

/* Increments from words; of their last halves with `shift` 16. */
template <int kind, class R, int W>
__device__ void increments_of(const tables &t, typename R::two root, const bailey_uint32 w[W], int shift,
                              typename R::two dw[W / 2])
{
#pragma unroll
    for (int j = 0; j < W / 2; j++)
        dw[j] = R::mul(
            root, R::of(normal_of<kind>(t, w[2 * j] << shift), normal_of<kind>(t, w[2 * j + 1] << shift)));
}

template <class R> struct step {
    typename R::two root, volatility, half_variance, drift[2];
    __device__ explicit step(const constants &c)
        : root(R::of(c.root, c.root)), volatility(R::of(c.volatility, c.volatility)),
          half_variance(R::of(c.half_variance, c.half_variance)), drift{R::of(c.drift[0], c.drift[0]),
                                                                        R::of(c.drift[1], c.drift[1])}
    {
    }
    __device__ typename R::two growth(int coarse, typename R::two dw) const
    {
        return R::fma(dw, R::fma(half_variance, dw, volatility), drift[coarse]);
    }
    __device__ void go(int coarse, typename R::two *x, typename R::two dw) const
    {
        const auto g = growth(coarse, dw);
        *x = R::add(*x, R::fma(*x, g, g));
    }
    /* Two steps of both paths, each Y. */
    __device__ void go_together(typename R::two *fine, typename R::two *coarse, typename R::two dw0,
                                typename R::two dw1) const
    {
        go(0, fine, dw0);
        go(0, fine, dw1);
        go(1, coarse, R::add(dw0, dw1));
    }
    /* The same of D and the coarse Y. */
    __device__ void go_apart(typename R::two *d, typename R::two *y, typename R::two dw0,
                             typename R::two dw1) const
    {
        const auto a0 = R::mul(volatility, dw0), a1 = R::mul(volatility, dw1);
        const auto r0 = R::fma(R::mul(half_variance, dw0), dw0, drift[0]);
        const auto r1 = R::fma(R::mul(half_variance, dw1), dw1, drift[0]);
        const auto e = R::fma(R::add(a0, r0), r1, R::mul(a1, r0));
        const auto g = growth(1, R::add(dw0, dw1));
        *d = R::add(*d, R::fma(R::add(g, e), *d, R::fma(e, *y, e)));
        *y = R::add(*y, R::fma(*y, g, g));
    }
};

template <class R, int W> __device__ void begin(paths<R, W> *s)
{
#pragma unroll
    for (int j = 0; j < W / 2; j++) s->x[0][j] = s->x[1][j] = R::of(0, 0);
}

template <class R, int W>
__device__ void go_one(const step<R> &step, const typename R::two dw[W / 2], paths<R, W> *s)
{
#pragma unroll
    for (int j = 0; j < W / 2; j++) step.go(0, &s->x[0][j], dw[j]);
}

template <class R, int W>
__device__ void go_two(const step<R> &step, const typename R::two dw[2][W / 2], paths<R, W> *s)
{
#pragma unroll
    for (int j = 0; j < W / 2; j++) {
        if constexpr (R::apart)
            step.go_apart(&s->x[0][j], &s->x[1][j], dw[0][j], dw[1][j]);
        else
            step.go_together(&s->x[0][j], &s->x[1][j], dw[0][j], dw[1][j]);
    }
}

/* The numbers of each word's halves are of two steps, those of whole words of one. */
template <int kind, class R, int W>
__device__ void go_differences(const level_params &p, const tables &t, bailey_uint64 first, paths<R, W> *s)
{
    const step<R> step(p.of[R::format]);
    bailey_uint32 w[W];
    typename R::two dw[2][W / 2];
    begin(s);
    if (p.steps == 1) {
        words_of<W>(p, 0, first, w);
        increments_of<kind, R, W>(t, step.root, w, 0, dw[0]);
        go_one(step, dw[0], s);
        return;
    }
#pragma unroll 1
    for (bailey_uint32 i = 0; i < p.steps; i += 2) {
        words_of<W>(p, kind ? i / 2 : i, first, w);
        increments_of<kind, R, W>(t, step.root, w, 0, dw[0]);
        if (kind == 0) words_of<W>(p, i + 1, first, w);
        increments_of<kind, R, W>(t, step.root, w, kind ? 16 : 0, dw[1]);
        go_two(step, dw, s);
    }
}

/* Of one step, where sample 2 n has the first half of word n, sample 2 n + 1 the last. */
template <int kind, class R, int W>
__device__ void go_shared(const level_params &p, const tables &t, bailey_uint64 first, paths<R, W> *s)
{
    static_assert(W == 8, "a block has four words");
    const step<R> step(p.of[R::format]);
    bailey_uint32 w[W / 2];
    begin(s);
    words_of<W / 2>(p, 0, first / 2, w);
#pragma unroll
    for (int j = 0; j < W / 2; j++)
        step.go(0, &s->x[0][j],
                R::mul(step.root, R::of(normal_of<kind>(t, w[j]), normal_of<kind>(t, w[j] << 16))));
}

/* Exact paths in single precision, and approximate ones from the first halves of the same words. */
template <int kind, class R, int W>
__device__ void go_corrections(const level_params &p, const tables &t, bailey_uint64 first,
                               paths<single, W> *exact, paths<R, W> *few)
{
    const step<single> exact_step(p.of[MLMC_HALF_SINGLE]);
    const step<R> few_step(p.of[R::format]);
    const bailey_uint32 together = p.steps == 1 ? 1 : 2;
    begin(exact);
    begin(few);
#pragma unroll 1
    for (bailey_uint32 i = 0; i < p.steps; i += together) {
        bailey_uint32 w[W];
        float2 dw[2][W / 2];
        typename R::two few_dw[2][W / 2];
#pragma unroll
        for (bailey_uint32 k = 0; k < 2; k++) {
            if (k == together) break;
            words_of<W>(p, i + k, first, w);
            increments_of<0, single, W>(t, exact_step.root, w, 0, dw[k]);
            increments_of<kind, R, W>(t, few_step.root, w, 0, few_dw[k]);
        }
        if (together == 1) {
            go_one(exact_step, dw[0], exact);
            go_one(few_step, few_dw[0], few);
        } else {
            go_two(exact_step, dw, exact);
            go_two(few_step, few_dw, few);
        }
    }
}

__device__ float paid(float end)
{
    constexpr float spot = MLMC_HALF_SPOT, less = MLMC_HALF_SPOT - MLMC_HALF_STRIKE;
    return fmaxf(__fmaf_rn(spot, end, less), 0);
}

/* Fine payoffs less coarse ones; on level 0 there is one path. */
template <class R, int W>
__device__ void differences_of(const level_params &p, const paths<R, W> &s, float y[W])
{
#pragma unroll
    for (int j = 0; j < W / 2; j++) {
        const float2 first = R::floats(s.x[0][j]), coarse = R::floats(s.x[1][j]);
        const bool apart = R::apart && p.steps > 1;
        y[2 * j] = paid(apart ? __fadd_rn(coarse.x, first.x) : first.x);
        y[2 * j + 1] = paid(apart ? __fadd_rn(coarse.y, first.y) : first.y);
        if (p.steps == 1) continue;
        y[2 * j] = __fsub_rn(y[2 * j], paid(coarse.x));
        y[2 * j + 1] = __fsub_rn(y[2 * j + 1], paid(coarse.y));
    }
}

template <int kind, class R, int W, int form>
__device__ void sample(const level_params &p, const tables &t, bailey_uint64 first, float y[W])
{
    paths<R, W> s;
    if constexpr (form == MLMC_HALF_CORRECTION) {
        paths<single, W> exact;
        float whole[W];
        go_corrections<kind>(p, t, first, &exact, &s);
        differences_of(p, exact, whole);
        differences_of(p, s, y);
#pragma unroll
        for (int j = 0; j < W; j++) y[j] = __fsub_rn(whole[j], y[j]);
        return;
    }
    if constexpr (form == MLMC_HALF_SHARED)
        go_shared<kind>(p, t, first, &s);
    else
        go_differences<kind>(p, t, first, &s);
    differences_of(p, s, y);
}

/* ---- Kernels ----------------------------------------------------------------------------------- */

/* What a group has in its memory: the table of exact normals, then that of approximate ones. */
template <int kind, int form>
constexpr size_t exact_bytes = kind == 0 || form == MLMC_HALF_CORRECTION ? BAILEY_ICDF_COPIES_BYTES_F32 : 0;
template <int kind, int form, int near>
constexpr size_t shared_bytes = exact_bytes<kind, form> + (near && kind ? approximate_bytes : 0);

extern __shared__ float4 memory[];

template <int kind, int form, int near> __device__ tables copy_tables(const level_params &p)
{
    tables t = {p.exact, p.approximate};
    if constexpr (exact_bytes<kind, form> != 0) {
        bailey_icdf_copy_f32(memory, p.exact, threadIdx.x, block_threads);
        t.exact = (const float *)memory;
    }
    if constexpr (near && kind) {
        float *const to = (float *)memory + exact_bytes<kind, form> / sizeof(float);
        for (int i = threadIdx.x; i < BAILEY_APPROXIMATE_FLOATS; i += block_threads) to[i] = p.approximate[i];
        t.approximate = to;
    }
    __syncthreads();
    return t;
}

/* A group's sums, by its first thread. */
__device__ void store_sums(double y, double yy, double *to)
{
    __shared__ double part[2][block_threads / 32];
    for (int far = 16; far; far /= 2) {
        y += __shfl_down_sync(~0u, y, far);
        yy += __shfl_down_sync(~0u, yy, far);
    }
    if (threadIdx.x % 32 == 0) part[0][threadIdx.x / 32] = y, part[1][threadIdx.x / 32] = yy;
    __syncthreads();
    if (threadIdx.x) return;
    for (int i = 1; i < block_threads / 32; i++) y += part[0][i], yy += part[1][i];
    to[2 * blockIdx.x] = y, to[2 * blockIdx.x + 1] = yy;
}

template <int kind, class R, int W, int form, int near>
__global__ void __launch_bounds__(block_threads) add_up(const __grid_constant__ level_params p)
{
    const tables t = copy_tables<kind, form, near>(p);
    const bailey_uint64 threads = (bailey_uint64)gridDim.x * block_threads;
    double sum = 0, squares = 0;
    for (bailey_uint64 first = ((bailey_uint64)blockIdx.x * block_threads + threadIdx.x) * W;
         first < p.samples; first += threads * W) {
        float y[W];
        sample<kind, R, W, form>(p, t, first, y);
#pragma unroll
        for (int j = 0; j < W; j++) {
            const double wide = (double)y[j];
            sum += wide;
            squares = __fma_rn(wide, wide, squares);
        }
    }
    store_sums(sum, squares, p.sums);
}

/* One thread per eight samples. */
template <int kind, class R, int form>
__global__ void __launch_bounds__(block_threads) store_ends(const __grid_constant__ level_params p)
{
    constexpr int W = 8;
    const tables t = copy_tables<kind, form, 0>(p);
    const bailey_uint64 first = ((bailey_uint64)blockIdx.x * block_threads + threadIdx.x) * W;
    if (first >= p.samples) return;
    paths<R, W> s;
    if constexpr (form == MLMC_HALF_SHARED)
        go_shared<kind>(p, t, first, &s);
    else
        go_differences<kind>(p, t, first, &s);
    for (int j = 0; j < W / 2; j++) {
        for (int k = 0; k < 2; k++) {
            const float2 end = R::floats(s.x[k][j]);
            p.ends[k][first + 2 * j] = end.x, p.ends[k][first + 2 * j + 1] = end.y;
        }
    }
}

/* ---- Which kernel ------------------------------------------------------------------------------ */

const char *const way_names[] = {"4 samples", "8 samples", "4 samples, table shared",
                                 "8 samples, table shared"};
constexpr int ways = sizeof way_names / sizeof *way_names;

struct kernel {
    void (*function)(level_params);
    size_t shared;
};

template <int kind, class R, int form> kernel kernel_of(int way)
{
    constexpr int few = form == MLMC_HALF_SHARED ? 8 : 4; /* a block of words makes eight that share */
    switch (way) {
    case 0: return {add_up<kind, R, few, form, 0>, shared_bytes<kind, form, 0>};
    case 1: return {add_up<kind, R, 8, form, 0>, shared_bytes<kind, form, 0>};
    case 2: return {add_up<kind, R, few, form, 1>, shared_bytes<kind, form, 1>};
    case 3: return {add_up<kind, R, 8, form, 1>, shared_bytes<kind, form, 1>};
    default: return {store_ends<kind, R, form>, shared_bytes<kind, form, 0>};
    }
}
constexpr int ends_way = ways;

template <int kind, class R> kernel kernel_of_form(mlmc_half_form form, int way)
{
    if constexpr (kind != 0 && R::format != MLMC_HALF_BFLOAT)
        if (form == MLMC_HALF_SHARED) return kernel_of<kind, R, MLMC_HALF_SHARED>(way);
    if constexpr (kind != 0)
        if (form == MLMC_HALF_CORRECTION) return kernel_of<kind, R, MLMC_HALF_CORRECTION>(way);
    return kernel_of<kind, R, MLMC_HALF_DIFFERENCE>(way);
}

template <int kind> kernel kernel_of_format(int format, mlmc_half_form form, int way)
{
    if (format == MLMC_HALF_HALF) return kernel_of_form<kind, half_>(form, way);
    if (format == MLMC_HALF_BFLOAT) return kernel_of_form<kind, bfloat>(form, way);
    return kernel_of_form<kind, single>(form, way);
}

kernel find_kernel(const mlmc_half_variant *v, mlmc_half_form form, int way)
{
    if (v->normals == BAILEY_APPROXIMATE_CONSTANT)
        return kernel_of_format<BAILEY_APPROXIMATE_CONSTANT>(v->format, form, way);
    if (v->normals == BAILEY_APPROXIMATE_DYADIC)
        return kernel_of_format<BAILEY_APPROXIMATE_DYADIC>(v->format, form, way);
    return kernel_of_form<0, single>(form, way);
}

/* ---- The maker --------------------------------------------------------------------------------- */

struct gpu {
    int units;
    float *exact, *approximate;
    cudaEvent_t begin, end;
};

float *on_device(const void *data, size_t bytes)
{
    void *memory;
    MUST(cudaMalloc(&memory, bytes));
    MUST(cudaMemcpy(memory, data, bytes, cudaMemcpyHostToDevice));
    return (float *)memory;
}

gpu open_gpu()
{
    gpu g;
    size_t bytes;
    const void *data = bailey_normal_table_data(BAILEY_PRECISION_F32, &bytes);
    MUST(cudaDeviceGetAttribute(&g.units, cudaDevAttrMultiProcessorCount, 0));
    g.exact = on_device(data, bytes);
    data = bailey_approximate_table_data(&bytes);
    g.approximate = on_device(data, bytes);
    MUST(cudaEventCreate(&g.begin));
    MUST(cudaEventCreate(&g.end));
    return g;
}

void close_gpu(gpu *g)
{
    MUST(cudaEventDestroy(g->begin));
    MUST(cudaEventDestroy(g->end));
    MUST(cudaFree(g->exact));
    MUST(cudaFree(g->approximate));
}

level_params params_of(const gpu *g, int level, bailey_uint64 samples)
{
    level_params p = {};
    mlmc_half_keys(p.keys.word);
    p.stream = (bailey_uint64)level;
    p.samples = samples;
    p.steps = 1u << level;
    p.exact = g->exact;
    p.approximate = g->approximate;
    for (int f = 0; f < MLMC_HALF_FORMATS; f++) {
        const mlmc_half_constants fine = mlmc_half_constants_of(&mlmc_half_formats[f], 1 << level);
        const mlmc_half_constants coarse =
            mlmc_half_constants_of(&mlmc_half_formats[f], level ? 1 << (level - 1) : 1);
        p.of[f] = {(float)fine.root,
                   (float)fine.volatility,
                   (float)fine.half_variance,
                   {(float)fine.drift, (float)coarse.drift}};
    }
    return p;
}

/* Groups that the device runs at once. */
int groups_of(const gpu *g, const kernel &k)
{
    int per_unit = 0;
    MUST(cudaFuncSetAttribute(k.function, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)k.shared));
    MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_unit, k.function, block_threads, k.shared));
    if (per_unit == 0) must(cudaErrorLaunchOutOfResources, "occupancy");
    return per_unit * g->units;
}

void launch(const kernel &k, int groups, level_params p)
{
    void *arguments[] = {&p};
    MUST(cudaLaunchKernel((const void *)k.function, dim3((unsigned)groups), dim3(block_threads), arguments,
                          k.shared, nullptr));
    MUST(cudaGetLastError());
}

const char *refuses(void *, const mlmc_half_variant *) { return nullptr; }

double sum(void *user, int way, const mlmc_half_variant *v, mlmc_half_form form, int level, uint64_t samples,
           mlmc_half_sums *sums)
{
    const gpu *const g = (const gpu *)user;
    const kernel k = find_kernel(v, form, way);
    const int groups = groups_of(g, k);
    level_params p = params_of(g, level, samples);
    std::vector<double> parts(2 * (size_t)groups);
    float milliseconds;
    MUST(cudaMalloc(&p.sums, parts.size() * sizeof(double)));
    MUST(cudaEventRecord(g->begin));
    launch(k, groups, p);
    MUST(cudaEventRecord(g->end));
    MUST(cudaEventSynchronize(g->end));
    MUST(cudaEventElapsedTime(&milliseconds, g->begin, g->end));
    MUST(cudaMemcpy(parts.data(), p.sums, parts.size() * sizeof(double), cudaMemcpyDeviceToHost));
    MUST(cudaFree(p.sums));
    sums->y = sums->yy = 0;
    for (size_t i = 0; i < parts.size(); i += 2) sums->y += parts[i], sums->yy += parts[i + 1];
    return 1e-3 * (double)milliseconds;
}

void ends(void *user, const mlmc_half_variant *v, mlmc_half_form form, int level, uint64_t samples,
          float *first, float *second)
{
    const kernel k = find_kernel(v, form, ends_way);
    const size_t bytes = (size_t)samples * sizeof(float);
    const uint64_t of_group = 8 * block_threads;
    level_params p = params_of((const gpu *)user, level, samples);
    float *const to[] = {first, second};
    for (float *&of : p.ends) MUST(cudaMalloc(&of, bytes));
    MUST(cudaFuncSetAttribute(k.function, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)k.shared));
    launch(k, (int)((samples + of_group - 1) / of_group), p);
    MUST(cudaDeviceSynchronize());
    for (int i = 0; i < 2; i++) {
        MUST(cudaMemcpy(to[i], p.ends[i], bytes, cudaMemcpyDeviceToHost));
        MUST(cudaFree(p.ends[i]));
    }
}

} // namespace

int main(int argc, char **argv)
{
    const uint64_t steps = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : UINT64_C(1) << 32;
    cudaDeviceProp device;
    if (steps >> MLMC_HALF_LEVELS < 1024 || steps >> path_bits) {
        std::fprintf(stderr, "mlmc_half_cuda [STEPS]: from %d, below 2^%d\n", 1024 << MLMC_HALF_LEVELS,
                     path_bits);
        return 2;
    }
    MUST(cudaGetDeviceProperties(&device, 0));
    if (device.major < 8) {
        std::fprintf(stderr, "%s has no bfloat16\n", device.name);
        return 2;
    }
    gpu g = open_gpu();
    const mlmc_half_maker maker = {device.name, ways, way_names, &g, refuses, sum, ends};
    const int wrong = mlmc_half_measure(&maker, steps);
    close_gpu(&g);
    return wrong != 0;
}
