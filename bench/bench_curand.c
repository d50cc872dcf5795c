/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * cuRAND's host interface, on the stream and into the memory of a CUDA context of bailey's. It is opened when
 * the program runs, and nothing of it is linked.
 *
 * CLI_HAVE_CUDA: <cuda.h> was found, and so the library has a cuda backend. CLI_HAVE_CURAND: <curand.h> too;
 * without it the few types and numbers of cuRAND's documented interface are declared here.
 */
#include "bench_peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const generator_names[] = {"xorwow", "mrg32k3a", "mtgp32", "mt19937", "philox"};
static const char *const ordering_names[] = {"best", "default", "legacy", "dynamic", "seeded"};
static const char *const quasi_names[] = {"sobol32", "scrambled-sobol32", "sobol64", "scrambled-sobol64"};
#define COUNT(array) (sizeof(array) / sizeof *(array))

const char *bench_curand_generator(unsigned generator)
{
    return generator < COUNT(generator_names) ? generator_names[generator] : NULL;
}

const char *bench_curand_ordering(unsigned ordering)
{
    return ordering < COUNT(ordering_names) ? ordering_names[ordering] : NULL;
}

const char *bench_curand_quasi(unsigned generator)
{
    return generator < COUNT(quasi_names) ? quasi_names[generator] : NULL;
}

#ifdef CLI_HAVE_CUDA

#include <bailey/cuda.h>

#ifdef CLI_HAVE_CURAND
#include <curand.h>
#else
/* cuRAND's library guide, chapter "Host API" */
typedef int curandStatus_t;
typedef int curandRngType_t;
typedef int curandOrdering_t;
typedef struct curandGenerator_st *curandGenerator_t;
typedef CUstream cudaStream_t;
enum {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_SOBOL32 = 201,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
    CURAND_RNG_QUASI_SOBOL64 = 203,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204,
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_PSEUDO_SEEDED = 102,
    CURAND_ORDERING_PSEUDO_LEGACY = 103,
    CURAND_ORDERING_PSEUDO_DYNAMIC = 104
};
curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type);
curandStatus_t curandDestroyGenerator(curandGenerator_t generator);
curandStatus_t curandGetVersion(int *version);
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed);
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t ordering);
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned dims);
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset);
curandStatus_t curandGenerateSeeds(curandGenerator_t generator);
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *out, size_t count);
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *out, size_t count);
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *out, size_t count);
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *out, size_t count, float mean,
                                    float deviation);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *out, size_t count, double mean,
                                          double deviation);
#endif

static const curandRngType_t generator_types[] = {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A,
                                                  CURAND_RNG_PSEUDO_MTGP32, CURAND_RNG_PSEUDO_MT19937,
                                                  CURAND_RNG_PSEUDO_PHILOX4_32_10};
static const curandRngType_t quasi_types[] = {CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32,
                                              CURAND_RNG_QUASI_SOBOL64, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64};
static const curandOrdering_t ordering_types[] = {
    CURAND_ORDERING_PSEUDO_BEST, CURAND_ORDERING_PSEUDO_DEFAULT, CURAND_ORDERING_PSEUDO_LEGACY,
    CURAND_ORDERING_PSEUDO_DYNAMIC, CURAND_ORDERING_PSEUDO_SEEDED};

#define CURAND_SYMBOLS(X)                                                                                    \
    X(curandCreateGenerator)                                                                                 \
    X(curandDestroyGenerator)                                                                                \
    X(curandGetVersion)                                                                                      \
    X(curandSetStream)                                                                                       \
    X(curandSetPseudoRandomGeneratorSeed)                                                                    \
    X(curandSetGeneratorOrdering)                                                                            \
    X(curandSetGeneratorOffset)                                                                              \
    X(curandSetQuasiRandomGeneratorDimensions)                                                               \
    X(curandGenerateSeeds)                                                                                   \
    X(curandGenerate)                                                                                        \
    X(curandGenerateLongLong)                                                                                \
    X(curandGenerateUniform) X(curandGenerateNormal) X(curandGenerateNormalDouble)

/* cuda.h gives some of its functions newer names in the library by macros. */
#define DRIVER_SYMBOLS(X) X(cuCtxPushCurrent) X(cuCtxPopCurrent)
#define STRING_OF(name) #name

struct bench_curand {
#define MEMBER(f) __typeof__(&f) f;
    struct {
        CURAND_SYMBOLS(MEMBER)
    } call;
    struct {
        DRIVER_SYMBOLS(MEMBER)
    } driver;
#undef MEMBER
    void *library, *driver_library;
    int entered; /* the context is on this thread's stack */
    CUcontext context;
    CUstream stream;
    bailey_context *bailey;
    curandGenerator_t generator;
    unsigned dims;   /* of points; 0: none */
    uint64_t points; /* made since the first */
    enum curand_what what;
    CUdeviceptr out;
    size_t count;
    bailey_status aimed;
    int lacks;
    char version[24];
    char why[200];
};

