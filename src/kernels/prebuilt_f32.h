/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The built-in payoffs in f32, for any number of dimensions and steps. Written by
 * tools/prebuilt_payoffs.c from src/host/simulate/payoffs/; not for editing.
 */
/* clang-format off */
#ifndef BLY_PREBUILT_F32_H
#define BLY_PREBUILT_F32_H

#define BLY_REAL f32
#define BLY_SCALAR float
#define BLY_REAL_BYTES 4
#include "kernels/prebuilt_head.h"

/* european_option.c */

#define BLY_OF(name) bly_pay_european_option_f32_##name
#define BLY_OUTPUTS 1
#define BLY_WHOLE 0
#define BLY_SHOWN 1
typedef struct bly_params {
    real spot;
    real strike;
    real rate;
    real dividend;
    real volatility;
    real sign;
} bly_params;
typedef struct bly_state {
    real time;
    real x;
} bly_state;
typedef struct bly_states {
    real time[BLY_WIDTH];
    real x[BLY_WIDTH];
} bly_states;
BAILEY_FN bly_state bly_state_get(const bly_states *all, int v)
{
    bly_state one;
    one.time = all->time[v];
    one.x = all->x[v];
    return one;
}
BAILEY_FN void bly_state_put(bly_states *all, int v, bly_state one)
{
    all->time[v] = one.time;
    all->x[v] = one.x;
}
BAILEY_FN void bly_own_start(state *s, const params *p)
{
    s->time = 0;
    s->x = 0;
}
BAILEY_FN void bly_own_step(state *s, const params *p, int i, real t, const real x[])
{
    s->time = t;
    s->x = x[0];
}
BAILEY_FN void bly_own_finish(const state *s, const params *p, real out[])
{
    const real drift = p->rate - p->dividend - 0.5f * p->volatility * p->volatility;
    const real price = p->spot * bly_payoff_exp(bly_payoff_fma(p->volatility, s->x, drift * s->time));
    const real gain = p->sign < 0 ? p->strike - price : price - p->strike;
    out[0] = bly_payoff_exp(-p->rate * s->time) * bly_payoff_fmax(gain, 0);
}
#include "kernels/prebuilt_item.h"

/* asian_option.c */

#define BLY_OF(name) bly_pay_asian_option_f32_##name
#define BLY_OUTPUTS 2
#define BLY_WHOLE 0
#define BLY_SHOWN 0
typedef struct bly_params {
    real spot[64];
    real volatility[64];
    real dividend[64];
    real weight[64];
    real rate;
    real strike;
    real past_average;
    int32 past_count;
    real sign;
} bly_params;
typedef struct bly_state {
    real sum;
    real logs;
    real past_sum;
    real past_logs;
    real time;
} bly_state;
typedef struct bly_states {
    real sum[BLY_WIDTH];
    real logs[BLY_WIDTH];
    real past_sum[BLY_WIDTH];
    real past_logs[BLY_WIDTH];
    real time[BLY_WIDTH];
} bly_states;
BAILEY_FN bly_state bly_state_get(const bly_states *all, int v)
{
    bly_state one;
    one.sum = all->sum[v];
    one.logs = all->logs[v];
    one.past_sum = all->past_sum[v];
    one.past_logs = all->past_logs[v];
    one.time = all->time[v];
    return one;
}
BAILEY_FN void bly_state_put(bly_states *all, int v, bly_state one)
{
    all->sum[v] = one.sum;
    all->logs[v] = one.logs;
    all->past_sum[v] = one.past_sum;
    all->past_logs[v] = one.past_logs;
    all->time[v] = one.time;
}
BAILEY_FN void bly_own_start(state *s, const params *p)
{
    s->sum = 0;
    s->logs = 0;
    s->past_sum = 0;
    s->past_logs = 0;
    s->time = 0;
}
BAILEY_FN void bly_own_step(state *s, const params *p, int i, real t, const real x[])
{
    BLY_LOOP for (int d = 0; d < DIMS; d++) {
        const real money = p->weight[d] * p->spot[d];
        const real drift = p->rate - p->dividend[d] - 0.5f * p->volatility[d] * p->volatility[d];
        const real change = bly_payoff_fma(p->volatility[d], x[d], drift * t);
        s->sum = bly_payoff_fma(money, bly_payoff_exp(change), s->sum);
        s->logs = bly_payoff_fma(money, change, s->logs);
    }
    if (STEPS > 256 && i % 256 == 255) {
        s->past_sum += s->sum;
        s->past_logs += s->logs;
        s->sum = 0;
        s->logs = 0;
    }
    s->time = t;
}
BAILEY_FN void bly_own_finish(const state *s, const params *p, real out[2])
{
    const real to_come = STEPS, past = p->past_count, fixings = past + to_come;
    const real sign = p->sign < 0 ? -1 : 1;
    const real mean = (past * p->past_average + (s->past_sum + s->sum)) / fixings;
    const real discount = bly_payoff_exp(-p->rate * s->time);
    out[0] = discount * bly_payoff_fmax(sign * (mean - p->strike), 0);
    real basket = 0, least = 0;
    BLY_LOOP for (int d = 0; d < DIMS; d++) {
        basket = bly_payoff_fma(p->weight[d], p->spot[d], basket);
        least = bly_payoff_fmin(least, p->weight[d]);
    }
    out[1] = 0;
    if (least < 0 || basket <= 0) return;
    const real geometric = basket * bly_payoff_exp((s->past_logs + s->logs) / (basket * to_come));
    const real strike = p->strike + (p->strike - p->past_average) * (past / to_come);
    out[1] = discount * (to_come / fixings) * bly_payoff_fmax(sign * (geometric - strike), 0);
}
#include "kernels/prebuilt_item.h"

