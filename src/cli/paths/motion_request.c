/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Reads the options of `bailey motion`. Times are given as ticks, as times that the motion rounds to ticks
 * later, or as a grid.
 */
#include "motion_request.h"

#include <cli/io/io.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* clang-format off */
const struct option motion_options[] = {
    HEADING("Times:"),
    OPTION("--at", "FILE",
     "times, or ticks after the header row 'ticks', one per line, in any order, with or without "
     "repetitions"),
    OPTION("--grid", "N", "number of equal steps, a power of two"),
    FIELD(motion_params, depth, "--depth", .value = "D",
          .help = "divide the time to maturity into 2^D ticks; a greater depth changes no value at existing ticks", .before = "--levels"),
    FIELD(motion_params, end_time, "--maturity", .value = "T", .before = "--horizon"),
    FIELD(motion_params, start_time, "--start-time", .value = "T0"),
    OPTION("--zoom", "T", "for a picture: the time to magnify; default: the middle"),
    HEADING("Process:"),
    OPTION("--paths", "P", "number of paths; a picture shows one"),
    OPTION("--first-path", "P", "index of the first path; default 0"),
    FIELD(motion_params, dims, "--dims", .value = "D", .help = "number of dimensions, if the options below do not give it"),
    FIELD(motion_params, covariance, "--correlation", .value = "FILE|RHO",
          .help = "CSV file with ones on the diagonal, or one number for every pair of dimensions"),
    OPTION("--covariance", "FILE", "alternatively, CSV file of the covariance per unit of time"),
    FIELD(motion_params, start, "--start", .value = "X0,...", .help = "value at the start time, one number per dimension"),
    FIELD(motion_params, end, "--end", .value = "X1,...", .help = "fixed value at the maturity, one number per dimension"),
    OPTION("--increments", NULL,
     "write the increment since the previous time (for the first time, since the start) instead of the value"),
    FIELD(motion_params, areas, "--areas",
          .help = "with --increments: write the space-time Levy area H of each interval too, or H and K; each choice "
          "has other paths"),
    HEADING("Random numbers:"),
    COUNTER_OPTIONS("philox philox7"),
    HEADING("Output:"),
    OPTION("--output", "FILE", "file to write, in the format of its name: .npy, .csv, or .svg, a picture; - is .npy to standard output", .letter = 'o'),
    OPTION("--format", "npy|csv|svg", "format, if the file name does not give it"),
    FIELD(motion_params, precision, "--precision", .help = "precision, which also selects other random words"),
    OPTION("--json", NULL, "print the report as JSON to standard output"),
    HEADING("Device:"),
    OPTION("--device", "D", OPTION_DEVICE_HELP),
    THREADS_OPTION,
    OPTION("--chunk-bytes", "B", "memory for a chunk of work, with no effect on the output; default 268435456"),
    OPTIONS_END,
};
/* clang-format on */

/* ---- Times ---- */

static int is_one_of(const char *word, const char *const *words)
{
    while (*words && strcasecmp(word, *words)) words++;
    return *words != NULL;
}

/* One number of --at, as a time or as a tick. */
static int read_number(const struct csv *csv, struct motion_request *r, int ticks)
{
    if (csv->fields != 1) return csv_error(csv, "%zu numbers; one per line is expected", csv->fields);
    if (!ticks) return csv_number(csv, 0, "time", &r->times[r->count++]);
    const uint64_t last = (uint64_t)1 << r->params.depth;
    const enum parse_result result = parse_u64(csv->field[0], &r->ticks[r->count]);
    if (result == PARSE_MALFORMED)
        return csv_error(csv, "'%s' is not an integer", cli_printable(csv->field[0]));
    if (result == PARSE_RANGE || r->ticks[r->count] > last)
        return csv_error(csv, "tick %s is beyond the last, 2^%u", cli_printable(csv->field[0]),
                         r->params.depth);
    r->count++;
    return CLI_OK;
}

static int grow(struct motion_request *r, uint64_t room)
{
    double *times = realloc(r->times, room * sizeof *times);
    if (times) r->times = times;
    uint64_t *ticks = realloc(r->ticks, room * sizeof *ticks);
    if (ticks) r->ticks = ticks;
    return times && ticks ? CLI_OK : cli_memory_error("--at", room * sizeof *times);
}

static int read_file(struct csv *csv, struct motion_request *r)
{
    static const char *const tick_words[] = {"tick", "ticks", NULL}, *const time_words[] = {"time", "times",
                                                                                            "t", NULL};
    uint64_t room = 0;
    int ticks = 0, code, first = 1;
    while (!(code = csv_next(csv)) && csv->fields) {
        csv_trim(csv, 1);
        if (first && (is_one_of(csv->field[0], tick_words) || is_one_of(csv->field[0], time_words))) {
            ticks = is_one_of(csv->field[0], tick_words);
            first = 0;
            continue;
        }
        first = 0;
        if (r->count == room && (code = grow(r, room = room ? 2 * room : 64))) return code;
        if ((code = read_number(csv, r, ticks))) return code;
    }
    if (!code && !r->count) return cli_error(CLI_USAGE, "--at: %s has no times", csv->path);
    if (ticks) {
        free(r->times);
        r->times = NULL;
    }
    return code;
}

