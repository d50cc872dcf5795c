/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey bench variates: Poisson and gamma numbers into memory, against a fill of the same bytes and against
 * peers in the same run.
 */
#include "bench_random.h"

#include <stdio.h>
#include <string.h>

enum { H_WHAT, LAWS, GENERATORS, COUNT, BENCH_LAST_NAMES };

static const struct option options[] = {
    HEADING("What:"),
    OPTION("--laws", "A,B,...",
           "poisson-3, poisson-30, poisson-3000 (means), gamma-0.5, gamma-2.5, gamma-100 (shapes); default "
           "all"),
    OPTION("--generators", "A,B,...", "or all; default philox,warp; 'bailey random --help' lists them"),
    OPTION("--count", "N",
           "numbers per call; default 2^28, on a CPU 2^25, or what an eighth of the memory holds"),
    RANDOM_LAST_OPTIONS};

#define UNIT "G numbers/s"
#define POISSON(m)                                                                                           \
    {                                                                                                        \
        .distribution = BAILEY_DISTRIBUTION_POISSON, .mean = (m), .integers = 1                              \
    }
#define GAMMA(a)                                                                                             \
    {                                                                                                        \
        .distribution = BAILEY_DISTRIBUTION_GAMMA, .shape = (a)                                              \
    }
static const bailey_variate_params laws[] = {POISSON(3), POISSON(30), POISSON(3000),
                                             GAMMA(0.5), GAMMA(2.5),  GAMMA(100)};
enum { LAW_COUNT = sizeof laws / sizeof *laws };
#define KIND(name, mean_)                                                                                    \
    {                                                                                                        \
        UNIT, " " name, "law", name, .element = 4, .mean = (mean_)                                           \
    }
static const struct random_kind kinds[LAW_COUNT] = {
    KIND("poisson-3", 3), KIND("poisson-30", 30), KIND("poisson-3000", 3000),
    KIND("gamma-0.5", 0), KIND("gamma-2.5", 0),   KIND("gamma-100", 0),
};

struct run {
    struct random_bench bench;
    double speed[LAW_COUNT][RANDOM_GENERATORS], ratio[LAW_COUNT][RANDOM_GENERATORS]; /* 0: not measured */
    struct random_rival rivals[LAW_COUNT][BENCH_PEER_COUNT];
    struct {
        const struct random_rival *rival; /* of the best of ours; NULL: none */
        double ratio, reference;
    } against[LAW_COUNT];
};

static struct random_job job_of(struct run *run, int generator, int law)
{
    struct random_job job = {.bench = &run->bench};
    job.draw.source.generator = (bailey_generator)generator;
    job.draw.source.seed = 1;
    job.draw.points.form = BAILEY_POINTS_FORM_NORMALS; /* as of all distributions */
    job.draw.variate = laws[law];
    job.draw.distributed = 1;
    return job;
}

static void name_of(int generator, int law, char *name)
{
    snprintf(name, BENCH_NAME, "variates/%s/%s", bailey_generator_name((bailey_generator)generator),
             kinds[law].fact_text);
}

/* The fastest of ours; -1: none has been measured. */
static int best_of(const struct run *run, int law)
{
    int best = -1;
    for (int g = 0; g < RANDOM_GENERATORS; g++)
        if (run->speed[law][g] > 0 && (best < 0 || run->speed[law][g] > run->speed[law][best])) best = g;
    return best;
}

/* ---- Cases: bailey's generators, settings of peers, the best of ours against the best of those ---- */

static int name_case(const struct bench *bench, size_t index, char *name)
{
    const struct run *run = (const struct run *)bench;
    const int law = (int)bench->table;
    const struct bench_case wanted = random_case(&run->bench, &kinds[law]);
    *name = 0;
    if (index < RANDOM_GENERATORS) {
        if (run->bench.generators[index]) name_of((int)index, law, name);
        return 1;
    }
    index -= RANDOM_GENERATORS;
    if (kinds[law].mean == 0) return 0;
    if (random_peer_name(&wanted, &kinds[law], index, name)) return 1;
    if (index > bench_peer_settings(&wanted)) return 0;
    if (best_of(run, law) >= 0) name_of(best_of(run, law), law, name);
    return 1;
}

