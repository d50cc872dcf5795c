/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Simulation: paths that stay on the chip, and a payoff of your own, in C, compiled into the kernel that
 * makes them.
 *
 *     const char *code =
 *         "typedef struct { real spot, strike, rate, volatility; } params;\n"
 *         "typedef struct { real sum; } state;\n"
 *         "void start(state *s, const params *p) { s->sum = 0; }\n"
 *         "void step(state *s, const params *p, int i, real t, const real x[])\n"
 *         "{\n"
 *         "    real drift = p->rate - p->volatility * p->volatility / 2;\n"
 *         "    s->sum += p->spot * exp(drift * t + p->volatility * x[0]);\n"
 *         "}\n"
 *         "void finish(const state *s, const params *p, real out[])\n"
 *         "{ out[0] = fmax(s->sum / STEPS - p->strike, 0); }\n";
 *     bailey_simulation_params params = {.path = {.times = times, .steps = 12}, .payoff = {.code = code}};
 *     bailey_simulation *simulation;
 *     bailey_simulation_create(context, &params, &simulation);
 *     bailey_simulation_set(simulation, "spot", &spot, 1);
 *     ...
 *     bailey_estimate estimate;
 *     bailey_simulation_run_params run = {.paths = 1 << 20};
 *     bailey_simulation_run(simulation, &run, &estimate);
 *
 * docs/payoffs.md explains the language of payoffs, and what a payoff may ask for.
 */
#ifndef BAILEY_SIMULATION_H
#define BAILEY_SIMULATION_H

#include <bailey/bailey.h>
#include <bailey/description.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A payoff: code in C with three functions of one path, or the name of a built-in, which is such code too
 * (bailey_payoff_name). The library runs many paths side by side.
 *
 *   typedef struct { real spot, weight[DIMS]; int knock_in; } params;
 *   typedef struct { real sum; int hit; } state;
 *   void start(state *s, const params *p);
 *   void step(state *s, const params *p, int i, real t, const real x[]);
 *   void finish(const state *s, const params *p, real out[2]);
 *
 * params are what bailey_simulation_set sets, state is what is known of a path so far. step sees point i = 0
 * .. STEPS - 1, at time t. finish has two outputs here; out[] is one.
 *
 * A payoff that wants the whole path at once has, instead of state and the three functions,
 *
 *   void whole(const params *p, path x, real out[]);   at(x, i, d) is x[d] of step i, time(x, i) its time
 *
 * Where the path is a motion (`motion_depth` below) the code has `whole`, and at(x, i, d) and time(x, i) are
 * of tick i = 0 .. 2^LEVELS: any ticks, in any order, as often as it likes. i is a uint64. A tick after the
 * last one that was asked for costs least: a path remembers where it is. at() of a tick beyond the end is not
 * a number.
 *
 * `real` is float or double, by the simulation's precision; floating literals are of that type. DIMS and
 * STEPS are constants. Allowed are if, loops, local variables and arrays, functions of its own, int (32
 * bits), uint32, int64, uint64, and exp, log, sqrt, pow, fabs, fmin, fmax, floor, ceil, fma, normal_cdf.
 * Whatever would differ between devices is refused by bailey_simulation_create, with the line. */
typedef struct bailey_payoff {
    const char *code; /* NULL: the built-in called `name` */
    const char *name; /* of a built-in; of code, the file name in its compiler's errors; NULL: "payoff.c" */
    /* Trips that loops without a proved bound may take together in one call of start, step, finish, whole or
     * pair; 0: BAILEY_PAYOFF_LOOP_BUDGET. A path that takes more ends the run with ERROR_PAYOFF, so that no
     * code hangs a device. */
    uint32_t loop_budget;
    uint64_t reserved[4];
} bailey_payoff;
#define BAILEY_PAYOFF_LOOP_BUDGET 1048576u

/* The name of built-in payoff number `index`; NULL beyond the last. bailey_payoff_describe has its code.
 * Threads: any. */
BAILEY_API const char *bailey_payoff_name(size_t index);

/* A function that payoffs and level functions may call. */
typedef struct bailey_language_function {
    const char *name;
    const char *summary; /* what it is, of its arguments x, y and z */
    uint32_t arguments;  /* how many reals it takes, 1 to 3 */
    uint64_t reserved[4];
} bailey_language_function;

/* Number `index` of them; NULL beyond the last. Its value for such arguments is what a path in double has;
 * NaN beyond the last. Threads: any. */
BAILEY_API const bailey_language_function *bailey_payoff_function(size_t index);
BAILEY_API double bailey_payoff_function_value(size_t index, const double *arguments);

