/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Plain C of this program (bench_plain.h), and the C library's memset, on all threads of the processor.
 */
#include "bench_peers.h"

#include <stdio.h>
#include <stdlib.h>

static const char *setting(const struct bench_case *wanted, unsigned number)
{
    static const char *const names[][3] = {
        [BENCH_WORDS] = {"philox", NULL},
        [BENCH_NORMALS] = {"box-muller", "polar"},
        [BENCH_BASKET] = {"xoshiro256+", "philox"},
        [BENCH_ASIAN_MAX] = {"constant", "mt19937/ziggurat"},
        [BENCH_LOOKBACK_GARCH] = {"constant", "mt19937/ziggurat"},
        [BENCH_LEVELS] = {"", "thread", "philox"},
    };
    return number < 3 ? names[wanted->subject][number] : NULL;
}

union own {
    struct plain_basket basket;
    struct plain_gems gems;
    struct plain_mlmc levels;
};

static union own make(const struct bench_entry *e)
{
    const struct bench_case *c = e->wanted;
    const int is_double = c->precision == BAILEY_PRECISION_F64;
    switch (c->subject) {
    case BENCH_BASKET: {
        struct plain_basket basket = {.host = c->host, .is_double = is_double, .is_philox = e->setting == 1, .paths = c->count};
        if (is_double)
            basket.f64 = *(const struct deal_f64 *)c->deal;
        else
            basket.f32 = *(const struct deal_f32 *)c->deal;
        return (union own){.basket = basket};
    }
    case BENCH_LEVELS:
        return (union own){.levels = {.host = e->setting == 1 ? c->one : c->host,
                                      .option = c->option,
                                      .is_double = is_double,
                                      .eps = c->eps,
                                      .first_samples = c->first_samples,
                                      .min_level = c->min_level,
                                      .max_level = c->max_level,
                                      .seed = 1,
                                      .is_philox = e->setting == 2}};
    default:
        return (union own){.gems = {.host = c->host,
                                    .deal = c->deal,
                                    .garch = c->subject == BENCH_LOOKBACK_GARCH,
                                    .constant = !e->setting,
                                    .paths = c->count}};
    }
}

static int begin(struct bench_entry *e)
{
    union own *own = e->own = malloc(sizeof *own);
    const enum bench_subject subject = e->wanted->subject;
    snprintf(e->why, sizeof e->why, "%s", own ? "" : "not enough memory");
    if (!own) return 0;
    e->is_philox = subject == BENCH_WORDS;
    snprintf(e->note, sizeof e->note, "%s",
             e->is_philox                ? "a loop in C"
             : subject == BENCH_NORMALS ? "a loop in C, Philox"
                                        : "in C, vectors by GCC");
    if (subject > BENCH_NORMALS) *own = make(e);
    return 1;
}

static void take_levels(struct bench_entry *e, const struct plain_mlmc *m)
{
    e->mean = m->value;
    e->error = m->eps;
    e->steps = m->cost;
    e->first = (double)m->samples[0];
    e->levels = m->levels;
}

static bailey_status call(struct bench_entry *e)
{
    const struct bench_case *c = e->wanted;
    union own *own = e->own;
    bailey_status status = BAILEY_OK;
    switch (c->subject) {
    case BENCH_WORDS: plain_philox(c->host, 1, c->out->memory, c->count); break;
    case BENCH_NORMALS:
        plain_normals(c->host, (int)e->setting, 1, c->element, c->out->memory, c->count);
        break;
    case BENCH_BASKET:
        status = plain_basket_run(&own->basket);
        e->mean = own->basket.mean;
        e->error = own->basket.error;
        break;
    case BENCH_LEVELS:
        if (!(status = plain_mlmc_run(&own->levels))) take_levels(e, &own->levels);
        break;
    default:
        status = plain_gems_run(&own->gems);
        e->mean = own->gems.mean;
        e->error = own->gems.error;
    }
    return status;
}

static bailey_status run(void *entry)
{
    struct bench_entry *e = entry;
    const double begun = bench_processor_seconds();
    const bailey_status status = call(e);
    e->processor_seconds += bench_processor_seconds() - begun;
    return status;
}

const struct bench_peer bench_peer_plain = {
    .name = "plain",
    .subjects = BENCH_DOES(WORDS) | BENCH_DOES(NORMALS) | BENCH_DOES(BASKET) | BENCH_DOES(ASIAN_MAX) |
                BENCH_DOES(LOOKBACK_GARCH) | BENCH_DOES(LEVELS),
    .place = BENCH_BESIDE_PROCESSORS,
    .setting = setting,
    .begin = begin,
    .run = run,
};

static int begin_memset(struct bench_entry *e)
{
    snprintf(e->note, sizeof e->note, "the C library's");
    e->is_limit = 1;
    return 1;
}

static bailey_status run_memset(void *entry)
{
    const struct bench_case *c = ((struct bench_entry *)entry)->wanted;
    plain_memset(c->host, c->out->memory, 0, c->count * c->element);
    return BAILEY_OK;
}

const struct bench_peer bench_peer_memset = {
    .name = "memset",
    .subjects = BENCH_DOES(WORDS) | BENCH_DOES(NORMALS),
    .place = BENCH_BESIDE_PROCESSORS,
    .begin = begin_memset,
    .run = run_memset,
};