static void measure(struct bench *bench, size_t index, struct bench_row *row)
{
    struct run *run = (struct run *)bench;
    const int law = (int)bench->table;
    const struct bench_case wanted = random_case(&run->bench, &kinds[law]);
    const size_t peers = bench_peer_settings(&wanted);
    if (index < RANDOM_GENERATORS) {
        struct random_job job = job_of(run, (int)index, law);
        const struct random_maker maker = random_drawing(&job, UNIT);
        if (random_bench_measure(&run->bench, &maker, row)) {
            run->speed[law][index] = row->value;
            run->ratio[law][index] = row->ratio;
        }
        bench_fact_text(row, "generator", bailey_generator_name((bailey_generator)index));
        bench_fact_text(row, "law", kinds[law].fact_text);
    } else if (index < RANDOM_GENERATORS + peers) {
        random_peer_measure(&run->bench, &wanted, &kinds[law], index - RANDOM_GENERATORS, run->rivals[law],
                            row);
    } else {
        struct random_job job = job_of(run, best_of(run, law), law);
        run->against[law].rival =
            random_compare(&run->bench, &wanted, &kinds[law], run->rivals[law], &job, row);
        run->against[law].ratio = row->ratio;
        run->against[law].reference = row->reference;
    }
}

#define TABLE(name, title, subject)                                                                          \
    {                                                                                                        \
        name, title " into memory", subject, name_case, measure, NULL                                        \
    }
static const struct bench_table tables[LAW_COUNT] = {
    TABLE("poisson-3", "Poisson numbers, mean 3,", BENCH_COUNTS),
    TABLE("poisson-30", "Poisson numbers, mean 30,", BENCH_COUNTS),
    TABLE("poisson-3000", "Poisson numbers, mean 3000,", BENCH_COUNTS),
    TABLE("gamma-0.5", "Gamma numbers, shape 0.5,", BENCH_COUNTS),
    TABLE("gamma-2.5", "Gamma numbers, shape 2.5,", BENCH_COUNTS),
    TABLE("gamma-100", "Gamma numbers, shape 100,", BENCH_COUNTS),
};

/* ---- Summary ---- */

static void print_summary(const struct bench *bench)
{
    const struct run *run = (const struct run *)bench;
    putchar('\n');
    for (int law = 0; law < LAW_COUNT; law++) {
        const int best = best_of(run, law);
        if (best < 0) continue;
        printf("%s: %s, %.3f " UNIT ", %.3f of a fill", kinds[law].fact_text,
               bailey_generator_name((bailey_generator)best), run->speed[law][best], run->ratio[law][best]);
        if (run->against[law].rival)
            printf(", %.3f of %s (%.3f)", run->against[law].ratio, run->against[law].rival->name,
                   run->against[law].reference);
        putchar('\n');
    }
}

static int run(const struct arguments *a)
{
    static const struct random_options asked = {.generators = GENERATORS,
                                                .count = COUNT,
                                                .quick = QUICK,
                                                .multiple = 1,
                                                .unit = UNIT,
                                                .generator = "philox,warp"};
    static struct run all;
    int code;
    memset(&all, 0, sizeof all);
    if ((code = bench_tables(&all.bench.base, a, LAWS, tables, LAW_COUNT))) return code;
    all.bench.base.summary = print_summary;
    code = random_bench_open(&all.bench, a, &asked, sizeof(uint32_t));
    if (!code) code = bench_run(&all.bench.base);
    random_bench_close(&all.bench);
    return code;
}

/* clang-format off */ /* a line of help is a line here */
const struct command command_bench_variates = {
    .name = "bench variates",
    .summary = "measure Poisson and gamma numbers against a fill of the same bytes and cuRAND",
    .usage = "[--laws A,B,...] [--generators A,B,...|all] [options]",
    .about =
        "Times Poisson numbers (32-bit integers) and gamma numbers (single precision), by inversion, as they\n"
        "fill memory; batches alternate with a fill of the same bytes. On a CUDA device it also times\n"
        "curandGeneratePoisson, if the library is there, with every generator in each of its orderings.\n"
        "Results are compared with those of the cpu backend; exit code 1 if a row is wrong.",
    .examples =
        "  bailey bench variates --device cuda\n"
        "  bailey bench variates --laws poisson-3 --json > poisson.json\n"
        RANDOM_COLUMNS_HELP
        "Rows variates/.../curand: the fastest of cuRAND.\n",
    .options = options,
    .run = run,
};
/* clang-format on */
