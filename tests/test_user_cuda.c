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
#include <bailey/cuda.h>

typedef CUdeviceptr user_handle;
#include "user_kernels.h"

#include <dlfcn.h>

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
    X(cuMemcpyDtoDAsync_v2)                                                                                  \
    X(cuMemcpyDtoHAsync_v2)                                                                                  \
    X(cuMemsetD8Async)                                                                                       \
    X(cuModuleGetFunction)                                                                                   \
    X(cuModuleGetGlobal_v2)                                                                                  \
    X(cuModuleLoadData)                                                                                      \
    X(cuModuleUnload)                                                                                        \
    X(cuStreamCreate)                                                                                        \
    X(cuStreamDestroy_v2)                                                                                    \
    X(cuStreamSynchronize)

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

/* ---- What user_kernels.h asks for ------------------------------------------------------------ */

/* The user's stream, the library on it, and one of the user's files. */
struct user {
    bailey_context *library;
    CUstream stream;
    CUmodule module;
    const char *how;
};

static bailey_context *user_library(const struct user *u) { return u->library; }
static const char *user_how(const struct user *u) { return u->how; }
static int user_has_f64(const struct user *u)
{
    (void)u;
    return 1;
}

static int user_create(const struct user *u, size_t bytes, CUdeviceptr *memory)
{
    (void)u;
    return cuda_ok("cuMemAlloc", cu.cuMemAlloc_v2(memory, bytes));
}

static void user_destroy(CUdeviceptr memory) { cu.cuMemFree_v2(memory); }

static int user_fill(const struct user *u, CUdeviceptr memory, unsigned char byte, size_t bytes)
{
    return cuda_ok("cuMemsetD8Async", cu.cuMemsetD8Async(memory, byte, bytes, u->stream));
}

static int user_copy(const struct user *u, CUdeviceptr from, CUdeviceptr to, size_t bytes)
{
    return cuda_ok("cuMemcpyDtoDAsync", cu.cuMemcpyDtoDAsync_v2(to, from, bytes, u->stream));
}

static int waited(const struct user *u)
{
    return cuda_ok("cuStreamSynchronize", cu.cuStreamSynchronize(u->stream));
}

static int user_write(const struct user *u, CUdeviceptr memory, const void *data, size_t bytes)
{
    return cuda_ok("cuMemcpyHtoDAsync", cu.cuMemcpyHtoDAsync_v2(memory, data, bytes, u->stream)) && waited(u);
}

static int user_read(const struct user *u, CUdeviceptr memory, void *data, size_t bytes)
{
    return cuda_ok("cuMemcpyDtoHAsync", cu.cuMemcpyDtoHAsync_v2(data, memory, bytes, u->stream)) && waited(u);
}

static int user_adopt(const struct user *u, CUdeviceptr memory, size_t bytes, bailey_buffer **buffer)
{
    return bailey_ok("adopt", bailey_buffer_adopt_cuda(u->library, memory, bytes, buffer));
}

static int user_handle_of(bailey_buffer *buffer, CUdeviceptr *memory)
{
    return bailey_ok("its pointer", bailey_buffer_cuda(buffer, memory));
}

static int user_launch(const struct user *u, const char *name, size_t items, unsigned count,
                       const struct user_argument *arguments)
{
    enum { MOST = 8 };
    CUfunction kernel = NULL;
    void *values[MOST];
    for (unsigned i = 0; i < count && i < MOST; i++) values[i] = (void *)arguments[i].value;
    return cuda_ok(name, cu.cuModuleGetFunction(&kernel, u->module, name)) &&
           cuda_ok(name, cu.cuLaunchKernel(kernel, ((unsigned)items + 127) / 128, 1, 1, 128, 1, 1, 0,
                                           u->stream, values, NULL));
}

/* ---- What CUDA alone has --------------------------------------------------------------------- */

/* Copies the library's table, as much as there is room for, into a variable of the user's module. */
static int fill_table(const struct user *u, const char *name, bailey_precision precision)
{
    CUdeviceptr variable = 0;
    size_t room = 0, bytes = 0;
    const void *table = bailey_normal_table_data(precision, &bytes);
    return cuda_ok(name, cu.cuModuleGetGlobal_v2(&variable, &room, u->module, name)) &&
           user_write(u, variable, table, room < bytes ? room : bytes);
}

/* With tables in the module's own memory; the kernel has no arguments for them. */
static void run_constant(const struct user *u)
{
    if (fill_table(u, "user_table_f32", BAILEY_PRECISION_F32) &&
        fill_table(u, "user_table_f64", BAILEY_PRECISION_F64))
        run_draws(u);
}

