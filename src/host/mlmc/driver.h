/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Multilevel Monte Carlo as far as it is arithmetic on the host: sums of samples, estimates, and which
 * samples are needed next. Nothing here knows a device; mlmc_internal.h has what makes the samples.
 *
 * All of it is IEEE operations and the library's own elementary functions, so that all machines decide alike.
 */
#ifndef BLY_MLMC_DRIVER_H
#define BLY_MLMC_DRIVER_H

#include <bailey/mlmc.h>
#include <host/run/nodes.h>
#include <host/run/seal.h>

/* The code of built-in level functions (mlmc.c); NULL where there are none of this name. */
const char *bly_mlmc_builtin_code(const char *name);

/* ---- Terms (levels.c) ---------------------------------------------------------------------------- */

/* A run estimates the terms of a telescoping sum, each from separate samples. On level l there is one, the
 * mean of the difference Y_l = P_l - P_(l-1), where Y_0 = P_0. With approximate normals there are two: the
 * mean of Y~_l, the difference that they make, and that of its correction, Y_l - Y~_l. Differences have the
 * numbers of their levels, corrections those plus BLY_CORRECTIONS. */
#define BLY_TERM_KINDS 2u /* differences are of kind 0, corrections of kind 1 */
#define BLY_CORRECTIONS BAILEY_MLMC_MAX_LEVELS
#define BLY_TERMS (BLY_TERM_KINDS * BAILEY_MLMC_MAX_LEVELS)

static inline uint32_t bly_term_of(uint32_t level, uint32_t kind) { return kind * BLY_CORRECTIONS + level; }
static inline uint32_t bly_term_level(uint32_t term) { return term % BLY_CORRECTIONS; }
static inline uint32_t bly_term_kind(uint32_t term) { return term / BLY_CORRECTIONS; }

/* Samples are made and counted in multiples of it, so that nodes of sums have at least height 5. */
#define BLY_LEVEL_GRAIN 32u

#define BLY_MLMC_MOST_SAMPLES (UINT64_C(1) << 38) /* of a term: paths that an address tells apart */

/* Rows of a term's nodes: sums of Y and Y^2, and how many samples differ from 0. The convergence test takes
 * all rows, for kurtosis and consistency check: also Y^3, Y^4, the fine payoff and its square. */
enum {
    BLY_LEVEL_Y,
    BLY_LEVEL_Y2,
    BLY_LEVEL_SEEN,
    BLY_LEVEL_Y3,
    BLY_LEVEL_Y4,
    BLY_LEVEL_FINE,
    BLY_LEVEL_FINE2,
    BLY_LEVEL_ROWS
};
#define BLY_LEVEL_RUN_ROWS 3u

/* The sums of each term over its samples so far, as a binary tree over their numbers. */
struct bly_term_sums {
    uint32_t rows;               /* BLY_LEVEL_RUN_ROWS or BLY_LEVEL_ROWS */
    uint32_t kinds;              /* 1: only differences, or BLY_TERM_KINDS */
    uint64_t samples[BLY_TERMS]; /* in the tree; numbers 0 .. samples - 1 */
    struct bly_tree *tree;       /* [kinds * BAILEY_MLMC_MAX_LEVELS] */
};

/* Nothing is known. To be freed with bly_term_sums_free whatever is returned. Returns: OK, ERROR_MEMORY. */
bailey_status bly_term_sums_create(uint32_t rows, uint32_t kinds, struct bly_term_sums *sums);
void bly_term_sums_free(struct bly_term_sums *sums);

/* Adds node `number` of 2^height samples, the term's next one: row r is value[r * stride]. */
void bly_term_sums_add(struct bly_term_sums *sums, uint32_t term, uint32_t height, uint64_t number,
                       const double *value, uint64_t stride);

/* Forgets a term's samples; takes over those of another sum, which are forgotten there. */
void bly_term_sums_clear(struct bly_term_sums *sums, uint32_t term);
void bly_term_sums_move(struct bly_term_sums *from, struct bly_term_sums *to, uint32_t term);

/* The rows summed over all samples so far, of which there are some; the tree stays as it is. */
void bly_term_sums_read(const struct bly_term_sums *sums, uint32_t term, double row[BLY_LEVEL_ROWS]);

/* ---- From level to level (levels.c) -------------------------------------------------------------- */

#define BLY_LEAST_ORDER 0.5 /* of an estimated alpha, beta or gamma: Giles's bound */
/* At most an estimated alpha and beta: of weak order 2 and strong order 2. A scheme of higher orders has to
 * be given them. */
