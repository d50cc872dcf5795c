/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * The stages of the checks: what check.c, ranges.c and assigned.c offer each other.
 */
#ifndef BLY_CHECK_H
#define BLY_CHECK_H

#include "language.h"

/* Calls `statement` and `expression`, each of which may be NULL, on all of a list of statements, in the order
 * of the code; an expression before its operands. */
struct bly_visitor {
    void (*statement)(void *of, struct bly_statement *);
    void (*expression)(void *of, struct bly_expression *);
    void *of;
};
void bly_visit_all(struct bly_statement *list, const struct bly_visitor *visitor);

/* operations.c: about how many operations of single precision a call of a function takes. */
double bly_operations_of(struct bly_function *f);

/* visit.c: the name of what an lvalue is of, as a message says it: of s->h[3] it is h. */
const char *bly_array_name(const struct bly_expression *lvalue);
/* The variable that an lvalue is a part of. */
const struct bly_variable *bly_root_of(const struct bly_expression *lvalue);

enum bly_known { BLY_KNOWN, BLY_NEEDS_MEMORY, BLY_NEEDS_TIME };

/* ranges.c: ranges and proofs of the functions that are used. *known says whether they are: else it took too
 * much, and nothing is proved, unless it is done again with more memory, which few units need: `wide`.
 * `again`: loops have trips that are examined one by one; what is wrong has been refused. */
bailey_status bly_ranges_find(struct bly_unit *unit, bool wide, bool again, enum bly_known *known);

/* assigned.c: what is read was written before. Wants `range` of conditions, and `enters` and sites of loops.
 */
bailey_status bly_assigned_check(struct bly_unit *unit);

#endif
