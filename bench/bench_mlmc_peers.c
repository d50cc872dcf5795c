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
#define FIRST_SAMPLES 1000 /* likewise */
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

static struct plain_mlmc plain_deal(struct bench_host *host, const struct deal *deal,
                                    enum mlmc_numbers numbers)
{
    return (struct plain_mlmc){.host = host,
                               .option = deal->option,
                               .is_double = numbers == MLMC_F64,
                               .eps = deal->eps,
                               .first_samples = FIRST_SAMPLES,
                               .min_level = MIN_LEVEL,
                               .max_level = MAX_LEVEL,
                               .seed = 1};
}

/* ---- Peers ---- */

/* A row: our run, and what takes turns with it. */
struct peer_run {
    struct mlmc_bench *bench;
    struct deal deal;
    enum mlmc_numbers numbers; /* ours, and theirs if they have them */
    struct mlmc_subject ours, standard;
    double needed; /* samples of standard Monte Carlo */
    struct plain_mlmc plain;
    double plain_processor; /* seconds */
    struct bench_r_job r;
};

/* What a peer computed: its steps, price and error, and processor time of all calls. */
struct outcome {
    double steps, value, error, processor_seconds;
    double first; /* samples of level 0 */
    unsigned levels;
};

/* A rival that takes turns with ours: `begin` makes its subject once ours has run, and `outcome` says what it
 * computed. */
struct peer {
    const char *name;
    bailey_status (*begin)(struct peer_run *p, struct bench_subject *subject);
    struct outcome (*outcome)(const struct peer_run *p);
};

/* Standard Monte Carlo is level 0 of as many steps as the finest of our run has: of its samples as many as
 * its variance asks for, or as make a large launch, and the rest of the time is extrapolated. */
static bailey_status begin_standard(struct peer_run *p, struct bench_subject *subject)
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
    *subject = (struct bench_subject){.queue = mlmc_subject_run, .user = &p->standard};
    return BAILEY_OK;
}

static struct outcome standard_outcome(const struct peer_run *p)
{
    const struct mlmc_subject *s = &p->standard;
    return (struct outcome){.steps = ldexp((double)s->samples[0], (int)p->ours.result.levels - 1),
                            .value = s->result.mean,
                            .error = hypot(s->result.standard_error, sqrt(THETA) * p->deal.eps),
                            .processor_seconds = s->processor_seconds,
                            .first = (double)s->samples[0],
                            .levels = 1};
}

static bailey_status run_plain(void *user)
{
    struct peer_run *p = user;
    const double begun = bench_processor_seconds();
    const bailey_status status = plain_mlmc_run(&p->plain);
    p->plain_processor += bench_processor_seconds() - begun;
    return status;
}

static bailey_status begin_plain_on(struct peer_run *p, struct bench_host *host,
                                    struct bench_subject *subject)
{
    p->plain = plain_deal(host, &p->deal, p->numbers);
    *subject = (struct bench_subject){.queue = run_plain, .user = p};
    return BAILEY_OK;
}

static bailey_status begin_plain(struct peer_run *p, struct bench_subject *subject)
{
    return begin_plain_on(p, p->bench->all, subject);
}

static bailey_status begin_thread(struct peer_run *p, struct bench_subject *subject)
{
    return begin_plain_on(p, p->bench->one, subject);
}

static struct outcome plain_outcome(const struct peer_run *p)
{
    const struct plain_mlmc *m = &p->plain;
    return (struct outcome){m->cost,  m->value, p->deal.eps, p->plain_processor, (double)m->samples[0],
                            m->levels};
}

static bailey_status begin_r(struct peer_run *p, struct bench_subject *subject)
{
    p->r = (struct bench_r_job){.r = p->bench->r,
                                .option = (int)p->deal.option + 1,
                                .eps = p->deal.eps,
                                .first_samples = FIRST_SAMPLES,
                                .min_level = MIN_LEVEL,
                                .max_level = MAX_LEVEL};
    *subject = (struct bench_subject){.queue = bench_r_run, .user = &p->r};
    return BAILEY_OK;
}

