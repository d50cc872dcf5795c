/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How bench/normal_quality counts normals where they lie: the pass over a fill, on the device and on the
 * host, and what is known of a row after its last fill.
 *
 * What is counted:
 *   - cells: a histogram in integers, 1/256 wide from 0 to 8 for either sign, the last up to 9. Edges
 *     are floats: no value lies in doubt. A thread block counts in 32 bits in shared memory, and adds
 *     to 64-bit counts at its end; a fill has at most 2^31 values, so that nothing can overflow.
 *   - chi-square of the cells, those that expect fewer than 100 or one in 2^24 joined.
 *   - A^2, Anderson and Darling's statistic, of the grouped values. A cell has at most 0.0016 of the
 *     values: the trapezoidal sum over cells differs from the integral by less than 0.001 of it.
 *   - moments 1 to 8 about 0, in double.
 *   - tails: values beyond 1 to 6.5 on each side, sums of cells. Of the inverse CDF f32 as many are
 *     expected as there are words that give them; of Box-Muller f32 beyond 4 what its 2^32 radii and
 *     all angles give.
 *   - lags: sums of z z' and of (z^2 - 1) (z'^2 - 1) for z' 1 to 64 places on; 68, 72, ..., 128 (of a
 *     generator with lanes the neighbours within 4 steps and 32 lanes: bailey/device/run.h); and 8192
 *     (the same step and lane of the next run). All values, no sample.
 *   - blocks of 1024 values, Wallace's pools: sums of squares and of He_4 = z^4 - 6 z^2 + 3, their
 *     correlations with the next block, and for He_4 the one after that, within 16 blocks.
 */
#ifndef BENCH_NORMAL_QUALITY_COUNT_CUH
#define BENCH_NORMAL_QUALITY_COUNT_CUH

#include "normal_quality.h"

#include <bailey/cuda.h>

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define BOTH __host__ __device__

