/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "bench_random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POISON 0xff /* NaN as a number; as words no generator's for long */

/* ---- Memory ---- */

static int make_space(struct random_bench *bench, struct random_space *space)
{
    bailey_status status;
    if (bench->host) {
        space->memory = bench_host_memory(bench->host, bench->bytes);
        if (!space->memory) return cli_memory_error("the numbers (--count)", bench->bytes);
    }
    if (!strcmp(bench->device.address, "cpu"))
        status = bailey_buffer_adopt_host(bench->context, space->memory, bench->bytes, &space->buffer);
    else
        status = bailey_buffer_create(bench->context, bench->bytes, &space->buffer);
    return cli_check(status, "memory of the numbers (--count)");
}

int random_bench_create(struct random_bench *bench, size_t element)
{
    int code = CLI_OK;
    if (!cli_multiply(bench->count, element, &bench->bytes))
        return cli_error(CLI_USAGE, "--count: %s numbers are more than 2^64 bytes", cli_count(bench->count));
    if (bench->device.kind == BAILEY_DEVICE_KIND_CPU)
        code = bench_host_create(bench->device.units, &bench->host);
    if (!code) code = make_space(bench, &bench->out);
    if (!code) code = make_space(bench, &bench->spare);
    if (!code) code = cli_check(bailey_context_create("cpu", NULL, &bench->cpu), "the cpu, which checks");
    if (!code && !strncmp(bench->device.address, "cuda", 4))
        bench->curand = bench_curand_open(bench->context, bench->curand_why, sizeof bench->curand_why);
    return code;
}

static void free_space(struct random_space *space)
{
    bailey_buffer_destroy(space->buffer);
    free(space->memory);
}

void random_bench_destroy(struct random_bench *bench)
{
    bench_curand_close(bench->curand);
    bailey_context_destroy(bench->cpu);
    free_space(&bench->out);
    free_space(&bench->spare);
    bench_host_destroy(bench->host);
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
    row->state = BENCH_FAILED;
    snprintf(row->reason, sizeof row->reason, "wrong output: number %s is 0x%0*llx, not 0x%0*llx",
             cli_count(number), (int)(2 * element), (unsigned long long)got, (int)(2 * element),
             (unsigned long long)wanted);
    return 0;
}

static int check_window(const struct check *c, uint64_t first, struct bench_row *row)
{
    const size_t element = c->maker->element;
    uint64_t poisoned = 0;
    if (bench_trouble(row, expect(c, first), "check") || bench_trouble(row, read_window(c, first), "check")) {
        row->state = BENCH_FAILED;
        return 0;
    }
    for (uint64_t i = 0; i < c->window; i++) {
        const char *found = c->found + i * element, *expected = c->expected + i * element;
        const int same = !memcmp(found, expected, element);
        if (c->maker->expected && !same) return fail_at(row, first + i, found, expected, element);
        poisoned += same;
    }
    /* a random word may be all ones: three of a window, with a probability of 6e-16, are no chance */
    if (c->maker->expected || poisoned <= 2) return 1;
    row->state = BENCH_FAILED;
    snprintf(row->reason, sizeof row->reason,
             "wrong output: of the %s numbers from %s on %s were not written", cli_count(c->window),
             cli_count(first), cli_count(poisoned));
    return 0;
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
    row->state = BENCH_SKIPPED;
    snprintf(row->reason, sizeof row->reason, "%s", why);
    return 1;
}

static void begin_row(struct bench_row *row, const char *name, const struct random_maker *maker)
{
    memset(row, 0, sizeof *row);
    snprintf(row->name, sizeof row->name, "%s", name);
    row->unit = maker->unit;
    row->of = "";
}

/* Figures of subjects[0], the ratio to subjects[rival]. */
static void fill_row(const struct random_bench *bench, const struct bench_subject *subjects, size_t rival,
                     struct bench_row *row)
{
    const double numbers = (double)bench->count * 1e-9;
    row->count = bench->count;
    row->seconds = subjects[0].median;
    row->value = numbers / subjects[0].median;
    row->least = numbers / subjects[0].most;
    row->most = numbers / subjects[0].least;
    row->reference = numbers / subjects[rival].median;
    row->ratio = subjects[rival].median / subjects[0].median;
    bench_fact_number(row, "calls", (double)subjects[0].calls);
    bench_fact_number(row, "batches", (double)subjects[0].batches);
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
    if (trouble(row, bench_time(bench->context, &bench->settings, subjects, 2, poison, &p), maker)) return 0;
    fill_row(bench, subjects, 1, row);
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
    if (trouble(row, bench_time(bench->context, &bench->settings, subjects, 3, NULL, &p), rival)) return 0;
    fill_row(bench, subjects, 1, row);
    bench_fact_number(row, "fill_ratio", subjects[2].median / subjects[0].median);
    return 1;
}

/* ---- Makers ---- */

static bailey_status queue_draw(void *user)
{
    const struct random_job *job = user;
    return draw_make(job->bench->context, &job->draw, 0, job->bench->count, job->bench->out.buffer);
}

struct random_maker random_drawing(struct random_job *job, const char *unit)
{
    const struct random_maker maker = {.unit = unit,
                                       .element = draw_element(&job->draw),
                                       .queue = queue_draw,
                                       .user = job,
                                       .expected = &job->draw};
    return maker;
}

static const char *curand_why(void *user) { return bench_curand_why(user); }

struct random_maker random_curand(struct random_bench *bench, enum curand_what what, const char *unit)
{
    const struct random_maker maker = {
        .unit = unit, .element = 4, .queue = bench_curand_queue, .user = bench->curand, .why = curand_why};
    bench_curand_aim(bench->curand, what, bench->out.buffer, bench->count);
    return maker;
}
