/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A list becomes parts, each with nodes of one height, and parts become launches. Nodes of a ticket are as
 * large as the ends of its part allow. Where a part has many, further kernels join 64 of them at a time, so
 * that the host reads few: such parts begin and end where the nodes that are left do.
 */
#include "mlmc_rounds.h"

#include "mlmc_program.h"

#include <base/alloc.h>
#include <host/source/factor.h>

#include <math.h>
#include <string.h>

#define LISTS 2u             /* under way */
#define READ_NODES 256u      /* of a range, about, that the host joins */
#define LIST_NODES 32768u    /* of a list, of a row: more than there can be */
#define LIST_PARTS 256u      /* likewise */
#define FOLDED_NODES 262144u /* that a launch makes to be folded, of a row */
#define MOST_FOLDS 3u
#define ITEM_STEPS 64u                   /* of an item's strip */
#define TICKET_STEPS (UINT64_C(1) << 17) /* of a group of one item */
#define THREAD_TICKETS 8u
#define MOST_ROWS (UINT64_C(1) << (64 - BLY_PATH_BITS))
#define MOST_SAMPLES (UINT64_C(1) << BLY_PATH_BITS)

/* Samples with nodes of one height: what a part leaves once it is folded. */
struct piece {
    uint32_t level, height, folds;
    uint32_t width, strip, span; /* of its tickets, which are of 2^span samples */
    uint64_t first, end;
    uint64_t node; /* where its first one is among the list's */
};

struct list {
    struct bly_fence *fence;
    struct bly_shown shown; /* SHOWN: what it is made of, and where nodes go; else all zero */
    uint32_t count;
    uint64_t nodes;
    struct piece pieces[LIST_PARTS];
};

struct bly_rounds {
    bailey_mlmc *mlmc;
    struct bly_levels *levels;
    struct bly_levels_variant variant;
    struct bly_entry entries[BLY_LEVELS_KERNELS];
    uint64_t stream;
    uint32_t rows, faults; /* of a node, the last of them of faults */
    uint64_t told[BLY_LEVEL_TOLD];
    bailey_buffer *values, *factor, *table, *approximate;
    bailey_buffer *folded[2];
    bailey_buffer *own;     /* that kernels write nodes to: `results` where they may */
    bailey_buffer *results; /* PINNED, of all lists */
    uint64_t queued, taken;
    struct list lists[LISTS];
    struct {
        bly_levels_params list;
        uint64_t values[(BLY_MAX_PARAMS - sizeof(bly_levels_params)) / 8];
    } launch;
    bly_level_folds_params folds;
};

static struct bly_device *device_of(const struct bly_rounds *r) { return r->mlmc->context->device; }

/* ---- Pieces -------------------------------------------------------------------------------------- */

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

/* The height of a team's node, without strips: of groups of one item, of the fewest samples. */
static uint32_t team_bits(const struct bly_rounds *r)
{
    if (r->variant.block == 1) return log2_of(BLY_LEVEL_GRAIN);
    return log2_of(r->variant.width * r->variant.team);
}

/* The height of a range's tickets: long enough to be worth their overhead, short enough for all to have some.
 */
static uint32_t ticket_height(const struct bly_rounds *r, const struct bly_level_range *range)
{
    const uint64_t steps = bly_mlmc_steps(r->mlmc, range->level);
    const uint64_t teams = bly_levels_groups(r->mlmc, &r->variant) * (r->variant.block / r->variant.team);
    const int alone = r->variant.block == 1;
    const uint32_t width = log2_of(r->variant.width), least = team_bits(r);
    uint32_t height = alone ? width + BLY_LEVELS_STRIP_BITS : least + BLY_LEVELS_STRIP_BITS;
    while (height > (alone ? width : least) &&
           (alone ? steps << height > TICKET_STEPS : steps << (height - least) > ITEM_STEPS))
        height--;
    while (height > least && range->count >> height < teams * (alone ? THREAD_TICKETS : 2)) height--;
    return height;
}