/* asian_geometric_option.c */

#define BLY_OF(name) bly_pay_asian_geometric_option_f32_##name
#define BLY_OUTPUTS 1
#define BLY_WHOLE 0
#define BLY_SHOWN 0
typedef struct bly_params {
    real spot[64];
    real volatility[64];
    real dividend[64];
    real weight[64];
    real rate;
    real strike;
    real past_average;
    int32 past_count;
    real sign;
} bly_params;
typedef struct bly_state {
    real logs;
    real past_logs;
    real time;
} bly_state;
typedef struct bly_states {
    real logs[BLY_WIDTH];
    real past_logs[BLY_WIDTH];
    real time[BLY_WIDTH];
} bly_states;
BAILEY_FN bly_state bly_state_get(const bly_states *all, int v)
{
    bly_state one;
    one.logs = all->logs[v];
    one.past_logs = all->past_logs[v];
    one.time = all->time[v];
    return one;
}
BAILEY_FN void bly_state_put(bly_states *all, int v, bly_state one)
{
    all->logs[v] = one.logs;
    all->past_logs[v] = one.past_logs;
    all->time[v] = one.time;
}
BAILEY_FN void bly_own_start(state *s, const params *p)
{
    s->logs = 0;
    s->past_logs = 0;
    s->time = 0;
}
BAILEY_FN void bly_own_step(state *s, const params *p, int i, real t, const real x[])
{
    BLY_LOOP for (int d = 0; d < DIMS; d++) {
        const real money = p->weight[d] * p->spot[d];
        const real drift = p->rate - p->dividend[d] - 0.5f * p->volatility[d] * p->volatility[d];
        s->logs = bly_payoff_fma(money, bly_payoff_fma(p->volatility[d], x[d], drift * t), s->logs);
    }
    if (STEPS > 256 && i % 256 == 255) {
        s->past_logs += s->logs;
        s->logs = 0;
    }
    s->time = t;
}
BAILEY_FN void bly_own_finish(const state *s, const params *p, real out[])
{
    const real past = p->past_count, fixings = past + STEPS;
    real basket = 0;
    BLY_LOOP for (int d = 0; d < DIMS; d++) basket = bly_payoff_fma(p->weight[d], p->spot[d], basket);
    real logs = (s->past_logs + s->logs) / basket;
    if (past > 0) logs += past * bly_payoff_log(p->past_average / basket);
    const real mean = basket * bly_payoff_exp(logs / fixings);
    const real gain = p->sign < 0 ? p->strike - mean : mean - p->strike;
    out[0] = bly_payoff_exp(-p->rate * s->time) * bly_payoff_fmax(gain, 0);
}
#include "kernels/prebuilt_item.h"

