/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Gradients of payoffs that jump: no derivative may be wrong without a word. Every way to write a jump has a
 * case with a closed form, or is rejected with its line.
 */
#include <base/alloc.h>

#include <host/derive/derivative.h>
#include <host/simulate/simulation_internal.h>

#include "gradients.h"

#define PATHS (1 << 17)

static const double today[] = {100, 0.2, 0.05};

/* A geometric Brownian motion; `body` is of step, `last` of finish. */
#define HEAD                                                                                                 \
    "typedef struct { real spot, volatility, rate; } params;\n"                                              \
    "typedef struct { real price, value; int hit, count; } state;\n"                                         \
    "void start(state *s, const params *p)\n"                                                                \
    "{ s->price = p->spot; s->value = 0; s->hit = 0; s->count = 0; }\n"                                      \
    "void step(state *s, const params *p, int i, real t, const real x[])\n{\n"                               \
    "    s->price = p->spot * exp((p->rate - p->volatility * p->volatility / 2) * t + p->volatility * "      \
    "x[0]);\n"
#define HEAD_OF_KEPT                                                                                         \
    "typedef struct { real spot, volatility, rate; } params;\n"                                              \
    "typedef struct { real price, value, kept[4]; int count; } state;\n"                                     \
    "void start(state *s, const params *p)\n{\n    s->price = p->spot;\n    s->value = 0;\n    s->count = "  \
    "0;\n"                                                                                                   \
    "    for (int k = 0; k < 4; k++) s->kept[k] = 0;\n}\n"                                                   \
    "void step(state *s, const params *p, int i, real t, const real x[])\n{\n"                               \
    "    s->price = p->spot * exp((p->rate - p->volatility * p->volatility / 2) * t + p->volatility * "      \
    "x[0]);\n    s->kept[i % 4] = s->price;\n"
#define FINISH                                                                                               \
    "}\nvoid finish(const state *s, const params *p, real out[])\n{\n    const real d = exp(-p->rate);\n"
#define PAYOFF(body, last) HEAD body FINISH last "}\n"
#define CALL "exp(-p->rate) * fmax(s->price - 100, 0)"
/* A function of the price at the end alone. */
#define FINAL(last) PAYOFF("", "    const real y = s->price;\n" last)

static bailey_simulation *make(const char *code, uint32_t steps, bailey_precision precision)
{
    static const char *const names[] = {"spot", "volatility", "rate"};
    double times[12];
    for (uint32_t k = 0; k < steps; k++) times[k] = (k + 1.0) / steps;
    const bailey_simulation_params params = {.path = {.times = times, .steps = steps, .precision = precision},
                                             .payoff = {.code = code}};
    bailey_simulation *s;
    if (bailey_simulation_create(context, &params, &s) != BAILEY_OK)
        fail_msg("%s\n%s", bailey_error_message(), code);
    for (int k = 0; k < 3; k++) OK(bailey_simulation_set(s, names[k], &today[k], 1));
    return s;
}

static bailey_status estimate(const char *code, uint32_t steps, const bailey_gradient_params *question,
                              bailey_derivative gradient[3], bailey_gradient_jump *first)
{
    bailey_simulation *s = make(code, steps, BAILEY_PRECISION_F64);
    const bailey_simulation_run_params run = {.source = {.seed = 7}, .paths = PATHS};
    bailey_estimate price;
    const bailey_status status = bailey_simulation_gradient(s, &run, question, &price, gradient);
    if (first && bailey_simulation_gradient_jump(s, 0, first) != BAILEY_OK)
        *first = (bailey_gradient_jump){0};
    bailey_simulation_destroy(s);
    return status;
}

static void near_wanted(const char *code, const char *name, const bailey_estimate *found, double wanted,
                        double more)
{
    const double off = fabs(found->mean - wanted);
    if (getenv("BAILEY_TEST_VERBOSE"))
        print_message("# %s %.6g +- %.2g, %.6g\n", name, found->mean, found->standard_error, wanted);
    if (!(off <= (ERRORS + 0.25) * found->standard_error + more))
        fail_msg("%s: %.7g, not %.7g, which is %.2f standard errors\n%s", name, found->mean, wanted,
                 off / found->standard_error, code);
}

/* ---- Functions of the price at the end ----------------------------------------------------------- */

/* The delta of 1 paid above a level. */
static double digital(double level)
{
    const double d2 = (log(today[0] / level) + today[2] - today[1] * today[1] / 2) / today[1];
    return exp(-today[2]) * density(d2) / (today[0] * today[1]);
}

static double call_delta(double strike)
{
    return cdf((log(today[0] / strike) + today[2] + today[1] * today[1] / 2) / today[1]);
}

struct written {
    const char *code;
    double levels[4], sizes[4];   /* jumps up by size, at levels */
    double strikes[3], slopes[3]; /* calls; at 0 the price itself */
    int reruns;                   /* 1 if paths are run again; -1: there is no jump */
};

