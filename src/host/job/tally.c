/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A tally runs parts of a run and collects their nodes. A part's nodes have the same bits on every device,
 * and are joined in a fixed way: any parts, in any order and from anywhere, give the bits of a plain run.
 */
#include "tally.h"

#include <base/alloc.h>
#include <host/bridge/bridge_internal.h>
#include <host/run/estimate.h>

#include <stdio.h>
#include <string.h>

/* For a part: few enough paths that slow devices do not take long, and at least those of a group. Large
 * ranges of parts have nodes of higher levels, so that small parts cost GPUs nothing. */
#define PART_BITS 14u
#define SMALL_PART_BITS 12u
#define MANY_ROWS 4096u
#define FEW_PATHS (UINT64_C(1) << 20)

#define MOST_RESULTS (1u << 20)

#define COUNTED_PATHS (UINT64_C(1) << 31) /* at once, of a histogram's 32 bits */

/* ---- Making one ---------------------------------------------------------------------------------- */

/* A function of the run alone. */
static uint32_t part_bits_of(const bailey_simulation *s, const bailey_simulation_run_params *p)
{
    const uint64_t total = bly_multiply(p->paths, bly_simulation_replicates(p));
    return s->z_rows > MANY_ROWS || (total && total < FEW_PATHS) ? SMALL_PART_BITS : PART_BITS;
}

/* Checks a run of so many results; of a histogram, which counts 32 bits at once, all but the number of paths.
 */
static bailey_status check_run(const bailey_simulation *s, const bailey_simulation_run_params *params,
                               uint64_t results)
{
    uint64_t count;
    enum bly_draw draw;
    bailey_simulation_run_params whole = *params, one = *params;
    whole.histogram.bins = 0;
    one.paths = one.replicates = 1;
    one.histogram.counts = &count;
    const bailey_status status = bly_simulation_check_run(s, &whole, results, &draw);
    return status == BAILEY_OK ? bly_simulation_check_run(s, &one, results, &draw) : status;
}

static void copy_params(bailey_tally *t, const bailey_simulation_run_params *params)
{
    t->params = *params;
    t->params.progress = NULL;
    t->params.histogram.counts = NULL;
    for (uint32_t o = 0; params->expected && o < t->results; o++) t->expected[o] = params->expected[o];
    if (params->expected) t->params.expected = t->expected;
    if (params->covariance) t->params.covariance = t->expected; /* it is needed; nothing is written there */
}

static int has_products(const bailey_simulation_run_params *params)
{
    return params->covariance || params->expected;
}

/* A variant with the rows that all passes together have. */
static struct bly_simulation_variant variant_of(const bailey_simulation_run_params *params, uint32_t results)
{
    return (struct bly_simulation_variant){.results = results,
                                           .products = (uint32_t)has_products(params),
                                           .shape = params->moments,
                                           .fixed = params->sum == BAILEY_SUM_FIXED};
}

static bailey_status create(const bailey_simulation *s, const bailey_simulation_run_params *params,
                            bailey_tally *t)
{
    const uint64_t last = params->first_path + (params->paths - 1);
    const struct bly_simulation_variant v = variant_of(params, t->results);
    const struct bly_simulation_rows rows = bly_simulation_rows_of(&v);
    copy_params(t, params);
    bly_tally_identify(s, params, &t->identity);
    snprintf(t->name, sizeof t->name, "%s", s->payoff.name);
    t->part_bits = part_bits_of(s, params);
    t->points = bly_source_kind(&params->source) == BAILEY_SOURCE_KIND_POINT;
    t->replicates = bly_simulation_replicates(params);
    t->each = (last >> t->part_bits) - (params->first_path >> t->part_bits) + 1;
    t->fixed = bly_simulation_fixed_of(&v);
    t->set = (struct bly_node_set){.rows = rows.all,
                                   .sums = rows.sums,
                                   .fixed = v.fixed ? &t->fixed : NULL,
                                   .first = params->first_path,
                                   .last = last};
    if (!params->histogram.bins) return BAILEY_OK;
    t->counts = bly_alloc(params->histogram.bins + (size_t)2, sizeof *t->counts);
    return t->counts ? BAILEY_OK : bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a histogram");
}

