/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The bias of a discretised model, from a run that is coarser by a factor of two.
 *
 * Of steps: two simulations, whose bridges build every second time first, from the rows of Z that both have.
 * So the coarse path goes through points of the fine one, and the two payoffs of a path differ little. The coarse
 * path is compared with one of half its steps too, and that again: a difference that is small by chance, or
 * because both paths are too coarse to differ, does not hide the bias.
 */
#include "simulation_internal.h"

#include <base/alloc.h>
#include <host/payoff/descriptions.h>

#include <math.h>
#include <string.h>

#define DEFAULT_PATHS 65536u
#define MOST_PATHS (UINT64_C(1) << 24)
#define FEWEST_PATHS 1024u /* of comparisons of coarser paths */
#define COMPARISONS 3

struct halving {
    bailey_simulation *of;
    uint64_t paths;
    uint64_t seed;
    uint32_t coarse;                            /* how many steps the coarse path has */
    double *times;                              /* of them */
    double *factor;                             /* of the assets */
    uint32_t *order, *important, *coarse_order; /* one-based, of interior times */
    bailey_simulation *simulation[2];           /* fine, coarse */
    bailey_buffer *samples[2];
    void *numbers[2];
};

int bailey_simulation_is_discretised(const bailey_simulation *s)
{
    const bailey_path_needs *path = s ? &s->payoff.description->d.path : NULL;
    return path && (path->coarser_steps || *path->coarser);
}

/* ---- Half of the steps --------------------------------------------------------------------------- */

/* The place of coarse time i among the fine ones, from 0: the last is the same, and so is every second
 * before. */
static uint32_t place(const struct halving *h, uint32_t i)
{
    return h->of->steps - 1 - 2 * (h->coarse - 1 - i);
}

static bailey_status plan(struct halving *h)
{
    const uint32_t steps = h->of->steps;
    h->coarse = (steps + 1) / 2;
    h->times = bly_alloc(h->coarse, sizeof *h->times);
    h->order = bly_alloc(steps, sizeof *h->order);
    h->important = bly_alloc(h->coarse, sizeof *h->important);
    h->coarse_order = bly_alloc(h->coarse, sizeof *h->coarse_order);
    h->factor = bly_alloc((size_t)h->of->assets * h->of->assets, sizeof *h->factor);
    if (!h->times || !h->order || !h->important || !h->coarse_order || !h->factor)
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bias");
    for (uint32_t i = 0; i < h->coarse; i++) h->times[i] = h->of->times[place(h, i)];
    for (uint32_t i = 0; i < h->of->assets; i++)
        memcpy(h->factor + i * h->of->assets, h->of->factor + i * h->of->dims,
               h->of->assets * sizeof *h->factor);
    const bailey_status status =
        bailey_order_make(BAILEY_ORDER_BISECTION, h->coarse - 1, NULL, 0, h->coarse_order);
    if (status != BAILEY_OK) return status;
    for (uint32_t i = 0; i + 1 < h->coarse; i++) h->important[i] = place(h, h->coarse_order[i] - 1) + 1;
    return bailey_order_make(BAILEY_ORDER_BISECTION, steps - 1, h->important, h->coarse - 1, h->order);
}

/* With the parameters of the simulation that is asked. */
static bailey_status set_parameters(const bailey_simulation *from, bailey_simulation *to)
{
    bailey_status status = BAILEY_OK;
    for (uint32_t p = 0; p < from->payoff.param_count && status == BAILEY_OK; p++) {
        const struct bly_field *field = &from->payoff.params[p];
        double *values = bly_alloc(field->count, sizeof *values);
        if (!values) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bias");
        for (uint32_t i = 0; i < field->count; i++)
            values[i] = bly_parameter_read(from->precision, field, i, from->values);
        status = bly_parameters_set(&to->payoff, to->precision, field->name, values, field->count, to->values,
                                    to->given);
        bly_free(values);
    }
    return status;
}

