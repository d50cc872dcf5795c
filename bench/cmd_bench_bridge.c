/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey bench bridge: Tables 1 and 2 of du Toit, "A high-performance Brownian bridge for GPUs", NAG (2011),
 * for the device at hand, and what those tables leave out.
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
           "of strategies, paper, steps, dims, layouts, orders, fused, points; default all"),
    OPTION("--strategy", "S", "of all tables but strategies; default auto, see 'bailey paths --help'"),
    OPTION("--generator", "G", "that the table fused draws from, default philox; see 'bailey random --help'"),
    OPTION("--orders", "K", "random orders that the table orders tries, default 10"),
    OPTION("--paths", "P", "instead of the paper's 1439744; fewer where memory is short"),
    OPTION(
        "--memory", "BYTES",
        "of the device, for Z, X and a copy; default a quarter of it, on a CPU half of it and at most 3 GiB"),
    BENCH_LAST_OPTIONS(BENCH_QUICK("tiny sizes"), BENCH_REPEAT("7")),
};

enum table { STRATEGIES, PAPER, STEPS, DIMS, LAYOUTS, RANDOM_ORDERS, FUSED, POINTS, TABLE_COUNT };
static const char *const table_names[] = {"strategies", "paper", "steps",  "dims", "layouts",
                                          "orders",     "fused", "points", NULL};
/* Of all tables except those whose kernels draw. */
static const char *const table_headings[FUSED] = {
    "Strategies on the paper's problem (its Table 1): 64 steps, bisection, f32, Z in and X out",
    "Paths and increments (its Table 2): 64 steps, bisection, and 8 times as many paths",
    "Number of steps",
    "Dimensions, correlated, 64 steps",
    "Layouts: [step][dim][path] and [path][step][dim], 64 steps",
    "Random orders of construction, 64 steps",
};

struct plan {
    struct bridge_case *cases;
    size_t count, room;
    int short_of_memory;
};

/* The paper's problem; NULL when memory is out. */
static struct bridge_case *add(struct plan *plan, bailey_bridge_strategy strategy)
{
    if (plan->count == plan->room) {
        const size_t room = plan->room ? 2 * plan->room : 32;
        struct bridge_case *cases = realloc(plan->cases, room * sizeof *cases);
        if (!cases) {
            plan->short_of_memory = 1;
            return NULL;
        }
        plan->cases = cases;
        plan->room = room;
    }
    struct bridge_case *c = &plan->cases[plan->count++];
    memset(c, 0, sizeof *c);
    c->steps = PAPER_STEPS;
    c->dims = 1;
    c->times = 1;
    c->strategy = strategy;
    return c;
}

static void name_case(struct bridge_case *c, const char *what, const char *more)
{
    snprintf(c->name, sizeof c->name, "bridge/%s/%s%s", what, option_precision(c->precision), more);
}

static void plan_strategies(struct plan *plan, const struct bridge_bench *bench)
{
    struct bridge_case *c;
    if (bench->host && (c = add(plan, BAILEY_BRIDGE_STRATEGY_AUTO))) {
        c->subject = BRIDGE_PLAIN_COPY;
        snprintf(c->name, sizeof c->name, "bridge/plain-copy");
    }
    if ((c = add(plan, BAILEY_BRIDGE_STRATEGY_AUTO))) {
        c->subject = BRIDGE_COPY;
        snprintf(c->name, sizeof c->name, "bridge/copy");
    }
    if ((c = add(plan, BAILEY_BRIDGE_STRATEGY_SPECIALISED))) {
        c->subject = BRIDGE_TRANSFER;
        name_case(c, "transfer", "");
    }
    const char *const *strategies = option_words("bridge_params", "strategy");
    for (int i = 1; strategies[i - 1]; i++) {
        /* auto, the first, comes last */
        const int strategy = strategies[i] ? i : BAILEY_BRIDGE_STRATEGY_AUTO;
        char what[40];
        if (!(c = add(plan, (bailey_bridge_strategy)strategy))) return;
        c->borrow_shape = 1;
        snprintf(what, sizeof what, "strategy/%s", strategies[strategy]);
        name_case(c, what, "");
    }
}

