/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A stand-in for libcuda.so.1 without a device: memory is the host's, and kernels run in C, thread for
 * thread, as src/kernels_cu/entry_cu.h would run them. It checks how it is called, and fails on demand:
 *
 *   BLY_STUB_CUDA_INIT=100           what cuInit returns
 *   BLY_STUB_CUDA_DEVICES=0          how many devices there are (1)
 *   BLY_STUB_CUDA_CAPABILITY=70      their compute capability (90)
 *   BLY_STUB_CUDA_DRIVER=12040       what cuDriverGetVersion says (that of cuda.h)
 *   BLY_STUB_CUDA_FAIL=alloc:2:700   the second allocation returns 700; without a code, the usual error
 *
 * Of kernels given as source (stub_nvrtc.c) it knows one, stub_double.
 *
 * Compiled with BLY_STUB_WITHOUT_LAUNCH it lacks cuLaunchKernel. As the device code must: no contraction
 * (-ffp-contract=off).
 */
#include "stub_cuda.h"

#include <kernels/kernels.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define DEVICES 8

extern struct bly_stub_cuda bly_stub_cuda;
EXPORT struct bly_stub_cuda bly_stub_cuda;
extern bly_stub_cuda_context_function bly_stub_cuda_context;
extern bly_stub_cuda_memory_function bly_stub_cuda_memory;
extern bly_stub_cuda_forget_function bly_stub_cuda_forget;

struct CUctx_st {
    int device;
};
struct CUstream_st {
    CUcontext context;
};
struct CUmod_st {
    CUcontext context;
    int is_program;
};
struct block {
    CUdeviceptr begin;
    size_t size, shift;
    CUcontext context;
    CUmemorytype type;
    int mapped;
    struct block *next;
};

static struct CUctx_st primary[DEVICES], other;
static struct block *blocks;
static _Thread_local CUcontext stack[16];
static _Thread_local int depth;

static long setting(const char *name, long otherwise)
{
    const char *value = getenv(name);
    return value && *value ? strtol(value, NULL, 10) : otherwise;
}

static CUresult misuse(CUresult error)
{
    bly_stub_cuda.misuses++;
    return error;
}

/* Counts a call and says whether it is to fail. */
static CUresult call(enum bly_stub_call which)
{
    static const char *const names[] = {"retain", "stream", "alloc", "load", "function", "launch",
                                        "write",  "read",   "sync",  "copy", "fill",     "shared"};
    static const CUresult usual[] = {
        CUDA_ERROR_DEVICE_UNAVAILABLE, CUDA_ERROR_INVALID_VALUE,   CUDA_ERROR_OUT_OF_MEMORY,
        CUDA_ERROR_NO_BINARY_FOR_GPU,  CUDA_ERROR_NOT_FOUND,       CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
        CUDA_ERROR_ILLEGAL_ADDRESS,    CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_ILLEGAL_ADDRESS,
        CUDA_ERROR_ILLEGAL_ADDRESS,    CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_INVALID_VALUE};
    const int n = ++bly_stub_cuda.calls[which];
    char name[16];
    int wanted, code;
    const char *fail = getenv("BLY_STUB_CUDA_FAIL");
    const int parts = fail ? sscanf(fail, "%15[a-z]:%d:%d", name, &wanted, &code) : 0;
    if (parts < 2 || wanted != n || strcmp(name, names[which]) != 0) return CUDA_SUCCESS;
    return parts == 3 ? (CUresult)code : usual[which];
}

static CUcontext current(void) { return depth > 0 ? stack[depth - 1] : NULL; }

static struct block *find(CUdeviceptr pointer)
{
    struct block *b = blocks;
    while (b && !(pointer >= b->begin && pointer < b->begin + b->size) &&
           !(pointer >= b->begin + b->shift && pointer < b->begin + b->shift + b->size))
        b = b->next;
    return b;
}

/* ---- Driver, devices, contexts --------------------------------------------------------------- */

EXPORT CUresult cuInit(unsigned flags)
{
    (void)flags;
    return (CUresult)setting("BLY_STUB_CUDA_INIT", CUDA_SUCCESS);
}

