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
    OPTION("--json", NULL, "the list as JSON"),
    OPTIONS_END,
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
        json_flag(&json, "usable", d->usable != 0);
        json_text(&json, "reason", d->reason);
        json_text(&json, "kind", kind_name(d->kind));
        json_text(&json, "name", d->name);
        json_text(&json, "driver", d->driver);
        json_flag(&json, "f64", d->has_f64 != 0);
        json_count(&json, "units", d->units);
        json_count(&json, "memory_bytes", d->memory_bytes);
        json_count(&json, "allocation_bytes", d->allocation_bytes);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
}

/* Bytes that do not begin a UTF-8 character take no column. */
static int columns(const char *text)
{
    int n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static void print_table(const bailey_device *devices, size_t count)
{
    int address = 7;
    for (size_t i = 0; i < count; i++) {
        const int n = columns(devices[i].address);
        address = n > address ? n : address;
    }
    const int indent = address + 2;
    printf("%-*s  KIND   UNITS    MEMORY  F64  NAME; DRIVER\n", address, "ADDRESS");
    for (size_t i = 0; i < count; i++) {
        const bailey_device *d = &devices[i];
        char text[sizeof d->name + sizeof d->driver + sizeof d->reason];
        int at = printf("%-*s  ", address, d->address);
        if (d->usable) {
            at += printf("%-5s %6u %9s  %-3s  ", kind_name(d->kind), (unsigned)d->units,
                         cli_bytes(d->memory_bytes), d->has_f64 ? "yes" : "no");
            snprintf(text, sizeof text, "%s; %s", d->name, d->driver);
        } else {
            const int named = d->kind != BAILEY_DEVICE_KIND_NONE && d->name[0];
            snprintf(text, sizeof text, "not usable%s%s%s: %s", named ? " (" : "", named ? d->name : "",
                     named ? ")" : "", d->reason[0] ? d->reason : "no reason given");
        }
        options_wrap(cli_printable(text), at, d->usable ? at : indent);
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
