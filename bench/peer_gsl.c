/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The GNU Scientific Library, with a generator for each thread; what of its interface is used is declared
 * here, as its manual gives it.
 */
#include "bench_peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gsl {
    void *library;
    void *(*alloc)(const void *type);
    void (*set)(const void *generator, unsigned long seed);
    unsigned long (*get)(const void *generator);
    unsigned long (*max)(const void *generator);
    void (*release)(void *generator);
    void *(*no_handler)(void); /* errors are returned: the handler that is set ends the program */
    double (*ziggurat)(const void *generator, double deviation);
    void **generator; /* one per thread */
    unsigned threads;
};

static void *load(const struct bench *bench, char *why, size_t why_size)
{
    static const char *const names[] = {"libgsl.so.28", "libgsl.so.27", "libgsl.so", NULL};
    struct gsl *gsl = calloc(1, sizeof *gsl);
    (void)bench;
    snprintf(why, why_size, "not enough memory");
    if (!gsl) return NULL;
    const struct dynamic_symbol symbols[] = {
        {"gsl_rng_alloc", (void **)&gsl->alloc},
        {"gsl_rng_set", (void **)&gsl->set},
        {"gsl_rng_get", (void **)&gsl->get},
        {"gsl_rng_max", (void **)&gsl->max},
        {"gsl_rng_free", (void **)&gsl->release},
        {"gsl_ran_gaussian_ziggurat", (void **)&gsl->ziggurat},
        {"gsl_set_error_handler_off", (void **)&gsl->no_handler},
    };
    gsl->library = dynamic_open(names, symbols, sizeof symbols / sizeof *symbols, why, why_size);
    if (gsl->library) {
        gsl->no_handler();
        return gsl;
    }
    free(gsl);
    return NULL;
}

static void release_generators(struct gsl *gsl)
{
    for (unsigned i = 0; i < gsl->threads; i++) {
        if (gsl->generator[i]) gsl->release(gsl->generator[i]);
    }
    free(gsl->generator);
    gsl->generator = NULL;
    gsl->threads = 0;
}

static void unload(void *loaded)
{
    struct gsl *gsl = loaded;
    release_generators(gsl);
    dynamic_close(gsl->library);
    free(gsl);
}

static const char *setting(const struct bench_case *wanted, unsigned number)
{
    static const char *const words[] = {"mt19937", "taus2", "gfsr4", "mrg", "cmrg", "ranlxs0"};
    return number < (wanted->subject == BENCH_WORDS ? 6 : 2) ? words[number] : NULL;
}

static int make_generators(struct gsl *gsl, const char *name, unsigned threads)
{
    char symbol[40] = "gsl_rng_";
    strncat(symbol, name, sizeof symbol - strlen(symbol) - 1);
    const void *const *type = dynamic_find(gsl->library, symbol);
    release_generators(gsl);
    gsl->generator = type ? calloc(threads, sizeof *gsl->generator) : NULL;
    if (!gsl->generator) return 0;
    gsl->threads = threads;
    for (unsigned i = 0; i < threads; i++) {
        gsl->generator[i] = gsl->alloc(*type);
        if (!gsl->generator[i]) return 0;
        gsl->set(gsl->generator[i], i + 1);
    }
    return 1;
}

static int begin(struct bench_entry *e)
{
    struct gsl *gsl = e->loaded;
    unsigned bits = 0;
    if (!make_generators(gsl, setting(e->wanted, e->setting), bench_host_threads(e->wanted->host))) {
        snprintf(e->why, sizeof e->why, "gsl_rng_alloc: no such generator, or no memory");
        return 0;
    }
    for (unsigned long most = gsl->max(gsl->generator[0]); most; most >>= 1) bits++;
    snprintf(e->note, sizeof e->note, "%s, %u bits a draw",
             e->wanted->subject == BENCH_WORDS ? "gsl_rng_get" : "ziggurat", bits);
    return 1;
}

static void part(void *user, unsigned index, unsigned threads)
{
    const struct bench_entry *e = user;
    const struct bench_case *c = e->wanted;
    const struct gsl *gsl = e->loaded;
    const void *generator = gsl->generator[index];
    unsigned long (*const get)(const void *) = gsl->get;
    double (*const draw)(const void *, double) = gsl->ziggurat;
    void *out = c->out->memory;
    uint64_t at, end;
    plain_part(c->count, index, threads, &at, &end);
    if (c->subject == BENCH_WORDS)
        for (; at < end; at++) ((uint32_t *)out)[at] = (uint32_t)get(generator);
    else if (c->element == sizeof(double))
        for (; at < end; at++) ((double *)out)[at] = draw(generator, 1);
    else
        for (; at < end; at++) ((float *)out)[at] = (float)draw(generator, 1);
}

static bailey_status run(void *entry)
{
    bench_host_run(((struct bench_entry *)entry)->wanted->host, part, entry);
    return BAILEY_OK;
}

const struct bench_peer bench_peer_gsl = {
    .name = "gsl",
    .subjects = BENCH_DOES(WORDS) | BENCH_DOES(NORMALS),
    .place = BENCH_BESIDE_PROCESSORS,
    .load = load,
    .unload = unload,
    .setting = setting,
    .begin = begin,
    .run = run,
};
