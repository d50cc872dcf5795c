/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bench/normal_quality: how good normals are, as bailey_normals_generate writes them. A buffer is filled
 * again and again, one part of the sequence after the other; each fill is counted where it lies, in one pass.
 *
 *   normal_quality [--device cpu|cuda] [--count-log2 N] [--fill-log2 N] [--seed N] [--quick] [--json]
 *                  [--rows GENERATOR:METHOD:NUMERICS:PRECISION,...] [--plant mean|variance|tail|serial]
 *   normal_quality --generators philox,warp --methods icdf,box-muller,wallace --numerics exact,fast
 *                  --precisions f32,f64     (all their combinations that the library has)
 *
 * Without a selection: the rows of docs/quality.md, 2^36 normals each; --quick: 2^28. --plant spoils what is
 * read, to show that the verdict then fails (2^24 values are enough). The exit status is 1 if a row fails, or
 * if device and host, who run the same functions, disagree on a small part of a row.
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
 *
 * What floats and 32-bit words do to this. Where values are off by at most E units in the last place
 * u(x), the probability of abs(z) >= x is off by at most E u(x) phi(x), phi the density of abs(z). In
 * standard deviations of 2^36 values that is below 0.04 E wherever x lies, so that tails and A^2, which
 * has about the square of it, see nothing. Chi-square gets the noncentrality n sum (difference)^2 /
 * probability: at most 138 E^2 if all errors were adverse, where 69 are a standard deviation. Rounding
 * alone takes half a unit at every edge; what a cell gets at one it loses at the other, but at 1/2, 1,
 * 2 and 4: below 0.1. So it is for Box-Muller, whose other errors average out over radii and angles
 * (0.05, from the angles of 1,024 radii at each of 1,250 edges). The inverse CDF has 2^32 values, each
 * with its own error, and cells of few words. All of them can be counted: the row says by how many
 * standard deviations chi-square is shifted, and below which p-value this doubles it (for 2^36 values
 * 0.17 and 4e-5; the shift is in proportion to n). Its moments miss 0.02 (8th) standard deviations or
 * less, since the outermost word stands for all that is beyond.
 */
#include "normal_quality.h"

#include <bailey/cuda.h>

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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

/* ---- Rows ---- */

struct row {
    bailey_generator generator;
    bailey_normal_method method;
    bailey_numerics numerics;
    bailey_precision precision;
};

const char *const method_names[] = {"icdf", "box-muller", "wallace"};
const char *const numerics_names[] = {"exact", "fast"};
const char *const precision_names[] = {"f32", "f64"};

bool possible(const row &r)
{
    if (r.precision == BAILEY_PRECISION_F64 && r.numerics == BAILEY_NUMERICS_FAST) return false;
    return r.method != BAILEY_NORMAL_WALLACE ||
           (r.precision == BAILEY_PRECISION_F32 && r.numerics == BAILEY_NUMERICS_EXACT &&
            r.generator == BAILEY_GENERATOR_PHILOX);
}

/* The two of Wallace's method that are known to fail (docs/quality.md) do not count for the verdict. */
struct statistic {
    std::string name;
    double observed, expected, z, p;
    bool known;
};

struct result {
    row r;
    uint64_t n;
    double seconds, shift, corrected, degrees;
    std::vector<statistic> all;
    size_t worst;
    const char *verdict;
};

