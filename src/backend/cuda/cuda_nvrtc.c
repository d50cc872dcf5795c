/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Texts to images. NVRTC is not linked: a machine without it runs all that the build compiled, and a text
 * says what is missing.
 */
#ifdef BLY_HAVE_CUDA

#include "cuda_internal.h"

#ifdef BLY_HAVE_NVRTC

#include "nvrtc_symbols.h"

#include <backend/cache.h>
#include <base/alloc.h>
#include <base/dynlib.h>
#include <base/file_mark.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library; /* never closed, like the driver */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct {
#define MEMBER(function) __typeof__(&function) function;
    BLY_NVRTC_SYMBOLS(MEMBER)
#undef MEMBER
} nvrtc;

/* Opens NVRTC once per process; a failure is tried again. A driver may refuse the code of a compiler whose
 * major version is higher, which is therefore not asked for by its number. */
static bailey_status open_library(int driver)
{
    static const char *const names[] = {"libnvrtc.so.13",
                                        "/usr/local/cuda/lib64/libnvrtc.so.13",
                                        "libnvrtc.so.12",
                                        "/usr/local/cuda/lib64/libnvrtc.so.12",
                                        "libnvrtc.so.11.2",
                                        "libnvrtc.so",
                                        "/usr/local/cuda/lib64/libnvrtc.so",
                                        "/opt/cuda/lib64/libnvrtc.so",
                                        NULL};
    static const struct bly_symbol symbols[] = {
#define ROW(function) {#function, (void **)&nvrtc.function, 0},
        BLY_NVRTC_SYMBOLS(ROW)
#undef ROW
    };
    const int newer = driver >= 13000 ? 0 : driver >= 12000 ? 2 : 4;
    char why[512] = "";
    bailey_status status = BAILEY_OK;
    pthread_mutex_lock(&mutex);
    if (!library)
        status = bly_dynlib_open("BAILEY_NVRTC_LIBRARY", names + newer, symbols,
                                 sizeof symbols / sizeof *symbols, &library, why, sizeof why);
    pthread_mutex_unlock(&mutex);
    if (status == BAILEY_OK) return BAILEY_OK;
    return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                    "compiling kernels at run time needs NVRTC from the CUDA toolkit, which cannot be opened "
                    "(BAILEY_NVRTC_LIBRARY can name it): %s",
                    why);
}

static bailey_status fail(nvrtcResult error, const char *what)
{
    return bly_fail(error == NVRTC_ERROR_OUT_OF_MEMORY ? BAILEY_ERROR_MEMORY : BAILEY_ERROR_DRIVER, "%s: %s",
                    what, nvrtc.nvrtcGetErrorString(error));
}

/* The device's own architecture, else the highest below it that runs there (of the same major version), else
 * the highest below it at all, as PTX. */
static bailey_status choose_architecture(unsigned capability, struct bly_nvrtc_plan *plan, char *option,
                                         size_t option_size)
{
    int count = 0, lowest = 0, own = 0, any = 0;
    nvrtcResult error = nvrtc.nvrtcGetNumSupportedArchs(&count);
    if (error) return fail(error, "nvrtcGetNumSupportedArchs");
    int *known = bly_alloc((size_t)count + 1, sizeof *known);
    if (!known) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for the architectures that NVRTC knows");
    error = nvrtc.nvrtcGetSupportedArchs(known);
    for (int i = 0; !error && i < count; i++) {
        const int a = known[i];
        if (lowest == 0 || a < lowest) lowest = a;
        if (a > (int)capability) continue;
        if (a > any) any = a;
        if (a / 10 == (int)capability / 10 && a > own) own = a;
    }
    bly_free(known);
    if (error) return fail(error, "nvrtcGetSupportedArchs");
    if (!any)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                        "%s compiles for compute capability %d.%d and above; the device has %u.%u",
                        plan->version, lowest / 10, lowest % 10, capability / 10, capability % 10);
    plan->is_ptx = !own;
    snprintf(option, option_size, "--gpu-architecture=%s_%d", own ? "sm" : "compute", own ? own : any);
    return BAILEY_OK;
}

/* ---- A record of it in the cache ---- */

/* The compiler's version and the architecture that it was asked for, the file that it is, and that of the
 * loader's list. */
struct known {
    char version[sizeof((struct bly_nvrtc_plan *)0)->version];
    char architecture[sizeof((struct bly_nvrtc_plan *)0)->options[0]];
    int32_t is_ptx;
    char library[1024], loader[256];
};

#define LOADER "/etc/ld.so.cache"

