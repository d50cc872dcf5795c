/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Reads the options and files of `bailey paths`, and checks them against each other before a device is
 * opened, which may take seconds.
 */
#include "paths_request.h"

#include <cli/io/io.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
const struct option paths_options[] = {
    HEADING("Times:"),
    FIELD(bridge_params, steps, "--steps", .help = "number of equally spaced times, T i / N for i = 1 .. N; the last is T"),
    FIELD(bridge_params, times, "--times", .value = "FILE",
          .help = "alternatively, a file of increasing numbers or dates, one per line; the last is T"),
    OPTION("--valuation", "DATE", "today's date, from which the dates of --times are counted, actual / 365 fixed"),
    OPTION("--maturity", "T", "with --steps: the last time; default 1", .before = "--horizon"),
    FIELD(bridge_params, start_time, "--start-time", .value = "T0"),
    HEADING("Process:"),
    OPTION("--paths", "P", "number of paths, 1 to 2^38; default with --normals: the number in the file"),
    FIELD(bridge_params, dims, "--dims", .value = "D", .help = "number of dimensions, if the files and lists below do not give it"),
    FIELD(bridge_params, covariance, "--correlation", .value = "FILE|RHO",
          .help = "CSV file with ones on the diagonal, or one number for every pair of dimensions"),
    OPTION("--covariance", "FILE", "alternatively, CSV file of the covariance per unit of time"),
    FIELD(bridge_params, start, "--start", .value = "A,B,...", .help = "value at the start time, one number per dimension"),
    FIELD(bridge_params, end, "--end", .value = "A,B,...", .help = "fixed value at T, one number per dimension"),
    OPTION("--increments", NULL, "write (X(t[i+1]) - X(t[i])) / (t[i+1] - t[i]) instead of X"),
    OPTION("--assets", "FILE",
     "write prices instead of X, one dimension per asset of this file (see 'bailey price asian --help'): "
     "S(t) = spot exp((rate - dividend - volatility^2 / 2) t + volatility X(t))"),
    OPTION("--rate", "R", "with --assets: continuously compounded, 0.03 for 3 %"),
    HEADING("Construction (assigns random numbers to times; see 'Orders' below):"),
    FIELD(bridge_params, construction, "--construction"),
    FIELD(bridge_params, order, "--order", .value = "NAME|FILE",
          .help = "construction order: bisection (lr-down), lr-up, rl-down, rl-up, incremental, or a file"),
    OPTION("--important", "I,J,...", "with a named order: construct these times first (1 is the first time)"),
    HEADING("Random numbers:"),
    OPTION("--normals", "Z.npy",
     "your own normals, with the shape, precision and layout of the output and the steps in "
     "construction order (Z[0] builds T; with pca, components; with walk, time order); with --end, one step "
     "fewer"),
    FIELD(normal_params, method, "--normal", .only = "icdf box-muller"),
    WORD_BITS_OPTION,
    SOURCE_OPTIONS,
    HEADING("Points (--generator sobol); path N is point N; use 2^m paths:"),
    PATH_POINT_OPTIONS,
    HEADING("Output:"),
    OPTION("--output", "FILE", "file to write, in the format of its name: .npy, .csv or .svg; - is .npy to standard output", .letter = 'o'),
    OPTION("--format", "npy|csv|svg", "format, if the file name does not give it"),
    FIELD(bridge_params, precision, "--precision", .help = "precision of the arithmetic and the output"),
    FIELD(bridge_params, layout, "--layout", .words_before = "step=step-major path=path-major"),
    OPTION("--json", NULL, "print the report as JSON to standard output"),
    HEADING("Device:"),
    FIELD(normal_params, numerics, "--numerics"),
    FIELD(bridge_params, strategy, "--strategy", .help = "how paths are computed, which changes only the speed"),
    OPTION("--device", "D", OPTION_DEVICE_HELP),
    THREADS_OPTION,
    OPTION("--chunk-bytes", "B", "memory for a chunk of work, with no effect on the output; default 268435456"),
    OPTIONS_END,
};
/* clang-format on */

