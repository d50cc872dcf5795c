/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Whatever fills memory with random numbers, as a random_maker: timed in turns with a fill, then compared
 * with what the cpu backend makes, or by its moments where nothing is known.
 */
#include "bench_random.h"

#include "moments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POISON 0xff /* NaN as a number; as words no generator's for long */

/* ---- Memory ---- */

static int make_space(struct random_bench *bench, struct bench_space *space)
{
    const bailey_status status = bench_space_take(bench->base.context, bench->host, bench->bytes, space);
    /* without memory of our own there is no text of the library */
    if (status == BAILEY_ERROR_MEMORY && bench->host)
        return cli_memory_error("the numbers (--count)", bench->bytes);
    return cli_check(status, "memory of the numbers (--count)");
}

static int take_memory(struct random_bench *bench, size_t element)
{
    int code = CLI_OK;
    if (!cli_multiply(bench->count, element, &bench->bytes))
        return cli_error(CLI_USAGE, "--count: %s numbers are more than 2^64 bytes", cli_count(bench->count));
    if (bench->base.device.kind == BAILEY_DEVICE_KIND_CPU)
        code = bench_host_create(bench->base.device.units, &bench->host);
    if (!code) code = make_space(bench, &bench->out);
    if (!code) code = make_space(bench, &bench->spare);
    if (!code) code = cli_check(bailey_context_create("cpu", NULL, &bench->cpu), "the cpu, which checks");
    if (!code && !strncmp(bench->base.device.address, "cuda", 4))
        bench->curand = bench_curand_open(bench->base.context, bench->curand_why, sizeof bench->curand_why);
    return code;
}

void random_bench_close(struct random_bench *bench)
{
    bench_curand_close(bench->curand);
    bailey_context_destroy(bench->cpu);
    bench_space_free(&bench->out);
    bench_space_free(&bench->spare);
    bench_host_destroy(bench->host);
    bench_close(&bench->base);
}

/* ---- The command line ---- */

static uint64_t default_count(const bailey_device *device, size_t element)
{
    const uint64_t usual = UINT64_C(1) << (device->kind == BAILEY_DEVICE_KIND_CPU ? 25 : 28);
    uint64_t most = device->memory_bytes ? device->memory_bytes / 8 / element : usual;
    if (device->allocation_bytes && device->allocation_bytes / element < most)
        most = device->allocation_bytes / element;
    return most < usual ? most : usual;
}

/* A list that may have "all" in it. */
static int read_generators(struct random_bench *bench, const struct arguments *a,
                           const struct random_options *options)
{
    const char *choices[RANDOM_GENERATORS + 2] = {NULL};
    int wanted[RANDOM_GENERATORS + 1] = {0};
    struct arguments given = *a;
    const char **list = &given.value[options->generators];
    for (int g = 0; g < RANDOM_GENERATORS; g++) choices[g] = bailey_generator_name((bailey_generator)g);
    choices[RANDOM_GENERATORS] = "all";
    if (!*list) *list = options->generator ? options->generator : "all";
    const int code = option_list_choice(&given, options->generators, choices, wanted);
    for (int g = 0; g < RANDOM_GENERATORS; g++) bench->generators[g] = wanted[g] || wanted[RANDOM_GENERATORS];
    return code;
}

int random_bench_open(struct random_bench *bench, const struct arguments *a,
                      const struct random_options *options, size_t element)
{
    uint64_t count = 0;
    int code;
    memset(bench, 0, sizeof *bench);
    bench->base.report = (struct bench_report){
        .count_name = "numbers", .note_name = "NOTE", .unit_width = (int)strlen(options->unit)};
    if ((code = read_generators(bench, a, options)) ||
        (code = option_u64(a, options->count, 1, UINT64_C(1) << 40, &count)))
        return code;
    if (count % options->multiple)
        return cli_error(CLI_USAGE, "--count: %s is not a multiple of %s: %s", cli_count(count),
                         cli_count(options->multiple), options->why);
    if ((code = bench_open(&bench->base, a, options->quick, 7))) return code;
    if (!count)
        count = (bench->base.quick ? 100003 : default_count(&bench->base.device, element)) /
                options->multiple * options->multiple;
    bench->count = count;
    return take_memory(bench, element);
}

