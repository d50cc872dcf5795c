/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Samples of levels with approximate normals and of their corrections: sums against a plain loop over the
 * library's own words, to the bit; and whole runs, whose values are those of exact normals.
 */
#include <host/mlmc/mlmc_internal.h>

#include <bailey/device/approximate.h>
#include <bailey/device/icdf_table.h>
#include <bailey/device/philox.h>

#include "rounded_halves.h"
#include "harness.h"

#include <math.h>
#include <unistd.h>

#define LEVELS 5u
#define SEED 5u
#define STREAM 900u
#define VALUE 0x1.4e6bab0dbabe8p+3 /* of the European call to 0.002, on all devices */
#define STREAMS 32u                /* from a level to its corrections */

/* For a model that is none, in which every number counts; of DIMS and NORMALS numbers odd and even. In half
 * precision `before` and what `low` points to are stored in single precision. */
static const char odd_text[] =
    "#define NORMALS 1\n"
    "#define UNIFORMS 1\n"
    "typedef struct { real spot; } params;\n"
    "typedef struct { real fine, coarse, low; } state;\n"
    "real move(real x, real t, real h, real a, real b, real z, real u) {\n"
    "    return x * (a + b * h) + (t + h) * z * u;\n"
    "}\n"
    "void lower(real low[], real x) { low[0] = fmin(low[0], x); }\n"
    "void start(state *s, const params *p, int level) {\n"
    "    s->fine = p->spot;\n"
    "    s->coarse = p->spot;\n"
    "    s->low = p->spot;\n"
    "}\n"
    "void step(state *s, const params *p, real t, real h, const noise *n) {\n"
    "    const real before = s->fine;\n"
    "    s->fine = before + move(before, t, h, n->dw[0], n->dw[DIMS - 1], n->z[0], n->u[0]);\n"
    "    lower(&s->low, s->fine);\n"
    "}\n"
    "void pair(state *s, const params *p, real t, real h, const noise *n,\n"
    "          const noise *m) {\n"
    "    step(s, p, t, h, n);\n"
    "    step(s, p, t + h, h, m);\n"
    "    s->coarse += move(s->coarse, t, 2 * h, n->dw[0] + m->dw[0],\n"
    "                      n->dw[DIMS - 1] + m->dw[DIMS - 1], n->z[0] + m->z[0],\n"
    "                      n->u[0]);\n"
    "}\n"
    "void finish(const state *s, const params *p, real t, real out[2]) {\n"
    "    out[0] = s->fine + s->low;\n"
    "    out[1] = s->coarse;\n"
    "}\n";

static const double spot = 1.2501, covariance[] = {0.04, 0.01, 0.01, 0.09};

struct kind {
    bailey_mlmc_approximation approximate;
    uint32_t dims, first_steps;
    int correlated;
};

static bailey_mlmc *levels_of(const struct kind *k)
{
    const bailey_mlmc_params params = {.estimator = {.code = odd_text},
                                       .dims = k->dims,
                                       .covariance = k->correlated ? covariance : NULL,
                                       .first_steps = k->first_steps};
    bailey_mlmc *made = NULL;
    OK(bailey_mlmc_create(context, &params, &made));
    OK(bailey_mlmc_set(made, "spot", &spot, 1));
    return made;
}

static bailey_mlmc_run_params run_of(const struct kind *k, int correction)
{
    return (bailey_mlmc_run_params){.source = {.seed = SEED, .stream = STREAM + (correction ? STREAMS : 0)},
                                    .approximate = k->approximate};
}

/* ---- A plain loop -------------------------------------------------------------------------------- */

/* The word of (row, sample) of a level, as the library fills memory with them. */
static uint32_t word_of(int correction, uint32_t level, uint64_t row, uint64_t sample)
{
    const uint64_t element = (row << 38) + sample;
    return bailey_philox_words4(SEED, STREAM + level + (correction ? STREAMS : 0), element / 4)
        .word[element % 4];
}

/* Numbers of a sample whose words begin at row `base`. */
struct numbers {
    uint64_t base, count;
};