/* Checks the run, and counts its results. */
static bailey_status plan(const bailey_simulation *s, const bailey_simulation_run_params *params,
                          uint32_t *results)
{
    struct bly_scenario_plan *scenarios = NULL;
    if (params->samples)
        return bly_fail_argument(
            "samples", "samples is set, but only bailey_simulation_run keeps samples, not tallies and jobs");
    bailey_status status = bly_scenarios_plan(s, params, &scenarios);
    const uint64_t count = status == BAILEY_OK ? bly_scenarios_results(scenarios) : 0;
    if (status == BAILEY_OK) status = check_run(s, params, count);
    if (status == BAILEY_OK && count > MOST_RESULTS)
        status = bly_fail_argument("scenarios", "scenarios have %llu results; the maximum in a tally is %u",
                                   (unsigned long long)count, MOST_RESULTS);
    bly_scenarios_free(scenarios);
    *results = (uint32_t)count;
    return status;
}

static bailey_status make(const bailey_simulation *s, const bailey_simulation_run_params *params,
                          bailey_tally **tally)
{
    uint32_t results = 0;
    bailey_status status = plan(s, params, &results);
    if (status != BAILEY_OK) return status;
    bailey_tally *t = *tally = bly_alloc(1, sizeof *t);
    if (!t) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a tally");
    t->results = results;
    return create(s, params, t);
}

bailey_status bailey_tally_create(bailey_simulation *s, const bailey_simulation_run_params *params,
                                  bailey_tally **tally)
{
    if (!s) return bly_fail_argument("simulation", "simulation is NULL");
    if (!tally) return bly_finish(s->context, bly_fail_argument("tally", "tally is NULL"));
    *tally = NULL;
    BLY_ENTER(s->context);
    if (BLY_REFUSES(params)) return bly_finish(s->context, BAILEY_ERROR_INVALID);
    const bailey_simulation_run_params sized = bly_simulation_sized(params);
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status = make(s, &sized, tally);
    fesetenv(&callers);
    if (status != BAILEY_OK) {
        bailey_tally_destroy(*tally);
        *tally = NULL;
    }
    return bly_finish(s->context, status);
}

void bailey_tally_destroy(bailey_tally *t)
{
    if (!t) return;
    bly_node_set_free(&t->set);
    bly_free(t->counts);
    bly_free(t);
}

/* ---- Places -------------------------------------------------------------------------------------- */

/* The number of a replicate's first part among all multiples of a part's paths. */
static uint64_t base_of(const bailey_tally *t) { return t->params.first_path >> t->part_bits; }

/* The first path of part `part`, and of the one past the last: the end of the run. */
static uint64_t path_of(const bailey_tally *t, uint64_t part)
{
    if (part == 0) return t->params.first_path;
    if (part >= t->each) return t->params.first_path + t->params.paths;
    return (base_of(t) + part) << t->part_bits;
}

uint64_t bly_tally_first_paths(const bailey_tally *t, uint64_t parts)
{
    return path_of(t, parts) - path_of(t, 0);
}

uint64_t bly_tally_paths(const bailey_tally *t, const struct bly_window *w, uint64_t first, uint64_t count)
{
    uint64_t paths = 0;
    while (count) {
        const uint64_t place = first % w->count, rest = w->count - place;
        const uint64_t parts = count < rest ? count : rest;
        const uint64_t times = place == 0 && count >= w->count ? count / w->count : 1;
        const uint64_t begin = w->first + place;
        paths += times * (path_of(t, begin + parts) - path_of(t, begin));
        first += times * parts;
        count -= times * parts;
    }
    return paths;
}

uint64_t bly_tally_place(const bailey_tally *t, const struct bly_window *w, uint64_t replicate, uint64_t path)
{
    return replicate * w->count + ((path >> t->part_bits) - base_of(t) - w->first);
}

