/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Built-in payoffs without a compiler: rows of the table that read X from memory and write outputs
 * (kernels/prebuilt_item.h), and one that makes nodes from outputs (kernels/output_items.h).
 */
#include "simulation_internal.h"

#include <base/alloc.h>
#include <kernels/output_items.h>
#include <kernels/payoff_list.h>
#include <kernels/weigh_items.h>

#include <stdlib.h>
#include <string.h>

#define ROW(name, file) {name, {BLY_KERNEL_bly_prebuilt_##file##_f32, BLY_KERNEL_bly_prebuilt_##file##_f64}},
static const struct {
    const char *name;
    int row[2]; /* in f32 and f64 */
} payoffs[] = {BLY_PAYOFF_LIST(ROW)};
#define COUNT (sizeof payoffs / sizeof *payoffs)

/* Whether a compiler would not pay. Paths of so many steps or dimensions that rows have no vectors for them
 * take several times as long. */
static int is_preferred(const bailey_simulation *s, uint64_t normals)
{
    const char *wish = getenv("BAILEY_PREBUILT");
    if (wish && strcmp(wish, "1") == 0) return 1;
    if (s->steps > 255 || s->dims > 8) normals = normals < UINT64_MAX / 8 ? 8 * normals : UINT64_MAX;
    return normals < s->context->device->tuning->compile_normals && !(wish && strcmp(wish, "0") == 0);
}

/* Lays the parameters out as the rows have them: with arrays of BLY_PREBUILT_DIMS, or of the only number. */
static bailey_status place_params(bailey_simulation *s, const bailey_payoff *payoff)
{
    const uint32_t fixed = bly_fixed_dims(&s->payoff.description->d.path);
    const struct bly_payoff_path path = {.precision = s->precision,
                                         .steps = BLY_PREBUILT_STEPS,
                                         .dims = fixed ? fixed : BLY_PREBUILT_DIMS,
                                         .own = s->dims - s->assets};
    struct bly_payoff wide;
    const bailey_status status = bly_payoff_read(payoff, &path, &wide);
    for (uint32_t i = 0; i < s->payoff.param_count && status == BAILEY_OK; i++)
        s->payoff.params[i].offset = wide.params[i].offset;
    if (status == BAILEY_OK) s->payoff.params_bytes = wide.params_bytes;
    bly_payoff_free(&wide);
    return status;
}

static bailey_status take_row(bailey_simulation *s, const bailey_payoff *payoff)
{
    const bailey_status status = place_params(s, payoff);
    if (status != BAILEY_OK) return status;
    s->prebuilt = s->row;
    bly_log(1, "simulation: precompiled %s", payoff->name);
    return BAILEY_OK;
}

bailey_status bly_prebuilt_choose(bailey_simulation *s, const bailey_payoff *payoff, uint64_t normals)
{
    size_t number = 0;
    if (payoff->code || s->motion_depth || (s->payoff.whole && s->steps > BLY_PREBUILT_STEPS))
        return BAILEY_OK;
    while (number < COUNT && strcmp(payoffs[number].name, payoff->name) != 0) number++;
    if (number == COUNT) return BAILEY_OK;
    s->row = &bly_kernels[payoffs[number].row[s->precision == BAILEY_PRECISION_F64]];
    if (!is_preferred(s, normals)) {
        const bailey_status status = bly_check_compiler(s->context);
        if (status == BAILEY_OK || status == BAILEY_ERROR_MEMORY) return status;
    }
    return take_row(s, payoff);
}

/* ---- Where a compiler fails ---------------------------------------------------------------------- */

/* What scenarios ask for that rows cannot do; or NULL. */
static const char *lacks(const struct bly_simulation_variant *v)
{
    return v->shifts ? "time_shift" : v->recorrelates ? "covariance" : v->scored ? "scores" : NULL;
}

