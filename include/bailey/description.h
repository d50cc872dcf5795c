/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Descriptions of payoffs and multilevel estimators, as data: their parameters, the path that they need, and
 * their outputs. The library reads them from comments in their code; docs/developers/payoff-language.md
 * explains how.
 *
 *     bailey_description *d;
 *     bailey_payoff payoff = {.name = "heston"};
 *     bailey_payoff_describe(&payoff, NULL, &d);
 *     for (uint32_t i = 0; i < d->parameter_count; i++) printf("%s\n", d->parameters[i].name);
 *     bailey_description_destroy(d);
 */
#ifndef BAILEY_DESCRIPTION_H
#define BAILEY_DESCRIPTION_H

#include <bailey/describe.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bailey_parameter_type {
    BAILEY_PARAMETER_TYPE_REAL = 0,
    BAILEY_PARAMETER_TYPE_INT = 1,
    BAILEY_PARAMETER_TYPE_UINT32 = 2,
    BAILEY_PARAMETER_TYPE_INT64 = 3,
    BAILEY_PARAMETER_TYPE_UINT64 = 4
} bailey_parameter_type;

typedef enum bailey_default_kind {
    BAILEY_DEFAULT_KIND_NONE = 0,     /* a run without the parameter is rejected */
    BAILEY_DEFAULT_KIND_NUMBER = 1,   /* for each element */
    BAILEY_DEFAULT_KIND_PARAMETER = 2 /* the value of another parameter at the time of the run */
} bailey_default_kind;

typedef struct bailey_parameter {
    const char *name;
    const char *summary; /* a description; "" if the code has none, and so on below */
    const char *unit;    /* "per year" */
    bailey_parameter_type type;
    uint32_t line;         /* of the code */
    uint64_t count;        /* elements; 1 for a single value */
    const char *size;      /* of an array, as written in the code: "DIMS", "STEPS", "2 * DIMS", "3"; "" for a
                              single value */
    bailey_interval range; /* values outside are rejected */
    bailey_interval usual; /* values outside cause a warning (bailey_warning_set) */
    const bailey_choice *choices; /* [choice_count] allowed values; if 0, any value in the range */
    uint32_t choice_count;
    const char
        *range_words; /* "positive", "in [0, 1)", "-1 (put) or 1 (call)"; "" if all values are allowed */
    const char *usual_words; /* "below 2" */
    bailey_default_kind default_kind;
    double default_value;     /* NUMBER */
    const char *default_code; /* as written in the code: "0.5", "1 / DIMS", "spot"; "" for NONE */
    bailey_role role;
    uint64_t reserved[4];
} bailey_parameter;

/* A formula for the expectation of an output, which bailey_simulation_expected evaluates. */
typedef enum bailey_closed_form {
    BAILEY_CLOSED_FORM_NONE = 0,
    /* For an option on the geometric mean of a basket of geometric Brownian motions (Kemna and Vorst 1990),
     * as in the built-in "asian". Parameters are found by their roles, past fixings by the names past_count
     * and past_average. */
    BAILEY_CLOSED_FORM_GEOMETRIC = 1,
    BAILEY_CLOSED_FORM_ZERO = 2 /* it is 0: a control variate of a product */
} bailey_closed_form;

/* One of the numbers that a path yields. */
typedef struct bailey_payoff_output {
    const char *name;    /* "price" */
    const char *summary; /* a description */
    uint32_t control;    /* 1: its expectation is known, so it can be a control variate for the others */
    uint32_t likelihood; /* 1: likelihood-ratio derivatives of it are valid (bailey/greeks.h) */
    bailey_closed_form closed_form; /* of a control: the formula that the code names */
    uint64_t reserved[4];
} bailey_payoff_output;

/* An example to try. */
typedef struct bailey_payoff_example {
    const char
        *options; /* to append to `bailey price NAME` or `bailey mlmc NAME`: "--spot 100 --strike 100" */
    const char *summary; /* its result */
    uint64_t reserved[4];
} bailey_payoff_example;