void judge(const totals &t, result *x)
{
    const row &r = x->r;
    const double n = (double)t.n, root = std::sqrt(n);
    std::vector<statistic> &all = x->all;
    const auto put = [&](const std::string &name, double observed, double expected, double z, double p,
                         bool known = false) {
        all.push_back(statistic{name, observed, expected, z, p, known});
    };
    const auto put_z = [&](const std::string &name, double observed, double expected, double deviation,
                           bool known = false) {
        const double z = (observed - expected) / deviation;
        put(name, observed, expected, z, normal_quality_p(z), known);
    };

    /* Words and radii of 32 bits have a law of their own, in the tails that of fast forms too. */
    normal_quality_law law = NORMAL_QUALITY_NORMAL;
    if (r.precision == BAILEY_PRECISION_F32 && r.method == BAILEY_NORMAL_ICDF) law = NORMAL_QUALITY_ICDF_F32;
    if (r.precision == BAILEY_PRECISION_F32 && r.method == BAILEY_NORMAL_BOX_MULLER)
        law = NORMAL_QUALITY_BOX_MULLER_F32;
    uint64_t count[2 * cells];
    for (int c = 0; c < 2 * cells; c++) count[c] = t.count[c];

    const double bad = (double)t.count[2 * cells];
    put("not numbers", bad, 0, bad ? INFINITY : 0, bad ? 0 : 1);
    const normal_quality_fit fit =
        normal_quality_fit_of(count, r.numerics == BAILEY_NUMERICS_EXACT ? law : NORMAL_QUALITY_NORMAL);
    x->shift = fit.shift;
    x->degrees = fit.degrees;
    put("chi-square", fit.chi_square, fit.degrees, fit.z, normal_quality_p(fit.z));
    put("Anderson-Darling", fit.anderson_darling, 1, NAN, std::fmin(2 * std::fmin(fit.p, 1 - fit.p), 1));

    double mu[2 * moments + 1] = {1};
    for (int k = 2; k <= 2 * moments; k += 2) mu[k] = mu[k - 2] * (k - 1);
    for (int k = 1; k <= moments; k++)
        put_z("moment " + std::to_string(k), t.moment[k - 1] / n, mu[k],
              std::sqrt(mu[2 * k] - mu[k] * mu[k]) / root);

    for (double edge : {1.0, 2.0, 3.0, 4.0, 5.0, 5.5, 6.0, 6.5})
        for (int side = 0; side < 2; side++) {
            uint64_t found = 0;
            for (int k = (int)(edge * NORMAL_QUALITY_CELLS_A_UNIT); k < cells; k++)
                found += count[side * cells + k];
            const double p = normal_quality_beyond(law, edge), mean = n * p;
            const double z = ((double)found - mean) / std::sqrt(mean > 0 ? mean * (1 - p) : 1);
            char name[40];
            std::snprintf(name, sizeof name, "tail %s %s%g", side ? ">=" : "<=", side ? "" : "-", edge);
            put(name, (double)found, mean, z,
                mean > 1000 ? normal_quality_p(z) : normal_quality_poisson(found, mean));
        }

    for (int h = 0; h < 2; h++)
        for (int l = 0; l < lags; l++)
            put_z((h ? "squares, lag " : "values, lag ") + std::to_string(t.lag_places[l]),
                  t.lag[l][h] / n / (h ? 2 : 1), 0, 1 / root);

    const double k = block, b = (double)t.blocks;
    const bool wallace = r.method == BAILEY_NORMAL_WALLACE;
    put_z("blocks' squares, mean", t.squares[0] / b + k, k, std::sqrt(2 * k / b));
    put_z("blocks' squares, variance", t.squares[1] / b, 2 * k, std::sqrt((8 * k * k + 48 * k) / b));
    put_z("blocks' squares, lag 1", t.next_squares / (double)t.pairs[0] / (2 * k), 0,
          1 / std::sqrt((double)t.pairs[0]));
    for (int lag = 1; lag <= 2; lag++)
        put_z("blocks' He_4, lag " + std::to_string(lag),
              t.fourth[lag - 1] / (double)t.pairs[lag - 1] / (24 * k), 0,
              1 / std::sqrt((double)t.pairs[lag - 1]), wallace);

    /* The smallest of all p-values, and the chance of one as small. */
    x->worst = 0;
    bool known = false;
    for (size_t i = 0; i < all.size(); i++) {
        if (all[i].known)
            known = known || all[i].p < 1e-6;
        else if (!(all[i].p >= all[x->worst].p))
            x->worst = i;
    }
    x->corrected = -std::expm1((double)all.size() * std::log1p(-all[x->worst].p));
    x->verdict = !(x->corrected >= 1e-6)   ? "FAILS"
                 : !(x->corrected >= 1e-3) ? "suspect"
                 : known                   ? "passes but for what is known of it"
                                           : "passes";
}

