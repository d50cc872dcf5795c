/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey bench gradient: a price with all its derivatives, against the price alone and other software.
 */
#define _XOPEN_SOURCE 700 /* mkdtemp, nftw */
#include "bench_gradient.h"

#include <cli/io/io.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { H_WHAT, TABLES, ONLY, PATHS, BENCH_LAST_NAMES };

static const struct option options[] = {
    HEADING("What:"),
    OPTION("--tables", "A,B", "any of asian, heston; default both"),
    OPTION("--only", "TEXT", "only rows whose names contain TEXT, such as f32/25000 or compile"),
    OPTION("--paths", "P", "number of paths; default 25000, and then 524288"),
    BENCH_LAST_OPTIONS(BENCH_QUICK("few paths"), BENCH_REPEAT("7")),
};

struct run {
    struct gradient_bench bench;
    uint64_t paths;   /* 0: the usual numbers */
    char folder[400]; /* the cache of programs, empty at first */
};

/* ---- Tables ---- */

static const uint64_t usual_paths[] = {25000, 524288};

/* A row: the compilation, or a number of paths. */
struct line {
    const struct gradient_deal *deal;
    bailey_precision precision;
    uint64_t paths; /* 0: compile */
};

/* Line `index` of a table; false beyond the last. */
static int line_at(const struct run *run, size_t index, struct line *line)
{
    static const struct {
        size_t first, count;
    } deals[] = {{GRADIENT_ASIAN, 3}, {GRADIENT_HESTON, 1}};
    const size_t counts = run->paths ? 1 : sizeof usual_paths / sizeof *usual_paths, each = 1 + counts;
    const size_t deal = index / (2 * each), row = index % each;
    if (deal >= deals[run->bench.base.table].count) return 0;
    line->deal = &gradient_deals[deals[run->bench.base.table].first + deal];
    line->precision = index / each % 2 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32;
    line->paths = !row ? 0 : run->paths ? run->paths : usual_paths[row - 1];
    return 1;
}

static int name_line(const struct bench *bench, size_t index, char *name)
{
    struct line line;
    char what[32] = "compile";
    if (!line_at((const struct run *)bench, index, &line)) return 0;
    if (line.paths) snprintf(what, sizeof what, "%llu/gradient", (unsigned long long)line.paths);
    snprintf(name, BENCH_NAME, "gradient/%s/%s/%s", line.deal->name, option_precision(line.precision), what);
    return 1;
}

static void measure_line(struct bench *bench, size_t index, struct bench_row *row)
{
    struct run *run = (struct run *)bench;
    struct line line = {0};
    line_at(run, index, &line);
    if (line.paths)
        gradient_run(&run->bench, line.deal, line.precision, line.paths, row);
    else
        gradient_compile_run(&run->bench, line.deal, line.precision, row);
}

static const struct bench_table tables[] = {
    {"asian", "Asian call on 3 correlated assets, 24 fixings", BENCH_GRADIENTS, name_line, measure_line,
     NULL},
    {"heston", "Call on a basket of 5 assets in Heston's model, 252 steps", BENCH_GRADIENTS, name_line,
     measure_line, NULL},
};

/* ---- The command ---- */

/* The library and PoCL find an empty cache there; NVIDIA's driver has none. */
static int make_folder(struct run *run)
{
    const char *where = getenv("TMPDIR");
    snprintf(run->folder, sizeof run->folder, "%s/bailey-bench-XXXXXX", where && *where ? where : "/tmp");
    if (!mkdtemp(run->folder)) return cli_error(CLI_FAILED, "cannot make a folder %s", run->folder);
    setenv("BAILEY_CACHE_DIR", run->folder, 1);
    setenv("POCL_CACHE_DIR", run->folder, 1);
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    return CLI_OK;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    return remove(path);
}

static int run_tables(const struct arguments *a, struct run *run)
{
    struct bench *base = &run->bench.base;
    int code = bench_open(base, a, QUICK, 7);
    if (base->quick && !run->paths) run->paths = 1003;
    base->settings.batch_seconds = base->quick ? 0 : 0.1;
    base->only = a->value[ONLY];
    if (!code && base->device.kind == BAILEY_DEVICE_KIND_CPU)
        code = bench_host_create(base->device.units, &run->bench.host);
    if (!code) code = bench_run(base);
    bench_close(base);
    bench_host_destroy(run->bench.host);
    return code;
}

static int run(const struct arguments *a)
{
    static struct run all;
    int code;
    memset(&all, 0, sizeof all);
    all.bench.base.report =
        (struct bench_report){.count_name = "paths", .note_name = "PRICE", .unit_width = 9};
    if ((code = bench_tables(&all.bench.base, a, TABLES, tables, sizeof tables / sizeof *tables)) ||
        (code = option_u64(a, PATHS, 2, BAILEY_BRIDGE_MAX_PATHS, &all.paths)) || (code = make_folder(&all)))
        return code;
    code = run_tables(a, &all);
    nftw(all.folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return code;
}

/* clang-format off */ /* a line of help is a line here */
const struct command command_bench_gradient = {
    .name = "bench gradient",
    .summary = "measure all derivatives of a price against the price alone",
    .usage = "[--tables A,B] [--only TEXT] [options]",
    .about =
        "Times a price alone, the price with all its derivatives, and JAX with the same model, in turns: an\n"
        "Asian call on 3 assets and 24 fixings by 14 parameters, with its control variate, also by 22 with\n"
        "covariance and time; and a basket of 5 assets in Heston's model in 252 steps by 82. Price and delta\n"
        "of both must agree; exit code 1 if a row is wrong. JAX is of python3, or of the program that\n"
        "BAILEY_PYTHON names: on CPUs in one process per thread, else on the first GPU.",
    .examples =
        "  bailey bench gradient --device cuda\n"
        "  bailey bench gradient --tables heston --only f32/25000 --device cuda\n"
        "  bailey bench gradient --device cpu --threads 1 --paths 25000 --json\n"
        "\n"
        "Columns:\n"
        "  VALUE, MS: paths of the median batch per second, and the time of one call in it. Rows 'compile' have\n"
        "  the seconds of the first call, with an empty cache and few paths, which compiles.\n"
        "  RATIO, OF: VALUE divided by that of 'price' or 'gradient'; of 'compile', the first call in warm ones.\n"
        "  PRICE: the price; how many prices the gradient takes; of jax, how many gradients, and how it runs:\n"
        "  the fastest of stored and rematerialised states, with Threefry or, on GPUs, XLA's own generator.\n",
    .options = options,
    .run = run,
};
/* clang-format on */
