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
    OPTION("--tables", "A,B,...", "of basket, bridge, today, small, scenarios, gems, peers; default all"),
    OPTION("--only", "TEXT", "rows with TEXT in their names"),
    OPTION("--paths", "P",
           "instead of 2^27 (f64: 2^25), on a CPU 2^18; of gems of as many as make 2^30 steps"),
    BENCH_LAST_OPTIONS(BENCH_QUICK("few paths"), BENCH_REPEAT("7, of small 50")),
};

enum table { BASKET, BRIDGE, TODAY, SMALL, SCENARIOS, GEMS, PEERS, TABLE_COUNT };
static const char *const table_names[] = {"basket",    "bridge", "today", "small",
                                          "scenarios", "gems",   "peers", NULL};
static const char *const table_headings[TABLE_COUNT] = {
    "Asian call on 3 correlated assets, 24 fixings, increments in time order",
    "Asian call on one asset, 64 steps, a bridge",
    "The same deals by the built-in, as it was compiled with the library",
    "Short runs, each with another strike: MS is what a caller waits",
    "The basket with 1, 4, 16 and 64 strikes on the same paths; RATIO is to one price",
    "GPU Gems 3, table 37-1: 256 steps of two assets; 8 steps with GARCH volatility",
    "Python on as many threads: the basket by NumPy; one asset, 24 fixings by QuantLib",
};

/* A row of a table: how its numbers are made, and of which generator. */
struct line {
    const char *what; /* the name except table and precision */
    bailey_generator generator;
    bailey_normal_method method;
    bailey_numerics numerics;
    bailey_precision precision;
    enum simulate_deal deal;
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
    {"philox/box-muller/fast", PHILOX, FAST, F32, SIMULATE_BASKET, 0, 0},
    {"philox7/box-muller/fast", PHILOX7, FAST, F32, SIMULATE_BASKET, 0, 0},
    {"philox/icdf/exact", PHILOX, EXACT, F32, SIMULATE_BASKET, 0, 0},
    {"philox7/icdf/exact", PHILOX7, EXACT, F32, SIMULATE_BASKET, 0, 0},
    {"sobol/icdf/exact", SOBOL, EXACT, F32, SIMULATE_BASKET, 0, 0},
    {"philox/icdf/exact", PHILOX, EXACT, F64, SIMULATE_BASKET, 0, 0},
    {"philox7/icdf/exact", PHILOX7, EXACT, F64, SIMULATE_BASKET, 0, 0},
};
static const struct line bridge_lines[] = {
    {"sobol/bisection", SOBOL, EXACT, F32, SIMULATE_SINGLE, 0, 0},
    {"sobol/random", SOBOL, EXACT, F32, SIMULATE_SINGLE, 1, 0},
    {"philox/bisection", PHILOX, EXACT, F32, SIMULATE_SINGLE, 0, 0},
    {"sobol/bisection", SOBOL, EXACT, F64, SIMULATE_SINGLE, 0, 0},
    {"sobol/random", SOBOL, EXACT, F64, SIMULATE_SINGLE, 1, 0},
    {"philox/bisection", PHILOX, EXACT, F64, SIMULATE_SINGLE, 0, 0},
};
static const struct line today_lines[] = {
    {"basket/philox/icdf/exact", PHILOX, EXACT, F32, SIMULATE_BASKET, 0, 0},
    {"basket/philox/box-muller/fast", PHILOX, FAST, F32, SIMULATE_BASKET, 0, 0},
    {"basket/sobol/icdf/exact", SOBOL, EXACT, F32, SIMULATE_BASKET, 0, 0},
    {"basket/philox/icdf/exact", PHILOX, EXACT, F64, SIMULATE_BASKET, 0, 0},
};
static const struct line small_lines[] = {
    {"10000", PHILOX, EXACT, F32, SIMULATE_BASKET, 0, 10000},
    {"1000000", PHILOX, EXACT, F32, SIMULATE_BASKET, 0, 1000000},
    {"10000", PHILOX, EXACT, F64, SIMULATE_BASKET, 0, 10000},
    {"1000000", PHILOX, EXACT, F64, SIMULATE_BASKET, 0, 1000000},
};
/* How many scenarios, first. */
static const struct line scenario_lines[] = {
    {"1/philox/icdf/exact", PHILOX, EXACT, F32, SIMULATE_BASKET, 0, 0},
    {"4/philox/icdf/exact", PHILOX, EXACT, F32, SIMULATE_BASKET, 0, 0},
    {"16/philox/icdf/exact", PHILOX, EXACT, F32, SIMULATE_BASKET, 0, 0},
    {"64/philox/icdf/exact", PHILOX, EXACT, F32, SIMULATE_BASKET, 0, 0},
    {"16/philox/icdf/fast", PHILOX, BAILEY_NORMAL_METHOD_ICDF, BAILEY_NUMERICS_FAST, F32, SIMULATE_BASKET, 0,
     0},
    {"16/philox/box-muller/fast", PHILOX, FAST, F32, SIMULATE_BASKET, 0, 0},
    {"16/philox/icdf/exact", PHILOX, EXACT, F64, SIMULATE_BASKET, 0, 0},
};
/* Their modules, first. */
static const struct line peer_lines[] = {
    {"numpy/philox/icdf/exact", PHILOX, EXACT, F32, SIMULATE_BASKET, 0, 0},
    {"numpy/philox/box-muller/fast", PHILOX, FAST, F32, SIMULATE_BASKET, 0, 0},
    {"numpy/philox/icdf/exact", PHILOX, EXACT, F64, SIMULATE_BASKET, 0, 0},
    {"quantlib/philox/icdf/exact", PHILOX, EXACT, F64, SIMULATE_AVERAGE, 0, 0},
};
#define LINES(name)                                                                                          \
    {                                                                                                        \
        name, sizeof name / sizeof *name                                                                     \
    }
