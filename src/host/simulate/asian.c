/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Pricing Asian options: paths of the correlated Brownian motions by the bridge, payoffs of each path, sums
 * of fixed shape, estimates of each replicate.
 */
#include "asian_deal.h"

#include <base/alloc.h>
#include <host/source/factor.h>

#include <kernels/asian.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* Paths are summed in blocks of this many; three folds leave 32 sums of a block, which are added in
 * order. The shape depends on the number of paths alone. */
#define BLOCK_PATHS (UINT64_C(1) << 20)
#define FOLDED_ROW(count) (((count) + BLY_FOLD_BLOCK - 1) / BLY_FOLD_BLOCK * BLY_FOLD_LANES)

/* Blocks whose sums may be under way while the host goes on; where it reports progress, one besides the block
 * that it waits for. */
#define SLOTS 16
#define SLOTS_REPORTED 2
#define SLOT_BYTES (BLY_ASIAN_ROWS * BLY_FOLD_LANES * sizeof(double))

static bailey_status upload_constants(bailey_context *context, const bailey_asian_params *p,
                                      const struct bly_payoff *payoff, bailey_buffer **buffer)
{
    const size_t count = bly_asian_constant_count(p);
    const size_t element = bly_element_bytes(p->normal.precision);
    double *values = bly_alloc(count, sizeof *values);
    float *rounded = bly_alloc(count, sizeof *rounded);
    bailey_status status = BAILEY_OK;
    if (!values || !rounded) status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an option");
    if (status == BAILEY_OK) {
        bly_asian_constants(p, payoff, values);
        for (size_t i = 0; i < count && status == BAILEY_OK; i++) {
            if (!(fabs(values[i]) <= (p->normal.precision == BAILEY_PRECISION_F64 ? DBL_MAX : FLT_MAX)))
                status = bly_fail_argument(
                    "rate", "rate, dividend and volatility lead to a drift of %g, beyond the precision",
                    values[i]);
            if (p->normal.precision == BAILEY_PRECISION_F32 && values[i] != 0 && fabs(values[i]) < FLT_MIN)
                values[i] = 0;
            rounded[i] = (float)values[i];
        }
    }
    if (status == BAILEY_OK)
        status = bly_pool_upload(
            context, p->normal.precision == BAILEY_PRECISION_F64 ? (void *)values : (void *)rounded,
            count * element, buffer);
    bly_free(values);
    bly_free(rounded);
    return status;
}

/* Names what the bridge refused as the option's caller knows it. */
static bailey_status name_argument(bailey_status status)
{
    if (!strcmp(bailey_error_argument(), "times")) return bly_name_argument(status, "fixings");
    if (!strcmp(bailey_error_argument(), "factor")) return bly_name_argument(status, "volatility");
    return status;
}

/* The covariance per year of the motions that the bridge builds: volatilities and correlation. */
static bailey_status create_bridge(bailey_context *context, const bailey_asian_params *p,
                                   bailey_bridge **bridge)
{
    const uint32_t d = p->assets;
    double *factor = bly_alloc((size_t)d * d, sizeof *factor),
           *matrix = bly_alloc((size_t)d * d, sizeof *matrix);
    bailey_status status = BAILEY_OK;
    if (!factor || !matrix) status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an option");
    for (uint32_t i = 0; i < d && status == BAILEY_OK; i++)
        for (uint32_t j = 0; j < d; j++)
            matrix[i * d + j] = p->correlation ? p->correlation[i * d + j] : i == j;
    if (status == BAILEY_OK) status = bly_factor_covariance("correlation", matrix, d, factor);
    for (uint32_t i = 0; i < d && status == BAILEY_OK; i++)
        for (uint32_t j = 0; j <= i; j++) factor[i * d + j] *= p->volatility[i];
    const bailey_bridge_params params = {.times = p->fixings,
                                         .steps = p->fixing_count,
                                         .order = p->order,
                                         .dims = d,
                                         .factor = factor,
                                         .precision = p->normal.precision};
    if (status == BAILEY_OK) status = name_argument(bailey_bridge_create(context, &params, bridge));
    bly_free(matrix);
    bly_free(factor);
    return status;
}

