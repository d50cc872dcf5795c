/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The contents of a simulation, and declarations that its files share: the plan of paths (simulation.c),
 * programs (simulation_program.c, simulation_text.c), runs (simulation_run.c) of ranges of paths
 * (simulation_range.c).
 */
#ifndef BLY_SIMULATION_HOST_H
#define BLY_SIMULATION_HOST_H

#include <host/payoff/parameters.h>
#include <host/run/nodes.h>

#include <backend/rows.h>
#include <bailey/motion.h>
#include <base/hash.h>
#include <base/text.h>
#include <host/internal.h>
#include <host/run/variant.h>
#include <kernels/simulation_nodes.h>

/* The choices that a program is written for. Variants are compared as bytes: there is no padding. */
struct bly_simulation_variant {
    uint32_t input;  /* BLY_INPUT_ */
    uint32_t draw;   /* DRAWN: an enum bly_draw */
    uint32_t rounds; /* DRAWN: of Philox; 0 for points */
    uint32_t points; /* DRAWN: from points, the bits of their words; else 0 */
    uint32_t owen;   /* whose words are hashed */
    uint32_t copies; /* groups copy the table of the inverse CDF */
    uint32_t block;  /* items of a group, a power of two */
    uint32_t width;  /* paths of an item, a power of two */
    uint32_t fast;   /* native functions may serve the payoff */
    uint32_t antithetic;
    uint32_t products, shape, samples, histogram, fixed; /* see kernels/simulation_code.h */
    uint32_t scenarios, results;                         /* of a pass */
    uint32_t shifts, recorrelates;                       /* see kernels/payoff_head.h */
    uint32_t given; /* 8-byte words of parameters, weights and moves that come with the launch, or 0: they are
                     * in memory */
    uint32_t factor;  /* of these, the last ones, which are C of a derivative that draws; 0: C is in memory */
    uint32_t weights; /* of all results together; 0: results are outputs */
    uint32_t scored;
    uint32_t keeps;  /* states of steps go to memory */
    uint32_t faults; /* 1: the payoff's code may fail; 2: the program reports what failed on one path */
    uint32_t terms[BLY_DIGEST_BYTES / 4]; /* digest of the outputs that weights belong to */
};

/* The parameters of a path, with arrays that it owns. */
struct bly_path_copy {
    bailey_bridge_params params;
    double *times, *factor, *covariance, *start, *end;
    uint32_t *order;
};

/* Runs whose states go to memory step by step, and others that begin with those of a step: see
 * kernels/simulation_kept.h. They have one scenario and replicate, path 0 as their first, normals that are
 * not of points, and a payoff whose state ends with a real. */
struct bly_kept {
    int reads;    /* the states of a step, instead of making paths */
    int quiet;    /* the run is queued, not waited for, and has no estimates; its code cannot fail */
    int samples;  /* a run that makes paths leaves their outputs at at.last: [output][path] */
    bly_kept_params at;
    /* With `quiet`, deals that differ in parameters alone (bly_kept_params): at.deal_memory elements from one to
     * the next, and at.deal_values words of `values`, which has them at at.values. 0 or 1: one, with the
     * simulation's parameters. */
    uint32_t deals;
    bailey_buffer *values;
    bailey_buffer *memory;
};

/* An exercise policy, besides the parameters of the simulation under it. */
struct bly_policy {
    uint32_t functions, dates, every; /* functions: of the regression, the constant included */
    double in_sample;
    /* [dates][functions]: the value of paths that cannot exercise; NULL: not estimated. */
    double *outside;
};

