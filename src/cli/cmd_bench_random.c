/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey bench random: every generator into memory, against a fill of the same bytes and against other
 * people's generators in the same run.
 */
#include "bench_plain.h"
#include "bench_random.h"
#include "commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
enum {
    H_WHAT, GENERATORS, FORMS, COUNT, QUICK,
    H_HOW, REPEAT, JSON,
    H_WORK, DEVICE, THREADS
};
/* clang-format on */

static const struct option options[] = {
    {"What:", NULL, NULL, 0},
    {"--generators", "A,B,...", "default all; 'bailey random --help' lists them", 0},
    {"--forms", "A,B", "of u32 (words), u01 (uniform numbers, f32); default both", 0},
    {"--count", "N", "numbers a call; default 2^28, on a CPU 2^25, or what an eighth of the memory holds", 0},
    {"--quick", NULL, "few numbers and single calls: figures that mean nothing, but every kind of row", 0},
    {"How:", NULL, NULL, 0},
    {"--repeat", "R", "batches of each thing measured, of which the median counts; 1 to 99, default 7", 0},
    {"--json", NULL, "the rows as JSON", 0},
    {"Where it runs:", NULL, NULL, 0},
    {"--device", "D", OPTION_DEVICE_HELP, 0},
    {"--threads", "N", OPTION_THREADS_HELP, 0},
    {NULL, NULL, NULL, 0},
};

enum { FORM_COUNT = 2 };
static const char *const form_names[] = {"u32", "u01", NULL};
static const char *const form_units[] = {"G words/s", "G numbers/s"};
static const char *const form_headings[] = {"Words (32 bits) into memory",
                                            "Uniform numbers (single precision) into memory"};
static const enum curand_what curand_forms[] = {CURAND_MAKES_WORDS, CURAND_MAKES_UNIFORMS};

#define NAME_OF(number, name, text, verdict) +1
enum { GENERATOR_COUNT = 0 BAILEY_GENERATOR_LIST(NAME_OF) };
#undef NAME_OF

#define UNIT_WIDTH 11

struct run {
    struct random_bench bench;
    struct bench_report report;
    int generators[GENERATOR_COUNT], forms[FORM_COUNT];
    double speed[FORM_COUNT][GENERATOR_COUNT]; /* 0: not measured */
    double ratio[FORM_COUNT][GENERATOR_COUNT]; /* to a fill */
    struct {
        double speed;
        unsigned generator, ordering;
        char name[64];
        double ratio[2], reference[2]; /* of each of `ours` to it, taking turns */
    } rival[FORM_COUNT];               /* the best of cuRAND */
    uint64_t wanted;                   /* generators */
};

static struct random_job job_of(struct run *run, int generator, int form)
{
    struct random_job job = {.bench = &run->bench};
    job.draw.sequence.generator = (bailey_generator)generator;
    job.draw.sequence.seed = 1;
    job.draw.form = form ? FORM_U01 : FORM_U32;
    return job;
}

static void put_row(struct run *run, const struct bench_row *row)
{
    bench_step(&run->report);
    bench_row(&run->report, row);
}

static void skip_row(struct run *run, const char *name, const char *unit, const char *why)
{
    struct bench_row row = {.state = BENCH_SKIPPED, .unit = unit};
    snprintf(row.name, sizeof row.name, "%s", name);
    snprintf(row.reason, sizeof row.reason, "%s", why);
    put_row(run, &row);
}

/* ---- bailey's generators ---- */

static void measure_generator(struct run *run, int generator, int form, struct bench_row *row)
{
    struct random_job job = job_of(run, generator, form);
    const struct random_maker maker = random_drawing(&job, form_units[form]);
    const char *verdict = bailey_generator_verdict((bailey_generator)generator);
    char name[64];
    snprintf(name, sizeof name, "random/%s/%s", option_generators[generator], form_names[form]);
    if (random_bench_measure(&run->bench, name, &maker, row)) {
        run->speed[form][generator] = row->value;
        run->ratio[form][generator] = row->ratio;
    }
    bench_fact_text(row, "generator", option_generators[generator]);
    bench_fact_text(row, "form", form_names[form]);
    bench_fact_text(row, "period", generator_period((bailey_generator)generator));
    bench_fact_text(row, "verdict", verdict);
    snprintf(row->note, sizeof row->note, "%s", verdict);
}

