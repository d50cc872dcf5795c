/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What both schedules launch: the program with its tables and parameters on the device, and ranges of samples
 * cut so that every node that comes back is one of the tree over sample numbers.
 *
 * A range becomes node ranges, each with nodes of one height, which teams make in tickets. Nodes are as large
 * as the ends of the range allow. Where there are many, further kernels join (fold) 64 of them at a time, so
 * that the host reads few: node ranges that are folded begin and end where the nodes that are left do.
 */
#include "mlmc_internal.h"

#include <base/alloc.h>
#include <host/source/source.h>

#include <math.h>
#include <string.h>

#define READ_NODES 256u /* of a range, about, that the host joins */

/* Fine steps of a ticket, at most: of an item on GPUs, and of a group of one item, which is a thread's.
 * Longer tickets would only end at more different times; in shorter ones taking a ticket and leaving a node
 * counts. */
#define ITEM_STEPS 64u
#define THREAD_STEPS (UINT64_C(1) << 17)
/* Tickets of a range that each team has, at least, as long as there are samples for them: so that all end at
 * about the same time. */
#define TEAM_TICKETS 2u
#define THREAD_TICKETS 8u

/* Rows and samples that an address of 64 bits tells apart. */
#define MOST_ROWS (UINT64_C(1) << (64 - BLY_PATH_BITS))
#define MOST_SAMPLES (UINT64_C(1) << BLY_PATH_BITS)

/* ---- Cutting ------------------------------------------------------------------------------------- */

static uint32_t log2_of(uint64_t n)
{
    uint32_t bits = 0;
    while (n >> bits > 1) bits++;
    return bits;
}

/* Zeros at the end of n; of 0 more than any height. */
static uint32_t zeros_of(uint64_t n)
{
    uint32_t zeros = 0;
    while (zeros < 63 && (n >> zeros & 1) == 0) zeros++;
    return zeros;
}

static uint64_t round_down(uint64_t n, uint32_t bits) { return n >> bits << bits; }
static uint64_t round_up(uint64_t n, uint32_t bits)
{
    return round_down(n + ((UINT64_C(1) << bits) - 1), bits);
}

/* The height of the node of a team's items after one turn; of groups of one item, of the fewest samples. */
static uint32_t team_bits(const struct bly_mlmc_variant *v)
{
    if (v->block == 1) return log2_of(BLY_LEVEL_GRAIN);
    return log2_of(v->width * v->team);
}

/* The height of a range's tickets: long enough to be worth their overhead, short enough for all to have some.
 */
static uint32_t ticket_height(const struct bly_mlmc_launch *launch, const struct bly_sample_range *range)
{
    const struct bly_mlmc_variant *v = &launch->variant;
    const uint64_t steps = bly_mlmc_steps(launch->mlmc, bly_term_level(range->term));
    const uint64_t teams = bly_mlmc_groups(launch->mlmc, v) * (v->block / v->team);
    const int alone = v->block == 1;
    const uint32_t width = log2_of(v->width), least = team_bits(v);
    uint32_t height = alone ? width + BLY_LEVELS_TURN_BITS : least + BLY_LEVELS_TURN_BITS;
    while (height > (alone ? width : least) &&
           (alone ? steps << height > THREAD_STEPS : steps << (height - least) > ITEM_STEPS))
        height--;
    while (height > least && range->count >> height < teams * (alone ? THREAD_TICKETS : TEAM_TICKETS))
        height--;
    return height;
}

/* What tickets are that leave nodes of the range's height. */
static void shape_tickets(const struct bly_mlmc_variant *v, struct bly_node_range *range)
{
    const uint32_t most = log2_of(v->width), least = team_bits(v);
    range->width_bits = range->height < most ? range->height : most;
    range->turn_bits = range->height > least ? range->height - least : 0;
    if (v->block == 1) range->turn_bits = range->height - range->width_bits;
    range->ticket_bits = v->block == 1 ? range->height : least + range->turn_bits;
}