/* What is estimated. */
enum { ARITHMETIC, GEOMETRIC, CONTROLLED, ESTIMATES };

/* In units of money; errors from the paths of one replicate. */
struct estimates {
    double value[ESTIMATES], error[ESTIMATES];
};

/* Of the replicates so far: sums in their order, and sums of the distances from the first, which keep the
 * digits of a spread that is small beside the price. */
struct tally {
    uint64_t count;
    struct estimates first;
    double sum[ESTIMATES], distance[ESTIMATES], squares[ESTIMATES];
};

/* The memory of a pricing run, and the blocks whose sums are under way: `pending` of them, of which block
 * number `taken` is the first. Blocks are numbered through all replicates; block b has slot b mod SLOTS. */
struct run {
    bailey_bridge *bridge;
    bailey_buffer *constants, *x, *payoffs, *folded[2];
    bailey_buffer *results; /* PINNED */
    struct bly_fence *fences[SLOTS];
    uint64_t chunk;  /* paths built at once, a multiple of 4 */
    uint64_t blocks; /* of a replicate */
    uint64_t taken, pending;
    struct bly_payoff payoff;
    double sums[BLY_ASIAN_ROWS]; /* of the replicate that block number `taken` belongs to */
    struct tally tally;
};

/* Waits for what is pending: the host's memory is about to be another's. */
static void destroy_run(bailey_context *context, struct run *run)
{
    const struct bly_backend *backend = context->device->backend;
    if (run->pending) backend->wait(context->device);
    for (int i = 0; i < SLOTS; i++) backend->fence_free(context->device, run->fences[i]);
    bly_pool_give(run->results);
    bly_pool_give(run->constants);
    bly_pool_give(run->x);
    bly_pool_give(run->payoffs);
    for (int i = 0; i < 2; i++) bly_pool_give(run->folded[i]);
    bailey_bridge_destroy(run->bridge);
}

/* Large enough to fill a GPU, small enough for a processor's cache; results do not depend on it. */
static uint64_t choose_chunk(const struct bly_device *device, uint64_t path_bytes, uint64_t block)
{
    const uint64_t fits = device->info.allocation_bytes / 4 / path_bytes;
    uint64_t chunk = device->tuning->chunk_bytes / path_bytes;
    if (chunk < 1024) chunk = 1024; /* fewer would leave the device idle */
    if (chunk > fits) chunk = fits;
    chunk = chunk < 4 ? 4 : chunk / 4 * 4;
    return chunk > block ? block : chunk;
}

static bailey_status create_run(bailey_context *context, const bailey_asian_params *p, struct run *run)
{
    const uint64_t path_bytes = p->fixing_count * p->assets * bly_element_bytes(p->normal.precision);
    const uint64_t block = p->paths < BLOCK_PATHS ? (p->paths + 3) / 4 * 4 : BLOCK_PATHS;
    run->chunk = choose_chunk(context->device, path_bytes, block);
    run->blocks = (p->paths + BLOCK_PATHS - 1) / BLOCK_PATHS;
    run->payoff = bly_asian_payoff(p);
    bailey_status status = create_bridge(context, p, &run->bridge);
    if (status == BAILEY_OK) status = upload_constants(context, p, &run->payoff, &run->constants);
    if (status == BAILEY_OK)
        status = bly_pool_take(context, BLY_MEMORY_DEVICE, run->chunk * path_bytes, &run->x);
    if (status == BAILEY_OK)
        status =
            bly_pool_take(context, BLY_MEMORY_DEVICE, BLY_ASIAN_ROWS * block * sizeof(double), &run->payoffs);
    for (int i = 0; i < 2 && status == BAILEY_OK; i++)
        status = bly_pool_take(context, BLY_MEMORY_DEVICE,
                               BLY_ASIAN_ROWS * FOLDED_ROW(block) * sizeof(double), &run->folded[i]);
    if (status == BAILEY_OK)
        status = bly_pool_take(context, BLY_MEMORY_PINNED, SLOTS * SLOT_BYTES, &run->results);
    return status;
}