#define BLY_MOST_ALPHA 2
#define BLY_MOST_BETA 4
#define BLY_MOST_BIAS_ORDER 1.0

/* x > 0; and 2^x. */
double bly_log2_of(double x);
double bly_power_of_2(double x);

/* Of `count` numbers, from the sums of them and of their squares: not negative. */
double bly_variance_of(double sum, double squares, double count);

/* A variance that few samples have made is not known, and may be far too small. From `seen` of n samples that
 * differ from 0, of mean square `size`, it is below size (seen + 3) / n with a probability of about 95 % (the
 * rule of three, where there is none). Returns how many samples of the term are needed, until
 * BLY_ENOUGH_SEEN differ from 0, or what the variance of the mean may then be at most is no longer more than
 * a sixteenth of `allowed`, the variance that the sum may have; where no size is known (0), until BLY_BLIND.
 * 0: there are enough. */
#define BLY_ENOUGH_SEEN 30
#define BLY_BLIND 0x1p20
/* With fewer on all levels together, no size is known; with fewer on a fine level, the orders of the levels
 * before it say more than its own variance. */
#define BLY_FEW_SEEN 10
double bly_samples_to_know(double n, double seen, double size, double allowed);

/* The least-squares slope of log2 of the values of levels 1 .. finest that are positive, times `sign`; NaN
 * where fewer than two are. Level 0 is left out, as it is not a difference. */
double bly_slope_of(const double *value, uint32_t finest, double sign);
/* The same slope, at least BLY_LEAST_ORDER, which is also returned where there is none. */
double bly_order_of(const double *value, uint32_t finest, double sign);

/* The order by which values of levels 1 .. finest fall: `given` if positive, else estimated, and at most
 * `most`. Raises values of levels 2 .. that are below half of what the level before them expects by it: those
 * of few samples may be small by chance. */
double bly_settle_values(double *value, uint32_t finest, double given, double most);

/* The amount that levels beyond `finest` would add to the sum of the means, whose magnitudes are given:
 * extrapolated from whichever of the last three levels gives most, by `alpha`, and by no more than weak order
 * 1 unless alpha is `given`: means that fall faster on coarse levels do not keep falling so fast. */
double bly_bias_of(const double *magnitude, uint32_t finest, double alpha, int given);

/* ---- Parameters and their defaults (driver.c) ---------------------------------------------------- */

/* What parameters mean where they are 0. Their descriptions have the same numbers. */
#define BLY_MLMC_BIAS_SHARE 0.25
#define BLY_MLMC_INITIAL_SAMPLES 1000u
#define BLY_MLMC_MIN_LEVEL 2u /* as in Giles's programs: the bias comes from the last three levels */
#define BLY_MLMC_MAX_LEVEL 10u
#define BLY_MLMC_TEST_SAMPLES 100000u
#define BLY_MLMC_TEST_FINEST 8u
#define BLY_APPROXIMATE_COST 0.75 /* measured: docs/records/mlmc-low-precision.md */
#define BLY_QUASI_REPLICATES 32u

/* The cost is that of a sample; `level` is at most the finest that `params` allow, or that there is. */
double bly_mlmc_cost(const bailey_mlmc_run_params *params, uint32_t first_steps, uint32_t level);
uint32_t bly_mlmc_min_level(const bailey_mlmc_run_params *params);
uint32_t bly_mlmc_max_level(const bailey_mlmc_run_params *params);
double bly_mlmc_bias_share(const bailey_mlmc_run_params *params);

/* How many kinds of terms a run has: 1, or BLY_TERM_KINDS with approximate normals, also where they are
 * chosen for each level. */
uint32_t bly_approximate_kinds(const bailey_mlmc_run_params *params);
/* The cost of a sample of a kind, relative to a difference with exact normals. Not with AUTO. */
double bly_approximate_cost(const bailey_mlmc_run_params *params, uint32_t kind);

/* Reports to `progress` the cost that is done, of the cost that is foreseen. Returns: OK, ERROR_CANCELLED. */
bailey_status bly_mlmc_progress(const bailey_mlmc_run_params *params, double done, double all);

/* ---- The adaptive algorithm (driver.c) ----------------------------------------------------------- */

/* Samples first .. first + count - 1 of a term: both ends are multiples of BLY_LEVEL_GRAIN. */
struct bly_sample_range {
    uint32_t term;
    uint64_t first, count;
    bailey_mlmc_approximation approximate; /* of the level, when it is queued: never AUTO */
};