/* What tickets are that leave nodes of a height. */
static void shape(const struct bly_rounds *r, struct piece *piece)
{
    const uint32_t most = log2_of(r->variant.width), least = team_bits(r);
    piece->width = piece->height < most ? piece->height : most;
    piece->strip = piece->height > least ? piece->height - least : 0;
    if (r->variant.block == 1) piece->strip = piece->height - piece->width;
    piece->span = r->variant.block == 1 ? piece->height : least + piece->strip;
}

static bailey_status add_piece(struct list *list, struct piece piece)
{
    const uint64_t count = (piece.end - piece.first) >> piece.height;
    if (list->count == LIST_PARTS || list->nodes + count > LIST_NODES)
        return bly_fail(BAILEY_ERROR_INVALID, "a list of levels is too long");
    piece.node = list->nodes;
    list->nodes += count;
    list->pieces[list->count++] = piece;
    return BAILEY_OK;
}

/* A piece of whole tickets from `first` on, which is where one begins. */
static struct piece whole_piece(const struct piece *ticket, uint64_t first, uint64_t end, uint32_t folds)
{
    struct piece piece = *ticket;
    uint32_t fewer = folds;
    const uint32_t bits = BLY_NODE_BITS;
    while (fewer > 0 && (zeros_of(first) < ticket->height + bits * fewer ||
                         end - first < UINT64_C(1) << (ticket->height + bits * fewer)))
        fewer--;
    piece.folds = fewer;
    piece.height = ticket->height + bits * fewer;
    piece.first = first;
    piece.end = round_down(end, piece.height);
    if (fewer < folds && round_up(first + 1, piece.height + bits) < piece.end)
        piece.end = round_up(first + 1, piece.height + bits);
    return piece;
}

/* A piece of less, up to where a ticket begins or the range ends. */
static struct piece low_piece(const struct bly_rounds *r, const struct piece *ticket, uint64_t first,
                              uint64_t end)
{
    struct piece piece = *ticket;
    const uint64_t next = round_up(first + 1, ticket->height);
    piece.first = first;
    piece.end = next < end ? next : end;
    piece.folds = 0;
    piece.height = zeros_of(first) < zeros_of(piece.end) ? zeros_of(first) : zeros_of(piece.end);
    if (piece.height > ticket->height) piece.height = ticket->height;
    shape(r, &piece);
    return piece;
}

static bailey_status cut_range(const struct bly_rounds *r, const struct bly_level_range *range,
                               struct list *list)
{
    const uint32_t most = list->shown.add ? list->shown.height : UINT32_MAX, height = ticket_height(r, range);
    struct piece ticket = {.level = range->level, .height = height < most ? height : most};
    const uint64_t end = range->first + range->count;
    uint32_t folds = 0;
    bailey_status status = BAILEY_OK;
    shape(r, &ticket);
    while (folds < MOST_FOLDS && ticket.height + BLY_NODE_BITS * (folds + 1) <= most &&
           range->count >> (ticket.height + BLY_NODE_BITS * folds) > READ_NODES)
        folds++;
    for (uint64_t first = range->first; first < end && status == BAILEY_OK;) {
        const int whole = zeros_of(first) >= ticket.height && end - first >= UINT64_C(1) << ticket.height;
        const struct piece piece =
            whole ? whole_piece(&ticket, first, end, folds) : low_piece(r, &ticket, first, end);
        status = add_piece(list, piece);
        first = piece.end;
    }
    return status;
}

/* ---- Launches ------------------------------------------------------------------------------------ */

/* A launch while it is filled: parts of pieces, and how many nodes they leave to be folded. */
struct filling {
    uint64_t nodes;
    uint32_t folds;  /* the most of a part */
    uint32_t folded; /* parts that are to be folded */
    struct {
        uint32_t folds;
        uint64_t node, count; /* of tickets, to be folded */
        uint64_t own;         /* where what is left goes among the list's nodes of row 0 ... */
        uint64_t own_row;     /* ... and how far it is to the next row */
    } part[BLY_LEVEL_PARTS];
};

static void begin_filling(struct bly_rounds *r, struct filling *filling)
{
    filling->nodes = filling->folds = filling->folded = 0;
    r->launch.list.tickets = r->launch.list.parts = 0;
}

static uint64_t count_of(const struct piece *piece) { return (piece->end - piece->first) >> piece->height; }