/* Queues paths first .. first + count - 1 of `source` and their payoffs, which go to column `column` of
 * `columns`. */
static bailey_status queue_chunk(bailey_context *context, const bailey_asian_params *p, struct run *run,
                                 const bailey_source *source, uint64_t first, uint64_t count, uint64_t column,
                                 uint64_t columns)
{
    const bailey_status status =
        bailey_bridge_simulate(run->bridge, source, &p->normal, first, count, run->x);
    if (status != BAILEY_OK) return status;
    const int f64 = p->normal.precision == BAILEY_PRECISION_F64;
    const int native = p->normal.numerics == BAILEY_NUMERICS_FAST && context->device->native_functions;
    const bly_asian_params params = {.paths = count,
                                     .x_row = count,
                                     .y_offset = column,
                                     .y_row = columns,
                                     .fixings = (uint32_t)p->fixing_count,
                                     .assets = p->assets};
    bailey_buffer *buffers[] = {run->constants, run->x, run->payoffs};
    return bly_launch(context,
                      &bly_kernels[f64      ? BLY_KERNEL_bly_asian_f64
                                   : native ? BLY_KERNEL_bly_asian_fast_f32
                                            : BLY_KERNEL_bly_asian_f32],
                      bly_groups(0, count, bly_block_elements(p->normal.precision)), 1, &params,
                      sizeof params, buffers, run->payoffs, 0, bailey_buffer_bytes(run->payoffs));
}

/* Queues the folds of a block of `count` columns of payoffs, down to BLY_FOLD_LANES sums a row. */
static bailey_status queue_folds(bailey_context *context, struct run *run, uint64_t count,
                                 bailey_buffer **folded)
{
    bailey_buffer *in = run->payoffs;
    uint64_t in_row = count;
    int turn = 0;
    do {
        const uint64_t out_row = FOLDED_ROW(count);
        const bly_fold_params params = {.count = count, .in_row = in_row, .out_row = out_row};
        bailey_buffer *buffers[] = {in, run->folded[turn]};
        const bailey_status status =
            bly_launch(context, &bly_kernels[BLY_KERNEL_bly_fold], out_row / 2, BLY_ASIAN_ROWS, &params,
                       sizeof params, buffers, buffers[1], 0, bailey_buffer_bytes(buffers[1]));
        if (status != BAILEY_OK) return status;
        in = buffers[1];
        count = in_row = out_row;
        turn = 1 - turn;
    } while (count > BLY_FOLD_LANES);
    *folded = in;
    return BAILEY_OK;
}

/* Queues block number run->taken + run->pending on its way to its slot. */
static bailey_status queue_block(bailey_context *context, const bailey_asian_params *p, struct run *run)
{
    struct bly_device *device = context->device;
    const uint64_t block = run->taken + run->pending, slot = block % SLOTS;
    const uint64_t first = block % run->blocks * BLOCK_PATHS, left = p->paths - first;
    const uint64_t columns = left < BLOCK_PATHS ? left : BLOCK_PATHS;
    const bailey_source source = bly_asian_source(p, block / run->blocks);
    bailey_buffer *folded = NULL;
    bailey_status status = BAILEY_OK;
    for (uint64_t column = 0; column < columns && status == BAILEY_OK; column += run->chunk) {
        const uint64_t count = columns - column < run->chunk ? columns - column : run->chunk;
        status = queue_chunk(context, p, run, &source, first + column, count, column, columns);
    }
    if (status == BAILEY_OK) status = queue_folds(context, run, columns, &folded);
    if (status != BAILEY_OK) return status;
    run->pending++;
    status = device->backend->copy(device, 0, folded->memory, 0, run->results->memory, slot * SLOT_BYTES,
                                   SLOT_BYTES);
    if (status == BAILEY_OK) status = device->backend->fence(device, 0, &run->fences[slot]);
    return status;
}

