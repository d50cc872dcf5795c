/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * `bailey price` and `bailey mlmc`.
 */
#ifndef CLI_PRICE_H
#define CLI_PRICE_H

#include <cli/io/io.h>
#include <cli/options/options.h>

#include <bailey/american.h>
#include <bailey/description.h>
#include <bailey/exercise.h>
#include <bailey/gradient.h>
#include <bailey/greeks.h>
#include <bailey/job.h>
#include <bailey/mlmc.h>
#include <bailey/motion.h>
#include <bailey/simulation.h>

#include <stddef.h>
#include <stdint.h>

/* ---- Options ------------------------------------------------------------------------------------- */

/* The options of `bailey price`, one table for all products, and those of them that say how to simulate. */

/* For products, without what a user's payoff needs, and with it. */
extern const struct option price_options[], price_payoff_options[];

/* For both. */
/* clang-format off */
enum price_option {
    H_DEAL, TYPE, MODEL, SET, ASSETS, CORRELATION, DIMS,
    H_TIMES, STEPS, SUBSTEPS, MATURITY, TIMES, VALUATION, MOTION_DEPTH,
    H_SIMULATION, PATHS, REPLICATES, TARGET_ERROR, SOURCE_OPTION_NAMES, NORMAL, ANTITHETIC, CONTROL,
    SCENARIOS, GREEKS, GREEKS_METHOD, LIKELIHOOD, GRADIENT, BY, BY_COVARIANCE, BY_TIME, DIRECTIONS, JUMP_WIDTH, JUMP_WIDTHS, GRADIENT_OUTPUT, GRADIENT_WEIGHTS,
    CONSTRUCTION, ORDER, PRECISION, WORD_BITS, NUMERICS, SUM, SUM_LIMIT,
    H_POINTS, PATH_POINT_OPTION_NAMES,
    H_WORK, DEVICE, THREADS, CHECKPOINT, CHECKPOINT_SECONDS, OUTPUTS, SAVE_OUTPUTS, EXPLAIN, DERIVATIVE_CODE,
    JSON,
    H_PAYOFF, PAYOFF, INCREMENTS, LOOP_BUDGET, PAYOFF_TEMPLATE, H_EXERCISE, EXERCISE_EVERY, EXERCISE_PATHS, EXERCISE_MEMORY, EXERCISE_OUTER,
    EXERCISE_INNER, EXERCISE_HORIZON, EXERCISE_LOWER_ONLY
};
/* clang-format on */

struct price_settings {
    bailey_simulation_run_params run; /* the precision of its normals is that of paths and payoffs */
    double target;                    /* of the standard error, with the most paths in `run`; 0: none */
    int quiet;                        /* no progress is shown */
};

/* Prints what is wrong, returns an exit code. */
int price_settings_read(const struct arguments *arguments, struct price_settings *settings);

/* The correlation of `dims` dimensions, or of as many as the file has where *dims is 0, from --correlation: a
 * file, or the number for each pair. *matrix is allocated, NULL without the option. */
int price_correlation(const struct arguments *arguments, const char *const *names, uint64_t *dims,
                      double **matrix);

/* For bailey_progress, of a struct cli_progress. */
int price_progress(void *user, uint64_t done, uint64_t total);

/* ---- Products ------------------------------------------------------------------------------------ */

/* The library's built-in payoffs, as the program offers them: the paths that their code asks for
 * (bailey_payoff_describe). */

struct price_product {
    const char *name;
    uint32_t dims; /* of the path; 0: any number */
    uint64_t steps;
    int increments;        /* what x[] is */
    int independent;       /* dimensions have no correlation */
    uint32_t own_each, own_more; /* numbers of x after those of dims: for each, and more (bailey_path_needs) */
    int normals;           /* times are 1, 2, 3, ..., and x[] the normals of a step */
    int walk;              /* the construction, unless points are needed */
    uint64_t motion_depth; /* of a path that is a motion */
    const char *outputs;
    const bailey_description *description; /* NULL: it is not a simulation */
    uint64_t listed;                       /* dimensions that lists of numbers had; 0: no list was given */
};

/* The path that a payoff's code asks for; `outputs` keeps the names, and the description has to stay. */
#define PRICE_OUTPUTS_MAX 256
void price_product_of(const bailey_description *description, char outputs[PRICE_OUTPUTS_MAX],
                      struct price_product *product);

