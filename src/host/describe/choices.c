/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The words of all choices, with what each means: program, Python package and messages have them from here.
 */
#include "choices.h"

#include <bailey/greeks.h>
#include <bailey/mlmc.h>
#include <bailey/motion.h>
#include <bailey/points.h>

const bailey_choice bly_generators[] = {
#define ROW(number, name, word, kind, published, text, verdict, period)                                      \
    {number, text, verdict ", period " period},
    BAILEY_GENERATOR_LIST(ROW)
#undef ROW
#define ROW(number, name, text, verdict, period) {number, text, verdict ", period " period},
        BAILEY_POINT_LIST(ROW)
#undef ROW
};

const bailey_choice bly_sequences[2] = {
    {BAILEY_SEQUENCE_RUNS, "runs", "the library's sequence, any part of which can be generated anywhere"},
    {BAILEY_SEQUENCE_PUBLISHED, "published", "the sequence of the generator's reference or of cuRAND"},
};

const bailey_choice bly_scrambles[4] = {
    {BAILEY_SCRAMBLE_LMS, "lms", "a linear matrix scramble, then a digital shift"},
    {BAILEY_SCRAMBLE_OWEN, "owen", "a nested uniform scramble"},
    {BAILEY_SCRAMBLE_SHIFT, "shift", "a digital shift"},
    {BAILEY_SCRAMBLE_NONE, "none", "no randomisation"},
};

const bailey_choice bly_point_orders[2] = {
    {BAILEY_POINT_ORDER_GRAY, "gray", "Gray-code order, as in SciPy and cuRAND"},
    {BAILEY_POINT_ORDER_INDEX, "index", "index order"},
};

const bailey_choice bly_assignments[3] = {
    {BAILEY_ASSIGNMENT_STEPS, "steps", "the first steps of all dimensions of the path come first"},
    {BAILEY_ASSIGNMENT_FACTORS, "factors", "all steps of the path's first dimension come first"},
    {BAILEY_ASSIGNMENT_DIAGONAL, "diagonal", "in order of step plus dimension"},
};

const bailey_choice bly_precisions[2] = {
    {BAILEY_PRECISION_F32, "f32", "single precision"},
    {BAILEY_PRECISION_F64, "f64", "double precision"},
};

const bailey_choice bly_normal_methods[3] = {
    {BAILEY_NORMAL_METHOD_ICDF, "icdf", "inverse CDF"},
    {BAILEY_NORMAL_METHOD_BOX_MULLER, "box-muller", "Box-Muller"},
    {BAILEY_NORMAL_METHOD_WALLACE, "wallace", "Wallace's method, f32 of philox; normals are not independent"},
};

const bailey_choice bly_numerics[2] = {
    {BAILEY_NUMERICS_EXACT, "exact", "the same bits on every device"},
    {BAILEY_NUMERICS_FAST, "fast", "the device's native functions"},
};

const bailey_choice bly_word_sizes[2] = {{32, "32", NULL}, {64, "64", NULL}};

const bailey_choice bly_option_types[2] = {
    {BAILEY_OPTION_TYPE_PUT, "put", "strike minus price"},
    {BAILEY_OPTION_TYPE_CALL, "call", "price, or the largest of several, minus strike"},
};

const bailey_choice bly_motion_areas[3] = {
    {BAILEY_MOTION_AREAS_NONE, "none", NULL},
    {BAILEY_MOTION_AREAS_H, "h", "the space-time area"},
    {BAILEY_MOTION_AREAS_HK, "hk", "the space-time-time area too"},
};

const bailey_choice bly_device_kinds[4] = {
    {BAILEY_DEVICE_KIND_NONE, "none", "a backend that cannot run here"},
    {BAILEY_DEVICE_KIND_CPU, "cpu", NULL},
    {BAILEY_DEVICE_KIND_GPU, "gpu", NULL},
    {BAILEY_DEVICE_KIND_OTHER, "other", NULL},
};

const bailey_choice bly_points_forms[3] = {
    {BAILEY_POINTS_FORM_UNIFORMS, "uniforms", "uniforms between 0 and 1, both excluded"},
    {BAILEY_POINTS_FORM_NORMALS, "normals", "standard normals by the inverse CDF"},
    {BAILEY_POINTS_FORM_WORDS, "words", "the words behind the uniforms"},
};

const bailey_choice bly_points_layouts[2] = {
    {BAILEY_POINTS_LAYOUT_POINT_MAJOR, "point-major", "[point][dim]"},
    {BAILEY_POINTS_LAYOUT_DIM_MAJOR, "dim-major", "[dim][point]"},
};

const bailey_choice bly_bridge_outputs[2] = {
    {BAILEY_BRIDGE_OUTPUT_PATHS, "paths", "the points of the path"},
    {BAILEY_BRIDGE_OUTPUT_INCREMENTS, "increments", "increments divided by the length of their step"},
};