static bailey_status make(struct halving *h, int coarse)
{
    const bailey_simulation *s = h->of;
    const uint64_t steps = coarse ? h->coarse : s->steps;
    const bailey_simulation_params params = {
        .path = {.times = coarse ? h->times : s->times,
                 .steps = steps,
                 .start_time = s->start_time,
                 .order = steps > 1 ? coarse ? h->coarse_order : h->order : NULL,
                 .dims = s->assets,
                 .factor = h->factor,
                 .precision = s->precision},
        .payoff = {.code = s->builtin ? NULL : s->code,
                   .name = s->payoff.name,
                   .loop_budget = s->payoff.loop_budget},
        .planned_paths = h->paths};
    bailey_status status = bly_simulation_create(s->context, &params, &h->simulation[coarse]);
    return status == BAILEY_OK ? set_parameters(s, h->simulation[coarse]) : status;
}

/* The outputs of each path, [outputs][paths], read to the host. */
static bailey_status find_outputs(struct halving *h, int coarse)
{
    const uint64_t bytes = h->of->payoff.outputs * h->paths * bly_element_bytes(h->of->precision);
    bailey_estimate estimates[BAILEY_SIMULATION_MAX_OUTPUTS];
    h->numbers[coarse] = bly_alloc(bytes, 1);
    if (!h->numbers[coarse]) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a bias");
    bailey_status status = bailey_buffer_create(h->of->context, bytes, &h->samples[coarse]);
    const bailey_simulation_run_params run = {
        .source = {.seed = h->seed}, .paths = h->paths, .samples = h->samples[coarse]};
    if (status == BAILEY_OK) status = bailey_simulation_run(h->simulation[coarse], &run, estimates);
    return status == BAILEY_OK ? bailey_buffer_read(h->samples[coarse], 0, h->numbers[coarse], bytes)
                               : status;
}

static double number(const struct halving *h, int coarse, uint64_t i)
{
    return h->of->precision == BAILEY_PRECISION_F64 ? ((const double *)h->numbers[coarse])[i]
                                                    : (double)((const float *)h->numbers[coarse])[i];
}

static bailey_estimate difference(const struct halving *h, uint32_t output)
{
    const double n = (double)h->paths;
    const uint64_t from = output * h->paths;
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < h->paths; i++) sum += number(h, 1, from + i) - number(h, 0, from + i);
    for (uint64_t i = 0; i < h->paths; i++) {
        const double rest = number(h, 1, from + i) - number(h, 0, from + i) - sum / n;
        squares = fma(rest, rest, squares);
    }
    const double error = sqrt(squares / (n - 1) / n);
    return (bailey_estimate){.mean = sum / n,
                             .standard_error = error,
                             .controlled = sum / n,
                             .controlled_standard_error = error,
                             .variance = squares / (n - 1),
                             .skewness = NAN,
                             .kurtosis = NAN,
                             .minimum = NAN,
                             .maximum = NAN,
                             .paths = h->paths};
}

static void free_halving(struct halving *h)
{
    for (int coarse = 0; coarse < 2; coarse++) {
        bailey_simulation_destroy(h->simulation[coarse]);
        bailey_buffer_destroy(h->samples[coarse]);
        bly_free(h->numbers[coarse]);
    }
    bly_free(h->times);
    bly_free(h->factor);
    bly_free(h->order);
    bly_free(h->important);
    bly_free(h->coarse_order);
}

/* Whether a path of half of the steps has all that its code needs. */
static int has_half(const bailey_simulation *s)
{
    const bailey_path_needs *path = &s->payoff.description->d.path;
    const uint32_t half = (s->steps + 1) / 2;
    return s->steps > 1 && half >= path->steps_least &&
           (path->steps_multiple < 2 || half % path->steps_multiple == 0);
}

static bailey_status halve_steps(bailey_simulation *s, uint64_t paths, uint64_t seed, int comparisons,
                                 bailey_estimate *biases);

/* A bias that falls at least in proportion to the steps is below half of the difference of coarser paths. One
 * that its error hides says nothing. */
static bailey_status bound(const struct halving *h, int comparisons, bailey_estimate *biases)
{
    bailey_estimate coarser[BAILEY_SIMULATION_MAX_OUTPUTS];
    const uint64_t fewer = h->paths / 4 < FEWEST_PATHS ? h->paths : h->paths / 4;
    const int compares = comparisons > 1 && has_half(h->simulation[1]);
    const bailey_status status =
        compares ? halve_steps(h->simulation[1], fewer, h->seed, comparisons - 1, coarser) : BAILEY_OK;
    for (uint32_t o = 0; o < h->of->payoff.outputs && status == BAILEY_OK; o++) {
        const int last = comparisons < COMPARISONS; /* of coarser paths, which need no others */
        double most = compares || last ? fabs(biases[o].mean) : NAN;
        if (last && most < 2 * biases[o].standard_error) most = 0;
        if (compares) most = fmax(most, coarser[o].interval_high / 2);
        biases[o].interval_low = -most;
        biases[o].interval_high = most;
    }
    return status;
}

