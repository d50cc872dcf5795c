/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Multilevel Monte Carlo (M. Giles, "Multilevel Monte Carlo path simulation", Operations Research 56, 2008):
 * an expectation to a target root-mean-square error, from many samples of coarse paths and few of fine ones.
 *
 *     bailey_mlmc_params params = {.estimator = {.name = "european"}};
 *     bailey_mlmc *mlmc;
 *     bailey_mlmc_create(context, &params, &mlmc);
 *     bailey_mlmc_set(mlmc, "spot", &spot, 1);
 *     ...
 *     bailey_mlmc_run_params run = {.eps = 0.001};
 *     bailey_mlmc_result result;
 *     bailey_mlmc_run(mlmc, &run, &result);
 *
 * docs/mlmc.md explains levels, how to choose the settings, and how to read the tables.
 */
#ifndef BAILEY_MLMC_H
#define BAILEY_MLMC_H

#include <bailey/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BAILEY_MLMC_MAX_LEVELS 21u  /* levels 0 .. 20 */
#define BAILEY_MLMC_MAX_NUMBERS 64u /* per step of a level: dims, normals and uniforms together */

/* Estimator code computes, for each sample of a level, the payoff of a fine path and that of a coarse path
 * driven by the same random numbers. Level 0 has only a fine path, of `first_steps` steps. Level l has a fine
 * path of first_steps 2^l steps and a coarse path of half as many. The language is that of payoffs
 * (simulation.h), with these functions of one sample:
 *
 *   typedef struct { real spot, strike, rate, volatility; } params;
 *   typedef struct { real fine, coarse; } state;
 *   void start(state *s, const params *p, int level);
 *   void step(state *s, const params *p, real t, real h, const noise *n);
 *   void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m);
 *   void finish(const state *s, const params *p, real t, real out[2]);
 *
 * On level 0, step is called for each step of length h, which begins at time t. On other levels, pair is
 * called for each step of the coarse path, of length 2h: it takes two fine steps of length h, using the
 * random numbers `n` and `m`, and one coarse step. At the last time t, finish writes the fine payoff to
 * out[0] and the coarse payoff to out[1], which is ignored on level 0. `noise` is
 *
 *   n->dw[DIMS]      increments of the Brownian motion, of covariance h C
 *   n->z[NORMALS]    independent standard normals
 *   n->u[UNIFORMS]   independent uniform numbers in the open interval (0, 1)
 *
 * The code requests normals and uniforms with #define NORMALS and #define UNIFORMS, each a plain number; the
 * default is none. STEPS is not defined in estimator code. Multilevel Monte Carlo is worthwhile only if the
 * coarse path is close to the fine one. The estimate is correct only if the coarse payoff has the
 * distribution of the fine payoff on the level below. */

/* The name of the built-in with index `index`; NULL beyond the last. bailey_mlmc_describe returns its code.
 * The built-ins are "european", "asian", "lookback", "digital" and "barrier" of M. Giles, "Improved
 * multilevel Monte Carlo convergence using the Milstein scheme", Monte Carlo and Quasi-Monte Carlo Methods
 * 2006. Threads: any. */
BAILEY_API const char *bailey_mlmc_name(size_t index);

/* As bailey_payoff_describe, for a multilevel estimator; steps and motion_depth are ignored. */
BAILEY_API bailey_status bailey_mlmc_describe(const bailey_payoff *estimator,
                                              const bailey_describe_params *params,
                                              bailey_description **description);

typedef struct bailey_mlmc_params {
    bailey_payoff estimator; /* estimator code, or the name of a built-in */
    bailey_precision precision;
    uint32_t dims;            /* of the Brownian motion; 0 means 1 */
    const double *covariance; /* [dims][dims], per unit of time; NULL: the identity */
    double time;              /* T, the time at which paths end; they begin at 0; 0 means 1 */
    uint32_t first_steps;     /* on level 0, a power of two up to 1024; 0 means 1 */
    uint64_t reserved[4];
} bailey_mlmc_params;

typedef struct bailey_mlmc bailey_mlmc;

/* Reads the code. Arrays and code are copied. Parameters have their defaults. Programs are compiled when a
 * run first needs them, as for simulations. Returns: as bailey_simulation_create. */
BAILEY_API bailey_status bailey_mlmc_create(bailey_context *context, const bailey_mlmc_params *params,
                                            bailey_mlmc **mlmc);
