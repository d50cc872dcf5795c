/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The derivatives of one path of a payoff, by adjoints: how much a chosen output changes with parameters and
 * with the covariance of the path. For the latter, what counts is the matrix that all points, less their
 * origin, are multiplied by: the points are C W, and with another factor C' they are C' inverse(C) times as
 * much. They are payoff code, which the front end reads like any other: a `whole` whose outputs are those of
 * the payoff, and then the derivatives.
 *
 * A step's adjoint has one statement per operand, from the last operation to the first. So what a derivative
 * is, to the last bit, follows from the code alone: it does not depend on what else is asked for, as a value
 * that counts for one of them counts with all of its uses; nor on how many states are kept.
 *
 * A comparison l > r that depends on the path is where a payoff may jump. Where both sides of a selection are
 * equal as the comparison turns there is no jump (smooth.c). Else the mean has the derivative E[density of l
 * - r at 0, times what the comparison changes the result by, times the derivative of l - r]. The density is
 * that of a kernel of width w at l - r, on both sides of 0, or on one where hardly any path comes to the
 * other (`one_sided`): there the distribution may end. The change of the result is the bar of the comparison
 * if the result is affine in it; else the rest of the path is run again with the comparison turned (jumps.c).
 * Where the same numbers are compared more than once (`repeats`), all of these comparisons turn at once: each
 * then counts what it and those after it change the result by, less what those after it do alone.
 */
#ifndef BLY_DERIVE_DERIVATIVE_H
#define BLY_DERIVE_DERIVATIVE_H

#include "list.h"

#include <base/text.h>

#include <string.h>

#define BLY_MOST_JUMPS 64u
#define BLY_MOST_LEVELS 4u
#define BLY_MOST_PROOF (UINT64_C(1) << 26)  /* values that are computed to find out which selections jump */
#define BLY_GOOD_BYTES (UINT64_C(16) << 10) /* that a path keeps: more only if it cannot be less */

/* How the sides of a selection are at the place where its condition turns. */
enum bly_meeting {
    BLY_JUMPS, /* not known to be equal */
    BLY_MEETS
};

/* A comparison of the code that is a jump: l > r or the like. */
struct bly_jump {
    struct bly_place place;
    bool counts; /* for what is asked for */
};

/* Where a list compares: l and r of a comparison, and all comparisons of a list that turn with it. */
struct bly_turn {
    uint32_t atom; /* the first of them */
    uint32_t jump; /* its number in the code */
};

/* A parameter's element at an index, that gets what a step counts for it. */
struct bly_scatter {
    uint32_t first, count; /* cells of params */
    uint32_t index, value; /* numbers of values */
};

/* A function's list with its adjoints behind it. */
struct bly_reversed {
    struct bly_atoms list;
    uint32_t *results;            /* cells of the state behind it, or outputs */
    uint32_t primal;              /* values of the function itself: the adjoints begin here */
    uint8_t *varied, *random;     /* [primal]: it depends on what is asked for; on the path */
    uint8_t *moving;              /* [primal]: a real that differs by little on paths that do, and by what is
                                   * asked for */
    uint8_t *meeting;             /* [primal]: 1 + enum bly_meeting of a selection that counts */
    uint8_t *live;                /* [primal]: it counts for the result, other than as where a kink is */
    uint32_t *turn_of;            /* [primal]: of a comparison that is a jump, 1 + its turn */
    struct bly_residue *residues; /* [primal] (identity.h) */
    struct bly_smooth *smooth;    /* space of smooth.c */
    uint8_t *falls;               /* [primal]: it is 0 where the first one of its turn is 1 */
    struct bly_turn *turns;       /* [turn_count] */
    uint32_t turn_count;
    uint32_t *bars;       /* [primal]: what it counts for the result; 0: nothing */
    uint32_t *state_bars; /* [states]: of the state before it */
    uint32_t *param_bars; /* [params]: sums up to here; 0: as before */
    uint32_t *point_bars; /* [dims]: of x */
    uint32_t time_bar;    /* of t */
    /* For a step: values that params alone make, the same in all steps. Those that other values are computed
     * from have sums too, which `fixed` of bly_derivative passes on once. */
    uint8_t *fixed;                      /* [primal]; NULL: not of a step */
    uint32_t *fixed_values, *fixed_bars; /* [fixed_count] */
    uint32_t fixed_count;
    struct bly_scatter *scatters;
    uint32_t scatter_count, scatter_size;
};

