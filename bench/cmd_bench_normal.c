/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey bench normal: every transform of words into normals, with the generators that are asked for, into
 * memory; against a fill of the same bytes and against peers in the same run.
 */
#include "bench_random.h"

#include <stdio.h>
#include <string.h>

enum { H_WHAT, GENERATORS, METHODS, NUMERICS, PRECISIONS, WORD_BITS, COUNT, BENCH_LAST_NAMES };

static const struct option options[] = {
    HEADING("What:"),
    OPTION(
        "--generators", "A,B,...",
        "or all; default philox,warp; 'bailey random --help' lists them; hybrid-taus-gems is the generator "
        "of GPU Gems 3"),
    OPTION("--methods", "A,B,...", "transforms, as in 'bailey random --normal'; default all"),
    OPTION("--numerics", "A,B", "exact, fast; default both"),
    OPTION("--precisions", "A,B", "f32, f64; default both"),
    FIELD(normal_params, word_bits, "--word-bits", .before = "--bits",
          .help = "bits of the word behind each number"),
    OPTION("--count", "N",
           "normals per call, an even number; default 2^28, on a CPU 2^25, or what an eighth of the memory "
           "holds"),
    RANDOM_LAST_OPTIONS};

enum { METHODS_MAX = 8, NUMERICS_COUNT = 2, PRECISION_COUNT = 2 };

#define UNIT "G normals/s"
static const struct random_kind kinds[] = {
    {UNIT, " f32", "precision", "f32", .element = 4, .gaussian = 1},
    {UNIT, " f64", "precision", "f64", .element = 8, .gaussian = 1},
};

/* The normals of a row. */
struct what {
    int precision, numerics, method, generator;
};

struct run {
    struct random_bench bench;
    uint32_t bits; /* of the words; 0: as the precision has it */
    int methods[METHODS_MAX], numerics[NUMERICS_COUNT], precisions[PRECISION_COUNT];
    double speed[PRECISION_COUNT][NUMERICS_COUNT][METHODS_MAX][RANDOM_GENERATORS]; /* 0: not measured */
    struct best {
        struct what what;
        double speed, ratio;              /* to a fill; speed 0: there is none */
        const struct random_rival *rival; /* the peer on the device that it took turns with; NULL: none */
        double against, reference;        /* the ratio to that, and what that reached then */
    } best[PRECISION_COUNT][NUMERICS_COUNT];
    struct random_rival rivals[PRECISION_COUNT][BENCH_PEER_COUNT];
};

/* ---- bailey's normals ---- */

static void name_of(const struct what *what, char name[52])
{
    snprintf(name, 52, "%s/%s/%s/%s", bailey_generator_name((bailey_generator)what->generator),
             option_word_of("normal_params", "method", what->method),
             option_word_of("normal_params", "numerics", what->numerics), option_precision(what->precision));
}

static struct random_job job_of(struct run *run, const struct what *what)
{
    struct random_job job = {.bench = &run->bench};
    job.draw.points.form = BAILEY_POINTS_FORM_NORMALS;
    job.draw.source.generator = (bailey_generator)what->generator;
    job.draw.source.seed = 1;
    job.draw.normal.method = (bailey_normal_method)what->method;
    job.draw.normal.numerics = (bailey_numerics)what->numerics;
    job.draw.normal.precision = (bailey_precision)what->precision;
    job.draw.normal.word_bits = run->bits;
    return job;
}

static void describe(struct bench_row *row, const struct what *what)
{
    bench_fact_text(row, "generator", bailey_generator_name((bailey_generator)what->generator));
    bench_fact_text(row, "method", option_word_of("normal_params", "method", what->method));
    bench_fact_text(row, "numerics", option_word_of("normal_params", "numerics", what->numerics));
    if (*row->note) return;
    snprintf(row->note, sizeof row->note, "%s",
             what->method == BAILEY_NORMAL_METHOD_WALLACE
                 ? "not independent"
                 : bailey_generator_verdict((bailey_generator)what->generator));
}