static const struct written all_written[] = {
    {FINAL("    out[0] = d * (y > 100);\n"), {100}, {1}, {0}, {0}, 0},
    {FINAL("    out[0] = d * (100 <= y);\n"), {100}, {1}, {0}, {0}, 0},
    {FINAL("    out[0] = d * !(y < 100);\n"), {100}, {1}, {0}, {0}, 0},
    {FINAL("    if (y > 100)\n        out[0] = d;\n    else\n        out[0] = 3 * d;\n"),
     {100},
     {-2},
     {0},
     {0},
     0},
    {FINAL("    out[0] = y > 90 && y < 110 ? d : 0;\n"), {90, 110}, {1, -1}, {0}, {0}, 0},
    {FINAL("    out[0] = y > 110 || y < 90 ? d : 0;\n"), {90, 110}, {-1, 1}, {0}, {0}, 0},
    {FINAL("    out[0] = y > 80 && y < 90 || y > 100 && !(y >= 120) ? d : 0;\n"),
     {80, 90, 100, 120},
     {1, -1, 1, -1},
     {0},
     {0},
     0},
    {FINAL("    out[0] = d * (y > 110 ? 3 : y > 100 ? 1 : y > 80 ? 7 : 0);\n"),
     {110, 100, 80},
     {2, -6, 7},
     {0},
     {0},
     0},
    /* Functions of a jump. */
    {FINAL("    const real one = y > 100 ? 1 : 0;\n    out[0] = d * one * one * one;\n"),
     {100},
     {1},
     {0},
     {0},
     1},
    {FINAL("    const real one = y > 100 ? 1 : 0;\n    out[0] = d * exp(2 * one);\n"),
     {100},
     {6.38905609893065},
     {0},
     {0},
     1},
    {FINAL("    const real one = y > 100 ? 1 : 0;\n    out[0] = d / (1 + 3 * one);\n"),
     {100},
     {-0.75},
     {0},
     {0},
     1},
    {FINAL("    const real one = y > 100 ? 1 : 0;\n    out[0] = d * fmax(10 * one - 7, 0);\n"),
     {100},
     {3},
     {0},
     {0},
     1},
    {FINAL("    const real one = y > 100 ? 1 : 0;\n    out[0] = d * sqrt(4 + 5 * one);\n"),
     {100},
     {1},
     {0},
     {0},
     1},
    {FINAL("    const real one = y > 100 ? 5 : 1;\n    out[0] = one > 3 ? d : 0;\n"),
     {100},
     {1},
     {0},
     {0},
     1},
    {FINAL("    real one = 0;\n    if (y > 100) one = 1;\n    out[0] = one == 1 ? d : 0;\n"),
     {100},
     {1},
     {0},
     {0},
     1},
    {FINAL("    real one = 0;\n    if (y > 100) one = 1;\n    out[0] = floor(1.5 * one) * d;\n"),
     {100},
     {1},
     {0},
     {0},
     1},
    {FINAL("    real one = 0;\n    if (y > 100) one = 1.25;\n    out[0] = (int)one * d;\n"),
     {100},
     {1},
     {0},
     {0},
     1},
    /* The same comparison more than once. */
    {FINAL("    int a = y > 100, b = y > 100, c = 0;\n    if (!(y <= 100)) c = 1;\n    out[0] = d * a * b * "
           "c;\n"),
     {100},
     {1},
     {0},
     {0},
     1},
    {FINAL("    const int a = y > 100, b = y <= 100;\n    out[0] = d * (a + b);\n"), {0}, {0}, {0}, {0}, 0},
    {FINAL("    int a = 0, b = 0;\n    if (y > 100) a = 1;\n    if (y < 100) b = 1;\n    out[0] = d * (a && "
           "b ? 100 : 1);\n"),
     {0},
     {0},
     {0},
     {0},
     1},
    /* Integers. */
    {FINAL("    const int n = (y > 90) + (y > 100) + (y > 110);\n    out[0] = d * n;\n"),
     {90, 100, 110},
     {1, 1, 1},
     {0},
     {0},
     0},
    {FINAL("    const int n = (y > 90) + (y > 100) + (y > 110);\n    out[0] = n >= 2 ? d : 0;\n"),
     {100},
     {1},
     {0},
     {0},
     1},
    {FINAL("    const int n = (y > 90) + (y > 100) + (y > 110);\n    out[0] = n == 2 ? d : 0;\n"),
     {100, 110},
     {1, -1},
     {0},
     {0},
     1},
    {FINAL("    const int n = (y > 90) + (y > 110);\n    const real pays[3] = {2, 7, 3};\n    out[0] = d * "
           "pays[n];\n"),
     {90, 110},
     {5, -4},
     {0},
     {0},
     1},
    {FINAL("    const int n = (y > 90) + (y > 110);\n    switch (n) {\n    case 0: out[0] = d; break;\n    "
           "case 1: "
           "out[0] = 4 * d; break;\n    default: out[0] = 2 * d;\n    }\n"),
     {90, 110},
     {3, -2},
     {0},
     {0},
     1},
    {FINAL("    const int n = (y > 90) + (y > 110);\n    out[0] = d * (n * n - n / 2 + n % 2);\n"),
     {90, 110},
     {2, 1},
     {0},
     {0},
     1},
    /* Flow. */
    {FINAL("    out[0] = 2 * d;\n    if (y < 90) return;\n    out[0] = 5 * d;\n    if (y < 110) return;\n    "
           "out[0] = 0;\n"),
     {90, 110},
     {3, -5},
     {0},
     {0},
     1},
    {FINAL("    real sum = 0;\n    for (int k = 0; k < 4; k++) {\n        if (y < 85 + 10 * k) break;\n      "
           "  sum += d;\n    "
           "}\n    out[0] = sum;\n"),
     {85, 95, 105, 115},
     {1, 1, 1, 1},
     {0},
     {0},
     1},
    {FINAL("    real sum = 0;\n    for (int k = 0; k < 3; k++) {\n        if (y > 90 + 10 * k) continue;\n   "
           "     sum += (k + 1) "
           "* d;\n    }\n    out[0] = sum;\n"),
     {90, 100, 110},
     {-1, -2, -3},
     {0},
     {0},
     0},
    /* Kinks and jumps. */
    {FINAL("    out[0] = d * fabs(y - 100);\n"), {0}, {0}, {100, 0}, {2, -1}, -1},
    {FINAL("    out[0] = d * fmin(fmax(y, 90), 110);\n"), {0}, {0}, {90, 110}, {1, -1}, -1},
    {FINAL("    out[0] = y > 100 ? d * (y - 100) : 0;\n"), {0}, {0}, {100, 0}, {1, 0}, -1},
    {FINAL("    real gain = y / 100 - 1;\n    if (gain < 0) gain = 0;\n    out[0] = 100 * d * gain;\n"),
     {0},
     {0},
     {100, 0},
     {1, 0},
     -1},
    {FINAL("    out[0] = log(y) > log(100.0) ? d * (y - 100) : 0;\n"), {100}, {0}, {100, 0}, {1, 0}, 0},
    {FINAL("    out[0] = y > 90 ? d * (y - 100) : 0;\n"), {90}, {-10}, {90, 0}, {1, 0}, 0},
    {FINAL("    out[0] = y > 90 && y < 110 ? d * fabs(y - 100) : 0;\n"),
     {90, 110},
     {10, -10},
     {90, 100, 110},
     {-1, 2, -1},
     0},
};
#define WRITTEN (sizeof all_written / sizeof *all_written)

