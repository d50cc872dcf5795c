/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * bailey bench points: Sobol's points into memory, in every form, scramble and layout, against a fill of the
 * same bytes and cuRAND's points in the same run.
 */
#include "bench_random.h"

#include <stdio.h>
#include <string.h>

enum { H_WHAT, FORMS, SCRAMBLES, LAYOUTS, WORD_BITS, DIMS, COUNT, BENCH_LAST_NAMES };

static const struct option options[] = {
    HEADING("What:"),
    OPTION("--forms", "A,B,...", "of u32 and u64 (words), f32 and f64 (normals); default all"),
    OPTION("--scrambles", "A,B,...", "of lms, owen, shift, none; default all"),
    OPTION("--layouts", "A,B", "of dim, point; default both"),
    FIELD(normal_params, word_bits, "--word-bits"),
    OPTION("--dims", "D", "of each point, at most 2^26; default 64"),
    OPTION(
        "--count", "N",
        "numbers per call, whole points; default about 2^28, on a CPU 2^25, or what an eighth of the memory "
        "holds"),
    RANDOM_LAST_OPTIONS};

enum { FORM_COUNT = 4, SCRAMBLE_COUNT = 4, LAYOUT_COUNT = 2 };
static const char *const form_names[] = {"u32", "u64", "f32", "f64", NULL};
static const char *const scramble_names[] = {"lms", "owen", "shift", "none", NULL};
static const char *const layout_names[] = {"point", "dim", NULL};
static const struct {
    const char *heading, *unit;
    bailey_points_form points;
    bailey_precision precision;
    uint32_t word_bits;
} forms[] = {
    {"Words (32 bits) into memory", "G words/s", BAILEY_POINTS_FORM_WORDS, BAILEY_PRECISION_F32, 32},
    {"Words (64 bits) into memory", "G words/s", BAILEY_POINTS_FORM_WORDS, BAILEY_PRECISION_F32, 64},
    {"Normals, single precision, into memory", "G normals/s", BAILEY_POINTS_FORM_NORMALS,
     BAILEY_PRECISION_F32, 32},
    {"Normals, double precision, into memory", "G normals/s", BAILEY_POINTS_FORM_NORMALS,
     BAILEY_PRECISION_F64, 64},
};

/* Of the same forms, what cuRAND has: generators of 32 bits for the first and the third. */
#define KIND(name, text, bytes, what)                                                                        \
    {                                                                                                        \
        text, " " name, "form", name, .element = bytes, .curand = what                                       \
    }
static const struct random_kind kinds[FORM_COUNT] = {KIND("u32", "G words/s", 4, CURAND_MAKES_WORDS),
                                                     KIND("u64", "G words/s", 8, CURAND_MAKES_WORDS_64),
                                                     KIND("f32", "G normals/s", 4, CURAND_MAKES_NORMALS),
                                                     KIND("f64", "G normals/s", 8, CURAND_MAKES_NORMALS_F64)};
#undef KIND

struct run {
    struct random_bench bench;
    uint32_t normal_bits; /* of the words that normals are made of; 0: as the form has it */
    int forms[FORM_COUNT], scrambles[SCRAMBLE_COUNT], layouts[LAYOUT_COUNT];
    uint64_t dims;
};

/* Of the words of a form. */
static uint32_t bits_of(const struct run *run, int form)
{
    const int asked = run->normal_bits && forms[form].points == BAILEY_POINTS_FORM_NORMALS;
    return asked ? run->normal_bits : forms[form].word_bits;
}

/* points/FORM/SCRAMBLE/LAYOUT, and the width of the words where it is not the form's own. */
static void name_of(const struct run *run, int form, int scramble, int layout, const char *rest,
                    char name[64])
{
    const uint32_t bits = bits_of(run, form);
    snprintf(name, 64, "points/%s/%s/%s%s%s", form_names[form], scramble_names[scramble],
             layout_names[layout],
             bits == forms[form].word_bits ? ""
             : bits == 64                  ? "/u64"
                                           : "/u32",
             rest);
}

static struct random_job job_of(struct run *run, int form, int scramble, int layout)
{
    struct random_job job = {.bench = &run->bench};
    job.draw.normal.precision = forms[form].precision;
    job.draw.source.generator = BAILEY_GENERATOR_SOBOL;
    job.draw.source.seed = 1;
    job.draw.source.scramble = (bailey_scramble)scramble;
    job.draw.source.word_bits = bits_of(run, form);
    job.draw.points = (bailey_points_params){.form = forms[form].points,
                                             .layout = (bailey_points_layout)layout,
                                             .precision = forms[form].precision,
                                             .dims = (uint32_t)run->dims};
    job.draw.point_count = run->bench.count / run->dims;
    return job;
}