/* Every square root of single precision, for which PTX has a special instruction. */
static void run_roots(const struct user *u)
{
    enum { ITEMS = 1 << 16 };
    static const uint32_t none[ITEMS];
    const uint32_t items = ITEMS;
    struct memory wrong = {0};
    const struct user_argument arguments[] = {{sizeof items, &items}, {sizeof wrong.handle, &wrong.handle}};
    if (take(u, sizeof none, &wrong) && user_launch(u, "user_roots", ITEMS, 2, arguments))
        compare_data(u, "square roots", &wrong, none);
    give(&wrong);
}

static void run_all(const struct user *u)
{
    run_kernels(u);
    run_roots(u);
}

/* ---- Programs -------------------------------------------------------------------------------- */

/* The user's files, and what runs the kernels of each. */
static const struct user_file {
    const char *name;
    void (*run)(const struct user *u);
} files[] = {{"user_kernel", run_all}, {"user_constant", run_constant}, {"user_copies", run_draws}};

/* Runs the kernels in `image`, and frees it. The CUDA context is current. */
static void run(struct user *u, const struct user_file *file, char *image, const char *compiler)
{
    char how[64];
    snprintf(how, sizeof how, "%s, %s", file->name, compiler);
    u->how = how;
    if (image && cuda_ok("cuModuleLoadData", cu.cuModuleLoadData(&u->module, image))) {
        file->run(u);
        cu.cuModuleUnload(u->module);
    }
    free(image);
}

static void run_file(struct user *u, const struct user_file *file, int capability, int have_nvrtc)
{
    char path[4096];
    int tried = have_nvrtc;
    snprintf(path, sizeof path, BLY_USER_KERNELS "/%s.cu", file->name);
    if (have_nvrtc) run(u, file, compile(path, capability), "NVRTC");
#ifdef BLY_USER_FATBINS
    snprintf(path, sizeof path, BLY_USER_FATBINS "/%s.fatbin", file->name);
    char *image = read_file(path);
    if (!image) complain(path, "cannot be read");
    run(u, file, image, "nvcc");
    tried = 1;
#endif
    if (!tried) complain(file->name, "neither NVRTC nor a fat binary is there");
}

int main(void)
{
    const char *require = getenv("BAILEY_TEST_REQUIRE");
    bailey_context *owner = NULL;
    struct user u = {0};
    if (!kat_read(&known)) {
        complain(BLY_SOURCE_DIR "/tests/kat/philox4x32_10.txt", "cannot be read");
        return 1;
    }
    if (bailey_context_create("cuda", NULL, &owner) != BAILEY_OK || !open_driver()) {
        fprintf(stderr, "no CUDA device: %s\n", bailey_error_message());
        return require && strstr(require, "cuda") ? 1 : 77;
    }
    /* The program's stream in a context that it chooses: here the primary one. */
    CUcontext mine = NULL, current = NULL;
    CUdevice device = 0;
    int major = 0, minor = 0;
    if (!bailey_ok("bailey_context_cuda", bailey_context_cuda(owner, &mine, NULL)) ||
        !cuda_ok("cuCtxPushCurrent", cu.cuCtxPushCurrent_v2(mine)))
        return 1;
    if (cuda_ok("cuStreamCreate", cu.cuStreamCreate(&u.stream, CU_STREAM_NON_BLOCKING)) &&
        cuda_ok("cuCtxGetDevice", cu.cuCtxGetDevice(&device)) &&
        cuda_ok("major",
                cu.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device)) &&
        cuda_ok("minor",
                cu.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device)) &&
        bailey_ok("bailey_context_create_cuda",
                  bailey_context_create_cuda(mine, u.stream, NULL, &u.library))) {
        const int have_nvrtc = open_nvrtc();
        for (size_t i = 0; i < sizeof files / sizeof *files; i++)
            run_file(&u, &files[i], 10 * major + minor, have_nvrtc);
        if (!cuda_ok("cuCtxGetCurrent", cu.cuCtxGetCurrent(&current)) || current != mine)
            complain("the current context", "is not the caller's any more");
    }
    bailey_context_destroy(u.library);
    if (u.stream) cu.cuStreamDestroy_v2(u.stream);
    cu.cuCtxPopCurrent_v2(&current);
    bailey_context_destroy(owner);
    if (!failures) printf("all equal\n");
    return failures ? 1 : 0;
}
