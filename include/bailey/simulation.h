/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Simulation: Monte Carlo means over paths that are never written to memory, with your own payoff in C,
 * compiled into the kernel that generates the paths.
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
 * docs/payoffs.md explains the payoff language and the paths that a payoff can request.
 */
#ifndef BAILEY_SIMULATION_H
#define BAILEY_SIMULATION_H

#include <bailey/bailey.h>
#include <bailey/description.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A payoff: code in C with three functions of one path, or the name of a built-in, which consists of such
 * code too (bailey_payoff_name). The library runs many paths in parallel.
 *
 *   typedef struct { real spot, weight[DIMS]; int knock_in; } params;
 *   typedef struct { real sum; int hit; } state;
 *   void start(state *s, const params *p);
 *   void step(state *s, const params *p, int i, real t, const real x[]);
 *   void finish(const state *s, const params *p, real out[2]);
 *
 * bailey_simulation_set sets params; state holds what the payoff remembers of one path. step receives point i
 * = 0 .. STEPS - 1 at time t. Here finish has two outputs; out[] is one.
 *
 * A payoff that needs the whole path at once has, instead of state and the three functions,
 *
 *   void whole(const params *p, path x, real out[]);   at(x, i, d) is x[d] of step i, time(x, i) its time
 *
 * If the path is a motion (`motion_depth` below), the code has `whole`; at(x, i, d) and time(x, i) then refer
 * to tick i = 0 .. 2^LEVELS. It may ask for any ticks, in any order, any number of times. i is a uint64.
 * Ticks in increasing order cost least, since a path keeps its position. at() of a tick beyond the end is
 * NaN.
 *
 * `real` is float or double, according to the simulation's precision; floating literals have that type. DIMS
 * and STEPS are constants. The language has if, loops, local variables and arrays, your own functions, the
 * types int (32 bits), uint32, int64 and uint64, and exp, log, sqrt, pow, fabs, fmin, fmax, floor, ceil, fma,
 * normal_cdf. bailey_simulation_create rejects everything that would differ between devices, and names the
 * line. */
typedef struct bailey_payoff {
    const char *code; /* NULL: the built-in called `name` */
    const char *name; /* of a built-in; with code, the file name in its error messages; NULL: "payoff.c" */
    /* The model that a product is priced under (docs/models.md): its code, or the name of a built-in model
     * (bailey_model_name), or of several layers, "heston+curve". `code` and `name` are the product's then. With
     * code, model_name is the file name in its error messages; among layers, the code is that of the name that
     * no built-in has. Both NULL: a product's usual model. */
    const char *model_code, *model_name;
    /* The model's steps from each time of the path to the next, for a product under a model that discretises;
     * 0: as many as the longest step of the model's scheme asks for. */
    uint32_t substeps;
    /* The maximum of iterations that loops without a proved bound may take together in one call of start,
     * step, finish, whole or pair; 0: BAILEY_PAYOFF_LOOP_BUDGET. A path that exceeds it ends the run with
     * ERROR_PAYOFF, so no code can hang a device. */
    uint32_t loop_budget;
    /* 1: the product's control variates are outputs after its own, those for which the model has what they ask.
     * Their expectation is 0, as bailey_simulation_expected says. */
    uint32_t controls;
    uint64_t reserved[4];
} bailey_payoff;
#define BAILEY_PAYOFF_LOOP_BUDGET 1048576u

/* The name of the built-in payoff with index `index`; NULL beyond the last. bailey_payoff_describe returns
 * its code. Threads: any. */
BAILEY_API const char *bailey_payoff_name(size_t index);

/* The names of the built-in models and products, and their code; NULL beyond the last. Any product may be
 * priced under any model that has what it asks for. Without a model, a product's name means the product under
 * its usual model, unless a built-in payoff has that name. Threads: any. */
BAILEY_API const char *bailey_model_name(size_t index);
BAILEY_API const char *bailey_model_code(size_t index);
BAILEY_API const char *bailey_product_name(size_t index);
BAILEY_API const char *bailey_product_code(size_t index);