/* MT19937 first, because the others have their ratio to it in their rows. */
static void run_generators(struct run *run, int form)
{
    static struct bench_row mersenne, row;
    const int reference = BAILEY_GENERATOR_MT19937;
    if (run->generators[reference]) measure_generator(run, reference, form, &mersenne);
    for (int g = 0; g < GENERATOR_COUNT; g++) {
        struct bench_row *this = g == reference ? &mersenne : &row;
        if (!run->generators[g]) continue;
        if (g != reference) measure_generator(run, g, form, &row);
        if (run->speed[form][g] > 0 && run->speed[form][reference] > 0)
            bench_fact_number(this, "mt19937_ratio", run->speed[form][g] / run->speed[form][reference]);
        put_row(run, this);
    }
}

/* ---- cuRAND ---- */

static void run_curand_ordering(struct run *run, int form, unsigned generator, unsigned ordering)
{
    struct random_bench *bench = &run->bench;
    struct bench_row row;
    char name[64];
    int refused;
    snprintf(name, sizeof name, "curand %s %s%s", bench_curand_generator(generator),
             bench_curand_ordering(ordering), form ? " u01" : "");
    if (!bench_curand_select(bench->curand, generator, ordering, &refused)) {
        if (!refused) skip_row(run, name, form_units[form], bench_curand_why(bench->curand));
        return;
    }
    const struct random_maker maker = random_curand(bench, curand_forms[form], form_units[form]);
    const int good = random_bench_measure(bench, name, &maker, &row);
    snprintf(row.note, sizeof row.note, "cuRAND %s", bench_curand_version(bench->curand));
    bench_fact_text(&row, "curand", bench_curand_version(bench->curand));
    bench_fact_text(&row, "form", form_names[form]);
    put_row(run, &row);
    if (!good || row.value <= run->rival[form].speed) return;
    run->rival[form].speed = row.value;
    run->rival[form].generator = generator;
    run->rival[form].ordering = ordering;
    snprintf(run->rival[form].name, sizeof run->rival[form].name, "%s", name);
}

static void run_curand(struct run *run, int form)
{
    if (strncmp(run->bench.device.address, "cuda", 4) != 0) return;
    if (!run->bench.curand) {
        skip_row(run, form ? "curand u01" : "curand", form_units[form], run->bench.curand_why);
        return;
    }
    for (unsigned g = 0; bench_curand_generator(g); g++) {
        for (unsigned o = 0; bench_curand_ordering(o); o++) run_curand_ordering(run, form, g, o);
    }
}

/* warp and philox, of which the most is asked. */
static const bailey_generator ours[] = {BAILEY_GENERATOR_WARP, BAILEY_GENERATOR_PHILOX};

/* Those against the best of cuRAND, taking turns. */
static void run_rivals(struct run *run, int form)
{
    int refused;
    if (run->rival[form].speed <= 0 || !bench_curand_select(run->bench.curand, run->rival[form].generator,
                                                            run->rival[form].ordering, &refused))
        return;
    const struct random_maker rival = random_curand(&run->bench, curand_forms[form], form_units[form]);
    for (int i = 0; i < 2; i++) {
        if (run->speed[form][ours[i]] <= 0) continue;
        struct random_job job = job_of(run, (int)ours[i], form);
        const struct random_maker maker = random_drawing(&job, form_units[form]);
        struct bench_row row;
        char name[64];
        snprintf(name, sizeof name, "random/%s/%s/curand", option_generators[ours[i]], form_names[form]);
        if (random_bench_compare(&run->bench, name, &maker, &rival, run->rival[form].name, &row)) {
            run->rival[form].ratio[i] = row.ratio;
            run->rival[form].reference[i] = row.reference;
        }
        put_row(run, &row);
    }
}

/* ---- The processor's own ---- */

struct plain {
    struct random_bench *bench;
    struct plain_gsl *gsl;
};

static bailey_status queue_philox(void *user)
{
    const struct plain *plain = user;
    plain_philox(plain->bench->host, 1, plain->bench->out.memory, plain->bench->count);
    return BAILEY_OK;
}

static bailey_status queue_memset(void *user)
{
    const struct plain *plain = user;
    plain_memset(plain->bench->host, plain->bench->out.memory, 0, plain->bench->count * sizeof(uint32_t));
    return BAILEY_OK;
}

