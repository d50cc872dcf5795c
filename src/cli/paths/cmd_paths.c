/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey paths: plans the bridge once, then works in chunks of bounded memory. A chunk is a range of paths;
 * the bytes written do not depend on how the paths are cut.
 */
#include "paths_request.h"
#include <cli/options/options.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct work {
    bailey_context *context;
    bailey_device device;
    bailey_bridge *bridge;
    int in_place;   /* the device works in host memory */
    uint64_t chunk; /* paths per chunk */
    char *x, *z;    /* of a chunk */
    bailey_buffer *x_buffer, *z_buffer;
};

static void free_chunks(struct work *w)
{
    bailey_buffer_destroy(w->x_buffer);
    bailey_buffer_destroy(w->z_buffer);
    free(w->x);
    free(w->z);
    w->x_buffer = w->z_buffer = NULL;
    w->x = w->z = NULL;
}

static bailey_status make_chunk(struct work *w, uint64_t bytes, char **memory, bailey_buffer **buffer)
{
    *memory = bytes <= SIZE_MAX ? malloc((size_t)bytes) : NULL;
    if (!*memory) return BAILEY_ERROR_MEMORY;
    return w->in_place ? bailey_buffer_adopt_host(w->context, *memory, bytes, buffer)
                       : bailey_buffer_create(w->context, bytes, buffer);
}

/* Finds how many paths a chunk may have, and its memory: less if the device has less. */
static int make_chunks(struct work *w, const struct paths_request *r, uint64_t paths)
{
    uint64_t path_bytes = r->rows * r->element, limit = r->chunk_bytes;
    if (w->device.allocation_bytes && w->device.allocation_bytes < limit) limit = w->device.allocation_bytes;
    if (w->device.memory_bytes && w->device.memory_bytes / 4 < limit) limit = w->device.memory_bytes / 4;
    w->chunk = limit / path_bytes;
    if (w->chunk > 64) w->chunk -= w->chunk % 64;
    if (w->chunk < 1) w->chunk = 1;
    if (w->chunk > paths) w->chunk = paths;
    for (;;) {
        bailey_status status = make_chunk(w, w->chunk * path_bytes, &w->x, &w->x_buffer);
        if (!status && r->z_rows && r->z.path)
            status = make_chunk(w, w->chunk * r->z_rows * r->element, &w->z, &w->z_buffer);
        if (!status) return CLI_OK;
        if (status != BAILEY_ERROR_MEMORY || w->chunk == 1) {
            int host = !w->x || (r->z.path && w->x_buffer && !w->z);
            return host ? cli_memory_error("one path", path_bytes) : cli_check(status, "memory of a piece");
        }
        free_chunks(w);
        w->chunk = (w->chunk + 1) / 2;
    }
}

/* The chunk that begins with path `first`: its Z must be finite. */
static int check_z(const struct work *w, const struct paths_request *r, uint64_t first, uint64_t count)
{
    uint64_t bad = cli_not_finite(w->z, count * r->z_rows, r->element);
    if (bad == count * r->z_rows) return CLI_OK;
    const uint64_t *shape = r->z.shape;
    uint64_t index = r->bridge.layout == BAILEY_LAYOUT_PATH_MAJOR
                         ? first * r->z_rows + bad
                         : bad / count * r->paths + first + bad % count;
    double value = cli_element(w->z, r->element, bad);
    const char *text = value < 0 ? "-inf" : value > 0 ? "inf" : "nan";
    return cli_error(
        CLI_USAGE, "--normals: %s holds %s at [%llu, %llu, %llu]; only finite numbers are allowed", r->z.path,
        text, (unsigned long long)(index / shape[2] / shape[1]),
        (unsigned long long)(index / shape[2] % shape[1]), (unsigned long long)(index % shape[2]));
}

static int read_z(struct work *w, const struct paths_request *r, uint64_t first, uint64_t count)
{
    int code = CLI_OK;
    if (!r->z_rows) return CLI_OK;
    if (r->bridge.layout == BAILEY_LAYOUT_PATH_MAJOR || count == r->paths)
        code = npy_read(&r->z, first * r->z_rows, w->z, count * r->z_rows);
    else
        for (uint64_t row = 0; row < r->z_rows && !code; row++)
            code = npy_read(&r->z, row * r->paths + first, w->z + row * count * r->element, count);
    if (!code) code = check_z(w, r, first, count);
    if (!code && !w->in_place)
        code =
            cli_check(bailey_buffer_write(w->z_buffer, 0, w->z, count * r->z_rows * r->element), "--normals");
    return code;
}

