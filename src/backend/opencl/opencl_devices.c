/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Finding devices and asking drivers what they are. Drivers answer some questions wrongly or not at all: what
 * is known of them is here, as traits, so that other files need not know any driver's name.
 */
#include <stddef.h> /* something to compile */

#ifdef BLY_HAVE_OPENCL

#include "opencl_internal.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Questions ------------------------------------------------------------------------------- */

/* Texts without the blanks that some drivers put around them; "" where the driver does not answer. */
static void trim(char *text)
{
    size_t begin = strspn(text, " \t\n"), end = strlen(text);
    while (end > begin && strchr(" \t\n", text[end - 1])) end--;
    memmove(text, text + begin, end - begin);
    text[end - begin] = 0;
}

char *bly_cl_device_text(cl_device_id device, cl_device_info what)
{
    size_t size = 0;
    bly_cl.clGetDeviceInfo(device, what, 0, NULL, &size);
    char *text = calloc(1, size + 1);
    if (!text) return NULL;
    if (size && bly_cl.clGetDeviceInfo(device, what, size, text, NULL) != CL_SUCCESS) *text = 0;
    trim(text);
    return text;
}

static char *platform_text(cl_platform_id platform, cl_platform_info what)
{
    size_t size = 0;
    bly_cl.clGetPlatformInfo(platform, what, 0, NULL, &size);
    char *text = calloc(1, size + 1);
    if (!text) return NULL;
    if (size && bly_cl.clGetPlatformInfo(platform, what, size, text, NULL) != CL_SUCCESS) *text = 0;
    trim(text);
    return text;
}

/* Numbers; 0 where the driver does not answer. */
static cl_uint device_uint(cl_device_id device, cl_device_info what)
{
    cl_uint value = 0;
    return bly_cl.clGetDeviceInfo(device, what, sizeof value, &value, NULL) == CL_SUCCESS ? value : 0;
}

cl_ulong bly_cl_device_ulong(cl_device_id device, cl_device_info what)
{
    cl_ulong value = 0;
    return bly_cl.clGetDeviceInfo(device, what, sizeof value, &value, NULL) == CL_SUCCESS ? value : 0;
}

/* 12 for "OpenCL 1.2 ..."; 0 if it is not a version. */
static int version_number(const char *version)
{
    int major, minor;
    return version && sscanf(version, "OpenCL %d.%d", &major, &minor) == 2 ? 10 * major + minor : 0;
}

/* Whether a list of words between blanks has this one. */
static int has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; at && (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return 1;
    return 0;
}

/* ---- Devices --------------------------------------------------------------------------------- */

static void explain_no_device(cl_platform_id platform, cl_int error, char *why, size_t why_size)
{
    char *name = platform_text(platform, CL_PLATFORM_NAME);
    const int pocl = name && strstr(name, "Portable Computing");
    snprintf(why, why_size, "OpenCL platform \"%.60s\" offers no device: %s (%d)%s", name ? name : "",
             bly_cl_error_name(error), (int)error,
             pocl ? "; PoCL says so when its cache directory (POCL_CACHE_DIR, XDG_CACHE_HOME or HOME) cannot "
                    "be written"
                  : "");
    free(name);
}

static void explain_no_platform(char *why, size_t why_size)
{
    const int used = snprintf(why, why_size, "OpenCL lists no platform (CL_PLATFORM_NOT_FOUND_KHR): ");
    if ((size_t)used < why_size) bly_cl_vendors_explain(why + used, why_size - (size_t)used);
}