static const struct {
    const struct line *lines;
    size_t count;
} tables[TABLE_COUNT] = {LINES(basket_lines),   LINES(bridge_lines), LINES(today_lines), LINES(small_lines),
                         LINES(scenario_lines), {NULL, 0},           LINES(peer_lines)};

struct run {
    struct simulate_bench bench;
    int wanted[TABLE_COUNT];
    const char *only;
    uint64_t paths; /* 0: as many as usual */
    uint64_t repeat_small;
};

static uint64_t paths_of(const struct run *run, bailey_precision precision)
{
    if (run->paths) return run->paths;
    if (run->bench.host) return UINT64_C(1) << 18;
    return UINT64_C(1) << (precision == F64 ? 25 : 27);
}

static struct simulate_case case_of(const struct run *run, enum table table, const struct line *line)
{
    struct simulate_case c = {
        .deal = line->deal,
        .rival = table == BASKET      ? SIMULATE_BEST_PEER
                 : table == SCENARIOS ? SIMULATE_ONE_SCENARIO
                 : table == PEERS     ? SIMULATE_PYTHON
                                      : SIMULATE_BUILTIN,
        .source = {.generator = line->generator, .seed = 1},
        .normal = {.method = line->method, .precision = line->precision, .numerics = line->numerics},
        .construction = line->deal == SIMULATE_SINGLE ? BAILEY_CONSTRUCTION_BRIDGE : BAILEY_CONSTRUCTION_WALK,
        .random_order = line->random_order,
        .changing = table == SMALL,
        .paths = line->paths && !run->bench.base.quick ? line->paths : paths_of(run, line->precision),
    };
    if (line->generator == SOBOL) {
        c.source.scramble = BAILEY_SCRAMBLE_LMS;
        c.source.word_bits = 32;
        c.normal.word_bits = 32;
    }
    if (table == PEERS) c.module = strncmp(line->what, "numpy/", 6) ? "quantlib" : "numpy";
    if (table == SCENARIOS) c.scenarios = strtoull(line->what, NULL, 10);
    snprintf(c.name, sizeof c.name, "simulate/%s/%s/%s", table_names[table], line->what,
             option_precision(line->precision));
    return c;
}

static int is_wanted(const struct run *run, const char *name)
{
    return !run->only || strstr(name, run->only);
}

static uint64_t count_rows(const struct run *run)
{
    uint64_t count = 0;
    for (int t = 0; t < TABLE_COUNT; t++)
        for (size_t i = 0; i < tables[t].count && run->wanted[t]; i++) {
            const struct simulate_case c = case_of(run, (enum table)t, &tables[t].lines[i]);
            count += (uint64_t)is_wanted(run, c.name);
        }
    char name[64];
    for (size_t i = 0; run->wanted[GEMS] && gems_name(i, name, sizeof name); i++)
        count += (uint64_t)is_wanted(run, name);
    return count;
}

/* cuRAND's kernels come before the first row that takes turns with them. */
static void run_rivals(struct run *run, bailey_precision precision)
{
    struct bench_row rows[SIMULATE_RIVALS];
    const size_t count = simulate_rivals_run(&run->bench, precision, paths_of(run, precision), rows);
    for (size_t i = 0; i < count; i++) bench_row(&run->bench.base, &rows[i]);
}

static void run_table(struct run *run, enum table table)
{
    int rivals[2] = {table != BASKET, table != BASKET};
    bench_heading(&run->bench.base, table_headings[table]);
    for (size_t i = 0; i < tables[table].count; i++) {
        const struct simulate_case c = case_of(run, table, &tables[table].lines[i]);
        struct bench_row row;
        if (!is_wanted(run, c.name)) continue;
        if (!rivals[c.normal.precision]++) run_rivals(run, c.normal.precision);
        simulate_case_run(&run->bench, &c, &row);
        bench_step(&run->bench.base);
        bench_row(&run->bench.base, &row);
    }
}