static int in_half(const struct kind *k) { return k->approximate >= BAILEY_MLMC_APPROXIMATION_HALF; }

static int normals_of(const struct kind *k)
{
    const int dyadic = k->approximate == BAILEY_MLMC_APPROXIMATION_DYADIC ||
                       k->approximate == BAILEY_MLMC_APPROXIMATION_HALF_DYADIC;
    return dyadic ? BAILEY_APPROXIMATE_DYADIC : BAILEY_APPROXIMATE_CONSTANT;
}

/* Number `number` of those: exact of a word, approximate of its first half; or of half a word, whose other
 * half is the next number, or the next sample's where there is no other number. */
static float normal_of(const struct kind *k, int correction, int exact, uint32_t level, struct numbers of,
                       uint64_t number, uint64_t sample)
{
    const float *table = bailey_approximate_table_data(NULL);
    const uint64_t half = of.count == 1 ? sample : number;
    if (!correction) {
        const uint64_t path = of.count == 1 ? sample / 2 : sample;
        const uint32_t word = word_of(0, level, of.base + number / 2, path);
        return bailey_normal_approximate_f32(normals_of(k), table, half % 2 ? word << 16 : word);
    }
    const uint32_t word = word_of(1, level, of.base + number, sample);
    if (exact) return bailey_normal_icdf_f32(TABLE_F32, word);
    return bailey_normal_approximate_f32(normals_of(k), table, word);
}

struct step {
    float dw[2], z, u;
};

static struct step step_of(const struct kind *k, int correction, int exact, uint32_t level, uint64_t i,
                           uint64_t sample)
{
    const uint64_t steps = (uint64_t)k->first_steps << level;
    const float root = (float)sqrt(1.0 / (double)steps);
    const float c10 = (float)(0.01 / 0.2), c11 = (float)sqrt(0.09 - (0.01 / 0.2) * (0.01 / 0.2));
    const struct numbers motion = {0, steps * k->dims}, normals = {steps * k->dims, steps};
    float z[2];
    struct step s;
    for (uint32_t d = 0; d < k->dims; d++)
        z[d] = normal_of(k, correction, exact, level, motion, i * k->dims + d, sample);
    if (k->correlated) z[1] = fmaf(c11, z[1], c10 * z[0]), z[0] = 0.2f * z[0];
    s.dw[0] = root * z[0];
    s.dw[1] = root * z[k->dims - 1];
    s.z = normal_of(k, correction, exact, level, normals, i, sample);
    s.u =
        fmaf((float)(word_of(correction, level, steps * (k->dims + 1) + i, sample) >> 9), 0x1p-23f, 0x1p-24f);
    return s;
}

/* Uniform numbers stay below 1. */
static struct step rounded(rounding to, struct step s)
{
    const struct step r = {{to(s.dw[0]), to(s.dw[1])}, to(s.z), fminf(to(s.u), to(1 - 0x1p-11f))};
    return to == unrounded ? s : r;
}

static float move(rounding to, float x, float t, float h, float a, float b, float z, float u)
{
    return to(to(x * to(a + to(b * h))) + to(to(to(t + h) * z) * u));
}

static double difference(const struct kind *k, int correction, int exact, uint32_t level, uint64_t sample)
{
    const rounding to = in_half(k) && !exact ? half_of : unrounded;
    const uint64_t steps = (uint64_t)k->first_steps << level;
    const float time = (float)(1.0 / (double)steps), h = to(time);
    float fine = to((float)spot), coarse = fine, low = fine;
    for (uint64_t i = 0; i < steps; i++) {
        const struct step n = rounded(to, step_of(k, correction, exact, level, i, sample));
        const float t = to((float)i * time);
        fine += move(to, to(fine), t, h, n.dw[0], n.dw[1], n.z, n.u);
        low = fminf(low, to(fine));
        if (level == 0) continue;
        const struct step m = rounded(to, step_of(k, correction, exact, level, ++i, sample));
        fine += move(to, to(fine), to(t + h), h, m.dw[0], m.dw[1], m.z, m.u);
        low = fminf(low, to(fine));
        coarse += move(to, to(coarse), t, to(2 * h), to(n.dw[0] + m.dw[0]), to(n.dw[1] + m.dw[1]),
                       to(n.z + m.z), n.u);
    }
    fine += low;
    return level ? (double)fine - (double)coarse : (double)fine;
}

