/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Decisions of multilevel Monte Carlo with approximate normals (src/host/mlmc/driver.c), which has two terms
 * of each level, on samples whose law is known: the value, its error, the numbers of samples, levels that are
 * added, what is refused, and that failures are reported.
 */
#include <base/status.h>
#include <host/mlmc/driver.h>

#include "harness.h"

#include <math.h>

#define LEVELS BAILEY_MLMC_MAX_LEVELS
#define GRAIN_HEIGHT 5

/* Means and variances of a level's two kinds of samples, which are normal; Y has mean 4 on level 0 and
 * 2^(-alpha l) above, of which a part is the correction's. */
struct law {
    double alpha, beta, share; /* of the mean, that the correction has; of the variance, its square */
    uint32_t nothing;          /* this level has a mean of 0; 0: none has */
    int none;                  /* whether nothing varies */
    uint64_t seed;
    struct bly_term_sums *sums;
    uint32_t highest;                 /* of nodes: fewer normal numbers; 0: that of a grain */
    uint32_t queued, taken, fails_at; /* the round at which queue fails; 0: none */
    struct bly_round round[2];
    uint32_t together; /* rounds that were taken while there was another */
    const struct bly_choosing *choosing;
};

#define EXACT_KIND (-1) /* the difference where kinds are chosen and the level has exact normals */
static double mean_of(const struct law *law, int kind, uint32_t l)
{
    const double y = l == 0 ? 4 : l == law->nothing ? 0 : pow(2, -law->alpha * l);
    if (kind == EXACT_KIND) return y;
    return kind ? law->share * y : (1 - law->share) * y;
}

static double variance_of(const struct law *law, int kind, uint32_t l)
{
    if (law->none) return 0;
    return (kind > 0 ? law->share * law->share : 1) * (l ? 0.1 * pow(2, -law->beta * l) : 9);
}

static double normal(uint64_t *seed)
{
    const double u = next_uniform(seed), v = next_uniform(seed);
    return sqrt(-2 * log(1 - u)) * cos(6.283185307179586 * v);
}

static bailey_status queue(void *user, const struct bly_sample_range *range, uint32_t count)
{
    struct law *law = user;
    assert_true(law->queued - law->taken < 2 && count > 0 && count <= BLY_TERMS);
    if (law->queued + 1 == law->fails_at) return BAILEY_ERROR_DRIVER;
    struct bly_round *to = &law->round[law->queued++ % 2];
    memcpy(to->range, range, count * sizeof *range);
    to->count = count;
    return BAILEY_OK;
}

/* Sums of 2^height samples: of a grain those of as many normal ones, of more what is expected of them. */
static void add_node(struct law *law, struct bly_term_sums *sums, int exact, uint32_t term, uint32_t height,
                     uint64_t number)
{
    const int kind = exact ? EXACT_KIND : (int)bly_term_kind(term);
    const uint32_t l = bly_term_level(term);
    const double m = mean_of(law, kind, l), v = variance_of(law, kind, l), n = ldexp(1, (int)height);
    double rows[3] = {n * m, n * (m * m + v), m != 0 || v > 0 ? n : 0};
    if (height == GRAIN_HEIGHT) {
        rows[0] = rows[1] = 0;
        for (uint32_t k = 0; k < BLY_LEVEL_GRAIN; k++) {
            const double y = m + sqrt(v) * normal(&law->seed);
            rows[0] += y;
            rows[1] += y * y;
        }
    }
    bly_term_sums_add(sums, term, height, number, rows, 1);
}

static bailey_status take(void *user)
{
    struct law *law = user;
    law->together += law->queued - law->taken == 2;
    const struct bly_round *round = &law->round[law->taken++ % 2];
    for (uint32_t i = 0; i < round->count; i++) {
        const struct bly_sample_range *r = &round->range[i];
        const uint64_t end = r->first + r->count;
        assert_int_equal(r->first, law->sums->samples[r->term]);
        assert_int_equal(r->first % BLY_LEVEL_GRAIN, 0);
        assert_int_equal(r->count % BLY_LEVEL_GRAIN, 0);
        for (uint64_t at = r->first; at < end;) {
            uint32_t height = GRAIN_HEIGHT;
            while (height < law->highest && (at >> height & 1) == 0 && at + (UINT64_C(2) << height) <= end)
                height++;
            add_node(law, law->sums, law->choosing && !r->approximate, r->term, height, at >> height);
            at += UINT64_C(1) << height;
        }
    }
    return BAILEY_OK;
}