/* What a payoff says about itself, for a path of the sizes in `params`, which may be NULL. No device is
 * needed. *description is to be destroyed with bailey_description_destroy.
 *
 * Returns: OK, ERROR_INVALID (code that is refused, or is described wrongly: the error has its place; NULL),
 * ERROR_MEMORY. Threads: any. */
BAILEY_API bailey_status bailey_payoff_describe(const bailey_payoff *payoff,
                                                const bailey_describe_params *params,
                                                bailey_description **description);

typedef struct bailey_simulation_params {
    /* Times, dims, covariance, start, end, construction and order, and the precision of paths and payoff.
     * `output` is what x[] is: paths, or increments. `layout` is 0, `strategy` AUTO.
     *
     * Where the payoff's head comment says what path it needs, as those of all built-ins do, it has that:
     * where it is increments, PATHS means these, dims 0 are the dims that it says, and motion_depth 0 that of
     * a motion; another path is ERROR_INVALID. */
    bailey_bridge_params path;
    bailey_payoff payoff;
    /* 0: paths have the steps above. 1 .. 52: they are Brownian motions at any time (bailey/motion.h), X at
     * tick i of 2^motion_depth between start_time and the one time of `path`, which has one step, no order,
     * and no more than 16 dims. Sources are Philox's, normals those of the inverse CDF. */
    uint32_t motion_depth;
    /* How many paths all runs together are going to take, of all replicates; 0: not known. The bits do not
     * depend on it. Where they are few (up to 2^30 normals per thread on cpu, 2^33 or 2^34 on GPUs) a
     * built-in makes its price as it was compiled with the library, sooner than a compiler is done; its runs
     * then have no time_shift, covariance or scores of scenarios and no BAILEY_SUM_FIXED (ERROR_UNSUPPORTED).
     */
    uint64_t planned_paths;
    uint64_t reserved[4];
} bailey_simulation_params;

typedef struct bailey_simulation bailey_simulation;

/* Reads the payoff and plans the paths. Arrays and code are copied. Parameters have their defaults, where
 * the payoff's code gives them. The programs are compiled when a run first needs them (about a second; then
 * from cache_dir): by the OpenCL driver, on CUDA by NVRTC, on the cpu backend by the system's C compiler (cc,
 * or BAILEY_CC). A device without a compiler has the built-ins, which were compiled with the library and get
 * their paths through memory.
 *
 * Returns: OK; ERROR_INVALID (code that is refused: the message names its line; what bailey_bridge_create
 * refuses), ERROR_UNSUPPORTED (f64 on a device without double precision; in f32 code that divides or takes
 * square roots, on one that does not round them correctly), ERROR_MEMORY. */
BAILEY_API bailey_status bailey_simulation_create(bailey_context *context,
                                                  const bailey_simulation_params *params,
                                                  bailey_simulation **simulation);
BAILEY_API void bailey_simulation_destroy(bailey_simulation *simulation);

/* Sets elements 0 .. count - 1 of the parameter called `name`; `count` is its size, 1 where it is no array.
 * Nothing is compiled. Takes effect with the next run. An unusual value gives a warning (bailey_warning_set).
 *
 * Returns: OK, ERROR_INVALID (no such parameter, another count, a value that is not finite or beyond the
 * precision; of an int, not an integer; outside of the range that the payoff's code says). What was never set
 * has its default; a run is refused while a parameter without one is missing. */
BAILEY_API bailey_status bailey_simulation_set(bailey_simulation *simulation, const char *name,
                                               const double *values, uint64_t count);

/* Parameter number `index` of the payoff: its name and how many elements it has. NULL beyond the last. */
BAILEY_API const char *bailey_simulation_parameter(const bailey_simulation *simulation, size_t index,
                                                   uint64_t *count);

/* What the payoff says about itself: read only, and there as long as the simulation is. NULL of NULL. */
BAILEY_API const bailey_description *bailey_simulation_description(const bailey_simulation *simulation);

/* How many outputs the payoff has. */
BAILEY_API uint32_t bailey_simulation_outputs(const bailey_simulation *simulation);

#define BAILEY_SIMULATION_MAX_OUTPUTS 16u
#define BAILEY_SIMULATION_MAX_REPLICATES 1048576u

/* How many paths have an output in each of `bins` equal bins from `low` to `high`, and below and above: an
 * output x, as a double, is in bin floor((x - low) (bins / (high - low))). Of fewer than 2^32 paths in all
 * replicates. */
