/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What others have, as far as this machine has it: libraries that are opened when the program runs, processes
 * of other languages, kernels with others' device functions, and meters of energy. What cannot be opened says
 * why, and its rows say so.
 */
#ifndef CLI_BENCH_PEERS_H
#define CLI_BENCH_PEERS_H

#include "simulate_deal.h"

#include <bailey/bailey.h>

#include <stddef.h>
#include <sys/types.h>

/* ---- Libraries ---- */

struct dynamic_symbol {
    const char *name;
    void **slot; /* the address of the pointer to fill */
};

/* Opens the first of `names` (NULL ends) that can be opened, and fills every slot. NULL with the reason in
 * `why`, and nothing left open. */
void *dynamic_open(const char *const *names, const struct dynamic_symbol *symbols, size_t count, char *why,
                   size_t why_size);

/* NULL if there is no such symbol. */
void *dynamic_find(void *library, const char *name);

void dynamic_close(void *library); /* NULL is allowed */

/* ---- Processes ---- */

struct bench_child {
    pid_t id;
    int socket;
    char line[1024]; /* the last answer */
};

/* Starts the program words[0], which is looked for as a shell would, with these words (NULL ends). What it
 * writes to standard error goes nowhere. 0, or the error number, and then there is nothing to stop. */
int bench_child_start(struct bench_child *child, const char *const *words);
void bench_child_stop(struct bench_child *child);

int bench_child_write(const struct bench_child *child, const char *text);
/* One line of answer, without its line feed; false at the end of the process, or without an answer in ten
 * minutes. */
int bench_child_read(struct bench_child *child);

/* Of the last answer, as Python's json.dumps writes it: a number, NaN if there is none of that key; the
 * beginning of a text, false if there is none. */
double bench_child_number(const struct bench_child *child, const char *key);
int bench_child_text(const struct bench_child *child, const char *key, char *text, size_t size);

/* ---- NumPy, QuantLib, diffrax, torchsde ---- */

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

/* ---- R ---- */

struct bench_r;

/* Starts the process. NULL with the reason in `why`. */
struct bench_r *bench_r_open(char *why, size_t why_size);
void bench_r_close(struct bench_r *r); /* NULL is allowed */

const char *bench_r_version(const struct bench_r *r); /* of the package: "2.1.1" */
const char *bench_r_note(const struct bench_r *r);    /* "R 4.2.2" */
const char *bench_r_why(const struct bench_r *r);     /* why a run failed */

/* Runs, one after another: what the last one gave, and the processor time of all, which the caller may set to
 * 0. */
struct bench_r_job {
    struct bench_r *r;
    int option; /* of mcqmc06_l: 1 .. 5 */
    double eps;
    uint64_t first_samples;
    unsigned min_level, max_level;
    double value, cost, first, levels; /* cost: steps of fine paths; first: samples of level 0 */
    double processor_seconds;
};

/* Runs, and waits; `user` is the struct bench_r_job. */
bailey_status bench_r_run(void *user);

/* ---- cuRAND's host interface ---- */

/* Uniform numbers are of single precision. */
enum curand_what {
    CURAND_MAKES_WORDS,
    CURAND_MAKES_WORDS_64, /* of points only */
    CURAND_MAKES_UNIFORMS,
    CURAND_MAKES_NORMALS,
    CURAND_MAKES_NORMALS_F64
};

struct bench_curand;

/* For a context of the cuda backend. NULL with the reason in `why`. */
struct bench_curand *bench_curand_open(bailey_context *context, char *why, size_t why_size);
void bench_curand_close(struct bench_curand *curand); /* NULL is allowed */

/* "10.4.0": of the library that was opened. */
const char *bench_curand_version(const struct bench_curand *curand);

/* Generators and orderings by number, NULL past the last: "philox", "dynamic". */
const char *bench_curand_generator(unsigned generator);
const char *bench_curand_ordering(unsigned ordering);

/* Makes the generator, seeded and set up. False where cuRAND does not offer it, with its reason in
 * bench_curand_why; *refused then says whether it is only the ordering that the generator does not have. */
int bench_curand_select(struct bench_curand *curand, unsigned generator, unsigned ordering, int *refused);

/* Generators of points by number, NULL past the last: "sobol32". */
const char *bench_curand_quasi(unsigned generator);

/* Makes that one, for points of so many dimensions, a dimension after the other. False where cuRAND does not
 * offer it, with its reason in bench_curand_why. */
int bench_curand_select_points(struct bench_curand *curand, unsigned generator, unsigned dims);

/* What bench_curand_queue makes, and where: `count` numbers at the beginning of `out`, of normals an even
 * count, of points whole ones. */
void bench_curand_aim(struct bench_curand *curand, enum curand_what what, bailey_buffer *out, uint64_t count);

/* Queues a call; `user` is the struct bench_curand. What cuRAND finds wrong is ERROR_DRIVER, with its reason
 * in bench_curand_why; else the reason is the library's. */
bailey_status bench_curand_queue(void *user);
const char *bench_curand_why(const struct bench_curand *curand); /* "" if nothing of it failed */

/* Whether the last call failed because the generator does not make such numbers. */
int bench_curand_lacks(const struct bench_curand *curand);

/* ---- Kernels with cuRAND's device functions ---- */

struct bench_peers;

/* For a context of the cuda backend. NULL with the reason in `why`. */
struct bench_peers *bench_peers_open(bailey_context *context, char *why, size_t why_size);
void bench_peers_close(struct bench_peers *peers); /* NULL is allowed */

/* A kernel, with the launch that was found to be the fastest. */
struct bench_peer {
    struct bench_peers *peers;
    void *kernel;          /* NULL: there is none */
    const char *name;      /* of the variant: "basket_philox_f32_4" */
    unsigned block, grid;  /* threads of a block, blocks */
    const void *arguments; /* its first argument, a struct */
    uint64_t paths;
};

/* Tries the variants in `names` (NULL ends) in groups of 128, 256 and 512 threads. `arguments` must live on.
 * False with the reason in bench_peers_why. */
int bench_peer_choose(struct bench_peers *peers, const char *const *names, const void *arguments,
                      uint64_t paths, struct bench_peer *peer);

/* Where a buffer's memory is on the device. */
bailey_status bench_peers_address(bailey_buffer *buffer, unsigned long long *address);

/* Queues a call; `user` is the struct bench_peer. A failure has its reason in bench_peers_why. */
bailey_status bench_peer_queue(void *user);
const char *bench_peers_why(const struct bench_peers *peers);

/* Waits for the last call: the mean of its payoffs and the standard error. */
bailey_status bench_peer_result(const struct bench_peer *peer, double *mean, double *error);

/* ---- Energy ---- */

struct bench_energy;

/* Of a device, or of the processors if that is NULL. NULL with the reason in `why`. */
struct bench_energy *bench_energy_open(const bailey_device *device, char *why, size_t why_size);
void bench_energy_close(struct bench_energy *meter); /* NULL is allowed */

const char *bench_energy_source(const struct bench_energy *meter); /* "NVML", "RAPL" */

/* Joules since some time in the past; NaN if the meter cannot be read any more. To be asked at least once a
 * minute: those of processors begin anew now and then. */
double bench_energy_joules(struct bench_energy *meter);

#endif