/* ---- The check ---- */

struct check {
    struct random_bench *bench;
    const struct random_maker *maker;
    uint64_t window; /* elements */
    bailey_buffer *buffer;
    char *expected, *found;
};

static bailey_status read_window(const struct check *c, uint64_t first)
{
    const size_t element = c->maker->element;
    if (!c->maker->in_memory)
        return bailey_buffer_read(c->bench->out.buffer, first * element, c->found, c->window * element);
    memcpy(c->found, (const char *)c->bench->out.memory + first * element, (size_t)c->window * element);
    return BAILEY_OK;
}

/* Elements first ... as the cpu backend makes them; what must not be there if nothing is known of them. */
static bailey_status expect(const struct check *c, uint64_t first)
{
    const uint64_t bytes = c->window * c->maker->element;
    memset(c->expected, POISON, (size_t)bytes);
    if (!c->maker->expected) return BAILEY_OK;
    bailey_status status = draw_make(c->bench->cpu, c->maker->expected, first, c->window, c->buffer);
    return status ? status : bailey_buffer_read(c->buffer, 0, c->expected, bytes);
}

static int fail_at(struct bench_row *row, uint64_t number, const char *found, const char *expected,
                   size_t element)
{
    uint64_t got = 0, wanted = 0;
    memcpy(&got, found, element); /* the low bytes: hosts are little-endian (npy.c) */
    memcpy(&wanted, expected, element);
    bench_fail(row, "wrong output: number %s is 0x%0*llx, not 0x%0*llx", cli_count(number),
               (int)(2 * element), (unsigned long long)got, (int)(2 * element), (unsigned long long)wanted);
    return 0;
}

/* The window against what it must be. */
static int check_expected(const struct check *c, uint64_t first, struct bench_row *row)
{
    const size_t element = c->maker->element;
    for (uint64_t i = 0; i < c->window; i++) {
        const char *found = c->found + i * element, *expected = c->expected + i * element;
        if (!memcmp(found, expected, element)) continue;
        if (c->maker->tolerance <= 0) return fail_at(row, first + i, found, expected, element);
        const double value = bench_real(found, 0, element), wanted = bench_real(expected, 0, element);
        if (fabs(value - wanted) <= c->maker->tolerance) continue; /* false for NaN */
        bench_fail(row, "wrong output: number %s is %.9g, not about %.9g", cli_count(first + i), value,
                   wanted);
        return 0;
    }
    return 1;
}

/* The window where nothing is known but that all of it was to be written. */
static int check_written(const struct check *c, uint64_t first, struct bench_row *row)
{
    const size_t element = c->maker->element;
    uint64_t poisoned = 0;
    for (uint64_t i = 0; i < c->window; i++)
        poisoned += !memcmp(c->found + i * element, c->expected + i * element, element);
    /* a random word may be all ones: three of a window, with a probability of 6e-16, are no chance */
    if (poisoned <= 2) return 1;
    bench_fail(row, "wrong output: of the %s numbers from %s on %s were not written", cli_count(c->window),
               cli_count(first), cli_count(poisoned));
    return 0;
}

static int check_gaussian(const struct check *c, uint64_t first, struct bench_row *row)
{
    char why[120];
    if (moments_good(c->found, c->window, c->maker->element, why, sizeof why)) return 1;
    if (c->maker->weak) {
        snprintf(row->note, sizeof row->note, "weak: %.40s", why);
        return 1;
    }
    bench_fail(row, "wrong output: from number %s on, %s", cli_count(first), why);
    return 0;
}

static int check_window(const struct check *c, uint64_t first, struct bench_row *row)
{
    if (bench_trouble(row, expect(c, first), "check") || bench_trouble(row, read_window(c, first), "check")) {
        row->state = BENCH_FAILED;
        return 0;
    }
    if (c->maker->gaussian && !check_gaussian(c, first, row)) return 0;
    return c->maker->expected ? check_expected(c, first, row) : check_written(c, first, row);
}