static double tree(const double *term, uint64_t count, uint64_t width)
{
    if (width == 1) return term[0];
    if (count <= width / 2) return tree(term, count, width / 2);
    return tree(term, width / 2, width / 2) + tree(term + width / 2, count - width / 2, width / 2);
}

static void plain_sums(const struct kind *k, int correction, uint32_t level, uint64_t samples, double sums[2])
{
    double *y = allocate(2 * samples * sizeof *y);
    uint64_t width = 1;
    while (width < samples) width *= 2;
    for (uint64_t s = 0; s < samples; s++) {
        y[s] = difference(k, correction, 0, level, s);
        if (correction) y[s] = difference(k, correction, 1, level, s) - y[s];
        y[samples + s] = y[s] * y[s];
    }
    for (int r = 0; r < 2; r++) sums[r] = tree(y + (uint64_t)r * samples, samples, width);
    free(y);
}

/* ---- Sums ---------------------------------------------------------------------------------------- */

/* The finest level first. */
static void add_samples(struct bly_sampler sampler, uint32_t kind, const uint64_t first[LEVELS],
                        const uint64_t end[LEVELS])
{
    struct bly_sample_range range[LEVELS];
    for (uint32_t i = 0; i < LEVELS; i++) {
        const uint32_t l = LEVELS - 1 - i;
        range[i] = (struct bly_sample_range){
            .term = bly_term_of(l, kind), .first = first[l], .count = end[l] - first[l]};
    }
    OK(sampler.queue(sampler.user, range, LEVELS));
    OK(sampler.take(sampler.user));
}

static void compare(const struct kind *k, int correction)
{
    static const uint64_t none[LEVELS] = {0}, some[LEVELS] = {96, 32, 32, 32, 32},
                          samples[LEVELS] = {4096 + 96, 2048 + 32, 640, 96, 64};
    struct bly_term_sums sums;
    struct bly_batched *batched = NULL;
    const bailey_mlmc_run_params run = run_of(k, correction);
    bailey_mlmc *m = levels_of(k);
    OK(bly_term_sums_create(BLY_LEVEL_RUN_ROWS, BLY_TERM_KINDS, &sums));
    OK(bly_batched_create_approximate(m, &run, correction, &sums, &batched));
    const struct bly_sampler sampler = bly_batched_sampler(batched);
    add_samples(sampler, (uint32_t)correction, none, some);
    add_samples(sampler, (uint32_t)correction, some, samples);
    for (uint32_t l = 0; l < LEVELS; l++) {
        char what[64];
        double rows[BLY_LEVEL_ROWS], expected[2];
        snprintf(what, sizeof what, "kind %d, dims %u, correction %d, level %u", (int)k->approximate, k->dims,
                 correction, l);
        bly_term_sums_read(&sums, bly_term_of(l, (uint32_t)correction), rows);
        plain_sums(k, correction, l, samples[l], expected);
        same_bits(what, rows, expected, 2, sizeof *rows);
    }
    bly_batched_destroy(batched);
    bly_term_sums_free(&sums);
    bailey_mlmc_destroy(m);
}

static int samples_levels(void)
{
    const struct kind k = {.approximate = BAILEY_MLMC_APPROXIMATION_DYADIC, .dims = 1, .first_steps = 1};
    const uint64_t none[2] = {32, 32};
    const bailey_mlmc_run_params run = run_of(&k, 0);
    bailey_mlmc_result r;
    bailey_mlmc *m = levels_of(&k);
    const bailey_status status = bailey_mlmc_run_samples(m, &run, none, 1, &r);
    bailey_mlmc_destroy(m);
    if (status == BAILEY_ERROR_UNSUPPORTED) {
        print_message("# %s\n", bailey_error_message());
        return 0;
    }
    OK(status);
    return 1;
}

