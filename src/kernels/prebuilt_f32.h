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
    real own_spot;
    real own_strike;
    real own_rate;
    real own_dividend;
    real own_volatility;
    real own_sign;
} bly_params;
typedef struct bly_state {
    real own_time;
    real own_x;
} bly_state;
typedef struct bly_states {
    real own_time[BLY_WIDTH];
    real own_x[BLY_WIDTH];
} bly_states;
BAILEY_FN bly_state bly_state_get(const bly_states *all, int v)
{
    bly_state one;
    one.own_time = all->own_time[v];
    one.own_x = all->own_x[v];
    return one;
}
BAILEY_FN void bly_state_put(bly_states *all, int v, bly_state one)
{
    all->own_time[v] = one.own_time;
    all->own_x[v] = one.own_x;
}
BAILEY_FN void bly_own_start(bly_state *own0_s, const params *own1_p)
{
    own0_s->own_time = 0.0f;
    own0_s->own_x = 0.0f;
}
BAILEY_FN void bly_own_step(bly_state *own0_s, const params *own1_p, int own2_i, real own3_t, const real own4_x[])
{
    own0_s->own_time = own3_t;
    own0_s->own_x = own4_x[0];
}
BAILEY_FN void bly_own_finish(const bly_state *own0_s, const params *own1_p, real own2_out[])
{
    const real own3_drift = own1_p->own_rate - own1_p->own_dividend - 0.5f * own1_p->own_volatility * own1_p->own_volatility;
    const real own4_price = own1_p->own_spot * bly_payoff_exp(bly_payoff_fma(own1_p->own_volatility, own0_s->own_x, own3_drift * own0_s->own_time));
    const real own5_gain = own1_p->own_sign < 0.0f ? own1_p->own_strike - own4_price : own4_price - own1_p->own_strike;
    own2_out[0] = bly_payoff_exp(-own1_p->own_rate * own0_s->own_time) * bly_payoff_fmax(own5_gain, 0.0f);
}
#include "kernels/prebuilt_item.h"

/* asian_option.c */