/* Row `i` of each of the other tables, from 0. */

static void make_paper(struct bridge_case *c, int i, const struct bridge_bench *bench)
{
    (void)bench;
    c->times = i / 4 ? 8 : 1;
    c->output = i / 2 % 2 ? BAILEY_BRIDGE_OUTPUT_INCREMENTS : BAILEY_BRIDGE_OUTPUT_PATHS;
    c->precision = i % 2 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
    name_case(c, i / 2 % 2 ? "increments" : "paths", i / 4 ? "/x8" : "");
}

static void make_steps(struct bridge_case *c, int i, const struct bridge_bench *bench)
{
    char what[40];
    (void)bench;
    c->steps = UINT64_C(16) << 2 * (i % 5);
    c->precision = i / 5 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
    snprintf(what, sizeof what, "steps/%u", (unsigned)c->steps);
    name_case(c, what, "");
}

static void make_dims(struct bridge_case *c, int i, const struct bridge_bench *bench)
{
    static const uint32_t dims[] = {1, 2, 5, 16};
    char what[40];
    (void)bench;
    c->dims = dims[i % 4];
    c->correlated = 1;
    c->precision = i / 4 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
    snprintf(what, sizeof what, "dims/%u", (unsigned)c->dims);
    name_case(c, what, "");
}

static void make_layouts(struct bridge_case *c, int i, const struct bridge_bench *bench)
{
    (void)bench;
    c->layout = i % 2 ? BAILEY_LAYOUT_PATH_MAJOR : BAILEY_LAYOUT_STEP_MAJOR;
    c->precision = i / 2 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
    name_case(c, i % 2 ? "layout/path" : "layout/step", "");
}

static void make_order(struct bridge_case *c, int i, const struct bridge_bench *bench)
{
    char what[40];
    (void)bench;
    c->order = (uint64_t)i + 1;
    snprintf(what, sizeof what, "orders/%d", i + 1);
    name_case(c, what, "");
}

/* There are no native functions in double precision. A name says the generator unless it is the usual one. */
static void make_fused(struct bridge_case *c, int i, const struct bridge_bench *bench)
{
    const char *generator = bench->generator ? bailey_generator_name(bench->generator) : "";
    char what[48];
    c->subject = BRIDGE_SIMULATE;
    c->source.generator = bench->generator;
    c->method = i % 2 ? BAILEY_NORMAL_METHOD_BOX_MULLER : BAILEY_NORMAL_METHOD_ICDF;
    c->numerics = i / 2 == 1 ? BAILEY_NUMERICS_FAST : BAILEY_NUMERICS_EXACT;
    c->precision = i / 2 == 2 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
    snprintf(what, sizeof what, "fused/%s%s%s/%s", generator, *generator ? "/" : "",
             option_word_of("normal_params", "method", c->method),
             option_word_of("normal_params", "numerics", c->numerics));
    name_case(c, what, "");
}

/* Sobol's points, of words of either width. */
static void make_points(struct bridge_case *c, int i, const struct bridge_bench *bench)
{
    static const bailey_scramble scrambles[] = {BAILEY_SCRAMBLE_LMS, BAILEY_SCRAMBLE_OWEN};
    char what[48];
    (void)bench;
    c->subject = BRIDGE_SIMULATE;
    c->source.generator = BAILEY_GENERATOR_SOBOL;
    c->source.scramble = scrambles[i % 2];
    c->source.word_bits = i / 2 % 2 ? 64 : 32;
    c->precision = i / 4 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
    snprintf(what, sizeof what, "points/u%u/%s", (unsigned)c->source.word_bits, i % 2 ? "owen" : "lms");
    name_case(c, what, "");
}