TEST(sums, DEVICE | LONG)
{
    static const struct kind kinds[] = {{BAILEY_MLMC_APPROXIMATION_HALF_DYADIC, 2, 1, 1},
                                        {BAILEY_MLMC_APPROXIMATION_CONSTANT, 1, 4, 0},
                                        {BAILEY_MLMC_APPROXIMATION_DYADIC, 1, 1, 0},
                                        {BAILEY_MLMC_APPROXIMATION_HALF, 2, 2, 0}};
    if (!samples_levels()) skip();
    for (size_t i = 0; i < (few_programs() ? 1 : sizeof kinds / sizeof *kinds); i++)
        for (int correction = 0; correction < 2; correction++) compare(&kinds[i], correction);
}

/* ---- Runs ---------------------------------------------------------------------------------------- */

static bailey_mlmc *builtin(const char *name)
{
    static const struct {
        const char *name;
        double value;
    } parameters[] = {{"spot", 100},   {"strike", 100}, {"rate", 0.05}, {"volatility", 0.2},
                      {"barrier", 85}, {"side", -1},    {"cash", 100}};
    const bailey_mlmc_params params = {.estimator = {.name = name}};
    bailey_mlmc *m = NULL;
    OK(bailey_mlmc_create(context, &params, &m));
    for (size_t k = 0; bailey_mlmc_parameter(m, k, NULL); k++)
        for (size_t j = 0; j < sizeof parameters / sizeof *parameters; j++)
            if (strcmp(bailey_mlmc_parameter(m, k, NULL), parameters[j].name) == 0)
                OK(bailey_mlmc_set(m, parameters[j].name, &parameters[j].value, 1));
    return m;
}

/* Exact values: see test_mlmc.c. */
static const struct known {
    const char *name;
    double value;
} known[] = {{"european", 10.4505835722},
             {"asian", 5.76309},
             {"lookback", 17.2168022374},
             {"digital", 53.2324815454},
             {"barrier", 9.9492703086}};

/* The root-mean-square error over seeds is what was asked for. */
static void check_errors(const struct known *about, bailey_mlmc *m, bailey_mlmc_approximation kind)
{
    const int seeds = 100;
    const double eps = 0.05;
    double squares = 0;
    for (int seed = 1; seed <= seeds; seed++) {
        const bailey_mlmc_run_params run = {.eps = eps,
                                            .approximate = kind,
                                            .approximate_cost = 0.3,
                                            .max_level = 14,
                                            .source = {.seed = (uint64_t)seed}};
        bailey_mlmc_result r;
        OK(bailey_mlmc_run(m, &run, &r));
        assert_true(r.converged);
        squares += (r.mean - about->value) * (r.mean - about->value) / seeds;
    }
    const double error = sqrt(squares) / eps;
    print_message("# %s, kind %d: root-mean-square error %.3f eps\n", about->name, (int)kind, error);
    if (!(error >= 0.5 && error <= 1.1))
        fail_msg("%s, kind %d: root-mean-square error %.3f eps", about->name, (int)kind, error);
}

TEST(errors, DEVICE | LONG | REPEATED_ON_OPENCL)
{
    const int few = few_programs();
    if (!samples_levels()) skip();
    for (size_t i = 0; i < (few ? 1 : sizeof known / sizeof *known); i++) {
        bailey_mlmc *m = builtin(known[i].name);
        check_errors(&known[i], m, BAILEY_MLMC_APPROXIMATION_CONSTANT);
        if (!few) check_errors(&known[i], m, BAILEY_MLMC_APPROXIMATION_DYADIC);
        bailey_mlmc_destroy(m);
    }
}

/* Corrections are few, and vary little. */
static void check_run(const struct known *about, double eps, bailey_mlmc_approximation kind)
{
    const bailey_mlmc_run_params run = {.eps = eps, .approximate = kind, .source = {.seed = 42}};
    bailey_mlmc_result r;
    bailey_mlmc *m = builtin(about->name);
    OK(bailey_mlmc_run(m, &run, &r));
    print_message("# %s, kind %d: %.5f +- %.5f, %u levels, %u rounds\n", about->name, (int)kind, r.mean,
                  r.standard_error, r.levels, r.rounds);
    assert_true(r.converged);
    assert_true(fabs(r.mean - about->value) < 3 * eps);
    assert_true(r.correction[0].variance < 1e-2 * r.level[0].variance);
    assert_true(r.correction[0].samples < r.level[0].samples / 4);
    bailey_mlmc_destroy(m);
}

