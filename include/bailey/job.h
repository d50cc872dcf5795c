/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Jobs: runs of simulations that take long, or several devices. A job has a checkpoint, so that it goes on
 * after a crash, and stops by its standard error if it is to. Its results have the bits of
 * bailey_simulation_run, whatever devices share the work, and however often it was interrupted.
 *
 *     bailey_simulation *simulations[] = {on_cuda, on_cpu}; // one of each context, of the same payoff
 *     bailey_job_params job = {.run = {.paths = UINT64_C(1) << 36}, .checkpoint = "run.checkpoint"};
 *     bailey_job_run(simulations, 2, &job, &estimate, NULL);
 *
 * Below jobs are tallies, what is known of a run so far, for whoever shares out work himself: a tally runs
 * any parts of the run, is saved, sent, loaded and merged. docs/long-runs.md explains both.
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

/* Work that is done elsewhere: a job's caller's thread calls it again and again, some hundred times a second.
 * It may lease, merge and return. `*others` is to be set to how many there are who may still take work: a
 * job whose own devices have all failed goes on as long as there are any. Not OK ends the job. */
typedef bailey_status (*bailey_job_serve)(void *user, bailey_job *job, uint64_t *others);

#define BAILEY_JOB_MOST_PATHS (UINT64_C(1) << 30) /* with a target, where a job does not say how many */

typedef struct bailey_job_params {
    /* `samples` is NULL, histogram.counts and covariance are written at the end. With `target_error`, `paths`
     * is the most, and 0 means BAILEY_JOB_MOST_PATHS. `progress` is called by the caller's thread a few times
     * a second; when it stops the job, what devices are at work on is finished first (a fraction of a second)
     * and saved. */
    bailey_simulation_run_params run;
    /* Not 0: the job ends as soon as the standard error of output `target_output`, with control variates if
     * there are any, is at most this; with replicates, as soon as their interval of 95 % is at most 1.96
     * times this to either side (bailey_student_95). An error that is not known, NaN, does not end it, nor do
     * outputs that are all 0. It is looked at after initial_paths paths of each replicate, twice as
     * many, four times, ..., and after run.paths: not earlier or later on faster devices. */
    double target_error;
    uint32_t target_output;
    uint64_t initial_paths; /* 0: 16384 */
    /* The file that the job is saved to, and goes on from if it is there. NULL: none. */
    const char *checkpoint;
    double checkpoint_seconds; /* between two times; 0: 60 */
    bailey_job_serve serve;    /* may be NULL */
    void *serve_user;
    uint64_t reserved[4];
} bailey_job_params;

/* Of one device, or simulation. */
typedef struct bailey_job_device {
    uint64_t paths;       /* that it has run, of all replicates */
    double seconds;       /* in which it was at work */
    bailey_status status; /* not OK: it has failed, and the others have taken over */
    char message[256];    /* why */
    uint64_t reserved[4];
} bailey_job_device;

typedef struct bailey_job_report {
    uint64_t paths;   /* of each replicate, that estimates are of */
    uint32_t reached; /* the target */
    uint64_t loaded;  /* paths that the checkpoint had, of all replicates */
    uint64_t known;   /* paths at the end, of all replicates; with a checkpoint, these are in it */
    uint32_t stages;  /* how often the standard error was looked at, in all runs of the job */
    uint64_t stage_paths[BAILEY_JOB_MAX_STAGES];
    double stage_standard_error[BAILEY_JOB_MAX_STAGES]; /* NaN: not known */
    char checkpoint_message[256]; /* why the job was not saved when it was last tried; else empty */
    bailey_job_device device[BAILEY_JOB_MAX_DEVICES];
    uint64_t reserved[4];
} bailey_job_report;

/* Runs a job on all simulations, each of a context of its own, and all with the same payoff, parameters and
 * paths. Each has a thread; they take work by their speed. A device that fails gives its work to the others.
 * `report` may be NULL, and is written whatever is returned.
 *
 * Returns: OK; ERROR_INVALID (what bailey_simulation_run refuses; simulations that differ; a checkpoint that
 * is damaged, of another run or version: the message says which), ERROR_CANCELLED, ERROR_IO (a checkpoint
 * that can be neither read nor made: then nothing was run), ERROR_PAYOFF (as of bailey_simulation_run: the
 * paths before one that fails are all run first, and those behind it are not), or why the last device failed.
 * If it was cancelled or all devices failed, the checkpoint has what is known (report->checkpoint_message
 * says where it has not), and the same call goes on from there. Threads: none of the contexts is used
 * otherwise meanwhile. Results: as bailey_simulation_run of as many paths. */
BAILEY_API bailey_status bailey_job_run(bailey_simulation *const *simulations, size_t count,
                                        const bailey_job_params *params, bailey_estimate *estimates,
                                        bailey_job_report *report);

