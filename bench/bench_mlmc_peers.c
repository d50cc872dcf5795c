/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The tables `peers` and `cost` of `bailey bench mlmc`.
 */
#include "bench_mlmc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define THETA 0.25 /* the share of the mean square error that is left to the bias: the library's default */
#define FIRST_SAMPLES 1000 /* the library's default */
#define MIN_LEVEL 2
#define MAX_LEVEL 10

/* What both tables run, without --eps. */
static const struct deal {
    enum plain_option option;
    double eps;
} deals[] = {
    {PLAIN_EUROPEAN, 0.001}, {PLAIN_EUROPEAN, 0.005}, {PLAIN_ASIAN, 0.005},
    {PLAIN_LOOKBACK, 0.005}, {PLAIN_DIGITAL, 0.005},  {PLAIN_BARRIER, 0.005},
};

static size_t count_deals(const struct mlmc_bench *bench)
{
    return bench->eps_count ? PLAIN_OPTIONS * (size_t)bench->eps_count : sizeof deals / sizeof *deals;
}

static struct deal find_deal(const struct mlmc_bench *bench, size_t index)
{
    if (!bench->eps_count) return deals[index];
    return (struct deal){(enum plain_option)(index / (size_t)bench->eps_count),
                         bench->eps[index % (size_t)bench->eps_count]};
}

/* The case that peers get, with the library's defaults. */
static struct bench_case case_of(const struct mlmc_bench *bench, const struct deal *deal,
                                 enum mlmc_numbers numbers)
{
    return (struct bench_case){.bench = &bench->base,
                               .subject = bench_subject_of(&bench->base),
                               .precision = numbers == MLMC_F64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32,
                               .host = bench->all,
                               .option = deal->option,
                               .one = bench->one,
                               .eps = deal->eps,
                               .first_samples = FIRST_SAMPLES,
                               .min_level = MIN_LEVEL,
                               .max_level = MAX_LEVEL};
}

/* ---- Peers ---- */

/* A row: our run, and its rival, a peer or standard Monte Carlo of ours. */
struct peer_run {
    struct mlmc_bench *bench;
    struct deal deal;
    enum mlmc_numbers numbers; /* ours, and theirs if they have them */
    struct mlmc_subject ours, standard;
    double needed;            /* samples of standard Monte Carlo */
    struct bench_entry entry; /* of standard Monte Carlo only what it gave */
};

/* Standard Monte Carlo is level 0 of as many steps as the finest of our run has: of its samples as many as
 * its variance asks for, or as make a large launch, and the rest of the time is extrapolated. */
static bailey_status begin_standard(struct peer_run *p)
{
    const uint32_t steps = 1u << (p->ours.result.levels - 1);
    const double most = 1 + (double)(p->bench->steps / steps), eps = p->deal.eps;
    bailey_status status =
        mlmc_subject_create(p->bench, p->deal.option, p->numbers, steps, eps, &p->standard);
    if (status) return status;
    p->standard.levels = 1;
    p->standard.samples[0] = mlmc_round_up((uint64_t)fmin(most, 65536));
    if ((status = mlmc_subject_run(&p->standard))) return status;
    p->needed = fmax(1, ceil(p->standard.result.level[0].variance / ((1 - THETA) * eps * eps)));
    p->standard.samples[0] = mlmc_round_up((uint64_t)fmin(most, p->needed));
    return BAILEY_OK;
}

static void take_standard(struct peer_run *p)
{
    const struct mlmc_subject *s = &p->standard;
    p->entry.steps = ldexp((double)s->samples[0], (int)p->ours.result.levels - 1);
    p->entry.mean = s->result.mean;
    p->entry.error = hypot(s->result.standard_error, sqrt(THETA) * p->deal.eps);
    p->entry.processor_seconds = s->processor_seconds;
    p->entry.first = (double)s->samples[0];
    p->entry.levels = 1;
}

/* The first calls compile: their processor time does not count. */
static bailey_status forget_processor(void *user)
{
    struct peer_run *p = user;
    p->ours.processor_seconds = p->standard.processor_seconds = p->entry.processor_seconds = 0;
    return BAILEY_OK;
}