/* The part past the last of a node's. */
static uint64_t end_of(const bailey_tally *t, const struct bly_node *node)
{
    const uint64_t end = (bly_node_last(node) >> t->part_bits) + 1 - base_of(t);
    return end < t->each ? end : t->each;
}

uint64_t bly_tally_gap(const bailey_tally *t, const struct bly_window *w, uint64_t from, uint64_t *count)
{
    const uint64_t places = w->count * t->replicates;
    *count = 0;
    while (from < places) {
        const uint64_t replicate = from / w->count, part = w->first + from % w->count;
        const uint64_t end = w->first + w->count;
        const uint64_t at = bly_node_set_find(&t->set, replicate, path_of(t, part));
        const struct bly_node *node = at < t->set.count ? &t->set.node[at] : NULL;
        if (node && node->replicate == replicate && bly_node_begin(node) <= path_of(t, part)) {
            const uint64_t known = end_of(t, node) < end ? end_of(t, node) : end;
            from += known - part;
            continue;
        }
        const uint64_t next =
            node && node->replicate == replicate ? (bly_node_begin(node) >> t->part_bits) - base_of(t) : end;
        *count = (next < end ? next : end) - part;
        return from;
    }
    return places;
}

/* ---- Running ------------------------------------------------------------------------------------- */

/* The height up to which a range's nodes are the run's: what ends in the middle of the run ends there at a
 * multiple of 2^height. */
static uint32_t height_at(uint64_t path)
{
    uint32_t height = 0;
    while (height < BLY_MOST_HEIGHT && !(path >> height & 1)) height++;
    return height;
}

static struct bly_simulation_range range_of(const bailey_tally *t, uint64_t replicate, uint64_t replicates,
                                            uint64_t part, uint64_t parts)
{
    const uint64_t begin = path_of(t, part), end = path_of(t, part + parts);
    const uint32_t left = part ? height_at(begin) : UINT32_MAX;
    const uint32_t right = part + parts < t->each ? height_at(end) : UINT32_MAX;
    return (struct bly_simulation_range){.replicate = replicate,
                                         .replicates = replicates,
                                         .first = begin,
                                         .paths = end - begin,
                                         .height = left < right ? left : right};
}

/* A pass over ranges: its nodes have rows for its results alone. */
struct finding {
    struct bly_fault *fault;
    const bailey_tally *tally;
    const bailey_simulation *simulation;
    struct bly_node_set set;
    struct bly_fixed fixed;  /* of the set */
    uint32_t first, results; /* of the pass; 0 results: nothing has come */
};

/* Below a part's height there is nothing to come. */
static bailey_status take(void *user, const struct bly_pass *pass, uint64_t replicate, struct bly_tree *tree)
{
    struct finding *f = user;
    f->first = (uint32_t)pass->first;
    f->results = pass->results;
    f->set.rows = tree->rows;
    f->set.sums = tree->sums;
    if (tree->fixed) {
        f->fixed = *tree->fixed;
        f->set.fixed = &f->fixed;
    }
    bly_tree_settle(tree, f->tally->part_bits);
    if (!bly_node_set_reserve(&f->set, tree->count))
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a tally");
    for (uint32_t i = 0; i < tree->count; i++) {
        const struct bly_node node = {replicate, tree->node[i].number, tree->node[i].height};
        const double *value = tree->value + (uint64_t)i * tree->rows;
        bailey_status status = bly_simulation_check_sums(f->simulation->payoff.name, &f->tally->params,
                                                         pass->first, tree, value);
        if (f->simulation->payoff.site_count) status = bly_fault_defer(f->fault, status);
        if (status != BAILEY_OK) return status;
        bly_node_set_add(&f->set, &node, value);
    }
    return BAILEY_OK;
}

/* Sums, squares, third and fourth powers, extrema. */
static uint32_t kinds_of(const bailey_tally *t) { return t->params.moments ? 6 : 2; }

/* Rows of kind `kind` that each result has: words, of sums in integers. */
static uint32_t rows_each(const bailey_tally *t, uint32_t kind)
{
    return t->set.fixed && kind < 4 ? kind + 2 : 1;
}