/* Moves the parameters' values to the layout of the program without run-time compilation. */
static bailey_status move_values(bailey_simulation *s, const struct bly_field *before)
{
    uint8_t *values = bly_alloc(s->payoff.params_bytes, 1);
    bailey_buffer *device_values = NULL;
    if (!values) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a simulation");
    const bailey_status status =
        bly_pool_take(s->context, BLY_MEMORY_DEVICE, s->payoff.params_bytes, &device_values);
    if (status != BAILEY_OK) {
        bly_free(values);
        return status;
    }
    for (uint32_t i = 0; i < s->payoff.param_count; i++) {
        const struct bly_field *field = &s->payoff.params[i];
        memcpy(values + field->offset, s->values + before[i].offset,
               field->count * bly_parameter_bytes(s->precision, field));
    }
    bly_free(s->values);
    bly_pool_release(s->device_values);
    s->values = values;
    s->device_values = device_values;
    s->changed = 1;
    return BAILEY_OK;
}

/* From now on paths go through memory; the stream stays, unused. */
static bailey_status become_prebuilt(bailey_simulation *s)
{
    const bailey_payoff payoff = {.name = s->payoff.name};
    const uint32_t bytes = s->payoff.params_bytes;
    const size_t fields = s->payoff.param_count * sizeof(struct bly_field);
    struct bly_field *before = bly_alloc(fields, 1);
    if (!before) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a simulation");
    memcpy(before, s->payoff.params, fields);
    bailey_status status = take_row(s, &payoff);
    if (status == BAILEY_OK) status = move_values(s, before);
    if (status == BAILEY_OK) {
        s->streams = 0;
        s->stack_depth = 1;
        s->width = bly_simulation_width(s, 1, s->payoff.outputs);
        bly_variants_free(&s->programs);
    } else {
        s->prebuilt = NULL;
        s->payoff.params_bytes = bytes;
        memcpy(s->payoff.params, before, fields);
    }
    bly_free(before);
    return status;
}

bailey_status bly_prebuilt_fall_back(bailey_simulation *s, const struct bly_simulation_variant *v,
                                     bailey_status status)
{
    const char *wish = getenv("BAILEY_PREBUILT");
    const int failed = status == BAILEY_ERROR_BUILD || status == BAILEY_ERROR_UNSUPPORTED;
    if (!failed || !s->row || !s->context->device->has_rows || lacks(v) || v->fixed ||
        (wish && strcmp(wish, "0") == 0))
        return status;
    bly_log(1, "simulation: %s is not compiled: %s", s->payoff.name, bailey_error_message());
    return become_prebuilt(s);
}

/* ---- Scenarios ----------------------------------------------------------------------------------- */

bailey_status bly_prebuilt_check(const bailey_simulation *s, const struct bly_simulation_variant *v)
{
    const char *what = lacks(v);
    if (!what) return BAILEY_OK;
    return bly_fail(BAILEY_ERROR_UNSUPPORTED,
                    "%s of scenarios needs a run-time compiler, but %s runs the precompiled %s", what,
                    s->context->device->info.address, s->payoff.name);
}

uint64_t bly_prebuilt_rows(const bailey_simulation *s, const struct bly_simulation_variant *v)
{
    return (uint64_t)v->scenarios * s->payoff.outputs + (v->weights ? v->results : 0);
}

bailey_status bly_prebuilt_weights(bailey_simulation *s, const struct bly_pass *pass, const double *weights,
                                   bailey_buffer **uploaded)
{
    const uint64_t columns = (uint64_t)pass->scenarios * s->payoff.outputs;
    if (pass->weight_count == 0) return BAILEY_OK;
    double *all = bly_alloc(pass->results * columns, sizeof *all);
    if (!all) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for scenarios");
    for (uint32_t i = 0; i < pass->term_count; i++) {
        const struct bly_terms *t = &pass->terms[i];
        memcpy(all + t->row * columns + t->from, weights + t->weight, t->count * sizeof *all);
    }
    const bailey_status status =
        bly_pool_upload(s->context, all, pass->results * columns * sizeof *all, uploaded);
    bly_free(all);
    return status;
}

