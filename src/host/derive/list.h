/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * A function of payoff code as a list of values in single assignment: loops unrolled, calls inlined, arrays
 * and records taken apart, branches turned into selections.
 *
 *     typed tree ─ symbols.c ─▶ list ─ reverse.c ─▶ list with adjoints ─ derivative_text.c ─▶ payoff code
 *                                  └ list.c ─▶ numbers, on the host
 *
 * A loop whose length is only known as it runs stays a loop (symbols.c): what its rounds change are numbers
 * that it carries, which are leaves in its body and behind it. Only forward mode takes such lists.
 *
 * A value is known by its number; what it is computed from has smaller ones. No value has number 0. All
 * values of a function are computed whatever its conditions are, so integers are divided by what is never 0,
 * and indices stay in their array, also where the code would not have come.
 */
#ifndef BLY_DERIVE_LIST_H
#define BLY_DERIVE_LIST_H

#include <host/payoff/language.h>

enum bly_atom_kind {
    BLY_ATOM_NONE,
    BLY_ATOM_NUMBER,    /* `real` or `integer`, by its type */
    BLY_ATOM_STATE,     /* cell `number` of the state before the function */
    BLY_ATOM_PARAM,     /* cell `number` of params; with a: the cell a behind it, of `count` */
    BLY_ATOM_POINT,     /* x[number]; of levels, cell `number` of noise n, with that of m behind it */
    BLY_ATOM_TIME,      /* t; number 1, of levels: h */
    BLY_ATOM_STEP,      /* i; of levels: level */
    BLY_ATOM_OPERATION, /* `operation` of a, b and c, or `library` of these */
    BLY_ATOM_STATE_BAR, /* what cell `number` of the state behind the function counts for the result */
    BLY_ATOM_PARAM_BAR, /* the same of params, as summed up so far */
    BLY_ATOM_FIXED_BAR, /* the same of value `number` among those that are the same in all steps */
    BLY_ATOM_WIDTH,     /* of the jumps of comparison `number` */
    BLY_ATOM_SIDE,   /* of bly_derivative with one_sided, of the same: 1 or -1, where its density is measured;
                      * 0:   both */
    BLY_ATOM_WEIGHT, /* of output `number` in the result */
    BLY_ATOM_SHARE,  /* what jumps count: 1, or 0 for the derivative without them */
    BLY_ATOM_CARRIED, /* number `number` that loops carry, as a round of its loop begins */
    BLY_ATOM_LEFT,    /* the same behind the loop */
    BLY_ATOM_SEED,    /* what asked cell `number` of params changes by, or that `a` behind it */
    BLY_ATOM_CHANGE,  /* what x[number] changes by; number dims: what t does */
    BLY_ATOM_PATH,    /* of `whole`, call `number` of enum bly_path_call: at(x, a, b), time(x, a) */
    BLY_ATOM_TURN     /* what turn `number` changes the result by, as its comparison becomes 1 */
};

struct bly_atom {
    enum bly_atom_kind kind;
    enum bly_expression_kind operation;         /* BLY_NEGATE to BLY_CALL */
    const struct bly_type *type;                /* a number's */
    const struct bly_library_function *library; /* BLY_CALL */
    uint32_t a, b, c;
    union {
        double real; /* in the unit's precision */
        int64_t integer;
    };
    uint32_t number, count;
    uint32_t region;  /* where the code computes it: list->regions[region] */
    uint32_t loop;    /* in the body of list->loops[loop]; 0: of none */
    uint32_t order;   /* code computes values by this, then by their numbers, where there are loops */
    const char *name; /* what the code calls it; NULL: nothing */
    struct bly_place place;
};

/* Code that runs where `condition` is not 0 (`holds`), or where it is, within another region. Number 0 is all
 * of the function. */
struct bly_region {
    uint32_t outer, condition;
    bool holds;
};

/* while (more) { body }, where `more` is carried number `first`. Number 0 is not a loop. */
struct bly_loop {
    uint32_t outer;
    uint32_t begin, end;   /* values of its body, and of loops in it, before changes are added to them */
    uint32_t first, count; /* that it carries, in the order in which its body writes them first */
    struct bly_place place;
};

/* A number that a loop carries: `initial` before it, `next` as a round ends. */
struct bly_carried {
    uint32_t loop;
    const struct bly_type *type;
    uint32_t initial, next;
    uint32_t inner, left; /* CARRIED, LEFT */
    uint32_t change;      /* forward.c: what this one changes by is carried too; 0: by nothing */
};