static bailey_status drive(struct law *law, const bailey_mlmc_run_params *p, bailey_mlmc_result *result)
{
    struct bly_term_sums sums;
    struct bly_mlmc_state state = {0};
    OK(bly_term_sums_create(BLY_LEVEL_RUN_ROWS, bly_approximate_kinds(p), &sums));
    law->sums = &sums;
    law->queued = law->taken = law->together = 0;
    const struct bly_sampler sampler = {law, queue, take, law->choosing};
    const bailey_status status = bly_mlmc_drive(p, 1, &sampler, &sums, &state, result);
    bly_term_sums_free(&sums);
    return status;
}

static double exact_value(const struct law *law, uint32_t levels)
{
    double sum = 0;
    for (uint32_t l = 0; l < levels; l++) sum += mean_of(law, 0, l) + mean_of(law, 1, l);
    return sum;
}

/* Over 50 seeds: the root-mean-square error about the levels' own sum, against its share of eps; the bias. */
TEST(errors, HOST)
{
    const bailey_mlmc_run_params p = {
        .eps = 0.02, .approximate = BAILEY_MLMC_APPROXIMATION_DYADIC, .approximate_cost = 0.25};
    double squares = 0;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct law law = {.alpha = 1, .beta = 2, .share = 0.05, .seed = seed};
        bailey_mlmc_result r;
        OK(drive(&law, &p, &r));
        assert_true(r.converged);
        assert_true(r.bias <= sqrt(0.25) * p.eps);
        const double d = r.mean - exact_value(&law, r.levels);
        squares += d * d;
        assert_true(fabs(d) < 5 * r.standard_error);
        assert_true(r.standard_error < 1.02 * sqrt(0.75) * p.eps);
        assert_true(r.standard_error > 0.9 * sqrt(0.75) * p.eps);
        assert_true(r.levels >= 6 && r.levels <= 8); /* 2^-l below half of 0.02 */
        assert_int_equal(r.rounds, law.taken);
    }
    printf("root-mean-square error %.5f\n", sqrt(squares / 50));
    assert_true(sqrt(squares / 50) < 1.2 * sqrt(0.75) * p.eps);
}

/* For a sample: of a difference, or of a correction. */
static double cost_of(int kind, uint32_t level, double c) { return ldexp(kind ? 1 + c : c, (int)level); }

/* As many samples as sqrt(V / C) says, of both kinds, and so the least cost with the samples that each has at
 * least. */
TEST(numbers, HOST)
{
    const double c = 0.3;
    struct law law = {.alpha = 1, .beta = 1.5, .share = 0.1, .seed = 99};
    const bailey_mlmc_run_params p = {.eps = 0.005,
                                      .approximate = BAILEY_MLMC_APPROXIMATION_CONSTANT,
                                      .approximate_cost = c,
                                      .initial_samples = 320,
                                      .max_level = 12};
    bailey_mlmc_result r;
    OK(drive(&law, &p, &r));
    const double allowed = 0.75 * p.eps * p.eps;
    double sum = 0, least = 0;
    for (uint32_t l = 0; l < r.levels; l++)
        for (int k = 0; k < 2; k++) sum += sqrt(variance_of(&law, k, l) * cost_of(k, l, c));
    for (uint32_t l = 0; l < r.levels; l++)
        for (int k = 0; k < 2; k++) {
            const double samples = sqrt(variance_of(&law, k, l) / cost_of(k, l, c)) * sum / allowed;
            least += fmax(samples, BLY_LEVEL_GRAIN) * cost_of(k, l, c);
        }
    printf("cost %.4f of the least\n", r.cost / least);
    assert_true(fabs(r.cost / least - 1) < 0.05);
    for (uint32_t l = 0; l < r.levels; l++)
        for (int k = 0; k < 2; k++) {
            const bailey_mlmc_level *row = k ? &r.correction[l] : &r.level[l];
            const double v = variance_of(&law, k, l), cost = cost_of(k, l, c);
            const double wanted = sqrt(v / cost) * sum / allowed;
            assert_true(row->cost == cost);
            if (wanted > 5000) assert_true(fabs((double)row->samples / wanted - 1) < 0.2);
            assert_true(row->samples >= 320 || l > 2);
            assert_true(fabs(row->variance / v - 1) < 6 * sqrt(2 / (double)row->samples));
        }
}

