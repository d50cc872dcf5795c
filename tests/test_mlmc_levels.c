/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The built-in levels of multilevel Monte Carlo, as plain C on the host: they are the paper's formulas, what
 * coarse paths pay is distributed as on the level below, their sums are the options' exact values, and they
 * converge as the paper says.
 */
#include "harness.h"

#include "mlmc_reference.h"
#include "mlmc_texts.h"

#include <bailey/device/icdf_table.h>
#include <bailey/device/philox.h>
#include <bailey/mlmc.h>
#include <host/mlmc/driver.h>
#include <host/payoff/payoff.h>
#include <math.h>

enum { MOST_STEPS = 1024, MOST_PARAMS = 8, LEVELS = 9 };

/* Figures, where they are asked for. */
#define say(...)                                                                                             \
    do {                                                                                                     \
        if (getenv("BAILEY_TEST_VERBOSE")) print_message(__VA_ARGS__);                                       \
    } while (0)

/* ---- Samples ------------------------------------------------------------------------------------- */

static const struct option {
    const char *name;
    const struct mlmc_text *text[2]; /* f32, f64 */
    const char *params[MOST_PARAMS]; /* in the text's order */
    double exact;                    /* of `paper` below */
    double alpha[2], beta[2];        /* ranges */
} options[MLMC_OPTIONS] = {
#define TEXTS(name)                                                                                          \
#name, { &mlmc_##name##_f32, &mlmc_##name##_f64 }
    /* Exact values: closed forms; Asian: a finite-difference solution of Vecer's equation, to 2e-5. */
    [MLMC_EUROPEAN] = {TEXTS(european),
                       {"spot", "strike", "rate", "dividend", "volatility"},
                       10.4505835722,
                       {0.8, 1.2},
                       {1.8, 2.2}},
    [MLMC_ASIAN] =
        {TEXTS(asian), {"spot", "strike", "rate", "dividend", "volatility"}, 5.76309, {0.7, 1.3}, {1.8, 2.4}},
    [MLMC_LOOKBACK] =
        {TEXTS(lookback), {"spot", "rate", "dividend", "volatility"}, 17.2168022374, {0.7, 1.2}, {1.7, 2.2}},
    [MLMC_DIGITAL] = {TEXTS(digital),
                      {"spot", "strike", "rate", "dividend", "volatility", "cash"},
                      53.2324815454,
                      {0.8, 1.6},
                      {0.9, 1.7}},
    [MLMC_BARRIER] = {TEXTS(barrier),
                      {"spot", "strike", "barrier", "rate", "dividend", "volatility", "side"},
                      9.9492703086,
                      {0.7, 1.4},
                      {1.1, 1.8}},
#undef TEXTS
};

static const struct mlmc_reference paper = {.spot = 100,
                                            .strike = 100,
                                            .rate = 0.05,
                                            .volatility = 0.2,
                                            .cash = 100,
                                            .barrier = 85,
                                            .time = 1},
                                   other = {.spot = 80,
                                            .strike = 90,
                                            .rate = 0.03,
                                            .dividend = 0.01,
                                            .volatility = 0.35,
                                            .cash = 7,
                                            .barrier = 60,
                                            .time = 2};

static double value_of(const struct mlmc_reference *r, const char *name)
{
    const struct {
        const char *name;
        double value;
    } values[] = {{"spot", r->spot},
                  {"strike", r->strike},
                  {"rate", r->rate},
                  {"dividend", r->dividend},
                  {"volatility", r->volatility},
                  {"cash", r->cash},
                  {"barrier", r->barrier},
                  {"side", -1}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(values[i].name, name) == 0) return values[i].value;
    fail_msg("no value of %s", name);
    return 0;
}

static void values_of(enum mlmc_option o, const struct mlmc_reference *r, double *values)
{
    for (int i = 0; i < MOST_PARAMS && options[o].params[i]; i++)
        values[i] = value_of(r, options[o].params[i]);
}

