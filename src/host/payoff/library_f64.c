/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The functions of the language in double precision.
 */
#define BLY_SCALAR double
#define BLY_REAL f64
#define BLY_LIBRARY_CALL bly_library_call_f64
#include "library_calls.h"

#include <bailey/simulation.h>

#include <math.h>
#include <string.h>

double bailey_payoff_function_value(size_t index, const double *arguments)
{
    const struct bly_library_function *function = bly_library_at(index);
    double given[3] = {0};
    if (!function || !arguments) return NAN;
    memcpy(given, arguments, function->arguments * sizeof *given);
    return bly_library_call_f64(function, given);
}