/* Whole tickets from `first` on, which is where one begins: folded as often as its end allows. A range that
 * is folded less ends where more folding can begin. */
static struct bly_node_range whole_range(const struct bly_mlmc_cut *cut, uint64_t first)
{
    const struct bly_node_range *ticket = &cut->ticket;
    struct bly_node_range range = *ticket;
    uint32_t folds = cut->folds;
    const uint32_t bits = BLY_NODE_BITS;
    while (folds > 0 && (zeros_of(first) < ticket->height + bits * folds ||
                         cut->end - first < UINT64_C(1) << (ticket->height + bits * folds)))
        folds--;
    range.folds = folds;
    range.height = ticket->height + bits * folds;
    range.first = first;
    range.end = round_down(cut->end, range.height);
    if (folds < cut->folds && round_up(first + 1, range.height + bits) < range.end)
        range.end = round_up(first + 1, range.height + bits);
    return range;
}

/* Less than a ticket, up to where one begins or the range ends. */
static struct bly_node_range low_range(const struct bly_mlmc_cut *cut, uint64_t first)
{
    struct bly_node_range range = cut->ticket;
    const uint64_t next = round_up(first + 1, cut->ticket.height);
    range.first = first;
    range.end = next < cut->end ? next : cut->end;
    range.folds = 0;
    range.height = zeros_of(first) < zeros_of(range.end) ? zeros_of(first) : zeros_of(range.end);
    if (range.height > cut->ticket.height) range.height = cut->ticket.height;
    shape_tickets(&cut->launch->variant, &range);
    return range;
}

static bailey_status check_range(const struct bly_mlmc_launch *launch, const struct bly_sample_range *range)
{
    const bailey_mlmc *m = launch->mlmc;
    const uint32_t level = bly_term_level(range->term);
    const uint64_t steps = bly_mlmc_steps(m, level), numbers = bly_mlmc_step_numbers(m);
    if (steps > MOST_ROWS / numbers)
        return bly_fail_argument(
            "max_level", "level %u has %llu steps of %llu random numbers each; the maximum is 2^%d in all",
            level, (unsigned long long)steps, (unsigned long long)numbers, 64 - BLY_PATH_BITS);
    if (launch->variant.half && m->time / (double)steps < BLY_HALF_LEAST_STEP)
        return bly_fail_argument("approximate",
                                 "approximate is half, but steps of level %u are %g long, below 2^-24, which "
                                 "half precision does not have",
                                 level, m->time / (double)steps);
    if (range->count > MOST_SAMPLES || range->first > MOST_SAMPLES - range->count)
        return bly_fail_argument("eps", "level %u would have more than 2^%d samples", level, BLY_PATH_BITS);
    return BAILEY_OK;
}

bailey_status bly_mlmc_cut_begin(const struct bly_mlmc_launch *launch, const struct bly_sample_range *range,
                                 uint32_t most_height, uint32_t most_folds, struct bly_mlmc_cut *cut)
{
    const bailey_status status = check_range(launch, range);
    if (status != BAILEY_OK) return status;
    const uint32_t height = ticket_height(launch, range);
    *cut = (struct bly_mlmc_cut){.launch = launch, .next = range->first, .end = range->first + range->count};
    cut->ticket.term = range->term;
    cut->ticket.height = height < most_height ? height : most_height;
    shape_tickets(&launch->variant, &cut->ticket);
    while (cut->folds < most_folds && cut->ticket.height + BLY_NODE_BITS * (cut->folds + 1) <= most_height &&
           range->count >> (cut->ticket.height + BLY_NODE_BITS * cut->folds) > READ_NODES)
        cut->folds++;
    return BAILEY_OK;
}

