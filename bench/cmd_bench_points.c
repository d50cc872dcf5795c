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
    OPTION("--forms", "A,B,...", "any of u32 and u64 (words), f32 and f64 (normals); default all"),
    OPTION("--scrambles", "A,B,...", "any of lms, owen, shift, none; default all"),
    OPTION("--layouts", "A,B", "dim, point; default both"),
    FIELD(normal_params, word_bits, "--word-bits"),
    OPTION("--dims", "D", "dimensions of each point, at most 2^26; default 64"),
    OPTION(
        "--count", "N",
        "numbers per call, whole points; default about 2^28, on a CPU 2^25, or what an eighth of the memory "
        "holds"),
    RANDOM_LAST_OPTIONS};

enum { FORM_COUNT = 4, SCRAMBLE_COUNT = 4, LAYOUT_COUNT = 2 };
static const char *const scramble_names[] = {"lms", "owen", "shift", "none", NULL};
static const char *const layout_names[] = {"point", "dim", NULL};
static const struct {
    bailey_points_form points;
    bailey_precision precision;
    uint32_t word_bits;
} forms[] = {
    {BAILEY_POINTS_FORM_WORDS, BAILEY_PRECISION_F32, 32},
    {BAILEY_POINTS_FORM_WORDS, BAILEY_PRECISION_F32, 64},
    {BAILEY_POINTS_FORM_NORMALS, BAILEY_PRECISION_F32, 32},
    {BAILEY_POINTS_FORM_NORMALS, BAILEY_PRECISION_F64, 64},
};

static const struct random_kind kinds[FORM_COUNT] = {
    {"G words/s", " u32", "form", "u32", .element = 4},
    {"G words/s", " u64", "form", "u64", .element = 8},
    {"G normals/s", " f32", "form", "f32", .element = 4},
    {"G normals/s", " f64", "form", "f64", .element = 8},
};

struct run {
    struct random_bench bench;
    uint32_t normal_bits; /* of the words that normals are computed from; 0: as the form has it */
    int scrambles[SCRAMBLE_COUNT], layouts[LAYOUT_COUNT];
    uint64_t dims;
    struct random_rival rivals[BENCH_PEER_COUNT]; /* of the case of peers before */
};

/* For the words of a form. */
static uint32_t bits_of(const struct run *run, int form)
{
    const int asked = run->normal_bits && forms[form].points == BAILEY_POINTS_FORM_NORMALS;
    return asked ? run->normal_bits : forms[form].word_bits;
}