#define BLY_OF(name) bly_pay_asian_option_f32_##name
#define BLY_OUTPUTS 2
#define BLY_WHOLE 0
#define BLY_SHOWN 0
typedef struct bly_params {
    real own_spot[64];
    real own_volatility[64];
    real own_dividend[64];
    real own_weight[64];
    real own_rate;
    real own_strike;
    real own_past_average;
    int32 own_past_count;
    real own_sign;
} bly_params;
typedef struct bly_state {
    real own_sum;
    real own_logs;
    real own_past_sum;
    real own_past_logs;
    real own_time;
} bly_state;
typedef struct bly_states {
    real own_sum[BLY_WIDTH];
    real own_logs[BLY_WIDTH];
    real own_past_sum[BLY_WIDTH];
    real own_past_logs[BLY_WIDTH];
    real own_time[BLY_WIDTH];
} bly_states;
BAILEY_FN bly_state bly_state_get(const bly_states *all, int v)
{
    bly_state one;
    one.own_sum = all->own_sum[v];
    one.own_logs = all->own_logs[v];
    one.own_past_sum = all->own_past_sum[v];
    one.own_past_logs = all->own_past_logs[v];
    one.own_time = all->own_time[v];
    return one;
}
BAILEY_FN void bly_state_put(bly_states *all, int v, bly_state one)
{
    all->own_sum[v] = one.own_sum;
    all->own_logs[v] = one.own_logs;
    all->own_past_sum[v] = one.own_past_sum;
    all->own_past_logs[v] = one.own_past_logs;
    all->own_time[v] = one.own_time;
}
BAILEY_FN void bly_own_start(bly_state *own0_s, const params *own1_p)
{
    own0_s->own_sum = 0.0f;
    own0_s->own_logs = 0.0f;
    own0_s->own_past_sum = 0.0f;
    own0_s->own_past_logs = 0.0f;
    own0_s->own_time = 0.0f;
}
BAILEY_FN void bly_own_step(bly_state *own0_s, const params *own1_p, int own2_i, real own3_t, const real own4_x[])
{
    BLY_LOOP for (int own5_d = 0; own5_d < DIMS; own5_d = own5_d + 1) {
        const real own6_money = own1_p->own_weight[own5_d] * own1_p->own_spot[own5_d];
        const real own7_drift = own1_p->own_rate - own1_p->own_dividend[own5_d] - 0.5f * own1_p->own_volatility[own5_d] * own1_p->own_volatility[own5_d];
        const real own8_change = bly_payoff_fma(own1_p->own_volatility[own5_d], own4_x[own5_d], own7_drift * own3_t);
        own0_s->own_sum = bly_payoff_fma(own6_money, bly_payoff_exp(own8_change), own0_s->own_sum);
        own0_s->own_logs = bly_payoff_fma(own6_money, own8_change, own0_s->own_logs);
    }
    if (STEPS > 256 && own2_i % 256 == 255) {
        own0_s->own_past_sum = own0_s->own_past_sum + own0_s->own_sum;
        own0_s->own_past_logs = own0_s->own_past_logs + own0_s->own_logs;
        own0_s->own_sum = 0.0f;
        own0_s->own_logs = 0.0f;
    }
    own0_s->own_time = own3_t;
}
BAILEY_FN void bly_own_finish(const bly_state *own0_s, const params *own1_p, real own2_out[])
{
    const real own3_to_come = (real)STEPS;
    const real own4_past = (real)own1_p->own_past_count;
    const real own5_fixings = own4_past + own3_to_come;
    const real own6_sign = (real)(own1_p->own_sign < 0.0f ? -1 : 1);
    const real own7_mean = (own4_past * own1_p->own_past_average + (own0_s->own_past_sum + own0_s->own_sum)) / own5_fixings;
    const real own8_discount = bly_payoff_exp(-own1_p->own_rate * own0_s->own_time);
    own2_out[0] = own8_discount * bly_payoff_fmax(own6_sign * (own7_mean - own1_p->own_strike), 0.0f);
    real own9_basket = 0.0f;
    real own10_least = 0.0f;
    BLY_LOOP for (int own11_d = 0; own11_d < DIMS; own11_d = own11_d + 1) {
        own9_basket = bly_payoff_fma(own1_p->own_weight[own11_d], own1_p->own_spot[own11_d], own9_basket);
        own10_least = bly_payoff_fmin(own10_least, own1_p->own_weight[own11_d]);
    }
    own2_out[1] = 0.0f;
    if (own10_least < 0.0f || own9_basket <= 0.0f) {
        return;
    }
    const real own12_geometric = own9_basket * bly_payoff_exp((own0_s->own_past_logs + own0_s->own_logs) / (own9_basket * own3_to_come));
    const real own13_strike = own1_p->own_strike + (own1_p->own_strike - own1_p->own_past_average) * (own4_past / own3_to_come);
    own2_out[1] = own8_discount * (own3_to_come / own5_fixings) * bly_payoff_fmax(own6_sign * (own12_geometric - own13_strike), 0.0f);
}
#include "kernels/prebuilt_item.h"

/* asian_geometric_option.c */