/* A mean that is near 0 by chance is not fast convergence: the levels beyond are examined. */
TEST(means_near_zero, HOST)
{
    for (uint32_t level = 2; level < 5; level++) {
        struct law law = {.alpha = 1, .beta = 2, .share = 0.1, .nothing = level, .seed = level};
        const bailey_mlmc_run_params p = {.eps = 0.2 * exp2(-(double)level),
                                          .approximate = BAILEY_MLMC_APPROXIMATION_DYADIC};
        bailey_mlmc_result r;
        OK(drive(&law, &p, &r));
        assert_true(r.converged && r.levels > level + 2 && r.alpha <= 2);
        assert_true(fabs(r.mean - exact_value(&law, LEVELS)) < 4 * p.eps);
    }
}

/* Samples as they are asked for. */
TEST(samples, HOST)
{
    struct law law = {.alpha = 1, .beta = 2, .share = 0.1, .seed = 3};
    struct bly_term_sums sums;
    OK(bly_term_sums_create(BLY_LEVEL_RUN_ROWS, BLY_TERM_KINDS, &sums));
    law.sums = &sums;
    const struct bly_sampler sampler = {.user = &law, .queue = queue, .take = take};
    const bailey_mlmc_run_params p = {.approximate = BAILEY_MLMC_APPROXIMATION_DYADIC};
    const uint64_t wanted[6] = {3200, 640, 0, 0, 64, 32};
    bailey_mlmc_result r;
    OK(bly_mlmc_check_samples(&p, wanted, 3));
    OK(bly_mlmc_drive_samples(&p, 1, &sampler, wanted, 3, &sums, &r));
    bly_term_sums_free(&sums);
    assert_int_equal(r.levels, 3);
    assert_int_equal(law.taken, 1);
    for (uint32_t l = 0; l < 3; l++) {
        assert_int_equal(r.level[l].samples, wanted[l]);
        assert_int_equal(r.correction[l].samples, wanted[3 + l]);
    }
}

/* While the host looks at one list, the device has another: except of the first, and of the last few, in
 * which further levels are found to be needed one by one. */
TEST(two_lists, HOST)
{
    struct law law = {.alpha = 1, .beta = 2, .share = 0.05, .seed = 5, .highest = 30};
    const bailey_mlmc_run_params p = {.eps = 0.0001,
                                      .max_level = 18,
                                      .approximate = BAILEY_MLMC_APPROXIMATION_DYADIC,
                                      .approximate_cost = 0.25};
    bailey_mlmc_result r;
    OK(drive(&law, &p, &r));
    assert_true(r.converged && r.rounds == law.queued && law.queued == law.taken);
    printf("%u lists, %u with another\n", law.taken, law.together);
    assert_true(law.taken > 20 && law.together >= law.taken - 5);
}

/* Without any spread a level's samples are known from a grain of each kind, and none are left out. */
TEST(no_variance, HOST)
{
    struct law law = {.alpha = 1, .beta = 2, .share = 0.05, .seed = 5, .none = 1};
    const bailey_mlmc_run_params p = {.eps = 0.01, .approximate = BAILEY_MLMC_APPROXIMATION_DYADIC};
    bailey_mlmc_result r;
    OK(drive(&law, &p, &r));
    assert_true(r.converged && r.levels > 6);
    for (uint32_t l = 0; l < r.levels; l++)
        assert_true(r.level[l].samples >= BLY_LEVEL_GRAIN && r.correction[l].samples >= BLY_LEVEL_GRAIN);
    assert_true(fabs(r.mean - exact_value(&law, r.levels)) < 1e-12);
}

