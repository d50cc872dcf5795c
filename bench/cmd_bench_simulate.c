/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey bench simulate: simulations, whose paths stay on the chip, against what others have for the same
 * deal.
 */
#include "bench_simulate.h"
#include <cli/options/options.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { H_WHAT, TABLES, ONLY, PATHS, BENCH_LAST_NAMES };

static const struct option options[] = {
    HEADING("What:"),
    OPTION("--tables", "A,B,...", "any of basket, bridge, today, small, scenarios, gems, peers; default all"),
    OPTION("--only", "TEXT", "only rows whose names contain TEXT"),
    OPTION("--paths", "P",
           "number of paths; default 2^27 (f64: 2^25), on a CPU 2^18; in gems, as many as make 2^30 steps"),
    BENCH_LAST_OPTIONS(BENCH_QUICK("few paths"), BENCH_REPEAT("7, in small 50")),
};

enum table { BASKET, BRIDGE, TODAY, SMALL, SCENARIOS, GEMS, PEERS, TABLE_COUNT };
/* A row of a table: how its numbers are made, and of which generator. */
struct line {
    const char *what; /* the name except table and precision */
    bailey_generator generator;
    bailey_normal_method method;
    bailey_numerics numerics;
    bailey_precision precision;
    enum bench_subject deal;
    int random_order;
    uint64_t paths; /* 0: as many as usual */
};

#define F32 BAILEY_PRECISION_F32
#define F64 BAILEY_PRECISION_F64
#define EXACT BAILEY_NORMAL_METHOD_ICDF, BAILEY_NUMERICS_EXACT
#define FAST BAILEY_NORMAL_METHOD_BOX_MULLER, BAILEY_NUMERICS_FAST
#define PHILOX BAILEY_GENERATOR_PHILOX
#define PHILOX7 BAILEY_GENERATOR_PHILOX7
#define SOBOL BAILEY_GENERATOR_SOBOL

