/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey bench random: every generator into memory, against a fill of the same bytes and against peers in the
 * same run.
 */
#include "bench_random.h"

#include <stdio.h>
#include <string.h>

enum { H_WHAT, GENERATORS, FORMS, COUNT, BENCH_LAST_NAMES };

static const struct option options[] = {
    HEADING("What:"), OPTION("--generators", "A,B,...", "default all; 'bailey random --help' lists them"),
    OPTION("--forms", "A,B", "u32 (words), u01 (uniform numbers, f32); default both"),
    OPTION("--count", "N",
           "numbers per call; default 2^28, on a CPU 2^25, or what an eighth of the memory holds"),
    RANDOM_LAST_OPTIONS};

enum { FORM_COUNT = 2 };
static const struct random_kind kinds[] = {
    {"G words/s", "", "form", "u32", .element = 4},
    {"G numbers/s", " u01", "form", "u01", .element = 4},
};
/* warp and philox, the generators used most, alternate with the best peer on the device. */
static const bailey_generator ours[] = {BAILEY_GENERATOR_WARP, BAILEY_GENERATOR_PHILOX};

struct run {
    struct random_bench bench;
    double speed[FORM_COUNT][RANDOM_GENERATORS]; /* 0: not measured */
    double ratio[FORM_COUNT][RANDOM_GENERATORS]; /* to a fill */
    struct random_rival rivals[FORM_COUNT][BENCH_PEER_COUNT];
    struct {
        const struct random_rival *rival;
        double ratio, reference;
    } against[FORM_COUNT][2];              /* of each of `ours`; rival NULL: none */
    struct bench_row mersenne[FORM_COUNT]; /* the others have their ratio to it in their rows */
};

static struct random_job job_of(struct run *run, int generator, int form)
{
    struct random_job job = {.bench = &run->bench};
    job.draw.source.generator = (bailey_generator)generator;
    job.draw.source.seed = 1;
    job.draw.points.form = form ? BAILEY_POINTS_FORM_UNIFORMS : BAILEY_POINTS_FORM_WORDS;
    return job;
}

static void name_of(bailey_generator generator, int form, char *name)
{
    snprintf(name, BENCH_NAME, "random/%s/%s", bailey_generator_name(generator), kinds[form].fact_text);
}

/* ---- bailey's generators ---- */

static void measure_generator(struct run *run, int generator, int form, struct bench_row *row)
{
    struct random_job job = job_of(run, generator, form);
    const struct random_maker maker = random_drawing(&job, kinds[form].unit);
    const char *verdict = bailey_generator_verdict((bailey_generator)generator);
    name_of((bailey_generator)generator, form, row->name);
    if (random_bench_measure(&run->bench, &maker, row)) {
        run->speed[form][generator] = row->value;
        run->ratio[form][generator] = row->ratio;
    }
    bench_fact_text(row, "generator", bailey_generator_name((bailey_generator)generator));
    bench_fact_text(row, "form", kinds[form].fact_text);
    bench_fact_text(row, "period", bailey_generator_period((bailey_generator)generator));
    bench_fact_text(row, "verdict", verdict);
    snprintf(row->note, sizeof row->note, "%s", verdict);
}

static void run_generator(struct run *run, int form, int generator, struct bench_row *row)
{
    const int reference = BAILEY_GENERATOR_MT19937;
    struct bench_row *mersenne = &run->mersenne[form];
    if (run->bench.generators[reference] && !*mersenne->name)
        measure_generator(run, reference, form, mersenne);
    if (generator == reference)
        *row = *mersenne;
    else
        measure_generator(run, generator, form, row);
    if (run->speed[form][generator] > 0 && run->speed[form][reference] > 0)
        bench_fact_number(row, "mt19937_ratio", run->speed[form][generator] / run->speed[form][reference]);
}

/* ---- Cases: bailey's generators, settings of peers, ours against the best of those ---- */

static int name_case(const struct bench *bench, size_t index, char *name)
{
    const struct run *run = (const struct run *)bench;
    const int form = (int)bench->table;
    const struct bench_case wanted = random_case(&run->bench, &kinds[form]);
    const size_t rival = index - RANDOM_GENERATORS - bench_peer_settings(&wanted);
    *name = 0;
    if (index < RANDOM_GENERATORS && run->bench.generators[index])
        name_of((bailey_generator)index, form, name);
    if (index < RANDOM_GENERATORS) return 1;
    if (random_peer_name(&wanted, &kinds[form], index - RANDOM_GENERATORS, name)) return 1;
    if (rival < 2 && run->bench.generators[ours[rival]]) name_of(ours[rival], form, name);
    return rival < 2;
}