/* The numbers of a sample: normals of increments, and further ones or uniforms, all floats. */
static struct numbers {
    float z[MOST_STEPS], other[MOST_STEPS];
} numbers;

/* Uniforms have 23 bits, so that they are never 0 or 1. */
static void draw(enum mlmc_option o, uint64_t stream, uint64_t number, uint32_t steps)
{
    for (uint32_t i = 0; i < steps; i++) {
        const bailey_philox_block w = bailey_philox_words4(1, stream, number * MOST_STEPS + i);
        numbers.z[i] = bailey_normal_icdf_f32(TABLE_F32, w.word[0]);
        numbers.other[i] = o == MLMC_LOOKBACK ? ((float)(w.word[1] >> 9) + 0.5f) * 0x1p-23f
                                              : bailey_normal_icdf_f32(TABLE_F32, w.word[1]);
    }
}

/* The payoff of the code for these numbers, in float or double. */
static void text_pays(enum mlmc_option o, const struct mlmc_reference *r, int wide, int level, uint32_t steps,
                      double out[2])
{
    static float dw32[MOST_STEPS];
    static double dw64[MOST_STEPS], other64[MOST_STEPS];
    double values[MOST_PARAMS];
    values_of(o, r, values);
    const double root = sqrt(r->time / steps);
    for (uint32_t i = 0; i < steps; i++) {
        dw32[i] = (float)root * numbers.z[i];
        dw64[i] = root * numbers.z[i];
        other64[i] = numbers.other[i];
    }
    if (wide)
        options[o].text[1]->sample(values, level, steps, r->time, dw64, other64, other64, out);
    else
        options[o].text[0]->sample(values, level, steps, r->time, dw32, numbers.other, numbers.other, out);
}

static void reference_pays(enum mlmc_option o, const struct mlmc_reference *r, int wide, int level,
                           uint32_t steps, double out[2])
{
    static double z64[MOST_STEPS], other64[MOST_STEPS];
    struct mlmc_reference own = *r;
    own.option = o;
    for (uint32_t i = 0; i < steps; i++) {
        z64[i] = numbers.z[i];
        other64[i] = numbers.other[i];
    }
    if (wide)
        mlmc_reference_f64(&own, steps, level > 0, z64, other64, 1, out);
    else
        mlmc_reference_f32(&own, steps, level > 0, numbers.z, numbers.other, 1, out);
}

/* ---- The texts ----------------------------------------------------------------------------------- */

TEST(builtins, HOST)
{
    for (int o = 0; o < MLMC_OPTIONS; o++) {
        struct bly_payoff read;
        const bailey_payoff payoff = {.code = bly_mlmc_builtin_code(options[o].name),
                                      .name = options[o].name};
        assert_non_null(payoff.code);
        for (bailey_precision p = BAILEY_PRECISION_F32; p <= BAILEY_PRECISION_F64; p++) {
            if (bly_levels_read(&payoff, p, 1, &read) != BAILEY_OK) fail_msg("%s", bailey_error_message());
            const struct mlmc_text *text = options[o].text[p == BAILEY_PRECISION_F64];
            assert_int_equal(read.param_count, text->params);
            assert_int_equal(read.normals, text->normals);
            assert_int_equal(read.uniforms, text->uniforms);
            for (uint32_t i = 0; i < read.param_count; i++)
                assert_string_equal(read.params[i].name, options[o].params[i]);
            /* Of devices that do not round roots, the European is for all. */
            assert_int_equal(read.has_root, o != MLMC_EUROPEAN);
            bly_payoff_free(&read);
        }
    }
    const char *name, *before = ""; /* in the order of their names */
    size_t count = 0;
    for (; (name = bailey_mlmc_name(count)); count++, before = name) assert_true(strcmp(before, name) < 0);
    assert_true(count >= MLMC_OPTIONS);
}

static double distance(const double a[2], const double b[2])
{
    return fmax(fabs(a[0] - b[0]), fabs(a[1] - b[1]));
}

/* The largest differences over samples of all levels: text and reference in double, in float, and the text in
 * float and double. */
