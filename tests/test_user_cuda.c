/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A program that uses CUDA itself: its own kernels with the library's device headers (user_kernel.cu and
 * others), its own memory and stream shared with the library, and the same bits from both.
 *
 * The kernels are compiled by NVRTC from the headers embedded in the library, where NVRTC can be opened,
 * and taken from fat binaries where BLY_USER_FATBINS names their folder; each is tried. The sources are read
 * from the folder BLY_USER_KERNELS. Exit status 77: no CUDA device, and BAILEY_TEST_REQUIRE does not name
 * cuda.
 */
#include <bailey/advanced.h>
#include <bailey/cuda.h>

#include "kat.h"
#include "user_generators.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 10007u /* of four words */
#define STEPS 37u
#define PATHS 1003u
#define SEED UINT64_C(0x0123456789abcdef)
#define STREAM UINT64_C(42)

static const bailey_source drawn_from = {.seed = SEED, .stream = STREAM};

#define DRIVER_SYMBOLS(X)                                                                                    \
    X(cuCtxPopCurrent_v2)                                                                                    \
    X(cuCtxPushCurrent_v2)                                                                                   \
    X(cuCtxGetCurrent)                                                                                       \
    X(cuCtxGetDevice)                                                                                        \
    X(cuDeviceGetAttribute)                                                                                  \
    X(cuGetErrorName)                                                                                        \
    X(cuLaunchKernel)                                                                                        \
    X(cuMemAlloc_v2)                                                                                         \
    X(cuMemFree_v2)                                                                                          \
    X(cuMemcpyHtoDAsync_v2)                                                                                  \
    X(cuModuleGetFunction)                                                                                   \
    X(cuModuleGetGlobal_v2)                                                                                  \
    X(cuModuleLoadData)                                                                                      \
    X(cuModuleUnload)                                                                                        \
    X(cuStreamCreate)                                                                                        \
    X(cuStreamDestroy_v2)

static struct {
#define MEMBER(function) __typeof__(&function) function;
    DRIVER_SYMBOLS(MEMBER)
#undef MEMBER
} cu;

/* As nvrtc.h declares them, which not every toolkit installs. */
static struct {
    int (*nvrtcCreateProgram)(void **program, const char *source, const char *name, int count,
                              const char *const *headers, const char *const *names);
    int (*nvrtcCompileProgram)(void *program, int count, const char *const *options);
    int (*nvrtcGetProgramLogSize)(void *program, size_t *size);
    int (*nvrtcGetProgramLog)(void *program, char *log);
    int (*nvrtcGetCUBINSize)(void *program, size_t *size);
    int (*nvrtcGetCUBIN)(void *program, char *image);
    int (*nvrtcDestroyProgram)(void **program);
} nvrtc;

static struct kat known;
static int failures;

static void complain(const char *what, const char *why)
{
    fprintf(stderr, "FAILED: %s: %s\n", what, why);
    failures++;
}

static int bailey_ok(const char *what, bailey_status status)
{
    if (status != BAILEY_OK) complain(what, bailey_error_message());
    return status == BAILEY_OK;
}

static int cuda_ok(const char *what, CUresult error)
{
    const char *name = NULL;
    if (error != CUDA_SUCCESS)
        complain(what, cu.cuGetErrorName(error, &name) || !name ? "unknown error" : name);
    return error == CUDA_SUCCESS;
}

static int fill(void *library, const char *name, void *slot)
{
    void *symbol = dlsym(library, name);
    memcpy(slot, &symbol, sizeof symbol);
    return symbol != NULL;
}

