/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * --save-outputs: all outputs of all paths, as [output][replicate][path] or as a line for each path.
 */
#include "price.h"
#include <cli/io/io.h>

#include <stdio.h>
#include <stdlib.h>

#define CHUNK_BYTES (UINT64_C(1) << 24)

static const char *const endings[] = {"npy", "csv", NULL};
enum { NPY, CSV };

int price_samples_check(const struct arguments *a)
{
    if (!a->value[SAVE_OUTPUTS] || option_ending(a->value[SAVE_OUTPUTS], endings) >= 0) return CLI_OK;
    return cli_error(CLI_USAGE, "--save-outputs: %s ends neither in .npy nor in .csv",
                     cli_printable(a->value[SAVE_OUTPUTS]));
}

struct samples {
    struct output output;
    bailey_buffer *buffer;
    uint64_t paths, replicates;
    uint32_t outputs;
    int f64;
    char *chunk;
    size_t element;
};

static int read_chunk(const struct samples *s, uint64_t offset, char *to, uint64_t bytes)
{
    return cli_check(bailey_buffer_read(s->buffer, offset, to, bytes), "--save-outputs");
}

static int write_npy(struct samples *s)
{
    const uint64_t shape[] = {s->outputs, s->replicates, s->paths};
    const uint64_t bytes = s->paths * s->replicates * s->outputs * s->element;
    char header[NPY_HEADER_MAX];
    int code = output_write(&s->output, header, npy_header(header, s->f64 ? "<f8" : "<f4", shape, 3));
    for (uint64_t done = 0; done < bytes && !code; done += CHUNK_BYTES) {
        const uint64_t part = bytes - done < CHUNK_BYTES ? bytes - done : CHUNK_BYTES;
        code = read_chunk(s, done, s->chunk, part);
        if (!code) code = output_write(&s->output, s->chunk, part);
    }
    return code;
}

static int print_sample(struct samples *s, uint64_t index)
{
    char text[40];
    cli_element_text(text, sizeof text, s->chunk, s->element, index);
    return output_print(&s->output, ",%s", text);
}

static int print_heading(struct samples *s, const struct price_outcome *o)
{
    int code = output_print(&s->output, s->replicates > 1 ? "replicate,path" : "path");
    for (uint32_t i = 0; i < o->outputs && !code; i++)
        code = output_print(&s->output, ",%s", cli_printable(o->name[i]));
    return code ? code : output_print(&s->output, "\n");
}

/* Paths first .. first + count - 1 of a replicate, whose outputs are in the chunk. */
static int print_paths(struct samples *s, uint64_t replicate, uint64_t first, uint64_t count)
{
    int code = CLI_OK;
    for (uint64_t p = 0; p < count && !code; p++) {
        if (s->replicates > 1) code = output_print(&s->output, "%llu,", (unsigned long long)replicate);
        if (!code) code = output_print(&s->output, "%llu", (unsigned long long)(first + p));
        for (uint32_t i = 0; i < s->outputs && !code; i++) code = print_sample(s, i * count + p);
        if (!code) code = output_print(&s->output, "\n");
    }
    return code;
}

static int write_csv(struct samples *s, const struct price_outcome *o)
{
    const uint64_t most = CHUNK_BYTES / (s->outputs * s->element);
    int code = print_heading(s, o);
    for (uint64_t r = 0; r < s->replicates && !code; r++)
        for (uint64_t first = 0; first < s->paths && !code; first += most) {
            const uint64_t count = s->paths - first < most ? s->paths - first : most;
            for (uint32_t i = 0; i < s->outputs && !code; i++)
                code = read_chunk(s, ((i * s->replicates + r) * s->paths + first) * s->element,
                                  s->chunk + i * count * s->element, count * s->element);
            if (!code) code = print_paths(s, r, first, count);
        }
    return code;
}

static int write_file(struct samples *s, const char *path, const struct price_outcome *o)
{
    const int csv = option_ending(path, endings) == CSV;
    int code = output_open(&s->output, path, csv ? 0 : bailey_buffer_bytes(s->buffer));
    if (!code) code = csv ? write_csv(s, o) : write_npy(s);
    if (!code) code = output_commit(&s->output);
    output_abandon(&s->output);
    return code;
}

int price_samples_write(const struct arguments *a, const struct price_settings *settings,
                        const struct price_outcome *o, bailey_buffer *buffer)
{
    struct samples s = {.buffer = buffer,
                        .paths = o->paths,
                        .replicates = settings->run.replicates,
                        .outputs = o->outputs,
                        .f64 = settings->run.normal.precision == BAILEY_PRECISION_F64};
    s.element = s.f64 ? 8 : 4;
    s.chunk = malloc(CHUNK_BYTES);
    if (!s.chunk) return cli_memory_error("samples", CHUNK_BYTES);
    const int code = write_file(&s, a->value[SAVE_OUTPUTS], o);
    free(s.chunk);
    return code;
}