/* T i / N: one rounded product, one rounded quotient, on every machine */
static int equal_times(struct paths_request *r, double maturity)
{
    const uint64_t steps = r->bridge.steps;
    const double start = r->bridge.start_time, length = maturity - start;
    double last = start;
    r->times = malloc((size_t)steps * sizeof *r->times);
    if (!r->times) return cli_memory_error("the times", steps * sizeof *r->times);
    for (uint64_t i = 0; i < steps; i++) {
        const double product = length * (double)(i + 1);
        const double time = i + 1 == steps ? maturity : start + product / (double)steps;
        if (!(time > last))
            return cli_error(CLI_USAGE,
                             "--steps: %llu steps are too many: times %llu and %llu are the same number",
                             (unsigned long long)steps, (unsigned long long)i, (unsigned long long)(i + 1));
        r->times[i] = last = time;
    }
    return CLI_OK;
}

static int read_times(const struct arguments *a, struct paths_request *r)
{
    const double start = r->bridge.start_time;
    int64_t valuation = INT64_MIN;
    double maturity = 1;
    int code;
    if (!a->value[STEPS] && !a->value[TIMES])
        return cli_error(CLI_USAGE, "--steps N or --times FILE is required");
    if ((code = options_conflict(a, STEPS, TIMES, "the file gives the number of times")) ||
        (code = options_conflict(a, MATURITY, TIMES, "the file's last time is the maturity")) ||
        (code = options_conflict(a, VALUATION, STEPS, "only dates in --times need it")) ||
        (code = option_date(a, VALUATION, &valuation)) || (code = option_f64(a, MATURITY, &maturity)))
        return code;
    r->given_times = a->value[TIMES] != NULL;
    if (r->given_times)
        return csv_times("--times", a->value[TIMES], start, &valuation, BAILEY_BRIDGE_MAX_STEPS, &r->times,
                         &r->bridge.steps);
    if (!(maturity > start))
        return cli_error(CLI_USAGE, "--maturity: %s is not greater than the start time, %s",
                         a->value[MATURITY] ? a->value[MATURITY] : "1",
                         a->value[START_TIME] ? a->value[START_TIME] : "0");
    if (!isfinite((maturity - start) * (double)r->bridge.steps))
        return cli_error(CLI_USAGE, "--maturity: %s times %llu steps is beyond the largest double",
                         a->value[MATURITY], (unsigned long long)r->bridge.steps);
    return equal_times(r, maturity);
}

static int read_process(const struct arguments *a, struct paths_request *r)
{
    static const struct process_options at = {CORRELATION, COVARIANCE, START, END};
    struct process *p = &r->process;
    const uint64_t *shape = r->z.shape;
    uint32_t otherwise = 1;
    int code;
    if (r->z.path) otherwise = (uint32_t)shape[r->bridge.layout == BAILEY_LAYOUT_STEP_MAJOR ? 1 : 2];
    if (r->bridge.dims) process_agree(p, "--dims", r->bridge.dims);
    if (a->value[RATE] && !a->value[ASSETS])
        return cli_error(CLI_USAGE, "--rate needs prices; add --assets FILE");
    if (a->value[ASSETS] &&
        ((code = prices_read(a, r)) || (code = process_agree(p, "--assets", r->assets.count))))
        return code;
    code = process_read(a, &at, assets_names(&r->assets), r->assets.count, otherwise, p);
    r->bridge.dims = p->dims;
    r->bridge.covariance = p->matrix;
    r->bridge.start = p->start;
    r->bridge.end = p->has_end ? p->end : NULL;
    return code;
}

static int read_normals(const struct arguments *a, struct paths_request *r)
{
    static const int others[] = {NORMAL, WORD_BITS, SOURCE_OPTION_NAMES, PATH_POINT_OPTION_NAMES};
    int code;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if ((code = options_conflict(a, NORMALS, others[i], "the file holds the random numbers")))
            return code;
    }
    if ((code = source_read(a, &r->source, &r->normal))) return code;
    r->normal.precision = r->bridge.precision;
    return a->value[NORMALS] ? npy_open(&r->z, a->value[NORMALS]) : CLI_OK;
}

