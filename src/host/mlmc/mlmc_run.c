/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A run from beginning to end: sums, who makes the samples, the driver, and the checkpoint.
 */
#include "driver.h"

#include <base/log.h>
#include <host/internal.h>
#include <host/run/checkpoint.h>

#include <stdio.h>

/* Goes on from the file, or makes one, so that a place where none can be is known now. */
static bailey_status open_file(struct bly_mlmc_file *file, struct bly_term_sums *sums,
                               struct bly_mlmc_state *state)
{
    bailey_status status = bly_mlmc_file_read(file->path, file->identity, sums, state);
    if (status == BAILEY_OK && state->rounds == 0) status = bly_mlmc_file_write(file);
    file->saved = bly_seconds();
    state->save = bly_mlmc_file_save;
    state->save_user = file;
    return status;
}

/* Writes the file as the run ends, however it does; what it ends with stays the thread's error. */
static void close_file(struct bly_mlmc_file *file, bailey_status status)
{
    char text[BLY_ERROR_TEXT], why[BLY_ERROR_TEXT];
    const char *argument = bailey_error_argument();
    snprintf(text, sizeof text, "%s", bailey_error_message());
    if (bly_mlmc_file_write(file) == BAILEY_OK) {
        if (status == BAILEY_OK) return;
        bly_fail(status, "%s", text);
    } else {
        snprintf(why, sizeof why, "%s", bailey_error_message());
        bly_log(1, "mlmc: %s", why);
        if (status == BAILEY_OK) return;
        bly_fail(status, "%.1000s; and the run was not saved: %.900s", text, why);
    }
    if (argument) bly_name_argument(status, argument);
}

static bailey_status run(const bailey_mlmc_run_params *params, uint32_t first_steps,
                         const struct bly_sampler *sampler, const struct bly_identity *identity,
                         struct bly_term_sums *sums, bailey_mlmc_result *result)
{
    struct bly_mlmc_state state = {.chooses = params->approximate == BAILEY_MLMC_APPROXIMATION_AUTO};
    struct bly_mlmc_file file = {.path = params->checkpoint,
                                 .identity = identity,
                                 .sums = sums,
                                 .state = &state,
                                 .every = params->checkpoint_seconds > 0 ? params->checkpoint_seconds
                                                                         : BLY_CHECKPOINT_SECONDS};
    bailey_status status = file.path ? open_file(&file, sums, &state) : BAILEY_OK;
    if (status != BAILEY_OK) return status;
    status = bly_mlmc_drive(params, first_steps, sampler, sums, &state, result);
    if (file.path) close_file(&file, status);
    return status;
}

bailey_status bly_mlmc_run_with(const bailey_mlmc_run_params *params, uint32_t first_steps,
                                const struct bly_sampler_maker *maker, const struct bly_identity *identity,
                                bailey_mlmc_result *result)
{
    struct bly_term_sums sums;
    struct bly_sampler sampler;
    bailey_status status = bly_term_sums_create(BLY_LEVEL_RUN_ROWS, bly_approximate_kinds(params), &sums);
    if (status == BAILEY_OK) {
        status = maker->make(maker->user, params, &sums, &sampler);
        if (status == BAILEY_OK) status = run(params, first_steps, &sampler, identity, &sums, result);
        maker->drop(maker->user);
    }
    bly_term_sums_free(&sums);
    return status;
}

bailey_status bly_mlmc_run_samples_with(const bailey_mlmc_run_params *params, uint32_t first_steps,
                                        const struct bly_sampler_maker *maker, const uint64_t *samples,
                                        uint32_t levels, uint32_t rows, struct bly_term_sums *sums,
                                        bailey_mlmc_result *result)
{
    struct bly_sampler sampler;
    bailey_status status = bly_term_sums_create(rows, bly_approximate_kinds(params), sums);
    if (status != BAILEY_OK) return status;
    status = maker->make(maker->user, params, sums, &sampler);
    if (status == BAILEY_OK)
        status = bly_mlmc_drive_samples(params, first_steps, &sampler, samples, levels, sums, result);
    maker->drop(maker->user);
    return status;
}