static struct outcome r_outcome(const struct peer_run *p)
{
    const struct bench_r_job *r = &p->r;
    return (struct outcome){r->cost,  r->value,           p->deal.eps, r->processor_seconds,
                            r->first, (unsigned)r->levels};
}

/* In both precisions, except R, which has double alone: ours in single is compared with that, as in the talk.
 */
static const struct peer peers[] = {{"standard", begin_standard, standard_outcome},
                                    {"plain", begin_plain, plain_outcome},
                                    {"plain-thread", begin_thread, plain_outcome},
                                    {"r", begin_r, r_outcome}};
enum { PEERS = sizeof peers / sizeof *peers, PEER_LINES = 2 * PEERS };

static const struct peer *peer_of(size_t index) { return &peers[index % PEER_LINES / 2]; }
static enum mlmc_numbers numbers_of(size_t index) { return index % 2 ? MLMC_F64 : MLMC_F32; }

static int peers_row_name(const struct mlmc_bench *bench, size_t index, char *name, size_t size)
{
    if (index / PEER_LINES >= count_deals(bench)) return 0;
    const struct deal deal = find_deal(bench, index / PEER_LINES);
    snprintf(name, size, "mlmc/peers/%s/%s/%g/%s", peer_of(index)->name, mlmc_problems[deal.option].name,
             deal.eps, index % 2 ? "f64" : "f32");
    return 1;
}

/* The first calls compile: their processor time does not count. */
static bailey_status forget_processor(void *user)
{
    struct peer_run *p = user;
    p->ours.processor_seconds = p->standard.processor_seconds = p->plain_processor = p->r.processor_seconds =
        0;
    return BAILEY_OK;
}

/* A peer's figures are its own, RATIO is our time for the same error to its. */
static void fill_peer(struct peer_run *p, const struct peer *peer, struct bench_subject *subjects,
                      struct bench_row *row)
{
    const struct outcome o = peer->outcome(p);
    const double extrapolated = p->needed > 0 ? fmax(1, p->needed / o.first) : 1;
    const double calls = (double)(subjects[0].calls * subjects[0].batches),
                 our_calls = (double)(subjects[1].calls * subjects[1].batches);
    mlmc_figures(row, subjects, 1e-9 * o.steps, 1e-9 * p->ours.result.cost);
    row->seconds *= extrapolated;
    row->ratio = subjects[1].median / row->seconds;
    row->count = (uint64_t)(o.steps * extrapolated);
    bench_fact_number(row, "processor_seconds", extrapolated * o.processor_seconds / calls);
    bench_fact_number(row, "reference_processor_seconds", p->ours.processor_seconds / our_calls);
    bench_fact_number(row, "reference_seconds", subjects[1].median);
    bench_fact_number(row, "reference_steps", p->ours.result.cost);
    bench_fact_number(row, "extrapolated", extrapolated);
    bench_fact_number(row, "first_samples", o.first);
    bench_fact_number(row, "levels", o.levels);
    mlmc_check(row, p->deal.option, o.value, o.error, p->ours.result.converged ? 0 : p->ours.result.bias);
    snprintf(row->note, sizeof row->note, "%.5f, %.3g times our time", o.value, 1 / row->ratio);
}

/* A call of R takes from a second to a minute, so each batch is a single call. */
static void measure_peer(struct peer_run *p, const struct peer *peer, struct bench_row *row)
{
    const int is_r = peer->begin == begin_r;
    struct bench_settings settings = p->bench->base.settings;
    struct bench_subject subjects[2] = {{0}, {.queue = mlmc_subject_run, .user = &p->ours}};
    if (is_r) settings.batch_seconds = 0;
    if (bench_trouble(row, mlmc_subject_run(&p->ours), "") ||
        bench_trouble(row, peer->begin(p, &subjects[0]), peer->name))
        return;
    const bailey_status status =
        bench_time(p->bench->base.context, &settings, subjects, 2, forget_processor, p);
    if (status && is_r)
        bench_fail(row, "%s", bench_r_why(p->bench->r));
    else if (!bench_trouble(row, status, ""))
        fill_peer(p, peer, subjects, row);
}