static int open_driver(void)
{
    const char *override = getenv("BAILEY_CUDA_LIBRARY");
    void *library = dlopen(override && *override ? override : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    int found = library != NULL;
#define FILL(function) found = found && fill(library, #function, &cu.function);
    DRIVER_SYMBOLS(FILL)
    return found;
}

static int open_nvrtc(void)
{
    static const char *const names[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
                                        "/usr/local/cuda/lib64/libnvrtc.so", NULL};
    void *library = NULL;
    for (int i = 0; !library && names[i]; i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library && fill(library, "nvrtcCreateProgram", &nvrtc.nvrtcCreateProgram) &&
           fill(library, "nvrtcCompileProgram", &nvrtc.nvrtcCompileProgram) &&
           fill(library, "nvrtcGetProgramLogSize", &nvrtc.nvrtcGetProgramLogSize) &&
           fill(library, "nvrtcGetProgramLog", &nvrtc.nvrtcGetProgramLog) &&
           fill(library, "nvrtcGetCUBINSize", &nvrtc.nvrtcGetCUBINSize) &&
           fill(library, "nvrtcGetCUBIN", &nvrtc.nvrtcGetCUBIN) &&
           fill(library, "nvrtcDestroyProgram", &nvrtc.nvrtcDestroyProgram);
}

/* The whole file with a zero after it, to be freed; NULL if it cannot be read. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room);
    while (text) {
        size += fread(text + size, 1, room - size - 1, file);
        if (size < room - 1) break;
        char *more = realloc(text, room *= 2);
        if (!more) free(text);
        text = more;
    }
    if (text) text[size] = 0;
    fclose(file);
    return text;
}

/* One of the user's files compiled for a compute capability from the embedded headers; NULL, with a
 * complaint, if that fails. */
static char *compile(const char *path, int capability)
{
    enum { MOST = 64 };
    const char *names[MOST], *texts[MOST];
    int count = 0;
    while (count < MOST && bailey_device_header((size_t)count, &names[count], &texts[count])) count++;
    char *source = read_file(path), *image = NULL, architecture[32];
    if (!source) {
        complain(path, "cannot be read");
        return NULL;
    }
    snprintf(architecture, sizeof architecture, "--gpu-architecture=sm_%d", capability);
    const char *const options[] = {architecture, "--fmad=false", "-std=c++17"};
    void *program = NULL;
    size_t size = 0;
    int error = nvrtc.nvrtcCreateProgram(&program, source, path, count, texts, names);
    if (!error) error = nvrtc.nvrtcCompileProgram(program, 3, options);
    if (!error) error = nvrtc.nvrtcGetCUBINSize(program, &size);
    if (!error) image = malloc(size);
    if (image && nvrtc.nvrtcGetCUBIN(program, image)) {
        free(image);
        image = NULL;
    }
    if (!image) {
        char *log = NULL;
        if (program && !nvrtc.nvrtcGetProgramLogSize(program, &size)) log = calloc(size + 1, 1);
        if (log) nvrtc.nvrtcGetProgramLog(program, log);
        complain("NVRTC", log ? log : "no log");
        free(log);
    }
    if (program) nvrtc.nvrtcDestroyProgram(&program);
    free(source);
    return image;
}

static void compare(const char *what, const char *how, bailey_buffer *mine, bailey_buffer *its,
                    uint64_t bytes)
{
    char *a = malloc(bytes), *b = malloc(bytes);
    if (a && b && bailey_ok("read", bailey_buffer_read(mine, 0, a, bytes)) &&
        bailey_ok("read", bailey_buffer_read(its, 0, b, bytes))) {
        uint64_t i = 0;
        while (i < bytes && a[i] == b[i]) i++;
        if (i < bytes) {
            char where[64];
            snprintf(where, sizeof where, "differ at byte %llu (%s)", (unsigned long long)i, how);
            complain(what, where);
        } else
            printf("%s: %llu bytes equal (%s)\n", what, (unsigned long long)bytes, how);
    }
    free(a);
    free(b);
}

/* The caller's memory, known to the library. */
struct shared {
    CUdeviceptr memory;
    bailey_buffer *buffer;
};

static int share(bailey_context *context, uint64_t bytes, struct shared *shared)
{
    return cuda_ok("cuMemAlloc", cu.cuMemAlloc_v2(&shared->memory, bytes)) &&
           bailey_ok("adopt", bailey_buffer_adopt_cuda(context, shared->memory, bytes, &shared->buffer));
}

/* The same with `data` in it. */
static int share_data(bailey_context *context, const void *data, uint64_t bytes, struct shared *shared)
{
    return share(context, bytes, shared) &&
           bailey_ok("write", bailey_buffer_write(shared->buffer, 0, data, bytes));
}

static void unshare(struct shared *shared)
{
    bailey_buffer_destroy(shared->buffer);
    if (shared->memory) cu.cuMemFree_v2(shared->memory);
}

/* Queues a kernel of the user's over `items` on the caller's stream. */
static int launch(CUmodule module, const char *name, unsigned items, CUstream stream, void **arguments)
{
    CUfunction kernel = NULL;
    return cuda_ok(name, cu.cuModuleGetFunction(&kernel, module, name)) &&
           cuda_ok(name, cu.cuLaunchKernel(kernel, (items + 127) / 128, 1, 1, 128, 1, 1, 0, stream, arguments,
                                           NULL));
}

static void run_known(bailey_context *context, CUstream stream, CUmodule module, const char *how)
{
    const uint64_t bytes = 16 * known.count;
    struct shared counters = {0, NULL}, keys = {0, NULL}, words = {0, NULL};
    unsigned count = (unsigned)known.count;
    void *arguments[] = {&count, &counters.memory, &keys.memory, &words.memory};
    bailey_buffer *expected = NULL;
    if (share_data(context, known.counter, 16 * known.count, &counters) &&
        share_data(context, known.key, 8 * known.count, &keys) && share(context, bytes, &words) &&
        bailey_ok("create", bailey_buffer_create(context, bytes, &expected)) &&
        bailey_ok("write", bailey_buffer_write(expected, 0, known.result, bytes)) &&
        launch(module, "user_kat", count, stream, arguments))
        compare("known answers", how, words.buffer, expected, bytes);
    bailey_buffer_destroy(expected);
    unshare(&counters);
    unshare(&keys);
    unshare(&words);
}

/* The table of the inverse CDF, as the library has it. */
static CUdeviceptr table_of(bailey_context *context, bailey_precision precision)
{
    bailey_buffer *table = NULL;
    CUdeviceptr pointer = 0;
    if (bailey_ok("table", bailey_normal_table(context, precision, &table)))
        bailey_ok("its pointer", bailey_buffer_cuda(table, &pointer));
    return pointer;
}

static void run_draws(bailey_context *context, CUstream stream, CUmodule module, const char *how)
{
    static const char *const names[3] = {"words", "f32 normals", "f64 normals"};
    const uint64_t bytes = BLOCKS * UINT64_C(16);
    struct shared mine[3] = {{0, NULL}, {0, NULL}, {0, NULL}};
    bailey_buffer *its[3] = {NULL, NULL, NULL};
    unsigned long long seed = SEED, number = STREAM, blocks = BLOCKS;
    CUdeviceptr tables[2] = {table_of(context, BAILEY_PRECISION_F32),
                             table_of(context, BAILEY_PRECISION_F64)};
    void *arguments[] = {&seed,           &number,         &blocks,    &mine[0].memory,
                         &mine[1].memory, &mine[2].memory, &tables[0], &tables[1]};
    int good = 1;
    for (int i = 0; good && i < 3; i++)
        good = share(context, bytes, &mine[i]) &&
               bailey_ok("create", bailey_buffer_create(context, bytes, &its[i]));
    good = good && launch(module, "user_kernel", BLOCKS, stream, arguments);
    if (good) {
        const bailey_normal_params doubles = {.precision = BAILEY_PRECISION_F64};
        good = bailey_ok(names[0], bailey_words_generate(context, &drawn_from, 0, 4 * BLOCKS, its[0], 0)) &&
               bailey_ok(names[1],
                         bailey_normals_generate(context, &drawn_from, NULL, 0, 4 * BLOCKS, its[1], 0));
        good = good && bailey_ok(names[2], bailey_normals_generate(context, &drawn_from, &doubles, 0,
                                                                   2 * BLOCKS, its[2], 0));
    }
    for (int i = 0; good && i < 3; i++) compare(names[i], how, mine[i].buffer, its[i], bytes);
    for (int i = 0; i < 3; i++) {
        unshare(&mine[i]);
        bailey_buffer_destroy(its[i]);
    }
}

/* Copies the library's table, as much as there is room for, into a variable of the user's module. */
static int fill_table(CUstream stream, CUmodule module, const char *name, bailey_precision precision)
{
    CUdeviceptr variable = 0;
    size_t room = 0, bytes = 0;
    const void *table = bailey_normal_table_data(precision, &bytes);
    return cuda_ok(name, cu.cuModuleGetGlobal_v2(&variable, &room, module, name)) &&
           cuda_ok(name, cu.cuMemcpyHtoDAsync_v2(variable, table, room < bytes ? room : bytes, stream));
}

/* With tables in the module's own memory; the kernel has no arguments for them, the last of run_draws's. */
static void run_constant(bailey_context *context, CUstream stream, CUmodule module, const char *how)
{
    if (fill_table(stream, module, "user_table_f32", BAILEY_PRECISION_F32) &&
        fill_table(stream, module, "user_table_f64", BAILEY_PRECISION_F64))
        run_draws(context, stream, module, how);
}

/* Every generator that steps: the device's words are the processor's. */
static void run_generators(bailey_context *context, CUstream stream, CUmodule module, const char *how)
{
    const uint64_t bytes = user_generators_bytes(USER_GENERATORS_COUNT);
    unsigned long long seed = SEED, number = STREAM;
    unsigned items = USER_GENERATORS_ITEMS, draws = USER_GENERATORS_DRAWS;
    struct shared words = {0, NULL};
    void *arguments[] = {&seed, &number, &items, &draws, &words.memory};
    bailey_buffer *its = NULL;
    uint32_t *expected = user_generators_expected(SEED, STREAM);
    if (!expected) complain("generators", "no memory");
    if (expected && share(context, bytes, &words) &&
        bailey_ok("create", bailey_buffer_create(context, bytes, &its)) &&
        bailey_ok("write", bailey_buffer_write(its, 0, expected, bytes)) &&
        launch(module, "user_generators", items, stream, arguments))
        compare("generators", how, words.buffer, its, bytes);
    free(expected);
    bailey_buffer_destroy(its);
    unshare(&words);
}

/* Every square root of single precision, which PTX makes in its own way. */
static void run_roots(bailey_context *context, CUstream stream, CUmodule module, const char *how)
{
    enum { ITEMS = 1 << 16 };
    static const uint32_t none[ITEMS];
    struct shared wrong = {0, NULL};
    unsigned items = ITEMS;
    void *arguments[] = {&items, &wrong.memory};
    bailey_buffer *expected = NULL;
    if (share(context, sizeof none, &wrong) &&
        bailey_ok("create", bailey_buffer_create(context, sizeof none, &expected)) &&
        bailey_ok("write", bailey_buffer_write(expected, 0, none, sizeof none)) &&
        launch(module, "user_roots", items, stream, arguments))
        compare("square roots", how, wrong.buffer, expected, sizeof none);
    bailey_buffer_destroy(expected);
    unshare(&wrong);
}

/* One dimension, irregular times, bisection, from 0. */
static void run_paths(bailey_context *context, CUstream stream, CUmodule module, const char *how)
{
    const uint64_t bytes = STEPS * PATHS * sizeof(float);
    struct shared plan = {0, NULL}, mine = {0, NULL};
    unsigned long long seed = SEED, number = STREAM, paths = PATHS;
    unsigned steps = STEPS;
    CUdeviceptr table = table_of(context, BAILEY_PRECISION_F32);
    void *arguments[] = {&seed, &number, &paths, &steps, &plan.memory, &table, &mine.memory};
    double times[STEPS];
    for (unsigned i = 0; i < STEPS; i++) times[i] = 0.125 * (i + 1) + (i * 7 % 5) / 64.0;
    const bailey_bridge_params params = {.times = times, .steps = STEPS, .start_time = 0.0625};
    bailey_bridge *bridge = NULL;
    bailey_buffer *its = NULL;
    const void *records = NULL;
    size_t records_bytes = 0;
    if (bailey_ok("bailey_bridge_create", bailey_bridge_create(context, &params, &bridge)) &&
        bailey_ok("records", bailey_bridge_records(bridge, &records, &records_bytes)) &&
        share_data(context, records, records_bytes, &plan) && share(context, bytes, &mine) &&
        bailey_ok("create", bailey_buffer_create(context, bytes, &its)) &&
        launch(module, "user_paths", PATHS, stream, arguments) &&
        bailey_ok("simulate", bailey_bridge_paths(bridge, &drawn_from, NULL, 0, PATHS, its)))
        compare("paths", how, mine.buffer, its, bytes);
    bailey_buffer_destroy(its);
    bailey_bridge_destroy(bridge);
    unshare(&plan);
    unshare(&mine);
}

static void run_kernels(bailey_context *context, CUstream stream, CUmodule module, const char *how)
{
    run_known(context, stream, module, how);
    run_draws(context, stream, module, how);
    run_generators(context, stream, module, how);
    run_paths(context, stream, module, how);
    run_roots(context, stream, module, how);
}

/* The user's files, and what runs the kernels of each. */
static const struct user_file {
    const char *name;
    void (*run)(bailey_context *context, CUstream stream, CUmodule module, const char *how);
} files[] = {{"user_kernel", run_kernels}, {"user_constant", run_constant}, {"user_copies", run_draws}};

/* Runs the kernels in `image`, and frees it, on the caller's memory and stream, the library on the same
 * stream, and compares. The CUDA context is current. */
static void run(bailey_context *context, CUstream stream, const struct user_file *file, char *image,
                const char *compiler)
{
    char how[64];
    CUmodule module = NULL;
    snprintf(how, sizeof how, "%s, %s", file->name, compiler);
    if (image && cuda_ok("cuModuleLoadData", cu.cuModuleLoadData(&module, image))) {
        file->run(context, stream, module, how);
        cu.cuModuleUnload(module);
    }
    free(image);
}

static void run_file(bailey_context *context, CUstream stream, const struct user_file *file, int capability,
                     int have_nvrtc)
{
    char path[4096];
    int tried = have_nvrtc;
    snprintf(path, sizeof path, BLY_USER_KERNELS "/%s.cu", file->name);
    if (have_nvrtc) run(context, stream, file, compile(path, capability), "NVRTC");
#ifdef BLY_USER_FATBINS
    snprintf(path, sizeof path, BLY_USER_FATBINS "/%s.fatbin", file->name);
    char *image = read_file(path);
    if (!image) complain(path, "cannot be read");
    run(context, stream, file, image, "nvcc");
    tried = 1;
#endif
    if (!tried) complain(file->name, "neither NVRTC nor a fat binary is there");
}

int main(void)
{
    const char *require = getenv("BAILEY_TEST_REQUIRE");
    bailey_context *owner = NULL, *context = NULL;
    if (!kat_read(&known)) {
        complain(BLY_SOURCE_DIR "/tests/kat/philox4x32_10.txt", "cannot be read");
        return 1;
    }
    if (bailey_context_create("cuda", NULL, &owner) != BAILEY_OK || !open_driver()) {
        fprintf(stderr, "no CUDA device: %s\n", bailey_error_message());
        return require && strstr(require, "cuda") ? 1 : 77;
    }
    /* The program's own stream in a context of its own choice: here the primary one. */
    CUcontext mine = NULL, current = NULL;
    CUstream stream = NULL;
    CUdevice device = 0;
    int major = 0, minor = 0;
    if (!bailey_ok("bailey_context_cuda", bailey_context_cuda(owner, &mine, NULL)) ||
        !cuda_ok("cuCtxPushCurrent", cu.cuCtxPushCurrent_v2(mine)))
        return 1;
    if (cuda_ok("cuStreamCreate", cu.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING)) &&
        cuda_ok("cuCtxGetDevice", cu.cuCtxGetDevice(&device)) &&
        cuda_ok("major",
                cu.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device)) &&
        cuda_ok("minor",
                cu.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device)) &&
        bailey_ok("bailey_context_create_cuda", bailey_context_create_cuda(mine, stream, NULL, &context))) {
        const int have_nvrtc = open_nvrtc();
        for (size_t i = 0; i < sizeof files / sizeof *files; i++)
            run_file(context, stream, &files[i], 10 * major + minor, have_nvrtc);
        if (!cuda_ok("cuCtxGetCurrent", cu.cuCtxGetCurrent(&current)) || current != mine)
            complain("the current context", "is not the caller's any more");
    }
    bailey_context_destroy(context);
    if (stream) cu.cuStreamDestroy_v2(stream);
    cu.cuCtxPopCurrent_v2(&current);
    bailey_context_destroy(owner);
    if (!failures) printf("all equal\n");
    return failures ? 1 : 0;
}
