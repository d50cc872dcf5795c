/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The public structs of payoff code as records, which simulations and multilevel runs share.
 */
#include <bailey/motion.h>
#include <bailey/simulation.h>
#include <host/describe/choices.h>
#include <host/describe/records.h>

#define STRUCT bailey_payoff
static const bailey_field payoff[] = {
    TEXT(code, "your own code", .default_how = "the built-in called name"),
    TEXT(name, "name of a built-in; for your own code, the file name that errors show",
         .default_how = "payoff.c"),
    TEXT(model_code, "your own code of the model of a product", .default_how = "the built-in model_name"),
    TEXT(model_name, "name of the model that a product is priced under; for your own code, the file name that "
                     "errors show",
         .default_how = "as the product says"),
    UINT32(substeps, "steps of the model from each time to the next", .range = FROM(1, UINT32_MAX),
           .default_how = "as the model says"),
    UINT32(loop_budget, "iterations that loops without a proved end may take in one call",
           .range = FROM(1, UINT32_MAX), .default_value = BAILEY_PAYOFF_LOOP_BUDGET),
    FLAG(controls, "1: control variates of a product are outputs behind its own, if the model has what they ask"),
};
RECORD(payoff, "The code of a payoff or of a multilevel estimator.", payoff);
#undef STRUCT

#define STRUCT bailey_describe_params
static const bailey_field describe_params[] = {
    UINT32(dims, "number of dimensions of the path", .default_how = "as the code says, else 1"),
    UINT64(steps, "number of steps of the path", .default_how = "as the code says, else 1"),
    UINT32(motion_depth, "depth of the motion", .range = FROM(1, BAILEY_MOTION_MAX_DEPTH),
           .default_how = "as the code says"),
    CHOICE(precision, "precision of path and payoff", PRECISIONS),
};
RECORD(describe_params, "The sizes for which code is described.", describe_params);
#undef STRUCT
