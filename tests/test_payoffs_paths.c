/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The built-in payoffs on a device, path by path, against plain C that follows the same paths.
 */
#include "payoff_deals.h"

/* The payoff of a path x[step * dims + d], in plain double. */
typedef void pay_function(struct deal *deal, const double *x, double out[OUTPUTS]);

static double gain(struct deal *deal, double price)
{
    const double sign = *value(deal, "sign") < 0 ? -1 : 1;
    return fmax(sign * (price - *value(deal, "strike")), 0);
}

static double price_at(struct deal *deal, const double *x, uint32_t i)
{
    return *value(deal, "spot") * exp(drift(deal) * deal->times[i] + *value(deal, "volatility") * x[i]);
}

static void pay_european(struct deal *deal, const double *x, double out[OUTPUTS])
{
    out[0] = discount(deal) * gain(deal, price_at(deal, x, deal->steps - 1));
}

static void pay_digital(struct deal *deal, const double *x, double out[OUTPUTS])
{
    const double last = price_at(deal, x, deal->steps - 1), strike = *value(deal, "strike");
    const int pays = *value(deal, "sign") < 0 ? last < strike : last > strike;
    out[0] = pays ? discount(deal) * *value(deal, "cash") : 0;
}

static void pay_barrier(struct deal *deal, const double *x, double out[OUTPUTS])
{
    const double barrier = *value(deal, "barrier"), v = *value(deal, "volatility");
    double before = *value(deal, "spot"), time = 0, untouched = 1;
    for (uint32_t i = 0; i < deal->steps; i++) {
        const double now = price_at(deal, x, i), dt = deal->times[i] - time;
        const int crossed = (now > barrier) != (before > barrier);
        const double chance = exp(-2 * log(now / barrier) * log(before / barrier) / (v * v * dt));
        untouched *= crossed ? 0 : 1 - chance;
        before = now;
        time = deal->times[i];
    }
    const double lives = *value(deal, "knock_in") != 0 ? 1 - untouched : untouched;
    out[0] = discount(deal) * (lives * gain(deal, before) + (1 - lives) * *value(deal, "rebate"));
}

/* The sum over the fixings of the basket and of the logarithm of its geometric counterpart against today's;
 * gives today's. */
static double follow_basket(struct deal *deal, const double *x, double *sum, double *logs)
{
    const double *spot = value(deal, "spot"), *weight = value(deal, "weight"), *v = value(deal, "volatility");
    const double *dividend = value(deal, "dividend"), rate = *value(deal, "rate");
    double basket = 0;
    for (uint32_t d = 0; d < deal->dims; d++) basket += weight[d] * spot[d];
    *sum = *logs = 0;
    for (uint32_t i = 0; i < deal->steps; i++)
        for (uint32_t d = 0; d < deal->dims; d++) {
            const double log_change =
                (rate - dividend[d] - v[d] * v[d] / 2) * deal->times[i] + v[d] * x[i * deal->dims + d];
            *sum += weight[d] * spot[d] * exp(log_change);
            *logs += weight[d] * spot[d] / basket * log_change;
        }
    return basket;
}

static void pay_asian(struct deal *deal, const double *x, double out[OUTPUTS])
{
    double sum, logs;
    const double basket = follow_basket(deal, x, &sum, &logs), n = deal->steps;
    const double past = *value(deal, "past_count"), past_sum = past * *value(deal, "past_average");
    const double sign = *value(deal, "sign"), strike = *value(deal, "strike");
    out[0] = discount(deal) * gain(deal, (past_sum + sum) / (past + n));
    const double whole = past_sum + n * basket * exp(logs / n) - (past + n) * strike;
    out[1] = discount(deal) / (past + n) * fmax(sign * whole, 0);
}

static void pay_asian_geometric(struct deal *deal, const double *x, double out[OUTPUTS])
{
    double sum, logs;
    const double basket = follow_basket(deal, x, &sum, &logs), n = deal->steps;
    const double past = *value(deal, "past_count");
    if (past > 0) logs += past * log(*value(deal, "past_average"));
    out[0] = discount(deal) * gain(deal, exp((n * log(basket) + logs) / (past + n)));
}

/* Listing 37-8. */
static void pay_asian_max(struct deal *deal, const double *x, double out[OUTPUTS])
{
    double a = *value(deal, "spot_a"), b = *value(deal, "spot_b"), larger = 0, sum = 0;
    for (uint32_t t = 0; t < deal->steps; t++) {
        const double ra = x[2 * t], rb = x[2 * t + 1];
        a *= exp(*value(deal, "drift_a") + ra * *value(deal, "sigma_aa"));
        b *= exp(*value(deal, "drift_b") + ra * *value(deal, "sigma_ab") + rb * *value(deal, "sigma_bb"));
        larger = a > b ? a : b;
        sum += larger;
    }
    out[0] = fmax(sum / deal->steps - larger, 0);
}