static int fill_chunk(const struct arguments *a, struct work *w, const struct paths_request *r,
                      uint64_t first, uint64_t count)
{
    int code;
    if (r->z.path && r->z_rows) {
        if ((code = read_z(w, r, first, count)) ||
            (code = cli_check(bailey_bridge_build(w->bridge, count, w->z_buffer, w->x_buffer),
                              "generating paths")))
            return code;
    } else {
        const bailey_status status =
            bailey_bridge_paths(w->bridge, &r->source, &r->normal, first, count, w->x_buffer);
        if ((code = options_check(a, status, "generating paths"))) return code;
    }
    if (!w->in_place)
        return cli_check(bailey_buffer_read(w->x_buffer, 0, w->x, count * r->rows * r->element),
                         "reading paths");
    return cli_check(bailey_context_sync(w->context), "generating paths");
}

static double largest(const double *values, uint64_t count, uint64_t stride)
{
    double most = 0;
    for (uint64_t i = 0; i < count; i++) most = fmax(most, fabs(values[i * stride]));
    return most;
}

static const char *content(const struct paths_request *r)
{
    return r->assets.count                                         ? "prices"
           : (r->bridge.output == BAILEY_BRIDGE_OUTPUT_INCREMENTS) ? "increments"
                                                                   : "paths";
}

/* Names the option that contributes most to a path. */
static int overflow_error(const struct work *w, const struct paths_request *r, uint64_t count)
{
    double start = largest(r->process.start, r->bridge.dims, 1),
           end = r->bridge.end ? largest(r->process.end, r->bridge.dims, 1) : 0;
    double variance = r->process.matrix ? largest(r->process.matrix, r->bridge.dims, r->bridge.dims + 1) : 1,
           z = 1;
    double length = r->times[r->bridge.steps - 1] - r->bridge.start_time;
    double limit = r->bridge.precision == BAILEY_PRECISION_F64 ? DBL_MAX : FLT_MAX;
    for (uint64_t i = 0; r->z.path && i < count * r->z_rows; i++)
        z = fmax(z, fabs(cli_element(w->z, r->element, i)));
    double spread = sqrt(variance) * sqrt(length) * z;
    const char *what = r->given_times ? "--times" : "--maturity";
    if (r->assets.count)
        what = "--assets";
    else if (fmax(start, fmax(end, spread)) < limit / 100)
        what = r->given_times ? "--times" : "--steps"; /* an increment of a short time */
    else if (start >= end && start >= spread)
        what = r->bridge.end && end >= start / 2 ? "--start and --end" : "--start";
    else if (end >= spread)
        what = "--end";
    else if (r->z.path && z >= sqrt(variance) && z >= sqrt(length))
        what = "--normals";
    else if (r->process.matrix && variance >= length)
        what = paths_options[r->process.matrix_option].name;
    return cli_error(CLI_USAGE, "%s: this gives %s beyond %s, the largest number of --precision %s%s", what,
                     content(r), r->bridge.precision == BAILEY_PRECISION_F64 ? "1.8e308" : "3.4e38",
                     option_precision(r->bridge.precision),
                     r->bridge.precision == BAILEY_PRECISION_F64 ? "" : "; f64 has a larger range");
}

static int make_bridge(const struct arguments *a, struct work *w, const struct paths_request *r)
{
    const bailey_status status = bailey_bridge_create(w->context, &r->bridge, &w->bridge);
    const char *word = bailey_error_argument();
    if (status && !strcmp(word, r->given_times ? "steps" : "times"))
        return cli_check(status, r->given_times ? "--times" : "--maturity");
    return correlation_check(a, status, "bridge", r->process.matrix_option, r->process.matrix_path,
                             assets_names(&r->assets));
}