/* NULL if no product has that name. */
const struct price_product *price_product(const char *name);
/* The name of product number `index`, and what its code says of it; NULL beyond the last. */
const char *price_product_name(size_t index);
const bailey_description *price_product_description(size_t index);

/* ---- The model ----------------------------------------------------------------------------------- */

/* What `bailey price` simulates: a payoff, its path and its parameters, from options and files. */

/* A parameter of the payoff. */
struct price_parameter {
    const char *name; /* the simulation's */
    uint64_t count;
    double *values; /* allocated */
};

struct price_model {
    const struct price_product *product; /* NULL: a user's payoff */
    const char *name;                    /* of the product, or the code's file */
    char *text;                          /* of the file; NULL: a product */
    char *model_text;                    /* of the file of --model; NULL: a built-in model, or none */
    const char *model_name;              /* of --model; NULL: none */
    uint32_t substeps;
    uint32_t controls; /* 1: those of the product are outputs */
    struct price_product needs;          /* those of the product, or of a user's code */
    bailey_description *described;       /* that code; NULL: a product, or code that cannot be read */
    char outputs[PRICE_OUTPUTS_MAX];     /* of that code */
    double *times, *correlation;
    uint64_t steps, dims;
    uint64_t motion_depth;          /* of a path that is a motion; else 0 */
    const char *correlation_source; /* NULL: independent */
    struct assets assets;           /* of --assets, else none */
    struct order order;
    int construction, increments;
    uint64_t loop_budget; /* 0: the library's */
    bailey_simulation *simulation;
    bailey_simulation *held;       /* the payoff itself, while `simulation` is it under a policy; else NULL */
    bailey_exercise_result policy; /* of `policy_paths` paths */
    uint64_t policy_paths;
    bailey_exercise_bounds_params bounds_params;
    bailey_exercise_bounds bounds; /* upper is NaN without one */
    struct price_parameter *parameters;
    size_t parameter_count;
};

/* Reads options and files. price_model_free in any case. */
int price_model_read(const struct arguments *arguments, const struct price_product *product,
                     const struct price_settings *settings, struct price_model *model);
/* Makes the simulation, and sets its parameters (price_parameters.c). */
int price_model_create(const struct arguments *arguments, const struct price_settings *settings,
                       bailey_context *context, struct price_model *model);
int price_model_set(const struct arguments *arguments, struct price_model *model);
/* Forgets what price_model_set has read. */
void price_parameters_free(struct price_model *model);
/* Whether --correlation gives the parameter of that name: of a payoff whose path has independent dimensions, or
 * one asset and dimensions of the model's own. */
int price_is_correlated(const struct arguments *arguments, const struct price_model *model);
/* Why the command of a product does not take an option that others do; NULL: it does. */
const char *price_refuses(const struct command *command, int option);
/* Whether a column of --assets gives the parameter called so. */
int price_is_column(const char *name);
void price_model_free(struct price_model *model);

/* The parameter whose name is the `length` characters at `name`; NULL if there is none, or no description. */
const bailey_parameter *price_find_parameter(const bailey_description *description, const char *name,
                                             size_t length);

/* What gives a parameter: --NAME VALUE,... or --set NAME=VALUE,... */
struct price_setting {
    const bailey_parameter *parameter;
    char what[400]; /* "--spot" or "--set spot", for errors */
    const char *list;
};

/* Setting number `index` of the arguments, of a parameter that is described. */
int price_read_setting(const struct arguments *arguments, int index, const bailey_description *description,
                       struct price_setting *setting);

/* Values of a parameter that commas separate: numbers, or words for its choices. An error begins with `what`.
 * *values is allocated. */
int price_values(const char *what, const bailey_parameter *parameter, const char *list, double **values,
                 uint64_t *count);

/* cli_check of a call of the library: arguments are called as the options that gave them. */
int price_check(bailey_status status, const struct arguments *arguments, const struct price_model *model);

/* ---- Runs ---------------------------------------------------------------------------------------- */

/* Runs the simulation of `bailey price`. Runs that need a job are in price_job.c. */

#define PRICE_RUNS_MAX 40

struct price_share {
    char who[64];     /* a device's address, or a rank */
    const char *name; /* of a device; NULL: a rank */
    uint64_t paths;   /* of all replicates */
    double seconds;   /* of computing; NaN for a rank */
    int failed;
};

