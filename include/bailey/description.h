/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * What payoffs and level functions say about themselves, as data: their parameters, the path that they need,
 * and their outputs. It is read from the comments of their code, which docs/developers/payoff-descriptions.md
 * explains.
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
    BAILEY_DEFAULT_KIND_NONE = 0,     /* a run without the parameter is refused */
    BAILEY_DEFAULT_KIND_NUMBER = 1,   /* of each element */
    BAILEY_DEFAULT_KIND_PARAMETER = 2 /* as another parameter is set, when it is run */
} bailey_default_kind;

typedef struct bailey_parameter {
    const char *name;
    const char *summary; /* what it is; "" where the code does not say it, and so on below */
    const char *unit;    /* "per year" */
    bailey_parameter_type type;
    uint32_t line;  /* of the code */
    uint64_t count; /* elements; 1 of a single value */
    const char
        *size; /* of an array, as the code has it: "DIMS", "STEPS", "2 * DIMS", "3"; "" of a single value */
    bailey_interval range;        /* values outside are refused */
    bailey_interval usual;        /* values outside give a warning (bailey_warning_set) */
    const bailey_choice *choices; /* [choice_count] values that are allowed; with 0 any of the range */
    uint32_t choice_count;
    const char *range_words; /* "positive", "in [0, 1)", "-1 (put) or 1 (call)"; "" where all is allowed */
    const char *usual_words; /* "below 2" */
    bailey_default_kind default_kind;
    double default_value;     /* NUMBER */
    const char *default_code; /* as the code has it: "0.5", "1 / DIMS", "spot"; "" of NONE */
    bailey_role role;
    uint64_t reserved[4];
} bailey_parameter;

/* A formula for the expectation of an output, which bailey_simulation_expected computes. */
typedef enum bailey_closed_form {
    BAILEY_CLOSED_FORM_NONE = 0,
    /* Of an option on the geometric mean of a basket of geometric Brownian motions (Kemna and Vorst 1990), as
     * the built-in "asian" has it: parameters are found by their roles, fixings that are past by the names
     * past_count and past_average. */
    BAILEY_CLOSED_FORM_GEOMETRIC = 1
} bailey_closed_form;

/* One of the numbers that a path gives. */
typedef struct bailey_payoff_output {
    const char *name;    /* "price" */
    const char *summary; /* what it is */
    uint32_t control;    /* 1: its expectation is known, so that it may be a control variate of the others */
    uint32_t likelihood; /* 1: derivatives of it by likelihood ratios are right (bailey/greeks.h) */
    bailey_closed_form closed_form; /* of a control, the formula that the code names */
    uint64_t reserved[4];
} bailey_payoff_output;

/* A request that is worth trying. */
typedef struct bailey_payoff_example {
    const char *options; /* behind `bailey price NAME` or `bailey mlmc NAME`: "--spot 100 --strike 100" */
    const char *summary; /* what it gives */
    uint64_t reserved[4];
} bailey_payoff_example;

/* What x[] has to be. */
typedef enum bailey_path_kind {
    BAILEY_PATH_KIND_ANY = 0,        /* not said */
    BAILEY_PATH_KIND_PATHS = 1,      /* the Brownian motion: BAILEY_BRIDGE_OUTPUT_PATHS */
    BAILEY_PATH_KIND_INCREMENTS = 2, /* BAILEY_BRIDGE_OUTPUT_INCREMENTS */
    BAILEY_PATH_KIND_NORMALS = 3,    /* the same of times 1, 2, 3, ...: independent standard normals */
    BAILEY_PATH_KIND_MOTION = 4      /* a motion, at any of 2^motion_depth ticks */
} bailey_path_kind;

typedef enum bailey_path_start {
    BAILEY_PATH_START_ANY = 0,    /* not said: t is the time of the path */
    BAILEY_PATH_START_ZERO = 1,   /* the path has to begin at time 0 */
    BAILEY_PATH_START_COUNTED = 2 /* t counts from the beginning of the path, wherever that is */
} bailey_path_start;

/* The path that code needs. 0 means that it does not say so. */
typedef struct bailey_path_needs {
    bailey_path_kind kind;
    uint32_t dims_least, dims_most;
    uint32_t assets;           /* 1: a dimension for each asset */
    uint32_t has_construction; /* 1: the next is said, and is what it does best with */
    bailey_construction construction;
    bailey_path_start start;
    uint64_t steps; /* a sensible number */
    uint64_t steps_least, steps_most;
    uint32_t motion_depth;  /* a sensible number */
    uint32_t coarser_steps; /* 1: half of the steps make its discretisation coarser */
    const char *coarser;    /* or twice this parameter; "" without */
    uint64_t reserved[4];
} bailey_path_needs;

/* Of a payoff or of level functions. Read only; it lives until bailey_description_destroy, or, where a
 * simulation gave it, as long as that. */
typedef struct bailey_description {
    const char *name;    /* of the built-in or of the code, as errors have it */
    const char *summary; /* the first paragraph of its head comment */
    const char *details; /* the others, with an empty line between two */
    const char *source;  /* who published it */
    const char *code;    /* itself, of a built-in too */
    bailey_path_needs path;
    const bailey_parameter *parameters; /* in the order of the code */
    uint32_t parameter_count;
    const bailey_payoff_output *outputs;
    uint32_t output_count;
    const char *const
        *checks; /* what must hold between parameters, as "past_count > 0 or past_average == 0" */
    uint32_t check_count;
    uint32_t has_head; /* 1: the code has a head comment */
    const bailey_payoff_example *examples;
    uint32_t example_count;
    uint64_t reserved[4];
} bailey_description;

/* Sizes that code is read for; 0 means what it says itself, else 1. */
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
