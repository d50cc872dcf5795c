/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The simulations of table 37-1 of Howes and Thomas, GPU Gems 3, chapter 37, its rows and ours.
 */
#include "bench_simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The publication gives no numbers: those of the built-in payoffs. The constants are the deviates of equal
 * parts of the normal distribution, in no order. */
static const struct deal_gems deal_here = {
    .spot_a = 100,
    .spot_b = 100,
    .drift_a = 0.03F / 256,
    .drift_b = 0.03F / 256,
    .sigma_aa = 0.0125F,
    .sigma_ab = 0.00625F,
    .sigma_bb = 0.0108253175F,
    .spot = 100,
    .drift = 0.0001F,
    .volatility = 0.01F,
    .a0 = 0.000005F,
    .a1 = 0.85F,
    .a2 = 0.1F,
    .constant = {0.58F, -1.32F, 0.24F, 1.01F, -0.08F, -0.78F, 1.86F, -0.4F, -1.01F, 0.08F, -0.24F, 0.78F,
                 -1.86F, 0.4F, 1.32F, -0.58F},
};

struct setting {
    const char *name;
    float value;
};

static const struct problem {
    enum bench_subject subject;
    const char *name;
    uint32_t dims, steps;
    struct setting settings[8];
} problems[] = {
    {BENCH_ASIAN_MAX,
     "asian-max",
     2,
     GEMS_MAX_STEPS,
     {{"spot_a", 100},
      {"spot_b", 100},
      {"drift_a", 0.03F / 256},
      {"drift_b", 0.03F / 256},
      {"sigma_aa", 0.0125F},
      {"sigma_ab", 0.00625F},
      {"sigma_bb", 0.0108253175F}}},
    {BENCH_LOOKBACK_GARCH,
     "lookback-garch",
     1,
     GEMS_GARCH_STEPS,
     {{"spot", 100},
      {"drift", 0.0001F},
      {"volatility", 0.01F},
      {"a0", 0.000005F},
      {"a1", 0.85F},
      {"a2", 0.1F}}},
};
#define PROBLEMS (sizeof problems / sizeof *problems)

#define FAST BAILEY_NORMAL_METHOD_BOX_MULLER, BAILEY_NUMERICS_FAST
#define EXACT BAILEY_NORMAL_METHOD_ICDF, BAILEY_NUMERICS_EXACT
static const struct line {
    const char *name;
    const char *setting; /* of a peer, which runs it; NULL: our simulation */
    bailey_generator generator;
    bailey_normal_method method;
    bailey_numerics numerics;
} lines[] = {
    {"constant", "constant", BAILEY_GENERATOR_PHILOX, FAST},
    {"mt19937/ziggurat", "mt19937/ziggurat", BAILEY_GENERATOR_PHILOX, FAST},
    {"curand/xorwow", "curand/xorwow", BAILEY_GENERATOR_PHILOX, FAST},
    {"wallace", "memory", BAILEY_GENERATOR_PHILOX, BAILEY_NORMAL_METHOD_WALLACE, BAILEY_NUMERICS_EXACT},
    {"hybrid-taus-gems/box-muller/fast", NULL, BAILEY_GENERATOR_HYBRID_TAUS_GEMS, FAST},
    {"hybrid-taus/box-muller/fast", NULL, BAILEY_GENERATOR_HYBRID_TAUS, FAST},
    {"philox/box-muller/fast", NULL, BAILEY_GENERATOR_PHILOX, FAST},
    {"philox/icdf/exact", NULL, BAILEY_GENERATOR_PHILOX, EXACT},
};
#define LINES (sizeof lines / sizeof *lines)

int gems_name(const struct bench *bench, size_t index, char *name)
{
    (void)bench;
    if (index >= PROBLEMS * LINES) return 0;
    snprintf(name, BENCH_NAME, "simulate/%s/%s", problems[index / LINES].name, lines[index % LINES].name);
    return 1;
}

struct measurement {
    struct simulate_bench *bench;
    const struct problem *problem;
    const struct line *line;
    uint64_t paths;
    double times[GEMS_MAX_STEPS];
    bailey_simulation *simulation;
    bailey_simulation_run_params run, usual; /* of the row; Philox, for the price and as a rival */
    bailey_estimate estimate;
    struct deal_gems deal;
    struct bench_case wanted;
    struct bench_entry peer, bound;
    struct bench_space normals; /* Wallace's, which a peer reads */
    bailey_normal_params wallace;
};