BAILEY_API void bailey_mlmc_destroy(bailey_mlmc *mlmc);

/* Like bailey_simulation_set, bailey_simulation_parameter and bailey_simulation_description. */
BAILEY_API bailey_status bailey_mlmc_set(bailey_mlmc *mlmc, const char *name, const double *values,
                                         uint64_t count);
BAILEY_API const char *bailey_mlmc_parameter(const bailey_mlmc *mlmc, size_t index, uint64_t *count);
BAILEY_API const bailey_description *bailey_mlmc_description(const bailey_mlmc *mlmc);

/* How samples are distributed over launches. With BATCHED, each round is one launch over a list of levels and
 * samples. The list depends only on sums, so the whole result has the same bits everywhere. With PERSISTENT,
 * kernels stay on the device and take samples of the level that needs them most, while the host makes the
 * same decisions as with BATCHED: the result has the same bits.
 *
 * PERSISTENT has no checkpoint. It ends with ERROR_DRIVER if `progress` takes half a minute, or if the device
 * takes that long for one chunk of up to some million samples of a level; use BATCHED with very slow code. It
 * needs CUDA, and returns ERROR_UNSUPPORTED elsewhere: OpenCL does not guarantee that a work-group makes
 * progress while others run. Fine-grained shared virtual memory, which a running kernel shares with the host,
 * is optional there and missing in NVIDIA's OpenCL. */
typedef enum bailey_mlmc_schedule {
    BAILEY_MLMC_SCHEDULE_BATCHED = 0,
    BAILEY_MLMC_SCHEDULE_PERSISTENT = 1
} bailey_mlmc_schedule;

/* Whether to use approximate normals (bailey/device/approximate.h) with a correction: nested multilevel Monte
 * Carlo. Each level computes many differences Y~ with approximate normals, and corrects their mean with a few
 * samples of Y - Y~ computed from the same words. The value is that of exact normals, up to its standard
 * error. docs/records/mlmc-low-precision.md shows where this is faster.
 *
 * Differences of level l draw from stream + l, its corrections from stream + 32 + l. A word yields two
 * approximate normals. Number the Brownian increments of a sample in the order of rows: numbers 2 k and 2 k +
 * 1 use the first and the last 16 bits of the word that number k uses with exact normals. The same holds for
 * the normals of a sample; uniforms are unchanged. If a sample has only one number of a kind, as on level 0
 * of a one-dimensional Brownian motion with one step, samples 2 n and 2 n + 1 use the first and the last 16
 * bits of the word of sample n. A correction uses all words as with exact normals, and pairs each exact
 * normal with the approximate one from the first 16 bits of its word.
 *
 * With HALF and HALF_DYADIC, Y~ is also computed in half precision, IEEE binary16: all of start, step and
 * pair, each operation rounded once, from parameters and random numbers rounded to halves; uniforms are at
 * most 1 - 2^-11. Fields of the state, elements of arrays and variables that a pointer reaches are stored in
 * single precision. A sum with one of them is in single precision, too, as is a variable that is declared
 * with such a sum: x + x * g adds a half to a float. finish is in single precision, with the rounded
 * parameters. Amounts, which are the parameters that the code declares with [unit money], are divided by a
 * power of two if the largest is below 0.25 or not below 256, and payoffs multiplied by it. Refused, of the
 * argument "approximate": numbers in the code, parameters, and times beyond 65504, or below 2^-24 other than
 * 0, and steps shorter than 2^-24. Devices without instructions for halves round after each operation of
 * single precision, with the same bits. docs/half.md says when this is faster. */
typedef enum bailey_mlmc_approximation {
    BAILEY_MLMC_APPROXIMATION_EXACT = 0,
    BAILEY_MLMC_APPROXIMATION_CONSTANT = 1, /* a mean for each of 1,024 intervals */
    BAILEY_MLMC_APPROXIMATION_DYADIC = 2, /* piecewise linear, on halves of octaves of the tail probability */
    BAILEY_MLMC_APPROXIMATION_HALF = 3,   /* CONSTANT, and steps in half precision */
    BAILEY_MLMC_APPROXIMATION_HALF_DYADIC = 4, /* DYADIC, and steps in half precision */
    BAILEY_MLMC_APPROXIMATION_AUTO = 5         /* one of these for each level, as bailey_mlmc_choice says */
} bailey_mlmc_approximation;

