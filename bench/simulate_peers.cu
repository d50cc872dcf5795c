/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What others have in place of a simulation: kernels written by hand, with cuRAND's device functions, for one
 * deal. Normals, paths and payoffs stay in registers; a thread takes every so many-th path. bailey-bench
 * loads the fat binary with the driver's functions (bench_peers.c).
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
KERNEL(basket_philox_f64_2, double, in_double<philox_f32>, 2)
KERNEL(basket_philox_f64_4, double, in_double<philox_f32>, 4)
KERNEL(basket_xorwow_f64_2, double, in_double<xorwow_f32>, 2)
KERNEL(basket_xorwow_f64_4, double, in_double<xorwow_f32>, 4)
