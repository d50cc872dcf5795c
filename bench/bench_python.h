/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * NumPy and QuantLib by python_peers.py, whose text is in this program: a Python process for each thread,
 * which waits for numbers of paths until it is closed.
 */
#ifndef CLI_BENCH_PYTHON_H
#define CLI_BENCH_PYTHON_H

#include <bailey/bailey.h>

#include <stddef.h>

struct bench_python;

/* Starts the processes, each with its share of the paths. The module is "numpy" or "quantlib", the deal JSON,
 * as the script wants it. NULL with the reason in `why`. */
struct bench_python *bench_python_open(const char *module, const char *precision, const char *deal,
                                       unsigned processes, char *why, size_t why_size);
void bench_python_close(struct bench_python *python); /* NULL is allowed */

const char *bench_python_version(const struct bench_python *python); /* of the module: "2.4.6" */
const char *bench_python_note(const struct bench_python *python);    /* where its normals come from */
unsigned bench_python_processes(const struct bench_python *python);
const char *bench_python_why(const struct bench_python *python); /* why a call failed */

/* Calls, one after another: their last price, not discounted, and the processor time of all, which the caller
 * may set to 0. */
struct bench_python_job {
    struct bench_python *python;
    uint64_t paths;
    double mean, error, processor_seconds;
};

/* Prices, and waits; `user` is the struct bench_python_job. */
bailey_status bench_python_run(void *user);

#endif
