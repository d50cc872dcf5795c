/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 */
#include "choices.h"

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
    {BAILEY_SEQUENCE_RUNS, "runs", "any part of it can be made anywhere"},
    {BAILEY_SEQUENCE_PUBLISHED, "published", "the words of the generator's reference or of cuRAND"},
};

const bailey_choice bly_scrambles[4] = {
    {BAILEY_SCRAMBLE_NONE, "none", "the plain sequence"},
    {BAILEY_SCRAMBLE_SHIFT, "shift", "a digital shift"},
    {BAILEY_SCRAMBLE_LMS, "lms", "a linear matrix scramble, then a digital shift"},
    {BAILEY_SCRAMBLE_OWEN, "owen", "a nested uniform scramble"},
};

const bailey_choice bly_point_orders[2] = {
    {BAILEY_POINT_ORDER_GRAY, "gray", "in Gray-code order, as SciPy and cuRAND"},
    {BAILEY_POINT_ORDER_INDEX, "index", "in the order of their indices"},
};

const bailey_choice bly_assignments[3] = {
    {BAILEY_ASSIGNMENT_STEPS, "steps", "the first steps of all dimensions come first"},
    {BAILEY_ASSIGNMENT_FACTORS, "factors", "all steps of the first dimension come first"},
    {BAILEY_ASSIGNMENT_DIAGONAL, "diagonal", "by step plus dimension"},
};

const bailey_choice bly_precisions[2] = {
    {BAILEY_PRECISION_F32, "f32", "single precision"},
    {BAILEY_PRECISION_F64, "f64", "double precision"},
};

const bailey_choice bly_normal_methods[3] = {
    {BAILEY_NORMAL_METHOD_ICDF, "icdf", "inverse CDF"},
    {BAILEY_NORMAL_METHOD_BOX_MULLER, "box-muller", "Box-Muller"},
    {BAILEY_NORMAL_METHOD_WALLACE, "wallace", "normals from normals, which are not independent"},
};

const bailey_choice bly_numerics[2] = {
    {BAILEY_NUMERICS_EXACT, "exact", "the same bits on every device"},
    {BAILEY_NUMERICS_FAST, "fast", "the device's native functions"},
};

const bailey_choice bly_word_sizes[2] = {{32, "32", NULL}, {64, "64", NULL}};

const bailey_choice bly_option_types[2] = {
    {BAILEY_OPTION_TYPE_CALL, "call", "pays the price less the strike, the largest price of several"},
    {BAILEY_OPTION_TYPE_PUT, "put", "pays the strike less the price"},
};
