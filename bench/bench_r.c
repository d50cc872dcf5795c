/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * R's package mlmc (L. Aslett, after M. Giles's programs) by mlmc_peers.R, whose text is in this program: a
 * process of Rscript, or of what BAILEY_RSCRIPT names, on one thread.
 */
#include "bench_peers.h"

#include "mlmc_peers_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE "BAILEY_RSCRIPT"

struct bench_r {
    struct bench_child process;
    const char *interpreter;
    char version[32], note[64], why[300];
};

static int fail(struct bench_r *r, const char *why)
{
    snprintf(r->why, sizeof r->why, "%.100s: %.180s", r->interpreter, why);
    return 0;
}

static int start(struct bench_r *r)
{
    const char *const words[] = {r->interpreter, "-e", mlmc_peers_text, NULL};
    if (!*r->interpreter) {
        snprintf(r->why, sizeof r->why, VARIABLE " is empty");
        return 0;
    }
    const int error = bench_child_start(&r->process, words);
    if (!error) return 1;
    snprintf(r->why, sizeof r->why,
             "%.100s does not run (%s); " VARIABLE " may name an Rscript with the package mlmc",
             r->interpreter, strerror(error));
    return 0;
}

static int greet(struct bench_r *r)
{
    char missing[200] = "";
    if (!bench_child_read(&r->process)) return fail(r, "it ends before it has said what it found");
    if (bench_child_text(&r->process, "missing", missing, sizeof missing)) return fail(r, missing);
    if (bench_child_text(&r->process, "version", r->version, sizeof r->version) &&
        bench_child_text(&r->process, "note", r->note, sizeof r->note))
        return 1;
    return fail(r, "it is no Rscript");
}

struct bench_r *bench_r_open(char *why, size_t why_size)
{
    const char *wanted = getenv(VARIABLE);
    struct bench_r *r = calloc(1, sizeof *r);
    snprintf(why, why_size, "not enough memory");
    if (!r) return NULL;
    r->interpreter = wanted ? wanted : "Rscript";
    const int started = start(r);
    if (started && greet(r)) return r;
    snprintf(why, why_size, "%s", r->why);
    if (started) bench_child_stop(&r->process);
    free(r);
    return NULL;
}

void bench_r_close(struct bench_r *r)
{
    if (r) bench_child_stop(&r->process);
    free(r);
}

const char *bench_r_version(const struct bench_r *r) { return r->version; }

const char *bench_r_note(const struct bench_r *r) { return r->note; }

const char *bench_r_why(const struct bench_r *r) { return r->why; }

bailey_status bench_r_run(void *user)
{
    struct bench_r_job *job = user;
    struct bench_child *process = &job->r->process;
    char request[100], failed[200] = "";
    snprintf(request, sizeof request, "%d %.17g %llu %u %u\n", job->option, job->eps,
             (unsigned long long)job->first_samples, job->min_level, job->max_level);
    const int heard = bench_child_write(process, request) && bench_child_read(process);
    const int refused = heard && bench_child_text(process, "failed", failed, sizeof failed);
    job->value = heard ? bench_child_number(process, "value") : NAN;
    job->cost = heard ? bench_child_number(process, "cost") : NAN;
    job->first = bench_child_number(process, "first");
    job->levels = bench_child_number(process, "levels");
    if (!heard || refused || !isfinite(job->value) || !(job->cost > 0)) {
        fail(job->r, refused ? failed : "it ends while it runs");
        return BAILEY_ERROR_DRIVER;
    }
    job->processor_seconds += bench_child_number(process, "processor");
    return BAILEY_OK;
}