#define BLY_OF(name) bly_pay_asian_geometric_option_f32_##name
#define BLY_OUTPUTS 1
#define BLY_WHOLE 0
#define BLY_SHOWN 0
typedef struct bly_params {
    real own_spot[64];
    real own_volatility[64];
    real own_dividend[64];
    real own_weight[64];
    real own_rate;
    real own_strike;
    real own_past_average;
    int32 own_past_count;
    real own_sign;
} bly_params;
typedef struct bly_state {
    real own_logs;
    real own_past_logs;
    real own_time;
} bly_state;
typedef struct bly_states {
    real own_logs[BLY_WIDTH];
    real own_past_logs[BLY_WIDTH];
    real own_time[BLY_WIDTH];
} bly_states;
BAILEY_FN bly_state bly_state_get(const bly_states *all, int v)
{
    bly_state one;
    one.own_logs = all->own_logs[v];
    one.own_past_logs = all->own_past_logs[v];
    one.own_time = all->own_time[v];
    return one;
}
BAILEY_FN void bly_state_put(bly_states *all, int v, bly_state one)
{
    all->own_logs[v] = one.own_logs;
    all->own_past_logs[v] = one.own_past_logs;
    all->own_time[v] = one.own_time;
}
BAILEY_FN void bly_own_start(bly_state *own0_s, const params *own1_p)
{
    own0_s->own_logs = 0.0f;
    own0_s->own_past_logs = 0.0f;
    own0_s->own_time = 0.0f;
}
BAILEY_FN void bly_own_step(bly_state *own0_s, const params *own1_p, int own2_i, real own3_t, const real own4_x[])
{
    BLY_LOOP for (int own5_d = 0; own5_d < DIMS; own5_d = own5_d + 1) {
        const real own6_money = own1_p->own_weight[own5_d] * own1_p->own_spot[own5_d];
        const real own7_drift = own1_p->own_rate - own1_p->own_dividend[own5_d] - 0.5f * own1_p->own_volatility[own5_d] * own1_p->own_volatility[own5_d];
        own0_s->own_logs = bly_payoff_fma(own6_money, bly_payoff_fma(own1_p->own_volatility[own5_d], own4_x[own5_d], own7_drift * own3_t), own0_s->own_logs);
    }
    if (STEPS > 256 && own2_i % 256 == 255) {
        own0_s->own_past_logs = own0_s->own_past_logs + own0_s->own_logs;
        own0_s->own_logs = 0.0f;
    }
    own0_s->own_time = own3_t;
}
BAILEY_FN void bly_own_finish(const bly_state *own0_s, const params *own1_p, real own2_out[])
{
    const real own3_past = (real)own1_p->own_past_count;
    const real own4_fixings = own3_past + (real)STEPS;
    real own5_basket = 0.0f;
    BLY_LOOP for (int own6_d = 0; own6_d < DIMS; own6_d = own6_d + 1) {
        own5_basket = bly_payoff_fma(own1_p->own_weight[own6_d], own1_p->own_spot[own6_d], own5_basket);
    }
    real own7_logs = (own0_s->own_past_logs + own0_s->own_logs) / own5_basket;
    if (own3_past > 0.0f) {
        own7_logs = own7_logs + own3_past * bly_payoff_log(own1_p->own_past_average / own5_basket);
    }
    const real own8_mean = own5_basket * bly_payoff_exp(own7_logs / own4_fixings);
    const real own9_gain = own1_p->own_sign < 0.0f ? own1_p->own_strike - own8_mean : own8_mean - own1_p->own_strike;
    own2_out[0] = bly_payoff_exp(-own1_p->own_rate * own0_s->own_time) * bly_payoff_fmax(own9_gain, 0.0f);
}
#include "kernels/prebuilt_item.h"

/* asian_max_option.c */

#define BLY_OF(name) bly_pay_asian_max_option_f32_##name
#define BLY_OUTPUTS 1
#define BLY_WHOLE 0
#define BLY_SHOWN 2
typedef struct bly_params {
    real own_spot_a;
    real own_spot_b;
    real own_drift_a;
    real own_drift_b;
    real own_sigma_aa;
    real own_sigma_ab;
    real own_sigma_bb;
} bly_params;
typedef struct bly_state {
    real own_a;
    real own_b;
    real own_sum;
} bly_state;
typedef struct bly_states {
    real own_a[BLY_WIDTH];
    real own_b[BLY_WIDTH];
    real own_sum[BLY_WIDTH];
} bly_states;
BAILEY_FN bly_state bly_state_get(const bly_states *all, int v)
{
    bly_state one;
    one.own_a = all->own_a[v];
    one.own_b = all->own_b[v];
    one.own_sum = all->own_sum[v];
    return one;
}
BAILEY_FN void bly_state_put(bly_states *all, int v, bly_state one)
{
    all->own_a[v] = one.own_a;
    all->own_b[v] = one.own_b;
    all->own_sum[v] = one.own_sum;
}
BAILEY_FN void bly_own_start(bly_state *own0_s, const params *own1_p)
{
    own0_s->own_a = own1_p->own_spot_a;
    own0_s->own_b = own1_p->own_spot_b;
    own0_s->own_sum = 0.0f;
}
BAILEY_FN void bly_own_step(bly_state *own0_s, const params *own1_p, int own2_i, real own3_t, const real own4_x[])
{
    own0_s->own_a = own0_s->own_a * bly_payoff_exp(bly_payoff_fma(own4_x[0], own1_p->own_sigma_aa, own1_p->own_drift_a));
    own0_s->own_b = own0_s->own_b * bly_payoff_exp(bly_payoff_fma(own4_x[1], own1_p->own_sigma_bb, bly_payoff_fma(own4_x[0], own1_p->own_sigma_ab, own1_p->own_drift_b)));
    own0_s->own_sum = own0_s->own_sum + bly_payoff_fmax(own0_s->own_a, own0_s->own_b);
}
BAILEY_FN void bly_own_finish(const bly_state *own0_s, const params *own1_p, real own2_out[])
{
    own2_out[0] = bly_payoff_fmax(own0_s->own_sum / (real)STEPS - bly_payoff_fmax(own0_s->own_a, own0_s->own_b), 0.0f);
}
#include "kernels/prebuilt_item.h"

