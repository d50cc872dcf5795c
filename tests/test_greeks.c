/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Greeks against closed forms (J. Hull, "Options, Futures, and Other Derivatives"; W. Margrabe 1978), against
 * pathwise derivatives, and in their parts: scores and rows.
 */
#include <base/alloc.h>

#include <bailey/gradient.h>
#include <bailey/greeks.h>

#include "api.h"
#include "simulations.h"

#define ERRORS 4.0 /* standard errors that an estimate may be off */

static double cdf(double x) { return erfc(-x / sqrt(2)) / 2; }
static double density(double x) { return exp(-x * x / 2) / sqrt(2 * acos(-1.0)); }

static const char *const spot[] = {"spot"}, *const volatility[] = {"volatility"};
static const bailey_greeks_params one_asset = {.spots = spot,
                                               .spot_count = 1,
                                               .volatilities = volatility,
                                               .volatility_count = 1,
                                               .rate = "rate",
                                               .theta = 1,
                                               .method = BAILEY_GREEK_METHOD_DIFFERENCES};

/* A call, or a digital of 1 above the strike: price and derivatives, in the order of bailey_greek_kind. */
struct deal {
    double s, k, r, v, t;
};

static void call_greeks(struct deal d, double wanted[10])
{
    const double root = d.v * sqrt(d.t), d1 = (log(d.s / d.k) + (d.r + d.v * d.v / 2) * d.t) / root,
                 d2 = d1 - root, discount = d.k * exp(-d.r * d.t), vega = d.s * density(d1) * sqrt(d.t);
    wanted[BAILEY_GREEK_KIND_PRICE] = d.s * cdf(d1) - discount * cdf(d2);
    wanted[BAILEY_GREEK_KIND_DELTA] = cdf(d1);
    wanted[BAILEY_GREEK_KIND_GAMMA] = density(d1) / (d.s * root);
    wanted[BAILEY_GREEK_KIND_VEGA] = vega;
    wanted[BAILEY_GREEK_KIND_VOLGA] = vega * d1 * d2 / d.v;
    wanted[BAILEY_GREEK_KIND_VANNA] = -density(d1) * d2 / d.v;
    wanted[BAILEY_GREEK_KIND_RHO] = discount * d.t * cdf(d2);
    wanted[BAILEY_GREEK_KIND_THETA] = -d.s * density(d1) * d.v / (2 * sqrt(d.t)) - d.r * discount * cdf(d2);
}

static const bailey_greek_estimate *find(const bailey_greek_estimate *greeks, uint64_t count,
                                         bailey_greek_kind kind, uint32_t first, uint32_t second)
{
    for (uint64_t i = 0; i < count; i++)
        if (greeks[i].kind == kind && greeks[i].first == first && (second == 0 || greeks[i].second == second))
            return &greeks[i];
    fail_msg("no %s %u %u", bailey_greek_name(kind), first, second);
    return NULL;
}

/* Differences may be off by their truncation too, `more` of the value. */
static void near_value(const bailey_greek_estimate *g, double wanted, double more)
{
    if (getenv("BAILEY_TEST_VERBOSE"))
        print_message("# %s %u %u: %.6g +- %.2g, %.6g\n", bailey_greek_name(g->kind), g->first, g->second,
                      g->mean, g->standard_error, wanted);
    if (!(g->standard_error > 0 &&
          fabs(g->mean - wanted) <= ERRORS * g->standard_error + more * fabs(wanted)))
        fail_msg("%s %u %u is %g +- %g, expected %g", bailey_greek_name(g->kind), g->first, g->second,
                 g->mean, g->standard_error, wanted);
}

static bailey_simulation *builtin(const char *name, bailey_bridge_params path)
{
    const bailey_simulation_params params = {.path = path, .payoff = {.name = name}};
    bailey_simulation *made = NULL;
    OK(bailey_simulation_create(context, &params, &made));
    return made;
}

static bailey_simulation *priced(const char *name, struct deal d, bailey_precision precision)
{
    const bailey_bridge_params path = {.times = &d.t, .steps = 1, .precision = precision};
    bailey_simulation *s = builtin(name, path);
    set(s, "spot", d.s), set(s, "strike", d.k), set(s, "rate", d.r), set(s, "volatility", d.v);
    return s;
}

/* Those that gradients have. */
static int is_smooth(bailey_greek_kind kind)
{
    return kind != BAILEY_GREEK_KIND_PRICE && kind != BAILEY_GREEK_KIND_VOLGA;
}

static int has_gradients(int method)
{
    return method == BAILEY_GREEK_METHOD_GRADIENT || method == BAILEY_GREEK_METHOD_AUTO;
}

