/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey bench motion: Brownian motion at any time, as random queries, as walks over a grid and as intervals
 * with their areas, against a fill of the same bytes; and, on processors, against diffrax and torchsde in the
 * same run.
 */
#include "bench_peers.h"

#include <bailey/device/philox.h>
#include <bailey/motion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { H_WHAT, TABLES, COUNT, BENCH_LAST_NAMES };
enum { T_RANDOM, T_WALK, T_INTERVALS, T_PEERS, TABLE_COUNT };

static const struct option options[] = {
    HEADING("What:"),
    OPTION("--tables", "A,B,...", "any of random, walk, intervals, peers; default all"),
    OPTION("--count", "N", "numbers per call; default 2^26, on a CPU 2^20"),
    BENCH_LAST_OPTIONS(BENCH_QUICK("few numbers"), BENCH_REPEAT("7")),
};

/* The queries: `ticks` ticks of 2^depth for each path. */
struct asked {
    const char *name;
    int table;
    uint32_t depth;
    uint64_t ticks; /* of a grid that all paths share; 0: a random one for each path */
    bailey_motion_areas areas;
};
static const struct asked all_asked[] = {
    {"random/7", T_RANDOM, 7, 0, BAILEY_MOTION_AREAS_NONE},
    {"random/16", T_RANDOM, 16, 0, BAILEY_MOTION_AREAS_NONE},
    {"random/24", T_RANDOM, 24, 0, BAILEY_MOTION_AREAS_NONE},
    {"walk/64", T_WALK, 6, 64, BAILEY_MOTION_AREAS_NONE},
    {"walk/1024", T_WALK, 10, 1024, BAILEY_MOTION_AREAS_NONE},
    {"intervals/none", T_INTERVALS, 24, 0, BAILEY_MOTION_AREAS_NONE},
    {"intervals/h", T_INTERVALS, 24, 0, BAILEY_MOTION_AREAS_H},
    {"intervals/hk", T_INTERVALS, 24, 0, BAILEY_MOTION_AREAS_HK},
};
enum {
    ASKED = sizeof all_asked / sizeof *all_asked,
    CHECKED_PATHS = 1000,
    PEER = 2 /* what peers are compared with */
};

struct run {
    struct bench base;
    bailey_context *cpu; /* makes what results should be */
    uint64_t count;
};

/* A request, on one of the two devices. */
struct request {
    bailey_motion *motion;
    const struct asked *asked;
    bailey_buffer *ticks, *out;
    uint64_t paths, *grid, bytes; /* bytes of `out` */
};

static const bailey_source source = {.seed = 7};

static bailey_status ask(void *user)
{
    struct request *r = user;
    if (r->asked->ticks)
        return bailey_motion_values(r->motion, &source, r->grid, r->asked->ticks, 0, r->paths, r->out);
    if (r->asked->table == T_RANDOM)
        return bailey_motion_values_each(r->motion, &source, r->ticks, 1, 0, r->paths, r->out);
    return bailey_motion_increments_each(r->motion, &source, r->ticks, 1, 0, r->paths, r->out);
}

static bailey_status fill(void *user)
{
    struct request *r = user;
    return bailey_buffer_fill(r->out, 0, 0xa5, r->bytes);
}

static void free_request(struct request *r)
{
    bailey_buffer_destroy(r->ticks);
    bailey_buffer_destroy(r->out);
    bailey_motion_destroy(r->motion);
    free(r->grid);
}

/* Separate ticks for each path: those that intervals begin with, then those that they end with. Path p has
 * the same whatever `paths` is. */
static uint64_t *random_ticks(const struct asked *asked, uint64_t paths)
{
    uint64_t *ticks = malloc((size_t)paths * 2 * sizeof *ticks);
    const uint64_t mask = ((uint64_t)1 << asked->depth) - 1;
    for (uint64_t p = 0; ticks && p < paths; p++) {
        const bailey_philox_block b = bailey_philox_words4(1, 0, p);
        const uint64_t x = b.word[0] & mask, y = b.word[1] & mask;
        ticks[p] = asked->table == T_RANDOM || x < y ? x : y;
        ticks[paths + p] = x < y ? y : x;
    }
    return ticks;
}