static double wanted_delta(const struct written *w)
{
    double sum = 0;
    for (int k = 0; k < 4; k++)
        if (w->levels[k] > 0) sum += w->sizes[k] * digital(w->levels[k]);
    for (int k = 0; k < 3; k++)
        if (w->slopes[k] != 0) sum += w->slopes[k] * (w->strikes[k] > 0 ? call_delta(w->strikes[k]) : 1);
    return sum;
}

TEST(written, ON_CPU | LONG)
{
    if (!simulates()) skip();
    const bailey_gradient_params question = {0};
    for (size_t k = 0; k < WRITTEN; k++) {
        const struct written *w = &all_written[k];
        bailey_derivative g[3];
        bailey_gradient_jump first;
        if (estimate(w->code, 1, &question, g, &first) != BAILEY_OK)
            fail_msg("%s\n%s", bailey_error_message(), w->code);
        near_wanted(w->code, "delta", &g[0].estimate, wanted_delta(w), 1e-12);
        if ((first.width > 0) != (w->reruns >= 0) || (w->reruns >= 0 && (int)first.reruns != w->reruns))
            fail_msg("width %g, reruns %u\n%s", first.width, first.reruns, w->code);
        if (w->reruns < 0) assert_true(g[0].by_jumps.mean == 0 && g[0].by_jumps.standard_error == 0);
        if (w->strikes[0] == 0 && w->slopes[0] == 0) /* all of it */
            near_wanted(w->code, "by jumps", &g[0].by_jumps, wanted_delta(w), 1e-12);
    }
}

/* ---- Along a path ---------------------------------------------------------------------------------- */

/* References are by recursive quadrature over the logarithm of the price, in cells of 0.00025, with the share
 * of the cell that a barrier cuts off: from cells twice as wide they differ by less than 1e-6. The last three
 * are by cells of 0.001, and good to the digits given. */
struct known {
    const char *name, *code;
    uint32_t steps;
    double price, delta, vega;
    int reruns;
};

