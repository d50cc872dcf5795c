/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Pricing Asian options: paths of the correlated Brownian motions by the bridge, payoffs of each path, sums
 * of fixed shape.
 */
#include <base/alloc.h>
#include <host/internal.h>
#include <host/source/factor.h>

#include <bailey/device/math.h>
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

/* The least weight x spot: prices and their errors are then normal doubles. */
#define LEAST_MONEY 1e-300

static double weight(const bailey_asian_params *p, uint32_t k)
{
    return p->weight ? p->weight[k] : 1.0 / p->assets;
}

static int has_negative_weight(const bailey_asian_params *p)
{
    for (uint32_t k = 0; k < p->assets; k++)
        if (weight(p, k) < 0) return 1;
    return 0;
}

static bailey_status check_asset(const bailey_asian_params *p, uint32_t k)
{
    if (!(p->spot[k] > 0 && p->spot[k] <= FLT_MAX))
        return bly_fail_argument("spot", "spot[%u] is %g, must be positive and at most 3.4e38", k,
                                 p->spot[k]);
    if (!(p->volatility[k] >= 0 && p->volatility[k] <= 100))
        return bly_fail_argument("volatility", "volatility[%u] is %g, from 0 to 100", k, p->volatility[k]);
    if (p->dividend && !(fabs(p->dividend[k]) <= 100))
        return bly_fail_argument("dividend", "dividend[%u] is %g, from -100 to 100", k, p->dividend[k]);
    if (p->weight && !(p->weight[k] != 0 && fabs(p->weight[k]) <= FLT_MAX))
        return bly_fail_argument("weight", "weight[%u] is %g, must not be 0, from -3.4e38 to 3.4e38", k,
                                 p->weight[k]);
    if (!(fabs(weight(p, k)) * p->spot[k] >= LEAST_MONEY))
        return bly_fail_argument("weight", "weight[%u] = %g times spot[%u] = %g is below %g", k, weight(p, k),
                                 k, p->spot[k], LEAST_MONEY);
    for (uint32_t j = 0; p->correlation && j <= k; j++) {
        const double value = p->correlation[k * p->assets + j];
        if (j == k ? value != 1 : !(fabs(value) <= 1))
            return bly_fail_argument("correlation", "correlation[%u][%u] is %g, %s", k, j, value,
                                     j == k ? "must be 1" : "from -1 to 1");
    }
    return BAILEY_OK;
}

/* The strike, and the fixings that are past. Weights have been checked. */
static bailey_status check_payoff(const bailey_asian_params *p)
{
    const int spread = has_negative_weight(p);
    if (p->type != BAILEY_OPTION_CALL && p->type != BAILEY_OPTION_PUT)
        return bly_fail_argument("type", "type is %d, not a bailey_option_type", (int)p->type);
    if (!(p->strike >= (spread ? -FLT_MAX : 0) && p->strike <= FLT_MAX))
        return bly_fail_argument("strike", "strike is %g, from %s to 3.4e38%s", p->strike,
                                 spread ? "-3.4e38" : "0", spread ? "" : ", as no weight is negative");
    if (p->past_count > BAILEY_BRIDGE_MAX_STEPS)
        return bly_fail_argument("past_count", "past_count is %llu, from 0 to %u",
                                 (unsigned long long)p->past_count, BAILEY_BRIDGE_MAX_STEPS);
    if (p->past_count == 0 && p->past_average != 0)
        return bly_fail_argument("past_average", "past_average is %g, must be 0 as past_count is 0",
                                 p->past_average);
    if (p->past_count > 0 && !(fabs(p->past_average) <= FLT_MAX && (spread || p->past_average > 0)))
        return bly_fail_argument("past_average", "past_average is %g, %s 3.4e38", p->past_average,
                                 spread ? "from -3.4e38 to"
                                        : "must be positive, as weights are, and at most");
    return BAILEY_OK;
}