/* Copies a node's rows of results first .. first + count - 1, which is all of them, to a node of all results.
 * A word that is behind the sums in integers is the same in all nodes that are not refused. */
static void put_rows(const bailey_tally *t, double *all, uint32_t first, const double *some, uint32_t count)
{
    const uint32_t kinds = kinds_of(t), sums = kinds < 4 ? kinds : 4;
    if (count == t->results) {
        memcpy(all, some, t->set.rows * sizeof *all);
        return;
    }
    for (uint32_t kind = 0; kind < kinds; kind++) {
        const uint64_t each = rows_each(t, kind);
        memcpy(all + each * first, some, each * count * sizeof *all);
        all += each * t->results;
        some += each * count;
        if (t->set.fixed && kind + 1 == sums) memcpy(all++, some++, sizeof *all);
    }
}

/* Copies numbers of results first .. first + count - 1 from those of all. */
static void gather(const bailey_tally *t, const double *all, uint32_t first, double *some, uint32_t count)
{
    if (count == t->results) {
        memcpy(some, all, t->set.rows * sizeof *all);
        return;
    }
    for (uint32_t kind = 0; kind < kinds_of(t); kind++)
        memcpy(some + (uint64_t)kind * count, all + (uint64_t)kind * t->results + first, count * sizeof *all);
}

/* Adds the nodes of a pass. All passes over the same paths have nodes at the same places. */
static bailey_status collect(const bailey_tally *t, struct finding *f, struct bly_node_set *all)
{
    if (all->count == 0) {
        if (!bly_node_set_reserve(all, f->set.count))
            return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a tally");
        memcpy(all->node, f->set.node, f->set.count * sizeof *all->node);
        all->count = f->set.count;
    }
    for (uint64_t i = 0; i < all->count; i++)
        put_rows(t, all->value + i * all->rows, f->first, f->set.value + i * f->set.rows, f->results);
    return BAILEY_OK;
}

/* How many replicates, and of them parts, are run at once. */
static void choose_range(const bailey_tally *t, const struct bly_window *w, uint64_t place, uint64_t count,
                         uint64_t *replicates, uint64_t *parts)
{
    const uint64_t most = t->counts ? COUNTED_PATHS >> t->part_bits : UINT64_MAX;
    *parts = w->count - place < count ? w->count - place : count;
    if (*parts > most) *parts = most;
    *replicates = *parts == w->count ? count / w->count : 1;
    if (*replicates > most / *parts) *replicates = most / *parts;
}

/* Places of a window that must be run on a simulation. */
struct work {
    bailey_simulation *s;
    const struct bly_window *window;
    uint64_t first, count;
    bailey_simulation_run_params params; /* the histogram is a copy */
    enum bly_draw draw;
    struct bly_scenario_plan *plan;
};

/* One pass over all ranges. */
static bailey_status run_pass(const struct work *w, struct finding *f, uint64_t pass, uint64_t *counts)
{
    const bailey_tally *t = f->tally;
    const struct bly_window *window = w->window;
    const uint32_t bins = t->counts ? t->params.histogram.bins + 2 : 0;
    bailey_status status = BAILEY_OK;
    for (uint64_t at = w->first, left = w->count; left && status == BAILEY_OK;) {
        uint64_t replicates, parts;
        choose_range(t, window, at % window->count, left, &replicates, &parts);
        const struct bly_simulation_range range =
            range_of(t, at / window->count, replicates, window->first + at % window->count, parts);
        if (bins) memset(w->params.histogram.counts, 0, bins * sizeof *counts);
        status =
            bly_simulation_run_range(w->s, &w->params, w->plan, pass, w->draw, &range, take, f, f->fault);
        for (uint32_t i = 0; i < bins && status == BAILEY_OK; i++) counts[i] += w->params.histogram.counts[i];
        at += replicates * parts;
        left -= replicates * parts;
    }
    return status;
}

/* The counted result may be in two passes, which count the same. */
static void copy_counts(struct bly_found *found, const uint64_t *counts, uint32_t bins)
{
    int any = 0;
    for (uint32_t i = 0; i < bins; i++) any |= counts[i] != 0;
    if (any) memcpy(found->counts, counts, bins * sizeof *counts);
}

