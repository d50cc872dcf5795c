/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * NumPy, QuantLib, diffrax, torchsde and JAX by python_peers.py, whose text is in this program: a Python process
 * for each thread, which waits for numbers of paths until it is closed. A peer of them is a line at the end.
 */
#include "bench_peers.h"

#include "python_peers_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE "BAILEY_PYTHON"

/* The processes of the last entry, which may be those of the next. */
struct python {
    char text[4096];
    bailey_precision precision;
    unsigned count;
    struct bench_child *process;
};

static void *load(const struct bench *bench, char *why, size_t why_size)
{
    (void)bench;
    snprintf(why, why_size, "not enough memory");
    return calloc(1, sizeof(struct python));
}

static void stop(struct python *p)
{
    for (unsigned i = 0; i < p->count; i++) bench_child_stop(&p->process[i]);
    free(p->process);
    p->process = NULL;
    p->count = 0;
}

static void unload(void *loaded)
{
    stop(loaded);
    free(loaded);
}

static int start(struct bench_entry *e, struct python *p)
{
    const char *wanted = getenv(VARIABLE), *real = option_precision(p->precision);
    char seed[16], python[64];
    const char *const words[] = {
        wanted ? wanted : "python3", "-c", python_peers_text, e->peer->name, real, seed, p->text, NULL};
    snprintf(seed, sizeof seed, "%u", p->count + 1);
    snprintf(python, sizeof python, "a Python with %s", e->peer->name);
    const int started =
        bench_child_start(&p->process[p->count], words, VARIABLE, python, e->why, sizeof e->why);
    p->count += (unsigned)started;
    return started;
}

static int start_all(struct bench_entry *e, struct python *p)
{
    const struct bench_case *c = e->wanted;
    const unsigned processes = c->host ? bench_host_threads(c->host) : 1;
    stop(p);
    p->precision = c->precision;
    snprintf(p->text, sizeof p->text, "%s", c->text);
    p->process = calloc(processes, sizeof *p->process);
    snprintf(e->why, sizeof e->why, "%s", p->process ? "" : "not enough memory");
    int good = p->process != NULL;
    for (unsigned i = 0; i < processes && good; i++) good = start(e, p);
    for (unsigned i = 0; i < p->count && good; i++)
        good = bench_child_greet(&p->process[i], "Python 3", e->why, sizeof e->why);
    if (!good) stop(p);
    return good;
}

static int begin(struct bench_entry *e)
{
    struct python *p = e->loaded;
    const int running = p->count && p->precision == e->wanted->precision && !strcmp(p->text, e->wanted->text);
    if (!running && !start_all(e, p)) return 0;
    e->version = p->process->version;
    snprintf(e->note, sizeof e->note, "%s", p->process->note);
    e->processes = p->count;
    return 1;
}

/* At least two paths for each process: one alone has no standard error. */
static uint64_t share_of(const struct bench_entry *e, unsigned index)
{
    const uint64_t paths = e->wanted->count;
    const uint64_t share = paths * (index + 1) / e->processes - paths * index / e->processes;
    return share < 2 ? 2 : share;
}

static bailey_status run(void *entry)
{
    struct bench_entry *e = entry;
    struct python *p = e->loaded;
    double sum = 0, squares = 0, slope = 0, n = 0;
    char request[32], failed[200] = "";
    int good = 1;
    for (unsigned i = 0; i < p->count && good; i++) {
        snprintf(request, sizeof request, "%llu\n", (unsigned long long)share_of(e, i));
        good = bench_child_write(&p->process[i], request);
    }
    for (unsigned i = 0; i < p->count && good; i++) {
        struct bench_child *process = &p->process[i];
        if (!(good = bench_child_read(process))) break;
        if (bench_child_text(process, "failed", failed, sizeof failed)) break;
        sum += bench_child_number(process, "sum");
        squares += bench_child_number(process, "squares");
        slope += bench_child_number(process, "slope");
        e->processor_seconds += bench_child_number(process, "processor");
        n += (double)share_of(e, i);
    }
    if (!good || *failed || !isfinite(sum) || !isfinite(squares)) {
        bench_child_fail(p->process, *failed ? failed : "it ends while it prices", e->why, sizeof e->why);
        return BAILEY_ERROR_DRIVER;
    }
    e->mean = sum / n;
    e->slope = slope / n; /* NaN of what has none */
    e->error = sqrt((squares / n - e->mean * e->mean) / n);
    return BAILEY_OK;
}

#define PEER(id, module, subject, where)                                                                     \
    const struct bench_peer bench_peer_##id = {.name = module,                                               \
                                               .subjects = BENCH_DOES(subject),                              \
                                               .place = where,                                               \
                                               .is_package = 1,                                              \
                                               .version = "module_version",                                  \
                                               .load = load,                                                 \
                                               .unload = unload,                                             \
                                               .begin = begin,                                               \
                                               .run = run};
PEER(numpy, "numpy", BASKET, BENCH_BESIDE_PROCESSORS)
PEER(quantlib, "quantlib", AVERAGE, BENCH_BESIDE_PROCESSORS)
PEER(diffrax, "diffrax", MOTION, BENCH_EVERYWHERE)
PEER(torchsde, "torchsde", MOTION, BENCH_EVERYWHERE)
PEER(torchsde_halfway, "torchsde-halfway", MOTION, BENCH_EVERYWHERE)
PEER(jax, "jax", GRADIENTS, BENCH_EVERYWHERE)