static int plan_table(struct plan *plan, enum table table, const struct bridge_bench *bench,
                      bailey_bridge_strategy strategy, uint64_t orders)
{
    static const struct {
        void (*make)(struct bridge_case *c, int i, const struct bridge_bench *bench);
        int rows;
    } tables[TABLE_COUNT] = {
        [PAPER] = {make_paper, 8},     [STEPS] = {make_steps, 10},        [DIMS] = {make_dims, 8},
        [LAYOUTS] = {make_layouts, 4}, [RANDOM_ORDERS] = {make_order, 0}, [FUSED] = {make_fused, 6},
        [POINTS] = {make_points, 8},
    };
    const int rows = table == RANDOM_ORDERS ? (int)orders : tables[table].rows;
    plan->count = 0;
    if (table == STRATEGIES) plan_strategies(plan, bench);
    for (int i = 0; i < rows; i++) {
        struct bridge_case *c = add(plan, strategy);
        if (c) tables[table].make(c, i, bench);
    }
    return plan->short_of_memory ? cli_memory_error("the plan", plan->room * sizeof *plan->cases) : CLI_OK;
}

static void run_table(struct bridge_bench *bench, const struct plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        struct bench_row row;
        bridge_case_run(bench, &plan->cases[i], &row);
        bench_step(&bench->base);
        bench_row(&bench->base, &row);
    }
}

static int by_ratio(const void *a, const void *b)
{
    const double x = ((const struct bench_row *)a)->ratio, y = ((const struct bench_row *)b)->ratio;
    return (x > y) - (x < y);
}

/* Of all orders the worst, the median and the best; an order that went wrong has a row of its own. */
static int run_orders(struct bridge_bench *bench, const struct plan *plan)
{
    static const char *const ranks[] = {"worst", "median", "best"};
    struct bench_row *rows = malloc(plan->count * sizeof *rows);
    size_t measured = 0;
    if (!rows) return cli_memory_error("the rows", plan->count * sizeof *rows);
    for (size_t i = 0; i < plan->count; i++) {
        struct bench_row *row = &rows[measured];
        bridge_case_run(bench, &plan->cases[i], row);
        bench_step(&bench->base);
        bench_fact_number(row, "order", (double)plan->cases[i].order);
        if (row->state == BENCH_MEASURED)
            measured++;
        else
            bench_row(&bench->base, row);
    }
    qsort(rows, measured, sizeof *rows, by_ratio);
    for (size_t i = 0; i < 3 && measured; i++) {
        struct bench_row *row = &rows[i * (measured - 1) / 2];
        snprintf(row->name, sizeof row->name, "bridge/orders/%s/f32", ranks[i]);
        bench_fact_number(row, "orders", (double)measured);
        bench_row(&bench->base, row);
        row->facts--; /* a row may be of two ranks */
    }
    free(rows);
    return CLI_OK;
}

static int read_tables(const struct arguments *a, int *wanted)
{
    for (int i = 0; i < TABLE_COUNT; i++) wanted[i] = !a->value[TABLES];
    return option_list_choice(a, TABLES, table_names, wanted);
}

static uint64_t default_budget(const bailey_device *device)
{
    const uint64_t most = UINT64_C(3) << 30, all = device->memory_bytes ? device->memory_bytes : 4 * most;
    if (device->kind != BAILEY_DEVICE_KIND_CPU) return all / 4;
    return all / 2 < most ? all / 2 : most;
}

static void heading(struct bridge_bench *bench, enum table table)
{
    char text[160], rounds[24] = "";
    const bailey_source source = {.generator = bench->generator};
    bailey_source_kind kind = BAILEY_SOURCE_KIND_COUNTER;
    if (table < FUSED) {
        bench_heading(&bench->base, table_headings[table]);
        return;
    }
    if (table == POINTS) {
        bench_heading(&bench->base,
                      "Fused: normals of Sobol's points drawn in the kernel, X out only, 64 steps");
        return;
    }
    bailey_source_check(&source, &kind);
    if (bench_rounds(bench->generator))
        snprintf(rounds, sizeof rounds, " (%d rounds)", bench_rounds(bench->generator));
    snprintf(text, sizeof text, "Fused: normals of %s%s drawn %s, X out only, 64 steps",
             bailey_generator_name(bench->generator), rounds,
             kind == BAILEY_SOURCE_KIND_COUNTER ? "in the kernel" : "in pieces through memory");
    bench_heading(&bench->base, text);
}