static size_t enumerate_unlocked(struct bly_cl_place **places, char *why, size_t why_size)
{
    cl_uint platform_count = 0;
    cl_platform_id *platforms = NULL;
    snprintf(why, why_size, "not enough memory to list OpenCL devices");
    cl_int error = bly_cl.clGetPlatformIDs(0, NULL, &platform_count);
    if (!error && platform_count) platforms = calloc(platform_count, sizeof *platforms);
    if (platforms) error = bly_cl.clGetPlatformIDs(platform_count, platforms, NULL);
    if (error == CL_PLATFORM_NOT_FOUND_KHR || (!error && platform_count == 0))
        explain_no_platform(why, why_size);
    else if (error)
        snprintf(why, why_size, "clGetPlatformIDs: %s (%d)", bly_cl_error_name(error), (int)error);
    if (error || !platforms) platform_count = 0;
    size_t count = 0;
    for (cl_uint p = 0; p < platform_count; p++) {
        cl_uint n = 0;
        error = bly_cl.clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 0, NULL, &n);
        if (!error && n == 0) error = CL_DEVICE_NOT_FOUND;
        cl_device_id *devices = error ? NULL : calloc(n, sizeof *devices);
        if (devices) error = bly_cl.clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, n, devices, NULL);
        struct bly_cl_place *more = devices && !error ? realloc(*places, (count + n) * sizeof *more) : NULL;
        if (more) {
            *places = more;
            for (cl_uint d = 0; d < n; d++)
                more[count++] = (struct bly_cl_place){platforms[p], devices[d], p, d};
        } else if (count == 0 && error) {
            explain_no_device(platforms[p], error, why, why_size);
        }
        free(devices);
    }
    free(platforms);
    return count;
}

/* The loader opens them, and a driver that ends the process can be found by this line alone. */
static void log_drivers(void)
{
    char drivers[512];
    bly_cl_vendors_list(drivers, sizeof drivers);
    bly_log(1, "opencl: opening drivers: %s ...", drivers);
}

/* One thread at a time: PoCL 3.1 finds no device, or crashes, when two threads ask it for the first time
 * together. */
size_t bly_cl_enumerate(struct bly_cl_place **places, char *why, size_t why_size)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static int logged;
    size_t count = 0;
    *places = NULL;
    pthread_mutex_lock(&mutex);
    if (bly_cl_load_driver(why, why_size) == BAILEY_OK) {
        if (!logged) log_drivers();
        count = enumerate_unlocked(places, why, why_size);
        if (!logged) bly_log(1, "opencl: %zu devices", count);
        logged = 1;
    }
    pthread_mutex_unlock(&mutex);
    return count;
}

size_t bly_cl_probe(char *why, size_t why_size)
{
    struct bly_cl_place *places;
    const size_t count = bly_cl_enumerate(&places, why, why_size);
    free(places);
    return count;
}

#define NEEDED_FP (CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN)

/* Whether the device can be used. */
static bailey_status judge(cl_platform_id platform, cl_device_id id, char *reason, size_t size)
{
    char *platform_version = platform_text(platform, CL_PLATFORM_VERSION);
    char *version = bly_cl_device_text(id, CL_DEVICE_VERSION);
    char *profile = bly_cl_device_text(id, CL_DEVICE_PROFILE);
    bailey_status status = BAILEY_ERROR_NO_DEVICE;
    *reason = 0;
    if (!platform_version || !version || !profile)
        snprintf(reason, size, "not enough memory");
    else if (!device_uint(id, CL_DEVICE_AVAILABLE))
        snprintf(reason, size, "its driver says that it is not available (CL_DEVICE_AVAILABLE)");
    else if (version_number(platform_version) < 12 || version_number(version) < 12)
        snprintf(reason, size, "needs OpenCL 1.2; the platform has \"%.60s\", the device \"%.60s\"",
                 platform_version, version);
    else if (!device_uint(id, CL_DEVICE_COMPILER_AVAILABLE))
        snprintf(reason, size, "its driver has no compiler (CL_DEVICE_COMPILER_AVAILABLE)");
    else if (strcmp(profile, "FULL_PROFILE") != 0)
        snprintf(reason, size, "it has the profile %.60s, not FULL_PROFILE", profile);
    else if (!device_uint(id, CL_DEVICE_ENDIAN_LITTLE))
        snprintf(reason, size, "it is big-endian");
    else {
        status = BAILEY_ERROR_UNSUPPORTED;
        const cl_ulong config = bly_cl_device_ulong(id, CL_DEVICE_SINGLE_FP_CONFIG);
        if (!(config & CL_FP_ROUND_TO_NEAREST))
            snprintf(reason, size, "its single precision does not round to nearest (CL_FP_ROUND_TO_NEAREST)");
        else if (!(config & CL_FP_INF_NAN))
            snprintf(reason, size, "its single precision has no infinities and NaN (CL_FP_INF_NAN)");
        else
            status = BAILEY_OK;
    }
    free(platform_version);
    free(version);
    free(profile);
    return status;
}