/* Length of a fine step and of its root, as reals. */
static void place_step(const bailey_mlmc *m, bly_level_part *part)
{
    const double h = m->time / part->steps, root = sqrt(h);
    const int f64 = m->precision == BAILEY_PRECISION_F64;
    part->h = f64 ? h : (double)(float)h;
    part->root = f64 ? root : (double)(float)root;
}

/* Adds samples first .. end - 1 of a piece, as a part. `base` is where the list's nodes begin. */
static void add_part(struct bly_rounds *r, struct filling *filling, const struct piece *piece, uint64_t first,
                     uint64_t end, uint64_t base)
{
    bly_levels_params *list = &r->launch.list;
    const uint32_t i = (uint32_t)list->parts++, span = piece->span;
    const uint64_t count = count_of(piece),
                   own = base + piece->node * r->rows + ((first - piece->first) >> piece->height);
    bly_level_part *part = &list->part[i];
    *part = (bly_level_part){.first = first,
                             .end = end,
                             .ticket = list->tickets,
                             .node = own,
                             .node_row = count,
                             .level = piece->level,
                             .steps = (uint32_t)bly_mlmc_steps(r->mlmc, piece->level),
                             .height = piece->height - BLY_NODE_BITS * piece->folds,
                             .strip = piece->strip,
                             .width = piece->width,
                             .folded = piece->folds > 0};
    place_step(r->mlmc, part);
    list->tickets += (end - first + ((UINT64_C(1) << span) - 1)) >> span;
    filling->part[i].folds = piece->folds;
    if (piece->folds == 0) return;
    filling->part[i].own = own;
    filling->part[i].own_row = count;
    filling->part[i].count = part->node_row = (end - first) >> span;
    part->node = filling->part[i].node = filling->nodes * r->rows;
    filling->nodes += part->node_row;
    filling->folded++;
    if (piece->folds > filling->folds) filling->folds = piece->folds;
}

static bailey_status launch_samples(struct bly_rounds *r, const bailey_buffer *numbers)
{
    bly_levels_params *list = &r->launch.list;
    const uint64_t per_group = r->variant.block / r->variant.team,
                   most = r->variant.block == 1 ? UINT64_MAX : bly_levels_groups(r->mlmc, &r->variant);
    bailey_buffer *const buffers[] = {r->values,    r->factor, numbers ? (bailey_buffer *)numbers : r->table,
                                      r->folded[0], r->own,    r->approximate};
    list->groups = (list->tickets + per_group - 1) / per_group;
    if (list->groups > most) list->groups = most;
    return bly_launch_entry(r->mlmc->context, &r->entries[BLY_LEVELS_SAMPLE], list->groups * r->variant.block,
                            1, &r->launch, buffers, r->own, 0, 0);
}

/* Joins nodes of all parts that are to be folded more than `turn` times. */
static bailey_status launch_folds(struct bly_rounds *r, struct filling *filling, uint32_t turn)
{
    bly_level_folds_params *p = &r->folds;
    uint64_t out = 0;
    *p = (bly_level_folds_params){.rows = r->rows};
    for (uint32_t i = 0; i < r->launch.list.parts; i++) {
        if (filling->part[i].folds <= turn) continue;
        const uint64_t count = filling->part[i].count, left = count >> BLY_NODE_BITS;
        const int own = filling->part[i].folds == turn + 1;
        p->fold[p->folds++] = (bly_level_fold){.item = p->items,
                                               .in = filling->part[i].node,
                                               .in_row = count,
                                               .out = own ? filling->part[i].own : out,
                                               .out_row = own ? filling->part[i].own_row : left,
                                               .out_count = left,
                                               .own = (uint64_t)own};
        filling->part[i].node = out;
        filling->part[i].count = left;
        p->items += left * r->rows;
        if (!own) out += left * r->rows;
    }
    bailey_buffer *const buffers[] = {r->folded[turn % 2], r->folded[!(turn % 2)], r->own};
    return bly_launch_entry(r->mlmc->context, &r->entries[BLY_LEVELS_FOLD], p->items, 1, p, buffers, r->own,
                            0, 0);
}