TEST(european, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    const struct deal d = {100, 105, 0.03, 0.25, 1.5};
    double wanted[10];
    call_greeks(d, wanted);
    for (int f64 = 0; f64 < 2; f64++)
        for (int method = 0; method < 4; method++) {
            if (few_programs() && method % 2 != f64) continue;
            bailey_simulation *s = priced("european", d, f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32);
            bailey_greeks_params params = one_asset;
            bailey_greek_estimate greeks[8];
            const bailey_simulation_run_params run = {.source = {.seed = 6}, .paths = 200000};
            params.method = (bailey_greek_method)method;
            assert_int_equal(bailey_simulation_greeks_count(s, &params), 8);
            OK(bailey_simulation_greeks(s, &run, &params, greeks));
            for (int i = 0; i < 8; i++) {
                if (i > 0) assert_true(greeks[i].kind > greeks[i - 1].kind);
                near_value(&greeks[i], wanted[greeks[i].kind], 0.002);
                const int scored = method == 1 && (greeks[i].kind == BAILEY_GREEK_KIND_DELTA ||
                                                   greeks[i].kind == BAILEY_GREEK_KIND_GAMMA ||
                                                   greeks[i].kind == BAILEY_GREEK_KIND_THETA);
                const int sloped = has_gradients(method) && is_smooth(greeks[i].kind);
                assert_true((greeks[i].bump > 0) ==
                            (greeks[i].kind != BAILEY_GREEK_KIND_PRICE && !scored && !sloped));
                assert_true((greeks[i].method == BAILEY_GREEK_METHOD_GRADIENT) == sloped);
                if (scored) assert_true(greeks[i].method == BAILEY_GREEK_METHOD_LIKELIHOOD);
                if (method == BAILEY_GREEK_METHOD_DIFFERENCES)
                    assert_true(greeks[i].method == BAILEY_GREEK_METHOD_DIFFERENCES);
            }
            bailey_simulation_destroy(s);
        }
}

/* The first derivatives are the gradient's, bit for bit, of arrays' elements too; a jump
 * is spread over the width, or over that which is right for the number of paths. */
TEST(by_gradient, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    const double times[2] = {0.5, 1}, correlation[4] = {1.5, 0.6, 0.6, 2};
    const bailey_bridge_params path = {.times = times, .steps = 2, .dims = 2, .covariance = correlation};
    bailey_simulation *s = builtin("asian", path);
    static const char *const second[] = {"spot[1]"}, *const names[] = {"spot"};
    OK(bailey_simulation_set(s, "spot", (const double[]){100, 95}, 2));
    OK(bailey_simulation_set(s, "volatility", (const double[]){0.2, 0.3}, 2));
    set(s, "strike", 100), set(s, "rate", 0.03);
    const bailey_simulation_run_params run = {.source = {.seed = 3}, .paths = 5000};
    const bailey_gradient_params asked = {.names = names, .count = 1, .covariance = 1};
    const bailey_greeks_params params = {
        .spots = second, .spot_count = 1, .correlation = 1, .method = BAILEY_GREEK_METHOD_GRADIENT};
    bailey_greek_estimate g[4];
    bailey_derivative d[5];
    bailey_estimate price[2];
    assert_int_equal(bailey_simulation_greeks_count(s, &params), 4);
    OK(bailey_simulation_greeks(s, &run, &params, g));
    OK(bailey_simulation_gradient(s, &run, &asked, price, d));
    assert_true(g[1].kind == BAILEY_GREEK_KIND_DELTA && g[1].mean == d[1].estimate.mean &&
                g[1].standard_error == d[1].estimate.standard_error);
    assert_true(g[3].kind == BAILEY_GREEK_KIND_CORRELATION && g[3].first == 0 && g[3].second == 1);
    assert_true(fabs(g[3].mean / (d[3].estimate.mean * sqrt(3)) - 1) < 1e-12);
    bailey_simulation_destroy(s);
    s = priced("digital", (struct deal){100, 100, 0.05, 0.2, 1}, BAILEY_PRECISION_F32);
    bailey_greeks_params jumps = one_asset;
    jumps.method = BAILEY_GREEK_METHOD_GRADIENT;
    bailey_greek_estimate e[8];
    for (int own = 0; own < 2; own++) {
        jumps.width = 2 * own;
        OK(bailey_simulation_greeks(s, &run, &jumps, e));
        near_value(find(e, 8, BAILEY_GREEK_KIND_DELTA, 0, 0), 0.018762, 0.02);
    }
    jumps.width = -1;
    REFUSED_HERE(bailey_simulation_greeks(s, &run, &jumps, e), "width", "-1");
    bailey_simulation_destroy(s);
}

/* The methods chosen where none is asked for: gradients, else likelihood ratios for one date, else
 * differences; these too if a bump is given. */
TEST(chosen, ON_CPU | LONG)
{
    if (!simulates()) skip();
    static const struct {
        const char *payoff;
        double spot_bump;
        bailey_greek_method delta, gamma;
    } all[] = {
        {"european", 0, BAILEY_GREEK_METHOD_GRADIENT, BAILEY_GREEK_METHOD_GRADIENT},
        {"european", 0.01, BAILEY_GREEK_METHOD_DIFFERENCES, BAILEY_GREEK_METHOD_DIFFERENCES},
        {"digital", 0, BAILEY_GREEK_METHOD_GRADIENT, BAILEY_GREEK_METHOD_LIKELIHOOD},
    };
    const bailey_simulation_run_params run = {.source = {.seed = 6}, .paths = 2000};
    bailey_greeks_params params = one_asset, same = one_asset;
    bailey_greek_estimate g[8], own[8];
    params.method = BAILEY_GREEK_METHOD_AUTO;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        bailey_simulation *s =
            priced(all[k].payoff, (struct deal){100, 105, 0.03, 0.25, 1.5}, BAILEY_PRECISION_F64);
        params.spot_bump = same.spot_bump = all[k].spot_bump;
        OK(bailey_simulation_greeks(s, &run, &params, g));
        const bailey_greek_estimate *delta = find(g, 8, BAILEY_GREEK_KIND_DELTA, 0, 0),
                                    *gamma = find(g, 8, BAILEY_GREEK_KIND_GAMMA, 0, 0);
        assert_true(delta->method == all[k].delta && gamma->method == all[k].gamma);
        same.method = all[k].gamma;
        OK(bailey_simulation_greeks(s, &run, &same, own));
        assert_memory_equal(gamma, find(own, 8, BAILEY_GREEK_KIND_GAMMA, 0, 0), sizeof *gamma);
        bailey_simulation_destroy(s);
    }
    /* A payoff that cannot be differentiated. */
    static const char rounds[] = "typedef struct { real spot; } params; typedef struct { real y; } state;\n"
                                 "void start(state *s, const params *p) { s->y = 0; }\n"
                                 "void step(state *s, const params *p, int i, real t, const real x[])\n"
                                 "{ s->y = p->spot * exp(0.2 * x[0]); }\n"
                                 "void finish(const state *s, const params *p, real out[])\n"
                                 "{ out[0] = floor(s->y); }\n";
    bailey_simulation *s = simulation_of(rounds, (bailey_bridge_params){.times = (double[]){1}, .steps = 1});
    const bailey_greeks_params plain = {.spots = spot, .spot_count = 1};
    set(s, "spot", 100);
    OK(bailey_simulation_greeks(s, &run, &plain, g));
    assert_true(g[1].method == BAILEY_GREEK_METHOD_DIFFERENCES && g[1].bump > 0 && g[2].bump > 0);
    bailey_simulation_destroy(s);
}

