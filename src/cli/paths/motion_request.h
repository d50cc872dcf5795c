/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * `bailey motion`: what is asked for, and its picture.
 */
#ifndef CLI_MOTION_REQUEST_H
#define CLI_MOTION_REQUEST_H

#include "process.h"
#include <cli/io/io.h>
#include <cli/options/options.h>

#include <bailey/motion.h>

/* ---- The request --------------------------------------------------------------------------------- */

/* What `bailey motion` is asked for: its options, read and checked against each other. */

extern const struct option motion_options[];

/* Of motion_options. */
/* clang-format off */
enum motion_option {
    H_TIMES, AT, GRID, DEPTH, MATURITY, START_TIME, ZOOM,
    H_PROCESS, PATHS, FIRST_PATH, DIMS, CORRELATION, COVARIANCE, START, END, INCREMENTS, AREAS,
    H_NORMALS, COUNTER_OPTION_NAMES,
    H_OUTPUT, OUTPUT, FORMAT, PRECISION, JSON,
    H_WORK, DEVICE, THREADS, CHUNK_BYTES
};
/* clang-format on */

struct motion_request {
    bailey_motion_params params; /* its arrays are below */
    struct process process;
    double *times;   /* of --at, if they are times; else NULL */
    uint64_t *ticks; /* [count]: of the values, or where intervals end; filled from times by the command,
                        which has a motion */
    uint64_t count;
    double zoom;
    uint64_t first_path, paths, chunk_bytes;
    int format, increments;
    bailey_source source;
};

/* Prints what is wrong, returns an exit code; motion_request_free in any case. */
int motion_request_read(const struct arguments *arguments, struct motion_request *request);
void motion_request_free(struct motion_request *request);

/* ---- The picture --------------------------------------------------------------------------------- */

/* The picture of `bailey motion`: one path, and then six times the half of the panel before that lies around
 * a time, at the same size. A Brownian path looks the same at every scale. */

int motion_zoom(struct output *output, const struct motion_request *request, bailey_context *context,
                bailey_motion *motion);

#endif