static void measure(struct bench *bench, size_t index, struct bench_row *row)
{
    struct run *run = (struct run *)bench;
    const int form = (int)bench->table;
    const struct bench_case wanted = random_case(&run->bench, &kinds[form]);
    const size_t peers = bench_peer_settings(&wanted), rival = index - RANDOM_GENERATORS - peers;
    if (index < RANDOM_GENERATORS) {
        run_generator(run, form, (int)index, row);
    } else if (index < RANDOM_GENERATORS + peers) {
        random_peer_measure(&run->bench, &wanted, &kinds[form], index - RANDOM_GENERATORS, run->rivals[form],
                            row);
    } else {
        struct random_job job = job_of(run, (int)ours[rival], form);
        if (run->speed[form][ours[rival]] <= 0) *row->name = 0;
        run->against[form][rival].rival =
            random_compare(&run->bench, &wanted, &kinds[form], run->rivals[form], &job, row);
        run->against[form][rival].ratio = row->ratio;
        run->against[form][rival].reference = row->reference;
    }
}

static const struct bench_table tables[FORM_COUNT] = {
    {"u32", "Words (32 bits) into memory", BENCH_WORDS, name_case, measure, NULL},
    {"u01", "Uniform numbers (single precision) into memory", BENCH_UNIFORMS, name_case, measure, NULL},
};

/* ---- Summary ---- */

/* The table of Thomas's slides, "Comparison with other RNGs": for people, as the JSON has its parts. */
static void print_table(const struct run *run)
{
    const double mersenne = run->speed[0][BAILEY_GENERATOR_MT19937];
    if (!run->bench.base.wanted[0]) return;
    printf("\nGenerators\n%-18s %-14s %-8s %11s %12s\n", "NAME", "PERIOD", "VERDICT", "G WORDS/S",
           "OF MT19937");
    for (int g = 0; g < RANDOM_GENERATORS; g++) {
        const double speed = run->speed[0][g];
        char ratio[24] = "-";
        if (speed <= 0) continue;
        if (mersenne > 0) snprintf(ratio, sizeof ratio, "%.3f", speed / mersenne);
        printf("%-18s %-14s %-8s %11.3f %12s\n", bailey_generator_name((bailey_generator)g),
               bailey_generator_period((bailey_generator)g), bailey_generator_verdict((bailey_generator)g),
               speed, ratio);
    }
}

static void print_summary(const struct bench *bench)
{
    const struct run *run = (const struct run *)bench;
    print_table(run);
    putchar('\n');
    for (int form = 0; form < FORM_COUNT; form++) {
        for (int i = 0; i < 2; i++) {
            const bailey_generator g = ours[i];
            if (run->speed[form][g] <= 0) continue;
            printf("%s %s: %.1f %s, %.3f of a fill", bailey_generator_name((bailey_generator)g),
                   kinds[form].fact_text, run->speed[form][g], kinds[form].unit, run->ratio[form][g]);
            if (run->against[form][i].rival)
                printf(", %.3f of %s (%.1f %s)", run->against[form][i].ratio,
                       run->against[form][i].rival->name, run->against[form][i].reference, kinds[form].unit);
            putchar('\n');
        }
    }
}

static int run(const struct arguments *a)
{
    static const struct random_options asked = {
        .generators = GENERATORS, .count = COUNT, .quick = QUICK, .multiple = 1, .unit = "G numbers/s"};
    static struct run all;
    int code;
    memset(&all, 0, sizeof all);
    if ((code = bench_tables(&all.bench.base, a, FORMS, tables, FORM_COUNT))) return code;
    all.bench.base.summary = print_summary;
    code = random_bench_open(&all.bench, a, &asked, sizeof(uint32_t));
    if (!code) code = bench_run(&all.bench.base);
    random_bench_close(&all.bench);
    return code;
}

/* clang-format off */ /* a line of help is a line here */
const struct command command_bench_random = {
    .name = "bench random",
    .summary = "measure the generators against a fill of the same bytes, cuRAND, GSL",
    .usage = "[--generators A,B,...] [--forms u32,u01] [options]",
    .about =
        "Times every generator as it fills memory with words and with uniform numbers; batches alternate with\n"
        "a fill of the same bytes. On a CUDA device it also times cuRAND's generators in each of their\n"
        "orderings, if the library is there; on a CPU, a plain loop in C, memset and the GNU Scientific\n"
        "Library. Results are compared with those of the cpu backend; exit code 1 if a row is wrong.",
    .examples =
        "  bailey bench random --device cuda\n"
        "  bailey bench random --generators warp,philox,mt19937 --forms u32 --json > random.json\n"
        RANDOM_COLUMNS_HELP
        "Rows random/.../curand: the fastest of cuRAND.\n"
        "\n"
        "Other libraries:\n"
        "  cuRAND: libcurand.so.10, its host interface, seeded before the clock starts. GSL: libgsl.so.28 or\n"
        "  27, a generator per thread. plain philox, memset: on as many threads as the device has.\n",
    .options = options,
    .run = run,
};
/* clang-format on */