/* asian_max_option.c */

#define BLY_OF(name) bly_pay_asian_max_option_f32_##name
#define BLY_OUTPUTS 1
#define BLY_WHOLE 0
#define BLY_SHOWN 2
typedef struct bly_params {
    real spot_a;
    real spot_b;
    real drift_a;
    real drift_b;
    real sigma_aa;
    real sigma_ab;
    real sigma_bb;
} bly_params;
typedef struct bly_state {
    real a;
    real b;
    real sum;
} bly_state;
typedef struct bly_states {
    real a[BLY_WIDTH];
    real b[BLY_WIDTH];
    real sum[BLY_WIDTH];
} bly_states;
BAILEY_FN bly_state bly_state_get(const bly_states *all, int v)
{
    bly_state one;
    one.a = all->a[v];
    one.b = all->b[v];
    one.sum = all->sum[v];
    return one;
}
BAILEY_FN void bly_state_put(bly_states *all, int v, bly_state one)
{
    all->a[v] = one.a;
    all->b[v] = one.b;
    all->sum[v] = one.sum;
}
BAILEY_FN void bly_own_start(state *s, const params *p)
{
    s->a = p->spot_a;
    s->b = p->spot_b;
    s->sum = 0;
}
BAILEY_FN void bly_own_step(state *s, const params *p, int i, real t, const real x[])
{
    s->a *= bly_payoff_exp(bly_payoff_fma(x[0], p->sigma_aa, p->drift_a));
    s->b *= bly_payoff_exp(bly_payoff_fma(x[1], p->sigma_bb, bly_payoff_fma(x[0], p->sigma_ab, p->drift_b)));
    s->sum += bly_payoff_fmax(s->a, s->b);
}
BAILEY_FN void bly_own_finish(const state *s, const params *p, real out[])
{
    out[0] = bly_payoff_fmax(s->sum / STEPS - bly_payoff_fmax(s->a, s->b), 0);
}
#include "kernels/prebuilt_item.h"

/* lookback_garch_option.c */

#define BLY_OF(name) bly_pay_lookback_garch_option_f32_##name
#define BLY_OUTPUTS 1
#define BLY_WHOLE 1
#define BLY_SHOWN 0
typedef struct bly_params {
    real spot;
    real drift;
    real volatility;
    real shock;
    real a0;
    real a1;
    real a2;
} bly_params;
typedef struct bly_state {
    int32 bly_nothing;
} bly_state;
typedef struct bly_states {
    bly_state one[BLY_WIDTH];
} bly_states;
BAILEY_FN bly_state bly_state_get(const bly_states *all, int v)
{
    return all->one[v];
}
BAILEY_FN void bly_state_put(bly_states *all, int v, bly_state one)
{
    all->one[v] = one;
}
#if STEPS > 4096
#error " lookback-garch takes at most 4096 steps"
#endif
BAILEY_FN void bly_own_whole(const params *p, path x, real out[])
{
    real before[BLY_PREBUILT_STEPS], price = p->spot, volatility = p->volatility, shock = p->shock;
    BLY_LOOP for (int i = 0; i < STEPS; i++) {
        before[i] = price;
        volatility = bly_payoff_sqrt(bly_payoff_fma(p->a2, shock * shock, bly_payoff_fma(p->a1, volatility * volatility, p->a0)));
        shock = bly_payoff_at(x, i, 0) * volatility;
        price *= bly_payoff_exp(p->drift + shock);
    }
    real sum = 0;
    BLY_LOOP for (int i = STEPS - 1; i >= 0; i--) sum += bly_payoff_fmax(before[i] - price, 0);
    out[0] = sum;
}
#include "kernels/prebuilt_item.h"