static bailey_status check_params(const bailey_context *context, const bailey_asian_params *p)
{
    if (!p->fixings) return bly_fail_argument("fixings", "fixings is NULL");
    if (p->fixing_count < 1 || p->fixing_count > BAILEY_BRIDGE_MAX_STEPS)
        return bly_fail_argument("fixing_count", "fixing_count is %llu, from 1 to %u",
                                 (unsigned long long)p->fixing_count, BAILEY_BRIDGE_MAX_STEPS);
    for (uint64_t i = 0; i < p->fixing_count; i++) {
        const double before = i ? p->fixings[i - 1] : 0;
        if (!isfinite(p->fixings[i]))
            return bly_fail_argument("fixings", "fixings[%llu] = %.17g is not finite", (unsigned long long)i,
                                     p->fixings[i]);
        if (p->fixings[i] > before) continue;
        if (i == 0) return bly_fail_argument("fixings", "fixings[0] = %.17g is not positive", p->fixings[0]);
        return bly_fail_argument("fixings", "fixings[%llu] = %.17g does not exceed fixings[%llu] = %.17g",
                                 (unsigned long long)i, p->fixings[i], (unsigned long long)(i - 1), before);
    }
    if (p->assets < 1 || p->assets > BAILEY_BRIDGE_MAX_DIMS)
        return bly_fail_argument("assets", "assets is %u, from 1 to %u", p->assets, BAILEY_BRIDGE_MAX_DIMS);
    if (!p->spot) return bly_fail_argument("spot", "spot is NULL");
    if (!p->volatility) return bly_fail_argument("volatility", "volatility is NULL");
    if (!(fabs(p->rate) <= 100)) return bly_fail_argument("rate", "rate is %g, from -100 to 100", p->rate);
    if (p->paths < 2 || p->paths > BAILEY_BRIDGE_MAX_PATHS)
        return bly_fail_argument("paths", "paths is %llu, from 2 to 2^38", (unsigned long long)p->paths);
    for (uint32_t k = 0; k < p->assets; k++) {
        const bailey_status status = check_asset(p, k);
        if (status != BAILEY_OK) return status;
    }
    bailey_status status = check_payoff(p);
    if (status == BAILEY_OK) status = bly_check_sequence(&p->source, NULL);
    if (status == BAILEY_OK) status = bly_check_normal(context, &p->normal, p->normal.precision);
    if (status == BAILEY_OK && !context->device->info.has_f64)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "%s has no double precision, which sums of payoffs need",
                        context->device->info.address);
    return status;
}

static double correlation(const bailey_asian_params *p, uint32_t i, uint32_t j)
{
    if (!p->correlation) return i == j;
    return p->correlation[i >= j ? i * p->assets + j : j * p->assets + i];
}

static double drift(const bailey_asian_params *p, uint32_t k)
{
    const double carry = p->rate - (p->dividend ? p->dividend[k] : 0);
    return fma(-0.5 * p->volatility[k], p->volatility[k], carry);
}

/* The basket today. */
static double basket_spot(const bailey_asian_params *p)
{
    double sum = 0;
    for (uint32_t k = 0; k < p->assets; k++) sum = fma(weight(p, k), p->spot[k], sum);
    return sum;
}

/* The asset's share of the basket today: its power in the geometric basket, basket_spot times the product
 * of (S_k / spot_k)^share. */
static double share(const bailey_asian_params *p, uint32_t k)
{
    return weight(p, k) * p->spot[k] / basket_spot(p);
}

static double discount(const bailey_asian_params *p)
{
    return bailey_exp_f64(-(p->rate * p->fixings[p->fixing_count - 1]));
}

/* With m fixings past, of mean A, and n to come, of mean F, the payoff of max(sign ((m A + n F) / (m + n) -
 * K), 0) is `part` times that of max(sign (F - strike), 0). */
struct payoff {
    double sign;   /* 1 for a call, -1 for a put */
    double strike; /* ((m + n) K - m A) / n = K + (K - A) m / n, which may be negative; K itself if m = 0 */
    double part;   /* n / (m + n) */
    int unit;      /* devices count money in units of 2^unit, so that it is a normal number in f32 */
    int control;   /* the geometric option exists: no weight is negative */
};

static struct payoff find_payoff(const bailey_asian_params *p)
{
    const double n = (double)p->fixing_count, m = (double)p->past_count;
    struct payoff payoff = {.sign = p->type == BAILEY_OPTION_PUT ? -1 : 1,
                            .strike = fma(p->strike - p->past_average, m / n, p->strike),
                            .part = n / (m + n),
                            .control = !has_negative_weight(p)};
    double money = fabs(payoff.strike);
    for (uint32_t k = 0; k < p->assets; k++) money = fmax(money, fabs(weight(p, k)) * p->spot[k]);
    payoff.unit = ilogb(money);
    return payoff;
}

/* Black's formula for the geometric average, which is lognormal: Kemna and Vorst, "A pricing method for
 * options based on average asset values" (1990), for a basket and discrete fixings. */
