/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Multilevel Monte Carlo (M. Giles, "Multilevel Monte Carlo path simulation", Operations Research 56, 2008):
 * an expectation to a wanted root-mean-square error, from many samples of coarse paths and few of fine ones.
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
 * docs/mlmc.md explains levels, the numbers to choose, and how to read the tables.
 */
#ifndef BAILEY_MLMC_H
#define BAILEY_MLMC_H

#include <bailey/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BAILEY_MLMC_MAX_LEVELS 21u  /* levels 0 .. 20 */
#define BAILEY_MLMC_MAX_NUMBERS 64u /* that a step of a level takes: dims, normals and uniforms together */

/* Code of levels: the payoff of a fine path, and of a coarse one that is made of the same random numbers.
 * On level 0 there is a fine path alone, of `first_steps` steps; on level l a fine path of first_steps 2^l
 * steps and a coarse one of half as many. It is code as payoffs are (simulation.h), with these functions of
 * one sample:
 *
 *   typedef struct { real spot, strike, rate, volatility; } params;
 *   typedef struct { real fine, coarse; } state;
 *   void start(state *s, const params *p, int level);
 *   void step(state *s, const params *p, real t, real h, const noise *n);
 *   void pair(state *s, const params *p, real t, real h, const noise *n, const noise *m);
 *   void finish(const state *s, const params *p, real t, real out[2]);
 *
 * On level 0 step is called for each step of length h, which begins at time t. On the others pair is called
 * for each step of the coarse path, of length 2h: it makes two fine steps of length h, of which `n` and `m`
 * are the random numbers, and a coarse one. finish, at the last time t, writes what the fine path pays to
 * out[0], and what the coarse one pays to out[1], which is not looked at on level 0. `noise` is
 *
 *   n->dw[DIMS]      increments of the Brownian motion, of covariance h C
 *   n->z[NORMALS]    independent standard normals
 *   n->u[UNIFORMS]   independent uniform numbers of the open interval (0, 1)
 *
 * where the code says how many it wants by #define NORMALS and #define UNIFORMS, each a plain number; without
 * there are none. STEPS is not known to code of levels. For the levels to be worth it, the coarse path has
 * to be close to the fine one, and for the estimate to be right, what it pays has to be distributed as on the
 * level below, where it is the fine one. */

/* The name of built-in number `index`, whose code bailey_mlmc_describe has; NULL beyond the last: "european",
 * "asian", "lookback", "digital" and "barrier" of M. Giles, "Improved multilevel Monte Carlo convergence
 * using the Milstein scheme", Monte Carlo and Quasi-Monte Carlo Methods 2006. Threads: any. */
BAILEY_API const char *bailey_mlmc_name(size_t index);

/* As bailey_payoff_describe, of level functions: steps and motion_depth are not looked at. */
BAILEY_API bailey_status bailey_mlmc_describe(const bailey_payoff *estimator,
                                              const bailey_describe_params *params,
                                              bailey_description **description);

typedef struct bailey_mlmc_params {
    bailey_payoff estimator; /* code of levels, or the name of a built-in */
    bailey_precision precision;
    uint32_t dims;            /* of the Brownian motion; 0 means 1 */
    const double *covariance; /* [dims][dims], per unit of time; NULL: the identity */
    double time;              /* T, at which paths end; they begin at 0; 0 means 1 */
    uint32_t first_steps;     /* of level 0, a power of two up to 1024; 0 means 1 */
    uint64_t reserved[4];
} bailey_mlmc_params;

typedef struct bailey_mlmc bailey_mlmc;

/* Reads the code. Arrays and code are copied. Parameters have their defaults. Programs are compiled
 * when a run first needs them, as those of simulations are. Returns: as bailey_simulation_create. */
BAILEY_API bailey_status bailey_mlmc_create(bailey_context *context, const bailey_mlmc_params *params,
                                            bailey_mlmc **mlmc);
BAILEY_API void bailey_mlmc_destroy(bailey_mlmc *mlmc);

/* As bailey_simulation_set, bailey_simulation_parameter and bailey_simulation_description. */
BAILEY_API bailey_status bailey_mlmc_set(bailey_mlmc *mlmc, const char *name, const double *values,
                                         uint64_t count);
