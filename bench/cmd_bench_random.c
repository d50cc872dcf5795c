/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey bench random: every generator into memory, against a fill of the same bytes and against other
 * people's generators in the same run.
 */
#include "bench_random.h"

#include <stdio.h>
#include <string.h>

enum { H_WHAT, GENERATORS, FORMS, COUNT, BENCH_LAST_NAMES };

static const struct option options[] = {
    HEADING("What:"), OPTION("--generators", "A,B,...", "default all; 'bailey random --help' lists them"),
    OPTION("--forms", "A,B", "of u32 (words), u01 (uniform numbers, f32); default both"),
    OPTION("--count", "N",
           "numbers per call; default 2^28, on a CPU 2^25, or what an eighth of the memory holds"),
    RANDOM_LAST_OPTIONS};

enum { FORM_COUNT = 2 };
static const char *const form_names[] = {"u32", "u01", NULL};
static const struct random_kind kinds[] = {
    {"G words/s", "", "form", "u32", .element = 4, .curand = CURAND_MAKES_WORDS},
    {"G numbers/s", " u01", "form", "u01", .element = 4, .curand = CURAND_MAKES_UNIFORMS},
};
static const char *const form_headings[] = {"Words (32 bits) into memory",
                                            "Uniform numbers (single precision) into memory"};

struct run {
    struct random_bench bench;
    int forms[FORM_COUNT];
    double speed[FORM_COUNT][RANDOM_GENERATORS]; /* 0: not measured */
    double ratio[FORM_COUNT][RANDOM_GENERATORS]; /* to a fill */
    struct {
        struct random_rival best;
        double ratio[2], reference[2]; /* of each of `ours` to it, taking turns */
    } rival[FORM_COUNT];               /* of cuRAND */
};

static struct random_job job_of(struct run *run, int generator, int form)
{
    struct random_job job = {.bench = &run->bench};
    job.draw.source.generator = (bailey_generator)generator;
    job.draw.source.seed = 1;
    job.draw.points.form = form ? BAILEY_POINTS_FORM_UNIFORMS : BAILEY_POINTS_FORM_WORDS;
    return job;
}

/* ---- bailey's generators ---- */

static void measure_generator(struct run *run, int generator, int form, struct bench_row *row)
{
    struct random_job job = job_of(run, generator, form);
    const struct random_maker maker = random_drawing(&job, kinds[form].unit);
    const char *verdict = bailey_generator_verdict((bailey_generator)generator);
    char name[64];
    snprintf(name, sizeof name, "random/%s/%s", bailey_generator_name((bailey_generator)generator),
             form_names[form]);
    if (random_bench_measure(&run->bench, name, &maker, row)) {
        run->speed[form][generator] = row->value;
        run->ratio[form][generator] = row->ratio;
    }
    bench_fact_text(row, "generator", bailey_generator_name((bailey_generator)generator));
    bench_fact_text(row, "form", form_names[form]);
    bench_fact_text(row, "period", bailey_generator_period((bailey_generator)generator));
    bench_fact_text(row, "verdict", verdict);
    snprintf(row->note, sizeof row->note, "%s", verdict);
}

/* MT19937 first, because the others have their ratio to it in their rows. */
static void run_generators(struct run *run, int form)
{
    static struct bench_row mersenne, row;
    const int reference = BAILEY_GENERATOR_MT19937;
    if (run->bench.generators[reference]) measure_generator(run, reference, form, &mersenne);
    for (int g = 0; g < RANDOM_GENERATORS; g++) {
        struct bench_row *this = g == reference ? &mersenne : &row;
        if (!run->bench.generators[g]) continue;
        if (g != reference) measure_generator(run, g, form, &row);
        if (run->speed[form][g] > 0 && run->speed[form][reference] > 0)
            bench_fact_number(this, "mt19937_ratio", run->speed[form][g] / run->speed[form][reference]);
        random_put_row(&run->bench, this);
    }
}

/* ---- cuRAND ---- */

/* warp and philox, of which the most is asked. */
static const bailey_generator ours[] = {BAILEY_GENERATOR_WARP, BAILEY_GENERATOR_PHILOX};

/* Those against the best of cuRAND, taking turns. */
static void run_rivals(struct run *run, int form)
{
    for (int i = 0; i < 2; i++) {
        if (run->speed[form][ours[i]] <= 0) continue;
        struct random_job job = job_of(run, (int)ours[i], form);
        struct bench_row row;
        char name[64];
        snprintf(name, sizeof name, "random/%s/%s/curand", bailey_generator_name((bailey_generator)ours[i]),
                 form_names[form]);
        if (random_curand_compare(&run->bench, &kinds[form], &run->rival[form].best, name, &job, &row)) {
            run->rival[form].ratio[i] = row.ratio;
            run->rival[form].reference[i] = row.reference;
        }
    }
}

/* ---- The processor's own ---- */

static bailey_status queue_philox(void *user)
{
    const struct random_plain *plain = user;
    plain_philox(plain->bench->host, 1, plain->bench->out.memory, plain->bench->count);
    return BAILEY_OK;
}

