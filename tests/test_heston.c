/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The built-in heston: the law of its variance, prices and derivatives against the formula, what it refuses.
 */
#include <bailey/gradient.h>

#include "simulations.h"

#include <complex.h>
#include <math.h>

#define MOST_STEPS 128

struct heston {
    double spot, strike, rate, dividend, variance, reversion, mean_variance, sigma, correlation, years;
};

static const char *const names[] = {"spot",      "strike",        "rate",  "dividend",   "variance",
                                    "reversion", "mean_variance", "sigma", "correlation"};
#define NAMES (sizeof names / sizeof *names)

/* The first three: L. Andersen, "Simple and efficient simulation of the Heston stochastic volatility model",
 * 2008, cases I to III. The variance of the fourth stays away from 0. */
static const struct heston cases[] = {{100, 100, 0, 0, 0.04, 0.5, 0.04, 1, -0.9, 10},
                                      {100, 100, 0, 0, 0.04, 0.3, 0.04, 0.9, -0.5, 15},
                                      {100, 100, 0, 0, 0.09, 1, 0.09, 1, -0.3, 5},
                                      {100, 100, 0.03, 0.01, 0.04, 1.5, 0.05, 0.3, -0.7, 1}};
#define CASES (sizeof cases / sizeof *cases)

static int is_slow(void) { return getenv("BAILEY_TEST_QUICK") || strncmp(device.address, "opencl", 6) == 0; }

static double *field(struct heston *h, size_t n) { return (double *)h + n; }

/* ---- The formula --------------------------------------------------------------------------------- */

/* E exp(i u log(F / forward)), in the form without a branch cut (Albrecher, Mayer, Schoutens and Tistaert
 * 2007). */
static double complex characteristic(const struct heston *h, double complex u)
{
    const double s2 = h->sigma * h->sigma;
    const double complex b = h->reversion - h->correlation * h->sigma * I * u;
    const double complex d = csqrt(b * b + s2 * (I * u + u * u)), g = (b - d) / (b + d);
    const double complex e = cexp(-d * h->years);
    const double complex slope = (b - d) / s2 * (1 - e) / (1 - g * e);
    const double complex level = (b - d) * h->years - 2 * clog((1 - g * e) / (1 - g));
    return cexp(h->reversion * h->mean_variance / s2 * level + slope * h->variance);
}

/* A call (Lewis 2000), by Simpson's rule. */
static double call_of(const struct heston *h)
{
    enum { INTERVALS = 40000 };
    const double forward = h->spot * exp((h->rate - h->dividend) * h->years), end = 400;
    const double width = end / INTERVALS, k = log(forward / h->strike);
    double sum = 0;
    for (int i = 0; i <= INTERVALS; i++) {
        const double u = i * width, weight = i == 0 || i == INTERVALS ? 1 : i & 1 ? 4 : 2;
        sum += weight * creal(cexp(I * u * k) * characteristic(h, u - 0.5 * I)) / (u * u + 0.25);
    }
    const double integral = sum * width / 3;
    return exp(-h->rate * h->years) *
           (forward - sqrt(forward * h->strike) * integral / 3.14159265358979323846);
}

/* Andersen's table has 13.085 for case I at the money, 16.649 for case II. QuantLib 1.44: 9.1933. */
TEST(formula, HOST)
{
    static const struct heston mild = {100, 100, 0.03, 0, 0.04, 1.5, 0.04, 0.3, -0.7, 1};
    assert_true(fabs(call_of(&cases[0]) - 13.0847) < 1e-4);
    assert_true(fabs(call_of(&cases[1]) - 16.6492) < 1e-4);
    assert_true(fabs(call_of(&mild) - 9.1933) < 1e-4);
}

/* ---- Simulations --------------------------------------------------------------------------------- */

static double times[MOST_STEPS];

static bailey_simulation *made(const struct heston *h, uint64_t steps, const char *code)
{
    for (uint64_t i = 0; i < steps; i++) times[i] = h->years * (double)(i + 1) / (double)steps;
    const bailey_simulation_params params = {
        .path = {.times = times, .steps = steps, .precision = BAILEY_PRECISION_F64},
        .payoff = {.code = code, .name = code ? "law.c" : "heston"}};
    struct heston values = *h;
    bailey_simulation *s = NULL;
    OK(bailey_simulation_create(context, &params, &s));
    for (size_t n = 0; n < NAMES; n++) set(s, names[n], *field(&values, n));
    return s;
}

/* The library's formula under any product that has it: Andersen's cases, two strikes, a call and a put; and Black's
 * where the variance is not random. */