/* Listing 37-9. */
static void pay_lookback(struct deal *deal, const double *x, double out[OUTPUTS])
{
    double path[MOST_STEPS], s = *value(deal, "spot"), vol = *value(deal, "volatility");
    double eps = *value(deal, "shock");
    for (uint32_t t = 0; t < deal->steps; t++) {
        path[t] = s;
        vol = sqrt(*value(deal, "a0") + *value(deal, "a1") * vol * vol + *value(deal, "a2") * eps * eps);
        eps = x[t] * vol;
        s *= exp(*value(deal, "drift") + eps);
    }
    out[0] = 0;
    for (uint32_t t = 0; t < deal->steps; t++) out[0] += path[t] > s ? path[t] - s : 0;
}

/* The root of a variance near 0 makes much of a rounding, so the variance is rounded as in the text. */
static void pay_heston_euler(struct deal *deal, const double *x, double out[OUTPUTS])
{
    const double reversion = *value(deal, "reversion"), mean = *value(deal, "mean_variance");
    const double rho = *value(deal, "correlation");
    double log_price = log(*value(deal, "spot")), v = *value(deal, "variance"), time = 0;
    for (uint32_t i = 0; i < deal->steps; i++) {
        const double dt = deal->times[i] - time, positive = v > 0 ? v : 0;
        const double carry = *value(deal, "rate") - *value(deal, "dividend"), dw0 = (rho * x[2 * i + 1] + sqrt(1 - rho * rho) * x[2 * i]) * dt;
        log_price += (carry - positive / 2) * dt + sqrt(positive) * dw0;
        const double noise = *value(deal, "sigma") * sqrt(fmax(positive, 1e-30)) * x[2 * i + 1];
        v += dt * (reversion * (mean - positive) + noise);
        time = deal->times[i];
    }
    out[0] = discount(deal) * gain(deal, exp(log_price));
}

/* One step of the variance by QE in Andersen's words (section 3.2.4): its new value, and log E exp(A v) of
 * it, which his K0 (proposition 9) has. */
static double andersen_step(double mean, double psi, double z, double a_, double *log_moment)
{
    if (psi <= 1.5) {
        const double b2 = 2 / psi - 1 + sqrt(2 / psi) * sqrt(2 / psi - 1), a = mean / (1 + b2);
        *log_moment = a_ * b2 * a / (1 - 2 * a_ * a) - 0.5 * log(1 - 2 * a_ * a);
        return a * (sqrt(b2) + z) * (sqrt(b2) + z);
    }
    const double p = (psi - 1) / (psi + 1), beta = (1 - p) / mean, u = 0.5 * erfc(-z / sqrt(2));
    *log_moment = log(p + beta * (1 - p) / (beta - a_));
    return u <= p ? 0 : log((1 - p) / (1 - u)) / beta;
}

/* Andersen's (33), with K0 to K4 for gamma1 = gamma2 = 1/2. */
static void pay_heston(struct deal *deal, const double *x, double out[OUTPUTS])
{
    const double k = *value(deal, "reversion"), theta = *value(deal, "mean_variance");
    const double eps = *value(deal, "sigma"), rho = *value(deal, "correlation");
    const double carry = *value(deal, "rate") - *value(deal, "dividend");
    double log_price = log(*value(deal, "spot")), v = *value(deal, "variance"), time = 0;
    for (uint32_t i = 0; i < deal->steps; i++) {
        const double dt = deal->times[i] - time, e = exp(-k * dt), common = 0.5 * dt * (k * rho / eps - 0.5);
        const double k1 = common - rho / eps, k2 = common + rho / eps, k3 = 0.5 * dt * (1 - rho * rho);
        const double mean = theta + (v - theta) * e;
        const double variance =
            v * eps * eps * e / k * (1 - e) + theta * eps * eps / (2 * k) * (1 - e) * (1 - e);
        double log_moment;
        const double next = andersen_step(mean, variance / (mean * mean), x[2 * i + 1] * sqrt(dt),
                                          k2 + 0.5 * k3, &log_moment);
        const double k0 = -log_moment - (k1 + 0.5 * k3) * v;
        log_price += carry * dt + k0 + k1 * v + k2 * next + sqrt(k3 * (v + next)) * x[2 * i] * sqrt(dt);
        v = next;
        time = deal->times[i];
    }
    out[0] = discount(deal) * gain(deal, exp(log_price));
}