static bailey_status queue_run(void *user)
{
    struct measurement *m = user;
    return bailey_simulation_run(m->simulation, &m->run, &m->estimate);
}

static bailey_status queue_usual(void *user)
{
    struct measurement *m = user;
    return bailey_simulation_run(m->simulation, &m->usual, &m->estimate);
}

static bailey_status queue_wallace(void *user)
{
    struct measurement *m = user;
    const bailey_status status =
        bailey_normals_generate(m->bench->base.context, &m->run.source, &m->wallace, 0,
                                m->paths * m->problem->steps * m->problem->dims, m->normals.buffer, 0);
    return status ? status : m->peer.peer->run(&m->peer);
}

/* ---- Preparations ---- */

static bailey_status make_simulation(struct measurement *m)
{
    const struct problem *problem = m->problem;
    const bailey_simulation_params params = {
        .path = {.times = m->times,
                 .steps = problem->steps,
                 .dims = problem->dims,
                 .output = BAILEY_BRIDGE_OUTPUT_INCREMENTS,
                 .construction = BAILEY_CONSTRUCTION_WALK},
        .payoff = {.name = problem->name},
    };
    for (uint32_t i = 0; i < problem->steps; i++) m->times[i] = i + 1;
    bailey_status status = bailey_simulation_create(m->bench->base.context, &params, &m->simulation);
    for (const struct setting *s = problem->settings; s->name && !status; s++) {
        const double value = (double)s->value;
        status = bailey_simulation_set(m->simulation, s->name, &value, 1);
    }
    m->run =
        (bailey_simulation_run_params){.source = {.generator = m->line->generator, .seed = 1},
                                       .normal = {.method = m->line->method, .numerics = m->line->numerics},
                                       .paths = m->paths};
    m->usual = m->run;
    m->usual.source.generator = BAILEY_GENERATOR_PHILOX;
    m->usual.normal =
        (bailey_normal_params){.method = BAILEY_NORMAL_METHOD_BOX_MULLER, .numerics = BAILEY_NUMERICS_FAST};
    return status;
}

/* The peer that has this setting, and its number; of several one that is here. */
static const struct bench_peer *find_peer(const struct bench_case *wanted, const char *setting,
                                          unsigned *chosen)
{
    const struct bench_peer *peer, *found = NULL;
    unsigned number;
    for (unsigned i = 0; (peer = bench_peer_at(wanted, i, &number)) != NULL; i++) {
        if (strcmp(bench_peer_setting(peer, wanted, number), setting)) continue;
        if (found && bench_peer_is_here(found, wanted)) continue;
        found = peer;
        *chosen = number;
    }
    return found;
}

static int prepare_wallace(struct measurement *m, struct bench_row *row)
{
    const uint64_t bytes = m->paths * m->problem->steps * m->problem->dims * sizeof(float);
    m->wallace = m->run.normal;
    m->wanted.out = &m->normals;
    return !bench_trouble(row, bench_space_take(m->bench->base.context, NULL, bytes, &m->normals), "normals");
}

/* The row's subject; false where there is none here. */
static int choose_subject(struct measurement *m, struct bench_timed *timed, struct bench_row *row)
{
    const int wallace = m->line->method == BAILEY_NORMAL_METHOD_WALLACE;
    unsigned setting = 0;
    *timed = (struct bench_timed){.queue = queue_run, .user = m};
    if (!m->line->setting) return 1;
    const struct bench_peer *peer = find_peer(&m->wanted, m->line->setting, &setting);
    if (wallace && bench_peer_is_here(peer, &m->wanted) && !prepare_wallace(m, row)) return 0;
    if (bench_entry_begin(&m->peer, peer, setting, &m->wanted, ' ')) {
        *timed = wallace ? (struct bench_timed){.queue = queue_wallace, .user = m}
                         : (struct bench_timed){.queue = peer->run, .user = &m->peer};
        return 1;
    }
    bench_fail(row, "%s", m->peer.why);
    if (m->peer.missing) row->state = BENCH_SKIPPED;
    return 0;
}