TEST(runs, DEVICE | LONG)
{
    static const double eps[] = {0.02, 0.01, 0.02}; /* of the first three, which have many paths on level 0 */
    const int few = few_programs();
    if (!samples_levels()) skip();
    for (size_t i = 0; i < (few ? 1 : sizeof eps / sizeof *eps); i++) {
        check_run(&known[i], eps[i], BAILEY_MLMC_APPROXIMATION_CONSTANT);
        if (!few) check_run(&known[i], eps[i], BAILEY_MLMC_APPROXIMATION_DYADIC);
    }
}

static void same_means(const bailey_mlmc_result *a, const bailey_mlmc_result *b)
{
    same_bits("value", &a->mean, &b->mean, 1, sizeof a->mean);
    assert_int_equal(a->levels, b->levels);
    for (uint32_t l = 0; l < a->levels; l++)
        for (int k = 0; k < 2; k++) {
            const bailey_mlmc_level *of = k ? &a->correction[l] : &a->level[l],
                                    *to = k ? &b->correction[l] : &b->level[l];
            assert_int_equal(of->samples, to->samples);
            same_bits("mean", &of->mean, &to->mean, 1, sizeof of->mean);
            same_bits("variance", &of->variance, &to->variance, 1, sizeof of->variance);
        }
}

static int stop(void *user, uint64_t done, uint64_t total)
{
    (void)done, (void)total;
    return --*(int *)user == 0;
}

/* For many lists: the same bits from the same samples in other lists, and from a run that is interrupted. The
 * value is that of every device. */
TEST(cuts, DEVICE | LONG)
{
    char path[] = "/tmp/bailey-approximate-XXXXXX";
    bailey_mlmc_run_params run = {
        .eps = 0.002, .approximate = BAILEY_MLMC_APPROXIMATION_CONSTANT, .source = {.seed = 42}};
    uint64_t samples[2 * BAILEY_MLMC_MAX_LEVELS];
    bailey_mlmc_result whole, r;
    if (!samples_levels()) skip();
    bailey_mlmc *m = builtin("european");
    OK(bailey_mlmc_run(m, &run, &whole));
    print_message("# %a in %u rounds\n", whole.mean, whole.rounds);
    assert_true(whole.rounds > 8 && whole.converged);
    assert_true(whole.mean == VALUE);
    for (uint32_t l = 0; l < whole.levels; l++) {
        samples[l] = whole.level[l].samples;
        samples[whole.levels + l] = whole.correction[l].samples;
    }
    OK(bailey_mlmc_run_samples(m, &run, samples, whole.levels, &r));
    same_means(&whole, &r);
    const int file = mkstemp(path);
    assert_true(file >= 0 && close(file) == 0 && unlink(path) == 0);
    int left = 4;
    run.checkpoint = path;
    run.progress = stop;
    run.progress_user = &left;
    assert_int_equal(bailey_mlmc_run(m, &run, &r), BAILEY_ERROR_CANCELLED);
    OK(bailey_mlmc_run(m, &run, &r));
    assert_true(r.rounds == whole.rounds && -left < (int)whole.rounds - 2);
    same_means(&whole, &r);
    run.approximate_cost = 0.5;
    assert_int_equal(bailey_mlmc_run(m, &run, &r), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "checkpoint");
    unlink(path);
    bailey_mlmc_destroy(m);
}

/* ---- A kind for each level ----------------------------------------------------------------------- */

#define AUTO_VALUE 0x1.4e77751efcd98p+3 /* of the European call to 0.002, on all devices */