static const struct known all_known[] = {
    {"down and out", PAYOFF("    if (s->price < 90) s->hit = 1;\n", "    out[0] = s->hit ? 0 : " CALL ";\n"),
     12, 9.573372, 0.7427740, 23.41717, 0},
    {"up and out",
     PAYOFF("    s->hit = s->hit || s->price > 120;\n", "    out[0] = s->hit ? 0 : " CALL ";\n"), 12,
     1.849351, -0.0100580, -15.01198, 0},
    {"up and out, put",
     PAYOFF("    s->hit |= s->price > 105;\n", "    out[0] = s->hit ? 0 : d * fmax(110 - s->price, 0);\n"),
     12, 6.467807, -0.7744089, 17.55605, 1},
    {"up and in",
     PAYOFF("    if (s->price > 120) s->hit = 1;\n",
            "    out[0] = 0;\n    if (!s->hit) return;\n    out[0] = " CALL ";\n"),
     12, 8.601231, 0.6468887, 52.53602, 0},
    {"double",
     PAYOFF("    if (s->price < 85 || s->price > 125) s->hit = 1;\n",
            "    out[0] = s->hit ? 0 : " CALL ";\n"),
     12, 2.845630, 0.0484609, -24.40090, 0},
    {"double, two flags",
     PAYOFF("    if (s->price < 85) s->hit = 1;\n    if (s->price > 125) s->count = 1;\n",
            "    out[0] = s->hit || s->count ? 0 : " CALL ";\n"),
     12, 2.845630, 0.0484609, -24.40090, 0},
    {"double, counted",
     PAYOFF("    if (s->price < 85 || s->price > 125) s->count++;\n",
            "    out[0] = s->count > 0 ? 0 : " CALL ";\n"),
     12, 2.845630, 0.0484609, -24.40090, 1},
    {"double, early return",
     HEAD "    if (s->hit) return;\n    if (s->price < 85) { s->hit = 1; return; }\n    if (s->price > 125) "
          "s->hit = 1;\n" FINISH "    out[0] = s->hit ? 0 : " CALL ";\n}\n",
     12, 2.845630, 0.0484609, -24.40090, 1},
    {"double, as a real",
     PAYOFF("    if (s->price < 85 || s->price > 125) s->value = 1;\n",
            "    out[0] = s->value > 0.5 ? 0 : " CALL ";\n"),
     12, 2.845630, 0.0484609, -24.40090, 1},
    {"autocallable",
     PAYOFF("    if (!s->hit && s->price > 100) {\n        s->hit = 1;\n        s->value = exp(-p->rate * t) "
            "* (100 + 2 * (i + "
            "1));\n    }\n",
            "    out[0] = s->hit ? s->value : d * (s->price < 70 ? s->price : 100);\n"),
     4, 98.897424, 0.2239900, -22.02609, 1},
    {"autocallable, as a sum",
     PAYOFF("    if (!s->hit && s->price > 100) {\n        s->hit = 1;\n        s->value += exp(-p->rate * "
            "t) * (100 + 2 * (i + "
            "1));\n    }\n",
            "    out[0] = s->value + (s->hit ? 0 : d * (s->price < 70 ? s->price : 100));\n"),
     4, 98.897424, 0.2239900, -22.02609, 1},
    /* One level, compared in both sides of a branch. */
    {"crossings, squared",
     PAYOFF("    if (s->hit) {\n        if (s->price < 100) { s->hit = 0; s->count++; }\n    } else {\n"
            "        if (s->price > 100) { s->hit = 1; s->count++; }\n    }\n",
            "    out[0] = s->count * s->count;\n"),
     6, 3.2053, 0.09490, 0.2744, 1},
    /* The same by distances that each side computes. */
    {"crossings of a distance, squared",
     PAYOFF("    if (s->hit) {\n        const real above = s->price - 100;\n"
            "        if (above < 0) { s->hit = 0; s->count++; }\n    } else {\n"
            "        const real below = 100 - s->price;\n"
            "        if (below < 0) { s->hit = 1; s->count++; }\n    }\n",
            "    out[0] = s->count * s->count;\n"),
     6, 3.2053, 0.09490, 0.2744, 1},
    {"crossings, exp",
     PAYOFF("    if (!s->hit) {\n        if (s->price > 110) { s->hit = 1; s->value += 1; }\n"
            "        return;\n    }\n"
            "    if (s->price < 110) { s->hit = 0; s->value = s->value * 0.5 + 2; }\n",
            "    out[0] = exp(s->value / 4);\n"),
     6, 1.34373, 0.023653, 0.8710, 1},
    /* A state that rests behind a knock-out, and a result that is not affine in it. */
    {"knock-out with rebate, squared",
     PAYOFF("    if (s->hit) return;\n    s->value = s->price;\n"
            "    if (s->price < 90) { s->hit = 1; s->value = 5 + t; }\n",
            "    const real v = s->hit ? s->value : fmax(s->value - 100, 0);\n    out[0] = v * v;\n"),
     6, 359.61, 30.043, 3029.3, 1},
};

/* The same numbers compared again: by a running maximum, at dates in between, in finish. References are those
 * of the same payoff written with a comparison of each price alone. */
static const struct {
    const char *code, *once;
    uint32_t steps;
} all_repeated[] = {
    {PAYOFF("    s->value = fmax(s->value, s->price);\n    if (s->value > 120) s->hit = 1;\n",
            "    out[0] = s->hit ? 0 : " CALL ";\n"),
     PAYOFF("    if (s->price > 120) s->hit = 1;\n", "    out[0] = s->hit ? 0 : " CALL ";\n"), 12},
    {PAYOFF("    if (i % 3 == 2) s->value = s->price;\n    if (s->value > 120) s->hit = 1;\n",
            "    out[0] = s->hit ? 0 : " CALL ";\n"),
     PAYOFF("    if (i % 3 == 2 && s->price > 120) s->hit = 1;\n", "    out[0] = s->hit ? 0 : " CALL ";\n"),
     12},
    {PAYOFF("    if (s->price > 100) s->count++;\n",
            "    out[0] = (s->price > 100) * (s->count + 3 * (100 < s->price));\n"),
     PAYOFF("    s->hit = s->price > 100;\n    if (s->hit) s->count++;\n",
            "    out[0] = s->hit * (s->count + 3 * s->hit);\n"),
     6},
    /* A coupon with memory, and protection at the same level. */
    {PAYOFF("    if (!s->hit && s->price > 110) { s->hit = 1; s->value = 104 + 4 * s->count; }\n"
            "    if (!s->hit) s->count = s->price > 80 ? 0 : s->count + 1;\n",
            "    out[0] = s->hit ? s->value : s->price > 80 ? 104 + 4 * s->count : s->price;\n"),
     PAYOFF("    if (!s->hit && s->price > 110) { s->hit = 1; s->value = 104 + 4 * s->count; }\n"
            "    if (!s->hit && s->price > 80) { s->count = 0; if (i == STEPS - 1) { s->hit = 1; s->value = "
            "104; } }\n"
            "    else s->count++;\n",
            "    out[0] = s->hit ? s->value : s->price;\n"),
     4},
    /* Prices that are kept, and compared again long after others. */
    {HEAD_OF_KEPT
     "    if (s->price > 100) s->count++;\n" FINISH
     "    real sum = 0;\n    for (int k = 0; k < 4; k++) sum += s->kept[k] > 100 ? s->kept[k] : 0;\n"
     "    out[0] = s->count * sum;\n}\n",
     HEAD_OF_KEPT "    if (s->price > 100) { s->count++; s->value += s->price; }\n" FINISH
                  "    out[0] = s->count * s->value;\n}\n",
     4},
};