struct price_outcome {
    uint32_t outputs;
    char *names; /* of the outputs, allocated */
    const char *name[BAILEY_SIMULATION_MAX_OUTPUTS];
    double expected[BAILEY_SIMULATION_MAX_OUTPUTS]; /* NaN: not a control variate */
    int controls;
    double closed_form; /* of the price; NaN: there is none */
    uint32_t price; /* the first output that is none */
    int is_bound;   /* it is the value of an exercise policy: a lower bound */
    double most;    /* then the upper end of the interval; infinite without an upper bound */
    bailey_estimate estimate[BAILEY_SIMULATION_MAX_OUTPUTS];
    uint64_t paths; /* of a replicate, in the last run */
    unsigned runs;
    struct {
        uint64_t paths;
        double error;
    } run[PRICE_RUNS_MAX];
    int reached;          /* the target */
    double target;        /* of the standard error: the settings' less the bias */
    int biased;           /* the bias leaves no room for that target */
    bailey_status status; /* of the last run */
    double seconds;
    bailey_estimate
        bias[BAILEY_SIMULATION_MAX_OUTPUTS]; /* of a discretised model; of no paths: not estimated */
    uint64_t loaded;                         /* paths from --checkpoint, of all replicates */
    size_t shares;                           /* of several devices; else 0 */
    struct price_share *share;
    struct price_risk *risk;         /* NULL: neither scenarios nor Greeks */
    struct price_gradient *gradient; /* NULL: none */
};

/* Reads what is asked of the outputs, before anything is computed. price_outcome_free in any case. */
int price_outputs_read(const struct arguments *arguments, const struct price_model *model,
                       struct price_outcome *outcome);
void price_outcome_free(struct price_outcome *outcome);

/* The parameters of the run, without progress and samples. */
bailey_simulation_run_params price_run_params(const struct price_settings *settings,
                                              const struct price_outcome *outcome, uint64_t paths);

/* price_bias.c: after a run, estimates the bias of a discretised model. With a target, before a run, what the
 * bias leaves of it to the standard error; and after it, whether the error with the bias is within it. */
void price_bias_find(const struct price_settings *settings, const struct price_model *model,
                     struct price_outcome *outcome);
void price_target_share(const struct price_settings *settings, const struct price_model *model,
                        struct price_outcome *outcome);
void price_target_judge(const struct price_settings *settings, struct price_outcome *outcome);

/* Runs `paths` paths of each replicate on one device, and writes --save-outputs. */
int price_run(const struct arguments *arguments, const struct price_settings *settings,
              bailey_context *context, const struct price_model *model, uint64_t paths,
              struct price_outcome *outcome);

/* price_samples.c: the file of --save-outputs, of a path that ends in .npy or .csv; checked before, written
 * after the last run. */
int price_samples_check(const struct arguments *arguments);
int price_samples_write(const struct arguments *arguments, const struct price_settings *settings,
                        const struct price_outcome *outcome, bailey_buffer *samples);

/* price_report.c: the report, to standard output, and the warnings, to standard error. */
int price_report(const struct arguments *arguments, const struct price_settings *settings,
                 const struct price_model *model, const struct price_outcome *outcome,
                 const bailey_device *device);

/* Its parts: the warnings; "outputs"; "target", of a run that has one. */
void price_report_warnings(struct document *d, const struct price_settings *settings,
                           const struct price_model *model, const struct price_outcome *outcome);
void price_report_outputs(struct document *d, const struct price_settings *settings,
                          const struct price_outcome *outcome);
void price_report_target(struct document *d, const struct price_settings *settings,
                         const struct price_outcome *outcome);

/* ---- Jobs ---------------------------------------------------------------------------------------- */

/* The devices of `bailey price`, one or a list, and what it runs as a job (bailey/job.h): on several of them,
 * with a checkpoint, or up to a standard error. */

#define PRICE_DEVICES_MAX 16

struct price_devices {
    size_t count;
    bailey_context *context[PRICE_DEVICES_MAX];
    bailey_device about[PRICE_DEVICES_MAX];
    bailey_simulation *simulation[PRICE_DEVICES_MAX]; /* the first one is the model's */
};

/* Opens what --device names. price_devices_close in any case. */
int price_devices_open(const struct arguments *arguments, struct price_devices *devices);
void price_devices_close(struct price_devices *devices);