/* A function that payoffs and multilevel estimators may call. */
typedef struct bailey_language_function {
    const char *name;
    const char *summary; /* its definition, in terms of its arguments x, y and z */
    uint32_t arguments;  /* the number of its real arguments, 1 to 3 */
    uint64_t reserved[4];
} bailey_language_function;

/* The function with index `index`; NULL beyond the last. bailey_payoff_function_value returns its value as a
 * path in double computes it; NaN beyond the last. Threads: any. */
BAILEY_API const bailey_language_function *bailey_payoff_function(size_t index);
BAILEY_API double bailey_payoff_function_value(size_t index, const double *arguments);

/* Reads the description of a payoff, for a path of the sizes in `params`, which may be NULL. Needs no device.
 * For a product it describes the payoff that it makes with its model, and has its code. For the code of a
 * model, or of a product with the model_name "", it describes that part. Destroy *description with bailey_description_destroy.
 *
 * Returns: OK, ERROR_INVALID (code that is rejected or whose description is wrong, with the position in the
 * message; NULL), ERROR_MEMORY. Threads: any. */
BAILEY_API bailey_status bailey_payoff_describe(const bailey_payoff *payoff,
                                                const bailey_describe_params *params,
                                                bailey_description **description);

typedef struct bailey_simulation_params {
    /* Times, dims, covariance, start, end, construction and order, and the precision of paths and payoff.
     * `output` selects the contents of x[]: paths or increments. `layout` is 0, `strategy` AUTO.
     *
     * If the payoff's head comment specifies the path, as in all built-ins, that path is used: PATHS then
     * means increments if it asks for them, dims 0 means its dims, and motion_depth 0 its depth. A
     * conflicting path is ERROR_INVALID. */
    bailey_bridge_params path;
    bailey_payoff payoff;
    /* 0: paths have the steps above. 1 .. 52: paths are Brownian motions at any time (bailey/motion.h), given
     * by X at tick i of 2^motion_depth between start_time and the only time of `path`, which has one step, no
     * order, and at most 16 dims. Sources must be Philox; normals use the inverse CDF. */
    uint32_t motion_depth;
    /* The expected number of paths of all runs together, of all replicates; 0: not known. It does not affect
     * the bits. For few paths (up to 2^30 normals per thread on cpu, 2^33 or 2^34 on GPUs) a built-in runs as
     * precompiled in the library, which is done sooner than a compiler. Its runs then do not support
     * time_shift, covariance or scores of scenarios, or BAILEY_SUM_FIXED (ERROR_UNSUPPORTED).
     */
    uint64_t planned_paths;
    uint64_t reserved[4];
} bailey_simulation_params;

typedef struct bailey_simulation bailey_simulation;

/* Reads the payoff and plans the paths. Arrays and code are copied. Parameters have their defaults, if the
 * payoff's code gives any. Programs are compiled when a run first needs them (about a second; later from
 * cache_dir): by the OpenCL driver, by NVRTC on CUDA, by the system's C compiler on the cpu backend (cc, or
 * BAILEY_CC). A device without a compiler supports the built-ins, which are precompiled in the library and
 * read their paths from memory.
 *
 * Returns: OK; ERROR_INVALID (code that is rejected, with its line in the message; paths that
 * bailey_bridge_create rejects), ERROR_UNSUPPORTED (f64 on a device without double precision; f32 code with
 * divisions or square roots on a device that does not round them correctly), ERROR_MEMORY. */
BAILEY_API bailey_status bailey_simulation_create(bailey_context *context,
                                                  const bailey_simulation_params *params,
                                                  bailey_simulation **simulation);
BAILEY_API void bailey_simulation_destroy(bailey_simulation *simulation);