static bailey_status weigh(bailey_simulation *s, const struct bly_simulation_variant *v,
                           const struct bly_prebuilt_chunk *chunk)
{
    const bly_weigh_params params = {
        .paths = chunk->paths, .output_row = chunk->outputs->row, .count = v->scenarios * s->payoff.outputs};
    bailey_buffer *const buffers[] = {chunk->weights, chunk->outputs->buffer};
    return bly_launch(s->context, &bly_kernels[BLY_KERNEL_bly_weigh], chunk->paths / 2, v->results, &params,
                      sizeof params, buffers, chunk->outputs->buffer, 0, 0);
}

/* Queues the outputs of one scenario, whose parameters begin `offset` bytes into the chunk's. */
static bailey_status evaluate(bailey_simulation *s, const struct bly_prebuilt_chunk *chunk, uint64_t offset,
                              const struct bly_prebuilt_outputs *outputs)
{
    const bly_prebuilt_params params = {.paths = chunk->paths,
                                        .x_row = chunk->paths,
                                        .output_first = outputs->first,
                                        .output_row = outputs->row,
                                        .values = offset / 8,
                                        .dims = s->dims,
                                        .steps = s->steps,
                                        .antithetic = chunk->antithetic != 0,
                                        .increments = s->walk == BLY_WALK_INCREMENTS};
    bailey_buffer *const buffers[] = {chunk->values, s->device_constants, chunk->x, outputs->buffer};
    return bly_launch(s->context, s->prebuilt, bly_groups(0, chunk->paths, bly_block_elements(s->precision)),
                      1, &params, sizeof params, buffers, outputs->buffer, 0, 0);
}

/* Queues nodes of results and, if the variant has them, samples and counts. */
static bailey_status fold(bailey_simulation *s, const struct bly_simulation_variant *v,
                          const bly_simulation_params *run, const struct bly_prebuilt_outputs *results,
                          bailey_buffer *nodes, bailey_buffer *samples)
{
    const struct bly_simulation_rows rows = bly_simulation_rows_of(v);
    const int f64 = s->precision == BAILEY_PRECISION_F64;
    const int row = f64 ? BLY_KERNEL_bly_output_nodes_f64 : BLY_KERNEL_bly_output_nodes_f32;
    const bly_output_params params = {.run = *run,
                                      .output_first = results->first,
                                      .output_row = results->row,
                                      .outputs = v->results,
                                      .products = v->products,
                                      .shape = v->shape,
                                      .samples = v->samples,
                                      .histogram = v->histogram,
                                      .sums = rows.sums};
    bailey_buffer *const buffers[] = {results->buffer, nodes, samples};
    return bly_launch(s->context, &bly_kernels[row], (run->node_row + 1) / 2, rows.all, &params,
                      sizeof params, buffers, nodes, 0, 0);
}

bailey_status bly_prebuilt_launch(bailey_simulation *s, const struct bly_simulation_variant *v,
                                  const struct bly_prebuilt_chunk *chunk, const bly_simulation_params *run,
                                  bailey_buffer *nodes, bailey_buffer *samples)
{
    struct bly_prebuilt_outputs outputs = *chunk->outputs;
    bailey_status status = BAILEY_OK;
    for (uint32_t k = 0; k < v->scenarios && status == BAILEY_OK; k++) {
        status = evaluate(s, chunk, (uint64_t)k * s->payoff.params_bytes, &outputs);
        outputs.first += outputs.row * s->payoff.outputs;
    }
    if (status == BAILEY_OK && chunk->weights) status = weigh(s, v, chunk);
    if (!chunk->weights) outputs.first = chunk->outputs->first;
    if (status != BAILEY_OK) return status;
    return fold(s, v, run, &outputs, nodes, samples);
}
