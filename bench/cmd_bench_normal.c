/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey bench normal: every transform of words into normals, with the generators that are asked for, into
 * memory; against a fill of the same bytes and against other people's normals in the same run.
 */
#include "bench_random.h"

#include <stdio.h>
#include <string.h>

enum { H_WHAT, GENERATORS, METHODS, NUMERICS, PRECISIONS, WORD_BITS, COUNT, BENCH_LAST_NAMES };

static const struct option options[] = {
    HEADING("What:"),
    OPTION("--generators", "A,B,...",
           "or all; default philox,warp; 'bailey random --help' lists them; hybrid-taus-gems is that of GPU "
           "Gems 3"),
    OPTION("--methods", "A,B,...", "the transforms, those of 'bailey random --normal'; default all"),
    OPTION("--numerics", "A,B", "of exact, fast; default both"),
    OPTION("--precisions", "A,B", "of f32, f64; default both"),
    FIELD(normal_params, word_bits, "--word-bits", .before = "--bits",
          .help = "of the words that a number is made from"),
    OPTION("--count", "N",
           "normals per call, an even number; default 2^28, on a CPU 2^25, or what an eighth of the memory "
           "holds"),
    RANDOM_LAST_OPTIONS};

enum { METHODS_MAX = 8, NUMERICS_COUNT = 2, PRECISION_COUNT = 2 };

#define UNIT "G normals/s"
#define KIND(name, bytes, what)                                                                              \
    {                                                                                                        \
        UNIT, " " name, "precision", name, .element = bytes, .gaussian = 1, .curand = what                   \
    }
static const struct random_kind kinds[] = {KIND("f32", 4, CURAND_MAKES_NORMALS),
                                           KIND("f64", 8, CURAND_MAKES_NORMALS_F64)};
#undef KIND
static const char *const headings[PRECISION_COUNT][NUMERICS_COUNT] = {
    {"Normals, single precision, exact, into memory", "Normals, single precision, fast, into memory"},
    {"Normals, double precision, exact, into memory", "Normals, double precision, fast, into memory"}};
static const char *const headings_others[] = {"Others' normals, single precision",
                                              "Others' normals, double precision"};

/* What a row is of. */
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
        double speed, ratio; /* to a fill; speed 0: there is none */
        double against;      /* the ratio to cuRAND's best, taking turns; 0: there is none */
        double reference;    /* what that reached then */
    } best[PRECISION_COUNT][NUMERICS_COUNT];
    struct {
        struct random_rival curand, plain, gsl, mkl;
    } other[PRECISION_COUNT];
};

/* ---- bailey's normals ---- */