/* Wallace's method takes one generator and has one precision and words of one width (bailey.h). */
static int offered(const struct run *run, const struct what *what)
{
    return what->method != BAILEY_NORMAL_METHOD_WALLACE ||
           (what->precision == BAILEY_PRECISION_F32 && what->generator == BAILEY_GENERATOR_PHILOX &&
            !run->bits);
}

static int is_wanted(const struct run *run, const struct what *what)
{
    return run->precisions[what->precision] && run->numerics[what->numerics] && run->methods[what->method] &&
           run->bench.generators[what->generator] && offered(run, what);
}

/* ---- Tables: for each precision ours, exact and fast, and peers with the best of ours against theirs ----
 */

enum { OTHERS = NUMERICS_COUNT, TABLES_EACH, TABLES = PRECISION_COUNT * TABLES_EACH };

static int precision_of(const struct bench *bench) { return (int)bench->table / TABLES_EACH; }

static struct what what_of(const struct bench *bench, size_t index)
{
    return (struct what){precision_of(bench), (int)bench->table % TABLES_EACH, (int)index / RANDOM_GENERATORS,
                         (int)index % RANDOM_GENERATORS};
}

static int name_ours(const struct bench *bench, size_t index, char *name)
{
    const struct run *run = (const struct run *)bench;
    const struct what what = what_of(bench, index);
    char made[52];
    *name = 0;
    if (what.method == METHODS_MAX) return 0;
    if (!is_wanted(run, &what)) return 1;
    name_of(&what, made);
    snprintf(name, BENCH_NAME, "normal/%s%s", made, run->bits ? run->bits == 64 ? "/u64" : "/u32" : "");
    return 1;
}

static void measure_ours(struct bench *bench, size_t index, struct bench_row *row)
{
    struct run *run = (struct run *)bench;
    const struct what what = what_of(bench, index);
    struct random_job job = job_of(run, &what);
    struct best *best = &run->best[what.precision][what.numerics];
    const struct random_maker maker = random_drawing(&job, UNIT);
    if (random_bench_measure(&run->bench, &maker, row)) {
        run->speed[what.precision][what.numerics][what.method][what.generator] = row->value;
        /* Wallace's have their place in the table, but are none to recommend */
        if (row->value > best->speed && what.method != BAILEY_NORMAL_METHOD_WALLACE)
            *best = (struct best){.what = what, .speed = row->value, .ratio = row->ratio};
    }
    describe(row, &what);
    bench_fact_text(row, "precision", option_precision(what.precision));
}

/* For the rows after the peers' the names are known when ours are measured. */
static int name_others(const struct bench *bench, size_t index, char *name)
{
    const struct run *run = (const struct run *)bench;
    const int precision = precision_of(bench);
    const struct bench_case wanted = random_case(&run->bench, &kinds[precision]);
    if (!run->precisions[precision]) return 0;
    if (random_peer_name(&wanted, &kinds[precision], index, name)) return 1;
    const size_t numerics = index - bench_peer_settings(&wanted);
    char made[52] = "";
    *name = 0;
    if (numerics >= NUMERICS_COUNT) return 0;
    if (run->best[precision][numerics].speed <= 0) return 1;
    name_of(&run->best[precision][numerics].what, made);
    snprintf(name, BENCH_NAME, "normal/%s", made);
    return 1;
}

static void measure_others(struct bench *bench, size_t index, struct bench_row *row)
{
    struct run *run = (struct run *)bench;
    const int precision = precision_of(bench);
    const struct random_kind *kind = &kinds[precision];
    const struct bench_case wanted = random_case(&run->bench, kind);
    const size_t peers = bench_peer_settings(&wanted);
    if (index < peers) {
        random_peer_measure(&run->bench, &wanted, kind, index, run->rivals[precision], row);
        return;
    }
    struct best *best = &run->best[precision][index - peers];
    struct random_job job = job_of(run, &best->what);
    best->rival = random_compare(&run->bench, &wanted, kind, run->rivals[precision], &job, row);
    best->against = row->ratio;
    best->reference = row->reference;
}

