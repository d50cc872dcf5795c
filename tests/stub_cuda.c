/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A stand-in for libcuda.so.1 without a device: memory is the host's, and kernels run in C
 * (stub_cuda_kernels.c). It checks how it is called, and fails on demand:
 *
 *   BLY_STUB_CUDA_INIT=100           what cuInit returns
 *   BLY_STUB_CUDA_DEVICES=0          how many devices there are (1)
 *   BLY_STUB_CUDA_CAPABILITY=70      their compute capability (90)
 *   BLY_STUB_CUDA_DRIVER=12040       what cuDriverGetVersion says (that of cuda.h)
 *   BLY_STUB_CUDA_FAIL=alloc:2:700   the second allocation returns 700; without a code, the usual error
 *   BLY_STUB_CUDA_PENDING=2          so many queries of an event say that it is not done (0)
 *   BLY_STUB_CUDA_UNMAPPED=1         its devices cannot map the host's memory
 *
 * Compiled with BLY_STUB_WITHOUT_LAUNCH it lacks cuLaunchKernel.
 */
#define _GNU_SOURCE /* memfd_create */
#include "stub_cuda.h"
#include "stub_cuda_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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
struct CUevent_st {
    CUcontext context;
    long pending; /* queries that will say so */
};
struct CUmod_st {
    CUcontext context;
    char entries[128]; /* of a program, each with a space before and after it; "" of a fat binary */
};
/* Memory, which kernels see `shift` bytes further on. */
struct block {
    CUdeviceptr begin;
    size_t size, shift;
    CUcontext context;
    CUmemorytype type;
    int mapped, pinned; /* pinned: made by cuMemHostAlloc */
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
    static const char *const names[] = {"retain", "stream", "alloc", "load",  "function", "launch", "write",
                                        "read",   "sync",   "copy",  "fill",  "shared",   "host",   "map",
                                        "event",  "record", "query", "await", "follow"};
    static const CUresult usual[] = {
        CUDA_ERROR_DEVICE_UNAVAILABLE, CUDA_ERROR_INVALID_VALUE,   CUDA_ERROR_OUT_OF_MEMORY,
        CUDA_ERROR_NO_BINARY_FOR_GPU,  CUDA_ERROR_NOT_FOUND,       CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
        CUDA_ERROR_ILLEGAL_ADDRESS,    CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_ILLEGAL_ADDRESS,
        CUDA_ERROR_ILLEGAL_ADDRESS,    CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_INVALID_VALUE,
        CUDA_ERROR_OUT_OF_MEMORY,      CUDA_ERROR_INVALID_VALUE,   CUDA_ERROR_OUT_OF_MEMORY,
        CUDA_ERROR_ILLEGAL_ADDRESS,    CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_ILLEGAL_ADDRESS,
        CUDA_ERROR_ILLEGAL_ADDRESS};
    const int n = ++bly_stub_cuda.calls[which];
    char name[16];
    int wanted, code;
    const char *fail = getenv("BLY_STUB_CUDA_FAIL");
    const int parts = fail ? sscanf(fail, "%15[a-z]:%d:%d", name, &wanted, &code) : 0;
    if (parts < 2 || wanted != n || strcmp(name, names[which]) != 0) return CUDA_SUCCESS;
    return parts == 3 ? (CUresult)code : usual[which];
}

static CUcontext current(void) { return depth > 0 ? stack[depth - 1] : NULL; }

/* The block whose bytes are at `pointer`, as the host (shifted: 0) or as kernels see it. */
static struct block *find_as(CUdeviceptr pointer, int shifted)
{
    struct block *b = blocks;
    while (b && pointer - b->begin - (shifted ? b->shift : 0) >= b->size) b = b->next;
    return b;
}

static struct block *find(CUdeviceptr pointer)
{
    struct block *b = find_as(pointer, 1);
    return b ? b : find_as(pointer, 0);
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
             : attribute == CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY ? !setting("BLY_STUB_CUDA_UNMAPPED", 0)
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

/* For those who do not see the structure. */
EXPORT CUstream bly_stub_cuda_last(void) { return bly_stub_cuda.last; }

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
    bly_stub_cuda.last = stream;
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

/* ---- Events ---------------------------------------------------------------------------------- */

EXPORT CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    if (!current() || flags != CU_EVENT_DISABLE_TIMING) return misuse(CUDA_ERROR_INVALID_VALUE);
    const CUresult error = call(BLY_STUB_EVENT);
    if (error) return error;
    *event = calloc(1, sizeof **event);
    if (!*event) return CUDA_ERROR_OUT_OF_MEMORY;
    (*event)->context = current();
    bly_stub_cuda.events++;
    return CUDA_SUCCESS;
}