/* The samples that are queued at once. Each term occurs once at most, and begins where it last ended; finest
 * levels come first, and each level's correction before its difference. */
struct bly_round {
    struct bly_sample_range range[BLY_TERMS];
    uint32_t count;
};

/* The maker of samples. Rounds are queued, at most two at a time, and taken in that order. */
struct bly_sampler {
    void *user;
    bailey_status (*queue)(void *user, const struct bly_sample_range *range, uint32_t count);
    /* Waits for the round that was queued first, and adds its nodes to the sums. */
    bailey_status (*take)(void *user);
    const struct bly_choosing *choosing; /* with AUTO */
};

/* Numbers of samples are m 2^g with m < 2^BLY_SAMPLES_BITS, and multiples of the grain, so that ranges end in
 * few nodes: at least `samples`, more by less than 1 %. */
#define BLY_SAMPLES_BITS 8u
uint64_t bly_samples_round_up(uint64_t samples);

/* Where a run is, besides the sums: what a checkpoint has to have. All zero at the start. */
struct bly_mlmc_state {
    uint32_t finest; /* level */
    uint32_t rounds; /* so far */
    uint32_t queued; /* rounds in flight, in the order in which they were queued */
    struct bly_round under_way[2];
    uint64_t samples[BLY_TERMS]; /* queued so far, including those in flight */
    uint32_t chooses; /* 1 with AUTO, from the start: levels 0 .. chosen - 1 have their kind */
    uint32_t chosen;
    bailey_mlmc_choice choice[BAILEY_MLMC_MAX_LEVELS];
    double spent; /* the cost of samples that were made to choose, and dropped */
    /* Called after each round, and may save the state and sums; NULL: nothing is saved. */
    bailey_status (*save)(void *user);
    void *save_user;
};

/* Fills *result. `sums` has the kinds of terms that `params` ask for. Where the state is that of a run that
 * has begun, `sums` has its sums, and the run continues. If this fails, rounds may still be in flight. */
bailey_status bly_mlmc_drive(const bailey_mlmc_run_params *params, uint32_t first_steps,
                             const struct bly_sampler *sampler, struct bly_term_sums *sums,
                             struct bly_mlmc_state *state, bailey_mlmc_result *result);

/* Samples 0 .. samples[l] - 1 of levels 0 .. count - 1, which are multiples of the grain, and no others; with
 * approximate normals, 0 .. samples[count + l] - 1 of the correction of level l. */
bailey_status bly_mlmc_drive_samples(const bailey_mlmc_run_params *params, uint32_t first_steps,
                                     const struct bly_sampler *sampler, const uint64_t *samples,
                                     uint32_t count, struct bly_term_sums *sums, bailey_mlmc_result *result);

/* ---- A kind for each level (choose.c) ------------------------------------------------------------- */

#define BLY_APPROXIMATIONS 5u /* without AUTO */
/* GPUs and processors, whose costs differ: a kind has to gain enough on both. */
#define BLY_COST_CLASSES 2u

/* How kinds are chosen: what it costs, and who makes the samples. */
struct bly_choosing {
    /* A step of a level, relative to EXACT. */
    double cost[BLY_COST_CLASSES][BLY_APPROXIMATIONS][BAILEY_MLMC_MAX_LEVELS];
    /* Exact fine steps that a level has to save for another kind to be worth its launches: `least_gain`, and
     * `step_gain` for each step of a path of it. */
    double least_gain, step_gain;
    double most_tried;   /* a kind's first samples take at most this part of the run's steps */
    double most_dropped; /* a level that has more than this part of its samples keeps its kind */
    void *user;
    /* Makes samples 0 .. count - 1 of a term by a kind, and adds them to `sums`; no round is in flight.
     * Besides the errors of `take` those of kinds that cannot be had: ERROR_INVALID, ERROR_PAYOFF. */
    bailey_status (*make)(void *user, const struct bly_sample_range *range, struct bly_term_sums *sums);
};

/* The cost of a difference, relative to EXACT: for the numbers of samples. */
double bly_choosing_cost(const struct bly_choosing *choosing, bailey_mlmc_approximation kind, uint32_t level);

/* A level as it is foreseen. */
struct bly_outlook {
    uint32_t level;
    double level_steps; /* of a fine path */
    double steps;       /* exact fine steps of the whole run */
    double share;       /* of them, that the level takes */
    double variance;    /* of its differences */
};

/* Chooses a level's kind. Unless it is EXACT, the level's sums become those of the first samples of its
 * differences and corrections. Adds to *spent the steps of samples that were dropped. */