/* Levels of which short runs choose kinds. */
static bailey_mlmc *choosing(const char *name)
{
    bailey_mlmc *m = builtin(name);
    m->choosing.least_gain = 0;
    m->choosing.step_gain = 2e5;
    m->choosing.most_tried = m->choosing.most_dropped = 1;
    for (uint32_t i = 0; i < BLY_COST_CLASSES; i++)
        for (uint32_t l = 0; l < BAILEY_MLMC_MAX_LEVELS; l++) {
            m->choosing.cost[i][BAILEY_MLMC_APPROXIMATION_CONSTANT][l] = 0.5;
            m->choosing.cost[i][BAILEY_MLMC_APPROXIMATION_DYADIC][l] = 0.9;
        }
    return m;
}

/* Both kinds of levels; a run that is interrupted has the same choice and bits; one that does not choose has
 * those of exact normals. */
TEST(automatic, DEVICE | LONG)
{
    char path[] = "/tmp/bailey-automatic-XXXXXX";
    bailey_mlmc_run_params run = {
        .eps = 0.002, .approximate = BAILEY_MLMC_APPROXIMATION_AUTO, .source = {.seed = 42}};
    bailey_mlmc_result whole, r;
    uint32_t constant = 0;
    if (!samples_levels()) skip();
    bailey_mlmc *m = choosing("european");
    assert_true(m->payoff.step_operations == 8 && m->payoff.pair_operations == 13.5); /* counted by hand */
    OK(bailey_mlmc_run(m, &run, &whole));
    print_message("# %a in %u rounds\n", whole.mean, whole.rounds);
    for (uint32_t l = 0; l < whole.levels; l++) {
        const bailey_mlmc_choice *c = &whole.choice[l];
        print_message("# level %u: %d, %.3f %.3f %.3f %.3f\n", l, (int)c->approximate, c->constant, c->dyadic,
                      c->half, c->half_dyadic);
        constant += c->approximate == BAILEY_MLMC_APPROXIMATION_CONSTANT;
        assert_int_equal(c->approximate != BAILEY_MLMC_APPROXIMATION_EXACT, whole.correction[l].samples > 0);
        assert_true(c->half == 0 || c->half > 1); /* it is emulated, and not tried */
    }
    assert_true(constant > 0 && constant < whole.levels && whole.choice[0].approximate);
    assert_true(whole.converged && fabs(whole.mean - known[0].value) < 3 * run.eps);
    assert_true(whole.mean == AUTO_VALUE);
    const int file = mkstemp(path);
    assert_true(file >= 0 && close(file) == 0 && unlink(path) == 0);
    int left = 4;
    run.checkpoint = path;
    run.checkpoint_seconds = 1e-9;
    run.progress = stop;
    run.progress_user = &left;
    assert_int_equal(bailey_mlmc_run(m, &run, &r), BAILEY_ERROR_CANCELLED);
    OK(bailey_mlmc_run(m, &run, &r));
    same_means(&whole, &r);
    assert_true(r.rounds == whole.rounds && r.cost == whole.cost);
    assert_memory_equal(r.choice, whole.choice, sizeof r.choice);
    unlink(path);
    bailey_mlmc_destroy(m);
    m = builtin("european");
    run.eps = 0.05;
    run.checkpoint = NULL;
    run.progress = NULL;
    OK(bailey_mlmc_run(m, &run, &r));
    run.approximate = BAILEY_MLMC_APPROXIMATION_EXACT;
    OK(bailey_mlmc_run(m, &run, &whole));
    same_means(&whole, &r);
    assert_true(r.choices == r.levels && whole.choices == 0 && r.rounds == whole.rounds);
    run.approximate = BAILEY_MLMC_APPROXIMATION_AUTO;
    run.normal.method = BAILEY_NORMAL_METHOD_BOX_MULLER;
    assert_int_equal(bailey_mlmc_run(m, &run, &r), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "normal");
    bailey_mlmc_destroy(m);
}

/* Half precision where it would be cheapest: used, with the value of exact normals; and left out, without
 * failing, where it cannot express a parameter. */