static const struct line basket_lines[] = {
    {"philox/box-muller/fast", PHILOX, FAST, F32, BENCH_BASKET, 0, 0},
    {"philox7/box-muller/fast", PHILOX7, FAST, F32, BENCH_BASKET, 0, 0},
    {"philox/icdf/exact", PHILOX, EXACT, F32, BENCH_BASKET, 0, 0},
    {"philox7/icdf/exact", PHILOX7, EXACT, F32, BENCH_BASKET, 0, 0},
    {"sobol/icdf/exact", SOBOL, EXACT, F32, BENCH_BASKET, 0, 0},
    {"philox/icdf/exact", PHILOX, EXACT, F64, BENCH_BASKET, 0, 0},
    {"philox7/icdf/exact", PHILOX7, EXACT, F64, BENCH_BASKET, 0, 0},
};
static const struct line bridge_lines[] = {
    {"sobol/bisection", SOBOL, EXACT, F32, BENCH_SINGLE, 0, 0},
    {"sobol/random", SOBOL, EXACT, F32, BENCH_SINGLE, 1, 0},
    {"philox/bisection", PHILOX, EXACT, F32, BENCH_SINGLE, 0, 0},
    {"sobol/bisection", SOBOL, EXACT, F64, BENCH_SINGLE, 0, 0},
    {"sobol/random", SOBOL, EXACT, F64, BENCH_SINGLE, 1, 0},
    {"philox/bisection", PHILOX, EXACT, F64, BENCH_SINGLE, 0, 0},
};
static const struct line today_lines[] = {
    {"basket/philox/icdf/exact", PHILOX, EXACT, F32, BENCH_BASKET, 0, 0},
    {"basket/philox/box-muller/fast", PHILOX, FAST, F32, BENCH_BASKET, 0, 0},
    {"basket/sobol/icdf/exact", SOBOL, EXACT, F32, BENCH_BASKET, 0, 0},
    {"basket/philox/icdf/exact", PHILOX, EXACT, F64, BENCH_BASKET, 0, 0},
};
static const struct line small_lines[] = {
    {"10000", PHILOX, EXACT, F32, BENCH_BASKET, 0, 10000},
    {"1000000", PHILOX, EXACT, F32, BENCH_BASKET, 0, 1000000},
    {"10000", PHILOX, EXACT, F64, BENCH_BASKET, 0, 10000},
    {"1000000", PHILOX, EXACT, F64, BENCH_BASKET, 0, 1000000},
};
/* How many scenarios, first. */
static const struct line scenario_lines[] = {
    {"1/philox/icdf/exact", PHILOX, EXACT, F32, BENCH_BASKET, 0, 0},
    {"4/philox/icdf/exact", PHILOX, EXACT, F32, BENCH_BASKET, 0, 0},
    {"16/philox/icdf/exact", PHILOX, EXACT, F32, BENCH_BASKET, 0, 0},
    {"64/philox/icdf/exact", PHILOX, EXACT, F32, BENCH_BASKET, 0, 0},
    {"16/philox/icdf/fast", PHILOX, BAILEY_NORMAL_METHOD_ICDF, BAILEY_NUMERICS_FAST, F32, BENCH_BASKET, 0, 0},
    {"16/philox/box-muller/fast", PHILOX, FAST, F32, BENCH_BASKET, 0, 0},
    {"16/philox/icdf/exact", PHILOX, EXACT, F64, BENCH_BASKET, 0, 0},
};
/* With each package that has the deal. */
static const struct line peer_lines[] = {
    {"philox/icdf/exact", PHILOX, EXACT, F32, BENCH_BASKET, 0, 0},
    {"philox/box-muller/fast", PHILOX, FAST, F32, BENCH_BASKET, 0, 0},
    {"philox/icdf/exact", PHILOX, EXACT, F64, BENCH_BASKET, 0, 0},
    {"philox/icdf/exact", PHILOX, EXACT, F64, BENCH_AVERAGE, 0, 0},
};
#define LINES(name)                                                                                          \
    {                                                                                                        \
        name, sizeof name / sizeof *name                                                                     \
    }
static const struct {
    const struct line *lines;
    size_t count;
} all_lines[TABLE_COUNT] = {LINES(basket_lines), LINES(bridge_lines),   LINES(today_lines),
                            LINES(small_lines),  LINES(scenario_lines), {NULL, 0},
                            LINES(peer_lines)};
static const struct bench_table tables[TABLE_COUNT];

struct run {
    struct simulate_bench bench;
    uint64_t paths; /* 0: as many as usual */
    uint64_t repeat_small;
    int has_rivals[2];  /* by precision: those by hand were looked for */
    char last_peer[64]; /* the row of a package that was printed last */
};

static uint64_t paths_of(const struct run *run, bailey_precision precision)
{
    if (run->paths) return run->paths;
    if (run->bench.host) return UINT64_C(1) << 18;
    return UINT64_C(1) << (precision == F64 ? 25 : 27);
}

static struct simulate_case case_of(const struct run *run, enum table table, const struct line *line,
                                    const struct bench_peer *peer)
{
    struct simulate_case c = {
        .deal = line->deal,
        .rival = table == BASKET      ? SIMULATE_BY_HAND
                 : table == SCENARIOS ? SIMULATE_ONE_SCENARIO
                 : table == PEERS     ? SIMULATE_PACKAGE
                                      : SIMULATE_BUILTIN,
        .source = {.generator = line->generator, .seed = 1},
        .normal = {.method = line->method, .precision = line->precision, .numerics = line->numerics},
        .construction = line->deal == BENCH_SINGLE ? BAILEY_CONSTRUCTION_BRIDGE : BAILEY_CONSTRUCTION_WALK,
        .random_order = line->random_order,
        .changing = table == SMALL,
        .paths = line->paths && !run->bench.base.quick ? line->paths : paths_of(run, line->precision),
        .peer = peer,
    };
    if (line->generator == SOBOL) {
        c.source.scramble = BAILEY_SCRAMBLE_LMS;
        c.source.word_bits = 32;
        c.normal.word_bits = 32;
    }
    if (table == SCENARIOS) c.scenarios = strtoull(line->what, NULL, 10);
    snprintf(c.name, sizeof c.name, "simulate/%s/%s%s%s/%s", tables[table].name, peer ? peer->name : "",
             peer ? "/" : "", line->what, option_precision(line->precision));
    return c;
}