/* barrier_option.c */

#define BLY_OF(name) bly_pay_barrier_option_f32_##name
#define BLY_OUTPUTS 1
#define BLY_WHOLE 0
#define BLY_SHOWN 1
typedef struct bly_params {
    real spot;
    real strike;
    real barrier;
    real rate;
    real dividend;
    real volatility;
    real rebate;
    real side;
    int32 knock_in;
    real sign;
} bly_params;
typedef struct bly_state {
    real first;
    real distance;
    real touched;
    real untouched;
    real time;
    real change;
} bly_state;
typedef struct bly_states {
    real first[BLY_WIDTH];
    real distance[BLY_WIDTH];
    real touched[BLY_WIDTH];
    real untouched[BLY_WIDTH];
    real time[BLY_WIDTH];
    real change[BLY_WIDTH];
} bly_states;
BAILEY_FN bly_state bly_state_get(const bly_states *all, int v)
{
    bly_state one;
    one.first = all->first[v];
    one.distance = all->distance[v];
    one.touched = all->touched[v];
    one.untouched = all->untouched[v];
    one.time = all->time[v];
    one.change = all->change[v];
    return one;
}
BAILEY_FN void bly_state_put(bly_states *all, int v, bly_state one)
{
    all->first[v] = one.first;
    all->distance[v] = one.distance;
    all->touched[v] = one.touched;
    all->untouched[v] = one.untouched;
    all->time[v] = one.time;
    all->change[v] = one.change;
}
BAILEY_FN real bly_own_barrier_option_f32_log_ratio(real a, real b)
{
    const real w = (a - b) / (a + b), square = w * w;
    if (square > 0.00025f) return bly_payoff_log(a / b);
    const real more = bly_payoff_fma(square, bly_payoff_fma(square, bly_payoff_fma(square, 0.1111111111111111f, 0.14285714285714285f), 0.2f),
                          0.3333333333333333f);
    return 2 * w * bly_payoff_fma(square, more, 1);
}
BAILEY_FN real bly_own_barrier_option_f32_one_less_exp(real y)
{
    if (y > 0.015625f) return 1 - bly_payoff_exp(-y);
    const real more = bly_payoff_fma(-y, bly_payoff_fma(-y, 0.0013888888888888889f, 0.008333333333333333f), 0.041666666666666664f);
    return y * bly_payoff_fma(-y, bly_payoff_fma(-y, bly_payoff_fma(-y, more, 0.16666666666666666f), 0.5f), 1);
}
BAILEY_FN void bly_own_start(state *s, const params *p)
{
    s->first = bly_own_barrier_option_f32_log_ratio(p->spot, p->barrier);
    s->distance = p->side < 0 ? s->first : -s->first;
    s->touched = 0;
    s->untouched = 1;
    s->time = 0;
    s->change = 0;
}
BAILEY_FN void bly_own_step(state *s, const params *p, int i, real t, const real x[])
{
    const real variance = p->volatility * p->volatility;
    const real change = bly_payoff_fma(p->volatility, x[0], (p->rate - p->dividend - 0.5f * variance) * t);
    const real distance = p->side < 0 ? s->first + change : -(s->first + change);
    const real product = bly_payoff_fmax(s->distance, 0) * bly_payoff_fmax(distance, 0);
    const real y = 2 * product / (variance * (t - s->time));
    s->touched = bly_payoff_fma(s->untouched, bly_payoff_exp(-y), s->touched);
    s->untouched *= bly_own_barrier_option_f32_one_less_exp(y);
    s->distance = distance;
    s->time = t;
    s->change = change;
}
BAILEY_FN void bly_own_finish(const state *s, const params *p, real out[])
{
    const real price = p->spot * bly_payoff_exp(s->change);
    const real gain = bly_payoff_fmax(p->sign < 0 ? p->strike - price : price - p->strike, 0);
    const real lives = p->knock_in ? s->touched : s->untouched;
    const real dead = p->knock_in ? s->untouched : s->touched;
    out[0] = bly_payoff_exp(-p->rate * s->time) * bly_payoff_fma(lives, gain, dead * p->rebate);
}
#include "kernels/prebuilt_item.h"

