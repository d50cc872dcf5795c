/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey bench bridge: Tables 1 and 2 of du Toit, "A high-performance Brownian bridge for GPUs", NAG (2011),
 * for the chosen device, and tables of what those leave out.
 */
#include "bench_bridge.h"
#include <cli/options/options.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The paper's section 2.4. */
#define PAPER_PATHS UINT64_C(1439744)
#define PAPER_STEPS 64u

enum { H_WHAT, TABLES, STRATEGY, GENERATOR, ORDERS, PATHS, MEMORY, BENCH_LAST_NAMES };

static const struct option options[] = {
    HEADING("What:"),
    OPTION("--tables", "A,B,...",
           "any of strategies, paper, steps, dims, layouts, orders, fused, points; default all"),
    OPTION("--strategy", "S",
           "strategy in all tables but strategies; default auto, see 'bailey paths --help'"),
    OPTION("--generator", "G", "generator in the table fused; default philox, see 'bailey random --help'"),
    OPTION("--orders", "K", "number of random orders in the table orders; default 10"),
    OPTION("--paths", "P",
           "number of paths; default 1439744, as in the paper, or fewer where memory is short"),
    OPTION(
        "--memory", "BYTES",
        "device memory for Z, X and a copy; default a quarter of it, on a CPU half of it and at most 3 GiB"),
    BENCH_LAST_OPTIONS(BENCH_QUICK("tiny sizes"), BENCH_REPEAT("7")),
};

enum table { STRATEGIES, PAPER, STEPS, DIMS, LAYOUTS, RANDOM_ORDERS, FUSED, POINTS, TABLE_COUNT };

struct run {
    struct bridge_bench bench;
    bailey_bridge_strategy strategy;
    uint64_t orders;
    struct bench_row *ordered; /* of orders that were measured */
    size_t measured;
};

static void name_case(struct bridge_case *c, const char *what, const char *more)
{
    snprintf(c->name, sizeof c->name, "bridge/%s/%s%s", what, option_precision(c->precision), more);
}

/* Row `i` of each table, from 0: of the paper's problem, which `c` is. False beyond the last. */

/* A copy by the processor's threads, a copy, a copy of the shape, and every strategy: auto, the first, last.
 */
static int make_strategies(struct bridge_case *c, int i, const struct run *run)
{
    const char *const *strategies = option_words("bridge_params", "strategy");
    int last = 0;
    char what[40];
    while (strategies[last]) last++;
    c->strategy = BAILEY_BRIDGE_STRATEGY_AUTO;
    if (i < 2) {
        c->subject = i ? BRIDGE_COPY : BRIDGE_PLAIN_COPY;
        snprintf(c->name, sizeof c->name, "%s",
                 i                 ? "bridge/copy"
                 : run->bench.host ? "bridge/plain-copy"
                                   : "");
        return 1;
    }
    if (i == 2) {
        c->subject = BRIDGE_TRANSFER;
        c->strategy = BAILEY_BRIDGE_STRATEGY_SPECIALISED;
        name_case(c, "transfer", "");
        return 1;
    }
    if (i - 2 < last) c->strategy = (bailey_bridge_strategy)(i - 2);
    c->borrow_shape = 1;
    snprintf(what, sizeof what, "strategy/%s", strategies[c->strategy]);
    name_case(c, what, "");
    return i - 2 <= last;
}

static int make_paper(struct bridge_case *c, int i, const struct run *run)
{
    (void)run;
    c->times = i / 4 ? 8 : 1;
    c->output = i / 2 % 2 ? BAILEY_BRIDGE_OUTPUT_INCREMENTS : BAILEY_BRIDGE_OUTPUT_PATHS;
    c->precision = i % 2 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
    name_case(c, i / 2 % 2 ? "increments" : "paths", i / 4 ? "/x8" : "");
    return i < 8;
}

static int make_steps(struct bridge_case *c, int i, const struct run *run)
{
    char what[40];
    (void)run;
    c->steps = UINT64_C(16) << 2 * (i % 5);
    c->precision = i / 5 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
    snprintf(what, sizeof what, "steps/%u", (unsigned)c->steps);
    name_case(c, what, "");
    return i < 10;
}

static int make_dims(struct bridge_case *c, int i, const struct run *run)
{
    static const uint32_t dims[] = {1, 2, 5, 16};
    char what[40];
    (void)run;
    c->dims = dims[i % 4];
    c->correlated = 1;
    c->precision = i / 4 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
    snprintf(what, sizeof what, "dims/%u", (unsigned)c->dims);
    name_case(c, what, "");
    return i < 8;
}

static int make_layouts(struct bridge_case *c, int i, const struct run *run)
{
    (void)run;
    c->layout = i % 2 ? BAILEY_LAYOUT_PATH_MAJOR : BAILEY_LAYOUT_STEP_MAJOR;
    c->precision = i / 2 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
    name_case(c, i % 2 ? "layout/path" : "layout/step", "");
    return i < 4;
}

