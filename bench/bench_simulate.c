/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Simulations of deals whose price is known from elsewhere: a rival alternates with ours, and both prices
 * have to agree within their errors.
 */
#include "bench_simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_ASSETS DEAL_ASSETS
#define MOST_STEPS 64

/* Arithmetic Asian calls with equal steps to time 1. */
struct deal {
    const char *name;
    uint32_t assets, steps;
    double rate, strike;
    double spot[MOST_ASSETS], volatility[MOST_ASSETS], correlation[MOST_ASSETS * MOST_ASSETS];
};

static const struct deal deals[] = {
    [BENCH_BASKET] = {"basket",
                      DEAL_ASSETS,
                      DEAL_FIXINGS,
                      0.03,
                      100,
                      {100, 95, 110},
                      {0.2, 0.3, 0.25},
                      {1, 0.5, 0.3, 0.5, 1, 0.4, 0.3, 0.4, 1}},
    [BENCH_AVERAGE] = {"average", 1, DEAL_FIXINGS, 0.05, 100, {100}, {0.2}, {1}},
    [BENCH_SINGLE] = {"single", 1, MOST_STEPS, 0.05, 100, {100}, {0.2}, {1}},
};

/* The paths are those of the logarithms of weight times spot, without drift. */
static const char asian_text[] =
    "typedef struct { real drift[DIMS], strike; } params;\n"
    "typedef struct { real sum; } state;\n"
    "void start(state *s, const params *p) { s->sum = 0; }\n"
    "void step(state *s, const params *p, int i, real t, const real x[])\n"
    "{\n"
    "    for (int k = 0; k < DIMS; k++) s->sum += exp(fma(p->drift[k], t, x[k]));\n"
    "}\n"
    "void finish(const state *s, const params *p, real out[])\n"
    "{\n"
    "    out[0] = fmax(s->sum * (1.0 / STEPS) - p->strike, 0);\n"
    "}\n";

/* ---- The deals ---- */

static double covariance_of(const struct deal *deal, uint32_t i, uint32_t j)
{
    return deal->correlation[i * deal->assets + j] * deal->volatility[i] * deal->volatility[j];
}

static double drift_of(const struct deal *deal, uint32_t i)
{
    return deal->rate - deal->volatility[i] * deal->volatility[i] / 2;
}

static double start_of(const struct deal *deal, uint32_t i) { return log(deal->spot[i] / deal->assets); }

/* The basket for what is written by hand: Cholesky's factor of a step. */
static void basket_by_hand(struct deal_f64 *out)
{
    const struct deal *deal = &deals[BENCH_BASKET];
    const double step = 1.0 / DEAL_FIXINGS;
    double c[DEAL_ASSETS][DEAL_ASSETS];
    int entry = 0;
    out->strike = deal->strike;
    for (uint32_t i = 0; i < DEAL_ASSETS; i++) {
        out->start[i] = start_of(deal, i);
        out->drift[i] = drift_of(deal, i) * step;
        for (uint32_t j = 0; j <= i; j++) {
            double rest = covariance_of(deal, i, j) * step;
            for (uint32_t k = 0; k < j; k++) rest -= c[i][k] * c[j][k];
            out->factor[entry++] = c[i][j] = i == j ? sqrt(rest) : rest / c[j][j];
        }
    }
}

static void round_basket(const struct deal_f64 *from, struct deal_f32 *to)
{
    for (int i = 0; i < DEAL_ASSETS; i++) {
        to->start[i] = (float)from->start[i];
        to->drift[i] = (float)from->drift[i];
    }
    for (size_t i = 0; i < sizeof to->factor / sizeof *to->factor; i++)
        to->factor[i] = (float)from->factor[i];
    to->strike = (float)from->strike;
}

int simulate_bench_create(struct simulate_bench *bench)
{
    basket_by_hand(&bench->f64);
    round_basket(&bench->f64, &bench->f32);
    if (bench->base.device.kind != BAILEY_DEVICE_KIND_CPU) return CLI_OK;
    return bench_host_create(bench->base.device.units, &bench->host);
}

