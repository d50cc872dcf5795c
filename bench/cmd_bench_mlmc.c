/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey bench mlmc: multilevel Monte Carlo to an error, against one launch of the same kernel, standard
 * Monte Carlo, plain C and R.
 */
#include "bench_mlmc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { H_WHAT, TABLES, ONLY, EPS, STEPS, PRICE, BENCH_LAST_NAMES };

static const struct option options[] = {
    HEADING("What:"),
    OPTION("--tables", "A,B,...", "any of run, rate, peers, cost; default all"),
    OPTION("--only", "TEXT", "only rows whose names contain TEXT"),
    OPTION("--eps", "E,F,...",
           "target errors; default 0.001,0.002,0.005,0.01,0.02 (peers and cost: two of them)"),
    OPTION("--steps", "S", "steps of a large launch; default 2^34, on a CPU 2^26"),
    OPTION("--price-per-hour", "X",
           "price of the device; the table cost then includes the price of a result"),
    BENCH_LAST_OPTIONS(BENCH_QUICK("large errors"), BENCH_REPEAT("7")),
};

#define TABLE(table, heading)                                                                                \
    {                                                                                                        \
#table, heading, BENCH_LEVELS, mlmc_##table##_name, mlmc_##table##_measure, NULL                     \
    }
static const struct bench_table tables[] = {
    TABLE(run, "Runs to an error of eps, the programs loaded; a step is one of a fine path"),
    TABLE(rate, "One launch of samples of one level, and of all in the proportions of a run"),
    TABLE(peers, "Others at the same error; RATIO: our time to theirs"),
    TABLE(cost, "Results per second, and the energy and the price of one"),
};
#undef TABLE
#define TABLE_COUNT (sizeof tables / sizeof *tables)

static int read_eps(const struct arguments *a, struct mlmc_bench *bench)
{
    const int code = option_list_f64(a, EPS, bench->eps, MLMC_MAX_EPS, &bench->eps_count);
    for (uint64_t i = 0; i < bench->eps_count && !code; i++)
        if (!(bench->eps[i] >= 1e-6 && bench->eps[i] <= 10))
            return cli_error(CLI_USAGE, "--eps: %g is outside its limits, 1e-6 to 10", bench->eps[i]);
    return code;
}

static int read_options(const struct arguments *a, struct mlmc_bench *bench)
{
    int code;
    bench->price_per_hour = NAN;
    bench->base.report = (struct bench_report){.count_name = "steps", .note_name = "PRICE", .unit_width = 9};
    if ((code = bench_tables(&bench->base, a, TABLES, tables, TABLE_COUNT)) || (code = read_eps(a, bench)) ||
        (code = option_u64(a, STEPS, 1, UINT64_C(1) << 40, &bench->steps)) ||
        (code = option_f64(a, PRICE, &bench->price_per_hour)))
        return code;
    if (a->value[PRICE] && !(bench->price_per_hour >= 0))
        return cli_error(CLI_USAGE, "--price-per-hour: %s is not a price", a->value[PRICE]);
    if ((code = bench_open(&bench->base, a, QUICK, 7))) return code;
    const int quick = bench->base.quick, cpu = bench->base.device.kind == BAILEY_DEVICE_KIND_CPU;
    if (quick && !bench->eps_count) {
        bench->eps_count = 1;
        bench->eps[0] = 0.5;
    }
    if (!bench->steps) bench->steps = UINT64_C(1) << (quick ? 12 : cpu ? 26 : 34);
    bench->energy_seconds = quick ? 0 : 1;
    return CLI_OK;
}

static int run(const struct arguments *a)
{
    static struct mlmc_bench bench;
    memset(&bench, 0, sizeof bench);
    int code = read_options(a, &bench);
    if (code) return code;
    code = mlmc_bench_create(&bench);
    bench.base.only = a->value[ONLY];
    if (!code) code = bench_run(&bench.base);
    mlmc_bench_destroy(&bench);
    bench_close(&bench.base);
    return code;
}

/* clang-format off */ /* a line of help is a line here */
const struct command command_bench_mlmc = {
    .name = "bench mlmc",
    .summary = "measure multilevel Monte Carlo against one launch, standard Monte Carlo, plain C and R",
    .usage = "[--tables A,B,...] [--only TEXT] [--eps E,F,...] [options]",
    .about =
        "Times runs of the built-in estimators to a target root-mean-square error; compiling is not timed.\n"
        "Prices are compared with the exact ones; exit code 1 if a row is wrong. A step is a step of a fine\n"
        "path: a sample on level l costs 2^l steps.\n"
        "\n"
        "The table peers compares with bailey's standard Monte Carlo (long times are extrapolated), with\n"
        "multilevel Monte Carlo in plain C on the CPU, and with the R package mlmc, if Rscript\n"
        "(or the program that BAILEY_RSCRIPT names) has it. The table cost reports energy where the platform\n"
        "does: NVIDIA GPUs and, if their counters may be read, CPUs.",
    .examples =
        "  bailey bench mlmc --device cuda\n"
        "  bailey bench mlmc --tables run --only european --eps 0.001 --json\n"
        "  bailey bench mlmc --tables peers --device cpu --threads 1\n"
        "  bailey bench mlmc --tables cost --price-per-hour 3.5\n"
        "\n"
        "Columns:\n"
        "  VALUE, MS: the median batch, and the time of one call in it; for standard Monte Carlo, of all\n"
        "  samples that are needed.\n"
        "  RATIO, OF: in run and rate, VALUE divided by that of one large launch of samples in the same\n"
        "  proportions (one launch), or with those of a European call in M. Giles's talk of 2025 (large mix);\n"
        "  for constant, dyadic and sobol, the time of the exact run divided by theirs (exact run); in peers,\n"
        "  our time for the same error divided by theirs (mlmc); in cost, results per second divided by those\n"
        "  of plain C on all threads (plain f32).\n"
        "  PRICE: the estimate, and its error in units of eps; in peers, also their time as a multiple of ours;\n"
        "  in cost, the energy and the price of a result.\n",
    .options = options,
    .run = run,
};
/* clang-format on */
