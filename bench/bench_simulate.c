/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Simulations of deals whose price is known from elsewhere: a rival takes turns with ours, and both prices
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

static const struct deal deals[SIMULATE_DEALS] = {
    {"basket",
     DEAL_ASSETS,
     DEAL_FIXINGS,
     0.03,
     100,
     {100, 95, 110},
     {0.2, 0.3, 0.25},
     {1, 0.5, 0.3, 0.5, 1, 0.4, 0.3, 0.4, 1}},
    {"single", 1, MOST_STEPS, 0.05, 100, {100}, {0.2}, {1}},
    {"average", 1, DEAL_FIXINGS, 0.05, 100, {100}, {0.2}, {1}},
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
    const struct deal *deal = &deals[SIMULATE_BASKET];
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
    if (!strncmp(bench->base.device.address, "cuda", 4))
        bench->peers = bench_peers_open(bench->base.context, bench->peers_why, sizeof bench->peers_why);
    if (bench->base.device.kind != BAILEY_DEVICE_KIND_CPU) return CLI_OK;
    return bench_host_create(bench->base.device.units, &bench->host);
}

void simulate_bench_destroy(struct simulate_bench *bench)
{
    bench_peers_close(bench->peers);
    bench_host_destroy(bench->host);
    bench_python_close(bench->python);
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
    struct plain_basket plain;
    struct bench_python_job python;
    double processor_seconds; /* of this process, in simulations that took turns with Python */
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

/* What the first calls took, which compile, does not count. */
static bailey_status begin_counting(void *user)
{
    struct measurement *m = user;
    m->processor_seconds = m->python.processor_seconds = 0;
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

/* What a row takes turns with, and what the payoffs' mean should be. */
struct rival {
    const char *of;
    bailey_status (*queue)(void *user);
    void *user;
    /* Once it has run: the price, or NULL, and what gets it. */
    const double *mean, *error;
    bailey_status (*price)(struct measurement *m, double *mean, double *error);
};

static bailey_status peer_price(struct measurement *m, double *mean, double *error)
{
    return bench_peer_result(&m->bench->peer[m->wanted->normal.precision], mean, error);
}

/* It is discounted, and its last run may have had another strike. */
static bailey_status builtin_price(struct measurement *m, double *mean, double *error)
{
    const double growth = exp(m->deal->rate);
    m->bumps[1] = 0;
    const bailey_status status = queue_builtin(m);
    *mean = m->builtin_estimates[0].mean * growth;
    *error = m->builtin_estimates[0].standard_error * growth;
    return status;
}

static struct rival choose_rival(struct measurement *m)
{
    const struct simulate_case *c = m->wanted;
    struct simulate_bench *bench = m->bench;
    struct bench_peer *peer = &bench->peer[c->normal.precision];
    const int by_hand = c->rival == SIMULATE_BEST_PEER && c->deal == SIMULATE_BASKET;
    if (c->rival == SIMULATE_ONE_SCENARIO)
        return (struct rival){
            "one price", queue_simulation, m, &m->estimates[0].mean, &m->estimates[0].standard_error, NULL};
    if (c->rival == SIMULATE_PYTHON) {
        m->python = (struct bench_python_job){.python = bench->python, .paths = c->paths};
        return (struct rival){c->module,       bench_python_run, &m->python,
                              &m->python.mean, &m->python.error, NULL};
    }
    if (by_hand && peer->kernel && peer->paths == c->paths)
        return (struct rival){.of = bench->peer_name[c->normal.precision],
                              .queue = bench_peer_queue,
                              .user = peer,
                              .price = peer_price};
    if (by_hand && bench->host) {
        m->plain = (struct plain_basket){.host = bench->host,
                                         .f32 = bench->f32,
                                         .f64 = bench->f64,
                                         .is_double = c->normal.precision == BAILEY_PRECISION_F64,
                                         .paths = c->paths};
        return (struct rival){"plain loop",   plain_basket_run, &m->plain,
                              &m->plain.mean, &m->plain.error,  NULL};
    }
    return (struct rival){.of = "built-in", .queue = queue_builtin, .user = m, .price = builtin_price};
}

static bailey_status rival_price(struct measurement *m, const struct rival *rival, double *mean,
                                 double *error)
{
    if (rival->price) return rival->price(m, mean, error);
    *mean = *rival->mean;
    *error = *rival->error;
    return BAILEY_OK;
}

/* Within four standard errors, and rounding. Points of one replicate have no error of their own; that of as
 * many independent paths is larger. */
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

/* The row of a module of Python, measured in turns with ours, which gets the processor times of both: on a
 * busy machine they are worth more than the clock. */
static void fill_python(struct measurement *m, const struct bench_subject subjects[2], double normals,
                        struct bench_row *ours, struct bench_row *theirs)
{
    const struct bench_python_job *job = &m->python;
    const double our_seconds = m->processor_seconds / (double)(subjects[0].calls * subjects[0].batches);
    const double seconds = job->processor_seconds / (double)(subjects[1].calls * subjects[1].batches);
    const char *source = bench_python_note(job->python), *version = bench_python_version(job->python);
    bench_fact_number(ours, "processor_seconds", our_seconds);
    bench_fact_number(ours, "reference_processor_seconds", seconds);
    theirs->state = BENCH_MEASURED;
    bench_figures(theirs, &subjects[1], 0, normals);
    theirs->of = m->wanted->module;
    bench_fact_number(theirs, "price", job->mean);
    bench_fact_number(theirs, "standard_error", job->error);
    bench_fact_text(theirs, "source", source);
    bench_fact_text(theirs, "module_version", version);
    bench_fact_number(theirs, "processes", bench_python_processes(job->python));
    bench_fact_number(theirs, "processor_seconds", seconds);
    snprintf(theirs->note, sizeof theirs->note, "%.5f, %s, %s", job->mean, source, version);
}

/* `theirs`: for the row of the rival where that is Python, else NULL. */
static void measure(struct measurement *m, struct bench_row *row, struct bench_row *theirs)
{
    struct bench_subject subjects[2] = {{.queue = m->wanted->scenarios ? queue_scenarios
                                                  : theirs             ? queue_counted
                                                                       : queue_simulation,
                                         .user = m}};
    const struct rival rival = choose_rival(m);
    subjects[1] = (struct bench_subject){.queue = rival.queue, .user = rival.user};
    row->of = rival.of;
    const double normals = 1e-9 * (double)m->wanted->paths * m->deal->steps * m->deal->assets;
    if (bench_trouble(
            row, bench_time(m->bench->base.context, &m->bench->base.settings, subjects, 2, begin_counting, m),
            ""))
        return;
    bench_figures(row, subjects, 1, normals);
    if (theirs) fill_python(m, subjects, normals, row, theirs);
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
    memset(row, 0, sizeof *row);
    describe(wanted, m.deal, row);
    if (!bench_trouble(row, begin(&m), "")) measure(&m, row, NULL);
    bailey_simulation_destroy(m.simulation);
    bailey_simulation_destroy(m.builtin);
}

/* ---- NumPy and QuantLib ---- */

static size_t append_numbers(char *text, size_t used, size_t size, const char *key, const double *numbers,
                             int count)
{
    used += (size_t)snprintf(text + used, size - used, ", \"%s\": [", key);
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%.17g", i ? ", " : "", numbers[i]);
    return used + (size_t)snprintf(text + used, size - used, "]");
}

/* A deal as python_peers.py wants it: the basket by its logarithms, one asset as banks name it. */
static void python_deal(const struct simulate_bench *bench, const struct deal *deal, char *text, size_t size)
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

/* The processes of one case may be those of the next. */
static void open_python(struct simulate_bench *bench, const struct simulate_case *c)
{
    char deal[1024];
    const bailey_precision precision = c->normal.precision;
    if (bench->python_module && !strcmp(bench->python_module, c->module) &&
        bench->python_precision == precision)
        return;
    bench_python_close(bench->python);
    bench->python = NULL;
    bench->python_module = c->module;
    bench->python_precision = precision;
    snprintf(bench->python_why, sizeof bench->python_why, "only beside devices of the processor");
    if (!bench->host) return;
    python_deal(bench, &deals[c->deal], deal, sizeof deal);
    bench->python =
        bench_python_open(c->module, option_precision(precision), deal, bench_host_threads(bench->host),
                          bench->python_why, sizeof bench->python_why);
}

int simulate_python_run(struct simulate_bench *bench, const struct simulate_case *wanted,
                        struct bench_row *ours, struct bench_row *theirs)
{
    struct measurement m = {.bench = bench, .wanted = wanted, .deal = &deals[wanted->deal]};
    memset(ours, 0, sizeof *ours);
    memset(theirs, 0, sizeof *theirs);
    describe(wanted, m.deal, ours);
    describe(wanted, m.deal, theirs);
    snprintf(theirs->name, sizeof theirs->name, "simulate/peers/%s/%s", wanted->module,
             option_precision(wanted->normal.precision));
    theirs->state = BENCH_SKIPPED;
    open_python(bench, wanted);
    if (!bench->python) {
        snprintf(theirs->reason, sizeof theirs->reason, "%s", bench->python_why);
        return 0;
    }
    snprintf(theirs->reason, sizeof theirs->reason, "what takes turns with it failed");
    if (!bench_trouble(ours, begin(&m), "")) measure(&m, ours, theirs);
    bailey_simulation_destroy(m.simulation);
    bailey_simulation_destroy(m.builtin);
    const char *why = bench_python_why(bench->python);
    if (!*why) return 1;
    bench_fail(theirs, "%s", why);
    return 0;
}

/* ---- What others have ---- */

/* Kernels, by precision, each in variants. The first two of a precision may be rivals. */
static const struct hand {
    const char *name, *of;
    bailey_precision precision;
    const char *variants[3];
} hands[] = {
    {"philox", "curand philox", BAILEY_PRECISION_F32, {"basket_philox_f32_4", "basket_philox_f32_8", NULL}},
    {"xorwow", "curand xorwow", BAILEY_PRECISION_F32, {"basket_xorwow_f32_2", "basket_xorwow_f32_4", NULL}},
    {"philox-native", "", BAILEY_PRECISION_F32, {"basket_native_philox_f32_4", NULL}},
    {"xorwow-native", "", BAILEY_PRECISION_F32, {"basket_native_xorwow_f32_4", NULL}},
    {"philox", "curand philox", BAILEY_PRECISION_F64, {"basket_philox_f64_2", "basket_philox_f64_4", NULL}},
    {"xorwow", "curand xorwow", BAILEY_PRECISION_F64, {"basket_xorwow_f64_2", "basket_xorwow_f64_4", NULL}},
};

static void peer_row(struct simulate_bench *bench, const struct hand *hand, struct bench_peer *peer,
                     struct bench_row *row)
{
    double mean = 0, error = 0;
    if (bench_peer_queue(peer) || bench_peer_result(peer, &mean, &error)) {
        bench_fail(row, "%s", bench_peers_why(bench->peers));
    }
    snprintf(row->name, sizeof row->name, "simulate/basket/curand/%s/%s", hand->name,
             option_precision(hand->precision));
    row->unit = "G normals/s";
    row->count = peer->paths;
    row->kernel.block = peer->block;
    bench_fact_number(row, "price", mean);
    bench_fact_number(row, "standard_error", error);
    bench_fact_number(row, "grid", peer->grid);
    bench_fact_text(row, "kernel", peer->name);
    snprintf(row->note, sizeof row->note, "%.5f, %u x %u", mean, peer->grid, peer->block);
}

static void reason_row(struct bench_row *row, bailey_precision precision, enum bench_state state,
                       const char *why)
{
    row->state = state;
    snprintf(row->name, sizeof row->name, "simulate/basket/curand/%s", precision ? "f64" : "f32");
    snprintf(row->reason, sizeof row->reason, "%s", why);
}

/* The kernels of a precision, each with its fastest launch; 0 if one has none. */
static size_t choose_peers(struct simulate_bench *bench, bailey_precision precision, uint64_t paths,
                           struct bench_peer *peers, const struct hand **chosen)
{
    const void *deal = precision ? (const void *)&bench->f64 : (const void *)&bench->f32;
    size_t count = 0;
    for (size_t i = 0; i < sizeof hands / sizeof *hands; i++) {
        if (hands[i].precision != precision) continue;
        if (!bench_peer_choose(bench->peers, hands[i].variants, deal, paths, &peers[count])) return 0;
        chosen[count++] = &hands[i];
    }
    return count;
}

size_t simulate_rivals_run(struct simulate_bench *bench, bailey_precision precision, uint64_t paths,
                           struct bench_row rows[SIMULATE_RIVALS])
{
    struct bench_peer peers[SIMULATE_RIVALS];
    const struct hand *chosen[SIMULATE_RIVALS];
    struct bench_subject subjects[SIMULATE_RIVALS];
    memset(rows, 0, SIMULATE_RIVALS * sizeof *rows);
    if (strncmp(bench->base.device.address, "cuda", 4)) return 0;
    if (!bench->peers) {
        reason_row(rows, precision, BENCH_SKIPPED, bench->peers_why);
        return 1;
    }
    const size_t count = choose_peers(bench, precision, paths, peers, chosen);
    for (size_t i = 0; i < count; i++)
        subjects[i] = (struct bench_subject){.queue = bench_peer_queue, .user = &peers[i]};
    if (!count || bench_time(bench->base.context, &bench->base.settings, subjects, count, NULL, NULL)) {
        reason_row(rows, precision, BENCH_FAILED, bench_peers_why(bench->peers));
        return 1;
    }
    const int best = subjects[1].median < subjects[0].median;
    bench->peer[precision] = peers[best];
    bench->peer_name[precision] = chosen[best]->of;
    for (size_t i = 0; i < count; i++) {
        const struct bench_subject pair[2] = {subjects[i], subjects[best]};
        peer_row(bench, chosen[i], &peers[i], &rows[i]);
        bench_figures(&rows[i], pair, 1, 1e-9 * (double)paths * DEAL_FIXINGS * DEAL_ASSETS);
        rows[i].of = chosen[best]->of;
    }
    return count;
}