void simulate_bench_destroy(struct simulate_bench *bench)
{
    bench_entry_end(&bench->package);
    for (int i = 0; i < 2; i++) bench_entry_end(&bench->rival[i]);
    bench_host_destroy(bench->host);
}

/* ---- A measurement ---- */

struct measurement {
    struct simulate_bench *bench;
    const struct simulate_case *wanted;
    const struct deal *deal;
    double times[MOST_STEPS];
    uint32_t order[MOST_STEPS];
    bailey_simulation *simulation;
    bailey_simulation_run_params run;
    bailey_estimate estimate, estimates[SIMULATE_MAX_SCENARIOS];
    double strikes[SIMULATE_MAX_SCENARIOS];
    bailey_simulation *builtin; /* the same deal by the built-in "asian", compiled with the library */
    bailey_estimate builtin_estimates[2];
    double processor_seconds; /* of this process, in simulations that took turns with a package */
    int bumps[2];             /* of the strike, of either subject */
};

/* A strike that differs from call to call, and comes back. */
static double strike_of(struct measurement *m, int subject)
{
    return m->deal->strike + (m->wanted->changing ? m->bumps[subject]++ % 8 : 0);
}

static bailey_status queue_simulation(void *user)
{
    struct measurement *m = user;
    const double strike = strike_of(m, 0);
    bailey_status status = BAILEY_OK;
    if (m->wanted->changing) status = bailey_simulation_set(m->simulation, "strike", &strike, 1);
    return status ? status : bailey_simulation_run(m->simulation, &m->run, &m->estimate);
}

static bailey_status queue_counted(void *user)
{
    struct measurement *m = user;
    const double begun = bench_processor_seconds();
    const bailey_status status = queue_simulation(user);
    m->processor_seconds += bench_processor_seconds() - begun;
    return status;
}

/* The time of the first calls, which compile, does not count. */
static bailey_status begin_counting(void *user)
{
    struct measurement *m = user;
    m->processor_seconds = m->bench->package.processor_seconds = 0;
    return BAILEY_OK;
}

/* Each on the same paths; the first is the deal. */
static bailey_status queue_scenarios(void *user)
{
    static const char *const names[] = {"strike"};
    struct measurement *m = user;
    bailey_simulation_run_params run = m->run;
    for (uint64_t i = 0; i < m->wanted->scenarios; i++) m->strikes[i] = m->deal->strike + 0.25 * (double)i;
    run.scenarios =
        (bailey_scenarios){.count = m->wanted->scenarios, .columns = 1, .names = names, .values = m->strikes};
    return bailey_simulation_run(m->simulation, &run, m->estimates);
}

static bailey_status queue_builtin(void *user)
{
    struct measurement *m = user;
    const double strike = strike_of(m, 1);
    const bailey_status status = bailey_simulation_set(m->builtin, "strike", &strike, 1);
    return status ? status : bailey_simulation_run(m->builtin, &m->run, m->builtin_estimates);
}

/* Fisher and Yates's shuffle, by a linear congruential generator (Knuth, The Art of Computer Programming,
 * volume 2, section 3.3.4, MMIX). */
static void shuffle(uint32_t *order, uint32_t count)
{
    uint64_t state = 1;
    for (uint32_t i = 0; i < count; i++) order[i] = i + 1;
    for (uint32_t i = count; i > 1; i--) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint32_t j = (uint32_t)((state >> 33) % i), kept = order[j];
        order[j] = order[i - 1];
        order[i - 1] = kept;
    }
}

