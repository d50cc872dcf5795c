/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * NumPy and QuantLib by python_peers.py, whose text is in this program: a Python process for each thread,
 * which waits for numbers of paths until it is closed.
 */
#include "bench_peers.h"

#include "python_peers_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE "BAILEY_PYTHON"

struct bench_python {
    const char *interpreter;
    char version[32], note[64], why[300];
    unsigned count;
    struct bench_child process[];
};

static int fail(struct bench_python *p, const char *what, const char *why)
{
    snprintf(p->why, sizeof p->why, "%s%s%.200s", what, *why ? ": " : "", why);
    return 0;
}

static int start(struct bench_python *p, struct bench_child *process, const char *module,
                 const char *precision, const char *deal)
{
    char seed[16];
    snprintf(seed, sizeof seed, "%d", (int)(process - p->process) + 1);
    const char *const words[] = {p->interpreter, "-c", python_peers_text, module, precision, seed,
                                 deal,           NULL};
    const int error = bench_child_start(process, words);
    if (!error) return 1;
    snprintf(p->why, sizeof p->why, "%.100s does not run (%s); " VARIABLE " may name a Python with %s",
             p->interpreter, strerror(error), module);
    return 0;
}

static int greet(struct bench_python *p, struct bench_child *process)
{
    char missing[200] = "";
    if (!bench_child_read(process))
        return fail(p, p->interpreter, "it ends before it has said what it found");
    if (bench_child_text(process, "missing", missing, sizeof missing))
        return fail(p, p->interpreter, missing);
    if (bench_child_text(process, "version", p->version, sizeof p->version) &&
        bench_child_text(process, "note", p->note, sizeof p->note))
        return 1;
    return fail(p, p->interpreter, "it is no Python 3");
}

/* ---- All of them ---- */

struct bench_python *bench_python_open(const char *module, const char *precision, const char *deal,
                                       unsigned processes, char *why, size_t why_size)
{
    const char *wanted = getenv(VARIABLE);
    struct bench_python *p = calloc(1, sizeof *p + processes * sizeof p->process[0]);
    snprintf(why, why_size, "not enough memory");
    if (!p) return NULL;
    p->interpreter = wanted ? wanted : "python3";
    int good = *p->interpreter || fail(p, VARIABLE " is empty", "");
    for (unsigned i = 0; i < processes && good; i++) {
        good = start(p, &p->process[i], module, precision, deal);
        p->count += (unsigned)good;
    }
    for (unsigned i = 0; i < p->count && good; i++) good = greet(p, &p->process[i]);
    if (good) return p;
    snprintf(why, why_size, "%s", p->why);
    bench_python_close(p);
    return NULL;
}

void bench_python_close(struct bench_python *p)
{
    for (unsigned i = 0; p && i < p->count; i++) bench_child_stop(&p->process[i]);
    free(p);
}

const char *bench_python_version(const struct bench_python *p) { return p->version; }

const char *bench_python_note(const struct bench_python *p) { return p->note; }

unsigned bench_python_processes(const struct bench_python *p) { return p->count; }

const char *bench_python_why(const struct bench_python *p) { return p->why; }

/* At least two paths for each process: one alone has no standard error. */
static uint64_t share_of(const struct bench_python_job *job, unsigned index)
{
    const unsigned count = job->python->count;
    const uint64_t share = job->paths * (index + 1) / count - job->paths * index / count;
    return share < 2 ? 2 : share;
}

bailey_status bench_python_run(void *user)
{
    struct bench_python_job *job = user;
    struct bench_python *p = job->python;
    double sum = 0, squares = 0, n = 0;
    char request[32], failed[200] = "";
    int good = 1;
    for (unsigned i = 0; i < p->count && good; i++) {
        snprintf(request, sizeof request, "%llu\n", (unsigned long long)share_of(job, i));
        good = bench_child_write(&p->process[i], request);
    }
    for (unsigned i = 0; i < p->count && good; i++) {
        struct bench_child *process = &p->process[i];
        if (!(good = bench_child_read(process))) break;
        if (bench_child_text(process, "failed", failed, sizeof failed)) break;
        sum += bench_child_number(process, "sum");
        squares += bench_child_number(process, "squares");
        job->processor_seconds += bench_child_number(process, "processor");
        n += (double)share_of(job, i);
    }
    if (!good || *failed || !isfinite(sum) || !isfinite(squares)) {
        fail(p, p->interpreter, *failed ? failed : "it ends while it prices");
        return BAILEY_ERROR_DRIVER;
    }
    job->mean = sum / n;
    job->error = sqrt((squares / n - job->mean * job->mean) / n);
    return BAILEY_OK;
}
