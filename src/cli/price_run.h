/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Runs the simulation of `bailey price`. What takes a job is in price_job.h.
 */
#ifndef CLI_PRICE_RUN_H
#define CLI_PRICE_RUN_H

#include "document.h"
#include "price_model.h"

#define PRICE_RUNS_MAX 40

struct price_share {
    char who[64];     /* a device's address, or a rank */
    const char *name; /* of a device; NULL of a rank */
    uint64_t paths;   /* of all replicates */
    double seconds;   /* at work; NaN of a rank */
    int failed;
};

struct price_outcome {
    uint32_t outputs;
    char *names; /* of the outputs, allocated */
    const char *name[BAILEY_SIMULATION_MAX_OUTPUTS];
    double expected[BAILEY_SIMULATION_MAX_OUTPUTS]; /* NaN of an output that is no control variate */
    int controls;
    uint32_t price; /* the first output that is none */
    bailey_estimate estimate[BAILEY_SIMULATION_MAX_OUTPUTS];
    uint64_t paths; /* of a replicate, in the last run */
    unsigned runs;
    struct {
        uint64_t paths;
        double error;
    } run[PRICE_RUNS_MAX];
    int reached;          /* the target */
    bailey_status status; /* of the last run */
    double seconds;
    bailey_estimate
        bias[BAILEY_SIMULATION_MAX_OUTPUTS]; /* of a discretised model; of no paths: not estimated */
    uint64_t loaded;                         /* paths from --checkpoint, of all replicates */
    size_t shares;                           /* of several devices; else 0 */
    struct price_share *share;
    struct price_risk *risk; /* price_risk.h; NULL: nothing beside the price */
};

/* Reads what is asked of the outputs, before anything is computed. price_outcome_free in any case. */
int price_outputs_read(const struct arguments *arguments, const struct price_model *model,
                       struct price_outcome *outcome);
void price_outcome_free(struct price_outcome *outcome);

/* What the run is to be, without progress and samples. */
bailey_simulation_run_params price_run_params(const struct price_settings *settings,
                                              const struct price_outcome *outcome, uint64_t paths);

/* Runs `paths` paths of each replicate on one device, and writes --save-outputs. */
int price_run(const struct arguments *arguments, const struct price_settings *settings,
              bailey_context *context, const struct price_model *model, uint64_t paths,
              struct price_outcome *outcome);

/* price_samples.c: the file of --save-outputs, of a path that ends in .npy or .csv; checked before, written after
 * the last run. */
int price_samples_check(const struct arguments *arguments);
int price_samples_write(const struct arguments *arguments, const struct price_settings *settings,
                        const struct price_outcome *outcome, bailey_buffer *samples);

/* price_report.c: the report, to standard output, and the warnings, to standard error. */
int price_report(const struct arguments *arguments, const struct price_settings *settings,
                 const struct price_model *model, const struct price_outcome *outcome,
                 const bailey_device *device);

/* Its parts: the warnings; "outputs"; "target", of a run that has one. */
void price_report_warnings(struct document *d, const struct price_settings *settings,
                           const struct price_model *model, const struct price_outcome *outcome);
void price_report_outputs(struct document *d, const struct price_settings *settings,
                          const struct price_outcome *outcome);
void price_report_target(struct document *d, const struct price_settings *settings,
                         const struct price_outcome *outcome);

#endif
