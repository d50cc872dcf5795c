/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The functions of the language for the interpreter, in one precision. Define before including this:
 * BLY_REAL, BLY_SCALAR and BLY_LIBRARY_CALL, the name of the function below.
 */
#include "machine.h"

typedef BLY_SCALAR real;

#include <kernels/payoff_math.h>

#define NUMBER(name, arguments, made, root, summary) NUMBER_##name,
enum { BLY_PAYOFF_FUNCTIONS(NUMBER) NUMBERS };

#define CALL(name, arguments, made, root, summary)                                                           \
    case NUMBER_##name: return (double)bly_payoff_##name BLY_PAYOFF_GIVES_##arguments;

double BLY_LIBRARY_CALL(const struct bly_library_function *function, const double *given)
{
    const real x = (real)given[0], y = (real)given[1], z = (real)given[2];
    switch (function - bly_library_at(0)) {
        BLY_PAYOFF_FUNCTIONS(CALL)
    default: return 0;
    }
}
