/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Writes paths to an array file, a table or a picture. They come in chunks of paths, but an array in
 * step-major order has the rows of all paths together: a regular file is written in place, row by row; for a
 * pipe or a table the array is first assembled in memory.
 */
#define _XOPEN_SOURCE 700

#include "paths_request.h"

#include <cli/io/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

uint64_t sink_paths(const struct paths_request *r)
{
    if (r->format != FORMAT_SVG) return r->paths;
    /* At most 256 MB of points. */
    uint64_t points = (r->bridge.steps < FAN_POINTS_MAX ? r->bridge.steps : FAN_POINTS_MAX) + 1;
    uint64_t panels = r->bridge.dims < FAN_PANELS_MAX ? r->bridge.dims : FAN_PANELS_MAX;
    uint64_t most = (UINT64_C(1) << 25) / (points * panels);
    most = most < FAN_PATHS_MAX ? most : FAN_PATHS_MAX;
    return r->paths < most ? r->paths : most;
}

int sink_open(struct sink *sink, const struct paths_request *r, const char *path)
{
    uint64_t bytes;
    sink->request = r;
    if (!cli_multiply(r->rows, r->element, &bytes) || !cli_multiply(bytes, r->paths, &bytes) ||
        bytes > (uint64_t)INT64_MAX - NPY_HEADER_MAX)
        return cli_error(CLI_USAGE, "--paths: %llu paths of %llu numbers exceed 2^63 bytes",
                         (unsigned long long)r->paths, (unsigned long long)r->rows);
    sink->array_bytes = bytes;
    return output_open(&sink->output, path, r->format == FORMAT_NPY ? bytes + 128 : 0);
}

static int print_value(struct output *output, const struct paths_request *r, const void *array,
                       uint64_t index)
{
    char text[40];
    cli_element_text(text, sizeof text, array, r->element, index);
    return output_print(output, ",%s", text);
}

/* "0.25"; of an increment its interval, "0.125..0.25" or two columns. */
static void time_label(const struct paths_request *r, uint64_t step, const char *between, char *text,
                       size_t size)
{
    char from[40], to[40];
    cli_shortest_f64(from, sizeof from, step ? r->times[step - 1] : r->bridge.start_time);
    cli_shortest_f64(to, sizeof to, r->times[step]);
    if ((r->bridge.output == BAILEY_BRIDGE_OUTPUT_INCREMENTS))
        snprintf(text, size, "%s%s%s", from, between, to);
    else
        snprintf(text, size, "%s", to);
}

/* The end of a field that names a dimension: "2", of prices the asset; quoted if it must be. */
static int print_dim(struct output *output, const struct paths_request *r, const char *before, uint64_t dim)
{
    if (!r->assets.count) return output_print(output, "%s%llu", before, (unsigned long long)(dim + 1));
    const char *name = r->assets.name[dim];
    if (!strpbrk(name, ",\"")) return output_print(output, "%s%s", before, name);
    int code = output_print(output, "\"%s", before);
    for (; *name && !code; name++) code = output_print(output, *name == '"' ? "\"\"" : "%c", *name);
    return code ? code : output_print(output, "\"");
}

/* Rows are times: "time[,dim],path 1,path 2,...", or asset instead of dim. */
static int csv_by_step(struct sink *sink, const char *array)
{
    const struct paths_request *r = sink->request;
    struct output *output = &sink->output;
    char label[100];
    int code = output_print(output, "%s%s",
                            (r->bridge.output == BAILEY_BRIDGE_OUTPUT_INCREMENTS) ? "from,to" : "time",
                            r->bridge.dims == 1 ? ""
                            : r->assets.count   ? ",asset"
                                                : ",dim");
    for (uint64_t p = 0; p < r->paths && !code; p++)
        code = output_print(output, ",path %llu", (unsigned long long)(p + 1));
    if (!code) code = output_print(output, "\n");
    for (uint64_t row = 0; row < r->rows && !code; row++) {
        time_label(r, row / r->bridge.dims, ",", label, sizeof label);
        code = output_print(output, "%s%s", label, r->bridge.dims > 1 ? "," : "");
        if (!code && r->bridge.dims > 1) code = print_dim(output, r, "", row % r->bridge.dims);
        for (uint64_t p = 0; p < r->paths && !code; p++)
            code = print_value(output, r, array, row * r->paths + p);
        if (!code) code = output_print(output, "\n");
    }
    return code;
}

