/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Descriptions of code, for those who do not read it (comments.h is for those who do).
 */
#ifndef BLY_DESCRIPTIONS_H
#define BLY_DESCRIPTIONS_H

#include <bailey/description.h>

#include <stdbool.h>

enum bly_comparison { BLY_IS_ABOVE, BLY_IS_ABOVE_OR, BLY_IS_BELOW, BLY_IS_BELOW_OR, BLY_IS, BLY_IS_NOT, BLY_INCREASES };

/* A parameter, or one element of it, or a number, or the time of the last date. */
struct bly_operand {
    uint32_t parameter; /* or BLY_NO_PARAMETER, or BLY_LAST_DATE */
    uint32_t element;   /* or BLY_EACH_ELEMENT */
    double number;
};

/* The sum of two products, of which the second is 0 where there is none, against `right`: all elements of an
 * array against those of another or LAST, else at least one. BLY_INCREASES: each element is above the one
 * before, but zeros at the end do not count. */
struct bly_term {
    struct bly_operand left[2][2], right;
    enum bly_comparison comparison;
};
#define BLY_LAST_DATE (UINT32_MAX - 1)
#define BLY_EACH_ELEMENT UINT32_MAX
#define BLY_NO_PARAMETER UINT32_MAX

#define BLY_MOST_TERMS 8u

/* Holds if one of its terms does. */
struct bly_check {
    const char *words; /* why, for messages; "" without */
    const struct bly_term *terms;
    uint32_t term_count;
};

/* A description and what only the library reads of it: one block of memory. */
struct bly_description {
    bailey_description d;
    const uint32_t *default_of;     /* [d.parameter_count]: the parameter whose value is its default */
    const struct bly_check *checks; /* [d.check_count] */
    const bailey_interval *differentiable; /* [d.parameter_count]: where there are derivatives along paths */
};

/* Describes the code of a payoff, or of level functions, for sizes that may be 0, as bailey_payoff_describe
 * does. */
bailey_status bly_describe_code(bool levels, const char *code, const char *name,
                                const bailey_describe_params *params, struct bly_description **out);

/* Reads the demands of the code's head comment on its path. Messages call the code `name`. Dims and steps
 * need not be known. */
bailey_status bly_needs_of_code(bool levels, const char *code, const char *name, bailey_path_needs *needs);

/* Numbers of x beyond those of `dims` dimensions: the code's own, which nothing correlates. */
static inline uint32_t bly_own_dims(const bailey_path_needs *needs, uint32_t dims)
{
    return needs->own_each * dims + needs->own_more;
}

/* Dimensions that the code always has, besides its own; 0: any number. */
static inline uint32_t bly_fixed_dims(const bailey_path_needs *needs)
{
    const uint32_t least = needs->dims_least ? needs->dims_least : 1;
    return needs->dims_most == least ? least : 0;
}

/* The kind of code, from its head comment. */
struct bly_code_kind {
    bailey_payoff_kind kind;
    char name[64];  /* "": none */
    char model[64]; /* of a product; "": none */
    double step;    /* of a model: years; 0: any */
};

/* The same of a payoff's code, and what it is. */
bailey_status bly_kind_of_code(const char *code, const char *name, bailey_path_needs *needs,
                               struct bly_code_kind *kind);

/* A copy in separate memory. Returns: OK, ERROR_MEMORY. */
bailey_status bly_description_copy(const struct bly_description *from, struct bly_description **to);
void bly_description_free(struct bly_description *description);

/* Whether a value is in an interval; what is not a number is in none. */
bool bly_interval_has(const bailey_interval *interval, double value);

#endif