static double geometric_closed_form(const bailey_asian_params *p, const struct payoff *payoff)
{
    const double n = (double)p->fixing_count, sign = payoff->sign, strike = payoff->strike;
    double basket_drift = 0, basket_variance = 0, mean_time = 0, mean_minimum = 0;
    for (uint32_t i = 0; i < p->assets; i++) {
        basket_drift += share(p, i) * drift(p, i);
        for (uint32_t j = 0; j < p->assets; j++)
            basket_variance +=
                share(p, i) * p->volatility[i] * correlation(p, i, j) * share(p, j) * p->volatility[j];
    }
    /* The mean over pairs of min(t_i, t_j): t_i is the smaller of 2 (n - i) - 1 ordered pairs. */
    for (uint64_t i = 0; i < p->fixing_count; i++) {
        mean_time += p->fixings[i] / n;
        mean_minimum += p->fixings[i] * (2 * (n - (double)i) - 1) / (n * n);
    }
    const double variance = basket_variance * mean_minimum, deviation = sqrt(variance);
    const double forward = basket_spot(p) * exp(basket_drift * mean_time + variance / 2);
    if (!(deviation > 0) || strike <= 0)
        return discount(p) * payoff->part * fmax(sign * (forward - strike), 0);
    const double d1 = (log(forward / strike) + variance / 2) / deviation;
    return discount(p) * payoff->part * sign *
           (forward * 0.5 * erfc(-sign * d1 * sqrt(0.5)) -
            strike * 0.5 * erfc(-sign * (d1 - deviation) * sqrt(0.5)));
}

/* The constants of bly_asian_params, in double; those of the geometric option are 0 where there is none. */
static void fill_constants(const bailey_asian_params *p, const struct payoff *payoff, double *values)
{
    const double n = (double)p->fixing_count;
    for (uint64_t i = 0; i < p->fixing_count; i++)
        for (uint32_t k = 0; k < p->assets; k++) *values++ = drift(p, k) * p->fixings[i];
    for (uint32_t k = 0; k < p->assets; k++) *values++ = ldexp(weight(p, k) * p->spot[k], -payoff->unit) / n;
    for (uint32_t k = 0; k < p->assets; k++) *values++ = payoff->control ? share(p, k) / n : 0;
    *values++ = payoff->sign * ldexp(payoff->strike, -payoff->unit);
    *values++ = payoff->control ? payoff->sign * ldexp(basket_spot(p), -payoff->unit) : 0;
    *values = payoff->sign;
}