struct bly_atoms {
    struct bly_unit *unit;
    struct bly_arena *arena;
    struct bly_atom *values; /* [count], from 1 */
    uint32_t count, size;
    uint32_t *table; /* of equal values: numbers by their hash */
    uint32_t table_size;
    struct bly_region *regions; /* [region_count] */
    uint32_t region_count, region_size;
    uint32_t region;        /* of what is added */
    struct bly_loop *loops; /* [loop_count] */
    uint32_t loop_count, loop_size;
    uint32_t loop;               /* of what is added */
    struct bly_carried *carried; /* [carried_count], from 1 */
    uint32_t carried_count, carried_size;
    uint32_t now;     /* `order` of what is added; 0: its number */
    uint32_t settled; /* values below it stay in their region: adjoints rely on it while they are found */
    uint32_t most;    /* values that there may be */
    bool too_long;    /* there would be more */
    bool needs_loops; /* it was refused for its loops, which are not unrolled in forward mode */
    bool no_memory;
};

#define BLY_GOOD_ATOMS 4000u  /* up to which forward mode unrolls loops of known length */
#define BLY_MOST_ATOMS 20000u /* of a function, before its adjoints */

void bly_list_begin(struct bly_atoms *list, struct bly_unit *unit, struct bly_arena *arena);
/* The error where an arena gave no memory, as it is full or there is none: ERROR_UNSUPPORTED, ERROR_MEMORY. */
bailey_status bly_derive_full(const struct bly_unit *unit, const struct bly_arena *arena);
/* The same of a list that has become too long, or has no memory. */
bailey_status bly_list_full(const struct bly_atoms *list);
/* Forgets all values from number `count` on. */
void bly_list_cut(struct bly_atoms *list, uint32_t count);
/* A list of the first `count` numbers of another; whether there is memory for it. */
bool bly_list_copy(const struct bly_atoms *from, uint32_t count, struct bly_atoms *list);

/* The number of a value: of one that is there, or a new one; an operation on constants is a constant. 1
 * without memory, or if the list is too long. */
uint32_t bly_atom_add(struct bly_atoms *list, const struct bly_atom *value);
uint32_t bly_atom_real(struct bly_atoms *list, double value);
uint32_t bly_atom_integer(struct bly_atoms *list, const struct bly_type *type, int64_t value);
uint32_t bly_atom_operation(struct bly_atoms *list, enum bly_expression_kind operation,
                            const struct bly_type *type, uint32_t a, uint32_t b, uint32_t c);
uint32_t bly_atom_call(struct bly_atoms *list, const char *function, uint32_t a, uint32_t b, uint32_t c);
/* a where `condition` is not 0, else b. */
uint32_t bly_atom_select(struct bly_atoms *list, uint32_t condition, uint32_t a, uint32_t b);

/* The region of a side of a condition, within list->region. */
uint32_t bly_region_of(struct bly_atoms *list, uint32_t condition, bool holds);
/* Whether `inner` is `outer`, or within it. */
bool bly_region_is_within(const struct bly_atoms *list, uint32_t inner, uint32_t outer);

/* A loop within list->loop, of a number more of what is carried: 0 without memory. */
uint32_t bly_loop_add(struct bly_atoms *list, struct bly_place place);
/* Another number that list->loop carries. 0 without memory. */
uint32_t bly_carried_add(struct bly_atoms *list, uint32_t loop, const struct bly_type *type,
                         uint32_t initial);
/* Whether `inner` is `outer`, or within it. */
bool bly_loop_is_within(const struct bly_atoms *list, uint32_t inner, uint32_t outer);

/* Whether it is a constant integer, which *value is then. */
bool bly_atom_is_integer(const struct bly_atoms *list, uint32_t number, int64_t *value);
/* Whether it is an int that is 0 or 1; `flags` says so of cells of the state, and may be NULL. */
bool bly_atom_is_flag(const struct bly_atoms *list, uint32_t number, const uint8_t *flags);

/* ---- list.c: as numbers -------------------------------------------------------------------------- */

union bly_scalar {
    double real;
    int64_t integer;
};

/* Numbers that the leaves of a list stand for. */
struct bly_leaves {
    const union bly_scalar *state, *params;
    const double *x;
    double t, h;
    int32_t i;
    const double *state_bar, *param_bar, *fixed_bar;
    const double *widths, *turns;   /* NULL: 1 each; weights are 1 */
    const union bly_scalar *others; /* [list->count]: of what loops carry, and of paths */
};

/* results[0 .. list->count - 1]. */
void bly_list_evaluate(const struct bly_atoms *list, const struct bly_leaves *leaves,
                       union bly_scalar *results);
/* The same of some numbers only, in their order, with all that they are computed from among them; number
 * `replaced` is what number `by` is, before it is used: `by` is the smaller number, or a leaf. */
void bly_list_evaluate_some(const struct bly_atoms *list, const struct bly_leaves *leaves,
                            const uint32_t *numbers, uint32_t count, uint32_t replaced, uint32_t by,
                            union bly_scalar *results);

#endif