static int has_f64(cl_device_id id)
{
    const cl_ulong needed = NEEDED_FP | CL_FP_FMA;
    char *extensions = bly_cl_device_text(id, CL_DEVICE_EXTENSIONS);
    const int has = extensions && strstr(extensions, "cl_khr_fp64") &&
                    (bly_cl_device_ulong(id, CL_DEVICE_DOUBLE_FP_CONFIG) & needed) == needed;
    free(extensions);
    return has;
}

bailey_status bly_cl_describe_place(const struct bly_cl_place *place, bailey_device *info)
{
    memset(info, 0, sizeof *info);
    if (place->p == BLY_CL_NOWHERE)
        snprintf(info->address, sizeof info->address, "opencl");
    else
        snprintf(info->address, sizeof info->address, "opencl:%u:%u", (unsigned)place->p, (unsigned)place->d);
    char *name = bly_cl_device_text(place->device, CL_DEVICE_NAME);
    char *platform_name = platform_text(place->platform, CL_PLATFORM_NAME);
    char *platform_version = platform_text(place->platform, CL_PLATFORM_VERSION);
    char *driver = bly_cl_device_text(place->device, CL_DRIVER_VERSION);
    snprintf(info->name, sizeof info->name, "%s", name ? name : "");
    snprintf(info->driver, sizeof info->driver, "%s %s, driver %s", platform_name ? platform_name : "",
             platform_version ? platform_version : "", driver ? driver : "");
    free(name);
    free(platform_name);
    free(platform_version);
    free(driver);
    cl_ulong type = bly_cl_device_ulong(place->device, CL_DEVICE_TYPE);
    /* A device that says it is everything, as simulators do, is neither. */
    type &= CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_CPU;
    info->kind = type == CL_DEVICE_TYPE_GPU   ? BAILEY_DEVICE_KIND_GPU
                 : type == CL_DEVICE_TYPE_CPU ? BAILEY_DEVICE_KIND_CPU
                                              : BAILEY_DEVICE_KIND_OTHER;
    const bailey_status status = judge(place->platform, place->device, info->reason, sizeof info->reason);
    info->usable = status == BAILEY_OK;
    info->has_f64 = has_f64(place->device);
    info->units = device_uint(place->device, CL_DEVICE_MAX_COMPUTE_UNITS);
    info->memory_bytes = bly_cl_device_ulong(place->device, CL_DEVICE_GLOBAL_MEM_SIZE);
    info->allocation_bytes = bly_cl_device_ulong(place->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    return status;
}

void bly_cl_describe(size_t index, bailey_device *info)
{
    struct bly_cl_place *places;
    memset(info, 0, sizeof *info);
    char why[sizeof info->reason] = "";
    const size_t count = bly_cl_enumerate(&places, why, sizeof why);
    if (index < count) {
        bly_cl_describe_place(&places[index], info);
    } else { /* the drivers list fewer than before */
        snprintf(info->address, sizeof info->address, "opencl");
        snprintf(info->reason, sizeof info->reason, "%s", *why ? why : "the drivers no longer list it");
    }
    free(places);
}

char *bly_cl_identity(cl_platform_id platform, cl_device_id id)
{
    char *parts[] = {
        platform_text(platform, CL_PLATFORM_NAME),    platform_text(platform, CL_PLATFORM_VENDOR),
        platform_text(platform, CL_PLATFORM_VERSION), bly_cl_device_text(id, CL_DEVICE_NAME),
        bly_cl_device_text(id, CL_DEVICE_VENDOR),     bly_cl_device_text(id, CL_DEVICE_VERSION),
        bly_cl_device_text(id, CL_DRIVER_VERSION),    bly_cl_device_text(id, CL_DEVICE_OPENCL_C_VERSION),
        bly_cl_device_text(id, CL_DEVICE_EXTENSIONS)};
    const size_t count = sizeof parts / sizeof *parts;
    size_t size = 64;
    int whole = 1;
    for (size_t i = 0; i < count; i++) {
        whole = whole && parts[i];
        size += parts[i] ? strlen(parts[i]) + 1 : 0;
    }
    char *identity = whole ? malloc(size) : NULL;
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (identity) used += (size_t)snprintf(identity + used, size - used, "%s\n", parts[i]);
        free(parts[i]);
    }
    if (identity)
        snprintf(identity + used, size - used, "%u bits, %u units",
                 (unsigned)device_uint(id, CL_DEVICE_ADDRESS_BITS),
                 (unsigned)device_uint(id, CL_DEVICE_MAX_COMPUTE_UNITS));
    return identity;
}