struct bailey_simulation {
    bailey_context *context;
    bailey_bridge *bridge; /* the same paths, where they go through memory */
    bailey_motion *motion; /* where the paths are one; else NULL */
    struct bly_payoff payoff;
    char *code;                           /* of the payoff, as it was given */
    char *closed;                         /* its closed form as out[0] of the same path; NULL: none */
    const struct bly_payoff_row *builtin; /* NULL for your own code */
    const struct bly_kernel *prebuilt;    /* the row in use; NULL where programs are compiled */
    const struct bly_kernel *row;         /* of the built-in, in use or not; NULL without one */
    bailey_precision precision;
    char *around;    /* code of the library around it; else NULL */
    struct bly_policy *policy; /* that it is under; else NULL */
    char *functions;           /* names of those of regressions, each ended by 0, then an empty one; else NULL */
    uint32_t most_outputs; /* of a derivative; else 0 */
    char *lanes;           /* C of it for paths side by side (host/derive/derivative.h); else NULL */
    uint32_t segment;      /* with `lanes` on GPUs: steps that a group has at once (simulation_segment.c) */
    struct bly_path_copy path;     /* as it was settled */
    int has_extrema;               /* its runs estimate extrema, also without `moments` */
    struct bly_gradient *gradient; /* simulation_gradient.c: of the last one; NULL: none yet */
    void (*gradient_free)(struct bly_gradient *gradient);
    uint32_t steps, dims, z_rows;
    uint32_t substeps;     /* steps from one date of a product to the next; 1 where each step is one */
    uint32_t assets;       /* of dims: those that a covariance reaches, all but the code's own */
    uint32_t motion_depth; /* 0: the paths are not a motion */
    uint32_t walk;         /* BLY_WALK_ */
    uint32_t stack_depth;  /* of the stream */
    int streams;           /* paths can be computed from Z in time order; else they go through memory whole */
    int follows;           /* the same of a derivative, which keeps them or draws twice (simulation.c) */
    int fixed_end, correlated;
    double start_time, first_time, last_time;
    double mean_time, mean_earlier; /* see simulation.c */
    int starts_elsewhere;           /* than at 0 */
    double *times;                  /* where steps are halved for a bias; else NULL */
    double *factor;                 /* [dims][dims], as C is before it is rounded; own dimensions have 1 */
    uint32_t width;                 /* paths of an item, unless a run has too few of them */
    uint32_t *z, *pops;             /* of the stream's steps */
    uint8_t *values;                /* the payoff's parameters, as devices have them */
    uint8_t *given;                 /* 1 of each that was set */
    int independent;                /* its code needs dimensions that are */
    int counts_time;                /* t counts from start_time, as the code asks for */
    int changed;                    /* since they were written to the device */
    bailey_buffer *device_values, *device_stream, *device_constants;
    bailey_buffer *results; /* PINNED, of the runs; NULL until the first */
    struct bly_variants programs;
    uint32_t group_items;        /* limit of a group's items since a compiled kernel was refused; 0: none */
    const struct bly_kept *kept; /* of the next run; else NULL */
    uint8_t path_digest[BLY_DIGEST_BYTES]; /* of the parameters that the paths depend on */
    double speed; /* paths per second of the last long range of a job; 0: not known */
};

/* The name of the simulation's built-in, or NULL. */
static inline const char *bly_simulation_builtin(const bailey_simulation *s)
{
    return s->builtin ? s->builtin->name : NULL;
}

/* The rows of a program's nodes: `sums` are added up, the others are extrema. `faults` of the minima, which
 * come before those of outputs, report failed code: a range reads them and leaves them out of its trees. */
struct bly_simulation_rows {
    uint32_t sums, all, faults;
};
struct bly_simulation_rows bly_simulation_rows_of(const struct bly_simulation_variant *v);

/* The sums of a variant, where they are in integers. */
struct bly_fixed bly_simulation_fixed_of(const struct bly_simulation_variant *v);

/* Paths of a group. */
static inline uint64_t bly_simulation_group_paths(const struct bly_simulation_variant *v)
{
    return (uint64_t)v->width * v->block;
}

/* The run with the default number of paths filled in. */
static inline bailey_simulation_run_params bly_simulation_sized(const bailey_simulation_run_params *params)
{
    bailey_simulation_run_params sized = *params;
    if (!sized.paths) sized.paths = BAILEY_SIMULATION_PATHS;
    return sized;
}

/* The value of BLY_SHAPE (kernels/simulation_code.h): moments and extrema, extrema alone, or neither. */
static inline uint32_t bly_simulation_shape(const bailey_simulation *s,
                                            const bailey_simulation_run_params *params)
{
    return params->moments ? 1 : s->has_extrema ? 2 : 0;
}

static inline uint64_t bly_simulation_replicates(const bailey_simulation_run_params *params)
{
    return params->replicates ? params->replicates : 1;
}

/* bailey_simulation_create, within a call on its context. */
bailey_status bly_simulation_create(bailey_context *context, const bailey_simulation_params *params,
                                    bailey_simulation **simulation);

/* The same for a derivative's code, with more outputs than payoffs have. */
bailey_status bly_simulation_create_derivative(bailey_context *context,
                                               const bailey_simulation_params *params, uint32_t outputs,
                                               bailey_simulation **simulation);

