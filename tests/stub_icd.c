/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * An OpenCL driver that ends the process in which the loader opens it, as BAILEY_STUB_ICD says: "abort" (the
 * default), "exit", or "crash".
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((visibility("default"))) int clIcdGetPlatformIDsKHR(unsigned entries, void *platforms,
                                                                  unsigned *count)
{
    const char *how = getenv("BAILEY_STUB_ICD");
    (void)entries, (void)platforms, (void)count;
    fprintf(stderr, "stub_icd: no topology, good-bye\n");
    if (how && strcmp(how, "exit") == 0) exit(3);
    if (how && strcmp(how, "crash") == 0) raise(SIGSEGV);
    abort();
}

__attribute__((visibility("default"))) int clGetPlatformInfo(void)
{
    return -32; /* CL_INVALID_PLATFORM: there is none */
}

/* What loaders want to find before they ask. */
__attribute__((visibility("default"))) void *clGetExtensionFunctionAddress(const char *name)
{
    if (name && strcmp(name, "clIcdGetPlatformIDsKHR") == 0) return (void *)clIcdGetPlatformIDsKHR;
    return name && strcmp(name, "clGetPlatformInfo") == 0 ? (void *)clGetPlatformInfo : NULL;
}
