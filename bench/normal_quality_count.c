/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Counts fills of normals: on the device, by the program of normal_quality_count.h, or by the same functions
 * here where it has no compiler (the cpu backend without a C compiler).
 */
#include "normal_quality.h"

#include "bench_host.h"
#include "normal_quality_text.h"

#include <host/internal.h>

#include <stdlib.h>
#include <string.h>

#define BLOCKS_TOGETHER 16 /* of a run of Wallace's */
#define WORK_GROUP 64      /* items; on a CPU, which has nothing from it, one */

enum { COUNT, FOLD, KERNELS };

/* The sums of a tile, and two sums of each block. */
#define SUMS_BYTES (QUALITY_SUMS * sizeof(double))
#define BLOCKS_BYTES (2 * QUALITY_TILE_BLOCKS * sizeof(double))
#define CELLS_BYTES (QUALITY_COPIES * QUALITY_ALL_CELLS * sizeof(uint32_t))

/* Memory of the host. */
struct place {
    void *z;
    uint32_t *cells;
    double *lanes, *sums, *blocks;
};

struct quality_counter {
    bailey_context *context;
    int f64, plant;
    uint64_t tiles;
    struct bly_kernel kernel[KERNELS];
    struct bly_program *program;                      /* NULL: the host counts */
    struct bench_host *host;                          /* its threads then */
    bailey_buffer *z, *cells, *lanes, *sums, *blocks; /* of the device */
    struct place here;
    quality_totals totals;
    double tree[64][QUALITY_SUMS]; /* [level]: a node that has no neighbour yet, by the bits of `added` */
    uint64_t added;                /* tiles */
};

/* ---- Making ---- */

static bailey_status load(struct quality_counter *c)
{
    struct bly_device *device = c->context->device;
    const uint32_t block = device->info.kind == BAILEY_DEVICE_KIND_CPU ? 1 : WORK_GROUP;
    char f64[] = "QUALITY_F64=0", plant[] = "QUALITY_PLANT=0";
    const char *const defines[] = {f64, plant, NULL};
    const struct bly_code code = {"normal quality", normal_quality_text, defines, c->kernel, KERNELS, 0, 0};
    f64[sizeof f64 - 2] = (char)('0' + c->f64);
    plant[sizeof plant - 2] = (char)('0' + c->plant);
    for (int k = 0; k < KERNELS; k++)
        c->kernel[k] = (struct bly_kernel){.name = k == COUNT ? "quality_count" : "quality_fold",
                                           .lane_bytes = 8,
                                           .params_bytes = sizeof(quality_params),
                                           .buffers = k == COUNT ? 4 : 2,
                                           .block = block};
    return device->backend->load(device, &code, &c->program);
}

static uint64_t values_bytes(const struct quality_counter *c, uint64_t tiles)
{
    return (tiles * QUALITY_TILE + QUALITY_HALO) * (c->f64 ? 8 : 4);
}

static void leave_place(struct place *place)
{
    free(place->z);
    free(place->cells);
    free(place->lanes);
    free(place->sums);
    free(place->blocks);
}

/* For so many tiles; to count in, or for what has been counted. */
static bailey_status take_place(const struct quality_counter *c, uint64_t tiles, int to_count,
                                struct place *place)
{
    place->z = to_count ? malloc((size_t)values_bytes(c, tiles)) : NULL;
    place->lanes = to_count ? malloc((size_t)tiles * SUMS_BYTES * QUALITY_LANES) : NULL;
    place->cells = calloc(1, CELLS_BYTES);
    place->sums = malloc((size_t)tiles * SUMS_BYTES);
    place->blocks = malloc((size_t)tiles * BLOCKS_BYTES);
    if ((!to_count || (place->z && place->lanes)) && place->cells && place->sums && place->blocks)
        return BAILEY_OK;
    return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for the counts of a fill");
}