/* The required contents of x[]. */
typedef enum bailey_path_kind {
    BAILEY_PATH_KIND_ANY = 0,        /* not specified */
    BAILEY_PATH_KIND_PATHS = 1,      /* the Brownian motion: BAILEY_BRIDGE_OUTPUT_PATHS */
    BAILEY_PATH_KIND_INCREMENTS = 2, /* BAILEY_BRIDGE_OUTPUT_INCREMENTS */
    BAILEY_PATH_KIND_NORMALS = 3,    /* the same at times 1, 2, 3, ...: independent standard normals */
    BAILEY_PATH_KIND_MOTION = 4      /* a Brownian motion at any of 2^motion_depth ticks */
} bailey_path_kind;

typedef enum bailey_path_start {
    BAILEY_PATH_START_ANY = 0,    /* not specified: t is the time of the path */
    BAILEY_PATH_START_ZERO = 1,   /* the path must begin at time 0 */
    BAILEY_PATH_START_COUNTED = 2 /* t counts from the beginning of the path */
} bailey_path_start;

/* The path that code needs. 0 means not specified. */
typedef struct bailey_path_needs {
    bailey_path_kind kind;
    uint32_t dims_least, dims_most;
    uint32_t assets;           /* 1: one dimension per asset */
    uint32_t has_construction; /* 1: the next field is specified, and is the recommended construction */
    bailey_construction construction;
    bailey_path_start start;
    uint64_t steps; /* a sensible number */
    uint64_t steps_least, steps_most;
    uint32_t motion_depth;  /* a sensible number */
    uint32_t coarser_steps; /* 1: half the steps give a coarser discretisation */
    const char *coarser;    /* or twice this parameter does; "" if none */
    uint32_t independent;   /* 1: dimensions must be independent, as they are without a covariance */
    uint64_t steps_multiple; /* the number of steps must be a multiple of this */
    uint32_t own_each, own_more; /* after its dims numbers, x has this many for each, and this many more, of
                                  * independent Brownian motions that no covariance reaches */
    uint64_t reserved[4];
} bailey_path_needs;

/* What code is (docs/models.md). */
typedef enum bailey_payoff_kind {
    BAILEY_PAYOFF_KIND_PAYOFF = 0, /* all of a payoff */
    BAILEY_PAYOFF_KIND_MODEL = 1,  /* turns x[] into prices, variances and rates */
    BAILEY_PAYOFF_KIND_PRODUCT = 2 /* reads them, under any model that has them */
} bailey_payoff_kind;

/* The description of a payoff or of a multilevel estimator. Read-only. It lives until
 * bailey_description_destroy or, if it came from a simulation, as long as the simulation. */
typedef struct bailey_description {
    const char *name;    /* of the built-in, or of the code as in error messages */
    const char *summary; /* the first paragraph of its head comment */
    const char *details; /* the remaining paragraphs, separated by empty lines */
    const char *source;  /* the publication */
    const char *code;    /* the code itself, for built-ins too */
    bailey_path_needs path;
    const bailey_parameter *parameters; /* in the order of the code */
    uint32_t parameter_count;
    const bailey_payoff_output *outputs;
    uint32_t output_count;
    const char *const
        *checks; /* conditions between parameters, such as "past_count > 0 or past_average == 0" */
    uint32_t check_count;
    uint32_t has_head; /* 1: the code has a head comment */
    const bailey_payoff_example *examples;
    uint32_t example_count;
    bailey_payoff_kind kind;
    const char *model; /* of a product: the model that it is priced under by default; "" if none */
    double step;       /* of a model: the longest step of its scheme, in years; 0 if any */
    uint32_t exercises; /* 1: the code has `exercise` (bailey/exercise.h) */
    uint64_t reserved[4];
} bailey_description;

/* The sizes for which code is read; 0 means the size that the code specifies, else 1. */
typedef struct bailey_describe_params {
    uint32_t dims;
    uint64_t steps;
    uint32_t motion_depth;
    bailey_precision precision;
    uint64_t reserved[4];
} bailey_describe_params;

BAILEY_API void bailey_description_destroy(bailey_description *description);

#ifdef __cplusplus
}
#endif

#endif