/* lookback_garch_option.c */

#define BLY_OF(name) bly_pay_lookback_garch_option_f32_##name
#define BLY_OUTPUTS 1
#define BLY_WHOLE 1
#define BLY_SHOWN 0
typedef struct bly_params {
    real own_spot;
    real own_drift;
    real own_volatility;
    real own_shock;
    real own_a0;
    real own_a1;
    real own_a2;
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
BAILEY_FN void bly_own_whole(const params *own0_p, bly_path own1_x, real own2_out[])
{
    real own3_before[512];
    real own4_price = own0_p->own_spot;
    real own5_volatility = own0_p->own_volatility;
    real own6_shock = own0_p->own_shock;
    BLY_LOOP for (int own7_i = 0; own7_i < STEPS; own7_i = own7_i + 1) {
        own3_before[own7_i] = own4_price;
        own5_volatility = bly_payoff_sqrt(bly_payoff_fma(own0_p->own_a2, own6_shock * own6_shock, bly_payoff_fma(own0_p->own_a1, own5_volatility * own5_volatility, own0_p->own_a0)));
        own6_shock = bly_payoff_at(own1_x, own7_i, 0) * own5_volatility;
        own4_price = own4_price * bly_payoff_exp(own0_p->own_drift + own6_shock);
    }
    real own8_sum = 0.0f;
    BLY_LOOP for (int own9_i = STEPS - 1; own9_i >= 0; own9_i = own9_i - 1) {
        own8_sum = own8_sum + bly_payoff_fmax(own3_before[own9_i] - own4_price, 0.0f);
    }
    own2_out[0] = own8_sum;
}
#include "kernels/prebuilt_item.h"

/* barrier_option.c */

#define BLY_OF(name) bly_pay_barrier_option_f32_##name
#define BLY_OUTPUTS 1
#define BLY_WHOLE 0
#define BLY_SHOWN 1
typedef struct bly_params {
    real own_spot;
    real own_strike;
    real own_barrier;
    real own_rate;
    real own_dividend;
    real own_volatility;
    real own_rebate;
    real own_side;
    int32 own_knock_in;
    real own_sign;
} bly_params;
typedef struct bly_state {
    real own_first;
    real own_distance;
    real own_touched;
    real own_untouched;
    real own_time;
    real own_change;
} bly_state;
typedef struct bly_states {
    real own_first[BLY_WIDTH];
    real own_distance[BLY_WIDTH];
    real own_touched[BLY_WIDTH];
    real own_untouched[BLY_WIDTH];
    real own_time[BLY_WIDTH];
    real own_change[BLY_WIDTH];
} bly_states;
BAILEY_FN bly_state bly_state_get(const bly_states *all, int v)
{
    bly_state one;
    one.own_first = all->own_first[v];
    one.own_distance = all->own_distance[v];
    one.own_touched = all->own_touched[v];
    one.own_untouched = all->own_untouched[v];
    one.own_time = all->own_time[v];
    one.own_change = all->own_change[v];
    return one;
}
BAILEY_FN void bly_state_put(bly_states *all, int v, bly_state one)
{
    all->own_first[v] = one.own_first;
    all->own_distance[v] = one.own_distance;
    all->own_touched[v] = one.own_touched;
    all->own_untouched[v] = one.own_untouched;
    all->own_time[v] = one.own_time;
    all->own_change[v] = one.own_change;
}
BAILEY_FN real bly_own_barrier_option_f32_log_ratio(real own0_a, real own1_b)
{
    const real own2_w = (own0_a - own1_b) / (own0_a + own1_b);
    const real own3_square = own2_w * own2_w;
    if (own3_square > 0.00025f) {
        return bly_payoff_log(own0_a / own1_b);
    }
    const real own4_more = bly_payoff_fma(own3_square, bly_payoff_fma(own3_square, bly_payoff_fma(own3_square, 0.11111111f, 0.14285715f), 0.2f), 0.33333334f);
    return 2.0f * own2_w * bly_payoff_fma(own3_square, own4_more, 1.0f);
}
BAILEY_FN real bly_own_barrier_option_f32_one_less_exp(real own0_y)
{
    if (own0_y > 0.015625f) {
        return 1.0f - bly_payoff_exp(-own0_y);
    }
    const real own1_more = bly_payoff_fma(-own0_y, bly_payoff_fma(-own0_y, 0.0013888889f, 0.008333334f), 0.041666668f);
    return own0_y * bly_payoff_fma(-own0_y, bly_payoff_fma(-own0_y, bly_payoff_fma(-own0_y, own1_more, 0.16666667f), 0.5f), 1.0f);
}
BAILEY_FN void bly_own_start(bly_state *own0_s, const params *own1_p)
{
    own0_s->own_first = bly_own_barrier_option_f32_log_ratio(own1_p->own_spot, own1_p->own_barrier);
    own0_s->own_distance = own1_p->own_side < 0.0f ? own0_s->own_first : -own0_s->own_first;
    own0_s->own_touched = 0.0f;
    own0_s->own_untouched = 1.0f;
    own0_s->own_time = 0.0f;
    own0_s->own_change = 0.0f;
}
BAILEY_FN void bly_own_step(bly_state *own0_s, const params *own1_p, int own2_i, real own3_t, const real own4_x[])
{
    const real own5_variance = own1_p->own_volatility * own1_p->own_volatility;
    const real own6_change = bly_payoff_fma(own1_p->own_volatility, own4_x[0], (own1_p->own_rate - own1_p->own_dividend - 0.5f * own5_variance) * own3_t);
    const real own7_distance = own1_p->own_side < 0.0f ? own0_s->own_first + own6_change : -(own0_s->own_first + own6_change);
    const real own8_product = bly_payoff_fmax(own0_s->own_distance, 0.0f) * bly_payoff_fmax(own7_distance, 0.0f);
    const real own9_y = 2.0f * own8_product / (own5_variance * (own3_t - own0_s->own_time));
    own0_s->own_touched = bly_payoff_fma(own0_s->own_untouched, bly_payoff_exp(-own9_y), own0_s->own_touched);
    own0_s->own_untouched = own0_s->own_untouched * bly_own_barrier_option_f32_one_less_exp(own9_y);
    own0_s->own_distance = own7_distance;
    own0_s->own_time = own3_t;
    own0_s->own_change = own6_change;
}
BAILEY_FN void bly_own_finish(const bly_state *own0_s, const params *own1_p, real own2_out[])
{
    const real own3_price = own1_p->own_spot * bly_payoff_exp(own0_s->own_change);
    const real own4_gain = bly_payoff_fmax(own1_p->own_sign < 0.0f ? own1_p->own_strike - own3_price : own3_price - own1_p->own_strike, 0.0f);
    const real own5_lives = own1_p->own_knock_in ? own0_s->own_touched : own0_s->own_untouched;
    const real own6_dead = own1_p->own_knock_in ? own0_s->own_untouched : own0_s->own_touched;
    own2_out[0] = bly_payoff_exp(-own1_p->own_rate * own0_s->own_time) * bly_payoff_fma(own5_lives, own4_gain, own6_dead * own1_p->own_rebate);
}
#include "kernels/prebuilt_item.h"

/* digital_option.c */

#define BLY_OF(name) bly_pay_digital_option_f32_##name
#define BLY_OUTPUTS 1
#define BLY_WHOLE 0
#define BLY_SHOWN 1
typedef struct bly_params {
    real own_spot;
    real own_strike;
    real own_rate;
    real own_dividend;
    real own_volatility;
    real own_cash;
    real own_sign;
} bly_params;
typedef struct bly_state {
    real own_time;
    real own_x;
} bly_state;
typedef struct bly_states {
    real own_time[BLY_WIDTH];
    real own_x[BLY_WIDTH];
} bly_states;
BAILEY_FN bly_state bly_state_get(const bly_states *all, int v)
{
    bly_state one;
    one.own_time = all->own_time[v];
    one.own_x = all->own_x[v];
    return one;
}
BAILEY_FN void bly_state_put(bly_states *all, int v, bly_state one)
{
    all->own_time[v] = one.own_time;
    all->own_x[v] = one.own_x;
}
BAILEY_FN void bly_own_start(bly_state *own0_s, const params *own1_p)
{
    own0_s->own_time = 0.0f;
    own0_s->own_x = 0.0f;
}
BAILEY_FN void bly_own_step(bly_state *own0_s, const params *own1_p, int own2_i, real own3_t, const real own4_x[])
{
    own0_s->own_time = own3_t;
    own0_s->own_x = own4_x[0];
}
BAILEY_FN void bly_own_finish(const bly_state *own0_s, const params *own1_p, real own2_out[])
{
    const real own3_drift = own1_p->own_rate - own1_p->own_dividend - 0.5f * own1_p->own_volatility * own1_p->own_volatility;
    const real own4_price = own1_p->own_spot * bly_payoff_exp(bly_payoff_fma(own1_p->own_volatility, own0_s->own_x, own3_drift * own0_s->own_time));
    const int own5_pays = own1_p->own_sign < 0.0f ? own4_price < own1_p->own_strike : own4_price > own1_p->own_strike;
    own2_out[0] = own5_pays ? own1_p->own_cash * bly_payoff_exp(-own1_p->own_rate * own0_s->own_time) : 0.0f;
}
#include "kernels/prebuilt_item.h"

/* heston_option.c */

#define BLY_OF(name) bly_pay_heston_option_f32_##name
#define BLY_OUTPUTS 1
#define BLY_WHOLE 0
#define BLY_SHOWN 2
typedef struct bly_params {
    real own_spot;
    real own_strike;
    real own_rate;
    real own_dividend;
    real own_variance;
    real own_reversion;
    real own_mean_variance;
    real own_sigma;
    real own_sign;
} bly_params;
typedef struct bly_state {
    real own_time;
    real own_variance;
    real own_change;
} bly_state;
typedef struct bly_states {
    real own_time[BLY_WIDTH];
    real own_variance[BLY_WIDTH];
    real own_change[BLY_WIDTH];
} bly_states;
BAILEY_FN bly_state bly_state_get(const bly_states *all, int v)
{
    bly_state one;
    one.own_time = all->own_time[v];
    one.own_variance = all->own_variance[v];
    one.own_change = all->own_change[v];
    return one;
}
BAILEY_FN void bly_state_put(bly_states *all, int v, bly_state one)
{
    all->own_time[v] = one.own_time;
    all->own_variance[v] = one.own_variance;
    all->own_change[v] = one.own_change;
}
BAILEY_FN void bly_own_start(bly_state *own0_s, const params *own1_p)
{
    own0_s->own_time = 0.0f;
    own0_s->own_variance = own1_p->own_variance;
    own0_s->own_change = 0.0f;
}
BAILEY_FN void bly_own_step(bly_state *own0_s, const params *own1_p, int own2_i, real own3_t, const real own4_x[])
{
    const real own5_dt = own3_t - own0_s->own_time;
    const real own6_v = bly_payoff_fmax(own0_s->own_variance, 0.0f);
    const real own7_root = bly_payoff_sqrt(own6_v);
    own0_s->own_change = bly_payoff_fma(own5_dt, own1_p->own_rate - own1_p->own_dividend - 0.5f * own6_v + own7_root * own4_x[0], own0_s->own_change);
    own0_s->own_variance = bly_payoff_fma(own5_dt, own1_p->own_reversion * (own1_p->own_mean_variance - own6_v) + own1_p->own_sigma * own7_root * own4_x[1], own0_s->own_variance);
    own0_s->own_time = own3_t;
}
BAILEY_FN void bly_own_finish(const bly_state *own0_s, const params *own1_p, real own2_out[])
{
    const real own3_price = own1_p->own_spot * bly_payoff_exp(own0_s->own_change);
    const real own4_gain = own1_p->own_sign < 0.0f ? own1_p->own_strike - own3_price : own3_price - own1_p->own_strike;
    own2_out[0] = bly_payoff_exp(-own1_p->own_rate * own0_s->own_time) * bly_payoff_fmax(own4_gain, 0.0f);
}
#include "kernels/prebuilt_item.h"

#endif