/* The function that runs jobs: bailey_job_run, or a program's own. `ranks` are the processes that shared the
 * paths, if there were several. */
typedef bailey_status (*price_job_runner)(bailey_simulation *const *simulations, size_t count,
                                          const bailey_job_params *params, bailey_estimate *estimates,
                                          bailey_job_report *report);
struct price_jobs {
    price_job_runner run;
    int ranks;
    uint64_t *rank_paths; /* [ranks] */
};
extern struct price_jobs price_jobs;

/* Whether the paths are shared, by devices or ranks. */
int price_job_is_shared(const struct arguments *arguments);

/* Checks --checkpoint and --checkpoint-seconds, before anything is computed. */
int price_job_check(const struct arguments *arguments);

/* Runs what is asked for, as a job where it takes one; the model is made and set on the first device. Writes
 * --save-outputs. */
int price_run_on(const struct arguments *arguments, const struct price_settings *settings,
                 const struct price_model *model, struct price_devices *devices,
                 struct price_outcome *outcome);

/* ---- American and Bermudan options --------------------------------------------------------------- */

/* `bailey price american` and `bailey price bermudan-max-call`, by bailey_american_price. */

/* The options of all products, and after them those of price_american_option. */
extern const struct option price_american_options[];
enum price_american_option {
    H_AMERICAN = JSON + 1,
    SPOT,
    STRIKE,
    RATE,
    VOLATILITY,
    DIVIDEND,
    BASIS_FUNCTIONS,
    POLICY_PATHS,
    OUTER_PATHS,
    INNER_PATHS,
    LOWER_ONLY,
    MEMORY
};

/* Why these do not take an option that other products have; NULL: they do. */
const char *price_american_refuses(const struct command *command, int option);

struct american_model {
    struct price_model model; /* times, dimensions, correlation */
    double spot[BAILEY_AMERICAN_MAX_ASSETS], volatility[BAILEY_AMERICAN_MAX_ASSETS],
        dividend[BAILEY_AMERICAN_MAX_ASSETS];
    bailey_american_params params;
};

/* Reads options and files into *american, which is all zero; price_model_free of its model in any case. Then
 * prices it, with progress unless the settings are quiet. */
int price_american_read(const struct arguments *arguments, const struct price_settings *settings,
                        struct american_model *american);
int price_american_run(const struct arguments *arguments, const struct price_settings *settings,
                       struct american_model *american, bailey_context *context,
                       bailey_american_result *result);

/* Prices the option of the command. Prints what is wrong, returns an exit code. */
int price_american(const struct arguments *arguments);

/* price_american_report.c */
int price_american_report(const struct american_model *american, const struct price_settings *settings,
                          const bailey_american_result *result, const bailey_device *device, int json);

/* ---- Commands ------------------------------------------------------------------------------------ */

/* A command of `bailey price` for each product that the library has, with the help that its description
 * gives. */

/* The command of product number `index`; NULL beyond the last. For struct family. */
const struct command *price_command(size_t index);
/* The command of a product; NULL if none has that name. It asks for no other product's description. */
const struct command *price_command_named(const char *product);

/* Prices what the options describe, and reports it. `product` is NULL for a user's payoff. */
int price_simulate(const struct arguments *arguments, const struct price_product *product);

/* ---- Descriptions of code ------------------------------------------------------------------------ */

/* What payoffs and levels say of themselves, for the help of `bailey price` and `bailey mlmc`, and for
 * options that are parameters. */

/* The code in the file that `option` names. *code is allocated, to be freed in any case. NULL for the option:
 * what is wrong is not printed. */
int price_read_code(const char *option, const char *path, char **code);
/* The same for --model, of which a name without . and / is that of a built-in: *code is NULL then. */
int price_read_model(const char *option, const char *word, char **code);
/* For struct command: prints the parameters and outputs of the command's product, or of the code of --payoff.
 */
void price_describe(const struct command *command, int argc, char **argv);
/* The same for one name: whether there is a parameter called so, in which - stands for _. */
int price_has_parameter(const struct command *command, int argc, char **argv, const char *name);
/* The words of the help about a parameter: "price today; positive; money". */
void price_parameter_words(const bailey_parameter *parameter, char *text, size_t size);
/* Whether the parameter is called `name`, in which - stands for _. */
int price_is_called(const char *parameter, const char *name);
/* The same of the built-in levels that a word names, or of the code of --code. */
void mlmc_describe(const struct command *command, int argc, char **argv);
int mlmc_has_parameter(const struct command *command, int argc, char **argv, const char *name);