static bailey_status run_passes(const bailey_tally *t, const struct work *w, struct bly_found *found,
                                uint64_t *counts)
{
    const uint32_t bins = t->counts ? t->params.histogram.bins + 2 : 0;
    bailey_status status = BAILEY_OK;
    for (uint64_t i = 0; i < bly_scenarios_passes(w->plan) && status == BAILEY_OK; i++) {
        struct finding f = {.fault = &found->fault,
                            .tally = t,
                            .simulation = w->s,
                            .set = {.first = t->set.first, .last = t->set.last}};
        if (bins) memset(counts, 0, bins * sizeof *counts);
        status = run_pass(w, &f, i, counts);
        const int good = status == BAILEY_OK && !found->fault.found;
        if (good) status = collect(t, &f, &found->set);
        if (status == BAILEY_OK && good && bins) copy_counts(found, counts, bins);
        bly_node_set_free(&f.set);
    }
    if (status != BAILEY_OK) return status;
    return bly_simulation_end_faults(w->s, &w->params, w->plan, w->draw, &found->fault);
}

bailey_status bly_tally_compute(const bailey_tally *t, bailey_simulation *s, const struct bly_window *window,
                                uint64_t first, uint64_t count, struct bly_found *found)
{
    struct work w = {.s = s, .window = window, .first = first, .count = count, .params = t->params};
    const size_t bins = t->counts ? t->params.histogram.bins + (size_t)2 : 0;
    uint64_t *counts = bins ? bly_alloc(2 * bins, sizeof *counts) : NULL;
    bailey_status status = bly_bridge_check_source(s->bridge, &w.params.source, &w.params.normal, &w.draw);
    if (status == BAILEY_OK) status = bly_simulation_check_sum(s, &w.params);
    /* The tally's nodes may be changing. */
    *found = (struct bly_found){.set = {.rows = t->set.rows,
                                        .sums = t->set.sums,
                                        .fixed = t->set.fixed,
                                        .first = t->set.first,
                                        .last = t->set.last}};
    if (bins) found->counts = bly_alloc(bins, sizeof *counts);
    if (bins && (!counts || !found->counts))
        status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a histogram");
    if (bins && status == BAILEY_OK) w.params.histogram.counts = counts + bins;
    if (status == BAILEY_OK) status = bly_scenarios_plan(s, &w.params, &w.plan);
    if (status == BAILEY_OK) status = run_passes(t, &w, found, counts);
    bly_scenarios_free(w.plan);
    bly_free(counts);
    return status;
}

/* Paths of the run that a node stands for. */
static uint64_t paths_of(const bailey_tally *t, const struct bly_node *node)
{
    const uint64_t begin = bly_node_begin(node), first = t->params.first_path;
    return path_of(t, end_of(t, node)) - (begin > first ? begin : first);
}

bailey_status bly_tally_absorb(bailey_tally *t, const struct bly_found *found)
{
    if (!bly_node_set_reserve(&t->set, found->set.count))
        return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for a tally");
    if (!bly_node_set_is_apart(&t->set, &found->set))
        return bly_fail_argument("first", "these parts are in the tally already");
    for (uint64_t i = 0; i < found->set.count; i++) {
        t->paths += paths_of(t, &found->set.node[i]);
        bly_node_set_add(&t->set, &found->set.node[i], found->set.value + i * found->set.rows);
    }
    for (uint32_t i = 0; t->counts && i < t->params.histogram.bins + 2; i++) t->counts[i] += found->counts[i];
    return BAILEY_OK;
}

static bailey_status check_simulation(const bailey_tally *t, const bailey_simulation *s)
{
    struct bly_identity identity;
    bly_tally_identify(s, &t->params, &identity);
    const char *what = bly_seal_differs(&bly_tally_seal, &t->identity, &identity);
    if (!what) return BAILEY_OK;
    return bly_fail_argument("simulation", "simulation is not that of the tally: %s differ%s", what,
                             strstr(what, "version") || strstr(what, "text") ? "s" : "");
}