TEST(closed_form, ON_CPU)
{
    if (!simulates()) skip();
    for (size_t c = 0; c <= CASES; c++)
        for (int put = 0; put < 2; put++) {
            struct heston h = cases[c % CASES];
            h.strike = put ? 140 : 100;
            times[0] = h.years;
            const bailey_simulation_params params = {
                .path = {.times = times, .steps = 1, .precision = BAILEY_PRECISION_F64},
                .payoff = {.name = "european", .model_name = "heston"}};
            const double forward = h.spot * exp((h.rate - h.dividend) * h.years), discount = exp(-h.rate * h.years);
            double wanted = call_of(&h) - put * discount * (forward - h.strike), found;
            if (c == CASES) {
                const double root = sqrt(0.04 * h.years), d = log(forward / h.strike) / root + root / 2;
                h.sigma = 0;
                h.variance = h.mean_variance = 0.04;
                wanted = discount * (forward * 0.5 * erfc(-d / sqrt(2)) - h.strike * 0.5 * erfc((root - d) / sqrt(2)) -
                                     put * (forward - h.strike));
            }
            bailey_simulation *s = NULL;
            OK(bailey_simulation_create(context, &params, &s));
            for (size_t n = 0; n < NAMES; n++) set(s, names[n], *field(&h, n));
            set(s, "sign", put ? -1 : 1);
            OK(bailey_simulation_closed_form(s, &found));
            bailey_simulation_destroy(s);
            print_message("# case %zu: %.8f, %.8f\n", c + 1, found, wanted);
            if (!(fabs(found - wanted) < 1e-6)) fail();
        }
}

/* The built-in's start and step, and a finish that shows the variance and the price. */
static char *law_code(void)
{
    static const char finish[] = "void finish(const state *s, const params *p, real out[3])\n"
                                 "{\n"
                                 "    const real apart = s->variance[0] - p->mean_variance[0];\n"
                                 "    out[0] = apart;\n"
                                 "    out[1] = apart * apart;\n"
                                 "    out[2] = exp(s->change[0]);\n"
                                 "}\n";
    bailey_description *d = NULL;
    const bailey_payoff payoff = {.name = "heston"};
    OK(bailey_payoff_describe(&payoff, NULL, &d));
    const char *begin = strstr(d->code, "typedef struct"), *end = strstr(d->code, "void finish"),
               *rest = end ? strstr(end, "\n}\n") : NULL;
    assert_true(begin && rest);
    static const char head[] = "/** Its law.\n *\n * path: increments\n * dims: 1\n * own: 1 per dimension\n */\n";
    char *code = allocate(sizeof head + strlen(begin) + sizeof finish);
    sprintf(code, "%s%.*s%s%s", head, (int)(end - begin), begin, rest + 3, finish);
    bailey_description_destroy(d);
    return code;
}

static void near(const char *what, size_t which, const bailey_estimate *e, double wanted)
{
    const double error = e->standard_error;
    print_message("# case %zu, %s: %.6f +- %.6f, by the formula %.6f\n", which + 1, what, e->mean, error,
                  wanted);
    if (!(fabs(e->mean - wanted) < 4 * error + 1e-12)) fail();
}

/* Steps of the variance have the exact mean and variance given the variance before, so that after any number
 * of them both are exact too (Cox, Ingersoll and Ross 1985); and the price is a martingale. */
TEST(law, DEVICE | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    char *code = law_code();
    for (size_t c = 0; c < CASES; c++) {
        const struct heston *h = &cases[c];
        const bailey_simulation_run_params run = {.paths = 1 << 15, .source = {.seed = 11 + c}};
        const double e = exp(-h->reversion * h->years), apart = (h->variance - h->mean_variance) * e;
        const double variance = h->sigma * h->sigma / h->reversion *
                                (h->variance * (e - e * e) + 0.5 * h->mean_variance * (1 - e) * (1 - e));
        bailey_estimate found[3];
        bailey_simulation *s = made(h, 12, code);
        OK(bailey_simulation_run(s, &run, found));
        near("mean of the variance", c, &found[0], apart);
        near("its second moment", c, &found[1], variance + apart * apart);
        near("mean of the price", c, &found[2], 1);
        bailey_simulation_destroy(s);
    }
    free(code);
}

/* ---- Prices -------------------------------------------------------------------------------------- */

/* The steps of the description, at three strikes. */
TEST(prices, DEVICE | LONG)
{
    if (!simulates() || is_slow()) skip();
    static const double strikes[] = {70, 100, 140};
    for (size_t c = 0; c < CASES; c++)
        for (int k = 0; k < 3; k++) {
            struct heston h = cases[c];
            const bailey_simulation_run_params run = {.paths = 1 << 18, .source = {.seed = 1}};
            bailey_estimate found;
            h.strike = strikes[k];
            bailey_simulation *s = made(&h, 64, NULL);
            OK(bailey_simulation_run(s, &run, &found));
            const double wanted = call_of(&h);
            print_message("# case %zu, strike %g: %.4f +- %.4f, by the formula %.4f\n", c + 1, h.strike,
                          found.mean, found.standard_error, wanted);
            assert_true(fabs(found.mean - wanted) < 3 * found.standard_error);
            bailey_simulation_destroy(s);
        }
}