static int make_order(struct bridge_case *c, int i, const struct run *run)
{
    char what[40];
    c->order = (uint64_t)i + 1;
    snprintf(what, sizeof what, "orders/%d", i + 1);
    name_case(c, what, "");
    return (uint64_t)i < run->orders;
}

/* There are no native functions in double precision. A name says the generator unless it is the usual one. */
static int make_fused(struct bridge_case *c, int i, const struct run *run)
{
    const char *generator = run->bench.generator ? bailey_generator_name(run->bench.generator) : "";
    char what[48];
    c->subject = BRIDGE_SIMULATE;
    c->source.generator = run->bench.generator;
    c->method = i % 2 ? BAILEY_NORMAL_METHOD_BOX_MULLER : BAILEY_NORMAL_METHOD_ICDF;
    c->numerics = i / 2 == 1 ? BAILEY_NUMERICS_FAST : BAILEY_NUMERICS_EXACT;
    c->precision = i / 2 == 2 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
    snprintf(what, sizeof what, "fused/%s%s%s/%s", generator, *generator ? "/" : "",
             option_word_of("normal_params", "method", c->method),
             option_word_of("normal_params", "numerics", c->numerics));
    name_case(c, what, "");
    return i < 6;
}

/* Sobol's points, of words of either width. */
static int make_points(struct bridge_case *c, int i, const struct run *run)
{
    static const bailey_scramble scrambles[] = {BAILEY_SCRAMBLE_LMS, BAILEY_SCRAMBLE_OWEN};
    char what[48];
    (void)run;
    c->subject = BRIDGE_SIMULATE;
    c->source.generator = BAILEY_GENERATOR_SOBOL;
    c->source.scramble = scrambles[i % 2];
    c->source.word_bits = i / 2 % 2 ? 64 : 32;
    c->precision = i / 4 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
    snprintf(what, sizeof what, "points/u%u/%s", (unsigned)c->source.word_bits, i % 2 ? "owen" : "lms");
    name_case(c, what, "");
    return i < 8;
}

static struct bridge_case paper_problem(const struct run *run)
{
    return (struct bridge_case){.steps = PAPER_STEPS, .dims = 1, .times = 1, .strategy = run->strategy};
}

/* For the tables, in their order. */
static int (*const makers[TABLE_COUNT])(struct bridge_case *c, int i, const struct run *run) = {
    make_strategies, make_paper, make_steps, make_dims, make_layouts, make_order, make_fused, make_points};

static int name_row(const struct bench *bench, size_t index, char *name)
{
    const struct run *run = (const struct run *)bench;
    struct bridge_case c = paper_problem(run);
    const int is_one = makers[bench->table](&c, (int)index, run);
    snprintf(name, BENCH_NAME, "%s", c.name);
    return is_one;
}

static void measure(struct bench *bench, size_t index, struct bench_row *row)
{
    struct run *run = (struct run *)bench;
    struct bridge_case c = paper_problem(run);
    makers[bench->table](&c, (int)index, run);
    bridge_case_run(&run->bench, &c, row);
}

static int by_ratio(const void *a, const void *b)
{
    const double x = ((const struct bench_row *)a)->ratio, y = ((const struct bench_row *)b)->ratio;
    return (x > y) - (x < y);
}

/* For all orders the worst, the median and the best, after the last; an order that went wrong has a row at
 * once. */
static void put_orders(struct run *run)
{
    static const char *const ranks[] = {"worst", "median", "best"};
    qsort(run->ordered, run->measured, sizeof *run->ordered, by_ratio);
    for (size_t i = 0; i < 3 && run->measured; i++) {
        struct bench_row row = run->ordered[i * (run->measured - 1) / 2]; /* may be of two ranks */
        snprintf(row.name, sizeof row.name, "bridge/orders/%s/f32", ranks[i]);
        bench_fact_number(&row, "orders", (double)run->measured);
        bench_row(&run->bench.base, &row);
    }
}

static void measure_order(struct bench *bench, size_t index, struct bench_row *row)
{
    struct run *run = (struct run *)bench;
    measure(bench, index, row);
    bench_fact_number(row, "order", (double)(index + 1));
    if (row->state == BENCH_MEASURED)
        run->ordered[run->measured++] = *row;
    else
        bench_row(bench, row);
    *row->name = 0;
    if (index + 1 == run->orders) put_orders(run);
}

static uint64_t default_budget(const bailey_device *device)
{
    const uint64_t most = UINT64_C(3) << 30, all = device->memory_bytes ? device->memory_bytes : 4 * most;
    if (device->kind != BAILEY_DEVICE_KIND_CPU) return all / 4;
    return all / 2 < most ? all / 2 : most;
}

static void begin_fused(struct bench *bench)
{
    const bailey_source source = {.generator = ((struct run *)bench)->bench.generator};
    char text[160], rounds[24] = "";
    bailey_source_kind kind = BAILEY_SOURCE_KIND_COUNTER;
    bailey_source_check(&source, &kind);
    if (bench_rounds(source.generator))
        snprintf(rounds, sizeof rounds, " (%d rounds)", bench_rounds(source.generator));
    snprintf(text, sizeof text, "Fused: normals of %s%s drawn %s, X out only, 64 steps",
             bailey_generator_name(source.generator), rounds,
             kind == BAILEY_SOURCE_KIND_COUNTER ? "in the kernel" : "in pieces through memory");
    bench_heading(bench, text);
}