bailey_status bly_tally_check_parts(const bailey_tally *t, uint64_t first, uint64_t count)
{
    const struct bly_window all = bly_tally_all(t);
    const uint64_t parts = all.count * t->replicates;
    uint64_t gap = 0;
    if (count == 0 || first >= parts || count > parts - first)
        return bly_fail_argument("first", "first %llu + count %llu exceeds the %llu parts",
                                 (unsigned long long)first, (unsigned long long)count,
                                 (unsigned long long)parts);
    /* A gap ends with its replicate: the next may go on. */
    for (uint64_t at = first; at < first + count; at += gap)
        if (bly_tally_gap(t, &all, at, &gap) != at)
            return bly_fail_argument("first", "part %llu is in the tally already", (unsigned long long)at);
    return BAILEY_OK;
}

static bailey_status run_parts(bailey_tally *t, bailey_simulation *s, uint64_t first, uint64_t count)
{
    const struct bly_window all = bly_tally_all(t);
    struct bly_found found;
    bailey_status status = check_simulation(t, s);
    if (status == BAILEY_OK) status = bly_tally_check_parts(t, first, count);
    if (status != BAILEY_OK) return status;
    status = bly_tally_compute(t, s, &all, first, count, &found);
    if (status == BAILEY_OK) status = bly_tally_absorb(t, &found);
    bly_found_free(&found);
    return status;
}

bailey_status bailey_tally_run(bailey_tally *t, bailey_simulation *s, uint64_t first, uint64_t count)
{
    if (!s) return bly_fail_argument("simulation", "simulation is NULL");
    BLY_ENTER(s->context);
    if (!t) return bly_finish(s->context, bly_fail_argument("tally", "tally is NULL"));
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status = run_parts(t, s, first, count);
    fesetenv(&callers);
    return bly_finish(s->context, status);
}

/* ---- Asking -------------------------------------------------------------------------------------- */

uint64_t bailey_tally_parts(const bailey_tally *t) { return t ? t->each * t->replicates : 0; }

uint64_t bailey_tally_paths(const bailey_tally *t) { return t ? t->paths : 0; }

uint64_t bailey_tally_missing(const bailey_tally *t, uint64_t from, uint64_t *first)
{
    uint64_t count = 0, begin = 0;
    if (t) {
        const struct bly_window all = bly_tally_all(t);
        begin = bly_tally_gap(t, &all, from, &count);
    }
    if (first) *first = begin;
    return count;
}

bailey_status bailey_tally_merge(bailey_tally *into, const bailey_tally *from)
{
    if (!into) return bly_fail_argument("into", "into is NULL");
    if (!from) return bly_fail_argument("from", "from is NULL");
    const char *what = bly_seal_differs(&bly_tally_seal, &into->identity, &from->identity);
    if (what) return bly_fail_argument("from", "from is for another run: not the same %s", what + 4);
    if (!bly_node_set_is_apart(&into->set, &from->set))
        return bly_fail_argument("from", "from has parts that are in this tally already");
    const struct bly_found found = {.set = from->set, .counts = from->counts};
    fenv_t callers;
    bly_begin_arithmetic(&callers); /* nodes may be joined */
    const bailey_status status = bly_tally_absorb(into, &found);
    fesetenv(&callers);
    return status;
}

/* Results that are estimated together: first .. first + count - 1. */
struct estimating {
    const bailey_tally *tally;
    uint32_t first, count;
    uint64_t end; /* of the paths that are taken */
    struct bly_tree tree;
    double *some; /* the root's numbers of these results */
    struct bly_estimator *estimator;
};

