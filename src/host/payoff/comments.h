/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) the bailey authors
 *
 * Descriptions: what code says about itself in its comments (docs/developers/payoff-language.md), read once
 * into data.
 *
 *     comments ─ remarks.c ─▶ words, ranges, choices ─ head.c, describe.c ─▶ bailey_description
 */
#ifndef BLY_COMMENTS_H
#define BLY_COMMENTS_H

#include "descriptions.h"
#include "language.h"

#include <bailey/simulation.h>

/* Describes a unit that bly_unit_parse has read. A remark that is wrong is ERROR_INVALID with its place. *out
 * must be freed with bly_description_free. */
bailey_status bly_describe(struct bly_unit *unit, struct bly_description **out);

/* ---- Reading remarks (remarks.c) ----------------------------------------------------------------- */

enum bly_remark_kind { BLY_REMARK_END, BLY_REMARK_WORD, BLY_REMARK_NUMBER, BLY_REMARK_SIGN };

/* Reads a part of a comment, word by word. Lines may begin with a star. */
struct bly_reader {
    struct bly_unit *unit;
    const struct bly_comment *comment;
    const char *at, *end;
    /* The current word. */
    enum bly_remark_kind kind;
    const char *text;
    uint32_t length;
    double number;
};

/* Begins with the first word from `at` on. */
struct bly_reader bly_reader_of(struct bly_unit *unit, const struct bly_comment *comment, const char *at,
                                const char *end);
void bly_reader_next(struct bly_reader *reader);
bool bly_reader_is(const struct bly_reader *reader, const char *word);
/* Reads the next word if the current one is this. */
bool bly_reader_takes(struct bly_reader *reader, const char *word);

struct bly_place bly_place_in(const struct bly_comment *comment, const char *at);
/* Refuses the current word. */
bailey_status bly_reader_refuse(const struct bly_reader *reader, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* A text without what begins its lines, in the unit's arena: one space stands for all between two words. NULL
 * without memory. */
const char *bly_prose(struct bly_unit *unit, const char *from, const char *to);

/* The bracket that ends from .. end, "prose [> 0; unit per year]": where it begins, or NULL if there is none.
 * A bracket stands behind a space, and the spaces after it do not count. */
const char *bly_bracket_find(const char *from, const char *end);

/* The contents of the brackets of a parameter; `known` has a bit for each that was read. */
struct bly_remarks {
    bailey_parameter *parameter;
    const struct bly_field_node *field;
    uint32_t known;
    uint32_t default_of;
    struct bly_place default_place;
    bailey_interval differentiable;
};

/* Reads the bracket from `at` on, which is of all[first .. first + count - 1]. */
bailey_status bly_remarks_read(struct bly_unit *unit, const struct bly_comment *comment, const char *at,
                               struct bly_remarks *all, uint32_t all_count, uint32_t first, uint32_t count);

/* ---- The head comment (head.c) ------------------------------------------------------------------- */

struct bly_head_output {
    const char *name, *summary;
    uint32_t control, likelihood;
    bailey_closed_form closed_form;
    struct bly_place place; /* line 0: it is not described */
};

/* A control variate of a product. */
struct bly_head_control {
    const char *name, *summary;
    struct bly_place place;
};

#define BLY_MOST_CONTROLS 4u
#define BLY_MOST_CHECKS 16u
#define BLY_MOST_EXAMPLES 16u

struct bly_head {
    const struct bly_comment *comment; /* NULL: there is none */
    const char *summary, *details, *source, *name;
    bailey_payoff_kind kind;
    const char *model; /* of a product: its usual model; "": none is said */
    uint32_t likelihood; /* of a model: likelihood ratios of its Brownian motion are valid */
    double step;       /* of a model: years that a step may take; 0: any */
    bailey_path_needs needs;
    struct bly_head_output outputs[BAILEY_SIMULATION_MAX_OUTPUTS];
    struct bly_head_control controls[BLY_MOST_CONTROLS];
    uint32_t control_count;
    struct bly_reader coarser; /* behind "coarser:", of an END if it is not there or is "steps" */
    struct bly_reader checks[BLY_MOST_CHECKS];
    uint32_t check_count;
    bailey_payoff_example examples[BLY_MOST_EXAMPLES];
    uint32_t example_count;
    uint32_t known; /* a bit for each line that was read */
};

/* Reads the comment that stands before all of the code, if there is one that begins with slash, star, star.
 */
bailey_status bly_head_read(struct bly_unit *unit, struct bly_head *head);

#endif