/* ---- Tables ---- */

static int name_line(const struct bench *bench, size_t index, char *name)
{
    const enum table t = (enum table)bench->table;
    if (index >= all_lines[t].count) return 0;
    const struct simulate_case c = case_of((const struct run *)bench, t, &all_lines[t].lines[index], NULL);
    snprintf(name, BENCH_NAME, "%s", c.name);
    return 1;
}

/* Peers by hand come before the first row that alternates with them. */
static void measure_line(struct bench *bench, size_t index, struct bench_row *row)
{
    struct run *run = (struct run *)bench;
    const enum table t = (enum table)bench->table;
    const struct simulate_case c = case_of(run, t, &all_lines[t].lines[index], NULL);
    const bailey_precision precision = c.normal.precision;
    if (t == BASKET && !run->has_rivals[precision]++)
        simulate_rivals_run(&run->bench, precision, paths_of(run, precision));
    simulate_case_run(&run->bench, &c, row);
}

/* Single calls: a caller waits for each. */
static void begin_small(struct bench *bench)
{
    bench->settings = (struct bench_settings){.repeat = ((struct run *)bench)->repeat_small};
}

static void measure_gems(struct bench *bench, size_t index, struct bench_row *row)
{
    struct run *run = (struct run *)bench;
    gems_run(&run->bench, index, run->paths, row);
}

/* Line `index` of those of each package; NULL beyond the last. */
static const struct line *peer_line(const struct run *run, size_t index, const struct bench_peer **peer)
{
    struct bench_case wanted = {.bench = &run->bench.base};
    unsigned setting;
    for (wanted.subject = BENCH_BASKET; wanted.subject <= BENCH_AVERAGE; wanted.subject++)
        for (unsigned p = 0; (*peer = bench_peer_at(&wanted, p, &setting)) != NULL; p++)
            for (size_t i = 0; i < all_lines[PEERS].count && (*peer)->is_package; i++)
                if (peer_lines[i].deal == wanted.subject && !index--) return &peer_lines[i];
    return NULL;
}

static int name_peer(const struct bench *bench, size_t index, char *name)
{
    const struct run *run = (const struct run *)bench;
    const struct bench_peer *peer;
    const struct line *line = peer_line(run, index, &peer);
    if (!line) return 0;
    const struct simulate_case c = case_of(run, PEERS, line, peer);
    snprintf(name, BENCH_NAME, "%s", c.name);
    return 1;
}

/* A package's own row comes before the first row that alternates with it. */
static void measure_peer(struct bench *bench, size_t index, struct bench_row *row)
{
    struct run *run = (struct run *)bench;
    const struct bench_peer *peer;
    const struct line *line = peer_line(run, index, &peer);
    const struct simulate_case c = case_of(run, PEERS, line, peer);
    struct bench_row theirs;
    const int measured = simulate_package_run(&run->bench, &c, row, &theirs);
    if (strcmp(run->last_peer, theirs.name) || theirs.state == BENCH_FAILED) bench_row(bench, &theirs);
    snprintf(run->last_peer, sizeof run->last_peer, "%s", theirs.name);
    if (!measured) *row->name = 0;
}