bailey_status bly_choose(const struct bly_choosing *choosing, const struct bly_outlook *outlook,
                         struct bly_term_sums *sums, bailey_mlmc_choice *choice, double *spent);
/* Whether there is anything to choose: whether the cheapest kind would pay if it needed no corrections. */
int bly_may_choose(const struct bly_choosing *choosing, const struct bly_outlook *outlook);

/* ---- Checkpoints (mlmc_checkpoint.c) ------------------------------------------------------------- */

/* The parts that follow from run parameters; the others are left to the caller. */
void bly_mlmc_identify(const bailey_mlmc_run_params *params, struct bly_identity *identity);

struct bly_mlmc_file {
    const char *path;
    const struct bly_identity *identity;
    const struct bly_term_sums *sums;
    const struct bly_mlmc_state *state;
    double every, saved; /* seconds: between two times, and when it was last written */
};

/* Sets state and sums, of which nothing but `chooses` is known, to what the file has; one that is not there has nothing.
 * Returns: OK; ERROR_INVALID (damaged, or of another run; names "checkpoint"), ERROR_IO, ERROR_MEMORY. */
bailey_status bly_mlmc_file_read(const char *path, const struct bly_identity *identity,
                                 struct bly_term_sums *sums, struct bly_mlmc_state *state);

/* Writes it, unless a round has been taken in part: what was written before stands then. */
bailey_status bly_mlmc_file_write(struct bly_mlmc_file *file);

/* Of struct bly_mlmc_state: writes it if it is time. A disk that is full now may have room later, so that it
 * never fails. */
bailey_status bly_mlmc_file_save(void *file);

/* ---- Runs and tests (mlmc_check.c, mlmc_run.c, mlmc_test.c) -------------------------------------- */

/* What bailey_mlmc_run, _run_samples and _test refuse, apart from source and normals. With `approximate`
 * there are samples[2 * levels]. */
bailey_status bly_mlmc_check_run(const bailey_mlmc_run_params *params);
bailey_status bly_mlmc_check_samples(const bailey_mlmc_run_params *params, const uint64_t *samples,
                                     uint32_t levels);
bailey_status bly_mlmc_check_test(const bailey_mlmc_test_params *params);
/* Refuses what there is not with approximate normals: a source of points, a schedule other than BATCHED,
 * double precision. OK without them. */
bailey_status bly_approximate_check(const bailey_mlmc_run_params *params, bailey_precision precision);

/* The maker of samplers. */
struct bly_sampler_maker {
    void *user;
    /* Makes one that adds to `sums`, of all their kinds. To be dropped whatever is returned. */
    bailey_status (*make)(void *user, const bailey_mlmc_run_params *params, struct bly_term_sums *sums,
                          struct bly_sampler *sampler);
    /* Waits for the rounds in flight. */
    void (*drop)(void *user);
};

/* bailey_mlmc_run, once its arguments are checked. `identity` is what a checkpoint is known by; it may be
 * NULL where params->checkpoint is. Nothing is written to *result unless OK is returned. */
bailey_status bly_mlmc_run_with(const bailey_mlmc_run_params *params, uint32_t first_steps,
                                const struct bly_sampler_maker *maker, const struct bly_identity *identity,
                                bailey_mlmc_result *result);
/* bailey_mlmc_run_samples, once its arguments are checked: sums of `rows` rows are left in *sums, and must be
 * freed whatever is returned.
 */
bailey_status bly_mlmc_run_samples_with(const bailey_mlmc_run_params *params, uint32_t first_steps,
                                        const struct bly_sampler_maker *maker, const uint64_t *samples,
                                        uint32_t levels, uint32_t rows, struct bly_term_sums *sums,
                                        bailey_mlmc_result *result);

/* The finest level of the convergence test. */
uint32_t bly_mlmc_test_finest(const bailey_mlmc_test_params *params);

/* The convergence test: fills all of the report except its runs. `params` have been checked, and do not ask
 * for approximate normals. */
bailey_status bly_mlmc_test_levels(const bailey_mlmc_test_params *params, uint32_t first_steps,
                                   const struct bly_sampler_maker *maker, bailey_mlmc_report *report);

/* The complexity tests, one for each eps, by `run`: of a report that has all else. */
bailey_status bly_mlmc_test_runs(const bailey_mlmc_test_params *params, uint32_t first_steps,
                                 bailey_status (*run)(void *user, const bailey_mlmc_run_params *params,
                                                      bailey_mlmc_result *result),
                                 void *user, bailey_mlmc_report *report);