/* OK, or the failure with its words in `why`. */
static bailey_status check(struct bench_curand *c, curandStatus_t status, const char *call)
{
    c->lacks = status == CURAND_STATUS_TYPE_ERROR;
    if (status == CURAND_STATUS_SUCCESS) return BAILEY_OK;
    snprintf(c->why, sizeof c->why, "%s of cuRAND %s: curandStatus_t %d", call, c->version, (int)status);
    return BAILEY_ERROR_DRIVER;
}

/* cuRAND uses the context that is current on the thread; bailey leaves none there. */
static int enter(struct bench_curand *c, char *why, size_t why_size)
{
    if (bailey_context_cuda(c->bailey, &c->context, &c->stream)) {
        snprintf(why, why_size, "%s", bailey_error_message());
        return 0;
    }
    const CUresult result = c->driver.cuCtxPushCurrent(c->context);
    if (result != CUDA_SUCCESS) {
        snprintf(why, why_size, "cuCtxPushCurrent: CUresult %d", (int)result);
        return 0;
    }
    c->entered = 1;
    return 1;
}

static void find_version(struct bench_curand *c)
{
    int version = 0;
    c->call.curandGetVersion(&version);
    /* 10400 is 10.4.0 */
    snprintf(c->version, sizeof c->version, "%d.%d.%d", version / 1000, version / 100 % 10, version % 100);
}

struct bench_curand *bench_curand_open(bailey_context *context, char *why, size_t why_size)
{
    static const char *const names[] = {"libcurand.so.10",
                                        "/usr/local/cuda/lib64/libcurand.so.10",
                                        "libcurand.so",
                                        "/usr/local/cuda/lib64/libcurand.so",
                                        "/opt/cuda/lib64/libcurand.so",
                                        NULL};
    const char *other = getenv("BAILEY_CUDA_LIBRARY"); /* the driver that the library uses */
    const char *const driver_names[] = {other && *other ? other : "libcuda.so.1", NULL};
    struct bench_curand *c = calloc(1, sizeof *c);
    snprintf(why, why_size, "not enough memory");
    if (!c) return NULL;
    c->bailey = context;
#define ROW(f) {STRING_OF(f), (void **)&c->call.f},
    const struct dynamic_symbol symbols[] = {CURAND_SYMBOLS(ROW)};
#undef ROW
#define ROW(f) {STRING_OF(f), (void **)&c->driver.f},
    const struct dynamic_symbol driver_symbols[] = {DRIVER_SYMBOLS(ROW)};
#undef ROW
    c->library = dynamic_open(names, symbols, COUNT(symbols), why, why_size);
    if (c->library)
        c->driver_library = dynamic_open(driver_names, driver_symbols, COUNT(driver_symbols), why, why_size);
    if (c->driver_library && enter(c, why, why_size)) {
        find_version(c);
        return c;
    }
    bench_curand_close(c);
    return NULL;
}

static void destroy_generator(struct bench_curand *c)
{
    if (!c->generator) return;
    bailey_context_sync(c->bailey);
    c->call.curandDestroyGenerator(c->generator);
    c->generator = NULL;
}

void bench_curand_close(struct bench_curand *c)
{
    CUcontext popped;
    if (!c) return;
    destroy_generator(c);
    if (c->entered) c->driver.cuCtxPopCurrent(&popped);
    /* cuRAND's library stays open: it has registered kernels with the driver */
    dynamic_close(c->driver_library);
    free(c);
}

const char *bench_curand_version(const struct bench_curand *c) { return c->version; }

int bench_curand_select(struct bench_curand *c, unsigned generator, unsigned ordering, int *refused)
{
    *refused = 0;
    *c->why = 0;
    c->dims = 0;
    destroy_generator(c);
    if (check(c, c->call.curandCreateGenerator(&c->generator, generator_types[generator]),
              "curandCreateGenerator")) {
        c->generator = NULL;
        return 0;
    }
    const curandStatus_t ordered = c->call.curandSetGeneratorOrdering(c->generator, ordering_types[ordering]);
    *refused = ordered == CURAND_STATUS_OUT_OF_RANGE || ordered == CURAND_STATUS_TYPE_ERROR;
    /* the tables and states are made now, so that they are not in any call that is timed */
    return !check(c, ordered, "curandSetGeneratorOrdering") &&
           !check(c, c->call.curandSetStream(c->generator, (cudaStream_t)c->stream), "curandSetStream") &&
           !check(c, c->call.curandSetPseudoRandomGeneratorSeed(c->generator, 1),
                  "curandSetPseudoRandomGeneratorSeed") &&
           !check(c, c->call.curandGenerateSeeds(c->generator), "curandGenerateSeeds");
}