static bailey_status take_memory(struct quality_counter *c)
{
    const struct {
        bailey_buffer **buffer;
        uint64_t bytes;
    } wanted[] = {{&c->z, values_bytes(c, c->tiles)},
                  {&c->cells, CELLS_BYTES},
                  {&c->lanes, c->tiles * SUMS_BYTES * QUALITY_LANES},
                  {&c->sums, c->tiles * SUMS_BYTES},
                  {&c->blocks, c->tiles * BLOCKS_BYTES}};
    bailey_status status = BAILEY_OK;
    for (size_t i = 0; i < (c->program ? 5 : 1) && status == BAILEY_OK; i++)
        status = bailey_buffer_create(c->context, wanted[i].bytes, wanted[i].buffer);
    return status == BAILEY_OK ? take_place(c, c->tiles, !c->program, &c->here) : status;
}

bailey_status quality_create(bailey_context *context, bailey_precision precision, int plant, uint64_t fill,
                             struct quality_counter **out)
{
    const bailey_device *device = &context->device->info;
    *out = NULL;
    if (!device->has_f64)
        return bly_fail(BAILEY_ERROR_UNSUPPORTED, "%s has no double precision, in which sums are kept",
                        device->address);
    struct quality_counter *c = calloc(1, sizeof *c);
    if (!c) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for counting");
    c->context = context;
    c->f64 = precision == BAILEY_PRECISION_F64;
    c->plant = plant;
    c->tiles = fill / QUALITY_TILE;
    bailey_status status = load(c);
    if (status == BAILEY_ERROR_UNSUPPORTED && context->device->backend->adopts_host)
        status = bench_host_create(device->units, &c->host)
                     ? bly_fail(BAILEY_ERROR_MEMORY, "out of memory for the threads that count")
                     : BAILEY_OK;
    if (status == BAILEY_OK) status = take_memory(c);
    if (status == BAILEY_OK)
        *out = c;
    else
        quality_destroy(c);
    return status;
}

void quality_destroy(struct quality_counter *c)
{
    if (!c) return;
    struct bly_device *device = c->context->device;
    bailey_buffer_destroy(c->z);
    bailey_buffer_destroy(c->cells);
    bailey_buffer_destroy(c->lanes);
    bailey_buffer_destroy(c->sums);
    bailey_buffer_destroy(c->blocks);
    if (c->program) device->backend->unload(device, c->program);
    bench_host_destroy(c->host);
    leave_place(&c->here);
    free(c);
}

bailey_buffer *quality_buffer(struct quality_counter *c) { return c->z; }

/* ---- One fill ---- */

static bailey_status launch(struct quality_counter *c, uint32_t number, uint64_t tiles, uint64_t items,
                            bailey_buffer *const *buffers)
{
    const struct bly_entry entry = {c->program, number, &c->kernel[number]};
    const quality_params p = {tiles};
    return bly_launch_entry(c->context, &entry, tiles * items, 1, &p, buffers, buffers[1], 0, 0);
}

static bailey_status count_on_device(struct quality_counter *c, uint64_t tiles)
{
    bailey_buffer *const counted[] = {c->z, c->cells, c->lanes, c->blocks};
    bailey_buffer *const folded[] = {c->lanes, c->sums};
    bailey_status status = bailey_buffer_fill(c->cells, 0, 0, CELLS_BYTES);
    if (status == BAILEY_OK) status = launch(c, COUNT, tiles, QUALITY_COUNT_ITEMS, counted);
    if (status == BAILEY_OK) status = launch(c, FOLD, tiles, QUALITY_SUMS, folded);
    if (status == BAILEY_OK) status = bailey_buffer_read(c->cells, 0, c->here.cells, CELLS_BYTES);
    if (status == BAILEY_OK) status = bailey_buffer_read(c->sums, 0, c->here.sums, tiles * SUMS_BYTES);
    if (status == BAILEY_OK) status = bailey_buffer_read(c->blocks, 0, c->here.blocks, tiles * BLOCKS_BYTES);
    return status;
}

/* Tiles [first, end) of the values in a place. */
static void count_tiles(const struct quality_counter *c, const struct place *at, uint64_t first, uint64_t end)
{
    for (uint64_t i = first * QUALITY_COUNT_ITEMS; i < end * QUALITY_COUNT_ITEMS; i++) {
        if (c->plant)
            quality_count_item(at->z, c->f64, c->plant, at->cells, at->lanes, at->blocks, i);
        else if (c->f64)
            quality_count_item(at->z, 1, 0, at->cells, at->lanes, at->blocks, i);
        else
            quality_count_item(at->z, 0, 0, at->cells, at->lanes, at->blocks, i);
    }
    for (uint64_t i = first * QUALITY_SUMS; i < end * QUALITY_SUMS; i++)
        quality_fold_item(at->lanes, at->sums, i);
}