/* Sets elements 0 .. count - 1 of the parameter called `name`; `count` is its size, 1 if it is not an array.
 * Nothing is compiled. The values apply from the next run. An unusual value causes a warning
 * (bailey_warning_set). A parameter that was never set has its default; a run is rejected while a parameter
 * without a default is not set.
 *
 * Returns: OK, ERROR_INVALID (no such parameter, a wrong count, a value that is not finite or exceeds the
 * precision, a value of an int that is not an integer, a value outside the range that the payoff's code
 * declares). */
BAILEY_API bailey_status bailey_simulation_set(bailey_simulation *simulation, const char *name,
                                               const double *values, uint64_t count);

/* The parameter with index `index`: its name and its number of elements. NULL beyond the last. */
BAILEY_API const char *bailey_simulation_parameter(const bailey_simulation *simulation, size_t index,
                                                   uint64_t *count);

/* The payoff's description: read-only, valid as long as the simulation. NULL if `simulation` is NULL. */
BAILEY_API const bailey_description *bailey_simulation_description(const bailey_simulation *simulation);

/* The number of outputs of the payoff. */
BAILEY_API uint32_t bailey_simulation_outputs(const bailey_simulation *simulation);

#define BAILEY_SIMULATION_MAX_OUTPUTS 16u
#define BAILEY_SIMULATION_MAX_REPLICATES 1048576u

/* Counts the paths whose output lies in each of `bins` equal bins from `low` to `high`, below and above: an
 * output x, as a double, is in bin floor((x - low) (bins / (high - low))). For fewer than 2^32 paths in all
 * replicates. */
typedef struct bailey_histogram {
    double low, high;
    uint32_t bins;    /* at most 65536; 0: no histogram */
    uint32_t output;  /* which output, or result */
    uint64_t *counts; /* [bins + 2]: below low, the bins, high and above */
    uint64_t reserved[4];
} bailey_histogram;

#define BAILEY_SIMULATION_MAX_RESULTS 64u

/* Sets of parameters, all valued on the same paths. The normals are drawn and the bridge is built once for
 * several scenarios, and each scenario has the bits of a separate run. The run then estimates results: output
 * o of scenario s is number s * outputs + o.
 *
 * With `weights`, result r is the sum of weights[r][k] times number k, path by path and in double. A
 * difference of two scenarios therefore has the standard error of the difference, which is small compared
 * with theirs. Sums begin with 0 and add the terms with nonzero weight in order, by fma. Weights exclude
 * BAILEY_SUM_FIXED.
 *
 * A scenario may also move the paths. With `time_shift`, all times are later by that much (nearer, if it is
 * negative), and the path is the Brownian motion at the new times: start + sqrt((t1 + shift - t0) / (t1 -
 * t0)) times the first step, and the other steps unchanged. With `covariance`, it has another covariance per
 * unit of time: x - start is multiplied by L' inverse(L), using the factors of both. Neither is available for
 * paths with a fixed end; `covariance` requires a simulation whose own covariance is not singular. A scenario
 * that moves nothing has the bits of a run without scenarios.
 *
 * The number of results is not limited, except with `samples`, `covariance` or `expected`: then it is at most
 * BAILEY_SIMULATION_MAX_RESULTS. A row of weights uses at most 64 scenarios, and so do all results of a run
 * with `covariance` or `expected`; fewer if the payoff's state is large.
 *
 * A precompiled built-in, as on a device without a run-time compiler, supports scenarios and weights, but not
 * time_shift, covariance or scores (ERROR_UNSUPPORTED). */
typedef struct bailey_scenarios {
    /* At most 1048576. 0: one scenario with the current parameters; the fields below are ignored. */
    uint64_t count;
    uint32_t columns;         /* parameters that differ; the others keep their current values */
    const char *const *names; /* [columns], such as "strike" or "spot[1]" */
    const double *values;     /* [count][columns] */
    const double *time_shift; /* [count]; NULL: 0 */
    const double *covariance; /* [count][dims][dims]; NULL: the simulation's */
    uint32_t rows;            /* of weights, at most 65536; 0: no weights */
    const double *weights;    /* [rows][count * outputs], no row all zero */
    /* [rows][1 + dims + dims * dims]: c, l and q of row r. On each path the row is multiplied by c + l' y +
     * y' q y, a score for likelihood-ratio derivatives (greeks.h). Here y is the first point of the
     * simulation's path minus start or, with increments, the first increment. NULL: no row is multiplied. */
    const double *scores;
    uint64_t reserved[4];
} bailey_scenarios;