static bailey_status queue_gsl(void *user)
{
    const struct plain *plain = user;
    plain_gsl_draw(plain->gsl, plain->bench->host, plain->bench->out.memory, plain->bench->count);
    return BAILEY_OK;
}

static void run_plain_row(struct run *run, const char *name, const struct random_maker *maker,
                          const char *note)
{
    struct bench_row row;
    random_bench_measure(&run->bench, name, maker, &row);
    snprintf(row.note, sizeof row.note, "%s", note);
    bench_fact_text(&row, "form", form_names[0]);
    put_row(run, &row);
}

static void run_gsl(struct run *run, struct random_maker *maker)
{
    struct plain *plain = maker->user;
    char why[200] = "";
    plain->gsl = plain_gsl_open(why, sizeof why);
    if (!plain->gsl) {
        skip_row(run, "gsl", maker->unit, why);
        return;
    }
    for (int i = 0; plain_gsl_names[i]; i++) {
        char name[64], note[48];
        snprintf(name, sizeof name, "gsl %s", plain_gsl_names[i]);
        if (!plain_gsl_select(plain->gsl, plain_gsl_names[i], bench_host_threads(run->bench.host))) {
            skip_row(run, name, maker->unit, "gsl_rng_alloc: no such generator, or no memory");
            continue;
        }
        snprintf(note, sizeof note, "gsl_rng_get, %u bits a draw", plain_gsl_bits(plain->gsl));
        run_plain_row(run, name, maker, note);
    }
    plain_gsl_close(plain->gsl);
}

static void run_plain(struct run *run)
{
    if (!run->bench.host) return;
    struct plain plain = {.bench = &run->bench};
    struct random_job philox = job_of(run, BAILEY_GENERATOR_PHILOX, 0);
    struct random_maker maker = {.unit = form_units[0], .element = 4, .user = &plain, .in_memory = 1};
    maker.queue = queue_memset;
    run_plain_row(run, "memset", &maker, "the C library's");
    maker.queue = queue_philox;
    maker.expected = &philox.draw;
    run_plain_row(run, "plain philox", &maker, "a loop in C");
    maker.queue = queue_gsl;
    maker.expected = NULL;
    run_gsl(run, &maker);
}

/* ---- Summary ---- */

/* The table of Thomas's slides, "Comparison with other RNGs": for people, as the JSON has its parts. */
static void print_table(const struct run *run)
{
    const double mersenne = run->speed[0][BAILEY_GENERATOR_MT19937];
    if (run->report.as_json || !run->forms[0]) return;
    printf("\nGenerators\n%-18s %-14s %-8s %11s %12s\n", "NAME", "PERIOD", "VERDICT", "G WORDS/S",
           "OF MT19937");
    for (int g = 0; g < GENERATOR_COUNT; g++) {
        const double speed = run->speed[0][g];
        char ratio[24] = "-";
        if (speed <= 0) continue;
        if (mersenne > 0) snprintf(ratio, sizeof ratio, "%.3f", speed / mersenne);
        printf("%-18s %-14s %-8s %11.3f %12s\n", option_generators[g], generator_period((bailey_generator)g),
               bailey_generator_verdict((bailey_generator)g), speed, ratio);
    }
}

static void print_summary(const struct run *run)
{
    if (run->report.as_json) return;
    putchar('\n');
    for (int form = 0; form < FORM_COUNT; form++) {
        for (int i = 0; i < 2; i++) {
            const bailey_generator g = ours[i];
            if (run->speed[form][g] <= 0) continue;
            printf("%s %s: %.1f %s, %.3f of a fill", option_generators[g], form_names[form],
                   run->speed[form][g], form_units[form], run->ratio[form][g]);
            if (run->rival[form].ratio[i] > 0)
                printf(", %.3f of %s (%.1f %s)", run->rival[form].ratio[i], run->rival[form].name,
                       run->rival[form].reference[i], form_units[form]);
            putchar('\n');
        }
    }
}

static uint64_t count_rows(const struct run *run)
{
    uint64_t forms = 0, others = 0;
    for (int f = 0; f < FORM_COUNT; f++) forms += (uint64_t)run->forms[f];
    if (run->bench.curand) others = 18 * forms; /* about as many pairs as it accepts */
    if (run->bench.host && run->forms[0]) others = 8;
    return run->wanted * forms + others;
}

