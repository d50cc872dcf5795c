/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Bridges that read Z and write X in memory. Normals are made once per shape; a case alternates with a copy
 * of the same bytes, which is its limit, and is checked against another strategy.
 */
#include "bench_bridge.h"

#include <cli/options/options.h>

#include <bailey/device/bridge.h>
#include <host/bridge/bridge_internal.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory ---- */

int bridge_bench_create(struct bridge_bench *bench)
{
    if (bench->base.device.kind != BAILEY_DEVICE_KIND_CPU) return CLI_OK;
    return bench_host_create(bench->base.device.units, &bench->host);
}

void bridge_bench_destroy(struct bridge_bench *bench)
{
    bench_space_free(&bench->z);
    bench_space_free(&bench->x);
    bench_space_free(&bench->copy);
    bench_space_free(&bench->plain_from);
    bench_space_free(&bench->plain_to);
    bench_host_destroy(bench->host);
    bench->host = NULL;
}

static int works_in_host_memory(const struct bridge_bench *bench)
{
    return !strcmp(bench->base.device.address, "cpu");
}

/* At least `bytes`, contents undefined if that is more than before. */
static bailey_status reserve(struct bridge_bench *bench, struct bench_space *space, uint64_t bytes)
{
    const int plain = space == &bench->plain_from || space == &bench->plain_to;
    if (space->bytes >= bytes) return BAILEY_OK;
    bench_space_free(space);
    if (space == &bench->z) bench->filled.paths = 0;
    return bench_space_take(plain ? NULL : bench->base.context,
                            plain || works_in_host_memory(bench) ? bench->host : NULL, bytes, space);
}

static bailey_status reserve_all(struct bridge_bench *bench, uint64_t bytes)
{
    bailey_status status = reserve(bench, &bench->z, bytes);
    if (status == BAILEY_OK) status = reserve(bench, &bench->x, bytes);
    if (status == BAILEY_OK) status = reserve(bench, &bench->copy, bytes);
    if (status == BAILEY_OK && bench->host && !works_in_host_memory(bench)) {
        status = reserve(bench, &bench->plain_from, bytes);
        if (status == BAILEY_OK) status = reserve(bench, &bench->plain_to, bytes);
    }
    return status;
}

/* The largest array that leaves room for the others. */
static uint64_t array_limit(const struct bridge_bench *bench)
{
    const uint64_t arrays = bench->host && !works_in_host_memory(bench) ? 5 : 3; /* with the plain copy's */
    const uint64_t limit = bench->budget / arrays, most = bench->base.device.allocation_bytes;
    return most && most < limit ? most : limit;
}

/* How many paths a case should have: those that make as many values as the paper's problem. A GPU, which
 * needs many paths to be busy, gets no fewer than that has. */
static uint64_t wanted_paths(const struct bridge_bench *bench, const struct bridge_case *c)
{
    const uint64_t values = c->steps * c->dims;
    uint64_t paths = bench->paths, all;
    if (values < 64 || (values > 64 && bench->base.device.kind == BAILEY_DEVICE_KIND_CPU))
        paths = cli_multiply(paths, 64, &all) && all >= values ? all / values : 1;
    if (!cli_multiply(paths, c->times, &all) || all > BAILEY_BRIDGE_MAX_PATHS) all = BAILEY_BRIDGE_MAX_PATHS;
    return all;
}

/* A row of whole cache lines, and an odd number of them: rows a multiple of 4 KiB apart fall on the same
 * lines of a processor's first cache. Those of the paper's problem do; a number that memory dictates shall
 * not by chance. */
static uint64_t odd_lines(uint64_t paths)
{
    const uint64_t lines = paths / 64;
    return lines < 2 ? paths : (lines - (lines + 1) % 2) * 64;
}

/* Sets *paths and has memory for them: fewer than wanted where it is short. */
static int make_room(struct bridge_bench *bench, const struct bridge_case *c, uint64_t path_bytes,
                     uint64_t *paths, struct bench_row *row)
{
    const uint64_t limit = array_limit(bench) / path_bytes, wanted = wanted_paths(bench, c);
    uint64_t count = wanted <= limit ? wanted : c->times == 1 ? limit : 0;
    if (count != bench->paths * c->times) count = odd_lines(count);
    while (count) {
        const bailey_status status = reserve_all(bench, count * path_bytes);
        *paths = count;
        if (status == BAILEY_OK) return 1;
        if (status != BAILEY_ERROR_MEMORY) return !bench_trouble(row, status, "memory");
        count = c->times == 1 ? odd_lines(count / 2) : 0;
    }
    row->state = BENCH_SKIPPED;
    snprintf(row->reason, sizeof row->reason, "%s paths are arrays of %s, there is room for %s (--memory)",
             cli_count(wanted), cli_bytes(wanted * path_bytes), cli_bytes(array_limit(bench)));
    return 0;
}