static bailey_status make_simulation(struct measurement *m)
{
    const struct simulate_case *c = m->wanted;
    const struct deal *deal = m->deal;
    double covariance[MOST_ASSETS * MOST_ASSETS], start[MOST_ASSETS], drift[MOST_ASSETS];
    bailey_simulation_params params = {
        .path = {.times = m->times,
                 .steps = deal->steps,
                 .order = c->random_order ? m->order : NULL,
                 .dims = deal->assets,
                 .covariance = covariance,
                 .start = start,
                 .precision = c->normal.precision,
                 .construction = c->construction},
        .payoff = {.code = asian_text},
    };
    for (uint32_t i = 0; i < deal->assets; i++) {
        for (uint32_t j = 0; j < deal->assets; j++)
            covariance[i * deal->assets + j] = covariance_of(deal, i, j);
        start[i] = start_of(deal, i);
        drift[i] = drift_of(deal, i);
    }
    bailey_status status = bailey_simulation_create(m->bench->base.context, &params, &m->simulation);
    if (!status) status = bailey_simulation_set(m->simulation, "drift", drift, deal->assets);
    if (!status) status = bailey_simulation_set(m->simulation, "strike", &deal->strike, 1);
    return status;
}

/* The same deal by the built-in, whose price is discounted. */
static bailey_status make_builtin(struct measurement *m)
{
    const struct simulate_case *c = m->wanted;
    const struct deal *deal = m->deal;
    const bailey_simulation_params params = {
        .path = {.times = m->times,
                 .steps = deal->steps,
                 .order = c->random_order ? m->order : NULL,
                 .dims = deal->assets,
                 .covariance = deal->assets > 1 ? deal->correlation : NULL,
                 .precision = c->normal.precision,
                 .construction = c->construction},
        .payoff = {.name = "asian"},
        .planned_paths = c->paths};
    bailey_status status = bailey_simulation_create(m->bench->base.context, &params, &m->builtin);
    if (!status) status = bailey_simulation_set(m->builtin, "spot", deal->spot, deal->assets);
    if (!status) status = bailey_simulation_set(m->builtin, "volatility", deal->volatility, deal->assets);
    return status ? status : bailey_simulation_set(m->builtin, "rate", &deal->rate, 1);
}

static bailey_status begin(struct measurement *m)
{
    const struct simulate_case *c = m->wanted;
    for (uint32_t i = 0; i < m->deal->steps; i++) m->times[i] = (i + 1.0) / m->deal->steps;
    if (c->random_order) shuffle(m->order, m->deal->steps - 1);
    m->run = (bailey_simulation_run_params){.source = c->source, .normal = c->normal, .paths = c->paths};
    const bailey_status status = make_simulation(m);
    return status ? status : make_builtin(m);
}

/* ---- Rivals ---- */

/* The rival that a row alternates with. */
struct rival {
    const char *of;
    bailey_status (*queue)(void *user);
    void *user;
    struct bench_entry *entry; /* of a peer; NULL: of ours */
};

static struct rival choose_rival(struct measurement *m)
{
    const struct simulate_case *c = m->wanted;
    struct bench_entry *entry = NULL, *by_hand = &m->bench->rival[c->normal.precision];
    if (c->rival == SIMULATE_PACKAGE) entry = &m->bench->package;
    if (c->rival == SIMULATE_BY_HAND && by_hand->peer && by_hand->wanted->count == c->paths) entry = by_hand;
    if (entry) return (struct rival){entry->name, entry->peer->run, entry, entry};
    if (c->rival == SIMULATE_ONE_SCENARIO) return (struct rival){"one price", queue_simulation, m, NULL};
    return (struct rival){"built-in", queue_builtin, m, NULL};
}

/* The mean that the payoffs should have, once the rival has run. The built-in's price is discounted, and its
 * last run may have had another strike. */
static bailey_status rival_price(struct measurement *m, const struct rival *rival, double *mean,
                                 double *error)
{
    const int one_scenario = m->wanted->rival == SIMULATE_ONE_SCENARIO;
    const double growth = one_scenario ? 1 : exp(m->deal->rate);
    const bailey_estimate *estimate = one_scenario ? m->estimates : m->builtin_estimates;
    bailey_status status = BAILEY_OK;
    if (rival->entry) return bench_entry_price(rival->entry, mean, error);
    m->bumps[1] = 0;
    if (!one_scenario) status = queue_builtin(m);
    *mean = estimate->mean * growth;
    *error = estimate->standard_error * growth;
    return status;
}