TEST(automatic_half, ON_CPU | LONG)
{
    const bailey_mlmc_run_params run = {
        .eps = 0.01, .approximate = BAILEY_MLMC_APPROXIMATION_AUTO, .source = {.seed = 42}};
    const double no_rate = 1e-9;
    bailey_mlmc_result r;
    if (!samples_levels()) skip();
    bailey_mlmc *m = choosing("european");
    for (uint32_t i = 0; i < BLY_COST_CLASSES; i++)
        m->choosing.cost[i][BAILEY_MLMC_APPROXIMATION_HALF_DYADIC][0] = 0.1;
    OK(bailey_mlmc_run(m, &run, &r));
    assert_int_equal(r.choice[0].approximate, BAILEY_MLMC_APPROXIMATION_HALF_DYADIC);
    assert_true(r.converged && fabs(r.mean - known[0].value) < 3 * run.eps);
    OK(bailey_mlmc_set(m, "rate", &no_rate, 1));
    OK(bailey_mlmc_run(m, &run, &r));
    assert_int_equal(r.choice[0].approximate, BAILEY_MLMC_APPROXIMATION_CONSTANT);
    assert_true(r.choice[0].half_dyadic == 0 && r.converged);
    bailey_mlmc_destroy(m);
}

/* Known answers: of the European call, whose samples of level 0 share words; means and variances of the
 * differences, then of the corrections. Amounts of money are 2^`scale` times the usual ones. */
static void check_answers(bailey_mlmc_approximation kind, int scale, const double expected[6][2])
{
    static const uint64_t samples[6] = {4096 + 32, 96, 64, 96, 64, 32};
    const bailey_mlmc_run_params run = {.approximate = kind, .source = {.seed = 42}};
    const double money = ldexp(100, scale);
    bailey_mlmc_result r;
    bailey_mlmc *m = builtin("european");
    OK(bailey_mlmc_set(m, "spot", &money, 1));
    OK(bailey_mlmc_set(m, "strike", &money, 1));
    OK(bailey_mlmc_run_samples(m, &run, samples, 3, &r));
    for (uint32_t i = 0; i < 6; i++) {
        const bailey_mlmc_level *level = i < 3 ? &r.level[i] : &r.correction[i - 3];
        const double made[2] = {ldexp(level->mean, -scale), ldexp(level->variance, -2 * scale)};
        print_message("# {%a, %a}\n", made[0], made[1]);
        same_bits(i < 3 ? "differences" : "corrections", made, expected[i], 2, sizeof *made);
    }
    bailey_mlmc_destroy(m);
}

TEST(answers, DEVICE | LONG)
{
    static const double expected[6][2] = {
        {0x1.41eb9509911dcp+3, 0x1.81191d33bf1b9p+7}, {0x1.56bf07p-3, 0x1.7685b4d565767p-4},
        {0x1.431b919p-4, 0x1.ceb4ded8fbd2ep-6},       {-0x1.9a4326aaaaaabp-7, 0x1.21066c6d59905p-7},
        {-0x1.212ep-15, 0x1.3ed9ec0978p-23},          {-0x1.741p-14, 0x1.821aa6f8p-23}};
    if (!samples_levels()) skip();
    check_answers(BAILEY_MLMC_APPROXIMATION_CONSTANT, 0, expected);
}

/* The same in half precision, where prices beyond 65504 are scaled: the bits of the usual ones, but for a
 * power of two. */
TEST(half_answers, ON_CPU | LONG)
{
    static const double expected[6][2] = {
        {0x1.41d98d1e1a7b1p+3, 0x1.80e8db4d7fc55p+7}, {0x1.56e8586aaaaabp-3, 0x1.78bc4b18e24c7p-4},
        {0x1.3e2c3db8p-4, 0x1.d3e83cf012225p-6},      {-0x1.4aef42aaaaaabp-7, 0x1.1e6a74cc1957fp-7},
        {0x1.5cb1p-12, 0x1.09998b275fcp-14},          {0x1.be7bp-12, 0x1.a104a615038p-15}};
    if (!samples_levels()) skip();
    check_answers(BAILEY_MLMC_APPROXIMATION_HALF, 10, expected);
}

