/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A stand-in for libnvrtc.so: "compiles" a text to an image that the stub driver (stub_cuda.c) takes, naming
 * the kernels of its BLY_GROUP_ENTRY_n. It checks how it is called, and fails on demand:
 *
 *   BLY_STUB_NVRTC_FAIL=compile      which call fails: version, count, architectures, create, compile, size,
 *                                    image
 *   BLY_STUB_NVRTC_ARCHS="75 90"     the architectures that it knows ("75 80 90")
 *
 * Compiled with BLY_STUB_WITHOUT_CUBIN it lacks nvrtcGetCUBIN, as before CUDA 11.1.
 */
#include "stub_nvrtc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define ENTRY "BLY_GROUP_ENTRY_"

extern struct bly_stub_nvrtc bly_stub_nvrtc;
EXPORT struct bly_stub_nvrtc bly_stub_nvrtc;

struct _nvrtcProgram {
    const char *source;
    int compiled, is_ptx;
    char image[128];
};

static nvrtcResult misuse(void)
{
    bly_stub_nvrtc.misuses++;
    return NVRTC_ERROR_INVALID_INPUT;
}

static int fails(const char *call)
{
    const char *wanted = getenv("BLY_STUB_NVRTC_FAIL");
    return wanted && strcmp(wanted, call) == 0;
}

EXPORT const char *nvrtcGetErrorString(nvrtcResult error)
{
    return error == NVRTC_SUCCESS                ? "NVRTC_SUCCESS"
           : error == NVRTC_ERROR_COMPILATION    ? "NVRTC_ERROR_COMPILATION"
           : error == NVRTC_ERROR_OUT_OF_MEMORY  ? "NVRTC_ERROR_OUT_OF_MEMORY"
           : error == NVRTC_ERROR_INTERNAL_ERROR ? "NVRTC_ERROR_INTERNAL_ERROR"
                                                 : "NVRTC_ERROR unknown";
}

EXPORT nvrtcResult nvrtcVersion(int *major, int *minor)
{
    *major = 13;
    *minor = 0;
    return fails("version") ? NVRTC_ERROR_INTERNAL_ERROR : NVRTC_SUCCESS;
}

/* Reads the list of architectures; counts them. */
static int architectures(int *list)
{
    const char *text = getenv("BLY_STUB_NVRTC_ARCHS");
    int count = 0, used = 0, one;
    for (text = text ? text : "75 80 90"; sscanf(text, "%d%n", &one, &used) == 1; text += used, count++)
        if (list) list[count] = one;
    return count;
}

EXPORT nvrtcResult nvrtcGetNumSupportedArchs(int *count)
{
    *count = architectures(NULL);
    return fails("count") ? NVRTC_ERROR_INTERNAL_ERROR : NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetSupportedArchs(int *list)
{
    architectures(list);
    return fails("architectures") ? NVRTC_ERROR_INTERNAL_ERROR : NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int count,
                                      const char *const *headers, const char *const *names)
{
    int needed = 0;
    if (fails("create")) return NVRTC_ERROR_OUT_OF_MEMORY;
    for (int i = 0; i < count; i++)
        needed += strcmp(names[i], "kernels/group_entry.h") == 0 ||
                  strcmp(names[i], "kernels_cu/entry_cu.h") == 0 ||
                  strcmp(names[i], "bailey/device/dialect.h") == 0;
    if (needed != 3 || !headers || !name) return misuse();
    *program = calloc(1, sizeof **program);
    if (!*program) return NVRTC_ERROR_OUT_OF_MEMORY;
    (*program)->source = source;
    bly_stub_nvrtc.programs++;
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
    free(*program);
    *program = NULL;
    bly_stub_nvrtc.programs--;
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options)
{
    int exact = 0, block = 0;
    bly_stub_nvrtc.compiled++;
    for (int i = 0; i < count; i++) {
        exact |= strcmp(options[i], "--fmad=false") == 0;
        block |= strcmp(options[i], "-DBLY_BLOCK=64") == 0;
        sscanf(options[i], "-DBLY_SHARED_BYTES=%d", &bly_stub_nvrtc.shared);
        if (sscanf(options[i], "--gpu-architecture=%15s", bly_stub_nvrtc.architecture) == 1)
            program->is_ptx = strncmp(bly_stub_nvrtc.architecture, "compute_", 8) == 0;
    }
    if (!exact || !block) return misuse();
    snprintf(bly_stub_nvrtc.begin, sizeof bly_stub_nvrtc.begin, "%s", program->source);
    const char *entry = strstr(program->source, ENTRY);
    if (!entry || fails("compile")) return NVRTC_ERROR_COMPILATION;
    size_t used = (size_t)snprintf(program->image, sizeof program->image, "stub %s of ",
                                   program->is_ptx ? "ptx" : "cubin");
    for (; entry && used < sizeof program->image; entry = strstr(entry, ENTRY)) {
        entry += strcspn(entry, "(") + 1;
        used += (size_t)snprintf(program->image + used, sizeof program->image - used, "%.*s ",
                                 (int)strcspn(entry, ","), entry);
    }
    program->compiled = 1;
    return NVRTC_SUCCESS;
}

static const char log_text[] = "stub(1): error: the compiler was told to fail";

EXPORT nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size)
{
    (void)program;
    *size = sizeof log_text;
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log)
{
    (void)program;
    memcpy(log, log_text, sizeof log_text);
    return NVRTC_SUCCESS;
}

static nvrtcResult get_size(nvrtcProgram program, int is_ptx, size_t *size)
{
    if (!program->compiled || program->is_ptx != is_ptx) return misuse();
    if (fails("size")) return NVRTC_ERROR_INTERNAL_ERROR;
    *size = strlen(program->image) + 1;
    return NVRTC_SUCCESS;
}

static nvrtcResult get_image(nvrtcProgram program, int is_ptx, char *image)
{
    if (!program->compiled || program->is_ptx != is_ptx) return misuse();
    if (fails("image")) return NVRTC_ERROR_INTERNAL_ERROR;
    strcpy(image, program->image);
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *size) { return get_size(program, 1, size); }
EXPORT nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *image) { return get_image(program, 1, image); }
EXPORT nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *size)
{
    return get_size(program, 0, size);
}
#ifndef BLY_STUB_WITHOUT_CUBIN
EXPORT nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *image) { return get_image(program, 0, image); }
#endif