/* ---- Tallies --------------------------------------------------------------------------------------- */

/* What is known of a run. The run is cut into parts, neighbouring paths of a replicate; how depends on the
 * run alone. Parts are numbered from replicate to replicate. Threads: a tally is used by one thread at a
 * time. */
typedef struct bailey_tally bailey_tally;

/* An empty tally of a run. `samples` and `progress` are NULL; of `covariance` and histogram.counts it matters
 * whether they are NULL. The simulation and its parameters are noted: what differs is refused later. Returns:
 * OK, ERROR_INVALID, ERROR_MEMORY. */
BAILEY_API bailey_status bailey_tally_create(bailey_simulation *simulation,
                                             const bailey_simulation_run_params *params,
                                             bailey_tally **tally);
BAILEY_API void bailey_tally_destroy(bailey_tally *tally);

/* How many parts the run has; paths that are known, of all replicates. */
BAILEY_API uint64_t bailey_tally_parts(const bailey_tally *tally);
BAILEY_API uint64_t bailey_tally_paths(const bailey_tally *tally);

/* The first part from `from` on that is not known, and how many after it are not either, at least; returns
 * their number, 0 if everything is known. */
BAILEY_API uint64_t bailey_tally_missing(const bailey_tally *tally, uint64_t from, uint64_t *first);

/* Runs parts first .. first + count - 1, on the simulation of any context, and adds them: all, or none where
 * something fails. Returns: OK; ERROR_INVALID (parts that are known, or beyond the run; another simulation,
 * or parameters that have changed), or as bailey_simulation_run. */
BAILEY_API bailey_status bailey_tally_run(bailey_tally *tally, bailey_simulation *simulation, uint64_t first,
                                          uint64_t count);

/* Adds what another tally of the same run knows, of which nothing is known yet. Returns: OK, ERROR_INVALID,
 * ERROR_MEMORY. */
BAILEY_API bailey_status bailey_tally_merge(bailey_tally *into, const bailey_tally *from);

/* How many bytes a tally is saved to, and saving it to `bytes`, which has room for so many. The bytes are the
 * same on every machine, and guarded by a checksum. */
BAILEY_API uint64_t bailey_tally_bytes(const bailey_tally *tally);
BAILEY_API bailey_status bailey_tally_save(const bailey_tally *tally, void *bytes, uint64_t size);

/* Adds what was saved, as bailey_tally_merge. Returns: OK; ERROR_INVALID (bytes that are damaged, of
 * another run or another version of the library), ERROR_MEMORY. */
BAILEY_API bailey_status bailey_tally_load(bailey_tally *tally, const void *bytes, uint64_t size);

/* The estimates of a run all of whose parts are known; covariance and counts may be NULL. */
BAILEY_API bailey_status bailey_tally_estimates(const bailey_tally *tally, bailey_estimate *estimates,
                                                double *covariance, uint64_t *counts);

/* Runs parts first .. first + count - 1 on all simulations, as bailey_job_run, and adds them. Of `params`
 * only run.progress and run.progress_user are looked at. What is done when it fails or is cancelled stays:
 * see bailey_tally_missing. Returns: as bailey_tally_run and bailey_job_run. */
BAILEY_API bailey_status bailey_job_run_part(bailey_tally *tally, bailey_simulation *const *simulations,
                                             size_t simulation_count, const bailey_job_params *params,
                                             uint64_t first, uint64_t count, bailey_job_report *report);

/* ---- For bailey_job_serve -------------------------------------------------------------------------- */

/* Leases parts that nobody is at work on: those for about `seconds` at `speed` paths per second (0: not
 * known), fewer towards the end. Returns how many, from *first on; 0: none just now, or `job` or `first` is
 * NULL, as bailey_error_message then says. They come back with
 * bailey_job_merge and bailey_job_return: a part that does neither keeps the job from ending. Parts that
 * are leased lie side by side in the run and are numbered as a tally's. */
BAILEY_API uint64_t bailey_job_lease(bailey_job *job, double speed, double seconds, uint64_t *first);
/* Takes parts back that were leased and not run. Returns: OK, ERROR_INVALID (a job that is NULL, parts that
 * were not leased), ERROR_MEMORY. */
BAILEY_API bailey_status bailey_job_return(bailey_job *job, uint64_t first, uint64_t count);
/* Adds bytes of a tally, all of whose parts were leased, and no others. Returns: as bailey_tally_load;
 * ERROR_INVALID for a job that is NULL. */
BAILEY_API bailey_status bailey_job_merge(bailey_job *job, const void *bytes, uint64_t size);

#ifdef __cplusplus
}
#endif

#endif
