/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Printing of a unit: what its files give each other.
 */
#ifndef BLY_PRINT_H
#define BLY_PRINT_H

#include "language.h"

#include <base/text.h>

/* How strongly an operator binds its operands. */
enum bly_binding {
    BLY_BINDS_COMMA,
    BLY_BINDS_SELECT,
    BLY_BINDS_OR,
    BLY_BINDS_AND,
    BLY_BINDS_COMPARE,
    BLY_BINDS_ADD,
    BLY_BINDS_MULTIPLY,
    BLY_BINDS_UNARY,
    BLY_BINDS_PRIMARY
};

struct bly_printer {
    const struct bly_unit *unit;
    const struct bly_printing *printing;
    struct bly_text *text;
    struct bly_text temporaries; /* declarations of those of the function */
    uint32_t temporary_count;
    uint32_t indent;
    bool checked; /* something of kernels/payoff_checked.h was printed */
    struct bly_mask *mask; /* print_lanes.c: of the statement; NULL where there are branches */
    uint32_t mask_count;
};

/* Whether it is a real, and reals are printed as halves (print_half.c). */
static inline bool bly_is_half(const struct bly_printer *p, const struct bly_type *type)
{
    return p->printing->half && type->kind == BLY_TYPE_REAL;
}

/* print_names.c */
void bly_print_record_name(const struct bly_printer *p, const struct bly_record *record);
void bly_print_type(const struct bly_printer *p, const struct bly_type *type); /* without its arrays */
/* The same of an object; `stored`: a real is in single precision, whatever the program's reals are. */
void bly_print_object_type(const struct bly_printer *p, const struct bly_type *type, bool stored);
void bly_print_arrays(const struct bly_printer *p, const struct bly_type *type);
void bly_print_variable(const struct bly_printer *p, const struct bly_variable *variable);
/* Whether a constant outside of functions is printed as a number wherever it stands. */
bool bly_is_number(const struct bly_variable *variable);
void bly_print_function_name(const struct bly_printer *p, const struct bly_function *function);

/* print_expressions.c. An expression within another of that binding. */
void bly_print_expression(struct bly_printer *p, const struct bly_expression *e, enum bly_binding binding);
/* The same as an object, or what is not a number of half precision, whatever p->printing says. */
void bly_print_plain(struct bly_printer *p, const struct bly_expression *e, enum bly_binding binding);
/* The fewest digits of a real, which is not negative. */
void bly_print_real(struct bly_printer *p, double value);
/* The index of an INDEX, with its test. */
void bly_print_index(struct bly_printer *p, const struct bly_expression *e);

/* print_order.c.
 *
 * C leaves open in which order operands are evaluated, and compilers differ. The order matters where two of
 * them may fail, since the first that does is what is reported, and where a call writes what an index is made
 * of. There, values are put into temporaries one after the other: (t1 = ..., t2 = ..., x[t1] + y[t2]). */

/* An expression whose operands are evaluated from left to right. */
void bly_print_ordered(struct bly_printer *p, const struct bly_expression *e, enum bly_binding binding);
/* target = value, without a semicolon. */
void bly_print_assignment(struct bly_printer *p, const struct bly_statement *s);
/* Puts all that may fail in the values of a list into temporaries, as a statement; bly_print_end_order gives
 * the temporaries up once the list was printed. */
struct bly_order {
    struct bly_expression **effects;
    uint32_t count, size;
    bool failed; /* without memory */
};
void bly_print_begin_order(struct bly_printer *p, const struct bly_initial *initial, struct bly_order *order);
void bly_print_end_order(struct bly_order *order);

/* print_half.c: reals as halves. */
/* Whether bly_print_half prints the expression. */
bool bly_prints_half(const struct bly_printer *p, const struct bly_expression *e);
void bly_print_half(struct bly_printer *p, const struct bly_expression *e, enum bly_binding binding);
/* A number of half precision as a float, as objects in memory have it. */
void bly_print_single(struct bly_printer *p, const struct bly_expression *e);
/* Whether the value of an object is stored in single precision: not of a variable of half precision. */
bool bly_is_stored(const struct bly_expression *object);
/* A variable whose first value is a sum in single precision is stored so too. */
void bly_half_widen(struct bly_variable *variable, const struct bly_initial *initial);
/* Finds the reals of a unit that something points to. */
void bly_half_begin(const struct bly_unit *unit);

/* print_statements.c */
void bly_print_declaration(struct bly_printer *p, const struct bly_variable *variable,
                           const struct bly_initial *initial);
void bly_print_body(struct bly_printer *p, const struct bly_function *function);

void bly_print_statement(struct bly_printer *p, const struct bly_statement *s);
void bly_print_list(struct bly_printer *p, const struct bly_statement *s);
void bly_begin_line(struct bly_printer *p);
void bly_print_for(struct bly_printer *p, const struct bly_statement *s);

/* print_lanes.c */
struct bly_mask;
void bly_print_mask(struct bly_printer *p, const struct bly_mask *mask);
/* Prints a statement that lanes do not all want to do; false: it is printed as elsewhere. */
bool bly_print_in_lanes(struct bly_printer *p, const struct bly_statement *s);
/* The body of a loop, in brackets. */
void bly_print_trip(struct bly_printer *p, const struct bly_statement *loop);
void bly_print_lanes(struct bly_printer *p, const struct bly_function *function);
/* Whether an index is the same in all lanes, and an expression may be evaluated by lanes that do not want it. */
bool bly_is_steady(const struct bly_expression *x);
bool bly_is_eager(const struct bly_expression *x);
/* Whether && || ?: stay as they are. */
bool bly_stays_branch(const struct bly_expression *x);

/* print_loops.c: sets `unrolled` of a unit's loops. */
void bly_unrolled_choose(const struct bly_unit *unit);

/* print_indices.c: whether the index of an INDEX is hidden from compilers, after bly_indices_choose. */
void bly_indices_choose(const struct bly_unit *unit);
bool bly_hides_index(const struct bly_expression *x);

#define BLY_PRINT(p, ...) bly_text_add((p)->text, __VA_ARGS__)

#endif