/* Adds the sums of the first block that is pending, in the order of lanes, if it is done or is waited for. */
static bailey_status take_block(bailey_context *context, struct run *run, int wait, int *done)
{
    struct bly_device *device = context->device;
    const uint64_t slot = run->taken % SLOTS;
    const bailey_status status = device->backend->fence_done(device, run->fences[slot], wait, done);
    if (status != BAILEY_OK || !*done) return status;
    device->backend->fence_free(device, run->fences[slot]);
    run->fences[slot] = NULL;
    const double *folded =
        (const double *)device->backend->address(run->results->memory) + slot * SLOT_BYTES / sizeof(double);
    for (int r = 0; r < BLY_ASIAN_ROWS; r++) {
        double sum = 0;
        for (int l = 0; l < BLY_FOLD_LANES; l++) sum += folded[r * BLY_FOLD_LANES + l];
        run->sums[r] += sum;
    }
    run->taken++;
    run->pending--;
    return BAILEY_OK;
}

/* Below this it is the rounding of the sums that varies, not the payoffs. */
static double sound_variance(double variance, double mean_square)
{
    return variance > 0x1p-44 * mean_square ? variance : 0;
}

/* From the sums of a, a^2, g, g^2, a g of the undiscounted payoffs of a replicate. Plain IEEE operations in a
 * fixed order; the differences go through fma, so that no compiler can contract them. */
static struct estimates estimate(const bailey_asian_params *p, const struct bly_payoff *payoff,
                                 const double *sums)
{
    const double n = (double)p->paths, df = bly_asian_discount(p) * payoff->part;
    const double a = sums[0] / n, g = sums[2] / n;
    const double var_a = sound_variance(fma(-a, sums[0], sums[1]) / (n - 1), sums[1] / n);
    const double var_g = sound_variance(fma(-g, sums[2], sums[3]) / (n - 1), sums[3] / n);
    const double cov = fma(-a, sums[2], sums[4]) / (n - 1);
    const double beta = var_g > 0 ? cov / var_g : 0;
    const double var_c = fmax(fma(-beta, cov, var_a), 0);
    struct estimates e = {.value = {df * a}, .error = {df * sqrt(var_a / n)}};
    if (!payoff->control) return e;
    e.value[GEOMETRIC] = df * g;
    e.error[GEOMETRIC] = df * sqrt(var_g / n);
    e.value[CONTROLLED] = fma(beta, ldexp(bly_asian_closed_form(p, payoff), -payoff->unit) - df * g, df * a);
    /* The slope takes a degree of freedom. */
    e.error[CONTROLLED] = n > 2 ? df * sqrt(var_c * ((n - 1) / (n - 2)) / n) : e.error[ARITHMETIC];
    return e;
}

static void add_replicate(struct tally *tally, const struct estimates *e)
{
    if (tally->count++ == 0) tally->first = *e;
    for (int i = 0; i < ESTIMATES; i++) {
        const double distance = e->value[i] - tally->first.value[i];
        tally->sum[i] += e->value[i];
        tally->distance[i] += distance;
        tally->squares[i] = fma(distance, distance, tally->squares[i]);
    }
}

/* The standard error of the mean of the replicates: from their spread; of a single one from its paths, if
 * these are independent, which points are not. */
static double tally_error(const struct tally *tally, int i, int points)
{
    const double n = (double)tally->count;
    if (tally->count == 1) return points ? NAN : tally->first.error[i];
    const double variance = fma(-tally->distance[i] / n, tally->distance[i], tally->squares[i]) / (n - 1);
    return sqrt(fmax(variance, 0) / n);
}

/* Ends the replicate whose payoffs are all summed. */
static bailey_status take_replicate(const bailey_asian_params *p, struct run *run)
{
    for (int r = 0; r < BLY_ASIAN_ROWS; r++)
        if (!isfinite(run->sums[r]))
            return bly_fail_argument(
                "spot", "spot, rate, volatility and the last fixing lead to payoffs beyond %s precision",
                p->normal.precision == BAILEY_PRECISION_F64 ? "double" : "single");
    const struct estimates e = estimate(p, &run->payoff, run->sums);
    add_replicate(&run->tally, &e);
    memset(run->sums, 0, sizeof run->sums);
    return BAILEY_OK;
}

