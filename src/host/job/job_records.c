/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The public structs of jobs as records, from which checks, digests, options, JSON and bindings are made.
 */
#include "job_state.h"
#include <host/run/checkpoint.h>

#include <host/describe/choices.h>
#include <host/describe/records.h>

#define STRUCT bailey_job_params
static const bailey_field job_params[] = {
    NESTED(run, simulation_run_params,
           "the run; with a target error its number of paths is the limit, by default 2^30"),
    REAL(target_error, "standard error at which the job ends", .range = NOT_NEGATIVE,
         .default_how = "all paths are run"),
    UINT32(target_output, "index of the output that the target error is for"),
    UINT64(initial_paths, "number of paths of each replicate before the standard error is first checked",
           .default_value = BLY_JOB_INITIAL_PATHS),
    TEXT(checkpoint, "file to which the job is saved and from which it resumes", .default_how = "none"),
    REAL(checkpoint_seconds, "time between two saves", .unit = "seconds", .range = NOT_NEGATIVE,
         .default_value = BLY_CHECKPOINT_SECONDS),
    FUNCTION(serve, "called repeatedly, to hand work to others"),
    USER(serve_user, "passed to serve"),
};
RECORD(job_params, "A long run, or a run on several devices.", job_params);
#undef STRUCT

#define STRUCT bailey_job_device
static const bailey_field job_device[] = {
    UINT64(paths, "number of paths run, of all replicates"),
    REAL(seconds, "time spent on them", .unit = "seconds"),
    CHOICE(status, "OK, or why it failed", STATUSES),
    CHARS(message, "the error's message"),
};
RESULT(job_device, "The contribution of one device to a job.", job_device);
#undef STRUCT

#define STRUCT bailey_job_report
static const bailey_field job_report[] = {
    UINT64(paths, "number of paths of each replicate behind the estimates"),
    FLAG(reached, "1 if the target error was reached"),
    UINT64(loaded, "number of paths that came from the checkpoint, of all replicates"),
    UINT64(known, "number of paths completed at the end, of all replicates"),
    UINT32(stages, "how often the standard error was checked"),
    IN_PLACE(UINT64, stage_paths, "[stages]", "paths of each replicate at each check"),
    IN_PLACE(REAL, stage_standard_error, "[stages]", "standard error at each check", .nan = 1),
    CHARS(checkpoint_message, "why the last save failed"),
    IN_PLACE(RECORD, device, NULL, "the contribution of each device", .record = "job_device"),
};
RESULT(job_report, "How a job went.", job_report);
#undef STRUCT