/* A peer's figures are its own, RATIO is our time for the same error to its. */
static void fill_peer(struct peer_run *p, struct bench_timed *timed, struct bench_row *row)
{
    const struct bench_entry *e = &p->entry;
    const double extrapolated = p->needed > 0 ? fmax(1, p->needed / e->first) : 1;
    const double calls = (double)(timed[0].calls * timed[0].batches),
                 our_calls = (double)(timed[1].calls * timed[1].batches);
    mlmc_figures(row, timed, 1e-9 * e->steps, 1e-9 * p->ours.result.cost);
    row->seconds *= extrapolated;
    row->ratio = timed[1].median / row->seconds;
    row->count = (uint64_t)(e->steps * extrapolated);
    bench_fact_number(row, "processor_seconds", extrapolated * e->processor_seconds / calls);
    bench_fact_number(row, "reference_processor_seconds", p->ours.processor_seconds / our_calls);
    bench_fact_number(row, "reference_seconds", timed[1].median);
    bench_fact_number(row, "reference_steps", p->ours.result.cost);
    bench_fact_number(row, "extrapolated", extrapolated);
    bench_fact_number(row, "first_samples", e->first);
    bench_fact_number(row, "levels", e->levels);
    mlmc_check(row, p->deal.option, e->mean, e->error, p->ours.result.converged ? 0 : p->ours.result.bias);
    snprintf(row->note, sizeof row->note, "%.5f, %.3g times our time", e->mean, 1 / row->ratio);
}

static void measure_peer(struct peer_run *p, struct bench_timed rival, struct bench_row *row)
{
    const struct bench_peer *peer = p->entry.peer; /* NULL: standard Monte Carlo */
    struct bench_settings settings = p->bench->base.settings;
    struct bench_timed timed[2] = {rival, {.queue = mlmc_subject_run, .user = &p->ours}};
    if (peer && peer->is_slow) settings.batch_seconds = 0;
    if (bench_trouble(row, mlmc_subject_run(&p->ours), "") ||
        (!peer && bench_trouble(row, begin_standard(p), "standard")))
        return;
    const bailey_status status = bench_time(p->bench->base.context, &settings, timed, 2, forget_processor, p);
    if (bench_entry_trouble(row, status, &p->entry)) return;
    if (!peer) take_standard(p);
    fill_peer(p, timed, row);
}

/* For a deal a row of standard Monte Carlo and one of each setting of a peer, in both precisions. A peer that
 * has double alone is also compared with ours in single, as in the talk. */
static size_t count_lines(const struct bench_case *wanted) { return 2 + 2 * bench_peer_settings(wanted); }

/* A line of a deal; NULL: one of our rows. */
static const struct bench_peer *peer_of(const struct bench_case *wanted, size_t line, unsigned *setting)
{
    return line < 2 ? NULL : bench_peer_at(wanted, (unsigned)line / 2 - 1, setting);
}

int mlmc_peers_name(const struct bench *base, size_t index, char *name)
{
    const struct mlmc_bench *bench = (const struct mlmc_bench *)base;
    struct deal deal = deals[0];
    struct bench_case wanted = case_of(bench, &deal, MLMC_F32);
    const size_t lines = count_lines(&wanted);
    unsigned setting = 0;
    if (index / lines >= count_deals(bench)) return 0;
    deal = find_deal(bench, index / lines);
    const struct bench_peer *peer = peer_of(&wanted, index % lines, &setting);
    const char *rest = peer ? bench_peer_setting(peer, &wanted, setting) : "";
    snprintf(name, BENCH_NAME, "mlmc/peers/%s%s%s/%s/%g/%s", peer ? peer->name : "standard", *rest ? "-" : "",
             rest, mlmc_problems[deal.option].name, deal.eps, index % 2 ? "f64" : "f32");
    return 1;
}

void mlmc_peers_measure(struct bench *base, size_t index, struct bench_row *row)
{
    struct mlmc_bench *bench = (struct mlmc_bench *)base;
    struct peer_run p = {.bench = bench, .numbers = index % 2 ? MLMC_F64 : MLMC_F32};
    struct bench_case wanted = case_of(bench, &deals[0], p.numbers);
    const size_t lines = count_lines(&wanted);
    unsigned setting;
    const struct bench_peer *peer = peer_of(&wanted, index % lines, &setting);
    struct bench_timed rival = {.queue = mlmc_subject_run, .user = &p.standard};
    p.deal = find_deal(bench, index / lines);
    wanted = case_of(bench, &p.deal, p.numbers);
    row->unit = "G steps/s";
    row->of = "mlmc";
    if (peer) rival = (struct bench_timed){.queue = peer->run, .user = &p.entry};
    if (peer && !bench_entry_begin(&p.entry, peer, setting, &wanted, '-'))
        bench_skip(row, p.entry.why);
    else if (!bench_trouble(row, mlmc_subject_create(bench, p.deal.option, p.numbers, 0, p.deal.eps, &p.ours),
                            ""))
        measure_peer(&p, rival, row);
    mlmc_subject_destroy(&p.ours);
    mlmc_subject_destroy(&p.standard);
    bench_entry_end(&p.entry);
}

/* ---- Cost ---- */

/* After ours the first setting of a peer, in single precision, with which all alternate. */
enum { COST_PEER = MLMC_NUMBERS, COST_LINES };

struct cost_run {
    struct mlmc_subject ours;
    struct bench_entry peer;
};

