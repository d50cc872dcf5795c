/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A stand-in for libnvrtc.so: "compiles" a text to an image that the stub driver (stub_cuda.c) takes, naming
 * the kernels of its BLY_GROUP_ENTRY_n. It checks how it is called, and fails on demand (stub_faults.h):
 *
 *   STUB_ARCHS="75 90"     the architectures that it knows ("75 80 90")
 */
#include "stub_nvrtc.h"
#include "stub_faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY "BLY_GROUP_ENTRY_"

struct _nvrtcProgram {
    const char *source;
    int compiled, is_ptx;
    char image[128];
};

static long programs; /* that exist */

long stub_live(void) { return programs; }

static nvrtcResult misuse(void)
{
    stub_misuses++;
    return NVRTC_ERROR_INVALID_INPUT;
}

EXPORT const char *nvrtcGetErrorString(nvrtcResult error)
{
    stub_fails(__func__);
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
    return stub_fails(__func__);
}

/* Reads the list of architectures; counts them. */
static int architectures(int *list)
{
    const char *text = getenv("STUB_ARCHS");
    int count = 0, used = 0, one;
    for (text = text ? text : "75 80 90"; sscanf(text, "%d%n", &one, &used) == 1; text += used, count++)
        if (list) list[count] = one;
    return count;
}

EXPORT nvrtcResult nvrtcGetNumSupportedArchs(int *count)
{
    *count = architectures(NULL);
    return stub_fails(__func__);
}

EXPORT nvrtcResult nvrtcGetSupportedArchs(int *list)
{
    architectures(list);
    return stub_fails(__func__);
}

EXPORT nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int count,
                                      const char *const *headers, const char *const *names)
{
    int needed = 0;
    MAY_FAIL;
    for (int i = 0; i < count; i++)
        needed += strcmp(names[i], "kernels/group_entry.h") == 0 ||
                  strcmp(names[i], "kernels_cu/entry_cu.h") == 0 ||
                  strcmp(names[i], "bailey/device/dialect.h") == 0;
    if (needed != 3 || !headers || !name) return misuse();
    *program = calloc(1, sizeof **program);
    if (!*program) return NVRTC_ERROR_OUT_OF_MEMORY;
    (*program)->source = source;
    programs++;
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
    free(*program);
    *program = NULL;
    programs--;
    return stub_fails(__func__);
}

EXPORT nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options)
{
    int exact = 0, block = 0;
    MAY_FAIL;
    for (int i = 0; i < count; i++) {
        exact |= strcmp(options[i], "--fmad=false") == 0;
        block |= strcmp(options[i], "-DBLY_BLOCK=64") == 0;
        program->is_ptx |= strncmp(options[i], "--gpu-architecture=compute_", 27) == 0;
        stub_add_options(options[i]);
    }
    if (!exact || !block) return misuse();
    snprintf(stub_text, sizeof stub_text, "%s", program->source);
    const char *entry = strstr(program->source, ENTRY);
    if (!entry) return NVRTC_ERROR_COMPILATION;
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

static const char log_text[] = "stub: error: this driver was told to fail";

EXPORT nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size)
{
    (void)program;
    MAY_FAIL;
    *size = sizeof log_text;
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log)
{
    (void)program;
    MAY_FAIL;
    memcpy(log, log_text, sizeof log_text);
    return NVRTC_SUCCESS;
}

#define IMAGE(function, type, ptx, what)                                                                     \
    EXPORT nvrtcResult function(nvrtcProgram program, type *out)                                             \
    {                                                                                                        \
        MAY_FAIL;                                                                                            \
        if (!program->compiled || program->is_ptx != ptx) return misuse();                                   \
        what;                                                                                                \
        return NVRTC_SUCCESS;                                                                                \
    }
IMAGE(nvrtcGetPTXSize, size_t, 1, *out = strlen(program->image) + 1)
IMAGE(nvrtcGetPTX, char, 1, strcpy(out, program->image))
IMAGE(nvrtcGetCUBINSize, size_t, 0, *out = strlen(program->image) + 1)
IMAGE(nvrtcGetCUBIN, char, 0, strcpy(out, program->image))