struct options {
    bool json = false;
    int count_log2 = 36, fill_log2 = 0;
    uint64_t seed = 1;
    plant spoilt = PLANT_NONE;
};

template <class real> bool run(machine *m, const options &o, result *x)
{
    const auto begin = std::chrono::steady_clock::now();
    int fill_log2 = o.fill_log2 ? o.fill_log2 : m->cuda ? (sizeof(real) == 4 ? 30 : 29) : 22;
    if (fill_log2 > o.count_log2) fill_log2 = o.count_log2;
    const uint64_t fill = UINT64_C(1) << fill_log2, total = UINT64_C(1) << o.count_log2;
    const size_t bytes = (fill + halo) * sizeof(real);
    real *memory = (real *)m->allocate(bytes);
    bailey_buffer *buffer = m->adopt(memory, bytes);
    bailey_normal_params p = {};
    p.seed = o.seed;
    p.generator = x->r.generator;
    p.method = x->r.method;
    p.numerics = x->r.numerics;
    p.precision = x->r.precision;
    bool good = true;
    totals t;
    {
        counter<real> c(m, fill);
        for (p.offset = 0; p.offset < total; p.offset += fill) {
            demand(bailey_normals_generate(m->context, &p, fill + halo, buffer, 0), "normals");
            if (m->cuda && p.offset == 0) good = agreed(m, memory, fill, o.spoilt);
            c.look_at(memory, fill, o.spoilt, &t);
        }
        c.end(&t);
    }
    demand(bailey_context_sync(m->context), "normals");
    bailey_buffer_destroy(buffer);
    m->release(memory);
    judge(t, x);
    x->n = t.n;
    x->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return good;
}

/* ---- Report ---- */

std::string title(const row &r)
{
    return std::string(bailey_generator_name(r.generator)) + ":" + method_names[r.method] + ":" +
           numerics_names[r.numerics] + ":" + precision_names[r.precision];
}

bool is_lag(const statistic &s)
{
    return !s.name.compare(0, 12, "values, lag ") || !s.name.compare(0, 13, "squares, lag ");
}

/* The largest of a group, whose names begin so. */
const statistic *largest(const result &x, const char *begins)
{
    const statistic *most = nullptr;
    for (const statistic &s : x.all)
        if (!s.name.compare(0, std::strlen(begins), begins) && (!most || s.p < most->p)) most = &s;
    return most;
}

void report(const result &x)
{
    const auto line = [](const statistic &s, const char *more) {
        char z[24] = "";
        if (!std::isnan(s.z)) std::snprintf(z, sizeof z, "%.2f", s.z);
        std::printf("  %-28s %18.10g %18.10g %9s %11.3g%s%s\n", s.name.c_str(), s.observed, s.expected, z,
                    s.p, s.known ? "  known" : "", more);
    };
    std::printf("%s: %llu normals, %.1f s\n  %-28s %18s %18s %9s %11s\n", title(x.r).c_str(),
                (unsigned long long)x.n, x.seconds, "statistic", "observed", "expected", "z", "p");
    for (const statistic &s : x.all)
        if (!is_lag(s)) line(s, "");
    char more[40];
    std::snprintf(more, sizeof more, "  largest of %d", lags);
    line(*largest(x, "values, lag "), more);
    line(*largest(x, "squares, lag "), more);
    if (x.shift > 0)
        std::printf("  the law of the words shifts chi-square by %.2g standard deviations, which doubles a "
                    "p-value below %.2g\n",
                    x.shift, normal_quality_p(std::log(2) / x.shift));
    std::printf("  smallest p of %zu: %.3g (%s); the chance of one as small: %.3g\n  %s\n\n", x.all.size(),
                x.all[x.worst].p, x.all[x.worst].name.c_str(), x.corrected, x.verdict);
    std::fflush(stdout);
}

