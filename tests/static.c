/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A program without a dynamic loader (gcc -static), in which dlopen crashes: backends that need a library say
 * so, and "auto" is the cpu.
 */
#include <bailey/bailey.h>

#include <stdio.h>
#include <string.h>

static int failed;

static void check(int good, const char *what)
{
    if (good) return;
    printf("FAIL: %s: %s\n", what, bailey_error_message());
    failed = 1;
}

int main(void)
{
    bailey_device devices[8], device;
    bailey_context *context = NULL;
    size_t count = 0;
    check(bailey_device_list(devices, 8, &count) == BAILEY_OK && count == 3, "the list");
    for (size_t i = 0; i < count && i < 8; i++) {
        const char *reason = devices[i].reason;
        printf("%s: %s\n", devices[i].address, *reason ? reason : "usable");
        check(devices[i].usable == (strcmp(devices[i].address, "cpu") == 0), devices[i].address);
        check(!*reason || strstr(reason, "linked statically") || strstr(reason, "was built without"), reason);
    }
    check(bailey_context_create("opencl", NULL, &context) == BAILEY_ERROR_NO_DEVICE, "opencl");
    check(bailey_context_create("auto", NULL, &context) == BAILEY_OK, "auto");
    check(bailey_context_device(context, &device) == BAILEY_OK && !strcmp(device.address, "cpu"),
          "auto is the cpu");
    check(bailey_selftest(context, NULL) == BAILEY_OK, "self-test");
    bailey_context_destroy(context);
    return failed;
}