typedef struct bailey_histogram {
    double low, high;
    uint32_t bins;    /* at most 65536; 0: no histogram */
    uint32_t output;  /* of which output, or result */
    uint64_t *counts; /* [bins + 2]: below low, the bins, from high on */
    uint64_t reserved[4];
} bailey_histogram;

#define BAILEY_SIMULATION_MAX_RESULTS 64u

/* Sets of parameters, of which each is valued on the same paths: the normals are drawn and the bridge is
 * built once for several of them, and a scenario has the bits of a run of its own. What a run estimates are
 * then its results: output o of scenario s is number s * outputs + o, or, with `weights`, row r is the sum of
 * weights[r][k] times number k, path by path and in double: a difference of two scenarios has the standard
 * error of the difference, which is small beside theirs. Sums begin with 0 and add what has a weight in
 * order, by fma; not with BAILEY_SUM_FIXED.
 *
 * A scenario may also move the paths. With `time_shift` all times are later by that much (nearer, where it is
 * negative) and the path is the Brownian motion at the new times: start + sqrt((t1 + shift - t0) / (t1 - t0))
 * times the first step, and the other steps as they were. With `covariance` it has another covariance per
 * unit of time: x - start is multiplied by L' inverse(L), of the factors of both. Neither is for paths with a
 * fixed end; another covariance is not for a simulation whose own is singular. A scenario that moves nothing
 * has the bits of a run without.
 *
 * Results may be any number, except with `samples`, `covariance` or `expected`: then they are at most
 * BAILEY_SIMULATION_MAX_RESULTS. A row uses at most 64 scenarios, and so do all results of a run with
 * `covariance` or `expected`; fewer where the payoff's state is large.
 *
 * A built-in that runs as it was compiled with the library, which it does on a device that compiles no code,
 * has scenarios and weights, but no time_shift, covariance or scores: ERROR_UNSUPPORTED. */
typedef struct bailey_scenarios {
    /* At most 1048576. 0: one, of the parameters as they are set, and nothing below is read. */
    uint64_t count;
    uint32_t columns;         /* parameters that differ; the others are as they are set */
    const char *const *names; /* [columns], as "strike" or "spot[1]" */
    const double *values;     /* [count][columns] */
    const double *time_shift; /* [count]; NULL: 0 */
    const double *covariance; /* [count][dims][dims]; NULL: the simulation's */
    uint32_t rows;            /* of weights, at most 65536; 0: no weights */
    const double *weights;    /* [rows][count * outputs], no row all zero */
    /* [rows][1 + dims + dims * dims]: c, l and q of row r. On each path the row is multiplied by c + l' y +
     * y' q y, where y is the first point of the simulation's own path less start (of increments, the first
     * one): a score, for derivatives by likelihood ratios (greeks.h). NULL: no row is multiplied. */
    const double *scores;
    uint64_t reserved[4];
} bailey_scenarios;

/* How a run adds up what its paths pay. The two differ in the last digits of every estimate, so that this is
 * a choice of the run and not of the device: either has the same bits on all devices that offer it.
 *
 * BAILEY_SUM_DOUBLE: in double, as a binary tree over the numbers of paths (bailey_simulation_run). For
 * devices with double precision, which weights of scenarios take too.
 *
 * BAILEY_SUM_FIXED: in integers, exactly, on every device that compiles code, with or without double
 * precision. `sum_limit` is the largest magnitude that an output may have, in any scenario. With 2^e the
 * least power of two that is not below it, an output counts as the multiple of 2^(e - 30) nearest to it, of
 * two as near the even one: in f32 what is 2^(e - 7) or more counts as it is. Sums of outputs, of their
 * products and of their third and fourth powers are exact then, of up to 2^63 paths; each becomes a double
 * once, before estimates are made of it. Minima and maxima are of the multiples too. The ends of a histogram,
 * which lie within the limit, are rounded to multiples, and bins are made of integers. Samples are the
 * outputs as they are; antithetic pairs have a mean that is rounded to the simulation's precision. An output
 * beyond the limit, or one that is not a number, is an error that names it and its path: the run has no
 * estimates. Take a limit that no path reaches, but not a needlessly high one: each power of two is a bit. */
typedef enum bailey_sum { BAILEY_SUM_DOUBLE = 0, BAILEY_SUM_FIXED = 1 } bailey_sum;