namespace {

constexpr int threads = 256;   /* of a thread block */
constexpr int tile = 2048;     /* values that it looks at at a time */
constexpr int block = 1024;    /* values of a sum of squares */
constexpr int near_most = 128; /* the largest lag within reach of a tile */
constexpr int far_lag = 8192;
constexpr int halo = far_lag + 64; /* values of a fill beyond those that are counted */
constexpr int cells = NORMAL_QUALITY_CELLS;
constexpr int blocks_together = 16; /* of a run of Wallace's */
constexpr int most_fill_log2 = 31;  /* cells of a thread block have 32 bits */

constexpr int moments = 8;
constexpr int lags_a_warp = 10; /* 8 w + 1 .. 8 w + 8, then 68 + 8 w and 72 + 8 w, of warp w */
constexpr int warps = threads / 32;
constexpr int lags = warps * lags_a_warp + 1;

BOTH constexpr int lag_of(int warp, int j) { return j < 8 ? 8 * warp + 1 + j : 68 + 8 * warp + 4 * (j - 8); }
static_assert(lag_of(warps - 1, lags_a_warp - 1) == near_most, "a tile is loaded with so many more");
static_assert(tile % block == 0 && tile / block == 2 && block % threads == 0, "as sums() has it");

/* What one thread adds up, over all fills of a row. */
struct sums {
    double moment[moments];
    double far[2];
    double lag[2 * lags_a_warp];
};
constexpr int sums_doubles = sizeof(sums) / sizeof(double);

/* What a thread block works with. */
struct workspace {
    unsigned int cell[2 * cells + 1]; /* the last: not a number, or beyond 9 */
    double z[tile + near_most];
    double part[4][threads], segment[4][16];
};

enum plant { PLANT_NONE, PLANT_MEAN, PLANT_VARIANCE, PLANT_TAIL, PLANT_SERIAL };

/* ---- One pass, step by step: a thread block's threads on the device, one after the other on the host ----
 */

template <class real> BOTH double value(const real *z, uint64_t i, plant spoilt)
{
    const double x = (double)z[i];
    switch (spoilt) {
    case PLANT_MEAN: return x + 1.0 / 512;
    case PLANT_VARIANCE: return x * (1 + 1.0 / 256);
    case PLANT_TAIL: return x > 4 ? 4 + (x - 4) / 4 : x;
    case PLANT_SERIAL: return (x + 1.0 / 128 * (double)z[i + 1]) * 0.99996948382161;
    default: return x;
    }
}

BOTH void add(unsigned int *to, unsigned int what)
{
#ifdef __CUDA_ARCH__
    atomicAdd(to, what);
#else
    *to += what;
#endif
}

BOTH void add(unsigned long long *to, unsigned long long what)
{
#ifdef __CUDA_ARCH__
    atomicAdd(to, what);
#else
    *to += what;
#endif
}

BOTH int cell_of(double z)
{
    const double a = fabs(z);
    if (!(a < 9)) return 2 * cells;
    const int k = (int)(a * NORMAL_QUALITY_CELLS_A_UNIT);
    return (z < 0 ? 0 : cells) + (k < cells ? k : cells - 1);
}

BOTH void clear(workspace *w, int thread)
{
    for (int c = thread; c < 2 * cells + 1; c += threads) w->cell[c] = 0;
}

template <class real> BOTH void load(workspace *w, const real *z, uint64_t begin, plant spoilt, int thread)
{
    for (int i = thread; i < tile + near_most; i += threads) w->z[i] = value(z, begin + i, spoilt);
}

/* Cells, moments, the far lag, and this thread's part of the blocks' sums. */
template <class real>
BOTH void values(workspace *w, sums *s, const real *z, uint64_t begin, plant spoilt, int thread)
{
    for (int b = 0; b < tile / block; b++) {
        double squares = 0, fourth = 0;
        for (int i = b * block + thread; i < (b + 1) * block; i += threads) {
            const double x = w->z[i], x2 = x * x, y = value(z, begin + i + far_lag, spoilt);
            add(&w->cell[cell_of(x)], 1);
            double power = 1;
#pragma unroll
            for (int k = 0; k < moments; k++) s->moment[k] += power *= x;
            s->far[0] += x * y;
            s->far[1] += (x2 - 1) * (y * y - 1);
            squares += x2;
            fourth += x2 * (x2 - 6) + 3;
        }
        w->part[2 * b][thread] = squares;
        w->part[2 * b + 1][thread] = fourth;
    }
}

/* Warp w has lags of its own, and looks at all values. */
BOTH void near(const workspace *w, sums *s, int thread)
{
    const int warp = thread / 32;
    for (int i = thread % 32; i < tile; i += 32) {
        const double x = w->z[i], square = x * x - 1;
#pragma unroll
        for (int j = 0; j < lags_a_warp; j++) {
            const double y = w->z[i + lag_of(warp, j)];
            s->lag[2 * j] += x * y;
            s->lag[2 * j + 1] += square * (y * y - 1);
        }
    }
}

BOTH void gather(workspace *w, int thread)
{
    if (thread >= 64) return;
    double sum = 0;
    for (int i = 0; i < threads / 16; i++) sum += w->part[thread / 16][thread % 16 * (threads / 16) + i];
    w->segment[thread / 16][thread % 16] = sum;
}

/* out: sum of squares and of He_4 of each block. */
BOTH void finish(const workspace *w, double *out, uint64_t begin, int thread)
{
    if (thread >= 4) return;
    double sum = 0;
    for (int i = 0; i < 16; i++) sum += w->segment[thread][i];
    out[begin / block * 2 + thread] = sum;
}

BOTH void publish(const workspace *w, unsigned long long *count, int thread)
{
    for (int c = thread; c < 2 * cells + 1; c += threads)
        if (w->cell[c]) add(&count[c], w->cell[c]);
}

/* Sums are kept as [sum][thread of all]. */
template <class real>
__global__ void __launch_bounds__(threads, 3)
    look(const real *z, uint64_t n, plant spoilt, unsigned long long *count, double *kept, double *out)
{
    __shared__ workspace w;
    const int thread = threadIdx.x, all = gridDim.x * threads, me = blockIdx.x * threads + thread;
    sums s;
#pragma unroll
    for (int k = 0; k < sums_doubles; k++) ((double *)&s)[k] = kept[(size_t)k * all + me];
    clear(&w, thread);
    for (uint64_t begin = (uint64_t)blockIdx.x * tile; begin < n; begin += (uint64_t)gridDim.x * tile) {
        load(&w, z, begin, spoilt, thread);
        __syncthreads();
        values(&w, &s, z, begin, spoilt, thread);
        near(&w, &s, thread);
        __syncthreads();
        gather(&w, thread);
        __syncthreads();
        finish(&w, out, begin, thread);
    }
    __syncthreads();
    publish(&w, count, thread);
#pragma unroll
    for (int k = 0; k < sums_doubles; k++) kept[(size_t)k * all + me] = ((const double *)&s)[k];
}

template <class real>
void look_here(const real *z, uint64_t n, plant spoilt, unsigned long long *count, sums *s, double *out)
{
    static workspace w;
    for (int t = 0; t < threads; t++) clear(&w, t);
    for (uint64_t begin = 0; begin < n; begin += tile) {
        for (int t = 0; t < threads; t++) load(&w, z, begin, spoilt, t);
        for (int t = 0; t < threads; t++) values(&w, &s[t], z, begin, spoilt, t);
        for (int t = 0; t < threads; t++) near(&w, &s[t], t);
        for (int t = 0; t < threads; t++) gather(&w, t);
        for (int t = 0; t < threads; t++) finish(&w, out, begin, t);
    }
    for (int t = 0; t < threads; t++) publish(&w, count, t);
}

/* ---- What has been counted of a row ---- */

struct totals {
    uint64_t n = 0;
    unsigned long long count[2 * cells + 1] = {0};
    double moment[moments] = {0};
    double lag[lags][2] = {{0}};
    int lag_places[lags] = {0};
    /* Of blocks: sums of (S - K), (S - K)^2, and of products with a later block's. */
    uint64_t blocks = 0, pairs[2] = {0};
    double squares[2] = {0}, next_squares = 0, fourth[2] = {0};
};

/* Adds what `parts` thread blocks had; [sum][thread]. */
void collect(totals *t, const double *kept, size_t parts)
{
    const size_t all = parts * threads;
    constexpr int far_at = moments, lag_at = moments + 2;
    const auto sum = [&](int k, size_t warp,
                         size_t of) { /* over the threads of a warp of each block */
                                      double total = 0;
                                      for (size_t p = 0; p < parts; p++)
                                          for (size_t i = warp * 32; i < (warp + of) * 32; i++)
                                              total += kept[(size_t)k * all + p * threads + i];
                                      return total;
    };
    for (int k = 0; k < moments; k++) t->moment[k] = sum(k, 0, warps);
    for (int w = 0; w < warps; w++)
        for (int j = 0; j < lags_a_warp; j++) {
            const int l = w * lags_a_warp + j;
            t->lag_places[l] = lag_of(w, j);
            for (int h = 0; h < 2; h++) t->lag[l][h] = sum(lag_at + 2 * j + h, (size_t)w, 1);
        }
    t->lag_places[lags - 1] = far_lag;
    for (int h = 0; h < 2; h++) t->lag[lags - 1][h] = sum(far_at + h, 0, warps);
}

void blocks_of(totals *t, const double *out, uint64_t count)
{
    for (uint64_t b = 0; b < count; b++) {
        const double s = out[2 * b] - block, f = out[2 * b + 1];
        t->squares[0] += s;
        t->squares[1] += s * s;
        for (uint64_t lag = 1; lag <= 2 && b % blocks_together + lag < blocks_together && b + lag < count;
             lag++) {
            if (lag == 1) t->next_squares += s * (out[2 * (b + lag)] - block);
            t->fourth[lag - 1] += f * out[2 * (b + lag) + 1];
            t->pairs[lag - 1]++;
        }
    }
    t->blocks += count;
}

/* ---- Devices ---- */

void demand(cudaError_t error, const char *what)
{
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "normal_quality: %s: %s\n", what, cudaGetErrorString(error));
    std::exit(2);
}

