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
        return cli_error(CLI_USAGE, "--count: %s numbers exceed 2^64 bytes", cli_count(bench->count));
    if (bench->base.device.kind == BAILEY_DEVICE_KIND_CPU)
        code = bench_host_create(bench->base.device.units, &bench->host);
    if (!code) code = make_space(bench, &bench->out);
    if (!code) code = make_space(bench, &bench->spare);
    if (!code) code = cli_check(bailey_context_create("cpu", NULL, &bench->cpu), "the cpu, which checks");
    return code;
}

void random_bench_close(struct random_bench *bench)
{
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

/* The window where nothing is known but that all of it was meant to be written. */
static int check_written(const struct check *c, uint64_t first, struct bench_row *row)
{
    const size_t element = c->maker->element;
    uint64_t poisoned = 0;
    for (uint64_t i = 0; i < c->window; i++)
        poisoned += !memcmp(c->found + i * element, c->expected + i * element, element);
    /* a random word may be all ones: three of a window, with a probability of 6e-16, are not chance */
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
    if (status == BAILEY_OK || !maker->why || !*maker->why) return bench_trouble(row, status, "");
    bench_skip(row, maker->why);
    return 1;
}

/* Times it in turns with a fill; or, with a rival, with that and a fill: the ratio is to the rival, the fact
 * "fill_ratio" to the fill. False without figures. */
static int time_maker(struct random_bench *bench, const struct random_maker *maker,
                      const struct random_maker *rival, struct bench_row *row)
{
    struct problem p = {bench, maker, bench->count * maker->element};
    const struct bench_timed fill = {.queue = queue_fill, .user = &p};
    struct bench_timed timed[] = {{.queue = maker->queue, .user = maker->user}, fill, fill};
    if (rival) timed[1] = (struct bench_timed){.queue = rival->queue, .user = rival->user};
    row->unit = maker->unit;
    const bailey_status status = bench_time(bench->base.context, &bench->base.settings, timed, rival ? 3 : 2,
                                            rival ? NULL : poison, &p);
    if (trouble(row, status, rival ? rival : maker)) return 0;
    row->count = bench->count;
    bench_figures(row, timed, 1, (double)bench->count * 1e-9);
    if (rival) bench_fact_number(row, "fill_ratio", timed[2].median / timed[0].median);
    return 1;
}

int random_bench_measure(struct random_bench *bench, const struct random_maker *maker, struct bench_row *row)
{
    row->of = "device fill";
    return time_maker(bench, maker, NULL, row) && check_output(bench, maker, row);
}

/* ---- Makers ---- */

static bailey_status queue_draw(void *user)
{
    const struct random_job *job = user;
    return draw_make(job->bench->base.context, &job->draw, 0, job->bench->count, job->bench->out.buffer);
}

/* Far above the bounds of docs/developers/accuracy.md, which the tests hold, and far below what separates two
 * normals: another element's would be within it once in some thousand. */
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
    maker.gaussian = draw->points.form == BAILEY_POINTS_FORM_NORMALS && !draw->distributed;
    maker.weak = !strcmp(bailey_generator_verdict(draw->source.generator), "weak");
    if (maker.gaussian && draw->normal.numerics != BAILEY_NUMERICS_EXACT) maker.tolerance = FAST_TOLERANCE;
    return maker;
}

/* ---- Peers ---- */

static struct random_maker entry_maker(struct bench_entry *e, const struct random_kind *kind)
{
    static const struct draw philox = {.source = {.generator = BAILEY_GENERATOR_PHILOX, .seed = 1},
                                       .points = {.form = BAILEY_POINTS_FORM_WORDS}};
    return (struct random_maker){.unit = kind->unit,
                                 .element = kind->element,
                                 .queue = e->peer->run,
                                 .user = e,
                                 .why = e->why,
                                 .in_memory = e->wanted->host != NULL,
                                 .expected = e->is_philox ? &philox : NULL,
                                 .gaussian = kind->gaussian && !e->is_limit};
}

