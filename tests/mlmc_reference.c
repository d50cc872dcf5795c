/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * mlmc_reference.h, once with float and once with double, with the functions of C.
 */
#include "mlmc_reference.h"

#include <math.h>

#define real float
#define OF(name) name##_f32
#define FN(name) name##f
#include "mlmc_reference_real.h"
#undef real
#undef OF
#undef FN

#define real double
#define OF(name) name##_f64
#define FN(name) name
#include "mlmc_reference_real.h"
