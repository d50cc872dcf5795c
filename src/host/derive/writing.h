/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Functions that derivative_text.c, derivative_forward.c and jump_text.c share: writing.c, unless said
 * otherwise.
 */
#ifndef BLY_DERIVE_WRITING_H
#define BLY_DERIVE_WRITING_H

#include "derivative.h"

struct bly_writing {
    const struct bly_derivative *d;
    struct bly_text *text;
    struct bly_arena arena;
    struct bly_derivative_names *names;
};

/* `name`, or with a number behind it, as no member of params is called; "" unless it is needed. */
void bly_writing_choose_name(const struct bly_writing *w, bool needed, const char *name, char *chosen);
void bly_writing_head(const struct bly_writing *w, const char *how);
struct bly_list_text bly_writing_list(struct bly_writing *w, const struct bly_reversed *r);
/* A field of numbers of that type; all fields of a record, a line each. */
void bly_writing_field(struct bly_text *text, const char *type, const struct bly_field_node *field);
void bly_writing_fields(struct bly_text *text, const struct bly_record *record);
/* start and step, which return the state, or what is kept of it; `turned`: with the comparison of that turn
 * as it is not. */
void bly_writing_forward(struct bly_writing *w, const struct bly_reversed *r, bool kept,
                         const char *signature, bool turned);

/* The path as the head of the code names it. */
static inline const char *bly_writing_path(const struct bly_derivative *d)
{
    return d->unit->kind == BLY_UNIT_MOTION ? "motion" : d->has_origin ? "paths" : "increments";
}

/* The name of a cell of the state, behind `of`; an assignment of a value, or of 0. */
void bly_writing_member(const struct bly_derivative *d, const char *of, uint32_t cell, char *text,
                        size_t size);
void bly_writing_set(struct bly_list_text *list, const char *target, uint32_t value);

/* derivative_text.c: names of the members of params that are added, the comment at the top, and params. */
void bly_writing_names(const struct bly_writing *w);
void bly_writing_params(struct bly_writing *w);

/* jump_text.c: what turned comparisons change the result by. */
void bly_writing_turns(struct bly_writing *w);
/* Sums of the outputs that are asked for, as an expression. */
void bly_writing_result(const struct bly_writing *w);

#endif