TEST(repeated, ON_CPU | LONG)
{
    if (!simulates()) skip();
    for (size_t k = 0; k < sizeof all_repeated / sizeof *all_repeated; k++) {
        bailey_derivative g[3], once[3];
        bailey_gradient_jump first;
        const bailey_gradient_params question = {0};
        if (estimate(all_repeated[k].code, all_repeated[k].steps, &question, g, &first) != BAILEY_OK)
            fail_msg("%s\n%s", bailey_error_message(), all_repeated[k].code);
        assert_true(first.reruns == 1);
        OK(estimate(all_repeated[k].once, all_repeated[k].steps, &question, once, NULL));
        for (int i = 0; i < 2; i++) {
            assert_true(fabs(g[i].by_jumps.mean) > 5 * g[i].by_jumps.standard_error);
            near_wanted(all_repeated[k].code, i ? "vega" : "delta", &g[i].estimate, once[i].estimate.mean,
                        ERRORS * once[i].estimate.standard_error);
        }
    }
}

TEST(along_a_path, ON_CPU | LONG)
{
    if (!simulates()) skip();
    for (size_t k = 0; k < sizeof all_known / sizeof *all_known; k++) {
        const struct known *of = &all_known[k];
        bailey_derivative g[3];
        bailey_gradient_jump first;
        const bailey_gradient_params question = {0};
        if (estimate(of->code, of->steps, &question, g, &first) != BAILEY_OK)
            fail_msg("%s: %s", of->name, bailey_error_message());
        near_wanted(of->code, of->name, &g[0].estimate, of->delta, 0);
        near_wanted(of->code, of->name, &g[1].estimate, of->vega, 0);
        if ((int)first.reruns != of->reruns) fail_msg("%s: reruns %u", of->name, first.reruns);
        assert_true(first.width > 0 && first.spread > first.width && first.counts == 1);
    }
}

/* ---- Rejected code --------------------------------------------------------------------------------- */

static void rejected_at(const char *code, uint32_t steps, const char *where, const char *why)
{
    bailey_derivative g[3];
    const bailey_gradient_params question = {0};
    failed_with(code, estimate(code, steps, &question, g, NULL), BAILEY_ERROR_UNSUPPORTED, where, why);
}

#define LINE(last) FINAL(last), 1, "payoff.c:13:"

TEST(rejected, ON_CPU)
{
    if (!simulates()) skip();
    rejected_at(LINE("    out[0] = floor(y / 10);\n"), "floor and ceil jump");
    rejected_at(LINE("    out[0] = y - ceil(y);\n"), "floor and ceil jump");
    rejected_at(LINE("    out[0] = (int)y;\n"), "to an integer");
    rejected_at(LINE("    out[0] = (int)y > 100 ? d : 0;\n"), "to an integer");
    rejected_at(LINE("    out[0] = floor(y) > 100 ? d : 0;\n"), "floor and ceil jump");
    rejected_at(LINE("    const real table[3] = {1, 2, 3}; out[0] = table[y > 0 ? (int)(y / 1000) : 0];\n"),
                "to an integer");
    rejected_at(LINE("    out[0] = fmax(y, 100.0) == y ? d : 0;\n"), "by == or !=");
    rejected_at(LINE("    out[0] = y != fmin(y, 100.0) ? d : 0;\n"), "by == or !=");
    rejected_at(LINE("    out[0] = y - 100 ? d : 0;\n"), "by == or !=");
    rejected_at(LINE("    out[0] = d * fabs(y - 100) / (y - 100);\n"), "quotient jumps");
    rejected_at(LINE("    out[0] = d * fmax(y - 100, 0) / (3 * (100 - y));\n"), "quotient jumps");
    rejected_at(LINE("    out[0] = d * (y - 100) / fabs(y - 100);\n"), "quotient jumps");
    rejected_at(LINE("    out[0] = d * (y - 100) / sqrt((y - 100) * (y - 100));\n"), "quotient jumps");
    rejected_at(LINE("    out[0] = fmax(y, 100) > 100 ? d : 0;\n"), "equal on some paths");
    rejected_at(LINE("    out[0] = fmax(y - 100, 0) > 0 ? d : 0;\n"), "equal on some paths");
    rejected_at(LINE("    real z = y; for (int k = 0; z > 1; k++) z /= 2; out[0] = z;\n"),
                "jumps at this comparison");
}

/* Code that looks alike and is right. */
TEST(accepted, ON_CPU | LONG)
{
    if (!simulates()) skip();
    static const struct {
        const char *code;
        uint32_t steps;
        double delta;
    } all[] = {
        {FINAL("    const int n = (int)(p->volatility * 10);\n    out[0] = n * y * d + floor(p->rate);\n"), 1,
         2},
        {FINAL("    out[0] = p->rate == 0 ? 1 : d * y;\n"), 1, 1},
        {FINAL("    out[0] = d * y * fabs(y - 100) / (fabs(y - 100) + 1e-30);\n"), 1, 1},
        {FINAL(
             "    const real h = y - 100;\n    out[0] = d * (y * y - 10000) / (fabs(h) < 1e-9 ? 200 : h);\n"),
         1, 1},
        {PAYOFF(
             "    if (i % 3 == 2) s->value = s->price;\n    if (i % 3 == 2 && s->value > 120) s->hit = 1;\n",
             "    out[0] = s->hit ? 0 : d * s->price;\n"),
         12, NAN},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        bailey_derivative g[3];
        const bailey_gradient_params question = {0};
        if (estimate(all[k].code, all[k].steps, &question, g, NULL) != BAILEY_OK)
            fail_msg("%s\n%s", bailey_error_message(), all[k].code);
        if (!isnan(all[k].delta)) near_wanted(all[k].code, "delta", &g[0].estimate, all[k].delta, 1e-9);
    }
}