void demand(bailey_status status, const char *what)
{
    if (status == BAILEY_OK) return;
    std::fprintf(stderr, "normal_quality: %s: %s\n", what, bailey_error_text());
    std::exit(2);
}

struct machine {
    bool cuda = false;
    std::string name;
    bailey_context *context = nullptr;
    cudaStream_t stream = nullptr;
    int processors = 0;

    void open(bool on_cuda)
    {
        cuda = on_cuda;
        if (cuda) {
            cudaDeviceProp device;
            CUcontext current = nullptr;
            demand(cudaSetDevice(0), "no device");
            demand(cudaFree(nullptr), "no device");
            demand(cudaGetDeviceProperties(&device, 0), "no device");
            demand(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
            void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
            const auto get = driver ? (CUresult(*)(CUcontext *))dlsym(driver, "cuCtxGetCurrent") : nullptr;
            if (!get || get(&current) != CUDA_SUCCESS) {
                std::fprintf(stderr, "normal_quality: no CUDA context\n");
                std::exit(2);
            }
            demand(bailey_context_create_cuda(current, stream, nullptr, &context), "device");
            name = device.name;
            processors = device.multiProcessorCount;
        } else {
            bailey_device device;
            demand(bailey_context_create("cpu", nullptr, &context), "device");
            demand(bailey_context_device(context, &device), "device");
            name = device.name;
        }
    }
    void *allocate(size_t bytes)
    {
        void *memory = nullptr;
        if (cuda)
            demand(cudaMalloc(&memory, bytes), "memory");
        else if (!(memory = std::malloc(bytes)))
            demand(cudaErrorMemoryAllocation, "memory");
        return memory;
    }
    void release(void *memory)
    {
        if (cuda)
            demand(cudaFree(memory), "memory");
        else
            std::free(memory);
    }
    bailey_buffer *adopt(void *memory, size_t bytes)
    {
        bailey_buffer *buffer = nullptr;
        demand(cuda ? bailey_buffer_adopt_cuda(context, (CUdeviceptr)memory, bytes, &buffer)
                    : bailey_buffer_adopt_host(context, memory, bytes, &buffer),
               "buffer");
        return buffer;
    }
    void read(void *to, const void *from, size_t bytes)
    {
        demand(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), "copy");
        demand(cudaStreamSynchronize(stream), "copy");
    }
};

