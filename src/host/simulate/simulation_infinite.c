/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * How many paths of a run have outputs that are not finite, and which is the first: the sums show only that
 * there are some, so the paths run again and leave their outputs.
 */
#include "simulation_internal.h"

#include <base/alloc.h>

#include <math.h>
#include <stdio.h>

/* Paths that are counted at once, and of them the first. */
struct count {
    uint64_t paths, replicate, path, result;
    double value;
};

/* Adds the paths of a range, whose samples are [result][path]. `power` is the highest that is summed. */
static void count_samples(struct count *c, const void *samples, int f64, uint64_t results, uint64_t row,
                          const struct bly_simulation_range *range, uint64_t replicate, int power)
{
    for (uint64_t i = 0; i < range->paths; i++)
        for (uint64_t r = 0; r < results; r++) {
            const double x =
                f64 ? ((const double *)samples)[r * row + i] : ((const float *)samples)[r * row + i];
            if (isfinite(power == 4 ? x * x * x * x : x * x)) continue;
            if (c->paths++ == 0) {
                c->replicate = replicate;
                c->path = range->first + i;
                c->result = r;
                c->value = isnan(x) ? (double)NAN : x; /* without its sign */
            }
            break;
        }
}

static bailey_status take_nothing(void *user, const struct bly_pass *pass, uint64_t replicate,
                                  struct bly_tree *tree)
{
    (void)user, (void)pass, (void)replicate, (void)tree;
    return BAILEY_OK;
}

/* Runs a range of one replicate again, of which `alone` says the rest, and counts. */
static bailey_status count_range(bailey_simulation *s, const bailey_simulation_run_params *alone,
                                 enum bly_draw draw, void *samples, uint64_t replicate, struct count *c)
{
    const struct bly_simulation_range range = {
        .replicates = 1, .first = alone->first_path, .paths = alone->paths, .height = UINT32_MAX};
    const uint64_t bytes = bly_element_bytes(s->precision);
    struct bly_fault none = {0};
    struct bly_scenario_plan *plan;
    bailey_status status = bly_scenarios_plan(s, alone, &plan);
    for (uint64_t i = 0; status == BAILEY_OK && i < bly_scenarios_passes(plan); i++)
        status = bly_simulation_run_range(s, alone, plan, i, draw, &range, take_nothing, NULL, &none);
    if (status == BAILEY_OK) {
        const uint64_t results = bly_scenarios_results(plan);
        status = bailey_buffer_read(alone->samples, 0, samples, results * range.paths * bytes);
        if (status == BAILEY_OK)
            count_samples(c, samples, bytes == sizeof(double), results, range.paths, &range, replicate,
                          alone->moments ? 4 : 2);
    }
    bly_scenarios_free(plan);
    return status;
}

#define COUNTED_SAMPLES (UINT64_C(1) << 20) /* at once */

/* All paths, unless the caller's progress says to stop. */
static bailey_status count_all(bailey_simulation *s, const bailey_simulation_run_params *params,
                               uint64_t results, enum bly_draw draw, struct count *c)
{
    const uint64_t replicates = bly_simulation_replicates(params), all = replicates * params->paths;
    const uint64_t room = COUNTED_SAMPLES / results, most = params->paths < room ? params->paths : room;
    bailey_simulation_run_params alone = *params;
    alone.replicates = 1;
    alone.progress = NULL;
    alone.histogram = (bailey_histogram){0};
    alone.samples = NULL;
    const uint64_t bytes = most * results * bly_element_bytes(s->precision);
    void *samples = bly_alloc(bytes, 1);
    bailey_status status = samples ? BAILEY_OK : BAILEY_ERROR_MEMORY;
    if (status == BAILEY_OK) status = bly_pool_take(s->context, BLY_MEMORY_DEVICE, bytes, &alone.samples);
    for (uint64_t r = 0; r < replicates && status == BAILEY_OK; r++)
        for (uint64_t done = 0; done < params->paths && status == BAILEY_OK; done += most) {
            if (params->progress && params->progress(params->progress_user, all, all))
                status = BAILEY_ERROR_CANCELLED;
            alone.source.stream = params->source.stream + r;
            alone.first_path = params->first_path + done;
            alone.paths = params->paths - done < most ? params->paths - done : most;
            if (status == BAILEY_OK) status = count_range(s, &alone, draw, samples, r, c);
        }
    bly_pool_release(alone.samples);
    bly_free(samples);
    return status;
}

bailey_status bly_simulation_count_infinite(bailey_simulation *s, const bailey_simulation_run_params *params,
                                            uint64_t results, enum bly_draw draw, bailey_status refused)
{
    char text[BLY_ERROR_TEXT], replicate[64] = "";
    struct count c = {0};
    snprintf(text, sizeof text, "%s", bailey_error_message());
    const int counts = !s->kept && results <= BAILEY_SIMULATION_MAX_RESULTS;
    if (!counts || count_all(s, params, results, draw, &c) != BAILEY_OK || c.paths == 0)
        return bly_name_argument(bly_fail(refused, "%s", text), "payoff");
    if (params->replicates > 1)
        snprintf(replicate, sizeof replicate, " of replicate %llu", (unsigned long long)c.replicate);
    return bly_fail_argument("payoff",
                             "%s: %s %llu of path %llu%s is %g; of %llu paths, %llu have outputs that are not "
                             "finite, or too large to be %s",
                             s->payoff.name, params->scenarios.count ? "result" : "output",
                             (unsigned long long)c.result, (unsigned long long)c.path, replicate, c.value,
                             (unsigned long long)(bly_simulation_replicates(params) * params->paths),
                             (unsigned long long)c.paths,
                             params->moments ? "raised to the fourth power" : "squared");
}