/* The first, the middle and the last 2^16: more than a run (bailey/device/run.h). */
static int check_output(struct random_bench *bench, const struct random_maker *maker, struct bench_row *row)
{
    const uint64_t window = bench->count < 65536 ? bench->count : 65536, bytes = window * maker->element;
    const uint64_t first[] = {0, (bench->count - window) / 2, bench->count - window};
    struct check c = {.bench = bench, .maker = maker, .window = window};
    c.expected = malloc((size_t)bytes);
    c.found = malloc((size_t)bytes);
    bailey_status status =
        c.expected && c.found ? bailey_buffer_create(bench->cpu, bytes, &c.buffer) : BAILEY_ERROR_MEMORY;
    int good = !bench_trouble(row, status, "check");
    for (int i = 0; i < 3 && good; i++) good = check_window(&c, first[i], row);
    bailey_buffer_destroy(c.buffer);
    free(c.expected);
    free(c.found);
    return good;
}

/* ---- Measurements ---- */

struct problem {
    struct random_bench *bench;
    const struct random_maker *maker;
    uint64_t bytes;
};

static bailey_status queue_fill(void *user)
{
    const struct problem *p = user;
    return bailey_buffer_fill(p->bench->spare.buffer, 0, 0, p->bytes);
}

static bailey_status poison(void *user)
{
    const struct problem *p = user;
    if (p->maker->in_memory) memset(p->bench->out.memory, POISON, (size_t)p->bytes);
    return bailey_buffer_fill(p->bench->out.buffer, 0, POISON, p->bytes);
}

static int trouble(struct bench_row *row, bailey_status status, const struct random_maker *maker)
{
    const char *why = maker->why ? maker->why(maker->user) : "";
    if (status == BAILEY_OK) return 0;
    if (!*why) return bench_trouble(row, status, "");
    bench_skip(row, why);
    return 1;
}

static void begin_row(struct bench_row *row, const char *name, const struct random_maker *maker)
{
    memset(row, 0, sizeof *row);
    snprintf(row->name, sizeof row->name, "%s", name);
    row->unit = maker->unit;
    row->of = "";
}

int random_bench_measure(struct random_bench *bench, const char *name, const struct random_maker *maker,
                         struct bench_row *row)
{
    static struct bench_subject subjects[BENCH_MAX_SUBJECTS];
    struct problem p = {bench, maker, bench->count * maker->element};
    begin_row(row, name, maker);
    row->of = "device fill";
    memset(subjects, 0, sizeof subjects);
    subjects[0].queue = maker->queue;
    subjects[0].user = maker->user;
    subjects[1].queue = queue_fill;
    subjects[1].user = &p;
    if (trouble(row, bench_time(bench->base.context, &bench->base.settings, subjects, 2, poison, &p), maker))
        return 0;
    row->count = bench->count;
    bench_figures(row, subjects, 1, (double)bench->count * 1e-9);
    return check_output(bench, maker, row);
}

int random_bench_compare(struct random_bench *bench, const char *name, const struct random_maker *maker,
                         const struct random_maker *rival, const char *of, struct bench_row *row)
{
    static struct bench_subject subjects[BENCH_MAX_SUBJECTS];
    struct problem p = {bench, maker, bench->count * maker->element};
    begin_row(row, name, maker);
    row->of = of;
    memset(subjects, 0, sizeof subjects);
    subjects[0].queue = maker->queue;
    subjects[0].user = maker->user;
    subjects[1].queue = rival->queue;
    subjects[1].user = rival->user;
    subjects[2].queue = queue_fill;
    subjects[2].user = &p;
    if (trouble(row, bench_time(bench->base.context, &bench->base.settings, subjects, 3, NULL, &p), rival))
        return 0;
    row->count = bench->count;
    bench_figures(row, subjects, 1, (double)bench->count * 1e-9);
    bench_fact_number(row, "fill_ratio", subjects[2].median / subjects[0].median);
    return 1;
}

/* ---- Makers ---- */

static bailey_status queue_draw(void *user)
{
    const struct random_job *job = user;
    return draw_make(job->bench->base.context, &job->draw, 0, job->bench->count, job->bench->out.buffer);
}

/* Far above the bounds of docs/accuracy.md, which the tests hold, and far below what separates two normals:
 * another element's would be within it once in some thousand. */
#define FAST_TOLERANCE (1.0 / 4096)