struct bly_derivative {
    /* Given. */
    struct bly_unit *unit; /* of start, step and finish, checked */
    const uint8_t *asked;  /* [params]: by this cell, a real */
    bool cross;            /* by the covariance too */
    bool by_time;          /* by the time at which paths begin too */
    bool has_origin;       /* points have one: they are not increments */
    bool counts_time;      /* t counts from the beginning of the path */
    const uint8_t *chosen; /* [outputs]: of the sum of these */
    bool has_weights;      /* which have weights in it */
    bool parts;            /* also what part came through these */
    uint64_t memory;       /* bytes of states that a path may keep; 0: the default */
    uint32_t every;        /* steps from a state that is kept to the next; 0: as the memory allows */
    uint32_t segment;      /* of lanes on GPUs: steps whose points a group has at once; 0: all */
    bool forward;       /* in forward mode; set where it is needed: `whole`, or loops that are not unrolled */
    bool without_jumps; /* then: as if none of the comparisons jumped */
    bool rolls;     /* then: all loops but the shortest stay loops; else those of known length as they fit */
    bool repeats;   /* numbers are compared again, and turn together: paths are run again */
    bool one_sided; /* comparisons have a side too, as hardly any path comes to the other one of some */
    /* Second derivatives: those of what the result changes by with parameter `direction`, which is one more
     * output, before them. */
    bool is_second;
    uint32_t direction; /* its cell of params, a real */
    /* Found. */
    struct bly_arena arena;
    uint32_t params, states, outputs, dims;
    struct bly_reversed start, step, pair, finish; /* pair: of levels, which steps do as often as step */
    struct bly_reversed fixed; /* values that are the same in all steps, once; with has_fixed */
    bool has_start, has_step, has_pair, has_finish, has_fixed;
    uint8_t *flags;                         /* [states]: an int that is 0 or 1 */
    uint8_t *varied_states, *random_states; /* [states] */
    uint8_t *barred;                        /* [states]: that count for the result, behind a step */
    uint8_t *needed;                        /* [states]: that are kept, as the adjoints of steps read them */
    /* Level 0 keeps the state of every span[0] steps; level l + 1, of span[l] steps those of every span[l +
     * 1], up to the last level, with a span of 1. */
    uint32_t levels, span[BLY_MOST_LEVELS], count[BLY_MOST_LEVELS];
    uint64_t kept_bytes;  /* of a path */
    uint8_t *live_states; /* [states] */
    uint8_t
        *independent; /* [params], then of the covariance and the time: the result does not depend on it */
    /* Which activity is found: of all that may be asked for; of what changes by little alone; comparisons do
     * not count, as another run of the path finds what they change (`runs`). */
    bool of_all, by_little, runs;
    bool needs_loops;          /* loops are what lists were refused for */
    uint64_t proof_work;       /* values that smooth.c has computed */
    struct bly_place too_long; /* where that became too many */
    struct bly_jump jumps[BLY_MOST_JUMPS];
    uint32_t jump_count;
    bailey_status status;
    bool is_extended;       /* the last output is the result */
    struct bly_unit second; /* the unit, with a state that has changes too */
    struct bly_unit *first; /* in forward mode: the unit as it was given, with so many cells of the state */
    uint32_t first_states;
};

/* Finds lists and adjoints. `d` has what is given and is else zero; call bly_derivative_free
 * whatever is returned. Returns: OK; ERROR_UNSUPPORTED, with the line of what cannot be differentiated;
 * ERROR_MEMORY. */
bailey_status bly_derivative_find(struct bly_derivative *d);
void bly_derivative_free(struct bly_derivative *d);
/* Sets d->forward and d->independent alone, of first derivatives. The rest is as of bly_derivative_find. */
bailey_status bly_derivative_find_mode(struct bly_derivative *d);