/* Where a payoff jumps likelihood ratios are the better ones. */
TEST(digital, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    const struct deal d = {100, 100, 0.05, 0.2, 1};
    const double root = d.v * sqrt(d.t), d2 = (log(d.s / d.k) + (d.r - d.v * d.v / 2) * d.t) / root;
    const double discount = exp(-d.r * d.t), delta = discount * density(d2) / (d.s * root),
                 gamma = -discount * density(d2) * (d2 + root) / (d.s * d.s * root * root);
    bailey_simulation *s = priced("digital", d, BAILEY_PRECISION_F32);
    bailey_greek_estimate differences[8], ratios[8];
    bailey_greeks_params params = one_asset;
    const bailey_simulation_run_params run = {.source = {.seed = 6}, .paths = 100000, .antithetic = 1};
    set(s, "cash", 1);
    OK(bailey_simulation_greeks(s, &run, &params, differences));
    params.method = BAILEY_GREEK_METHOD_LIKELIHOOD;
    OK(bailey_simulation_greeks(s, &run, &params, ratios));
    near_value(&ratios[1], delta, 0);
    near_value(&ratios[2], gamma, 0);
    near_value(&differences[1], delta, 0.002);
    assert_true(ratios[1].standard_error < differences[1].standard_error / 2 &&
                ratios[2].standard_error < differences[2].standard_error / 10);
    bailey_simulation_destroy(s);
}

/* By likelihood ratios the theta of a digital has error bars that hold: by differences a day apart so few
 * paths cross the strike that half of them miss. */
TEST(digital_theta, DEVICE)
{
    enum { SEEDS = 400, PATHS = 4096 };
    if (!simulates() || few_programs()) skip();
    const struct deal d = {100, 105, 0.05, 0.2, 0.5};
    const double q = 0.02, root = d.v * sqrt(d.t),
                 d2 = (log(d.s / d.k) + (d.r - q - d.v * d.v / 2) * d.t) / root, discount = exp(-d.r * d.t);
    const double slope = (d.r - q - d.v * d.v / 2) / root - d2 / (2 * d.t), /* of d2 by the maturity */
        wanted = d.r * discount * cdf(d2) - discount * density(d2) * slope;
    bailey_greeks_params params = one_asset;
    params.method = BAILEY_GREEK_METHOD_LIKELIHOOD;
    for (int f64 = 0; f64 < 2; f64++) {
        bailey_simulation *s = priced("digital", d, f64 ? BAILEY_PRECISION_F64 : BAILEY_PRECISION_F32);
        double sum = 0;
        int covered = 0;
        set(s, "cash", 1), set(s, "dividend", q);
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            const bailey_simulation_run_params run = {.source = {.seed = seed}, .paths = PATHS};
            bailey_greek_estimate g[8];
            OK(bailey_simulation_greeks(s, &run, &params, g));
            const bailey_greek_estimate *theta = find(g, 8, BAILEY_GREEK_KIND_THETA, 0, 0);
            assert_true(theta->bump == 0 && theta->standard_error > 0);
            covered += fabs(theta->mean - wanted) < 1.96 * theta->standard_error;
            sum += (theta->mean - wanted) / theta->standard_error;
        }
        if (getenv("BAILEY_TEST_VERBOSE"))
            print_message("# theta %g: %d of %d covered, mean %.2f\n", wanted, covered, SEEDS,
                          sum / sqrt(SEEDS));
        assert_in_range(covered, 363, 396); /* 380 +- 4 standard deviations */
        assert_true(fabs(sum) < ERRORS * sqrt(SEEDS));
        bailey_simulation_destroy(s);
    }
}

