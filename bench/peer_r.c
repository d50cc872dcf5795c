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

#define VARIABLE "BAILEY_RSCRIPT"

static void *load(const struct bench *bench, char *why, size_t why_size)
{
    const char *wanted = getenv(VARIABLE);
    const char *const words[] = {wanted ? wanted : "Rscript", "-e", mlmc_peers_text, NULL};
    struct bench_child *r = calloc(1, sizeof *r);
    (void)bench;
    snprintf(why, why_size, "not enough memory");
    const int started =
        r && bench_child_start(r, words, VARIABLE, "an Rscript with the package mlmc", why, why_size);
    if (started && bench_child_greet(r, "Rscript", why, why_size)) return r;
    if (started) bench_child_stop(r);
    free(r);
    return NULL;
}

static void unload(void *loaded)
{
    bench_child_stop(loaded);
    free(loaded);
}

static int begin(struct bench_entry *e)
{
    const struct bench_child *r = e->loaded;
    e->version = r->version;
    snprintf(e->note, sizeof e->note, "%s", r->note);
    e->error = e->wanted->eps;
    return 1;
}

static bailey_status run(void *entry)
{
    struct bench_entry *e = entry;
    const struct bench_case *c = e->wanted;
    struct bench_child *process = e->loaded;
    char request[100], failed[200] = "";
    snprintf(request, sizeof request, "%d %.17g %llu %u %u\n", (int)c->option + 1, c->eps,
             (unsigned long long)c->first_samples, c->min_level, c->max_level);
    const int heard = bench_child_write(process, request) && bench_child_read(process);
    const int refused = heard && bench_child_text(process, "failed", failed, sizeof failed);
    e->mean = heard ? bench_child_number(process, "value") : NAN;
    e->steps = heard ? bench_child_number(process, "cost") : NAN;
    e->first = bench_child_number(process, "first");
    e->levels = (unsigned)bench_child_number(process, "levels");
    if (!heard || refused || !isfinite(e->mean) || !(e->steps > 0)) {
        bench_child_fail(process, refused ? failed : "it ends while it runs", e->why, sizeof e->why);
        return BAILEY_ERROR_DRIVER;
    }
    e->processor_seconds += bench_child_number(process, "processor");
    return BAILEY_OK;
}

const struct bench_peer bench_peer_r = {
    .name = "r",
    .subjects = BENCH_DOES(LEVELS),
    .is_slow = 1,
    .is_package = 1,
    .load = load,
    .unload = unload,
    .begin = begin,
    .run = run,
};