BAILEY_API const char *bailey_mlmc_parameter(const bailey_mlmc *mlmc, size_t index, uint64_t *count);
BAILEY_API const bailey_description *bailey_mlmc_description(const bailey_mlmc *mlmc);

/* How samples are shared out. With BATCHED each round is a launch over a list of levels and their
 * samples, and how many a round has depends on sums alone: all of a result has the same bits everywhere. With
 * PERSISTENT kernels stay on the device and take samples of the level that is most in need while the host
 * follows, deciding as it does with BATCHED: the result has the same bits. It has no checkpoint. It ends with
 * ERROR_DRIVER if `progress` takes half a minute, or if the device takes as long for one of the chunks, of up
 * to some million samples of a level, that the host waits for in turn: with very slow code take
 * BATCHED. For CUDA; ERROR_UNSUPPORTED elsewhere: OpenCL does not promise that a work-group makes
 * progress while others run, and memory that a kernel and the host share while it runs, fine-grained shared
 * virtual memory, is optional there; NVIDIA's OpenCL has none. */
typedef enum bailey_mlmc_schedule {
    BAILEY_MLMC_SCHEDULE_BATCHED = 0,
    BAILEY_MLMC_SCHEDULE_PERSISTENT = 1
} bailey_mlmc_schedule;

/* Whether normals are approximate (bailey/device/approximate.h), with a correction for that: nested
 * multilevel Monte Carlo. On each level the differences Y~ that approximate normals make are many, and a few
 * samples of Y - Y~, of the same words, correct their mean: the value is that of exact normals, up to its
 * standard error. docs/records/mlmc-low-precision.md says where it pays.
 *
 * Level l's differences draw from stream + l, its corrections from stream + 32 + l. A word makes two
 * approximate normals: of the Brownian motion's numbers of a sample, in the order of rows, number 2 k is made
 * of the first 16 bits of what number k would be made of otherwise, number 2 k + 1 of the last; normals
 * likewise; uniform numbers as otherwise. Where a sample has one number of a sort alone, as on level 0 of a
 * Brownian motion of one dimension and a single step, samples 2 n and 2 n + 1 have the first and the last 16
 * bits of what sample n's would be made of otherwise. A correction has all its numbers as otherwise, and with
 * each exact normal the approximate one of the first 16 bits of its word. */
typedef enum bailey_mlmc_approximation {
    BAILEY_MLMC_APPROXIMATION_EXACT = 0,
    BAILEY_MLMC_APPROXIMATION_CONSTANT = 1, /* a mean for each of 1,024 intervals */
    BAILEY_MLMC_APPROXIMATION_DYADIC = 2 /* piecewise linear, on halves of octaves of the tail probability */
} bailey_mlmc_approximation;

typedef struct bailey_mlmc_run_params {
    /* Level l draws from stream + l. Of kind COUNTER, or of kind POINT for multilevel quasi-Monte Carlo. */
    bailey_source source;
    bailey_normal_params normal; /* its precision is ignored in favour of that of the levels */
    double eps;                  /* the root-mean-square error that is wanted, positive */
    double bias_share;           /* the part of its square that is left to the bias; 0 means 0.25 */
    uint64_t initial_samples;    /* of each of the first levels, before variances are known; 0 means 1000 */
    /* The finest level at the start, at least 2, and at most; 0 means 2, and 10. */
    uint32_t min_level, max_level;
    /* Means fall as 2^(-alpha l), variances as 2^(-beta l), costs grow as 2^(gamma l); 0: estimated, alpha at
     * most 2 and beta at most 4. */
    double alpha, beta, gamma;
    const double *cost; /* [max_level + 1] of a sample; NULL: the steps of its fine path */
    bailey_mlmc_schedule schedule;
    /* With a source of kind POINT: randomisations, number r from stream + 32 r + l; 0 means 32. */
    uint32_t replicates;
    /* The file that the run is saved to, and goes on from if it is there; NULL: none. */
    const char *checkpoint;
    double checkpoint_seconds; /* between two times; 0: 60 */
    /* Not with double precision, points or the persistent schedule. */
    bailey_mlmc_approximation approximate;
    /* Of a step with approximate normals, at most 1, where one with exact normals costs 1 and one of a
     * correction 1 more than this; 0: what was measured. */
    double approximate_cost;
    bailey_progress progress; /* may be NULL; counts cost, of what is known to be needed so far */
    void *progress_user;
    uint64_t reserved[4];
} bailey_mlmc_run_params;