/* How a run accumulates payoff values. The choices differ in the last digits of every estimate, so you choose
 * per run, not per device: each gives the same bits on all devices that offer it.
 *
 * BAILEY_SUM_DOUBLE: in double, as a binary tree over path indices (bailey_simulation_run). Needs double
 * precision on the device, as do weights of scenarios.
 *
 * BAILEY_SUM_FIXED: in integers, exactly, on every device that compiles code, with or without double
 * precision. `sum_limit` is the largest magnitude that an output may have in any scenario. Let 2^e be the
 * smallest power of two that is not below it. Each output is rounded to the nearest multiple of 2^(e - 30),
 * ties to even; in f32, magnitudes of 2^(e - 7) or more need no rounding. Sums of outputs, of their products
 * and of their third and fourth powers are then exact for up to 2^63 paths. Each is converted to double once,
 * before estimates are computed. Minima and maxima are multiples too. The ends of a histogram, which lie
 * within the limit, are rounded to multiples, and bins are computed with integers. Samples are the unrounded
 * outputs; antithetic pairs have a mean rounded to the simulation's precision. An output beyond the limit, or
 * NaN, is an error that names it and its path: the run has no estimates. Choose a limit that no path reaches,
 * but not a needlessly high one: each power of two costs a bit. */
typedef enum bailey_sum { BAILEY_SUM_DOUBLE = 0, BAILEY_SUM_FIXED = 1 } bailey_sum;

/* Writes the expectation of each output for which the payoff's code names a closed form that holds at the
 * current parameters: expected[o], one per output. NaN for the others. Pass it as
 * bailey_simulation_run_params.expected: the price of "asian" then has the option on the geometric mean as
 * its control variate. The closed form of "asian" requires weights that are not negative, and paths without
 * start and end.
 *
 * Returns: OK, ERROR_INVALID (an argument is NULL). Threads: as the context. Results: exact. */
BAILEY_API bailey_status bailey_simulation_expected(const bailey_simulation *simulation, double *expected);

/* Writes the price that is known: a closed form that the product's code has, if the prices of the model are
 * lognormal at the current parameters, such as Black and Scholes's formula for "european". NaN where there is
 * none. It is computed on the host, in double precision.
 *
 * Returns: OK, ERROR_INVALID (an argument is NULL), ERROR_MEMORY. Threads: as the context. Results: exact. */
BAILEY_API bailey_status bailey_simulation_closed_form(const bailey_simulation *simulation, double *price);

typedef struct bailey_simulation_run_params {
    bailey_source source;        /* replicate r uses stream + r */
    bailey_normal_params normal; /* its precision is ignored, as the simulation has one; `fast` also lets
                                    the payoff's exp use native functions */
    uint64_t first_path;         /* first_path + paths is at most 2^38; with points, 2^63 */
    uint64_t paths;      /* per replicate; use a power of two with points; 0 means BAILEY_SIMULATION_PATHS */
    uint64_t replicates; /* 0 means 1 */
    /* 1: antithetic paths. Each path is paired with its reflection about the start, from -Z; its outputs are
     * the means of the two. Not with a fixed end. */
    uint32_t antithetic;
    /* Control variates: expected[o] is the known expectation of output o, or NaN if output o is not a
     * control. NULL: no controls; see bailey_simulation_expected. The other outputs are estimated with the
     * slopes that minimise their variance. */
    const double *expected;
    /* With scenarios, `expected`, `samples`, `histogram.output`, `covariance` and `estimates` are indexed by
     * result; without them, by output. */
    bailey_scenarios scenarios;
    uint32_t moments; /* 1: compute skewness, kurtosis, minimum and maximum, which are NaN otherwise */
    /* If not NULL: receives all results, [results][replicates][paths] in the simulation's precision. */
    bailey_buffer *samples;
    bailey_histogram histogram;
    double *covariance; /* [results][results] between the results of a path; may be NULL */
    bailey_sum sum;
    double sum_limit;         /* with BAILEY_SUM_FIXED, 2^-60 to 2^60; else 0 */
    bailey_progress progress; /* may be NULL */
    void *progress_user;
    uint64_t reserved[4];
} bailey_simulation_run_params;