struct bench_case random_case(const struct random_bench *bench, const struct random_kind *kind)
{
    return (struct bench_case){.bench = &bench->base,
                               .subject = bench_subject_of(&bench->base),
                               .precision = kind->element == 8 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32,
                               .host = bench->host,
                               .count = bench->count,
                               .out = &bench->out,
                               .element = kind->element,
                               .is_normal = kind->gaussian,
                               .mean = kind->mean};
}

int random_peer_name(const struct bench_case *wanted, const struct random_kind *kind, size_t index,
                     char *name)
{
    unsigned setting;
    const struct bench_peer *peer = bench_peer_at(wanted, (unsigned)index, &setting);
    if (!peer) return 0;
    const char *rest = bench_peer_setting(peer, wanted, setting);
    snprintf(name, BENCH_NAME, "%s%s%s%s", peer->name, *rest ? " " : "", rest, kind->suffix);
    if (!bench_peer_is_here(peer, wanted)) *name = 0;
    return 1;
}

static void skip_entry(const struct bench_entry *e, const struct random_kind *kind, struct bench_row *row)
{
    const int has_more = bench_peer_setting(e->peer, e->wanted, 1) != NULL;
    row->unit = kind->unit;
    bench_skip(row, e->why);
    if (e->missing && has_more) snprintf(row->name, sizeof row->name, "%s%s", e->peer->name, kind->suffix);
    if (e->refused || (e->missing && e->setting)) *row->name = 0;
}

static void measure_entry(struct random_bench *bench, struct bench_entry *e, const struct random_kind *kind,
                          struct random_rival *best, struct bench_row *row)
{
    const struct random_maker maker = entry_maker(e, kind);
    const int good = random_bench_measure(bench, &maker, row);
    snprintf(row->note, sizeof row->note, "%s", e->note);
    if (e->peer->version) bench_fact_text(row, e->peer->version, e->version);
    bench_fact_text(row, kind->fact, kind->fact_text);
    if (e->refused) *row->name = 0;
    if (!good || e->is_limit || row->value <= best->speed) return;
    *best = (struct random_rival){.speed = row->value, .peer = e->peer, .setting = e->setting};
    snprintf(best->name, sizeof best->name, "%s", e->wanted->subject == BENCH_POINTS ? e->name : row->name);
}

void random_peer_measure(struct random_bench *bench, const struct bench_case *wanted,
                         const struct random_kind *kind, size_t index, struct random_rival *rivals,
                         struct bench_row *row)
{
    struct bench_entry entry;
    unsigned setting;
    const struct bench_peer *peer = bench_peer_at(wanted, (unsigned)index, &setting);
    if (bench_entry_begin(&entry, peer, setting, wanted, ' '))
        measure_entry(bench, &entry, kind, &rivals[bench_peer_number(peer)], row);
    else
        skip_entry(&entry, kind, row);
    bench_entry_end(&entry);
}

static const struct random_rival *fastest_on_device(const struct random_rival *rivals)
{
    const struct random_rival *best = NULL;
    for (int i = 0; i < BENCH_PEER_COUNT; i++) {
        const struct random_rival *rival = &rivals[i];
        if (rival->speed > (best ? best->speed : 0) && rival->peer->place == BENCH_ON_CUDA) best = rival;
    }
    return best;
}

const struct random_rival *random_compare(struct random_bench *bench, const struct bench_case *wanted,
                                          const struct random_kind *kind, const struct random_rival *rivals,
                                          struct random_job *job, struct bench_row *row)
{
    const struct random_rival *rival = fastest_on_device(rivals);
    struct bench_entry entry = {0};
    int good = *row->name && rival && bench_entry_begin(&entry, rival->peer, rival->setting, wanted, ' ');
    if (good) {
        const struct random_maker theirs = entry_maker(&entry, kind), ours = random_drawing(job, kind->unit);
        const size_t used = strlen(row->name);
        snprintf(row->name + used, sizeof row->name - used, "/%s", rival->peer->name);
        row->of = rival->name;
        good = time_maker(bench, &ours, &theirs, row);
        bench_fact_text(row, kind->fact, kind->fact_text);
    } else {
        *row->name = 0;
    }
    bench_entry_end(&entry);
    return good ? rival : NULL;
}