/* The same for a payoff with code of the library around it (host/payoff/around.c). */
bailey_status bly_simulation_create_around(bailey_context *context, const bailey_simulation_params *params,
                                           const char *around, bailey_simulation **simulation);

/* Whether paths whose states are kept continue at a mark, instead of at their first step. */
static inline int bly_simulation_resumes(const bailey_simulation *s)
{
    return s->streams && s->walk != BLY_WALK_TREE;
}

/* Reals of memory that a kept state takes, without its last number. */
uint32_t bly_simulation_kept_numbers(const bailey_simulation *simulation);

/* bailey_simulation_run, within a call on its context. */
bailey_status bly_simulation_run(bailey_simulation *simulation, const bailey_simulation_run_params *params,
                                 bailey_estimate *estimates);

/* Finds the built-in, if it is one, makes the defaults of its path those that the head comment of its code
 * asks for, and refuses a path that the code is not for. */
bailey_status bly_path_settle(bailey_simulation *simulation, bailey_simulation_params *params);
/* Adds the code's own dimensions to a path of the assets', in arrays of *wide that the caller frees. Returns:
 * OK, ERROR_MEMORY. */
bailey_status bly_path_widen(const bailey_simulation *simulation, bailey_bridge_params *path,
                             struct bly_path_copy *wide);

/* As bly_payoff_read, from what the context has cached of it. */
bailey_status bly_payoff_find(bailey_context *context, const bailey_payoff *payoff,
                              const struct bly_payoff_path *path, struct bly_payoff *out);

#define BLY_SUM_LIMIT 0x1p60 /* the most that a sum_limit may be; its reciprocal is the least */

/* Checks the parameters of a run with so many results, and finds how its normals are drawn. */
bailey_status bly_simulation_check_run(const bailey_simulation *simulation,
                                       const bailey_simulation_run_params *params, uint64_t results,
                                       enum bly_draw *draw);

/* Checks how it adds up, which is all of it that depends on the device. */
bailey_status bly_simulation_check_sum(const bailey_simulation *simulation,
                                       const bailey_simulation_run_params *params);

/* How many paths an item of the simulation takes, of so many scenarios and results. */
uint32_t bly_simulation_width(const bailey_simulation *simulation, uint32_t scenarios, uint32_t results);

/* An element of a parameter, and the one that "strike" or "spot[1]" names; an error is of `argument`. */
struct bly_parameter {
    const struct bly_field *field;
    uint32_t element;
};
bailey_status bly_simulation_parameter_named(const bailey_simulation *simulation, const char *argument,
                                             const char *name, struct bly_parameter *parameter);

/* Whether items draw normals in registers, a few paths each: on GPUs, and wherever all that is tuned is
 * tried. */
static inline int bly_simulation_draws(const bailey_simulation *s)
{
    const struct bly_device *device = s->context->device;
    return device->info.kind == BAILEY_DEVICE_KIND_GPU || device->tuned == BLY_TUNED_ALWAYS;
}

/* Whether a gradient's paths run side by side, on GPUs in groups that have a segment of each at once: where
 * nothing is tested as it runs, or moved. */
static inline int bly_simulation_takes_lanes(const bailey_simulation *s,
                                             const struct bly_simulation_variant *v)
{
    return s->lanes && !v->faults && !v->shifts && !v->recorrelates && !v->scored &&
           bly_simulation_draws(s) == (s->segment != 0);
}

/* ---- Derivatives on GPUs (simulation_segment.c) --------------------------------------------------- */

/* kernels/simulation_segment.h has these as macros of the same names. */
#define BLY_SEGMENT_TILE 2u /* steps whose points are made side by side; segments have a multiple */
#define BLY_SEGMENT_PACK 4u /* items that draw for each other: the paths of a block of words; half in f64 */
#define BLY_SEGMENT_FREE 8u /* columns of a row that no item has */

/* Steps of a derivative's path that a group of the device has at once; 0: segments do not fit, or the sums of
 * one by the covariance would not. */
uint32_t bly_simulation_segment(const bailey_simulation *simulation, int by_covariance);

/* Whether the paths of a derivative may be drawn in segments. */
int bly_simulation_may_draw_segments(const bailey_simulation *simulation, const bailey_bridge_params *path);

/* Bytes that a group of the variant shares for its segment; 0: it has none. */
uint32_t bly_simulation_segment_bytes(const bailey_simulation *simulation,
                                      const struct bly_simulation_variant *variant);