static bailey_status halve_steps(bailey_simulation *s, uint64_t paths, uint64_t seed, int comparisons,
                                 bailey_estimate *biases)
{
    struct halving h = {.of = s, .paths = paths, .seed = seed};
    bailey_estimate found[BAILEY_SIMULATION_MAX_OUTPUTS];
    if (s->steps < 2)
        return bly_fail_argument("steps", "the path of %s has one step, not two", s->payoff.name);
    if (s->fixed_end) return bly_fail_argument("end", "end is given, but a bias needs paths with a free end");
    bailey_status status = plan(&h);
    for (int coarse = 0; coarse < 2 && status == BAILEY_OK; coarse++) {
        status = make(&h, coarse);
        if (status == BAILEY_OK) status = find_outputs(&h, coarse);
    }
    for (uint32_t o = 0; o < s->payoff.outputs && status == BAILEY_OK; o++) found[o] = difference(&h, o);
    if (status == BAILEY_OK) status = bound(&h, comparisons, found);
    if (status == BAILEY_OK) memcpy(biases, found, s->payoff.outputs * sizeof *found);
    free_halving(&h);
    return status;
}

/* ---- Twice the tolerance ------------------------------------------------------------------------- */

static bailey_status double_tolerance(bailey_simulation *s, uint64_t paths, uint64_t seed,
                                      bailey_estimate *biases)
{
    const char *const name = s->payoff.description->d.path.coarser;
    const char *const names[] = {name};
    const struct bly_field *field = bly_parameter_find(&s->payoff, name, strlen(name));
    const double tolerance = bly_parameter_read(s->precision, field, 0, s->values);
    const double values[] = {tolerance, 2 * tolerance};
    double weights[BAILEY_SIMULATION_MAX_OUTPUTS * 2 * BAILEY_SIMULATION_MAX_OUTPUTS] = {0};
    const uint32_t outputs = s->payoff.outputs;
    for (uint32_t o = 0; o < outputs; o++) {
        weights[o * 2 * outputs + o] = -1;
        weights[o * 2 * outputs + outputs + o] = 1;
    }
    const bailey_simulation_run_params run = {
        .source = {.seed = seed},
        .paths = paths,
        .scenarios = {
            .count = 2, .columns = 1, .names = names, .values = values, .rows = outputs, .weights = weights}};
    const bailey_status status = bailey_simulation_run(s, &run, biases);
    for (uint32_t o = 0; o < outputs && status == BAILEY_OK; o++) {
        biases[o].interval_high = fabs(biases[o].mean);
        biases[o].interval_low = -biases[o].interval_high;
    }
    return status;
}

bailey_status bailey_simulation_bias(bailey_simulation *s, uint64_t paths, uint64_t seed,
                                     bailey_estimate *biases)
{
    if (!s) return bly_fail_argument("simulation", "simulation is NULL");
    if (!biases) return bly_finish(s->context, bly_fail_argument("biases", "biases is NULL"));
    if (!paths) paths = DEFAULT_PATHS;
    if (paths < 2 || paths > MOST_PATHS)
        return bly_finish(s->context,
                          bly_fail_argument("paths", "paths is %llu, not from 2 to %llu",
                                            (unsigned long long)paths, (unsigned long long)MOST_PATHS));
    if (!bailey_simulation_is_discretised(s)) {
        bly_fail(BAILEY_ERROR_UNSUPPORTED, "the code of %s does not declare that it discretises its model",
                 s->payoff.name);
        return bly_finish(s->context, bly_name_argument(BAILEY_ERROR_UNSUPPORTED, "simulation"));
    }
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status = s->payoff.description->d.path.coarser_steps
                                     ? halve_steps(s, paths, seed, COMPARISONS, biases)
                                     : double_tolerance(s, paths, seed, biases);
    fesetenv(&callers);
    return bly_finish(s->context, status);
}