/* The bound, where there is one; else our simulation from Philox. */
static int choose_rival(struct measurement *m, struct bench_timed *timed, struct bench_row *row)
{
    unsigned setting = 0;
    const struct bench_peer *peer = find_peer(&m->wanted, "constant", &setting);
    row->of = "constant";
    *timed = (struct bench_timed){.queue = queue_usual, .user = m};
    if (bench_entry_begin(&m->bound, peer, setting, &m->wanted, ' ')) {
        *timed = (struct bench_timed){.queue = peer->run, .user = &m->bound};
        return 1;
    }
    if (m->bound.missing)
        row->of = "philox fast";
    else
        bench_fail(row, "%s", m->bound.why);
    return m->bound.missing;
}

/* ---- A measurement ---- */

static bailey_status price(struct measurement *m, struct bench_timed *timed, double *mean, double *error)
{
    const bailey_status status = timed->queue(timed->user);
    if (status) return status;
    if (m->line->setting) return bench_entry_price(&m->peer, mean, error);
    *mean = m->estimate.mean;
    *error = m->estimate.standard_error;
    return BAILEY_OK;
}

/* Against our simulation from Philox, on another stream. */
static void check_price(struct measurement *m, struct bench_timed *timed, struct bench_row *row)
{
    double mean = 0, error = 0;
    if (bench_trouble(row, price(m, timed, &mean, &error), "the price")) return;
    bench_fact_number(row, "price", mean);
    bench_fact_number(row, "standard_error", error);
    snprintf(row->note, sizeof row->note, "%.5f", mean);
    if (m->line->setting && !strcmp(m->line->setting, "constant")) return;
    m->usual.source.stream = 1;
    if (bench_trouble(row, queue_usual(m), "bailey_simulation_run")) return;
    const double both = hypot(error, m->estimate.standard_error);
    if (fabs(mean - m->estimate.mean) <= 4 * both + 1e-4) return;
    bench_fail(row, "the price is %.9g, that of Philox's paths %.9g, the standard error %.3g", mean,
               m->estimate.mean, both);
}

/* About 2^30 steps on a GPU, 2^21 on a CPU; normals in memory at most half a GiB. */
static uint64_t choose_paths(const struct simulate_bench *bench, const struct problem *problem,
                             const struct line *line, uint64_t asked)
{
    const uint64_t steps = UINT64_C(1) << (bench->host ? 21 : 30);
    const uint64_t paths = asked ? asked : steps / problem->steps;
    const uint64_t most = (UINT64_C(1) << 27) / problem->steps / problem->dims;
    return line->method == BAILEY_NORMAL_METHOD_WALLACE && paths > most ? most : paths;
}

static void measure(struct measurement *m, struct bench_row *row)
{
    struct bench_timed timed[2];
    const double steps = 1e-9 * (double)m->paths * m->problem->steps;
    if (!choose_subject(m, &timed[0], row) || !choose_rival(m, &timed[1], row)) return;
    if (bench_trouble(row, bench_time(m->bench->base.context, &m->bench->base.settings, timed, 2, NULL, NULL),
                      ""))
        return;
    bench_figures(row, timed, 1, steps);
    check_price(m, &timed[0], row);
}

void gems_run(struct simulate_bench *bench, size_t index, uint64_t paths, struct bench_row *row)
{
    struct measurement m = {.bench = bench,
                            .problem = &problems[index / LINES],
                            .line = &lines[index % LINES],
                            .deal = deal_here};
    m.paths = choose_paths(bench, m.problem, m.line, paths);
    m.wanted = (struct bench_case){.bench = &bench->base,
                                   .subject = m.problem->subject,
                                   .host = bench->host,
                                   .count = m.paths,
                                   .deal = &m.deal};
    row->unit = "G steps/s";
    row->count = m.paths;
    bench_fact_number(row, "steps", m.problem->steps);
    bench_fact_number(row, "dims", m.problem->dims);
    if (!bench_trouble(row, make_simulation(&m), m.problem->name)) measure(&m, row);
    bench_entry_end(&m.peer);
    bench_entry_end(&m.bound);
    bench_space_free(&m.normals);
    bailey_simulation_destroy(m.simulation);
}