/* ---- Derivatives --------------------------------------------------------------------------------- */

static double slope_of(const struct heston *h, size_t n)
{
    struct heston up = *h, down = *h;
    const double bump = 1e-4 * fmax(fabs(*field(&up, n)), 0.1);
    *field(&up, n) += bump;
    *field(&down, n) -= bump;
    return (call_of(&up) - call_of(&down)) / (2 * bump);
}

/* Those by jumps are of the switch between the two laws: in case I the variance is 0 most of the time. */
TEST(gradient, DEVICE | LONG)
{
    if (!simulates() || is_slow()) skip();
    for (size_t c = 0; c < CASES; c += 3) {
        const bailey_simulation_run_params run = {.paths = 1 << 16, .source = {.seed = 2}};
        const bailey_gradient_params params = {.names = names, .count = NAMES};
        bailey_simulation *s = made(&cases[c], c ? 16 : 80, NULL);
        bailey_derivative g[NAMES];
        bailey_estimate price;
        assert_int_equal(bailey_simulation_gradient_count(s, &params), NAMES);
        OK(bailey_simulation_gradient(s, &run, &params, &price, g));
        for (size_t n = 0; n < NAMES; n++) {
            size_t k = 0;
            while (k + 1 < NAMES && strcmp(g[k].name, names[n]) != 0) k++;
            assert_string_equal(g[k].name, names[n]);
            near(names[n], c, &g[k].estimate, slope_of(&cases[c], n));
        }
        bailey_simulation_destroy(s);
    }
}

/* ---- Edges and errors ---------------------------------------------------------------------------- */

/* A variance that is 0 and stays 0: the price grows as a deposit does. */
TEST(no_variance, DEVICE)
{
    if (!simulates() || is_slow()) skip();
    const struct heston h = {100, 90, 0.03, 0.01, 0, 1.5, 0, 0.3, -0.7, 1};
    const bailey_simulation_run_params run = {.paths = 64, .source = {.seed = 1}};
    bailey_simulation *s = made(&h, 8, NULL);
    bailey_estimate found;
    OK(bailey_simulation_run(s, &run, &found));
    assert_true(fabs(found.mean - (100 * exp(-0.01) - 90 * exp(-0.03))) < 1e-5);
    bailey_simulation_destroy(s);
}

/* Paths that are correlated would be so twice. */
TEST(refused, DEVICE)
{
    if (!simulates() || is_slow()) skip();
    static const double both[] = {1, 0, 0, 1, 1, -0.5, -0.5, 1}, factor[] = {1, 0, -0.6, 0.8};
    static const char code[] = "/** Two.\n *\n * path: increments\n * dims: 2 independent\n */\n"
                               "typedef struct { real a; } params;\n"
                               "void whole(const params *p, path x, real out[]) { out[0] = p->a * at(x, 0, 0) + at(x, 0, 1); }\n";
    bailey_simulation_params params = {.path = {.times = times, .steps = 2}, .payoff = {.code = code, .name = "two.c"}};
    bailey_simulation *s = made(&cases[3], 2, NULL), *other = NULL;
    assert_int_equal(bailey_simulation_set(s, "correlation", (const double[]){-1.5}, 1),
                     BAILEY_ERROR_INVALID);
    bailey_simulation_destroy(s);
    OK(bailey_simulation_create(context, &params, &s));
    set(s, "a", 1);
    bailey_simulation_run_params run = {.paths = 16};
    const bailey_gradient_params by = {.covariance = 1};
    bailey_estimate found[2];
    bailey_derivative g[NAMES + 3];
    run.scenarios = (bailey_scenarios){.count = 2, .covariance = both};
    assert_int_equal(bailey_simulation_run(s, &run, found), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "covariance");
    assert_non_null(strstr(bailey_error_message(), "scenario 1 has another covariance"));
    run.scenarios = (bailey_scenarios){0};
    assert_int_equal(bailey_simulation_gradient(s, &run, &by, found, g), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "covariance");
    bailey_simulation_destroy(s);
    params.path.dims = 2;
    params.path.factor = factor;
    assert_int_equal(bailey_simulation_create(context, &params, &other), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "factor");
    assert_non_null(strstr(bailey_error_message(), "two.c needs independent dimensions"));
}
