/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Where the paths go: an array file, a table, a picture. Paths arrive in chunks, in order.
 */
#ifndef CLI_PATHS_SINK_H
#define CLI_PATHS_SINK_H

#include "fan.h"
#include "paths_request.h"
#include <cli/io/io.h>

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
