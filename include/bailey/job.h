/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Jobs: simulation runs that take long, or use several devices. A job can save checkpoints and resume after
 * any interruption, and can stop at a target standard error. Its results have the bits of
 * bailey_simulation_run, however the work is distributed and however often it is interrupted.
 *
 *     bailey_simulation *simulations[] = {on_cuda, on_cpu}; // one per context, of the same payoff
 *     bailey_job_params job = {.run = {.paths = UINT64_C(1) << 36}, .checkpoint = "run.checkpoint"};
 *     bailey_job_run(simulations, 2, &job, &estimate, NULL);
 *
 * To distribute the work yourself, use tallies. A tally is a partial result: the accumulated sums of some
 * parts of a run. It can run any parts of the run, and be saved, sent, loaded and merged. docs/long-runs.md
 * explains both.
 */
#ifndef BAILEY_JOB_H
#define BAILEY_JOB_H

#include <bailey/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Jobs ------------------------------------------------------------------------------------------ */

#define BAILEY_JOB_MAX_STAGES 64u
#define BAILEY_JOB_MAX_DEVICES 64u

typedef struct bailey_job bailey_job;

/* Serves work to others: the thread that called the job calls it repeatedly, some hundred times a second. It
 * may lease, merge and return parts. It must set `*others` to the number of workers that may still take work:
 * a job whose own devices have all failed continues as long as there are any. A status other than OK ends the
 * job. */
typedef bailey_status (*bailey_job_serve)(void *user, bailey_job *job, uint64_t *others);

#define BAILEY_JOB_MOST_PATHS                                                                                \
    (UINT64_C(1) << 30) /* the maximum of paths with a target, if a job does not give one */

typedef struct bailey_job_params {
    /* `samples` must be NULL; histogram.counts and covariance are written at the end. With `target_error`,
     * `paths` is the maximum, and 0 means BAILEY_JOB_MOST_PATHS. The calling thread calls `progress` a few
     * times a second. If it stops the job, work in flight is finished first (a fraction of a second) and
     * saved. */
    bailey_simulation_run_params run;
    /* Nonzero: the job ends as soon as the standard error of output `target_output` is at most this, using
     * control variates if there are any. With replicates, it ends as soon as their 95 % interval is at most
     * 1.96 times this on either side (bailey_student_95). An unknown standard error, NaN, does not end it,
     * nor do outputs that are all 0. The error is checked after initial_paths paths of each replicate, twice
     * as many, four times, ..., and after run.paths, independently of the speed of the devices. */
    double target_error;
    uint32_t target_output;
    uint64_t initial_paths; /* 0: 16384 */
    /* The file that the job is saved to, and resumed from if it exists. NULL: none. */
    const char *checkpoint;
    double checkpoint_seconds; /* between saves; 0: 60 */
    bailey_job_serve serve;    /* may be NULL */
    void *serve_user;
    uint64_t reserved[4];
} bailey_job_params;

/* The report on one device, or simulation. */
typedef struct bailey_job_device {
    uint64_t paths;       /* run by it, of all replicates */
    double seconds;       /* spent computing */
    bailey_status status; /* not OK: it failed, and the others took over */
    char message[256];    /* the reason */
    uint64_t reserved[4];
} bailey_job_device;

typedef struct bailey_job_report {
    uint64_t paths;   /* of each replicate, included in the estimates */
    uint32_t reached; /* 1: the target was reached */
    uint64_t loaded;  /* paths loaded from the checkpoint, of all replicates */
    uint64_t known;   /* paths completed, of all replicates; a checkpoint contains these */
    uint32_t stages;  /* how often the standard error was checked, in all runs of the job */
    uint64_t stage_paths[BAILEY_JOB_MAX_STAGES];
    double stage_standard_error[BAILEY_JOB_MAX_STAGES]; /* NaN: not known */
    char checkpoint_message[256];                       /* why the last attempt to save failed; else empty */
    bailey_job_device device[BAILEY_JOB_MAX_DEVICES];
    uint64_t reserved[4];
} bailey_job_report;

/* Runs a job on all simulations, each on a separate context, and all with the same payoff, parameters and
 * paths. Each has a thread, and takes work according to its speed. If a device fails, the others take over
 * its work. `report` may be NULL; it is written whatever the status.
 *
 * Returns: OK; ERROR_INVALID (invalid for bailey_simulation_run; simulations that differ; a checkpoint that
 * is damaged or of another run or version, as the message says), ERROR_CANCELLED, ERROR_IO (a checkpoint that
 * can be neither read nor created; nothing was run), ERROR_PAYOFF (as bailey_simulation_run: all paths before
 * a failing one are run, those after it are not), or the error of the last device. If the job was cancelled
 * or all devices failed, the checkpoint contains all completed work unless report->checkpoint_message says
 * otherwise, and the same call resumes from it. Threads: do not use the contexts during the call. Results: as
 * bailey_simulation_run with as many paths. */