static const struct bench_table tables[TABLES] = {
    {"f32", "Normals, single precision, exact, into memory", BENCH_NORMALS, name_ours, measure_ours, NULL},
    {"f32", "Normals, single precision, fast, into memory", BENCH_NORMALS, name_ours, measure_ours, NULL},
    {"f32", "Others' normals, single precision", BENCH_NORMALS, name_others, measure_others, NULL},
    {"f64", "Normals, double precision, exact, into memory", BENCH_NORMALS, name_ours, measure_ours, NULL},
    {"f64", "Normals, double precision, fast, into memory", BENCH_NORMALS, name_ours, measure_ours, NULL},
    {"f64", "Others' normals, double precision", BENCH_NORMALS, name_others, measure_others, NULL},
};

/* ---- Summary ---- */

/* The first column of table 37-1 of GPU Gems 3, "Raw RNG": for people, as the JSON has its parts. */
static void print_table(const struct run *run)
{
    printf("\nNormals into memory, " UNIT "\n%-18s %-11s", "GENERATOR", "TRANSFORM");
    for (int p = 0; p < PRECISION_COUNT; p++) {
        for (int n = 0; n < NUMERICS_COUNT; n++) {
            char head[16];
            snprintf(head, sizeof head, "%s %s", option_precision(p),
                     option_word_of("normal_params", "numerics", n));
            printf(" %10s", head);
        }
    }
    putchar('\n');
    for (int g = 0; g < RANDOM_GENERATORS; g++) {
        for (int m = 0; m < METHODS_MAX; m++) {
            const struct what what = {BAILEY_PRECISION_F32, BAILEY_NUMERICS_EXACT, m, g};
            if (!run->bench.generators[g] || !run->methods[m] || !offered(run, &what)) continue;
            printf("%-18s %-11s", bailey_generator_name((bailey_generator)g),
                   option_word_of("normal_params", "method", m));
            for (int i = 0; i < PRECISION_COUNT * NUMERICS_COUNT; i++) {
                const double speed = run->speed[i / NUMERICS_COUNT][i % NUMERICS_COUNT][m][g];
                char text[24] = "-";
                if (speed > 0) snprintf(text, sizeof text, "%.3f", speed);
                printf(" %10s", text);
            }
            putchar('\n');
        }
    }
}

/* Comparisons with rivals that did not alternate with it, but were measured in the same run. */
static void print_against(const struct best *best, const struct random_rival rivals[BENCH_PEER_COUNT])
{
    for (const struct random_rival *rival = rivals; rival < rivals + BENCH_PEER_COUNT; rival++)
        if (rival->speed > 0 && rival->peer->place != BENCH_ON_CUDA)
            printf(", %.2f of %s (%.3f)", best->speed / rival->speed, rival->name, rival->speed);
}

static void print_summary(const struct bench *bench)
{
    const struct run *run = (const struct run *)bench;
    print_table(run);
    putchar('\n');
    for (int i = 0; i < PRECISION_COUNT * NUMERICS_COUNT; i++) {
        const int p = i / NUMERICS_COUNT, n = i % NUMERICS_COUNT;
        const struct best *best = &run->best[p][n];
        if (best->speed <= 0) continue;
        printf("best %s %s: %s %s, %.3f " UNIT ", %.3f of a fill",
               option_word_of("normal_params", "numerics", n), option_precision(p),
               bailey_generator_name((bailey_generator)best->what.generator),
               option_word_of("normal_params", "method", best->what.method), best->speed, best->ratio);
        if (best->rival) printf(", %.3f of %s (%.1f)", best->against, best->rival->name, best->reference);
        print_against(best, run->rivals[p]);
        putchar('\n');
    }
}

/* A table without cases has no title either. */
static int run_tables(struct run *run)
{
    struct bench *bench = &run->bench.base;
    int ours = 0;
    for (size_t t = 0; t < TABLES; t++) {
        bench->wanted[t] = bench_count(bench, t) > 0;
        ours |= bench->wanted[t] && t % TABLES_EACH != OTHERS;
    }
    if (!ours) return cli_error(CLI_USAGE, "--methods: wallace makes normals of philox and in f32 only");
    return bench_run(bench);
}