/* Where a device counts: made once a row. */
template <class real> struct counter {
    machine *m;
    int grid = 1;
    unsigned long long *count = nullptr;
    double *kept = nullptr, *out = nullptr;
    size_t kept_bytes;
    std::vector<sums> here;
    std::vector<double> blocks;

    counter(machine *on, uint64_t fill) : m(on), blocks(fill / block * 2)
    {
        if (m->cuda) {
            int resident = 0;
            demand(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, look<real>, threads, 0),
                   "occupancy");
            grid = m->processors * (resident > 0 ? resident : 1);
            kept_bytes = (size_t)grid * threads * sizeof(sums);
            count = (unsigned long long *)m->allocate((2 * cells + 1) * sizeof *count);
            kept = (double *)m->allocate(kept_bytes);
            out = (double *)m->allocate(blocks.size() * sizeof *out);
        }
        clear();
    }
    ~counter()
    {
        if (!m->cuda) return;
        m->release(count);
        m->release(kept);
        m->release(out);
    }
    void clear()
    {
        here.assign(threads, sums{});
        if (!m->cuda) return;
        demand(cudaMemsetAsync(count, 0, (2 * cells + 1) * sizeof *count, m->stream), "clear");
        demand(cudaMemsetAsync(kept, 0, kept_bytes, m->stream), "clear"); /* bytes of 0.0 are 0 */
    }
    void look_at(const real *z, uint64_t n, plant spoilt, totals *t)
    {
        if (m->cuda) {
            look<<<grid, threads, 0, m->stream>>>(z, n, spoilt, count, kept, out);
            demand(cudaGetLastError(), "kernel");
            m->read(blocks.data(), out, n / block * 2 * sizeof *out);
        } else
            look_here(z, n, spoilt, t->count, here.data(), blocks.data());
        blocks_of(t, blocks.data(), n / block);
        t->n += n;
    }
    void end(totals *t)
    {
        std::vector<double> all;
        if (m->cuda) {
            all.resize(kept_bytes / sizeof(double));
            m->read(all.data(), kept, kept_bytes);
            m->read(t->count, count, (2 * cells + 1) * sizeof *count);
        } else {
            all.resize((size_t)threads * sums_doubles);
            for (int k = 0; k < sums_doubles; k++)
                for (int i = 0; i < threads; i++)
                    all[(size_t)k * threads + i] = ((const double *)&here[(size_t)i])[k];
        }
        collect(t, all.data(), (size_t)grid);
    }
};

bool near_enough(const char *what, double a, double b, double n)
{
    if (std::fabs(a - b) <= 1e-12 * n * std::fmax(1, std::fabs(a) / n)) return true;
    std::fprintf(stderr, "normal_quality: %s: the device has %.17g, the host %.17g\n", what, a, b);
    return false;
}

/* The host counts the first values of a fill too. */
template <class real> bool agreed(machine *m, const real *z, uint64_t fill, plant spoilt)
{
    const uint64_t n = fill < 256 * tile ? fill : 256 * tile;
    std::vector<real> copy(n + halo);
    m->read(copy.data(), z, copy.size() * sizeof(real));
    totals device, host;
    counter<real> on(m, n);
    on.look_at(z, n, spoilt, &device);
    on.end(&device);
    machine processor;
    counter<real> off(&processor, n);
    off.look_at(copy.data(), n, spoilt, &host);
    off.end(&host);
    bool good = true;
    for (int c = 0; c < 2 * cells + 1; c++)
        if (device.count[c] != host.count[c] && good) {
            std::fprintf(stderr, "normal_quality: cell %d: the device has %llu, the host %llu\n", c,
                         device.count[c], host.count[c]);
            good = false;
        }
    const double size = (double)n;
    for (int k = 0; k < moments; k++)
        good = near_enough("a moment", device.moment[k], host.moment[k], size) && good;
    for (int l = 0; l < lags; l++)
        for (int h = 0; h < 2; h++)
            good = near_enough("a lag", device.lag[l][h], host.lag[l][h], size) && good;
    good = near_enough("squares", device.squares[0], host.squares[0], size) && good;
    good = near_enough("squares", device.squares[1], host.squares[1], size) && good;
    good = near_enough("squares", device.next_squares, host.next_squares, size) && good;
    for (int h = 0; h < 2; h++)
        good = near_enough("fourth powers", device.fourth[h], host.fourth[h], size * 24) && good;
    return good;
}

} // namespace

#endif