TEST(too_many, HOST)
{
    struct law law = {.alpha = 1, .beta = 2, .share = 0.05, .seed = 5};
    bailey_mlmc_run_params p = {.eps = 1e-7, .approximate = BAILEY_MLMC_APPROXIMATION_DYADIC};
    bailey_mlmc_result r;
    assert_int_equal(drive(&law, &p, &r), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "eps");
    assert_non_null(strstr(bailey_error_message(), "level 0"));
    assert_non_null(strstr(bailey_error_message(), "2^38"));
    p.eps = 1e-200;
    assert_int_equal(drive(&law, &p, &r), BAILEY_ERROR_INVALID);
}

static int stop(void *user, uint64_t done, uint64_t total)
{
    assert_true(done <= total);
    return ++*(int *)user == 2;
}

TEST(failures, HOST)
{
    struct law law = {.alpha = 1, .beta = 2, .share = 0.05, .seed = 7};
    int calls = 0;
    bailey_mlmc_run_params p = {.eps = 0.02, .approximate = BAILEY_MLMC_APPROXIMATION_DYADIC};
    bailey_mlmc_result r, untouched;
    memset(&untouched, POISON, sizeof untouched);
    memcpy(&r, &untouched, sizeof r);
    for (law.fails_at = 1; law.fails_at < 4; law.fails_at++)
        assert_int_equal(drive(&law, &p, &r), BAILEY_ERROR_DRIVER);
    law.fails_at = 0;
    p.progress = stop;
    p.progress_user = &calls;
    assert_int_equal(drive(&law, &p, &r), BAILEY_ERROR_CANCELLED);
    assert_memory_equal(&r, &untouched, sizeof r);
    /* Levels end before the bias is small. */
    p.progress = NULL;
    p.max_level = 3;
    OK(drive(&law, &p, &r));
    assert_false(r.converged);
    assert_int_equal(r.levels, 4);
}

/* ---- A kind for each level ----------------------------------------------------------------------- */

/* Samples of a kind that is tried; half precision cannot be had. */
static bailey_status make_tried(void *user, const struct bly_sample_range *range, struct bly_term_sums *sums)
{
    assert_int_equal(range->first, 0);
    assert_int_equal(range->count % BLY_LEVEL_GRAIN, 0);
    assert_int_equal(sums->samples[range->term], 0);
    if (range->approximate >= BAILEY_MLMC_APPROXIMATION_HALF)
        return bly_fail(BAILEY_ERROR_INVALID, "not in half precision");
    for (uint64_t at = 0; at < range->count; at += BLY_LEVEL_GRAIN)
        add_node(user, sums, 0, range->term, GRAIN_HEIGHT, at >> GRAIN_HEIGHT);
    return BAILEY_OK;
}

/* HALF would be cheapest, then DYADIC, which on levels 2 and above loses on processors. */
static struct bly_choosing choosing_of(struct law *law)
{
    struct bly_choosing choosing = {.most_tried = 1, .most_dropped = 1, .user = law, .make = make_tried};
    static const double cost[BLY_APPROXIMATIONS] = {1, 0.9, 0.3, 0.1, 1.5};
    for (uint32_t i = 0; i < BLY_COST_CLASSES; i++)
        for (uint32_t kind = 0; kind < BLY_APPROXIMATIONS; kind++)
            for (uint32_t l = 0; l < LEVELS; l++)
                choosing.cost[i][kind][l] = kind && l > 1 && i ? 1.2 : cost[kind];
    return choosing;
}

