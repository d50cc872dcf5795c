/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A stand-in for libcuda.so.1 without a device: memory is the host's, and kernels run in C, thread for
 * thread as src/kernels_cu/entry_cu.h would run them (stub_rows.c). It checks how it is called, and fails on
 * demand (stub_faults.h):
 *
 *   STUB_DEVICES=0          how many devices there are (1)
 *   STUB_CAPABILITY=70      their compute capability (90)
 *   STUB_DRIVER=12040       what cuDriverGetVersion says (that of cuda.h)
 *   STUB_POLLS=2            so many queries of an event say that it is not done (0)
 *   STUB_DEVICE=unmapped    its devices cannot map the host's memory
 */
#define _GNU_SOURCE /* memfd_create */
#include "stub_cuda.h"
#include "stub_faults.h"
#include "stub_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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
    int pending; /* queries that will say so */
};
struct CUfunc_st {
    const char *name;
    struct stub_kernel kernel;
    unsigned most_shared; /* 0: what needs no cuFuncSetAttribute */
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

static CUresult misuse(CUresult error)
{
    stub_misuses++;
    return error;
}

static CUcontext current(void) { return depth > 0 ? stack[depth - 1] : NULL; }

long stub_live(void)
{
    const struct bly_stub_cuda *b = &bly_stub_cuda;
    return b->pushes - b->pops + b->retained + b->streams + b->modules + b->allocations +
           b->host_allocations + b->events;
}

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
    return stub_fails(__func__);
}

EXPORT CUresult cuDriverGetVersion(int *version)
{
    MAY_FAIL;
    *version = stub_number("STUB_DRIVER", CUDA_VERSION);
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
    MAY_FAIL;
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
    MAY_FAIL;
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
    MAY_FAIL;
    *count = stub_number("STUB_DEVICES", 1);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    MAY_FAIL;
    if (ordinal < 0 || ordinal >= DEVICES || ordinal >= stub_number("STUB_DEVICES", 1))
        return CUDA_ERROR_INVALID_VALUE;
    *device = ordinal;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
    MAY_FAIL;
    snprintf(name, (size_t)size, "stub device %d", device);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    (void)device;
    MAY_FAIL;
    *bytes = (size_t)1 << 30;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    const int capability = stub_number("STUB_CAPABILITY", 90);
    (void)device;
    MAY_FAIL;
    *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR            ? capability / 10
             : attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR          ? capability % 10
             : attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT              ? 2
             : attribute == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK             ? 1024
             : attribute == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR    ? 2048
             : attribute == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN ? 166912
             : attribute == CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY               ? !stub_odd("unmapped")
                                                                                  : 0;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    MAY_FAIL;
    primary[device].device = device;
    *context = &primary[device];
    bly_stub_cuda.retained++;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    (void)device;
    if (bly_stub_cuda.retained-- <= 0) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    return stub_fails(__func__);
}