/* ---- A bridge and its calls ---- */

struct problem {
    struct bridge_bench *bench;
    const struct bridge_case *c;
    bailey_bridge *bridge;
    bailey_bridge *shape; /* whose transfer is compared with; NULL: none */
    bailey_source source;
    bailey_normal_params draw;
    uint64_t rows, paths; /* rows: elements of a path */
    size_t element;
    uint64_t bytes; /* of Z, and of X */
};

/* Fisher and Yates's shuffle by splitmix64 (Steele, Lea, Flood, OOPSLA 2014) seeded with `number`. */
static void random_order(uint64_t number, uint32_t *order, uint64_t count)
{
    uint64_t state = number;
    for (uint64_t i = 0; i < count; i++) order[i] = (uint32_t)(i + 1);
    for (uint64_t i = count; i > 1; i--) {
        uint64_t word = state += UINT64_C(0x9e3779b97f4a7c15);
        word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
        word ^= word >> 31;
        const uint64_t j = word % i;
        const uint32_t kept = order[i - 1];
        order[i - 1] = order[j];
        order[j] = kept;
    }
}

static bailey_status make_bridge(const struct bridge_bench *bench, const struct bridge_case *c,
                                 bailey_bridge_strategy strategy, bailey_bridge **bridge)
{
    const size_t matrix = (size_t)c->dims * c->dims;
    double *times = malloc((size_t)c->steps * sizeof *times);
    double *covariance = malloc(matrix * sizeof *covariance);
    uint32_t *order = malloc((size_t)c->steps * sizeof *order);
    bailey_status status = BAILEY_ERROR_MEMORY;
    if (times && covariance && order) {
        bailey_bridge_params params = {.times = times, .steps = c->steps, .dims = c->dims};
        for (uint64_t i = 0; i < c->steps; i++) times[i] = (double)(i + 1) / (double)c->steps;
        for (size_t i = 0; i < matrix; i++) covariance[i] = i % (c->dims + 1u) ? 0.5 : 1;
        if (c->order) random_order(c->order, order, c->steps - 1);
        params.order = c->order ? order : NULL;
        params.covariance = c->correlated ? covariance : NULL;
        params.output = c->output;
        params.layout = c->layout;
        params.precision = c->precision;
        params.strategy = strategy;
        status = bailey_bridge_create(bench->base.context, &params, bridge);
    }
    free(times);
    free(covariance);
    free(order);
    return status;
}

static bailey_status queue_subject(void *user)
{
    struct problem *p = user;
    struct bridge_bench *b = p->bench;
    switch (p->c->subject) {
    case BRIDGE_SIMULATE:
        return bailey_bridge_paths(p->bridge, &p->source, &p->draw, 0, p->paths, b->x.buffer);
    case BRIDGE_TRANSFER: return bly_bridge_transfer(p->bridge, p->paths, b->z.buffer, b->x.buffer);
    case BRIDGE_COPY: return bailey_buffer_copy(b->z.buffer, 0, b->x.buffer, 0, p->bytes);
    default: return bailey_bridge_build(p->bridge, p->paths, b->z.buffer, b->x.buffer);
    }
}

static bailey_status queue_copy(void *user)
{
    struct problem *p = user;
    return bailey_buffer_copy(p->bench->z.buffer, 0, p->bench->copy.buffer, 0, p->bytes);
}

static bailey_status queue_fill(void *user)
{
    struct problem *p = user;
    return bailey_buffer_fill(p->bench->copy.buffer, 0, 0, p->bytes);
}

static bailey_status queue_plain_copy(void *user)
{
    struct problem *p = user;
    struct bridge_bench *b = p->bench;
    if (works_in_host_memory(b))
        bench_host_copy(b->host, b->copy.memory, b->z.memory, p->bytes);
    else
        bench_host_copy(b->host, b->plain_to.memory, b->plain_from.memory, p->bytes);
    return BAILEY_OK;
}

static bailey_status queue_shape(void *user)
{
    struct problem *p = user;
    return bly_bridge_transfer(p->shape, p->paths, p->bench->z.buffer, p->bench->copy.buffer);
}

static bailey_status poison(void *user)
{
    struct problem *p = user;
    return bailey_buffer_fill(p->bench->x.buffer, 0, 0xff, p->bytes);
}

/* ---- The check ---- */