BAILEY_API bailey_status bailey_job_run(bailey_simulation *const *simulations, size_t count,
                                        const bailey_job_params *params, bailey_estimate *estimates,
                                        bailey_job_report *report);

/* ---- Tallies --------------------------------------------------------------------------------------- */

/* A partial result: the accumulated sums of the parts of a run completed so far. The run is divided into
 * parts, consecutive paths of a replicate, in a way that depends only on the run. Parts are numbered from
 * replicate to replicate. Threads: one thread at a time may use a tally. */
typedef struct bailey_tally bailey_tally;

/* Creates an empty tally of a run. `samples` and `progress` must be NULL; for `covariance` and
 * histogram.counts it only matters whether they are NULL. The tally records the simulation and its
 * parameters, and later rejects others. Returns: OK, ERROR_INVALID, ERROR_MEMORY. */
BAILEY_API bailey_status bailey_tally_create(bailey_simulation *simulation,
                                             const bailey_simulation_run_params *params,
                                             bailey_tally **tally);
BAILEY_API void bailey_tally_destroy(bailey_tally *tally);

/* The number of parts of the run; the number of completed paths, of all replicates. */
BAILEY_API uint64_t bailey_tally_parts(const bailey_tally *tally);
BAILEY_API uint64_t bailey_tally_paths(const bailey_tally *tally);

/* Finds parts that are not completed: *first is the first one, starting at `from`. Returns the length of a
 * block of such parts beginning there, possibly not the longest; 0 if all are completed. */
BAILEY_API uint64_t bailey_tally_missing(const bailey_tally *tally, uint64_t from, uint64_t *first);

/* Runs parts first .. first + count - 1 on the simulation of any context and adds them, either all or, on
 * failure, none. Returns: OK; ERROR_INVALID (parts that are completed or beyond the run; another simulation,
 * or changed parameters), or as bailey_simulation_run. */
BAILEY_API bailey_status bailey_tally_run(bailey_tally *tally, bailey_simulation *simulation, uint64_t first,
                                          uint64_t count);

/* Adds the completed parts of another tally of the same run, none of which may be in this one. Returns: OK,
 * ERROR_INVALID, ERROR_MEMORY. */
BAILEY_API bailey_status bailey_tally_merge(bailey_tally *into, const bailey_tally *from);

/* The number of bytes of a saved tally, and saving it to `bytes`, which has room for that many. The bytes are
 * the same on every machine and protected by a checksum. */
BAILEY_API uint64_t bailey_tally_bytes(const bailey_tally *tally);
BAILEY_API bailey_status bailey_tally_save(const bailey_tally *tally, void *bytes, uint64_t size);

/* Adds a saved tally, as bailey_tally_merge does. Returns: OK; ERROR_INVALID (bytes that are damaged, or of
 * another run or version of the library), ERROR_MEMORY. */
BAILEY_API bailey_status bailey_tally_load(bailey_tally *tally, const void *bytes, uint64_t size);

/* The estimates of a run whose parts are all completed; covariance and counts may be NULL. */
BAILEY_API bailey_status bailey_tally_estimates(const bailey_tally *tally, bailey_estimate *estimates,
                                                double *covariance, uint64_t *counts);

/* Runs parts first .. first + count - 1 on all simulations, as bailey_job_run does, and adds them. Only
 * run.progress and run.progress_user of `params` are used. Parts completed before a failure or cancellation
 * are kept: see bailey_tally_missing. Returns: as bailey_tally_run and bailey_job_run. */
BAILEY_API bailey_status bailey_job_run_part(bailey_tally *tally, bailey_simulation *const *simulations,
                                             size_t simulation_count, const bailey_job_params *params,
                                             uint64_t first, uint64_t count, bailey_job_report *report);

/* ---- For bailey_job_serve -------------------------------------------------------------------------- */

/* Leases free parts, enough for about `seconds` at `speed` paths per second (0: not known), fewer towards the
 * end. Returns their number, starting at *first; 0: none are free at present, or `job` or `first` is NULL
 * (see bailey_error_message). Hand them back with bailey_job_merge or bailey_job_return: the job cannot end
 * before every leased part has been handed back. Leased parts are consecutive and numbered as in a tally. */
BAILEY_API uint64_t bailey_job_lease(bailey_job *job, double speed, double seconds, uint64_t *first);
/* Takes back parts that were leased and not run. Returns: OK, ERROR_INVALID (`job` is NULL, or parts that
 * were not leased), ERROR_MEMORY. */
BAILEY_API bailey_status bailey_job_return(bailey_job *job, uint64_t first, uint64_t count);
/* Adds the bytes of a tally that contains exactly leased parts. Returns: as bailey_tally_load; also
 * ERROR_INVALID if `job` is NULL. */
BAILEY_API bailey_status bailey_job_merge(bailey_job *job, const void *bytes, uint64_t size);

#ifdef __cplusplus
}
#endif

#endif
