/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the tests of the CUDA backend on the stub driver (stub_cuda.c) share: the stub, and what holds before
 * and after each test.
 *
 * BLY_STUB_CUDA is the stub's file, BLY_STUB_NVRTC that of a stub compiler (stub_nvrtc.c), undefined where
 * nvrtc.h is not.
 */
#ifndef CUDA_FAULTS_H
#define CUDA_FAULTS_H

#define _GNU_SOURCE
#include <bailey/cuda.h>

#include "stub_cuda.h"

#include <dlfcn.h>

#include "test.h"

static struct bly_stub_cuda *stub; /* of the library that the backend opened */
static bly_stub_cuda_context_function *other_context;
static bly_stub_cuda_memory_function *make_memory;
static bly_stub_cuda_forget_function *forget_memory;
static __typeof__(&cuCtxGetCurrent) get_current;
static __typeof__(&cuCtxPushCurrent_v2) push_current;
static __typeof__(&cuCtxPopCurrent_v2) pop_current;
static __typeof__(&cuStreamCreate) create_stream;
static __typeof__(&cuStreamDestroy_v2) destroy_stream;

static inline void look_up(void *library, const char *name, void *slot)
{
    void *symbol = dlsym(library, name);
    assert_non_null(symbol);
    memcpy(slot, &symbol, sizeof symbol);
}

static inline void open_stub(void)
{
    void *library = dlopen(BLY_STUB_CUDA, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    look_up(library, "bly_stub_cuda", &stub);
    look_up(library, "bly_stub_cuda_context", &other_context);
    look_up(library, "bly_stub_cuda_memory", &make_memory);
    look_up(library, "bly_stub_cuda_forget", &forget_memory);
    look_up(library, "cuCtxGetCurrent", &get_current);
    look_up(library, "cuCtxPushCurrent_v2", &push_current);
    look_up(library, "cuCtxPopCurrent_v2", &pop_current);
    look_up(library, "cuStreamCreate", &create_stream);
    look_up(library, "cuStreamDestroy_v2", &destroy_stream);
}

static const char *const settings[] = {
    "BLY_STUB_CUDA_INIT",     "BLY_STUB_CUDA_DEVICES", "BLY_STUB_CUDA_CAPABILITY",
    "BLY_STUB_CUDA_DRIVER",   "BLY_STUB_CUDA_FAIL",    "BLY_STUB_CUDA_PENDING",
    "BLY_STUB_CUDA_UNMAPPED", "BLY_STUB_NVRTC_FAIL",   "BLY_STUB_NVRTC_ARCHS"};

/* Before each test: the stub works. */
static inline int set_up(void **state)
{
    (void)state;
    setenv("BAILEY_CUDA_LIBRARY", BLY_STUB_CUDA, 1);
    setenv("BAILEY_CACHE_DIR", "", 1);
#ifdef BLY_STUB_NVRTC
    setenv("BAILEY_NVRTC_LIBRARY", BLY_STUB_NVRTC, 1);
#endif
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) unsetenv(settings[i]);
    setenv("BAILEY_OPENCL_LIBRARY", "/nonexistent/libOpenCL.so.1", 1); /* "auto" falls back to the cpu */
    if (!stub) open_stub();
    memset(stub->calls, 0, sizeof stub->calls);
    return 0;
}

/* After each: everything has been given back, and the driver was called as it wants. */
static inline int tear_down(void **state)
{
    (void)state;
    CUcontext context = NULL;
    get_current(&context);
    assert_null(context);
    assert_int_equal(stub->pushes, stub->pops);
    assert_int_equal(stub->retained, 0);
    assert_int_equal(stub->streams, 0);
    assert_int_equal(stub->modules, 0);
    assert_int_equal(stub->allocations, 0);
    assert_int_equal(stub->host_allocations, 0);
    assert_int_equal(stub->events, 0);
    assert_int_equal(stub->misuses, 0);
    return 0;
}

static inline void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("\"%s\" does not contain \"%s\"", text, part);
}

#endif