/* Writes the expectation of each output whose payoff's code names a closed form for it, and which is known
 * for the parameters as they are set: expected[o], of as many as there are outputs. NaN of the others. It is
 * what bailey_simulation_run_params.expected takes: with it the price of "asian" has the option on the
 * geometric mean as its control variate. Of "asian" it is not known where a weight is negative, nor for paths
 * with a start or end.
 *
 * Returns: OK, ERROR_INVALID (an argument is NULL). Threads: as all that is made from a context. Results:
 * exact. */
BAILEY_API bailey_status bailey_simulation_expected(const bailey_simulation *simulation, double *expected);

typedef struct bailey_simulation_run_params {
    bailey_source source;        /* of replicate r with stream + r */
    bailey_normal_params normal; /* its precision is ignored in favour of the simulation's; `fast` also lets
                                  * the payoff's exp use native functions */
    uint64_t first_path;         /* + paths is at most 2^38, of points 2^63 */
    uint64_t paths;      /* of a replicate; take a power of two of points; 0 means BAILEY_SIMULATION_PATHS */
    uint64_t replicates; /* 0 means 1 */
    /* Each path is followed by its mirror image about the start, from -Z: an output of a path is then the
     * mean of both. Not with a fixed end. */
    uint32_t antithetic;
    /* Control variates: expected[o] is the known expectation of output o, NaN of an output that is none;
     * NULL: no output is; see bailey_simulation_expected. The others are estimated with the slopes that make
     * their variance smallest. */
    const double *expected;
    /* expected, samples, histogram.output, covariance and estimates are of its results; without scenarios
     * results are outputs. */
    bailey_scenarios scenarios;
    uint32_t moments; /* 1: also skewness, kurtosis, minimum and maximum, which are NaN without */
    /* Where not NULL: all results, [results][replicates][paths] of the simulation's precision. */
    bailey_buffer *samples;
    bailey_histogram histogram;
    double *covariance; /* [results][results] between the results of a path; may be NULL */
    bailey_sum sum;
    double sum_limit;         /* with BAILEY_SUM_FIXED, 2^-60 to 2^60; else 0 */
    bailey_progress progress; /* may be NULL */
    void *progress_user;
    uint64_t reserved[4];
} bailey_simulation_run_params;

/* Of one output. */
typedef struct bailey_estimate {
    /* With two or more replicates: the mean of theirs, and its standard error from their spread. With one:
     * from the spread of the paths. NaN where it is not known: for one replicate of a source of kind POINT,
     * whose paths are not independent, for one path, and for an output that varies from path to path while
     * all replicates have the same mean, as those of a jump may: their spread says nothing. */
    double mean, standard_error;
    double controlled, controlled_standard_error; /* with control variates; the same as above without */
    /* An interval of 95 % about `controlled`: bailey_student_95 times its error to either side, else NaN. */
    double interval_low, interval_high;
    double variance; /* over all paths */
    /* With `moments`; kurtosis is that beyond a normal number's 3. */
    double skewness, kurtosis, minimum, maximum;
    uint64_t paths; /* of all replicates */
    uint64_t reserved[4];
} bailey_estimate;

/* How many standard errors on either side of a mean make an interval of 95 %: Student's quantile for an error
 * that has `freedom` degrees of freedom, one less than the replicates, or the paths, from whose spread it
 * comes: 2.36 of 8 replicates, 2.13 of 16, 2.04 of 32, 1.96 of many. NaN of 0. Threads: any. */
BAILEY_API double bailey_student_95(uint64_t freedom);

/* Runs paths first_path .. first_path + paths - 1 of each replicate, and writes an estimate per result. Waits
 * for the result. Path p of a source is the path that bailey_bridge_paths makes.
 *
 * Returns: OK, ERROR_INVALID (the message names argument and limit; outputs that are not finite), ERROR_BUILD
 * (the compiler's words, with lines of the payoff's code), ERROR_UNSUPPORTED (no compiler for code, for
 * lookback-garch beyond 512 steps, or for BAILEY_SUM_FIXED; BAILEY_SUM_DOUBLE without double precision),
 * ERROR_CANCELLED, ERROR_PAYOFF: code failed as it ran, and the message says "payoff.c:14:9: index 12 of
 * h[2], on path 0". That is the first path of the lowest replicate that failed, on it the first scenario, the
 * path before its mirror image, and the first that failed there, on every device and however the run is cut.
 * It comes before outputs that are not finite, or beyond sum_limit. Estimates, covariance and counts are not
 * written then; samples may have been. Threads: as all that is made from a context. Results: exact: outputs,
 * sums, extrema, moments and counts have the same bits on every device, for payoffs whose values are finite
 * and not subnormal. A sum over paths is exact with BAILEY_SUM_FIXED, and by default a binary tree over their
 * numbers, in double: node (j, i) = node (j - 1, 2i) + node (j - 1, 2i + 1), down to single paths. A variance
 * below 2^-44 of the mean square is the rounding of the sums, and reported as 0. */