/* Rows are paths: "path,t=0.25,t=0.5,..." or "path,t=0.25 dim 1,t=0.25 dim 2,...", or the asset's name. */
static int csv_path_header(struct sink *sink)
{
    const struct paths_request *r = sink->request;
    char time[100], label[120];
    int code = output_print(&sink->output, "path");
    for (uint64_t row = 0; row < r->rows && !code; row++) {
        time_label(r, row / r->bridge.dims, "..", time, sizeof time);
        snprintf(label, sizeof label, "t=%s%s", time,
                 r->bridge.dims == 1 ? ""
                 : r->assets.count   ? " "
                                     : " dim ");
        code = output_print(&sink->output, ",");
        if (!code)
            code = r->bridge.dims == 1 ? output_print(&sink->output, "%s", label)
                                       : print_dim(&sink->output, r, label, row % r->bridge.dims);
    }
    return code ? code : output_print(&sink->output, "\n");
}

static int csv_paths(struct sink *sink, const char *array, uint64_t first, uint64_t count)
{
    const struct paths_request *r = sink->request;
    int code = CLI_OK;
    for (uint64_t p = 0; p < count && !code; p++) {
        code = output_print(&sink->output, "%llu", (unsigned long long)(first + p + 1));
        for (uint64_t row = 0; row < r->rows && !code; row++)
            code = print_value(&sink->output, r, array, p * r->rows + row);
        if (!code) code = output_print(&sink->output, "\n");
    }
    return code;
}

static double start_of(const struct paths_request *r, uint64_t dim)
{
    return r->assets.count ? r->assets.column[ASSET_SPOT][dim] : r->process.start[dim];
}

static void fan_collect(struct sink *sink, const char *array, uint64_t first, uint64_t count)
{
    const struct paths_request *r = sink->request;
    struct fan *fan = &sink->fan;
    for (uint64_t panel = 0; panel < fan->panels; panel++) {
        for (uint64_t point = 0; point < fan->points; point++) {
            double *to = fan->values + (panel * fan->points + point) * fan->paths + first;
            uint64_t row = sink->fan_step[point] * r->bridge.dims + panel;
            for (uint64_t p = 0; p < count; p++) {
                if (sink->fan_step[point] == UINT64_MAX)
                    to[p] = start_of(r, panel);
                else if (r->bridge.layout == BAILEY_LAYOUT_STEP_MAJOR)
                    to[p] = cli_element(array, r->element, row * count + p);
                else
                    to[p] = cli_element(array, r->element, p * r->rows + row);
            }
        }
    }
}

int sink_take(struct sink *sink, const char *array, uint64_t first, uint64_t count)
{
    const struct paths_request *r = sink->request;
    if (r->format == FORMAT_SVG) {
        fan_collect(sink, array, first, count);
        return CLI_OK;
    }
    if (r->bridge.layout == BAILEY_LAYOUT_PATH_MAJOR)
        return r->format == FORMAT_CSV ? csv_paths(sink, array, first, count)
                                       : output_write(&sink->output, array, count * r->rows * r->element);
    if (count == r->paths)
        return r->format == FORMAT_CSV ? csv_by_step(sink, array)
                                       : output_write(&sink->output, array, count * r->rows * r->element);
    uint64_t bytes = count * r->element;
    int code = CLI_OK;
    for (uint64_t row = 0; row < r->rows && !code; row++) {
        uint64_t offset = (row * r->paths + first) * r->element;
        if (sink->whole)
            memcpy(sink->whole + offset, array + row * bytes, (size_t)bytes);
        else
            code = output_write_at(&sink->output, sink->header + offset, array + row * bytes, bytes);
    }
    if (code || !sink->whole || first + count < r->paths) return code;
    return r->format == FORMAT_CSV
               ? csv_by_step(sink, sink->whole)
               : output_write(&sink->output, sink->whole, r->paths * r->rows * r->element);
}