/* Adds a replicate, of whose nodes those up to path `end` are taken. */
static bailey_status add_replicate(struct estimating *e, uint64_t replicate)
{
    const bailey_tally *t = e->tally;
    const struct bly_node_set *set = &t->set;
    e->tree.count = 0;
    for (uint64_t i = bly_node_set_find(set, replicate, t->params.first_path);
         i < set->count && set->node[i].replicate == replicate && bly_node_begin(&set->node[i]) < e->end;
         i++) {
        if (e->end <= t->set.last && bly_node_last(&set->node[i]) >= e->end)
            return bly_fail_argument("tally", "the results of the first paths are merged with others");
        bly_tree_add(&e->tree, set->node[i].height, set->node[i].number, set->value + i * set->rows, 1);
    }
    const double *numbers;
    const bailey_status status = bly_simulation_read_sums(t->name, &t->params, 0, &e->tree, &numbers);
    if (status != BAILEY_OK) return status;
    gather(t, numbers, e->first, e->some, e->count);
    const struct bly_sums all = {.outputs = e->count,
                                 .products = has_products(&t->params),
                                 .shape = t->params.moments != 0,
                                 .paths = e->end - t->params.first_path,
                                 .value = e->some};
    bly_estimator_add(e->estimator, &all);
    return BAILEY_OK;
}

static bailey_status estimate_some(struct estimating *e, bailey_estimate *estimates, double *covariance)
{
    const bailey_tally *t = e->tally;
    bailey_status status = BAILEY_OK;
    e->estimator = bly_estimator_create(e->count, t->params.expected);
    if (!e->estimator) return bly_fail(BAILEY_ERROR_MEMORY, "out of memory for estimates");
    for (uint64_t r = 0; r < t->replicates && status == BAILEY_OK; r++) status = add_replicate(e, r);
    if (status == BAILEY_OK) bly_estimator_finish(e->estimator, t->points, estimates + e->first, covariance);
    bly_estimator_destroy(e->estimator);
    return status;
}

static bailey_status estimate(const bailey_tally *t, uint64_t parts, bailey_estimate *estimates,
                              double *covariance)
{
    struct estimating e = {.tally = t,
                           .end = path_of(t, parts),
                           .tree = {.rows = t->set.rows, .sums = t->set.sums, .fixed = t->set.fixed}};
    bailey_status status = BAILEY_OK;
    e.tree.value = bly_alloc((size_t)BLY_MOST_NODES * e.tree.rows, sizeof(double));
    e.some = bly_alloc(e.tree.rows, sizeof(double));
    if (!e.tree.value || !e.some) status = bly_fail(BAILEY_ERROR_MEMORY, "out of memory for estimates");
    for (; e.first < t->results && status == BAILEY_OK; e.first += e.count) {
        const uint32_t rest = t->results - e.first, most = BAILEY_SIMULATION_MAX_RESULTS;
        e.count = rest < most ? rest : most;
        status = estimate_some(&e, estimates, covariance);
    }
    bly_free(e.tree.value);
    bly_free(e.some);
    return status;
}

bailey_status bly_tally_estimate(const bailey_tally *t, uint64_t parts, bailey_estimate *estimates,
                                 double *covariance)
{
    const struct bly_window window = {0, parts};
    uint64_t count;
    if (bly_tally_gap(t, &window, 0, &count) < parts * t->replicates)
        return bly_fail_argument("tally", "parts are missing: %llu of %llu paths are completed",
                                 (unsigned long long)t->paths,
                                 (unsigned long long)(t->params.paths * t->replicates));
    fenv_t callers;
    bly_begin_arithmetic(&callers);
    const bailey_status status = estimate(t, parts, estimates, covariance);
    fesetenv(&callers);
    return status;
}

bailey_status bailey_tally_estimates(const bailey_tally *t, bailey_estimate *estimates, double *covariance,
                                     uint64_t *counts)
{
    if (!t) return bly_fail_argument("tally", "tally is NULL");
    if (!estimates) return bly_fail_argument("estimates", "estimates is NULL");
    if (covariance && !t->params.covariance && !t->params.expected && t->results > 1)
        return bly_fail_argument("covariance", "covariance was not requested when the tally was created");
    if (counts && !t->counts) return bly_fail_argument("counts", "the tally was created without a histogram");
    const bailey_status status = bly_tally_estimate(t, t->each, estimates, covariance);
    if (status == BAILEY_OK && counts)
        memcpy(counts, t->counts, (t->params.histogram.bins + (size_t)2) * sizeof *counts);
    return status;
}