static int run_tables(struct bridge_bench *bench, const int *wanted, bailey_bridge_strategy strategy,
                      uint64_t orders)
{
    struct plan plan = {0};
    uint64_t total = 0;
    int code = CLI_OK;
    for (int t = 0; t < TABLE_COUNT && !code; t++) {
        code = wanted[t] ? plan_table(&plan, (enum table)t, bench, strategy, orders) : CLI_OK;
        total += wanted[t] ? plan.count : 0;
    }
    if (code) {
        free(plan.cases);
        return code;
    }
    bench_begin(&bench->base, total);
    for (int t = 0; t < TABLE_COUNT && !code; t++) {
        if (!wanted[t]) continue;
        if ((code = plan_table(&plan, (enum table)t, bench, strategy, orders))) break;
        heading(bench, (enum table)t);
        if (t == RANDOM_ORDERS)
            code = run_orders(bench, &plan);
        else
            run_table(bench, &plan);
    }
    free(plan.cases);
    const int ended = bench_end(&bench->base);
    return code ? code : ended;
}

static int run(const struct arguments *a)
{
    struct bridge_bench bench = {.base.report.count_name = "paths"};
    uint64_t orders = 0;
    int wanted[TABLE_COUNT], strategy = BAILEY_BRIDGE_STRATEGY_AUTO, generator = BAILEY_GENERATOR_PHILOX,
                             code;
    if ((code = read_tables(a, wanted)) ||
        (code = option_choice(a, STRATEGY, option_words("bridge_params", "strategy"), &strategy)) ||
        (code = option_choice(a, GENERATOR, option_words("source", "generator"), &generator)) ||
        (code = option_u64(a, ORDERS, 1, 100000, &orders)) ||
        (code = option_u64(a, PATHS, 1, BAILEY_BRIDGE_MAX_PATHS, &bench.paths)) ||
        (code = option_u64(a, MEMORY, 1, UINT64_C(1) << 50, &bench.budget)) ||
        (code = bench_open(&bench.base, a, QUICK, 7)))
        return code;
    const int quick = bench.base.quick;
    bench.generator = (bailey_generator)generator;
    if (!orders) orders = quick ? 2 : 10;
    if (!bench.paths) bench.paths = quick ? 1003 : PAPER_PATHS;
    if (!bench.budget) bench.budget = quick ? UINT64_C(32) << 20 : default_budget(&bench.base.device);
    code = bridge_bench_create(&bench);
    if (!code) code = run_tables(&bench, wanted, (bailey_bridge_strategy)strategy, orders);
    bridge_bench_destroy(&bench);
    bench_close(&bench.base);
    return code;
}

/* clang-format off */ /* a line of help is a line here */
const struct command command_bench_bridge = {
    .name = "bench bridge",
    .summary = "measure Brownian bridges against copies of the same bytes",
    .usage = "[--tables A,B,...] [options]",
    .about =
        "Times the construction of Brownian bridges on a device, every strategy of it, and compares each with a\n"
        "copy of the same bytes that takes turns with it. The paper is du Toit, \"A high-performance Brownian\n"
        "bridge for GPUs\", NAG 2011: its problem has 1,439,744 paths of 64 steps, and GB/s count Z in and X out only.\n"
        "What was written is checked; exit code 1 if a row is wrong.",
    .examples =
        "  bailey bench bridge --device cuda\n"
        "  bailey bench bridge --tables strategies,paper --device cpu --threads 2\n"
        "  bailey bench bridge --tables fused --generator philox7\n"
        "  bailey bench bridge --orders 100 --json > bridge.json\n"
        "\n"
        "Columns:\n"
        "  VALUE, MS: the median batch, and the time of one call in it.\n"
        "  RATIO, OF: VALUE to that of the reference in the same run. device copy: bailey_buffer_copy; plain copy, on\n"
        "  CPU devices: a loop of ordinary stores on as many threads; device fill, of what only writes: bailey_buffer_fill.\n"
        "  SHAPE: ratio to a pure copy with the same loads, stores and launch, without arithmetic.\n"
        "  REGS, OCCUP, SPILL: registers and bytes of local memory an item, occupancy, where the platform reports it.\n"
        "  A strategy that the device cannot do has the reason in its row.\n",
    .options = options,
    .run = run,
};
/* clang-format on */
