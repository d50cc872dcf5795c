/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bench/registers: how fast generators are where nothing is written to memory, as in a kernel that uses each
 * number at once. Every thread loads the state of its generator, draws, and stores the exclusive or of all it
 * drew: one word. All subjects take turns, in one run; the value is the median of the turns.
 *
 *   registers [--json] [--milliseconds N] [--turns N] [--only TEXT]
 *
 * A subject is refused (exit status 1) if the word that some thread stores is not the one that the host
 * computes in C from the same headers; of cuRAND's XORWOW and MRG32k3a from the states that cuRAND made. What
 * has no exact counterpart on the host (normals of the fast profile, cuRAND's) must take twice as long for
 * twice as many.
 */
#include "registers.h"

#include <bailey/advanced.h>
#include <bailey/device/draw.h>
#include <bailey/device/generators.h>
#include <bailey/device/philox.h>

#if __has_include(<curand_kernel.h>)
#include <curand_kernel.h>
#define HAVE_CURAND 1
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr int block_threads = 256;

/* ---- Subjects: a state with start() and next(), which gives the exclusive or of `words` words ---- */

template <int rounds> struct philox {
    static constexpr int words = 4;
    bailey_uint64 block;
    bailey_uint32 stream;

    __device__ void start(bailey_uint64, bailey_uint32 thread, const bailey_uint32 *)
    {
        block = 0;
        stream = thread;
    }
    __device__ void four(bailey_philox_keys keys, bailey_uint32 *w)
    {
        const bailey_philox_block b = bailey_philox_words4_keyed(rounds, keys, stream, block++);
        for (int i = 0; i < 4; i++) w[i] = b.word[i];
    }
    __device__ bailey_uint32 next(bailey_philox_keys keys)
    {
        bailey_uint32 w[4];
        four(keys, w);
        return w[0] ^ w[1] ^ w[2] ^ w[3];
    }
};

template <int output, int shift> struct warp {
    static constexpr int words = 1;
    bailey_warp g;

    __device__ void start(bailey_uint64 seed, bailey_uint32 thread, const bailey_uint32 *taps)
    {
        const bailey_uint32 lane = thread & 31;
        const bailey_uint32 tag = output == BAILEY_WARP_ADD ? BAILEY_WARP_ADD_TAG : BAILEY_WARP_TAG;
        g.word = bailey_warp_start(tag, seed, 0, thread >> 5, lane);
        g.taps = taps[(output == BAILEY_WARP_ADD ? 32 : 0) + lane];
    }
    __device__ bailey_uint32 next(bailey_philox_keys) { return bailey_warp_next(output, shift, &g); }
    __device__ void four(bailey_philox_keys, bailey_uint32 *w)
    {
        for (int i = 0; i < 4; i++) w[i] = bailey_warp_next(output, shift, &g);
    }
};
using warp_wide = warp<BAILEY_WARP_WIDE, BAILEY_WARP_ZA>;
using warp_add = warp<BAILEY_WARP_ADD, BAILEY_WARP_ZA_PUBLISHED>;

/* Two steps of 32 words at a time, so that the words need not move to where the next step looks for them. */
struct warp_own {
    static constexpr int words = 64;
    bailey_warp_own g;

    __device__ void start(bailey_uint64 seed, bailey_uint32 thread, const bailey_uint32 *)
    {
        g = bailey_warp_own_start(seed, 0, thread);
    }
    __device__ void many(bailey_uint32 *w)
    {
        bailey_warp_own_next(&g, w);
        bailey_warp_own_next(&g, w + 32);
    }
    __device__ bailey_uint32 next(bailey_philox_keys)
    {
        bailey_uint32 w[words], sum = 0;
        many(w);
        for (int i = 0; i < words; i++) sum ^= w[i];
        return sum;
    }
};

enum method { ICDF, BOX_MULLER, BOX_MULLER_FAST };

/* Of the inverse CDF. */
__device__ const float *normal_table;

/* The bits of four normals of four words. */
template <method how> __device__ bailey_uint32 normals_of(const bailey_uint32 *w)
{
    const int methods[] = {BAILEY_DRAW_ICDF, BAILEY_DRAW_BOX_MULLER, BAILEY_DRAW_BOX_MULLER_FAST};
    const bailey_philox_block block = {{w[0], w[1], w[2], w[3]}};
    const bailey_pack_f32 z = bailey_normals_of_words_f32(methods[how], normal_table, block);
    return __float_as_uint(z.value[0]) ^ __float_as_uint(z.value[1]) ^ __float_as_uint(z.value[2]) ^
           __float_as_uint(z.value[3]);
}

template <class source, method how> struct normals {
    static constexpr int words = 4;
    source from;

    __device__ void start(bailey_uint64 seed, bailey_uint32 thread, const bailey_uint32 *taps)
    {
        from.start(seed, thread, taps);
    }
    __device__ bailey_uint32 next(bailey_philox_keys keys)
    {
        bailey_uint32 w[4];
        from.four(keys, w);
        return normals_of<how>(w);
    }
};

template <method how> struct own_normals {
    static constexpr int words = warp_own::words;
    warp_own from;

    __device__ void start(bailey_uint64 seed, bailey_uint32 thread, const bailey_uint32 *taps)
    {
        from.start(seed, thread, taps);
    }
    __device__ bailey_uint32 next(bailey_philox_keys)
    {
        bailey_uint32 w[words], sum = 0;
        from.many(w);
#pragma unroll
        for (int i = 0; i < words; i += 4) sum ^= normals_of<how>(w + i);
        return sum;
    }
};

#if HAVE_CURAND
struct curand_philox {
    static constexpr int words = 4;
    curandStatePhilox4_32_10_t g;

    __device__ void start(bailey_uint64 seed, bailey_uint32 thread, const bailey_uint32 *)
    {
        curand_init(seed, thread, 0, &g);
    }
    __device__ bailey_uint32 next(bailey_philox_keys)
    {
        const uint4 w = curand4(&g);
        return w.x ^ w.y ^ w.z ^ w.w;
    }
};

struct curand_normals : curand_philox {
    __device__ bailey_uint32 next(bailey_philox_keys)
    {
        const float4 z = curand_normal4(&g);
        return __float_as_uint(z.x) ^ __float_as_uint(z.y) ^ __float_as_uint(z.z) ^ __float_as_uint(z.w);
    }
};

/* The sequences' starts are far apart, which costs cuRAND long to find: seeds do as well here. */
struct curand_xorwow {
    static constexpr int words = 1;
    curandStateXORWOW_t g;

    __device__ void start(bailey_uint64 seed, bailey_uint32 thread, const bailey_uint32 *)
    {
        curand_init(seed + thread, 0, 0, &g);
    }
    __device__ bailey_uint32 next(bailey_philox_keys) { return curand(&g); }
    static void state(const curand_xorwow *from, uint32_t *to)
    {
        for (int i = 0; i < 5; i++) to[i] = from->g.v[i];
        to[5] = from->g.d;
    }
};

struct curand_mrg32k3a {
    static constexpr int words = 1;
    curandStateMRG32k3a_t g;

    __device__ void start(bailey_uint64 seed, bailey_uint32 thread, const bailey_uint32 *)
    {
        curand_init(seed + thread, 0, 0, &g);
    }
    __device__ bailey_uint32 next(bailey_philox_keys) { return curand(&g); }
    static void state(const curand_mrg32k3a *from, uint32_t *to)
    {
        for (int i = 0; i < 3; i++) to[i] = from->g.s1[i], to[3 + i] = from->g.s2[i];
    }
};
#endif

/* ---- Kernels ---- */

/* Words of a thread in one turn of its loop. */
template <class subject>
constexpr int turn_words = subject::words > REGISTERS_WORDS ? subject::words : REGISTERS_WORDS;

template <class subject> __global__ void start(subject *states, bailey_uint64 seed, const bailey_uint32 *taps)
{
    const bailey_uint32 thread = blockIdx.x * blockDim.x + threadIdx.x;
    states[thread].start(seed, thread, taps);
}

template <class subject>
__global__ void __launch_bounds__(block_threads)
    draw(const subject *states, bailey_philox_keys keys, bailey_uint32 turns, bailey_uint32 *out)
{
    const bailey_uint32 thread = blockIdx.x * blockDim.x + threadIdx.x;
    subject g = states[thread];
    bailey_uint32 sum = 0;
    for (bailey_uint32 turn = 0; turn < turns; turn++) {
#pragma unroll
        for (int i = 0; i < turn_words<subject>; i += subject::words) sum ^= g.next(keys);
    }
    out[thread] = sum;
}

/* MT19937, whose state is too large for a thread: 32 threads share one in shared memory, and make 32 words
 * at a time (any 227 do not depend on each other). */
struct mt19937 {
    bailey_uint32 word[BAILEY_MT19937_WORDS];
};
using team_warp = warp_wide;
using team_warp_add = warp_add;
using team_mt19937 = mt19937;
template <class subject> constexpr int threads_a_state = 1;
template <> constexpr int threads_a_state<mt19937> = 32;
template <class subject> constexpr int words_of_a_turn = turn_words<subject>;
template <> constexpr int words_of_a_turn<mt19937> = REGISTERS_WORDS;

__global__ void start(mt19937 *states, bailey_uint64 seed, const bailey_uint32 *)
{
    const bailey_uint32 thread = blockIdx.x * blockDim.x + threadIdx.x, lane = thread & 31;
    for (bailey_uint32 i = lane; i < BAILEY_MT19937_WORDS / 4; i += 32) {
        const bailey_philox_block b = bailey_run_hash(BAILEY_MT19937_TAG, seed, 0, thread >> 5, i);
        for (int k = 0; k < 4; k++) states[thread >> 5].word[4 * i + k] = b.word[k];
    }
}

__device__ bailey_uint32 around(bailey_uint32 n)
{
    return n >= BAILEY_MT19937_WORDS ? n - BAILEY_MT19937_WORDS : n;
}

__global__ void __launch_bounds__(block_threads)
    draw(const mt19937 *states, bailey_philox_keys, bailey_uint32 turns, bailey_uint32 *out)
{
    __shared__ bailey_uint32 shared[block_threads / 32][BAILEY_MT19937_WORDS];
    const bailey_uint32 thread = blockIdx.x * blockDim.x + threadIdx.x, lane = thread & 31;
    bailey_uint32 *const s = shared[threadIdx.x >> 5];
    for (bailey_uint32 i = lane; i < BAILEY_MT19937_WORDS; i += 32) s[i] = states[thread >> 5].word[i];
    __syncwarp();
    bailey_uint32 sum = 0, n = lane;
    for (bailey_uint32 turn = 0; turn < turns; turn++) {
#pragma unroll
        for (int i = 0; i < REGISTERS_WORDS; i++) {
            const bailey_uint32 word =
                bailey_mt19937_twist(s[n], s[around(n + 1)], s[around(n + BAILEY_MT19937_DISTANCE)]);
            __syncwarp();
            s[n] = word;
            __syncwarp();
            sum ^= bailey_mt19937_temper(word);
            n = around(n + 32);
        }
    }
    out[thread] = sum;
}

/* A type of each generator, by its kind; what a team has stands above. */
#define GENERATOR_COUNTER(name) using generator_##name = philox<BENCH_ROUNDS_##name>;
#define GENERATOR_TEAM(name) using generator_##name = team_##name;
#define GENERATOR_LANES(name)                                                                                \
    struct generator_##name {                                                                                \
        static constexpr int words = 1;                                                                      \
        bailey_##name g;                                                                                     \
        __device__ void start(bailey_uint64 seed, bailey_uint32 thread, const bailey_uint32 *)               \
        {                                                                                                    \
            g = bailey_##name##_start(seed, 0, thread >> 5, thread & 31);                                    \
        }                                                                                                    \
        __device__ bailey_uint32 next(bailey_philox_keys) { return bailey_##name##_next(&g); }               \
    };
#define GENERATOR(number, name, word, kind, published, text, verdict, period) GENERATOR_##kind(word)
BAILEY_GENERATOR_LIST(GENERATOR)

/* ---- Measuring ---- */

void demand(cudaError_t error, const char *what)
{
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "registers: %s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}

struct row {
    const char *name, *of;
    int subject; /* that the host can check, or -1 */
    void (*begin)(row &, int processors, const bailey_uint32 *taps);
    void (*launch)(const row &, bailey_uint32 turns);
    void (*state)(const row &, uint32_t thread, uint32_t *to);
    void *states = nullptr;
    bailey_uint32 *out = nullptr;
    int blocks = 0, turn_words = REGISTERS_WORDS;
    bailey_uint32 turns = 0;
    std::vector<double> values = {};
    double value = 0;
};

template <class subject> void begin(row &r, int processors, const bailey_uint32 *taps)
{
    int resident = 0;
    void (*const kernel)(const subject *, bailey_philox_keys, bailey_uint32, bailey_uint32 *) = draw;
    demand(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, block_threads, 0), "occupancy");
    r.blocks = processors * resident; /* as many as run at a time: no tail */
    r.turn_words = words_of_a_turn<subject>;
    const size_t threads = (size_t)r.blocks * block_threads;
    demand(cudaMalloc(&r.states, threads / threads_a_state<subject> * sizeof(subject)), "memory of states");
    demand(cudaMalloc(&r.out, threads * sizeof *r.out), "memory of results");
    start<<<r.blocks, block_threads>>>((subject *)r.states, REGISTERS_SEED, taps);
    demand(cudaDeviceSynchronize(), r.name);
}

template <class subject> void launch(const row &r, bailey_uint32 turns)
{
    bailey_philox_keys keys;
    registers_keys(keys.word);
    draw<<<r.blocks, block_threads>>>((const subject *)r.states, keys, turns, r.out);
}

#if HAVE_CURAND
template <class subject> void state(const row &r, uint32_t thread, uint32_t *to)
{
    subject one;
    demand(cudaMemcpy(&one, (const subject *)r.states + thread, sizeof one, cudaMemcpyDeviceToHost), "state");
    subject::state(&one, to);
}
#endif

float milliseconds(const row &r, bailey_uint32 turns, cudaEvent_t from, cudaEvent_t to)
{
    float elapsed;
    demand(cudaEventRecord(from), "event");
    r.launch(r, turns);
    demand(cudaEventRecord(to), "event");
    demand(cudaEventSynchronize(to), r.name);
    demand(cudaGetLastError(), r.name);
    demand(cudaEventElapsedTime(&elapsed, from, to), "event");
    return elapsed;
}

/* A few threads, at both ends and between. */
bool right(const row &r)
{
    const uint32_t turns = 25, threads = (uint32_t)r.blocks * block_threads;
    std::vector<uint32_t> out(threads);
    r.launch(r, turns);
    demand(cudaMemcpy(out.data(), r.out, threads * sizeof out[0], cudaMemcpyDeviceToHost), r.name);
    for (uint32_t thread : {0u, 1u, 37u, threads / 2 + 5, threads - 1}) {
        uint32_t from[6] = {0};
        if (r.state) r.state(r, thread, from);
        const uint32_t wanted = registers_check((registers_subject)r.subject, thread,
                                                turns * (uint32_t)r.turn_words / REGISTERS_WORDS, from);
        if (out[thread] != wanted) {
            std::fprintf(stderr, "registers: %s: thread %u has %08x, the host %08x\n", r.name, thread,
                         out[thread], wanted);
            return false;
        }
    }
    return true;
}

template <class subject> row make(const char *name, const char *of, int checked)
{
    return row{name, of, checked, begin<subject>, launch<subject>, nullptr};
}

std::vector<row> subjects()
{
    const char *const words = "curand-philox", *const numbers = "curand-normal4";
    std::vector<row> rows;
#if HAVE_CURAND
    rows.push_back(make<curand_philox>(words, words, REGISTERS_PHILOX));
#endif
#define ROW(number, name, word, kind, published, text, verdict, period)                                      \
    rows.push_back(make<generator_##word>(text, words, number));
    BAILEY_GENERATOR_LIST(ROW)
    rows.push_back(make<warp_own>("warp-own", words, REGISTERS_WARP_OWN));
#if HAVE_CURAND
    rows.push_back(make<curand_xorwow>("curand-xorwow", words, REGISTERS_CURAND_XORWOW));
    rows.back().state = state<curand_xorwow>;
    rows.push_back(make<curand_mrg32k3a>("curand-mrg32k3a", words, REGISTERS_CURAND_MRG32K3A));
    rows.back().state = state<curand_mrg32k3a>;
    rows.push_back(make<curand_normals>(numbers, numbers, -1));
#endif
    rows.push_back(
        make<normals<philox<10>, BOX_MULLER>>("philox-box-muller", numbers, REGISTERS_PHILOX_BOX_MULLER));
    rows.push_back(make<normals<philox<10>, BOX_MULLER_FAST>>("philox-box-muller-fast", numbers, -1));
    rows.push_back(make<normals<philox<10>, ICDF>>("philox-icdf", numbers, REGISTERS_PHILOX_ICDF));
    rows.push_back(
        make<normals<warp_wide, BOX_MULLER>>("warp-box-muller", numbers, REGISTERS_WARP_BOX_MULLER));
    rows.push_back(make<normals<warp_wide, BOX_MULLER_FAST>>("warp-box-muller-fast", numbers, -1));
    rows.push_back(make<own_normals<BOX_MULLER>>("warp-own-box-muller", numbers, -1));
    rows.push_back(make<own_normals<BOX_MULLER_FAST>>("warp-own-box-muller-fast", numbers, -1));
    rows.push_back(make<own_normals<ICDF>>("warp-own-icdf", numbers, -1));
    rows.push_back(make<normals<warp_wide, ICDF>>("warp-icdf", numbers, REGISTERS_WARP_ICDF));
    return rows;
}

int usage()
{
    std::fprintf(stderr, "usage: registers [--json] [--milliseconds N] [--turns N] [--only TEXT]\n");
    return 2;
}

} // namespace

int main(int argc, char **argv)
{
    bool json = false;
    double wanted_ms = 5;
    int rounds = 9;
    const char *only = "";
    for (int i = 1; i < argc; i++) {
        const bool more = i + 1 < argc;
        if (!std::strcmp(argv[i], "--json"))
            json = true;
        else if (!std::strcmp(argv[i], "--milliseconds") && more)
            wanted_ms = std::atof(argv[++i]);
        else if (!std::strcmp(argv[i], "--turns") && more)
            rounds = std::atoi(argv[++i]);
        else if (!std::strcmp(argv[i], "--only") && more)
            only = argv[++i];
        else
            return usage();
    }
    if (!(wanted_ms > 0) || wanted_ms > 1000 || rounds < 1 || rounds > 1000) return usage();

    cudaDeviceProp device;
    int driver = 0;
    demand(cudaGetDeviceProperties(&device, 0), "no device");
    demand(cudaDriverGetVersion(&driver), "driver");
    cudaEvent_t from, to;
    demand(cudaEventCreate(&from), "event");
    demand(cudaEventCreate(&to), "event");
    bailey_uint32 *taps, table[64];
    for (uint32_t lane = 0; lane < 64; lane++) table[lane] = registers_taps(lane >= 32, lane & 31);
    demand(cudaMalloc(&taps, sizeof table), "memory");
    demand(cudaMemcpy(taps, table, sizeof table, cudaMemcpyHostToDevice), "taps");
    size_t normal_bytes = 0;
    const void *const data = bailey_normal_table_data(BAILEY_PRECISION_F32, &normal_bytes);
    float *normals = nullptr;
    demand(cudaMalloc(&normals, normal_bytes), "memory");
    demand(cudaMemcpy(normals, data, normal_bytes, cudaMemcpyHostToDevice), "table");
    demand(cudaMemcpyToSymbol(normal_table, &normals, sizeof normals), "table");

    std::vector<row> rows;
    for (row &r : subjects())
        if (std::strstr(r.name, only)) rows.push_back(r);
    bool good = true;
    for (row &r : rows) {
        r.begin(r, device.multiProcessorCount, taps);
        if (r.subject >= 0) good = right(r) && good;
        bailey_uint32 turns = 64;
        float elapsed = milliseconds(r, turns, from, to);
        for (elapsed = 0; elapsed < 0.5 * wanted_ms && turns < 1u << 28;) {
            turns = elapsed > 0.05 ? (bailey_uint32)(turns * wanted_ms / elapsed) : turns * 4;
            elapsed = milliseconds(r, turns, from, to);
        }
        r.turns = turns;
        if (r.subject < 0) {
            double ratios[5];
            for (double &ratio : ratios)
                ratio = milliseconds(r, 2 * turns, from, to) / milliseconds(r, turns, from, to);
            std::sort(ratios, ratios + 5);
            if (ratios[2] < 1.7 || ratios[2] > 2.3) {
                std::fprintf(stderr, "registers: %s: twice as many take %.2f times as long\n", r.name,
                             ratios[2]);
                good = false;
            }
        }
    }
    for (int round = 0; round < rounds; round++)
        for (row &r : rows) {
            const double words = (double)r.blocks * block_threads * r.turn_words * r.turns;
            r.values.push_back(words * 1e-6 / milliseconds(r, r.turns, from, to));
        }
    for (row &r : rows) {
        std::sort(r.values.begin(), r.values.end());
        r.value = r.values[r.values.size() / 2];
    }

    if (json)
        std::printf("{\n  \"device\": \"%s\",\n  \"driver\": \"CUDA %d.%d\",\n  \"rows\": [", device.name,
                    driver / 1000, driver % 1000 / 10);
    else
        std::printf("%s, CUDA %d.%d: in registers, G/s, median of %d\n%-24s %10s %10s %10s  %s\n",
                    device.name, driver / 1000, driver % 1000 / 10, rounds, "name", "value", "least", "most",
                    "ratio");
    for (size_t i = 0; i < rows.size(); i++) {
        const row &r = rows[i];
        double ratio = NAN;
        for (const row &other : rows)
            if (!std::strcmp(other.name, r.of)) ratio = r.value / other.value;
        const char *unit = std::strstr(r.of, "normal") ? "G normals/s" : "G words/s";
        if (json) {
            std::printf("%s\n    {\"name\": \"registers-%s\", \"value\": %.6g, \"unit\": \"%s\", ",
                        i ? "," : "", r.name, r.value, unit);
            if (std::isfinite(ratio))
                std::printf("\"ratio\": %.4g, \"of\": \"registers-%s\"}", ratio, r.of);
            else
                std::printf("\"ratio\": null, \"of\": null}");
        } else {
            std::printf("%-24s %10.1f %10.1f %10.1f", r.name, r.value, r.values.front(), r.values.back());
            if (std::isfinite(ratio)) std::printf("  %.2f of %s", ratio, r.of);
            std::printf("\n");
        }
    }
    if (json) std::printf("\n  ]\n}\n");
    return good ? 0 : 1;
}