static int read_what(const struct arguments *a, struct run *run)
{
    int code;
    const char *const *methods = option_words("normal_params", "method");
    bailey_normal_params normal = {0};
    for (int m = 0; m < METHODS_MAX && methods[m]; m++) run->methods[m] = !a->value[METHODS];
    for (int n = 0; n < NUMERICS_COUNT; n++) run->numerics[n] = !a->value[NUMERICS];
    for (int p = 0; p < PRECISION_COUNT; p++) run->precisions[p] = !a->value[PRECISIONS];
    if ((code = option_list_choice(a, METHODS, methods, run->methods)) ||
        (code = option_list_choice(a, NUMERICS, option_words("normal_params", "numerics"), run->numerics)))
        return code;
    if ((code = options_read_fields(a, "normal_params", &normal))) return code;
    run->bits = normal.word_bits;
    return option_list_choice(a, PRECISIONS, option_words("normal_params", "precision"), run->precisions);
}

static int run(const struct arguments *a)
{
    static const struct random_options asked = {.generators = GENERATORS,
                                                .count = COUNT,
                                                .quick = QUICK,
                                                .multiple = 2,
                                                .why = "Box-Muller and cuRAND make normals in pairs",
                                                .unit = UNIT,
                                                .generator = "philox,warp"};
    static struct run all;
    memset(&all, 0, sizeof all);
    int code = bench_tables(&all.bench.base, a, H_WHAT, tables, TABLES);
    if (!code) code = read_what(a, &all);
    if (code) return code;
    all.bench.base.summary = print_summary;
    code = random_bench_open(&all.bench, a, &asked, all.precisions[BAILEY_PRECISION_F64] ? 8 : 4);
    if (!code) code = run_tables(&all);
    random_bench_close(&all.bench);
    return code;
}

/* clang-format off */ /* a line of help is a line here */
const struct command command_bench_normal = {
    .run = run,
    .options = options,
    .name = "bench normal",
    .summary = "measure the normals against a fill of the same bytes, cuRAND, GSL, MKL",
    .usage = "[--generators A,B,...|all] [--methods A,B,...] [--precisions f32,f64] [options]",
    .about =
        "Times every transform of words into normals, exact and fast, as it fills memory; batches alternate\n"
        "with a fill of the same bytes. On a CUDA device it also times cuRAND's normals, if the library is\n"
        "there, with every generator in each of its orderings; on a CPU, loops in C, memset, the GNU\n"
        "Scientific Library and Intel's MKL. Exact normals are compared bit for bit with those of the cpu\n"
        "backend, fast ones by their distance from these and by mean and variance, those of other libraries by\n"
        "mean and variance; exit code 1 if a row is wrong. Normals of a weak generator may miss mean and\n"
        "variance; the note of the row then says so.\n"
        "\n"
        "The table at the end is the first column of table 37-1 of GPU Gems 3 (\"Raw RNG\": normals into memory\n"
        "and nothing else) for this device.",
    .examples =
        "  bailey bench normal --device cuda\n"
        "  bailey bench normal --generators philox,warp --precisions f32 --json > normal.json\n"
        "  bailey bench normal --device cuda --generators hybrid-taus-gems --methods box-muller\n"
        "      \"Tausworthe plus Box-Muller\" of that table\n"
        RANDOM_COLUMNS_HELP
        "Rows normal/.../curand: the fastest of cuRAND, against the best exact and the\n"
        "  best fast normals, Wallace's excepted.\n"
        "\n"
        "Other libraries:\n"
        "  cuRAND: libcurand.so.10, curandGenerateNormal and curandGenerateNormalDouble, seeded before the\n"
        "  clock starts. GSL: libgsl.so.27, gsl_ran_gaussian_ziggurat. MKL: libmkl_rt.so.2, its inverse CDF\n"
        "  and BOXMULLER2.\n"
        "  plain polar: the method of std::normal_distribution. All use as many threads as the device has,\n"
        "  with a generator per thread.\n",
};
/* clang-format on */