/* A product is 0 where either factor is: sides that are the same at one of these zeros jump at the other. */
TEST(factors, ON_CPU | LONG)
{
    if (!simulates()) skip();
    static const char *const plain = FINAL("    out[0] = y > 100 ? d * p->volatility : 0;\n");
    static const char *const all[] = {
        FINAL("    out[0] = p->volatility * (y - 100) > 0 ? d * p->volatility : 0;\n"),
        FINAL("    out[0] = 0 < (y - 100) * p->volatility ? d * p->volatility : 0;\n"),
        FINAL("    out[0] = p->volatility * (y * y - 10000) > 0 ? d * p->volatility : 0;\n"),
    };
    const bailey_gradient_params question = {0};
    bailey_derivative wanted[3], g[3];
    bailey_gradient_jump jump;
    OK(estimate(plain, 1, &question, wanted, NULL));
    assert_true(wanted[0].estimate.mean > 20 * wanted[0].estimate.standard_error);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        OK(estimate(all[k], 1, &question, g, &jump));
        assert_true(jump.counts);
        near_wanted(all[k], "delta", &g[0].estimate, wanted[0].estimate.mean, 0);
    }
    /* Both vary: the sides are the same where the second factor is 0. */
    static const char *const both = PAYOFF("    if (i == 5) s->value = s->price;\n",
                                           "    const real a = s->price - 100, b = s->value - 95;\n"
                                           "    out[0] = a * b > 0 ? d * b : 0;\n");
    OK(estimate(both, 12, &question, g, &jump));
    assert_true(jump.counts && fabs(g[0].by_jumps.mean) > 5 * g[0].by_jumps.standard_error);
    /* No factor, or one that makes both sides 0. */
    static const char *const kinks[] = {
        FINAL("    out[0] = p->volatility * (y - 100) > 0 ? d * p->volatility * (y - 100) : 0;\n"),
        FINAL("    out[0] = d * fmax(p->volatility * (y - 100), 0);\n"),
        FINAL("    out[0] = y * y > 10000 ? d * (y * y - 10000) : 0;\n"),
    };
    for (size_t k = 0; k < sizeof kinks / sizeof *kinks; k++) {
        OK(estimate(kinks[k], 1, &question, g, &jump));
        assert_true(!jump.line && g[0].estimate.mean > 0);
    }
}

/* Thousands of roots: quickly where they do not depend on each other, else a limit, also quickly. */
TEST(many_roots, ON_CPU | LONG)
{
    if (!simulates()) skip();
    static const char *const flat = PAYOFF("    for (int k = 1; k <= 500; k++)\n        s->value += "
                                           "s->price > k ? log(s->price / k) * sqrt(s->price - k) : 0;\n",
                                           "    out[0] = s->value;\n");
    static const char *const chain = PAYOFF(
        "    real y = s->price;\n    for (int k = 0; k < 1000; k++)\n"
        "        y = y > k ? sqrt(y - k) + log(1 + y) + k : y + log(1 + k + 0.0);\n    s->value = y;\n",
        "    out[0] = s->value;\n");
    const bailey_gradient_params all = {0};
    const char *code;
    bailey_simulation *s = make(flat, 2, BAILEY_PRECISION_F64);
    OK(bailey_simulation_gradient_code(s, &all, &code));
    assert_null(strstr(code, "width"));
    bailey_simulation_destroy(s);
    s = make(chain, 2, BAILEY_PRECISION_F64);
    failed_with(chain, bailey_simulation_gradient_code(s, &all, &code), BAILEY_ERROR_UNSUPPORTED,
                "payoff.c:10:", "67108864 operations");
    bailey_simulation_destroy(s);
}

/* ---- Widths ---------------------------------------------------------------------------------------- */