static bailey_status launch(struct bly_rounds *r, struct filling *filling, const bailey_buffer *numbers)
{
    bailey_status status = r->launch.list.parts ? launch_samples(r, numbers) : BAILEY_OK;
    for (uint32_t turn = 0; turn < filling->folds && status == BAILEY_OK; turn++)
        status = launch_folds(r, filling, turn);
    begin_filling(r, filling);
    return status;
}

/* Samples of a piece that a launch can still take; 0: none. */
static uint64_t room_of(const struct bly_rounds *r, const struct filling *filling, const struct piece *piece,
                        uint64_t first)
{
    const uint32_t span = piece->span;
    const uint64_t left = piece->end - first;
    if (r->launch.list.parts == r->variant.parts) return 0;
    if (piece->folds == 0) return left;
    if (filling->folded == BLY_LEVEL_FOLDS) return 0;
    const uint64_t room = round_down((FOLDED_NODES - filling->nodes) << span, piece->height);
    return left < room ? left : room;
}

static bailey_status launch_list(struct bly_rounds *r, struct list *list)
{
    const bailey_buffer *numbers = list->shown.numbers;
    const uint64_t base = r->queued % LISTS * LIST_NODES * r->rows;
    struct filling filling;
    bailey_status status = BAILEY_OK;
    begin_filling(r, &filling);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct piece *piece = &list->pieces[i];
        for (uint64_t first = piece->first; first < piece->end && status == BAILEY_OK;) {
            const uint64_t room = room_of(r, &filling, piece, first);
            if (room == 0) {
                status = launch(r, &filling, numbers);
                continue;
            }
            add_part(r, &filling, piece, first, first + room, base);
            first += room;
        }
    }
    return status == BAILEY_OK ? launch(r, &filling, numbers) : status;
}

/* ---- Lists --------------------------------------------------------------------------------------- */

static bailey_status check_range(const struct bly_rounds *r, const struct bly_level_range *range)
{
    const bailey_mlmc *m = r->mlmc;
    const uint64_t steps = bly_mlmc_steps(m, range->level),
                   numbers = m->dims + m->payoff.normals + m->payoff.uniforms;
    if (steps > MOST_ROWS / numbers)
        return bly_fail_argument(
            "max_level", "level %u has %llu steps of %llu random numbers each; at most 2^%d in all",
            range->level, (unsigned long long)steps, (unsigned long long)numbers, 64 - BLY_PATH_BITS);
    if (range->count > MOST_SAMPLES || range->first > MOST_SAMPLES - range->count)
        return bly_fail_argument("eps", "level %u would have more than 2^%d samples", range->level,
                                 BLY_PATH_BITS);
    return BAILEY_OK;
}

/* Brings the list's nodes to where the host reads them. */
static bailey_status bring(struct bly_rounds *r, const struct list *list)
{
    struct bly_device *device = device_of(r);
    const uint64_t offset = r->queued % LISTS * LIST_NODES * r->rows * sizeof(double);
    if (r->own == r->results) return BAILEY_OK;
    return device->backend->copy(device, 0, r->own->memory, offset, r->results->memory, offset,
                                 list->nodes * r->rows * sizeof(double));
}

/* Nothing has failed in the list. */
static bailey_status forget_failed(struct bly_rounds *r)
{
    struct bly_device *device = device_of(r);
    r->launch.list.asked = FOLDED_NODES * r->rows;
    return device->backend->fill(device, r->folded[0]->memory, r->launch.list.asked * sizeof(double), 0,
                                 sizeof(uint32_t));
}

static bailey_status queue_list(struct bly_rounds *r, const struct bly_level_range *ranges, uint32_t count,
                                const struct bly_shown *shown)
{
    struct bly_device *device = device_of(r);
    struct list *list = &r->lists[r->queued % LISTS];
    bailey_status status = BAILEY_OK;
    list->count = 0;
    list->nodes = 0;
    list->shown = shown ? *shown : (struct bly_shown){0};
    for (uint32_t i = 0; i < count && status == BAILEY_OK; i++) {
        status = check_range(r, &ranges[i]);
        if (status == BAILEY_OK) status = cut_range(r, &ranges[i], list);
    }
    if (status == BAILEY_OK && r->faults == 1) status = forget_failed(r);
    if (status == BAILEY_OK) status = launch_list(r, list);
    if (status == BAILEY_OK) status = bring(r, list);
    if (status == BAILEY_OK) status = device->backend->fence(device, 0, &list->fence);
    if (status == BAILEY_OK) r->queued++;
    return status;
}