/* Numbers of a path. */
static uint64_t numbers(const struct deal *deal) { return (uint64_t)deal->steps * (deal->dims + deal->builtin->own); }

/* The paths of the bridge with these parameters, in double: [steps][dims][paths]. */
static double *paths_of(const struct deal *deal, bailey_precision precision,
                        const bailey_simulation_run_params *run)
{
    const uint64_t count = numbers(deal) * run->paths;
    const int f64 = precision == BAILEY_PRECISION_F64;
    bailey_bridge_params params = path_of(deal, precision);
    params.dims += deal->builtin->own;
    bailey_bridge *bridge = NULL;
    bailey_buffer *buffer = poisoned(count * (f64 ? 8 : 4));
    OK(bailey_bridge_create(context, &params, &bridge));
    OK(bailey_bridge_paths(bridge, &run->source, &run->normal, run->first_path, run->paths, buffer));
    void *x = harvest(buffer, count * (f64 ? 8 : 4));
    bailey_bridge_destroy(bridge);
    if (f64) return x;
    double *wide = allocate(count * sizeof *wide);
    for (uint64_t i = 0; i < count; i++) wide[i] = ((const float *)x)[i];
    free(x);
    return wide;
}

/* Fails unless each output of each path is within `bound` of the plain function's, in units of money: of what
 * is typical for a path, the largest output. Single precision gathers up to 1.2e-5 over Heston's 64 steps. */
static void check_paths(struct deal *deal, pay_function *pay, bailey_precision precision, double bound)
{
    const int f64 = precision == BAILEY_PRECISION_F64;
    bailey_simulation_run_params run = {.paths = 2000, .source = {.seed = 2}, .first_path = 3};
    bailey_simulation *simulation = simulation_of(deal, precision);
    const uint32_t outputs = bailey_simulation_outputs(simulation);
    bailey_estimate e[OUTPUTS];
    run.samples = poisoned(outputs * run.paths * (f64 ? 8 : 4));
    OK(bailey_simulation_run(simulation, &run, e));
    bailey_simulation_destroy(simulation);
    void *samples = harvest(run.samples, outputs * run.paths * (f64 ? 8 : 4));
    double *x = paths_of(deal, precision, &run), worst = 0, largest = 0;
    for (uint64_t p = 0; p < run.paths; p++) {
        double one[MOST_STEPS * MOST_DIMS], out[OUTPUTS] = {0};
        for (uint64_t r = 0; r < numbers(deal); r++) one[r] = x[r * run.paths + p];
        pay(deal, one, out);
        for (uint32_t o = 0; o < outputs; o++) {
            const uint64_t at = o * run.paths + p;
            const double found = f64 ? ((const double *)samples)[at] : (double)((const float *)samples)[at];
            worst = fmax(worst, fabs(found - out[o]));
            largest = fmax(largest, fabs(out[o]));
        }
    }
    if (is_verbose())
        fprintf(stderr, "%s f%d: worst %.2g of %.3g: %.2g\n", deal->builtin->name, f64 ? 64 : 32, worst,
                largest, worst / largest);
    if (!(largest > 0 && worst <= bound * largest))
        fail_msg("%s f%d: a path is off by %.3g of %.3g", deal->builtin->name, f64 ? 64 : 32, worst, largest);
    free(x);
    free(samples);
}

static void check_both(struct deal *deal, pay_function *pay)
{
    check_paths(deal, pay, BAILEY_PRECISION_F64, 1e-12);
    check_paths(deal, pay, BAILEY_PRECISION_F32, 2e-5);
}

TEST(paths_plain, DEVICE)
{
    if (!is_able_and_quick()) skip();
    struct deal european = deal_of("european"), digital = deal_of("digital"), barrier = deal_of("barrier");
    set_times(&european, 3);
    check_both(&european, pay_european);
    *value(&digital, "sign") = -1;
    check_both(&digital, pay_digital);
    set_times(&barrier, 12);
    *value(&barrier, "barrier") = 95;
    *value(&barrier, "rebate") = 2;
    check_both(&barrier, pay_barrier);
    *value(&barrier, "barrier") = 120;
    *value(&barrier, "side") = 1;
    *value(&barrier, "knock_in") = 1;
    *value(&barrier, "sign") = -1;
    check_both(&barrier, pay_barrier);
}

TEST(paths_asian, DEVICE | REPEATED_ON_OPENCL)
{
    if (!is_able()) skip();
    struct deal asian = deal_of("asian"), geometric = deal_of("asian-geometric");
    check_both(&asian, pay_asian);
    check_both(&geometric, pay_asian_geometric);
    *value(&asian, "past_count") = *value(&geometric, "past_count") = 7;
    *value(&asian, "past_average") = *value(&geometric, "past_average") = 95;
    *value(&asian, "sign") = *value(&geometric, "sign") = -1;
    check_both(&asian, pay_asian);
    check_both(&geometric, pay_asian_geometric);
}