struct random_maker random_drawing(struct random_job *job, const char *unit)
{
    const struct draw *draw = &job->draw;
    struct random_maker maker = {.unit = unit,
                                 .element = draw_element(draw),
                                 .queue = queue_draw,
                                 .user = job,
                                 .expected = &job->exact};
    job->exact = *draw;
    job->exact.normal.numerics = BAILEY_NUMERICS_EXACT;
    maker.gaussian = draw->points.form == BAILEY_POINTS_FORM_NORMALS;
    maker.weak = !strcmp(bailey_generator_verdict(draw->source.generator), "weak");
    if (maker.gaussian && draw->normal.numerics != BAILEY_NUMERICS_EXACT) maker.tolerance = FAST_TOLERANCE;
    return maker;
}

static const char *curand_why(void *user) { return bench_curand_why(user); }

/* What bench->curand was last told to select; aims it. */
static struct random_maker curand_maker(struct random_bench *bench, const struct random_kind *kind)
{
    const struct random_maker maker = {.unit = kind->unit,
                                       .element = kind->element,
                                       .queue = bench_curand_queue,
                                       .user = bench->curand,
                                       .why = curand_why,
                                       .gaussian = kind->gaussian};
    bench_curand_aim(bench->curand, kind->curand, bench->out.buffer, bench->count);
    return maker;
}

struct random_maker random_plain_maker(struct random_plain *plain, const struct random_kind *kind,
                                       bailey_status (*queue)(void *user))
{
    const struct random_maker maker = {.unit = kind->unit,
                                       .element = kind->element,
                                       .queue = queue,
                                       .user = plain,
                                       .in_memory = 1,
                                       .gaussian = kind->gaussian};
    plain->element = kind->element;
    return maker;
}

/* ---- Rows ---- */

void random_put_row(struct random_bench *bench, const struct bench_row *row)
{
    bench_step(&bench->base);
    bench_row(&bench->base, row);
}

void random_skip_row(struct random_bench *bench, const char *name, const struct random_kind *kind,
                     const char *why)
{
    struct bench_row row = {.state = BENCH_SKIPPED, .unit = kind->unit};
    snprintf(row.name, sizeof row.name, "%s%s", name, kind->suffix);
    snprintf(row.reason, sizeof row.reason, "%s", why);
    random_put_row(bench, &row);
}

static void keep_best(struct random_rival *best, const struct bench_row *row, unsigned generator,
                      unsigned ordering)
{
    if (row->value <= best->speed) return;
    best->speed = row->value;
    best->generator = generator;
    best->ordering = ordering;
    snprintf(best->name, sizeof best->name, "%s", row->name);
}

/* What bench->curand was last told to select, alone. */
static int measure_curand(struct random_bench *bench, const struct random_kind *kind, const char *name,
                          struct bench_row *row)
{
    char full[64];
    const struct random_maker maker = curand_maker(bench, kind);
    snprintf(full, sizeof full, "%.48s%s", name, kind->suffix);
    const int good = random_bench_measure(bench, full, &maker, row);
    if (!good && row->state == BENCH_SKIPPED && bench_curand_lacks(bench->curand)) return 0;
    snprintf(row->note, sizeof row->note, "cuRAND %s", bench_curand_version(bench->curand));
    bench_fact_text(row, "curand", bench_curand_version(bench->curand));
    bench_fact_text(row, kind->fact, kind->fact_text);
    random_put_row(bench, row);
    return good;
}

static void run_curand(struct random_bench *bench, const struct random_kind *kind, unsigned generator,
                       unsigned ordering, struct random_rival *best)
{
    struct bench_row row;
    char name[64];
    int refused;
    snprintf(name, sizeof name, "curand %s %s", bench_curand_generator(generator),
             bench_curand_ordering(ordering));
    if (!bench_curand_select(bench->curand, generator, ordering, &refused)) {
        if (!refused) random_skip_row(bench, name, kind, bench_curand_why(bench->curand));
        return;
    }
    if (measure_curand(bench, kind, name, &row)) keep_best(best, &row, generator, ordering);
}