static bailey_status queue(void *user, const struct bly_level_range *list, uint32_t count)
{
    return queue_list(user, list, count, NULL);
}

bailey_status bly_rounds_queue_shown(struct bly_rounds *r, const struct bly_level_range *range,
                                     const struct bly_shown *shown)
{
    r->launch.list.from_row = shown->row;
    r->launch.list.from_first = range->first - shown->offset;
    return queue_list(r, range, 1, shown);
}

/* The least number in a row of nodes; BLY_NODE_FAR without a fault. */
static double least_of(const double *values, uint64_t count)
{
    double least = BLY_NODE_FAR;
    for (uint64_t i = 0; i < count; i++)
        if (values[i] < least) least = values[i];
    return least;
}

static bailey_status note_fault(struct bly_rounds *r, const struct list *list, const struct piece *piece,
                                double sample)
{
    if (list->shown.fault) return list->shown.fault(list->shown.user, (uint64_t)sample);
    const struct bly_level_fault fault = {
        .level = piece->level, .correction = r->variant.correction, .sample = (uint64_t)sample};
    return bly_level_fault_note(r->mlmc, &fault);
}

/* Looks for code that failed in all of a list. */
static bailey_status find_faults(struct bly_rounds *r, const struct list *list, const double *nodes)
{
    bailey_status status = BAILEY_OK;
    for (uint32_t i = 0; i < list->count && r->faults; i++) {
        const struct piece *piece = &list->pieces[i];
        const uint64_t count = count_of(piece);
        const double *values = nodes + piece->node * r->rows + r->levels->rows * count;
        const double first = least_of(values, count);
        if (first == BLY_NODE_FAR) continue;
        if (r->faults == 1) status = note_fault(r, list, piece, first);
        for (uint32_t row = 0; row < r->faults; row++)
            r->told[row] = (uint64_t)least_of(values + row * count, count);
    }
    return status;
}

static bailey_status check_nodes(const struct bly_rounds *r, const struct piece *piece, const double *values,
                                 uint64_t count)
{
    for (uint64_t i = 0; i < count * r->levels->rows; i++)
        if (!isfinite(values[i]))
            return bly_fail(BAILEY_ERROR_INVALID,
                            "%s pays what is not finite, or its sums are not, among samples %llu to %llu of "
                            "level %u",
                            r->mlmc->payoff.name, (unsigned long long)piece->first,
                            (unsigned long long)(piece->end - 1), piece->level);
    return BAILEY_OK;
}

static bailey_status take_piece(struct bly_rounds *r, const struct list *list, const struct piece *piece,
                                const double *values)
{
    const uint64_t count = count_of(piece), number = piece->first >> piece->height;
    const bailey_status status = check_nodes(r, piece, values, count);
    for (uint64_t i = 0; i < count && status == BAILEY_OK; i++) {
        if (list->shown.add)
            list->shown.add(list->shown.user, piece->height, number + i, values + i, count);
        else
            bly_levels_add(r->levels, piece->level + (r->variant.correction ? BLY_CORRECTIONS : 0),
                           piece->height, number + i, values + i, count);
    }
    return status;
}

bailey_status bly_rounds_take(struct bly_rounds *r)
{
    struct bly_device *device = device_of(r);
    struct list *list = &r->lists[r->taken % LISTS];
    const double *values = (const double *)device->backend->address(r->results->memory) +
                           r->taken % LISTS * LIST_NODES * r->rows;
    int done = 0;
    bailey_status status = device->backend->fence_done(device, list->fence, 1, &done);
    device->backend->fence_free(device, list->fence);
    list->fence = NULL;
    r->taken++;
    if (status == BAILEY_OK) status = find_faults(r, list, values);
    for (uint32_t i = 0; i < list->count && status == BAILEY_OK && r->faults <= 1; i++)
        status = take_piece(r, list, &list->pieces[i], values + list->pieces[i].node * r->rows);
    return status;
}

static bailey_status take(void *user) { return bly_rounds_take(user); }