void report_json(const std::vector<result> &results, const machine &m, const options &o)
{
    const auto number = [](const char *name, double v, const char *after) {
        if (std::isfinite(v))
            std::printf("\"%s\": %.17g%s", name, v, after);
        else
            std::printf("\"%s\": null%s", name, after);
    };
    std::printf("{\n  \"device\": \"%s\",\n  \"seed\": %llu,\n  \"rows\": [", m.name.c_str(),
                (unsigned long long)o.seed);
    for (size_t i = 0; i < results.size(); i++) {
        const result &x = results[i];
        std::printf("%s\n    {\"name\": \"%s\", \"count\": %llu, ", i ? "," : "", title(x.r).c_str(),
                    (unsigned long long)x.n);
        number("seconds", x.seconds, ", ");
        number("chi_square_shift", x.shift, ", ");
        number("smallest_p", x.all[x.worst].p, ", ");
        number("corrected_p", x.corrected, ", ");
        std::printf("\"verdict\": \"%s\", \"statistics\": [", x.verdict);
        for (size_t k = 0; k < x.all.size(); k++) {
            const statistic &s = x.all[k];
            std::printf("%s\n      {\"name\": \"%s\", ", k ? "," : "", s.name.c_str());
            number("observed", s.observed, ", ");
            number("expected", s.expected, ", ");
            number("z", s.z, ", ");
            number("p", s.p, "}");
        }
        std::printf("]}");
    }
    std::printf("\n  ]\n}\n");
}

/* One line a row, for docs/quality.md. */
void summary(const std::vector<result> &results)
{
    const auto of = [](const result &x, const char *name) -> const statistic & {
        for (const statistic &s : x.all)
            if (s.name == name) return s;
        return x.all[0];
    };
    std::printf(
        "| generator, method, numerics, precision | normals | chi-square, z | A^2, p | largest moment, z | "
        "beyond -6; 6: found (expected) | lags: values; squares, largest z of %d | smallest p of %zu | "
        "|\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
        lags, results.empty() ? 0 : results[0].all.size());
    for (const result &x : results) {
        const statistic &a = of(x, "Anderson-Darling"), &low = of(x, "tail <= -6"),
                        &high = of(x, "tail >= 6");
        const statistic *moment = largest(x, "moment "), *first = largest(x, "values, lag "),
                        *second = largest(x, "squares, lag ");
        std::printf(
            "| %s | 2^%g | %.2f | %.2f, %.3f | %s: %.2f | %.0f; %.0f (%.1f) | %.2f; %.2f | %.2g | %s |\n",
            title(x.r).c_str(), std::log2((double)x.n), of(x, "chi-square").z, a.observed, a.p,
            moment->name.c_str() + 7, moment->z, low.observed, high.observed, high.expected, first->z,
            second->z, x.all[x.worst].p, x.verdict);
    }
}

/* ---- Options ---- */

int usage()
{
    std::fprintf(stderr,
                 "usage: normal_quality [--device cpu|cuda] [--count-log2 N] [--fill-log2 N] [--seed N]\n"
                 "           [--quick] [--json] [--plant mean|variance|tail|serial]\n"
                 "           [--rows GENERATOR:METHOD:NUMERICS:PRECISION,...]\n"
                 "           [--generators NAMES] [--methods icdf,box-muller,wallace]\n"
                 "           [--numerics exact,fast] [--precisions f32,f64]\n");
    return 2;
}