static const struct bench_table tables[TABLE_COUNT] = {
    {"basket", "Asian call on 3 correlated assets, 24 fixings, increments in time order", BENCH_BASKET,
     name_line, measure_line, NULL},
    {"bridge", "Asian call on one asset, 64 steps, a bridge", BENCH_SINGLE, name_line, measure_line, NULL},
    {"today", "The same deals by the built-in, as it was compiled with the library", BENCH_BASKET, name_line,
     measure_line, NULL},
    {"small", "Short runs, each with another strike: MS is what a caller waits", BENCH_BASKET, name_line,
     measure_line, begin_small},
    {"scenarios", "The basket with 1, 4, 16 and 64 strikes on the same paths; RATIO is to one price",
     BENCH_BASKET, name_line, measure_line, NULL},
    {"gems", "GPU Gems 3, table 37-1: 256 steps of two assets; 8 steps with GARCH volatility",
     BENCH_ASIAN_MAX, gems_name, measure_gems, NULL},
    {"peers", "Python on as many threads: the basket by NumPy; one asset, 24 fixings by QuantLib",
     BENCH_AVERAGE, name_peer, measure_peer, NULL},
};

static int run(const struct arguments *a)
{
    static struct run all;
    struct bench *base = &all.bench.base;
    int code;
    memset(&all, 0, sizeof all);
    base->report = (struct bench_report){.count_name = "paths", .note_name = "PRICE", .unit_width = 11};
    if ((code = bench_tables(base, a, TABLES, tables, TABLE_COUNT)) ||
        (code = option_u64(a, PATHS, 2, BAILEY_BRIDGE_MAX_PATHS, &all.paths)) ||
        (code = bench_open(base, a, QUICK, 7)))
        return code;
    if (base->quick && !all.paths) all.paths = 1003;
    all.repeat_small = base->quick || a->value[REPEAT] ? base->settings.repeat : 50;
    code = simulate_bench_create(&all.bench);
    base->only = a->value[ONLY];
    if (!code) code = bench_run(base);
    simulate_bench_destroy(&all.bench);
    bench_close(base);
    return code;
}

/* clang-format off */ /* a line of help is a line here */
const struct command command_bench_simulate = {
    .name = "bench simulate",
    .summary = "measure simulations against kernels of the same deal by hand",
    .usage = "[--tables A,B,...] [--only TEXT] [options]",
    .about =
        "Times simulations whose paths stay on the chip and whose payoff is compiled at run time. On a CUDA\n"
        "device the basket is compared with the faster of two hand-written kernels that use cuRAND's device\n"
        "functions, on a CPU with vectorised C; other rows are compared with the built-in 'asian'. Batches\n"
        "of the two alternate. Both prices must agree; exit code 1 if a row is wrong. On CPUs the table peers\n"
        "has NumPy and QuantLib, if python3 (or the program that BAILEY_PYTHON names) has them.",
    .examples =
        "  bailey bench simulate --device cuda\n"
        "  bailey bench simulate --tables basket --only f64 --device cuda\n"
        "  bailey bench simulate --tables gems --only asian-max\n"
        "  bailey bench simulate --tables small --json > small.json\n"
        "  bailey bench simulate --tables peers --device cpu --threads 1\n"
        "\n"
        "Columns:\n"
        "  VALUE, MS: the median batch, and the time of one call in it.\n"
        "  RATIO, OF: VALUE divided by that of the rival in the same run. curand philox, curand xorwow: the\n"
        "  faster of both, each with its fastest launch; plain xoshiro256+, plain philox: the faster of two\n"
        "  loops in C that the compiler makes vectors of, on as many threads; built-in: 'asian' as it was\n"
        "  compiled with the library; constant: a hand-written kernel with\n"
        "  the same steps and constants instead of normals, which is the limit; philox fast: our simulation;\n"
        "  one price: the same run without scenarios, of whose time PRICE gives the multiple; numpy, quantlib:\n"
        "  one process per thread, with their own rows before ours. PRICE then also gives their source of\n"
        "  normals and their version.\n"
        "  PRICE: the mean of the payoffs, which are not discounted.\n",
    .options = options,
    .run = run,
};
/* clang-format on */
