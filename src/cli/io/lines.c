/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Arrays as text, one number per line, a buffer of lines at a time.
 */
#include "io.h"

#include <stdio.h>
#include <string.h>

#define LINE_MAX_BYTES 40

static void print_u32(char *text, const char *number)
{
    uint32_t value;
    memcpy(&value, number, sizeof value);
    snprintf(text, LINE_MAX_BYTES, "%lu", (unsigned long)value);
}

static void print_u64(char *text, const char *number)
{
    uint64_t value;
    memcpy(&value, number, sizeof value);
    snprintf(text, LINE_MAX_BYTES, "%llu", (unsigned long long)value);
}

static void print_f32(char *text, const char *number)
{
    float value;
    memcpy(&value, number, sizeof value);
    cli_shortest_f32(text, LINE_MAX_BYTES, value);
}

static void print_f64(char *text, const char *number)
{
    double value;
    memcpy(&value, number, sizeof value);
    cli_shortest_f64(text, LINE_MAX_BYTES, value);
}

static int write_lines(struct output *output, const char *array, uint64_t bytes, size_t element,
                       void (*print)(char *text, const char *number))
{
    char text[1 << 16];
    size_t used = 0;
    int code = CLI_OK;
    for (uint64_t at = 0; at < bytes && !code; at += element) {
        print(text + used, array + at);
        used += strlen(text + used);
        text[used++] = '\n';
        if (sizeof text - used >= LINE_MAX_BYTES && at + element < bytes) continue;
        code = output_write(output, text, used);
        used = 0;
    }
    return code;
}

int lines_u32(struct output *output, const void *array, uint64_t bytes)
{
    return write_lines(output, array, bytes, sizeof(uint32_t), print_u32);
}

int lines_u64(struct output *output, const void *array, uint64_t bytes)
{
    return write_lines(output, array, bytes, sizeof(uint64_t), print_u64);
}

int lines_f32(struct output *output, const void *array, uint64_t bytes)
{
    return write_lines(output, array, bytes, sizeof(float), print_f32);
}

int lines_f64(struct output *output, const void *array, uint64_t bytes)
{
    return write_lines(output, array, bytes, sizeof(double), print_f64);
}
