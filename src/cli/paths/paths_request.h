/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What `bailey paths` is asked for: its options, read, checked against each other, files loaded.
 */
#ifndef CLI_PATHS_REQUEST_H
#define CLI_PATHS_REQUEST_H

#include "process.h"
#include <cli/io/io.h>
#include <cli/options/options.h>

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

#endif