EXPORT CUresult cuCtxPushCurrent(CUcontext context)
{
    if (!context || depth == 16) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    MAY_FAIL;
    bly_stub_cuda.pushes++;
    stack[depth++] = context;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxPopCurrent(CUcontext *context)
{
    if (depth == 0) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    bly_stub_cuda.pops++;
    *context = stack[--depth];
    return stub_fails(__func__);
}

EXPORT CUresult cuCtxGetCurrent(CUcontext *context)
{
    *context = current();
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxGetDevice(CUdevice *device)
{
    if (!current()) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    MAY_FAIL;
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
    MAY_FAIL;
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
    return stub_fails(__func__);
}

EXPORT CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
    MAY_FAIL;
    *context = is_default(stream) ? current() : stream->context;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamSynchronize(CUstream stream)
{
    if (!is_usable(stream)) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    return stub_fails(__func__);
}

/* ---- Events ---------------------------------------------------------------------------------- */

EXPORT CUresult cuEventCreate(CUevent *event, unsigned flags)
{
    if (!current() || flags != CU_EVENT_DISABLE_TIMING) return misuse(CUDA_ERROR_INVALID_VALUE);
    MAY_FAIL;
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
    return stub_fails(__func__);
}

EXPORT CUresult cuEventRecord(CUevent event, CUstream stream)
{
    if (!is_current(event) || !is_usable(stream)) return misuse(CUDA_ERROR_INVALID_VALUE);
    event->pending = stub_number("STUB_POLLS", 0);
    return stub_fails(__func__);
}

EXPORT CUresult cuEventQuery(CUevent event)
{
    if (!is_current(event)) return misuse(CUDA_ERROR_INVALID_VALUE);
    MAY_FAIL;
    return event->pending-- > 0 ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

EXPORT CUresult cuEventSynchronize(CUevent event)
{
    if (!is_current(event)) return misuse(CUDA_ERROR_INVALID_VALUE);
    event->pending = 0;
    return stub_fails(__func__);
}

EXPORT CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
    if (!is_current(event) || !is_usable(stream) || flags) return misuse(CUDA_ERROR_INVALID_VALUE);
    return stub_fails(__func__);
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
    MAY_FAIL;
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
    return stub_fails(__func__);
}

/* Memory that kernels, if it is mapped, see at another address. */
EXPORT CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
    if (!current() || bytes == 0 || (flags & ~(unsigned)CU_MEMHOSTALLOC_DEVICEMAP))
        return misuse(CUDA_ERROR_INVALID_VALUE);
    MAY_FAIL;
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
    const CUresult error = stub_fails(__func__);
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
    return stub_fails(__func__);
}

EXPORT CUresult cuMemGetInfo(size_t *available, size_t *total)
{
    if (!current()) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    MAY_FAIL;
    *total = (size_t)1 << 30;
    *available = *total / 2;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemGetAddressRange(CUdeviceptr *begin, size_t *size, CUdeviceptr pointer)
{
    const struct block *b = find(pointer);
    if (!current()) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    MAY_FAIL;
    if (!b) return CUDA_ERROR_NOT_FOUND;
    *begin = b->begin + b->shift;
    *size = b->size;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr pointer)
{
    const struct block *b = find(pointer);
    if (!current()) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    MAY_FAIL;
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
    const CUresult error = stub_fails(__func__);
    if (!error) memcpy((void *)(uintptr_t)to, from, bytes);
    return error;
}

EXPORT CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    if (!is_usable(stream) || !holds(from, bytes)) return misuse(CUDA_ERROR_INVALID_VALUE);
    const CUresult error = stub_fails(__func__);
    if (!error) memcpy(to, (const void *)(uintptr_t)from, bytes);
    return error;
}

EXPORT CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    if (!is_usable(stream) || !holds(to, bytes) || !holds(from, bytes))
        return misuse(CUDA_ERROR_INVALID_VALUE);
    const CUresult error = stub_fails(__func__);
    if (!error) memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
    return error;
}

EXPORT CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream)
{
    if (!is_usable(stream) || !holds(to, bytes)) return misuse(CUDA_ERROR_INVALID_VALUE);
    const CUresult error = stub_fails(__func__);
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
    const CUresult error = stub_fails(__func__);
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
    return stub_fails(__func__);
}

/* The handle of a kernel, which lives on. */
static CUfunction find_function(const char *name, int is_text)
{
    static struct CUfunc_st functions[512];
    struct stub_kernel kernel;
    CUfunction function = functions;
    if (!stub_kernel_find(name, is_text, &kernel)) return NULL;
    while (function->name && strcmp(function->name, name) != 0) function++;
    *function = (struct CUfunc_st){function->name ? function->name : strdup(name), kernel, 0};
    return function;
}