/* The choice of a run with AUTO for a level, and the reason. A run begins as with EXACT. Before a level has taken
 * 1/64 of its samples, and if that can save enough for more launches to pay, a few corrections of each kind
 * are sampled. The kind with the least cost to equal error serves the level from its first sample to its
 * last; a level that stays EXACT has no corrections. A run too short for any gain has the bits of EXACT.
 *
 * Costs are a table in the library, never measured in the run, so that the choice is the same on every
 * device: the geometric mean of a GPU and a processor, or the larger where that gains too little for a choice.
 * `approximate_cost` replaces those of CONSTANT and DYADIC.
 *
 * The numbers are costs to equal error relative to EXACT, (sqrt(V~ C~) + sqrt(Vc Cc))^2 / (V C) with the
 * variances V~ of differences and Vc of corrections. If a kind cannot win even without corrections, it is not
 * sampled, and its number is C~ / C. 0: not examined, as too little depends on the level, or as half
 * precision cannot express the code, its parameters or its payoffs. */
typedef struct bailey_mlmc_choice {
    bailey_mlmc_approximation approximate; /* never AUTO */
    double constant, dyadic, half, half_dyadic;
    uint64_t reserved[4];
} bailey_mlmc_choice;

typedef struct bailey_mlmc_run_params {
    /* Level l draws from stream + l. Kind COUNTER, or kind POINT for multilevel quasi-Monte Carlo. */
    bailey_source source;
    bailey_normal_params normal; /* its precision is ignored in favour of the estimator's */
    double eps;                  /* the target root-mean-square error, positive */
    double bias_share;           /* the share of eps squared allotted to the bias; 0 means 0.25 */
    uint64_t initial_samples;    /* on each of the first levels, before variances are known; 0 means 1000 */
    /* The finest level at the start, at least 2, and the maximum; 0 means 2 and 10. */
    uint32_t min_level, max_level;
    /* Rates: means fall as 2^(-alpha l), variances as 2^(-beta l), costs grow as 2^(gamma l). 0: estimated,
     * with alpha at most 2 and beta at most 4. */
    double alpha, beta, gamma;
    const double *cost; /* [max_level + 1], per sample; NULL: the steps of its fine path */
    bailey_mlmc_schedule schedule;
    /* With a source of kind POINT: the number of randomisations; number r draws from stream + 32 r + l. 0
     * means 32. */
    uint32_t replicates;
    /* The file that the run is saved to, and resumed from if it exists. NULL: none. */
    const char *checkpoint;
    double checkpoint_seconds; /* between saves; 0: 60 */
    /* Not with double precision, points or the persistent schedule. */
    bailey_mlmc_approximation approximate;
    /* The cost of a step with approximate normals, at most 1, relative to a step with exact normals; a
     * correction step costs 1 more. 0: the measured value. */
    double approximate_cost;
    bailey_progress progress; /* may be NULL; counts cost, out of the cost known to be needed so far */
    void *progress_user;
    uint64_t reserved[4];
} bailey_mlmc_run_params;

/* Statistics of one level's differences Y = fine payoff - coarse payoff. */
typedef struct bailey_mlmc_level {
    uint64_t samples;      /* of all replicates */
    double cost;           /* per sample */
    double mean, variance; /* of Y; with points, the variance between means of replicates */
    uint64_t reserved[4];
} bailey_mlmc_level;

/* Why a run ended without reaching eps. */
typedef enum bailey_mlmc_reason {
    BAILEY_MLMC_REASON_CONVERGED = 0,
    BAILEY_MLMC_REASON_BIAS = 1,   /* the bias still exceeds its share of eps on max_level */
    BAILEY_MLMC_REASON_NOTHING = 2 /* all 2^20 samples on level 0 are 0: nothing is known about the value */
} bailey_mlmc_reason;

/* A sentence without a full stop, such as "the bias is too large on the finest level"; "" for CONVERGED.
 * Threads: any. */
BAILEY_API const char *bailey_mlmc_reason_message(bailey_mlmc_reason reason);

