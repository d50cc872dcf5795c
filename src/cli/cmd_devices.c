/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "commands.h"
#include "drivers.h"
#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JSON };

static const struct option options[] = {
    {"--json", NULL, "the list as JSON", 0},
    {NULL, NULL, NULL, 0},
};

static const char *kind_name(bailey_device_kind kind)
{
    switch (kind) {
    case BAILEY_DEVICE_KIND_CPU: return "cpu";
    case BAILEY_DEVICE_KIND_GPU: return "gpu";
    case BAILEY_DEVICE_KIND_OTHER: return "other";
    default: return "none";
    }
}

static void print_json(const bailey_device *devices, size_t count)
{
    struct json json = {0};
    json_open(&json, NULL, '{');
    json_text(&json, "version", bailey_version());
    json_open(&json, "devices", '[');
    for (size_t i = 0; i < count; i++) {
        const bailey_device *d = &devices[i];
        json_open(&json, NULL, '{');
        json_text(&json, "address", d->address);
        json_boolean(&json, "usable", d->usable != 0);
        json_text(&json, "reason", d->reason);
        json_text(&json, "kind", kind_name(d->kind));
        json_text(&json, "name", d->name);
        json_text(&json, "driver", d->driver);
        json_boolean(&json, "f64", d->has_f64 != 0);
        json_integer(&json, "units", d->units);
        json_integer(&json, "memory_bytes", d->memory_bytes);
        json_integer(&json, "allocation_bytes", d->allocation_bytes);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
}

/* Bytes that are no beginning of a UTF-8 character do not take a column. */
static int columns(const char *text)
{
    int n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static void print_table(const bailey_device *devices, size_t count)
{
    int address = 7, name = 4;
    for (size_t i = 0; i < count; i++) {
        int n = columns(devices[i].address);
        address = n > address ? n : address;
        n = devices[i].usable ? columns(devices[i].name) : 0;
        name = n > name ? n : name;
    }
    printf("%-*s  KIND   UNITS    MEMORY  F64  %-*s  DRIVER\n", address, "ADDRESS", name, "NAME");
    for (size_t i = 0; i < count; i++) {
        const bailey_device *d = &devices[i];
        if (!d->usable) {
            printf("%-*s  not usable", address, d->address);
            if (d->kind != BAILEY_DEVICE_KIND_NONE && d->name[0]) printf(" (%s)", cli_printable(d->name));
            printf(": %s\n", d->reason[0] ? cli_printable(d->reason) : "no reason given");
            continue;
        }
        printf("%-*s  %-5s %6u %9s  %-3s  %s", address, d->address, kind_name(d->kind), (unsigned)d->units,
               cli_bytes(d->memory_bytes), d->has_f64 ? "yes" : "no", cli_printable(d->name));
        printf("%*s  %s\n", name - columns(d->name), "", cli_printable(d->driver));
    }
}

static int run(const struct arguments *arguments)
{
    size_t count = 0;
    bailey_device *devices = NULL;
    int code = drivers_list(&devices, &count);
    if (!code && arguments->value[JSON])
        print_json(devices, count);
    else if (!code)
        print_table(devices, count);
    free(devices);
    return code;
}

const struct command command_devices = {
    .name = "devices",
    .summary = "list every device, and why a backend has none",
    .usage = "[--json]",
    .about =
        "Lists every device of every backend (CPU, CUDA, OpenCL), and for each backend that cannot run the\n"
        "reason. Other commands take the ADDRESS as --device.",
    .examples = "  bailey devices\n"
                "  bailey devices --json\n"
                "  bailey selftest --device opencl:0:0\n"
                "      does a device keep the promise of the same bits?\n",
    .options = options,
    .run = run,
};