struct bly_sampler bly_rounds_sampler(struct bly_rounds *r)
{
    return (struct bly_sampler){.user = r, .queue = queue, .take = take};
}

/* ---- What runs need ------------------------------------------------------------------------------ */

static bailey_status check_source(const bailey_source *source)
{
    const bailey_source_kind kind = bly_source_kind(source);
    if (kind != BAILEY_SOURCE_KIND_COUNTER && kind != BAILEY_SOURCE_KIND_POINT)
        return bly_fail_argument("generator", "generator is %s, levels draw from philox, philox7 or points",
                                 bailey_generator_name(source->generator));
    if (source->stream > UINT64_MAX - (BAILEY_MLMC_MAX_LEVELS - 1))
        return bly_fail_argument("stream", "stream %llu + %u levels exceeds 2^64",
                                 (unsigned long long)source->stream, BAILEY_MLMC_MAX_LEVELS);
    return BAILEY_OK;
}

/* The factor as devices have it. */
static bailey_status place_factor(struct bly_rounds *r)
{
    const bailey_mlmc *m = r->mlmc;
    const size_t count = (size_t)m->dims * m->dims, bytes = bly_element_bytes(m->precision);
    if (!m->factor) return BAILEY_OK;
    char *factor = bly_alloc(count, bytes);
    if (!factor) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for levels");
    for (size_t i = 0; i < count; i++)
        bly_parameter_write_real(m->precision, m->factor[i], factor + i * bytes);
    const bailey_status status = bly_pool_upload(m->context, factor, count * bytes, &r->factor);
    bly_free(factor);
    return status;
}

static bailey_status place_values(struct bly_rounds *r)
{
    const bailey_mlmc *m = r->mlmc;
    if (!r->variant.given) return bly_pool_upload(m->context, m->values, m->payoff.params_bytes, &r->values);
    memcpy(r->launch.values, m->values, m->payoff.params_bytes);
    return BAILEY_OK;
}

static bailey_status take_memory(struct bly_rounds *r)
{
    bailey_context *context = r->mlmc->context;
    const uint64_t bytes = LISTS * LIST_NODES * r->rows * sizeof(double),
                   folded = FOLDED_NODES * r->rows * sizeof(double), failed = r->faults ? sizeof(double) : 0;
    bailey_status status = bly_pool_take(context, BLY_MEMORY_DEVICE, folded + failed, &r->folded[0]);
    if (status == BAILEY_OK)
        status = bly_pool_take(context, BLY_MEMORY_DEVICE, folded >> BLY_NODE_BITS, &r->folded[1]);
    if (status == BAILEY_OK) status = bly_pool_take(context, BLY_MEMORY_PINNED, bytes, &r->results);
    if (status == BAILEY_OK && !context->device->sees_pinned)
        status = bly_pool_take(context, BLY_MEMORY_DEVICE, bytes, &r->own);
    if (!r->own) r->own = r->results;
    return status;
}

/* How numbers are made. */
static bailey_status choose(struct bly_rounds *r, const bailey_mlmc_run_params *p)
{
    const bailey_mlmc *m = r->mlmc;
    bailey_normal_params normal = p->normal;
    bailey_status status = check_source(&p->source);
    normal.precision = m->precision;
    if (status == BAILEY_OK) status = bly_check_normal(m->context, &normal, m->precision);
    if (status != BAILEY_OK) return status;
    r->variant.fast = normal.numerics == BAILEY_NUMERICS_FAST && device_of(r)->native_functions;
    r->variant.test = r->levels->rows == BLY_LEVEL_ROWS;
    r->variant.input = BLY_INPUT_SHOWN;
    if (bly_source_kind(&p->source) == BAILEY_SOURCE_KIND_COUNTER) {
        r->variant.input = BLY_INPUT_DRAWN;
        r->variant.draw = bly_draw_of(m->context, &normal, m->precision);
        r->variant.rounds = bly_source_rounds(&p->source);
    }
    if (r->variant.approximate && r->variant.draw != BLY_DRAW_icdf_f32)
        return bly_fail_argument("normal",
                                 "approximate normals are there for the inverse CDF of 32-bit words "
                                 "in single precision alone");
    bly_levels_choose(m, &r->variant);
    r->launch.list.stream = p->source.stream;
    r->launch.list.keys = bailey_philox_keys_of(p->source.seed);
    r->launch.list.time = m->precision == BAILEY_PRECISION_F64 ? m->time : (double)(float)m->time;
    return BAILEY_OK;
}