/* Paths [first, first + count) of X, as an array of that many paths. */
static bailey_status read_window(const struct problem *p, uint64_t first, uint64_t count, char *found)
{
    bailey_buffer *x = p->bench->x.buffer;
    const size_t size = p->element;
    if (p->c->layout == BAILEY_LAYOUT_PATH_MAJOR)
        return bailey_buffer_read(x, first * p->rows * size, found, count * p->rows * size);
    bailey_status status = BAILEY_OK;
    for (uint64_t row = 0; row < p->rows && status == BAILEY_OK; row++)
        status =
            bailey_buffer_read(x, (row * p->paths + first) * size, found + row * count * size, count * size);
    return status;
}

/* A transfer on the host: row `from` of Z goes to row `to` for every step record. */
static void move_rows(const struct problem *p, const void *records, uint64_t count, const char *z, char *x)
{
    const uint64_t dims = p->c->dims;
    const size_t size = p->element;
    for (uint64_t k = 0; k < p->c->steps; k++) {
        uint64_t from, to;
        if (p->c->precision == BAILEY_PRECISION_F64) {
            const bailey_bridge_step_f64 *step = (const bailey_bridge_step_f64 *)records + k;
            from = step->row;
            to = step->point - 1;
        } else {
            const bailey_bridge_step_f32 *step = (const bailey_bridge_step_f32 *)records + k;
            from = step->row;
            to = step->point - 1;
        }
        if (p->c->layout == BAILEY_LAYOUT_STEP_MAJOR) {
            memcpy(x + to * dims * count * size, z + from * dims * count * size, dims * count * size);
            continue;
        }
        for (uint64_t path = 0; path < count; path++)
            memcpy(x + (path * p->rows + to * dims) * size, z + (path * p->rows + from * dims) * size,
                   dims * size);
    }
}

struct check {
    bailey_bridge *bridge; /* of another strategy */
    bailey_buffer *z, *x;
    char *expected, *found, *normals;
};

/* Makes what paths [first, first + count) should be, by the checking bridge and from normals made anew. */
static bailey_status expect(const struct problem *p, struct check *check, uint64_t first, uint64_t count)
{
    const uint64_t bytes = count * p->rows * p->element;
    const void *records;
    size_t records_bytes;
    bailey_status status;
    if (p->c->subject == BRIDGE_SIMULATE) {
        status = bailey_bridge_paths(check->bridge, &p->source, &p->draw, first, count, check->x);
        return status ? status : bailey_buffer_read(check->x, 0, check->expected, bytes);
    }
    status = bailey_bridge_normals(check->bridge, &p->source, &p->draw, first, count, check->z);
    if (status == BAILEY_OK && p->c->subject == BRIDGE_GENERATE) {
        status = bailey_bridge_build(check->bridge, count, check->z, check->x);
        return status ? status : bailey_buffer_read(check->x, 0, check->expected, bytes);
    }
    const int copied = p->c->subject == BRIDGE_COPY;
    if (status == BAILEY_OK)
        status = bailey_buffer_read(check->z, 0, copied ? check->expected : check->normals, bytes);
    if (status != BAILEY_OK || copied) return status;
    status = bailey_bridge_records(p->bridge, &records, &records_bytes);
    if (status == BAILEY_OK) move_rows(p, records, count, check->normals, check->expected);
    return status;
}

/* The first element that is wrong; `count` if none is. Native functions give no promise of bits: what they
 * make of a path of unit length differs by far less than 2^-12 (docs/developers/accuracy.md). */
static uint64_t first_wrong(const struct problem *p, const struct check *check, uint64_t count)
{
    const size_t size = p->element;
    const int fast = p->c->subject == BRIDGE_SIMULATE && p->c->numerics == BAILEY_NUMERICS_FAST;
    for (uint64_t i = 0; i < count; i++) {
        if (!memcmp(check->expected + i * size, check->found + i * size, size)) continue;
        float expected, found;
        if (!fast || size != sizeof expected) return i;
        memcpy(&expected, check->expected + i * size, size);
        memcpy(&found, check->found + i * size, size);
        if (!(fabsf(expected - found) <= 0x1p-12f)) return i;
    }
    return count;
}