static void compare(enum mlmc_option o, const struct mlmc_reference *r, double worst[3])
{
    for (int k = 0; k < 3; k++) worst[k] = 0;
    for (int level = 0; level <= 6; level++)
        for (uint64_t i = 0; i < 500; i++) {
            double pays[4][2];
            const uint32_t steps = 1u << level;
            draw(o, (uint64_t)level, i, steps);
            for (int wide = 0; wide < 2; wide++) {
                text_pays(o, r, wide, level, steps, pays[wide]);
                reference_pays(o, r, wide, level, steps, pays[2 + wide]);
            }
            worst[0] = fmax(worst[0], distance(pays[1], pays[3]));
            worst[1] = fmax(worst[1], distance(pays[0], pays[2]));
            worst[2] = fmax(worst[2], distance(pays[0], pays[1]));
        }
}

TEST(formulas, HOST)
{
    for (int o = 0; o < MLMC_OPTIONS; o++)
        for (int k = 0; k < 2; k++) {
            double worst[3];
            compare((enum mlmc_option)o, k ? &other : &paper, worst);
            say("# %s: double %.1e, float %.1e, float against double %.1e\n", options[o].name, worst[0],
                worst[1], worst[2]);
            assert_true(worst[0] > 0 && worst[0] < 1e-10);
            assert_true(worst[1] > 0 && worst[1] < 5e-3);
            assert_true(worst[2] > 0 && worst[2] < 5e-3);
        }
}

/* The reference's sums are those of its samples. */
TEST(reference_sums, HOST)
{
    enum { STEPS = 4, STRIDE = 5, COUNT = 3 };
    double z[STEPS][STRIDE], u[STEPS][STRIDE], sums[6], expected[6] = {0};
    struct mlmc_reference r = other;
    r.option = MLMC_LOOKBACK;
    for (int i = 0; i < COUNT; i++) {
        double pays[2];
        draw(MLMC_LOOKBACK, 9, (uint64_t)i, STEPS);
        for (int k = 0; k < STEPS; k++) z[k][i] = numbers.z[k], u[k][i] = numbers.other[k];
        reference_pays(MLMC_LOOKBACK, &other, 1, 2, STEPS, pays);
        const double y = pays[0] - pays[1];
        for (int k = 0; k < 4; k++) expected[k] += pow(y, k + 1);
        for (int k = 0; k < 2; k++) expected[4 + k] += pow(pays[0], k + 1);
    }
    mlmc_reference_sums_f64(&r, STEPS, 1, z[0], u[0], STRIDE, COUNT, sums);
    for (int k = 0; k < 6; k++) assert_true(fabs(sums[k] - expected[k]) <= 1e-12 * fabs(expected[k]));
}

/* ---- What coarse paths pay ------------------------------------------------------------------------ */

/* Level 1 pays to out[1] by its numbers: increments (w + d) / 2 and (w - d) / 2, and two others. */
static double coarse_pays(enum mlmc_option o, double w, double d, double first, double second)
{
    const double dw[2] = {(w + d) / 2, (w - d) / 2}, others[2] = {first, second};
    double values[MOST_PARAMS], out[2];
    values_of(o, &paper, values);
    options[o].text[1]->sample(values, 1, 2, paper.time, dw, others, others, out);
    return out[1];
}

static double fine_pays(enum mlmc_option o, double w, double further)
{
    double values[MOST_PARAMS], out[2];
    values_of(o, &paper, values);
    options[o].text[1]->sample(values, 0, 1, paper.time, &w, &further, &further, out);
    return out[0];
}

/* Given what the whole increment w is, d is independent of it: normal, of variance T. The mean over it, by
 * the trapezoidal rule. */
static double mean_over_d(enum mlmc_option o, double w, double first, double second, int points)
{
    double sum = 0, weights = 0;
    for (int i = 0; i <= points; i++) {
        const double x = 16 * (double)i / points - 8, weight = exp(-x * x / 2);
        sum += weight * coarse_pays(o, w, sqrt(paper.time) * x, first, second);
        weights += weight;
    }
    return sum / weights;
}

