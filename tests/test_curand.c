/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Published sequences and Sobol's points against libcurand's host API, in the ordering whose layout NVIDIA
 * documents and promises to keep, CURAND_ORDERING_PSEUDO_LEGACY (cuRAND library guide, "Host API
 * overview", 2.2.3). Result n of a generator of offset o is, with m = o + n:
 *
 *     xorwow     position floor(m / 4096) of stream m mod 4096 (streams are 2^67 words apart)
 *     mrg32k3a   the same, with streams 2^76 words apart
 *     philox     position 4 floor(m / 2^18) + m mod 4 of stream floor(m / 4) mod 2^16
 *
 * where position k of stream p is word k of a published bailey_source: curand_init(seed, p, k).
 * Sobol's points are in the one ordering that there is: a dimension after the other, in Gray-code order.
 *
 * On cuda cuRAND's generators work on the device, into memory of a bailey buffer; on cpu they are its host
 * generators, which need no device. libcurand is opened, not linked; the test is skipped where it is not and
 * BAILEY_TEST_REQUIRE does not name curand.
 */
#include "harness.h"

#include <bailey/cuda.h>
#include <bailey/points.h>

#include <dlfcn.h>
#include <inttypes.h>

/* As curand.h declares them, which not every toolkit installs; its enumerations are ints. */
static struct {
    int (*curandCreateGenerator)(void **generator, int type);
    int (*curandCreateGeneratorHost)(void **generator, int type);
    int (*curandDestroyGenerator)(void *generator);
    int (*curandGetVersion)(int *version);
    int (*curandSetStream)(void *generator, CUstream stream);
    int (*curandSetPseudoRandomGeneratorSeed)(void *generator, unsigned long long seed);
    int (*curandSetGeneratorOffset)(void *generator, unsigned long long offset);
    int (*curandSetGeneratorOrdering)(void *generator, int ordering);
    int (*curandSetQuasiRandomGeneratorDimensions)(void *generator, unsigned dims);
    int (*curandGenerate)(void *generator, unsigned *out, size_t count);
    int (*curandGenerateLongLong)(void *generator, unsigned long long *out, size_t count);
} curand;
#define ORDERING_LEGACY 103

static struct {
    CUresult (*cuCtxPushCurrent_v2)(CUcontext context);
    CUresult (*cuCtxPopCurrent_v2)(CUcontext *context);
} cu;

static int on_device, failures;

static int fill(void *library, const char *name, void *slot)
{
    void *symbol = dlsym(library, name);
    memcpy(slot, &symbol, sizeof symbol);
    if (!symbol) fprintf(stderr, "%s is missing\n", name);
    return symbol != NULL;
}

static int open_curand(void)
{
    static const char *const names[] = {"libcurand.so.10", "libcurand.so",
                                        "/usr/local/cuda/lib64/libcurand.so", NULL};
    void *library = NULL;
    for (int i = 0; !library && names[i]; i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "no libcurand: %s\n", dlerror());
        return 0;
    }
    int version = 0;
    const int found =
#define FILL(table, function) fill(library, #function, &(table).function)
        FILL(curand, curandCreateGenerator) && FILL(curand, curandCreateGeneratorHost) &&
        FILL(curand, curandDestroyGenerator) && FILL(curand, curandGetVersion) &&
        FILL(curand, curandSetStream) && FILL(curand, curandSetPseudoRandomGeneratorSeed) &&
        FILL(curand, curandSetGeneratorOffset) && FILL(curand, curandSetGeneratorOrdering) &&
        FILL(curand, curandSetQuasiRandomGeneratorDimensions) && FILL(curand, curandGenerate) &&
        FILL(curand, curandGenerateLongLong);
    if (found && curand.curandGetVersion(&version) == 0)
        printf("cuRAND %d.%d.%d\n", version / 1000, version / 100 % 10, version % 100);
    return found;
}

