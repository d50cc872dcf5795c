/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The simulations of table 37-1 of Howes and Thomas, GPU Gems 3, chapter 37, its rows and ours.
 */
#include "bench_simulate.h"

#include "bench_plain.h"

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
    const char *name;
    uint32_t dims, steps;
    struct setting settings[8];
} problems[] = {
    {"asian-max",
     2,
     GEMS_MAX_STEPS,
     {{"spot_a", 100},
      {"spot_b", 100},
      {"drift_a", 0.03F / 256},
      {"drift_b", 0.03F / 256},
      {"sigma_aa", 0.0125F},
      {"sigma_ab", 0.00625F},
      {"sigma_bb", 0.0108253175F}}},
    {"lookback-garch",
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

enum kind { CONSTANT, ZIGGURAT, XORWOW, WALLACE, SIMULATION };

#define FAST BAILEY_NORMAL_METHOD_BOX_MULLER, BAILEY_NUMERICS_FAST
#define EXACT BAILEY_NORMAL_METHOD_ICDF, BAILEY_NUMERICS_EXACT
static const struct line {
    const char *name;
    enum kind kind;
    bailey_generator generator;
    bailey_normal_method method;
    bailey_numerics numerics;
} lines[] = {
    {"constant", CONSTANT, BAILEY_GENERATOR_PHILOX, FAST},
    {"mt19937/ziggurat", ZIGGURAT, BAILEY_GENERATOR_PHILOX, FAST},
    {"curand/xorwow", XORWOW, BAILEY_GENERATOR_PHILOX, FAST},
    {"wallace", WALLACE, BAILEY_GENERATOR_PHILOX, BAILEY_NORMAL_METHOD_WALLACE, BAILEY_NUMERICS_EXACT},
    {"hybrid-taus-gems/box-muller/fast", SIMULATION, BAILEY_GENERATOR_HYBRID_TAUS_GEMS, FAST},
    {"hybrid-taus/box-muller/fast", SIMULATION, BAILEY_GENERATOR_HYBRID_TAUS, FAST},
    {"philox/box-muller/fast", SIMULATION, BAILEY_GENERATOR_PHILOX, FAST},
    {"philox/icdf/exact", SIMULATION, BAILEY_GENERATOR_PHILOX, EXACT},
};
#define LINES (sizeof lines / sizeof *lines)

int gems_name(size_t index, char *name, size_t size)
{
    if (index >= PROBLEMS * LINES) return 0;
    snprintf(name, size, "simulate/%s/%s", problems[index / LINES].name, lines[index % LINES].name);
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
    struct bench_peer peer, bound;
    struct plain_gems plain, plain_bound;
    bailey_buffer *normals;
    bailey_normal_params wallace;
};

static int garch(const struct measurement *m) { return m->problem != problems; }

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
                                m->paths * m->problem->steps * m->problem->dims, m->normals, 0);
    return status ? status : bench_peer_queue(&m->peer);
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

static int skip(struct bench_row *row, const char *why)
{
    bench_skip(row, why);
    return 0;
}

static int choose(struct measurement *m, const char *source, struct bench_peer *peer, struct bench_row *row)
{
    static const char *const names[2][3] = {
        {"gems_max_constant", "gems_max_xorwow", "gems_max_memory"},
        {"gems_garch_constant", "gems_garch_xorwow", "gems_garch_memory"}};
    for (int i = 0; i < 3; i++) {
        const char *const wanted[2] = {names[garch(m)][i], NULL};
        if (!strstr(wanted[0], source)) continue;
        if (bench_peer_choose(m->bench->peers, wanted, &m->deal, m->paths, peer)) return 1;
        bench_fail(row, "%s", bench_peers_why(m->bench->peers));
    }
    return 0;
}

static int prepare_wallace(struct measurement *m, struct bench_row *row)
{
    unsigned long long address;
    const uint64_t bytes = m->paths * m->problem->steps * m->problem->dims * sizeof(float);
    m->wallace = m->run.normal;
    if (bench_trouble(row, bailey_buffer_create(m->bench->base.context, bytes, &m->normals), "normals") ||
        bench_trouble(row, bench_peers_address(m->normals, &address), "normals"))
        return 0;
    m->deal.normals = address;
    return 1;
}

static struct plain_gems plain(struct measurement *m, int constant)
{
    return (struct plain_gems){
        .host = m->bench->host, .deal = &m->deal, .garch = garch(m), .constant = constant, .paths = m->paths};
}

/* The row's subject; false where there is none here. */
static int choose_subject(struct measurement *m, struct bench_subject *subject, struct bench_row *row)
{
    struct simulate_bench *bench = m->bench;
    const enum kind kind = m->line->kind;
    *subject = (struct bench_subject){.queue = queue_run, .user = m};
    if (kind == SIMULATION) return 1;
    if (kind == ZIGGURAT || (kind == CONSTANT && bench->host)) {
        if (!bench->host) return skip(row, "for processors");
        m->plain = plain(m, kind == CONSTANT);
        *subject = (struct bench_subject){.queue = plain_gems_run, .user = &m->plain};
        return 1;
    }
    if (!bench->peers) return skip(row, *bench->peers_why ? bench->peers_why : "a CUDA kernel");
    if (kind == WALLACE && !prepare_wallace(m, row)) return 0;
    *subject = (struct bench_subject){.queue = bench_peer_queue, .user = &m->peer};
    if (kind == WALLACE) *subject = (struct bench_subject){.queue = queue_wallace, .user = m};
    return choose(m, kind == WALLACE ? "memory" : kind == XORWOW ? "xorwow" : "constant", &m->peer, row);
}

/* The bound, where there is one; else our simulation from Philox. */
static int choose_rival(struct measurement *m, struct bench_subject *subject, struct bench_row *row)
{
    row->of = "constant";
    if (m->bench->host) {
        m->plain_bound = plain(m, 1);
        *subject = (struct bench_subject){.queue = plain_gems_run, .user = &m->plain_bound};
        return 1;
    }
    if (m->bench->peers) {
        *subject = (struct bench_subject){.queue = bench_peer_queue, .user = &m->bound};
        return choose(m, "constant", &m->bound, row);
    }
    row->of = "philox fast";
    *subject = (struct bench_subject){.queue = queue_usual, .user = m};
    return 1;
}

/* ---- A measurement ---- */

static bailey_status price(struct measurement *m, struct bench_subject *subject, double *mean, double *error)
{
    bailey_status status = subject->queue(subject->user);
    if (status) return status;
    if (subject->user == &m->plain) {
        *mean = m->plain.mean;
        *error = m->plain.error;
        return BAILEY_OK;
    }
    if (m->peer.kernel) return bench_peer_result(&m->peer, mean, error);
    *mean = m->estimate.mean;
    *error = m->estimate.standard_error;
    return BAILEY_OK;
}

/* Against our simulation from Philox, on another stream. */
static void check_price(struct measurement *m, struct bench_subject *subject, struct bench_row *row)
{
    double mean = 0, error = 0;
    if (bench_trouble(row, price(m, subject, &mean, &error), "the price")) return;
    bench_fact_number(row, "price", mean);
    bench_fact_number(row, "standard_error", error);
    snprintf(row->note, sizeof row->note, "%.5f", mean);
    if (m->line->kind == CONSTANT) return;
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
    return line->kind == WALLACE && paths > most ? most : paths;
}

static void measure(struct measurement *m, struct bench_row *row)
{
    struct bench_subject subjects[2];
    const double steps = 1e-9 * (double)m->paths * m->problem->steps;
    if (!choose_subject(m, &subjects[0], row) || !choose_rival(m, &subjects[1], row)) return;
    if (bench_trouble(
            row, bench_time(m->bench->base.context, &m->bench->base.settings, subjects, 2, NULL, NULL), ""))
        return;
    bench_figures(row, subjects, 1, steps);
    check_price(m, &subjects[0], row);
}

void gems_run(struct simulate_bench *bench, size_t index, uint64_t paths, struct bench_row *row)
{
    struct measurement m = {.bench = bench,
                            .problem = &problems[index / LINES],
                            .line = &lines[index % LINES],
                            .deal = deal_here};
    m.paths = choose_paths(bench, m.problem, m.line, paths);
    memset(row, 0, sizeof *row);
    gems_name(index, row->name, sizeof row->name);
    row->unit = "G steps/s";
    row->count = m.paths;
    bench_fact_number(row, "steps", m.problem->steps);
    bench_fact_number(row, "dims", m.problem->dims);
    if (!bench_trouble(row, make_simulation(&m), m.problem->name)) measure(&m, row);
    bailey_buffer_destroy(m.normals);
    bailey_simulation_destroy(m.simulation);
}