struct bly_node_range bly_mlmc_cut_next(struct bly_mlmc_cut *cut)
{
    const uint64_t first = cut->next;
    const int whole = zeros_of(first) >= cut->ticket.height && cut->end - first >= UINT64_C(1)
                                                                                       << cut->ticket.height;
    const struct bly_node_range range = whole ? whole_range(cut, first) : low_range(cut, first);
    cut->next = range.end;
    return range;
}

/* The length of a fine step and its root are rounded to reals here, once for all devices. */
bly_level_chunk bly_mlmc_chunk(const struct bly_mlmc_launch *launch, const struct bly_node_range *range,
                               uint64_t first, uint64_t end)
{
    const bailey_mlmc *m = launch->mlmc;
    const uint32_t level = bly_term_level(range->term), steps = (uint32_t)bly_mlmc_steps(m, level);
    const double h = m->time / steps, root = sqrt(h);
    const int f64 = m->precision == BAILEY_PRECISION_F64;
    return (bly_level_chunk){.first = first,
                             .end = end,
                             .node_row = bly_node_range_count(range),
                             .h = f64 ? h : (double)(float)h,
                             .root = f64 ? root : (double)(float)root,
                             .level = level,
                             .steps = steps,
                             .height = range->height - BLY_NODE_BITS * range->folds,
                             .turn_bits = range->turn_bits,
                             .width_bits = range->width_bits,
                             .folded = range->folds > 0};
}

bailey_status bly_mlmc_not_finite(const bailey_mlmc *m, uint32_t term, uint64_t first, uint64_t end)
{
    return bly_fail(BAILEY_ERROR_INVALID,
                    "%s has payoffs or sums that are not finite, among samples %llu to %llu of level %u",
                    m->payoff.name, (unsigned long long)first, (unsigned long long)(end - 1),
                    bly_term_level(term));
}

/* ---- What launches take -------------------------------------------------------------------------- */

static bailey_status check_source(const bailey_source *source)
{
    const bailey_source_kind kind = bly_source_kind(source);
    if (kind != BAILEY_SOURCE_KIND_COUNTER && kind != BAILEY_SOURCE_KIND_POINT)
        return bly_fail_argument("generator",
                                 "generator is %s, but levels draw from philox, philox7 or points",
                                 bailey_generator_name(source->generator));
    if (source->stream > UINT64_MAX - (BAILEY_MLMC_MAX_LEVELS - 1))
        return bly_fail_argument("stream", "stream %llu + %u levels exceeds 2^64",
                                 (unsigned long long)source->stream, BAILEY_MLMC_MAX_LEVELS);
    return BAILEY_OK;
}

/* How numbers are made. */
static bailey_status choose(struct bly_mlmc_launch *l, const bailey_mlmc_run_params *p)
{
    const bailey_mlmc *m = l->mlmc;
    bailey_normal_params normal = p->normal;
    bailey_status status = check_source(&p->source);
    normal.precision = m->precision;
    if (status == BAILEY_OK) status = bly_check_normal(m->context, &normal, m->precision);
    if (status != BAILEY_OK) return status;
    l->variant.fast = normal.numerics == BAILEY_NUMERICS_FAST && m->context->device->native_functions;
    l->variant.input = BLY_INPUT_STORED;
    if (bly_source_kind(&p->source) == BAILEY_SOURCE_KIND_COUNTER) {
        l->variant.input = BLY_INPUT_DRAWN;
        l->variant.draw = bly_draw_of(m->context, &normal, m->precision);
        l->variant.rounds = bly_source_rounds(&p->source);
    }
    if ((l->variant.approximate || p->approximate == BAILEY_MLMC_APPROXIMATION_AUTO) &&
        l->variant.draw != BLY_DRAW_icdf_f32)
        return bly_fail_argument(
            "normal", "approximate normals need the inverse CDF of 32-bit words in single precision");
    if (l->variant.half) status = bly_half_choose(m, &l->variant);
    if (status != BAILEY_OK) return status;
    bly_mlmc_variant_choose(m, &l->variant);
    l->params.head.stream = p->source.stream;
    l->params.head.keys = bailey_philox_keys_of(p->source.seed);
    l->params.head.time = m->precision == BAILEY_PRECISION_F64 ? m->time : (double)(float)m->time;
    return BAILEY_OK;
}