EXPORT CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    if (!current() || module->context != current()) return misuse(CUDA_ERROR_INVALID_CONTEXT);
    MAY_FAIL;
    char entry[64];
    snprintf(entry, sizeof entry, " %s ", name);
    if (*module->entries && !strstr(module->entries, entry)) return CUDA_ERROR_NOT_FOUND;
    *function = find_function(name, *module->entries != 0);
    return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

EXPORT CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    (void)function;
    MAY_FAIL;
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
    if (!current() || value < 0 || value > 166912 ||
        attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
        return misuse(CUDA_ERROR_INVALID_VALUE);
    MAY_FAIL;
    function->most_shared = (unsigned)value;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *count, CUfunction function, int block,
                                                            size_t shared)
{
    (void)function, (void)shared;
    MAY_FAIL;
    *count = 1536 / block;
    return CUDA_SUCCESS;
}

/* Whether a kernel may use `pointer`. */
static int is_reached(CUdeviceptr pointer)
{
    const struct block *b = find_as(pointer, 1);
    return b && b->mapped;
}

static void run(CUfunction function, void **arguments, uint64_t item, uint64_t row)
{
    void *buffers[16];
    for (unsigned i = 0; i < function->kernel.buffers; i++) buffers[i] = *(void **)arguments[1 + i];
    stub_kernel_run(&function->kernel, arguments[0], buffers, item, row);
}

EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                               unsigned x, unsigned y, unsigned z, unsigned shared, CUstream stream,
                               void **arguments, void **extra)
{
    /* A row with shared memory has blocks that loop over all items of all rows, of up to 1,024 threads. */
    const int loops = !function->kernel.text && shared > 0;
    if (!is_usable(stream) || extra || z != 1 || (uint64_t)x * y > (loops ? 1024 : 256) || !x || !y)
        return misuse(CUDA_ERROR_INVALID_VALUE);
    const unsigned most_shared = function->most_shared ? function->most_shared : 48 << 10;
    if (function->kernel.text || loops
            ? shared < 16 || shared > most_shared || y != 1 || grid_y != 1 || grid_z != 1
            : shared != 0)
        return misuse(CUDA_ERROR_INVALID_VALUE);
    if (!grid_x || !grid_y || !grid_z || grid_x > 2147483647u || grid_y > 65535u || grid_z > 65535u)
        return misuse(CUDA_ERROR_INVALID_VALUE);
    for (unsigned i = 0; i < function->kernel.buffers; i++)
        if (*(CUdeviceptr *)arguments[1 + i] && !is_reached(*(CUdeviceptr *)arguments[1 + i]))
            return misuse(CUDA_ERROR_ILLEGAL_ADDRESS);
    MAY_FAIL;
    uint64_t sizes[4]; /* items, rows, first_item, first_row */
    for (unsigned i = 0; i < 4; i++) memcpy(&sizes[i], arguments[1 + function->kernel.buffers + i], 8);
    if (sizes[2] >= sizes[0] || sizes[3] >= sizes[1]) return misuse(CUDA_ERROR_INVALID_VALUE);
    for (uint64_t i = 0; loops && i < sizes[0] * sizes[1]; i++)
        run(function, arguments, i % sizes[0], i / sizes[0]);
    for (uint64_t j = 0; !loops && j < (uint64_t)grid_z * grid_y * y; j++)
        for (uint64_t i = 0; i < (uint64_t)grid_x * x; i++)
            if (function->kernel.text || (sizes[2] + i < sizes[0] && sizes[3] + j < sizes[1]))
                run(function, arguments, sizes[2] + i, sizes[3] + j);
    return CUDA_SUCCESS;
}

/* Of rows that may begin early, which loop. */
EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments,
                                 void **extra)
{
    if (config->numAttrs != 1 || config->attrs->id != CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
        return misuse(CUDA_ERROR_INVALID_VALUE);
    return cuLaunchKernel(function, config->gridDimX, config->gridDimY, config->gridDimZ, config->blockDimX,
                          config->blockDimY, config->blockDimZ, config->sharedMemBytes, config->hStream,
                          arguments, extra);
}