/* ---- Multilevel runs ----------------------------------------------------------------------------- */

/* Runs as the options of `bailey mlmc` ask for them (levels_request.c), which deals of `bailey batch` have as
 * keys. */

extern const struct option levels_options[];

/* clang-format off */
enum levels_option {
    M_H_DEAL, M_SET, M_MATURITY, M_CODE, M_LOOP_BUDGET, M_DIMS, M_CORRELATION,
    M_H_RUNS, M_EPS, M_BIAS_SHARE, M_INITIAL_SAMPLES, M_MIN_LEVEL, M_MAX_LEVEL, M_FIRST_STEPS, M_ALPHA, M_BETA, M_GAMMA,
    M_SCHEDULE, M_REPLICATES, M_APPROXIMATE, M_APPROXIMATE_COST, M_GRADIENT, M_BY,
    M_H_TEST, M_TEST_SAMPLES, M_FINEST, M_NO_TEST,
    M_H_NUMBERS, M_GENERATOR, M_SEED, M_STREAM, M_NORMAL, M_PRECISION, M_WORD_BITS, M_NUMERICS,
    M_H_POINTS, M_SCRAMBLE, M_ASSIGNMENT, M_POINT_ORDER,
    M_H_WORK, M_DEVICE, M_THREADS, M_CHECKPOINT, M_OUTPUT, M_PLOT, M_JSON
};
/* clang-format on */

enum { LEVELS_BUILTINS = 64 };

struct levels_request {
    const char *name; /* of a built-in, or the code's file */
    char *text;       /* of the file; NULL: a built-in */
    double *correlation;
    const char *correlation_source;
    bailey_mlmc_params params;
    bailey_mlmc_test_params test;
    double eps[BAILEY_MLMC_MAX_EPS];
    bailey_mlmc *mlmc; /* the caller's */
    /* Derivatives: the list of --by, its names, and what they are of each run. */
    char *list;
    const char **names;
    uint32_t name_count;
    uint64_t derivatives;
    bailey_mlmc_result *derivative; /* [eps_count][derivatives] */
    char (*derivative_text)[400];
    const char **derivative_name; /* [derivatives] */
};

/* The names of the built-ins, NULL behind them; and as a list: "asian, barrier". */
void levels_names(const char *names[LEVELS_BUILTINS + 1], char *text, size_t size);

/* Reads options and files into *request, which is all zero; levels_free in any case. Then makes the levels on a
 * device, sets their parameters, and says which derivatives there are. Each prints what is wrong and returns an
 * exit code. */
int levels_read(const struct arguments *arguments, struct levels_request *request);
int levels_create(const struct arguments *arguments, struct levels_request *request, bailey_context *context);
int levels_set(const struct arguments *arguments, const struct levels_request *request);
int levels_begin_derivatives(const struct arguments *arguments, struct levels_request *request);
void levels_free(struct levels_request *request);

/* Run number `number` of those to each eps, with its derivatives; and what cannot be run, printed. */
bailey_status levels_run(const struct levels_request *request, const bailey_mlmc_run_params *run, uint32_t number,
                         bailey_mlmc_result *result);
int levels_check(const struct arguments *arguments, const struct levels_request *request, bailey_status status);

/* How `bailey mlmc` shows what it has found: as a report, and as the usual four panels. */

/* Adds the report to the document, with warnings. */
void levels_report(struct document *d, const struct levels_request *request, const bailey_mlmc_report *report,
                   const bailey_device *device);
/* Parts of it: the warning of a run that has not reached its eps, and "derivatives" of runs. */
void levels_warn(struct document *d, const bailey_mlmc_test_run *run);
void levels_report_derivatives(struct document *d, const bailey_mlmc_test_run *runs, uint32_t count,
                               const struct levels_request *request);

/* By level: variances and means of fine payoffs and of differences, and samples for each eps; by eps: eps^2
 * times the costs of multilevel and of plain Monte Carlo. `tested` is 0 for a report without a
 * convergence test. */