int bench_curand_select_points(struct bench_curand *c, unsigned generator, unsigned dims)
{
    *c->why = 0;
    c->dims = dims;
    c->points = 0;
    destroy_generator(c);
    if (check(c, c->call.curandCreateGenerator(&c->generator, quasi_types[generator]),
              "curandCreateGenerator")) {
        c->generator = NULL;
        return 0;
    }
    return !check(c, c->call.curandSetQuasiRandomGeneratorDimensions(c->generator, dims),
                  "curandSetQuasiRandomGeneratorDimensions") &&
           !check(c, c->call.curandSetStream(c->generator, (cudaStream_t)c->stream), "curandSetStream") &&
           !check(c, c->call.curandGenerateSeeds(c->generator), "curandGenerateSeeds");
}

void bench_curand_aim(struct bench_curand *c, enum curand_what what, bailey_buffer *out, uint64_t count)
{
    c->what = what;
    c->count = (size_t)count;
    c->aimed = bailey_buffer_cuda(out, &c->out);
}

/* A call goes on where the last one ended, and there are 2^32 points of 32 bits: begins again in time. */
static bailey_status begin_again(struct bench_curand *c)
{
    const uint64_t points = c->dims ? c->count / c->dims : 0;
    c->points += points;
    if (c->points <= UINT64_C(1) << 31) return BAILEY_OK;
    c->points = points;
    const bailey_status status =
        check(c, c->call.curandSetGeneratorOffset(c->generator, 0), "curandSetGeneratorOffset");
    return status ? status : check(c, c->call.curandGenerateSeeds(c->generator), "curandGenerateSeeds");
}

bailey_status bench_curand_queue(void *user)
{
    struct bench_curand *c = user;
    void *out = (void *)(uintptr_t)c->out;
    if (c->aimed != BAILEY_OK || (c->aimed = begin_again(c)) != BAILEY_OK) return c->aimed;
    switch (c->what) {
    case CURAND_MAKES_UNIFORMS:
        return check(c, c->call.curandGenerateUniform(c->generator, out, c->count), "curandGenerateUniform");
    case CURAND_MAKES_NORMALS:
        return check(c, c->call.curandGenerateNormal(c->generator, out, c->count, 0, 1),
                     "curandGenerateNormal");
    case CURAND_MAKES_NORMALS_F64:
        return check(c, c->call.curandGenerateNormalDouble(c->generator, out, c->count, 0, 1),
                     "curandGenerateNormalDouble");
    case CURAND_MAKES_WORDS_64:
        return check(c, c->call.curandGenerateLongLong(c->generator, out, c->count),
                     "curandGenerateLongLong");
    case CURAND_MAKES_WORDS: break;
    }
    return check(c, c->call.curandGenerate(c->generator, out, c->count), "curandGenerate");
}

const char *bench_curand_why(const struct bench_curand *c) { return c->why; }

int bench_curand_lacks(const struct bench_curand *c) { return c->lacks; }

#else /* without a cuda backend nobody has a context for it */

struct bench_curand *bench_curand_open(bailey_context *context, char *why, size_t why_size)
{
    (void)context;
    snprintf(why, why_size, "this program was built without CUDA");
    return NULL;
}

void bench_curand_close(struct bench_curand *c) { (void)c; }

const char *bench_curand_version(const struct bench_curand *c)
{
    (void)c;
    return "";
}

int bench_curand_select(struct bench_curand *c, unsigned generator, unsigned ordering, int *refused)
{
    (void)c;
    (void)generator;
    (void)ordering;
    *refused = 0;
    return 0;
}

int bench_curand_select_points(struct bench_curand *c, unsigned generator, unsigned dims)
{
    (void)c;
    (void)generator;
    (void)dims;
    return 0;
}

void bench_curand_aim(struct bench_curand *c, enum curand_what what, bailey_buffer *out, uint64_t count)
{
    (void)c;
    (void)what;
    (void)out;
    (void)count;
}

bailey_status bench_curand_queue(void *user)
{
    (void)user;
    return BAILEY_ERROR_UNSUPPORTED;
}

const char *bench_curand_why(const struct bench_curand *c)
{
    (void)c;
    return "";
}

int bench_curand_lacks(const struct bench_curand *c)
{
    (void)c;
    return 0;
}

#endif