static bailey_status upload_constants(bailey_context *context, const bailey_asian_params *p,
                                      const struct payoff *payoff, bailey_buffer **buffer)
{
    const size_t count = (size_t)p->fixing_count * p->assets + 2 * (size_t)p->assets + 3;
    const size_t element = bly_element_bytes(p->normal.precision);
    double *values = bly_alloc(count, sizeof *values);
    float *rounded = bly_alloc(count, sizeof *rounded);
    bailey_status status = BAILEY_OK;
    if (!values || !rounded) status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for an option");
    if (status == BAILEY_OK) {
        fill_constants(p, payoff, values);
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

/* The memory of a pricing run, and the blocks whose sums are under way: `pending` of them, of which block
 * number `taken` is the first. Block b has slot b mod SLOTS. */
struct run {
    bailey_bridge *bridge;
    bailey_buffer *constants, *x, *payoffs, *folded[2];
    bailey_buffer *results; /* PINNED */
    struct bly_fence *fences[SLOTS];
    uint64_t chunk; /* paths built at once, a multiple of 4 */
    uint64_t taken, pending;
    double sums[BLY_ASIAN_ROWS];
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

static bailey_status create_run(bailey_context *context, const bailey_asian_params *p,
                                const struct payoff *payoff, struct run *run)
{
    const uint64_t path_bytes = p->fixing_count * p->assets * bly_element_bytes(p->normal.precision);
    const uint64_t block = p->paths < BLOCK_PATHS ? (p->paths + 3) / 4 * 4 : BLOCK_PATHS;
    run->chunk = choose_chunk(context->device, path_bytes, block);
    bailey_status status = create_bridge(context, p, &run->bridge);
    if (status == BAILEY_OK) status = upload_constants(context, p, payoff, &run->constants);
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

/* Queues paths first .. first + count - 1 and their payoffs, which go to column `column` of `columns`. */
static bailey_status queue_chunk(bailey_context *context, const bailey_asian_params *p, struct run *run,
                                 uint64_t first, uint64_t count, uint64_t column, uint64_t columns)
{
    const bailey_status status =
        bailey_bridge_simulate(run->bridge, &p->source, &p->normal, first, count, run->x);
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

/* Queues block number run->taken + run->pending, of `columns` paths, on their way to its slot. */
static bailey_status queue_block(bailey_context *context, const bailey_asian_params *p, struct run *run,
                                 uint64_t columns)
{
    struct bly_device *device = context->device;
    const uint64_t block = run->taken + run->pending, slot = block % SLOTS;
    bailey_buffer *folded = NULL;
    bailey_status status = BAILEY_OK;
    for (uint64_t column = 0; column < columns && status == BAILEY_OK; column += run->chunk) {
        const uint64_t count = columns - column < run->chunk ? columns - column : run->chunk;
        status = queue_chunk(context, p, run, block * BLOCK_PATHS + column, count, column, columns);
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

/* Takes the blocks that are done, and waits for those before the last `most`. */
static bailey_status take_blocks(bailey_context *context, const bailey_asian_params *p, struct run *run,
                                 uint64_t most)
{
    while (run->pending) {
        int done = 0;
        const bailey_status status = take_block(context, run, run->pending > most, &done);
        if (status != BAILEY_OK || !done) return status;
        const uint64_t paths = p->paths / BLOCK_PATHS < run->taken ? p->paths : run->taken * BLOCK_PATHS;
        if (p->progress && p->progress(p->progress_user, paths, p->paths))
            return bly_fail(BAILEY_ERROR_CANCELLED, "cancelled after %llu of %llu paths",
                            (unsigned long long)paths, (unsigned long long)p->paths);
    }
    return BAILEY_OK;
}

static bailey_status sum_payoffs(bailey_context *context, const bailey_asian_params *p, struct run *run)
{
    const uint64_t most = (p->progress ? SLOTS_REPORTED : SLOTS) - 1;
    bailey_status status = BAILEY_OK;
    for (uint64_t first = 0; first < p->paths && status == BAILEY_OK; first += BLOCK_PATHS) {
        status =
            queue_block(context, p, run, p->paths - first < BLOCK_PATHS ? p->paths - first : BLOCK_PATHS);
        if (status == BAILEY_OK) status = take_blocks(context, p, run, most);
    }
    return status == BAILEY_OK ? take_blocks(context, p, run, 0) : status;
}

/* Below this it is the rounding of the sums that varies, not the payoffs. */
static double sound_variance(double variance, double mean_square)
{
    return variance > 0x1p-44 * mean_square ? variance : 0;
}

/* From the sums of a, a^2, g, g^2, a g of undiscounted payoffs, in units of money. Plain IEEE operations in
 * a fixed order; the differences go through fma, so that no compiler can contract them. */
static void summarise(const bailey_asian_params *p, const struct payoff *payoff, const double *sums,
                      bailey_asian_result *result)
{
    const double n = (double)p->paths, df = discount(p) * payoff->part;
    const double a = sums[0] / n, g = sums[2] / n;
    const double var_a = sound_variance(fma(-a, sums[0], sums[1]) / (n - 1), sums[1] / n);
    const double var_g = sound_variance(fma(-g, sums[2], sums[3]) / (n - 1), sums[3] / n);
    const double cov = fma(-a, sums[2], sums[4]) / (n - 1);
    const double beta = var_g > 0 ? cov / var_g : 0;
    const double var_c = fmax(fma(-beta, cov, var_a), 0);
    memset(result, 0, sizeof *result);
    result->paths = p->paths;
    result->price = ldexp(df * a, payoff->unit);
    result->standard_error = ldexp(df * sqrt(var_a / n), payoff->unit);
    result->has_control = (uint64_t)payoff->control;
    if (!payoff->control) return;
    result->geometric_price = ldexp(df * g, payoff->unit);
    result->geometric_standard_error = ldexp(df * sqrt(var_g / n), payoff->unit);
    result->geometric_closed_form = geometric_closed_form(p, payoff);
    result->controlled_price =
        fma(beta, result->geometric_closed_form - result->geometric_price, result->price);
    /* The slope takes a degree of freedom. */
    result->controlled_standard_error =
        n > 2 ? ldexp(df * sqrt(var_c * ((n - 1) / (n - 2)) / n), payoff->unit) : result->standard_error;
}

static bailey_status price(bailey_context *context, const bailey_asian_params *params,
                           bailey_asian_result *result)
{
    struct run run = {0};
    bailey_status status = check_params(context, params);
    if (status != BAILEY_OK) return status;
    const struct payoff payoff = find_payoff(params);
    status = create_run(context, params, &payoff, &run);
    if (status == BAILEY_OK) status = sum_payoffs(context, params, &run);
    destroy_run(context, &run);
    for (int r = 0; r < BLY_ASIAN_ROWS && status == BAILEY_OK; r++)
        if (!isfinite(run.sums[r]))
            status = bly_fail_argument(
                "spot", "spot, rate, volatility and the last fixing lead to payoffs beyond %s precision",
                params->normal.precision == BAILEY_PRECISION_F64 ? "double" : "single");
    bailey_asian_result summary;
    if (status == BAILEY_OK) summarise(params, &payoff, run.sums, &summary);
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