static int run_all(struct run *run)
{
    bench_begin(&run->report, &run->bench.device, &run->bench.settings, count_rows(run));
    for (int form = 0; form < FORM_COUNT; form++) {
        if (!run->forms[form]) continue;
        bench_heading(&run->report, form_headings[form]);
        run_generators(run, form);
        if (form == 0) run_plain(run);
        run_curand(run, form);
        run_rivals(run, form);
    }
    cli_progress_end(&run->report.progress);
    print_table(run);
    print_summary(run);
    return bench_end(&run->report);
}

static uint64_t default_count(const bailey_device *device)
{
    const uint64_t usual = UINT64_C(1) << (device->kind == BAILEY_DEVICE_KIND_CPU ? 25 : 28);
    uint64_t most = device->memory_bytes ? device->memory_bytes / 8 / sizeof(float) : usual;
    if (device->allocation_bytes && device->allocation_bytes / sizeof(float) < most)
        most = device->allocation_bytes / sizeof(float);
    return most < usual ? most : usual;
}

static int run(const struct arguments *a)
{
    static struct run all;
    const int quick = a->value[QUICK] != NULL;
    uint64_t count = quick ? 100003 : 0;
    int code;
    memset(&all, 0, sizeof all);
    all.bench.settings = (struct bench_settings){.repeat = quick ? 1 : 7, .batch_seconds = quick ? 0 : 0.01};
    all.report = (struct bench_report){.count_name = "numbers",
                                       .note_name = "NOTE",
                                       .unit_width = UNIT_WIDTH,
                                       .as_json = a->value[JSON] != NULL};
    for (int g = 0; g < GENERATOR_COUNT; g++) all.generators[g] = !a->value[GENERATORS];
    for (int f = 0; f < FORM_COUNT; f++) all.forms[f] = !a->value[FORMS];
    if ((code = option_list_choice(a, GENERATORS, option_generators, all.generators)) ||
        (code = option_list_choice(a, FORMS, form_names, all.forms)) ||
        (code = option_u64(a, COUNT, 1, UINT64_C(1) << 40, &count)) ||
        (code = option_u64(a, REPEAT, 1, BENCH_MAX_REPEAT, &all.bench.settings.repeat)) ||
        (code = open_device(a->value[DEVICE], a->value[THREADS], &all.bench.context, &all.bench.device)))
        return code;
    for (int g = 0; g < GENERATOR_COUNT; g++) all.wanted += (uint64_t)all.generators[g];
    all.bench.count = count ? count : default_count(&all.bench.device);
    code = random_bench_create(&all.bench, sizeof(uint32_t));
    if (!code) code = run_all(&all);
    random_bench_destroy(&all.bench);
    bailey_context_destroy(all.bench.context);
    return code;
}

const struct command command_bench_random = {
    .name = "bench random",
    .summary = "measure the generators against a fill of the same bytes, cuRAND, GSL",
    .usage = "[--generators A,B,...] [--forms u32,u01] [options]",
    .about =
        "Times every generator as it fills memory with words and with uniform numbers, taking turns with a "
        "fill\n"
        "of the same bytes; on a CUDA device also cuRAND's generators in each of their orderings, if its "
        "library\n"
        "is there, and on a CPU a plain loop in C, memset and the GNU Scientific Library. What was written "
        "is\n"
        "compared with what the cpu backend makes; exit code 1 if a row is wrong.",
    .examples =
        "  bailey bench random --device cuda\n"
        "  bailey bench random --generators warp,philox,mt19937 --forms u32 --json > random.json\n"
        "\nColumns:\n"
        "  VALUE, MS: the median batch, and the time of one call in it.\n"
        "  RATIO, OF: VALUE to that of the reference in the same run. device fill: bailey_buffer_fill of "
        "the\n"
        "  same bytes. Rows random/.../curand: the fastest of cuRAND, taking turns.\n"
        "  NOTE: of a generator its verdict, see 'bailey random --help'.\n"
        "\nOther libraries:\n"
        "  cuRAND: libcurand.so.10, its host interface, seeds made before it is timed. GSL: libgsl.so.27, a "
        "generator\n"
        "  a thread. plain philox, memset: on as many threads as the device has.\n",
    .options = options,
    .run = run,
};