/* The outputs of the code: those of the payoff, then derivatives by what is asked for, in the order of
 * params, then by the entries of the covariance, 00, 10, 11, 20 and so on: off the diagonal by both of a
 * pair; then by the time. With `parts` and jumps, then for each derivative the part of it that came through
 * these. */
uint32_t bly_derivative_outputs(const struct bly_derivative *d);
uint32_t bly_derivative_count(const struct bly_derivative *d);
/* Whether a jump counts for what is asked for, and whether steps have adjoints. */
bool bly_derivative_has_jumps(const struct bly_derivative *d);
bool bly_derivative_goes_back(const struct bly_derivative *d);
/* Members of the code's params behind those of the payoff, reals in this order; "" of those that are not
 * there. */
struct bly_derivative_names {
    char factor[80], inverse[80]; /* [dims * dims]: C and inverse(C), row by row; with `cross` */
    char origin[80];              /* [dims]; with `has_origin` and `cross` or `by_time`, and in pilots */
    char drift[80];               /* [dims]; in pilots with `has_origin`: of a path with a fixed end */
    char stretch[80];             /* with `by_time`: of the first step, from t0 to t1: 1 / (2 (t1 - t0)), less
                                   * than 0 for increments */
    char weight[80];              /* [outputs]; with `has_weights` */
    char width[80];               /* [jump_count] */
    char side[80]; /* [jump_count]; with `one_sided`: 1 or -1, the sign of l - r where its density
                    * is measured; 0: both */
};

/* Whether the code has params. */
static inline bool bly_derivative_has_params(const struct bly_derivative *d)
{
    return d->unit->params || bly_derivative_has_jumps(d) || d->cross || d->by_time || d->has_weights;
}

/* Its code. */
void bly_derivative_write(const struct bly_derivative *d, struct bly_text *text,
                          struct bly_derivative_names *names);

/* For units of levels, instead of bly_derivative_find: code of levels with the same params, whose fine and
 * coarse payoffs are what those of the unit change by with parameter `direction`, by forward mode. `asked` is
 * that parameter alone. Call bly_derivative_free whatever is returned. Returns: OK; ERROR_UNSUPPORTED, with
 * the line of what cannot be differentiated, jumps among it; ERROR_MEMORY. */
bailey_status bly_derivative_levels(struct bly_derivative *d, struct bly_text *text);

/* derivative_forward.c: the code, in forward mode. */
void bly_derivative_forward(const struct bly_derivative *d, struct bly_text *text,
                            struct bly_derivative_names *names);

/* Code of a pilot: a payoff of the same params whose outputs are BLY_PILOT_OUTPUTS sums for each jump. They
 * are over the times that a path comes to the comparison: 1, l - r, then the same less what it is on the path
 * without noise, its square, whether l - r is 0, whether it is what it or another was before, up to the sign;
 * then the first four over all steps; then over all changes since the path came to it last, less those of the
 * path without noise: 1, the change and its square; then the least and the largest l - r that it came to, or
 * 0, and how often that was below 0; 1 by the least distance |l - r|, or 0; and over the times that l - r is
 * what it or another was before, the number of that jump and its square. `names` has origin and drift. */
#define BLY_PILOT_OUTPUTS 19u
void bly_derivative_pilot(const struct bly_derivative *d, struct bly_text *text,
                          struct bly_derivative_names *names);

/* C that does the same for paths side by side: kernels/simulation_item.h calls it where BLY_GRADIENT is 1.
 * Not for d->runs. */
void bly_derivative_lanes(const struct bly_derivative *d, struct bly_text *text,
                          const struct bly_derivative_names *names);

/* ---- What its files share ------------------------------------------------------------------------ */

/* Whether a comparison is of code of the library around the payoff's: the decisions of an exercise policy,
 * which stay as they are. That of the best policy makes no difference to a derivative, by the envelope
 * theorem. */
static inline bool bly_is_frozen(const struct bly_derivative *d, const struct bly_atom *comparison)
{
    const struct bly_place a = comparison->place, b = d->unit->around_place;
    return d->unit->around && a.line == b.line && a.column == b.column;
}