static void name_of(const struct what *what, char *name, size_t size)
{
    snprintf(name, size, "%s/%s/%s/%s", bailey_generator_name((bailey_generator)what->generator),
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

static void measure(struct run *run, const struct what *what)
{
    struct random_job job = job_of(run, what);
    struct best *best = &run->best[what->precision][what->numerics];
    struct bench_row row;
    char name[64], full[64];
    const struct random_maker maker = random_drawing(&job, UNIT);
    name_of(what, name, sizeof name);
    snprintf(full, sizeof full, "normal/%.50s%s", name, run->bits ? run->bits == 64 ? "/u64" : "/u32" : "");
    if (random_bench_measure(&run->bench, full, &maker, &row)) {
        run->speed[what->precision][what->numerics][what->method][what->generator] = row.value;
        /* Wallace's have their place in the table, but are none to recommend */
        if (row.value > best->speed && what->method != BAILEY_NORMAL_METHOD_WALLACE)
            *best = (struct best){.what = *what, .speed = row.value, .ratio = row.ratio};
    }
    describe(&row, what);
    bench_fact_text(&row, "precision", option_precision(what->precision));
    random_put_row(&run->bench, &row);
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

static void run_ours(struct run *run, int precision, int numerics)
{
    int begun = 0;
    for (int m = 0; m < METHODS_MAX; m++) {
        for (int g = 0; g < RANDOM_GENERATORS; g++) {
            const struct what what = {precision, numerics, m, g};
            if (!is_wanted(run, &what)) continue;
            if (!begun++) bench_heading(&run->bench.base, headings[precision][numerics]);
            measure(run, &what);
        }
    }
}

/* ---- Others' ---- */

/* Box-Muller, or with method 1 the polar method. */
static bailey_status queue_plain(void *user)
{
    const struct random_plain *p = user;
    plain_normals(p->bench->host, p->method == 1, 1, p->element, p->bench->out.memory, p->bench->count);
    return BAILEY_OK;
}

static bailey_status queue_gsl(void *user)
{
    const struct random_plain *p = user;
    plain_gsl_ziggurat(p->gsl, p->bench->host, p->element, p->bench->out.memory, p->bench->count);
    return BAILEY_OK;
}

static bailey_status queue_mkl(void *user)
{
    const struct random_plain *p = user;
    const int good =
        plain_mkl_draw(p->mkl, p->bench->host, p->method, p->element, p->bench->out.memory, p->bench->count);
    return good ? BAILEY_OK : BAILEY_ERROR_DRIVER;
}

static const char *mkl_why(void *user)
{
    (void)user;
    return "MKL reported an error";
}

static void run_mkl(struct run *run, struct random_plain *plain, const struct random_kind *kind,
                    struct random_rival *best)
{
    struct random_maker maker = random_plain_maker(plain, kind, queue_mkl);
    char why[200], name[64], note[48] = "";
    maker.why = mkl_why;
    plain->mkl = plain_mkl_open(why, sizeof why);
    if (!plain->mkl) random_skip_row(&run->bench, "mkl", kind, why);
    if (plain->mkl) snprintf(note, sizeof note, "MKL %s", plain_mkl_version(plain->mkl));
    for (unsigned g = 0; plain->mkl && plain_mkl_generator(g); g++) {
        const int made = plain_mkl_select(plain->mkl, g, bench_host_threads(run->bench.host));
        for (plain->method = 0; plain_mkl_method(plain->method); plain->method++) {
            snprintf(name, sizeof name, "mkl %s %s", plain_mkl_generator(g), plain_mkl_method(plain->method));
            if (made)
                random_plain_row(&run->bench, kind, name, &maker, note, best);
            else
                random_skip_row(&run->bench, name, kind, "vslNewStream: no such generator, or no memory");
        }
    }
    plain_mkl_close(plain->mkl);
    plain->mkl = NULL;
}

static void run_plain(struct run *run, int precision)
{
    static const char *const names[] = {"mt19937", "taus2", NULL};
    const struct random_kind *kind = &kinds[precision];
    struct random_plain plain = {.bench = &run->bench};
    if (!run->bench.host) return;
    random_memset_row(&plain, kind);
    const struct random_maker maker = random_plain_maker(&plain, kind, queue_plain);
    for (plain.method = 0; plain.method < 2; plain.method++)
        random_plain_row(&run->bench, kind, plain.method ? "plain polar" : "plain box-muller", &maker,
                         "a loop in C, Philox", &run->other[precision].plain);
    random_gsl_rows(&plain, kind, names, "ziggurat", queue_gsl, &run->other[precision].gsl);
    run_mkl(run, &plain, kind, &run->other[precision].mkl);
}

/* The best exact and the best fast of ours against cuRAND's best. */
static void run_rivals(struct run *run, int precision)
{
    for (int n = 0; n < NUMERICS_COUNT; n++) {
        struct best *best = &run->best[precision][n];
        if (best->speed <= 0) continue;
        struct random_job job = job_of(run, &best->what);
        struct bench_row row;
        char name[64], full[64];
        name_of(&best->what, name, sizeof name);
        snprintf(full, sizeof full, "normal/%.48s/curand", name);
        if (!random_curand_compare(&run->bench, &kinds[precision], &run->other[precision].curand, full, &job,
                                   &row))
            continue;
        best->against = row.ratio;
        best->reference = row.reference;
    }
}

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

/* Against what did not take turns with it, but was measured in the same run. */
static void print_against(const struct best *best, const struct random_rival *rival)
{
    if (rival->speed > 0)
        printf(", %.2f of %s (%.3f)", best->speed / rival->speed, rival->name, rival->speed);
}

static void print_summary(const struct run *run)
{
    putchar('\n');
    for (int i = 0; i < PRECISION_COUNT * NUMERICS_COUNT; i++) {
        const int p = i / NUMERICS_COUNT, n = i % NUMERICS_COUNT;
        const struct best *best = &run->best[p][n];
        if (best->speed <= 0) continue;
        printf("best %s %s: %s %s, %.3f " UNIT ", %.3f of a fill",
               option_word_of("normal_params", "numerics", n), option_precision(p),
               bailey_generator_name((bailey_generator)best->what.generator),
               option_word_of("normal_params", "method", best->what.method), best->speed, best->ratio);
        if (best->against > 0)
            printf(", %.3f of %s (%.1f)", best->against, run->other[p].curand.name, best->reference);
        print_against(best, &run->other[p].plain);
        print_against(best, &run->other[p].gsl);
        print_against(best, &run->other[p].mkl);
        putchar('\n');
    }
}

/* Rows of bailey's. */
static uint64_t count_ours(const struct run *run)
{
    uint64_t rows = 0;
    for (int i = 0; i < PRECISION_COUNT * NUMERICS_COUNT * METHODS_MAX * RANDOM_GENERATORS; i++) {
        const int pair = i / (METHODS_MAX * RANDOM_GENERATORS);
        const struct what what = {pair / NUMERICS_COUNT, pair % NUMERICS_COUNT,
                                  i / RANDOM_GENERATORS % METHODS_MAX, i % RANDOM_GENERATORS};
        rows += (uint64_t)is_wanted(run, &what);
    }
    return rows;
}

/* About as many pairs as cuRAND accepts, and the rows of run_plain. */
static uint64_t count_others(const struct run *run)
{
    const uint64_t precisions = (uint64_t)run->precisions[0] + (uint64_t)run->precisions[1];
    return precisions * (run->bench.curand ? 20 : run->bench.host ? 11 : 0);
}

static int run_all(struct run *run)
{
    bench_begin(&run->bench.base, count_ours(run) + count_others(run));
    for (int p = 0; p < PRECISION_COUNT; p++) {
        if (!run->precisions[p]) continue;
        for (int n = 0; n < NUMERICS_COUNT; n++) {
            if (run->numerics[n]) run_ours(run, p, n);
        }
        if (run->bench.host || !strncmp(run->bench.base.device.address, "cuda", 4))
            bench_heading(&run->bench.base, headings_others[p]);
        run_plain(run, p);
        random_curand_rows(&run->bench, &kinds[p], &run->other[p].curand);
        run_rivals(run, p);
    }
    cli_progress_end(&run->bench.base.report.progress);
    if (!run->bench.base.report.as_json) {
        print_table(run);
        print_summary(run);
    }
    return bench_end(&run->bench.base);
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
    int code = read_what(a, &all);
    if (code) return code;
    code = random_bench_open(&all.bench, a, &asked, all.precisions[BAILEY_PRECISION_F64] ? 8 : 4);
    if (!code && !count_ours(&all))
        code = cli_error(CLI_USAGE, "--methods: wallace makes normals of philox and in f32 only");
    if (!code) code = run_all(&all);
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
        "Times every transform of words into normals, exact and fast, as it fills memory, taking turns with\n"
        "a fill of the same bytes. On a CUDA device also cuRAND's normals, of every generator in each of its\n"
        "orderings, if its library is there; on a CPU loops in C, memset, the GNU Scientific Library and\n"
        "Intel's MKL. Exact normals are compared bit for bit with what the cpu backend makes, fast ones by\n"
        "their distance from those and by mean and variance, others' by mean and variance; exit code 1 if a\n"
        "row is wrong. A weak generator's may miss mean and variance, which its note then says.\n"
        "\n"
        "The table at the end is, for this device, the first column of table 37-1 of GPU Gems 3 (\"Raw RNG\":\n"
        "normals into memory and nothing else).",
    .examples =
        "  bailey bench normal --device cuda\n"
        "  bailey bench normal --generators philox,warp --precisions f32 --json > normal.json\n"
        "  bailey bench normal --device cuda --generators hybrid-taus-gems --methods box-muller\n"
        "      \"Tausworthe plus Box-Muller\" of that table\n"
        RANDOM_COLUMNS_HELP
        "Rows normal/.../curand: the fastest of cuRAND, taking turns with the best exact\n"
        "  and the best fast normals, Wallace's left aside.\n"
        "\n"
        "Other libraries:\n"
        "  cuRAND: libcurand.so.10, curandGenerateNormal and curandGenerateNormalDouble, seeds made before it is timed.\n"
        "  GSL: libgsl.so.27, gsl_ran_gaussian_ziggurat. MKL: libmkl_rt.so.2, its inverse CDF and BOXMULLER2.\n"
        "  plain polar: the method of std::normal_distribution. All on as many threads as the device has, with a\n"
        "  generator per thread.\n",
};
/* clang-format on */
