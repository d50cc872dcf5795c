/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Payoff code as runs have it: what it declares, the program that compilers get, and what is tested as it
 * runs. Pure host code: no device, no context.
 */
#ifndef BLY_PAYOFF_H
#define BLY_PAYOFF_H

#include <bailey/simulation.h>

#include <stdbool.h>

struct bly_description;
struct bly_printing;
struct bly_site;
struct bly_unit;

enum bly_field_type { BLY_FIELD_REAL, BLY_FIELD_INT, BLY_FIELD_UINT32, BLY_FIELD_INT64, BLY_FIELD_UINT64 };

/* A member of `params` or `state`. */
struct bly_field {
    char name[64];
    enum bly_field_type type;
    uint32_t count;  /* elements of an array, DIMS and STEPS replaced; 1 of a single value */
    uint32_t array;  /* 1 if it is declared as an array */
    uint32_t offset; /* params: bytes from the beginning, in the precision */
};

struct bly_payoff {
    struct bly_field *params, *states;
    uint32_t param_count, state_count;
    uint32_t params_bytes; /* of the struct, as C lays it out: a multiple of 8, at least 8 */
    uint32_t outputs;
    uint32_t normals, uniforms; /* of levels, that a step takes besides the Brownian motion */
    int whole;                  /* it is given the whole path */
    int exercises;              /* its code has `exercise` */
    uint32_t regressors;        /* that its `regress` writes; 0: it has none */
    int has_root;   /* it divides reals or takes a root: f32 needs a device that rounds both correctly */
    char name[256]; /* as errors and compilers show it */
    char *text;     /* of its program, see below */
    char *lanes; /* the same for paths side by side (host/payoff/print_lanes.c); NULL: that cannot be, and why */
    const char *scalar;
    uint32_t scalar_line;
    /* Levels in single precision: the same code in half precision (host/payoff/print_half.c), whose functions
     * are called bly_half_own_<name>, but for finish; else NULL. And the first number in the code that is
     * beyond halves, with its line; line 0: there is none. */
    char *half;
    double half_beyond;
    uint32_t half_line;
    /* Levels in single precision: about how many operations a step of the fine path takes, with its share of
     * a coarse one; a step of level 0; and a sample, besides its steps (host/payoff/operations.c). */
    double pair_operations, step_operations, sample_operations;
    /* The places that are tested as it runs (host/payoff/sites.h), in one allocation, by bly_sites_copy. A
     * payoff without sites has programs without tests. */
    struct bly_site *sites;
    uint32_t site_count;
    uint32_t loop_budget;                /* not 0 */
    double last_date;                    /* that checks of parameters may name; of simulations */
    struct bly_description *description; /* host/payoff/descriptions.h */
};

/* What payoff code is read for. */
struct bly_payoff_path {
    bailey_precision precision;
    uint32_t steps, dims;
    uint32_t own;          /* numbers of x beyond dims (bly_own_dims) */
    uint32_t motion_depth; /* of a motion, whose code has `whole`; else 0 */
    uint32_t most_outputs; /* 0: BAILEY_SIMULATION_MAX_OUTPUTS */
    const char *around;    /* code of the library around it (host/payoff/around.c); NULL: none */
};

/* Reads payoff code by the front end, host/payoff/language.h. The result's text is C, OpenCL C and CUDA:
 * functions are called bly_own_<name>, and fields of params and state own_<name>, as bly_payoff_structures
 * has them.
 *
 * Returns: OK; ERROR_INVALID of the argument "payoff", with "NAME:LINE:COLUMN: " before what is wrong;
 * ERROR_MEMORY. *out must be freed with bly_payoff_free whatever is returned. */
bailey_status bly_payoff_read(const bailey_payoff *payoff, const struct bly_payoff_path *path,
                              struct bly_payoff *out);

/* The same for level functions (bailey/mlmc.h), with `step`, `pair` and `noise`; errors are of the argument
 * "estimator". `payoff->text` is not NULL. */
bailey_status bly_levels_read(const bailey_payoff *payoff, bailey_precision precision, uint32_t dims,
                              struct bly_payoff *out);

/* The same for a unit that was read and is printed as `printing` says. *out is zero before. */
bailey_status bly_payoff_take(const struct bly_unit *unit, const struct bly_printing *printing,
                              struct bly_payoff *out);

void bly_payoff_free(struct bly_payoff *payoff);

/* The half nearest to x, as numbers of programs in half precision are rounded. */
float bly_half_nearest(float x);
/* Whether a number is too large for a half, or so small that it would be 0. */
bool bly_is_beyond_half(double x);

/* Numbers of all elements. */
uint32_t bly_fields_numbers(const struct bly_field *fields, uint32_t count);

/* The part of a program before the printed code: params, state and, as bly_states, the states of an item's
 * paths. */
struct bly_text;
void bly_payoff_structures(const struct bly_payoff *payoff, struct bly_text *text);

/* Ends the compilation of a program with the payoff `name` in it. The user's code has been checked, so where
 * a compiler finds an error, ERROR_BUILD says that it is an error of bailey, and is of `argument`. */
bailey_status bly_payoff_not_built(const char *argument, const char *name, bailey_status status);

/* A row of kernels/payoff_list.h, which tools/builtins.c writes. */
struct bly_payoff_row {
    const char *name;
    const unsigned char *text;
};

/* The built-in called `name`, or NULL. */
const struct bly_payoff_row *bly_payoff_row_find(const char *name);
const char *bly_payoff_builtin_code(const char *name);

#endif
