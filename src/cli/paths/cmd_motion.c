/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey motion: Brownian motion at any times. Works in chunks of bounded memory, which are ranges of paths;
 * the bytes written do not depend on how the paths are cut.
 */
#include "motion_request.h"
#include <cli/io/io.h>
#include <cli/options/options.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct work {
    const struct motion_request *request;
    bailey_context *context;
    bailey_device device;
    bailey_motion *motion;
    struct output output;
    uint64_t *from; /* where intervals begin */
    uint32_t parts;
    size_t element;
    uint64_t rows, header; /* numbers of a path; bytes before the first */
    char *x;               /* of a chunk */
    bailey_buffer *buffer;
};

static int make_motion(const struct arguments *a, struct work *w)
{
    const struct motion_request *r = w->request;
    const bailey_status status = bailey_motion_create(w->context, &r->params, &w->motion);
    return correlation_check(a, status, "motion", r->process.matrix_option, r->process.matrix_path, NULL);
}

/* Ticks of the times that were asked for, and where intervals begin. */
static int find_ticks(struct work *w)
{
    const struct motion_request *r = w->request;
    for (uint64_t i = 0; i < r->count && r->times; i++)
        if (bailey_motion_tick(w->motion, r->times[i], &r->ticks[i]))
            return cli_error(CLI_USAGE, "--at: %s", bailey_error_message());
    if (!r->increments) return CLI_OK;
    w->from = malloc((size_t)r->count * sizeof *w->from);
    if (!w->from) return cli_memory_error("the intervals", r->count * sizeof *w->from);
    for (uint64_t i = 0; i < r->count; i++) {
        w->from[i] = i ? r->ticks[i - 1] : 0;
        if (w->from[i] > r->ticks[i])
            return cli_error(CLI_USAGE, "--increments: time number %llu is earlier than the previous one",
                             (unsigned long long)(i + 1));
    }
    return CLI_OK;
}

static int fill_chunk(struct work *w, uint64_t first, uint64_t paths)
{
    const struct motion_request *r = w->request;
    const char *const options[][2] = {{"generator", "--generator"}, {NULL, NULL}};
    const bailey_status status =
        r->increments
            ? bailey_motion_increments(w->motion, &r->source, w->from, r->ticks, r->count, first, paths,
                                       w->buffer)
            : bailey_motion_values(w->motion, &r->source, r->ticks, r->count, first, paths, w->buffer);
    const int code = cli_check(status, cli_refused(options, "motion"));
    return code ? code
                : cli_check(bailey_buffer_read(w->buffer, 0, w->x, w->rows * paths * w->element), "motion");
}

/* ---- Files ---- */

static int write_header(struct work *w)
{
    const struct motion_request *r = w->request;
    char header[NPY_HEADER_MAX];
    const uint64_t with_parts[4] = {r->count, w->parts, r->params.dims, r->paths},
                   without[3] = {r->count, r->params.dims, r->paths};
    w->header = npy_header(header, w->element == 8 ? "<f8" : "<f4", w->parts > 1 ? with_parts : without,
                           w->parts > 1 ? 4 : 3);
    return output_write(&w->output, header, w->header);
}

static int write_chunk(struct work *w, uint64_t first, uint64_t paths)
{
    const uint64_t bytes = paths * w->element;
    int code = CLI_OK;
    if (paths == w->request->paths) return output_write(&w->output, w->x, w->rows * bytes);
    for (uint64_t row = 0; row < w->rows && !code; row++)
        code = output_write_at(&w->output, w->header + (row * w->request->paths + first) * w->element,
                               w->x + row * bytes, bytes);
    return code;
}

/* Text of a time. */
static int print_time(struct work *w, uint64_t tick, const char *before)
{
    char text[40];
    cli_shortest_f64(text, sizeof text, bailey_motion_time(w->motion, tick));
    return output_print(&w->output, "%s%s", before, text);
}

