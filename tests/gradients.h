/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Helpers of the tests of gradients: simulations with all parameters set, and closed forms.
 */
#ifndef GRADIENTS_H
#define GRADIENTS_H

#include <bailey/gradient.h>

#include "api.h"
#include "simulations.h"

#define ERRORS 4.5 /* standard errors that an estimate may be off */

static inline double cdf(double x) { return erfc(-x / sqrt(2)) / 2; }
static inline double density(double x) { return exp(-x * x / 2) / sqrt(2 * acos(-1.0)); }

static const double dates[64] = {0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2};

/* `numbers` are those of all parameters, in the order of the code. */
static inline void set_all(bailey_simulation *s, const double *numbers)
{
    uint64_t count;
    const char *name;
    for (size_t k = 0; (name = bailey_simulation_parameter(s, k, &count)); k++, numbers += count)
        OK(bailey_simulation_set(s, name, numbers, count));
}

static inline bailey_simulation *made_on(bailey_context *on, const bailey_simulation_params *params,
                                         const double *numbers)
{
    bailey_simulation *s = NULL;
    OK(bailey_simulation_create(on, params, &s));
    set_all(s, numbers);
    return s;
}

#endif
