/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the tests of the OpenCL backend on the stub driver (stub_opencl.c) share: the stub's functions and
 * faults, and a job that needs all of the backend.
 */
#ifndef OPENCL_FAULTS_H
#define OPENCL_FAULTS_H

#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <bailey/opencl.h>

#include <host/internal.h>

#include <dlfcn.h>

#include "test.h"

#define COUNT 1000
#define JOB_KERNELS 2 /* the check of a new context, and words */

static const char stub[] = BLY_STUB_OPENCL; /* the file */

static inline void (*stub_symbol(const char *name))(void)
{
    static void *library;
    if (!library) library = dlopen(stub, RTLD_NOW | RTLD_LOCAL); /* the instance that the library has open */
    void *address = library ? dlsym(library, name) : NULL;
    void (*function)(void);
    if (!address) fail_msg("%s is not in the stub", name);
    memcpy(&function, &address, sizeof function);
    return function;
}
#define CL(function) ((__typeof__(&function))stub_symbol(#function))

static inline long live_objects(void) { return ((long (*)(void))stub_symbol("stub_live"))(); }

static inline void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("\"%s\" is not in \"%s\"", part, text);
}

/* Makes the n-th call of `function` fail; each call starts a new count. */
static inline void fail_call(const char *function, int n, int error)
{
    static int serial;
    char value[128];
    snprintf(value, sizeof value, "%s:%d:%d:%d", function, n, error, ++serial);
    setenv("STUB_FAIL", value, 1);
}

/* Makes the device another one to the caches, so that programs are built again. */
static inline void new_driver(void)
{
    static int serial;
    char value[32];
    snprintf(value, sizeof value, "2.%d", ++serial);
    setenv("STUB_DRIVER", value, 1);
}

/* Before each test: the stub works, no other driver is found, and nothing is of the caller's environment. */
static inline int reset(void **state)
{
    (void)state;
    setenv("BAILEY_CUDA_LIBRARY", "/nonexistent/libcuda.so.1", 1);
    unsetenv("BAILEY_DEVICE");
    unsetenv("BAILEY_LOG");
    setenv("BAILEY_OPENCL_LIBRARY", stub, 1);
    setenv("BAILEY_CACHE_DIR", "", 1);
    unsetenv("STUB_PLATFORMS");
    unsetenv("STUB_PLATFORM_NAME");
    unsetenv("STUB_DEVICES");
    unsetenv("STUB_DEVICE");
    unsetenv("STUB_DRIVER");
    unsetenv("STUB_FAIL");
    unsetenv("STUB_VERSION");
    unsetenv("STUB_EXTENSION");
    unsetenv("STUB_SUBGROUPS");
    unsetenv("STUB_LOG");
    unsetenv("STUB_POLLS");
    unsetenv("STUB_EVENT");
    return 0;
}

/* Everything that a job does: a context, buffers, a launch, a fill, a copy, a read. */
static inline bailey_status run_job(const char *device, uint32_t words[COUNT])
{
    bailey_context *context = NULL;
    bailey_buffer *buffer = NULL, *copy = NULL;
    const bailey_source source = {.seed = 1, .stream = 2};
    bailey_status status = bailey_context_create(device, NULL, &context);
    if (status == BAILEY_OK) status = bailey_buffer_create(context, COUNT * sizeof *words, &buffer);
    if (status == BAILEY_OK) status = bailey_words_generate(context, &source, 3, COUNT, buffer, 0);
    if (status == BAILEY_OK) status = bailey_context_sync(context);
    if (status == BAILEY_OK) status = bailey_buffer_create(context, COUNT * sizeof *words, &copy);
    if (status == BAILEY_OK) status = bailey_buffer_fill(copy, 0, 0, COUNT * sizeof *words);
    if (status == BAILEY_OK) status = bailey_buffer_copy(buffer, 0, copy, 0, COUNT * sizeof *words);
    if (status == BAILEY_OK) status = bailey_buffer_read(copy, 0, words, COUNT * sizeof *words);
    bailey_buffer_destroy(copy);
    bailey_buffer_destroy(buffer);
    bailey_context_destroy(context);
    return status;
}

#endif