/* activity.c: all lists and flags; then what is varied and random. */
bailey_status bly_activity_begin(struct bly_derivative *d);
/* The same for lists that exist, with other states. */
bailey_status bly_activity_again(struct bly_derivative *d);
bailey_status bly_activity_find(struct bly_derivative *d);
/* After that, and after bly_jumps_find: d->independent. */
bailey_status bly_activity_independent(struct bly_derivative *d);

/* forward.c: adds to all lists what the result changes by with parameter `direction`, the only one that has
 * been asked for: to the state what its cells change by, to the outputs what their sum does. Adjoints have
 * been found, which say what counts, and are gone. */
bailey_status bly_forward_extend(struct bly_derivative *d);

/* derivative_levels.c: the code, of lists that bly_forward_extend has extended. */
void bly_derivative_levels_write(const struct bly_derivative *d, struct bly_text *text);

/* jumps.c: the comparisons that are jumps, and d->runs: false where the result is affine in each of them.
 * Leaves the activity of what is asked for. */
bailey_status bly_jumps_find(struct bly_derivative *d);

/* quotients.c: refuses a list with a quotient that jumps. */
bailey_status bly_quotients_check(struct bly_derivative *d, const struct bly_reversed *r);

/* smooth.c */
bailey_status bly_smooth_begin(struct bly_derivative *d, struct bly_reversed *r);
/* JUMPS too where all proofs together have become too long: d->proof_work > BLY_MOST_PROOF. */
enum bly_meeting bly_meeting_of(struct bly_derivative *d, const struct bly_reversed *r, uint32_t selection);

/* reverse.c: the adjoints of a list, whose results count for the result as `seeds`, values of the list, say;
 * 0: not at all. Behind the values of the function, the list has no others. */
bailey_status bly_reverse(struct bly_derivative *d, struct bly_reversed *r, const uint32_t *seeds);
/* Whether a function of the language has integers as results, between which it jumps; why it is refused. */
static inline bool bly_jumps(const struct bly_library_function *f)
{
    return strcmp(f->name, "floor") == 0 || strcmp(f->name, "ceil") == 0 ||
           strcmp(f->name, "poisson_icdf") == 0;
}
#define BLY_FUNCTION_JUMPS                                                                                   \
    "floor and ceil jump, like poisson_icdf; write comparisons instead, whose jumps a width can smooth"
#define BLY_FUNCTION_UNKNOWN "it uses a function whose changes are not known"

/* The density of jump number `jump` at a comparison, of l - r at 0. */
uint32_t bly_jump_density(const struct bly_derivative *d, struct bly_atoms *list,
                          const struct bly_atom *comparison, uint32_t jump);

/* By how much a comparison of a flag, on its right if `swapped`, with a number changes as the flag becomes 1:
 * 1, 0 or -1. */
int bly_flag_way(enum bly_expression_kind kind, bool swapped, int64_t number);

/* list_text.c */
struct bly_taken_name {
    const char *name;
    uint32_t last; /* name_2 to name_last are in use too */
};
struct bly_list_text {
    const struct bly_derivative *d;
    const struct bly_reversed *r;
    struct bly_text *text;
    const char **names; /* [list.count]: of values that have a line to themselves; NULL: others */
    uint32_t *uses;
    uint32_t *depth;
    const char *state, *next_bar, *sum; /* names of parameters of the printed function */
    struct bly_taken_name *taken;       /* names in use, by their hash */
    uint32_t taken_count, taken_size;
    struct bly_arena *arena;
    const struct bly_derivative_names *members;
    uint32_t number, indent; /* of names; of lines */
    bool turned;             /* comparisons are not what they are where `turned` is their turn */
};
bool bly_list_text_begin(struct bly_list_text *w);
/* It is needed in what is printed. */
void bly_list_text_need(struct bly_list_text *w, uint32_t value);
/* Prints all that is needed, a line each but for what is used once; then expressions are printed by: */
void bly_list_text_lines(struct bly_list_text *w);
void bly_list_text_value(struct bly_list_text *w, uint32_t value);
/* The type of a value, or of an array's elements, in the language. */
const char *bly_list_text_type(const struct bly_type *type);
void bly_param_text(const struct bly_derivative *d, const char *of, uint32_t cell, char *text, size_t size);

#endif