static int generate(const struct arguments *a, struct work *w, struct sink *sink,
                    const struct paths_request *r, uint64_t paths)
{
    int code;
    struct cli_progress progress;
    if ((code = make_chunks(w, r, paths))) return code;
    if ((code = sink_begin(sink, paths, w->chunk))) return code;
    cli_progress_start(&progress, "paths");
    for (uint64_t first = 0; first < paths && !code; first += w->chunk) {
        uint64_t count = paths - first < w->chunk ? paths - first : w->chunk;
        code = fill_chunk(a, w, r, first, count);
        if (!code && r->assets.count) prices_of_paths(r, w->x, count);
        if (!code && cli_not_finite(w->x, count * r->rows, r->element) < count * r->rows)
            code = overflow_error(w, r, count);
        if (!code) code = sink_take(sink, w->x, first, count);
        cli_progress_update(&progress, first + count, paths);
    }
    cli_progress_end(&progress);
    return code;
}

static void add_line(struct document *d, const char *output, const struct paths_request *r,
                     const bailey_device *device, uint64_t bytes)
{
    const int prices = r->assets.count > 0;
    document_line(d, "%s: %s path%s of %s step%s %s %llu %s%s, %s, %s layout, %s, %.3f s on %s", output,
                  cli_count(sink_paths(r)), sink_paths(r) == 1 ? "" : "s", cli_count(r->bridge.steps),
                  r->bridge.steps == 1 ? "" : "s", prices ? "of" : "in", (unsigned long long)r->bridge.dims,
                  prices ? "price" : "dimension", r->bridge.dims == 1 ? "" : "s",
                  option_precision(r->bridge.precision),
                  option_word_of("bridge_params", "layout", r->bridge.layout), cli_bytes(bytes),
                  cli_elapsed(), device->address);
}

static void add_array(struct document *d, const struct paths_request *r)
{
    uint64_t shape[3];
    paths_request_shape(r, shape);
    document_count(d, "paths", sink_paths(r)); /* a picture shows fewer than were asked for */
    document_fields(d, "bridge_params", &r->bridge, "steps dims layout precision construction");
    if (r->format != FORMAT_SVG) {
        document_open(d, "shape", '[');
        for (int i = 0; i < 3; i++) document_count(d, NULL, shape[i]);
        document_close(d);
    }
    document_text(d, "content", content(r));
    if (!r->assets.count) return;
    document_open(d, "assets", '[');
    for (uint32_t k = 0; k < r->assets.count; k++) document_text(d, NULL, r->assets.name[k]);
    document_close(d);
    document_number(d, "rate", r->rate);
}

static void add_normals(struct document *d, const struct paths_request *r)
{
    if (r->z.path) {
        document_text(d, "normals", r->z.path);
        return;
    }
    report_source(d, &r->source);
    document_text(d, "normal", option_word_of("normal_params", "method", r->normal.method));
    document_fields(d, "normal_params", &r->normal, "numerics");
    document_count(d, "word_bits", source_bits(&r->source, &r->normal));
}

static int report(const struct arguments *a, const struct paths_request *r, const bailey_device *device,
                  uint64_t bytes)
{
    struct document *d = document_new();
    if (!r->z.path) report_warn_of_points(d, &r->source, 0, r->paths);
    if (strcmp(a->value[OUTPUT], "-")) add_line(d, a->value[OUTPUT], r, device, bytes);
    document_text(d, "output", a->value[OUTPUT]);
    document_text(d, "format", array_formats[r->format]);
    document_count(d, "bytes", bytes);
    add_array(d, r);
    add_normals(d, r);
    report_device(d, device);
    const int code = document_print(d, a->value[JSON] != NULL);
    document_free(d);
    return code;
}

static int paths_with(const struct arguments *a, const struct paths_request *r, struct work *w,
                      struct sink *sink)
{
    uint64_t bytes;
    int code;
    if ((code = sink_open(sink, r, a->value[OUTPUT])) ||
        (code = open_device(a, a->value[DEVICE], &w->context, &w->device)))
        return code;
    w->in_place = !strncmp(w->device.address, "cpu", 3);
    if ((code = make_bridge(a, w, r)) || (code = generate(a, w, sink, r, sink_paths(r))) ||
        (code = sink_end(sink, &bytes)))
        return code;
    return report(a, r, &w->device, bytes);
}