/* 8-byte words of C, which comes with a launch that draws segments, where there is room; 0: it does not. */
uint32_t bly_simulation_factor_words(const bailey_simulation *simulation,
                                     const struct bly_simulation_variant *variant);

/* Whether programs that draw are straight-line code, if they have one scenario. */
int bly_simulation_is_straight(const bailey_simulation *simulation);

/* ---- Scenarios, and the passes that they are cut into (simulation_scenarios.c) -------------------- */

struct bly_scenario_plan;

/* 4-byte words of the states of scenarios side by side that an item of a GPU keeps in registers, those of all
 * its paths; and of one path's state. */
#define BLY_SCENARIO_WORDS 160u
uint32_t bly_simulation_state_words(const bailey_simulation *simulation, int antithetic);

/* Consecutive outputs of a pass that belong to one row: output `from` + j with weight number `weight` + j. */
struct bly_terms {
    uint32_t row, from, count, weight;
};

/* Results first .. first + results - 1 of a run, and the scenarios that they are computed from. */
struct bly_pass {
    uint32_t results, scenarios;
    uint64_t first;
    const uint64_t *scenario; /* their numbers */
    /* With weights: */
    const struct bly_terms *terms;
    uint32_t term_count, weight_count;
};

/* Checks the scenarios of a run, and what goes with their results; plans its passes. The plan refers to
 * simulation and parameters. Returns: OK, ERROR_INVALID, ERROR_MEMORY. */
bailey_status bly_scenarios_plan(const bailey_simulation *simulation,
                                 const bailey_simulation_run_params *params, struct bly_scenario_plan **plan);
void bly_scenarios_free(struct bly_scenario_plan *plan);

/* Writes a scenario's parameters, as devices have them. */
void bly_scenarios_set(const struct bly_scenario_plan *plan, uint64_t scenario, uint8_t *set);
/* Returns the status; says of which scenario ERROR_INVALID is. */
bailey_status bly_scenarios_named(uint64_t scenario, bailey_status status);

uint64_t bly_scenarios_passes(const struct bly_scenario_plan *plan);
/* All results of the run. */
uint64_t bly_scenarios_results(const struct bly_scenario_plan *plan);

/* Pass number `number`, whose arrays are the plan's until the next call. */
bailey_status bly_scenarios_pass(struct bly_scenario_plan *plan, uint64_t number, struct bly_pass *pass);

/* Fills in the part of the variant that depends on scenarios. */
void bly_scenarios_choose(const struct bly_scenario_plan *plan, const struct bly_pass *pass,
                          struct bly_simulation_variant *variant);

/* The values that a program reads: sets of parameters, then weights, scores and moves
 * (kernels/payoff_head.h), each starting at an 8-byte word. */
struct bly_values_layout {
    uint64_t set, weights, scores, moves, all; /* words: of a set, before each of the others, of all */
};
struct bly_values_layout bly_scenarios_layout(const bailey_simulation *simulation,
                                              const struct bly_simulation_variant *variant);

/* Writes it for a pass, into zeroed memory. */
bailey_status bly_scenarios_write(const struct bly_scenario_plan *plan, const struct bly_pass *pass,
                                  const struct bly_values_layout *layout, void *values);

/* ---- Programs (simulation_text.c, simulation_program.c) ------------------------------------------- */

/* The text of a program; its kernel is "bly_simulate". What does not fit memory shows in `text`. */
void bly_simulation_write(const bailey_simulation *simulation, const struct bly_simulation_variant *variant,
                          const struct bly_pass *pass, struct bly_text *text);
/* Bytes of memory that a group of it shares. */
uint32_t bly_simulation_shared(const bailey_simulation *simulation,
                               const struct bly_simulation_variant *variant);

/* The program of a pass, compiled if it has not been. Where the device cannot have what `variant` asks for,
 * *variant changes to what it has. */
bailey_status bly_simulation_find_program(bailey_simulation *simulation,
                                          struct bly_simulation_variant *variant, const struct bly_pass *pass,
                                          struct bly_entry *entry);

/* ---- Built-in payoffs that were compiled with the library (simulation_prebuilt.c) ---------------- */

#define BLY_PREBUILT_NODE_PATHS (UINT64_C(1) << BLY_NODE_BITS) /* a chunk is a multiple of it */

/* Takes the row of a built-in, on a device that compiles no code or where `normals` are too few for a
 * compiler to pay (with BAILEY_PREBUILT=1 in the environment always, with 0 only without a compiler): its
 * paths are then X in memory, and its parameters laid out as the row has them. Otherwise nothing changes. */