static int read_paths(const struct arguments *a, struct paths_request *r)
{
    int step_major = r->bridge.layout == BAILEY_LAYOUT_STEP_MAJOR, code;
    if (!a->value[PATHS]) {
        if (!r->z.path) return cli_error(CLI_USAGE, "--paths P is required");
        r->paths = r->z.shape[step_major ? 2 : 0];
        if (!r->paths || r->paths > BAILEY_BRIDGE_MAX_PATHS)
            return cli_error(CLI_USAGE, "--normals: %s has %llu paths; 1 to 2^38 are allowed", r->z.path,
                             (unsigned long long)r->paths);
    }
    if ((code = option_u64(a, PATHS, 1, BAILEY_BRIDGE_MAX_PATHS, &r->paths))) return code;
    if (!r->z.path) return CLI_OK;
    if (r->z.element != r->element)
        return cli_error(CLI_USAGE, "--normals: %s holds %s, --precision is %s", r->z.path,
                         r->z.element == 4 ? "float ('<f4')" : "double ('<f8')",
                         option_precision(r->bridge.precision));
    uint64_t z_steps = r->bridge.steps - (r->bridge.end != NULL);
    const uint64_t wanted[3] = {step_major ? z_steps : r->paths, step_major ? r->bridge.dims : z_steps,
                                step_major ? r->paths : r->bridge.dims};
    if (memcmp(wanted, r->z.shape, sizeof wanted))
        return cli_error(
            CLI_USAGE, "--normals: %s has shape (%llu, %llu, %llu); (%llu, %llu, %llu) is required, %s%s",
            r->z.path, (unsigned long long)r->z.shape[0], (unsigned long long)r->z.shape[1],
            (unsigned long long)r->z.shape[2], (unsigned long long)wanted[0], (unsigned long long)wanted[1],
            (unsigned long long)wanted[2], step_major ? "[step][dim][path]" : "[path][step][dim]",
            r->bridge.end ? ", with one step fewer because the end is fixed" : "");
    return CLI_OK;
}

static int read_construction(const struct arguments *a, struct paths_request *r)
{
    const int walk = r->bridge.construction == BAILEY_CONSTRUCTION_WALK;
    int code;
    if (r->bridge.construction <= BAILEY_CONSTRUCTION_BRIDGE) {
        r->bridge.construction = BAILEY_CONSTRUCTION_BRIDGE; /* the report says which */
        code = order_read(a, ORDER, IMPORTANT, r->bridge.steps - 1, &r->order);
        r->bridge.order = r->order.index;
        return code;
    }
    const char *why = walk ? "walk has no order" : "pca has no order";
    if ((code = options_conflict(a, CONSTRUCTION, ORDER, why)) ||
        (code = options_conflict(a, CONSTRUCTION, IMPORTANT, why)))
        return code;
    return walk ? options_conflict(a, CONSTRUCTION, END, "walk has a free end") : CLI_OK;
}

int paths_request_read(const struct arguments *a, struct paths_request *r)
{
    int code;
    r->chunk_bytes = UINT64_C(256) << 20;
    if (a->value[INCREMENTS]) r->bridge.output = BAILEY_BRIDGE_OUTPUT_INCREMENTS;
    if ((code = options_read_fields(a, "bridge_params", &r->bridge)) ||
        (code = option_u64(a, CHUNK_BYTES, 1, UINT64_C(1) << 40, &r->chunk_bytes)) ||
        (code = array_format_read(a, OUTPUT, FORMAT, JSON, &r->format)) || (code = read_times(a, r)) ||
        (code = read_normals(a, r)) || (code = read_process(a, r)) || (code = read_construction(a, r)))
        return code;
    r->bridge.times = r->times;
    r->element = r->bridge.precision == BAILEY_PRECISION_F64 ? 8 : 4;
    if ((code = read_paths(a, r))) return code;
    r->rows = r->bridge.steps * r->bridge.dims;
    r->z_rows = (r->bridge.steps - (r->bridge.end != NULL)) * r->bridge.dims;
    return CLI_OK;
}

void paths_request_free(struct paths_request *r)
{
    free(r->times);
    free(r->process.matrix);
    free(r->order.index);
    assets_free(&r->assets);
    npy_close(&r->z);
}

void paths_request_shape(const struct paths_request *r, uint64_t shape[3])
{
    int step_major = r->bridge.layout == BAILEY_LAYOUT_STEP_MAJOR;
    shape[0] = step_major ? r->bridge.steps : r->paths;
    shape[1] = step_major ? r->bridge.dims : r->bridge.steps;
    shape[2] = step_major ? r->paths : r->bridge.dims;
}