/* points/FORM/SCRAMBLE/LAYOUT, and the width of the words where it is not the form's own. */
static void name_of(const struct run *run, int form, int scramble, int layout, char *name)
{
    const uint32_t bits = bits_of(run, form);
    *name = 0;
    if (!run->layouts[layout] || !run->scrambles[scramble]) return;
    snprintf(name, BENCH_NAME, "points/%s/%s/%s%s", kinds[form].fact_text, scramble_names[scramble],
             layout_names[layout],
             bits == forms[form].word_bits ? ""
             : bits == 64                  ? "/u64"
                                           : "/u32");
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

static void measure_ours(struct run *run, int form, int scramble, int layout, struct bench_row *row)
{
    struct random_job job = job_of(run, form, scramble, layout);
    struct random_maker maker = random_drawing(&job, kinds[form].unit);
    maker.gaussian = 0; /* points are not independent; and their bits are compared */
    random_bench_measure(&run->bench, &maker, row);
    bench_fact_text(row, "form", kinds[form].fact_text);
    bench_fact_text(row, "scramble", scramble_names[scramble]);
    bench_fact_text(row, "layout", layout_names[layout]);
    bench_fact_number(row, "dims", (double)run->dims);
}

/* ---- Cases: ours by layout and scramble; then, not scrambled and scrambled, those of peers and ours against
 * them. Peers' points are [dim][point]; their scramble is by linear matrices and a shift, as `lms`. ---- */

enum { OURS = LAYOUT_COUNT * SCRAMBLE_COUNT, PEER_LAYOUT = BAILEY_POINTS_LAYOUT_DIM_MAJOR };

static bailey_scramble scramble_of(int scrambled)
{
    return scrambled ? BAILEY_SCRAMBLE_LMS : BAILEY_SCRAMBLE_NONE;
}

static struct bench_case case_of(const struct run *run, int form, int scrambled)
{
    struct bench_case c = random_case(&run->bench, &kinds[form]);
    c.dims = (uint32_t)run->dims;
    c.scrambled = scrambled;
    c.is_normal = forms[form].points == BAILEY_POINTS_FORM_NORMALS;
    c.word_bits = bits_of(run, form);
    return c;
}

/* Case `index` after ours: the peer's number, or that of all for ours against them; false beyond the last. */
static int split(const struct run *run, int form, size_t index, struct bench_case *c, size_t *peer)
{
    const size_t each = bench_peer_settings(c) + 1;
    *c = case_of(run, form, index / each == 1);
    *peer = index % each;
    return index / each < 2;
}

static int name_case(const struct bench *bench, size_t index, char *name)
{
    const struct run *run = (const struct run *)bench;
    const int form = (int)bench->table;
    struct bench_case c = case_of(run, form, 0);
    size_t peer;
    if (index < OURS) {
        name_of(run, form, index % SCRAMBLE_COUNT, index / SCRAMBLE_COUNT, name);
        return 1;
    }
    if (!split(run, form, index - OURS, &c, &peer)) return 0;
    name_of(run, form, scramble_of(c.scrambled), PEER_LAYOUT, name);
    if (*name) random_peer_name(&c, &kinds[form], peer, name);
    return 1;
}

static void measure(struct bench *bench, size_t index, struct bench_row *row)
{
    struct run *run = (struct run *)bench;
    const int form = (int)bench->table;
    struct bench_case c = case_of(run, form, 0);
    size_t peer;
    if (index < OURS) {
        measure_ours(run, form, index % SCRAMBLE_COUNT, index / SCRAMBLE_COUNT, row);
        return;
    }
    split(run, form, index - OURS, &c, &peer);
    if (!peer) memset(run->rivals, 0, sizeof run->rivals);
    if (peer < bench_peer_settings(&c)) {
        random_peer_measure(&run->bench, &c, &kinds[form], peer, run->rivals, row);
    } else {
        struct random_job job = job_of(run, form, scramble_of(c.scrambled), PEER_LAYOUT);
        random_compare(&run->bench, &c, &kinds[form], run->rivals, &job, row);
    }
}

static const struct bench_table tables[FORM_COUNT] = {
    {"u32", "Words (32 bits) into memory", BENCH_POINTS, name_case, measure, NULL},
    {"u64", "Words (64 bits) into memory", BENCH_POINTS, name_case, measure, NULL},
    {"f32", "Normals, single precision, into memory", BENCH_POINTS, name_case, measure, NULL},
    {"f64", "Normals, double precision, into memory", BENCH_POINTS, name_case, measure, NULL},
};

static int read_what(const struct arguments *a, struct run *run)
{
    bailey_normal_params normal = {0};
    int code;
    run->dims = 64;
    for (int s = 0; s < SCRAMBLE_COUNT; s++) run->scrambles[s] = !a->value[SCRAMBLES];
    for (int l = 0; l < LAYOUT_COUNT; l++) run->layouts[l] = !a->value[LAYOUTS];
    if ((code = bench_tables(&run->bench.base, a, FORMS, tables, FORM_COUNT)) ||
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
    const struct random_options asked = {.generators = H_WHAT, /* a title: none are asked for */
                                         .count = COUNT,
                                         .quick = QUICK,
                                         .multiple = all.dims,
                                         .why = "points have so many dimensions (--dims)",
                                         .unit = "G normals/s"};
    const int wide = all.bench.base.wanted[1] || all.bench.base.wanted[3];
    code = random_bench_open(&all.bench, a, &asked, wide ? 8 : 4);
    if (!code) code = bench_run(&all.bench.base);
    random_bench_close(&all.bench);
    return code;
}

/* clang-format off */ /* a line of help is a line here */
const struct command command_bench_points = {
    .name = "bench points",
    .summary = "measure Sobol points against a fill of the same bytes, cuRAND",
    .usage = "[--forms u32,f32,...] [--scrambles A,B,...] [--layouts dim,point] [--word-bits 32|64] [--dims "
             "D] [options]",
    .about =
        "Times Sobol points as they fill memory with words and normals, with every scramble and layout;\n"
        "batches alternate with a fill of the same bytes. On a CUDA device it also times cuRAND's Sobol points\n"
        "of 32 and 64 bits, plain and scrambled, if the library is there and has enough dimensions. Results\n"
        "are compared with those of the cpu backend; exit code 1 if a row is wrong.",
    .examples =
        "  bailey bench points --device cuda\n"
        "  bailey bench points --forms u32 --dims 1000 --json > points.json\n"
        RANDOM_COLUMNS_HELP
        "Rows points/.../curand: cuRAND's points, whose scramble is\n"
        "  compared with lms.\n",
    .options = options,
    .run = run,
};
/* clang-format on */