static int run(const struct arguments *a)
{
    struct paths_request request = {0};
    struct work work = {0};
    struct sink sink = {0};
    int code = paths_request_read(a, &request);
    if (!code) code = paths_with(a, &request, &work, &sink);
    sink_free(&sink);
    free_chunks(&work);
    bailey_bridge_destroy(work.bridge);
    bailey_context_destroy(work.context);
    paths_request_free(&request);
    return code;
}

const struct command command_paths = {
    .name = "paths",
    .summary = "generate Brownian paths at your own times",
    .usage = "--steps N | --times FILE  --paths P  --output FILE  [options]",
    .about = "Generates Brownian paths with a Brownian bridge: with a free or a fixed end, and optionally "
             "correlated. The\n"
             "same options give the same bytes on every device.",
    .examples =
        "  bailey paths --steps 64 --paths 1000 --output paths.svg\n"
        "      a picture: 1000 paths on 64 equal steps to time 1\n"
        "  bailey paths --times dates.csv --valuation 2026-01-02 --paths 1000000 --correlation corr.csv -o "
        "paths.npy\n"
        "      numpy.load('paths.npy')[i, j, p] is path p of dimension j at time i of the file\n"
        "  bailey paths --steps 250 --maturity 1 --start 100 --end 100 --paths 20 -o bridge.csv\n"
        "      from 100 to 100, for a spreadsheet: one row per time, one column per path\n"
        "  bailey paths --steps 64 --paths 4096 --order incremental --normals z.npy -o paths.npy\n"
        "      your own normals, in time order\n"
        "  bailey paths --steps 64 --paths 4096 --generator sobol --seed 1 --stream 3 -o paths.npy\n"
        "      quasi-random paths from 2^12 scrambled Sobol points in 64 dimensions\n"
        "  bailey paths --times times.csv --assets assets.csv --correlation correlation.csv --rate 0.03 \\\n"
        "      --paths 20000 --seed 1 -o prices.svg\n"
        "      the prices of examples/asian-basket, on the paths that 'bailey price asian' averages\n"
        "  bailey paths --steps 12 --paths 5 -o - | python3 -c \\\n"
        "      'import io, sys, numpy; x = numpy.load(io.BytesIO(sys.stdin.buffer.read())); print(x.shape)'\n"
        "      an .npy file through a pipe\n"
        "\n"
        "Files:\n"
        "  CSV: fields are separated by commas, numbers have a decimal point, dates are YYYY-MM-DD. Empty "
        "lines,\n"
        "  lines that begin with #, and commas at the end of a line are ignored.\n"
        "  Times, orders: one value per line; times increase. A header row may come first:\n"
        "      times   time, times, t, date, dates, fixing, fixings, year, years\n"
        "      orders  order, orders, index, indices, time, times\n"
        "      or another word without digits, which is skipped with a note, unless it may be a mistyped\n"
        "      number, such as nan or l.\n"
        "  Matrices: one row per line; a header row and a first column of names are allowed if they agree.\n"
        "  .npy: three axes, [step][dim][path] or [path][step][dim]; the last step is T, the start is not "
        "stored.\n"
        "  .csv: --layout step-major: one row per time (and dimension), one column per path; the whole array "
        "is\n"
        "        kept in memory.\n"
        "        --layout path-major: one row per path, one column per time (and dimension).\n"
        "        Increments are labelled with both ends of their interval, prices with the name of the "
        "asset.\n"
        "        Numbers read back exactly.\n"
        "  .svg: up to 60 paths and, for 200 paths or more, the median and quantile bands of up to 20,000.\n"
        "        All panels share one scale of distances from the start or, for prices, of distances "
        "relative to\n"
        "        the spot.\n"
        "  A file appears under its name when it is complete.\n"
        "\n"
        "Orders:\n"
        "  T comes first (unless --end fixes it), then the times before it. bisection halves every known "
        "interval,\n"
        "  level by level; lr and rl go through a level from the left or from the right; down and up round "
        "the\n"
        "  midpoint down or up.\n"
        "  A file has one index per line, 1 for the first time; every time except the last must occur once.\n"
        "  pca has no order: Z[0] drives the component with the largest variance, and so on.\n",
    .options = paths_options,
    .run = run,
    .more_help = generators_help,
};