static const double increments[] = {-2.1, -0.6, 0, 0.3, 1.4};

/* The integral of the coarse path is a linear function of the normals: of what they add up to. */
TEST(coarse_asian, HOST)
{
    const double h = paper.time / 2, part = sqrt(h * h * h / 12), whole = sqrt(h * h * h * 8 / 12);
    for (size_t i = 0; i < sizeof increments / sizeof *increments; i++) {
        const double w = increments[i], d = 0.7, z[2] = {-1.2, 0.4};
        const double further = (part * (z[0] + z[1]) + h * d / 2) / whole;
        assert_true(fabs(coarse_pays(MLMC_ASIAN, w, d, z[0], z[1]) - fine_pays(MLMC_ASIAN, w, further)) <
                    1e-12);
    }
    /* and that sum is a standard normal */
    assert_true(fabs((2 * part * part + h * h * 2 * h / 4) / (whole * whole) - 1) < 1e-12);
}

TEST(coarse_european, HOST)
{
    for (size_t i = 0; i < sizeof increments / sizeof *increments; i++)
        assert_true(fabs(coarse_pays(MLMC_EUROPEAN, increments[i], -0.3, 0, 0) -
                         fine_pays(MLMC_EUROPEAN, increments[i], 0)) < 1e-12);
}

/* The two factors of a coarse step have the mean of the one factor. */
TEST(coarse_barrier, HOST)
{
    for (size_t i = 0; i < sizeof increments / sizeof *increments; i++)
        assert_true(fabs(mean_over_d(MLMC_BARRIER, increments[i], 0, 0, 20000) -
                         fine_pays(MLMC_BARRIER, increments[i], 0)) < 1e-5);
}

/* The first half of the last step has the mean of the whole one, over all w, half of which it is. */
TEST(coarse_digital, HOST)
{
    double sum = 0, weights = 0;
    for (int i = 0; i <= 400; i++) {
        const double x = i / 25.0 - 8, dw = sqrt(paper.time / 2) * x, weight = exp(-x * x / 2);
        sum += weight * coarse_pays(MLMC_DIGITAL, dw, dw, 0, 0);
        weights += weight;
    }
    assert_true(fabs(sum / weights - fine_pays(MLMC_DIGITAL, 0, 0)) < 1e-9);
}

/* The least of both halves has the mean of the whole step's. */
TEST(coarse_lookback, HOST)
{
    enum { POINTS = 64 };
    double at[POINTS], weight[POINTS]; /* of uniforms, denser at both ends, where the minimum is steep */
    for (int i = 0; i < POINTS; i++) {
        const double x = (i + 0.5) / POINTS;
        at[i] = x * x * (3 - 2 * x);
        weight[i] = 6 * x * (1 - x) / POINTS;
    }
    for (size_t i = 0; i < sizeof increments / sizeof *increments; i++) {
        double coarse = 0, fine = 0;
        for (int u = 0; u < POINTS; u++)
            for (int v = 0; v < POINTS; v++)
                coarse +=
                    weight[u] * weight[v] * mean_over_d(MLMC_LOOKBACK, increments[i], at[u], at[v], 100);
        for (int u = 0; u < POINTS; u++) fine += weight[u] * fine_pays(MLMC_LOOKBACK, increments[i], at[u]);
        say("# lookback: %.2e\n", coarse - fine);
        assert_true(fabs(coarse - fine) < 0.01);
    }
}

/* ---- Convergence ---------------------------------------------------------------------------------- */

struct moments {
    double mean, variance, fine_mean, fine_variance, samples;
};

static struct moments measure(enum mlmc_option o, int wide, int level, uint64_t samples)
{
    double sum[4] = {0};
    const double count = (double)samples;
    for (uint64_t i = 0; i < samples; i++) {
        double pays[2];
        draw(o, 100 + (uint64_t)level, i, 1u << level);
        text_pays(o, &paper, wide, level, 1u << level, pays);
        const double y = pays[0] - pays[1], terms[4] = {y, y * y, pays[0], pays[0] * pays[0]};
        for (int k = 0; k < 4; k++) sum[k] += terms[k] / count;
    }
    return (struct moments){sum[0], sum[1] - sum[0] * sum[0], sum[2], fmax(sum[3] - sum[2] * sum[2], 0),
                            count};
}