void random_curand_rows(struct random_bench *bench, const struct random_kind *kind, struct random_rival *best)
{
    if (strncmp(bench->base.device.address, "cuda", 4) != 0) return;
    if (!bench->curand) {
        random_skip_row(bench, "curand", kind, bench->curand_why);
        return;
    }
    for (unsigned g = 0; bench_curand_generator(g); g++) {
        for (unsigned o = 0; bench_curand_ordering(o); o++) run_curand(bench, kind, g, o, best);
    }
}

int random_curand_compare(struct random_bench *bench, const struct random_kind *kind,
                          const struct random_rival *rival, const char *name, struct random_job *job,
                          struct bench_row *row)
{
    int refused;
    if (rival->speed <= 0 || !bench_curand_select(bench->curand, rival->generator, rival->ordering, &refused))
        return 0;
    const struct random_maker theirs = curand_maker(bench, kind), ours = random_drawing(job, kind->unit);
    const int good = random_bench_compare(bench, name, &ours, &theirs, rival->name, row);
    bench_fact_text(row, kind->fact, kind->fact_text);
    random_put_row(bench, row);
    return good;
}

void random_curand_points(struct random_bench *bench, const struct random_kind *kind, unsigned generator,
                          unsigned dims, const char *name, struct random_job *job)
{
    struct bench_row row;
    char rival[64];
    if (strncmp(bench->base.device.address, "cuda", 4) != 0) return;
    snprintf(rival, sizeof rival, "curand %s", bench_curand_quasi(generator));
    if (!bench->curand || !bench_curand_select_points(bench->curand, generator, dims)) {
        random_skip_row(bench, rival, kind,
                        bench->curand ? bench_curand_why(bench->curand) : bench->curand_why);
        return;
    }
    if (!measure_curand(bench, kind, rival, &row)) return;
    const struct random_maker theirs = curand_maker(bench, kind), ours = random_drawing(job, kind->unit);
    random_bench_compare(bench, name, &ours, &theirs, rival, &row);
    bench_fact_text(&row, kind->fact, kind->fact_text);
    random_put_row(bench, &row);
}

void random_plain_row(struct random_bench *bench, const struct random_kind *kind, const char *name,
                      const struct random_maker *maker, const char *note, struct random_rival *best)
{
    struct bench_row row;
    char full[64];
    snprintf(full, sizeof full, "%.48s%s", name, kind->suffix);
    const int good = random_bench_measure(bench, full, maker, &row);
    snprintf(row.note, sizeof row.note, "%s", note);
    bench_fact_text(&row, kind->fact, kind->fact_text);
    random_put_row(bench, &row);
    if (good && best) keep_best(best, &row, 0, 0);
}

static bailey_status queue_memset(void *user)
{
    const struct random_plain *plain = user;
    plain_memset(plain->bench->host, plain->bench->out.memory, 0, plain->bench->count * plain->element);
    return BAILEY_OK;
}

void random_memset_row(struct random_plain *plain, const struct random_kind *kind)
{
    struct random_maker maker = random_plain_maker(plain, kind, queue_memset);
    maker.gaussian = 0;
    random_plain_row(plain->bench, kind, "memset", &maker, "the C library's", NULL);
}

void random_gsl_rows(struct random_plain *plain, const struct random_kind *kind, const char *const *names,
                     const char *call, bailey_status (*queue)(void *user), struct random_rival *best)
{
    const struct random_maker maker = random_plain_maker(plain, kind, queue);
    char why[200] = "";
    plain->gsl = plain_gsl_open(why, sizeof why);
    if (!plain->gsl) random_skip_row(plain->bench, "gsl", kind, why);
    for (int i = 0; names[i] && plain->gsl; i++) {
        char name[64], note[48];
        snprintf(name, sizeof name, "gsl %s", names[i]);
        if (!plain_gsl_select(plain->gsl, names[i], bench_host_threads(plain->bench->host))) {
            random_skip_row(plain->bench, name, kind, "gsl_rng_alloc: no such generator, or no memory");
            continue;
        }
        snprintf(note, sizeof note, "%s, %u bits a draw", call, plain_gsl_bits(plain->gsl));
        random_plain_row(plain->bench, kind, name, &maker, note, best);
    }
    plain_gsl_close(plain->gsl);
    plain->gsl = NULL;
}