/* Several correlated assets with dividends, a fixing that is past: by differences and by scores. */
TEST(asian_theta, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    const double correlation[4] = {1, 0.5, 0.5, 1}, times[2] = {0.5, 1};
    const bailey_bridge_params path = {
        .times = times, .steps = 2, .dims = 2, .covariance = correlation, .precision = BAILEY_PRECISION_F64};
    bailey_simulation *s = builtin("asian", path);
    const char *const two[] = {"spot[0]", "spot[1]"}, *const vols[] = {"volatility[0]", "volatility[1]"};
    bailey_greeks_params params = {.spots = two,
                                   .spot_count = 2,
                                   .volatilities = vols,
                                   .volatility_count = 2,
                                   .rate = "rate",
                                   .theta = 1,
                                   .method = BAILEY_GREEK_METHOD_DIFFERENCES};
    const bailey_simulation_run_params run = {.source = {.seed = 3}, .paths = 400000};
    bailey_greek_estimate differences[16], ratios[16];
    OK(bailey_simulation_set(s, "spot", (const double[]){100, 80}, 2));
    OK(bailey_simulation_set(s, "volatility", (const double[]){0.25, 0.35}, 2));
    OK(bailey_simulation_set(s, "dividend", (const double[]){0.01, 0.06}, 2));
    OK(bailey_simulation_set(s, "weight", (const double[]){0.6, 0.5}, 2));
    set(s, "rate", 0.04), set(s, "strike", 98), set(s, "past_count", 1), set(s, "past_average", 101);
    const uint64_t n = bailey_simulation_greeks_count(s, &params);
    OK(bailey_simulation_greeks(s, &run, &params, differences));
    params.method = BAILEY_GREEK_METHOD_LIKELIHOOD;
    OK(bailey_simulation_greeks(s, &run, &params, ratios));
    near_value(find(ratios, n, BAILEY_GREEK_KIND_THETA, 0, 0),
               find(differences, n, BAILEY_GREEK_KIND_THETA, 0, 0)->mean, 0);
    bailey_simulation_destroy(s);
}

/* ---- Bumps --------------------------------------------------------------------------------------- */

static double call_price(struct deal d, double spot_by, double volatility_by)
{
    double found[10];
    d.s += spot_by, d.v += volatility_by;
    call_greeks(d, found);
    return found[BAILEY_GREEK_KIND_PRICE];
}

/* The differences are unbiased estimates of the same differences of exact prices. */
static void call_differences(struct deal d, double h, double k, double out[10])
{
    const double middle = call_price(d, 0, 0), up = call_price(d, h, 0), down = call_price(d, -h, 0);
    const double more = call_price(d, 0, k), less = call_price(d, 0, -k);
    out[BAILEY_GREEK_KIND_DELTA] = (up - down) / (2 * h);
    out[BAILEY_GREEK_KIND_GAMMA] = (up - 2 * middle + down) / (h * h);
    out[BAILEY_GREEK_KIND_VEGA] = (more - less) / (2 * k);
    out[BAILEY_GREEK_KIND_VOLGA] = (more - 2 * middle + less) / (k * k);
    out[BAILEY_GREEK_KIND_VANNA] =
        (call_price(d, h, k) + call_price(d, -h, -k) - call_price(d, h, -k) - call_price(d, -h, k)) /
        (4 * h * k);
}

/* docs/greeks.md: below 1 % of each Greek for these deals. */
TEST(truncation, DEVICE)
{
    if (!simulates() || few_programs()) skip();
    static const double times[] = {1 / 12.0, 0.25, 0.5, 1, 2}, vols[] = {0.1, 0.2, 0.3, 0.4},
                        strikes[] = {90, 95, 100, 105, 110};
    const bailey_simulation_run_params run = {.paths = 64};
    double worst[10] = {0};
    for (int t = 0; t < 5; t++) {
        struct deal d = {100, 100, 0.05, 0.2, times[t]};
        bailey_simulation *s = priced("european", d, BAILEY_PRECISION_F64);
        for (int i = 0; i < 20; i++) {
            bailey_greek_estimate g[8];
            double exact[10], found[10];
            d.v = vols[i % 4], d.k = strikes[i / 4];
            set(s, "volatility", d.v), set(s, "strike", d.k);
            OK(bailey_simulation_greeks(s, &run, &one_asset, g));
            call_greeks(d, exact);
            call_differences(d, find(g, 8, BAILEY_GREEK_KIND_DELTA, 0, 0)->bump,
                             find(g, 8, BAILEY_GREEK_KIND_VEGA, 0, 0)->bump, found);
            for (int k = BAILEY_GREEK_KIND_DELTA; k <= BAILEY_GREEK_KIND_VANNA; k++)
                if (k != BAILEY_GREEK_KIND_CROSS_GAMMA)
                    worst[k] = fmax(worst[k], fabs(found[k] / exact[k] - 1));
        }
        bailey_simulation_destroy(s);
    }
    for (int k = BAILEY_GREEK_KIND_DELTA; k <= BAILEY_GREEK_KIND_VANNA; k++) {
        if (getenv("BAILEY_TEST_VERBOSE")) print_message("# %s %.2e\n", bailey_greek_name(k), worst[k]);
        if (worst[k] >= 0.01) fail_msg("truncation of %s is %g", bailey_greek_name(k), worst[k]);
    }
}

/* With wide bumps the sum of fewer corners is far from the one of all four. */
TEST(corners, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    const struct deal d = {100, 105, 0.03, 0.2, 0.25};
    bailey_simulation *s = priced("european", d, BAILEY_PRECISION_F64);
    const bailey_simulation_run_params run = {.source = {.seed = 8}, .paths = 200000};
    bailey_greeks_params params = one_asset;
    bailey_greek_estimate g[8];
    double wanted[10];
    params.spot_bump = 0.05;
    params.volatility_bump = 0.25;
    OK(bailey_simulation_greeks(s, &run, &params, g));
    call_differences(d, 5, 0.05, wanted);
    for (int i = 0; i < 8; i++)
        if (g[i].kind >= BAILEY_GREEK_KIND_DELTA && g[i].kind <= BAILEY_GREEK_KIND_VANNA)
            near_value(&g[i], wanted[g[i].kind], 0);
    bailey_simulation_destroy(s);
}