static int check_window(const struct problem *p, struct check *check, uint64_t first, uint64_t count,
                        struct bench_row *row)
{
    if (bench_trouble(row, expect(p, check, first, count), "check") ||
        bench_trouble(row, read_window(p, first, count, check->found), "check")) {
        row->state = BENCH_FAILED;
        return 0;
    }
    const uint64_t all = count * p->rows, wrong = first_wrong(p, check, all);
    if (wrong == all) return 1;
    const int path_major = p->c->layout == BAILEY_LAYOUT_PATH_MAJOR;
    bench_fail(row, "wrong output: path %s, row %s is %.9g (%a), not %.9g (%a)",
               cli_count(first + (path_major ? wrong / p->rows : wrong % count)),
               cli_count(path_major ? wrong % p->rows : wrong / count),
               bench_real(check->found, wrong, p->element), bench_real(check->found, wrong, p->element),
               bench_real(check->expected, wrong, p->element),
               bench_real(check->expected, wrong, p->element));
    return 0;
}

static bailey_status inspect(const struct problem *p, bailey_bridge *bridge, bailey_kernel_info *info)
{
    const int fused = p->c->subject == BRIDGE_SIMULATE;
    return bailey_bridge_inspect(bridge, fused ? &p->source : NULL, fused ? &p->draw : NULL, info);
}

/* READBACK, which shares no kernel with the other strategies. For READBACK itself REUSE, where the device can
 * do that: else its own kernel must at least make the same of few paths as of many. */
static bailey_status make_check_bridge(const struct problem *p, bailey_bridge_strategy strategy,
                                       bailey_bridge **bridge)
{
    if (strategy == BAILEY_BRIDGE_STRATEGY_READBACK) {
        bailey_kernel_info ignored;
        bailey_status status = make_bridge(p->bench, p->c, BAILEY_BRIDGE_STRATEGY_REUSE, bridge);
        if (status == BAILEY_OK) status = inspect(p, *bridge, &ignored);
        if (status != BAILEY_ERROR_UNSUPPORTED) return status;
        bailey_bridge_destroy(*bridge);
        *bridge = NULL;
    }
    return make_bridge(p->bench, p->c, BAILEY_BRIDGE_STRATEGY_READBACK, bridge);
}

/* The first, the middle and the last 1024 paths, against those that another strategy makes. */
static int check_output(const struct problem *p, bailey_bridge_strategy strategy, struct bench_row *row)
{
    const uint64_t count = p->paths < 1024 ? p->paths : 1024, bytes = count * p->rows * p->element;
    const uint64_t first[] = {0, (p->paths - count) / 2, p->paths - count};
    struct check check = {.expected = malloc(bytes), .found = malloc(bytes), .normals = malloc(bytes)};
    bailey_status status = BAILEY_ERROR_MEMORY;
    if (check.expected && check.found && check.normals)
        status = make_check_bridge(p, strategy, &check.bridge);
    if (status == BAILEY_OK) status = bailey_buffer_create(p->bench->base.context, bytes, &check.z);
    if (status == BAILEY_OK) status = bailey_buffer_create(p->bench->base.context, bytes, &check.x);
    int good = !bench_trouble(row, status, "check");
    if (!good) row->state = BENCH_FAILED;
    for (int i = 0; i < 3 && good; i++) good = check_window(p, &check, first[i], count, row);
    bailey_buffer_destroy(check.z);
    bailey_buffer_destroy(check.x);
    bailey_bridge_destroy(check.bridge);
    free(check.expected);
    free(check.found);
    free(check.normals);
    return good;
}

/* ---- A measurement ---- */

static bailey_status fill_z(struct problem *p)
{
    struct bridge_bench *b = p->bench;
    const struct bridge_case *c = p->c;
    if (c->subject == BRIDGE_SIMULATE ||
        (b->filled.paths == p->paths && b->filled.rows == p->rows && b->filled.precision == c->precision &&
         b->filled.layout == c->layout))
        return BAILEY_OK;
    const bailey_status status =
        bailey_bridge_normals(p->bridge, &p->source, &p->draw, 0, p->paths, b->z.buffer);
    b->filled.paths = status == BAILEY_OK ? p->paths : 0;
    b->filled.rows = p->rows;
    b->filled.precision = c->precision;
    b->filled.layout = c->layout;
    return status;
}

/* Finds a bridge with a pure copy of the same shape; that there is none is not an error, nor is a failure of
 * a borrowed one, which has a separate row. */
static bailey_status find_shape(struct problem *p, bailey_bridge **borrowed)
{
    const struct bridge_case *c = p->c;
    if (c->subject != BRIDGE_GENERATE || c->output != BAILEY_BRIDGE_OUTPUT_PATHS || c->order)
        return BAILEY_OK;
    p->shape = p->bridge;
    bailey_status status = queue_shape(p);
    if (status == BAILEY_ERROR_UNSUPPORTED && c->borrow_shape) {
        status = make_bridge(p->bench, c, BAILEY_BRIDGE_STRATEGY_SPECIALISED, borrowed);
        p->shape = *borrowed;
        if (status != BAILEY_OK || queue_shape(p) != BAILEY_OK) p->shape = NULL;
        return BAILEY_OK;
    }
    if (status != BAILEY_OK) p->shape = NULL;
    return status == BAILEY_ERROR_UNSUPPORTED ? BAILEY_OK : status;
}

