/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Variables of the environment that the library reads: which backends to leave out, the device, the level and
 * threads of the cpu; and what is said of it when it is malformed.
 */
#include <bailey/bailey.h>

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

static int reset(void **state)
{
    static const char *const names[] = {"BAILEY_BACKENDS", "BAILEY_DEVICE", "BAILEY_CPU_LEVEL",
                                        "OMP_NUM_THREADS"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) unsetenv(names[i]);
    setenv("BAILEY_CUDA_LIBRARY", "/nonexistent/libcuda.so", 1);
    setenv("BAILEY_OPENCL_LIBRARY", "/nonexistent/libOpenCL.so", 1);
    return 0;
}

/* Opening `device` fails so, with the text. */
static void refused(const char *device, uint32_t threads, bailey_status status, const char *text)
{
    const bailey_context_params params = {.threads = threads};
    bailey_context *context = NULL;
    assert_int_equal(bailey_context_create(device, &params, &context), status);
    assert_null(context);
    if (!strstr(bailey_error_message(), text))
        fail_msg("\"%s\" is not in \"%s\"", text, bailey_error_message());
}

/* Opening `device` gives the cpu with so many threads (0: any). */
static void opened(const char *device, uint32_t threads, uint32_t units)
{
    const bailey_context_params params = {.threads = threads};
    bailey_context *context = NULL;
    bailey_device described;
    assert_int_equal(bailey_context_create(device, &params, &context), BAILEY_OK);
    assert_int_equal(bailey_context_device(context, &described), BAILEY_OK);
    assert_string_equal(described.address, "cpu");
    if (units) assert_int_equal(described.units, units);
    bailey_context_destroy(context);
}

TEST(backends, HOST)
{
    bailey_device devices[3];
    size_t count = 0;
    setenv("BAILEY_BACKENDS", "cpu, cuda", 1);
    assert_int_equal(bailey_device_list(devices, 3, &count), BAILEY_OK);
    assert_int_equal(count, 3);
    assert_string_equal(devices[1].address, "opencl");
    assert_int_equal(devices[1].kind, BAILEY_DEVICE_KIND_NONE);
    assert_int_equal(devices[1].usable, 0);
    assert_non_null(strstr(devices[1].reason, "BAILEY_BACKENDS is \"cpu, cuda\""));
    assert_null(strstr(devices[0].reason, "BAILEY_BACKENDS")); /* was tried */
    assert_int_equal(devices[2].usable, 1);
    refused("opencl", 0, BAILEY_ERROR_NO_DEVICE, "BAILEY_BACKENDS");
    opened("auto", 0, 0);
    setenv("BAILEY_BACKENDS", "cuda", 1);
    refused("cpu", 0, BAILEY_ERROR_NO_DEVICE, "BAILEY_BACKENDS");
    refused("auto", 0, BAILEY_ERROR_NO_DEVICE, "BAILEY_BACKENDS");
    setenv("BAILEY_BACKENDS", "cpu,cdua", 1);
    assert_int_equal(bailey_device_list(devices, 3, &count), BAILEY_ERROR_INVALID);
    refused("cpu", 0, BAILEY_ERROR_INVALID,
            "BAILEY_BACKENDS: unknown backend \"cdua\"; choose from cuda, opencl, cpu");
    setenv("BAILEY_BACKENDS", "", 1);
    opened("auto", 0, 0);
}

TEST(device_name, HOST)
{
    setenv("BAILEY_DEVICE", "tpu", 1);
    refused(NULL, 0, BAILEY_ERROR_INVALID,
            "BAILEY_DEVICE: device \"tpu\" is not of the form auto, cuda[:N], "
            "opencl[:PLATFORM[:DEVICE]] or cpu");
    opened("cpu", 0, 0);
    static const char *const malformed[] = {"cpu:0", "cuda:0:0", "opencl:0:0:0", "cuda:", "cuda:x", "cudas"};
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++)
        refused(malformed[i], 0, BAILEY_ERROR_INVALID, "is not of the form");
    static const char *const formed[] = {"cuda", "cuda:0", "opencl", "opencl:0", "opencl:0:0"};
    for (size_t i = 0; i < sizeof formed / sizeof *formed; i++)
        refused(formed[i], 0, BAILEY_ERROR_NO_DEVICE, formed[i]);
    setenv("BAILEY_DEVICE", "opencl:7", 1);
    refused(NULL, 0, BAILEY_ERROR_NO_DEVICE, "BAILEY_DEVICE: device \"opencl:7\"");
    unsetenv("BAILEY_DEVICE");
    refused("tpu", 0, BAILEY_ERROR_INVALID, "device \"tpu\"");
    assert_null(strstr(bailey_error_message(), "BAILEY_DEVICE"));
}

TEST(cpu_level, HOST)
{
    setenv("BAILEY_CPU_LEVEL", "sse9", 1);
    refused("cpu", 0, BAILEY_ERROR_INVALID,
            "BAILEY_CPU_LEVEL: unknown level \"sse9\"; choose baseline, avx2 or avx512");
    refused("auto", 0, BAILEY_ERROR_INVALID, "BAILEY_CPU_LEVEL");
    static const char *const levels[] = {"baseline", "avx2", "avx512", ""};
    for (int i = 0; i < 4; i++) { /* on any processor */
        setenv("BAILEY_CPU_LEVEL", levels[i], 1);
        opened("cpu", 0, 0);
    }
}

TEST(threads, HOST)
{
    static const char *const malformed[] = {"abc", "0", "-1", "2 threads", "1.5"};
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
        setenv("OMP_NUM_THREADS", malformed[i], 1);
        refused("cpu", 0, BAILEY_ERROR_INVALID, "OMP_NUM_THREADS");
        opened("cpu", 2, 2); /* the caller's wish comes first */
    }
    setenv("OMP_NUM_THREADS", "3", 1);
    opened("cpu", 0, 3);
    setenv("OMP_NUM_THREADS", " 3 , 2", 1);
    opened("cpu", 0, 3);
    setenv("OMP_NUM_THREADS", "", 1);
    opened("cpu", 0, 0);
}

FIXTURE(reset, NULL)