bailey_status bly_prebuilt_choose(bailey_simulation *simulation, const bailey_payoff *payoff,
                                  uint64_t normals);
/* After the program of a pass failed to build with `status`: takes the row where there is one that can do the
 * same, and returns OK. Otherwise `status`, with its words. */
bailey_status bly_prebuilt_fall_back(bailey_simulation *simulation,
                                     const struct bly_simulation_variant *variant, bailey_status status);

/* Memory for the outputs of paths, as doubles: output o of a chunk's path i is element first + o row + i. */
struct bly_prebuilt_outputs {
    bailey_buffer *buffer;
    uint64_t first, row;
};

/* A chunk of a run in several scenarios. Rows of `outputs` are the outputs of each scenario in turn and,
 * where results are weighted sums of these, the results. */
struct bly_prebuilt_chunk {
    uint64_t paths; /* a multiple of BLY_PREBUILT_NODE_PATHS; X has rows of that */
    int antithetic;
    bailey_buffer *x, *values; /* sets of parameters, one after the other */
    bailey_buffer *weights;    /* [results][scenarios * outputs]; NULL: results are the outputs */
    const struct bly_prebuilt_outputs *outputs;
};

/* Rows of outputs that a chunk takes. */
uint64_t bly_prebuilt_rows(const bailey_simulation *simulation, const struct bly_simulation_variant *variant);

/* Queues a chunk's nodes, samples and counts. */
bailey_status bly_prebuilt_launch(bailey_simulation *simulation, const struct bly_simulation_variant *variant,
                                  const struct bly_prebuilt_chunk *chunk, const bly_simulation_params *run,
                                  bailey_buffer *nodes, bailey_buffer *samples);

/* Whether rows do what scenarios ask for. ERROR_UNSUPPORTED: they do not. */
bailey_status bly_prebuilt_check(const bailey_simulation *simulation,
                                 const struct bly_simulation_variant *variant);

/* Uploads the weights of a pass, of which `weights` has those that count; *uploaded stays NULL if results are
 * no weighted sums. */
bailey_status bly_prebuilt_weights(bailey_simulation *simulation, const struct bly_pass *pass,
                                   const double *weights, bailey_buffer **uploaded);

/* Fills in width, block and copies, for runs of so many paths. */
void bly_simulation_choose_groups(const bailey_simulation *simulation, uint64_t paths,
                                  struct bly_simulation_variant *variant);

/* The tuning of the table's copies with segments, or NULL. */
const struct bly_copies_tuning *bly_simulation_segment_copies(const bailey_simulation *simulation);

/* The tuning of the table's copies for draws like the variant's, or NULL. */
const struct bly_copies_tuning *bly_simulation_copies(const bailey_simulation *simulation,
                                                      const struct bly_simulation_variant *variant);

/* A range of a run's paths: paths first .. first + paths - 1 of `replicates` replicates, from number
 * `replicate` on. Where the range ends and the run goes on, no node may be of a height above `height`: both
 * ends are multiples of 2^height there, and of a group's paths. */
struct bly_simulation_range {
    uint64_t replicate, replicates, first, paths;
    uint32_t height;
};

/* Takes the nodes of a replicate's range in a pass, from left to right and not joined beyond what is there.
 * Replicates come in their order. */
typedef bailey_status (*bly_simulation_taker)(void *user, const struct bly_pass *pass, uint64_t replicate,
                                              struct bly_tree *tree);

/* ---- Looks at kept states that do not wait for the host (simulation_looks.c) ---------------------- */

struct bly_looks;

/* Prepares looks of `simulation`, whose outputs are 1 where a path counts, functions and the regressand, all 0
 * where it does not, and whose code cannot fail: for kept->deals deals, at least 1, kept->at.deal_values words of
 * parameters and `records` records each, which factorise `dates` dates together. They become kept->values until the
 * looks end. `params` says what else is needed; *looks must be ended in any case. */
bailey_status bly_looks_begin(bailey_simulation *simulation, struct bly_kept *kept,
                              const bailey_simulation_run_params *params, const void *values, uint32_t records,
                              uint32_t dates, struct bly_looks **looks);
void bly_looks_end(struct bly_looks *looks);