static int print_label(struct work *w, uint64_t row)
{
    static const char *const parts[] = {"w", "h", "k"};
    const struct motion_request *r = w->request;
    const uint64_t query = row / r->params.dims / w->parts;
    int code = w->from ? print_time(w, w->from[query], "") : CLI_OK;
    if (!code) code = print_time(w, r->ticks[query], w->from ? "," : "");
    if (!code && w->parts > 1) code = output_print(&w->output, ",%s", parts[row / r->params.dims % w->parts]);
    if (!code && r->params.dims > 1)
        code = output_print(&w->output, ",%llu", (unsigned long long)(row % r->params.dims + 1));
    return code;
}

/* "time[,dim],path 0,path 1,...", of increments "from,to[,part][,dim],...". */
static int write_csv(struct work *w)
{
    const struct motion_request *r = w->request;
    int code = output_print(&w->output, "%s%s%s", w->from ? "from,to" : "time", w->parts > 1 ? ",part" : "",
                            r->params.dims > 1 ? ",dim" : "");
    for (uint64_t p = 0; p < r->paths && !code; p++)
        code = output_print(&w->output, ",path %llu", (unsigned long long)(r->first_path + p));
    for (uint64_t row = 0; row < w->rows && !code; row++) {
        code = output_print(&w->output, "\n");
        if (!code) code = print_label(w, row);
        for (uint64_t p = 0; p < r->paths && !code; p++) {
            char text[40];
            cli_element_text(text, sizeof text, w->x, w->element, row * r->paths + p);
            code = output_print(&w->output, ",%s", text);
        }
    }
    return code ? code : output_print(&w->output, "\n");
}

/* ---- Work ---- */

/* Paths of a chunk: all, if they must be written at once. */
static int make_chunks(struct work *w, uint64_t *chunk)
{
    const struct motion_request *r = w->request;
    uint64_t path_bytes, bytes;
    if (!cli_multiply(w->rows, w->element, &path_bytes) || !cli_multiply(path_bytes, r->paths, &bytes) ||
        bytes > (uint64_t)INT64_MAX - NPY_HEADER_MAX)
        return cli_error(CLI_USAGE, "--paths: %llu paths of %llu numbers exceed 2^63 bytes",
                         (unsigned long long)r->paths, (unsigned long long)w->rows);
    *chunk = r->paths;
    if (r->format == FORMAT_NPY && w->output.seekable && bytes > r->chunk_bytes) {
        *chunk = r->chunk_bytes / path_bytes;
        if (*chunk > 64) *chunk -= *chunk % 64;
        if (*chunk < 1) *chunk = 1;
    }
    bytes = *chunk * path_bytes;
    w->x = bytes <= SIZE_MAX ? malloc((size_t)bytes) : NULL;
    if (!w->x) return cli_memory_error("a piece (--chunk-bytes; a file .npy needs no more)", bytes);
    return cli_check(bailey_buffer_create(w->context, bytes, &w->buffer), "memory of a piece");
}

static int make_all(struct work *w)
{
    const struct motion_request *r = w->request;
    struct cli_progress progress;
    uint64_t chunk = 0;
    int code;
    w->parts = r->increments ? 1u + r->params.areas : 1;
    if ((code = find_ticks(w))) return code;
    if (!cli_multiply(r->count, (uint64_t)w->parts * r->params.dims, &w->rows))
        return cli_error(CLI_USAGE, "--at: more than 2^64 numbers");
    if ((code = make_chunks(w, &chunk)) || (r->format == FORMAT_NPY && (code = write_header(w)))) return code;
    cli_progress_start(&progress, "paths");
    for (uint64_t first = 0; first < r->paths && !code; first += chunk) {
        const uint64_t paths = r->paths - first < chunk ? r->paths - first : chunk;
        code = fill_chunk(w, r->first_path + first, paths);
        if (!code) code = r->format == FORMAT_CSV ? write_csv(w) : write_chunk(w, first, paths);
        cli_progress_update(&progress, first + paths, r->paths);
    }
    cli_progress_end(&progress);
    return code;
}