TEST(chosen, HOST)
{
    const bailey_mlmc_run_params p = {.eps = 0.01, .approximate = BAILEY_MLMC_APPROXIMATION_AUTO};
    double squares = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct law law = {.alpha = 1, .beta = 2, .share = 0.02, .seed = seed, .highest = 8};
        const struct bly_choosing choosing = choosing_of(&law);
        bailey_mlmc_result r;
        law.choosing = &choosing;
        OK(drive(&law, &p, &r));
        assert_true(r.converged && r.choices == r.levels);
        for (uint32_t l = 0; l < r.levels; l++) {
            const bailey_mlmc_choice *c = &r.choice[l];
            assert_int_equal(c->approximate,
                             l < 2 ? BAILEY_MLMC_APPROXIMATION_DYADIC : BAILEY_MLMC_APPROXIMATION_EXACT);
            assert_int_equal(r.correction[l].samples > 0, l < 2);
            assert_true(r.level[l].cost == ldexp(l < 2 ? 0.3 : 1, (int)l));
            assert_true(r.correction[l].cost == (l < 2 ? ldexp(1.3, (int)l) : 0));
            assert_true(c->half == 0 && (l < 2) == (c->dyadic > 0));
            if (l > 1) continue;
            assert_true(fabs(c->constant - 0.9) < 1e-12 && fabs(c->half_dyadic - 1.5) < 1e-12); /* not sampled */
            const double root = sqrt(0.3) + 0.02 * sqrt(1.3);
            assert_true(fabs(c->dyadic / (root * root) - 1) < 0.1);
        }
        squares += (r.mean - exact_value(&law, r.levels)) * (r.mean - exact_value(&law, r.levels));
    }
    printf("root-mean-square error %.5f\n", sqrt(squares / 20));
    assert_true(sqrt(squares / 20) < 1.3 * sqrt(0.75) * p.eps);
}

/* A run in which nothing can be gained is that of exact normals, in all rounds. */
TEST(nothing_to_choose, HOST)
{
    struct law law = {.alpha = 1, .beta = 1.5, .share = 0.02, .seed = 3, .highest = 20}, same = law;
    struct bly_choosing choosing = choosing_of(&law);
    bailey_mlmc_run_params p = {.eps = 0.0005, .max_level = 14};
    bailey_mlmc_result exact, r;
    same.share = 0;
    OK(drive(&same, &p, &exact));
    p.approximate = BAILEY_MLMC_APPROXIMATION_AUTO;
    choosing.least_gain = 1e30;
    law.choosing = &choosing;
    law.share = 0;
    OK(drive(&law, &p, &r));
    assert_true(r.rounds == exact.rounds && r.rounds > 8 && r.levels == exact.levels);
    assert_true(r.mean == exact.mean && r.cost == exact.cost && r.standard_error == exact.standard_error);
    for (uint32_t l = 0; l < r.levels; l++) assert_true(r.choice[l].constant == 0);
}

static void refuses(const bailey_mlmc_run_params *p, bailey_precision precision, const char *argument)
{
    assert_int_equal(bly_approximate_check(p, precision), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), argument);
}

TEST(refusals, HOST)
{
    bailey_mlmc_run_params p = {.approximate = BAILEY_MLMC_APPROXIMATION_DYADIC};
    OK(bly_approximate_check(&p, BAILEY_PRECISION_F32));
    refuses(&p, BAILEY_PRECISION_F64, "approximate");
    p.approximate = BAILEY_MLMC_APPROXIMATION_CONSTANT;
    p.approximate_cost = 0.5;
    p.schedule = BAILEY_MLMC_SCHEDULE_PERSISTENT;
    refuses(&p, BAILEY_PRECISION_F32, "schedule");
    p.schedule = BAILEY_MLMC_SCHEDULE_BATCHED;
    p.source.generator = BAILEY_GENERATOR_SOBOL;
    refuses(&p, BAILEY_PRECISION_F32, "approximate");
    p.approximate = BAILEY_MLMC_APPROXIMATION_AUTO;
    refuses(&p, BAILEY_PRECISION_F32, "approximate");
    const uint64_t samples[6] = {32, 32, 32, 32, 32, 32};
    assert_int_equal(bly_mlmc_check_samples(&p, samples, 3), BAILEY_ERROR_INVALID);
    assert_string_equal(bailey_error_argument(), "approximate");
}