/* The estimate of one output or result. */
typedef struct bailey_estimate {
    /* With two or more replicates: the mean of their means, and its standard error from their spread. With
     * one: the standard error comes from the spread of the paths. NaN if it cannot be estimated: for one
     * path, and for one replicate of a POINT source, whose paths are not independent. It is also NaN if an
     * output varies from path to path while all replicates have the same mean, as a jump can cause: their
     * spread then carries no information. */
    double mean, standard_error;
    double controlled, controlled_standard_error; /* with control variates; without, the same as above */
    /* A 95 % interval about `controlled`: bailey_student_95 times its standard error on either side, else
     * NaN. */
    double interval_low, interval_high;
    double variance; /* over all paths */
    /* With `moments`; kurtosis is the excess over 3, the value of a normal distribution. */
    double skewness, kurtosis, minimum, maximum;
    uint64_t paths; /* of all replicates */
    uint64_t reserved[4];
} bailey_estimate;

/* The number of standard errors on either side of a mean that make a 95 % interval: the quantile of Student's
 * distribution with `freedom` degrees of freedom, one less than the number of replicates or paths. It is 2.36
 * for 8 replicates, 2.13 for 16, 2.04 for 32, 1.96 for many; NaN for 0 degrees. Threads: any. */
BAILEY_API double bailey_student_95(uint64_t freedom);

/* Runs paths first_path .. first_path + paths - 1 of each replicate, and writes an estimate per result. Waits
 * for the result. Path p of a source is path p of bailey_bridge_paths.
 *
 * Returns: OK, ERROR_INVALID (the message names argument and limit; of outputs that are not finite it has the
 * number of such paths and the first, for which all paths run again), ERROR_BUILD
 * (the compiler's message, with lines of the payoff's code), ERROR_UNSUPPORTED (no compiler for code, for
 * lookback-garch beyond 512 steps, or for BAILEY_SUM_FIXED; BAILEY_SUM_DOUBLE without double precision),
 * ERROR_CANCELLED, ERROR_PAYOFF (the code failed at run time). In the last case the message says, for
 * example, "payoff.c:14:9: index 12 of h[2], on path 0". It reports the first failing path of the lowest
 * failing replicate, and on it the first scenario, the path before its antithetic path, and the first
 * failure, on every device and however the run is split. It takes precedence over outputs that are not finite
 * or beyond sum_limit. After an error, estimates, covariance and counts are not written; samples may have
 * been.
 * Threads: as the context.
 * Results: exact: outputs, sums, extrema, moments and counts have the same bits on every device, for payoffs
 * whose values are finite and not subnormal. With BAILEY_SUM_FIXED a sum over paths is exact. By default it
 * is a binary tree over path indices, in double: node (j, i) = node (j - 1, 2i) + node (j - 1, 2i + 1), down
 * to single paths. A variance below 2^-44 of the mean square is rounding error of the sums, and reported as
 * 0. */
BAILEY_API bailey_status bailey_simulation_run(bailey_simulation *simulation,
                                               const bailey_simulation_run_params *params,
                                               bailey_estimate *estimates);

/* 1 if the payoff's code declares that it discretises its model (among the built-ins, heston and heston-euler
 * by their steps, and adaptive-milstein by its tolerance). Its estimates then have a bias that their standard errors do not
 * cover. */
BAILEY_API int bailey_simulation_is_discretised(const bailey_simulation *simulation);

