/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey devices: lists the devices of this machine, and why a backend has none.
 */
#include <cli/io/io.h>
#include <cli/options/options.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JSON };

static const struct option options[] = {
    OPTION("--json", NULL, "print the list as JSON"),
    OPTIONS_END,
};

/* Bytes that do not begin a UTF-8 character take no column. */
static int columns(const char *text)
{
    int n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static void add_row(struct document *d, const bailey_device *of, int width)
{
    char text[sizeof of->name + sizeof of->driver + sizeof of->reason], before[200];
    if (of->usable) {
        snprintf(before, sizeof before, "%-*s  %-5s %6u %9s  %-3s  ", width, of->address,
                 option_word_of("device", "kind", of->kind), (unsigned)of->units, cli_bytes(of->memory_bytes),
                 of->has_f64 ? "yes" : "no");
        snprintf(text, sizeof text, "%s; %s", of->name, of->driver);
    } else {
        const int named = of->kind != BAILEY_DEVICE_KIND_NONE && of->name[0];
        snprintf(before, sizeof before, "%-*s  ", width, of->address);
        snprintf(text, sizeof text, "not usable%s%s%s: %s", named ? " (" : "", named ? of->name : "",
                 named ? ")" : "", of->reason[0] ? of->reason : "no reason given");
    }
    document_wrap(d, before, cli_printable(text), of->usable ? 0 : (unsigned)width + 2);
    document_record(d, NULL, "device", of);
}

static int report(const bailey_device *devices, size_t count, int json)
{
    struct document *d = document_new();
    int width = 7;
    for (size_t i = 0; i < count; i++) {
        const int n = columns(devices[i].address);
        width = n > width ? n : width;
    }
    document_text(d, "version", bailey_version());
    document_line(d, "%-*s  KIND   UNITS    MEMORY  F64  NAME; DRIVER", width, "ADDRESS");
    document_open(d, "devices", '[');
    for (size_t i = 0; i < count; i++) add_row(d, &devices[i], width);
    document_close(d);
    const int code = document_print(d, json);
    document_free(d);
    return code;
}

static int run(const struct arguments *arguments)
{
    size_t count = 0;
    bailey_device *devices = NULL;
    int code = drivers_list(&devices, &count);
    if (!code) code = report(devices, count, arguments->value[JSON] != NULL);
    free(devices);
    return code;
}

const struct command command_devices = {
    .name = "devices",
    .summary = "list all devices, and why a backend has none",
    .usage = "[--json]",
    .about = "Lists all devices of all backends (CPU, CUDA, OpenCL), and for each backend that cannot run "
             "the reason. Pass\n"
             "an ADDRESS to --device of other commands.",
    .examples = "  bailey devices\n"
                "  bailey devices --json\n"
                "  bailey selftest --device opencl:0:0\n"
                "      does this device give the same bits as all others?\n",
    .options = options,
    .run = run,
};