TEST(widths, ON_CPU)
{
    if (!simulates()) skip();
    static const char *const code = PAYOFF("    if (s->price < 85 || s->price > 125) s->hit = 1;\n",
                                           "    out[0] = s->hit ? 0 : " CALL ";\n");
    static const char *const smooth = FINAL("    out[0] = d * fmax(y - 100, 0);\n");
    const double zero = 0, two[] = {1, 2.5}, half[] = {1, 0}, three[] = {1, 1, 1}, negative[] = {1, -1},
                 none[] = {NAN, 1};
    bailey_derivative g[3];
    bailey_gradient_jump jump;
    bailey_simulation *s = make(code, 12, BAILEY_PRECISION_F64),
                      *call = make(smooth, 1, BAILEY_PRECISION_F64);
    const bailey_simulation_run_params run = {.source = {.seed = 7}, .paths = 10000};
    bailey_estimate price;
#define GRADIENT(of, ...)                                                                                    \
    bailey_simulation_gradient(of, &run, &(bailey_gradient_params){__VA_ARGS__}, &price, g)
    REFUSED(bailey_simulation_gradient_jump(s, 0, &jump), "index", "of 0 jumps");
    failed_with("a width of 0", GRADIENT(s, .widths = &zero, .width_count = 1), BAILEY_ERROR_UNSUPPORTED,
                "payoff.c:8:18", "its width is 0");
    failed_with("a width of 0", GRADIENT(s, .widths = half, .width_count = 2), BAILEY_ERROR_UNSUPPORTED,
                "payoff.c:8:35", "its width is 0");
    REFUSED(GRADIENT(s, .widths = three, .width_count = 3), "width_count is 3", "2 comparisons");
    REFUSED(GRADIENT(s, .widths = negative, .width_count = 2), "widths", "-1");
    REFUSED(GRADIENT(s, .widths = none, .width_count = 2), "widths", "nan");
    REFUSED(GRADIENT(s, .width = -1), "width", "-1");
    REFUSED(GRADIENT(s, .width = NAN), "width", "nan");
    REFUSED(GRADIENT(s, .width = INFINITY), "width", "inf");
    REFUSED(GRADIENT(s, .width_count = 2), "widths", "is NULL");
    REFUSED(GRADIENT(s, .width = 1, .widths = two, .width_count = 2), "widths", "one of them");
    OK(GRADIENT(s, .widths = two, .width_count = 2));
    const bailey_estimate own = g[0].estimate;
    for (uint64_t k = 0; k < 2; k++) {
        OK(bailey_simulation_gradient_jump(s, k, &jump));
        assert_true(jump.width == two[k] && jump.line == 8 && jump.column == (k ? 35 : 18));
    }
    REFUSED(bailey_simulation_gradient_jump(s, 2, &jump), "index", "of 2 jumps");
    OK(GRADIENT(s, .width = 2.5));
    assert_true(g[0].estimate.mean != own.mean);
    OK(GRADIENT(s, 0));
    const bailey_estimate standard = g[0].estimate;
    OK(bailey_simulation_gradient_jump(s, 1, &jump));
    /* The default again, said. */
    double said[2];
    for (uint64_t k = 0; k < 2; k++) {
        OK(bailey_simulation_gradient_jump(s, k, &jump));
        said[k] = jump.width;
        assert_true(fabs(jump.width / (2.0 * jump.spread * pow(10000, -1.0 / 9)) - 1) < 1e-12);
        assert_true(jump.spread > 5 && jump.spread < 6.5); /* of a month: 100 * 0.2 / sqrt(12) */
    }
    OK(GRADIENT(s, .widths = said, .width_count = 2));
    assert_memory_equal(&standard, &g[0].estimate, sizeof standard);
    /* The part without jumps is the derivative that is left. */
    assert_true(g[0].by_jumps.mean < -0.1 && g[0].estimate.mean - g[0].by_jumps.mean > 0.1);
    OK(GRADIENT(call, .widths = &zero, .width_count = 1));
    assert_true(g[0].by_jumps.mean == 0);
    REFUSED(bailey_simulation_gradient_jump(call, 0, &jump), "index", "of 0 jumps");
    bailey_simulation_destroy(s);
    bailey_simulation_destroy(call);
}

/* A uniform number less a probability p->spot / 10000: 0 is near the end of its distribution, or at it, where
 * hardly any path turns the comparison. On one side, on the other, and where paths are run again. */
TEST(ends, ON_CPU | LONG)
{
    if (!simulates()) skip();
#define UNIFORM(u, out) PAYOFF("    s->value = 10000 * (" u ");\n", "    out[0] = " out ";\n")
    static const char *const codes[] = {
        UNIFORM("normal_cdf(x[0])", "s->value < p->spot ? 1 : 0"),
        UNIFORM("normal_cdf(-x[0]) - 1", "-s->value >= p->spot ? 0 : s->price"),
        UNIFORM("normal_cdf(x[0])", "exp(s->value <= p->spot ? 1 : 0)"),
        "typedef struct { real spot, volatility, rate; } params;\n"
        "void whole(const params *p, path x, real out[])\n{\n"
        "    out[0] = 10000 * normal_cdf(at(x, 0, 0)) < p->spot ? 1 : 0;\n}\n",
        /* The same numbers three times, which turn together. */
        PAYOFF("    s->value = 10000 * normal_cdf(x[0]);\n    if (s->value < p->spot) s->hit = 1;\n",
               "    const int a = p->spot > s->value, b = s->value >= p->spot;\n"
               "    out[0] = s->hit * (2 + a) + (1 + a) * (1 - b) - 2;\n")};
    static const double spots[] = {500, 100, 0.1, 1e-4};
    static const char *const names[] = {"spot"};
    const bailey_gradient_params question = {.names = names, .count = 1, .width_paths = PATHS};
    const bailey_simulation_run_params run = {.source = {.seed = 7}, .paths = PATHS};
    for (int of = 0; of < 5; of++) {
        bailey_simulation *s = make(codes[of], 1, BAILEY_PRECISION_F64);
        for (int k = 0; k < 4; k++) {
            bailey_derivative g;
            bailey_gradient_jump jump;
            /* The second one pays a price that is correlated with u: exp(0.05) on paths at its end, u = 1, is
             * 0 or infinite, so there the price is at u = 0 with a volatility of 0. */
            const double flat = 0, wanted = (of == 1   ? spots[k] * exp(0.05)
                                             : of == 2 ? exp(1.0) - 1
                                             : of == 4 ? 5
                                                       : 1) *
                                            1e-4;
            OK(bailey_simulation_set(s, "spot", &spots[k], 1));
            if (of == 1) OK(bailey_simulation_set(s, "volatility", &flat, 1));
            OK(bailey_simulation_gradient(s, &run, &question, NULL, &g));
            OK(bailey_simulation_gradient_jump(s, 0, &jump));
            const bailey_estimate *by = of == 1 ? &g.by_jumps : &g.estimate;
            near_wanted(codes[of], "by the probability", by, wanted, 0);
            assert_true(jump.side == (k ? 1 : 0));
            assert_true(k ? jump.width > 3000 : jump.width > 400 && jump.width <= 500);
            assert_true(by->standard_error < 0.04 * wanted);
        }
        bailey_simulation_destroy(s);
    }
}