/* As bailey_mlmc_test_level.check. */
static double check_of(const struct moments *at)
{
    const double apart = fabs(at[0].mean + at[-1].fine_mean - at[0].fine_mean);
    double error = 0;
    for (int k = -1; k <= 0; k++) error += sqrt(at[k].fine_variance / at[k].samples);
    return apart / (3 * (sqrt(at[0].variance / at[0].samples) + error));
}

/* The slope of a line through -log2 of the means or variances of levels 2 .. */
static double slope_of(const struct moments *at, int variances)
{
    double n = 0, x = 0, xx = 0, y = 0, xy = 0;
    for (int level = 2; level < LEVELS; level++) {
        const double value = -log2(variances ? at[level].variance : fabs(at[level].mean));
        n += 1, x += level, xx += level * level, y += value, xy += level * value;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

static int is_in(double x, const double range[2]) { return x >= range[0] && x <= range[1]; }

static void converges(enum mlmc_option o, int wide)
{
    struct moments at[LEVELS];
    double value = 0, variance = 0, worst = 0;
    for (int level = 0; level < LEVELS; level++) {
        at[level] = measure(o, wide, level, UINT64_C(1) << (level ? 17 - level : 20));
        value += at[level].mean;
        variance += at[level].variance / at[level].samples;
        if (level) worst = fmax(worst, check_of(&at[level]));
    }
    const double alpha = slope_of(at, 0), beta = slope_of(at, 1);
    const double error = fabs(value - options[o].exact), bias = fabs(at[LEVELS - 1].mean);
    say("# %s %s: %.4f +- %.4f (%.4f), bias %.4f, check %.2f, alpha %.2f, beta %.2f\n", options[o].name,
        wide ? "f64" : "f32", value, sqrt(variance), options[o].exact, bias, worst, alpha, beta);
    assert_true(worst < 1);
    assert_true(error < 3 * sqrt(variance) + 3 * bias);
    assert_true(is_in(alpha, options[o].alpha) && is_in(beta, options[o].beta));
}

TEST(convergence, HOST | LONG)
{
    for (int o = 0; o < MLMC_OPTIONS; o++)
        for (int wide = 0; wide < 2; wide++) converges((enum mlmc_option)o, wide);
}

/* What float adds to differences of payoffs: its mean, and its variance as a part of theirs. */
static void noise_of(enum mlmc_option o, int level, uint64_t samples, double *mean, double *part)
{
    double sum[4] = {0};
    for (uint64_t i = 0; i < samples; i++) {
        double narrow[2], wide[2];
        draw(o, 200 + (uint64_t)level, i, 1u << level);
        text_pays(o, &paper, 0, level, 1u << level, narrow);
        text_pays(o, &paper, 1, level, 1u << level, wide);
        const double y = wide[0] - wide[1], noise = narrow[0] - narrow[1] - y;
        const double terms[4] = {y, y * y, noise, noise * noise};
        for (int k = 0; k < 4; k++) sum[k] += terms[k] / (double)samples;
    }
    *mean = sum[2];
    *part = (sum[3] - sum[2] * sum[2]) / (sum[1] - sum[0] * sum[0]);
}

/* On level 10, where runs end unless they are told otherwise, float adds next to nothing. */
TEST(float_levels, HOST)
{
    for (int o = 0; o < MLMC_OPTIONS; o++) {
        double mean, part;
        noise_of((enum mlmc_option)o, 10, 1000, &mean, &part);
        say("# %s, level 10: float adds %.1e, and %.2f %% of the variance\n", options[o].name, mean,
            100 * part);
        assert_true(fabs(mean) < 1e-4);
        assert_true(part > 0 && part < 0.05);
    }
}