/* ---- Points: multilevel quasi-Monte Carlo (quasi_driver.c) --------------------------------------- */

/* A level is estimated by several replicates of the same points, each scrambled anew; the spread of their
 * means is its variance. */
#define BLY_QUASI_MOST_REPLICATES 1024u

/* Points of a replicate: numbers are powers of two, of which Sobol's points are balanced, at least the grain
 * and at most this. */
#define BLY_QUASI_LEAST BLY_LEVEL_GRAIN
#define BLY_QUASI_MOST (UINT64_C(1) << 32)

/* The sums of each replicate of each level over points 0 .. points - 1. */
struct bly_replicates {
    uint32_t replicates, rows;               /* rows: BLY_LEVEL_RUN_ROWS or BLY_LEVEL_ROWS */
    uint64_t points[BAILEY_MLMC_MAX_LEVELS]; /* of a replicate */
    double *sums[BAILEY_MLMC_MAX_LEVELS];    /* [replicates][rows]; NULL until there are some */
};

void bly_replicates_free(struct bly_replicates *known);

/* Points first .. first + count - 1 of all replicates of a level. Either first is 0, and count the first
 * power of two that is needed, or first is count, and the points double. */
struct bly_point_range {
    uint32_t level;
    uint64_t first, count;
};

/* The maker of samples of points. A round has each level once at most, the finest first. */
struct bly_point_sampler {
    void *user;
    /* Makes the samples of a round and waits for them. For each range and each replicate it gives `rows`
     * sums, which are the roots of binary trees over the numbers of points, to bly_replicates_add. */
    bailey_status (*make)(void *user, const struct bly_point_range *range, uint32_t count,
                          struct bly_replicates *known);
};

/* Makes room for the sums of a level, which are then to be added for every replicate, in any order. Returns:
 * OK, ERROR_MEMORY. */
bailey_status bly_replicates_begin(struct bly_replicates *known, const struct bly_point_range *range);
/* Adds the sums of points of a range, of one replicate: row r is value[r * stride]. */
void bly_replicates_add(struct bly_replicates *known, const struct bly_point_range *range, uint32_t replicate,
                        const double *value, uint64_t stride);

/* The replicates of a run, with 0 filled in. Returns: OK, ERROR_INVALID for those that there cannot be, and
 * for a source of points that is not scrambled. */
bailey_status bly_quasi_check(const bailey_mlmc_run_params *params, uint32_t *replicates);

/* The finest level whose paths of `numbers` random numbers per step have a dimension for each number, at most
 * BAILEY_MLMC_MAX_LEVELS - 1. */
uint32_t bly_quasi_finest(uint32_t first_steps, uint32_t numbers);

/* Fills *result. `known` is empty: replicates and rows alone are set. `params` has been checked, and has
 * max_level filled in. */
bailey_status bly_quasi_drive(const bailey_mlmc_run_params *params, uint32_t first_steps,
                              const struct bly_point_sampler *sampler, struct bly_replicates *known,
                              bailey_mlmc_result *result);

/* The same for bailey_mlmc_run_samples: samples[l] counts those of all replicates together; each replicate
 * has enough points to reach it, or none. */
bailey_status bly_quasi_drive_samples(const bailey_mlmc_run_params *params, uint32_t first_steps,
                                      const struct bly_point_sampler *sampler, const uint64_t *samples,
                                      uint32_t levels, struct bly_replicates *known,
                                      bailey_mlmc_result *result);

/* A row of the tables of Giles and Waterhouse, of a level with `points` points of a replicate. The variance
 * of a mean over n samples, times n, would be `variance` if samples were independent; by how much `spread` is
 * below is what points gain. */
struct bly_quasi_level {
    double mean, fine_mean;         /* of Y, of the fine payoff */
    double variance, fine_variance; /* of one sample */
    double spread, fine_spread;     /* variance of a replicate's mean, times its points */
    double check;                   /* as of struct bailey_mlmc_test_level, by what replicates spread */
    double cost;                    /* of a sample */
};

/* Makes the rows of levels 0 .. levels - 1, with `points` points on each, from sums of BLY_LEVEL_ROWS rows.
 */
bailey_status bly_quasi_tables(const bailey_mlmc_run_params *params, uint32_t first_steps,
                               const struct bly_point_sampler *sampler, uint64_t points, uint32_t levels,
                               struct bly_replicates *known, struct bly_quasi_level *rows);

#endif