/* A comparison to one side of which hardly any path comes turns with one that compares other numbers too, to
 * both sides of which they come. */
TEST(ends_apart, ON_CPU)
{
    if (!simulates()) skip();
    static const char code[] =
        PAYOFF("    s->value = 1000000 * normal_cdf(x[0]);\n    if (s->value < p->spot) s->hit = 1;\n",
               "    int n = 0;\n    for (int k = 0; k < 2; k++) n += s->value - 500000 * k < p->spot;\n"
               "    out[0] = s->hit * n;\n");
    const bailey_gradient_params question = {0};
    bailey_derivative g[3];
    failed_with(code, estimate(code, 1, &question, g, NULL), BAILEY_ERROR_UNSUPPORTED,
                "payoff.c:9:", "set a width");
}

/* A running sum grows by about as much on all paths, which must not count: a comparison of it at each date
 * has a width of the size of one at the end. Prices are positive, so that both payoffs are the same. */
TEST(running_sum, ON_CPU)
{
    if (!simulates()) skip();
#define SUM(step, finish)                                                                                    \
    "typedef struct { real spot, level, volatility; } params;\n"                                             \
    "typedef struct { real sum; int hit; } state;\n"                                                         \
    "void start(state *s, const params *p) { s->sum = 0; s->hit = 0; }\n"                                    \
    "void step(state *s, const params *p, int i, real t, const real x[])\n{\n"                               \
    "    s->sum += p->spot * exp(p->volatility * x[0] - p->volatility * p->volatility / 2 * t);\n" step      \
    "}\nvoid finish(const state *s, const params *p, real out[1]) { out[0] = " finish " ? 1 : 0; }\n"
    static const char *const codes[] = {SUM("", "s->sum > p->level"),
                                        SUM("    if (s->sum > p->level) s->hit = 1;\n", "s->hit")};
    static const double numbers[] = {100, 400, 0.2};
    bailey_derivative g[2][3];
    bailey_gradient_jump jump[2];
    for (int k = 0; k < 2; k++) {
        const bailey_simulation_params params = {
            .path = {.times = dates, .steps = 4, .precision = BAILEY_PRECISION_F64},
            .payoff = {.code = codes[k]}};
        const bailey_simulation_run_params run = {.source = {.seed = 1}, .paths = 1 << 16};
        const bailey_gradient_params question = {0};
        bailey_simulation *s = made_on(context, &params, numbers);
        OK(bailey_simulation_gradient(s, &run, &question, NULL, g[k]));
        OK(bailey_simulation_gradient_jump(s, 0, &jump[k]));
        bailey_simulation_destroy(s);
    }
    assert_true(jump[1].spread < jump[0].spread && jump[1].spread > jump[0].spread / 10);
    for (int i = 0; i < 3; i++)
        near_wanted(codes[1], g[1][i].name, &g[1][i].estimate, g[0][i].estimate.mean,
                    3 * g[0][i].estimate.standard_error);
}

/* Widths, and so derivatives, depend on the number of paths and the parameters, and on nothing else. */
TEST(alone_with_jumps, ON_CPU | LONG)
{
    if (!simulates()) skip();
    static const char *const names[] = {"volatility"};
    for (size_t k = 0; k < sizeof all_known / sizeof *all_known; k += 9) {
        bailey_simulation *s = make(all_known[k].code, all_known[k].steps, BAILEY_PRECISION_F32);
        const bailey_simulation_run_params run = {
            .source = {.seed = 3}, .first_path = 77, .paths = 3001, .replicates = 3, .antithetic = 1};
        const bailey_gradient_params all = {.covariance = 1}, one = {.names = names, .count = 1};
        bailey_derivative g[4], own[1];
        bailey_estimate price[2];
        OK(bailey_simulation_gradient(s, &run, &all, &price[0], g));
        OK(bailey_simulation_gradient(s, &run, &one, &price[1], own));
        assert_memory_equal(&g[1].estimate, &own[0].estimate, sizeof own[0].estimate);
        assert_memory_equal(&g[1].by_jumps, &own[0].by_jumps, sizeof own[0].by_jumps);
        bailey_simulation_destroy(s);
    }
}

/* ---- Devices --------------------------------------------------------------------------------------- */

TEST(devices_agree_on_jumps, ON_OPENCL | ON_CUDA | LONG_ON_OPENCL)
{
    if (!simulates()) skip();
    bailey_context *other;
    OK(bailey_context_create("cpu", NULL, &other));
    for (size_t k = 0; k < sizeof all_known / sizeof *all_known; k += 9) {
        bailey_context *const own = context;
        const bailey_simulation_run_params run = {.source = {.seed = 3}, .first_path = 7, .paths = 5001};
        const bailey_gradient_params all = {.covariance = 1};
        bailey_derivative g[2][4];
        bailey_estimate price[2];
        for (int side = 0; side < 2; side++) {
            context = side ? other : own;
            bailey_simulation *s = make(all_known[k].code, all_known[k].steps, BAILEY_PRECISION_F32);
            context = own;
            OK(bailey_simulation_gradient(s, &run, &all, &price[side], g[side]));
            bailey_simulation_destroy(s);
        }
        for (int d = 0; d < 4; d++) {
            assert_memory_equal(&g[0][d].estimate, &g[1][d].estimate, sizeof price[0]);
            assert_memory_equal(&g[0][d].by_jumps, &g[1][d].by_jumps, sizeof price[0]);
        }
    }
    bailey_context_destroy(other);
}