typedef struct bailey_mlmc_result {
    double mean;           /* the sum of the levels' means */
    double standard_error; /* of `mean`, from the variances */
    /* The estimated remaining bias, from the last three levels. If alpha is not given, the extrapolation
     * assumes that the means of finer levels at most halve from level to level. */
    double bias;
    uint32_t converged; /* 0: eps was not reached, for the `reason`; `mean` is still the best estimate */
    bailey_mlmc_reason reason; /* CONVERGED, or why not */
    double cost;               /* of all samples */
    double alpha, beta, gamma; /* the rates used */
    uint32_t levels;           /* finest level + 1 */
    uint32_t rounds;           /* of samples launched */
    bailey_mlmc_level level[BAILEY_MLMC_MAX_LEVELS];
    /* With `approximate`, `level` describes Y~ and this describes Y - Y~; else zero. */
    bailey_mlmc_level correction[BAILEY_MLMC_MAX_LEVELS];
    uint32_t choices; /* with AUTO as many as levels; else 0 */
    bailey_mlmc_choice choice[BAILEY_MLMC_MAX_LEVELS];
    uint64_t reserved[4];
} bailey_mlmc_result;

/* Estimates the expectation to a root-mean-square error of eps. Waits for the result.
 *
 * The algorithm is that of M. Giles, "Multilevel Monte Carlo methods", Acta Numerica 24 (2015), section 3. It
 * samples the first levels, and then each level as often as needed to reduce the variance of the sum to (1 -
 * bias_share) eps^2 at least cost. It adds levels until the bias, extrapolated from the last three, is below
 * sqrt(bias_share) eps. A variance from few samples is not trusted: the first levels are sampled until 30
 * samples differ from 0, or until the uncertainty is small compared with eps. With points: M. Giles and B.
 * Waterhouse, "Multilevel quasi-Monte Carlo path simulation" (2009), which doubles the points on the level
 * where that reduces the variance most for its cost. A launch serves all levels, and the device works on the
 * next list while the host evaluates the last.
 *
 * Returns: OK, also without convergence (result->converged); ERROR_INVALID (the message names argument and
 * limit; payoffs that are not finite; a checkpoint that is damaged or of another run or version),
 * ERROR_PAYOFF (the code failed at run time; see below), ERROR_BUILD, ERROR_UNSUPPORTED (no compiler; no
 * double precision for the sums), ERROR_CANCELLED, ERROR_MEMORY, ERROR_DRIVER, ERROR_IO (a checkpoint that
 * can be neither read nor created; nothing was run). *result is written only if OK is returned. With
 * ERROR_PAYOFF the message ends with "on sample 3 of level 2" or, for points, "on point 3 of replicate 0 of
 * level 2": the first sample of the lowest failing level in the first list with a failure. With a checkpoint,
 * a run that ends in any other way is saved, and the same call resumes it; a completed run returns its result
 * at once.
 * Threads: as the context.
 * Results: exact: *result has the same bits on every device. Sample i of level l uses number (row, i) of
 * stream + l, like the paths of bridges. Rows are first those of the Brownian motion (by step, then by
 * dimension), then those of the normals, then those of the uniforms, in the same order. Sums are binary trees
 * over sample indices, in double. */
BAILEY_API bailey_status bailey_mlmc_run(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                         bailey_mlmc_result *result);

/* Runs exactly samples 0 .. samples[l] - 1 of each level l = 0 .. levels - 1. Each number is a multiple of
 * 32, and may be 0. eps, bias_share, initial_samples, min_level, max_level, schedule and checkpoint are
 * ignored. `cost` covers these levels. `bias` and `converged` are computed with the standard error as eps.
 * With `approximate`, pass samples[2 * levels]: those of the differences, then those of the corrections; AUTO
 * is refused.
 * Returns, Threads, Results: as bailey_mlmc_run. */
BAILEY_API bailey_status bailey_mlmc_run_samples(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                                 const uint64_t *samples, uint32_t levels,
                                                 bailey_mlmc_result *result);

/* How many derivatives bailey_mlmc_gradient makes: one for each element of the named parameters. 0 if a name
 * is refused. Threads: any. */
BAILEY_API uint64_t bailey_mlmc_gradient_count(const bailey_mlmc *mlmc, const char *const *names,
                                               uint32_t count);