#define TABLE(name, heading, measure, begin)                                                                 \
    {                                                                                                        \
        name, heading, BENCH_BRIDGES, name_row, measure, begin                                               \
    }
static const struct bench_table tables[TABLE_COUNT] = {
    TABLE("strategies",
          "Strategies on the paper's problem (its Table 1): 64 steps, bisection, f32, Z in and X out",
          measure, NULL),
    TABLE("paper", "Paths and increments (its Table 2): 64 steps, bisection, and 8 times as many paths",
          measure, NULL),
    TABLE("steps", "Number of steps", measure, NULL),
    TABLE("dims", "Dimensions, correlated, 64 steps", measure, NULL),
    TABLE("layouts", "Layouts: [step][dim][path] and [path][step][dim], 64 steps", measure, NULL),
    TABLE("orders", "Random orders of construction, 64 steps", measure_order, NULL),
    TABLE("fused", NULL, measure, begin_fused),
    TABLE("points", "Fused: normals of Sobol's points drawn in the kernel, X out only, 64 steps", measure,
          NULL),
};

static int read_options(const struct arguments *a, struct run *run)
{
    struct bridge_bench *bench = &run->bench;
    int strategy = BAILEY_BRIDGE_STRATEGY_AUTO, generator = BAILEY_GENERATOR_PHILOX, code;
    if ((code = bench_tables(&bench->base, a, TABLES, tables, TABLE_COUNT)) ||
        (code = option_choice(a, STRATEGY, option_words("bridge_params", "strategy"), &strategy)) ||
        (code = option_choice(a, GENERATOR, option_words("source", "generator"), &generator)) ||
        (code = option_u64(a, ORDERS, 1, 100000, &run->orders)) ||
        (code = option_u64(a, PATHS, 1, BAILEY_BRIDGE_MAX_PATHS, &bench->paths)) ||
        (code = option_u64(a, MEMORY, 1, UINT64_C(1) << 50, &bench->budget)) ||
        (code = bench_open(&bench->base, a, QUICK, 7)))
        return code;
    const int quick = bench->base.quick;
    run->strategy = (bailey_bridge_strategy)strategy;
    bench->generator = (bailey_generator)generator;
    if (!run->orders) run->orders = quick ? 2 : 10;
    if (!bench->paths) bench->paths = quick ? 1003 : PAPER_PATHS;
    if (!bench->budget) bench->budget = quick ? UINT64_C(32) << 20 : default_budget(&bench->base.device);
    run->ordered = malloc(run->orders * sizeof *run->ordered);
    if (!run->ordered) return cli_memory_error("the rows", run->orders * sizeof *run->ordered);
    return bridge_bench_create(bench);
}

static int run(const struct arguments *a)
{
    struct run run = {.bench.base.report.count_name = "paths"};
    int code = read_options(a, &run);
    if (!code) code = bench_run(&run.bench.base);
    bridge_bench_destroy(&run.bench);
    bench_close(&run.bench.base);
    free(run.ordered);
    return code;
}

/* clang-format off */ /* a line of help is a line here */
const struct command command_bench_bridge = {
    .name = "bench bridge",
    .summary = "measure Brownian bridges against copies of the same bytes",
    .usage = "[--tables A,B,...] [options]",
    .about =
        "Times the construction of Brownian bridges on a device with every strategy, and compares each with\n"
        "a copy of the same bytes; batches of the two alternate. The tables follow du Toit, \"A high-performance\n"
        "Brownian bridge for GPUs\", NAG 2011, whose problem has 1,439,744 paths of 64 steps. GB/s count only\n"
        "reading Z and writing X. Results are checked; exit code 1 if a row is wrong.",
    .examples =
        "  bailey bench bridge --device cuda\n"
        "  bailey bench bridge --tables strategies,paper --device cpu --threads 2\n"
        "  bailey bench bridge --tables fused --generator philox7\n"
        "  bailey bench bridge --orders 100 --json > bridge.json\n"
        "\n"
        "Columns:\n"
        "  VALUE, MS: the median batch, and the time of one call in it.\n"
        "  RATIO, OF: VALUE divided by that of the reference in the same run. device copy:\n"
        "  bailey_buffer_copy; plain copy, on CPU devices: a loop of ordinary stores on as many threads;\n"
        "  device fill, for rows that only write: bailey_buffer_fill.\n"
        "  SHAPE: ratio to a pure copy with the same loads, stores and launch, without arithmetic.\n"
        "  REGS, OCCUP, SPILL: registers per item, occupancy, and bytes of local memory per item, where\n"
        "  the platform reports them.\n"
        "  The row of a strategy that the device does not support gives the reason.\n",
.options = options,
    .run = run,
};
/* clang-format on */