/* Of a level: what its samples' differences Y are, fine payoff - coarse payoff. */
typedef struct bailey_mlmc_level {
    uint64_t samples;      /* of all replicates */
    double cost;           /* of a sample */
    double mean, variance; /* of Y; with points, the variance between means of replicates */
    uint64_t reserved[4];
} bailey_mlmc_level;

/* Why a run ended without an error of eps. */
typedef enum bailey_mlmc_reason {
    BAILEY_MLMC_REASON_CONVERGED = 0,
    BAILEY_MLMC_REASON_BIAS = 1, /* the bias is still above its share of eps on max_level */
    BAILEY_MLMC_REASON_NOTHING =
        2 /* no sample differs from 0, of 2^20 on level 0: nothing is known of the value */
} bailey_mlmc_reason;

/* A sentence without a full stop, such as "the bias is too large on the finest level"; "" of CONVERGED.
 * Threads: any. */
BAILEY_API const char *bailey_mlmc_reason_message(bailey_mlmc_reason reason);

typedef struct bailey_mlmc_result {
    double mean;           /* the sum of the levels' means */
    double standard_error; /* of it, from the variances */
    /* That is left, as estimated from the last three levels; where alpha is not given, as if the levels
     * beyond fell by half each at most. */
    double bias;
    uint32_t converged;        /* 0: for the `reason`; `mean` is what it is */
    bailey_mlmc_reason reason; /* CONVERGED, or what is wrong */
    double cost;               /* of all samples */
    double alpha, beta, gamma; /* as used */
    uint32_t levels;           /* finest level + 1 */
    uint32_t rounds;           /* of samples that were launched */
    bailey_mlmc_level level[BAILEY_MLMC_MAX_LEVELS];
    /* With `approximate`, Y~ is what `level` has, and this has Y - Y~; else zero. */
    bailey_mlmc_level correction[BAILEY_MLMC_MAX_LEVELS];
    uint64_t reserved[4];
} bailey_mlmc_result;

/* Estimates the expectation to a root-mean-square error of eps. Waits for the result.
 *
 * The algorithm is that of M. Giles, "Multilevel Monte Carlo methods", Acta Numerica 24 (2015), section 3:
 * samples on the first levels; then as many on each level as make the sum's variance (1 - bias_share) eps^2
 * at least cost, by the variances so far; then further levels until the bias, extrapolated from the last
 * three, is below sqrt(bias_share) eps. A variance that few samples have made is not trusted: the first
 * levels are sampled until 30 samples differ from 0, or what is not known of them is small against eps. With
 * points: M. Giles and B. Waterhouse, "Multilevel quasi-Monte Carlo path simulation" (2009): points are
 * doubled on the level where that lowers the variance most for its cost. A launch serves all levels, and
 * while the host looks at one list the device is at work on the next.
 *
 * Returns: OK, also without convergence (result->converged); ERROR_INVALID (the message names argument and
 * limit; payoffs that are not finite; a checkpoint that is damaged, of another run or version), ERROR_PAYOFF
 * (code failed as it ran: the message ends with "on sample 3 of level 2", the first sample of the lowest
 * level in the first list in which any fails, or of points with "on point 3 of replicate 0 of level 2"),
 * ERROR_BUILD, ERROR_UNSUPPORTED (no compiler; no double precision for the sums), ERROR_CANCELLED,
 * ERROR_MEMORY, ERROR_DRIVER, ERROR_IO (a checkpoint that can be neither read nor made: then nothing was
 * run). Nothing is written to *result unless OK is returned. With a checkpoint, whatever else ends the run is
 * saved, and the same call goes on from there; a run that is done has its result at once. Threads: as all
 * that is made from a context. Results: exact, with the schedule BATCHED: all of *result has the same bits on
 * every device. Sample i of level l takes number (row, i) of stream + l, as paths of bridges do: rows are
 * first those of the Brownian motion, step by step and in each step dimension by dimension, then those of the
 * normals and then those of the uniforms, likewise. Sums are binary trees over the numbers of samples, in
 * double. */