static int fan_prepare(struct sink *sink, uint64_t paths)
{
    const struct paths_request *r = sink->request;
    struct fan *fan = &sink->fan;
    uint64_t steps = r->bridge.steps < FAN_POINTS_MAX ? r->bridge.steps : FAN_POINTS_MAX, n = 0;
    fan->panels = r->bridge.dims < FAN_PANELS_MAX ? r->bridge.dims : FAN_PANELS_MAX;
    fan->paths = paths;
    fan->relative = r->assets.count > 0;
    for (uint64_t d = 0; d < fan->panels; d++)
        fan->reference[d] = (r->bridge.output == BAILEY_BRIDGE_OUTPUT_INCREMENTS) ? 0 : start_of(r, d);
    sink->fan_times = malloc((size_t)(steps + 1) * sizeof *sink->fan_times);
    sink->fan_step = malloc((size_t)(steps + 1) * sizeof *sink->fan_step);
    if (!sink->fan_times || !sink->fan_step) return cli_memory_error("the picture", steps * 16);
    if (!(r->bridge.output == BAILEY_BRIDGE_OUTPUT_INCREMENTS)) {
        sink->fan_times[n] = r->bridge.start_time;
        sink->fan_step[n++] = UINT64_MAX;
    }
    for (uint64_t i = 0; i < steps; i++) {
        uint64_t step = (i + 1) * r->bridge.steps / steps - 1;
        double before = step ? r->times[step - 1] : r->bridge.start_time;
        sink->fan_times[n] = (r->bridge.output == BAILEY_BRIDGE_OUTPUT_INCREMENTS)
                                 ? before + (r->times[step] - before) / 2
                                 : r->times[step];
        sink->fan_step[n++] = step;
    }
    fan->points = n;
    fan->times = sink->fan_times;
    fan->values = malloc((size_t)(fan->panels * n * paths) * sizeof *fan->values);
    return fan->values ? CLI_OK
                       : cli_memory_error("the picture", fan->panels * n * paths * sizeof *fan->values);
}

/* An array that must be whole before its first byte can be written: refuse more than three quarters of the
 * machine's memory, before the system starts to kill. */
static int make_whole(struct sink *sink, uint64_t bytes)
{
    const char *advice = sink->request->format == FORMAT_CSV
                             ? "--layout path-major or an .npy file needs no such memory"
                             : "--layout path-major or a regular file needs no such memory";
    uint64_t memory = UINT64_MAX;
#ifdef _SC_PHYS_PAGES
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0) memory = (uint64_t)pages * (uint64_t)page;
#endif
    uint64_t most = memory / 4 * 3;
    if (bytes > most || bytes > SIZE_MAX)
        return cli_error(CLI_FAILED,
                         "--output: --layout step-major keeps %s in memory; this machine has %s, of which "
                         "three quarters may be used; %s",
                         cli_bytes(bytes), cli_bytes(memory), advice);
    sink->whole = malloc((size_t)bytes);
    if (!sink->whole)
        return cli_error(CLI_FAILED,
                         "--output: --layout step-major keeps %s in memory, which is not available; %s",
                         cli_bytes(bytes), advice);
    return CLI_OK;
}

int sink_begin(struct sink *sink, uint64_t paths, uint64_t chunk)
{
    const struct paths_request *r = sink->request;
    int code;
    int rows_apart =
        r->bridge.layout == BAILEY_LAYOUT_STEP_MAJOR && chunk < r->paths && r->format != FORMAT_SVG;
    if (rows_apart && (r->format == FORMAT_CSV || !sink->output.seekable) &&
        (code = make_whole(sink, sink->array_bytes)))
        return code;
    if (r->format == FORMAT_NPY) {
        char header[NPY_HEADER_MAX];
        uint64_t shape[3];
        paths_request_shape(r, shape);
        sink->header = npy_header(header, r->element == 8 ? "<f8" : "<f4", shape, 3);
        if ((code = output_write(&sink->output, header, sink->header))) return code;
    }
    if (r->format == FORMAT_CSV && r->bridge.layout == BAILEY_LAYOUT_PATH_MAJOR &&
        (code = csv_path_header(sink)))
        return code;
    if (r->format == FORMAT_SVG && (code = fan_prepare(sink, paths))) return code;
    return CLI_OK;
}