BAILEY_API bailey_status bailey_simulation_run(bailey_simulation *simulation,
                                               const bailey_simulation_run_params *params,
                                               bailey_estimate *estimates);

/* 1 if the payoff's code says that it discretises its model (of the built-ins heston, by its steps, and
 * adaptive-milstein, by its tolerance), so that its estimates have a bias, which their standard errors leave
 * out. */
BAILEY_API int bailey_simulation_is_discretised(const bailey_simulation *simulation);

/* Estimates the bias of each output of such a simulation, with its parameters as they are: the mean of what a
 * coarser path pays, less what the same path pays as it is. Coarser is half of the steps (every second time
 * and the last), or twice the tolerance. Where the error is proportional to the length of steps, as Euler's
 * is for smooth payoffs, this is the bias itself; where it falls more slowly, as Heston's does if the
 * variance comes close to 0, the bias is larger. Of Philox's paths 0 .. paths - 1 by `seed`, from 2 to 2^24;
 * 0 means 65536. It costs as much as half as many more paths.
 *
 * Returns: as bailey_simulation_run, and ERROR_UNSUPPORTED if the simulation is not discretised,
 * ERROR_INVALID if it has one step or a fixed end. Threads: as all that is made from a context. Results:
 * exact. */
BAILEY_API bailey_status bailey_simulation_bias(bailey_simulation *simulation, uint64_t paths, uint64_t seed,
                                                bailey_estimate *biases);

/* Field number `index` of the payoff's state: its name and how many numbers it has. NULL beyond the last;
 * `whole` has no state. */
BAILEY_API const char *bailey_simulation_state(const bailey_simulation *simulation, size_t index,
                                               uint64_t *count);

/* What a path comes to, one after the other. */
typedef enum bailey_moment_kind {
    BAILEY_MOMENT_KIND_START = 0, /* after start */
    /* After a step; of `whole`, which comes later, a step as it is going to be given. */
    BAILEY_MOMENT_KIND_STEP = 1,
    BAILEY_MOMENT_KIND_AT = 2,    /* of a motion: a call of at() in `whole`, in the order of the calls */
    BAILEY_MOMENT_KIND_FINISH = 3 /* after finish, or whole */
} bailey_moment_kind;

/* A moment of a path. Numbers are doubles that are exactly those of the path, but for integers beyond 2^53.
 */
typedef struct bailey_moment {
    bailey_moment_kind kind;
    uint64_t step;      /* STEP; of AT the tick */
    double time;        /* of these */
    uint32_t dimension; /* of AT */
    const double *x;    /* STEP: [dims]; AT: [1], what the call gives; else NULL */
    const double
        *state; /* START, STEP: all numbers of the state after it, in the order of bailey_simulation_state;
                 * NaN of what nothing was written to yet. NULL of `whole` */
    const double *outputs; /* FINISH: [outputs]; else NULL */
    const char *fault;     /* what failed here, as in "payoff.c:14:9: index 12 of h[2]"; else NULL */
    uint64_t reserved[4];
} bailey_moment;

/* Called for each moment, whose arrays are valid until it returns; it must not call the library. 0 goes on,
 * anything else ends with ERROR_CANCELLED. */
typedef int (*bailey_explain)(void *user, const bailey_moment *moment);

/* Shows path `path` of a run step by step: for learning what payoff code does, and for finding what is wrong
 * with it. The path is that of `run`: its source, `normal`, `sum` and `sum_limit` count, and nothing else of
 * it; parameters are as they are set. Of antithetic pairs it is the first path. The code is run by an
 * interpreter on the host, and by a run of that path on the device: that both have the same outputs is
 * checked.
 *
 * Returns: as bailey_simulation_run; ERROR_PAYOFF after the moment in which the code fails, which is the
 * last; ERROR_INVALID (`explain` is NULL, `path` beyond the source's, numerics that are not exact);
 * ERROR_UNSUPPORTED (calls and expressions more than 4000 deep in each other); ERROR_SELFTEST if the device
 * has other outputs. Threads: as all that is made from a context. Results: exact. */
BAILEY_API bailey_status bailey_simulation_explain(bailey_simulation *simulation,
                                                   const bailey_simulation_run_params *run, uint64_t path,
                                                   bailey_explain explain, void *user);

#ifdef __cplusplus
}
#endif

#endif