int levels_picture(struct output *output, const bailey_mlmc_report *report, int tested, const char *title,
                   const char *subtitle);

/* ---- A path step by step ------------------------------------------------------------------------- */

/* --explain: a path of a run step by step, instead of a price. */

/* Checks --explain, before anything is computed. */
int price_explain_check(const struct arguments *arguments);

/* Prints the path, of a model that is made and set on the context. */
int price_explain(const struct arguments *arguments, const struct price_settings *settings,
                  const struct price_model *model, const struct price_outcome *outcome);

/* ---- Scenarios and Greeks ------------------------------------------------------------------------ */

/* What `bailey price` prints besides the price: the scenarios of --scenarios, and the Greeks of --greeks. */

#define PRICE_SCENARIOS_MAX 4096

struct price_risk {
    uint64_t count;   /* of scenarios; 0: none */
    uint32_t columns; /* that are parameters */
    char **column, **name;
    double *values, *shift;
    bailey_estimate *scenario; /* [2 count - 1]: of the first; then of each its own, and less the first */
    bailey_greek_method method;
    double width; /* of jumps, by that of gradients */
    uint64_t greeks;
    bailey_greek_estimate *greek;
};

/* Reads the file of --scenarios, before anything is computed. price_risk_free in any case. */
int price_risk_read(const struct arguments *arguments, struct price_risk *risk);
void price_risk_free(struct price_risk *risk);

/* Values what is asked for, of the output that is the price, with the paths of the last run. */
int price_risk_run(const struct arguments *arguments, const struct price_settings *settings,
                   const struct price_model *model, const struct price_outcome *outcome,
                   struct price_risk *risk);

/* "scenarios" and "greeks", as far as they were asked for. */
void price_risk_report(struct document *d, const struct price_risk *risk, const struct price_model *model);

/* ---- Early exercise ------------------------------------------------------------------------------ */

/* Where the model's code has `exercise`, its simulation, whose parameters are set, becomes that of the payoff
 * under a policy, until price_exercise_end. */
int price_exercise(const struct arguments *arguments, const struct price_settings *settings,
                   struct price_model *model);
void price_exercise_end(struct price_model *model);
/* How its policy is estimated, without progress. */
int price_exercise_params(const struct arguments *arguments, const struct price_settings *settings,
                          bailey_exercise_params *params);
/* The upper bound, if there is a policy, without --lower-only. */
int price_exercise_bound(const struct arguments *arguments, const struct price_settings *settings,
                         struct price_model *model);
/* The default number of paths that a policy is estimated from. */
uint64_t price_policy_paths(void);

/* "exercise", if there is a policy. */
void price_exercise_report(struct document *d, const struct price_model *model);

/* ---- Gradients ----------------------------------------------------------------------------------- */

/* The derivatives of --gradient, of the output that is the price unless --output or --weights is given. */

struct price_gradient {
    bailey_gradient_params params;
    char *list[2];            /* of --by and --directions, cut at their commas */
    const char **names[2];    /* in them */
    double *widths, *weights; /* of --widths and --weights */
    uint64_t weight_count, count, jumps;
    bailey_derivative *derivative; /* [count] */
    bailey_gradient_jump *jump;    /* [jumps] comparisons, of first derivatives */
};

/* Reads what is asked for, before anything is computed. price_gradient_free in any case. */
int price_gradient_read(const struct arguments *arguments, struct price_gradient *gradient);
/* Cuts a list of names at its commas, in a copy; the caller frees both, whatever is returned. */
int price_gradient_names(const char *option, const char *list, char **copy, const char ***names,
                         uint32_t *count);
void price_gradient_free(struct price_gradient *gradient);

/* Estimates them, with the paths of the last run, where --gradient is given. */
int price_gradient_run(const struct arguments *arguments, const struct price_settings *settings,
                       const struct price_model *model, const struct price_outcome *outcome,
                       struct price_gradient *gradient);

/* --derivative-code: prints the code that they are computed by. */
int price_gradient_code(const struct arguments *arguments, const struct price_model *model,
                        struct price_gradient *gradient);

/* "gradient", if there is one. */
void price_gradient_report(struct document *d, const struct price_gradient *gradient,
                           const struct price_model *model);

/* ---- The template -------------------------------------------------------------------------------- */

/* A payoff to start from, which runs as it is. */
extern const char price_template[];

#endif
