/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * cuRAND's host interface, on the stream and into the memory of a bailey CUDA context. It is opened when the
 * program runs, and nothing of it is linked; the parts of its interface that are used are declared here
 * (cuRAND's library guide, chapter "Host API").
 *
 * CLI_HAVE_CUDA: <cuda.h> was found, and so the library has a cuda backend.
 */
#include "bench_peers.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* CURAND_RNG_PSEUDO_..., CURAND_ORDERING_PSEUDO_..., CURAND_RNG_QUASI_... */
static const struct {
    const char *name;
    int number;
} generators[] = {{"xorwow", 101}, {"mrg32k3a", 121}, {"mtgp32", 141}, {"mt19937", 142}, {"philox", 161}},
  orderings[] = {{"best", 100}, {"default", 101}, {"legacy", 103}, {"dynamic", 104}, {"seeded", 102}},
  quasis[] = {{"sobol32", 201}, {"scrambled-sobol32", 202}, {"sobol64", 203}, {"scrambled-sobol64", 204}};

static unsigned quasi_of(const struct bench_case *wanted)
{
    return (wanted->word_bits == 64) * 2u + (wanted->scrambled != 0);
}

/* Each generator in each of its orderings; of points the one. */
static const char *setting(const struct bench_case *wanted, unsigned number)
{
    static char name[32];
    if (wanted->subject == BENCH_POINTS) return number ? NULL : quasis[quasi_of(wanted)].name;
    if (number >= COUNT(generators) * COUNT(orderings)) return NULL;
    snprintf(name, sizeof name, "%s %s", generators[number / COUNT(orderings)].name,
             orderings[number % COUNT(orderings)].name);
    return name;
}

#ifdef CLI_HAVE_CUDA

#include <bailey/cuda.h>

enum { SUCCESS = 0, TYPE_ERROR = 103, OUT_OF_RANGE = 104 };

#define CURAND_SYMBOLS(X)                                                                                    \
    X(CreateGenerator, (void **generator, int type))                                                         \
    X(DestroyGenerator, (void *generator))                                                                   \
    X(GetVersion, (int *version))                                                                            \
    X(SetStream, (void *generator, CUstream stream))                                                         \
    X(SetPseudoRandomGeneratorSeed, (void *generator, unsigned long long seed))                              \
    X(SetGeneratorOrdering, (void *generator, int ordering))                                                 \
    X(SetGeneratorOffset, (void *generator, unsigned long long offset))                                      \
    X(SetQuasiRandomGeneratorDimensions, (void *generator, unsigned dims))                                   \
    X(GenerateSeeds, (void *generator))                                                                      \
    X(Generate, (void *generator, unsigned *out, size_t count))                                              \
    X(GenerateLongLong, (void *generator, unsigned long long *out, size_t count))                            \
    X(GenerateUniform, (void *generator, float *out, size_t count))                                          \
    X(GenerateNormal, (void *generator, float *out, size_t count, float mean, float deviation))              \
    X(GenerateNormalDouble, (void *generator, double *out, size_t count, double mean, double deviation))  \
    X(GeneratePoisson, (void *generator, unsigned *out, size_t count, double mean))

/* cuda.h gives some of its functions newer names in the library by macros. */
#define DRIVER_SYMBOLS(X) X(cuCtxPushCurrent) X(cuCtxPopCurrent)
#define STRING_OF(name) #name

struct curand {
#define MEMBER(name, arguments) int(*name) arguments;
    struct {
        CURAND_SYMBOLS(MEMBER)
    } call;
#undef MEMBER
#define MEMBER(f) __typeof__(&f) f;
    struct {
        DRIVER_SYMBOLS(MEMBER)
    } driver;
#undef MEMBER
    void *library, *driver_library;
    int entered; /* the context is on this thread's stack */
    CUcontext context;
    CUstream stream;
    bailey_context *bailey;
    void *generator;
    uint64_t points; /* made since the first */
    CUdeviceptr out;
    char version[24];
};

/* Calls a function of cuRAND: OK, or the failure with its words in the entry. */
#define CALL(e, c, function, ...) check(e, (c)->call.function(__VA_ARGS__), #function)

static bailey_status check(struct bench_entry *e, int status, const char *call)
{
    if (status == SUCCESS) return BAILEY_OK;
    snprintf(e->why, sizeof e->why, "curand%s of cuRAND %s: curandStatus_t %d", call, e->version,
             (int)status);
    return BAILEY_ERROR_DRIVER;
}

/* cuRAND uses the context that is current on the thread; bailey leaves none there. */
static int enter(struct curand *c, char *why, size_t why_size)
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

static void find_version(struct curand *c)
{
    int version = 0;
    c->call.GetVersion(&version);
    /* 10400 is 10.4.0 */
    snprintf(c->version, sizeof c->version, "%d.%d.%d", version / 1000, version / 100 % 10, version % 100);
}

static void destroy_generator(struct curand *c)
{
    if (!c->generator) return;
    bailey_context_sync(c->bailey);
    c->call.DestroyGenerator(c->generator);
    c->generator = NULL;
}

static void unload(void *loaded)
{
    struct curand *c = loaded;
    CUcontext popped;
    destroy_generator(c);
    if (c->entered) c->driver.cuCtxPopCurrent(&popped);
    /* cuRAND's library stays open: it has registered kernels with the driver */
    dynamic_close(c->driver_library);
    free(c);
}

static void *load(const struct bench *bench, char *why, size_t why_size)
{
    static const char *const names[] = {"libcurand.so.10",
                                        "/usr/local/cuda/lib64/libcurand.so.10",
                                        "libcurand.so",
                                        "/usr/local/cuda/lib64/libcurand.so",
                                        "/opt/cuda/lib64/libcurand.so",
                                        NULL};
    struct curand *c = calloc(1, sizeof *c);
    snprintf(why, why_size, "not enough memory");
    if (!c) return NULL;
    c->bailey = bench->context;
#define ROW(name, arguments) {"curand" #name, (void **)&c->call.name},
    const struct dynamic_symbol symbols[] = {CURAND_SYMBOLS(ROW)};
#undef ROW
#define ROW(f) {STRING_OF(f), (void **)&c->driver.f},
    const struct dynamic_symbol driver_symbols[] = {DRIVER_SYMBOLS(ROW)};
#undef ROW
    c->library = dynamic_open(names, symbols, COUNT(symbols), why, why_size);
    if (c->library) c->driver_library = dynamic_driver(driver_symbols, COUNT(driver_symbols), why, why_size);
    if (c->driver_library && enter(c, why, why_size)) {
        find_version(c);
        return c;
    }
    unload(c);
    return NULL;
}

static int make_points(struct bench_entry *e, struct curand *c)
{
    c->points = 0;
    return !CALL(e, c, SetQuasiRandomGeneratorDimensions, c->generator, e->wanted->dims) &&
           !CALL(e, c, SetStream, c->generator, c->stream);
}

static int make_pseudo(struct bench_entry *e, struct curand *c)
{
    const int ordered =
        c->call.SetGeneratorOrdering(c->generator, orderings[e->setting % COUNT(orderings)].number);
    e->refused = ordered == OUT_OF_RANGE || ordered == TYPE_ERROR;
    return !check(e, ordered, "SetGeneratorOrdering") && !CALL(e, c, SetStream, c->generator, c->stream) &&
           !CALL(e, c, SetPseudoRandomGeneratorSeed, c->generator, 1);
}

static int begin(struct bench_entry *e)
{
    struct curand *c = e->loaded;
    const int points = e->wanted->subject == BENCH_POINTS;
    const int type =
        points ? quasis[quasi_of(e->wanted)].number : generators[e->setting / COUNT(orderings)].number;
    e->version = c->version;
    snprintf(e->note, sizeof e->note, "cuRAND %s", c->version);
    destroy_generator(c);
    if (CALL(e, c, CreateGenerator, &c->generator, type)) {
        c->generator = NULL;
        return 0;
    }
    if (bailey_buffer_cuda(e->wanted->out->buffer, &c->out)) {
        snprintf(e->why, sizeof e->why, "%s", bailey_error_message());
        return 0;
    }
    /* the tables and states are made now, so that they are not in any call that is timed */
    return (points ? make_points(e, c) : make_pseudo(e, c)) && !CALL(e, c, GenerateSeeds, c->generator);
}

/* A call continues where the last one ended, and there are only 2^32 points of 32 bits: begins again in time.
 */
static bailey_status begin_again(struct bench_entry *e, struct curand *c)
{
    const uint64_t points = e->wanted->subject == BENCH_POINTS ? e->wanted->count / e->wanted->dims : 0;
    c->points += points;
    if (c->points <= UINT64_C(1) << 31) return BAILEY_OK;
    c->points = points;
    const bailey_status status = CALL(e, c, SetGeneratorOffset, c->generator, 0);
    return status ? status : CALL(e, c, GenerateSeeds, c->generator);
}

static bailey_status run(void *entry)
{
    struct bench_entry *e = entry;
    struct curand *c = e->loaded;
    const int wide = e->wanted->element == 8;
    const size_t count = (size_t)e->wanted->count;
    void *out = (void *)(uintptr_t)c->out;
    const char *call;
    int made;
    const bailey_status status = begin_again(e, c);
    if (status) return status;
    if (e->wanted->subject == BENCH_UNIFORMS) {
        call = "GenerateUniform";
        made = c->call.GenerateUniform(c->generator, out, count);
    } else if (e->wanted->subject == BENCH_COUNTS) {
        call = "GeneratePoisson";
        made = c->call.GeneratePoisson(c->generator, out, count, e->wanted->mean);
    } else if (e->wanted->is_normal) {
        call = wide ? "GenerateNormalDouble" : "GenerateNormal";
        made = wide ? c->call.GenerateNormalDouble(c->generator, out, count, 0, 1)
                    : c->call.GenerateNormal(c->generator, out, count, 0, 1);
    } else {
        call = wide ? "GenerateLongLong" : "Generate";
        made = wide ? c->call.GenerateLongLong(c->generator, out, count)
                    : c->call.Generate(c->generator, out, count);
    }
    e->refused = made == TYPE_ERROR;
    return check(e, made, call);
}

#else

static void *load(const struct bench *bench, char *why, size_t why_size)
{
    (void)bench;
    snprintf(why, why_size, "this program was built without CUDA");
    return NULL;
}

#endif

const struct bench_peer bench_peer_curand = {
    .name = "curand",
    .subjects = BENCH_DOES(WORDS) | BENCH_DOES(UNIFORMS) | BENCH_DOES(NORMALS) | BENCH_DOES(POINTS) |
                BENCH_DOES(COUNTS),
    .place = BENCH_ON_CUDA,
    .version = "curand",
    .load = load,
    .setting = setting,
#ifdef CLI_HAVE_CUDA
    .unload = unload,
    .begin = begin,
    .run = run,
#endif
};