/* Within four standard errors, and rounding. The error of points cannot be estimated from one replicate; that
 * of as many independent paths is larger. */
static void check_price(struct measurement *m, const struct rival *rival, struct bench_row *row)
{
    double mean = 0, error = 0;
    m->bumps[0] = 0;
    if (bench_trouble(row, queue_simulation(m), "bailey_simulation_run") ||
        bench_trouble(row, rival_price(m, rival, &mean, &error), row->of))
        return;
    const double ours = sqrt(m->estimate.variance / (double)m->wanted->paths);
    const double both = hypot(ours, isnan(error) ? ours : error);
    bench_fact_number(row, "price", m->estimate.mean);
    bench_fact_number(row, "standard_error", m->estimate.standard_error);
    bench_fact_number(row, "reference_price", mean);
    snprintf(row->note, sizeof row->note, "%.5f", m->estimate.mean);
    if (fabs(m->estimate.mean - mean) <= 4 * both + 1e-5 * m->deal->strike) return;
    bench_fail(row, "the price is %.9g, of the %s %.9g, the standard error %.3g", m->estimate.mean, row->of,
               mean, both);
}

static void describe(const struct simulate_case *c, const struct deal *deal, struct bench_row *row)
{
    snprintf(row->name, sizeof row->name, "%s", c->name);
    row->unit = "G normals/s";
    row->count = c->paths;
    bench_fact_text(row, "deal", deal->name);
    bench_fact_number(row, "steps", deal->steps);
    bench_fact_number(row, "dims", deal->assets);
    bench_fact_text(row, "precision", option_precision(c->normal.precision));
}

/* The row of a package, measured in turns with ours, which gets the processor times of both: on a busy
 * machine they are worth more than the clock. */
static void fill_package(struct measurement *m, const struct bench_timed timed[2], double normals,
                         struct bench_row *ours, struct bench_row *theirs)
{
    const struct bench_entry *e = &m->bench->package;
    const double our_seconds = m->processor_seconds / (double)(timed[0].calls * timed[0].batches);
    const double seconds = e->processor_seconds / (double)(timed[1].calls * timed[1].batches);
    bench_fact_number(ours, "processor_seconds", our_seconds);
    bench_fact_number(ours, "reference_processor_seconds", seconds);
    theirs->state = BENCH_MEASURED;
    bench_figures(theirs, &timed[1], 0, normals);
    theirs->of = e->name;
    bench_fact_number(theirs, "price", e->mean);
    bench_fact_number(theirs, "standard_error", e->error);
    bench_fact_text(theirs, "source", e->note);
    bench_fact_text(theirs, e->peer->version, e->version);
    bench_fact_number(theirs, "processes", e->processes);
    bench_fact_number(theirs, "processor_seconds", seconds);
    snprintf(theirs->note, sizeof theirs->note, "%.5f, %s, %s", e->mean, e->note, e->version);
}

/* `theirs`: for the row of the rival where that is a package, else NULL. */
static void measure(struct measurement *m, struct bench_row *row, struct bench_row *theirs)
{
    struct bench_timed timed[2] = {{.queue = m->wanted->scenarios ? queue_scenarios
                                             : theirs             ? queue_counted
                                                                  : queue_simulation,
                                    .user = m}};
    const struct rival rival = choose_rival(m);
    timed[1] = (struct bench_timed){.queue = rival.queue, .user = rival.user};
    row->of = rival.of;
    const double normals = 1e-9 * (double)m->wanted->paths * m->deal->steps * m->deal->assets;
    if (bench_trouble(
            row, bench_time(m->bench->base.context, &m->bench->base.settings, timed, 2, begin_counting, m),
            ""))
        return;
    bench_figures(row, timed, 1, normals);
    if (theirs) fill_package(m, timed, normals, row, theirs);
    check_price(m, &rival, row);
    if (m->wanted->rival != SIMULATE_ONE_SCENARIO) return;
    bench_fact_number(row, "scenarios", (double)m->wanted->scenarios);
    bench_fact_number(row, "multiple", 1 / row->ratio);
    snprintf(row->note, sizeof row->note, "%.5f, %.2f times one", m->estimate.mean, 1 / row->ratio);
}