/* What halves cannot express, by the argument and the limit. */
static void refused(bailey_mlmc *m, uint32_t level, const char *words)
{
    const bailey_mlmc_run_params run = {.approximate = BAILEY_MLMC_APPROXIMATION_HALF};
    uint64_t samples[2 * BAILEY_MLMC_MAX_LEVELS] = {0};
    bailey_mlmc_result r;
    samples[level] = 32;
    const bailey_status status = bailey_mlmc_run_samples(m, &run, samples, BAILEY_MLMC_MAX_LEVELS, &r);
    if (status != BAILEY_ERROR_INVALID || !strstr(bailey_error_message(), words))
        fail_msg("status %d, not refused with \"%s\": %s", (int)status, words, bailey_error_message());
    assert_string_equal(bailey_error_argument(), "approximate");
    bailey_mlmc_destroy(m);
}

static bailey_mlmc *levels_with(const char *number, bailey_precision precision, double time, double value)
{
    char code[1600];
    const bailey_mlmc_params params = {
        .estimator = {.code = code}, .precision = precision, .time = time, .first_steps = 1024};
    bailey_mlmc *made = NULL;
    snprintf(code, sizeof code, "%.*s%s%s", (int)(strstr(odd_text, "p->spot") - odd_text), odd_text, number,
             strstr(odd_text, "p->spot"));
    OK(bailey_mlmc_create(context, &params, &made));
    OK(bailey_mlmc_set(made, "spot", &value, 1));
    return made;
}

TEST(half_refusals, ON_CPU)
{
    refused(levels_with("7e4 + ", BAILEY_PRECISION_F32, 1, 1), 0, "has 70000 in line 10");
    refused(levels_with("", BAILEY_PRECISION_F32, 1, 1e5), 0, "spot is 100000, beyond half precision");
    refused(levels_with("", BAILEY_PRECISION_F32, 7e4, 1), 0, "paths end at 70000");
    refused(levels_with("", BAILEY_PRECISION_F32, 1e-6, 1), 0, "steps of level 0 are 9.76562e-10 long");
    refused(levels_with("", BAILEY_PRECISION_F64, 1, 1), 0, "need single precision");
}

TEST(refusals, DEVICE | LONG)
{
    const struct kind k = {.approximate = BAILEY_MLMC_APPROXIMATION_DYADIC, .dims = 1, .first_steps = 1};
    bailey_mlmc_run_params run = run_of(&k, 0);
    bailey_mlmc_result r;
    if (!samples_levels()) skip();
    bailey_mlmc *m = levels_of(&k);
    run.eps = 0.1;
    run.normal.method = BAILEY_NORMAL_METHOD_BOX_MULLER;
    assert_int_equal(bailey_mlmc_run(m, &run, &r), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "normal");
    run = run_of(&k, 0);
    run.eps = 0.1;
    run.source.stream = UINT64_MAX - 40;
    assert_int_equal(bailey_mlmc_run(m, &run, &r), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "stream");
    run = run_of(&k, 0);
    run.eps = 0.1;
    run.approximate = (bailey_mlmc_approximation)7;
    assert_int_equal(bailey_mlmc_run(m, &run, &r), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "approximate");
    run = run_of(&k, 0);
    const uint64_t none[4] = {0, 0, 0, 0}, odd[4] = {32, 0, 0, 33}, corrections[4] = {0, 0, 64, 32};
    assert_int_equal(bailey_mlmc_run_samples(m, &run, NULL, 2, &r), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_mlmc_run_samples(m, &run, none, 2, &r), BAILEY_ERROR_INVALID);
    assert_int_equal(bailey_mlmc_run_samples(m, &run, odd, 2, &r), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "samples");
    assert_int_equal(bailey_mlmc_run_samples(m, &run, none, 22, &r), BAILEY_ERROR_INVALID);
    OK(bailey_mlmc_run_samples(m, &run, corrections, 2, &r));
    assert_int_equal(r.level[0].samples, 0);
    assert_int_equal(r.correction[0].samples, 64);
    assert_int_equal(r.correction[1].samples, 32);
    bailey_mlmc_destroy(m);
}
