/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Tools of the generator of random payoffs: text, names in scope, and expressions (random_expression.c).
 */
#ifndef RANDOM_WRITER_H
#define RANDOM_WRITER_H

#include "random_payoff.h"

#include <stddef.h>

enum type { REAL, INT, UINT32, INT64, UINT64, TYPES };
#define INTEGER_TYPES 4
extern const char *const type_names[TYPES];

struct buffer {
    char *text;
    size_t used, size;
};
void append(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

struct variable {
    char name[40];
    enum type type;
    uint32_t count; /* of an array; 0: it is none */
    int writable;
};

#define MOST_VARIABLES 512
#define MOST_SAID (1u << 20)

struct writer {
    const struct random_payoff_options *options;
    uint64_t random;
    uint32_t program;
    struct buffer params, state, code, later;
    uint32_t indent, left, loops, names;
    struct variable variables[MOST_VARIABLES];    /* in scope */
    uint32_t variable_count, outside;             /* of these, constants */
    int has_curve, has_own, has_path, has_params; /* functions that may be called from here */
    char said[MOST_SAID];                         /* expressions of a statement */
    size_t said_used;
};
void free_writer(struct writer *w);

uint64_t draw(struct writer *w, uint64_t n);
/* A text that lives until the statement is written. */
const char *say(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
void write_line(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
void add_variable(struct writer *w, enum type type, uint32_t count, int writable, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

const char *real_literal(struct writer *w);
const char *integer_literal(struct writer *w);

/* An expression of any type that converts to `type`, no deeper than that. Of reals a tame number. */
const char *value_of(struct writer *w, enum type type, uint32_t depth);
const char *condition(struct writer *w, uint32_t depth);
/* Within an array of so many. */
const char *index_of(struct writer *w, uint32_t count);
/* Something that may be assigned to, or NULL. */
const char *place_of(struct writer *w, enum type *type);

#endif