static void add_line(struct document *d, const char *output, const struct work *w, uint64_t bytes)
{
    const struct motion_request *r = w->request;
    char at[60] = "";
    if (r->format != FORMAT_SVG)
        snprintf(at, sizeof at, "%s%s", r->increments ? " over intervals " : " at times ",
                 cli_count(r->count));
    document_line(d, "%s: %s path%s%s, %s, %s, %.3f s on %s", output, cli_count(r->paths),
                  r->paths == 1 ? "" : "s", at, option_precision(r->params.precision), cli_bytes(bytes),
                  cli_elapsed(), w->device.address);
}

static int report(const struct arguments *a, const struct work *w, uint64_t bytes)
{
    const struct motion_request *r = w->request;
    struct document *d = document_new();
    if (strcmp(a->value[OUTPUT], "-")) add_line(d, a->value[OUTPUT], w, bytes);
    document_text(d, "output", a->value[OUTPUT]);
    document_text(d, "format", array_formats[r->format]);
    document_count(d, "bytes", bytes);
    document_count(d, "paths", r->paths);
    document_count(d, "first", r->first_path);
    if (r->format != FORMAT_SVG) document_count(d, "times", r->count);
    document_fields(d, "motion_params", &r->params, "depth dims areas precision");
    document_text(d, "content", r->increments ? "increments" : "values");
    report_source(d, &r->source);
    report_device(d, &w->device);
    const int code = document_print(d, a->value[JSON] != NULL);
    document_free(d);
    return code;
}

static int motion_with(const struct arguments *a, struct work *w)
{
    const struct motion_request *r = w->request;
    int code = open_device(a, a->value[DEVICE], &w->context, &w->device);
    w->element = r->params.precision == BAILEY_PRECISION_F64 ? 8 : 4;
    if (!code) code = make_motion(a, w);
    if (!code) code = output_open(&w->output, a->value[OUTPUT], 0);
    if (!code)
        code = r->format == FORMAT_SVG ? motion_zoom(&w->output, r, w->context, w->motion) : make_all(w);
    const uint64_t bytes = w->output.end + w->output.text_used;
    if (!code) code = output_commit(&w->output);
    return code ? code : report(a, w, bytes);
}

static int run(const struct arguments *a)
{
    struct motion_request request = {0};
    struct work work = {.request = &request};
    int code = motion_request_read(a, &request);
    if (!code) code = motion_with(a, &work);
    output_abandon(&work.output);
    bailey_buffer_destroy(work.buffer);
    bailey_motion_destroy(work.motion);
    bailey_context_destroy(work.context);
    free(work.x);
    free(work.from);
    motion_request_free(&request);
    return code;
}

const struct command command_motion = {
    .name = "motion",
    .summary = "evaluate Brownian motion at any times, in any order",
    .usage = "--at FILE | --grid N  --paths P  --output FILE  [options]\n"
             "       bailey motion --output FILE.svg  [--zoom T] [options]",
    .about = "Evaluates Brownian motion at the times you ask for. Each value depends only on seed, path and "
             "time: repeated\n"
             "or additional queries agree bit for bit, on every device.",
    .examples =
        "  bailey motion --grid 64 --paths 1000 --seed 1 --output grid.npy\n"
        "      numpy.load('grid.npy')[i, j, p] is path p of dimension j at time (i + 1) / 64\n"
        "  bailey motion --at times.csv --maturity 10 --paths 5 --output at.csv\n"
        "      your own times, in your own order\n"
        "  bailey motion --grid 1024 --increments --areas h --paths 1000 --precision f64 --output steps.npy\n"
        "      increments and Levy areas of 1024 steps, for a method of order 3/2: axes "
        "[step][part][dim][path]\n"
        "  bailey motion --seed 1 --zoom 0.3 --output zoom.svg\n"
        "      a picture of one path, magnified in steps up to 64 times\n"
        "\n"
        "Files:\n"
        "  --at: CSV, one number per line. After the header row 'times', or without one: times from the "
        "start time\n"
        "      to the maturity, rounded to ticks. After the header row 'ticks': integers from 0 to 2^depth.\n"
        "  .npy: [time][dim][path]; with --areas [interval][part][dim][path], with the parts W, H and K.\n"
        "  .csv: one row per time (and part and dimension), one column per path. Numbers read back exactly.\n"
        "  A file appears under its name when it is complete.\n",
    .options = motion_options,
    .run = run,
};