/* The persistent kernel needs memory that it and the host see at once, and teams that are warps. */
static bailey_status check_persistent(const struct bly_mlmc_launch *l)
{
    const struct bly_device *device = l->mlmc->context->device;
    if (!l->variant.persistent) return BAILEY_OK;
    if (device->sees_pinned && device->warp && l->variant.team == device->warp) return BAILEY_OK;
    bly_fail(BAILEY_ERROR_UNSUPPORTED,
             "schedule is BAILEY_MLMC_SCHEDULE_PERSISTENT, but %s does not guarantee the progress that "
             "persistent kernels need",
             device->info.address);
    return bly_name_argument(BAILEY_ERROR_UNSUPPORTED, "schedule");
}

/* The factor as devices have it. */
static bailey_status place_factor(struct bly_mlmc_launch *l)
{
    const bailey_mlmc *m = l->mlmc;
    const size_t count = (size_t)m->dims * m->dims, bytes = bly_element_bytes(m->precision);
    if (!m->factor) return BAILEY_OK;
    char *factor = bly_alloc(count, bytes);
    if (!factor) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for levels");
    for (size_t i = 0; i < count; i++)
        bly_parameter_write_real(m->precision, m->factor[i], factor + i * bytes);
    const bailey_status status = bly_pool_upload(m->context, factor, count * bytes, &l->factor);
    bly_free(factor);
    return status;
}

static bailey_status place_values(struct bly_mlmc_launch *l)
{
    const bailey_mlmc *m = l->mlmc;
    const uint32_t bytes = bly_mlmc_values_bytes(m, &l->variant);
    bailey_status status = BAILEY_OK;
    uint8_t *values = l->variant.given ? (uint8_t *)l->params.values : bly_alloc(bytes, 1);
    if (!values) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for levels");
    memcpy(values, m->values, m->payoff.params_bytes);
    if (l->variant.half) bly_half_values(m, &l->variant, values + bytes - m->payoff.params_bytes);
    if (!l->variant.given) {
        status = bly_pool_upload(m->context, values, bytes, &l->values);
        bly_free(values);
    }
    return status;
}

bailey_status bly_mlmc_launch_begin(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params, uint32_t rows,
                                    struct bly_mlmc_variant variant, struct bly_mlmc_launch *l)
{
    memset(l, 0, sizeof *l);
    l->mlmc = mlmc;
    l->variant = variant;
    l->variant.test = rows == BLY_LEVEL_ROWS;
    if (!l->variant.faults) l->variant.faults = 1;
    if (mlmc->payoff.site_count == 0) l->variant.faults = 0;
    l->faults = l->variant.faults > 1 ? BLY_LEVEL_DIAGNOSIS_ROWS : l->variant.faults;
    l->rows = rows + l->faults;
    bailey_status status = choose(l, params);
    if (status == BAILEY_OK) status = check_persistent(l);
    if (status == BAILEY_OK) status = bly_mlmc_program_find(mlmc, &l->variant, l->entries);
    if (status == BAILEY_OK && l->variant.input == BLY_INPUT_DRAWN)
        status = bly_normal_table(mlmc->context, mlmc->precision, &l->table);
    if (status == BAILEY_OK && l->variant.approximate)
        status = bly_approximate_table(mlmc->context, &l->approximate);
    if (status == BAILEY_OK) status = place_factor(l);
    return status == BAILEY_OK ? place_values(l) : status;
}

/* Tables belong to the context. */
void bly_mlmc_launch_end(struct bly_mlmc_launch *l)
{
    bly_pool_release(l->values);
    bly_pool_release(l->factor);
}