static int read_at(const char *path, struct motion_request *r)
{
    struct csv csv;
    int code = csv_open(&csv, "--at", path);
    if (code) return code;
    code = read_file(&csv, r);
    csv_close(&csv);
    return code;
}

static int read_grid(const struct arguments *a, struct motion_request *r)
{
    uint64_t steps = 0;
    const int code = option_u64(a, GRID, 1, (uint64_t)1 << 40, &steps);
    if (code) return code;
    const uint64_t ticks = (uint64_t)1 << r->params.depth;
    if (steps & (steps - 1) || steps > ticks)
        return cli_error(CLI_USAGE, "--grid: %llu is not a power of two up to 2^%u",
                         (unsigned long long)steps, r->params.depth);
    r->ticks = steps <= SIZE_MAX / sizeof *r->ticks ? malloc((size_t)steps * sizeof *r->ticks) : NULL;
    if (!r->ticks) return cli_memory_error("--grid", steps * sizeof *r->ticks);
    for (r->count = 0; r->count < steps; r->count++) r->ticks[r->count] = ticks / steps * (r->count + 1);
    return CLI_OK;
}

static int read_times(const struct arguments *a, struct motion_request *r)
{
    const double start = r->params.start_time;
    const int code = options_conflict(a, AT, GRID, "each gives the times");
    if (code) return code;
    if (!a->value[MATURITY]) r->params.end_time = 1;
    if (!r->params.depth) r->params.depth = BAILEY_MOTION_MAX_DEPTH;
    if (!(r->params.end_time > start))
        return cli_error(CLI_USAGE, "--maturity: %s is not greater than the start time, %s",
                         a->value[MATURITY] ? a->value[MATURITY] : "1",
                         a->value[START_TIME] ? a->value[START_TIME] : "0");
    if (r->format == FORMAT_SVG) return CLI_OK;
    if (a->value[GRID]) return read_grid(a, r);
    if (!a->value[AT]) return cli_error(CLI_USAGE, "--at FILE or --grid N is required");
    return read_at(a->value[AT], r);
}

/* ---- Process and output ---- */

static int read_process(const struct arguments *a, struct motion_request *r)
{
    static const struct process_options at = {CORRELATION, COVARIANCE, START, END};
    struct process *p = &r->process;
    if (r->params.dims) process_agree(p, "--dims", r->params.dims);
    const int code = process_read(a, &at, NULL, 0, 1, p);
    if (code) return code;
    r->params.dims = p->dims;
    r->params.covariance = p->matrix;
    r->params.start = p->has_start ? p->start : NULL;
    r->params.end = p->has_end ? p->end : NULL;
    r->increments = a->value[INCREMENTS] != NULL;
    if (r->params.areas && !r->increments)
        return cli_error(CLI_USAGE, "--areas needs intervals; add --increments");
    return CLI_OK;
}

/* A picture shows one path, whose times it finds itself. */
static int read_picture(const struct arguments *a, struct motion_request *r)
{
    static const int others[] = {AT, GRID, PATHS, INCREMENTS};
    if (r->format != FORMAT_SVG) {
        if (a->value[ZOOM]) return cli_error(CLI_USAGE, "--zoom needs a picture, --output FILE.svg");
        return a->value[PATHS] ? CLI_OK : cli_error(CLI_USAGE, "--paths P is required");
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (a->value[others[i]])
            return cli_error(CLI_USAGE,
                             "%s: not allowed with a picture, which shows one path (--first-path, --zoom)",
                             motion_options[others[i]].name);
    r->zoom = r->params.start_time + (r->params.end_time - r->params.start_time) / 2;
    const int code = option_f64(a, ZOOM, &r->zoom);
    if (code) return code;
    if (!(r->zoom >= r->params.start_time && r->zoom <= r->params.end_time))
        return cli_error(CLI_USAGE, "--zoom: %s is not from the start time to the maturity", a->value[ZOOM]);
    return CLI_OK;
}

int motion_request_read(const struct arguments *a, struct motion_request *r)
{
    int code;
    r->chunk_bytes = UINT64_C(256) << 20;
    r->paths = 1;
    if ((code = array_format_read(a, OUTPUT, FORMAT, JSON, &r->format)) ||
        (code = options_read_fields(a, "motion_params", &r->params)) || (code = read_times(a, r)) ||
        (code = read_process(a, r)) || (code = read_picture(a, r)) ||
        (code = source_read(a, &r->source, NULL)) ||
        (code = option_u64(a, PATHS, 1, BAILEY_BRIDGE_MAX_PATHS, &r->paths)) ||
        (code = option_u64(a, FIRST_PATH, 0, BAILEY_BRIDGE_MAX_PATHS - r->paths, &r->first_path)))
        return code;
    return option_u64(a, CHUNK_BYTES, 1, UINT64_C(1) << 40, &r->chunk_bytes);
}

void motion_request_free(struct motion_request *r)
{
    free(r->process.matrix);
    free(r->times);
    free(r->ticks);
}