static void count_part(void *user, unsigned index, unsigned threads)
{
    const struct quality_counter *c = user;
    count_tiles(c, &c->here, c->tiles * index / threads, c->tiles * (index + 1) / threads);
}

static bailey_status count_here(struct quality_counter *c)
{
    const bailey_status status = bailey_buffer_read(c->z, 0, c->here.z, values_bytes(c, c->tiles));
    if (status != BAILEY_OK) return status;
    memset(c->here.cells, 0, CELLS_BYTES);
    bench_host_run(c->host, count_part, c);
    return BAILEY_OK;
}

/* Node i of a level is the sum of nodes 2i and 2i + 1 of the one below: the same bits however many tiles a
 * fill has. */
static void add_tile(struct quality_counter *c, const double *sums)
{
    double node[QUALITY_SUMS];
    unsigned level = 0;
    memcpy(node, sums, sizeof node);
    for (; c->added >> level & 1; level++)
        for (int s = 0; s < QUALITY_SUMS; s++) node[s] = c->tree[level][s] + node[s];
    memcpy(c->tree[level], node, sizeof node);
    c->added++;
}

static void add_blocks(quality_totals *t, const double *of, uint64_t count)
{
    for (uint64_t b = 0; b < count; b++) {
        const double s = of[2 * b] - QUALITY_BLOCK;
        t->squares[0] += s;
        t->squares[1] += s * s;
        for (uint64_t lag = 1; lag <= 2 && b % BLOCKS_TOGETHER + lag < BLOCKS_TOGETHER; lag++) {
            if (lag == 1) t->next_squares += s * (of[2 * (b + 1)] - QUALITY_BLOCK);
            t->fourth[lag - 1] += of[2 * b + 1] * of[2 * (b + lag) + 1];
            t->pairs[lag - 1]++;
        }
    }
    t->blocks += count;
}

bailey_status quality_count(struct quality_counter *c)
{
    const bailey_status status = c->program ? count_on_device(c, c->tiles) : count_here(c);
    if (status != BAILEY_OK) return status;
    for (uint32_t i = 0; i < QUALITY_COPIES * QUALITY_ALL_CELLS; i++)
        c->totals.cell[i % QUALITY_ALL_CELLS] += c->here.cells[i];
    for (uint64_t tile = 0; tile < c->tiles; tile++) add_tile(c, c->here.sums + tile * QUALITY_SUMS);
    add_blocks(&c->totals, c->here.blocks, c->tiles * QUALITY_TILE_BLOCKS);
    c->totals.values += c->tiles * QUALITY_TILE;
    return BAILEY_OK;
}

bailey_status quality_check(struct quality_counter *c, int *same)
{
    struct place own = {0};
    *same = 1;
    if (!c->program) return BAILEY_OK;
    bailey_status status = take_place(c, 1, 1, &own);
    if (status == BAILEY_OK) status = count_on_device(c, 1);
    if (status == BAILEY_OK) status = bailey_buffer_read(c->z, 0, own.z, values_bytes(c, 1));
    if (status == BAILEY_OK) {
        count_tiles(c, &own, 0, 1);
        *same = !memcmp(own.cells, c->here.cells, CELLS_BYTES) &&
                !memcmp(own.sums, c->here.sums, SUMS_BYTES) &&
                !memcmp(own.blocks, c->here.blocks, BLOCKS_BYTES);
    }
    leave_place(&own);
    return status;
}

void quality_finish(struct quality_counter *c, quality_totals *totals)
{
    int begun = 0;
    *totals = c->totals;
    for (unsigned level = 0; c->added >> level; level++) {
        if (!(c->added >> level & 1)) continue;
        for (int s = 0; s < QUALITY_SUMS; s++)
            totals->sum[s] = begun ? c->tree[level][s] + totals->sum[s] : c->tree[level][s];
        begun = 1;
    }
}