int mlmc_cost_name(const struct bench *base, size_t index, char *name)
{
    const struct mlmc_bench *bench = (const struct mlmc_bench *)base;
    const size_t line = index % COST_LINES;
    if (index / COST_LINES >= count_deals(bench)) return 0;
    const struct deal deal = find_deal(bench, index / COST_LINES);
    const struct bench_case wanted = case_of(bench, &deal, MLMC_F32);
    unsigned setting;
    snprintf(name, BENCH_NAME, "mlmc/cost/%s/%g/%s%s", mlmc_problems[deal.option].name, deal.eps,
             line == COST_PEER ? bench_peer_at(&wanted, 0, &setting)->name : mlmc_numbers_names[line],
             line == COST_PEER ? "/f32" : "");
    return 1;
}

/* Joules of a call, over at least as many seconds as its meter needs; NaN without a meter. */
static bailey_status measure_energy(struct mlmc_bench *bench, struct bench_energy *meter,
                                    struct bench_timed *subject, double *joules)
{
    *joules = NAN;
    if (!meter) return BAILEY_OK;
    bailey_status status = BAILEY_OK;
    const double begun = cli_seconds(), before = bench_energy_joules(meter);
    uint64_t calls = 0;
    do {
        status = subject->queue(subject->user);
        calls++;
    } while (!status && cli_seconds() - begun < bench->energy_seconds);
    *joules = (bench_energy_joules(meter) - before) / (double)calls;
    return status;
}

static void fill_cost(struct mlmc_bench *bench, struct bench_energy *meter, const char *why, double price,
                      double joules, struct bench_row *row)
{
    char energy[24] = "energy not reported", price_text[24] = "";
    const double cost = price * row->seconds / 3600;
    if (isfinite(joules)) snprintf(energy, sizeof energy, "%.3g J", joules);
    if (isfinite(cost)) snprintf(price_text, sizeof price_text, ", price %.3g", cost);
    snprintf(row->note, sizeof row->note, "%s%s", energy, price_text);
    bench_fact_number(row, "joules", joules);
    bench_fact_number(row, "watts", joules / row->seconds);
    bench_fact_text(row, "energy", meter && isfinite(joules) ? bench_energy_source(meter) : "not reported");
    if (!meter) {
        snprintf(bench->text, sizeof bench->text, "%s", why);
        bench_fact_text(row, "energy_reason", bench->text);
    }
    bench_fact_number(row, "price_per_hour", price);
    bench_fact_number(row, "cost", cost);
}

static void measure_cost(struct mlmc_bench *bench, struct cost_run *c, int peer, struct bench_row *row)
{
    const int processor = bench->base.device.kind == BAILEY_DEVICE_KIND_CPU;
    struct bench_timed timed[2] = {{.queue = mlmc_subject_run, .user = &c->ours},
                                   {.queue = c->peer.peer->run, .user = &c->peer}};
    struct bench_energy *meter = peer ? bench->host_meter : bench->meter;
    double joules;
    if (peer) timed[0] = timed[1];
    if (bench_trouble(row, bench_time(bench->base.context, &bench->base.settings, timed, 2, NULL, NULL),
                      "") ||
        bench_trouble(row, measure_energy(bench, meter, &timed[0], &joules), ""))
        return;
    mlmc_figures(row, timed, 1, 1);
    row->count = (uint64_t)(peer ? c->peer.steps : c->ours.result.cost);
    fill_cost(bench, meter, peer ? bench->host_meter_why : bench->meter_why,
              peer && !processor ? NAN : bench->price_per_hour, joules, row);
}

void mlmc_cost_measure(struct bench *base, size_t index, struct bench_row *row)
{
    static char of[72];
    struct mlmc_bench *bench = (struct mlmc_bench *)base;
    const size_t line = index % COST_LINES;
    const enum mlmc_numbers numbers = line == COST_PEER ? MLMC_F32 : (enum mlmc_numbers)line;
    const struct deal deal = find_deal(bench, index / COST_LINES);
    const struct bench_case wanted = case_of(bench, &deal, MLMC_F32);
    struct cost_run c = {0};
    unsigned setting;
    const struct bench_peer *peer = bench_peer_at(&wanted, 0, &setting);
    row->unit = "results/s";
    const int ready = bench_entry_begin(&c.peer, peer, setting, &wanted, '-');
    snprintf(of, sizeof of, "%s f32", c.peer.name);
    row->of = of;
    if (!ready)
        bench_skip(row, c.peer.why);
    else if (!bench_trouble(row, mlmc_subject_create(bench, deal.option, numbers, 0, deal.eps, &c.ours), ""))
        measure_cost(bench, &c, line == COST_PEER, row);
    mlmc_subject_destroy(&c.ours);
    bench_entry_end(&c.peer);
}