EXPORT CUresult cuDriverGetVersion(int *version)
{
    *version = (int)setting("BLY_STUB_CUDA_DRIVER", CUDA_VERSION);
    return CUDA_SUCCESS;
}

#define ERRORS(X)                                                                                            \
    X(CUDA_ERROR_INVALID_VALUE, "invalid argument")                                                          \
    X(CUDA_ERROR_OUT_OF_MEMORY, "out of memory")                                                             \
    X(CUDA_ERROR_NO_DEVICE, "no CUDA-capable device is detected")                                            \
    X(CUDA_ERROR_DEVICE_UNAVAILABLE, "CUDA-capable device(s) is/are busy or unavailable")                    \
    X(CUDA_ERROR_INVALID_CONTEXT, "invalid device context")                                                  \
    X(CUDA_ERROR_NO_BINARY_FOR_GPU, "no kernel image is available for execution on the device")              \
    X(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "the provided PTX was compiled with an unsupported toolchain.")    \
    X(CUDA_ERROR_NOT_FOUND, "named symbol not found")                                                        \
    X(CUDA_ERROR_ILLEGAL_ADDRESS, "an illegal memory access was encountered")                                \
    X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "too many resources requested for launch")

EXPORT CUresult cuGetErrorName(CUresult error, const char **text)
{
    switch ((int)error) {
#define NAME(name, words)                                                                                    \
    case name: *text = #name; return CUDA_SUCCESS;
        ERRORS(NAME)
    }
    *text = NULL;
    return CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult cuGetErrorString(CUresult error, const char **text)
{
    switch ((int)error) {
#define WORDS(name, words)                                                                                   \
    case name: *text = words; return CUDA_SUCCESS;
        ERRORS(WORDS)
    }
    *text = NULL;
    return CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult cuDeviceGetCount(int *count)
{
    *count = (int)setting("BLY_STUB_CUDA_DEVICES", 1);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    if (ordinal < 0 || ordinal >= DEVICES || ordinal >= setting("BLY_STUB_CUDA_DEVICES", 1))
        return CUDA_ERROR_INVALID_VALUE;
    *device = ordinal;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
    snprintf(name, (size_t)size, "stub device %d", device);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    (void)device;
    *bytes = (size_t)1 << 30;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    const int capability = (int)setting("BLY_STUB_CUDA_CAPABILITY", 90);
    (void)device;
    *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR            ? capability / 10
             : attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR          ? capability % 10
             : attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT              ? 2
             : attribute == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK             ? 1024
             : attribute == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR    ? 2048
             : attribute == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN ? 100000
                                                                                  : 0;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    const CUresult error = call(BLY_STUB_RETAIN);
    if (error) return error;
    primary[device].device = device;
    *context = &primary[device];
    bly_stub_cuda.retained++;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    (void)device;
    if (bly_stub_cuda.retained-- <= 0) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxPushCurrent(CUcontext context)
{
    if (!context || depth == 16) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    bly_stub_cuda.pushes++;
    stack[depth++] = context;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxPopCurrent(CUcontext *context)
{
    if (depth == 0) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    bly_stub_cuda.pops++;
    *context = stack[--depth];
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxGetCurrent(CUcontext *context)
{
    *context = current();
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxGetDevice(CUdevice *device)
{
    if (!current()) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    *device = current()->device;
    return CUDA_SUCCESS;
}

EXPORT CUcontext bly_stub_cuda_context(void) { return &other; }

EXPORT CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
    (void)flags;
    if (!current()) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    const CUresult error = call(BLY_STUB_STREAM);
    if (error) return error;
    *stream = malloc(sizeof **stream);
    if (!*stream) return CUDA_ERROR_OUT_OF_MEMORY;
    (*stream)->context = current();
    bly_stub_cuda.streams++;
    return CUDA_SUCCESS;
}

static int is_default(CUstream stream)
{
    return !stream || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
}

/* Whether work on `stream` may be queued now. */
static int is_usable(CUstream stream)
{
    return current() && (is_default(stream) || stream->context == current());
}

EXPORT CUresult cuStreamDestroy(CUstream stream)
{
    if (is_default(stream) || !is_usable(stream)) return misuse(CUDA_ERROR_INVALID_VALUE);
    free(stream);
    bly_stub_cuda.streams--;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
    *context = is_default(stream) ? current() : stream->context;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamSynchronize(CUstream stream)
{
    if (!is_usable(stream)) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    return call(BLY_STUB_SYNC);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

EXPORT CUdeviceptr bly_stub_cuda_memory(CUcontext context, CUmemorytype type, int mapped, size_t bytes)
{
    struct block *b = calloc(1, sizeof *b);
    const size_t shift = type == CU_MEMORYTYPE_HOST ? 4096 : 0;
    void *memory = b ? malloc(bytes + shift) : NULL;
    if (!memory) {
        free(b);
        return 0;
    }
    memset(memory, 0xcd, bytes + shift);
    *b = (struct block){(uintptr_t)memory, bytes, shift, context, type, mapped, blocks};
    blocks = b;
    return b->begin;
}

EXPORT void bly_stub_cuda_forget(CUdeviceptr pointer)
{
    struct block **at = &blocks;
    while (*at && (*at)->begin != pointer) at = &(*at)->next;
    struct block *b = *at;
    if (!b) {
        misuse(CUDA_ERROR_INVALID_VALUE);
        return;
    }
    *at = b->next;
    free((void *)(uintptr_t)b->begin);
    free(b);
}

EXPORT CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes)
{
    if (!current() || bytes == 0) return misuse(CUDA_ERROR_INVALID_VALUE);
    const CUresult error = call(BLY_STUB_ALLOC);
    if (error) return error;
    *pointer = bytes > (size_t)1 << 30 ? 0 : bly_stub_cuda_memory(current(), CU_MEMORYTYPE_DEVICE, 1, bytes);
    if (!*pointer) return CUDA_ERROR_OUT_OF_MEMORY;
    bly_stub_cuda.allocations++;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemFree(CUdeviceptr pointer)
{
    if (!current()) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    bly_stub_cuda_forget(pointer);
    bly_stub_cuda.allocations--;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemGetInfo(size_t *available, size_t *total)
{
    if (!current()) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    *total = (size_t)1 << 30;
    *available = *total / 2;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemGetAddressRange(CUdeviceptr *begin, size_t *size, CUdeviceptr pointer)
{
    const struct block *b = find(pointer);
    if (!current()) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    if (!b) return CUDA_ERROR_NOT_FOUND;
    *begin = b->begin + b->shift;
    *size = b->size;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr pointer)
{
    const struct block *b = find(pointer);
    if (!current()) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    if (!b) return CUDA_ERROR_INVALID_VALUE;
    switch ((int)attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: memcpy(data, &b->context, sizeof b->context); return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: memcpy(data, &b->type, sizeof b->type); return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: memset(data, 0, sizeof(unsigned)); return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        if (!b->mapped) return CUDA_ERROR_INVALID_VALUE;
        pointer = pointer < b->begin + b->shift ? pointer + b->shift : pointer;
        memcpy(data, &pointer, sizeof pointer);
        return CUDA_SUCCESS;
    }
    return misuse(CUDA_ERROR_INVALID_VALUE);
}

/* Whether device memory holds `bytes` at `pointer`. */
static int holds(CUdeviceptr pointer, size_t bytes)
{
    const struct block *b = find(pointer);
    return b && bytes <= b->size - (pointer - b->begin - b->shift);
}

EXPORT CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    if (!is_usable(stream) || !holds(to, bytes)) return misuse(CUDA_ERROR_INVALID_VALUE);
    const CUresult error = call(BLY_STUB_WRITE);
    if (!error) memcpy((void *)(uintptr_t)to, from, bytes);
    return error;
}

EXPORT CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    if (!is_usable(stream) || !holds(from, bytes)) return misuse(CUDA_ERROR_INVALID_VALUE);
    const CUresult error = call(BLY_STUB_READ);
    if (!error) memcpy(to, (const void *)(uintptr_t)from, bytes);
    return error;
}

EXPORT CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    if (!is_usable(stream) || !holds(to, bytes) || !holds(from, bytes))
        return misuse(CUDA_ERROR_INVALID_VALUE);
    const CUresult error = call(BLY_STUB_COPY);
    if (!error) memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
    return error;
}

EXPORT CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream)
{
    if (!is_usable(stream) || !holds(to, bytes)) return misuse(CUDA_ERROR_INVALID_VALUE);
    const CUresult error = call(BLY_STUB_FILL);
    if (!error) memset((void *)(uintptr_t)to, value, bytes);
    return error;
}

/* ---- Kernels --------------------------------------------------------------------------------- */

/* One kernel: runs one thread, whose arguments are those of the entry point. */
struct CUfunc_st {
    const char *name;
    void (*run)(void **arguments, uint64_t item, uint64_t row);
    unsigned buffers;
    int is_program;
    unsigned most_shared; /* 0: what needs no cuFuncSetAttribute */
};

#define BUFFER(i, type) (*(type **)arguments[1 + (i)])
#define RUN(name, params, ...)                                                                               \
    static void name##_stub(void **arguments, uint64_t item, uint64_t row)                                   \
    {                                                                                                        \
        params p;                                                                                            \
        memcpy(&p, arguments[0], sizeof p);                                                                  \
        name##_item(p, __VA_ARGS__, item, row);                                                              \
    }
#define BLY_ENTRY_1(name, p, a) RUN(name, p, BUFFER(0, a)) enum { name##_buffers = 1 };
#define BLY_ENTRY_2(name, p, a, b) RUN(name, p, BUFFER(0, a), BUFFER(1, b)) enum { name##_buffers = 2 };
#define BLY_ENTRY_3(name, p, a, b, c)                                                                        \
    RUN(name, p, BUFFER(0, a), BUFFER(1, b), BUFFER(2, c)) enum { name##_buffers = 3 };
#define BLY_ENTRY_4(name, p, a, b, c, d)                                                                     \
    RUN(name, p, BUFFER(0, a), BUFFER(1, b), BUFFER(2, c), BUFFER(3, d)) enum { name##_buffers = 4 };

/* An item takes packs as backend.h says; the first item of a team makes its run. */
#define BLY_STRIP_ENTRY_1(name, params, a)                                                                   \
    static void name##_stub(void **arguments, uint64_t item, uint64_t row)                                   \
    {                                                                                                        \
        params p;                                                                                            \
        memcpy(&p, arguments[0], sizeof p);                                                                  \
        for (uint64_t k = 0; k < BLY_FILL_STRIPS; k++)                                                       \
            name##_item(p, BUFFER(0, a), (item / 32 * BLY_FILL_STRIPS + k) * 32 + item % 32, row);           \
    }                                                                                                        \
    enum { name##_buffers = 1 };
#define TEAM(name, params, ...)                                                                              \
    static void name##_stub(void **arguments, uint64_t item, uint64_t row)                                   \
    {                                                                                                        \
        params p;                                                                                            \
        memcpy(&p, arguments[0], sizeof p);                                                                  \
        (void)row;                                                                                           \
        if (item % BAILEY_RUN_LANES == 0) name##_run(p, __VA_ARGS__, item / BAILEY_RUN_LANES);               \
    }
#define BLY_TEAM_ENTRY_1(name, p, a, words) TEAM(name, p, BUFFER(0, a)) enum { name##_buffers = 1 };
#define BLY_TEAM_ENTRY_2(name, p, a, b, words)                                                               \
    TEAM(name, p, BUFFER(0, a), BUFFER(1, b)) enum { name##_buffers = 2 };

#define BLY_ROW_f32(entry) entry
#define BLY_ROW_f64(entry) entry
BLY_KERNEL_ROWS

/* x[item] = 2 a[item] + 1 for the items below the parameter. */
static void stub_double_run(void **arguments, uint64_t item, uint64_t row)
{
    uint64_t count;
    (void)row;
    memcpy(&count, arguments[0], sizeof count);
    bly_stub_cuda.program_items++;
    if (item < count) BUFFER(2, uint64_t)[item] = 2 * BUFFER(0, uint64_t)[item] + 1;
}

static struct CUfunc_st functions[] = {
#include <backend/rows_named.h>
#define ROW(name) {#name, name##_stub, name##_buffers, 0, 0},
    BLY_KERNEL_ROWS{"stub_double", stub_double_run, 3, 1, 0}};

EXPORT CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options,
                                   void **values)
{
    static const unsigned char magic[] = {0x50, 0xed, 0x55, 0xba}; /* of a fat binary */
    if (!current()) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    const int is_program = memcmp(image, "stub cubin of ", 14) == 0 || memcmp(image, "stub ptx of ", 12) == 0;
    if (memcmp(image, magic, sizeof magic) != 0 && !is_program) return misuse(CUDA_ERROR_INVALID_IMAGE);
    const CUresult error = call(BLY_STUB_LOAD);
    for (unsigned i = 0; error && i < count; i++)
        if (options[i] == CU_JIT_ERROR_LOG_BUFFER) strcpy(values[i], "the stub was told to fail");
    if (error) return error;
    *module = malloc(sizeof **module);
    if (!*module) return CUDA_ERROR_OUT_OF_MEMORY;
    (*module)->context = current();
    (*module)->is_program = is_program;
    bly_stub_cuda.modules++;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleUnload(CUmodule module)
{
    if (!current() || module->context != current()) misuse(CUDA_ERROR_INVALID_CONTEXT);
    free(module);
    bly_stub_cuda.modules--;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    if (!current() || module->context != current()) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    const CUresult error = call(BLY_STUB_FUNCTION);
    if (error) return error;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0 && functions[i].is_program == module->is_program) {
            functions[i].most_shared = 0;
            *function = &functions[i];
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_NOT_FOUND;
}

EXPORT CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    (void)function;
    switch ((int)attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = 256; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = 40; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = 8; return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = 32; return CUDA_SUCCESS;
    }
    return misuse(CUDA_ERROR_INVALID_VALUE);
}

EXPORT CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    if (!current() || !function->is_program || value < 0 || value > 100000 ||
        attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
        return misuse(CUDA_ERROR_INVALID_VALUE);
    const CUresult error = call(BLY_STUB_SHARED);
    if (!error) function->most_shared = (unsigned)value;
    return error;
}

EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int block,
                                                            size_t shared)
{
    (void)function, (void)shared;
    *blocks = 1536 / block;
    return CUDA_SUCCESS;
}

#ifndef BLY_STUB_WITHOUT_LAUNCH
EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                               unsigned x, unsigned y, unsigned z, unsigned shared, CUstream stream,
                               void **arguments, void **extra)
{
    if (!is_usable(stream) || extra || z != 1 || (uint64_t)x * y > 256 || !x || !y)
        return misuse(CUDA_ERROR_INVALID_VALUE);
    const unsigned most_shared = function->most_shared ? function->most_shared : 48 << 10;
    if (function->is_program ? shared < 16 || shared > most_shared || y != 1 || grid_y != 1 || grid_z != 1
                             : shared != 0)
        return misuse(CUDA_ERROR_INVALID_VALUE);
    if (!grid_x || !grid_y || !grid_z || grid_x > 2147483647u || grid_y > 65535u || grid_z > 65535u)
        return misuse(CUDA_ERROR_INVALID_VALUE);
    for (unsigned i = 0; i < function->buffers; i++)
        if (BUFFER(i, void) && !find((uintptr_t)BUFFER(i, void))) return misuse(CUDA_ERROR_ILLEGAL_ADDRESS);
    const CUresult error = call(BLY_STUB_LAUNCH);
    if (error) return error;
    uint64_t sizes[4]; /* items, rows, first_item, first_row */
    for (unsigned i = 0; i < 4; i++) memcpy(&sizes[i], arguments[1 + function->buffers + i], 8);
    if (sizes[2] >= sizes[0] || sizes[3] >= sizes[1]) return misuse(CUDA_ERROR_INVALID_VALUE);
    for (uint64_t j = 0; j < (uint64_t)grid_z * grid_y * y; j++)
        for (uint64_t i = 0; i < (uint64_t)grid_x * x; i++)
            if (function->is_program || (sizes[2] + i < sizes[0] && sizes[3] + j < sizes[1]))
                function->run(arguments, sizes[2] + i, sizes[3] + j);
    return CUDA_SUCCESS;
}
#endif
