#ifndef BLY_PAYOFF_MATH_H
#define BLY_PAYOFF_MATH_H
#include "bailey/device/math.h"
BAILEY_FN real bly_payoff_exp(real x) { return BLY_(bailey_exp_)(x); }
BAILEY_FN real bly_payoff_fma(real a, real b, real c) { return BLY_(bailey_fma_)(a, b, c); }
#endif