static bailey_status create(struct bly_rounds *r, const bailey_mlmc_run_params *params)
{
    bailey_status status = choose(r, params);
    if (status == BAILEY_OK) status = bly_mlmc_program_find(r->mlmc, &r->variant, r->entries);
    if (status == BAILEY_OK && r->variant.input == BLY_INPUT_DRAWN)
        status = bly_normal_table(r->mlmc->context, r->mlmc->precision, &r->table);
    if (status == BAILEY_OK && r->variant.approximate)
        status = bly_approximate_table(r->mlmc->context, &r->approximate);
    if (status == BAILEY_OK) status = place_factor(r);
    if (status == BAILEY_OK) status = place_values(r);
    return status == BAILEY_OK ? take_memory(r) : status;
}

/* NULL without memory. With `tells` they are for bly_rounds_tell. */
static struct bly_rounds *new_rounds(bailey_mlmc *mlmc, struct bly_levels *levels, int tells)
{
    struct bly_rounds *r = bly_alloc(1, sizeof *r);
    if (!r) {
        bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a run of levels");
        return NULL;
    }
    r->mlmc = mlmc;
    r->levels = levels;
    r->variant.faults = mlmc->payoff.site_count == 0 ? 0 : tells ? 2 : 1;
    r->faults = r->variant.faults > 1 ? BLY_LEVEL_TOLD : r->variant.faults;
    r->rows = levels->rows + r->faults;
    return r;
}

static bailey_status create_rounds(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                   uint32_t approximate, int correction, int tells, struct bly_levels *levels,
                                   struct bly_rounds **out)
{
    struct bly_rounds *r = new_rounds(mlmc, levels, tells);
    *out = NULL;
    if (!r) return BAILEY_ERROR_MEMORY;
    r->variant.approximate = approximate;
    r->variant.correction = correction != 0;
    const bailey_status status = create(r, params);
    if (status == BAILEY_OK)
        *out = r;
    else
        bly_rounds_destroy(r);
    return status;
}

/* ---- Kernels that stay --------------------------------------------------------------------------- */

bailey_status bly_rounds_create_staying(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                        struct bly_levels *levels, struct bly_rounds **out)
{
    const struct bly_device *device = mlmc->context->device;
    struct bly_rounds *r = new_rounds(mlmc, levels, 0);
    *out = NULL;
    if (!r) return BAILEY_ERROR_MEMORY;
    r->variant.stays = 1;
    bailey_status status = choose(r, params);
    if (status == BAILEY_OK && (!device->sees_pinned || r->variant.team != device->warp || !device->warp)) {
        bly_fail(BAILEY_ERROR_UNSUPPORTED,
                 "schedule is BAILEY_MLMC_SCHEDULE_PERSISTENT, and %s does not promise what kernels that "
                 "stay need",
                 device->info.address);
        status = bly_name_argument(BAILEY_ERROR_UNSUPPORTED, "schedule");
    }
    if (status == BAILEY_OK) status = bly_mlmc_program_find(mlmc, &r->variant, r->entries);
    if (status == BAILEY_OK) status = bly_normal_table(mlmc->context, mlmc->precision, &r->table);
    if (status == BAILEY_OK) status = place_factor(r);
    if (status == BAILEY_OK) status = place_values(r);
    if (status == BAILEY_OK)
        *out = r;
    else
        bly_rounds_destroy(r);
    return status;
}

bailey_status bly_rounds_stay(struct bly_rounds *r, bailey_buffer *control, bailey_buffer *nodes,
                              bailey_buffer *own)
{
    bailey_buffer *const buffers[] = {r->values, r->factor, r->table, control, nodes, own};
    r->launch.list.groups = bly_levels_groups(r->mlmc, &r->variant);
    return bly_launch_entry(r->mlmc->context, &r->entries[BLY_LEVELS_STAY],
                            r->launch.list.groups * r->variant.block, 1, &r->launch, buffers, nodes, 0, 0);
}