/* What decides which library the loader finds, besides files. */
static void key_of(const struct bly_nvrtc_target *target, uint8_t key[BLY_DIGEST_BYTES])
{
    static const char *const variables[] = {"BAILEY_NVRTC_LIBRARY", "LD_LIBRARY_PATH"};
    struct bly_hash hash;
    char numbers[64];
    bly_hash_init(&hash);
    snprintf(numbers, sizeof numbers, "bailey nvrtc 1 %u %d", target->capability, target->driver);
    bly_hash_add_text(&hash, numbers);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        bly_hash_add_text(&hash, value ? value : "");
    }
    bly_hash_done(&hash, key);
}

static int recall(const struct bly_nvrtc_target *target, struct bly_nvrtc_plan *plan)
{
    uint8_t key[BLY_DIGEST_BYTES];
    size_t size = 0;
    key_of(target, key);
    struct known *known = bly_cache_load(target->cache, key, "NVRTC", &size);
    const int good = known && size == sizeof *known && !known->library[sizeof known->library - 1] &&
                     !known->loader[sizeof known->loader - 1] &&
                     bly_file_mark_holds(known->library, strlen(known->library)) &&
                     bly_file_mark_holds(known->loader, strlen(known->loader));
    if (good) {
        memcpy(plan->version, known->version, sizeof plan->version);
        memcpy(plan->options[0], known->architecture, sizeof plan->options[0]);
        plan->is_ptx = known->is_ptx;
    } else if (known) {
        bly_cache_drop(target->cache, key);
    }
    free(known);
    return good;
}

static void note(const struct bly_nvrtc_target *target, const struct bly_nvrtc_plan *plan)
{
    uint8_t key[BLY_DIGEST_BYTES];
    struct known known = {.is_ptx = plan->is_ptx};
    const char *path;
    void *address;
    memcpy(&address, &nvrtc.nvrtcVersion, sizeof address);
    if (!bly_dynlib_file(address, &path) || !bly_file_mark(path, known.library, sizeof known.library) ||
        !bly_file_mark(LOADER, known.loader, sizeof known.loader))
        return;
    memcpy(known.version, plan->version, sizeof known.version);
    memcpy(known.architecture, plan->options[0], sizeof known.architecture);
    key_of(target, key);
    bly_cache_store(target->cache, key, "NVRTC", &known, sizeof known);
}

/* ---- Compiling ---- */

/* Asks the library itself. */
static bailey_status ask(const struct bly_nvrtc_target *target, struct bly_nvrtc_plan *plan)
{
    int major = 0, minor = 0;
    const bailey_status status = open_library(target->driver);
    if (status != BAILEY_OK) return status;
    const nvrtcResult error = nvrtc.nvrtcVersion(&major, &minor);
    if (error) return fail(error, "nvrtcVersion");
    if (target->driver > 0 && major > target->driver / 1000)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                        "NVRTC %d.%d is newer than the driver (CUDA %d.%d), which may refuse its code", major,
                        minor, target->driver / 1000, target->driver % 1000 / 10);
    snprintf(plan->version, sizeof plan->version, "NVRTC %d.%d", major, minor);
    return choose_architecture(target->capability, plan, plan->options[0], sizeof plan->options[0]);
}

static int is_open(void)
{
    pthread_mutex_lock(&mutex);
    const int open = library != NULL;
    pthread_mutex_unlock(&mutex);
    return open;
}

bailey_status bly_nvrtc_plan(uint32_t block, uint32_t shared_bytes, const struct bly_nvrtc_target *target,
                             struct bly_nvrtc_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    if (is_open() || !recall(target, plan)) {
        const int first = !is_open();
        const bailey_status status = ask(target, plan);
        if (status != BAILEY_OK) return status;
        if (first) note(target, plan);
    }
    /* Results must not depend on what a compiler contracts (bailey/device/dialect.h). */
    snprintf(plan->options[1], sizeof plan->options[1], "--fmad=false");
    snprintf(plan->options[2], sizeof plan->options[2], "--std=c++17");
    snprintf(plan->options[3], sizeof plan->options[3], "-DBAILEY_LANES=1");
    snprintf(plan->options[4], sizeof plan->options[4], "-DBLY_BLOCK=%u", (unsigned)block);
    snprintf(plan->options[5], sizeof plan->options[5], "-DBLY_SHARED_BYTES=%u", (unsigned)shared_bytes);
    return BAILEY_OK;
}