/* What becomes of a look's sums. */
struct bly_looks_fit {
    uint32_t record;  /* its number (kernels/simulation_nodes.h) */
    uint32_t fits;    /* 0: only sums */
    uint32_t gives;   /* whose coefficients become reals `values` and those that follow, of all sets */
    uint64_t values;
    double otherwise; /* see bly_fit_params */
};

/* Queues the look that kept->at says; NULL: its sums are not used. */
/* Factorises the functions of `dates` dates, whose first is that of kept->at, which it moves; at.date_memory and
 * at.date_values lead from one to the next. The factors, and then the fits, have the numbers of their records. */
bailey_status bly_looks_factor(struct bly_looks *looks, uint32_t record, uint32_t dates);
bailey_status bly_looks_queue(struct bly_looks *looks, const struct bly_looks_fit *fit);
/* Waits for all, and reads the records, [deals][records]. */
bailey_status bly_looks_read(struct bly_looks *looks, double *to);

/* ---- Payoff code that fails as it runs (simulation_faults.c) -------------------------------------- */

#define BLY_DIAGNOSIS_ROWS 4u /* kernels/payoff_faults.h */
#define BLY_NO_FAULT UINT64_MAX

/* The first fault of a run, as far as it is known: of the lowest replicate, and there of the lowest path. */
struct bly_fault {
    int diagnoses; /* the range is one path, and `diagnosis` is set to what its fault rows say */
    int found;
    uint64_t replicate, path;
    uint64_t diagnosis[BLY_DIAGNOSIS_ROWS];
    /* What else is refused, which counts where no code fails: code that does may be why. */
    bailey_status refused;
    int infinite; /* sums of outputs in double are not finite */
    const char *argument;
    char text[BLY_ERROR_TEXT]; /* of that; of the fault, once bly_simulation_end_faults was called */
};

/* Whether a fault is known before a path. */
int bly_fault_is_before(const struct bly_fault *fault, uint64_t replicate, uint64_t path);
/* Keeps the first. */
void bly_fault_note(struct bly_fault *fault, uint64_t replicate, uint64_t path);
/* Keeps ERROR_INVALID, the first, with its words, and returns OK; returns any other status. */
bailey_status bly_fault_defer(struct bly_fault *fault, bailey_status status);
/* ERROR_PAYOFF of `argument`, or what was refused, or OK; sets the error's words. */
bailey_status bly_fault_status(const struct bly_fault *fault, const char *argument);
/* The least of fault row `row` in `count` nodes; BLY_NO_FAULT: there is none. */
uint64_t bly_fault_in_row(const struct bly_simulation_rows *rows, int fixed, uint32_t row,
                          const double *values, uint64_t count);
/* After all passes: runs the path that failed again to find the words, and returns bly_fault_status. */
bailey_status bly_simulation_end_faults(bailey_simulation *simulation,
                                        const bailey_simulation_run_params *params,
                                        struct bly_scenario_plan *plan, enum bly_draw draw,
                                        struct bly_fault *fault);

/* Runs pass number `pass` over a range of a run that has been checked. The range's counts are written to the
 * histogram of `params` in the passes that have its result. Where code fails, or is known to have failed
 * before the range ends, the range ends early: `fault` has it, and neither nodes nor counts mean anything. */
bailey_status bly_simulation_run_range(bailey_simulation *simulation,
                                       const bailey_simulation_run_params *params,
                                       struct bly_scenario_plan *plan, uint64_t pass, enum bly_draw draw,
                                       const struct bly_simulation_range *range, bly_simulation_taker take,
                                       void *user, struct bly_fault *fault);

/* Refuses a node of the tree whose sums are not finite or, in integers, not of all outputs. `first` is
 * the number of its first result in the run. */
bailey_status bly_simulation_check_sums(const char *payoff, const bailey_simulation_run_params *params,
                                        uint64_t first, const struct bly_tree *tree, const double *value);

/* Joins what is left of the tree, checks the root, and finds the numbers that its rows are, which are the
 * tree's. */
bailey_status bly_simulation_read_sums(const char *payoff, const bailey_simulation_run_params *params,
                                       uint64_t first, struct bly_tree *tree, const double **numbers);

/* ---- Outputs that are not finite (simulation_infinite.c) ------------------------------------------ */

/* Replaces the error of sums that are not finite, which is set, by one with the number of such paths and the
 * first of them: all run again. Returns `refused`. */
bailey_status bly_simulation_count_infinite(bailey_simulation *simulation,
                                            const bailey_simulation_run_params *params, uint64_t results,
                                            enum bly_draw draw, bailey_status refused);

#endif