void simulate_case_run(struct simulate_bench *bench, const struct simulate_case *wanted,
                       struct bench_row *row)
{
    struct measurement m = {.bench = bench, .wanted = wanted, .deal = &deals[wanted->deal]};
    describe(wanted, m.deal, row);
    if (!bench_trouble(row, begin(&m), "")) measure(&m, row, NULL);
    bailey_simulation_destroy(m.simulation);
    bailey_simulation_destroy(m.builtin);
}

/* ---- Packages ---- */

static size_t append_numbers(char *text, size_t used, size_t size, const char *key, const double *numbers,
                             int count)
{
    used += (size_t)snprintf(text + used, size - used, ", \"%s\": [", key);
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%.17g", i ? ", " : "", numbers[i]);
    return used + (size_t)snprintf(text + used, size - used, "]");
}

/* A deal as python_peers.py wants it: the basket by its logarithms, one asset as banks name it. */
static void deal_text(const struct simulate_bench *bench, const struct deal *deal, char *text, size_t size)
{
    size_t used =
        (size_t)snprintf(text, size, "{\"steps\": %u, \"strike\": %.17g", deal->steps, deal->strike);
    if (deal->assets == 1) {
        snprintf(text + used, size - used, ", \"rate\": %.17g, \"spot\": %.17g, \"volatility\": %.17g}",
                 deal->rate, deal->spot[0], deal->volatility[0]);
        return;
    }
    double factor[DEAL_ASSETS * DEAL_ASSETS] = {0};
    for (int i = 0, entry = 0; i < DEAL_ASSETS; i++)
        for (int j = 0; j <= i; j++) factor[i * DEAL_ASSETS + j] = bench->f64.factor[entry++];
    used = append_numbers(text, used, size, "start", bench->f64.start, DEAL_ASSETS);
    used = append_numbers(text, used, size, "drift", bench->f64.drift, DEAL_ASSETS);
    used = append_numbers(text, used, size, "factor", factor, DEAL_ASSETS * DEAL_ASSETS);
    snprintf(text + used, size - used, "}");
}

int simulate_package_run(struct simulate_bench *bench, const struct simulate_case *wanted,
                         struct bench_row *ours, struct bench_row *theirs)
{
    struct measurement m = {.bench = bench, .wanted = wanted, .deal = &deals[wanted->deal]};
    memset(theirs, 0, sizeof *theirs);
    describe(wanted, m.deal, ours);
    describe(wanted, m.deal, theirs);
    snprintf(theirs->name, sizeof theirs->name, "simulate/peers/%s/%s", wanted->peer->name,
             option_precision(wanted->normal.precision));
    deal_text(bench, m.deal, bench->text, sizeof bench->text);
    bench->packaged = (struct bench_case){.bench = &bench->base,
                                          .subject = wanted->deal,
                                          .precision = wanted->normal.precision,
                                          .host = bench->host,
                                          .count = wanted->paths,
                                          .text = bench->text};
    bench_entry_end(&bench->package);
    if (!bench_entry_begin(&bench->package, wanted->peer, 0, &bench->packaged, ' ')) {
        bench_skip(theirs, bench->host ? bench->package.why : "only for devices that are processors");
        return 0;
    }
    bench_skip(theirs, "its rival failed");
    if (!bench_trouble(ours, begin(&m), "")) measure(&m, ours, theirs);
    bailey_simulation_destroy(m.simulation);
    bailey_simulation_destroy(m.builtin);
    const char *why = bench->package.why;
    if (!*why) return 1;
    bench_fail(theirs, "%s", why);
    return 0;
}

/* ---- Peers by hand ---- */

enum { MOST_RIVALS = 8 };