/* 3 for a platform of version "OpenCL 3.0 PoCL 3.1+debian ..."; a large number for other platforms. */
static int pocl_version(cl_platform_id platform)
{
    char *version = platform_text(platform, CL_PLATFORM_VERSION);
    const char *name = version ? strstr(version, "PoCL") : NULL;
    if (version && !name) name = strstr(version, "pocl");
    int major = INT_MAX;
    if (name) sscanf(name + 4, "%*c%d", &major);
    free(version);
    return major;
}

/* The version of OpenCL C to compile shuffles within sub-groups in, or 0 where there are none. Clang and what
 * is built from it know sub-groups in 2.0 and later, and a device of 3.0 need not take 2.0. Where the
 * platform is older than 2.1, the size of sub-groups cannot be asked for. */
static int shuffle_standard(const struct bly_cl_place *place, const char *extensions)
{
    char *platform = platform_text(place->platform, CL_PLATFORM_VERSION);
    char *device = bly_cl_device_text(place->device, CL_DEVICE_VERSION);
    const int version = bly_cl.clGetKernelSubGroupInfo && version_number(platform) >= 21 &&
                                has_word(extensions, "cl_khr_subgroup_shuffle")
                            ? version_number(device)
                            : 0;
    free(platform);
    free(device);
    return version >= 30 ? 30 : version >= 20 ? 20 : 0;
}

struct bly_cl_traits bly_cl_traits(const struct bly_cl_place *place, int is_cpu)
{
    char *extensions = bly_cl_device_text(place->device, CL_DEVICE_EXTENSIONS);
    const int pocl = pocl_version(place->platform);
    const int nvidia = extensions && strstr(extensions, "cl_nv_compiler_options");
    const struct bly_cl_traits traits = {
        .correct_rounding = (bly_cl_device_ulong(place->device, CL_DEVICE_SINGLE_FP_CONFIG) &
                             CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0,
        .specialises = is_cpu,
        .alone = pocl < 4,
        .verbose = nvidia,
        .ignores_required = nvidia, /* 580.159 says 256 of every kernel, those that it runs with 1024 too */
        .shuffles = is_cpu ? 0 : shuffle_standard(place, extensions),
        .miscompiles = pocl == 5 ? "PoCL 5" : NULL, /* 5.0: wrong values, others after each compilation */
    };
    free(extensions);
    return traits;
}

#endif