/* ---- Two assets ---------------------------------------------------------------------------------- */

/* The right to exchange the second asset for the first: no rate is in its price. */
static const char exchange[] =
    "/** An exchange option.\n *\n * out[0] price: its payoff [likelihood] */\n"
    "typedef struct { real spot[2], volatility[2]; } params;\n"
    "typedef struct { real time, x[2]; } state;\n"
    "void start(state *s, const params *p) { s->time = 0; s->x[0] = 0; s->x[1] = 0; }\n"
    "void step(state *s, const params *p, int i, real t, const real x[])\n"
    "{\n"
    "    s->time = t;\n"
    "    s->x[0] = x[0];\n"
    "    s->x[1] = x[1];\n"
    "}\n"
    "void finish(const state *s, const params *p, real out[])\n"
    "{\n"
    "    real price[2];\n"
    "    for (int d = 0; d < 2; d++)\n"
    "        price[d] = p->spot[d] * exp(p->volatility[d] * s->x[d] -\n"
    "                                    p->volatility[d] * p->volatility[d] / 2 * s->time);\n"
    "    out[0] = fmax(price[0] - price[1], 0);\n"
    "}\n";

static const char *const spots[] = {"spot[0]", "spot[1]"}, *const volatilities[] = {"volatility[0]",
                                                                                    "volatility[1]"};

TEST(two_assets, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    const double spot_values[2] = {100, 95}, vols[2] = {0.3, 0.2}, rho = 0.4, t = 1;
    const double correlation[4] = {1, rho, rho, 1}, times[2] = {0.5, t};
    const double v = sqrt(0.09 + 0.04 - 2 * rho * 0.06), d1 = log(100 / 95.0) / v + v / 2, d2 = d1 - v;
    const double vega = 100 * density(d1);
    const bailey_bridge_params path = {
        .times = times, .steps = 2, .dims = 2, .covariance = correlation, .precision = BAILEY_PRECISION_F64};
    bailey_simulation *s = simulation_of(exchange, path);
    OK(bailey_simulation_set(s, "spot", spot_values, 2));
    OK(bailey_simulation_set(s, "volatility", vols, 2));
    bailey_greeks_params params = {.spots = spots,
                                   .spot_count = 2,
                                   .volatilities = volatilities,
                                   .volatility_count = 2,
                                   .cross = 1,
                                   .correlation = 1};
    const bailey_simulation_run_params run = {.source = {.seed = 3}, .paths = 200000};
    for (int method = 0; method < 4; method++) {
        bailey_greek_estimate g[16];
        params.method = (bailey_greek_method)method;
        const uint64_t n = bailey_simulation_greeks_count(s, &params);
        assert_int_equal(n, 13);
        OK(bailey_simulation_greeks(s, &run, &params, g));
        near_value(find(g, n, BAILEY_GREEK_KIND_PRICE, 0, 0), 100 * cdf(d1) - 95 * cdf(d2), 0);
        near_value(find(g, n, BAILEY_GREEK_KIND_DELTA, 0, 0), cdf(d1), 0.001);
        near_value(find(g, n, BAILEY_GREEK_KIND_DELTA, 1, 0), -cdf(d2), 0.001);
        near_value(find(g, n, BAILEY_GREEK_KIND_GAMMA, 0, 0), density(d1) / (100 * v), 0.002);
        near_value(find(g, n, BAILEY_GREEK_KIND_GAMMA, 1, 0), density(d2) / (95 * v), 0.002);
        near_value(find(g, n, BAILEY_GREEK_KIND_CROSS_GAMMA, 0, 1), -density(d1) / (95 * v), 0.002);
        near_value(find(g, n, BAILEY_GREEK_KIND_VEGA, 0, 0), vega * (0.3 - rho * 0.2) / v, 0.002);
        near_value(find(g, n, BAILEY_GREEK_KIND_VEGA, 1, 0), vega * (0.2 - rho * 0.3) / v, 0.002);
        near_value(find(g, n, BAILEY_GREEK_KIND_CORRELATION, 0, 1), -vega * 0.06 / v, 0.002);
        for (uint64_t i = 0; i < n && has_gradients(method); i++)
            assert_true((g[i].method == BAILEY_GREEK_METHOD_GRADIENT) == is_smooth(g[i].kind) &&
                        (g[i].bump > 0) == (!is_smooth(g[i].kind) && i > 0));
    }
    bailey_greek_estimate g[16];
    params.method = BAILEY_GREEK_METHOD_LIKELIHOOD;
    params.correlation_bump = 1e-17;
    REFUSED_HERE(bailey_simulation_greeks(s, &run, &params, g), "correlation_bump is 1e-17",
                 "too small to change paths");
    bailey_simulation_destroy(s);
}

static double exchange_price(double a, double b, double v)
{
    const double d1 = log(a / b) / v + v / 2;
    return a * cdf(d1) - b * cdf(d1 - v);
}