std::vector<std::string> split(const std::string &text, char at)
{
    std::vector<std::string> parts(1);
    for (char c : text) {
        if (c == at)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

/* The place of a name, or -1. */
template <size_t count> int place(const char *const (&names)[count], const std::string &name)
{
    for (size_t i = 0; i < count; i++)
        if (name == names[i]) return (int)i;
    return -1;
}

bool row_of(const std::vector<std::string> &words, row *r)
{
    if (words.size() != 4 || bailey_generator_from_name(words[0].c_str(), &r->generator) != BAILEY_OK)
        return false;
    const int method = place(method_names, words[1]), numerics = place(numerics_names, words[2]),
              precision = place(precision_names, words[3]);
    if (method < 0 || numerics < 0 || precision < 0) return false;
    r->method = (bailey_normal_method)method;
    r->numerics = (bailey_numerics)numerics;
    r->precision = (bailey_precision)precision;
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    static const char *const plants[] = {"none", "mean", "variance", "tail", "serial"};
    std::string device = "cuda", lists[4] = {"philox", "icdf", "exact", "f32"};
    std::string chosen = "philox:icdf:exact:f32,warp:box-muller:exact:f32,warp:box-muller:fast:f32,"
                         "philox:icdf:exact:f64,philox:box-muller:exact:f64,philox:wallace:exact:f32";
    bool product = false;
    options o;
    for (int i = 1; i < argc; i++) {
        const std::string option = argv[i];
        if (option == "--json") {
            o.json = true;
            continue;
        }
        if (option == "--quick") {
            o.count_log2 = 28;
            continue;
        }
        if (i + 1 == argc) return usage();
        const char *const text = argv[++i];
        static const char *const names[] = {"--generators", "--methods", "--numerics", "--precisions"};
        if (place(names, option) >= 0) {
            lists[place(names, option)] = text;
            product = true;
        } else if (option == "--rows")
            chosen = text;
        else if (option == "--device")
            device = text;
        else if (option == "--count-log2")
            o.count_log2 = std::atoi(text);
        else if (option == "--fill-log2")
            o.fill_log2 = std::atoi(text);
        else if (option == "--seed")
            o.seed = std::strtoull(text, nullptr, 0);
        else if (option == "--plant" && place(plants, text) >= 0)
            o.spoilt = (plant)place(plants, text);
        else
            return usage();
    }
    if (o.count_log2 < 20 || o.count_log2 > 44 || (device != "cpu" && device != "cuda")) return usage();
    if (o.fill_log2 && (o.fill_log2 < 14 || o.fill_log2 > most_fill_log2)) return usage();

    std::vector<row> rows;
    const std::vector<std::string> texts = split(chosen, ',');
    row r;
    if (product) {
        for (const std::string &precision : split(lists[3], ','))
            for (const std::string &numerics : split(lists[2], ','))
                for (const std::string &method : split(lists[1], ','))
                    for (const std::string &generator : split(lists[0], ',')) {
                        if (!row_of({generator, method, numerics, precision}, &r)) return usage();
                        if (possible(r)) rows.push_back(r);
                    }
    } else
        for (const std::string &text : texts) {
            if (!row_of(split(text, ':'), &r) || !possible(r)) return usage();
            rows.push_back(r);
        }
    if (rows.empty()) return usage();

    machine m;
    m.open(device == "cuda");
    if (!o.json) std::printf("%s, seed %llu\n\n", m.name.c_str(), (unsigned long long)o.seed);
    std::vector<result> results;
    bool good = true;
    for (const row &one : rows) {
        result x = {};
        x.r = one;
        good =
            (one.precision == BAILEY_PRECISION_F32 ? run<float>(&m, o, &x) : run<double>(&m, o, &x)) && good;
        if (!o.json) report(x);
        if (x.verdict[0] == 'F') good = false;
        results.push_back(x);
    }
    if (o.json)
        report_json(results, m, o);
    else
        summary(results);
    bailey_context_destroy(m.context);
    if (m.stream) demand(cudaStreamDestroy(m.stream), "stream");
    return good ? 0 : 1;
}