/* The plan may be that of another process, and the library another one since. */
static bailey_status check_plan(const struct bly_nvrtc_target *target, const struct bly_nvrtc_plan *plan)
{
    struct bly_nvrtc_plan now = {0};
    const bailey_status status = ask(target, &now);
    if (status != BAILEY_OK) return status;
    if (!strcmp(now.version, plan->version) && !strcmp(now.options[0], plan->options[0])) return BAILEY_OK;
    uint8_t key[BLY_DIGEST_BYTES];
    key_of(target, key);
    bly_cache_drop(target->cache, key);
    return bly_fail(BAILEY_ERROR_BUILD, "%s was found instead of %s; call again to compile with it",
                    now.version, plan->version);
}

static bailey_status fail_compile(nvrtcProgram program, nvrtcResult error, const char *name)
{
    size_t size = 0;
    char *log = NULL;
    if (error == NVRTC_ERROR_OUT_OF_MEMORY) return fail(error, "nvrtcCompileProgram");
    if (!nvrtc.nvrtcGetProgramLogSize(program, &size)) log = bly_alloc(1, size + 1);
    if (log && nvrtc.nvrtcGetProgramLog(program, log)) *log = 0;
    const bailey_status status =
        bly_fail(BAILEY_ERROR_BUILD, "kernel %s did not build: nvrtcCompileProgram: %s%s%s", name,
                 nvrtc.nvrtcGetErrorString(error), log && *log ? "\n" : "", log ? log : "");
    bly_free(log);
    return status;
}

/* The compiled program's image. */
static bailey_status take_image(nvrtcProgram program, int is_ptx, void **image, size_t *size)
{
    const char *what = is_ptx ? "nvrtcGetPTX" : "nvrtcGetCUBIN";
    nvrtcResult error =
        is_ptx ? nvrtc.nvrtcGetPTXSize(program, size) : nvrtc.nvrtcGetCUBINSize(program, size);
    if (error) return fail(error, what);
    *image = malloc(*size ? *size : 1);
    if (!*image) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a program of %zu bytes", *size);
    error = is_ptx ? nvrtc.nvrtcGetPTX(program, *image) : nvrtc.nvrtcGetCUBIN(program, *image);
    if (!error) return BAILEY_OK;
    free(*image);
    *image = NULL;
    return fail(error, what);
}

bailey_status bly_nvrtc_compile(const char *name, const char *text, const struct bly_nvrtc_target *target,
                                const struct bly_nvrtc_plan *plan, void **image, size_t *size)
{
    size_t count = 0;
    while (bly_embedded_headers[count].name) count++;
    const char **texts = bly_alloc(count + 1, sizeof *texts), **names = bly_alloc(count + 1, sizeof *names);
    const char *options[BLY_NVRTC_OPTIONS];
    nvrtcProgram program = NULL;
    *image = NULL;
    bailey_status status = check_plan(target, plan);
    if (status == BAILEY_OK && (!texts || !names))
        status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a program's headers");
    for (size_t i = 0; status == BAILEY_OK && i < count; i++) {
        texts[i] = bly_embedded_headers[i].text;
        names[i] = bly_embedded_headers[i].name;
    }
    for (int i = 0; i < BLY_NVRTC_OPTIONS; i++) options[i] = plan->options[i];
    if (status == BAILEY_OK) {
        const nvrtcResult error = nvrtc.nvrtcCreateProgram(&program, text, name, (int)count, texts, names);
        if (error) status = fail(error, "nvrtcCreateProgram");
    }
    if (status == BAILEY_OK) {
        const nvrtcResult error = nvrtc.nvrtcCompileProgram(program, BLY_NVRTC_OPTIONS, options);
        status = error ? fail_compile(program, error, name) : take_image(program, plan->is_ptx, image, size);
    }
    if (program) nvrtc.nvrtcDestroyProgram(&program);
    bly_free(texts);
    bly_free(names);
    return status;
}

#else /* built without nvrtc.h */

bailey_status bly_nvrtc_plan(uint32_t block, uint32_t shared_bytes, const struct bly_nvrtc_target *target,
                             struct bly_nvrtc_plan *plan)
{
    (void)block, (void)shared_bytes, (void)target, (void)plan;
    return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                    "this library was built without nvrtc.h, so it cannot compile kernels at run time");
}

bailey_status bly_nvrtc_compile(const char *name, const char *text, const struct bly_nvrtc_target *target,
                                const struct bly_nvrtc_plan *plan, void **image, size_t *size)
{
    (void)text, (void)target, (void)plan;
    *image = NULL;
    *size = 0;
    return bly_fail(BAILEY_ERROR_UNSUPPORTED, "no compiler for kernel %s", name);
}

#endif

#else

typedef int bly_cuda_nvrtc_is_empty; /* ISO C wants a declaration in every file */

#endif
