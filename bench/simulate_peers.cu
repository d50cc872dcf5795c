/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What others have instead of a simulation: kernels written by hand, with cuRAND's device functions, for
 * one deal each. Normals, paths and payoffs stay in registers; a thread takes every so many-th path.
 * bailey-bench loads the fat binary with the driver's functions (bench_peers.c).
 *
 * A kernel writes two numbers per block, the sums of its payoffs and of their squares, in double.
 */
#include "simulate_deal.h"

#include <curand_kernel.h>

namespace {

template <class real> struct deal_of;
template <> struct deal_of<float> {
    typedef deal_f32 type;
};
template <> struct deal_of<double> {
    typedef deal_f64 type;
};

__device__ float exponential(float x) { return __expf(x); }
__device__ double exponential(double x) { return exp(x); }

struct philox_f32 {
    curandStatePhilox4_32_10_t state;
    __device__ void start(unsigned long long seed, unsigned long long thread)
    {
        curand_init(seed, thread, 0, &state);
    }
    template <int count> __device__ void draw(float *z)
    {
#pragma unroll
        for (int i = 0; i < count; i += 4) {
            const float4 four = curand_normal4(&state);
            z[i] = four.x, z[i + 1] = four.y, z[i + 2] = four.z, z[i + 3] = four.w;
        }
    }
};

/* The starts of XORWOW's sequences are far apart, which costs cuRAND long to find: seeds do as well here. */
struct xorwow_f32 {
    curandStateXORWOW_t state;
    __device__ void start(unsigned long long seed, unsigned long long thread)
    {
        curand_init(seed + thread, 0, 0, &state);
    }
    template <int count> __device__ void draw(float *z)
    {
#pragma unroll
        for (int i = 0; i < count; i += 2) {
            const float2 two = curand_normal2(&state);
            z[i] = two.x, z[i + 1] = two.y;
        }
    }
};

/* cuRAND's words, and Box-Muller with native functions throughout: what cuRAND's own transform, whose
 * logarithm and root are not native, leaves to be gained. */
__device__ float2 native_box_muller(unsigned a, unsigned b)
{
    float radius, sine, cosine;
    const float u = a * 0x1p-32F + 0x1p-33F;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(radius) : "f"(-2 * __logf(u)));
    __sincosf(b * 1.4629180792671596e-9F, &sine, &cosine);
    return make_float2(radius * sine, radius * cosine);
}

struct native_philox_f32 : philox_f32 {
    template <int count> __device__ void draw(float *z)
    {
#pragma unroll
        for (int i = 0; i < count; i += 4) {
            const uint4 w = curand4(&state);
            const float2 a = native_box_muller(w.x, w.y), b = native_box_muller(w.z, w.w);
            z[i] = a.x, z[i + 1] = a.y, z[i + 2] = b.x, z[i + 3] = b.y;
        }
    }
};

struct native_xorwow_f32 : xorwow_f32 {
    template <int count> __device__ void draw(float *z)
    {
#pragma unroll
        for (int i = 0; i < count; i += 2) {
            const unsigned a = curand(&state), b = curand(&state);
            const float2 two = native_box_muller(a, b);
            z[i] = two.x, z[i + 1] = two.y;
        }
    }
};

template <class single> struct in_double : single {
    template <int count> __device__ void draw(double *z)
    {
#pragma unroll
        for (int i = 0; i < count; i += 2) {
            const double2 two = curand_normal2_double(&this->state);
            z[i] = two.x, z[i + 1] = two.y;
        }
    }
};

/* Of the block; thread 0 has the sum. */
__device__ double block_sum(double value)
{
    __shared__ double of_warp[32];
    for (int distance = 16; distance; distance /= 2) value += __shfl_down_sync(~0u, value, distance);
    __syncthreads();
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x) return 0;
    for (unsigned warp = 1; warp < blockDim.x / 32; warp++) value += of_warp[warp];
    return value;
}

__device__ void store(double sum, double squares, double *out)
{
    sum = block_sum(sum);
    squares = block_sum(squares);
    if (threadIdx.x) return;
    out[2 * blockIdx.x] = sum;
    out[2 * blockIdx.x + 1] = squares;
}

/* One step of the logarithms; the basket's value after it. */
template <class real, class deal_type> __device__ real advance(const deal_type &deal, const real *z, real *x)
{
    real basket = 0;
#pragma unroll
    for (int i = 0, entry = 0; i < DEAL_ASSETS; i++) {
        x[i] += deal.drift[i];
#pragma unroll
        for (int j = 0; j <= i; j++) x[i] += deal.factor[entry++] * z[j];
        basket += exponential(x[i]);
    }
    return basket;
}

/* `together` steps have their normals drawn together. */
template <class real, class source, int together, class deal_type>
__device__ real path_payoff(const deal_type &deal, source *normals)
{
    real x[DEAL_ASSETS], sum = 0;
#pragma unroll
    for (int i = 0; i < DEAL_ASSETS; i++) x[i] = deal.start[i];
#pragma unroll 1
    for (int step = 0; step < DEAL_FIXINGS; step += together) {
        real z[together * DEAL_ASSETS];
        normals->template draw<together * DEAL_ASSETS>(z);
#pragma unroll
        for (int i = 0; i < together; i++) sum += advance<real>(deal, z + i * DEAL_ASSETS, x);
    }
    const real value = sum * (real)(1.0 / DEAL_FIXINGS) - deal.strike;
    return value > 0 ? value : 0;
}