/* "the first 20,000 of 1,000,000 paths, 60 of them drawn" */
static void fan_count(const struct fan *fan, uint64_t asked, char *text, size_t size)
{
    const uint64_t drawn = fan_drawn(fan->panels, fan->paths);
    if (fan->paths < asked)
        snprintf(text, size, "the first %s of %s paths, %s of them drawn", cli_count(fan->paths),
                 cli_count(asked), cli_count(drawn));
    else if (drawn < fan->paths)
        snprintf(text, size, "%s paths, %s of them drawn", cli_count(fan->paths), cli_count(drawn));
    else
        snprintf(text, size, "%s path%s drawn", cli_count(drawn), drawn == 1 ? "" : "s");
}

static void fan_title(const struct paths_request *r, char *text, size_t size)
{
    const char *correlated = r->process.matrix ? "correlated " : "";
    const char *what = r->bridge.end ? "Brownian bridge" : "Brownian motion";
    if (r->assets.count == 1)
        snprintf(text, size, "Price of %s", r->assets.name[0]);
    else if (r->assets.count)
        snprintf(text, size, "Prices of %u %sassets", (unsigned)r->assets.count, correlated);
    else if (r->bridge.dims > 1)
        snprintf(text, size, "%s in %u %sdimensions%s", what, (unsigned)r->bridge.dims, correlated,
                 (r->bridge.output == BAILEY_BRIDGE_OUTPUT_INCREMENTS) ? ": scaled increments" : "");
    else
        snprintf(text, size, "%s%s", what,
                 (r->bridge.output == BAILEY_BRIDGE_OUTPUT_INCREMENTS) ? ": scaled increments" : "");
}

static int fan_finish(struct sink *sink, uint64_t asked)
{
    const struct paths_request *r = sink->request;
    struct fan *fan = &sink->fan;
    char title[300], subtitle[400], paths[100], source[100] = "", rate[40] = "", horizon[40];
    const char *order = r->order.kind < 0 ? "own order" : option_orders[r->order.kind];
    const char *first = r->order.important_count ? ", important times first" : "";
    fan_title(r, title, sizeof title);
    fan_count(fan, asked, paths, sizeof paths);
    if (!r->z.path)
        snprintf(source, sizeof source, " \u00b7 seed %llu%s", (unsigned long long)r->source.seed,
                 source_remark(&r->source));
    if (r->assets.count) snprintf(rate, sizeof rate, " \u00b7 rate %.6g", r->rate);
    snprintf(horizon, sizeof horizon, "%.6g", r->times[r->bridge.steps - 1]);
    snprintf(subtitle, sizeof subtitle, "%s \u00b7 %s step%s to T = %s%s \u00b7 %s%s%s%s%s", paths,
             cli_count(r->bridge.steps), r->bridge.steps == 1 ? "" : "s", horizon, rate, order, first, source,
             r->bridge.dims > FAN_PANELS_MAX ? " \u00b7 the first 8 dimensions" : "",
             r->assets.count > 1 ? " \u00b7 one scale, relative to the spots" : "");
    fan->title = title;
    fan->subtitle = subtitle;
    fan->axis = r->assets.count                                         ? "price"
                : (r->bridge.output == BAILEY_BRIDGE_OUTPUT_INCREMENTS) ? "increment"
                                                                        : "value";
    fan->names = r->assets.count ? (const char *const *)r->assets.name : NULL;
    return fan_write(&sink->output, fan);
}

int sink_end(struct sink *sink, uint64_t *bytes)
{
    int code = sink->request->format == FORMAT_SVG ? fan_finish(sink, sink->request->paths) : CLI_OK;
    *bytes = sink->output.end + sink->output.text_used;
    return code ? code : output_commit(&sink->output);
}

void sink_free(struct sink *sink)
{
    output_abandon(&sink->output);
    free(sink->whole);
    free(sink->fan_times);
    free(sink->fan_step);
    free(sink->fan.values);
}
