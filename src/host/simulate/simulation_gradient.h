/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The simulations that gradients are runs of: made in simulation_gradient.c, run in
 * simulation_gradient_run.c.
 */
#ifndef BLY_SIMULATION_GRADIENT_H
#define BLY_SIMULATION_GRADIENT_H

#include "gradient_jumps.h"
#include "simulation_internal.h"

#include <bailey/gradient.h>
#include <host/derive/derivative.h>

#define BLY_GRADIENT_MOST 1024u /* outputs and derivatives together; directions */

/* A question, and the simulation that answers it: its outputs are those of the payoff, then, of second
 * derivatives, the first derivative that they are of, then the derivatives. */
struct bly_gradient {
    struct bly_gradient *next; /* asked for before */
    uint8_t *asked;            /* [numbers] of params */
    uint32_t numbers, outputs, derivatives, covariance, time;
    struct bly_gradient_jumps *jumps; /* NULL: none */
    uint8_t chosen[BAILEY_SIMULATION_MAX_OUTPUTS];
    int has_weights;
    int forward;          /* its code is in forward mode */
    uint8_t *independent; /* [numbers], then of covariance and time: the output does not depend on it; NULL:
                           * not known */
    uint64_t memory; /* bytes of a path's states */
    int is_second;
    int parts;          /* also what came through jumps, behind the derivatives */
    int repeats;        /* the payoff compares numbers again */
    int one_sided;      /* hardly any path comes to one side of a comparison */
    uint32_t direction; /* number of params */
    struct bly_derivative_names names;
    bailey_simulation *of; /* the derivatives */
};

/* Which of the derivatives: the first ones, or those of the first one with respect to a direction. */
struct bly_gradient_order {
    int is_second;
    uint32_t direction;
    int parts;
    int repeats, one_sided; /* of bly_gradient_find: the same of bly_gradient */
};

/* Numbers of params. */
struct bly_directions {
    uint32_t count, number[BLY_GRADIENT_MOST];
};
bailey_status bly_gradient_directions(const bailey_simulation *simulation,
                                      const bailey_gradient_params *params,
                                      struct bly_directions *directions);

/* The question, without an answer. The caller frees *made whatever is returned. */
bailey_status bly_gradient_question(const bailey_simulation *simulation, const bailey_gradient_params *params,
                                    struct bly_gradient_order order, struct bly_gradient **made);
/* Finds g->forward and, of first derivatives, g->independent of a question without an answer. */
bailey_status bly_gradient_find_mode(const bailey_simulation *simulation, struct bly_gradient *g);
/* The answer becomes the simulation's first one, made unless it is there. */
bailey_status bly_gradient_find(bailey_simulation *simulation, const bailey_gradient_params *params,
                                struct bly_gradient_order order);
/* The same, with the parameters that the simulation has now, and the widths of a run of so many paths. */
bailey_status bly_gradient_ready(bailey_simulation *simulation, const bailey_gradient_params *params,
                                 struct bly_gradient_order order, uint64_t paths);
/* The derivatives of the first derivatives with respect to each of the directions, one after the other, as
 * bailey_simulation_gradient has them behind the first derivatives. */
bailey_status bly_gradient_second(bailey_simulation *simulation, const bailey_simulation_run_params *run,
                                  const bailey_gradient_params *params, bailey_derivative *second);
/* With all that were asked for before. */
void bly_gradient_free(struct bly_gradient *gradient);

#endif