/* Estimates the bias of each output of such a simulation at the current parameters: the mean payoff
 * difference between a coarser path and the path itself. The coarser path has half the steps (every second
 * time and the last), or twice the tolerance. If the error is proportional to the step length, as for the
 * Euler scheme with smooth payoffs, the estimate is the bias itself. If it falls more slowly, as for
 * heston-euler when the variance comes close to 0, the bias is larger. With a few long steps the two may differ
 * little and both be far off, so the same is done with a quarter and an eighth of the steps, as far as the code
 * can have so few: interval_low to interval_high, -b to b, has the largest of the differences, each halved
 * once for each time that the steps were. It is NaN where there is one comparison: the bias is not resolved. Uses paths 0 .. paths - 1 of Philox with
 * `seed`, from 2 to 2^24; 0 means 65536. Costs about 1.7 times as much as a run of those paths.
 *
 * Returns: as bailey_simulation_run; also ERROR_UNSUPPORTED if the simulation is not discretised,
 * ERROR_INVALID if it has one step or a fixed end. Threads: as the context. Results: exact. */
BAILEY_API bailey_status bailey_simulation_bias(bailey_simulation *simulation, uint64_t paths, uint64_t seed,
                                                bailey_estimate *biases);

/* The field of the payoff's state with index `index`: its name and its number of values. NULL beyond the
 * last; `whole` has no state. */
BAILEY_API const char *bailey_simulation_state(const bailey_simulation *simulation, size_t index,
                                               uint64_t *count);

/* The stages of a path, in order. */
typedef enum bailey_moment_kind {
    BAILEY_MOMENT_KIND_START = 0, /* after start */
    /* After a step. For `whole`, which is called later, a step of its input. */
    BAILEY_MOMENT_KIND_STEP = 1,
    BAILEY_MOMENT_KIND_AT = 2,    /* with a motion: a call of at() in `whole`, in the order of the calls */
    BAILEY_MOMENT_KIND_FINISH = 3 /* after finish, or whole */
} bailey_moment_kind;

/* A stage of a path. Numbers are doubles that equal those of the path, except for integers beyond 2^53. */
typedef struct bailey_moment {
    bailey_moment_kind kind;
    uint64_t step;         /* STEP: the step; AT: the tick */
    double time;           /* of STEP and AT */
    uint32_t dimension;    /* for AT */
    const double *x;       /* STEP: [dims]; AT: [1], the value of the call; else NULL */
    const double *state;   /* START, STEP: all numbers of the state after it, in the order of
                              bailey_simulation_state; NaN if not yet written. NULL for `whole` */
    const double *outputs; /* FINISH: [outputs]; else NULL */
    const char *fault;     /* a failure here, such as "payoff.c:14:9: index 12 of h[2]"; else NULL */
    uint64_t reserved[4];
} bailey_moment;

/* Called for each moment, whose arrays are valid until it returns; it must not call the library. Return 0 to
 * continue; any other value ends the call with ERROR_CANCELLED. */
typedef int (*bailey_explain)(void *user, const bailey_moment *moment);

/* Shows path `path` of a run step by step, to learn what payoff code does or to debug it. `run` determines
 * the path: its source, `normal`, `sum` and `sum_limit` apply, and its other fields are ignored. Parameters
 * have their current values. For antithetic pairs it shows the first path. An interpreter on the host
 * executes the code, and the device runs the same path; the call checks that both have the same outputs.
 *
 * Returns: as bailey_simulation_run; ERROR_PAYOFF after the moment at which the code fails, which is the
 * last; ERROR_INVALID (`explain` is NULL, `path` beyond the source's limit, numerics that are not exact);
 * ERROR_UNSUPPORTED (calls and expressions nested more than 4000 deep); ERROR_SELFTEST if the device has
 * other outputs. Threads: as the context. Results: exact. */
BAILEY_API bailey_status bailey_simulation_explain(bailey_simulation *simulation,
                                                   const bailey_simulation_run_params *run, uint64_t path,
                                                   bailey_explain explain, void *user);

#ifdef __cplusplus
}
#endif

#endif