/* Times subject, reference and shape; the row gets the figures. */
static int measure(struct problem *p, struct bench_row *row)
{
    struct bench_timed timed[3];
    const struct bridge_case *c = p->c;
    const int fused = c->subject == BRIDGE_SIMULATE, plain = c->subject == BRIDGE_PLAIN_COPY;
    const size_t count = p->shape ? 3 : 2;
    memset(timed, 0, sizeof timed);
    for (size_t i = 0; i < count; i++) timed[i].user = p;
    timed[0].queue = plain ? queue_plain_copy : queue_subject;
    timed[1].queue = fused ? queue_fill : p->bench->host ? queue_plain_copy : queue_copy;
    timed[2].queue = queue_shape;
    row->of = fused ? "device fill" : p->bench->host ? "plain copy" : "device copy";
    if (bench_trouble(row,
                      bench_time(p->bench->base.context, &p->bench->base.settings, timed, count,
                                 plain ? NULL : poison, p),
                      ""))
        return 0;
    /* Z in and X out, as the paper counts; a fill and a fused bridge only write */
    const double moved = (double)p->bytes * (fused ? 1 : 2) * 1e-9;
    bench_figures(row, timed, 1, moved);
    if (p->shape) row->shape_ratio = timed[2].median / timed[0].median;
    return 1;
}

static void run_problem(struct problem *p, struct bench_row *row)
{
    const struct bridge_case *c = p->c;
    const int fused = c->subject == BRIDGE_SIMULATE, walks = fused || c->subject == BRIDGE_GENERATE;
    bailey_bridge *borrowed = NULL;
    bailey_bridge_info info;
    bailey_status status;
    /* the first call may find that the device cannot do it: before memory, which takes longer, is looked for
     */
    if (walks) {
        status = inspect(p, p->bridge, &row->kernel);
        if (bench_trouble(row, status, "")) return;
    }
    if (!make_room(p->bench, c, p->rows * p->element, &p->paths, row)) return;
    p->bytes = p->paths * p->rows * p->element;
    row->count = p->paths;
    if (bench_trouble(row, fill_z(p), "normals")) return;
    status = find_shape(p, &borrowed);
    if (!bench_trouble(row, status, "transfer") && measure(p, row) && c->subject != BRIDGE_PLAIN_COPY &&
        !bench_trouble(row, bailey_bridge_describe(p->bridge, &info), "") &&
        check_output(p, info.strategy, row)) {
        if (walks) {
            const char *name = bailey_bridge_strategy_name(info.strategy);
            bench_fact_text(row, "strategy", name);
            snprintf(row->note, sizeof row->note, "%s", name);
        }
        if (fused) bench_fact_number(row, "normals_per_second", (double)(p->paths * p->rows) / row->seconds);
    }
    bailey_bridge_destroy(borrowed);
}

void bridge_case_run(struct bridge_bench *bench, const struct bridge_case *c, struct bench_row *row)
{
    struct problem p = {.bench = bench, .c = c};
    memset(row, 0, sizeof *row);
    snprintf(row->name, sizeof row->name, "%s", c->name);
    row->unit = "GB/s";
    row->of = "";
    p.rows = c->steps * c->dims;
    p.element = c->precision == BAILEY_PRECISION_F64 ? 8 : 4;
    p.source = c->source;
    p.source.seed = 1;
    p.draw.precision = c->precision;
    p.draw.method = c->method;
    p.draw.numerics = c->numerics;
    if (!bench_trouble(row, make_bridge(bench, c, c->strategy, &p.bridge), "")) run_problem(&p, row);
    bailey_bridge_destroy(p.bridge);
    if (c->subject == BRIDGE_SIMULATE) {
        const int rounds = bench_rounds(c->source.generator);
        bench_fact_text(row, "generator", bailey_generator_name(c->source.generator));
        if (rounds) bench_fact_number(row, "rounds", rounds);
    }
    bench_fact_number(row, "steps", (double)c->steps);
    bench_fact_number(row, "dims", c->dims);
    bench_fact_text(row, "precision", option_precision(c->precision));
    bench_fact_text(row, "layout", option_word_of("bridge_params", "layout", c->layout));
    bench_fact_text(row, "output", c->output == BAILEY_BRIDGE_OUTPUT_INCREMENTS ? "increments" : "paths");
}