static int open_driver(void)
{
    const char *override = getenv("BAILEY_CUDA_LIBRARY");
    void *library = dlopen(override && *override ? override : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    return library && FILL(cu, cuCtxPushCurrent_v2) && FILL(cu, cuCtxPopCurrent_v2);
}

/* ---- The laws --------------------------------------------------------------------------------- */

struct place {
    uint64_t stream, position;
};

static struct place place_by_word(uint64_t m) { return (struct place){m % 4096, m / 4096}; }
static struct place place_by_quad(uint64_t m)
{
    return (struct place){m / 4 % 65536, m / 262144 * 4 + m % 4};
}

static const struct law {
    bailey_generator generator;
    int type; /* curandRngType */
    struct place (*place)(uint64_t m);
    uint64_t streams, quantum; /* a stream has `quantum` words of each round of streams * quantum */
    const char *text;
} laws[] = {
    {BAILEY_GENERATOR_XORWOW, 101, place_by_word, 4096, 1, "stream m mod 4096, position floor(m / 4096)"},
    {BAILEY_GENERATOR_MRG32K3A, 121, place_by_word, 4096, 1, "stream m mod 4096, position floor(m / 4096)"},
    {BAILEY_GENERATOR_PHILOX, 161, place_by_quad, 65536, 4,
     "stream floor(m / 4) mod 2^16, position 4 floor(m / 2^18) + m mod 4"},
};

/* ---- One comparison --------------------------------------------------------------------------- */

static int bailey_ok(const char *what, bailey_status status)
{
    if (status == BAILEY_OK) return 1;
    fprintf(stderr, "FAILED: %s: %s\n", what, bailey_error_message());
    failures++;
    return 0;
}

static int curand_ok(const char *what, int status)
{
    if (status == 0) return 1;
    fprintf(stderr, "FAILED: %s: curandStatus_t %d\n", what, status);
    failures++;
    return 0;
}

/* Results 0 .. count - 1 of cuRAND, in `words`. */
static int ask_curand(const struct law *law, uint64_t seed, uint64_t offset, uint32_t *words, size_t count)
{
    void *generator = NULL;
    bailey_buffer *buffer = NULL;
    CUdeviceptr memory = 0;
    CUstream stream = NULL;
    int good = curand_ok("create", on_device ? curand.curandCreateGenerator(&generator, law->type)
                                             : curand.curandCreateGeneratorHost(&generator, law->type)) &&
               curand_ok("ordering", curand.curandSetGeneratorOrdering(generator, ORDERING_LEGACY)) &&
               curand_ok("seed", curand.curandSetPseudoRandomGeneratorSeed(generator, seed)) &&
               curand_ok("offset", curand.curandSetGeneratorOffset(generator, offset));
    if (good && on_device) {
        good =
            bailey_ok("buffer", bailey_buffer_create(context, count * 4, &buffer)) &&
            bailey_ok("fill", bailey_buffer_fill(buffer, 0, 0xA5, count * 4)) &&
            bailey_ok("address", bailey_buffer_cuda(buffer, &memory)) &&
            bailey_ok("stream", bailey_context_cuda(context, NULL, &stream)) &&
            curand_ok("stream", curand.curandSetStream(generator, stream)) &&
            curand_ok("generate", curand.curandGenerate(generator, (unsigned *)(uintptr_t)memory, count)) &&
            bailey_ok("read", bailey_buffer_read(buffer, 0, words, count * 4));
    } else if (good)
        good = curand_ok("generate", curand.curandGenerate(generator, words, count));
    if (generator) curand.curandDestroyGenerator(generator);
    bailey_buffer_destroy(buffer);
    return good;
}

/* Words first .. first + each - 1 of every stream, a stream after the other. */
static int ask_bailey(const struct law *law, uint64_t seed, uint64_t first, uint64_t each, uint32_t *words)
{
    bailey_buffer *buffer = NULL;
    const uint64_t bytes = law->streams * each * 4;
    bailey_source source = {.seed = seed, .generator = law->generator, .sequence = BAILEY_SEQUENCE_PUBLISHED};
    int good = bailey_ok("buffer", bailey_buffer_create(context, bytes, &buffer));
    for (; good && source.stream < law->streams; source.stream++)
        good = bailey_ok("words",
                         bailey_words_generate(context, &source, first, each, buffer, source.stream * each));
    good = good && bailey_ok("read", bailey_buffer_read(buffer, 0, words, bytes));
    bailey_buffer_destroy(buffer);
    return good;
}

static void compare(const struct law *law, uint64_t seed, uint64_t offset, size_t count)
{
    const char *name = bailey_generator_name(law->generator);
    const uint64_t round = law->streams * law->quantum;
    const uint64_t first = offset / round * law->quantum;
    const uint64_t each = (offset + count - 1) / round * law->quantum + law->quantum - first;
    uint32_t *theirs = malloc(count * 4), *ours = malloc(law->streams * each * 4);
    if (!theirs || !ours) {
        fprintf(stderr, "FAILED: no memory\n");
        failures++;
    } else if (ask_curand(law, seed, offset, theirs, count) && ask_bailey(law, seed, first, each, ours)) {
        size_t wrong = 0;
        for (size_t n = 0; n < count; n++) {
            const struct place at = law->place(offset + n);
            const uint32_t expected = ours[at.stream * each + (at.position - first)];
            if (theirs[n] == expected) continue;
            if (wrong++ >= 5) continue;
            fprintf(stderr,
                    "FAILED: %s: seed %" PRIu64 ", offset %" PRIu64 ", result %zu: cuRAND %08" PRIx32
                    ", bailey %08" PRIx32 ", which is stream %" PRIu64 ", position %" PRIu64,
                    name, seed, offset, n, theirs[n], expected, at.stream, at.position);
            /* Where cuRAND's word is, if it is anywhere here: that tells the law that holds. */
            uint64_t i = 0;
            while (i < law->streams * each && ours[i] != theirs[n]) i++;
            if (i < law->streams * each)
                fprintf(stderr, "; cuRAND's is our stream %" PRIu64 ", position %" PRIu64 "\n", i / each,
                        first + i % each);
            else
                fprintf(stderr, "; cuRAND's is at none of positions %" PRIu64 " to %" PRIu64 "\n", first,
                        first + each - 1);
        }
        if (wrong) {
            fprintf(stderr,
                    "FAILED: %s: %zu of %zu differ by the law: result n is, with m = offset + n, %s\n", name,
                    wrong, count, law->text);
            failures++;
        } else
            printf("%s, seed %" PRIu64 ", offset %" PRIu64 ": %zu words equal (%s)\n", name, seed, offset,
                   count, law->text);
    }
    free(theirs);
    free(ours);
}

/* ---- Points ----------------------------------------------------------------------------------- */

#define CURAND_QUASI_SOBOL32 201
#define CURAND_QUASI_SOBOL64 203

/* cuRAND's points, starting at number 0, to the address `out`. */
static int make_curand_points(uint32_t bits, uint32_t dims, void *out, size_t count)
{
    const int type = bits == 64 ? CURAND_QUASI_SOBOL64 : CURAND_QUASI_SOBOL32;
    void *generator = NULL;
    CUstream stream = NULL;
    int good = curand_ok("create", on_device ? curand.curandCreateGenerator(&generator, type)
                                             : curand.curandCreateGeneratorHost(&generator, type)) &&
               curand_ok("dimensions", curand.curandSetQuasiRandomGeneratorDimensions(generator, dims));
    if (good && on_device)
        good = bailey_ok("stream", bailey_context_cuda(context, NULL, &stream)) &&
               curand_ok("stream", curand.curandSetStream(generator, stream));
    good =
        good && curand_ok("generate", bits == 64 ? curand.curandGenerateLongLong(generator, out, dims * count)
                                                 : curand.curandGenerate(generator, out, dims * count));
    if (generator) curand.curandDestroyGenerator(generator);
    return good;
}

/* Both in memory of the context, on the host or the device. */
static void compare_points(uint32_t bits, uint32_t dims, size_t count)
{
    const size_t bytes = dims * count * (bits / 8);
    const bailey_source source = {
        .generator = BAILEY_GENERATOR_SOBOL, .scramble = BAILEY_SCRAMBLE_NONE, .word_bits = bits};
    const bailey_points_params params = {
        .form = BAILEY_POINTS_FORM_WORDS, .layout = BAILEY_POINTS_LAYOUT_DIM_MAJOR, .dims = dims};
    unsigned char *theirs = malloc(bytes), *ours = malloc(bytes);
    bailey_buffer *buffer = NULL;
    CUdeviceptr memory = 0;
    int good = theirs && ours && bailey_ok("buffer", bailey_buffer_create(context, bytes, &buffer)) &&
               bailey_ok("points", bailey_points_generate(context, &source, &params, 0, count, buffer, 0)) &&
               bailey_ok("read", bailey_buffer_read(buffer, 0, ours, bytes));
    if (good && on_device)
        good = bailey_ok("address", bailey_buffer_cuda(buffer, &memory)) &&
               make_curand_points(bits, dims, (void *)(uintptr_t)memory, count) &&
               bailey_ok("read", bailey_buffer_read(buffer, 0, theirs, bytes));
    else if (good)
        good = make_curand_points(bits, dims, theirs, count);
    if (good && memcmp(theirs, ours, bytes) == 0)
        printf("sobol, %u bits: %zu points in %u dimensions equal\n", (unsigned)bits, count, (unsigned)dims);
    else {
        fprintf(stderr, "FAILED: sobol, %u bits, %u dimensions\n", (unsigned)bits, (unsigned)dims);
        failures++;
    }
    bailey_buffer_destroy(buffer);
    free(theirs);
    free(ours);
}

static void compare_all(void)
{
    static const uint64_t seeds[] = {1, UINT64_C(0xfedcba9876543210), 0};
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
        const struct law *law = &laws[l];
        const uint64_t round = law->streams * law->quantum;
        if (law->generator == BAILEY_GENERATOR_MRG32K3A && !device.has_f64) continue;
        for (size_t s = 0; s < 3; s++) compare(law, seeds[s], 0, 2 * round + 1021);
        compare(law, seeds[1], 4 * 12345, round + 77); /* whole blocks of Philox */
        compare(law, seeds[0], 1000003, round + 77);
        compare(law, seeds[0], (UINT64_C(1) << 40) + 2, round + 5);
    }
    for (uint32_t bits = 32; bits <= 64; bits += 32) {
        compare_points(bits, 7, 100003);
        compare_points(bits, 20000, 300); /* all that cuRAND has */
    }
    assert_int_equal(failures, 0);
}

static void need_curand(void)
{
    const char *require = getenv("BAILEY_TEST_REQUIRE");
    if (open_curand()) return;
    if (require && strstr(require, "curand")) fail_msg("no libcurand");
    skip();
}

TEST(host_generators, ON_CPU | LONG)
{
    need_curand();
    compare_all();
}

/* cuRAND works in the context that is current. */
TEST(device_generators, ON_CUDA)
{
    CUcontext mine = NULL, popped = NULL;
    need_curand();
    assert_true(open_driver());
    on_device = 1;
    OK(bailey_context_cuda(context, &mine, NULL));
    assert_int_equal(cu.cuCtxPushCurrent_v2(mine), CUDA_SUCCESS);
    compare_all();
    cu.cuCtxPopCurrent_v2(&popped);
}