template <class real, class source, int together, class deal_type>
__device__ void basket(const deal_type &deal, unsigned long long paths, double *out)
{
    const unsigned long long threads = (unsigned long long)gridDim.x * blockDim.x;
    const unsigned long long thread = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    source normals;
    double sum = 0, squares = 0;
    normals.start(1, thread);
    for (unsigned long long path = thread; path < paths; path += threads) {
        const double value = path_payoff<real, source, together>(deal, &normals);
        sum += value;
        squares += value * value;
    }
    store(sum, squares, out);
}

} // namespace

/* ---- GPU Gems 3 ---- */

namespace {

/* No generator: the bound. Its paths begin at values of their own, or one would be enough. */
struct gems_constant {
    __device__ void start(unsigned long long) {}
    __device__ float path(const deal_gems &, unsigned long long path, unsigned long long)
    {
        return 1 + (float)(path % 1024) * 1e-6f;
    }
    __device__ float2 draw(const deal_gems &deal, int pair)
    {
        const int i = 2 * pair % GEMS_CONSTANTS;
        return make_float2(deal.constant[i], deal.constant[i + 1]);
    }
};

struct gems_memory {
    const float *next;
    unsigned long long row;
    __device__ void start(unsigned long long) {}
    __device__ float path(const deal_gems &deal, unsigned long long path, unsigned long long paths)
    {
        next = (const float *)deal.normals + path;
        row = paths;
        return 1;
    }
    __device__ float2 draw(const deal_gems &, int)
    {
        const float2 two = make_float2(next[0], next[row]);
        next += 2 * row;
        return two;
    }
};

struct gems_xorwow : xorwow_f32 {
    __device__ void start(unsigned long long thread) { xorwow_f32::start(1, thread); }
    __device__ float path(const deal_gems &, unsigned long long, unsigned long long) { return 1; }
    __device__ float2 draw(const deal_gems &, int) { return curand_normal2(&state); }
};

/* Listing 37-8. */
struct gems_max {
    template <class source>
    static __device__ float payoff(const deal_gems &deal, source *normals, float scale)
    {
        float a = deal.spot_a * scale, b = deal.spot_b * scale, sum = 0;
#pragma unroll 8
        for (int step = 0; step < GEMS_MAX_STEPS; step++) {
            const float2 r = normals->draw(deal, step);
            a *= __expf(deal.drift_a + r.x * deal.sigma_aa);
            b *= __expf(deal.drift_b + r.x * deal.sigma_ab + r.y * deal.sigma_bb);
            sum += fmaxf(a, b);
        }
        return fmaxf(sum / GEMS_MAX_STEPS - fmaxf(a, b), 0);
    }
};

/* Listing 37-9. */
struct gems_garch {
    template <class source>
    static __device__ float payoff(const deal_gems &deal, source *normals, float scale)
    {
        float before[GEMS_GARCH_STEPS], s = deal.spot * scale, v = deal.volatility * scale,
                                        shock = deal.shock;
#pragma unroll
        for (int step = 0; step < GEMS_GARCH_STEPS; step += 2) {
            const float2 pair = normals->draw(deal, step / 2);
#pragma unroll
            for (int i = 0; i < 2; i++) {
                before[step + i] = s;
                v = sqrtf(deal.a0 + deal.a1 * v * v + deal.a2 * shock * shock);
                shock = (i ? pair.y : pair.x) * v;
                s *= __expf(deal.drift + shock);
            }
        }
        float sum = 0;
#pragma unroll
        for (int step = 0; step < GEMS_GARCH_STEPS; step++) sum += fmaxf(before[step] - s, 0);
        return sum;
    }
};

template <class option, class source>
__device__ void gems(const deal_gems &deal, unsigned long long paths, double *out)
{
    const unsigned long long threads = (unsigned long long)gridDim.x * blockDim.x;
    const unsigned long long thread = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    source normals;
    double sum = 0, squares = 0;
    normals.start(thread);
    for (unsigned long long path = thread; path < paths; path += threads) {
        const float scale = normals.path(deal, path, paths);
        const double value = option::payoff(deal, &normals, scale);
        sum += value;
        squares += value * value;
    }
    store(sum, squares, out);
}

} // namespace

#define GEMS(name, option, source)                                                                           \
    extern "C" __global__ void name(deal_gems deal, unsigned long long paths, double *out)                   \
    {                                                                                                        \
        gems<option, source>(deal, paths, out);                                                              \
    }
GEMS(gems_max_constant, gems_max, gems_constant)
GEMS(gems_max_memory, gems_max, gems_memory)
GEMS(gems_max_xorwow, gems_max, gems_xorwow)
GEMS(gems_garch_constant, gems_garch, gems_constant)
GEMS(gems_garch_memory, gems_garch, gems_memory)
GEMS(gems_garch_xorwow, gems_garch, gems_xorwow)

/* ---- The basket ---- */

/* Of each the fastest variant counts. */
#define KERNEL(name, real, source, together)                                                                 \
    extern "C" __global__ void name(deal_of<real>::type deal, unsigned long long paths, double *out)         \
    {                                                                                                        \
        basket<real, source, together>(deal, paths, out);                                                    \
    }
KERNEL(basket_philox_f32_4, float, philox_f32, 4)
KERNEL(basket_philox_f32_8, float, philox_f32, 8)
KERNEL(basket_xorwow_f32_2, float, xorwow_f32, 2)
KERNEL(basket_xorwow_f32_4, float, xorwow_f32, 4)
KERNEL(basket_native_philox_f32_4, float, native_philox_f32, 4)
KERNEL(basket_native_xorwow_f32_4, float, native_xorwow_f32, 4)
KERNEL(basket_philox_f64_2, double, in_double<philox_f32>, 2)
KERNEL(basket_philox_f64_4, double, in_double<philox_f32>, 4)
KERNEL(basket_xorwow_f64_2, double, in_double<xorwow_f32>, 2)
KERNEL(basket_xorwow_f64_4, double, in_double<xorwow_f32>, 4)