BAILEY_API bailey_status bailey_mlmc_run(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                         bailey_mlmc_result *result);

/* Runs samples 0 .. samples[l] - 1 of each level l = 0 .. levels - 1, and no others, numbers being multiples
 * of 32: eps, bias_share, initial_samples, min_level, max_level, schedule and checkpoint are not looked at. A
 * level may have none. `cost` is that of the levels that there are. `bias` and `converged` are as with eps of
 * the standard error. With `approximate` there are samples[2 * levels], after those of the differences as
 * many of the corrections. Returns, Threads, Results: as bailey_mlmc_run. */
BAILEY_API bailey_status bailey_mlmc_run_samples(bailey_mlmc *mlmc, const bailey_mlmc_run_params *params,
                                                 const uint64_t *samples, uint32_t levels,
                                                 bailey_mlmc_result *result);

/* ---- Tests of levels ------------------------------------------------------------------------------- */

#define BAILEY_MLMC_MAX_EPS 32u

typedef struct bailey_mlmc_test_params {
    bailey_mlmc_run_params run; /* of the complexity tests; `eps` and `checkpoint` are not looked at */
    /* Of each level of the convergence test, rounded up to a multiple of 32; 0 means 100000. */
    uint64_t samples;
    uint32_t finest;    /* level of the convergence test; 0 means 8 */
    const double *eps;  /* [eps_count], of the complexity tests; may be NULL */
    uint32_t eps_count; /* at most BAILEY_MLMC_MAX_EPS */
    uint64_t reserved[4];
} bailey_mlmc_test_params;

/* A row of the convergence test. */
typedef struct bailey_mlmc_test_level {
    double mean, fine_mean;         /* of Y, of the fine payoff */
    double variance, fine_variance; /* likewise */
    double kurtosis;                /* of Y: a normal number's is 3 */
    /* |mean + mean of the fine payoff below - fine mean| by three standard errors of it: above 1 with
     * probability 0.3 %, unless coarse payoffs are not distributed as fine ones of the level below. */
    double check;
    double cost; /* of a sample */
    uint64_t reserved[4];
} bailey_mlmc_test_level;

typedef struct bailey_mlmc_test_run {
    double eps;
    double standard_cost; /* of Monte Carlo on the finest level alone, to the same error */
    double savings;       /* standard_cost / result.cost */
    bailey_mlmc_result result;
    uint64_t reserved[4];
} bailey_mlmc_test_run;

typedef struct bailey_mlmc_report {
    uint64_t samples;
    uint32_t levels;
    bailey_mlmc_test_level level[BAILEY_MLMC_MAX_LEVELS];
    double alpha, beta, gamma; /* regressions over levels 1 .. */
    uint32_t kurtosis_warning; /* above 100 on the finest level: variances are hard to estimate */
    uint32_t check_warning;    /* a check above 1 */
    uint32_t runs;
    bailey_mlmc_test_run run[BAILEY_MLMC_MAX_EPS];
    uint64_t reserved[4];
} bailey_mlmc_report;

/* Giles's mlmc_test: a convergence test of all levels, with regressions and checks, and a complexity test for
 * each eps, which is bailey_mlmc_run with it. All of them take the same seed and streams, and so their
 * samples of a level from number 0 on: a run with less eps has those of a run with more among its own, so
 * that their errors are correlated, and what the convergence test shows of a level is of samples that the
 * runs have too. For independent ones call this, or bailey_mlmc_run, with other seeds. The convergence test
 * of a source of points draws random numbers of philox with its seed: it is of the levels, not of the points.
 * Progress begins anew with each. Returns, Threads, Results: as bailey_mlmc_run. */
BAILEY_API bailey_status bailey_mlmc_test(bailey_mlmc *mlmc, const bailey_mlmc_test_params *params,
                                          bailey_mlmc_report *report);

/* Writes a report in Giles's file format 1.0, which his plotting scripts read: at most size - 1
 * characters and a zero to `text`, which may be NULL with size 0. Below the table of runs there is a line of
 * the numbers of corrections for each run that has some. Returns how many characters it has.
 * Threads: any. */
BAILEY_API uint64_t bailey_mlmc_report_write(const bailey_mlmc_report *report, char *text, uint64_t size);

#ifdef __cplusplus
}
#endif

#endif