static void measure(struct run *run, int form, int scramble, int layout)
{
    struct random_job job = job_of(run, form, scramble, layout);
    struct bench_row row;
    char name[64];
    struct random_maker maker = random_drawing(&job, forms[form].unit);
    maker.gaussian = 0; /* points are not independent; and their bits are compared */
    name_of(run, form, scramble, layout, "", name);
    random_bench_measure(&run->bench, name, &maker, &row);
    bench_fact_text(&row, "form", form_names[form]);
    bench_fact_text(&row, "scramble", scramble_names[scramble]);
    bench_fact_text(&row, "layout", layout_names[layout]);
    bench_fact_number(&row, "dims", (double)run->dims);
    random_put_row(&run->bench, &row);
}

/* cuRAND's points are [dim][point], not scrambled or by linear matrices and a shift, as `lms`. */
static void measure_curand(struct run *run, int form, int scrambled)
{
    const int scramble = scrambled ? BAILEY_SCRAMBLE_LMS : BAILEY_SCRAMBLE_NONE;
    struct random_job job = job_of(run, form, scramble, BAILEY_POINTS_LAYOUT_DIM_MAJOR);
    char name[64];
    if (!run->scrambles[scramble] || !run->layouts[BAILEY_POINTS_LAYOUT_DIM_MAJOR]) return;
    name_of(run, form, scramble, BAILEY_POINTS_LAYOUT_DIM_MAJOR, "/curand", name);
    random_curand_points(&run->bench, &kinds[form], (unsigned)((bits_of(run, form) == 64) * 2 + scrambled),
                         (unsigned)run->dims, name, &job);
}

static uint64_t wanted(const int *flags, int count)
{
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) sum += flags[i] != 0;
    return sum;
}

static int run_all(struct run *run)
{
    bench_begin(&run->bench.base, wanted(run->forms, FORM_COUNT) * wanted(run->scrambles, SCRAMBLE_COUNT) *
                                      (wanted(run->layouts, LAYOUT_COUNT) + (run->bench.curand ? 1 : 0)));
    for (int form = 0; form < FORM_COUNT; form++) {
        if (!run->forms[form]) continue;
        bench_heading(&run->bench.base, forms[form].heading);
        for (int layout = 0; layout < LAYOUT_COUNT; layout++)
            for (int scramble = 0; scramble < SCRAMBLE_COUNT; scramble++)
                if (run->layouts[layout] && run->scrambles[scramble]) measure(run, form, scramble, layout);
        for (int scrambled = 0; scrambled < 2; scrambled++) measure_curand(run, form, scrambled);
    }
    return bench_end(&run->bench.base);
}

static int read_what(const struct arguments *a, struct run *run)
{
    bailey_normal_params normal = {0};
    int code;
    run->dims = 64;
    for (int f = 0; f < FORM_COUNT; f++) run->forms[f] = !a->value[FORMS];
    for (int s = 0; s < SCRAMBLE_COUNT; s++) run->scrambles[s] = !a->value[SCRAMBLES];
    for (int l = 0; l < LAYOUT_COUNT; l++) run->layouts[l] = !a->value[LAYOUTS];
    if ((code = option_list_choice(a, FORMS, form_names, run->forms)) ||
        (code = option_list_choice(a, SCRAMBLES, scramble_names, run->scrambles)) ||
        (code = option_list_choice(a, LAYOUTS, layout_names, run->layouts)) ||
        (code = options_read_fields(a, "normal_params", &normal)))
        return code;
    run->normal_bits = normal.word_bits;
    return option_u64(a, DIMS, 1, BAILEY_POINTS_MAX_DIMS, &run->dims);
}

static int run(const struct arguments *a)
{
    static struct run all;
    memset(&all, 0, sizeof all);
    int code = read_what(a, &all);
    if (code) return code;
    const struct random_options asked = {.generators = H_WHAT, /* a heading: none are asked for */
                                         .count = COUNT,
                                         .quick = QUICK,
                                         .multiple = all.dims,
                                         .why = "points have so many dimensions (--dims)",
                                         .unit = "G normals/s"};
    const int wide = all.forms[1] || all.forms[3];
    code = random_bench_open(&all.bench, a, &asked, wide ? 8 : 4);
    if (!code) code = run_all(&all);
    random_bench_close(&all.bench);
    return code;
}

/* clang-format off */ /* a line of help is a line here */
const struct command command_bench_points = {
    .name = "bench points",
    .summary = "measure Sobol's points against a fill of the same bytes, cuRAND",
    .usage = "[--forms u32,f32,...] [--scrambles A,B,...] [--layouts dim,point] [--word-bits 32|64] [--dims "
             "D] [options]",
    .about =
        "Times Sobol's points as they fill memory with words and normals, in every scramble and layout, taking\n"
        "turns with a fill of the same bytes. On a CUDA device also cuRAND's Sobol points of 32 and 64 bits,\n"
        "as they are and scrambled, if its library is there and has so many dimensions. What was written is\n"
        "compared with what the cpu backend makes; exit code 1 if a row is wrong.",
    .examples =
        "  bailey bench points --device cuda\n"
        "  bailey bench points --forms u32 --dims 1000 --json > points.json\n"
        RANDOM_COLUMNS_HELP
        "\n"
        "Rows points/.../curand: taking turns with cuRAND's points, whose scramble is compared with lms.\n",
    .options = options,
    .run = run,
};
/* clang-format on */