/* Four corners, of bumps that depend on maturity and volatility: below 1 % from a month to two years. */
TEST(cross_gammas, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    static const double times[] = {1 / 12.0, 0.5, 2};
    const double vols[2] = {0.3, 0.2}, rho = 0.4, correlation[4] = {1, rho, rho, 1};
    bailey_greeks_params params = {.spots = spots,
                                   .spot_count = 2,
                                   .volatilities = volatilities,
                                   .volatility_count = 2,
                                   .cross = 1,
                                   .method = BAILEY_GREEK_METHOD_DIFFERENCES};
    const bailey_simulation_run_params run = {.source = {.seed = 3}, .paths = 100000};
    for (int t = 0; t < 3; t++)
        for (int wide = 0; wide < 2; wide++) {
            const double at[2] = {100, 95}, v = sqrt((0.09 + 0.04 - 2 * rho * 0.06) * times[t]),
                         d1 = log(100 / 95.0) / v + v / 2;
            const bailey_bridge_params path = {.times = &times[t],
                                               .steps = 1,
                                               .dims = 2,
                                               .covariance = correlation,
                                               .precision = BAILEY_PRECISION_F64};
            bailey_simulation *s = simulation_of(exchange, path);
            bailey_greek_estimate g[16];
            OK(bailey_simulation_set(s, "spot", at, 2));
            OK(bailey_simulation_set(s, "volatility", vols, 2));
            params.spot_bump = wide ? 0.5 * v : 0;
            const uint64_t n = bailey_simulation_greeks_count(s, &params);
            OK(bailey_simulation_greeks(s, &run, &params, g));
            const double h = find(g, n, BAILEY_GREEK_KIND_DELTA, 0, 0)->bump,
                         k = find(g, n, BAILEY_GREEK_KIND_DELTA, 1, 0)->bump, exact = -density(d1) / (95 * v),
                         four = (exchange_price(100 + h, 95 + k, v) + exchange_price(100 - h, 95 - k, v) -
                                 exchange_price(100 + h, 95 - k, v) - exchange_price(100 - h, 95 + k, v)) /
                                (4 * h * k);
            near_value(find(g, n, BAILEY_GREEK_KIND_CROSS_GAMMA, 0, 1), four, 0);
            if (!wide) assert_true(fabs(four / exact - 1) < 0.01);
            bailey_simulation_destroy(s);
        }
}

/* ---- Pathwise derivatives ------------------------------------------------------------------------ */

/* An Asian call on a basket of three, and its derivatives along the path: where it is faster, that of the
 * mean. */
static const char pathwise[] =
    "typedef struct { real spot[DIMS], volatility[DIMS], weight[DIMS]; real rate, strike; } params;\n"
    "typedef struct { real sum, time, delta[DIMS], vega[DIMS]; } state;\n"
    "void start(state *s, const params *p)\n"
    "{\n"
    "    s->sum = 0;\n"
    "    s->time = 0;\n"
    "    for (int d = 0; d < DIMS; d++) { s->delta[d] = 0; s->vega[d] = 0; }\n"
    "}\n"
    "void step(state *s, const params *p, int i, real t, const real x[])\n"
    "{\n"
    "    for (int d = 0; d < DIMS; d++) {\n"
    "        real v = p->volatility[d];\n"
    "        real share = p->weight[d] * p->spot[d] * exp((p->rate - v * v / 2) * t + v * x[d]) / STEPS;\n"
    "        s->sum += share;\n"
    "        s->delta[d] += share / p->spot[d];\n"
    "        s->vega[d] += share * (x[d] - v * t);\n"
    "    }\n"
    "    s->time = t;\n"
    "}\n"
    "void finish(const state *s, const params *p, real out[8])\n"
    "{\n"
    "    real discount = exp(-p->rate * s->time), pays = s->sum > p->strike ? discount : 0.0;\n"
    "    out[0] = pays * (s->sum - p->strike);\n"
    "    for (int d = 0; d < DIMS; d++) {\n"
    "        out[1 + d] = pays * s->delta[d];\n"
    "        out[4 + d] = pays * s->vega[d];\n"
    "    }\n"
    "    out[7] = pays;\n"
    "}\n";

static const char *const spots3[] = {"spot[0]", "spot[1]", "spot[2]"}, *const vols3[] = {"volatility[0]",
                                                                                         "volatility[1]",
                                                                                         "volatility[2]"};

static void set_basket(bailey_simulation *s)
{
    OK(bailey_simulation_set(s, "spot", (const double[]){100, 80, 120}, 3));
    OK(bailey_simulation_set(s, "volatility", (const double[]){0.25, 0.3, 0.2}, 3));
    OK(bailey_simulation_set(s, "weight", (const double[]){0.5, 0.25, 0.25}, 3));
    set(s, "rate", 0.03);
    set(s, "strike", 100);
}

