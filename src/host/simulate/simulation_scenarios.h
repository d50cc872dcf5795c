/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The scenarios of a run, and how they are cut into passes: what one program values side by side. Pure host
 * code.
 */
#ifndef BLY_SIMULATION_SCENARIOS_H
#define BLY_SIMULATION_SCENARIOS_H

#include "simulation_internal.h"

/* 4-byte words of the states of scenarios side by side that an item of a GPU keeps in registers, those of all
 * its paths; and of one path's state. */
#define BLY_SCENARIO_WORDS 160u
uint32_t bly_simulation_state_words(const bailey_simulation *simulation, int antithetic);

/* Consecutive outputs of a pass that belong to one row: output `from` + j with weight number `weight` + j. */
struct bly_terms {
    uint32_t row, from, count, weight;
};

/* Results first .. first + results - 1 of a run, and the scenarios that they are made of. */
struct bly_pass {
    uint32_t results, scenarios;
    uint64_t first;
    const uint64_t *scenario; /* their numbers */
    /* With weights: */
    const struct bly_terms *terms;
    uint32_t term_count, weight_count;
};

struct bly_scenario_plan;

/* Checks the scenarios of a run, and what goes with their results; plans its passes. The plan refers to
 * simulation and parameters. Returns: OK, ERROR_INVALID, ERROR_MEMORY. */
bailey_status bly_scenarios_plan(const bailey_simulation *simulation,
                                 const bailey_simulation_run_params *params, struct bly_scenario_plan **plan);
void bly_scenarios_free(struct bly_scenario_plan *plan);

uint64_t bly_scenarios_passes(const struct bly_scenario_plan *plan);
/* All results of the run. */
uint64_t bly_scenarios_results(const struct bly_scenario_plan *plan);

/* Pass number `number`, whose arrays are the plan's until the next call. */
bailey_status bly_scenarios_pass(struct bly_scenario_plan *plan, uint64_t number, struct bly_pass *pass);

/* Fills in what the pass's program is made for. */
void bly_scenarios_choose(const struct bly_scenario_plan *plan, const struct bly_pass *pass,
                          struct bly_simulation_variant *variant);

/* What a program reads: sets of parameters, then weights, scores and moves (kernels/payoff_head.h), each from
 * an 8-byte word on. */
struct bly_values_layout {
    uint64_t set, weights, scores, moves, all; /* words: of a set, before each of the others, of all */
};
struct bly_values_layout bly_scenarios_layout(const bailey_simulation *simulation,
                                              const struct bly_simulation_variant *variant);

/* Writes it for a pass, into zeroed memory. */
bailey_status bly_scenarios_write(const struct bly_scenario_plan *plan, const struct bly_pass *pass,
                                  const struct bly_values_layout *layout, void *values);

#endif
