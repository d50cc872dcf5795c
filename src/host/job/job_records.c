/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What the structs of jobs have.
 */
#include "checkpoint.h"
#include "job_state.h"

#include <host/describe/choices.h>
#include <host/describe/records.h>

#define STRUCT bailey_job_params
static const bailey_field job_params[] = {
    NESTED(run, simulation_run_params, "what is run; with a target its paths are the most"),
    REAL(target_error, "the job ends as soon as the standard error is at most this", .range = NOT_NEGATIVE,
         .default_how = "all paths are run"),
    UINT32(target_output, "whose standard error that is"),
    UINT64(initial_paths, "of each replicate, before the standard error is looked at",
           .default_value = BLY_JOB_INITIAL_PATHS),
    TEXT(checkpoint, "file that the job is saved to, and goes on from", .default_how = "none"),
    REAL(checkpoint_seconds, "between two savings", .unit = "seconds", .range = NOT_NEGATIVE,
         .default_value = BLY_CHECKPOINT_SECONDS),
    FUNCTION(serve, "called again and again, to share out work elsewhere"),
    USER(serve_user, "handed to serve"),
};
RECORD(job_params, "A run that takes long, or several devices.", job_params);
#undef STRUCT

#define STRUCT bailey_job_device
static const bailey_field job_device[] = {
    UINT64(paths, "that it has run, of all replicates"),
    REAL(seconds, "in which it was at work", .unit = "seconds"),
    CHOICE(status, "not OK: it has failed", STATUSES),
    CHARS(message, "why"),
};
RESULT(job_device, "What a device has done for a job.", job_device);
#undef STRUCT

#define STRUCT bailey_job_report
static const bailey_field job_report[] = {
    UINT64(paths, "of each replicate, that estimates are of"),
    FLAG(reached, "1 if the standard error is as small as asked"),
    UINT64(loaded, "paths that the checkpoint had, of all replicates"),
    UINT64(known, "paths at the end, of all replicates"),
    UINT32(stages, "how often the standard error was looked at"),
    IN_PLACE(UINT64, stage_paths, "[stages]", "of each replicate, at each look"),
    IN_PLACE(REAL, stage_standard_error, "[stages]", "then", .nan = 1),
    CHARS(checkpoint_message, "why the job was not saved when it was last tried"),
    IN_PLACE(RECORD, device, NULL, "of each simulation", .record = "job_device"),
};
RESULT(job_report, "How a job went.", job_report);
#undef STRUCT