TEST(asian, DEVICE | REPEATED_ON_OPENCL)
{
    if (!simulates()) skip();
    const double correlation[9] = {1, 0.5, 0.3, 0.5, 1, 0.2, 0.3, 0.2, 1};
    double times[12];
    for (int i = 0; i < 12; i++) times[i] = (i + 1) / 12.0;
    const bailey_bridge_params path = {.times = times, .steps = 12, .dims = 3, .covariance = correlation};
    bailey_simulation *s = builtin("asian", path), *other = simulation_of(pathwise, path);
    const bailey_greeks_params params = {.spots = spots3,
                                         .spot_count = 3,
                                         .volatilities = vols3,
                                         .volatility_count = 3,
                                         .method = BAILEY_GREEK_METHOD_DIFFERENCES};
    bailey_greek_estimate g[32];
    bailey_estimate wanted[8];
    set_basket(s);
    set_basket(other);
    bailey_simulation_run_params run = {.source = {.seed = 5}, .paths = 100000};
    const uint64_t n = bailey_simulation_greeks_count(s, &params);
    OK(bailey_simulation_greeks(s, &run, &params, g));
    run.source.seed = 6;
    OK(bailey_simulation_run(other, &run, wanted));
    for (uint32_t d = 0; d < 3; d++) {
        bailey_greek_estimate delta = *find(g, n, BAILEY_GREEK_KIND_DELTA, d, 0),
                              vega = *find(g, n, BAILEY_GREEK_KIND_VEGA, d, 0);
        /* Both are smooth enough that truncation does not show. */
        delta.standard_error = hypot(delta.standard_error, wanted[1 + d].standard_error);
        vega.standard_error = hypot(vega.standard_error, wanted[4 + d].standard_error);
        near_value(&delta, wanted[1 + d].mean, 0);
        near_value(&vega, wanted[4 + d].mean, 0);
    }
    bailey_simulation_destroy(s);
    bailey_simulation_destroy(other);
}

/* ---- Scores -------------------------------------------------------------------------------------- */

static const char two_outputs[] =
    "typedef struct { real a; } params;\n"
    "typedef struct { real first[2], last[2]; } state;\n"
    "void start(state *s, const params *p)\n"
    "{ for (int d = 0; d < 2; d++) { s->first[d] = 0; s->last[d] = 0; } }\n"
    "void step(state *s, const params *p, int i, real t, const real x[])\n"
    "{\n"
    "    for (int d = 0; d < 2; d++) {\n"
    "        if (i == 0) s->first[d] = x[d];\n"
    "        s->last[d] = x[d];\n"
    "    }\n"
    "}\n"
    "void finish(const state *s, const params *p, real out[4])\n"
    "{\n"
    "    for (int d = 0; d < 2; d++) { out[d] = s->first[d]; out[2 + d] = exp(p->a * s->last[d]); }\n"
    "}\n";
static const char two_whole[] = "typedef struct { real a; } params;\n"
                                "void whole(const params *p, path x, real out[4])\n"
                                "{\n"
                                "    for (int d = 0; d < 2; d++) {\n"
                                "        out[d] = at(x, 0, d);\n"
                                "        out[2 + d] = exp(p->a * at(x, STEPS - 1, d));\n"
                                "    }\n"
                                "}\n";

/* Rows times scores, path by path; with antithetic pairs against those of either half. */
TEST(scores, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    enum { PATHS = 300 };
    if (!simulates()) skip();
    const double times[2] = {0.5, 1}, start[2] = {0.25, -1}, covariance[4] = {1, 0.5, 0.5, 2};
    const double weights[2][4] = {{0, 0, 1, -0.5}, {0, 0, 0, 2}},
                 score[2][7] = {{0.5, 1, -2, 0.25, 0.5, -1, 3}, {0, 0, 1, 0, 0, 0, 0}};
    for (int whole = 0; whole < 2; whole++) {
        const bailey_bridge_params path = {.times = times,
                                           .steps = 2,
                                           .dims = 2,
                                           .covariance = covariance,
                                           .start = start,
                                           .precision = BAILEY_PRECISION_F64};
        bailey_simulation *s = simulation_of(whole ? two_whole : two_outputs, path);
        bailey_estimate e[4];
        bailey_simulation_run_params run = {.source = {.seed = 2}, .paths = PATHS};
        set(s, "a", 0.5);
        double *plain = run_for_samples(s, run, BAILEY_PRECISION_F64, e);
        run.scenarios = (bailey_scenarios){.count = 1, .rows = 2, .weights = weights[0], .scores = score[0]};
        for (int antithetic = 0; antithetic < 2; antithetic++) {
            if (few_programs() && antithetic == whole) continue;
            run.antithetic = (uint32_t)antithetic;
            double *found = run_for_samples(s, run, BAILEY_PRECISION_F64, e);
            for (int r = 0; r < 2; r++)
                for (int p = 0; p < PATHS; p++) {
                    double sum = 0;
                    for (int half = 0; half <= antithetic; half++) {
                        const double y[2] = {(half ? -1 : 1) * (plain[p] - start[0]),
                                             (half ? -1 : 1) * (plain[PATHS + p] - start[1])};
                        double row = 0;
                        for (int o = 2; o < 4; o++) {
                            const double x = plain[o * PATHS + p];
                            row += weights[r][o] * (half ? exp(2 * 0.5 * start[o - 2]) / x : x);
                        }
                        sum += row * (score[r][0] + score[r][1] * y[0] + score[r][2] * y[1] +
                                      y[0] * (score[r][3] * y[0] + score[r][4] * y[1]) +
                                      y[1] * (score[r][5] * y[0] + score[r][6] * y[1]));
                    }
                    sum /= 1 + antithetic;
                    assert_true(fabs(found[r * PATHS + p] - sum) <= 1e-12 * (1 + fabs(sum)));
                }
            free(found);
        }
        free(plain);
        bailey_simulation_destroy(s);
    }
}

/* ---- Refusals ------------------------------------------------------------------------------------ */