const bailey_choice bly_layouts[2] = {
    {BAILEY_LAYOUT_STEP_MAJOR, "step-major", "[step][dim][path]"},
    {BAILEY_LAYOUT_PATH_MAJOR, "path-major", "[path][step][dim]"},
};

const bailey_choice bly_constructions[4] = {
    {BAILEY_CONSTRUCTION_AUTO, "auto", "bridge, or the construction that the payoff's code recommends"},
    {BAILEY_CONSTRUCTION_BRIDGE, "bridge", "Brownian bridge, in a construction order"},
    {BAILEY_CONSTRUCTION_PCA, "pca", "principal components"},
    {BAILEY_CONSTRUCTION_WALK, "walk", "one increment after another"},
};

const bailey_choice bly_sums[2] = {
    {BAILEY_SUM_DOUBLE, "double", "in double precision, as a binary tree"},
    {BAILEY_SUM_FIXED, "fixed", "in integers, on devices without double precision too"},
};

const bailey_choice bly_moment_kinds[4] = {
    {BAILEY_MOMENT_KIND_START, "start", NULL},
    {BAILEY_MOMENT_KIND_STEP, "step", NULL},
    {BAILEY_MOMENT_KIND_AT, "at", "a call of at()"},
    {BAILEY_MOMENT_KIND_FINISH, "finish", NULL},
};

const bailey_choice bly_greek_methods[4] = {
    {BAILEY_GREEK_METHOD_AUTO, "auto", "gradients where the payoff can be differentiated"},
    {BAILEY_GREEK_METHOD_LIKELIHOOD, "likelihood", "likelihood ratios, for payoffs that jump"},
    {BAILEY_GREEK_METHOD_GRADIENT, "gradient", "derivatives along each path"},
    {BAILEY_GREEK_METHOD_DIFFERENCES, "differences", "finite differences on the same paths"},
};

const bailey_choice bly_greek_kinds[10] = {
    {BAILEY_GREEK_KIND_PRICE, "price", NULL}, {BAILEY_GREEK_KIND_DELTA, "delta", NULL},
    {BAILEY_GREEK_KIND_GAMMA, "gamma", NULL}, {BAILEY_GREEK_KIND_CROSS_GAMMA, "cross-gamma", NULL},
    {BAILEY_GREEK_KIND_VEGA, "vega", NULL},   {BAILEY_GREEK_KIND_VOLGA, "volga", NULL},
    {BAILEY_GREEK_KIND_VANNA, "vanna", NULL}, {BAILEY_GREEK_KIND_RHO, "rho", NULL},
    {BAILEY_GREEK_KIND_THETA, "theta", NULL}, {BAILEY_GREEK_KIND_CORRELATION, "correlation", NULL},
};

const bailey_choice bly_mlmc_schedules[2] = {
    {BAILEY_MLMC_SCHEDULE_BATCHED, "batched", "one launch per round of samples"},
    {BAILEY_MLMC_SCHEDULE_PERSISTENT, "persistent", "kernels stay on the device (CUDA)"},
};

const bailey_choice bly_mlmc_approximations[6] = {
    {BAILEY_MLMC_APPROXIMATION_EXACT, "exact", "exact normals only"},
    {BAILEY_MLMC_APPROXIMATION_CONSTANT, "constant", "a constant on each of 1,024 intervals"},
    {BAILEY_MLMC_APPROXIMATION_DYADIC, "dyadic", "piecewise linear"},
    {BAILEY_MLMC_APPROXIMATION_HALF, "half", "constant, with steps in half precision"},
    {BAILEY_MLMC_APPROXIMATION_HALF_DYADIC, "half-dyadic", "piecewise linear, with steps in half precision"},
    {BAILEY_MLMC_APPROXIMATION_AUTO, "auto", "what is cheapest on each level, if the run is long"},
};

const bailey_choice bly_mlmc_reasons[3] = {
    {BAILEY_MLMC_REASON_CONVERGED, "converged", NULL},
    {BAILEY_MLMC_REASON_BIAS, "bias", "the bias is too large on the finest level"},
    {BAILEY_MLMC_REASON_NOTHING, "nothing", "no sample differs from 0"},
};

const bailey_choice bly_distributions[] = {
#define ROW(number, name, word, kind, text, factor) {number, text, NULL},
    BAILEY_DISTRIBUTION_LIST(ROW)
#undef ROW
};

const bailey_choice bly_bridge_strategies[] = {
#define ROW(number, name, word, writer) {number, word, NULL},
    BAILEY_BRIDGE_STRATEGY_LIST(ROW)
#undef ROW
};

const bailey_choice bly_statuses[] = {
#define ROW(number, name, sentence) {number, #name, sentence},
    BAILEY_STATUS_LIST(ROW)
#undef ROW
};

const char *bly_choice_word(const bailey_field *field, int value)
{
    for (uint32_t i = 0; i < field->choice_count; i++)
        if (field->choices[i].value == value) return field->choices[i].name;
    return "unknown";
}