static void run_peer(struct mlmc_bench *bench, size_t index, struct bench_row *row)
{
    const struct peer *peer = peer_of(index);
    struct peer_run p = {
        .bench = bench, .deal = find_deal(bench, index / PEER_LINES), .numbers = numbers_of(index)};
    row->unit = "G steps/s";
    row->of = "mlmc";
    if (peer->begin == begin_r && !bench->r && !*bench->r_why)
        bench->r = bench_r_open(bench->r_why, sizeof bench->r_why);
    if (peer->begin == begin_r && !bench->r) {
        bench_skip(row, bench->r_why);
        return;
    }
    if (!bench_trouble(row, mlmc_subject_create(bench, p.deal.option, p.numbers, 0, p.deal.eps, &p.ours), ""))
        measure_peer(&p, peer, row);
    mlmc_subject_destroy(&p.ours);
    mlmc_subject_destroy(&p.standard);
}

const struct mlmc_table mlmc_peers_table = {"peers", "Others at the same error; RATIO: our time to theirs",
                                            peers_row_name, run_peer};

/* ---- Cost ---- */

enum { COST_PLAIN = MLMC_NUMBERS, COST_LINES };

struct cost_run {
    struct mlmc_subject ours;
    struct plain_mlmc plain;
};

static int cost_row_name(const struct mlmc_bench *bench, size_t index, char *name, size_t size)
{
    const size_t line = index % COST_LINES;
    if (index / COST_LINES >= count_deals(bench)) return 0;
    const struct deal deal = find_deal(bench, index / COST_LINES);
    snprintf(name, size, "mlmc/cost/%s/%g/%s", mlmc_problems[deal.option].name, deal.eps,
             line == COST_PLAIN ? "plain/f32" : mlmc_numbers_names[line]);
    return 1;
}

/* Joules of a call, over at least as many seconds as its meter needs; NaN without a meter. */
static bailey_status measure_energy(struct mlmc_bench *bench, struct bench_energy *meter,
                                    struct bench_subject *subject, double *joules)
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

static void measure_cost(struct mlmc_bench *bench, struct cost_run *c, int plain, struct bench_row *row)
{
    const int processor = bench->base.device.kind == BAILEY_DEVICE_KIND_CPU;
    struct bench_subject subjects[2] = {{.queue = mlmc_subject_run, .user = &c->ours},
                                        {.queue = plain_mlmc_run, .user = &c->plain}};
    struct bench_energy *meter = plain ? bench->host_meter : bench->meter;
    double joules;
    if (plain) subjects[0] = subjects[1];
    if (bench_trouble(row, bench_time(bench->base.context, &bench->base.settings, subjects, 2, NULL, NULL),
                      "") ||
        bench_trouble(row, measure_energy(bench, meter, &subjects[0], &joules), ""))
        return;
    mlmc_figures(row, subjects, 1, 1);
    row->count = (uint64_t)(plain ? c->plain.cost : c->ours.result.cost);
    fill_cost(bench, meter, plain ? bench->host_meter_why : bench->meter_why,
              plain && !processor ? NAN : bench->price_per_hour, joules, row);
}

static void run_cost(struct mlmc_bench *bench, size_t index, struct bench_row *row)
{
    const size_t line = index % COST_LINES;
    const enum mlmc_numbers numbers = line == COST_PLAIN ? MLMC_F32 : (enum mlmc_numbers)line;
    const struct deal deal = find_deal(bench, index / COST_LINES);
    struct cost_run c = {.plain = plain_deal(bench->all, &deal, MLMC_F32)};
    row->unit = "results/s";
    row->of = "plain f32";
    if (!bench_trouble(row, mlmc_subject_create(bench, deal.option, numbers, 0, deal.eps, &c.ours), ""))
        measure_cost(bench, &c, line == COST_PLAIN, row);
    mlmc_subject_destroy(&c.ours);
}

const struct mlmc_table mlmc_cost_table = {"cost", "Results per second, and the energy and the price of one",
                                           cost_row_name, run_cost};