static bailey_status queue_gsl(void *user)
{
    const struct random_plain *plain = user;
    plain_gsl_draw(plain->gsl, plain->bench->host, plain->bench->out.memory, plain->bench->count);
    return BAILEY_OK;
}

static void run_plain(struct run *run)
{
    static const char *const names[] = {"mt19937", "taus2", "gfsr4", "mrg", "cmrg", "ranlxs0", NULL};
    if (!run->bench.host) return;
    struct random_plain plain = {.bench = &run->bench};
    struct random_job philox = job_of(run, BAILEY_GENERATOR_PHILOX, 0);
    struct random_maker maker = random_plain_maker(&plain, &kinds[0], queue_philox);
    random_memset_row(&plain, &kinds[0]);
    maker.expected = &philox.draw;
    random_plain_row(&run->bench, &kinds[0], "plain philox", &maker, "a loop in C", NULL);
    random_gsl_rows(&plain, &kinds[0], names, "gsl_rng_get", queue_gsl, NULL);
}

/* ---- Summary ---- */

/* The table of Thomas's slides, "Comparison with other RNGs": for people, as the JSON has its parts. */
static void print_table(const struct run *run)
{
    const double mersenne = run->speed[0][BAILEY_GENERATOR_MT19937];
    if (run->bench.base.report.as_json || !run->forms[0]) return;
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

static void print_summary(const struct run *run)
{
    if (run->bench.base.report.as_json) return;
    putchar('\n');
    for (int form = 0; form < FORM_COUNT; form++) {
        for (int i = 0; i < 2; i++) {
            const bailey_generator g = ours[i];
            if (run->speed[form][g] <= 0) continue;
            printf("%s %s: %.1f %s, %.3f of a fill", bailey_generator_name((bailey_generator)g),
                   form_names[form], run->speed[form][g], kinds[form].unit, run->ratio[form][g]);
            if (run->rival[form].ratio[i] > 0)
                printf(", %.3f of %s (%.1f %s)", run->rival[form].ratio[i], run->rival[form].best.name,
                       run->rival[form].reference[i], kinds[form].unit);
            putchar('\n');
        }
    }
}

static uint64_t count_rows(const struct run *run)
{
    uint64_t forms = 0, others = 0, wanted = 0;
    for (int g = 0; g < RANDOM_GENERATORS; g++) wanted += (uint64_t)run->bench.generators[g];
    for (int f = 0; f < FORM_COUNT; f++) forms += (uint64_t)run->forms[f];
    if (run->bench.curand) others = 18 * forms; /* about as many pairs as it accepts */
    if (run->bench.host && run->forms[0]) others = 8;
    return wanted * forms + others;
}

static int run_all(struct run *run)
{
    bench_begin(&run->bench.base, count_rows(run));
    for (int form = 0; form < FORM_COUNT; form++) {
        if (!run->forms[form]) continue;
        bench_heading(&run->bench.base, form_headings[form]);
        run_generators(run, form);
        if (form == 0) run_plain(run);
        random_curand_rows(&run->bench, &kinds[form], &run->rival[form].best);
        run_rivals(run, form);
    }
    cli_progress_end(&run->bench.base.report.progress);
    print_table(run);
    print_summary(run);
    return bench_end(&run->bench.base);
}

static int run(const struct arguments *a)
{
    static const struct random_options asked = {
        .generators = GENERATORS, .count = COUNT, .quick = QUICK, .multiple = 1, .unit = "G numbers/s"};
    static struct run all;
    int code;
    memset(&all, 0, sizeof all);
    for (int f = 0; f < FORM_COUNT; f++) all.forms[f] = !a->value[FORMS];
    if ((code = option_list_choice(a, FORMS, form_names, all.forms))) return code;
    code = random_bench_open(&all.bench, a, &asked, sizeof(uint32_t));
    if (!code) code = run_all(&all);
    random_bench_close(&all.bench);
    return code;
}

/* clang-format off */ /* a line of help is a line here */
const struct command command_bench_random = {
    .name = "bench random",
    .summary = "measure the generators against a fill of the same bytes, cuRAND, GSL",
    .usage = "[--generators A,B,...] [--forms u32,u01] [options]",
    .about =
        "Times every generator as it fills memory with words and with uniform numbers, taking turns with a fill\n"
        "of the same bytes; on a CUDA device also cuRAND's generators in each of their orderings, if its library\n"
        "is there, and on a CPU a plain loop in C, memset and the GNU Scientific Library. What was written is\n"
        "compared with what the cpu backend makes; exit code 1 if a row is wrong.",
    .examples =
        "  bailey bench random --device cuda\n"
        "  bailey bench random --generators warp,philox,mt19937 --forms u32 --json > random.json\n"
        RANDOM_COLUMNS_HELP
        "Rows random/.../curand: the fastest of cuRAND, taking turns.\n"
        "\n"
        "Other libraries:\n"
        "  cuRAND: libcurand.so.10, its host interface, seeds made before it is timed. GSL: libgsl.so.28 or 27,\n"
        "  a generator per thread. plain philox, memset: on as many threads as the device has.\n",
    .options = options,
    .run = run,
};
/* clang-format on */