/* digital_option.c */

#define BLY_OF(name) bly_pay_digital_option_f32_##name
#define BLY_OUTPUTS 1
#define BLY_WHOLE 0
#define BLY_SHOWN 1
typedef struct bly_params {
    real spot;
    real strike;
    real rate;
    real dividend;
    real volatility;
    real cash;
    real sign;
} bly_params;
typedef struct bly_state {
    real time;
    real x;
} bly_state;
typedef struct bly_states {
    real time[BLY_WIDTH];
    real x[BLY_WIDTH];
} bly_states;
BAILEY_FN bly_state bly_state_get(const bly_states *all, int v)
{
    bly_state one;
    one.time = all->time[v];
    one.x = all->x[v];
    return one;
}
BAILEY_FN void bly_state_put(bly_states *all, int v, bly_state one)
{
    all->time[v] = one.time;
    all->x[v] = one.x;
}
BAILEY_FN void bly_own_start(state *s, const params *p)
{
    s->time = 0;
    s->x = 0;
}
BAILEY_FN void bly_own_step(state *s, const params *p, int i, real t, const real x[])
{
    s->time = t;
    s->x = x[0];
}
BAILEY_FN void bly_own_finish(const state *s, const params *p, real out[])
{
    const real drift = p->rate - p->dividend - 0.5f * p->volatility * p->volatility;
    const real price = p->spot * bly_payoff_exp(bly_payoff_fma(p->volatility, s->x, drift * s->time));
    const int pays = p->sign < 0 ? price < p->strike : price > p->strike;
    out[0] = pays ? p->cash * bly_payoff_exp(-p->rate * s->time) : 0;
}
#include "kernels/prebuilt_item.h"

/* heston_option.c */

#define BLY_OF(name) bly_pay_heston_option_f32_##name
#define BLY_OUTPUTS 1
#define BLY_WHOLE 0
#define BLY_SHOWN 2
typedef struct bly_params {
    real spot;
    real strike;
    real rate;
    real dividend;
    real variance;
    real reversion;
    real mean_variance;
    real sigma;
    real sign;
} bly_params;
typedef struct bly_state {
    real time;
    real variance;
    real change;
} bly_state;
typedef struct bly_states {
    real time[BLY_WIDTH];
    real variance[BLY_WIDTH];
    real change[BLY_WIDTH];
} bly_states;
BAILEY_FN bly_state bly_state_get(const bly_states *all, int v)
{
    bly_state one;
    one.time = all->time[v];
    one.variance = all->variance[v];
    one.change = all->change[v];
    return one;
}
BAILEY_FN void bly_state_put(bly_states *all, int v, bly_state one)
{
    all->time[v] = one.time;
    all->variance[v] = one.variance;
    all->change[v] = one.change;
}
BAILEY_FN void bly_own_start(state *s, const params *p)
{
    s->time = 0;
    s->variance = p->variance;
    s->change = 0;
}
BAILEY_FN void bly_own_step(state *s, const params *p, int i, real t, const real x[])
{
    const real dt = t - s->time, v = bly_payoff_fmax(s->variance, 0), root = bly_payoff_sqrt(v);
    s->change = bly_payoff_fma(dt, p->rate - p->dividend - 0.5f * v + root * x[0], s->change);
    s->variance = bly_payoff_fma(dt, p->reversion * (p->mean_variance - v) + p->sigma * root * x[1], s->variance);
    s->time = t;
}
BAILEY_FN void bly_own_finish(const state *s, const params *p, real out[])
{
    const real price = p->spot * bly_payoff_exp(s->change);
    const real gain = p->sign < 0 ? p->strike - price : price - p->strike;
    out[0] = bly_payoff_exp(-p->rate * s->time) * bly_payoff_fmax(gain, 0);
}
#include "kernels/prebuilt_item.h"

#endif