static bailey_status open_request(bailey_context *context, const struct asked *asked,
                                  bailey_precision precision, uint64_t paths, struct request *r)
{
    const bailey_motion_params params = {
        .end_time = 1, .depth = asked->depth, .areas = asked->areas, .precision = precision};
    const uint64_t numbers = asked->ticks ? asked->ticks : asked->table == T_RANDOM ? 1 : 1u + asked->areas;
    *r = (struct request){.asked = asked, .paths = paths};
    r->bytes = paths * numbers * (precision == BAILEY_PRECISION_F64 ? 8 : 4);
    bailey_status status = bailey_motion_create(context, &params, &r->motion);
    if (status == BAILEY_OK) status = bailey_buffer_create(context, r->bytes, &r->out);
    if (status != BAILEY_OK) return status;
    if (asked->ticks) {
        r->grid = malloc((size_t)asked->ticks * sizeof *r->grid);
        for (uint64_t i = 0; r->grid && i < asked->ticks; i++) r->grid[i] = i + 1;
        return r->grid ? BAILEY_OK : BAILEY_ERROR_MEMORY;
    }
    uint64_t *ticks = random_ticks(asked, paths);
    if (!ticks) return BAILEY_ERROR_MEMORY;
    status = bailey_buffer_create(context, paths * 2 * sizeof *ticks, &r->ticks);
    if (status == BAILEY_OK) status = bailey_buffer_write(r->ticks, 0, ticks, paths * 2 * sizeof *ticks);
    free(ticks);
    return status;
}

/* Whether the first paths have the bits that the cpu backend gives them, of the first tick or part. */
static int is_right(struct run *run, struct request *r, bailey_precision precision, struct bench_row *row)
{
    static char found[CHECKED_PATHS * 8], expected[CHECKED_PATHS * 8];
    const uint64_t paths = r->paths < CHECKED_PATHS ? r->paths : CHECKED_PATHS;
    const size_t bytes = (size_t)paths * (precision == BAILEY_PRECISION_F64 ? 8 : 4);
    struct request other = {0};
    bailey_status status = bailey_buffer_read(r->out, 0, found, bytes);
    if (status == BAILEY_OK) status = open_request(run->cpu, r->asked, precision, paths, &other);
    if (status == BAILEY_OK) status = ask(&other);
    if (status == BAILEY_OK) status = bailey_buffer_read(other.out, 0, expected, bytes);
    free_request(&other);
    if (bench_trouble(row, status, "what the cpu backend makes")) return 0;
    if (!memcmp(found, expected, bytes)) return 1;
    bench_fail(row, "the results differ from those of the cpu backend");
    return 0;
}

/* Cases come in single precision, then in double precision where the device has it. */
static void measure_ours(struct bench *bench, size_t index, struct bench_row *row)
{
    struct run *run = (struct run *)bench;
    const struct asked *asked = &all_asked[index % ASKED];
    const bailey_precision precision = (bailey_precision)(index / ASKED);
    const uint64_t most = run->count / (asked->ticks ? asked->ticks : 1), paths = most ? most : 1;
    struct request request = {0};
    row->unit = "M/s";
    row->of = "device fill";
    bailey_status status = open_request(run->base.context, asked, precision, paths, &request);
    struct bench_timed timed[2] = {{.queue = ask, .user = &request}, {.queue = fill, .user = &request}};
    if (status == BAILEY_OK)
        status = bench_time(run->base.context, &run->base.settings, timed, 2, NULL, NULL);
    if (status == BAILEY_OK) status = ask(&request); /* after the last fill */
    if (!bench_trouble(row, status, "") && is_right(run, &request, precision, row)) {
        row->count = paths * (asked->ticks ? asked->ticks : 1);
        bench_figures(row, timed, 1, (double)row->count * 1e-6);
    }
    bench_fact_number(row, "levels", asked->depth);
    free_request(&request);
}

/* A peer, which answers as many queries of random ticks as it is asked for, taking turns with bailey. */
static void measure_entry(struct run *run, struct bench_entry *entry, struct request *ours,
                          struct bench_row *row)
{
    struct bench_timed timed[2] = {{.queue = entry->peer->run, .user = entry}, {.queue = ask, .user = ours}};
    const bailey_status status = bench_time(run->base.context, &run->base.settings, timed, 2, NULL, NULL);
    if (bench_entry_trouble(row, status, entry)) return;
    row->count = entry->wanted->count;
    bench_figures(row, timed, 1, (double)row->count * 1e-6);
    row->reference = (double)run->count * 1e-6 / timed[1].median;
    row->ratio = row->value / row->reference;
    snprintf(row->note, sizeof row->note, "%s, %s", entry->version, entry->note);
    if (!(fabs(entry->mean) <= 6 * entry->error)) /* of W(t) / sqrt(t) */
        bench_fail(row, "its mean is %g +- %g", entry->mean, entry->error);
}

static struct bench_case case_of(const struct run *run)
{
    return (struct bench_case){.bench = &run->base,
                               .subject = bench_subject_of(&run->base),
                               .count = run->count < 100000 ? run->count : 100000,
                               .text = "{\"levels\": 24}"};
}