/* The paths of the blocks that are taken, of all replicates. */
static uint64_t paths_taken(const bailey_asian_params *p, const struct run *run)
{
    const uint64_t whole = run->taken / run->blocks * p->paths;
    return whole + run->taken % run->blocks * BLOCK_PATHS;
}

/* Takes the blocks that are done, and waits for those before the last `most`. */
static bailey_status take_blocks(bailey_context *context, const bailey_asian_params *p, struct run *run,
                                 uint64_t most)
{
    const uint64_t total = p->paths * bly_asian_replicates(p);
    while (run->pending) {
        int done = 0;
        bailey_status status = take_block(context, run, run->pending > most, &done);
        if (status != BAILEY_OK || !done) return status;
        if (run->taken % run->blocks == 0) status = take_replicate(p, run);
        if (status != BAILEY_OK) return status;
        const uint64_t paths = paths_taken(p, run);
        if (p->progress && p->progress(p->progress_user, paths, total))
            return bly_fail(BAILEY_ERROR_CANCELLED, "cancelled after %llu of %llu paths",
                            (unsigned long long)paths, (unsigned long long)total);
    }
    return BAILEY_OK;
}

static bailey_status simulate(bailey_context *context, const bailey_asian_params *p, struct run *run)
{
    const uint64_t most = (p->progress ? SLOTS_REPORTED : SLOTS) - 1;
    const uint64_t blocks = run->blocks * bly_asian_replicates(p);
    bailey_status status = BAILEY_OK;
    for (uint64_t block = 0; block < blocks && status == BAILEY_OK; block++) {
        status = queue_block(context, p, run);
        if (status == BAILEY_OK) status = take_blocks(context, p, run, most);
    }
    return status == BAILEY_OK ? take_blocks(context, p, run, 0) : status;
}

static void summarise(const bailey_asian_params *p, const struct run *run, bailey_asian_result *result)
{
    const struct tally *tally = &run->tally;
    const int points = bly_source_kind(&p->source) == BAILEY_SOURCE_POINT, unit = run->payoff.unit;
    double value[ESTIMATES], error[ESTIMATES];
    for (int i = 0; i < ESTIMATES; i++) {
        value[i] = ldexp(tally->sum[i] / (double)tally->count, unit);
        error[i] = ldexp(tally_error(tally, i, points), unit);
    }
    memset(result, 0, sizeof *result);
    result->price = value[ARITHMETIC];
    result->standard_error = error[ARITHMETIC];
    result->paths = p->paths * tally->count;
    result->replicates = tally->count;
    result->has_control = (uint64_t)run->payoff.control;
    if (!run->payoff.control) return;
    result->geometric_closed_form = bly_asian_closed_form(p, &run->payoff);
    result->geometric_price = value[GEOMETRIC];
    result->geometric_standard_error = error[GEOMETRIC];
    result->controlled_price = value[CONTROLLED];
    result->controlled_standard_error = error[CONTROLLED];
}

static bailey_status price(bailey_context *context, const bailey_asian_params *params,
                           bailey_asian_result *result)
{
    struct run run = {0};
    bailey_status status = bly_asian_check(context, params);
    if (status != BAILEY_OK) return status;
    status = create_run(context, params, &run);
    if (status == BAILEY_OK) status = simulate(context, params, &run);
    destroy_run(context, &run);
    bailey_asian_result summary;
    if (status == BAILEY_OK) summarise(params, &run, &summary);
    if (status == BAILEY_OK && !(isfinite(summary.price) && isfinite(summary.controlled_price)))
        status = bly_fail_argument(
            "rate", "rate %g and the last fixing lead to a price beyond double precision", params->rate);
    if (status == BAILEY_OK) *result = summary;
    return status;
}

bailey_status bailey_asian_price(bailey_context *context, const bailey_asian_params *params,
                                 bailey_asian_result *result)
{
    if (!context) return bly_fail_argument("context", "context is NULL");
    if (!params) return bly_finish(context, bly_fail_argument("params", "params is NULL"));
    if (!result) return bly_finish(context, bly_fail_argument("result", "result is NULL"));
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status = price(context, params, result);
    fesetenv(&callers);
    return bly_finish(context, status);
}