/* More fixings than a part of the sum has. */
TEST(paths_long, DEVICE)
{
    if (!is_able_and_quick()) skip();
    struct deal asian = deal_of("asian"), geometric = deal_of("asian-geometric");
    set_times(&asian, MOST_STEPS);
    set_times(&geometric, MOST_STEPS);
    check_both(&asian, pay_asian);
    check_both(&geometric, pay_asian_geometric);
}

/* Of GPU Gems 3, whose x[] are the normals themselves. */
static void check_normals(const struct deal *deal)
{
    const bailey_simulation_run_params run = {.paths = 100, .source = {.seed = 2}};
    const uint64_t count = (uint64_t)deal->steps * deal->dims * run.paths;
    const bailey_bridge_params params = path_of(deal, BAILEY_PRECISION_F64);
    bailey_bridge *bridge = NULL;
    bailey_buffer *buffer = poisoned(count * 8);
    OK(bailey_bridge_create(context, &params, &bridge));
    OK(bailey_bridge_normals(bridge, &run.source, &run.normal, 0, run.paths, buffer));
    double *z = harvest(buffer, count * 8), *x = paths_of(deal, BAILEY_PRECISION_F64, &run);
    same_bits("x[]", x, z, count, 8);
    bailey_bridge_destroy(bridge);
    free(x);
    free(z);
}

TEST(paths_gems, DEVICE | REPEATED_ON_OPENCL)
{
    if (!is_able()) skip();
    struct deal max = deal_of("asian-max"), lookback = deal_of("lookback-garch");
    check_normals(&max);
    check_normals(&lookback);
    check_both(&max, pay_asian_max);
    check_both(&lookback, pay_lookback);
    set_times(&lookback, 100);
    *value(&lookback, "shock") = 0.03;
    check_both(&lookback, pay_lookback);
}

/* It keeps all prices of a path on the stack. */
TEST(lookback_limit, DEVICE)
{
    if (!is_able()) skip();
    struct deal deal = deal_of("lookback-garch");
    bailey_bridge_params path = path_of(&deal, BAILEY_PRECISION_F64);
    double *times = allocate(4097 * sizeof *times);
    for (int i = 0; i < 4097; i++) times[i] = i + 1;
    path.times = times;
    const bailey_simulation_run_params run = {.paths = 100, .source = {.seed = 1}};
    bailey_simulation *simulation = NULL;
    bailey_estimate e[OUTPUTS];
    bailey_simulation_params params = {.path = path, .payoff = {.name = "lookback-garch"}};
    params.path.steps = 4096;
    OK(bailey_simulation_create(context, &params, &simulation));
    set_values(simulation, &deal);
    const bailey_status status = bailey_simulation_run(simulation, &run, e);
    /* Without a compiler, or with the one that always fails, there are fewer. */
    const int fails = status == BAILEY_ERROR_BUILD && strstr(bailey_error_message(), "failing_cc");
    if (status != BAILEY_ERROR_UNSUPPORTED && !fails) assert_int_equal(status, BAILEY_OK);
    bailey_simulation_destroy(simulation);
    params.path.steps = 4097;
    simulation = NULL;
    assert_int_equal(bailey_simulation_create(context, &params, &simulation), BAILEY_ERROR_INVALID);
    assert_non_null(strstr(bailey_error_message(), "at most 4096 steps"));
    free(times);
}

TEST(paths_heston_euler, DEVICE | REPEATED_ON_OPENCL)
{
    if (!is_able()) skip();
    struct deal deal = deal_of("heston-euler");
    check_both(&deal, pay_heston_euler);
    *value(&deal, "sigma") = 0.9; /* the variance falls below 0 often */
    check_paths(&deal, pay_heston_euler, BAILEY_PRECISION_F64, 1e-12);
}

TEST(paths_heston, DEVICE | REPEATED_ON_OPENCL)
{
    if (!is_able()) skip();
    struct deal deal = deal_of("heston");
    check_paths(&deal, pay_heston, BAILEY_PRECISION_F64, 1e-11);
    *value(&deal, "sigma") = 0.9; /* the variance is 0 often */
    check_paths(&deal, pay_heston, BAILEY_PRECISION_F64, 1e-11);
    *value(&deal, "correlation") = 0.4;
    check_paths(&deal, pay_heston, BAILEY_PRECISION_F64, 1e-11);
}