static void measure_peer(struct bench *bench, size_t index, struct bench_row *row)
{
    struct run *run = (struct run *)bench;
    struct bench_case wanted = case_of(run);
    const size_t peers = bench_peer_settings(&wanted);
    const struct asked *asked = &all_asked[PEER];
    struct request ours = {0};
    struct bench_entry entry;
    unsigned setting;
    const struct bench_peer *peer = bench_peer_at(&wanted, (unsigned)(index % peers), &setting);
    wanted.precision = (bailey_precision)(index / peers);
    row->unit = "M/s";
    row->of = asked->name;
    if (!bench_entry_begin(&entry, peer, setting, &wanted, '-'))
        bench_skip(row, entry.why);
    else if (!bench_trouble(row, open_request(run->base.context, asked, wanted.precision, run->count, &ours),
                            ""))
        measure_entry(run, &entry, &ours, row);
    free_request(&ours);
    bench_entry_end(&entry);
}

static int name_ours(const struct bench *bench, size_t index, char *name)
{
    const struct asked *asked = &all_asked[index % ASKED];
    *name = 0;
    if (index >= (bench->device.has_f64 ? 2 * ASKED : ASKED)) return 0;
    if ((int)bench->table == asked->table)
        snprintf(name, BENCH_NAME, "motion/%s/%s", asked->name, option_precision((int)(index / ASKED)));
    return 1;
}

static int name_peer(const struct bench *bench, size_t index, char *name)
{
    const struct bench_case wanted = case_of((const struct run *)bench);
    const size_t peers = bench_peer_settings(&wanted);
    unsigned setting;
    if (index >= (bench->device.has_f64 ? 2 * peers : peers)) return 0;
    snprintf(name, BENCH_NAME, "motion/peers/%s/%s",
             bench_peer_at(&wanted, (unsigned)(index % peers), &setting)->name,
             option_precision((int)(index / peers)));
    return 1;
}

static const struct bench_table tables[TABLE_COUNT] = {
    {"random", "Random ticks of each path's own, by levels", BENCH_MOTION, name_ours, measure_ours, NULL},
    {"walk", "Grids of so many ticks, walked", BENCH_MOTION, name_ours, measure_ours, NULL},
    {"intervals", "Random intervals of 24 levels, by areas", BENCH_MOTION, name_ours, measure_ours, NULL},
    {"peers", "diffrax and torchsde, random ticks", BENCH_MOTION, name_peer, measure_peer, NULL},
};

static int read_request(const struct arguments *a, struct run *run)
{
    int code;
    run->base.report = (struct bench_report){.count_name = "numbers", .note_name = "NOTE", .unit_width = 4};
    if ((code = bench_tables(&run->base, a, TABLES, tables, TABLE_COUNT)) ||
        (code = bench_open(&run->base, a, QUICK, 7)) ||
        (code = cli_check(bailey_context_create("cpu", NULL, &run->cpu), "cpu")))
        return code;
    run->count = run->base.quick                                   ? 5000
                 : run->base.device.kind == BAILEY_DEVICE_KIND_GPU ? UINT64_C(1) << 26
                                                                   : UINT64_C(1) << 20;
    return option_u64(a, COUNT, 1, UINT64_C(1) << 32, &run->count);
}

static int run(const struct arguments *a)
{
    struct run all = {0};
    int code = read_request(a, &all);
    if (!code) code = bench_run(&all.base);
    bench_close(&all.base);
    bailey_context_destroy(all.cpu);
    return code;
}

/* clang-format off */ /* a line of help is a line here */
const struct command command_bench_motion = {
    .name = "bench motion",
    .summary = "measure Brownian motion at any time; diffrax, torchsde",
    .usage = "[--tables random,walk,...] [--count N] [options]",
    .about =
        "Times queries of Brownian motion: separate ticks for each path, grids, and intervals with areas;\n"
        "batches alternate with a fill of the same bytes. Where they are installed, it also times random ticks\n"
        "of 2^24 with diffrax's VirtualBrownianTree and torchsde's BrownianInterval, in a Python process with\n"
        "one thread. The tree of BrownianInterval follows its queries; that of torchsde-halfway is dyadic, like\n"
        "bailey's. Results are compared with those of the cpu backend; exit code 1 if a row is wrong.",
    .examples =
        "  bailey bench motion --device cuda\n"
        "  bailey bench motion --device cpu --threads 1 --tables random,peers\n"
        "\n"
        "Columns:\n"
        "  VALUE, MS: the median batch, and the time of one call in it. An interval counts once.\n"
        "  RATIO, OF: VALUE divided by that of a fill of the same bytes in the same run; for peers, by that of\n"
        "  bailey on this device.\n",
    .options = options,
    .run = run,
};
/* clang-format on */
