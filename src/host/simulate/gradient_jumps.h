/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The jumps of a gradient: what is compared on pilot paths, and the widths that follow from it.
 */
#ifndef BLY_GRADIENT_JUMPS_H
#define BLY_GRADIENT_JUMPS_H

#include "simulation_internal.h"

#include <bailey/gradient.h>
#include <host/derive/derivative.h>

struct bly_gradient_jumps {
    uint32_t count;
    bailey_simulation *pilot;
    struct bly_derivative_names names; /* of its params */
    struct bly_jump places[BLY_MOST_JUMPS];
    double widths[BLY_MOST_JUMPS], spreads[BLY_MOST_JUMPS], sides[BLY_MOST_JUMPS]; /* of the last run */
    uint32_t with[BLY_MOST_JUMPS]; /* the same for jumps that turn together */
    int runs;                      /* d->runs */
    int repeats, one_sided;        /* those of d */
    int repeated; /* pilot paths of the last run compare numbers again: this needs d->repeats */
    int ended;    /* hardly any come to one side of a comparison: this needs d->one_sided */
};

/* The jumps of a derivative of s; *jumps is NULL where none counts. */
bailey_status bly_gradient_jumps_create(const bailey_simulation *s, const struct bly_derivative *d,
                                        struct bly_gradient_jumps **jumps);
void bly_gradient_jumps_destroy(struct bly_gradient_jumps *jumps);

/* Gives the parameters of s to a simulation of code made of its code, whose own parameters come behind them.
 */
void bly_gradient_parameters(const bailey_simulation *s, bailey_simulation *made);
/* Sets such a parameter, to values that are `stride` apart, or to zeros. "" is none. */
void bly_gradient_member(bailey_simulation *made, const char *name, const double *values, uint32_t stride);

/* Runs the pilot at the parameters of s, and sets the widths of a run of as many paths. Returns:
 * ERROR_UNSUPPORTED, with the line, for a width of 0, and for sides that are equal on many paths. */
bailey_status bly_gradient_jumps_set(const bailey_simulation *s, struct bly_gradient_jumps *jumps,
                                     const bailey_gradient_params *params, uint64_t paths);

#endif