bailey_status bly_rounds_cut(const struct bly_rounds *r, const struct bly_level_range *range, uint64_t nodes,
                             bly_level_part parts[BLY_ROUNDS_PARTS], uint32_t *count, uint64_t *end)
{
    struct bly_level_range here = *range;
    const uint32_t height = ticket_height(r, range);
    const uint64_t most = ((range->first >> height) + nodes) << height;
    bailey_status status = check_range(r, range);
    *count = 0;
    if (here.count > most - here.first) here.count = most - here.first;
    *end = here.first + here.count;
    struct piece ticket = {.level = range->level, .height = height};
    shape(r, &ticket);
    for (uint64_t first = here.first; first < *end && status == BAILEY_OK;) {
        const int whole = zeros_of(first) >= height && *end - first >= UINT64_C(1) << height;
        const struct piece piece =
            whole ? whole_piece(&ticket, first, *end, 0) : low_piece(r, &ticket, first, *end);
        bly_level_part *part = &parts[(*count)++];
        *part = (bly_level_part){.first = piece.first,
                                 .end = piece.end,
                                 .ticket = (piece.end - piece.first + ((UINT64_C(1) << piece.span) - 1)) >>
                                           piece.span,
                                 .node_row = count_of(&piece),
                                 .level = piece.level,
                                 .steps = (uint32_t)bly_mlmc_steps(r->mlmc, piece.level),
                                 .height = piece.height,
                                 .strip = piece.strip,
                                 .width = piece.width};
        place_step(r->mlmc, part);
        first = piece.end;
        if (*count == BLY_ROUNDS_PARTS) *end = first;
    }
    return status;
}

bailey_status bly_rounds_create(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                struct bly_levels *levels, struct bly_rounds **out)
{
    return create_rounds(mlmc, params, 0, 0, 0, levels, out);
}

bailey_status bly_rounds_create_approximate(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                            int correction, struct bly_levels *levels,
                                            struct bly_rounds **out)
{
    return create_rounds(mlmc, params, (uint32_t)params->approximate, correction, 0, levels, out);
}

/* ---- One sample again ----------------------------------------------------------------------------- */

bailey_status bly_rounds_create_telling(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                        struct bly_levels *levels, uint64_t sample, struct bly_rounds **out)
{
    const bailey_status status = create_rounds(mlmc, params, (uint32_t)params->approximate,
                                               (int)mlmc->fault.correction, 1, levels, out);
    if (status == BAILEY_OK) (*out)->launch.list.asked = sample;
    return status;
}

void bly_rounds_told(const struct bly_rounds *r, uint64_t told[BLY_LEVEL_TOLD])
{
    memcpy(told, r->told, sizeof r->told);
}

bailey_status bly_rounds_tell(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                              uint64_t told[BLY_LEVEL_TOLD])
{
    const struct bly_level_fault *fault = &mlmc->fault;
    const struct bly_level_range range = {.level = fault->level,
                                          .first = fault->sample / BLY_LEVEL_GRAIN * BLY_LEVEL_GRAIN,
                                          .count = BLY_LEVEL_GRAIN};
    struct bly_levels levels = {.rows = BLY_LEVEL_RUN_ROWS};
    struct bly_rounds *r;
    bailey_status status = bly_rounds_create_telling(mlmc, params, &levels, fault->sample, &r);
    if (status == BAILEY_OK) status = queue_list(r, &range, 1, NULL);
    if (status == BAILEY_OK) status = bly_rounds_take(r);
    if (status == BAILEY_OK) bly_rounds_told(r, told);
    bly_rounds_destroy(r);
    return status;
}

void bly_rounds_destroy(struct bly_rounds *r)
{
    if (!r) return;
    struct bly_device *device = device_of(r);
    device->backend->wait(device);
    for (uint32_t i = 0; i < LISTS; i++) device->backend->fence_free(device, r->lists[i].fence);
    if (r->own != r->results) bly_pool_release(r->own);
    bly_pool_release(r->results);
    for (int i = 0; i < 2; i++) bly_pool_release(r->folded[i]);
    bly_pool_release(r->values);
    bly_pool_release(r->factor);
    bly_free(r);
}