static int is_current(CUevent event) { return event && current() && event->context == current(); }

EXPORT CUresult cuEventDestroy(CUevent event)
{
    if (!is_current(event)) return misuse(CUDA_ERROR_INVALID_VALUE);
    free(event);
    bly_stub_cuda.events--;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuEventRecord(CUevent event, CUstream stream)
{
    if (!is_current(event) || !is_usable(stream)) return misuse(CUDA_ERROR_INVALID_VALUE);
    event->pending = setting("BLY_STUB_CUDA_PENDING", 0);
    return call(BLY_STUB_RECORD);
}

EXPORT CUresult cuEventQuery(CUevent event)
{
    if (!is_current(event)) return misuse(CUDA_ERROR_INVALID_VALUE);
    const CUresult error = call(BLY_STUB_QUERY);
    if (error) return error;
    return event->pending-- > 0 ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

EXPORT CUresult cuEventSynchronize(CUevent event)
{
    if (!is_current(event)) return misuse(CUDA_ERROR_INVALID_VALUE);
    event->pending = 0;
    return call(BLY_STUB_AWAIT);
}

EXPORT CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    if (!is_current(event) || !is_usable(stream) || flags) return misuse(CUDA_ERROR_INVALID_VALUE);
    return call(BLY_STUB_FOLLOW);
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
    *b = (struct block){(uintptr_t)memory, bytes, shift, context, type, mapped, 0, blocks};
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

/* Memory that kernels, if it is mapped, see at another address. */
EXPORT CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
    if (!current() || bytes == 0 || (flags & ~(unsigned)CU_MEMHOSTALLOC_DEVICEMAP))
        return misuse(CUDA_ERROR_INVALID_VALUE);
    const CUresult error = call(BLY_STUB_HOST);
    if (error) return error;
    struct block *b = bytes > (size_t)1 << 30 ? NULL : calloc(1, sizeof *b);
    const int file = b ? memfd_create("stub", 0) : -1;
    void *seen[2] = {MAP_FAILED, MAP_FAILED};
    if (file >= 0 && ftruncate(file, (off_t)bytes) == 0)
        for (int i = 0; i < 2; i++) seen[i] = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0) close(file);
    if (seen[0] == MAP_FAILED || seen[1] == MAP_FAILED) {
        free(b);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *b = (struct block){(uintptr_t)seen[0],
                        bytes,
                        (size_t)((uintptr_t)seen[1] - (uintptr_t)seen[0]),
                        current(),
                        CU_MEMORYTYPE_HOST,
                        flags != 0,
                        1,
                        blocks};
    blocks = b;
    *pointer = seen[0];
    bly_stub_cuda.host_allocations++;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemHostGetDevicePointer(CUdeviceptr *pointer, void *host, unsigned flags)
{
    const struct block *b = find_as((uintptr_t)host, 0);
    if (!current() || flags || !b || !b->mapped) return misuse(CUDA_ERROR_INVALID_VALUE);
    const CUresult error = call(BLY_STUB_MAP);
    if (!error) *pointer = (uintptr_t)host + b->shift;
    return error;
}

EXPORT CUresult cuMemFreeHost(void *pointer)
{
    struct block **at = &blocks;
    while (*at && (*at)->begin != (uintptr_t)pointer) at = &(*at)->next;
    struct block *b = *at;
    if (!current() || !b || !b->pinned) return misuse(CUDA_ERROR_INVALID_VALUE);
    *at = b->next;
    munmap(pointer, b->size);
    munmap((void *)(uintptr_t)(b->begin + b->shift), b->size);
    free(b);
    bly_stub_cuda.host_allocations--;
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
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        memcpy(data, &b->context->device, sizeof(int));
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: memset(data, 0, sizeof(unsigned)); return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        if (!b->mapped) return CUDA_ERROR_INVALID_VALUE;
        if (pointer - b->begin < b->size) pointer += b->shift;
        memcpy(data, &pointer, sizeof pointer);
        return CUDA_SUCCESS;
    }
    return misuse(CUDA_ERROR_INVALID_VALUE);
}

static int holds_as(CUdeviceptr pointer, size_t bytes, int shifted)
{
    const struct block *b = find_as(pointer, shifted);
    return b && bytes <= b->size - (pointer - b->begin - (shifted ? b->shift : 0));
}

/* Whether copies may move `bytes` at `pointer`: what kernels see, or the host's side of pinned memory. */
static int holds(CUdeviceptr pointer, size_t bytes)
{
    const struct block *b = find_as(pointer, 0);
    return holds_as(pointer, bytes, 1) || (b && b->pinned && holds_as(pointer, bytes, 0));
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

EXPORT CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
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

EXPORT CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options,
                                   void **values)
{
    static const unsigned char magic[] = {0x50, 0xed, 0x55, 0xba}; /* of a fat binary */
    if (!current()) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    const char *entries = memcmp(image, "stub cubin of ", 14) == 0 ? (const char *)image + 13
                          : memcmp(image, "stub ptx of ", 12) == 0 ? (const char *)image + 11
                                                                   : "";
    if (memcmp(image, magic, sizeof magic) != 0 && !*entries) return misuse(CUDA_ERROR_INVALID_IMAGE);
    const CUresult error = call(BLY_STUB_LOAD);
    for (unsigned i = 0; error && i < count; i++)
        if (options[i] == CU_JIT_ERROR_LOG_BUFFER) strcpy(values[i], "the stub was told to fail");
    if (error) return error;
    *module = malloc(sizeof **module);
    if (!*module) return CUDA_ERROR_OUT_OF_MEMORY;
    (*module)->context = current();
    snprintf((*module)->entries, sizeof(*module)->entries, "%s", entries);
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
    char entry[64];
    snprintf(entry, sizeof entry, " %s ", name);
    if (*module->entries && !strstr(module->entries, entry)) return CUDA_ERROR_NOT_FOUND;
    struct CUfunc_st *found = stub_cuda_function(name, *module->entries != 0);
    if (found) {
        found->most_shared = 0;
        *function = found;
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
    if (!current() || value < 0 || value > 100000 ||
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
/* Whether a kernel may use `pointer`. */
static int is_reached(CUdeviceptr pointer)
{
    const struct block *b = find_as(pointer, 1);
    return b && b->mapped;
}

EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                               unsigned x, unsigned y, unsigned z, unsigned shared, CUstream stream,
                               void **arguments, void **extra)
{
    /* A row with shared memory has blocks that loop over all items of all rows, of up to 1,024 threads. */
    const int loops = !function->text && shared > 0;
    if (!is_usable(stream) || extra || z != 1 || (uint64_t)x * y > (loops ? 1024 : 256) || !x || !y)
        return misuse(CUDA_ERROR_INVALID_VALUE);
    const unsigned most_shared = function->most_shared ? function->most_shared : 48 << 10;
    if (function->text || loops ? shared < 16 || shared > most_shared || y != 1 || grid_y != 1 || grid_z != 1
                                : shared != 0)
        return misuse(CUDA_ERROR_INVALID_VALUE);
    if (!grid_x || !grid_y || !grid_z || grid_x > 2147483647u || grid_y > 65535u || grid_z > 65535u)
        return misuse(CUDA_ERROR_INVALID_VALUE);
    for (unsigned i = 0; i < function->buffers; i++)
        if (STUB_CUDA_BUFFER(i, void) && !is_reached((uintptr_t)STUB_CUDA_BUFFER(i, void)))
            return misuse(CUDA_ERROR_ILLEGAL_ADDRESS);
    const CUresult error = call(BLY_STUB_LAUNCH);
    if (error) return error;
    uint64_t sizes[4]; /* items, rows, first_item, first_row */
    for (unsigned i = 0; i < 4; i++) memcpy(&sizes[i], arguments[1 + function->buffers + i], 8);
    if (sizes[2] >= sizes[0] || sizes[3] >= sizes[1]) return misuse(CUDA_ERROR_INVALID_VALUE);
    for (uint64_t i = 0; loops && i < sizes[0] * sizes[1]; i++)
        stub_cuda_run(function, arguments, i % sizes[0], i / sizes[0]);
    for (uint64_t j = 0; !loops && j < (uint64_t)grid_z * grid_y * y; j++)
        for (uint64_t i = 0; i < (uint64_t)grid_x * x; i++)
            if (function->text || (sizes[2] + i < sizes[0] && sizes[3] + j < sizes[1]))
                stub_cuda_run(function, arguments, sizes[2] + i, sizes[3] + j);
    return CUDA_SUCCESS;
}

/* Of rows that may begin early, which loop. */
EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments,
                                 void **extra)
{
    if (config->numAttrs != 1 ||
        config->attrs->id != CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION || function->text)
        return misuse(CUDA_ERROR_INVALID_VALUE);
    return cuLaunchKernel(function, config->gridDimX, config->gridDimY, config->gridDimZ, config->blockDimX,
                          config->blockDimY, config->blockDimZ, config->sharedMemBytes, config->hStream,
                          arguments, extra);
}
#endif
