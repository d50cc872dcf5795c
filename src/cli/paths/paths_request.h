/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * `bailey paths`: what is asked for, and where the paths go.
 */
#ifndef CLI_PATHS_REQUEST_H
#define CLI_PATHS_REQUEST_H

#include "process.h"
#include <cli/io/io.h>
#include <cli/options/options.h>
#include <cli/plot/plot.h>

/* ---- The request --------------------------------------------------------------------------------- */

/* What `bailey paths` is asked for: its options, read, checked against each other, files loaded. */

extern const struct option paths_options[];

/* Of paths_options. */
/* clang-format off */
enum paths_option {
    H_TIMES, STEPS, TIMES, VALUATION, MATURITY, START_TIME,
    H_PROCESS, PATHS, DIMS, CORRELATION, COVARIANCE, START, END, INCREMENTS, ASSETS, RATE,
    H_ORDER, CONSTRUCTION, ORDER, IMPORTANT,
    H_NORMALS, NORMALS, NORMAL, WORD_BITS, SOURCE_OPTION_NAMES,
    H_POINTS, PATH_POINT_OPTION_NAMES,
    H_OUTPUT, OUTPUT, FORMAT, PRECISION, LAYOUT, JSON,
    H_WORK, NUMERICS, STRATEGY, DEVICE, THREADS, CHUNK_BYTES
};
/* clang-format on */

struct paths_request {
    bailey_bridge_params bridge; /* its arrays are below */
    double *times;
    struct order order;
    struct process process;
    uint64_t paths, chunk_bytes;
    int given_times;      /* by --times */
    struct assets assets; /* of --assets: prices are written; else none */
    double rate;
    int format;
    bailey_normal_params normal;
    bailey_source source; /* of the normals, unless they are in `z` */
    struct npy z;
    size_t element;
    uint64_t rows;   /* steps times dims: elements of a path */
    uint64_t z_rows; /* of its normals */
};

/* Prints what is wrong, returns an exit code; paths_request_free in any case. */
int paths_request_read(const struct arguments *arguments, struct paths_request *request);
void paths_request_free(struct paths_request *request);

/* Axes of the output. */
void paths_request_shape(const struct paths_request *request, uint64_t shape[3]);

/* ---- Prices -------------------------------------------------------------------------------------- */

/* Prices of assets from Brownian paths: S(t) = spot exp((rate - dividend - volatility^2 / 2) t + volatility
 * X(t)), one dimension per asset, t from the start. In the paths' precision, on the host, so the bits
 * are the same for every device. */

/* The options that go with --assets, which is given. Prints what is wrong, returns an exit code. */
int prices_read(const struct arguments *arguments, struct paths_request *request);

/* Replaces `count` paths, an array of the request's layout, by the prices. */
void prices_of_paths(const struct paths_request *request, char *array, uint64_t count);

/* ---- The picture --------------------------------------------------------------------------------- */

/* The picture of `bailey paths`: a fan of thin paths, quantile bands and the median, one panel per dimension.
 */

#define FAN_PANELS_MAX 8u
#define FAN_POINTS_MAX 240u
#define FAN_PATHS_MAX 20000u /* that the bands are computed from */
#define FAN_BANDS_MIN 200u   /* fewer paths have no bands: 5 % would be a handful */

/* All panels have one vertical scale: the same height is the same distance from the panel's reference, or, if
 * `relative`, the same fraction of it. */
struct fan {
    const char *title, *subtitle, *axis; /* text of any kind; `axis` names the vertical axis */
    const char *const *names;            /* of the panels, of any kind; or NULL */
    uint64_t panels, points, paths;
    const double *times;              /* [points] */
    double *values;                   /* [panels][points][paths] */
    double reference[FAN_PANELS_MAX]; /* positive if relative */
    int relative;
};

/* How many of the paths are drawn, one by one. */
uint64_t fan_drawn(uint64_t panels, uint64_t paths);

int fan_write(struct output *output, const struct fan *fan);

/* ---- Where paths go ------------------------------------------------------------------------------ */

/* Where the paths go: an array file, a table, a picture. Paths arrive in chunks, in order. */

struct sink {
    const struct paths_request *request;
    struct output output;
    uint64_t array_bytes;
    uint64_t header; /* bytes before an .npy file's data */
    char *whole;     /* the whole array, where the output needs its rows complete and in order; or NULL */
    struct fan fan;
    double *fan_times;
    uint64_t *fan_step; /* which step each drawn point is; UINT64_MAX: the start */
};

/* How many of the request's paths the output needs; a picture needs fewer. */
uint64_t sink_paths(const struct paths_request *request);

/* Opens the output, before anything is computed. sink_free in any case. */
int sink_open(struct sink *sink, const struct paths_request *request, const char *path);

/* Paths 0 .. paths - 1 will come in chunks of `chunk`. */
int sink_begin(struct sink *sink, uint64_t paths, uint64_t chunk);

/* Paths first .. first + count - 1, an array of the request's layout. */
int sink_take(struct sink *sink, const char *array, uint64_t first, uint64_t count);

/* Completes the file; *bytes is its length. */
int sink_end(struct sink *sink, uint64_t *bytes);
void sink_free(struct sink *sink);

#endif