/* All that are here; false if one is not to be had, of which row says why. */
static int begin_rivals(struct bench_case *c, struct bench_entry entries[MOST_RIVALS], size_t *count,
                        struct bench_row *row)
{
    const struct bench_peer *peer;
    unsigned setting;
    *count = 0;
    for (unsigned i = 0; (peer = bench_peer_at(c, i, &setting)) != NULL && *count < MOST_RIVALS; i++) {
        struct bench_entry *e = &entries[*count];
        if (peer->is_package || !bench_peer_is_here(peer, c)) continue;
        ++*count;
        if (bench_entry_begin(e, peer, setting, c, ' ')) continue;
        snprintf(row->name, sizeof row->name, "simulate/basket/%s/%s", peer->name,
                 option_precision(c->precision));
        row->state = e->missing ? BENCH_SKIPPED : BENCH_FAILED;
        snprintf(row->reason, sizeof row->reason, "%s", e->why);
        return 0;
    }
    return 1;
}

static void fill_rival(struct bench_entry *e, const struct bench_entry *best, const struct bench_timed *pair,
                       struct bench_row *row)
{
    const char *setting = bench_peer_setting(e->peer, e->wanted, e->setting);
    double mean = 0, error = 0;
    if (e->peer->run(e) || bench_entry_price(e, &mean, &error)) bench_fail(row, "%s", e->why);
    snprintf(row->name, sizeof row->name, "simulate/basket/%s/%s/%s", e->peer->name, setting,
             option_precision(e->wanted->precision));
    row->unit = "G normals/s";
    row->count = e->wanted->count;
    bench_fact_number(row, "price", mean);
    bench_fact_number(row, "standard_error", error);
    if (e->peer->describe) e->peer->describe(e, row);
    snprintf(row->note, sizeof row->note, "%.5f, %.30s", mean, e->note);
    bench_figures(row, pair, 1, 1e-9 * (double)row->count * DEAL_FIXINGS * DEAL_ASSETS);
    row->of = best->name;
}

/* In turns; a row of each. */
static struct bench_entry *compare_rivals(struct simulate_bench *bench, struct bench_entry *entries,
                                          size_t count, struct bench_row *row)
{
    struct bench_timed timed[MOST_RIVALS];
    size_t best = 0;
    for (size_t i = 0; i < count; i++)
        timed[i] = (struct bench_timed){.queue = entries[i].peer->run, .user = &entries[i]};
    const bailey_status status =
        bench_time(bench->base.context, &bench->base.settings, timed, count, NULL, NULL);
    if (status) {
        while (best + 1 < count && !*entries[best].why) best++;
        snprintf(row->name, sizeof row->name, "simulate/basket/%s/%s", entries[best].peer->name,
                 option_precision(entries[best].wanted->precision));
        bench_entry_trouble(row, status, &entries[best]);
        return NULL;
    }
    for (size_t i = 1; i < count; i++)
        if (!entries[i].is_limit && timed[i].median < timed[best].median) best = i;
    for (size_t i = 0; i < count; i++) {
        const struct bench_timed pair[2] = {timed[i], timed[best]};
        struct bench_row one = {0};
        fill_rival(&entries[i], &entries[best], pair, &one);
        bench_row(&bench->base, &one);
    }
    return &entries[best];
}

void simulate_rivals_run(struct simulate_bench *bench, bailey_precision precision, uint64_t paths)
{
    const int is_f64 = precision == BAILEY_PRECISION_F64;
    struct bench_case *c = &bench->by_hand[precision];
    struct bench_entry entries[MOST_RIVALS], *best = NULL;
    struct bench_row row = {0};
    size_t count;
    *c = (struct bench_case){.bench = &bench->base,
                             .subject = BENCH_BASKET,
                             .precision = precision,
                             .host = bench->host,
                             .count = paths,
                             .deal = is_f64 ? (const void *)&bench->f64 : (const void *)&bench->f32};
    if (begin_rivals(c, entries, &count, &row) && count)
        best = count > 1 ? compare_rivals(bench, entries, count, &row) : entries;
    if (best) bench->rival[precision] = *best;
    if (*row.name) bench_row(&bench->base, &row);
    for (size_t i = 0; i < count; i++)
        if (&entries[i] != best) bench_entry_end(&entries[i]);
}