#define REFUSES(argument, a, b, ...)                                                                         \
    do {                                                                                                     \
        const bailey_greeks_params refused = {__VA_ARGS__};                                                  \
        REFUSED_HERE(bailey_simulation_greeks(s, &run, &refused, greeks), a, b);                             \
        assert_string_equal(bailey_error_argument(), argument);                                              \
    } while (0)
#define SPOT .spots = spot, .spot_count = 1

TEST(refused, DEVICE)
{
    if (!simulates()) skip();
    static const char *const strange[] = {"spot[1]"};
    const struct deal d = {100, 100, 0.05, 0.2, 1};
    bailey_simulation *s = priced("european", d, BAILEY_PRECISION_F32);
    bailey_simulation_run_params run = {.paths = 100};
    bailey_greek_estimate greeks[16];
    memset(greeks, 0x55, sizeof greeks);
    REFUSES("spots", "volatilty", "no parameter", .spots = (const char *const[]){"volatilty"},
            .spot_count = 1);
    REFUSES("spots", "spot[1]", "beyond", .spots = strange, .spot_count = 1);
    REFUSES("spots", "NULL", "", .spot_count = 1);
    REFUSES("volatilities", "NULL", "", .volatility_count = 1);
    REFUSES("spots", "dividend", "0", .spots = (const char *const[]){"dividend"}, .spot_count = 1);
    REFUSES("rate", "interest", "no parameter", .rate = "interest");
    REFUSES("output", "output is 1", "1", .output = 1);
    REFUSES("method", "volatilities", "", SPOT, .method = BAILEY_GREEK_METHOD_LIKELIHOOD);
    REFUSES("correlation", "one dimension", "", .correlation = 1);
    for (int i = 0; i < 3; i++) {
        /* They know the spot in other ways too. */
        static const char *const names[] = {"barrier", "heston-euler", "asian"};
        const bailey_bridge_params path = {.times = &d.t, .steps = 1};
        bailey_simulation *const european = s;
        s = builtin(names[i], path);
        REFUSES("method", "likelihood ratios", names[i], SPOT, .volatilities = volatility,
                .volatility_count = 1, .output = i == 2, .method = BAILEY_GREEK_METHOD_LIKELIHOOD);
        bailey_simulation_destroy(s);
        s = european;
    }
    static const char
        plain[] = "typedef struct { real spot, volatility; } params;\n"
                  "void whole(const params *p, path x, real out[]) { out[0] = p->spot * at(x, 0, 0); }\n",
        said[] = "/** out[0] price: right [likelihood] */\n"
                 "typedef struct { real spot, volatility; } params;\n"
                 "void whole(const params *p, path x, real out[]) { out[0] = p->spot * at(x, 0, 0); }\n";
    bailey_simulation *own = simulation_of(plain, (bailey_bridge_params){.times = &d.t, .steps = 1}),
                      *const before = s;
    s = own;
    REFUSES("parameters", "payoff.c needs spot, volatility", "default", SPOT);
    set(s, "spot", 100), set(s, "volatility", 0.2);
    REFUSES("method", "of payoff.c are not declared valid", "[likelihood]", SPOT, .volatilities = volatility,
            .volatility_count = 1, .method = BAILEY_GREEK_METHOD_LIKELIHOOD);
    bailey_simulation_destroy(own);
    s = own = simulation_of(said, (bailey_bridge_params){.times = &d.t, .steps = 1});
    set(s, "spot", 100), set(s, "volatility", 0.2);
    REFUSES("theta", "roles", "dividends", SPOT, .volatilities = volatility, .volatility_count = 1,
            .theta = 1, .method = BAILEY_GREEK_METHOD_LIKELIHOOD);
    s = before;
    bailey_simulation_destroy(own);
    REFUSES("spots", "bump", "does not change", SPOT, .spot_bump = 1e-9);
    REFUSES("time_bump", "1", "", .theta = 1, .time_bump = 1);
    REFUSES("time_bump", "1e-08", "too small to change paths", .theta = 1, .time_bump = 1e-8);
    run.antithetic = 2;
    REFUSES("antithetic", "antithetic", "", SPOT);
    run = (bailey_simulation_run_params){.paths = 100, .scenarios = {.count = 1}};
    REFUSES("scenarios", "scenarios", "", SPOT);
    run = (bailey_simulation_run_params){.paths = 100, .sum = BAILEY_SUM_FIXED, .sum_limit = 1000};
    REFUSES("sum", "Greeks", "BAILEY_SUM_DOUBLE", SPOT);
    for (size_t i = 0; i < sizeof greeks; i++) assert_int_equal(((unsigned char *)greeks)[i], 0x55);
    run = (bailey_simulation_run_params){.paths = 100};
    REFUSED(bailey_simulation_greeks(NULL, &run, &one_asset, greeks), "simulation is NULL", "");
    REFUSED(bailey_simulation_greeks(s, NULL, &one_asset, greeks), "run is NULL", "");
    REFUSED(bailey_simulation_greeks(s, &run, NULL, greeks), "params is NULL", "");
    REFUSED(bailey_simulation_greeks(s, &run, &one_asset, NULL), "greeks is NULL", "");
    assert_int_equal(bailey_simulation_greeks_count(NULL, &one_asset), 0);
    assert_string_equal(bailey_greek_name(BAILEY_GREEK_KIND_CROSS_GAMMA), "cross gamma");
    assert_string_equal(bailey_greek_name((bailey_greek_kind)10), "unknown");
    bailey_simulation_destroy(s);
}