/* A module's own row comes before the first that takes turns with it. */
static void run_peers(struct run *run)
{
    char last[sizeof((struct bench_row *)0)->name] = "";
    bench_heading(&run->bench.base, table_headings[PEERS]);
    for (size_t i = 0; i < tables[PEERS].count; i++) {
        const struct simulate_case c = case_of(run, PEERS, &tables[PEERS].lines[i]);
        struct bench_row ours, theirs;
        if (!is_wanted(run, c.name)) continue;
        const int measured = simulate_python_run(&run->bench, &c, &ours, &theirs);
        bench_step(&run->bench.base);
        if (strcmp(last, theirs.name) || theirs.state == BENCH_FAILED) bench_row(&run->bench.base, &theirs);
        snprintf(last, sizeof last, "%s", theirs.name);
        if (measured) bench_row(&run->bench.base, &ours);
    }
}

static void run_gems(struct run *run)
{
    char name[64];
    bench_heading(&run->bench.base, table_headings[GEMS]);
    for (size_t i = 0; gems_name(i, name, sizeof name); i++) {
        struct bench_row row;
        if (!is_wanted(run, name)) continue;
        gems_run(&run->bench, i, run->paths, &row);
        bench_step(&run->bench.base);
        bench_row(&run->bench.base, &row);
    }
}

static int run_tables(struct run *run)
{
    const struct bench_settings usual = run->bench.base.settings;
    bench_begin(&run->bench.base, count_rows(run));
    for (int t = 0; t < TABLE_COUNT; t++) {
        if (!run->wanted[t]) continue;
        /* single calls: a caller waits for each */
        if (t == SMALL) run->bench.base.settings = (struct bench_settings){.repeat = run->repeat_small};
        if (t == GEMS)
            run_gems(run);
        else if (t == PEERS)
            run_peers(run);
        else
            run_table(run, (enum table)t);
        run->bench.base.settings = usual;
    }
    return bench_end(&run->bench.base);
}

static int run(const struct arguments *a)
{
    static struct run all;
    struct bench *base = &all.bench.base;
    int code;
    memset(&all, 0, sizeof all);
    all.only = a->value[ONLY];
    base->report = (struct bench_report){.count_name = "paths", .note_name = "PRICE", .unit_width = 11};
    for (int i = 0; i < TABLE_COUNT; i++) all.wanted[i] = !a->value[TABLES];
    if ((code = option_list_choice(a, TABLES, table_names, all.wanted)) ||
        (code = option_u64(a, PATHS, 2, BAILEY_BRIDGE_MAX_PATHS, &all.paths)) ||
        (code = bench_open(base, a, QUICK, 7)))
        return code;
    if (base->quick && !all.paths) all.paths = 1003;
    all.repeat_small = base->quick || a->value[REPEAT] ? base->settings.repeat : 50;
    code = simulate_bench_create(&all.bench);
    if (!code) code = run_tables(&all);
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
        "Times simulations, whose paths stay on the chip, of a text that is compiled when it runs. On a CUDA device\n"
        "the basket takes turns with the faster of two kernels written by hand with cuRAND's device functions, on a\n"
        "CPU with a plain loop in C; other rows with the built-in 'asian'. Prices are compared with those of the\n"
        "rival; exit code 1 if a row is wrong. The table peers, beside CPUs, has NumPy and QuantLib where a Python with\n"
        "them is installed: python3, or what BAILEY_PYTHON names.",
    .examples =
        "  bailey bench simulate --device cuda\n"
        "  bailey bench simulate --tables basket --only f64 --device cuda\n"
        "  bailey bench simulate --tables gems --only asian-max\n"
        "  bailey bench simulate --tables small --json > small.json\n"
        "  bailey bench simulate --tables peers --device cpu --threads 1\n"
        "\n"
        "Columns:\n"
        "  VALUE, MS: the median batch, and the time of one call in it.\n"
        "  RATIO, OF: VALUE to that of the rival in the same run. curand philox, curand xorwow: the faster of both,\n"
        "  each the fastest of its launches; plain loop: xoshiro256+ and Box-Muller in C, on as many threads;\n"
        "  built-in: 'asian' as it was compiled with the library.\n"
        "  constant: the same steps with constants instead of normals, by hand, the bound; philox fast: our simulation.\n"
        "  one price: the same run without scenarios; PRICE also says how many times its time this takes.\n"
        "  numpy, quantlib: in a process for each thread. Their own rows stand before ours; PRICE also says what\n"
        "  their normals come from, and the version.\n"
        "  PRICE: the mean of the payoffs, which are not discounted.\n",
    .options = options,
    .run = run,
};
/* clang-format on */