/* bailey_mlmc_run, with the derivatives of its estimate with respect to parameters: names[count], each array
 * as a whole; NULL: all real parameters except choices. *result is what bailey_mlmc_run returns. Then the
 * code is differentiated, and the means of the derivative's differences are estimated from the same samples
 * of each level: derivatives[k].mean, .standard_error, .bias and .level. They are in the order of the names,
 * or of the parameters, element by element; bailey_mlmc_gradient_count returns their number. Each takes up to
 * about two times as long as the price at these samples.
 *
 * `bias` and `converged` of a derivative are those of bailey_mlmc_run_samples: numbers of samples are chosen
 * for the price.
 *
 * Returns, besides what bailey_mlmc_run does: ERROR_INVALID of names (not a real parameter), or of source,
 * schedule or approximate (points, PERSISTENT and approximate normals are not supported); ERROR_UNSUPPORTED,
 * with the line, for code that cannot be differentiated: where the payoff jumps. Nothing is written unless OK
 * is returned. With a checkpoint, the price's run is saved, not the derivatives'. Threads: as the context.
 * Results: exact: the same bits on every device; those of a derivative do not depend on which others are
 * asked for. Source: forward mode, A. Griewank and A. Walther, "Evaluating Derivatives" (2008), chapter 3; S.
 * Burgos and M. Giles, "Computing Greeks using multilevel path simulation" (2012). */
BAILEY_API bailey_status bailey_mlmc_gradient(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                              const char *const *names, uint32_t count,
                                              bailey_mlmc_result *result, bailey_mlmc_result *derivatives);

/* ---- Tests of levels ------------------------------------------------------------------------------- */

#define BAILEY_MLMC_MAX_EPS 32u

typedef struct bailey_mlmc_test_params {
    bailey_mlmc_run_params run; /* of the complexity tests; `eps` and `checkpoint` are ignored */
    /* On each level of the convergence test, rounded up to a multiple of 32; 0 means 100000. */
    uint64_t samples;
    uint32_t finest;    /* level of the convergence test; 0 means 8 */
    const double *eps;  /* [eps_count], of the complexity tests; may be NULL */
    uint32_t eps_count; /* at most BAILEY_MLMC_MAX_EPS */
    uint64_t reserved[4];
} bailey_mlmc_test_params;

/* A row of the convergence test. */
typedef struct bailey_mlmc_test_level {
    double mean, fine_mean;         /* of Y and of the fine payoff */
    double variance, fine_variance; /* of Y and of the fine payoff */
    double kurtosis;                /* of Y; 3 for a normal distribution */
    /* |mean + mean of the fine payoff below - fine mean| divided by three of its standard errors. Exceeds 1
     * with probability 0.3 %, unless coarse payoffs are distributed differently from the fine ones of the
     * level below. */
    double check;
    double cost; /* per sample */
    uint64_t reserved[4];
} bailey_mlmc_test_level;

typedef struct bailey_mlmc_test_run {
    double eps;
    double standard_cost; /* of plain Monte Carlo on the finest level, to the same error */
    double savings;       /* standard_cost / result.cost */
    bailey_mlmc_result result;
    uint64_t reserved[4];
} bailey_mlmc_test_run;

typedef struct bailey_mlmc_report {
    uint64_t samples;
    uint32_t levels;
    bailey_mlmc_test_level level[BAILEY_MLMC_MAX_LEVELS];
    double alpha, beta, gamma; /* from regressions over levels 1 and above */
    uint32_t kurtosis_warning; /* above 100 on the finest level: variances are hard to estimate */
    uint32_t check_warning;    /* a check exceeds 1 */
    uint32_t runs;
    bailey_mlmc_test_run run[BAILEY_MLMC_MAX_EPS];
    uint64_t reserved[4];
} bailey_mlmc_report;

/* Giles's mlmc_test: a convergence test of all levels, with regressions and checks, and a complexity test for
 * each eps, which is a bailey_mlmc_run with that eps. All of them use the same seed and streams, and
 * therefore the same samples of a level, starting at number 0. The samples of a run with a large eps are
 * among those of a run with a small one, so their errors are correlated. The convergence test shares samples
 * with the runs too. For independent tests, call this or bailey_mlmc_run with other seeds. With a source of
 * points, the convergence test draws random numbers of philox with the same seed: it tests the levels, not
 * the points. Progress restarts with each test. Returns, Threads, Results: as bailey_mlmc_run. */
BAILEY_API bailey_status bailey_mlmc_test(bailey_mlmc *mlmc, const bailey_mlmc_test_params *params,
                                          bailey_mlmc_report *report);

/* Writes a report in Giles's file format 1.0, which his plotting scripts read: at most size - 1 characters
 * and a terminating zero to `text`, which may be NULL if size is 0. Below the table of runs, each run with
 * corrections has a line with their numbers. Returns the length of the whole report. Threads: any. */
BAILEY_API uint64_t bailey_mlmc_report_write(const bailey_mlmc_report *report, char *text, uint64_t size);

#ifdef __cplusplus
}
#endif

#endif
